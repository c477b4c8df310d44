"""How fast transcripts are read, and how little it takes when nothing is new. Run by hand; prints ratios.

    python tests/benchmarks/reading.py [--size MB] [--giant GB] [FILE.jsonl …]

Without files it makes its own sessions: long tool results, thinking, progress, few words of a person, as real ones
have. `json.loads` of every line, over the same bytes in the same run, is the measure.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import resource
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memsuggest.database import open_database
from memsuggest.model import Transcript
from memsuggest.transcripts.discovery import find_transcripts
from memsuggest.transcripts.progress import MIGRATIONS, Progress
from memsuggest.transcripts.reading import detect, read_transcript, read_typed
from memsuggest.transcripts.source import Source

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

WORDS = ("the", "parser", "of", "this", "module", "returns", "an", "error", "when", "no", "newline", "so", "we", "keep")
CODE = (
    '    if (name === "") {',
    "\treturn null;",
    '  "scripts": {',
    "const path = `${root}/src`;",
    "// … see “notes”",
    "}",
)


def prose(chance: random.Random, words: int) -> str:
    return " ".join(chance.choice(WORDS) for _ in range(words))


def code(chance: random.Random, lines: int) -> str:
    """Lines as tools print them, with all that JSON has to escape."""
    return "\n".join(f"{number:6}\t{chance.choice(CODE)} {prose(chance, 4)}" for number in range(lines))


def record(kind: str, number: int, **fields: Any) -> dict[str, Any]:
    return {
        "parentUuid": f"{number - 1:036}", "isSidechain": False, "userType": "external", "cwd": "/work/shop",
        "sessionId": "5e55", "version": "2.1.7", "gitBranch": "main", "type": kind, **fields, "uuid": f"{number:036}",
        "timestamp": "2026-03-01T09:00:00.000Z",
    }  # fmt: skip


def reply(number: int, block: dict[str, Any]) -> dict[str, Any]:
    message = {"model": "m", "id": f"msg_{number}", "type": "message", "role": "assistant", "content": [block]}
    return record("assistant", number, message=message)


def session(size: int, chance: random.Random) -> Iterator[bytes]:
    """Yield the lines of a session of about `size` bytes: one prompt to some twenty-five records."""
    written = number = 0
    while written < size:
        records = [record("user", number, message={"role": "user", "content": prose(chance, 40)})]
        for step in range(number, number + 8):
            given = {"file_path": f"/work/shop/src/f{step}.ts", "old_string": code(chance, 6), "new_string": "x"}
            output = code(chance, 160)
            content = [{"tool_use_id": f"t{step}", "type": "tool_result", "content": output}]
            records += [
                reply(step, {"type": "thinking", "thinking": prose(chance, 60), "signature": "c2ln" * 300}),
                reply(step, {"type": "tool_use", "id": f"t{step}", "name": "Edit", "input": given}),
                record("progress", step, data={"type": "bash_progress", "output": code(chance, 40)}),
                record("user", step, message={"role": "user", "content": content}, toolUseResult={"stdout": output}),
            ]
        records.append(reply(number, {"type": "text", "text": prose(chance, 120)}))
        for each in records:
            line = json.dumps(each, separators=(",", ":")).encode() + b"\n"
            written += len(line)
            yield line
        number += 8


def best(work: Callable[[], object], *, rounds: int = 5) -> float:
    """Seconds of work of the fastest round; what else the machine does is not counted."""
    seconds = []
    for _ in range(rounds):
        started = time.process_time()
        work()
        seconds.append(time.process_time() - started)
    return min(seconds)


def plain_pass(files: list[Path]) -> None:
    for path in files:
        with path.open("rb") as lines:
            for line in lines:
                json.loads(line)


def typed_turns(files: list[Path]) -> list[Transcript]:
    return [detect(source).read(source) for source in map(Source.at, files)]


def throughput(files: list[Path]) -> None:
    size = sum(path.stat().st_size for path in files) / 1e6
    plain = best(lambda: plain_pass(files))
    typed = best(lambda: typed_turns(files))
    shown = best(lambda: [read_typed(path) for path in files])
    sealed = best(lambda: [read_transcript(path) for path in files])
    turns = [turn for transcript in typed_turns(files) for turn in transcript.turns]
    kept = sum(len(turn.typed) + len(turn.text) for turn in turns) / 1e3
    say(f"{len(files)} files, {size:.1f} MB, {len(turns)} turns, {kept:.0f} kB of text kept")
    say(f"  json.loads, line by line       {plain:7.3f} s  {size / plain:6.0f} MB/s")
    say(f"  typed turns                    {typed:7.3f} s  {size / typed:6.0f} MB/s  {plain / typed:5.2f} ×")
    say(f"  … redacted and marked          {shown:7.3f} s  {size / shown:6.0f} MB/s  {plain / shown:5.2f} ×")
    say(f"  … and the assistant's turns   {sealed:7.3f} s  {size / sealed:6.0f} MB/s  {plain / sealed:5.2f} ×")


def no_news(folder: Path, count: int) -> None:
    """Compare a search over known transcripts with a stat of each."""
    root, home = folder / "work", folder / "home"
    slug = re.sub(r"[^A-Za-z0-9]", "-", str(root))
    paths = []
    for number in range(count):
        path = home / ".claude/projects" / f"{slug}-{number // 100}" / f"{number}.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(record("user", number, message={"role": "user", "content": "hi"}, cwd=str(root))))
        paths.append(str(path))
    connection = open_database(folder / "state.db", MIGRATIONS)
    progress = Progress(connection)

    def search() -> int:
        memory = Progress(connection)
        found = find_transcripts(root, home=home, environ={}, platform="linux", memory=memory)
        return len(memory.changed(found.transcripts))

    first = find_transcripts(root, home=home, environ={}, platform="linux", memory=progress).transcripts
    connection.execute("BEGIN")
    for one in first:
        progress.mark(one, Transcript(session_id=one.path.name, format=one.format, origin=""), now=0)
    connection.execute("COMMIT")
    stats = best(lambda: [os.stat(path) for path in paths])  # noqa: PTH116  (the cheapest there is)
    searched = best(search)
    say(f"{len(first)} known transcripts, {search()} changed")
    say(f"  os.stat of each                {stats:7.3f} s")
    say(f"  a search without news          {searched:7.3f} s  {searched / stats:5.2f} × a stat of each (limit 10)")
    connection.close()


def giant(folder: Path, gigabytes: float) -> None:
    """Read one huge session in a process of its own, and tell how much memory it took."""
    path = folder / "giant.jsonl"
    chunk = b"".join(session(20_000_000, random.Random(7)))
    with path.open("wb") as stream:
        for _ in range(int(gigabytes * 1e9 // len(chunk))):
            stream.write(chunk)
    process = os.fork()
    if not process:
        started = time.perf_counter()
        turns = len(read_transcript(path).turns)
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        seconds = time.perf_counter() - started
        say(f"one session of {path.stat().st_size / 1e9:.2f} GB, {turns} turns")
        say(f"  read in                        {seconds:7.3f} s, at most {peak:.0f} MB (limit 200)")
        sys.stdout.flush()
        os._exit(0)
    os.waitpid(process, 0)


def say(line: str) -> None:
    sys.stdout.write(line + "\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--size", type=float, default=40, help="MB of sessions to make")
    parser.add_argument("--giant", type=float, default=0, help="GB of one session to make; 0: none")
    parser.add_argument("--known", type=int, default=10_000, help="known transcripts to search")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        if given.giant:
            giant(folder, given.giant)
        if not given.files:
            for number in range(10):
                (folder / f"{number}.jsonl").write_bytes(
                    b"".join(session(int(given.size * 1e5), random.Random(number)))
                )
        throughput(given.files or sorted(folder.glob("?.jsonl")))
        no_news(folder, given.known)


if __name__ == "__main__":
    main()
