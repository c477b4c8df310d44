"""A suggestion reads as a rule by itself, to somebody who was not in the chat."""

from __future__ import annotations

from cases import cases

from memsuggest.judging.offline.lasting import points_elsewhere, unclear


@cases(
    "line",
    [
        "Never edit files in gen/ by hand, they are built by protoc.",
        "Use the Card component for panels.",
        "When fixing a bug, add a test that fails because of it.",
        "Put the wiring of the plugins into src/wire.ts.",
        "Ask me first.",
        "From now on tests run in Docker.",
        "We cannot drop the audit table, the lawyers of the customer read it.",
        "No mocks in integration tests.",
        'Don\'t say "should it work like this?" in comments.',
        "If it is possible to avoid a lock, avoid it.",
        "This project is a plugin for Godot.",
        "Siempre usa tabuladores en archivos nuevos.",
        "テストは日本語で書く。",
    ],
)
def test_a_rule_stands(line: str) -> None:
    """What names its things, and what everybody knows in any repo."""
    assert unclear(line) == ""


@cases(
    ("line", "why"),
    [
        ("Use the other parser.", "is unclear on its own"),
        ("Do not touch these files.", "is unclear on its own"),
        ("Always run it twice.", "is unclear on its own"),
        ("Always handle that.", "is unclear on its own"),
        ("Never ask him about prices.", "refers to someone"),
        ("Should names be plural?", "is a question or incomplete"),
        ("Names are plural... or so.", "is a question or incomplete"),
        ("Never use eval and", "is incomplete"),
        ("I think names are plural.", "thinks aloud"),
        ("Sort imports it is a mess.", "thinks aloud"),
        ("Skip the docs for now.", "is only about right now"),
        ("Run the linter before you continue.", "is only about right now"),
        ("Let's add tests for dates.", "is a one-time task"),
        ("Use tabs " + "and spaces " * 20, "is too long"),
    ],
)
def test_what_is_no_rule_by_itself_says_why(line: str, why: str) -> None:
    """The reason is told, with the words that it is about."""
    assert unclear(line).startswith(why)


def test_what_points_elsewhere() -> None:
    """A pronoun or a pointing word whose thing is not named before it."""
    lines = ("it is slow", "use it", "do that", "this project is old", "there is one db", "errors matter, log them")
    assert [bool(points_elsewhere(line)) for line in lines] == [True, True, True, False, False, False]
