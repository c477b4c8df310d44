"""The reply of whoever was asked, before anybody has read it."""

from __future__ import annotations

from dataclasses import dataclass

from memsuggest.core.errors import ModelError
from memsuggest.judging.asking.prices import Usage


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """A reply, whole, of whatever shape."""

    text: str
    stop_reason: str | None
    usage: Usage | None
    """None where the service did not say."""


class BegunError(ModelError):
    """A reply that failed after it had begun: what was announced by then may be billed."""

    def __init__(self, error: ModelError, *, announced: Usage | None) -> None:
        super().__init__(error.message, outcome=error.outcome, hint=error.hint)
        self.announced = announced
        """None where the service did not say."""
