"""Print, rule by rule, how often it fires in the invented chats, how often rightly, and what the weights expect.

Run by hand: `python tests/quality/extraction_weights.py`. The weights in `memsuggest/extraction/weights.py` are set by
hand, as an opinion about people that measurements may correct: where `right` is well above `expected`, a rule deserves
more weight, where it is below, less. Fitting them to the invented chats was tried, also with a prior at the weights in
use and with one writer's chats left out: it makes the chats' figures better and those of real sessions worse. A weight
is moved where several hands agree. Names of files (`*.txt`) count in these alone.
"""

from __future__ import annotations

import math
import sys
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

from extraction_figures import overlap
from extraction_sessions import Session, sessions

from memsuggest.extraction.judgement import judge
from memsuggest.extraction.rulebook import RULES
from memsuggest.extraction.session import remarks_of
from memsuggest.extraction.weights import BIAS, WEIGHTS


@dataclass
class Tally:
    """What became of the statements on which a rule fired."""

    fired: int = 0
    right: int = 0
    expected: float = 0.0

    @property
    def verdict(self) -> str:
        """Which way the weight should move, where the difference is more than chance."""
        off = (self.right - self.expected) / math.sqrt(max(0.5, self.expected))
        return "more" if off > 1.5 else "less" if off < -1.5 else ""


def tallies(chosen: list[Session]) -> dict[str, Tally]:
    """Count for every rule; a statement is right when the line that it stands in is a fact."""
    found: dict[str, Tally] = defaultdict(Tally)
    for session in chosen:
        for remark in remarks_of(session.transcript):
            lines = [label for label in session.labels if label.turn == remark.turn.number]
            line = max(lines, key=lambda label: overlap(remark.statement.text, label.text))
            fired = judge(remark).fired
            expected = 1 / (1 + math.exp(-(BIAS + sum(WEIGHTS[rule.name] for rule in fired))))
            for rule in fired:
                tally = found[rule.name]
                tally.fired += 1
                tally.right += line.is_fact
                tally.expected += expected
    return found


def main() -> None:
    """Measure and print."""
    found = tallies(sessions(*(Path(name) for name in sys.argv[1:])))
    print(f"{'rule':24}{'weight':>7}{'fired':>7}{'right':>7}{'expected':>10}")
    for rule in RULES:
        tally = found[rule.name]
        print(
            f"{rule.name:24}{WEIGHTS[rule.name]:7.2f}{tally.fired:7}{tally.right:7}{tally.expected:10.1f}"
            f"  {tally.verdict}"
        )


if __name__ == "__main__":
    main()
