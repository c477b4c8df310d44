"""The shared facts.json and git: merging two branches of it, in a merge driver or from a conflict's stages."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from memsuggest.core.context import Context
from memsuggest.core.errors import FileError, StoreError, WorkspaceError
from memsuggest.core.git import run_git
from memsuggest.core.model import Edit
from memsuggest.core.plain_reports import MergedJson, Text
from memsuggest.customizations.diff import unified
from memsuggest.facts import codec
from memsuggest.facts.branch_merge import Mended, Merged, cleaned, mend, merge, settled
from memsuggest.facts.facts_file import PLACE
from memsuggest.files import digest_of, read_exact, remove_exact, write_exact

_ATTRIBUTE = f"/{PLACE} merge=memsuggest"
_OURS, _THEIRS = 2, 3


def merge_files(base: Path, ours: Path, theirs: Path) -> Text:
    """Merge three versions into `ours`, as git's merge drivers do; StoreError leaves it as it was.

    Only where one side forgot what the other reworded it is written before the StoreError that makes git stop there.
    """
    texts = [_text_of(path) for path in (base, ours, theirs)]
    merged = _merged(texts, names=[f"the {side}'s version" for side in ("base", "current branch", "other branch")])
    write_exact(ours.absolute(), codec.render(merged.document), expected_digest=digest_of(texts[1]))
    if merged.contested:
        raise StoreError(
            "\n".join(_contested_lines(merged)), hint="`memsuggest memory resolve` keeps the new text and stages it"
        )
    return _told("merged", merged)


def resolve(context: Context) -> Text:
    """Merge the conflicting versions that git keeps, write the file and stage it; without any, mend the file itself.

    Raises StoreError when there is nothing to do.
    """
    texts = [_stage(context.root, number) for number in (1, _OURS, _THEIRS)]
    if texts[1] is None and texts[2] is None:
        return _told_mended(mend(context))
    known = [text for text in texts[1:] if text is not None]
    if len(known) == 1:  # one branch has removed the file: what the other made of it is kept, and can be removed
        texts = [known[0], known[0], known[0]]
    merged = _merged([text or "" for text in texts], names=["the base's version", "our version", "their version"])
    path = context.facts_file.path
    with context.exclusive():
        held = read_exact(path).digest if os.path.lexists(path) else None
        write_exact(path, codec.render(settled(merged).document), expected_digest=held, within=context.root)
        context.facts_file.repair(cleaned)
    if run_git(context.root, "add", "--", PLACE) is None:
        raise FileError(f"`{PLACE}` was merged, but git could not stage it", hint=f"`git add {PLACE}`")
    told = _told("resolved and staged", merged)
    if len(known) == 1:
        note = f"one branch removed `{PLACE}`; it was kept (`git rm {PLACE}` removes it)"
        return replace(told, text=f"{told.text}\n{note}")
    return told


def _told_mended(mended: Mended | None) -> Text:
    if mended is None:
        raise StoreError(
            f"`{PLACE}` has no merge conflicts and nothing to repair",
            hint="`git status` lists unmerged files",
        )
    lines = [f"repaired: {mended.facts} facts", *mended.told, f"`git add {PLACE}` adds it to the next commit"]
    return Text(text="\n".join(lines), payload={"did": "mended", "facts": mended.facts, "mended": list(mended.told)})


def install_driver(context: Context) -> Text:
    """Tell git to merge the shared file with memsuggest: a line of .gitattributes, and the command in this clone."""
    command = f"{shlex.quote(sys.executable)} -P -m memsuggest memory merge %O %A %B"
    _set(context.root, "merge.memsuggest.name", "memsuggest facts")
    _set(context.root, "merge.memsuggest.driver", command)
    diff = _change_attributes(context.root, is_wanted=True)
    text = f"{diff}git now merges `{PLACE}` with memsuggest in this clone; commit .gitattributes for your team"
    return Text(text=text, payload={"installed": True, "driver": command, "diff": diff})


def is_driver_installed(context: Context) -> bool:
    """Tell whether this clone's git knows the driver, and the team's .gitattributes asks for it."""
    attributes = context.root / ".gitattributes"
    lines = read_exact(attributes).text.split("\n") if os.path.lexists(attributes) else []
    is_asked_for = any(line.rstrip("\r") == _ATTRIBUTE for line in lines)
    return is_asked_for and bool(run_git(context.root, "config", "--get", "merge.memsuggest.driver", accept=(0, 1)))


def uninstall_driver(context: Context) -> Text:
    """Take both back."""
    run_git(context.root, "config", "--local", "--remove-section", "merge.memsuggest", accept=(0, 128))
    diff = _change_attributes(context.root, is_wanted=False)
    return Text(text=f"{diff}git now merges `{PLACE}` like any other file", payload={"installed": False, "diff": diff})


def _merged(texts: Sequence[str], *, names: Sequence[str]) -> Merged:
    base, ours, theirs = (
        codec.parse(text, name=name) if text.strip() or number else codec.Document()
        for number, (text, name) in enumerate(zip(texts, names, strict=True))
    )
    return merge(base, ours, theirs)


def _text_of(path: Path) -> str:
    try:
        return read_exact(path.absolute()).text
    except FileError as error:
        raise StoreError(error.message, hint=error.hint) from error


def _stage(root: Path, number: int) -> str | None:
    found = run_git(root, "show", f":{number}:./{PLACE}")
    if found is None:
        return None
    try:
        return found.decode()
    except UnicodeDecodeError as error:
        raise StoreError(f"a version of `{PLACE}` is not UTF-8", hint="restore it with `git checkout`") from error


def _told(what: str, merged: Merged) -> Text:
    lines = [f"{what}: {len(merged.document.facts)} facts"]
    lines += [
        f"both sides reworded {first[:12]}; the other version is {second[:12]}: forget one of the two"
        for first, second in merged.parted
    ]
    lines += _contested_lines(merged)
    payload: MergedJson = {
        "did": what,
        "facts": len(merged.document.facts),
        "parted": [list(pair) for pair in merged.parted],
        "contested": list(merged.contested),
    }
    return Text(text="\n".join(lines), payload=payload)


def _contested_lines(merged: Merged) -> list[str]:
    return [
        f"one side forgot {name[:12]} and the other reworded it: the new text was kept;"
        f" `memsuggest memory forget {name[:12]}` forgets it"
        for name in merged.contested
    ]


def _set(root: Path, name: str, value: str) -> None:
    if run_git(root, "config", "--local", name, value) is None:
        raise WorkspaceError("git rejected the setting", hint="check that this is a git repo you can write to")


def _change_attributes(root: Path, *, is_wanted: bool) -> str:
    """Add or remove our line of .gitattributes; return the diff, empty when nothing had to change."""
    path = root / ".gitattributes"
    before = read_exact(path).text if os.path.lexists(path) else None
    after = _with_attribute(before) if is_wanted else _without_attribute(before)
    if before == after:
        return ""
    if after is None:
        remove_exact(path, digest_of(before or ""), within=root)
    else:
        write_exact(path, after, expected_digest=None if before is None else digest_of(before), within=root)
    return unified(Edit(path=".gitattributes", before=before, after=after))


def _with_attribute(before: str | None) -> str:
    """Add our line at the end; a text without a final line end keeps that, by which ours can be taken out exactly."""
    if before is None:
        return f"{_ATTRIBUTE}\n"
    if any(line.rstrip("\r") == _ATTRIBUTE for line in before.split("\n")):
        return before
    newline = "\r\n" if "\r\n" in before else "\n"
    is_ended = before.endswith("\n")
    return f"{before}{_ATTRIBUTE}{newline}" if is_ended else f"{before}{newline if before else ''}{_ATTRIBUTE}"


def _without_attribute(before: str | None) -> str | None:
    """Take our line out; None: there was nothing else."""
    lines = (before or "").split("\n")
    kept = [line for line in lines if line.rstrip("\r") != _ATTRIBUTE]
    if len(kept) == len(lines):
        return before
    if kept == [""]:
        return None
    is_last = lines[-1].rstrip("\r") == _ATTRIBUTE
    return "\n".join(kept).removesuffix("\r") if is_last else "\n".join(kept)
