"""Grammar: small readings of a plain sentence that several rules share.

Owns what a sentence starts with, whether it orders, asks or tells, and whether it speaks of a kind of thing or of one
thing here and now. Every function takes plain text (see `words.plain`) and is a guess that costs microseconds.
"""

from __future__ import annotations

import re
from functools import lru_cache

from memsuggest.text.verbs import REPAIRS, VERBS
from memsuggest.text.words import word_set

_ADVERBS = word_set(
    "always never just only also please then first now instead simply carefully properly explicitly kindly maybe either"
    " immer nie bitte toujours jamais siempre nunca sempre again still really actually ever even to not"
)
_PARTICLES = word_set("up out in on off down back over away through into from at with for about to by as of me us")
SPECIFIC = word_set(
    "the this that these those it them its their my your our his her him me us here there all's"
    " der die das den dem diese dieser dieses le la les ce cette ces el los las esta este estos estas o a os as isso"
)
_GENERIC = word_set(
    "any each every all no other others another everything anything nothing everyone anyone both either neither most"
    " alle jede jeder jedes keine kein keinen tous toutes chaque aucun aucune todo todos toda todas cada "
    "ningún qualquer"
)
_ARTICLES = word_set("a an ein eine einen un une una um uma")
_MODALS = word_set(
    "should must shall will can may might could would is are was were has have had does do did need needs ought isn't"
    " aren't shouldn't mustn't can't cannot won't doesn't don't"
)
_SINGULAR_S = word_set(
    "this is was has does its as us yes less class process access address pass status bus css https class's "
    "always news alias canvas"
    " analysis basis js ts os aws sms dns tls cors windows kubernetes redis postgres express rails jenkins "
    "pandas hooks' perhaps"
    " across unless besides progress success plus thus gas lens lass atlas"
)
_DOES = word_set(
    "goes sounds looks feels comes gets takes works fails breaks shows says gives does makes keeps seems wants happens"
    " depends stays turns jumps crashes hangs stops flickers disappears"
)
"""Verbs that a plural is not taken for: "queue sounds overkill"."""
_remembered = lru_cache(maxsize=1024)
"""Many rules ask the same of one sentence."""
_TOKEN = re.compile(r"[^\s,.;:!?()\[\]\"]+")


def tokens(plain: str) -> list[str]:
    """Words with their inner punctuation, so that `foo.py` and `--flag` stay whole."""
    return _TOKEN.findall(plain)


def is_plural(word: str) -> bool:
    """Whether an English word looks like a plural noun."""
    return len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "'s")) and word not in _SINGULAR_S


_STATES = (
    "are|aren't|have|don't|must|should|need|come|live|go|belong|stay|end|begin|depend|contain|require|support"
    "|own|refer|mean"
    "|cost|hold|sit|rely|carry|land|originate|stem|matter|differ|exist|bypass|fall|share|count|speak|flow|decide|cause|can|cannot|can't|may|will|won't|get|take|inherit|expect|receive"
)
_VERBS = "|".join(sorted(VERBS, key=len, reverse=True))
_HABIT = re.compile(
    r"^(?:(?!the |these |those |this |that |it |they |we |you |i |there |let's |here |your )[\w/.`'+-]+ ){0,3}"
    rf"[\w/`-]{{2,}}s `?(?:(?:always|only|never|also|usually|normally|just) )?(?:{_STATES}|{_VERBS})\b"
)
_ANY_ONE = re.compile(
    r"^(?:(?:an?|each|every|any|no) (?:[\w-]+ ){1,3}?|(?:every|each|any) [\w-]+ (?:in|of|on|from"
    r"|under) (?:[\w/.-]+ ){1,3}?"
    r"|(?:anything|everything|nothing|nobody|anyone|everyone) (?:[\w/.-]+ ){0,4}?)(?:\w+s|is|has|must|should|needs?|can"
    r"|may|never|always)\b(?! (?:of|in) )"
)


_HABIT_DENSE = re.compile(
    r"^[^。、は]{1,20}は[^。]{1,40}(?:書く|書きます|使う|使います|置く|置きます|入れる|入れます|管理する|管理します|管理しています"
    r"|従う|従います|とする|にする|にします|行う|行います|統一|使っていない|使わない|使いません)(?:こと|ルール|方針)?(?:です)?[。]?$"
    r"|^[^。，,]{1,14}(?:要用|都用|统一用|放在|放到|都放|走|必须用)"
)
"""In Japanese and Chinese: tests are written with …, logs are kept in …"""
_PLURAL_ARTICLES = word_set("les los las os as")
_KIND_GERMAN = re.compile(
    r"^(?:alle |neue |unsere |keine )?(?!wir |sie |die |diese |ihr |tests? |bitte )\w{4,} (?:(?:müssen|dürfen"
    r"|sollen|sollten|gehören"
    r"|kommen|stehen|liegen|haben|werden|sind|laufen|bleiben)\b|(?:bitte |immer )?(?:nur|nie|niemals|erst) (?:über"
    r"|nach|mit|in|im|als"
    r"|auf|aus|per|via|unter|bei)\b)"
)
"""In German the verb, or the lack of it, tells that a kind of things is spoken of: "Meldungen müssen …"."""

_ONE_OF_ALL = word_set("a an each every any anything everything nothing nobody anyone everyone")

_HABIT_ROMANCE = re.compile(
    r"^(?:les|los|las|os|as) [^\W\d_]+[sx](?: (?:de |des |du |da |do |del |no |na |em |en |dans )?[\w/-]+)?"
    r" (?:ne |no |não |se )?(?:sont|ont|vont|doivent|[^\W\d_]+ent|son|van|deben|se|[^\W\d_]+[ae]n|são|vão|devem"
    r"|ficam|rodam|[^\W\d_]+[ae]m)(?!\w)"
)
"""In Romance languages a kind of things has the article: "los tests van junto al código"."""


@_remembered
def is_habit(main: str) -> bool:
    """Whether it tells what a kind of things does: "integration tests need a marker", "a worker never sleeps"."""
    subject = main.split(" ", 1)[0]
    if _HABIT_ROMANCE.match(main) or _HABIT_DENSE.match(main):
        return True
    return (bool(_HABIT.match(main)) and not main.startswith(("add ", "fix ", "run "))) or (
        subject in _ONE_OF_ALL and bool(_ANY_ONE.match(main))
    )


@_remembered
def is_order(core: str) -> bool:
    """Whether a sentence starts like an order: "add the file", "don't mock", not "test names should be long"."""
    if is_habit(core):
        return False
    words = tokens(core)[:6]
    while words and words[0] in _ADVERBS:
        words = words[1:]
    if not words:
        return False
    if words[0] in ("don't", "do") and len(words) > 1:
        return (
            words[0] == "don't"
            or words[1] in {"not", *VERBS}
            or len(words) < 3
            or words[1] not in ("we", "you", "i", "they")
        )
    is_subject = words[1:2] and (
        words[1] in _MODALS or (words[1] not in SPECIFIC and words[2:3] and words[2] in _MODALS)
    )
    return words[0] in VERBS and not is_subject


@_remembered
def verb_of(core: str) -> str:
    """The verb that a sentence starts with, if it is an order."""
    for word in tokens(core)[:6]:
        if word in _ADVERBS or word in ("do", "don't", "not", "you", "to"):
            continue
        return word if word in VERBS else ""
    return ""


def is_done_once(core: str) -> bool:
    """Whether the order's verb is one of those that end when they are done."""
    return verb_of(core) in REPAIRS


@_remembered
def object_kind(core: str) -> str:
    """What the order is about: `kind` (tests, any file), `one` (the button, it), `some` (a file) or ``."""
    words = tokens(core)
    at = 0
    while at < len(words) and (words[at] in _ADVERBS or words[at] in ("don't", "do", "not", "you")):
        at += 1
    at += 1  # the verb
    while at < len(words) and (words[at] in _PARTICLES or words[at] in _ADVERBS or _is_gerund(words[at])):
        at += 1
    if at >= len(words):
        return ""
    return phrase_kind(words[at:])


def _is_gerund(word: str) -> bool:
    return word.endswith("ing") and word not in _GENERIC


def phrase_kind(words: list[str]) -> str:
    """Whether a noun phrase means a `kind` of thing, `one` thing, `some` thing; `` when it does not tell."""
    if not words:
        return ""
    if words[0] in _GENERIC:
        return "one" if words[1:2] == ["of"] and words[2:3] and words[2] in SPECIFIC else "kind"
    if words[0] == "the" and any(word in ("you", "we") for word in words[2:4]):
        return "kind"  # "the files you change"
    if words[0] in SPECIFIC:
        return (
            "kind"
            if words[0] not in ("it", "this", "that") and any(w in ("all", "every", "each") for w in words[1:3])
            else "one"
        )
    if words[0] in _ARTICLES or words[0] in ("some", "few", "several"):
        return "some"
    for word in words[:3]:
        if word in _MODALS:
            break
        if word in _DOES:
            break
        if word not in _PARTICLES and is_plural(word):
            return "kind"
    return ""


@_remembered
def subject_kind(core: str) -> str:
    """What a telling sentence is about, like `object_kind`; or `you`, `i`, `we`, `it`."""
    words = tokens(core)
    while words and words[0] in _ADVERBS:
        words = words[1:]
    if not words:
        return ""
    first = words[0].split("'")[0]
    if first in ("i", "you", "we", "he", "she", "they"):
        return first
    if first in ("it", "this", "that", "there", "these", "those", "here"):
        return "it"
    if (first in _PLURAL_ARTICLES and len(words) > 2) or _KIND_GERMAN.match(core):
        return "kind"
    return phrase_kind(words[:4])
