"""The fullness of a store, and how much consolidation cuts because of it. Pure."""

from __future__ import annotations

import json
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memsuggest.model import MemoryFact

_BYTES_PER_TOKEN = 4


class Tier(StrEnum):
    """A tier of fullness, and how much is cut at it."""

    GENEROUS = "generous"
    SELECTIVE = "selective"
    HEAVY_CUT = "heavy cut"


def size_of(facts: Sequence[MemoryFact]) -> int:
    """Return about how many tokens facts take: `ceil(json length / 4)`."""
    rows = [{"id": fact.id, "content": fact.content, "kind": fact.kind, "scope": fact.scope} for fact in facts]
    return -(-len(json.dumps(rows, ensure_ascii=False)) // _BYTES_PER_TOKEN)


def tier_of(facts: Sequence[MemoryFact], *, budget: int | None) -> Tier:
    """Return the tier of a store; of one whose capacity is not known, the generous one."""
    share = size_of(facts) / budget if budget else 0.0
    if share < 0.3:
        return Tier.GENEROUS
    return Tier.SELECTIVE if share <= 0.5 else Tier.HEAVY_CUT
