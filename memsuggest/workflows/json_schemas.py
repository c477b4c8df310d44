"""JSON that each command prints: the shapes of its reports, and their JSON Schemas."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING

from memsuggest.errors import MemsuggestError
from memsuggest.json_schema import DIALECT, Schema, about, definitions_of, name_of, reference_to
from memsuggest.memory.codec import file_schema
from memsuggest.memory.export import ExportJson
from memsuggest.memory.facts_file import PLACE
from memsuggest.notes.notes_report import NoteShownJson, NotesJson
from memsuggest.render.as_json import (
    VERSION,
    app_shapes,
    ask_shapes,
    decision_shapes,
    fact_shapes,
    graphiti_shapes,
    held_shapes,
    inspection_shapes,
    learning_shapes,
    memory_shapes,
    model_shapes,
    pull_request_shapes,
    report_shapes,
    tool_shapes,
)
from memsuggest.reports import plain_answers

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

FILE = "facts.json"

REPORTS: Mapping[str, tuple[type, ...]] = {
    "reconcile": (learning_shapes.ReconciledJson,),
    "extract": (learning_shapes.ExtractedJson,),
    "remember": (fact_shapes.FactsChangedJson,),
    "ask": (ask_shapes.AskedJson, ask_shapes.NothingAskedJson),
    "answer": (ask_shapes.AnsweredJson,),
    "watch": (decision_shapes.NoticeJson,),
    "notes": (NotesJson,),
    "notes show": (NoteShownJson,),
    "list": (decision_shapes.ListingJson, decision_shapes.MaybesJson),
    "show": (decision_shapes.ShownJson, fact_shapes.FactShownJson, decision_shapes.ListingJson),
    "apply": (decision_shapes.AppliedJson,),
    "move": (decision_shapes.MovedJson, decision_shapes.PlacesJson),
    "edit": (decision_shapes.AppliedJson,),
    "dismiss": (decision_shapes.DismissedJson,),
    "undo": (decision_shapes.UndoneJson, decision_shapes.DecisionsJson),
    "status": (decision_shapes.StatusJson, plain_answers.BadgeFileJson),
    "suggest": (inspection_shapes.RankingJson,),
    "targets": (inspection_shapes.TargetsJson,),
    "transcripts": (inspection_shapes.TranscriptsJson, inspection_shapes.TranscriptJson),
    "redact": (plain_answers.RedactedJson,),
    "held": (held_shapes.HeldJson,),
    "coverage": (held_shapes.CoverageJson,),
    "report": (report_shapes.ReportJson,),
    "comment": (pull_request_shapes.CommentJson, plain_answers.PostedJson, plain_answers.RequestsJson),
    "recall": (memory_shapes.RecallJson, memory_shapes.RecallLogJson),
    "memory browse": (memory_shapes.EntriesJson,),
    "memory show": (memory_shapes.EntriesJson,),
    "memory add": (memory_shapes.EntryChangedJson,),
    "memory edit": (memory_shapes.EntryChangedJson,),
    "memory confirm": (memory_shapes.EntryChangedJson,),
    "memory deactivate": (memory_shapes.EntryChangedJson,),
    "memory forget": (memory_shapes.EntriesChangedJson,),
    "memory export": (memory_shapes.EntriesJson,),
    "memory import": (memory_shapes.EntriesChangedJson,),
    "memory repair": (memory_shapes.MemoryRepairedJson,),
    "identity show": (memory_shapes.IdentityJson,),
    "identity edit": (memory_shapes.EntriesChangedJson,),
    "identity add": (memory_shapes.EntryChangedJson,),
    "identity remove": (memory_shapes.EntriesChangedJson,),
    "facts list": (fact_shapes.FactsJson,),
    "facts show": (fact_shapes.FactShownJson,),
    "facts add": (fact_shapes.FactsChangedJson,),
    "facts confirm": (fact_shapes.FactsChangedJson,),
    "facts edit": (fact_shapes.FactsChangedJson,),
    "facts forget": (fact_shapes.FactsChangedJson,),
    "facts search": (fact_shapes.FactsJson,),
    "facts export": (ExportJson,),
    "facts import": (fact_shapes.ImportedJson,),
    "facts check": (fact_shapes.CheckedJson,),
    "facts prune": (fact_shapes.PrunedJson,),
    "facts tidy": (plain_answers.TidiedJson,),
    "facts merge": (plain_answers.MergedJson,),
    "facts resolve": (plain_answers.MergedJson, plain_answers.MendedJson),
    "facts merge-driver install": (plain_answers.DriverInstalledJson,),
    "facts merge-driver uninstall": (plain_answers.DriverUninstalledJson,),
    "consent grant": (model_shapes.ConsentJson,),
    "consent revoke": (model_shapes.ConsentJson,),
    "consent show": (model_shapes.ConsentJson,),
    "usage": (model_shapes.UsageJson,),
    "graphiti on": (graphiti_shapes.GraphitiJson,),
    "graphiti off": (graphiti_shapes.GraphitiJson,),
    "graphiti show": (graphiti_shapes.GraphitiJson,),
    "graphiti test": (graphiti_shapes.GraphitiTriedJson,),
    "graphiti promote": (graphiti_shapes.PromotedJson,),
    "graphiti retry": (plain_answers.GraphitiRetriedJson,),
    "apps list": (app_shapes.AppsJson,),
    "apps show": (app_shapes.AppShownJson,),
    "apps context": (app_shapes.AppContextJson,),
    "apps learn": (app_shapes.AppsLearnedJson,),
    "apps remember": (app_shapes.AppsLearnedJson,),
    "apps forget": (app_shapes.AppForgottenJson,),
    "apps purge": (app_shapes.AppForgottenJson,),
    "serve": (plain_answers.AdminServedJson,),
    "consolidate": (model_shapes.ConsolidatedJson,),
    "mcp install": (plain_answers.ServersChangedJson,),
    "mcp uninstall": (plain_answers.ServersChangedJson,),
    "mcp show": (plain_answers.ServersShownJson,),
    "hooks install": (plain_answers.HooksChangedJson, plain_answers.SkillChangedJson),
    "hooks uninstall": (plain_answers.HooksChangedJson, plain_answers.SkillChangedJson),
    "hooks show": (plain_answers.HooksShownJson,),
    "trust": (plain_answers.TrustJson,),
    "config show": (tool_shapes.SettingsJson,),
    "config get": (plain_answers.SettingJson,),
    "config set": (plain_answers.SettingSetJson,),
    "config unset": (plain_answers.SettingUnsetJson,),
    "doctor": (tool_shapes.ExaminedJson,),
}
"""By command, in the order of the help, the shapes that it prints: one of them at a time."""

_VERSION = {"description": "Of this format; new keys may come without a new one.", "type": "integer", "const": VERSION}


def find_schema(command: str, *, silent: Collection[str] = ()) -> Schema:
    """Return the JSON Schema of what a command prints, or of the shared file; raises MemsuggestError.

    `silent` are the commands that there are beside those that print JSON.
    """
    if command in (FILE, PLACE):
        return {"$schema": DIALECT, "title": FILE, **file_schema()}
    if command not in REPORTS:
        inner = [name for name in REPORTS if name.startswith(f"{command} ")]
        if command in silent and not inner:
            raise MemsuggestError(f"`{command}` prints no JSON", hint="`memsuggest schema` lists what does")
        told = f"`{command}` has commands of its own" if inner else f"there is no command `{command}`"
        raise MemsuggestError(told, hint="one of: " + ", ".join(inner or _nearest(command)))
    shapes = REPORTS[command]
    title = f"memsuggest {command} --format json"
    return {"$schema": DIALECT, "title": title, **_either(shapes), "$defs": _definitions(shapes)}


def _nearest(command: str) -> list[str]:
    """Return the commands that are spelled almost so; all of them, by their first words, where none is."""
    return get_close_matches(command, REPORTS, cutoff=0.75) or [
        *dict.fromkeys(name.split()[0] for name in REPORTS),
        FILE,
    ]


def _either(shapes: tuple[type, ...]) -> Schema:
    references = [reference_to(shape) for shape in shapes]
    return references[0] if len(references) == 1 else {"anyOf": references}


def every_schema() -> Schema:
    """Return all of them in one document: each command's report under `properties`, by the command."""
    shapes = tuple(dict.fromkeys(shape for found in REPORTS.values() for shape in found))
    commands = {command: _either(found) for command, found in REPORTS.items()}
    return {
        "$schema": DIALECT,
        "title": "What memsuggest prints as JSON, by command",
        "type": "object",
        "properties": {**commands, FILE: file_schema()},
        "$defs": _definitions(shapes),
    }


def _definitions(shapes: tuple[type, ...]) -> dict[str, Schema]:
    """Return the definitions; a report has its version first, where its shape does not say so itself."""
    found = definitions_of(*shapes)
    for shape in shapes:
        schema = found[name_of(shape)]
        if "version" not in schema["properties"]:
            schema["properties"] = {"version": _VERSION, **schema["properties"]}
            schema["required"] = ["version", *schema["required"]]
    return found


def list_schemas() -> list[tuple[str, str]]:
    """Return what prints JSON, each with a sentence about it."""
    rows = [(command, " · ".join(about(shape) for shape in shapes)) for command, shapes in REPORTS.items()]
    return [*rows, (FILE, "The team's facts: the file itself.")]
