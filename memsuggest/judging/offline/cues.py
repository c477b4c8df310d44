"""A sentence as our own rules see it: its cues, its form, its scope and kind, and the walk over a session's sentences.

Which cues matter, and how much, is no business of the table: training writes that to `weights.json`.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property, partial

from memsuggest.core.model import QUOTE_LIMIT, Citation, Kind, Role, Scope, Transcript, Trust, Turn
from memsuggest.core.text import words as phrase_tables
from memsuggest.core.text.sentences import Sentence, sentences_of
from memsuggest.core.text.small_words import VERBS
from memsuggest.core.text.words import plain, sections_of, word_set

# Evidence: citations with verbatim quotes, their trust, and the files mentioned nearby

_NEIGHBOURS = 1  # turns before and after whose files count as nearby
_MOST_PATHS = 12
_PATH = re.compile(
    r"(?<![\w/@:.-])@?((?:[\w.-]{1,80}/){1,12}[\w.*-]{1,80}|[\w-]{1,80}\.(?:py|pyi|js|jsx|ts|tsx|mjs|cjs|vue"
    r"|svelte|go|rs|java|kt|kts|swift|rb|php"
    r"|c|h|cc|cpp|hpp|cs|fs|ex|exs|erl|hs|ml|scala|clj|lua|pl|r|jl|dart|sh|bash|ps1|sql|graphql|proto|tf|html"
    r"|css|scss|less|md|mdx|mdc|rst|tex"
    r"|txt|json|jsonc|yaml|yml|toml|ini|cfg|xml|csv|ipynb|lock|env))(?![\w/])"
)
_FOLDERS = word_set(
    "src lib libs app apps test tests spec specs docs doc packages package pkg cmd internal scripts script tools tool"
    " bin config configs components pages public static assets core utils modules module services examples fixtures"
    " migrations templates deploy infra dist vendor include"
)
"""First words of a path without an ending or a mark."""
_EVIDENCE_WORD = r"[^\s/\\\"`<>|?]++"
_PART = rf"{_EVIDENCE_WORD}(?: {_EVIDENCE_WORD}){{0,2}}+"
_NAME = re.compile(rf"[/\\]{{0,2}}{_PART}(?:[/\\]{_PART})*+[/\\]?")
"""Parts of a path, each of at most three words."""


def cite(transcript: Transcript, turn: Turn, quote: str, *, trust: Trust | None = None) -> Citation:
    """Make the citation of a quote: no longer than a quote may be, with the files of its surroundings."""
    weakest = transcript.trust if transcript.trust is not Trust.TYPED else (trust or Trust.TYPED)
    return Citation(
        session_id=transcript.session_id,
        turn=turn.number,
        quote=quote[:QUOTE_LIMIT].strip(),
        paths=_nearby(transcript.turns, turn, quote),
        in_use=_in_use(transcript.turns, turn),
        trust=weakest,
        at=turn.at,
        format=transcript.format,
    )


def paths_in(text: str) -> list[str]:
    """List the paths and file names that a text mentions."""
    # A full stop behind a path ends the sentence.
    found = ((one[1].rstrip("."), text[max(0, one.start(1) - 2) : one.start(1)]) for one in _PATH.finditer(text))
    return [path for path, ahead in found if "//" not in path and ".." not in path and _is_path(path, ahead)]


def _is_path(path: str, ahead: str) -> bool:
    first, _, rest = path.partition("/")
    if not rest or "/" in rest or re.search(r"[._\d*-]", path) or ahead.endswith(("`", "/", "@")):
        return True
    return first.lower() in _FOLDERS


def _in_use(turns: Sequence[Turn], turn: Turn) -> tuple[str, ...]:
    place = bisect_left(turns, turn.number, key=lambda one: one.number)
    found = (name for one in (turn, *turns[max(0, place - 1) : place]) for name in one.signals.customizations)
    return tuple(dict.fromkeys(name for name in found if is_name(name)))[:_MOST_PATHS]


def _nearby(turns: Sequence[Turn], turn: Turn, quote: str) -> tuple[str, ...]:
    """Files in the sentence itself first, then of this turn, then of its neighbours."""
    place = bisect_left(turns, turn.number, key=lambda one: one.number)  # some turns are left out
    around = turns[max(0, place - _NEIGHBOURS) : place + _NEIGHBOURS + 1]
    ranked: Iterable[str] = (*paths_in(quote), *turn.paths, *(path for other in around for path in other.paths))
    return tuple(dict.fromkeys(path for path in ranked if is_name(path)))[:_MOST_PATHS]


def is_name(path: str) -> bool:
    """Tell whether a path only names a file: a name that reads like a sentence is somebody's words, not evidence."""
    return _NAME.fullmatch(path) is not None


form = partial(phrase_tables.form, __package__)
"""Compiles a regular expression of a table of this room."""
_SIGNS = re.compile(r"[\u3041-\u30ff\u4e00-\u9fff\uac00-\ud7af]")
"""Scripts that part no words by spaces, so that a phrase may stand in the middle of a run of letters."""


def cues_in(plain: str) -> frozenset[str]:
    """Return the names of the cues in a plain text.

    >>> sorted(cues_in("pnpm from now on"))
    ['from-now-on', 'tool']
    """
    return frozenset(name for name, pattern in phrases_of("cues").items() if pattern.search(plain))


def has_cue(name: str, plain: str) -> bool:
    """Tell whether a plain text has one of a cue's phrases."""
    return phrases_of("cues")[name].search(plain) is not None


@cache
def phrases_of(table_name: str) -> dict[str, re.Pattern[str]]:
    """Compile a table of phrases when it is first needed: most commands need none of it."""
    return {
        name: _compiled(text.replace("\n", " ").split(";"))
        for name, text in sections_of(__package__, table_name).items()
    }


@cache
def words_of(table_name: str) -> dict[str, frozenset[str]]:
    return {name: frozenset(words.split()) for name, words in sections_of(__package__, table_name).items()}


def _compiled(phrases: list[str]) -> re.Pattern[str]:
    """Compile one pattern of phrases: whole words, or any place in a script without spaces."""
    texts = [phrase.strip() for phrase in phrases if phrase.strip()]
    spaced = [text for text in texts if not _SIGNS.search(text)]
    dense = [text for text in texts if _SIGNS.search(text)]
    return re.compile("|".join([rf"(?<![\w'])(?<!\w\.)(?:{'|'.join(spaced)})(?![\w'(])", *dense]))


# Forms: whether a sentence begins as an order does, and in how many ways it says that something is to be so


_WORD = re.compile(r"[^\W\d_][\w'-]*")


def is_order(plain_text: str) -> bool:
    """Tell whether a plain text begins as an order does.

    >>> is_order("from now on use tabs, never spaces"), is_order("the tests use tabs")
    (True, False)
    """
    at = 0
    while opening := form("forms", "before-verb").match(plain_text, at):
        if _is_verb_at(plain_text, at):
            return True
        at = opening.end()
    return _is_verb_at(plain_text, at)


def _is_verb_at(plain_text: str, at: int) -> bool:
    word = _WORD.match(plain_text, at)
    return word is not None and word.group() in VERBS


_NORMS = (
    frozenset(("always", "never", "each-time", "in-general")),
    frozenset(("must", "must-not", "should")),
    frozenset(("do-not", "no-kind")),
    frozenset(("rather", "only")),
    frozenset(("we-do",)),
)
"""Cues by which a sentence says that something is to be so, wherever it stands."""
_OF_ALL = re.compile(r"(?:every|each|all|any|no|jede[rs]?|alle|cada|tod[oa]s|chaque|tou(?:te)?s)\ \S", re.VERBOSE)
_OF_ONE = re.compile(r"(?:please )?\w+ (?:(?:in|out|up|down|off|to|at) )?(?:this|that|these|those|the|it|your|our)\b")
"""An order about one thing: "fill in the template"."""


def has_norm(text: str) -> bool:
    """Tell whether a sentence says that something is to be so, and not only orders it."""
    cues = cues_in(plain(text))
    return any(cues & group for group in _NORMS)


def plainness(text: str, *, is_decided: bool = False) -> int:
    """Count the ways in which a sentence says that something is to be so; 0 for no rule.

    >>> plainness("Foreign keys end in `_id`."), plainness("Foreign keys end in `_id`.", is_decided=True)
    (1, 0)
    """
    said = plain(text)
    cues = cues_in(said)
    norms = sum(bool(cues & group) for group in _NORMS)
    if is_order(said) and not (_OF_ONE.match(said) and not norms):
        norms += 1
    is_telling = _OF_ALL.match(said) or form("forms", "of-many").match(said)
    if is_telling and (norms or not is_decided or _OF_ALL.match(said)):
        norms += 1
    return norms


# Scope and kind: whether a rule holds for this workspace or for this person everywhere, and what it teaches


def scope_of(text: str) -> Scope:
    """Route a statement: `user` for personal style that nothing ties to the repo, else `workspace`."""
    said = plain(text)
    if form("scope", "everywhere").search(said):
        return Scope.USER
    if form("scope", "ours").search(said) or has_cue("tool", said) or paths_in(text):
        return Scope.WORKSPACE
    if form("scope", "manner").search(said) or (
        form("scope", "myself").search(said) and not form("scope", "code").search(said)
    ):
        return Scope.USER
    return Scope.WORKSPACE


_CUES: tuple[tuple[Kind, frozenset[str]], ...] = (
    (Kind.CORRECTION, frozenset(("you-did", "wrong"))),
    (Kind.TERMINOLOGY, frozenset(("means",))),
    (Kind.PREFERENCE, frozenset(("prefer",))),
    (Kind.PROCEDURE, frozenset(("each-time", "sequence"))),
    (Kind.CONVENTION, word_set("rule-word must should must-not do-not always never use only from-now-on we-do")),
)
"""Cues of a kind, the kinds in the order in which they are asked."""


def kind_of(plain_text: str) -> Kind:
    """Name the kind of a plain sentence; a plain fact where it has no cue of another."""
    found = cues_in(plain_text)
    return next((kind for kind, cues in _CUES if found & cues), Kind.FACT)


def changes_what_holds(plain_text: str) -> bool:
    return {"from-now-on", "rather"} <= cues_in(plain_text)


def says_again(plain_text: str) -> bool:
    """Tell whether a sentence says that it was said before.

    >>> says_again("again: no mocks"), says_again("run it again")
    (True, False)
    """
    return form("scope", "again").search(plain_text) is not None


# Statements: each sentence of the person in a session, with what surrounds it


LONGEST = 600
"""Characters of a statement that are judged."""
_QUOTED_WORDS = re.compile(r"[\"\u201c](?:[^\s\"\u201c\u201d]+\s){2,60}[^\s\"\u201c\u201d]+[\"\u201d]")
"""Three words and more in quotation marks: what a text says, not what the person says."""
_CODE = re.compile(r"`[^`\n]{0,400}?\s[^`\n]{0,400}`")
"""A command line in a code span."""
_PART_TO_PLAY = re.compile(r"\s*(?:#.*\n\s*)?You are an? ", re.IGNORECASE)
_BRIEF = 300  # characters; a longer prompt that gives the assistant a part to play was prepared, or is somebody else's


@dataclass(frozen=True, kw_only=True)
class Statement:
    """A sentence that the person typed, with what surrounds it."""

    sentence: Sentence
    turn: Turn = field(default_factory=lambda: Turn(number=1, role=Role.USER))
    heard: str = ""
    """The last thing that the assistant had said."""
    is_doubtful: bool = False
    """Whether it may have been pasted."""

    @property
    def text(self) -> str:
        """Verbatim, as typed."""
        return self.sentence.text

    @cached_property
    def plain(self) -> str:
        """Its words in lower case, without what stands in quotation marks or a command line."""
        text = _CODE.sub("`\u2026`", self.sentence.text[:LONGEST])
        return plain(_QUOTED_WORDS.sub('"\u2026"', text))

    @cached_property
    def core(self) -> str:
        """The plain words without those that merely open a sentence; all of them where nothing else is there."""
        opening = form("statements", "opening").match(self.plain)
        return (self.plain[opening.end() :] if opening else "") or self.plain

    @property
    def is_question(self) -> bool:
        return self.text.rstrip(" \t)\"'*_\u201d").endswith(("?", "\uff1f"))


def statements_of(transcript: Transcript) -> Iterator[Statement]:
    """Yield the statements of a session in their order."""
    heard = ""
    for turn in transcript.turns:
        if turn.role is not Role.USER:
            heard = turn.text or heard
        elif turn.typed.strip():
            is_part = len(turn.typed) > _BRIEF and _PART_TO_PLAY.match(turn.typed) is not None
            for sentence in sentences_of(turn.typed, turn.quoted):
                is_doubtful = is_part or any(
                    start < sentence.end and sentence.start < end for start, end in turn.doubtful
                )
                yield Statement(sentence=sentence, turn=turn, heard=heard, is_doubtful=is_doubtful)
            heard = ""
