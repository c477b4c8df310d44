"""Rules of the repo's customization files that had to be said again, by the notes that are there; no chat is read.

Only a remedy that is an edit becomes a suggestion: firmer words, or a pointer for who does not read the file. What a
person said later and otherwise is a fact of its own, whose suggestion takes the place of the line.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from memsuggest import __version__
from memsuggest.core.config import Mode
from memsuggest.core.context import Context, indexed_lines
from memsuggest.core.identity import hash_of
from memsuggest.core.model import Cause, Edit, Maintenance, MemorySuggestion, Target, TargetType
from memsuggest.customizations.blocks.line_kinds import bare, split_lines
from memsuggest.held.find_held import compare, held_now
from memsuggest.held.held_report import HeldRule, Remedy, RemedyKind
from memsuggest.held.note_store import note_store
from memsuggest.suggestions.existing_rules import existing_rules_of
from memsuggest.suggestions.placement.content_safety import why_forbidden
from memsuggest.suggestions.placement.place import maintained, rewritten


def unheld_key(context: Context, targets: Sequence[Target]) -> str:
    """Return what says whether looking again can find anything else: the notes, the files, and what was learned."""
    learned = context.profile.contents()
    counts = (len(learned.facts), len(learned.tombstones), *note_store(context).fingerprint())
    return hash_of("unheld", __version__, *map(str, counts), *(f"{target.uri} {target.digest}" for target in targets))


def unheld_suggestions(context: Context, targets: Sequence[Target]) -> Iterator[MemorySuggestion]:
    """Suggest what would make the rules of some files hold, worst first: those that were said again in a chat."""
    if context.settings.mode is Mode.OFF or context.is_dry:
        return  # comparing files with the notes is kept
    store = note_store(context)
    sentences = store.sentences()
    if not sentences:
        return
    with context.exclusive():
        compare(store, targets, sentences, indexed=partial(indexed_lines, context))
    files = {target.uri: target for target in targets}
    said_again = {uri for uri, _ in store.matches() if uri in files}
    if said_again:
        everything = {target.uri: target for target in context.targets.targets} | files
        rules = held_now(context, only=said_again, is_said=True).rules
        yield from filter(None, (_of_rule(rule, everything) for rule in rules))


def _of_rule(rule: HeldRule, files: Mapping[str, Target]) -> MemorySuggestion | None:
    """Suggest the edit among the remedies for a rule; None where there is none. `files` are all targets, by path."""
    remedy = next((remedy for remedy in rule.remedies if remedy.text), None)
    if remedy is None or any(remedy.kind is RemedyKind.REMOVE and remedy.text for remedy in rule.remedies):
        return None  # the person said otherwise since, which is suggested by itself
    if remedy.uri:
        return _pointer(rule, remedy, files.get(remedy.uri))
    target = files[rule.uri]
    lines = (line for line in existing_rules_of(target) if line.line == rule.line and line.raw == rule.content)
    line = next((line for line in lines if line.is_replaceable), None)
    done = rewritten(target.text, remedy.text, line) if line and not why_forbidden(remedy.text) else None
    if done is None:
        return None
    content = f"{rule.why[:1].upper()}{rule.why[1:]}"
    return maintained(target, cause=Cause.UNHELD, name="firmer", content=content, why=remedy.why, after=done[0])


def _pointer(rule: HeldRule, remedy: Remedy, target: Target | None) -> MemorySuggestion:
    """Add the line that has a file read in by another one, which may have to be made."""
    content = f"A rule in `{rule.uri}` had to be repeated because the assistant had not read the file"
    if target is not None:
        lines = split_lines(target.text)
        end = "\r\n" if lines and lines[0].endswith("\r\n") else "\n"
        above = "" if not lines else end if lines[-1] != bare(lines[-1]) else end * 2
        after = f"{target.text}{above}{remedy.text}{end}"
        return maintained(target, cause=Cause.UNHELD, name="pointer", content=content, why=remedy.why, after=after)
    name = hash_of("care", Cause.UNHELD, "pointer", remedy.uri)
    return MemorySuggestion(
        id=name,
        maintenance=Maintenance(id=name, cause=Cause.UNHELD, content=content),
        target_type=TargetType.NEW_FILE,
        suggested_file_name=remedy.uri,
        suggested_merge_content=remedy.text,
        why=remedy.why,
        edit=Edit(path=remedy.uri, before=None, after=f"{remedy.text}\n"),
    )
