"""When something is due."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from memsuggest.learning.schedule import Pace, Schedule

PACE = Pace(debounce=300, longest=3_000, silence=10_000, interval=60_000)


def test_a_turn_is_completed_after_the_debounce() -> None:
    """Each change puts the moment off; it comes once."""
    schedule = Schedule(PACE, now=0)
    schedule.touch("a", now=1_000)
    schedule.touch("a", now=1_200)
    assert schedule.completed(now=1_499) == ()
    assert schedule.completed(now=1_500) == ("a",)
    assert schedule.completed(now=9_000) == ()


def test_a_session_that_is_never_quiet_is_looked_at_all_the_same() -> None:
    """A change every 100 ms puts the moment off no longer than the longest wait."""
    schedule = Schedule(PACE, now=0)
    times = []
    for now in range(0, 6_100, 100):
        schedule.touch("a", now=now)
        times += [now for _ in schedule.completed(now=now)]
    assert times == [3_000, 6_100 - 100 + 0] or times == [3_000]


def test_what_was_put_off_until_later() -> None:
    """It is due then, and sooner when the session goes on before."""
    schedule = Schedule(PACE, now=0)
    schedule.touch("a", now=60_000)
    schedule.touch("b", now=60_000)
    schedule.touch("b", now=1_000)
    assert schedule.completed(now=1_300) == ("b",)
    assert schedule.completed(now=60_299) == ()
    assert schedule.completed(now=60_300) == ("a",)


def test_a_session_ends_by_silence_once() -> None:
    """Whether its turns were looked at or not."""
    schedule = Schedule(PACE, now=0)
    schedule.touch("a", now=0)
    schedule.completed(now=300)
    assert schedule.ended(now=9_999) == ()
    assert schedule.ended(now=10_000) == ("a",)
    assert schedule.ended(now=30_000) == ()


@given(st.lists(st.tuples(st.sampled_from("abc"), st.integers(0, 5_000)), max_size=30))
def test_the_pause_ends_when_something_is_due(touches: list[tuple[str, int]]) -> None:
    """Nothing is due before the pause is over, and something is when it is, unless it was cut short."""
    schedule, now = Schedule(PACE, now=0), 0
    for session, later in touches:
        now += later
        schedule.touch(session, now=now)
        pause = schedule.pause(now=now, most=2_000)
        assert 1 <= pause <= 2_000
        due = schedule.completed(now=now + pause), schedule.ended(now=now + pause)
        assert any(due) or pause in (1, 2_000) or schedule.is_interval_over(now=now + pause)
        now += pause
