"""What was learned, as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, NotRequired, TypedDict

from memsuggest.config import Mode
from memsuggest.model import Outcome
from memsuggest.render.as_json.filling import From, or_null
from memsuggest.render.as_json.model_shapes import PostponedJson, RequestJson
from memsuggest.render.as_json.noun_shapes import CandidateJson, FactJson, SkippedJson
from memsuggest.render.as_json.suggestion_shapes import ContradictionJson, SuggestionJson
from memsuggest.render.when import iso

if TYPE_CHECKING:
    from memsuggest.model import Transcript
    from memsuggest.reports.learning_reports import Extraction


def _typed_turns(transcript: Transcript) -> int:
    return sum(1 for turn in transcript.turns if turn.typed)


def _verdicts(extraction: Extraction) -> list[dict[str, object]]:
    return [
        {"turn": turn, "text": text, "outcome": outcome, "kept": outcome is not None, "why": why}
        for turn, text, outcome, why in extraction.verdicts
    ]


class AlreadyThereJson(TypedDict):
    """A fact that a customization file says already."""

    factId: Annotated[str, From("fact.id")]
    content: Annotated[str, "The rule.", From("fact.content")]
    targetUri: Annotated[str, "The file."]
    line: Annotated[int, "From 1."]


class ReconciledJson(TypedDict):
    """What a run read, learned and suggests."""

    mode: Mode
    engine: Annotated[str, "Who judged: `offline`, or the engine that was asked."]
    better: Annotated[str | None, "What would have judged better, and the command for it.", From(to=or_null)]
    lastRun: Annotated[str | None, "When chats were last read before this run, as ISO 8601; null: never.", From(to=iso)]
    dryRun: Annotated[bool, "Whether nothing was stored.", From("is_dry")]
    transcriptsRead: Annotated[int, "Chats that were read in this run.", From("read")]
    transcriptsUnchanged: Annotated[int, "Chats that are known and have not changed.", From("unchanged")]
    newFacts: int
    mergeable: Annotated[int, "Facts that could be merged into others: `consolidate` shows them.", From("alike")]
    maybes: Annotated[int, "How much is kept aside: `list --maybe` shows it."]
    pruned: Annotated[list[FactJson], "Facts beyond the limits, which are forgotten now."]
    postponed: Annotated[list[PostponedJson], "Chats that a model was asked about in vain; they stay pending."]
    requests: Annotated[list[RequestJson], "In a dry run: what would be sent to a model."]
    suggestions: Annotated[list[SuggestionJson], "Everything that waits now, best first."]
    care: Annotated[list[SuggestionJson], "What customization files need by themselves.", From("maintenance")]
    contradictions: list[ContradictionJson]
    receipts: Annotated[list[FactJson], "Facts that directives such as `remember: …` made at once."]
    written: Annotated[list[FactJson], "New facts that only a document of an assistant says: they wait for your word."]
    writtenBefore: Annotated[int, "How many more such facts wait since earlier runs."]
    alreadyThere: list[AlreadyThereJson]
    skipped: list[SkippedJson]


class VerdictJson(TypedDict):
    """What became of a sentence."""

    turn: Annotated[int, "The number of the message in the chat, from 1."]
    text: str
    outcome: Annotated[Outcome | None, "What it became; null where nothing."]
    kept: Annotated[bool, "Whether it became anything."]
    why: str


class ExtractionJson(TypedDict):
    """What an engine finds in one transcript."""

    path: str
    format: Annotated[str, "The name of its reader, as `claude-code`.", From("transcript.format")]
    sessionId: Annotated[str, "The chat's own id.", From("transcript.session_id")]
    typedTurns: Annotated[int, "In how many messages the person typed something.", From("transcript", _typed_turns)]
    facts: Annotated[list[CandidateJson], From("candidates")]
    skipped: list[SkippedJson]
    verdicts: Annotated[
        NotRequired[list[VerdictJson]], "With `--explain`: what became of each sentence.", From(".", _verdicts)
    ]


class ExtractedJson(TypedDict):
    """What transcripts have worth remembering."""

    engine: Annotated[str, "Who judged: `offline`, or the engine that was asked."]
    transcripts: Annotated[list[ExtractionJson], From("extractions")]
    skipped: Annotated[list[SkippedJson], "Files that could not be read."]
