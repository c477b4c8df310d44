"""What one part of the program writes, another reads back: any words, counts, dates and signs, in every kind of store.

The team's file, the profile and merges of two have theirs in `facts/test_what_is_written.py`.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from facts.test_what_is_written import AGAIN, FACTS, WORDS
from hypothesis import given, settings
from hypothesis import strategies as st

from memsuggest.core.context import state_migrations
from memsuggest.core.database import open_database
from memsuggest.core.model import Decision, Edit, MemorySuggestion, SuggestionStatus, TargetType
from memsuggest.facts.fact_store import without_secrets
from memsuggest.files.journal import About, Journal
from memsuggest.graphiti.outbox import Outbox, Outgoing
from memsuggest.judging.asking import answers
from memsuggest.judging.asking.answers import Answers, Kept
from memsuggest.suggestions.pending_suggestions import load_pending, save_pending, suggestions_of, text_of

TEXTS = WORDS.map(lambda words: words.encode("utf-8", "replace").decode())
"""As every reader hands text on: half of a pair is no character."""
MAYBE = st.none() | TEXTS
EDITS = st.builds(Edit, path=TEXTS, before=MAYBE, after=TEXTS)
SAFE = FACTS.map(without_secrets)
SUGGESTIONS = st.builds(
    lambda fact, edit, *said, flags: MemorySuggestion(
        id=fact.id,
        fact=fact,
        target_type=TargetType.INSTRUCTIONS,
        target_uri=edit.path,
        suggested_merge_content=edit.after or "",
        heading=said[0],
        replaces=said[1],
        why=said[2],
        edit=edit,
        contradicts=flags[0],
        weakens=flags[1],
    ),
    SAFE,
    EDITS,
    MAYBE,
    MAYBE,
    TEXTS,
    flags=st.tuples(st.booleans(), st.booleans()),
)
NUMBERS = st.integers(0, 2**60)
COUNT = count()
State = sqlite3.Connection


@pytest.fixture(scope="module", name="state")
def _state(tmp_path_factory: pytest.TempPathFactory) -> Iterator[State]:
    with closing(open_database(tmp_path_factory.mktemp("state") / "state.db", state_migrations())) as connection:
        yield connection


def journal(state: State, drawn: st.DataObject) -> None:
    edits, about = (
        drawn.draw(st.lists(EDITS, max_size=3)),
        drawn.draw(st.lists(st.builds(About, id=TEXTS, content=TEXTS))),
    )
    decisions = [Decision(fact_id=one.id, target=one.content, status=SuggestionStatus.APPLIED) for one in about]
    folders, at, written = [one.path for one in edits], drawn.draw(NUMBERS), Journal(state, worktree="w")
    written.begin(edits, now=at, decisions=decisions, folders=folders, about=about)
    read = Journal(state, worktree="w").last()
    assert read and (list(read.edits), list(read.about), list(read.decisions)) == (edits, about, decisions)
    assert (list(read.folders), read.at) == (folders, at)


def pending(state: State, drawn: st.DataObject) -> None:
    found = list({one.id: one for one in drawn.draw(st.lists(SUGGESTIONS, max_size=3))}.values())
    facts = {one.id: one.fact for one in found if one.fact}
    save_pending(state, "w", found)
    assert load_pending(state, "w", facts=facts) == found
    assert suggestions_of(text_of(found), facts=facts) == found


def outbox(state: State, drawn: st.DataObject) -> None:
    name, content, at = drawn.draw(TEXTS), drawn.draw(TEXTS), drawn.draw(NUMBERS)
    sent = Outgoing(group_id="g", name=name, role_type="user", role=name, content=content, at=at, source=name)
    server = f"server {next(COUNT)}"
    assert Outbox(state, endpoint=server).put([sent], now=at) == 1
    (read,) = Outbox(state, endpoint=server).claim("g", now=at)
    assert (read.name, read.content, read.at, read.source) == (name, content, at, name)


def paid_answers(_: State, drawn: st.DataObject) -> None:
    text, covers, at = drawn.draw(TEXTS), drawn.draw(st.sets(TEXTS, max_size=3)), drawn.draw(NUMBERS)
    with (
        TemporaryDirectory() as folder,
        closing(open_database(Path(folder) / "a.db", answers.MIGRATIONS)) as connection,
    ):
        Answers(connection).keep(Kept(question="q", text=text, family="f", covers=covers), judge="haiku", now=at)
        (read,) = Answers(connection).of("f")
    assert (read.text, read.covers) == (text, covers)


PAIRS = (journal, pending, outbox, paid_answers)


@pytest.mark.parametrize("pair", PAIRS, ids=[pair.__name__ for pair in PAIRS])
@settings(AGAIN, max_examples=20)
@given(drawn=st.data())
def test_what_is_written_is_read(
    state: State, pair: Callable[[State, st.DataObject], None], drawn: st.DataObject
) -> None:
    """The reader finds what the writer was given."""
    pair(state, drawn)
