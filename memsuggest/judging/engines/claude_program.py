"""Claude Code's program, asked without a session: `claude -p`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from memsuggest.judging.asking.endpoint import USUAL, endpoint_of
from memsuggest.judging.asking.json_object import count_in
from memsuggest.judging.asking.outcomes import Reply, ServiceError
from memsuggest.judging.asking.prices import Usage
from memsuggest.judging.engines import running
from memsuggest.transcripts.parsing.json_records import fields_of, items_of, text_of

NAME = "claude"
INSTALL = "install it from https://code.claude.com"
SIGN_IN = "run `claude` and enter `/login`"
HELP: tuple[str, ...] = ("--help",)
FLAGS: tuple[str, ...] = (
    "--print", "--output-format", "--json-schema", "--model", "--tools", "--strict-mcp-config", "--setting-sources",
    "--no-session-persistence", "--system-prompt", "--disable-slash-commands",
)  # fmt: skip
CATALOG: tuple[str, ...] = ()
UNSET: tuple[str, ...] = (
    "CLAUDECODE",
    "CLAUDE_CODE_ENTRYPOINT",
    "CLAUDE_CODE_SSE_PORT",
    "CLAUDE_PROJECT_DIR",
    "CLAUDE_CODE_SIMPLE",
    "CLAUDE_CODE_ENABLE_TELEMETRY",
)
"""It may be a hook of Claude Code that runs us, and a program inside itself behaves otherwise."""
_KEYS = ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN")
_BASE = "ANTHROPIC_BASE_URL"
_CLOUDS: Mapping[str, tuple[str, str]] = {
    "CLAUDE_CODE_USE_BEDROCK": ("Amazon Bedrock", "ANTHROPIC_BEDROCK_BASE_URL"),
    "CLAUDE_CODE_USE_MANTLE": ("Amazon Bedrock", "ANTHROPIC_BEDROCK_MANTLE_BASE_URL"),
    "CLAUDE_CODE_USE_VERTEX": ("Google Vertex AI", "ANTHROPIC_VERTEX_BASE_URL"),
    "CLAUDE_CODE_USE_FOUNDRY": ("Microsoft Foundry", "ANTHROPIC_FOUNDRY_BASE_URL"),
}
"""Switches of the environment: whose service they choose, and the variable that names another address for it."""
MANAGED = (
    Path("/etc/claude-code"),
    Path("/Library/Application Support/ClaudeCode"),
    Path("C:/Program Files/ClaudeCode"),
)
"""Folders of an organization's settings, which hold in every run; the person's own do not, as no sources are read."""
_PARTS = "managed-settings.d/*.json"
ENVIRON: Mapping[str, str] = {
    "DISABLE_NON_ESSENTIAL_MODEL_CALLS": "1",  # else it also asks for a title of the session, with all of the packet
    "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
    "MAX_THINKING_TOKENS": "0",
    "MAX_STRUCTURED_OUTPUT_RETRIES": "1",  # five, otherwise: each of them a whole question on the person's account
    "CLAUDE_CODE_DISABLE_ATTACHMENTS": "1",  # files named by `@path`; we name none, see `running.as_text`
}


def call(asked: running.Asked, *, model: str, files: Path, catalog: str = "") -> running.ProgramCall:
    """Return a run with our own text in the place of the program's, without tools, settings, servers or a session."""
    arguments = (
        *("-p", "--output-format", "json", "--json-schema", json.dumps(asked.schema, separators=(",", ":"))),
        *("--tools", "", "--strict-mcp-config", "--setting-sources", "", "--no-session-persistence"),
        *("--disable-slash-commands", "--system-prompt", asked.system.strip()),
        *(("--model", model) if model else ()),
    )
    return running.ProgramCall(arguments=arguments, stdin=running.as_text(asked.packet))


def read(done: running.Done, *, files: Path) -> Reply:
    """Return the answer in the one JSON object that is printed."""
    results = [found for found in running.json_lines(done.out) if found.get("type") == "result"]
    result = results[-1] if results else {}
    used = [fields_of(usage) for usage in fields_of(result.get("modelUsage")).values()]  # of each model in the run
    names = ("inputTokens", "outputTokens", "cacheReadInputTokens", "cacheCreationInputTokens")
    sent, made, cached, written = (sum(count_in(usage, name) or 0 for usage in used) for name in names)
    usage = Usage(input=sent, output=made, cache_read=cached, cache_write=written) if used else None
    text = text_of(result.get("result"))
    if done.code or result.get("is_error") is True or not result:
        errors = "; ".join(filter(None, map(text_of, items_of(result.get("errors")))))
        said = text or errors or text_of(result.get("subtype")) or done.err or done.out
        error = running.complaint(said, program=NAME)
        raise ServiceError(error, announced=usage) if usage else error
    shaped = result.get("structured_output")
    answer = json.dumps(shaped, ensure_ascii=False) if isinstance(shaped, dict) else text
    return Reply(text=answer, stop_reason="end_turn", usage=usage)


def recipient(*, environ: Mapping[str, str], home: Path) -> running.Recipient:
    """Tell who gets what it is asked: Anthropic, or whom the environment or an organization's settings name."""
    obeyed = dict(environ)
    paths = [path for folder in MANAGED for path in (folder / "managed-settings.json", *sorted(folder.glob(_PARTS)))]
    for path in (*paths, _folder(environ, home) / "remote-settings.json"):  # the last: as they were fetched last
        obeyed |= {name: str(value) for name, value in fields_of(running.json_file(path).get("env")).items()}
    cloud = next((name for name in _CLOUDS if _is_on(obeyed.get(name, ""))), "")
    who, variable = _CLOUDS.get(cloud, ("Anthropic", _BASE))
    named = obeyed.get(variable)
    address = endpoint_of(named, source=variable) if named else USUAL
    if address == USUAL:
        return running.Recipient(who=who, through=f"by {cloud}" if cloud else "")
    return running.Recipient(who=f"the operator of {address}", through=f"at {address}")


def _is_on(value: str) -> bool:
    return value.strip().lower() not in {"", "0", "false", "no", "off"}


def _folder(environ: Mapping[str, str], home: Path) -> Path:
    named = environ.get("CLAUDE_CONFIG_DIR")
    return Path(named) if named else home / ".claude"


def trial(url: str, *, home: Path) -> None:
    """Return nothing: `--tools ""` leaves it without any."""


def is_signed_in(*, environ: Mapping[str, str], home: Path) -> bool | None:
    """Look for a key, or for the traces that signing in leaves; on a Mac the rest is in the keychain."""
    if any(environ.get(name) for name in _KEYS) or any(_is_on(environ.get(name, "")) for name in _CLOUDS):
        return True
    folder = _folder(environ, home)
    state = (folder if environ.get("CLAUDE_CONFIG_DIR") else home) / ".claude.json"
    if (folder / ".credentials.json").exists() or running.json_file(state).get("oauthAccount"):
        return True
    return None if Path("/Library/Keychains").exists() else False
