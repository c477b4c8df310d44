"""A transcript in the making: readers tell it in order who said what, it makes numbered turns of that.

Everything the assistant says and does between two messages of the person becomes one turn. Hints such as an
interruption wait for the next message that the person typed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import datetime
from typing import Any

from memsuggest.core.model import NO_SIGNALS, Role, Skipped, Transcript, Turn, hash_of
from memsuggest.transcripts.parsing.activity import Activity, changed
from memsuggest.transcripts.parsing.continuing import Continued, Restart
from memsuggest.transcripts.parsing.json_records import fields_of, files_patched, files_read, items_of, text_of
from memsuggest.transcripts.storage.source import Position, RawLine, Source
from memsuggest.transcripts.typed_text import joined, typed_in

_PATCHES = ("patch", "patchText", "input")  # names of arguments in which a patch stands
_CALLS = frozenset({"tool_use", "toolCall"})
_CALLS_KEPT = 500  # of the tool calls that wait for their result


class TranscriptBuilder:
    """Takes messages in the order of the session; `finished` gives the transcript."""

    def __init__(self, source: Source, *, name: str, notes: dict[str, Any] | None = None) -> None:
        notes = notes or {}
        self.place = source.start
        """Of the line that is being read, in formats that only grow at their end."""
        self.session_id = text_of(notes.get("session"))
        self.workspace = text_of(notes.get("workspace")) or source.workspace
        self.cwd = text_of(notes.get("cwd")) or None
        self.branch = text_of(notes.get("branch")) or None
        self.model = text_of(notes.get("model")) or None
        self.agent = text_of(notes.get("agent")) or None
        self.customizations: dict[str, None] = dict.fromkeys(items_of(notes.get("customizations")))
        """Customization files, agents and skills in use from now on."""
        self.activity = Activity()
        self.at: datetime | None = None
        """When the assistant was last heard of."""
        self.skipped: list[Skipped] = []
        self.is_cursor = False
        """Whether the messages are Cursor's, with what was typed in its own element."""
        self.reaches_back = False
        """Whether something before the notes was taken back: then all has to be read again."""
        self.besides: Callable[[], dict[str, Any]] = dict
        """Tells what else the reader has to know where it could go on."""
        self._restarts: list[Restart] = []
        self._is_resumed = bool(notes)
        self._begun = int(notes.get("number", 0))
        """Turns before the notes."""
        self._name_before = text_of(notes.get("name"))
        self._source, self._name = source, name
        self._turns: list[Turn] = []
        self._written: dict[str, None] = {}
        self.calls: dict[str, str] = {}
        self._hints = NO_SIGNALS

    def use(self, tool: str, arguments: object, *, call_id: str = "") -> None:
        """Take a tool call of the assistant's, with the files that its command reads or its patch writes."""
        self.know(call_id, self.activity.use(tool, arguments))
        given = fields_of(arguments)
        for path in files_read(text_of(given.get("command"))):
            self.activity.touch(path)
        for path in files_patched(text_of(arguments) or next(filter(None, map(text_of, map(given.get, _PATCHES))), "")):
            self.activity.touch(path, is_written=True)

    def say(self, text: str, *, at: datetime | None, model: object = None) -> None:
        """Take what the assistant said, by which model where the record says so."""
        self.model = text_of(model) or self.model
        self.activity.say(text)
        self.at = at

    def take_blocks(self, blocks: Iterable[dict[str, Any]], *, at: datetime | None, model: object = None) -> None:
        """Take the blocks of an assistant's message: texts and tool calls."""
        self.say("", at=at, model=model)
        for block in blocks:
            kind = text_of(block.get("type"))
            if kind == "text":
                self.activity.say(text_of(block.get("text")))
            elif kind in _CALLS:
                given = block.get("input", block.get("arguments"))
                self.use(text_of(block.get("name")) or "tool", given, call_id=text_of(block.get("id")))

    def know(self, call_id: str, call: str) -> None:
        """Remember a tool call; the oldest are forgotten."""
        self.calls[call_id] = call
        if len(self.calls) > _CALLS_KEPT:
            del self.calls[next(iter(self.calls))]

    def reject(self, call_id: str) -> None:
        self.hint(rejected_tool=self.calls.get(call_id, "tool"))

    def hint(self, **signals: object) -> None:
        self._hints = changed(self._hints, **signals)

    def listen(self, *parts: str, is_doubtful: bool = False, **message: Any) -> None:
        """Take the parts of a message of the person's, with whatever programs wrote around the typed text.

        One that was recorded twice is one turn. `message` is what `type` takes besides.
        """
        typed = joined(typed_in(part, is_cursor=self.is_cursor) for part in parts)
        if typed.is_interruption:
            self.hint(after_interruption=True)
        if typed.remember:
            message["remember"] = True
        if not typed.text or not self.is_repeated(typed.text):
            self.type(typed.text, is_doubtful=is_doubtful or typed.is_doubtful, **message)

    def type(
        self,
        text: str,
        *,
        at: datetime | None = None,
        key: str = "",
        paths: Iterable[str] = (),
        is_doubtful: bool = False,
        **signals: object,
    ) -> None:
        """Take a text that the person typed, and nothing else; no turn comes of blank text.

        `is_doubtful` says that the file would look the same had an answer pretended that the person said this.
        """
        is_quiet = self._hints is NO_SIGNALS
        if signals:
            self.hint(**signals)
        text = text.strip()
        if not text:
            return
        if self.customizations:
            self.hint(customizations=tuple(self.customizations))
        self.end_activity()
        if is_quiet and not (self._restarts and self._restarts[-1].place == self.place):  # one message a line
            now = {"cwd": self.cwd, "branch": self.branch, "model": self.model, "agent": self.agent}
            kept = now | {"customizations": list(self.customizations)} | self.besides()
            self._restarts.append(Restart(self.place, self.next_number, kept))
            self.calls.clear()  # their results cannot come any more
        self._turns.append(
            Turn(
                number=self.next_number,
                role=Role.USER,
                typed=text,
                doubtful=((0, len(text)),) if is_doubtful else (),
                paths=tuple(dict.fromkeys(paths)),
                cwd=self.cwd,
                branch=self.branch,
                signals=self._hints,
                at=at,
                key=key,
            )
        )
        self._hints = NO_SIGNALS

    def attach(self, path: str) -> None:
        """Add a file to what the person typed last, unless the assistant has answered."""
        if self._turns and self._turns[-1].role is Role.USER:
            last = self._turns[-1]
            self._turns[-1] = replace(last, paths=(*last.paths, path))

    def rewind(self, count: object) -> None:
        """Take back the last messages of the person with all that followed them."""
        typed = [place for place, turn in enumerate(self._turns) if turn.typed]
        if not isinstance(count, int) or count <= 0:
            return
        if count >= len(typed) and self._is_resumed:
            self.reaches_back = True
        if typed:
            del self._turns[typed[-min(count, len(typed))] :]
            self._restarts = [restart for restart in self._restarts if restart.number < self.next_number]
            self.activity = Activity()

    def withdraw(self) -> None:
        """Take back all that was said to be typed so far; what the assistant did stays."""
        self.reaches_back = self._is_resumed
        kept = [turn for turn in self._turns if not turn.typed]
        self._turns = [replace(turn, number=place) for place, turn in enumerate(kept, 1)]
        self._restarts.clear()

    @property
    def has_begun(self) -> bool:
        return self._is_resumed or any(turn.typed for turn in self._turns)

    def is_repeated(self, text: str) -> bool:
        """Tell whether this is what the person typed last, and the assistant has done nothing since."""
        return bool(self._turns) and self._turns[-1].typed == text and self.activity.is_empty

    def skip(self, why: str) -> None:
        """Say that the whole file, or all of it that is not told by line, was not read."""
        self.skipped.append(Skipped(what=self._source.name, why=why))

    def finished(self, *, is_export: bool = False) -> Transcript:
        """Make the transcript; a session without an id of its own is named by how it began.

        One that was exported has its first answer already: it tells apart two sessions that began with the same words.
        """
        self.end_activity()
        answer = next((turn.text for turn in self._turns if is_export and turn.text), "")
        return Transcript(
            session_id=self.session_id or self._name_before or self._id_by_beginning(answer),
            format=self._name,
            origin=self._source.name,
            workspace=self.workspace,
            turns=tuple(self._turns),
            files_written=tuple(self._written),
            skipped=tuple(self.skipped),
        )

    def stand(self, line: RawLine) -> None:
        self.place = Position(line.start, line.number - 1)

    def continued(self) -> Continued:
        return Continued(self.finished(), self._restarts, self._notes, is_whole=not self.reaches_back)

    def _notes(self, restart: Restart) -> dict[str, Any]:
        name = "" if self.session_id else self._name_before or self._id_by_beginning()
        session = {"session": self.session_id, "name": name, "workspace": self.workspace}
        return restart.kept | session | {"number": restart.number - 1}

    @property
    def next_number(self) -> int:
        return self._begun + len(self._turns) + 1

    def _id_by_beginning(self, answer: str = "") -> str:
        first = next((turn for turn in self._turns if turn.typed), None)
        beginning = (first.typed, first.at.isoformat() if first.at else "") if first else ()
        return hash_of(self._name, self.workspace or "", *beginning, answer)

    def end_activity(self, *, key: str = "", cwd: str = "", branch: str = "") -> None:
        """Make a turn of what the assistant did since the last one; `key`, `cwd` and `branch` are the record's own."""
        done, at = self.activity, self.at
        self.at = None
        if done.is_empty:
            return
        if self.model or self.agent:
            done.signal(model=self.model, agent=self.agent)
        place = {"cwd": cwd or self.cwd, "branch": branch or self.branch}
        if turn := done.as_turn(self.next_number, **place, at=at, key=key):
            self._turns.append(turn)
        self._written |= done.written
        self.activity = Activity()
