"""The MCP server: our tools, resources and prompt behind the official SDK. Knows the protocol, and no store.

Needs the `mcp` extra, so nothing else may import it but the command that runs it. Calls are taken one after the other
in a thread, so that the protocol goes on meanwhile and nothing of ours has to bear two at once.
"""

from __future__ import annotations

import signal
import socket
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

import anyio
import anyio.to_thread
import mcp_types as types
import uvicorn
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.shared.exceptions import MCPError

from memsuggest import __version__
from memsuggest.assistants.mcp_tools import ARCHIVE, ENTRY, IDENTITY, INSTRUCTIONS, TOOLS, ContextCalls, ToolAnswer
from memsuggest.core.errors import MemsuggestError
from memsuggest.memory.loopback_auth import LoopbackGuard

Result = TypeVar("Result")

PATH = "/mcp"
PROMPT = "what_do_you_remember"
_GRACE = 3  # seconds that answers on their way have when it stops
_MARKDOWN = "text/markdown"


def build_server(calls: ContextCalls) -> Server[Any]:
    asked = _Asked(calls)
    tools = [
        types.Tool(
            name=name,
            title=tool.title,
            description=tool.about,
            input_schema=tool.schema(),
            annotations=types.ToolAnnotations(
                read_only_hint=not tool.is_writing,
                destructive_hint=tool.is_writing,
                idempotent_hint=True,
                open_world_hint=False,
            ),
        )
        for name, tool in TOOLS.items()
    ]
    server: Server[Any] = Server(
        "memsuggest",
        version=__version__,
        title="memsuggest: memory across chats",
        instructions=INSTRUCTIONS,
        on_list_tools=_always(types.ListToolsResult(tools=tools)),
        on_call_tool=asked.call_tool,
        on_list_resources=_always(types.ListResourcesResult(resources=_RESOURCES)),
        on_list_resource_templates=_always(types.ListResourceTemplatesResult(resource_templates=[_ENTRY])),
        on_read_resource=asked.read_resource,
        on_list_prompts=_always(types.ListPromptsResult(prompts=[_PROMPT])),
        on_get_prompt=asked.get_prompt,
    )
    server.middleware.clear()  # it would tell an exporter of traces, where one is installed, what is asked here
    return server


_RESOURCES = [
    types.Resource(
        uri=IDENTITY,
        name="identity",
        title="Who the user is",
        description="L0: what every chat should know about the user.",
        mime_type=_MARKDOWN,
    ),
    types.Resource(
        uri=ARCHIVE,
        name="archive",
        title="Completed work",
        description="L2: summaries of finished sessions and tasks, newest first.",
        mime_type=_MARKDOWN,
    ),
]
_ENTRY = types.ResourceTemplate(
    uri_template=ENTRY,
    name="archived",
    title="Archive entry",
    description="A complete L2 entry, by its ID or the first characters of the ID.",
    mime_type=_MARKDOWN,
)
_PROMPT = types.Prompt(
    name=PROMPT,
    title="What do you remember about…",
    description="Ask what is in memory about a topic, with the source of each entry.",
    arguments=[
        types.PromptArgument(
            name="about", description="A person, file, tool or topic. Omit to list everything.", required=False
        )
    ],
)


def _always(result: Result) -> Callable[..., Awaitable[Result]]:
    async def answer(_context: object, _params: object) -> Result:
        return result

    return answer


class _Asked:
    """The answers to the requests of the protocol that open the workspace, one after the other."""

    def __init__(self, calls: ContextCalls) -> None:
        self._calls = calls
        self._one_by_one: anyio.CapacityLimiter | None = None

    async def _ask(self, work: Callable[..., Result], *given: Any) -> Result:
        if self._one_by_one is None:  # it belongs to the running loop
            self._one_by_one = anyio.CapacityLimiter(1)
        return await anyio.to_thread.run_sync(work, *given, limiter=self._one_by_one)

    async def _text(self, work: Callable[..., str], *given: Any) -> str:
        try:
            return await self._ask(work, *given)
        except MemsuggestError as error:
            raise MCPError(code=types.INVALID_PARAMS, message=error_text(error)) from None

    async def call_tool(self, _context: object, params: types.CallToolRequestParams) -> types.CallToolResult:
        try:
            answer = await self._ask(self._calls.call, params.name, params.arguments or {})
        except MemsuggestError as error:
            answer = ToolAnswer(text=error_text(error), is_error=True)
        content = types.TextContent(type="text", text=answer.text)
        return types.CallToolResult(content=[content], structured_content=answer.data, is_error=answer.is_error)

    async def read_resource(
        self, _context: object, params: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        text = await self._text(self._calls.read, params.uri)
        contents = types.TextResourceContents(uri=params.uri, text=text, mime_type=_MARKDOWN)
        return types.ReadResourceResult(contents=[contents])

    async def get_prompt(self, _context: object, params: types.GetPromptRequestParams) -> types.GetPromptResult:
        text = await self._text(self._prompt, params.name, (params.arguments or {}).get("about") or "")
        message = types.PromptMessage(role="user", content=types.TextContent(type="text", text=text))
        return types.GetPromptResult(description="Stored memories", messages=[message])

    def _prompt(self, name: str, about: str) -> str:
        if name != PROMPT:
            raise MemsuggestError(f"there is no prompt `{name[:120]}`", hint=f"use `{PROMPT}`")
        return self._calls.question(about)


def error_text(error: MemsuggestError) -> str:
    return f"error: {error.message}" + (f"\nhint: {error.hint}" if error.hint else "")


def serve_stdio(calls: ContextCalls) -> None:
    """Talk over stdin and stdout until the assistant hangs up."""
    server = build_server(calls)

    async def talk() -> None:
        async with stdio_server() as (incoming, outgoing):
            await server.run(incoming, outgoing, server.create_initialization_options())

    # Whoever waits for a line of stdin cannot be interrupted by Python, only by the system.
    before = signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        anyio.run(talk)
    finally:
        signal.signal(signal.SIGINT, before)


def serve_http(calls: ContextCalls, *, token: str, listening: socket.socket) -> None:
    """Talk over HTTP on this machine until it is told to stop; only who has the token is answered."""
    port = int(listening.getsockname()[1])
    app = build_server(calls).streamable_http_app(streamable_http_path=PATH)
    settings = uvicorn.Config(
        LoopbackGuard(app, token=token, port=port),
        http="h11",
        ws="none",
        lifespan="on",
        log_level="error",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=_GRACE,
    )
    uvicorn.Server(settings).run(sockets=[listening])
