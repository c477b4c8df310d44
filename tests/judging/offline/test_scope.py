"""Scope: the person everywhere, or this workspace."""

from __future__ import annotations

from cases import cases

from memsuggest.core.model import Scope
from memsuggest.judging.offline.cues import scope_of


@cases(
    "text",
    [
        "explain your plan before you change any files",
        "apply it yourself, always",
        "answer shorter from now on",
        "never use emojis",
        "don't ask me whether to proceed",
        "my editor is Helix",
        "i hate long names",
        "in all my projects I use fish",
        "antworte auf Deutsch",
        "contéstame siempre en español",
        "I always use the old phone for trying things",
        "please always tell me which file I have to open",
        "今後は日本語で回答して",
        "I say that to every assistant: small functions",
    ],
)
def test_personal_style(text):
    """How to treat this person holds everywhere."""
    assert scope_of(text) is Scope.USER


@cases(
    "text",
    [
        "always ask me before adding a dependency",
        "i prefer src/lib for the helpers in this repo",
        "tests live next to the code",
        "we use pnpm",
        "never call the API in unit tests",
        "use snake_case",
        "always tell me the task's number in this repo",
        "no emojis in the release notes",
    ],
)
def test_the_rest_is_the_workspace(text):
    """Files, tools, tests, the project, and whatever is not clear."""
    assert scope_of(text) is Scope.WORKSPACE


def test_a_hint_in_the_next_sentence_counts():
    """ "This holds everywhere" may follow the rule."""
    assert scope_of("use jq for JSON. make it a global rule, not just for this repo") is Scope.USER
