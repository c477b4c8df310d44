"""A rule without the clauses that held a secret."""

from __future__ import annotations

import itertools
import re

from memsuggest.redact.finding import MARK

_MARK = r"\[REDACTED:[\w-]+\]"
_EXAMPLE = re.compile(
    rf"\s*[(,]?\s*\b(?:such as|e\.g\.|for example|like)\s+{_MARK}\)?(?:,(?=\s))?",
    re.IGNORECASE,
)
_IN_PARENTHESES = re.compile(rf"\s*\([^()]*{_MARK}[^()]*\)")
_SENTENCE_END = re.compile(r"(?<=[.!?;])\s+")
_BETWEEN_CLAUSES = re.compile(
    r"""(?x)
    (?:,|\s[\u2014\u2013-])\s+(?=(?:(?:and|but|or|so|then|also|just)\s+)?
    (?:log|sign|use|set|put|pass|call|connect|authenticate|run|type|enter|send|export|take|give|add|keep|don['\u2019]t
      |do|never|always|my|the|our|your|its|it|it['\u2019]s|i|we|you|they|with|which|where|that|see|as|because|since)\b)
    """,
    re.IGNORECASE,
)
_LEANS = re.compile(
    r"(?:when|whenever|if|unless|until|for|before|after|while|once|in|on|at|to|with|as|because|since|although|during"
    r"|from now on|going forward|please)\b",
    re.IGNORECASE,
)
_POINTS_BACK = re.compile(
    r"(?:it|its|it['\u2019]s|this|that|these|those|they|them|he|she|same|otherwise)\b", re.IGNORECASE
)


def without_redacted(rule: str) -> str:
    """Leave out the clauses of a rule in which something was redacted; nothing where no rule remains.

    >>> without_redacted("Always use pnpm, and log in with [REDACTED:password] for staging.")
    'Always use pnpm.'
    >>> without_redacted("Deploy with the token [REDACTED:secret].")
    ''
    """
    if MARK not in rule:
        return rule
    kept: list[str] = []
    is_lost = False
    for sentence in _SENTENCE_END.split(_IN_PARENTHESES.sub("", _EXAMPLE.sub("", rule))):
        remains = "" if is_lost and _POINTS_BACK.match(sentence) else _without_clauses(sentence)
        is_lost = not remains
        kept += [remains] if remains else []
    return " ".join(kept)


def _without_clauses(sentence: str) -> str:
    if MARK not in sentence:
        return sentence
    cuts = [0, *(cut.start() for cut in _BETWEEN_CLAUSES.finditer(sentence)), len(sentence)]
    clauses = [sentence[begin:end] for begin, end in itertools.pairwise(cuts)]
    if MARK in clauses[0]:
        return ""  # what is left speaks of what was taken out
    kept = [clause for clause in clauses if MARK not in clause]
    if len(kept) == 1 and _LEANS.match(kept[0].strip()):
        return ""
    whole = "".join(kept).rstrip(" ,;:\u2014\u2013-")
    last = sentence.rstrip()[-1:]
    return whole + last if last in ".!?;" and whole[-1:] not in ".!?;" else whole
