"""Lines of customization files that speak of what the repository does not have any more. Pure.

References are code spans and the ends of links; text that is not marked as code is never taken for one. Careful rather
than complete: only items, rows of tables and command lines of instructions (agents and skills are passed from one
repository to another) of which everything is gone and which are about nothing else. What is made by a build, is a
placeholder or is to come is left alone, and so is what may only have moved.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from memsuggest.core.model import Target, TargetType
from memsuggest.core.text.words import word_set
from memsuggest.customizations.blocks.line_kinds import split_lines
from memsuggest.customizations.blocks.scan import BlockKind
from memsuggest.customizations.blocks.sections import Passage, passages
from memsuggest.customizations.staleness.declared_tasks import NO_TASKS, DeclaredTasks

_CITED = re.compile(r"`([^`\n]{3,200})`|\]\(([^()\s]{3,200})\)")
_PATH = re.compile(r"(?:\./|\.\./)*[A-Za-z0-9_.@+-]+(?:/[A-Za-z0-9_.@+-]+)*/?")
_HAS_ENDING = re.compile(r"\.[A-Za-z][A-Za-z0-9]{0,7}\Z")
_FILE_NAME = re.compile(r"\.?[A-Za-z0-9_-]{2,}(?:\.[A-Za-z0-9_-]+)*\.[a-z][a-z0-9]{1,5}")
_LINE_MARK = re.compile(r"(?:#|:\d).*\Z|:\Z")
_PLACEHOLDERS = re.compile(
    r"(?:\b|_)(?:foo|bar|baz|qux|example|my[_-]?\w*|your[_-]?\w*|xxx+|path/to|placeholder)(?:\b|_)"
    r"|(?-i:(?:\b|_)(?:N{3,}|Y{4}|PAGE|NAME|TITLE)(?:\b|_))",
    re.IGNORECASE,
)
_TASK = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_:.@/-]*")
_CHAINED = re.compile(r"\s*(?:&&|\|\||;|\|)\s*")
_ASSIGNED = re.compile(r"[A-Za-z_]\w*=\S*\Z")
_INTERPRETERS = word_set("python python3 py node bash sh zsh pwsh powershell tsx ts-node ruby perl php source")
_WITH_RUN = {
    "uv": "run",
    "poetry": "run",
    "pdm": "run",
    "rye": "run",
    "hatch": "run",
    "npx": "",
    "bunx": "",
    "bun": "",
    "deno": "run",
}
"""Programs that run another one, and the word between the two."""
_OWN_COMMANDS = word_set(
    "add audit bin cache ci config create dedupe deploy dlx docs exec explain fetch global help i import info init"
    " install licenses link list login logout ls node npm outdated pack patch pm prune publish rebuild remove root set"
    " setup store unlink up update upgrade upgrade-interactive version versions view why workspace workspaces x"
)
"""What a package manager does by itself: `pnpm X` may otherwise be a script of `package.json`."""
_VALUED = word_set("--filter -F --prefix -w --workspace --cwd -C -f --dir --package -p --directory --file --justfile")
"""Options that take the next word."""
_PROGRAMS = (
    _INTERPRETERS
    | set(_WITH_RUN)
    | word_set(
        "npm pnpm yarn bun make just task composer poe nox tox mise turbo nx git docker cargo go dotnet mvn gradle rake"
        " bundle mix pip pytest terraform kubectl helm gh az aws cmake bazel swift xcodebuild ./gradlew gradlew ./mvnw"
    )
)


_RUNNERS = {
    "npm": ("npm", "run"),
    "pnpm": ("npm", "run"),
    "yarn": ("npm", "run"),
    "bun": ("npm", "run"),
    "turbo": ("npm", "run"),
    "deno": ("deno", "task"),
    "composer": ("composer", "run"),
}
"""By program: the tool, and the word that stands before a task."""
_TASK_PROGRAMS = frozenset({"make", "just", "task", "poe"})
"""Programs whose first word is a task."""
_SHORT = {"npm": {"test", "start", "stop", "restart"}, "pnpm": None, "yarn": None}
"""What may stand without `run`: these scripts, or any."""


class Reference(NamedTuple):
    """One thing of the repository that a line names."""

    name: str
    """A path as it is written, or the name of a task."""
    written: str
    """The code span or link that names it."""
    tool: str = ""
    """Whose task it is: `npm` for all package managers of JavaScript, `make`, `just` …; of a path, none."""
    is_link: bool = False
    """Whether it is the end of a link, which starts at the folder of its file."""

    @property
    def shown(self) -> str:
        """The name that a person would use: a path, or the command that runs a task."""
        return self.written if self.tool else self.name


def references_in(text: str) -> list[Reference]:
    """Return what a text refers to, in its order.

    >>> [reference.name for reference in references_in("Run `npm run lint` before [the guide](docs/guide.md#top)")]
    ['lint', 'docs/guide.md']
    """
    found: list[Reference] = []
    for match in _CITED.finditer(text):
        span = (match.group(1) or match.group(2)).strip()
        path, is_link = _LINE_MARK.sub("", span), bool(match.group(2))
        if " " in span:
            found += references_in_command(span)
        elif "..." in path or "/." in path.strip("/")[1:].replace("/.github", "") or not _is_path(path):
            continue
        elif "/" in path.strip("/") or _FILE_NAME.fullmatch(path) or (is_link and _HAS_ENDING.search(path)):
            found.append(Reference(name=path, written=span, is_link=is_link))
    return found


def _is_path(text: str) -> bool:
    return _PATH.fullmatch(text) is not None and not _PLACEHOLDERS.search(text)


def _names_other_commands(text: str, known: list[Reference]) -> bool:
    """Tell whether a text gives a command of which no reference is among the known ones: it is about that, too."""
    written = {reference.written for reference in known}
    spans = (match.group(1) for match in _CITED.finditer(text) if match.group(1))
    return any(" " in span and span.strip() not in written and span.split()[0] in _PROGRAMS for span in spans)


def references_in_command(line: str) -> list[Reference]:
    """Return the tasks and scripts that a command line runs.

    >>> [(found.tool, found.name) for found in references_in_command("cd web && pnpm run e2e; make -C lib all")]
    [('npm', 'e2e'), ('make', 'all')]
    """
    found: list[Reference] = []
    for command in _CHAINED.split(line.strip()):
        words = [word for word in command.split() if not _ASSIGNED.match(word)]
        if not words:
            continue
        program, rest = words[0], list(_plain_words(words[1:]))
        tool, names = _tasks(program, rest)
        for name in names:
            if not _TASK.fullmatch(name) or _PLACEHOLDERS.search(name) or _HAS_ENDING.search(name):
                break
            found.append(Reference(name=name, tool=tool, written=line))
        scripts = rest if program in _INTERPRETERS else [program]  # the file that is interpreted, or run itself
        if (between := _WITH_RUN.get(program)) is not None:
            scripts = rest[bool(between) :] if not between or rest[:1] == [between] else []
            scripts = [name for name in scripts if name not in _INTERPRETERS]
        path = scripts[0] if scripts else ""
        if "/" in path.strip("/") and _HAS_ENDING.search(path) and _is_path(path):
            found.append(Reference(name=path, written=line))
    return found


def _plain_words(words: list[str]) -> Iterator[str]:
    """Leave out options with their values, and what follows `--`."""
    is_value = False
    for word in words:
        if word in ("--", "<") or word.startswith(("#", ">")):
            return
        if not is_value and not word.startswith("-"):
            yield word
        is_value = not is_value and word in _VALUED


def _tasks(program: str, words: list[str]) -> tuple[str, list[str]]:
    if program in _TASK_PROGRAMS:
        return program, words if program == "make" else words[:1]  # the others are arguments of the task
    if program not in _RUNNERS:
        return "", []
    tool, run = _RUNNERS[program]
    if words[:1] == ["workspace"] and len(words) > 2:  # `yarn workspace web lint`
        words = words[2:]
    if words[:1] in ([run], [f"{run}-script"]):
        return tool, words[1:2]
    short = _SHORT.get(program, set())
    is_short = bool(words) and words[0] not in _OWN_COMMANDS and (short is None or words[0] in short)
    return (tool, words[:1]) if is_short else ("", [])


_GENERIC = word_set(
    "readme index main __init__ mod lib types type utils util constants config setup package agents claude skill app"
    " makefile dockerfile changelog license settings conftest models model test tests helpers common base schema"
)
"""Names of files, without endings, that say nothing: each folder may have one of its own."""
_MOST_NAMESAKES = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownPaths:
    """The paths of a repository."""

    paths: frozenset[str]
    """Every tracked path and every folder above one, in lower case."""
    leaves: Mapping[str, str]
    """The tracked paths themselves (files, links, and repositories within this one), as they are spelled."""
    by_name: Mapping[str, tuple[str, ...]]
    """All paths by their last names."""

    def namesakes(self, path: str) -> tuple[str, ...]:
        return self.by_name.get(path.lower().strip("/").rpartition("/")[2], ())

    def has(self, path: str) -> bool:
        """Tell whether there is such a path, from the root, or from any folder: rules are often a package's."""
        path = path.lower().strip("/")
        return any(namesake == path or namesake.endswith("/" + path) for namesake in self.namesakes(path))

    def is_within_leaf(self, path: str) -> bool:
        """Tell whether a path lies in what git knows as one thing: a repository within this one, or a link."""
        parts = path.lower().strip("/").split("/")
        return any("/".join(parts[:length]) in self.leaves for length in range(1, len(parts)))


def known_paths(tracked: Iterable[str]) -> KnownPaths:
    """Take in the paths of a repository, once for all its files."""
    known: set[str] = set()
    leaves = {path.lower(): path for path in tracked}
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


def _may_be_elsewhere(known: KnownPaths, reference: Reference, folder: str) -> bool:
    """Tell whether a path may only have moved: a file of its telling name is there, or a folder took its place."""
    if reference.tool:
        return False
    place, _, ending = reference.name.rpartition(".")
    if ending and "/" not in ending and "/" in place:  # `src/api/` instead of `src/api.ts`
        here = (posixpath.normpath(place).lower(), posixpath.normpath(posixpath.join(folder, place)).lower())
        if any(path in known.paths and path not in known.leaves for path in here):
            return True
    stem = reference.name.strip("/").rpartition("/")[2].lstrip(".").partition(".")[0]
    return 0 < len(known.namesakes(reference.name)) <= _MOST_NAMESAKES and stem.lower() not in _GENERIC


@dataclass(frozen=True, slots=True, kw_only=True)
class Removal:
    """The commit that took something away."""

    commit: str
    """Abbreviated, as git prints it."""
    day: str
    """As 2026-03-01."""
    subject: str = ""
    """Its first line, on one line and without secrets."""


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
_FEWEST_WORDS = 3  # words of a rule that says something without what stands in brackets behind it
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
        if any(_may_be_elsewhere(known, reference, target.folder) for reference in gone):
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
    is_file_or_folder = reference.name.endswith("/") or _HAS_ENDING.search(reference.name) is not None
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
    if _names_other_commands(passage.written, cited) or _ASKS_MORE.match(passage.text):
        return True
    # About what it names is what begins with that, perhaps behind a label, or has few words:
    # "Register clients by key, as in `src/old.cs`" holds without the file.
    label = _LABEL.match(passage.text)
    rest = (passage.text[label.end() :] if label else passage.text).lstrip("*_ ")
    names = tuple(f"{mark}{reference.written}" for reference in cited for mark in ("`", "[", "[`"))
    return not rest.startswith(names) and len(_OTHER_WORD.findall(_SPAN.sub("", rest))) > _MOST_WORDS
