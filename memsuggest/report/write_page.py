"""Writing of a report, whole or not at all and only over what is a report of ours; and its badge for a README."""

from __future__ import annotations

from pathlib import Path

from memsuggest.core.errors import FileError
from memsuggest.files import UNCHECKED, write_exact
from memsuggest.held.held_report import HeldOutcome, HeldReport

LARGEST = 16 * 1024 * 1024  # bytes of a page; one of a year has a tenth of that
_HEAD = 4096  # bytes of a file in which its mark stands
_PRIVATE = 0o600
BADGE_MARK = "<!-- memsuggest badge -->"  # by this one tells a badge of ours from any other file
_LABEL = "rules held"
_GOOD, _MIXED, _UNKNOWN = "#1d7a4d", "#8a5d00", "#5b626b"
"""White on each of them can be read well."""
_LETTER = 6.6  # about the width of a letter, at eleven pixels; `textLength` makes it so
_SHARE = 0.9  # of the tested rules, from which the badge is green


def write_page(path: Path, text: str, *, mark: str, is_forced: bool, is_private: bool) -> None:
    """Write a page; raises FileError where another file stands that does not begin with our mark, and for all else."""
    if not is_forced:
        if path.is_dir():
            raise FileError(f"`{path}` is a folder", hint=f"choose a file in the folder: `{path / 'report.html'}`")
        try:
            with path.open("rb") as file:
                head = file.read(_HEAD)
        except FileNotFoundError:
            head = b""
        except OSError as error:
            raise FileError(f"cannot read `{path}`: {error.strerror}", hint="choose another file") from None
        if head and mark.encode() not in head:
            raise FileError(
                f"`{path}` already exists and was not created by `memsuggest report`",
                hint="choose another file, or use `--force` to overwrite it",
            )
    write_exact(path, text, expected_digest=UNCHECKED, mode=_PRIVATE if is_private else None, limit=LARGEST)


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
