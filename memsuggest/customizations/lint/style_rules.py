"""Rules about the form of code, of which a formatter or linter can see to it: "Use single quotes". Pure.

A rule is read only where it says that and nothing else: each of its words must be known here.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memsuggest.text.words import word_set

if TYPE_CHECKING:
    from collections.abc import Callable

_EMPTY = word_set(
    "a all always and are as at be by code each enabled enable end ends enforce enforced ensure every file files follow"
    " for has have in indentation is it keep literals make max maximum must no of on only our per please prefer project"
    " required should source statement statements strictly string strings sure that the to use used uses using we when"
    " with write mode level limit limited style declare declarations variable variables import imports not never avoid"
    " do don't dont type types than more exceed longer up under within most characters character chars char columns"
    " column width length line lines size rather over instead"
)
"""Words that may stand in such a rule without changing it; a matter's own words come on top."""
_LANGUAGES = {
    "javascript": "js",
    "js": "js",
    "jsx": "js",
    "react": "js",
    "typescript": "js",
    "ts": "js",
    "tsx": "js",
    "python": "python",
    "py": "python",
    "rust": "rust",
    "go": "go",
    "golang": "go",
}
_NUMBERS = {"two": "2", "three": "3", "four": "4", "eight": "8"}
_WORD = re.compile(r"[a-z']+|\d+|===?|!==?")
_MARKS = re.compile(r"[*_`\"“”]+")
_BY_TOOL = re.compile(
    r"\s*\(?\s*(?:(?:as )?(?:enforced|checked|formatted|handled) (?:by|with|via)|via) "
    r"(?:eslint|prettier|biome|ruff|black|editorconfig|isort|rustfmt)\)?\s*$"
)
_OTHER_CHOICE = re.compile(
    r",?\s*\(?(?:not|instead of|rather than|over|never)\s+(?:double|single|tabs?|spaces?)(?:\s+quotes)?\)?\s*$"
)
_LONGEST = 120
_NEGATIONS = word_set("no not never avoid don't dont without omit disallow")


@dataclass(frozen=True, slots=True)
class StyleRule:
    """A wish of a rule about style."""

    matter: str
    value: str
    language: str = ""
    """`js`, `python` …; empty where the rule names none."""


def read_style_rule(text: str) -> StyleRule | None:
    """Return what a rule about the form of code asks for; None where it is none, or says more than that.

    >>> read_style_rule("**Quotes**: always use single quotes in TypeScript.")
    StyleRule(matter='quotes', value='single', language='js')
    >>> read_style_rule("Use single quotes, except where it needs an escape")
    """
    plain = _MARKS.sub("", text.lower()).strip(" .;!")
    plain = _OTHER_CHOICE.sub("", _BY_TOOL.sub("", plain))
    if len(plain) > _LONGEST or "?" in plain:
        return None
    words = [_NUMBERS.get(word, word) for word in _WORD.findall(plain)]
    languages = {_LANGUAGES[word] for word in words if word in _LANGUAGES}
    if len(languages) > 1:
        return None
    rest = [word for word in words if word not in _LANGUAGES]
    for matter, (own, read) in _MATTERS.items():
        if own.intersection(rest) and all(word in _EMPTY or word in own or word.isdigit() for word in rest):
            value = read(words)
            if value:
                return StyleRule(matter, value, next(iter(languages), ""))
    return None


def _is_negated(words: list[str]) -> bool:
    return not _NEGATIONS.isdisjoint(words)


def _quotes(words: list[str]) -> str:
    named = {"single", "double"}.intersection(words)
    has_quotes = not {"quote", "quotes", "quoted"}.isdisjoint(words)
    return next(iter(named)) if has_quotes and len(named) == 1 and not _is_negated(words) else ""


def _yes_or_no(words: list[str]) -> str:
    return "no" if _is_negated(words) else "yes"


def _indent(words: list[str]) -> str:
    numbers = [word for word in words if word.isdigit()]
    kinds = {word.rstrip("s") for word in words if word in ("tab", "tabs", "space", "spaces")}
    if _is_negated(words) or len(kinds) != 1 or len(numbers) > 1:
        return ""
    if kinds == {"tab"}:
        return "" if numbers else "tabs"
    return f"{numbers[0]} spaces" if numbers else ""


def _number(words: list[str]) -> str:
    numbers = [word for word in words if word.isdigit()]
    is_about_length = not {"line", "lines", "column", "columns", "width"}.isdisjoint(words) and "files" not in words
    return numbers[0] if len(numbers) == 1 and is_about_length and int(numbers[0]) > 40 else ""


def _strict(words: list[str]) -> str:
    is_about_types = "typescript" in words or "ts" in words  # React has a strict mode of its own
    return "yes" if "strict" in words and is_about_types and not _is_negated(words) else ""


def _is_asked(*needed: str) -> Callable[[list[str]], str]:
    """Return a reader of rules that forbid something, or ask for it, in these words."""

    def read(words: list[str]) -> str:
        return "yes" if set(needed).issubset(words) else ""

    return read


def _forbidden(*needed: str) -> Callable[[list[str]], str]:
    def read(words: list[str]) -> str:
        return "yes" if set(needed).issubset(words) and _is_negated(words) else ""

    return read


_MATTERS: dict[str, tuple[frozenset[str], Callable[[list[str]], str]]] = {
    "quotes": (word_set("quote quotes quoted single double"), _quotes),
    "semicolons": (word_set("semicolon semicolons omit without"), _yes_or_no),
    "indent": (word_set("tab tabs space spaces indent indents indented indenting"), _indent),
    "trailing commas": (word_set("trailing comma commas without omit"), _yes_or_no),
    "line length": (word_set("lines line columns width"), _number),
    "strict types": (word_set("strict"), _strict),
    "no any": (word_set("any explicit"), _forbidden("any")),
    "unused imports": (word_set("unused"), _forbidden("unused", "imports")),
    "unused variables": (word_set("unused"), _forbidden("unused", "variables")),
    "sorted imports": (word_set("sort sorted alphabetically"), _is_asked("imports")),
    "no console": (word_set("console log console.log leave"), _forbidden("console", "log")),
    "no var": (word_set("var const let"), _forbidden("var")),
    "strict equality": (word_set("=== == equality !== !="), _is_asked("===")),
    "no print": (word_set("print"), _forbidden("print")),
    "final newline": (word_set("newline final"), _is_asked("newline")),
    "trailing whitespace": (word_set("trailing whitespace trim"), _is_asked("trailing", "whitespace")),
}
"""By matter: the words that are its own, and what reads its value from the words of a rule; empty for none."""
