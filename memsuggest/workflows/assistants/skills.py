"""Our skill in the assistants' folders: planned as edits, written with the journal, found again."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from memsuggest.errors import ConfigError, EditConflict, FileError
from memsuggest.files import remove_folders
from memsuggest.integrations.skills import SKILL_FILES, SKILL_OF, is_ours, skill_text
from memsuggest.model import Edit
from memsuggest.reports.plain import Text
from memsuggest.workflows.decide.paths import HOME, HOST, current_text, path_of
from memsuggest.workflows.decide.writing import FileChange, carry_out, settle

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memsuggest.workflows.context import Context


def plan_skill(context: Context, host: str | None, *, is_user: bool, is_removal: bool) -> list[Edit]:
    """Return the edits that bring the skill to an assistant, or to all of them, or take it away; none where it is so.

    Raises ConfigError for an assistant that we do not know, EditConflict for a skill of that name that is not ours.
    """
    if host is not None and host not in SKILL_OF:
        raise ConfigError(f"`{host}` has no place for skills that we know", hint=f"one of: {', '.join(SKILL_OF)}")
    names = dict.fromkeys(SKILL_OF.values() if host is None else [SKILL_OF[host]])
    edits = [_edit(context, (HOME if is_user else "") + name, is_removal=is_removal) for name in names]
    return [edit for edit in edits if edit.before != edit.after]


def _edit(context: Context, name: str, *, is_removal: bool) -> Edit:
    before = current_text(context, HOST + name)
    if before is not None and not is_ours(before):
        if is_removal:
            return Edit(path=HOST + name, before=before, after=before)
        raise EditConflict(f"`{name}` is another skill of this name", hint="move it away, or name it differently")
    return Edit(path=HOST + name, before=before, after=None if is_removal else skill_text())


def carry_skill(context: Context, edits: Sequence[Edit]) -> Text:
    """Write planned edits, all or none, so that `undo` takes them back."""
    with context.exclusive():
        settle(context)
        carry_out(context, FileChange(edits=tuple(edits), decisions=(), reworded=()))
    for edit in edits:
        if edit.after is None:
            folder = path_of(context, edit.path).parent
            remove_folders([folder.parent.parent, folder.parent, folder])  # as far as nothing else is in them
    paths = [edit.path.removeprefix(HOST) for edit in edits]
    verb = "removed" if all(edit.after is None for edit in edits) else "wrote"
    return Text(text=f"{verb} {', '.join(paths)}; `memsuggest undo` takes it back", payload={"paths": paths})


def files_with_skill(context: Context) -> list[str]:
    """Return the files in which our skill stands."""
    found = []
    for name in sorted(SKILL_FILES):
        with suppress(FileError, ValueError):
            text = current_text(context, HOST + name)
            if text is not None and is_ours(text):
                found.append(name)
    return found
