"""Candidates and the results of a run, as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, NotRequired, TypedDict

from memsuggest.asking.prices import MICROS
from memsuggest.config import Mode
from memsuggest.model import Outcome
from memsuggest.render.as_json.filling import From, or_null
from memsuggest.render.as_json.model_shapes import PostponedJson, RequestJson
from memsuggest.render.as_json.shared_shapes import CandidateJson, FactJson, SkippedJson
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


def _dollars(micros: int) -> float:
    return micros / MICROS


class BatchJson(TypedDict):
    """The receipt of batches: sent, come back, and not."""

    sent: Annotated[int, "Questions that were sent in this run."]
    answered: Annotated[int, "Questions of which the answers came, and were kept, in this run."]
    failed: Annotated[dict[str, int], "Questions that got no usable answer, by what happened.", From("failures")]
    waiting: Annotated[int, "Questions that are not answered yet."]
    unplaced: Annotated[int, "Answers about chats that were not found in this run; they wait until they are."]
    left: Annotated[int, "Questions for which the budgets have no room."]
    isDeclined: Annotated[bool, "Whether you did not want a batch to be sent.", From("is_declined")]
    isUnsure: Annotated[bool, "Whether nobody can tell yet if a batch arrived.", From("is_unsure")]
    inputTokens: Annotated[int, "Tokens that were sent, of what came back.", From("usage.prompt")]
    outputTokens: Annotated[int, "Tokens of what came back.", From("usage.output")]
    dollars: Annotated[float, "What that cost.", From("micros", _dollars)]


class ReconciledJson(TypedDict):
    """The results of a run: read, learned, suggested."""

    mode: Mode
    engine: Annotated[str, "Who judged: `offline`, or the engine that was asked."]
    better: Annotated[str | None, "What would have judged better, and the command for it.", From(to=or_null)]
    lastRun: Annotated[str | None, "When chats were last read before this run, as ISO 8601; null: never.", From(to=iso)]
    dryRun: Annotated[bool, "Whether nothing was stored.", From("is_dry")]
    transcriptsRead: Annotated[int, "Chats that were read in this run.", From("read")]
    transcriptsUnchanged: Annotated[int, "Chats that are known and have not changed.", From("unchanged")]
    newFacts: int
    sharedFacts: Annotated[int, "Facts that this run wrote to the team's file."]
    joined: Annotated[int, "Facts that went into others which say the same, as a model judged."]
    raised: Annotated[int, "Maybes that are suggested now, as a model judged."]
    maybes: Annotated[int, "How much is kept aside: `list --maybe` shows it."]
    pruned: Annotated[list[FactJson], "Facts beyond the limits, which are forgotten now."]
    postponed: Annotated[list[PostponedJson], "Chats that a model was asked about in vain; they stay pending."]
    inBatch: Annotated[int, "Chats that a batch is asked about, which has not answered yet.", From("in_batch")]
    batch: Annotated[BatchJson | None, "What was asked in batches; null where nothing was."]
    requests: Annotated[list[RequestJson], "In a dry run: what would be sent to a model."]
    suggestions: Annotated[list[SuggestionJson], "Everything that waits now, best first."]
    care: Annotated[list[SuggestionJson], "What customization files need by themselves.", From("maintenance")]
    careHeld: Annotated[
        dict[str, int],
        "By file, how much more care it needs: shown once what is shown now is settled.",
        From("maintenance_held"),
    ]
    staleFacts: Annotated[int, "Facts that speak of what is gone: `facts check --stale` shows them."]
    contradictions: list[ContradictionJson]
    receipts: Annotated[list[FactJson], "Facts that directives such as `remember: …` made at once."]
    written: Annotated[list[FactJson], "New facts that only a document of an assistant says: they wait for your word."]
    writtenBefore: Annotated[int, "How many more such facts wait since earlier runs."]
    alreadyThere: list[AlreadyThereJson]
    skipped: list[SkippedJson]


class VerdictJson(TypedDict):
    """The outcome for a sentence."""

    turn: Annotated[int, "The number of the message in the chat, from 1."]
    text: str
    outcome: Annotated[Outcome | None, "What it became; null where nothing."]
    kept: Annotated[bool, "Whether it became anything."]
    why: str


class ExtractionJson(TypedDict):
    """The findings of an engine in one transcript."""

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
    """The findings in transcripts."""

    engine: Annotated[str, "Who judged: `offline`, or the engine that was asked."]
    transcripts: Annotated[list[ExtractionJson], From("extractions")]
    skipped: Annotated[list[SkippedJson], "Files that could not be read."]
