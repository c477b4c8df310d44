"""What comes back from whoever was asked, before anybody has read it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memsuggest.haiku.prices import Usage


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What came back, whole, of whatever shape."""

    text: str
    stop_reason: str | None
    usage: Usage | None
    """None where the service did not say."""
