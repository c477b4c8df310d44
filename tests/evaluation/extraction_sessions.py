"""The labelled, invented chats of `extraction_sessions*.txt` as transcripts with labels."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from memsuggest.model import NO_SIGNALS, Role, Scope, Signals, Transcript, Turn

FOLDER = Path(__file__).resolve().parent


@dataclass(frozen=True)
class Label:
    """One line of a chat: whether it is worth remembering, and for whom."""

    text: str
    is_fact: bool
    scope: Scope
    turn: int


@dataclass(frozen=True)
class Session:
    """A chat and its labels."""

    title: str
    transcript: Transcript
    labels: tuple[Label, ...]


def sessions(*paths: Path) -> list[Session]:
    """Read all sessions of the files, or of all files of this folder."""
    found = []
    for path in paths or sorted(FOLDER.glob("extraction_sessions*.txt")):
        _, *parts = ("\n" + path.read_text(encoding="utf-8")).split("\n== ")
        found += [_session(part) for part in parts]
    return found


def _session(text: str) -> Session:
    title, _, body = text.partition("\n")
    turns: list[Turn] = []
    labels: list[Label] = []
    for block in body.split("\n\n"):
        typed: list[str] = []
        signals = NO_SIGNALS
        for line in block.strip("\n").split("\n"):
            mark, _, words = line.partition(" ")
            if mark == "a:":
                turns.append(Turn(number=len(turns) + 1, role=Role.ASSISTANT, text=words))
            elif mark == "r:":
                signals = Signals(rejected_tool=words)
            elif mark in ("+", "+u", "-"):
                scope = Scope.USER if mark == "+u" else Scope.WORKSPACE
                labels.append(Label(words, mark != "-", scope, len(turns) + 1))
                typed.append(words)
        if typed:
            turns.append(Turn(number=len(turns) + 1, role=Role.USER, typed="\n".join(typed), signals=signals))
    transcript = Transcript(session_id=title, format="invented", origin=title, turns=tuple(turns))
    return Session(title, transcript, tuple(labels))
