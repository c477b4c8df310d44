"""docs/json.md says what the code says."""

from __future__ import annotations

import importlib.util
import json
import re
from pathlib import Path
from typing import Any

from cases import cases
from schema_kit import assert_valid

from memsuggest.setup.json_schemas import FILE, REPORTS

CHANGES = {"memory edit", "memory confirm", "memory deactivate", "memory remove"}
"""Commands that print the report of another one."""
SCRIPT = Path(__file__).resolve().parent.parent / "docs/json_md.py"
PAGE = SCRIPT.with_name("json.md").read_text(encoding="utf-8")


def script() -> Any:
    """The script that makes the page."""
    found = importlib.util.spec_from_file_location("json_md", SCRIPT)
    assert found and found.loader
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module


EXAMPLES: dict[str, str] = script().examples_in(PAGE)


def test_the_page_is_up_to_date() -> None:
    """Every key of every report stands there as its shape has it; `python docs/json_md.py` makes the page anew."""
    assert script().page(EXAMPLES) == PAGE


@cases("command", EXAMPLES)
def test_examples_are_valid(command: str) -> None:
    """An example is what its schema says."""
    assert_valid(command, json.loads(EXAMPLES[command]))


def test_most_reports_have_an_example() -> None:
    """Each is shown but those that need two branches, others' facts, a note or a place, or that go on and on."""
    sections = {command for command in REPORTS if f"\n### {command}\n\nThe same as" not in PAGE}
    others = {"memory import", "memory merge", "memory resolve", "graphiti test", "notes show", "serve"} | CHANGES
    assert sections - EXAMPLES.keys() == others


def test_links_lead_somewhere() -> None:
    """What is linked has a heading."""
    anchors = {
        re.sub(r"[^a-z0-9 -]", "", heading.lower()).replace(" ", "-")
        for heading in re.findall(r"^#+ (.+)$", PAGE, re.MULTILINE)
    }
    assert set(re.findall(r"\]\(#([^)]+)\)", PAGE)) <= anchors
    assert f"## {FILE}" in PAGE
