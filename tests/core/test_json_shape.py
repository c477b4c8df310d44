"""Classes that say what their values are as JSON."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, ClassVar, NamedTuple, TypedDict

import pytest

from memsuggest.core.json_shape import (
    Also,
    From,
    Hidden,
    IfAny,
    Key,
    as_json,
    constant,
    definitions_of,
    fill,
    or_null,
    render,
)
from memsuggest.core.text.when import iso, iso_time


class Author(NamedTuple):
    """Who wrote it."""

    name: str
    nick_names: Annotated[tuple[str, ...], "In any order."] = ()


class Publisher:
    def __init__(self, name: str) -> None:
        self.name, self.is_open = name, True


class PublisherJson(TypedDict):
    """Who printed it."""

    name: Annotated[str, "In capitals.", From(to=str.upper)]
    open: Annotated[bool, From("is_open")]
    kind: Annotated[str, constant("house")]


@dataclass(frozen=True, slots=True, kw_only=True)
class Book:
    """A book."""

    JSON_NAME = "Volume"
    title_page: Annotated[str, "As printed.", Key("title")]
    author: Author | None = None
    written_by: ClassVar = Also("author.name", str | None, "The same.")
    readers: tuple[Author, ...] = ()
    votes: tuple[tuple[int, int], ...] = ()
    house: Annotated[Publisher, PublisherJson] | None = None
    shelf: Annotated[str, or_null] = ""
    printed: Annotated[datetime | None, iso_time] = None
    bought: Annotated[int, "When, in ISO 8601 format.", iso] = 0
    _whole: ClassVar = Also("whole", int)
    note: IfAny[str | None] = None
    seen: Hidden[frozenset[str]] = frozenset()

    @property
    def whole(self) -> int:
        return len(self.readers)


ANN = Author("Ann", ("A", "An"))
FULL = Book(title_page="tides", author=ANN, readers=(ANN,), votes=((1, 2),), note="torn", seen=frozenset("x"))


def test_a_value_of_another_room_is_seen_as_a_shape_says() -> None:
    """A TypedDict says where each key comes from; one whose value nobody has is a mistake, not a null."""
    house = as_json(Book(title_page="tides", house=Publisher("Quay")))["house"]
    assert (house["name"], house["open"], house["kind"]) == ("QUAY", True, "house")

    class WrongJson(TypedDict):
        nobody: str

    with pytest.raises(AttributeError, match="nobody"):
        fill(WrongJson, FULL)


def test_the_schema_says_the_same_with_the_words() -> None:
    """What a function makes of a value has the function's type; where a value comes from is nobody's business."""
    schema = definitions_of(Book)
    assert {"Volume", "Author", "Publisher"} == set(schema)
    keys = schema["Volume"]["properties"]
    assert keys["title"] == {"description": "As printed.", "type": "string"}
    assert keys["bought"]["type"] == keys["shelf"]["type"] == ["string", "null"]
    assert keys["note"] == {"type": "string"}
    assert schema["Volume"]["required"] == [key for key in keys if key != "note"]


def test_a_document_is_ascii_with_its_version_first() -> None:
    """Whatever could command a terminal is escaped."""
    text = render(Book(title_page="né\x1b"))
    assert text.isascii() and text.endswith("}\n") and "\x1b" not in text
    assert next(iter(json.loads(text))) == "version"
    assert render(Book(title_page="x"), indent=None).count("\n") == 1
