"""JSON as a contract: what every command prints in every state is what `memsuggest schema` says, key for key.

Beside these, each test of this folder that asks for JSON has it checked: `invoke` does.
"""

from __future__ import annotations

import json
import re
import shlex
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from builders import claude_session
from cases import cases
from cli.conftest import Run, Shop, git, invoke, json_of, refused, session, write
from cli.test_asking import CENTS, EMPTY
from cli.test_comment import MOCK as TEAM_FACT
from cli.test_comment import Repo, facts
from judging_kit import verdicts_on
from schema_kit import assert_valid, closed
from test_docs import ALL

from memsuggest import __version__
from memsuggest.core.json_shape import definitions_of, name_of
from memsuggest.setup.json_schemas import FILE, REPORTS, every_schema, find_schema
from tests.graphiti_server import GraphitiServer

WITHOUT_REPORT = {("help",), ("review",), ("hook",), ("demo",), ("schema",)}
"""Pages of help, a dialogue, an answer in the assistants' own shape, other commands, and the schemas themselves."""


def report_of(words: list[str]) -> str:
    return max((name for name in REPORTS if words[: len(name.split())] == name.split()), key=len)


LIFE = """
list
show {s:pnpm}
show AGENTS.md
transcripts
transcripts show {transcript}
extract {transcript} --explain
targets --for src/app.py
held
report
report --team
suggest --content 'Use pnpm, not npm.'
redact AGENTS.md
status
status --badge-file
comment --base HEAD --all
move {s:pnpm}
move {s:pnpm} AGENTS.md --heading Testing
undo
apply {s:mock} --yes
show {f:mock}
edit {s:pnpm} --yes
undo
dismiss {s:pnpm}
undo --list
list --status applied
list --maybe
reconcile
remember 'Keep prices in cents.'
remember 'Feature flags live in src/flags.ts.' --user
memory list --facts
memory list --facts cents
memory show {f:cents}
memory confirm {f:cents} {f:flags}
memory edit {f:cents} --content 'Keep all prices in cents.'
memory clean --yes
memory forget {f:cents} {f:flags}
memory export --facts
memory import --facts {folder}/others.json
memory clean --check
memory clean --only=prune
memory clean --only=tidy
memory clean --only=merge
memory merge-driver install
memory merge-driver uninstall
memory merge {folder}/base {folder}/ours {folder}/theirs
memory resolve
hooks install --for claude-code --yes
hooks install --for claude-code --yes
hooks install --skill --yes
hooks show
hooks uninstall --for claude-code --yes
hooks uninstall --skill --yes
mcp install --for cursor --yes
mcp show
mcp uninstall --for cursor --yes
trust {transcript}
config show
config get mode
config set mode eager
config unset mode
doctor
setup
memory add 'The staging host is reset every night.'
recall 'staging host'
recall --last
memory list
memory show {e:one}
memory edit {e:two}
memory confirm {e:three}
memory deactivate {e:four}
memory forget {e:five} --yes
memory export
memory import {folder}/memory.json
memory repair
memory add --identity Ada
memory show identity
memory edit identity
memory remove {line}
memory learn {transcript}
memory add --app claude-code 'The person prefers short answers.'
memory list --apps
memory show claude-code
memory context claude-code
memory forget --app claude-code {memory}
memory purge claude-code --yes
consent show
consent grant --engine chat --yes
ask
answer {packet}
ask
usage
consent revoke
graphiti on --endpoint {server} --yes
graphiti promote 'Releases are cut on Thursdays.' --kind decision
graphiti show
graphiti test
graphiti retry
graphiti test --smoke
graphiti off
""".strip().split("\n")
"""A life with memsuggest, line by line."""
ELSEWHERE = {"Notice", "AdminServedJson", "PostedJson", "RequestsJson", "NoteRows", "NoteShown", "MergedJson"}
"""Reports that other tests see: of `watch` and `serve`, which go on, of what goes to GitHub, of notes and conflicts."""


class Names:
    """What stands in braces in a line of a life: looked up, or made, when the line's turn has come."""

    def __init__(self, shop: Shop, folder: Path, server: str) -> None:
        self.shop, self.answer = shop, ""
        self.known: dict[str, Callable[[str], Any]] = {
            "s": shop.id_of,
            "f": shop.fact_id_of,
            "e": self.added,
            "transcript": lambda _: shop.transcript,
            "folder": lambda _: folder,
            "server": lambda _: server,
            "line": lambda _: json_of("memory", "show", "identity")["entries"][0]["id"],
            "memory": lambda _: json_of("memory", "show", "claude-code")["memories"][-1]["id"],
            "packet": self.packet,
        }

    def added(self, text: str) -> str:
        return str(json_of("memory", "add", f"Host number {text} is for tests.")["entry"]["id"])

    def packet(self, _: str) -> str:
        asked = json_of("ask")
        self.answer = json.dumps(verdicts_on(asked["packet"])) if asked.get("purpose") == "verdicts" else EMPTY
        return str(asked["id"])

    def fill(self, line: str) -> list[str]:
        return shlex.split(re.sub(r"\{(\w+):?(\w*)\}", lambda found: str(self.known[found[1]](found[2])), line))


@pytest.mark.timeout(300)
def test_every_report_there_is(shop: Shop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each shape that a schema names is printed by its command, so none is there in vain."""
    write(tmp_path, {"editor.py": "import pathlib, sys\npathlib.Path(sys.argv[1]).write_text('Use pnpm alone.\\n')\n"})
    monkeypatch.setenv("EDITOR", f"{shlex.quote(sys.executable)} {shlex.quote(str(tmp_path / 'editor.py'))}")
    write(tmp_path, dict.fromkeys(("others.json", "base", "ours", "theirs"), facts(TEAM_FACT)))
    missing = {(command, shape) for command, shapes in REPORTS.items() for shape in shapes}
    missing = {(command, shape) for command, shape in missing if shape.__name__ not in ELSEWHERE}
    with GraphitiServer.start() as server:
        names = Names(shop, tmp_path, server.url)
        for line in LIFE:
            if line == "memory resolve":
                shop.facts.write_text(facts(TEAM_FACT, TEAM_FACT), encoding="utf-8")
            if line.startswith("memory import {"):
                (tmp_path / "memory.json").write_text(invoke("memory", "export", "--format", "json").out, "utf-8")
            if line == "ask":
                claude_session(shop.home, shop.repo, CENTS, session=session(2), day=2)
            words = names.fill(line)
            while line.startswith("answer") and words[1] != "None":
                missing -= fitting(words, json_of(*words, stdin=names.answer))
                words = names.fill(line)
            if not line.startswith("answer"):
                missing -= fitting(words, json_of(*words))
    assert missing == set()


def fitting(words: list[str], document: Any) -> set[tuple[str, type]]:
    """The shapes of its command that a document is of; it has to be of one."""
    command = report_of(words)
    assert_valid(command, document)
    found = set()
    for shape in REPORTS[command]:
        schema = {"$ref": f"#/$defs/{name_of(shape)}", "$defs": find_schema(command)["$defs"]}
        if jsonschema_rs.Draft202012Validator(closed(schema)).is_valid(document):
            found.add((command, shape))
    return found


def test_each_notice_is_a_line(shop: Shop) -> None:
    """What `watch` finds comes as one document a line."""
    said = "From now on always write dates in ISO 8601 format."
    claude_session(shop.home, shop.repo, said, session=session(2), day=2)
    out = invoke("watch", "--once", "--mode", "eager", "--format", "json").out
    (notice,) = map(json.loads, out.splitlines())
    assert notice["suggestions"]


def test_several_facts_are_one_document(shop: Shop) -> None:
    """What was done to the first is where it is for one; what was done to the others is beside it."""
    first, second = shop.fact_id_of("mock"), shop.fact_id_of("pnpm")
    for command, did in (("confirm", "confirmed"), ("forget", "forgot")):
        report = json_of("facts", command, first, second)
        assert (report["did"], report["fact"]["id"]) == (did, first)
        assert [(one["did"], one["fact"]["id"]) for one in report["more"]] == [(did, second)]


def test_nothing_asks_inside_json(shop: Shop) -> None:
    """Where an answer is needed, `--yes` is; the program's version has a name of its own."""
    assert "`--format json` does not prompt" in invoke("apply", shop.id_of("mock"), "--format", "json", code=1).err
    assert "`json` is not one of: text" in invoke("review", "--format", "json", code=2).err
    report = json_of("doctor")
    assert (report["version"], report["programVersion"]) == (1, __version__)


def test_a_conflict_that_git_left(git_repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`memory resolve` tells what came of it."""
    monkeypatch.chdir(git_repo)
    repo = Repo(git_repo)
    other = {**TEAM_FACT, "id": "f-tea"}
    for branch, content in (("one", "Tea is at five."), ("two", "Tea is at six.")):
        repo.git("switch", "-q", "-C", branch, "main")
        repo.commit({".github/memories/facts.json": facts(TEAM_FACT, {**other, "content": content})})
    with pytest.raises(Exception, match="merge"):
        git(git_repo, "merge", "one")
    assert json_of("memory", "resolve")["did"] == "resolved and staged"


@cases("command", [*REPORTS, FILE])
def test_schemas_are_schemas(run: Run, command: str) -> None:
    """Each is printed, is one that validators take, and its `version` is a number."""
    schema = run("schema", *command.split()).json
    jsonschema_rs.meta.validate(schema)
    assert schema == find_schema(command)
    for shape in REPORTS.get(command, ()):
        found = schema["$defs"][name_of(shape)]
        assert found["properties"]["version"]["type"] == "integer"
        assert "version" in found["required"] or command == "redact"


def test_all_schemas_at_once(run: Run) -> None:
    """Without a command they are listed; as JSON they are one document; what prints no JSON is named."""
    document = json_of("schema")
    jsonschema_rs.meta.validate(document)
    assert document == every_schema()
    listed = [line.split("  ")[0] for line in run("schema").out.splitlines()]
    assert listed == [*REPORTS, FILE] == list(document["properties"])
    commands = {words for words, _ in ALL} - WITHOUT_REPORT | {("notes",)}  # a group that also runs by itself
    assert {tuple(command.split()) for command in REPORTS} == commands
    every = {shape for shapes in REPORTS.values() for shape in shapes}
    assert len({name_of(shape) for shape in every}) == len(every) and definitions_of(*every)
    for words, says, names in (
        (("hooks",), "`hooks` has subcommands", "hooks install"),
        (("lst",), "there is no command `lst`", "list"),
        (("facts", "shw"), "there is no command `memory shw`", "memory show"),
        (("review",), "`review` prints no JSON", "`memsuggest schema`"),
    ):
        assert names in refused("schema", *words, says=f"error: {says}\n").partition("hint: ")[2]
