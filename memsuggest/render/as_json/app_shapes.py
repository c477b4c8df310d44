"""Memories of apps, as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, TypedDict

from memsuggest.render.as_json.filling import fill
from memsuggest.render.as_json.model_shapes import RequestJson
from memsuggest.render.as_json.shared_shapes import SkippedJson
from memsuggest.render.when import iso

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memsuggest.model import AppDecision, AppMemory
    from memsuggest.reports import app_reports


class AppRowJson(TypedDict):
    """One app."""

    app: Annotated[str, "Its id: an assistant's name, or `agent@repo`."]
    memories: int
    changedAt: Annotated[str | None, "When something was last decided about them, as ISO 8601."]


class AppsJson(TypedDict):
    """All apps that something is remembered of, or was."""

    apps: list[AppRowJson]
    limit: Annotated[int, "How many memories an app keeps at most."]


class AppMemoryJson(TypedDict):
    """A memory of one conversation."""

    id: int
    content: str
    createdAt: Annotated[str | None, "As ISO 8601."]
    updatedAt: Annotated[str | None, "As ISO 8601."]
    conversation: Annotated[str | None, "The session that it comes from; null: it was written by hand."]
    related: Annotated[list[str], "Further sessions that were merged into it."]
    importance: Annotated[int, "From 0 to 10."]
    tags: list[str]
    madeBy: Annotated[str, "`rule`, `model` or `person`."]


class AppDecisionJson(TypedDict):
    """A decision about a memory."""

    at: Annotated[str | None, "As ISO 8601."]
    action: Annotated[str, "`create`, `update`, `merge`, `delete` or `purge`."]
    memory: Annotated[int | None, "Its id."]
    conversation: Annotated[str | None, "The session that it was about."]
    reason: str
    by: Annotated[str, "`rule`, `model`, `person` or `api`."]


class AppShownJson(TypedDict):
    """One app with its memories and what was decided about them."""

    app: str
    limit: int
    memories: Annotated[list[AppMemoryJson], "Newest first."]
    decisions: Annotated[list[AppDecisionJson], "Newest first."]


class AppContextJson(TypedDict):
    """The text that an app gets about its former conversations."""

    app: str
    text: Annotated[str, "Escaped, and framed as background; empty where nothing is remembered."]
    memories: Annotated[int, "How many are in it."]
    elsewhere: Annotated[int, "How many are about other workspaces and were left out."]


class AppLearnedJson(TypedDict):
    """The outcome for one conversation."""

    path: Annotated[str | None, "The transcript; null for what was written by hand."]
    app: str
    memory: AppMemoryJson | None
    why: Annotated[str | None, "Why there is no memory of it, or no new one."]
    whyByRule: Annotated[str | None, "Why no model was asked, or what went wrong with it."]
    decisions: Annotated[list[AppDecisionJson], "What was stored, and what made room for it."]
    requests: Annotated[list[RequestJson], "In a dry run: what would be sent to a model."]


class AppsLearnedJson(TypedDict):
    """The outcomes for some conversations."""

    learned: list[AppLearnedJson]
    skipped: list[SkippedJson]


class AppForgottenJson(TypedDict):
    """The receipt for what was deleted of an app."""

    app: str
    deletedCount: int
    ids: Annotated[list[int], "Of the memories that were deleted."]
    left: Annotated[int, "How many it still has."]
    at: Annotated[str | None, "As ISO 8601."]


def apps_json(report: app_reports.AppRows) -> AppsJson:
    """Return all apps."""
    rows: list[AppRowJson] = [
        {"app": one.app_id, "memories": one.memories, "changedAt": iso(one.changed_at)} for one in report.rows
    ]
    return {"apps": rows, "limit": report.limit}


def app_shown_json(report: app_reports.AppShown) -> AppShownJson:
    """Return one app."""
    return {
        "app": report.app_id,
        "limit": report.limit,
        "memories": [_memory(one) for one in report.memories],
        "decisions": [_decision(one) for one in report.decisions],
    }


def app_context_json(report: app_reports.AppContext) -> AppContextJson:
    """Return what an app is told."""
    return {"app": report.app_id, "text": report.text, "memories": report.shown, "elsewhere": report.elsewhere}


def apps_learned_json(report: app_reports.AppsLearned) -> Mapping[str, object]:
    """Return what became of some conversations."""
    return {
        "learned": [_learned(one) for one in report.rows],
        "skipped": [fill(SkippedJson, one) for one in report.skipped],
    }


def _learned(report: app_reports.AppLearned) -> Mapping[str, object]:
    return {
        "path": report.path or None,
        "app": report.app_id,
        "memory": _memory(report.memory) if report.memory else None,
        "why": report.why or None,
        "whyByRule": report.why_by_rule or None,
        "decisions": [_decision(one) for one in report.decisions],
        "requests": [fill(RequestJson, one) for one in report.requests],
    }


def app_forgotten_json(report: app_reports.AppForgotten) -> AppForgottenJson:
    """Return a receipt."""
    return {
        "app": report.app_id,
        "deletedCount": len(report.ids),
        "ids": list(report.ids),
        "left": report.left,
        "at": iso(report.at),
    }


def _memory(memory: AppMemory) -> AppMemoryJson:
    """Return one memory."""
    return {
        "id": memory.id,
        "content": memory.content,
        "createdAt": iso(memory.created_at),
        "updatedAt": iso(memory.updated_at),
        "conversation": memory.conversation,
        "related": list(memory.related),
        "importance": memory.importance,
        "tags": list(memory.tags),
        "madeBy": memory.maker.value,
    }


def _decision(decision: AppDecision) -> AppDecisionJson:
    return {
        "at": iso(decision.at),
        "action": decision.action.value,
        "memory": decision.memory_id,
        "conversation": decision.conversation,
        "reason": decision.reason,
        "by": decision.by.value,
    }
