"""Colleagues: how people tell each other, amid much else, how code is written.

Owns the reading of talks between people. There, nearly everything is about other things; what is worth remembering
speaks of a part of code (functions, names, imports, tests, a tool) in the voice of a rule, a habit, a wish or a change,
and neither praises, nor asks, nor tells a story. Free functions over a remark; knows no weight.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from memsuggest.extraction.language.grammar import is_order, subject_kind, verb_of
from memsuggest.extraction.talks.codewords import AFFIX, is_about_code, speaks_of_code, speaks_of_code_itself
from memsuggest.extraction.talks.voices import (
    ASKED,
    CHANGE,
    LASTS,
    NORM,
    OURS,
    RATHER,
    STRONG,
    TALKING,
    WISH,
    is_exercise,
    is_named,
    is_plainly_voiced,
    is_voiced,
    orders_for_a_case,
    voices,
)
from memsuggest.text.verbs import word_set

if TYPE_CHECKING:
    from memsuggest.extraction.remarks import Remark

_WANTS_TO_KNOW = re.compile(
    r"(?:is|are|was|were|does|do|did|has|have|had|isn't|aren't|doesn't|didn't|don't|which|why|who|where|when)\b"
    r"|what (?!about|if|would you say)|how (?!about)"
)
"""How a question begins that is no request."""
_POLITELY = re.compile(r", (?:could|would|will|can) you(?: please)?\?$")
_PAST = re.compile(
    r"^(?:(?:\w+ly|and|but|so|well|yes|oh|ah|also|when|since|because|last \w+|yesterday|back then|the other day),? )*"
    r"(?:i|we|you|he|she|they|it|that|there|this|somebody|someone|everybody|nobody|my \w+|the team|our \w+)"
    r"(?:'ve|'d)? (?:(?:\w+ly|also|just|all|both|even|once|never|already|have|has|had|recently) ){0,2}"
    r"(?!decided|agreed|need|changed|switched|dropped|renamed|replaced|used to)(?:\w+ed|was|were|had|did|didn't|saw"
    r"|read|thought|heard|found|got|wrote|spent|made|forgot|broke|came|went|told|said|left|felt|took|gave|knew|met"
    r"|learnt|caught|been|seen|written|gotten|gone|done|lost|won|sent|ran)\b"
)
_AT_FIRST = 15  # characters
_LATER = re.compile(
    r"(?<!so )(?<!so that )\b(?:we|you|i) can \w+ .{1,60}\blater\b|\byou know all\b|\bthere's a (?:spot|place|bug)\b"
    r"|\bleave (?:the|that|this) .{3,60} (?:where|as|how) it is\b"
    r"|^(?:and |so |please )?(?:send|show|tell) me\b"
    r"|^(?:and |so |please )?be (?:merciful|patient|kind|gentle|nice|proud|honest)\b"
    r"|\bi can help\b|\bappreciate it when (?:people|somebody|someone)\b|\bbore you\b"
)
"""Of another time, of one place, of what somebody knows, of people."""
_REMINDS = re.compile(
    r"\b(?:i|we) (?:had |have |'ve |'d )?(?:asked|told|gave|given|said|taught)\b"
    r"|\bremember (?:how|that|when|the|what)\b|\blast time\b"
    r"|\byou(?:'ll| will|'d)? (?:surely |certainly |probably )?remember\b"
)
"""What speaks of a rule that was given before."""
_NOW = re.compile(r"\b(?:always|never|must|now|instead|please|from (?:now|today)|please|again|already|keep|don't)\b")
_PRAISE = re.compile(
    r"\b(?:i|we) (?:really |also |do |still |just |particularly |quite )*(?:liked?|loved?|love|like|enjoyed|admire"
    r"|see"
    r"|noticed?|think you|know you|hope|wonder|remember when|guess|bet|feel|believe you|appreciated?) (?:how|the way"
    r"|your|that you|you|what)\b|\byou(?:'re| are) (?:\w+ ){0,2}(?:doing|getting|becoming|right|a|such|making|so|good"
    r"|great|learning|welcome)\b|\bwell done\b|\b(?:great|good|nice|excellent|amazing|fantastic|impressive"
    r"|solid) (?:job"
    r"|work|progress|question|start|catch|call|point)\b|\bproud\b|\bthank(?:s| you)\b|\bcongrat\w+"
    r"|\b(?<!all )(?<!each of )(?<!that )(?<!what )(?<!how )your (?:\w+ ){1,3}(?:is|are|was|were|looks?"
    r"|reads?|works?|has (?:been|really)|seems?)\b(?! (?:now )?(?:going )?to\b)"
)
_PERSONAL = re.compile(
    r"^(?:and |but |so )?i (?:used to|must (?:admit|say|confess)|have to (?:admit|say|confess)|confess|hear|wonder)\b|"
    r"^i(?:'m| am|'ll| will|'ve| have| was| always| never| usually| still| once| often| can't)\b"
)
_ANNOUNCES = re.compile(
    r"\bha(?:s|ve) to (?:change|go)[.!]?$|\bneeds? (?:to change|changing|a change)[.!]?$|"
    r"\b(?:have|has|had|are|is|'s|'ve|got) (?:also |just |now |got )*(?:a|an|some|another|one|two|three|a few"
    r"|a couple of)"
    r" (?:\w+ ){0,2}(?:rules?|things?|conventions?|updates?|changes?|news|points?|notes?|way)(?: for (?:\w+ )?\w+)?"
    r"(?: as well| too| now)?[.!:]?$|\b(?:house )?rules for\b|\bha(?:s|ve) changed(?: as well| too| a bit)?[.!]?$"
    r"|^(?:\w+ )?(?:no|yes|just|only),? (?:just |only )?for \w+[.!]?$"
    r"|\b(?:there's|there is|i have|i've got) (?:just )?(?:one|another|an?) (?:\w+ ){0,2}(?:thing|point|change|rule)\b"
    r".{0,60}\b(?:mention|tell you|say|bring up|go over|discuss|talk about|raise)[.:]?$"
    r"|^(?:and |but )?the (?:one|only|other|first|next|last) (?:\w+ )?(?:change|thing|point|rule)\b.{0,60}\b(?:is|are"
    r"|concerns) (?:about |to |on |with )?(?:the |your |our )?(?:[\w-]+ )?[\w-]+[.:]?$"
)
_ONLY_ABOUT = re.compile(
    r"(?:now then,? |and |so )?(?:about|regarding|as (?:for|to)|concerning|speaking of"
    r"|on the (?:subject|matter|topic) of)\b[^,:;]{3,90}[.:,]?$"
)
"""What only names what comes next."""
_IS = re.compile(r"\b(?:is|are|was|were|has|have|had|isn't|aren't)\b|\w's ")
_PERSONS = re.compile(r"\b(?:you|we|let|i'd|i want|please)\b")
_CHATTING = word_set(
    "look show tell send talk think come meet join wait walk enjoy imagine share discuss thank guess reach ping"
    " hear remember feel worry say bring learn rest speak chat promise translate explain"
)
"""Verbs of orders that are about people."""
_RULES = re.compile(
    r"\b(?:gets?|needs?|goes?|comes?|takes?|carr(?:y|ies)|has|have|belongs?|lives?|starts?|begins?|ends?|deserves?"
    r"|uses?"
    r"|throws?|raises?|returns?|stays?|must|gotta|(?:is|are) \w+(?:ed|en|n|t)(?: |$)|fine again|allowed|kept)\b"
)
"""Verbs of what a whole kind of things does by a rule."""
_ALL = re.compile(r"\b(?:always|never|every|each|all)\b")
_MINE = re.compile(r"(?:^|[,:] |\b(?:and|so|but|also|why|that) )(?:i|we)\b|\bmy (?:\w+ )?(?:rule|convention)\b")


def tells_how_code_is_written(remark: Remark) -> bool:
    """Whether, in a talk between people, it says how code is to be written."""
    if not remark.is_dialogue or not speaks_of_code(remark):
        return False
    if tells_a_story(remark) or asks(remark) or only_announces(remark):
        return False
    return is_voiced(remark)


def talks_of_other_things(remark: Remark) -> bool:
    """Whether, in a talk between people, it is about anything else."""
    return remark.is_dialogue and not tells_how_code_is_written(remark)


def asks(remark: Remark) -> bool:
    """Whether it asks, and not only out of politeness."""
    if not remark.statement.sentence.rstrip(" )\"'*_").endswith("?") or _POLITELY.search(remark.plain):
        return False
    if is_named(remark):
        return bool(_WANTS_TO_KNOW.match(remark.core))
    asked = ASKED.search(remark.plain)
    return asked is None or (asked["verb"] in TALKING and not LASTS.search(remark.plain))


def only_announces(remark: Remark) -> bool:
    """Whether it says that there is a rule or a change, and not which."""
    if _ONLY_ABOUT.match(remark.core) and not AFFIX.search(remark.statement.text):
        return True
    return bool(_ANNOUNCES.search(remark.plain)) and not AFFIX.search(remark.statement.text)


def tells_a_story(remark: Remark) -> bool:
    """Whether it tells of what happened or was said, praises, or is about the speaker."""
    said = remark.core
    reminds = _REMINDS.search(remark.plain)
    if reminds and not _NOW.search(said) and (reminds.start() < _AT_FIRST or not is_order(remark.main)):
        return True
    if CHANGE.search(said) and (AFFIX.search(remark.statement.text) or STRONG.search(said)):
        return False
    return bool(
        _PAST.match(said)
        or _LATER.search(said)
        or _PRAISE.search(said)
        or (_PERSONAL.match(said) and not WISH.search(said))
    )


def only_defines(remark: Remark) -> bool:
    """Whether it only tells what a kind of things is: "each decorator is a function"."""
    return not voices(remark) and not is_order(remark.main) and bool(_DEFINES.search(remark.plain))


_DEFINES = re.compile(r"\b(?:is|are|was|were|looks?|feels?|sounds?) (?:a|an|the|just|only|like|some)\b")


def orders_talk(remark: Remark) -> bool:
    """Whether it orders what is over when it is done: "take a look at it", "write a function that …"."""
    is_look = bool(re.match(r"(?:take|have) a (?:quick |close |good )?look\b", remark.main))
    is_over = is_look or is_exercise(remark) or verb_of(remark.main) in _CHATTING
    return is_over and is_order(remark.main) and not _ALL.search(remark.plain.partition(" that ")[0])


def only_describes(remark: Remark) -> bool:
    """Whether it tells how something is, and orders, wishes and rules nothing."""
    return not is_order(remark.main) and bool(_IS.search(remark.plain)) and not _PERSONS.search(remark.plain)


def is_passed_over(remark: Remark, *, is_other_repeated: bool) -> bool:
    """Whether a sentence that hardly sounds like a rule met with no answer to it."""
    is_own = speaks_of_code_itself(remark)
    if not remark.reply or (RATHER.search(remark.plain) and is_own):
        return False
    if is_order(remark.main) and verb_of(remark.main) in _CHATTING and not is_plainly_voiced(remark):
        return True
    if _CHATS.search(remark.plain):
        return not is_plainly_voiced(remark)
    has_order = is_order(remark.main) or orders_for_a_case(remark)
    if is_other_repeated and not (has_order or is_plainly_voiced(remark) or _rules_plainly(remark)):
        return True
    if is_plainly_voiced(remark) or has_order or _is_strongly_voiced(remark):
        return not is_own and (is_other_repeated or not _rules_a_kind(remark))
    is_telling = CHANGE.search(remark.plain) or (_RULES.search(remark.plain) and is_about_code(remark))
    return not is_own or is_other_repeated or not is_telling


_CHATS = re.compile(
    r"\b(?:like|love|want|have|got|need|happy|glad)(?: (?:you|us))? to (?:\w+ly )?(?:hear|see how|know|show|tell|meet"
    r"|grade|read|visit|talk|thank|learn|ask|find out|revisit|discuss|speak)\b"
)
"""A wish that is about people."""


def _rules_plainly(remark: Remark) -> bool:
    """Whether it asks for something, or says what a kind of things must be."""
    is_norm = bool(NORM.search(remark.plain)) and subject_kind(remark.main) == "kind"
    return is_norm or bool(ASKED.search(remark.plain)) or len(voices(remark)) > 1


def _rules_a_kind(remark: Remark) -> bool:
    return subject_kind(remark.main) == "kind" and bool(NORM.search(remark.plain) and _ALL.search(remark.plain))


def _is_strongly_voiced(remark: Remark) -> bool:
    """Whether it plainly rules: how a kind of things must be, what the speaker wishes of the other, what we do."""
    said, subject = remark.plain, subject_kind(remark.main)
    heard = voices(remark)
    is_norm = bool(NORM.search(said)) and (subject == "kind" or remark.main.startswith(("a ", "an ", "there ")))
    is_wish = bool(WISH.search(said) and _MINE.search(said)) or bool(ASKED.search(said))
    is_ours = bool(OURS.search(said)) and subject == "we"
    if _ALL.search(said) and (heard or subject == "we"):
        return True
    return is_norm or is_wish or is_ours or len(heard) > 1 or (bool(heard) and subject == "kind")
