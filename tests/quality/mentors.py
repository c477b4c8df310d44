"""Print how well talks between a mentor and a mentee are remembered over many sessions; run by hand.

`python tests/quality/mentors.py [dev|blind_a1|FILE.txt …] [misses] [stale] [false] [cli]`. Every pair has a repo; its
sessions are reconciled in order, as the person would, and then the stores are read. What counts:

- recall: of the instructions given, those that a fact holds, with the words that matter in it
- updates: of the things that were said anew, those of which the latest value is active and no older one is
- small talk: of the sessions, those from which something was stored that is no instruction

In `mentors/*.txt`, `{thing=word: …}` marks an instruction: what it is about, and a word that its fact must have; `-` is
an instruction that takes back. Everything else is talk. The `blind_*` sets were written by people who knew nothing of
the rules here, each measured before it was read: A and C as people talk, B as hardly anybody does.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parent / "mentors"
MARK = re.compile(r"\{([\w-]+)=([^:{}\n]+): ([^{}]*)\}")
SPEAKER = re.compile(r"^(Mentor|Mentee):", re.MULTILINE)
"""A speaker who is named by their part only."""
SAME = 0.4
"""The share of the shorter text that a quote and an instruction have in common."""


@dataclass(frozen=True)
class Instruction:
    """Something that the mentor asked for."""

    thing: str
    word: str
    text: str
    session: int

    @property
    def takes_back(self) -> bool:
        return self.word == "-"


@dataclass(frozen=True)
class Pair:
    """Two people and their talks."""

    name: str
    mentor: str
    sessions: tuple[str, ...]
    instructions: tuple[Instruction, ...]


@dataclass
class Score:
    """Figures, and what to look at."""

    found: int = 0
    given: int = 0
    right: int = 0
    changed: int = 0
    talked: int = 0
    sessions: int = 0
    facts: int = 0
    talk_facts: int = 0
    notes: list[tuple[str, str]] = field(default_factory=list)

    def add(self, other: Score) -> None:
        """Add another one's figures."""
        for name in ("found", "given", "right", "changed", "talked", "sessions", "facts", "talk_facts"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.notes += other.notes

    def __str__(self) -> str:
        return (
            f"instructions {self.found}/{self.given} {self.found / max(1, self.given):.1%}   "
            f"updates {self.right}/{self.changed} {self.right / max(1, self.changed):.1%}   "
            f"small talk in {self.talked}/{self.sessions} sessions {self.talked / max(1, self.sessions):.1%} "
            f"({self.talk_facts} of {self.facts} facts)"
        )


def pairs(name: str) -> list[Pair]:
    """Read the pairs of a set, or of any file."""
    _, *parts = ("\n" + _path_of(name).read_text(encoding="utf-8")).split("\n== ")
    return [pair_of(part) for part in parts]


def _path_of(name: str) -> Path:
    return Path(name) if name.endswith(".txt") else FOLDER / f"{name}.txt"


def pair_of(text: str) -> Pair:
    """Read one pair."""
    head, *sessions = text.split("\n-- session\n")
    name, mentor, mentee = (part.strip() for part in head.split("|"))
    given = [
        Instruction(thing=found[1], word=found[2], text=found[3], session=number)
        for number, session in enumerate(sessions)
        for found in MARK.finditer(session)
    ]
    texts = [MARK.sub(lambda found: found[3], session).strip() + "\n" for session in sessions]
    names = {"Mentor": mentor, "Mentee": mentee}
    plain = tuple(SPEAKER.sub(lambda found: f"{names[found[1]]}:", text) for text in texts)
    return Pair(name=name, mentor=mentor, sessions=plain, instructions=tuple(given))


def stored(pair: Pair, *, by_cli: bool) -> list[dict[str, Any]]:
    """Reconcile all sessions of a pair in a repo of its own, and return its facts."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        repo = place / "repo"
        repo.mkdir()
        subprocess.run(["git", "init", "-q", str(repo)], check=True)
        environ = {"HOME": folder, "PATH": os.environ["PATH"], "PYTHONPATH": os.environ.get("PYTHONPATH", "")}
        for number, session in enumerate(pair.sessions, start=1):
            path = place / f"session_{number}.txt"
            path.write_text(session, encoding="utf-8")
            words = ["reconcile", str(path), "--person", pair.mentor, "--repo", str(repo), "--format", "json"]
            command(words, environ, by_cli=by_cli)
        found = command(["facts", "list", "--all", "--repo", str(repo), "--format", "json"], environ, by_cli=by_cli)
        facts: list[dict[str, Any]] = json.loads(found)["facts"]
        return facts


def command(words: list[str], environ: dict[str, str], *, by_cli: bool) -> str:
    """Run a command of ours, in this process unless told otherwise."""
    if by_cli:
        done = subprocess.run(
            [sys.executable, "-m", "memsuggest", *words], env=environ, capture_output=True, text=True, check=True
        )
        return done.stdout
    from typer.testing import CliRunner

    from memsuggest.cli.app import build_app

    result = CliRunner().invoke(build_app(words), words, env=environ)
    if result.exit_code:
        raise AssertionError(f"{words}: {result.output}") from result.exception
    return result.stdout


def score(pair: Pair, facts: list[dict[str, Any]]) -> Score:
    """Compare what was stored with what was said."""
    figures = Score(sessions=len(pair.sessions), facts=len(facts))
    of_fact = [set(_instructions_of(fact, pair)) for fact in facts]
    for given in pair.instructions:
        if not given.takes_back:
            figures.given += 1
            is_found = any(
                given in told and given.word.lower() in fact["content"].lower()
                for fact, told in zip(facts, of_fact, strict=True)
            )
            figures.found += is_found
            if not is_found:
                figures.notes.append(("misses", f"{pair.name}.{given.session + 1} {given.thing}: {given.text}"))
    for thing in dict.fromkeys(given.thing for given in pair.instructions):
        said = [given for given in pair.instructions if given.thing == thing]
        if len({given.word for given in said}) > 1:
            figures.changed += 1
            why = _why_stale(said, facts, of_fact)
            figures.right += not why
            if why:
                figures.notes.append(("stale", f"{pair.name} {thing} {[given.word for given in said]}: {why}"))
    talk = [(fact, _session_of(fact, pair)) for fact, told in zip(facts, of_fact, strict=True) if not told]
    figures.talked, figures.talk_facts = len({session for _, session in talk}), len(talk)
    figures.notes += [("false", f"{pair.name}.{session + 1}: {fact['content']}") for fact, session in talk]
    return figures


def _why_stale(said: list[Instruction], facts: list[dict[str, Any]], of_fact: list[set[Instruction]]) -> str:
    latest = said[-1]
    old = {given.word.lower() for given in said} - {latest.word.lower()}
    is_there = latest.takes_back
    for fact, told in zip(facts, of_fact, strict=True):
        words = fact["content"].lower()
        if fact["status"] != "active":
            continue
        if not latest.takes_back and latest in told and latest.word.lower() in words:
            is_there = True
        elif told & set(said[:-1]) and latest not in told and any(word in words for word in old - {"-"}):
            return f"still active: {fact['content']}"
    return "" if is_there else "the latest is not active"


def _instructions_of(fact: dict[str, Any], pair: Pair) -> Iterator[Instruction]:
    """Yield the instructions from which a fact was made: such as share a good part with one of its quotes."""
    for citation in fact["citations"]:
        for number, start, end in _places(citation["quote"], pair):
            for given in pair.instructions:
                where, first, last = next(_places(given.text, pair, session=given.session))
                shared = min(end, last) - max(start, first)
                if where == number and shared >= SAME * min(end - start, last - first):
                    yield given


def _places(quote: str, pair: Pair, session: int | None = None) -> Iterator[tuple[int, int, int]]:
    """Yield where something was said: session, start, end."""
    words = " ".join(quote.split())
    for number, text in enumerate(pair.sessions):
        start = " ".join(text.split()).find(words)
        if start >= 0 and session in (None, number):
            yield number, start, start + len(words)


def _session_of(fact: dict[str, Any], pair: Pair) -> int:
    return next((number for number, _, _ in _places(fact["citations"][0]["quote"], pair)), -1)


def main() -> None:
    """Measure and print."""
    asked = sys.argv[1:]
    total = Score()
    for pair in [pair for name in asked if _path_of(name).exists() for pair in pairs(name)]:
        total.add(score(pair, stored(pair, by_cli="cli" in asked)))
    print(total)
    for kind in ("misses", "stale", "false"):
        for note in [text for name, text in total.notes if name == kind and kind in asked]:
            print(f"{kind}: {note}")


if __name__ == "__main__":
    main()
