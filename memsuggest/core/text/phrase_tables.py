"""Tables of words and expressions, in text files beside the code that reads them, read when first needed. Pure."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files


@cache
def sections_of(package: str, table: str) -> dict[str, str]:
    """Return the sections of a table by their names: what follows a line such as `[name]`."""
    text = files(package).joinpath(f"{table}.txt").read_text(encoding="utf-8")
    parts = (section.partition("]\n") for section in re.split(r"^\[", text, flags=re.MULTILINE)[1:])
    return {name: content for name, _, content in parts}


@cache
def form(package: str, table: str, name: str) -> re.Pattern[str]:
    """Compile a section that is one regular expression, written with `re.VERBOSE`."""
    return re.compile(sections_of(package, table)[name].strip(), re.VERBOSE)
