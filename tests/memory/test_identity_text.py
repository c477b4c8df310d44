"""The identity as Markdown."""

from __future__ import annotations

from memory.conftest import entry

from memsuggest.memory.context_block import identity_text, read_identity, section_name
from memsuggest.memory.entry import Layer


def test_it_is_read_as_it_is_written() -> None:
    """Sections stay together, in the order in which they came."""
    entries = [
        entry("Ada", layer=Layer.IDENTITY, section="About me"),
        entry("short answers", layer=Layer.IDENTITY, section="Style"),
        entry("works from Bremen", layer=Layer.IDENTITY, section="About me"),
        entry("no part of it"),
    ]
    text = identity_text(entries)
    assert text == "## About me\n- Ada\n- works from Bremen\n\n## Style\n- short answers\n"
    assert read_identity(text) == [("About me", "Ada"), ("About me", "works from Bremen"), ("Style", "short answers")]


def test_people_write_as_they_like() -> None:
    """Lines without a bullet, other bullets, other levels, none at all."""
    text = "Ada\n\n# Style #\n* short\n1. exact\n+ dry\n###### Tools\nvim"
    assert read_identity(text) == [
        ("About me", "Ada"),
        ("Style", "short"),
        ("Style", "exact"),
        ("Style", "dry"),
        ("Tools", "vim"),
    ]
    assert identity_text([]) == ""


def test_a_section_is_one_heading() -> None:
    """Signs and lines in its name make no other."""
    assert section_name("## My\nTools ##") == "My Tools"
    assert section_name(" # ") == "About me"
