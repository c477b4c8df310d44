"""The table of readers, and the only way from a file to a `Transcript`: detect, read, seal.

Readers return what they found raw; sealing redacts every text, removes invisible characters, marks quoted stretches
and makes paths relative. Nothing else hands transcripts out.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

from memsuggest.errors import TranscriptError
from memsuggest.model import Trust
from memsuggest.redact import redact
from memsuggest.transcripts import (
    aider,
    claude_code,
    claude_export,
    cline,
    codex,
    containers,
    copilot_cli,
    copilot_copy,
    copilot_github,
    cursor_agent,
    dialogue,
    gemini_cli,
    generic,
    opencode,
    specstory,
    vscode_chat,
)
from memsuggest.transcripts.quoted import quoted_stretches
from memsuggest.transcripts.source import Source

if TYPE_CHECKING:
    from pathlib import Path

    from memsuggest.model import Signals, Skipped, Transcript, Turn


class Reader(Protocol):
    """Knows one format; modules implement it."""

    NAME: str
    """What the format is called: `claude-code`, `vscode-chat`, …"""

    def sniff(self, head: bytes, name: str) -> bool:
        """Tell from the first bytes (and, last of all, the file's name) whether this is the format."""
        ...

    def read(self, source: Source) -> Transcript:
        """Read one session, raw; bad lines become `Skipped`, a file that is none a TranscriptError."""
        ...


READERS: dict[str, Reader] = {
    containers.NAME: containers,
    copilot_cli.NAME: copilot_cli,
    codex.NAME: codex,
    vscode_chat.NAME: vscode_chat,
    opencode.NAME: opencode,
    gemini_cli.NAME: gemini_cli,
    claude_code.NAME: claude_code,
    cursor_agent.NAME: cursor_agent,
    cline.NAME: cline,
    specstory.NAME: specstory,
    aider.NAME: aider,
    copilot_github.NAME: copilot_github,
    copilot_copy.NAME: copilot_copy,
    claude_export.NAME: claude_export,
    generic.NAME: generic,
    dialogue.NAME: dialogue,
}
"""Every format, most telling signature first: the first reader whose `sniff` says yes reads."""


def detect(source: Source) -> Reader:
    """Find the reader of a transcript, or say that nobody knows the format."""
    head = source.head()
    if not head:
        raise TranscriptError(f"{source.name} is empty", hint="nothing to read")
    for reader in READERS.values():
        if reader.sniff(head, source.name):
            return reader
    known = ", ".join(READERS)
    raise TranscriptError(f"{source.name} is no transcript of a known format", hint=f"known formats: {known}")


def read_transcript(path: Path, *, person: str | None = None, trust: Trust = Trust.TYPED) -> Transcript:
    """Read the transcript at `path`, sealed; TranscriptError when it cannot be read as any format."""
    return read_source(Source.at(path, person=person), trust=trust)


def read_source(source: Source, *, trust: Trust = Trust.TYPED) -> Transcript:
    """Read a transcript from anywhere, sealed."""
    return seal(detect(source).read(source), trust=trust)


def seal(raw: Transcript, *, trust: Trust) -> Transcript:
    """Redact every text of a transcript, mark what is quoted, make its paths relative."""
    return replace(
        raw,
        trust=trust,
        turns=tuple(_sealed_turn(turn) for turn in raw.turns),
        files_written=tuple(dict.fromkeys(_clean(relative(path, raw.workspace)) for path in raw.files_written)),
        skipped=tuple(_sealed_skip(skip) for skip in raw.skipped),
    )


def _sealed_turn(turn: Turn) -> Turn:
    typed = _clean(turn.typed)
    return replace(
        turn,
        text=_clean(turn.text),
        typed=typed,
        quoted=quoted_stretches(typed),
        paths=tuple(dict.fromkeys(_clean(relative(path, turn.cwd)) for path in turn.paths)),
        branch=turn.branch and _clean(turn.branch),
        signals=_sealed_signals(turn.signals, cwd=turn.cwd),
    )


def _sealed_signals(signals: Signals, *, cwd: str | None) -> Signals:
    return replace(
        signals,
        rejected_tool=signals.rejected_tool and _clean(signals.rejected_tool),
        edited_command=signals.edited_command and _clean(signals.edited_command),
        customizations=tuple(dict.fromkeys(_clean(relative(path, cwd)) for path in signals.customizations)),
        model=signals.model and _clean(signals.model),
    )


def _sealed_skip(skip: Skipped) -> Skipped:
    return replace(skip, why=_clean(skip.why))


def _clean(text: str) -> str:
    """Take secrets, personal data and invisible characters out."""
    return redact(text).text.strip() if text else ""


def relative(path: str, folder: str | None) -> str:
    r"""Write a path in POSIX form, relative to `folder` where it lies below it.

    >>> relative(r"C:\work\app\src\a.ts", "c:/work/app")
    'src/a.ts'
    """
    posix = path.replace("\\", "/")
    base = (folder or "").replace("\\", "/").rstrip("/") + "/"
    is_windows = base[1:2] == ":"
    same = posix[: len(base)].casefold() == base.casefold() if is_windows else posix.startswith(base)
    return posix[len(base) :] if folder and same else posix
