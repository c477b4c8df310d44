"""One setting: its name, what it may be, and who may set it."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """One thing that can be set."""

    name: str
    default: object
    allowed: str
    """What a value may be, as an error message says it."""
    parse: Callable[[object], object]
    """From a raw value to ours; raises ValueError."""
    about: str
    unit: str = ""
    """What a number counts."""
    long_name: str | None = None
    """The name in an editor's settings."""
    is_quieter: Callable[[object, object], bool] | None = None
    """Whether a repo's value is quieter or safer than the default; None: a repo may not set it at all."""

    @property
    def variable(self) -> str:
        """The environment variable: `maxUserFacts` → `MEMSUGGEST_MAX_USER_FACTS`, a dot becomes `_` too."""
        return "MEMSUGGEST_" + re.sub("([A-Z])", r"_\1", self.name.replace(".", "_")).upper()
