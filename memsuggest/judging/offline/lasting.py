"""A sentence as a line of a rule file: does it say that it is to last, and stand by itself, and in which words?

What speaks against that: a name that is missing ("the button", "use it"), a thought that is not finished or not alone,
words of the moment. What does not stand may still be kept aside; a suggestion it is not. In its wording nothing is
resolved, joined or cut off but what merely opens or ends a sentence; a sentence that is no rule is not made into one.
"""

from __future__ import annotations

import re
from functools import cache, partial

from memsuggest.core.redact.redaction_rules import without_redacted
from memsuggest.core.text.small_words import ALTERNATIVES, VERBS
from memsuggest.core.text.words import main_language, plain
from memsuggest.judging.offline.cues import form, has_cue, is_order, phrases_of, words_of
from memsuggest.judging.safety import one_line

_form = partial(form, "stands_alone_forms")

_LONGEST = 40  # words of a rule
_QUOTED = re.compile(r"[\"\u201c][^\"\u201c\u201d]*[\"\u201d]|`[^`]*`")  # what is told word by word; it is a name
_THING = re.compile(r"\b(?P<which>the|this|these|those)\s+(?P<rest>(?:[\w'.`/@:-]+\s*){1,5})")
_NAME = re.compile(r"[`@/\d_]|\w\.\w")
_PRONOUN = re.compile(r"\b(?:it|its|itself|they|them|their|theirs)\b")
_PART = re.compile(r"[,;:] | (?:and|because|but|so)\s")
_REASON = re.compile(r",? (?:because|since|so that) |[,;] (?:it|they|that) ")
"""What a reason begins with: its things are known from the rule that it explains."""


def unclear(line: str) -> str:
    """Say why a line is no rule by itself; nothing where it is one.

    >>> unclear("Never edit files in gen/ by hand, they are generated.")
    ''
    >>> unclear("Use it everywhere.")
    'is unclear on its own ("it")'
    """
    bare = _QUOTED.sub("`quoted`", line)
    said = plain(bare)
    if len(line.split()) > _LONGEST:
        return "is too long"
    if re.search(r"[?\uff1f\u2026]|\.\.", said):
        return "is a question or incomplete"
    for why, pattern in phrases_of("stands_alone").items():
        if found := pattern.search(said):
            return f'{why} ("{found.group().strip(" .!")}")'
    said = said.rstrip(" .!") if main_language([bare]) == "en" and said.isascii() else ""
    missing = points_elsewhere(said) or _unnamed(_REASON.split(said, maxsplit=1)[0], bare)
    return f'is unclear on its own ("{missing}")' if missing else ""


def points_elsewhere(plain_text: str) -> str:
    """Return the word by which a plain text is about something that it does not name.

    >>> points_elsewhere("don't do it again"), points_elsewhere("use tabs")
    ('it', '')
    """
    for found in _form("pointer").finditer(plain_text):
        parts = [part.end() for part in _PART.finditer(plain_text, 0, found.end() - len("that"))]
        if "this" in found.group() or not parts or not _form("introduced").search(plain_text, 0, parts[-1]):
            return found.group().strip(" ,")
    for found in _PRONOUN.finditer(plain_text):
        if not _form("introduced").search(plain_text, 0, found.start()) and not _form("of-nothing").match(
            plain_text, found.start()
        ):
            return found.group()
    return ""


def _unnamed(said: str, line: str) -> str:
    """Return the first thing that a plain line speaks of as known and does not name; empty where there is none."""
    things = words_of("known_things")
    names = {word.lower().strip(".'") for word in re.findall(r"[\w'.-]+", line)[1:] if not word.islower()}
    for found in _THING.finditer(said):
        words, behind = _thing(found["rest"].split())
        if not words or behind in things["telling"] or any(_NAME.search(word) or word in names for word in words):
            continue  # "this is": the pattern of what points has judged it
        is_the = found["which"] == "the"
        known = things["known"] if is_the else things["ours"]
        is_known = not known.isdisjoint((words[0], words[-1], words[-1].removesuffix("s")))
        is_behind = re.search(rf"\b{re.escape(words[-1].rstrip('s'))}", said[: found.start()]) is not None
        is_described = is_the and len(words) > 1 and words[0] not in things["pointers"]
        if not (is_known or is_behind or is_described):
            return " ".join((found["which"], *words))
    return ""


def _thing(rest: list[str]) -> tuple[list[str], str]:
    """Return the words of a thing's name, those up to a word that belongs to no name, and that word."""
    things, words = words_of("known_things"), list[str]()
    for word in rest:
        bare = word.rstrip(".,:")
        does = bool(words) and bare.endswith("s") and bare[:-1] in VERBS
        if bare in things["bounds"] or bare in things["telling"] or does:
            return words, bare
        words.append(bare)
        if bare != word:
            break
    return words, ""


# Lasting: whether a sentence says of itself that it is to last, and stands by itself

_FEWEST = 3  # words of a sentence that says what is to be so
_MANY = 25  # sentences of a message from which "always" and "never" are those of a specification
_ORDERED = "next time"
"""Marks that count with an order only: "next time, run the tests", and not "next time it failed"."""
_ALWAYS = "always"  # marks that a wish for the product has, too: "always center the map"
_LASTING_NAME = re.compile(r"\S*[./_`]\w\S*")
_ANOTHER = re.compile(r"(?!(?:when|if|in|for|on|after|before|as|wenn|quand|si|cuando|se)\b).+[,:;]\s")
"""What stands before a mark where the sentence is about something else, too."""


def lasting_mark(plain_text: str, *, sentences: int = 1) -> str:
    """Return the words by which a plain sentence says that it is to last; empty where it does not.

    `sentences` is the number of sentences of its message.

    >>> lasting_mark("from now on use tabs"), lasting_mark("the tab bar should always show the title")
    ('from now on', '')
    """
    if choice := choice_in(plain_text):
        return choice.group()
    for name, pattern in _marks().items():
        found = pattern.search(plain_text)
        if not found or (name == _ORDERED and not is_order(plain_text)):
            continue
        is_of_product = sentences > _MANY or has_cue("on-screen", _LASTING_NAME.sub("", plain_text))
        if not (name.startswith(_ALWAYS) and is_of_product):
            return " ".join(found.group().strip(" ,.!，。").split()[:4])
    return ""


_CLOSING = " \t)\"'*_\u201d"
"""What may stand behind the last sign of a sentence."""
_CHOICE = re.compile(
    r"(?P<order>(?:please |we |use |prefer )*)(?P<this>[\w+-]+)(?: here)?,?"
    r" (?:not|never|instead of|rather than) (?P<that>[\w+-]+)(?:/\w+)?[.!]*"
)


def choice_in(plain_text: str) -> re.Match[str] | None:
    """Return a whole sentence that chooses between two tools that stand for one another.

    >>> [bool(choice_in(said)) for said in ("pnpm, not npm", "the button, not the link", "monday, not friday")]
    [True, False, False]
    """
    found = _CHOICE.fullmatch(plain_text.strip())
    tools = (group.split() for group in ALTERNATIVES if "monday" not in group)
    return found if found and any({found["this"], found["that"]} <= {*group} for group in tools) else None


@cache
def _marks() -> dict[str, re.Pattern[str]]:
    words = {
        name.upper(): f"(?:{form('lasting_words', name).pattern})"
        for name in ("passive", "shown", "order", "saying", "standing")
    }
    filled = re.compile("|".join(words))
    return {
        name: re.compile(filled.sub(lambda found: words[found.group()], pattern.pattern))
        for name, pattern in phrases_of("lasting").items()
    }


def is_question(text: str) -> bool:
    """Tell whether a sentence asks something, whatever marks stand behind its last sign."""
    return text.rstrip(_CLOSING).endswith(("?", "\uff1f"))


def why_not_alone(text: str, content: str, *, mark: str = "") -> str:
    """Say why a marked sentence is no rule by itself; nothing where it is one."""
    if is_question(text) or text.rstrip(_CLOSING).endswith((":", "\uff1a")):
        return "asks a question or introduces something"
    if content.isascii() and len(content.split()) < _FEWEST:
        return "says too little"
    before, _, behind = plain(content).partition(mark) if mark else ("", "", "")
    if behind.strip(" .!") and _ANOTHER.match(before):
        return "starts with a different subject"
    return unclear(content)


# A sentence as a line, in the words in which it was said: what merely opens it and a last "thanks" go

_wording = partial(form, "wording")
LIMIT = 300  # characters of a content
_SPACE = re.compile(r"\s+")
_EMPHASIS = re.compile(r"(?<![\w*_])(\*\*|__|\*)(?=\S)([^*_\n]{1,200}?)(?<=\S)\1(?![\w*_])")
_LOOSE_STOP = re.compile(r"\s+([,!?](?=\s|\Z)|\.(?=\s+[^\sa-z]|\s*\Z))")


def as_line(sentence: str) -> str:
    """Return a sentence as a line of a rule file, in the words in which it was said.

    >>> as_line("and so please always use `uv` here, thanks"), as_line("no, we never do that")
    ('Always use `uv` here.', 'We never do that.')
    >>> as_line("again: pnpm, not npm!")
    'Use pnpm, not npm.'
    """
    whole = _SPACE.sub(" ", _EMPHASIS.sub(r"\2", sentence)).strip()
    said = without_redacted(whole) or whole
    opening = _wording("opening").match(said)
    said = said[opening.end() :] or said if opening else said
    for name in ("mark", "told to write"):
        said = said[found.end() :] if (found := _wording(name).match(said)) else said
    while (closing := _wording("closing").search(said)) and closing.start():
        said = said[: closing.start()]
    choice = choice_in(plain(said))
    line = f"Use {said.rstrip('!')}" if choice and not choice["order"] else said
    line = _LOOSE_STOP.sub(r"\1", one_line(line.strip(" \t,;:\u2013\u2014-")))
    if len(line) > LIMIT:
        line = line[:LIMIT].rsplit(" ", 1)[0].rstrip(" ,;:") + " \u2026"
    if not line or line[-1] in ".!?\u2026\u3002\uff01\uff1f":
        return capitalised(line)
    return capitalised(line) + ("\u3002" if re.search(r"[\u3041-\u9fff]\W*\Z", line) else ".")


def capitalised(line: str) -> str:
    """Write the first letter as a capital, unless a name or code starts the line.

    >>> capitalised("use tabs"), capitalised("go.mod is generated")
    ('Use tabs', 'go.mod is generated')
    """
    first = line.split(" ", 1)[0].strip(",.;:'")
    if not first[:1].islower() or re.search(r"[\W\d_]", first.replace("'", "")) or any(c.isupper() for c in first):
        return line
    return line[:1].upper() + line[1:]
