"""A finished session's summary by rule: asked, decided, written, its end, what was left open. Pure.

Only what the person typed stands as the person's word. Of the assistant there are reports of what it did, marked as
its own; what it was told by tools, files and pages is nobody's word, and is not looked at.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memsuggest.extraction import offline, safety
from memsuggest.extraction.kept_words import why_unsafe
from memsuggest.extraction.statements import statements_of
from memsuggest.model import SUGGEST_FROM, Role, Trust
from memsuggest.recall.session_cues import (
    ASKING,
    DECISION,
    LAID_DOWN,
    LEFT,
    OPEN_END,
    ORDER,
    PUT_RIGHT,
    REASON,
    REPORT,
    VERDICT,
    says_something,
)
from memsuggest.redact import clean
from memsuggest.text.sentences import sentences_of
from memsuggest.text.verbs import VERBS
from memsuggest.text.words import plain

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from memsuggest.extraction.statements import Statement
    from memsuggest.model import Transcript, Turn

LIMIT = 240
"""Characters of a summary as text."""
_LONGEST, _SHORTEST = 140, 36
"""Characters of one thing that was said, in a text with much room and in one with little."""
_KEPT = 6
"""Decisions, files or open ends that are kept of a session."""
_REMARKS, _REMARK = 6, 180
"""What else was said that is kept of a session, and characters of one: what tells most."""
_NAMED = re.compile(r"\d|`|[\w-]+[./_][\w-]+|(?<=[a-zäöüß,] )[A-ZÄÖÜ][\w-]+")
"""A number, a piece of code, a path, or a name within a sentence."""
_LAST = 3
"""Prompts at the end of a session in which something is left open."""
_PATH = re.compile(r"[\w.@+~-][\w./@+ ~-]{0,99}")
"""A file's name that can pass for nothing else."""
_ASKS = re.compile(
    r"\b(?:please|can you|could you|would you|i (?:want|need|would like)|i'd like|we (?:need|want|should)|help"
    r"|why|how|what|bitte|kannst du|ich (?:möchte|brauche|will)|peux-tu|pouvez-vous|je veux|puedes|quiero|necesito)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """A sentence of a session, and whose it is."""

    text: str
    by: Role


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionSummary:
    """The summary of a finished session."""

    first_request: str
    """What the person asked for first, verbatim."""
    decisions: tuple[str, ...] = ()
    """What the person decided or laid down, in the order in which it was said."""
    files_written: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    """What else the person said, a prompt each; what tells most first: reasons, corrections, how things are."""
    open_ends: tuple[Said, ...] = ()
    outcome: Said | None = None
    """How it ended: the person's verdict, else the assistant's own report."""
    prompts: int = 1
    """How often the person said something."""

    def as_text(self, *, limit: int = LIMIT, remarks: int = 0) -> str:
        """Return it as two to four sentences, each of which says whose words it has.

        With `remarks`, one more has at most so many of them, as many as there is room for.
        """
        bare = self._as_text(limit)
        for count in range(min(remarks, len(self.remarks)), 0, -1):
            told = "; ".join(_in_quotes(one, _REMARK) for one in self.remarks[:count])
            if len(text := f"{bare} Said: {told}.") <= limit:
                return text
        return bare

    def _as_text(self, limit: int) -> str:
        for room in range(_LONGEST, _SHORTEST, -8):
            text = " ".join(self._sentences(room))
            if len(text) <= limit:
                return text
        return shortened(" ".join(self._sentences(_SHORTEST)), limit)

    def _sentences(self, room: int) -> list[str]:
        found = {
            "decided": self._decided(room),
            "wrote": self._wrote(room),
            "outcome": _told(self.outcome, "Ended with", "The assistant reported", room),
            "open": _told(
                self.open_ends[-1] if self.open_ends else None, "Left open", "Open, says the assistant", room
            ),
        }
        first = [name for name in ("decided", "outcome", "wrote", "open") if found[name]][:3]
        rest = [text for name, text in found.items() if name in first]
        return [f"Asked: {_in_quotes(self.first_request, room)}.", *(rest or [self._counted()])]

    def _decided(self, room: int) -> str:
        shown = self.decisions[:2]
        return f"Decided: {'; '.join(_in_quotes(one, room) for one in shown)}." if shown else ""

    def _wrote(self, room: int) -> str:
        names = [shortened(name, room) for name in self.files_written[:2]]
        more = len(self.files_written) - len(names)
        return f"Wrote {', '.join(names)}{f' and {more} more' if more else ''}." if names else ""

    def _counted(self) -> str:
        return f"It took {self.prompts} prompt{'' if self.prompts == 1 else 's'}."


def summarise(transcript: Transcript) -> SessionSummary | None:
    """Return what is worth keeping of a session; None where the person said nothing in it."""
    said = [one for one in statements_of(transcript) if not one.is_doubtful and _is_fit(one.text)]
    request = _first_request(said)
    if request is None:
        return None
    decisions = _decisions(transcript, said, request)
    last = _last_report(transcript)
    open_ends = _open_ends(said, last, {request.text})[-_KEPT:]
    return SessionSummary(
        first_request=_one_line(request.text),
        decisions=tuple(decisions[:_KEPT]),
        files_written=tuple(dict.fromkeys(path for path in transcript.files_written if _PATH.fullmatch(path))),
        remarks=tuple(_remarks(said, request, [*decisions, *(one.text for one in open_ends)])),
        open_ends=tuple(open_ends),
        outcome=_outcome(said, last, request),
        prompts=len({one.turn.number for one in said}),
    )


def _first_request(said: Sequence[Statement]) -> Statement | None:
    """Return the first thing asked for: an order or a question of the first prompt that says anything."""
    telling = [one for one in said if says_something(one.text)]
    if not telling:
        return None
    first = [one for one in telling if one.turn.number == telling[0].turn.number]
    return next((one for one in first if _is_request(one)), first[0])


def _is_request(statement: Statement) -> bool:
    opening = statement.core.partition(" ")[0].strip(",.:;!")
    return opening in VERBS or statement.is_question or _ASKS.search(statement.text) is not None


def _decisions(transcript: Transcript, said: Sequence[Statement], request: Statement) -> list[str]:
    """List what the person laid down, as extraction words it, and what else they chose, in order."""
    found = [
        (one.citations[0].turn, one.content)
        for one in offline.extract(transcript).candidates
        if one.confidence >= SUGGEST_FROM and one.citations and one.citations[0].trust is Trust.TYPED
    ]
    known = " ".join(plain(content) for _, content in found)
    found += [
        (one.turn.number, one.text) for one in said if one is not request and _is_choice(one) and one.plain not in known
    ]
    lines = (_one_line(text) for _, text in sorted(found, key=lambda one: one[0]) if _is_fit(text))
    return [line for line in dict.fromkeys(lines) if plain(line) != plain(request.text)]


def _is_choice(statement: Statement) -> bool:
    is_question = statement.is_question or ASKING.match(statement.core)
    return not is_question and DECISION.search(statement.text) is not None


def _remarks(said: Sequence[Statement], request: Statement, told_already: Iterable[str]) -> list[str]:
    """List what else was said, a prompt each, what tells most first."""
    known = plain(" ".join(told_already))
    by_prompt: dict[int, list[str]] = {}
    for one in said:
        is_asking = one.is_question or ASKING.match(one.core)
        if one is not request and not is_asking and one.plain not in known and says_something(one.text):
            by_prompt.setdefault(one.turn.number, []).append(_one_line(one.text))
    prompts = {_within_room(sentences): number for number, sentences in by_prompt.items()}
    return sorted(prompts, key=lambda text: (-signs_in(text), prompts[text]))[:_REMARKS]


def _within_room(sentences: Sequence[str]) -> str:
    """Return as many sentences of a prompt as there is room for, those that tell most, as they were said."""
    kept: list[str] = []
    for one in sorted(sentences, key=signs_in, reverse=True):
        if not kept or len(" ".join([*kept, one])) <= _REMARK:
            kept.append(one)
    return " ".join(one for one in sentences if one in kept)


def signs_in(text: str) -> int:
    """Count the signs that a text tells something that one may ask for later: a reason, a correction, a name."""
    return sum(sign.search(text) is not None for sign in (REASON, PUT_RIGHT, LAID_DOWN, DECISION, _NAMED))


def _open_ends(said: Sequence[Statement], last: Sequence[str], known: set[str]) -> list[Said]:
    """List what was put off in the last prompts, and what the assistant says is left."""
    late = sorted({one.turn.number for one in said})[-_LAST:]
    found = [Said(text=text, by=Role.ASSISTANT) for text in last if LEFT.match(text)]
    return found + [
        Said(text=_one_line(one.text), by=Role.USER)
        for one in said
        if one.turn.number in late and one.text not in known and OPEN_END.search(one.text) and says_something(one.text)
    ]


def _outcome(said: Sequence[Statement], last: Sequence[str], request: Statement) -> Said | None:
    final = max(one.turn.number for one in said)
    verdicts = [one for one in said if one.turn.number == final and one is not request and not one.is_question]
    for one in verdicts:
        if VERDICT.search(one.text) and not OPEN_END.search(one.text):
            return Said(text=_one_line(one.text), by=Role.USER)
    done = next((text for text in last if REPORT.match(text)), "")
    return Said(text=done, by=Role.ASSISTANT) if done else None


def _last_report(transcript: Transcript) -> list[str]:
    """List the sentences in which the assistant told, at the end, what it did or what is left."""
    turn = next((one for one in reversed(transcript.turns) if one.role is Role.ASSISTANT and one.text.strip()), None)
    return [text for text in _sentences_in(turn) if _is_report(text)] if turn else []


def _sentences_in(turn: Turn) -> Iterable[str]:
    return (_one_line(one.text) for one in sentences_of(turn.text))


def _is_report(text: str) -> bool:
    tells = REPORT.match(text) or LEFT.match(text)
    return bool(tells) and not ORDER.search(text) and says_something(text) and _is_fit(text)


def _is_fit(text: str) -> bool:
    """Tell whether a sentence may be kept: no order to a machine, no danger, nothing hidden, no secret."""
    return not why_unsafe(text)


def _told(said: Said | None, by_person: str, by_assistant: str, room: int) -> str:
    if said is None:
        return ""
    return f"{by_person if said.by is Role.USER else by_assistant}: {_in_quotes(said.text, room)}."


_ENDS = " \t.!;:,…"
_STRAIGHT = str.maketrans("“”„«»", '"""""')


def _in_quotes(text: str, room: int) -> str:
    """Return words in quotation marks that they cannot end themselves."""
    return f"“{shortened(text, room).translate(_STRAIGHT).rstrip(_ENDS) or text[:room]}”"


_INCLUDE = re.compile(r"(?<![\w`])[@#](?=[\w~./-]*[\w~-][/.:])|(?<!\w)!(?=`)|\*{2,}")
"""What some hosts take for a file to read or a command to run, and emphasis, which says nothing here."""


_COUNTED = re.compile(r"\(?\d{1,2}\s?[-.):]\s?(?=[^\W\d])")
"""The number of a list's first item."""


def _one_line(text: str) -> str:
    line = _INCLUDE.sub("", safety.one_line(clean(text)))
    counted = _COUNTED.match(line)
    return line[counted.end() :] if counted else line


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
