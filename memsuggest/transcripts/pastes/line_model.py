"""The fitted line model: how likely each line of a message was pasted, by the features of lines."""

from __future__ import annotations

import json
import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import chain, pairwise
from pathlib import Path
from typing import NamedTuple

from memsuggest.core.text.words import word_set
from memsuggest.transcripts.pastes.paste_evidence import PasteEvidence

WEIGHTS_FILE = Path(__file__).with_name("line_weights.json")
_FAR = 4.0
"""Beyond this a first judgement says no more."""


class LineWeights(NamedTuple):
    """The fitted weights."""

    lines: Mapping[str, float]
    """Of the names of features, for the first step."""
    around: Sequence[float]
    """Of what the first step said of a line and around it."""


@cache
def fitted() -> LineWeights:
    """Load the weights, once."""
    told = json.loads(WEIGHTS_FILE.read_text(encoding="utf-8"))
    return LineWeights(told["lines"], told["around"])


def first_scores(named: Sequence[Sequence[str]], weights: Mapping[str, float]) -> list[float]:
    """Add up the weights of each line's features."""
    base = weights.get("", 0.0)
    return [base + sum(filter(None, map(weights.get, names))) for names in named]


def surroundings(first: Sequence[float], blocks: Sequence[int]) -> list[list[float]]:
    """Describe each line by what the first step said of it, its neighbours, its block and the whole message.

    `first` and `blocks` have the lines that are not blank only.
    """
    near = [max(-_FAR, min(_FAR, score)) for score in first]
    count = len(near)
    total = sum(near)
    sums: dict[int, tuple[float, int]] = {}
    for score, block in zip(near, blocks, strict=True):
        before, size = sums.get(block, (0.0, 0))
        sums[block] = (before + score, size + 1)
    found = []
    for place, score in enumerate(near):
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


def second_scores(around: Sequence[Sequence[float]], weights: Sequence[float]) -> list[float]:
    return [sum(value * weight for value, weight in zip(row, weights, strict=True)) for row in around]


_JUDGED = 150  # lines at each end of a message; nobody writes in the middle of what is longer, and it has to be fast


class MessageView(NamedTuple):
    """The lines that the model looks at, none of them blank."""

    places: Sequence[int]
    """Their numbers in the message, from 0."""
    named: Sequence[Sequence[str]]
    """The features of each."""
    blocks: Sequence[int]
    """Which lines stand together, without a blank one between them."""


def view(found: PasteEvidence) -> MessageView:
    """Look at a message: at all of a short one, at both ends of a long one."""
    filled = [place for place, line in enumerate(found.lines) if line.text.strip()]
    chosen: Sequence[int] = range(len(found.lines))
    if len(filled) > 2 * _JUDGED:
        chosen = [*range(filled[_JUDGED]), *range(filled[-_JUDGED], len(found.lines))]
    texts = [found.lines[place].text for place in chosen]
    lines = [seen(text) if text.strip() else None for text in texts]
    named = features(lines, [found.hints[place] for place in chosen])
    blocks = blocks_of(lines)
    kept = [order for order, line in enumerate(lines) if line is not None]
    return MessageView(
        [chosen[order] for order in kept], [named[order] for order in kept], [blocks[order][0] for order in kept]
    )


def judged(looked_at: MessageView, weights: LineWeights) -> dict[int, float]:
    """Score the lines of a message by their numbers: above 0 more likely pasted than not."""
    first = first_scores(looked_at.named, weights.lines)
    second = second_scores(surroundings(first, looked_at.blocks), weights.around)
    return dict(zip(looked_at.places, second, strict=True))


_LOOKED_AT = 240  # characters of a line
_WORDS = 24
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]{1,3})?|\d+")

_MARKS: Mapping[str, re.Pattern[str] | frozenset[str]] = {
    "bold": re.compile(r"\*\*\S"),
    "backtick": re.compile(r"`"),
    "url": re.compile(r"https?://"),
    "path": re.compile(r"(?<![\w:/])~?/[\w.-]+/|\w/\w+\.\w|\w\\\w"),
    "file": re.compile(r"\w\.(?:py|ts|tsx|js|jsx|md|json|go|rs|java|yml|yaml|html|css|sh|sql|toml|txt)\b"),
    "mention": re.compile(r"(?<!\S)@\S"),
    "colon-pair": re.compile(r"^\W{0,8}\w[\w ./-]{0,40}: \S"),
    "assignment": re.compile(r"\w ?[:+-]?= ?[\w\"'\[{(]"),
    "call": re.compile(r"\w\([^)]{0,80}\)"),
    "camel": re.compile(r"[a-z][A-Z][a-z]"),
    "snake": re.compile(r"[a-z0-9]_[a-z0-9]"),
    "constant": re.compile(r"\b[A-Z][A-Z0-9]*_[A-Z0-9_]+\b"),
    "shout": re.compile(r"\b[A-Z]{3,} [A-Z]{2,}\b"),
    "gap": re.compile(r"\S {2,}\S"),
    "tab": re.compile(r"\t"),
    "time": re.compile(r"\b\d\d?:\d\d(?::\d\d)?\b"),
    "date": re.compile(r"\b\d{4}-\d\d-\d\d\b"),
    "decimal": re.compile(r"\d\.\d"),
    "hex": re.compile(r"\b(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{7,}\b|\b0x[0-9a-fA-F]"),
    "place": re.compile(r"\.\w{1,5}:\d+"),
    "html": re.compile(r"</?[a-zA-Z][\w-]*[ />]"),
    "emoji": re.compile("[\u2600-\u27bf\U0001f300-\U0001faff]"),
    "box": re.compile("[\u2500-\u259f]"),
    "typographic": re.compile("[“”‘’—–…•→≥≤]"),
    "question": re.compile(r"\?(?:\s|$)"),
    "exclamation": re.compile(r"!(?:\s|$)"),
    "dots": re.compile(r"\.\.(?:\s|$)|\.\.\."),
    "parentheses": re.compile(r" \(\w[^()]{2,80}\)"),
    "label": re.compile(r"^\W{0,8}\w[^:]{0,60}:$"),
    "comment": re.compile(r"(?:^|\s)(?://|/\*|#)\s"),
    "redacted": re.compile(r"\[REDACTED"),
    # whose voice; of words, what follows an apostrophe is another one
    "I": word_set("I my me"),
    "i": word_set("i im ive ill"),
    "you": word_set("you You your Your"),
    "we": word_set("we We us our Our"),
    "asks": re.compile(
        r"\b(?:please|pls|plz|can you|could you|would you|lets?|let's|i want|i need|make sure)\b", re.IGNORECASE
    ),
    "unpointed": word_set("dont cant wont isnt doesnt didnt im ive thats whats theres u ur gonna wanna btw ok"),
    "assistant": re.compile(
        r"\b(?:I'll|Let me|I've \w+ed|you'll|You can|I can see|Here's|Would you like|Now I|Let's|I apologi[sz]e)\b"
    ),
    "sentence-joint": re.compile(r"[a-z]{2}\. [A-Z][a-z]"),
    "loose-joint": re.compile(r"[a-z]{2}[.,] ?[a-z]{2,}.*[a-z]$"),
}
_RUN = re.compile(r"\w+")
_NEEDED: Mapping[str, tuple[str, ...]] = {
    "bold": ("**",), "backtick": ("`",), "url": ("http",), "path": ("/", "\\"), "file": (".",),
    "mention": ("@",), "colon-pair": (": ",), "assignment": ("=",), "call": ("(",), "snake": ("_",),
    "constant": ("_",), "gap": ("  ",), "tab": ("\t",), "time": (":",), "date": ("-",), "decimal": (".",),
    "place": (":",), "html": ("<",), "parentheses": (" (",), "label": (":",), "comment": ("/", "#"),
    "redacted": ("[REDACTED",), "question": ("?",), "exclamation": ("!",), "dots": ("..",),
    "sentence-joint": (". ",), "loose-joint": (".", ","),
}  # fmt: skip
"""What a line must hold for a mark to be looked for: a search for two letters costs a tenth of a pattern's."""
_ASKING = ("pl", "you", "let", "i want", "i need", "make sure")
"""One of these has every line, in small letters, that `asks`."""
_GROUPS = dict.fromkeys(("emoji", "box", "typographic"), "foreign") | {
    **dict.fromkeys(("camel", "constant", "shout", "sentence-joint"), "capital"),
    **dict.fromkeys(("time", "date", "decimal", "place", "hex"), "digit"),
    "asks": "asking",
}
"""What else it must hold."""
_LOOKED_FOR = tuple(
    (
        name,
        _NEEDED.get(name, ()),
        _GROUPS.get(name, ""),
        *((mark, None) if isinstance(mark, frozenset) else (None, mark.search)),
    )
    for name, mark in _MARKS.items()
)
_STARTS = (
    ("bullet-bold", re.compile(r"(?:[-*•]|\d{1,2}[.)])\s+\*\*")),
    ("bullet-emoji", re.compile("(?:[-*•]\\s+)?[\u2600-\u27bf\U0001f300-\U0001faff]")),
    ("bullet", re.compile(r"[-*•+]\s+\S")),
    ("number", re.compile(r"\d{1,2}[.)]\s*\S")),
    ("heading", re.compile(r"#{1,6} \S")),
    ("rule", re.compile(r"[-=_*~#]{3,}\s*$")),
    ("bold", re.compile(r"\*\*\S")),
    ("mention", re.compile(r"@\S")),
    ("lower", re.compile(r"[a-z]")),
    ("title", re.compile(r"[A-Z][a-z]+ [A-Z][a-z]")),
    ("upper", re.compile(r"[A-Z]")),
    ("digit", re.compile(r"\d")),
    ("letter", re.compile(r"[^\W\d_]")),
)
_SCRIPT = re.compile("[\u0400-\u04ff\u0590-\u06ff\u0900-\u0dff\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7a3]")
_COMMON = frozenset({
    "a", "about", "also", "all", "an", "and", "any", "are", "as", "at", "be", "been", "but", "by", "can", "could",
    "did", "do", "does", "done", "for", "from", "get", "had", "has", "have", "he", "here", "how", "i", "if", "in",
    "into", "is", "it", "its", "just", "like", "make", "me", "more", "my", "need", "no", "not", "now", "of", "on",
    "or", "our", "out", "please", "see", "she", "should", "so", "some", "than", "that", "the", "them", "then",
    "there", "these", "they", "this", "those", "to", "up", "us", "use", "want", "was", "we", "what", "when", "where",
    "which", "who", "why", "will", "with", "without", "would", "yes", "you", "your",
})  # fmt: skip
"""Words of sentences, which code and logs have few of."""
_DIGIT, _LETTERS, _SYMBOL = re.compile(r"\d+"), re.compile(r"[^\W\d_]+"), re.compile(r"[^\w\s]")


class Seen(NamedTuple):
    """The sights of one line by itself."""

    shape: tuple[str, ...]
    """How it looks; its neighbours look at this, too."""
    words: tuple[str, ...]
    skeleton: str
    """The line with words and numbers made alike: lines of one log share it."""


def seen(line: str) -> Seen:
    """Look at a line.

    >>> seen("ok, then fix it").shape[:3]
    ('start=lower', 'end=letter', 'indent=0')
    """
    text = line.strip()[:_LOOKED_AT]
    words = [word.casefold() for word in _WORD.findall(text)]
    shape = [_start(text), _end(line.rstrip()), f"indent={_indent(line)}", f"length={_step(len(line), _LENGTHS)}"]
    shape += _marks(text)
    shape += _proportions(text, words)
    skeleton = _LETTERS.sub("a", _DIGIT.sub("0", text[:80]))
    return Seen(tuple(shape), _vocabulary(words), skeleton)


def _marks(text: str) -> Iterator[str]:
    """Yield the names of the marks in a line."""
    runs, absent = set(_RUN.findall(text)), _absent_from(text)
    for name, needed, group, words, search in _LOOKED_FOR:
        if group in absent:
            continue
        if words is not None:
            if not words.isdisjoint(runs):
                yield name
            continue
        if needed and needed[0] not in text and (len(needed) == 1 or needed[1] not in text):
            continue
        if search is not None and search(text):
            yield name


def _absent_from(text: str) -> set[str]:
    """Return the groups of marks that a line cannot have."""
    lowered = text.lower()
    absent = {"foreign"} if text.isascii() else set()
    if lowered == text:
        absent.add("capital")
    if not _DIGIT.search(text):
        absent.add("digit")
    for word in _ASKING:
        if word in lowered:
            return absent
    absent.add("asking")
    return absent


_LENGTHS = (4, 12, 25, 45, 80, 140, 250, 500)


def _step(value: float, steps: Sequence[float]) -> int:
    return bisect_left(steps, value)


def _start(text: str) -> str:
    for name, pattern in _STARTS:
        if pattern.match(text):
            return f"start={name}"
    return f"start={text[:1]}"


def _end(text: str) -> str:
    last = text[-1:]
    return "end=letter" if last.isalpha() else "end=digit" if last.isdigit() else f"end={last}"


def _indent(line: str) -> str:
    if line[:1] == "\t":
        return "tab"
    width = len(line) - len(line.lstrip(" "))
    return str(min(width, 4)) if width < 8 else "8"


def _proportions(text: str, words: Sequence[str]) -> list[str]:
    size = max(len(text), 1)
    symbols = len(_SYMBOL.findall(text)) / size
    digits = sum(map(len, _DIGIT.findall(text))) / size
    common = sum(word in _COMMON for word in words)
    found = [
        f"words={_step(len(words), (0, 1, 2, 4, 7, 12, 20, 30))}",
        f"symbols={_step(symbols, (0, 0.03, 0.07, 0.12, 0.2, 0.35))}",
        f"digits={_step(digits, (0, 0.03, 0.1, 0.2))}",
        f"common={_step(common / max(len(words), 1), (0, 0.1, 0.2, 0.35, 0.5))}",
    ]
    if len(words) > 3 and text == text.lower() and not digits:
        found.append("all-lower")
    if _SCRIPT.search(text):
        found.append("script")
    return found


def _vocabulary(words: Sequence[str]) -> tuple[str, ...]:
    said = [word for word in words[:_WORDS] if not word.isdigit()]
    pairs = [f"{one} {two}" for one, two in pairwise(said)]
    first = [f"^{said[0]}"] if said else []
    return tuple(dict.fromkeys([*said, *pairs, *first]))


def features(lines: Sequence[Seen | None], hints: Sequence[frozenset[str]]) -> list[list[str]]:
    """Name what is seen of each line of a message, None being a blank one, with its neighbours and its place.

    `hints` are what the rules say of each line; blank lines get nothing.
    """
    filled = [place for place, line in enumerate(lines) if line is not None]
    about = _about_message([line for line in lines if line is not None], hints, filled)
    found: list[list[str]] = [[] for _ in lines]
    blocks = blocks_of(lines)
    for order, place in enumerate(filled):
        line = lines[place]
        assert line is not None
        names = [*line.shape, *(f"w:{word}" for word in line.words), *(f"hint:{hint}" for hint in hints[place])]
        names += about
        names += _of_place(order, len(filled), blocks[place])
        names += _of_neighbour("above", lines, hints, filled, order)
        names += _of_neighbour("below", lines, hints, filled, order)
        found[place] = names
    return found


def blocks_of(lines: Sequence[Seen | None]) -> list[tuple[int, int, int]]:
    """Give each line its block of lines without a blank one: its number, the lines above it in it, its size."""
    found: list[tuple[int, int, int]] = []
    number, begin = 0, 0
    for place in range(len(lines) + 1):
        if place < len(lines) and lines[place] is not None:
            continue
        size = place - begin
        found += [(number, above, size) for above in range(size)]
        number += size > 0
        if place < len(lines):
            found.append((number, 0, 0))
        begin = place + 1
    return found


def _of_place(order: int, count: int, block: tuple[int, int, int]) -> list[str]:
    number, above, size = block
    return [
        f"from-start={min(order, 4)}",
        f"from-end={min(count - 1 - order, 3)}",
        f"block={min(number, 3)}",
        f"block-size={_step(size, (1, 2, 3, 6, 12, 30))}",
        f"in-block={'only' if size == 1 else 'first' if not above else 'last' if above == size - 1 else 'inner'}",
    ]


class _Prefixed(dict[str, str]):
    """Names with what stands before them, each put together once; there are a few hundred."""

    def __init__(self, prefix: str) -> None:
        super().__init__()
        self._prefix = prefix

    def __missing__(self, name: str) -> str:
        self[name] = f"{self._prefix}:{name}"
        return self[name]


_SIDED = {side: _Prefixed(side) for side in ("above", "below")}


def _of_neighbour(
    side: str,
    lines: Sequence[Seen | None],
    hints: Sequence[frozenset[str]],
    filled: Sequence[int],
    order: int,
) -> list[str]:
    at = order + (1 if side == "below" else -1)
    if not 0 <= at < len(filled):
        return [f"{side}:none"]
    here, there = filled[order], filled[at]
    line, other = lines[here], lines[there]
    assert line is not None
    assert other is not None
    found = list(map(_SIDED[side].__getitem__, other.shape))
    found += [f"{side}:hint:{hint}" for hint in hints[there]]
    if abs(there - here) > 1:
        found.append(f"{side}:blank")
    if line.skeleton == other.skeleton:
        found.append(f"{side}:alike")
    elif line.shape[0] == other.shape[0] and line.shape[2] == other.shape[2]:
        found.append(f"{side}:similar")
    return found


_TOLD = (
    "bold", "backtick", "url", "emoji", "typographic", "I", "i", "you", "we", "asks", "unpointed", "assistant",
    "start=heading", "start=bullet", "start=bullet-bold", "start=number", "start=lower", "end=.", "camel", "html",
    "call", "all-lower", "script",
)  # fmt: skip


def _about_message(lines: Sequence[Seen], hints: Sequence[frozenset[str]], filled: Sequence[int]) -> list[str]:
    count = max(len(lines), 1)
    found = [f"lines={_step(count, (1, 2, 4, 8, 15, 30, 60, 120))}"]
    shapes = Counter(chain.from_iterable(line.shape for line in lines))
    for name in _TOLD:
        share = shapes[name] / count
        found.append(f"all:{name}={_step(share, (0, 0.1, 0.3, 0.6))}")
    machine = sum("machine" in hints[place] for place in filled) / count
    found.append(f"all:machine={_step(machine, (0, 0.1, 0.3, 0.6))}")
    return found
