"""How often a rule that a file says already is recognised, and that a look-alike never is.

    python docs/measure/said_lines.py [FILE]

Each line of `said_lines.txt` is `same` or `other`, a rule, and a line that is planted among others in an invented file.
The whole way is asked: a look-alike has to become a suggestion, and one of the opposite replaces its line.
"""

from __future__ import annotations

import sys
from pathlib import Path

from memsuggest.core.model import Kind, MemoryFact, MemorySuggestion, Scope
from memsuggest.customizations.discovery import target_from
from memsuggest.suggestions.ranking.workspace_index import AlreadySaid, WorkspaceIndex
from memsuggest.suggestions.suggest import suggest

_FILE = "# Depot\n\n## Layout\n\n- Two halls\n\n## Conventions\n\n- Count crates twice\n- {}\n- Sign notes\n"


def main() -> None:
    """Plant every line, ask, and print what went wrong and the figures."""
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).with_suffix(".txt")
    rows = [[part.strip() for part in row.split("|")] for row in path.read_text(encoding="utf-8").splitlines() if row]
    counts = {"same": [0, 0], "other": [0, 0]}
    opposites = 0
    for want, rule, line in rows:
        index = WorkspaceIndex([target_from("AGENTS.md", _FILE.format(line))])
        fact = MemoryFact(
            id="f", content=rule, kind=Kind.CONVENTION, scope=Scope.WORKSPACE, confidence=0.9, timestamp=1
        )
        made = suggest(fact, index)
        is_said = isinstance(made, AlreadySaid)
        opposites += isinstance(made, MemorySuggestion) and made.replaces is not None
        is_right = is_said is (want == "same")
        counts[want][0] += is_right
        counts[want][1] += 1
        if not is_right:
            print(f"{'swallowed' if is_said else 'not recognised'}: {rule} | {line}")
    (same, all_same), (other, all_other) = counts["same"], counts["other"]
    print(
        f"recognised {same} of {all_same}; kept apart {other} of {all_other}; shown in the place of a line {opposites}"
    )


if __name__ == "__main__":
    main()
