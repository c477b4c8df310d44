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
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from heapq import nlargest

from memsuggest.core.model import Scope, Section, Target, TargetType
from memsuggest.core.text.stems import stemmer_of
from memsuggest.core.text.words import ASKING_WORDS, STOP_WORDS, main_language, word_set
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
        kept = [
            part
            for part in parts
            if len(parts) > 1
            and part != whole
            and len(part) >= _SHORTEST_PART
            and not part.isdigit()
            and part not in _EVERYWHERE
        ]
        # What has digits or underscores is a name, which nobody inflects; and there are many of them.
        is_name = len(whole) < len(token) or any(char.isdigit() for char in whole)
        return (whole if is_name else self._stem(whole), *map(self._stem, kept))


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
    is_loud, has_lead_in = bool(_LOUD.search(text)), bool(_LEAD_IN.match(text))
    return text.startswith("**"), text.startswith("`"), is_loud, text.endswith("."), has_lead_in


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
    is_root: bool
    """Always loaded: AGENTS.md, CLAUDE.md, copilot-instructions.md of the root, and the person's own."""
    is_bound: bool
    """Instructions for certain files only."""
    name: frozenset[str]
    """The words of its name and of the folder that it is for."""
    about: frozenset[str]
    """Those, and the words of its title and description."""
    sections: range
    """Numbers of its sections among all sections of the index."""


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
        self.targets = tuple(target for target in targets if target.type is not TargetType.HOOK)
        self.root = root
        self.tracked = Tracked(tracked_paths)
        self.vocabulary = Vocabulary(main_language(target.text for target in self.targets))
        self.files: list[IndexedFile] = []
        self.parts: list[IndexedSection] = []
        words = self.vocabulary.words
        for target in self.targets:
            first = len(self.parts)
            key = f"{self.vocabulary.language} {target.digest or digest_of(target.text)}"
            kept = keep("sections", target.uri, key, partial(self._counted, target))
            for section, (count, items) in zip(target.sections, kept, strict=True):
                traits = Counter({tuple(written): times for written, times in items})
                self.parts.append(IndexedSection(section=section, count=Counter(count), items=traits))
            title = next((section.heading for section in target.sections if section.level), "")
            name = frozenset(words(name_of(target)))
            file = IndexedFile(
                target=target,
                is_root=target.always_on and target.applies_to in {None, "**"},
                is_bound=target.type is TargetType.INSTRUCTIONS
                and not target.always_on
                and bool(target.applies_to)
                and not is_unconditional(target.applies_to),
                name=name,
                about=name.union(words(title), words(target.description)),
                sections=range(first, len(self.parts)),
            )
            self.files.append(file)

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
        counts = [Counter[str]() for _ in self.files]
        for count, file in zip(counts, self.files, strict=True):
            for part in self.parts[file.sections.start : file.sections.stop]:
                count.update(part.count)
        return Bm25(counts, length_matters=0.6, flat=FLAT)

    @cached_property
    def by_section(self) -> Bm25:
        return Bm25([part.count for part in self.parts], length_matters=0.3)

    @cached_property
    def territories(self) -> Territories:
        local = [
            number
            for number, file in enumerate(self.files)
            if (file.target.always_on and not file.is_root) or file.target.type is TargetType.SKILL
        ]
        return Territories(self.targets, local=local, root=self.root, tracked=self.tracked)

    def called(self, names: Iterable[str]) -> frozenset[int]:
        """Return the files that some names mean: paths, ends of longer ones, what agents and skills are called."""
        chosen = [(number, file) for number, file in enumerate(self.files) if not file.target.always_on]
        plain = {plain_name(file.target).lower(): number for number, file in reversed(chosen)}
        found = set()
        for name in (name.replace("\\", "/").strip("/").lower() for name in names):
            parts = name.split("/")
            # Of a path, the file's name alone would mean any file of that name.
            ends = ("/".join(parts[first:]) for first in range(max(1, len(parts) - 1)))
            found.add(next((self.mentions[end] for end in ends if end in self.mentions), plain.get(name, -1)))
        return frozenset(found - {-1})

    @cached_property
    def mentions(self) -> dict[str, int]:
        """Ways in which a text may point to a file: its path, and a name that no other file has."""
        uris = [file.target.uri.lower() for file in self.files]
        names = Counter(uri.rpartition("/")[2] for uri in uris)
        found = {}
        for number, (uri, file) in enumerate(zip(uris, self.files, strict=True)):
            found[uri] = number
            name = uri.rpartition("/")[2]
            if names[name] == 1 and not file.target.always_on:
                found[name] = number
        return found


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
_IN_USE: Mapping[TargetType, float] = {TargetType.SKILL: 4.0, TargetType.AGENT: 4.0, TargetType.PROMPT: 5.0}
"""What it counts that an agent, skill or prompt was in use when the rule was said: what one chooses to use tells more
than what hosts attach. Bare commits do not tell it, so no figure fits it; two promises of the fixtures rest on it."""
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
_UNNAMED = frozenset[str]().union(*ASKING_WORDS.values()) | word_set(
    "has have had having get gets got make makes made need needs want wants like new one two more most some such very"
    " about after before between both each every even first last many much now off out over own same still too up way"
    " well while him her his she them could would might shall being because until since without within via per"
    " etc yes let see try put keep keeps take takes thing things"
)
"""Words that say nothing about a matter, however rare they are in some files."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """Something to be said in a file, as far as that tells which."""

    content: str
    paths: tuple[str, ...] = ()
    """Files that the evidence cites; relative to the root, or absolute."""
    in_use: tuple[str, ...] = ()
    """Agents, skills, prompts and instructions that were in use when it was said, by path or name."""
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
        words_of = index.vocabulary.words
        self.words = {word: 1 + math.log(times) for word, times in Counter(words_of(rule.content)).items()}
        common = words_of("always every never whenever")  # of any rule, so they choose no section
        self.subject = {word: weight for word, weight in self.words.items() if word not in common}
        cited = index.tracked.as_files(path for path in rule.paths if len(path) <= _LONGEST_PATH)
        found = index.tracked.named_in(rule.content)
        named = [path for path in found if not {path.lower(), path.lower().rpartition("/")[2]} & index.mentions.keys()]
        self.paths = list(dict.fromkeys([*cited, *named]))
        self.cover: Cover = index.territories.cover(self.paths) if self.paths else NOTHING
        self.in_use = index.called(rule.in_use) if rule.in_use else frozenset()
        files = enumerate(index.files) if self.paths else ()
        self.not_loaded = {number for number, file in files if file.is_bound and number not in self.cover.applies}
        """The files that no host loads for the files that the rule is about."""

    def evidence(self) -> dict[str, dict[int, float]]:
        """Return for each part of the sum one number for each file that has some."""
        index, files, cover = self.index, self.index.files, self.cover
        in_paths = Counter(word for path in self.paths for word in set(index.vocabulary.words(path)))
        path_words = {word: times / len(self.paths) for word, times in in_paths.items()}
        said = self.rule.content.lower()
        found = {
            "words": _relative(index.by_file.scores(index.by_file.weighed(self.words))),
            "name": {
                number: shared / (1.5 + len(file.about))
                for number, file in enumerate(files)
                if (shared := len(file.about & self.words.keys()))
            },
            "scope": {n: max(cover.near.get(n, 0.0), cover.applies.get(n, 0.0)) for n in {*cover.near, *cover.applies}},
            "paths": {
                number: sum(path_words.get(word, 0.0) for word in file.name) / (1 + len(file.name))
                for number, file in enumerate(files)
                if self.paths
            },
            "always loaded": {number: 1.0 for number, file in enumerate(files) if file.is_root},
            # A rule that sends its reader to a file stands elsewhere.
            "pointed to": {number: 1.0 for name, number in index.mentions.items() if ".md" in said and name in said},
        }
        rough, weights = _summed(found, len(files)), index.by_section.weighed(self.words)
        best = {
            number: max(index.by_section.score(part, weights) for part in files[number].sections)
            for number in nlargest(CONSIDERED, rough, key=rough.__getitem__)
            if files[number].sections
        }
        return found | {"section": _relative(best)}

    def totals(self) -> dict[int, float]:
        found = _summed(self.evidence(), len(self.index.files))
        for number in self.in_use:
            found[number] += _IN_USE.get(self.index.files[number].target.type, 0.0)
        for number in self.not_loaded:
            found[number] += _NOWHERE
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

    def located(self, number: int, score: float) -> Ranked:
        """Return a file with the section that fits best, if any, and the reason."""
        file = self.index.files[number]
        weighed = [
            (sum(SECTION_WEIGHTS[name] * value for name, value in row.items()), -part)
            for part, row in zip(file.sections, self.section_evidence(number), strict=True)
            if row["words"] or row["general"]
        ]
        section = self.index.parts[-max(weighed)[1]].section if weighed else None
        return Ranked(target=file.target, section=section, score=score, why=self._why(number, section))

    def _why(self, number: int, section: Section | None) -> str:
        file, target = self.index.files[number], self.index.files[number].target
        if number in self.not_loaded:
            return NOT_LOADED
        if number in self.in_use and target.type in _IN_USE:
            return "the file was in use when you said this"
        if cited := self.cover.cited.get(number):
            verb = "applyTo covers" if number in self.cover.applies else f"{target.folder}/ contains"
            return f"{verb} {cited}"
        if section and section.heading:
            lines = [*target.text.split("\n")[section.start : section.end], *section.path]
            if word := self._shared(self.index.vocabulary.whole("\n".join(lines))):
                return f"the section “{section.heading}” mentions “{word}”"
        if word := self._shared(file.about):
            return f"the file is about “{word}”"
        return "the file is always loaded" if file.is_root else "no other file is a better match"

    def _shared(self, there: frozenset[str]) -> str:
        """Return the weightiest word that the rule and a text share, as it was said; empty for none."""
        weights = self.index.by_section.weighed(self.subject)
        surfaces = self.index.vocabulary.surfaces(self.rule.content)
        named = {word: token.lower() for word, token in surfaces.items() if word in weights and word in there}
        shared = [word for word, token in named.items() if len(token) >= _SHORTEST_NAMED and token not in _UNNAMED]
        return named[max(shared, key=weights.__getitem__)] if shared else ""


def ranked(rule: Rule, target_index: TargetIndex) -> list[Ranked]:
    if not target_index.files:
        return []
    question = Question(rule, target_index)
    totals = question.totals()
    order = sorted(totals, key=lambda number: (-totals[number], number))
    odds = [math.exp(totals[number] - totals[order[0]]) for number in order]
    total = sum(odds)
    return [
        Ranked(
            target=target_index.files[number].target,
            section=None,
            score=odd / total,
            why="",
            look=partial(question.located, number, odd / total),
        )
        for number, odd in zip(order, odds, strict=True)
    ]


def _summed(evidence: Mapping[str, Mapping[int, float]], files: int) -> dict[int, float]:
    found = dict.fromkeys(range(files), 0.0)
    for name, column in evidence.items():
        for number, value in column.items():
            found[number] += FILE_WEIGHTS[name] * value
    return found


def _relative(scores: Mapping[int, float]) -> dict[int, float]:
    """Return scores as shares of the highest of all."""
    highest = max(scores.values(), default=0.0)
    return {number: score / highest for number, score in scores.items()} if highest > 0 else {}
