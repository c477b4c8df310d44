"""What leaves, and what is heard."""

from __future__ import annotations

import json

import pytest
from builders import fake_token
from cases import cases
from hypothesis import given
from hypothesis import strategies as st

from memsuggest.judging.asking.question import as_heard


@cases(
    "spelled",
    [
        pytest.param(json.dumps({"a": [fake_token()]}), id="as it is"),
        pytest.param(json.dumps({fake_token(): 1}), id="as a name"),
        pytest.param(json.dumps({"a": fake_token()}).replace("ghp", "\\u0067hp"), id="in escapes"),
        pytest.param(f'so: {{"a": "{fake_token()}"', id="in what is no JSON"),
        pytest.param("[" * 100_000 + fake_token(), id="too deep"),
    ],
)
def test_no_secret_is_heard(spelled: str) -> None:
    """A key that a server sends back is gone before anybody reads the answer."""
    heard = as_heard(spelled)
    assert fake_token() not in heard
    assert "0067" not in heard


@given(st.recursive(st.none() | st.integers() | st.text(alphabet='ab \\/"\n\x00\u2028é', max_size=12), st.lists))
def test_what_has_no_secret_is_heard_as_it_is(value: object) -> None:
    """Backslashes, quotes and control characters of an honest answer survive."""
    assert json.loads(as_heard(json.dumps(value))) == value
