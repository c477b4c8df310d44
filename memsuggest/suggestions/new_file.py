"""New customization files: their names, their heads, their first rule. Pure.

Names are ours, never a fact's: a slug of its rarer words (SECURITY.md T11).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from memsuggest.customizations.portable import infer
from memsuggest.memory.wording import read_wording
from memsuggest.model import Kind, MemoryFact, Scope
from memsuggest.suggestions.style import one_line

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

SLUG_LIMIT = 40
AGENTS_MD = "AGENTS.md"
_NOT_SLUG = re.compile(r"[^a-z0-9]+")
_TOPICS = {
    "testing": "test tests tested testing mock mocks fixture coverage snapshot pytest jest vitest",
    "commits": "commit commits commit-message changelog",
    "tooling": "npm pnpm yarn bun uv pip poetry cargo make install lockfile package dependency dependencies",
    "style": "indent indentation tabs spaces quotes naming name names camelcase snake_case format formatting lint",
    "database": "database sql migration migrations schema query queries",
    "api": "api endpoint endpoints route routes http rest graphql",
    "documentation": "docs documentation readme docstring docstrings comment comments",
    "security": "secret secrets token auth password permission permissions",
    "logging": "log logs logger logging",
    "writing": "answer answers reply explain explanation concise english language tone",
}
"""What new files are about, and the words that say so."""


def topic_of(content: str) -> str:
    """Return what a rule is about, as a slug: a common topic, or its two weightiest words."""
    words = set(re.findall(r"[\w-]+", content.lower()))
    scores = {topic: len(words & set(cues.split())) for topic, cues in _TOPICS.items()}
    best = max(scores, key=lambda topic: scores[topic])
    if scores[best]:
        return best
    heavy = [term.word for term in read_wording(content).terms if term.weight >= 1 and not term.is_number]
    return slug("-".join(heavy[:2])) or "conventions"


def slug(text: str) -> str:
    """Return a text as a file name of ours: lower case, digits and dashes, at most 40 characters."""
    return _NOT_SLUG.sub("-", text.lower()).strip("-")[:SLUG_LIMIT].strip("-")


def new_file(fact: MemoryFact, *, paths: Iterable[str], taken: Collection[str], has_always_on: bool) -> tuple[str, str]:
    """Return the name and the text of a new file that holds a fact."""
    if fact.scope is Scope.USER:
        return _instructions(fact, folder="~/.copilot/instructions", apply_to="**", taken=taken)
    if fact.kind in {Kind.PROCEDURE, Kind.SKILL}:
        return _skill(fact, taken=taken)
    apply_to = infer(paths)
    if apply_to is None and not has_always_on:
        return AGENTS_MD, f"# Instructions for agents\n\n## Conventions\n\n- {one_line(fact.content)}\n"
    return _instructions(fact, folder=".github/instructions", apply_to=apply_to or "**", taken=taken)


def _instructions(fact: MemoryFact, *, folder: str, apply_to: str, taken: Collection[str]) -> tuple[str, str]:
    topic = topic_of(fact.content)
    uri = _free(lambda name: f"{folder}/{name}.instructions.md", topic, taken)
    title = topic.replace("-", " ").capitalize()
    about = (
        f"Use when working on {title.lower()}" if fact.scope is Scope.WORKSPACE else f"My own habits: {title.lower()}"
    )
    head = f'---\ndescription: "{about}"\napplyTo: "{apply_to}"\n---\n'
    return uri, f"{head}\n# {title}\n\n- {one_line(fact.content)}\n"


def _skill(fact: MemoryFact, *, taken: Collection[str]) -> tuple[str, str]:
    heavy = [term.word for term in read_wording(fact.content).terms if term.weight >= 1 and not term.is_number]
    name = slug("-".join(heavy[:3])) or topic_of(fact.content)
    uri = _free(lambda free: f".github/skills/{free}/SKILL.md", name, taken)
    name = uri.split("/")[-2]
    title = name.replace("-", " ").capitalize()
    head = f'---\nname: {name}\ndescription: "Use when the task is about {title.lower()}"\n---\n'
    return uri, f"{head}\n# {title}\n\n## Steps\n\n1. {one_line(fact.content)}\n"


def _free(path: object, name: str, taken: Collection[str]) -> str:
    lowered = {uri.lower() for uri in taken}
    number = 1
    while True:
        uri: str = path(name if number == 1 else f"{name}-{number}")  # type: ignore[operator]
        if uri.lower() not in lowered:
            return uri
        number += 1
