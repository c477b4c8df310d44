"""The customization files that a host puts before the model for a source file, by which pattern, and why. Pure.

`vscode` is the local agent of VS Code; `github` is what GitHub documents for its cloud agent, code review and command
line; Claude Code and Cursor are told of for their own files. Agents, skills, prompts and hooks are chosen by other
means than a path, and left out.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from memsuggest.core.model import Target, TargetType
from memsuggest.customizations.applyto import is_unconditional, matching_pattern, why_different
from memsuggest.customizations.frontmatter import parse
from memsuggest.customizations.kinds import KindPlace, place_of
from memsuggest.customizations.vscode_settings import HostSettings

_CLAUDE, _CURSOR = "Claude Code", "Cursor"
_VSCODE_ROOT = ("agents.md", "claude.md", "claude.local.md", "copilot-instructions.md")
_GITHUB_ROOT = ("agents.md", "claude.md", "gemini.md", "copilot-instructions.md")


@dataclass(frozen=True, slots=True, kw_only=True)
class Loaded:
    """The hosts' loading of a file, and the pattern by which."""

    target: Target
    vscode: bool = False
    github: bool = False
    pattern: str | None = None
    """The first pattern that covers the source file, in the form of the host that it was found for."""
    warnings: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    """Other assistants that load it, as it is one of their own files."""


def loaded_for(
    path: str, targets: Iterable[Target], root: str, *, settings: HostSettings | None = None
) -> tuple[Loaded, ...]:
    """Say for every instructions file whether it is loaded for this source file (relative to the root, or absolute)."""
    instructions = [target for target in targets if target.type is TargetType.INSTRUCTIONS]
    base = root.replace("\\", "/").rstrip("/") + "/"
    path = path.replace("\\", "/").removeprefix(base).removeprefix("./")
    agents = [target.uri for target in instructions if target.always_on and target.uri.lower().endswith("agents.md")]
    above = [uri for uri in agents if not uri.startswith("~/") and path.startswith(uri[: -len("agents.md")])]
    question = _Question(path, root, settings or HostSettings(), max(above, key=len, default=None))
    return tuple(question.answer(target) for target in instructions)


class _Question(NamedTuple):
    path: str
    """The source file, relative to the root."""
    root: str
    settings: HostSettings
    nearest: str | None
    """The AGENTS.md that lies nearest above the source file; other files have no such order."""

    def answer(self, target: Target) -> Loaded:
        place = place_of(target.uri.removeprefix("~/"))
        if target.always_on and place:
            return self._always_on(target, place)
        kind = place.kind.name if place else ""
        if kind == "cursor-rules":
            found = self._pattern(target.applies_to, "github")
            warnings = () if found or target.applies_to else ("Cursor loads the file only when the model asks for it",)
            return Loaded(target=target, pattern=found, warnings=warnings, others=(_CURSOR,) if found else ())
        if kind != "rules" or place is None:
            return self._instructions(target, place)
        found = self._pattern(target.applies_to, "vscode") if self._is_read_by_vscode(target, place) else None
        by_claude = None if place.base else self._pattern(target.applies_to, "github")
        is_nearer = found is not None and not by_claude
        return Loaded(
            target=target,
            vscode=found is not None,
            pattern=found or by_claude,
            others=(_CLAUDE,) if by_claude else (),
            warnings=("Claude Code matches these patterns from the root only",) if is_nearer else (),
        )

    def _pattern(self, patterns: str | None, dialect: str) -> str | None:
        return matching_pattern(patterns, self.path, root=self.root, dialect=dialect)

    def _is_read_by_vscode(self, target: Target, place: KindPlace | None) -> bool:
        def is_in(path: str) -> bool:
            return target.uri == path or target.uri.startswith(f"{path}/")

        is_seen = place is None or place.is_seen_by_vscode or any(is_in(extra.path) for extra in self.settings.extras)
        return is_seen and self.settings.is_applying and not any(map(is_in, self.settings.disabled))

    def _instructions(self, target: Target, place: KindPlace | None) -> Loaded:
        apply_to = _apply_to(target.text)
        is_seen = self._is_read_by_vscode(target, place)
        covers = place is not None and (not place.base or self.path.startswith(f"{place.base}/"))
        for_vscode = self._pattern(apply_to, "vscode")
        for_github = self._pattern(target.applies_to, "github") if covers else None
        warnings: list[str] = []
        if apply_to is None and target.applies_to:
            warnings.append("VS Code ignores an `applyTo` that is a list")
        elif (for_vscode is None) != (for_github is None) and place:
            warnings += why_different(apply_to, self.path, self.root)
        if not self.settings.is_applying:
            warnings.append("VS Code does not attach files by pattern: `chat.includeApplyingInstructions` is off")
        elif not is_seen:
            warnings.append("VS Code does not search this folder")
        return Loaded(
            target=target,
            vscode=is_seen and for_vscode is not None,
            github=for_github is not None,
            pattern=(for_vscode if is_seen else None) or for_github,
            warnings=tuple(warnings),
        )

    def _always_on(self, target: Target, place: KindPlace) -> Loaded:
        name = target.uri.rpartition("/")[2].lower()
        is_agents, is_off = name == "agents.md", name in self.settings.names_off
        is_farther = is_agents and self.nearest not in (None, target.uri)
        vscode, pattern, warning = name in _VSCODE_ROOT and not is_off, target.applies_to, ""
        github = name in _GITHUB_ROOT and not target.uri.lower().startswith(".claude/") and not is_farther
        others = (_CLAUDE,) if name.startswith("claude") else ()
        if target.uri.startswith("~/"):
            github, pattern = target.uri.startswith("~/.copilot/"), "**"
            vscode = (github or target.uri.startswith("~/.claude/")) and not is_off
        elif not place.base:
            pattern = "**"
            if is_farther:
                because = "because that file is closer to the file being edited"
                warning = f"GitHub's agent uses `{self.nearest}` instead, {because}"
        elif not self.path.startswith(f"{place.base}/"):
            return Loaded(target=target)
        else:
            vscode = is_agents and self.settings.reads_nested_agents
            github = is_agents and self.nearest == target.uri
            if is_agents and not vscode:
                warning = "VS Code merely lists the file for the model, and only if `chat.useNestedAgentsMdFiles` is on"
            elif not is_agents and not others:
                warning = "in a subfolder, only the assistant that the file is named after reads it"
        warnings = (warning,) if warning else ()
        return Loaded(target=target, vscode=vscode, github=github, pattern=pattern, warnings=warnings, others=others)


@lru_cache(maxsize=1024)
def _apply_to(text: str) -> str | None:
    return parse(text).apply_to  # files are asked about for many paths


CHARACTERS_PER_TOKEN = 4
SMALLEST = 3_000
"""Tokens that any file may cost."""
ALWAYS_ON_BUDGET, TOTAL_BUDGET = 4_000, 10_000
"""Tokens of a file that is part of every request, and of all that is put before the model for one source file."""
_BUDGETS = {
    TargetType.INSTRUCTIONS: SMALLEST,
    TargetType.AGENT: 7_500,  # the cloud agent's own limit is 30,000 characters
    TargetType.SKILL: 5_000,
    TargetType.PROMPT: 5_000,
}
"""Tokens from which a file's cost is said, by its type; none of these is a limit of a host."""


class Cost(NamedTuple):
    """The cost of one file in tokens, against what it may cost; None for a kind that is not read into the context."""

    tokens: int
    budget: int | None

    @property
    def is_over(self) -> bool:
        return self.budget is not None and self.tokens > self.budget


def cost_of(target: Target, *, added: str = "") -> Cost:
    """Say what a file costs, with the text that is to be added to it; front matter is not read into the context.

    A hook is run and not read: it costs nothing.
    """
    if target.type is TargetType.HOOK:
        return Cost(0, None)
    body = target.text if target.always_on else parse(target.text).body or ""
    is_always_on = target.always_on or (target.type is TargetType.INSTRUCTIONS and is_unconditional(target.applies_to))
    budget = ALWAYS_ON_BUDGET if is_always_on else _BUDGETS.get(target.type)
    return Cost(-(-len(body + added) // CHARACTERS_PER_TOKEN), budget)


def total_for(loaded: Iterable[Loaded]) -> int:
    """Add up the tokens of what the hosts load for one source file; files with the same text count once."""
    targets = {found.target.text: found.target for found in loaded if found.vscode or found.github}
    return sum(cost_of(target).tokens for target in targets.values())
