"""Words of a chat as a rule that a maintainer would write down: without what was said around it. Pure.

Only takes words away at both ends, and never so many that little is left; the fact keeps its own wording.
"""

from __future__ import annotations

import re

_ADDRESS = (
    r"(?:no|nope|nah)(?:[,!.…]+|(?=\s+no\b))|no\s+no\b[,!.]*"
    r"|(?:yes|yeah|yep|ok|okay|hey|hi|hmm+|well|oh|ah|ugh|argh|listen|look|again|sorry|wait|actually|alright)\s*[,!.:…-]+"
    r"|(?:also|btw|please|pls|plz|kindly)\b[,:]?|(?:so|and|but)\s*,|just(?=\s+[a-z]+\s+)"
    r"|(?:as|like)\s+i\s+(?:said|told\s+you)[^,:.]{0,20}[,:.]+|i\s+(?:said|told\s+you)(?:\s+(?:already|before|that))?[,:]*"
    r"|you\s+(?:keep\s+forgetting|forgot(?:\s+again)?|always\s+forget)(?:\s+that)?[,:]*"
    r"|(?:remember|reminder|note|fyi|nb)\s*[:,]|(?:remember|note)\s+that\b"
    r"|(?:from\s+now\s+on|going\s+forward|in\s+(?:the\s+)?future|for\s+the\s+future)[,:]?"
    r"|i\s+(?:want|need|would\s+like|expect)\s+you\s+to\b|i'd\s+like\s+you\s+to\b"
    r"|(?:can|could|would|will)\s+you\b(?=[^?]*$)|you\s+(?:should|must|need\s+to|have\s+to)\b(?!\s+(?:be|not)\b)"
    r"|we\s+should\b(?!\s+(?:be|not)\b)|let'?s\b(?!\s+not\b)"
    r"|bitte\b[,:]?|ab\s+jetzt\b[,:]?|s'il\s+te\s+pla[iî]t[,:]?|por\s+favor[,:]?|à\s+partir\s+de\s+maintenant[,:]?"
)
_BEFORE = re.compile(rf"(?:{_ADDRESS})\s+(?=\S)", re.IGNORECASE)
"""What is said to somebody before a rule."""
_AFTER = re.compile(
    r"(?:\s*[,;.!–—-]+\s*(?:ok(?:ay)?|alright|got\s+it|right|lol|ffs)"
    r"|[\s,;.!–—-]+(?:thanks|thank\s+you|thx|please|pls|plz|btw|danke|merci|gracias|obrigad[oa]))\s*[.!?]*$",
    re.IGNORECASE,
)
_HERE = re.compile(
    r"\s*,?\s+(?:in|for)\s+(?:this|our)\s+(?:repo(?:sitory)?|project|codebase|code\s+base)(?P<end>[.!]*)$",
    re.IGNORECASE,
)
"""Said in a file of the repo, it says nothing."""
_SHOUTED = re.compile(r"!{1,5}$")
_END = 60
"""Characters in which a rule ends."""
_LEFT = 2
"""Words that must be left of a rule."""
_TIMES = 6


_REDACTED = re.compile(r"\[REDACTED(?::[\w-]{1,40})?\]")
_CLAUSE = re.compile(
    r"(?P<end>[.;!?](?=\s|$)|,(?=\s)|\s[\u2013\u2014-](?=\s)|\s(?=(?:with|using|and|but|because|via|e\.g\.|mit|und)\s))"
)


def without_redacted(rule: str) -> str:
    """Return a rule without the clauses from which something secret was taken out; empty where nothing is left.

    >>> without_redacted("Deploy with the script, the token is [REDACTED:secret].")
    'Deploy with the script.'
    """
    if _REDACTED.search(rule) is None:
        return rule
    parts = _CLAUSE.split(rule)
    clauses = list(zip(parts[::2], [*parts[1::2], ""], strict=True))
    kept = "".join(f"{text}{end}" for text, end in clauses if _REDACTED.search(text) is None)
    kept = kept.strip().rstrip(",;").rstrip()
    end = "." if rule.rstrip().endswith(".") and not kept.endswith((".", "!", "?")) else ""
    return f"{kept}{end}" if _is_enough(kept) else ""


def as_rule(content: str) -> str:
    """Return the rule without address, courtesy and emphasis around it.

    >>> as_rule("no no, please always use pnpm in this repo, ok?")
    'always use pnpm'
    """
    rule = content.strip()
    for _ in range(_TIMES):
        begun = _BEFORE.match(rule)
        if begun is None or not _is_enough(rule[begun.end() :]):
            break
        rule = rule[begun.end() :]
    for _ in range(_TIMES):
        shorter = _without_end(rule, _AFTER)
        if shorter == rule or not _is_enough(shorter):
            break
        rule = shorter.rstrip()
    here = _without_end(rule, _HERE, r"\g<end>")
    rule = here if _is_enough(here) else rule
    return _without_end(rule, _SHOUTED) or content


def _without_end(rule: str, form: re.Pattern[str], kept: str = "") -> str:
    """Return a rule without what a form takes from its end; only there is it looked for."""
    return rule[:-_END] + form.sub(kept, rule[-_END:], count=1)


def _is_enough(rule: str) -> bool:
    return len(rule.split()) >= _LEFT
