"""The context opens what a command needs, and no more."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from memsuggest.core.context import open_context
from memsuggest.core.workspace import Machine


def test_the_state_database_is_opened_without_what_judges() -> None:
    """Every command that looks at what waits opens it: nothing of it may load extraction, placement or a client."""
    code = (
        "import sys; from memsuggest.core.context import state_migrations; state_migrations();"
        "print(*(name for name in sys.modules if name.startswith(('memsuggest.judging.offline',"
        " 'memsuggest.suggestions.placement.p', 'httpx2', 'anthropic', 'textual', 'jinja2'))))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert [name for name in done.stdout.split() if name != "memsuggest.suggestions.placement"] == []


def test_the_main_job_loads_no_client_of_a_model() -> None:
    """The SDK takes longer to load than a run without news."""
    code = (
        "import sys, memsuggest.learning.reconcile; print(*{'anthropic', 'textual', 'mcp'}.intersection(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


def test_a_context_shows_no_environment(git_repo: Path, home: Path) -> None:
    """Whatever prints one by mistake, a traceback for example, prints no key of a model."""
    environ = {"HOME": str(home), "MEMSUGGEST_GRAPHITI_KEY": "in-the-environment"}
    machine = Machine(environ=environ, platform=sys.platform, now=lambda: 0)
    context = open_context(start=git_repo, given=False, machine=machine, flags={})
    try:
        assert "in-the-environment" not in f"{context!r} {context.dry()!r}"
    finally:
        context.close()
