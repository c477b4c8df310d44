"""The same rule in other wordings: without what leads it in, its scope at the end, spelled as a line spells it. Pure.

Only for comparing. A wording may say less well what was said, never more: nothing that narrows a rule is taken away.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from memsuggest.memory.meaning_words import EMPTY, NEGATORS
from memsuggest.memory.rule_meaning import read_wording
from memsuggest.memory.stem_groups import stem_of
from memsuggest.suggestions.existing.clauses import clauses, put_otherwise
from memsuggest.text.german import in_english, is_german
from memsuggest.text.verbs import VERBS
from memsuggest.text.words import word_set

if TYPE_CHECKING:
    from collections.abc import Iterator

_LEAD_IN = re.compile(
    r"""
    (?: (?:please|just|also|and|so|but|again|always|remember|note|generally|basically) \b [,:]?
      | (?:be|make|making) \s sure \s (?:that \s | to \s)? (?:(?:you|we) \s)?
      | ensure \s that \s (?:(?:you|we) \s)?
      | (?:keep|bear) \s in \s mind \s that \b
      | (?:remember|note|understand) \s that \b
      | it (?:\sis|'s) \s (?:very \s|really \s)? (?:important|essential|crucial|necessary|required) \s that \b
      | be \s so \s (?:kind|good|nice) \s (?:and|as \s to) \b
      | from \s now \s on [,:]?
      | only \s+ (?=(?:ever \s)?use\b)
      | (?:you|we|one|they) \s (?:should|must|need \s to|have \s to|ought \s to) \b (?!\s+(?:be|not)\b)
      | (?:you|we|one) \s+ (?=(?:always|never|only|do\snot|don't|use|write|keep|prefer|run|name|put|store)\b)
      | i (?:'d|\swould) \s (?:like|prefer|love) \s (?:you \s to|it \s if \s (?:you|we))
    ) \s*
    """,
    re.IGNORECASE | re.VERBOSE,
)
"""What leads a rule in and says nothing of it."""
_DISLIKE = re.compile(
    r"(?:i|we)\s+(?:really\s+|just\s+)?(?:do\s+not|don't|never)\s+(?:ever\s+)?want\s+(?:you\s+)?(?:to\s+)?"
    r"(?:(?:see|have|find)\s+)?(?:any\s+)?",
    re.IGNORECASE,
)
"""How somebody says "never" of what they see: "I don't want to see any …"."""
_SCOPE_FIRST = re.compile(
    r"(?P<scope>(?:when(?:ever)?|if|for|in|on|before|after|with|during|from|to|inside|within)\s[^,;:.]{2,100}),\s+"
    r"(?P<rest>.{3,400})",
    re.IGNORECASE,
)
_PASSIVE_FIRST = re.compile(
    r"(?P<order>before|after|when)\s+(?:an?|the|every|each)\s+(?:[\w-]+\s+){1,3}?(?:is|are|gets?)\s+"
    r"(?P<deed>\w+ed),?\s+(?P<rest>.{3,400})",
    re.IGNORECASE,
)
"""A scope before what it is about: "before a branch is merged its commits are squashed"."""
_PREFERENCE = re.compile(
    r"\b(?P<verb>prefer(?:s|red)?|favou?rs?)\s+(?P<one>[^,;:.]{2,60}?)\s+to\s+(?P<other>(?:the\s+|an?\s+)?[\w`-]+)",
    re.IGNORECASE,
)
_USE_FOR = re.compile(
    r"(?:(?:always|only)\s+)?(?:use|using)\s+(?P<thing>[^,;:.]{2,60}|`[^`\n]{1,60}`)\s+(?:for|to)\s+(?P<purpose>[^,;:]{3,100})",
    re.IGNORECASE,
)
"""A tool and what it is for, which may stand the other way round: "migrations are made with Alembic"."""
_WORD = re.compile(r"[^\W\d_]+(?:['-][^\W\d_]+)*")
_FUNCTION_WORDS = sorted(
    word_set(
        "always never instead should please without before after because through whenever between rather must "
        "only except every already"
    ),
)
_SHORTEST_TYPO = 5  # letters of a word in which one missing letter is a slip
_SHORTEST_FUNCTION_WORD = 6
_WORDINGS = 8
_CODE = re.compile(r"`([^`\n]{1,60})`")
_IN_CODE = re.compile(r"(`[^`\n]*`)")
_SHORTEST_CODE = 3  # characters


@lru_cache(maxsize=2048)
def wordings_of(rule: str) -> tuple[str, ...]:
    """Return a rule as it is and in other wordings that say the same."""
    found = dict.fromkeys((rule,))
    for one in _rewordings(rule):
        found.setdefault(one)
        if len(found) >= _WORDINGS:
            break
    return tuple(found)


def _rewordings(rule: str) -> Iterator[str]:
    plain = without_lead_in(rule)
    glosses = [without_lead_in(in_english(plain))] if is_german(plain) else []
    for start in (plain, *glosses, *map(_verb_first, glosses)):
        yield start
        yield from scope_last(start)[:1]
        if (preferred := with_over(start)) != start:
            yield preferred
        if use := _USE_FOR.fullmatch(start):
            yield f"{use['purpose']} with {use['thing']}"
        if turned := put_otherwise(start):
            yield turned


def _verb_first(gloss: str) -> str:
    """Return a German rule in English words with its verb where English has it: "never names, dates log"."""
    *words, last = gloss.rstrip(".! ").split(" ")
    if last.lower() not in VERBS:
        return gloss
    lead = 1 if words[:1] and words[0].lower() in {"always", "never"} else 0
    return " ".join([*words[:lead], last, *words[lead:]])


def without_lead_in(rule: str) -> str:
    """Return a rule without what leads it in, wherever it leads in: before the rule, or behind its scope.

    >>> without_lead_in("Please make sure that you always run the linter")
    'run the linter'
    >>> without_lead_in("When you write a migration, keep in mind that migrations are reversible")
    'migrations are reversible'
    """
    scope = _SCOPE_FIRST.fullmatch(rule)
    if scope is None:
        return _stripped(rule)
    rest = _stripped(scope["rest"])
    heavy = read_wording(scope["scope"]).heavy
    return rest if heavy <= read_wording(rest).heavy else f"{scope['scope']}, {rest}"


def _stripped(rule: str) -> str:
    for _ in range(4):
        found = _LEAD_IN.match(rule)
        if found is None or len(rule[found.end() :].split()) < 2:
            break
        rule = rule[found.end() :]
    return _DISLIKE.sub("never ", rule, count=1) if _DISLIKE.match(rule) else rule


def scope_last(rule: str) -> tuple[str, ...]:
    """Return a rule with the scope that it begins with at its end: whole, and up to where it goes on.

    >>> scope_last("For logging, don't use print")
    ("don't use print for logging",)
    """
    if found := _SCOPE_FIRST.fullmatch(rule):
        scope = f"{found['scope'][:1].lower()}{found['scope'][1:]}"
    elif found := _PASSIVE_FIRST.fullmatch(rule):
        scope = f"{found['order'].lower()} {found['deed']}"
    else:
        return ()
    rest = found["rest"].rstrip(".! ")
    return tuple(dict.fromkeys(f"{part} {scope}" for part in (rest, *beginnings(rest))))


def with_over(rule: str) -> str:
    """Return a rule that prefers one thing to another with "over" between them; "to" may begin a purpose as well."""
    found = _PREFERENCE.search(rule)
    if found is None or found["other"].split()[-1].lower() in VERBS or found["one"].lower().startswith("to "):
        return rule
    return f"{rule[: found.end('one')]} over {rule[found.start('other') :]}"


def without_brackets(text: str) -> str:
    """Return a line without what stands in brackets, where that is a remark and takes nothing back."""
    return _BRACKETS.sub(lambda found: found.group() if _LIMITS.search(found["remark"]) else "", text)


_BRACKETS = re.compile(r"\s?\((?P<remark>[^()\n]{2,120})\)")
_LIMITS = re.compile(
    r"\b(?:except|unless|but|only|until|not|never|no|in|on|for|if|when|where|before|after|during|with|without|optional\w*"
    r"|außer|nur|nicht|wenn|bei|für|ohne)\b",
    re.IGNORECASE,
)


def without_others(text: str, rule: str) -> str:
    """Return a line without the things that it names besides those of a rule: "A or B" forbids A.

    What is named together stays together, and a choice is none of its parts.
    """
    if _TOGETHER.search(text):
        return text
    is_negated = read_wording(text).negations > 0
    wanted = set(read_wording(rule).stems) | read_wording(rule).refused
    joined = _JOINED_NO if is_negated else _JOINED
    for found in reversed(list(joined.finditer(text))):
        one, other = (_stem(found[name]) for name in ("one", "other"))
        if one in wanted and other not in wanted:
            text = text[: found.end("one")] + text[found.end("other") :]
        elif other in wanted and one not in wanted:
            text = text[: found.start("one")] + text[found.start("other") :]
    return text


def _stem(word: str) -> str:
    return word.strip("`").casefold() if word.startswith("`") else stem_of(word.casefold().split()[-1])


_THING = r"(?:`[^`\n]{1,60}`|[^\W\d_]{3,40})"
_LAST_THING = (
    rf"(?:the\s+|an?\s+)?(?P<other>(?:{_THING}\s+{_THING}(?=\s+(?:in|for|before|after|when|from|to|on|with)\b|[,;:.]|$))"
    rf"|{_THING})"
)
_JOINED = re.compile(rf"(?P<one>{_THING})\s+(?:and|und)\s+{_LAST_THING}", re.IGNORECASE)
_JOINED_NO = re.compile(rf"(?P<one>{_THING})\s+(?:and|or|und|oder)\s+{_LAST_THING}", re.IGNORECASE)
_TOGETHER = re.compile(
    r"\b(?:together|both|between|mix(?:ed|ing)?|combin\w+|same|zusammen|beide[nrs]?)\b", re.IGNORECASE
)


def beginnings(text: str) -> tuple[str, ...]:
    """Return what a text says before it goes on, where what follows takes nothing of it back."""
    return tuple(part for part in clauses(text) if not _TAKES_BACK.match(text[len(part) :]))


_TAKES_BACK = re.compile(
    r"\W*(?:and\s+|but\s+)?(?:except|unless|but|only|until|save|other\s+than|apart\s+from|außer|aber|nur|es\s+sei)\b",
    re.IGNORECASE,
)


def with_code_of(rule: str, text: str) -> str:
    """Return a rule with what a text writes as code as code: whoever talks types no backticks.

    >>> with_code_of("Use interface for shapes", "Prefer `interface` for object shapes")
    'Use `interface` for shapes'
    """
    if "`" not in text:
        return rule
    spans = {span.removesuffix("()") for span in _CODE.findall(text)}
    for span in sorted(spans, key=len, reverse=True):
        if len(span) >= _SHORTEST_CODE and span.casefold() in rule.casefold():
            form = re.compile(rf"(?<![\w`./@-]){re.escape(span)}(?![\w`/@-]|\.\w)(?:\(\))?", re.IGNORECASE)
            rule = "".join(
                part if place % 2 else form.sub(f"`{span}`", part) for place, part in enumerate(_IN_CODE.split(rule))
            )
    return rule


def spelled_like(rule: str, text: str) -> str:
    """Return a rule with its slips of the pen mended: words that a text has but for a letter, and small words.

    >>> spelled_like("Allways write comit messages", "Commit messages are short")
    'always write commit messages'
    """
    there = {word.casefold() for word in _WORD.findall(text)}
    there |= {word.removesuffix("s") for word in there if len(word) > _SHORTEST_TYPO and not word.endswith("ss")}
    own = {word.casefold() for word in _WORD.findall(rule)}
    wanted = sorted(there - own)

    def mended(found: re.Match[str]) -> str:
        word = found.group().casefold()
        if word in there or word in EMPTY or word in NEGATORS:
            return found.group()
        apart = next((one for one in wanted if "-" in one and one.replace("-", "") == word), None)
        return apart or _meant(word, wanted) or found.group()

    return "".join(part if place % 2 else _WORD.sub(mended, part) for place, part in enumerate(_IN_CODE.split(rule)))


def _meant(word: str, wanted: list[str]) -> str | None:
    if len(word) >= _SHORTEST_FUNCTION_WORD:
        small = next((one for one in _FUNCTION_WORDS if _has_slipped(word, one)), None)
        if small:
            return small
    if len(word) < _SHORTEST_TYPO:
        return None
    return next((one for one in wanted if stem_of(one) != stem_of(word) and _has_slipped(word, one)), None)


def _has_slipped(word: str, other: str) -> bool:
    """Tell whether one letter inside a word is missing, doubled, or has changed places with the next one."""
    if word[:1] != other[:1] or word[-1:] != other[-1:] or abs(len(word) - len(other)) > 1:
        return False
    short, long = sorted((word, other), key=len)
    if len(short) < len(long):
        return any(long[:at] + long[at + 1 :] == short for at in range(1, len(long) - 1))
    differing = [at for at, (one, two) in enumerate(zip(word, other, strict=True)) if one != two]
    is_swapped = len(differing) == 2 and differing[1] == differing[0] + 1
    return is_swapped and word[differing[0]] == other[differing[1]] and word[differing[1]] == other[differing[0]]
