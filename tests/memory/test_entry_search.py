"""What is found for a query, and in which order."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from memory.conftest import DAY, NOW, entry

from memsuggest.facts.profile import Profile
from memsuggest.memory.entry import EVERYWHERE, EntryStatus, Layer, Source
from memsuggest.memory.entry_search import Filters, search

Told = Callable[..., Profile]

KNOWN = (
    "Use pnpm, not npm.",
    "Never mock the database in integration tests.",
    "Staging deploys go through `make ship-staging`.",
    "Frau Keller genehmigt Änderungen am Abrechnungsmodul.",
    "Die Häuser stehen in der Tabelle `immobilien`.",
    "订单服务使用消息队列，不要直接写数据库。",
    "Les migrations sont relues par Nadia avant la fusion.",
    "parseInvoice in src/billing/invoiceParser.ts rounds half up.",
    "The C++ plugin is built with clang only.",
)


def found(profile: Profile, query: str, filters: Filters | None = None) -> list[str]:
    hits = search(profile.entries.connection, query, filters or Filters(project="shop"), now=NOW)
    return [hit.entry.content for hit in hits]


@pytest.mark.parametrize(
    ("query", "best"),
    [
        ("npm", 0),
        ("how do I deploy to staging?", 2),
        ("STAGING DEPLOYMENT", 2),
        ("mocking databases", 1),
        ("wer muss die Abrechnung genehmigen", 3),
        ("Haus", 4),
        ("haeuser in der tabelle", 4),
        ("消息队列", 5),
        ("订单", 5),
        ("qui relit une migration", 6),
        ("invoice parser", 7),
        ("InvoiceParser.ts", 7),
        ("c++", 8),
        ("which package manager do we use?", 0),
        ("should I stub the db?", 1),
        ("ship it to the staging environment", 2),
    ],
)
def test_the_right_entry_comes_first(told: Told, query: str, best: int) -> None:
    """By stems, parts of names, compounds, pairs of characters, synonyms and what is of a kind."""
    assert found(told(*KNOWN), query)[0] == KNOWN[best]


@pytest.mark.parametrize(
    "query",
    [
        "",
        "   ",
        "?!",
        "the of and",
        '"',
        "a AND",
        "NEAR(",
        "*",
        "content: x",
        "x" * 100_000,
        "OR " * 5_000,
        "\x00",
        "'--",
    ],
)
def test_any_text_is_a_query(told: Told, query: str) -> None:
    """No sign is an operator, and no length is too long."""
    assert found(told(*KNOWN), query) == []


def test_what_was_corrected_or_waits_is_never_found(told: Told) -> None:
    """Only active entries are."""
    profile = told(
        entry("deploys use rsync", status=EntryStatus.INACTIVE),
        entry("deploys use ftp", status=EntryStatus.PENDING, source=Source.AGENT),
        "deploys use git push",
    )
    assert found(profile, "deploys") == ["deploys use git push"]


def test_other_projects_are_not_searched(told: Told) -> None:
    """A workspace's own entries and the person's are, unless all are wanted."""
    profile = told(
        entry("logs go to loki", project="other"), entry("logs go to stdout"), entry("I read logs", project=EVERYWHERE)
    )
    assert set(found(profile, "logs")) == {"logs go to stdout", "I read logs"}
    assert found(profile, "logs", Filters(project="shop", with_own=False)) == ["logs go to stdout"]
    assert len(found(profile, "logs", Filters(project=None))) == 3


def test_filters(told: Told) -> None:
    """By layer, tag and time."""
    profile = told(
        entry("release notes are written by Mia", tags=("Docs",), days=40),
        entry("release on Tuesdays", days=2),
        entry("wrote the release notes", layer=Layer.ARCHIVE),
    )
    assert found(profile, "release", Filters(project="shop", tags=("docs",))) == ["release notes are written by Mia"]
    assert found(profile, "release", Filters(project="shop", since=NOW - 10 * DAY)) == ["release on Tuesdays"]
    assert found(profile, "release", Filters(layers=(Layer.ARCHIVE,))) == ["wrote the release notes"]


def test_trust_and_age_decide_between_equals(told: Told) -> None:
    """What the person put right comes before what an assistant noted, and that before a summary; new before old."""
    profile = told(
        entry("port 8080 serves metrics", source=Source.SYSTEM),
        entry("port 8081 serves metrics", source=Source.AGENT),
        entry("port 8082 serves metrics", days=400),
        entry("port 8083 serves metrics", days=1),
        entry("port 8084 serves metrics", days=1, correction=True),
    )
    assert [text[8] for text in found(profile, "which port serves metrics")] == ["4", "3", "2", "1", "0"]


def test_a_match_is_not_outdone_by_age(told: Told) -> None:
    """Two words that fit weigh more than one that is new."""
    profile = told(entry("backups run nightly on atlas", days=900), entry("atlas has 64 GB", days=0))
    assert found(profile, "when do backups run on atlas")[0] == "backups run nightly on atlas"


def test_forgotten_words_are_nowhere(told: Told, profile: Profile) -> None:
    """Neither in the table nor in the index, nor in the bytes of the file."""
    told("The zanzibar server is retired.", "Other things stay.")
    (gone, _) = profile.entries.entries()
    profile.entries.remove([gone])
    assert found(profile, "zanzibar") == []
    profile.entries.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    path = profile.entries.connection.execute("PRAGMA database_list").fetchone()[2]
    assert b"zanzibar" not in Path(path).read_bytes().lower()


def test_the_index_stays_flat(told: Told) -> None:
    """However often entries come and go: SQLite refuses an index of 2,000 levels, and with it the whole memory."""
    store = told(
        *(f"Number {number} is kept in drawer {number} of the {number}th room." for number in range(200))
    ).entries
    for number in range(30):
        one = entry(f"Something else is kept in cupboard {number}.")
        store.remove([])
        store.add([one])
        store.remove([one])
    (structure,) = store.connection.execute("SELECT block FROM said_words_data WHERE id = 10").fetchone()
    assert structure[4] < 20  # behind a cookie of four bytes, the number of levels


def test_of_compounds_the_rare_ones_are_read(told: Told, monkeypatch: pytest.MonkeyPatch) -> None:
    """What stands in many entries tells little, so no more is read of it than there is room for."""
    monkeypatch.setattr("memsuggest.memory.entry_search._BUDGET", 4)
    common = [f"The harborline {place} is open." for place in ("Oslo", "Bergen", "Narvik")]
    assert found(told(*common, "The harbormaster is Ada."), "harbor") == ["The harbormaster is Ada."]
