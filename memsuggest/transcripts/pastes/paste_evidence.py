"""Evidence by rule in a typed message: what is certainly quoted or pasted, what may be, hints for the line model.

Pure. Each rule owns one kind of evidence and returns stretches: the person's own marks, introductions, documents,
records, conversations; what machines wrote stands in `machine_output`. They are all asked, once.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise, takewhile
from typing import NamedTuple

from memsuggest.transcripts.pastes.line_voices import (
    Stretch,
    VoicedLine,
    bridged,
    is_own_voice,
    lines_of,
    paragraphs,
    united,
    without,
)
from memsuggest.transcripts.pastes.machine_output import assistant_phrases, machine_output, templates

_FENCE = re.compile(r"\A[ \t]*(?:[-*+] |\d{1,3}[.)] )?[ \t]*(`{3,}|~{3,}|\"{3}|'{3})([^`\n]*)\Z")
_FENCES = ("``", "~~", '"""', "'''")
_TAG = re.compile(r"<(?:(/)|(?<![\w<]<))([A-Za-z][\w.:-]{0,60})(?:\s[^<>]{0,500})?>")
_QUOTATION = re.compile(r"""(?<![\w"'`=(])(?:"(?=\S)([^"]{40,5000}+)"(?!\w)|“([^”]{40,5000}+)”|«([^»]{40,5000}+)»)""")
_REPLY = re.compile(
    r"""\s*+(?:
        no | nope | nah | yes | yeah | yep | ok | okay | well | please | pls | why | what | how | but | hm+ | right
      | wrong | agreed | exactly | true | false | sure | thanks | I(?:'\w+)? | this | that
      | nein | ja | doch | bitte | aber | warum
      | non | oui | mais | pourquoi | sí | si | pero | por\ favor
    )(?!\w)""",
    re.VERBOSE | re.IGNORECASE,
)
"""How somebody answers a quotation in the next line, where its sentence cannot go on."""


def marked(lines: Sequence[VoicedLine], text: str) -> list[Stretch]:
    closed, opened = _fences(lines) if any(mark in text for mark in _FENCES) else ([], None)
    tagged = _elements(text) if "<" in text else []
    found = [*closed, *tagged]
    if ">" in text:
        found += [(line.start, line.end) for line in lines if line.text.lstrip().startswith(">")]
    # A fence that stays open goes on to the end, unless it opened inside an element that ends. Behind others, a bare
    # one is the end of the first: the text inside broke out.
    if opened is not None and not any(start < opened < end < len(text) for start, end in tagged):
        is_end = bool(closed) and not text[opened:].partition("\n")[0].strip(" \t`~\"'")
        found.append((closed[0][0] if is_end else opened, len(text)))
    return found


def _fences(lines: Sequence[VoicedLine]) -> tuple[list[Stretch], int | None]:
    """Find fenced code, and where a fence opened that stays open; a fence with a language opens one inside another."""
    found: list[Stretch] = []
    opened: list[tuple[int, str]] = []
    for line in lines:
        fence = _FENCE.match(line.text) if any(mark in line.text for mark in _FENCES) else None
        if not fence:
            continue
        is_bare = not fence[2].strip()
        if not opened or (not is_bare and fence[1].startswith(opened[-1][1])):
            opened.append((line.start, fence[1]))
        elif is_bare and fence[1].startswith(opened[-1][1]):
            start, _ = opened.pop()
            if not opened:
                found.append((start, line.end))
    return found, opened[0][0] if opened else None


def _elements(text: str) -> list[Stretch]:
    """Find `<tag>…</tag>` of any name; a start tag alone on its line without an end goes on to the end."""
    found: list[Stretch] = []
    opened: dict[str, list[int]] = {}
    closed: dict[str, int] = {}
    alone = []
    for tag in _TAG.finditer(text):
        starts = opened.setdefault(tag[2], [])
        if not tag[1]:
            starts.append(tag.start())
            around = text[max(tag.start() - 80, 0) : tag.start()].rpartition("\n")[2]
            around += text[tag.end() : tag.end() + 80].partition("\n")[0]
            if not around.strip() and tag.end() < len(text):
                alone.append(tag.start())
            continue
        start = starts.pop() if starts else closed.get(tag[2])
        if start is not None:  # one end tag too many: the text inside broke out
            found.append((start, tag.end()))
            closed[tag[2]] = start
    unclosed = {start for starts in opened.values() for start in starts}
    return found + [(start, len(text)) for start in alone if start in unclosed]


_COLON = re.compile(r":(?=[ \t]|\Z)")
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
_SAID = re.compile(
    r"(?<!\bI )(?<!\bwe )\b(?:says?|said|states?|reads|wrote|writes|posted|replied|commented|reported|complains|told me"
    r"|printed)(?: (?:on|in|at|to) \w{1,20}| this){0,2}\Z"
    r"|\bthe (?:\w{1,20} )?(?:issue|ticket|page|mail|message|comment|review|text|description|article)"
    r" (?:\w{1,20} )?is\Z",
    re.IGNORECASE,
)
_OWN = re.compile(r"\b(?:my|our|some|few|couple|want|need|should|must|add|write|use)\b", re.IGNORECASE)


def introduced(lines: Sequence[VoicedLine], text: str) -> list[Stretch]:
    """Find what follows an introduction such as `the mail says:`, up to where the person speaks again."""
    found: list[Stretch] = []
    groups = paragraphs(lines) if ":" in text else []
    for place, group in enumerate(groups):
        for line in group:
            for colon in _COLON.finditer(line.text):
                clause = re.split(r"[.!?:]", line.text[max(colon.start() - _CLAUSE, 0) : colon.start()])[-1].rstrip()
                is_given = _GIVEN.search(clause) and _THING.search(clause) and not _OWN.search(clause)
                if not (is_given or _SAID.search(clause)):
                    continue
                is_below = line is group[-1] and not line.text[colon.end() :].strip()
                last = group[-1].end
                for number, after in enumerate(groups[place + 1 :]):
                    body = text[after[0].start : after[-1].end]
                    if (number or not is_below) and (is_own_voice(body) or body[:1].islower()):
                        break
                    last = after[-1].end
                found.append((line.start + colon.end(), last))
    return found


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
    is_long, before = len(text) > _BRIEF_SIZE, ""
    if is_long or any(words in text for words in _HANDING_OVER):  # a summary handed over, or a long brief
        for line in lines:
            if is_long and _PERSONA.search(line.text):
                start = lines[0].start if line.start - lines[0].start > _LINE else line.start
                return [(start, len(text))]
            begins = not before.strip() or before.rstrip().endswith((":", "?"))
            is_brief = begins and len(text) - line.start > _BRIEF_SIZE and _BRIEF.match(line.text)
            if is_brief or line.text.startswith(_HANDING_OVER):
                return [(line.start, len(text))]
            before = line.text
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


def reviews(lines: Sequence[VoicedLine], text: str) -> list[Stretch]:
    """Find reviewers' findings: a bot's markup, or paragraphs that diagnose code in nobody's voice."""
    groups = paragraphs(lines)
    bodies = [text[group[0].start : group[-1].end] for group in groups]
    is_quoted = [len(body) >= _REVIEW_SIZE and _is_finding(body) for body in bodies]
    is_report = False  # a bot's: its title, its severity, and all that follows in nobody's voice
    for index, group in enumerate(groups):
        if any(_SEVERITY.match(line.text) for line in group):
            is_report = True
            if index and len(groups[index - 1]) == 1 and not bodies[index - 1].rstrip().endswith(":"):
                is_quoted[index - 1] = True
        elif is_report:
            is_report = not is_own_voice(bodies[index]) or bool(_PLACE.match(bodies[index]))
        is_quoted[index] = is_quoted[index] or is_report
    return [(group[0].start, group[-1].end) for group, quoted in zip(groups, is_quoted, strict=True) if quoted]


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


def mappings(lines: Sequence[VoicedLine], text: str) -> list[Stretch]:
    """Find a key that holds others, further in, with sentences in them: data, or somebody's notes."""
    found: list[Stretch] = []
    for group in paragraphs(lines) if ":\n" in text else ():
        for place, (line, after) in enumerate(pairwise(group)):
            key, inner = _RECORD_KEY.match(line.text), _RECORD_KEY.match(after.text)
            is_above = bool(inner and key and len(inner["indent"]) > len(key["indent"])) or _ENTRY.match(after.text)
            if key is None or key["value"] or not is_above:
                continue
            values = (
                within.text[entry.start("value") :]
                for within in takewhile(lambda line: line.text.startswith(" "), group[place + 1 :])
                if (entry := _RECORD_KEY.match(within.text))
            )
            if any(len(value.split()) > _NAMES for value in values):
                found.append((line.start, group[-1].end))
                break
    return found


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


_Rule = Callable[[Sequence[VoicedLine], str], list[Stretch]]

_MARKS: tuple[_Rule, ...] = (marked, comments)
"""The person's own marks: what stands in them is quoted, and other rules look at the rest only."""
_CERTAIN: tuple[_Rule, ...] = (machine_output, talks, templates)
"""Shapes that nobody types: hardly a line of these was composed in the messages that the model was fitted on."""
_DRESSED: tuple[_Rule, ...] = (documents, assistant_phrases)
_LIKELY: tuple[_Rule, ...] = (reviews, mappings, posts)
"""These and those above are mostly pasted, and now and then composed: in doubt at least."""


class PasteEvidence(NamedTuple):
    """The findings of the rules in one message."""

    lines: Sequence[VoicedLine]
    certain: tuple[Stretch, ...]  # quoted or pasted
    likely: tuple[Stretch, ...]  # in doubt at least; these may overlap the certain ones
    left_open: Mapping[int, bool]
    """The numbers of the lines that no rule is certain of, and whether it is of a part of one."""
    is_dressed: bool  # whether something in it looks like a document or an assistant's answer


def evidence(text: str) -> PasteEvidence:
    def found(rules: Iterable[_Rule], lines: Sequence[VoicedLine]) -> list[Stretch]:
        return [stretch for rule in rules for stretch in rule(lines, text)]

    lines = lines_of(text)
    certain = found(_MARKS, lines)
    likely = [quotation.span() for quotation in _QUOTATION.finditer(text)]
    if text.lstrip()[:1] == ">" and all(line.text.lstrip()[:1] in (">", "") for line in lines):
        likely, certain = [*likely, *certain], []  # a prompt such as "> use tabs" is not a quotation of others
    unmarked = without(lines, united(certain))
    pasted = united([*certain, *found(_CERTAIN, unmarked)])
    rest = without(lines, pasted)
    dressed = found(_DRESSED, rest)
    likely += [*dressed, *found(_LIKELY, rest), *introduced(unmarked, text)]
    quoted_to = -1
    for line in lines:
        if line.text.lstrip()[:1] == ">":
            quoted_to = line.end
        elif quoted_to == line.start and line.text.strip() and not _REPLY.match(line.text):
            # Below a quoted line without a mark: Markdown shows it in the quotation, a person may answer.
            likely.append((line.start, line.end))
            quoted_to = line.end
    pasted = bridged(pasted, text)
    left_open: dict[int, bool] = {}
    at = 0
    for place, line in enumerate(lines):
        bare = line.text.strip()
        if not bare:
            continue
        while at < len(pasted) and pasted[at][1] <= line.start:
            at += 1
        start, end = pasted[at] if at < len(pasted) else (line.end, line.end)
        begin = line.start + line.text.index(bare[0])
        if not start <= begin or begin + len(bare) > end:  # but for the white space at its ends
            left_open[place] = start < line.end
    return PasteEvidence(lines, pasted, united(likely), left_open, bool(dressed))
