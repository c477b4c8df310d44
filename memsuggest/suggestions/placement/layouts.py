"""Files cut up once, however many rules are held against them. Pure, but for remembering."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from memsuggest.customizations.blocks.sections import layout

if TYPE_CHECKING:
    from memsuggest.customizations.blocks.sections import Layout

_REMEMBERED = 512  # files; a workspace has fewer


@lru_cache(maxsize=_REMEMBERED)
def layout_of(text: str) -> Layout:
    """Return a file cut up for editing."""
    return layout(text)
