"""How well the offline engine does on the invented chats: `python tests/evaluation/extraction_figures.py`, by hand.

Options: `misses`, `false` and `hits` list them; names of files (`*.txt`) measure on these alone. Recall, precision,
scope, false-memory resistance, calibration and speed; a candidate hits a label when its quote overlaps the label's line
by more than half of the shorter one's words.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from pathlib import Path

from extraction_sessions import Label, Session, sessions

from memsuggest.extraction import offline
from memsuggest.model import Candidate
from memsuggest.text.words import plain

THRESHOLD = 0.6


def overlap(a: str, b: str) -> float:
    """Share of the shorter text's words (or characters, where words are not spaced) that the other has."""
    first, second = (Counter(_pieces(text)) for text in (a, b))
    shorter = min(first.total(), second.total())
    return (first & second).total() / shorter if shorter else 0.0


def _pieces(text: str) -> list[str]:
    words = plain(text)
    return [c for c in words if not c.isspace()] if any("\u3041" <= c <= "\u9fff" for c in words) else words.split()


def label_of(candidate: Candidate, session: Session) -> Label | None:
    """The line that a candidate was made from."""
    quote = candidate.citations[0]
    in_turn = [label for label in session.labels if label.turn == quote.turn]
    return max(in_turn, key=lambda label: overlap(quote.quote, label.text), default=None)


def main() -> None:
    """Measure and print."""
    show = set(sys.argv[1:])
    chosen = [Path(name) for name in sys.argv[1:] if name.endswith(".txt")]
    all_sessions = sessions(*chosen)
    started = time.perf_counter()
    found = [(session, offline.extract(session.transcript, ()).candidates) for session in all_sessions]
    seconds = time.perf_counter() - started
    pairs = [(candidate, label_of(candidate, session)) for session, candidates in found for candidate in candidates]
    facts = [label for session in all_sessions for label in session.labels if label.is_fact]
    others = [label for session in all_sessions for label in session.labels if not label.is_fact]
    print(f"{len(all_sessions)} sessions, {len(facts)} facts, {len(others)} other lines, {seconds:.2f} s")
    for threshold in (0.5, 0.6, 0.7, 0.8, 0.9):
        kept = [(c, label) for c, label in pairs if c.confidence >= threshold]
        hits = {id(label): (c, label) for c, label in kept if label and label.is_fact}
        landed = {id(label) for _, label in kept if label and not label.is_fact}
        false = len(landed)
        scope = sum(c.scope is label.scope for c, label in hits.values())
        recall, precision = len(hits) / len(facts), len(hits) / max(1, len(hits) + false)
        print(
            f">= {threshold:.1f}  recall {recall:5.1%}  precision {precision:5.1%}  F1 "
            f"{2 * recall * precision / max(1e-9, recall + precision):5.1%}  resistance "
            f"{1 - len(landed) / len(others):5.1%}  scope {scope / max(1, len(hits)):5.1%}"
        )
    _calibration(pairs)
    kept = [(c, label) for c, label in pairs if c.confidence >= THRESHOLD]
    if "misses" in show:
        hit = {id(label) for _, label in kept}
        for session in all_sessions:
            for label in session.labels:
                if label.is_fact and id(label) not in hit:
                    best = max(
                        (v for v in offline.extract(session.transcript).verdicts if v.turn == label.turn),
                        key=lambda v: overlap(v.text, label.text),
                    )
                    print(f"miss   {best.confidence:.2f} {session.title}: {label.text}\n         {best.cues}")
    if "false" in show:
        for c, label in kept:
            if label and not label.is_fact:
                print(f"false  {c.confidence:.2f} [{c.found_by}] {label.text} -> {c.content}")
    if "hits" in show:
        for c, label in kept:
            if label and label.is_fact:
                print(f"hit  {c.confidence:.2f} {c.scope:9} {c.kind:11} {label.text} -> {c.content} ({c.reason})")


def _calibration(pairs: list[tuple[Candidate, Label | None]]) -> None:
    for low in (0.5, 0.6, 0.7, 0.8, 0.9):
        inside = [label for c, label in pairs if low <= c.confidence < low + 0.1]
        if inside:
            right = sum(bool(label and label.is_fact) for label in inside)
            print(f"of {len(inside):3} at {low:.1f} to {low + 0.1:.1f}: {right / len(inside):4.0%} right")


if __name__ == "__main__":
    main()
