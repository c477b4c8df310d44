"""A session as a model is shown it: what the person typed, and the least around it that explains it. Pure.

A line of JSON per turn, so that nothing in it can pass for a turn of its own. Quoted and pasted stretches are cut to
their edges. What the assistant had said stands there where the person answers it or reacts to it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from memsuggest.core.identity import hash_of
from memsuggest.core.model import Role, Transcript, Turn
from memsuggest.judging.asking.question import estimate
from memsuggest.judging.offline.cues import form

# Of what the assistant said, tool notes, logs and code are left out, and it begins where a sentence begins.
_form = partial(form, "session_text")


SAID = 300  # characters of a question, or of the end of what was said
LISTED = 900  # characters of a numbered list that is answered by its numbers
_ITEM = 160  # characters of one entry of it
_LOOKED_AT = 6_000  # characters of the end of what was said in which a question or a list is looked for
_LATE = 5  # sentences, from the last, among which a question still waits for its answer
_FENCE = re.compile(r"^[ \t]*(?:```|~~~)[ \t]*([\w+-]*)[^\n]*$", re.MULTILINE)
_NUMBERED = re.compile(r"\s*(?:[-*]\s+)?(?:\*\*|__)?[\[(]?(Q?\d{1,2}|[A-Za-z])[\])]?(?:\*\*|__)?\s?[.):][\s*]+(?=\S)")
_SENTENCE = re.compile(r"(?<=[.!?…:])[\"')\]*_]*\s+|(?<=[。！？])|\n+")
_MARKUP = re.compile(r"<[^<>\n]{12,}>|\*\*|__|^[ \t]*#{1,6}[ \t]+|^[ \t]*[-*•][ \t]+", re.MULTILINE)


def question_in(said: str, reply: str) -> str:
    """Return what a reply answers: the last question, with the list before it where the reply goes by its numbers."""
    lines = _prose(said)
    sentences, asked = _sentences(lines), ""
    for place in range(len(sentences) - 1, max(-1, len(sentences) - 1 - _LATE), -1):
        if sentences[place].rstrip("\"')*_ ").endswith(("?", "？")):
            asked = _last(sentences[max(0, place - 1) : place + 1])
            break
    choices: list[str] = []  # the entries of the last list with numbers or letters
    for line in lines if _form("by-number").search(reply) else ():
        if number := _NUMBERED.match(line):
            choices = [] if number[1].lower().lstrip("q") in {"1", "a"} else choices
            choices.append(_flat(line))
    if len(choices) < 2:
        return asked
    listed = " | ".join(_cut(choice, _ITEM) for choice in choices)
    return _cut(listed, LISTED) + (f" — {asked}" if asked and asked not in listed else "")


def _prose(said: str) -> list[str]:
    """Return the lines without fenced code, also where the text begins or ends within a block."""
    text = said[-_LOOKED_AT:]
    marks = list(_FENCE.finditer(text))
    if len(marks) % 2 and marks and not marks[0][1]:  # a closing mark comes first: the text begins in code
        text = text[marks[0].end() :]
        marks = list(_FENCE.finditer(text))
    kept, at = [], 0
    for opening, closing in zip(marks[::2], [*marks[1::2], None], strict=False):
        kept.append(text[at : opening.start()])
        at = closing.end() if closing else len(text)
    lines = "\n".join([*kept, text[at:]]).split("\n")
    return [line for line in lines if not _form("no-prose").fullmatch(line)]


def _sentences(lines: Sequence[str]) -> list[str]:
    parts = _SENTENCE.split("\n".join(lines))
    found = [flat for part in parts if part and (flat := _flat(part))]
    begins_within = len(found) > 1 and found[0][:1].islower()
    return found[1:] if begins_within else found


def _flat(text: str) -> str:
    return " ".join(_MARKUP.sub("", text).split())


def _last(sentences: Sequence[str]) -> str:
    """Join the last sentences for which there is room, at least one."""
    kept: list[str] = []
    room = SAID
    for sentence in reversed(sentences):
        room -= len(sentence) + 1
        if kept and room < 0:
            break
        kept.append(sentence)
    return _cut(" ".join(reversed(kept)), SAID)


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"


EDGE, DOUBTFUL_EDGE = 120, 400
"""Characters at each end of a quoted or pasted stretch that are shown, and of one that the person may have typed."""
AROUND = 300  # characters on both sides of a quote that show what it is about
TYPED_LIMIT = 12_000  # characters of one turn; what is longer is a document, of which the ends are shown
_ACT = 160  # characters of a command that was refused
_BRIEF = 200  # characters up to which what is typed may need to be understood from what was said before it
_CONTEXT = 2  # turns before a new one that are shown again
_BY_POINTS = re.compile(r"\W{0,3}(?:Q?\d{1,2}|[a-h])\s?[.):=]", re.IGNORECASE)
"""How an answer to numbered questions begins."""


class ShownTurn(NamedTuple):
    """A turn that something was typed in, with the assistant's turn before it."""

    turn: Turn
    before: Turn | None
    is_new: bool = True


def shown_turns(transcript: Transcript) -> list[ShownTurn]:
    """Return the turns that something was typed in, each with the assistant's turn before it.

    What was sent again word for word, as after a failure, is shown once.
    """
    found: list[ShownTurn] = []
    said, before = set(), None
    for turn in transcript.turns:
        if turn.role is Role.ASSISTANT:
            before = turn
        elif turn.typed.strip() and (len(turn.typed) < _BRIEF or turn.typed not in said):
            found.append(ShownTurn(turn, before))
            said.add(turn.typed)
    return found


def turn_name(transcript: Transcript, turn: Turn) -> str:
    """Return the identity of a turn as it was shown: its place and its words."""
    return hash_of("told", transcript.session_id, str(turn.number), turn.typed)


def line_of(shown: ShownTurn, *, after: int = 0) -> str:
    """Return what a model is shown of one turn, as one line of JSON; its number is counted on from `after`."""
    turn, before, is_new = shown
    fields: dict[str, object] = {"turn": after + turn.number, "typed": shortened(turn)}
    if not is_new:
        fields["new"] = False
    if heard := heard_before(turn, before):
        fields["assistant_said_before"] = heard
    if turn.signals.after_interruption:
        fields["after_stopping_the_assistant"] = True
    if turn.signals.rejected_tool:
        fields["while_refusing"] = turn.signals.rejected_tool[:_ACT]
    if before and before.signals.undone:
        fields["after_undoing_its_edits"] = True
    if before and before.signals.vote:
        fields["vote_on_what_it_said"] = before.signals.vote
    return as_line(fields)


def as_line(fields: Mapping[str, object]) -> str:
    """Return some fields as one line of JSON."""
    return json.dumps(fields, ensure_ascii=False, separators=(",", ":"))


def shortened(turn: Turn) -> str:
    """Return what was typed, its quoted and pasted stretches marked and cut to their edges.

    >>> from memsuggest.core.model import Role, Turn
    >>> shortened(Turn(number=1, role=Role.USER, typed="look: " + "x" * 400, quoted=((6, 406),)))[:9]
    'look: ⟦qu'
    """
    pieces, at = [], 0
    foreign = [(*stretch, "quoted", EDGE) for stretch in turn.quoted]
    foreign += [(*stretch, "perhaps pasted", DOUBTFUL_EDGE) for stretch in turn.doubtful]
    for start, end, name, edge in sorted(foreign):
        pieces += [turn.typed[at:start], _marked(turn.typed[start:end], name, edge=edge)]
        at = end
    pieces.append(turn.typed[at:])
    whole = "".join(pieces).strip()
    return whole if len(whole) <= TYPED_LIMIT else _marked(whole, "long", edge=TYPED_LIMIT // 2)


def around_quote(turn: Turn, before: Turn | None, quote: str) -> tuple[str, str]:
    """Return what was typed around a quote, and what it answers or reacts to."""
    typed = shortened(turn)
    at = max(0, typed.find(quote[:EDGE]))
    start, end = max(0, at - AROUND), at + len(quote) + AROUND
    cut = f"{'… ' * (start > 0)}{typed[start:end]}{' …' * (end < len(typed))}"
    return cut, heard_before(turn, before)


def own_words(turn: Turn) -> str:
    """Return what was typed in a turn without what is quoted in it, or may be."""
    kept, at = [], 0
    for start, end in sorted((*turn.quoted, *turn.doubtful)):
        kept.append(turn.typed[at:start])
        at = end
    return "\n".join([*kept, turn.typed[at:]])


def _marked(text: str, name: str, *, edge: int) -> str:
    if not text.strip():
        return text
    if len(text) <= 2 * edge:
        return f"⟦{name}: {text}⟧"
    return f"⟦{name}, {len(text)} characters: {text[:edge]} … {text[-edge:]}⟧"


def heard_before(turn: Turn, before: Turn | None) -> str:
    """Return what the assistant had asked, or how it ended where the person reacts to it; else nothing."""
    if before is None or not before.text:
        return ""
    is_short = len(turn.typed) <= _BRIEF
    asked = question_in(before.text, shortened(turn)) if is_short or _BY_POINTS.match(turn.typed) else ""
    if asked or _form("nod").fullmatch(turn.typed):
        return asked
    is_stopped = bool(turn.signals.after_interruption or turn.signals.rejected_tool)
    is_against = is_stopped or before.signals.undone or before.signals.vote < 0
    reacts = len(turn.typed) <= 4 * _BRIEF and bool(_form("reacts").search(turn.typed.lstrip()[:_BRIEF]))
    return _last(_sentences(_prose(before.text))) if is_against or reacts else ""


def portions(turns: Sequence[ShownTurn], *, new: Collection[int], most: int) -> list[list[ShownTurn]]:
    """Cut the turns of a session into portions of at most `most` tokens, each with turns that are new in it.

    Of the turns that are not new, only the last few before a new one are shown again, to understand it by.
    """
    marked = [
        shown._replace(is_new=shown.turn.number in new)
        for place, shown in enumerate(turns)
        if any(later.turn.number in new for later in turns[place : place + _CONTEXT + 1])
    ]
    found: list[list[ShownTurn]] = []
    room = 0
    for shown in marked:
        size = estimate(line_of(shown)) + 1
        if not found or size > room:
            found.append([])
            room = most
        found[-1].append(shown)
        room -= size
    return [portion for portion in found if any(shown.is_new for shown in portion)]
