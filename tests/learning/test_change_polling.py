"""A running watcher sees each change of the files that it polls, whenever it comes."""

from __future__ import annotations

from pathlib import Path

import pytest
from learning.watched import context_of, shop

from memsuggest.core.context import Context
from memsuggest.learning.watch.watcher import TargetsEye


@pytest.mark.parametrize("reading", [1, 2])
def test_a_file_that_is_written_while_it_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, reading: int) -> None:
    """What was read is out of date then: the next look finds that, and reads the file anew."""
    repo = shop(tmp_path)
    context = context_of(repo)
    read, times = Context.renew_targets, 0

    def read_slowly(self: Context) -> bool:
        nonlocal times
        times += 1
        is_other = read(self)
        assert self.targets  # read by now
        if times == reading:
            (repo / "AGENTS.md").write_text("# Shop\n\n- Written meanwhile.\n")
        return is_other

    monkeypatch.setattr(Context, "renew_targets", read_slowly)
    eye = TargetsEye(context)
    eye.renew()
    eye.renew()
    assert "Written meanwhile." in context.targets.targets[0].text
    assert not eye.renew()
    context.close()
