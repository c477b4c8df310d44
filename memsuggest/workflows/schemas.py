"""Which JSON each command prints: the shapes of its reports, and their JSON Schemas."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memsuggest.errors import MemsuggestError
from memsuggest.json_schema import DIALECT, Schema, about, definitions_of, name_of, reference_to
from memsuggest.memory.codec import file_schema
from memsuggest.memory.export import ExportJson
from memsuggest.memory.facts_file import PLACE
from memsuggest.render.as_json import VERSION, asking, care, deciding, facts, learning, looking, models, teams
from memsuggest.reports import answers

if TYPE_CHECKING:
    from collections.abc import Mapping

FILE = "facts.json"

REPORTS: Mapping[str, tuple[type, ...]] = {
    "reconcile": (learning.ReconciledJson,),
    "extract": (learning.ExtractedJson,),
    "remember": (facts.FactsChangedJson,),
    "ask": (asking.AskedJson, asking.NothingAskedJson),
    "answer": (asking.AnsweredJson,),
    "watch": (deciding.NoticeJson,),
    "list": (deciding.ListingJson, deciding.MaybesJson),
    "show": (deciding.ShownJson, facts.FactShownJson),
    "apply": (deciding.AppliedJson,),
    "edit": (deciding.AppliedJson,),
    "dismiss": (deciding.DismissedJson,),
    "undo": (deciding.UndoneJson, deciding.DecisionsJson),
    "status": (deciding.StatusJson, answers.BadgeFileJson),
    "suggest": (looking.RankingJson,),
    "targets": (looking.TargetsJson,),
    "transcripts": (looking.TranscriptsJson, looking.TranscriptJson),
    "redact": (answers.RedactedJson,),
    "comment": (teams.CommentJson, answers.PostedJson, answers.RequestsJson),
    "facts list": (facts.FactsJson,),
    "facts show": (facts.FactShownJson,),
    "facts add": (facts.FactsChangedJson,),
    "facts confirm": (facts.FactsChangedJson,),
    "facts edit": (facts.FactsChangedJson,),
    "facts forget": (facts.FactsChangedJson,),
    "facts search": (facts.FactsJson,),
    "facts export": (ExportJson,),
    "facts import": (facts.ImportedJson,),
    "facts check": (facts.CheckedJson,),
    "facts prune": (facts.PrunedJson,),
    "facts tidy": (answers.TidiedJson,),
    "facts merge": (answers.MergedJson,),
    "facts resolve": (answers.MergedJson, answers.MendedJson),
    "facts merge-driver install": (answers.DriverInstalledJson,),
    "facts merge-driver uninstall": (answers.DriverUninstalledJson,),
    "consent grant": (models.ConsentJson,),
    "consent revoke": (models.ConsentJson,),
    "consent show": (models.ConsentJson,),
    "usage": (models.UsageJson,),
    "consolidate": (models.ConsolidatedJson,),
    "hooks install": (answers.HooksChangedJson, answers.SkillChangedJson),
    "hooks uninstall": (answers.HooksChangedJson, answers.SkillChangedJson),
    "hooks show": (answers.HooksShownJson,),
    "trust": (answers.TrustJson,),
    "config show": (care.SettingsJson,),
    "config get": (answers.SettingJson,),
    "config set": (answers.SettingSetJson,),
    "config unset": (answers.SettingUnsetJson,),
    "doctor": (care.ExaminedJson,),
}
"""By command, in the order of the help, the shapes that it prints: one of them at a time."""

_VERSION = {"description": "Of this format; new keys may come without a new one.", "type": "integer", "const": VERSION}


def find_schema(command: str) -> Schema:
    """Return the JSON Schema of what a command prints, or of the shared file. Raises MemsuggestError."""
    if command in (FILE, PLACE):
        return {"$schema": DIALECT, "title": FILE, **file_schema()}
    if command not in REPORTS:
        inner = [name for name in REPORTS if name.startswith(f"{command} ")]
        hint = "one of: " + ", ".join(inner) if inner else "`memsuggest schema` lists what does"
        raise MemsuggestError(f"`{command}` prints no JSON", hint=hint)
    shapes = REPORTS[command]
    title = f"memsuggest {command} --format json"
    return {"$schema": DIALECT, "title": title, **_either(shapes), "$defs": _definitions(shapes)}


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
