"""Messages that a program wrote, and passages that programs put between a person's words. Pure."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import cache, partial
from typing import NamedTuple

Stretch = tuple[int, int]


class Passage(NamedTuple):
    """A passage that one program writes into messages."""

    program: str
    marks: tuple[str, ...]
    """Words of which one is in every such passage."""
    find: Callable[[str], Iterable[Stretch]]


def without_passages(text: str) -> str:
    """Cut out what programs put between the person's words.

    >>> without_passages("make it red\\nDOM Path: main > p\\nHTML Element: <p>hello</p>")
    'make it red'
    """
    for passage in PASSAGES:
        for mark in passage.marks:  # thrice as fast as any(); this is asked for every message
            if mark in text:
                text = _without(text, sorted(passage.find(text)))
                break
    return text


def _without(text: str, stretches: list[Stretch]) -> str:
    """Take stretches out of a text; the person's own marks in them stay."""
    if not stretches:
        return text
    kept: list[str] = []
    position = 0
    for first, end in stretches:
        start = max(first, position)
        if start < end:
            kept += [text[position:start].rstrip(" \t"), _lone_marks(text[start:end])]
            position = end
    kept.append(text[position:].lstrip(" \t"))
    return _BLANK_LINES.sub("\n\n", "\n".join(part.strip("\n") for part in kept if part.strip())).strip()


_BLANK_LINES = re.compile(r"\n{3,}")
_FENCE = re.compile(r"^[ \t]{0,3}(`{3,}|~{3,}|\"\"\"|''')", re.MULTILINE)
_TAG = re.compile(r"^[ \t]{0,8}<(/?)([A-Za-z][\w-]{0,60})(?:\s[^<>\n]{0,400})?>[ \t]*$", re.MULTILINE)


def _lone_marks(passage: str) -> str:
    """Give the tags and the fence of which a passage holds only one end: they mark what stands around it as quoted."""
    marks: dict[str, None] = {}
    opened: Counter[str] = Counter()
    for tag in _TAG.finditer(passage):
        if not tag[1]:
            opened[tag[2]] += 1
        elif opened[tag[2]]:
            opened[tag[2]] -= 1
        else:
            marks[tag[0]] = None
    fences = _FENCE.findall(passage)
    return "\n".join([*marks, *(f"<{name}>" for name in +opened), *fences[-1:] * (len(fences) % 2)])


# --- ends of passages ---


def _paragraph_end(text: str, start: int, limit: int | None = None) -> int:
    limit = len(text) if limit is None else limit
    found = _BLANK.search(text, start, limit)
    return found.start() if found else limit


_BLANK = re.compile(r"\n[ \t]{0,80}(?:\n|`{3}|~{3}|\"\"\"|'''|</?[A-Za-z][^<>\n]{0,400}>[ \t]{0,80}(?:\n|\Z))")


def _last_fence_end(text: str, start: int) -> int:
    ends = [fence.end() for fence in _FENCE.finditer(text, start)]
    end = text.find("\n", ends[-1]) if ends else -1
    return end if end >= 0 else len(text)


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    """Compile a pattern when it is first needed: most messages need none."""
    return re.compile(pattern, re.VERBOSE | re.MULTILINE)


def _spans(pattern: str, text: str) -> Iterator[Stretch]:
    return (found.span() for found in _compiled(pattern).finditer(text))


# --- one pattern or function a program ---

_PLAN = r"""
    (?: \A [A-Z] [^\n.!?]{0,120} \n\n )?  # the plan's name, which the assistant gave it
    Implement [ ] the [ ] plan [ ] as [ ] specified, [ ] it [ ] is [ ] attached [ ] for [ ] your [ ] reference\.
  | Do [ ] NOT [ ] edit [ ] the [ ] plan [ ] file [ ] itself\.
  | To-?do['’]?s [ ] from [ ] the [ ] plan [ ] have [ ] already [ ] been [ ] created\. [^\n]{0,300}
"""


_RESULT = r"Briefly [ ] inform [ ] the [ ] user [ ] about [ ] the [ ] task [ ] result [^\n]{0,120}"


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
        yield found.start(), _last_fence_end(text, found.start())


_NEW_REPOSITORY = r"""
    (?: ^ (?: … | \.\.\. )? or [ ] (?: create | push ) [ ] (?: a | an ) [ ] [^\n]{0,40} repository [^\n]{0,60} \n+ )?
    (?: echo [ ] "\# [^"\n]{0,120}" [ ] >> [ ] README\.md [^\n]* \n )?
    (?: git [ ] (?: init | add [ ] README\.md | commit [ ] -m [ ] "first [ ] commit" | branch [ ] -M [ ] \S+ ) \s* \n )*
    git [ ] remote [ ] add [ ] origin [ ] \S+ [ \t]* \n+
    (?: git [ ] branch [ ] -M [ ] \S+ [ \t]* \n+ )?
    git [ ] push [ ] -u [ ] origin [ ] \S+
"""


_FINDING = r"""
    ^ [ \t]* (?:
        Verify [ ] each [ ] finding [ ] against [ ]                             # CodeRabbit
      | (?: Inline | Nitpick | Outside [ ] diff | Duplicate ) [ ] comments: [ \t]* $
      | (?: - [ ] )? In [ ] `? @ [^\n]{1,300}? (?: [ ] around [ ] lines? [ ] \d | : [ \t]* $ )
      | - [ ] (?: Around [ ] lines? | Lines? ) [ ] \d{1,6} (?: [ ]?-[ ]?\d{1,6} )? :
      | Check [ ] if [ ] this [ ] issue [ ] is [ ] valid [ ] — [ ]             # cubic
      | Review [ ] the [ ] code [ ] at [ ] the [ ] location [ ] below\. [ ]    # Sentry
      | !\[ [\w -]{1,20} \] \( https://www\.gstatic\.com/codereviewagent/      # Gemini Code Assist
      | \*\* <sub><sub> !\[ P\d [ ] Badge \]                                   # Codex
      | Useful\? [ ] React [ ] with [ ] 👍
    )
"""


def _findings(text: str) -> Iterator[Stretch]:
    end = 0
    for found in _compiled(_FINDING).finditer(text):
        if found.start() >= end:
            end = _paragraph_end(text, found.end())
            yield found.start(), end


_SPEAKER = r"""
    ^ [ \t>*_]{0,4}
    (?: (?P<person> User | Human | Me | You )
      | Assistant | AI | ChatGPT | Claude (?: [ ] Code )? | (?: GitHub [ ] )? Copilot | Gemini | Cursor | LLM | GPT-?\d
    ) (?: [ ] said )? [*_]{0,2} : [*_]{0,2} (?= \s | $ )
"""


def _excerpt(text: str) -> Iterator[Stretch]:
    speakers = list(_compiled(_SPEAKER).finditer(text))
    if len({bool(speaker["person"]) for speaker in speakers}) == 2:
        yield speakers[0].start(), _paragraph_end(text, speakers[-1].end())


_PACKET = r"\{ \s* \"version\": \s* \d+, \s* \"id\": \s* \"[0-9a-f]{10}\", \s* \"purpose\": \s* \"[a-z]{1,20}\","
_PACKET_END = r"\"left\": \s* \{ [^{}]{0,200} \} \s* \}"


def _packet(text: str) -> Iterator[Stretch]:
    if found := _compiled(_PACKET).search(text):
        ends = [end.end() for end in _compiled(_PACKET_END).finditer(text, found.end())]
        yield found.start(), ends[-1] if ends else len(text)


PASSAGES: tuple[Passage, ...] = (
    Passage(
        "Cursor's button for plans",
        ("Implement the plan as", "edit the plan file", "from the plan have"),
        partial(_spans, _PLAN),
    ),
    Passage("Cursor's note of a finished task", ("Briefly inform the user about",), partial(_spans, _RESULT)),
    Passage("Cursor's picker of elements", (_PICKED,), _element_picker),
    Passage("Playwright's prompt", ("Following Playwright test failed",), _failed_test),
    Passage("GitHub's page of an empty repository", ("git remote add origin",), partial(_spans, _NEW_REPOSITORY)),
    Passage(
        "bots that review",
        (
            *("each finding against", " comments:", "In `@", "In @", "- Around line", "- Line"),
            *("Check if this issue is valid", "at the location below", "codereviewagent/", " Badge](", "Useful? React"),
        ),
        _findings,
    ),
    Passage("`memsuggest ask --format json`", ('"purpose":',), _packet),
    Passage(
        "talks with an assistant",
        ("Assistant", "AI", "GPT", "Claude", "Copilot", "Gemini", "Cursor", "LLM"),
        _excerpt,
    ),
)
"""Every program by what it writes."""


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
