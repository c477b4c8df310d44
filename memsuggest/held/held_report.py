"""The report of `held`: do rules in files hold, with the evidence for every number."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Annotated, ClassVar, NamedTuple

from memsuggest.core.json_shape import Also, Hidden, Key, or_null
from memsuggest.core.model import Citation, Scope, Skipped
from memsuggest.core.render.page import (
    BAD,
    FAINT,
    GOOD,
    HEAD,
    ID,
    INDENT,
    PATH,
    SHORT,
    WARN,
    Page,
    count,
    sentence,
    show_skipped,
)
from memsuggest.core.render.safe_output import one_line
from memsuggest.core.text.likeness import same_words
from memsuggest.core.text.when import day, iso, iso_time, moment


class HeldOutcome(StrEnum):
    """The outcome of a rule by later chats."""

    HOLDS = "holds"  # it was relevant in enough chats whose assistant had read it, and was rarely or never said again
    DOES_NOT_HOLD = "doesNotHold"  # it was said again, to an assistant that had read it
    UNTESTED = "untested"  # it was relevant in too few chats to tell
    NOT_LOADED = "notLoaded"  # it was relevant, but no assistant had read the file


class SinceFrom(StrEnum):
    """The source of the time since when a rule is in effect."""

    APPLIED = "applied"  # the time when `apply` wrote it
    GIT = "git"  # the time of the last commit that changed its line
    FILE = "file"  # the time when its file was last modified
    SEEN = "seen"  # the time when memsuggest first read its file


class RemedyKind(StrEnum):
    """The kind of a remedy for a rule that does not hold, or that nobody reads."""

    SHARPER = "sharper"
    EXAMPLE = "example"
    OTHER_FILE = "otherFile"
    REMOVE = "remove"


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatRow:
    """A chat that was counted."""

    session_id: Annotated[str, "The chat's ID."]
    at: Annotated[int, "The chat's start time, in ISO 8601 format.", iso]
    assistant: Annotated[str, "The assistant's name; empty if unknown."]
    path: Annotated[str, "The transcript's path."]


@dataclass(frozen=True, slots=True, kw_only=True)
class SaidAgain:
    """A message that repeats a rule."""

    session_id: Annotated[str, "The chat's ID."]
    turn: Annotated[int, "The number of the message in the chat, starting at 1."]
    quote: Annotated[str, "The quote, with secrets redacted."]
    at: Annotated[datetime | None, "The time of the message, in ISO 8601 format.", iso_time]
    assistant: Annotated[str, "The assistant that received the message; empty if unknown."]
    is_correction: Annotated[bool, "Whether the message corrected something the assistant had done."] = False
    rule: Hidden[str]
    """It as a line of a rule file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NotReadBy:
    """Chats in which a rule was relevant but whose assistant had not read the rule."""

    assistant: str
    chats: int
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Remedy:
    """A remedy for a rule."""

    kind: Annotated[RemedyKind, "The kind of remedy."]
    what: str
    why: str
    text: Annotated[str, "The suggested line; empty if there is none."] = ""
    uri: Annotated[str, "The file for the suggested line; empty if it is the rule's own file."] = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleLine:
    """A rule in a file."""

    id: Annotated[str, "The rule's ID, which `held` accepts."]
    uri: Annotated[str, "The file's path, relative to the repo's root or starting with `~/`."]
    line: Annotated[int, "The number of the rule's first line, starting at 1."]
    last_line: Annotated[int, "The number of the rule's last line, starting at 1."]
    content: Annotated[str, "The rule's text in the file."]
    heading: Annotated[str, "The heading above the rule; empty if there is none."] = ""
    text: Hidden[str] = ""
    """What it says, without marks, with "never" before it where its list is of things not to do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldRule(RuleLine):
    """A rule in a file and its outcome."""

    fact_id: Annotated[str, "The ID of the applied fact.", or_null] = ""
    since: Annotated[int, "The time at which the rule took effect, in ISO 8601 format.", iso]
    since_from: Annotated[SinceFrom, "The source of the time in `since`."]
    outcome: HeldOutcome
    why: Annotated[str, "The outcome in one sentence."]
    chats: Annotated[int, "The number of chats started since the rule took effect."] = 0
    _chats_said_again: ClassVar = Also(
        "chats_said_again", int, "The number of `exposed` chats in which the rule was repeated."
    )
    exposed: Annotated[
        tuple[ChatRow, ...], "Later chats in which the rule was relevant and had been read by the assistant."
    ] = ()
    said_again: Annotated[tuple[SaidAgain, ...], "Messages in the `exposed` chats that repeat the rule."] = ()
    not_read: tuple[NotReadBy, ...] = ()
    said_unread: Annotated[
        tuple[SaidAgain, ...], "Messages that repeat the rule in chats whose assistant had not read the rule."
    ] = ()
    exposed_before: Annotated[
        tuple[ChatRow, ...],
        "Earlier chats in which the rule was relevant, except the one in which it was first stated.",
    ] = ()
    said_before: tuple[SaidAgain, ...] = ()
    at_most: Annotated[
        float, "The upper bound (95% confidence) on the share of chats in which the rule is repeated."
    ] = 1.0
    difference: Annotated[
        str, ("How often the rule was repeated compared with before it took effect; empty if unknown.")
    ] = ""
    remedies: Annotated[tuple[Remedy, ...], "Possible remedies, best first."] = ()

    @property
    def chats_said_again(self) -> int:
        return len({said.session_id for said in self.said_again})


class ChatShare(NamedTuple):
    """The number of chats in which a rule was relevant, and in how many of these chats it was said."""

    said: int
    of: int


def share_before(rule: HeldRule) -> ChatShare:
    """Count the chats from before a rule was in force, without the one in which it was said first."""
    return _share(rule.exposed_before, rule.said_before)


def share_since(rule: HeldRule) -> ChatShare:
    """Count the chats since, of assistants that had read it."""
    return _share(rule.exposed, rule.said_again)


def _share(relevant: Iterable[ChatRow], said: Iterable[SaidAgain]) -> ChatShare:
    chats = {chat.session_id for chat in relevant}
    return ChatShare(said=len(chats & {remark.session_id for remark in said}), of=len(chats))


@dataclass(frozen=True, slots=True, kw_only=True)
class Covering:
    """A line in a file that already states a rule."""

    uri: str
    line: Annotated[int, "The line number, starting at 1."]
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Matter:
    """A rule that was stated in several chats or by several people."""

    fact_ids: Annotated[tuple[str, ...], "The IDs of the matching facts, most evidence first."]
    content: Annotated[str, "The text of the first fact."]
    scope: Annotated[Scope, "`workspace`: about this repo; `user`: about you, in every repo."]
    times: Annotated[int, "The number of mentions."]
    chats: Annotated[int, "The number of chats with a mention."]
    others: Annotated[int, "The number of those chats that belong to other people."] = 0
    _price: ClassVar = Also("price", int, "Mentions × chats.")
    first: Annotated[int | None, "The time of the first mention, in ISO 8601 format.", iso] = None
    last: Annotated[int | None, iso] = None
    covered_by: Annotated[tuple[Covering, ...], "The lines that state the rule; empty for a gap."] = ()
    suggestion_id: Annotated[str, "The ID of the pending suggestion that adds the rule to a file.", or_null] = ""
    citations: Annotated[tuple[Citation, ...], "Your own words, oldest first."] = ()

    @property
    def price(self) -> int:
        """The price of no file saying it: times said × chats."""
        return self.times * self.chats


@dataclass(frozen=True, slots=True, kw_only=True)
class FileUse:
    """A customization file, and whether recent chats used it."""

    uri: str
    tokens: Annotated[int, "The number of tokens the file costs each time it is loaded."]
    loaded: Annotated[int, "The number of recent chats whose assistant loaded the file."]
    touched: Annotated[int, "The number of recent chats in which the file was read or changed."]
    last_used: Annotated[
        int | None, "The start time of the last chat that used the file, in ISO 8601 format; null if no chat did.", iso
    ] = None
    idle: ClassVar = Also("is_idle", bool, "Whether no recent chat used the file.")
    is_known: Annotated[bool, "Whether chats record the use of files of this type.", Key("known")] = True
    why_unread: Hidden[str] = ""
    """Why the assistant of most recent chats did not read it."""

    @property
    def is_idle(self) -> bool:
        return self.is_known and not self.loaded and not self.touched


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldReport:
    """The outcomes of the files' rules, and what is said repeatedly but in no file."""

    JSON_NAME = "Held"
    chats: Annotated[int, "The number of chats analyzed."]
    since: Annotated[int | None, "Only chats started at or after this time count; null for all chats.", iso] = None
    first_chat: Annotated[int | None, "The start time of the oldest chat, in ISO 8601 format.", iso] = None
    undated: Annotated[int, "Chats without a start time, which are not counted."] = 0
    unknown_assistant: Annotated[int, "Chats with an assistant whose files are unknown."] = 0
    gone: Annotated[int, "Applied rules that are no longer in any file."] = 0
    rules: Annotated[tuple[HeldRule, ...], "The rules, with those that do not hold first."]
    unlearned: Annotated[int, "Chats that `reconcile` has not read yet."] = 0
    _gaps: ClassVar = Also(
        "gaps", tuple[Matter, ...], ("Rules that are in no file, sorted by mentions × chats, highest first.")
    )
    _covered: ClassVar = Also("covered", tuple[Matter, ...], "Rules that are already in a file.")
    maybes: Annotated[int, "Low-confidence suggestions, which are not counted."] = 0
    recent: Annotated[int, "The number of recent chats considered for file use."] = 0
    files: Annotated[tuple[FileUse, ...], "The customization files, unused ones first."] = ()
    skipped: tuple[Skipped, ...] = ()
    matters: Hidden[tuple[Matter, ...]] = ()
    """What was said in two chats and more, or by several people, highest price first."""
    is_file: Hidden[bool] = False
    """One file was asked for: all of its rules are shown."""
    is_one: Hidden[bool] = False
    """One rule was asked for: all of its evidence is shown."""

    @property
    def gaps(self) -> tuple[Matter, ...]:
        return tuple(matter for matter in self.matters if not matter.covered_by)

    @property
    def covered(self) -> tuple[Matter, ...]:
        return tuple(matter for matter in self.matters if matter.covered_by)

    def count(self, outcome: HeldOutcome) -> int:
        return sum(rule.outcome is outcome for rule in self.rules)

    def show(self, page: Page) -> None:
        """Print what became of the rules: what does not hold whole, of the rest what fits."""
        if self.is_one:
            for number, rule in enumerate(self.rules):
                if number:
                    page.line()
                _show_one(page, rule)
            return
        _show_head(page, self)
        for outcome, (_, many, _) in _TITLES.items():
            rules = [rule for rule in self.rules if rule.outcome is outcome]
            most = len(rules) if self.is_file else _LISTED.get(outcome, 0)
            if rules and most:
                page.head(f"{sentence(many)} ({len(rules)})")
                show_rules = _show_unread if outcome is HeldOutcome.NOT_LOADED and not self.is_file else _show_rules
                show_rules(page, rules, most)
        if not self.is_file:
            _show_gaps(page, self)
            _show_unused(page, self)
        if not page.quiet:
            undated = f"{count(self.undated, 'chat', 'chats')} without a start time" if self.undated else ""
            chats = count(self.unknown_assistant, "chat", "chats")
            unknown = f"{chats} with an assistant whose files are unknown" if self.unknown_assistant else ""
            if left := "; ".join(filter(None, (undated, unknown))):
                page.line()
                page.faint(f"not counted: {left}")
            if self.rules:
                page.faint("a repetition counts only if it uses nearly the same words as the rule")
            if self.gone:
                gone = count(self.gone, "rule you applied is", "rules you applied are")
                page.faint(f"{gone} no longer in any file")
        show_skipped(page, self.skipped)


_TITLES = {
    HeldOutcome.DOES_NOT_HOLD: ("does not hold", "do not hold", BAD),
    HeldOutcome.NOT_LOADED: ("not loaded", "not loaded", WARN),
    HeldOutcome.HOLDS: ("holds", "hold", GOOD),
    HeldOutcome.UNTESTED: ("untested", "untested", FAINT),
}
"""How one rule, and several, are said to have come out."""
_LISTED = {HeldOutcome.DOES_NOT_HOLD: 8, HeldOutcome.NOT_LOADED: 4, HeldOutcome.HOLDS: 5}
"""Rules of an outcome, or files of unread ones, that a page lists; of a file that was asked for, all of its rules."""
_CHATS, _GAPS, _UNUSED = 15, 5, 3  # the newest chats of a rule, the gaps and the unused files that are listed
_NO_FIRST = re.compile(r"\A(?:no+|nope|nein|non)\b[\s,.:!–-]+", re.IGNORECASE)
_WORDS = 110  # characters of a rule that stand in a list
_MARGIN = " " * INDENT
_SOURCES = {
    SinceFrom.APPLIED: "the time you applied the rule",
    SinceFrom.GIT: "the last commit that changed the rule's line",
    SinceFrom.FILE: "the last change to the rule's file",
    SinceFrom.SEEN: "the first time memsuggest saw the rule",
}


def _show_head(page: Page, report: HeldReport) -> None:
    if not report.rules:
        text = f"no rules in your files have been applied or repeated yet ({count(report.chats, 'chat', 'chats')})"
        page.line(text if report.chats else "no rules or chats found")
        page.faint("`memsuggest held FILE` checks every rule in a file; `memsuggest targets` lists the files")
        return
    files = len({rule.uri for rule in report.rules})
    text = f"{count(len(report.rules), 'rule', 'rules')} in {count(files, 'file', 'files')}"
    first = f", the first on {day(report.first_chat)}" if report.first_chat and report.chats else ""
    page.line((text, HEAD), f" and {count(report.chats, 'chat', 'chats')}{first}")
    parts: list[str | tuple[str, str]] = []
    for outcome, (single, many, style) in _TITLES.items():
        if number := report.count(outcome):
            parts += [(" · ", FAINT)] if parts else []
            parts.append((f"{number} {single if number == 1 else many}", style))
    page.line(*parts)


def _show_rules(page: Page, rules: Sequence[HeldRule], most: int) -> None:
    """Print rules with their numbers, and of those that do not hold the last other words for it, and what to do."""
    advice = ""
    for rule in rules[:most]:
        page.line(
            (rule.id[:SHORT], ID), "  ", (f"{rule.uri}:{rule.line}", PATH), f"  {_short(rule.content)}", hang=INDENT
        )
        page.line(_MARGIN, (_compared(rule), _TITLES[rule.outcome][2]), hang=INDENT)
        if rule.outcome is not HeldOutcome.HOLDS:
            said = [*rule.said_again, *rule.said_unread]
            other = [remark for remark in said if not same_words(_NO_FIRST.sub("", remark.quote), rule.content)]
            for remark in other[-1:]:
                at = f"{remark.at.date().isoformat()}, " if remark.at else ""
                by = (f"  {at}{remark.assistant or 'unknown assistant'}", FAINT)
                page.line(_MARGIN, f"› “{_short(remark.quote)}”", by, hang=INDENT)
        for remedy in rule.remedies[:1]:
            if remedy.what != advice:  # the same for the next rule goes without saying
                why = (f": {one_line(remedy.why)}", FAINT)
                page.line(_MARGIN, ("try  ", GOOD), one_line(remedy.what), why, hang=INDENT + 3)
                if remedy.text:
                    page.line(f"{_MARGIN}   “{_short(remedy.text)}”", hang=INDENT + 3)
            advice = remedy.what
    if len(rules) > most:
        page.faint(f"  and {len(rules) - most} more: `memsuggest held FILE` shows every rule in a file")


def _show_unread(page: Page, rules: Sequence[HeldRule], most: int) -> None:
    by_file: dict[str, list[HeldRule]] = {}
    for rule in rules:
        by_file.setdefault(rule.uri, []).append(rule)
    for uri, own in list(by_file.items())[:most]:
        chats = len({said.session_id for rule in own for said in rule.said_unread})
        page.line((uri, PATH), f"  {count(len(own), 'rule', 'rules')}, said in {count(chats, 'chat', 'chats')}", hang=4)
        if why := next((unread.why for rule in own for unread in rule.not_read if unread.why), ""):
            page.faint(f"  {one_line(why)}", hang=4)
        for rule in own[:2]:
            page.line("  ", (rule.id[:SHORT], ID), f"  {_short(rule.content)}", hang=INDENT)
        for remedy in own[0].remedies[:1]:
            page.line("  ", ("try  ", GOOD), one_line(remedy.what), hang=INDENT)
    if len(by_file) > most:
        more = count(len(by_file) - most, "more file", "more files")
        page.faint(f"  and {more}; `memsuggest held FILE` shows the rules in one file")


def _compared(rule: HeldRule) -> str:
    """Say in how many chats a rule was said before and since, and whether that is a difference."""
    before, since = share_before(rule), share_since(rule)
    if not since.of:
        return one_line(rule.why)
    head, _, rest = rule.difference.partition(":")
    chance = f" {rest[rest.rfind('(') :]}" if rest.endswith(")") else ""
    earlier = f"before: said in {before.said} of {count(before.of, 'chat', 'chats')}" if before.of else ""
    return " · ".join(filter(None, (earlier, f"since: {since.said} of {since.of}", f"{head}{chance}")))


def _show_gaps(page: Page, report: HeldReport) -> None:
    gaps = report.gaps
    page.line()
    if report.unlearned:
        chats = count(report.unlearned, "chat has", "chats have")
        page.line((f"{chats} not been read yet; run `memsuggest reconcile`", WARN))
    if gaps:
        page.line((f"Said repeatedly, but in no file ({len(gaps)})", HEAD))
    elif report.matters:
        page.line(("every rule you stated in several chats is in your files", GOOD))
    else:
        page.line("no rule has been stated in more than one chat yet")
    for gap in gaps[:_GAPS]:
        name = (gap.suggestion_id or gap.fact_ids[0])[:SHORT]
        page.line((name, ID), "  ", _short(gap.content), hang=INDENT)
        parts = [f"said {count(gap.times, 'time', 'times')} in {count(gap.chats, 'chat', 'chats')}"]
        parts += [f"including {count(gap.others, 'chat', 'chats')} by other people"] if gap.others else []
        parts += [f"last {day(gap.last)}"] if gap.last else []
        parts += [f"pending: `memsuggest show {name}`"] if gap.suggestion_id else []
        page.faint(f"{_MARGIN}{', '.join(parts)}", hang=INDENT)
        if gap.citations:
            page.line(f"{_MARGIN}› “{_short(gap.citations[-1].quote)}”", hang=INDENT)
    _show_more(page, len(gaps) - _GAPS)
    if report.maybes:
        number = count(report.maybes, "low-confidence suggestion is", "low-confidence suggestions are")
        page.faint(f"{number} not counted; see `memsuggest review --maybe`")


def _show_unused(page: Page, report: HeldReport) -> None:
    unused = [file for file in report.files if file.is_idle]
    if not unused or not report.recent:
        return
    tokens = sum(file.tokens for file in unused)
    chats = f"the last {report.recent} chats" if report.recent > 1 else "the last chat"
    page.head(f"Files not used in {chats} ({len(unused)}, about {tokens:,} tokens)")
    for file in unused[:_UNUSED]:
        used = f"last used {day(file.last_used)}" if file.last_used else "never used"
        why = f": {file.why_unread}" if file.why_unread and not file.last_used else ""
        page.line("  ", (file.uri, PATH), (f"  about {file.tokens:,} tokens, {used}{why}", FAINT), hang=INDENT)
    _show_more(page, len(unused) - _UNUSED)


def _show_more(page: Page, number: int, what: str = "more") -> None:
    if number > 0:
        page.faint(f"  and {number} {what}; use `--format json` to list all")


def _show_one(page: Page, rule: HeldRule) -> None:
    page.line((rule.id[:SHORT], ID), "  ", (one_line(rule.content), HEAD), hang=SHORT + 2)
    page.line("  ", (f"{rule.uri}:{rule.line}", PATH), (f"  {rule.heading}" if rule.heading else "", FAINT))
    single, _, style = _TITLES[rule.outcome]
    page.line((f"  {single}", style), f"  {one_line(rule.why)}", hang=4)
    chats = count(rule.chats, "chat has", "chats have")
    since = f"in effect since {moment(rule.since)}, {_SOURCES[rule.since_from]}"
    page.faint(f"  {since}; {chats} started since", hang=4)
    if rule.difference:
        page.faint(f"  {rule.difference}", hang=4)
    _show_said(page, "Said again", rule.said_again)
    _show_said(page, "Said again in chats where the file had not been read", rule.said_unread)
    _show_said(page, "Said before", rule.said_before)
    _show_chats(page, "Relevant and read", rule.exposed)
    for unread in rule.not_read:
        page.head(f"Relevant but not read: {count(unread.chats, 'chat', 'chats')} with {unread.assistant}")
        page.line(f"  {sentence(unread.why)}", hang=4)
    _show_chats(page, "Relevant before the rule took effect", rule.exposed_before)
    if rule.remedies:
        page.head("What to do")
    for remedy in rule.remedies:
        page.line(f"  {sentence(remedy.what)}", (f": {one_line(remedy.why)}", FAINT), hang=4)
        if remedy.text:
            page.line(f"    “{one_line(remedy.text)}”", hang=6)


def _show_said(page: Page, title: str, said: Sequence[SaidAgain]) -> None:
    if said:
        page.head(f"{title} ({len(said)})")
    for remark in said:
        at = f"{remark.at.date().isoformat()}  " if remark.at else ""
        kind = "as a correction" if remark.is_correction else "as a rule"
        where = f"{remark.assistant or 'unknown assistant'}, turn {remark.turn} of {remark.session_id}"
        page.line(f"  {at}“{one_line(remark.quote)}”", (f"  {kind}; {where}", FAINT), hang=4)


def _show_chats(page: Page, title: str, chats: Sequence[ChatRow]) -> None:
    if chats:
        page.head(f"{title} ({len(chats)})")
    for chat in chats[-_CHATS:]:
        page.line(f"  {moment(chat.at)}  {chat.assistant}", (f"  {chat.session_id}", FAINT), hang=4)
    _show_more(page, len(chats) - _CHATS, "earlier")


def held_line(rule: HeldRule) -> list[str | tuple[str, str]]:
    """Return what became of a rule as the parts of one line, for pages about something else."""
    single, _, style = _TITLES[rule.outcome]
    return [(single, style), f"  {rule.uri}:{rule.line}  {one_line(rule.why)}"]


def _short(text: str) -> str:
    line = one_line(text)
    return line if len(line) <= _WORDS else f"{line[:_WORDS].rstrip()} …"
