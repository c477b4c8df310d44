"""Chats that were read, and are to be asked about or learned from."""

from __future__ import annotations

from typing import NamedTuple

from memsuggest.core.context import Context
from memsuggest.core.errors import TranscriptError
from memsuggest.core.model import Skipped, Transcript
from memsuggest.facts.learned import Learned
from memsuggest.transcripts.discovery import FoundTranscript, read_found
from memsuggest.transcripts.parsing.continuing import ReadOn


class OpenedChat(NamedTuple):
    """A chat that was read, and is to be learned from."""

    found: FoundTranscript
    read: ReadOn
    is_again: bool
    """Whether all of it was learned from before."""

    @property
    def session(self) -> str:
        """The chat's own id."""
        return self.read.transcript.session_id

    def news(self, context: Context) -> Transcript | None:
        """Return what of it was not learned from yet, also not in a copy of it; None where nothing is left."""
        transcript, after = self.read.transcript, self.read.after
        if not self.is_again and not context.progress.has_news(transcript, after=after):
            return None
        return context.progress.only_news(self.found, transcript, after=after)


def open_chat(
    context: Context, one: FoundTranscript, *, person: str | None, learned: Learned, is_again: bool, goes_on: bool
) -> list[OpenedChat]:
    """Read a transcript; none where that fails, or where the person wants nothing of it to be known.

    `goes_on`: from where it was read to, as our own rules do; a model's answers are held against the whole session.
    """
    checkpoint = context.progress.checkpoint(one) if goes_on else None
    try:
        read = read_found(one, context.root, person=person, checkpoint=checkpoint)
    except TranscriptError as error:
        learned.skipped.append(Skipped(what=one.place, why=error.message))
        context.progress.fail(one, why=error.message, now=context.now())
        return []
    if read.transcript.session_id in context.profile.silenced():
        return []  # not marked as read: when the person wants it again, nothing of it is known
    learned.read += 1
    learned.skipped += read.transcript.skipped
    return [OpenedChat(one, read, is_again)]
