"""New turns of chats go to the session's and the workspace's group, once; nothing goes without being agreed to."""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path

import pytest
from builders import fake_token

from memsuggest.graphiti.profile_tables import session_group
from memsuggest.graphiti.send_outbox import LONGEST_PAUSE
from tests.graphiti.clone import Clone
from tests.graphiti_server import GraphitiServer


@pytest.fixture
def clone(tmp_path: Path, server: GraphitiServer) -> Clone:
    return Clone(tmp_path, server.url)


def told(server: GraphitiServer) -> list[tuple[str, str, str]]:
    """Scope, role and content of all messages, in the order in which they came."""
    return [(one["group_id"].split("_")[1], one["role_type"], one["content"]) for one in server.sent()]


def test_new_turns_and_answers(clone: Clone, server: GraphitiServer) -> None:
    """What is typed and what is answered goes to two groups, each once, with stable names and no `uuid`."""
    clone.switch_on("ingest")
    clone.agree()
    clone.chat("why is the build red?", "ah, the lockfile")
    clone.reconcile()
    sent = server.sent()
    assert {one["group_id"].rsplit("_", 1)[0] for one in sent} == {"graphiti_session", "graphiti_workspace"}
    of_session = [one for one in sent if one["group_id"] == session_group(clone.session)]
    assert [(one["role_type"], one["content"]) for one in of_session] == [
        ("user", "why is the build red?"),
        ("assistant", "Done."),
        ("user", "ah, the lockfile"),
        ("assistant", "Done."),
    ]
    assert all(re.fullmatch(r"[0-9a-f]{16}:\d+:(user|assistant)", one["name"]) for one in sent)
    assert not any("uuid" in one for one in sent)
    clone.reconcile()
    assert len(server.sent()) == len(sent)


def test_only_what_was_added(clone: Clone, server: GraphitiServer) -> None:
    """Of a chat that goes on only what is new is sent; what was read before it was switched on stays here."""
    clone.chat("an old question")
    clone.reconcile()
    clone.switch_on("ingest")
    clone.agree()
    clone.chat("an old question", "a new one")
    clone.reconcile()
    assert ("session", "user", "a new one") in told(server)
    assert not any("old" in content for _, _, content in told(server))
    clone.chat("an old question", "a new one", "a third")
    clone.reconcile()
    said = [content for scope, role, content in told(server) if (scope, role) == ("session", "user")]
    assert said == ["a new one", "a third"]


def test_an_answer_that_is_not_finished_waits(clone: Clone, server: GraphitiServer) -> None:
    """The answer that an assistant is still at is sent when it is whole, and then only once."""
    clone.switch_on("ingest")
    clone.agree()
    path = clone.chat("do it")
    question, answer = path.read_text(encoding="utf-8").splitlines()
    working = json.loads(answer)
    block = {"type": "tool_use", "id": "t", "name": "Edit", "input": {"file_path": "a.py"}}
    working["message"]["content"] = [{"type": "text", "text": "I begin"}, block]
    path.write_text(f"{question}\n{json.dumps(working)}\n", encoding="utf-8")
    clone.reconcile()
    assert [role for _, role, _ in told(server)] == ["user", "user"]
    whole = json.loads(answer) | {"uuid": "11111111-0009-assistant", "parentUuid": working["uuid"]}
    path.write_text(f"{question}\n{json.dumps(working)}\n{json.dumps(whole)}\n", encoding="utf-8")
    clone.reconcile()
    answers = [content for scope, role, content in told(server) if (scope, role) == ("session", "assistant")]
    assert len(answers) == 1
    assert "Done." in answers[0]


def test_whose_a_group_is(clone: Clone, server: GraphitiServer) -> None:
    """Each group is told once whose it is, before all else, and by no name of a person."""
    clone.switch_on("ingest", "ownership")
    clone.agree()
    clone.chat("one")
    clone.reconcile()
    clone.chat("one", "two")
    clone.reconcile()
    system = [(scope, content) for scope, role, content in told(server) if role == "system"]
    assert sorted(scope for scope, _ in system) == ["session", "workspace"]
    assert all('<graphiti_episode kind="ownership_context">' in content for _, content in system)
    first = {one["group_id"]: one for one in reversed(server.sent())}
    assert {one["role_type"] for one in first.values()} == {"system"}
    assert "marguerite" not in json.dumps(server.sent())


@pytest.mark.parametrize("why", ["off", "no consent", "another endpoint", "offline", "ci", "mode"])
def test_nothing_without_a_yes(clone: Clone, server: GraphitiServer, why: str) -> None:
    """While it is off, not agreed to, agreed to elsewhere, offline or in CI nothing is sent, nor taken in."""
    if why != "off":
        clone.switch_on("ingest", "promotion", "ownership", "recall")
    if why != "no consent":
        clone.agree("https://graph.example.com" if why == "another endpoint" else "")
    if why == "ci":
        clone.environ["CI"] = "true"
    if why == "mode":
        clone.settings["mode"] = "off"
    clone.chat("remember: the staging box is reset every night")
    clone.reconcile(is_offline=why == "offline")
    assert server.requests() == []
    assert clone.counts() == {}


def test_switched_off_again(clone: Clone, server: GraphitiServer) -> None:
    """What waits of a chat is let go when taking in is switched off; an outage is told, and keeps what waits."""
    clone.switch_on("ingest", "promotion")
    clone.agree()
    clone.chat("why?", "preference (user): short answers")
    with server.outage():
        report = clone.reconcile()
    assert any("cannot reach" in skipped.why for skipped in report.skipped if skipped.what == "Graphiti")
    assert clone.counts() == {"waiting": 9}
    clone.settings["graphiti.ingest"] = False
    clone.now += LONGEST_PAUSE
    clone.reconcile()
    assert [(scope, role) for scope, role, _ in told(server)] == [("user", "user")]
    assert '<graphiti_episode kind="preference">' in server.sent()[0]["content"]


def test_a_chat_that_is_not_to_be_read(clone: Clone, server: GraphitiServer) -> None:
    """Of a chat that the person silenced nothing goes out, not even what waits already."""
    clone.switch_on("ingest")
    clone.agree()
    clone.chat("why?")
    with server.outage():
        clone.reconcile()
    with clone.open() as context:
        context.profile.silence([clone.session])
    clone.now += LONGEST_PAUSE
    clone.reconcile()
    assert server.sent() == []


def test_no_secret_no_place_no_name(clone: Clone, server: GraphitiServer) -> None:
    """No request holds a secret, an absolute path or a user's name: not in contents, names, sources or addresses."""
    clone.switch_on("ingest", "ownership", "promotion", "recall")
    clone.agree()
    token = fake_token()
    mail = "@".join(("marguerite", "corp.example"))
    env = {**os.environ, "GIT_AUTHOR_NAME": "Marguerite", "GIT_COMMITTER_NAME": "Marguerite"}
    subject = f"Move {clone.home}/plans and /srv/marguerite/x to the attic, key {token}"
    git = ["git", "-C", str(clone.repo)]
    subprocess.run([*git, "commit", "-q", "--allow-empty", "-m", subject], check=True, env=env)
    subprocess.run([*git, "checkout", "-q", "-b", "marguerite/fix"], check=True)
    said = (
        f"open {clone.repo}/src/app.py and {clone.home}/.ssh/id_rsa, not /etc/nginx/nginx.conf or /tmp/x/y",
        f"the key is {token}, mail {mail}",
        f"remember: look into file://{clone.home}/notes.md and C:\\Users\\marguerite\\x.txt first",
        "decision: Marguerite's branch marguerite/fix goes to ~/deploy/now with `/Users/otto k/My Docs/plan.txt`",
        "GET /api/orders is slow, and so is src/app.py",
    )
    path = clone.chat(*said)
    text = path.read_text(encoding="utf-8").replace('"main"', '"marguerite/fix"')
    path.write_text(text.replace("Done.", f"I wrote {clone.repo}/src/new.py and /var/log/marguerite/out.log"), "utf-8")
    clone.reconcile()
    sent = json.dumps(server.requests())
    assert "open src/app.py and" in sent
    assert "GET /api/orders is slow" in sent
    gone = [token, mail, "marguerite", "Marguerite", str(clone.home), str(clone.repo), "/home/", "/Users/", "/etc/"]
    gone += ["/tmp/", "/srv/", "/var/", ":\\\\", "otto", "My Docs", "~/"]
    assert [one for one in gone if one in sent] == []


def test_a_long_turn_is_cut(clone: Clone, server: GraphitiServer) -> None:
    """A turn leaves with so many characters at most, a long paste in it not at all."""
    clone.switch_on("ingest")
    clone.agree()
    clone.settings["graphiti.maxMessageChars"] = 200
    log = "\n".join(f"2026-01-01 12:00:{number:02} ERROR worker {number} failed" for number in range(60))
    clone.chat("explain " + "this and that " * 100, f"look:\n```\n{log}\n```\nwhy?")
    clone.reconcile()
    assert max(len(content) for _, _, content in told(server)) <= 200
    assert "worker 50" not in json.dumps(server.sent())
