"""Wording: what was typed, turned into a rule that stands alone, in as many of the person's own words as possible.

Pure. The order: a complaint becomes its rule, small words go, wishes become orders, pronouns get their noun, dates get
their year, the reason stays (SYSTEM.md C.1). What would still hang in the air is not worded at all.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memsuggest.extraction.language.pronouns import points_elsewhere, resolved, without_pointing
from memsuggest.extraction.safety import one_line
from memsuggest.extraction.wording.corrections import as_correction
from memsuggest.extraction.wording.dates import with_absolute_dates
from memsuggest.extraction.wording.rephrase import as_rule, asks_for_a_rule_file, in_third_person, spelt
from memsuggest.extraction.wording.residue import without_fillers, without_residue
from memsuggest.text.words import languages_of

if TYPE_CHECKING:
    from datetime import datetime

LIMIT = 280  # characters of a content
_LEAST = 5  # characters before a reason
_SHORT = 170  # up to here a reason stays in the content
_SPACE = re.compile(r"\s+")
_EMPHASIS = re.compile(r"(?<!\w)(?!__\w+__)(\*\*|__|\*|_)(?=\S)([^*_`]{1,200}?\S)\1(?!\w)")
_REASON = re.compile(
    r"(?:[,;(]?\s+)(?:(?:because(?! of)|so that|or else|weil|damit|parce qu[e']|pour que|sinon|porque|ya que|para que"
    r"|já que|senão|pois)\s+(?P<why>[^.]{4,200}?)"
    r"|(?<=[,(] )(?:since|as|otherwise|sonst|da(?! (?:\w+t|sind|haben|kann|muss)\b)|car)\s+(?P<since>[^.]{4,200}?)"
    r"|since\s+(?P<plain>(?:it|they|we|this|that|the|there|our|you)\b[^.]{4,200}?))[).]?$",
    re.IGNORECASE,
)
_THEN_DO = re.compile(
    r",\s+(?:so |then |and )?(?:please |kindly )?(?:always|never|use|don't|do not|make sure|avoid|take|keep|put"
    r"|run)\b",
    re.IGNORECASE,
)
"""Where a reason is over and a rule begins."""
_TOO = re.compile(
    r"[,;-]\s+(?P<why>(?:it'?s |they'?re |that'?s )?(?:way |far )?too \w+(?: \w+){0,4})[.]?$", re.IGNORECASE
)
_LOOSE = re.compile(r"(?<=\w) ([,.;:!])(?=\s|\Z)")
"""A mark that stands apart from its word: "In README.md , keep the badges"."""
_SCRAP = re.compile(
    r"(?:always|never|only|not|nothing|nowhere)"
    r"(?: (?:anywhere|anything|again|else|that|this|it|there|here|like|so|ever|then)\b){0,4}[.!]?",
    re.IGNORECASE,
)
"""What is left when a sentence was said in two: "Never anywhere else."."""
_EXAMPLE = re.compile(r"(?:like|such as|e\.g\.|as in|for example) [`\w]", re.IGNORECASE)
"""An example that belongs to the sentence before: "like OrderPlaced, not PlaceOrder"."""
_PLAN = re.compile(r"we(?:'ll| will) (?:then|now|next|start|begin|need to|first)\b(?! ask)", re.IGNORECASE)
"""What will be done in this piece of work: "we will first fix the errors"."""
_ONE_TIME = re.compile(
    r"\b(?:check|see|verify|test) (?:if|whether) (?:that|this|it) (?:fix(?:es|ed)|work(?:s|ed)|help(?:s|ed)"
    r"|solve[sd])\b"
    r"|\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b",
    re.IGNORECASE,
)
"""What is about one try, or one thing that has a number of its own."""
_HEADLESS = re.compile(
    r"(?:must|should|shall|ought to|is|are|was|were|has|does|will|would)(?: not|n't)? (?!(?:i|we|you|it|there"
    r"|they|he|she|this|that|the|a|an)\b)\w",
    re.IGNORECASE,
)
"""A sentence without what it is about: "must fail the run, not warn"."""
_ASKS_WHY = re.compile(
    r"(?:(?:wait|and|but|so|hey|hm+|now|then)[, ]+)*(?:why (?:[\w.-]+(?: [\w.-]+)?[?!. ]*\Z|is|are|does|do|did"
    r"|was|were|isn't|aren't|doesn't"
    r"|would|the)|how come)"
    r"\b",
    re.IGNORECASE,
)
"""A question, whatever mark it lacks: "wait why is there a sleep in the test"."""
_CLIPPED = re.compile(
    r"(?:(?:instead of|rather than) [^,;:]+\Z|(?:and |but )?(?:never|only|not|except|unless|even"
    r"|especially) (?:in|for|on|with|from|at|by|inside|under"
    r"|during)\b(?! (?:mind|case))"
    r"|(?:at least|at most|only|exactly) (?:one|two|three|\d+)(?: of (?:them|these|those))? (?:is|are|must|should"
    r"|can|may|needs?)\b)",
    re.IGNORECASE,
)
"""What only goes on with the sentence before: "never in production", "at least one is required"."""
_OPEN = {"(": ")", "[": "]", "\u201c": "\u201d"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Worded:
    """A rule in words, its reason, and what it names besides its quote."""

    content: str
    """"" where the quote cannot be said so that it stands alone."""
    reason: str = ""
    named: tuple[str, ...] = ()
    """Dates that the wording computed."""
    leans: bool = False
    """The sentence before was needed; it belongs to the evidence."""


NOTHING = Worded(content="")
_TAKEN_OUT = re.compile(
    r",?\s?\(?\b(?:such as|like|e\. ?g\.,?|for example|for instance|zum Beispiel|z\. ?B\.|wie|par exemple|comme"
    r"|por ejemplo|por exemplo|como)\s\[REDACTED:[a-z-]{1,20}\](?:,|\))?",
    re.IGNORECASE,
)
"""An example that redaction took the place of: the rule says as much without it."""


def word(quote: str, *, before: str = "", heard: str = "", said: datetime | None = None) -> Worded:
    """Turn a quote into one line that starts like a rule and ends like a sentence.

    `before` is what the person said before it, `heard` what the other side said last.
    """
    line = without_fillers(spelt(_TAKEN_OUT.sub("", _EMPHASIS.sub(r"\2", _SPACE.sub(" ", quote).strip()))))
    corrected = as_correction(line)
    if corrected is None:
        corrected = as_correction(without_residue(line))
    if corrected == "":
        return NOTHING
    line = as_rule(without_residue(corrected or line))
    if asks_for_a_rule_file(line) or _ASKS_WHY.match(line):
        return NOTHING
    if (_HEADLESS.match(line) and not before) or _PLAN.match(line):
        return NOTHING
    if (
        (_CLIPPED.match(line) or _HEADLESS.match(line))
        and before
        and (whole := _together(without_residue(_SPACE.sub(" ", before)), line))
    ):
        return Worded(content=_finished(in_third_person(whole)), leans=True)
    leans = points_elsewhere(line) or bool(_EXAMPLE.match(line))
    if leans:
        context = without_residue(_SPACE.sub(" ", before))
        line = resolved(line, context) or resolved(line, heard, plural_only=True) or _together(context, line)
        if not line:
            return NOTHING
    line, named = with_absolute_dates(in_third_person(without_pointing(line)), said)
    content, reason = _with_reason(line)
    if _ONE_TIME.search(content):
        return NOTHING
    return Worded(content=_finished(content), reason=in_third_person(reason), named=named, leans=leans)


def _together(before: str, line: str) -> str:
    """Two sentences as one text; "" where there is no sentence before, or both are too much."""
    if not before or before.endswith(("?", "\uff1f")) or len(before) + len(line) + 2 > LIMIT:
        return ""
    if points_elsewhere(as_rule(before)):
        return ""
    if _EXAMPLE.match(line):
        return f"{as_rule(before).rstrip('.!')}, {line}"
    ending = "" if before[-1] in ".!:" else "."
    return f"{as_rule(before)}{ending} {capitalised(line)}"


def _with_reason(line: str) -> tuple[str, str]:
    """Take the reason out; it also stays in the content where that is short."""
    found = _REASON.search(line) or _TOO.search(line)
    if not found or found.start() < _LEAST:
        return line, ""
    reason = next(why for why in found.groupdict().values() if why).strip(" ,;)")
    orders = _THEN_DO.search(reason)
    if orders:
        return line, reason[: orders.start()]
    return (line if len(line) <= _SHORT else line[: found.start()]), reason


def _finished(line: str) -> str:
    line = _LOOSE.sub(r"\1", _balanced(one_line(line).strip(" \t,;:\u2013\u2014")))
    if _SCRAP.fullmatch(line):
        return ""
    if len(line) > LIMIT:
        line = line[:LIMIT].rsplit(" ", 1)[0].rstrip(" ,;:") + " \u2026"
    line = line.rstrip("?\uff1f ")
    if not line:
        return ""
    stop = "\u3002" if languages_of(line)[0] in ("ja", "zh") else "."
    if line.endswith(("!", "...", "..")):
        line = line.rstrip("!. ")
    return capitalised(line) + ("" if not line or line[-1] in ".!?\u2026\u3002\uff01\uff1f" else stop)


def _balanced(line: str) -> str:
    """Drop a bracket that the cutting of the sentence left open or closed for nothing."""
    for opening, closing in _OPEN.items():
        if line.count(opening) > line.count(closing):
            at = line.rindex(opening)
            line = line[:at].rstrip() if len(line) - at < len(line) // 2 else line.replace(opening, "", 1)
        elif line.count(closing) > line.count(opening):
            line = line.replace(closing, "", 1)
    return line.strip()


def capitalised(line: str) -> str:
    """The first letter as a capital, unless a name or code starts the line."""
    first = line.split(" ", 1)[0].strip(",.;:'")
    if not first[:1].islower() or re.search(r"[\W\d_]", first.replace("'", "")) or any(c.isupper() for c in first):
        return line
    return line[:1].upper() + line[1:]
