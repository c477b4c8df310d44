"""Our server in the assistants' files of MCP servers: planned as an edit, written with the journal, found again."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

from memsuggest.assistants.assistant_files import SERVER_NAME, McpHost, before_new_file, hosts, is_new_file
from memsuggest.assistants.install_hooks import program_of
from memsuggest.core import json_edit as jsonc
from memsuggest.core.context import Context
from memsuggest.core.errors import ConfigError, FileError, OutsideWorkspace
from memsuggest.core.json_edit import places, reading_of, with_member, without
from memsuggest.core.model import Edit
from memsuggest.core.plain_reports import Text
from memsuggest.suggestions.target_paths import HOME, HOST, current_text


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
    if found == entry:
        return text
    start = text if found is None else uninstalled(text, host)
    if start is None or not start.strip():
        return installed(start, host, entry)
    if host.is_toml:
        changed = table_added(start, (host.key, SERVER_NAME), entry)
    else:
        changed = with_member(start, (host.key, SERVER_NAME), entry)
        if reading_of(changed).comments != reading_of(start).comments:
            raise ValueError("comments in the file would change")
    is_right = _read(changed, host) == _with(_read(start, host), host, entry)
    if not is_right or uninstalled(changed, host) != start:
        raise ValueError("if added, memsuggest's entry could not be removed cleanly later")
    return changed


def uninstalled(text: str, host: McpHost) -> str | None:
    """Return an assistant's file without our entry; None: the file was all ours. Raises ValueError."""
    entry = entry_in(text, host) if text.strip() else None
    if not is_ours(entry):
        return text
    assert isinstance(entry, dict)
    if is_new_file(text, _new_file(host, entry)):
        return before_new_file(text)
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
        raise ValueError(f"`{host.key}` is not in a format that the assistant can read")  # noqa: TRY004  (as for all)
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


_TABLES = re.compile(r"^(?=[ \t]*\[)", re.MULTILINE)
_NAME = re.compile(r"""[^\s.\["']+""")
_BEFORE_NEXT = re.compile(r"(?:^[ \t]*(?:#[^\n]*)?\r?\n)+\Z", re.MULTILINE)
"""Empty lines and comments at the end of a table: they belong to what follows."""
_EMPTY_LINE = re.compile(r"^[ \t]*\r?\n\Z", re.MULTILINE)


def table_added(text: str, path: Sequence[str], values: Mapping[str, object]) -> str:
    """Return the text with one more table at its end; a last line without an end stays the last without one.

    >>> table_added("", ("servers", "ours"), {"args": ["mcp"]})
    '[servers.ours]\\nargs = ["mcp"]\\n'
    """
    newline = "\r\n" if "\r\n" in text else "\n"
    # A text of JSON is a basic string of TOML.
    rows = [
        f"[{'.'.join(path)}]",
        *(f"{name} = {json.dumps(value, ensure_ascii=False)}" for name, value in values.items()),
    ]
    table = newline.join(rows)
    if not text:
        return table + newline
    return f"{text}{newline}{table}{newline}" if text.endswith("\n") else f"{text}{newline * 2}{table}"


def table_removed(text: str, path: Sequence[str]) -> str:
    """Return the text without a table, those below it, and the empty line before them.

    Raises ValueError where it is no table of its own, or someone added a comment inside it. What only looks like the
    beginning of a table, within a text of several lines, is noticed by whoever compares what the file says.
    """
    kept, *tables = _TABLES.split(text)
    is_found = False
    for at, table in enumerate(tables, 1):
        if _NAME.findall(table.partition("]")[0])[: len(path)] != list(path):
            kept += table
            continue
        is_found, is_last = True, at == len(tables)
        body = table.rstrip() if is_last else _BEFORE_NEXT.sub("", table)
        if "#" in body:
            raise ValueError("the entry contains a comment: remove the entry by hand")
        kept = _EMPTY_LINE.sub("", kept)
        if is_last:
            kept = kept if text.endswith("\n") else kept.rstrip("\r\n")
            body += "\r\n" if table[len(body) :].startswith("\r\n") else "\n"
        kept += table[len(body) :]
    if not is_found:
        raise ValueError(f"`{'.'.join(path)}` is not in its own table; remove the entry by hand")
    return kept


def host_of(context: Context, name: str) -> McpHost:
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
        entry = host.entry(program_of(is_user=is_user), is_user=is_user)
        return Edit(path=uri, before=before, after=installed(before, host, entry))
    except ValueError as error:
        raise FileError(f"`{uri.removeprefix(HOST)}` cannot be changed: {error}", hint="fix the file by hand") from None


def is_installed(context: Context, name: str) -> bool:
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
