"""Reports as JSON: `{"version": 1, …}`, camelCase, ASCII only, so that no terminal can be commanded by it.

Each kind of report has a shape (a TypedDict with a word on every key) beside the function that fills it: mypy holds the
two together, and `memsuggest schema` and docs/json.md are made of the shapes.
"""

from memsuggest.render.as_json.table import VERSION, render

__all__ = ["VERSION", "render"]
