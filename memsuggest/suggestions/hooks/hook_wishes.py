"""Hook wishes: "every time X happens, run `Y`". Pure: what is to be run, and when; `suggested_hook_file` writes it.

The command is what the person typed, never a phrase of a fact: a code span, or a script or a target
of a known runner that stands verbatim in what they said, of plain words only. Nothing else of the text goes into the
entry.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memsuggest.model import Trust
from memsuggest.text.words import word_set

if TYPE_CHECKING:
    from memsuggest.model import MemoryFact

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
