"""The report as one page: what its templates need, and the policy that lets nothing else in.

Every text on the page goes through `safe` and through the template engine's escapes, whoever wrote it.
"""

from __future__ import annotations

import hashlib
from base64 import b64encode
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from functools import partial
from importlib.resources import files

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from memsuggest import __version__
from memsuggest.core.render.safe_output import safe
from memsuggest.core.text import when
from memsuggest.held.held_report import HeldOutcome
from memsuggest.judging.asking.usage_ledger import UsageRow
from memsuggest.report import page_parts as words
from memsuggest.report.page_parts import RuleView, columns, over_time, rule_chart, rule_view, stacked, steps, told
from memsuggest.report.workspace_report import Learned, WorkspaceReport

MARK = '<meta name="generator" content="memsuggest report'
"""By this one tells a report of ours from any other file."""
_TEMPLATES = "templates"
_SOONEST = 30 * 86_400_000


def page(report: WorkspaceReport) -> str:
    """Return the page; it ends with a line end."""
    style, script = _text("report.css"), _text("report.js")
    return (
        _environment()
        .get_template("report.html")
        .render(
            report=report,
            version=__version__,
            style=Markup(style),  # noqa: S704  (our own files)  # nosec
            script=Markup(script),  # noqa: S704  # nosec
            policy=_policy(style, script),
            rules=_by_outcome(report),
            chart_of=partial(rule_chart, first=report.held.first_chat, made_at=report.made_at),
            months=_by_month(report.learned),
            learned_chart=_learned_chart(report),
            models=_by_model(report.usage),
            first_day=_first_day(report),
        )
    )


def _text(name: str) -> str:
    return (files(__package__) / _TEMPLATES / name).read_text(encoding="utf-8").strip()


def _policy(style: str, script: str) -> str:
    """Return what the page may do: apply this style, run this script, and nothing else."""
    return "; ".join(
        (
            "default-src 'none'",
            f"style-src '{_hash(style)}'",
            f"script-src '{_hash(script)}'",
            "img-src data:",
            "base-uri 'none'",
            "form-action 'none'",
        )
    )


def _hash(text: str) -> str:
    return "sha256-" + b64encode(hashlib.sha256(text.encode()).digest()).decode()


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
    environment.filters |= {
        "number": words.number,
        "day": words.day,
        "month": words.month,
        "iso_day": when.day,
        "short": words.short,
        "told": told,
        "coded": _coded,
        "milliseconds": lambda at: round(at.timestamp() * 1000),
    }
    environment.globals |= {
        "counted": words.counted,
        "pages": words.pages,
        "stacked": stacked,
        "outcomes": {one.name.lower(): one for one in HeldOutcome},
    }
    return environment


def _inert(value: object) -> object:
    """Take out of a text what commands a browser or hides from a reader; escapes are the template engine's."""
    return safe(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def _coded(text: str) -> Markup:
    """Set what stands between two backticks as code."""
    pieces = text.split("`")
    if len(pieces) % 2 == 0:
        return Markup("{}").format(text)
    forms = (Markup("<code>{}</code>" if place % 2 else "{}") for place in range(len(pieces)))  # noqa: S704  # nosec  (both are constants)
    return Markup("").join(form.format(piece) for form, piece in zip(forms, pieces, strict=True))


def _by_outcome(report: WorkspaceReport) -> Mapping[HeldOutcome, list[RuleView]]:
    found: dict[HeldOutcome, list[RuleView]] = {outcome: [] for outcome in HeldOutcome}
    for rule in report.held.rules:
        found[rule.outcome].append(rule_view(rule))
    return found


def _by_month(learned: Sequence[Learned]) -> list[tuple[str, list[Learned]]]:
    """Return what was learned, by the months of its first evidence, newest first."""
    found: dict[str, list[Learned]] = defaultdict(list)
    for one in learned:
        found[words.month(one.fact.timestamp)].append(one)
    return list(found.items())


def _first_day(report: WorkspaceReport) -> int | None:
    """Return where the time begins that the page is about."""
    if report.since is not None:
        return report.since
    known = [one.fact.timestamp for one in report.learned]
    if report.held.first_chat is not None:
        known.append(report.held.first_chat)
    return min(known, default=None)


def _learned_chart(report: WorkspaceReport) -> Markup | None:
    """Draw how many facts were said first in each week or month, and how many of those stand in files."""
    first, last = _first_day(report), report.made_at
    if first is None or last - first < _SOONEST or not report.learned:
        return None
    count = steps(first, last)
    times = [one.fact.timestamp for one in report.learned]
    applied = [one.fact.timestamp for one in report.learned if one.applied_to]
    wholes = over_time(times, first=first, last=last, count=count)
    parts = over_time(applied, first=first, last=last, count=count)
    label = f"{words.counted(len(times), 'rule')} since {words.day(first)}, {len(applied):,} of them written into files"
    return columns(list(zip(wholes, parts, strict=True)), label=label)


def _by_model(usage: Sequence[UsageRow]) -> list[tuple[str, int, int, int]]:
    """Return for each model its requests, tokens and millionths of a dollar; the most asked first."""
    found: dict[str, Counter[str]] = defaultdict(Counter)
    for row in usage:
        found[row.model].update(requests=row.requests, tokens=row.usage.prompt + row.usage.output, micros=row.micros)
    rows = [(model, total["requests"], total["tokens"], total["micros"]) for model, total in found.items()]
    return sorted(rows, key=lambda row: (-row[1], row[0]))
