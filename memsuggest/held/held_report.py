"""The report of `held`: do rules in files hold, with the evidence for every number."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Annotated, ClassVar

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

    HOLDS = "holds"
    """It was relevant in enough chats whose assistant had read it, and was rarely or never said again."""
    DOES_NOT_HOLD = "doesNotHold"
    """It was said again, to an assistant that had read it."""
    UNTESTED = "untested"
    """It was relevant in too few chats to tell."""
    NOT_LOADED = "notLoaded"
    """It was relevant, but no assistant had read the file."""


class SinceFrom(StrEnum):
    """The source of the time since when a rule is in force."""

    APPLIED = "applied"
    """The time when `apply` wrote it."""
    GIT = "git"
    """The time of the last commit that changed its line."""
    FILE = "file"
    """The time when its file was last modified."""
    SEEN = "seen"
    """The time when memsuggest first read its file."""


class RemedyKind(StrEnum):
    """The kind of a remedy for a rule that does not hold, or that nobody reads."""

    SHARPER = "sharper"
    EXAMPLE = "example"
    OTHER_FILE = "otherFile"
    REMOVE = "remove"


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatRow:
    """A chat that counted."""

    session_id: Annotated[str, "The chat's own id."]
    at: Annotated[int, "The chat's start time, in ISO 8601 format.", iso]
    assistant: Annotated[str, "The assistant's name; empty if unknown."]
    path: Annotated[str, "The transcript's path."]


@dataclass(frozen=True, slots=True, kw_only=True)
class SaidAgain:
    """Something that the person typed and that says a rule."""

    session_id: Annotated[str, "The chat's own id."]
    turn: Annotated[int, "The number of the message in the chat, from 1."]
    quote: Annotated[str, "The quote, with secrets redacted."]
    at: Annotated[datetime | None, "The time of the message, in ISO 8601 format.", iso_time]
    assistant: Annotated[str, "The assistant it was said to; empty if unknown."]
    is_correction: Annotated[bool, "Whether it corrected something the assistant had done."] = False
    rule: Hidden[str]
    """It as a line of a rule file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NotReadBy:
    """Chats in which a rule was relevant and whose assistant had not read it."""

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
    uri: Annotated[str, "The file for the suggested line; empty for the rule's own file."] = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldRule:
    """One rule of one file, and what became of it."""

    id: Annotated[str, "The rule's id, which `held` accepts."]
    uri: Annotated[str, "The file, relative to the root, or `~/…`."]
    line: Annotated[int, "From 1."]
    last_line: Annotated[int, "From 1."]
    content: Annotated[str, "The rule's text in the file."]
    heading: Annotated[str, "The heading above it; empty for none."] = ""
    fact_id: Annotated[str, "The id of the fact applied there.", or_null] = ""
    since: Annotated[int, "The time since when it is in effect, in ISO 8601 format.", iso]
    since_from: Annotated[SinceFrom, "The source of that time."]
    outcome: HeldOutcome
    why: Annotated[str, "The outcome in one sentence."]
    chats: Annotated[int, "The number of chats started since then."] = 0
    _chats_said_again: ClassVar = Also(
        "chats_said_again", int, "The number of `exposed` chats in which it was said again."
    )
    exposed: Annotated[
        tuple[ChatRow, ...], "Chats since then in which it was relevant and the assistant had read it."
    ] = ()
    said_again: Annotated[tuple[SaidAgain, ...], "Messages in those chats that repeat the rule."] = ()
    not_read: tuple[NotReadBy, ...] = ()
    said_unread: Annotated[
        tuple[SaidAgain, ...], "Messages that repeat the rule in chats whose assistant had not read it."
    ] = ()
    exposed_before: Annotated[
        tuple[ChatRow, ...], "Earlier chats in which it was relevant, except the one that first stated it."
    ] = ()
    said_before: tuple[SaidAgain, ...] = ()
    at_most: Annotated[float, "The upper bound (95% confidence) on the share of chats in which it is said again."] = 1.0
    difference: Annotated[str, "The change compared with before; empty if unknown."] = ""
    remedies: Annotated[tuple[Remedy, ...], "Best first."] = ()

    @property
    def chats_said_again(self) -> int:
        return len({said.session_id for said in self.said_again})


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatShare:
    """In how many of the chats in which a rule was relevant it was said."""

    said: int
    of: int


def share_before(rule: HeldRule) -> ChatShare:
    """Count the chats from before a rule was in force, without the one in which it was said first."""
    return _share(rule.exposed_before, rule.said_before)


def share_since(rule: HeldRule) -> ChatShare:
    """Count the chats since, of assistants that had read it."""
    return _share(rule.exposed, rule.said_again)


def _share(mattered: Iterable[ChatRow], said: Iterable[SaidAgain]) -> ChatShare:
    chats = {one.session_id for one in mattered}
    return ChatShare(said=len(chats & {remark.session_id for remark in said}), of=len(chats))


@dataclass(frozen=True, slots=True, kw_only=True)
class Covering:
    """A line of a file that says something already."""

    uri: str
    line: Annotated[int, "From 1."]
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Matter:
    """One thing that was said in several chats, or by several people."""

    fact_ids: Annotated[tuple[str, ...], "The facts about it, most evidence first."]
    content: Annotated[str, "The text of the first fact."]
    scope: Annotated[Scope, "`workspace`: about this repo; `user`: about you, in every repo."]
    times: Annotated[int, "The number of times it was said."]
    chats: Annotated[int, "The number of chats."]
    others: Annotated[int, "The number of those chats that belong to other people."] = 0
    _price: ClassVar = Also("price", int, "Times said × chats.")
    first: Annotated[int | None, "The time it was first said, in ISO 8601 format.", iso] = None
    last: Annotated[int | None, iso] = None
    covered_by: Annotated[tuple[Covering, ...], "The lines that state it; empty for a gap."] = ()
    suggestion_id: Annotated[str, "The id of the pending suggestion that adds it to a file.", or_null] = ""
    citations: Annotated[tuple[Citation, ...], "Your own words, oldest first."] = ()

    @property
    def price(self) -> int:
        """The price of no file saying it: times said × chats."""
        return self.times * self.chats


@dataclass(frozen=True, slots=True, kw_only=True)
class FileUse:
    """A customization file, and whether recent chats used it."""

    uri: str
    tokens: Annotated[int, "The cost each time it is loaded."]
    loaded: Annotated[int, "The number of recent chats whose assistant loaded it."]
    touched: Annotated[int, "The number of recent chats that read or changed it."]
    last_used: Annotated[
        int | None, "The start time of the last chat that used it, in ISO 8601 format; null for none.", iso
    ] = None
    idle: ClassVar = Also("is_idle", bool, "Whether no recent chat used it.")
    is_known: Annotated[bool, "Whether chats record that it is used.", Key("known")] = True
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
    since: Annotated[int | None, "Only chats started since then count; null for all.", iso] = None
    first_chat: Annotated[int | None, "The start time of the oldest chat, in ISO 8601 format.", iso] = None
    undated: Annotated[int, "Chats without a start time, which are not counted."] = 0
    unknown_assistant: Annotated[int, "Chats for which it is unknown what their assistant reads."] = 0
    gone: Annotated[int, "Applied rules that are no longer in any file."] = 0
    rules: Annotated[tuple[HeldRule, ...], "Rules that do not hold come first."]
    unlearned: Annotated[int, "Chats that `reconcile` has not read yet."] = 0
    _gaps: ClassVar = Also("gaps", tuple[Matter, ...], "Rules in no file, highest price first.")
    _covered: ClassVar = Also("covered", tuple[Matter, ...], "Rules in a file.")
    maybes: Annotated[int, "Low-confidence suggestions, which are not counted."] = 0
    recent: Annotated[int, "The number of newest chats that count for file use."] = 0
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
        """Return how many rules have an outcome."""
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
        for outcome in _TITLES:
            rules = [rule for rule in self.rules if rule.outcome is outcome]
            if rules:
                _show_group(page, outcome, rules, is_whole=self.is_file)
        if not self.is_file:
            _show_gaps(page, self)
            _show_unused(page, self)
        _show_left_out(page, self)
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
_CHATS = 15
"""Chats, the newest, that are listed of a rule."""
_NO_FIRST = re.compile(r"\A(?:no+|nope|nein|non)\b[\s,.:!–-]+", re.IGNORECASE)
_WORDS = 110
"""Characters of a rule that stand in a list."""
_SOURCES = {
    SinceFrom.APPLIED: "the time you applied it",
    SinceFrom.GIT: "the last commit that changed its line",
    SinceFrom.FILE: "the last change to its file",
    SinceFrom.SEEN: "the first time it was seen",
}


def _show_head(page: Page, report: HeldReport) -> None:
    if not report.rules:
        text = f"no rules in your files have been applied or repeated yet ({count(report.chats, 'chat', 'chats')})"
        page.line(text if report.chats else "no rules and no chats found")
        page.faint("`memsuggest held FILE` checks every rule in a file; `memsuggest targets` lists the files")
        return
    files = len({rule.uri for rule in report.rules})
    text = f"{count(len(report.rules), 'rule', 'rules')} in {count(files, 'file', 'files')}"
    began = report.first_chat or 0
    chats = count(report.chats, "chat", "chats") + (f", the first on {day(began)}" if began and report.chats else "")
    page.line((text, HEAD), f" and {chats}")
    parts: list[str | tuple[str, str]] = []
    for outcome, (one, many, style) in _TITLES.items():
        number = report.count(outcome)
        if number:
            parts += [(" · ", FAINT)] if parts else []
            parts.append((f"{number} {one if number == 1 else many}", style))
    page.line(*parts)


def _show_group(page: Page, outcome: HeldOutcome, rules: Sequence[HeldRule], *, is_whole: bool) -> None:
    most = len(rules) if is_whole else _LISTED.get(outcome, 0)
    if not most:
        return  # in the head stands how many there are
    page.line()
    _, many, _ = _TITLES[outcome]
    page.line((f"{many[:1].upper()}{many[1:]} ({len(rules)})", HEAD))
    if outcome is HeldOutcome.NOT_LOADED and not is_whole:
        _show_unread(page, rules, most=most)
        return
    advice = ""
    for rule in rules[:most]:
        _show_row(page, rule)
        for remedy in rule.remedies[:1]:
            if remedy.what != advice:  # the same for the next rule goes without saying
                _show_remedy(page, remedy)
            advice = remedy.what
    if len(rules) > most:
        page.faint(f"  and {len(rules) - most} more: `memsuggest held FILE` shows every rule in a file")


def _show_unread(page: Page, rules: Sequence[HeldRule], *, most: int) -> None:
    """Print the files that nobody had read, each once with why, the first of its rules, and what to do."""
    by_file: dict[str, list[HeldRule]] = {}
    for rule in rules:
        by_file.setdefault(rule.uri, []).append(rule)
    for uri, own in list(by_file.items())[:most]:
        chats = len({said.session_id for rule in own for said in rule.said_unread})
        page.line((uri, PATH), f"  {count(len(own), 'rule', 'rules')}, said in {count(chats, 'chat', 'chats')}", hang=4)
        why = next((unread.why for rule in own for unread in rule.not_read if unread.why), "")
        if why:
            page.faint(f"  {one_line(why)}", hang=4)
        for rule in own[:2]:
            page.line("  ", (rule.id[:SHORT], ID), f"  {_short(rule.content)}", hang=INDENT)
        for remedy in own[0].remedies[:1]:
            page.line("  ", ("try  ", GOOD), one_line(remedy.what), hang=INDENT)
    if len(by_file) > most:
        page.faint(f"  and {len(by_file) - most} more files; `memsuggest held FILE` shows one file")


def _show_row(page: Page, rule: HeldRule) -> None:
    """Print a rule, its numbers, and of one that does not hold what was said in other words, and what to do."""
    page.line((rule.id[:SHORT], ID), "  ", (f"{rule.uri}:{rule.line}", PATH), f"  {_short(rule.content)}", hang=INDENT)
    _, _, style = _TITLES[rule.outcome]
    page.line(" " * INDENT, (_compared(rule), style), hang=INDENT)
    if rule.outcome is HeldOutcome.HOLDS:
        return
    said = [
        one
        for one in (*rule.said_again, *rule.said_unread)
        if not same_words(_NO_FIRST.sub("", one.quote), rule.content)
    ]
    for one in said[-1:]:
        at = f"{one.at.date().isoformat()}, " if one.at else ""
        page.line(
            " " * INDENT,
            f"› “{_short(one.quote)}”",
            (f"  {at}{one.assistant or 'unknown assistant'}", FAINT),
            hang=INDENT,
        )


def _compared(rule: HeldRule) -> str:
    """Say in how many chats a rule was said before and since, and whether that is a difference."""
    before, since = share_before(rule), share_since(rule)
    if not since.of:
        return one_line(rule.why)
    parts = [
        f"before: said in {before.said} of {before.of} chats" if before.of else "",
        f"since: {since.said} of {since.of}",
    ]
    head, _, rest = rule.difference.partition(":")
    chance = rest[rest.rfind("(") :] if rest.endswith(")") else ""
    return " · ".join(filter(None, (*parts, f"{head} {chance}".strip())))


def _show_remedy(page: Page, remedy: Remedy) -> None:
    page.line(
        " " * INDENT, ("try  ", GOOD), one_line(remedy.what), (f": {one_line(remedy.why)}", FAINT), hang=INDENT + 3
    )
    if remedy.text:
        page.line(" " * (SHORT + 7), f"“{_short(remedy.text)}”", hang=INDENT + 3)


_GAPS = 5
"""Gaps that are shown."""


def _show_gaps(page: Page, report: HeldReport) -> None:
    gaps = report.gaps
    page.line()
    if report.unlearned:
        chats = count(report.unlearned, "chat was", "chats were")
        page.line((f"{chats} not read yet: run `memsuggest reconcile`", WARN))
    if gaps:
        page.line((f"Said repeatedly, but in no file ({len(gaps)})", HEAD))
    elif report.matters:
        page.line(("everything you said in several chats is in your files", GOOD))
    else:
        page.line("no rule has been said in more than one chat yet")
    for gap in gaps[:_GAPS]:
        name = (gap.suggestion_id or gap.fact_ids[0])[:SHORT]
        page.line((name, ID), "  ", _short(gap.content), hang=INDENT)
        parts = [f"said {count(gap.times, 'time', 'times')} in {count(gap.chats, 'chat', 'chats')}"]
        parts += [f"{gap.others} by others"] if gap.others else []
        parts += [f"last {day(gap.last)}"] if gap.last else []
        parts += [f"pending: `memsuggest show {name}`"] if gap.suggestion_id else []
        page.faint(f"{' ' * INDENT}{', '.join(parts)}", hang=INDENT)
        if gap.citations:
            page.line(f"{' ' * INDENT}› “{_short(gap.citations[-1].quote)}”", hang=INDENT)
    if len(gaps) > _GAPS:
        page.faint(f"  and {len(gaps) - _GAPS} more; use `--format json` to list all")
    if report.maybes:
        number = count(report.maybes, "low-confidence suggestion is", "low-confidence suggestions are")
        page.faint(f"{number} not counted: `memsuggest review --maybe`")


_UNUSED = 3
"""Unused files that are shown."""


def _show_unused(page: Page, report: HeldReport) -> None:
    """Print the files that no recent chat used, highest cost first."""
    unused = [file for file in report.files if file.is_idle]
    if not unused or not report.recent:
        return
    page.line()
    tokens = sum(file.tokens for file in unused)
    chats = f"the last {report.recent} chats" if report.recent > 1 else "the last chat"
    page.line((f"Files not used in {chats} ({len(unused)}, about {tokens:,} tokens)", HEAD))
    for file in unused[:_UNUSED]:
        never = f"never used: {file.why_unread}" if file.why_unread else "never used"
        used = f"last used {day(file.last_used)}" if file.last_used else never
        page.line("  ", (file.uri, PATH), (f"  about {file.tokens:,} tokens, {used}", FAINT), hang=INDENT)
    if len(unused) > _UNUSED:
        page.faint(f"  and {len(unused) - _UNUSED} more; use `--format json` to list all")


def _show_left_out(page: Page, report: HeldReport) -> None:
    """Print what did not count, and why."""
    left = []
    if report.undated:
        left.append(f"{count(report.undated, 'chat', 'chats')} without a start time")
    if report.unknown_assistant:
        left.append(f"{count(report.unknown_assistant, 'chat', 'chats')} whose assistant's files are unknown")
    if left and not page.quiet:
        page.line()
        page.faint(f"not counted: {'; '.join(left)}")
    if report.rules and not page.quiet:
        page.faint("a repetition counts only in nearly the words of the rule")
    if report.gone and not page.quiet:
        page.faint(f"{count(report.gone, 'rule you applied is', 'rules you applied are')} no longer in any file")


def _show_one(page: Page, rule: HeldRule) -> None:
    """Print a rule with all its evidence."""
    one, _, style = _TITLES[rule.outcome]
    page.line((rule.id[:SHORT], ID), "  ", (one_line(rule.content), HEAD), hang=SHORT + 2)
    place = f"{rule.uri}:{rule.line}"
    page.line("  ", (place, PATH), (f"  {rule.heading}" if rule.heading else "", FAINT))
    page.line((f"  {one}", style), f"  {one_line(rule.why)}", hang=4)
    chats = count(rule.chats, "chat has", "chats have")
    page.faint(f"  in effect since {moment(rule.since)}, {_SOURCES[rule.since_from]}; {chats} started since", hang=4)
    if rule.difference:
        page.faint(f"  {rule.difference}", hang=4)
    _show_said(page, "Said again", rule.said_again)
    _show_said(page, "Said again where the file had not been read", rule.said_unread)
    _show_said(page, "Said before", rule.said_before)
    _show_chats(page, "Relevant and read", rule.exposed)
    for unread in rule.not_read:
        page.head(f"Relevant but not read: {count(unread.chats, 'chat', 'chats')} with {unread.assistant}")
        page.line(f"  {sentence(unread.why)}", hang=4)
    _show_chats(page, "Relevant before it took effect", rule.exposed_before)
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
    if not chats:
        return
    page.head(f"{title} ({len(chats)})")
    for chat in chats[-_CHATS:]:
        page.line(f"  {moment(chat.at)}  {chat.assistant}", (f"  {chat.session_id}", FAINT), hang=4)
    if len(chats) > _CHATS:
        page.faint(f"  and {len(chats) - _CHATS} earlier; use `--format json` to list all")


def held_line(rule: HeldRule) -> list[str | tuple[str, str]]:
    """Return what became of a rule as the parts of one line, for pages about something else."""
    one, _, style = _TITLES[rule.outcome]
    return [(one, style), f"  {rule.uri}:{rule.line}  {one_line(rule.why)}"]


def _short(text: str) -> str:
    line = one_line(text)
    return line if len(line) <= _WORDS else f"{line[:_WORDS].rstrip()} …"
