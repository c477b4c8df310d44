"""Ranking the files that a rule may go to, and the section in each. Pure.

The files of a scope are indexed once, so that many rules can be ranked against them. The rank is a small sum. Of a
file: how well its words fit (BM25 of the whole and of its best section), whether its name, title or description says a
word of the rule, whether the cited files are its own (its folder, its `applyTo`, its name in their paths), whether it
is always loaded, and whether the rule only points to it. Of a section: its words, whether rules of all sorts stand
there, and whether its items are written like the rule. Each part is here because it helps on owners whose repositories
the weights were not fitted to (`docs/measure/placement_training.py`); those figures are below.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property, lru_cache
from heapq import nlargest

from memsuggest.core.model import Scope, Section, Target, TargetType
from memsuggest.core.text.stems import stemmer_of
from memsuggest.core.text.words import STOP_WORDS, main_language
from memsuggest.customizations.applyto import is_unconditional
from memsuggest.customizations.blocks.scan import BlockKind
from memsuggest.customizations.blocks.sections import layout
from memsuggest.customizations.kept_index import Keep, made_anew
from memsuggest.files import digest_of
from memsuggest.suggestions.ranking.repo_paths import NOTHING, Cover, Territories, Tracked

_TOKEN = re.compile(r"\.NET\b|[A-Za-z](?:\+\+|#(?![\w]))|[A-Za-z0-9_]+|[^\W\d_]+", re.IGNORECASE)
_PARTS = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|[0-9]+")
_CJK = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+")
_SHORTEST_PART = 3
_KEPT = 1 << 16  # distinct tokens kept; a big repo's instructions have about 20,000

_LANGUAGES = {"c#": "csharp", "c++": "cpp", "golang": "go", "js": "javascript", "ts": "typescript", "py": "python"}
"""Short names of languages, by which files end, too."""
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
        found: dict[str, str] = {}
        for token in _TOKEN.findall(text):
            for word in self._of_token(token):
                found.setdefault(word, token)
        return found

    def _stems(self, token: str) -> tuple[str, ...]:
        lowered = token.lower()
        if lowered in _LANGUAGES:
            return (self._stem(_LANGUAGES[lowered]),)
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
        total = len(self._counts)
        return {
            word: weight * (rarity(len(self._holders.get(word, ())), total) + self._flat)
            for word, weight in words.items()
        }

    def score(self, number: int, weights: Mapping[str, float]) -> float:
        count, discount, found = self._counts[number], self._discounts[number], 0.0
        for word, weight in weights.items():
            if times := count.get(word, 0):
                found += weight * times * (SATURATION + 1) / (times + discount)
        return found

    def scores(self, weights: Mapping[str, float]) -> dict[int, float]:
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

    def words_of(self, target: Target, section: Section) -> frozenset[str]:
        lines = [*target.text.split("\n")[section.start : section.end], *section.path]
        return self.vocabulary.whole("\n".join(lines))

    @cached_property
    def by_file(self) -> Bm25:
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
        local = [n for n, file in enumerate(self.files) if file.target_kind in {TargetKind.NESTED, TargetKind.SKILL}]
        return Territories(self.targets, local=local, root=self.root, tracked=self.tracked)

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


FILE_WEIGHTS: Mapping[str, float] = {
    "words": 2.25,
    "section": 2.5,
    "name": 3.0,
    "scope": 2.75,
    "paths": 3.25,
    "always loaded": 2.2,
    "pointed to": -6.0,
}
SECTION_WEIGHTS: Mapping[str, float] = {"words": 4.0, "general": 1.0, "style": 0.95}
"""In units of log-odds: one more means that a place is chosen 2.7 times as often."""
CONSIDERED = 40
"""Files whose sections are looked at; of more files, those that fit best otherwise."""
NOT_LOADED = "the file is not loaded for the files this rule is about"
_NOWHERE = -9.0
"""What it counts that a file is not loaded for what the rule is about."""
_LONGEST_PATH = 500  # characters
_SHORT = 20.0  # words; among shorter sections length says nothing
_SLOW = 3.0
"""Mentions of a word count on for long within a file: a section that keeps coming back to it is about it."""
_GENERAL = re.compile(
    r"\b(?:conventions?|rules?|guidelines?|general|best practices?|notes?|standards?|requirements?|principles?|key"
    r"|important|tips|common|pitfalls?|gotchas?|learnings?|style)\b",
    re.IGNORECASE,
)
"""Headings under which rules of all sorts are collected."""
_SHORTEST_NAMED = 3  # letters of a word that a reason gives


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """Something to be said in a file, as far as that tells which."""

    content: str
    paths: tuple[str, ...] = ()
    """Files that the evidence cites; relative to the root, or absolute."""
    scope: Scope = Scope.WORKSPACE


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranked:
    """A file as a place for a rule."""

    target: Target
    section: Section | None
    """Where in it; None where no section was looked for, or none fits."""
    score: float
    """How likely the rule belongs there, among all the places, 0 to 1."""
    why: str
    look: Callable[[], Ranked] | None = None
    """Looks for the section and the reason, where that was not done yet."""

    @property
    def located(self) -> Ranked:
        return self.look() if self.look else self


class Question:
    """A rule as it is asked about, held against an index; files go by their numbers there."""

    def __init__(self, rule: Rule, index: TargetIndex) -> None:
        self.rule, self.index = rule, index
        self.said = index.vocabulary.words(rule.content)
        self.words = {word: 1 + math.log(times) for word, times in Counter(self.said).items()}
        common = index.vocabulary.words("always every never whenever")  # of any rule, so they choose no section
        self.subject = {word: weight for word, weight in self.words.items() if word not in common}
        cited = index.tracked.as_files(path for path in rule.paths if len(path) <= _LONGEST_PATH)
        found = index.tracked.named_in(rule.content)
        named = [path for path in found if not {path.lower(), path.lower().rpartition("/")[2]} & index.mentions.keys()]
        self.paths = list(dict.fromkeys([*cited, *named]))
        self.cover: Cover = index.territories.cover(self.paths) if self.paths else NOTHING
        self.pointed_to = index.pointed_to(rule.content)

    @cached_property
    def path_words(self) -> dict[str, float]:
        found: Counter[str] = Counter()
        for path in self.paths:
            found.update(set(self.index.vocabulary.words(path)))
        return {word: times / len(self.paths) for word, times in found.items()}

    @cached_property
    def not_loaded(self) -> frozenset[int]:
        """The files that no host loads for the files that the rule is about."""
        files = enumerate(self.index.files) if self.paths else ()
        return frozenset(n for n, file in files if file.is_bound and n not in self.cover.applies)

    def evidence(self) -> dict[str, dict[int, float]]:
        """Return for each part of the sum one number for each file that has some."""
        files, cover = self.index.files, self.cover
        weights = self.index.by_file.weighed(self.words)
        found = {
            "words": _relative(self.index.by_file.scores(weights)),
            "name": {
                number: shared / (1.5 + len(file.about))
                for number, file in enumerate(files)
                if (shared := len(file.about & self.words.keys()))
            },
            "scope": {n: max(cover.near.get(n, 0.0), cover.applies.get(n, 0.0)) for n in {*cover.near, *cover.applies}},
            "paths": {
                number: sum(self.path_words.get(word, 0.0) for word in file.name) / (1 + len(file.name))
                for number, file in enumerate(files)
                if self.paths
            },
            "always loaded": {n: 1.0 for n, file in enumerate(files) if file.target_kind is TargetKind.ROOT},
            "pointed to": dict.fromkeys(self.pointed_to, 1.0),
        }
        return found | {"section": self._best_sections(found)}

    def _best_sections(self, found: Mapping[str, Mapping[int, float]]) -> dict[int, float]:
        rough = _summed(found, FILE_WEIGHTS, range(len(self.index.files)))
        weights = self.index.by_section.weighed(self.words)
        best = {
            number: max(self.index.by_section.score(part, weights) for part in self.index.files[number].sections)
            for number in nlargest(CONSIDERED, rough, key=rough.__getitem__)
            if self.index.files[number].sections
        }
        return _relative(best)

    def totals(self) -> dict[int, float]:
        found = _summed(self.evidence(), FILE_WEIGHTS, range(len(self.index.files)))
        for number in found:
            found[number] += _NOWHERE * (number in self.not_loaded)
        return found

    def section_evidence(self, number: int) -> list[dict[str, float]]:
        """Return the same for the sections of a file, in order."""
        parts = [self.index.parts[part] for part in self.index.files[number].sections]
        everywhere = self.index.by_section.weighed(self.subject)
        weights = {
            word: (everywhere[word] + weight * rarity(sum(word in part.count for part in parts), len(parts))) / 2
            for word, weight in self.subject.items()
        }
        lengths = [part.count.total() for part in parts]
        mean = max(_SHORT, sum(lengths) / max(1, len(parts)))
        scores = [
            sum(
                weight * part.count[word] / (part.count[word] + _SLOW * (0.6 + 0.4 * length / mean))
                for word, weight in weights.items()
                if word in part.count
            )
            for part, length in zip(parts, lengths, strict=True)
        ]
        best, traits = max(scores, default=0.0) or 1.0, traits_of(self.rule.content)
        return [
            {
                "words": score / best,
                "general": float(_GENERAL.search(part.section.heading) is not None),
                "style": math.log1p(part.items[traits]),
            }
            for part, score in zip(parts, scores, strict=True)
        ]

    def section_of(self, number: int) -> Section | None:
        rows = self.section_evidence(number)
        found = [self.index.parts[part].section for part in self.index.files[number].sections]
        weighed = [
            (sum(SECTION_WEIGHTS[name] * value for name, value in row.items()), -place)
            for place, row in enumerate(rows)
            if row["words"] or row["general"]
        ]
        return found[-max(weighed)[1]] if weighed else None

    def why(self, number: int, section: Section | None) -> str:
        file, target = self.index.files[number], self.index.files[number].target
        if number in self.not_loaded:
            return NOT_LOADED
        if cited := self.cover.cited.get(number):
            verb = "applyTo covers" if number in self.cover.applies else f"{target.folder}/ contains"
            return f"{verb} {cited}"
        if section and section.heading and (words := self._shared(self.index.words_of(target, section))):
            return f"the section “{section.heading}” mentions {words}"
        if words := self._shared(file.about):
            return f"the file is about {words}"
        return "the file is always loaded" if file.target_kind is TargetKind.ROOT else "no other file is a better match"

    def _shared(self, there: frozenset[str]) -> str:
        """Return the rarest word that the rule and a text share, as it was said; empty for none."""
        weights = self.index.by_section.weighed(self.subject)
        surfaces = self.index.vocabulary.surfaces(self.rule.content)
        shared = [
            word for word in weights if word in there and word in surfaces and len(surfaces[word]) >= _SHORTEST_NAMED
        ]
        return f"“{surfaces[max(shared, key=weights.__getitem__)].lower()}”" if shared else ""


def ranked(rule: Rule, target_index: TargetIndex) -> list[Ranked]:
    if not target_index.files:
        return []
    question = Question(rule, target_index)
    totals = question.totals()
    order = sorted(totals, key=lambda number: (-totals[number], number))
    odds = [math.exp(totals[number] - totals[order[0]]) for number in order]
    return [_ranked(question, number, odd / sum(odds)) for number, odd in zip(order, odds, strict=True)]


def _ranked(question: Question, number: int, score: float) -> Ranked:
    target = question.index.files[number].target

    def located() -> Ranked:
        section = question.section_of(number)
        return Ranked(target=target, section=section, score=score, why=question.why(number, section))

    return Ranked(target=target, section=None, score=score, why="", look=located)


def _summed(
    evidence: Mapping[str, Mapping[int, float]], weights: Mapping[str, float], numbers: range
) -> dict[int, float]:
    found = dict.fromkeys(numbers, 0.0)
    for name, column in evidence.items():
        for number, value in column.items():
            found[number] += weights[name] * value
    return found


def _relative(scores: Mapping[int, float]) -> dict[int, float]:
    """Return scores as shares of the highest of all."""
    highest = max(scores.values(), default=0.0)
    return {number: score / highest for number, score in scores.items()} if highest > 0 else {}
