"""The mark of our own questions, by which readers tell a session that we started from a person's. Pure."""

from __future__ import annotations

MARK = "[memsuggest:question]"
"""Stands first in everything that a program is asked; what follows it in a turn was not typed by anybody."""
VARIABLE = "MEMSUGGEST_ASKING"
"""Set for every program that we start, so that our own hook command in its hooks ends at once."""


def typed_before(text: str) -> str:
    """Return what stands before a question of ours in a text: all of it where there is none.

    >>> typed_before("use pnpm"), typed_before("[memsuggest:question] judge this")
    ('use pnpm', '')
    """
    return text.partition(MARK)[0] if MARK in text else text
