"""Labels by headings, tags and lead-ins: examples, or what *not* to do. Pure: tables of words."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from memsuggest.text.words import word_set

if TYPE_CHECKING:
    from collections.abc import Collection

_SHOWN = word_set(
    "example examples e.g beispiel beispiele exemple exemples ejemplo ejemplos exemplo exemplos esempio esempi 例"
)
_SHOWN_IN_TAGS = _SHOWN | word_set("template templates sample samples")
_NO_RULES = _SHOWN | word_set(
    "output format sample samples template templates see also references reference links link files file user assistant"
    " structure layout"
)
_WRONG = word_set(
    "don't donts don'ts never avoid avoided antipattern antipatterns anti-pattern anti-patterns bad wrong incorrect"
    " forbidden prohibited disallowed unacceptable mistakes vermeiden verboten niemals éviter interdit jamais evitar"
    " nunca prohibido proibido 禁止 不要"
)
_SMALL = word_set(
    "for full here's complete this minimal good instance things to what not do you should must the these following"
    " common patterns practices rules in code general ever"
    " we please critical important examples example it anti is are never always usually often of all no - – — & and"
)
_REMEMBERED = 4096  # names
_WRONG_SIGN = re.compile(r"\s*[*_]*[❌🚫⛔✗✘]")
_WORD_OR_SIGN = re.compile(r"[^\s:*_`,!?()❌🚫⛔✗✘]+(?<!\.)")


@lru_cache(maxsize=_REMEMBERED)
def is_about_examples(name: str) -> bool:
    """Tell whether what a heading or lead-in announces only shows how something looks."""
    return _is_bare(name, _SHOWN, _NO_RULES)


_ASKED = re.compile(r"[\W_]*(?:what|how|why|which|who|where|was|wie|warum|wo)\b", re.IGNORECASE)
_TELLING = word_set(
    "checks does includes contains covers returns provides supports means consists comprises produces generates handles"
    " inputs outputs options fields endpoints steps files commands arguments parameters flags prüft enthält"
)
"""Words that a lead-in ends with when it explains something: "The workflow checks:"."""


@lru_cache(maxsize=_REMEMBERED)
def is_explaining(name: str) -> bool:
    """Tell whether a heading or lead-in announces how something is, not what to do: "What it checks:".

    >>> is_explaining("What it checks:"), is_explaining("When writing tests:"), is_explaining("What not to do")
    (True, False, False)
    """
    words = _words(name)
    if not words or is_about_wrong(name) or "not" in words or "to" in words:
        return False
    return _ASKED.match(name) is not None or (words[-1] in _TELLING and name.rstrip("* ").endswith(":"))


_OF_USE = re.compile(
    r"""
    [\W_]*
    (?: when (?:ever)? \s (?:not \s)? (?:to|(?:you|we) \s should|should \s (?:you|i|we|this)) \s (?:not \s)?
        (?:use|activate|apply|trigger|invoke|load|call|run) \b
      | (?:do \s not \s | don't \s | not \s)? (?:use|activate|apply|trigger|invoke|load) \s
        (?:(?:this|the) \s (?:skill|agent|prompt|workflow) \s)? (?:when|for|if) \b
      | (?:trigger|activation) s? (?:\s (?:phrases|conditions|words|keywords|criteria|rules))? [\W_]* $
      | wann \s .{0,40} (?:verwenden|nutzen|einsetzen)
    )
    """,
    re.IGNORECASE | re.VERBOSE,
)
_SAYS_WHEN = re.compile(
    r"\b(?:use|activate|apply|trigger|invoke|load|call|run|skip)s?\b.{0,80}\b(?:when|whenever|if|for|before|after|skill|agent)\b"
    r"|\b(?:this|the|[\w-]+)\s(?:skill|agent|prompt)\b.{0,80}\b(?:is|when|whenever|if|for|before|after)\b",
    re.IGNORECASE,
)


@lru_cache(maxsize=_REMEMBERED)
def is_about_use(name: str) -> bool:
    """Tell whether a heading or lead-in announces when a skill or agent is used, not what it does then.

    >>> is_about_use("When to Use This Skill"), is_about_use("Use when:"), is_about_use("When writing tests")
    (True, True, False)
    """
    return _OF_USE.match(name) is not None


def says_when_used(rule: str) -> bool:
    """Tell whether a rule says when a skill or agent is used."""
    return _SAYS_WHEN.search(rule) is not None


def is_no_place(name: str) -> bool:
    """Tell whether what a lead-in announces is no place for a rule: examples, formats, references."""
    return _is_bare(name, _NO_RULES, _NO_RULES)


def is_example_tag(name: str) -> bool:
    """Tell whether a tag such as `<example-2>` holds what only shows how something looks."""
    return any(part.rstrip("0123456789") in _SHOWN_IN_TAGS for part in re.split(r"[-_.:]", name.casefold()))


@lru_cache(maxsize=_REMEMBERED)
def is_about_wrong(name: str) -> bool:
    """Tell whether what a heading or lead-in announces is what one should *not* do, and nothing but that."""
    plain = " ".join(_words(name))
    says_so = "do not" in plain or "not to" in plain or "not allowed" in plain
    is_sign = _WRONG_SIGN.match(name) is not None and plain.count(" ") <= 1
    return (
        is_sign or _is_bare(name, _WRONG, {"allowed"}) or (says_so and _is_bare(f"{name} never", _WRONG, {"allowed"}))
    )


def _is_bare(name: str, telling: Collection[str], others: Collection[str]) -> bool:
    """Tell whether a name holds a telling word, and besides only others and small ones."""
    words = set(_words(name))
    return not words.isdisjoint(telling) and words <= {*telling, *others, *_SMALL}


def _words(name: str) -> list[str]:
    return [word.casefold() for word in _WORD_OR_SIGN.findall(name.replace("’", "'"))]
