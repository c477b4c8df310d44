"""The report's page: what is counted, what is drawn, and what of long lists is shown."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, datetime
from xml.etree import ElementTree

from cases import cases
from markupsafe import Markup

from memsuggest.held.held_report import (
    ChatRow,
    HeldOutcome,
    HeldReport,
    HeldRule,
    SaidAgain,
    SinceFrom,
    share_before,
    share_since,
)
from memsuggest.report.report_data import WorkspaceReport
from memsuggest.report.report_page import columns, day, page, stacked
from memsuggest.report.write_page import draw_badge

DAY = 86_400_000
START = 1_750_000_000_000
NOW = START + 200 * DAY


def chat(number: int, after: int) -> ChatRow:
    return ChatRow(session_id=f"chat-{number}", at=START + after * DAY, assistant="Codex", path="/chats/a")


def said(number: int, after: int, quote: str = "No, integers!") -> SaidAgain:
    at = datetime.fromtimestamp((START + after * DAY) / 1000, UTC)
    return SaidAgain(session_id=f"chat-{number}", turn=2, quote=quote, rule=quote, at=at, assistant="Codex")


RULE = HeldRule(
    id="abcdef0123456789",
    uri="AGENTS.md",
    line=7,
    last_line=7,
    content="Use integers for money.",
    since=START + 100 * DAY,
    since_from=SinceFrom.GIT,
    outcome=HeldOutcome.DOES_NOT_HOLD,
    why="said again",
    exposed=tuple(chat(number, number) for number in range(110, 118)),
    said_again=(said(111, 111), said(111, 111, "Integers, please."), said(112, 112)),
    exposed_before=tuple(chat(number, number) for number in range(40, 46)),
    said_before=(said(1, 1), said(41, 41)),
)


def report(*rules: HeldRule) -> WorkspaceReport:
    return WorkspaceReport(
        name="shop",
        made_at=NOW,
        since=None,
        is_team=False,
        learned=(),
        pending=(),
        maintenance=(),
        maybes=0,
        held=HeldReport(rules=rules, chats=200, first_chat=START),
        files=(),
        assistants=(),
    )


def test_shares_are_of_chats_as_held_counts_them() -> None:
    """Two sentences of one chat are one; the chat that said it first counts neither way."""
    assert (share_before(RULE).said, share_before(RULE).of) == (1, 6)
    assert (share_since(RULE).said, share_since(RULE).of) == (2, 8)


def test_a_rule_that_does_not_hold_has_its_evidence_beside_it() -> None:
    """Shares, a chart with a name that says them and a month that says its own, and each quote."""
    told = page(report(RULE))
    assert f"Said in 1 of 6 chats before {day(RULE.since)}, and 2 of 8 since" in told
    assert "<b>17%</b>before" in told and "<b>25%</b>since" in told
    assert "<title>Oct 2025: said in 2 of 8 chats</title>" in told
    assert "repeated in 2 of 8 later chats" in told  # it is what to do first


def test_the_same_words_said_often_are_one_row() -> None:
    """With how often, and the newest places; of other words five, and the command that shows all."""
    many = tuple(said(111, 111, f"Integers! ({chr(97 + number % 8)})") for number in range(57))
    told = page(report(replace(RULE, said_again=many, said_before=())))
    assert told.count("Integers! (") == 5
    assert "<b>8 times</b>" in told and "; 5 earlier" in told
    assert "3 more: <code>memsuggest held abcdef0</code>" in told


@cases(
    ("before", "since", "outcome", "group"),
    [
        (0, 0, HeldOutcome.HOLDS, "Holds <"),
        (6, 0, HeldOutcome.HOLDS, "Holds <"),
        (1, 0, HeldOutcome.HOLDS, "Holds, no measurable effect <"),
        (6, 8, HeldOutcome.DOES_NOT_HOLD, "Does not hold <"),
    ],
)
def test_what_the_numbers_do_not_show_is_not_claimed(before: int, since: int, outcome: HeldOutcome, group: str) -> None:
    """A rule that holds, and was hardly more often said before, has no measurable effect."""
    rule = replace(
        RULE,
        outcome=outcome,
        said_before=tuple(said(number, number) for number in range(40, 40 + before)),
        said_again=tuple(said(number, number) for number in range(110, 110 + since)),
    )
    assert f'<span class="t">{group}' in page(report(rule))


def test_many_rules_stay_few_bytes() -> None:
    """Of thousands of rules some are on the page: it is never larger than what a mail takes."""
    rules = [replace(RULE, id=f"{number:016x}") for number in range(3_000)]
    told = page(report(*rules))
    assert len(told) < 3_000_000
    assert "2,900 more" in told


def test_the_page_never_says_that_untested_rules_hold() -> None:
    """With rules and no tested one, it says that it is too early to tell."""
    told = page(report(replace(RULE, outcome=HeldOutcome.UNTESTED)))
    assert "too early to tell" in told
    assert "of 0 tested rules hold" in told


def test_a_bar_has_the_width_of_its_parts() -> None:
    """Parts beside each other, and as long as their share."""
    drawn = ElementTree.fromstring(stacked([("good", 3), ("bad", 0), ("rest", 1)], label="three of four"))
    rects = [(one.get("class"), one.get("x"), one.get("width")) for one in drawn]
    assert rects == [("good", "0", "450"), ("rest", "450", "150")]
    assert drawn.get("aria-label") == "three of four"


def test_columns_stand_on_their_parts() -> None:
    """The part is at the foot of its column, which says what it is; nothing is drawn of nothing."""
    drawn = ElementTree.fromstring(columns([("Jan: 1 of 4", 4, 1), ("Feb: 0 of 0", 0, 0)], label="x", line=0.5).drawn)
    assert [one.text for one in drawn.iter("title")] == ["Jan: 1 of 4"]
    rects = {one.get("class"): (one.get("y"), one.get("height")) for one in drawn.iter("rect")}
    assert rects == {"area": ("0", "40"), "part": ("30", "10"), "whole": ("0", "30")}
    assert [one.get("d") for one in drawn.iter("path")] == ["M300 0v40"]


def test_labels_are_escaped() -> None:
    """What a chart is called may be anything."""
    assert isinstance(stacked([("good", 1)], label='"><script>'), Markup)
    assert "<script>" not in stacked([("good", 1)], label='"><script>')


@cases(
    ("holds", "fails", "told"),
    [(0, 0, "not tested yet"), (3, 0, "3 of 3"), (3, 2, "3 of 5")],
)
def test_badge(holds: int, fails: int, told: str) -> None:
    """Tested rules alone count; it is well-formed, and has its words as its name."""
    outcomes = [HeldOutcome.HOLDS] * holds + [HeldOutcome.DOES_NOT_HOLD] * fails + [HeldOutcome.UNTESTED]
    drawn = draw_badge(HeldReport(rules=tuple(replace(RULE, outcome=one) for one in outcomes), chats=9))
    root = ElementTree.fromstring(drawn)
    title = next(one for one in root if one.tag.endswith("title"))
    assert title.text == f"rules held: {told}"
    assert not re.search(r"(?<!xmlns=\")http", drawn)
