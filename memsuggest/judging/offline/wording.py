"""Wording: a person's sentence as a line, in their own words.

Nothing is resolved, joined or cut off: what merely opens a sentence ("and", "please", "from now on") and a last
"thanks" go, a capital and a stop are put in. A sentence that is no rule by itself is not made into one.
"""

from __future__ import annotations

import re
from functools import partial

from memsuggest.core.redact.redaction_rules import without_redacted
from memsuggest.core.text.words import plain
from memsuggest.judging.offline.cues import form
from memsuggest.judging.offline.lasting import choice_in
from memsuggest.judging.safety import one_line

_form = partial(form, "wording")
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
    opening = _form("opening").match(said)
    said = said[opening.end() :] or said if opening else said
    for name in ("mark", "told to write"):
        said = said[found.end() :] if (found := _form(name).match(said)) else said
    while (closing := _form("closing").search(said)) and closing.start():
        said = said[: closing.start()]
    choice = choice_in(plain(said))
    return _finished(f"Use {said.rstrip('!')}" if choice and not choice["order"] else said)


def _finished(line: str) -> str:
    said = _LOOSE_STOP.sub(r"\1", one_line(line.strip(" \t,;:\u2013\u2014-")))
    if len(said) > LIMIT:
        said = said[:LIMIT].rsplit(" ", 1)[0].rstrip(" ,;:") + " \u2026"
    if not said or said[-1] in ".!?\u2026\u3002\uff01\uff1f":
        return capitalised(said)
    return capitalised(said) + ("\u3002" if re.search(r"[\u3041-\u9fff]\W*\Z", said) else ".")


def capitalised(line: str) -> str:
    """Write the first letter as a capital, unless a name or code starts the line.

    >>> capitalised("use tabs"), capitalised("go.mod is generated")
    ('Use tabs', 'go.mod is generated')
    """
    first = line.split(" ", 1)[0].strip(",.;:'")
    if not first[:1].islower() or re.search(r"[\W\d_]", first.replace("'", "")) or any(c.isupper() for c in first):
        return line
    return line[:1].upper() + line[1:]
