"""Reports on apps: their memories, what became of a conversation, and what was deleted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

from memsuggest.core.json_shape import Also, Key, or_null
from memsuggest.core.model import AppDecision, AppMemory, Skipped
from memsuggest.core.render.page import FAINT, GOOD, HEAD, ID, PATH, WARN, Page, count, show_skipped
from memsuggest.core.render.safe_output import one_line
from memsuggest.core.text.when import day, iso
from memsuggest.judging.model_reports import Request, show_requests


@dataclass(frozen=True, slots=True, kw_only=True)
class AppRow:
    """One app."""

    app_id: Annotated[str, "The app's ID: an assistant's name, or `agent@repo`.", Key("app")]
    memories: int
    changed_at: Annotated[int, "Time of the last decision about the app's memories, in ISO 8601 format.", iso]


@dataclass(frozen=True, slots=True, kw_only=True)
class AppRows:
    """All apps that have, or had, memories."""

    JSON_NAME = "Apps"
    rows: Annotated[tuple[AppRow, ...], Key("apps")]
    limit: Annotated[int, "Maximum number of memories per app."]

    def show(self, page: Page) -> None:
        wide = max((len(row.app_id) for row in self.rows), default=0)
        for row in self.rows:
            page.line(
                (f"{row.app_id:<{wide}}", HEAD),
                f"  {row.memories} of {count(self.limit, 'memory', 'memories')}",
                (f"  changed {iso(row.changed_at)}", FAINT),
            )
        if not self.rows:
            page.line(
                "no app memories yet; ", ("`memsuggest memory learn PATH` creates one from a finished chat", FAINT)
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class AppShown:
    """One app with its memories and the decisions about them."""

    app_id: Annotated[str, Key("app")]
    limit: int
    memories: Annotated[tuple[AppMemory, ...], "Newest first."]
    decisions: Annotated[tuple[AppDecision, ...], "Newest first."]

    def show(self, page: Page) -> None:
        page.line((self.app_id, HEAD), f"  {len(self.memories)} of {count(self.limit, 'memory', 'memories')}")
        for memory in self.memories:
            marks = [memory.maker.value, f"importance {memory.importance}", *memory.tags]
            merged = f", with {count(len(memory.related), 'chat', 'chats')} merged in" if memory.related else ""
            page.line(f"{memory.id:>4}  ", one_line(memory.content))
            page.faint(f"      {day(memory.created_at)}  {', '.join(marks)}{merged}")
        if self.decisions and not page.quiet:
            page.line()
            page.line(("Decisions", HEAD), ", newest first")
            for decision in self.decisions:
                _show_decision(page, decision)


@dataclass(frozen=True, slots=True, kw_only=True)
class AppContext:
    """The context block an app receives about its previous chats."""

    app_id: Annotated[str, Key("app")]
    text: Annotated[str, "The context, escaped and framed as background information; empty if there are no memories."]
    shown: Annotated[int, "Number of memories included.", Key("memories")]
    elsewhere: Annotated[int, "Number of memories left out because they are about other workspaces."]

    def show(self, page: Page) -> None:
        if self.text:
            page.block(self.text)
        elif not page.quiet:
            page.faint(f"{self.app_id} has no memories in this workspace")
        if self.elsewhere and not page.quiet:
            page.line()
            left_out = count(self.elsewhere, "memory", "memories")
            page.faint(f"left out: {left_out} from other workspaces; `--everywhere` includes all workspaces")


@dataclass(frozen=True, slots=True, kw_only=True)
class AppLearned:
    """The result for one chat."""

    path: Annotated[str, "The transcript; null for a memory added by hand.", or_null]
    app_id: Annotated[str, Key("app")]
    memory: AppMemory | None
    why: Annotated[str, "Why no memory was stored; null if one was stored.", or_null] = ""
    why_by_rule: Annotated[str, "Why no model was used, or the model's error.", or_null] = ""
    decisions: Annotated[
        tuple[AppDecision, ...], "The stored memory, and what was removed or merged to make room."
    ] = ()
    requests: Annotated[tuple[Request, ...], "In a dry run, the text that would be sent to a model."] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class AppsLearned:
    """The results for several chats."""

    rows: Annotated[tuple[AppLearned, ...], Key("learned")]
    skipped: tuple[Skipped, ...] = ()

    def show(self, page: Page) -> None:
        for row in self.rows:
            if row.path:
                page.line((one_line(row.path), PATH))
            if row.memory is None or row.why:
                page.faint(f"  {row.app_id}: no new memory: {one_line(row.why)}")
                continue
            page.line("  ", (row.app_id, HEAD), (f"  {row.memory.id}  ", ID), one_line(row.memory.content))
            if row.why_by_rule:
                page.faint(f"  no model was used: {one_line(row.why_by_rule)}")
            for decision in row.decisions:
                if decision.memory_id != row.memory.id or decision.action.value not in ("create", "update"):
                    _show_decision(page, decision)
        if not self.rows:
            page.line("no finished chats found")
        show_skipped(page, self.skipped)
        show_requests(page, [request for row in self.rows for request in row.requests])


@dataclass(frozen=True, slots=True, kw_only=True)
class AppForgotten:
    """Confirmation of an app's deleted memories."""

    app_id: Annotated[str, Key("app")]
    deleted_count: ClassVar = Also("ids", int, to=len)
    ids: Annotated[tuple[int, ...], "IDs of the deleted memories."]
    left: Annotated[int, "Number of memories left."]
    at: Annotated[int, "In ISO 8601 format.", iso]

    def show(self, page: Page) -> None:
        if not self.ids:
            page.line(f"{self.app_id} has no memories")
            return
        ids = ", ".join(map(str, self.ids))
        page.line(
            (f"{count(len(self.ids), 'memory', 'memories')} of {self.app_id} deleted", GOOD),
            f" ({ids}), {self.left} left; the log records the deletion but not the text",
        )


def _show_decision(page: Page, decision: AppDecision) -> None:
    page.line(
        (f"  {iso(decision.at)}  ", FAINT),
        (f"{decision.action.value:<6}", WARN if decision.action.value in ("delete", "purge") else GOOD),
        f"  {decision.memory_id or '':>4}  by {decision.by.value}{': ' if decision.reason else ''}",
        one_line(decision.reason),
    )
