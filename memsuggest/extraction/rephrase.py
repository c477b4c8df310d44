"""Rephrasing: from how people talk to how rules read. "we don't want X" is "Avoid X", "I told you to Y" is "Y".

Owns tables of English turns of speech; a sentence in another language only loses its small words. Nothing is added but
the words of command themselves.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

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
    r"|last |other )?(?:thing|change|rule|note|point)|change of plans?|(?:a )?(?:quick|small) (?:update|change"
    r"|note|reminder)|absolutely|exactly|certainly|of course|definitely|mostly|indeed|well yes|if so|if so"
    r"|first(?:ly)?(?: of all)?(?=,)|second(?:ly)?(?=,)|third(?:ly)?(?=,)|additionally|furthermore|moreover"
    r"|finally|lastly|again|plus|hence|therefore|lol|wait|sorry|just|in addition"
    r"|i mean|you know|to be clear|fyi|as i said|like i said|as i mentioned|i repeat|once again|look|listen"
    r"|generally speaking"
    r"|i (?:already |just |clearly |explicitly )*(?:told|asked|said) (?:you )?(?:before |already )?(?:that "
    r"|to |this:? )?"
    r"|(?:please )?(?:note|remember|keep in mind|bear in mind|be aware|don't forget)(?: that|:|,)"
    r"|i (?:think|guess|believe|feel like)(?: that)?(?= (?:we|you|it|the|all|every|each|our|it's)\b)"
    r"|bitte|und|aber|ja|dann|noch was|por favor|y|pero|además|e|além disso|também|mas|sim|sí|oui|et|mais"
    r"|s'il (?:te|vous) plaît)(?![\w'-]))[\s,.:!;\u2026-]*)+",
    re.IGNORECASE,
)
_TAIL = re.compile(
    r"[\s,]+(?:please|pls|plz|thanks|thank you|thx|ok\??|okay\??|right\??|alright\??|yeah\??|though|tho|then"
    r"|lol|haha|too|again|btw"
    r"|keep that in mind|keep in mind|remember that|got it\??|bitte|danke|por favor|gracias|merci|obrigad[oa]"
    r"|s'il (?:te|vous) plaît|hey|huh"
    r"|please and thank you|if possible)[\s!.]*$",
    re.IGNORECASE,
)
_EDGE = " \t,;:-\u2013\u2014\u2026\U0001f600\U0001f602\U0001f605\U0001f609\U0001f642\U0001f64f\U0001f389"

_ADV = (
    r"(?:(?:also|really|always|usually|generally|normally|only|just|actually|definitely|now|then|still|simply"
    r"|please|currently) )*"
)
_TURNS: tuple[tuple[str, str], ...] = (
    (r"^(?:can|could|would|will) (?:you|we) (?:please |also |just |maybe )*(?=[a-z])", ""),
    (rf"^(?:i|we)(?:'d| would) (?:{_ADV})?(?:like|prefer|love|want)(?: (?:you|it if you))? to ", ""),
    (rf"^(?:i|we) {_ADV}(?:want|need|expect|ask|would ask|'d ask)(?: you)? to ", ""),
    (rf"^(?:i|we) {_ADV}(?:don't|do not|dont) (?:ever |really )?(?:want|like|need)(?: you)? to ", "Do not "),
    (
        (
            rf"^(?:i|we) {_ADV}(?:don't|do not|dont) (?:ever |really )?(?:want|like) (?:any |to see (?:any )?)?(?!it"
            rf"|this|that|them)"
        ),
        "Avoid ",
    ),
    (rf"^(?:i|we) {_ADV}(?:don't|do not|dont) (?=(?:{{verbs}})\b)", "Do not "),
    (rf"^(?:i|we) {_ADV}(?:hate|dislike|can't stand|cannot stand) (?!it|this|that)", "Avoid "),
    (rf"^(?:i|we)(?:'d| would)? {_ADV}(?:prefer|rather have|favou?r) ", "Prefer "),
    (r"^(?:i|we)(?:'d| would) rather (?:you )?", "Prefer to "),
    (r"^(?:i|we) (?:really |do )?(?:like|love) (?=\w+s\b|short|small|simple|explicit)", "Prefer "),
    (
        (
            r"^(?:i|we) (?:really |only )?want (?=[\w-]+ (?:[\w-]+ )?(?:tests?|code|files?|names?|answers?|comments?"
            r"|errors?|commits?)\b)"
        ),
        "Use ",
    ),
    (
        (
            r"^(?:i|we|you) (?:must not|mustn't|should not|shouldn't|may not|cannot|can't|can not|are not allowed to"
            r"|aren't allowed to) "
        ),
        "Do not ",
    ),
    (
        (
            r"^(?:i|we|you)(?:'ll| will)? (?:also |always )?(?:must|should|need to|have to|ought to|has to|gotta) "
            r"(?:always |also |please |really )*"
        ),
        "",
    ),
    (r"^(?:we|you) (?:are|'re) (?:only )?allowed to ", "Only "),
    (
        (
            r"^we (?:(?:also|generally|usually|normally|all|now|currently|just) )*(?P<adverb>(?:always |only "
            r")?)(?={verbs}\b)(?!have\b|need\b|expect\b|support\b|own\b|target\b|get\b)"
        ),
        "{adverb}",
    ),
    (r"^(?:that )?we(?:'re| are) (?:always |only )?(?P<gerund>\w+ing)\b", "{base}"),
    (r"^we never (?=\w)", "Never "),
    (
        (
            r"^(?:i'd|i would|we'd|it'd|it would) (?:really |also |be )?(?:appreciate|love|like|grateful|great"
            r"|good|nice"
            r"|helpful)(?: it)? if (?:you|we) (?:could |would |can )?(?:please )?"
        ),
        "",
    ),
    (
        (
            r"^(?:let's|lets|let us) (?:please |also |just |try to )*(?:make sure (?:that )?(?:we're |we are "
            r")?(?=using ))?"
        ),
        "",
    ),
    (
        (
            r"^(?:please )?(?:make|be) (?:absolutely |very )?(?:sure|certain|careful)(?: to| you| that you| we| that "
            r"we) (?=(?:{verbs})\b)"
        ),
        "",
    ),
    (
        (
            r"^(?:please )?(?:always |also )?(?:remember|don't forget|do not forget|try|take care|be sure|go ahead and"
            r"|start|feel free) to "
        ),
        "",
    ),
    (r"^(?:you|i) (?:are|'re|am|'m) (?:supposed|expected|required) to ", ""),
    (r"^(?:there should be|there must be|i want to see|there can be) no (?:more )?", "No "),
    (
        (
            r"^(?:the rule is|rule|our rule is|as a rule|my rule is|in general|generally|convention|our convention "
            r"is)(?: that| to)?[,:]? "
        ),
        "",
    ),
    (
        (
            r"^(?:it'?s|it is) (?:very |really |super |also )?(?:important|critical|crucial|essential|vital|mandatory"
            r"|necessary)(?: that| to| for us to| that we| that you) "
        ),
        "",
    ),
    (r"^(?:it would be|it'd be|would be) (?:nice|good|great|better) (?:if you could|if we could|if you|if we|to) ", ""),
    (
        (
            r"^(?:from (?:now|today) on(?:wards)?|from today|as of (?:now|today)|going forward|from here "
            r"on(?: out)?|moving forward|henceforth|next time|in (?:the "
            r")?future|starting (?:now|today))[,:]? (?:please )?(?:always )?"
        ),
        "",
    ),
    (r"^(?:ab (?:jetzt|sofort)|in zukunft|künftig|von nun an)[,:]? (?:bitte )?", ""),
    (r"^(?:désormais|dorénavant|à partir de maintenant)[,:]? ", ""),
    (r"^(?:a partir de (?:agora|ahora)|de ahora en adelante|de agora em diante)[,:]? ", ""),
    (r"^(?:don't|dont|do not) (?:ever )?", "Do not "),
    (r"^(?:never ever|never) ", "Never "),
    (r"^stop (?P<gerund>\w+ing)\b", "Do not {base}"),
    (r"^no need to ", "Do not "),
    (
        (
            r"^(?:switch|change|move|rename) (?P<what>(?:the |our |your |all )?[^,]{3,60}?) from "
            r"(?P<old>\S{1,40}) to (?P<new>\S{1,40}?)(?=[.!,]|$)"
        ),
        "Use {new} instead of {old} for {what}",
    ),
    (r"^replace (?P<old>\S{1,40}) (?:with|by) (?P<new>\S{1,40}?)(?=[.!,]|$)", "Use {new} instead of {old}"),
)
_INSIDE: tuple[tuple[str, str], ...] = (
    (r"(?<=[\w,] )(?:i|we)(?:'d| would)? (?:also |really )?(?:want|need|like|expect|ask) (?:you|us) to ", ""),
    (
        (
            r"\bunless i (?:explicitly |specifically )?(?:ask|tell|say|request)(?: you| so| for (?:it|that|them))*(?: "
            r"to)?"
        ),
        "unless asked",
    ),
    (
        (
            r"\b(?:only )?when i (?:explicitly |specifically )?(?:ask|tell)(?: you| for (?:it|that|them))*(?: "
            r"to)?\b(?!\W+\w+\W+question)"
        ),
        "only when asked",
    ),
    (r"\b(?:ask|tell|show|warn|remind|notify|inform) me\b", "{verb} the user"),
    (r"\bwithout (?:asking|telling) me\b", "without asking"),
    (r"\bi (?:don't|dont|do not)\b", "the user does not"),
    (r"\bi (?:didn't|didnt|did not)\b", "the user did not"),
    (r"\bi (?:can't|cannot|can not)\b", "the user cannot"),
    (r"\bi (?:haven't|have not)\b", "the user has not"),
    (r"\b(?:i'm|i am)\b", "the user is"),
    (r"\bmyself\b", "themselves"),
    (r"\bonly (?P<order>\w+ (?:\w+ )?)only when\b", "{order}only when"),
    (r"\bi(?:'d| would)\b", "the user would"),
    (r"\bi(?:'ve| have)\b", "the user has"),
    (
        (
            r"\bi (?P<adverb>(?:(?:really|always|never|also|just|only|usually|often|still|actually|strongly|personally"
            r"|generally) )*)(?P<verb>(?!am\b|was\b|did\b|could\b|can\b|will\b|should\b|might\b|must\b"
            r"|\w+ed\b)[a-z]+)\b"
        ),
        "the user {adverb}{third}",
    ),
    (r"\bi\b", "the user"),
    (r"\b(?:my)\b", "the user's"),
    (r"\bme\b", "the user"),
)
_SPELLING: tuple[tuple[str, str], ...] = (
    (r"dont", "don't"),
    (r"doesnt", "doesn't"),
    (r"isnt", "isn't"),
    (r"arent", "aren't"),
    (r"shouldnt", "shouldn't"),
    (r"cant", "can't"),
    (r"wont", "won't"),
    (r"thats", "that's"),
    (r"bc", "because"),
    (r"u", "you"),
    (r"pls|plz", "please"),
)
_VERBS = "|".join(sorted(VERBS, key=len, reverse=True))


def _compiled(table: tuple[tuple[str, str], ...]) -> list[tuple[re.Pattern[str], str]]:
    return [(re.compile(pattern.replace("{verbs}", _VERBS), re.IGNORECASE), text) for pattern, text in table]


_TURN_PATTERNS, _INSIDE_PATTERNS = map(_compiled, (_TURNS, _INSIDE))
_SPELLING_PATTERNS = [
    (re.compile(rf"(?<![\w@/.'-])(?:{word})(?![\w/'-])", re.IGNORECASE), text) for word, text in _SPELLING
]
_RECORDED = re.compile(
    r"^(?!(?:(?:please|also|and|just) )*(?:make sure|ensure|be sure)\b(?!.{0,40}\b(?:rules?|docs?"
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
    line = text.strip(_EDGE)
    for _ in range(4):
        shorter = _OPENING.sub("", _TAIL.sub("", line)).strip(_EDGE)
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
