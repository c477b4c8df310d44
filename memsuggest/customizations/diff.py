r"""The exact unified diff of an edit: what `git apply` takes, byte for byte.

Lines end at `\n` only, so a lone `\r`, U+2028 and their like stay inside their line; a missing final newline has its
marker; paths are quoted as git quotes them. Python's `difflib` finds the hunks; the text is written here, because
`difflib.unified_diff` knows neither the marker nor the quoting.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

from memsuggest.core.model import Edit, LineChange
from memsuggest.customizations.blocks.line_kinds import bare, split_lines

CONTEXT = 3
"""Unchanged lines around a change, as git shows."""

_NO_NEWLINE = "\\ No newline at end of file\n"
_ESCAPES = {"\a": "\\a", "\b": "\\b", "\t": "\\t", "\n": "\\n", "\v": "\\v", "\f": "\\f", "\r": "\\r"}
_ESCAPES |= {'"': '\\"', "\\": "\\\\"}


def unified(edit: Edit) -> str:
    """Return the diff of an edit, empty when it changes nothing; the person's own files (`~/…`) keep their name."""
    if edit.before == edit.after:
        return ""
    old, new = quoted_path(f"a/{edit.path}"), quoted_path(f"b/{edit.path}")
    rows = [f"diff --git {old} {new}\n"]
    if edit.before is None or edit.after is None:
        rows.append(f"{'new' if edit.before is None else 'deleted'} file mode 100644\n")
    if edit.before or edit.after:
        for sign, name, text in (("---", old, edit.before), ("+++", new, edit.after)):
            tab = "\t" if " " in name and not name.startswith('"') else ""
            rows.append(f"{sign} {'/dev/null' if text is None else name + tab}\n")
    return "".join([*rows, *_hunks(split_lines(edit.before or ""), split_lines(edit.after or ""))])


def quoted_path(path: str) -> str:
    """Return a path as git writes it into a diff: in quotes, with octal bytes, where it is not plain."""
    if path.isascii() and path.isprintable() and not {'"', "\\"} & set(path):
        return path
    shown = ""
    for char in path:
        if char in _ESCAPES or (char.isascii() and char.isprintable()):
            shown += _ESCAPES.get(char, char)
        else:
            shown += "".join(f"\\{byte:03o}" for byte in char.encode("utf-8", "surrogateescape"))
    return f'"{shown}"'


def _hunks(before: Sequence[str], after: Sequence[str]) -> Iterator[str]:
    # Only what differs is compared, as git does: of thousands of lines that are alike, each is compared with each.
    skipped, old, new = around_change(before, after)
    # Without the junk heuristic: it would hide common lines of long files and make hunks larger than they are.
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    for group in matcher.get_grouped_opcodes(CONTEXT):
        first, last = group[0], group[-1]
        old_range = _range(skipped + first[1], skipped + last[2])
        yield f"@@ -{old_range} +{_range(skipped + first[3], skipped + last[4])} @@\n"
        for tag, old_start, old_end, new_start, new_end in group:
            marked = [("-", line) for line in old[old_start:old_end]] + [("+", line) for line in new[new_start:new_end]]
            for mark, line in marked if tag != "equal" else [(" ", line) for line in old[old_start:old_end]]:
                yield mark + line if line.endswith("\n") else f"{mark}{line}\n{_NO_NEWLINE}"


def _range(start: int, end: int) -> str:
    length = end - start
    return str(start + 1) if length == 1 else f"{start + 1 if length else start},{length}"


def _same_first(before: Sequence[str], after: Sequence[str]) -> int:
    limit = min(len(before), len(after))
    return next((place for place in range(limit) if before[place] != after[place]), limit)


def around_change(before: Sequence[str], after: Sequence[str]) -> tuple[int, Sequence[str], Sequence[str]]:
    """Return how many lines at the beginning are left out, and those that differ, with the context around them."""
    start = _same_first(before, after)
    tail = _same_first(before[start:][::-1], after[start:][::-1])
    first, left = max(0, start - CONTEXT), max(0, tail - CONTEXT)
    return first, before[first : len(before) - left], after[first : len(after) - left]


class Span(NamedTuple):
    """The lines that an edit touches: `[start, old_end)` of the text before, `[start, new_end)` of the text after."""

    start: int
    old_end: int
    new_end: int


def touched_lines(old: Sequence[str], new: Sequence[str]) -> Span:
    """Return the lines between what is the same at the beginning and at the end of two texts."""
    start = _same_first(old, new)
    # A last line without an end gets one when something follows it.
    if old[start:] and old[start:] == [bare(line) for line in new[start : start + 1]]:
        start += 1
    tail = _same_first(old[start:][::-1], new[start:][::-1])
    return Span(start, len(old) - tail, len(new) - tail)


def line_change(edit: Edit) -> LineChange | None:
    """Return an edit as the replacement of at least one line; None where there is no line before, or no change.

    What is only added is told as the line above it (or below, at the top) and itself.
    """
    before, after = split_lines(edit.before or ""), split_lines(edit.after or "")
    if not before or before == after:
        return None
    first, last, end = touched_lines(before, after)
    if first == last and first > 0:
        first -= 1
    elif first == last:
        last, end = last + 1, end + 1
    return LineChange(first=first + 1, last=last, lines=tuple(bare(line) for line in after[first:end]))
