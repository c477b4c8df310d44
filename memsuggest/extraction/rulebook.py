"""The rulebook: every rule of the offline engine, in the order in which `--explain` names them."""

from __future__ import annotations

from memsuggest.extraction.rules import (
    backgrounds,
    choices,
    complaints,
    doubts,
    product,
    scale,
    standing,
    surroundings,
    tellings,
    troubles,
    wishes,
)

RULES = (
    *standing.RULES,
    *scale.RULES,
    *wishes.RULES,
    *choices.RULES,
    *complaints.RULES,
    *tellings.RULES,
    *backgrounds.RULES,
    *surroundings.RULES,
    *doubts.RULES,
    *troubles.RULES,
    *product.RULES,
)
BY_NAME = {rule.name: rule for rule in RULES}
