"""Rephrasing: from how people talk to how rules read. "we don't want X" is "Avoid X", "I told you to Y" is "Y".

The tables are in `turns`; a sentence in another language only loses its small words. Nothing is added but
the words of command themselves.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from memsuggest.extraction.turns import INSIDE, SPELLING, TURNS
from memsuggest.extraction.verbforms import base_of, third_person
from memsuggest.extraction.verbs import VERBS
from memsuggest.extraction.words import languages_of, plain

if TYPE_CHECKING:
    from collections.abc import Callable

_NO = (
    r"(?:no|nope|nah|nein|nee|non|não|nao)(?:\s*[,.:;!\u2014]+|\s+-+\s|\s+(?=(?:we|you|i|it|that's|this|please"
    r"|don't|dont"
    r"|do not|use|always|never|just|just the)\b))"
)
_OPENING = re.compile(
    rf"^(?:(?:{_NO}"
    r"|(?:ok(?:ay)?|yes|yeah|yep|yup|sure|right|alright|well|so|and|but|also|then|now|please|pls|plz|hey"
    r"|hi|oh|ah|hm+|uh+m?|great|cool|good|perfect|nice|thanks|thank you|actually|btw|by the way|one (?:more "
    r"|last |other )?(?:thing|change|rule|note|point)(?=\s*[,.:;!\u2014-])|change of plans?|(?:a )?(?:quick"
    r"|small) (?:update|change"
    r"|note|reminder)|absolutely|exactly|certainly|of course|definitely|mostly|indeed|well yes|if so"
    r"|first(?:ly)?(?: of all)?(?=,)|second(?:ly)?(?=,)|third(?:ly)?(?=,)|additionally|furthermore|moreover"
    r"|anyway|anyhow|besides(?=,)|meanwhile(?=,)|on top of that|while (?:we|you|i)(?:'re|'m| are| am) at it"
    r"|number \w+(?=[:,])|for (?:one|another|starters|a start)(?=,)|(?:one|two|three|four|next)(?=,)|here goes"
    r"|(?:one )?(?:last|final|other|small|quick) thing(?=,)|before i forget|i (?:nearly|almost) forgot|and then(?=,)"
    r"|finally|lastly|again|plus|hence|therefore|lol|wait(?=\s*(?:[,.:;!\u2026-]|no\b|actually\b))|sorry|just"
    r"|in addition"
    r"|i mean|you know|to be clear|fyi|as i said|like i said|as i mentioned|i repeat|once again|look(?=[,:])"
    r"|listen(?=[,:])|(?:just )?do it(?: yourself)?(?=[,.;:-])|generally speaking"
    r"|i (?:(?:already|just|clearly|explicitly|'ve) ){0,2}(?:told|asked|said)(?: you)?(?: before| "
    r"already)?(?: that| to| this:?)?"
    r"|(?:please )?(?:note|remember|keep in mind|bear in mind|be aware|don't forget)(?: that|:|,)"
    r"|i (?:think|guess|believe|feel like)(?: that)?(?= (?:we|you|it|the|all|every|each|our|it's)\b)"
    r"|bitte|und|aber|ja|dann|noch was|por favor|y|pero|además|e|além disso|também|mas|sim|sí|oui|et|mais"
    r"|s'il (?:te|vous) plaît)(?![\w'-]))[\s,.:!;\u2026-]*)+",
    re.IGNORECASE,
)
_TAIL = re.compile(
    r"[\s,]+(?:(?:could|would|will|can) you\??|please|pls|plz|thanks|thank you|thx|ok\??|okay\??"
    r"|right\??|alright\??|yeah\??|though|tho|then"
    r"|lol|haha|too|again|btw"
    r"|keep that in mind|keep in mind|remember that|got it\??|bitte|danke|por favor|gracias|merci|obrigad[oa]"
    r"|s'il (?:te|vous) plaît|hey|huh"
    r"|please and thank you|if possible)[\s!.]*$",
    re.IGNORECASE,
)
_ANNOUNCED = re.compile(
    r"^(?:[^\s:]+ ){0,9}(?:things?|rules?|points?|notes?|update|changes?|news|wish|outcome|result|answer|request"
    r"|reminder|plan|convention|detail|decision|this|today|us|names|one|way|side|forgot|forget|goes"
    r"|for you):\s+(?=\S+ \S+ \S)"
    r"|^(?:and |so |but )?(?:one|another|the|a|my)(?: [\w-]+)? (?:thing|point|rule|wish|request) (?:(?!don't|not"
    r"|never|hate"
    r"|dislike|can't)[\w']+ ){0,9}?(?:is|was)(?: that| this:| to|:) (?=\S+ \S+ \S)",
    re.IGNORECASE,
)
"""What only says that something is going to be said: "one more thing for today:"."""
_ASIDE = re.compile(
    r",? ?\((?:i know|sorry|i think|btw|as you know)\)"
    r"|, (?:i know(?:, i know)?|you know|to be honest|honestly|frankly|as you know|by the way|btw|if you ask me"
    r"|believe me|trust me|sorry|hooray|haha|lol|theoretically|of course|fwiw|imh?o)(?=[,.!]|$)",
    re.IGNORECASE,
)
"""What is said beside a rule and to nobody's use."""
_EDGE = " \t,;:-\u2013\u2014\u2026\U0001f600\U0001f602\U0001f605\U0001f609\U0001f642\U0001f64f\U0001f389"

_VERBS = "|".join(sorted(VERBS, key=len, reverse=True))


def _compiled(table: tuple[tuple[str, str], ...]) -> list[tuple[re.Pattern[str], str]]:
    return [(re.compile(pattern.replace("{verbs}", _VERBS), re.IGNORECASE), text) for pattern, text in table]


_TURN_PATTERNS, _INSIDE_PATTERNS = map(_compiled, (TURNS, INSIDE))
_SPELLING_PATTERNS = [
    (re.compile(rf"(?<![\w@/.'-])(?:{word})(?![\w/'-])", re.IGNORECASE), text) for word, text in SPELLING
]
_RECORDED = re.compile(
    r"^(?!(?:(?:please|also|and|just|then|let's|lets|we|should|need to|must) )*(?:make sure|ensure|be "
    r"sure)\b(?!.{0,40}\b(?:rules?|docs?"
    r"|instructions?|descriptions?|guides?)\b.{0,20}"
    r"\b(?:mention|say|state|specif|explain)))(?:(?:please|also|then|and|lets|let's|is there a way|can|could"
    r"|we|you|i want you to|go ahead and|be "
    r"sure to|make sure to|make sure|ensure) ){0,6}"
    r"(?:(?:create|add|make|write|update|improve|extend|change|record|document|include|put) (?:[^\s,]+ ){0,6}?)?"
    r"(?:(?:rules?|instructions?|docs?|document|readme|guide(?:line)?s?|\S+\.mdc?|language|sentence|note"
    r"|section|description) (?:(?:in|to|of|for) \S+ |rule )?)?"
    r"(?:that |which |to |and |it )?(?:says?|states?|specif(?:y|ies)|mentions?|explains?|notes?|clarif(?:y"
    r"|ies)|makes? sure|ensures?|requires?|tells? \w+)(?: that| to|:)* (?!how\b|what\b|why\b|where\b)"
    r"(?P<rule>\S+ .{8,})$"
    r"|^(?:please |also )?(?:add|put|record|document|include) (?:a |the |this )?(?:rule|instruction|note"
    r"|convention)s?(?: (?:to|in|into) \S+)?(?: that|:) (?P<other>\S+ .{8,})$",
    re.IGNORECASE,
)
_CODE = re.compile(r"(`[^`]*`|\"[^\"]*\")")


def without_residue(text: str) -> str:
    """Take off what only opens or closes a sentence: "ok so", "please", "thanks"."""
    line = _ASIDE.sub("", text).strip(_EDGE)
    for _ in range(4):
        shorter = _OPENING.sub("", _ANNOUNCED.sub("", _TAIL.sub("", line))).strip(_EDGE)
        if shorter == line:
            break
        line = shorter
    return line


def without_opening(text: str) -> str:
    """Take off what only opens a sentence."""
    return _OPENING.sub("", text)


def as_rule(text: str) -> str:
    """Say as a rule what was said as a wish, a habit of ours, or a reminder."""
    found = _RECORDED.match(text)
    line = (found["rule"] or found["other"]) if found else text
    for _ in range(3):
        before = line
        for pattern, replacement in _TURN_PATTERNS:
            line = _turned(pattern, replacement, line)
        line = without_residue(line)
        if line == before:
            break
    return _outside_code(_spelt, line)


def in_third_person(text: str) -> str:
    """Speak of the person as "the user": "ask me" becomes "ask the user". English only."""
    if text and languages_of(plain(text))[0] != "en":
        return text
    return _outside_code(_of_the_user, text)


def _turned(pattern: re.Pattern[str], replacement: str, line: str) -> str:
    found = pattern.match(line)
    if not found:
        return line
    groups = found.groupdict()
    words = {name: value or "" for name, value in groups.items()}
    return replacement.format(base=base_of(words.get("gerund", "")), **words) + line[found.end() :]


def _spelt(text: str) -> str:
    for pattern, replacement in _SPELLING_PATTERNS:
        text = pattern.sub(replacement, text)
    return text


def _of_the_user(text: str) -> str:
    for pattern, replacement in _INSIDE_PATTERNS:
        text = pattern.sub(_filled(replacement), text)
    return text


def _filled(replacement: str) -> Callable[[re.Match[str]], str]:
    def fill(found: re.Match[str]) -> str:
        groups = found.groupdict()
        verb = groups.get("verb") or found[0].split()[0]
        return replacement.format(
            verb=verb, third=third_person(verb.lower()), order=groups.get("order", ""), adverb=groups.get("adverb", "")
        )

    return fill


def _outside_code(change: Callable[[str], str], text: str) -> str:
    """Change a text but for its code spans and what is quoted in it."""
    return "".join(part if index % 2 else change(part) for index, part in enumerate(_CODE.split(text)))
