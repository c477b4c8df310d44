"""Reports on apps: their memories, what became of a conversation, and what was deleted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memsuggest.model import AppDecision, AppMemory, Skipped
    from memsuggest.reports.learning_reports import Request


@dataclass(frozen=True, slots=True, kw_only=True)
class AppRow:
    """One app."""

    app_id: str
    memories: int
    changed_at: int
    """Milliseconds since the epoch."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AppRows:
    """All apps that something is remembered of, or was."""

    rows: tuple[AppRow, ...]
    limit: int


@dataclass(frozen=True, slots=True, kw_only=True)
class AppShown:
    """One app with its memories and what was decided about them, newest first."""

    app_id: str
    limit: int
    memories: tuple[AppMemory, ...]
    decisions: tuple[AppDecision, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AppContext:
    """The text that an app gets about its former conversations."""

    app_id: str
    text: str
    shown: int
    elsewhere: int
    """Memories that are about other workspaces and were left out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AppLearned:
    """The outcome for one conversation, or for what was written by hand."""

    app_id: str
    path: str
    """The transcript; empty for what was written by hand."""
    memory: AppMemory | None
    why: str = ""
    """Why there is no memory of it."""
    why_by_rule: str = ""
    """Why no model was asked, or what went wrong with it."""
    decisions: tuple[AppDecision, ...] = ()
    requests: tuple[Request, ...] = ()
    """For a dry run: what would be sent."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AppsLearned:
    """The outcomes for some conversations."""

    rows: tuple[AppLearned, ...]
    skipped: tuple[Skipped, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class AppForgotten:
    """The receipt for what was deleted of an app."""

    app_id: str
    ids: tuple[int, ...]
    at: int
    left: int
