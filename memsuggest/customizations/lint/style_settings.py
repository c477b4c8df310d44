"""Rules that a repository's formatters and linters enforce, as plain statements: "quotes: single". Pure.

Reads the usual files of configuration, as far as they are data. A setting is taken over only where the file says it
itself, for all files of the language: overrides of it make it say nothing.
"""

from __future__ import annotations

import configparser
import tomllib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import yaml

from memsuggest import jsonc

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    _Meant = Mapping[tuple[str, object], tuple[str, str]]
    """From a key with its value to a matter with what is asked of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Enforced:
    """One thing that a configuration enforces."""

    matter: str
    """As in `style_rules`."""
    value: str
    language: str
    """`js`, `python` …; empty for all files."""
    setting: str
    """The setting that says so, as a person would find it: `singleQuote: true`."""
    path: str
    """The file that says so."""


@dataclass(frozen=True, slots=True)
class _Found:
    """The same within its file."""

    matter: str
    value: str
    language: str
    setting: str


def enforced_by(files: Iterable[tuple[str, str]]) -> list[Enforced]:
    """Read files of configuration, given as paths with their texts.

    >>> [(one.matter, one.value) for one in enforced_by([(".prettierrc", '{"singleQuote": true}')])]
    [('quotes', 'single')]
    """
    found: list[Enforced] = []
    for path, text in files:
        name = path.rpartition("/")[2]
        try:
            for one in _READERS[name](text):
                found.append(
                    Enforced(matter=one.matter, value=one.value, language=one.language, setting=one.setting, path=path)
                )
        except (ValueError, TypeError, AttributeError, RecursionError, yaml.YAMLError, configparser.Error):
            continue  # a file that its own tool could not read enforces nothing
    return found


def is_style_file(path: str) -> bool:
    """Tell whether a file of this name may be one of those that are read."""
    return path.rpartition("/")[2] in _READERS


def _table(found: object, *path: str) -> dict[str, Any]:
    for key in path:
        found = found.get(key) if isinstance(found, dict) else None
    return found if isinstance(found, dict) else {}


def _said(values: Mapping[str, Any], meant: _Meant, language: str) -> Iterator[_Found]:
    """Yield what settings with a known meaning say."""
    for (key, value), (matter, means) in meant.items():
        if key in values and values[key] == value and type(values[key]) is type(value):
            shown = str(value).lower() if isinstance(value, bool) else str(value)
            yield _Found(matter, means, language, f"{key}: {shown}")


def _numbers(values: Mapping[str, Any], key: str, matter: str, language: str, unit: str = "") -> Iterator[_Found]:
    if type(values.get(key)) is int:
        yield _Found(matter, f"{values[key]}{unit}", language, f"{key}: {values[key]}")


_PRETTIER: _Meant = {
    ("singleQuote", True): ("quotes", "single"),
    ("singleQuote", False): ("quotes", "double"),
    ("semi", True): ("semicolons", "yes"),
    ("semi", False): ("semicolons", "no"),
    ("useTabs", True): ("indent", "tabs"),
    ("trailingComma", "all"): ("trailing commas", "yes"),
    ("trailingComma", "none"): ("trailing commas", "no"),
}


def _prettier(values: dict[str, Any]) -> Iterator[_Found]:
    special = {key for one in values.get("overrides") or () for key in _table(one, "options")}
    plain = {key: value for key, value in values.items() if key not in special}
    yield from _said(plain, _PRETTIER, "js")
    yield from _numbers(plain, "printWidth", "line length", "js")
    if not plain.get("useTabs"):
        yield from _numbers(plain, "tabWidth", "indent", "js", " spaces")


def _prettier_file(text: str) -> Iterator[_Found]:
    loaded = yaml.safe_load(text)  # JSON is YAML
    yield from _prettier(loaded if isinstance(loaded, dict) else {})


_TSCONFIG: _Meant = {
    ("strict", True): ("strict types", "yes"),
    ("noUnusedLocals", True): ("unused variables", "yes"),
}


def _tsconfig(text: str) -> Iterator[_Found]:
    yield from _said(_table(jsonc.loads(text), "compilerOptions"), _TSCONFIG, "js")


_ESLINT = {
    "no-console": ("no console", "yes"),
    "no-var": ("no var", "yes"),
    "eqeqeq": ("strict equality", "yes"),
    "no-unused-vars": ("unused variables", "yes"),
    "@typescript-eslint/no-unused-vars": ("unused variables", "yes"),
    "@typescript-eslint/no-explicit-any": ("no any", "yes"),
    "unused-imports/no-unused-imports": ("unused imports", "yes"),
    "simple-import-sort/imports": ("sorted imports", "yes"),
}


def _eslint(values: dict[str, Any]) -> Iterator[_Found]:
    overridden = {key for one in values.get("overrides") or () for key in _table(one, "rules")}
    for key, level in _table(values, "rules").items():
        is_error = (level[0] if isinstance(level, list) and level else level) in ("error", 2)
        if is_error and key in _ESLINT and key not in overridden:
            matter, value = _ESLINT[key]
            yield _Found(matter, value, "js", f"{key}: error")


def _eslint_file(text: str) -> Iterator[_Found]:
    loaded = jsonc.loads(text) if text.lstrip().startswith(("{", "//", "/*")) else yaml.safe_load(text)
    yield from _eslint(loaded if isinstance(loaded, dict) else {})


def _package(text: str) -> Iterator[_Found]:
    loaded = jsonc.loads(text)
    yield from _prettier(_table(loaded, "prettier"))
    yield from _eslint(_table(loaded, "eslintConfig"))


_BIOME: _Meant = {
    ("quoteStyle", "single"): ("quotes", "single"),
    ("quoteStyle", "double"): ("quotes", "double"),
    ("semicolons", "always"): ("semicolons", "yes"),
    ("semicolons", "asNeeded"): ("semicolons", "no"),
    ("trailingCommas", "all"): ("trailing commas", "yes"),
    ("trailingCommas", "none"): ("trailing commas", "no"),
    ("indentStyle", "tab"): ("indent", "tabs"),
}


def _biome(text: str) -> Iterator[_Found]:
    loaded = jsonc.loads(text)
    if not isinstance(loaded, dict) or loaded.get("overrides") or _table(loaded, "formatter").get("enabled") is False:
        return
    for values in (_table(loaded, "formatter"), _table(loaded, "javascript", "formatter")):
        yield from _said(values, _BIOME, "js")
        yield from _numbers(values, "lineWidth", "line length", "js")
        if values.get("indentStyle") == "space":
            yield from _numbers(values, "indentWidth", "indent", "js", " spaces")


_RUFF_RULES = {
    "F401": ("unused imports", "yes"),
    "F841": ("unused variables", "yes"),
    "I001": ("sorted imports", "yes"),
    "T201": ("no print", "yes"),
}


def _ruff(values: dict[str, Any]) -> Iterator[_Found]:
    yield from _numbers(values, "line-length", "line length", "python")
    yield from _said(_table(values, "format"), _RUFF_FORMAT, "python")
    lint = _table(values, "lint")
    chosen = {*(lint.get("select") or ()), *(lint.get("extend-select") or ())}
    dropped = {*(lint.get("ignore") or ()), *(lint.get("extend-ignore") or ())}
    for rule, (matter, value) in _RUFF_RULES.items():
        selected = [one for one in chosen if rule.startswith(one) and one.rstrip("0123456789") == rule[0]]
        if selected and not any(rule.startswith(one) for one in dropped):
            yield _Found(matter, value, "python", f"ruff selects {selected[0]}")


_RUFF_FORMAT: _Meant = {
    ("quote-style", "single"): ("quotes", "single"),
    ("quote-style", "double"): ("quotes", "double"),
    ("indent-style", "tab"): ("indent", "tabs"),
}


def _pyproject(text: str) -> Iterator[_Found]:
    tools = _table(tomllib.loads(text), "tool")
    yield from _ruff(_table(tools, "ruff"))
    yield from _numbers(_table(tools, "black"), "line-length", "line length", "python")


def _ruff_file(text: str) -> Iterator[_Found]:
    yield from _ruff(tomllib.loads(text))


def _rustfmt(text: str) -> Iterator[_Found]:
    values = tomllib.loads(text)
    yield from _numbers(values, "max_width", "line length", "rust")
    yield from _said(values, {("hard_tabs", True): ("indent", "tabs")}, "rust")
    yield from _numbers(values, "tab_spaces", "indent", "rust", " spaces")


_SUFFIXES = {"*.py": "python", "*.go": "go", "*.rs": "rust", "*.{js,ts}": "js", "*.{ts,tsx}": "js", "*.ts": "js"}


def _editorconfig(text: str) -> Iterator[_Found]:
    read = configparser.RawConfigParser(strict=False, delimiters=("=",), comment_prefixes=("#", ";"))
    read.read_string("[root]\n" + text)
    for section in read.sections():
        others = {key for other in read.sections() if other not in (section, "root") for key in read[other]}
        language = "" if section == "*" else _SUFFIXES.get(section)
        if language is not None:
            # What another section says otherwise is not so for all files.
            values = {key: value.lower() for key, value in read[section].items() if section != "*" or key not in others}
            yield from _editor_values(values, language)


def _editor_values(values: Mapping[str, str], language: str) -> Iterator[_Found]:
    if values.get("indent_style") == "tab":
        yield _Found("indent", "tabs", language, "indent_style = tab")
    if values.get("indent_style") == "space" and values.get("indent_size", "").isdigit():
        yield _Found("indent", f"{values['indent_size']} spaces", language, f"indent_size = {values['indent_size']}")
    longest = values.get("max_line_length", "")
    if longest.isdigit():
        yield _Found("line length", longest, language, f"max_line_length = {longest}")
    for key, matter in (("insert_final_newline", "final newline"), ("trim_trailing_whitespace", "trailing whitespace")):
        if values.get(key) == "true":
            yield _Found(matter, "yes", language, f"{key} = true")


_READERS: dict[str, Callable[[str], Iterable[_Found]]] = {
    ".prettierrc": _prettier_file,
    ".prettierrc.json": _prettier_file,
    ".prettierrc.yaml": _prettier_file,
    ".prettierrc.yml": _prettier_file,
    ".eslintrc": _eslint_file,
    ".eslintrc.json": _eslint_file,
    ".eslintrc.yml": _eslint_file,
    ".eslintrc.yaml": _eslint_file,
    "package.json": _package,
    "tsconfig.json": _tsconfig,
    "biome.json": _biome,
    "biome.jsonc": _biome,
    "pyproject.toml": _pyproject,
    "ruff.toml": _ruff_file,
    ".ruff.toml": _ruff_file,
    "rustfmt.toml": _rustfmt,
    ".rustfmt.toml": _rustfmt,
    ".editorconfig": _editorconfig,
}
