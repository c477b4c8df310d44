"""Reading and changing one setting."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from memsuggest.core import config
from memsuggest.core.context import Context
from memsuggest.core.errors import ConfigError
from memsuggest.core.plain_reports import Text
from memsuggest.core.yaml_edit import set_value, unset_value
from memsuggest.files import UNCHECKED, digest_of, read_exact, remove_exact, write_exact
from memsuggest.judging.engines.receiver import LOCAL
from memsuggest.suggestions.marker_files import clear_badge


def get_setting(context: Context, name: str) -> Text:
    """Return the value of one setting."""
    setting = config.find_setting(name)
    value = context.settings.values[setting.name]
    shown = ", ".join(value.value) if isinstance(value.value, tuple) else str(value.value)
    return Text(text=shown, payload={"name": setting.name, "value": value.value, "source": value.source})


def set_setting(context: Context, name: str, raw: str, *, where: str) -> Text:
    """Write a setting into the `user`'s config, this `workspace`'s section of it, or the `shared` file of the repo."""
    setting = config.find_setting(name)
    value = config.parse_value(setting, raw, source="command line")
    path, keys = _place(context, setting.name, where)
    if where == "shared" and not (setting.is_quieter and setting.is_quieter(value, setting.default)):
        why = "cannot be set in a repo: repo settings may only make memsuggest quieter or safer"
        hint = "leave out `--shared` to set the value for yourself"
        raise ConfigError(f"`{setting.name}: {raw}` {why}", hint=hint)
    found = ""
    if setting.name == "engine" and value == LOCAL:
        from memsuggest.judging.engine_choice import find_local, told_of

        server, model = find_local(context, is_first=True)
        for key, text in (("localEndpoint", server.endpoint), ("localModel", model)):
            _set(path, (*keys[:-1], key), text)
        found = f"\n{told_of(server, model)}"
    _set(path, keys, raw)
    if value is config.Mode.OFF:
        clear_badge(context)
    text = f"{setting.name} is now {raw}, in {path}{found}"
    return Text(text=text, payload={"name": setting.name, "value": value, "path": str(path)})


def unset_setting(context: Context, name: str, *, where: str) -> Text:
    """Take a setting out of where it was written; a file that held nothing else goes too."""
    name = config.find_setting(name).name
    path, keys = _place(context, name, where)
    is_changed = path.exists() and _change(path, lambda text: unset_value(text, keys))
    text = f"{name} is {'no longer' if is_changed else 'not'} set in {path}"
    return Text(text=text, payload={"name": name, "changed": is_changed, "path": str(path)})


def _place(context: Context, name: str, where: str) -> tuple[Path, tuple[str, ...]]:
    path = context.root / config.REPO_FILE if where == "shared" else context.folders.config / config.USER_FILE
    return path, ((config.WORKSPACES, str(context.root), name) if where == "workspace" else (name,))


def _set(path: Path, keys: tuple[str, ...], raw: str) -> None:
    _change(path, lambda text: set_value(text, keys, raw))


def _change(path: Path, change: Callable[[str], str]) -> bool:
    """Rewrite a file of settings; whether anything was to change."""
    config.read_yaml(path)  # a file that is broken already is not made worse
    text = read_exact(path).text if path.exists() else ""
    try:
        changed = change(text)
    except ValueError as error:
        raise ConfigError(f"{path}: {error}", hint="edit the file by hand") from None
    if not changed:
        if text:
            remove_exact(path, digest_of(text), within=None)
    elif changed != text:
        write_exact(path, changed, expected_digest=UNCHECKED, mode=None)
    return changed != text
