"""The command lines of the programs, and what is made of what they print."""

from __future__ import annotations

import itertools
import json
from pathlib import Path

import pytest
from cases import cases
from program_kit import NAMES, install

from memsuggest.core.errors import ModelError
from memsuggest.judging.asking.outcomes import ServiceError
from memsuggest.judging.engines import claude_program, codex_program
from memsuggest.judging.engines.programs import PROGRAMS, environ_for, look_at, path_of
from memsuggest.judging.engines.running import Asked, Done, as_answered, as_text
from memsuggest.transcripts.own_session_mark import MARK, VARIABLE, typed_before

ASKED = Asked(
    system="Judge.", packet='{"turn":1,"typed":"see @/etc/hostname and @~/.ssh/id"}', schema={"type": "object"}
)


@cases("name", NAMES)
def test_what_is_asked_is_marked_and_names_no_file(name: str, tmp_path: Path) -> None:
    """All that was said goes over stdin, behind our mark, and without a sign at which programs open files."""
    call = PROGRAMS[name].call(ASKED, model="", files=tmp_path)
    assert call.stdin.startswith(MARK)
    assert "@" not in call.stdin
    assert "hostname" in call.stdin
    assert not any("hostname" in argument for argument in call.arguments)
    assert not any("hostname" in text for text in call.files.values())


@cases("name", NAMES)
def test_every_flag_is_looked_for(name: str, tmp_path: Path) -> None:
    """A flag that a run uses is among those that a program must have; one letter stands for its long name."""
    call = PROGRAMS[name].call(ASKED, model="some-model", files=tmp_path)
    short = {"-p": "--print"}
    used = {
        short.get(argument, argument.partition("=")[0])
        for argument in call.arguments
        if argument.startswith("-") and argument != "-"
    }
    assert used <= set(PROGRAMS[name].FLAGS)


def test_the_sign_is_put_back() -> None:
    """A quote with an `@` comes back as it was typed."""
    assert as_answered(as_text("see @types/node").partition("\n\n")[2].strip()) == "see @types/node"


def test_claude_gets_no_tools() -> None:
    """Neither tools nor servers, settings, commands or a session."""
    arguments = PROGRAMS["claude"].call(ASKED, model="haiku", files=Path("x")).arguments
    pairs = dict(itertools.pairwise(arguments))
    assert pairs["--tools"] == pairs["--setting-sources"] == ""
    assert {"--strict-mcp-config", "--no-session-persistence", "--disable-slash-commands"} <= set(arguments)
    assert (pairs["--model"], json.loads(pairs["--json-schema"])) == ("haiku", {"type": "object"})


def test_codex_may_do_nothing() -> None:
    """It keeps no session, reads no settings and no rules, writes nothing, and has no shell."""
    call = PROGRAMS["codex"].call(ASKED, model="", files=Path("files"))
    pairs = dict(zip(call.arguments, call.arguments[1:], strict=False))
    assert {"--ephemeral", "--ignore-user-config", "--ignore-rules", "features.shell_tool=false"} <= set(call.arguments)
    assert pairs["--sandbox"] == "read-only"
    assert {str(Path("files", name)) for name in call.files} <= {pairs["--output-schema"], "files/instructions.md"}
    assert call.arguments[-1] == "-"


def test_copilot_is_offered_a_tool_that_there_is_not() -> None:
    """An empty list would leave all tools there; nor may it run what it is not offered."""
    arguments = PROGRAMS["copilot"].call(ASKED, model="", files=Path("x")).arguments
    assert {"--available-tools=none", "--deny-tool=shell", "--deny-tool=write", "--no-custom-instructions"} <= set(
        arguments
    )


OVER = "You've hit your limit · resets 3pm"
ERROR = '{"type":"result","is_error":true,%s}'
COMPLAINTS = [
    ("claude", 1, json.dumps({"type": "result", "is_error": True, "result": OVER}), "", "usage-limit"),
    ("claude", 1, ERROR % '"result":"Not logged in · Please run /login"', "", "not-signed-in"),
    ("claude", 1, ERROR % '"errors":["Failed to provide valid structured output"]', "", "wrong-shape"),
    ("claude", 1, "", "error: unknown option '--json-schema'", "program-failed"),
    ("codex", 1, '{"type":"error","message":"retry limit, last status: 429 Too Many Requests"}', "", "usage-limit"),
    ("codex", 1, "", "ERROR: Reconnecting... waiting for network", "no-connection"),
    ("codex", 0, '{"type":"turn.failed","error":{"message":"unexpected status 401 x"}}', "", "not-signed-in"),
    ("copilot", 1, '{"type":"session.error","data":{"message":"429 You have no quota"}}', "", "usage-limit"),
    ("copilot", 1, "", "Error: No authentication information found.\n", "not-signed-in"),
    ("copilot", 0, "", "Error: Model not found", "unknown-model"),
    ("copilot", 2, "", "", "program-failed"),
]


@cases(("name", "code", "out", "err", "outcome"), COMPLAINTS)
def test_complaints(name: str, code: int, out: str, err: str, outcome: str) -> None:
    """What a program says of its failure is told apart, and said with its name."""
    with pytest.raises(ModelError, match=name) as caught:
        PROGRAMS[name].read(Done(code=code, out=out, err=err), files=Path("nowhere"))
    assert caught.value.outcome == outcome


def test_what_was_used() -> None:
    """Tokens are counted as each program tells them; what it does not tell is not made up."""
    usage = {
        "modelUsage": {"a": {"inputTokens": 10, "outputTokens": 3}, "b": {"inputTokens": 1, "cacheReadInputTokens": 7}}
    }
    out = json.dumps({"type": "result", "result": "{}", **usage})
    claude = PROGRAMS["claude"].read(Done(code=0, out=out, err=""), files=Path("x")).usage
    assert claude
    assert (claude.input, claude.output, claude.cache_read) == (11, 3, 7)
    told = '{"type":"turn.completed","usage":{"input_tokens":10,"cached_input_tokens":2,"output_tokens":5}}'
    failed = json.dumps({"type": "result", "is_error": True, "result": "overloaded", **usage})
    with pytest.raises(ServiceError) as caught:
        PROGRAMS["claude"].read(Done(code=1, out=failed, err=""), files=Path("x"))
    assert caught.value.announced == claude, "what a failed run reports was used all the same"
    codex = PROGRAMS["codex"].read(Done(code=0, out=told, err=""), files=Path("x")).usage
    assert codex
    assert (codex.input, codex.cache_read, codex.output) == (8, 2, 5)
    assert PROGRAMS["copilot"].read(Done(code=0, out="{}", err=""), files=Path("x")).usage is None


@cases("name", NAMES)
@cases("out", ["null", "[]", '{"type":1,"data":[],"item":3,"result":{}}', "\x00", '"x"'])
def test_output_of_any_shape(name: str, out: str) -> None:
    """Whatever is printed, it is an answer or a ModelError, and never a crash."""
    try:
        PROGRAMS[name].read(Done(code=0, out=out, err=""), files=Path("nowhere"))
    except ModelError as error:
        assert error.outcome


def test_the_environment() -> None:
    """A run is marked, and does not inherit what would change its rules."""
    telemetry = {"COPILOT_OTEL_ENABLED": "1", "OTEL_EXPORTER_OTLP_ENDPOINT": "https://collector.example"}
    environ = environ_for(PROGRAMS["copilot"], {"COPILOT_ALLOW_ALL": "true", "HOME": "/h", **telemetry})
    assert environ[VARIABLE] == "1"
    assert "HOME" in environ
    assert not {"COPILOT_ALLOW_ALL", *telemetry} & environ.keys()
    assert "CLAUDECODE" not in environ_for(PROGRAMS["claude"], {"CLAUDECODE": "1"})


def test_a_codex_that_cannot_be_shut(tmp_path: Path) -> None:
    """Its models are listed without tools; a version that gives them some all the same is not used, and names them."""
    program = install(tmp_path, "codex")
    codex = PROGRAMS["codex"]
    seen = look_at(codex, tmp_path / "codex", environ={})
    call = codex.call(ASKED, model="", files=tmp_path, catalog=seen.catalog)
    (model,) = json.loads(call.files["models.json"])["models"]
    assert (seen.why_not, model["slug"], model["tool_mode"]) == ("", "some-model", None)
    assert any(argument.startswith("model_catalog_json=") for argument in call.arguments)
    program.offer("exec", "wait")
    assert look_at(codex, tmp_path / "codex", environ={}).why_not.endswith("cannot be turned off: exec, wait")


@cases(
    ("name", "environ", "settings", "who", "through"),
    [
        ("claude", {}, {}, "Anthropic", ""),
        ("claude", {"ANTHROPIC_BASE_URL": "https://gw.example/"}, {}, "https://gw.example", "at https://gw.example"),
        ("claude", {"CLAUDE_CODE_USE_BEDROCK": "1"}, {}, "Amazon Bedrock", "by CLAUDE_CODE_USE_BEDROCK"),
        ("claude", {"CLAUDE_CODE_USE_BEDROCK": "0"}, {}, "Anthropic", ""),
        (
            "claude",
            {"CLAUDE_CODE_USE_VERTEX": "1", "ANTHROPIC_VERTEX_BASE_URL": "https://v.example"},
            {},
            "https://v.example",
            "at https://v.example",
        ),
        ("claude", {}, {".claude/settings.json": "https://not.obeyed"}, "Anthropic", ""),
        ("claude", {}, {".claude/remote-settings.json": "https://o.example"}, "https://o.example", "at https://o.example"),
        ("claude", {}, {"managed/managed-settings.json": "https://o.example"}, "o.example", "at https://o.example"),
        ("codex", {"OPENAI_BASE_URL": "https://not.a"}, {".codex/config.toml": "https://not.b"}, "OpenAI", ""),
        ("codex", {}, {"etc/managed_config.toml": "https://o.example"}, "that Codex uses", "managed_config.toml"),
        ("copilot", {}, {}, "GitHub", ""),
        ("copilot", {"GH_HOST": "corp.ghe.com"}, {}, "corp.ghe.com", "at corp.ghe.com"),
        ("copilot", {"COPILOT_PROVIDER_BASE_URL": "https://p.example"}, {}, "p.example", "at https://p.example"),
    ],
)  # fmt: skip
def test_who_gets_what_is_asked(  # noqa: PLR0917  (a table's columns)
    name: str,
    environ: dict[str, str],
    settings: dict[str, str],
    who: str,
    through: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Only what the program obeys in a run of ours counts: no settings of the person, all of an administrator."""
    monkeypatch.setattr(claude_program, "MANAGED", (tmp_path / "managed",))
    monkeypatch.setattr(codex_program, "SYSTEM", tmp_path / "etc")
    for place, url in settings.items():
        (tmp_path / place).parent.mkdir(parents=True)
        is_json = place.endswith(".json")
        named = json.dumps({"env": {"ANTHROPIC_BASE_URL": url}}) if is_json else f'openai_base_url = "{url}"'
        (tmp_path / place).write_text(named)
    found = PROGRAMS[name].recipient(environ=environ, home=tmp_path)
    assert who in found.who
    assert through in found.through
    assert bool(through) == bool(found.through)


@cases("name", NAMES)
def test_a_program_that_lacks_a_flag(name: str, tmp_path: Path) -> None:
    """It is not usable, and the flag and its version are named."""
    program = install(tmp_path, name)
    path = tmp_path / name
    seen = look_at(PROGRAMS[name], path, environ={})
    assert (seen.why_not, bool(seen.version)) == ("", True)
    program.age(PROGRAMS[name].FLAGS[1])
    seen = look_at(PROGRAMS[name], path, environ={})
    assert "0.9.1" in seen.why_not and seen.why_not.endswith(f"does not support {PROGRAMS[name].FLAGS[1]}")


def test_programs_of_the_repo_are_not_run(tmp_path: Path) -> None:
    """What PATH finds inside the workspace, or beside wherever one stands, was not installed by the person."""
    root, own = tmp_path / "repo", tmp_path / "own"
    install(root / "node_modules/.bin", "claude")
    claude = PROGRAMS["claude"]
    assert path_of(claude, environ={"PATH": f"{root}/node_modules/.bin:.:"}, root=root) is None
    install(own, "claude")
    assert path_of(claude, environ={"PATH": f"{root}/node_modules/.bin:{own}"}, root=root) == own / "claude"


def test_a_batch_file_is_not_run(tmp_path: Path) -> None:
    """Windows runs one through its shell, which reads arguments in its own way."""
    assert "batch file" in look_at(PROGRAMS["claude"], tmp_path / "claude.cmd", environ={}).why_not


@cases(
    ("name", "environ", "files", "is_signed_in"),
    [
        ("claude", {"ANTHROPIC_API_KEY": "x"}, {}, True),
        ("claude", {}, {".claude/.credentials.json": "{}"}, True),
        ("claude", {}, {".claude.json": '{"oauthAccount": {"a": 1}}'}, True),
        ("claude", {}, {".claude.json": "[broken"}, False),
        ("codex", {"CODEX_API_KEY": "x"}, {}, True),
        ("codex", {}, {".codex/auth.json": "{}"}, True),
        ("codex", {}, {".codex/config.toml": 'cli_auth_credentials_store = "keyring"'}, None),
        ("codex", {}, {}, False),
        ("copilot", {"GH_TOKEN": "x"}, {}, True),
        ("copilot", {}, {".copilot/config.json": '{"loggedInUsers": [1]}'}, True),
        ("copilot", {}, {}, None),
    ],
)
def test_signed_in_as_far_as_can_be_told(
    name: str, environ: dict[str, str], files: dict[str, str], is_signed_in: bool | None, tmp_path: Path
) -> None:
    """Traces of signing in are seen without a request; where there may be others it is not said."""
    for place, text in files.items():
        (tmp_path / place).parent.mkdir(exist_ok=True)
        (tmp_path / place).write_text(text)
    assert PROGRAMS[name].is_signed_in(environ=environ, home=tmp_path) is is_signed_in


def test_only_what_stands_before_our_mark_was_typed() -> None:
    """Our own question is nobody's words, wherever in a turn it stands."""
    assert typed_before(f"use pnpm\n{MARK} judge this") == "use pnpm\n"
