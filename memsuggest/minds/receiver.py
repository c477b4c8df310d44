"""Who would be asked: the one value that consent, ledger, dry runs and reports speak of. Pure."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Receiver:
    """An engine that asks, with everything by which a person tells where their words go."""

    engine: str
    address: str
    """What consent is bound to: an endpoint, or a program with whatever sends it elsewhere."""
    model: str
    """As it is asked for; empty where a program chooses."""
    sees: str = ""
    """Who sees what is asked, besides this machine."""

    @property
    def billed_as(self) -> str:
        """The name in the ledger; the engine stands before a model that no price list is for."""
        return self.model if self.engine == "haiku" else f"{self.engine} {self.model or 'default'}"
