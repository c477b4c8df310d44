"""Quotes: the stretch of a text that a model's quote stands for, however the model spelt it. Pure.

Models copy with small changes: a capital at the start, a full stop at the end, curled quotation marks, `…` for what
they left out, a mended typing error. All of that is forgiven, and nothing else: the words have to be there, in their
order, and what counts is the stretch of the text itself, as it was typed.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from rapidfuzz.distance import OSA

from memsuggest.core.model import QUOTE_LIMIT
from memsuggest.core.text.words import plain, word_set

if TYPE_CHECKING:
    Stretch = tuple[int, int]

LONGEST = 4 * QUOTE_LIMIT
"""Characters of a quote that is looked for; an honest one is shorter."""
_WORDS_EACH = 2
"""Words of each piece of a quote with an ellipsis: single words stand anywhere."""
_FAR_APART = 3
"""Words of a piece that is evidence by itself, where the pieces stand too far apart for one citation."""
_WORDS_PER_TYPO = 4
_FEWEST_TO_MEND = 3
"""Words of a quote in which one may be mended."""
_SHORT, _LONG = 3, 4
"""Letters of the shorter and of the longer word of two that may differ by a letter."""
_ELLIPSIS = re.compile(r"\s*(?:[\[(]\s*(?:…|\.{3,})\s*[\])]|…|\.{3,})\s*")
_TOKEN = re.compile(
    r"""
      [\u3041-\u9fff\uac00-\ud7af]                                 # a letter of a script without spaces
    | (?: [^\W_\u3041-\u9fff\uac00-\ud7af] [\u0300-\u036f]* )+     # a word, accents typed apart included
      (?: ['’ʼ] (?: [^\W_] [\u0300-\u036f]* )+ )*                  # don't
    | [^\w\s]                                                      # a mark
    """,
    re.VERBOSE,
)
_LIGHT = frozenset("'’‘ʼ´\"“”„«»`*_~,;:.!?…()[]-–—。、，！？：；「」『』")
"""Marks that a quote may have or lack: they set words off, and mean little by themselves."""
_NEGATIONS = word_set(
    "no not nor none never nothing cannot cant dont doesnt didnt isnt arent wont shouldnt mustnt without"
    " nicht kein keine keinen nie niemals ohne ne pas jamais sans nunca sin não nao nem sem non mai senza"
)


class _Token(NamedTuple):
    word: str
    start: int
    end: int


def find_quote(quote: str, text: str, *, closed: Sequence[Stretch] = ()) -> list[Stretch]:
    """Return the stretches of a text that a quote stands for, none of them touching a `closed` one; else nothing.

    There are several where the quote leaves out more between its pieces than one citation can hold.

    >>> text = "oh, and pls never log the acces token"
    >>> [text[start:end] for start, end in find_quote("Never log the access token.", text)]
    ['never log the acces token']
    """
    quote = quote.strip()
    if not quote or len(quote) > LONGEST:
        return []
    found = _verbatim(quote, text, closed) or _spelt(quote, text, closed)
    return [_shortened(found)] if found else _in_pieces(quote, text, closed)


def _verbatim(quote: str, text: str, closed: Sequence[Stretch]) -> Stretch | None:
    pattern = re.compile(r"\s+".join(re.escape(word) for word in quote.split()))
    return next((one.span() for one in pattern.finditer(text) if _is_open(one.span(), closed)), None)


def _spelt(quote: str, text: str, closed: Sequence[Stretch]) -> Stretch | None:
    """Find a quote word for word; else with a few letters mended, where only one stretch comes into question."""
    wanted, tokens = _tokens(quote), _tokens(text)
    words = _words(text)
    missing = sum(one.word not in words for one in wanted)
    most_typos = -(-len(wanted) // _WORDS_PER_TYPO) if len(wanted) >= _FEWEST_TO_MEND else 0
    if not wanted or missing > 2 * most_typos:  # a word typed as two is missing twice; the rest is not worth a look
        return None
    same = [] if missing else list(_matches(wanted, tokens, most_typos=0))
    if same:
        return next((one for one in same if _is_open(one, closed)), None)
    near = list(_matches(wanted, tokens, most_typos=most_typos))
    return near[0] if len(near) == 1 and _is_open(near[0], closed) else None


def _in_pieces(quote: str, text: str, closed: Sequence[Stretch]) -> list[Stretch]:
    """Find what stands around the ellipses of a quote, one piece behind the other."""
    pieces = [piece for piece in _ELLIPSIS.split(quote) if _tokens(piece)]
    if len(pieces) < 2 or any(len(_tokens(piece)) < _WORDS_EACH for piece in pieces):
        return []
    found: list[Stretch] = []
    for piece in pieces:
        after = found[-1][1] if found else 0
        before = (0, after)  # the pieces stand in the order of the quote
        stretch = _verbatim(piece, text, (*closed, before)) or _spelt(piece, text, (*closed, before))
        if stretch is None:
            return []
        found.append(stretch)
    whole = (found[0][0], found[-1][1])
    if whole[1] - whole[0] <= QUOTE_LIMIT and _is_open(whole, closed):
        return [whole]
    return [_shortened(one) for one in found if len(_tokens(text[slice(*one)])) >= _FAR_APART]


def _is_open(stretch: Stretch, closed: Sequence[Stretch]) -> bool:
    return not any(start < stretch[1] and stretch[0] < end for start, end in closed)


def _shortened(stretch: Stretch) -> Stretch:
    return stretch[0], min(stretch[1], stretch[0] + QUOTE_LIMIT)


@lru_cache(maxsize=64)
def _tokens(text: str) -> tuple[_Token, ...]:
    """Cut a text into words and marks, folded, without the marks that a quote may have or lack."""
    return tuple(
        _Token(_folded(one[0]), *one.span())
        for one in _TOKEN.finditer(text)
        if not (len(one[0]) == 1 and one[0] in _LIGHT)
    )


@lru_cache(maxsize=64)
def _words(text: str) -> frozenset[str]:
    return frozenset(token.word for token in _tokens(text))


@lru_cache(maxsize=4096)
def _folded(word: str) -> str:
    """Return a word as it is compared: without case, width and apostrophes, chat spelling ("pls") written out."""
    return plain(unicodedata.normalize("NFKC", word)).casefold().replace("'", "")


def _matches(wanted: Sequence[_Token], tokens: Sequence[_Token], *, most_typos: int) -> Iterator[Stretch]:
    for at in range(len(tokens)):
        end = _walk(wanted, tokens, at, most_typos)
        if end:
            yield tokens[at].start, tokens[end - 1].end


def _walk(wanted: Sequence[_Token], tokens: Sequence[_Token], at: int, most_typos: int) -> int:
    """Return the place behind the last word of a match that begins at a place; 0 where none does."""
    place = typos = 0
    while place < len(wanted):
        step = _step(wanted, tokens, place, at, can_mend=typos < most_typos)
        if step is None:
            return 0
        typos += step != (1, 1, False)
        place += step[0]
        at += step[1]
    return at if typos < len(wanted) else 0  # nothing but typing errors is another text


def _step(
    wanted: Sequence[_Token], tokens: Sequence[_Token], place: int, at: int, *, can_mend: bool
) -> tuple[int, int, bool] | None:
    """Return how many words of both belong together next, and whether they were mended; None where none do."""
    if at >= len(tokens):
        return None
    one, other = wanted[place].word, tokens[at].word
    if one == other:
        return 1, 1, False
    if not can_mend:
        return None
    if at + 1 < len(tokens) and one == other + tokens[at + 1].word:  # "can not" for "cannot"
        return 1, 2, True
    if place + 1 < len(wanted) and other == one + wanted[place + 1].word:  # "alot"
        return 2, 1, True
    return (1, 1, True) if _is_typo(one, other) else None


def _is_typo(one: str, other: str) -> bool:
    """Tell if two words differ by a letter, or by two that changed places, so that they may be meant as one word."""
    lengths = sorted((len(one), len(other)))
    if lengths[0] < _SHORT or not (one.isalpha() and other.isalpha()) or OSA.distance(one, other, score_cutoff=1) > 1:
        return False
    if sorted(one) == sorted(other):
        return True
    if one in _NEGATIONS or other in _NEGATIONS:  # "note" and "ever" are words of their own, "nevr" is none
        return lengths[0] != lengths[1] and (one[0], one[-1]) == (other[0], other[-1])
    return lengths[1] >= _LONG
