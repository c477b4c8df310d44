"""Thirty invented repos whose histories have a known end: what `held` says of the rule that each is about."""

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


@dataclass(frozen=True, kw_only=True)
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
HISTORIES = (
    History(name="holds in six chats", files=agents(PNPM), chats=installs((2, 5, *SIX)), about="pnpm", outcome=HOLDS),
    History(
        name="said before, never again",
        files=agents(PNPM),
        chats=installs((2, 5, *SIX), said={2: SAID_PNPM, 5: SAID_PNPM}),
        about="pnpm",
        outcome=HOLDS,
    ),
    History(
        name="said again twice",
        files=agents(PNPM),
        chats=installs((2, *SIX), said={2: SAID_PNPM, 23: SAID_PNPM, 29: "Again: use pnpm, never npm."}),
        about="pnpm",
        outcome=FAILS,
        said_in=2,
    ),
    History(
        name="said again once of six",
        files=agents(MOCK),
        chats=with_tests(SIX, said={32: SAID_MOCK}),
        about="mock",
        outcome=FAILS,
        said_in=1,
    ),
    History(
        name="said again at once, after one chat only",
        files=agents(PNPM),
        chats=installs((2, 20), said={2: SAID_PNPM, 20: SAID_PNPM}),
        about="pnpm",
        outcome=FAILS,
        said_in=1,
    ),
    History(
        name="two chats are too few", files=agents(PNPM), chats=installs((2, 20, 23)), about="pnpm", outcome=UNTESTED
    ),
    History(name="no chat since", files=agents(PNPM), chats=installs((2, 5)), about="pnpm", outcome=UNTESTED),
    History(
        name="chats since are about something else",
        files=agents(MOCK),
        chats=[Chat(day=day, task="Rename the button.", files=("web/button.css",)) for day in SIX],
        about="mock",
        outcome=UNTESTED,
    ),
    History(
        name="said only before it was written down",
        files=agents(MOCK, day=40),
        chats=with_tests((2, 5, 8, 11), said={2: SAID_MOCK, 8: SAID_MOCK}),
        about="mock",
        outcome=UNTESTED,
    ),
    History(
        name="a file that Codex does not read",
        files={"CLAUDE.md": (10, f"# Shop\n\n- {PNPM}\n")},
        chats=installs(SIX, by="codex"),
        about="pnpm",
        outcome=UNREAD,
    ),
    History(
        name="said again to an assistant that does not read the file",
        files={"CLAUDE.md": (10, f"# Shop\n\n- {PNPM}\n")},
        chats=installs(SIX, by="codex", said={23: SAID_PNPM, 29: SAID_PNPM}),
        about="pnpm",
        outcome=UNREAD,
    ),
    History(
        name="Claude Code reads no AGENTS.md",
        files={"AGENTS.md": (10, f"# Shop\n\n- {MOCK}\n")},
        chats=with_tests(SIX, said={23: SAID_MOCK}),
        about="mock",
        outcome=UNREAD,
    ),
    History(
        name="Claude Code reads no instructions of Copilot",
        files={".github/instructions/api.instructions.md": (10, rule_file(ENVELOPE))},
        chats=python(SIX, said={23: SAID_ENVELOPE}),
        about="envelope",
        outcome=UNREAD,
    ),
    History(
        name="Copilot reads its instructions for the files they cover",
        files={".github/instructions/api.instructions.md": (10, rule_file(ENVELOPE))},
        chats=python(SIX, by="copilot"),
        about="envelope",
        outcome=HOLDS,
    ),
    History(
        name="said again to Copilot in a covered file",
        files={".github/instructions/api.instructions.md": (10, rule_file(ENVELOPE))},
        chats=python(SIX, by="copilot", said={26: SAID_ENVELOPE}),
        about="envelope",
        outcome=FAILS,
        said_in=1,
    ),
    History(
        name="said again about files that the pattern does not cover",
        files={".github/instructions/api.instructions.md": (10, rule_file(ENVELOPE, pattern="src/web/**"))},
        chats=python(SIX, by="copilot", said={26: SAID_ENVELOPE}),
        about="envelope",
        outcome=UNREAD,
    ),
    History(
        name="no file that the pattern covers was touched",
        files={".github/instructions/api.instructions.md": (10, rule_file(ENVELOPE, pattern="src/web/**"))},
        chats=python(SIX, by="copilot"),
        about="envelope",
        outcome=UNTESTED,
    ),
    History(
        name="rules of Claude Code by path",
        files={".claude/rules/api.md": (10, claude_rules(ENVELOPE))},
        chats=python(SIX),
        about="envelope",
        outcome=HOLDS,
    ),
    History(
        name="said again under a rule by path",
        files={".claude/rules/api.md": (10, claude_rules(ENVELOPE))},
        chats=python(SIX, said={26: SAID_ENVELOPE, 35: SAID_ENVELOPE}),
        about="envelope",
        outcome=FAILS,
        said_in=2,
    ),
    History(
        name="the host changed: said to the new one, which does not read the file",
        files={"CLAUDE.md": (10, f"# Shop\n\n- {PNPM}\n")},
        chats=[*installs((12, 14)), *installs(SIX, by="codex", said={23: SAID_PNPM})],
        about="pnpm",
        outcome=UNREAD,
    ),
    History(
        name="the host changed, and it held with the old one",
        files={"CLAUDE.md": (10, f"# Shop\n\n- {PNPM}\n")},
        chats=[*installs(SIX), *installs((50, 53), by="codex", said={53: SAID_PNPM})],
        about="pnpm",
        outcome=HOLDS,
    ),
    History(
        name="the host changed, and both read the file",
        files=agents(PNPM),
        chats=[*installs((12, 14, 16)), *installs((20, 23, 26), by="codex", said={26: SAID_PNPM})],
        about="pnpm",
        outcome=FAILS,
        said_in=1,
    ),
    History(
        name="another rule was said, not this one",
        files=agents(PNPM, MOCK),
        chats=[*installs(SIX), *with_tests((21, 24), said={24: SAID_MOCK})],
        about="pnpm",
        outcome=HOLDS,
    ),
    History(
        name="the opposite was said",
        files=agents(PNPM),
        chats=installs(SIX, said={26: "No, use npm here, never pnpm."}),
        about="pnpm",
        outcome=HOLDS,
    ),
    History(
        name="an order for once is not the rule again",
        files=agents("Run `make lint` before every commit."),
        chats=[
            Chat(
                day=day,
                task="Fix the lint errors and commit.",
                command="make lint && git commit",
                said="Now run make lint.",
            )
            for day in SIX
        ],
        about="make lint",
        outcome=HOLDS,
    ),
    History(
        name="asked about, not said",
        files=agents(PNPM),
        chats=installs(SIX, said={26: "Do we use pnpm or npm here?"}),
        about="pnpm",
        outcome=HOLDS,
    ),
    History(
        name="the line was made sharper, and was not said since",
        files=agents("Please try to use pnpm."),
        chats=installs((12, 14, *SIX), said={12: SAID_PNPM, 14: SAID_PNPM}),
        later=agents(PNPM, day=16),
        about="pnpm",
        outcome=HOLDS,
    ),
    History(
        name="the file moved on around it, and it was said again",
        files=agents(PNPM),
        chats=installs(SIX, said={23: SAID_PNPM}),
        later=agents(PNPM, CENTS, day=30),
        about="pnpm",
        outcome=FAILS,
        said_in=1,
    ),
    History(
        name="commit messages",
        files=agents(IMPERATIVE),
        chats=[
            Chat(day=day, task="Fix it and commit.", command="git commit -m 'fixed it'", said=said)
            for day, said in zip(SIX, ("", "", "No. Write commit messages in the imperative.", "", "", ""), strict=True)
        ],
        about="imperative",
        outcome=FAILS,
        said_in=1,
    ),
    History(
        name="a nested file for one package, read there alone",
        files={
            "CLAUDE.md": (10, "# Shop\n"),
            "packages/web/CLAUDE.md": (10, "# Web\n\n- Use CSS modules for styles.\n"),
        },
        chats=[
            Chat(day=day, task="Style the page.", files=("packages/web/page.tsx",), said=said)
            for day, said in zip(SIX, ("", "", "", "No, use CSS modules for styles.", "", ""), strict=True)
        ],
        about="CSS modules",
        outcome=FAILS,
        said_in=1,
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


def test_there_are_thirty_and_more() -> None:
    """As many as were promised, each once."""
    assert len({history.name for history in HISTORIES}) == len(HISTORIES) >= 30
