"""Voices: by which signs a sentence of a talk between people sounds like a rule: a norm, a wish, a habit, a change.

Owns the turns of speech of those who rule how code is written. Free functions over a remark; knows no weight.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from memsuggest.extraction.language.grammar import is_order, object_kind, subject_kind, verb_of
from memsuggest.extraction.talks.codewords import AFFIX, CASE, names_code, speaks_of_code_itself
from memsuggest.memory.constructs import constructs_in
from memsuggest.text.verbs import word_set

if TYPE_CHECKING:
    from memsuggest.extraction.remarks import Remark

_NAMING = re.compile(
    r"\b(?:names?|named|naming|call(?:ed)?|prefix\w*|suffix\w*|endings?|start\w*|begin\w*|end(?:s|ing)?|in front|put"
    r"|append\w*|prepend\w*|add\w*|is out|is in|make (?:that|it))\b"
)
_NAMED_SO = re.compile(
    r"\b(?:start|begin|end|prefix|suffix|lead|finish)\w* .{0,60}\b(?:with|in|by)\b .{0,30}"
    r"\b(?:underscores?|letters?|capitals?|digits?|numbers?|verbs?|nouns?|dots?|dash(?:es)?|hyphens?)\b"
)
"""How names are made, told without an example."""
NORM = re.compile(
    r"\b(?:must(?:n't)?|should(?:n't)?|ought to|needs? to|need (?!help|any|me|some)|ha(?:s|ve) (?:got )?to|shall"
    r"|(?:is|are) (?:not )?(?:to be|required|supposed|expected|meant|mandatory|forbidden|banned|allowed"
    r"|off[- ]limits)"
    r"|aren't (?:required|allowed|needed|necessary)|may not|(?:can't|cannot) (?:have|be|use)|want (?:you )?to|never"
    r"|always|make sure|ensure|be sure|keep in mind|remember to|don't forget|at (?:least|most)|be longer)\b"
)
WISH = re.compile(
    r"\b(?:i|we|they)(?:'d| would)? (?:(?:also|really|always|do|just|only|much|strongly|rather|personally) ){0,2}"
    r"(?:(?:don't|do not|wouldn't) (?:like|want)|dislike|hate|like (?:(?:for )?you|us|it|all|each|every|to see|the"
    r"|there|that)"
    r"|like (?=\w+(?:s|ing)\b)|want|prefer|appreciate|expect|ask|insist"
    r"|recommend|suggest|rather|avoid|need)\b"
    r"|\bi(?:'m| am) (?:\w+ ){0,3}(?:stickler|keen on|strict|picky|big on|particular about|fan of|fond of"
    r"|allergic to)\b"
    r"|\bit(?:'d| would) be (?:\w+ )?(?:great|wonderful|good|lovely|nice|helpful|best|better|fantastic|ideal) (?:if"
    r"|to)\b"
    r"|\bi(?:'d| would) (?:be (?:\w+ )?(?:glad|happy|grateful) if|appreciate|love (?:it if|for|you to))"
    r"|\b(?:it's|it is) (?:\w+ )?(?:important|essential|crucial|vital|necessary|good practice|best) (?:that|to|for)\b"
    r"|\b(?:my|our|the|one|a|another|small|simple|first|second) (?:\w+ )?(?:rule|convention|guideline|standard"
    r"|policy)\b"
)
OURS = re.compile(
    r"\b(?:we|they|you|i)(?:'ll| will)? (?:(?:always|never|only|also|usually|generally|normally|now|still|all|don't"
    r"|do not|just|typically) ){0,2}(?:use|write|put|keep|name|call|prefix|suffix|start|begin|end|add|include|follow"
    r"|avoid|wrap|annotate|document|mark|decorate|sort|group|order|import|log|raise|catch|check|test|format|indent"
    r"|declare|define|place|store|return|pass|prefer|stick|capitali[sz]e|comment|go with|handle|separate|split)\b"
    r"|\b(?:is|are) (?:always |never |only |now |all )?(?:written|named|called|kept|put|placed|sorted|grouped|stored"
    r"|marked|documented|wrapped|prefixed|suffixed|indented|formatted|logged|capitali[sz]ed|annotated|imported)\b"
)
CHANGE = re.compile(
    r"\b(?:from (?:now|here|today|this point) on(?:wards?)?|from (?:now|today)|going forward|moving forward|as of"
    r" (?:now|today)|starting (?:today|now|next|with|this)|in (?:the )?future|no longer|any ?more|instead|rather than"
    r"|not \w+ but|ha(?:s|ve) (?:now |been |all |just ){0,2}(?:changed|renamed|switched|replaced|updated|moved)"
    r"|(?:decided|agreed) (?:to|that|on)|we(?:'re| are) (?:\w+ ){0,2}(?:going with|going to|switching|moving|changing"
    r"|dropping|replacing|using|adopting)|let's (?:\w+ ){0,2}(?:say|switch|change|move|use|go|drop|stop|start|replace"
    r"|make"
    r"|call|name|keep|have|add|put|include|stick|adopt|write|avoid|begin|end|prefix)|(?:is|are) (?:out|gone|history"
    r"|optional|fine again|back|now|not (?:\w+ )?(?:required|needed|necessary))|(?:aren't|isn't) (?:\w+ )?(?:required"
    r"|needed|necessary)|(?:don't|do not|needn't|doesn't) (?:have to|need|bother)|no need (?:to|for)"
    r"|may \w+ .*\bagain"
    r"|(?:can|may) (?:stop|skip|drop|leave|omit|now)|feel free to|first\b[^.]{2,60}\bthen|(?:drop|forget|scrap"
    r"|scratch|lose|ditch|skip|undo)"
    r" (?:the|that|about|those|all|what)|new (?:prefix|suffix|ending|rule|convention|decorator|name|standard)"
    r"|after all"
    r"|change (?:of plans?|that|the|it)|\w+ it is now|(?:it's|that's|they're"
    r"|it is) [^.,]{1,30} now\b|starts? with \S+ now|becomes?|make (?:that|it|them)|used to)\b"
)
ASKED = re.compile(
    r"(?:^|[,;:\u2014-] |\b(?:and|so|but|now|then|also|please|here) )(?:please |also |just |always |do |then "
    r"|simply )*"
    r"(?:can|could|would|will) you (?:please |also |just |always |maybe |then |in (?:the )?future |from now on )*"
    r"(?P<verb>\w+)|\b(?:please|kindly)\b"
)
STRONG = re.compile(
    r"\b(?:instead of|from (?:now|here|today) on|no longer|(?:changed|switched|replaced|dropped"
    r"|renamed) (?:our|the|that|to|it"
    r"|from)|changed (?:our|my) minds?|allow(?:ed)?)\b"
)
"""What says for certain that a rule is another one now."""
_PRODUCES = word_set("write build create make implement develop send prepare draft sketch design code show give do")
TALKING = word_set(
    "look show tell send talk think go get give let take read open see have ask come meet join wait walk enjoy imagine"
    " explain describe share discuss thank try guess reach ping hear help review run push finish start know check"
    " remember believe feel worry say bring learn rest speak chat"
)
"""Verbs of orders that are over when they are done, or are about people."""
_PIECE = re.compile(
    r"^(?:\w+ ){1,3}?(?:an?|some|several|two|three|the) (?:(?!(?:each|every|all|above|for|to|of|in|on|with)\b)"
    r"[\w-]+ ){0,3}?"
    r"(?:functions?|class(?:es)?|programs?|scripts?|methods?|modules?|parsers?|tools?|loops?|quer(?:y|ies)|snippets?"
    r"|implementations?) (?:that|which|to|for|called)\b"
)
"""A piece of code that is ordered: "write a function that counts every word"."""
_TO_DO = re.compile(r"^(?:you(?:'ll| will)? (?:have|need) to|i(?:'d| would) like (?:for )?you to|let's) ")
_FOR_EVER = re.compile(r"\b(?:always|never|whenever|from now on|every time|each time)\b")
_YOUR_KIND = re.compile(r"^\w+ your (?:[\w-]+ )?\w+s\b")
RATHER = re.compile(
    r", (?:and )?not (?:the |an? |in |on |at |to |for |with |as )?\w+[.!]?$|\brather than\b|\binstead of\b"
)
LASTS = re.compile(
    r"\b(?:always|never|every|each|all|any|whenever|from now on|no)\b|^(?:and |so |but |also )?(?:if|when|before"
    r"|after|for|in)\b"
)
_CHOOSING = word_set("use prefer avoid stick adopt choose include keep")
"""Verbs of orders that are not over when they are done, whatever they are about."""
_IN_CASE = re.compile(
    r"(?:if|when(?:ever)?|for|where(?:ver)?|before|after|as soon as|once|in|on) [^,]{3,100}, (?:please )?"
)


def is_named(remark: Remark) -> bool:
    """Whether it says, with an example or a case of letters, how something is named."""
    return bool((AFFIX.search(remark.statement.text) or CASE.search(remark.plain)) and _NAMING.search(remark.plain))


def is_task(main: str) -> bool:
    """Whether it orders a piece of work: "write a small parser", "send me the code"."""
    return verb_of(main) in _PRODUCES and object_kind(main) in ("one", "some", "")


def is_exercise(remark: Remark) -> bool:
    """Whether it orders a piece of code, once."""
    order = _TO_DO.sub("", remark.main)
    is_piece = verb_of(order) in _PRODUCES and bool(_PIECE.match(order))
    return is_piece and not _FOR_EVER.search(remark.plain)


def is_weakly_voiced(remark: Remark) -> bool:
    """Whether only one small sign tells that it may be a rule: a whole kind, a habit of ours, a change."""
    if is_plainly_voiced(remark) or is_order(remark.main) or RATHER.search(remark.plain):
        return False
    heard = voices(remark)
    return not heard or (len(heard) == 1 and heard[0] in (OURS, CHANGE))


def is_plainly_voiced(remark: Remark) -> bool:
    """Whether it says how something is named."""
    return is_named(remark) or bool(_NAMED_SO.search(remark.plain))


def voices(remark: Remark) -> list[re.Pattern[str]]:
    """List the signs of a rule that it has."""
    return [voice for voice in (NORM, WISH, OURS, CHANGE, ASKED) if voice.search(remark.plain)]


def orders_for_a_case(remark: Remark) -> bool:
    """Whether it says what to do in a case: "for everything that's a date, use UTC"."""
    found = _IN_CASE.match(remark.core)
    order = remark.core[found.end() :] if found else ""
    return is_order(order) and verb_of(order) not in TALKING and not is_task(order)


def is_voiced(remark: Remark) -> bool:
    """Whether it has the voice of a rule, a habit, a wish or a change."""
    said, main = remark.plain, remark.main
    if is_exercise(remark):
        return False
    if is_named(remark) or _NAMED_SO.search(said):
        return True
    if is_order(main):
        is_lasting = bool(LASTS.search(said) or CHANGE.search(said) or _YOUR_KIND.search(main))
        if is_lasting or RATHER.search(main):
            return True
        is_of_many = verb_of(main) not in TALKING and (object_kind(main) != "one" or names_code(remark))
        is_of_many = is_of_many or (verb_of(main) not in TALKING and bool(constructs_in(said)))
        is_of_many = is_of_many or (verb_of(main) in _CHOOSING and speaks_of_code_itself(remark))
        return not is_task(main) and (is_of_many or bool(ASKED.search(said)))
    if orders_for_a_case(remark):
        return True
    is_general = subject_kind(main) == "kind"
    return is_general or any(voice.search(said) for voice in (NORM, WISH, OURS, CHANGE, ASKED))
