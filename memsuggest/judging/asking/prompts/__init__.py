"""The prompts: a Markdown file each, with a version and, in comments that are never sent, the reasons for its rules."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

_WHY = re.compile(r"[ \t]*<!--.*?-->\n?", re.DOTALL)
_NAME = re.compile(r"^# ([a-z-]+), version (\d+)\n", re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """The instructions to a model."""

    name: str
    version: int
    """Grows with every change, so that replies to another version are not taken for replies to this one."""
    text: str


@cache
def load_prompt(name: str) -> Prompt:
    """Return the prompt of a name, without the reasons for its rules."""
    raw = files(__package__).joinpath(f"{name}.md").read_text(encoding="utf-8")
    title = _NAME.search(raw)
    if title is None or title[1] != name:
        raise ValueError(f"{name}.md does not start with its name and version")
    text = _WHY.sub("", _NAME.sub("", raw)).strip() + "\n"
    return Prompt(name=name, version=int(title[2]), text=text)
