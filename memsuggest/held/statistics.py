"""Certainty from few chats how often a rule is said again: the exact (Clopper-Pearson) bound of a share. Pure.

It counts chats, not statements, and needs no assumption but that chats are alike. Said again in 0 of n chats, the share
is below `1 - 0.05 ** (1 / n)` with 95 % certainty, which for more than a few chats is about 3 / n, the rule of three.
"""

from __future__ import annotations

from math import comb

CERTAINTY = 0.95
ENOUGH = 5
"""Chats without it being said again from which a rule holds: with these one can be 95 % sure that it will be said again
in fewer than half of such chats; with four, not."""
HARDLY = 0.2
"""Share of chats up to which a rule holds though it was said again, if one can be sure that it is no more."""
_STEPS = 40


def at_most(said: int, chats: int, *, certainty: float = CERTAINTY) -> float:
    """Return the highest share that goes with saying it again in so many of these chats.

    >>> round(at_most(0, 5), 2), round(at_most(0, 30), 2), round(at_most(1, 22), 2)
    (0.45, 0.1, 0.2)
    """
    if said >= chats:
        return 1.0
    low, high = 0.0, 1.0
    for _ in range(_STEPS):
        middle = (low + high) / 2
        if _at_most_so_many(said, chats, middle) > 1 - certainty:
            low = middle
        else:
            high = middle
    return high


def _at_most_so_many(said: int, chats: int, share: float) -> float:
    return sum(comb(chats, one) * share**one * (1 - share) ** (chats - one) for one in range(said + 1))
