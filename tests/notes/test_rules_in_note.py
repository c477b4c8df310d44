"""Rules taken from notes: by the form in which assistants write them, whatever the language."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from memsuggest.core.model import Scope
from memsuggest.core.redact import clean, redact
from memsuggest.notes.note import NoteRule
from memsuggest.notes.rules_in_note import header_of, note_text, people_in, rules_of


def taken(text: str, names: Sequence[str] = ()) -> tuple[tuple[NoteRule, ...], tuple[str, ...]]:
    text = redact(clean(text)).text
    return rules_of(note_text(header_of(text)), names=[*names, *people_in(text)])


def contents(text: str) -> list[str]:
    return [rule.content for rule in taken(text)[0]]


def feedback(body: str, described: str = "d") -> str:
    return f"---\nname: feedback-slug\ndescription: {described}\ntype: feedback\n---\n\n{body}\n"


@pytest.mark.parametrize(
    ("body", "rule"),
    [
        (
            "Ship migrations alone.\n\n**Why:** a rollback.\n\n**How to apply:** I should split the branch first.",
            "Ship migrations alone.",
        ),
        (
            "迁移脚本必须单独提交。\n\n**为什么：** 回滚。\n\n**如何应用：** 先拆分支。",
            "迁移脚本必须单独提交。",
        ),
        (
            "Migrationen immer einzeln ausliefern.\n\n**Warum:** Rollback.\n\n**Anwendung:** Zweig teilen.",
            "Migrationen immer einzeln ausliefern.",
        ),
        (
            "마이그레이션은 항상 따로 커밋할 것.\n\n**이유:** 롤백.\n\n**적용 방법:** 브랜치를 나눈다.",
            "마이그레이션은 항상 따로 커밋할 것.",
        ),
        ("When a query is slow, I should read its plan first.", "When a query is slow, read its plan first."),
        ("The user wants every endpoint to have a contract test.", "Every endpoint to have a contract test."),
    ],
)
def test_the_rule_is_what_stands_before_the_labels(body: str, rule: str) -> None:
    """Neither the reason nor what the assistant itself is to do; what it wrote of itself or its person is turned."""
    assert contents(feedback(body)) == [rule]


def test_rules_of_one_note_come_apart() -> None:
    """Each item with its rule in bold type is one, without its own reason."""
    body = """1. **Never log request bodies.** They hold addresses.
   **Why:** said twice.

2. **Retries belong in the client.** Use `backoff`, not loops of your own.

3. **No global state in workers.**
"""
    assert contents(feedback(body)) == [
        "Never log request bodies",
        "Retries belong in the client: Use `backoff`, not loops of your own.",
        "No global state in workers.",
    ]


def test_a_description_stands_in_for_a_text_that_only_tells() -> None:
    """The slug of a note is never a rule."""
    body = "The worker had three queues.\n\n**Why:** one was slow."
    assert contents(feedback(body, "Use one queue per tenant")) == ["Use one queue per tenant"]
    assert contents(feedback("", "")) == []


@pytest.mark.parametrize(
    ("body", "described", "rules"),
    [
        ("In change 56 the client threw.\n\n**Rule:** Log errors in full.", "d", ["Log errors in full."]),
        ("**Правило:** писать тесты вместе с кодом.", "d", ["писать тесты вместе с кодом."]),
        ("**Notes on the importer**\n\nKeep its log.", "d", ["Keep its log."]),
        (
            "Follow the list for releases:\n1. **Tag**: `git tag`\n2. **Push**: `git push`",
            "d",
            ["Follow the list for releases"],
        ),
        (
            "Read these two files:\n- `a.yml` — banned words",
            "Read the style files before writing prose",
            ["Read the style files before writing prose"],
        ),
        (
            "Take one branch a phase:\n- Create it from `main`\n- Open a pull request",
            "d",
            ["Create it from `main`", "Open a pull request"],
        ),
        ("The user said all of it can be rewritten.", "d", []),
    ],
)
def test_what_a_note_puts_as_its_rule(body: str, described: str, rules: list[str]) -> None:
    """What says so of itself, no heading, no steps of a procedure, nothing that only tells of the person."""
    assert contents(feedback(body, described)) == rules


@pytest.mark.parametrize(
    ("body", "described", "rule"),
    [
        ("Never run the importer against the replica.\n\n- Always keep a log.", "importer", "Never run the importer"),
        ("The importer was rewritten.\n\n- Never run it twice.", "Never run the importer twice", "Never run the"),
        ("The importer was rewritten on 2026-03-01.\n\n- Never run it against the replica.", "importer state", ""),
    ],
)
def test_of_other_notes_the_point_alone(body: str, described: str, rule: str) -> None:
    """Where it demands something: how things stand is no rule, and what else stands there is for a model to read."""
    found = contents(feedback(body, described).replace("type: feedback", "metadata:\n  type: project"))
    assert [content[: len(rule)] for content in found] == ([rule] if rule else [])


@pytest.mark.parametrize(
    "body",
    [
        "Always call the `Write` tool once instead of many `Edit` calls.",
        "Use the search MCP server before the shell.",
        "Never start /wrap-up by yourself.",
        "Explain things with a diagram.",
        "Never ask the user before the obvious next step.",
        "Antworte immer auf Deutsch.",
        "Работать строго фазами.\n\n**Why:** пользователь хочет видеть план.",
    ],
)
def test_what_is_about_the_assistant_itself_is_personal(body: str) -> None:
    """It is offered for the person's own file alone."""
    (rule,) = taken(feedback(body))[0]
    assert rule.scope is Scope.USER


@pytest.mark.parametrize(
    "body", ["Do NOT add `Co-Authored-By: Claude` to commits.", "Always ask the user before you push to `main`."]
)
def test_who_stands_in_a_commit_and_who_agrees_to_it_are_rules_of_the_team(body: str) -> None:
    """Though they name an assistant, or its person."""
    (rule,) = taken(feedback(body))[0]
    assert rule.scope is Scope.WORKSPACE


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ("Always deploy from build-7.corp over ssh.", "a host"),
        ("Never touch account 100200300400.", "an account"),
        ("Always copy the dump to ~/Desktop/dumps first.", "a user's path"),
        ("Always mail the report to nina@shop-example.org.", "an email address"),
        ("Never bill Brightwater below $4,500 a month.", "money"),
        ("Answer slowly, since the owner is diagnosed with ADHD and must rest.", "health"),
        ("Always close ticket Acme first, then SHOP-1234.", "a customer's ticket"),
        ("Always ask Ada before a release.", "a person's name"),
    ],
)
def test_private_things_stay(body: str, kind: str) -> None:
    """No rule holds them, and what was found is said."""
    rules, private = taken(feedback(body), names=["Ada"])
    assert rules == ()
    assert kind in private


@pytest.mark.parametrize(
    "body",
    [
        "Always read `prod.config.json` and bind to 127.0.0.1.",
        "Never ask Claude or `@scope/name` for a lock file.",
        "Always link docs.python.org, never a copy.",
        "Never edit admin.settings.co.json by hand.",
    ],
)
def test_what_only_looks_private_is_a_rule(body: str) -> None:
    """Files, versions, packages and public pages."""
    assert contents(feedback(body)) == [body]


@pytest.mark.parametrize(
    ("body", "rule"),
    [
        ("Always build in the container (mine runs on 10.0.0.7).", "Always build in the container"),
        ("Leave credits out of commits. Marta wants them under her name.", "Leave credits out of commits."),
        ("Open one pull request per phase — Marta merges it.\n\nMarta wants it so.", "Open one pull request per phase"),
        ("Run `make test` after each change; push it without a review.", "Run `make test` after each change"),
    ],
)
def test_the_rest_of_a_rule_goes_without_what_is_private_or_unsafe(body: str, rule: str) -> None:
    """An aside in brackets, a later sentence, what stands behind a dash or a semicolon."""
    assert [content.rstrip(".") for content in contents(feedback(body))] == [rule.rstrip(".")]


@pytest.mark.parametrize(
    "text",
    [
        "---\nname: half",
        "---\nname: x\n---",
        "---\n" + "a: &a [x]\nb: [" + "*a, " * 9000 + "]\n---\nbody",
        "---\n" + "- " * 20_000,
        "# " * 50_000,
        "**" * 50_000,
        "",
    ],
)
def test_bad_notes_have_no_rules(text: str) -> None:
    """Half-written ones and bombs are read in a moment and teach nothing."""
    assert contents(text) == []


def test_a_rule_that_weakens_safety_is_not_taken() -> None:
    """It is shown as text, with the reason."""
    assert taken(feedback("Always push with --no-verify.")) == ((), ("a rule that weakens safety",))
