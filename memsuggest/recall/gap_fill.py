"""Gap-fill: what the person corrected or stated in a session, whether or not a rule came of it. Pure.

Narrow on purpose: only whole typed sentences that say how something is, and what extraction was nearly sure of. Asking,
ordering, reporting a failure, and what holds for the moment are left out: a wrong memory costs more than a missing one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memsuggest.extraction import offline
from memsuggest.extraction.statements import speaks_of_work, statements_of
from memsuggest.identity import normalised
from memsuggest.model import Kind, Outcome, Scope, Trust
from memsuggest.text.verbs import VERBS

if TYPE_CHECKING:
    from datetime import datetime

    from memsuggest.extraction.statements import Statement
    from memsuggest.model import Candidate, Transcript

MOST = 6
"""Of a session."""
_NEARLY = 0.45
"""Confidence of a maybe from which it is worth remembering."""
_TOLD_KINDS = frozenset({Kind.CORRECTION, Kind.PREFERENCE, Kind.FACT, Kind.TERMINOLOGY})
"""What may be remembered of maybes; how work is to be done is for a rule, which waits to be said again."""
_SHORTEST, _LONGEST = 4, 40  # words
_FLAGS = re.IGNORECASE | re.VERBOSE

_NAME = r"(?-i:(?:[A-Z][\w-]*[A-Z\d_][\w-]*|[A-Z][\w-]+\s(?:is|uses|owns|approves|handles|reviews|runs|signs)\b|`))"
"""What begins a sentence as a name does: `PgBouncer`, `CI`, `Tomas approves`."""
_OPENING = re.compile(
    r"""(?: (?: no+ | nope | nah | wrong | actually | careful | fyi | note | btw | by[ ]the[ ]way | for[ ]the[ ]record
      | that'?s[ ](?:wrong|not[ ](?:right|true|correct)) | and | but | also | so | ok(?:ay)? | well | hey | hi | yes
      | nein | falsch | übrigens | zur[ ]info | achtung | non | attention | au[ ]fait | ojo | por[ ]cierto
      )\b[\s,.:;!\u2014-]+ )+""",
    _FLAGS,
)
_CORRECTING = re.compile(
    r"\b(?:no+|nope|nah|wrong|actually|that'?s not|nein|falsch|non|not true)\b|\binstead\b|,\s*(?:not|nicht|pas|no)\s",
    re.IGNORECASE,
)
_SUBJECT = r"(?:(?!(?:that|which|if|there|when|who|dass|wenn|que|si)\b)[^\s,;:!?]+\s){1,6}?"
"""A few words without a clause among them."""
_STATED = re.compile(
    rf"""
      # English: a thing of ours, and how it is
      (?: in\s(?:our|this|the)\s(?:code\w*|project|repo\w*|team|company)\s)?
      (?: (?:the|our|my|all|every|each|only|any|an?)\s | (?={_NAME}) ) {_SUBJECT}
      (?: is | are | uses? | runs? | lives? | sits? | belongs? | owns? | approves? | handles? | signs? | comes? | goes
        | expires? | means? | stands | stays? | happens? | deploys? | ships? | listens? | keeps? | reviews? | maintains?
        | depends? | speaks? | takes? | costs? | starts? | ends? | allows? | limits? | wants | expects? | accepts?
        | calls? | pays? | sends? | closes? | opens? | supports?
        | cannot | can't | may )\s
    | (?:[a-z]+\s){{1,3}} (?: log\sin | sign\sin | live | belong | come | run | go )
      \s(?: in | on | with | to | from | through | by )\s
    | (?:i|we)\s(?: use | prefer | work | live | own | speak | deploy | release | ship | host | keep | store
        | stay | stick | am\s(?:an?|the|on|in|based|responsible) | are\s(?:an?|the|on|in|based|(?:not\s)?allowed|\d) )\s
    | i'?m\s(?-i:[A-Z])
      # German
    | (?: der|die|das|unser\w{{0,2}}|mein\w{{0,2}}|alle|jede\w? )\s{_SUBJECT}
      (?: ist | sind | läuft | laufen | liegt | liegen | gehört | gehören | kommt | kommen | nutzt | nutzen
        | verwendet | heißt | heißen | genehmigt | prüft | betreut | steht | stehen | gilt | gelten | bleibt | bleiben
        | darf | dürfen )\s
    | (?:ich|wir)\s(?: nutze\w? | verwende\w? | arbeite\w? | bin | deploye\w? | heiße\w? | wohne\w? | spreche\w? )\s
      # French and Spanish
    | (?: le|la|les|notre|nos|mon|ma|mes|el|los|las|nuestr[oa]s?|mi|mis )\s{_SUBJECT}
      (?: est | sont | utilise\w* | tourne\w* | appartien\w+ | es | son | usa\w? | corre\w? )\s
    """,
    _FLAGS,
)
_PASSING = re.compile(
    r"""\b(?:
        now | still | yet | again | just | currently | today | tonight | tomorrow | yesterday | already | this[ ]time
      | at[ ]the[ ]moment | seems? | looks? | apparently | maybe | perhaps | probably | i[ ]think | i[ ]guess
      | not[ ]sure
      | errors? | fail\w* | broken | bugs? | crash\w* | wrong | stuck | missing | slow | weird | undefined | exception
      | traceback | warnings? | doesn'?t | didn'?t | won'?t | isn'?t[ ]working | not[ ]working | works?[ ](?:fine|well)
      | done | ready | finished | fixed | good | great | fine | better | nice | cool | ugly | confusing | issue
      | problem
      | complete\w* | started | current\w* | previous | first | next | here | new | whole | option
      | also | anymore | right | concern | feature[ ]to
      | please | let'?s | can[ ]you | could[ ]you | should | would | want | trying | below | above | following
      | attached | too | stimmt
      | jetzt | noch | gerade | heute | morgen | gestern | schon | wieder | fehler | kaputt | scheint | vielleicht
      | bitte
      | kannst | sollte\w* | maintenant | encore | aujourd'hui | peut-être | erreur | ahora | todavía | hoy | quizás
    )\b""",
    _FLAGS,
)
"""What makes a sentence about the moment, a wish, or about the work at hand."""
_CODE = re.compile(r"`[^`\n]*`")
_NOBODY = re.compile(
    r"(?:it|this|that|there|these|those|here|he|she|they|if|when|whether|for|what|how|why|you|everything|nothing|something)\b",
    re.IGNORECASE,
)
_POINTING = re.compile(
    r"(?:it|its|this|that|these|those|there|they|he|him|she|what|which|if|when|since|so|cause"
    r"|because|do|don't|then|i think|i want|mention|make|quiero)\b"
    r"|.{0,60}\b(?:him|her|them|above|below|yet|now)\b",
    re.IGNORECASE,
)
"""What speaks of something that only the session knew."""
_BEGINS_WITH_NAME = re.compile(_NAME)
_NAMED = re.compile(r"(?<=[a-zäöüß,] )(?:[A-ZÄÖÜ][\w-]+|\d)|`|[\w-]+[./_][\w-]+")
"""A name, a number or a piece of code within a sentence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Gap:
    """Something that the person said and nobody has written down."""

    content: str
    quote: str
    """What was typed, verbatim."""
    scope: Scope
    is_correction: bool
    at: datetime | None = None

    @property
    def is_verbatim(self) -> bool:
        """Tell whether the content is the person's words and nothing else."""
        return normalised(self.content) in normalised(self.quote)


def gaps_in(transcript: Transcript) -> list[Gap]:
    """Return what was corrected and stated in a session, corrections first; only of what the person surely typed."""
    if transcript.trust is not Trust.TYPED:
        return []
    stated = [gap for one in statements_of(transcript) if (gap := _stated(one))]
    candidates = offline.extract(transcript).candidates
    nearly = [_of_maybe(one) for one in candidates if _is_nearly_sure(one)]
    suggested = {normalised(one.citations[0].quote) for one in candidates if one.outcome is Outcome.SUGGEST}
    found: dict[str, Gap] = {}
    for gap in sorted((*stated, *nearly), key=lambda one: not one.is_correction):
        if normalised(gap.quote) not in suggested:
            found.setdefault(normalised(gap.content), gap)
    return list(found.values())[:MOST]


def _stated(one: Statement) -> Gap | None:
    text = " ".join(one.text.split())
    opening = _OPENING.match(text)
    core = text[opening.end() :] if opening else text
    count = len(core.split())
    is_whole = _SHORTEST <= count <= _LONGEST and not one.is_doubtful and not one.is_question and text[-1:] != ":"
    if not is_whole or not _STATED.match(core) or _PASSING.search(_CODE.sub("`…`", core)):
        return None
    is_order = any(clause.split()[0].lower() in VERBS for clause in re.split(r"[,;]\s+", core) if clause.split())
    if is_order or _NOBODY.match(core):
        return None
    if not (_BEGINS_WITH_NAME.match(core) or _NAMED.search(core) or speaks_of_work(one.plain)):
        return None
    is_own = re.match(r"(?:i|my|ich|mein\w*|je|mon|ma|mi)\b", core, re.IGNORECASE) is not None
    return Gap(
        content=core[0].upper() + core[1:] if core[0].isalpha() else core,
        quote=text,
        scope=Scope.USER if is_own else Scope.WORKSPACE,
        is_correction=bool(one.heard) and _CORRECTING.search(text) is not None,
        at=one.turn.at,
    )


def _is_nearly_sure(one: Candidate) -> bool:
    is_typed = all(citation.trust is Trust.TYPED for citation in one.citations)
    is_said = not one.citations[0].quote.rstrip().endswith(("?", ":")) and not _POINTING.match(one.content)
    is_told = one.kind in _TOLD_KINDS and one.content.split()[0].lower() not in VERBS
    return one.outcome is Outcome.MAYBE and one.confidence >= _NEARLY and is_typed and is_said and is_told


def _of_maybe(one: Candidate) -> Gap:
    citation = one.citations[0]
    return Gap(
        content=one.content,
        quote=citation.quote,
        scope=one.scope,
        is_correction=one.kind is Kind.CORRECTION,
        at=citation.at,
    )
