"""Verdicts on the rules of notes: said by a line, opposed to one, about what is gone, or noted twice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from memsuggest.core.context import Context
from memsuggest.core.model import Scope, Target, TargetType
from memsuggest.core.text.likeness import keys_of, likeness, opposed, same_words
from memsuggest.customizations.discovery import target_from
from memsuggest.notes.form import plain_text, sentences
from memsuggest.notes.note import KnownNote, NoteRule, Verdict
from memsuggest.suggestions.stale_search import stale_suggestions

SAYS = 0.8
"""Likeness from which two assistants keep the same rule."""
_COMPARED = 12
"""Lines that a rule is compared with: those that share most words with it."""
_MARKS = " \t-*+>•0123456789.)#"


class Line(NamedTuple):
    """A sentence of a customization file, or a rule of another note."""

    text: str
    where: str


class Lines:
    """Sentences, found by the words that they share with a rule."""

    def __init__(self, lines: Iterable[Line]) -> None:
        self._lines = list(lines)
        self._by_word: dict[str, list[int]] = {}
        for place, line in enumerate(self._lines):
            for word in keys_of(line.text):
                self._by_word.setdefault(word, []).append(place)

    def near(self, rule: str) -> Iterator[Line]:
        """Yield what shares most words with a rule."""
        shared = Counter(place for word in keys_of(rule) for place in self._by_word.get(word, ())[:500])
        yield from (self._lines[place] for place, _ in shared.most_common(_COMPARED))


def judged(context: Context, notes: Sequence[KnownNote]) -> list[KnownNote]:
    """Return notes with a verdict on each of their rules."""
    targets = context.targets.targets
    lines = {
        scope: Lines(line for target in targets if target.scope is scope for line in lines_of(target))
        for scope in Scope
    }
    gone = _gone(context, {rule.content for note in notes for rule in note.rules if rule.scope is Scope.WORKSPACE})
    return [replace(note, rules=tuple(_judged(rule, lines, gone) for rule in note.rules)) for note in notes]


def lines_of(target: Target) -> Iterator[Line]:
    """Yield the sentences of a file."""
    if target.type is TargetType.HOOK:
        return
    for number, line in enumerate(target.text.splitlines(), 1):
        text = plain_text(line.lstrip(_MARKS))
        parts = sentences(text)
        yield from (Line(fromkey, f"{target.uri}:{number}") for fromkey in dict.fromkeys([text, *parts]) if fromkey)


def _judged(rule: NoteRule, lines: dict[Scope, Lines], gone: dict[str, str]) -> NoteRule:
    nearest = [line for scope in (Scope.WORKSPACE, rule.scope) for line in lines[scope].near(rule.content)]
    parts = sentences(rule.content)
    saying = [next((line for line in nearest if same_words(line.text, part)), None) for part in parts]
    whole = next((line for line in nearest if same_words(line.text, rule.content)), None)
    said = whole or (saying[0] if all(saying) else None)
    if said:
        return replace(rule, verdict=Verdict.SAID, what=said.where, text=said.text)
    for line in nearest:
        if opposed(line.text, rule.content):
            return replace(rule, verdict=Verdict.CONTRADICTS, what=line.where, text=line.text)
    if rule.content in gone:
        return replace(rule, verdict=Verdict.STALE, what=gone[rule.content], text="")
    verdict = Verdict.PERSONAL if rule.scope is Scope.USER else Verdict.SUGGESTED
    return replace(rule, verdict=verdict, what="", text="")


def _gone(context: Context, rules: set[str]) -> dict[str, str]:
    """Return the rules that name what git shows was there and is gone, with what that is."""
    named = sorted(rule for rule in rules if "`" in rule or "/" in rule)
    if not named:
        return {}
    page = target_from("AGENTS.md", "".join(f"- {rule}\n" for rule in named))
    found: dict[str, str] = {}
    for suggestion in stale_suggestions(context, [page]):
        after = set((suggestion.edit.after or "").splitlines())
        found |= {rule: suggestion.content for rule in named if f"- {rule}" not in after}
    return found


def twins(notes: Sequence[KnownNote]) -> dict[tuple[str, str], str]:
    """Return, by note and rule, the note of another assistant that keeps the same, in whatever words."""
    found: dict[tuple[str, str], str] = {}
    rules = [(note, rule.content) for note in notes for rule in note.rules]
    if len({note.assistant for note, _ in rules}) < 2:
        return found
    owner = {str(place): note for place, (note, _) in enumerate(rules)}
    lines = Lines(Line(content, str(place)) for place, (_, content) in enumerate(rules))
    for note, content in rules:
        same = (owner[line.where] for line in lines.near(content) if _keeps(line.text, content))
        other = next((one for one in same if one.assistant != note.assistant), None)
        if other:
            found[note.path, content] = other.path
    return found


def _keeps(one: str, other: str) -> bool:
    return same_words(one, other) or (likeness(one, other) >= SAYS and not opposed(one, other))
