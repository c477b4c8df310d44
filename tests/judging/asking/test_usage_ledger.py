"""What asking costs, and when it stops."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

import pytest
from cases import cases

from memsuggest.core.database import open_database
from memsuggest.core.errors import ConfigError, ModelError
from memsuggest.judging.asking import answers
from memsuggest.judging.asking.answers import Answers
from memsuggest.judging.asking.ask_model import Asker
from memsuggest.judging.asking.endpoint import endpoint_of, find_endpoint
from memsuggest.judging.asking.outcomes import failure
from memsuggest.judging.asking.prices import MICROS, Usage, cost
from memsuggest.judging.asking.prompts import load_prompt
from memsuggest.judging.asking.question import Purpose, Question
from memsuggest.judging.asking.usage_ledger import FREE, MIGRATIONS, Budgets, Ledger

MODEL, NOW = "claude-haiku-5-5", 1_790_000_000_000
DAY = 86_400_000


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    connection = open_database(tmp_path / "usage.db", MIGRATIONS)
    yield Ledger(connection, workspace="w", budgets=Budgets(run=MICROS, day=MICROS, month=2 * MICROS))
    connection.close()


def spend(ledger: Ledger, tokens: int, *, now: int = NOW, usage: Usage | None = None) -> None:
    guess = Usage(input=tokens)
    ledger.note(model=MODEL, purpose=Purpose.EXTRACTION, usage=usage, guess=guess, outcome="answered", now=now)


def outcome(ledger: Ledger, purpose: Purpose = Purpose.EXTRACTION, *, now: int = NOW) -> str:
    try:
        ledger.check(model=MODEL, purpose=purpose, tokens=1_000, max_tokens=8_000, now=now)
    except ModelError as error:
        return error.outcome
    return ""


def test_long_prompts_are_dear() -> None:
    """Above a hundred thousand tokens everything costs five times as much; an unknown model counts as the dearest."""
    assert cost(MODEL, Usage(input=200_000)) == 10 * cost(MODEL, Usage(input=100_000))
    assert cost("somebody's-model", Usage(input=1000)) > cost("claude-opus-5-5", Usage(input=1000))


def test_each_budget_stops(ledger: Ledger) -> None:
    """A request that could pass the budget of the run, the day or the month is not made."""
    assert outcome(ledger) == ""
    spend(ledger, 9_990_000 // 5)
    assert outcome(ledger) == "over-budget"
    ledger.spent_in_run = 0
    assert outcome(ledger) == "over-budget"
    assert outcome(ledger, now=NOW + DAY) == ""


def test_low_priority_leaves_a_fifth(ledger: Ledger) -> None:
    """What can wait does not touch the last fifth of the day's or month's budget, nor of a program's questions."""
    spend(ledger, 8_200_000 // 5)
    ledger.spent_in_run = 0
    assert outcome(ledger) == ""
    for purpose in (Purpose.APP_MEMORY, Purpose.APP_COMPACTION, Purpose.VERDICTS):
        assert outcome(ledger, purpose) == "low-budget"
    spend(ledger, 8_200_000 // 5, now=NOW + DAY)
    ledger.spent_in_run = 0
    assert outcome(ledger, now=NOW + 2 * DAY) == ""
    assert outcome(ledger, Purpose.VERDICTS, now=NOW + 2 * DAY) == "low-budget"
    for _ in range(4):
        ledger.note(
            model="claude haiku", purpose=Purpose.EXTRACTION, usage=Usage(), guess=Usage(), outcome="answered", now=NOW
        )
    ledger.check_requests(model="claude haiku", most=5, now=NOW, purpose=Purpose.EXTRACTION)
    with pytest.raises(ModelError) as caught:
        ledger.check_requests(model="claude haiku", most=5, now=NOW, purpose=Purpose.APP_MEMORY)
    assert caught.value.outcome == "low-budget"


def test_missing_usage_is_estimated(ledger: Ledger) -> None:
    """Where the service does not say what it used, our guess counts, and is marked."""
    spend(ledger, 1_000)
    spend(ledger, 1_000, usage=Usage(input=7, output=3, cache_read=2))
    (row,) = ledger.rows()
    assert (row.requests, row.is_estimate, row.usage.cache_read) == (2, True, 2)


def test_what_could_not_be_asked_is_no_request(ledger: Ledger, tmp_path: Path) -> None:
    """A server that is not there, a program that cannot be used: nothing was sent, so nothing is written down."""

    def connect() -> NoReturn:
        raise failure("no-connection")

    kept = Answers(open_database(tmp_path / "answers.db", answers.MIGRATIONS))
    asker = Asker(
        kept=kept,
        model=MODEL,
        permit=lambda: None,
        connect=connect,
        ledger=ledger,
        now=lambda: NOW,
        billed_as=MODEL,
        sleep=lambda _: None,
    )
    prompt = load_prompt("extraction")
    question = Question(purpose=Purpose.EXTRACTION, prompt=prompt, about="a", data="{}", schema={}, max_tokens=10)
    with pytest.raises(ModelError):
        asker.ask(question, str)
    assert ledger.rows() == []
    assert ledger.last_uses() == {}


def test_memory_work_stays_small_beside_the_assistants(ledger: Ledger) -> None:
    """Of what the assistants used themselves, as far as known, memory work takes a twentieth; a little is free."""
    ledger.check_share(tokens=FREE, now=NOW)
    ledger.note_token_usage("a", 2_000_000, now=NOW)
    ledger.note_token_usage("a", 1_500_000, now=NOW)
    ledger.note_token_usage("b", 1_000_000, now=NOW)
    spend(ledger, 200_000)
    assert ledger.share(now=NOW).taken == 0, "what is about no session of theirs does not count"
    guess = Usage(input=140_000)
    ledger.note(
        model=MODEL, purpose=Purpose.EXTRACTION, usage=None, guess=guess, outcome="answered", now=NOW, is_shared=True
    )
    assert (ledger.share(now=NOW).taken, ledger.share(now=NOW).own) == (140_000, 3_000_000)
    ledger.check_share(tokens=10_000, now=NOW)
    with pytest.raises(ModelError) as caught:
        ledger.check_share(tokens=10_001, now=NOW)
    assert caught.value.outcome == "over-share"
    ledger.check_share(tokens=10_001, now=NOW + 40 * DAY)


@cases(
    "text", ["http://evil.example", "ftp://x", "https://user:x@host", "https://host/?a=b", "nothing", "https://h:99999"]
)
def test_an_endpoint_is_safe(text: str) -> None:
    """No key goes over an open wire, and no address hides more than a host."""
    with pytest.raises(ConfigError):
        endpoint_of(text)


def test_an_endpoint_has_one_form() -> None:
    """Consent is bound to one spelling of an address; the setting wins over the environment."""
    assert endpoint_of("HTTPS://Host.Example:443/v2/") == "https://host.example/v2"
    assert endpoint_of("http://localhost:8080") == "http://localhost:8080"
    assert find_endpoint("https://a.example", {"ANTHROPIC_BASE_URL": "https://b.example"}) == "https://a.example"
    assert find_endpoint("", {"ANTHROPIC_BASE_URL": "https://b.example"}) == "https://b.example"
    assert find_endpoint("", {}) == "https://api.anthropic.com"
