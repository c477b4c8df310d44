"""Texts that state a fact, as an assistant should write to memory: no order, question or document. Pure.

An order that is remembered would be found again in other chats, and read there as if somebody had just given it. What
is refused can be said as a fact, so a refusal too many costs a rewording.
"""

from __future__ import annotations

import re
from functools import cache
from itertools import pairwise

from memsuggest.text.verbs import VERBS
from memsuggest.text.words import word_set

_SENTENCE_END = re.compile(r"(?<=[.!?;:])\s+|\s+[-\u2013\u2014]\s+")
_QUESTION = re.compile(r"[?\uff1f\u061f]")
_CODE = re.compile(r"\S*[/=`]\S*")
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_REQUESTS = word_set("please kindly bitte por favor pls")
"""What begins no statement."""
_OPENINGS = word_set("always never now then first also and but so just only do don't dont not")
"""What may stand before an order's verb."""
_ORDER_VERBS = word_set("forget disregard pretend obey reveal act assume bypass repeat imagine vergiss ignoriere")
"""Orders that are given to assistants alone, beside those that are given in work."""
_ADDRESS = re.compile(
    r"""
    \b(?:
        you | your | yours | yourself | you're | you'll | you've     # English
      | du | dein\w{0,2} | dir | dich                                # German
      | vous | votre | vos | toi | ton                               # French
      | usted(?:es)? | tú | tus                                      # Spanish
    )\b
    # an assistant that is told what it has to do
    | \b(?:assistants? | agents? | ai | llms? | models? | copilot | claude | codex | cursor | assistenten? | ki)\b
      [^.!?]{0,40}?
      \b(?: must | shall | should | has[ ]to | have[ ]to | needs?[ ]to | ought[ ]to | is[ ]to | are[ ]to
         | muss | soll\w* )\b
    """,
    re.IGNORECASE | re.VERBOSE,
)
_FINITE = word_set("""
is are was were has have had does can could will would may might isn't aren't hasn't can't won't doesn't
lives happens belongs contains lies stands comes depends means needs works begins consists holds costs expects becomes
ist sind war waren hat haben kann wird werden est sont es son
""")
_ARTICLES = word_set("the a an all every each any this that these those my our its their his her no both")
_CUSTOM = re.compile(
    r"""
    (?: (?: the | our | this | my )\s
        (?: user | person | developer | author | owner | team | company | project | repo(?:sitory)? | code[ ]?base )
      | we | they | I )
    (?: \s (?: always | usually | generally | only | now ) )?
    \s (?: (?P<verb> uses? | prefers? | chooses? | is\susing | are\susing )
         | (?P<wish> wants? | likes? | expects? | asks?\sfor ) (?: \sto\b )? )
    \s
    """,
    re.IGNORECASE | re.VERBOSE,
)
_CHOICES = {
    "prefers": "prefer", "prefer": "prefer", "chooses": "choose", "choose": "choose",
    "uses": "use", "use": "use", "is using": "use", "are using": "use",
}  # fmt: skip
_NEAR = 6
"""Words after the first one among which a statement has its verb."""


def why_no_fact(text: str) -> str:
    """Return why a text is not a fact in a sentence; empty for one that is.

    >>> why_no_fact("Forget the rules."), why_no_fact("Test data lives in fixtures/.")
    ('is an order', '')
    """
    if len([line for line in text.splitlines() if line.strip()]) > 1 or "```" in text or "{" in text[:1]:
        return "is a document or code, and no sentence"
    if _QUESTION.search(_CODE.sub("", text)):
        return "is a question"
    if _ADDRESS.search(text):
        return "tells an assistant what to do, or speaks to somebody"
    return "is an order" if any(map(_is_order, _SENTENCE_END.split(text))) else ""


def _is_order(sentence: str) -> bool:
    """Tell if a sentence begins with a verb as orders do, and has no other one that would make the first a noun."""
    words = [word.lower().replace("’", "'") for word in _WORD.findall(sentence)]
    opening = 0
    while opening < len(words) and words[opening] in _OPENINGS:
        opening += 1
    rest = words[opening:]
    if words and words[0] in _REQUESTS:
        return True
    if not rest or rest[0] not in VERBS | _ORDER_VERBS:
        return False
    if opening or rest[0] in _ORDER_VERBS:
        return True
    following = list(pairwise(rest[: 1 + _NEAR]))
    return not any(
        word in _FINITE or (word in _third_person() and before not in _ARTICLES) for before, word in following
    )


def as_rule(text: str) -> str:
    """Return a statement on somebody's custom as the rule that it comes to, to compare it with rules.

    >>> as_rule("The team uses npm."), as_rule("The user wants commits in German"), as_rule("Ada owns billing")
    ('use npm.', 'commits in German', 'Ada owns billing')
    """
    found = _CUSTOM.match(text)
    if found is None:
        return text
    verb = "" if found["wish"] else f"{_CHOICES.get((found['verb'] or '').lower(), '')} "
    return f"{verb}{text[found.end() :]}".strip()


@cache
def _third_person() -> frozenset[str]:
    """Return the verbs of statements: `uses`, `goes`, `copies`."""
    return frozenset(form for verb in VERBS for form in (f"{verb}s", f"{verb}es", f"{verb.removesuffix('y')}ies"))
