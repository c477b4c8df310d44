"""Who was told of what."""

from __future__ import annotations

from pathlib import Path

from memsuggest.core.database import open_database
from memsuggest.suggestions import pending_suggestions


def test_what_was_told_is_remembered_by_working_tree(tmp_path: Path) -> None:
    """Telling twice is one entry; another working tree knows nothing of it; a restart forgets nothing."""
    connection = open_database(tmp_path / "state.db", pending_suggestions.MIGRATIONS)
    pending_suggestions.note_told(connection, "one", ["a", "b"], now=1)
    pending_suggestions.note_told(connection, "one", ["b", "c"], now=2)
    connection.close()
    connection = open_database(tmp_path / "state.db", pending_suggestions.MIGRATIONS)
    assert pending_suggestions.told(connection, "one") == {"a", "b", "c"}
    assert pending_suggestions.told(connection, "two") == frozenset()
    connection.close()
