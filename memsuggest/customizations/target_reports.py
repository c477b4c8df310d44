"""The printed results of `memsuggest targets` and `suggest`: customization files, and places for a rule."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

from memsuggest.core.json_shape import Key, four_digits
from memsuggest.core.model import Scope, Skipped, TargetType
from memsuggest.core.render.page import FAINT, HEAD, PATH, WARN, Page, count, sentence, show_diff, show_skipped
from memsuggest.core.render.safe_output import one_line

_HOSTS = {"vscode": "VS Code", "github": "GitHub Copilot"}


@dataclass(frozen=True, slots=True, kw_only=True)
class TargetRow:
    """A customization file."""

    JSON_NAME = "Target"
    type: TargetType
    path: Annotated[str, "Path relative to the root, or starting with `~/`."]
    title: str
    description: str
    applies_to: Annotated[str | None, "The `applyTo` patterns as assistants read them; `**` matches every file."]
    scope: Annotated[Scope, "Who the file applies to."]
    tokens: Annotated[int, "Approximate token cost of the file."]
    matches: Annotated[Mapping[str, bool] | None, "With `--for`: for each assistant, whether it loads the file."] = None
    pattern: Annotated[str | None, "With `--for`: the pattern that matches."] = None
    others: Annotated[tuple[str, ...], "With `--for`: other assistants that load the file.", Key("loadedBy")] = ()
    warnings: Annotated[tuple[str, ...], "Problems in the file."] = ()

    @property
    def is_loaded(self) -> bool:
        return bool(self.others) or any((self.matches or {}).values())

    def show(self, page: Page) -> None:
        page.line(f"{self.type:<13} ", (self.path, PATH), (f"  {one_line(self.title)}" if self.title else "", HEAD))
        details = ["executed, not read" if self.type is TargetType.HOOK else f"about {self.tokens:,} tokens"]
        if self.applies_to:
            details.append(f"applyTo {self.applies_to}")
        if self.matches is not None:
            yes = [_HOSTS[dialect] for dialect, matches in self.matches.items() if matches] + list(self.others)
            details.append(f"loaded by {', '.join(yes)} ({self.pattern})" if yes else "not loaded")
        page.faint(" " * 14 + " · ".join(details))
        for warning in self.warnings:
            page.line((" " * 14 + warning, WARN))


@dataclass(frozen=True, slots=True, kw_only=True)
class TargetRows:
    """The customization files."""

    JSON_NAME = "Targets"
    source_file: Annotated[str | None, "The file given with `--for`.", Key("file")] = None
    tokens: Annotated[int, "Approximate token cost of all files or, with `--for`, of all loaded files."] = 0
    budget: Annotated[int | None, "The token budget."] = None
    rows: Annotated[tuple[TargetRow, ...], Key("targets")]
    skipped: tuple[Skipped, ...] = ()

    def show(self, page: Page) -> None:
        for row in self.rows:
            row.show(page)
        files = count(len(self.rows), "file", "files")
        if self.source_file is None:
            page.faint(f"{files} in total, about {self.tokens:,} tokens")
        else:
            loaded = sum(row.is_loaded for row in self.rows)
            page.faint(f"{loaded} of {files} loaded for {self.source_file}, about {self.tokens:,} tokens")
        if self.budget is not None and self.tokens > self.budget:
            over = f"over the budget of {self.budget:,}; every request about this file includes these tokens"
            page.line((over, WARN))
        show_skipped(page, self.skipped)


@dataclass(frozen=True, slots=True, kw_only=True)
class RankedPlace:
    """One place for a rule."""

    JSON_NAME = "Place"
    target_type: TargetType
    path: str
    heading: Annotated[str | None, "The heading above the new line."]
    score: Annotated[float, "Score of the place, meaningful only relative to other places.", four_digits]
    why: str
    diff: Annotated[str, "The edit as a unified diff."]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranking:
    """Places for a rule, best first."""

    content: Annotated[str, "The rule."]
    places: Annotated[tuple[RankedPlace, ...], "Places for the rule, best first.", Key("ranked")]

    def show(self, page: Page) -> None:
        for number, place in enumerate(self.places, 1):
            heading = f" › {place.heading}" if place.heading else ""
            page.line(f"{number}. ", (f"{place.path}{heading}", PATH), (f"  {place.score:.2f}", FAINT))
            page.faint(f"   {sentence(place.why)}")
        if self.places:
            page.line()
            show_diff(page, self.places[0].diff)
