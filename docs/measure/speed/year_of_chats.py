"""What a year of chats costs in a repository with many customization files: the first run, one new chat, nothing new.

    python docs/measure/speed/year_of_chats.py [--repo FOLDER] [--chats 100 1000] [--kilobytes 100]

Offline. Chats are those of `sessions`, filled up with tools' output to a size and spread over a year. For each count it
prints when the first rule is on the screen, then processor seconds, milliseconds a chat, the most memory, and which
share of the time each phase took, by when the run named it.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from big_repo import lay_out
from sessions import chat, code, record

YEAR = 365 * 24 * 3600
RULES, PLACE = b"found so far", b"    \xe2\x86\x92 "
"""What stands above the first rule that is shown while chats are read, and before its place."""
PHASE = re.compile(r"^([a-z ]+?)(?:: [\d,]+| …)$")


class Cost(NamedTuple):
    """What a run cost."""

    seconds: float
    """Of the processor."""
    megabytes: float
    shares: dict[str, float]
    """Of the time of the run, by phase."""


def filled(number: int, root: Path, size: int) -> str:
    """One chat, with tools' output behind it up to a size in bytes."""
    text, chance = chat(number, root), random.Random(number)
    at = number * 1000 + 900
    while len(text) < size:
        output = [{"type": "tool_result", "tool_use_id": f"t{at}", "content": code(chance, 200)}]
        fields = record("user", at, message={"role": "user", "content": output}) | {"cwd": str(root)}
        text += json.dumps(fields | {"sessionId": f"chat-{number}"}) + "\n"
        at += 1
    return text


def write_chats(place: Path, root: Path, numbers: range, size: int, *, now: float) -> None:
    """Write chats of a year, the last one now."""
    for number in numbers:
        path = place / f"{number:06}.jsonl"
        path.write_text(filled(number, root, size))
        at = now - YEAR * (len(numbers) - 1 - number + numbers.start) / max(1, len(numbers))
        os.utime(path, (at, at))


def cost(command: list[str], root: Path, environ: dict[str, str]) -> Cost:
    """Run a command; without a terminal, it names each phase in a line."""
    begun = time.monotonic()
    pipe = subprocess.PIPE
    process = subprocess.Popen(command, cwd=root, env=environ, stdout=subprocess.DEVNULL, stderr=pipe, text=True)
    named = [("starting", begun)]
    assert process.stderr is not None
    for line in process.stderr:
        if found := PHASE.match(line.strip()):
            named.append((found[1], time.monotonic()))
    _, code_of, used = os.wait4(process.pid, 0)
    ended = time.monotonic()
    if code_of:
        sys.stderr.write(f"{' '.join(command[-3:])}: exit {code_of}\n")
    spans = zip(named, [*named[1:], ("", ended)], strict=True)
    shares: dict[str, float] = {}
    for (phase, since), (_, until) in spans:
        shares[phase] = shares.get(phase, 0.0) + (until - since) / (ended - begun)
    return Cost(used.ru_utime + used.ru_stime, used.ru_maxrss / 1024, shares)


def first_rule(command: list[str], root: Path, environ: dict[str, str]) -> tuple[float, float, float]:
    """Seconds until a rule is on the screen of a terminal, until its place is, and those of the processor by then."""
    import pty

    master, slave = pty.openpty()
    begun, seen, shown = time.monotonic(), b"", 0.0
    process = subprocess.Popen(
        command, cwd=root, env=environ, stdin=slave, stdout=slave, stderr=slave, start_new_session=True
    )
    os.close(slave)
    while PLACE not in seen and (read := os.read(master, 4096)):
        seen += read
        if RULES in seen and not shown:
            shown = time.monotonic() - begun
    placed = time.monotonic() - begun
    process.kill()
    _, _, used = os.wait4(process.pid, 0)
    os.close(master)
    return shown, placed, used.ru_utime + used.ru_stime


def main() -> None:
    """Print a block for each count of chats."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repo", type=Path)
    parser.add_argument("--chats", type=int, nargs="+", default=[100, 1000])
    parser.add_argument("--kilobytes", type=float, default=100, help="size of a chat at least")
    given = parser.parse_args()
    program = str(Path(sys.executable).with_name("memsuggest"))
    for count in given.chats:
        with tempfile.TemporaryDirectory() as folder:
            root, environ = lay_out(Path(folder), given.repo, 0)
            place = next(Path(folder, "home/.claude/projects").iterdir())
            size, now = int(given.kilobytes * 1000), time.time()
            write_chats(place, root, range(count), size, now=now)
            command = [program, "--offline", "reconcile", "--since", "all"]
            shown, placed, busy = first_rule([*command, "--dry-run"], root, environ)
            sys.stdout.write(
                f"{count:6} chats, first rule on the screen after {shown:.1f} s, with its place after {placed:.1f} s"
                f" by the clock, {busy:.1f} s of the processor\n"
            )
            for name, new in (("first run", count), ("one new chat", 1), ("nothing new", 0)):
                if name == "one new chat":
                    write_chats(place, root, range(count, count + 1), size, now=now)
                found = cost(command, root, environ)
                shares = ", ".join(f"{phase} {share:.0%}" for phase, share in found.shares.items())
                each = f"{found.seconds / new * 1000:8.1f} ms a chat" if new > 1 else " " * 19
                sys.stdout.write(
                    f"{count:6} chats, {name:12} {found.seconds:7.2f} s {each}  {found.megabytes:4.0f} MB  {shares}\n"
                )
                sys.stdout.flush()


if __name__ == "__main__":
    main()
