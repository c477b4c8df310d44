"""Hook wishes: "every time X happens, run `Y`". Pure: what is to be run, and when; and the entry for it.

The command is what the person typed, never a phrase of a fact: a code span, or a script or a target
of a known runner that stands verbatim in what they said, of plain words only. Nothing else of the text goes into the
entry.

An entry goes into a hook file in the file's own form, and every other byte stays: the hosts' shared form of
`.github/hooks/*.json`; in Claude Code's settings, its own, where each entry is a group of hooks, as it reads no other
there. Event keys are VS Code's (PascalCase), or Copilot CLI's (camelCase) where the file has those: of two spellings
of one event in a file the later would hide the earlier.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from memsuggest import jsonc
from memsuggest.model import Edit, MemorySuggestion, TargetType, Trust
from memsuggest.suggestions.placement.plan import planned
from memsuggest.suggestions.ranking.fact_places import AlreadySaid, Case
from memsuggest.text.words import word_set

if TYPE_CHECKING:
    from memsuggest.model import MemoryFact, Target
    from memsuggest.suggestions.ranking.workspace_index import WorkspaceIndex


_EDITING = (
    r"(?:edit(?:s|ed|ing)?|chang(?:e|es|ed|ing)|modif\w{1,9}|writ(?:e|es|ing)|wrote|touch(?:es|ed|ing)?|sav(?:e|es|ed|ing)"
    r"|updat(?:e|es|ed|ing)|format(?:s|ted|ting)?|tool|änder\w{0,4}|bearbeite\w{0,3}|modifi\w{1,8}|cambi\w{1,4}|edit[ae]\w?)\b"
)
_EACH = r"(?:every|each|any|all|jede[rnms]?|chaque|cada)"
_EVENTS = {
    "SessionStart": (
        r"(?:at|on|with)\s+(?:the\s+|every\s+|each\s+)?(?:session\s+start|start\s+of\s+(?:the|every|each|a)\s+(?:session|chat))",
        r"when(?:ever)?\s+(?:a|the|you|every|each)\s+(?:new\s+)?(?:session\s+|chat\s+)?(?:starts?|begins?)\b",
        rf"(?:{_EACH}|the)\s+(?:new\s+)?(?:session|chat)\s+(?:starts|begins)",
        r"zu\s+beginn\s+jeder\s+sitzung",
    ),
    "PreCompact": (r"before\s+(?:the\s+)?compact(?:ing|ion)\b", r"before\s+you\s+compact\b"),
    "Stop": (
        r"(?:before|when|once|after|every\s+time|each\s+time|whenever)\s+(?:you\s+|you'?re\s+|you\s+are\s+)?(?:finish\w{0,3}|stop|done|declare)\b",
        r"(?:before|when)\s+(?:you\s+)?say\w{0,3}\s+(?:it'?s\s+|you'?re\s+)?done",
        rf"at\s+the\s+end\s+of\s+(?:{_EACH}|a|the|your)\s+(?:turn|task|answer|response|change)",
        r"bevor\s+du\s+fertig\s+bist",
    ),
    "PreToolUse": (
        rf"(?:before|vor)\s+(?:{_EACH}\s+)?(?:file\s+)?{_EDITING}",
        r"before\s+(?:you\s+)?(?:run|call)\s+a\s+(?:tool|command)",
    ),
    "PostToolUse": (
        rf"(?:after|nach|après|después\s+de|depois\s+de)\s+(?:{_EACH}\s+)?(?:\w{{1,20}}\s+){{0,2}}{_EDITING}",
        rf"(?:{_EACH}\s+(?:time|single\s+time|mal|fois|vez)|whenever|every)\b[^.;`]{{0,50}}?\b{_EDITING}",
    ),
}
"""What says when; the first event that fits counts. The names are VS Code's, which Copilot CLI reads as well."""
SAYS_WHEN = {
    "SessionStart": "when a session starts",
    "PreCompact": "before they compact a session",
    "Stop": "at the end of every turn",
    "PreToolUse": "before every use of a tool, on whatever file",
    "PostToolUse": "after every use of a tool, on whatever file",
}
_WHEN = {event: re.compile("|".join(forms), re.IGNORECASE) for event, forms in _EVENTS.items()}
_IS_AUTOMATIC = re.compile(
    r"\b(?:automatic\w{0,4}|automatisch|hook|every\s+(?:single\s+)?time|each\s+time|whenever|(?:after|before)\s+(?:every|each|any)"
    r"|without\s+(?:me\s+|my\s+)?asking|jedes\s+mal|nach\s+jeder|chaque\s+fois|après\s+chaque|automatiquement|cada\s+vez"
    r"|después\s+de\s+cada|automáticamente|automaticamente)\b",
    re.IGNORECASE,
)
_RUN = re.compile(
    r"\b(?:run|execute|call|invoke|start|trigger|launch|lass|führe|starte|lance[rz]?|exécute[rz]?|ejecut[ae]|rode)\b",
    re.IGNORECASE,
)
_SPAN = re.compile(r"[^`.;\n]{0,40}`([^`\n]{2,200})`")
_PLAIN = re.compile(r"[\w@%+=:,./-]{1,120}")
_SCRIPT = re.compile(
    r"(?:\.{1,2}/)?(?:[\w.-]{1,60}/){1,8}[\w.-]{1,60}\.(?:sh|bash|zsh|py|[cm]?js|ts|rb|pl|ps1|bat|cmd)|\./[\w.-]{1,60}"
)
_RUNNERS = word_set(
    "make just task rake npm pnpm yarn bun npx uv poetry cargo go dotnet gradle ./gradlew mvn ./mvnw composer"
    " pre-commit deno ruff terraform mix bundle"
)
"""Commands that are told what to do by the word after them."""
_TWO_WORDS = word_set("run exec dlx task tool")
"""Words of runners that need one more: "npm run lint"."""
_ALONE = word_set("pytest tox nox eslint mypy vitest jest")
"""Commands that stand for themselves."""
_SMALL = word_set(
    "in on the a an for and or to of so then first again with before after when it this that if at as but by from is my"
    " your our all every each from here there once twice und mit für et pour avec y con para"
)
_LOOKED_AT = 4  # words after "run" among which a command begins


@dataclass(frozen=True, slots=True, kw_only=True)
class HookWish:
    """A wish for a hook: a command, and its moment."""

    event: str
    command: str


def wish_of(fact: MemoryFact) -> HookWish | None:
    """Return what a fact wants to be run automatically; None for anything else, and for what nobody typed."""
    if not _IS_AUTOMATIC.search(fact.content):
        return None
    event = next((name for name, form in _WHEN.items() if form.search(fact.content)), None)
    command = _command(fact.content) if event else None
    if event is None or command is None or not command.isprintable() or "[REDACTED" in command:
        return None
    return HookWish(event=event, command=command) if _is_typed(command, fact) else None


def _command(content: str) -> str | None:
    """Return the first command after a word such as "run": a code span, or a plain and unmistakable one."""
    for said in _RUN.finditer(content):
        span = _SPAN.match(content, said.end())
        command = span[1].strip() if span else _plain_command(content[said.end() :][:300].split())
        if command:
            return command
    return None


def _plain_command(words: list[str]) -> str | None:
    for start, word in enumerate(words[:_LOOKED_AT]):
        first = word.rstrip(".,;:!?)")
        length = _length(first, words[start + 1 :]) if _PLAIN.fullmatch(first) else 0
        if length:
            return _whole_command(words[start:], length)
    return None


def _length(first: str, following: list[str]) -> int:
    """Count the words that a command needs: 0 when this begins none."""
    if _SCRIPT.fullmatch(first) or first in _ALONE:
        return 1
    if first not in _RUNNERS or not following:
        return 0
    length = 3 if following[0] in _TWO_WORDS else 2
    needed = [word.rstrip(".,;:!?)") for word in following[: length - 1]]
    is_whole = len(needed) == length - 1 and not _SMALL.intersection(needed)
    return length if is_whole and all(_PLAIN.fullmatch(word) for word in needed) else 0


def _whole_command(words: list[str], length: int) -> str:
    """Return the command's words with the options that follow them; a mark at the end of a word ends it."""
    taken: list[str] = []
    for place, word in enumerate(words):
        bare = word.rstrip(".,;:!?)") if not word.endswith("/...") else word
        is_option = bare.startswith("-") or bare.endswith("/...")
        if place >= length and not (is_option and _PLAIN.fullmatch(bare)):
            break
        taken.append(bare)
        if bare != word:
            break
    return " ".join(taken)


def _is_typed(command: str, fact: MemoryFact) -> bool:
    """Tell whether the person typed the command as it is, in a chat of their own: no code comes from anybody else."""
    whole = re.compile(rf"(?<![\w./@-]){re.escape(command)}(?![\w/@=-])")
    typed = [citation.quote for citation in fact.citations if citation.trust is Trust.TYPED]
    is_plain = all(_PLAIN.fullmatch(word) for word in command.split())
    return any(f"`{command}`" in quote or (is_plain and whole.search(quote) is not None) for quote in typed)


NEW_FILE = ".github/hooks/memsuggest.json"
CLAUDE_FILE = ".claude/settings.json"
"""Where Claude Code keeps the team's hooks; it reads no other host's."""
_CAMEL = {"Stop": "agentStop", "UserPromptSubmit": "userPromptSubmitted"}
"""Copilot CLI's own names; the others only begin with a small letter."""
_TOKEN = re.compile(r'"(?:[^"\\\n]|\\.)*"|//[^\n]*|/\*|[\[\]{}]')


class Added(NamedTuple):
    """A hook file with an entry more, and the lines that are new."""

    text: str
    lines: str


class _Spot(NamedTuple):
    at: int
    """Where the bracket closes."""
    indent: str
    """That of the entries inside."""
    is_empty: bool


def has_entry(text: str, wish: HookWish) -> bool:
    """Tell whether a hook file runs this command at this event already."""
    hooks = _hooks(text) or {}
    entries = hooks.get(_key(hooks, wish.event), [])
    return isinstance(entries, list) and wish.command in _commands(entries)


def _commands(entries: list[object]) -> list[object]:
    """Return what entries run, Claude Code's nested ones too."""
    found: list[object] = []
    for entry in entries:
        if isinstance(entry, dict):
            found += [entry.get(name) for name in ("command", "bash")]
            nested = entry.get("hooks")
            found += _commands(nested) if isinstance(nested, list) else []
    return found


def with_entry(text: str, wish: HookWish, *, is_grouped: bool = False) -> Added | None:
    """Return a hook file with one more entry, in a group of its own if asked for; None where its form is not plain.

    The entry goes to the end of the event's list; a missing event goes to the end of `hooks`. Settings with groups
    may have no hooks yet: those go to their end. Claude Code runs nothing of settings that have comments.
    """
    if is_grouped and not _is_plain_json(text):
        return None
    hooks = _hooks(text)
    if hooks is None and not (is_grouped and _has_no_hooks(text)):
        return None
    is_first, hooks = hooks is None, hooks or {}
    key = _key(hooks, wish.event)
    opening = r"\A\s*\{" if is_first else rf'"{key}"\s*:\s*\[' if key in hooks else r'"hooks"\s*:\s*\{'
    spot = _closing(text, opening)
    if spot is None:
        return None
    end = "\r\n" if "\r\n" in text else "\n"
    is_spread = re.search(r"\{\s*\n[^{}]*\"command\"", text) is not None
    rows = _entry_rows(wish.command, unit=_unit(text), is_spread=is_spread)
    rows = _grouped(rows, _unit(text), is_spread=is_spread) if is_grouped else rows
    if key not in hooks:
        rows = [f'"{key}": [', *(_unit(text) + row for row in rows), "]"]
    if is_first:
        rows = ['"hooks": {', *(_unit(text) + row for row in rows), "}"]
    added = end.join(spot.indent + row for row in rows)
    before = text[: spot.at].rstrip(" \t\r\n")
    after = text[len(before) : spot.at] or end + spot.indent.removesuffix(_unit(text))
    comma = "" if spot.is_empty or before.endswith(",") else ","
    changed = f"{before}{comma}{end}{added}{after}{text[spot.at :]}"
    entry: dict[str, object] = {"type": "command", "command": wish.command}
    entry = {"hooks": [entry]} if is_grouped else entry
    return Added(changed, added) if _is_one_more(text, changed, key, entry) else None


def first_file(wish: HookWish, *, is_grouped: bool = False) -> str:
    """Return a new hook file with one entry."""
    entry: dict[str, object] = {"type": "command", "command": wish.command}
    if is_grouped:
        return json.dumps({"hooks": {wish.event: [{"hooks": [entry]}]}}, indent=2) + "\n"
    return json.dumps({"version": 1, "hooks": {wish.event: [entry]}}, indent=2) + "\n"


def _hooks(text: str) -> dict[str, object] | None:
    try:
        parsed = jsonc.loads(text)
    except ValueError:
        return None
    hooks = parsed.get("hooks") if isinstance(parsed, dict) else None
    return hooks if isinstance(hooks, dict) else None


def _has_no_hooks(text: str) -> bool:
    """Tell whether a text is an object of settings that says nothing about hooks."""
    try:
        parsed = jsonc.loads(text)
    except ValueError:
        return False
    return isinstance(parsed, dict) and "hooks" not in parsed


def _is_plain_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def _key(hooks: dict[str, object], event: str) -> str:
    """Return the name of an event as a file has it, or would have it."""
    camel = _CAMEL.get(event, event[0].lower() + event[1:])
    there = next((name for name in (camel, event) if name in hooks), None)
    return there or (camel if hooks and all(name[:1].islower() for name in hooks) else event)


def _is_one_more(before: str, after: str, key: str, entry: dict[str, object]) -> bool:
    """Tell whether a file reads as before but for one entry more, at the end of its event."""
    try:
        old, new = jsonc.loads(before), jsonc.loads(after)
    except ValueError:
        return False
    hooks = _hooks(before) or {}
    entries = hooks.get(key, [])
    if not isinstance(old, dict) or not isinstance(entries, list):
        return False
    return bool(new == old | {"hooks": hooks | {key: [*entries, entry]}})


def _entry_rows(command: str, *, unit: str, is_spread: bool) -> list[str]:
    shown = json.dumps(command)
    if is_spread:
        return ["{", f'{unit}"type": "command",', f'{unit}"command": {shown}', "}"]
    return [f'{{ "type": "command", "command": {shown} }}']


def _grouped(rows: list[str], unit: str, *, is_spread: bool) -> list[str]:
    """Return a group that holds one entry."""
    if not is_spread:
        return [f'{{ "hooks": [{rows[0]}] }}']
    return ["{", f'{unit}"hooks": [', *(2 * unit + row for row in rows), f"{unit}]", "}"]


def _unit(text: str) -> str:
    """Return what one level of indent is in a file."""
    found = re.search(r"\n([ \t]+)\S", text)
    return found[1] if found else "  "


def _closing(text: str, opening: str) -> _Spot | None:
    """Return where the bracket that a pattern ends with closes; None where comments make that unsure."""
    found = re.search(opening, text)
    if found is None:
        return None
    depth = 0
    for token in _TOKEN.finditer(text, found.end() - 1):
        sign = token.group()
        if sign == "/*" or sign.startswith("//"):
            return None  # somebody's own file in somebody's own manner
        depth += {"[": 1, "{": 1, "]": -1, "}": -1}.get(sign, 0)
        if depth == 0:
            inside = text[found.end() : token.start()]
            line = text[text.rfind("\n", 0, found.start()) + 1 : found.start()]
            indent = line[: len(line) - len(line.lstrip(" \t"))] + _unit(text)
            return _Spot(token.start(), indent, not inside.strip())
    return None


def run_already(wish: HookWish, workspace_index: WorkspaceIndex) -> AlreadySaid | None:
    """Say where a file of hooks runs the command already."""
    for target in workspace_index.hooks():
        if has_entry(target.text, wish):
            before = target.text.partition(wish.command)[0]
            return AlreadySaid(uri=target.uri, line=before.count("\n") + 1, text=wish.command)
    return None


def hook(case: Case, wish: HookWish) -> MemorySuggestion | None:
    """Put the command into our own file of hooks, or into Claude Code's settings; None where that cannot be.

    Any other file of hooks may be part of a plugin, and run wherever that is installed.
    """
    why = f"it says what to run, and when: that is a hook, which hosts run by themselves {SAYS_WHEN[wish.event]}"
    files = {target.uri: target for target in case.workspace_index.hooks()}
    is_in_settings = _is_said_to_claude(case.fact) and (CLAUDE_FILE in files or case.workspace_index.keeps_to_claude)
    name = CLAUDE_FILE if is_in_settings else NEW_FILE
    if name in case.shut:
        return None
    if target := files.get(name):
        return with_hook(case.fact, wish, target, why=why)
    if name in case.workspace_index.by_uri:  # its name, and no hooks
        return None
    text = first_file(wish, is_grouped=is_in_settings)
    return MemorySuggestion(
        id=case.fact.id,
        fact=case.fact,
        target_type=TargetType.HOOK,
        suggested_file_name=name,
        suggested_merge_content=text,
        heading=wish.event,
        why=why,
        edit=Edit(path=name, before=None, after=text),
        executable=True,
    )


def with_hook(fact: MemoryFact, wish: HookWish, target: Target, *, why: str) -> MemorySuggestion | None:
    """Return the suggestion that adds an entry to one of the two files; None for any other, and for an odd form."""
    if target.uri not in (CLAUDE_FILE, NEW_FILE):
        return None
    added = with_entry(target.text, wish, is_grouped=target.uri == CLAUDE_FILE)
    if added is None:
        return None
    made = planned(fact, target, after=added.text, content=added.lines, heading=wish.event, why=why)
    return replace(made, executable=True)


def _is_said_to_claude(fact: MemoryFact) -> bool:
    """Tell whether Claude Code alone was told, which has hooks of its own."""
    told = {citation.format for citation in fact.citations}
    return bool(told) and all(name.startswith("claude") for name in told)
