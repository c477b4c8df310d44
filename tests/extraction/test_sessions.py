"""The invented chats: figures that may rise but not fall."""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path

import pytest
from cases import cases

from memsuggest.extraction import offline
from memsuggest.model import Scope

EVALUATION = Path(__file__).resolve().parent.parent / "evaluation"
sys.path.insert(0, str(EVALUATION))

from extraction_figures import label_of, overlap  # noqa: E402
from extraction_sessions import sessions  # noqa: E402


@cache
def extracted(transcript):
    """The same for every threshold."""
    return offline.extract(transcript).candidates


def figures(chosen, threshold):
    hits, landed, right_scope = set(), set(), 0
    facts = [label for one in chosen for label in one.labels if label.is_fact]
    others = [label for one in chosen for label in one.labels if not label.is_fact]
    for one in chosen:
        for candidate in extracted(one.transcript):
            label = label_of(candidate, one) if candidate.confidence >= threshold else None
            if label and label.is_fact and id(label) not in hits:
                hits.add(id(label))
                right_scope += candidate.scope is label.scope
            elif label and not label.is_fact:
                landed.add(id(label))
    return {
        "recall": len(hits) / len(facts),
        "precision": len(hits) / (len(hits) + len(landed)),
        "resistance": 1 - len(landed) / len(others),
        "scope": right_scope / len(hits),
    }


FILES = sorted(EVALUATION.glob("extraction_sessions*.txt"))
UNSEEN = sessions(*(file for file in FILES if "unseen" in file.name))
OURS = sessions(*(file for file in FILES if "unseen" not in file.name))


@cases(
    ("chosen", "threshold", "least"),
    [
        pytest.param(OURS, 0.6, {"recall": 0.15, "precision": 0.87, "resistance": 0.99, "scope": 0.95}, id="suggested"),
        pytest.param(OURS, 0.0, {"recall": 0.8, "precision": 0.62, "resistance": 0.87}, id="or kept aside"),
        pytest.param(
            UNSEEN, 0.6, {"recall": 0.08, "precision": 0.5, "resistance": 0.99, "scope": 0.92}, id="others, suggested"
        ),
        pytest.param(UNSEEN, 0.0, {"recall": 0.85, "precision": 0.4, "resistance": 0.87}, id="others, or kept aside"),
    ],
)
def test_figures_hold(chosen, threshold, least):
    """Recall, precision, false-memory resistance and scope do not fall below what was reached."""
    reached = figures(chosen, threshold)
    assert all(reached[name] >= least[name] for name in least), reached


def test_the_labels_say_something():
    """Both scopes, facts and other lines occur, and similarity of texts is symmetric."""
    labels = [label for one in [*OURS, *UNSEEN] for label in one.labels]
    assert {label.scope for label in labels if label.is_fact} == set(Scope)
    assert overlap("use tabs here", "use tabs") == overlap("use tabs", "use tabs here") == 1.0
