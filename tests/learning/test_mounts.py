"""Drives of other machines."""

from __future__ import annotations

import pytest
from cases import cases

from memsuggest.learning.file_changes import far_folders

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
