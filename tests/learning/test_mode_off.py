"""The `off` mode: nothing is learned from chats or taken from assistants; what is there can be looked at."""

from __future__ import annotations

from pathlib import Path

import pytest
from cli.conftest import invoke, refused
from learning.watched import context_of
from memory.archive_kit import DAY, chat

from memsuggest.assistants.hook_command import catch_up
from memsuggest.assistants.mcp_tools import ContextCalls
from memsuggest.core.errors import MemsuggestError
from memsuggest.memory.entry import Entry

STAGING = "Staging is reset every night."
DESCRIBES = "The ferry timetable comes from the Rederij feed."


@pytest.fixture(name="repo")
def _repo(git_repo: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repo with one entry and a chat that is over, in which memory was turned off."""
    monkeypatch.chdir(git_repo)
    monkeypatch.setenv("MEMSUGGEST_SINCE", "all")
    invoke("memory", "add", STAGING)
    chat(git_repo, "find out why the ferries are late", "use a view instead of the cron job", DESCRIBES, age=DAY)
    invoke("config", "set", "mode", "off")
    return git_repo


def stored(repo: Path) -> tuple[Entry, ...]:
    context = context_of(repo)
    try:
        return context.profile.entries.entries(everywhere=True)
    finally:
        context.close()


def test_assistants_write_nothing(repo: Path) -> None:
    """Whatever the tool is asked to do, it says why not, and who can change that."""
    before = stored(repo)
    clone = ContextCalls(lambda: context_of(repo))
    for given in (
        {"action": "add", "content": "The queue is called pier."},
        {"action": "update", "target_id": before[0].id, "content": "Staging is never reset."},
        {"action": "remove", "target_id": before[0].id},
    ):
        with pytest.raises(MemsuggestError, match="memory is off") as refusal:
            clone.call("memory_write", given)
        assert "only the user" in (refusal.value.hint or "")
    assert stored(repo) == before


def test_searching_leaves_no_trace(repo: Path) -> None:
    """What was there is found, with a word that nothing is added; neither counts nor the log grow."""
    before = stored(repo)
    found = ContextCalls(lambda: context_of(repo)).call("memory_search", {"query": "is staging reset?"})
    assert STAGING in found.text
    assert "nothing new is recorded" in found.text
    assert STAGING in invoke("recall", "is staging reset?").out
    assert stored(repo) == before
    assert "staging" not in invoke("recall", "--last").out


def test_chats_leave_nothing(repo: Path) -> None:
    """Neither by a run, nor in the background, nor for an app, nor by an assistant's answer to a packet."""
    before = stored(repo)
    invoke("reconcile")
    context = context_of(repo)
    catch_up(context)
    context.close()
    refused("memory", "learn", says="memory is off")
    refused("answer", "1234567890", stdin="{}", says="memory is off")
    assert stored(repo) == before
    assert not invoke("memory", "list", "--apps", "--format", "json").json["apps"]


def test_what_the_person_writes_is_taken(repo: Path) -> None:
    """The mode is about chats and assistants; a person who types `memory add` wants just that."""
    invoke("memory", "add", "Releases leave on Tuesdays.")
    assert "Releases leave on Tuesdays." in {entry.content for entry in stored(repo)}
