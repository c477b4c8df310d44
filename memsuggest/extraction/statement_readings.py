"""Readings: how a statement may be read, as an order, a prohibition, a story, a rule that is said to last.

Puts the patterns of `grammar` and the cues together; which readings count, and how much, the model knows.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rapidfuzz import fuzz

from memsuggest.extraction import grammar, telling_grammar
from memsuggest.extraction.statements import LONGEST
from memsuggest.memory.stem_groups import group_of, stem_of

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
        "about-the-project",
        "made-from",
        "about-the-person",
        "make-sure-of-all",
        "as-possible",
        "only-norm",
        "our-way",
        "lasting-clause",
        "has-its-place",
    )
)
"""Readings one of which a statement must have to be suggested at once."""

_LASTING = frozenset(("always", "never", "from-now-on", "each-time", "in-general"))
_NORMS = frozenset(("must", "should", "must-not", "we-do"))
_NAMED = re.compile(
    r"""
    `[^`]+` | \w+\(\) | \w/\w
    | \b[\w-]+\.(?:ts|js|py|md|go|rs|json|tsx|ya?ml|toml|sh|css|html|java|cs|rb|php)\b
    """,
    re.VERBOSE,
)
_ALIKE = 60  # of 100, from which two names are two spellings: "pullfrog, not bullfrog"
_OFTEN = 3  # turns in which an order is given again
_FEW = 5  # words; shorter orders are given again and again and mean nothing: "run the tests"
_BRIEF = 6  # words of an order, or sentences of a message
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
        """Tell whether it says what is to be so."""
        is_unmarked = grammar.UNMARKED.search(self.core) is not None
        return self.is_order or self.forbids or self.wishes or is_unmarked or not self.cues.isdisjoint(_NORMS)

    @property
    def is_norm_or_wish(self) -> bool:
        """Tell whether it says what is to be so, or what the person wants."""
        return self.is_norm or "want" in self.cues

    @property
    def lasts(self) -> bool:
        """Tell whether it says that it is to be so always, never, each time, and not that it happens to be so."""
        lasting = self.cues & _LASTING
        if not lasting or telling_grammar.HAPPENS.search(self.core) or "product-subject" in self.cues:
            return False
        if lasting == {"in-general"} and (grammar.DONE_ONCE.match(self.core) or not (self.is_order or self.forbids)):
            return False
        return self.is_order or not self.core.startswith("if ")

    @property
    def is_to_the_reader(self) -> bool:
        """Tell whether it is about the work, or who does it, rather than about the product."""
        found = grammar.ADDRESSED.search(self.core) or grammar.UNMARKED.search(self.core)
        return self.is_order or self.forbids or self.wishes or found is not None


def form_of(statement: Statement, cues: frozenset[str]) -> Form:
    """Read the form of a statement that has these cues."""
    core = statement.core
    asks = statement.is_question and grammar.POLITE.search(core) is None
    return Form(
        statement=statement,
        core=core,
        cues=cues,
        words=len(core.split()),
        is_order=grammar.is_order(core) or grammar.OPENS_LASTING.match(core) is not None,
        forbids=grammar.PROHIBITION.match(core) is not None,
        wishes=grammar.DISLIKE.search(core) is not None,
        is_sound=not (asks or telling_grammar.STORY.match(core) or telling_grammar.HELD_OPEN.search(core)),
        is_now=not cues.isdisjoint(("moment", "this-one")),
    )


def readings_of(form: Form) -> frozenset[str]:
    """Return the names of the readings that fit a form."""
    table = _SOUND if form.is_sound else _ANY
    return frozenset(name for name, fits in table.items() if fits(form))


def _is_said_to_last(form: Form) -> bool:
    if grammar.is_order_for_each(form.core) or grammar.EVER.search(form.core) or grammar.POLITE.search(form.core):
        return True
    is_norm = form.is_norm_or_wish or grammar.KIND.match(form.core) is not None
    is_whole = form.words >= _LEAST or (form.is_order and form.words == _LEAST - 1)
    forbids = form.forbids or form.wishes or "no-kind" in form.cues
    if form.statement.is_reminder and forbids and is_whole and not form.is_now:
        return True  # whoever has to say again what is not to be done means it beyond this task
    return form.lasts and is_norm and form.is_to_the_reader and is_whole


def _is_tool_choice(form: Form) -> bool:
    """Tell if it takes one tool and not another: "use pnpm, not npm"; or one spelling of a name and not another."""
    names = grammar.NOT_THAT.fullmatch(form.core)
    if names and fuzz.ratio(names["this"], names["that"]) >= _ALIKE:
        return True
    if grammar.WE_USE.match(form.core):
        return True
    choice = grammar.TOOL_CHOICE.match(form.core)
    return choice is not None and ("tool" in form.cues or _are_alternatives(choice["this"], choice["that"]))


def _are_alternatives(one: str, other: str) -> bool:
    """Tell whether one chooses one of two things: tabs, spaces."""
    groups = {group_of(stem_of(name.casefold())) for name in (one, other)}
    return len(groups) == 1 and None not in groups


def _is_norm_for_code(form: Form) -> bool:
    is_one = form.core.startswith(("the ", "this ", "that ", "these ", "those "))
    is_of_document = bool(form.statement.sentence.heading)
    return not is_one and not is_of_document and grammar.CODE_NORM.match(form.core) is not None


def _is_code_style(form: Form) -> bool:
    is_style = grammar.CODE_STYLE.search(form.core) is not None and grammar.CODE_KIND.search(form.core) is not None
    return is_style and "report" not in form.cues


_ANY: dict[str, Callable[[Form], bool]] = {
    "question": lambda form: form.statement.is_question,
    "story": lambda form: telling_grammar.STORY.match(form.core) is not None,
    "held-open": lambda form: telling_grammar.HELD_OPEN.search(form.core) is not None,
    "order": lambda form: form.is_order,
    "short-order": lambda form: form.is_order and not form.statement.is_question and form.words <= _BRIEF,
}
_SOUND: dict[str, Callable[[Form], bool]] = {
    **_ANY,
    "said-to-last": _is_said_to_last,
    "prohibition": lambda form: (
        form.forbids and form.words >= _LEAST and not form.is_now and not grammar.ON_THIS_TASK.search(form.core)
    ),
    "dislike": lambda form: form.wishes and form.words >= _LEAST and not form.is_now,
    "norm-for-a-kind": lambda form: grammar.KIND.match(form.core) is not None and not form.cues.isdisjoint(_NORMS),
    "norm-for-code": _is_norm_for_code,
    "code-style": _is_code_style,
    "make-sure-of-all": lambda form: grammar.MAKES_SURE.match(form.core) is not None and not form.is_now,
    "as-possible": lambda form: form.is_norm_or_wish and grammar.AS_POSSIBLE.search(form.core) is not None,
    "only-norm": lambda form: grammar.ONLY_NORM.match(form.core) is not None and not form.is_now,
    "our-way": lambda form: grammar.OUR_WAY.match(form.core) is not None and not form.is_now,
    "lasting-clause": lambda form: any(
        grammar.OPENS_LASTING.match(part) and grammar.is_order(part) for part in grammar.CLAUSES.split(form.core)[1:]
    ),
    "has-its-place": lambda form: grammar.HAS_ITS_PLACE.match(form.core) is not None and not form.is_now,
    "tool-choice": _is_tool_choice,
    "to-be-recorded": lambda form: grammar.RECORDED.match(form.core) is not None,
    "about-the-project": lambda form: telling_grammar.ABOUT_PROJECT.search(form.core) is not None and not form.is_now,
    "made-from": lambda form: telling_grammar.MADE_FROM.search(form.core) is not None,
    "about-the-person": lambda form: telling_grammar.ABOUT_PERSON.search(form.core) is not None,
    "keeps-in-step": lambda form: form.is_order and grammar.IN_STEP.search(form.core) is not None,
    "changed-for-good": lambda form: telling_grammar.CHANGED.search(form.core) is not None,
    "to-know": lambda form: telling_grammar.TO_KNOW.match(form.core) is not None and not form.is_now,
    "told-often": lambda form: (
        form.is_order
        and form.statement.told >= _OFTEN
        and form.words >= _FEW
        and form.statement.sentence.count <= _BRIEF
    ),
    "names-code": lambda form: _NAMED.search(form.statement.text[:LONGEST]) is not None,
}
"""Readings of what is said as a rule may be said; the others are held back by a question, a story, a thought."""
