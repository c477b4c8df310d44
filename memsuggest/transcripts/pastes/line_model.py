"""The fitted line model: how likely each line that no rule is certain of was pasted, by the features of lines."""

from __future__ import annotations

import json
import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache
from itertools import chain, repeat
from pathlib import Path
from typing import NamedTuple

from memsuggest.core.text.words import word_set
from memsuggest.transcripts.pastes.paste_evidence import PasteEvidence

WEIGHTS_FILE = Path(__file__).with_name("line_weights.json")
_FAR = 4.0  # beyond this a first judgement says no more; a line that a rule is certain of is as far
_JUDGED = 150  # open lines at each end of a message; nobody writes in the middle of more, and it has to be fast


class LineWeights(NamedTuple):
    """The fitted weights."""

    base: float
    lines: Mapping[str, Mapping[str, float]]
    """Of the names of features, by what they are about, for the first step."""
    around: Sequence[float]  # of what the first step said of a line and around it


@cache
def fitted() -> LineWeights:
    return LineWeights(**json.loads(WEIGHTS_FILE.read_text(encoding="utf-8")))


class LineFeatures(NamedTuple):
    """The features of one line in its message."""

    own: Sequence[str]  # how it looks
    word: Sequence[str]
    at: Sequence[str]  # its place
    above: Sequence[str]  # how the line above looks; likewise `below`
    below: Sequence[str]


class MessageView(NamedTuple):
    """The lines that the model looks at, none of them blank."""

    places: Sequence[int]  # their numbers in the message, from 0
    lines: Sequence[LineFeatures | None]
    """The features of each; None for one that a rule is certain of: its neighbours know that, and no more."""
    blocks: Sequence[int]  # which lines stand together, without a blank one between them
    message: Sequence[str]  # the features of the message


def view(found: PasteEvidence) -> MessageView:
    """Look at a message: at all lines left open in a short one, at those near both ends in a long one."""
    blocks: dict[int, tuple[int, int]] = {}  # of each line that is not blank, its block's number and first line
    begin = number = 0
    for place, (_, _, text) in enumerate(found.lines):
        if text and not text.isspace():
            blocks[place] = number, begin
        else:
            number += begin < place
            begin = place + 1
    opened, filled = list(found.left_open), list(blocks)
    if len(opened) > 2 * _JUDGED:
        first, last = opened[_JUDGED - 1], opened[-_JUDGED]
        filled = [place for place in filled if not first < place < last]
        opened = [*opened[:_JUDGED], *opened[-_JUDGED:]]
    lines: dict[int, Seen | None] = dict.fromkeys(filled)
    for place in opened:
        lines[place] = seen(found.lines[place].text)
    count, sizes = len(filled), Counter(number for number, _ in blocks.values())
    features: list[LineFeatures | None] = []
    for order, (place, line) in enumerate(lines.items()):
        if line is None:
            features.append(None)
            continue
        number, begin = blocks[place]
        size, inside = sizes[number], place - begin
        part = "only" if size == 1 else "first" if not inside else "last" if inside == size - 1 else "inner"
        at = [
            f"from-start={min(order, 4)}",
            f"from-end={min(count - 1 - order, 3)}",
            f"block={min(number, 3)}",
            f"block-size={bisect_left((1, 2, 3, 6, 12, 30), size)}",
            f"in-block={part}",
        ]
        above, below = (
            _of_neighbour(line, place, lines, filled[near] if 0 <= near < count else None)
            for near in (order - 1, order + 1)
        )
        features.append(LineFeatures(line.shape, line.words, at, above, below))
    return MessageView(filled, features, [blocks[place][0] for place in filled], _about_message(lines))


def judged(looked_at: MessageView, weights: LineWeights) -> dict[int, float]:
    """Score the lines that are left open by their numbers: above 0 more likely pasted than not."""
    first = first_scores(looked_at, weights)
    around = surroundings(first, looked_at)
    return {
        place: sum(value * weight for value, weight in zip(row, weights.around, strict=True))
        for place, row in zip(looked_at.places, around, strict=True)
        if row is not None
    }


def first_scores(looked_at: MessageView, weights: LineWeights) -> list[float]:
    """Add up the weights of each line's features; one that a rule is certain of needs no judgement."""
    none = repeat(0.0)
    base = weights.base + sum(map(weights.lines["message"].get, looked_at.message, none))
    parts = [weights.lines[part].get for part in LineFeatures._fields]
    scores = []
    for line in looked_at.lines:
        score = _FAR if line is None else base
        for get, names in zip(parts, line or (), strict=False):
            score += sum(map(get, names, none))
        scores.append(score)
    return scores


def surroundings(first: Sequence[float], looked_at: MessageView) -> list[list[float] | None]:
    """Describe each open line by what the first step said of it, its neighbours, its block and the whole message."""
    near = [max(-_FAR, min(_FAR, score)) for score in first]
    count, total, blocks = len(near), sum(near), looked_at.blocks
    sums: dict[int, tuple[float, int]] = {}
    for score, block in zip(near, blocks, strict=True):
        before, size = sums.get(block, (0.0, 0))
        sums[block] = (before + score, size + 1)
    found: list[list[float] | None] = []
    for place, (score, line) in enumerate(zip(near, looked_at.lines, strict=True)):
        if line is None:
            found.append(None)
            continue
        said, size = sums[blocks[place]]
        above = near[place - 1] if place else 0.0
        below = near[place + 1] if place + 1 < count else 0.0
        found.append(
            [
                1.0,
                score,
                above,
                below,
                near[place - 2] if place > 1 else above,
                near[place + 2] if place + 2 < count else below,
                (said - score) / (size - 1) if size > 1 else 0.0,
                (total - score) / (count - 1) if count > 1 else 0.0,
                min(above, below) if 0 < place < count - 1 else 0.0,
                1.0 if size == 1 else 0.0,
                1.0 if count == 1 else 0.0,
            ]
        )
    return found


_LOOKED_AT = 240  # characters of a line
_WORDS = 24
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]{1,3})?")
_DIGIT = re.compile(r"\d+")

_DIGITS, _SYMBOLS = frozenset("0123456789"), frozenset("*`:/\\.@=()_\t-<?!,[#")
_MARKS: tuple[tuple[str, tuple[str, ...], str], ...] = (
    ("bold", ("*",), r"\*\*\S"),
    ("backtick", ("`",), "`"),
    ("url", (":/",), r"https?://"),
    ("path", ("/", "\\"), r"/(?:(?<![\w:/]/)[\w.-]+/|(?<=\w/)\w+\.\w)|\\(?<=\w\\)\w"),
    ("file", (".",), r"\.(?<=\w\.)(?:py|ts|tsx|js|jsx|md|json|go|rs|java|yml|yaml|html|css|sh|sql|toml|txt)\b"),
    ("mention", ("@",), r"@(?<!\S@)\S"),
    ("colon-pair", (":",), r"\A\W{0,8}\w[\w ./-]{0,40}: \S"),
    ("assignment", ("=",), r"=(?:(?<=\w=)|(?<=\w[ :+-]=)|(?<=\w [:+-]=)) ?[\w\"'\[{(]"),
    ("call", ("()",), r"\((?<=\w\()[^)]{0,80}\)"),
    ("camel", ("A",), r"[A-Z](?<=[a-z][A-Z])[a-z]"),
    ("snake", ("_",), r"_(?<=[a-z0-9]_)[a-z0-9]"),
    ("constant", ("_A",), r"[A-Z][A-Z0-9]*_[A-Z0-9_]+\b"),
    ("shout", ("A",), r"[A-Z]{3,} [A-Z]{2,}\b"),
    ("tab", ("\t",), r"\t"),
    ("time", (":0",), r":(?<=\d:)\d\d\b"),
    ("date", ("-0",), r"-(?<=\d{4}-)\d\d-\d\d\b"),
    ("decimal", (".0",), r"\.(?<=\d\.)\d"),
    ("hex", ("0",), r"\b(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{7,}\b|\b0x[0-9a-fA-F]"),
    ("place", (".:0",), r"\.\w{1,5}:\d+"),
    ("html", ("<",), r"</?[a-zA-Z][\w-]*[ />]"),
    ("emoji", ("é",), "[\u2600-\u27bf\U0001f300-\U0001faff]"),
    ("box", ("é",), "[\u2500-\u259f]"),
    ("typographic", ("é",), "[“”‘’—–…•→≥≤]"),
    ("script", ("é",), "[\u0400-\u04ff\u0590-\u06ff\u0900-\u0dff\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7a3]"),
    ("question", ("?",), r"\?(?:\s|$)"),
    ("exclamation", ("!",), r"!(?:\s|$)"),
    ("dots", (".",), r"\.\.(?:\s|$)|\.\.\."),
    ("parentheses", ("()",), r"\((?<= \()\w[^()]{2,80}\)"),
    ("label", (":",), r"\A\W{0,8}\w[^:]{0,60}:\Z"),
    ("comment", ("/", "#"), r"(?:^|\s)(?://|/\*|#)\s"),
    ("redacted", ("[A",), r"\[REDACTED"),
    ("sentence-joint", (".A",), r"\.(?<=[a-z]{2}\.) [A-Z][a-z]"),
    ("loose-joint", (".z", ",z"), r"[.,](?<=[a-z]{2}[.,]) ?[a-z]{2}"),
)
"""What a line may hold, and the characters of which it has one group if it does: `A` is for a capital letter, `0` for a
digit, `é` for anything outside ASCII, `z` for a small letter at the end. Each pattern begins with what is rare."""
_COMPILED = tuple(
    (name, tuple(map(frozenset, needs)), re.compile(mark).match if mark.startswith(r"\A") else re.compile(mark).search)
    for name, needs, mark in _MARKS
)
_VOICES = (
    ("I", word_set("I I'm I'd I've I'll my me")),
    ("i", word_set("i im ive ill i'm i'd i've i'll")),
    ("you", word_set("you You your Your you're You're")),
    ("we", word_set("we We us our Our we're We're")),
    ("unpointed", word_set("dont cant wont isnt doesnt didnt im ive thats whats theres u ur gonna wanna btw ok")),
    ("asks", word_set("please Please pls plz can could would lets let's want need")),
    ("assistant", word_set("I'll Let I've you'll You Here's Would Now Let's apologize")),
)
"""Whose voice a word is in."""
_STARTS = (
    ("bullet-bold", re.compile(r"(?:[-*•]|\d{1,2}[.)])\s+\*\*")),
    ("bullet-emoji", re.compile("(?:[-*•]\\s+)?[\u2600-\u27bf\U0001f300-\U0001faff]")),
    ("bullet", re.compile(r"[-*•+]\s+\S")),
    ("number", re.compile(r"\d{1,2}[.)]\s*\S")),
    ("heading", re.compile(r"#{1,6} \S")),
    ("rule", re.compile(r"[-=_*~#]{3,}\s*$")),
    ("bold", re.compile(r"\*\*\S")),
    ("mention", re.compile(r"@\S")),
    ("digit", re.compile(r"\d")),
    ("letter", re.compile(r"[^\W\d_]")),
)
_TITLE = re.compile(r"[A-Z][a-z]+ [A-Z][a-z]")
_COMMON = frozenset({
    "a", "about", "also", "all", "an", "and", "any", "are", "as", "at", "be", "been", "but", "by", "can", "could",
    "did", "do", "does", "done", "for", "from", "get", "had", "has", "have", "he", "here", "how", "i", "if", "in",
    "into", "is", "it", "its", "just", "like", "make", "me", "more", "my", "need", "no", "not", "now", "of", "on",
    "or", "our", "out", "please", "see", "she", "should", "so", "some", "than", "that", "the", "them", "then",
    "there", "these", "they", "this", "those", "to", "up", "us", "use", "want", "was", "we", "what", "when", "where",
    "which", "who", "why", "will", "with", "without", "would", "yes", "you", "your",
})  # fmt: skip
"""Words of sentences, which code and logs have few of."""


class Seen(NamedTuple):
    """The sights of one line by itself."""

    shape: tuple[str, ...]  # how it looks; its neighbours look at this, too
    words: tuple[str, ...]


def seen(line: str) -> Seen:
    """Look at a line.

    >>> seen("ok, then fix it").shape[:3]
    ('start=lower', 'end=letter', 'indent=0')
    """
    text = line.strip()[:_LOOKED_AT]
    lowered = text.lower()
    spoken = _WORD.findall(text)
    words = [word.lower() for word in spoken] if lowered != text else spoken
    symbols = set(text)
    marks = symbols & _SYMBOLS
    if not symbols.isdisjoint(_DIGITS):
        marks.add("0")
    if lowered != text:
        marks.add("A")
    if not text.isascii():
        marks.add("é")
    if "a" <= text[-1] <= "z":
        marks.add("z")
    size, letters = len(text), len("".join(words))
    digits = len("".join(_DIGIT.findall(text))) / size if "0" in marks else 0.0
    others = (size - letters - text.count(" ")) / size - digits
    common = len([word for word in words if word in _COMMON]) / max(len(words), 1)
    last, width = text[-1], len(line) - len(line.lstrip(" "))
    shape = [
        _start(text),
        "end=letter" if last.isalpha() else "end=digit" if last.isdigit() else f"end={last}",
        "indent=tab" if line[:1] == "\t" else f"indent={min(width, 4) if width < 8 else 8}",
        f"length={bisect_left(_LENGTHS, len(line))}",
        f"words={bisect_left(_COUNTS, len(words))}",
        f"symbols={bisect_left(_SHARES, others)}",
        f"digits={bisect_left(_SHARES, digits)}",
        f"common={bisect_left(_COMMON_SHARES, common)}",
    ]
    said = set(spoken)
    shape += [name for name, voice in _VOICES if not voice.isdisjoint(said)]
    shape += [name for name, search in _searches(frozenset(marks)) if search(text)]
    if "  " in text:
        shape.append("gap")
    if len(words) > 3 and marks.isdisjoint("0A"):
        shape.append("all-lower")
    return Seen(tuple(shape), (*dict.fromkeys(words[:_WORDS]), f"^{words[0]}") if words else ())


@lru_cache(maxsize=4096)
def _searches(symbols: frozenset[str]) -> list[tuple[str, Callable[[str], object]]]:
    return [(name, search) for name, needs, search in _COMPILED if any(need <= symbols for need in needs)]


_LENGTHS, _COUNTS = (4, 12, 25, 45, 80, 140, 250, 500), (0, 1, 2, 4, 7, 12, 20, 30)
_SHARES, _COMMON_SHARES = (0, 0.03, 0.07, 0.12, 0.2, 0.35), (0, 0.1, 0.2, 0.35, 0.5)


def _start(text: str) -> str:
    first = text[:1]
    if "a" <= first <= "z":
        return "start=lower"
    if "A" <= first <= "Z":
        return "start=title" if _TITLE.match(text) else "start=upper"
    return "start=" + next((name for name, pattern in _STARTS if pattern.match(text)), first)


def _of_neighbour(line: Seen, place: int, lines: Mapping[int, Seen | None], at: int | None) -> Sequence[str]:
    if at is None:
        return ("none",)
    other = lines[at]
    found = [*other.shape] if other else ["certain"]
    if abs(at - place) > 1:
        found.append("blank")
    if other and line.shape[:3] == other.shape[:3]:
        found.append("alike" if line.shape[3:] == other.shape[3:] else "similar")
    return found


_ABOUT = (
    "bold", "backtick", "url", "emoji", "typographic", "I", "i", "you", "we", "asks", "unpointed", "assistant",
    "start=heading", "start=bullet", "start=bullet-bold", "start=number", "start=lower", "end=.", "camel", "html",
    "call", "all-lower", "script",
)  # fmt: skip


def _about_message(lines: Mapping[int, Seen | None]) -> list[str]:
    shapes = [line.shape for line in lines.values() if line]
    counts = Counter(chain.from_iterable(shapes))
    shares = {"certain": 1 - len(shapes) / max(len(lines), 1)}
    shares |= {name: counts[name] / max(len(shapes), 1) for name in _ABOUT}
    lengths = bisect_left((1, 2, 4, 8, 15, 30, 60, 120), len(lines))
    return [f"lines={lengths}", *(f"{name}={bisect_left((0, 0.1, 0.3, 0.6), share)}" for name, share in shares.items())]
