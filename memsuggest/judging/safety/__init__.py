"""Safety: what may never become a fact by itself, however it was said.

Owns the refusal of invisible and breaking text, and the holding back of rules that would weaken safety: these are
named loudly and left to the person, even when the person typed them.
"""

from memsuggest.judging.safety.characters import disguised, is_invisible, one_line, refused
from memsuggest.judging.safety.dangers import (
    commands_a_machine,
    has_read_order,
    known_danger,
    plainly_harmless,
    weakens_safety,
)

__all__ = [
    "commands_a_machine",
    "disguised",
    "has_read_order",
    "is_invisible",
    "known_danger",
    "one_line",
    "plainly_harmless",
    "refused",
    "weakens_safety",
]
