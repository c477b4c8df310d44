"""Rules in other words, beside what only has the same words: plain words, what the headings say, parts of a rule."""

from __future__ import annotations

import pytest
from edit_kit import fact_of

from memsuggest.customizations.discovery import target_from
from memsuggest.suggestions.existing.clauses import parts_of
from memsuggest.suggestions.existing.line_context import without_context
from memsuggest.suggestions.existing.paraphrases import in_plain_words
from memsuggest.suggestions.existing.restatement import says
from memsuggest.suggestions.ranking.workspace_index import WorkspaceIndex
from memsuggest.suggestions.suggest import AlreadySaid, suggest


@pytest.mark.parametrize(
    ("rule", "line"),
    [
        (
            "Investigate several log files before you propose a fix",
            "Examine multiple log files prior to suggesting a fix",
        ),
        ("Functions must not exceed 40 lines", "No function longer than 40 lines"),
        ("A parcel is sent only when every scan is green", "A parcel isn't sent until every scan is green"),
        ("Set the timeout of the crane to at least 30 seconds", "Set the crane's timeout to 30+ seconds"),
        ("Don't change the ledger unless you were told to", "Never modify the ledger unless explicitly asked"),
        ("Labels are better than stickers for fragile crates", "Prefer labels over stickers for fragile crates"),
        ("Mark slow scans with `scan.slow`", "Mark slow scans with `@scan.slow`"),
        ("Changing a `<crate>` triggers a new weighing", "Changing a `crate` triggers a fresh weighing"),
        ("Empty rows are removed from the manifest", "Blank rows are removed from the manifest"),
        (
            "Wrap the scanner in `ScanGuard` and never read the raw buffer",
            "Never read the raw buffer; wrap the scanner in `ScanGuard(...)`",
        ),
        (
            "Do not swap the lid of the crate for a preview lid",
            "Never swap the lid of the crate to a preview lid",
        ),
        ("Die Struktur des Manifests nie ändern", "Never change the structure of the manifest"),
    ],
)
def test_said_in_plain_words(rule: str, line: str) -> None:
    """Two people's words for one rule meet."""
    assert says(line, rule)


@pytest.mark.parametrize(
    ("rule", "line"),
    [
        ("Functions are at least 40 lines long", "No function longer than 40 lines"),
        ("Functions must not exceed 60 lines", "No function longer than 40 lines"),
        ("A parcel is sent before every scan is green", "A parcel isn't sent until every scan is green"),
        ("Set the timeout of the crane to at most 30 seconds", "Set the crane's timeout to 30+ seconds"),
        ("Stickers are better than labels for fragile crates", "Prefer labels over stickers for fragile crates"),
        ("Change the ledger unless you were told not to", "Never modify the ledger unless explicitly asked"),
        (
            "Wrap the scanner in `ScanGuard` and read the raw buffer",
            "Never read the raw buffer; wrap the scanner in `ScanGuard`",
        ),
        (
            "Wrap the scanner in `ScanGuard` and never lock the belt",
            "Never read the raw buffer; wrap the scanner in `ScanGuard`",
        ),
        ("Never swap the preview for the source", "Never swap the source for the preview"),
        ("Only weigh a crate after the guard has left", "Never weigh a crate without two guards"),
        ("Synchronous scanners close the gate", "Asynchronous scanners close the gate"),
        ("Remove the new rows of the manifest", "Remove the blank rows of the manifest"),
        ("Descriptive names for crates", "Descriptions for crates"),
        ("Always weigh crates, and never lift them", "Weigh crates, and always lift them with two people"),
    ],
)
def test_looks_alike_in_plain_words(rule: str, line: str) -> None:
    """What differs in number, sign, side or matter is another rule in plain words, too."""
    assert not says(line, rule)


@pytest.mark.parametrize(
    ("rule", "line", "context"),
    [
        ("Crate descriptions have at most 90 characters", "Descriptions stay under 90 characters", "crates . Limits"),
        ("In telemetry, round weights to whole grams", "Round weights to whole grams", "Telemetry rules"),
        ("The packer must never open sealed crates", "Never open sealed crates", "packer"),
    ],
)
def test_headings_are_not_repeated(rule: str, line: str, context: str) -> None:
    """What the headings and the file's name say need not stand in the line."""
    assert says(line, rule, context=context)
    assert not says(line, rule, context="Billing")


@pytest.mark.parametrize(
    ("rule", "line", "context"),
    [
        ("Update the labels and the manifest", "Update the manifest", "Labels"),
        ("Weigh crates only in the yard", "Weigh crates", "Yard"),
        ("Never open public crates", "Never open crates", "Public crates"),
        ("Test the scanners after lunch", "The scanners rest after lunch", "Test"),
        ("Sort labels, crates and pallets", "Sort crates and pallets", "Labels"),
        ("Do not weigh crates in telemetry", "Weigh crates", "Telemetry"),
    ],
)
def test_headings_take_nothing_away(rule: str, line: str, context: str) -> None:
    """What a rule is about, limits or denies is never left out for a heading's sake."""
    assert not says(line, rule, context=context)


def test_without_context() -> None:
    """Only words that narrow others, and where a rule holds, are left out."""
    assert without_context("Crate labels are short", "Labels are short", "Crates") == "labels are short"
    assert without_context("Labels are short in crates", "Labels are short", "Crates") == "Labels are short"
    assert without_context("Crates and labels are short", "Labels are short", "Crates") == "Crates and labels are short"


def test_plain_words() -> None:
    """Code stays as it is but for signs around its name, and turns reach across it."""
    assert in_plain_words("Employ `@scan(...)` in lieu of `read`") == "use `scan` instead of `read`"
    assert in_plain_words("`A` is better than `B`") == "prefer `A` over `B`"


def test_parts() -> None:
    """A rule is parted where its parts are rules by themselves."""
    assert parts_of("Weigh every crate, never open sealed ones") == ("Weigh every crate", "never open sealed ones")
    assert parts_of("When it rains, weigh every crate") == ("When it rains, weigh every crate",)
    assert parts_of("Weigh crates and pallets") == ("Weigh crates and pallets",)


def test_a_file_says_it_under_its_heading() -> None:
    """In a file, headings and the file's own name are what a line need not repeat."""
    file = "# Depot\n\n## Crates\n\n- Weights are rounded to whole grams\n\n## Pallets\n\n- Corners are wrapped twice\n"
    index = WorkspaceIndex([target_from("AGENTS.md", file)])
    assert isinstance(suggest(fact_of("Crate weights are rounded to whole grams"), index), AlreadySaid)
    assert not isinstance(suggest(fact_of("Pallet weights are rounded to whole grams"), index), AlreadySaid)
