"""The rules that stand in a customization file: items and paragraphs that say how something is to be. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from memsuggest.core.identity import hash_of, normalised
from memsuggest.core.model import Target
from memsuggest.customizations.blocks.block import BlockKind
from memsuggest.customizations.kept_index import made_anew
from memsuggest.files import digest_of
from memsuggest.judging.offline.forms import plainness
from memsuggest.suggestions.existing_rules import ExistingRule, existing_rules_of

if TYPE_CHECKING:
    from memsuggest.customizations.kept_index import Keep

_KINDS = (BlockKind.ITEM, BlockKind.PARAGRAPH)
_FEWEST, _LONGEST = 2, 120  # words of a rule


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleLine:
    """A rule of a file."""

    id: str
    uri: str
    line: int
    """From 1."""
    last: int
    """Its last line, from 1."""
    text: str
    """What it says, without marks, with "never" before it where its list is of things not to do."""
    raw: str
    """Its words in the file, on one line."""
    heading: str


def rule_lines_of(target: Target, *, keep: Keep = made_anew) -> list[RuleLine]:
    """Return the rules of a file, in its order; what merely tells or introduces is none."""
    key = target.digest or digest_of(target.text)
    rows = keep("rules", target.uri, key, lambda: [asdict(rule) for rule in _rules_in(target, keep)])
    return [RuleLine(**row) for row in rows]


def _rules_in(target: Target, keep: Keep) -> list[RuleLine]:
    headings = {start: section.heading for section in target.sections for start in range(section.start, section.end)}
    found: dict[int, list[ExistingRule]] = {}
    for rule in existing_rules_of(target, keep=keep):
        if rule.block.kind in _KINDS:
            found.setdefault(rule.line, []).append(rule)
    rules: dict[str, RuleLine] = {}
    for line, parts in found.items():
        whole = parts[0]
        if not _is_rule(parts):
            continue
        name = hash_of("rule", target.uri, normalised(whole.raw))
        rules.setdefault(
            name,
            RuleLine(
                id=name,
                uri=target.uri,
                line=line,
                last=whole.block.end,
                text=whole.text,
                raw=whole.raw,
                heading=headings.get(line - 1, ""),
            ),
        )
    return list(rules.values())


def _is_rule(parts: Iterable[ExistingRule]) -> bool:
    return any(
        _FEWEST <= len(part.text.split()) <= _LONGEST and not part.raw.endswith(":") and _says_how(part.text)
        for part in parts
    )


def _says_how(text: str) -> bool:
    return plainness(text) > 0
