"""Colleagues: how people tell each other, amid much else, how code is written.

Owns the reading of talks between people. There, nearly everything is about other things; what is worth remembering
speaks of a part of code (functions, names, imports, tests, a tool) in the voice of a rule, a habit, a wish or a change,
and neither praises, nor asks, nor tells a story. Free functions over a remark; knows no weight.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from memsuggest.extraction.grammar import is_order, object_kind, subject_kind, tokens, verb_of
from memsuggest.extraction.pronouns import points_elsewhere
from memsuggest.extraction.trade import certain_words, trade_words
from memsuggest.extraction.verbs import word_set
from memsuggest.extraction.words import plain
from memsuggest.memory.limits import limits_in

if TYPE_CHECKING:
    from memsuggest.extraction.remarks import Remark

_HEARD = 200  # characters at the end of what the other one said

_CHATTY = word_set(
    "code coding programming software developer debug debugging debugger bug bugs repo repository codebase docs doc"
    " documentation github gitlab git java python javascript typescript golang php kotlin react vue angular node css"
    " html json refactor refactoring ci pr prs merge merged commit commits committing deploy deployment prod dev script"
    " scripts server servers database databases sql bash grep vim emacs vscode ide linux ubuntu macos wsl docker"
    " kubernetes aws azure gcp cron api apis backend frontend fullstack command commands config configs algorithm jira"
    " install installed git ticket tickets tmux webhook ui ux gui input inputs url urls coverage null async await"
)
"""Words of the trade that colleagues use when they talk of their days; they make no rule."""
_PARTS = re.compile(
    r"\b(?:(?:test|class|file|branch|method|module|package|table|column|field|constant|property) names?|class(?:es)?"
    r"(?= (?:names?|attributes?|should|must|need|have|has|get|start|begin|end|are|is|carry)\b)|(?:each|every|all|any"
    r"|new|our|sub) ?class(?:es)?|constants|test (?:functions?|files?|cases?|methods?)|unit tests?|(?:each"
    r"|every) test"
    r"|tests (?:get|need|have|must|should|are|start|begin|end)|for tests|in tests|error (?:messages?|handling)"
    r"|log messages?|type (?:hints?|annotations?)|type[- ]hint\w*|try[ -/](?:and |or )?(?:except|catch|blocks?"
    r"|statements?|finally)|bare except|raw sql|print statements?|global (?:variables?|state)|magic numbers?"
    r"|list comprehensions?|(?:branch|commit) (?:names?|messages?|prefix)|(?:lines?|functions?|methods?|files?)"
    r" (?:\w+ ){0,3}(?:longer|shorter|characters|lines)|dates are|branches|digits?|abbreviat\w+|names? (?:of|for)"
    r"|(?:in|for|of) (?:the |your |our |all |any )?names|naming|the names|letters|string format\w*"
    r"|format strings?|import statements?|(?:the|your|our) prefix|(?:the|your|our)"
    r" suffix|snake[_ ]?case|camel ?case|pascal ?case|kebab[- ]case|upper ?case|lower ?case|capital letters"
    r"|(?:f|template|raw|format)[- ]strings?|(?:add|write|have|include|needs?) (?:a|two|one|at least \w+|unit|new)"
    r" tests?|local variables?|exit codes?|return codes?|(?:single|double) quotes|quotes|brackets"
    r"|early returns?|standard library|third[- ]party|if statements?|ternar\w+"
    r"|single quotes|double quotes|four spaces|two spaces"
    r"|tabs|white ?space)\b"
)
"""Parts of code that take two words, or a word and what is said of it."""
_AT_WORK = word_set(
    "team project projects review reviews task tasks job jobs issue issues release releases feature features go try"
    " rest app apps user users question questions answer answers version versions page pages form note notes host port"
    " let raise black fish push pull design data office developer software programming language english german french"
    " network machine server servers github git jira python java javascript coding code build deploy number numbers"
)
"""Words of the trade that people use when they talk of their work and their lives."""
_CASE = re.compile(r"\b(?:camel|snake|pascal|kebab)[ _-]?case\b")
_QUOTED_WORD = re.compile(r"['\"\u2018\u201c][A-Za-z]+['\"\u2019\u201d]")
_EVERYDAY = re.compile(r"\b(?:letters|branches|digits?|quotes|brackets|tabs|the names)\b")
"""Of these, what people also speak of otherwise."""
_NAMED = re.compile(
    r"`[^`\n]+`|(?<!\w)(['\"\u2018\u201c])[\w.@#/:-]{1,24}['\"\u2019\u201d](?!\w)|(?<![\w@])_\w+|\b\w+_(?!\w)"
    r"|\b[a-z]\w*_\w+|(?<!\w)@[a-z]\w+|\b[A-Z]\w+(?:Error|Exception)\b|\b[a-z]+[A-Z]\w*|\b\w+\.(?:py|js|ts|md|json|ya?ml|toml|sql|java|go|rs|sh)\b"
    r"|(?<=[a-z,] )(?:Optional|None|True|False|Decimal|Final|Enum|Any|Union|NaN|UTC|ISO)\b"
    r"|(?<![\w-])--[a-z][\w-]+|\b\w+\(\)|(?<![\w.@])[a-z]{2,}\.[a-z]{3,}\b(?!\.)"
)
"""Something named as code."""
_AFFIX = re.compile(r"(?<!\w)['\"\u2018\u201c`][\w.@#/:-]{1,24}['\"\u2019\u201d`](?!\w)|(?<!\w)_\w+|\b\w+_(?!\w)")
_NAMING = re.compile(
    r"\b(?:names?|named|naming|call(?:ed)?|prefix\w*|suffix\w*|endings?|start\w*|begin\w*|end(?:s|ing)?|in front|put"
    r"|append\w*|prepend\w*|add\w*|is out|is in|make (?:that|it))\b"
)

_EACH = re.compile(r"\b(?:every|each|all|any)(?: of)?(?: your| our| new| the)? (?P<what>[\w-]+(?: [\w-]+)?)")
"""A whole kind of things: then a word of everyday talk, too, means a part of the code."""
_NAMED_SO = re.compile(
    r"\b(?:start|begin|end|prefix|suffix|lead|finish)\w* .{0,60}\b(?:with|in|by)\b .{0,30}"
    r"\b(?:underscores?|letters?|capitals?|digits?|numbers?|verbs?|nouns?|dots?|dash(?:es)?|hyphens?)\b"
)
"""How names are made, told without an example."""
_NORM = re.compile(
    r"\b(?:must(?:n't)?|should(?:n't)?|ought to|needs? to|need (?!help|any|me|some)|ha(?:s|ve) (?:got )?to|shall"
    r"|(?:is|are) (?:not )?(?:to be|required|supposed|expected|meant|mandatory|forbidden|banned|allowed"
    r"|off[- ]limits)"
    r"|aren't (?:required|allowed|needed|necessary)|may not|(?:can't|cannot) (?:have|be|use)|want (?:you )?to|never"
    r"|always|make sure|ensure|be sure|keep in mind|remember to|don't forget|at (?:least|most)|be longer)\b"
)
_WISH = re.compile(
    r"\b(?:i|we|they)(?:'d| would)? (?:(?:also|really|always|do|just|only|much|strongly|rather|personally) ){0,2}"
    r"(?:(?:don't|do not|wouldn't) (?:like|want)|dislike|hate|like (?:you|us|it|all|each|every|to see|the)"
    r"|like (?=\w+(?:s|ing)\b)|want|prefer|appreciate|expect|ask|insist"
    r"|recommend|suggest|rather|avoid|need)\b"
    r"|\bit(?:'d| would) be (?:\w+ )?(?:great|wonderful|good|lovely|nice|helpful|best|better|fantastic|ideal) (?:if"
    r"|to)\b"
    r"|\bi(?:'d| would) (?:be (?:\w+ )?(?:glad|happy|grateful) if|appreciate|love (?:it if|for|you to))"
    r"|\b(?:it's|it is) (?:\w+ )?(?:important|essential|crucial|vital|necessary|good practice|best) (?:that|to|for)\b"
    r"|\b(?:my|our|the|one|a|another|small|simple|first|second) (?:\w+ )?(?:rule|convention|guideline|standard"
    r"|policy)\b"
)
_OURS = re.compile(
    r"\b(?:we|they|you|i)(?:'ll| will)? (?:(?:always|never|only|also|usually|generally|normally|now|still|all|don't"
    r"|do not|just|typically) ){0,2}(?:use|write|put|keep|name|call|prefix|suffix|start|begin|end|add|include|follow"
    r"|avoid|wrap|annotate|document|mark|decorate|sort|group|order|import|log|raise|catch|check|test|format|indent"
    r"|declare|define|place|store|return|pass|prefer|stick|capitali[sz]e|comment|go with|handle|separate|split)\b"
    r"|\b(?:is|are) (?:always |never |only |now |all )?(?:written|named|called|kept|put|placed|sorted|grouped|stored"
    r"|marked|documented|wrapped|prefixed|suffixed|indented|formatted|logged|capitali[sz]ed|annotated|imported)\b"
)
_CHANGE = re.compile(
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
_ASKED = re.compile(
    r"(?:^|[,;:\u2014-] |\b(?:and|so|but|now|then|also|please|here) )(?:please |also |just |always |do |then "
    r"|simply )*"
    r"(?:can|could|would|will) you (?:please |also |just |always |maybe |then |in (?:the )?future |from now on )*"
    r"(?P<verb>\w+)|\b(?:please|kindly)\b"
)
_POLITELY = re.compile(r", (?:could|would|will|can) you(?: please)?\?$")
_STRONG = re.compile(
    r"\b(?:instead of|from (?:now|here|today) on|no longer|(?:changed|switched|replaced|dropped"
    r"|renamed) (?:our|the|that|to|it"
    r"|from)|changed (?:our|my) minds?|allow(?:ed)?)\b"
)
"""What says for certain that a rule is another one now."""
_PRODUCES = word_set("write build create make implement develop send prepare draft sketch design code show give do")
_PAST = re.compile(
    r"^(?:(?:\w+ly|and|but|so|well|yes|oh|ah|also|when|since|because|last \w+|yesterday|back then|the other day),? )*"
    r"(?:i|we|you|he|she|they|it|that|there|this|somebody|someone|everybody|nobody|my \w+|the team|our \w+)"
    r"(?:'ve|'d)? (?:(?:\w+ly|also|just|all|both|even|once|never|already|have|has|had|recently) ){0,2}"
    r"(?!decided|agreed|need|changed|switched|dropped|renamed|replaced|used to)(?:\w+ed|was|were|had|did|didn't|saw"
    r"|read|thought|heard|found|got|wrote|spent|made|forgot|broke|came|went|told|said|left|felt|took|gave|knew|met"
    r"|learnt|caught|been|seen|written|gotten|gone|done|lost|won|sent|ran)\b"
)
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
    r"|\b(?<!all )(?<!each of )(?<!that )your (?:\w+ ){1,3}(?:is|are|was|were|looks?|reads?|works?"
    r"|has (?:been|really)|seems?)\b"
)
_PERSONAL = re.compile(
    r"^(?:and |but |so )?i (?:used to|must (?:admit|say|confess)|have to (?:admit|say|confess)|confess|hear|wonder)\b|"
    r"^i(?:'m| am|'ll| will|'ve| have| was| always| never| usually| still| once| often| can't)\b"
)
_ANNOUNCES = re.compile(
    r"\b(?:have|has|had|are|is|'s|'ve|got) (?:also |just |now |got )*(?:a|an|some|another|one|two|three|a few"
    r"|a couple of)"
    r" (?:\w+ ){0,2}(?:rules?|things?|conventions?|updates?|changes?|news|points?|notes?|way)(?: for (?:\w+ )?\w+)?"
    r"(?: as well| too| now)?[.!:]?$|\b(?:house )?rules for\b|\bha(?:s|ve) changed(?: as well| too| a bit)?[.!]?$"
    r"|^(?:\w+ )?(?:no|yes|just|only),? (?:just |only )?for \w+[.!]?$"
)
_ONLY_ABOUT = re.compile(
    r"(?:now then,? |and |so )?(?:about|regarding|as (?:for|to)|concerning|speaking of"
    r"|on the (?:subject|matter|topic) of)\b[^,:;]{3,90}[.:,]?$"
)
"""What only names what comes next."""
_TALKING = word_set(
    "look show tell send talk think go get give let take read open see have ask come meet join wait walk enjoy imagine"
    " explain describe share discuss thank try guess reach ping hear help review run push finish start know check"
    " remember believe feel worry say bring learn rest speak chat"
)
"""Verbs of orders that are over when they are done, or are about people."""
_SOCIAL = re.compile(
    r"\b(?:reviews?|reviewers?|feedback|pull requests?|merge requests?|meetings?|stand-?ups?|retros?|colleagues?"
    r"|career"
    r"|promotion|deadlines?|manager|boss|questions?|interviews?|break|breaks|coffee|lunch|weekend|holidays?|learning"
    r"|mistakes|yourself|curious|patient|patience)\b"
)
_YOUR_KIND = re.compile(r"^\w+ your (?:[\w-]+ )?\w+s\b")
_RATHER = re.compile(
    r", (?:and )?not (?:the |an? |in |on |at |to |for |with |as )?\w+[.!]?$|\brather than\b|\binstead of\b"
)
_LASTS = re.compile(
    r"\b(?:always|never|every|each|all|any|whenever|from now on|no)\b|^(?:and |so |but |also )?(?:if|when|before"
    r"|after|for|in)\b"
)


def tells_how_code_is_written(remark: Remark) -> bool:
    """Whether, in a talk between people, it says how code is to be written."""
    if not remark.is_dialogue or not speaks_of_code(remark):
        return False
    if tells_a_story(remark) or asks(remark) or _only_announces(remark):
        return False
    return is_voiced(remark)


def talks_of_other_things(remark: Remark) -> bool:
    """Whether, in a talk between people, it is about anything else."""
    return remark.is_dialogue and not tells_how_code_is_written(remark)


def speaks_of_code(remark: Remark) -> bool:
    """Whether a part of code is named in it, or in what its pronoun stands for."""
    topic = remark.statement.text
    if points_elsewhere(remark.main) or _is_clipped(remark):
        topic = f"{topic} {remark.statement.before or remark.answered[-_HEARD:]}"
    found = certain_words(topic) - _CHATTY
    found = found or {word for one in _EACH.finditer(remark.plain) for word in certain_words(one["what"])}
    is_social = bool(_SOCIAL.search(remark.plain)) and len(found) < 2
    return bool(found or _PARTS.search(plain(topic)) or _NAMED.search(topic)) and not is_social


def _is_clipped(remark: Remark) -> bool:
    """Whether it only names a value: "make that `run_`"."""
    return len(tokens(remark.plain)) <= 8 and bool(_AFFIX.search(remark.statement.text))


def asks(remark: Remark) -> bool:
    """Whether it asks, and not only out of politeness."""
    if (
        not remark.statement.sentence.rstrip(" )\"'*_").endswith("?")
        or _is_named(remark)
        or _POLITELY.search(remark.plain)
    ):
        return False
    asked = _ASKED.search(remark.plain)
    return asked is None or (asked["verb"] in _TALKING and not _LASTS.search(remark.plain))


def _only_announces(remark: Remark) -> bool:
    """Whether it says that there is a rule or a change, and not which."""
    if _ONLY_ABOUT.match(remark.core) and not _AFFIX.search(remark.statement.text):
        return True
    return bool(_ANNOUNCES.search(remark.plain)) and not _AFFIX.search(remark.statement.text)


def tells_a_story(remark: Remark) -> bool:
    """Whether it tells of what happened or was said, praises, or is about the speaker."""
    said = remark.core
    if _REMINDS.search(said) and not _NOW.search(said):
        return True
    if _CHANGE.search(said) and (_AFFIX.search(remark.statement.text) or _STRONG.search(said)):
        return False
    return bool(_PAST.match(said) or _PRAISE.search(said) or _PERSONAL.match(said))


def _is_named(remark: Remark) -> bool:
    """Whether it says, with an example or a case of letters, how something is named."""
    return bool((_AFFIX.search(remark.statement.text) or _CASE.search(remark.plain)) and _NAMING.search(remark.plain))


def _is_task(main: str) -> bool:
    """Whether it orders a piece of work: "write a small parser", "send me the code"."""
    return verb_of(main) in _PRODUCES and object_kind(main) in ("one", "some", "")


def is_weakly_voiced(remark: Remark) -> bool:
    """Whether only one small sign tells that it may be a rule: a whole kind, a habit of ours, a change."""
    if _is_plainly_voiced(remark) or is_order(remark.main) or _RATHER.search(remark.plain):
        return False
    voices = _voices(remark)
    return not voices or (len(voices) == 1 and voices[0] in (_OURS, _CHANGE))


def only_describes(remark: Remark) -> bool:
    """Whether it tells how something is, and orders, wishes and rules nothing."""
    return not is_order(remark.main) and bool(_IS.search(remark.plain)) and not _PERSONS.search(remark.plain)


_IS = re.compile(r"\b(?:is|are|was|were|has|have|had|isn't|aren't)\b|\w's ")
_PERSONS = re.compile(r"\b(?:you|we|let|i'd|i want|please)\b")


def is_passed_over(remark: Remark, *, is_other_repeated: bool) -> bool:
    """Whether a sentence that hardly sounds like a rule met with no answer to it."""
    is_own = speaks_of_code_itself(remark)
    if not remark.reply or (_RATHER.search(remark.plain) and is_own):
        return False
    if is_order(remark.main) and verb_of(remark.main) in _CHATTING and not _is_plainly_voiced(remark):
        return True
    has_order = is_order(remark.main) or orders_for_a_case(remark)
    if _is_plainly_voiced(remark) or has_order or _is_strongly_voiced(remark):
        return not is_own and (is_other_repeated or not _rules_a_kind(remark))
    is_telling = _CHANGE.search(remark.plain) or (_RULES.search(remark.plain) and _is_about_code(remark))
    return not is_own or is_other_repeated or not is_telling


_SUBJECT = 8  # words
_CHOOSING = word_set("use prefer avoid stick adopt choose include keep")
"""Verbs of orders that are not over when they are done, whatever they are about."""
_CHATTING = word_set(
    "look show tell send talk think give come meet join wait walk enjoy imagine share discuss thank guess reach ping"
    " hear remember feel worry say bring learn rest speak chat promise translate explain"
)
"""Verbs of orders that are about people."""


def _rules_a_kind(remark: Remark) -> bool:
    return subject_kind(remark.main) == "kind" and bool(_NORM.search(remark.plain) and _ALL.search(remark.plain))


_RULES = re.compile(
    r"\b(?:gets?|needs?|goes?|comes?|takes?|carr(?:y|ies)|has|have|belongs?|lives?|starts?|begins?|ends?|deserves?|uses?"
    r"|throws?|raises?|returns?|stays?|must|gotta|(?:is|are) \w+(?:ed|en|n|t)(?: |$)|fine again|allowed|kept)\b"
)
"""Verbs of what a whole kind of things does by a rule."""
_ALL = re.compile(r"\b(?:always|never|every|each|all)\b")
_MINE = re.compile(r"(?:^|[,:] |\b(?:and|so|but|also|why|that) )(?:i|we)\b|\bmy (?:\w+ )?(?:rule|convention)\b")


def _is_strongly_voiced(remark: Remark) -> bool:
    """Whether it plainly rules: how a kind of things must be, what the speaker wishes of the other, what we do."""
    said, subject = remark.plain, subject_kind(remark.main)
    voices = _voices(remark)
    is_norm = bool(_NORM.search(said)) and (subject == "kind" or remark.main.startswith(("a ", "an ", "there ")))
    is_wish = bool(_WISH.search(said) and _MINE.search(said)) or bool(_ASKED.search(said))
    is_ours = bool(_OURS.search(said)) and subject == "we"
    if _ALL.search(said) and (voices or subject == "we"):
        return True
    return is_norm or is_wish or is_ours or len(voices) > 1 or (bool(voices) and subject == "kind")


def _is_plainly_voiced(remark: Remark) -> bool:
    return _is_named(remark) or bool(_NAMED_SO.search(remark.plain))


def _voices(remark: Remark) -> list[re.Pattern[str]]:
    return [voice for voice in (_NORM, _WISH, _OURS, _CHANGE, _ASKED) if voice.search(remark.plain)]


def _is_about_code(remark: Remark) -> bool:
    """Whether its first words name a part of code."""
    subject = " ".join(remark.main.split()[:_SUBJECT])
    return bool(certain_words(subject) - _CHATTY or _PARTS.search(subject))


def speaks_of_code_itself(remark: Remark) -> bool:
    """Whether it names a part of code itself: by a word that means nothing else, by two that may, or as code."""
    said = remark.plain
    if certain_words(said) - _CHATTY or _names_code(remark) or _CASE.search(said):
        return True
    is_limit = any(limits_in(said))
    return is_limit or bool(_PARTS.search(_EVERYDAY.sub(" ", said))) or len(trade_words(said) - _AT_WORK) > 1


def _names_code(remark: Remark) -> bool:
    return bool(_NAMED.search(_QUOTED_WORD.sub(" ", remark.statement.text)))


def orders_for_a_case(remark: Remark) -> bool:
    """Whether it says what to do in a case: "for everything that's a date, use UTC"."""
    found = _IN_CASE.match(remark.core)
    order = remark.core[found.end() :] if found else ""
    return is_order(order) and verb_of(order) not in _TALKING and not _is_task(order)


_IN_CASE = re.compile(
    r"(?:if|when(?:ever)?|for|where(?:ver)?|before|after|as soon as|once|in|on) [^,]{3,100}, (?:please )?"
)


def is_voiced(remark: Remark) -> bool:
    """Whether it has the voice of a rule, a habit, a wish or a change."""
    said, main = remark.plain, remark.main
    if _is_named(remark) or _NAMED_SO.search(said):
        return True
    if is_order(main):
        is_lasting = bool(_LASTS.search(said) or _CHANGE.search(said) or _YOUR_KIND.search(main))
        if is_lasting or _RATHER.search(main):
            return True
        is_of_many = verb_of(main) not in _TALKING and (object_kind(main) != "one" or _names_code(remark))
        is_of_many = is_of_many or (verb_of(main) in _CHOOSING and speaks_of_code_itself(remark))
        return not _is_task(main) and (is_of_many or bool(_ASKED.search(said)))
    if orders_for_a_case(remark):
        return True
    is_general = subject_kind(main) == "kind"
    return is_general or any(voice.search(said) for voice in (_NORM, _WISH, _OURS, _CHANGE, _ASKED))
