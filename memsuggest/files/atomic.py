"""Writes a text file whole or not at all, and only over exactly what was seen before.

The order, so that a kill or a power failure at any point leaves the old file or the new one, never a mixture:
temporary file in the same folder → its bytes → fsync → the old file's mode and attributes → swap with the target
→ look at what was displaced (somebody may have written meanwhile: swap back) → fsync of the folder → remove the old.
"""

from __future__ import annotations

import errno
import os
import re
import stat
import time
from contextlib import ExitStack, suppress
from pathlib import Path

from memsuggest.core.errors import EditConflict, FileError, OutsideWorkspace
from memsuggest.files import target_names
from memsuggest.files.exact import SIZE_LIMIT, digest_of_bytes, read_bytes
from memsuggest.files.folder import Folder, make_folders, opened, remove_folders
from memsuggest.files.lock import is_gone, this_process
from memsuggest.files.system_errors import explained

UNCHECKED = "*"  # as `expected_digest`: whatever is there may be replaced (files that only this program writes)

_CREATE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0)
_CREATE |= getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
_TEMPORARY = re.compile(r"\..{1,48}\.([0-9a-f]{8})-(\d{1,10})-(\d{1,20})-[0-9a-f]{8}\.memsuggest-tmp")
_UPDATE = "run `memsuggest reconcile` to update the suggestion"
_FOREIGN_AGE = 3600  # seconds after which a temporary file of another machine counts as left behind
_NO_LINKS = frozenset([errno.EPERM, errno.ENOTSUP, errno.EMLINK, errno.ENOSYS, errno.EOPNOTSUPP])


def write_exact(
    path: Path,
    text: str,
    *,
    expected_digest: str | None,
    mode: int | None = None,
    within: Path | None = None,
    limit: int = SIZE_LIMIT,
) -> tuple[Path, ...]:
    """Write `text` to `path` atomically; return the folders that had to be created, outermost first.

    Args:
        path: a link is followed and stays a link.
        expected_digest: of the file as it was shown; None when it must not exist yet; UNCHECKED for files of our own.
        mode: permission bits; None keeps those of the file, or takes the usual ones for a new file.
        within: the root that the real file must still lie in at the moment of writing.
        limit: the most bytes that it may have.

    Raises EditConflict when the file is not the expected one, OutsideWorkspace, and FileError for all else.
    """
    data = _encoded(path, text, limit)
    with explained(path, "write"):
        real = _real(path, within)
        made = make_folders(real.parent)
        try:
            with opened(real.parent) as folder:
                _write(folder, real.name, data, expected_digest=expected_digest, mode=mode)
        except BaseException:
            remove_folders(made)
            raise
    return made


def remove_exact(path: Path, expected_digest: str, *, within: Path | None = None) -> None:
    """Remove the file that `path` names when it still is the expected one; a link to it stays."""
    with explained(path, "remove"):
        real = _real(path, within)
        with opened(real.parent) as folder:
            _expect(folder, real.name, expected_digest)
            aside = _temporary_name(real.name)
            folder.replace(real.name, aside)
            try:
                _require_displaced(folder, aside, expected_digest, path)
                folder.sync()
            except BaseException:
                _put_new(folder, aside, real.name)
                raise
            _discard(folder, aside)


def sweep(folder: Path) -> tuple[Path, ...]:
    """Remove what killed runs left in a folder; return what was removed. Files of running programs stay."""
    removed: list[Path] = []
    me = this_process()
    with suppress(OSError):
        for entry in sorted(folder.iterdir()):
            match = _TEMPORARY.fullmatch(entry.name)
            if match is None:
                continue
            host, pid, started = match[1], int(match[2]), match[3]
            if host != me.token.partition("-")[0]:
                is_left = time.time() - entry.lstat().st_mtime > _FOREIGN_AGE
            elif started == "0":
                is_left = pid != me.pid and is_gone(pid, "")
            else:
                is_left = is_gone(pid, started)
            if is_left:
                entry.unlink()
                removed.append(entry)
    return tuple(removed)


def is_temporary(name: str) -> bool:
    return _TEMPORARY.fullmatch(name) is not None


def _encoded(path: Path, text: str, limit: int) -> bytes:
    try:
        data, why = text.encode("utf-8"), ""
    except UnicodeEncodeError as error:
        data, why = b"", f"invalid character at position {error.start}"
    if len(data) > limit:
        why = f"the text is larger than {limit // 1024} KB"
    if why:
        raise FileError(f"cannot write `{path}`: {why}", hint="nothing was changed")
    return data


def _real(path: Path, within: Path | None) -> Path:
    """The path without links; with `within`, still inside and not in version control."""
    real = Path(os.path.realpath(path))
    if within is None:
        return real
    root = Path(os.path.realpath(within))
    if not real.is_relative_to(root) or target_names.is_version_control(real.relative_to(root).parts):
        raise OutsideWorkspace(f"`{path}` is a link to a location outside `{within}`", hint="nothing was written")
    return real


def _write(folder: Folder, name: str, data: bytes, *, expected_digest: str | None, mode: int | None) -> None:
    before = _expect(folder, name, expected_digest)
    temporary = _temporary_name(name)
    if before and mode is None:
        mode = stat.S_IMODE(before.st_mode)
    try:
        _fill(folder, temporary, data, mode=mode)
        if before is not None:
            _take_over(folder, name, temporary, before)
            _place_over(folder, temporary, name, expected_digest)
            return
        try:
            _put_new(folder, temporary, name)
        except FileExistsError:  # somebody took the name meanwhile
            raise EditConflict(f"`{folder.path / name}` already exists", hint=_UPDATE) from None
        try:
            folder.sync()
        except OSError:
            folder.unlink(name)
            raise
    finally:
        _discard(folder, temporary)


def _expect(folder: Folder, name: str, expected: str | None) -> os.stat_result | None:
    """Look at what is there; raise unless it is the expected file, regular and writable."""
    info = folder.stat(name)
    shown = folder.path / name
    if info is None:
        if expected not in (None, UNCHECKED):
            raise EditConflict(f"`{shown}` no longer exists", hint=_UPDATE)
        return None
    if expected is None:
        raise EditConflict(f"`{shown}` already exists", hint=_UPDATE)
    if not stat.S_ISREG(info.st_mode):
        raise FileError(f"cannot write `{shown}`: not a regular file", hint="nothing was changed")
    # A rename would succeed on a file that its owner made read-only, even for root: ask the file itself.
    at, descriptor = (name, folder.descriptor) if folder.descriptor is not None else (str(shown), None)
    is_effective = descriptor is not None and os.access in os.supports_effective_ids
    if not info.st_mode & 0o222 or not os.access(at, os.W_OK, dir_fd=descriptor, effective_ids=is_effective):
        raise FileError(f"cannot write `{shown}`: the file is read-only", hint="make the file writable and try again")
    if expected != UNCHECKED and _digest(folder, name) != expected:
        raise _changed(shown)
    return info


def _digest(folder: Folder, name: str) -> str:
    at: str | Path = name if folder.descriptor is not None else folder.path / name
    return digest_of_bytes(read_bytes(at, folder=folder.descriptor))


def _changed(shown: Path) -> EditConflict:
    return EditConflict(f"`{shown}` has changed since it was shown", hint=_UPDATE)


def _temporary_name(name: str) -> str:
    return f".{name[:16]}.{this_process().token}-{os.urandom(4).hex()}.memsuggest-tmp"


def _fill(folder: Folder, temporary: str, data: bytes, *, mode: int | None) -> None:
    # Without a mode the system applies the person's umask; with one, nobody else sees the bytes meanwhile.
    descriptor = folder.open(temporary, _CREATE, 0o666 if mode is None else 0o600)
    try:
        view = memoryview(data)
        while view:
            view = view[os.write(descriptor, view) :]
        if mode is not None and hasattr(os, "fchmod"):
            os.fchmod(descriptor, mode)
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _take_over(folder: Folder, name: str, temporary: str, before: os.stat_result) -> None:
    """Give the new file the owner and attributes of the old one, as far as this person may."""
    if folder.descriptor is None:
        return
    with ExitStack() as files:
        old = folder.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        files.callback(os.close, old)
        new = folder.open(temporary, os.O_RDONLY | os.O_NOFOLLOW)
        files.callback(os.close, new)
        mine = os.fstat(new)
        if (mine.st_uid, mine.st_gid) != (before.st_uid, before.st_gid):
            with suppress(PermissionError):
                os.fchown(new, before.st_uid, before.st_gid)
                os.fchmod(new, stat.S_IMODE(mine.st_mode))
        with suppress(OSError):  # a file system without attributes, or attributes that only the system sets
            for attribute in os.listxattr(old) if hasattr(os, "listxattr") else ():
                with suppress(OSError):
                    os.setxattr(new, attribute, os.getxattr(old, attribute))


def _put_new(folder: Folder, temporary: str, name: str) -> None:
    try:
        folder.link(temporary, name)
    except FileExistsError:
        raise
    except (OSError, NotImplementedError) as error:
        if isinstance(error, OSError) and error.errno not in _NO_LINKS:
            raise
        if folder.stat(name) is not None:
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), name) from error
        folder.replace(temporary, name)
        return
    _discard(folder, temporary)


def _place_over(folder: Folder, temporary: str, name: str, expected: str | None) -> None:
    """Swap the finished file with the target; what was displaced must be what was expected, else swap back."""
    if not folder.exchange(temporary, name):
        if expected != UNCHECKED and _digest(folder, name) != expected:
            raise _changed(folder.path / name)
        folder.replace(temporary, name)
        with suppress(OSError):  # it is in place and cannot be taken back: durable a little later
            folder.sync()
        return
    try:
        if expected is not None and expected != UNCHECKED:
            _require_displaced(folder, temporary, expected, folder.path / name)
        folder.sync()
    except BaseException:
        folder.exchange(temporary, name)
        raise


def _require_displaced(folder: Folder, aside: str, expected: str, shown: Path) -> None:
    with suppress(FileError):  # somebody put a pipe or a folder there meanwhile
        if _digest(folder, aside) == expected:
            return
    raise _changed(shown)


def _discard(folder: Folder, temporary: str) -> None:
    with suppress(OSError):  # `sweep` finds it later
        folder.unlink(temporary)
