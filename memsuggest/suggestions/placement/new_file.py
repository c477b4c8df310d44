"""New customization files: their names, their heads, their first rule. Pure.

Names are ours, never a fact's: slugs of a folder, of its own words. What stands
in a head is made of slugs and of our own words, so that nothing has to be quoted.
"""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING, NamedTuple

from memsuggest.customizations.applyto.portable_patterns import infer, portable
from memsuggest.customizations.kinds import place_of
from memsuggest.model import Edit, Kind, MemoryFact, MemorySuggestion, Scope, TargetType
from memsuggest.suggestions.placement.content_safety import one_line
from memsuggest.suggestions.placement.line_format import begin_like
from memsuggest.suggestions.ranking.hosts import Host
from memsuggest.suggestions.ranking.repo_paths import INSIDE
from memsuggest.text.stop_words import STOP_WORDS
from memsuggest.text.verbs import VERBS
from memsuggest.text.words import word_set

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

    from memsuggest.customizations.kinds import FileKind


AGENTS_MD = "AGENTS.md"
CLAUDE_MD = "CLAUDE.md"
_OWN_FILES = {Host.CLAUDE: "~/.claude/CLAUDE.md", Host.CODEX: "~/.codex/AGENTS.md"}
"""What assistants read for one person in every project, where that is one file."""
OWN_FOLDER = "~/.copilot/instructions"
_WORDS_OF_NAME = 3
_HOW = {
    "when": "Use when {}",
    "whenever": "Use when {}",
    "before": "Use before {}",
    "after": "Use after {}",
    "for": "Use for {}",
    "to": "Use when asked to {}",
}
"""The word that leads a procedure in, and the description that comes of it."""
_SHORT_FORMS = word_set(
    "api ui ux css html sql ci cd cli db http json yaml xml pdf aws gcp sdk mcp llm ai ml qa e2e i18n a11y io ios ide"
    " orm rpc grpc url uri id jwt oauth seo tls ssh dns vm vpn etl"
)
"""What is written in capitals."""
_SMALL = word_set("you we i they it a an the to asked want need have has new your our is are be being")
"""Words of a lead that name nothing."""
_ARTICLE = re.compile(r"(?:the|an?|all|your|our)\s", re.IGNORECASE)
_DEFINED = re.compile(
    r"[\"“'`]?(?P<term>[\w][\w ./-]{1,40}?)[\"”'`]?\s+(?:means|is|are|refers|stands)\b|(?P<named>[^:]{2,40}):\s"
)
_ABOUT = "Use when the task is about {}"
_LEAD = re.compile(
    r"(?P<how>when(?:ever)?|how\s+to|to|before|after|for)\s+(?P<what>[\w][\w '/-]{2,70}?)\s*[,:]\s+", re.IGNORECASE
)
"""What a procedure is for, and how it is said."""
_NUMBERED = re.compile(r"(?:^|\s)\(?\d{1,2}[.)]\s+")
_THEN = re.compile(
    r";\s+|[,.]?\s+(?:and\s+)?then[,:]?\s+|[,.]\s+(?:after\s+that|finally|lastly)[,:]?\s+", re.IGNORECASE
)
_FIRST = re.compile(r"first(?:ly)?[,:]?\s+", re.IGNORECASE)
_REASON = re.compile(r"[,;]?\s(?:so\s+that|because|since|otherwise|damit|weil|parce\s+que|porque)\s", re.IGNORECASE)
_WORD = re.compile(r"[^\W_][\w'-]*")
_PLAIN_FOLDERS = word_set("src lib app apps packages pkg internal cmd main source code java")
_EMPTY = (
    VERBS
    | STOP_WORDS["en"]
    | STOP_WORDS["de"]
    | word_set(
        "not never always only new old every each please date dates edit edits edited file files change changes code"
        " step steps time times thing things way case cases line lines folder folders work works"
        " per via etc so after before"
    )
)
"""Words that say nothing about what a rule is about."""
SLUG_LIMIT = 40
"""Characters of a name of ours."""
_NOT_SLUG = re.compile(r"[^a-z0-9]+")
_LETTERS = str.maketrans(
    {"ß": "ss", "ä": "ae", "ö": "oe", "ü": "ue", "æ": "ae", "ø": "o", "œ": "oe", "ł": "l", "đ": "d"}
)
"""Letters that have no sign to be left out."""


class NewFile(NamedTuple):
    """A file that is to be made."""

    uri: str
    text: str


def new_file(
    fact: MemoryFact,
    *,
    paths: Sequence[str],
    taken: Collection[str],
    has_always_on: bool,
    host: Host | None = None,
) -> NewFile:
    """Return a new file that holds a fact, where the assistant that was told (`host`) reads it.

    `taken` are the names of the files that there are; they say, too, where this workspace keeps such files.
    """
    if fact.scope is Scope.USER:
        return _own(fact, taken=taken, host=host)
    steps = steps_of(fact.content)
    if fact.kind in {Kind.PROCEDURE, Kind.SKILL} and len(steps) > 1:
        return _skill(fact.content, steps, taken=taken)
    apply_to = pattern_of(paths)
    always_on = CLAUDE_MD if host is Host.CLAUDE else AGENTS_MD
    if apply_to is None and not has_always_on and always_on not in taken:
        return NewFile(always_on, f"# Instructions for agents\n\n## Conventions\n\n- {_rule(fact.content)}\n")
    is_for_claude = _keeps_claude_rules(taken) or (host is Host.CLAUDE and not _keeps_copilot(taken))
    return _instructions(fact, paths=paths, apply_to=apply_to or "**", taken=taken, is_for_claude=is_for_claude)


def pattern_of(paths: Sequence[str]) -> str | None:
    """Say in a pattern which files a fact is about; folders that are only named count when nothing else is cited."""
    folders = [path.removesuffix(INSIDE) for path in paths if path.endswith(f"/{INSIDE}")]
    if len(folders) < len(paths) or not paths:
        return infer(path for path in paths if not path.endswith(f"/{INSIDE}"))
    try:
        return portable(f"{folder}**" for folder in folders)
    except ValueError:
        return None


def _rule(content: str) -> str:
    return begin_like(one_line(content), [])


def _own(fact: MemoryFact, *, taken: Collection[str], host: Host | None) -> NewFile:
    always_on = _OWN_FILES.get(host) if host else None
    if always_on and always_on not in taken:
        return NewFile(always_on, f"# Personal\n\n- {_rule(fact.content)}\n")
    uri = _free(lambda name: f"{OWN_FOLDER}/{name}.instructions.md", "personal", taken)
    head = '---\ndescription: "How I like to work, in every project"\napplyTo: "**"\n---\n'
    return NewFile(uri, f"{head}\n# Personal\n\n- {_rule(fact.content)}\n")


def _instructions(
    fact: MemoryFact, *, paths: Sequence[str], apply_to: str, taken: Collection[str], is_for_claude: bool
) -> NewFile:
    name, about = _name_and_use(fact, paths if apply_to != "**" else (), apply_to)
    body = f"\n# {_title(name)}\n\n- {_rule(fact.content)}\n"
    if is_for_claude:
        listed = "".join(f'  - "{pattern}"\n' for pattern in apply_to.split(",")) if apply_to != "**" else ""
        head = f'---\ndescription: "{about}"\n' + (f"paths:\n{listed}" if listed else "") + "---\n"
        return NewFile(_free(lambda free: f".claude/rules/{free}.md", name, taken), head + body)
    head = f'---\ndescription: "{about}"\napplyTo: "{apply_to}"\n---\n'
    return NewFile(_free(lambda free: f".github/instructions/{free}.instructions.md", name, taken), head + body)


def _keeps_claude_rules(taken: Collection[str]) -> bool:
    """Tell whether a workspace keeps its rules where Claude Code reads them, and none where Copilot does."""
    return any(uri.startswith(".claude/rules/") for uri in taken) and not any(
        uri.startswith(".github/instructions/") for uri in taken
    )


def _keeps_copilot(taken: Collection[str]) -> bool:
    """Tell whether a workspace has files where Copilot looks for them."""
    return any(uri.startswith(".github/") for uri in taken)


def _name_and_use(fact: MemoryFact, paths: Sequence[str], apply_to: str) -> tuple[str, str]:
    """Return a slug for what a fact is about, and a sentence that says when it matters."""
    folder, words = folder_word(paths), topic_words(fact.content)
    if fact.kind is Kind.TERMINOLOGY and not folder:
        defined = _DEFINED.match(fact.content)
        term = " ".join(re.findall(r"[\w-]+", (defined["term"] or defined["named"]))) if defined else ""
        return "terminology", f"Use when naming things: {term or _listed(words) or 'terms of this project'}"
    if folder:
        return folder, f"Use when working in {_folder_of(apply_to) or folder}"
    alone = apply_to.removeprefix("**/")
    if alone != apply_to and not set("*/,").intersection(alone):
        return slug(alone.partition(".")[0]) or "conventions", f"Use when editing {alone}"
    name = slug("-".join(words[:2])) or "conventions"
    return name, f"Use when working with {_listed(words) or 'this project'}"


def _folder_of(apply_to: str) -> str:
    """Return the folder that the first of some patterns of ours begins with; empty where it begins with none."""
    return apply_to.partition(",")[0].partition("*")[0].rstrip("/")


def _listed(words: Sequence[str]) -> str:
    chosen = words[:_WORDS_OF_NAME]
    return " and ".join([", ".join(chosen[:-1]), chosen[-1]] if len(chosen) > 1 else chosen)


def _title(name: str) -> str:
    words = [word.upper() if word in _SHORT_FORMS else word for word in name.split("-")]
    return " ".join([words[0][:1].upper() + words[0][1:], *words[1:]])


def _skill(content: str, steps: Sequence[str], *, taken: Collection[str]) -> NewFile:
    lead = _LEAD.match(content)
    told = [slug(word) for word in lead["what"].split() if word.lower() not in _SMALL] if lead else []
    words = [word for word in told if word] or topic_words(content)
    base = slug("-".join(words[:_WORDS_OF_NAME])) or "procedure"
    uri = _free(lambda free: f".github/skills/{free}/SKILL.md", base, taken)
    name = uri.split("/")[-2]
    what = " ".join(re.findall(r"[\w'-]+", lead["what"])) if lead else _listed(words) or "this"
    about = _HOW.get(lead["how"].lower().split()[-1], _ABOUT) if lead else _ABOUT
    about = about.format(what)
    head = f'---\nname: {name}\ndescription: "{about}"\n---\n'
    listed = "".join(f"{number}. {_rule(step)}\n" for number, step in enumerate(_with_verbs(steps), 1))
    return NewFile(uri, f"{head}\n# {_title(name)}\n\n## Steps\n\n{listed}")


def _with_verbs(steps: Sequence[str]) -> Iterator[str]:
    """Give steps that only name a thing the verb of the step before: "write the schema, then the handler"."""
    verb = ""
    for step in steps:
        is_bare = _ARTICLE.match(step) is not None
        verb = verb if is_bare else step.split(" ", 1)[0]
        yield f"{verb} {step}" if is_bare and verb else step


def _free(path: Callable[[str], str], name: str, taken: Collection[str]) -> str:
    """Return the first path that is not taken, on file systems of any kind."""
    lowered = {uri.lower() for uri in taken}
    number, uri = 1, path(name)
    while uri.lower() in lowered:
        number += 1
        uri = path(f"{name}-{number}")
    return uri


def steps_of(content: str) -> list[str]:
    """Return the steps of a procedure in the order in which they are told; one or none for anything else."""
    lead = _LEAD.match(content)
    told = content[lead.end() :] if lead else content
    numbered = [part.strip(" ,;.") for part in _NUMBERED.split(told)]
    parts = numbered[1:] if len(numbered) > 2 else [part.strip(" ,;") for part in _THEN.split(told)]
    return [_FIRST.sub("", part, count=1) for part in parts if part]


def topic_words(content: str) -> list[str]:
    """Return the words that a rule is about, each as a slug, in their order."""
    words = _WORD.findall(_REASON.split(content, maxsplit=1)[0])
    slugs = (slug(word) for word in words if word.lower() not in _EMPTY)
    return list(dict.fromkeys(word for word in slugs if len(word) > 2))


def folder_word(paths: Iterable[str]) -> str:
    """Return the innermost folder that all the files share and that says something, as a slug; else nothing."""
    split = [path.removeprefix("./").split("/")[:-1] for path in paths]
    common = [names[0] for names in zip(*split, strict=False) if len(set(names)) == 1]
    words = (slug(name) for name in reversed(common))
    return next((word for word in words if word and word not in _PLAIN_FOLDERS), "")


def slug(text: str) -> str:
    """Return a text as a name of ours: lower case, ASCII letters, digits and dashes, at most 40 characters."""
    plain = unicodedata.normalize("NFKD", text.lower().translate(_LETTERS))
    ascii_only = "".join(char for char in plain if not unicodedata.combining(char))
    return _NOT_SLUG.sub("-", ascii_only).strip("-")[:SLUG_LIMIT].strip("-")


_CONVENTIONS = "Conventions"
"""The heading in a file that is always loaded, where none was typed."""
_ENDINGS = re.compile(r"(\.instructions)?\.md$", re.IGNORECASE)


def in_new_file(fact: MemoryFact, uri: str, *, heading: str | None, why: str) -> MemorySuggestion | None:
    """Return the suggestion that makes a file with a rule as its first; None where only instructions can be made."""
    place = place_of(uri.removeprefix("~/"))
    if place is None or place.kind.type is not TargetType.INSTRUCTIONS:
        return None
    text = _head(place.kind, fact) + _body(place.kind, fact, uri, heading=heading)
    return MemorySuggestion(
        id=fact.id,
        fact=fact,
        target_type=TargetType.NEW_FILE,
        suggested_file_name=uri,
        suggested_merge_content=text,
        heading=heading,
        why=why,
        edit=Edit(path=uri, before=None, after=text),
    )


def _head(kind: FileKind, fact: MemoryFact) -> str:
    """Return the front matter by which hosts know for which files to load it."""
    pattern = pattern_of(fact.cited_paths)
    if kind.name == "instructions":
        return f'---\napplyTo: "{pattern or "**"}"\n---\n\n'
    if kind.name == "rules" and pattern:
        return "---\npaths:\n" + "".join(f'  - "{one}"\n' for one in pattern.split(",")) + "---\n\n"
    if kind.name == "cursor-rules":
        return f"---\nglobs: {pattern}\nalwaysApply: false\n---\n\n" if pattern else "---\nalwaysApply: true\n---\n\n"
    return ""


def _body(kind: FileKind, fact: MemoryFact, uri: str, *, heading: str | None) -> str:
    words = _ENDINGS.sub("", uri.rpartition("/")[2]).replace("-", " ").replace("_", " ").strip()
    title = "Instructions for agents" if kind.always_on else words[:1].upper() + words[1:]
    below = one_line(heading) if heading else _CONVENTIONS if kind.always_on else ""
    section = f"## {below}\n\n" if below else ""
    return f"# {title}\n\n{section}- {begin_like(one_line(fact.content), [])}\n"
