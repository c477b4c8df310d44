"""Consent: what this person agreed to send, per workspace and endpoint, in a file of their config folder.

Another endpoint or another clone asks again. Nothing a repo brings can give it.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from memsuggest.core.errors import FileError, StoreError
from memsuggest.files import UNCHECKED, lock, read_exact, write_exact

FILE = "consent.json"
_NOBODY = ""  # in the place of an endpoint: the person said no, for the whole workspace
VERSION = 1

WHAT_IS_SENT = (
    "text you typed in this workspace's chats, with secrets, keys, email addresses and long pastes removed",
    "for likely corrections: the end of the assistant's previous message, and the command you rejected",
    "your assistants' notes about this workspace, with secrets removed, and the message you typed before each note",
    "stored and low-confidence facts: their text and kind, and when and in how many chats you stated them",
    "paths, titles, descriptions and headings of customization files where a new rule might belong",
    "lines of customization files: those most similar to a rule, and those around the place where it would go",
    "Markdown and text documents that an assistant wrote in the repo, except files ignored by git",
    (
        "for apps' memories of finished chats: the end of each response, the names of written files, and the app's "
        "existing memories"
    ),
)
"""What a consent screen names; nothing else may be in a request."""
TERMS = 6
"""Grows when more is named. 3: apps. 4: what is asked no more. 5: maybes, and the lines nearest to what was said.
6: notes of assistants.
"""
READING, APPS, RULES, NOTES = 2, 3, 5, 6
"""The terms that questions need. Who agreed to less is asked again before any; about apps, nothing is
sent until they agree to the words of today.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Grant:
    """One consent."""

    workspace: str  # identity of the clone
    root: str
    endpoint: str
    at: int  # milliseconds since the epoch
    terms: int = TERMS


class Consents:
    """The grants of this person."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / FILE

    def grants(self) -> tuple[Grant, ...]:
        """Return all grants, oldest first; StoreError for a file that is damaged or newer."""
        return tuple(answer for answer in self._answers() if answer.endpoint)

    def _answers(self) -> tuple[Grant, ...]:
        """Return every answer of the person: grants, and the workspaces for which they said no."""
        if not self.path.exists():
            return ()
        try:
            loaded = json.loads(read_exact(self.path).text)
            if loaded["version"] != VERSION:
                raise StoreError(
                    f"`{self.path}` was written by a newer version of memsuggest", hint="update memsuggest"
                )
            return tuple(_grant(entry) for entry in (*loaded["grants"], *loaded.get("declined", ())))
        except (FileError, ValueError, TypeError, KeyError, RecursionError):
            raise StoreError(
                f"`{self.path}` is damaged, so no consent is in effect",
                hint="fix or rename the file, then run `memsuggest consent grant`",
            ) from None

    def is_answered(self, workspace: str) -> bool:
        """Tell whether this person said of a workspace who may be asked, or that nobody may."""
        return any(answer.workspace == workspace for answer in self._answers())

    def is_declined(self, workspace: str) -> bool:
        return any((answer.workspace, answer.endpoint) == (workspace, _NOBODY) for answer in self._answers())

    def decline(self, *, workspace: str, root: str, at: int) -> None:
        """Record that nobody is to be asked about a workspace; a later consent takes the place of that."""
        no = Grant(workspace=workspace, root=root, endpoint=_NOBODY, at=at)
        self._change(lambda known: (*(grant for grant in known if grant.workspace != workspace), no))

    def has(self, *, workspace: str, endpoint: str, terms: int = READING) -> bool:
        """Tell whether this person agreed that this workspace's words go to this endpoint."""
        agreed = {(grant.workspace, grant.endpoint) for grant in self.grants() if grant.terms >= terms}
        return (workspace, endpoint) in agreed

    def grant(self, given: Grant) -> None:
        """Record a consent, in the place of an earlier one and of a no."""
        same = {(given.workspace, given.endpoint), (given.workspace, _NOBODY)}
        self._change(
            lambda known: (*(grant for grant in known if (grant.workspace, grant.endpoint) not in same), given)
        )

    def revoke(self, *, workspace: str, endpoint: str | None) -> tuple[Grant, ...]:
        """Take consents of a workspace back, for one endpoint or all; return those that there were.

        When none is left, that is a no: nobody is asked about, either.
        """
        own = [grant for grant in self.grants() if grant.workspace == workspace]
        gone = tuple(grant for grant in own if endpoint in (None, grant.endpoint))
        if gone:
            left = [replace(gone[-1], endpoint=_NOBODY)] if len(gone) == len(own) else []
            self._change(lambda known: (*(grant for grant in known if grant not in gone), *left))
        return gone

    def forget(self, *, workspace: str, endpoint: str) -> None:
        """Take one consent out as if it had never been given; the file goes with the last answer."""
        self._change(
            lambda known: tuple(grant for grant in known if (grant.workspace, grant.endpoint) != (workspace, endpoint))
        )
        if self.path.exists() and not self._answers():
            self.path.unlink()

    def _change(self, step: Callable[[tuple[Grant, ...]], tuple[Grant, ...]]) -> None:
        self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with lock(self.path.with_suffix(".lock"), wait_seconds=10.0):
            rows = [asdict(grant) for grant in step(self._answers())]
            stored: dict[str, object] = {"version": VERSION, "grants": [row for row in rows if row["endpoint"]]}
            if no := [row for row in rows if not row["endpoint"]]:
                stored["declined"] = no
            text = json.dumps(stored, indent=2) + "\n"
            write_exact(self.path, text, expected_digest=UNCHECKED, mode=0o600)


def _grant(raw: Mapping[str, object]) -> Grant:
    workspace, root, endpoint, at = (raw[name] for name in ("workspace", "root", "endpoint", "at"))
    terms = raw.get("terms", 1)  # before there was a second wording, none was written
    if not (isinstance(workspace, str) and isinstance(root, str) and isinstance(endpoint, str)):
        raise TypeError
    if not (isinstance(at, int) and isinstance(terms, int)):
        raise TypeError
    return Grant(workspace=workspace, root=root, endpoint=endpoint, at=at, terms=terms)


def is_own_folder(root: Path) -> bool:
    """Tell whether a workspace belongs to the person who runs this, as git asks before it trusts a repo's settings."""
    own = getattr(os, "geteuid", None)
    if own is None:
        return True
    places = [place for place in (root, root / ".git") if place.exists()]
    return all(place.stat().st_uid == own() for place in places)
