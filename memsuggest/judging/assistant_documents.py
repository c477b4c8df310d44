"""Documents that an assistant wrote in a session, as far as they may be read: in the repo, not ignored, small."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from memsuggest.core.errors import MemsuggestError
from memsuggest.core.git import run_git
from memsuggest.core.model import Transcript, Trust
from memsuggest.core.redact import clean, redact
from memsuggest.customizations.kinds import place_of
from memsuggest.files import read_exact, readable_inside
from memsuggest.transcripts.discovery.surroundings import as_in

ENDINGS = (".md", ".mdx", ".txt", ".rst", ".adoc")  # what carries knowledge rather than code
SIZE_LIMIT = 64 * 1024  # bytes of one document that a model is told
MOST = 6  # documents of one session, the last ones written


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """A document that an assistant wrote in the session, redacted."""

    path: str
    text: str
    turn: int


def written_in(root: Path, transcript: Transcript, *, limit: int = SIZE_LIMIT) -> list[Written]:
    """Return the documents of a session, redacted; what may not be read, or is larger than `limit`, is passed over.

    Nothing is read for a transcript that somebody else may have put there, nor for one of another workspace.
    """
    found: list[Written] = []
    workspace = transcript.workspace
    if transcript.trust is not Trust.TYPED or (workspace is not None and as_in(workspace, root) is None):
        return found
    for name in reversed(transcript.files_written):
        if len(found) == MOST:
            break
        if not name.lower().endswith(ENDINGS) or place_of(name) is not None:
            continue  # code, or a customization file, which is known anyhow
        try:
            path = readable_inside(root, name)
            text = "" if path.stat().st_nlink > 1 else read_exact(path, limit=limit).text  # it may lie elsewhere, too
        except (MemsuggestError, OSError):
            continue
        if text.strip() and "\0" not in text and not _is_ignored(root, path):
            turn = max((turn.number for turn in transcript.turns if name in turn.paths), default=1)
            found.append(Written(path=name, text=redact(clean(text)).text, turn=turn))
    return found[::-1]


def _is_ignored(root: Path, path: Path) -> bool:
    real = Path(os.path.realpath(path)).relative_to(os.path.realpath(root))
    names = dict.fromkeys((path.relative_to(root).as_posix(), real.as_posix()))
    return run_git(root, "check-ignore", "--quiet", "--", *names, accept=(1,)) is None
