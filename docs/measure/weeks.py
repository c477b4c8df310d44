"""A developer's three weeks, asked in other words: what recall shows by hand and beside a prompt.

Run: `python docs/measure/weeks.py [a b c] [-v]`. `weeks/` holds three invented sets in English and German, each of
four projects: `chats.txt`, `questions.tsv` (project, question, what an answer has), `unrelated.txt` (prompts that get
nothing). A fresh reader wrote `a`; `c` was asked last. Printed is how many of the questions have their answer in what
is shown by hand, first, and beside a prompt; which get only something else there; how many unrelated prompts and
questions about other sets' projects get anything; and how many right answers, and others, are called weak.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from locomo import Session, lay_out

from memsuggest.core.context import Context, open_context
from memsuggest.core.workspace import Machine
from memsuggest.memory.archive import archive_finished
from memsuggest.memory.lookup import Wanted, look_up
from memsuggest.transcripts.find_transcripts import find

if TYPE_CHECKING:
    from memsuggest.memory.context_block import Hit

SETS = Path(__file__).with_name("weeks")
NOW = round(datetime(2026, 11, 27, 12, tzinfo=UTC).timestamp() * 1000)


def sessions_of(name: str) -> dict[str, list[Session]]:
    """The chats of a set by project."""
    found: dict[str, list[Session]] = {}
    text = (SETS / name / "chats.txt").read_text(encoding="utf-8")
    for number, chat in enumerate(re.split(r"^=== @/", text, flags=re.MULTILINE)[1:], 1):
        head, _, body = chat.partition("\n")
        project, at, _ = (part.strip() for part in head.split("|"))
        turns = [(turn[0], turn[3:].strip()) for turn in re.split(r"^(?=[UA]: )", body, flags=re.MULTILINE) if turn]
        found.setdefault(project, []).append(Session(number, datetime.fromisoformat(f"{at}+00:00"), turns))
    return found


def learned(name: str, place: Path) -> dict[str, Context]:
    """The projects of a set, with their chats archived."""
    home = place / "home"
    machine = Machine(
        environ={"HOME": str(home), "PATH": "/usr/bin:/bin", "MEMSUGGEST_SINCE": "all"},
        platform=sys.platform,
        now=lambda: NOW,
    )
    contexts = {}
    for project, sessions in sessions_of(name).items():
        repo = place / project
        subprocess.run(["git", "init", "-q", str(repo)], check=True)
        lay_out(sessions, home, repo)
        context = contexts[project] = open_context(start=repo, given=True, machine=machine, flags={})
        archive_finished(context, find(context, ()).transcripts, at_once=None)
    return contexts


def questions_of(name: str) -> list[tuple[str, str, re.Pattern[str]]]:
    """The questions of a set: project, words, and what an answer has."""
    rows = (row.split("\t") for row in (SETS / name / "questions.tsv").read_text(encoding="utf-8").splitlines())
    return [(project, words, re.compile(answer)) for project, words, answer in rows]


def asked(context: Context, words: str, via: str) -> tuple[Hit, ...]:
    """What is found by hand, or given beside a prompt."""
    wanted = Wanted(via=via, budget=2_000 if via == "hook" else 12_000)
    return look_up(context.profile.entries.connection, words, wanted, project=context.place.key, now=NOW)


def main() -> None:
    """Print the figures of each set."""
    names = [name for name in sys.argv[1:] if not name.startswith("-")] or ["a", "b", "c"]
    for name in names:
        with tempfile.TemporaryDirectory() as place:
            measure(name, learned(name, Path(place)))


def measure(name: str, contexts: dict[str, Context]) -> None:
    """Print the figures of one set."""
    hand = first = right = other = 0
    weak = {True: [0, 0], False: [0, 0]}
    for project, words, answer in questions_of(name):
        found = {via: asked(contexts[project], words, via) for via in ("command", "hook")}
        has = {
            via: [answer.search(f"{hit.replaced_by} {' '.join(hit.content.split())}") is not None for hit in hits]
            for via, hits in found.items()
        }
        hand += any(has["command"])
        first += has["command"][:1] == [True]
        right += any(has["hook"])
        other += bool(found["hook"]) and not any(has["hook"])
        for hit, is_right in zip(found["command"], has["command"], strict=True):
            weak[is_right][0] += hit.is_weak
            weak[is_right][1] += 1
        if "-v" in sys.argv:
            print(f"{has['command']} {has['hook']} [{project}] {words}")
    projects = list(contexts.values())
    unrelated = (SETS / name / "unrelated.txt").read_text(encoding="utf-8").splitlines()
    elsewhere = [words for of in "abc" if of != name for _, words, _ in questions_of(of)]
    given = {
        called: sum(bool(asked(projects[at % len(projects)], words, "hook")) for at, words in enumerate(prompts))
        for called, prompts in (("unrelated", unrelated), ("of other projects", elsewhere))
    }
    print(
        f"{name}: by hand {hand} of 25, first {first}; beside a prompt {right}, only others {other};"
        f" {given['unrelated']} of {len(unrelated)} unrelated, {given['of other projects']} of {len(elsewhere)} of"
        f" other projects; weak {weak[True][0]} of {weak[True][1]} right, {weak[False][0]} of {weak[False][1]} others"
    )


if __name__ == "__main__":
    main()
