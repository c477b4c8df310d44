"""Certainty from few chats how often a rule is said again. Pure: two exact tests, in words.

Both count chats, not statements, and need no assumption but that chats are alike:

- `at_most`: the exact (Clopper-Pearson) bound of a share. Said again in 0 of n chats, the share is below
  `1 - 0.05 ** (1 / n)` with 95 % certainty, which for more than a few chats is about 3 / n, the rule of three.
- `chance_of_fall`: Fisher's exact test, one-sided. If nothing had changed, how often would chance alone put so few of
  all chats in which it was said behind the moment when the rule came into force?
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


def chance_of_fall(*, said_before: int, before: int, said_after: int, after: int) -> float:
    """Return how likely chance alone makes such a fall, or a greater one.

    >>> round(chance_of_fall(said_before=4, before=6, said_after=0, after=9), 3)
    0.011
    """
    said, chats = said_before + said_after, before + after
    whole = comb(chats, said)
    fewest = max(0, said - before)
    return sum(comb(after, one) * comb(before, said - one) for one in range(fewest, said_after + 1)) / whole


def no_effect(said_before: int, before: int, said_after: int, after: int) -> bool:
    """Tell whether there are chats enough to see a change, and none is seen."""
    chances = _chances(said_before, before, said_after, after)
    return min(before, after) >= ENOUGH and min(chances) > 1 - CERTAINTY


def _chances(said_before: int, before: int, said_after: int, after: int) -> tuple[float, float]:
    fall = chance_of_fall(said_before=said_before, before=before, said_after=said_after, after=after)
    rise = chance_of_fall(said_before=before - said_before, before=before, said_after=after - said_after, after=after)
    return fall, rise


def difference_in_words(*, said_before: int, before: int, said_after: int, after: int) -> str:
    """Say what changed, if that is more than chance, else that nothing did; nothing where too little is known.

    >>> difference_in_words(said_before=2, before=3, said_after=0, after=2)
    ''
    >>> difference_in_words(said_before=9, before=12, said_after=0, after=30)
    'less often than before: said in 9 of 12 such chats, since then in 0 of 30 (p < 0.001)'
    """
    if not before or not after or not said_before:
        return ""
    told = f"said in {said_before} of {before} such chats, since then in {said_after} of {after}"
    fall, rise = _chances(said_before, before, said_after, after)
    if fall <= 1 - CERTAINTY:
        return f"less often than before: {told} ({_as_p(fall)})"
    if rise <= 1 - CERTAINTY:
        return f"more often than before: {told} ({_as_p(rise)})"
    return f"no measurable effect: {told}" if min(before, after) >= ENOUGH else ""


def _as_p(chance: float) -> str:
    return f"p = {chance:.2g}" if chance >= 0.001 else "p < 0.001"
