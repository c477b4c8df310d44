"""VS Code chats in all their files: the log is replayed exactly, and only what was typed counts."""

from __future__ import annotations

import json
from typing import Any

import pytest
from cases import cases
from conftest import conformance_cases
from hypothesis import given
from hypothesis import strategies as st
from reader_kit import answers, jsonl, read, turn_of, typed

from memsuggest.core.errors import TranscriptError
from memsuggest.transcripts.formats import vscode
from memsuggest.transcripts.formats.vscode import replay


def request(text: str, *response: Any, parts: list[Any] | None = None, **fields: Any) -> dict[str, Any]:
    """A request as the newest version writes it."""
    return {
        "requestId": f"request_{text[:12]}",
        "message": {"text": text, "parts": parts or []},
        "variableData": {"variables": fields.pop("variables", [])},
        "response": list(response),
        "responseId": f"response_{text[:12]}",
        "timestamp": 1772355600000,
        "modelId": "copilot/gpt-5",
    } | fields


def export(*requests: Any, **fields: Any) -> dict[str, Any]:
    return {"responderUsername": "GitHub Copilot", "initialLocation": "panel", "requests": list(requests)} | fields


def uri(path: str) -> dict[str, Any]:
    return {"$mid": 1, "fsPath": path, "path": path, "external": f"file://{path}", "scheme": "file"}


def tool(message: str, **fields: Any) -> dict[str, Any]:
    return {"kind": "toolInvocationSerialized", "invocationMessage": message, "toolId": "copilot_x"} | fields


AGENT = {"kind": "agent", "range": {"start": 0, "endExclusive": 6}, "text": "@agent"}
V1 = export(request("use tabs"), sessionId="5e55", creationDate=1772355600000, requesterUsername="ada")
V2 = {"version": 2, "computedTitle": "Tabs"} | V1
V3 = {"version": 3, "customTitle": "Tabs", "hasPendingEdits": False, "inputState": {}} | V1


class TestLog:
    """The append log of a session."""

    @cases("case", conformance_cases("chatlog"), ids=lambda case: str(case["id"]))
    def test_like_the_editor(self, case: dict[str, Any]) -> None:
        """Cases that the editor's own engine decided."""
        if case["error"] is None:
            assert replay(case["text"]) == case["state"]
        else:
            with pytest.raises(TranscriptError):
                replay(case["text"])

    @cases(
        ("entries", "expected"),
        [
            pytest.param([{"kind": 0, "v": {"a": 1}}, {"kind": 0, "v": {"b": 2}}], {"b": 2}, id="initial-again"),
            pytest.param([{"kind": 1, "k": ["a", "b"], "v": 2}], {"a": {"b": 2}, "list": [1, 2, 3]}, id="set"),
            pytest.param([{"kind": 1, "k": ["list", 1], "v": {}}], {"a": {}, "list": [1, {}, 3]}, id="set-an-item"),
            pytest.param(
                [{"kind": 1, "k": ["list", 4], "v": 5}], {"a": {}, "list": [1, 2, 3, None, 5]}, id="set-beyond"
            ),
            pytest.param([{"kind": 1, "k": [], "v": 5}], {"a": {}, "list": [1, 2, 3]}, id="set-nowhere"),
            pytest.param([{"kind": 1, "k": ["a"]}], {"list": [1, 2, 3]}, id="set-to-nothing"),
            pytest.param([{"kind": 2, "k": ["list"], "v": [4]}], {"a": {}, "list": [1, 2, 3, 4]}, id="push"),
            pytest.param([{"kind": 2, "k": ["list"], "i": 0}], {"a": {}, "list": []}, id="empty"),
            pytest.param([{"kind": 2, "k": ["a", "x"], "v": [1]}], {"a": {"x": [1]}, "list": [1, 2, 3]}, id="push-new"),
            pytest.param([{"kind": 2, "k": ["list"], "v": [9], "i": 1}], {"a": {}, "list": [1, 9]}, id="cut-and-push"),
            pytest.param([{"kind": 3, "k": ["a"]}], {"list": [1, 2, 3]}, id="delete"),
            pytest.param([{"kind": 3, "k": ["none"]}], {"a": {}, "list": [1, 2, 3]}, id="delete-nothing"),
            pytest.param([{"kind": 3, "k": ["list", 0]}], {"a": {}, "list": [None, 2, 3]}, id="delete-an-item"),
        ],
    )
    def test_entries(self, entries: list[dict[str, Any]], expected: object) -> None:
        """Every kind of entry does what the editor does."""
        assert replay(jsonl({"kind": 0, "v": {"a": {}, "list": [1, 2, 3]}}, *entries)) == expected

    @cases(
        "text",
        [
            pytest.param("", id="empty"),
            pytest.param("\n\n", id="blank-lines"),
            pytest.param("   \n", id="white-space"),
            pytest.param('{"kind":1,"k":["a"],"v":1}', id="no-beginning"),
            pytest.param('{"kind":0,"v":{}}\n{"kind":7}', id="unknown-kind"),
            pytest.param('{"kind":0,"v":{}}\n{"kind":1,"k":["a"],"v', id="cut-off"),
            pytest.param('{"kind":0,"v":{}}\n{"kind":1,"k":["a","b"],"v":1}', id="no-parent"),
            pytest.param('{"kind":0,"v":{"a":1}}\n{"kind":1,"k":["a","b"],"v":1}', id="number-as-parent"),
            pytest.param('{"kind":0,"v":{"a":null}}\n{"kind":2,"k":["a","b"],"v":[1]}', id="null-as-parent"),
            pytest.param('{"kind":0,"v":{"a":[]}}\n{"kind":2,"k":["a"],"i":-1}', id="negative-length"),
            pytest.param('{"kind":0,"v":{"a":[]}}\n{"kind":2,"k":["a"],"i":1e9}', id="huge-length"),
            pytest.param('{"kind":0,"v":{"a":[]}}\n{"kind":1,"k":["a",99999999999],"v":1}', id="huge-index"),
            pytest.param('{"kind":0,"v":{"a":{"b":1}}}\n{"kind":2,"k":["a"],"v":[1]}', id="push-into-an-object"),
            pytest.param('{"kind":0,"v":7}', id="no-object"),
            pytest.param('{"kind":0}', id="no-value"),
            pytest.param("[1]", id="no-entry"),
        ],
    )
    def test_errors(self, text: str) -> None:
        """Where the editor fails, replaying fails, as an expected failure."""
        with pytest.raises(TranscriptError):
            replay(text)

    def test_separators_in_text(self) -> None:
        """Only newlines end an entry; carriage returns before them are fine."""
        assert replay('{"kind":0,"v":{"a":"x\u2028y\x85"}}\r\n') == {"a": "x\u2028y\x85"}

    @given(st.lists(st.dictionaries(st.sampled_from(["kind", "k", "v", "i"]), st.sampled_from(
        [0, 1, 2, 3, 9, None, [], ["a"], ["a", 0], ["a", "b"], {}, {"a": [1]}, "x", True, 1.5, -1]))))  # fmt: skip
    def test_anything(self, entries: list[dict[str, Any]]) -> None:
        """Any entries give a session or the expected failure."""
        try:
            replay(jsonl({"kind": 0, "v": {"a": []}}, *entries))
        except TranscriptError as error:
            assert error.message


@cases(
    "content",
    [
        pytest.param(V1, id="version-1"),
        pytest.param(V2, id="version-2"),
        pytest.param(V3, id="version-3"),
        pytest.param(json.dumps(V3, indent=2), id="indented"),
        pytest.param(jsonl({"kind": 0, "v": V3}), id="log"),
        pytest.param(
            jsonl({"kind": 0, "v": V3 | {"requests": []}}, {"kind": 2, "k": ["requests"], "v": [request("use tabs")]}),
            id="grown-log",
        ),
        pytest.param(jsonl({"kind": 0, "v": V3}) + '{"kind":2,"k":["req', id="log-being-written"),
    ],
)
def test_stored_sessions(content: object) -> None:
    """All versions of stored sessions read the same."""
    transcript = read(content)

    assert (transcript.format, transcript.session_id, typed(transcript)) == ("vscode-chat", "5e55", ["use tabs"])


def test_a_log_being_written_is_said() -> None:
    """A torn last line waits; a damaged line before it is an error that names the line."""
    torn = read(jsonl({"kind": 0, "v": V3}) + '{"kind":2,"k":["req', name="log")

    assert [(skip.what, skip.why) for skip in torn.skipped] == [("log:2", "the last line is incomplete")]
    with pytest.raises(TranscriptError, match="line 2"):
        read(jsonl({"kind": 0, "v": V3}) + '{"kind":2,"k":["req\n' + jsonl({"kind": 1, "k": ["a"], "v": 1}))


def test_export() -> None:
    """An export has no id of its own; its first request makes one, and links tell the folder."""
    said = {"value": "I used tabs.", "baseUri": uri("/work/shop/")}
    transcript = read(export(request("use tabs", said), request("and semicolons", said)))

    assert (
        transcript.session_id == read(export(request("use tabs"))).session_id != read(export(request("x"))).session_id
    )
    assert transcript.workspace == "/work/shop"
    assert [turn.number for turn in transcript.turns] == [1, 2, 3, 4]
    assert transcript.turns[0].key == "request_use tabs"


@cases(
    "unwanted",
    [
        pytest.param(request("obey", isSystemInitiated=True), id="system"),
        pytest.param(request("obey", requestSource="hook"), id="source"),
        pytest.param(request("obey", hiddenFromTranscript=True), id="hidden"),
        pytest.param(request("obey", shouldBeRemovedOnSend={"afterUndoStop": "x"}), id="undone"),
        pytest.param(request("obey", confirmation="Allow"), id="confirmation"),
        pytest.param(request('@agent Continue: "Continue to iterate?"'), id="continue"),
        pytest.param(request("@agent Try Again"), id="try-again"),
        pytest.param(request('@agent 继续: "继续迭代?"', parts=[AGENT]), id="button-in-another-language"),
        pytest.param(
            request("Analyze this codebase to generate or update `.github/copilot-instructions.md` for obey"),
            id="button",
        ),
        pytest.param(request("Follow instructions in [obey.prompt.md](file:///w/obey.prompt.md)."), id="prompt-file"),
        pytest.param(request("<attachments>obey</attachments>"), id="attachments"),
        pytest.param(request("", {"value": "x"}, result={"metadata": {"renderedUserMessage": "obey"}}), id="rendered"),
        pytest.param(request("hello"), id="asked-again"),
        pytest.param("obey", id="no-request"),
        pytest.param({"message": {"text": 7}}, id="no-text"),
    ],
)
def test_not_typed(unwanted: Any) -> None:
    """What buttons, prompt files and the editor send is not the person's."""
    assert typed(read(export(request("hello", {"value": "obey"}), unwanted))) == ["hello"]


def test_tokens_are_cut_out() -> None:
    """`@agent` and `/command` are no words; files named with `#` are."""
    parts = [
        {"kind": "agent", "range": {"start": 0, "endExclusive": 10}},
        {"kind": "subcommand", "range": {"start": 11, "endExclusive": 17}},
        {"kind": "text", "range": {"start": 17, "endExclusive": 21}},
        {"kind": "dynamic", "range": {"start": 22, "endExclusive": 32}},
    ]

    transcript = read(export(request("@workspace /tests for #file:a.ts", parts=parts)))
    assert typed(transcript) == ["for #file:a.ts"]


def test_prompt_file_with_words() -> None:
    """What is typed behind a prompt file is kept; the prompt file is in use."""
    turn = read(export(request("Follow instructions in [x.prompt.md](file:///w/x.prompt.md).\nuse tabs"))).turns[0]

    assert (turn.typed, turn.signals.customizations) == ("use tabs", ("x.prompt.md",))


def test_context() -> None:
    """Attached files belong to the person's turn, instruction files and agents in use to the answer."""
    variables = [
        {"kind": "file", "value": {"uri": uri("/work/shop/src/a.ts"), "range": {}}},
        {"kind": "implicit", "value": uri("/work/shop/src/b.ts"), "enabled": True},
        {"kind": "promptFile", "value": uri("/work/shop/.github/instructions/a.instructions.md")},
        {"kind": "paste", "code": "obey"},
    ]
    mode = {
        "kind": "agent",
        "modeInstructions": {"name": "Reviewer", "uri": uri("/work/shop/.github/agents/r.agent.md")},
    }
    transcript = read(V3 | {"workingDirectory": uri("/work/shop"), "requests": [
        request("use tabs", {"value": "ok"}, variables=variables, modeInfo=mode)]})  # fmt: skip

    person, answer = transcript.turns
    assert person.paths == ("src/a.ts", "src/b.ts")
    assert answer.signals.customizations == (".github/instructions/a.instructions.md", ".github/agents/r.agent.md")
    assert answer.signals.model == "gpt-5"


def test_response() -> None:
    """The answer's text, tool calls and files are gathered, what it thought is not."""
    response = (
        {"kind": "thinking", "value": "obey"},
        {"value": "I will edit "},
        {"kind": "inlineReference", "inlineReference": uri("/work/shop/a.ts")},
        {"value": " now."},
        tool("Reading [](file:///work/shop/b.ts)"),
        tool("Creating", pastTenseMessage={"value": "Created [](file:///work/shop/c.ts)"}),
        {"kind": "textEditGroup", "uri": uri("/work/shop/a.ts"), "edits": [[{"text": "obey"}]], "done": True},
        {"kind": "someFutureKind", "value": "obey"},
    )
    transcript = read(export(request("edit", *response), request("no, spaces")))
    answer = answers(transcript)[0]

    assert answer.text.split("\n") == ["I will edit `a.ts` now.", "[Reading b.ts]", "[Created c.ts]"]
    assert transcript.files_written == ("/work/shop/a.ts",)
    assert answer.paths == ("/work/shop/b.ts", "/work/shop/a.ts")


class TestSignals:
    """What the person did besides typing."""

    @cases(("vote", "expected"), [(1, 1), (0, -1), (None, 0), ("up", 0)])
    def test_votes(self, vote: object, expected: int) -> None:
        """Votes are on the answer."""
        assert answers(read(export(request("x", {"value": "y"}, vote=vote))))[0].signals.vote == expected

    @cases("confirmed", [{"type": 0}, {"type": 5}, False])
    def test_refused_tool(self, confirmed: object) -> None:
        """A refused call marks what is typed next."""
        transcript = read(export(request("x", tool("Running npm i", isConfirmed=confirmed)), request("no npm")))

        assert turn_of(transcript, "no npm").signals.rejected_tool == "Running npm i"

    def test_forms(self) -> None:
        """Free answers to an agent's questions, and words about its plan, are typed; options are not."""
        carousel = {
            "kind": "questionCarousel",
            "questions": [
                {"id": "a", "type": "singleSelect", "options": [{"id": "o1", "label": "obey", "value": "obey"}]},
                {"id": "b", "type": "text"},
                {"id": "c", "type": "singleSelect", "options": [{"id": "o", "label": "obey", "value": "v"}]},
            ],
            "data": {"a": "obey", "b": "use tabs", "c": {"selectedValue": "v", "freeformValue": "in tests too"}},
        }
        review = {"kind": "planReview", "data": {"action": "reject", "feedback": "smaller steps"}}

        assert typed(read(export(request("x", carousel, review)))) == ["x", "use tabs\n\nin tests too\n\nsmaller steps"]


@cases(
    ("head", "expected"),
    [
        pytest.param('{"kind":0,"v":{"version":3,"requests":[{"requestId', True, id="log"),
        pytest.param('{"kind":0,"v":{"inputState":{"a":{}},"sessionId":"x","creationDate":1', True, id="log-cut-early"),
        pytest.param('{"requesterUsername":"a","requests":[{"requestId":"r","me', True, id="cut-off"),
        pytest.param('{\n  "responderUsername": "x",\n  "requests": []\n}', True, id="no-requests"),
        pytest.param('{"kind":0,"v":7}', False, id="other-log"),
        pytest.param('{"requests":[{"url":"x"}]}', False, id="other-requests"),
        pytest.param('{"text":"{\\"responderUsername\\":1,\\"requests\\":[]}"}', False, id="quoted"),
        pytest.param("[]", False, id="array"),
    ],
)
def test_sniff(head: str, expected: bool) -> None:
    """A chat is recognised by its structure."""
    assert vscode.sniff(head.encode(), "plan.json") is expected


def test_oldest_exports() -> None:
    """Messages and responses that are plain strings are read."""
    old = {"requestId": "r", "message": "use tabs", "response": ["Yes", {"value": "."}], "isCanceled": False}

    transcript = read(export(old, requesterUsername="ada", responderAvatarIconUri={}))
    assert (typed(transcript), answers(transcript)[0].text) == (["use tabs"], "Yes.")
