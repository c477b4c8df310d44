"""Tags that have a meaning for the program itself."""

from __future__ import annotations

UPDATE = "update"
"""The person said that something changes: "from now on …", "we switched to …"."""
