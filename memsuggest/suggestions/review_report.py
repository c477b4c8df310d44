"""One suggestion in a review: on a screen of its own, or beside the list of them.

In the order in which a person decides, so that the first rows are enough for most; no more than fits.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from memsuggest.core.context import Context
from memsuggest.core.database import store_errors
from memsuggest.core.errors import StoreError, TranscriptError
from memsuggest.core.model import Citation, Edit, Role, Turn
from memsuggest.core.render.page import (
    BAD,
    FAINT,
    GOOD,
    HEAD,
    ID,
    PATH,
    SHORT,
    Page,
    diff_hang,
    sentence,
    show_diff,
)
from memsuggest.core.render.safe_output import in_quotes, one_line, safe
from memsuggest.customizations.diff import CONTEXT, unified
from memsuggest.suggestions.decision_reports import (
    PlaceChoice,
    Shown,
    readers_line,
    show_readers,
    warnings_of,
)
from memsuggest.suggestions.listed import as_written, where
from memsuggest.suggestions.suggestion_lines import MAINTENANCE, facts_line, source_line


@dataclass(frozen=True, slots=True, kw_only=True)
class Screen:
    """One suggestion of a review."""

    shown: Shown
    number: int
    count: int
    applied: int = 0
    is_new: bool = False
    """It was not shown at the last look, and others were."""
    notes: tuple[str, ...] = ()
    """What was done since the screen before."""

    def show(self, page: Page) -> None:
        """Print one suggestion so that it fits the terminal, with the question's room left below it."""
        page.clear()
        shown, suggestion, fact = self.shown, self.shown.suggestion, self.shown.suggestion.fact
        columns, left = page.size
        width = max(20, columns)

        def put(*parts: str | tuple[str, str], hang: int | None = None) -> None:
            nonlocal left
            left -= page.line(*parts, hang=hang)

        for note in (one_line(note, limit=_LONGEST_NOTE * width) for note in self.notes):
            put((note, BAD if note.startswith("error: ") else GOOD))
        progress = f"{self.number} of {self.count} · {self.applied} applied"
        put((progress, FAINT), "  ", (suggestion.id[:SHORT], ID), ("  new" if self.is_new else "", GOOD))
        put((one_line(as_written(suggestion)), HEAD), hang=0)
        put((f"  {facts_line(fact) if fact else MAINTENANCE}", FAINT))
        for citation in suggestion.citations[:1]:
            put("  “", one_line(citation.quote, limit=2 * width), "”", hang=3)
            put((f" {_source(citation, len(suggestion.citations) - 1, shown.chat)}", FAINT), hang=3)
        put("→ ", (where(suggestion), PATH))
        if why := shown.suggestion.why:
            put((f"  {one_line(sentence(why), limit=2 * width)}", FAINT))
        if shown.readers.others:
            put((f"  {readers_line(shown.readers)}", FAINT))
        for line in warnings_of(shown):
            put(*line, hang=4)
        put()
        left -= _show_hunks(page, unified(suggestion.edit), room=left - _QUESTION)
        if left > _QUESTION:
            page.line()


def _source(citation: Citation, more: int, chat: str = "") -> str:
    words = one_line(chat).strip("“”")
    title = f" · “{words[:_TITLE].rstrip()}{'…' * (len(words) > _TITLE)}”" if words else ""
    return f"  {source_line(citation)}{title}" + (f" · and {more} more (press `w`)" if more else "")


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    """The turns around a quote; none where the chat is not there any more."""

    turns: tuple[Turn, ...] = ()
    cited: int = 0
    """The number of the turn that is quoted."""


_TITLE = 50  # characters of a chat's title
_LONGEST_DIFF = 400  # rows of a diff beside the list; `w` shows all
_LONGEST_ROW = 2000  # characters of a row of a diff beside the list: a page that was minified is one row
_LONGEST_TURN = 600  # characters of a turn that stands around a quote
_LONGEST_NEAR = 80  # characters of the turn before and after it on a short screen
_STYLES = {"+": GOOD, "-": BAD, "@": PATH, "\\": FAINT}


def show_pane(  # noqa: PLR0913  (what a pane shows)
    page: Page,
    shown: Shown,
    *,
    diff: str | None = None,
    is_new: bool = False,
    conversation: Conversation | None = None,
    places: Sequence[PlaceChoice] = (),
    is_short: bool = False,
) -> None:
    """Print a suggestion; without its diff, and without its conversation, where these are not made yet.

    `places` are others, numbered from 2 on. On a short screen the turns around the quote stand in its place.
    """
    suggestion, fact = shown.suggestion, shown.suggestion.fact
    page.line((one_line(as_written(suggestion)), HEAD), hang=0)
    about = facts_line(fact) if fact else MAINTENANCE
    page.line((suggestion.id[:SHORT], ID), ("  new" if is_new else "", GOOD), ("  " + about, FAINT), hang=2)
    page.line("→ ", (where(suggestion), PATH), hang=2)
    if is_short and diff is not None:  # what `y` writes is on the screen before anything else
        show_hunks(page, "\n".join(_around_changes(diff.removesuffix("\n").split("\n"), 1)))
        page.line()
    others = [f"{number} {place_name(place, suggestion.target_uri)}" for number, place in enumerate(places, 2)]
    if others:
        page.faint(f"  or {' · '.join(others)}", hang=2)
    if (why := shown.suggestion.why) and not is_short:
        page.faint("  " + sentence(why), hang=2)
    if not is_short:
        show_readers(page, shown.readers)
    for line in warnings_of(shown):
        page.line(*line, hang=4)
    is_talk_first = is_short and conversation is not None and bool(conversation.turns)
    chat = "" if is_talk_first else shown.chat  # the turns that follow say more than its title
    for citation in suggestion.citations[:1]:
        show_quote(page, citation, more=len(suggestion.citations) - 1, chat=chat, is_in_chat=is_talk_first)
    if is_talk_first and conversation:
        show_conversation(page, conversation, is_short=True)
    page.line()
    if diff is not None and not is_short:
        show_hunks(page, diff)
    if conversation is not None and fact and not is_talk_first:
        page.line()
        show_conversation(page, conversation, is_short=False)


def place_name(place: PlaceChoice, file: str | None = None) -> str:
    """Return a place in one line; within the same file, its heading is enough."""
    uri = "" if place.uri == file else f"{place.uri} "
    return one_line(f"{uri}› {place.heading}" if place.heading else place.uri)


def show_quote(page: Page, citation: Citation, *, more: int, chat: str = "", is_in_chat: bool = False) -> None:
    """Print what was said, who said it and where; without its words where its chat follows."""
    if citation.quote and not is_in_chat:
        page.line("  ", in_quotes(citation.quote), hang=3)
    page.faint(_source(citation, more, chat), hang=3)


def hunks_of(edit: Edit) -> str:
    """Return the diff of an edit without the lines that only git needs."""
    diff = unified(edit)
    at = diff.find("\n@@")
    return diff[at + 1 :] if at >= 0 else diff


def show_hunks(page: Page, diff: str) -> None:
    rows = diff.removesuffix("\n").split("\n")
    for row in rows[:_LONGEST_DIFF]:
        text = row.removesuffix("\r")
        if len(text) > _LONGEST_ROW:
            text = f"{text[:_LONGEST_ROW]} … (`w` shows everything)"
        page.line((text, _STYLES.get(text[:1], "")), hang=diff_hang(text))
    if len(rows) > _LONGEST_DIFF:
        page.faint(f"… lines not shown: {len(rows) - _LONGEST_DIFF} (press `w` to see all)")


def show_conversation(page: Page, conversation: Conversation, *, is_short: bool) -> None:
    """Print the turns around a quote; on a short screen only those before and after it, in few rows."""
    turns = conversation.turns
    if is_short:
        at = next((place for place, turn in enumerate(turns) if turn.number == conversation.cited), 0)
        turns = turns[max(0, at - 1) : at + 2]
    elif not turns:
        page.faint("the chat is no longer available")
    else:
        page.line(("In the chat", HEAD))
    for turn in turns:
        is_cited, is_persons = turn.number == conversation.cited, turn.role is Role.USER
        limit = _LONGEST_NEAR * (3 if is_cited else 1) if is_short else _LONGEST_TURN
        if said := one_line(safe(turn.typed if is_persons else turn.text), limit=limit):
            who = f"{'▸' if is_cited else ' '} {turn.number} {'you' if is_persons else 'assistant'}: "
            page.line((who, FAINT), (said, "" if is_cited else FAINT), hang=4)


_QUESTION = 2  # rows that the question takes
_LONGEST_NOTE = 4  # rows that a note takes at most
_LEAST = 5  # rows of a diff that are shown on the smallest of screens


def _show_hunks(page: Page, diff: str, *, room: int) -> int:
    """Print a diff without the lines that only git needs, as far as there is room; return how many rows it takes.

    What changes is shown before what stands near it.
    """
    lines = diff.removesuffix("\n").split("\n")
    first = next((place for place, line in enumerate(lines) if line.startswith("@@")), 0)
    columns, body = page.size[0], lines[first:]
    for place, line in enumerate(body):
        if line[:1] == " " and len(line) >= columns:  # it only stands around the change: one row of it is enough
            cut = line[: columns - 2]
            body[place] = f"{cut.rpartition(' ')[0].rstrip() or cut} …"  # one long word is cut in the middle
    room = max(_LEAST, room)
    for near in range(CONTEXT, -1, -1):
        kept = _around_changes(body, near)
        heights = [page.height(line, hang=diff_hang(line)) for line in kept]
        if sum(heights) <= room:
            break
    hidden = 0  # from the top: what a file begins with is told by its place, and the rule comes last
    while len(kept) - hidden > 1 and sum(heights[hidden:]) > room - 1:
        hidden += 1
    if hidden:
        page.faint(f"… {hidden} more changed {'lines' if hidden > 1 else 'line'}: press `w` to see all")
    show_diff(page, "\n".join(kept[hidden:]))
    return sum(heights[hidden:]) + bool(hidden)


def _around_changes(body: list[str], near: int) -> list[str]:
    changes = [place for place, line in enumerate(body) if line[:1] in {"+", "-"}]
    return [
        line
        for place, line in enumerate(body)
        if line[:1] != " " or any(abs(place - change) <= near for change in changes)
    ]


BEFORE, AFTER = 3, 2  # turns that are shown around a quote


def places_of(context: Context, citation: Citation) -> tuple[str, ...]:
    """Return the files in which a citation's chat was read, the last one first; quick, since no chat is opened."""
    with suppress(StoreError), store_errors(context.state):
        return context.progress.places_of(citation.session_id)
    return ()


def read_conversation(places: tuple[str, ...], citation: Citation) -> Conversation:
    """Return the turns around a quote; none where the chat is gone, or does not say that any more. May take long."""
    from memsuggest.transcripts.reading import read_around

    for place in places:
        with suppress(TranscriptError, OSError):
            transcript = read_around(Path(place), citation.turn, before=BEFORE, after=AFTER)
            if transcript.session_id == citation.session_id and transcript.turns:
                return Conversation(turns=transcript.turns, cited=citation.turn)
    return Conversation()
