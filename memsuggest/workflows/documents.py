"""Documents that an assistant wrote in a session, as far as they may be read: in the repo, not ignored, small."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memsuggest.customizations.kinds import place_of
from memsuggest.errors import MemsuggestError
from memsuggest.extraction.haiku.disposing import Written
from memsuggest.files import read_exact, readable_inside
from memsuggest.git import run_git
from memsuggest.redact import clean, redact

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from memsuggest.model import Transcript

ENDINGS = (".md", ".mdx", ".txt", ".rst", ".adoc")
"""What carries knowledge rather than code."""
SIZE_LIMIT = 64 * 1024
"""Bytes of one document."""
MOST = 6
"""Documents of one session, the last ones written."""


def written_in(root: Path, transcript: Transcript) -> list[Written]:
    """Return the documents of a session, redacted; what may not be read is passed over."""
    return list(_readable(root, transcript))[-MOST:]


def _readable(root: Path, transcript: Transcript) -> Iterator[Written]:
    for name in transcript.files_written:
        if not name.lower().endswith(ENDINGS) or place_of(name) is not None:
            continue  # code, or a customization file, which is known anyhow
        try:
            path = readable_inside(root, name)
            text = read_exact(path, limit=SIZE_LIMIT).text
        except MemsuggestError:
            continue
        if not _is_ignored(root, name) and text.strip():
            turn = max((turn.number for turn in transcript.turns if name in turn.paths), default=1)
            yield Written(path=name, text=redact(clean(text)).text, turn=turn)


def _is_ignored(root: Path, name: str) -> bool:
    """Tell whether git keeps a file out; what git cannot say counts as kept out."""
    answer = run_git(root, "check-ignore", "--quiet", "--", name, accept=(1,))
    return answer is None
