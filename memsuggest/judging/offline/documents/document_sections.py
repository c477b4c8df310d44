"""Sections: which stretches of a Markdown document state what holds, rather than tell, plan, report or illustrate.

Pure. Owns the reading of names and headings; a document that nobody named for its rules or decisions states none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial

from memsuggest.core.text.words import plain
from memsuggest.judging.offline.cues import form


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentStretch:
    """Lines of a document that state what holds."""

    start: int
    end: int
    """Offsets in the document's text."""
    heading: str = ""
    """The heading that they stand under, without marks."""
    level: int = 0
    """Of the heading, from 1; 0 for none."""
    is_decided: bool = False
    """Whether it is told as a decision, rather than under a heading for rules."""


_form = partial(form, "document_sections")
_FEW = 4  # words of a heading up to which a word in it says what it is about
_HEADING = re.compile(r" {0,3}(#{1,6})[ \t]+(.*?)[ \t#]*\Z")
_STATUS = re.compile(r"\A(?:\d+[.)] )?status\Z")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_APART = re.compile(r"[ \t]*(?:>|\||<|\[\^?[^\]\n]{1,80}\]:|!\[)|[ \t]{4,}(?![-*+\d])|\t")
"""A quotation, a table, HTML, a link's address, an image, code by indentation."""


@dataclass(slots=True, eq=False)
class _Section:
    """The lines under one heading, up to the next one."""

    title: str = ""
    """Its heading without marks."""
    level: int = 0
    above: _Section | None = None
    is_record: bool = False
    """Whether the document is one of decisions, by its name."""
    states: bool = False
    """Whether what stands in it holds, as far as headings tell."""
    is_settled: bool = True
    lines: list[tuple[int, str]] = field(default_factory=list)
    """Each with where it begins."""

    @property
    def heading(self) -> str:
        """Its heading as plain words."""
        return plain(self.title)

    def chain(self) -> Iterator[_Section]:
        """Yield the section itself, and those that it is part of."""
        one: _Section | None = self
        while one is not None:
            yield one
            one = one.above

    def holds(self) -> bool:
        """Tell whether it states something that is in force: neither it nor what it is part of was left open."""
        return self.states and all(one.is_settled for one in self.chain())


def stated(text: str, path: str) -> list[DocumentStretch]:
    """Return the stretches of a document that state rules or decisions in force; nothing for most documents.

    >>> text = "# Conventions\\nUse tabs.\\n## Examples\\nUse spaces.\\n"
    >>> [text[one.start : one.end] for one in stated(text, "docs/team.md")]
    ['Use tabs.\\n']
    """
    name = plain(path.rsplit(".", 1)[0])
    if (
        _form("passing").search(name)
        or _form("of-others").search(name.rpartition("/")[2])
        or any(part.startswith(".") for part in name.split("/"))
    ):
        return []
    sections = _sections(text, root=_root(name))
    for section in sections:
        _settle(section)
    headed = sections[1:]  # what stands above the first heading introduces the rest
    return [stretch for section in headed if section.holds() for stretch in _stretches(section)]


def states_rules(heading: str) -> bool:
    """Tell whether a heading says that rules or decisions stand under it, and so nothing of what they are about."""
    said = plain(heading)
    return bool(_form("states").search(said) or _form("decides").search(said))


def _root(name: str) -> _Section:
    return _Section(states=bool(_form("states-name").search(name)), is_record=bool(_form("decides-name").search(name)))


def _sections(text: str, *, root: _Section) -> list[_Section]:
    found = [root]
    at = 0
    fence = ""
    for line in text.split("\n"):
        heading = None if fence else _HEADING.match(line)
        fence = _fence_after(line, fence)
        if heading:
            found.append(
                _below(found[-1], heading[2].replace("*", "").strip().removesuffix(":"), level=len(heading[1]))
            )
        else:
            found[-1].lines.append((at, line))
        at += len(line) + 1
    return found


def _below(last: _Section, title: str, *, level: int) -> _Section:
    above = last
    while above.above is not None and above.level >= level:
        above = above.above
    return _Section(title=title, level=level, above=above, states=_states(plain(title), above))


def _states(heading: str, above: _Section) -> bool:
    """Tell whether rules stand under a heading: it says so, or the one above it does and it says nothing else."""
    if _form("decides").search(heading):
        return _is_of_decisions(above) and not _is_other(above)
    if _form("undecided").search(heading) or _form("of-others").search(heading):
        return False
    if _form("states").search(heading):
        return not _is_other(above)
    return above.states and not (_form("other").search(heading) and len(heading.split()) <= _FEW)


def _is_of_decisions(above: _Section) -> bool:
    if above.level == 0:
        return True
    return any(one.is_record for one in above.chain())


def _is_other(section: _Section) -> bool:
    return any(
        _form("undecided").search(one.heading)
        or _form("of-others").search(one.heading)
        or (_form("other") if one.level > 1 else _form("of-work")).search(one.heading)
        for one in section.chain()
        if not (one.level <= 1 and one.states)
    )


def _settle(section: _Section) -> None:
    """Note what a section says of its own standing, or of that of the section it is part of."""
    is_status = section.above is not None and bool(_STATUS.search(section.heading))
    for _, line in section.lines:
        said = plain(line)
        if _form("unsettled").match(said):
            section.is_settled = False
        elif is_status and section.above and _form("open").match(said):
            section.above.is_settled = False


def _fence_after(line: str, fence: str) -> str:
    """The fence that is open behind a line; "" for none."""
    found = _FENCE.match(line)
    if not found:
        return fence
    if not fence:
        return found[1]
    return "" if found[1].startswith(fence) else fence


def _stretches(section: _Section) -> Iterator[DocumentStretch]:
    """The stretches of a section that are sentences: no code, tables, quotations, HTML."""
    fence, start, end = "", -1, -1
    for at, line in (*section.lines, (-1, "<")):
        was, fence = fence, _fence_after(line, fence)
        if was or fence or _APART.match(line):
            if start >= 0:
                yield DocumentStretch(
                    start=start, end=end, heading=section.title, level=section.level, is_decided=_is_decided(section)
                )
            start = -1
        else:
            start, end = (at if start < 0 else start), at + len(line) + 1


def _is_decided(section: _Section) -> bool:
    found = (
        one.heading
        for one in section.chain()
        if _form("states").search(one.heading) or _form("decides").search(one.heading)
    )
    return bool(_form("decides").search(next(found, "")))
