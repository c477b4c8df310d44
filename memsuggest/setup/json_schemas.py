"""JSON that each command prints: the shapes of its reports, and their JSON Schemas."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from difflib import get_close_matches

from memsuggest.core import plain_reports as plain
from memsuggest.core.errors import MemsuggestError
from memsuggest.core.json_shape import DIALECT, VERSION, Schema, about, definitions_of, name_of, reference_to
from memsuggest.customizations import target_reports
from memsuggest.facts import fact_reports as facts
from memsuggest.facts.codec import file_schema
from memsuggest.facts.facts_file import PLACE
from memsuggest.graphiti import graphiti_reports
from memsuggest.held import held_report
from memsuggest.judging import model_reports
from memsuggest.learning import learning_reports
from memsuggest.memory import app_reports as apps
from memsuggest.memory import recall_reports as recall
from memsuggest.notes.note import NoteRows, NoteShown
from memsuggest.pull_requests.comment_text import PullRequestReport
from memsuggest.report import report_data
from memsuggest.setup import doctor_report
from memsuggest.setup.plan import SetUp
from memsuggest.suggestions import decision_reports, status_report
from memsuggest.transcripts import look_at_transcripts

FILE = "facts.json"

REPORTS: Mapping[str, tuple[type, ...]] = {
    "reconcile": (learning_reports.Reconciled,),
    "extract": (learning_reports.Extracted,),
    "remember": (facts.FactsChanged,),
    "ask": (model_reports.Asked, model_reports.NothingAsked),
    "answer": (model_reports.Answered,),
    "watch": (status_report.Notice,),
    "notes": (NoteRows,),
    "notes show": (NoteShown,),
    "list": (decision_reports.Listing, decision_reports.Maybes),
    "show": (decision_reports.Shown, facts.FactShown, decision_reports.Listing),
    "apply": (decision_reports.Applied,),
    "move": (decision_reports.Moved, decision_reports.Places),
    "edit": (decision_reports.Applied,),
    "dismiss": (decision_reports.Dismissed,),
    "undo": (decision_reports.Undone, decision_reports.TakenRows),
    "status": (status_report.Status, plain.BadgeFileJson),
    "suggest": (target_reports.Ranking,),
    "targets": (target_reports.TargetRows,),
    "transcripts": (look_at_transcripts.TranscriptRows, look_at_transcripts.TranscriptShown),
    "redact": (plain.RedactedJson,),
    "held": (held_report.HeldReport,),
    "report": (report_data.WorkspaceReport,),
    "comment": (PullRequestReport, plain.PostedJson, plain.RequestsJson),
    "recall": (recall.RecallReport, recall.RecallLog),
    "memory list": (recall.EntryRows, facts.FactRows, apps.AppRows),
    "memory show": (recall.EntryRows, facts.FactShown, recall.IdentityReport, apps.AppShown),
    "memory add": (recall.EntryChanged, apps.AppsLearned),
    "memory edit": (recall.EntryChanged, facts.FactsChanged, recall.EntriesChanged),
    "memory confirm": (recall.EntryChanged, facts.FactsChanged),
    "memory deactivate": (recall.EntryChanged,),
    "memory remove": (recall.EntriesChanged,),
    "memory forget": (recall.EntriesChanged, facts.FactsChanged, apps.AppForgotten),
    "memory learn": (apps.AppsLearned,),
    "memory context": (apps.AppContext,),
    "memory purge": (apps.AppForgotten,),
    "memory import": (recall.EntriesChanged, facts.Imported),
    "memory export": (recall.EntryRows, facts.ExportedFacts),
    "memory clean": (facts.Cleaned, facts.Checked, facts.Pruned, model_reports.Consolidated, plain.TidiedJson),
    "memory merge": (plain.MergedJson,),
    "memory resolve": (plain.MergedJson, plain.MendedJson),
    **dict.fromkeys(("memory merge-driver install", "memory merge-driver uninstall"), (plain.MergeDriverJson,)),
    "memory repair": (recall.MemoryRepaired,),
    **dict.fromkeys(("consent grant", "consent revoke", "consent show"), (model_reports.ConsentShown,)),
    "usage": (model_reports.UsageShown,),
    **dict.fromkeys(("graphiti on", "graphiti off", "graphiti show"), (graphiti_reports.GraphitiShown,)),
    "graphiti test": (graphiti_reports.GraphitiTried,),
    "graphiti promote": (graphiti_reports.Promoted,),
    "graphiti retry": (plain.GraphitiRetriedJson,),
    "serve": (plain.AdminServedJson,),
    **dict.fromkeys(("mcp install", "mcp uninstall"), (plain.HostFileChangedJson,)),
    "mcp show": (plain.ServersShownJson,),
    **dict.fromkeys(("hooks install", "hooks uninstall"), (plain.HostFileChangedJson, plain.SkillChangedJson)),
    "hooks show": (plain.HooksShownJson,),
    "trust": (plain.TrustJson,),
    "config show": (plain.SettingsShown,),
    "config get": (plain.SettingJson,),
    "config set": (plain.SettingSetJson,),
    "config unset": (plain.SettingUnsetJson,),
    "setup": (SetUp,),
    "doctor": (doctor_report.Examined,),
}
"""By command, in the order of the help, the shapes that it prints: one of them at a time."""

_ABOUT_VERSION = "Format version; keys may be added without changing it."


def find_schema(command: str, *, silent: Collection[str] = ()) -> Schema:
    """Return the JSON Schema of what a command prints, or of the shared file; raises MemsuggestError.

    `silent` are the commands that there are beside those that print JSON.
    """
    if command in (FILE, PLACE):
        return {"$schema": DIALECT, "title": FILE, **file_schema()}
    if command not in REPORTS:
        inner = [name for name in REPORTS if name.startswith(f"{command} ")]
        if command in silent and not inner:
            hint = "run `memsuggest schema` to list commands that do"
            raise MemsuggestError(f"`{command}` prints no JSON", hint=hint)
        # Else the commands that are spelled almost so; all of them, by their first words, where none is
        first = [*dict.fromkeys(name.split()[0] for name in REPORTS), FILE]
        near = get_close_matches(command, REPORTS, cutoff=0.75) or first
        what = f"`{command}` has subcommands" if inner else f"there is no command `{command}`"
        raise MemsuggestError(what, hint="choose one of: " + ", ".join(inner or near))
    shapes, title = REPORTS[command], f"memsuggest {command} --format json"
    return {"$schema": DIALECT, "title": title, **_either(shapes), "$defs": _definitions(shapes)}


def _either(shapes: tuple[type, ...]) -> Schema:
    references = [reference_to(shape) for shape in shapes]
    return references[0] if len(references) == 1 else {"anyOf": references}


def every_schema() -> Schema:
    """Return all of them in one document: each command's report under `properties`, by the command."""
    commands = {command: _either(shapes) for command, shapes in REPORTS.items()}
    return {
        "$schema": DIALECT,
        "title": "What memsuggest prints as JSON, by command",
        "type": "object",
        "properties": {**commands, FILE: file_schema()},
        "$defs": _definitions(tuple(dict.fromkeys(shape for shapes in REPORTS.values() for shape in shapes))),
    }


def _definitions(shapes: tuple[type, ...]) -> dict[str, Schema]:
    """Return the definitions; a report has its version first, where its shape does not say so itself."""
    found = definitions_of(*shapes)
    for shape in shapes:
        schema = found[name_of(shape)]
        if "version" not in schema["properties"]:
            version = {"description": _ABOUT_VERSION, "type": "integer", "const": VERSION}
            schema["properties"] = {"version": version, **schema["properties"]}
            schema["required"] = ["version", *schema["required"]]
    return found


def list_schemas() -> list[tuple[str, str]]:
    """Return what prints JSON, each with a sentence about it."""
    rows = [(command, " · ".join(about(shape) for shape in shapes)) for command, shapes in REPORTS.items()]
    return [*rows, (FILE, "The team's facts: the file itself.")]
