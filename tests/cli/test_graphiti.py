"""A Graphiti server from the command line: nothing connects that was not agreed to, and each failure is a line."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from builders import claude_session
from cli.conftest import Run, Shop, invoke, json_of, refused, session

from memsuggest.core.config import SWITCHES
from tests.graphiti_server import GraphitiServer


@pytest.fixture(scope="module")
def running() -> Iterator[GraphitiServer]:
    with GraphitiServer.start() as server:
        yield server


@pytest.fixture
def server(running: GraphitiServer) -> GraphitiServer:
    running.forget()
    return running


def shown(*words: str) -> Any:
    return invoke("graphiti", *(words or ("show",)), "--format", "json").json


def on(server: GraphitiServer, *parts: str) -> Any:
    return shown("on", "--endpoint", server.url, *(f"--{part}" for part in parts), "--yes")


def states(report: Any) -> dict[str, bool]:
    return {switch["name"]: switch["on"] for switch in report["switches"]}


def test_on_and_off(run: Run, server: GraphitiServer) -> None:
    """Off at first; parts are switched by name, or all of them; off takes consent back. Nothing connects by that."""
    report = shown()
    assert (report["endpoint"], report["granted"], report["key"], report["words"]) == (None, False, False, [])
    assert states(report) == dict.fromkeys(SWITCHES, False)
    refused("graphiti", "on", says="no Graphiti server is configured")
    refused("graphiti", "test", says="Graphiti is off in this workspace")
    assert states(on(server, "recall")) == {"ingest": False, "recall": True, "promotion": False, "ownership": False}
    assert states(shown("on", "--yes")) == dict.fromkeys(SWITCHES, True)
    assert [one["endpoint"] for one in json_of("consent", "show")["grants"]] == [f"graphiti at {server.url}"]
    report = shown("off", "--ingest")
    assert states(report) == {"ingest": False, "recall": True, "promotion": True, "ownership": True}
    assert report["granted"]
    run("consent", "revoke")
    refused("graphiti", "test", says="you have not agreed")
    assert states(shown("off")) == dict.fromkeys(SWITCHES, False)
    assert server.requests() == []


def test_another_server_or_workspace_asks_again(
    run: Run, server: GraphitiServer, git_repo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Consent is for one address and one workspace, and none to ask a model there; everything stays on, unsent."""
    monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
    run("consent", "grant", "--engine", "haiku", "--yes")
    for name, value in (("endpoint", server.url), ("recall", "true")):
        run("config", "set", "--user", f"graphiti.{name}", value)
    refused("graphiti", "test", says="you have not agreed")
    on(server)
    other = git_repo.parent / "other"
    subprocess.run(["git", "init", "-q", str(other)], check=True)
    refused("graphiti", "test", "--repo", str(other), says="you have not agreed to send")
    with GraphitiServer.start() as elsewhere:
        run("config", "set", "graphiti.endpoint", elsewhere.url)
        report = shown()
        assert not report["granted"]
        says = f"you have not agreed to send this workspace's chats to {elsewhere.url}"
        assert all(says in one["whyNot"] for one in report["switches"])
        refused("graphiti", "test", says=says)
        refused("graphiti", "on", says="cannot ask for consent without a terminal")
        assert elsewhere.requests() == []
        run("graphiti", "on", "--yes")
        run("graphiti", "test")
        assert len(elsewhere.requests()) == 2
    assert server.requests() == []


def test_offline_and_ci(run: Run, server: GraphitiServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """`--offline`, CI and an untrusted folder forbid it, whatever was agreed to; `doctor` says so and asks nobody."""
    on(server)
    refused("--offline", "graphiti", "test", says="not allowed with `--offline`")
    assert "not allowed with `--offline`" in run("--offline", "doctor").out
    with monkeypatch.context() as patch:
        patch.setenv("CI", "true")
        refused("graphiti", "test", says="cannot be requested in CI")
        assert "cannot be requested in CI" in run("doctor").out
    monkeypatch.setattr("os.geteuid", lambda: 4711)
    refused("graphiti", "test", says="belongs to another user")
    refused("graphiti", "on", "--yes", says="belongs to another user")
    assert server.requests() == []


def test_what_a_repo_brings(run: Run, server: GraphitiServer, git_repo: Path) -> None:
    """No file of a repo sets the server or a switch; it is named as ignored."""
    lines = [f"graphiti.endpoint: {server.url}", *(f"graphiti.{name}: true" for name in SWITCHES)]
    (git_repo / ".memsuggest.yml").write_text("\n".join(lines) + "\n")
    (git_repo / ".vscode").mkdir()
    (git_repo / ".vscode/settings.json").write_text(json.dumps({"graphiti.endpoint": server.url}))
    report = shown()
    assert report["endpoint"] is None
    assert not any(states(report).values())
    assert ".memsuggest.yml: graphiti.endpoint" in invoke("config", "show").out
    refused("graphiti", "test", says="Graphiti is off")
    refused(
        "config",
        "set",
        "--shared",
        "graphiti.ingest",
        "true",
        says="repo settings may only make memsuggest quieter or safer",
    )
    assert server.requests() == []


def test_addresses_and_values_that_are_none(run: Run) -> None:
    """Each is refused with what it looks like, and nothing is changed."""
    for address, says in {
        "graphiti.example.com": "is not a valid URL",
        "ftp://graphiti.example.com": "is not a valid URL",
        "http://graphiti.example.com": "would send your key and text unencrypted",
        "https://dana:pass@graphiti.example.com": "may contain only a host, port and path",
        "https://[::1": "is not a valid URL",
        "": "is not a valid URL",
    }.items():
        assert "https://graphiti.example.com`" in refused("graphiti", "on", "--endpoint", address, "--yes", says=says)
    for name, value, says in (
        ("endpoint", "graphiti", "an https URL"),
        ("ingest", "perhaps", "true or false"),
        ("scopes", "auto,user", "auto, or one or more of"),
        ("maxFacts", "0", "from 1 to 50"),
        ("keyHeader", "cookie", "authorization or x-api-key"),
    ):
        refused("config", "set", f"graphiti.{name}", value, says=says)
    assert run and shown()["endpoint"] is None


SENDING = (
    ["doctor"],
    ["reconcile", "--again"],
    ["watch", "--once"],
    ["recall", "which package manager?"],
    ["graphiti", "test", "--smoke"],
)
"""Commands that would talk to a server."""


def connections(words: list[str], folder: Path) -> list[str]:
    """The connections to the network that a command tries to open, as the system sees them."""
    log = folder / "strace.log"
    trace = ["strace", "-f", "-qq", "-e", "trace=connect,sendto,sendmsg", "-o", str(log)]
    command = [sys.executable, "-m", "memsuggest", *words]
    subprocess.run([*trace, *command], stdin=subprocess.DEVNULL, capture_output=True, check=False, timeout=300)
    return [line for line in log.read_text(errors="replace").splitlines() if "AF_INET" in line]


@pytest.mark.skipif(shutil.which("strace") is None, reason="looks through strace")
@pytest.mark.timeout(900)
@pytest.mark.parametrize(
    ("state", "asked"),
    [
        pytest.param("off", SENDING, id="off"),
        pytest.param("agreed elsewhere", SENDING[1:3], id="agreed-elsewhere"),
        pytest.param("offline", SENDING[1:3], id="offline"),
    ],
)
def test_no_connection(
    shop: Shop, server: GraphitiServer, tmp_path: Path, state: str, asked: tuple[list[str], ...]
) -> None:
    """With every switch off, with consent for another server, or offline, no command opens a connection."""
    on(server)
    assert connections(["graphiti", "test"], tmp_path)  # this is what a connection looks like
    server.forget_requests()
    before: list[str] = []
    if state == "off":
        for name in SWITCHES:
            invoke("config", "set", f"graphiti.{name}", "false")
    elif state == "agreed elsewhere":
        invoke("config", "set", "graphiti.endpoint", "http://127.0.0.1:9")
    else:
        before = ["--offline"]
    found = {" ".join(words): made for words in asked if (made := connections([*before, *words], tmp_path))}
    assert found == {}
    assert server.requests() == []


if sys.platform != "win32":
    from cli.terminal import Terminal

    def test_a_person_is_asked_once(run: Run, server: GraphitiServer) -> None:
        """What would be sent is shown; no is no, yes holds for this server, and another one is asked about again."""
        words = ("graphiti", "on", "--recall", "--endpoint", server.url)
        for answer in ("n", "", "y"):
            assert not shown()["granted"]
            terminal = Terminal(*words)
            seen = terminal.expect("Turn on Graphiti?")
            assert "the text of each prompt" in seen
            assert "your messages and your assistant" not in seen
            terminal.answer(f"{answer}\n")
            terminal.end(code=0 if answer == "y" else 1)
        assert states(shown())["recall"]
        assert not states(shown())["ingest"]
        assert "Turn on Graphiti?" not in Terminal("graphiti", "on", "--ingest").end()
        other = Terminal("graphiti", "on", "--endpoint", "https://elsewhere.example")
        other.expect("elsewhere.example")
        other.expect("Turn on Graphiti?")
        other.answer("n\n")
        other.end(code=1)
        assert shown()["endpoint"] == server.url
        assert server.requests() == []


# A Graphiti server through a person's day: turns go there, facts are promoted and forgotten, prompts are answered.


@pytest.fixture
def connected(running: GraphitiServer, shop: Shop) -> GraphitiServer:
    running.forget()
    invoke("graphiti", "on", "--endpoint", running.url, "--yes")
    return running


def test_the_learner_of_hooks_delivers(connected: GraphitiServer, shop: Shop) -> None:
    """The program that a hook starts takes new turns in and sends them; what waits is let go when all is off."""
    chat = session(3)
    claude_session(shop.home, shop.repo, "a question that stays here", session=chat)
    assert not [one for one in json_of("reconcile", "--offline")["skipped"] if one["what"] == "Graphiti"]
    assert connected.requests() == []
    invoke("reconcile")
    assert "stays here" not in json.dumps(connected.requests())
    other = ("why is the importer slow?", "and the exporter?")
    claude_session(shop.home, shop.repo, other[0], session=session(4))
    invoke("hook", "--catch-up")
    said = [one["content"] for one in connected.sent() if one["role_type"] == "user"]
    assert said.count("why is the importer slow?") == 2
    claude_session(shop.home, shop.repo, *other, session=session(4))
    with connected.outage():
        assert [one["what"] for one in json_of("reconcile")["skipped"]].count("Graphiti") == 1
        assert json_of("graphiti", "show")["delivery"]["messages"]["waiting"] > 0
        assert "cannot reach" in invoke("doctor", "--format", "text", code=3).out
        delivery = json_of("graphiti", "off")["delivery"]
    assert "waiting" not in delivery["messages"]
    assert "exporter" not in json.dumps(connected.sent())


def test_promote_show_forget(connected: GraphitiServer, shop: Shop) -> None:
    """A fact is promoted, is shown as promoted, and is taken back from the server when it is forgotten."""
    name = invoke("remember", "Keep prices in cents.", "--format", "json").json["fact"]["id"]
    out = invoke("graphiti", "promote", name[:8]).out
    assert out.startswith("promoted  lesson_learned (workspace)  Keep prices in cents.\n")
    connected.wait_until_stored(1)
    shown = invoke("memory", "show", name)
    assert "promoted as lesson_learned (workspace)" in shown.out
    (promotion,) = invoke("memory", "show", name, "--format", "json").json["promotions"]
    assert (promotion["kind"], promotion["endpoint"]) == ("lesson_learned", connected.url)
    out = invoke("memory", "forget", name, "--yes").out
    assert "graphiti: deleted the fact's episode and 1 fact derived from the episode; names" in out
    assert connected.episodes() == []
    assert refused("graphiti", "promote", "use pnpm", says="no kind specified")
    assert refused("graphiti", "promote", "use pnpm", "--kind", "whim", says="unknown episode kind `whim`")


def test_recall_by_hand(connected: GraphitiServer, shop: Shop) -> None:
    """`recall --graphiti` prints what the graph knows and, if asked, how it came to that; without it, nothing fails."""
    invoke("config", "set", "graphiti.recallTime", "10000")
    group = invoke("graphiti", "show", "--format", "json").json["delivery"]["groups"]
    assert group == {}
    invoke("recall", "--graphiti", "who deploys the shop?")
    group = invoke("graphiti", "show", "--format", "json").json["delivery"]["groups"]
    connected.plant(group["workspace"], "The shop is deployed by the bot")
    out = invoke("recall", "--graphiti", "who deploys the shop?", "--explain").out
    assert "graphiti  The shop is deployed by the bot" in out
    assert "graphiti: searched workspace; 1 fact in" in out
    block = invoke("recall", "--graphiti", "who deploys the shop?", "--format", "context").out
    assert "- The shop is deployed by the bot [this project" in block
    with connected.outage():
        out = invoke("recall", "--graphiti", "who deploys the shop?", "--explain").out
    assert "cannot reach" in out
    invoke("graphiti", "off", "--recall")
    connected.forget_requests()
    out = invoke("recall", "--graphiti", "who deploys the shop?", "--explain").out
    assert "`graphiti.recall` is off" in out
    assert connected.requests() == []
