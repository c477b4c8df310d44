"""Recordings: pairs of request and answer as files, to judge prompts by and to report bugs with. Redacted as sent."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from memsuggest.core.errors import FileError, ModelError
from memsuggest.files import UNCHECKED, read_exact, write_exact
from memsuggest.judging.asking.outcomes import failure

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from memsuggest.judging.asking.question import Question

VERSION = 1
ANSWERED = "answered"
"""The outcome of an answer that was of use."""
_LIMIT = 8 * 1024 * 1024


class Recorder:
    """A folder that takes recordings."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def write(self, question: Question, *, body: Mapping[str, Any], answer: str | None, outcome: str) -> None:
        """Write one pair; an earlier one of the same question is replaced."""
        recorded = {
            "version": VERSION,
            "purpose": question.purpose,
            "prompt": {"name": question.prompt.name, "version": question.prompt.version},
            "about": question.about,
            "key": question.key,
            "outcome": outcome,
            "request": dict(body),
            "answer": answer,
        }
        self._folder.mkdir(parents=True, exist_ok=True)
        text = json.dumps(recorded, indent=2, ensure_ascii=False) + "\n"
        write_exact(path_of(self._folder, question), text, expected_digest=UNCHECKED)

    def answer_to(self, question: Question) -> str | None:
        """Return the answer of use that the folder has to exactly this question already."""
        try:
            return replayed(self._folder, question, outcome=ANSWERED)
        except ModelError:
            return None


def path_of(folder: Path, question: Question) -> Path:
    """Return the file that holds the recording of a question."""
    return folder / f"{question.purpose}-{question.key}.json"


def replayed(folder: Path, question: Question, *, outcome: str | None = None) -> str:
    """Return the recorded answer to a question, of that outcome or any; raises ModelError where there is none."""
    try:
        loaded = json.loads(read_exact(path_of(folder, question), limit=_LIMIT).text)
    except (FileError, ValueError, RecursionError):
        raise failure("no-record", question.about) from None
    answer = loaded.get("answer") if isinstance(loaded, dict) else None
    is_wanted = outcome is None or (isinstance(loaded, dict) and loaded.get("outcome") == outcome)
    if not isinstance(answer, str) or not is_wanted:
        raise failure("no-record", question.about)
    return answer


def open_replay(folder: Path) -> Callable[[Question], str]:
    """Return what answers from recordings."""
    return lambda question: replayed(folder, question)
