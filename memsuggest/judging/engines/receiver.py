"""The receiver of questions: the one value that consent, ledger, dry runs and reports speak of. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from memsuggest.core.config import HAIKU
from memsuggest.judging.asking import chat_packets

CHAT = chat_packets.NAME  # the assistant that the person talks to: it asks us, and we send nothing by ourselves
LOCAL = "local"  # the engine of models on this machine


@dataclass(frozen=True, slots=True, kw_only=True)
class Receiver:
    """An engine that asks, with everything by which a person tells where their words go."""

    engine: str
    address: str
    """What consent is bound to: an endpoint, or a program with whatever sends its questions elsewhere."""
    model: str
    """As it is asked for; empty where the receiver chooses."""
    who: str = ""
    """Who sees what it is asked; empty for nobody outside this machine."""

    @property
    def billed_as(self) -> str:
        return self.model if self.engine == HAIKU else f"{self.engine} {self.model or 'default'}"

    @property
    def is_program(self) -> bool:
        return self.engine not in (CHAT, LOCAL, HAIKU)
