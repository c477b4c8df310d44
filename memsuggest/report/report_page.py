"""The report as one page: what its template needs, and the policy that lets nothing else in. Pure.

Every text on the page goes through `safe` and through the template engine's escapes, whoever wrote it. Charts are bars
and columns of a calendar month each, made by hand: they stretch to the width of the page, so months and numbers stand
beside them, and each column says in words what it shows.
"""

from __future__ import annotations

import hashlib
from base64 import b64encode
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from importlib.resources import files
from itertools import groupby
from typing import NamedTuple
from urllib.parse import quote

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from memsuggest import __version__
from memsuggest.core.model import Citation
from memsuggest.core.render.safe_output import one_line, safe
from memsuggest.core.text.when import day as iso_day
from memsuggest.held.held_report import ChatShare, HeldOutcome, HeldRule, SaidAgain, share_before, share_since
from memsuggest.held.rule_outcome import no_effect
from memsuggest.report.report_data import WorkspaceReport

MARK = '<meta name="generator" content="memsuggest report'  # by this one tells a report of ours from any other file
LONGEST = 400  # characters of a text on the page
WIDTH, HEIGHT = 600, 40
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_AXIS = 24  # months that the axis has at most
_ACTIONS = 3


def page(report: WorkspaceReport) -> str:
    """Return the page; it ends with a line end."""
    style, script = (
        (files(__package__) / "templates" / name).read_text(encoding="utf-8").strip()
        for name in ("report.css", "report.js")
    )
    hashes = (b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in (style, script))
    allowed = "style-src 'sha256-{}'; script-src 'sha256-{}'".format(*hashes)
    views = []
    for rule in report.held.rules:
        before, since = share_before(rule), share_since(rule)
        is_even = rule.outcome is HeldOutcome.HOLDS and before.said and no_effect(*before, *since)
        group = "holds, no measurable effect" if is_even else _NAMES[rule.outcome]
        views.append(RuleView(rule, before, since, group))
    known = [learned.fact.timestamp for learned in report.learned]
    first = report.since or min([*known, *filter(None, [report.held.first_chat])], default=report.made_at)
    last = _month(report.made_at)
    axis = range(max(_month(first), last - _AXIS + 1), last + 1)
    by_month = groupby(report.learned, key=lambda learned: _month_name(_month(learned.fact.timestamp)))
    return (
        _environment()
        .get_template("report.html")
        .render(
            report=report,
            version=__version__,
            style=Markup(style),  # noqa: S704  (our own files)  # nosec
            script=Markup(script),  # noqa: S704  # nosec
            policy=f"default-src 'none'; {allowed}; img-src data:; base-uri 'none'; form-action 'none'",
            groups={name: [view for view in views if view.group == name] for name in GROUPS},
            about=GROUPS,
            actions=list(_actions(report, views))[:_ACTIONS],
            axis=axis,
            strip=lambda view: _strip(view, axis),
            place=lambda uri, line=0: _place(report, uri, line),
            commit=lambda at: _commit(report, at),
            months=[(month, list(rows)) for month, rows in by_month],
            learned_chart=_learned_chart(report, axis),
        )
        .lstrip()
    )


def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader(__package__, "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        finalize=lambda value: safe(value) if isinstance(value, str) and not isinstance(value, Markup) else value,
    )
    environment.filters |= {"number": number, "day": day, "iso_day": iso_day, "short": short, "coded": _coded}
    environment.globals |= {
        "counted": counted,
        "stacked": stacked,
        "said_by_words": said_by_words,
        "percent": lambda share: f"{100 * share.said / share.of:.0f}%" if share.of else "–",
        "month_name": _month_name,
    }
    return environment


def _coded(text: str) -> Markup:
    pieces = text.split("`")
    if len(pieces) % 2 == 0:
        return Markup("{}").format(text)
    forms = (Markup("<code>{}</code>" if place % 2 else "{}") for place in range(len(pieces)))  # noqa: S704  # nosec  (both are constants)
    return Markup("").join(form.format(piece) for form, piece in zip(forms, pieces, strict=True))


def number(value: float) -> str:
    """Write a number with its thousands apart: 12,345."""
    return f"{value:,.0f}"


def counted(count: int, noun: str, plural: str = "") -> str:
    """Write a number with its noun.

    >>> counted(1, "chat"), counted(2, "chat"), counted(2, "says", "say")
    ('1 chat', '2 chats', '2 say')
    """
    return f"{number(count)} {noun if count == 1 else plural or noun + 's'}"


def day(milliseconds: int) -> str:
    """Write a day as people of all countries read it: 1 Jan 1970."""
    at = datetime.fromtimestamp(milliseconds / 1000, UTC)
    return f"{at.day} {_MONTHS[at.month - 1]} {at.year}"


def short(text: str, limit: int = LONGEST) -> str:
    return one_line(text[: 4 * limit], limit=limit)


def said_by_words(rows: Iterable[SaidAgain | Citation]) -> list[list[SaidAgain | Citation]]:
    """Return what was said, the same words together: what was said most first, of each the newest first."""
    found: dict[str, list[SaidAgain | Citation]] = defaultdict(list)
    for row in rows:
        found["".join(filter(str.isalnum, row.quote.casefold()))].insert(0, row)
    return sorted(found.values(), key=len, reverse=True)


def _month(milliseconds: int) -> int:
    at = datetime.fromtimestamp(milliseconds / 1000, UTC)
    return at.year * 12 + at.month - 1


def _month_name(month: int) -> str:
    return f"{_MONTHS[month % 12]} {month // 12}"


GROUPS = {
    "does not hold": "Rules that were repeated to an assistant that had read the file.",
    "not read": "Rules that were relevant in chats whose assistant had not read the file.",
    "holds, no measurable effect": (
        "Rules that were rarely repeated, both before and after taking effect, so the numbers show no difference."
    ),
    "holds": "Rules that were relevant in enough chats and were rarely or never repeated.",
    "untested": "Rules that were relevant in too few chats to tell.",
}
"""Rules by what became of them, in the order of the page."""
_NAMES = {
    HeldOutcome.DOES_NOT_HOLD: "does not hold",
    HeldOutcome.NOT_LOADED: "not read",
    HeldOutcome.HOLDS: "holds",
    HeldOutcome.UNTESTED: "untested",
}


class RuleView(NamedTuple):
    """A rule with its shares and the group that it stands in."""

    rule: HeldRule
    before: ChatShare
    since: ChatShare
    group: str


class Action(NamedTuple):
    """Something to do first."""

    what: str
    about: str
    why: str
    command: str


def _actions(report: WorkspaceReport, views: Sequence[RuleView]) -> Iterator[Action]:
    """Yield what is worth doing, first what costs most: a rule in vain, a decision, a file that nobody reads."""
    failing = [view for view in views if view.group == "does not hold"]
    for rule, _, since, _ in sorted(failing, key=lambda view: -view.since.said)[:1]:
        what = rule.remedies[0].what if rule.remedies else "make the rule more specific"
        again = f"repeated in {since.said:,} of {counted(since.of, 'later chat')}"
        yield Action(f"{what[:1].upper()}{what[1:]}", rule.content, again, f"memsuggest held {rule.id[:7]}")
    for pending in report.pending[:1]:
        quoted = sum(bool(cited.quote) for cited in pending.fact.citations) if pending.fact else 0
        why = f"said {counted(quoted, 'time')}" if quoted else "pending"
        yield Action("Review", pending.content, why, f"memsuggest apply {pending.id[:7]}")
    unread = [(sum(row.chats for row in view.rule.not_read), view.rule) for view in views if view.group == "not read"]
    for chats, rule in sorted(unread, key=lambda pair: -pair[0])[:1]:
        why = f"{rule.uri} was not read in {counted(chats, 'chat')} where the rule was relevant"
        yield Action(
            "Move the rule to a file that assistants read", rule.content, why, f"memsuggest held {rule.id[:7]}"
        )
    for gap in [gap for gap in report.held.gaps if not gap.suggestion_id][:1]:
        why = f"said {counted(gap.times, 'time')} in {counted(gap.chats, 'chat')}, but not in any file"
        yield Action("Add the rule to a file", gap.content, why, "memsuggest review")
    for file in [file for file in report.files if file.is_over][:1]:
        why = f"{number(file.tokens)} tokens; the file's budget is {number(file.budget or 0)}"
        yield Action("Shorten", file.uri, why, "memsuggest list")


def _place(report: WorkspaceReport, uri: str, line: int) -> Markup:
    """Return where something stands, with a link to it where the repo's place on the web is known."""
    shown = Markup('<span class="path">{}</span>').format(safe(short(f"{uri}:{line}" if line else uri, 160)))
    if not report.web or uri not in report.on_web:
        return shown
    address = f"{report.web}/blob/{report.head}/{quote(uri)}" + (f"#L{line}" if line else "")
    return Markup('<a href="{}" rel="noreferrer">{}</a>').format(address, shown)


def _commit(report: WorkspaceReport, at: int) -> Markup:
    name = report.commits.get(at, "") if report.web else ""
    link = Markup('<a class="path" href="{}/commit/{}" rel="noreferrer">{}</a>')
    return link.format(report.web, name, name[:7]) if name else Markup("")


def stacked(parts: Sequence[tuple[str, int]], *, label: str, most: int | None = None, css: str = "stack") -> Markup:
    total = most or sum(size for _, size in parts) or 1
    drawn, at = Markup(""), 0.0
    for name, size in parts:
        width = size / total * WIDTH
        drawn += _rect(name, at, 0, width, 10) if size else ""
        at += width
    return _svg(drawn, height=10, label=label, css=css)


class Chart(NamedTuple):
    """A chart, and the number at its highest column."""

    drawn: Markup
    highest: int


def columns(
    values: Sequence[tuple[str, int, int]], *, label: str, css: str = "columns", line: float | None = None
) -> Chart:
    highest = max((whole for _, whole, _ in values), default=0)
    step = WIDTH / max(len(values), 1)
    drawn = Markup("")
    for place, (name, whole, part) in enumerate(values):
        low, high = (size / (highest or 1) * HEIGHT for size in (part, whole))
        inner = _rect("area", place * step, 0, step, HEIGHT)
        for kind, top, height in (("part", low, low), ("whole", high, high - low)):
            if height:
                inner += _rect(kind, place * step + step * 0.08, HEIGHT - top, step * 0.84, height)
        drawn += Markup("<g><title>{}</title>{}</g>").format(name, inner) if whole else ""
    if line is not None:
        drawn += Markup('<path class="line" d="M{:.4g} 0v40"/>').format(line * WIDTH)
    return Chart(_svg(drawn, height=HEIGHT, label=label, css=css), highest)


def _rect(css: str, x: float, y: float, width: float, height: float) -> Markup:
    form = '<rect class="{}" x="{:.4g}" y="{:.4g}" width="{:.4g}" height="{:.4g}"/>'
    return Markup(form).format(css, x, y, width, height)  # noqa: S704  (a constant)  # nosec


def _svg(drawn: Markup, *, height: int, label: str, css: str) -> Markup:
    return Markup(
        '<svg class="{}" role="img" aria-label="{}" viewBox="0 0 {} {}" preserveAspectRatio="none">{}</svg>'
    ).format(css, label, WIDTH, height, drawn)


def _by_month(times: Iterable[int], parts: Collection[int], axis: range, said: str) -> list[tuple[str, int, int]]:
    """Return how many of some moments, and of a part of them, lie in each month, with what to say of it."""
    wholes, inner = Counter(map(_month, times)), Counter(map(_month, parts))
    texts = (f"{_month_name(month)}: {said.format(number(inner[month]), number(wholes[month]))}" for month in axis)
    return [(text, wholes[month], inner[month]) for month, text in zip(axis, texts, strict=True)]


def _strip(view: RuleView, axis: range) -> Chart | None:
    """Draw the chats in which a rule was relevant and those in which it was said; None where there are no days.

    All rules have the same months, so that one can be held beside another.
    """
    rule, before, since, _ = view
    said = (*rule.said_before, *rule.said_again)
    began = {remark.session_id: round(remark.at.timestamp() * 1000) for remark in reversed(said) if remark.at}
    began |= {chat.session_id: chat.at for chat in (*rule.exposed_before, *rule.exposed) if chat.at}
    if not began or not (before.of or since.of):
        return None
    speaking = {remark.session_id for remark in said}
    at = datetime.fromtimestamp(rule.since / 1000, UTC)
    share = (_month(rule.since) - axis.start + (at.day - 1) / 31) / len(axis)
    repeated = [moment for name, moment in began.items() if name in speaking]
    values = _by_month(began.values(), repeated, axis, "said in {} of {} chats")
    counts = f"{before.said:,} of {counted(before.of, 'chat')} before {day(rule.since)}, and {since.said:,} of"
    label = f"Said in {counts} {since.of:,} since"
    line = share if 0 <= share <= 1 else None
    return columns(values, label=label, css="strip", line=line)


def _learned_chart(report: WorkspaceReport, axis: range) -> Chart | None:
    if len(axis) < 2 or not report.learned:
        return None
    times = [learned.fact.timestamp for learned in report.learned]
    applied = [learned.fact.timestamp for learned in report.learned if learned.applied_to]
    values = _by_month(times, applied, axis, "{} of {} rules applied")
    label = f"{counted(len(times), 'rule')} since {_month_name(axis.start)}, {len(applied):,} of them applied"
    return columns(values, label=label)
