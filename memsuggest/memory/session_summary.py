"""A chat in a line, to browse the archive by: what the person asked first, and what was written. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass

from memsuggest.core.model import Transcript
from memsuggest.core.text.sentences import sentences_of
from memsuggest.core.text.words import content_words
from memsuggest.memory.turns import PERSON, turns_of

LIMIT = 240  # characters of a summary as text
_ASKED = 140  # characters of what was asked
_FILES = 6
_PATH = re.compile(r"[\w.@+~-][\w./@+ ~-]{0,99}")  # a file's name that can pass for nothing else
_INCLUDE = re.compile(r"(?<![\w`])[@#](?=[\w~./-]*[\w~-][/.:])|(?<!\w)!(?=`)|\*{2,}")
"""What some hosts take for a file to read or a command to run, and emphasis."""
_STRAIGHT = str.maketrans("“”„«»", '"""""')


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionSummary:
    """The summary of a finished chat."""

    first_request: str  # what the person said first that has a subject, verbatim and on one line
    files_written: tuple[str, ...] = ()
    prompts: int = 1  # how often the person said something

    def as_text(self, *, limit: int = LIMIT) -> str:
        asked = shortened(self.first_request, _ASKED).translate(_STRAIGHT).rstrip(" \t.!;:,…")
        more = len(self.files_written) - 2
        wrote = f" Wrote {', '.join(self.files_written[:2])}{f' and {more} more' if more > 0 else ''}."
        took = f" It took {self.prompts} prompts." if self.prompts > 1 else ""
        return shortened(f"Asked: “{asked}”.{wrote if self.files_written else took}", limit)


def summarise(transcript: Transcript) -> SessionSummary | None:
    """Return a chat in a line; None where the person said nothing with a subject in it."""
    said = [turn for turn in turns_of(transcript) if turn.by == PERSON]
    telling = [
        sentence.text for turn in said for sentence in sentences_of(turn.text) if len(content_words(sentence.text)) > 1
    ]
    if not telling:
        return None
    files = (path for path in transcript.files_written if _PATH.fullmatch(path))
    return SessionSummary(
        first_request=" ".join(_INCLUDE.sub("", telling[0]).split()),
        files_written=tuple(dict.fromkeys(files))[:_FILES],
        prompts=len(said),
    )


def shortened(text: str, limit: int) -> str:
    """Return a text cut between words, with an ellipsis, where it is too long.

    >>> shortened("keep prices in cents", 12), shortened("short", 12)
    ('keep prices…', 'short')
    """
    if len(text) <= limit:
        return text
    cut = text[: limit - 1]
    at = cut.rfind(" ")
    return f"{cut[:at] if at > limit // 2 else cut}…".replace(" …", "…")
