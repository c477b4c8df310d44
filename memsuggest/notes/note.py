"""A note, as its assistant wrote it, and the rules that may be taken from it. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, ClassVar

from memsuggest.core.identity import hash_of
from memsuggest.core.json_shape import Also, Hidden, Key, or_null
from memsuggest.core.model import Scope, Skipped, Trust
from memsuggest.core.render.page import FAINT, HEAD, ID, INDENT, PATH, WARN, Page
from memsuggest.core.render.safe_output import in_quotes, one_line
from memsuggest.core.text.when import ago, iso


class Verdict(StrEnum):
    """The result for a note."""

    SUGGESTED = "suggested"
    PERSONAL = "personal"
    PASSING = "passing"
    REFERENCE = "reference"
    PRIVATE = "private"
    SAID = "said"
    CONTRADICTS = "contradicts"
    STALE = "stale"


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """A sentence of a note that may be a rule."""

    text: str
    line: int
    """From 1, in the file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteText:
    """The contents of a note, as its reader understands them."""

    type: str = ""
    """What the assistant calls it (`feedback`, `project`, `reference`, `user`); empty where it says nothing."""
    title: str = ""
    description: str = ""
    body: str = ""
    line: int = 0
    """Lines before that."""
    statements: tuple[Statement, ...] = ()
    of_person: bool = False
    """It says that this is how the person likes it."""
    session_id: str = ""
    modified: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteRule:
    """A rule from a note, compared with the current files and notes."""

    content: Annotated[str, "The rule as worded in the note, without private details."]
    scope: Annotated[Scope, "`user`: suggested only for your own files."]
    quote: Annotated[str, "What you typed before the note was written; empty if not found."] = ""
    is_theirs: Annotated[bool, "Whether you typed the rule yourself.", Key("isTyped")] = False
    line: Annotated[int, "The line number in the note, starting at 1."]
    verdict: Verdict = Verdict.SUGGESTED
    what: Annotated[
        str,
        "The `FILE:LINE` that states or contradicts the rule, or the name that no longer exists; otherwise empty.",
        Key("where"),
    ] = ""
    text: Annotated[str, "The text of the line that states or contradicts the rule."] = ""
    why: Annotated[str, "Why the rule is suggested only for your own files; otherwise empty."] = ""
    twin: Annotated[str, "Another assistant's note with the same rule.", Key("sameAs"), or_null] = ""
    is_double: Hidden[bool] = False
    turn: Hidden[int] = 0
    typed_at: Hidden[int] = 0
    """The time of that turn, in milliseconds since the epoch; 0 where its chat does not say."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownNote:
    """An assistant's note, as last read."""

    JSON_NAME = "Note"
    id: ClassVar = Also("short_id", str, "The ID to pass to `notes show`.")
    assistant: Annotated[str, "The name of the assistant."]
    path: str
    type: Annotated[str, "The assistant's own type for the note; empty if the note has no type."] = ""
    title: str = ""
    at: Annotated[int, "When the note was written (ISO 8601).", iso] = 0
    trust: Annotated[Trust, "`claimed`: the note came with the repo, so anyone may have written it."]
    _verdict: ClassVar = Also("verdict", Verdict, "The outcome of reading the note.")
    rules: tuple[NoteRule, ...] = ()
    private: Annotated[tuple[str, ...], "Kinds of private details in the note; rules never contain these details."] = ()
    drop: Annotated[str, "The message for the assistant if a file now contains the same rules; otherwise empty."] = ""
    session_id: Hidden[str] = ""
    prompt: Hidden[int] = 0
    """The version of the prompt by which a model read it; 0 where its rules come from its form."""
    label: Hidden[str] = ""
    """The assistant, for people."""
    shown: Hidden[str] = ""
    """The path, for people."""

    @property
    def short_id(self) -> str:
        return hash_of(self.path)[:_SHORT]

    @property
    def verdict(self) -> Verdict:
        """The outcome: the gravest that holds of a rule, or why it has none."""
        if not self.rules:
            return Verdict.PRIVATE if self.private else _WITHOUT_RULES.get(self.type, Verdict.PASSING)
        found = {rule.verdict for rule in self.rules}
        gravest = (Verdict.CONTRADICTS, Verdict.STALE, Verdict.SUGGESTED, Verdict.PERSONAL)
        return next((verdict for verdict in gravest if verdict in found), Verdict.SAID)


_SHORT = 7
_WITHOUT_RULES = {"index": Verdict.REFERENCE, "reference": Verdict.REFERENCE, "user": Verdict.PERSONAL}


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteRows:
    """Your assistants' notes about this workspace, newest first."""

    JSON_NAME = "Notes"
    notes: tuple[KnownNote, ...]
    skipped: tuple[Skipped, ...] = ()

    def show(self, page: Page) -> None:
        if not self.notes:
            page.line(NOTHING)
        for verdict, head in _HEADS.items():
            group = [note for note in self.notes if note.verdict is verdict]
            if group:
                page.line((f"{head} ({len(group)})", HEAD))
            for note in group[:_MOST]:
                facts = " · ".join(filter(None, (note.label, note.type, ago(note.at, now=page.now))))
                claimed = [("  came with the repo", WARN)] if note.trust is Trust.CLAIMED else []
                title = one_line(note.title, limit=80)
                page.line("  ", (note.short_id, ID), "  ", title, (f"  {facts}", FAINT), *claimed, hang=INDENT)
                for rule in note.rules:
                    page.line(" " * INDENT, one_line(rule.content), *_outcome(rule), hang=INDENT + 2)
                if note.private:
                    page.faint(" " * INDENT + f"contains {', '.join(note.private)}", hang=INDENT + 2)
            if len(group) > _MOST:
                page.faint(f"  {len(group) - _MOST} more: to list all notes, run `memsuggest notes --format json`")
            if group:
                page.line()
        if double := [note for note in self.notes if note.drop]:
            page.line(("Duplicates of applied rules, with a message for your assistant", HEAD))
            for note in double:
                page.line("  ", (note.label, ID), "  ", one_line(note.drop), hang=4)
            page.line()
        for skip in self.skipped[:_MOST]:
            page.line(("  skipped  ", FAINT), f"{one_line(skip.what)}: {one_line(skip.why)}", hang=4)
        if any(note.verdict is Verdict.SUGGESTED for note in self.notes) and not page.quiet:
            page.faint(
                "run `memsuggest list` to list suggestions, or `memsuggest notes show ID` to show a note with "
                "its evidence"
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteShown:
    """One note with its full text."""

    note: KnownNote
    text: Annotated[str, "The full text, with secrets redacted."]

    def show(self, page: Page) -> None:
        note = self.note
        page.line((one_line(note.title), HEAD))
        when = ago(note.at, now=page.now)
        page.faint(" · ".join(filter(None, (note.label, note.type, when, note.shown, str(note.verdict)))))
        page.line()
        page.block(self.text, indent="  ")
        page.head(f"Rules ({len(note.rules)})")
        for rule in note.rules:
            page.line("  ", one_line(rule.content), *_outcome(rule), hang=4)
            if rule.text:
                page.line(("    the file  ", FAINT), in_quotes(rule.text), hang=6)
            if rule.quote:
                who = "you typed  " if rule.is_theirs else "typed before the note was written  "
                page.line((f"    {who}", FAINT), in_quotes(rule.quote), hang=6)
            else:
                page.faint(f"    written by {note.label}; no quote found")
            if rule.why:
                page.faint(f"    only for your own files: {rule.why}")
        if note.private:
            page.faint(f"  private details left out: {', '.join(note.private)}")
        if note.drop:
            page.line(("  tell your assistant  ", FAINT), one_line(note.drop), hang=4)


NOTHING = "No assistant notes found for this workspace."
_HEADS = {
    Verdict.CONTRADICTS: "Conflicts with a file",
    Verdict.SUGGESTED: "Suggested, pending your approval",
    Verdict.STALE: "About files or names that no longer exist",
    Verdict.PERSONAL: "About you: suggested only for your own files",
    Verdict.SAID: "Already in a file",
    Verdict.PRIVATE: "Private: not suggested",
    Verdict.PASSING: "Temporary status: nothing to suggest",
    Verdict.REFERENCE: "Reference only: nothing to suggest",
}
_MOST = 40  # notes of a group that are listed
_OPEN = {Verdict.SUGGESTED, Verdict.PERSONAL}
_RESULTS = {Verdict.SAID: "already in", Verdict.CONTRADICTS: "conflicts with", Verdict.STALE: "not found:"}


def _outcome(rule: NoteRule) -> list[str | tuple[str, str]]:
    result = (f"  {_RESULTS.get(rule.verdict, rule.verdict)} {one_line(rule.what)}", PATH)
    twin = (f"  also in {one_line(rule.twin)}", FAINT)
    return [*([] if rule.verdict in _OPEN else [result]), *([twin] if rule.twin else [])]
