"""The report as one page: what its template needs, and the policy that lets nothing else in. Pure.

Every text on the page goes through `safe` and through the template engine's escapes, whoever wrote it. Charts are bars
and columns of a calendar month each, made by hand: they stretch to the width of the page, so months and numbers stand
beside them, and each column says in words what it shows.
"""

from __future__ import annotations

import hashlib
from base64 import b64encode
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.resources import files
from itertools import pairwise
from typing import Protocol
from urllib.parse import quote

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from memsuggest import __version__
from memsuggest.core.model import Citation
from memsuggest.core.render.safe_output import one_line, safe
from memsuggest.core.text.when import day as iso_day
from memsuggest.held.held_report import ChatShare, HeldOutcome, HeldRule, SaidAgain, share_before, share_since
from memsuggest.held.rule_outcome import no_effect
from memsuggest.report.workspace_report import Learned, WorkspaceReport

MARK = '<meta name="generator" content="memsuggest report'
"""By this one tells a report of ours from any other file."""
LONGEST = 400
"""Characters of a text on the page."""
WIDTH = 600
HEIGHT = 40
_TEMPLATES = "templates"
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_AXIS = 24
"""Months that the axis has at most."""
_ACTIONS = 3


def page(report: WorkspaceReport) -> str:
    """Return the page; it ends with a line end."""
    style, script = _text("report.css"), _text("report.js")
    views = [RuleView(rule=rule, before=share_before(rule), since=share_since(rule)) for rule in report.held.rules]
    axis = _axis(report)
    return (
        _environment()
        .get_template("report.html")
        .render(
            report=report,
            version=__version__,
            style=Markup(style),  # noqa: S704  (our own files)  # nosec
            script=Markup(script),  # noqa: S704  # nosec
            policy=_policy(style, script),
            groups={name: [view for view in views if view.group == name] for name in GROUPS},
            about=GROUPS,
            actions=list(_actions(report, views))[:_ACTIONS],
            axis=axis,
            strip=lambda view: _strip(view, axis),
            place=lambda uri, line=0: _place(report, uri, line),
            commit=lambda at: _commit(report, at),
            months=_by_month(report.learned),
            learned_chart=_learned_chart(report, axis),
        )
        .lstrip()
    )


def _text(name: str) -> str:
    return (files(__package__) / _TEMPLATES / name).read_text(encoding="utf-8").strip()


def _policy(style: str, script: str) -> str:
    hashes = (b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in (style, script))
    allowed = "style-src 'sha256-{}'; script-src 'sha256-{}'".format(*hashes)
    return f"default-src 'none'; {allowed}; img-src data:; base-uri 'none'; form-action 'none'"


def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader(__package__, _TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        finalize=_inert,
    )
    environment.filters |= {"number": number, "day": day, "iso_day": iso_day, "short": short, "coded": _coded}
    environment.globals |= {
        "counted": counted,
        "stacked": stacked,
        "said_by_words": said_by_words,
        "percent": percent,
        "month_name": _month_name,
    }
    return environment


def _inert(value: object) -> object:
    return safe(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def _coded(text: str) -> Markup:
    """Set what stands between two backticks as code."""
    pieces = text.split("`")
    if len(pieces) % 2 == 0:
        return Markup("{}").format(text)
    forms = (Markup("<code>{}</code>" if place % 2 else "{}") for place in range(len(pieces)))  # noqa: S704  # nosec  (both are constants)
    return Markup("").join(form.format(piece) for form, piece in zip(forms, pieces, strict=True))


def number(value: float) -> str:
    """Write a number with its thousands apart.

    >>> number(12345)
    '12,345'
    """
    return f"{value:,.0f}"


def counted(count: int, noun: str, plural: str = "") -> str:
    """Write a number with its noun.

    >>> counted(1, "chat"), counted(2, "chat"), counted(2, "says", "say")
    ('1 chat', '2 chats', '2 say')
    """
    return f"{number(count)} {noun if count == 1 else plural or noun + 's'}"


def percent(share: ChatShare) -> str:
    return f"{100 * share.said / share.of:.0f} %" if share.of else "–"


def day(milliseconds: int) -> str:
    """Write a day as people of all countries read it.

    >>> day(0)
    '1 Jan 1970'
    """
    at = datetime.fromtimestamp(milliseconds / 1000, UTC)
    return f"{at.day} {_MONTHS[at.month - 1]} {at.year}"


def short(text: str, limit: int = LONGEST) -> str:
    return one_line(text[: 4 * limit], limit=limit)


class _Said(Protocol):
    @property
    def quote(self) -> str: ...
    @property
    def at(self) -> datetime | None: ...
    @property
    def session_id(self) -> str: ...
    @property
    def turn(self) -> int: ...


def said_by_words(rows: Iterable[SaidAgain | Citation]) -> list[list[_Said]]:
    """Return what was said, the same words together: what was said most first, of each the newest first."""
    found: dict[str, list[_Said]] = defaultdict(list)
    for row in rows:
        found["".join(filter(str.isalnum, row.quote.casefold()))].append(row)
    return sorted((list(reversed(same)) for same in found.values()), key=len, reverse=True)


def _month(milliseconds: int) -> int:
    at = datetime.fromtimestamp(milliseconds / 1000, UTC)
    return at.year * 12 + at.month - 1


def _month_name(month: int) -> str:
    return f"{_MONTHS[month % 12]} {month // 12}"


def _axis(report: WorkspaceReport) -> range:
    """Return the calendar months that the page is about; a team's page has no days of chats."""
    known = [one.fact.timestamp for one in report.learned]
    first = report.since or min([*known, *filter(None, [report.held.first_chat])], default=report.made_at)
    last = _month(report.made_at)
    return range(max(_month(first), last - _AXIS + 1), last + 1)


GROUPS = {
    "does not hold": "Said again to an assistant that had read it.",
    "not read": "Relevant in chats whose assistant had not read the file.",
    "holds, no measurable effect": "Rarely repeated since, but rarely repeated before: the numbers show no difference.",
    "holds": "Relevant in enough chats, and rarely or never said again.",
    "untested": "Relevant in too few chats to tell.",
}
"""Rules by what became of them, in the order of the page."""
_NAMES = {
    HeldOutcome.DOES_NOT_HOLD: "does not hold",
    HeldOutcome.NOT_LOADED: "not read",
    HeldOutcome.HOLDS: "holds",
    HeldOutcome.UNTESTED: "untested",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleView:
    """A rule with what the page counts of it."""

    rule: HeldRule
    before: ChatShare
    since: ChatShare

    @property
    def group(self) -> str:
        """The group that it stands in."""
        counts = [share for pair in (self.before, self.since) for share in (pair.said, pair.of)]
        is_even = self.rule.outcome is HeldOutcome.HOLDS and self.before.said and no_effect(*counts)
        return "holds, no measurable effect" if is_even else _NAMES[self.rule.outcome]


@dataclass(frozen=True, slots=True, kw_only=True)
class Action:
    """Something to do first."""

    what: str
    about: str
    why: str
    command: str


def _actions(report: WorkspaceReport, views: Sequence[RuleView]) -> Iterator[Action]:
    """Yield what is worth doing, first what costs most: a rule in vain, a decision, a file that nobody reads."""
    failing = [view for view in views if view.group == "does not hold"]
    for view in sorted(failing, key=lambda one: -one.since.said)[:1]:
        what = view.rule.remedies[0].what if view.rule.remedies else "make it more specific"
        again = f"said again in {view.since.said:,} of {counted(view.since.of, 'chat')} since"
        yield Action(
            what=_capital(what), about=view.rule.content, why=again, command=f"memsuggest held {view.rule.id[:7]}"
        )
    for one in report.pending[:1]:
        quoted = sum(bool(cited.quote) for cited in one.fact.citations) if one.fact else 0
        why = f"said {counted(quoted, 'time')}" if quoted else "pending"
        yield Action(what="Review", about=one.content, why=why, command=f"memsuggest apply {one.id[:7]}")
    unread = [view for view in views if view.group == "not read"]
    for view in sorted(unread, key=lambda one: -sum(row.chats for row in one.rule.not_read))[:1]:
        chats = counted(sum(row.chats for row in view.rule.not_read), "chat")
        why = f"in {view.rule.uri}, not read in {chats} where it was relevant"
        yield Action(
            what="Move to a file that is read",
            about=view.rule.content,
            why=why,
            command=f"memsuggest held {view.rule.id[:7]}",
        )
    for gap in [one for one in report.held.gaps if not one.suggestion_id][:1]:
        why = f"said {counted(gap.times, 'time')} in {counted(gap.chats, 'chat')}, and in no file"
        yield Action(what="Add to a file", about=gap.content, why=why, command="memsuggest review")
    for file in [one for one in report.files if one.is_over][:1]:
        why = f"{number(file.tokens)} tokens; its budget is {number(file.budget or 0)}"
        yield Action(what="Shorten", about=file.uri, why=why, command="memsuggest list")


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _by_month(learned: Sequence[Learned]) -> list[tuple[str, list[Learned]]]:
    found: dict[str, list[Learned]] = defaultdict(list)
    for one in learned:
        found[_month_name(_month(one.fact.timestamp))].append(one)
    return list(found.items())


def _place(report: WorkspaceReport, uri: str, line: int) -> Markup:
    """Return where something stands, with a link to it where the repo's place on the web is known."""
    told = Markup('<span class="path">{}</span>').format(safe(short(f"{uri}:{line}" if line else uri, 160)))
    if not report.web or uri not in report.on_web:
        return told
    address = f"{report.web}/blob/{report.head}/{quote(uri)}" + (f"#L{line}" if line else "")
    return Markup('<a href="{}" rel="noreferrer">{}</a>').format(address, told)


def _commit(report: WorkspaceReport, at: int) -> Markup:
    name = report.commits.get(at, "") if report.web else ""
    link = Markup('<a class="path" href="{}/commit/{}" rel="noreferrer">{}</a>')
    return link.format(report.web, name, name[:7]) if name else Markup("")


def stacked(parts: Sequence[tuple[str, int]], *, label: str, most: int | None = None, css: str = "stack") -> Markup:
    """Draw one bar of several parts, each with its class; with `most`, it is as long as its share of that."""
    total = most or sum(size for _, size in parts) or 1
    rects, at = [], 0.0
    for name, size in parts:
        width = size / total * WIDTH
        if size:
            rects.append(
                Markup('<rect class="{}" x="{}" y="0" width="{}" height="10"/>').format(name, _n(at), _n(width))
            )
        at += width
    return _svg(Markup("").join(rects), height=10, label=label, css=css)


def columns(
    values: Sequence[tuple[str, int, int]], *, label: str, css: str = "columns", line: float | None = None
) -> Markup:
    """Draw a column for each name, whole and part of it, which stands at its foot; `line` is at a share of all."""
    highest = max((whole for _, whole, _ in values), default=0) or 1
    step = WIDTH / max(len(values), 1)
    drawn = Markup("")
    for place, (name, whole, part) in enumerate(values):
        inner = Markup("<title>{}</title>").format(name)
        inner += Markup('<rect class="area" x="{}" y="0" width="{}" height="40"/>').format(_n(place * step), _n(step))
        edges = (0.0, part / highest * HEIGHT, whole / highest * HEIGHT)
        for kind, (low, high) in zip(("part", "whole"), pairwise(edges), strict=True):
            if high > low:
                inner += Markup('<rect class="{}" x="{}" y="{}" width="{}" height="{}"/>').format(
                    kind, _n(place * step + step * 0.08), _n(HEIGHT - high), _n(step * 0.84), _n(high - low)
                )
        drawn += Markup("<g>{}</g>").format(inner) if whole else Markup("")
    if line is not None:
        drawn += Markup('<path class="line" d="M{} 0v40"/>').format(_n(line * WIDTH))
    return _svg(drawn, height=HEIGHT, label=label, css=css)


def _n(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")


def _svg(drawn: Markup, *, height: int, label: str, css: str) -> Markup:
    return Markup(
        '<svg class="{}" role="img" aria-label="{}" viewBox="0 0 {} {}" preserveAspectRatio="none">{}</svg>'
    ).format(css, label, WIDTH, height, drawn)


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
    """A chart, and the number at its highest column."""

    drawn: Markup
    highest: int


def _chart(times: Iterable[int], parts: Iterable[int], axis: range, *, said: str, **given: object) -> Chart:
    """Draw how many of some moments, and of a part of them, lie in each month."""
    wholes, inner = Counter(map(_month, times)), Counter(map(_month, parts))
    values = [
        (
            f"{_month_name(month)}: {said.format(number(inner[month]), number(wholes[month]))}",
            wholes[month],
            inner[month],
        )
        for month in axis
    ]
    return Chart(drawn=columns(values, **given), highest=max((whole for _, whole, _ in values), default=0))  # type: ignore[arg-type]


def _strip(view: RuleView, axis: range) -> Chart | None:
    """Draw the chats in which a rule was relevant and those in which it was said; None where there are no days.

    All rules have the same months, so that one can be held beside another.
    """
    rule = view.rule
    began = {one.session_id: one.at for one in (*rule.exposed_before, *rule.exposed) if one.at}
    for one in (*rule.said_before, *rule.said_again):
        if one.at:
            began.setdefault(one.session_id, round(one.at.timestamp() * 1000))
    if not began or not (view.before.of or view.since.of):
        return None
    speaking = {one.session_id for one in (*rule.said_before, *rule.said_again)}
    at = datetime.fromtimestamp(rule.since / 1000, UTC)
    share = (_month(rule.since) - axis.start + (at.day - 1) / 31) / len(axis)
    return _chart(
        began.values(),
        (moment for name, moment in began.items() if name in speaking),
        axis,
        said="said in {} of {} chats",
        label=f"Said in {view.before.said:,} of {counted(view.before.of, 'chat')} before {day(rule.since)},"
        f" and {view.since.said:,} of {view.since.of:,} since",
        css="strip",
        line=share if 0 <= share <= 1 else None,
    )


def _learned_chart(report: WorkspaceReport, axis: range) -> Chart | None:
    """Draw how many rules were said first in each month, and how many of those stand in files."""
    if len(axis) < 2 or not report.learned:
        return None
    times = [one.fact.timestamp for one in report.learned]
    applied = [one.fact.timestamp for one in report.learned if one.applied_to]
    label = f"{counted(len(times), 'rule')} since {_month_name(axis.start)}, {len(applied):,} of them applied"
    return _chart(times, applied, axis, said="{} of {} rules applied", label=label)
