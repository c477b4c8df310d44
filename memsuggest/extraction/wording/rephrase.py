"""Rephrasing: from how people talk to how rules read. "we don't want X" is "Avoid X", "I told you to Y" is "Y".

The tables are in `turns`; a sentence in another language only loses its small words. Nothing is added but
the words of command themselves.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from memsuggest.extraction.language.verbforms import base_of, third_person
from memsuggest.extraction.wording.residue import without_residue
from memsuggest.extraction.wording.turns import INSIDE, SPELLING, TURNS
from memsuggest.text.verbs import VERBS
from memsuggest.text.words import languages_of, plain, word_list, word_set

if TYPE_CHECKING:
    from collections.abc import Callable

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
    r"|ies)|makes? sure|ensures?|requires?|tells? \w+)(?: that| to|:)* (?!(?:how|what|why|where|in|into|under)\b)"
    r"(?P<rule>\S+ .{8,})$"
    r"|^(?:please |also )?(?:add|put|record|document|include) (?:a |the |this )?(?:rule|instruction|note"
    r"|convention)s?(?: (?:to|in|into) \S+)?(?: that|:) (?P<other>\S+ .{8,})$",
    re.IGNORECASE,
)
_NOTED = re.compile(
    r"^(?:add|put|record|document|include|write|leave|create|make|save|store|note|jot|mention|state|specify"
    r"|clarify)(?: down)?"
    r"(?: (?:it|this|that|something|a|an|the|another|one more|new|short|small|quick|explicit|following)){0,3}"
    r"(?: (?:rule|instruction|note|convention|line|sentence|reminder|entry|memory|point|bullet|info|information"
    r"|fact)s?)?"
    r"(?: (?:down|somewhere|there|too|also))?"
    r"(?: (?:in|to|into|for|on|under|at) (?:(?:the|our|your|its|my|a) )?[^\s,:]{1,60}(?: (?:files?|rules?|docs?"
    r"|guide|guidelines?"
    r"|instructions?|conventions?|memory|readme|section|document)){0,2})?"
    r"(?: (?:that )?(?:says?|saying|stating|states?))?(?: that|:)+ (?P<rule>(?!(?:how|what|why|where|in|into|to"
    r"|for|on|at|under|with|by|as|from|out|up|off|down|again|too)\b)\S+ .{4,})$"
    r"|^(?:the |our |your |this |that |its )?(?:[\w./@-]+ ){0,3}?(?:[\w./@-]*\.mdc?|guide|guidelines|readme|docs?"
    r"|documentation"
    r"|rules?|instructions?|conventions?)(?: file)? (?:should|must|needs? to|has to|have to|ought to) "
    r"(?:(?:also|clearly|explicitly) ){0,2}(?:mention|say|state|note|explain|specify|tell \w+)(?: that"
    r"|:)+ (?P<other>\S+ .{4,})$",
    re.IGNORECASE,
)
"""A wish to write something down: what is to be written is the rule."""
_SAID = re.compile(
    r"(?:(?:we|you|always|just|please) ){0,3}(?:(?:explain|require|state|note)s? (?!that |to )"
    r"|say [\"'`\u201c])",
    re.IGNORECASE,
)
"""What is to be said is no rule to be written: say \"you\"."""
_WRITTEN_IN_CODE = re.compile(
    r"\b(?:comments?|docstrings?|log|logs|messages?|tests?|headers?|titles?|labels?|warnings?|errors?|banners?)\b",
    re.IGNORECASE,
)
"""What says something in the code itself: "a comment that says who calls it" is the rule."""
_ASKED = re.compile(
    r"^(?:(?:can|could|would|will) (?:you|we) |please |also |let's |lets |i want you to |(?:we"
    r"|you) should ){1,4}",
    re.IGNORECASE,
)
_RELATIVE = re.compile(r"(?P<verb>[a-z]+)s (?!(?:are|is|must|should|need|can|may|live|go|have)\b)", re.IGNORECASE)
_IN_A_CASE = re.compile(
    r"^(?P<when>(?:when|whenever|before|after|while) \w+ing [^,]{1,50}?) to (?=(?:always|never|first)\b)", re.IGNORECASE
)
"""The words of a rule as they follow "specify that": "when fixing a bug to first write a test"."""
_DOUBT = re.compile(
    r",? but (?:(?:maybe|perhaps|probably|possibly)\b|i guess\b|i think\b|i'?m not sure\b|not sure\b"
    r"|i don'?t know\b|we'?ll see\b"
    r"|that'?s (?:just )?(?:me|my opinion)\b|it'?s up to you\b|your call\b).*$",
    re.IGNORECASE,
)
"""What takes a rule half back: "…, but maybe there is more to it"."""
_RULE_FILE = (
    r"(?:[\w@/.-]*\.mdc|[\w@/.-]*(?:claude|agents?|gemini|conventions?|copilot-instructions|contributing)\.md"
    r"|\.cursorrules"
    r"|(?:[\w-]+ )?rules? ?(?:files?|docs?|dir|directory|folder)?|skill\.md)"
)
_OF_RULE_FILES = re.compile(
    r"(?:(?:add|put|write|move|copy) (?!(?:rules?|instructions?) (?:that|to)\b)[^,:;]{2,60} (?:to|in"
    r"|into) (?:the |our |your |a )?"
    + _RULE_FILE
    + r"[.!]*\Z|(?:update|improve|extend|change|rewrite|clean up|create|make|write|add|split|fix|review|refine) "
    r"(?:(?:a|an|the|this|that|our|new|another|existing|following|also|of|all) ){0,3}" + _RULE_FILE + r"(?=[\s,.]|\Z))",
    re.IGNORECASE,
)
_OF_THE_MOMENT = re.compile(
    r",? (?:as|since|because) (?:this|that|it|they|these|those|we|you|the \w+) [^,;.]{2,80}?\b(?:ago|yesterday"
    r"|earlier|just now"
    r"|this morning|last (?:night|week)|right now|at the moment)$",
    re.IGNORECASE,
)
"""A reason that only held when it was given: "… as this was opened a while ago"."""
_STANDING = re.compile(
    r"\b(?:specify|say|says|state|states|mention|mentions|explain|explains|reflect|include|direct|that|which|how)\b"
    r"|^(?:always|never)\b|\b(?:each time|every time|when|whenever|after|before|once|if) (?:you|we|i|a|an|the|any"
    r"|something|adding|changing)\b",
    re.IGNORECASE,
)
"""What makes a habit of it, or tells what is to be written: "update AGENTS.md whenever you add a command"."""
_NEVER = re.compile(r"^(?:Do not|Don't|don't|do not) (?P<what>[^,;:.]{3,120}?),? ever$")
_FEWEST = 3  # words of a rule that stay when a doubt is taken off
_ENGLISH = word_set(
    "the and of to is are it that this for not with you we be should when if or don't use have can was please let's"
    " never always must from my our your all every each any but so because they there want need like test tests write"
    " keep make"
)
_ELSEWHERE = word_set(
    "che non sono gli della nel noi anche quando sempre mai il di lo questo ogni una uno le dei delle è scrivi usa e"
    " usiamo het een niet voor wij altijd nooit maar ook zijn dat van je och att inte är på för alltid aldrig det jag"
    " som ikke nie jest się zawsze nigdy że jak używaj aby ve bir için değil ja että ei и не в на это мы все"
)
"""Small words of languages that `words` does not know, and their neighbours."""
_CODE = re.compile(r"(`[^`]*`|\"[^\"]*\")")


def as_rule(text: str) -> str:
    """Say as a rule what was said as a wish, a habit of ours, or a reminder."""
    line = text
    for _ in range(3):
        before = line
        line = _as_recorded(line)
        for pattern, replacement in _TURN_PATTERNS:
            line = _turned(pattern, replacement, line)
        line = without_residue(line)
        if line == before:
            break
    firm = _DOUBT.sub("", _OF_THE_MOMENT.sub("", line))
    line = firm if len(firm.split()) > _FEWEST else line
    return _NEVER.sub(r"Never \g<what>", line)


def _as_recorded(line: str) -> str:
    """What is to be written down, where that is what a sentence asks for; else the sentence."""
    for pattern in () if _SAID.match(line) else (_NOTED, _RECORDED):
        found = pattern.match(_ASKED.sub("", line) if pattern is _NOTED else line)
        said = (found["rule"] or found["other"]) if found else ""
        if said and _WRITTEN_IN_CODE.search(line[: -len(said)]):
            continue
        relative = _RELATIVE.match(said)
        if said and not (pattern is _NOTED and relative and relative["verb"].lower() in VERBS):
            return _IN_A_CASE.sub(r"\g<when>, ", said)
    return line


def asks_for_a_rule_file(line: str) -> bool:
    """Whether all that is said is that rules be written, and not which: "clean up the rules in AGENTS.md"."""
    return bool(_OF_RULE_FILES.match(line)) and not _STANDING.search(line)


def spelt(text: str) -> str:
    """Write out English words as they are spelt, but in code and quotations: "didnt", "u", "bc"."""
    return _outside_code(_spelt, text) if _is_english(text) else text


def in_third_person(text: str) -> str:
    """Speak of the person as "the user": "ask me" becomes "ask the user". English only."""
    return _their_own(_outside_code(_of_the_user, text)) if _is_english(text) else text


def _is_english(text: str) -> bool:
    """Whether a text is English: "i" and "me" are words of other languages, too."""
    words = word_list(plain(text))
    foreign = sum(word in _ELSEWHERE for word in words)
    return languages_of(plain(text))[0] == "en" and foreign * 2 <= sum(word in _ENGLISH for word in words)


def _their_own(text: str) -> str:
    """Say "their" of what is the user's in a sentence that began with the user: "the user likes their tests short"."""
    first, found, rest = text.partition("he user ")
    return first + found + rest.replace("the user's ", "their ") if found and ". " not in rest else text


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
