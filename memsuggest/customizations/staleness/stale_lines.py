"""Lines of customization files that speak of what the repository does not have any more. Pure.

Careful rather than complete: only items, rows of tables and command lines of instructions (agents and skills are passed
from one repository to another) of which everything is gone and which are about nothing else. What is made by a build,
is a placeholder or is to come is left alone, and so is what may only have moved.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Sequence
from typing import NamedTuple

from memsuggest.core.model import Target, TargetType
from memsuggest.core.text.words import word_set
from memsuggest.customizations.blocks.line_kinds import split_lines
from memsuggest.customizations.blocks.scan import BlockKind
from memsuggest.customizations.blocks.sections import Passage, passages
from memsuggest.customizations.staleness.declared_tasks import NO_TASKS, DeclaredTasks
from memsuggest.customizations.staleness.references import (
    HAS_ENDING,
    KnownPaths,
    Reference,
    may_be_elsewhere,
    names_other_commands,
    references_in,
    references_in_command,
)

_MADE = word_set(
    "build dist out target bin obj node_modules coverage tmp temp logs .venv venv generated __pycache__ .next"
)
_SPAN = re.compile(r"`([^`\n]{1,200})`")
_ASKS_MORE = re.compile(
    r"^(?![*_]{1,2}[^*_\n]{1,60}[*_:]|[^`\[]{0,60}:)[^`\[]{2,80}[`\[][^\n]{3,300}?[`)]\s*[:;,.—–-]+\s+\w"
)
"""An item that tells what to do with a file, and then something more, which may hold without it."""
_LABEL = re.compile(r"[*_]{0,2}[^`\[\]:.]{1,60}:[*_]{0,2}\s+")
_OTHER_WORD = re.compile(r"[^\W\d_]{2,}")
_OPENS_BLOCK = re.compile(r"(?:\b(?:do|then|else|in)|[{(])\Z")
_CLOSES_BLOCK = re.compile(r"(?:done|fi|else|elif|esac)\b|[})]|;;")
"""Lines of a shell between which a command stands."""
_GOES_ON = ("\\", "&&", "||", "|")
_PROMPTS = ("$ ", "% ", "> ", "# ")
_MOST_WORDS = 10
"""Words beside the references of an item that only points to something: "Read `docs/old.md` before a release"."""
_LEADS_TO = word_set(
    "see read in at to from of the a an and or with by on use run per follow check open through via under into as is"
)
"""Words after which a link is no aside: the sentence needs it."""
_FEWEST_WORDS = 3
"""Words of a rule that says something without what stands in brackets behind it."""
_COMPILED = re.compile(r"(.+)\.([cm]?)js(x?)")
_LINK_PLACE = re.compile(r"\]\([^)\n]{1,300}\)")
_SPEAKS_OF_ABSENCE = re.compile(
    r"""\b (?: removed? | removing | delete[sd]? | deprecated | rename[sd]? | moved | migrated? | replaced | legacy
      | former(?:ly)? | previous(?:ly)? | used \s to | no \s longer | planned | future
      | \w+n['’]t | cannot | never | not? | nothing | nobody | none | avoid | instead \s of | without
      | gone | (?:got|get|gets) \s rid | drop(?:s|ped)? | again | back
      | e\.g | for \s example | such \s as | like | similar | suggest | optional(?:ly)? | exists? | existing
      | compiled | create[sd]? | creating | generate[sd]? | outputs? | produce[sd]? | save[sd]?
      | weg | nicht | kein\w* | nie | niemals | niemand | nirgends | ohne | vermeide\w* | entfern\w* | gelöscht\w*
      | ersetz\w* | umbenannt | veraltet\w* | früher\w* | statt | (?:an)?legt? | erstell\w* | erzeug\w*
      | n['’]\w+ | ne | pas | jamais | rien | sans | évite\w* | supprim\w* | remplac\w* | ancien\w* | cré[eé]\w*
      | nunca | jamás | nada | nadie | sin | evit\w+ | elimin\w+ | borr\w+ | reemplaz\w+ | antigu\w+ ) \b""",
    re.IGNORECASE | re.VERBOSE,
)
"""Words of lines that name something which need not be there, whatever was there once; in four languages."""
_MAY_BE_TO_COME = re.compile(
    r"""\b (?: write | writes | add | adds | adding | new | if | when | whether | prior | search | looks? \s for
      | put | puts | place[sd]? | store[sd]? | goes | go | belongs? | keep | kept | record(?:s|ed)? | log | logs
      | track(?:s|ed)? | document | publish | report | reports | drafts? | per
      | nam(?:ed?|es|ing) | lives? \s under | endpoints? | routes? | urls? | imports? | repository | repo
      | has \s its ) \b""",
    re.IGNORECASE | re.VERBOSE,
)
"""Words of lines that may name what is to come: only what was there once is gone, then."""


class Stale(NamedTuple):
    """Some lines that name what is gone."""

    line: int
    """Index of the first of the lines, from 0."""
    gone: tuple[Reference, ...]
    after: str
    """The file without the lines."""


def cited_tools(target: Target) -> list[str]:
    """Return the tools whose tasks a file names: only their build files need to be read."""
    found = passages(target.text) if _is_looked_at(target) else ()
    return sorted({reference.tool for passage in found for reference in _references(passage) if reference.tool})


def stale_lines(target: Target, known: KnownPaths, tasks: DeclaredTasks = NO_TASKS) -> tuple[Stale, ...]:
    """Find what a file says about things that the repository does not have."""
    if not known.paths or not _is_looked_at(target):
        return ()
    found, lines = [], split_lines(target.text)
    for passage in passages(target.text):
        cited = _references(passage)
        gone = tuple(dict.fromkeys(named for named in cited if _is_gone(named, known, tasks, target.folder)))
        if not gone or _may_be_absent(passage.written):
            continue
        if any(may_be_elsewhere(known, reference, target.folder) for reference in gone):
            continue
        rest = _without_aside(passage, gone[0]) if passage.kind is BlockKind.ITEM and len(gone) == 1 else None
        is_all = passage.is_whole and len(set(cited)) == len(gone)
        if rest is not None or (is_all and not _is_about_more(passage, cited, lines)):
            after = "".join([*lines[: passage.start], rest or "", *lines[passage.end :]])
            found.append(Stale(passage.start, gone, after))
    return tuple(found)


def _is_looked_at(target: Target) -> bool:
    return target.type is TargetType.INSTRUCTIONS and not target.uri.startswith("~/")


def _references(passage: Passage) -> list[Reference]:
    return references_in_command(passage.text) if passage.kind is BlockKind.FENCE else references_in(passage.written)


def _is_gone(reference: Reference, known: KnownPaths, tasks: DeclaredTasks, folder: str) -> bool:
    """Tell whether a reference in a file of this folder is nowhere to be found, and is no thing of a build."""
    if reference.tool:
        is_there = tasks.has(reference.tool, reference.name)
        return is_there is False or (is_there is None and reference.tool not in tasks.open_tools)
    plain = posixpath.normpath(reference.name)
    here = posixpath.normpath(posixpath.join(folder, reference.name))
    for place in (plain.removeprefix("../").removeprefix("../"), here):
        compiled = _COMPILED.fullmatch(place)
        sources = [f"{compiled[1]}.{compiled[2]}ts{compiled[3]}", f"{compiled[1]}.tsx"] if compiled else []
        if any(known.has(source) for source in (place, *sources)):
            return False
    is_file_or_folder = reference.name.endswith("/") or HAS_ENDING.search(reference.name) is not None
    is_within = any(known.is_within_leaf(place) for place in (plain, here))
    return is_file_or_folder and not is_within and _MADE.isdisjoint(reference.name.lower().split("/"))


def _may_be_absent(line: str) -> bool:
    """Tell whether a line says that what it names is gone, forbidden, made, an example, or to come."""
    without_names = _LINK_PLACE.sub("]", _SPAN.sub("`…`", line))
    return _SPEAKS_OF_ABSENCE.search(without_names) is not None or _MAY_BE_TO_COME.search(line) is not None


def _without_aside(passage: Passage, reference: Reference) -> str | None:
    """Return a rule without its aside: "Strict mode is on (see `tsconfig.old.json`)"; None where it has none."""
    name = re.escape(reference.written)
    place = rf"\[[^\]\n]*\]\({name}\)" if reference.is_link else rf"`{name}`"
    aside = rf"\s+\((?:see\s+)?{place}\)(?=[\s.;]|\Z)|,?\s+see(?:\s+also)?\s+{place}(?=[.;]?\s*\Z)"
    rest = re.sub(aside, "", passage.written, flags=re.IGNORECASE)
    added = re.search(rf"(\w+)(\s+{place})[.;]?\s*\Z", rest) if reference.is_link else None
    if added and added[1].lower() not in _LEADS_TO:
        rest = rest[: added.start(2)] + rest[added.end(2) :]
    is_rule = len(_OTHER_WORD.findall(rest)) >= _FEWEST_WORDS
    return rest if is_rule and rest != passage.written and reference.written not in rest else None


def _is_about_more(passage: Passage, cited: list[Reference], lines: Sequence[str]) -> bool:
    """Tell whether a passage says something besides, or cannot go without its neighbours."""
    if passage.kind is BlockKind.FENCE:  # a part of a block, of a longer command, of a recording
        before = lines[passage.start - 1].strip() if passage.start else ""
        own = [line.rstrip() for line in lines[passage.start : passage.end]]
        after = lines[passage.end].strip() if passage.end < len(lines) else ""
        is_within = _OPENS_BLOCK.search(before) or _CLOSES_BLOCK.match(after) or own[0][:1].isspace()
        is_cut = before.endswith(_GOES_ON) or own[-1].endswith(_GOES_ON)
        has_output = own[0].startswith(_PROMPTS) and after and not after.startswith((*_PROMPTS, "```", "~~~"))
        return bool(is_within or is_cut or has_output)
    for span in _SPAN.findall(passage.written):  # other places, as a pattern names them
        is_place = "/" in span and not span.startswith("http")
        if is_place and not any(reference.written in span or reference.name in span for reference in cited):
            return True
    if names_other_commands(passage.written, cited) or _ASKS_MORE.match(passage.text):
        return True
    # About what it names is what begins with that, perhaps behind a label, or has few words:
    # "Register clients by key, as in `src/old.cs`" holds without the file.
    label = _LABEL.match(passage.text)
    rest = (passage.text[label.end() :] if label else passage.text).lstrip("*_ ")
    names = tuple(f"{mark}{reference.written}" for reference in cited for mark in ("`", "[", "[`"))
    return not rest.startswith(names) and len(_OTHER_WORD.findall(_SPAN.sub("", rest))) > _MOST_WORDS
