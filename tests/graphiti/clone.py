"""A person's workspace with its stores in one folder, whose words may go to a server."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from uuid import uuid4

from builders import claude_session

from memsuggest.core.context import Context, open_context
from memsuggest.core.show_progress import no_progress
from memsuggest.core.workspace import Machine
from memsuggest.graphiti.outbox import Outbox
from memsuggest.graphiti.permission import receiver
from memsuggest.judging.asking.consent_store import Consents, Grant
from memsuggest.learning.reconcile import reconcile

START = 1_790_000_000_000


class Clone:
    """One clone of a repo, and its person."""

    def __init__(self, folder: Path, endpoint: str, *, user: str = "marguerite") -> None:
        self.home = folder / "home" / user
        self.repo = self.home / "work" / "shop"
        self.endpoint = endpoint
        self.now = START
        self.session = str(uuid4())
        """Another one for each test: they share a server, which remembers."""
        self.settings: dict[str, Any] = {"graphiti.endpoint": endpoint, "graphiti.recallTime": 10_000}
        self.environ = {"HOME": str(self.home), "USER": user, "USERPROFILE": str(self.home)}
        self.environ |= {
            f"MEMSUGGEST_{name}_DIR": str(folder / name.lower()) for name in ("DATA", "STATE", "CONFIG", "CACHE")
        }
        self.config = folder / "config"
        self.repo.mkdir(parents=True, exist_ok=True)
        if not (self.repo / ".git").exists():
            subprocess.run(["git", "init", "-q", "-b", "main", str(self.repo)], check=True)

    def switch_on(self, *names: str) -> None:
        self.settings |= {f"graphiti.{name}": True for name in names}

    def agree(self, endpoint: str = "") -> None:
        with self.open() as context:
            given = Grant(
                workspace=context.place.key,
                root=str(self.repo),
                endpoint=receiver(endpoint or self.endpoint),
                at=self.now,
            )
        Consents(self.config).grant(given)

    @contextmanager
    def open(self, **given: Any) -> Iterator[Context]:
        machine = Machine(environ=self.environ, platform="linux", now=lambda: self.now)
        context = open_context(start=self.repo, given=True, machine=machine, flags=self.settings, **given)
        try:
            yield context
        finally:
            context.close()

    def chat(self, *said: str, session: str = "") -> Path:
        return claude_session(self.home, self.repo, *said, session=session or self.session)

    def reconcile(self, paths: Sequence[Path] = (), **given: Any) -> Any:
        with self.open(**given) as context:
            return reconcile(context, paths=paths, person=None, progress=no_progress)

    def counts(self) -> dict[str, int]:
        with self.open() as context:
            outbox = Outbox(context.state, endpoint=self.endpoint)
            return {str(state): number for state, number in outbox.counts().items()}
