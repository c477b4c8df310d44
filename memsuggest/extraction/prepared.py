"""Prepared texts: what reads like a specification, a manual, a log, a review, rather than like somebody who talks.

Free functions over a remark, like `policy`; the rules give them weight.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from memsuggest.extraction.language import phrases
from memsuggest.extraction.language.grammar import is_order
from memsuggest.extraction.language.trade import has_named_thing, has_seen_thing, has_work_word
from memsuggest.extraction.policy import is_for_the_record, is_forbidding, lasts
from memsuggest.text.words import plain

if TYPE_CHECKING:
    from memsuggest.extraction.remarks import Remark

_PASTED = re.compile(
    r"^\s*(?:at |File \"|Traceback|\d{4}-\d\d-\d\d[T ]\d\d:|\[?(?:INFO|DEBUG|WARN(?:ING)?|ERROR|FATAL|TRACE)\b[\]: ]"
    r"|[\w.]{0,120}(?:Error|Exception):|npm ERR!|\$ |> |❯|⎿|│|\||\+\+\+|---|@@|diff --git|index [0-9a-f]{7}|#\d+ "
    r"|E\s{3}"
    r"|FAIL\b|PASS\b|---? FAIL|[✓✗✅❌►●] ?\w)"
    r"|\b(?:Low|Medium|High|Critical) Severity\b|\bThis (?:ensures|function|method|change|approach|could lead|can cause"
    r"|means that)\b"
    r"|\b(?:Consider|Note: |Suggestion:|Nit:|Recommended)\b.{10,}\b(?:should|could|instead|using|whether|if|adding"
    r"|logging)\b"
    r"|[\w.]{2,120}(?:Error|Exception)(?:\)|:)|\b(?:error|fatal|warning|panic): |: ERROR\b|\bDEPRECATION WARNING\b"
    r"|\bhas no attribute '"
    r"|[{}]\s*$|^\s*[\"'][\w-]+[\"']\s*:|=>\s*\{|\);\s*$|\w\([^()\n]{0,80}\)\s*[{;]|\t\S+.*\t"
    r"|^(?:You are|Act as|Your (?:role|task|job) is|Your goal)\b"
    r"|^As an? (?:\w+ ){0,2}(?:language model|AI|assistant)\b.{0,40}\bI\b",
    re.MULTILINE,
)
_SPEC_VOICE = re.compile(
    r"\b(?:each|every) [\w-]+ (?:shows|displays|lists|opens|links|expands|slides|fades)\b"
    r"|\b(?:admins?|owners?|members?|guests?|managers?|editors?|viewers?|customers?|visitors?|players?|patients?"
    r"|buyers?)"
    r" (?:can|may|should|must|cannot|can't)\b|\bas an? [\w -]{2,30},? i (?:want|need|would like)\b"
    r"|\busers? (?:should|can|must|will|may|could)\b"
    r"|\bshould be able to\b|\bfields?\b.{0,20}\brequired\b|\b(?:display|show|render)s? the\b"
    r"|\b(?:each|every|all) (?:\w+ )?(?:panels?|rows?|columns?|cards?|tabs?|buttons?|items?|settings?|menus?"
    r"|dialogs?)\b.{0,20}\b(?:should|must|will)\b"
    r"|\bthe (?:\w+ ){0,2}(?:button|page|panel|dialog|modal|header|screen|tab|menu|list|chart|form|sidebar"
    r"|tooltip|icon|ui|app|game|player|card|table|field|widget"
    r"|input|text|image|title|label|color|background|site|website|view) (?:should|must|will|needs to|has to)\b"
)
_WISH = re.compile(
    r"\b(?:we|i) (?:want|prefer|never|always|don't)\b|\bmake sure\b|\bensure\b|\bthere should be no\b|\brules?\b"
)
_MEASURE = re.compile(
    r"(?<![\w.-])\d+(?:[.,]\d+)? ?(?:ms|s|secs?|seconds?|min|mins|minutes?|hours?|h|days?|d|weeks?|months?|years?|px"
    r"|rem|em|%|x|times|sekunden?|minuten?|stunden?|tagen?|secondes?|heures?|jours?|segundos?|minutos?|horas?"
    r"|d[ií]as?)(?![\w/])"
    r"|\b(?:one|two|three|four|five|ten|twenty|thirty) (?:milliseconds?|seconds?|minutes?|hours?|days?|weeks?|months?"
    r"|years?)\b|\d(?:時|分|秒|日|回|件|小时|分钟|天|次)"
)
_SUBJECTLESS = re.compile(
    r"(?:(?:and|also|but|then|it|so|this|that|they|these) )?(?:must|should|needs? to|has to|shall)(?: not"
    r"|n't)? (?!always|never)"
)
_TASK = re.compile(
    r"\?|\b(?:can|could|would) (?:you|we)\b|\b(?:add|fix|implement|create|build|make|write|plan|refactor|migrate"
    r"|investigate"
    r"|find|check|look|help|need|want|let's|i'd like|bug|crash\w*|error\w*|feature|spec|broken|wrong|fails?|failing"
    r"|slow"
    r"|review|update|change|move|remove|rename|port|convert|upgrade|design|draft|explain|talk|problem|issue|bitte"
    r"|kannst"
    r"|fehler|ajoute|corrige|peux|quiero|puedes|añade|preciso|crie|adicione|vamos)\b|ください|たい|加|做|改|修|写|帮"
)
"""What asks for a piece of work, or names its occasion."""
_AT_LENGTH = 5  # statements
_LOOKED_AT = 2000  # characters of a paragraph
_LONG_PARAGRAPH = 220  # characters


def is_impersonal_prose(remark: Remark) -> bool:
    """Whether it stands in a long paragraph that speaks to nobody: a pasted review, a manual, a report."""
    paragraph = remark.statement.paragraph
    if len(paragraph) < _LONG_PARAGRAPH or lasts(remark) or is_order(remark.main):
        return False
    return not phrases.PERSON.search(plain(paragraph[:_LOOKED_AT]))


def is_part_of_a_request(remark: Remark) -> bool:
    """Whether it says what a feature that its turn asks for is to do, and nothing says that it is meant to last."""
    if not remark.is_request or is_for_the_record(remark):
        return False
    if not (remark.is_first and remark.statement.in_list) and (
        is_forbidding(remark) or (is_order(remark.main) and lasts(remark))
    ):
        return False
    return not _WISH.search(remark.plain)


def speaks_as_a_specification(remark: Remark) -> bool:
    """Whether it says what a feature shows or lets its users do."""
    return bool(_SPEC_VOICE.search(remark.plain))


def shows_something(remark: Remark) -> bool:
    """Whether it speaks of what the product's users see or do."""
    return has_seen_thing(remark.plain)


def is_only_of_the_product(remark: Remark) -> bool:
    """Whether it speaks of what users see, and neither of the work nor of anything by its name."""
    return shows_something(remark) and not has_work_word(remark.plain) and not has_named_thing(remark.statement.text)


def opens_at_length(remark: Remark) -> bool:
    """Whether it stands in a long first turn, which lays out what is to be built."""
    is_opening = remark.is_first and not remark.answered and not remark.is_dialogue
    return is_opening and remark.statement.count >= _AT_LENGTH and not is_for_the_record(remark)


def opens_with_a_task(remark: Remark) -> bool:
    """Whether it stands among others in a first turn that asks for a piece of work."""
    if (lasts(remark) and is_order(remark.main) and remark.statement.count < _AT_LENGTH) or is_for_the_record(remark):
        return False
    is_opening = remark.is_first and not remark.answered and not remark.is_dialogue and remark.statement.count > 1
    return is_opening and bool(_TASK.search(plain(remark.turn.typed[:_LOOKED_AT])))


def goes_on_specifying(remark: Remark) -> bool:
    """Whether it says must or should of what was just spoken of: "must be an integer"."""
    return bool(_SUBJECTLESS.match(remark.core)) and not is_for_the_record(remark)


def measures(remark: Remark) -> bool:
    """Whether a number with its unit is in it: after 7 days, 300 ms, 60 px."""
    return bool(_MEASURE.search(remark.plain))


def looks_pasted(remark: Remark) -> bool:
    """Whether it reads like a log, code, a review bot, a prompt for somebody else."""
    return bool(_PASTED.search(remark.statement.text))
