"""Kills `memsuggest reconcile --batch` at random moments, again and again, until a run ends by itself.

    python tests/cli/killing_batches.py FOLDER ROUNDS [SEED]

A local server answers batches after a few looks, and loses the reply to a creation now and then. Prints a line of
JSON: the rounds, the runs that were killed in the middle, and in how many rounds something was wrong: other facts than
those of a run that nobody disturbed, a prompt that was asked about twice or one by one, another price in the ledger
than the server's own count. Each command is a fork of this process, which has everything loaded.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
import time
import urllib.request
from collections import Counter
from contextlib import closing
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))

from builders import claude_session, fake_token
from cli.killing import known
from model_server import BatchService, Exchange, Server, resets, told

from memsuggest.cli import main
from memsuggest.judging.asking.prices import Usage, cost
from memsuggest.learning import ask_in_batches, batch_run

assert ask_in_batches  # loaded before the forks
SESSIONS, MODEL = 40, "claude-haiku-5-5"
THINGS = ("ledger", "parser", "mailer", "router", "cache", "importer", "exporter", "scheduler", "renderer", "indexer")


def answered(body: dict[str, Any]) -> str:
    """Every turn that a question is about, as a rule in its own words."""
    facts = [
        {
            "content": text,
            "reason": "",
            "kind": "convention",
            "scope": "workspace",
            "confidence": "high",
            "citations": [{"turn": turn, "file": "", "quote": text}],
            "replaces": "",
        }
        for turn, text in told(body).items()
    ]
    return json.dumps({"facts": facts, "injections": []})


class Service:
    """The server, in a process of its own; `/round` begins anew, `/told` says what came."""

    def __init__(self) -> None:
        self.batches = BatchService(answer=answered)
        self.busy = 0
        self.lock = threading.Lock()

    def __call__(self, exchange: Exchange) -> None:
        if exchange.path == "/round":
            wanted = exchange.body
            lost: list[Any] = [resets] if wanted["lost"] else []
            refused: list[Any] = [resets] if wanted["refused"] else []
            self.batches = BatchService(
                answer=answered, looks=wanted["looks"], on_create=lost, refuse_create=refused, page=100
            )
            exchange.respond(b"{}")
        elif exchange.path == "/told":
            exchange.respond(json.dumps(self._told()).encode())
        else:
            with self.lock:
                self.busy += 1
            try:
                self.batches(exchange)
            finally:
                with self.lock:
                    self.busy -= 1

    def _told(self) -> dict[str, Any]:
        asked = Counter(text for _, body in self.batches.sent for text in told(body).values())
        results = [
            json.loads(line) for batch in self.batches.batches for line in self.batches._results(batch).splitlines()
        ]
        usages = [result["result"]["message"]["usage"] for result in results]
        micros = sum(
            cost(MODEL, Usage(input=usage["input_tokens"], output=usage["output_tokens"]), is_batch=True)
            for usage in usages
        )
        return {"asked": asked, "live": len(self.batches.live), "micros": micros, "busy": self.busy}


def serve() -> tuple[int, str]:
    """Start the server; return its process and address."""
    reading, writing = os.pipe()
    process = os.fork()
    if process == 0:
        server = Server([Service()])
        os.write(writing, server.url.encode() + b"\n")
        signal.pause()
    with os.fdopen(reading) as stream:
        return process, stream.readline().strip()


def ask(url: str, path: str, body: object = None) -> dict[str, Any]:
    data = None if body is None else json.dumps(body).encode()
    with urllib.request.urlopen(urllib.request.Request(url + path, data=data)) as response:
        found: dict[str, Any] = json.loads(response.read())
        return found


def at_rest(url: str) -> dict[str, Any]:
    """What the server was told, once it has dealt with all that came: connections are taken in their order."""
    while (told_now := ask(url, "/told"))["busy"]:
        time.sleep(0.01)
    return told_now


def start(root: Path, home: Path, url: str) -> int:
    """Start a run of its own; returns the process."""
    process = os.fork()
    if process:
        return process
    code = 70
    try:
        for descriptor in (1, 2):
            os.dup2(os.open(os.devnull, os.O_WRONLY), descriptor)
        for name in [
            name for name in os.environ if name.startswith(("XDG_", "MEMSUGGEST_", "CLAUDE_", "CI", "GITHUB_"))
        ]:
            del os.environ[name]
        os.environ["HOME"] = os.environ["USERPROFILE"] = str(home)
        os.environ |= {"ANTHROPIC_API_KEY": fake_token(), "ANTHROPIC_BASE_URL": url}
        os.chdir(root)
        batch_run.SETTLE, batch_run.PAUSES = 0, (0.02,)  # the server is at rest before a run starts
        sys.argv = ["memsuggest", "reconcile", "--batch", "--consent", "--quiet"]
        main()
    except SystemExit as end:
        code = int(end.code or 0)
    finally:
        os._exit(code)


def ended(process: int) -> int:
    return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])


def spent(home: Path) -> int:
    """The price in the ledger."""
    with closing(sqlite3.connect(next(home.rglob("usage.db")))) as connection:
        return int(connection.execute("SELECT coalesce(sum(micros), 0) FROM requests").fetchone()[0])


def set_up(folder: Path) -> Path:
    root = folder / "shop"
    subprocess.run(["git", "init", "-q", "-b", "main", str(root)], check=True)
    for number in range(SESSIONS):
        said = [
            f"The {THINGS[(number + step) % 10]} number {number}{step} is only called from src/x{number}{step}.py."
            for step in range(3)
        ]
        claude_session(
            folder / "home", root, *said, session=f"{number:08}-aaaa-4bbb-8ccc-222222222222", day=number % 28 + 1
        )
    return root


def main_loop(folder: Path, rounds: int, *, seed: int, url: str) -> dict[str, int]:
    chance = random.Random(seed)
    root, home = set_up(folder), folder / "home"
    places = {home: folder / "fresh/home", root / ".github": folder / "fresh/github"}
    for place, kept in places.items():
        shutil.copytree(place, kept) if place.exists() else kept.mkdir(parents=True)

    def anew(*, looks: int, lost: bool = False, refused: bool = False) -> None:
        for place, kept in places.items():
            shutil.rmtree(place, ignore_errors=True)
            shutil.copytree(kept, place)
        ask(url, "/round", {"looks": looks, "lost": lost, "refused": refused})

    anew(looks=3)
    begun = time.perf_counter()
    assert ended(start(root, home, url)) == 0
    seconds = time.perf_counter() - begun
    wanted, first = known(root, home), at_rest(url)
    report = {"rounds": rounds, "killed": 0, "different": 0, "twice": 0, "price": 0, "prompts": len(first["asked"])}
    assert spent(home) == first["micros"] > 0
    for _ in range(rounds):
        anew(looks=chance.randrange(4), lost=chance.random() < 0.3, refused=chance.random() < 0.2)
        for _ in range(chance.randrange(1, 6)):
            process = start(root, home, url)
            time.sleep(chance.random() * seconds)
            os.kill(process, signal.SIGKILL)
            report["killed"] += ended(process) == -signal.SIGKILL
            at_rest(url)
        code = ended(start(root, home, url))
        came = at_rest(url)
        report["different"] += code != 0 or known(root, home) != wanted
        report["twice"] += came["live"] > 0 or set(came["asked"].values()) != {1}
        report["price"] += spent(home) != came["micros"]
    return report


if __name__ == "__main__":
    place, count, first_seed = [*sys.argv[1:], "7"][:3]
    server, address = serve()
    try:
        found = main_loop(Path(place), int(count), seed=int(first_seed), url=address)
    finally:
        os.kill(server, signal.SIGKILL)
        os.waitpid(server, 0)
    sys.stdout.write(json.dumps(found) + "\n")
