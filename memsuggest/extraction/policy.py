"""Policy: what counts as asked, single, passing, unsure, generic. Free functions, one thought each.

Each takes a remark and answers yes or no; the rules give them weight. Reading this file is reading what memsuggest
believes about people's sentences.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from memsuggest.extraction.confirmations import restates
from memsuggest.extraction.language import phrases
from memsuggest.extraction.language.grammar import is_done_once, is_habit, is_order, object_kind, subject_kind, tokens
from memsuggest.extraction.language.phrases import is_said
from memsuggest.extraction.language.pronouns import points_elsewhere
from memsuggest.extraction.language.trade import has_named_thing, has_trade_word, is_technical
from memsuggest.text.words import plain

if TYPE_CHECKING:
    from memsuggest.extraction.remarks import Remark

_DENSE = re.compile(r"[\u3041-\u9fff]")
_COMMANDS = re.compile(
    r"\b(?:MUST|NEVER|ALWAYS|NOT|ONLY|DON'?T|DO NOT|ANY|EVERY|ALL|NO|SHOULD|MUST NOT|THROUGH|BEFORE|FIRST|IMPORTANT)\b"
)
_CAPITALS = re.compile(r"\b[A-Z]{2,}\b")
_RULE_FILE = re.compile(
    r"@[\w/.-]+\.(?:mdc|md)\b|\b(?:according to|as per|per|follow(?:ing|s)?|see|like|as) (?:the |our )?@?"
    r"(?:[\w/-]+\.(?:mdc|md)|contributing|style ?guide|conventions?|guidelines?)\b",
    re.IGNORECASE,
)


_OUGHT = re.compile(
    r"\b(?:should(?:n't)?|must(?:n't)?|(?:has|have|needs?) to|sollten?|soll|muss|müssen|debe|deve|doit)\b"
)
_BRACKETS = re.compile(r"\([^()]{0,200}\)")
_HEARD = 200  # characters at the end of what the other side said
_TAIL = 12  # characters
_IS_A_RULE = re.compile(
    r"(?:that's|that is|this is|it's|it is|those are|these are) (?:just |only |simply )?(?:the|an?|our|my|your) "
    r"(?:[\w-]+ ){0,2}(?:rules?|conventions?|polic(?:y|ies)|standards?|guidelines?|way)[.!]*\Z"
)
_FEWEST = 4  # words
_WE_DO = re.compile(
    r"(?:we're|we are) on \w|(?:we|wir|nous|on|nosotros|nós) (?!are|did|can|could|should|have|sind|peut|need)\w+"
)
_STOPS = re.compile(
    r"stop \w+ing[.!]*\Z|.* everywhere[.!]*\Z|(?:use|prefer|avoid|follow) (?!this|these|those|its)[\w-]+ [\w-]+s[.!]*\Z"
)
_CHOICE = re.compile(r"[\w./`-]+(?: [\w./`-]+)?, (?:and )?not [\w./`-]+[.!]*\Z")
_FEW = 4  # statements


_KIND_OF_PLACE = re.compile(
    r"\b(?:in|for|from|inside|within|into) (?:(?:all|any|every|our|your|unit|integration|end-to-end|e2e|public) ){0,2}"
    r"(?:tests|specs|production|prod|staging|ci|comments|commits|commit messages|migrations|handlers|controllers"
    r"|components|hooks|scripts|libraries|modules|logs|templates|fixtures|functions|loops|constructors|docstrings)\b"
)
"""Where one does a thing again and again: "in tests", "in production"."""

_ALWAYS_SO = re.compile(r"\b(?:is|are) (?:always|never)\b")
_IN_A_LANGUAGE = re.compile(
    r"\bin italiano\b|\bin (?:(?:plain|simple|british|american) )?(?:english|german|french|spanish|portuguese"
    r"|italian|dutch|polish"
    r"|russian|japanese|chinese|korean)\b|\bauf (?:deutsch|englisch)\b|\ben (?:anglais|français|inglés|español)\b"
    r"|\bem (?:inglês|português|espanhol)\b|(?:日本語|英語)(?:で|に(?:して|統一))|用(?:中文|英文|英语|日语)"
)
_TRANSLATES = re.compile(
    r"\b(?:translat\w+|übersetz\w*|tradu\w+|is in|ist auf|est en|está (?:em|en)|ficou em|wrote|written in)\b|翻译|翻訳"
)
_MYSELF = re.compile(r"\bi\b.{0,60}\bmyself\b")
_THERE_SHOULD = re.compile(
    r"^there (?:should|must|can|may)(?: not|n't| never)? be (?:no|any|only|at least|exactly|a|an|one)\b"
)
_ABOUT_THIS = re.compile(r"\w+ (?:\w+ ){0,2}(?:this|that|these|those|it|them|one)\b")
_NEEDS = re.compile(r"\bneeds? (?!to\b|help|work|attention|more)\w")
_IN_ORDER = re.compile(
    r"\bfirst$|\b(?:tests?|docs?|plan|spec)\b[^.]{0,30}\bfirst\b|\bbefore \w+ing\b|\bbefore (?:you|any|each|every)\b"
)


def size(remark: Remark) -> int:
    """How long it is, in words; two characters of Chinese or Japanese count as one."""
    return _size(remark.plain)


def is_very_short(remark: Remark) -> bool:
    """Whether it has hardly any words, but for what we do: "we use biome"."""
    return size(remark) < _FEWEST and not (
        _WE_DO.match(remark.core) or _CHOICE.match(remark.core) or _STOPS.match(remark.core)
    )


@lru_cache(maxsize=1024)
def _size(plain: str) -> int:
    dense = len(_DENSE.findall(plain))
    words = len(tokens(plain))
    return words + dense // 2 if dense > 4 else words


def is_reproach(remark: Remark) -> bool:
    """Whether it asks only to complain: "why did you …", "did you really need to …"."""
    return bool(phrases.REPROACH.search(remark.plain))


def is_asked_for_good(remark: Remark) -> bool:
    """Whether it asks, out of politeness, for what is to be so from now on: "can you never …"."""
    return bool(phrases.FOR_GOOD.search(remark.plain))


def is_restated(remark: Remark) -> bool:
    """Whether it agrees to a rule that the assistant proposed, and says it again."""
    return restates(remark.plain, remark.answered)


def changes_a_rule(remark: Remark) -> bool:
    """Whether it says that something is to be otherwise than before."""
    said = f"{plain(remark.statement.before)} {remark.plain}"
    return bool(phrases.CHANGING.search(said) or (remark.is_dialogue and phrases.CHANGING_TALK.search(remark.plain)))


def is_question(remark: Remark) -> bool:
    """Whether it asks; a part of a sentence may have its question mark further on."""
    if is_reproach(remark) or is_asked_for_good(remark):
        return False
    if phrases.ENDS_ASKING.search(remark.plain):
        return True
    sentence_asks = remark.statement.sentence[-_TAIL:].rstrip(" )\"'*_").endswith(("?", "\uff1f"))
    starts = is_said(phrases.ASKING, remark.core, remark.languages)
    return starts and (sentence_asks or bool(phrases.INVERTED.match(remark.core)) or remark.languages[0] != "en")


def is_transient(remark: Remark) -> bool:
    """Whether it tells of the moment: what is now, still, again, or just happened."""
    return is_said(phrases.TRANSIENT, remark.plain, remark.languages)


def is_hedged(remark: Remark) -> bool:
    """Whether the person is not sure."""
    return is_said(phrases.HEDGED, remark.plain, remark.languages)


def is_progress_report(remark: Remark) -> bool:
    """Whether it tells what somebody did, does or will do."""
    return is_said(phrases.REPORTS, remark.plain, remark.languages)


def is_forbidding(remark: Remark) -> bool:
    """Whether it says what is not to be done."""
    return bool(phrases.FORBIDDING.match(remark.main))


def is_for_the_record(remark: Remark) -> bool:
    """Whether it wants something written down as a rule."""
    return bool(phrases.RECORDED.search(remark.plain))


def lasts(remark: Remark) -> bool:
    """Whether a word says that it is meant to last: always, never, every."""
    return bool(phrases.LASTING.search(remark.plain))


def orders_something_done_once(remark: Remark) -> bool:
    """Whether it is an order whose verb ends when it is done, to whatever."""
    return is_order(remark.main) and is_done_once(remark.main) and not is_forbidding(remark)


def is_one_off(remark: Remark) -> bool:
    """Whether it orders something to be done once, to one thing."""
    if (
        remark.is_dialogue
        or lasts(remark)
        or _MYSELF.search(remark.plain)
        or is_for_the_record(remark)
        or _IN_ORDER.search(remark.plain)
    ):
        return False
    return orders_something_done_once(remark) and object_kind(remark.main) in ("one", "some", "")


def is_about_a_kind(remark: Remark) -> bool:
    """Whether it orders something for a kind of thing, or in a kind of place, or tells something about one."""
    if is_order(remark.main):
        return object_kind(remark.main) == "kind" or bool(_KIND_OF_PLACE.search(remark.main))
    return subject_kind(remark.main) == "kind"


def is_always_so(remark: Remark) -> bool:
    """Whether it tells what a whole kind of things always or never is."""
    return bool(_ALWAYS_SO.search(remark.main)) and subject_kind(remark.main) == "kind" and not is_question(remark)


def is_work_in_a_language(remark: Remark) -> bool:
    """Whether it says in which language something is to be written, and of no one thing here that it is."""
    if (
        not _IN_A_LANGUAGE.search(remark.plain)
        or is_question(remark)
        or subject_kind(remark.core) in ("one", "it", "i")
    ):
        return False
    return not _TRANSLATES.search(remark.plain)


def is_about_this(remark: Remark) -> bool:
    """Whether its order is about something that only the moment knows: write this rule, use that."""
    return bool(_ABOUT_THIS.match(remark.main))


def forbids_one_thing(remark: Remark) -> bool:
    """Whether it forbids something about one thing here."""
    if _KIND_OF_PLACE.search(remark.main):
        return False
    return is_forbidding(remark) and object_kind(remark.main) == "one" and not lasts(remark)


def tells_a_habit(remark: Remark) -> bool:
    """Whether it tells what a kind of things does, now and always: "scripts start with a comment"."""
    if is_question(remark) or is_transient(remark) or is_hedged(remark):
        return False
    return is_habit(remark.main)


def is_order_or_norm(remark: Remark) -> bool:
    """Whether it says what is to be done, rather than how something is."""
    if is_order(remark.main) or is_forbidding(remark) or phrases.NORM.search(remark.plain):
        return True
    return not phrases.PRESENT.search(remark.plain) and subject_kind(remark.core) not in ("one", "i", "it")


def is_norm_for_a_kind(remark: Remark) -> bool:
    """Whether a whole kind of things must or should be some way."""
    if _THERE_SHOULD.search(remark.main):
        return True
    is_of_a_kind = not is_order(remark.main) and subject_kind(remark.main) == "kind"
    return is_of_a_kind and bool(phrases.NORM.search(remark.main) or _NEEDS.search(remark.main))


def is_telling(remark: Remark) -> bool:
    """Whether it tells in the present tense how named things are."""
    core = remark.main
    if (
        is_order(core)
        or remark.is_assured
        or is_question(remark)
        or phrases.PERSON.search(core)
        or subject_kind(core) in ("it", "he", "she")
    ):
        return False
    if is_transient(remark) or is_hedged(remark) or size(remark) < 4 or _OUGHT.search(core):
        return False
    return bool(phrases.PRESENT.search(_BRACKETS.sub("", core))) or tells_a_nature(remark)


def tells_a_nature(remark: Remark) -> bool:
    """Whether its verb says what something is like: supports, requires, lives in, is installed by."""
    core = _BRACKETS.sub("", remark.main)
    if is_order(core) or is_question(remark) or subject_kind(core) in ("it", "he", "she", "i", "you"):
        return False
    tells = phrases.BY_NATURE.search(core) or phrases.BY_ITSELF.match(core)
    return bool(tells) and not is_hedged(remark) and not remark.is_assured


def is_in_a_short_turn(remark: Remark) -> bool:
    """Whether its turn says little else: there, people tell what the assistant ought to know."""
    return remark.statement.count <= _FEW and size(remark) >= 4


def only_introduces(remark: Remark) -> bool:
    """Whether it only says that a rule comes, or came."""
    return remark.statement.text.rstrip().endswith((":", "\uff1a")) or bool(_IS_A_RULE.match(remark.core))


def is_shouted(remark: Remark) -> bool:
    """Whether a word of command stands in capitals among words that do not."""
    text = remark.statement.text
    return bool(_COMMANDS.search(text)) and len(_CAPITALS.findall(text)) * 3 <= len(remark.words) * 2


def points_at_a_rule(remark: Remark) -> bool:
    """Whether it names a document of rules."""
    return bool(_RULE_FILE.search(remark.statement.text))


def names_a_thing(remark: Remark) -> bool:
    """Whether it names a file, a command, a flag, an identifier."""
    return has_named_thing(remark.statement.text)


def speaks_of_the_work(remark: Remark) -> bool:
    """Whether a word of the trade is in it, or in what its pronoun stands for."""
    topic = f"{remark.plain} {_meant(remark)}" if points_elsewhere(remark.main) else remark.plain
    return is_technical(topic) if remark.is_dialogue else has_trade_word(topic)


def _meant(remark: Remark) -> str:
    """What was said right before, by the person or to them."""
    return plain(remark.statement.before if remark.statement.position else remark.answered[-_HEARD:])
