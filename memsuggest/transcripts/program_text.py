"""Messages that a program wrote, and passages that programs put between a person's words. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache, partial

Stretch = tuple[int, int]


def without_passages(text: str) -> str:
    """Cut out what programs put between the person's words.

    >>> without_passages("make it red\\nDOM Path: main > p\\nHTML Element: <p>hello</p>")
    'make it red'
    """
    for marks, find in PASSAGES:
        for mark in marks:  # thrice as fast as any(); this is asked for every message
            if mark in text:
                text = _without(text, sorted(find(text)))
                break
    return text


def _without(text: str, stretches: list[Stretch]) -> str:
    if not stretches:
        return text
    kept: list[str] = []
    position = 0
    for start, end in stretches:
        if max(start, position) < end:
            kept.append(text[position:start].rstrip(" \t"))
            position = end
    kept.append(text[position:].lstrip(" \t"))
    return re.sub(r"\n{3,}", "\n\n", "\n".join(part.strip("\n") for part in kept if part.strip())).strip()


_FENCE = re.compile(r"^[ \t]{0,3}(`{3,}|~{3,}|\"\"\"|''')", re.MULTILINE)
_BLANK = re.compile(r"\n[ \t]{0,80}(?:\n|`{3}|~{3}|\"\"\"|'''|</?[A-Za-z][^<>\n]{0,400}>[ \t]{0,80}(?:\n|\Z))")
"""The end of a paragraph; a fence or a tag of the person's own ends it, too."""


def _paragraph_end(text: str, start: int, limit: int) -> int:
    found = _BLANK.search(text, start, limit)
    return found.start() if found else limit


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    """Compile a pattern when it is first needed: most messages need none."""
    return re.compile(pattern, re.VERBOSE | re.MULTILINE)


def _spans(pattern: str, text: str) -> Iterator[Stretch]:
    return (found.span() for found in _compiled(pattern).finditer(text))


_CURSOR = r"""
    (?: \A [A-Z] [^\n.!?]{0,120} \n\n )?  # the plan's name, which the assistant gave it
    Implement [ ] the [ ] plan [ ] as [ ] specified, [ ] it [ ] is [ ] attached [ ] for [ ] your [ ] reference\.
  | Do [ ] NOT [ ] edit [ ] the [ ] plan [ ] file [ ] itself\.
  | To-?do['’]?s [ ] from [ ] the [ ] plan [ ] have [ ] already [ ] been [ ] created\. [^\n]{0,300}
  | Briefly [ ] inform [ ] the [ ] user [ ] about [ ] the [ ] task [ ] result [^\n]{0,120}
"""
"""Of Cursor's button for plans, and its note of a finished task."""

_PICKED = "DOM Path: "
_ELEMENT = r"^HTML [ ] Element: [ ]* < ([A-Za-z][\w-]{0,40})"


def _element_picker(text: str) -> Iterator[Stretch]:
    """Find what Cursor's browser says of an element: lines of keys, then the element as it stands in the page.

    The page's text may hold blank lines and tags, so the passage goes on to the last end tag of the element's name.
    """
    start = text.find(_PICKED)
    while start >= 0:
        following = text.find(_PICKED, start + 1)
        limit = following if following >= 0 else len(text)
        end = _paragraph_end(text, start, limit)
        if element := _compiled(_ELEMENT).search(text, start, limit):
            closing = f"</{element[1]}>"
            closed = text.rfind(closing, element.end(), limit)
            end = closed + len(closing) if closed >= 0 else _paragraph_end(text, element.end(), limit)
        yield start, end
        start = following


_TEST_FAILED = r"^\# [ ] Instructions \s{1,4} [-*–] [ ] Following [ ] Playwright [ ] test [ ] failed"


def _failed_test(text: str) -> Iterator[Stretch]:
    if found := _compiled(_TEST_FAILED).search(text):
        ends = [fence.end() for fence in _FENCE.finditer(text, found.start())]
        end = text.find("\n", ends[-1]) if ends else -1
        yield found.start(), end if end >= 0 else len(text)


_NEW_REPOSITORY = r"""
    (?: ^ (?: … | \.\.\. )? or [ ] (?: create | push ) [ ] (?: a | an ) [ ] [^\n]{0,40} repository [^\n]{0,60} \n+ )?
    (?: echo [ ] "\# [^"\n]{0,120}" [ ] >> [ ] README\.md [^\n]* \n )?
    (?: git [ ] (?: init | add [ ] README\.md | commit [ ] -m [ ] "first [ ] commit" | branch [ ] -M [ ] \S+ ) \s* \n )*
    git [ ] remote [ ] add [ ] origin [ ] \S+ [ \t]* \n+
    (?: git [ ] branch [ ] -M [ ] \S+ [ \t]* \n+ )?
    git [ ] push [ ] -u [ ] origin [ ] \S+
"""
"""GitHub's page of an empty repository."""

_SPEAKER = r"""
    ^ [ \t>*_]{0,4}
    (?: (?P<person> User | Human | Me | You )
      | Assistant | AI | ChatGPT | Claude (?: [ ] Code )? | (?: GitHub [ ] )? Copilot | Gemini | Cursor | LLM | GPT-?\d
    ) (?: [ ] said )? [*_]{0,2} : [*_]{0,2} (?= \s | $ )
"""


def _excerpt(text: str) -> Iterator[Stretch]:
    speakers = list(_compiled(_SPEAKER).finditer(text))
    if len({bool(speaker["person"]) for speaker in speakers}) == 2:
        yield speakers[0].start(), _paragraph_end(text, speakers[-1].end(), len(text))


_PACKET = r"\{ \s* \"version\": \s* \d+, \s* \"id\": \s* \"[0-9a-f]{10}\", \s* \"purpose\": \s* \"[a-z]{1,20}\","
_PACKET_END = r"\"left\": \s* \{ [^{}]{0,200} \} \s* \}"


def _packet(text: str) -> Iterator[Stretch]:
    if found := _compiled(_PACKET).search(text):
        ends = [end.end() for end in _compiled(_PACKET_END).finditer(text, found.end())]
        yield found.start(), ends[-1] if ends else len(text)


PASSAGES: tuple[tuple[tuple[str, ...], Callable[[str], Iterable[Stretch]]], ...] = (
    (("plan as specified", "edit the plan file", "from the plan have", "Briefly inform"), partial(_spans, _CURSOR)),
    ((_PICKED,), _element_picker),
    (("Following Playwright test failed",), _failed_test),
    (('"purpose":',), _packet),
    (("git remote add origin",), partial(_spans, _NEW_REPOSITORY)),
    (("Assistant", "AI", "GPT", "Claude", "Copilot", "Gemini", "Cursor", "LLM"), _excerpt),
)
"""Passages that programs write: words of which every such passage has one, and how it is found."""

_BEGINNINGS = (
    # Claude Code
    "<task-notification>",
    "<teammate-message",
    "<local-command-",
    "<bash-",
    "This session is being continued from a previous conversation",
    "Caveat: The messages below were generated",
    "Implement the following plan:",
    "Stop hook feedback:",
    "Operation stopped by hook:",
    "Continue from where you left off.",
    "Please continue the conversation from where we left",
    "Base directory for this skill:",
    "User has approved your plan",
    "User has answered your questions:",
    "The user doesn't want to ",
    "[Request interrupted by user",
    "Unknown slash command:",
    "Unknown skill:",
    "Your tool call was malformed",
    "Another Claude session sent a message",
    "Your task is to create a detailed summary of the conversation so far",
    "Please analyze this codebase and create a CLAUDE.md file",
    # services that report to an assistant about a build
    "<ci-monitor-event",
    # Codex
    "# AGENTS.md instructions for ",
    "Generate a file named AGENTS.md that serves as a contributor guide for this repository",
    # OpenCode
    "Summarize the task tool output above and continue with your task.",
    "Please analyze this codebase and create an AGENTS.md file",
    # Gemini CLI
    "System: Please continue.",
    # Cline and Roo Code
    "[ERROR] You did not use a tool",
    "[TASK RESUMPTION]",
    # Cursor
    "[Previous conversation summary]:",
    # Copilot, VS Code
    "Analyze this codebase to generate or update `.github/copilot-instructions.md`",
    "----\n*This section details on the original issue you should resolve*",
)
"""Beginnings of messages that only programs write."""

_INTERRUPTION = "[Request interrupted by user"
_BEGINNING = 200  # characters; longer than any of these

_TERMINAL = re.compile(r"\[Terminal \S{1,80} notification: ")
"""VS Code tells the assistant that a command has ended, with all that it printed."""

_AGAIN = (
    "Try Again", "Retry", "Continue to iterate?", "Erneut versuchen", "Wiederholen", "Noch einmal versuchen",
    "Réessayer", "Reintentar", "Intentar de nuevo", "Inténtelo de nuevo", "Tentar Novamente", "Tentar novamente",
    "Riprova", "Повторить попытку", "Повторите попытку", "Spróbuj ponownie", "Zkusit znovu", "Yeniden Dene",
    "Újrapróbálkozás", "重试", "再试一次", "重試", "再試一次", "やり直す", "再試行", "もう一度試す", "다시 시도",
)  # fmt: skip
"""What VS Code's button for a failed request is called in its languages."""
_ASKED = ("Continue", "Pause", "Enable", "Allow", "Accept", "Dismiss", "Cancel", "Keep", "Undo", "Switch", "Approve")
_BUTTON = re.compile(
    rf"(?:@\w{{1,40}} )?(?:{'|'.join(map(re.escape, _AGAIN))})"
    # The button of a question, then the question: `Continue: "Continue to iterate?"`, in any language behind `@agent`.
    rf"|(?:@agent [^\n\"“:：.!?]{{1,40}}|(?:@\w{{1,40}} )?(?:{'|'.join(_ASKED)}))[:：] ?[\"“][^\"“”\n]{{1,200}}[\"”]"
)

_BUTTON_SIZE = 300  # characters

_WITH_ARGUMENTS = (
    "add", "drop", "read-only", "ls", "run", "git", "map", "map-refresh", "model", "editor-model", "weak-model",
    "models", "add-dir", "cd", "resume", "theme", "output-style", "reasoning-effort", "think-tokens", "chat-mode",
)  # fmt: skip
"""Commands whose arguments are files, shell commands or names, never a sentence."""
_ALONE = (
    # Claude Code, Codex, Gemini CLI
    "exit", "quit", "clear", "compact", "cost", "status", "login", "logout", "doctor", "config", "context", "usage",
    "rewind", "mcp", "agents", "hooks", "permissions", "vim", "upgrade", "terminal-setup", "ide", "stats", "help",
    "init", "memory", "plan", "plugin", "new", "approvals", "bug", "export", "tasks", "fast",
    # aider
    "read", "test", "lint", "commit", "undo", "diff", "tokens", "reset", "settings", "load", "save", "paste", "copy",
    "voice", "multiline-mode", "report", "web", "ask", "code", "architect", "editor", "edit",
)  # fmt: skip
"""Commands that may have words behind them, or the name of somebody's own command: at most one word is none."""
_COMMAND = re.compile(
    rf"[ynYN]?/(?:{'|'.join(_WITH_ARGUMENTS)})(?:[ \t][^\n]{{0,2000}})?"  # a `y` was meant for the question before
    rf"|[ynYN]?/(?:{'|'.join(_ALONE)})(?:[ \t]\S{{1,400}})?"
    # The echo of a command's name, and what Claude Code says when it ends.
    r"|/(?P<name>exit|quit)\s+(?P=name)(?:\s+[^\n]{0,80})?"
)


def is_from_program(message: str) -> bool:
    """Tell whether nobody typed anything in a message.

    >>> is_from_program("@agent Try Again")
    True
    >>> is_from_program("try again with tabs")
    False
    """
    start = message.lstrip()[:_BEGINNING]
    if start.startswith(_BEGINNINGS) or (start.startswith("[T") and _TERMINAL.match(start)):
        return True
    return len(message) < _BUTTON_SIZE and bool(_BUTTON.fullmatch(message.strip()))


def is_interruption(message: str) -> bool:
    return message.lstrip().startswith(_INTERRUPTION)


def is_command(text: str) -> bool:
    """Tell whether a text is a command without words, perhaps with the echo of its name.

    >>> is_command("/drop src/app.py")
    True
    >>> is_command("/review look at the parser")
    False
    """
    return text[:1] in _MAY_BEGIN_COMMAND and bool(_COMMAND.fullmatch(text))


_MAY_BEGIN_COMMAND = frozenset("/ynYN")
