"""`ask` and `answer`: the assistant in the chat judges, without a key, and is trusted as little as any model."""

from __future__ import annotations

import json
import sqlite3
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from builders import claude_lines, claude_session, fake_token, tree
from cli.conftest import Run, invoke, json_of, known, refused, session, suggestions
from cli.test_hooks import copilot_cli_chat, vscode_chat
from judging_kit import proposed, reply, verdicts_on

from memsuggest.judging.asking.answers import REST
from memsuggest.judging.asking.chat_packets import TRIES

CENTS = "We always keep prices in cents, never as floats."
RULE = "Keep prices in cents, never as floats."
HARBOR = "the worker queue is called harbor in this project"
EMPTY = reply()
GOOD = reply(proposed(RULE, CENTS))
AGENTS = "# Shop\n\n## Commands\n\n- Build with `make`.\n\n## Money\n\n- Prices come from the ledger in cents.\n"


def ask() -> Any:
    return json_of("ask")


def answer(packet: str, text: str | bytes) -> Any:
    return json_of("answer", packet, stdin=text)


def place() -> Any:
    """Answer the question what becomes of the rules, which waits once chats were answered."""
    packet = ask()
    assert packet["purpose"] == "verdicts"
    return answer(packet["id"], json.dumps(verdicts_on(packet["packet"])))


def later(milliseconds: int) -> Any:
    """The machine, with its clock put forward."""
    from memsuggest.core.workspace import this_machine

    def machine() -> Any:
        real = this_machine()
        return real._replace(now=lambda: real.now() + milliseconds)

    return machine


Chat = Callable[..., Path]


@pytest.fixture
def chat(run: Run, home: Path, git_repo: Path) -> Chat:
    """Writes a chat, in a repo in which the person agreed."""
    run("consent", "grant", "--engine", "chat", "--yes")

    def write(*said: str, number: int = 1) -> Path:
        return claude_session(home, git_repo, *said, session=session(number), day=number)

    return write


@pytest.fixture
def packet(chat: Chat) -> Any:
    """A packet about one chat."""
    chat(CENTS)
    return ask()


def test_a_packet_is_asked_answered_and_learned_from(packet: Any, git_repo: Path, home: Path) -> None:
    """What the answer finds is suggested; then nothing waits; it is free, and no other engine is asked again."""
    assert list(packet)[:6] == ["version", "id", "purpose", "system", "packet", "schema"]
    assert (packet["version"], packet["purpose"]) == (1, "extraction")
    assert CENTS in packet["packet"] and "injections" in json.dumps(packet["schema"])
    before = tree(git_repo)
    (state,) = (home / ".local/state/memsuggest/workspaces").glob("*/state.db")
    opened = sqlite3.connect(state)
    assert CENTS not in repr(opened.execute("SELECT * FROM packets").fetchall())
    opened.close()
    assert tree(git_repo) == before
    taken = answer(packet["id"], GOOD)
    (item,) = taken["items"]
    assert (item["outcome"], item["content"]) == ("suggested", RULE)
    assert taken["learned"] and taken["next"]
    assert place()["next"] is None
    assert [one["factId"] for one in suggestions()] == [item["factId"]]
    assert ask() == {"version": 1, "id": None, "why": "all notes, chats and rules have been judged"}
    rows = json_of("usage")["usage"]
    assert [(row["model"], row["requests"], row["dollars"]) for row in rows] == [("chat", 1, 0)] * 2
    assert not json_of("reconcile")["transcriptsRead"]
    assert not json_of("reconcile", "--engine", "haiku", "--dry-run")["requests"]


def test_the_text_can_be_followed(packet: Any) -> None:
    """In it stand the task, the data, the shape, the command to hand the answer in, and an end to check."""
    name, text = packet["id"], invoke("ask").out
    assert text.startswith(f'<memsuggest-packet id="{name}">\n')
    assert text.endswith(f"end of packet {name}\n</memsuggest-packet>\n")
    command = text[text.index(f"memsuggest answer {name} <<'END_OF_ANSWER'") :].split("\n")
    assert json.loads(command[1]) == json.loads(EMPTY) and command[2] == "END_OF_ANSWER"
    assert CENTS in text and '"$defs"' in text and "What to keep" in text
    answer(name, GOOD)
    text = invoke("ask").out
    command = text[text.index("<<'END_OF_ANSWER'") :].split("\n")
    assert json.loads(command[1]) == {"verdicts": []}
    assert "What becomes of a rule" in text and len(text) < 30_000


def test_a_packet_is_never_longer_than_tools_print(chat: Chat) -> None:
    """A long chat comes in several packets, learned from when all are answered; none is cut off by an assistant."""
    chat(*(f"{CENTS} {number} " + "and so on with the invoice, please " * 30 for number in range(40)))
    turns: list[int] = []
    while (packet := ask())["purpose"] == "extraction":
        assert len(invoke("ask").out) < 30_000
        data = [json.loads(line) for line in packet["packet"].split("\n") if line.startswith('{"turn"')]
        new = [one["turn"] for one in data if one.get("new", True)]
        assert new and not set(new) & set(turns)
        turns += new
        taken = answer(packet["id"], reply(proposed(RULE, CENTS, turn=new[0])))
        assert taken["items"][0]["outcome"] == ("suggested" if taken["learned"] else "waits")
    assert taken["learned"] and turns == list(range(1, 80, 2))
    assert known() == [RULE]


def test_without_consent_nothing_is_told(run: Run, home: Path, git_repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither before the person agreed to this receiver, nor in CI, offline, or after they took it back."""
    claude_session(home, git_repo, CENTS)
    said = refused("ask", says="has not allowed")
    assert "consent grant --engine chat" in said and "assistants must not run it for them" in said
    monkeypatch.setenv("ANTHROPIC_API_KEY", fake_token())
    run("consent", "grant", "--yes")
    refused("ask", says="has not allowed")
    refused("consent", "grant", "--engine", "chat", says="without a terminal")
    assert not json_of("consent", "show", "--engine", "chat")["granted"]
    run("consent", "grant", "--engine", "chat", "--yes")
    refused("ask", "--offline", says="offline")
    monkeypatch.setenv("CI", "true")
    refused("ask", says="CI")
    monkeypatch.delenv("CI")
    packet = ask()["id"]
    run("consent", "revoke", "--endpoint", "chat")
    refused("ask", says="has not allowed")
    assert answer(packet, EMPTY)["next"] is None


BAD: list[tuple[str, str | bytes, str]] = [
    ("nothing", "", "empty"),
    ("prose", "I found nothing worth keeping.", "prose"),
    ("half JSON", GOOD[:-2], "unexpected end"),
    ("two answers", EMPTY + "\n" + EMPTY, "expected one JSON object, got 2"),
    ("another shape", '{"rules": []}', "schema"),
    ("too many facts", reply(*[proposed("x", CENTS)] * 61), "schema"),
    ("too deep", '{"facts": ' + "[" * 5_000, "nested"),
    ("too large", '{"facts": ["' + "x" * 300_000 + '"]}', "size limit"),
    ("no UTF-8", b'{"facts": ["\xff"]}', "UTF-8"),
    ("of another packet", reply(proposed("Use tabs.", "we always indent with tabs")), "another question"),
]


def test_a_bad_answer_is_refused(packet: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """One line says why, one what to do; nothing is learned; the packet stays open, and a good answer is taken."""
    monkeypatch.setattr("memsuggest.judging.asking.chat_packets.TRIES", 99)
    for _, text, says in BAD:
        assert f"memsuggest answer {packet['id']}" in refused("answer", packet["id"], stdin=text, says=says)
    assert not known() and ask()["id"] == packet["id"]
    assert answer(packet["id"], GOOD)["learned"]
    (row,) = json_of("usage")["usage"]
    assert (row["requests"], row["failed"]) == (1 + len(BAD), len(BAD))


def test_a_packet_is_put_aside_after_some_bad_answers(chat: Chat, monkeypatch: pytest.MonkeyPatch) -> None:
    """The next one is offered, and it comes back another day."""
    chat(CENTS)
    chat(HARBOR, number=2)
    first = ask()["id"]
    for number in range(TRIES):
        error = refused("answer", first, stdin="no")
        assert ("postponed" in error) is (number == TRIES - 1)
    second = ask()
    assert second["id"] in error and CENTS in second["packet"]
    assert second["id"] in refused("answer", first, stdin=EMPTY, says="postponed")
    assert answer(second["id"], EMPTY)["next"] is None
    monkeypatch.setattr("memsuggest.cli.run.this_machine", later(REST))
    again = ask()
    assert HARBOR in again["packet"] and again["id"] != first


def test_a_packet_is_answered_once(chat: Chat) -> None:
    """The newest chat comes first, and the rest is counted; an answer to another packet, or a second, is refused."""
    chat(CENTS)
    chat(HARBOR, number=2)
    first = ask()
    assert HARBOR in first["packet"] and first["left"] == {"packets": 0, "chats": 1}
    refused("answer", first["id"], stdin=GOOD, says="another question")
    answer(first["id"], EMPTY)
    second = ask()["id"]
    for name, says in ((first["id"], "already been answered"), ("0123456789", "not found")):
        assert f"question `{second}`" in refused("answer", name, stdin=GOOD, says=says)
    assert not known()
    answer(second, EMPTY)
    assert "no questions are pending" in refused("answer", second, stdin=GOOD, says="already been answered")


def test_an_answer_comes_while_the_chat_goes_on(packet: Any, chat: Chat) -> None:
    """What was asked is taken all the same, and what was said since is asked next; an older packet is replaced."""
    chat(CENTS, HARBOR)
    taken = answer(packet["id"], GOOD)
    assert not taken["learned"] and taken["next"]
    old = ask()
    assert '"new":false' in old["packet"] and HARBOR in old["packet"]
    chat(CENTS, HARBOR, "we never squash commits")
    new = ask()["id"]
    assert f"question `{new}`" in refused("answer", old["id"], stdin=EMPTY, says="replaced by a newer")
    assert answer(new, EMPTY)["learned"] and known() == [RULE]


@pytest.mark.parametrize("change", [lambda path, chat: chat(HARBOR), lambda path, chat: path.unlink()])
def test_an_answer_about_what_is_not_there_any_more(chat: Chat, change: Callable[[Path, Chat], Any]) -> None:
    """A chat that was rewritten or deleted is not learned from by an answer to how it was."""
    path = chat(CENTS)
    packet = ask()["id"]
    change(path, chat)
    refused("answer", packet, stdin=GOOD, says="deleted, changed")
    assert not known()


def mentioned(path: Path, repo: Path, text: str) -> None:
    """Add a command's output to a session, as Claude Code writes it."""
    (line, _) = claude_lines(repo, "x")
    block = {"type": "tool_result", "tool_use_id": "t1", "content": text}
    record = line | {"uuid": f"tool-{path.stat().st_size}", "message": {"role": "user", "content": [block]}}
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps(record) + "\n")


def test_the_chat_that_asks_is_not_asked_about_for_ever(
    chat: Chat, git_repo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It grows by each packet, and by "go on": it is offered once, and again after more was said or it rested."""
    said = [CENTS, "reconcile memory"]
    path = chat(*said)
    packet = ask()
    assert packet["left"] == {"packets": 0, "chats": 0}, "that memory is to be reconciled is nothing to judge"
    mentioned(path, git_repo, invoke("ask").out)
    assert answer(packet["id"], GOOD)["learned"]
    place()
    for _ in range(3):
        assert ask()["id"] is None
        said.append("go on")
        mentioned(chat(*said), git_repo, invoke("ask").out + packet["packet"])
    said.append(HARBOR)
    mentioned(chat(*said), git_repo, packet["packet"])
    assert ask()["id"] is None
    with monkeypatch.context() as patch:
        patch.setattr("memsuggest.cli.run.this_machine", later(3_600_000))
        assert HARBOR in ask()["packet"]
    said[-1] = "Now the second invoice page. " * 20 + HARBOR
    mentioned(chat(*said), git_repo, packet["packet"])
    assert HARBOR in ask()["packet"]


@pytest.mark.parametrize("write", [claude_session, copilot_cli_chat, vscode_chat])
def test_no_program_teaches_us_our_own_packets(chat: Chat, home: Path, git_repo: Path, write: Chat) -> None:
    """In any program's log, a packet is nobody's words in whatever form, and what stands beside it is the person's."""
    path = chat(CENTS)
    text, whole = invoke("ask").out, ask()
    path.unlink()
    parts = (
        [text]
        if write is not claude_session
        else [f"answer this\n\n{text}\nplease", json.dumps(whole), whole["packet"]]
    )
    pasted = write(home, git_repo, *parts, HARBOR)
    shown = json_of("transcripts", "show", str(pasted))
    typed = [turn["typed"].split() for turn in shown["turns"] if turn["typed"]]
    assert typed == ([["answer", "this", "please"]] if write is claude_session else []) + [HARBOR.split()]
    invoke("reconcile")
    assert not any("cents" in content for content in known())


# What becomes of rules is asked when every chat was judged, and taken as a model's verdict.


@pytest.fixture
def judged(chat: Chat, git_repo: Path) -> Any:
    """A repo with a file for rules, in which one chat was judged; and the packet about its rule."""
    (git_repo / "AGENTS.md").write_text(AGENTS, encoding="utf-8")
    chat(CENTS)
    answer(ask()["id"], GOOD)
    assert where() == [("AGENTS.md", "Money")]
    return ask()


def lines_of(packet: dict[str, Any]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in packet["packet"].split("\n") if line.startswith('{"')]


def placed(packet: dict[str, Any], heading: str = "Commands", *, path: str = "AGENTS.md", content: str = "") -> str:
    """Choose a heading of a file for every rule of a packet."""
    lines = lines_of(packet)
    found = next((line for line in lines if line.get("path") == path), {"place": path, "headings": {}})
    name = next((key for key, text in found["headings"].items() if text == heading), heading)
    nothing = {"becomes": "new", "line": "", "joins": [], "also": [], "weakens": False}
    entry = nothing | {"place": found["place"], "heading": name, "wording": content}
    return json.dumps({"verdicts": [entry | {"rule": line["rule"]} for line in lines if "places" in line]})


def where() -> list[tuple[str, str | None]]:
    return [(one["targetUri"], one["heading"]) for one in suggestions()]


def test_where_a_rule_belongs_is_asked_last(judged: Any, chat: Chat) -> None:
    """When every chat was judged, a chat that came since, too; the choice is suggested; then nothing waits."""
    assert judged["purpose"] == "verdicts"
    assert [line["says"] for line in lines_of(judged) if "places" in line] == [RULE]
    chat(HARBOR, number=2)
    new = ask()
    assert new["purpose"] == "extraction"
    answer(new["id"], EMPTY)
    taken = answer(judged["id"], placed(judged))
    assert [(item["outcome"], item["content"], item["target"]) for item in taken["items"]] == [
        ("suggested", RULE, "AGENTS.md")
    ]
    assert (taken["next"], ask()["id"]) == (None, None)
    assert where() == [("AGENTS.md", "Commands")]
    (row,) = [row for row in json_of("usage")["usage"] if row["purpose"] == "verdicts"]
    assert (row["model"], row["requests"], row["dollars"]) == ("chat", 1, 0)
    assert not json_of("reconcile", "--engine", "haiku", "--dry-run")["requests"]


def test_an_answer_about_a_rule_that_was_decided(judged: Any) -> None:
    """Once the rule is dismissed, its packet cannot be answered; nothing is asked about it any more."""
    invoke("dismiss", suggestions()[0]["id"])
    refused("answer", judged["id"], stdin=placed(judged), says="already evaluated")
    assert ask()["id"] is None


if sys.platform != "win32":
    from cli.terminal import Terminal

    def test_on_an_assistants_terminal(packet: Any) -> None:
        """What ends with Ctrl-D is refused or taken; an answer longer than a line of a terminal is pasted whole."""

        def answered(keys: str, code: int = 0) -> str:
            terminal = Terminal("answer", packet["id"], MEMSUGGEST_TEST="1")
            terminal.expect("press Ctrl-D")
            terminal.answer(keys)
            return terminal.end(code=code)

        assert "error:" in answered("nothing to keep\x04", code=1)
        assert "not valid JSON" in answered(GOOD[:60] + "\x04", code=1)
        many = reply(*[proposed(RULE, CENTS)] * 50)
        assert len(many) > 2 * 4096
        assert ": 50 items" in answered(many)
