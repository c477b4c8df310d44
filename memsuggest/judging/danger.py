"""Danger: whether a rule weakens safety, by its own words or by those that it was taken from."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from memsuggest.core.identity import hash_of
from memsuggest.core.model import Citation

if TYPE_CHECKING:
    from memsuggest.customizations.kept_index import Keep

QUOTES = 3  # quotes that are looked at: a fact may have thousands, most of them in the same words


def danger_in(text: str) -> str:
    """Say how a text would weaken safety, or nothing."""
    from memsuggest.judging.safety import weakens_safety  # its patterns are loaded only where nothing is kept

    return weakens_safety(text)


def danger_of_rule(content: str, citations: Sequence[Citation], keep: Keep) -> str:
    """Say how a rule would weaken safety, or nothing; a mark that was cut off its words may tell ("from now on").

    `keep` has what was said of the same words before.
    """
    texts = dict.fromkeys((content, *(citation.quote for citation in citations[:QUOTES])))
    return next(filter(None, (keep("danger", hash_of(said), "", partial(danger_in, said)) for said in texts)), "")
