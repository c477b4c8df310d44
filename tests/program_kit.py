"""Stand-ins for the assistants' programs: small scripts with the real ones' flags, output and misbehaviour.

What they print was recorded from claude 2.1.197, codex-cli 0.169.0 and GitHub Copilot CLI 1.0.102.
"""

from __future__ import annotations

import json
import os
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from memsuggest.judging.engines.programs import PROGRAMS

NAMES = tuple(PROGRAMS)
CENTS = "We always keep prices in cents, never as floats."
TYPES = "the worker queue is called harbor, see @types/harbor"
SIGNED_IN = {"claude": "ANTHROPIC_API_KEY", "codex": "CODEX_API_KEY", "copilot": "COPILOT_GITHUB_TOKEN"}
"""Variables with which a person counts as signed in."""
VERSIONS = {
    "claude": "2.1.197 (Claude Code)",
    "codex": "codex-cli 0.169.0",
    "copilot": "GitHub Copilot CLI 1.0.102.\nRun 'copilot update' to check for updates.",
}
_SCRIPT = r'''#!{python}
"""A stand-in for {name}."""
import json, os, pathlib, re, subprocess, sys, time

here = pathlib.Path({folder!r})
name = {name!r}
plan = json.loads((here / f"{{name}}.json").read_text())
arguments = sys.argv[1:]
if arguments == ["--version"]:
    print(plan["version"])
    sys.exit()
if "--help" in arguments:
    print("Options:\n" + "\n".join(f"  {{flag}} <value>" for flag in plan["flags"]))
    sys.exit()
if arguments[:2] == ["debug", "models"]:
    print(json.dumps({{"models": [{{"slug": "some-model", "tool_mode": "code_mode_only"}}]}}))
    sys.exit()
told = sys.stdin.read()
if trial := re.search(r'base_url="(http://127\.0\.0\.1:\d+/v1)"', " ".join(arguments)):
    import urllib.request
    body = json.dumps({{"input": [{{"type": "additional_tools", "tools": plan["tools"]}}]}}).encode()
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({{}}))
    opener.open(urllib.request.Request(trial[1] + "/responses", data=body), timeout=10).read()
    sys.exit()
log = {{
    "arguments": arguments, "stdin": told, "folder": os.getcwd(), "inside": os.listdir(), "environ": dict(os.environ),
    "pid": os.getpid(), "group": os.getpgrp(),
}}
with (here / f"{{name}}.log").open("a") as stream:
    stream.write(json.dumps(log) + "\n")


def verdict(line):
    said = {{"becomes": "new", "line": "", "joins": [], "heading": "", "also": [], "wording": "", "weakens": False}}
    return said | {{"rule": line["rule"], "place": [*line["places"], "new"][0]}}


def well():
    if '"room"' in told:
        return {{"operations": []}}
    data = told.split('\n<data id="')[-1]  # prompts have examples of their own
    if '"turn":' not in data:
        lines = map(json.loads, re.findall(r'^{{"rule".*', data, re.M))
        return {{"verdicts": [verdict(line) for line in lines if "places" in line]}}
    facts = []
    for quote in plan["knows"]:
        typed = re.escape(quote.replace("@", "\uff20"))
        found = re.search(r'"turn":(\d+),"typed":"' + typed + '"(?!,"new":false)', told)
        if found:
            facts.append({{
                "content": quote[:1].upper() + quote[1:], "reason": "", "kind": "convention", "scope": "workspace",
                "confidence": "high", "replaces": "",
                "citations": [{{"turn": int(found[1]), "file": "", "quote": quote}}],
            }})
    return {{"facts": facts, "injections": []}}


def say(text, *, failed=""):
    """Print as the program does."""
    if name == "claude":
        try:
            shaped = json.loads(text)
        except ValueError:
            shaped = None
        done = {{
            "type": "result", "subtype": "success", "is_error": bool(failed), "num_turns": 2, "result": failed or text,
            "total_cost_usd": 0.001, "usage": {{"input_tokens": 10, "output_tokens": 9}},
            "modelUsage": {{"claude-haiku": {{"inputTokens": 100, "outputTokens": 20, "cacheReadInputTokens": 5}}}},
        }}
        print(json.dumps(done | ({{"structured_output": shaped}} if shaped and not failed else {{}})))
    elif name == "codex":
        print(json.dumps({{"type": "thread.started", "thread_id": "01a2047f"}}))
        if failed:
            print(json.dumps({{"type": "turn.failed", "error": {{"message": failed}}}}))
        else:
            pathlib.Path(arguments[arguments.index("--output-last-message") + 1]).write_text(text)
            print(json.dumps({{"type": "item.completed", "item": {{"type": "agent_message", "text": text}}}}))
            usage = {{"input_tokens": 105, "cached_input_tokens": 5, "output_tokens": 20}}
            print(json.dumps({{"type": "turn.completed", "usage": usage}}))
    else:
        kind, key = ("session.error", "message") if failed else ("assistant.message", "content")
        print(json.dumps({{"type": "session.mcp_servers_loaded", "data": {{"servers": []}}}}))
        print(json.dumps({{"type": kind, "data": {{key: failed or text}}}}))
    sys.exit(1 if failed else 0)


mode = plan["mode"]
if mode == "well":
    say(json.dumps(well()))
elif mode == "says":
    say(plan["text"])
elif mode == "fails":
    say("", failed=plan["text"])
elif mode == "complains":
    print(plan["text"], file=sys.stderr)
    sys.exit(3)
elif mode == "silent":
    sys.exit(3)
elif mode == "hangs":
    helper = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
    (here / "helper.pid").write_text(str(helper.pid))
    time.sleep(60)
elif mode == "coloured":
    try:
        pathlib.Path("/dev/tty").write_text("\x1b]52;c;b3duZWQ=\x07")
    except OSError:
        pass
    print("\x1b]0;title\x07\x1b[2J", file=sys.stderr)
    say("\x1b[32m" + json.dumps(well()) + "\x1b[0m\x1b]8;;https://x.example\x07")
'''


@dataclass(frozen=True, kw_only=True)
class StandIn:
    """One program that is not the real one."""

    name: str
    folder: Path

    def behave(self, mode: str = "well", *, text: str = "", knows: tuple[str, ...] = ()) -> None:
        """Say how it will answer from now on."""
        self._write(mode=mode, text=text, **({"knows": knows} if knows else {}))

    def age(self, *lost: str) -> None:
        """Let it be a version without some flags."""
        self._write(flags=[flag for flag in self._plan["flags"] if flag not in lost], version="0.9.1")

    def offer(self, *tools: str) -> None:
        """Let it give its model these tools, whatever it is told."""
        self._write(tools=[{"name": name} for name in tools])

    @property
    def asked(self) -> list[dict[str, Any]]:
        """The runs that were questions."""
        path = self.folder / f"{self.name}.log"
        return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []

    @property
    def _plan(self) -> dict[str, Any]:
        loaded: dict[str, Any] = json.loads((self.folder / f"{self.name}.json").read_text())
        return loaded

    def _write(self, **changed: Any) -> None:
        path = self.folder / f"{self.name}.json"
        held = json.loads(path.read_text()) if path.exists() else {}
        path.write_text(json.dumps(held | changed))


def install(folder: Path, name: str, *knows: str) -> StandIn:
    """Put a stand-in into a folder of programs."""
    folder.mkdir(parents=True, exist_ok=True)
    found = StandIn(name=name, folder=folder)
    found._write(mode="well", text="", knows=knows, tools=[], flags=PROGRAMS[name].FLAGS, version=VERSIONS[name])
    path = folder / name
    path.write_text(_SCRIPT.format(python=sys.executable, folder=str(folder), name=name), encoding="utf-8")
    path.chmod(0o755)
    return found


def is_running(pid: int) -> bool:
    """Whether a process goes on, a moment after it was ended; one that only waits to be collected does not."""
    for _ in range(40):
        try:
            os.kill(pid, 0)
            if Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z":
                return False
        except (OSError, IndexError):
            return False
        time.sleep(0.05)
    return True
