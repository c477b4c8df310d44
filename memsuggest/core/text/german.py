"""German rules word by word in English, so that a file in the other language can be asked whether it says them.

Its words of software stand in `german.txt`; a gloss is compared with, never shown, and never written anywhere.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from pathlib import Path

from memsuggest.core.text.stems import stem

_TURNS = (
    (r"(?:nur|erst)\s+nach\s+(?:rückfrage|absprache|freigabe)", "ask before"),
    (r"ohne\s+(?:zu\s+fragen|nachzufragen|rückfrage|absprache|freigabe)", "without asking"),
    (r"(?:laufen|ausführen)\s+lassen", "run"),
    (r"(?:dürfen|darf|sollen|soll|sollten)\s+(?:nie|niemals)", "never"),
    (r"(?:dürfen|darf|sollen|soll|sollten)\s+nicht", "never"),
    (r"(?:dürfen|darf|sollen|soll|sollten)\s+keine?[nrms]?", "never"),
    (r"(?:nicht|nie)\s+(?:von\s+hand|manuell)", "not manually"),
    (r"von\s+hand", "manually"),
    (r"statt(?:dessen)?|anstatt|anstelle\s+von", "instead of"),
    (r"(?:wo|wann)\s+immer\s+möglich|(?:wenn|falls|wo)\s+möglich|nach\s+möglichkeit", "where possible"),
    (r"mindestens", "at least"),
    (r"höchstens|maximal", "at most"),
    (r"pull[- ]requests?", "pull request"),
)
_TURN_MARKS = (
    *("nach", "ohne", "lassen", "nie", "nicht", "kein", "hand", "statt", "anstelle", "möglich"),
    *("mindestens", "höchstens", "maximal", "pull"),
)
"""One of these is in every text that has such a turn."""
_LEAST_END, _LEAST_BEGINNING = 4, 3  # letters of the last and of the first word of a compound
_GERMAN = (
    r"\b(?:der|das|und|nicht|nie|niemals|keine?[nrm]?|immer|für|mit|auf|im|vor|nach|bei|nur|statt|jede[nrsm]?|alle|von"
    r"|zum|zur|ein|eine[nrm]?|wird|werden|sind|ist|muss|müssen|darf|dürfen|soll|sollen|bitte|ohne|verwende[nt]?|benutze"
    r"|nutze|schreibe?n?|braucht|brauchen|dem|neue[nrs]?|oder|bevor|nachdem|wenn|statt|alles|aus|auch|noch|dann"
    r"|\w*[äöüß]\w*|\w+ungen?|\w+ieren)\b"
)
_KEPT = r"`[^`\n]*`|[\w-]+(?:[./_]+\w[\w-]*)+|[^\W\d_]+(?:-[^\W\d_]+)*|\S"
"""Patterns here are compiled when they are first needed: a prompt waits for what it does not need."""
_LEAST = 0.2  # share of a text's words that must be plain German


_SAME_WORDS = (
    (r"(\w{2,}t)ur(?:en)?$", "ure"),
    (r"(\w{3,})ität(?:en)?$", "ity"),
    (r"(\w{3,})isch(?:e[nmrs]?)?$", "ic"),
)
"""Words that are the same in English but for their ending."""


@cache
def _glossary() -> dict[str, str]:
    found: dict[str, str] = {}
    table = Path(__file__).with_name("german.txt").read_text(encoding="utf-8")
    for row in table.strip().split("\n"):
        english, _, german = row.partition(": ")
        for word in german.split():
            found.setdefault(word, english)
    return found


@cache
def _by_stem() -> dict[str, str]:
    found: dict[str, str] = {}
    for german, english in _glossary().items():
        found.setdefault(stem(german, "de"), english)
    return found


def is_german(text: str) -> bool:
    """Tell whether a rule is said in German, as far as its small words tell."""
    return len(re.findall(_GERMAN, text, re.IGNORECASE)) >= max(1.0, _LEAST * len(text.split()))


def in_english(text: str) -> str:
    """Return a German rule word by word in English; words that the table lacks, names and code stay as they are.

    >>> in_english("Fehlermeldungen immer auf Englisch schreiben")
    'error message always on English write'
    """
    folded = text.casefold()
    if any(mark in folded for mark in _TURN_MARKS):  # few texts have one, and a prompt waits for the patterns
        for form, english in _TURNS:
            text = re.sub(rf"(?i)\b(?:{form})\b", english, text)
    return " ".join(_word(word) for word in re.findall(_KEPT, text))


@lru_cache(maxsize=1 << 16)
def _word(word: str) -> str:
    if word.startswith("`") or not word.replace("-", "").isalpha():
        return word
    if "-" in word:
        return " ".join(map(_word, word.split("-")))
    lowered = word.lower()
    known = _glossary()
    if gloss := known.get(lowered) or (_by_stem().get(stem(lowered, "de")) if len(word) > 3 else None):
        return gloss
    # A compound whose last word the table knows, the longest such; best where it knows both.
    ends = [at for at in range(_LEAST_BEGINNING, len(lowered) - _LEAST_END + 1) if lowered[at:] in known]
    for at in ends:
        first = lowered[:at]
        if start := next((known[form] for form in (first, first[:-1], f"{first}e") if form in known), None):
            return f"{start} {known[lowered[at:]]}"
    if ends and ends[0] > _LEAST_BEGINNING:
        return f"{lowered[: ends[0]]} {known[lowered[ends[0] :]]}"
    for form, ending in _SAME_WORDS:
        if found := re.match(form, lowered):
            return str(found[1]).replace("k", "c") + ending
    return word
