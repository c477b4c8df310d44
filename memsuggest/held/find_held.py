"""Does each rule hold? Rules of the files since they are in force, notes of the chats, and what came of them."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from memsuggest.core.config import Mode
from memsuggest.core.context import Context, indexed_lines
from memsuggest.core.errors import FileError, OutsideWorkspace, StoreError, UnknownId, beginning
from memsuggest.core.git import git_text
from memsuggest.core.identity import normalised
from memsuggest.core.model import Decision, FactStatus, MemoryFact, Scope, SuggestionStatus, Target, TargetType, Trust
from memsuggest.core.text.likeness import opposed
from memsuggest.core.workspace import is_ci
from memsuggest.customizations.blocks.line_kinds import bare, split_lines
from memsuggest.customizations.loading import cost_of
from memsuggest.facts.contradictions import last_said
from memsuggest.facts.forgotten_words import forgotten_evidence
from memsuggest.facts.stores import all_decisions, known_facts, waiting_maybes
from memsuggest.files.journal import KEPT, Entry
from memsuggest.held.chat_assistants import CLAUDE, COPILOT_CLI, VS_CODE
from memsuggest.held.chat_note import ChatNote, NotedSentence
from memsuggest.held.coverage import find_matters
from memsuggest.held.file_reading import FileReading, Surroundings, TouchedPaths, reading_of
from memsuggest.held.held_report import FileUse, HeldOutcome, HeldReport, HeldRule, SinceFrom
from memsuggest.held.note_store import NumberedSentence, RuleStore, evidence_of, note_backlog, note_store, rule_store
from memsuggest.held.remedies import remedies_for
from memsuggest.held.rule_outcome import ChatTable, Force, RuleCase, RuleLine, judge, rule_lines_of, words_of_rule
from memsuggest.suggestions.decision_reports import Shown
from memsuggest.suggestions.existing_rules import ExistingRules
from memsuggest.suggestions.ranking.hosts import Host
from memsuggest.suggestions.target_paths import below_root, path_of
from memsuggest.suggestions.unread_files import is_taken_in
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


_RECENT = 20
"""Chats, the newest, that tell whether a file is used."""
_TELLING = (CLAUDE, VS_CODE, COPILOT_CLI)
"""Assistants whose chats tell which skills, agents and prompts were used."""


def _file_uses(context: Context, since: int | None) -> tuple[tuple[FileUse, ...], int]:
    """Return the repo's files with their use, unused ones first, and how many chats tell that."""
    table = ChatTable((chat for chat in noted_chats(context) if since is None or (chat.begun or 0) >= since), words=())
    targets = [target for target in context.targets.targets if target.type is not TargetType.HOOK]
    around = surroundings(context, targets, table.chats)
    own = [target for target in targets if target.scope is Scope.WORKSPACE]
    found = [_use(target, reading_of(target, table.chats, around), table.chats) for target in own]
    found.sort(key=lambda file: (not file.is_idle, -file.tokens, file.uri))
    return tuple(found), min(_RECENT, len(table.chats))


def _use(target: Target, reading: FileReading, chats: Sequence[ChatNote]) -> FileUse:
    touched = {place for place, chat in enumerate(chats) if target.uri in chat.touched}
    recent = range(max(0, len(chats) - _RECENT), len(chats))
    known = [chats[place].assistant for place in recent if chats[place].assistant]
    tells = target.type is TargetType.INSTRUCTIONS or not set(_TELLING).isdisjoint(known)
    used = [*touched, *reading.read]
    return FileUse(
        uri=target.uri,
        tokens=cost_of(target).tokens,
        loaded=len(reading.read.intersection(recent)),
        touched=len(touched.intersection(recent)),
        last_used=chats[max(used)].begun if used else None,
        is_known=bool(known) and tells,
        why_unread=reading.why_not.get(max(known, key=known.count, default=""), ""),
    )


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
    store, in_force = rule_store(context), RulesInForce(context)
    every = [one for one in context.targets.targets if one.type is not TargetType.HOOK]
    asked = every if only is None else [one for one in every if one.uri in only]
    chats = noted_chats(context)
    with context.exclusive():
        sentences = note_store(context).sentences()
        compare(store, asked, sentences, indexed=partial(indexed_lines, context))
        matches = store.matches()
        known = {uri for uri, _ in matches} | in_force.written
        targets = [one for one in asked if only is not None or one.uri in known]
        rules = standing_rules(context, targets)
        forces = in_force.of(targets, rules)
    if is_said or only is None:
        kept = _with_evidence(rules, matches, {} if is_said else forces)
        rules = {uri: [line for line in lines if line.id in kept] for uri, lines in rules.items()}
    words = {word for lines in rules.values() for one in lines for word in words_of_rule(one.text).all}
    table = ChatTable(chats, words=words)
    said = _said_by_line(matches, sentences, table, gone=forgotten_evidence(context))
    around = surroundings(context, every, table.chats)
    cases = (
        RuleCase(
            rule=rule,
            force=forces[target.uri][rule.id],
            reading=reading,
            said=said.get((target.uri, rule.line), ()),
            earliest=since,
        )
        for target in targets
        for reading in [reading_of(target, table.chats, around)]
        for rule in rules[target.uri]
    )
    found = _with_remedies(context, [judge(case, table) for case in cases], {one.uri: one for one in targets})
    return _report(context, sorted(found, key=_worst_first), table, chats=len(chats), since=since, is_all=only is None)


def _report(
    context: Context, judged: Sequence[HeldRule], table: ChatTable, *, chats: int, since: int | None, is_all: bool
) -> HeldReport:
    counted = [table.chats[place] for place in table.places(table.all if since is None else table.begun_since(since))]
    return HeldReport(
        rules=tuple(judged),
        chats=len(counted),
        since=since,
        first_chat=counted[0].begun if counted else None,
        undated=chats - len(table.chats),
        unknown_assistant=sum(not chat.assistant for chat in counted),
        gone=_gone(context, judged) if is_all else 0,
    )


def _with_evidence(
    rules: Mapping[str, Sequence[RuleLine]],
    matches: Collection[tuple[str, int]],
    forces: Mapping[str, Mapping[str, Force]],
) -> set[str]:
    said = {line.id for uri, lines in rules.items() for line in lines if (uri, line.line) in matches}
    since = (item for here in forces.values() for item in here.items())
    return said | {name for name, force in since if force.source is SinceFrom.APPLIED}


def standing_rules(context: Context, targets: Iterable[Target]) -> dict[str, list[RuleLine]]:
    return {target.uri: rule_lines_of(target, keep=context.kept_index.of) for target in targets}


def surroundings(context: Context, targets: Sequence[Target], chats: Iterable[ChatNote]) -> Surroundings:
    """Return what reading files depends on besides the files and the chats."""
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
        if note.session_id in silenced:
            continue
        known = found.get(note.session_id)
        found[note.session_id] = _united(known, note) if known else note
    return list(found.values())


def _united(one: ChatNote, other: ChatNote) -> ChatNote:
    first, second = (one, other) if one.assistant else (other, one)
    begun = min((at for at in (one.begun, other.begun) if at is not None), default=None)
    return replace(
        first,
        begun=begun,
        touched=first.touched | second.touched,
        exchanges=first.exchanges if len(first.exchanges) >= len(second.exchanges) else second.exchanges,
        in_use=first.in_use | second.in_use,
    )


def _said_by_line(
    matches: Mapping[tuple[str, int], Sequence[int]],
    sentences: Sequence[NumberedSentence],
    table: ChatTable,
    *,
    gone: frozenset[str],
) -> dict[tuple[str, int], list[tuple[int, NotedSentence]]]:
    """Return by file and line what says it, each thing that was said once, in the chat that had it first."""
    by_session = {chat.session_id: place for place, chat in enumerate(table.chats)}
    by_number = {sentence.number: sentence for sentence in sentences}
    found: dict[tuple[str, int], list[tuple[int, NotedSentence]]] = {}
    for line, numbers in matches.items():
        first: dict[tuple[object, str], tuple[int, NotedSentence]] = {}
        for number in numbers:
            one = by_number.get(number)
            place = by_session.get(one.session_id) if one else None
            if one is None or place is None:
                continue
            said = one.sentence
            if evidence_of(one.session_id, said) in gone:
                continue
            moment = (said.at if said.at is not None else (one.session_id, said.turn), said.quote)
            known = first.get(moment)
            if known is None or place < known[0]:
                first[moment] = (place, said)
        found[line] = list(first.values())
    return found


def _with_remedies(context: Context, rules: Sequence[HeldRule], by_uri: Mapping[str, Target]) -> list[HeldRule]:
    """Add what could be done to the rules that need it."""
    facts = [fact for fact in known_facts(context) if fact.status is FactStatus.ACTIVE]
    return [
        replace(rule, remedies=remedies_for(rule, by_uri[rule.uri], contradicting=_contradicting(rule, facts)))
        if rule.outcome in (HeldOutcome.DOES_NOT_HOLD, HeldOutcome.NOT_LOADED) or rule.said_unread
        else rule
        for rule in rules
    ]


def _contradicting(rule: HeldRule, facts: Sequence[MemoryFact]) -> MemoryFact | None:
    later = [fact for fact in facts if fact.citations and last_said(fact) > rule.since]
    return next((fact for fact in later if opposed(fact.content, rule.content)), None)


def _worst_first(rule: HeldRule) -> tuple[int, int, int, str, int]:
    said = rule.chats_said_again or len({remark.session_id for remark in rule.said_unread})
    return (_ORDER.index(rule.outcome), -said, -len(rule.exposed), rule.uri, rule.line)


def _gone(context: Context, rules: Sequence[HeldRule]) -> int:
    """Count the facts that were applied to a file and stand in none any more."""
    there = {rule.fact_id for rule in rules if rule.fact_id}
    journal = {
        decision.fact_id
        for entry in context.journal.newest(200)
        for decision in entry.decisions
        if decision.status is SuggestionStatus.APPLIED
    }
    applied = {one.fact_id for one in all_decisions(context) if one.status is SuggestionStatus.APPLIED}
    known = {fact.id: fact for fact in known_facts(context)}
    missing = [known[one] for one in applied & journal - there if one in known]
    said = context.workspace_index.existing_rules if missing else {}
    return sum(not said[fact.scope].said(fact.content) for fact in missing)


def compare(
    store: RuleStore,
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
    anew: list[str] = []
    for target in targets:
        digest, upto = known.get(target.uri, ("", 0))
        if digest != target.digest:
            anew.append(target.uri)
            upto = 0
        if upto < last or digest != target.digest:
            by_start.setdefault(upto, []).append(target)
    for upto, group in by_start.items():
        digests = {target.uri: target.digest for target in group}
        new = [sentence for sentence in sentences if sentence.number > upto]
        found = [row for row in _said_in(indexed(group), new) if row[0] in digests] if new else []
        store.note_compared(digests, anew=[uri for uri in anew if uri in digests], upto=last, found=found)


def _said_in(rules: ExistingRules, sentences: Sequence[NumberedSentence]) -> Iterator[tuple[str, int, int]]:
    known: dict[str, list[tuple[str, int]]] = {}
    for sentence in sentences:
        said = sentence.sentence.rule
        if said not in known:
            known[said] = [(line.uri, line.line) for line in rules.said(said)]
        yield from ((uri, line, sentence.number) for uri, line in known[said])


_HOME = "~/"
_LOG = (
    *("log", "--first-parent", "--diff-merges=first-parent", "--no-renames", "--no-color", "--relative", "--no-prefix"),
    *("-p", "-U0", "--ignore-all-space", "--format=%x01%ct"),
)
_NAME_IN_HEAD = re.compile(r"^(?:---|\+\+\+) ([^\t\n]+)", re.MULTILINE)


class RulesInForce:
    """Answers for the rules of some files; the journal is read once, and git is asked once for all of them."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._store = rule_store(context)
        self._entries: dict[str, list[Entry]] = {}
        for entry in reversed(context.journal.newest(KEPT)):
            for edit in entry.edits:
                self._entries.setdefault(edit.path, []).append(entry)

    @property
    def written(self) -> frozenset[str]:
        """The files that something was applied to."""
        return frozenset(self._entries)

    def of(self, targets: Sequence[Target], rules: Mapping[str, Sequence[RuleLine]]) -> dict[str, dict[str, Force]]:
        """Return for each rule of each file since when it is in force."""
        times = self._committed(targets)
        return {target.uri: self._forces(target, rules[target.uri], times.get(target.uri, ())) for target in targets}

    def _forces(self, target: Target, rules: Sequence[RuleLine], times: Sequence[int]) -> dict[str, Force]:
        lines = [bare(line) for line in split_lines(target.text)]
        seen = self._store.seen(target.uri, [rule.id for rule in rules], now=self._context.now())
        changed = self._changed_at(target)
        found = {}
        for rule in rules:
            place = slice(rule.line - 1, rule.last)
            applied, committed = self._applied(target.uri, lines[place]), times[place]
            there = min(changed, seen[rule.id])
            if applied:
                force = Force(since=applied.at, source=SinceFrom.APPLIED, fact_id=_fact_of(applied, rule))
            elif committed and all(committed):
                force = Force(since=max(committed), source=SinceFrom.GIT)
            else:
                force = Force(since=there, source=SinceFrom.SEEN if there < changed else SinceFrom.FILE)
            found[rule.id] = force
        return found

    def _applied(self, uri: str, own: Sequence[str]) -> Entry | None:
        """Return the last entry of the journal that put these lines into the file."""
        found = None
        for entry in self._entries.get(uri, ()):
            for edit in entry.edits:
                if edit.path == uri and edit.after is not None and not entry.is_open:
                    before, after = _lines_of(edit.before), _lines_of(edit.after)
                    if set(own) <= after and not set(own) <= before:
                        found = entry
        return found

    def _changed_at(self, target: Target) -> int:
        try:
            return path_of(self._context, target.uri).stat().st_mtime_ns // 1_000_000
        except (OSError, FileError, OutsideWorkspace):
            return self._context.now()

    def _committed(self, targets: Sequence[Target]) -> dict[str, Sequence[int]]:
        """Return by file when each line was committed as it is, in milliseconds; 0 for one that was not."""
        ours = [target for target in targets if not target.uri.startswith(_HOME)]
        known = {target.uri: self._store.line_times(target.uri, target.digest) for target in ours}
        asked = [target for target in ours if known[target.uri] is None]
        latest = _last_commits(self._context, [target.uri for target in asked])
        for target in asked:
            times = [latest.get((target.uri, _squeezed(line)), 0) for line in split_lines(target.text)]
            known[target.uri] = times
            if times and all(times):  # what is not committed yet may be later, without any other change
                self._store.keep_line_times(target.uri, target.digest, times)
        return {uri: times or () for uri, times in known.items()}


def _last_commits(context: Context, uris: Sequence[str]) -> dict[tuple[str, str], int]:
    """Return by file and line when the last commit brought it here, which for a merged one is the merge.

    What a commit only moved within its file came before; what was taken out last has the time 0.
    """
    output = git_text(context.root, "--literal-pathspecs", *_LOG, "--", *uris) if uris else ""
    found: dict[tuple[str, str], int] = {}
    for commit in output.split("\x01")[1:]:
        at, _, patch = commit.partition("\n")
        changes = {"+": set[tuple[str, str]](), "-": set[tuple[str, str]]()}
        for of_file in patch.split("\ndiff --git "):
            head, *hunks = of_file.split("\n@@ ")
            names = [name for name in _NAME_IN_HEAD.findall(head) if name != os.devnull]
            for line in (line for hunk in hunks for line in hunk.split("\n")[1:] if line[:1] in changes):
                changes[line[0]].add((names[-1], _squeezed(line[1:])))
        for sign, moment in (("+", int(at) * 1000), ("-", 0)):
            for place in changes[sign] - changes["-" if sign == "+" else "+"]:
                found.setdefault(place, moment)
    return found


def _squeezed(line: str) -> str:
    return "".join(line.split())


def _fact_of(entry: Entry, rule: RuleLine) -> str:
    """Return the fact that an entry put into a line; empty where that cannot be told."""
    here = [
        (one.fact_id, about.content)
        for one, about in zip(entry.decisions, entry.about, strict=False)
        if one.status is SuggestionStatus.APPLIED and one.target == rule.uri
    ]
    words = normalised(rule.raw)
    same = [fact for fact, content in here if normalised(content) in words or words in normalised(content)]
    return same[0] if same else here[0][0] if len(here) == 1 else ""


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
    lines = {(line.uri, line.line) for line in said if line.uri in uris}
    rules = held_now(context, only=uris).rules
    return tuple(rule for rule in rules if rule.fact_id == fact.id or (rule.uri, rule.line) in lines)


def with_held(context: Context, shown: Shown) -> Shown:
    """Say of a suggestion that puts a line in the place of another one whether that one holds."""
    suggestion = shown.suggestion
    if not suggestion.replaces or not suggestion.target_uri or suggestion.fact is None:
        return shown
    from memsuggest.held.note_store import rule_store

    uri = suggestion.target_uri
    if not any(file == uri for file, _ in rule_store(context).matches()):
        return shown  # nobody said anything of it again, which is not worth a line
    gone = normalised(suggestion.replaces)
    found = [
        rule
        for rule in held_now(context, only={uri}).rules
        if rule.outcome is HeldOutcome.DOES_NOT_HOLD and normalised(rule.content) in gone
    ]
    return replace(shown, held=tuple(found))


def unheld_in(context: Context, targets: Iterable[Target], paths: Collection[str]) -> tuple[HeldRule, ...]:
    """Return the rules of changed files that do not hold, as far as this machine has notes of chats that say so.

    `targets` are the files as the change has them: what it rewrote or took out is settled.
    """
    changed = {target.uri: target for target in targets if target.uri in paths}
    if not changed or is_ci(context.machine.environ) or not context.state_path.exists():
        return ()
    from memsuggest.held.rule_outcome import rule_lines_of

    try:
        rules = held_now(context, only=changed.keys()).rules
    except StoreError:
        return ()  # what can be told without the notes is told all the same
    there = {rule.id for target in changed.values() for rule in rule_lines_of(target, keep=context.kept_index.of)}
    return tuple(rule for rule in rules if rule.outcome is HeldOutcome.DOES_NOT_HOLD and rule.id in there)


_LINE = re.compile(r"(?P<file>.+?):(?P<line>\d{1,7})\Z")
_SHOWN_BY = "`memsuggest held`"


def files_of(context: Context, word: str) -> frozenset[str]:
    """Return the files in which a rule may stand that a person names by its file, its line, its id or its fact's."""
    targets = [target for target in context.targets.targets if target.type is not TargetType.HOOK]
    if name := _file_in(word, {target.uri for target in targets}):
        return frozenset((name if any(target.uri == name for target in targets) else below_root(context, Path(name)),))
    by_rule = {uri for uri, rules in standing_rules(context, targets).items() if _beginning(word, rules)}
    return RulesInForce(context).written | by_rule


def _file_in(word: str, uris: Collection[str]) -> str:
    """Return the file that somebody names, with a line or without; empty where it is none."""
    line = _LINE.fullmatch(word)
    return word if os.path.lexists(word) or word in uris else line["file"] if line else ""


def _beginning(word: str, rules: Iterable[RuleLine]) -> bool:
    return any(rule.id.startswith(word.strip().lower()) for rule in rules)


def only_rules(report: HeldReport, word: str, files: Collection[str]) -> HeldReport:
    """Return the report for one rule, by its id or the id of its fact, or for a file or a line of it.

    `files` are those of `files_of`, all of whose rules are in the report. Raises UnknownId where there is none.
    """
    if _file_in(word, files):
        return _of_file(report, word)
    wanted = beginning(word, report.rules, shown_by=_SHOWN_BY)
    found = [rule for rule in report.rules if rule.id.startswith(wanted)]
    found = found or [rule for rule in report.rules if rule.fact_id and rule.fact_id.startswith(wanted)]
    if not found:
        raise UnknownId(f"no rule has the ID `{word}`", hint=f"{_SHOWN_BY} lists the IDs; a file name also works")
    if len(found) > 1 and len({rule.fact_id for rule in found}) > 1:
        ids = ", ".join(f"`{rule.id[:12]}`" for rule in found[:5])
        raise UnknownId(f"`{word}` matches several rules: {ids}", hint="use more characters of the ID")
    return replace(report, rules=tuple(found), is_one=True)


def _of_file(report: HeldReport, word: str) -> HeldReport:
    line = None if os.path.lexists(word) else _LINE.fullmatch(word)
    name = line["file"] if line else word
    if not report.rules:
        raise UnknownId(
            f"`{name}` is not a customization file with rules",
            hint="`memsuggest targets` lists the customization files",
        )
    if line is None:
        return replace(report, is_file=True)
    number = int(line["line"])
    found = [rule for rule in report.rules if rule.line == number] or _nearest_above(report.rules, number)
    if not found:
        known = ", ".join(str(one) for one in sorted(rule.line for rule in report.rules)[:10])
        raise UnknownId(f"no rule starts on line {number} of `{name}`", hint=f"rules start on lines {known}")
    return replace(report, rules=tuple(found), is_one=True)


def _nearest_above(rules: Iterable[HeldRule], number: int) -> list[HeldRule]:
    return [rule for rule in rules if rule.line < number <= rule.last_line]
