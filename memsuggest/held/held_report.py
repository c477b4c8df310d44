"""The report of `held`: do rules in files hold, with the evidence for every number."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Annotated, ClassVar

from memsuggest.core.json_shape import Also, Hidden, or_null
from memsuggest.core.model import Skipped
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
from memsuggest.core.text.when import day, iso, iso_time, moment


class HeldOutcome(StrEnum):
    """The outcome of a rule by later chats."""

    HOLDS = "holds"
    """It mattered in enough chats whose assistant had read it, and was not said again, or hardly ever."""
    DOES_NOT_HOLD = "doesNotHold"
    """It was said again, to an assistant that had read it."""
    UNTESTED = "untested"
    """It mattered in too few chats to tell."""
    NOT_LOADED = "notLoaded"
    """It mattered, but no assistant had read the file."""


class SinceFrom(StrEnum):
    """The source of the time since when a rule is in force."""

    APPLIED = "applied"
    """`apply` wrote it then."""
    GIT = "git"
    """Its line was last changed in a commit of then."""
    FILE = "file"
    """Its file has not changed since then, as the file system says."""
    SEEN = "seen"
    """It was there when its file was looked at first."""


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
    at: Annotated[int, "When it began, as ISO 8601.", iso]
    assistant: Annotated[str, "Its name; empty where it is not known."]
    path: Annotated[str, "The transcript."]


@dataclass(frozen=True, slots=True, kw_only=True)
class SaidAgain:
    """Something that the person typed and that says a rule."""

    session_id: Annotated[str, "The chat's own id."]
    turn: Annotated[int, "The number of the message in the chat, from 1."]
    quote: Annotated[str, "The words, without secrets."]
    at: Annotated[datetime | None, "When it was said, as ISO 8601.", iso_time]
    assistant: Annotated[str, "Whom it was said to; empty where that is not known."]
    is_correction: Annotated[bool, "Whether it was said of what the assistant had done."] = False
    rule: Hidden[str]
    """It as a line of a rule file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NotReadBy:
    """Chats in which a rule mattered and whose assistant had not read it."""

    assistant: str
    chats: int
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Remedy:
    """A remedy for a rule."""

    kind: Annotated[RemedyKind, "What sort of remedy it is."]
    what: str
    why: str
    text: Annotated[str, "The line as it could stand; empty where there is none to offer."] = ""
    uri: Annotated[str, "The file that it would stand in; empty for that of the rule."] = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldRule:
    """One rule of one file, and what became of it."""

    id: Annotated[str, "What `held` takes: identity of the file and of the rule's words."]
    uri: Annotated[str, "The file, relative to the root, or `~/…`."]
    line: Annotated[int, "From 1."]
    last_line: Annotated[int, "From 1."]
    content: Annotated[str, "Its words in the file."]
    heading: Annotated[str, "The heading that it stands under; empty for none."] = ""
    fact_id: Annotated[str, "The fact that was applied there.", or_null] = ""
    since: Annotated[int, "When it came into force, as ISO 8601.", iso]
    since_from: Annotated[SinceFrom, "How that is known."]
    outcome: HeldOutcome
    why: Annotated[str, "The outcome in a sentence."]
    chats: Annotated[int, "Chats that began since."] = 0
    _chats_said_again: ClassVar = Also("chats_said_again", int, "In how many of `exposed` it was said again.")
    exposed: Annotated[tuple[ChatRow, ...], "Chats since in which it mattered, and whose assistant had read it."] = ()
    said_again: Annotated[tuple[SaidAgain, ...], "What was said of it in those."] = ()
    not_read: tuple[NotReadBy, ...] = ()
    said_unread: Annotated[tuple[SaidAgain, ...], "What was said of it where the assistant had not read it."] = ()
    exposed_before: Annotated[
        tuple[ChatRow, ...], "Chats before in which it mattered, but the one that said it first."
    ] = ()
    said_before: tuple[SaidAgain, ...] = ()
    at_most: Annotated[float, "The highest share of chats in which it may be said again, with 95 % certainty."] = 1.0
    difference: Annotated[str, "What changed against before; empty where that cannot be told."] = ""
    remedies: Annotated[tuple[Remedy, ...], "Best first."] = ()

    @property
    def chats_said_again(self) -> int:
        """In how many chats it was said again."""
        return len({one.session_id for one in self.said_again})


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldReport:
    """The outcomes of the files' rules."""

    JSON_NAME = "Held"
    chats: Annotated[int, "Chats that were looked at."]
    since: Annotated[int | None, "Only chats that began since then count; null: all.", iso] = None
    first_chat: Annotated[int | None, "When the oldest of them began, as ISO 8601.", iso] = None
    undated: Annotated[int, "Chats that do not say when they began, and count for nothing."] = 0
    unknown_assistant: Annotated[int, "Chats of which it is not known what their assistant reads."] = 0
    gone: Annotated[int, "Rules that were applied and stand in no file any more."] = 0
    rules: Annotated[tuple[HeldRule, ...], "What does not hold first."]
    skipped: tuple[Skipped, ...] = ()
    is_file: Hidden[bool] = False
    """One file was asked for: all of its rules are shown."""
    is_one: Hidden[bool] = False
    """One rule was asked for: all of its evidence is shown."""

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
        _show_left_out(page, self)
        show_skipped(page, self.skipped)


_TITLES = {
    HeldOutcome.DOES_NOT_HOLD: ("does not hold", "do not hold", BAD),
    HeldOutcome.NOT_LOADED: ("not loaded", "not loaded", WARN),
    HeldOutcome.HOLDS: ("holds", "hold", GOOD),
    HeldOutcome.UNTESTED: ("untested", "untested", FAINT),
}
"""How one rule, and several, are said to have come out."""
_QUOTES = 3
"""Quotes that a page shows of a rule; of one that was asked for, all."""
_LISTED = 15
"""Rules of an outcome that a page lists; of a file that was asked for, all."""
_WORDS = 110
"""Characters of a rule that stand in a list."""
_SOURCES = {
    SinceFrom.APPLIED: "when you applied it",
    SinceFrom.GIT: "when its line was last committed otherwise",
    SinceFrom.FILE: "when its file was last written",
    SinceFrom.SEEN: "when it was seen first",
}


def _show_head(page: Page, report: HeldReport) -> None:
    if not report.rules:
        told = f"no rule of your files was applied or said again yet ({count(report.chats, 'chat', 'chats')})"
        page.line(told if report.chats else "no rules, and no chats of yours")
        page.faint("`memsuggest held FILE` looks at all rules of a file; `memsuggest targets` lists the files")
        return
    files = len({rule.uri for rule in report.rules})
    told = f"{count(len(report.rules), 'rule', 'rules')} in {count(files, 'file', 'files')}"
    began = report.first_chat or 0
    chats = count(report.chats, "chat", "chats") + (f", the first of {day(began)}" if began and report.chats else "")
    page.line((told, HEAD), f" and {chats}")
    parts: list[str | tuple[str, str]] = []
    for outcome, (one, many, style) in _TITLES.items():
        number = report.count(outcome)
        if number:
            parts += [(" · ", FAINT)] if parts else []
            parts.append((f"{number} {one if number == 1 else many}", style))
    page.line(*parts)


def _show_group(page: Page, outcome: HeldOutcome, rules: Sequence[HeldRule], *, is_whole: bool) -> None:
    page.line()
    _, many, style = _TITLES[outcome]
    page.line((f"{many[:1].upper()}{many[1:]} ({len(rules)})", HEAD))
    most = len(rules) if is_whole else _LISTED
    for rule in rules[:most]:
        _show_row(page, rule, style=style)
    if len(rules) > most:
        page.faint(f"  and {len(rules) - most} more: `memsuggest held FILE` shows all of a file")


def _show_row(page: Page, rule: HeldRule, *, style: str) -> None:
    """Print a rule with its outcome; of one that does not hold, the quotes and what to do."""
    if rule.outcome is HeldOutcome.HOLDS and not rule.said_again and not rule.remedies and not rule.difference:
        told = f"  {count(len(rule.exposed), 'chat', 'chats')}, not once"
        page.line(
            *((rule.id[:SHORT], ID), "  ", (f"{rule.uri}:{rule.line}", PATH), f"  {_short(rule.content)}"),
            (told, style),
            hang=INDENT,
        )
        return
    page.line((rule.id[:SHORT], ID), "  ", (f"{rule.uri}:{rule.line}", PATH), f"  {_short(rule.content)}", hang=INDENT)
    page.line((f"{' ' * (SHORT + 2)}{one_line(rule.why)}", style), hang=INDENT)
    if rule.outcome in (HeldOutcome.DOES_NOT_HOLD, HeldOutcome.NOT_LOADED):
        shown = rule.said_again or rule.said_unread
        _show_quotes(page, shown[-_QUOTES:])
        if len(shown) > _QUOTES:
            page.faint(f"{' ' * (SHORT + 2)}and {len(shown) - _QUOTES} earlier", hang=INDENT)
    elif rule.said_again or rule.said_unread:
        _show_quotes(page, [*rule.said_again, *rule.said_unread][-1:])
    if rule.difference:
        page.faint(f"{' ' * (SHORT + 2)}{rule.difference}", hang=INDENT)
    for remedy in rule.remedies[:1]:
        _show_remedy(page, remedy)


def _show_quotes(page: Page, said: Iterable[SaidAgain]) -> None:
    for one in said:
        at = f"{one.at.date().isoformat()}, " if one.at else ""
        page.line(
            " " * (SHORT + 2),
            f"› “{_short(one.quote)}”",
            (f"  {at}{one.assistant or 'some assistant'}", FAINT),
            hang=INDENT,
        )


def _show_remedy(page: Page, remedy: Remedy) -> None:
    page.line(
        " " * (SHORT + 2), ("try  ", GOOD), one_line(remedy.what), (f": {one_line(remedy.why)}", FAINT), hang=INDENT + 3
    )
    if remedy.text:
        page.line(" " * (SHORT + 7), f"“{_short(remedy.text)}”", hang=INDENT + 3)


def _show_left_out(page: Page, report: HeldReport) -> None:
    """Print what did not count, and why."""
    left = []
    if report.undated:
        left.append(f"{count(report.undated, 'chat does', 'chats do')} not say when")
    if report.unknown_assistant:
        left.append(f"of {count(report.unknown_assistant, 'chat', 'chats')} it is not known what the assistant reads")
    if left and not page.quiet:
        page.line()
        page.faint(f"not counted: {'; '.join(left)}")
    if report.gone and not page.quiet:
        page.faint(
            f"{count(report.gone, 'rule that you applied stands', 'rules that you applied stand')} in no file now"
        )


def _show_one(page: Page, rule: HeldRule) -> None:
    """Print a rule with all its evidence."""
    one, _, style = _TITLES[rule.outcome]
    page.line((rule.id[:SHORT], ID), "  ", (one_line(rule.content), HEAD), hang=SHORT + 2)
    place = f"{rule.uri}:{rule.line}"
    page.line("  ", (place, PATH), (f"  {rule.heading}" if rule.heading else "", FAINT))
    page.line((f"  {one}", style), f"  {one_line(rule.why)}", hang=4)
    chats = count(rule.chats, "chat has", "chats have")
    page.faint(f"  in force since {moment(rule.since)}, {_SOURCES[rule.since_from]}; {chats} begun since", hang=4)
    if rule.difference:
        page.faint(f"  {rule.difference}", hang=4)
    _show_said(page, "Said again", rule.said_again)
    _show_said(page, "Said where it had not been read", rule.said_unread)
    _show_said(page, "Said before", rule.said_before)
    _show_chats(page, "Mattered, and had been read", rule.exposed)
    for unread in rule.not_read:
        page.head(f"Mattered, and had not been read: {count(unread.chats, 'chat', 'chats')} with {unread.assistant}")
        page.line(f"  {sentence(unread.why)}", hang=4)
    _show_chats(page, "Mattered before it was in force", rule.exposed_before)
    if rule.remedies:
        page.head("What to do")
    for remedy in rule.remedies:
        page.line(f"  {sentence(remedy.what)}", (f": {one_line(remedy.why)}", FAINT), hang=4)
        if remedy.text:
            page.line(f"    “{one_line(remedy.text)}”", hang=6)


def _show_said(page: Page, title: str, said: Sequence[SaidAgain]) -> None:
    if said:
        page.head(f"{title} ({len(said)})")
    for one in said:
        at = f"{one.at.date().isoformat()}  " if one.at else ""
        kind = "against what was done" if one.is_correction else "as a rule"
        where = f"{one.assistant or 'some assistant'}, turn {one.turn} of {one.session_id}"
        page.line(f"  {at}“{one_line(one.quote)}”", (f"  {kind}; {where}", FAINT), hang=4)


def _show_chats(page: Page, title: str, chats: Sequence[ChatRow]) -> None:
    if not chats:
        return
    page.head(f"{title} ({len(chats)})")
    for one in chats[-_LISTED:]:
        page.line(f"  {moment(one.at)}  {one.assistant}", (f"  {one.session_id}", FAINT), hang=4)
    if len(chats) > _LISTED:
        page.faint(f"  and {len(chats) - _LISTED} earlier; `--format json` has all")


def held_line(rule: HeldRule) -> list[str | tuple[str, str]]:
    """Return what became of a rule as the parts of one line, for pages about something else."""
    one, _, style = _TITLES[rule.outcome]
    return [(one, style), f"  {rule.uri}:{rule.line}  {one_line(rule.why)}"]


def _short(text: str) -> str:
    line = one_line(text)
    return line if len(line) <= _WORDS else f"{line[:_WORDS].rstrip()} …"
