"""A rule on the page: in how many chats it was said before and since, and both over time. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from memsuggest.render.html.page_charts import columns, over_time, steps
from memsuggest.render.html.page_words import counted, day
from memsuggest.reports.workspace_report import share_before, share_since

if TYPE_CHECKING:
    from markupsafe import Markup

    from memsuggest.reports.held_report import HeldRule
    from memsuggest.reports.workspace_report import ChatShare


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleView:
    """A rule with what the page counts of it."""

    rule: HeldRule
    before: ChatShare
    since: ChatShare


def rule_view(rule: HeldRule) -> RuleView:
    """Count what the page says of a rule."""
    return RuleView(rule=rule, before=share_before(rule), since=share_since(rule))


def told(share: ChatShare) -> str:
    """Say a share of chats: `3 of 12 chats`."""
    return f"{share.said:,} of {counted(share.of, 'chat')}"


def rule_chart(view: RuleView, *, first: int | None, made_at: int) -> Markup | None:
    """Draw the chats in which a rule mattered, and those in which it was said; None where there are no days.

    All rules have the same days, so that one can be held beside another.
    """
    rule = view.rule
    if first is None or not (view.before.of or view.since.of):
        return None
    last = max(made_at, rule.since)
    began = {one.session_id: one.at for one in (*rule.exposed_before, *rule.exposed) if one.at}
    for one in (*rule.said_before, *rule.said_again):
        if one.at:
            began.setdefault(one.session_id, round(one.at.timestamp() * 1000))
    speaking = {one.session_id for one in (*rule.said_before, *rule.said_again)}
    count = steps(first, last)
    wholes = over_time(began.values(), first=first, last=last, count=count)
    parts = over_time((at for name, at in began.items() if name in speaking), first=first, last=last, count=count)
    share = (rule.since - first) / max(last - first, 1)
    return columns(
        list(zip(wholes, parts, strict=True)),
        label=f"Said in {told(view.before)} before {day(rule.since)}, and in {told(view.since)} since",
        css="strip",
        line=share if 0 <= share <= 1 else None,
    )
