"""The user's files: exact reading, atomic writing, locks, and which paths may be touched at all."""

from memsuggest.files.atomic import UNCHECKED, is_temporary, remove_exact, sweep, write_exact
from memsuggest.files.confine import inside, inside_home, is_secret_name, readable_inside
from memsuggest.files.exact import FileText, digest_of, read_exact
from memsuggest.files.folder import remove_folders
from memsuggest.files.lock import lock
from memsuggest.files.target_names import is_executable_target

__all__ = [
    "UNCHECKED",
    "FileText",
    "digest_of",
    "inside",
    "inside_home",
    "is_executable_target",
    "is_secret_name",
    "is_temporary",
    "lock",
    "read_exact",
    "readable_inside",
    "remove_exact",
    "remove_folders",
    "sweep",
    "write_exact",
]
