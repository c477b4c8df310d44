"""The rule for what an assistant writes to memory: active only as a plain statement about the project. Pure.

Whatever an assistant writes is found again in other chats, so what could steer one waits for the person. What
passes has a shape: something of the project, a verb of state, in English or German, and nothing of what decides how far
an assistant may go. A refusal too many costs the person a look.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from pathlib import Path

from memsuggest.core.text.small_words import VERBS
from memsuggest.core.text.words import STOP_WORDS, word_set

_LONGEST = 300
_PLAIN = re.compile(r"[A-Za-z0-9ÄÖÜäöüßéè .,;:'’()/`_+#%&=@$€°×§\-–—…]+")
"""Signs of a plain sentence: no brackets, quotes, pipes or exclamations."""
_CODE = re.compile(r"`([^`]*)`")
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_DETERMINERS = word_set("""
the a an all every each our this these both most some no
der die das dem den ein eine unser unsere unserem alle jede jeder jedes dieses diese dieser beide
""")
_WE = word_set("we wir")
_STATES = word_set("""
is are was were has have had uses use lives live contains lies sits stands comes comprises consists depends means needs
belongs holds keeps costs takes returns listens speaks starts ends begins expires lasts deploys ships targets supports
exposes serves stores reads writes emits publishes consumes follows expects accepts limits counts measures equals
handles owns maintains go holds hosts provides includes implements wraps extends inherits names maps covers
prefers works goes
ist sind war waren hat haben nutzt nutzen benutzt verwendet verwenden liegt liegen steht stehen kommt enthält besteht
gehört gehören heißt heißen läuft laufen dauert beginnt endet speichert liefert braucht lebt kostet arbeitet
runs happens liest schreibt
""")
_SUBJECT = 7  # words of the subject at most, before the verb
_BARE_SUBJECT = 4  # the same without an article: `Test data lives`, `PgBouncer is`


@cache
def _pattern(*names: str) -> re.Pattern[str]:
    """Return the pattern of some tables, made when something is to be judged: prompts wait for what loads."""
    texts = (Path(__file__).with_name(name).read_text(encoding="utf-8") for name in names)
    return re.compile("|".join(f"(?:{text})" for text in texts), re.IGNORECASE | re.VERBOSE)


def speaks_of_trust(text: str) -> bool:
    """Tell whether words of an assistant name commands, permissions, checks or secrets, or speak to somebody."""
    return _pattern("steers.txt", "barred.txt").search(_CODE.sub(r" \1 ", text)) is not None


def why_not_given(text: str) -> str:
    """Return why an assistant's words are not given to one that did not ask; empty for what can be judged and is plain.

    >>> why_not_given("Prices are in cents now."), why_not_given("Les prix sont en centimes.")
    ('', 'the text is in a language that cannot be checked')
    """
    if mixes_scripts(text):
        return "the text mixes scripts within one word"
    if not text.isascii() and not _PLAIN.fullmatch(text):
        return "the text contains characters that cannot be checked"
    if speaks_of_trust(text):
        return "the text mentions people, permissions, checks, commands or secrets"
    # Little words of other languages, or none of English and German.
    words = [word.lower() for word in _WORD.findall(_CODE.sub(" ", text))]
    known = STOP_WORDS["en"] | STOP_WORDS["de"] | _STATES | _DETERMINERS | _WE
    others = frozenset().union(*(STOP_WORDS[name] for name in STOP_WORDS if name not in {"en", "de"})) - known
    is_foreign = not others.isdisjoint(words) or known.isdisjoint(words)
    return "the text is in a language that cannot be checked" if is_foreign else ""


def may_steer(text: str) -> bool:
    """Tell whether words of an assistant could steer another one that only asked what was said in a chat.

    >>> may_steer("Threshold is 5 now; 0.2 % are flagged."), may_steer("Agents skip the tests here.")
    (False, True)
    """
    letters = (letter for letter in text if letter > "\u024f" and letter.isalpha())
    if any(_script(letter) != "LATIN" for letter in letters) or _pattern("steers.txt").search(text):
        return True
    # Several little words of a language that cannot be judged.
    words = frozenset(word.lower() for word in _WORD.findall(_CODE.sub(" ", text)))
    own = len(words & (STOP_WORDS["en"] | STOP_WORDS["de"]))
    return any(len(words & STOP_WORDS[name]) > max(1, own) for name in STOP_WORDS if name not in {"en", "de"})


def why_pending(text: str) -> str:
    """Return why an assistant's words are pending; empty for a plain statement about the project."""
    if why := why_not_given(text):
        return why
    sentences = [sentence for sentence in re.split(r"(?<=[.;:])\s+", text.strip()) if sentence.strip(" .;:")]
    is_long = len(text) > _LONGEST or not _PLAIN.fullmatch(text)
    is_code = any(len(name.split()) > 1 for name in _CODE.findall(text))
    is_plain = sentences and all(map(_is_statement, sentences))
    return "" if is_plain and not is_long and not is_code else "the text is not a plain statement about the project"


def mixes_scripts(text: str) -> bool:
    words = (word for word in re.findall(r"[^\W\d_]{2,}", text) if not word.isascii())
    return any(len({_script(letter) for letter in word}) > 1 for word in words)


@cache
def _script(letter: str) -> str:
    name = unicodedata.name(letter, "?").split()[0]
    return "KANA" if name in {"HIRAGANA", "KATAKANA", "CJK"} else name


def _is_statement(sentence: str) -> bool:
    """Tell whether a sentence is something of the project with a verb of state behind it."""
    plain = _CODE.sub("Thing", sentence)  # a name in code is one word
    words = plain.replace("’", "'").split()
    heads = [word.strip(".,;:()'").lower() for word in words]
    first = next((at for at, word in enumerate(heads[: _SUBJECT + 1]) if at and word in _STATES), 0)
    if not first:
        return False
    # What is said of it names something one can look up: a number, a name, a path, code, or one tool.
    rest = " ".join(words[first + 1 :])
    has_name = sentence.isascii() and _ENGLISH.search(sentence) and re.search(r"\b[A-Z]\w", rest)
    is_tool = _USES.match(" ".join(words[first:]))
    if not (is_tool or has_name or re.search(r"\d|\w/|\w\.\w|\bThing\b", rest)):
        return False
    if heads[0] in _WE:
        return first == 1
    if heads[0] in _DETERMINERS:
        return True
    # A name, or a few words without an article; an order begins with a verb.
    return first <= _BARE_SUBJECT and (heads[0] not in VERBS or first > 1) and heads[1] not in _DETERMINERS


_USES = re.compile(
    r"(?:uses?|benutzt|verwendet|verwenden|nutzt|nutzen) [\w-]+(?: (?:in|for|as|für) [\w ]+)?\.?$", re.IGNORECASE
)
_ENGLISH = re.compile(r"\b(?:the|is|are|was|uses?|has|have|lives?|in|on|of)\b", re.IGNORECASE)
_CUSTOM = re.compile(
    r"""
    (?: (?: the | our | this | my )\s
        (?: user | person | developer | author | owner | team | company | project | repo(?:sitory)? | code[ ]?base )
      | we | they | I )
    (?: \s (?: always | usually | generally | only | now ) )?
    \s (?: (?P<verb> uses? | prefers? | chooses? | is\susing | are\susing )
         | (?P<wish> wants? | likes? | expects? | asks?\sfor ) (?: \sto\b )? )
    \s
    """,
    re.IGNORECASE | re.VERBOSE,
)
_CHOICES = {
    "prefers": "prefer", "prefer": "prefer", "chooses": "choose", "choose": "choose",
    "uses": "use", "use": "use", "is using": "use", "are using": "use",
}  # fmt: skip


def as_rule(text: str) -> str:
    """Return a statement on somebody's custom as the rule that it comes to, to compare it with rules.

    >>> as_rule("The team uses npm."), as_rule("The user wants commits in German"), as_rule("Ada owns billing")
    ('use npm.', 'commits in German', 'Ada owns billing')
    """
    found = _CUSTOM.match(text)
    if found is None:
        return text
    verb = "" if found["wish"] else f"{_CHOICES.get((found['verb'] or '').lower(), '')} "
    return f"{verb}{text[found.end() :]}".strip()
