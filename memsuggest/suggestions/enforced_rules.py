"""Lines that tell an assistant what the repository's formatter or linter sees to anyway, or undoes. Pure.

A line that is enforced is not wrong: it costs tokens. So only a whole item goes, of which nothing would be missed.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from memsuggest.customizations.blocks.line_kinds import split_lines
from memsuggest.customizations.blocks.passages import PassageKind, passages
from memsuggest.customizations.lint.budget import token_cost_of
from memsuggest.customizations.lint.style_rules import read_style_rule
from memsuggest.model import Cause, TargetType
from memsuggest.suggestions.maintenance import made

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from memsuggest.customizations.blocks.passages import Passage
    from memsuggest.customizations.lint.style_rules import StyleRule
    from memsuggest.customizations.lint.style_settings import Enforced
    from memsuggest.model import MemorySuggestion, Target

_LANGUAGE_OF = {
    **dict.fromkeys(("js", "jsx", "ts", "tsx", "mjs", "cjs", "mts", "cts", "vue", "svelte"), "js"),
    "py": "python",
    "rs": "rust",
    "go": "go",
    "java": "java",
    "kt": "kotlin",
    "cs": "csharp",
    "rb": "ruby",
    "php": "php",
    "swift": "swift",
    "c": "c",
    "cc": "c",
    "cpp": "c",
    "h": "c",
    "scala": "scala",
    "dart": "dart",
}
_FORMATTED = frozenset({"quotes", "semicolons", "indent", "trailing commas"})
"""Matters in which a formatter lets nothing else stand."""
_NEARLY_ALL = 0.9
"""Share of a repository's code from which a rule that names no language is about the one that there is."""


def has_style_rules(targets: Iterable[Target]) -> bool:
    """Tell whether any file has a rule of that kind: only then the configuration needs to be read."""
    return any(True for target in targets for _ in _rules(target))


def only_language(paths: Iterable[str]) -> str:
    """Return the language of nearly all code of a repository; empty where there are several."""
    counts = Counter(_LANGUAGE_OF.get(path.rpartition(".")[2].lower(), "") for path in paths)
    del counts[""]
    most = counts.most_common(1)
    return most[0][0] if most and most[0][1] >= _NEARLY_ALL * counts.total() else ""


def of_enforced(target: Target, enforced: Sequence[Enforced], *, language: str) -> Iterator[MemorySuggestion]:
    """Suggest taking out the items that a configuration enforces; `language` is that of a rule that names none."""
    for passage, rule in _rules(target):
        about = [one for one in enforced if one.matter == rule.matter and _is_for(one, rule, language)]
        same = next((one for one in about if one.value == rule.value), None)
        if same:
            tokens = token_cost_of(passage.written)
            content = f"`{same.path}` enforces this already: `{same.setting}`"
            why = f"nothing is wrong with it; the line costs about {tokens} tokens each time the file is loaded"
            yield _without(target, passage, cause=Cause.ENFORCED, content=content, why=why)
        elif about and rule.matter in _FORMATTED:
            content = f"`{about[0].path}` says otherwise: `{about[0].setting}`"
            why = "the formatter undoes what this line asks for"
            yield _without(target, passage, cause=Cause.CONTRADICTION, content=content, why=why)


def _without(target: Target, passage: Passage, *, cause: Cause, content: str, why: str) -> MemorySuggestion:
    lines = split_lines(target.text)
    after = "".join([*lines[: passage.start], *lines[passage.end :]])
    return made(target, cause=cause, name=str(cause), content=content, why=why, after=after)


def _is_for(one: Enforced, rule: StyleRule, language: str) -> bool:
    return not one.language or one.language == (rule.language or language)


def _rules(target: Target) -> Iterator[tuple[Passage, StyleRule]]:
    if target.type is TargetType.INSTRUCTIONS and not target.uri.startswith("~/"):
        for passage in passages(target.text):
            rule = read_style_rule(passage.text) if passage.kind is PassageKind.ITEM and passage.is_whole else None
            if rule:
                yield passage, rule
