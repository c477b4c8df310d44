"""A model reads notes of assistants: `reconcile` against a server that speaks the model's protocol."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from builders import claude_session
from cli.conftest import Run, pending, refused
from cli.test_asking import answer, ask
from model_server import Exchange, Server, answers, fails
from notes_kit import memory_folder, note

CENTS = "Prices are integers in cents, since floats lost us money."
WORDED = "Keep prices as integers in cents."
BY_FORM = "We had an outage on the first day of the sale."
TYPED = "the invoice lost cents again, are prices floats now?"
SESSION = "11111111-aaaa-4bbb-8ccc-222222222222"


def reading(name: str, *rules: dict[str, str]) -> dict[str, Any]:
    return {"note": name, "holds": "team-rule", "rules": list(rules)}


def reads(body: dict[str, Any]) -> str:
    """The rule about money, wherever a note has it; of rules, nothing."""
    lines = [json.loads(line) for line in body["messages"][0]["content"][-1]["text"].split("\n")[1:-1]]
    if any("places" in line for line in lines):
        return '{"verdicts": []}'
    if not any("noted_by" in line for line in lines):
        return '{"facts": [], "injections": []}'
    quote = "Prices are integers in cents"
    names = [line["note"] for line in lines if quote in line["text"]]
    return json.dumps({"notes": [reading(name, {"content": WORDED, "quote": quote}) for name in names]})


@pytest.fixture
def server(model: Server, home: Path, git_repo: Path) -> Server:
    model.behave(answers(reads))
    (git_repo / "AGENTS.md").write_text("# Shop\n\n- Build with `make`\n", encoding="utf-8")
    claude_session(home, git_repo, "add invoices", TYPED, session=SESSION)
    note(memory_folder(home, git_repo), "money", CENTS, session=SESSION)
    note(memory_folder(home, git_repo), "sale", BY_FORM)
    return model


def suggested(run: Run, *words: str) -> set[str]:
    run("reconcile", *words)
    return set(pending())


def no_notes(exchange: Exchange) -> None:
    """Answer everything but notes."""
    is_note = b"noted_by" in exchange.raw.split(b"messages", 1)[-1]
    (fails("400 Bad Request", "invalid_request_error") if is_note else answers(reads))(exchange)


def about_notes(server: Server) -> list[str]:
    return [text for one in server.asked if '"noted_by"' in (text := str(one["messages"]))]


def test_a_models_reading_takes_the_place_of_the_form(run: Run, server: Server, home: Path, git_repo: Path) -> None:
    """Each rule needs a yes of its own; nothing is asked twice, and of a changed text only that note again."""
    assert {CENTS, BY_FORM} <= suggested(run, "--offline")
    run("consent", "grant", "--yes")
    planned = run("reconcile", "--dry-run", "--format", "json").json["requests"]
    assert [one["purpose"] for one in planned].count("notes") == 1
    assert not server.asked
    server.behave(no_notes)
    assert "not judged by a model" in run("reconcile").out
    assert CENTS in pending()
    server.behave(answers(reads))
    before = len(about_notes(server))
    found = suggested(run)
    assert WORDED in found and not {CENTS, BY_FORM} & found
    assert TYPED in about_notes(server)[-1]
    path = memory_folder(home, git_repo) / "money.md"
    path.write_text(path.read_text(encoding="utf-8"), encoding="utf-8")
    assert WORDED in suggested(run)
    assert len(about_notes(server)) == before + 1
    rows = run("notes", "--format", "json").json["notes"]
    assert {row["title"]: row["verdict"] for row in rows} == {"money": "suggested", "sale": "passing"}
    (rule,) = (rule for row in rows for rule in row["rules"])
    assert rule["quote"] == TYPED
    assert "skipped" in run("apply", "--all", "--yes").out
    note(path.parent, "dates", "Store dates in UTC only.")
    run("reconcile")
    assert [CENTS in one for one in about_notes(server)[before:]] == [True, False]


def test_the_assistant_in_the_chat_is_asked_first(run: Run, server: Server, home: Path, git_repo: Path) -> None:
    """About notes, before the chats; its answer takes the place of the form, once, also for a file touched since."""
    assert CENTS in suggested(run, "--offline")
    run("consent", "grant", "--engine", "chat", "--yes")
    packet = ask()
    assert packet["purpose"] == "notes" and TYPED in packet["packet"]
    assert '{"notes": []}' in run("ask").out
    lines = [json.loads(line) for line in packet["packet"].split("\n") if line.startswith('{"')]
    (name,) = [line["note"] for line in lines if CENTS in line["text"]]
    made_up = {"content": "Never use floats.", "quote": "never floats"}
    refused("answer", packet["id"], stdin=json.dumps({"notes": [reading("N0", made_up)]}), says="another")
    right = {"content": WORDED, "quote": "Prices are integers in cents"}
    taken = answer(packet["id"], json.dumps({"notes": [reading(name, right, made_up)]}))
    assert [(item["outcome"], item["content"]) for item in taken["items"]] == [
        ("suggested", WORDED),
        ("dropped", "Never use floats."),
    ]
    found = set(pending())
    assert WORDED in found and not {CENTS, BY_FORM} & found
    path = memory_folder(home, git_repo) / "money.md"
    path.write_text(path.read_text(encoding="utf-8"), encoding="utf-8")
    assert ask()["purpose"] == "extraction"
    assert not server.asked


def test_who_agreed_to_chats_has_not_agreed_to_notes(run: Run, server: Server, home: Path) -> None:
    """Nothing of a note is sent until they agree to the words of today."""
    run("consent", "grant", "--yes")
    (path,) = home.rglob("consent.json")
    told = json.loads(path.read_text(encoding="utf-8"))
    for grant in told["grants"]:
        grant["terms"] = 5
    path.write_text(json.dumps(told), encoding="utf-8")
    assert CENTS in suggested(run)
    assert not about_notes(server)
