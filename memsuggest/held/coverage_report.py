"""The report of `coverage`: what people keep saying, and the file that says it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

from memsuggest.core.json_shape import Also, Hidden, or_null
from memsuggest.core.model import Citation, Scope, Skipped
from memsuggest.core.render.page import FAINT, GOOD, HEAD, ID, INDENT, PATH, SHORT, WARN, Page, count, show_skipped
from memsuggest.core.render.safe_output import one_line
from memsuggest.core.text.when import day, iso


@dataclass(frozen=True, slots=True, kw_only=True)
class Covering:
    """A line of a file that says something already."""

    uri: str
    line: Annotated[int, "From 1."]
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Matter:
    """One thing that was said in several chats, or by several people."""

    fact_ids: Annotated[tuple[str, ...], "The facts about it, most evidence first."]
    content: Annotated[str, "The text of the first fact."]
    scope: Annotated[Scope, "`workspace`: about this repo; `user`: about you, in every repo."]
    times: Annotated[int, "The number of times it was said."]
    chats: Annotated[int, "The number of chats."]
    others: Annotated[int, "The number of those chats that belong to other people."] = 0
    _price: ClassVar = Also("price", int, "Times said × chats.")
    first: Annotated[int | None, "The time it was first said, as ISO 8601.", iso] = None
    last: Annotated[int | None, iso] = None
    covered_by: Annotated[tuple[Covering, ...], "The lines that state it; empty for a gap."] = ()
    suggestion_id: Annotated[str, "The id of the pending suggestion that adds it to a file.", or_null] = ""
    citations: Annotated[tuple[Citation, ...], "Your own words, oldest first."] = ()

    @property
    def price(self) -> int:
        """The price of no file saying it: times said × chats."""
        return self.times * self.chats


@dataclass(frozen=True, slots=True, kw_only=True)
class CoverageReport:
    """Coverage: what people keep saying, and the file that says it."""

    JSON_NAME = "Coverage"
    chats: Annotated[int, "The number of chats analyzed."]
    unlearned: Annotated[int, "Chats that `reconcile` has not read yet."] = 0
    _gaps: ClassVar = Also("gaps", tuple[Matter, ...], "Rules in no file, highest price first.")
    _covered: ClassVar = Also("covered", tuple[Matter, ...], "Rules in a file.")
    skipped: tuple[Skipped, ...] = ()
    matters: Hidden[tuple[Matter, ...]]
    """What was said in two chats and more, or by several people: the dearest first."""

    @property
    def gaps(self) -> tuple[Matter, ...]:
        """The matters that no file says, the dearest first."""
        return tuple(one for one in self.matters if not one.covered_by)

    @property
    def covered(self) -> tuple[Matter, ...]:
        """The matters that a file says."""
        return tuple(one for one in self.matters if one.covered_by)

    def show(self, page: Page) -> None:
        """Print the dearest gaps, and what is covered."""
        _show_gaps(page, self)
        _show_covered(page, self)
        show_skipped(page, self.skipped)


_MOST = 10
"""Gaps that are shown."""
_QUOTE = 100  # characters


def _show_gaps(page: Page, report: CoverageReport) -> None:
    gaps = report.gaps
    if report.unlearned:
        chats = count(report.unlearned, "chat was", "chats were")
        page.line((f"{chats} not read yet: run `memsuggest reconcile`", WARN))
    if not gaps:
        told = (
            "everything you said in several chats is in your files"
            if report.matters
            else "nothing has been said in more than one chat yet"
        )
        page.line((told, GOOD if report.matters else ""))
        return
    page.line((f"Said repeatedly, but in no file ({len(gaps)})", HEAD))
    for one in gaps[:_MOST]:
        _show_gap(page, one)
    if len(gaps) > _MOST:
        page.faint(f"  and {len(gaps) - _MOST} more; use `--format json` to list all")
    waiting = next((one for one in gaps[:_MOST] if one.suggestion_id), None)
    if waiting:
        page.faint(
            f"  `memsuggest show {waiting.suggestion_id[:SHORT]}` shows where the first pending suggestion would go"
        )


def _show_gap(page: Page, one: Matter) -> None:
    name = one.suggestion_id or one.fact_ids[0]
    page.line((name[:SHORT], ID), "  ", one_line(one.content), hang=SHORT + 2)
    told = [f"said {count(one.times, 'time', 'times')} in {count(one.chats, 'chat', 'chats')}"]
    if one.others:
        told.append(f"{one.others} by others")
    if one.last:
        told.append(f"last {day(one.last)}")
    if one.suggestion_id:
        told.append("pending")
    page.faint(f"{' ' * (SHORT + 2)}{', '.join(told)}", hang=INDENT)
    if one.citations:
        page.line(f"{' ' * (SHORT + 2)}› “{_short(one.citations[-1].quote)}”", hang=INDENT)


def _show_covered(page: Page, report: CoverageReport) -> None:
    covered = report.covered
    if not covered:
        return
    page.head(
        f"Said repeatedly, and in a file ({len(covered)})", "  run `memsuggest held` to see whether these rules hold"
    )
    for one in covered[:_MOST]:
        place = one.covered_by[0]
        page.line(
            (f"{place.uri}:{place.line}", PATH),
            f"  {one_line(one.content)}",
            (f"  {one.times}× in {count(one.chats, 'chat', 'chats')}", FAINT),
            hang=4,
        )
    if len(covered) > _MOST:
        page.faint(f"  and {len(covered) - _MOST} more")


def _short(text: str) -> str:
    line = one_line(text)
    return line if len(line) <= _QUOTE else f"{line[:_QUOTE].rstrip()} …"
