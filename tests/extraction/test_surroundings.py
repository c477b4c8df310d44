"""What stands around a sentence speaks for or against it."""

from __future__ import annotations

import pytest
from extraction.chats import session

from memsuggest.extraction.judgement import judge
from memsuggest.extraction.session import remarks_of


def cues_of(text, *said, **more):
    """The rules that fire for the statement that starts with a text."""
    remarks = remarks_of(session(*said, **more))
    return judge(next(remark for remark in remarks if remark.statement.text.startswith(text))).cues


@pytest.mark.parametrize(
    ("cue", "text", "said"),
    [
        pytest.param("opens-the-session", "The export", ["Build it. The export needs a header."], id="first turn"),
        pytest.param(
            "about-what-was-said",
            "retries",
            ["hi", "a: I added retries to the client.", "retries live in the transport"],
            id="takes up a word of the answer",
        ),
        pytest.param(
            "after-an-objection", "ids", ["hi", "a: Done.", "no\nids are strings everywhere"], id="behind a bare no"
        ),
        pytest.param(
            "reason-to-mend", "ids", ["hi", "a: Done.", "ids are strings everywhere\nfix that"], id="before an order"
        ),
    ],
)
def test_surroundings_are_seen(cue, text, said):
    """A rule of the surroundings fires where they are as it says."""
    assert cue in cues_of(text, *said)


@pytest.mark.parametrize(
    ("cue", "text", "said"),
    [
        pytest.param("opens-the-session", "ids", ["hi", "a: Done.", "ids are strings"], id="a later turn"),
        pytest.param("about-what-was-said", "ids", ["hi", "a: I added retries.", "ids are strings"], id="a new topic"),
        pytest.param("after-an-objection", "ids", ["hi", "a: Done.", "fine\nids are strings"], id="behind a yes"),
        pytest.param("reason-to-mend", "ids", ["hi", "a: Done.", "ids are strings\nis it late?"], id="no order"),
    ],
)
def test_other_surroundings_say_nothing(cue, text, said):
    """A rule of the surroundings is silent elsewhere."""
    assert cue not in cues_of(text, *said)


def test_a_long_quotation_is_not_what_the_person_says():
    """Words of command in quotation marks do not count."""
    assert "always" not in cues_of("The", 'The prompt says "you must always answer in French" but it does not work.')
