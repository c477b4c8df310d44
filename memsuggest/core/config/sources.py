"""Reading the files that settings stand in; what is broken is a ConfigError, and the file stays as it is."""

from __future__ import annotations

from stat import S_ISREG
from typing import TYPE_CHECKING

from memsuggest.core.errors import ConfigError

if TYPE_CHECKING:
    from pathlib import Path

YAML_LIMIT, JSON_LIMIT = 64 * 1024, 1024 * 1024
"""Bytes of a file of settings of ours, and of an editor's."""
BRACKET_LIMIT = 200
"""Lists and mappings in brackets; the parser takes quadratic time when many stay open."""


def read_editor_settings(path: Path) -> dict[str, object]:
    """Return an editor's settings; {} without a file, or with one that has nothing of ours."""
    text = _read_text(path, limit=JSON_LIMIT)
    if text is None:
        return {}
    from memsuggest.core import jsonc

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
    import yaml

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
