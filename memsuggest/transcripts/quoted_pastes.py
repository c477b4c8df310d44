"""What was pasted without a mark: text behind an introduction, whole documents, reviewers' findings, long pastes."""

from __future__ import annotations

import re
from itertools import groupby, pairwise
from typing import TYPE_CHECKING

from memsuggest.transcripts.quoted_lines import is_own_voice, paragraphs
from memsuggest.transcripts.quoted_machine import is_machine

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memsuggest.transcripts.quoted_lines import Line, Stretch

LONG_PASTE = 40  # lines; nobody types that many in one message
_LINE = 80  # characters that a person types before a paste, in whatever voice
_MUCH = 4  # paragraphs; more than these behind an introduction on the same line were not all typed
_CODE = re.compile(r"[{};]|=>|\)\s*$|\w\(")
_LEAD = 3  # lines of a first paragraph that still introduce a paste

_CLAUSE = 160  # characters before a colon that an introduction may have
_GIVEN = re.compile(
    r"\b(?:here(?:'s|’s|s| is| are| was)|this is|these are|got|get|getting|gives?|receiv\w{1,4}|see|seeing|saw"
    r"|past(?:ing|ed)|cop(?:ied|ying)|below (?:is|are)|attached|following|returned|found|came (?:in|from)|comes from"
    r"|printed|sent)\b",
    re.IGNORECASE,
)
_THING = re.compile(
    r"\b(?:logs?|output|errors?|exceptions?|traces?|stacktraces?|traceback|warnings?|stdout|stderr|console|terminal|response"
    r"|payload|results?|feedback|comments?|reviews?|findings?|reports?|messages?|e-?mails?|tickets?|issues?|descriptions?"
    r"|articles?|documents?|documentation|pages?|readme|readout|diffs?|patch|snippets?|contents?|json|transcripts?"
    r"|conversation|chat|quotes?|paste|text|answer|reply|thread|web ?sites?|sites?|posts?|blogs?|mail|tool)\b",
    re.IGNORECASE,
)
_LOG = re.compile(
    r"\b(?:the|this|these|following) (?:\w{1,20} )?"
    r"(?:logs?|output|errors?|(?:stack ?)?traces?|traceback|exceptions?|stdout|stderr)\Z",
    re.IGNORECASE,
)
_LABEL = re.compile(
    r"\A\W*(?:(?:full|server|build|test|ci|console|terminal) )?(?:logs?|output|(?:stack ?)?traces?|traceback|stdout"
    r"|stderr|error (?:message|log|output)s?|console|terminal)(?: below)?\Z",
    re.IGNORECASE,
)
_SAID = re.compile(
    r"(?<!\bI )(?<!\bwe )\b(?:says?|said|states?|reads|wrote|writes|posted|replied|commented|reported|complains|told me"
    r"|printed)(?: (?:on|in|at|to) \w{1,20}| this){0,2}\Z"
    r"|\bthe (?:\w{1,20} )?(?:issue|ticket|page|mail|message|comment|review|text|description|article)"
    r" (?:\w{1,20} )?is\Z",
    re.IGNORECASE,
)
_POINTS = re.compile(
    r"\b(?:what (?:does|do|is|are) (?:this|these|that|it|the following)(?: (?:mean|say|about|text|page|mail))?"
    r"|is (?:this|it|the following) (?:true|correct|right)|(?:summari[sz]e|explain) (?:this|these|the following)"
    r"(?: \w{1,20})?):\s*\Z"
    r"|\b(?:(?:translate|proof-?read|paraphrase|spell-?check) (?:this|these|the following)(?: \w{1,20})?"
    r"|(?:fix|correct) the (?:typos|grammar|spelling|language)(?: (?:in|of) (?:this|the following)(?: \w{1,20})?)?)"
    r"\s*[?:]\s*\Z",
    re.IGNORECASE,
)
"""A question or an order about a text, at the end of a line: the text follows."""
_WORKED_ON = re.compile(
    r"\b(?:translate|proof-?read|paraphrase|rephrase|reword|shorten|spell-?check|summari[sz]e|explain) "
    r"(?:this|these|the following)(?: (?!rule|convention)\w{1,20})?(?: (?:in)?to \w{1,20})?\Z"
    r"|\b(?:fix|correct) the (?:typos|grammar|spelling|language) (?:in|of) (?:this|the following)(?: \w{1,20})?\Z",
    re.IGNORECASE,
)
"""An order about a text, before the colon behind which the text stands."""
_OWN = re.compile(r"\b(?:my|our|some|few|couple|want|need|should|must|add|write|use)\b", re.IGNORECASE)
_MARKED = re.compile(r"""[ \t]*(?:"[^"\n]+"|`[^`\n]+`|“[^”\n]+”|'[^'\n]+'(?!\w))""")
_RESUMES = re.compile(r"\A(?:[a-z]|I\b|I'|Can you|Could you|Please|So\b|Now\b|-{4,})")

_FRONT_MATTER = re.compile(r"\A---[ \t]*\Z")
_KEY = re.compile(r"\A[\w-]{1,40}:(?: |\Z)")
_HEADING = re.compile(r"\A#{1,6} \S")
_FILE_TITLE = re.compile(
    r"\A#{1,2} (?:(?:AGENTS|CLAUDE|GEMINI|README|CONTRIBUTING|SKILL)(?:\.md)?\b|Copilot instructions"
    r"|Repository guidelines|Identity\b|System prompt\b)",
    re.IGNORECASE,
)
_HANDED_OVER = re.compile(
    r"This session is being continued from a previous conversation|Caveat: The messages below were "
)
"""How texts begin that assistants write for themselves."""
_README = re.compile(
    r"\A#{1,3} (?:Install(?:ation|ing)?|Usage|Getting started|Quick ?start|Prerequisites|Licen[sc]e|Contributing"
    r"|Table of contents|Features|Changelog|Requirements)\s*\Z",
    re.IGNORECASE,
)
"""Sections that documents for everybody have, and messages to an assistant do not."""
_BRIEF = re.compile(
    r"\A\s*(?:You are (?:a|an|the|now|my|our|acting)\b|Act as (?:a|an|the)\b|Your (?:task|job|role|mission) is\b"
    r"|#{1,6} (?:Task|Role)\b)",
    re.IGNORECASE,
)
_PERSONA = re.compile(
    r"\b(?:(?:take on|assume|adopt|play) the (?:role|persona|identity) of|role-?play(?:ing)? as"
    r"|pretend (?:that )?(?:you are|you're|to be)|break(?:ing)? character"
    r"|(?:stay|remain|keep|act|respond|answer|speak|reply)(?:ing)? in character"
    r"|(?:another|an?) (?:\w{3,20} ){0,3}(?:artificial intelligence|language model|chat ?bot"
    r"|AI (?:model|assistant|named|called))|your (?:new )?(?:name|persona|identity) is(?: now)? [A-Z]"
    r"|you (?:will|are going to|are about to) (?:now )?(?:act|pretend|immerse|become|simulate|impersonate|play))\b"
)
"""What gives a machine a part to play."""
_BRIEF_SIZE = 700  # characters from which on such a text is a brief that somebody prepared
_DOCUMENT_HEADINGS, _DOCUMENT_LINES = 3, 20

_SEVERITY = re.compile(
    r"\A\W{0,6}(?:(?:Critical|High|Medium|Low|Minor|Major|Trivial)[ -]?(?:Severity|Priority)\b|Severity: "
    r"|P[0-3] (?:Badge|Bug)|Actionable comments posted|Prompt for AI Agents|Potential issue\b|Nitpick\b"
    r"|Suggested change\b|Copilot AI\b)",
    re.IGNORECASE,
)
_PLACE = re.compile(r"\A(?:on |in |at )?\S{1,300}\.\w{1,5}(?:[ :#L]{1,3}\d{1,6}(?:-L?\d{1,6})?)?\s*\Z")
_IDENTIFIER = re.compile(
    r"\b(?:[a-z]+(?:[A-Z][a-z0-9]+){1,6}|(?:[A-Z][a-z0-9]+){2,6}|[a-z][a-z0-9]*(?:_[a-z0-9]+){1,6}|[A-Za-z]+JSON\w*)\b"
)
_DIAGNOSIS = re.compile(
    r"\b(?:consider (?:\w{2,20}ing|whether)|should be (?:updated|renamed|removed|changed|moved|replaced|handled)"
    r"|misleading|silently|currently|potential(?:ly)?|incorrect(?:ly)?|doesn't|does not|fails?|lacks?|missing"
    r"|may not|might not|now (?:returns|requires|treats|uses)|could (?:be|cause|lead|break)"
    r"|can (?:panic|cause|lead|be nil)|this means|this is (?:important|critical)|there (?:are|is) no"
    r"|without (?:any )?\w{2,20}ing|results? in|edge cases?|add (?:test|unit|error)|rather than)\b",
    re.IGNORECASE,
)
_REVIEW_SIZE = 140
_ITEM = re.compile(r"\A\s*(?:[-*•]|\d{1,2}[.)])\s+")


def introduced(lines: Sequence[Line], text: str) -> list[Stretch]:
    """Find what follows an introduction such as `here is the log:`.

    On the same line: the rest of the paragraph, and what follows in nobody's voice. On the lines below: everything, but
    for what the person clearly goes on with behind a machine's output.
    """
    found: list[Stretch] = []
    groups = paragraphs(lines)
    for index, group in enumerate(groups):
        for line in group:
            if found and line.start < found[-1][1]:
                continue
            if _points(line.text) and (line is not group[-1] or index + 1 < len(groups)):
                return [*found, (line.end, _end_of_paste(groups[index:], line.end, text))]
            for colon in _introductions(line.text):
                start = line.start + colon + 1
                if line.text[colon + 1 :].strip():
                    found.append((start, _end_of_quotation(groups[index:], start, text)))
                elif text[start:].strip():
                    return [*found, (start, _end_of_paste(groups[index:], start, text))]
    return found


def _points(line: str) -> bool:
    return line.rstrip().endswith((":", "?")) and bool(_POINTS.search(line))


def _end_of_quotation(groups: Sequence[Sequence[Line]], start: int, text: str) -> int:
    """Where a quotation on its introduction's line ends: at its closing mark, else before the person's own voice."""
    end = groups[0][-1].end
    if marked := _MARKED.match(text, start, end):
        return marked.end()
    if len(groups) > _MUCH:
        return _end_of_paste(groups, start, text)
    for group in groups[1:]:
        body = text[group[0].start : group[-1].end]
        if is_own_voice(body) or _RESUMES.match(body):
            break
        end = group[-1].end
    return end


def _introductions(line: str) -> list[int]:
    """Where the colons of introductions stand in a line."""
    colons = []
    at = line.find(":")
    while at >= 0:
        if line[at + 1 : at + 2] in ("", " ", "\t"):
            clause = re.split(r"[.!?:]", line[max(at - _CLAUSE, 0) : at])[-1].rstrip()
            if _introduces(clause) or (not line[at + 1 :].strip() and _LABEL.match(clause)):
                colons.append(at)
        at = line.find(":", at + 1)
    return colons


def _introduces(clause: str) -> bool:
    """Tell whether what follows this clause is said to come from elsewhere."""
    if _SAID.search(clause) or _LOG.search(clause) or _WORKED_ON.search(clause):
        return True
    return bool(_GIVEN.search(clause) and _THING.search(clause) and not _OWN.search(clause))


def _end_of_paste(groups: Sequence[Sequence[Line]], start: int, text: str) -> int:
    """Where the person's own words go on: behind a blank line, when a machine's output came before it."""
    machine_lines = 0
    for group in groups:
        body = [line for line in group if line.start >= start]
        if machine_lines > 1 and body and _goes_on(body):
            return body[0].start
        machine_lines += sum(is_machine(line.text) for line in body)
    return len(text)


def _goes_on(body: Sequence[Line]) -> bool:
    """Tell whether a paragraph behind a machine's output is the person's own again."""
    said = " ".join(line.text for line in body)
    if not _RESUMES.match(said) or any(is_machine(line.text) for line in body):
        return False
    return is_own_voice(said) or said.startswith("----")


def documents(lines: Sequence[Line], text: str) -> list[Stretch]:
    """Find whole documents: files with front matter, instruction files, agents' briefs, texts with many headings."""
    if (start := _start_of_brief(lines, text)) is not None:
        return [(start, len(text))]
    for line, after in pairwise(lines):
        if _FRONT_MATTER.match(line.text) and _KEY.match(after.text):
            return [(line.start, len(text))]
    size = sum(bool(line.text.strip()) for line in lines)
    headings = [line for line in lines if _HEADING.match(line.text)]
    for heading in headings:
        if _FILE_TITLE.match(heading.text) and size > _DOCUMENT_HEADINGS:
            return [(heading.start, len(text))]
    is_readme = sum(bool(_README.match(heading.text)) for heading in headings) > 1
    is_document = is_readme or (len(headings) >= _DOCUMENT_HEADINGS and size >= _DOCUMENT_LINES)
    return [(headings[0].start, len(text))] if is_document else []


def _start_of_brief(lines: Sequence[Line], text: str) -> int | None:
    """Where a text begins that was prepared for an assistant: a summary handed over, or a long brief."""
    before = ""
    for line in lines:
        if len(text) > _BRIEF_SIZE and _PERSONA.search(line.text):
            return lines[0].start if line.start - lines[0].start > _LINE else line.start
        begins = not before.strip() or before.rstrip().endswith((":", "?"))
        is_brief = begins and len(text) - line.start > _BRIEF_SIZE and _BRIEF.match(line.text)
        if is_brief or _HANDED_OVER.match(line.text):
            return line.start
        before = line.text
    return None


def reviews(lines: Sequence[Line], text: str) -> list[Stretch]:
    """Find reviewers' findings: a bot's markup, or paragraphs that diagnose code in nobody's voice."""
    groups = paragraphs(lines)
    bodies = [text[group[0].start : group[-1].end] for group in groups]
    is_quoted = [_is_finding(body) for body in bodies]
    _spread_over_reports(groups, bodies, is_quoted)
    _spread_over_lists(bodies, is_quoted)
    return [(group[0].start, group[-1].end) for group, quoted in zip(groups, is_quoted, strict=True) if quoted]


def _spread_over_reports(groups: list[list[Line]], bodies: list[str], is_quoted: list[bool]) -> None:
    """Mark a bot's report: its title, its severity, and all that follows in nobody's voice."""
    is_report = False
    for index, group in enumerate(groups):
        if any(_SEVERITY.match(line.text) for line in group):
            is_report = True
            if index and len(groups[index - 1]) == 1 and not bodies[index - 1].rstrip().endswith(":"):
                is_quoted[index - 1] = True
        elif is_report:
            is_report = not is_own_voice(bodies[index]) or bool(_PLACE.match(bodies[index]))
        is_quoted[index] = is_quoted[index] or is_report


def _spread_over_lists(bodies: list[str], is_quoted: list[bool]) -> None:
    """Mark a whole list where most of its items are findings."""
    for is_item, run in groupby(range(len(bodies)), key=lambda index: bool(_ITEM.match(bodies[index]))):
        items = list(run)
        if is_item and sum(is_quoted[index] for index in items) * 2 > len(items) > 1:
            for index in items:
                is_quoted[index] = True


def _is_finding(body: str) -> bool:
    """Tell whether a paragraph reads like a reviewer's: about code by name, in full sentences, to nobody."""
    said = _ITEM.sub("", body).strip()
    if len(said) < _REVIEW_SIZE or not said[0].isupper() or said[-1] not in ".:)`" or is_own_voice(said):
        return False
    diagnoses = len(_DIAGNOSIS.findall(said))
    return diagnoses > 0 and diagnoses + len(set(_IDENTIFIER.findall(said))) > 2


def long_pastes(lines: Sequence[Line], text: str) -> list[Stretch]:
    """Find a paste by its length alone: all but a short first paragraph in the person's own voice."""
    groups = paragraphs(lines)
    if sum(map(len, groups)) <= LONG_PASTE:
        return []
    lead = text[groups[0][0].start : groups[0][-1].end].strip()
    is_plain = len(lead) <= _LINE and "\n" not in lead and not _CODE.search(lead)
    is_said = is_own_voice(lead) or lead.endswith(":") or is_plain
    has_lead = len(groups) > 1 and len(groups[0]) <= _LEAD and is_said
    return [(groups[1 if has_lead else 0][0].start, len(text))]
