"""JSON as a contract: what every command prints in every state is what `memsuggest schema` says, key for key.

Beside these, each test of this folder that asks for JSON has it checked: `invoke` does.
"""

from __future__ import annotations

import json
import shlex
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from builders import claude_session
from cases import cases
from cli.conftest import MOCK, Run, Runner, Shop, invoke
from cli.test_asking import CENTS, EMPTY
from cli.test_comment import MOCK as TEAM_FACT
from cli.test_comment import Repo, facts
from cli.test_documents import DOCUMENT
from judging_kit import verdicts_on
from schema_kit import assert_valid, closed
from test_docs import ALL

from memsuggest import __version__
from memsuggest.core.json_shape import definitions_of, name_of
from memsuggest.setup.json_schemas import FILE, REPORTS, every_schema, find_schema
from tests.graphiti_server import GraphitiServer

LATER = "22222222-aaaa-4bbb-8ccc-222222222222"
WITHOUT_REPORT = {("help",), ("review",), ("hook",), ("demo",), ("schema",)}
"""Pages of help, a dialogue, an answer in the assistants' own shape, other commands, and the schemas themselves."""

LOOKS = (
    ["list"],
    ["list", "--status", "applied"],
    ["list", "--status", "dismissed"],
    ["list", "--maybe"],
    ["show", "{suggestion}"],
    ["status"],
    ["status", "--short"],
    ["status", "--badge-file"],
    ["suggest", "--content", "Use pnpm, not npm."],
    ["targets"],
    ["targets", "--for", "src/app.py"],
    ["transcripts"],
    ["held"],
    ["held", "AGENTS.md"],
    ["report"],
    ["report", "--team"],
    ["transcripts", "show", "{transcript}"],
    ["extract", "{transcript}"],
    ["extract", "{transcript}", "--maybe", "--explain"],
    ["redact", "AGENTS.md"],
    ["memory", "list", "--facts"],
    ["memory", "list", "--facts", "--all"],
    ["memory", "list", "--facts", "--maybe"],
    ["memory", "list", "--facts", "--written"],
    ["memory", "show", "{fact}"],
    ["memory", "list", "--facts", "pnpm"],
    ["memory", "export", "--facts"],
    ["memory", "clean", "--check"],
    ["memory", "clean", "--only=prune", "--dry-run"],
    ["memory", "clean", "--dry-run"],
    ["memory", "merge-driver", "uninstall"],
    ["comment", "--base", "HEAD", "--all"],
    ["consent", "show"],
    ["usage"],
    ["memory", "clean", "--only=merge", "--dry-run"],
    ["memory", "clean", "--only=tidy"],
    ["hooks", "show"],
    ["trust"],
    ["graphiti", "show"],
    ["graphiti", "test"],
    ["config", "show"],
    ["config", "get", "mode"],
    ["config", "get", "nothing"],
    ["undo", "--list"],
    ["doctor"],
    ["ask"],
    ["reconcile", "--dry-run"],
    ["reconcile"],
    ["reconcile", "--again"],
    ["watch", "--once"],
)
"""What can be asked in any state, in this order."""


def tried(*words: str, stdin: str = "") -> Any:
    """Run a command that may fail; return its JSON, or nothing where it says on stderr why there is none."""
    line = [*words, "--format", "json"]
    code, out, err = Runner().run(line, stdin)
    if not out and words[0] != "watch":
        assert code == 1, (words, code)
        assert err.startswith("error: ") or "\nerror: " in err, (words, err)
    return out


def learned(shop: Shop) -> None:
    """Nothing more: four things were learned."""


def decided(shop: Shop) -> None:
    """Applied, dismissed, edited, forgotten."""
    invoke("apply", shop.id_of("mock"), "--yes")
    invoke("dismiss", shop.id_of("pnpm"))
    invoke("memory", "edit", shop.fact_id_of("British"), "--content", "Answer in British English.")
    invoke("memory", "forget", shop.fact_id_of("ruff"))


def contradicted(shop: Shop) -> None:
    """Something else was said later."""
    claude_session(shop.home, shop.repo, "From now on use npm, never pnpm, in this repo.", session=LATER, day=2)


def written_by_an_assistant(shop: Shop) -> None:
    """A document in the repo that an assistant wrote, and a skill that needs care."""
    (shop.repo / "docs").mkdir()
    (shop.repo / "docs/decisions.md").write_text(DOCUMENT, encoding="utf-8")
    (shop.repo / ".github/instructions").mkdir(parents=True)
    bad = "---\napplyTo: src/gone/**\ndescription: a: b: c\n---\n- See `src/gone/that.ts`.\n"
    (shop.repo / ".github/instructions/odd.instructions.md").write_text(bad, encoding="utf-8")


def facts_file_is_broken(shop: Shop) -> None:
    shop.facts.write_text('{"version": 1, "facts": [', encoding="utf-8")


def facts_file_is_newer(shop: Shop) -> None:
    shop.facts.write_text('{"version": 99, "facts": []}', encoding="utf-8")


def facts_file_is_in_conflict(shop: Shop) -> None:
    text = shop.facts.read_text(encoding="utf-8")
    shop.facts.write_text(text.replace('{\n  "version"', '<<<<<<< ours\n{\n  "version"', 1), encoding="utf-8")


def profile_is_damaged(shop: Shop) -> None:
    shop.profile.write_bytes(b"SQLite format 3\x00" + b"\xff" * 4096)


def profile_is_newer(shop: Shop) -> None:
    with sqlite3.connect(shop.profile) as connection:
        connection.execute("PRAGMA user_version = 999")
    connection.close()


def state_is_gone(shop: Shop) -> None:
    shutil.rmtree(shop.home / ".local/state")


def transcript_is_damaged(shop: Shop) -> None:
    shop.transcript.write_bytes(b'{"type": "user", \xff\xfe\n' + b"\x00" * 100)


def settings_are_broken(shop: Shop) -> None:
    (shop.repo / ".memsuggest.yml").write_text("mode: loud\nengine: haiku\nunknown: 1\n", encoding="utf-8")


def switched_off(shop: Shop) -> None:
    invoke("config", "set", "mode", "off")


STATES: tuple[Callable[[Shop], None], ...] = (learned, decided, contradicted, written_by_an_assistant)
DAMAGES: tuple[Callable[[Shop], None], ...] = (
    facts_file_is_broken,
    facts_file_is_newer,
    facts_file_is_in_conflict,
    profile_is_damaged,
    profile_is_newer,
    state_is_gone,
    transcript_is_damaged,
    settings_are_broken,
    switched_off,
)


@pytest.mark.timeout(300)
@pytest.mark.parametrize("state", STATES, ids=lambda state: state.__name__)
def test_every_look_in_every_state(shop: Shop, state: Callable[[Shop], None]) -> None:
    """Whatever was learned or decided: a valid report."""
    names = names_in(shop)
    state(shop)
    assert_looks(LOOKS, names)


@pytest.mark.parametrize("damage", DAMAGES, ids=lambda damage: damage.__name__)
def test_what_is_told_of_damages(shop: Shop, damage: Callable[[Shop], None]) -> None:
    """Whatever is broken: a valid report, or none and a reason on stderr."""
    names = names_in(shop)
    damage(shop)
    assert_looks([words for words in LOOKS if " ".join(words) in OF_DAMAGES], names)


OF_DAMAGES = {
    "list",
    "show {suggestion}",
    "status",
    "targets",
    "transcripts",
    "extract {transcript}",
    "memory list --facts",
    "memory show {fact}",
    "memory export --facts",
    "memory clean --check",
    "comment --base HEAD --all",
    "memory clean --dry-run",
    "config show",
    "undo --list",
    "doctor",
    "ask",
    "reconcile",
}


def names_in(shop: Shop) -> dict[str, str]:
    return {
        "suggestion": shop.id_of("pnpm"),
        "fact": shop.fact_id_of("mock"),
        "transcript": str(shop.transcript),
    }


def assert_looks(looks: Iterable[list[str]], names: dict[str, str]) -> None:
    for words in looks:
        given = [word.format(**names) for word in words]
        command = max((name for name in REPORTS if words[: len(name.split())] == name.split()), key=len)
        out = tried(*given)
        for document in out.splitlines() if command == "watch" else [out] if out else []:
            assert_valid(command, json.loads(document))


@pytest.mark.timeout(300)
def test_every_look_in_an_empty_repo(run: Run, git_repo: Path) -> None:
    """Where nothing was ever learned, and no file is there."""
    assert_looks(LOOKS, {"suggestion": "abc", "fact": "abc", "transcript": str(git_repo / "none.jsonl")})


Documents = Iterator[tuple[str, Any]]


def say(command: str, *words: str, stdin: str = "") -> Documents:
    name = max((name for name in REPORTS if f"{command} ".startswith(f"{name} ")), key=len)
    yield name, invoke(*command.split(), *words, "--format", "json", stdin=stdin).json


def documents(shop: Shop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Documents:
    """Go through a life with memsuggest; yield each command with what it printed."""
    monkeypatch.setenv("EDITOR", f"{shlex.quote(sys.executable)} {shlex.quote(str(editor(tmp_path)))}")
    yield from looking(shop)
    yield from deciding(shop)
    yield from remembering(shop)
    yield from sharing(shop, tmp_path)
    yield from tending(shop)
    yield from recalling(tmp_path)
    yield from apps(shop)
    yield from asking(shop)
    yield from on_a_server()


def looking(shop: Shop) -> Documents:
    yield from say("list")
    yield from say("show", shop.id_of("pnpm"))
    yield from say("show", "AGENTS.md")
    yield from say("transcripts")
    yield from say("transcripts", "show", str(shop.transcript))
    yield from say("extract", str(shop.transcript), "--explain")
    yield from say("targets", "--for", "src/app.py")
    yield from say("held")
    yield from say("report")
    yield from say("report", "--team")
    yield from say("suggest", "--content", "Use pnpm, not npm.")
    yield from say("redact", stdin="mail ada@example.org")
    yield from say("status")
    yield from say("status", "--badge-file")
    yield from say("comment", "--base", "HEAD", "--all")


def deciding(shop: Shop) -> Documents:
    yield from say("move", shop.id_of("pnpm"))
    yield from say("move", shop.id_of("pnpm"), "AGENTS.md", "--heading", "Testing")
    yield from say("undo")
    yield from say("apply", shop.id_of("mock"), "--yes")
    yield from say("show", shop.fact_id_of("mock"))
    yield from say("edit", shop.id_of("pnpm"), "--yes")
    yield from say("undo")
    yield from say("dismiss", shop.id_of("pnpm"))
    yield from say("undo", "--list")
    yield from say("list", "--status", "applied")
    yield from say("list", "--maybe")
    yield from say("reconcile")


def remembering(shop: Shop) -> Documents:
    yield from say("remember", "Keep prices in cents.")
    yield from say("remember", "Feature flags live in src/flags.ts.", "--user")
    yield from say("memory list --facts")
    yield from say("memory list --facts", "cents")
    yield from say("memory show", shop.fact_id_of("cents"))
    yield from say("memory confirm", shop.fact_id_of("cents"), shop.fact_id_of("flags"))
    yield from say("memory edit", shop.fact_id_of("cents"), "--content", "Keep all prices in cents.")
    yield from say("memory clean", "--yes")
    yield from say("memory forget", shop.fact_id_of("cents"), shop.fact_id_of("flags"))


def sharing(shop: Shop, folder: Path) -> Documents:
    names = [str(folder / name) for name in ("others.json", "base", "ours", "theirs")]
    for name in names:
        Path(name).write_text(facts(TEAM_FACT), encoding="utf-8")
    yield from say("memory export --facts")
    yield from say("memory import --facts", names[0])
    for command in ("clean --check", "clean --only=prune", "clean --only=tidy", "clean --only=merge"):
        yield from say(f"memory {command}")
    for command in ("install", "uninstall"):
        yield from say(f"memory merge-driver {command}")
    yield from say("memory merge", *names[1:])
    shop.facts.write_text(facts(TEAM_FACT, TEAM_FACT), encoding="utf-8")
    yield from say("memory resolve")


def tending(shop: Shop) -> Documents:
    for words in (["--for", "claude-code"], ["--for", "claude-code"], ["--skill"], ["--skill"]):
        yield from say("hooks install", *words, "--yes")
    yield from say("hooks show")
    for words in (["--for", "claude-code"], ["--skill"]):
        yield from say("hooks uninstall", *words, "--yes")
    for command in (["install", "--for", "cursor", "--yes"], ["show"], ["uninstall", "--for", "cursor", "--yes"]):
        yield from say(f"mcp {command[0]}", *command[1:])
    yield from say("trust", str(shop.transcript))
    for words in (["show"], ["get", "mode"], ["set", "mode", "eager"], ["unset", "mode"]):
        yield from say(f"config {words[0]}", *words[1:])
    yield from say("doctor")
    yield from say("setup")


def on_a_server() -> Documents:
    with GraphitiServer.start() as server:
        yield from say("graphiti on", "--endpoint", server.url, "--yes")
        yield from say("graphiti promote", "Releases are cut on Thursdays.", "--kind", "decision")
        yield from say("graphiti show")
        yield from say("graphiti test")
        yield from say("graphiti retry")
        yield from say("graphiti test", "--smoke")
        yield from say("graphiti off")


def asking(shop: Shop) -> Documents:
    yield from say("consent show")
    yield from say("consent grant", "--engine", "chat", "--yes")
    claude_session(shop.home, shop.repo, CENTS, session=LATER, day=2)
    while (asked := invoke("ask", "--format", "json").json)["id"]:
        yield from say("ask")
        answer = json.dumps(verdicts_on(asked["packet"])) if asked["purpose"] == "verdicts" else EMPTY
        yield from say("answer", asked["id"], stdin=answer)
    yield from say("ask")
    yield from say("usage")
    yield from say("consent revoke")


def recalling(folder: Path) -> Documents:
    def added(text: str) -> str:
        return str(invoke("memory", "add", text, "--format", "json").json["entry"]["id"])

    yield from say("memory add", "The staging host is reset every night.")
    yield from say("recall", "staging host")
    yield from say("recall", "--last")
    yield from say("memory list")
    for command in ("show", "edit", "confirm", "deactivate"):
        yield from say(f"memory {command}", added(f"Host number {command} is for tests."))
    yield from say("memory forget", added("Host nine is gone."), "--yes")
    yield from say("memory export")
    path = folder / "memory.json"
    path.write_text(invoke("memory", "export", "--format", "json").out, encoding="utf-8")
    yield from say("memory import", str(path))
    yield from say("memory repair")
    yield from say("memory add --identity", "Ada")
    yield from say("memory show identity")
    yield from say("memory edit identity")
    (line, *_) = invoke("memory", "show", "identity", "--format", "json").json["entries"]
    yield from say("memory remove", line["id"])


def apps(shop: Shop) -> Documents:
    yield from say("memory learn", str(shop.transcript))
    yield from say("memory add --app", "claude-code", "The person prefers short answers.")
    yield from say("memory list --apps")
    yield from say("memory show", "claude-code")
    yield from say("memory context", "claude-code")
    (*_, memory) = invoke("memory", "show", "claude-code", "--format", "json").json["memories"]
    yield from say("memory forget --app", "claude-code", str(memory["id"]))
    yield from say("memory purge", "claude-code", "--yes")


def editor(folder: Path) -> Path:
    """A program that rewords what it is given."""
    program = folder / "editor.py"
    program.write_text("import pathlib, sys\npathlib.Path(sys.argv[1]).write_text('Use pnpm alone.\\n')\n")
    return program


ELSEWHERE = {"Notice", "AdminServedJson", "PostedJson", "RequestsJson", "NoteRows", "NoteShown"}
"""Reports that other tests see: of `watch` and `serve`, which go on, of what goes to GitHub, and of notes."""


@pytest.mark.timeout(300)
def test_every_report_there_is(shop: Shop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each shape that a schema names is printed by its command, so none is there in vain."""
    missing = {(command, shape) for command, shapes in REPORTS.items() for shape in shapes}
    missing = {(command, shape) for command, shape in missing if shape.__name__ not in ELSEWHERE}
    for command, document in documents(shop, tmp_path, monkeypatch):
        assert_valid(command, document)
        missing -= {(command, shape) for shape in REPORTS[command] if fits(command, shape, document)}
    resolved = {("memory resolve", shape) for shape in REPORTS["memory resolve"] if shape.__name__ == "MergedJson"}
    assert missing == resolved


@pytest.mark.timeout(300)
def test_each_notice_is_a_line(shop: Shop) -> None:
    """What `watch` finds comes as one document a line."""
    claude_session(shop.home, shop.repo, "From now on always write dates in ISO 8601 format.", session=LATER, day=2)
    (notice,) = map(json.loads, tried("watch", "--once", "--mode", "eager").splitlines())
    assert_valid("watch", notice)
    assert notice["suggestions"]


def test_several_facts_are_one_document(shop: Shop) -> None:
    """What was done to the first is where it is for one; what was done to the others is beside it."""
    first, second = shop.fact_id_of("mock"), shop.fact_id_of("pnpm")
    for command, did in (("confirm", "confirmed"), ("forget", "forgot")):
        report = invoke("facts", command, first, second, "--format", "json").json
        assert (report["did"], report["fact"]["id"]) == (did, first)
        assert [(one["did"], one["fact"]["id"]) for one in report["more"]] == [(did, second)]


def test_nothing_asks_inside_json(shop: Shop) -> None:
    """Where an answer is needed, `--yes` is: nothing is written, and nothing is printed that is no report."""
    assert "`--format json` does not prompt" in invoke("apply", shop.id_of("mock"), "--format", "json", code=1).err
    assert "`json` is not one of: text" in invoke("review", "--format", "json", code=2).err


def test_nothing_to_change_is_told(shop: Shop) -> None:
    """A command that had nothing to do prints its report all the same."""
    words = ("hooks", "install", "--for", "claude-code", "--yes", "--format", "json")
    assert [invoke(*words).json["changed"] for _ in range(2)] == [True, False]


def test_the_programs_version_has_a_name_of_its_own(run: Run) -> None:
    """`version` is that of the format, everywhere."""
    report = invoke("doctor", "--format", "json").json
    assert (report["version"], report["programVersion"]) == (1, __version__)


def fits(command: str, shape: type, document: Any) -> bool:
    """Whether a document is of one of the shapes that its command may print."""
    definitions = find_schema(command)["$defs"]
    schema = {"$ref": f"#/$defs/{name_of(shape)}", "$defs": definitions}
    return jsonschema_rs.Draft202012Validator(closed(schema)).is_valid(document)


def test_a_conflict_that_git_left(git_repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`memory resolve` tells what came of it."""
    monkeypatch.chdir(git_repo)
    repo = Repo(git_repo)
    other = {**TEAM_FACT, "id": "f-tea", "content": "Tea is at four."}
    for branch, content in (("one", "Tea is at five."), ("two", "Tea is at six.")):
        repo.git("switch", "-q", "-C", branch, "main")
        repo.write(".github/memories/facts.json", facts(TEAM_FACT, {**other, "content": content}))
        repo.commit()
    subprocess.run(["git", "merge", "one"], capture_output=True, check=False)
    assert invoke("memory", "resolve", "--format", "json").json["did"] == "resolved and staged"


@cases("command", [*REPORTS, FILE])
def test_schemas_are_schemas(run: Run, command: str) -> None:
    """Each is printed, is one that validators take, and says on every key what it is or what it may hold."""
    schema = run("schema", *command.split()).json
    jsonschema_rs.meta.validate(schema)
    assert schema == find_schema(command)
    assert schema == run("schema", *command.split(), "--format", "json").json


def test_all_schemas_at_once(run: Run) -> None:
    """Without a command they are listed; as JSON they are one document."""
    document = run("schema", "--format", "json").json
    jsonschema_rs.meta.validate(document)
    assert document == every_schema()
    listed = [line.split("  ")[0] for line in run("schema").out.splitlines()]
    assert listed == [*REPORTS, FILE] == list(document["properties"])


def test_what_prints_no_json(run: Run) -> None:
    """A group of commands names those in it; anything else is named, with where to look."""
    assert "one of: hooks install, hooks uninstall, hooks show" in run("schema", "hooks", code=1).err
    assert "there is no command `nonsense`" in run("schema", "nonsense", code=1).err


def test_every_command_has_a_schema() -> None:
    """What can be asked for JSON says what it prints, and there is no schema of anything else."""
    commands = {words for words, _ in ALL} - WITHOUT_REPORT | {("notes",)}  # a group that also runs by itself
    assert {tuple(command.split()) for command in REPORTS} == commands


def test_every_report_has_a_number_for_its_version() -> None:
    """`version` is 1 in each, and required wherever it is not a line of many."""
    for command, shapes in REPORTS.items():
        definitions = find_schema(command)["$defs"]
        for shape in shapes:
            schema = definitions[name_of(shape)]
            assert schema["properties"]["version"]["type"] == "integer"
            assert "version" in schema["required"] or command == "redact"


def test_names_of_shapes_differ() -> None:
    """No two shapes share a name in a schema."""
    for shapes in REPORTS.values():
        assert len({name_of(shape) for shape in shapes}) == len(shapes)
    every = {shape for shapes in REPORTS.values() for shape in shapes}
    assert len({name_of(shape) for shape in every}) == len(every)
    assert definitions_of(*every)


def test_the_shared_file_is_as_its_schema_says(shop: Shop) -> None:
    """facts.json as it is written, with facts, decisions and tombstones."""
    invoke("dismiss", shop.id_of("pnpm"))
    invoke("memory", "forget", shop.fact_id_of("mock"))
    document = json.loads(shop.facts.read_text(encoding="utf-8"))
    assert document["facts"] and document["decisions"] and document["tombstones"]
    assert_valid(FILE, document)
    assert MOCK not in shop.facts.read_text(encoding="utf-8")
