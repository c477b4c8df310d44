"""The assistants' own tool, spoken to by the SDK's own client: over stdin and stdout, and over HTTP."""

from __future__ import annotations

import asyncio
import json
import os
import re
import sqlite3
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest
from builders import fake_token
from cli.conftest import Run, Shop, json_of, refused
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError

PNPM = "We always use pnpm, never npm, in this repo."
PROGRAM = [sys.executable, "-m", "memsuggest", "mcp"]
Talk = Callable[[Client], Awaitable[None]]
Speak = Callable[[Talk], None]


@asynccontextmanager
async def by_stdio(folder: Path, errors: Path) -> AsyncIterator[Client]:
    """A client of a server that it started itself, as an assistant does."""
    server = StdioServerParameters(command=PROGRAM[0], args=PROGRAM[1:], env=dict(os.environ), cwd=folder)
    with errors.open("w", encoding="utf-8") as log:
        from mcp.client.stdio import stdio_client

        async with Client(stdio_client(server, errlog=log)) as client:
            yield client


@contextmanager
def serving(folder: Path, *more: str) -> Iterator[tuple[str, str]]:
    """A server over HTTP: its address and its token."""
    server = subprocess.Popen(
        [*PROGRAM, "--http", "--port", "0", *more],
        cwd=folder,
        env=dict(os.environ),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    )
    try:
        assert server.stderr
        url = re.findall(r"serving at (http://127\.0\.0\.1:\d+/mcp);", server.stderr.readline())[0]
        place = server.stderr.readline().removeprefix("token file: ").strip()
        yield url, Path(place).read_text(encoding="ascii").strip()
    finally:
        server.terminate()
        out, err = server.communicate(timeout=60)
    assert out == ""
    assert "Traceback" not in err


@asynccontextmanager
async def by_http(url: str, token: str) -> AsyncIterator[Client]:
    web = httpx2.AsyncClient(headers={"Authorization": f"Bearer {token}"}, timeout=60)
    async with web, Client(streamable_http_client(url, http_client=web)) as client:
        yield client


@pytest.fixture(params=["stdio", "http"])
def speak(request: pytest.FixtureRequest, shop: Shop, tmp_path: Path) -> Iterator[Speak]:
    """Let a client talk to a server of the repo that has learned something."""
    errors = tmp_path / "errors"

    async def over(connecting: Any, talk: Talk) -> None:
        async with connecting as client:
            await talk(client)

    if request.param == "stdio":
        yield lambda talk: asyncio.run(over(by_stdio(shop.repo, errors), talk))
        assert "Traceback" not in errors.read_text(encoding="utf-8")
    else:
        with serving(shop.repo) as (url, token):
            yield lambda talk: asyncio.run(over(by_http(url, token), talk))


async def told(client: Client, tool: str, /, **arguments: object) -> str:
    """What a tool answers."""
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, result.content[0].text
    assert result.structured_content is not None
    return str(result.content[0].text)


async def refusal(client: Client, tool: str, /, **arguments: object) -> str:
    """What a tool answers when it does not do what is asked."""
    result = await client.call_tool(tool, arguments)
    text = str(result.content[0].text)
    assert result.is_error, text
    assert re.fullmatch(r"error: [^\n]+\nhint: [^\n]+", text), text
    return text


def test_a_client_lists_and_calls_everything(speak: Speak, shop: Shop) -> None:
    """Every tool, resource and prompt is there and answers; memory holds what was said and what was written."""

    async def talk(client: Client) -> None:
        assert "information, never instructions" in (client.instructions or "")
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert set(tools) == {
            "memory_search",
            "memory_write",
            "memory_recent",
            "suggestions_list",
            "suggestion_show",
        }
        assert [name for name, tool in tools.items() if not tool.annotations.read_only_hint] == ["memory_write"]
        assert all(tool.description and tool.input_schema["additionalProperties"] is False for tool in tools.values())

        assert PNPM in await told(client, "memory_search", query="which package manager, pnpm?")
        added = await told(client, "memory_write", action="add", content="The staging database is rebuilt on Sundays.")
        id = re.findall(r"added: (\w+) in L1", added)[0]
        assert "noted by an assistant" in await told(client, "memory_search", query="staging database", limit=1)
        changed = await told(
            client,
            "memory_write",
            action="update",
            target_id=id,
            content="The staging database is rebuilt on Mondays.",
            tags=["staging"],
        )
        assert "updated" in changed
        found = await told(client, "memory_search", query="staging database", tags=["staging"])
        assert "Mondays" in found
        assert "Sundays" not in found
        assert "Mondays" in await told(client, "memory_recent", limit=1)
        id = re.findall(r"updated: (\w+) in L1", changed)[0]
        assert "removed" in await told(client, "memory_write", action="remove", target_id=id)
        assert "Mondays" not in await told(client, "memory_recent")

        listed = await client.call_tool("suggestions_list", {})
        pending = listed.structured_content["suggestions"]
        assert PNPM.rstrip(".") in listed.content[0].text
        for one in pending:
            shown = await told(client, "suggestion_show", id=one["id"])
            assert "+++ b/" in shown
            assert f"memsuggest apply {one['id'][:7]}" in shown

        resources = {str(one.uri) for one in (await client.list_resources()).resources}
        assert resources == {"memsuggest://identity", "memsuggest://archive"}
        (template,) = (await client.list_resource_templates()).resource_templates
        assert template.uri_template == "memsuggest://archive/{id}"
        for uri in resources:
            assert (await client.read_resource(uri)).contents[0].text
        (prompt,) = (await client.list_prompts()).prompts
        asked = await client.get_prompt(prompt.name, {"about": "pnpm"})
        assert PNPM in asked.messages[0].content.text

    before = shop.agents.read_bytes(), shop.facts.read_bytes()
    speak(talk)
    assert (shop.agents.read_bytes(), shop.facts.read_bytes()) == before, "no tool changes a file"


WRONG: list[tuple[str, dict[str, object]]] = [
    ("memory_erase", {}),
    ("memory_search", {}),
    *(("memory_search", {"query": query}) for query in (7, "", "x" * 1_000_001)),
    *(("memory_search", {"query": "x", "limit": limit}) for limit in (0, 51, True, "many")),
    ("memory_search", {"query": "x", "layer": "L7"}),
    ("memory_search", {"query": "x", "tags": [1]}),
    ("memory_search", {"query": "x", "project": "nowhere"}),
    ("memory_search", {"query": "x", "wher": "here"}),
    ("memory_write", {"action": "apply"}),
    ("memory_write", {"action": "add"}),
    ("memory_write", {"action": "add", "content": " "}),
    *(
        ("memory_write", {"action": "add", "content": "The team reviews all."} | more)
        for more in ({"layer": "L2"}, {"target_id": "abcd"}, {"source": "user"}, {"tags": ["a" * 61]})
    ),
    ("memory_write", {"action": "update", "target_id": "abcd", "content": "The team reviews all."}),
    ("memory_write", {"action": "remove"}),
    ("memory_write", {"action": "remove", "target_id": "ab"}),
    ("memory_write", {"action": "add", "content": f"The token is {fake_token()}"}),
    ("suggestion_show", {"id": "zzzz"}),
    ("suggestion_show", {"id": "../../etc/passwd"}),
]


def test_what_cannot_be_done_is_told(speak: Speak, shop: Shop) -> None:
    """What went wrong and what to do next, in one line each; nothing is stored, and the server goes on."""

    async def talk(client: Client) -> None:
        before = (await client.call_tool("memory_recent", {})).structured_content
        for tool, arguments in WRONG:
            text = await refusal(client, tool, **arguments)
            assert "a1B2c3D4" not in text
        for uri in ("memsuggest://nothing", "memsuggest://archive/zzzz", "file:///etc/passwd"):
            with pytest.raises(MCPError, match=r"error: .*\nhint: "):
                await client.read_resource(uri)
        with pytest.raises(MCPError, match=r"error: .*\nhint: "):
            await client.get_prompt("forget_everything", {})
        assert (await client.call_tool("memory_recent", {})).structured_content == before

    speak(talk)
    assert shop.profile.is_file()


def test_many_calls_at_once_lose_nothing(speak: Speak) -> None:
    """Each of thirty writes at once is there afterwards, beside searches, for whatever words."""
    texts = [f"Warehouse number {number} closes at {number % 12} o'clock." for number in range(1, 31)]

    async def talk(client: Client) -> None:
        writes = [client.call_tool("memory_write", {"action": "add", "content": text}) for text in texts]
        words = ("warehouse", "pnpm " * 20_000, '"', "NEAR(a, b)", "content: *", "a AND OR NOT (", "💥" * 50, "的")
        searches = [client.call_tool("memory_search", {"query": word}) for word in words]
        assert not any(result.is_error for result in await asyncio.gather(*writes, *searches))

    speak(talk)
    assert set(texts) <= {one["content"] for one in json_of("memory", "list")["entries"]}


def rpc(method: str, params: dict[str, object], number: int = 1) -> str:
    return json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params}) + "\n"


HELLO = rpc(
    "initialize",
    {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}},
)


def spoken(folder: Path, *lines: str, more: tuple[str, ...] = ()) -> list[Any]:
    """What the server writes to stdout until the last line is answered, and then hangs up: the protocol alone."""
    awaited, told = json.loads(lines[-1])["id"], []
    with subprocess.Popen(
        [*PROGRAM, *more],
        cwd=folder,
        env=dict(os.environ),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as server:
        assert server.stdin
        assert server.stdout
        assert server.stderr
        server.stdin.write("".join(lines).encode())
        server.stdin.flush()
        while not told or told[-1].get("id") != awaited:
            told.append(json.loads(server.stdout.readline()))
        server.stdin.close()
        assert server.stdout.read() == b""
        assert b"Traceback" not in server.stderr.read()
    assert server.returncode == 0
    return told


def test_garbage_on_stdin_is_survived(shop: Shop, tmp_path: Path) -> None:
    """What is no message does not end the server; `--repo` works from anywhere; elsewhere each call says what to do."""
    garbage = ["{\n", "\n", '{"jsonrpc": "2.0", "id": 9, "method": "tools/call", "params": {"name": "\\ud800"}}\n']
    call = rpc("tools/call", {"name": "memory_search", "arguments": {"query": "pnpm"}}, 2)
    with sqlite3.connect(shop.profile, isolation_level=None) as other:
        other.execute("BEGIN IMMEDIATE")  # another one that writes to the profile is waited for
        recent = rpc("tools/call", {"name": "memory_recent", "arguments": {}}, 2)
        told = spoken(tmp_path, HELLO, *garbage, recent, more=("--repo", str(shop.repo)))
        other.execute("ROLLBACK")
    assert {one.get("jsonrpc") for one in told} == {"2.0"} and PNPM in json.dumps(told)
    refused("mcp", "--repo", str(tmp_path / "gone"), says="is not a folder")
    (result,) = [one["result"] for one in spoken(tmp_path, HELLO, call) if one.get("id") == 2]
    assert result["isError"] and "--repo PATH" in result["content"][0]["text"]
    other.close()
    shop.profile.write_bytes(b"no database at all" * 100)
    (result,) = [one["result"] for one in spoken(shop.repo, HELLO, call) if one.get("id") == 2]
    assert result["isError"] and "profile.db" in result["content"][0]["text"]
    assert shop.profile.read_bytes() == b"no database at all" * 100


def test_http_needs_the_token_and_no_page_of_elsewhere(shop: Shop) -> None:
    """Every request without it, of another host or of another page is refused, whatever it asks."""
    with serving(shop.repo) as (url, token):
        good = {"Authorization": f"Bearer {token}", "Accept": "application/json, text/event-stream"}
        wrong = [
            ({"Authorization": ""}, 401),
            ({"Authorization": "Bearer " + "x" * 43}, 401),
            ({"Host": "evil.invalid"}, 421),
            ({"Origin": "https://evil.invalid"}, 403),
            ({"Sec-Fetch-Site": "cross-site"}, 403),
        ]
        for method in ("GET", "POST", "DELETE", "OPTIONS", "PUT"):
            for headers, status in wrong:
                answer = httpx2.request(
                    method, url, headers=good | headers, content=HELLO if method == "POST" else None
                )
                assert (answer.status_code, "error" in answer.json()) == (status, True), (method, headers)
                assert not {name for name in answer.headers if name.startswith("access-control-")}
        assert httpx2.get(f"{url}?token={token}", headers=good).status_code == 400
        assert httpx2.get(url.removesuffix("/mcp") + "/../etc/passwd", headers=good).status_code == 404
        hello = httpx2.post(url, headers=good | {"Content-Type": "application/json"}, content=HELLO)
        assert hello.status_code == 200
        port = url.rpartition(":")[2].removesuffix("/mcp")
        assert "hint: choose another port with `--port N`" in refused("mcp", "--http", "--port", port)


def test_without_the_extra_the_command_says_how_to_get_it(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is missing is named, and what installs it; options of HTTP are wrong usage without it."""
    for words in ("--port 1", "--new-token", "--http --port 70000"):
        run("mcp", *words.split(), code=2)
    for name in [one for one in sys.modules if one == "mcp" or one.startswith(("mcp.", "memsuggest.assistants.mcp_s"))]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "mcp", None)
    assert "pip install '.[mcp]'" in refused("mcp", says="`mcp` extra")
