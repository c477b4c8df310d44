"""Tags: how a candidate tells the memory what becomes of older facts."""

from __future__ import annotations

UPDATE = "update"
"""The person said that something changes: "from now on …", "we switched to …"."""
