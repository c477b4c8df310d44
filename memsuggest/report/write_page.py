"""Writing of a report: whole or not at all, and only over what is a report of ours."""

from __future__ import annotations

from pathlib import Path

from memsuggest.core.errors import FileError
from memsuggest.files import UNCHECKED, write_exact

LARGEST = 16 * 1024 * 1024  # bytes of a page; one of a year has a tenth of that
_HEAD = 4096  # bytes of a file in which its mark stands
_PRIVATE = 0o600


def write_page(path: Path, text: str, *, mark: str, is_forced: bool, is_private: bool) -> None:
    """Write a page; raises FileError where another file stands that does not begin with our mark, and for all else."""
    if not is_forced and not _may_replace(path, mark):
        raise FileError(
            f"`{path}` already exists and was not created by `memsuggest report`",
            hint="choose another file, or use `--force` to overwrite it",
        )
    write_exact(path, text, expected_digest=UNCHECKED, mode=_PRIVATE if is_private else None, limit=LARGEST)


def _may_replace(path: Path, mark: str) -> bool:
    """Tell whether nothing is there, nothing is in it, or what we made."""
    if path.is_dir():
        raise FileError(f"`{path}` is a folder", hint=f"choose a file in the folder: `{path / 'report.html'}`")
    try:
        with path.open("rb") as file:
            head = file.read(_HEAD)
    except FileNotFoundError:
        return True
    except OSError as error:
        raise FileError(f"cannot read `{path}`: {error.strerror}", hint="choose another file") from None
    return not head or mark.encode() in head
