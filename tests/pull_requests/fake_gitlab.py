"""A server on this machine that speaks the part of GitLab's API that a merge request's comments need.

What it refuses, GitLab refuses: a position of another commit than the latest, a line that the diff does not show, a
line that the change only shows named by one of its numbers, pages of a diff with more than 30 files, and the token of
a CI job.
"""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

BOT = "project_5_bot"
PROJECT = "/projects/5"
REQUEST = f"{PROJECT}/merge_requests/7"
Answer = tuple[int, dict[str, str], bytes]


@dataclass
class FakeGitLab:
    """A project with one merge request, number 7; everything that was asked is kept."""

    files: list[dict[str, Any]] = field(default_factory=list)
    texts: dict[str, bytes] = field(default_factory=dict)
    """Files of the merge request."""
    branches: dict[str, dict[str, bytes]] = field(default_factory=dict)
    tree: dict[str, str] = field(default_factory=dict)
    base: str = "main"
    head: str = "c0ffee" * 6 + "0001"
    is_fork: bool = False
    is_prepared: bool = True
    login: str = BOT
    token_is_of_job: bool = False
    may_resolve: bool = True
    page: int = 100
    notes: list[dict[str, Any]] = field(default_factory=list)
    """Those below."""
    discussions: list[dict[str, Any]] = field(default_factory=list)
    """Those beside lines."""
    answers: list[Answer] = field(default_factory=list)
    """Answers that are given before the true ones, in their order."""
    asked: list[tuple[str, str]] = field(default_factory=list)
    after_discussion: Callable[[], Answer | None] | None = None
    """Called when a discussion was begun; what it returns is answered instead."""
    url: str = ""
    lock: threading.Lock = field(default_factory=threading.Lock)
    _last: int = 100

    @property
    def refs(self) -> dict[str, str]:
        return {"base_sha": "b" * 40, "start_sha": "5" * 40, "head_sha": self.head}

    def say(self, body: str, author: str = BOT, **fields: Any) -> dict[str, Any]:
        """Put a note below the merge request."""
        note = self._note(body, author, **fields)
        self.notes.append(note)
        return note

    def say_beside(
        self, body: str, *, path: str = "AGENTS.md", line: int = 1, author: str = BOT, head: str = ""
    ) -> dict[str, Any]:
        """Begin a discussion beside a line."""
        position = {**self.refs, "new_path": path, "old_path": path, "new_line": line, "position_type": "text"}
        note = self._note(body, author, position=position | {"head_sha": head or self.head}, resolvable=True)
        note |= {"type": "DiffNote", "resolved": False}
        discussion = {"id": f"{note['id']:040x}", "individual_note": False, "notes": [note]}
        self.discussions.append(discussion)
        return discussion

    def reply(self, discussion: dict[str, Any], body: str, author: str) -> None:
        """Answer in a discussion."""
        discussion["notes"].append(self._note(body, author, position=discussion["notes"][0]["position"]))

    def push(self, head: str, *, moves: Callable[[dict[str, Any]], int | None]) -> None:
        """Take another commit: positions whose lines stay as they are move on to it."""
        self.head = head
        for discussion in self.discussions:
            for note in discussion["notes"]:
                line = moves(note["position"])
                if line is not None:
                    note["position"] = {**note["position"], "head_sha": head, "new_line": line}

    def writes(self) -> list[tuple[str, str]]:
        """What was asked that changes something."""
        return [(method, path) for method, path in self.asked if method != "GET"]

    def bodies(self) -> list[str]:
        """What stands beside lines."""
        return [discussion["notes"][0]["body"] for discussion in self.discussions]

    def answer(self, method: str, target: str, body: Any) -> Answer:
        split = urlsplit(target)
        path, query = unquote(split.path), parse_qs(split.query)
        self.asked.append((method, path))
        if self.answers:
            return self.answers.pop(0)
        if self.token_is_of_job:
            return _json(401, {"message": "401 Unauthorized"})
        with self.lock:
            for wanted, pattern, reply in self._routes():
                if (found := re.fullmatch(pattern, path)) and wanted == method:
                    return reply(found, query, body)
        return _json(404, {"message": "404 Not found"})

    def _routes(self) -> list[tuple[str, str, Callable[..., Answer]]]:
        note, discussion = rf"{REQUEST}/notes/(\d+)", rf"{REQUEST}/discussions/(\w+)"
        return [
            ("GET", "/user", lambda *_: _json(200, {"username": self.login})),
            ("GET", REQUEST, lambda *_: _json(200, self._request())),
            ("GET", f"{REQUEST}/diffs", lambda _, query, __: self._diffs(query)),
            (
                "GET",
                f"{PROJECT}/repository/files/(.+)/raw",
                lambda found, query, _: self._text(found[1], query["ref"][0]),
            ),
            ("GET", f"{PROJECT}/repository/tree", lambda _, query, __: self._listed(self._rows(), query)),
            ("GET", f"{REQUEST}/notes", lambda _, query, __: self._listed(self._all_notes(), query)),
            ("POST", f"{REQUEST}/notes", lambda _, __, body: _json(201, self.say(body["body"], self.login))),
            ("PUT", note, lambda found, _, body: self._edit(self._all_notes(), int(found[1]), body)),
            ("DELETE", note, lambda found, *_: self._remove(self.notes, int(found[1]))),
            ("GET", f"{REQUEST}/discussions", lambda _, query, __: self._listed(self._all_discussions(), query)),
            ("POST", f"{REQUEST}/discussions", lambda _, __, body: self._begin(body)),
            ("PUT", discussion, lambda found, _, body: self._resolve(found[1], body)),
            (
                "PUT",
                rf"{discussion}/notes/(\d+)",
                lambda found, _, body: self._edit(self._of(found[1]), int(found[2]), body),
            ),
            ("DELETE", rf"{discussion}/notes/(\d+)", lambda found, *_: self._drop(found[1], int(found[2]))),
        ]

    def _note(self, body: str, author: str, **fields: Any) -> dict[str, Any]:
        self._last += 1
        return {"id": self._last, "type": None, "body": body, "author": {"username": author}, "system": False, **fields}

    def _request(self) -> dict[str, Any]:
        return {
            "iid": 7,
            "target_branch": self.base,
            "source_project_id": 6 if self.is_fork else 5,
            "target_project_id": 5,
            "web_url": f"{self.url}/shop/bakery/-/merge_requests/7",
            "diff_refs": self.refs if self.is_prepared else None,
        }

    def _diffs(self, query: dict[str, list[str]]) -> Answer:
        if int(query["per_page"][0]) > 30:
            return _json(500, {"message": "500 Internal Server Error"})
        return self._listed(self.files, query)

    def _text(self, path: str, ref: str) -> Answer:
        found = self.texts if ref == self.head else self.branches.get(ref, {})
        return (200, {"Content-Type": "text/plain"}, found[path]) if path in found else _json(404, {})

    def _rows(self) -> list[dict[str, Any]]:
        return [{"id": sha, "path": path, "type": "blob", "mode": "100644"} for path, sha in self.tree.items()]

    def _all_notes(self) -> list[dict[str, Any]]:
        beside = [note for discussion in self.discussions for note in discussion["notes"]]
        return sorted([*self.notes, *beside], key=lambda note: note["id"])

    def _all_discussions(self) -> list[dict[str, Any]]:
        below = [{"id": f"n{note['id']}", "individual_note": True, "notes": [note]} for note in self.notes]
        return [*below, *self.discussions]

    def _of(self, name: str) -> list[dict[str, Any]]:
        return [note for discussion in self.discussions if discussion["id"] == name for note in discussion["notes"]]

    def _begin(self, body: Any) -> Answer:
        position = body["position"]
        if not self._is_shown(position):
            return _json(400, {"message": '400 Bad request - Note {:line_code=>["can\'t be blank"]}'})
        made = self.say_beside(body["body"], path=position["new_path"], line=position["new_line"], author=self.login)
        return (self.after_discussion() if self.after_discussion else None) or _json(201, made)

    def _is_shown(self, position: dict[str, Any]) -> bool:
        """Whether the diff has that line, by just the numbers that it has there."""
        if {name: position[name] for name in self.refs} != self.refs or position["position_type"] != "text":
            return False
        file = next((one for one in self.files if one["new_path"] == position["new_path"]), None)
        if file is None or file["old_path"] != position["old_path"]:
            return False
        old = new = 0
        for line in file["diff"].splitlines():
            if found := re.match(r"@@ -(\d+)(?:,\d+)? \+(\d+)", line):
                old, new = int(found[1]), int(found[2])
                continue
            if line[:1] in {"+", " ", ""} and new == position["new_line"]:
                return position.get("old_line") == (None if line[:1] == "+" else old)
            old += line[:1] != "+"
            new += line[:1] != "-"
        return False

    def _resolve(self, name: str, body: Any) -> Answer:
        if not self.may_resolve:
            return _json(403, {"message": "403 Forbidden"})
        for note in self._of(name):
            note["resolved"] = body["resolved"]
        return _json(200, {})

    def _edit(self, notes: list[dict[str, Any]], number: int, body: Any) -> Answer:
        found = next((note for note in notes if note["id"] == number), None)
        if found is None:
            return _json(404, {})
        found["body"] = body["body"]
        return _json(200, found)

    def _drop(self, name: str, number: int) -> Answer:
        discussion = next((one for one in self.discussions if one["id"] == name), None)
        if discussion is None:
            return _json(404, {})
        answer = self._remove(discussion["notes"], number)
        self.discussions[:] = [one for one in self.discussions if one["notes"]]
        return answer

    def _remove(self, notes: list[dict[str, Any]], number: int) -> Answer:
        kept = [note for note in notes if note["id"] != number]
        is_there = len(kept) < len(notes)
        notes[:] = kept
        return (204, {}, b"") if is_there else _json(404, {})

    def _listed(self, rows: list[dict[str, Any]], query: dict[str, list[str]]) -> Answer:
        number, size = int(query["page"][0]), min(self.page, int(query["per_page"][0]))
        more = {"Link": f'<{self.url}/x?page={number + 1}>; rel="next"'} if number * size < len(rows) else {}
        return _json(200, rows[(number - 1) * size : number * size], more)


def _json(status: int, value: Any, headers: dict[str, str] | None = None) -> Answer:
    return status, {"Content-Type": "application/json", **(headers or {})}, json.dumps(value).encode()
