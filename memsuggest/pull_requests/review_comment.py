"""The comments beside the lines of a pull request, from which a suggestion is committed with one click. Pure.

As in the comment below it, nothing but our own words is Markdown. A suggestion block is written out as it stands: what
is committed is what the block shows.
"""

from __future__ import annotations

import re

from memsuggest.core.render.safe_output import safe
from memsuggest.pull_requests.pull_request_comment import FOOT, LIMIT, fence_for, fenced, name_of, told, units
from memsuggest.pull_requests.pull_request_report import Block

MARKER = "<!-- memsuggest:block"
"""What each begins with, so that it is found again."""
PAST_MARKER = f"{MARKER} past"
"""What one begins with that is out of date."""
MOST_ABOVE = 100
"""Lines above its own that a block of GitLab's may change."""
OPENING = "memsuggest: rules that contributors told their coding assistants. Commit the ones you want."
"""The words of the review that brings them."""

_NAMES = re.compile(re.escape(MARKER) + r" (?:past|v1) ids=([0-9a-f,]{0,2000}) -->\n")
_PAST = "Outdated: the lines changed, a file already has the rule, or someone decided on it."


def block_body(block: Block, *, is_ranged: bool = False) -> str | None:
    """Return the comment of a block; None where its lines would not be what they look like, or it is too long.

    `is_ranged`: beside the last of its lines, the block itself says how many above belong to it, as GitLab has it.
    """
    above = block.change.last - block.change.first
    if is_ranged and above > MOST_ABOVE:
        return None
    text = "".join(f"{line}\n" for line in block.change.lines)
    if safe(text) != text:
        return None
    names = [name_of(proposal.suggestion) for proposal in block.proposals]
    fence = fence_for(text)
    parts = [
        f"{MARKER} v1 ids={','.join(names)} -->\n",
        *(
            f"**memsuggest** · `{name}`\n\n{fenced('text', told(one))}\n"
            for name, one in zip(names, block.proposals, strict=True)
        ),
        f"{fence}suggestion{f':-{above}+0' if is_ranged else ''}\n{text}{fence}\n\n{FOOT}\n",
    ]
    body = "".join(parts)
    return body if units(body) <= LIMIT else None


def past_body(body: str) -> str:
    """Return what a comment says once it is out of date: nothing is left in it to commit."""
    found = _NAMES.match(body)
    names = [name for name in found[1].split(",") if name] if found else []
    shown = " ".join(f"`{name}`" for name in names)
    return f"{PAST_MARKER} ids={','.join(names)} -->\n**memsuggest** · {shown}\n\n{_PAST}\n"
