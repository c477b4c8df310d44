"""One suggestion beside a list of them: the rule, its place and why, the change of the file, what was said around it.

In the order in which a person decides, so that the first rows are enough for most.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from memsuggest.model import Role
from memsuggest.render.safe_output import in_quotes, one_line, safe
from memsuggest.render.terminal.clashes import clash_lines
from memsuggest.render.terminal.evidence_lines import facts_line, source_line
from memsuggest.render.terminal.page import BAD, FAINT, GOOD, HEAD, ID, PATH, SHORT, WARN, Page, diff_hang, sentence
from memsuggest.suggestions.diff import unified
from memsuggest.suggestions.listed import as_written, where

if TYPE_CHECKING:
    from memsuggest.model import Citation, Edit, MemoryFact, MemorySuggestion, Turn
    from memsuggest.reports import decision_reports

_MAINTENANCE = "care of your files: nobody said this, the file shows it"
_LONGEST_DIFF = 400
"""Rows of a diff beside the list; `w` shows all."""
_LONGEST_ROW = 2000
"""Characters of a row of a diff beside the list: a page that was minified is one row."""
_LONGEST_TURN = 600
"""Characters of a turn that stands around a quote."""
_STYLES = {"+": GOOD, "-": BAD, "@": PATH, "\\": FAINT}


def show_pane(
    page: Page,
    shown: decision_reports.Shown,
    *,
    diff: str | None = None,
    is_new: bool = False,
    conversation: decision_reports.Conversation | None = None,
) -> None:
    """Print a suggestion; without its diff, and without its conversation, where these are not made yet."""
    suggestion, fact = shown.suggestion, shown.suggestion.fact
    page.line((one_line(as_written(suggestion)), HEAD), hang=0)
    about = facts_line(fact) if fact else _MAINTENANCE
    page.line((suggestion.id[:SHORT], ID), ("  new" if is_new else "", GOOD), ("  " + about, FAINT), hang=2)
    page.line("→ ", (where(suggestion), PATH), hang=2)
    if suggestion.why:
        page.line(("  " + sentence(suggestion.why), FAINT), hang=2)
    _show_warnings(page, shown, fact)
    for citation in suggestion.citations[:1]:
        show_quote(page, citation, more=len(suggestion.citations) - 1)
    page.line()
    if diff is not None:
        show_hunks(page, diff)
    if conversation is not None and fact:
        page.line()
        show_conversation(page, conversation)


def _show_warnings(page: Page, shown: decision_reports.Shown, fact: MemoryFact | None) -> None:
    for line in clash_lines(fact, shown.contradictions) if fact else ():
        page.line(*line, hang=4)
    if shown.suggestion.executable:
        page.line(("! this is executable configuration: it is confirmed by itself, never in bulk", WARN), hang=2)
    if shown.danger:
        page.line((f"! warning: this rule {shown.danger}; it is confirmed by itself", WARN), hang=2)
    if shown.was_replanned:
        page.line(("its file changed since this was suggested: this is the edit for the file as it is now", FAINT))


def show_quote(page: Page, citation: Citation, *, more: int) -> None:
    """Print what was said, who said it and where."""
    if citation.quote:
        page.line("  ", in_quotes(citation.quote), hang=3)
    page.line(("  " + source_line(citation) + (f" · and {more} more, `w`" if more else ""), FAINT), hang=3)


def hunks_of(edit: Edit) -> str:
    """Return the diff of an edit without the lines that only git needs."""
    diff = unified(edit)
    at = diff.find("\n@@")
    return diff[at + 1 :] if at >= 0 else diff


def show_hunks(page: Page, diff: str) -> None:
    """Print the change of a file within its lines, as far as a person reads it."""
    rows = diff.removesuffix("\n").split("\n")
    for row in rows[:_LONGEST_DIFF]:
        text = row.removesuffix("\r")
        if len(text) > _LONGEST_ROW:
            text = f"{text[:_LONGEST_ROW]} … (`w` shows all)"
        page.line((text, _STYLES.get(text[:1], "")), hang=diff_hang(text))
    if len(rows) > _LONGEST_DIFF:
        page.line((f"… {len(rows) - _LONGEST_DIFF} more lines of the change: `w` shows all", FAINT))


def show_conversation(page: Page, conversation: decision_reports.Conversation) -> None:
    """Print the turns around a quote, the quoted one marked by a sign, not by its colour alone."""
    if not conversation.turns:
        page.line(("the chat around it is not there any more", FAINT))
        return
    page.line(("In the chat", HEAD))
    for turn in conversation.turns:
        _show_turn(page, turn, is_cited=turn.number == conversation.cited)


def _show_turn(page: Page, turn: Turn, *, is_cited: bool) -> None:
    said = one_line(safe(turn.typed if turn.role is Role.USER else turn.text), limit=_LONGEST_TURN)
    if not said:
        return
    who = "you" if turn.role is Role.USER else "assistant"
    page.line((f"{'▸' if is_cited else ' '} {turn.number} {who}: ", FAINT), (said, "" if is_cited else FAINT), hang=4)


def short_words(suggestion: MemorySuggestion) -> str:
    """Return a suggestion's words for a row of a list."""
    return one_line(as_written(suggestion))
