"""What the person says now, and which of their older rules it ends."""

from __future__ import annotations

import pytest
from cases import cases

from memsuggest.memory.updates import replaces


@cases(
    ("new", "old"),
    [
        pytest.param("You no longer need to ask me before commits.", "Ask me before every commit.", id="no longer"),
        pytest.param("Docstrings on classes are optional now.", "Every class needs a docstring.", id="optional"),
        pytest.param("PRs don't need a screenshot any more.", "Every PR needs a screenshot.", id="any more"),
        pytest.param("You may use abbreviations in names again.", "Avoid abbreviations in names.", id="allowed again"),
        pytest.param("Raw SQL in reports is fine now.", "Never write raw SQL in reports.", id="fine now"),
    ],
)
def test_an_end_needs_no_other_word(new: str, old: str) -> None:
    """What is said to be no longer asked for, or no longer forbidden, ends the rule that said so."""
    assert replaces(new, old, is_change=False)


@cases(
    ("new", "old"),
    [
        pytest.param("Use bun instead of pnpm.", "Use pnpm for installs.", id="instead"),
        pytest.param("We switched from poetry to uv.", "Dependencies are handled by poetry.", id="switched"),
        pytest.param("Drop moment in favour of date-fns.", "Format dates with moment.", id="dropped"),
        pytest.param("Use a type for the props rather than an interface.", "Props get an interface.", id="rather"),
        pytest.param("Indent with 4 spaces.", "Indent with 2 spaces.", id="another number"),
        pytest.param("Lines are below 120 characters.", "Lines are below 100 characters.", id="another limit"),
        pytest.param("Deploy on Mondays.", "Deploy on Fridays.", id="another value"),
        pytest.param(
            "Dates in replies are ISO 8601 strings, never epoch seconds.",
            "Dates in replies must be epoch seconds, the scanners can't read anything else.",
            id="the old value refused",
        ),
        pytest.param("Never squash before merging.", "Squash before merging.", id="turned"),
        pytest.param("use port 4000", "use port 3000", id="one number"),
    ],
)
def test_a_change_ends_what_it_changes(new: str, old: str) -> None:
    """Another value ends the rule about the same thing when it is said as a change; else the person is asked."""
    assert replaces(new, old, is_change=True)
    assert not replaces(new, old, is_change=False)


@cases(
    ("new", "old"),
    [
        pytest.param("No need to add docstrings to classes.", "Every function needs a docstring.", id="end of another"),
        pytest.param("You may use raw SQL again.", "Avoid abbreviations in names.", id="leave of another"),
        pytest.param("Use tabs rather than spaces.", "Count the spaces in log lines.", id="passed over elsewhere"),
        pytest.param("Start argument names with `a_`.", "Start function names with `b_`.", id="of other things"),
        pytest.param("Remove the feature flag after launch.", "Put new screens behind a feature flag.", id="a task"),
        pytest.param("Sort the translations.", "Cache the translations.", id="something else to do"),
        pytest.param("Answer in German.", "Answer briefly.", id="another side of it"),
        pytest.param("Keep functions below 40 lines.", "Keep lines below 80 characters.", id="another limit"),
        pytest.param("120 is fine.", "Lines never exceed 120 characters.", id="a bare number"),
        pytest.param("keep part 3 in src/part3.py", "keep part 7 in src/part7.py", id="two of many"),
        pytest.param("write the notes of release 4 in r4.md", "write the notes of release 3 in r3.md", id="notes"),
    ],
)
def test_what_is_about_another_thing_stays(new: str, old: str) -> None:
    """However plainly something changes, rules about other things are not touched."""
    assert not replaces(new, old, is_change=True)
    assert not replaces(new, old, is_change=False)
