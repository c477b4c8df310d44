"""The only way from a file to a `Transcript`: detect, read, seal.

Readers return what they found raw; sealing redacts every text, removes invisible characters, marks quoted stretches
and makes paths relative. Nothing else hands transcripts out.
"""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

from memsuggest.core.errors import TranscriptError
from memsuggest.core.model import NO_SIGNALS, Role, Signals, Skipped, Transcript, Trust, Turn
from memsuggest.core.redact import clean, hidden_characters, redact
from memsuggest.transcripts.formats.table import CONTAINER, CONTINUING, READERS, Reader
from memsuggest.transcripts.own_session_mark import typed_before
from memsuggest.transcripts.parsing.continuing import EDGE, Checkpoint, Reach, ReadOn
from memsuggest.transcripts.pastes.line_voices import lines_of
from memsuggest.transcripts.pastes.typed_or_pasted import Words, whose_words
from memsuggest.transcripts.storage.source import Source

_REACH = Reach()


def detect(source: Source) -> Reader:
    """Find the reader of a transcript, or say that nobody knows the format."""
    head = source.head()
    if not head:
        raise TranscriptError(f"{source.name} is empty", hint="specify a transcript that contains messages")
    for reader in READERS.values():
        if reader.sniff(head, source.name):
            return reader
    known = ", ".join(name for name in READERS if name != CONTAINER.NAME)
    raise TranscriptError(f"{source.name} is not a transcript in a known format", hint=f"known formats: {known}")


def read_transcript(
    path: Path, *, person: str | None = None, trust: Trust = Trust.TYPED, workspace: str | None = None
) -> Transcript:
    """Read the transcript at `path`, sealed; TranscriptError when it cannot be read as any format.

    `workspace` is the folder that its place says it is about.
    """
    return read_source(Source.at(path, person=person, workspace=workspace), trust=trust)


def read_typed(path: Path, *, person: str | None = None) -> Transcript:
    """Read what the person typed in the transcript at `path`; of the assistant's turns only when and where they were.

    Half the work of sealing is the assistant's words, so who does not look at them asks for this.
    """
    source = Source.at(path, person=person)
    return seal(without_answers(detect(source).read(source)), trust=Trust.TYPED)


def read_around(path: Path, turn: int, *, before: int, after: int) -> Transcript:
    """Read a transcript with no more than some turns before and after one: sealing a whole one takes the longest."""
    source = Source.at(path)
    raw = detect(source).read(source)
    near = (other for other in raw.turns if turn - before <= other.number <= turn + after)
    return seal(replace(raw, turns=tuple(near), files_written=()), trust=Trust.TYPED)


def without_answers(raw: Transcript) -> Transcript:
    """Leave out what the assistant said and did; its turns keep their numbers, times and folders."""
    turns = (replace(turn, text="", paths=()) if turn.role is Role.ASSISTANT else turn for turn in raw.turns)
    return replace(raw, turns=tuple(turns), files_written=())


def read_source(source: Source, *, trust: Trust = Trust.TYPED) -> Transcript:
    return seal(detect(source).read(source), trust=trust)


def read_on(
    source: Source, checkpoint: Checkpoint | None, *, trust: Trust = Trust.TYPED, reach: Reach = _REACH
) -> ReadOn:
    """Read a transcript from a checkpoint on, sealed, and return the next checkpoint; where that cannot be, all of it.

    A transcript that was read on has only the turns from the checkpoint on, under their numbers in the whole.
    """
    reader = detect(source)
    continued = CONTINUING.get(reader.NAME)
    if continued is None:
        return ReadOn(seal(reader.read(source), trust=trust))
    after = checkpoint if checkpoint and checkpoint.fits(source) else None
    done = continued(after.begin(source), after.notes) if after else None
    if done is None or not done.is_whole:
        after, done = None, continued(source, {})
    transcript = seal(done.transcript, trust=trust)
    if after:
        typed = [turn.number for turn in transcript.turns if turn.typed][:EDGE]
        transcript = replace(transcript, context=typed[-1] if typed else 0)
    return ReadOn(transcript, after, Checkpoint.after(source, done, reach))


def seal(raw: Transcript, *, trust: Trust) -> Transcript:
    """Redact every text of a transcript, mark what is quoted or in doubt, make its paths relative."""
    clean = _Cleaner()
    skipped = [Skipped(what=skip.what, why=clean.text(skip.why)) for skip in raw.skipped]
    asked = [turn.number for turn in raw.turns if typed_before(turn.typed) != turn.typed]
    if asked:  # so that nobody wonders where their words went
        skipped.append(Skipped(what=f"turn {asked[0]} of {raw.origin}", why="a question asked by memsuggest"))
    return replace(
        raw,
        trust=trust,
        turns=tuple(map(clean.turn, raw.turns)),
        files_written=clean.paths(raw.files_written, folder=raw.workspace),
        skipped=tuple(skipped),
    )


class _Cleaner:
    """Takes secrets, personal data and invisible characters out; names that come again are cleaned once."""

    def __init__(self) -> None:
        self._names: dict[str, str] = {}
        self._signals: dict[tuple[Signals, str | None], Signals] = {}

    def text(self, text: str) -> str:
        if not text:
            return ""
        return redact(text if _is_visible(text) else clean(text)).text.strip()

    def name(self, name: str) -> str:
        if name not in self._names:
            self._names[name] = name if _PLAIN_PATH.fullmatch(name) else self.text(name)
        return self._names[name]

    def signals(self, signals: Signals, *, folder: str | None) -> Signals:
        if signals is NO_SIGNALS:
            return signals
        if (signals, folder) not in self._signals:
            self._signals[signals, folder] = replace(
                signals,
                rejected_tool=signals.rejected_tool and self.text(signals.rejected_tool),
                edited_command=signals.edited_command and self.text(signals.edited_command),
                proposed_command=signals.proposed_command and self.text(signals.proposed_command),
                customizations=self.paths(signals.customizations, folder=folder),
                model=signals.model and self.name(signals.model),
                agent=signals.agent and self.name(signals.agent),
            )
        return self._signals[signals, folder]

    def paths(self, paths: tuple[str, ...], *, folder: str | None) -> tuple[str, ...]:
        return tuple(dict.fromkeys(self.name(relative(path, folder)) for path in paths))

    def turn(self, turn: Turn) -> Turn:
        raw = typed_before(turn.typed)
        typed = self.text(raw)
        words = whose_words(typed) if typed else Words()
        doubtful = [(0, len(typed))] if turn.doubtful else _with_hidden_characters(raw.strip(), typed)
        words = words.doubted(doubtful, typed) if doubtful else words
        return Turn(
            number=turn.number,
            role=turn.role,
            text=self.text(turn.text),
            typed=typed,
            quoted=words.quoted,
            doubtful=words.doubtful,
            paths=self.paths(turn.paths, folder=turn.cwd),
            cwd=turn.cwd,
            branch=turn.branch and self.name(turn.branch),
            signals=self.signals(turn.signals, folder=turn.cwd),
            at=turn.at,
            key=turn.key,
        )


_VISIBLE = re.compile(
    "[\t\n -~\u00a0-\u00ac\u00ae-\u034e\u0391-\u03a1\u03a3-\u03ff\u0400-\u052f\u2010-\u2027\u2030-\u205e\u20a0-\u20bf"
    "\u2190-\u23ff\u2500-\u27bf\u3000-\u303f\u3041-\u3096\u3099-\u30ff\u4e00-\u9fff\uac00-\ud7a3\U0001f300-\U0001f64f]*"
)
"""Scripts and signs that nearly all texts consist of; no hidden character is among them."""


def _is_visible(text: str) -> bool:
    if text.isascii():
        return text.replace("\n", "").replace("\t", "").isprintable()
    return _VISIBLE.fullmatch(text) is not None


_PLAIN_PATH = re.compile(r"[A-Za-z_-]{1,24}(?:[./][A-Za-z_-]{1,24})*")
"""Names made of words: nothing in them could be a secret, or anybody's home."""


def _with_hidden_characters(raw: str, typed: str) -> list[tuple[int, int]]:
    """Find the lines in which characters stood that nobody sees: they come with what was copied from elsewhere."""
    if _is_visible(raw) or not hidden_characters(raw):
        return []
    before, lines = raw.split("\n"), lines_of(typed)
    if len(before) != len(lines):
        return [(0, len(typed))]
    return [(line.start, line.end) for text, line in zip(before, lines, strict=True) if hidden_characters(text)]


def relative(path: str, folder: str | None) -> str:
    r"""Write a path in POSIX form, relative to `folder` where it lies below it.

    >>> relative(r"C:\repos\app\src\a.ts", "c:/repos/app")
    'src/a.ts'
    """
    posix = path.replace("\\", "/")
    base = (folder or "").replace("\\", "/").rstrip("/") + "/"
    is_windows = base[1:2] == ":"
    same = posix[: len(base)].casefold() == base.casefold() if is_windows else posix.startswith(base)
    return posix[len(base) :] if folder and same else posix
