"""A check of the team's file, as pre-commit asks for every commit: so it loads little."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memsuggest.core.errors import StoreError
from memsuggest.core.model import Skipped
from memsuggest.core.redact import clean, hidden_characters, redact
from memsuggest.facts import entries
from memsuggest.facts.branch_merge import CONTESTED, MENDS
from memsuggest.facts.fact_reports import Checked

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memsuggest.core.context import Context
    from memsuggest.core.model import MemoryFact

SHORT = 7
"""Characters of an id, as they are shown."""


def check_facts(context: Context) -> Checked:
    """Return what is wrong with the team's file; a file that cannot be parsed is one problem, not an error."""
    path = str(context.facts_file.path)
    try:
        document = context.facts_file.read()
        facts = [entries.fact_of(entry) for entry in document.facts.values()]
        is_usual = context.facts_file.is_in_usual_form()
    except StoreError as error:
        mendable = error.hint if "conflict marker" in error.message else "`memsuggest memory resolve` saves what it can"
        why = f"{error.message} ({mendable})" if "newer" not in error.message else error.message
        return Checked(path=path, facts=0, problems=(Skipped(what=path, why=why),))
    problems = [problem for fact in facts for problem in _problems(fact)]
    problems += [Skipped(what=path, why=f"{repair}: {MENDS}") for repair in document.repairs]
    problems += [Skipped(what=f"fact {key}", why=f"{CONTESTED}: {MENDS}") for key in document.contested]
    gone = document.facts.keys() & document.tombstones.keys() - set(document.contested)
    problems += [Skipped(what=f"fact {key}", why=f"it was forgotten but is still in the file: {MENDS}") for key in gone]
    if not is_usual and not document.repairs:
        problems.append(Skipped(what=path, why="it is not formatted or sorted: run `memsuggest memory clean`"))
    return Checked(path=path, facts=len(facts), problems=tuple(problems))


def tidy_facts(context: Context) -> bool:
    """Bring the team's file into its usual form, so that git merges it well; whether there was anything to do."""
    with context.exclusive():
        return context.facts_file.tidy()


def _problems(fact: MemoryFact) -> Iterable[Skipped]:
    if hidden_characters(fact.content):
        yield Skipped(what=f"fact {fact.id}", why="it contains invisible characters")
    if found := redact(fact.content).found:
        kinds = ", ".join(sorted({one.kind for one in found}))
        hint = f"remove it with `memsuggest memory edit {fact.id[:SHORT]}`"
        yield Skipped(what=f"fact {fact.id}", why=f"it contains a secret or personal data ({kinds}): {hint}")
    if "\n" in fact.content or clean(fact.content) != fact.content:
        yield Skipped(what=f"fact {fact.id}", why="it is not a single clean line of text")
