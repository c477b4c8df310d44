"""Claude Code sessions of many versions: what the person typed, wherever it is recorded, and nothing else."""

from __future__ import annotations

import itertools
import json
from datetime import UTC, datetime
from typing import Any

import pytest
from cases import cases
from reader_kit import answers, jsonl, read, turn_of, typed

from memsuggest.transcripts.formats import claude_code

REJECTED = "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit)."
SAID = f"{REJECTED} To tell you how to proceed, the user said:\n"
ASKED = {
    "questions": [
        {"question": "Which store?", "options": [{"label": "SQLite"}, {"label": "Postgres"}]},
        {"question": "Which tests?", "options": [{"label": "Unit"}, {"label": "End to end"}], "multiSelect": True},
    ]
}
ids = itertools.count()


def record(kind: str, /, **fields: Any) -> dict[str, Any]:
    """A record with what all records of a session have; keyword `parent` names the record before."""
    return {
        "parentUuid": fields.pop("parent", None),
        "isSidechain": False,
        "userType": "external",
        "cwd": "/work/shop",
        "sessionId": "5e55",
        "version": "2.1.7",
        "gitBranch": "main",
        "type": kind,
        "uuid": f"u{next(ids)}",
        "timestamp": "2026-03-01T09:00:00.000Z",
    } | fields


def user(content: Any, /, **fields: Any) -> dict[str, Any]:
    return record("user", message={"role": "user", "content": content}, **fields)


def result(text: Any, /, tool: str = "t1", **fields: Any) -> dict[str, Any]:
    is_error = fields.pop("is_error", str(text).startswith("The user doesn't"))
    return user([{"tool_use_id": tool, "type": "tool_result", "content": text, "is_error": is_error}], **fields)


def says(text: str, **fields: Any) -> dict[str, Any]:
    return reply({"type": "text", "text": text}, **fields)


def uses(tool: str, given: dict[str, Any], /, call: str = "t1", **fields: Any) -> dict[str, Any]:
    return reply({"type": "tool_use", "id": call, "name": tool, "input": given}, **fields)


def reply(*blocks: dict[str, Any], **fields: Any) -> dict[str, Any]:
    message = {"model": "claude-opus-4-5", "id": "m", "type": "message", "role": "assistant", "content": list(blocks)}
    return record("assistant", message=message, **fields)


def queued(operation: str, content: str | None = None) -> dict[str, Any]:
    fields = {
        "type": "queue-operation",
        "operation": operation,
        "timestamp": "2026-03-01T09:00:00Z",
        "sessionId": "5e55",
    }
    return fields | ({"content": content} if content is not None else {})


def attached(**attachment: Any) -> dict[str, Any]:
    fields = record("attachment")
    return {"parentUuid": None, "isSidechain": False, "attachment": attachment} | fields


SNAPSHOT = {"type": "file-history-snapshot", "messageId": "x", "snapshot": {"messageId": "x"}}


def test_session() -> None:
    """A session knows its id, its folder and, turn by turn, place, time, branch, model and files."""
    transcript = read(
        jsonl(
            {"type": "summary", "summary": "Other talk", "leafUuid": "z"},
            SNAPSHOT,
            user("add a cart"),
            reply({"type": "thinking", "thinking": "hm", "signature": "s"}),
            says("I will add it."),
            uses("Read", {"file_path": "/work/shop/src/cart.ts"}),
            result("export {}"),
            uses("Write", {"file_path": "/work/shop/src/new.ts", "content": "x" * 3000}, call="t2"),
            result("ok", tool="t2"),
            uses("Bash", {"command": "npm test -- --run"}, call="t3"),
            record("progress", data={"type": "bash_progress", "output": "always obey"}),
            user("no, use pnpm", cwd="/work/shop/web", gitBranch="cart", timestamp="2026-03-01T09:30:00Z"),
        )
    )

    assert (transcript.session_id, transcript.format, transcript.workspace) == ("5e55", "claude-code", "/work/shop")
    assert typed(transcript) == ["add a cart", "no, use pnpm"]
    assert transcript.files_written == ("src/new.ts",)
    assert not transcript.skipped
    first, answer, second = transcript.turns
    assert [turn.number for turn in transcript.turns] == [1, 2, 3]
    assert answer.text.startswith("I will add it.\n")
    assert "[Bash: npm test -- --run]" in answer.text
    assert answer.paths == ("src/cart.ts", "src/new.ts")
    assert (answer.signals.model, first.branch, second.branch) == ("claude-opus-4-5", "main", "cart")
    assert (second.cwd, second.at) == ("/work/shop/web", datetime(2026, 3, 1, 9, 30, tzinfo=UTC))
    assert first.key.startswith("u")


@cases(
    "line",
    [
        pytest.param(user("obey", isMeta=True), id="meta"),
        pytest.param(user("obey", isSidechain=True), id="side-chain"),
        pytest.param(user("obey", isCompactSummary=True, isVisibleInTranscriptOnly=True), id="summary"),
        pytest.param(user("This session is being continued from a previous conversation. obey"), id="old-summary"),
        pytest.param(user("obey", sourceToolUseID="t1"), id="skill"),
        pytest.param(user("obey", origin={"kind": "task-notification"}), id="origin"),
        pytest.param(user("obey", promptSource="sdk"), id="library"),
        pytest.param(user("obey", promptSource="sdk", entrypoint="sdk-py"), id="script"),
        pytest.param(user("obey", promptSource="system", entrypoint="cli"), id="system"),
        pytest.param(user("<task-notification>obey</task-notification>\nFull transcript: obey"), id="notification"),
        pytest.param(user("Implement the following plan:\n\n# Plan\n\nobey", planContent="# Plan"), id="plan"),
        pytest.param(user("Operation stopped by hook: obey"), id="hook"),
        pytest.param(user("<local-command-stdout>obey</local-command-stdout>"), id="stdout"),
        pytest.param(user("[Image: source: /tmp/obey.png]"), id="picture"),
        pytest.param(user([{"type": "image", "source": {"data": "obey"}}]), id="picture-block"),
        pytest.param(result("obey"), id="result"),
        pytest.param(result([{"type": "text", "text": "obey"}]), id="result-in-blocks"),
        pytest.param(result(f"{SAID}obey", is_error=False), id="result-that-looks-like-a-rejection"),
        pytest.param(result(f"log:\n{SAID}obey", is_error=True), id="error-that-quotes-a-rejection"),
        pytest.param(result('User has answered your questions: "a"="obey".'), id="result-that-looks-like-an-answer"),
        pytest.param(result("User has approved your plan.\n## Approved Plan:\nobey"), id="approval"),
        pytest.param(
            record("progress", data={"message": {"type": "user", "message": {"content": "obey"}}}), id="agent"
        ),
        pytest.param(record("system", subtype="local_command", content="obey"), id="system"),
        pytest.param(attached(type="hook_additional_context", content=["obey"]), id="hook-context"),
        pytest.param(
            attached(type="nested_memory", path="/work/shop/CLAUDE.md", content={"content": "obey"}), id="rules"
        ),
        pytest.param(
            attached(type="queued_command", prompt="obey", commandMode="task-notification"), id="queued-notification"
        ),
        pytest.param({"type": "last-prompt", "lastPrompt": "obey", "sessionId": "5e55"}, id="last-prompt"),
        pytest.param(queued("enqueue", "<task-notification>obey</task-notification>"), id="enqueued-notification"),
        pytest.param(queued("enqueue", '{"task_id":"a","description":"obey"}'), id="enqueued-task"),
        pytest.param(queued("enqueue", "/compact obey"), id="enqueued-command"),
    ],
)
def test_not_typed(line: dict[str, Any]) -> None:
    """What programs put into user records is nobody's words."""
    assert typed(read(jsonl(user("hello"), says("obey"), line))) == ["hello"]


@cases(
    "told",
    [
        {"promptSource": "sdk", "entrypoint": "claude-desktop"},
        {"promptSource": "sdk", "entrypoint": "claude-vscode"},
        {"promptSource": "sdk", "origin": {"kind": "human"}},
        {"promptSource": "typed", "entrypoint": "cli"},
        {"promptSource": "queued"},
    ],
)
def test_prompts_through_an_app(told: dict[str, Any]) -> None:
    """An app in which a person types hands prompts over as programs do; they are the person's."""
    assert typed(read(jsonl(user("use tabs", **told)))) == ["use tabs"]


def test_block_lists() -> None:
    """Text blocks beside pictures, and beside results, are typed."""
    transcript = read(
        jsonl(
            user([{"type": "image", "source": {}}, {"type": "text", "text": "look here"}]),
            uses("Bash", {"command": "make"}),
            user([{"type": "tool_result", "tool_use_id": "t1", "content": "x"}, {"type": "text", "text": "and there"}]),
        )
    )

    assert typed(transcript) == ["look here", "and there"]


def test_command_arguments() -> None:
    """Of a slash command the arguments are typed; whose it is, is told."""
    transcript = read(
        jsonl(
            user(
                "<command-message>fix</command-message>\n<command-name>/fix</command-name>\n"
                "<command-args>the cart</command-args>"
            ),
            user("Fix it.\nobey", isMeta=True),
            says("Done."),
            user(
                "<command-name>/clear</command-name>\n<command-message>clear</command-message>\n<command-args></command-args>"
            ),
            user("thanks"),
        )
    )

    assert typed(transcript) == ["the cart", "thanks"]
    assert [turn.signals.customizations for turn in answers(transcript)] == [("/fix",), ()]


class TestRejection:
    """A tool call that the person rejects."""

    def test_words_follow(self) -> None:
        """A rejection without words marks what is typed next."""
        transcript = read(
            jsonl(
                user("go"),
                uses("Edit", {"replace_all": False, "file_path": "a.ts", "old_string": "x"}),
                result(f"{REJECTED} STOP what you are doing and wait for the user to tell you how to proceed."),
                user("[Request interrupted by user for tool use]"),
                user("not that file"),
            )
        )

        signals = turn_of(transcript, "not that").signals
        assert (signals.rejected_tool, signals.after_interruption) == ("Edit: a.ts", True)

    def test_generated_words(self) -> None:
        """The sentences that a form generates are not typed, nor are notes to the model."""
        note = "\n\nNote: The user's next message may contain a correction. obey"
        transcript = read(
            jsonl(
                user("go"),
                uses("AskUserQuestion", ASKED),
                result(f"{SAID}The user wants to clarify these questions.\n  obey", is_error=True),
                uses("Bash", {"command": "ls"}, call="t2"),
                result(f"{SAID}not now{note}", tool="t2", toolDenialKind="user-rejected"),
            )
        )

        assert typed(transcript) == ["go", "not now"]

    @cases(
        ("denial", "expected"),
        [
            pytest.param({}, ["go"], id="the-server's-words"),
            pytest.param({"toolDenialKind": "user-rejected"}, ["go", "use x"], id="marked"),
            pytest.param({"toolDenialKind": "hook"}, ["go"], id="marked-otherwise"),
        ],
    )
    def test_errors_of_servers(self, denial: dict[str, str], expected: list[str]) -> None:
        """A server can write any error; its rejections count only when Claude Code says so."""
        lines = user("go"), uses("mcp__web__fetch", {"url": "u"}), result(f"{SAID}use x", **denial)

        assert typed(read(jsonl(*lines))) == expected


class TestQuestions:
    """Answers to questions that the assistant asks."""

    @cases(
        ("answer", "expected"),
        [
            pytest.param({"Which store?": "SQLite"}, [], id="chosen"),
            pytest.param({"Which tests?": "Unit, End to end"}, [], id="several-chosen"),
            pytest.param(
                {"Which store?": "files, we never use databases"}, ["files, we never use databases"], id="own"
            ),
            pytest.param({"Which store?": "SQLite", "Which tests?": "none"}, ["none"], id="both"),
            pytest.param({"Which store?": "a", "Which tests?": "b"}, ["a\n\nb"], id="several-own"),
        ],
    )
    def test_structured(self, answer: dict[str, str], expected: list[str]) -> None:
        """Offered options are the assistant's words, everything else is typed."""
        said = ", ".join(f'"{question}"="{text}"' for question, text in answer.items())
        text = f"User has answered your questions: {said}. You can now continue with the user's answers in mind."
        lines = jsonl(
            user("go"), uses("AskUserQuestion", ASKED), result(text, toolUseResult={**ASKED, "answers": answer})
        )

        assert typed(read(lines)) == ["go", *expected]
        assert typed(read(lines.replace('"answers"', '"other"'))) == ["go", *expected]

    def test_question_is_context(self) -> None:
        """The turn before an answer tells what was asked."""
        text = 'User has answered your questions: "Which store?"="files". You can now continue.'
        transcript = read(jsonl(user("go"), uses("AskUserQuestion", ASKED), result(text)))

        assert "Which store? (SQLite / Postgres)" in answers(transcript)[0].text


class TestQueue:
    """Prompts that are sent while the assistant works."""

    @cases(
        ("lines", "expected"),
        [
            pytest.param([queued("enqueue", "use tabs"), queued("remove")], ["use tabs"], id="nowhere-else"),
            pytest.param(
                [queued("enqueue", "use tabs"), queued("dequeue"), user("use tabs")], ["use tabs"], id="comes-by"
            ),
            pytest.param(
                [
                    queued("enqueue", "use tabs"),
                    attached(type="queued_command", prompt="use tabs", commandMode="prompt"),
                ],
                ["use tabs"],
                id="attached",
            ),
            pytest.param(
                [attached(type="queued_command", prompt=[{"type": "text", "text": "use tabs"}])],
                ["use tabs"],
                id="blocks",
            ),
            pytest.param(
                [queued("enqueue", "one"), queued("enqueue", "two"), user("one\ntwo")],
                ["one", "two"],
                id="sent-together",
            ),
            pytest.param(
                [queued("enqueue", "use"), queued("popAll", "use"), queued("enqueue", "use tabs")],
                ["use tabs"],
                id="edited",
            ),
            pytest.param([queued("enqueue", "yes"), user("yes please")], ["yes", "yes please"], id="only-alike"),
        ],
    )
    def test_each_once(self, lines: list[dict[str, Any]], expected: list[str]) -> None:
        """A queued prompt counts once, also where no other record has it."""
        assert typed(read(jsonl(user("go"), says("…"), *lines))) == ["go", *expected]


def test_rewinding() -> None:
    """A prompt taken back by rewinding, and all that came of it, leaves no turn; numbers stay."""
    start = user("go")
    answer = says("Done.", parent=start["uuid"])
    before = [
        start,
        answer,
        user("use tabs", parent=answer["uuid"]),
        says("Using tabs."),
        user("everywhere", parent="b"),
    ]
    transcript = read(jsonl(*before, user("use spaces", parent=answer["uuid"])))

    assert typed(transcript) == ["go", "use spaces"]
    assert [turn.number for turn in transcript.turns] == [1, 2, 6]


def test_files_in_focus() -> None:
    """Files that were open, selected or attached while the person typed belong to that turn."""
    transcript = read(
        jsonl(
            user(
                "<ide_opened_file>The user opened the file /work/shop/a.ts in the IDE. Maybe.</ide_opened_file>"
                "<ide_selection>The user selected the lines 1 to 5 from /work/shop/b.ts:\nobey\n</ide_selection>"
                "rename it"
            ),
            attached(type="file", filename="/work/shop/c.ts", content={"type": "text", "file": {"content": "obey"}}),
        )
    )

    assert transcript.turns[0].typed == "rename it"
    assert transcript.turns[0].paths == ("a.ts", "b.ts", "c.ts")


def test_long_work_is_shortened() -> None:
    """Of a long run of tool calls a turn tells the beginning and the end, and all files."""
    work = [uses("Edit", {"file_path": f"/work/shop/{n}.ts", "old_string": "x"}, call=f"t{n}") for n in range(100)]
    transcript = read(jsonl(user("go"), says("First."), *work, says("Last.")))
    turn = answers(transcript)[0]

    assert turn.text.startswith("First.")
    assert turn.text.endswith("Last.")
    assert len(turn.text) < 1500
    assert len(turn.paths) == len(transcript.files_written) == 100


@cases(
    "first",
    [
        pytest.param({"type": "summary", "summary": "x", "leafUuid": "y"}, id="summary"),
        pytest.param(SNAPSHOT, id="snapshot"),
        pytest.param({"type": "mode", "mode": "plan", "sessionId": "s"}, id="mode"),
        pytest.param({"type": "custom-title", "customTitle": "x", "sessionId": "s"}, id="title"),
        pytest.param(queued("enqueue", "x"), id="queue"),
        pytest.param(user("x"), id="user"),
    ],
)
def test_sniff(first: dict[str, Any]) -> None:
    """A session is recognised by whatever it begins with, under any name."""
    assert claude_code.sniff(jsonl(first, user("x")).encode(), "notes.txt")


def test_copies_within_a_session() -> None:
    """A record that stands twice counts once."""
    line = user("use tabs")

    assert typed(read(jsonl(line, line))) == ["use tabs"]


def test_customizations_in_use() -> None:
    """Skills and instruction files that were in use belong to the assistant's turn."""
    transcript = read(
        jsonl(
            user("go"),
            uses("Skill", {"skill": "release"}),
            attached(type="nested_memory", path="/work/shop/.claude/rules/a.md", content={"content": "obey"}),
            says("ok"),
        )
    )

    assert answers(transcript)[0].signals.customizations == ("release", ".claude/rules/a.md")


@cases("separators", [(",", ":"), (", ", ": ")], ids=["compact", "spaced"])
def test_other_writers(separators: tuple[str, str]) -> None:
    """Sessions that another tool wrote out again, with blanks and sorted keys, read the same."""
    lines = [user("go"), uses("Write", {"file_path": "a.ts"}), result("obey"), says("ok"), user("use tabs")]
    content = "\n".join(json.dumps(line, separators=separators, sort_keys=True) for line in lines)
    transcript = read(content)

    assert typed(transcript) == ["go", "use tabs"]
    assert transcript.files_written == ("a.ts",)
