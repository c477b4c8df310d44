"""Our entry in an assistant's file of MCP servers: put in, taken out, found again. Pure.

Every other byte of a file stays, and taking the entry out again restores what was there.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from memsuggest import jsonc
from memsuggest.integrations.json_check import reading_of
from memsuggest.integrations.json_edit import JsonPlace, places, with_member, without
from memsuggest.integrations.mcp_files import NAME
from memsuggest.integrations.toml_edit import table_added, table_removed, toml_value

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memsuggest.integrations.mcp_files import McpHost


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
        raise ValueError(f"another server is called `{NAME}` there")
    start = text if found is None else uninstalled(text, host)
    if found == entry:
        return text
    if start is None or not start.strip():
        return installed(start, host, entry)
    changed = _added(start, host, entry)
    is_right = _read(changed, host) == _with(_read(start, host), host, entry)
    if not is_right or uninstalled(changed, host) != start:
        raise ValueError("our entry could not be taken out again without a trace")
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
    changed = table_removed(text, (host.key, NAME)) if host.is_toml else without(text, _chain(text, host))
    if _with(_read(changed, host), host, None) != _with(_read(text, host), host, None):
        raise ValueError(f"something else would change; take out `{NAME}` by hand")
    return changed


def entry_in(text: str, host: McpHost) -> object:
    """Return the server of our name, or None; raises ValueError for a file in another form."""
    parsed = _read(text, host)
    servers = parsed.get(host.key, {})
    if not isinstance(servers, dict):
        raise ValueError(f"its `{host.key}` are not in the form that the assistant reads")  # noqa: TRY004  (as for all)
    return servers.get(NAME)


def _read(text: str, host: McpHost) -> dict[str, Any]:
    if host.is_toml:
        return toml_value(text)
    parsed = jsonc.loads(text)
    if not isinstance(parsed, dict):
        raise ValueError("it holds no JSON object")  # noqa: TRY004  (as for all that is no such file)
    return parsed


def _with(parsed: Mapping[str, Any], host: McpHost, entry: Mapping[str, object] | None) -> dict[str, Any]:
    """Return what a file says with our entry, or without it and without servers that are empty then."""
    others = {name: value for name, value in parsed.get(host.key, {}).items() if name != NAME}
    servers = others | ({NAME: dict(entry)} if entry is not None else {})
    rest = {key: value for key, value in parsed.items() if key != host.key}
    return rest | {host.key: servers} if servers else rest


def _new_file(host: McpHost, entry: Mapping[str, object]) -> str:
    if host.is_toml:
        return table_added("", (host.key, NAME), entry)
    return json.dumps({host.key: {NAME: entry}}, indent=2, ensure_ascii=False) + "\n"


def _added(text: str, host: McpHost, entry: Mapping[str, object]) -> str:
    if host.is_toml:
        return table_added(text, (host.key, NAME), entry)
    changed = with_member(text, (host.key, NAME), entry)
    if reading_of(changed).comments != reading_of(text).comments:
        raise ValueError("its comments would change")
    return changed


def _chain(text: str, host: McpHost) -> tuple[JsonPlace, ...]:
    root = places(text)
    servers = root.members[host.key]
    return root, servers, servers.members[NAME]
