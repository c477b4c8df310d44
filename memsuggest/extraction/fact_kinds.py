"""Kinds: what sort of thing a sentence teaches. Mistakes and corrections go first."""

from __future__ import annotations

from memsuggest.extraction.cues import cues_in
from memsuggest.model import Kind

_CUES: tuple[tuple[Kind, frozenset[str]], ...] = (
    (Kind.CORRECTION, frozenset(("you-did", "wrong"))),
    (Kind.TERMINOLOGY, frozenset(("means",))),
    (Kind.PREFERENCE, frozenset(("prefer",))),
    (Kind.PROCEDURE, frozenset(("each-time", "sequence"))),
    (
        Kind.CONVENTION,
        frozenset(
            (
                "rule-word",
                "must",
                "should",
                "must-not",
                "do-not",
                "always",
                "never",
                "use",
                "only",
                "from-now-on",
                "we-do",
            )
        ),
    ),
)
"""Cues of a kind, the kinds in the order in which they are asked."""


def kind_of(plain_text: str) -> Kind:
    """Name the kind of a plain sentence; a plain fact where it has no cue of another."""
    found = cues_in(plain_text)
    return next((kind for kind, cues in _CUES if found & cues), Kind.FACT)


def changes_what_holds(plain_text: str) -> bool:
    """Tell whether a sentence changes what held before: "from now on p_ instead of q_"."""
    return {"from-now-on", "rather"} <= cues_in(plain_text)
