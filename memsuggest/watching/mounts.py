"""Folders on drives of other machines, whose changes no system call tells."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

_FAR = frozenset(
    (
        *(
            "nfs",
            "nfs4",
            "cifs",
            "smb3",
            "smbfs",
            "9p",
            "afs",
            "ceph",
            "glusterfs",
            "lustre",
            "ncpfs",
            "davfs",
            "drvfs",
        ),
        *("fuse.sshfs", "fuse.rclone", "fuse.s3fs", "fuse.davfs2", "fuse.glusterfs"),
        *("vboxsf", "prl_fs", "vmhgfs", "fuse.vmhgfs-fuse", "virtiofs"),
    )
)
"""Kinds of file systems that other machines write to; the last ones are folders that a virtual machine shares."""
_TABLE = Path("/proc/self/mounts")


def far_folders(folders: Iterable[str], *, table: str | None = None) -> tuple[str, ...]:
    """Return those of the folders that lie on a drive of another machine; none where the system has no such table.

    `table` is the text of Linux's `/proc/self/mounts`: device, place, kind, separated by spaces.
    """
    text = _text() if table is None else table
    kinds: dict[str, str] = {}
    for row in text.split("\n"):
        fields = row.split(" ")
        if len(fields) > 2:
            kinds[_plain(fields[1])] = fields[2]
    return tuple(folder for folder in folders if _kind_of(folder, kinds) in _FAR)


def _kind_of(folder: str, kinds: dict[str, str]) -> str:
    """Return the kind of the file system that a folder lies in: that of the nearest place above it."""
    place = folder
    while place not in kinds:
        above = os.path.dirname(place)  # noqa: PTH120  (thousands of folders: no objects for each step)
        if above == place:
            return ""
        place = above
    return kinds[place]


def _plain(place: str) -> str:
    return place.replace("\\040", " ").replace("\\011", "\t").replace("\\134", "\\")


def _text() -> str:
    try:
        return _TABLE.read_text(encoding="utf-8", errors="surrogateescape")
    except OSError:
        return ""
