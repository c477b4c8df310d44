"""Readings: how a statement may be read, as an order, a prohibition, a story, a rule that is said to last.

Owns the grammar only; which readings count, and how much, the model knows. Most patterns read English; in languages
whose orders cannot be told by their form, cues alone decide.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memsuggest.text.verbs import VERBS

if TYPE_CHECKING:
    from collections.abc import Callable

    from memsuggest.extraction.statements import Statement

SURE = frozenset(
    (
        "said-to-last",
        "prohibition",
        "dislike",
        "to-be-recorded",
        "keeps-in-step",
        "changed-for-good",
        "to-know",
        "told-often",
        "tool-choice",
        "norm-for-code",
        "code-style",
    )
)
"""Readings one of which a statement must have to be suggested at once."""

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
          | (?:next\ time|from\ now\ on|going\ forward|in\ (?:the\ )?future|in\ general|by\ default|so),?
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
_CODE_NORM = re.compile(
    r"""
    (?:(?:all|every|each|any|our|new|your)\ )?(?:of\ (?:our|the|your)\ )?(?:[\w-]+\ ){0,2}?
    (?:functions?|methods?|class(?:es)?|variables?|constants?|tests?|commits?|commit\ messages?|components?|hooks?
      |endpoints?|routes?|files?|file\ names?|modules?|packages?|imports?|comments?|docstrings?|migrations?|queries
      |errors?|exceptions?|logs?|branch(?:es)?|branch\ names?|prs?|pull\ requests?|arguments?|parameters?|attributes?
      |decorators?|annotations?|types?|interfaces?|names?|ids?|dates?|timestamps?|strings?|numbers?|lines?|scripts?)
    (?:\ names?)?
    \ (?:should|must|need\ to|needs\ to|have\ to|has\ to|ought\ to|(?:are|is)\ to)
    \ (?:always\ |never\ |only\ |not\ )?
    (?:be|have|start|end|begin|use|go|live|follow|contain|include|carry|stay|come|take|say|get)\b
    """,
    re.VERBOSE,
)
"""What a kind of thing in code should be; one thing here ("the function should …") is meant by the moment."""
_CODE_STYLE = re.compile(
    r"""
    \b(?:(?:start|begin|end|finish|prefix|suffix)\w*\ (?:off\ )?(?:in|with|by)
      | (?:camel|snake|pascal|kebab|upper|lower|title)[ _-]?case | type\ (?:hints?|annotations?) | docstrings?
      | decorators? | f-strings? | import(?:ing)?\ the | assert\w* | the\ (?:prefix|suffix|ending)
    )\b
    """,
    re.VERBOSE,
)
"""How code is written."""
_CODE_KIND = re.compile(
    r"""
    (?<!\bthe\ )(?<!\bthese\ )(?<!\bthose\ )(?<!\bthis\ )
    \b(?: (?:all|every|each|any|your|our|new)\ (?:\w+\ )?
          (?:function|method|class|variable|constant|test|argument|attribute|module|file|decorator|import)\b
      | (?:functions|methods|classes|variables|constants|tests|arguments|attributes|modules|files|decorators)\b
      | (?:function|method|class|variable|constant|test|argument|attribute|module|file)\ names?\b
    )
    """,
    re.VERBOSE,
)
"""A whole kind of things in code."""
_ADDRESSED = re.compile(
    r"""
    \b(?:we|you|i|us|agents?|claude|copilot|assistants?|commits?|branch(?:es)?|prs?|tests?|docs?|changelog|readme|code
      |files?|rules?|comments?|functions?|classes|names?|reviews?)\b
    """,
    re.VERBOSE,
)
"""Who works on the code, and what they work with; a norm for anything else is about the product."""
_TOOL_CHOICE = re.compile(
    r"""
    (?:(?:we|i|please|always|only)\ )* (?:(?:use|uses|using|prefer|take|run|it's)\ )?
    `?[\w./-]+`? (?:\ (?:here|everywhere|always|for\ [\w\ ]{2,30}))? ,?
    \ (?:and\ )?(?:not|instead\ of|rather\ than|over|never)\ (?:use\ )? `?[\w./-]+`?
    (?:\ (?:here|everywhere|please|in\ this\ (?:repo|project)))* [.!]* \Z
    """,
    re.VERBOSE,
)
"""One tool, and not another."""
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
    (?:(?:please|also|let's|lets|can\ you|could\ you|you\ should|i\ want\ you\ to|we\ (?:also\ )?need\ to|go\ and|tell)
      \ )*
    (?:add|create|update|record|make|write|mention|document|note|edit|put|specify|remember|save|include)\b
    .{0,40}?\b
    (?:rules?(?!\ (?:dir|folder|file|engine|index))|(?:claude|agents?|gemini)\.md|copilot-instructions\S*|instructions?
      |guidelines?|conventions?|\w+\.mdc|memory)\b
    .{0,60}?\b(?:that|to|so|should|must|never|always|when|whenever|not)\b
    """,
    re.VERBOSE,
)
"""A request to write a rule down where assistants read it."""
_ON_THIS_TASK = re.compile(
    r"""
    \b(?:change|modify|touch|edit|implement|start|jump|proceed|continue|begin|redirect|talk|worry|bother|delete|remove
      |move|rename|clean|write\ (?:any\ |the\ )?code|make\ (?:any\ )?changes|code|include|add|show|display)\b
    """,
    re.VERBOSE,
)
"""What is forbidden for the piece of work in hand, more often than for good."""
_IN_STEP = re.compile(
    r"""
    \b(?:keep|maintain|update)\b.{1,50}
    \b(?:in\ (?:sync|step|line)|up[ -]to[ -]date|updated|current|consistent|aligned)\b
    | \bmaintain\b.{1,40}\b(?:changelog|docs?|documentation|readme|entries|tests)\b
    | \balso\ (?:always\ )?(?:update|document)\b.{1,40}\b(?:whenever|each|every|when|after)\b
    """,
    re.VERBOSE,
)
"""Something that is to follow whatever changes."""
_CHANGED = re.compile(
    r"""
    \b(?:has|have|is|are|was|were)(?:\ now)?\ (?:been\ )?(?:renamed|superseded|migrated|replaced)\b
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
_DONE_ONCE = re.compile(
    r"(?:help|show|explain|tell|give|list|find|summari[sz]e|describe|walk|compare|replace|rename|remove|delete|add|fix)\b"
)
"""An order that is done when it is done, wherever: its outcome is an answer, or one edit."""
_POLITE = re.compile(r"(?:can|could|would|will) you (?:please |also |just )*(?:always|never|from now on)\b")
"""An order in the form of a question."""
_LASTING = frozenset(("always", "never", "from-now-on", "each-time", "in-general"))
_NORMS = frozenset(("must", "should", "must-not", "we-do"))
_NAMED = re.compile(
    r"""
    `[^`]+` | \w+\(\) | \w/\w
    | \b[\w-]+\.(?:ts|js|py|md|go|rs|json|tsx|ya?ml|toml|sh|css|html|java|cs|rb|php)\b
    """,
    re.VERBOSE,
)
_OFTEN = 3  # turns in which an order is given again
_FEW = 5  # words; shorter orders are given again and again and mean nothing: "run the tests"
_BRIEF = 6  # words
_LEAST = 4  # words of a prohibition or a wish that says what it is about


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """The form of a statement: what several readings ask."""

    statement: Statement
    core: str
    """Its plain words without those that merely open it."""
    cues: frozenset[str]
    words: int
    is_order: bool
    forbids: bool
    wishes: bool
    is_sound: bool
    """Whether it neither asks, nor tells what happened, nor leaves open what it says."""
    is_now: bool
    """Whether it is about the moment, or the one thing at hand."""

    @property
    def is_norm(self) -> bool:
        """Whether it says what is to be so."""
        is_unmarked = _UNMARKED.search(self.core) is not None
        return self.is_order or self.forbids or self.wishes or is_unmarked or not self.cues.isdisjoint(_NORMS)

    @property
    def lasts(self) -> bool:
        """Whether it says that it is to be so always, never, each time, and not that it happens to be so."""
        lasting = self.cues & _LASTING
        if not lasting or _HAPPENS.search(self.core) or "product-subject" in self.cues:
            return False
        return lasting != {"in-general"} or not _DONE_ONCE.match(self.core)

    @property
    def is_to_the_reader(self) -> bool:
        """Whether it is about the work, or who does it, rather than about the product."""
        found = _ADDRESSED.search(self.core) or _UNMARKED.search(self.core)
        return self.is_order or self.forbids or self.wishes or found is not None


def form_of(statement: Statement, cues: frozenset[str]) -> Form:
    """Read the form of a statement that has these cues."""
    core = statement.core
    asks = statement.is_question and _POLITE.match(core) is None
    return Form(
        statement=statement,
        core=core,
        cues=cues,
        words=len(core.split()),
        is_order=_ORDER.match(core) is not None,
        forbids=_PROHIBITION.match(core) is not None,
        wishes=_DISLIKE.search(core) is not None,
        is_sound=not (asks or _STORY.match(core) or _HELD_OPEN.search(core)),
        is_now=not cues.isdisjoint(("moment", "this-one")),
    )


def readings_of(form: Form) -> frozenset[str]:
    """Return the names of the readings that fit a form."""
    table = _SOUND if form.is_sound else _ANY
    return frozenset(name for name, fits in table.items() if fits(form))


def _is_said_to_last(form: Form) -> bool:
    is_norm = form.is_norm or _KIND.match(form.core) is not None or "want" in form.cues
    return form.lasts and is_norm and form.is_to_the_reader


def _is_norm_for_code(form: Form) -> bool:
    is_one = form.core.startswith(("the ", "this ", "that ", "these ", "those "))
    return not is_one and _CODE_NORM.match(form.core) is not None


def _is_code_style(form: Form) -> bool:
    is_style = _CODE_STYLE.search(form.core) is not None and _CODE_KIND.search(form.core) is not None
    return is_style and "report" not in form.cues


_ANY: dict[str, Callable[[Form], bool]] = {
    "question": lambda form: form.statement.is_question,
    "story": lambda form: _STORY.match(form.core) is not None,
    "held-open": lambda form: _HELD_OPEN.search(form.core) is not None,
    "order": lambda form: form.is_order,
    "short-order": lambda form: form.is_order and not form.statement.is_question and form.words <= _BRIEF,
}
_SOUND: dict[str, Callable[[Form], bool]] = {
    **_ANY,
    "said-to-last": _is_said_to_last,
    "lasting-norm": lambda form: form.lasts and form.is_norm and not form.is_to_the_reader,
    "always-happens": lambda form: bool(form.cues & _LASTING) and not form.lasts,
    "prohibition": lambda form: (
        form.forbids and form.words >= _LEAST and not form.is_now and not _ON_THIS_TASK.search(form.core)
    ),
    "prohibition-now": lambda form: form.forbids and bool(form.is_now or _ON_THIS_TASK.search(form.core)),
    "dislike": lambda form: form.wishes and form.words >= _LEAST and not form.is_now,
    "norm-for-a-kind": lambda form: _KIND.match(form.core) is not None and not form.cues.isdisjoint(_NORMS),
    "norm-for-code": _is_norm_for_code,
    "code-style": _is_code_style,
    "make-sure-of-all": lambda form: (
        "make-sure" in form.cues and not form.cues.isdisjoint(_LASTING | {"all"}) and not form.is_now
    ),
    "choice": lambda form: form.is_norm and "rather" in form.cues and not form.is_now,
    "tool-choice": lambda form: "tool" in form.cues and _TOOL_CHOICE.match(form.core) is not None,
    "norm-with-reason": lambda form: form.is_norm and "reason" in form.cues,
    "to-be-recorded": lambda form: _RECORD.match(form.core) is not None and not form.statement.is_question,
    "keeps-in-step": lambda form: form.is_order and _IN_STEP.search(form.core) is not None,
    "changed-for-good": lambda form: _CHANGED.search(form.core) is not None,
    "to-know": lambda form: _TO_KNOW.match(form.core) is not None and not form.is_now,
    "told-often": lambda form: form.is_order and form.statement.told >= _OFTEN and form.words >= _FEW,
    "names-code": lambda form: _NAMED.search(form.statement.text) is not None,
}
"""Readings of what is said as a rule may be said; the others are held back by a question, a story, a thought."""
