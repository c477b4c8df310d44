"""Reading and changing one setting."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memsuggest import config
from memsuggest.errors import ConfigError
from memsuggest.files import UNCHECKED, read_exact, write_exact
from memsuggest.reports.plain import Text
from memsuggest.workflows.marks import clear_badge
from memsuggest.yaml_edit import set_value, without_value

if TYPE_CHECKING:
    from pathlib import Path

    from memsuggest.workflows.desk import Desk


def get_setting(desk: Desk, name: str) -> Text:
    """Return the value of one setting."""
    setting = config.find_setting(name)
    value = desk.settings.values[setting.name]
    shown = ", ".join(value.value) if isinstance(value.value, tuple) else str(value.value)
    return Text(text=shown, payload={"name": setting.name, "value": value.value, "source": value.source})


def set_setting(desk: Desk, name: str, raw: str, *, where: str) -> Text:
    """Write a setting into the `user`'s config, this `workspace`'s section of it, or the `shared` file of the repo."""
    setting = config.find_setting(name)
    value = config.parse_value(setting, raw, source="command line")
    path = desk.root / config.REPO_FILE if where == "shared" else desk.folders.config / config.USER_FILE
    if where == "shared" and not (setting.is_quieter and setting.is_quieter(value, setting.default)):
        raise ConfigError(
            f"a repo may only make things quieter or safer, and `{setting.name}: {raw}` is not",
            hint="leave out `--shared` to set it for yourself",
        )
    keys = (config.WORKSPACES, str(desk.root), setting.name) if where == "workspace" else (setting.name,)
    _write(path, keys, raw)
    if value is config.Mode.OFF:
        clear_badge(desk)
    return Text(
        text=f"{setting.name} is now {raw}, in {path}",
        payload={"name": setting.name, "value": value, "path": str(path)},
    )


def unset_setting(desk: Desk, name: str, *, where: str) -> Text:
    """Take a setting out of one of these places; raises ConfigError where it is not set there."""
    setting = config.find_setting(name)
    path = desk.root / config.REPO_FILE if where == "shared" else desk.folders.config / config.USER_FILE
    start = (config.WORKSPACES, str(desk.root)) if where == "workspace" else ()
    config.read_yaml(path)
    text = read_exact(path).text if path.exists() else ""
    names = [key for key in (setting.name, setting.long_name) if key]
    changed = next((found for key in names if (found := without_value(text, (*start, key))) is not None), None)
    if changed is None:
        raise ConfigError(f"`{setting.name}` is not set in {path}", hint="`memsuggest config show` says where it is")
    write_exact(path, changed, expected_digest=UNCHECKED, mode=None)
    return Text(text=f"{setting.name} is not set in {path} any more", payload={"name": setting.name, "path": str(path)})


def _write(path: Path, keys: tuple[str, ...], raw: str) -> None:
    config.read_yaml(path)  # a file that is broken already is not made worse
    text = read_exact(path).text if path.exists() else ""
    try:
        changed = set_value(text, keys, raw)
    except ValueError as error:
        raise ConfigError(f"{path}: {error}", hint="change it by hand") from None
    write_exact(path, changed, expected_digest=UNCHECKED, mode=None)
