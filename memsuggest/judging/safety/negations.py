"""Negations: whether what a sentence says of a danger forbids it.

Meets folded sentences. A negation counts when it stands in the same clause before the danger, within it, or right
behind it ("… is forbidden", and the German "… nicht").
"""

from __future__ import annotations

from functools import partial

from memsuggest.judging.offline.cues import form

_form = partial(form, "negations")


_ITEM = 3
"""Words of an item of a list: "never accept, print or log a token"."""


def is_forbidden(before: str, said: str, after: str) -> bool:
    """Tell whether a sentence forbids the danger that it names, from what stands before it, in it and behind it."""
    if _form("forbidden-after").match(after):
        return True
    # The last word may be a setting's value, as in "StrictHostKeyChecking no".
    if _form("no").search(_form("no-negation").sub(" ", said.rpartition(" ")[0])):
        return True
    clause = _clause_before(before, said, after)
    without = _form("without").search(clause)
    negated = bool(_form("no").search(clause) or _form("averts").search(clause))
    return negated != bool(without)


def _clause_before(before: str, said: str, after: str) -> str:
    """Return the text before a danger in its own clause, and in those before it that it is listed with."""
    told = _form("no-negation").sub(" ", before)
    end, in_list = len(told), False
    ends = [found.span() for found in _form("clause-end").finditer(told)]
    for start, stop in reversed(ends):
        piece = told[stop:end]
        is_colon = told[start] == ":"
        is_listed = _form("joins-a-list").match(piece) and (
            piece.strip() or not said[:1].isalpha() or _form("has-or").search(told[start:] + said + after)
        )
        in_list = bool(is_listed) or (in_list and len(piece.split()) <= _ITEM)
        is_aside = _form("aside").search(told[:start])
        if not (in_list or is_aside or is_colon):
            return told[stop:]
        end = start
    return told
