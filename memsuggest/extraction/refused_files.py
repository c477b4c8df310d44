"""Refused files: "that file is generated" said while refusing an edit is about the file that was to be edited.

Pure. The name comes from what the assistant was about to do, so that such a rule is `confirmed`, not typed alone.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from memsuggest.redact import redact

if TYPE_CHECKING:
    from memsuggest.model import Turn

_EDITS = re.compile(
    r"\w{0,20}(?:edit|write|replace|create|patch|insert|update|delete)\w{0,20}: (?P<path>[\w@~./:\\-]{1,200}\w)",
    re.IGNORECASE,
)
_OPENING = (
    r"(?P<opening>(?:(?:no|nope|hey|wait|stop|careful|please|oh|ah|um|hm+|ok|but|and|so|nein|non|não)\b[,.!: ]+){0,4})"
)
_MADE = (
    r"(?:(?:auto[- ]?)?generated|vendored|overwritten|regenerated|compiled|synced|read-?only|third[- ]party"
    r"|(?:built|produced|created|written|emitted|rendered|managed|owned|copied) (?:by|from|at|on|during)"
    r"|a (?:copy|build|generated|vendored)\b)"
)
_HOW = (
    rf"(?= (?:(?:is|gets|'s) (?:always |only )?{_MADE}|comes from|(?:must|should|may|can) (?:never|not|only|always)\b))"
)
_POINTING = tuple(
    re.compile(_OPENING + pattern, re.IGNORECASE)
    for pattern in (
        rf"(?P<pointer>(?:that|this|the) file){_HOW}",
        rf"(?P<pointer>it|that|this|that one|this one)(?=(?:'s| is| gets) (?:always |only )?{_MADE}| comes from )",
        (
            r"(?:we |you )?(?:do not|don't|dont|never) (?:ever )?(?:hand-)?(?:edit|touch|change|modify|write to|update"
            r"|delete|overwrite) (?P<pointer>that file|this file|the file|that one|this one|it|that|this)"
            r"(?=[,.;!:]|\Z| (?:by hand|directly|manually|ever|yourself|again)\b)"
        ),
    )
)
_LASTS = re.compile(rf"\b(?:never|ever|by hand|directly|manually|{_MADE})", re.IGNORECASE)
"""What says that a file is to be left alone for good, and not for now."""


def naming_refused_file(text: str, turn: Turn) -> tuple[str, str]:
    """Return a sentence with the file's name in place of what points at it, and the name; "" where nothing does.

    >>> from memsuggest.model import Role, Signals, Turn
    >>> turn = Turn(number=1, role=Role.USER, signals=Signals(rejected_tool="Edit: src/api.gen.ts"))
    >>> naming_refused_file("no, that file is generated from api.yaml", turn)
    ('`src/api.gen.ts` is generated from api.yaml', 'src/api.gen.ts')
    """
    path = _refused(turn)
    found = next((one for pattern in _POINTING if (one := pattern.match(text))), None) if path else None
    if found is None or not _LASTS.search(turn.typed or text):
        return text, ""
    start, end = found.span("pointer")
    is_short = text[end : end + 2].lower() in ("'s", "\u2019s")
    ahead = text[found.end("opening") : start]
    return f"{ahead}`{path}`{' is' if is_short else ''}{text[end + 2 * is_short :]}", path


def _refused(turn: Turn) -> str:
    """The file of an edit that was refused, as told from the folder of the chat; "" where it lies elsewhere."""
    found = _EDITS.fullmatch(turn.signals.rejected_tool or "")
    if not found:
        return ""
    path = found["path"].replace("\\", "/")
    home = f"{redact(turn.cwd).text}/".replace("\\", "/") if turn.cwd else ""
    path = path.removeprefix(home) if home else path
    return "" if re.match(r"[~/]|[A-Za-z]:|\.\.", path) or "." not in path else path
