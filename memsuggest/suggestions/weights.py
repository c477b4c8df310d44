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
    "file": 2.206,
    "pairs": 0.733,
    "name": 0.291,
    "title": 1.460,
    "description": 0.599,
    # Where the cited files lie.
    "path words": 0.981,
    "path name": 2.291,
    "near": 2.953,
    "whole": 1.591,
    "applies": 1.799,
    "for others": -0.389,
    # What the rule says about files like itself: one that points to a skill stands where people are sent from.
    "pointed": -6.130,
    "this": 1.319,
    # How it is written.
    "likeness": 3.401,
    "twins": 0.319,
    # How often rules go there at all. Long files hold more words by chance.
    "size": -0.699,
    "root": 2.157,
    "nested": 0.763,
    "instructions": 0.404,
    "rules": -0.451,
    "skill": -0.478,
    "agent": -0.481,
    "prompt": -0.657,
}

SECTION_WEIGHTS: Mapping[str, float] = {
    "words": 3.563,
    "odds": 0.220,
    "heading": 0.701,
    "likeness": 3.043,
    "twins": 0.974,
    "title": -0.718,
    "general": 1.047,
    "numbered": -1.123,
}
