"""A thousand chats on their way to a Graphiti server through kills and outages, and what a prompt waits for it.

Run by hand: `PYTHONPATH=.:tests python docs/measure/speed/graphiti.py [kills|recall]`. `kills` ends a program that
takes in and sends with SIGKILL at 100 random moments, a fifth of them while nobody listens or the server fails, and
counts at the server how often each turn is there. `recall` tells how long the median and the slowest prompts wait.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from contextlib import ExitStack
from pathlib import Path
from statistics import median, quantiles
from uuid import UUID

from memsuggest.core.hook_payloads import payload_of
from memsuggest.core.identity import session_hash
from memsuggest.core.workspace import Machine
from memsuggest.graphiti.outbox import Outbox
from memsuggest.graphiti.permission import groups_of
from memsuggest.graphiti.profile_tables import session_group
from memsuggest.graphiti.sync_server import deliver
from memsuggest.memory.hook_recall import given
from memsuggest.memory.lookup import Wanted
from memsuggest.memory.recall_entries import recall
from tests.graphiti.clone import START, Clone
from tests.graphiti_server import GraphitiServer

SESSIONS, ROUNDS = 1_000, 100
HOUR = 3_600_000
FAILURES = ("reset", "half", "500", "503", "502", "429", "html")
_CHANCE = random.Random(19)


def work(folder: Path, url: str, hours: int) -> None:
    """Take in what is new and deliver, as the program that a hook starts; an hour later at each run."""
    clone = _desk(folder, url, hours)
    print("ready", flush=True)
    clone.reconcile()
    with clone.open() as context:
        deliver(context, seconds=60.0)


def _desk(folder: Path, url: str, hours: int) -> Clone:
    clone = Clone(folder, url)
    clone.now = START + hours * HOUR
    clone.switch_on("ingest")
    return clone


def _run(folder: Path, url: str, hours: int) -> subprocess.Popen[bytes]:
    words = [sys.executable, __file__, "work", str(folder), url, str(hours)]
    return subprocess.Popen(words, stdout=subprocess.PIPE)


def kills() -> None:
    """Print how often the turns of a thousand chats are at the server after a hundred kills."""
    with tempfile.TemporaryDirectory() as name, GraphitiServer.start() as server:
        folder = Path(name)
        clone = _desk(folder, server.url, 0)
        clone.agree()
        sessions = [str(UUID(int=_CHANCE.getrandbits(128))) for _ in range(SESSIONS)]
        killed = unsure = 0
        for hours in range(ROUNDS):
            for session in sessions[hours * SESSIONS // ROUNDS : (hours + 1) * SESSIONS // ROUNDS]:
                clone.chat(f"why does {session[:8]} fail?", "and now?", session=session)
            with ExitStack() as trouble:
                if hours % 10 == 3:
                    trouble.enter_context(server.outage())
                elif hours % 10 == 7:
                    server.behave(fails=_CHANCE.choice(FAILURES), only="/messages", times=2)
                killed += _is_killed(_run(folder, server.url, hours))
            server.behave(fails="")
            unsure += clone.counts().get("sending", 0)
        print(f"{killed} of {ROUNDS} runs killed; {unsure} messages were leaving just then")
        print(f"{len(server.episodes()):,} messages are at the server before the first whole run")
        hours = ROUNDS
        while _open(folder, server.url, hours) and hours < ROUNDS + 60:
            _run(folder, server.url, hours).communicate()
            hours += 1
        print(f"{hours - ROUNDS} whole runs afterwards")
        _tell(clone, server, sessions)


def _is_killed(process: subprocess.Popen[bytes]) -> bool:
    """Kill a program at some moment of its work; whether it was not done yet."""
    with process:
        assert process.stdout
        process.stdout.readline()
        time.sleep(_CHANCE.uniform(0.0, 1.2))
        is_at_work = process.poll() is None
        process.kill()
    return is_at_work


def _open(folder: Path, url: str, hours: int) -> bool:
    counts = _desk(folder, url, hours).counts()
    return hours == ROUNDS or any(counts.get(state) for state in ("waiting", "sending", "unsure", "queued"))


def _tell(clone: Clone, server: GraphitiServer, sessions: list[str]) -> None:
    with clone.open() as context:
        workspace = groups_of(context).workspace
        outbox = Outbox(context.state, endpoint=server.url)
        expected = {
            (group, f"{session_hash(session)}:{turn}:{role}")
            for session in sessions
            for group in (session_group(session), workspace)
            for turn, role in enumerate(("user", "assistant", "user", "assistant"), start=1)
        }
        there = Counter((episode["group_id"], episode["name"]) for episode in server.episodes())
        states = {str(state): number for state, number in outbox.counts().items()}
        absent = [one for one in expected if not there[one]]
        told = {(one.group_id, one.name): str(one.state) for _, name in absent for one in outbox.named(name)}
        untold = [one for one in absent if told.get(one) not in ("dropped", "lost", "refused")]
    print(f"messages: {len(expected):,}; at the server once: {sum(there[one] == 1 for one in expected):,}")
    print(f"at the server more than once: {sum(number > 1 for number in there.values())}")
    print(f"not there and told so: {len(absent) - len(untold)}; not there and not told: {len(untold)}")
    print(f"what became of them: {states}")


def waits(runs: int = 60) -> None:
    """Print how long a recall and a prompt's hook take with servers of several speeds."""
    with tempfile.TemporaryDirectory() as name, GraphitiServer.start() as server:
        clone = _desk(Path(name), server.url, 0)
        clone.settings |= {"graphiti.recall": True, "graphiti.recallTime": 750}
        clone.agree()
        with clone.open() as context:
            server.plant(groups_of(context).workspace, "We deploy the shop on Thursdays")
        lines = "\n".join(f"{key}: {str(value).lower()}" for key, value in clone.settings.items())
        (clone.config / "config.yml").write_text(lines + "\n", encoding="utf-8")
        for seconds in (0.0, 0.05, 3.0):
            server.behave(delay=seconds)
            print(f"a server that answers in {seconds * 1000:,.0f} ms")
            _print("recall, in a program that runs", [_recall(clone) for _ in range(runs)])
            _print("prompt hook, in a program that runs", [_prompt(clone) for _ in range(runs)])
            _print("prompt hook, a program of its own", [_hook(clone) for _ in range(runs // 2)])


def _recall(clone: Clone) -> float:
    with clone.open() as context:
        context.profile.contents()
        begun = time.perf_counter()
        recall(context, "how do we deploy my shop?", Wanted())
        return time.perf_counter() - begun


def _prompt(clone: Clone) -> float:
    payload = payload_of(_payload(clone))
    assert payload
    machine = Machine(environ=clone.environ, platform="linux", now=lambda: clone.now)
    begun = time.perf_counter()
    list(given(payload, machine))
    return time.perf_counter() - begun


def _hook(clone: Clone) -> float:
    program = str(Path(sys.executable).with_name("memsuggest"))
    begun = time.perf_counter()
    subprocess.run(
        [program, "hook", "--recall"],
        input=_payload(clone),
        cwd=clone.repo,
        env={**os.environ, **clone.environ},
        stdout=subprocess.PIPE,
        check=True,
    )
    return time.perf_counter() - begun


def _payload(clone: Clone) -> bytes:
    said = {"hook_event_name": "UserPromptSubmit", "prompt": "how do we deploy my shop?", "cwd": str(clone.repo)}
    return json.dumps({**said, "session_id": clone.session}).encode()


def _print(what: str, seconds: list[float]) -> None:
    high = quantiles(seconds, n=20)[-1]
    print(f"  {what:38} median {median(seconds) * 1000:6.0f} ms, p95 {high * 1000:6.0f} ms")


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["work", folder, url, hours]:
            work(Path(folder), url, int(hours))
        case ["recall"]:
            waits()
        case ["kills"]:
            kills()
        case _:
            kills()
            waits()
