"""What each kind of evidence is worth, from `tests/quality/placement_training.py`. Data only.

In units of log-odds: one more means that a place is chosen 2.7 times as often.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

FILE_WEIGHTS: Mapping[str, float] = {
    # What it says.
    "section": 2.079,
    "file": 2.068,
    "pairs": 0.662,
    "name": 0.303,
    "title": 1.393,
    "description": 0.718,
    # Where the cited files lie.
    "path words": 1.005,
    "path name": 2.369,
    "near": 3.362,
    "whole": 0.692,
    "applies": 1.686,
    "for others": -0.755,
    # What the rule says about files like itself: one that points to a skill stands where people are sent from.
    "pointed": -6.337,
    "this": 2.026,
    # How it is written.
    "likeness": 3.411,
    "twins": 0.379,
    # Long files hold more words by chance.
    "size": -0.923,
}

SORT_WEIGHTS: Mapping[str, float] = {
    # How often rules go there at all.
    "root": 2.081,
    "nested": 0.396,
    "instructions": 0.438,
    "rules": -0.198,
    "skill": -0.543,
    "agent": -0.703,
    "prompt": -1.089,
}

SECTION_WEIGHTS: Mapping[str, float] = {
    "words": 3.789,
    "odds": 0.196,
    "heading": 0.687,
    "likeness": 2.455,
    "twins": 0.765,
    "title": -0.850,
    "general": 1.102,
    "numbered": -1.404,
}

SURENESS: Mapping[str, float] = {"chosen": 2.71, "pairs": 1.81, "covered": 2.84, "base": -3.46}
"""What makes a file the right place, not just the best there is (logistic): how much better it is than the others,
phrases that it shares, cited paths that it governs. Fitted to the same commits, half of them asked about the files of
another repository, where nothing is right."""
