"""Prices and traits of models. The one place to change when a price changes.

Source of the prices: https://platform.claude.com/docs/en/models/ (US dollars per million tokens, November 2026).
"""

from __future__ import annotations

from dataclasses import dataclass

LONG_PROMPT = 100_000
"""Tokens of a prompt above which `claude-haiku-5-5` bills five times as much; no request is made longer than this."""
MICROS = 1_000_000  # millionths of a dollar in a dollar: money is counted in whole ones
_WRITE, _READ = 1.25, 0.1  # what writing to the cache and reading from it cost, beside plain input


def dollars(micros: int) -> float:
    """Return an amount in dollars."""
    return micros / MICROS


def in_dollars(micros: int) -> str:
    return f"${micros / MICROS:.4f}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Price:
    """US dollars per million tokens."""

    input: float
    output: float
    long_factor: float = 1.0
    """How many times as dear everything is for a prompt above `LONG_PROMPT`."""
    has_effort: bool = False
    """Whether the model can be told to think less."""
    cached_from: int = 4_096
    """Tokens from which the beginning of a request can be cached; marking a shorter one does nothing."""


PRICES: dict[str, Price] = {
    "claude-haiku-5-5": Price(input=0.10, output=0.50, long_factor=5.0, has_effort=True),
    "claude-sonnet-5-5": Price(input=2.0, output=10.0, has_effort=True, cached_from=1_024),
    "claude-opus-5-5": Price(input=4.0, output=20.0, has_effort=True),
    "claude-haiku-4-5": Price(input=1.0, output=5.0),
    "chat": Price(input=0.0, output=0.0),  # the assistant that the person talks to anyway
}
UNBILLED = Price(input=0.0, output=0.0)
"""For programs that a person pays by the month, and for models on this machine: what counts there is how often."""
UNKNOWN = Price(input=10.0, output=50.0)
"""For a model that the table lacks: as dear as the dearest there is, so that a budget errs on the safe side."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """Tokens that one request used."""

    input: int = 0  # not from the cache, nor written to it
    output: int = 0
    cache_read: int = 0
    cache_write: int = 0

    @property
    def prompt(self) -> int:
        return self.input + self.cache_read + self.cache_write


def price_of(model: str) -> Price:
    """Return the price of a model, also of one named with a date behind; the dearest for one that is not known.

    A name with the engine before it (`claude haiku`) is of an engine that bills no tokens; models have no space.
    """
    if " " in model:
        return UNBILLED
    return next((price for name, price in PRICES.items() if model == name or model.startswith(f"{name}-2")), UNKNOWN)


def cost(model: str, usage: Usage) -> int:
    """Return what a request costs in millionths of a dollar, rounded up.

    >>> cost("claude-haiku-5-5", Usage(input=10_000, output=1_000))
    1500
    """
    price = price_of(model)
    factor = price.long_factor if usage.prompt > LONG_PROMPT else 1.0
    sent = usage.input + _WRITE * usage.cache_write + _READ * usage.cache_read
    dollars = factor * (sent * price.input + usage.output * price.output) / 1_000_000
    return -int(-dollars * MICROS // 1)
