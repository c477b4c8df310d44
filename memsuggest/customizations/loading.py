"""The customization files that a host puts before the model for a source file, by which pattern, and why. Pure.

`vscode` is the local agent of VS Code; `github` is what GitHub documents for its cloud agent, code review and command
line; Claude Code and Cursor are told of for their own files. Agents, skills, prompts and hooks are chosen by other
means than a path, and left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from memsuggest.core.model import Target, TargetType
from memsuggest.customizations.applyto import differences, is_unconditional, matching_pattern
from memsuggest.customizations.frontmatter import parse
from memsuggest.customizations.kinds import KindPlace, place_of
from memsuggest.customizations.vscode_settings import HostSettings


@dataclass(frozen=True, slots=True, kw_only=True)
class Loaded:
    """The hosts' loading of a file, and the pattern by which."""

    target: Target
    vscode: bool
    github: bool
    pattern: str | None = None
    """The first pattern that covers the source file, in the form of the host that it was found for."""
    warnings: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    """Other assistants that load it, as it is one of their own files."""

    @property
    def is_loaded(self) -> bool:
        """Tell whether any host loads it."""
        return self.vscode or self.github


@dataclass(frozen=True, slots=True, kw_only=True)
class _Question:
    path: str
    """The source file, relative to the root."""
    root: str
    settings: HostSettings
    always_on: tuple[str, ...]


def loaded_for(
    path: str, targets: Iterable[Target], root: str, *, settings: HostSettings | None = None
) -> tuple[Loaded, ...]:
    """Say for every instructions file whether it is loaded for this source file (relative to the root, or absolute)."""
    instructions = [target for target in targets if target.type is TargetType.INSTRUCTIONS]
    question = _Question(
        path=_relative(path, root),
        root=root,
        settings=settings or HostSettings(),
        always_on=tuple(target.uri for target in instructions if target.always_on),
    )
    return tuple(_answer(target, question) for target in instructions)


def _relative(path: str, root: str) -> str:
    path, base = path.replace("\\", "/"), root.replace("\\", "/").rstrip("/") + "/"
    return path.removeprefix(base).removeprefix("./")


def _answer(target: Target, question: _Question) -> Loaded:
    place = place_of(target.uri.removeprefix("~/"))
    if target.always_on and place:
        return _always_on(target, place, question)
    if place and place.kind.name == "cursor-rules":
        return _cursor_rules(target, question)
    if place and place.kind.name == "rules":
        return _rules(target, place, question)
    return _instructions(target, place, question)


def _pattern(patterns: str | None, question: _Question, dialect: str) -> str | None:
    return matching_pattern(patterns, question.path, root=question.root, dialect=dialect)


def _is_off(uri: str, settings: HostSettings) -> bool:
    return any(uri == path or uri.startswith(f"{path}/") for path in settings.disabled)


def _is_read_by_vscode(target: Target, place: KindPlace | None, question: _Question) -> bool:
    if _is_off(target.uri, question.settings):
        return False
    is_named = any(
        target.uri == extra.path or target.uri.startswith(f"{extra.path}/") for extra in question.settings.extras
    )
    return place is None or place.is_seen_by_vscode or is_named


@lru_cache(maxsize=1024)
def _apply_to(text: str) -> str | None:
    """Return a file's own `applyTo`; files are asked about for many paths."""
    return parse(text).apply_to


def _instructions(target: Target, place: KindPlace | None, question: _Question) -> Loaded:
    apply_to = _apply_to(target.text)
    is_attached = question.settings.is_applying
    is_seen = _is_read_by_vscode(target, place, question) and is_attached
    is_profile = place is None
    covers = not place or not place.base or question.path.startswith(f"{place.base}/")
    for_vscode = _pattern(apply_to, question, "vscode")
    for_github = None if is_profile or not covers else _pattern(target.applies_to, question, "github")
    warnings: list[str] = []
    if apply_to is None and target.applies_to:
        warnings.append("VS Code ignores an `applyTo` that is a list")
    elif (for_vscode is None) != (for_github is None) and not is_profile:
        warnings += [difference.why for difference in differences(apply_to, [question.path], question.root)]
    if not is_attached:
        warnings.append(_NOT_APPLYING)
    elif not is_seen:
        warnings.append("VS Code does not search this folder")
    return Loaded(
        target=target,
        vscode=is_seen and for_vscode is not None,
        github=for_github is not None,
        pattern=(for_vscode if is_seen else None) or for_github,
        warnings=tuple(warnings),
    )


def _cursor_rules(target: Target, question: _Question) -> Loaded:
    found = _pattern(target.applies_to, question, "github")
    warnings = () if found or target.applies_to else ("Cursor's model requests it by its description",)
    others = (_CURSOR,) if found else ()
    return Loaded(target=target, vscode=False, github=False, pattern=found, warnings=warnings, others=others)


_NOT_APPLYING = "VS Code does not attach files by pattern: `chat.includeApplyingInstructions` is off"
_CLAUDE, _CURSOR = "Claude Code", "Cursor"


def _rules(target: Target, place: KindPlace, question: _Question) -> Loaded:
    found = _pattern(target.applies_to, question, "vscode")
    is_loaded = found is not None and _is_read_by_vscode(target, place, question) and question.settings.is_applying
    by_claude = None if place.base else _pattern(target.applies_to, question, "github")
    pattern = (found if is_loaded else None) or by_claude
    others = (_CLAUDE,) if by_claude else ()
    warnings = ("Claude Code matches patterns from the root",) if is_loaded and not by_claude else ()
    return Loaded(target=target, vscode=is_loaded, github=False, pattern=pattern, warnings=warnings, others=others)


_VSCODE_ROOT = ("agents.md", "claude.md", "claude.local.md", "copilot-instructions.md")
_GITHUB_ROOT = ("agents.md", "claude.md", "gemini.md", "copilot-instructions.md")


def _always_on(target: Target, place: KindPlace, question: _Question) -> Loaded:
    name = target.uri.rpartition("/")[2].lower()
    if target.uri.startswith("~/"):
        vscode = target.uri.startswith(("~/.claude/", "~/.copilot/")) and name not in question.settings.names_off
        by_github, others = target.uri.startswith("~/.copilot/"), _by_claude(name)
        return Loaded(target=target, vscode=vscode, github=by_github, pattern="**", others=others)
    if place.base:
        return _nested(target, place, question, name)
    vscode = name in _VSCODE_ROOT and name not in question.settings.names_off
    is_in_claude = target.uri.lower().startswith(".claude/")
    nearer = _nearest(name, question)
    warnings = [f"GitHub's agent uses the nearer `{nearer}`"] if nearer not in (None, target.uri) else []
    github = name in _GITHUB_ROOT and not is_in_claude and not warnings
    return Loaded(
        target=target, vscode=vscode, github=github, pattern="**", warnings=tuple(warnings), others=_by_claude(name)
    )


def _by_claude(name: str) -> tuple[str, ...]:
    return (_CLAUDE,) if name.startswith("claude") else ()


def _nested(target: Target, place: KindPlace, question: _Question, name: str) -> Loaded:
    if not question.path.startswith(f"{place.base}/"):
        return Loaded(target=target, vscode=False, github=False)
    is_agents = name == "agents.md"
    warnings = []
    if is_agents and not question.settings.reads_nested_agents:
        warnings.append("VS Code only lists it, and only if `chat.useNestedAgentsMdFiles` is on")
    elif not is_agents and not _by_claude(name):
        warnings.append("in a subfolder, only the assistant it is named after reads it")
    return Loaded(
        target=target,
        vscode=is_agents and question.settings.reads_nested_agents,
        github=is_agents and _nearest(name, question) == target.uri,
        pattern=target.applies_to,
        warnings=tuple(warnings),
        others=_by_claude(name),
    )


def _nearest(name: str, question: _Question) -> str | None:
    """Return the AGENTS.md that lies nearest above the source file; other files have no such order."""
    if name != "agents.md":
        return None
    above: Sequence[str] = [
        uri
        for uri in question.always_on
        if uri.lower().endswith("agents.md")
        and not uri.startswith("~/")
        and question.path.startswith(uri[: -len("agents.md")])
    ]
    return max(above, key=len, default=None)


CHARACTERS_PER_TOKEN = 4
SMALLEST = 3_000
"""Tokens that any file may cost."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextBudgets:
    """Limits of tokens from which a file's cost is said; none of these is a limit of a host."""

    always_on: int = 4_000
    """A file that is part of every request."""
    by_type: tuple[tuple[TargetType, int], ...] = (
        (TargetType.INSTRUCTIONS, SMALLEST),
        (TargetType.AGENT, 7_500),  # the cloud agent's own limit is 30,000 characters
        (TargetType.SKILL, 5_000),
        (TargetType.PROMPT, 5_000),
    )
    total: int = 10_000
    """All that is put before the model for one source file."""

    def of(self, target: Target) -> int | None:
        """Return the budget of one file; None for a kind that is not read into the context."""
        if target.always_on or (target.type is TargetType.INSTRUCTIONS and is_unconditional(target.applies_to)):
            return self.always_on
        return dict(self.by_type).get(target.type)


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """The cost of one file, against what it may cost."""

    uri: str
    tokens: int
    budget: int | None

    @property
    def is_over(self) -> bool:
        """Tell whether it is past its budget."""
        return self.budget is not None and self.tokens > self.budget


@dataclass(frozen=True, slots=True, kw_only=True)
class Total:
    """The files that are put before the model for one source file, dearest first."""

    costs: tuple[Cost, ...]
    budget: int

    @property
    def tokens(self) -> int:
        """The sum."""
        return sum(cost.tokens for cost in self.costs)

    @property
    def is_over(self) -> bool:
        """Tell whether the sum is past its budget."""
        return self.tokens > self.budget


DEFAULT_BUDGETS = ContextBudgets()


def token_cost_of(text: str) -> int:
    return -(-len(text) // CHARACTERS_PER_TOKEN)


def cost_of(target: Target, *, added: str = "", budgets: ContextBudgets = DEFAULT_BUDGETS) -> Cost:
    """Say what a file costs, with the text that is to be added to it; front matter is not read into the context.

    A hook is run and not read: it costs nothing.
    """
    if target.type is TargetType.HOOK:
        return Cost(uri=target.uri, tokens=0, budget=None)
    body = target.text if target.always_on else parse(target.text).body or ""
    return Cost(uri=target.uri, tokens=token_cost_of(body + added), budget=budgets.of(target))


def total_for(loaded: Iterable[Loaded], *, budgets: ContextBudgets = DEFAULT_BUDGETS) -> Total:
    """Add up what the hosts load for one source file; a file with the same text as another counts once."""
    texts: dict[str, Cost] = {}
    for one in loaded:
        if one.is_loaded:
            texts.setdefault(one.target.digest or one.target.text, cost_of(one.target, budgets=budgets))
    costs = tuple(sorted(texts.values(), key=lambda cost: (-cost.tokens, cost.uri)))
    return Total(costs=costs, budget=budgets.total)
