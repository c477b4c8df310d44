"""Changes in real folders, by the system's own word and by polling."""

from __future__ import annotations

from pathlib import Path

import pytest
from cases import cases

from memsuggest.learning.stopping import StopSign
from memsuggest.learning.watch import file_changes as module
from memsuggest.learning.watch.file_changes import Events, far_folders


def changes(events: Events, wanted: Path, tries: int = 60) -> set[str]:
    """Wait until a path is among the changes."""
    found: set[str] = set()
    for _ in range(tries):
        found |= events.wait(200)
        if str(wanted) in found:
            return found
    raise AssertionError(found)


@pytest.fixture(params=[False, True], ids=["told", "polling"])
def events(request: pytest.FixtureRequest) -> Events:
    return Events(stop=StopSign(), is_polling=request.param)


def test_appended_made_and_replaced_files(events: Events, tmp_path: Path) -> None:
    """All three are seen; what lies further down is not."""
    one, deep = tmp_path / "one.jsonl", tmp_path / "below/deep.jsonl"
    deep.parent.mkdir()
    for path in (one, deep):
        path.write_text("1\n")
    assert events.follow([str(tmp_path)])
    events.wait(10)
    deep.write_text("3\n")
    with one.open("a") as stream:
        stream.write("2\n")
    assert str(deep) not in changes(events, one)
    (tmp_path / "two.jsonl").write_text("1\n")
    changes(events, tmp_path / "two.jsonl")
    (tmp_path / "new").write_text("1\n2\n3\n")
    (tmp_path / "new").replace(one)
    changes(events, one)
    events.close()


def test_the_same_folders_again_change_nothing(events: Events, tmp_path: Path) -> None:
    """Others do; what is not there is left out."""
    assert events.follow([str(tmp_path), str(tmp_path / "none")])
    assert events.folders == {str(tmp_path)}
    assert not events.follow([str(tmp_path)])
    (tmp_path / "none").mkdir()
    assert events.follow([str(tmp_path), str(tmp_path / "none")])
    events.close()


def test_a_folder_removed_and_made_anew(events: Events, tmp_path: Path) -> None:
    """Following it again sees what happens in the new one."""
    folder = tmp_path / "a"
    folder.mkdir()
    events.follow([str(tmp_path), str(folder)])
    folder.rmdir()
    changes(events, folder)
    events.follow([str(tmp_path)])
    folder.mkdir()
    changes(events, folder)
    events.follow([str(tmp_path), str(folder)])
    (folder / "x.jsonl").write_text("1\n")
    changes(events, folder / "x.jsonl")
    events.close()


def test_a_sign_ends_the_wait(tmp_path: Path) -> None:
    """At once, with nothing found."""
    sign = StopSign()
    events = Events(stop=sign)
    events.follow([str(tmp_path)])
    sign.set()
    assert events.wait(60_000) == set()


def test_where_the_system_refuses_to_tell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Polling goes on, and why is said."""
    real = module.RustNotify

    def scarce(folders: list[str], debug: bool, polling: bool, *rest: object) -> object:
        if not polling:
            raise OSError("the limit of watches is reached")
        return real(folders, debug, polling, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(module, "RustNotify", scarce)
    events = Events(stop=StopSign())
    events.follow([str(tmp_path)])
    assert events.is_polling
    assert events.why_polling == "the limit of watches is reached"
    events.wait(10)
    (tmp_path / "x").write_text("1")
    changes(events, tmp_path / "x")
    events.close()


def test_a_network_drive_is_polled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without being asked to."""
    monkeypatch.setattr(module, "far_folders", tuple)
    events = Events(stop=StopSign())
    events.follow([str(tmp_path)])
    assert events.is_polling
    assert "network drive" in events.why_polling


TABLE = """\
/dev/sda1 / ext4 rw,relatime 0 0
server:/homes /home nfs4 rw,vers=4.2 0 0
tmpfs /home/ada/fast tmpfs rw 0 0
//nas/share /mnt/my\\040share cifs rw 0 0
C: /mnt/c 9p rw 0 0
me@host: /mnt/far fuse.sshfs rw 0 0
broken
"""


@cases(
    ("folder", "is_far"),
    [
        pytest.param("/work/x", False, id="own-disk"),
        pytest.param("/home/ada/.claude/projects", True, id="nfs"),
        pytest.param("/home/ada/fast/x", False, id="own-disk-below-nfs"),
        pytest.param("/home", True, id="the-place-itself"),
        pytest.param("/homework", False, id="only-the-same-beginning"),
        pytest.param("/mnt/my share/x", True, id="a-blank-in-the-name"),
        pytest.param("/mnt/c/Users", True, id="windows-drive"),
        pytest.param("/mnt/far", True, id="ssh"),
    ],
)
def test_far_folders(folder: str, is_far: bool) -> None:
    """The nearest place above a folder tells."""
    assert far_folders([folder], table=TABLE) == ((folder,) if is_far else ())
