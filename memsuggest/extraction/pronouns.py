"""Pronouns: what "it" and "them" stand for, where the sentence before leaves no doubt.

"When you write handlers, … Start them with `on_`" is about handlers. Where there is doubt, nothing is replaced.
"""

from __future__ import annotations

import re

from memsuggest.extraction.grammar import is_plural

_POINTS = re.compile(r"\b(?:it|its|them|they|their|these|those|this|that)\b(?!')", re.IGNORECASE)
_LEADS = re.compile(
    (
        r"^(?:it|they|these|those|this|that|he|she|here|there)(?:'s|'re)?\b(?! (?:repo|project|codebase|package"
        r"|library|app|service|team)\b)"
    ),
    re.IGNORECASE,
)
_OBJECT = re.compile(
    r"^(?P<order>(?:(?:please|always|never|do not|don't|also|only|just) ){0,3}[a-z]+(?: (?:up|off|out|back))?) "
    r"(?P<pronoun>them|it|these|those|this|that)(?=$|[,.;:!]| (?:with|in|to|as|on|by|from|at|all|into|for"
    r"|before|after|always"
    r"|only|first|instead|and|under|unless|when|if|up|out|again|too|short|small|simple|lowercase|uppercase"
    r"|everywhere|like"
    r"|using|through|without|per|inside|next|sorted|separate|consistent|clean)\b)",
    re.IGNORECASE,
)
_SUBJECT = re.compile(
    (
        r"^(?P<pronoun>they|these|those|it)(?= (?:should|must|need|needs|have|has|are|is|go|goes|live|lives|start|end"
        r"|always|never|can|cannot|can't)\b)"
    ),
    re.IGNORECASE,
)
_NOUNS = re.compile(
    r"(?:\b(?P<article>the|an?|your|our|my|all|any|every|each|new|of|for|name|naming|write|writing|create"
    r"|creating|define|defining|use|using|with|like|about|add|adding)\s+)"
    r"(?P<noun>(?:(?!the\b|an?\b|your\b|our\b|my\b|all\b|any\b|every\b|each\b|and\b|or\b|to\b|in\b|with\b"
    r"|for\b|of\b|that\b|you\b|is\b|are\b)[\w`./-]+\s){0,2}"
    r"[\w`./-]+)(?=[,.;:!?]|\s+(?:and|or|to|in|with|for|of|that|you|is|are|should|must|when|so|which|we|i|as|on)\b|$)",
    re.IGNORECASE,
)
_TIMES = frozenset(
    [
        "time",
        "times",
        "day",
        "days",
        "way",
        "ways",
        "thing",
        "things",
        "case",
        "cases",
        "moment",
        "question",
        "questions",
        "help",
        "everyone",
        "everything",
    ]
)


def points_elsewhere(text: str) -> bool:
    """Whether a rule starts with, or orders something about, a word that only an earlier sentence explains."""
    return bool(_LEADS.match(text) or _OBJECT.match(text))


def resolved(text: str, before: str) -> str:
    """Put what the sentence before named in place of the pronoun; "" where that is not plain.

    >>> resolved("start them with x_", "When you define functions, be consistent.")
    'start functions with x_'
    """
    found = _OBJECT.match(text) or _SUBJECT.match(text)
    if not found:
        return ""
    plural = found["pronoun"].lower() in ("them", "they", "these", "those")
    noun = _last_noun(before, plural=plural)
    if not noun:
        return ""
    start, end = found.span("pronoun")
    return text[:start] + noun + text[end:]


def _last_noun(before: str, *, plural: bool) -> str:
    """The last noun phrase of a sentence that has the number of the pronoun."""
    nouns = [
        (found["article"].lower(), found["noun"])
        for found in _NOUNS.finditer(before)
        if found["noun"].split()[-1].lower() not in _TIMES
    ]
    for article, noun in reversed(nouns):
        is_many = is_plural(noun.split()[-1].lower().strip("`"))
        if plural and is_many:
            return str(noun)
        if (
            not plural
            and not is_many
            and (article in ("the", "your", "our", "my", "an", "a", "each", "every") or "`" in noun)
        ):
            return f"{'the' if article in ('an', 'a', 'each', 'every', 'my', 'your', 'our') else article} {noun}"
    return ""
