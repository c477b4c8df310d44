"""GitHub Copilot's program: `copilot -s`, with the question on stdin, where no other user of the machine sees it.

It keeps a session of every run in `~/.copilot/session-state`; readers know it by our mark.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from memsuggest.judging.asking.endpoint import endpoint_of
from memsuggest.judging.asking.outcomes import Reply
from memsuggest.judging.engines import running
from memsuggest.transcripts.parsing.json_records import fields_of, text_of

NAME = "copilot"
INSTALL = "install it with `npm install --global @github/copilot`"
SIGN_IN = "run `copilot` and enter `/login`"
HELP: tuple[str, ...] = ("--help",)
FLAGS: tuple[str, ...] = (
    "--silent", "--available-tools", "--deny-tool", "--disable-builtin-mcps", "--no-custom-instructions",
    "--no-ask-user", "--no-color", "--no-auto-update", "--no-remote", "--disallow-temp-dir", "--log-level",
    "--stream", "--model", "--output-format",
)  # fmt: skip
CATALOG: tuple[str, ...] = ()
UNSET: tuple[str, ...] = (
    "COPILOT_ALLOW_ALL",
    "COPILOT_ASSISTED_APPROVAL",
    "COPILOT_CUSTOM_INSTRUCTIONS_DIRS",
    "COPILOT_OTEL*",
)
ENVIRON: Mapping[str, str] = {"COPILOT_AUTO_UPDATE": "false"}
_BASE = "COPILOT_PROVIDER_BASE_URL"
_HOSTS = ("COPILOT_GH_HOST", "GH_HOST")
_KEYS = ("COPILOT_GITHUB_TOKEN", "GH_TOKEN", "GITHUB_TOKEN", _BASE)


def call(asked: running.Asked, *, model: str, files: Path, catalog: str = "") -> running.ProgramCall:
    """Return a run to which no tool is offered: a list with a name that no tool has; an empty one leaves them all."""
    arguments = (
        *("--silent", "--available-tools=none", "--deny-tool=shell", "--deny-tool=write", "--disable-builtin-mcps"),
        *("--no-custom-instructions", "--no-ask-user", "--no-color", "--no-auto-update", "--no-remote"),
        *("--disallow-temp-dir", "--log-level=none", "--stream=off", "--output-format=json"),
        *((f"--model={model}",) if model else ()),
    )
    return running.ProgramCall(arguments=arguments, stdin=running.as_text(asked.system, asked.shape, asked.packet))


def read(done: running.Done, *, files: Path) -> Reply:
    """Return the last message of the printed events; as plain text it would be cut into lines of a terminal's width."""
    events = list(running.json_lines(done.out))
    said = _texts(events, "assistant.message", "content")
    failed = _texts(events, "session.error", "message")
    is_silent = not events and not done.out.strip() and bool(done.err.strip())
    if done.code or is_silent or (failed and not said):
        raise running.complaint(failed[-1] if failed else done.err.strip() or done.out, program=NAME)
    return Reply(text=said[-1] if said else "" if events else done.out, stop_reason="end_turn", usage=None)


def _texts(events: list[dict[str, Any]], kind: str, name: str) -> list[str]:
    texts = (text_of(fields_of(event.get("data")).get(name)) for event in events if event.get("type") == kind)
    return list(filter(None, texts))


def recipient(*, environ: Mapping[str, str], home: Path) -> running.Recipient:
    """Tell who gets what it is asked: GitHub, a company's own GitHub, or a provider that the environment names."""
    if named := environ.get(_BASE):
        address = endpoint_of(named, source=_BASE)
        return running.Recipient(who=f"the operator of {address}", through=f"at {address}")
    host = next((environ[name] for name in _HOSTS if environ.get(name)), _USUAL)
    if host != _USUAL:
        return running.Recipient(who=f"GitHub at {host} and the model's maker", through=f"at {host}")
    return running.Recipient(who="GitHub and the model's maker")


_USUAL = "github.com"


def trial(url: str, *, home: Path) -> None:
    """Return nothing: a list of tools with a name that there is not leaves it without any."""


def is_signed_in(*, environ: Mapping[str, str], home: Path) -> bool | None:
    """Look for a key, or for the account that signing in leaves; GitHub's own program may know one, too."""
    if any(environ.get(name) for name in _KEYS):
        return True
    settings = running.json_file(Path(environ.get("COPILOT_HOME") or home / ".copilot") / "config.json")
    names = ("loggedInUsers", "lastLoggedInUser", "logged_in_users", "last_logged_in_user")
    return True if any(settings.get(name) for name in names) else None
