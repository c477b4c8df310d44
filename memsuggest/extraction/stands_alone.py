"""A line as somebody reads it who was not in the chat: does it stand as a rule by itself?

Owns what speaks against that: a name that is missing ("the button", "use it"), a thought that is not finished or not
alone, words of the moment. What does not stand may still be kept aside; a suggestion it is not.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

from memsuggest.extraction.cues import phrases_of
from memsuggest.text.verbs import VERBS
from memsuggest.text.words import main_language, plain, word_set

if TYPE_CHECKING:
    from collections.abc import Iterator

_LONGEST = 40  # words of a rule
_KNOWN = word_set(
    """
    agent ai api app application architecture assistant author authors backend bot bottom browser build bundle
    changelog ci cli client clipboard cloud code codebase command-line compiler console customer customers
    database date db debugger design developer developers diff disk docs documentation documents editor end env
    environment filesystem formatter framework frontend future gui guidelines heap ide imperative implementation
    internet issue kernel keyboard language left license linter linters llm logger logs mainline maintainers
    market model monorepo network os output paper past pipeline platform primary product production project
    prompt reader readers readme release releases repo repositories repository reviewer reviewers right roadmap
    root schema screen screens server shell site source specification staging start store styleguide suite
    system team teams terminal tests ticket top trunk type-checker ui user users ux version web website wiki
    workspace year
    """
)
"""What there is one of in any repo: "the next release" is known to everybody, "the next dialog" is not."""
_OURS = word_set("app application bot codebase game library monorepo package product project repo repository site tool")
"""What "this" means without pointing at anything."""
_POINTERS = word_set(
    """
    above actual attached correct current different final first following former last latest missing new next old one
    ones original other others previous rest second third wrong
    """
)
"""What tells one of several apart by what was said or seen."""
_IN_TIME = word_set("current latest next")
"""What tells apart by the time alone: "the next build"."""
_MERELY = word_set("entire existing full main own standard very whole")
"""What tells nothing apart."""
_BOUNDS = word_set(
    """
    a about after again all always an and any are as at be because been before being between both but by can could did
    directly do does each either every first for from had has have he her him his how i if in inside instead into is it
    its just may me might must my never no not of off on only onto or our over per please shall she should since so
    still than that the their them then these they this those through to together too under unless until upon us via
    was we were what when where whether which while who whose why will with within without would yet you your itself
    """
)
"""Words at which the name of a thing ends."""
_TELLING = word_set("behind between by for from in inside of that used where which who whose with within")
"""Words after a thing that go on to say which."""
_QUOTED = re.compile(r"[\"\u201c][^\"\u201c\u201d]*[\"\u201d]|`[^`]*`")
"""What is told word by word; it is a name."""
_THING = re.compile(r"\b(?P<which>the|this|these|those)\s+(?P<rest>(?:[\w'.`/@:-]+\s*){1,5})")
_NAME = re.compile(r"[`@/\d_]|\w\.\w")
_INTRODUCED = re.compile(
    r"""
    \b (?: an? | any | every | each | all | no | our | your | my | new | another | some | the ) \s \w
    | [`@_] | \w\.\w | \b (?!(?:is|was|has|does|always|this|us|its|as|yes)\b) \w{2,}s \b
    """,
    re.VERBOSE,
)
"""What a pronoun behind it may stand for."""
_PRONOUN = re.compile(r"\b(?:it|its|itself|they|them|their|theirs)\b")
_OF_NOTHING = re.compile(
    r"\bit(?:'s|\ is|\ was|\ makes|\ seems|\ should\ be|\ may\ be)?\ (?:\w+\ ){0,2}?"
    r"(?:to|that|when|if|clear|necessary|needed|obvious|possible|sense)\b"
    r"|(?<=help\ )it"
)
"""An "it" that stands for nothing: "if it is possible"."""
_POINTER = re.compile(
    r"""
    \b (?: this | these | those ) (?= [,.;:!?] | \Z )
    | \b (?: this | these | those ) \s (?!is\ (?:an?|our|my)\b)
      (?= (?: is | are | was | were | should | must | will | can | has | have | needs? | means | happens | in | on | to
            | for | when | again | so | way | time | until | before | after | with | and | or ) \b )
    | (?: \A | , \s
        | \b (?: do | does | did | doing | done | like | for | with | of | to | about | than | fix | change | use
               | update | in | on | at | after | before | from | by | touch | edit | remove | delete | run | call
               | forget | and | is ) \s
      ) that \b
    | \b that (?= [,.;:!?] | \Z | 's \b )
    | (?<! \bis\ ) \b there \b (?! \s (?:is|are|should|must|can|may|was|will) \b | 's )
    """,
    re.VERBOSE,
)
"""A word that points; what it points at may be named in the part of the sentence before it."""
_PART = re.compile(r"[,;:] | (?:and|because|but|so)\s")
_DOES = word_set(
    """
    am are be can can't could did do does doesn't don't is isn't has hate have i'm like live lives love may means might
    must need needs shall should shouldn't want wants was we're were will won't would goes happens
    """
)
"""Verbs that are no orders."""
_FORBIDDING = word_set("always never no only")


def unclear(line: str) -> str:
    """Say why a line is no rule by itself; nothing where it is one.

    >>> unclear("Never edit files in gen/ by hand, they are generated.")
    ''
    >>> unclear("Use it everywhere.")
    'does not say which one is meant ("it")'
    """
    bare = _QUOTED.sub("`quoted`", line)
    said = plain(bare)
    if len(line.split()) > _LONGEST:
        return "is too long"
    if re.search(r"[?\uff1f\u2026]|\.\.", said):
        return "asks or breaks off"
    for why, pattern in phrases_of("stands_alone").items():
        if found := pattern.search(said):
            return f'{why} ("{found.group().strip(" .!")}")'
    said = said.rstrip(" .!") if main_language([bare]) == "en" and said.isascii() else ""
    if missing := points_elsewhere(said) or next(_unnamed(said, _names(bare)), ""):
        return f'does not say which one is meant ("{missing}")'
    return "" if not said or _has_verb(said) else "has no verb"


def points_elsewhere(plain_text: str) -> str:
    """Return the word by which a plain text is about something that it does not name.

    >>> points_elsewhere("don't do it again"), points_elsewhere("use tabs")
    ('it', '')
    """
    for found in _POINTER.finditer(plain_text):
        parts = [part.end() for part in _PART.finditer(plain_text, 0, found.end() - len("that"))]
        if "this" in found.group() or not parts or not _INTRODUCED.search(plain_text, 0, parts[-1]):
            return found.group().strip(" ,")
    for found in _PRONOUN.finditer(plain_text):
        if not _INTRODUCED.search(plain_text, 0, found.start()) and not _OF_NOTHING.match(plain_text, found.start()):
            return found.group()
    return ""


def _names(line: str) -> frozenset[str]:
    """Return the words that are written as names: "the Button"."""
    return frozenset(word.lower().strip(".'") for word in re.findall(r"[\w'.-]+", line)[1:] if not word.islower())


def _unnamed(said: str, names: frozenset[str]) -> Iterator[str]:
    """Yield the things that a plain line speaks of as known and does not name."""
    for found in _THING.finditer(said):
        words = _thing(found["rest"])
        if not words:
            continue  # "this is": the pattern of what points has judged it
        behind = said[found.start("rest") :].split()[len(words) : len(words) + 1]
        before = said[: found.start()]
        if not _is_named(words, found["which"], names, before=before, is_told=bool(behind and behind[0] in _TELLING)):
            yield " ".join((found["which"], *words))


def _thing(rest: str) -> list[str]:
    """Return the words of a thing's name: those up to a word that belongs to no name."""
    words: list[str] = []
    for word, behind in pairwise([*rest.split(), ""]):
        does = len(words) == 1 and word.endswith("s") and word[:-1] in VERBS and not _ends_name(behind)
        if _ends_name(word) or does:
            break
        words.append(word.rstrip(".,:"))
        if word.endswith((",", ".", ":")):
            break
    return words


def _ends_name(word: str) -> bool:
    return not word or word.strip(".,:") in _BOUNDS


def _is_named(words: list[str], which: str, names: frozenset[str], *, before: str, is_told: bool) -> bool:
    """Tell whether a thing says which it is: by a name, by what stands with it, or because everybody knows."""
    telling = [word for word in words if word not in _MERELY]
    if any(_NAME.search(word) or word in names for word in telling):
        return True
    if not telling:
        return which == "the"
    if which != "the":
        is_behind = telling[-1] in before or (which == "those" and (is_told or ", " in before))
        return is_behind or not _OURS.isdisjoint((telling[0], telling[-1]))
    if telling[0] in _POINTERS:
        is_known = telling[0] in _IN_TIME and telling[-1] in _KNOWN
        return is_told or (len(telling) > 1 and (is_known or telling[-1] in before))
    return True


def _has_verb(said: str) -> bool:
    """Tell whether a plain line has a verb, or forbids without one: "no mocks in tests"."""
    words = re.findall(r"[\w'-]+", said)
    return words[0] in _FORBIDDING or any(
        word in _DOES or word in VERBS or word.removesuffix("s") in VERBS or word.endswith(("ed", "ing"))
        for word in words
    )
