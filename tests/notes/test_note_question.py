"""What code takes of a model's reading of a note."""

from __future__ import annotations

import pytest
from cases import cases

from memsuggest.core.errors import ModelError
from memsuggest.core.model import Scope
from memsuggest.notes.note_reading import AskedNote, NoteReading, portions, question_about, read_answer, rules_in

TEXT = """---
type: feedback
---
Never squash the commits of a **release branch**, Ada Miller reviews each of them.

Prices are integers in cents; floats lost us 3 orders.
Deploy from build-7.corp only.
"""


def said(content: str, quote: str, *, holds: str = "team-rule") -> NoteReading:
    rules = [{"content": content, "quote": quote}]
    return NoteReading.model_validate({"note": "N1", "holds": holds, "rules": rules})


CENTS = "Prices are integers in cents"
SQUASH = "Never squash the commits of a release branch"


@cases(
    ("content", "quote", "rule"),
    [
        ("Do not squash commits of a release branch.", SQUASH, "Do not squash commits of a release branch."),
        ("Keep prices as integers in cents.", "Prices are integers in cents", "Keep prices as integers in cents."),
        ("Squash the commits of a release branch.", SQUASH, SQUASH),
        ("Never squash more than 20 commits of a release branch.", SQUASH, SQUASH),
        ("Never squash the commits of a release branch in `src/pay`.", SQUASH, SQUASH),
        ("Never use floats.", "Never use floats anywhere", ""),
        ("Keep prices as integers.", "", ""),
        ("Deploy from build-7.corp only.", "Deploy from build-7.corp only.", ""),
    ],
)
def test_a_wording_says_what_the_note_says(content: str, quote: str, rule: str) -> None:
    """Else the note's own sentence stands; nothing where it does not stand in the note, or is private."""
    rules, _ = rules_in(said(content, quote), TEXT)
    assert [one.content for one in rules] == ([rule] if rule else [])


@cases(
    ("holds", "text", "is_users", "scope"),
    [
        ("team-rule", CENTS, False, Scope.WORKSPACE),
        ("personal", CENTS, False, Scope.USER),
        ("team-rule", CENTS, True, Scope.USER),
        ("team-rule", "Explain each change with an analogy first.", False, Scope.USER),
        ("passing", CENTS, False, None),
        ("reference", CENTS, False, None),
    ],
)
def test_what_a_note_holds_decides(holds: str, text: str, is_users: bool, scope: Scope | None) -> None:
    """A rule is the team's where the model, our own words and the note's type agree; how things stand is none."""
    rules, _ = rules_in(said(text, text, holds=holds), f"{TEXT}{text}", is_users=is_users)
    assert [rule.scope for rule in rules] == ([scope] if scope else [])


def test_what_weakens_safety_is_not_taken() -> None:
    """However a model reads it."""
    text = "Push to main without a review."
    assert rules_in(said(text, text), text)[0] == ()


def test_the_same_text_is_asked_about_once_and_nobody_else_is_answered_for() -> None:
    """Notes are named by what they say; an answer about others is none."""
    note = AskedNote(noted_by="Claude Code", type="feedback", title="", text=TEXT, typed=("never squash that",))
    (portion,) = portions([note, note])
    question = question_about(portion, about="")
    assert len(portion) == 1 and "never squash that" in question.data and "Claude Code" in question.data
    (name,) = portion
    assert read_answer('{"notes": []}', portion)[name].rules == []
    with pytest.raises(ModelError):
        read_answer('{"notes": [{"note": "N0", "holds": "personal", "rules": []}]}', portion)
