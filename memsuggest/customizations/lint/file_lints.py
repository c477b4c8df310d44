"""Lints of customization files, with fixes where they are safe. Pure.

Each is a row in one of the tables below: what hosts silently ignore or read in another way than it was meant.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator, Sequence

from memsuggest.core import jsonc
from memsuggest.core.errors import EditConflict
from memsuggest.core.model import Edit, Target, TargetType
from memsuggest.core.text.words import word_set
from memsuggest.customizations.blocks.block import BlockKind
from memsuggest.customizations.blocks.line_kinds import bare, split_lines
from memsuggest.customizations.blocks.scan import blocks
from memsuggest.customizations.frontmatter import parse, set_attribute
from memsuggest.customizations.frontmatter.header_place import header_start
from memsuggest.customizations.kinds import header_of, kind_by_name_of_file, place_of
from memsuggest.customizations.lint import Finding, Lint, Subject, Trouble, header_lints, lints

_SKILL_NAME = re.compile(r"[a-z0-9-]{1,64}")
_DESCRIPTION_LIMIT = 1024  # of a skill; the rest is cut
_AGENT_LIMIT = 30_000  # characters of an agent's body that the cloud agent accepts
_ALWAYS_ON_ENOUGH = 2
_POINTER = re.compile(r"(?:AGENTS|CLAUDE|GEMINI|copilot-instructions)\.md", re.IGNORECASE)
_POINTER_LIMIT = 400  # characters; a longer file says more than where the rules stand


def _skill_folder(subject: Subject) -> str:
    return posixpath.basename(subject.target.folder)


def _name_not_folder(subject: Subject) -> Iterator[Trouble]:
    name, folder = subject.header.name, _skill_folder(subject)
    if subject.kind == "skills" and name is not None and name != folder and _SKILL_NAME.fullmatch(folder):
        try:
            after = set_attribute(subject.target.text, "name", folder)
        except EditConflict:
            after = None
        yield Trouble(line=subject.line_of("name"), detail=f"`{name}` instead of `{folder}`", after=after)


def _odd_skill_folder(subject: Subject) -> Iterator[Trouble]:
    folder = _skill_folder(subject)
    if subject.kind == "skills" and not _SKILL_NAME.fullmatch(folder):
        yield Trouble(detail=f"`{folder}`")


def _no_description(subject: Subject) -> Iterator[Trouble]:
    if (subject.header.description or "").strip() or (subject.header.errors and not subject.header.entries):
        return
    if subject.kind == "skills":
        yield Trouble(detail="skill is never offered to the model", after=_with_description(subject))
    elif subject.kind == "agents":
        is_github = subject.target.uri.startswith(".github/")
        detail = "agent is rejected by GitHub's cloud agent" if is_github else "agent is never chosen automatically"
        yield Trouble(detail=detail, after=_with_description(subject))
    elif subject.kind == "instructions" and not _has_apply_to(subject) and _is_header_read(subject):
        yield Trouble(detail="file is neither attached nor offered", after=_with_description(subject))


def _has_apply_to(subject: Subject) -> bool:
    value = subject.header.value("applyTo")
    return value is not None and (value.kind != "scalar" or bool(value.text))


def _with_description(subject: Subject) -> str | None:
    """Give a file a description in its own words, to be looked at."""
    if not _is_header_read(subject) or not subject.header.is_closed:
        return None
    words = told_purpose(subject.target) if subject.kind == "instructions" else described(subject.target)
    try:
        return set_attribute(subject.target.text, "description", words) if words else None
    except EditConflict:
        return None


def _is_header_read(subject: Subject) -> bool:
    return subject.header.has_header or header_start([bare(line) for line in split_lines(subject.target.text)]) is None


def _long_description(subject: Subject) -> Iterator[Trouble]:
    length = len(subject.header.description or "")
    if subject.kind == "skills" and length > _DESCRIPTION_LIMIT:
        yield Trouble(line=subject.line_of("description"), detail=str(length))


def _long_agent(subject: Subject) -> Iterator[Trouble]:
    length = len(subject.header.body or "")
    if subject.kind == "agents" and subject.target.uri.startswith(".github/") and length > _AGENT_LIMIT:
        yield Trouble(detail=f"{length:,}")


def _chatmode(subject: Subject) -> Iterator[Trouble]:
    uri = subject.target.uri
    if not uri.lower().endswith(".chatmode.md"):
        return
    folder, name = posixpath.split(uri)
    parent = posixpath.dirname(folder) if posixpath.basename(folder) == "chatmodes" else None
    folder = folder if parent is None else posixpath.join(parent, "agents")
    yield Trouble(rename_to=posixpath.join(folder, name[: -len(".chatmode.md")] + ".agent.md"))


LINTS: tuple[Lint, ...] = (
    *header_lints.LINTS,
    *header_lints.APPLYTO_LINTS,
    *lints(
        ("skill-name", "the name differs from the folder name, which takes precedence: {}", _name_not_folder),
        (
            "skill-folder",
            "a skill folder name may have at most 64 lowercase letters, digits and dashes: {}",
            _odd_skill_folder,
        ),
        ("description-missing", "without a description, this {}", _no_description),
        ("description-long", "the description is cut off at 1,024 characters; it has {}", _long_description),
        ("agent-long", "GitHub's cloud agent accepts at most 30,000 characters; this has {}", _long_agent),
        ("chatmode", "chat modes are now called agents", _chatmode),
    ),
)
"""Every lint of a single file with front matter."""


def lint(target: Target) -> tuple[Finding, ...]:
    """Look at one file; findings come in the order of the table."""
    place = place_of(target.uri.removeprefix("~/"))
    kind = place.kind if place else kind_by_name_of_file(target.uri)
    if kind.always_on:
        return ()
    table = HOOK_LINTS if target.type is TargetType.HOOK else LINTS
    subject = Subject(target=target, header=header_of(kind, target.text), kind=kind.name)
    return tuple(_finding(one, subject, trouble) for one in table for trouble in one.find(subject))


def _finding(rule: Lint, subject: Subject, trouble: Trouble) -> Finding:
    target = subject.target
    is_fixed = trouble.after is not None and trouble.after != target.text
    return Finding(
        lint=rule.id,
        uri=target.uri,
        line=trouble.line,
        message=rule.message.replace("{}", trouble.detail),
        fix=Edit(path=target.uri, before=target.text, after=trouble.after) if is_fixed else None,
        rename_to=trouble.rename_to,
    )


def lint_all(targets: Sequence[Target]) -> tuple[Finding, ...]:
    """Look at all files, one by one and together."""
    return (*(finding for target in targets for finding in lint(target)), *_too_many_always_on(targets))


def _too_many_always_on(targets: Iterable[Target]) -> Iterator[Finding]:
    """Find always-on files of the whole workspace beside the two that it may need; ones that only point on are left."""
    root = [
        target
        for target in targets
        if target.always_on
        and target.applies_to == "**"
        and not target.uri.startswith("~/")
        and not _only_points(target)
    ]
    for target in root[_ALWAYS_ON_ENOUGH:]:
        others = ", ".join(f"`{other.uri}`" for other in root if other is not target)
        yield Finding(
            lint="always-on-many",
            uri=target.uri,
            line=0,
            message=f"every request includes both this file and {others}: keep the rules in one of them",
        )


def _only_points(target: Target) -> bool:
    body = parse(target.text).body or target.text
    return len(body) <= _POINTER_LIMIT and _POINTER.search(body) is not None


_EVENTS = word_set(
    "sessionstart sessionend userpromptsubmit userprompttransformed pretooluse posttooluse posttoolusefailure"
    " precompact stop subagentstart subagentstop erroroccurred permissionrequest notification"
)
_OTHERWISE = {"userpromptsubmitted": "userpromptsubmit", "agentstop": "stop"}
"""Every event of VS Code and the Copilot command line, in small letters, and other names of the same ones."""
_DOING = ("command", "bash", "powershell", "windows", "linux", "osx", "exec", "url", "prompt")


def _hooks(subject: Subject) -> dict[str, object]:
    try:
        values = jsonc.loads(subject.target.text)
    except ValueError:
        return {}
    hooks = values.get("hooks") if isinstance(values, dict) else None
    return hooks if isinstance(hooks, dict) else {}


def _line_of(subject: Subject, word: str) -> int:
    found = re.search(rf'"{re.escape(word)}"\s*:', subject.target.text)
    return subject.target.text.count("\n", 0, found.start()) if found else 0


def _not_json(subject: Subject) -> Iterator[Trouble]:
    try:
        values = jsonc.loads(subject.target.text)
    except ValueError as error:
        yield Trouble(detail=str(error))
        return
    if isinstance(values, dict) and "hooks" not in values and not _is_for_copilot(subject):
        return  # settings need no hooks
    if not isinstance(values, dict) or not isinstance(values.get("hooks"), dict):
        yield Trouble(detail="it has no `hooks` object")


def _is_for_copilot(subject: Subject) -> bool:
    return "/.claude/" not in f"/{subject.target.uri}"


def _unknown_events(subject: Subject) -> Iterator[Trouble]:
    if _is_for_copilot(subject):
        for event in _hooks(subject):
            if event.lower() not in _EVENTS | _OTHERWISE.keys():
                yield Trouble(line=_line_of(subject, event), detail=f"`{event}`")


def _two_spellings(subject: Subject) -> Iterator[Trouble]:
    seen: dict[str, str] = {}
    for event in _hooks(subject):
        name = event.lower()
        same = _OTHERWISE.get(name, name if name in _EVENTS else event)
        if same in seen:
            yield Trouble(line=_line_of(subject, event), detail=f"`{seen[same]}` and `{event}`")
        seen.setdefault(same, event)


def _entries(value: object) -> Iterator[object]:
    for entry in value if isinstance(value, list) else [value]:
        nested = entry.get("hooks") if isinstance(entry, dict) else None
        if isinstance(nested, list):
            yield from nested
        else:
            yield entry


def _without_command(subject: Subject) -> Iterator[Trouble]:
    for event, value in _hooks(subject).items():
        entries = list(_entries(value))
        if any(not isinstance(entry, dict) or not any(entry.get(key) for key in _DOING) for entry in entries):
            yield Trouble(line=_line_of(subject, event), detail=f"`{event}`")


HOOK_LINTS = lints(
    ("hook-json", "no assistant reads this file: {}", _not_json),
    ("hook-event", "unknown event: {}", _unknown_events),
    ("hook-twice", "two spellings of the same event; the later one replaces the earlier: {}", _two_spellings),
    ("hook-command", "an entry in {} has no command", _without_command),
)


LONGEST = 300
"""Characters of a description; hosts cut longer ones, and models read many."""
_SHORTEST = 20
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z`\"“(])|(?<=[。！？])")
_LINK = re.compile(r"\[([^\[\]\n]{1,200})\]\([^()\s]{0,400}\)")
_MARKUP = re.compile(r"\*\*|__|`")
_ODD = re.compile(r"[<>{}|]|\$\(|:$|^[\w-]{1,30}:\s")


def described(target: Target) -> str:
    return told_purpose(target) or f"Use when the task is about {_spoken(target.title)}"


def told_purpose(target: Target) -> str:
    """Return the first sentence of a file that tells what it is for; empty where none does."""
    for block in blocks(target.text):
        if block.kind is BlockKind.PARAGRAPH and not _ODD.search(block.text):
            sentence = _MARKUP.sub("", _LINK.sub(r"\1", _SENTENCE_END.split(block.text, maxsplit=1)[0])).strip()
            if _SHORTEST <= len(sentence) <= LONGEST:
                return sentence
    return ""


def _spoken(title: str) -> str:
    words = " ".join(re.split(r"[\s_-]+", title)).strip()
    return words[:1].lower() + words[1:] if words[1:2].islower() else words
