"""Texts of others, pasted without a mark: documents, records and conversations. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise, takewhile

from memsuggest.transcripts.pastes.line_voices import Stretch, VoicedLine, is_own_voice, paragraphs

_LINE = 80  # characters that a person types before a paste, in whatever voice
_FRONT_MATTER = re.compile(r"\A---[ \t]*\Z")
_DOCUMENT_KEY = re.compile(r"\A[\w-]{1,40}:(?: |\Z)")
_HEADING = re.compile(r"\A#{1,6} \S")
_FILE_TITLE = re.compile(
    r"\A#{1,2} (?:(?:AGENTS|CLAUDE|GEMINI|README|CONTRIBUTING|SKILL)(?:\.md)?\b|Copilot instructions"
    r"|Repository guidelines|Identity\b|System prompt\b)",
    re.IGNORECASE,
)
_HANDING_OVER = ("This session is being continued from a previous conversation", "Caveat: The messages below were ")
"""How texts begin that assistants write for themselves."""
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
    r"\A\W{0,6}(?:(?:Critical|High|Medium|Low|Minor|Major|Trivial)[ -]?(?:[Ss]everity|[Pp]riority)\b|Severity: "
    r"|P[0-3] (?:Badge|Bug)|Actionable comments posted|Prompt for AI Agents|Potential issue\b|Nitpick\b"
    r"|Suggested change\b|Copilot AI\b)"
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


def documents(lines: Sequence[VoicedLine], text: str) -> list[Stretch]:
    """Find whole documents: files with front matter, instruction files, agents' briefs, texts with many headings."""
    if (start := _start_of_brief(lines, text)) is not None:
        return [(start, len(text))]
    for line, after in pairwise(lines) if "---" in text else ():
        if line.text.startswith("---") and _FRONT_MATTER.match(line.text) and _DOCUMENT_KEY.match(after.text):
            return [(line.start, len(text))]
    headings = [line for line in lines if line.text.startswith("#") and _HEADING.match(line.text)]
    size = sum(bool(line.text.strip()) for line in lines) if headings else 0
    for heading in headings:
        if _FILE_TITLE.match(heading.text) and size > _DOCUMENT_HEADINGS:
            return [(heading.start, len(text))]
    is_document = len(headings) >= _DOCUMENT_HEADINGS and size >= _DOCUMENT_LINES
    return [(headings[0].start, len(text))] if is_document else []


def _start_of_brief(lines: Sequence[VoicedLine], text: str) -> int | None:
    """Return the beginning of a text that was prepared for an assistant: a summary handed over, or a long brief."""
    is_long = len(text) > _BRIEF_SIZE
    if not is_long and not any(words in text for words in _HANDING_OVER):
        return None
    before = ""
    for line in lines:
        if is_long and _PERSONA.search(line.text):
            return lines[0].start if line.start - lines[0].start > _LINE else line.start
        begins = not before.strip() or before.rstrip().endswith((":", "?"))
        is_brief = begins and len(text) - line.start > _BRIEF_SIZE and _BRIEF.match(line.text)
        if is_brief or line.text.startswith(_HANDING_OVER):
            return line.start
        before = line.text
    return None


def reviews(lines: Sequence[VoicedLine], text: str) -> list[Stretch]:
    """Find reviewers' findings: a bot's markup, or paragraphs that diagnose code in nobody's voice."""
    groups = paragraphs(lines)
    bodies = [text[group[0].start : group[-1].end] for group in groups]
    is_quoted = [len(body) >= _REVIEW_SIZE and _is_finding(body) for body in bodies]
    _spread_over_reports(groups, bodies, is_quoted)
    return [(group[0].start, group[-1].end) for group, quoted in zip(groups, is_quoted, strict=True) if quoted]


def _spread_over_reports(groups: list[list[VoicedLine]], bodies: list[str], is_quoted: list[bool]) -> None:
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


def _is_finding(body: str) -> bool:
    """Tell whether a paragraph reads like a reviewer's: about code by name, in full sentences, to nobody."""
    said = _ITEM.sub("", body).strip()
    if len(said) < _REVIEW_SIZE or not said[0].isupper() or said[-1] not in ".:)`" or is_own_voice(said):
        return False
    diagnoses = len(_DIAGNOSIS.findall(said))
    return diagnoses > 0 and diagnoses + len(set(_IDENTIFIER.findall(said))) > 2


_RECORD_KEY = re.compile(r"\A(?P<indent> *)(?:- )?(?P<key>[\"']?[a-z][\w.$/-]*[\"']?):(?P<value>\Z| +\S)")
_NAMES = 2  # words of a value that is a name rather than a sentence
_ENTRY = re.compile(r"\A *- +[a-z][\w.$/-]*:(?: |\Z)")


def _holds(line: str, after: str) -> bool:
    key, inner = _RECORD_KEY.match(line), _RECORD_KEY.match(after)
    if key is None or key["value"]:
        return False
    return bool(_ENTRY.match(after)) or bool(inner and len(inner["indent"]) > len(key["indent"]))


def mappings(lines: Sequence[VoicedLine], text: str) -> list[Stretch]:
    """Find a key that holds others, further in, with sentences in them: data, or somebody's notes."""
    found: list[Stretch] = []
    for group in paragraphs(lines) if ":\n" in text else ():
        for place, (line, after) in enumerate(pairwise(group)):
            held = takewhile(lambda one: one.text.startswith(" "), group[place + 1 :])
            if _holds(line.text, after.text) and any(_is_said(one.text) for one in held):
                found.append((line.start, group[-1].end))
                break
    return found


def _is_said(line: str) -> bool:
    key = _RECORD_KEY.match(line)
    return key is not None and len(line[key.start("value") :].split()) > _NAMES


_TIME = r"\d{1,2}[:.]\d{2}(?:[:.]\d{2})?(?: ?[AaPp]\.?[Mm]\.?)?"
_NAME = r"[^\W\d_][\w.'@-]{0,30}(?: [^\W\d_][\w.'@-]{0,30}){0,2}"
_TIMED = re.compile(
    rf"\A\s{{0,4}}(?:\[(?:[\d./-]{{6,10}},? )?{_TIME}\] ?-? ?<?{_NAME}>?:|{_TIME} -? ?<?{_NAME}>?:|<{_NAME}> \S"
    rf"|{_NAME},? \[(?:[\d./-]{{6,10}},? )?{_TIME}\]:?|{_NAME} \({_TIME}\):?)"
)
"""A line of a chat with its time, or with its speaker in angle brackets."""
_HEAD = re.compile(rf"\A{_NAME} {{1,4}}(?:APP {{1,3}})?(?:(?:today|yesterday) at )?{_TIME}\s*\Z", re.IGNORECASE)
"""A line that names a speaker and a time, the message below it."""
_MAY_BE_TIMED = re.compile(r"\d[:.]\d\d|<[^\W\d_]")

_POSTED = re.compile(
    rf"""\A\W{{0,4}}(?:
        # sites: who wrote, when, and the buttons below
        @?{_NAME}\ (?:commented|opened\ this|requested\ changes|left\ a\ (?:comment|review)|reviewed|replied)\b
      | (?:Comment|Review|Discussion|Suggestion)s?\ (?:on|for)\ (?:lines?\b|\S+\.\w{{1,5}}\b)
      | [^\n]{{0,80}}\b(?:\d{{1,3}}|an?)\ (?:minute|hour|day|week|month|year)s?\ ago\b[^\n]{{0,40}}\Z
      | (?:Resolve\ conversation|Reply(?:\.\.\.|…)|Mark\ as\ resolved|Quote\ reply)\s*\Z
        # mail: what stands above an answer or what was sent on
      | -{{2,}}\ ?(?:Original|Forwarded|Urspr|Weitergeleitete|Message|Mensaje)[^\n]{{0,40}}-{{2,}}
      | (?:Begin\ forwarded\ message|Anfang\ der\ weitergeleiteten)\b
      | (?:On|Am|Le|El)\ [^\n]{{6,120}}\ (?:wrote|schrieb[^\n]{{0,60}}|a\ [ée]crit|escribi[óo])\s?:\s*\Z
      | (?:From|Von|De):\ [^\n]{{1,120}}(?:@\S|\[REDACTED)
      | (?:Subject|Betreff|Objet|Asunto|Gesendet):\ \S
    )""",
    re.VERBOSE,
)
"""A line that sites and mail programs put beside what somebody wrote."""


def posts(lines: Sequence[VoicedLine], text: str) -> list[Stretch]:
    """Find what somebody wrote on a site or in a mail: from the line that says who on, or all where one ends it."""
    places = [place for place, line in enumerate(lines) if _POSTED.match(line.text)]
    if not places:
        return []
    is_head = any(line.text.strip() for line in lines[places[0] + 1 :])
    return [(lines[places[0]].start if is_head and places[0] else lines[0].start, len(text))]


def comments(_lines: Sequence[VoicedLine], text: str) -> list[Stretch]:
    found: list[Stretch] = []
    start = text.find("<!--")
    while start >= 0:
        end = text.find("-->", start)
        found.append((start, end + 3 if end >= 0 else len(text)))
        start = text.find("<!--", found[-1][1])
    return found


def talks(lines: Sequence[VoicedLine], text: str) -> list[Stretch]:
    """Find lines of chats: with a time and a name, or below a head of both."""
    found: list[Stretch] = []
    is_message = False
    for line in lines if _MAY_BE_TIMED.search(text) else ():
        is_head = bool(_HEAD.match(line.text))
        is_message = is_head or (is_message and bool(line.text.strip()))
        if is_message or _TIMED.match(line.text):
            found.append((line.start, line.end))
    return found
