"""Which memory makes room: by rule, oldest first, or as a model says and code allows."""

from __future__ import annotations

import pytest
from memory.app_kit import memory, new

from memsuggest.core.model import AppAction, AppMaker, AppMemory
from memsuggest.memory.app_memory import BY_HAND, LENGTH, Compaction, by_rule, oldest_first, tells_the_same
from memsuggest.memory.app_models import why_not

HELD = [memory(1, "Asked about the tax table.", at=1), memory(2, "Asked about the login.", importance=2, at=5)]


def test_the_least_important_goes() -> None:
    """Of equally important ones the oldest."""
    assert by_rule(HELD, new(3)).target == 2
    equal = [memory(1, "a", at=9), memory(2, "b", at=3), memory(3, "c", at=5)]
    assert by_rule(equal, new(4)) == Compaction(
        action=AppAction.DELETE, target=2, reason="the oldest of the least important memories"
    )


def test_what_tells_the_same_is_merged() -> None:
    """The later wording stays; never where a number or a negation differs."""
    held = [*HELD, memory(3, "Asked: “speed up the nightly export”. It took 2 prompts.")]
    later = new(4, content="Asked: “speed up the nightly export”. It took 2 prompts!")
    assert (by_rule(held, later).action, by_rule(held, later).target) == (AppAction.MERGE, 3)
    other = new(4, content="Asked: “speed up the nightly export”. It took 3 prompts.")
    assert by_rule(held, other).action is AppAction.DELETE
    assert not tells_the_same("Decided: “use the queue”.", "Decided: “never use the queue”.")


def test_what_was_written_by_hand_stays() -> None:
    """It goes only when there is nothing else."""
    by_hand = memory(1, "Prefers short answers.", importance=BY_HAND, at=0)
    assert oldest_first([by_hand, memory(2, "b", at=9)], why="x").target == 2
    assert by_rule([by_hand, memory(2, "b", importance=BY_HAND - 1, at=9)], new(3)).target == 2
    assert oldest_first([by_hand], why="x").target == 1


def merge(target: int, content: str) -> Compaction:
    return Compaction(action=AppAction.MERGE, target=target, content=content, by=AppMaker.MODEL)


@pytest.mark.parametrize(
    ("decision", "says"),
    [
        (Compaction(action=AppAction.DELETE, target=7), "not shown"),
        (Compaction(action=AppAction.DELETE, target=-1), "not shown"),
        (Compaction(action=AppAction.DELETE, target=3), "by hand"),
        (merge(1, ""), "0 characters"),
        (merge(1, "x" * (LENGTH + 1)), "characters"),
        (merge(3, "Prefers long answers."), "by hand"),
    ],
)
def test_nonsense_is_refused(decision: Compaction, says: str) -> None:
    """A decision about what was not shown, without words or about what the person wrote is not carried out."""
    held: list[AppMemory] = [*HELD, memory(3, "Prefers short answers.", importance=BY_HAND)]
    assert says in why_not(decision, held, new(4))


def test_a_merge_is_checked_against_its_sources() -> None:
    """It may say what the two memories say that it is made of, and nothing else."""
    later = new(4)
    assert not why_not(merge(1, f"{HELD[0].content} {later.content}"), HELD, later)
    assert why_not(merge(1, "The staging database runs on port 5433."), HELD, later)
