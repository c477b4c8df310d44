"""Settings that are set and taken out again."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from cli.conftest import Run

MINE = "# mine\nmode: manual  # for a while\n"


@pytest.mark.parametrize("before", [None, MINE, "workspaces:\n", "care: false"])
@pytest.mark.parametrize("where", [(), ("--user",)])
def test_unset(run: Run, where: tuple[str, ...], before: str | None) -> None:
    """The file is as it was, byte for byte, and gone when it was not there; the usual value holds again."""
    path = Path(os.environ["HOME"]) / ".config/memsuggest/config.yml"
    path.unlink(missing_ok=True)
    if before is not None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(before.encode())
    run("config", "set", "threshold", "0.7", *where)
    assert run("config", "get", "threshold").out == "0.7\n"
    assert "no longer set" in run("config", "unset", "threshold", *where).out
    assert (path.read_bytes().decode() if path.exists() else None) == before
    assert "is not set" in run("config", "unset", "threshold", *where).out
    path.unlink(missing_ok=True)


def test_what_stands_beside_it_is_not_lost(run: Run) -> None:
    """A comment on its line is the person's: the line is named instead."""
    path = Path(os.environ["HOME"]) / ".config/memsuggest/config.yml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(MINE)
    assert "line 2 by hand" in run("config", "unset", "mode", "--user", code=1).err
    assert path.read_text() == MINE
    path.unlink()
