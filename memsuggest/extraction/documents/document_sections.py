"""Sections: which stretches of a Markdown document state what holds, rather than tell, plan, report or illustrate.

Pure. Owns the reading of names and headings; a document that nobody named for its rules or decisions states none.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from memsuggest.text.words import plain

if TYPE_CHECKING:
    from collections.abc import Iterator


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


_STATES = re.compile(
    r"\b(?:conventions?|guidelines?|(?:coding|code|team|house|ground|naming|testing|review|commit|branch(?:ing)?"
    r"|our|the)"
    r" (?:rules|standards?|polic(?:y|ies))|style ?guide|(?:code|coding|writing) style|principles"
    r"|working agreements?|how we work|invariants|do'?s and don'?ts"
    r"|konventionen|richtlinien|regeln|vereinbarungen|convenciones|normas|reglas|convenções|regras|règles)\b"
    r"|\A(?:rules|standards?)\Z"
    r"|\b(?:branch(?:ing)?|merge|commit|release|dependency|dependencies|versioning|logging|errors?|migrations?|git|data"
    r"|api) polic(?:y|ies)\Z|規約|规范|约定"
)
"""A heading under which rules stand."""
_DECIDES = re.compile(
    r"\A(?:\d+[.)] )?(?:(?:the |our |what was |key |design |technical |architecture |architectural )?decisions?"
    r"(?: (?:log|record|outcome|made|taken))?|adr log|what we (?:decided|settled|agreed)(?: on)?|resolution"
    r"|entscheidung(?:en)?|decisión|decisiones|decisão|decisões|décisions?)\Z|決定|决定|决策"
)
"""A heading under which decisions stand."""
_OTHER = re.compile(
    r"\Aapis?\Z"
    r"|\b(?:drafts?|proposals?|proposed|plans?|planned|roadmap|to-?dos?|tasks?|steps|next|future|later|ideas?|questions"
    r"|alternatives?|options?|considered|rejected|context|problems?|background|motivation|rationale|why|consequences?"
    r"|trade-?offs?|pros|cons|risks?|issues?|pitfalls?|examples?|samples?|bad|wrong|anti-?patterns?|don'?t do|legacy"
    r"|old|before|deprecated|superseded|obsolete|status|summary|changes?|changed|changelog|reports?|results?|findings"
    r"|progress|done|history|notes|retro(?:spective)?|minutes|meeting|parameters?|reference|usage|quick ?start"
    r"|getting started|installation|setup|license|troubleshooting|faq|known|limitations|references|see also|links"
    r"|overview|introduction|purpose|about|goals|connections|followed"
    r"|exceptions?|kontext|beispiele?|offene?s?|alternativen|ejemplos?|exemplos?|exemples?|contexte?o?|pendientes?"
    r"|pendentes?|próximos|à faire)\b"
)
"""A heading under which it is told, weighed, planned or shown how things are not to be."""
_PASSING = re.compile(
    r"(?:\A|[/_.\- ])(?:plans?|todos?|tasks?|summary|reports?|status|progress|changelog|changes|history|roadmap"
    r"|proposals?|rfcs?|drafts?|specs?|prd|analysis|review|audit|findings|handoff|handover|notes|retro|minutes"
    r"|meeting|log|session|scratch(?:pad)?|tmp|temp|research|investigation|postmortem|migration|release|fixtures"
    r"|examples?|samples?|templates?|vendor|node_modules|third[_-]party|archive|old|legacy)(?=\Z|[/_.\- ])"
)
"""What the name of a file or folder says that is about the moment, or somebody else's."""
_STATES_NAME = re.compile(
    r"(?:\A|[/_.\- ])(?:conventions?|guidelines?|standards|rules|style-?guide|code-?style|coding-?style|best-?practices"
    r"|principles|policy|konventionen|richtlinien)(?=\Z|[/_.\- ])"
)
_DECIDES_NAME = re.compile(r"(?:\A|[/_.\- ])(?:decisions?|adrs?|decision-?(?:log|records?))(?=\Z|[/_.\- ])")
_UNDECIDED = re.compile(
    r"\b(?:drafts?|proposals?|proposed|rejected|superseded|deprecated|withdrawn|undecided|entwurf)\b|\bplan\Z"
    r"|\bnot (?:yet )?(?:accepted|agreed|decided|settled)\b|\((?:open|pending|tbd)\b"
)
_OF_OTHERS = re.compile(
    r"(?:\A|[\W_])(?:privacy|cookies?|terms|refunds?|shipping|community|conduct|brand(?:ing)?|logo|games?|business"
    r"|pricing"
    r"|scoring|validation|firewall|network|access|legal|compliance|customers?|users?|content|marketing|hiring|leave"
    r"|expenses?|disclosure|product|visual|ux|design principles|design rules|submission|reporting|gdpr)(?=\Z|[\W_])"
)
"""What rules are about that are none for those who write the code."""
_FEW = 4  # words of a heading up to which a word in it says what it is about
_HEADING = re.compile(r" {0,3}(#{1,6})[ \t]+(.*?)[ \t#]*\Z")
_OF_WORK = re.compile(
    r"\b(?:epic|task|hand-?off|hand-?over|plan|roadmap|sprint|milestone|phase \d|assessment|assignment|report|audit"
    r"|analysis|proposal|spec|specification|status|summary|session|prototype|tutorial|course|lesson|workshop|challenge"
    r"|exercise|project structure|migration guide)\b"
)
"""A title of what is about one piece of work, or a text for learners; rules in it are for that."""
_UNSETTLED = re.compile(
    r"\W*(?:status|state|stand)\b\W*(?:proposed|draft|rejected|declined|superseded|deprecated|withdrawn|obsolete|open"
    r"|pending|under discussion|in discussion|replaced|entwurf|vorgeschlagen|abgelehnt|verworfen)\b"
    r"|\W*(?:not (?:yet )?(?:agreed|accepted|decided|approved)|noch nicht|superseded by|replaced by)\b",
)
_STATUS = re.compile(r"\A(?:\d+[.)] )?status\Z")
_OPEN = re.compile(
    r"\W*(?:proposed|draft|rejected|declined|superseded|deprecated|withdrawn|obsolete|open|pending|under discussion)\b"
)
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
        _PASSING.search(name)
        or _OF_OTHERS.search(name.rpartition("/")[2])
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
    return bool(_STATES.search(said) or _DECIDES.search(said))


def _root(name: str) -> _Section:
    return _Section(states=bool(_STATES_NAME.search(name)), is_record=bool(_DECIDES_NAME.search(name)))


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
    """Open a section behind another."""
    above = last
    while above.above is not None and above.level >= level:
        above = above.above
    return _Section(title=title, level=level, above=above, states=_states(plain(title), above))


def _states(heading: str, above: _Section) -> bool:
    """Tell whether rules stand under a heading: it says so, or the one above it does and it says nothing else."""
    if _DECIDES.search(heading):
        return _is_of_decisions(heading, above) and not _is_other(above)
    if _UNDECIDED.search(heading) or _OF_OTHERS.search(heading):
        return False
    if _STATES.search(heading):
        return not _is_other(above)
    return above.states and not (_OTHER.search(heading) and len(heading.split()) <= _FEW)


def _is_of_decisions(heading: str, above: _Section) -> bool:
    """Tell whether a heading for decisions stands in a record of such, rather than in a report of some work."""
    if above.level == 0:
        return True
    return any(one.is_record for one in above.chain())


def _is_other(section: _Section) -> bool:
    """Tell whether what a section is part of is told to be of another sort: a plan, a summary, one piece of work."""
    return any(
        _UNDECIDED.search(one.heading)
        or _OF_OTHERS.search(one.heading)
        or (_OTHER if one.level > 1 else _OF_WORK).search(one.heading)
        for one in section.chain()
        if not (one.level <= 1 and one.states)
    )


def _settle(section: _Section) -> None:
    """Note what a section says of its own standing, or of that of the section it is part of."""
    is_status = section.above is not None and bool(_STATUS.search(section.heading))
    for _, line in section.lines:
        said = plain(line)
        if _UNSETTLED.match(said):
            section.is_settled = False
        elif is_status and section.above and _OPEN.match(said):
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
    """Tell whether the nearest heading that makes it hold speaks of decisions."""
    found = (one.heading for one in section.chain() if _STATES.search(one.heading) or _DECIDES.search(one.heading))
    return bool(_DECIDES.search(next(found, "")))
