"""How much of long conversations recall finds: LoCoMo's questions, beside plain rankers, in one run.

Run: `python docs/measure/locomo.py locomo10.json [FIRST…]`. The file is `data/locomo10.json` of `snap-
research/locomo`; nothing of it is kept here. Each conversation becomes a repository with its sessions as transcripts
of Claude Code, one speaker the person and the other the assistant, at their dates; they are learned by the product,
and every question with evidence is asked as by hand and as by the assistants' tool, a day after the last session.
Printed is the share of the evidence's sessions among the first five and first, of all questions, of those about a
time (`when`), and of those that name a date (`dated`). Ours was tuned on the conversations `DEV` alone.
"""

from __future__ import annotations

import json
import math
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

_ALL = 1_000_000
"""Characters: what is printed for a person is not cut."""
DEV = frozenset({0, 3, 5, 8})
_DATED = re.compile(
    r"\b(?:january|february|march|april|may|june|july|august|september|october|november|december|(?:19|20)\d\d"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)day|week|month|yesterday|ago)\b",
    re.IGNORECASE,
)


class Session(NamedTuple):
    """One session of a conversation."""

    number: int
    at: datetime
    turns: Sequence[tuple[str, str]]
    """Speaker and text."""


class Question(NamedTuple):
    """A question, and the numbers of the sessions that answer it."""

    text: str
    evidence: frozenset[int]
    about: str


def sessions_of(conversation: dict[str, Any]) -> list[Session]:
    """The sessions of a conversation, with what pictures show as the data describes it."""
    found = []
    for number in range(1, 100):
        if turns := conversation.get(f"session_{number}"):
            when = conversation[f"session_{number}_date_time"]
            at = datetime.strptime(f"{when} +0000", "%I:%M %p on %d %B, %Y %z")
            said = [(turn["speaker"], turn["text"]) for turn in turns]
            found.append(Session(number, at, said))
    return found


def questions_of(rows: Iterable[dict[str, Any]]) -> list[Question]:
    """The questions that have evidence; those without an answer are left out."""
    found = []
    for row in rows:
        named = frozenset(int(at) for text in row["evidence"] for at in re.findall(r"D(\d+)", text))
        if row["category"] != 5 and named:
            about = "dated" if _DATED.search(row["question"]) else "when" if row["category"] == 2 else ""
            found.append(Question(row["question"], named, about))
    return found


# The plain rankers.


def plain_words(text: str) -> list[str]:
    """The words of a text in lower case."""
    return re.findall(r"\w+", text.lower())


def bm25(documents: Sequence[Sequence[str]], query: Sequence[str]) -> list[float]:
    """Okapi BM25 of each document, with k 1.2 and b .75."""
    counts = [Counter(document) for document in documents]
    usual = sum(map(len, documents)) / len(documents)
    scores = [0.0] * len(documents)
    for word in set(query):
        having = sum(word in count for count in counts)
        rarity = math.log(1 + (len(documents) - having + 0.5) / (having + 0.5))
        for at, count in enumerate(counts):
            if n := count[word]:
                scores[at] += rarity * n * 2.2 / (n + 1.2 * (0.25 + 0.75 * len(documents[at]) / usual))
    return scores


def by_turns(sessions: Sequence[Session]) -> Callable[[str], list[int]]:
    """BM25 over turns; a session counts as its best one."""
    owners = [session.number for session in sessions for _ in session.turns]
    documents = [plain_words(text) for session in sessions for _, text in session.turns]
    return lambda question: best_of(owners, bm25(documents, plain_words(question)))


def by_sessions(sessions: Sequence[Session]) -> Callable[[str], list[int]]:
    """BM25 over whole sessions."""
    owners = [session.number for session in sessions]
    documents = [plain_words(" ".join(text for _, text in session.turns)) for session in sessions]
    return lambda question: best_of(owners, bm25(documents, plain_words(question)))


def by_porter(sessions: Sequence[Session]) -> Callable[[str], list[int]]:
    """SQLite's FTS5 with the porter stemmer over turns."""
    connection = sqlite3.connect(":memory:")
    connection.execute("CREATE VIRTUAL TABLE said USING fts5 (text, session UNINDEXED, tokenize = 'porter')")
    rows = [(text, session.number) for session in sessions for _, text in session.turns]
    connection.executemany("INSERT INTO said VALUES (?, ?)", rows)

    def ask(question: str) -> list[int]:
        words = " OR ".join(f'"{word}"' for word in dict.fromkeys(plain_words(question)))
        found = connection.execute("SELECT session FROM said WHERE said MATCH ? ORDER BY bm25(said)", (words,))
        return list(dict.fromkeys(session for (session,) in found))

    return ask


def best_of(owners: Sequence[int], scores: Sequence[float]) -> list[int]:
    """The owners of what scores, each once, best first."""
    best: dict[int, float] = {}
    for owner, score in zip(owners, scores, strict=True):
        best[owner] = max(best.get(owner, 0.0), score)
    return sorted((owner for owner, score in best.items() if score > 0), key=lambda owner: -best[owner])


# The product.


def lay_out(sessions: Sequence[Session], home: Path, repo: Path) -> None:
    """Write a conversation as transcripts; the first speaker of all is the person."""
    person = sessions[0].turns[0][0]
    folder = home / ".claude/projects" / re.sub(r"[^A-Za-z0-9]", "-", str(repo))
    folder.mkdir(parents=True)
    for session in sessions:
        name, lines, at, before = f"session-{session.number}", [], session.at, None
        for number, (speaker, text) in enumerate(session.turns):
            role = "user" if speaker == person else "assistant"
            content: object = text if role == "user" else [{"type": "text", "text": text}]
            own = f"{session.number:08}-0000-4000-8000-{number:012}"
            lines.append({
                "type": role, "uuid": own, "parentUuid": before, "sessionId": name, "cwd": str(repo),
                "gitBranch": "main", "version": "2.0.0", "timestamp": at.isoformat().replace("+00:00", "Z"),
                "message": {"role": role, "content": content},
            })  # fmt: skip
            before, at = own, at + timedelta(seconds=30)
        path = folder / f"{name}.jsonl"
        path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
        os.utime(path, (at.timestamp(),) * 2)


class Product:
    """Recall over one conversation."""

    def __init__(self, sessions: Sequence[Session], place: Path) -> None:
        from memsuggest.assistants.mcp_tools import ContextCalls
        from memsuggest.core.context import open_context
        from memsuggest.core.identity import session_hash
        from memsuggest.core.workspace import Machine
        from memsuggest.memory.archive import archive_finished
        from memsuggest.transcripts.find_transcripts import find

        repo, home = place / "repo", place / "home"
        repo.mkdir(parents=True)
        subprocess.run(["git", "init", "-q", str(repo)], check=True)
        lay_out(sessions, home, repo)
        environ = {"HOME": str(home), "PATH": os.environ["PATH"], "MEMSUGGEST_SINCE": "all"}
        asked = round((sessions[-1].at + timedelta(days=1)).timestamp() * 1000)
        machine = Machine(environ=environ, platform=sys.platform, now=lambda: asked)
        self._context = open_context(start=repo, given=True, machine=machine, flags={})
        begun = time.process_time()
        archive_finished(self._context, find(self._context, ()).transcripts, at_once=None)
        self.seconds = time.process_time() - begun
        self._numbers = {session_hash(f"session-{session.number}"): session.number for session in sessions}
        self._calls = ContextCalls(lambda: open_context(start=repo, given=True, machine=machine, flags={}))

    def by_hand(self, question: str) -> list[int]:
        """The sessions that `memsuggest recall` shows."""
        from memsuggest.memory.recall_entries import Wanted, recall

        hits = recall(self._context, question, Wanted(budget=_ALL)).hits
        return list(dict.fromkeys(self._numbers[hit.entry.session] for hit in hits if hit.entry.session))

    def by_tool(self, question: str) -> list[int]:
        """The sessions that the tool `memory_search` gives."""
        found = self._calls.call("memory_search", {"query": question}).data["entries"]
        return list(dict.fromkeys(self._numbers[one["session"]] for one in found if one["session"]))


def main() -> None:
    """Print the figures."""
    path, *chosen = sys.argv[1:]
    conversations = json.loads(Path(path).read_text(encoding="utf-8"))
    figures: dict[tuple[str, str], list[tuple[float, float]]] = defaultdict(list)
    empty: Counter[str] = Counter()
    for at, row in enumerate(conversations):
        if chosen and str(at) not in chosen:
            continue
        sessions, place = sessions_of(row["conversation"]), Path(tempfile.mkdtemp())
        product = Product(sessions, place)
        ways: dict[str, Callable[[str], list[int]]] = {
            "BM25 over turns": by_turns(sessions), "BM25 over sessions": by_sessions(sessions),
            "FTS5 porter": by_porter(sessions), "by hand": product.by_hand, "by tool": product.by_tool,
        }  # fmt: skip
        for question in questions_of(row["qa"]):
            for name, ask in ways.items():
                found = ask(question.text)
                empty[name] += not found
                share = [len(question.evidence & set(found[:n])) / len(question.evidence) for n in (5, 1)]
                part = "tuned on" if at in DEV else "held back"
                for group in ("all", part, *([question.about, f"{question.about}, {part}"] if question.about else [])):
                    figures[name, group].append((share[0], share[1]))
        print(f"conversation {at}: {len(sessions)} sessions learned in {product.seconds:.1f} s", file=sys.stderr)
        shutil.rmtree(place)
    for (name, group), values in sorted(figures.items(), key=lambda one: (one[0][1], one[0][0])):
        five, first = (sum(value[n] for value in values) / len(values) for n in (0, 1))
        print(f"{group:<20} {name:<20} {len(values):>5}  R@5 {five:.3f}  R@1 {first:.3f}")
    print("no answer:", dict(empty))


if __name__ == "__main__":
    main()
