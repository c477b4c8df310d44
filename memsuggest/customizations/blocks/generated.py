"""Stretches of a Markdown file that belong to a tool, which will write them again. Pure, linear time."""

from __future__ import annotations

import re

from memsuggest.text.words import word_set

_TOKEN = re.compile(r"/?[a-z0-9]+")
_BEGINS = {"begin", "start"}
_ENDS = {"end", "stop", "finish"}
_SHORT = {"toc": ["begin", "toc"], "tocstop": ["end", "toc"]}
"""Markers of one word, and what they mean."""
_LINTERS = {"prettier", "markdownlint", "eslint", "textlint", "cspell", "vale", "remark", "lint"}
_NAMED_SECTION = re.compile(r"<!--\s*</?[\w.-]+>\s*-->")
"""`<!-- <build-rules> -->`: people name their sections so, to point to them; tools do not."""
_WHOLE_FILE = re.compile(
    r"auto-?generated|automatically generated|generated (?:by|from|with)\b|do not (?:edit|modify|change)(?: this file)?"
    r"(?: (?:by hand|manually|directly))?(?=[\s.!,;:*>)-]|$)",
    re.IGNORECASE,
)
_HEAD = 12  # lines of a file in which it says that it is generated

Region = tuple[int, int]
"""Line indices `[start, end)`, markers included."""


_COLLECTING = word_set("rules conventions learnings learned lessons memories preferences guidelines notes gotchas")
_OWN = word_set("team project our own custom local user your repo shared add new more here here's for the the of and")


def generated_regions(comments: list[tuple[int, int, str]]) -> list[Region]:
    """Pair the comments `(start, end, text)` that mark where a tool's text begins and ends; outermost regions only."""
    return _outermost([region for region, names in _marked_regions(comments) if not _is_collecting(names)])


def collecting_regions(comments: list[tuple[int, int, str]]) -> list[Region]:
    """Pair the comments between which people collect rules: `<!-- team rules: start -->` names no tool."""
    return _outermost([region for region, names in _marked_regions(comments) if _is_collecting(names)])


def _is_collecting(names: frozenset[str]) -> bool:
    return bool(names & _COLLECTING) and names <= _COLLECTING | _OWN


def _marked_regions(comments: list[tuple[int, int, str]]) -> list[tuple[Region, frozenset[str]]]:
    openers: dict[str, list[int]] = {}
    regions: list[tuple[Region, frozenset[str]]] = []
    for start, end, text in comments:
        tokens = _TOKEN.findall(text.lower())
        tokens = _SHORT.get(" ".join(tokens), tokens)
        names = [token for token in tokens if token not in _BEGINS | _ENDS]
        if _LINTERS.intersection(names) or _NAMED_SECTION.fullmatch(text.strip()):
            continue
        closes_tag = bool(tokens) and tokens[0].startswith("/")
        name = names[0].removeprefix("/") if names else ""
        if closes_tag or (_ENDS.intersection(tokens) and not _BEGINS.intersection(tokens)):
            begun = openers.pop(("/" if closes_tag else "") + name, None)
            if begun:
                regions.append(((begun[0], end), frozenset(one.removeprefix("/") for one in names)))
        else:
            key = "" if _BEGINS.intersection(tokens) else "/"
            openers.setdefault(key + name, []).append(start)
    return regions


def _outermost(regions: list[Region]) -> list[Region]:
    kept: list[Region] = []
    for start, end in sorted(regions, key=lambda region: (region[0], -region[1])):
        if not kept or start >= kept[-1][1]:
            kept.append((start, end))
    return kept


def is_generated_file(text: str) -> bool:
    """Tell whether the file says at its top that a tool writes it."""
    head = text[:4000].split("\n")[:_HEAD]
    return any(_WHOLE_FILE.search(line) for line in head if _is_note(line))


def _is_note(line: str) -> bool:
    """Tell whether the line is a comment or a quote, and no rule about other files."""
    return line.lstrip("\ufeff \t").startswith(("<!--", "#", ">", "_", "*Auto", "*This", "**This", "//", "[//]"))
