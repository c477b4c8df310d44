"""Checking the team's file of facts: what is wrong with it, and what git left in it."""

from __future__ import annotations

from memsuggest.core.context import Context
from memsuggest.core.errors import StoreError
from memsuggest.core.model import Skipped
from memsuggest.core.redact import clean, hidden_characters, redact
from memsuggest.core.render.page import SHORT
from memsuggest.facts import entries
from memsuggest.facts.codec import NewerFileError
from memsuggest.facts.fact_reports import Checked
from memsuggest.facts.facts_file import PLACE

CONTESTED = "the fact was forgotten on one branch and reworded on another"
MENDS = "fix this with `memsuggest memory resolve`"


def facts_file_notes(context: Context) -> list[Skipped]:
    """Say what git left in the team's file that was read all the same."""
    document = context.facts_file.read()
    twins = [Skipped(what=PLACE, why=f"{repair}; merged into one") for repair in document.repairs]
    return [*twins, *(Skipped(what=f"fact {key[:12]}", why=f"{CONTESTED}; {MENDS}") for key in document.contested)]


def check_facts(context: Context) -> Checked:
    """Return what is wrong with the team's file; a file that cannot be parsed is one problem, not an error."""
    path = str(context.facts_file.path)
    try:
        document = context.facts_file.read()
        facts = [entries.fact_of(entry) for entry in document.facts.values()]
        is_usual = context.facts_file.is_in_usual_form()
    except StoreError as error:
        is_marked = "conflict marker" in error.message
        mendable = error.hint if is_marked else "`memsuggest memory resolve` recovers what it can"
        why = error.message if isinstance(error, NewerFileError) else f"{error.message} ({mendable})"
        return Checked(path=path, facts=0, problems=(Skipped(what=path, why=why),))
    problems: list[tuple[str, str]] = []
    for fact in facts:
        name = f"fact {fact.id}"
        if hidden_characters(fact.content):
            problems.append((name, "contains invisible characters"))
        if kinds := ", ".join(sorted({secret.kind for secret in redact(fact.content).found})):
            hint = f"remove it with `memsuggest memory edit {fact.id[:SHORT]}`"
            problems.append((name, f"contains a secret or personal data ({kinds}); {hint}"))
        if "\n" in fact.content or clean(fact.content) != fact.content:
            problems.append((name, "contains line breaks or hidden characters"))
    gone = document.facts.keys() & document.tombstones.keys() - set(document.contested)
    problems += [(path, f"{repair}; {MENDS}") for repair in document.repairs]
    problems += [(f"fact {key}", f"{CONTESTED}; {MENDS}") for key in document.contested]
    problems += [(f"fact {key}", f"forgotten but still in the file; {MENDS}") for key in gone]
    if not is_usual and not document.repairs:
        problems.append((path, "not in the standard format and order; run `memsuggest memory clean`"))
    skipped = tuple(Skipped(what=what, why=why) for what, why in problems)
    return Checked(path=path, facts=len(facts), problems=skipped)


def tidy_facts(context: Context) -> bool:
    """Bring the team's file into its usual form, so that git merges it well; whether there was anything to do."""
    with context.exclusive():
        return context.facts_file.tidy()
