"""Codex's program, asked without a session: `codex exec`."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from memsuggest.judging.asking.json_object import count_in
from memsuggest.judging.asking.outcomes import Reply
from memsuggest.judging.asking.prices import Usage
from memsuggest.judging.engines import running
from memsuggest.transcripts.parsing.json_records import fields_of, text_of

NAME = "codex"
INSTALL = "install it with `npm install --global @openai/codex`"
SIGN_IN = "run `codex login`"
HELP: tuple[str, ...] = ("exec", "--help")
FLAGS: tuple[str, ...] = (
    "--config", "--output-schema", "--ephemeral", "--sandbox", "--skip-git-repo-check", "--ignore-user-config",
    "--ignore-rules", "--json", "--output-last-message", "--model",
)  # fmt: skip
CATALOG: tuple[str, ...] = ("debug", "models", "--bundled")
UNSET: tuple[str, ...] = ("CODEX_SANDBOX*", "CODEX_THREAD_ID", "CODEX_INTERNAL*")
ENVIRON: Mapping[str, str] = {}
_SCHEMA, _ANSWER, _INSTRUCTIONS, _MODELS = "schema.json", "answer.txt", "instructions.md", "models.json"
_OFF = (
    "shell_tool", "unified_exec", "multi_agent", "apps", "plugins", "hooks", "goals", "sleep_tool", "view_image",
    "image_generation", "browser_use", "computer_use", "tool_suggest", "skill_search", "shell_snapshot", "memories",
)  # fmt: skip
"""Features that would offer tools, run hooks or keep something; a version that has none of a name ignores it."""
_OVERRIDES = (
    *(f"features.{name}=false" for name in _OFF),
    *('web_search="disabled"', "agents.enabled=false", "skills.bundled.enabled=false", "project_doc_max_bytes=0"),
    *("tools.experimental_request_user_input.enabled=false", "tools.update_plan.enabled=false"),
)
_ROLE = (
    "You answer one question about a text. You have no tools and need none. You answer with JSON and nothing else.\n"
)
"""Stands in the place of the program's own 22 KB on how to write code; versions that ignore it do no harm."""
_TOOLLESS: Mapping[str, Any] = {
    "tool_mode": None,
    "apply_patch_tool_type": None,
    "experimental_supported_tools": [],
    "supports_search_tool": False,
    "multi_agent_version": None,
    "base_instructions": _ROLE,
}
"""Fields of a model in the program's catalog: since 0.169 they give it tools that no flag and no feature takes away."""


def call(asked: running.Asked, *, model: str, files: Path, catalog: str = "") -> running.ProgramCall:
    """Return a run that keeps no session, reads no settings, has no tools and may write nothing.

    `catalog` lists the program's models, as it prints them; a version that has none gets none.
    """
    models = _without_tools(catalog)
    paths = {"model_instructions_file": _INSTRUCTIONS, **({"model_catalog_json": _MODELS} if models else {})}
    overrides = (*_OVERRIDES, *(f"{name}={json.dumps(str(files / file))}" for name, file in paths.items()))
    arguments = (
        *("exec", "--json", "--output-schema", str(files / _SCHEMA), "--output-last-message", str(files / _ANSWER)),
        *("--ephemeral", "--sandbox", "read-only", "--skip-git-repo-check", "--ignore-user-config", "--ignore-rules"),
        *(part for override in overrides for part in ("--config", override)),
        *(("--model", model) if model else ()),
        "-",
    )
    texts = {_SCHEMA: json.dumps(asked.schema), _INSTRUCTIONS: _ROLE, **({_MODELS: models} if models else {})}
    return running.ProgramCall(arguments=arguments, stdin=running.as_text(asked.system, asked.packet), files=texts)


def _without_tools(catalog: str) -> str:
    """Return a catalog of models in which none has tools; nothing for what is no catalog."""
    with suppress(ValueError, RecursionError):
        models = fields_of(json.loads(catalog)).get("models")
        if isinstance(models, list):
            found = [fields_of(model) | dict(_TOOLLESS) for model in models]
            for model in found:
                model.pop("model_messages", None)
            return json.dumps({"models": found})
    return ""


def trial(url: str, *, home: Path) -> running.ProgramTrial:
    """Return what sends a question to a listener of ours: a provider of its own, and no account."""
    provider = f'{{name="trial",base_url="{url}/v1",wire_api="responses",env_key="{_TRIAL_KEY}"}}'
    arguments = ("--config", "model_provider=trial", "--config", f"model_providers.trial={provider}")
    return running.ProgramTrial(arguments=arguments, environ={_TRIAL_KEY: "none", "CODEX_HOME": str(home)})


_TRIAL_KEY = "MEMSUGGEST_TRIAL"


def read(done: running.Done, *, files: Path) -> Reply:
    """Return the last message, as the file or else the printed events have it."""
    events = list(running.json_lines(done.out))
    failures = (event if event.get("type") == "error" else fields_of(event.get("error")) for event in events)
    failed = list(filter(None, (text_of(failure.get("message")) for failure in failures)))
    items = (fields_of(event.get("item")) for event in events)
    said = [str(item.get("text")) for item in items if item.get("type") == "agent_message"]
    text = _text_at(files / _ANSWER) or (said[-1] if said else "")
    if done.code or (failed and not text):
        raise running.complaint(failed[-1] if failed else done.err or done.out, program=NAME)
    usage = None
    ended = (fields_of(event.get("usage")) for event in reversed(events) if event.get("type") == "turn.completed")
    if used := next(ended, {}):
        names = ("input_tokens", "output_tokens", "cached_input_tokens")
        sent, made, cached = (count_in(used, name) or 0 for name in names)  # what was cached is a part of what was sent
        usage = Usage(input=max(0, sent - cached), output=made, cache_read=cached)
    return Reply(text=text or ("" if events else done.out), stop_reason="end_turn", usage=usage)


def _text_at(path: Path) -> str:
    try:
        with path.open("rb") as stream:
            return stream.read(running.OUTPUT_LIMIT).decode("utf-8", "replace")
    except OSError:
        return ""


SYSTEM = Path("/etc/codex")
"""Where an administrator's settings lie, which hold in every run; neither the person's nor OPENAI_BASE_URL do."""
_NAMES_A_SERVICE = re.compile(r"base_url|model_provider")


def recipient(*, environ: Mapping[str, str], home: Path) -> running.Recipient:
    """Tell who gets what it is asked: OpenAI, unless an administrator's settings name somebody."""
    for path in (SYSTEM / "managed_config.toml", SYSTEM / "config.toml"):
        if _NAMES_A_SERVICE.search(_text_at(path)):
            return running.Recipient(who=f"the provider that Codex uses according to `{path}`", through=f"by {path}")
    return running.Recipient(who="OpenAI")


def is_signed_in(*, environ: Mapping[str, str], home: Path) -> bool | None:
    """Look for a key, or for the file that signing in leaves, unless the settings keep it in the system's keyring."""
    if environ.get("CODEX_API_KEY"):
        return True
    folder = Path(environ.get("CODEX_HOME") or home / ".codex")
    if (folder / "auth.json").exists():
        return True
    return None if "credentials_store" in _text_at(folder / "config.toml") else False
