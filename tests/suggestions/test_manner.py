"""How statements are written."""

from __future__ import annotations

from memsuggest.customizations.blocks.sections import blocks
from memsuggest.suggestions.placement.style import line_style_of, traits_of

_BOLD = "# Rules\n\n- **Cache:** Never cache pages.\n- **Log:** Never log bodies.\n"
_PLAIN = "# Rules\n\n- cache no pages\n- log no bodies\n"


def test_alike_statements_have_the_same_traits() -> None:
    """Bold lead-ins and full sentences make two statements alike, whatever they say."""
    assert traits_of("**Cache:** Never cache pages.") == traits_of("**Mail:** Send one a day.")


def test_a_rule_is_likest_where_neighbours_are_written_like_it() -> None:
    """A rule with a bold lead-in resembles a list of such rules more than a list of plain ones."""
    traits = traits_of("**Retry:** Retry twice, then give up.")
    assert line_style_of(blocks(_BOLD)).likeness(traits) > line_style_of(blocks(_PLAIN)).likeness(traits)


def test_twins_are_counted_among_items_only() -> None:
    """Paragraphs shape the manner, but only list items are siblings of a new one."""
    manner = line_style_of(blocks("Cache no pages\n\n- log no bodies\n"))
    assert (manner.statements, manner.twins(traits_of("retry twice"))) == (2, 1)


def test_an_empty_section_has_no_manner() -> None:
    """Where nothing is said, nothing is alike."""
    assert line_style_of(()).likeness(traits_of("retry twice")) == 0
