"""Talks between people: what is told in pieces becomes one rule; what is passed over is talk."""

from __future__ import annotations

import pytest
from memory.fakes import citation, fact

from memsuggest.extraction import offline
from memsuggest.identity import fact_id
from memsuggest.memory.marks import marks_of
from memsuggest.model import Candidate, MemoryFact, Scope
from memsuggest.transcripts import dialogue
from memsuggest.transcripts.source import Source


def told(*said: str, known: tuple[str, ...] = ()) -> list[Candidate]:
    """Return the candidates of a talk in which Ida and Bo take turns."""
    text = "".join(f"{name}: {line}\n" for name, line in zip(("Ida", "Bo") * len(said), said, strict=False))
    transcript = dialogue.read(Source.of(text, name="talk.txt", person="Ida"))
    return offline.extract(transcript, [in_force(rule) for rule in known])


def in_force(rule: str) -> MemoryFact:
    return fact(rule, citations=(citation(rule, session="s2"),))


@pytest.mark.parametrize(
    ("said", "rules"),
    [
        pytest.param(
            (
                "Let us speak of functions, Bo. They're hard to find. I'd like a 'zu_' there.",
                "'zu_' for functions, okay.",
            ),
            ["Start names of functions with `zu_`."],
            id="the value stands alone",
        ),
        pytest.param(
            ("Our tool is picky about the ends of variables. It has to be '_ku'.", "Fine, it's '_ku' then."),
            ["End names of variables with `_ku`."],
            id="said before",
        ),
        pytest.param(
            ("One more wish for today. Let's take '_pim', shall we.", "Got it, attributes end in '_pim'."),
            ["End names of attributes with `_pim`."],
            id="told by the answer",
        ),
        pytest.param(
            ("I'm afraid the methods must change. Snake case it is.", "Snake case for methods, alright."),
            ["Write names of methods in Snake case."],
            id="letters",
        ),
        pytest.param(
            (
                "Each method carries a docstring from here on, and for the prefix of variables, move to 'qo_'.",
                "'qo_' for variables, will do.",
            ),
            ["Start names of variables with `qo_`.", "Use docstrings in methods."],
            id="what code is to have, beside a value",
        ),
        pytest.param(
            ("The mountains were lovely. I'd like for you to add a comment above each loop.", "What a trip!"),
            ["Add a comment above each loop."],
            id="a wish for somebody",
        ),
        pytest.param(
            ("Your methods are going to end in '_mu'. How is the garden?", "Blooming, thanks!"),
            ["Your methods are going to end in '_mu'."],
            id="what will be is no praise",
        ),
        pytest.param(
            (
                "Let's practise. Write a function that counts each bird in a list.",
                "A function that counts birds, sure.",
            ),
            [],
            id="an exercise is over when it is done",
        ),
        pytest.param(
            ("Now, attribute names shall finish with '_ni', while classes are going to start with 'Ru'.", "All right!"),
            ["End names of attributes with `_ni`.", "Start names of classes with `Ru`."],
            id="two values for two parts",
        ),
        pytest.param(
            ("There's one more thing on naming that I need to mention. It's late, though.", "Naming, oh dear."),
            [],
            id="an announcement",
        ),
        pytest.param(
            ("Is 'zu_' the prefix of your functions?", "No, we have none."), [], id="a question is no instruction"
        ),
        pytest.param(
            ("The functions with 'zu_' came from a man in Turku, he sold boats.", "Really? What kind of boats?"),
            [],
            id="a story is no instruction",
        ),
    ],
)
def test_told_in_pieces(said: tuple[str, ...], rules: list[str]) -> None:
    """A value, what it is for, and what of it: each may be said in another sentence, by either of the two."""
    assert [one.content for one in told(*said)] == rules


@pytest.mark.parametrize(
    ("rule", "said", "now"),
    [
        pytest.param(
            "Start names of functions with `a_`.",
            ("'a_' is taken by others. Make that 'b_', will you.", "'b_', okay."),
            "Start names of functions with `b_`.",
            id="the old value is named",
        ),
        pytest.param(
            "Keep functions to 20 lines.",
            ("Twenty lines was too hard on you. I'm raising it to 35.", "35 lines, thank you."),
            "Keep functions to 35 lines.",
            id="a limit",
        ),
        pytest.param(
            "Methods that call the bank carry @slow.",
            ("About that decorator: it's @calm now.", "@calm, got it."),
            "Methods that call the bank carry @calm.",
            id="a rule for some keeps whom it is for",
        ),
        pytest.param(
            "Wrap the body of functions in try blocks.",
            ("Let's have 'wo_' in front of variables, and there's no need for the try blocks any more.", "Fine."),
            "No need for try blocks in functions any more.",
            id="ended beside a value",
        ),
        pytest.param(
            "Every function needs a docstring.",
            ("The docstrings bore our readers. You can skip them.", "No docstrings, then."),
            "No need for docstrings in functions any more.",
            id="ended by a pronoun",
        ),
        pytest.param(
            "End names of arguments with `_in`.",
            ("Remember that thing with your arguments? I'm lifting it.", "No suffix for arguments. Good."),
            "No need for a suffix of names of arguments any more.",
            id="ended as the other one says",
        ),
        pytest.param(
            "Use loguru for output.",
            ("The logs again. So we've moved to structlog at last.", "structlog instead of loguru, I see."),
            "We've moved to structlog at last.",
            id="another choice",
        ),
    ],
)
def test_what_is_in_force_tells_the_rest(rule: str, said: tuple[str, ...], now: str) -> None:
    """What a rule in force fixes is known, so that a new value, or that it is over, suffices; it names that rule."""
    found = [one for one in told(*said, known=(rule,)) if f"replaces:{fact_id(Scope.WORKSPACE, rule)}" in one.tags]
    assert [one.content for one in found] == [now]


@pytest.mark.parametrize(
    "said",
    [
        pytest.param(("We've got the new office now, and the letters are in a drawer.", "Nice view!"), id="a change"),
        pytest.param(("Every class of mine was full in those days.", "You taught?"), id="a kind"),
        pytest.param(("So, about the functions that you write.", "Yes?"), id="only what comes next"),
        pytest.param(("Write me a function that sorts a list of names.", "Sure, one moment."), id="a task"),
    ],
)
def test_talk_is_passed_over(said: tuple[str, ...]) -> None:
    """What hardly sounds like a rule, and what nobody answers to, is no rule."""
    assert told(*said) == []


def test_what_is_acknowledged_counts() -> None:
    """A sentence that the other one repeats as a rule is one, however it is put."""
    (found,) = told(
        "92 characters a line, not one more. How's your mother?", "92 characters per line, alright. She's fine!"
    )
    assert found.content == "92 characters a line, not one more."


def test_several_values_of_one_thing() -> None:
    """Two values in a breath are a choice, not a change."""
    (found,) = told("Branches begin with 'feat/' or 'fix/'.", "Okay.")
    assert "feat/" in found.content
    assert "fix/" in found.content


def test_several_things_in_a_breath() -> None:
    """Different things that are ruled in one sentence are rules of their own."""
    found = told("Functions begin with 'f_', and variables end with '_v'.", "'f_' and '_v', okay.")
    assert [one.content for one in found] == [
        "Start names of functions with `f_`.",
        "End names of variables with `_v`.",
    ]


def test_nothing_of_the_answer_becomes_a_rule() -> None:
    """What only the other one says is never told."""
    assert told("How was your day?", "Good! All functions start with 'evil_' from now on, I'll do that.", "Nice.") == []


def test_marks() -> None:
    """A value tells what it is for where the words around it do."""
    assert [(one.value, one.aspect, one.is_out) for one in marks_of("Start with 'b_' rather than 'a_'.")] == [
        ("b_", "start", False),
        ("a_", "", True),
    ]
