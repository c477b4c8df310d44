"""Facts as documents."""

from __future__ import annotations

from facts.fakes import citation, fact

from memsuggest.core.model import FactStatus, Kind, Scope
from memsuggest.facts.look_at_facts import to_markdown

FACTS = [
    fact("Use uv", kind=Kind.CONVENTION, reason="it is fast", paths=("pyproject.toml",), id="aa"),
    fact("Use pip", kind=Kind.CONVENTION, status=FactStatus.INACTIVE, superseded_by="aa", citations=(), id="bb"),
    fact("Answer\n# tersely", kind=Kind.PREFERENCE, scope=Scope.USER, citations=(citation("be\nterse"),), id="cc"),
]


def test_markdown() -> None:
    """Facts stand by scope and kind, each on one line with its evidence below."""
    assert (
        to_markdown(FACTS)
        == """\
# Facts

## This workspace

### Conventions

- Use uv
  - why: it is fast
  - said: “Use uv” (chat `s1`, turn 1, 2026-03-02)
  - files: `pyproject.toml`, `src/app.py`
  - id: `aa`, confidence 0.80
- Use pip
  - retired, replaced by `aa`
  - id: `bb`, confidence 0.80

## Everywhere

### Preferences

- Answer # tersely
  - said: “be terse” (chat `s1`, turn 1, 2026-03-02)
  - id: `cc`, confidence 0.80
"""
    )
