"""A transcript in the making: readers tell it in order who said what, it makes numbered turns of that.

Everything the assistant says and does between two messages of the person becomes one turn. Hints such as an
interruption wait for the next message that the person typed.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from memsuggest.model import NO_SIGNALS, Role, Skipped, Transcript, Turn, hash_of
from memsuggest.transcripts.activity import Activity, changed
from memsuggest.transcripts.typed import Typed, typed_in

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from memsuggest.transcripts.source import Source

_CALLS_KEPT = 500  # of the tool calls that wait for their result


class Draft:
    """Takes messages in the order of the session; `finished` gives the transcript."""

    def __init__(self, source: Source, *, name: str) -> None:
        self.session_id = ""
        self.workspace = source.workspace
        self.cwd: str | None = None
        self.branch: str | None = None
        self.model: str | None = None
        self.agent: str | None = None
        self.customizations: dict[str, None] = {}
        """Customization files, agents and skills in use from now on."""
        self.activity = Activity()
        """What the assistant did since the person spoke last."""
        self.at: datetime | None = None
        """When the assistant was last heard of."""
        self.skipped: list[Skipped] = []
        self._source, self._name = source, name
        self._turns: list[Turn] = []
        self._written: dict[str, None] = {}
        self._calls: dict[str, str] = {}
        self._hints = NO_SIGNALS

    def use(self, tool: str, arguments: object, *, call_id: str = "") -> None:
        """Take a tool call of the assistant's."""
        self.know(call_id, self.activity.use(tool, arguments))

    def know(self, call_id: str, call: str) -> None:
        """Remember a tool call by a name that its result will give; the oldest are forgotten."""
        self._calls[call_id] = call
        if len(self._calls) > _CALLS_KEPT:
            del self._calls[next(iter(self._calls))]

    def call(self, call_id: str) -> str | None:
        """Give a tool call that was remembered."""
        return self._calls.get(call_id)

    def reject(self, call_id: str) -> None:
        """Take the person's refusal of a tool call; what they type next explains it."""
        self.hint(rejected_tool=self._calls.get(call_id, "tool"))

    def hint(self, **signals: object) -> None:
        """Note a signal for the next message that the person types."""
        self._hints = changed(self._hints, **signals)

    def listen(
        self, message: str, *, at: datetime | None = None, key: str = "", paths: Iterable[str] = (), **signals: object
    ) -> Typed:
        """Take a message of the person's, with whatever programs wrote around the typed text."""
        typed = typed_in(message)
        if typed.is_interruption:
            self.hint(after_interruption=True)
        if typed.remember:
            signals["remember"] = True
        self.type(typed.text, at=at, key=key, paths=paths, **signals)
        return typed

    def type(
        self, text: str, *, at: datetime | None = None, key: str = "", paths: Iterable[str] = (), **signals: object
    ) -> None:
        """Take a text that the person typed, and nothing else; no turn comes of blank text."""
        if signals:
            self.hint(**signals)
        text = text.strip()
        if not text:
            return
        if self.customizations:
            self.hint(customizations=tuple(self.customizations))
        self._end_activity()
        self._turns.append(
            Turn(
                number=len(self._turns) + 1,
                role=Role.USER,
                typed=text,
                paths=tuple(dict.fromkeys(paths)),
                cwd=self.cwd,
                branch=self.branch,
                signals=self._hints,
                at=at,
                key=key,
            )
        )
        self._hints = NO_SIGNALS

    def rewind(self, count: object) -> None:
        """Take back the last messages of the person with all that followed them."""
        typed = [place for place, turn in enumerate(self._turns) if turn.typed]
        if isinstance(count, int) and count > 0 and typed:
            del self._turns[typed[-min(count, len(typed))] :]
            self.activity = Activity()

    def withdraw(self) -> None:
        """Take back all that was said to be typed so far; what the assistant did stays."""
        kept = [turn for turn in self._turns if not turn.typed]
        self._turns = [replace(turn, number=place) for place, turn in enumerate(kept, 1)]

    @property
    def has_begun(self) -> bool:
        """Whether the person has typed anything yet."""
        return any(turn.typed for turn in self._turns)

    def is_repeated(self, text: str) -> bool:
        """Tell whether this is what the person typed last, and the assistant has done nothing since."""
        return bool(self._turns) and self._turns[-1].typed == text and not self.activity.as_turn(0)

    def skip(self, why: str) -> None:
        """Say that the whole file, or all of it that is not told by line, was not read."""
        self.skipped.append(Skipped(what=self._source.name, why=why))

    def finished(self) -> Transcript:
        """Make the transcript; a session without an id of its own is named by how it began."""
        self._end_activity()
        return Transcript(
            session_id=self.session_id or self._id_by_beginning(),
            format=self._name,
            origin=self._source.name,
            workspace=self.workspace,
            turns=tuple(self._turns),
            files_written=tuple(self._written),
            skipped=tuple(self.skipped),
        )

    def _id_by_beginning(self) -> str:
        """Name the session by what the person said first: the only thing that no growth changes."""
        first = next((turn for turn in self._turns if turn.typed), None)
        told = (first.typed, first.at.isoformat() if first.at else "") if first else ()
        return hash_of(self._name, self.workspace or "", *told)

    def _end_activity(self) -> None:
        place = len(self._turns) + 1
        turn = self.activity.as_turn(
            place, cwd=self.cwd, branch=self.branch, at=self.at, by={"model": self.model, "agent": self.agent}
        )
        if turn:
            self._turns.append(turn)
        self._written |= self.activity.written
        self.activity, self.at = Activity(), None
