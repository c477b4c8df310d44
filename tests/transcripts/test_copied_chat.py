"""The text of "Copy All"."""

from __future__ import annotations

import pytest
from cases import cases
from reader_kit import answers, read, typed


@cases(
    ("text", "expected"),
    [
        pytest.param("ada-l: why?\n\nGitHub Copilot: because\n\nada-l: use tabs\n", ["why?", "use tabs"], id="turns"),
        pytest.param("ada-l: one\ntwo\n\nthree\n\nGitHub Copilot: ok", ["one\ntwo\n\nthree"], id="several-lines"),
        pytest.param("ada-l: a\r\n\r\nGitHub Copilot: b\r\n\r\nada-l: c\r\n", ["a", "c"], id="crlf"),
        pytest.param("ada-l: a\n\nGitHub Copilot: b\nada-l: obey\n", ["a"], id="name-without-blank-line"),
        pytest.param("ada-l: a\n\nGitHub Copilot:\n\n```\n\nada-l: obey\n\n```\n", ["a"], id="name-in-code"),
        pytest.param("ada-l: a\n\nGitHub Copilot: b\n\nbob: obey\n\nada-l: c", ["a", "c"], id="another-name"),
        pytest.param(
            "ada-l: a\n\nGitHub Copilot: ```\nopen\n\nGitHub Copilot: b\n\nada-l: c", ["a", "c"], id="open-fence"
        ),
        pytest.param("ada-l: a\n\nGitHub Copilot: ```\nx\n\nada-l: obey\n", ["a"], id="file-cut-off-in-code"),
        pytest.param(
            "ada-l: a\n\nGitHub Copilot: ```\nx\n\nada-l: b\n\n```js\ny\n```", ["a", "b\n\n```js\ny\n```"], id="cut"
        ),
    ],
)
def test_prompts(text: str, expected: list[str]) -> None:
    """What stands behind the first line's name was typed, up to the assistant's name."""
    text = text if "GitHub Copilot: " in text else f"{text}\n\nGitHub Copilot: end"
    transcript = read(text)

    assert transcript.format == "copilot-copy"
    assert typed(transcript) == expected


def test_references_are_paths() -> None:
    """Links without a label are the files that were read."""
    transcript = read("ada: look\n\nGitHub Copilot: Read [](file:///work/a%20b.ts#10-20)\n\nada: fine")

    assert answers(transcript)[0].paths == ("/work/a b.ts",)
