"""Kinds: what sort of thing a remark teaches (SYSTEM.md C.2). Mistakes and corrections go first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memsuggest.extraction.weights import WEIGHTS
from memsuggest.model import Kind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memsuggest.extraction.rule import Rule

_DECISIVE = (
    "means",
    "you-failed",
    "you-did-this-not-that",
    "why-did-you",
    "not-what-i-asked",
    "stop-doing",
    "whenever",
    "my-setup",
)
"""Rules that settle the kind wherever they fire, the first one first."""


def kind_of(fired: Sequence[Rule]) -> Kind:
    """Name the kind that the fired rules speak for; a plain fact where none does."""
    for name in _DECISIVE:
        for rule in fired:
            if rule.name == name and rule.kind:
                return rule.kind
    told = [rule for rule in fired if rule.kind]
    strongest = max(told, key=lambda rule: WEIGHTS[rule.name], default=None)
    return strongest.kind if strongest and strongest.kind else Kind.FACT
