"""Danger: a section of `dangers.txt`, and the short notation that its patterns are written in.

    "{off} ... {scanner}"   a word of the vocabulary, a gap of up to some 50 characters, another word
    "{commit} .. {secret}"  a gap of at most four words

Everything else is a regular expression. It meets a folded sentence: lower case, no accents, no quotes or backticks.
A gap is bounded and not nested, so that the time stays linear in the length of a sentence.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files

from memsuggest.core.text.words import plain

_GAP = r"\W(?:.{0,50}?\W)?"
_SHORT_GAP = r"\W+(?:[\w'/-]{1,20} ){0,4}?"
_QUOTING = str.maketrans("", "", '`"\u00ab\u00bb\u201e')
_NAME = r"\{([a-z_]+)\}"


@dataclass(frozen=True, kw_only=True, eq=False)
class Danger:
    """A way to weaken safety, and how it is said."""

    name: str
    why: str
    cues: tuple[str, ...]
    """Parts of words of which one must be there before the patterns are tried."""
    also: tuple[str, ...]
    """Parts of words of which one must be there, too, where a cue is an everyday word."""
    orders: tuple[str, ...]
    """Patterns of all languages: the words of a language tell by themselves which one a sentence is in."""
    refusals: tuple[str, ...]
    """Patterns of what says no to what protects."""


@cache
def dangers() -> tuple[Danger, ...]:
    return tuple(_danger(title, rows) for title, rows in _sections("dangers"))


def _danger(title: str, rows: list[tuple[str, str]]) -> Danger:
    name, _, why = title.partition("] ")
    found: dict[str, list[str]] = {"cues": [], "also": [], "orders": [], "refusals": []}
    for key, text in rows:
        match key:
            case "cues" | "also":
                found[key] += text.replace("~", " ").split(" | ")
            case "off":
                found["orders"] += switched_off(text)
            case "needless":
                found["refusals"] += not_needed(text)
            case _:
                found["refusals" if key.startswith("not ") else "orders"].append(text)
    return Danger(name=name, why=why, **{field: tuple(texts) for field, texts in found.items()})


def read_sections(table_name: str) -> list[tuple[str, list[str]]]:
    """Read a table: the title of each section, and its rows."""
    table = files(__package__).joinpath(f"{table_name}.txt").read_text(encoding="utf-8")
    joined = re.sub(r"\n +", " ", re.sub(r"^#.*\n", "", table, flags=re.MULTILINE))
    sections = (section.strip().split("\n") for section in re.split(r"^\[", joined, flags=re.MULTILINE)[1:])
    return [(title, rows) for title, *rows in sections]


def _sections(table_name: str) -> list[tuple[str, list[tuple[str, str]]]]:
    parted = ((title, [row.partition(": ") for row in rows]) for title, rows in read_sections(table_name))
    return [(title, [(key, text) for key, _, text in rows]) for title, rows in parted]


def switched_off(protection: str) -> tuple[str, ...]:
    return (
        f"{{off}} .. {protection}",
        f"{{switch}} .. {protection} ... {{away}}",
        f"{{switch}} {{away}} .. {protection}",
        f"{protection} .. {{is_off}}",
    )


def not_needed(protection: str) -> tuple[str, ...]:
    return (
        rf"no {protection} (?:is |are |was )?(?:needed|required|necessary)",
        rf"{protection} (?:is|are)(?: not|n't) (?:really )?(?:needed|required|necessary|mandatory)",
        rf"{protection} (?:is|are) (?:optional|overkill|pointless|unnecessary)",
        (
            rf"(?<!that )(?<!which )(?:don't|do not|doesn't|does not|never) (?:need|require|bother\w*|wait)"
            rf" .. {protection}"
        ),
        rf"no need (?:for|to run|to wait for|to use|to have|of) .. {protection}",
        rf"make .. {protection} .. (?:non-blocking|optional)",
        (
            rf"{protection} .. (?:ist|sind) (?:\w+ ){{0,3}}?(?:nicht (?:noe?tig|erforderlich|notwendig)|unnoe?tig"
            rf"|ue?berflue?ssig|optional)"
        ),
        rf"brauch\w* .. kein\w* .. {protection}",
        rf"pas besoin d\S* ?(?:\w+ )?{protection}",
        rf"pas la peine d\W?(?:\w+ ){{0,3}}?{protection}",
        rf"{protection} (?:\w+ )?(?:est|sont) (?:facultati|optionnel|inutile|superflu)\w*",
        rf"{protection} (?:\w+ )?(?:es|son) (?:opcional|innecesari|superflu)\w*",
        rf"no (?:hace falta|es necesari\w+|se necesita) .. {protection}",
    )


def folded(text: str) -> str:
    """Bring a text into the form that the patterns are written for.

    >>> folded("Désactive `CodeQL`")
    'desactive codeql'
    """
    said = plain(text)
    if not said.isascii():
        said = "".join(
            letter for letter in unicodedata.normalize("NFKD", said) if not unicodedata.combining(letter)
        ).lower()
    return said.translate(_QUOTING).replace("**", "")


def found_in(patterns: tuple[str, ...], said: str) -> Iterator[re.Match[str]]:
    """Yield where patterns match.

    To compile those that name words takes longer than a chat: that is left until a sentence has all words of one.
    """
    if patterns not in _needed:
        unnamed, named = _parted(patterns)
        has_words = any(all(_has_word(name, said) for name in names) for names in named)
        if not (has_words or (unnamed and compiled(unnamed).search(said))):
            return
        _needed.add(patterns)
    yield from compiled(patterns).finditer(said)


_needed: set[tuple[str, ...]] = set()


@cache
def _parted(patterns: tuple[str, ...]) -> tuple[tuple[str, ...], frozenset[tuple[str, ...]]]:
    """Return the patterns that name no words, and the words that each of the others names."""
    named = {pattern: tuple(re.findall(_NAME, pattern)) for pattern in patterns}
    return tuple(pattern for pattern in patterns if not named[pattern]), frozenset(filter(None, named.values()))


@lru_cache(maxsize=1024)
def _has_word(name: str, said: str) -> bool:
    return _word(name).search(said) is not None


@cache
def _word(name: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{_vocabulary()[name]})")


@cache
def compiled(patterns: tuple[str, ...]) -> re.Pattern[str]:
    """Compile patterns of the notation into one expression, when it is first needed."""
    words = [_expanded(pattern) for pattern in patterns if _begins_word(pattern)]
    marks = [_expanded(pattern) for pattern in patterns if not _begins_word(pattern)]
    # Where a word begins is asked once for all of them, which is several times faster than once for each.
    return re.compile("|".join(([rf"(?<!\w)(?:{'|'.join(words)})"] if words else []) + marks))


def _begins_word(pattern: str) -> bool:
    return pattern[0].isalnum() or pattern[0] in "{("


def _expanded(pattern: str) -> str:
    closing = r"(?!\w)" if pattern[-1].isalnum() or pattern[-1] in "})" else ""
    spaced = pattern.replace(" ... ", _GAP).replace(" .. ", _SHORT_GAP)
    return re.sub(_NAME, lambda found: f"(?:{_vocabulary()[found.group(1)]})", spaced) + closing


@cache
def _vocabulary() -> dict[str, str]:
    words: dict[str, str] = {}
    for title, rows in _sections("danger_words"):  # a row may hold words of a section above it
        joined = " | ".join(text for _, text in rows).replace(" | ", "|").replace(" .. ", _SHORT_GAP)
        words[title.partition("]")[0]] = re.sub(_NAME, lambda found: f"(?:{words[found.group(1)]})", joined)
    return words
