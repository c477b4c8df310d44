"""How fast transcripts are read, and in how little memory. Run by hand; prints ratios.

    python docs/measure/speed/reading.py [--size MB] [--giant GB] [--long-lines] [--pastes LINES] [FILE.jsonl …]

Without files it makes its own sessions: long tool results, thinking, progress, few words of a person, as real ones
have. `json.loads` of every line, over the same bytes in the same run, is the measure.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import random
import resource
import subprocess
import sys
import tempfile
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from sessions import PASTES, record, session, with_paste

from memsuggest.judging.offline import offline
from memsuggest.transcripts.pastes.typed_or_pasted import whose_words
from memsuggest.transcripts.reading import detect, read_transcript, read_typed
from memsuggest.transcripts.storage.source import Source

if TYPE_CHECKING:
    from collections.abc import Callable

    from memsuggest.core.model import Transcript


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
                with contextlib.suppress(ValueError):  # what is no JSON costs a reader time, too
                    json.loads(line)


def typed_turns(files: list[Path]) -> list[Transcript]:
    return [detect(source).read(source) for source in map(Source.at, files)]


def throughput(files: list[Path]) -> None:
    """Print each file by itself, then all of them; the last figure of a line is the one that matters."""
    size = sum(path.stat().st_size for path in files) / 1e6
    plain = best(lambda: plain_pass(files))
    typed = best(lambda: typed_turns(files))
    shown = best(lambda: [read_typed(path) for path in files])
    sealed = best(lambda: [read_transcript(path) for path in files])
    if len(files) == 1:
        ratios = (
            f"typed {plain / typed:5.2f} ×  redacted and marked {plain / shown:5.2f} ×  whole {plain / sealed:5.2f} ×"
        )
        say(f"{files[0].name[:40]:40} {size:6.1f} MB  json.loads {plain:6.3f} s  {ratios}")
        return
    for path in files:
        throughput([path])
    turns = [turn for transcript in typed_turns(files) for turn in transcript.turns]
    kept = sum(len(turn.typed) + len(turn.text) for turn in turns) / 1e3
    say(f"{len(files)} files, {size:.1f} MB, {len(turns)} turns, {kept:.0f} kB of text kept")
    say(f"  json.loads, line by line       {plain:7.3f} s  {size / plain:6.0f} MB/s")
    say(f"  typed turns                    {typed:7.3f} s  {size / typed:6.0f} MB/s  {plain / typed:5.2f} ×")
    say(f"  … redacted and marked          {shown:7.3f} s  {size / shown:6.0f} MB/s  {plain / shown:5.2f} ×")
    say(f"  … and the assistant's turns   {sealed:7.3f} s  {size / sealed:6.0f} MB/s  {plain / sealed:5.2f} ×")


def pastes(folder: Path, lines: int) -> None:
    """Print how long a message with a paste takes, for each kind of paste: all of it, redacted and marked."""
    for kind in PASTES:
        path = folder / f"{kind}.jsonl"
        text = with_paste(kind, lines, random.Random(lines))
        path.write_text(json.dumps(record("user", 1, message={"role": "user", "content": text})) + "\n")
        seconds = best(partial(read_transcript, path))
        marked = best(partial(whose_words, text))
        say(f"{kind:6} {lines:5} lines  {seconds * 1e3:7.2f} ms  of it marked {marked * 1e6 / lines:6.1f} µs a line")


def giant(folder: Path, gigabytes: float) -> None:
    """Read one huge session in a process of its own, and tell how much memory it took; no two records share an id."""
    path = folder / "giant.jsonl"
    chunk = b"".join(session(20_000_000, random.Random(7)))
    with path.open("wb") as stream:
        for number in range(int(gigabytes * 1e9 // len(chunk))):
            stream.write(chunk.replace(b"0" * 20, f"{number:020}".encode()))
    in_process_of_its_own(path, "one session", limit=200)


def long_lines(folder: Path, megabytes: int = 100) -> None:
    """Read sessions with a line of a hundred megabytes: of a tool, with a picture, with a text that was pasted."""
    log = "1 of the tests failed\n" * (megabytes * 1_000_000 // 22)
    typed = {"type": "text", "text": "use tabs"}
    picture = {"type": "image", "source": {"type": "base64", "data": "c2ln" * (megabytes * 250_000)}}
    contents = {
        "a tool's output": [{"tool_use_id": "t", "type": "tool_result", "content": log}],
        "a picture": [typed, picture],
        "a pasted log": [typed, {"type": "text", "text": log}],
    }
    for name, content in contents.items():
        path = folder / "long.jsonl"
        records = [
            record("user", 1, message={"role": "user", "content": [typed]}),
            record("user", 2, message={"role": "user", "content": content}),
            record("user", 3, message={"role": "user", "content": [typed]}),
        ]
        path.write_text("".join(json.dumps(each, separators=(",", ":")) + "\n" for each in records))
        in_process_of_its_own(path, f"a line with {name}", limit=300)


def in_process_of_its_own(path: Path, name: str, *, limit: int) -> None:
    """Read and weigh a session elsewhere, so that only this counts; a fresh interpreter has no memory to give back."""
    command = [sys.executable, __file__, "--memory", str(path), name, str(limit)]
    sys.stdout.flush()
    subprocess.run(command, check=True)


def peak_memory() -> float:
    """The most memory that this process ever had, in MB; without its parent's, which `getrusage` may count."""
    status = Path("/proc/self/status")
    if status.exists():
        return int(status.read_text().partition("VmHWM:")[2].split()[0]) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1024 if sys.platform == "linux" else 1024 * 1024)


def memory(path: Path, name: str, limit: str) -> None:
    """Read a session, find what is worth remembering in it, and tell how much memory that took."""
    before = peak_memory()
    started = time.perf_counter()
    transcript = read_transcript(path)
    seconds = time.perf_counter() - started
    found = offline.extract(transcript).candidates
    peak = peak_memory()
    typed = sum(bool(turn.typed) for turn in transcript.turns)
    say(f"{name}, {path.stat().st_size / 1e6:.0f} MB: {typed} prompts, {len(found)} candidates")
    say(f"  read in {seconds:.2f} s, at most {peak:.0f} MB, {before:.0f} of them before (limit {limit})")
    for skip in transcript.skipped:
        say(f"  {skip.why}")


def say(line: str) -> None:
    sys.stdout.write(line + "\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--size", type=float, default=40, help="MB of sessions to make")
    parser.add_argument("--giant", type=float, default=0, help="GB of one session to make; 0: none")
    parser.add_argument("--long-lines", action="store_true", help="read lines of 100 MB")
    parser.add_argument("--pastes", type=int, default=0, help="read messages with pastes of so many lines")
    parser.add_argument("--memory", nargs=3, metavar=("FILE", "NAME", "LIMIT"), help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.memory:
        path, name, limit = given.memory
        memory(Path(path), name, limit)
        return
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        if given.giant:
            giant(folder, given.giant)
        if given.long_lines:
            long_lines(folder)
        if given.pastes:
            pastes(folder, given.pastes)
            return
        if not given.files:
            for number in range(10):
                (folder / f"{number}.jsonl").write_bytes(
                    b"".join(session(int(given.size * 1e5), random.Random(number)))
                )
        throughput(given.files or sorted(folder.glob("?.jsonl")))


if __name__ == "__main__":
    main()
