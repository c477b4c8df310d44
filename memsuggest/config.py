"""Settings: what there is, what is allowed, and where each value came from.

Later wins: default, what the repo brings, this person's `config.yml` (general, then this workspace's section),
the environment, the command line. What a repo brings may only make things quieter or safer (SYSTEM.md A.4).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from stat import S_ISREG
from typing import TYPE_CHECKING

from memsuggest.errors import ConfigError, Skipped

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

REPO_FILE = ".memsuggest.yml"
USER_FILE = "config.yml"
EDITOR_FILE = ".vscode/settings.json"
YAML_LIMIT, JSON_LIMIT = 64 * 1024, 1024 * 1024
"""Bytes of a file of settings of ours, and of an editor's."""
BRACKET_LIMIT = 200
"""Lists and mappings in brackets; the parser takes quadratic time when many stay open."""
WORKSPACES = "workspaces"
"""The key of `config.yml` that holds a section per workspace, by its root folder."""


class Mode(StrEnum):
    """When suggestions are made and shown."""

    OFF = "off"
    MANUAL = "manual"
    OCCASIONAL = "occasional"
    EAGER = "eager"


MODES = (Mode.OFF, Mode.MANUAL, Mode.OCCASIONAL, Mode.EAGER)
"""From the quietest to the most talkative."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """One thing that can be set."""

    name: str
    default: object
    allowed: str
    """What a value may be, as an error message says it."""
    parse: Callable[[object], object]
    """From a raw value to ours; raises ValueError."""
    about: str
    long_name: str | None = None
    """The name in an editor's settings."""
    is_quieter: Callable[[object, object], bool] | None = None
    """Whether a repo's value is quieter or safer than the default; None: a repo may not set it at all."""

    @property
    def variable(self) -> str:
        """The environment variable: `maxUserFacts` → `MEMSUGGEST_MAX_USER_FACTS`."""
        return "MEMSUGGEST_" + "".join(f"_{char}" if char.isupper() else char.upper() for char in self.name)


def _is_no_louder(value: object, default: object) -> bool:
    return MODES.index(Mode(str(value))) <= MODES.index(Mode(str(default)))


def _is_at_most(value: object, default: object) -> bool:
    return float(str(value)) <= float(str(default))


def _is_at_least(value: object, default: object) -> bool:
    return float(str(value)) >= float(str(default))


def _is_safe_as_parsed(_value: object, _default: object) -> bool:
    return True


def _mode(raw: object) -> Mode:
    return Mode(str(raw).strip().lower())


def _switch(raw: object) -> bool:
    try:
        return {
            "true": True,
            "yes": True,
            "on": True,
            "1": True,
            "false": False,
            "no": False,
            "off": False,
            "0": False,
        }[str(raw).strip().lower()]
    except KeyError:
        raise ValueError from None


def _whole(low: int, high: int) -> Callable[[object], int]:
    def parse(raw: object) -> int:
        value = int(str(raw).strip())
        if not low <= value <= high:
            raise ValueError
        return value

    return parse


def _share(raw: object) -> float:
    value = float(str(raw).strip())
    if not 0 <= value <= 1:
        raise ValueError
    return value


def _weight(raw: object) -> float:
    value = float(str(raw).strip())
    if not 0 <= value <= 10:
        raise ValueError
    return value


def _texts(raw: object) -> tuple[str, ...]:
    if isinstance(raw, str):
        return tuple(part.strip() for part in raw.split(",") if part.strip())
    if isinstance(raw, list) and all(isinstance(part, str) for part in raw):
        return tuple(raw)
    raise ValueError


def _folders_inside(raw: object) -> tuple[str, ...]:
    folders = _texts(raw)
    if any(folder.startswith(("/", "~", "\\")) or ":" in folder or ".." in folder.split("/") for folder in folders):
        raise ValueError
    return folders


def _engine(raw: object) -> str:
    value = str(raw).strip().lower()
    if value not in {"auto", "offline", "haiku"}:
        raise ValueError
    return value


def _amount(raw: object) -> float:
    value = float(str(raw).strip().lstrip("$"))
    if not 0 <= value <= 10_000:
        raise ValueError
    return value


def _name(raw: object) -> str:
    value = str(raw).strip()
    if not value or not value.isascii() or not value.isprintable() or " " in value:
        raise ValueError
    return value


def _address(raw: object) -> str:
    value = str(raw).strip()
    if value and not value.startswith(("https://", "http://")):
        raise ValueError
    return value


SETTINGS: dict[str, Setting] = {
    setting.name: setting
    for setting in (
        Setting(
            name="mode",
            long_name="chat.memory.suggestionMode",
            default=Mode.OCCASIONAL,
            allowed="off, eager, occasional or manual",
            parse=_mode,
            about="when suggestions are made and shown",
            is_quieter=_is_no_louder,
        ),
        Setting(
            name="maxWorkspaceFacts",
            long_name="chat.memory.maxWorkspaceFacts",
            default=50,
            allowed="a whole number from 10 to 500",
            parse=_whole(10, 500),
            about="how many unapplied workspace facts are kept",
            is_quieter=_is_at_most,
        ),
        Setting(
            name="maxUserFacts",
            long_name="chat.memory.maxUserFacts",
            default=100,
            allowed="a whole number from 10 to 500",
            parse=_whole(10, 500),
            about="how many unapplied user facts are kept",
            is_quieter=_is_at_most,
        ),
        Setting(
            name="pruneRecency",
            default=1.0,
            allowed="a number from 0 to 10",
            parse=_weight,
            about="how much it counts, when facts are too many, that one was said lately",
        ),
        Setting(
            name="pruneSignal",
            default=1.0,
            allowed="a number from 0 to 10",
            parse=_weight,
            about="how much it counts, when facts are too many, how surely one was meant",
        ),
        Setting(
            name="pruneRelevance",
            default=1.0,
            allowed="a number from 0 to 10",
            parse=_weight,
            about="how much it counts, when facts are too many, in how many chats one was said",
        ),
        Setting(
            name="extractionInterval",
            long_name="chat.memory.extractionInterval",
            default=15,
            allowed="a whole number of minutes from 5 to 120",
            parse=_whole(5, 120),
            about="minutes between extractions in the mode `occasional`",
            is_quieter=_is_at_least,
        ),
        Setting(
            name="sessionSilence",
            default=5,
            allowed="a whole number of minutes from 1 to 60",
            parse=_whole(1, 60),
            about="minutes of silence after which a chat counts as ended, while watching in the mode `occasional`",
            is_quieter=_is_at_least,
        ),
        Setting(
            name="threshold",
            default=0.6,
            allowed="a number from 0 to 1",
            parse=_share,
            about="confidence from which a fact is suggested",
            is_quieter=_is_at_least,
        ),
        Setting(
            name="similarity",
            default=0.85,
            allowed="a number from 0 to 1",
            parse=_share,
            about="similarity from which two facts are the same",
        ),
        Setting(
            name="targetFolders",
            default=(),
            allowed="folders inside the repo, relative to its root",
            parse=_folders_inside,
            about="further folders with customization files",
            is_quieter=_is_safe_as_parsed,
        ),
        Setting(
            name="transcripts",
            default=(),
            allowed="files or folders",
            parse=_texts,
            about="further transcripts to read, besides those of the assistants found",
        ),
        Setting(
            name="engine",
            default="auto",
            allowed="auto, offline or haiku",
            parse=_engine,
            about="what extracts; `auto` takes haiku only with a key and consent",
        ),
        Setting(
            name="model",
            default="claude-haiku-5-5",
            allowed="the name of a model",
            parse=_name,
            about="the model that the engine `haiku` asks",
        ),
        Setting(
            name="endpoint",
            default="",
            allowed="an https address",
            parse=_address,
            about="where the model is asked; empty: ANTHROPIC_BASE_URL, else the usual address",
        ),
        Setting(
            name="proxy",
            default="",
            allowed="an http or https address",
            parse=_address,
            about="a proxy for asking the model; those of the environment are not used",
        ),
        Setting(
            name="budgetPerRun",
            default=0.25,
            allowed="US dollars, from 0 to 10000",
            parse=_amount,
            about="the most that one run may spend on a model",
        ),
        Setting(
            name="budgetPerDay",
            default=1.0,
            allowed="US dollars, from 0 to 10000",
            parse=_amount,
            about="the most that a day may cost, over all workspaces",
        ),
        Setting(
            name="budgetPerMonth",
            default=5.0,
            allowed="US dollars, from 0 to 10000",
            parse=_amount,
            about="the most that a month may cost; of its last fifth, only reading chats takes",
        ),
        Setting(
            name="consolidationBudget",
            long_name="consolidation.budget",
            default=8000,
            allowed="a whole number of tokens from 500 to 100000",
            parse=_whole(500, 100_000),
            about="how much the facts of a scope may take before consolidation cuts",
        ),
        Setting(
            name="care",
            default=True,
            allowed="true or false",
            parse=_switch,
            about="whether what files need by themselves is suggested, too",
            is_quieter=lambda value, default: bool(default) or not value,
        ),
        Setting(
            name="shareQuotes",
            default=False,
            allowed="true or false",
            parse=_switch,
            about="whether quotes of what was typed go into the shared facts.json",
        ),
    )
}

_LONG_NAMES = {setting.long_name: setting for setting in SETTINGS.values() if setting.long_name}


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
    """What a repo brought that it may not set."""

    @property
    def mode(self) -> Mode:
        """When suggestions are made and shown."""
        return Mode(str(self.values["mode"].value))

    @property
    def threshold(self) -> float:
        """Confidence from which a fact is suggested."""
        return self.number("threshold")

    @property
    def similarity(self) -> float:
        """Similarity from which two facts are the same."""
        return self.number("similarity")

    @property
    def engine(self) -> str:
        """`auto`, `offline` or `haiku`."""
        return str(self.values["engine"].value)

    @property
    def share_quotes(self) -> bool:
        """Whether quotes go into the shared facts.json."""
        return bool(self.values["shareQuotes"].value)

    def number(self, name: str) -> float:
        """Return a numeric setting."""
        return float(str(self.values[name].value))

    def text(self, name: str) -> str:
        """Return a setting that is a text."""
        return str(self.values[name].value)

    def texts(self, name: str) -> tuple[str, ...]:
        """Return a setting that is a list of texts."""
        value = self.values[name].value
        return tuple(str(part) for part in value) if isinstance(value, tuple) else ()


def find_setting(name: str) -> Setting:
    """Return the setting of a short or a long name; raises ConfigError with the nearest name there is."""
    found = SETTINGS.get(name) or _LONG_NAMES.get(name)
    if found is None:
        from difflib import get_close_matches  # noqa: PLC0415  (only a typing error needs it)

        near = get_close_matches(name, [*SETTINGS, *_LONG_NAMES], n=1)
        raise ConfigError(
            f"there is no setting `{name}`",
            hint=f"did you mean `{near[0]}`?" if near else "`memsuggest config show` lists them all",
        )
    return found


def parse_value(setting: Setting, raw: object, *, source: str) -> object:
    """Return the value a raw one stands for; raises ConfigError naming the source, the key and what is allowed."""
    try:
        return setting.parse(raw)
    except (ValueError, TypeError):
        raise ConfigError(
            f"{source}: `{setting.name}` is `{raw}`", hint=f"`{setting.name}` must be {setting.allowed}"
        ) from None


def load_settings(
    *, root: Path, config_folder: Path, environ: Mapping[str, str], flags: Mapping[str, object]
) -> Settings:
    """Merge all layers; raises ConfigError for a value that is not allowed anywhere."""
    values = {name: Value(value=setting.default, source="default") for name, setting in SETTINGS.items()}
    ignored: list[Skipped] = []
    for setting, raw, source in _repo_values(root, ignored):
        value = parse_value(setting, raw, source=source)
        if setting.is_quieter is None or not setting.is_quieter(value, setting.default):
            ignored.append(
                Skipped(what=f"{source}: {setting.name}", why="a repo may only make things quieter or safer")
            )
        else:
            values[setting.name] = Value(value=value, source=source)
    for setting, raw, source in _own_values(root, config_folder, environ):
        values[setting.name] = Value(value=parse_value(setting, raw, source=source), source=source)
    for name, raw in flags.items():
        setting = find_setting(name)
        values[setting.name] = Value(value=parse_value(setting, raw, source="command line"), source="command line")
    return Settings(values=values, ignored=tuple(ignored))


def _repo_values(root: Path, ignored: list[Skipped]) -> Iterator[tuple[Setting, object, str]]:
    for key, raw in _read_editor_settings(root / EDITOR_FILE).items():
        if key in _LONG_NAMES:
            yield _LONG_NAMES[key], raw, EDITOR_FILE
    for key, raw in read_yaml(root / REPO_FILE).items():
        found = SETTINGS.get(key) or _LONG_NAMES.get(key)
        if found:
            yield found, raw, REPO_FILE
        else:
            ignored.append(Skipped(what=f"{REPO_FILE}: {key}", why="there is no such setting"))


def _own_values(root: Path, config_folder: Path, environ: Mapping[str, str]) -> Iterator[tuple[Setting, object, str]]:
    path = config_folder / USER_FILE
    own = read_yaml(path)
    sections = own.pop(WORKSPACES, None) or {}
    if not isinstance(sections, dict):
        raise ConfigError(
            f"{path}: `{WORKSPACES}` is not a mapping", hint="write the root folder of a repo, then its settings"
        )
    for key, raw in own.items():
        yield _setting_in(path, key), raw, str(path)
    section = sections.get(str(root)) or {}
    if not isinstance(section, dict):
        raise ConfigError(
            f"{path}: the section of `{root}` is not a mapping", hint="write `name: value` lines below it"
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


def _read_editor_settings(path: Path) -> dict[str, object]:
    text = _read_text(path, limit=JSON_LIMIT)
    if text is None:
        return {}
    from memsuggest import jsonc  # noqa: PLC0415  (`status` in a repo without an editor's settings needs no JSON)

    try:
        parsed = jsonc.loads(text)
    except ValueError as error:
        if "chat.memory." not in text:  # somebody else's file, and nothing of ours in it
            return {}
        raise ConfigError(
            f"{path}: not readable as JSON: {error}", hint="mend the file, or remove our settings"
        ) from None
    return parsed if isinstance(parsed, dict) else {}


def read_yaml(path: Path) -> dict[str, object]:
    """Return the mapping in a YAML file, scalars as text (so that `mode: off` is not `False`); {} without a file."""
    text = _read_text(path, limit=YAML_LIMIT)
    if text is None:
        return {}
    import yaml  # noqa: PLC0415  (most runs have no file to read)

    try:
        if text.count("[") + text.count("{") > BRACKET_LIMIT:
            raise ConfigError(f"{path}: too many brackets", hint="write `name: value` lines")
        if any(isinstance(token, yaml.AliasToken) for token in yaml.scan(text)):
            raise ConfigError(f"{path}: aliases are not allowed", hint="write the value out")
        # BaseLoader makes plain texts of everything and can build no object.
        parsed = yaml.load(text, Loader=yaml.BaseLoader)  # noqa: S506  # nosec B506
    except (yaml.YAMLError, RecursionError) as error:
        reason = " ".join(str(error).split())
        raise ConfigError(f"{path}: not readable as YAML: {reason}", hint="mend the file, or move it away") from None
    if parsed in (None, ""):
        return {}
    if not isinstance(parsed, dict) or not all(isinstance(key, str) for key in parsed):
        raise ConfigError(f"{path}: not a mapping of settings", hint="write `name: value` lines")
    return parsed


def _read_text(path: Path, *, limit: int) -> str | None:
    try:
        status = path.stat()
        if not S_ISREG(status.st_mode):  # a pipe would be waited for
            raise ConfigError(f"{path}: not a regular file", hint="move away what is there")
        if status.st_size > limit:
            raise ConfigError(f"{path}: larger than {limit // 1024} KB", hint="settings are a few lines")
        return path.read_text(encoding="utf-8")
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: not readable: {error}", hint="mend the file, or move it away") from None
