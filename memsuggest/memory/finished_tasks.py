"""Finished tasks: a plan that was ticked off, a branch that was merged; as texts for the archive. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memsuggest.judging.safety import commands_a_machine, refused, weakens_safety
from memsuggest.memory.guard import speaks_of_trust

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

_BOX = re.compile(r"^[ \t]*(?:[-*+]|\d{1,3}[.)])[ \t]+\[(?P<done>[ xX])\][ \t]+(?P<what>\S.*)$", re.MULTILINE)
_TITLE = re.compile(r"^#{1,3}[ \t]+(\S.*?)[ \t#]*$", re.MULTILINE)
_FENCE = re.compile(r"^(?P<mark>```+|~~~+).*?^(?P=mark)", re.MULTILINE | re.DOTALL)
_MARKS = re.compile(r"[`*_]{1,3}")
_FEWEST = 3
"""Boxes that make a plan of a list."""
_TOLD, _LENGTH = 3, 70
"""Steps that are named, and the characters of each."""
_QUOTE = re.compile(r"“([^”]+)”")
_MERGE = re.compile(
    r"""
      Merge[ ]branch[ ]'(?P<branch>[^']{1,200})'
    | Merge[ ]pull[ ]request[ ]\#(?P<number>\d{1,9})[ ]from[ ][^/\s]{1,100}/(?P<head>\S{1,200})
    | Merged[ ]in[ ](?P<bitbucket>\S{1,200})[ ]\(pull[ ]request[ ]\#(?P<request>\d{1,9})\)
    """,
    re.VERBOSE,
)
"""The subjects that git, GitHub and Bitbucket give to a merge."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Merged:
    """A branch that was merged."""

    branch: str
    at: int
    """Milliseconds since the epoch."""
    request: str = ""
    """The number of the pull request, where the merge names it."""


def finished_plan(path: str, text: str) -> str:
    """Return what a plan came to; empty where it is none, or a box is still open.

    Whoever wrote the file wrote the steps: what would tell a reader what to do, or is like a command, is only counted.

    >>> finished_plan("plan.md", "# Move\n- [x] copy\n- [x] switch\n- [X] delete\n")
    'Finished the plan plan.md, by its own words “Move”: “copy”; “switch”; “delete”.'
    """
    bare = _FENCE.sub("", text)
    boxes = list(_BOX.finditer(bare))
    if len(boxes) < _FEWEST or any(box["done"] == " " for box in boxes):
        return ""
    title = _TITLE.search(bare)
    named = f" “{_short(title[1])}”" if title and _is_plain(title[1]) else ""
    steps = [f"“{_short(box['what'])}”" for box in boxes if _is_plain(box["what"])][:_TOLD]
    more = f"{' and ' if steps else ''}{len(boxes) - len(steps)} {'more' if steps else 'steps'}"
    told = "; ".join(steps) + (more if len(boxes) > len(steps) else "")
    return f"Finished the plan {path}, by its own words{named}: {told}."


def _is_plain(text: str) -> bool:
    return not (speaks_of_trust(text) or refused(text) or commands_a_machine(text) or weakens_safety(text))


def _short(text: str) -> str:
    plain = " ".join(_MARKS.sub("", text).translate({0x201C: '"', 0x201D: '"'}).split())
    return plain if len(plain) <= _LENGTH else plain[: _LENGTH - 1].rstrip() + "…"


def merges_among(log: str, branches: Collection[str]) -> list[Merged]:
    """Return the merges of these branches in a log with a line `seconds subject` for each merge, the oldest first."""
    found: dict[str, Merged] = {}
    for line in reversed(log.splitlines()):
        seconds, _, subject = line.partition(" ")
        merge = _MERGE.match(subject)
        branch = next((name for key in ("branch", "head", "bitbucket") if merge and (name := merge[key])), "")
        if merge and branch in branches and seconds.isdecimal():
            request = merge["number"] or merge["request"] or ""
            found[branch] = Merged(branch=branch, at=int(seconds) * 1000, request=request)
    return list(found.values())


def merged_text(merged: Merged, summaries: Sequence[str]) -> str:
    """Return what a merged branch came to, by the summaries of the sessions that worked on it.

    >>> merged_text(Merged(branch="fix/x", at=0), ["Asked: “why is it slow”."])
    'The branch fix/x was merged. 1 session worked on it: “why is it slow”.'
    """
    by = f" with pull request #{merged.request}" if merged.request else ""
    count = f"{len(summaries)} session{'' if len(summaries) == 1 else 's'} worked on it"
    asked = [quotes[0] if (quotes := _QUOTE.findall(one)) else one.rstrip(".") for one in summaries]
    return f"The branch {merged.branch} was merged{by}. {count}: {_listed(asked)}."


def _listed(texts: Iterable[str]) -> str:
    return "; ".join(f"“{_short(text)}”" for text in _each_once(texts)[:_TOLD])


def _each_once(texts: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(texts))
