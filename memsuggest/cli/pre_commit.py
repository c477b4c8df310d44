"""What pre-commit runs at every commit: two checks, without the weight of the whole command line.

`memsuggest-pre-commit facts` says what `memsuggest facts check` says, `memsuggest-pre-commit pending [--check] FILE…`
what `memsuggest list FILE…` says, and nothing when nothing waits.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from memsuggest.cli.here import current_folder, this_machine
from memsuggest.errors import MemsuggestError
from memsuggest.render.safe import one_line
from memsuggest.workflows.desk import Desk, open_desk

if TYPE_CHECKING:
    from collections.abc import Sequence

FOUND = 3
"""The exit code when something was found."""
USAGE = 2


def main() -> None:
    """Run one of the checks; an expected failure is a message and exit code 1."""
    what, *words = sys.argv[1:] or [""]
    if what not in CHECKS:
        sys.stderr.write(f"usage: memsuggest-pre-commit {'|'.join(CHECKS)} [--check] [FILE]...\n")
        raise SystemExit(USAGE)
    try:
        desk = open_desk(start=current_folder(), given=False, machine=this_machine(), flags={})
        code = CHECKS[what](desk, words)
        desk.close()
    except MemsuggestError as error:
        hint = f"\nhint: {one_line(error.hint)}\n" if error.hint else ""
        sys.stderr.write(f"error: {one_line(error.message)}\n{hint}")
        code = 1
    raise SystemExit(code)


def check_facts(desk: Desk, _words: Sequence[str]) -> int:
    """Say what is wrong with the team's facts."""
    from memsuggest.workflows.checking import check_facts

    report = check_facts(desk)
    for problem in report.problems:
        sys.stdout.write(f"{one_line(problem.what)}: {one_line(problem.why)}\n")
    return FOUND if report.problems else 0


def say_pending(desk: Desk, words: Sequence[str]) -> int:
    """Say what waits for the files of the commit."""
    from memsuggest.workflows.status import read_status

    if not read_status(desk).pending:
        return 0
    from memsuggest.render import emit
    from memsuggest.workflows.review import list_suggestions

    report = list_suggestions(desk, status="pending", paths=[Path(word) for word in words if word != "--check"])
    emit(report, format="text", quiet=True)
    return FOUND if "--check" in words and report.suggestions else 0


CHECKS = {"facts": check_facts, "pending": say_pending}
