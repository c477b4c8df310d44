"""A repo after a year of work, put straight into the stores: 2,000 chats, 300 customization files, what came of them.

No transcript is written or read; what `held`, `coverage` and `report` know of chats are their notes.
"""

from __future__ import annotations

import os
import random
import subprocess
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from memsuggest.core.context import Context, open_context
from memsuggest.core.model import (
    Citation,
    Decision,
    Edit,
    Kind,
    MemoryFact,
    MemorySuggestion,
    Scope,
    SuggestionStatus,
    TargetType,
    fact_id,
)
from memsuggest.core.workspace import Machine
from memsuggest.facts.stores import share_facts, store_decisions
from memsuggest.files import digest_of
from memsuggest.files.journal import About
from memsuggest.held.chat_note import ChatNote, NotedSentence, words_in
from memsuggest.held.note_store import note_store
from memsuggest.judging.asking.prices import Usage
from memsuggest.judging.asking.question import Purpose
from memsuggest.judging.model_access import open_ledger
from memsuggest.suggestions.pending_suggestions import save_pending
from memsuggest.transcripts.discovery import FoundTranscript

AREAS = (
    "billing", "catalog", "checkout", "customers", "delivery", "exports", "forecast", "gateway", "identity", "invoices",
    "jobs", "ledger", "mailer", "media", "orders", "payments", "pricing", "reports", "search", "shipping", "stock",
    "tariffs", "vouchers", "warehouse", "webhooks",
)  # fmt: skip
THINGS = (
    "prices", "dates", "retries", "timeouts", "queries", "fixtures", "errors", "logs", "feature flags", "migrations",
    "currency codes", "pagination", "translations", "caches", "webhook signatures", "background tasks",
)  # fmt: skip
WAYS = (
    "Keep {thing} of {area} in one module",
    "Never hard-code {thing} in {area}",
    "Test {thing} of {area} against a real database",
    "Write {thing} of {area} as integers, never as floats",
    "Document {thing} of {area} beside the code",
    "Validate {thing} of {area} at the border",
    "Name {thing} of {area} as the finance team does",
    "Ask before {thing} of {area} are changed",
)
ASSISTANTS = (
    ("claude-code", "Claude Code"),
    ("copilot-cli", "Copilot CLI"),
    ("codex", "Codex"),
    ("vscode-chat", "VS Code"),
)
DAY = 86_400_000


@dataclass(frozen=True, kw_only=True)
class Year:
    """How much happened."""

    chats: int = 2_000
    files: int = 300
    facts: int = 400
    seed: int = 7


@dataclass(frozen=True, kw_only=True)
class Written:
    """A rule of a file."""

    area: str
    text: str
    uri: str
    since: int
    fails: float
    """In which share of the chats it is said again."""


def lay_out_year(folder: Path, year: Year, *, now: datetime | None = None) -> Path:
    """Make the repo, and a home with the stores of its person; return the repo."""
    chance, end = random.Random(year.seed), now or datetime.now(UTC)
    repo, home = folder / "shop", folder / "home"
    home.mkdir(parents=True)
    subprocess.run(["git", "init", "-q", "-b", "main", str(repo)], check=True)
    rules = _write_files(repo, year, chance, end)
    context = open_context(start=repo, given=True, machine=machine_of(home, end), flags={})
    with context.exclusive():
        said = _note_chats(context, rules, year, chance, end)
        _learn(context, rules, said, year, chance)
    context.close()
    return repo


def machine_of(home: Path, now: datetime) -> Machine:
    """What a run is told that lives in this home."""
    places = {"DATA": ".local/share", "STATE": ".local/state", "CONFIG": ".config", "CACHE": ".cache"}
    environ = {f"MEMSUGGEST_{name}_DIR": str(home / place / "memsuggest") for name, place in places.items()}
    environ |= {"HOME": str(home), "PATH": os.environ["PATH"]}
    return Machine(environ=environ, platform="linux", now=lambda: _ms(now))


def _ms(at: datetime) -> int:
    return round(at.timestamp() * 1000)


def _write_files(repo: Path, year: Year, chance: random.Random, end: datetime) -> list[Written]:
    """Write the customization files, half of them a while ago, half lately."""
    rules: list[Written] = []
    for number in range(year.files):
        area = AREAS[number % len(AREAS)]
        since = end - timedelta(days=chance.randint(30, 300))
        texts = [chance.choice(WAYS).format(thing=thing, area=area) + "." for thing in chance.sample(THINGS, 8)]
        uri, head = _place(number, area)
        (repo / uri).parent.mkdir(parents=True, exist_ok=True)
        (repo / uri).write_text(head + "".join(f"- {text}\n" for text in texts), encoding="utf-8")
        _commit(repo, uri, since)
        fails = chance.choice((0.0, 0.0, 0.0, 0.0, 0.02, 0.4))
        rules += [Written(area=area, text=text, uri=uri, since=_ms(since), fails=fails) for text in texts]
    (repo / "CLAUDE.md").write_text("@AGENTS.md\n", encoding="utf-8")
    _commit(repo, "CLAUDE.md", end - timedelta(days=300))
    return rules


def _place(number: int, area: str) -> tuple[str, str]:
    if number == 0:
        return "AGENTS.md", "# Shop\n\n"
    if number % 10 == 1:
        return f".claude/rules/{area}-{number}.md", f"---\npaths: src/{area}/**\n---\n# {area.title()}\n\n"
    if number % 10 == 2:
        return f".github/skills/{area}-{number}/SKILL.md", f"---\nname: {area}-{number}\ndescription: {area}\n---\n\n"
    if number % 10 == 3:
        return f"src/{area}/part{number}/AGENTS.md", f"# {area.title()}\n\n"
    head = f"---\napplyTo: 'src/{area}/**'\n---\n# {area.title()}\n\n"
    return f".github/instructions/{area}-{number}.instructions.md", head


def _commit(repo: Path, uri: str, at: datetime) -> None:
    moment = f"{at:%Y-%m-%dT%H:%M:%S}+00:00"
    environ = {**os.environ, "GIT_AUTHOR_DATE": moment, "GIT_COMMITTER_DATE": moment}
    for words in (("add", "-A"), ("commit", "-q", "-m", f"Change {uri}")):
        subprocess.run(["git", "-C", str(repo), *words], check=True, env=environ)


def _note_chats(
    context: Context, rules: list[Written], year: Year, chance: random.Random, end: datetime
) -> dict[str, list[Citation]]:
    """Note the chats, a few of them with corrections; return these by rule."""
    by_area: dict[str, list[Written]] = {}
    for rule in rules:
        by_area.setdefault(rule.area, []).append(rule)
    store, said = note_store(context), dict[str, list[Citation]]()
    for number in range(year.chats):
        begun = _ms(end) - round((year.chats - number) / year.chats * 365 * DAY)
        area = chance.choice(AREAS)
        format, assistant = chance.choice(ASSISTANTS)
        session = f"{number:08x}-aaaa-4bbb-8ccc-{year.seed:012x}"
        sentences = []
        for rule in chance.sample(by_area.get(area, rules), 2):
            share = 0.5 if begun < rule.since else rule.fails
            if chance.random() < share:
                at = datetime.fromtimestamp((begun + 600_000) / 1000, UTC)
                quote = f"No: {rule.text[0].lower()}{rule.text[1:]}"
                sentences.append(NotedSentence(turn=3, quote=quote, rule=rule.text, at=_ms(at), is_correction=True))
                cited = Citation(session_id=session, turn=3, quote=quote, at=at, format=format)
                said.setdefault(rule.text, []).append(cited)
        task = f"Change {' and '.join(chance.sample(THINGS, 2))} of {area}"
        touched = frozenset(f"src/{area}/{chance.choice('abcdef')}.py" for _ in range(3))
        place = f"{context.folders.home}/.claude/projects/shop/{session}.jsonl"
        note = ChatNote(
            place=place,
            session_id=session,
            format=format,
            assistant=assistant,
            begun=begun,
            touched=touched,
            exchanges={
                1: frozenset(words_in(f"{task} {' '.join(touched)}")),
                3: frozenset(words_in(" ".join(sentence.quote for sentence in sentences))),
            },
            said=tuple(sentences),
        )
        found = FoundTranscript(place=place, format=format, size=1, mtime_ns=begun * 1_000_000, inode=number)
        store.keep(found, note, is_whole=True)
    return said


def _learn(
    context: Context, rules: list[Written], said: dict[str, list[Citation]], year: Year, chance: random.Random
) -> None:
    """Make facts of what was said, apply some of them, and let others wait."""
    by_text = {rule.text: rule for rule in rules}
    facts = [_fact(text, citations) for text, citations in said.items()][: year.facts]
    facts += [_fact(f"Cite the ticket of {area} in commits.", _thrice(area, context)) for area in AREAS[:12]]
    context.profile.add(facts)
    waiting, decided = [], []
    for fact in facts:
        rule = by_text.get(fact.content)
        if rule and chance.random() < 0.5:
            decided.append(Decision(fact_id=fact.id, target=rule.uri, status=SuggestionStatus.APPLIED))
        elif not rule or chance.random() < 0.1:
            waiting.append(_suggestion(fact))
    share_facts(context)
    store_decisions(context, decided)
    save_pending(context.state, context.place.worktree_key, waiting)
    for fact in facts[:40]:
        decision = Decision(fact_id=fact.id, target="docs/notes.md", status=SuggestionStatus.DISMISSED)
        about = [About(id=fact.id, content=fact.content)]
        at = fact.timestamp + DAY
        number = context.journal.begin([], now=at, decisions=[decision], verb="dismissed", about=about)
        context.journal.finish(number)
    _ask_models(context)


def _thrice(area: str, context: Context) -> list[Citation]:
    """What was said in several chats, and stands in no file."""
    days = (20, 45, 90, 160)[: 2 + len(area) % 3]
    return [
        Citation(
            session_id=f"{area}-{days_ago}",
            turn=2,
            quote=f"Please cite the ticket of {area} in every commit",
            at=datetime.fromtimestamp((context.now() - days_ago * DAY) / 1000, UTC),
            format="claude-code",
        )
        for days_ago in reversed(days)
    ]


def _fact(text: str, citations: list[Citation], scope: Scope = Scope.WORKSPACE) -> MemoryFact:
    first = citations[0].at
    return MemoryFact(
        id=fact_id(scope, text),
        content=text,
        kind=Kind.CONVENTION,
        scope=scope,
        confidence=0.8,
        citations=tuple(citations),
        timestamp=_ms(first) if first else 0,
    )


def _suggestion(fact: MemoryFact) -> MemorySuggestion:
    before, line = "# Shop\n", f"- {fact.content}\n"
    return MemorySuggestion(
        id=fact.id,
        fact=fact,
        target_type=TargetType.INSTRUCTIONS,
        target_uri="AGENTS.md",
        suggested_merge_content=line,
        base_digest=digest_of(before),
        edit=Edit(path="AGENTS.md", before=before, after=before + line),
    )


def _ask_models(context: Context) -> None:
    """Leave some rows in the ledger of what models cost."""
    from contextlib import ExitStack

    with ExitStack() as opened:
        ledger = open_ledger(context, opened)
        for days_ago in range(0, 60, 3):
            _note_request(ledger, context.now() - days_ago * DAY)


def _note_request(ledger: Any, at: int) -> None:
    used = Usage(input=9_000, output=700)
    ledger.note(model="claude-haiku-5-5", purpose=Purpose.EXTRACTION, usage=used, guess=used, outcome="ok", now=at)
