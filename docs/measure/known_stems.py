"""Stems our own tables of words beforehand: running this file writes `memsuggest/core/text/known_stems.txt`.

To be run again after a table was changed; a word that is missing is stemmed when it comes up, which only takes longer.
"""

from __future__ import annotations

import re
from pathlib import Path

import memsuggest
from memsuggest.core.text.stems import stemmer_of

PACKAGE = Path(memsuggest.__file__).parent
TABLES = ("memory/categories.txt", "core/text/german.txt")
_WORD = re.compile(r"[^\W\d_][^\W_]*")


def words() -> list[str]:
    """Return every word of the tables, in lower case."""
    found: set[str] = set()
    for table in TABLES:
        rows = (PACKAGE / table).read_text(encoding="utf-8").lower().split("\n")
        for row in rows:
            if not row.startswith("//"):
                found.update(row.replace(":", " ").replace("-", " ").split())
                found.update(row.replace(":", " ").split())
                found.update(_WORD.findall(row))
    return sorted(word for word in found if "=" not in word)


def rows() -> list[str]:
    """Return the rows of the table of stems."""
    return [f"{language} {word}={stemmer_of(language)(word)}" for language in ("de", "en") for word in words()]


if __name__ == "__main__":
    (PACKAGE / "core/text/known_stems.txt").write_text("\n".join(rows()) + "\n", encoding="utf-8")
