"""What each mode does while chats go on: a real watcher, real files."""

from __future__ import annotations

import json
import re
import sqlite3
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from learning.watched import QUICK, RULES, Chat, context_of, shop, until, watched
from notes_kit import memory_folder, note
from opencode_kit import add, database, messages

from memsuggest.core.errors import WorkspaceError
from memsuggest.core.show_progress import no_progress
from memsuggest.facts.look_at_facts import list_facts
from memsuggest.files import lock
from memsuggest.learning.reconcile import reconcile
from memsuggest.suggestions.marker_files import mark_path, read_status, reviewing, watcher_of

SECOND = 1_000


@pytest.fixture(name="repo")
def _repo(tmp_path: Path) -> Path:
    return shop(tmp_path)


@pytest.fixture
def chat(home: Path, repo: Path) -> Chat:
    return Chat(home, repo)


def settle_down(milliseconds: int = 400) -> None:
    """Give a watcher of short paces the time for what it must not do."""
    time.sleep(milliseconds / 1000)


def facts(repo: Path) -> int:
    path = repo / ".github/memories/facts.json"
    return len(json.loads(path.read_text())["facts"]) if path.exists() else 0


def test_sessions_in_a_database_go_on(repo: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A turn that an assistant writes into its database is told of like one in a file."""
    monkeypatch.setenv("MEMSUGGEST_SINCE", "all")  # the session has a time of long ago
    path = database(home / ".local/share/opencode/opencode.db", ("ses_1", str(repo), messages("hello")))
    with watched(repo, mode="eager") as heard:
        until(lambda: heard.last.transcripts)
        with sqlite3.connect(path) as connection:
            add(connection, "ses_1", messages(RULES[0]), begin=2)
            connection.execute("UPDATE session SET time_updated = time_updated + 1")
        connection.close()
        until(lambda: heard.notices)
    assert "mock" in heard.notices[0].line


def test_eager_tells_each_suggestion_once(repo: Path, chat: Chat) -> None:
    """A completed turn is told of in the feature's words; what follows tells only of what is new."""
    chat.say("hello")
    with watched(repo, mode="eager") as heard:
        chat.say("please fix the login page", RULES[0])
        until(lambda: heard.notices)
        (notice,) = heard.notices
        assert re.fullmatch(r"Learned: '[^']*mock[^']*' → review with `memsuggest show [0-9a-f]{7}`", notice.line)
        chat.say("thanks", RULES[1])
        until(lambda: len(heard.notices) > 1)
        chat.say("now the footer, please")
        settle_down()
    assert len(heard.notices) == 2
    assert read_status(context_of(repo)).pending == 2


@pytest.mark.parametrize("mode", ["eager", "manual"])
def test_a_note_is_read_without_a_chat(repo: Path, home: Path, mode: str) -> None:
    """An assistant may write one after its session, or a person by hand; `manual` says nothing of it."""
    with watched(repo, mode=mode) as heard:
        note(memory_folder(home, repo), "money", "Keep prices as integers in cents, never as floats.")
        until(lambda: heard.notices if mode == "eager" else heard.last.learned)
    assert [("cents" in notice.line) for notice in heard.notices] == [True] * (mode == "eager")


def test_occasional_waits_for_five(repo: Path, chat: Chat) -> None:
    """Nothing is told, written or shown of four; the fifth brings all of them in one line."""
    with watched(repo, mode="occasional") as heard:
        until(lambda: len(heard.counts) > 1)  # it caught up
        chat.say(*RULES[:4])
        settle_down()
        assert heard.notices == []
        assert facts(repo) == 0
        chat.say(RULES[4])
        until(lambda: heard.notices)
    assert [notice.line for notice in heard.notices] == [
        "5 suggestions to improve your customizations → review with `memsuggest review`"
    ]
    assert len(heard.notices[0].suggestions) == 5


def test_occasional_at_a_session_s_end_by_silence(repo: Path, chat: Chat) -> None:
    """Two suggestions are told when the chat fell silent, and not before."""
    chat.say("hello")
    with watched(repo, mode="occasional", pace=replace(QUICK, silence=700)) as heard:
        chat.say(*RULES[:2])
        settle_down()
        assert heard.notices == []
        until(lambda: heard.notices)
    assert heard.texts == ["2 suggestions to improve your customizations"]


def test_occasional_when_a_hook_says_that_the_session_ended(repo: Path, chat: Chat) -> None:
    """Nobody waits for the silence then."""
    with watched(repo, mode="occasional") as heard:
        chat.say(*RULES[:2])
        settle_down()
        mark_path(context_of(repo), "ended").touch()
        until(lambda: heard.notices)
    assert heard.texts == ["2 suggestions to improve your customizations"]


def test_occasional_after_the_interval(repo: Path, chat: Chat) -> None:
    """Facts are stored and suggested; fewer than five are no news by themselves."""
    with watched(repo, mode="occasional", pace=replace(QUICK, interval=600)) as heard:
        chat.say(*RULES[:2])
        until(lambda: heard.last.pending == 2)
        assert facts(repo) == 2
        chat.say(*RULES[2:5])
        until(lambda: heard.notices)
    assert heard.texts == ["5 suggestions to improve your customizations"]


def test_manual_learns_silently(repo: Path, chat: Chat) -> None:
    """Facts are stored turn by turn; nothing is told or suggested, whatever comes."""
    with watched(repo, mode="manual", pace=replace(QUICK, interval=300, silence=300)) as heard:
        chat.say(*RULES)
        until(lambda: facts(repo) == len(RULES))
        settle_down()
    assert heard.notices == []
    assert read_status(context_of(repo)).pending == 0
    assert heard.last.learned == len(RULES)


def test_once(repo: Path, chat: Chat) -> None:
    """As at a session's end: it learns, tells, and is gone."""
    chat.say(*RULES[:2])
    with watched(repo, mode="occasional", is_once=True) as heard:
        until(lambda: heard.notices)
    assert heard.texts == ["2 suggestions to improve your customizations"]
    with watched(repo, mode="occasional", is_once=True) as heard:
        pass
    assert heard.notices == []


def test_places_that_appear_later(repo: Path, home: Path, chat: Chat) -> None:
    """An assistant's first chat ever is followed, and so is another assistant's."""
    assert not (home / ".claude").exists()
    with watched(repo, mode="eager") as heard:
        chat.say(RULES[0])
        until(lambda: heard.notices)
        rollout = (
            home / ".codex/sessions/2026/03/01/rollout-2026-03-01T10-00-00-0199aaaa-bbbb-7ccc-8ddd-eeeeeeeeeeee.jsonl"
        )
        rollout.parent.mkdir(parents=True)
        records = (
            {"type": "session_meta", "payload": {"id": "0199aaaa-bbbb-7ccc-8ddd-eeeeeeeeeeee", "cwd": str(repo)}},
            {"type": "event_msg", "payload": {"type": "user_message", "message": RULES[1], "kind": "plain"}},
        )
        at = "2026-03-01T10:00:00.000Z"
        rollout.write_text("".join(json.dumps({"timestamp": at, **record}) + "\n" for record in records))
        until(lambda: len(heard.notices) == 2)


def test_polling_where_the_system_tells_nothing(repo: Path, chat: Chat) -> None:
    """It looks again and again, and says so."""
    chat.say("hello")
    with watched(repo, mode="eager", is_polling=True) as heard:
        until(lambda: any("polling for changes: you passed `--poll`" in line for line in heard.said))
        chat.say(RULES[0])
        until(lambda: heard.notices)


def test_modes_that_change_meanwhile(repo: Path, home: Path, chat: Chat) -> None:
    """Edited in the person's own file, each takes effect; `off` closes everything, and comes back."""
    config = home / ".config/memsuggest/config.yml"
    config.parent.mkdir(parents=True)
    config.write_text("mode: manual\n")
    with watched(repo) as heard:
        chat.say(RULES[0])
        until(lambda: facts(repo) == 1)
        config.write_text("mode: eager\n")
        until(lambda: "mode changed to `eager`" in heard.said)
        chat.say(RULES[1])
        until(lambda: any("pnpm" in text for text in heard.texts))
        config.write_text("mode: off\n")
        until(lambda: any("memsuggest is off" in line for line in heard.said))
        assert watcher_of(context_of(repo)) is None
        assert mark_path(context_of(repo), "badge").read_text() == "\n"
        told = len(heard.notices)
        chat.say(RULES[2])
        settle_down()
        assert facts(repo) == 2
        config.write_text("mode: eager\n")
        until(lambda: len(heard.notices) > told)


def test_ended_between_learning_and_suggesting(repo: Path, chat: Chat) -> None:
    """The next watcher suggests what the last one only learned."""
    chat.say(RULES[0])
    with watched(repo, mode="manual", is_once=True):
        until(lambda: facts(repo) == 1)
    with watched(repo, mode="eager") as heard:
        until(lambda: heard.notices)


def test_a_value_that_is_not_allowed(repo: Path, home: Path, chat: Chat) -> None:
    """Nothing runs on a guess: it says what is wrong, does nothing, and goes on when it is mended."""
    config = home / ".config/memsuggest/config.yml"
    config.parent.mkdir(parents=True)
    config.write_text("mode: eager\n")
    with watched(repo) as heard:
        until(lambda: heard.counts)
        config.write_text("mode: always\n")
        until(lambda: any("paused until the setting is fixed" in line and "config.yml" in line for line in heard.said))
        chat.say(RULES[0])
        settle_down()
        assert heard.notices == []
        config.write_text("mode: eager\n")
        until(lambda: heard.notices)


def test_a_failure_is_said_once_and_tried_again(repo: Path, chat: Chat) -> None:
    """A damaged store stays as it is; when it is mended, nothing is lost."""
    path = repo / ".github/memories/facts.json"
    path.parent.mkdir(parents=True)
    path.write_text("{ damaged")
    with watched(repo, mode="eager") as heard:
        chat.say(RULES[0])
        until(lambda: any("will retry" in line for line in heard.said))
        settle_down()
        assert sum("will retry" in line for line in heard.said) == 1
        assert path.read_text() == "{ damaged"
        path.unlink()
        until(lambda: heard.notices)


def test_only_one_watches(repo: Path, chat: Chat) -> None:
    """The second one says who does, and the first goes on."""
    import os

    with watched(repo, mode="eager") as heard:
        until(lambda: heard.counts)
        assert watcher_of(context_of(repo)) is not None
        with (
            pytest.raises(WorkspaceError, match=f"already being watched by process {os.getpid()}"),
            watched(repo, mode="eager"),
        ):
            pass
        chat.say(RULES[0])
        until(lambda: heard.notices)
    assert watcher_of(context_of(repo)) is None


def test_while_the_person_is_reviewing(repo: Path, chat: Chat) -> None:
    """Nothing is told meanwhile; what still waits afterwards is."""
    with watched(repo, mode="eager") as heard:
        until(lambda: heard.counts)
        with reviewing(context_of(repo)):
            chat.say(RULES[0])
            until(lambda: heard.last.pending == 1)
            settle_down()
            assert heard.notices == []
        until(lambda: heard.notices)
        assert len(heard.notices) == 1


def test_what_the_person_saw_already(repo: Path, chat: Chat) -> None:
    """`reconcile` showed it, or `review` did: no notice tells of it again."""
    chat.say(RULES[0])
    nobody: dict[str, Any] = {"paths": [], "person": None, "progress": no_progress}
    context = context_of(repo, mode="eager")
    assert len(reconcile(context, **nobody).suggestions) == 1
    context.close()
    with watched(repo, mode="eager") as heard:
        until(lambda: heard.last.pending == 1)
        chat.say(RULES[1])
        until(lambda: heard.notices)
        settle_down()
    assert ["pnpm" in text for text in heard.texts] == [True]


def test_somebody_else_at_work(repo: Path, chat: Chat) -> None:
    """It waits for another command in the same clone, and then goes on."""
    with watched(repo, mode="eager") as heard:
        until(lambda: heard.counts)
        with lock(context_of(repo).state_path.with_name("work.lock"), wait_seconds=5):
            chat.say(RULES[0])
            settle_down()
            assert heard.notices == []
        until(lambda: heard.notices)


def test_it_stops_cleanly(repo: Path, chat: Chat) -> None:
    """The log says what was done, and the lock is free and empty."""
    with watched(repo, mode="eager") as heard:
        chat.say(RULES[0])
        until(lambda: heard.notices)
    context = context_of(repo)
    rows = context.state_path.with_name("watch.log").read_text().rstrip("\n").split("\n")
    assert "watching" in rows[0]
    assert any("1 chat read, 1 new fact, offline engine" in row for row in rows)
    assert any("told: Learned" in row for row in rows)
    assert rows[-1].endswith("stopped")
    assert mark_path(context, "watch").read_text() == ""
    assert len(list_facts(context, scope=None, with_inactive=False).facts) == 1
