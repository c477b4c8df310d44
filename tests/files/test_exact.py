"""Reading exactly, writing atomically: bytes, modes, links, refusals."""

from __future__ import annotations

import errno
import os
import stat
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from cases import cases
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memsuggest.core.errors import EditConflict, FileError, OutsideWorkspace
from memsuggest.files import (
    UNCHECKED,
    digest_of,
    is_temporary,
    read_exact,
    remove_exact,
    remove_folders,
    sweep,
    write_exact,
)
from memsuggest.files import atomic as atomic_module
from memsuggest.files import folder as folder_module

ODD_TEXTS = st.text(alphabet="ab \ufeff\r\n\t\u2028\u2029\x0b\x0c\x85\x00é漢🙂", max_size=60)


def names_in(folder: Path) -> list[str]:
    return sorted(entry.name for entry in folder.iterdir())


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "AGENTS.md"
    path.write_bytes(b"one\r\ntwo")
    return path


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(before=ODD_TEXTS, after=ODD_TEXTS)
def test_write_then_write_back_is_identity(tmp_path: Path, before: str, after: str) -> None:
    """Whatever the text, writing another and writing it back gives the same bytes, and reads as the same text."""
    path = tmp_path / "x.md"
    path.write_bytes(before.encode())
    write_exact(path, after, expected_digest=digest_of(before))
    assert path.read_bytes() == after.encode()
    write_exact(path, before, expected_digest=digest_of(after))
    assert path.read_bytes() == before.encode()
    assert names_in(tmp_path) == ["x.md"]


@given(st.binary(max_size=200))
def test_reading_keeps_bytes_or_refuses(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    """Bytes are either read so that they encode back to themselves, or refused with a hint."""
    path = tmp_path_factory.getbasetemp() / "any.bin"
    path.write_bytes(data)
    try:
        found = read_exact(path)
    except FileError as error:
        assert error.hint
        return
    assert found.text.encode() == data
    assert found.digest == digest_of(found.text)


@cases(
    ("data", "says"),
    [
        pytest.param("a".encode("utf-16"), "UTF-16", id="utf-16 with mark"),
        pytest.param("always tabs\n".encode("utf-16-le"), "UTF-16", id="utf-16 little"),
        pytest.param("always tabs\n".encode("utf-16-be"), "UTF-16", id="utf-16 big"),
        pytest.param(b"ok\nna\xefve\n", "line 2 contains byte 0xef", id="latin-1"),
        pytest.param(b"x" * (2 * 1024 * 1024 + 1), "larger than", id="too large"),
    ],
)
def test_what_cannot_be_read_exactly_is_named(tmp_path: Path, data: bytes, says: str) -> None:
    """A refusal says what the file is, and where."""
    path = tmp_path / "x.md"
    path.write_bytes(data)
    with pytest.raises(FileError, match=says) as caught:
        read_exact(path)
    assert caught.value.hint


def test_what_is_no_file_is_refused_at_once(tmp_path: Path) -> None:
    """A folder, a pipe without a writer, a device, nothing at all: refused without waiting."""
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "loop").symlink_to("loop")
    for path in (tmp_path, tmp_path / "pipe", Path("/dev/zero"), tmp_path / "gone", tmp_path / "loop"):
        with pytest.raises(FileError):
            read_exact(path)
    with pytest.raises(FileError):
        write_exact(tmp_path / "pipe", "x", expected_digest=UNCHECKED)


def test_new_files_follow_the_umask_or_the_wish(tmp_path: Path) -> None:
    """Without a mode a new file is like any the person makes; with one it has that."""
    before = os.umask(0o027)
    try:
        write_exact(tmp_path / "a.md", "x", expected_digest=None)
        write_exact(tmp_path / "b.md", "x", expected_digest=None, mode=0o600)
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "a.md").stat().st_mode) == 0o640
    assert stat.S_IMODE((tmp_path / "b.md").stat().st_mode) == 0o600


@pytest.mark.parametrize("mode", [0o644, 0o600, 0o755, 0o664, 0o4755])
def test_mode_owner_and_attributes_are_kept(file: Path, mode: int) -> None:
    """The new file has the mode of the old one, what other programs noted about it, and for root its owner."""
    is_root = os.geteuid() == 0
    if is_root:
        os.chown(file, 12345, 54321)
    file.chmod(mode)
    with suppress(OSError, AttributeError):  # neither every system nor every file system has attributes
        os.setxattr(file, "user.note", b"mine")
    before = [os.getxattr(file, name) for name in os.listxattr(file)] if hasattr(os, "listxattr") else []
    write_exact(file, "x", expected_digest=UNCHECKED)
    info = file.stat()
    assert stat.S_IMODE(info.st_mode) == mode
    assert not is_root or (info.st_uid, info.st_gid) == (12345, 54321)
    assert not before or [os.getxattr(file, name) for name in os.listxattr(file)] == before


def test_folders_are_made_and_told(tmp_path: Path) -> None:
    """Missing folders are made, returned outermost first, and can be taken away again when empty."""
    made = write_exact(tmp_path / "a" / "b" / "x.md", "x", expected_digest=None)
    assert made == (tmp_path / "a", tmp_path / "a" / "b")
    remove_exact(tmp_path / "a" / "b" / "x.md", digest_of("x"))
    (tmp_path / "a" / "other").touch()
    remove_folders(made)
    assert names_in(tmp_path / "a") == ["other"]


def test_a_failed_write_leaves_no_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Folders made for a file that could not be written go again."""

    def full(*_: object) -> int:
        raise OSError(errno.ENOSPC, "full")

    monkeypatch.setattr(atomic_module.os, "write", full)
    with pytest.raises(FileError, match="the disk is full"):
        write_exact(tmp_path / "a" / "b" / "x.md", "x", expected_digest=None)
    assert names_in(tmp_path) == []


@cases(
    ("existing", "expected"),
    [
        pytest.param("other", digest_of("shown"), id="changed"),
        pytest.param("there", None, id="appeared"),
        pytest.param(None, digest_of("shown"), id="vanished"),
    ],
)
def test_conflicts(tmp_path: Path, existing: str | None, expected: str | None) -> None:
    """A file that is not what was shown is left alone."""
    path = tmp_path / "x.md"
    if existing is not None:
        path.write_text(existing, encoding="utf-8")
    with pytest.raises(EditConflict):
        write_exact(path, "new", expected_digest=expected)
    assert (path.read_text(encoding="utf-8") if path.exists() else None) == existing
    assert names_in(tmp_path) == (["x.md"] if existing else [])


@pytest.mark.parametrize(
    ("mode", "text", "says"),
    [(0o444, "x", "read-only"), (0o644, "\ud800", None), (0o644, "x" * (2 * 1024 * 1024 + 1), None)],
    ids=["read-only", "half a character", "too large"],
)
def test_what_is_not_written(file: Path, mode: int, text: str, says: str | None) -> None:
    """A file that its owner made read-only (for root too), a text that is no UTF-8 or is far too large: no change."""
    file.chmod(mode)
    for digest in (UNCHECKED, digest_of("one\r\ntwo")):
        with pytest.raises(FileError, match=says):
            write_exact(file, text, expected_digest=digest)
    assert file.read_bytes() == b"one\r\ntwo"


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write anywhere")
def test_a_read_only_folder_is_refused(file: Path) -> None:
    """A folder that takes no new files gives an error with a hint."""
    file.parent.chmod(0o555)
    try:
        with pytest.raises(FileError, match="permission denied"):
            write_exact(file, "x", expected_digest=UNCHECKED)
    finally:
        file.parent.chmod(0o755)


def test_links_stay_links(tmp_path: Path, file: Path) -> None:
    """Writing through a link changes the file it leads to; removing takes that file and leaves the link."""
    link = tmp_path / "CLAUDE.md"
    link.symlink_to("AGENTS.md")
    write_exact(link, "x", expected_digest=read_exact(link).digest)
    assert link.is_symlink()
    assert file.read_text(encoding="utf-8") == "x"
    remove_exact(link, digest_of("x"))
    assert link.is_symlink()
    assert not file.exists()


def test_hard_links_are_cut(tmp_path: Path, file: Path) -> None:
    """Another name of the same file, wherever it is, keeps the old text."""
    other = tmp_path / "other"
    os.link(file, other)
    write_exact(file, "x", expected_digest=UNCHECKED)
    assert other.read_bytes() == b"one\r\ntwo"


def test_within_is_asked_at_the_moment_of_writing(tmp_path: Path) -> None:
    """A link that appeared after the check and leads out of the root, or into git, is not written through."""
    root = tmp_path / "root"
    (root / ".git").mkdir(parents=True)
    (tmp_path / "out").mkdir()
    for leads_to in (tmp_path / "out", root / ".git"):
        (root / "docs").symlink_to(leads_to)
        with pytest.raises(OutsideWorkspace):
            write_exact(root / "docs" / "x.md", "x", expected_digest=None, within=root)
        assert names_in(leads_to) == []
        (root / "docs").unlink()


def test_a_folder_swapped_for_a_link_while_writing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Between resolving and opening, the folder becomes a link out: nothing is written there."""
    root, out = tmp_path / "root", tmp_path / "out"
    for folder in (root / "docs", out):
        folder.mkdir(parents=True)
    make = atomic_module.make_folders

    def swap(path: Path, **options: int) -> tuple[Path, ...]:
        made = make(path, **options)
        (root / "docs").rename(root / "old")
        (root / "docs").symlink_to(out)
        return made

    monkeypatch.setattr(atomic_module, "make_folders", swap)
    with pytest.raises((OutsideWorkspace, FileError)):
        write_exact(root / "docs" / "x.md", "x", expected_digest=None, within=root)
    assert names_in(out) == []


def save(path: Path) -> None:
    path.write_bytes(b"theirs")


def put_link(path: Path) -> None:
    path.unlink(missing_ok=True)
    path.symlink_to("other.md")


@pytest.mark.parametrize(
    ("before", "disturb", "exchange"),
    [
        pytest.param("ours", save, True, id="swap"),
        pytest.param("ours", save, False, id="rename"),
        pytest.param(None, save, True, id="a new file"),
        pytest.param("ours", put_link, True, id="a link"),
    ],
)
def test_a_change_in_the_last_moment_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, before: str | None, disturb: Callable[[Path], None], exchange: bool
) -> None:
    """Somebody saves, or puts a link there, between the check and the swap: theirs stays, and the conflict is told."""
    path, other, fill = tmp_path / "x.md", tmp_path / "other.md", atomic_module._fill
    for file in (path, other) if before else (other,):
        file.write_text("ours")

    def fill_and_disturb(folder: folder_module.Folder, name: str, data: bytes, *, mode: int | None) -> None:
        fill(folder, name, data, mode=mode)
        disturb(path)

    monkeypatch.setattr(atomic_module, "_fill", fill_and_disturb)
    if not exchange:
        monkeypatch.setattr(folder_module.Folder, "exchange", lambda *_: False)
    with pytest.raises((EditConflict, FileError)):
        write_exact(path, "new", expected_digest=before and digest_of(before))
    assert path.is_symlink() if disturb is put_link else path.read_bytes() == b"theirs"
    assert other.read_bytes() == b"ours"
    assert names_in(tmp_path) == ["other.md", "x.md"]


def test_a_file_that_changes_while_it_is_removed_comes_back(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody saves between the check and the removal: their file is put back."""
    replace = folder_module.Folder.replace

    def disturb(folder: folder_module.Folder, source: str, target: str) -> None:
        file.write_bytes(b"theirs")
        replace(folder, source, target)

    monkeypatch.setattr(folder_module.Folder, "replace", disturb)
    with pytest.raises(EditConflict):
        remove_exact(file, digest_of("one\r\ntwo"))
    assert file.read_bytes() == b"theirs"
    assert names_in(file.parent) == ["AGENTS.md"]


def test_concurrent_writers_lose_nothing(file: Path) -> None:
    """Of many writers that saw the same text, exactly one wins; the others are told."""
    digest, outcomes = digest_of("one\r\ntwo"), []

    def write(number: int) -> None:
        try:
            write_exact(file, f"writer {number}", expected_digest=digest)
            outcomes.append(number)
        except (EditConflict, FileError):
            pass

    threads = [threading.Thread(target=write, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(outcomes) == 1
    assert file.read_text(encoding="utf-8") == f"writer {outcomes[0]}"
    assert names_in(file.parent) == ["AGENTS.md"]


@pytest.mark.parametrize("has_folders", [True, False], ids=["no links or swap", "no descriptors of folders"])
def test_it_works_with_less(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, has_folders: bool) -> None:
    """Where there is only renaming, or no descriptor of a folder, files are still replaced, made and removed whole."""

    def refuse(*_: object, **__: object) -> None:
        raise OSError(errno.EPERM, "no links here")

    if has_folders:
        monkeypatch.setattr(folder_module.os, "link", refuse)
        monkeypatch.setattr(folder_module.Folder, "exchange", lambda *_: False)
    monkeypatch.setattr(folder_module, "HAS_DESCRIPTORS", has_folders)
    path = tmp_path / "a" / "x.md"
    write_exact(path, "a", expected_digest=None)
    write_exact(path, "b", expected_digest=digest_of("a"))
    assert path.read_text(encoding="utf-8") == "b"
    remove_exact(path, digest_of("b"))
    assert names_in(path.parent) == []


FAILURES = ["ENOSPC", "EIO", "EACCES", "EROFS", "EMFILE", "EDQUOT"]
CALLS = ["open", "write", "fsync", "close", "link", "fchmod"]


@cases("call", CALLS)
@cases("name", FAILURES)
@cases("is_new", [True, False], ids=["new", "existing"])
def test_failing_calls_leave_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, call: str, *, is_new: bool
) -> None:
    """Whichever call fails, at whichever time: an error with a reason, the old bytes, nothing left behind."""
    path = tmp_path / "x.md"
    old = None if is_new else b"old"
    for fails_at in range(1, 9):
        path.unlink(missing_ok=True)
        if old is not None:
            path.write_bytes(old)
        with monkeypatch.context() as patch:
            patch.setattr(os, call, _Failing(call, getattr(errno, name), fails_at))
            try:
                write_exact(path, "new", expected_digest=None if is_new else digest_of("old"))
                expected: bytes | None = b"new"
            except FileError:
                expected = old
        assert (path.read_bytes() if path.exists() else None) == expected
        assert names_in(tmp_path) == ([] if expected is None else ["x.md"])


class _Failing:
    """A system call that fails the N-th time."""

    def __init__(self, call: str, number: int, at: int) -> None:
        self.call, self.real, self.number, self.left = call, getattr(os, call), number, at

    def __call__(self, *args: object, **kwargs: object) -> object:
        self.left -= 1
        if self.left == 0:
            if self.call == "close":  # the system frees the number even when it reports an error
                self.real(*args)
            raise OSError(self.number, os.strerror(self.number))
        return self.real(*args, **kwargs)


def test_leftovers_are_swept(tmp_path: Path) -> None:
    """Files of killed runs go; those of a running program, and everybody else's, stay."""
    me = atomic_module._temporary_name("AGENTS.md")
    host, pid, started, tail = me.removeprefix(".AGENTS.md.").split("-", 3)
    gone = f".AGENTS.md.{host}-{2**22 + 7}-1-{tail}"
    reused = f".AGENTS.md.{host}-{pid}-{int(started or 0) + 1}-{tail}"
    foreign = f".AGENTS.md.{'0' * 8}-1-1-{tail}"
    for name in (me, gone, reused, foreign, ".AGENTS.md.swp", "x.memsuggest-tmp"):
        (tmp_path / name).touch()
    assert {path.name for path in sweep(tmp_path)} == {gone, reused}
    os.utime(tmp_path / foreign, (1, 1))
    assert [path.name for path in sweep(tmp_path)] == [foreign]
    assert is_temporary(me)
    assert sweep(tmp_path / "gone") == ()


def test_removing_needs_the_expected_file(file: Path) -> None:
    """Undo of a new file takes only what it wrote."""
    with pytest.raises(EditConflict):
        remove_exact(file, digest_of("other"))
    assert file.exists()
    with pytest.raises(EditConflict):
        remove_exact(file.parent / "gone.md", digest_of("x"))
    remove_exact(file, digest_of("one\r\ntwo"))
    assert names_in(file.parent) == []
