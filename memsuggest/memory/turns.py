"""Turns of a chat as the archive keeps them: who said what and when, without what was pasted. Pure."""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from memsuggest.core.errors import StoreError

if TYPE_CHECKING:
    from memsuggest.core.model import Transcript

PERSON, UNSURE, ASSISTANT = "person", "unsure", "assistant"
"""Who said it; `unsure` where a part of what the person sent may have been pasted."""
_NEXT = (1, -1, 2, -2, 3, -3, 4, 5, 6, 7, 8, -4, -5, -6, 9, 10)
"""The turns beside one that are shown while there is room, the likeliest to answer first: "postgres." answers a
question, and what was decided comes after what was weighed."""
LEAST_ROOM = 400  # characters of a passage of a chat that is far behind
_WHOLE = 400  # characters up to which a turn counts: a long one is cut
_LONGEST = 6_000  # characters of one turn that are kept: its beginning and its end
_PASTED = "[…]"
_NOT_SAID = re.compile(
    r"""
    ^(?P<mark>```+|~~~+).*?(?:^(?P=mark)[ \t]*$|\Z)  # code
    | ^\[[^\]\n]*\]$                                # a call of a tool, as readers note it
    """,
    re.MULTILINE | re.DOTALL | re.VERBOSE,
)
"""What of an assistant's turn is no sentence."""


class SaidTurn(NamedTuple):
    """One turn of an archived chat."""

    number: int  # its place in the chat
    by: str
    at: int  # milliseconds since the epoch; 0 where the chat does not say
    text: str
    length: int = 0  # terms under which it is found


class Passage(NamedTuple):
    """The part of a chat that answers a query."""

    turns: tuple[SaidTurn, ...]  # in their order
    best: SaidTurn
    gaps: frozenset[int] = frozenset()  # numbers of the turns before which some are left out
    chat: Sequence[SaidTurn] = ()  # all turns of the chat
    places: Sequence[int] = ()  # the places of its turns that fit, best first

    def within(self, room: int) -> Passage:
        return passage_of(self.chat, self.places, room)

    def as_text(self, limit: int) -> str:
        """Return it as one line with the speakers, and marks where turns are left out, within a limit.

        Short turns are whole; what they leave of the limit is for the long ones.
        """
        share = _share([len(turn.text) for turn in self.turns], limit)
        return " / ".join(
            f"{f'{_PASTED} / ' if turn.number in self.gaps else ''}{_LABELS[turn.by]}: {_cut(turn.text, share)}"
            for turn in self.turns
        )


def _share(sizes: Sequence[int], limit: int) -> int:
    """Return to how many characters texts have to be cut so that all of them together fit a limit."""
    left = limit
    for place, size in enumerate(sorted(sizes)):
        share = left // (len(sizes) - place)
        if size > share:
            return max(80, share)
        left -= size
    return max(sizes, default=0)


_LABELS = {PERSON: "the person", UNSURE: "the person (or pasted)", ASSISTANT: "the assistant"}


def _cut(text: str, limit: int) -> str:
    line = " ".join(text.split())
    return line if len(line) <= limit else f"{line[: limit - 1]}…"


def turns_of(transcript: Transcript) -> list[SaidTurn]:
    found = []
    for turn in transcript.turns:
        by = ASSISTANT if not turn.typed else UNSURE if turn.doubtful else PERSON
        kept, at = [], 0
        for begin, end in turn.quoted if turn.typed else ():
            kept += [turn.typed[at:begin], _PASTED]
            at = end
        text = ("".join([*kept, turn.typed[at:]]) if turn.typed else _NOT_SAID.sub("", turn.text)).strip()
        if not text.replace(_PASTED, "").strip():
            continue
        if len(text) > _LONGEST:
            text = f"{text[: _LONGEST // 2]} {_PASTED} {text[-_LONGEST // 2 :]}"
        found.append(SaidTurn(turn.number, by, round(turn.at.timestamp() * 1000) if turn.at else 0, text))
    return found


def packed(turns: Iterable[SaidTurn]) -> bytes:
    return zlib.compress(json.dumps(list(turns), ensure_ascii=False).encode("utf-8", "surrogatepass"), 6)


def unpacked(blob: bytes) -> list[SaidTurn]:
    """Return turns from the way they are stored; raises StoreError for what no program of ours has written."""
    try:
        rows = json.loads(zlib.decompress(blob))
        return [SaidTurn(int(row[0]), str(row[1]), int(row[2]), str(row[3]), int(row[4])) for row in rows]
    except (ValueError, TypeError, IndexError, zlib.error) as error:
        raise StoreError(f"the profile database is damaged: unreadable archived chat: {error}") from error


def passage_of(turns: Sequence[SaidTurn], best: Sequence[int], room: int = LEAST_ROOM) -> Passage:
    """Return the turns at some places, best first, and those beside them while there is room for so many characters."""
    sizes = [min(len(turn.text), _WHOLE) for turn in turns]
    shown = set(best)
    left = room - sum(sizes[at] for at in shown)
    for at in best:
        for beside in (at + step for step in _NEXT):
            if 0 <= beside < len(turns) and beside not in shown and sizes[beside] <= left:
                shown.add(beside)
                left -= sizes[beside]
    order = sorted(shown)
    gaps = (turns[at].number for before, at in pairwise(order) if at - before > 1)
    return Passage(
        turns=tuple(turns[at] for at in order), best=turns[best[0]], gaps=frozenset(gaps), chat=turns, places=best
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
