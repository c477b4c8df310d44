"""A rule as a line: without what was said around it, and in the manner of the lines around it. Pure."""

from __future__ import annotations

import re
import textwrap
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import partial
from itertools import pairwise

from memsuggest.core.text.words import form, word_set
from memsuggest.customizations.blocks.line_kinds import bare
from memsuggest.customizations.blocks.scan import Block, BlockKind
from memsuggest.customizations.blocks.sections import Layout
from memsuggest.suggestions.placement.content_safety import OPENING, pieces

_form = partial(form, __package__, "line_format")
_SHOUTED = re.compile(r"!{1,5}$")
_END = 60
"""Characters in which a rule ends."""
_LEFT = 2
"""Words that must be left of a rule."""
_TIMES = 6


_REDACTED = re.compile(r"\[REDACTED(?::[\w-]{1,40})?\]")
_CLAUSE = re.compile(
    r"(?P<end>[.;!?](?=\s|$)|,(?=\s)|\s[\u2013\u2014-](?=\s)|\s(?=(?:with|using|and|but|because|via|e\.g\.|mit|und)\s))"
)


def without_redacted(rule: str) -> str:
    """Return a rule without the clauses from which something secret was taken out; empty where nothing is left.

    >>> without_redacted("Deploy with the script, the token is [REDACTED:secret].")
    'Deploy with the script.'
    """
    if _REDACTED.search(rule) is None:
        return rule
    parts = _CLAUSE.split(rule)
    clauses = list(zip(parts[::2], [*parts[1::2], ""], strict=True))
    kept = "".join(f"{text}{end}" for text, end in clauses if _REDACTED.search(text) is None)
    kept = kept.strip().rstrip(",;").rstrip()
    end = "." if rule.rstrip().endswith(".") and not kept.endswith((".", "!", "?")) else ""
    return f"{kept}{end}" if _is_enough(kept) else ""


def as_rule(content: str) -> str:
    """Return the rule without address, courtesy and emphasis around it.

    >>> as_rule("no no, please always use pnpm in this repo, ok?")
    'always use pnpm'
    """
    rule = content.strip()
    for _ in range(_TIMES):
        begun = _form("before").match(rule)
        if begun is None or not _is_enough(rule[begun.end() :]):
            break
        rule = rule[begun.end() :]
    for _ in range(_TIMES):
        shorter = _without_end(rule, _form("after"))
        if shorter == rule or not _is_enough(shorter):
            break
        rule = shorter.rstrip()
    here = _without_end(rule, _form("here"), r"\g<end>")
    return _without_end(here if _is_enough(here) else rule, _SHOUTED) or content


def _without_end(rule: str, form: re.Pattern[str], kept: str = "") -> str:
    return rule[:-_END] + form.sub(kept, rule[-_END:], count=1)


def _is_enough(rule: str) -> bool:
    return len(rule.split()) >= _LEFT


NARROWEST, WIDEST = 60, 120
"""Columns between which a file counts as wrapped."""
_KEPT = "\x1f"
"""Stands for the spaces of code spans while lines are broken: no text that gets here holds it."""
_LOWER_NAMES = word_set(
    "npm pnpm yarn npx bun deno node uv pip pipx poetry pdm conda hatch tox nox cargo go rustc gcc cmake make just git"
    " curl docker kubectl helm terraform bash sh zsh sudo pytest unittest jest vitest mocha cypress playwright mypy"
    " ruff black isort flake8 pylint pyright eslint prettier biome tsc webpack vite rollup esbuild gradle mvn dotnet"
)
"""Tools whose names begin with a small letter wherever they stand."""
_WORD = re.compile(r"[a-zà-öø-ÿ]+(?:['’-][a-z]+)?(?=[\s,:]|$)")
_INITIAL = re.compile(r"[*_~\"'“(\[]*(\w)")


def begin_like(content: str, neighbours: Sequence[str], *, code: str = "") -> str:
    """Return the words with a capital first letter, unless most neighbours have none, or a name comes first.

    What stands as `code` (in code spans around) is a name, and is spelled as it is.
    """
    word = _WORD.match(content)
    if not word or word.group() in _LOWER_NAMES or re.search(rf"`{re.escape(word.group())}\b", code):
        return content
    initials = [found[1] for found in map(_INITIAL.match, neighbours) if found and found[1].isalpha()]
    is_small = sum(letter.islower() for letter in initials) * 2 > len(initials)
    return content if is_small else content[0].upper() + content[1:]


def end_like(content: str, neighbours: Sequence[str]) -> str:
    """Return the words with or without a final period, as most neighbours have it."""
    is_open = content[-1:].isalnum() or content[-1:] in {"`", ")", "."}
    if not neighbours or not is_open or content.endswith(("...", "etc.")):
        return content
    with_period = sum(text.rstrip().endswith((".", ".**", ".)")) for text in neighbours)
    if 2 * with_period > len(neighbours):
        return content if content.endswith(".") else f"{content}."
    return content.removesuffix(".") if ". " not in content else content


_LEAD_IN = re.compile(r"(?P<mark>\*\*|__)(?P<name>[^*_\n]{1,60}?)(?P<inner>[:.]?)(?P=mark)(?P<outer>:| [-–—](?= )|)\s")


def lead_in_of(text: str) -> str:
    found = _LEAD_IN.match(text)
    return found.group() if found and (found["inner"] or found["outer"]) else ""


def line_end(lines: Iterable[str]) -> str:
    ends = Counter("\r\n" if line.endswith("\r\n") else "\n" for line in lines if line.endswith("\n"))
    return ends.most_common(1)[0][0] if ends else "\n"


def wrap_width(found: Layout, near: Sequence[Block] = ()) -> int | None:
    """Return the column at which lines are broken, in the items nearby if they tell, else in the file, if any."""
    if any(len(bare(found.lines[item.start])) > WIDEST for item in near):
        return None
    texts = [block for block in found.blocks if block.kind in (BlockKind.ITEM, BlockKind.PARAGRAPH)]
    for blocks in (near, texts):
        rows = [[bare(line) for line in found.lines[block.start : block.end]] for block in blocks]
        longest = max((len(line) for lines in rows for line in lines), default=0)
        # Of each line that goes on in the next one, its length and that of the word that did not fit.
        broken = [
            (len(line), len(words[0]))
            for lines in rows
            for line, following in pairwise(lines)
            if (words := following.split())
        ]
        width = max((length for length, _ in broken), default=0)
        are_full = sum(length + 1 + following > 0.8 * width for length, following in broken)
        if len(broken) >= 2 and longest <= min(WIDEST, width + 8) and 3 * are_full >= 2 * len(broken):
            return max(width, NARROWEST)
    return None


def as_item(content: str, *, lead: str, hang: int, width: int | None) -> list[str]:
    """Return the lines of a list item, without ends: `lead` before the first, `hang` columns before the others."""
    line = lead + content
    if width is None or len(line) <= width:
        return [line]
    rows = textwrap.wrap(
        "".join(text.replace(" ", _KEPT) if is_code else text for text, is_code in pieces(content)),
        width=width,
        initial_indent=lead,
        subsequent_indent=" " * hang,
        break_long_words=False,
        break_on_hyphens=False,
    )
    rows = [row.replace(_KEPT, " ") for row in rows]
    # A further line that looks like the beginning of a block would be one.
    return [line] if any(OPENING.match(row.strip()) for row in rows[1:]) else rows


def lead_of(item: Block, first_line: str, *, step: int = 1) -> tuple[str, int]:
    """Return what stands before the words of the item after this one, and the column that its words begin at."""
    indent = first_line[: len(first_line) - len(first_line.lstrip("\ufeff \t"))].lstrip("\ufeff")
    mark = item.mark
    if item.number is not None:
        mark = f"{item.number + step}{item.mark[-1]}"
        mark = mark.zfill(len(item.mark)) if item.mark.startswith("0") else mark
    after = first_line.lstrip("\ufeff \t")[len(item.mark) :]
    gap = after[: len(after) - len(after.lstrip(" \t"))].rstrip("\r\n") or " "
    longer = len(mark) - len(item.mark)
    if longer > 0 and len(gap) > longer:
        gap = gap[longer:]
    lead = f"{indent}{mark}{gap}"
    return (f"{lead}[ ] " if item.task else lead), len(lead.expandtabs(4))
