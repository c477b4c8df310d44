"""Hook wishes: "every time X happens, run `Y`". Pure: what is to be run, and when; and the entry for it.

The command is what the person typed in a code span, never a phrase of a fact. Nothing else of the text goes into the
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

from memsuggest.core import json_edit as jsonc
from memsuggest.core.json_edit import appended
from memsuggest.core.model import MemoryFact, MemorySuggestion, Target, TargetType, Trust
from memsuggest.files.target_names import CLAUDE_SETTINGS
from memsuggest.suggestions.placement.new_file import of_new_file
from memsuggest.suggestions.placement.place import planned
from memsuggest.suggestions.ranking.workspace_index import AlreadySaid, Case, WorkspaceIndex

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
    "PreCompact": "before compacting a session",
    "Stop": "at the end of every turn",
    "PreToolUse": "before every tool use, on any file",
    "PostToolUse": "after every tool use, on any file",
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
    spans = (_SPAN.match(fact.content, said.end()) for said in _RUN.finditer(fact.content))
    command = next((span[1].strip() for span in spans if span), None)
    if event is None or command is None or not command.isprintable() or "[REDACTED" in command:
        return None
    whole = re.compile(rf"(?<![\w./@-]){re.escape(command)}(?![\w/@=-])")
    is_typed = any(citation.trust is Trust.TYPED and whole.search(citation.quote) for citation in fact.citations)
    return HookWish(event=event, command=command) if is_typed else None


NEW_FILE = ".github/hooks/memsuggest.json"
_CAMEL = {"Stop": "agentStop", "UserPromptSubmit": "userPromptSubmitted"}
"""Copilot CLI's own names; the others only begin with a small letter."""


def has_entry(text: str, wish: HookWish) -> bool:
    try:
        parsed = jsonc.loads(text)
    except ValueError:
        return False
    hooks = parsed.get("hooks") if isinstance(parsed, dict) else None
    entries = hooks.get(_key(hooks, wish.event), []) if isinstance(hooks, dict) else []
    return isinstance(entries, list) and wish.command in _commands(entries)


def _commands(entries: list[object]) -> list[object]:
    found: list[object] = []
    for entry in (entry for entry in entries if isinstance(entry, dict)):
        nested = entry.get("hooks")
        found += [entry.get("command"), entry.get("bash"), *_commands(nested if isinstance(nested, list) else [])]
    return found


def with_entry(text: str, wish: HookWish, *, is_grouped: bool = False) -> tuple[str, str] | None:
    """Return a hook file with one more entry, and its lines; None where its form is not plain.

    Settings with groups may have no hooks yet. Claude Code runs nothing of settings that have comments.
    """
    try:
        parsed = json.loads(text)
        hooks = parsed.get("hooks", {} if is_grouped else None) if isinstance(parsed, dict) else None
        if not isinstance(hooks, dict):
            return None
        changed = appended(text, ("hooks", _key(hooks, wish.event)), _entry(wish, is_grouped=is_grouped))
    except (ValueError, RecursionError):
        return None
    pairs = enumerate(zip(text, changed, strict=False))
    start = next(place for place, (old, new) in pairs if old != new)
    return (changed, changed[start : start + len(changed) - len(text)].lstrip(",").strip("\r\n"))


def _entry(wish: HookWish, *, is_grouped: bool) -> dict[str, object]:
    entry: dict[str, object] = {"type": "command", "command": wish.command}
    return {"hooks": [entry]} if is_grouped else entry


def first_file(wish: HookWish, *, is_grouped: bool = False) -> str:
    hooks = {"hooks": {wish.event: [_entry(wish, is_grouped=is_grouped)]}}
    return json.dumps(hooks if is_grouped else {"version": 1, **hooks}, indent=2) + "\n"


def _key(hooks: dict[str, object], event: str) -> str:
    camel = _CAMEL.get(event, event[0].lower() + event[1:])
    there = next((name for name in (camel, event) if name in hooks), None)
    return there or (camel if hooks and all(name[:1].islower() for name in hooks) else event)


def run_already(wish: HookWish, workspace_index: WorkspaceIndex) -> AlreadySaid | None:
    for target in workspace_index.hooks():
        if has_entry(target.text, wish):
            before = target.text.partition(wish.command)[0]
            return AlreadySaid(uri=target.uri, line=before.count("\n") + 1, text=wish.command)
    return None


def hook(case: Case, wish: HookWish) -> MemorySuggestion | None:
    """Put the command into our own file of hooks, or into Claude Code's settings; None where that cannot be.

    Any other file of hooks may be part of a plugin, and run wherever that is installed.
    """
    why = f"the rule says which command to run and when, so it becomes a hook that runs {SAYS_WHEN[wish.event]}"
    files = {target.uri: target for target in case.workspace_index.hooks()}
    formats = {citation.format for citation in case.fact.citations}
    is_for_claude = CLAUDE_SETTINGS in files or case.workspace_index.keeps_to_claude
    is_in_settings = bool(formats) and is_for_claude and all(name.startswith("claude") for name in formats)
    name = CLAUDE_SETTINGS if is_in_settings else NEW_FILE
    if name in case.shut:
        return None
    if target := files.get(name):
        return with_hook(case.fact, wish, target, why=why)
    if name in case.workspace_index.by_uri:  # its name, and no hooks
        return None
    text = first_file(wish, is_grouped=is_in_settings)
    return of_new_file(case.fact, name, text, why=why, heading=wish.event, type=TargetType.HOOK)


def with_hook(fact: MemoryFact, wish: HookWish, target: Target, *, why: str) -> MemorySuggestion | None:
    """Return the suggestion that adds an entry to one of the two files; None for any other, and for an odd form."""
    if target.uri not in (CLAUDE_SETTINGS, NEW_FILE):
        return None
    added = with_entry(target.text, wish, is_grouped=target.uri == CLAUDE_SETTINGS)
    if added is None:
        return None
    made = planned(fact, target, after=added[0], content=added[1], heading=wish.event, why=why)
    return replace(made, executable=True)
