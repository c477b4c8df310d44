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


PROTECTION = "PROTECTION"
SWITCHED_OFF = (
    f"{{off}} .. {PROTECTION}",
    f"{{switch}} .. {PROTECTION} ... {{away}}",
    f"{{switch}} {{away}} .. {PROTECTION}",
    f"{PROTECTION} .. {{is_off}}",
)
"""How a protection, whose own pattern stands in the place of its name, is switched off."""
NOT_NEEDED = (
    rf"no {PROTECTION} (?:is |are |was )?(?:needed|required|necessary)",
    rf"{PROTECTION} (?:is|are)(?: not|n't) (?:really )?(?:needed|required|necessary|mandatory)",
    rf"{PROTECTION} (?:is|are) (?:optional|overkill|pointless|unnecessary)",
    rf"(?<!that )(?<!which )(?:don't|do not|doesn't|does not|never) (?:need|require|bother\w*|wait) .. {PROTECTION}",
    rf"no need (?:for|to run|to wait for|to use|to have|of) .. {PROTECTION}",
    rf"make .. {PROTECTION} .. (?:non-blocking|optional)",
    (
        rf"{PROTECTION} .. (?:ist|sind) (?:\w+ ){{0,3}}?(?:nicht (?:noe?tig|erforderlich|notwendig)|unnoe?tig"
        r"|ue?berflue?ssig|optional)"
    ),
    rf"brauch\w* .. kein\w* .. {PROTECTION}",
    rf"pas besoin d\S* ?(?:\w+ )?{PROTECTION}",
    rf"pas la peine d\W?(?:\w+ ){{0,3}}?{PROTECTION}",
    rf"{PROTECTION} (?:\w+ )?(?:est|sont) (?:facultati|optionnel|inutile|superflu)\w*",
    rf"{PROTECTION} (?:\w+ )?(?:es|son) (?:opcional|innecesari|superflu)\w*",
    rf"no (?:hace falta|es necesari\w+|se necesita) .. {PROTECTION}",
)
"""How a protection is called needless."""


@cache
def dangers() -> tuple[Danger, ...]:
    read: list[Danger] = []
    for title, rows in read_sections("dangers"):
        name, _, why = title.partition("] ")
        found: dict[str, list[str]] = {"cues": [], "also": [], "orders": [], "refusals": []}
        for row in rows:
            key, _, text = row.partition(": ")
            match key:
                case "cues" | "also":
                    found[key] += text.replace("~", " ").split(" | ")
                case "off":
                    found["orders"] += [pattern.replace(PROTECTION, text) for pattern in SWITCHED_OFF]
                case "needless":
                    found["refusals"] += [pattern.replace(PROTECTION, text) for pattern in NOT_NEEDED]
                case _:
                    found["refusals" if key.startswith("not ") else "orders"].append(text)
        read.append(Danger(name=name, why=why, **{field: tuple(texts) for field, texts in found.items()}))
    return tuple(read)


def read_sections(table_name: str) -> list[tuple[str, list[str]]]:
    """Read a table: the title of each section, and its rows."""
    table = files(__package__).joinpath(f"{table_name}.txt").read_text(encoding="utf-8")
    joined = re.sub(r"\n +", " ", re.sub(r"^#.*\n", "", table, flags=re.MULTILINE))
    sections = (section.strip().split("\n") for section in re.split(r"^\[", joined, flags=re.MULTILINE)[1:])
    return [(title, rows) for title, *rows in sections]


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
    words: list[str] = []
    marks: list[str] = []
    for pattern in patterns:
        spaced = pattern.replace(" ... ", _GAP).replace(" .. ", _SHORT_GAP)
        expanded = re.sub(_NAME, lambda found: f"(?:{_vocabulary()[found.group(1)]})", spaced)
        closing = r"(?!\w)" if pattern[-1].isalnum() or pattern[-1] in "})" else ""
        (words if pattern[0].isalnum() or pattern[0] in "{(" else marks).append(expanded + closing)
    # Where a word begins is asked once for all of them, which is several times faster than once for each.
    return re.compile("|".join(([rf"(?<!\w)(?:{'|'.join(words)})"] if words else []) + marks))


@cache
def _vocabulary() -> dict[str, str]:
    words: dict[str, str] = {}
    for title, rows in read_sections("danger_words"):  # a row may hold words of a section above it
        texts = (row.partition(": ")[2] for row in rows)
        joined = " | ".join(texts).replace(" | ", "|").replace(" .. ", _SHORT_GAP)
        words[title.partition("]")[0]] = re.sub(_NAME, lambda found: f"(?:{words[found.group(1)]})", joined)
    return words
