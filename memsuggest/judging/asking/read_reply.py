"""A model's answer, read in the shape that was asked for. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from pydantic import BaseModel, ValidationError

from memsuggest.judging.asking.outcomes import failure

if TYPE_CHECKING:
    Parsed = TypeVar("Parsed", bound=BaseModel)


def read_as(shape: type[Parsed], text: str) -> Parsed:
    """Return an answer in its shape; raises ModelError for one of another, with the place that differs."""
    try:
        return shape.model_validate_json(text)
    except ValidationError as error:
        problem = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(map(str, problem["loc"][:4]))
        raise failure("wrong-shape", f"{place} {problem['msg']}".strip()) from None
