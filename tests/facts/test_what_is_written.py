"""Whatever the program writes it can read again: any words, counts, dates and signs, and merges of two such files."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from facts.fakes import citation, fact
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memsuggest.core.model import Decision, Kind, MemoryFact, SuggestionStatus, Trust
from memsuggest.facts import entries
from memsuggest.facts.accept import forgetting
from memsuggest.facts.branch_merge import merge
from memsuggest.facts.codec import Document, parse, render
from memsuggest.facts.entries import CITATIONS_LIMIT
from memsuggest.facts.fact_store import without_secrets
from memsuggest.facts.facts_file import PLACE, FactsFile, revised

SIGNS = '\x00\x07\x1b[31m\u202e\u2066\u200b\u200d\ufeff\u2028\x85\ud800 \n\t"\\<<<<<<< =======é中🦀' * 2
WORDS = (
    st.text(st.sampled_from(SIGNS + "use tabs"), max_size=60)
    | st.text(max_size=60)
    | st.integers(3990, 5000).map("x".__mul__)
)
TIMES = st.integers(0, 2**37).map(lambda seconds: datetime.fromtimestamp(seconds, UTC)) | st.none()
CITED = st.builds(
    citation,
    quote=WORDS.map(lambda words: words[:200]),
    session=st.sampled_from(["a", "b-1", "c", "é", "x" * 90, "0" * 64]),
    turn=st.integers(0, 10**9 - 1),
    trust=st.sampled_from([Trust.TYPED, Trust.CONFIRMED, Trust.SHARED]),
    at=TIMES,
    paths=st.lists(WORDS, max_size=2).map(tuple),
)
FACTS = st.builds(
    MemoryFact,
    id=st.text("0123456789abcdef", min_size=16, max_size=16),
    content=WORDS.map("keep {}".format),
    reason=WORDS,
    kind=st.sampled_from(Kind),
    confidence=st.floats(0, 1),
    citations=st.lists(CITED, min_size=1, max_size=24).map(tuple),
    timestamp=st.integers(-(2**40), 2**60),
    tags=st.lists(WORDS, max_size=3).map(tuple),
    source_session_id=WORDS,
)
AGAIN = settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


def written(facts: list[MemoryFact]) -> Document:
    """The file after all that can be done to facts, read by another program."""
    safe = [without_secrets(one) for one in facts]
    found = {one.id: entries.entry_of(one, share_quotes=True) for one in safe}
    reworded = revised(found, {one.id: replace(one, content=f"{one.content} always") for one in safe})
    decided = [Decision(fact_id=one.id, target=None, status=SuggestionStatus.DISMISSED) for one in facts]
    tombstones = {one.id: entries.tombstone_entry(forgetting(one)) for one in facts[1:2]}
    made = Document(
        facts=reworded,
        decisions={f"{decision.fact_id}\0": entries.decision_entry(decision) for decision in decided},
        tombstones=tombstones,
    )
    back = parse(render(made), name="x")
    assert (back.facts.keys(), back.repairs) == (found.keys(), ())
    return back


@AGAIN
@given(mine=st.lists(FACTS, min_size=1, max_size=3), theirs=st.lists(FACTS, max_size=2))
def test_the_file(mine: list[MemoryFact], theirs: list[MemoryFact]) -> None:
    """The team's file, and the merge of two branches of it, are whole and in their usual form."""
    one, two = written(mine), written([*theirs, *mine[:1]])
    for found in (one, merge(Document(), one, two).document):
        text = render(found)
        assert render(parse(text, name="x")) == text


def test_a_fact_of_many_chats(tmp_path: Path) -> None:
    """The shared file names twenty chats of two thousand, as many different ones as there are; forgetting it works."""
    cited = [citation("x", session=f"chat-{number // 2}", turn=number) for number in range(2000)]
    place = tmp_path / PLACE
    place.parent.mkdir(parents=True)
    store = FactsFile(place)
    often = fact("Use uv", citations=tuple(cited))
    store.add([often])
    (found,) = FactsFile(place).contents().facts
    assert len({one.session_id for one in found.citations}) == len(found.citations) == CITATIONS_LIMIT
    store.forget([forgetting(often)])
    assert FactsFile(place).contents().facts == ()
