"""Reports as JSON: `{"version": 1, …}`, camelCase, ASCII only, so that no terminal can be commanded by it.

Each kind of report has a shape: a TypedDict with a word on every key, and where its value comes from if not from the
report's attribute of that name. What is printed, `memsuggest schema` and docs/json.md are all made of the shapes.
"""

from memsuggest.render.as_json.shape_table import VERSION, render

__all__ = ["VERSION", "render"]
