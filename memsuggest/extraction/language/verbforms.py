"""Verb forms: from "edited" and "editing" back to "edit", and from "ask" to "asks". English only.

A guess by spelling, checked against the list of known verbs where a spelling has two readings.
"""

from __future__ import annotations

from memsuggest.text.verbs import VERBS

_IRREGULAR = {
    "saw": "see",
    "found": "find",
    "said": "say",
    "knew": "know",
    "got": "get",
    "told": "tell",
    "heard": "hear",
    "wanted": "want",
    "put": "put",
    "wrote": "write",
    "written": "write",
    "made": "make",
    "ran": "run",
    "built": "build",
    "used": "use",
    "took": "take",
    "left": "leave",
    "set": "set",
    "went": "go",
    "gave": "give",
    "did": "do",
    "forgot": "forget",
    "broke": "break",
    "lost": "lose",
    "chose": "choose",
    "sent": "send",
    "hid": "hide",
    "began": "begin",
    "thought": "think",
    "added": "add",
    "tying": "tie",
    "had": "have",
    "were": "be",
    "was": "be",
    "could": "be able to",
    "came": "come",
    "done": "do",
    "been": "be",
    "taken": "take",
    "given": "give",
    "chosen": "choose",
    "broken": "break",
    "gone": "go",
    "seen": "see",
    "shown": "show",
    "known": "know",
    "kept": "keep",
    "run": "run",
    "read": "read",
}
_DROPS_E = ("iz", "yz", "v", "c", "dg", "rg", "at", "ibut", "itut", "ur", "uir", "agin", "ulg", "is", "cod")
"""How a verb ends that loses its e before an ending, where no list has it."""


def base_of(form: str) -> str:
    """The base of a past or `-ing` form, or "" where it is none.

    >>> base_of("committing"), base_of("removed"), base_of("skipped"), base_of("wrote")
    ('commit', 'remove', 'skip', 'write')
    """
    form = form.lower()
    if form in _IRREGULAR:
        return _IRREGULAR[form]
    for ending in ("ing", "ied", "ed"):
        if form.endswith(ending) and len(form) > len(ending) + 1:
            stem = form[: -len(ending)]
            choices = (f"{stem}y",) if ending == "ied" else (stem, f"{stem}e", _undoubled(stem))
            return next((choice for choice in choices if choice in VERBS), _guessed(stem, ending))
    return ""


def _guessed(stem: str, ending: str) -> str:
    """The base by its spelling: "forgett" is forget, "apologiz" apologize."""
    if ending == "ied":
        return f"{stem}y"
    if stem.endswith(_DROPS_E):
        return f"{stem}e"
    return stem if stem.endswith(("ll", "ss", "zz", "ff")) else _undoubled(stem)


def _undoubled(stem: str) -> str:
    return stem[:-1] if len(stem) > 2 and stem[-1] == stem[-2] else stem


def third_person(verb: str) -> str:
    """The form that goes with "the user": "ask" gives "asks"."""
    irregular = {"have": "has", "do": "does", "go": "goes", "am": "is", "don't": "does not", "say": "says"}
    if verb in irregular:
        return irregular[verb]
    if _IRREGULAR.get(verb, verb) != verb:  # told in the past, it has one form for all
        return verb
    if verb.endswith(("s", "x", "z", "ch", "sh")):
        return f"{verb}es"
    if verb.endswith("y") and verb[-2:-1] not in "aeiou":
        return f"{verb[:-1]}ies"
    return f"{verb}s"
