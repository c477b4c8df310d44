"""A rule's text, cut into what is read: turns of phrase in plain words, the reason left off, token by token.

Pure. Turns of phrase are read as what plainer words say, so that the same rule is known by both. Every pattern is
linear: bounded stretches, no nested repetition.
"""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

from memsuggest.memory import meaning_words

if TYPE_CHECKING:
    from collections.abc import Iterator

LENGTH_LIMIT = 2_000
"""Characters of a rule that are looked at; longer texts are no rules."""

_TOKEN = re.compile(
    r"`(?P<code>[^`\n]{1,200})`"
    r"|(?P<cjk>[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]+)"
    r"|(?P<flag>(?<![\w-])--?[A-Za-z][\w-]*)"
    r"|(?P<word>[\w@~][\w@~./\\:+#*'-]*)"
    r"|(?P<operator>[<>=!]=|=>|->|[<>])"
    r"|(?P<boundary>[,;.:!?()\n\u2013\u2014\u3001\u3002\uff0c])"
)
_SPACES = re.compile(r"\s+")
_LOOSE_ACCENT = re.compile(r"(?<=[^\W\d_])[~´^¨](?=[^\W\d_])")
"""An accent typed beside its letter: "aç~oes"."""

_SOME = r"([^,.;:!?\n]{2,60}?)"
_ROWS = (
    ("without", rf"\b(?:never|don't|do not|must not) {_SOME} without ([a-z]{{2,20}}ing\b)", r"\2 before \1"),
    ("without", rf"\b(?:never|don't|do not|must not|no) {_SOME} without (an? |the |my |our )", r"\2before \1"),
    ("out of", rf"\bkeep {_SOME} out of\b", r"never keep \1 in"),
    ("out of", rf"\bleave {_SOME} out of\b", r"never include \1 in"),
    (
        "new line|own line|separate line|line of",
        r"\bon (?:an?|its|their) (?:new|own|separate) lines?\b",
        "on separate lines",
    ),
    ("that fails", r"\b(?:an? )?tests? that fails?\b", "a failing test"),
    ("alone", rf"\bleave {_SOME} alone\b", r"never touch \1"),
    ("no one|single one", r"\b(?:no one|not a single one)\b", "nobody"),
    (
        "wrong to|bad to|harmful to|mistake to|ok to|okay to|good to|idea to",
        r"\b(?:it is|it's|is) (?:wrong|bad|harmful|a mistake|not ok|not okay|no good|a bad idea) to\b",
        "never",
    ),
    ("better not", r"\bbetter not\b", "not"),
    ("hands off", r"\bhands off\b", "never touch"),
    ("after", rf"\b(nam(?:e|es|ed|ing)) {_SOME} after\b", r"\1 \2 by"),
    ("after", r"\b(named) after\b", r"\1 by"),
    ("request", r"\b(?:pull|merge)[ -]requests?\b", "PR"),
    ("prs", r"\bPRs\b", "PR"),
    ("by hand", r"\bby hand\b", "manually"),
    ("to date|to-date", r"\bup[ -]to[ -]date\b", "current"),
    (
        "at most|more than|maximum|the most|longer than",
        r"\b(?:at most|no more than|not more than|a maximum of|at the most|no longer than)\b",
        "below",
    ),
    ("up to", r"\bup to (?=\d)", "below "),
    (
        "at least|less than|fewer than|minimum",
        r"\b(?:at least|no less than|not less than|no fewer than|a minimum of)\b",
        "minimum",
    ),
    (
        "allowed|permitted|acceptable|ok|welcome",
        r"\b(?:not|never) (?:allowed|permitted|acceptable|ok|okay|welcome)\b",
        "forbidden",
    ),
    ("limits", r"\boff[ -]limits\b", "forbidden"),
    ("to end|to-end", r"\bend[ -]to[ -]end\b", "e2e"),
    ("possible", r"\b(?:where|when|whenever|wherever|if|as far as) (?:it is |it's |at all )?possible\b", " "),
    ("project|repo|code", r"\b(?:in|on) (?:this|our|the) (?:project|repo|repository|codebase|code base)\b", " "),
    (
        "now|here|today|forward|default|rule",
        r"\b(?:from now on|from here on|as of now|as of today|going forward|by default|as a rule)\b",
        " ",
    ),
    (
        "described|according|accordance|in line|in keeping",
        r"\b(?:as described in|according to|in accordance with|in line with|in keeping with)\b",
        "by",
    ),
    ("as well", r"\bas well as\b", "and"),
    ("set up", r"\bset up\b", "setup"),
)
"""What tells that a turn may be there (any of some words, in lower case; no row before brings them in), its form, its
plain words."""
_CUES = tuple((cue, number) for number, (cues, _, _) in enumerate(_ROWS) for cue in cues.split("|"))
_TURNS = tuple((re.compile(pattern, re.IGNORECASE), plain) for _, pattern, plain in _ROWS)


def plainly(text: str) -> str:
    """Return a rule with its turns of phrase in plain words.

    >>> plainly("Don't add a dependency without asking me.")
    'asking before add a dependency me.'
    """
    folded = text.casefold()
    for number in sorted({number for cue, number in _CUES if cue in folded}):
        pattern, plain = _TURNS[number]
        text = pattern.sub(plain, text)
    return text


def phrase_tokens_of(text: str) -> Iterator[tuple[str, str]]:
    """Yield the kinds and texts of a rule's tokens; phrases that negate come as one token each."""
    return _cut(_without_reason(_unified(text)))


def _unified(text: str) -> str:
    plain = _LOOSE_ACCENT.sub("", unicodedata.normalize("NFKC", text[:LENGTH_LIMIT]))
    return plainly(plain.replace("\x00", " ").replace("\u2019", "'").replace("\u2018", "'"))


def _without_reason(text: str) -> str:
    """Cut the reason off, unless the rule begins with it."""
    folded = text.casefold()
    if len(folded) != len(text):
        return text  # positions would not fit
    places = [folded.find(f" {reason} ") for reason in meaning_words.REASONS]
    found = [place for place in places if place > len(text) // 3]
    return text[: min(found)] if found else text


def _cut(text: str) -> Iterator[tuple[str, str]]:
    marked = _SPACES.sub(" ", text)
    folded = marked.casefold()
    for number, phrase in enumerate(meaning_words.NEGATOR_PHRASES):
        if phrase in folded:
            marked = re.sub(rf"(?i)(?<!\w){phrase}(?!\w)", f" \x00{number}\x00 ", marked)
    for position, part in enumerate(marked.split("\x00")):
        if position % 2:
            yield "phrase", meaning_words.NEGATOR_PHRASES[int(part)]
            continue
        for match in _TOKEN.finditer(part):
            yield str(match.lastgroup), match[match.lastgroup or 0]
