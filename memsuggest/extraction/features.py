"""Features: what can be seen of a statement, by name. The model gives each a weight.

Four kinds of names: `cue:` for phrases of the table of cues, `is:` for readings of grammar, `at:` for length and place,
`near:` for what stands around it, `word:` for words and pairs of words.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

from memsuggest.extraction.cues import cues_in
from memsuggest.text.verbs import VERBS
from memsuggest.text.words import plain

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memsuggest.extraction.statements import Statement

_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)?|[?!:`]")
_VERBS = "|".join(sorted(VERBS, key=len, reverse=True))
_ORDER = re.compile(
    rf"""
    (?: (?: always | never | please | just | also | only | not | let's | let\ us
          | do\ not | don't | stop | avoid | (?:be\ sure|remember|try|don't\ forget)\ to
          | (?:make\ sure|ensure)(?:\ that)?(?:\ to|\ you|\ we)?
          | (?:can|could|would|will)\ you
          | (?:you|we)\ (?:should|must|need\ to|have\ to)
          | i\ (?:want|need|'d\ like|would\ like)\ you\ to
          | (?:when|whenever|if|before|after|for|in|from\ now)\ [^,]{{0,100}},
          | (?:next\ time|going\ forward|in\ general|by\ default),?
        )\s+
    )*
    (?:{_VERBS})\b
    """,
    re.VERBOSE,
)
"""An order, with what may stand before its verb."""
_UNMARKED = re.compile(r"[\u3041-\u30ff\u4e00-\u9fff\uac00-\ud7af\u0400-\u04ff]")
"""Scripts of languages whose orders we cannot tell by their form."""
_PROHIBITION = re.compile(
    r"""
    (?:(?:please|you|we|just|also|so)\ )*
    (?: (?:do\ not|don't|never|avoid|stop)\ (?!think|know|see|understand|need\b|care|have\b|worry|get\b|remember|want)
      | (?:you|we)\ (?:must|should|may|can)(?:n't|\ not|\ never)\ (?!be\ able)
      | (?:must|should)(?:n't|\ not|\ never)(?!\ (?:there|we|it|you|i|this|that|they|the)\b)
      | (?:bitte\ )?nicht | keine?n?\b | ne\ \w+\ pas | no\ (?:uses|hagas|pongas) | nunca\ | nie\ | jamais\ | não\ use
    )
    """,
    re.VERBOSE,
)
_DISLIKE = re.compile(
    r"""
    \b(?:i|we)
    (?: (?:'d|\ would)(?:\ really|\ much)?\ (?:rather|prefer)
      | \ (?:really\ |also\ )?prefer\ | \ (?:really\ )?(?:hate|dislike)\b
      | \ (?:really\ |just\ )?(?:don't|do\ not)\ (?:really\ )?(?:like|love|want|use|do|allow|mock|support|test)\b
        (?!\ to\ (?:be|do|go|see|have|know|touch|criticize|talk|say)\b|\ (?:that|it|this|those)\b)
      | \ want\ to\ (?:avoid|keep|always|never)
    )
    """,
    re.VERBOSE,
)
"""What the person likes better, or does not want."""
_KIND = re.compile(
    r"""
    (?:(?:for|in|on|when|if|before|after)\ [^,]{0,60},\ )?
    (?:all|any|every|each|no|our|new|commits?|commit\ messages?|tests?|docs?|files?|code|components?|functions?
      |errors?|comments?|names?|[a-z-]+[^s\W]s)
    \b(?:\ [\w-]+){0,4}
    \ (?:should|must|needs?\ to|has\ to|have\ to|shouldn't|can't|never|always|are|go|belong|live)\b
    """,
    re.VERBOSE,
)
"""What a whole kind of things should be."""
_STORY = re.compile(
    r"""
    (?:i|we)(?:'?m|\ am|'re|\ are)\ \w+ing\b
    | (?:i|we|you|it|they|he|she|this|that|the\ \w+)(?:'ve|\ have|\ has|\ had)?\ ?(?:just\ |already\ |also\ )?
      (?:\w{3,}ed|did|was|were|had|went|got|made|saw|found|ran|broke|forgot|said|told|thought|put|left|wrote|tried)\b
    """,
    re.VERBOSE,
)
"""What happened."""
_HAPPENS = re.compile(
    r"""
    \b(?:it|this|that|they|he|she|there|i|these|those|(?:the|an?)\ \w+(?:\ \w+)?)(?:'s|\ is|\ are|\ can|\ will|\ would)?
      \ (?:always|never|every)\b
    | \b(?:always|never)\ (?:\w+ed|\w+ing|been|works?|gets?|has|is|are|was|the|a|that)\b
    | \b(?:i|you|it|we)\ (?:can\ )?never\ (?:can|could|saw|see|get|got|had|have|did|know|knew|understood)\b
    """,
    re.VERBOSE,
)
"""Always and never of what happens, rather than of what is to be done."""
_HELD_OPEN = re.compile(
    r"\b(?:i guess|what if|suppose|theoretically|in theory|let's say|i suspect|i wonder|wondering|would be)\b"
)
_RECORD = re.compile(
    r"""
    (?:(?:please|also|let's|lets|can\ you|could\ you|you\ should|i\ want\ you\ to|we\ (?:also\ )?need\ to|go\ and|tell)\ )*
    (?:add|create|update|record|make|write|mention|document|note|edit|put|specify|remember|save|include)\b
    .{0,40}?\b(?:rules?(?!\ (?:dir|folder|file|engine|index))|claude\.md|agents?\.md|gemini\.md|copilot-instructions\S*|instructions?|guidelines?|conventions?
              |\w+\.mdc|memory)\b
    .{0,60}?\b(?:that|to|so|should|must|never|always|when|whenever|not)\b
    """,
    re.VERBOSE,
)
"""A request to write a rule down where assistants read it."""
_ON_THIS_TASK = re.compile(
    r"""
    \b(?:change|modify|touch|edit|implement|start|jump|proceed|continue|begin|redirect|talk|worry|bother|delete|remove|move
      |rename|clean|write\ (?:any\ |the\ )?code|make\ (?:any\ )?changes|code|include|add|show|display)\b
    """,
    re.VERBOSE,
)
"""What is forbidden for the piece of work in hand, more often than for good."""
_IN_STEP = re.compile(
    r"""
    \b(?:keep|maintain|update)\b.{1,50}\b(?:in\ (?:sync|step|line)|up[ -]to[ -]date|updated|current|consistent|aligned)\b
    | \bmaintain\b.{1,40}\b(?:changelog|docs?|documentation|readme|entries|tests)\b
    | \balso\ (?:always\ )?(?:update|document)\b.{1,40}\b(?:whenever|each|every|when|after)\b
    """,
    re.VERBOSE,
)
"""Something that is to follow whatever changes."""
_CHANGED = re.compile(
    r"""
    \b(?:has|have|is|are|was|were)(?:\ now)?\ (?:been\ )?(?:renamed|deprecated|superseded|migrated|replaced)\b
    | \b(?:we|i)(?:'ve|\ have)?\ (?:now\ )?(?:switched|moved|migrated)\ (?:\w+\ )?(?:from|to|over)\b
    | \b(?:we|i)(?:\ \w+)?\ no\ longer\ (?:use|need|support|have|want|do)\b
    | \bdon't\ (?:use|do|have|support|need)\b.{1,40}\bany\ ?more\b
    | \bfallen\ out\ of\ favou?r\b
    """,
    re.VERBOSE,
)
"""What was otherwise before."""
_TO_KNOW = re.compile(
    r"""
    (?: for\ (?:your\ )?(?:context|reference|information)\b[,:]?
      | fyi\b[,:]? | just\ so\ you\ know\b[,:]? | (?:please\ )?note\ that\b | keep\ in\ mind(?:\ that)?\b
      | remember(?:,|:|\ that|\ (?=i'm|i\ am|we|our|this|the))
    )
    \ (?!see\b|to\b|that\ i\ just)
    """,
    re.VERBOSE,
)
"""What the assistant is told so that it knows."""
_ASKS_TO_TELL = re.compile(r"(?:help|show|explain|tell|give|list|find|summari[sz]e|describe|walk|compare)\b")
"""An order whose outcome is an answer."""
_POLITE = re.compile(r"(?:can|could|would|will) you (?:please |also |just )*(?:always|never|from now on)\b")
"""An order in the form of a question."""
_LASTING = ("always", "never", "from-now-on", "each-time", "in-general")
_NAMED = re.compile(
    r"`[^`]+`|\w+\(\)|\b[\w-]+\.(?:ts|js|py|md|go|rs|json|tsx|ya?ml|toml|sh|css|html|java|cs|rb|php)\b|\w/\w"
)
_OFTEN = 3  # turns in which an order is given again
_FEW = 5  # words; shorter orders are given again and again and mean nothing: "run the tests"
_AROUND = ("you-did", "wrong", "why", "do-not", "trouble", "task", "always", "never", "reason", "prefer")
_ECHO = 0.4  # share of a statement's long words that the assistant had just used
_HEARD = 400  # characters at the end of what the assistant said


def features_of(statement: Statement) -> frozenset[str]:
    """Return the names of the features that a statement has."""
    cues = cues_in(statement.plain)
    return frozenset(
        [
            *(f"cue:{name}" for name in cues),
            *(f"is:{name}" for name in readings_of(statement, cues)),
            *_placed(statement),
            *_around(statement),
            *_words(statement),
        ]
    )


SURE = frozenset(
    (
        "is:said-to-last",
        "is:prohibition",
        "is:dislike",
        "is:to-be-recorded",
        "is:keeps-in-step",
        "is:changed-for-good",
        "is:to-know",
        "is:told-often",
    )
)
"""Readings one of which a statement must have to be suggested at once."""


def readings_of(statement: Statement, cues: frozenset[str]) -> Iterator[str]:
    """Yield how a statement may be read: as an order, a prohibition, a story, a rule that is said to last."""
    core = statement.core
    is_order = _ORDER.match(core) is not None
    is_prohibition = _PROHIBITION.match(core) is not None
    is_dislike = _DISLIKE.search(core) is not None
    is_kind = _KIND.match(core) is not None
    is_norm = (
        is_order
        or is_prohibition
        or is_dislike
        or not cues.isdisjoint(("must", "should", "must-not", "we-do"))
        or _UNMARKED.search(core) is not None
    )
    asks = statement.is_question
    is_polite = asks and _POLITE.match(core) is not None
    is_story = _STORY.match(core) is not None
    is_open = _HELD_OPEN.search(core) is not None
    is_sound = (not asks or is_polite) and not is_story and not is_open
    if asks:
        yield "question"
    if is_story:
        yield "story"
    if is_open:
        yield "held-open"
    if is_order:
        yield "order"
    if is_order and not asks and len(core.split()) <= 6:
        yield "short-order"
    if not is_sound:
        return
    is_now = "moment" in cues or "this-one" in cues
    lasting = cues.intersection(_LASTING)
    lasts = bool(lasting) and not (lasting == {"in-general"} and _ASKS_TO_TELL.match(core))
    happens = _HAPPENS.search(core) is not None or "product-subject" in cues
    if lasts and (is_norm or is_kind or "want" in cues) and not happens:
        yield "said-to-last"
    if lasts and (happens or not is_norm):
        yield "always-happens"
    if is_order and statement.told >= _OFTEN and len(core.split()) >= _FEW:
        yield "told-often"
    if is_prohibition and not is_now and not _ON_THIS_TASK.search(core):
        yield "prohibition"
    if is_prohibition and (is_now or _ON_THIS_TASK.search(core)):
        yield "prohibition-now"
    if is_dislike and not is_now:
        yield "dislike"
    if is_kind and not cues.isdisjoint(("must", "should", "must-not")):
        yield "norm-for-a-kind"
    if "make-sure" in cues and not cues.isdisjoint(("all", *_LASTING)) and not is_now:
        yield "make-sure-of-all"
    if is_norm and "rather" in cues and not is_now:
        yield "choice"
    if is_norm and "reason" in cues:
        yield "norm-with-reason"
    if _RECORD.match(core) and not asks:
        yield "to-be-recorded"
    if _IN_STEP.search(core) and is_order:
        yield "keeps-in-step"
    if _CHANGED.search(core):
        yield "changed-for-good"
    if _TO_KNOW.match(core) and not is_now:
        yield "to-know"
    if _NAMED.search(statement.text):
        yield "names-code"


def _placed(statement: Statement) -> Iterator[str]:
    """Yield length and place."""
    sentence, text = statement.sentence, statement.text.rstrip()
    yield f"at:words-{_step(len(statement.plain.split()), (4, 7, 12, 20, 35))}"
    yield f"at:sentences-{_step(sentence.count, (2, 4, 9, 21))}"
    yield f"at:place-{_step(sentence.position, (1, 3, 9))}"
    yield f"at:prompt-{_step(statement.prompt, (2, 4, 11))}"
    yield f"at:typed-{_step(len(statement.turn.typed), (80, 250, 700, 2000))}"
    if sentence.position == sentence.count - 1:
        yield "at:end"
    if sentence.in_list:
        yield "at:list"
    if sentence.heading:
        yield "at:heading"
    if statement.turn.quoted:
        yield "at:paste"
    if text[:1].islower():
        yield "at:lower-case"
    for name, mark in (("stop", "."), ("colon", ":"), ("exclamation", "!")):
        if text.endswith(mark):
            yield f"at:{name}"
    if not text.isascii():
        yield "at:foreign"
    if statement.told > 1:
        yield f"at:told-{min(statement.told, 3)}"


def _step(number: int, steps: tuple[int, ...]) -> int:
    return sum(number >= step for step in steps)


def _around(statement: Statement) -> Iterator[str]:
    """Yield what stands before and behind it, and whether it takes up what the assistant said."""
    for side, text in (("before", statement.sentence.before), ("after", statement.sentence.after)):
        cues = cues_in(plain(text[:300])) if text else frozenset()
        for name in _AROUND:
            if name in cues:
                yield f"near:{side}-{name}"
    if not statement.heard:
        return
    yield "near:answered"
    heard = set(_WORD.findall(plain(statement.heard[-_HEARD:])))
    words = [word for word in _WORD.findall(statement.plain) if len(word) > 4]
    if words and sum(word in heard for word in words) > _ECHO * len(words):
        yield "near:echo"
    if statement.heard.rstrip().endswith("?"):
        yield "near:asked"
    signals = statement.turn.signals
    if signals.after_interruption or signals.rejected_tool:
        yield "near:stopped"


def _words(statement: Statement) -> Iterator[str]:
    """Yield words and pairs of words."""
    words = ["#" if word.isdigit() else word for word in _WORD.findall(statement.plain)]
    for word in words:
        yield f"word:{word}"
    for one, two in pairwise(words):
        yield f"word:{one} {two}"
