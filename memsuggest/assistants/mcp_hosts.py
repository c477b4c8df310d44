"""Our server in the assistants' files of MCP servers: planned as an edit, written with the journal, found again."""

from __future__ import annotations

import json
import re
import sys
import tomllib
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memsuggest.assistants.assistant_files import SERVER_NAME, McpHost, hosts
from memsuggest.assistants.install_hooks import is_found_by_name
from memsuggest.core import json_edit as jsonc
from memsuggest.core.context import Context
from memsuggest.core.errors import ConfigError, FileError, OutsideWorkspace
from memsuggest.core.json_edit import places, reading_of, with_member, without
from memsuggest.core.model import Edit
from memsuggest.core.plain_reports import Text
from memsuggest.suggestions.target_paths import HOME, HOST, current_text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


def is_ours(entry: object) -> bool:
    """Tell whether a server is the one that we write, wherever the program lies."""
    if not isinstance(entry, dict) or not isinstance(entry.get("args"), list):
        return False
    program = str(entry.get("command")).replace("\\", "/").rpartition("/")[2]
    return program in ("memsuggest", "memsuggest.exe") and entry["args"][:1] == ["mcp"]


def installed(text: str | None, host: McpHost, entry: Mapping[str, object]) -> str:
    """Return an assistant's file with our entry.

    Raises ValueError for a file that does not say what it should, and where the entry could not be taken out again.
    """
    if text is None or not text.strip():
        new = _new_file(host, entry)
        return new if text is None else text + new.removesuffix("\n")
    found = entry_in(text, host)
    if found is not None and not is_ours(found):
        raise ValueError(f"the file already has another server named `{SERVER_NAME}`")
    start = text if found is None else uninstalled(text, host)
    if found == entry:
        return text
    if start is None or not start.strip():
        return installed(start, host, entry)
    changed = _added(start, host, entry)
    is_right = _read(changed, host) == _with(_read(start, host), host, entry)
    if not is_right or uninstalled(changed, host) != start:
        raise ValueError("memsuggest's entry could not be removed cleanly later")
    return changed


def uninstalled(text: str, host: McpHost) -> str | None:
    """Return an assistant's file without our entry; None: the file was all ours. Raises ValueError."""
    entry = entry_in(text, host) if text.strip() else None
    if not is_ours(entry):
        return text
    assert isinstance(entry, dict)
    whole = _new_file(host, entry)
    plain = text.replace("\r\n", "\n")
    if plain == whole:
        return None
    if plain.strip() == whole.strip() and plain.endswith(whole.removesuffix("\n")):
        return text[: len(text) - len(text.lstrip())]
    if host.is_toml:
        changed = table_removed(text, (host.key, SERVER_NAME))
    else:
        root = places(text)
        servers = root.members[host.key]
        changed = without(text, (root, servers, servers.members[SERVER_NAME]))
    if _with(_read(changed, host), host, None) != _with(_read(text, host), host, None):
        raise ValueError(f"other settings would change; remove the server `{SERVER_NAME}` by hand")
    return changed


def entry_in(text: str, host: McpHost) -> object:
    """Return the server of our name, or None; raises ValueError for a file in another form."""
    parsed = _read(text, host)
    servers = parsed.get(host.key, {})
    if not isinstance(servers, dict):
        raise ValueError(f"`{host.key}` is not in a format that the assistant reads")  # noqa: TRY004  (as for all)
    return servers.get(SERVER_NAME)


def _read(text: str, host: McpHost) -> dict[str, Any]:
    if host.is_toml:
        try:
            return tomllib.loads(text.removeprefix("\ufeff"))
        except tomllib.TOMLDecodeError as error:
            raise ValueError(f"the file is not valid TOML: {error}") from None
    parsed = jsonc.loads(text)
    if not isinstance(parsed, dict):
        raise ValueError("the file is not a JSON object")  # noqa: TRY004  (as for all that is no such file)
    return parsed


def _with(parsed: Mapping[str, Any], host: McpHost, entry: Mapping[str, object] | None) -> dict[str, Any]:
    """Return what a file says with our entry, or without it and without servers that are empty then."""
    others = {name: value for name, value in parsed.get(host.key, {}).items() if name != SERVER_NAME}
    servers = others | ({SERVER_NAME: dict(entry)} if entry is not None else {})
    rest = {key: value for key, value in parsed.items() if key != host.key}
    return rest | {host.key: servers} if servers else rest


def _new_file(host: McpHost, entry: Mapping[str, object]) -> str:
    if host.is_toml:
        return table_added("", (host.key, SERVER_NAME), entry)
    return json.dumps({host.key: {SERVER_NAME: entry}}, indent=2, ensure_ascii=False) + "\n"


def _added(text: str, host: McpHost, entry: Mapping[str, object]) -> str:
    if host.is_toml:
        return table_added(text, (host.key, SERVER_NAME), entry)
    changed = with_member(text, (host.key, SERVER_NAME), entry)
    if reading_of(changed).comments != reading_of(text).comments:
        raise ValueError("comments in the file would change")
    return changed


_BARE = re.compile(r"[A-Za-z0-9_-]+")
_HEADER = re.compile(r"[ \t]*\[")
_STANDARD = str.maketrans({"\x7f": "\\u007f"})


def table_added(text: str, path: Sequence[str], values: Mapping[str, object]) -> str:
    """Return the text with one more table at its end; a last line without an end stays the last without one.

    >>> table_added("", ("servers", "ours"), {"args": ["mcp"]})
    '[servers.ours]\\nargs = ["mcp"]\\n'
    """
    newline = "\r\n" if "\r\n" in text else "\n"
    rows = [f"[{'.'.join(map(_key, path))}]", *(f"{_key(name)} = {_value(one)}" for name, one in values.items())]
    table = newline.join(rows)
    if not text:
        return table + newline
    return f"{text}{newline}{table}{newline}" if text.endswith("\n") else f"{text}{newline * 2}{table}"


def table_removed(text: str, path: Sequence[str]) -> str:
    """Return the text without a table, those below it, and the empty line before them.

    Raises ValueError where it does not stand in lines of its own, or someone added a comment inside it.
    """
    lines = [line for line in re.split(r"(?<=\n)", text) if line]
    ours = [at for at, line in enumerate(lines) if _names(line, path) and _begins(lines, at)]
    if not ours:
        raise ValueError(f"`{'.'.join(path)}` is not in its own table; remove the entry by hand")
    for number in reversed(ours):
        lines = _without_table(lines, number)
    return "".join(lines)


def _without_table(lines: list[str], start: int) -> list[str]:
    end = next((at for at in range(start + 1, len(lines)) if _begins(lines, at)), len(lines))
    while lines[end - 1].strip() == "" or (lines[end - 1].lstrip().startswith("#") and end < len(lines)):
        end -= 1  # it belongs to what follows
    if any("#" in line for line in lines[start:end]):
        raise ValueError(f"the entry contains a comment: remove the entry, starting on line {start + 1}, by hand")
    is_last, kept = end == len(lines), lines[:start]
    if kept and not kept[-1].strip():
        kept = kept[:-1]
        if is_last and kept and not lines[-1].endswith("\n"):
            kept[-1] = kept[-1].rstrip("\r\n")
    return kept + lines[end:]


def _begins(lines: list[str], at: int) -> bool:
    """Tell whether a line begins a table, and is no part of a text or a list of several lines."""
    if not _HEADER.match(lines[at]):
        return False
    try:
        tomllib.loads("".join(lines[:at]).removeprefix("\ufeff"))
    except tomllib.TOMLDecodeError:
        return False
    return True


def _names(line: str, path: Sequence[str]) -> bool:
    """Tell whether a line begins a table at a path or below it."""
    found: Any = None
    with suppress(tomllib.TOMLDecodeError):
        found = tomllib.loads(line) if _HEADER.match(line) else None
    for name in path:
        found = found[name] if isinstance(found, dict) and list(found) == [name] else None
    return isinstance(found, dict)


def _key(name: str) -> str:
    return name if _BARE.fullmatch(name) else json.dumps(name)


def _value(value: object) -> str:
    # A text of JSON is a basic string of TOML, but for one sign that TOML wants escaped.
    return json.dumps(value, ensure_ascii=False).translate(_STANDARD)


def host_of(context: Context, name: str) -> McpHost:
    """Return an assistant by its name; raises ConfigError."""
    known = hosts(context.machine.platform)
    if name not in known:
        raise ConfigError(f"memsuggest does not support MCP servers for `{name}`", hint=f"one of: {', '.join(known)}")
    return known[name]


def plan(context: Context, name: str, *, is_user: bool, is_removal: bool) -> Edit:
    """Return the edit of an assistant's file; without a change its texts are the same. Raises FileError."""
    host = host_of(context, name)
    uri = HOST + (HOME + host.user if is_user else host.project)
    before = current_text(context, uri)
    try:
        if is_removal:
            return Edit(path=uri, before=before, after=None if before is None else uninstalled(before, host))
        entry = host.entry(_program(is_user=is_user), is_user=is_user)
        return Edit(path=uri, before=before, after=installed(before, host, entry))
    except ValueError as error:
        raise FileError(f"`{uri.removeprefix(HOST)}` cannot be changed: {error}", hint="fix the file by hand") from None


def _program(*, is_user: bool) -> str:
    if not is_user and is_found_by_name():
        return "memsuggest"
    return Path(sys.executable).with_name("memsuggest.exe" if sys.platform == "win32" else "memsuggest").as_posix()


def is_installed(context: Context, name: str) -> bool:
    """Tell whether an assistant starts our server, from the repo's file or the person's own."""
    host = host_of(context, name)
    return any(_stands_in(context, uri, host) for uri in (host.project, HOME + host.user))


def show(context: Context) -> Text:
    """Say in which files our server stands, and for which assistants."""
    found: dict[str, int] = {}
    names: dict[str, list[str]] = {}
    for name, host in hosts(context.machine.platform).items():
        for uri in (host.project, HOME + host.user):
            found[uri] = int(_stands_in(context, uri, host))
            names.setdefault(uri, []).append(name)
    rows = [
        f"{'installed' if is_there else 'not installed':<13} {uri} ({', '.join(names[uri])})"
        for uri, is_there in found.items()
    ]
    return Text(text="\n".join(rows), payload={"files": found})


def _stands_in(context: Context, uri: str, host: McpHost) -> bool:
    with suppress(FileError, OutsideWorkspace, ValueError):
        text = current_text(context, HOST + uri)
        return bool(text and text.strip()) and is_ours(entry_in(text or "", host))
    return False
