"""Negations: whether what a sentence says of a danger forbids it.

Meets folded sentences. A negation counts when it stands in the same clause before the danger, within it, or right
behind it ("… is forbidden", and the German "… nicht").
"""

from __future__ import annotations

import re
from functools import cache

_NO = r"""
    (?<![\w-])(?:
        # English
        never | not | no | \w{2,6}n't | cannot | nobody | none[ ]of | neither | nor
        # German
      | nicht | nie | niemals | kein\w* | niemand | nirgend\w* | nichts
        # French
      | ne | pas | jamais | aucune? | rien
        # Spanish and Portuguese
      | nunca | jamas | ningun\w* | nada | tampoco | ni | nao
    )(?![\w-])
  | \bn'(?=\w)
"""
_AVERTS = r"""
    (?<![\w-])(?:
        # English
        avoid\w* | refus\w* | reject(?:s|ed|ing)? | forbid\w* | prohibit\w* | ban(?:ned|s)? | prevent\w*
      | block\w*
      | disallow\w* | stop[ ]\w+ing | decline | beware | against
      | (?:confirmations?|approvals?)[ ](?:is|are|must[ ]be)[ ](?:required|needed)
      | requires?[ ](?:confirmation|approval)
      | ask[ ](?:me[ ]|us[ ]|first[ ])?before
        # who reports or tests a danger does not ask for it
      | detect\w* | flag(?:s|ged)? | warn\w* | fails?[ ](?:if|when)
      | (?:test|check|ensure|verify)[ ](?:that|what|how|if|whether)
      | explain\w* | document\w* | describe\w* | error[ ](?:if|when)
        # German
      | vermeid\w* | verzicht\w* | verbiet\w* | verboten | untersag\w*
        # French
      | evit\w* | interdi\w* | refus\w*
        # Spanish
      | prohib\w* | rechaz\w*
    )(?![\w-])
"""
"""What speaks against a danger that is named after it."""
_WITHOUT = r"""
    (?<![\w-])(?:
        without | instead[ ]of | rather[ ]than
      | ohne | statt | anstatt | anstelle[ ]von
      | sans | au[ ]lieu[ ]d[e'] | plutot[ ]que
      | sin | en[ ]vez[ ]de | en[ ]lugar[ ]de
    )[ ]?(?:[\w'-]+[ ]){0,2}$
"""
"""What a danger is done without: "run the tests without --no-verify"."""

_NO_NEGATION = r"""
    # English: "never forget to", "no problem", "no, use"
    (?:never|don't|do[ ]not|not)[ ](?:ever[ ])?(?:to[ ])?(?:forget|hesitate|fail|be[ ]afraid|worry|mind|miss|only|just)
  | (?:not[ ]an?|no)[ ](?:big[ ]deal|problem|issue|harm) | no[ ]matter | never[ ]mind | nothing[ ]wrong | why[ ]not
  | (?:not|nothing)[ ](?:wrong|bad|dangerous) | ^no,
    # German
  | vergiss\w*[ ](?:nie|niemals|nicht) | nicht[ ]vergessen | zoe?gere?[ ]nicht | nicht[ ]nur | kein[ ]problem
  | keine[ ](?:sorge|scheu|angst)
    # French
  | n'oubli\w*[ ](?:pas|jamais) | n'hesit\w*[ ](?:pas|jamais)
  | (?:pas|aucun)[ ](?:de[ ])?(?:probleme|grave|seulement|danger)
    # Spanish
  | (?:no|nunca)[ ](?:te[ ])?olvid\w+ | no[ ]dud\w+ | no[ ]solo | no[ ](?:hay|es)[ ](?:un[ ])?problema | no[ ]importa
    # a condition: "if it doesn't work use …"
  | \b(?:if|when|whenever|wenn|falls|si|quand|cuando)[ ](?:[\w'-]+[ ]){0,4}?(?:\w{2,6}n't|not|no|nicht|ne|kein\w*)\b
"""
_CLAUSE_END = r"""
    [;:!?]\s | ,\s | \s[-\u2013\u2014]+\s | \u2014 | \)\s
  | \s(?:but|because|so[ ]just|and[ ](?:just|simply|always|instead) | instead(?![ ]of) | just(?=[ ]\w+[ ])
      | sondern | stattdessen | und[ ](?:einfach|dann) | mais | et[ ]puis | sino | pero | y[ ]luego)\s
"""
_JOINS_A_LIST = r"^\W*(?:(?:or|nor|and|even|also|oder|und|noch|auch|ou|ni|et|y|o|e|the|with|via|to|of)\W+){0,3}$"
_ASIDE = r"(?:\b(?:not|never|nicht|nie|niemals|pas|jamais|nunca)|n't)(?:,[^,]{1,40})?$"
"""A negation before something between commas: "you must not, under any circumstances, …"."""
_ITEM = 3
"""Words of an item of a list: "never accept, print or log a token"."""
_HAS_OR = r"\b(?:or|nor|oder|noch|ou|ni|o)\b"
_FORBIDDEN_AFTER = r"""
    ^.{0,60}?\b(?:
        (?:is|are|was|be|gets?|will|must|may|should)[ ](?:\w+[ ])?
            (?:forbidden|prohibited|banned|rejected|refused|blocked|documented|described|disallowed|reverted
              |off[- ]limits|discouraged)
      | (?:not|never|isn't|aren't|n't|no[ ]longer)[ ](?:be[ ])?(?:an?[ ])?(?:\w+[ ])?
            (?:allow\w*|permit\w*|ok\w*|accept\w*|used|option|fine|tolerated|wanted)
      | (?:is|are)[ ](?:an?[ ]|the[ ])?(?:[\w-]+[ ])?
            (?:offen[cs]e|blockers?|bugs?|no-go|mistakes?|anti-?patterns?|smells?|risks?|unsafe|insecure|bad|evil|wrong)
      | verboten | untersagt | tabu | unzulassig | unerwunscht | nicht[ ](?:erlaubt|gestattet|zulassig|gewunscht)
      | interdit\w* | proscrit\w* | prohibid\w* | no[ ](?:se[ ])?(?:permit\w*|esta[ ]permitid\w*|vale)
    )\b
  | ^[^,.;:]{0,30}?\b(?:nichts?|nie|niemals|jamais|nunca|never)\b
  | ^\s?[:=][ ]?(?:never|no|nein|nie|non)\b
"""


def is_forbidden(before: str, said: str, after: str) -> bool:
    """Tell whether a sentence forbids the danger that it names, from what stands before it, in it and behind it."""
    if _compiled(_FORBIDDEN_AFTER).match(after):
        return True
    # The last word may be a setting's value, as in "StrictHostKeyChecking no".
    if _compiled(_NO).search(_compiled(_NO_NEGATION).sub(" ", said.rpartition(" ")[0])):
        return True
    clause = _clause_before(before, said, after)
    without = _compiled(_WITHOUT).search(clause)
    negated = bool(_compiled(_NO).search(clause) or _compiled(_AVERTS).search(clause))
    return negated != bool(without)


def _clause_before(before: str, said: str, after: str) -> str:
    """Return the text before a danger in its own clause, and in those before it that it is listed with."""
    told = _compiled(_NO_NEGATION).sub(" ", before)
    end, in_list = len(told), False
    ends = [found.span() for found in _compiled(_CLAUSE_END).finditer(told)]
    for start, stop in reversed(ends):
        piece = told[stop:end]
        is_colon = told[start] == ":"
        is_listed = _compiled(_JOINS_A_LIST).match(piece) and (
            piece.strip() or not said[:1].isalpha() or _compiled(_HAS_OR).search(told[start:] + said + after)
        )
        in_list = bool(is_listed) or (in_list and len(piece.split()) <= _ITEM)
        is_aside = _compiled(_ASIDE).search(told[:start])
        if not (in_list or is_aside or is_colon):
            return told[stop:]
        end = start
    return told


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    """Compile an expression when it is first needed, so that importing stays cheap."""
    return re.compile(pattern, re.VERBOSE)
