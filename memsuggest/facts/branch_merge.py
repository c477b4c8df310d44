"""Merging the shared file of two branches, entry by entry, and saving what can be read of one that is damaged.

Three documents in, one out. Additions never conflict, since entries are kept by id. Of an entry that both sides
have, every key that only one side changed takes that change. Forgetting wins over adding again, unless a side brought
a forgotten fact back on purpose. What one side forgot and the other reworded stays, beside its tombstone, until
somebody decides. Where both sides changed the same key differently, one of them is chosen by a rule that does not
depend on who merges, and the other's wording is kept as a fact of its own: two facts that contradict each other are
shown to the person, an update that is gone is not.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from memsuggest.core.context import Context
from memsuggest.core.errors import FileError, StoreError, WorkspaceError
from memsuggest.core.git import run_git
from memsuggest.core.model import Edit
from memsuggest.core.plain_reports import MergedJson, Text
from memsuggest.core.redact import clean, redact, without_redacted
from memsuggest.core.render.page import count
from memsuggest.customizations.diff import unified
from memsuggest.facts import codec, entries
from memsuggest.facts.codec import Document, NewerFileError
from memsuggest.facts.entries import (
    PARTS,
    Entry,
    is_reworded_since,
    merged_decisions,
    merged_facts,
    merged_keys,
    merged_tombstones,
)
from memsuggest.facts.facts_file import PLACE
from memsuggest.files import UNCHECKED, digest_of, read_exact, remove_exact, write_exact

_MARK = re.compile(r"(<{7}|\|{7}|={7}|>{7})(?: [^\n]*|\r)?")
_SIDES = {"<": "ours", "|": "base", "=": "theirs", ">": "both"}
_ENTRY = re.compile(r'\{\s*"')


@dataclass(frozen=True, slots=True, kw_only=True)
class Merged:
    """The merged document, and what people have to look at."""

    document: Document
    parted: tuple[tuple[str, str], ...] = ()
    """Ids of facts whose wording both sides changed: the one that kept the id, and the other wording's own."""
    contested: tuple[str, ...] = ()
    """Ids of facts that one side forgot and the other reworded; both the fact and the tombstone are there."""


def merge(base: Document, ours: Document, theirs: Document) -> Merged:
    """Merge what two sides made of one document; the same whichever side is ours."""
    both = (ours, theirs)
    tombstones: dict[str, Entry] = {}
    for key in sorted({*ours.tombstones, *theirs.tombstones}):
        found = [side.tombstones[key] for side in both if key in side.tombstones]
        is_back = key in base.tombstones and any(key in side.facts and key not in side.tombstones for side in both)
        if not is_back:  # a side that brings its fact back lifts the tombstone
            before = base.tombstones.get(key, {})
            tombstones[key] = merged_tombstones(before, *found) if len(found) > 1 else found[0]
    parted: list[tuple[str, str]] = []
    facts: dict[str, Entry] = {}
    for key in sorted({*ours.facts, *theirs.facts}):
        fact, versions = base.facts.get(key), [side.facts[key] for side in both if key in side.facts]
        if key in tombstones and not _is_contested(key, base, ours, theirs):
            continue
        if len(versions) == 1:
            if versions[0] != fact:  # otherwise a side took it out
                facts[key] = versions[0]
            continue
        facts[key], loser = merged_facts(fact, *versions)
        if loser is not None and loser["id"] not in tombstones:
            facts.setdefault(str(loser["id"]), loser)
            parted.append((key, str(loser["id"])))
    known = {*base.facts, *ours.facts, *theirs.facts, *tombstones}
    decisions: dict[str, Entry] = {}
    for key in sorted({*ours.decisions, *theirs.decisions}):
        versions = [side.decisions[key] for side in both if key in side.decisions]
        is_lifted = len(versions) == 1 and versions[0] == base.decisions.get(key)  # by the other side
        if not is_lifted and (versions[0]["factId"] in facts or versions[0]["factId"] not in known):
            decisions[key] = merged_decisions(*versions) if len(versions) > 1 else versions[0]
    head = merged_keys(base.head, ours.head, theirs.head)
    document = Document(head=head, facts=facts, decisions=decisions, tombstones=tombstones)
    return Merged(document=document, parted=tuple(parted), contested=tuple(sorted(facts.keys() & tombstones.keys())))


def _is_contested(key: str, base: Document, ours: Document, theirs: Document) -> bool:
    """Tell if one side forgot a fact that the other has put into other words since, or that was contested before."""
    before = base.facts.get(key)
    for side, other in ((ours, theirs), (theirs, ours)):
        if there := side.facts.get(key):
            gone = other.tombstones.get(key, {})
            is_reworded = there["content"] != before["content"] if before else is_reworded_since(gone, there)
            if key in side.tombstones or is_reworded:
                return True
    return False


def settled(merged: Merged) -> Document:
    """Let the new wording of contested facts hold: what a person wrote is not lost, and can still be forgotten."""
    found = merged.document.tombstones.items()
    return replace(merged.document, tombstones={key: gone for key, gone in found if key not in merged.contested})


def saved(text: str, *, name: str) -> Document:
    """Return all that a text holds, however damaged; of its sides in a conflict, all that either has."""
    sides: dict[str, list[str]] = {"base": [], "ours": [], "theirs": []}
    here, seen = "both", set()
    for line in text.split("\n"):
        if mark := _MARK.fullmatch(line):
            here = _SIDES[mark[1][0]]
            seen.add(here)
            continue
        for side in sides if here == "both" else (here,):
            sides[side].append(line)
    if not seen:
        return _whole_or_pieces(text, name)
    if "base" not in seen:  # then nobody knows what a side took out: what is there on one side stays
        sides["base"] = []
    texts = ("\n".join(lines) for lines in sides.values())
    base, ours, theirs = (_whole_or_pieces(side, name) if side.strip() else Document() for side in texts)
    return merge(base, ours, theirs).document


def _whole_or_pieces(text: str, name: str) -> Document:
    """Read a text, or else every object in it that is whole by itself; those inside another one belong to it."""
    try:
        return codec.parse(text.removeprefix("\ufeff"), name=name)
    except NewerFileError:
        raise
    except StoreError:
        pass
    parts: dict[str, list[object]] = {part: [] for part in PARTS}
    decoder, place = json.JSONDecoder(), 0
    while found := _ENTRY.search(text, place):
        place = found.end()
        try:
            entry, end = decoder.raw_decode(text, found.start())
        except (ValueError, RecursionError):
            continue
        if isinstance(entry, dict) and ("id" in entry or "factId" in entry):
            place = end
            part = "decisions" if "factId" in entry else "facts" if "content" in entry else "tombstones"
            if not any(entries.problems(part, entry)):
                parts[part].append(entry)
    return codec.parse(json.dumps({"version": codec.VERSION, **parts}), name=name)


def mend(context: Context) -> list[str]:
    """Mend the file in its place, and say what was mended, a line each. Raises StoreError for a newer version."""
    path, store, lines = context.facts_file.path, context.facts_file, list[str]()
    if not os.path.lexists(path):
        return []
    with context.exclusive():
        found = read_exact(path)
        try:
            codec.parse(found.text, name=f"`{path}`")
        except NewerFileError:
            raise
        except StoreError:  # all that can be saved is written; what the file was stays in the state folder
            aside = context.state_path.with_name("facts-damaged.json")
            write_exact(aside, found.text, expected_digest=UNCHECKED, mode=0o600)
            document = saved(found.text, name=f"`{path}`")
            shown = run_git(context.root, "show", f"HEAD:./{PLACE}") or b""
            with suppress(StoreError, UnicodeDecodeError):  # what it still names and could not be read
                committed = codec.parse(shown.decode(), name="the last commit").facts.items()
                named = {key: fact for key, fact in committed if f'"{key}"' in found.text and key not in document.facts}
                document = merge(Document(), document, Document(facts=named)).document
            store.replace_text(document, expected_digest=found.digest)
            what = "the file could not be parsed; everything readable was kept"
            lines.append(f"{what}, and the original was saved to {aside}")
        document = store.read()
        lines += [*document.repairs, *cleaned(document)[1]]
        if not store.is_in_usual_form():
            lines = lines or ["the file now has the standard order and formatting"]
        store.repair(lambda old: cleaned(old)[0])
    return lines


def cleaned(document: Document) -> tuple[Document, list[str]]:
    """Return clean texts without secrets, with what was contested settled; and what that changes, a line each."""
    contested, facts = document.contested, dict[str, Entry]()
    lines = [f"fact {key[:12]} was forgotten on one side, but the other side's new text was kept" for key in contested]
    for key, entry in document.facts.items():
        if key in document.tombstones and key not in contested:
            lines.append(f"fact {key[:12]} had been forgotten and was removed")
            continue
        texts = {name: _clean_line(str(entry[name])) for name in ("content", "reason") if name in entry}
        facts[key] = {**entry, **{name: without_redacted(text) or text for name, text in texts.items()}}
        if facts[key] != entry:
            lines.append(f"fact {key[:12]} was cleaned up (put on one line, secrets redacted)")
    tombstones = {key: tombstone for key, tombstone in document.tombstones.items() if key not in contested}
    return replace(document, facts=facts, tombstones=tombstones), lines


def _clean_line(text: str) -> str:
    return " ".join(clean(redact(text).text).split())


_ATTRIBUTE = f"/{PLACE} merge=memsuggest"


def merge_files(base: Path, ours: Path, theirs: Path) -> Text:
    """Merge three versions into `ours`, as git's merge drivers do; StoreError leaves it as it was.

    Only where one side forgot what the other reworded it is written before the StoreError that makes git stop there.
    """
    try:
        texts = [read_exact(path.absolute()).text for path in (base, ours, theirs)]
    except FileError as error:
        raise StoreError(error.message, hint=error.hint) from error
    merged = _merged(texts, names=[f"the {side} version" for side in ("base", "current branch's", "other branch's")])
    write_exact(ours.absolute(), codec.render(merged.document), expected_digest=digest_of(texts[1]))
    if merged.contested:
        hint = "`memsuggest memory resolve` keeps and stages the new text"
        raise StoreError("\n".join(_contested_lines(merged)), hint=hint)
    return _report("merged", merged)


def resolve(context: Context) -> Text:
    """Merge the conflicting versions that git keeps, write the file and stage it; without any, mend the file itself.

    Raises StoreError when there is nothing to do.
    """
    try:
        stages = [run_git(context.root, "show", f":{number}:./{PLACE}") for number in (1, 2, 3)]  # base, ours, theirs
        texts = [None if stage is None else stage.decode() for stage in stages]
    except UnicodeDecodeError as error:
        raise StoreError(f"a version of `{PLACE}` is not UTF-8", hint="restore it with `git checkout`") from error
    known = [text for text in texts[1:] if text is not None]
    if not known:
        lines = mend(context)
        if not lines:
            hint = "`git status` lists unmerged files"
            raise StoreError(f"`{PLACE}` has no merge conflicts and nothing to repair", hint=hint)
        many = len(context.facts_file.read().facts)
        text = "\n".join([f"repaired: {count(many, 'fact', 'facts')}", *lines, f"`git add {PLACE}` stages the file"])
        return Text(text=text, payload={"did": "mended", "facts": many, "mended": lines})
    if len(known) == 1:  # one branch has removed the file: what the other made of it is kept, and can be removed
        texts = [*known * 3]
    merged = _merged([text or "" for text in texts], names=["the base version", "your version", "their version"])
    path = context.facts_file.path
    with context.exclusive():
        digest = read_exact(path).digest if os.path.lexists(path) else None
        write_exact(path, codec.render(settled(merged)), expected_digest=digest, within=context.root)
        context.facts_file.repair(lambda old: cleaned(old)[0])
    if run_git(context.root, "add", "--", PLACE) is None:
        raise FileError(f"`{PLACE}` was merged, but git could not stage it", hint=f"run `git add {PLACE}`")
    note = f"one branch removed `{PLACE}`; the file was kept (`git rm {PLACE}` removes it)"
    return _report("resolved and staged", merged, *([note] if len(known) == 1 else []))


def install_driver(context: Context) -> Text:
    """Tell git to merge the shared file with memsuggest: a line of .gitattributes, and the command in this clone."""
    command = f"{shlex.quote(sys.executable)} -P -m memsuggest memory merge %O %A %B"
    for name, value in (("name", "memsuggest facts"), ("driver", command)):
        if run_git(context.root, "config", "--local", f"merge.memsuggest.{name}", value) is None:
            raise WorkspaceError("git rejected the merge driver", hint="check that this is a git repo you can write to")
    diff = _change_attributes(context.root, is_wanted=True)
    text = f"{diff}git now uses memsuggest to merge `{PLACE}` in this clone; commit .gitattributes for your team"
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
    base = codec.parse(texts[0], name=names[0]) if texts[0].strip() else Document()
    return merge(base, *(codec.parse(text, name=name) for text, name in zip(texts[1:], names[1:], strict=True)))


def _report(what: str, merged: Merged, *notes: str) -> Text:
    many = len(merged.document.facts)
    lines = [f"{what}: {count(many, 'fact', 'facts')}"]
    for name, other in merged.parted:
        now = f"the other version is now fact {other[:12]}; forget one of them"
        lines.append(f"both sides reworded fact {name[:12]}; {now}")
    parted = [list(pair) for pair in merged.parted]
    payload: MergedJson = {"did": what, "facts": many, "parted": parted, "contested": list(merged.contested)}
    return Text(text="\n".join([*lines, *_contested_lines(merged), *notes]), payload=payload)


def _contested_lines(merged: Merged) -> list[str]:
    what = "was forgotten on one side and reworded on the other, so the new text was kept"
    names = (name[:12] for name in merged.contested)
    return [f"fact {name} {what}; `memsuggest memory forget {name}` forgets the fact" for name in names]


def _change_attributes(root: Path, *, is_wanted: bool) -> str:
    """Add or remove our line of .gitattributes; return the diff, empty when nothing had to change.

    A text without a final line end keeps that, by which our line can be taken out exactly.
    """
    path = root / ".gitattributes"
    before = read_exact(path).text if os.path.lexists(path) else None
    lines = (before or "").split("\n")
    others = [line for line in lines if line.rstrip("\r") != _ATTRIBUTE]
    if (len(others) < len(lines)) is is_wanted:
        return ""
    after: str | None
    if is_wanted:
        newline = "\r\n" if before and "\r\n" in before else "\n"
        is_ended = before is None or before.endswith("\n")
        start, end = ("", newline) if is_ended else (newline if before else "", "")
        after = f"{before or ''}{start}{_ATTRIBUTE}{end}"
    else:
        is_last = lines[-1].rstrip("\r") == _ATTRIBUTE
        left = "\n".join(others)
        after = None if others == [""] else left.removesuffix("\r") if is_last else left
    if after is None:
        remove_exact(path, digest_of(before or ""), within=root)
    else:
        write_exact(path, after, expected_digest=None if before is None else digest_of(before), within=root)
    return unified(Edit(path=".gitattributes", before=before, after=after))
