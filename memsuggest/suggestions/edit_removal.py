"""Taking an edit back in a file that was changed beside it since. Pure."""

from __future__ import annotations

from difflib import SequenceMatcher


def without_edit(now: str, *, before: str, after: str) -> str | None:
    """Return a text without an edit, each of whose parts still stands in it once, word for word; None otherwise.

    >>> without_edit("a2\\nrule\\nb\\n", before="a\\nb\\n", after="a\\nrule\\nb\\n")
    'a2\\nb\\n'
    >>> without_edit("a\\nrule 2\\nb\\n", before="a\\nb\\n", after="a\\nrule\\nb\\n")
    """
    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    lines = now.splitlines(keepends=True)
    for kind, start, end, new_start, new_end in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if kind == "equal":
            continue
        part = new[new_start:new_end]
        places = [at for at in range(len(lines) - len(part) + 1) if lines[at : at + len(part)] == part]
        if not "".join(part).strip() or len(places) != 1:
            return None  # a line that went stood nowhere, and a blank one stands everywhere
        lines[places[0] : places[0] + len(part)] = old[start:end]
    return "".join(lines)
