"""The log of a watcher."""

from __future__ import annotations

from pathlib import Path

from memsuggest.learning.watch import KEPT, opened_log


def test_lines_have_times_and_files_have_an_end(tmp_path: Path) -> None:
    """The log rotates; only the person may read it; one entry is one line."""
    path = tmp_path / "deep/watch.log"
    with opened_log(path, size=2_000) as note:
        for number in range(200):
            note(f"line {number}\nwith a second line")
    files = sorted(path.parent.iterdir())
    assert len(files) == KEPT + 1
    assert all(file.stat().st_size <= 2_100 for file in files)
    assert all(file.stat().st_mode & 0o077 == 0 for file in files)
    assert path.read_text().rstrip("\n").split("\n")[-1].endswith("line 199 with a second line")


def test_where_no_log_can_be_written(tmp_path: Path) -> None:
    """The program goes on without."""
    (tmp_path / "file").write_text("")
    with opened_log(tmp_path / "file/watch.log") as note:
        note("nobody reads this")
    (tmp_path / "watch.log").mkdir()
    with opened_log(tmp_path / "watch.log") as note:
        note("nor this")
