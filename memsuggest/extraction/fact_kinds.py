"""Kinds: what sort of thing a statement teaches. Mistakes and corrections go first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memsuggest.model import Kind

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

_SIGNS: tuple[tuple[Kind, tuple[str, ...]], ...] = (
    (Kind.CORRECTION, ("cue:you-did", "cue:wrong", "near:before-you-did", "near:before-wrong", "near:stopped")),
    (Kind.TERMINOLOGY, ("cue:means",)),
    (Kind.PREFERENCE, ("is:dislike", "cue:prefer")),
    (Kind.PROCEDURE, ("cue:each-time", "cue:sequence")),
    (
        Kind.CONVENTION,
        (
            "is:said-to-last",
            "is:prohibition",
            "is:keeps-in-step",
            "is:norm-for-a-kind",
            "is:order",
            "cue:rule-word",
            "cue:must",
            "cue:should",
            "cue:must-not",
            "cue:do-not",
            "cue:always",
            "cue:never",
            "cue:use",
        ),
    ),
)
"""Features that speak for a kind, the kinds in the order in which they are asked."""


def kind_of(features: AbstractSet[str]) -> Kind:
    """Name the kind that a statement's features speak for; a plain fact where none does."""
    return next((kind for kind, signs in _SIGNS if not features.isdisjoint(signs)), Kind.FACT)
