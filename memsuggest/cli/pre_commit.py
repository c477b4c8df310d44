"""The checks that pre-commit runs at every commit: two, without the weight of the whole command line.

`memsuggest-pre-commit facts` says what `memsuggest memory clean --check` says. `memsuggest-pre-commit pending FILE…`
says what `memsuggest list FILE…` says, nothing when nothing waits, and never blocks. With `--check` it says what
`memsuggest comment` says: the same in every clone and in CI, and blocks when that is something.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path

from memsuggest.core.context import Context, open_context
from memsuggest.core.errors import MemsuggestError
from memsuggest.core.render.safe_output import one_line
from memsuggest.core.workspace import current_folder, this_machine

FOUND = 3
"""The exit code when something was found."""
USAGE = 2
CHECK = "--check"
SINCE = "PRE_COMMIT_FROM_REF"
"""The environment variable in which pre-commit names what a whole branch is compared with."""


def main() -> None:
    """Run one of the checks; an expected failure is a message and exit code 1, or 0 where nothing is to be blocked."""
    what, *words = sys.argv[1:] or [""]
    if what not in CHECKS:
        sys.stderr.write(f"usage: memsuggest-pre-commit {'|'.join(CHECKS)} [--check] [FILE]...\n")
        raise SystemExit(USAGE)
    is_only_told = what == "pending" and CHECK not in words
    context = None
    try:
        context = open_context(
            start=current_folder(), given=False, machine=this_machine(), flags={}, is_lenient=what == "pending"
        )
        code = CHECKS[what](context, words)
    except MemsuggestError as error:
        hint = f"\nhint: {one_line(error.hint)}\n" if error.hint else ""
        sys.stderr.write(f"{'not checked' if is_only_told else 'error'}: {one_line(error.message)}\n{hint}")
        code = 0 if is_only_told else 1
    finally:
        if context:
            context.close()
    raise SystemExit(code)


def check_facts(context: Context, _words: Sequence[str]) -> int:
    from memsuggest.facts.check_facts import check_facts

    report = check_facts(context)
    for problem in report.problems:
        sys.stdout.write(f"{one_line(problem.what)}: {one_line(problem.why)}\n")
    return FOUND if report.problems else 0


def say_pending(context: Context, words: Sequence[str]) -> int:
    """Say what waits for the files of the commit; with `--check`, what waits for them in every clone."""
    for skipped in context.settings.ignored:
        sys.stderr.write(f"skipped: {one_line(skipped.what)}: {one_line(skipped.why)}\n")
    paths = [Path(word) for word in words if word != CHECK]
    if CHECK in words:
        return _check_pending(context, paths)
    from memsuggest.suggestions.marker_files import read_status

    if not read_status(context).pending:
        return 0
    from memsuggest.core.render import emit
    from memsuggest.suggestions.list_and_show import list_suggestions

    emit(list_suggestions(context, status="pending", paths=paths), format="text", quiet=True)
    return 0


def _check_pending(context: Context, paths: Sequence[Path]) -> int:
    """Compute it as `comment` does, from the team's facts and the files: what this person's stores hold is theirs."""
    from memsuggest.pull_requests.proposals import commit_change, find_proposals
    from memsuggest.suggestions.target_paths import below_root

    names = frozenset(below_root(context, path) for path in paths)
    change = commit_change(context.root, names, since=os.environ.get(SINCE, ""))
    report = find_proposals(context, change)
    for skipped in report.skipped:
        sys.stderr.write(f"skipped: {one_line(skipped.what)}: {one_line(skipped.why)}\n")
    if not report.proposals:
        return 0
    from memsuggest.core.render.page import SHORT
    from memsuggest.suggestions.listed import as_written, where

    many = len(report.proposals) > 1
    sys.stdout.write(f"{len(report.proposals)} pending rule{'s' if many else ''} for files in this commit:\n")
    for proposal in report.proposals:
        made = proposal.suggestion
        sys.stdout.write(f"  {made.id[:SHORT]}  {one_line(as_written(made))}\n")
        sys.stdout.write(f"  {'':{SHORT}}  → {one_line(where(made))} ({one_line(proposal.why_here)})\n")
    sys.stdout.write("to apply or dismiss these rules, run `memsuggest reconcile` and then `memsuggest review`\n")
    return FOUND


CHECKS = {"facts": check_facts, "pending": say_pending}
