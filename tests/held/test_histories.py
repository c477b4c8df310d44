"""Invented repos whose histories have a known end: what `held` says of the rule that each is about."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from cli.conftest import invoke
from held_kit import Chat, commit, write_chats

PNPM, MOCK, CENTS = "Use pnpm, never npm.", "Never mock the database in tests.", "Prices are integers in cents."
IMPERATIVE = "Write commit messages in the imperative."
HOLDS, FAILS, UNTESTED, UNREAD = "holds", "doesNotHold", "untested", "notLoaded"
SAID_PNPM, SAID_MOCK = "No, use pnpm, not npm.", "No, never mock the database in tests."


@dataclass(frozen=True)
class History:
    """A repo, and what is to be said of the rule that has some words in it."""

    name: str
    files: Mapping[str, tuple[int, str]]
    """By path, the day of the commit and the text."""
    chats: Sequence[Chat]
    about: str
    outcome: str
    said_in: int = 0
    """In how many chats it was said again."""
    later: Mapping[str, tuple[int, str]] = field(default_factory=dict)
    """Files that are committed once more."""


def agents(*rules: str, day: int = 10) -> dict[str, tuple[int, str]]:
    """An AGENTS.md with rules of a day, and a CLAUDE.md that takes it in."""
    text = "# Shop\n\n## Rules\n\n" + "".join(f"- {rule}\n" for rule in rules)
    return {"AGENTS.md": (day, text), "CLAUDE.md": (day, "@AGENTS.md\n")}


def installs(days: Sequence[int], *, said: Mapping[int, str] = {}, by: str = "claude") -> list[Chat]:
    """Chats in which a package is installed."""
    return [
        Chat(day=day, task="Add a date library.", command="npm install dayjs", said=said.get(day, ""), by=by)
        for day in days
    ]


def with_tests(days: Sequence[int], *, said: Mapping[int, str] = {}, by: str = "claude") -> list[Chat]:
    """Chats in which tests with a database are written."""
    return [
        Chat(
            day=day,
            task="Write tests for the database of orders.",
            files=("tests/test_orders.py",),
            said=said.get(day, ""),
            by=by,
        )
        for day in days
    ]


def python(days: Sequence[int], *, said: Mapping[int, str] = {}, by: str = "claude") -> list[Chat]:
    """Chats in which Python files below src/api are written."""
    return [
        Chat(day=day, task="Add an endpoint.", files=("src/api/orders.py",), said=said.get(day, ""), by=by)
        for day in days
    ]


def rule_file(*rules: str, pattern: str = "src/api/**") -> str:
    return f'---\napplyTo: "{pattern}"\n---\n\n# API\n\n' + "".join(f"- {rule}\n" for rule in rules)


def claude_rules(*rules: str, pattern: str = "src/api/**") -> str:
    return f'---\npaths:\n  - "{pattern}"\n---\n\n# API\n\n' + "".join(f"- {rule}\n" for rule in rules)


SIX = (20, 23, 26, 29, 32, 35)
ENVELOPE = "Wrap every response in an envelope."
SAID_ENVELOPE = "No, wrap every response in an envelope."
STYLES = {23: "no inline styles"}
PNPM_FOR_CLAUDE = {"CLAUDE.md": (10, f"# Shop\n\n- {PNPM}\n")}
FOR_API = {".github/instructions/api.instructions.md": (10, rule_file(ENVELOPE))}
FOR_WEB = {".github/instructions/api.instructions.md": (10, rule_file(ENVELOPE, pattern="src/web/**"))}
CLAUDE_FOR_API = {".claude/rules/api.md": (10, claude_rules(ENVELOPE))}
HISTORIES = (
    History(
        "said before, never again",
        agents(PNPM),
        installs((2, 5, *SIX), said={2: SAID_PNPM, 5: SAID_PNPM}),
        "pnpm",
        HOLDS,
    ),
    History(
        "said again twice",
        agents(PNPM),
        installs((2, *SIX), said={2: SAID_PNPM, 23: SAID_PNPM, 29: "Again: use pnpm, never npm."}),
        "pnpm",
        FAILS,
        2,
    ),
    History(
        "said again at once, after one chat only",
        agents(PNPM),
        installs((2, 20), said={2: SAID_PNPM, 20: SAID_PNPM}),
        "pnpm",
        FAILS,
        1,
    ),
    History(
        "said again in three words without a verb",
        agents("Never use inline styles."),
        [Chat(day=day, task="Style the button.", files=("web/button.css",), said=STYLES.get(day, "")) for day in SIX],
        "inline",
        FAILS,
        1,
    ),
    History(
        "what the assistant does is told, not asked for",
        agents(PNPM),
        installs((2, 5, *SIX), said={2: SAID_PNPM, 23: "You use pnpm, never npm."}),
        "pnpm",
        HOLDS,
    ),
    History("no chat since", agents(PNPM), installs((2, 5)), "pnpm", UNTESTED),
    History(
        "chats since are about something else",
        agents(MOCK),
        [Chat(day=day, task="Rename the button.", files=("web/button.css",)) for day in SIX],
        "mock",
        UNTESTED,
    ),
    History(
        "said only before it was written down",
        agents(MOCK, day=40),
        with_tests((2, 5, 8, 11), said={2: SAID_MOCK, 8: SAID_MOCK}),
        "mock",
        UNTESTED,
    ),
    History("a file that Codex does not read", PNPM_FOR_CLAUDE, installs(SIX, by="codex"), "pnpm", UNREAD),
    History(
        "said again to an assistant that does not read the file",
        PNPM_FOR_CLAUDE,
        installs(SIX, by="codex", said={23: SAID_PNPM, 29: SAID_PNPM}),
        "pnpm",
        UNREAD,
    ),
    History(
        "Claude Code reads no AGENTS.md",
        {"AGENTS.md": (10, f"# Shop\n\n- {MOCK}\n")},
        with_tests(SIX, said={23: SAID_MOCK}),
        "mock",
        UNREAD,
    ),
    History(
        "Claude Code reads no instructions of Copilot",
        FOR_API,
        python(SIX, said={23: SAID_ENVELOPE}),
        "envelope",
        UNREAD,
    ),
    History(
        "said again to Copilot in a covered file",
        FOR_API,
        python(SIX, by="copilot", said={26: SAID_ENVELOPE}),
        "envelope",
        FAILS,
        1,
    ),
    History(
        "said again about files that the pattern does not cover",
        FOR_WEB,
        python(SIX, by="copilot", said={26: SAID_ENVELOPE}),
        "envelope",
        UNREAD,
    ),
    History("no file that the pattern covers was touched", FOR_WEB, python(SIX, by="copilot"), "envelope", UNTESTED),
    History(
        "said again under a rule by path",
        CLAUDE_FOR_API,
        python(SIX, said={26: SAID_ENVELOPE, 35: SAID_ENVELOPE}),
        "envelope",
        FAILS,
        2,
    ),
    History(
        "the host changed: said to the new one, which does not read the file",
        PNPM_FOR_CLAUDE,
        [*installs((12, 14)), *installs(SIX, by="codex", said={23: SAID_PNPM})],
        "pnpm",
        UNREAD,
    ),
    History(
        "the host changed, and it held with the old one",
        PNPM_FOR_CLAUDE,
        [*installs(SIX), *installs((50, 53), by="codex", said={53: SAID_PNPM})],
        "pnpm",
        HOLDS,
    ),
    History(
        "another rule was said, not this one",
        agents(PNPM, MOCK),
        [*installs(SIX), *with_tests((21, 24), said={24: SAID_MOCK})],
        "pnpm",
        HOLDS,
    ),
    History(
        "an order for once is not the rule again",
        agents("Run `make lint` before every commit."),
        [
            Chat(
                day=day,
                task="Fix the lint errors and commit.",
                command="make lint && git commit",
                said="Now run make lint.",
            )
            for day in SIX
        ],
        "make lint",
        HOLDS,
    ),
    History(
        "asked about, not said", agents(PNPM), installs(SIX, said={26: "Do we use pnpm or npm here?"}), "pnpm", HOLDS
    ),
    History(
        "the line was made sharper, and was not said since",
        agents("Please try to use pnpm."),
        installs((12, 14, *SIX), said={12: SAID_PNPM, 14: SAID_PNPM}),
        "pnpm",
        HOLDS,
        later=agents(PNPM, day=16),
    ),
    History(
        "the file moved on around it, and it was said again",
        agents(PNPM),
        installs(SIX, said={23: SAID_PNPM}),
        "pnpm",
        FAILS,
        1,
        later=agents(PNPM, CENTS, day=30),
    ),
    History(
        "commit messages",
        agents(IMPERATIVE),
        [
            Chat(day=day, task="Fix it and commit.", command="git commit -m 'fixed it'", said=said)
            for day, said in zip(SIX, ("", "", "No. Write commit messages in the imperative.", "", "", ""), strict=True)
        ],
        "imperative",
        FAILS,
        1,
    ),
    History(
        "a nested file for one package, read there alone",
        {"CLAUDE.md": (10, "# Shop\n"), "packages/web/CLAUDE.md": (10, "# Web\n\n- Use CSS modules for styles.\n")},
        [
            Chat(day=day, task="Style the page.", files=("packages/web/page.tsx",), said=said)
            for day, said in zip(SIX, ("", "", "", "No, use CSS modules for styles.", "", ""), strict=True)
        ],
        "CSS modules",
        FAILS,
        1,
    ),
)


@pytest.fixture
def judged(git_repo: Path, home: Path) -> Any:
    """What `held` says of a history."""

    def judge(history: History) -> dict[str, Any]:
        for files in (history.files, history.later):
            for path, (day, text) in files.items():
                commit(git_repo, text, day=day, path=path)
        write_chats(home, git_repo, history.chats)
        (path,) = (path for path, (_, text) in history.files.items() if history.about in text)
        report = invoke("held", path, "--format", "json", "--repo", str(git_repo)).json
        (rule,) = (one for one in report["rules"] if history.about in one["content"])
        assert isinstance(rule, dict)
        return rule

    return judge


@pytest.mark.parametrize("history", HISTORIES, ids=lambda history: history.name)
def test_outcome(judged: Any, history: History) -> None:
    """The outcome is the one that the history was made for, with a quote for each time."""
    rule = judged(history)
    told = (rule["outcome"], rule["chatsSaidAgain"])
    assert told == (history.outcome, history.said_in), rule["why"]
    assert bool(rule["saidAgain"]) == (history.outcome == FAILS)
    if rule["outcome"] == FAILS:
        assert rule["exposed"] and rule["remedies"]
