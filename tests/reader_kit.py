"""What the tests of readers share: transcripts from invented records, read as the program reads them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from memsuggest.transcripts.reading import read_source
from memsuggest.transcripts.storage.source import Source

if TYPE_CHECKING:
    from pathlib import Path

    from memsuggest.core.model import Transcript, Turn


def jsonl(*records: object) -> str:
    """One record a line, as the assistants write them."""
    return "".join(json.dumps(record, ensure_ascii=False, separators=(",", ":")) + "\n" for record in records)


def read(content: object, *, name: str = "chat", person: str | None = None) -> Transcript:
    """Read text, bytes, or something to be written as JSON; sealed."""
    text = content if isinstance(content, (str, bytes)) else json.dumps(content, ensure_ascii=False)
    return read_source(Source.of(text, name=name, person=person))


def read_file(path: Path, content: object) -> Transcript:
    """Write a file with its folders and read it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return read_source(Source.at(path))


def typed(transcript: Transcript) -> list[str]:
    """What the person typed, turn by turn."""
    return [turn.typed for turn in transcript.turns if turn.typed]


def own_words(transcript: Transcript) -> str:
    """What counts as the person's beyond doubt."""
    said = []
    for turn in transcript.turns:
        text = turn.typed
        for start, end in sorted([*turn.quoted, *getattr(turn, "doubtful", ())], reverse=True):
            text = text[:start] + "\n" + text[end:]
        said.append(text)
    return "\n".join(said)


def turn_of(transcript: Transcript, words: str) -> Turn:
    """The turn in which the person typed these words."""
    return next(turn for turn in transcript.turns if words in turn.typed)


def answers(transcript: Transcript) -> list[Turn]:
    """The assistant's turns."""
    return [turn for turn in transcript.turns if turn.role == "assistant"]
