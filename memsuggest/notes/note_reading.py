"""One note read: its text without secrets, its rules with what the person typed before, and what they are to memory."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from typing import Literal

from memsuggest.core.context import Context
from memsuggest.core.git import git_text
from memsuggest.core.identity import hash_of
from memsuggest.core.model import NOTED, QUOTE_LIMIT, Candidate, Citation, Kind, Scope, Trust
from memsuggest.core.redact import clean, redact
from memsuggest.judging.asking.json_object import ReplyPart, bare, read_as
from memsuggest.judging.asking.outcomes import failure
from memsuggest.judging.asking.prompts import load_prompt
from memsuggest.judging.asking.question import Purpose, Question
from memsuggest.judging.offline.findings import paths_in
from memsuggest.judging.safety import commands_a_machine
from memsuggest.judging.verdicts.verdict_wording import why_no_reading
from memsuggest.notes import rules_in_note as form
from memsuggest.notes.note import KnownNote, NoteRule, NoteText, Statement, Verdict
from memsuggest.notes.note_places import LARGEST, NotePlace, homes_of, shown
from memsuggest.notes.note_store import Row
from memsuggest.notes.typed_evidence import Sessions
from memsuggest.transcripts.discovery.surroundings import Surroundings, is_same_or_below
from memsuggest.transcripts.parsing.json_records import fields_of, instant
from memsuggest.transcripts.parsing.json_records import text_of as field_text

TOGETHER = 8  # notes of one question
LONGEST_NOTE = 6_000  # characters of a note that are shown
TOKENS_EACH = 250  # of the reply, for each note
TEAM = "team-rule"


class NotedRule(ReplyPart):
    """A rule of a note, as a model words it, and the note's words for it."""

    content: str
    quote: str


class NoteReading(ReplyPart):
    """A note, as a model reads it."""

    note: str
    holds: Literal["team-rule", "personal", "passing", "reference"]
    rules: list[NotedRule]


class Answer(ReplyPart):
    """The whole reply."""

    notes: list[NoteReading]


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedNote:
    """A note as a model is shown it: without secrets and hidden signs."""

    noted_by: str
    type: str
    title: str
    text: str
    typed: tuple[str, ...] = ()
    """What the person typed before it, where that was found."""

    def shown(self) -> dict[str, object]:
        """Return what a model is shown, but for the name."""
        text = self.text[:LONGEST_NOTE]
        found = {"noted_by": self.noted_by, "type": self.type, "title": self.title, "text": text, "typed": self.typed}
        return {key: value for key, value in found.items() if value}

    @property
    def name(self) -> str:
        """Its name in a question; with another text, or another prompt, it has another."""
        version = load_prompt("notes").version
        return f"N{hash_of('note', str(version), json.dumps(self.shown(), ensure_ascii=False))[:8]}"


def question_about(notes: Mapping[str, AskedNote], *, about: str) -> Question:
    """Ask which rules some notes hold, each under its name."""
    lines = ({"note": name, **note.shown()} for name, note in notes.items())
    return Question(
        purpose=Purpose.NOTES,
        prompt=load_prompt("notes"),
        about=about,
        data="\n".join(json.dumps(line, ensure_ascii=False, separators=(",", ":")) for line in lines),
        schema=bare(Answer.model_json_schema()),
        max_tokens=400 + TOKENS_EACH * len(notes),
    )


def read_answer(text: str, names: Collection[str]) -> dict[str, NoteReading]:
    """Return how an answer reads each note; raises ModelError for one of another shape, or to another question.

    A note that it leaves out holds nothing.
    """
    readings = read_as(Answer, text).notes
    found = {reading.note: reading for reading in reversed(readings) if reading.note in names}
    if readings and not found:
        raise failure("wrong-packet")
    return {name: found.get(name) or NoteReading(note=name, holds="passing", rules=[]) for name in names}


def rules_in(
    reading: NoteReading, text: str, *, is_users: bool = False, names: Collection[str] = ()
) -> tuple[tuple[NoteRule, ...], tuple[str, ...]]:
    """Return the rules of a note that code takes from a reading of it, and what was private in them."""
    found, private = dict[str, NoteRule](), list[str]()
    names = (*names, *form.people_in(text))
    for noted in reading.rules:
        rule, kinds, _ = taken(noted, text, holds=reading.holds, is_users=is_users, names=names)
        private += kinds
        if rule is not None:
            found.setdefault(rule.content.casefold(), rule)
    return tuple(found.values())[: form.MOST], tuple(dict.fromkeys(private))


def taken(
    noted: NotedRule, text: str, *, holds: str = TEAM, is_users: bool = False, names: Collection[str] = ()
) -> tuple[NoteRule | None, tuple[str, ...], str]:
    """Return the rule that code takes, what was private in it, and why it is none.

    In the model's words where they say what the note's own sentence says, else in that sentence itself.
    """
    quote = form.plain_text(noted.quote)
    if holds not in (TEAM, "personal"):
        return None, (), "the note describes a current state, not a lasting rule"
    if not form.is_sentence(quote) or quote not in form.plain_text(text):
        return None, (), "the quote is not in the note"
    content = redact(" ".join(noted.content.split())).text
    why = why_no_reading(content, quote, text)
    if why and len(quote) > form.LONGEST:
        return None, (), why
    start = next(filter(None, map(str.strip, noted.quote.splitlines())), "")
    line = text.count("\n", 0, max(0, text.find(start))) + 1
    rule, private = form.rule_of(Statement(text=quote if why else content, line=line), is_users=is_users, names=names)
    if rule is None:
        nothing = "nothing is left of the rule without its private or unsafe details"
        return None, private, ", ".join(private) or why or nothing
    if holds != TEAM and rule.scope is Scope.WORKSPACE:
        rule = replace(rule, scope=Scope.USER, why=form.PERSONAL)
    return rule, private, ""


def portions(notes: Sequence[AskedNote], *, most: int = TOGETHER * LONGEST_NOTE) -> list[dict[str, AskedNote]]:
    """Return notes by their names, as many together as are read with attention and have `most` characters.

    The same text is asked about once.
    """
    found: list[dict[str, AskedNote]] = []
    room = 0
    for name, note in {note.name: note for note in notes}.items():
        size = min(len(note.text), LONGEST_NOTE)
        if not found or len(found[-1]) == TOGETHER or size > room:
            found.append({})
            room = most
        found[-1][name] = note
        room -= size
    return found


SURE = 0.7  # how sure a rule is that an assistant noted: a model judged it before
ORDERS = "skipped; the note contains instructions aimed at its reader"
_NOBODY = {"root", "user", "home", "admin", "runner", "ubuntu", "node", "vscode", "app", "dev", "developer", "test"}

_ADDED = re.compile(r"^## Gemini Added Memories[ \t]*$(?P<list>(?:(?!^#{1,2} ).*\n?)*)", re.MULTILINE)
_GROUP = re.compile(r"^# Task Group\b.*$", re.MULTILINE)
_FOLDER = re.compile(r"\bcwd=([^;\n]+)")
_THREAD = re.compile(r"\bthread_id=([\w-]+)")
_HEADING = re.compile(r"^#{2,6}\s+(.*)$")
_ITEM = re.compile(r"^[^\S\n]{0,3}[-*]\s+(.*)$", re.MULTILINE)
_TO_NOTE = re.compile(r"\]\([^)\s]+\.md\)")
_ARROW = re.compile(r"\s*(?:->|→|=>)\s*")
_TASKS = re.compile(r"(?:\s*\[(?:Task|ad-hoc note)[^\]]*\])+\s*\Z")
_BLOCK = re.compile(r"^\[[^\]\n]{8,40}\] - Updated by Junie[^\n]*\n", re.MULTILINE)
_WHEN = re.compile(r"\AWHEN\s+(?P<case>.+?)\s+THEN\s+(?P<rule>.+?)[.\s]*\Z", re.DOTALL)
_OF_PERSON = {"correction", "preference", "new instructions"}
"""Types of Junie's feedback that say how things are to be done; errors and tasks are about one piece of work."""


def read_places(context: Context, around: Surroundings, places: Sequence[NotePlace]) -> list[Row]:
    names, sessions = own_names(context), Sessions(around)
    rows: list[Row] = []
    for place in places:
        try:
            text = text_of(place.path)
        except (OSError, ValueError) as error:
            rows.append(Row(place, None, getattr(error, "strerror", None) or str(error)))
            continue
        found = FORMS[place.assistant](text, place, around)
        if found is None:
            rows.append(Row(place, None))
            continue
        rules, private = form.rules_of(found, is_users=place.is_users, names=(*names, *form.people_in(text)))
        if commands_a_machine(text):
            rules, private = (), (*private, ORDERS)
        note = KnownNote(
            path=place.path,
            assistant=place.assistant,
            trust=Trust.CLAIMED if place.is_shared else Trust.AGENT,
            type=found.type,
            title=" ".join(found.title.split())[:120] or Path(place.path).stem,
            at=round(at.timestamp() * 1000) if (at := instant(found.modified)) else place.mtime_ns // 1_000_000,
            session_id=found.session_id,
            rules=sessions.with_quotes(rules, place, found.session_id),
            private=private,
        )
        rows.append(Row(place, note))
    return rows


def text_of(path: str) -> str:
    """Return a note without secrets and hidden signs; raises OSError, and ValueError for what is no text."""
    with Path(path).open("rb") as stream:
        data = stream.read(LARGEST + 1)
    if len(data) > LARGEST:
        raise ValueError(f"larger than {LARGEST // 1024} KB")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ValueError("not valid UTF-8 text") from None
    if "\0" in text:
        raise ValueError("not a text file")
    return redact(clean(text)).text


def own_names(context: Context) -> list[str]:
    """Return the names of the person, as git and the home folder tell them."""
    names = f"{git_text(context.root, 'config', 'user.name', accept=(0, 1))} {context.folders.home.name}"
    return [name for name in re.split(r"[\s._-]+", names) if name.casefold() not in _NOBODY]


def session_of(note: KnownNote) -> str:
    return note.session_id or hash_of(NOTED, note.path)


def candidates_of(context: Context, note: KnownNote) -> Iterator[Candidate]:
    """Yield the rules of a note that no file says, each with the note as its evidence, and what the person typed."""
    at, session = datetime.fromtimestamp(note.at / 1000, UTC), session_of(note)
    path = shown(note.path, root=str(context.root), home=str(context.folders.home))
    for rule in note.rules:
        if rule.verdict in (Verdict.SAID, Verdict.STALE):
            continue
        noted = Citation(
            session_id=session,
            turn=max(1, rule.turn),
            quote=rule.content[:QUOTE_LIMIT],
            paths=(f"{path}#L{rule.line}", *paths_in(rule.content)),
            trust=note.trust,
            at=at,
            format=f"{note.assistant} {NOTED}",
        )
        typed = Citation(
            session_id=session,
            turn=rule.turn,
            quote=rule.quote,
            trust=Trust.TYPED if rule.is_theirs else Trust.QUOTED,
            at=datetime.fromtimestamp(rule.typed_at / 1000, UTC) if rule.typed_at else at,
            format=note.assistant,
        )
        yield Candidate(
            content=rule.content,
            kind=Kind.CONVENTION if rule.scope is Scope.WORKSPACE else Kind.PREFERENCE,
            scope=rule.scope,
            confidence=SURE,
            citations=(noted, typed) if rule.quote else (noted,),
            found_by=NOTED,
        )


def _markdown(text: str, _place: NotePlace, _around: Surroundings) -> NoteText | None:
    return form.note_text(form.header_of(text))


def _claude_note(text: str, place: NotePlace, _around: Surroundings) -> NoteText | None:
    """Read a topic file or an index, which is a list of links to them."""
    items = _ITEM.findall(text)
    links = len(_TO_NOTE.findall("\n".join(items)))
    is_index = Path(place.path).name == "MEMORY.md" and 2 * links >= max(1, len(items))
    found = form.note_text(form.header_of(text))
    return replace(found, type="index") if is_index else found


def _added_by_gemini(text: str, place: NotePlace, around: Surroundings) -> NoteText | None:
    """Read the list of what was added to the person's own file, or a file of the project."""
    if not place.is_users:
        return _markdown(text, place, around)
    added = _ADDED.search(text)
    found = form.listed(added["list"], before=text.count("\n", 0, added.start("list"))) if added else ()
    return NoteText(type="added", statements=found) if found else None


def _listed_by_vscode(text: str, place: NotePlace, _around: Surroundings) -> NoteText | None:
    header = form.header_of(text)
    found = form.listed(header.body, before=header.line)
    statements = (statement for statement in found if place.is_users or form.demands(statement.text))
    return NoteText(title=header.title, statements=tuple(statements))


def _grouped_by_codex(text: str, place: NotePlace, around: Surroundings) -> NoteText | None:
    """Read the groups that are about this workspace; of each, what the person preferred and what failed."""
    if place.is_users:
        return _markdown(text, place, around)
    starts = [found.start() for found in _GROUP.finditer(text)]
    found, sessions = list[Statement](), list[str]()
    roots = [type(around.root)(home) for home in homes_of(around)]
    for start, end in pairwise([*starts, len(text)]):
        group = text[start:end]
        folder = _FOLDER.search(group)
        if folder and any(is_same_or_below(folder[1].strip(), root) for root in roots):
            found += _guidance(group, text.count("\n", 0, start))
            sessions += _THREAD.findall(group)
    note = NoteText(type="preferences", statements=tuple(found), session_id=sessions[0] if sessions else "")
    return note if found else None


def _guidance(group: str, before: int) -> Iterator[Statement]:
    """Yield what stands behind the arrow of a preference, and what orders something elsewhere."""
    heading = ""
    for number, line in enumerate(group.split("\n"), before + 1):
        if found := _HEADING.match(line):
            heading = found[1].casefold()
        elif item := _ITEM.match(line):
            text = form.plain_text(_TASKS.sub("", item[1]))
            guided = _ARROW.split(text)[1:]
            if "preference" in heading and guided:
                yield Statement(text=form.shortened(guided[-1]), line=number)
            elif form.demands(text):
                yield Statement(text=form.shortened(text), line=number)


def _blocks_of_junie(text: str, place: NotePlace, _around: Surroundings) -> NoteText | None:
    """Read the instructions `WHEN … THEN …` that came from what the person said, each once."""
    heads = list(_BLOCK.finditer(text))
    is_feedback = place.path.replace("\\", "/").endswith("/feedback.md")
    said: dict[str, Statement] = {}
    for head in heads if is_feedback else ():
        try:
            block = fields_of(json.JSONDecoder().raw_decode(text, head.end())[0])
        except (ValueError, RecursionError):
            continue  # half written
        found = _WHEN.match(field_text(block.get("NEW INSTRUCTION")))
        if found and field_text(block.get("TYPE")).casefold() in _OF_PERSON:
            rule = f"When {found['case']}, {found['rule']}."
            said[rule] = Statement(text=rule, line=text.count("\n", 0, head.start()) + 1)
    note = NoteText(type="feedback" if is_feedback else "project", statements=tuple(said.values()))
    return note if heads else None


FORMS: Mapping[str, Callable[[str, NotePlace, Surroundings], NoteText | None]] = {
    "claude-code": _claude_note,
    "codex": _grouped_by_codex,
    "gemini-cli": _added_by_gemini,
    "vscode": _listed_by_vscode,
    "qwen-code": _markdown,
    "junie": _blocks_of_junie,
    "cline": _markdown,
}
"""How each assistant's notes are read, redacted before; None for nothing that is about this workspace."""
