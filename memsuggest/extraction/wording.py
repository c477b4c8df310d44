"""Wording: a person's sentence as one line that can stand in a file of rules.

Few changes, each of which is sure: what merely opens or closes a sentence goes, "we always X" and "can you always X?"
become "Always X", "dont" gets its apostrophe. Where the outcome would be no clean sentence, or would say something
else, the person's own sentence stands, trimmed.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from memsuggest.extraction.dates import with_absolute_dates
from memsuggest.extraction.grammar import RECORDED
from memsuggest.extraction.reminders import without_reminder
from memsuggest.extraction.safety import one_line
from memsuggest.extraction.stands_alone import unclear
from memsuggest.redact.rule_without_secrets import without_redacted
from memsuggest.text.verbs import VERBS
from memsuggest.text.words import plain

if TYPE_CHECKING:
    from datetime import datetime

LIMIT = 300  # characters of a content
_FEWEST, _WHOLE = 2, 3  # words that a sentence has, and that one has which says something by itself
_CONTEXT = 160  # characters of the sentence before, up to which it is joined
_VERB = r"(?P<verb>[\w-]+)"
_SPACE = re.compile(r"\s+")
_EMPHASIS = re.compile(r"(?<![\w*_])(\*\*|__|\*)(?=\S)([^*_\n]{1,200}?)(?<=\S)\1(?![\w*_])")
_OPENING = re.compile(
    r"""
    (?:
        (?: no | nope | nah | yes | yeah | yep | ok(?:ay)? | hey | hi | hello | hm+ | oh | ah | lol | ugh | well | wait
          | great | good | nice | perfect | cool | thanks | thank\ you | thx | alright | right | sure | actually | btw
          | by\ the\ way | one\ more\ thing | important | note | reminder | fyi | yo | dude | bro | please | pls
          | so | also | and | but | then
          | nein | ja | bitte | non | oui | sí | por\ favor | sim | não
        )
        (?: \s* [,.:;!\u2014]+ | \s+ -+ (?=\s) ) \s*
      | (?: please | pls | and | but | so | also | ok(?:ay)? | btw | yo | hey | bitte | in\ fact | hm+ | oh | ah | yeah
          | then (?=\ (?:let's|please|also|make|we|you)\b) )
        \s+ (?! (?:far|that|is|are|was|not|then)\b )
    )+
    """,
    re.VERBOSE | re.IGNORECASE,
)
"""Greetings and interjections; "no" and the like only where a comma or a stop sets them off."""
_CLOSING = re.compile(
    r"""
    (?: ,?\s (?: please | pls | plz | thanks | thank\ you | thx | ok | okay | lol | bitte | danke | merci | gracias
               | por\ favor | obrigad[oa] | from\ now\ on | always\ and\ everywhere | i\ know )
      | \s? (?: :\) | :-\) | ;\) | :D | \U0001f605 | \U0001f602 | \U0001f64f )
    )
    [\s.!?\u2014\u2013-]* \Z
    """,
    re.VERBOSE | re.IGNORECASE,
)
_ROUND_ABOUT = re.compile(
    rf"""
    (?: (?:from\ now\ on|going\ forward|moving\ forward)\s*,?\s+ (?:please\s+)? )?
    (?:
        (?:can|could|would|will)\ you\ (?:please\ |also\ |just\ )*
      | (?:you|we)\ (?:should|must|need\ to|have\ to)\ (?:please\ )?
      | (?:we|i)\ (?:please\ )?
      | (?:make\ sure|be\ sure|remember|don['\u2019]?t\ forget)\ to[ ]
    )
    (?= (?:always|never)\s+{_VERB} )
    """,
    re.VERBOSE | re.IGNORECASE,
)
"""What stands before an order that is said round about; the order itself says that it is to last."""
TWO_NAMES = re.compile(r"[a-z][\w.-]*, not [a-z][\w.-]*[.!]*")
"""Names that keep their letters: "pnpm, not npm"."""
_TO_KNOW = re.compile(
    r"""
    (?:please\ )? (?:also\ )? (?:just\ )?
    (?: (?:note|mention|remember|keep\ in\ mind|bear\ in\ mind|be\ aware)\ that\ (?:as\ a\ rule,?\ )?
      | (?:for\ (?:your\ )?(?:context|reference|information) | fyi | so\ you\ know | remember(?=[,:])
          | as\ a\ rule) [,:]?
    )
     \s* (?= \S+\ \S+\ \S)
    """,
    re.VERBOSE | re.IGNORECASE,
)
"""What only says that something is to be known."""
_WISH = re.compile(
    rf"(?:i want|i need|i would like|i['\u2019]d like) you to (?:please )?(?=(?:(?:always|never)\s+)?{_VERB})",
    re.IGNORECASE,
)
_MUST_NOT = re.compile(rf"you (?:must|should)(?: not|n['\u2019]?t) (?={_VERB})", re.IGNORECASE)
_FROM_NOW_ON = re.compile(
    r"(?:from now on|going forward|moving forward)\s*,?\s+(?:please\s+)?"
    rf"(?=(?:always|never|do not|don['\u2019]?t)\b|{_VERB})",
    re.IGNORECASE,
)
_UNSPELT = re.compile(
    r"\b(do|does|did|is|are|was|were|should|would|could|must|have|has|ca|wo)nt\b(?<!\bwant)", re.IGNORECASE
)
_DOUBLED = re.compile(r"\b(?!(?:that|had|very|really|no|so|ha|bla|blah)\b)([a-z]+) \1\b", re.IGNORECASE)
_CODE = re.compile(r"(`[^`\n]*`)")
_LONE_I = re.compile(
    r"(?<![\w.'/-])i(?=['\u2019](?:m|d|ll|ve)\b|\s(?:am|will|would|want|need|use|prefer|like|love|hate|have|had|can|could"
    r"|don['\u2019]?t|do|did|think|thought|already|always|never|ask|said|told|guess|know|just|only|also|was|see|mean)\b)"
)
_OF_ONESELF = re.compile(
    r"""
    I (?: (?P<am>['\u2019]m|\ am)(?=\ (?:a|an|the|on|new|learning|using|working|not|based|colou?rblind|dyslexic)\b)
        | \ (?:do\ not|don['\u2019]t)\ (?P<not>really\ (?=know|like|use)|)(?P<lacks>know|like|speak|use)(?=\ )
      | \ (?:(?P<adverb>really|always|usually|generally|mostly|never)\ )?
          (?P<verb>prefer|like|love|hate|dislike|use|want|need|work|speak|know)(?=\ )
      )
    """,
    re.VERBOSE,
)
"""What a person says of themselves."""
_FIRST_PERSON = re.compile(r"\b(?:i|me|my|mine|myself|we|us|our)\b", re.IGNORECASE)
_REASON = re.compile(
    r"(?:,? because|,? since (?!\d)|,? so that|[,;] otherwise|[,;](?= too \w))\s+(.{3,200})\Z", re.IGNORECASE
)
_NEGATIONS = re.compile(
    r"\b(?:not|no|never|none|nothing|without|avoid|stop|cannot|nicht|kein\w*|nie|pas|jamais|nunca|não|sin|sem)\b|n't\b"
)
_QUANTIFIERS = re.compile(r"\b(?:all|every|each|any|some|only|always|never|most|both|few|many|at least|at most)\b")
_WHEN_TO = re.compile(
    r"\A((?:when|whenever|before|after) [^,]{3,60}?),? to (?=(?:first|always|never)\b)", re.IGNORECASE
)
"""What a rule that was asked for begins with: "a rule that when fixing a bug to always …"."""
_TRAILS_OFF = re.compile(r"(?<=\w)\s?(?:\.{2,}|\u2026)\s*\Z")
_LOOSE_STOP = re.compile(r"\s+([,!?](?=\s|\Z)|\.(?=\s+[^\sa-z]|\s*\Z))")
TOO_LITTLE = "says too little"
"""Why a line of a word or two is no rule by itself."""
_PAIRS = (("(", ")"), ("[", "]"), ("{", "}"), ("\u201c", "\u201d"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Worded:
    """A rule in words."""

    content: str
    """One line that ends like a sentence; empty where nothing is left."""
    leans: bool = False
    """Whether the sentence before was joined to it; it belongs to the evidence."""
    named: tuple[str, ...] = ()
    """Dates that the wording computed."""
    reason: str = ""
    unclear: str = ""
    """Why it is no rule by itself; empty where it is one."""


def word(sentence: str, *, before: str = "", said: datetime | None = None, is_personal: bool = False) -> Worded:
    """Turn a sentence into a line of a rule file.

    `before` is what the person said right before it, `said` when they did, `is_personal` whether it is about them.

    >>> word("ok so can you always use uv please?").content
    'Always use uv.'
    >>> word("so then don't we NOT want go.work").content
    "So then don't we NOT want go.work."
    """
    trimmed = _SPACE.sub(" ", _EMPHASIS.sub(r"\2", sentence)).strip()
    trimmed = without_redacted(trimmed) or trimmed
    content = _finished(_plainly(trimmed))
    if not _says_the_same(trimmed, content):
        content = _finished(trimmed)
    content, named = with_absolute_dates(in_third_person(content) if is_personal else content, said)
    words = len(re.findall(r"\w+", content)) if content.isascii() else _WHOLE
    if words < _FEWEST:
        return Worded(content="")
    if words < _WHOLE or trimmed.endswith((":", "\uff1a")):
        return Worded(content=content, named=named, unclear=TOO_LITTLE)
    why = unclear(content)
    worded = Worded(content=content, named=named, reason=_reason(content), unclear=why)
    context = _finished(_plainly(_SPACE.sub(" ", before).strip()))
    joined = f"{context} {content}"
    if not why or not context or len(context) > _CONTEXT or len(joined) > LIMIT or unclear(context) or unclear(joined):
        return worded
    return replace(worded, content=joined, leans=True, unclear="")


def in_third_person(line: str) -> str:
    """Say of the user what a person says of themselves; as it stands where it says more of "me" or "us".

    >>> in_third_person("I prefer short answers.")
    'The user prefers short answers.'
    """
    found = _OF_ONESELF.match(line)
    if not found or _FIRST_PERSON.search(line, found.end()):
        return line
    if found["lacks"]:
        return f"The user doesn't {found['not']}{found['lacks']}{line[found.end() :]}"
    verb = "is" if found["am"] else f"{found['verb']}s"
    adverb = f"{found['adverb'].lower()} " if found["adverb"] else ""
    return f"The user {adverb}{verb}{line[found.end() :]}"


def _reason(content: str) -> str:
    """Return the reason that a sentence gives, which stays in it too."""
    found = _REASON.search(content)
    return found[1].strip(" .") if found else ""


def _plainly(line: str) -> str:
    """Take off what opens and closes a sentence, and say its order straight out."""
    said = _OPENING.sub("", line, count=1) if _OPENING.match(line) else line
    said = without_reminder(said)
    said = _TO_KNOW.sub("", said, count=1) if _TO_KNOW.match(said) else said
    recorded = RECORDED.match(said)
    said = _WHEN_TO.sub(r"\1, ", recorded["rule"].rstrip(" ?")) if recorded else said
    said = _TRAILS_OFF.sub(".", said)
    while (closing := _CLOSING.search(said)) and closing.start():
        said = said[: closing.start()]
    straight = _before_verb(_ROUND_ABOUT, said) or _before_verb(_FROM_NOW_ON, said) or _before_verb(_WISH, said)
    if straight:
        said = said[straight.end() :].rstrip(" ?")
    forbids = _before_verb(_MUST_NOT, said)
    said = f"Do not {said[forbids.end() :]}" if forbids else said
    return "".join(part if place % 2 else _spelt(part) for place, part in enumerate(_CODE.split(said)))


def _before_verb(pattern: re.Pattern[str], text: str) -> re.Match[str] | None:
    """Match what stands before the verb of an order at the beginning of a text."""
    found = pattern.match(text)
    return found if found and (found["verb"] is None or found["verb"].lower() in VERBS) else None


def _spelt(text: str) -> str:
    """Put the apostrophes and capitals in that chat leaves out, and take a word away that stands twice."""
    return _DOUBLED.sub(r"\1", _LONE_I.sub("I", _UNSPELT.sub(lambda found: f"{found[1]}n't", text)))


def _says_the_same(before: str, after: str) -> bool:
    """Tell whether nothing that changes what a sentence means was lost or won."""
    if not after or any(after.count(opening) != after.count(closing) for opening, closing in _PAIRS):
        return False
    one, two = plain(before), plain(after)
    no = {"no"} if re.match(r"no+\W", one) else set()
    negations = [found for found in _NEGATIONS.findall(one) if found not in no]
    return Counter(negations) == Counter(found for found in _NEGATIONS.findall(two) if found not in no) and Counter(
        _QUANTIFIERS.findall(one)
    ) == Counter(_QUANTIFIERS.findall(two))


def _finished(line: str) -> str:
    """Begin a line with a capital and end it with a stop, within its limit."""
    said = _LOOSE_STOP.sub(r"\1", one_line(line.strip(" \t,;:\u2013\u2014-")))
    if len(said) > LIMIT:
        said = said[:LIMIT].rsplit(" ", 1)[0].rstrip(" ,;:") + " \u2026"
    if not said:
        return ""
    if said[-1] in ".!?\u2026\u3002\uff01\uff1f":
        return capitalised(said)
    stop = "\u3002" if re.search(r"[\u3041-\u9fff]\W*\Z", said) else "."
    return capitalised(said) + stop


def capitalised(line: str) -> str:
    """Write the first letter as a capital, unless a name or code starts the line.

    >>> capitalised("use tabs"), capitalised("go.mod is generated"), capitalised("pnpm, not npm.")
    ('Use tabs', 'go.mod is generated', 'pnpm, not npm.')
    """
    if TWO_NAMES.fullmatch(line):
        return line
    first = line.split(" ", 1)[0].strip(",.;:'")
    if not first[:1].islower() or re.search(r"[\W\d_]", first.replace("'", "")) or any(c.isupper() for c in first):
        return line
    return line[:1].upper() + line[1:]
