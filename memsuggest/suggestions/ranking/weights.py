"""The worth of each kind of evidence, from `tests/evaluation/placement_training.py`. Data only.

In units of log-odds: one more means that a place is chosen 2.7 times as often.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

FILE_WEIGHTS: Mapping[str, float] = {
    # What it says.
    "section": 2.362,
    "file": 2.121,
    "title": 1.821,
    "description": 0.794,
    # Where the cited files lie.
    "path words": 1.035,
    "path name": 2.592,
    "near": 3.267,
    "whole": 0.667,
    "applies": 1.729,
    "for others": -0.740,
    # What the rule says about files like itself: one that points to a skill stands where people are sent from.
    "pointed": -6.032,
    "this": 1.748,
    # How it is written.
    "likeness": 3.530,
    "twins": 0.300,
    "opening": 0.744,
    # Long files hold more words by chance.
    "size": -0.970,
}

KIND_WEIGHTS: Mapping[str, float] = {
    # How often rules go there at all.
    "root": 2.082,
    "nested": 0.284,
    "instructions": 0.533,
    "rules": -0.215,
    "skill": -0.492,
    "agent": -0.689,
    "prompt": -1.191,
}

SECTION_WEIGHTS: Mapping[str, float] = {
    "words": 3.940,
    "odds": 0.189,
    "heading": 0.492,
    "likeness": 2.262,
    "twins": 0.768,
    "above": 1.202,
    "opening": 1.033,
    "deep": -0.728,
    "general": 1.080,
    "numbered": -1.446,
}

SURENESS: Mapping[str, float] = {"chosen": 2.71, "pairs": 1.81, "covered": 2.84, "base": -3.46}
"""What makes a file the right place, not just the best there is (logistic): how much better it is than the others,
phrases that it shares, cited paths that it governs. Fitted to the same commits, half of them asked about the files of
another repository, where nothing is right."""
