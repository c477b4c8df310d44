"""The chats of a run: which are due, each opened in turn, and what of it was not learned from yet."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from memsuggest.core.context import Context
from memsuggest.core.errors import Skipped, TranscriptError
from memsuggest.core.model import Transcript
from memsuggest.core.show_progress import ShowProgress
from memsuggest.transcripts.discovery import FoundTranscript, newest_first, read_found
from memsuggest.transcripts.find_transcripts import find, not_too_old
from memsuggest.transcripts.parsing.continuing import ReadOn


class OpenedChat(NamedTuple):
    """A chat that was read, and is to be learned from."""

    found: FoundTranscript
    read: ReadOn
    is_again: bool = False  # whether all of it was learned from before

    @property
    def session(self) -> str:
        return self.read.transcript.session_id

    @property
    def name(self) -> str:
        return chat_name(self.found)

    def has_news(self, context: Context) -> bool:
        return context.progress.has_news(self.read.transcript, after=self.read.after)

    def news(self, context: Context) -> Transcript | None:
        """Return it without what was learned from copies; None where nothing is left."""
        if not self.is_again and not self.has_news(context):
            return None
        return context.progress.only_news(self.found, self.read.transcript, after=self.read.after)


@dataclass(frozen=True, slots=True, kw_only=True)
class DueChats:
    """The transcripts of a workspace, and those of them that a run reads."""

    due: Sequence[FoundTranscript]
    again: Collection[str]  # places of those that were learned from before as they are now
    within: Sequence[FoundTranscript]  # all that are not too old to be read
    older: int  # transcripts that were never read, since they are too old
    skipped: Sequence[Skipped]


def due_chats(context: Context, paths: Sequence[Path], *, is_again: bool) -> DueChats:
    """Find what is new or changed, or with `is_again` all; what paths name is never too old."""
    found = find(context, paths)
    within = list(found.transcripts) if paths else not_too_old(context, found.transcripts)
    news, places = context.progress.changed(within), {chat.place for chat in within}
    return DueChats(
        due=within if is_again else news,
        again=places - {chat.place for chat in news} if is_again else set(),
        within=within,
        older=len(context.progress.changed(chat for chat in found.transcripts if chat.place not in places)),
        skipped=found.skipped,
    )


def opened(
    context: Context,
    chats: Sequence[FoundTranscript],
    *,
    person: str | None,
    again: Collection[str],
    goes_on: bool,
    progress: ShowProgress,
) -> Iterator[OpenedChat | Skipped]:
    """Read transcripts one by one, the newest first; one that cannot be read is marked so.

    `goes_on`: from where it was read to, as our own rules do; a model's answers are held against the whole session.
    """
    for number, chat in enumerate(newest_first(chats, now=context.now())):
        progress(number, len(chats), chat_name(chat))
        is_again = chat.place in again
        checkpoint = context.progress.checkpoint(chat) if goes_on and not is_again else None
        try:
            yield OpenedChat(chat, read_found(chat, context.root, person=person, checkpoint=checkpoint), is_again)
        except TranscriptError as error:
            context.progress.fail(chat, why=error.message, now=context.now())
            yield Skipped(what=chat.place, why=error.message)


def chat_name(found: FoundTranscript) -> str:
    """Return how a person knows a chat: its assistant and its day."""
    day = datetime.fromtimestamp(found.mtime_ns / 1e9, UTC).astimezone()
    return f"{found.format.replace('-', ' ')}, {day:%d %b %Y}"
