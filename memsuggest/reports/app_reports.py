"""Reports on apps: their memories, what became of a conversation, and what was deleted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

from memsuggest.json_shape import Also, Key, or_null
from memsuggest.model import AppDecision, AppMemory, Skipped
from memsuggest.reports.learning_reports import Request
from memsuggest.text.when import iso


@dataclass(frozen=True, slots=True, kw_only=True)
class AppRow:
    """One app."""

    app_id: Annotated[str, "Its id: an assistant's name, or `agent@repo`.", Key("app")]
    memories: int
    changed_at: Annotated[int, "When something was last decided about them, as ISO 8601.", iso]


@dataclass(frozen=True, slots=True, kw_only=True)
class AppRows:
    """All apps that something is remembered of, or was."""

    JSON_NAME = "Apps"
    rows: Annotated[tuple[AppRow, ...], Key("apps")]
    limit: Annotated[int, "How many memories an app keeps at most."]


@dataclass(frozen=True, slots=True, kw_only=True)
class AppShown:
    """One app with its memories and what was decided about them."""

    app_id: Annotated[str, Key("app")]
    limit: int
    memories: Annotated[tuple[AppMemory, ...], "Newest first."]
    decisions: Annotated[tuple[AppDecision, ...], "Newest first."]


@dataclass(frozen=True, slots=True, kw_only=True)
class AppContext:
    """The text that an app gets about its former conversations."""

    app_id: Annotated[str, Key("app")]
    text: Annotated[str, "Escaped, and framed as background; empty where nothing is remembered."]
    shown: Annotated[int, "How many are in it.", Key("memories")]
    elsewhere: Annotated[int, "How many are about other workspaces and were left out."]


@dataclass(frozen=True, slots=True, kw_only=True)
class AppLearned:
    """The outcome for one conversation."""

    path: Annotated[str, "The transcript; null for what was written by hand.", or_null]
    app_id: Annotated[str, Key("app")]
    memory: AppMemory | None
    why: Annotated[str, "Why there is no memory of it, or no new one.", or_null] = ""
    why_by_rule: Annotated[str, "Why no model was asked, or what went wrong with it.", or_null] = ""
    decisions: Annotated[tuple[AppDecision, ...], "What was stored, and what made room for it."] = ()
    requests: Annotated[tuple[Request, ...], "In a dry run: what would be sent to a model."] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class AppsLearned:
    """The outcomes for some conversations."""

    rows: Annotated[tuple[AppLearned, ...], Key("learned")]
    skipped: tuple[Skipped, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class AppForgotten:
    """The receipt for what was deleted of an app."""

    app_id: Annotated[str, Key("app")]
    deleted_count: ClassVar = Also("ids", int, to=len)
    ids: Annotated[tuple[int, ...], "Of the memories that were deleted."]
    left: Annotated[int, "How many it still has."]
    at: Annotated[int, "As ISO 8601.", iso]
