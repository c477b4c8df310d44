"""Does each rule hold? Rules of the files since they are in force, notes of the chats, and what came of them."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from memsuggest.core.config import Mode
from memsuggest.core.context import Context, indexed_lines
from memsuggest.core.errors import FileError, OutsideWorkspace, StoreError, UnknownId, beginning
from memsuggest.core.git import git_text
from memsuggest.core.identity import normalised
from memsuggest.core.model import (
    Decision,
    Edit,
    FactStatus,
    MemoryFact,
    Scope,
    SuggestionStatus,
    Target,
    TargetType,
    Trust,
)
from memsuggest.core.text.likeness import opposed
from memsuggest.core.workspace import is_ci
from memsuggest.customizations.blocks.line_kinds import bare, split_lines
from memsuggest.customizations.loading import cost_of
from memsuggest.facts.contradictions import last_said
from memsuggest.facts.forget_quotes import forgotten_evidence
from memsuggest.facts.stores import all_decisions, known_facts, waiting_maybes
from memsuggest.files.journal import KEPT, Entry
from memsuggest.held.chat_note import CLAUDE, COPILOT_CLI, VS_CODE, ChatNote, NotedSentence, united
from memsuggest.held.file_reading import Surroundings, TouchedPaths, reading_of
from memsuggest.held.held_report import FileUse, HeldOutcome, HeldReport, HeldRule, RuleLine, SinceFrom
from memsuggest.held.note_store import NoteStore, NumberedSentence, evidence_of, note_backlog, note_store
from memsuggest.held.remedies import remedies_for
from memsuggest.held.repeated_rules import find_matters
from memsuggest.held.rule_outcome import ChatTable, Force, judge, rule_lines_of, words_of_rule
from memsuggest.suggestions.bridges import is_taken_in
from memsuggest.suggestions.decision_reports import Shown
from memsuggest.suggestions.existing_rules import ExistingRules
from memsuggest.suggestions.ranking.hosts import Host
from memsuggest.suggestions.target_paths import below_root, path_of
from memsuggest.transcripts.find_transcripts import find, not_too_old

_ORDER = (HeldOutcome.DOES_NOT_HOLD, HeldOutcome.NOT_LOADED, HeldOutcome.HOLDS, HeldOutcome.UNTESTED)


def find_held(
    context: Context,
    *,
    since: int | None = None,
    only: Collection[str] | None = None,
    progress: Callable[[int, int, str], None],
) -> HeldReport:
    """Say what became of the rules that were applied or said again, and what is said in no file; if `off`, nothing.

    Chats of which there is no note yet are read first. `since`: only chats that began then or later count. `only`:
    of all rules of some files, without the rest.
    """
    if context.settings.mode is Mode.OFF:
        return HeldReport(rules=(), chats=0, since=since)
    found = not_too_old(context, find(context, ()).transcripts)
    skipped = note_backlog(context, found, progress=progress)
    report = replace(held_now(context, since=since, only=only), skipped=skipped)
    if only is not None:
        return report
    files, recent = _file_uses(context, since)
    return replace(
        report,
        files=files,
        recent=recent,
        unlearned=len(context.progress.changed([chat for chat in found if chat.trust is Trust.TYPED])),
        matters=tuple(find_matters(context, since)),
        maybes=len(waiting_maybes(context)),
    )


_RECENT = 20  # chats, the newest, that tell whether a file is used
_TELLING = (CLAUDE, VS_CODE, COPILOT_CLI)  # assistants whose chats tell which skills, agents and prompts were used


def _file_uses(context: Context, since: int | None) -> tuple[tuple[FileUse, ...], int]:
    """Return the repo's files with their use, unused ones first, and how many chats tell that."""
    chats = ChatTable((chat for chat in noted_chats(context) if (chat.begun or 0) >= (since or 0)), words=()).chats
    around = _surroundings(context, _rule_files(context), chats)
    recent = range(max(0, len(chats) - _RECENT), len(chats))
    known = [chats[place].assistant for place in recent if chats[place].assistant]
    found = []
    for target in around.targets:
        if target.scope is not Scope.WORKSPACE:
            continue
        reading = reading_of(target, chats, around)
        touched = {place for place, chat in enumerate(chats) if target.uri in chat.touched}
        last = max(touched | reading.read, default=None)
        tells = target.type is TargetType.INSTRUCTIONS or not set(_TELLING).isdisjoint(known)
        use = FileUse(
            uri=target.uri,
            tokens=cost_of(target).tokens,
            loaded=len(reading.read.intersection(recent)),
            touched=len(touched.intersection(recent)),
            last_used=None if last is None else chats[last].begun,
            is_known=bool(known) and tells,
            why_unread=reading.why_not.get(max(known, key=known.count, default=""), ""),
        )
        found.append(use)
    return tuple(sorted(found, key=lambda file: (not file.is_idle, -file.tokens, file.uri))), len(recent)


def _rule_files(context: Context) -> list[Target]:
    return [target for target in context.targets.targets if target.type is not TargetType.HOOK]


def held_now(
    context: Context,
    *,
    since: int | None = None,
    only: Collection[str] | None = None,
    is_said: bool = False,
) -> HeldReport:
    """Do the same by the notes that are there; no chat is read.

    `only`: all rules of some files; `is_said`: but for those that nobody said in a chat.
    """
    store, written, every = note_store(context), _written(context), _rule_files(context)
    asked = [target for target in every if only is None or target.uri in only]
    chats = noted_chats(context)
    with context.exclusive():
        sentences = store.sentences()
        compare(store, asked, sentences, indexed=partial(indexed_lines, context))
        matches = store.matches()
        known = written.keys() | {uri for uri, _ in matches}
        targets = {target.uri: target for target in asked if only is not None or target.uri in known}
        rules = _standing_rules(context, targets.values())
        forces = _forces(context, targets, rules, written)
    if is_said or only is None:
        rules = [
            rule
            for rule in rules
            if (rule.uri, rule.line) in matches or (not is_said and forces[rule.id].source is SinceFrom.APPLIED)
        ]
    words = frozenset[str]().union(*(form for rule in rules for form in words_of_rule(rule.text).forms))
    table = ChatTable(chats, words=words)
    said = _said_by_line(matches, sentences, table, gone=forgotten_evidence(context))
    around = _surroundings(context, every, table.chats)
    readings = {uri: reading_of(target, table.chats, around) for uri, target in targets.items()}
    facts = [fact for fact in known_facts(context) if fact.status is FactStatus.ACTIVE]
    judged = []
    for rule in rules:
        remarks = said.get((rule.uri, rule.line), ())
        found = judge(rule, forces[rule.id], readings[rule.uri], remarks, table, earliest=since)
        later = [fact for fact in facts if found.outcome is HeldOutcome.DOES_NOT_HOLD and last_said(fact) > found.since]
        against = next((fact for fact in later if fact.citations and opposed(fact.content, found.content)), None)
        judged.append(replace(found, remedies=remedies_for(found, targets[rule.uri], contradicting=against)))
    counted = [table.chats[place] for place in sorted(table.since(since))]
    return HeldReport(
        rules=tuple(sorted(judged, key=_worst_first)),
        chats=len(counted),
        since=since,
        first_chat=counted[0].begun if counted else None,
        undated=len(chats) - len(table.chats),
        unknown_assistant=sum(not chat.assistant for chat in counted),
        gone=_gone(context, judged) if only is None else 0,
    )


def _worst_first(rule: HeldRule) -> tuple[int, int, int, str, int]:
    said = rule.chats_said_again or len({remark.session_id for remark in rule.said_unread})
    return _ORDER.index(rule.outcome), -said, -len(rule.exposed), rule.uri, rule.line


def _standing_rules(context: Context, targets: Iterable[Target]) -> list[RuleLine]:
    return [rule for target in targets for rule in rule_lines_of(target, keep=context.kept_index.of)]


def _surroundings(context: Context, targets: Sequence[Target], chats: Iterable[ChatNote]) -> Surroundings:
    beside = [target.uri for target in targets if target.always_on]
    taken = {(host, uri) for host in (Host.CLAUDE, Host.GEMINI) for uri in beside if is_taken_in(context, host, uri)}
    return Surroundings(
        root=str(context.root),
        targets=tuple(targets),
        settings=context.targets.settings,
        paths=TouchedPaths(chats),
        taken_in=frozenset(taken),
    )


def noted_chats(context: Context) -> list[ChatNote]:
    """Return the notes of each chat once, whoever saved it; not those that the person wants nothing known of."""
    silenced = context.profile.silenced()
    found: dict[str, ChatNote] = {}
    for note in note_store(context).notes():
        if note.session_id not in silenced:
            known = found.get(note.session_id)
            found[note.session_id] = united(note, known) if known else note
    return list(found.values())


def _said_by_line(
    matches: Mapping[tuple[str, int], Sequence[int]],
    sentences: Sequence[NumberedSentence],
    table: ChatTable,
    *,
    gone: frozenset[str],
) -> dict[tuple[str, int], list[tuple[int, NotedSentence]]]:
    """Return by file and line what says it, each thing that was said once, in the chat that had it first."""
    by_session = {chat.session_id: place for place, chat in enumerate(table.chats)}
    counted = {
        number: (by_session[session], said, (said.at if said.at is not None else (session, said.turn), said.quote))
        for number, session, said in sentences
        if session in by_session and evidence_of(session, said) not in gone
    }
    found = {}
    for line, numbers in matches.items():
        placed = sorted((counted[number] for number in numbers if number in counted), key=lambda row: row[0])
        first: dict[object, tuple[int, NotedSentence]] = {}
        for place, said, moment in placed:
            first.setdefault(moment, (place, said))
        found[line] = list(first.values())
    return found


def _gone(context: Context, rules: Sequence[HeldRule]) -> int:
    """Count the facts that were applied to a file and stand in none any more."""
    written = (decision for entry in context.journal.newest(200) for decision in entry.decisions)
    journal, applied = (
        {decision.fact_id for decision in decisions if decision.status is SuggestionStatus.APPLIED}
        for decisions in (written, all_decisions(context))
    )
    missing = applied & journal - {rule.fact_id for rule in rules}
    facts = [fact for fact in known_facts(context) if fact.id in missing]
    said = context.workspace_index.existing_rules if facts else {}
    return sum(not said[fact.scope].said(fact.content) for fact in facts)


def compare(
    store: NoteStore,
    targets: Sequence[Target],
    sentences: Sequence[NumberedSentence],
    *,
    indexed: Callable[[Sequence[Target]], ExistingRules] = ExistingRules,
) -> None:
    """Compare what is new, of either side, and keep what comes of it.

    `indexed` returns the lines of some files, perhaps of others besides.
    """
    known = store.compared()
    last = sentences[-1].number if sentences else 0
    by_start: dict[int, list[Target]] = {}
    anew = {target.uri for target in targets if known.get(target.uri, ("", 0))[0] != target.digest}
    for target in targets:
        upto = 0 if target.uri in anew else known[target.uri][1]
        if upto < last or target.uri in anew:
            by_start.setdefault(upto, []).append(target)
    for upto, group in by_start.items():
        digests = {target.uri: target.digest for target in group}
        new = [sentence for sentence in sentences if sentence.number > upto]
        rules = indexed(group) if new else ExistingRules(())
        lines = {said: rules.said(said) for said in {sentence.sentence.rule for sentence in new}}
        found = [
            (line.uri, line.line, sentence.number)
            for sentence in new
            for line in lines[sentence.sentence.rule]
            if line.uri in digests
        ]
        store.note_compared(digests, anew=anew & digests.keys(), upto=last, found=found)


_HOME = "~/"
_LOG = (
    *("log", "--first-parent", "--diff-merges=first-parent", "--no-renames", "--no-color", "--relative", "--no-prefix"),
    *("-p", "-U0", "--ignore-all-space", "--format=%x01%ct"),
)
_NAME_IN_HEAD = re.compile(r"^(?:---|\+\+\+) ([^\t\n]+)", re.MULTILINE)


def _written(context: Context) -> dict[str, list[tuple[Entry, Edit]]]:
    found: dict[str, list[tuple[Entry, Edit]]] = {}
    for entry in context.journal.newest(KEPT):
        for edit in entry.edits:
            found.setdefault(edit.path, []).append((entry, edit))
    return found


def _forces(
    context: Context,
    targets: Mapping[str, Target],
    rules: Iterable[RuleLine],
    written: Mapping[str, Sequence[tuple[Entry, Edit]]],
) -> dict[str, Force]:
    """Return for each rule since when it is in force: it was applied, or else committed, or else seen."""
    now, store = context.now(), note_store(context)
    by_file: dict[str, list[RuleLine]] = {uri: [] for uri in targets}
    for rule in rules:
        by_file[rule.uri].append(rule)
    committed, forces = _committed(context, targets.values()), {}
    for uri, own in by_file.items():
        lines = [bare(line) for line in split_lines(targets[uri].text)]
        seen = store.seen(uri, [rule.id for rule in own], now=now)
        try:
            changed = path_of(context, uri).stat().st_mtime_ns // 1_000_000
        except (OSError, FileError, OutsideWorkspace):
            changed = now
        edits = [
            (entry, _lines_of(edit.before), _lines_of(edit.after))
            for entry, edit in written.get(uri, ())
            if edit.after is not None and not entry.is_open
        ]
        for rule in own:
            place = slice(rule.line - 1, rule.last_line)
            here, times = set(lines[place]), committed.get(uri, ())[place]
            applied = next((entry for entry, before, after in edits if here <= after and not here <= before), None)
            if applied:
                forces[rule.id] = Force(applied.at, SinceFrom.APPLIED, _fact_of(applied, rule))
            elif times and all(times):
                forces[rule.id] = Force(max(times), SinceFrom.GIT)
            else:
                first = seen[rule.id]
                forces[rule.id] = Force(min(changed, first), SinceFrom.SEEN if first < changed else SinceFrom.FILE)
    return forces


def _committed(context: Context, targets: Iterable[Target]) -> dict[str, Sequence[int]]:
    """Return by file when each line was committed as it is, in milliseconds; 0 for one that was not.

    That is when the last commit brought it here, which for a merged line is the merge; what a commit only moved within
    its file came before.
    """
    store, found = note_store(context), dict[str, Sequence[int]]()
    asked = []
    for target in targets:
        if not target.uri.startswith(_HOME):
            found[target.uri] = store.line_times(target.uri, target.digest) or ()
            asked += [] if found[target.uri] else [target]
    uris = [target.uri for target in asked]
    output = git_text(context.root, "--literal-pathspecs", *_LOG, "--", *uris) if uris else ""
    latest: dict[tuple[str, str], int] = {}
    for commit in output.split("\x01")[1:]:
        at, _, patch = commit.partition("\n")
        changes = {"+": set[tuple[str, str]](), "-": set[tuple[str, str]]()}
        for of_file in patch.split("\ndiff --git "):
            head, *hunks = of_file.split("\n@@ ")
            names = [name for name in _NAME_IN_HEAD.findall(head) if name != os.devnull]
            for line in (line for hunk in hunks for line in hunk.split("\n")[1:] if line[:1] in changes):
                changes[line[0]].add((names[-1], _squeezed(line[1:])))
        for place in changes["+"] - changes["-"]:
            latest.setdefault(place, int(at) * 1000)
        for place in changes["-"] - changes["+"]:  # what was taken out last has the time 0
            latest.setdefault(place, 0)
    for target in asked:
        times = [latest.get((target.uri, _squeezed(line)), 0) for line in split_lines(target.text)]
        found[target.uri] = times
        if times and all(times):  # what is not committed yet may be later, without any other change
            store.keep_line_times(target.uri, target.digest, times)
    return found


def _squeezed(line: str) -> str:
    return "".join(line.split())


def _fact_of(entry: Entry, rule: RuleLine) -> str:
    """Return the fact that an entry put into a line; empty where that cannot be told."""
    words, here, same = normalised(rule.content), list[str](), list[str]()
    for decision, about in zip(entry.decisions, entry.about, strict=False):
        if decision.status is SuggestionStatus.APPLIED and decision.target == rule.uri:
            content = normalised(about.content)
            here.append(decision.fact_id)
            same += [decision.fact_id] if content in words or words in content else []
    return next(iter(same if same or len(set(here)) > 1 else here), "")


def _lines_of(text: str | None) -> set[str]:
    return {bare(line) for line in split_lines(text or "")}


def held_of_fact(context: Context, fact: MemoryFact, decisions: Iterable[Decision]) -> tuple[HeldRule, ...]:
    """Return what became of the lines that a fact was applied to."""
    uris = {
        decision.target for decision in decisions if decision.status is SuggestionStatus.APPLIED and decision.target
    }
    if not uris:
        return ()
    said = context.workspace_index.existing_rules[fact.scope].said(fact.content)
    lines = {(line.uri, line.line) for line in said}
    rules = held_now(context, only=uris).rules
    return tuple(rule for rule in rules if rule.fact_id == fact.id or (rule.uri, rule.line) in lines)


def with_held(context: Context, shown: Shown) -> Shown:
    """Say of a suggestion that puts a line in the place of another one whether that one holds."""
    suggestion = shown.suggestion
    uri = suggestion.target_uri
    if not suggestion.replaces or not uri or suggestion.fact is None:
        return shown
    if not any(file == uri for file, _ in note_store(context).matches()):
        return shown  # nobody said anything of it again, which is not worth a line
    gone = normalised(suggestion.replaces)
    found = [rule for rule in _unheld(context, {uri}) if normalised(rule.content) in gone]
    return replace(shown, held=tuple(found))


def unheld_in(context: Context, targets: Iterable[Target], paths: Collection[str]) -> tuple[HeldRule, ...]:
    """Return the rules of changed files that do not hold, as far as this machine has notes of chats that say so.

    `targets` are the files as the change has them: what it rewrote or took out is settled.
    """
    changed = {target.uri: target for target in targets if target.uri in paths}
    if not changed or is_ci(context.machine.environ) or not context.state_path.exists():
        return ()
    try:
        rules = _unheld(context, changed.keys())
    except StoreError:
        return ()  # what can be told without the notes is told all the same
    there = {rule.id for rule in _standing_rules(context, changed.values())}
    return tuple(rule for rule in rules if rule.id in there)


def _unheld(context: Context, uris: Collection[str]) -> list[HeldRule]:
    rules = held_now(context, only=uris).rules
    return [rule for rule in rules if rule.outcome is HeldOutcome.DOES_NOT_HOLD]


_LINE = re.compile(r"(?P<file>.+?):(?P<line>\d{1,7})\Z")
_SHOWN_BY = "`memsuggest held`"


def files_of(context: Context, word: str) -> frozenset[str]:
    """Return the files in which a rule may stand that a person names by its file, its line, its id or its fact's."""
    targets = _rule_files(context)
    uris = {target.uri for target in targets}
    if name := _file_in(word, uris):
        return frozenset((name if name in uris else below_root(context, Path(name)),))
    wanted = word.strip().lower()
    named = (rule.uri for rule in _standing_rules(context, targets) if rule.id.startswith(wanted))
    return frozenset({*_written(context), *named})


def _file_in(word: str, uris: Collection[str]) -> str:
    line = _LINE.fullmatch(word)
    return word if os.path.lexists(word) or word in uris else line["file"] if line else ""


def only_rules(report: HeldReport, word: str, files: Collection[str]) -> HeldReport:
    """Return the report for one rule, by its id or the id of its fact, or for a file or a line of it.

    `files` are those of `files_of`, all of whose rules are in the report. Raises UnknownId where there is none.
    """
    name = _file_in(word, files)
    if name and not report.rules:
        hint = "`memsuggest targets` lists the customization files"
        raise UnknownId(f"`{name}` is not a customization file with rules", hint=hint)
    if name == word:
        return replace(report, is_file=True)
    if name:
        number = int(word.rpartition(":")[2])
        found = [rule for rule in report.rules if rule.line == number]
        found = found or [rule for rule in report.rules if rule.line < number <= rule.last_line]
        known = ", ".join(str(line) for line in sorted(rule.line for rule in report.rules)[:10])
        unknown = UnknownId(f"no rule starts on line {number} of `{name}`", hint=f"rules start on lines {known}")
    else:
        wanted = beginning(word, report.rules, shown_by=_SHOWN_BY)
        found = [rule for rule in report.rules if rule.id.startswith(wanted)]
        found = found or [rule for rule in report.rules if rule.fact_id and rule.fact_id.startswith(wanted)]
        unknown = UnknownId(f"no rule has the ID `{word}`", hint=f"{_SHOWN_BY} lists the IDs; a file name also works")
        if len(found) > 1 and len({rule.fact_id for rule in found}) > 1:
            ids = ", ".join(f"`{rule.id[:12]}`" for rule in found[:5])
            raise UnknownId(f"`{word}` matches several rules: {ids}", hint="use more characters of the ID")
    if not found:
        raise unknown
    return replace(report, rules=tuple(found), is_one=True)
