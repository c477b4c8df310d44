"""The rules and chats that a person asks about: `held AGENTS.md:12 --since 2026-03-01`."""

from __future__ import annotations

import os
import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from memsuggest.config import ALL
from memsuggest.errors import ConfigError, UnknownId
from memsuggest.model import TargetType
from memsuggest.workflows.check_rules.find_held import standing_rules
from memsuggest.workflows.check_rules.in_force import RulesInForce
from memsuggest.workflows.decide.review import below_root
from memsuggest.workflows.id_prefixes import beginning

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from memsuggest.held.standing_rules import RuleLine
    from memsuggest.reports.held_report import HeldReport, HeldRule
    from memsuggest.workflows.context import Context

_LINE = re.compile(r"(?P<file>.+?):(?P<line>\d{1,7})\Z")
_DAYS = re.compile(r"(?P<days>\d{1,5})(?:\s*d(?:ays?)?)?\Z")
_SHOWN_BY = "`memsuggest held`"


def chats_since(word: str | None, *, now: int) -> int | None:
    """Return the time that a person means, in milliseconds; None for all time. Raises ConfigError."""
    if word is None or word.strip().lower() == ALL:
        return None
    told = word.strip()
    try:
        if days := _DAYS.fullmatch(told):
            at = datetime.fromtimestamp(now / 1000, UTC) - timedelta(days=int(days["days"]))
        else:
            at = datetime.fromisoformat(told)
            at = at if at.tzinfo else at.astimezone()
        return round(at.timestamp() * 1000)
    except (ValueError, OverflowError, OSError):
        raise ConfigError(
            f"`{word}` is no time", hint="a number of days (`30`), a day (`2026-03-01`), or `all`"
        ) from None


def files_of(context: Context, word: str) -> frozenset[str]:
    """Return the files in which a rule may stand that a person names by its file, its line, its id or its fact's."""
    targets = [one for one in context.targets.targets if one.type is not TargetType.HOOK]
    if name := _file_in(word, {one.uri for one in targets}):
        return frozenset((name if any(one.uri == name for one in targets) else below_root(context, Path(name)),))
    by_rule = {uri for uri, rules in standing_rules(context, targets).items() if _beginning(word, rules)}
    return RulesInForce(context).written | by_rule


def _file_in(word: str, uris: Collection[str]) -> str:
    """Return the file that somebody names, with a line or without; empty where it is none."""
    line = _LINE.fullmatch(word)
    return word if os.path.lexists(word) or word in uris else line["file"] if line else ""


def _beginning(word: str, rules: Iterable[RuleLine]) -> bool:
    return any(rule.id.startswith(word.strip().lower()) for rule in rules)


def only_rules(report: HeldReport, word: str, files: Collection[str]) -> HeldReport:
    """Return the report for one rule, by its id or the id of its fact, or for a file or a line of it.

    `files` are those of `files_of`, all of whose rules are in the report. Raises UnknownId where there is none.
    """
    if _file_in(word, files):
        return _of_file(report, word)
    wanted = beginning(word, report.rules, shown_by=_SHOWN_BY)
    found = [rule for rule in report.rules if rule.id.startswith(wanted)]
    found = found or [rule for rule in report.rules if rule.fact_id and rule.fact_id.startswith(wanted)]
    if not found:
        raise UnknownId(f"no rule of a file has the id `{word}`", hint=f"{_SHOWN_BY} shows them; a file's name will do")
    if len(found) > 1 and len({rule.fact_id for rule in found}) > 1:
        ids = ", ".join(f"`{rule.id[:12]}`" for rule in found[:5])
        raise UnknownId(f"`{word}` fits several rules: {ids}", hint="give more of the id")
    return replace(report, rules=tuple(found), is_one=True)


def _of_file(report: HeldReport, word: str) -> HeldReport:
    line = None if os.path.lexists(word) else _LINE.fullmatch(word)
    name = line["file"] if line else word
    if not report.rules:
        raise UnknownId(
            f"`{name}` is no customization file with rules in it",
            hint="`memsuggest targets` lists the customization files",
        )
    if line is None:
        return replace(report, is_file=True)
    number = int(line["line"])
    found = [rule for rule in report.rules if rule.line == number] or _nearest_above(report.rules, number)
    if not found:
        known = ", ".join(str(one) for one in sorted(rule.line for rule in report.rules)[:10])
        raise UnknownId(f"no rule begins in line {number} of `{name}`", hint=f"rules begin in the lines {known}")
    return replace(report, rules=tuple(found), is_one=True)


def _nearest_above(rules: Iterable[HeldRule], number: int) -> list[HeldRule]:
    """Return the rule that goes on in a line."""
    return [rule for rule in rules if rule.line < number <= rule.last_line]
