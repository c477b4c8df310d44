"""The description of the admin API: as OpenAPI, and as a plain page that loads nothing from anywhere. Pure."""

from __future__ import annotations

from html import escape
from typing import Any

_NAME = r"^[\p{L}\p{Nd}_][\p{L}\p{Nd}_@+-]*([. ][\p{L}\p{Nd}_@+-]+)*$"
_APP = {
    "name": "appId",
    "in": "path",
    "required": True,
    "description": "An assistant's name, or `agent@repo`; `memsuggest apps list` names them.",
    "schema": {"type": "string", "pattern": _NAME, "minLength": 1, "maxLength": 80},
}
_MEMORY = {
    "name": "memoryId",
    "in": "path",
    "required": True,
    "description": "The id of a memory.",
    "schema": {"type": "integer", "minimum": 1, "maximum": 999_999_999_999_999_999},
}
_ERROR = {
    "type": "object",
    "required": ["error"],
    "properties": {
        "error": {
            "type": "object",
            "required": ["code", "message"],
            "properties": {
                "code": {"type": "string"},
                "message": {"type": "string"},
                "hint": {"type": ["string", "null"]},
            },
        }
    },
}
_ITEM = {
    "type": "object",
    "required": ["id", "content", "createdAt", "updatedAt"],
    "properties": {
        "id": {"type": "integer"},
        "content": {"type": "string"},
        "createdAt": {"type": "string", "format": "date-time"},
        "updatedAt": {"type": "string", "format": "date-time"},
        "sourceConversationId": {"type": ["string", "null"]},
        "metadata": {"type": "object"},
    },
}


def _object(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "required": list(properties), "properties": properties}


def _says(description: str, schema: Any, kind: str = "application/json") -> dict[str, Any]:
    return {"description": description, "content": {kind: {"schema": schema}}}


_REFUSED = {
    "400": _says("The path, the query or a name is none of this API.", _ERROR),
    "401": _says("The token is missing or wrong.", _ERROR),
    "403": _says("The request comes from a web page of elsewhere.", _ERROR),
    "413": _says("The request has a body.", _ERROR),
    "421": _says("The `Host` header names another machine or port.", _ERROR),
    "503": _says("The database cannot be used just now.", _ERROR),
}
_UNKNOWN = {"404": _says("The app has no such memory.", _ERROR)}
_OPEN_REFUSED = {status: answer for status, answer in _REFUSED.items() if status not in ("401", "503")}


def _operation(summary: str, name: str, answer: Any, *parameters: Any, more: Any = None) -> dict[str, Any]:
    return {
        "summary": summary,
        "operationId": name,
        "parameters": list(parameters),
        "responses": {"200": _says("Done.", answer), **(more or {}), **_REFUSED},
    }


def _page_of(summary: str, name: str, answer: Any) -> dict[str, Any]:
    return {
        "summary": summary,
        "operationId": name,
        "security": [],
        "responses": {"200": answer, **_OPEN_REFUSED},
    }


_LIST = _object(memories={"type": "array", "items": _ITEM})
_PURGED = _object(success={"const": True}, deletedCount={"type": "integer", "minimum": 0})
_FORGOTTEN = _object(success={"const": True})

DESCRIPTION: dict[str, Any] = {
    "openapi": "3.1.0",
    "info": {
        "title": "memsuggest admin API",
        "version": "1",
        "description": "Look at what each app remembers of its conversations, and delete it. On this machine only.",
    },
    "security": [{"bearer": []}],
    "components": {"securitySchemes": {"bearer": {"type": "http", "scheme": "bearer"}}},
    "paths": {
        "/apps/{appId}/memories": {
            "get": _operation("List memories for an app, newest first", "listMemories", _LIST, _APP),
            "delete": _operation("Purge all memories of an app", "purgeMemories", _PURGED, _APP),
        },
        "/apps/{appId}/memories/{memoryId}": {
            "delete": _operation(
                "Delete one memory of an app", "deleteMemory", _FORGOTTEN, _APP, _MEMORY, more=_UNKNOWN
            )
        },
        "/health": {"get": _page_of("Whether it runs", "health", _says("It runs.", _object(status={"const": "ok"})))},
        "/openapi.json": {"get": _page_of("This description", "openapi", _says("OpenAPI 3.1.", {"type": "object"}))},
        "/docs": {
            "get": _page_of("This description as a page", "docs", _says("HTML.", {"type": "string"}, "text/html"))
        },
    },
}

_STYLE = "body{font:16px/1.5 sans-serif;max-width:50em;margin:2em auto;padding:0 1em}code{background:#eee}"


def page() -> str:
    """Return the description as a page."""
    info = DESCRIPTION["info"]
    parts = [f"<h1>{escape(info['title'])}</h1><p>{escape(info['description'])}</p>"]
    parts.append("<p>Send <code>Authorization: Bearer TOKEN</code>; <code>memsuggest serve --admin</code> says where")
    parts.append(' the token is. The same for programs: <a href="/openapi.json">openapi.json</a>.</p>')
    for path, operations in DESCRIPTION["paths"].items():
        for method, operation in operations.items():
            parts.append(f"<h2><code>{method.upper()} {escape(path)}</code></h2><p>{escape(operation['summary'])}</p>")
            rows = (
                f"<li>{status}: {escape(said['description'])}</li>" for status, said in operation["responses"].items()
            )
            parts.append(f"<ul>{''.join(rows)}</ul>")
    body = "".join(parts)
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{escape(info["title"])}</title>'
        f"<style>{_STYLE}</style><body>{body}</body></html>\n"
    )
