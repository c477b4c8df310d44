"""The nouns, as frozen values. Knows nothing but the standard library, `errors` and `identity`.

Every text in here has passed `redact` already: readers let nothing else out.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Annotated, ClassVar

from memsuggest.core.errors import Skipped
from memsuggest.core.identity import fact_id, hash_of, normalised, session_hash
from memsuggest.core.json_shape import Also, Hidden, IfAny, Key, three_digits
from memsuggest.core.text.when import iso, iso_time

__all__ = ["Skipped", "fact_id", "hash_of", "normalised"]

QUOTE_LIMIT = 300  # characters of a citation's quote
BY_HAND, BY_HAND_FORMAT = "by-hand", "command line"
"""The session, and its format, that a fact stated on the command line cites."""
CONFIRMED = "confirmed"
UPDATE = "update"
"""The tag of what says that something changes: "from now on …", "we switched to …"."""
AGAIN = "again"
"""The tag of what says that it was said before: "again: …", "as I said, …"."""
NOTED = "note"
"""The last word of a citation's format where an assistant noted it for itself."""
SUGGEST_FROM = 0.6
"""Confidence from which something is suggested; below it, it is at most a maybe. The `threshold` setting can only raise
it."""


class Outcome(StrEnum):
    """The fate of a candidate: shown and counted, or kept aside until there is more to it."""

    SUGGEST = "suggest"
    MAYBE = "maybe"


class Scope(StrEnum):
    """Whom a fact concerns: everybody in this workspace, or this person everywhere."""

    WORKSPACE = "workspace"
    USER = "user"


class Kind(StrEnum):
    """The sort of a fact."""

    CORRECTION = "correction"
    CONVENTION = "convention"
    PREFERENCE = "preference"
    PROCEDURE = "procedure"
    TERMINOLOGY = "terminology"
    FACT = "fact"
    SKILL = "skill"
    OBSERVATION = "observation"


class Trust(StrEnum):
    """The origin of a text, set by the reader and never taken from the text; most trusted first."""

    TYPED = "typed"
    CONFIRMED = "confirmed"
    DOUBTFUL = "doubtful"
    """Typed or pasted, nobody can tell: enough for a maybe, never by itself for a suggestion."""
    SHARED = "shared"
    QUOTED = "quoted"
    AGENT = "agent"
    CLAIMED = "claimed"
    OUTSIDE = "outside"


PERSONS = frozenset({Trust.TYPED, Trust.CONFIRMED, Trust.DOUBTFUL})
"""Trust in words of the person, certain or doubtful."""


class Role(StrEnum):
    """The speaker of a turn."""

    USER = "user"
    ASSISTANT = "assistant"


class FactStatus(StrEnum):
    """`inactive` facts were corrected: kept for audit, never suggested."""

    ACTIVE = "active"
    INACTIVE = "inactive"


class TargetType(StrEnum):
    """The kinds of customization files, in the order in which they are preferred."""

    INSTRUCTIONS = "instructions"
    AGENT = "agent"
    SKILL = "skill"
    PROMPT = "prompt"
    HOOK = "hook"
    NEW_FILE = "newFile"


class SuggestionStatus(StrEnum):
    """The person's decision."""

    PENDING = "pending"
    APPLIED = "applied"
    DISMISSED = "dismissed"


class Cause(StrEnum):
    """The cause for care of a customization file that nobody asked for."""

    LINT = "lint"
    STALE = "stale"
    BUDGET = "budget"
    UNHELD = "unheld"
    """A rule had to be said again."""
    UNREAD = "unread"
    """The assistant that was corrected does not read the file of the rule."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Signals:
    """Signals about a message besides its text; missing signals are left out."""

    vote: Annotated[IfAny[int], "1 if you gave the assistant's message a thumbs-up, -1 for a thumbs-down."] = 0
    after_interruption: Annotated[IfAny[bool], "You stopped the assistant right before typing this message."] = False
    rejected_tool: Annotated[IfAny[str | None], "The tool call whose rejection this message explains."] = None
    remember: Annotated[IfAny[bool], "Whether you used the assistant's own remember command."] = False
    undone: Annotated[IfAny[bool], "The edits that followed this message were undone."] = False
    kept: Annotated[IfAny[bool], "The edits that followed this message were explicitly kept."] = False
    changed: Annotated[IfAny[bool], "The edits that followed this message were changed before they were kept."] = False
    edited_command: Annotated[IfAny[str | None], "The command line after your correction."] = None
    proposed_command: Annotated[IfAny[str | None], "The command line as the assistant proposed it."] = None
    customizations: Annotated[IfAny[tuple[str, ...]], "Customization files, agents and skills in use."] = ()
    model: IfAny[str | None] = None
    agent: Annotated[IfAny[str | None], "The agent, mode or participant that answered."] = None


NO_SIGNALS = Signals()


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One message."""

    number: Annotated[int, "Number of the message, starting at 1."]
    role: Role
    typed: Annotated[str, "Exactly what you typed, with secrets redacted; empty if you typed nothing."] = ""
    quoted: Annotated[
        tuple[tuple[int, int], ...], "`[start, end]` ranges of `typed` that are fenced, quoted or pasted."
    ] = ()
    doubtful: Annotated[
        tuple[tuple[int, int], ...], "`[start, end]` ranges of `typed` that may be fenced, quoted or pasted."
    ] = ()
    cwd: Annotated[str | None, "The assistant's working directory."] = None
    at: Annotated[datetime | None, "Time of the message, in ISO 8601 format.", iso_time] = None
    branch: str | None = None
    paths: Annotated[tuple[str, ...], "Files that were attached, read or written."] = ()
    signals: Signals = NO_SIGNALS
    text: Hidden[str] = ""
    """The assistant's words (shortened in the middle when long); empty in a turn of the person."""
    key: Hidden[str] = ""
    """The format's own id of this message, the same in every copy of the session; empty where there is none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Transcript:
    """One chat session, as far as we use it."""

    session_id: str
    format: str
    """The reader's name: `claude-code`, `vscode-chat`, `specstory`, …"""
    origin: str
    """The file it was read from."""
    workspace: str | None = None
    """The folder the session worked in, where the format says so."""
    turns: tuple[Turn, ...] = ()
    files_written: tuple[str, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    trust: Trust = Trust.TYPED
    """`claimed` for a transcript that somebody else may have put there; its typed text counts no more than that."""
    context: int = 0
    """Number of the last turn that is only there for understanding those behind it; 0 for a whole session."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Citation:
    """A verbatim quote and its location."""

    session_id: Annotated[str, "The chat's ID."]
    turn: Annotated[int, "Number of the message in the chat, starting at 1."]
    quote: Annotated[str, "The quoted text, with secrets redacted; at most 300 characters."]
    paths: Annotated[tuple[str, ...], "Files mentioned nearby; paths inside the repo are relative to its root."] = ()
    trust: Annotated[Trust, "Source of the quote."] = Trust.TYPED
    format: Annotated[str, "Transcript format; empty if unknown."] = ""
    at: Annotated[datetime | None, "Time of the message, in ISO 8601 format.", iso_time] = None
    in_use: Hidden[tuple[str, ...]] = ()
    """Customization files, agents, skills and prompts that were in use when it was said, by path or name."""

    def __post_init__(self) -> None:
        if len(self.quote) > QUOTE_LIMIT:
            raise ValueError(f"a quote can have at most {QUOTE_LIMIT} characters; this one has {len(self.quote)}")

    @property
    def is_by_hand(self) -> bool:
        """Tell whether it was given to a command, and said in no chat."""
        return self.format == BY_HAND_FORMAT

    @property
    def is_note(self) -> bool:
        return self.format.endswith(f" {NOTED}")

    @property
    def evidence_key(self) -> str:
        """Identity of the evidence itself, whatever is made of it."""
        return hash_of(self.session_id, str(self.turn), " ".join(self.quote.split()))


def outcome_of(confidence: float, citations: Collection[Citation]) -> Outcome:
    """Return what a statement of this confidence comes to; one that rests on doubtful words alone is a maybe."""
    is_weak = confidence < SUGGEST_FROM  # first: there may be thousands of citations
    is_weak = is_weak or (bool(citations) and all(citation.trust is Trust.DOUBTFUL for citation in citations))
    return Outcome.MAYBE if is_weak else Outcome.SUGGEST


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A rule found in a transcript; not stored yet, so without an ID."""

    content: Annotated[str, "The rule, on one line."]
    reason: Annotated[str, "The stated reason; empty if none was given."] = ""
    kind: Kind = Kind.FACT
    scope: Annotated[Scope, "`workspace`: applies to this repo; `user`: applies to you in every repo."] = (
        Scope.WORKSPACE
    )
    confidence: Annotated[float, "Confidence from 0 to 1.", three_digits]
    _outcome: ClassVar = Also("outcome", Outcome, "`suggest`: confident enough to suggest; `maybe`: low confidence.")
    found_by: Annotated[str, "The rule or model that found this candidate."]
    explicit: Annotated[bool, "Whether you gave a directive, such as `remember: …`."] = False
    tags: tuple[str, ...] = ()
    citations: Annotated[tuple[Citation, ...], "Quotes that support the rule."]

    def __post_init__(self) -> None:
        if not 0 <= self.confidence <= 1:
            raise ValueError(f"confidence {self.confidence} is not between 0 and 1")
        if not self.citations:
            raise ValueError("a candidate must have evidence")

    @property
    def outcome(self) -> Outcome:
        return outcome_of(self.confidence, self.citations)


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryFact:
    """A stored fact."""

    JSON_NAME = "Fact"
    id: Annotated[str, "The fact's ID; editing the text does not change it."]
    content: Annotated[str, "The rule, on one line."]
    reason: Annotated[str, "The stated reason; empty if none was given."] = ""
    kind: Kind = Kind.FACT
    scope: Annotated[Scope, "`workspace`: applies to this repo; `user`: applies to you in every repo."] = (
        Scope.WORKSPACE
    )
    confidence: Annotated[float, "Confidence from 0 to 1."]
    _outcome: ClassVar = Also("outcome", Outcome, "`suggest`: confident enough to suggest; `maybe`: low confidence.")
    status: Annotated[FactStatus, "`inactive` facts were replaced and are kept only for reference."] = FactStatus.ACTIVE
    superseded_by: Annotated[str | None, "ID of the fact that replaced this one."] = None
    tags: tuple[str, ...] = ()
    timestamp: Annotated[int, "Time of the earliest evidence, in milliseconds since the Unix epoch."]
    source_session_id: Annotated[str, "Hash of the chat with the earliest evidence."] = ""
    citations: Annotated[tuple[Citation, ...], "Quotes that support the rule."] = ()
    paths: Annotated[IfAny[tuple[str, ...]], "Files the fact is about, besides those listed in its quotes."] = ()
    """Cited files, as they stand in the shared file, where the quotes are not."""
    unknown: Hidden[Mapping[str, object]] = field(default_factory=dict)
    """Keys of the shared file that this version does not know; kept as they are."""
    is_shared: Hidden[bool] = field(default=False, compare=False)
    """True for a fact from the team's file: everybody sees the same of it."""

    @property
    def outcome(self) -> Outcome:
        return outcome_of(self.confidence, self.citations)

    @property
    def cited_paths(self) -> tuple[str, ...]:
        """The files that it and its evidence mention, each once; not the line of a document that merely says it."""
        cited = (path for citation in self.citations for path in citation.paths if "#L" not in path)
        return tuple(dict.fromkeys([*self.paths, *cited]))

    @property
    def is_confirmed(self) -> bool:
        """Tell whether somebody stands for its wording: confirmed, stated by hand, or written into the file itself."""
        named = any(citation.is_by_hand or citation.session_id == session_hash(BY_HAND) for citation in self.citations)
        return named or CONFIRMED in self.tags or not self.citations

    @property
    def is_only_written(self) -> bool:
        return is_only_of_assistants(self.citations)

    @property
    def is_noted(self) -> bool:
        """Tell whether an assistant noted it, and the person never said it: each needs a yes of its own."""
        is_note = any(citation.is_note for citation in self.citations)
        return is_note and all(citation.trust in _NOT_SAID for citation in self.citations)


_NOT_SAID = frozenset({Trust.AGENT, Trust.CLAIMED, Trust.QUOTED})


def is_only_of_assistants(citations: Iterable[Citation]) -> bool:
    """Tell whether nobody said it; what the person typed before it was noted is only shown beside it."""
    trusts = {citation.trust for citation in citations if citation.trust is not Trust.QUOTED}
    return trusts == {Trust.AGENT}


def is_maybe(said: Candidate | MemoryFact) -> bool:
    """Tell whether something is kept aside: the person said it, or may have, and it is not sure enough to be suggested.

    What others wrote (an assistant, a file of the repo) is no maybe: it waits for the person's word in its own place.
    """
    return said.outcome is Outcome.MAYBE and any(citation.trust in PERSONS for citation in said.citations)


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A stretch of a Markdown body under one heading (or before the first, with `heading` empty)."""

    heading: str
    level: int
    """1 to 6; 0 before the first heading."""
    path: tuple[str, ...]
    """Headings from the outermost to this one; empty before the first heading."""
    start: int
    """Index of the heading's line in the whole file, from 0 (of the body's first line for the preface)."""
    end: int
    """Index of the line after the section's own text: the next heading of any level, or the end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """An existing customization file, or the place for a new one."""

    type: TargetType
    uri: str
    """POSIX and relative to the root; `~/…` for the person's own files."""
    title: str = ""
    description: str = ""
    applies_to: str | None = None
    """The `applyTo` (or joined `paths`) as the host reads it; `**` for always-on files; None where none is given."""
    always_on: bool = False
    """AGENTS.md, CLAUDE.md, copilot-instructions.md and their like."""
    scope: Scope = Scope.WORKSPACE
    sections: tuple[Section, ...] = ()
    text: str = ""
    """The whole file, exactly (BOM, CRLF and all)."""
    digest: str = ""

    @property
    def folder(self) -> str:
        """The folder that the file lies in, POSIX, empty for the root."""
        return self.uri.rpartition("/")[0]


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """One file's text before and after; the diff is derived from it."""

    path: str
    """Like `Target.uri`."""
    before: str | None
    """None: the file does not exist."""
    after: str | None
    """None: the file is removed (only ever by `undo`)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LineChange:
    """Lines that replace others in a file."""

    JSON_NAME = "Lines"
    first: Annotated[int, "First line to replace, starting at 1."]
    last: Annotated[int, "Last line to replace."]
    lines: Annotated[tuple[str, ...], "The new lines, without line endings.", Key("text")]


@dataclass(frozen=True, slots=True, kw_only=True)
class Maintenance:
    """Something that a customization file needs, whatever anybody said."""

    id: str
    """Identity of the trouble: of the lint or cause, the file, and the words that it is about."""
    cause: Cause
    content: str
    """The trouble in a sentence; the edit puts it right."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MemorySuggestion:
    """This fact belongs in that target, there, like this; or that target needs this care."""

    id: str
    fact: MemoryFact | None = None
    maintenance: Maintenance | None = None
    """In the place of a fact."""
    target_type: TargetType
    target_uri: str | None = None
    suggested_file_name: str | None = None
    suggested_merge_content: str
    """The lines as they are to stand in the file."""
    heading: str | None = None
    replaces: str | None = None
    """The line of the target that is replaced or merged, if any."""
    why: str = ""
    status: SuggestionStatus = SuggestionStatus.PENDING
    base_digest: str = ""
    """Digest of the target that it was computed from; empty for a new file."""
    edit: Edit
    executable: bool = False
    """Hooks and agents' tool lists: confirmed one by one, never in bulk."""
    contradicts: bool = False
    """A model says that the line which it replaces says the opposite: the person chooses, never in bulk."""
    weakens: bool = False
    """A model says that whoever follows it has less safety: never in bulk."""

    def __post_init__(self) -> None:
        if (self.fact is None) == (self.maintenance is None):
            raise ValueError("a suggestion is about a fact or is maintenance")

    @property
    def about(self) -> str:
        """The id of the fact or of the care: what is decided about."""
        return self.fact.id if self.fact else self.maintenance.id if self.maintenance else ""

    @property
    def content(self) -> str:
        """The rule; of care, what is wrong."""
        return self.fact.content if self.fact else self.maintenance.content if self.maintenance else ""

    @property
    def citations(self) -> tuple[Citation, ...]:
        """The evidence; care has none."""
        return self.fact.citations if self.fact else ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """A decision about a fact: for one target, or everywhere (`target` None)."""

    fact_id: str
    target: str | None
    status: SuggestionStatus


@dataclass(frozen=True, slots=True, kw_only=True)
class Tombstone:
    """A forgotten fact: neither it, nor its evidence, nor its words come back by themselves."""

    fact_id: str
    words: str = ""
    """Digest of the normalised content."""
    evidence: tuple[str, ...] = ()
    into: str = ""
    """The fact that it was merged into (which has its evidence then) or replaced by, when nobody wanted it forgotten;
    said anew, such a fact may come back."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Contradiction:
    """Two facts that contradict each other."""

    winner: Annotated[MemoryFact, "The more recently stated fact."]
    loser: MemoryFact
    why: str


class AppMaker(StrEnum):
    """The maker of a memory or a decision."""

    RULE = "rule"
    MODEL = "model"
    PERSON = "person"
    API = "api"
    """Whoever has the token of the admin API."""


class AppAction(StrEnum):
    """A decision about a memory."""

    CREATE = "create"
    UPDATE = "update"
    """The conversation went on, or the person worded it anew."""
    MERGE = "merge"
    """The new memory went into one that was there."""
    DELETE = "delete"
    PURGE = "purge"


@dataclass(frozen=True, slots=True, kw_only=True)
class AppMemory:
    """A memory of one conversation."""

    id: int
    content: str
    created_at: Annotated[int, "Time the memory was created, in ISO 8601 format.", iso]
    updated_at: Annotated[int, "Time of the last change, in ISO 8601 format.", iso]
    conversation: Annotated[str | None, "The chat this memory comes from; null if added by hand."] = None
    related: Annotated[tuple[str, ...], "Other chats merged into this memory."] = ()
    importance: Annotated[int, "Importance from 0 to 10."] = 3
    tags: tuple[str, ...] = ()
    made_by: ClassVar = Also("maker", str, "`rule`, `model` or `person`.")
    app_id: Hidden[str]
    maker: Hidden[AppMaker] = AppMaker.RULE
    workspace: Hidden[str] = ""
    """The key of the workspace that it is about; empty for all."""
    digest: Hidden[str] = ""
    """Identity of the words that it was made of, so that the same are not looked at twice."""

    @property
    def conversations(self) -> tuple[str, ...]:
        return (*((self.conversation,) if self.conversation else ()), *self.related)


@dataclass(frozen=True, slots=True, kw_only=True)
class AppDecision:
    """A decision about a memory."""

    at: Annotated[int, "Time of the decision, in ISO 8601 format.", iso]
    action: Annotated[AppAction, "`create`, `update`, `merge`, `delete` or `purge`.", str]
    memory_id: Annotated[int | None, "The memory's ID.", Key("memory")]
    conversation: Annotated[str | None, "The chat this memory comes from."]
    reason: str
    by: Annotated[AppMaker, "`rule`, `model`, `person` or `api`.", str]
    app_id: Hidden[str]
