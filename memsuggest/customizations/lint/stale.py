"""Lines of customization files that speak of files which are gone. Pure.

Careful rather than complete: only items in lists of instructions are looked at (agents and skills are passed from one
repository to another), only paths below a folder that the repository still has, and only items of which every path is
gone and which are about nothing else. Paths with placeholders, and ones that are made by a build, are left alone.
"""

from __future__ import annotations

import posixpath
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memsuggest.customizations.blocks.block import Block, BlockKind
from memsuggest.customizations.blocks.line_kinds import split_lines
from memsuggest.customizations.blocks.scan import blocks
from memsuggest.model import Edit, TargetType

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from memsuggest.model import Target

_CITED = re.compile(r"`([^`\s]{3,200})`|\]\(([^()\s]{3,200})\)")
_PATH = re.compile(r"(?:\./|\.\./)*[A-Za-z0-9_.@+-]+(?:/[A-Za-z0-9_.@+-]+)*/?")
_HAS_ENDING = re.compile(r"\.[A-Za-z][A-Za-z0-9]{0,7}\Z")
_MADE_NAMES = "build dist out target bin obj node_modules coverage tmp temp logs .venv venv generated"
_MADE = frozenset(_MADE_NAMES.split())
_SPAN = re.compile(r"`([^`\n]{1,200})`")
_ASKS_MORE = re.compile(
    r"^(?![*_]{1,2}[^*_\n]{1,60}[*_:]|[^`\[]{0,60}:)[^`\[]{2,80}[`\[][^\n]{3,300}?[`)]\s*[:;,.—–-]+\s+\w"
)
"""An item that tells what to do with a file, and then something more, which may hold without it."""
_PLACEHOLDERS = re.compile(r"\b(?:foo|bar|baz|example|my[_-]?\w*|your[_-]?\w*|xxx|path/to)\b", re.IGNORECASE)
_IS_TO_COME = re.compile(
    r"\b(?:create|creates|generate[sd]?|write|writes|add|adds|new|output|produce[sd]?|save[sd]?|removed?|deleted?|"
    r"deprecated|renamed|moved|don't|do not|never|no longer|instead of|e\.g|for example|if|when|whether|exists?|"
    r"existing|suggest|optional|optionally|similar|prior|future|search|looks? for)\b",
    re.IGNORECASE,
)
"""Words of lines that name a file which need not be there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stale:
    """A list item whose files are gone."""

    uri: str
    line: int
    """Index of the item's first line, from 0."""
    text: str
    gone: tuple[str, ...]
    edit: Edit
    """The file without the item."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownPaths:
    """What there is in a repository."""

    paths: frozenset[str]
    """Every tracked path and every folder above one, in lower case."""
    leaves: frozenset[str]
    """The tracked paths themselves: files, links, and repositories within this one."""
    by_name: Mapping[str, tuple[str, ...]]
    """The same by their last names."""

    def has(self, path: str) -> bool:
        """Tell whether there is such a path, from the root, or from any folder: rules are often a package's."""
        path = path.lower().strip("/")
        ending = "/" + path
        return any(one == path or one.endswith(ending) for one in self.by_name.get(path.rpartition("/")[2], ()))

    def is_within_leaf(self, path: str) -> bool:
        """Tell whether a path lies in what git knows as one thing: a repository within this one, or a link."""
        parts = path.lower().strip("/").split("/")
        return any("/".join(parts[:length]) in self.leaves for length in range(1, len(parts)))


def known_paths(tracked: Iterable[str]) -> KnownPaths:
    """Take in the paths of a repository, once for all its files."""
    known: set[str] = set()
    leaves = frozenset(path.lower() for path in tracked)
    for leaf in leaves:
        path = leaf
        while path and path not in known:
            known.add(path)
            path = path.rpartition("/")[0]
    by_name: dict[str, list[str]] = {}
    for path in known:
        by_name.setdefault(path.rpartition("/")[2], []).append(path)
    return KnownPaths(
        paths=frozenset(known), leaves=leaves, by_name={name: tuple(paths) for name, paths in by_name.items()}
    )


def stale_lines(target: Target, known: KnownPaths) -> tuple[Stale, ...]:
    """Find the items of a file all of whose paths are gone."""
    if not known.paths or target.type is not TargetType.INSTRUCTIONS or target.uri.startswith("~/"):
        return ()
    return tuple(_stale(target, known))


def _stale(target: Target, known: KnownPaths) -> Iterator[Stale]:
    lines = split_lines(target.text)
    found = blocks(target.text)
    last_of = {block.group: block.start for block in found if block.kind is BlockKind.ITEM}
    for block in found:
        if block.kind is not BlockKind.ITEM or block.last != block.end or block.is_generated:
            continue
        if block.number is not None and last_of[block.group] != block.start:
            continue  # the steps after it would count wrong
        written = "".join(lines[block.start : block.end])
        if _IS_TO_COME.search(written):
            continue
        cited = list(_cited_paths(written))
        gone = [path for path in cited if _is_gone(path, target.folder, known)]
        if gone and len(gone) == len(cited) and not _is_about_more(written, cited, block.text):
            yield Stale(
                uri=target.uri,
                line=block.start,
                text=block.text,
                gone=tuple(gone),
                edit=Edit(path=target.uri, before=target.text, after=_without(lines, block)),
            )


def _is_about_more(written: str, cited: list[str], text: str) -> bool:
    """Tell whether an item speaks of other places besides, as a pattern does, or orders something besides."""
    spans = [span for span in _SPAN.findall(written) if "/" in span and not span.startswith("http")]
    is_elsewhere = any(not any(path in span for path in cited) for span in spans)
    return is_elsewhere or _ASKS_MORE.match(text) is not None


def _without(lines: list[str], block: Block) -> str:
    return "".join(lines[: block.start] + lines[block.end :])


def _cited_paths(text: str) -> Iterator[str]:
    """Return what an item cites that looks like a path with a folder."""
    for found in _CITED.finditer(text):
        path = (found.group(1) or found.group(2)).partition("#")[0].partition(":")[0]
        is_odd = "..." in path or "/." in path.strip("/")[1:].replace("/.github", "") or _PLACEHOLDERS.search(path)
        if "/" in path.strip("/") and _PATH.fullmatch(path) and not is_odd:
            yield path


def _is_gone(path: str, folder: str, known: KnownPaths) -> bool:
    """Tell whether a path is nowhere to be found, though the repository still has the folder that it begins with."""
    plain = posixpath.normpath(path)
    places = [plain, posixpath.normpath(posixpath.join(folder, path))]
    if known.has(plain.removeprefix("../").removeprefix("../")) or known.has(places[1]):
        return False
    is_file_or_folder = path.endswith("/") or _HAS_ENDING.search(path) is not None
    is_ours = not plain.startswith("..") and plain.split("/")[0].lower() in known.paths
    if any(known.is_within_leaf(place) for place in places):
        return False
    return is_file_or_folder and is_ours and not _MADE.intersection(path.lower().split("/"))
