"""The place of a file's front matter, as its author meant it. Pure.

It is found also after a BOM, blank lines or a wrapping fence, and when its first `---` is missing. The hosts are
stricter, and `frontmatter` reads as they do; but an edit of the body must respect whatever looks like a header.
"""

from __future__ import annotations

import re

from memsuggest.customizations.blocks.line_kinds import fence_of

_WRAPPERS = {"instructions", "prompt", "chatmode", "chatagent", "agent", "skill"}
"""Info strings of the fence that some editors once wrote around a whole file."""
_EDGE = re.compile(r"---\s*")
_KEY = re.compile(r"[\w-]+[ \t]*:")
_KNOWN_KEY = re.compile(
    r"(?:applyTo|description|name|paths|globs|alwaysApply|mode|agent|model|tools|excludeAgent)[ \t]*:"
)
_GOES_ON = re.compile(r"[ \t]+\S|-[ \t]|#|$")
"""What a line of a header that is no key looks like: indented, an item, a comment, empty."""


def header_end(lines: list[str]) -> int:
    """Return the index after the front matter, or 0; tolerates a BOM, blank lines and a wrapping fence before it."""
    start = header_start(lines)
    if start is None:
        return 0
    for index in range(start + 1, len(lines)):
        if _EDGE.fullmatch(lines[index]):
            return index + 1
    return 0


def header_start(lines: list[str]) -> int | None:
    """Return the index of the line that opens front matter, whether or not it is closed."""
    for index, line in enumerate(lines):
        content = line.removeprefix("\ufeff") if index == 0 else line
        fence = fence_of(content)
        if not content.strip() or (fence and fence.info.lower() in _WRAPPERS):
            continue
        is_first = index == 0 and content == line
        following = lines[index + 1] if index + 1 < len(lines) else ""
        is_header = _EDGE.fullmatch(content) and (is_first or _KEY.match(following))
        return index if is_header or is_unopened(lines[index:]) else None
    return None


def is_unopened(lines: list[str]) -> bool:
    """Tell whether lines begin with a header that lacks its first `---`: nothing but keys, one of ours first."""
    if not _KNOWN_KEY.match(lines[0].removeprefix("\ufeff")):
        return False
    for line in lines[1:]:
        if _EDGE.fullmatch(line):
            return True
        if not (_KEY.match(line) or _GOES_ON.match(line)):
            return False
    return False
