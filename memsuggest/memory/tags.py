"""Tags: how a candidate tells the memory what becomes of older facts."""

from __future__ import annotations

UPDATE = "update"
"""The person said that something changes: "from now on …"."""
REPLACES = "replaces:"
"""Begins the tag that names, by its id, a fact in whose place the candidate comes."""
