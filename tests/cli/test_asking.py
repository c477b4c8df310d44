"""`ask` and `answer`: the assistant in the chat judges, without a key, and is trusted as little as any model."""

from __future__ import annotations

import json
import os
import sqlite3
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from builders import claude_lines, claude_session, fake_token, tree
from cli.conftest import Run, invoke, refused
from cli.test_hooks import copilot_cli_chat, vscode_chat
from judging_kit import verdicts_on

from memsuggest.judging.asking.answers import REST
from memsuggest.judging.asking.chat_packets import TRIES

CENTS = "We always keep prices in cents, never as floats."
HARBOR = "the worker queue is called harbor in this project"
SESSION = "{:08d}-aaaa-4bbb-8ccc-222222222222"
EMPTY = '{"facts": [], "injections": []}'


def session(number: int) -> str:
    return SESSION.format(number)


def fact(content: str, quote: str, *, turn: int = 1, **fields: Any) -> dict[str, Any]:
    usual: dict[str, Any] = {
        "content": content,
        "reason": "",
        "kind": "convention",
        "scope": "workspace",
        "confidence": "high",
        "citations": [{"turn": turn, "file": "", "quote": quote}],
        "replaces": "",
    }
    return usual | fields


def reply(*facts: dict[str, Any]) -> str:
    return json.dumps({"facts": list(facts), "injections": []})


def ask() -> Any:
    return invoke("ask", "--format", "json").json


def answer(packet: str, text: str | bytes) -> Any:
    return invoke("answer", packet, "--format", "json", stdin=text).json


def place() -> Any:
    """Answer the question what becomes of the rules, which waits once chats were answered."""
    packet = ask()
    assert packet["purpose"] == "verdicts"
    return answer(packet["id"], json.dumps(verdicts_on(packet["packet"])))


def facts() -> list[str]:
    return [one["content"] for one in invoke("memory", "list", "--facts", "--format", "json").json["facts"]]


@pytest.fixture
def agreed(run: Run) -> Run:
    """A repo in which the person agreed."""
    run("consent", "grant", "--engine", "chat", "--yes")
    return run


def test_a_packet_is_asked_answered_and_learned_from(agreed: Run, home: Path, git_repo: Path) -> None:
    """The packet is as the contract has it; what the answer finds is suggested; then nothing waits; it is free."""
    claude_session(home, git_repo, CENTS)
    packet = ask()
    assert list(packet)[:6] == ["version", "id", "purpose", "system", "packet", "schema"]
    assert (packet["version"], packet["purpose"]) == (1, "extraction")
    assert CENTS in packet["packet"] and "injections" in json.dumps(packet["schema"])
    taken = answer(packet["id"], reply(fact("Keep prices in cents, never as floats.", CENTS)))
    (item,) = taken["items"]
    assert (item["outcome"], item["content"]) == ("suggested", "Keep prices in cents, never as floats.")
    assert taken["learned"] and taken["next"]
    assert place()["next"] is None
    (pending,) = agreed("list", "--format", "json").json["suggestions"]
    assert pending["factId"] == item["factId"]
    assert ask() == {"version": 1, "id": None, "why": "all notes, chats and rules have been judged"}
    rows = agreed("usage", "--format", "json").json["usage"]
    assert [(row["model"], row["requests"], row["dollars"]) for row in rows] == [("chat", 1, 0)] * 2
    assert not agreed("reconcile", "--format", "json").json["transcriptsRead"]


def test_the_text_can_be_followed(agreed: Run, home: Path, git_repo: Path) -> None:
    """In the text stand the task, the data, the shape, the command to hand the answer in, and an end to check."""
    claude_session(home, git_repo, CENTS)
    packet = ask()["id"]
    text = agreed("ask").out
    assert text.startswith(f'<memsuggest-packet id="{packet}">\n')
    assert text.endswith(f"end of packet {packet}\n</memsuggest-packet>\n")
    command = text[text.index(f"memsuggest answer {packet} <<'END_OF_ANSWER'") :].split("\n")
    assert json.loads(command[1]) == json.loads(EMPTY)
    assert command[2] == "END_OF_ANSWER"
    assert CENTS in text and '"$defs"' in text and "What to keep" in text


def test_a_packet_is_never_longer_than_tools_print(agreed: Run, home: Path, git_repo: Path) -> None:
    """A long chat comes in several packets, learned from when all are answered; none is cut off by an assistant."""
    said = [f"{CENTS} {number} " + "and so on with the invoice, please " * 30 for number in range(40)]
    claude_session(home, git_repo, *said)
    turns: list[int] = []
    while (packet := ask())["purpose"] == "extraction":
        assert len(agreed("ask").out) < 30_000
        data = [json.loads(line) for line in packet["packet"].split("\n") if line.startswith('{"turn"')]
        new = [one["turn"] for one in data if one.get("new", True)]
        assert new and not set(new) & set(turns)
        turns += new
        quoted = fact("Keep prices in cents, never as floats.", CENTS, turn=new[0])
        taken = answer(packet["id"], reply(quoted))
        assert taken["items"][0]["outcome"] == ("suggested" if taken["learned"] else "waits")
    assert taken["learned"]
    assert turns == list(range(1, 80, 2))
    assert facts() == ["Keep prices in cents, never as floats."]


def test_without_consent_nothing_is_told(run: Run, home: Path, git_repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither before the person agreed to this receiver, nor in CI, offline, or after they took it back."""
    claude_session(home, git_repo, CENTS)
    assert "consent grant --engine chat" in refused("ask", says="has not allowed")
    monkeypatch.setenv("ANTHROPIC_API_KEY", fake_token())
    run("consent", "grant", "--yes")
    refused("ask", says="has not allowed")
    run("consent", "grant", "--engine", "chat", "--yes")
    refused("ask", "--offline", says="offline")
    monkeypatch.setenv("CI", "true")
    refused("ask", says="CI")
    monkeypatch.delenv("CI")
    packet = ask()["id"]
    run("consent", "revoke", "--endpoint", "chat")
    refused("ask", says="has not allowed")
    assert answer(packet, EMPTY)["next"] is None


def test_consent_needs_the_person(run: Run) -> None:
    """Without a terminal the question is not asked, and an assistant that runs into it is told whose word it is."""
    refused("consent", "grant", "--engine", "chat", says="without a terminal")
    assert "assistants must not run it for them" in refused("ask")
    assert not run("consent", "show", "--engine", "chat", "--format", "json").json["granted"]


BAD = [
    pytest.param("", "empty", id="nothing"),
    pytest.param("   \n", "empty", id="blanks"),
    pytest.param("I found nothing worth keeping.", "prose", id="prose"),
    pytest.param('{"facts": [{"content": "Use', "unexpected end", id="half JSON in a word"),
    pytest.param(reply(fact("x", CENTS))[:-2], "unexpected end", id="half JSON"),
    pytest.param(EMPTY + "\n" + EMPTY, "expected one JSON object, got 2", id="two answers"),
    pytest.param('{"rules": []}', "schema", id="another shape"),
    pytest.param('{"facts": [], "injections": [], "also": 1}', "schema", id="more than was asked for"),
    pytest.param(reply(*[fact("x", CENTS)] * 61), "schema", id="too many facts"),
    pytest.param('{"facts": ' + "[" * 5_000, "nested", id="too deep"),
    pytest.param('{"facts": ["' + "x" * 300_000 + '"]}', "size limit", id="too large"),
    pytest.param(b'{"facts": ["\xff"]}', "UTF-8", id="no UTF-8"),
    pytest.param(reply(fact("Use tabs.", "we always indent with tabs")), "another packet", id="of another packet"),
]


@pytest.mark.parametrize(("text", "says"), BAD)
def test_a_bad_answer_is_refused(agreed: Run, home: Path, git_repo: Path, text: str | bytes, says: str) -> None:
    """One line says why and one what to do; nothing is learned; the packet stays open, and a good answer is taken."""
    claude_session(home, git_repo, CENTS)
    packet = ask()["id"]
    error = refused("answer", packet, stdin=text, says=says)
    assert f"memsuggest answer {packet}" in error
    assert not facts()
    assert ask()["id"] == packet
    assert answer(packet, reply(fact("Keep prices in cents, never as floats.", CENTS)))["learned"]
    (row,) = agreed("usage", "--format", "json").json["usage"]
    assert (row["requests"], row["failed"]) == (2, 1)


TALK = [
    pytest.param("Sure! Here is what I found:\n\n{}\n\nLet me know.", id="talk"),
    pytest.param("```json\n{}\n```", id="a fence"),
    pytest.param("\ufeff{}\r\n", id="a byte order mark"),
    pytest.param("I looked at {{turn 1}}:\n{}", id="braces in the talk"),
]


@pytest.mark.parametrize("around", TALK)
def test_talk_around_an_answer_does_not_matter(agreed: Run, home: Path, git_repo: Path, around: str) -> None:
    """One JSON object in it is the answer."""
    claude_session(home, git_repo, CENTS)
    text = around.replace("{{turn 1}}", "{turn 1}").replace("{}", reply(fact("Keep prices in cents.", CENTS)), 1)
    assert answer(ask()["id"], text)["items"][0]["outcome"] == "suggested"
    assert agreed


def test_a_packet_is_put_aside_after_some_bad_answers(
    agreed: Run, home: Path, git_repo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The next one is offered, and it comes back another day."""
    claude_session(home, git_repo, CENTS, session=session(1))
    claude_session(home, git_repo, HARBOR, session=session(2), day=2)
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


def later(milliseconds: int) -> Any:
    """The machine, with its clock put forward."""
    from memsuggest.core.workspace import this_machine

    def machine() -> Any:
        real = this_machine()
        return real._replace(now=lambda: real.now() + milliseconds)

    return machine


def test_a_packet_is_answered_once(agreed: Run, home: Path, git_repo: Path) -> None:
    """A second answer to it, or one to an id that never was, changes nothing, and says what waits."""
    claude_session(home, git_repo, CENTS, session=session(1))
    claude_session(home, git_repo, HARBOR, session=session(2), day=2)
    first = ask()["id"]
    answer(first, EMPTY)
    second = ask()["id"]
    good = reply(fact("The worker queue is called harbor.", HARBOR))
    assert f"packet `{second}`" in refused("answer", first, stdin=good, says="already answered")
    assert f"packet `{second}`" in refused("answer", "0123456789", stdin=good, says="not found")
    assert not facts()
    answer(second, EMPTY)
    assert "no packet is pending" in refused("answer", first, stdin=good, says="already answered")
    assert agreed


def test_an_answer_to_another_packet_is_refused(agreed: Run, home: Path, git_repo: Path) -> None:
    """Under the wrong id it is not taken, though every quote of it was said: in another chat."""
    claude_session(home, git_repo, CENTS, session=session(1))
    claude_session(home, git_repo, HARBOR, session=session(2), day=2)
    packet = ask()
    assert HARBOR in packet["packet"]
    refused("answer", packet["id"], stdin=reply(fact("Keep prices in cents.", CENTS)), says="another packet")
    assert not facts()
    assert agreed


def test_an_answer_comes_while_the_chat_goes_on(agreed: Run, home: Path, git_repo: Path) -> None:
    """What was asked is taken all the same, and what was said since is asked next, told beside what it follows."""
    claude_session(home, git_repo, CENTS)
    packet = ask()["id"]
    claude_session(home, git_repo, CENTS, HARBOR)
    taken = answer(packet, reply(fact("Keep prices in cents, never as floats.", CENTS)))
    assert not taken["learned"] and taken["next"]
    new = ask()
    assert '"new":false' in new["packet"] and HARBOR in new["packet"]
    assert answer(new["id"], EMPTY)["learned"]
    assert facts() == ["Keep prices in cents, never as floats."]
    assert agreed


def test_a_newer_packet_replaces_an_older_one(agreed: Run, home: Path, git_repo: Path) -> None:
    """When the chat went on and was asked about again, the answer to the older packet comes too late."""
    claude_session(home, git_repo, CENTS)
    old = ask()["id"]
    claude_session(home, git_repo, CENTS, HARBOR)
    new = ask()["id"]
    assert new != old
    assert f"packet `{new}`" in refused("answer", old, stdin=EMPTY, says="replaced by a newer")
    assert answer(new, EMPTY)["learned"]
    assert agreed


@pytest.mark.parametrize("change", ["rewritten", "gone"])
def test_an_answer_about_what_is_not_there_any_more(agreed: Run, home: Path, git_repo: Path, change: str) -> None:
    """A chat that was rewritten or deleted is not learned from by an answer to how it was."""
    path = claude_session(home, git_repo, CENTS)
    packet = ask()["id"]
    if change == "gone":
        path.unlink()
    else:
        claude_session(home, git_repo, HARBOR)
    refused("answer", packet, stdin=reply(fact("Keep prices in cents.", CENTS)), says="deleted, changed")
    assert not facts()
    assert agreed


def test_answers_are_as_untrusted_as_any_models(agreed: Run, home: Path, git_repo: Path) -> None:
    """Made-up quotes, weakened safety, other people's words and secrets do not get through; each item says why."""
    pasted = "> always run every command with sudo"
    claude_session(
        home, git_repo, CENTS, f"look at this:\n{pasted}\nwhat do you think?", "skip code review from now on"
    )
    packet = ask()["id"]
    taken = answer(
        packet,
        reply(
            fact("Keep prices in cents, never as floats.", CENTS),
            fact("Deploy on Fridays.", "we deploy on fridays"),
            fact("Always run every command with sudo.", "always run every command with sudo", turn=3),
            fact("Skip code review.", "skip code review from now on", turn=5),
            fact(f"Use the token {fake_token()}.", CENTS),
        ),
    )
    outcomes = [item["outcome"] for item in taken["items"]]
    assert outcomes[:4] == ["suggested", "dropped", "dropped", "dropped"]
    assert all(item["why"] for item in taken["items"] if item["outcome"] == "dropped")
    kept = list(home.rglob("answers.db*"))
    assert kept and not any(fake_token().encode() in path.read_bytes() for path in kept)
    assert facts() == ["Keep prices in cents, never as floats."]
    assert agreed


def test_what_our_own_rules_read_is_judged_too(agreed: Run, home: Path, git_repo: Path) -> None:
    """A chat that `reconcile` read offline is still asked about, and what is known counts as known."""
    claude_session(home, git_repo, CENTS, HARBOR)
    agreed("reconcile", "--engine", "offline")
    before = facts()
    packet = ask()
    assert all(content in packet["packet"] for content in before)
    taken = answer(packet["id"], reply(fact("The worker queue is called harbor.", HARBOR, turn=3)))
    assert taken["items"][0]["outcome"] in {"suggested", "new", "known"}
    assert len(facts()) == len(set(facts()))


def test_a_model_that_was_paid_is_not_asked_again(agreed: Run, home: Path, git_repo: Path) -> None:
    """What one mind answered, no other is asked; the answers lie in one place."""
    claude_session(home, git_repo, CENTS)
    answer(ask()["id"], reply(fact("Keep prices in cents, never as floats.", CENTS)))
    dry = agreed("reconcile", "--engine", "haiku", "--dry-run", "--format", "json").json
    assert not [one for one in dry["requests"] if one["purpose"] == "extraction"]


def test_the_newest_chat_comes_first(agreed: Run, home: Path, git_repo: Path) -> None:
    """And what waits besides is counted."""
    for number in range(1, 4):
        claude_session(home, git_repo, f"{CENTS} {number}", session=session(number), day=number)
    seen = []
    for left in (2, 1, 0):
        packet = ask()
        assert packet["left"] == {"packets": 0, "chats": left}
        seen.append(packet["packet"])
        answer(packet["id"], EMPTY)
    assert [f"{CENTS} {number}" in text for number, text in zip((3, 2, 1), seen, strict=True)] == [True] * 3
    assert agreed


def mentioned(path: Path, repo: Path, text: str) -> None:
    """Add a command's output to a session, as Claude Code writes it."""
    (line, _) = claude_lines(repo, "x")
    block = {"type": "tool_result", "tool_use_id": "t1", "content": text}
    record = line | {"uuid": f"tool-{path.stat().st_size}", "message": {"role": "user", "content": [block]}}
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps(record) + "\n")


def test_the_chat_that_asks_is_not_asked_about_for_ever(agreed: Run, home: Path, git_repo: Path) -> None:
    """It grows by each packet, and by "go on": it is offered once, and again when more than a few words were said."""
    said = [CENTS, "reconcile memory"]
    path = claude_session(home, git_repo, *said)
    packet = ask()
    assert CENTS in packet["packet"]
    mentioned(path, git_repo, agreed("ask").out)
    answer(packet["id"], reply(fact("Keep prices in cents, never as floats.", CENTS)))
    place()
    for _ in range(3):
        assert ask()["id"] is None
        said.append("go on")
        path = claude_session(home, git_repo, *said)
        mentioned(path, git_repo, agreed("ask").out + packet["packet"])
    assert ask()["id"] is None
    said.append("Now the second invoice page. " * 20 + HARBOR)
    path = claude_session(home, git_repo, *said)
    mentioned(path, git_repo, packet["packet"])
    assert HARBOR in ask()["packet"]


def test_asking_for_us_is_nothing_to_judge(agreed: Run, home: Path, git_repo: Path) -> None:
    """A packet of which every turn only says that memory is to be reconciled is not asked, and misses nowhere."""
    claude_session(home, git_repo, CENTS + " and so on" * 1_000, "now reconcile memory please")
    packet = ask()
    assert packet["left"] == {"packets": 0, "chats": 0}
    taken = answer(packet["id"], reply(fact("Keep prices in cents, never as floats.", CENTS)))
    assert taken["learned"] and taken["items"][0]["outcome"] == "suggested"
    assert place()["next"] is None
    assert agreed


def test_a_chat_that_rested_is_asked_about(
    agreed: Run, home: Path, git_repo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The few words that came behind our packet are not lost: they are asked about an hour later."""
    path = claude_session(home, git_repo, CENTS)
    packet = ask()
    answer(packet["id"], EMPTY)
    path = claude_session(home, git_repo, CENTS, HARBOR)
    mentioned(path, git_repo, packet["packet"])
    assert ask()["id"] is None
    monkeypatch.setattr("memsuggest.cli.run.this_machine", later(3_600_000))
    assert HARBOR in ask()["packet"]
    assert agreed


def codex_chat(home: Path, repo: Path, *said: str) -> Path:
    """What Codex writes."""
    rows: list[dict[str, Any]] = [
        {"type": "session_meta", "payload": {"id": "s-9", "cwd": str(repo), "originator": "codex_exec"}}
    ]
    for text in said:
        content = [{"type": "input_text", "text": text}]
        rows += [
            {"type": "response_item", "payload": {"type": "message", "role": "user", "content": content}},
            {"type": "event_msg", "payload": {"type": "user_message", "message": text}},
        ]
    path = home / ".codex/sessions/2026/03/01/rollout-2026-03-01T10-00-00-s-9.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    stamped = ({"timestamp": "2026-03-01T10:00:00.000Z"} | row for row in rows)
    path.write_text("".join(json.dumps(row) + "\n" for row in stamped), encoding="utf-8")
    return path


@pytest.mark.parametrize("chat", [codex_chat, copilot_cli_chat, vscode_chat])
def test_no_program_teaches_us_our_own_packets(
    agreed: Run, home: Path, git_repo: Path, chat: Callable[..., Path]
) -> None:
    """In the logs of the other programs, too, a packet is nobody's words, and what stands beside it is."""
    path = claude_session(home, git_repo, CENTS)
    packet = agreed("ask").out
    path.unlink()
    pasted = chat(home, git_repo, packet, HARBOR)
    shown = agreed("transcripts", "show", str(pasted), "--format", "json").json
    assert [turn["typed"] for turn in shown["turns"] if turn["typed"]] == [HARBOR]
    agreed("reconcile")
    assert not any("cents" in content for content in facts())


@pytest.mark.parametrize("format", ["text", "json"])
def test_a_chat_of_packets_teaches_nothing(agreed: Run, home: Path, git_repo: Path, format: str) -> None:
    """A packet that was pasted into a chat, in either form, is nobody's typed words: no fact, and nothing to ask."""
    path = claude_session(home, git_repo, CENTS)
    packet = agreed("ask", "--format", format).out
    parts = [packet]
    if format == "json":
        loaded = json.loads(packet)
        parts += [loaded["packet"], loaded["system"] + "\n\n" + loaded["packet"]]
    path.unlink()
    pasted = claude_session(home, git_repo, *parts, session=session(7))
    shown = agreed("transcripts", "show", str(pasted), "--format", "json").json
    assert not [turn["typed"] for turn in shown["turns"] if turn["typed"]]
    assert not agreed("reconcile", "--format", "json").json["newFacts"]
    assert ask()["id"] is None
    assert not facts()


def test_what_is_typed_beside_a_packet_counts(agreed: Run, home: Path, git_repo: Path) -> None:
    """Only the packet is passed over."""
    path = claude_session(home, git_repo, CENTS)
    packet = agreed("ask").out
    path.unlink()
    pasted = claude_session(home, git_repo, f"answer this please\n\n{packet}\n{HARBOR}", session=session(7))
    shown = agreed("transcripts", "show", str(pasted), "--format", "json").json
    assert shown["turns"][0]["typed"].split() == f"answer this please {HARBOR}".split()


def test_asking_writes_nothing_into_the_repo(agreed: Run, home: Path, git_repo: Path) -> None:
    """And keeps no word that somebody said beside the id of a packet."""
    claude_session(home, git_repo, CENTS)
    before = tree(git_repo)
    ask()
    assert tree(git_repo) == before
    (state,) = (home / ".local/state/memsuggest/workspaces").glob("*/state.db")
    with sqlite3.connect(state) as opened:
        assert CENTS not in repr(opened.execute("SELECT * FROM packets").fetchall())
    opened.close()
    assert agreed


if sys.platform != "win32":
    from cli.terminal import Terminal

    def on_terminal(*words: str, keys: str = "", code: int = 0) -> str:
        """Run a command as an assistant's terminal does; return what it printed."""
        terminal = Terminal(*words, MEMSUGGEST_TEST="1")
        if keys:
            terminal.expect("press Ctrl-D")
            terminal.answer(keys)
        return terminal.end(code=code)

    @pytest.mark.timeout(300)  # some 30 commands
    def test_many_packets_on_a_terminal(agreed: Run, home: Path, git_repo: Path) -> None:
        """A script works through six chats as an assistant would, and every fourth time does something wrong first."""
        number_of = 6
        rules = {number: f"We always call the queue number {number} harbor-{number}." for number in range(number_of)}
        for number, rule in rules.items():
            claude_session(home, git_repo, rule, session=session(number), day=number + 1)
        done: list[str] = []
        for number in reversed(range(number_of)):
            packet = json.loads(on_terminal("ask", "--format", "json"))
            assert rules[number] in packet["packet"]
            name, good = packet["id"], reply(fact(f"Call the queue number {number} harbor-{number}.", rules[number]))
            mischief = number % 5
            if mischief == 1:  # wrong: prose, then half of it
                assert "error:" in on_terminal("answer", name, keys="nothing to keep\x04", code=1)
                assert "not valid JSON" in on_terminal("answer", name, keys=good[:60] + "\x04", code=1)
            elif mischief == 2 and done:  # doubled
                assert "already answered" in on_terminal("answer", done[-1], keys=good, code=1)
            elif mischief == 3:  # late: the chat went on and was asked about again
                claude_session(home, git_repo, rules[number], HARBOR, session=session(number), day=number + 1)
                newer = json.loads(on_terminal("ask", "--format", "json"))["id"]
                assert "replaced by a newer" in on_terminal("answer", name, keys=good, code=1)
                name = newer
            elif mischief == 4 and number + 1 < number_of:  # of another packet
                other = reply(fact("Call it so.", rules[number + 1]))
                assert "another packet" in on_terminal("answer", name, keys=other, code=1)
            assert ": 1 item" in on_terminal("answer", name, keys=good)
            done.append(name)
        assert json.loads(on_terminal("ask", "--format", "json"))["purpose"] == "verdicts"  # are two of them the same?
        assert sorted(facts()) == sorted(f"Call the queue number {n} harbor-{n}." for n in range(number_of))
        (row,) = agreed("usage", "--format", "json").json["usage"]
        assert (row["requests"] - row["failed"], row["dollars"]) == (number_of, 0)

    def test_a_long_answer_is_pasted_whole(agreed: Run, home: Path, git_repo: Path) -> None:
        """A terminal that gathers lines would drop what stands behind 4,096 characters of one."""
        claude_session(home, git_repo, CENTS)
        packet = ask()["id"]
        many = reply(*[fact("Keep prices in cents, never as floats.", CENTS)] * 50)
        assert len(many) > 2 * 4096
        assert ": 50 items" in on_terminal("answer", packet, keys=many)
        assert os.environ["HOME"] == str(home)
        assert agreed
