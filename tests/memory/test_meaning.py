"""Finding by meaning: vectors beside the index, made a few seconds at a time, fused with the words by rank."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import numpy as np
import pytest
from cli.conftest import invoke
from memory.conftest import NOW, chat

from memsuggest.core.errors import MemsuggestError
from memsuggest.facts.profile import Profile, open_profile
from memsuggest.memory import meaning
from memsuggest.memory.entry import Entry, Layer
from memsuggest.memory.entry_search import Filters, search
from memsuggest.memory.turns import PERSON

SUBJECTS = (("cart", "basket", "checkout"), ("deploy", "release", "production"), ("photo", "picture", "gallery"))
EVERYWHERE = Filters(layers=tuple(Layer))


def vector(text: str) -> list[float]:
    """A model of three subjects: what is about one of them points its way."""
    found = [1.0 + 9 * any(word in text.lower() for word in words) for words in SUBJECTS]
    return [one / sum(value * value for value in found) ** 0.5 for one in found]


class Subjects:
    """A stand-in for a sentence model."""

    name = "subjects"

    def passages(self, texts: Sequence[str]) -> Any:
        return np.array([vector(text) for text in texts], dtype=np.float32)

    def query(self, text: str) -> Any:
        return self.passages([text])[0]


@pytest.fixture(name="profile")
def _profile(tmp_path: Path) -> Iterator[Profile]:
    profile = open_profile(tmp_path / "profile.db", workspace="shop")
    keep(profile, "one", "the cart is empty after a while", "make it 72 hours")
    keep(profile, "two", "sven does the release", "only on tuesdays", "fine", "anything else?")
    yield profile
    profile.close()


def keep(profile: Profile, name: str, *said: str) -> Entry:
    return chat(profile, name, *((PERSON, text) for text in said))


def found(profile: Profile, query: str) -> list[str]:
    connection = profile.entries.connection
    near = meaning.nearest(connection, Subjects(), query, EVERYWHERE)
    return [hit.entry.content for hit in search(connection, query, EVERYWHERE, now=NOW, near=near)]


def count(profile: Profile) -> int:
    return int(profile.entries.connection.execute("SELECT count(*) FROM entry_vectors").fetchone()[0])


def test_another_word_for_it(profile: Profile) -> None:
    """What no word leads to is found; what words find comes first where both agree."""
    assert search(profile.entries.connection, "when does the basket vanish?", EVERYWHERE, now=NOW) == []
    assert found(profile, "when does the basket vanish?") == []
    assert meaning.make_vectors(profile.entries.connection, Subjects(), seconds=60) > 0
    assert found(profile, "when does the basket vanish?")[0] == "one"
    assert found(profile, "who brings tuesdays release to production")[0] == "two"
    (first, *_) = search(
        profile.entries.connection, "basket", EVERYWHERE, now=NOW,
        near=meaning.nearest(profile.entries.connection, Subjects(), "basket", EVERYWHERE),
    )  # fmt: skip
    assert "72 hours" in first.content


def test_only_what_is_new(profile: Profile) -> None:
    """Nothing is made twice; without time nothing is made; another model begins anew."""
    connection = profile.entries.connection
    assert meaning.make_vectors(connection, Subjects(), seconds=0) == 0
    made = meaning.make_vectors(connection, Subjects(), seconds=60)
    assert made == count(profile) > 0
    assert meaning.make_vectors(connection, Subjects(), seconds=60) == 0
    other = Subjects()
    other.name = "another"
    assert meaning.make_vectors(connection, other, seconds=60) == made == count(profile)
    assert found(profile, "basket") == []


def test_vectors_go_with_their_words(profile: Profile) -> None:
    """When a chat is kept anew, a wording changes, or an entry is removed."""
    connection = profile.entries.connection
    meaning.make_vectors(connection, Subjects(), seconds=60)
    entry = keep(profile, "one", "we talk of photos now")
    assert found(profile, "basket")[:1] != ["one"]
    meaning.make_vectors(connection, Subjects(), seconds=60)
    assert found(profile, "which picture")[0] == "one"
    before = count(profile)
    profile.entries.remove([entry])
    assert count(profile) < before


class Embeddings(BaseHTTPRequestHandler):
    """A server of vectors, as local ones answer."""

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        rows = [{"index": at, "embedding": [2 * one for one in vector(text)]} for at, text in enumerate(asked["input"])]
        body = json.dumps({"data": rows[::-1]} if asked["model"] == "small" else {"error": "no such model"}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture(name="address")
def _address() -> Iterator[str]:
    server = HTTPServer(("127.0.0.1", 0), Embeddings)
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def test_a_server_on_this_machine(address: str) -> None:
    """Vectors come in the order of the texts, of length one; another answer is an error, another machine none."""
    made = meaning._Served(address, "small").passages(["the cart", "a photo"])
    assert np.allclose(np.linalg.norm(made, axis=1), 1)
    assert made[0].argmax() == 0 and made[1].argmax() == 2
    with pytest.raises(MemsuggestError, match="no vectors"):
        meaning._Served(address, "large").query("cart")
    with pytest.raises(MemsuggestError, match="not a local address"):
        meaning._Served("https://vectors.invalid", "small")


def test_what_is_chosen_and_missing(git_repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`recall` answers by words and says so, and so does `doctor`; a repo's file may not choose it."""
    monkeypatch.setenv("MEMSUGGEST_MEANING", "http://127.0.0.1:1")
    assert (
        "http://127.0.0.1:1 returned no vectors"
        in invoke("recall", "which database for invoices", "--format", "json").json["note"]
    )
    checks = invoke("doctor", "--format", "json", code=3).json["checks"]
    (check,) = [one for one in checks if one["name"] == "meaning"]
    assert check["health"] == "bad"
    monkeypatch.delenv("MEMSUGGEST_MEANING")
    (git_repo / ".memsuggest.yml").write_text("meaning: http://127.0.0.1:1\n", encoding="utf-8")
    assert not invoke("recall", "which database for invoices", "--format", "json").json["note"]
