"""Pronouns: what "it" and "them" stand for, where the sentence before leaves no doubt.

"When you write handlers, … Start them with `on_`" is about handlers. Where there is doubt, nothing is replaced.
"""

from __future__ import annotations

import re

from memsuggest.extraction.language.grammar import is_plural
from memsuggest.extraction.language.trade import has_trade_word
from memsuggest.text.verbs import VERBS

_POINTS = re.compile(r"\b(?:it|its|them|they|their|these|those|this|that)\b(?!')", re.IGNORECASE)
_LEADS = re.compile(
    (
        r"^(?:it|they|these|those|this|that|he|she|here|there"
        r"(?!(?:'s| (?:is|are|was|were|must|should|can|will|may|has)(?:n't)?) ))(?:'s|'re)?\b(?! (?:want|wanted"
        r"|insist|asked|decided"
        r"|agreed|told|expect|repo|project|codebase|package"
        r"|library|app|service|team|crate|gem|module|monorepo|machine|box|shell|cluster|server|host|laptop"
        r"|environment|firmware|game|plugin|site|shop|pipeline|database|db|cli|api|tool|bot|company|account"
        r"|machine|branch|year|month|week|sprint)(?:'s)?\b)"
    ),
    re.IGNORECASE,
)
_OBJECT = re.compile(
    r"^(?:(?:please|always|never|do not|don't|also|only|just) ){0,3}(?P<verb>[a-z]+)(?: (?:up|off|out|back))? "
    r"(?P<pronoun>(?:them|it)\b(?!['\u2019])|(?:these|those|this|that)(?=$|[,.;:!]| (?:with|in|to|as|on|by|from"
    r"|at|all|into|for"
    r"|before|after|next|always"
    r"|only|first|instead|and|under|unless|when|if|up|out|again|too|short|small|simple|lowercase|uppercase"
    r"|everywhere|like"
    r"|using|through|without|per|inside|next|below|above|over|within|between|near|sorted|separate|consistent"
    r"|clean|whenever|while|because|once|anywhere|elsewhere)\b))",
    re.IGNORECASE,
)
"""An order with the pronoun right behind it."""
_SUBJECT = re.compile(
    (
        r"^(?P<pronoun>they|these|those|it)(?= (?:should|must|need|needs|have|has|are|is|go|goes|live|lives|start|end"
        r"|always|never|can|cannot|can't)\b)"
    ),
    re.IGNORECASE,
)
_SINGULAR = re.compile(
    (
        r"\b(?P<article>the|an?|your|our|my|any|every|each|new)\s+(?P<noun>(?:[\w`./-]+\s)?[\w`./-]+)(?=[,.;:!?]"
        r"|\s|$)"
    ),
    re.IGNORECASE,
)
_WORD = re.compile(r"[\w`./'-]+")
_THAT_ONE = re.compile(
    r"(?:(?<=\b(?:in|to|of|on|by) )|(?<=\b(?:use|for) )|(?<=\b(?:with|from|into|keep) )|(?<=\b(?:using|under) )"
    r"|(?<=\bfollow )|(?<=\balways use ))that (?!(?:the|an?|our|your|my|all|every|each|no|any|is|are|we|you|i|it"
    r"|they) )(?=(?:[\w-]+ ){1,2}"
    r"(?:format|way|approach|style|pattern|method|syntax|order|structure|dir|directory|folder|file|rule|command"
    r"|script|section"
    r"|helper|module|convention|layout|scheme|flow|tool)s?\b)",
    re.IGNORECASE,
)
"""A thing that is pointed at and named: "use that old format"."""
_TIMES = frozenset(
    [
        "times",
        "days",
        "ways",
        "things",
        "cases",
        "questions",
        "minutes",
        "hours",
        "weeks",
        "months",
        "years",
        "others",
        "kids",
        "friends",
        "people",
        "ones",
        "evenings",
        "thanks",
        "always",
    ]
)
_OF_ONE = frozenset({"an", "a", "each", "every", "my", "your", "our", "any", "new"})


_IS_NOW = re.compile(r"(?:it's|it is|that's|that is|it'll be|it will be) (?=['\"`\u2018\u201c])", re.IGNORECASE)
_AFFIX_OF = re.compile(
    r"\b(?:prefix|suffix|ending|beginning|start|name|decorator)(?:es|s)? (?:for|of|on) (?:the |our "
    r"|your |all )?[\w-]+(?: names?)?",
    re.IGNORECASE,
)
"""What "it" is when only a value is said: "the prefix for functions? It's 'go_' now"."""
_VAGUE = ("do ", "try ", "make ", "like ", "please do ", "just do ")  # verbs whose "it" is whatever was talked of


_IS_THE_PROJECT = re.compile(
    r"^it(?:'|\u2019)s (?=an? (?:[\w.-]+ ){0,2}(?:monorepo|workspace|repo|library|package|crate|plugin|cli)\b"
    r"(?=$|[,.;:!]| (?:so|and|with|not)\b))",
    re.IGNORECASE,
)
"""What is said of the work as a whole: "it's a pnpm workspace"."""


def points_elsewhere(text: str) -> bool:
    """Whether a rule starts with, or orders something about, a word that only an earlier sentence explains."""
    return bool(_LEADS.match(text) or _object(text)) and not _IS_THE_PROJECT.match(text)


def _object(text: str) -> re.Match[str] | None:
    """The pronoun behind the verb of an order: "keep it", no "hooks that"."""
    found = _OBJECT.match(text)
    return found if found and found["verb"].lower() in VERBS else None


def without_pointing(text: str) -> str:
    """Name the thing that a sentence points at and names: "in that rules dir" is "in the rules dir".

    >>> without_pointing("it's a pnpm workspace")
    'This is a pnpm workspace'
    """
    return _THAT_ONE.sub("the ", _IS_THE_PROJECT.sub("This is ", text))


def resolved(text: str, before: str, *, plural_only: bool = False) -> str:
    """Put what the sentence before named in place of the pronoun; "" where that is not plain.

    >>> resolved("start them with x_", "When you define functions, be consistent.")
    'start functions with x_'
    """
    if is_now := _IS_NOW.match(text):
        named = [found[0].lower() for found in _AFFIX_OF.finditer(before)]
        return f"The {named[-1]} is {text[is_now.end() :]}" if named else ""
    found = _object(text) or _SUBJECT.match(text)
    if not found:
        return ""
    plural = found["pronoun"].lower() in ("them", "they", "these", "those")
    if not plural and (plural_only or text.lower().startswith(_VAGUE)):
        return ""
    noun = _last_noun(before, plural=plural)
    if not noun:
        return ""
    start, end = found.span("pronoun")
    return text[:start] + noun + text[end:]


def _last_noun(before: str, *, plural: bool) -> str:
    """The last noun phrase of a sentence that has the number of the pronoun; words of the trade first."""
    return _last_plural(before) if plural else _last_singular(before)


_UNWANTED = re.compile(r"(?:(?:and|so|but|please|also)[ ,]+)*no [\w-]+s\b", re.IGNORECASE)
"""What is ruled out comes first: "no emojis in commits, I hate those"."""


def _last_plural(before: str) -> str:
    words = [word.strip(".`'") for word in _WORD.findall(before)]
    places = [at for at, word in enumerate(words) if is_plural(word.lower()) and word.lower() not in _TIMES]
    if places and _UNWANTED.match(before):
        return str(words[places[0]]).lower()
    for at in reversed([place for place in places if has_trade_word(words[place])]):
        modifier = words[at - 1].lower() if at else ""
        is_noun = modifier == "test" or (modifier not in VERBS and not is_plural(modifier) and has_trade_word(modifier))
        return f"{modifier} {words[at].lower()}" if is_noun else words[at].lower()
    return ""


def _last_singular(before: str) -> str:
    """The last thing of the trade; one of a kind ("every variable") goes before one that is merely mentioned."""
    found = [(one["article"].lower(), _head(one["noun"])) for one in _SINGULAR.finditer(before)]
    named = [(article, noun) for article, noun in found if noun]
    for article, noun in [one for one in named if one[0] in ("each", "every", "any")] or list(reversed(named)):
        return f"{'the' if article in _OF_ONE else article} {noun}"
    return ""


_NAMES_ON = re.compile(
    r"(?!(?:in|is|was|are|for|of|to|on|at|by|from|with|must|should|shall|can|could|will|would|may|might|has|had"
    r"|have|does|do|did"
    r"|that|which|who|and|or|but|not|we|you|i|it|they|there|here|as|so|if|when|than|then|only|also|always|never"
    r"|too|now|again"
    r"|before|after|into|over|under|per|without|because|since|until|gets|needs|called|named|goes|lives|up|out|off"
    r"|back)\b)"
    r"[\w./-]+",
    re.IGNORECASE,
)
"""A second word of a name: "style guide", no "schema in"."""


def _head(phrase: str) -> str:
    """The noun of a phrase, if it is one thing of the trade."""
    words = [word.strip(".`") for word in phrase.split()]
    if len(words) > 1 and _NAMES_ON.fullmatch(words[1]) and not is_plural(words[1].lower()):
        return " ".join(words) if has_trade_word(words[0]) or has_trade_word(words[1]) else ""
    return words[0] if has_trade_word(words[0]) and not is_plural(words[0].lower()) else ""
