"""Names of code and of packages in rules, and the lines of a patch that took them out of a repository. Pure.

A name counts as gone only by such a line: that nothing has it now says little, most names in rules are of libraries.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from memsuggest.customizations.staleness.references import Reference, ReferenceKind

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

_SPAN = re.compile(r"`([^`\s]{3,80})`")
_SYMBOL = re.compile(r"(?:[a-z]+[A-Z]|[A-Z][a-z0-9]+[A-Z]|[A-Za-z0-9]+_[A-Za-z0-9])\w*(?:\(\))?")
_PACKAGE = re.compile(r"@[a-z0-9][\w.-]*/[a-z0-9][\w.-]*|[a-z][a-z0-9]*(?:[._-][a-z0-9]+)*")
_MANIFESTS = ("package.json", "pyproject.toml", "requirements.txt", "Cargo.toml", "go.mod", "Gemfile", "composer.json")
_DEFINED = (
    r"(^|[^A-Za-z0-9_])(def|class|function|const|let|interface|type|struct|enum|fn|func|trait|record|protocol|object)"
    r"[[:space:]]+(\([^)]*\)[[:space:]]*)?({})([^A-Za-z0-9_]|$)"
)
_VERSION = r'"(?:[\^~<>=v ]*\d|workspace:|catalog:|npm:|latest|\*|file:|link:|git)'
_DECLARED = re.compile(
    rf"""^-\s*(?:
        "(?P<json>[@\w./-]+)"\s*:\s*{_VERSION}              # package.json, composer.json
      | "(?P<listed>[A-Za-z][\w.-]*)(?:\[[\w,]+\])?\s*(?:[<>=~!;].*)?",?\s*$   # pyproject.toml
      | (?P<key>[A-Za-z][\w-]*)\s*=\s*(?:"[\^~<>=\d*]|\{{)   # Cargo.toml, Poetry
      | (?P<line>[A-Za-z][\w.-]*)(?:\[[\w,]+\])?\s*[<>=~!]=   # requirements.txt
      | gem\s+["'](?P<gem>[\w-]+)["']
    )""",
    re.VERBOSE,
)
_HUNK = re.compile(r"^@@ .*$", re.MULTILINE)


def is_manifest(path: str) -> bool:
    """Tell whether a file declares the packages that a program needs."""
    name = path.rpartition("/")[2]
    return name in _MANIFESTS or (name.startswith("requirements") and name.endswith(".txt"))


def names_in(text: str) -> list[Reference]:
    """Return the names in code spans that may be a symbol of the code, or a package.

    >>> [(str(one.kind), one.name) for one in names_in("Call `fetchRetry()`, never `moment`, in `src/a.py`")]
    [('symbol', 'fetchRetry'), ('package', 'moment')]
    """
    found = []
    for span in _SPAN.findall(text):
        name = span.removesuffix("()")
        kind = ReferenceKind.SYMBOL if _SYMBOL.fullmatch(span) else ReferenceKind.PACKAGE
        if kind is ReferenceKind.SYMBOL or _PACKAGE.fullmatch(span):
            found.append(Reference(kind=kind, name=name, written=span, is_sure=False))
    return found


def definition_pattern(names: Collection[str]) -> str:
    """Return the pattern, for git, of lines that define one of some symbols."""
    return _DEFINED.replace("{}", "|".join(sorted(names)))


def package_pattern(names: Collection[str]) -> str:
    """Return the pattern, for git, of lines that may declare one of some packages."""
    listed = "|".join(re.sub(r"\.", "[.]", name) for name in sorted(names))
    return f"(^|[^A-Za-z0-9_@/.-])({listed})([^A-Za-z0-9_/-]|$)"


def removed_packages(names: Collection[str], patch: str) -> set[str]:
    """Return which of some packages a patch of manifests declares no longer."""
    removed: set[str] = set()
    declared: set[str] = set()
    for line in patch.split("\n"):
        sign, as_removed = line[:1], "-" + line[1:]
        match = _DECLARED.match(as_removed) if sign in ("-", "+") else None
        name = next((group for group in match.groups() if group), "") if match else ""
        (removed if sign == "-" else declared).add(package_key(name))
    return {name for name in names if package_key(name) in removed - declared}


def package_key(name: str) -> str:
    """Return what is the same for all spellings of a package's name (PEP 503; other registries have no capitals)."""
    return re.sub(r"[-_.]+", "-", name).lower()


def removed_symbols(names: Collection[str], patch: str) -> dict[str, str]:
    """Return which of some symbols a patch defines no longer, each with its new name where the line is else the same.

    >>> removed_symbols(["loadAll"], "@@ -1 +1 @@\\n-function loadAll(path) {\\n+function loadFolder(path) {\\n")
    {'loadAll': 'loadFolder'}
    """
    found: dict[str, str] = {}
    kept: set[str] = set()
    for hunk in _HUNK.split(patch)[1:]:
        lines = hunk.split("\n")
        come = [line[1:].strip() for line in lines if line.startswith("+")]
        kept |= {name for line in come for name in _defined(names, line)}
        for line in lines:
            for name in _defined(names, line[1:]) if line.startswith("-") else ():
                found[name] = found.get(name) or _new_name(name, line[1:].strip(), come)
    return {name: new for name, new in found.items() if name not in kept}


def _defined(names: Collection[str], line: str) -> Iterator[str]:
    match = re.search(definition_pattern(names).replace("[[:space:]]", r"\s"), line)
    if match:
        yield match.group(4)


def _new_name(name: str, line: str, come: list[str]) -> str:
    """Return what stands in the place of a name in the one new line that is else the same; empty for none."""
    before, _, after = line.partition(name)
    found = {
        other[len(before) : len(other) - len(after)]
        for other in come
        if other.startswith(before) and other.endswith(after) and len(other) > len(before) + len(after)
    }
    new = found.pop() if len(found) == 1 else ""
    return new if new.isidentifier() else ""
