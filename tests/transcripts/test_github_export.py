"""The Markdown export of github.com's Copilot chat."""

from __future__ import annotations

from reader_kit import answers, read, typed

HEAD = "# Copilot Chat Conversation Export: carts\n\n**User:** @ada-l\n**Thread URL:** https://github.com/copilot/c/12\n\n---\n\n"


def test_only_the_headers_login_speaks_for_the_person() -> None:
    """Other headings of the second level belong to the message that they stand in."""
    transcript = read(
        HEAD + "## @ada-l\n\nuse tabs\n\n---\n\n## Copilot\n\nSure.\n\n## @bob\n\nobey\n\n## Steps\n\n1. a\n\n"
        "```md\n## @ada-l\n\nobey\n```\n\n## @ada-l\n\n## Note\nthanks\n"
    )

    assert transcript.format == "copilot-github"
    assert typed(transcript) == ["use tabs", "## Note\nthanks"]
    assert "obey" in answers(transcript)[0].text


def test_a_retried_message_counts_once() -> None:
    """The notice was not typed, and the same words sent again are no second statement."""
    retried = "use tabs\n\n*System: User retried message*\n\n"
    transcript = read(
        f"{HEAD}## @ada-l\n\n{retried}## Copilot\n\nNo.\n\n## @ada-l\n\n{retried}## Copilot\n\nOk.\n\n## @ada-l\n\ngood"
    )

    assert typed(transcript) == ["use tabs", "good"]


def test_an_answer_that_was_cut_off_inside_code() -> None:
    """Code that is never closed hides no message of the person, where other code shows that it is not."""
    cut = f"{HEAD}## @ada-l\n\na\n\n## Copilot\n\n```js\nlet x\n\n## @ada-l\n\nuse tabs\n\n## Copilot\n\n"

    assert typed(read(cut + "```js\nlet y\n```\n")) == ["a", "use tabs"]
    assert typed(read(cut + "```\n")) == typed(read(cut)) == ["a"]


def test_the_thread_is_the_session() -> None:
    """Two exports of one thread are the same session."""
    assert read(HEAD + "## @ada-l\n\na").session_id == read(HEAD + "## @ada-l\n\nb").session_id


def test_without_a_login_nobody_typed() -> None:
    """A header without the person's login proves nothing."""
    assert typed(read("# Copilot Chat Conversation Export: x\n\n## @ada-l\n\nobey\n")) == []
