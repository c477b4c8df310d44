"""The report of `coverage`: what people keep saying, the file that says it, and files that no chat used."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

from memsuggest.core.json_shape import Also, Hidden, Key, or_null
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
class FileUse:
    """A customization file, and whether chats used it."""

    uri: str
    tokens: Annotated[int, "The cost each time it is loaded."]
    loaded: Annotated[int, "The number of recent chats whose assistant loaded it."]
    touched: Annotated[int, "The number of recent chats that read or changed it."]
    last_used: Annotated[
        int | None, "The start time of the last chat that used it, as ISO 8601; null for none.", iso
    ] = None
    idle: ClassVar = Also("is_idle", bool, "Whether no recent chat used it.")
    is_known: Annotated[bool, "Whether chats record that it is used.", Key("known")] = True
    why: Annotated[str, "The reason no recent chat loaded it, if any."] = ""

    @property
    def is_idle(self) -> bool:
        """Tell whether none of the last chats used it, as far as they tell."""
        return self.is_known and not self.loaded and not self.touched


@dataclass(frozen=True, slots=True, kw_only=True)
class CoverageReport:
    """Coverage: what people keep saying, the file that says it, and files that nothing uses."""

    JSON_NAME = "Coverage"
    chats: Annotated[int, "The number of chats analyzed."]
    last: Annotated[int, "The number of newest chats that count for file use."]
    unlearned: Annotated[int, "Chats that `reconcile` has not read yet."] = 0
    _gaps: ClassVar = Also("gaps", tuple[Matter, ...], "Rules in no file, highest price first.")
    _covered: ClassVar = Also("covered", tuple[Matter, ...], "Rules in a file.")
    files: Annotated[tuple[FileUse, ...], "The customization files, unused ones first."]
    _idle_tokens: ClassVar = Also("idle_tokens", int, "The total cost of the idle files.")
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

    @property
    def idle(self) -> tuple[FileUse, ...]:
        """The files that nothing used."""
        return tuple(one for one in self.files if one.is_idle)

    @property
    def idle_tokens(self) -> int:
        """The cost of those together."""
        return sum(one.tokens for one in self.idle)

    def show(self, page: Page) -> None:
        """Print the dearest gaps, what is covered, and the files that nothing used."""
        _show_gaps(page, self)
        _show_covered(page, self)
        _show_idle(page, self)
        show_skipped(page, self.skipped)


_MOST = 10
"""Gaps, and idle files, that are shown."""
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


def _show_idle(page: Page, report: CoverageReport) -> None:
    if not report.files or not report.last:
        return
    page.line()
    idle = report.idle
    chats = f"the last {report.last} chats" if report.last > 1 else "the last chat"
    if not idle:
        each = "each of the" if len(report.files) > 1 else "the"
        page.line((f"{chats} used {each} {count(len(report.files), 'file', 'files')}", GOOD))
        return
    page.line((f"Files not used in {chats} ({len(idle)}, about {report.idle_tokens:,} tokens)", HEAD))
    for one in idle[:_MOST]:
        _show_file(page, one)
    if len(idle) > _MOST:
        page.faint(f"  and {len(idle) - _MOST} more; use `--format json` to list all")


def _show_file(page: Page, one: FileUse) -> None:
    used = f"last used {day(one.last_used)}" if one.last_used else "never used"
    page.line("  ", (one.uri, PATH), (f"  about {one.tokens:,} tokens, ", FAINT), (used, WARN), hang=4)
    if one.why:
        page.faint(f"    {one_line(one.why)}", hang=6)


def _short(text: str) -> str:
    line = one_line(text)
    return line if len(line) <= _QUOTE else f"{line[:_QUOTE].rstrip()} …"
