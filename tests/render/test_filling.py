"""Shapes of JSON that say themselves where their values come from."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated, NotRequired, TypedDict

import pytest

from memsuggest.json_schema import definitions_of
from memsuggest.render.as_json.filling import From, constant, fill, iso_time, or_null


@dataclass
class Author:
    name: str
    nick_names: tuple[str, ...] = ()


@dataclass
class Book:
    title: str
    author: Author | None = None
    readers: tuple[Author, ...] = ()
    votes: tuple[tuple[int, int], ...] = ()
    shelf: str = ""
    printed: datetime | None = None


class AuthorJson(TypedDict):
    """Who wrote it."""

    name: str
    nickNames: Annotated[list[str], "In any order."]


class BookJson(TypedDict):
    """A book."""

    id: None
    title: Annotated[str, "As printed.", From(to=str.upper)]
    author: AuthorJson | None
    writtenBy: Annotated[str | None, From("author.name")]
    readers: list[AuthorJson]
    votes: list[list[int]]
    shelf: Annotated[str | None, From(to=or_null)]
    printed: Annotated[str | None, From(to=iso_time)]
    whole: Annotated[str, From(".", lambda book: f"{book.title}, {len(book.readers)}")]
    language: Annotated[str, constant("en")]
    note: Annotated[NotRequired[str], "What else.", From("shelf")]


ANN = Author("Ann", ("A", "An"))
FULL = Book("tides", ANN, (ANN,), ((1, 2),), "b", datetime(2026, 5, 1, tzinfo=UTC))


def test_a_key_takes_the_attribute_of_its_name_in_the_order_of_the_shape() -> None:
    """Camel case becomes snake case; what a key holds is filled by its own shape, tuples become lists."""
    filled = fill(BookJson, FULL)
    assert list(filled) == list(BookJson.__annotations__)
    assert filled["author"] == {"name": "Ann", "nickNames": ["A", "An"]}
    assert filled["votes"] == [[1, 2]]


def test_a_key_may_say_where_its_value_comes_from() -> None:
    """A path of attributes, what is made of it, all of the value, or always the same."""
    filled = fill(BookJson, FULL)
    assert (filled["title"], filled["writtenBy"], filled["whole"]) == ("TIDES", "Ann", "tides, 1")
    assert (filled["printed"], filled["language"], filled["id"]) == ("2026-05-01T00:00:00+00:00", "en", None)


def test_what_is_not_there_is_null_and_a_key_that_may_be_missing_is_left_out() -> None:
    """A path ends at the first None; an empty value of an optional key is no key at all."""
    filled = fill(BookJson, Book("tides"))
    assert (filled["author"], filled["writtenBy"], filled["shelf"], filled["printed"]) == (None, None, None, None)
    assert "note" not in filled
    assert fill(BookJson, FULL)["note"] == "b"


def test_the_schema_has_the_words_of_a_key_alone() -> None:
    """Where a value comes from is nobody's business but the filling's."""
    schema = definitions_of(BookJson)["Book"]["properties"]
    assert schema["title"] == {"description": "As printed.", "type": "string"}
    assert "description" not in schema["writtenBy"]


def test_a_shape_that_names_no_attribute_fails_loudly() -> None:
    """A key whose value nobody has is a mistake in the shape, not a null."""

    class WrongJson(TypedDict):
        """Nothing."""

        nobody: str

    with pytest.raises(AttributeError, match="nobody"):
        fill(WrongJson, FULL)
