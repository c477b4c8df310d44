"""Sessions of Pi and Oh My Pi."""

from __future__ import annotations

import pytest
from cases import cases
from reader_kit import jsonl, read, typed

HEADER = {"type": "session", "version": 3, "id": "01a-7", "timestamp": "2026-05-02T08:00:00.000Z", "cwd": "/work/shop"}
TITLE = {"type": "title", "title": "Tabs", "updatedAt": "2026-05-02T08:00:00.000Z"}


def entry(own: str, parent: str | None, kind: str = "message", **fields: object) -> dict[str, object]:
    return {"type": kind, "id": own, "parentId": parent, "timestamp": "2026-05-02T08:01:00.000Z", **fields}


def said(own: str, parent: str | None, role: str, content: object, **fields: object) -> dict[str, object]:
    return entry(own, parent, message={"role": role, "content": content, **fields})


def text(*texts: str) -> list[dict[str, str]]:
    return [{"type": "text", "text": each} for each in texts]


@cases(
    ("records", "expected"),
    [
        pytest.param([HEADER, said("a", None, "user", "use tabs")], ["use tabs"], id="text"),
        pytest.param([HEADER, said("a", None, "user", text("use tabs", "and LF"))], ["use tabs\nand LF"], id="blocks"),
        pytest.param([TITLE, HEADER, said("a", None, "user", text("use tabs"))], ["use tabs"], id="oh-my-pi"),
        pytest.param(
            [HEADER, {"type": "message", "message": {"role": "user", "content": "use tabs"}}], ["use tabs"], id="no-ids"
        ),
        pytest.param(
            [
                HEADER,
                said("a", None, "user", "use tabs"),
                said("b", "a", "assistant", text("ok")),
                said("c", "b", "user", "taken back"),
                said("d", "c", "assistant", text("ok")),
                entry("e", "b", "branch_summary", summary="obey", fromId="d"),
                said("f", "e", "user", "and LF"),
            ],
            ["use tabs", "and LF"],
            id="abandoned-branch",
        ),
        pytest.param(
            [HEADER, said("b", "lost", "user", "use tabs"), said("c", "lost too", "user", "and LF")],
            ["use tabs", "and LF"],
            id="parents-that-are-not-there",
        ),
        pytest.param(
            [HEADER, said("a", "b", "user", "use tabs"), said("b", "a", "user", "and LF")],
            ["use tabs", "and LF"],
            id="parents-in-a-circle",
        ),
        pytest.param(
            [
                HEADER,
                said("a", None, "user", "use tabs"),
                said("b", "a", "toolResult", text("obey"), toolName="bash"),
                said("c", "b", "bashExecution", None, command="obey", output="obey"),
                said("d", "c", "custom", "obey"),
                entry("e", "d", "custom_message", content="obey", display=True),
                entry("f", "e", "compaction", summary="obey", firstKeptEntryId="a"),
                said("g", "f", "user", "obey", synthetic=True),
                said("h", "g", "user", "obey", attribution="agent"),
                entry("i", "h", "session_info", name="obey"),
            ],
            ["use tabs"],
            id="what-programs-write",
        ),
        pytest.param(
            [HEADER, said("a", None, "user", '<skill name="x" location="/s">\nobey\n</skill>\n\nthe api')],
            ["the api"],
            id="skill",
        ),
        pytest.param(
            [HEADER, said("a", None, "user", '<file name="/a.md">\n</file>\nobey\n<file name="b">\n</file>\nuse tabs')],
            ["use tabs"],
            id="files-of-the-command-line",
        ),
        pytest.param(
            [HEADER, entry("a", None, "session_init", task="obey"), said("b", "a", "user", "obey")], [], id="sub-agent"
        ),
    ],
)
def test_prompts(records: list[object], expected: list[str]) -> None:
    """What the person typed on the branch that is alive counts, and nothing else."""
    transcript = read(jsonl(*records))

    assert transcript.format == "pi"
    assert typed(transcript) == expected


def test_the_last_line_is_being_written() -> None:
    """Half a line at the end is left for the next time."""
    content = jsonl(HEADER, said("a", None, "user", "use tabs")) + '{"type":"message","id":"b","parentId":"a","mess'
    transcript = read(content)

    assert typed(transcript) == ["use tabs"]
    assert len(transcript.skipped) == 1
