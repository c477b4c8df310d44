"""Settings: what there is, what is allowed, and where each value came from.

Later wins: default, what the repo brings, this person's `config.yml` (general, then this workspace's section),
the environment, the command line. What a repo brings may only make things quieter or safer.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from stat import S_ISREG

from memsuggest.core.config.settings_table import (
    ALL,
    AUTO,
    HAIKU,
    LONG_NAMES,
    MINDS,
    OFFLINE,
    SETTINGS,
    SWITCHES,
    Mode,
    Setting,
    find_setting,
    parse_value,
)
from memsuggest.core.errors import ConfigError, Skipped

YAML_LIMIT, JSON_LIMIT = 64 * 1024, 1024 * 1024
"""Bytes of a file of settings of ours, and of an editor's."""
BRACKET_LIMIT = 200
"""Lists and mappings in brackets; the parser takes quadratic time when many stay open."""


def read_editor_settings(path: Path) -> dict[str, object]:
    """Return an editor's settings; {} without a file, or with one that has nothing of ours."""
    text = _read_text(path, limit=JSON_LIMIT)
    if text is None:
        return {}
    from memsuggest.core import json_edit as jsonc

    try:
        parsed = jsonc.loads(text)
    except ValueError as error:
        if "chat.memory." not in text:  # somebody else's file, and nothing of ours in it
            return {}
        raise ConfigError(
            f"{path}: invalid JSON: {error}", hint="fix the file, or remove the memsuggest settings from it"
        ) from None
    return parsed if isinstance(parsed, dict) else {}


def read_yaml(path: Path) -> dict[str, object]:
    """Return the mapping in a YAML file, scalars as text (so that `mode: off` is not `False`); {} without a file."""
    text = _read_text(path, limit=YAML_LIMIT)
    if text is None:
        return {}
    import yaml

    try:
        if text.count("[") + text.count("{") > BRACKET_LIMIT:
            raise ConfigError(f"{path}: too many brackets", hint="write `name: value` lines")
        if any(isinstance(token, yaml.AliasToken) for token in yaml.scan(text)):
            raise ConfigError(f"{path}: YAML aliases are not supported", hint="write out the value in full")
        # BaseLoader makes plain texts of everything and can build no object.
        parsed = yaml.load(text, Loader=yaml.BaseLoader)  # noqa: S506  # nosec B506
    except (yaml.YAMLError, RecursionError) as error:
        reason = " ".join(str(error).split())
        raise ConfigError(f"{path}: invalid YAML: {reason}", hint="fix the file or move it out of the way") from None
    if parsed in (None, ""):
        return {}
    if not isinstance(parsed, dict) or not all(isinstance(key, str) for key in parsed):
        raise ConfigError(f"{path}: expected a mapping of settings", hint="write `name: value` lines")
    return parsed


def _read_text(path: Path, *, limit: int) -> str | None:
    try:
        status = path.stat()
        if not S_ISREG(status.st_mode):  # a pipe would be waited for
            raise ConfigError(f"{path}: not a regular file", hint="move the file or folder out of the way")
        if status.st_size > limit:
            raise ConfigError(
                f"{path}: larger than {limit // 1024} KB",
                hint="check that this is the right file; settings files are usually short",
            )
        return path.read_text(encoding="utf-8")
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: cannot be read: {error}", hint="fix the file or move it out of the way") from None


__all__ = [
    "ALL",
    "AUTO",
    "HAIKU",
    "MINDS",
    "OFFLINE",
    "SETTINGS",
    "SWITCHES",
    "Mode",
    "Setting",
    "Settings",
    "find_setting",
    "load_settings",
    "parse_value",
    "read_yaml",
]

REPO_FILE = ".memsuggest.yml"
USER_FILE = "config.yml"
EDITOR_FILE = ".vscode/settings.json"
WORKSPACES = "workspaces"
"""The key of `config.yml` that holds a section per workspace, by its root folder."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Value:
    """A setting's value and where it came from."""

    value: object
    source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """All settings, merged once."""

    values: Mapping[str, Value]
    ignored: tuple[Skipped, ...] = field(default=())
    """Settings of the repo that a repo may not set."""

    @property
    def mode(self) -> Mode:
        return Mode(str(self.values["mode"].value))

    @property
    def threshold(self) -> float:
        """Confidence from which a fact is suggested; a setting below the usual one changes nothing."""
        from memsuggest.core.model import SUGGEST_FROM

        return max(self.number("threshold"), SUGGEST_FROM)

    @property
    def engine(self) -> str:
        """`auto`, `offline`, or an engine that asks somebody."""
        return str(self.values["engine"].value)

    @property
    def share_quotes(self) -> bool:
        return bool(self.values["shareQuotes"].value)

    def model_of(self, program: str) -> str:
        """Return the model that an assistant's program is told to use; empty: its own choice."""
        name = f"{program}Model"
        return self.text(name) if name in self.values else ""

    def number(self, name: str) -> float:
        return float(str(self.values[name].value))

    def text(self, name: str) -> str:
        return str(self.values[name].value)

    def texts(self, name: str) -> tuple[str, ...]:
        value = self.values[name].value
        return tuple(str(part) for part in value) if isinstance(value, tuple) else ()


def load_settings(
    *,
    root: Path,
    config_folder: Path,
    environ: Mapping[str, str],
    flags: Mapping[str, object],
    is_lenient: bool = False,
) -> Settings:
    """Merge all layers; raises ConfigError for a value that is not allowed anywhere.

    With `is_lenient`, such a value is only told among what is ignored: to look at settings, and to mend them.
    """
    values = {name: Value(value=setting.default, source="default") for name, setting in SETTINGS.items()}
    ignored: list[Skipped] = []
    for setting, raw, source in _repo_values(root, ignored):
        value = _parsed(setting, raw, source, ignored if is_lenient else None)
        if value is None:
            continue
        if setting.is_quieter is None or not setting.is_quieter(value, setting.default):
            ignored.append(
                Skipped(
                    what=f"{source}: {setting.name}",
                    why="a repo can change this setting only to make memsuggest quieter or safer",
                )
            )
        else:
            values[setting.name] = Value(value=value, source=source)
    for setting, raw, source in _own_values(root, config_folder, environ):
        value = _parsed(setting, raw, source, ignored if is_lenient else None)
        if value is not None:
            values[setting.name] = Value(value=value, source=source)
    for name, raw in flags.items():
        setting = find_setting(name)
        values[setting.name] = Value(value=parse_value(setting, raw, source="command line"), source="command line")
    return Settings(values=values, ignored=tuple(ignored))


def _parsed(setting: Setting, raw: object, source: str, ignored: list[Skipped] | None) -> object | None:
    """Return a value; None for one that is not allowed, where that is to be told and no more."""
    try:
        return parse_value(setting, raw, source=source)
    except ConfigError as error:
        if ignored is None:
            raise
        ignored.append(Skipped(what=error.message, why=error.hint or ""))
        return None


def _repo_values(root: Path, ignored: list[Skipped]) -> Iterator[tuple[Setting, object, str]]:
    for key, raw in read_editor_settings(root / EDITOR_FILE).items():
        if key in LONG_NAMES:
            yield LONG_NAMES[key], raw, EDITOR_FILE
    for key, raw in read_yaml(root / REPO_FILE).items():
        found = SETTINGS.get(key) or LONG_NAMES.get(key)
        if found:
            yield found, raw, REPO_FILE
        else:
            ignored.append(Skipped(what=f"{REPO_FILE}: {key}", why="unknown setting"))


def _own_values(root: Path, config_folder: Path, environ: Mapping[str, str]) -> Iterator[tuple[Setting, object, str]]:
    path = config_folder / USER_FILE
    own = read_yaml(path)
    sections = own.pop(WORKSPACES, None) or {}
    if not isinstance(sections, dict):
        raise ConfigError(
            f"{path}: `{WORKSPACES}` must be a mapping",
            hint="use the repo's root folder as a key, with the repo's settings below it",
        )
    for key, raw in own.items():
        yield _setting_in(path, key), raw, str(path)
    section = sections.get(str(root)) or {}
    if not isinstance(section, dict):
        raise ConfigError(
            f"{path}: the section for `{root}` must be a mapping", hint="write `name: value` lines below the key"
        )
    for key, raw in section.items():
        yield _setting_in(path, key), raw, f"{path} (this workspace)"
    for setting in SETTINGS.values():
        if environ.get(setting.variable):
            yield setting, environ[setting.variable], setting.variable


def _setting_in(path: Path, key: str) -> Setting:
    try:
        return find_setting(key)
    except ConfigError as error:
        raise ConfigError(f"{path}: {error.message}", hint=error.hint) from None
