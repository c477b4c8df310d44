"""Requests as files: what an engine would send about some folders of transcripts, and the answers to it.

`ID.txt` holds the system text, the packet and the JSON schema; `index.json` says which sessions each is about, so that
answers can be held against the sessions later, also when the packets have changed since.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from memsuggest.core.errors import TranscriptError
from memsuggest.core.model import Transcript
from memsuggest.judging.asking.question import Question, as_sent
from memsuggest.judging.by_model.packets import join, plan_session
from memsuggest.transcripts.reading import read_transcript

INDEX = "index.json"
_SYSTEM, _PACKET, _SCHEMA = "=== SYSTEM ===", "=== PACKET ===", "=== JSON SCHEMA OF THE ANSWER ==="


@dataclass(frozen=True, kw_only=True)
class Part:
    """A session in a request."""

    file: str
    place: int
    """From 1 in a request about several sessions; 0 where it has a request for itself."""


@dataclass(frozen=True, kw_only=True)
class Request:
    """A request that was written down."""

    id: str
    prompt: str
    """Its name and version."""
    tokens: int
    parts: tuple[Part, ...]


def sessions_in(folders: Iterable[Path]) -> Iterator[Transcript]:
    """Yield the sessions of some folders that can be read, in the order of their files' names."""
    for folder in folders:
        for path in sorted(folder.iterdir()) if folder.is_dir() else [folder]:
            try:
                yield read_transcript(path)
            except TranscriptError as error:
                print(f"left out: {path.name}: {error.message}")


def planned(sessions: Sequence[Transcript]) -> Iterator[tuple[Question, tuple[Part, ...]]]:
    """Yield the questions about some sessions, the short ones together, as an engine without known facts asks them."""
    plans = [plan for session in sessions for plan in plan_session(session, [], ())]
    asked: set[str] = set()
    for joined in join(plans):
        yield (
            joined.question,
            tuple(Part(file=part.transcript.origin, place=n) for n, part in enumerate(joined.parts, 1)),
        )
        asked |= set(joined.question.parts)
    for plan in plans:
        if plan.question.key not in asked:
            yield plan.question, (Part(file=plan.transcript.origin, place=0),)


def write_requests(sessions: Sequence[Transcript], out: Path) -> list[Request]:
    """Write the requests about some sessions and their index."""
    out.mkdir(parents=True, exist_ok=True)
    requests = []
    for number, (question, parts) in enumerate(planned(sessions), 1):
        sent = as_sent(question)
        request = Request(
            id=f"e{number:02d}-{sent.key[:6]}",
            prompt=f"{sent.prompt.name} {sent.prompt.version}",
            tokens=sent.tokens,
            parts=parts,
        )
        (out / f"{request.id}.txt").write_text(text_of(sent), encoding="utf-8")
        requests.append(request)
    index = {"version": 1, "requests": [asdict(one) for one in requests]}
    (out / INDEX).write_text(json.dumps(index, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return requests


def text_of(question: Question) -> str:
    """Return all that is asked as one text, for people and for programs that take a single prompt."""
    packet = "\n".join(text for text in (question.known, question.fenced()) if text)
    schema = json.dumps(question.schema)
    return f"{_SYSTEM}\n{question.prompt.text}\n{_PACKET}\n{packet}\n\n{_SCHEMA}\n{schema}\n"


def read_index(folder: Path) -> list[Request]:
    """Read the index of a folder of requests."""
    rows = json.loads((folder / INDEX).read_text(encoding="utf-8"))["requests"]
    return [Request(**(row | {"parts": tuple(Part(**part) for part in row["parts"])})) for row in rows]
