"""The customization files of a scope, indexed once so that many rules can be ranked against them. Pure."""

from __future__ import annotations

import math
import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from memsuggest.core.model import Section, Target, TargetType
from memsuggest.core.text.stems import stemmer_of
from memsuggest.core.text.words import STOP_WORDS, main_language
from memsuggest.customizations.applyto import is_unconditional
from memsuggest.customizations.blocks.scan import BlockKind
from memsuggest.customizations.blocks.sections import layout
from memsuggest.customizations.kept_index import made_anew
from memsuggest.files import digest_of
from memsuggest.suggestions.ranking.repo_paths import Territories, Tracked

if TYPE_CHECKING:
    from memsuggest.customizations.kept_index import Keep


_TOKEN = re.compile(r"\.NET\b|[A-Za-z](?:\+\+|#(?![\w]))|[A-Za-z0-9_]+|[^\W\d_]+", re.IGNORECASE)
_PARTS = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|[0-9]+")
_CJK = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+")
_SHORTEST_PART = 3
_KEPT = 1 << 16  # distinct tokens kept; a big repo's instructions have about 20,000

_SAME = {
    "c#": "csharp",
    "c++": "cpp",
    "f#": "fsharp",
    ".net": "dotnet",
    "golang": "go",
    "js": "javascript",
    "ts": "typescript",
    "py": "python",
    "doc": "documentation",
    "docs": "documentation",
    "repo": "repository",
    "prs": "pr",
    "config": "configuration",
    "env": "environment",
    "deps": "dependency",
    "db": "database",
    "k8s": "kubernetes",
}
"""Short names that people use for a longer word, and file names for both."""

_EVERYWHERE = frozenset[str]().union(*STOP_WORDS.values()) - {"go", "do"}


class Vocabulary:
    """Turns texts into words, for one language beside the English of identifiers."""

    def __init__(self, language: str = "en") -> None:
        self.language = language
        self._stem = stemmer_of(language)
        self._of_token = lru_cache(maxsize=_KEPT)(self._stems)

    def words(self, text: str) -> list[str]:
        """Return the words of a text in order; an identifier gives itself and its parts."""
        of_token = self._of_token
        return [word for token in _TOKEN.findall(text) for word in of_token(token)]

    def whole(self, text: str) -> frozenset[str]:
        return frozenset(words[0] for token in _TOKEN.findall(text) if (words := self._of_token(token)))

    def surfaces(self, text: str) -> dict[str, str]:
        """Return for each word of a text how it is written there first."""
        found: dict[str, str] = {}
        for token in _TOKEN.findall(text):
            for word in self._of_token(token):
                found.setdefault(word, token)
        return found

    def _stems(self, token: str) -> tuple[str, ...]:
        lowered = token.lower()
        if lowered in _SAME:
            return (self._stem(_SAME[lowered]),)
        if _CJK.match(token):
            return tuple(token[place : place + 2] for place in range(max(1, len(token) - 1)))
        if lowered.isdigit():
            return (lowered,) if len(lowered) > 1 else ()
        whole = lowered.replace("_", "")
        if len(whole) < 2 or whole in _EVERYWHERE:
            return ()
        parts = [part.lower() for part in _PARTS.findall(token)] if token.isascii() else []
        kept = [part for part in parts if self._is_telling(part) and part != whole] if len(parts) > 1 else []
        # What has digits or underscores is a name, which nobody inflects; and there are many of them.
        is_name = len(whole) < len(token) or any(char.isdigit() for char in whole)
        return (whole if is_name else self._stem(whole), *map(self._stem, kept))

    @staticmethod
    def _is_telling(part: str) -> bool:
        return len(part) >= _SHORTEST_PART and not part.isdigit() and part not in _EVERYWHERE


class TargetKind(StrEnum):
    """The sort of a file, as far as that says when it is loaded."""

    ROOT = "root"
    """Always loaded: AGENTS.md, CLAUDE.md, copilot-instructions.md of the root, and the person's own."""
    NESTED = "nested"
    """AGENTS.md or CLAUDE.md of a folder."""
    INSTRUCTIONS = "instructions"
    AGENT = "agent"
    SKILL = "skill"
    PROMPT = "prompt"


_KINDS = {TargetType.AGENT: TargetKind.AGENT, TargetType.SKILL: TargetKind.SKILL, TargetType.PROMPT: TargetKind.PROMPT}
_PLAIN_FOLDERS = frozenset(
    ("", "~", ".github", ".claude", ".agents", ".copilot", "instructions", "rules", "agents", "skills", "prompts")
)
_IMPORT = re.compile(r"\s*(?:@\S+|(?:see|read)\s+\S+|\[[^\]\n]*\]\([^)\n]*\))\s*", re.IGNORECASE)
_STUB = 120  # characters; a shorter file that only points to another holds no rules
SATURATION = 1.3
"""BM25's k1: from here on, further mentions of a word count little."""
FLAT = 0.7
"""What even a word that all files have is worth, in units of rarity: among few files rarity says little."""

Traits = tuple[bool, ...]
_LOUD = re.compile(r"\b(?:MUST|SHOULD|NEVER|ALWAYS|DO NOT|NOT)\b")
_LEAD_IN = re.compile(r"\*\*[^*\n]{1,80}(?::\*\*|\*\*:?\s*[—–:-])")


def traits_of(statement: str) -> Traits:
    """Return how a statement is written: what belongs to a list is mostly written like its neighbours."""
    text = statement.strip()
    return (
        text.startswith("**"),
        text.startswith("`"),
        bool(_LOUD.search(text)),
        text.endswith("."),
        bool(_LEAD_IN.match(text)),
    )


def target_kind_of(target: Target) -> TargetKind:
    """Return the sort of a customization file."""
    if target.type in _KINDS:
        return _KINDS[target.type]
    if target.always_on:
        return TargetKind.ROOT if target.applies_to in {None, "**"} else TargetKind.NESTED
    return TargetKind.INSTRUCTIONS


def plain_name(target: Target) -> str:
    """Return what people call a file: a skill's folder, else the file without its endings."""
    if target.type is TargetType.SKILL:
        return target.folder.rpartition("/")[2]
    return target.uri.rpartition("/")[2].partition(".")[0]


def name_of(target: Target) -> str:
    """Return the telling part of a path: the file's own name and the folder that it is for or sorted into."""
    folders = [folder for folder in target.folder.split("/") if folder not in _PLAIN_FOLDERS]
    if target.always_on:
        return " ".join(folders)
    if target.type is TargetType.SKILL:
        folders = folders[:-1]
    return " ".join([*folders[-1:], plain_name(target)])


def rarity(holding: int, total: int) -> float:
    """Say how much a word tells that stands in so many of so many texts."""
    return math.log(1 + (total - holding + 0.5) / (holding + 0.5))


class Bm25:
    """Texts, given as counts of their words, and how well each fits some words."""

    def __init__(self, counts: Sequence[Mapping[str, int]], *, length_matters: float, flat: float = 0.0) -> None:
        self._counts = counts
        self._holders: dict[str, list[int]] = {}
        for number, count in enumerate(counts):
            for word in count:
                self._holders.setdefault(word, []).append(number)
        self._flat = flat
        lengths = [sum(count.values()) for count in counts]
        mean = max(1.0, sum(lengths) / max(1, len(counts)))
        self._discounts = [SATURATION * (1 - length_matters + length_matters * length / mean) for length in lengths]

    def weighed(self, words: Mapping[str, float]) -> dict[str, float]:
        """Return words with their weights by how rare they are among the texts."""
        total = len(self._counts)
        return {
            word: weight * (rarity(len(self._holders.get(word, ())), total) + self._flat)
            for word, weight in words.items()
        }

    def score(self, number: int, weights: Mapping[str, float]) -> float:
        """Return what the weighed words are worth that a text holds."""
        count, discount, found = self._counts[number], self._discounts[number], 0.0
        for word, weight in weights.items():
            if times := count.get(word, 0):
                found += weight * times * (SATURATION + 1) / (times + discount)
        return found

    def scores(self, weights: Mapping[str, float]) -> dict[int, float]:
        """Return the scores of all texts that hold one of the words."""
        holding = {number for word in weights for number in self._holders.get(word, ())}
        return {number: self.score(number, weights) for number in holding}


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexedFile:
    """A file in the index."""

    target: Target
    target_kind: TargetKind
    name: frozenset[str]
    """The words of its name and of the folder that it is for."""
    about: frozenset[str]
    """Those, and the words of its title and description."""
    sections: range
    """Numbers of its sections among all sections of the index."""
    is_stub: bool
    """It only points to another file."""

    @property
    def is_bound(self) -> bool:
        """Whether it holds for certain files only."""
        applies_to = self.target.applies_to
        is_loaded_by_pattern = self.target_kind is TargetKind.INSTRUCTIONS and bool(applies_to)
        return is_loaded_by_pattern and not is_unconditional(applies_to)


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexedSection:
    """A section in the index."""

    section: Section
    count: Counter[str]
    """Its words; those of its own heading and of the ones above count once more."""
    items: Counter[Traits]
    """Its list items by how they are written."""


class TargetIndex:
    """The files that rules of one scope may go to, ready to be ranked."""

    def __init__(
        self, targets: Sequence[Target], *, tracked_paths: Sequence[str] = (), root: str = "", keep: Keep = made_anew
    ) -> None:
        """Index the files; hooks hold no rules and are left out. `keep` has what was made of files before."""
        self._keep = keep
        self.targets = tuple(target for target in targets if target.type is not TargetType.HOOK)
        self.root = root
        self.tracked = Tracked(tracked_paths)
        self.vocabulary = Vocabulary(main_language(target.text for target in self.targets))
        self.files: list[IndexedFile] = []
        self.parts: list[IndexedSection] = []
        for target in self.targets:
            self._add(target)

    def _add(self, target: Target) -> None:
        words = self.vocabulary.words
        first = len(self.parts)
        key = f"{self.vocabulary.language} {target.digest or digest_of(target.text)}"
        kept = self._keep("sections", target.uri, key, lambda: self._counted(target))
        for section, (count, items) in zip(target.sections, kept, strict=True):
            traits = Counter({tuple(written): times for written, times in items})
            self.parts.append(IndexedSection(section=section, count=Counter(count), items=traits))
        title = next((section.heading for section in target.sections if section.level), "")
        name = frozenset(words(name_of(target)))
        self.files.append(
            IndexedFile(
                target=target,
                target_kind=target_kind_of(target),
                name=name,
                about=name.union(words(title), words(target.description)),
                sections=range(first, len(self.parts)),
                is_stub=len(target.text) < _STUB and bool(_IMPORT.fullmatch(target.text)),
            )
        )

    def _counted(self, target: Target) -> list[tuple[Counter[str], list[tuple[Traits, int]]]]:
        """Return for each section how often it has each word, and how its list items are written."""
        blocks = sorted(
            (block for block in layout(target.text).blocks if block.kind is BlockKind.ITEM),
            key=lambda block: block.start,
        )
        starts, lines, found = [block.start for block in blocks], target.text.split("\n"), []
        for section in target.sections:
            said = "\n".join([*lines[section.start : section.end], *section.path])
            items = blocks[bisect_left(starts, section.start) : bisect_left(starts, section.end)]
            written = Counter(traits_of(block.text) for block in items)
            found.append((Counter(self.vocabulary.words(said)), list(written.items())))
        return found

    @cached_property
    def by_file(self) -> Bm25:
        """The files' texts."""
        counts = []
        for file in self.files:
            count: Counter[str] = Counter()
            for number in file.sections:
                count.update(self.parts[number].count)
            counts.append(count)
        return Bm25(counts, length_matters=0.6, flat=FLAT)

    @cached_property
    def by_section(self) -> Bm25:
        return Bm25([part.count for part in self.parts], length_matters=0.3)

    @cached_property
    def territories(self) -> Territories:
        """The files' folders and patterns."""
        local = [n for n, file in enumerate(self.files) if file.target_kind in {TargetKind.NESTED, TargetKind.SKILL}]
        return Territories(self.targets, local=local, root=self.root, tracked=self.tracked)

    def called(self, names: Iterable[str]) -> frozenset[int]:
        """Return the files that some names mean: paths, ends of longer ones, what agents and skills are called."""
        found: set[int | None] = set()
        for name in (name.replace("\\", "/").strip("/").lower() for name in names):
            parts = name.split("/")
            # Of a path, the file's name alone would mean any file of that name.
            ends = ("/".join(parts[first:]) for first in range(max(1, len(parts) - 1)))
            found.add(next((self.mentions[end] for end in ends if end in self.mentions), self._plain_names.get(name)))
        return frozenset(number for number in found if number is not None)

    @cached_property
    def _plain_names(self) -> dict[str, int]:
        named = [(n, file) for n, file in enumerate(self.files) if not file.target.always_on]
        return {plain_name(file.target).lower(): number for number, file in reversed(named)}

    @cached_property
    def mentions(self) -> dict[str, int]:
        """Ways in which a text may point to a file: its path, and a name that no other file has."""
        names = Counter(_file_name(file.target) for file in self.files)
        found = {}
        for number, file in enumerate(self.files):
            found[file.target.uri.lower()] = number
            if names[_file_name(file.target)] == 1 and not file.target.always_on:
                found[_file_name(file.target)] = number
        return found

    def pointed_to(self, text: str) -> frozenset[int]:
        """Return the files that a rule sends its reader to: it stands elsewhere."""
        lowered = text.lower()
        if ".md" not in lowered:
            return frozenset()
        return frozenset(number for name, number in self.mentions.items() if name in lowered)


def _file_name(target: Target) -> str:
    return target.uri.rpartition("/")[2].lower()
