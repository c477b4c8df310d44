"""A badge for a README: how many of the tested rules hold. Pure."""

from __future__ import annotations

from memsuggest.held.held_report import HeldOutcome, HeldReport

BADGE_MARK = "<!-- memsuggest badge -->"  # by this one tells a badge of ours from any other file
_LABEL = "rules held"
_GOOD, _MIXED, _UNKNOWN = "#1d7a4d", "#8a5d00", "#5b626b"
"""White on each of them can be read well."""
_LETTER = 6.6  # about the width of a letter, at eleven pixels; `textLength` makes it so
_SHARE = 0.9  # of the tested rules, from which the badge is green


def draw_badge(held: HeldReport) -> str:
    """Return the badge; rules that were not tested count neither way."""
    holds, fails = held.count(HeldOutcome.HOLDS), held.count(HeldOutcome.DOES_NOT_HOLD)
    tested = holds + fails
    if not tested:
        return _drawn("not tested yet", _UNKNOWN)
    return _drawn(f"{holds} of {tested}", _GOOD if holds >= tested * _SHARE else _MIXED)


def _drawn(words: str, colour: str) -> str:
    left, right = (round(len(text) * _LETTER) + 12 for text in (_LABEL, words))
    whole = left + right
    return f"""<svg xmlns="http://www.w3.org/2000/svg" width="{whole}" height="20" role="img" aria-labelledby="t">
{BADGE_MARK}
<title id="t">{_LABEL}: {words}</title>
<clipPath id="r"><rect width="{whole}" height="20" rx="3"/></clipPath>
<g clip-path="url(#r)">
<rect width="{left}" height="20" fill="#3b4149"/>
<rect x="{left}" width="{right}" height="20" fill="{colour}"/>
</g>
<g fill="#fff" font-family="Verdana, DejaVu Sans, sans-serif" font-size="11" text-anchor="middle">
<text x="{left / 2}" y="14" textLength="{left - 12}">{_LABEL}</text>
<text x="{left + right / 2}" y="14" textLength="{right - 12}">{words}</text>
</g>
</svg>
"""
