"""What a rule fixes, and which older rule it ends."""

from __future__ import annotations

import pytest

from memsuggest.memory.claims import claims_of
from memsuggest.memory.marks import no_longer
from memsuggest.memory.updates import fixes_otherwise, replaces


@pytest.mark.parametrize(
    ("text", "fixed"),
    [
        pytest.param("Function names begin with `ab_`.", [("function", "start", "ab_")], id="start"),
        pytest.param("When you add a new variable, end its name with '_zz'.", [("variable", "end", "_zz")], id="its"),
        pytest.param("Class names start with Foo.", [("class", "start", "foo")], id="a plain word"),
        pytest.param("The prefix for methods has changed to 'm1_'.", [("method", "start", "m1_")], id="prefix"),
        pytest.param(
            "Name test files after the module, with '_t' at the end.", [("test file", "end", "_t")], id="at the"
        ),
        pytest.param("Write constants in capital letters.", [("constant", "case", "capitals")], id="case"),
        pytest.param("Methods carry @timed.", [("method", "decorator", "timed")], id="decorator"),
        pytest.param("Names of function arguments start with 'q_'.", [("argument", "start", "q_")], id="arguments"),
        pytest.param(
            "The parameters of your functions begin with 'q_'.", [("argument", "start", "q_")], id="of a whole"
        ),
        pytest.param("From 'a_' we're moving to 'b_' for functions.", [("function", "start", "b_")], id="moving"),
        pytest.param("Swap '_x' for '_v' on variables.", [("variable", "end", "_v")], id="swapped"),
        pytest.param("Every function name contains a digit.", [("function", "contain", "digit")], id="digit"),
        pytest.param("Lines have at most 90 characters.", [("line", "length", "90")], id="line length"),
        pytest.param("Keep functions below thirty lines.", [("function", "lines", "30")], id="a limit in words"),
        pytest.param("Let's go over to snake case for methods.", [("method", "case", "snake_case")], id="go over"),
        pytest.param("Print the first 20 lines of the log.", [], id="no limit"),
        pytest.param("No digits in variable names.", [("variable", "contain", "no digit")], id="no digit"),
        pytest.param("Annotate all functions with types.", [("function", "has type hint", "yes")], id="has"),
        pytest.param("Methods don't need a docstring.", [("method", "has docstring", "no")], id="has not"),
        pytest.param("Never leave a function without a docstring.", [("function", "has docstring", "yes")], id="twice"),
        pytest.param("Docstrings in the style of NumPy name all parameters and raised errors.", [], id="says more"),
        pytest.param("Run `make check` before a push.", [], id="nothing"),
    ],
)
def test_claims(text: str, fixed: list[tuple[str, str, str]]) -> None:
    """A rule fixes one thing of one part of code to a value."""
    assert [(one.subject, one.aspect, one.value) for one in claims_of(text)] == fixed


def test_no_longer() -> None:
    """A value that is named as the old one is no claim."""
    assert no_longer("Function names start with 'b_' and no longer with 'a_'.") == {"a_"}


@pytest.mark.parametrize(
    ("new", "old"),
    [
        pytest.param("Function names start with 'b_'.", "New functions should begin with 'a_'.", id="value"),
        pytest.param("Methods are written in snake_case.", "Write method names in camelCase.", id="case"),
        pytest.param("No need to add docstrings to every class any more.", "Every class needs a docstring.", id="end"),
        pytest.param("You may use abbreviations in names again.", "Avoid abbreviations in names.", id="allowed"),
        pytest.param("The digit in function names is history.", "Each function name contains a digit.", id="history"),
        pytest.param("Raise BadInput instead of ValueError.", "Raise ValueError for bad arguments.", id="instead"),
        pytest.param(
            "The order of imports doesn't matter any more.", "Keep imports in alphabetical order.", id="matter"
        ),
        pytest.param("Do not worry about docstrings any more.", "Every class needs a docstring.", id="worry"),
        pytest.param("Drop poetry in favour of uv.", "Dependencies are handled by poetry.", id="dropped"),
        pytest.param("Use a type for the props rather than an interface.", "Props get an interface.", id="passed over"),
        pytest.param("'a_' is dead, long live 'b_'.", "Function names start with 'a_'.", id="dead"),
        pytest.param("You can drop the prefix of functions.", "Function names start with 'a_'.", id="prefix"),
        pytest.param("Feel free to leave docstrings out.", "Every function needs a docstring.", id="left out"),
        pytest.param("No need for the @timed decorator now.", "Decorate methods with @timed.", id="decorator"),
        pytest.param("Try/except blocks can go.", "Wrap the body of functions in try/except.", id="can go"),
        pytest.param("Functions end with '_b' now, '_a' was too short.", "Function names end with '_a'.", id="was"),
    ],
)
def test_replaces(new: str, old: str) -> None:
    """What is said as a change ends the rule about the same thing."""
    assert replaces(new, old, is_change=True)


@pytest.mark.parametrize(
    ("new", "old"),
    [
        pytest.param("Function names start with 'b_'.", "Method names start with 'a_'.", id="another part"),
        pytest.param("Function names start with 'b_'.", "Function names end with '_a'.", id="another place"),
        pytest.param("Private functions start with '_p'.", "Functions start with 'b_'.", id="some of them"),
        pytest.param("No need to add docstrings to classes.", "Every function needs a docstring.", id="end of another"),
        pytest.param("Use tabs rather than spaces.", "Count the spaces in log lines.", id="passed over elsewhere"),
        pytest.param("You may use raw SQL again.", "Avoid abbreviations in names.", id="leave of another"),
        pytest.param("Function names start with 'b_'.", "Function names start with 'b_' too.", id="the same"),
        pytest.param(
            "Start names of functions with `a_`.", "Start names of arguments with `b_`.", id="another's start"
        ),
        pytest.param("Classes need no docstring.", "Every function needs a docstring.", id="docstrings of others"),
        pytest.param("Do not call `_load` in functions.", "Do not call `_save` in functions.", id="names of others"),
    ],
)
def test_replaces_nothing_else(new: str, old: str) -> None:
    """What is about another thing stays, even when something changes."""
    assert not replaces(new, old, is_change=False)
    assert not fixes_otherwise(new, old)


@pytest.mark.parametrize(
    ("new", "old", "is_replaced"),
    [
        pytest.param("keep part 3 in src/part3.py", "keep part 7 in src/part7.py", False, id="two of many"),
        pytest.param(
            "write the notes of release 4 in r4.md", "write the notes of release 3 in r3.md", False, id="notes"
        ),
        pytest.param("use port 4000", "use port 3000", True, id="one number"),
    ],
)
def test_rules_of_a_series_stand_side_by_side(new: str, old: str, *, is_replaced: bool) -> None:
    """A rule that says its own number again is about that one of many, and replaces no other's."""
    assert replaces(new, old, is_change=True) is is_replaced
