"""Citations: what stands in them besides the quote."""

from __future__ import annotations

from memsuggest.core.model import Role, Signals, Transcript, Turn
from memsuggest.judging.offline.evidence import cite


def test_what_was_in_use() -> None:
    """Agents and skills of the turn, and of the answer that it is about, are named; older ones are not."""
    turns = (
        Turn(number=1, role=Role.ASSISTANT, text="done", signals=Signals(customizations=("old",))),
        Turn(number=2, role=Role.ASSISTANT, text="done", signals=Signals(customizations=("release",))),
        Turn(number=3, role=Role.USER, typed="tag first", signals=Signals(customizations=("reviewer", "a\nb"))),
    )
    transcript = Transcript(session_id="s", format="f", origin="o", turns=turns)
    assert cite(transcript, turns[2], "tag first").in_use == ("reviewer", "release")
