"""What is a rule said again, from the message to the line; and what only looks like it."""

from __future__ import annotations

from cases import cases

from memsuggest.customizations.discovery import target_from
from memsuggest.extraction import offline
from memsuggest.held.chat_note import note_of
from memsuggest.held.restated import says_again
from memsuggest.model import Role, Transcript, Turn
from memsuggest.suggestions.existing.existing_rules import ExistingRules

RULES = (
    "Use pnpm, never npm.",
    "Never mock the database in tests.",
    "Write commit messages in the imperative.",
    "Prices are integers in cents, never floats.",
    "Run `make lint` before committing.",
    "No default exports.",
    "Use tabs for indentation.",
    "Keep functions under 40 lines.",
    "Update the documentation with every change.",
    "Review the plan before coding.",
)
AGAIN = (
    ("please use pnpm instead of npm", 0),
    ("no, use pnpm, not npm", 0),
    ("nein, bitte pnpm statt npm verwenden", 0),
    ("stop mocking the database in the tests", 1),
    ("the DB must not be mocked in tests", 1),
    ("I told you: never mock the database in tests", 1),
    ("commit messages should be imperative", 2),
    ("wrong, prices are integers in cents", 3),
    ("you didn't run make lint before committing", 4),
    ("no default exports please!", 5),
    ("I told you to use tabs", 6),
    ("functions must stay under 40 lines", 7),
)
NOT_AGAIN = (
    "run make lint",
    "now use npm to publish it",
    "no, use npm, not pnpm",
    "do we use pnpm here?",
    "update the doc",
    "no changes",
    "still reviewing",
    "how do I fix this",
    "mock the payment service in tests",
    "functions under 40 lines is what the linter says",
    "never mind, pnpm is fine",
    "the prices on the page are wrong",
    "you wrote a commit message",
    "no, the tab bar goes to the left",
)
_FILE = target_from("AGENTS.md", "# Shop\n\n" + "".join(f"- {rule}\n" for rule in RULES))
_EXISTING = ExistingRules([_FILE])


def said_again(message: str) -> set[int]:
    """The rules that a message in answer to the assistant says again, by their places."""
    turns = (
        Turn(number=1, role=Role.USER, typed="Add a page for invoices."),
        Turn(number=2, role=Role.ASSISTANT, text="Done: I added the page, and installed what it needs."),
        Turn(number=3, role=Role.USER, typed=message),
    )
    chat = Transcript(session_id="s", format="claude-code", origin="x", turns=turns)
    note = note_of(chat, offline.extract(chat).candidates, place="x")
    rules = [one.rule for one in note.said]
    lines = {line.line for rule in rules for line in _EXISTING.said(rule) if says_again(line, rule)}
    return {line - 3 for line in lines}


@cases("message, rule", AGAIN)
def test_said_again(message: str, rule: int) -> None:
    """In other words, in German, as a reproach: it is that rule, and no other."""
    assert said_again(message) == {rule}


@cases("message", NOT_AGAIN)
def test_not_said_again(message: str) -> None:
    """An order for once, a question, the opposite, something else with the same words."""
    assert said_again(message) == set()
