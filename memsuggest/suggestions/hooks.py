"""Hook entries: "every time X happens, run `Y`" as an entry of the hosts' JSON. Pure.

The command is a code span that the person typed, never a phrase of a fact; the file's other bytes stay as they are.
Events and entries: the hosts' shared form of `.github/hooks/*.json`, with PascalCase event names, which VS Code and
Copilot CLI both read.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memsuggest import jsonc

if TYPE_CHECKING:
    from memsuggest.model import MemoryFact

NEW_FILE = ".github/hooks/memsuggest.json"

_EVENTS = {
    "SessionStart": (
        r"(?:at|on)\s+(?:the\s+)?(?:session\s+)?start",
        r"when\s+(?:a|the|you)\s+(?:session\s+)?starts?\b",
        r"start\s+of\s+(?:every|each|a)\s+session",
    ),
    "Stop": (
        r"(?:before|when)\s+(?:you\s+)?(?:finish|stop|are\s+done|declare)",
        r"(?:before|when)\s+(?:you\s+)?say\w*\s+(?:it'?s\s+|you'?re\s+)?done",
        r"at\s+the\s+end\s+of\s+(?:every|each)\s+(?:turn|task)",
    ),
    "PostToolUse": (
        r"(?:every|each)\s+(?:time|edit|change)",
        r"whenever",
        r"(?:always|automatically)\b.*\bafter",
        r"after\s+(?:every|each|any|all|editing|changing|you\s+(?:edit|change|write|touch))",
    ),
}
"""What says when; the first event that fits counts."""
_WHEN = {event: re.compile("|".join(forms), re.IGNORECASE) for event, forms in _EVENTS.items()}
_RUN = re.compile(
    r"\b(?:run|execute|call|invoke|start|trigger|lass?e?|führe|lance[rz]?|exécute[rz]?|ejecuta\w*|rode|execute)\b[^`.;]{0,40}`([^`\n]{2,200})`",
    re.IGNORECASE,
)
_IS_AUTOMATIC = re.compile(
    r"\b(?:automatic\w*|hook|every\s+time|each\s+time|whenever|without\s+(?:me\s+)?asking|jedes\s+mal|chaque\s+fois|cada\s+vez)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class HookWish:
    """What should run, and when."""

    event: str
    command: str


def wish_of(fact: MemoryFact) -> HookWish | None:
    """Return what a fact wants to be run automatically; None for anything else."""
    said = _RUN.search(fact.content)
    if not said or not _IS_AUTOMATIC.search(fact.content):
        return None
    command = said.group(1).strip()
    if not any(f"`{command}`" in citation.quote for citation in fact.citations):
        return None  # only the person's own code span becomes a command (SECURITY.md T7)
    return next(
        (HookWish(event=event, command=command) for event, form in _WHEN.items() if form.search(fact.content)), None
    )


def has_command(text: str, command: str) -> bool:
    """Whether a hook file runs a command already, at whatever event."""
    return json.dumps(command) in text


def with_entry(text: str, wish: HookWish) -> tuple[str, str] | None:
    """Return a hook file with one more entry, and the lines that are new; None where its form is not plain.

    The entry goes to the end of the event's list; a missing event goes to the end of `hooks`.
    """
    entry = f'{{ "type": "command", "command": {json.dumps(wish.command)} }}'
    parsed = _parsed(text)
    if parsed is None:
        return None
    end = "\r\n" if "\r\n" in text else "\n"
    place = _end_of_list(text, wish.event) if wish.event in parsed else _end_of_hooks(text)
    if place is None:
        return None
    at, indent, is_empty = place
    added = entry if wish.event in parsed else f'"{wish.event}": [{end}{indent}  {entry}{end}{indent}]'
    before = text[:at].rstrip(" \t\r\n")
    new = f"{'' if is_empty else ','}{end}{indent}{added}"
    changed = before + new + (text[len(before) : at] or f"{end}{indent[:-2]}") + text[at:]
    return (changed, new.strip(f",{end}")) if _entries(changed, wish.event) == _entries(text, wish.event) + 1 else None


def first_file(wish: HookWish) -> str:
    """Return a new hook file with one entry."""
    hooks = {wish.event: [{"type": "command", "command": wish.command}]}
    return json.dumps({"version": 1, "hooks": hooks}, indent=2) + "\n"


def _parsed(text: str) -> dict[str, object] | None:
    try:
        parsed = jsonc.loads(text)
    except ValueError:
        return None
    hooks = parsed.get("hooks") if isinstance(parsed, dict) else None
    return hooks if isinstance(hooks, dict) else None


def _entries(text: str, event: str) -> int:
    found = (_parsed(text) or {}).get(event, [])
    return len(found) if isinstance(found, list) else -1


def _end_of_list(text: str, event: str) -> tuple[int, str, bool] | None:
    opening = re.search(rf'"{event}"\s*:\s*\[', text)
    return _closing(text, opening.end() - 1) if opening else None


def _end_of_hooks(text: str) -> tuple[int, str, bool] | None:
    opening = re.search(r'"hooks"\s*:\s*\{', text)
    return _closing(text, opening.end() - 1) if opening else None


def _closing(text: str, opening: int) -> tuple[int, str, bool] | None:
    """Return where the bracket at `opening` closes, the indent of what is inside, and whether nothing is."""
    depth = 0
    for token in re.finditer(r'"(?:[^"\\\n]|\\.)*"|//[^\n]*|/\*|[\[\]{}]', text[opening:]):
        sign = token.group()
        if sign == "/*" or sign.startswith("//"):
            return None  # comments: somebody's own file in somebody's own manner
        depth += {"[": 1, "{": 1, "]": -1, "}": -1}.get(sign, 0)
        if depth == 0:
            at = opening + token.start()
            inside = text[opening + 1 : at]
            line = text[text.rfind("\n", 0, opening) + 1 : opening]
            indent = line[: len(line) - len(line.lstrip(" \t"))] + "  "
            return at, indent, not inside.strip()
    return None
