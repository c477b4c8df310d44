"""Our entry in the assistants' files of MCP servers: put in and taken out, every other byte stays."""

from __future__ import annotations

import json
import random
import tomllib
from collections.abc import Iterator

import json5
import pytest

from memsuggest.assistants.assistant_files import MCP_FILES, SERVER_NAME, McpHost, hosts
from memsuggest.assistants.mcp_edits import entry_in, installed, is_ours, table_added, table_removed, uninstalled

HOSTS = hosts("linux")
PLACES = [(name, is_user) for name in HOSTS for is_user in (False, True)]
COMMAND = "memsuggest"

JSON_FILES = [
    "",
    "\n",
    "{}",
    "{ }\n",
    "{\n}\n",
    '{"KEY": {}}',
    '{"KEY": { }}\n',
    '{\n  "KEY": {}\n}\n',
    '{\n  "KEY": {\n  }\n}\n',
    '{"KEY": {"other": {"command": "x"}}}',
    '{\n\t"KEY": {\n\t\t"other": {\n\t\t\t"command": "x"\n\t\t}\n\t}\n}\n',
    '{\r\n  "KEY": {\r\n    "other": {"command": "x", "args": []}\r\n  }\r\n}\r\n',
    '{\n  // servers of the team\n  "KEY": {\n    "other": {"command": "x"}, // the last\n  },\n  "inputs": []\n}',
    '{\n  "inputs": [],\n  "theme": "dark" /* mine */\n}\n',
    '\ufeff{\n    "numStartups": 41,\n    "projects": {"/repo": {"KEY": {"memsuggest": {"command": "x"}}}}\n}\n',
    '{"KEY": {"a": {"command": "x"}, "b": {"command": "y"}}, "z": [1, 2, {"KEY": {}}]}',
]
TOML_FILES = [
    "",
    "\n",
    'model = "o9"',
    'model = "o9"\n',
    'model = "o9"\r\n',
    "# only a comment\n",
    '[mcp_servers.other]\ncommand = "x"\n',
    '[mcp_servers.other]\ncommand = "x"',
    '[mcp_servers]\n[mcp_servers.other]\ncommand = "x"\nenv = { A = "b" }\n\n\n',
    '[[profiles]]\nname = "a"\n\n[[profiles]]\nname = "b"\n',
    '[projects."/home/ada/shop"]\r\ntrust_level = "trusted"\r\n',
    'a = 1\n\n[mcp_servers.other] # ours is below\ncommand = "x"\n# the end',
]


def entry(host: McpHost, *, is_user: bool = False, command: str = COMMAND) -> dict[str, object]:
    return host.entry(command, is_user=is_user)


def parsed(text: str, host: McpHost) -> dict[str, object]:
    """What a file says, to a reader that is not ours."""
    value = tomllib.loads(text) if host.is_toml else json5.loads(text.removeprefix("\ufeff"))
    assert isinstance(value, dict)
    return value


def files_of(host: McpHost) -> list[str]:
    return TOML_FILES if host.is_toml else [text.replace("KEY", host.key) for text in JSON_FILES]


def cases() -> Iterator[object]:
    for name, is_user in PLACES:
        for number, text in enumerate(files_of(HOSTS[name])):
            yield pytest.param(name, is_user, text, id=f"{name}-{'user' if is_user else 'repo'}-{number}")


@pytest.mark.parametrize(("name", "is_user", "text"), list(cases()))
def test_what_is_put_in_and_taken_out_restores_every_byte(name: str, is_user: bool, text: str) -> None:
    """The file says the same and our server besides; again changes nothing; without it, it is as it was."""
    host = HOSTS[name]
    ours = entry(host, is_user=is_user)
    changed = installed(text, host, ours)
    before = parsed(text, host) if text.strip() else {}
    servers = before.get(host.key, {})
    assert isinstance(servers, dict)
    assert parsed(changed, host) == before | {host.key: servers | {SERVER_NAME: ours}}
    assert installed(changed, host, ours) == changed
    assert uninstalled(changed, host) == text


@pytest.mark.parametrize(("name", "is_user"), PLACES)
def test_a_new_file_goes_again(name: str, is_user: bool) -> None:
    """What we began is ours to take away, as long as nobody added to it."""
    host = HOSTS[name]
    made = installed(None, host, entry(host, is_user=is_user))
    assert entry_in(made, host) == entry(host, is_user=is_user)
    assert uninstalled(made, host) is None
    assert uninstalled(made.replace("\n", "\r\n"), host) is None


@pytest.mark.parametrize(("name", "is_user", "text"), list(cases()))
def test_an_entry_of_another_place_is_renewed(name: str, is_user: bool, text: str) -> None:
    """The program moved: one entry, with the new place."""
    host = HOSTS[name]
    old = installed(text, host, entry(host, is_user=is_user, command="/old place/bin/memsuggest"))
    new = installed(old, host, entry(host, is_user=is_user))
    assert entry_in(new, host) == entry(host, is_user=is_user)
    assert new.count("/old place/") == 0
    assert uninstalled(new, host) == text


@pytest.mark.parametrize("name", HOSTS)
def test_a_server_of_others_with_our_name_stays(name: str) -> None:
    """It is neither replaced nor taken out."""
    host = HOSTS[name]
    other = {"command": "npx", "args": ["memsuggest-something"]}
    text = (
        table_added("", (host.key, SERVER_NAME), other)
        if host.is_toml
        else json.dumps({host.key: {SERVER_NAME: other}})
    )
    with pytest.raises(ValueError, match="another server"):
        installed(text, host, entry(host))
    assert uninstalled(text, host) == text


BROKEN = ["{", "[]", "null", '{"KEY": []}', '{"KEY": 7}', '{"a": 1, "a": 2}', "{'a': 1}", '{"KEY": {}} x']
BROKEN_TOML = [
    "a = ",
    "[",
    "mcp_servers = 7",
    "mcp_servers = { other = { command = 'x' } }",
    "a = 1\na = 2",
    "[[mcp_servers]]",
    'notes = """\n[mcp_servers.memsuggest]\n"""\n',
]


@pytest.mark.parametrize(("text", "name"), [(t, "vscode") for t in BROKEN] + [(t, "codex") for t in BROKEN_TOML])
def test_a_file_in_another_form_is_refused(text: str, name: str) -> None:
    """It is told, not mended: somebody else's mistake is not ours to guess at."""
    host = HOSTS[name]
    with pytest.raises(ValueError, match=r"."):
        installed(text.replace("KEY", host.key), host, entry(host))


@pytest.mark.parametrize("name", ["vscode", "codex"])
def test_a_comment_inside_our_entry_is_not_lost(name: str) -> None:
    """Whoever wrote it takes it out."""
    host = HOSTS[name]
    made = installed("{}" if not host.is_toml else 'a = "b"\n', host, entry(host))
    sign = "#" if host.is_toml else "//"
    noted = made.replace('"memsuggest"\n', f'"memsuggest" {sign} ours\n').replace(
        '"command": "memsuggest"', f'{sign} ours\n"command": "memsuggest"'
    )
    assert noted != made
    with pytest.raises(ValueError, match="comment"):
        uninstalled(noted, host)


def test_tables_below_ours_go_with_it() -> None:
    """What an assistant kept about our tools is of no use without them; what follows stays."""
    text = 'model = "o9"\n'
    more = '\n[mcp_servers.memsuggest.tools.memory_search]\napproval_mode = "approve"\n\n# next\n[tui]\ntheme = "x"\n'
    host = HOSTS["codex"]
    assert uninstalled(installed(text, host, entry(host)) + more, host) == text + '\n# next\n[tui]\ntheme = "x"\n'


def test_quoted_names_of_tables_are_found() -> None:
    """TOML writes one name in several ways."""
    for header in ("[ mcp_servers . memsuggest ]", '["mcp_servers"."memsuggest"]', "[mcp_servers.'memsuggest']"):
        text = f'a = 1\n\n{header}\ncommand = "memsuggest"\nargs = ["mcp"]\n'
        assert table_removed(text, ("mcp_servers", "memsuggest")) == "a = 1\n"


def test_only_our_program_with_our_word_is_ours() -> None:
    """Wherever the program lies, on any system."""
    ours = ["memsuggest", "/a b/memsuggest", "C:\\x\\memsuggest.exe", "C:/x/memsuggest.exe"]
    assert all(is_ours({"command": our, "args": ["mcp", "--repo", "."]}) for our in ours)
    others = [{}, None, "memsuggest mcp", {"command": "memsuggest"}, {"command": "memsuggest", "args": ["hook"]}]
    assert not any(
        map(is_ours, [*others, {"command": "xmemsuggest", "args": ["mcp"]}, {"command": 7, "args": ["mcp"]}])
    )


def test_files_that_may_be_written_are_those_of_the_assistants() -> None:
    """Each in a repo or below the home, none anywhere else."""
    assert {".mcp.json", ".vscode/mcp.json", ".cursor/mcp.json", ".codex/config.toml"} <= MCP_FILES
    assert {"~/.claude.json", "~/.copilot/mcp-config.json", "~/.config/Code/User/mcp.json"} <= MCP_FILES
    assert not any(".." in name or name.startswith("/") for name in MCP_FILES)


def test_random_files_are_restored() -> None:
    """Whatever stands in a file of settings, in whatever layout, stays."""
    chance = random.Random(18)
    for _ in range(150):
        host = HOSTS[chance.choice(["vscode", "claude-code", "cursor"])]
        servers = {f"s{n}": {"command": "x", "args": ["a"] * chance.randrange(3)} for n in range(chance.randrange(4))}
        value: dict[str, object] = {f"k{n}": chance.choice([1, "two", [3], {"four": {}}]) for n in range(3)}
        value |= {host.key: servers} if chance.random() < 0.7 else {}
        items = list(value.items())
        chance.shuffle(items)
        indent = chance.choice([None, 1, 2, 4, "\t"])
        text = json.dumps(dict(items), indent=indent) + chance.choice(["", "\n", "\n\n", "\r\n"])
        text = text.replace("\n", "\r\n") if chance.random() < 0.2 and "\r" not in text else text
        if indent and chance.random() < 0.5:
            text = text.replace(",\n", ", // why\n", 1)
        changed = installed(text, host, entry(host))
        assert json5.loads(changed)[host.key] == {**value.get(host.key, {}), SERVER_NAME: entry(host)}  # type: ignore[dict-item]
        assert uninstalled(changed, host) == text
