"""The rulebook: every rule of the offline engine, in the order in which `--explain` names them."""

from __future__ import annotations

from memsuggest.extraction.rules import choices, complaints, doubts, standing, surroundings, tellings, wishes

RULES = (
    *standing.RULES,
    *wishes.RULES,
    *choices.RULES,
    *complaints.RULES,
    *tellings.RULES,
    *surroundings.RULES,
    *doubts.RULES,
)
BY_NAME = {rule.name: rule for rule in RULES}
