"""A model says what becomes of rules: `reconcile` against a server that speaks the model's protocol."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from builders import claude_session
from cli.conftest import Run, json_of, write
from model_server import Server, answers, fails

SAID = "We always keep prices in cents, never as floats."
LINE = "Prices come from the ledger, never as floats"
FILES = {
    "AGENTS.md": (
        "# Shop\n\n## Commands\n\n- Build with `make`\n\n## Money\n\n- Prices come from the ledger, never as floats\n"
    ),
    ".github/instructions/api.instructions.md": '---\napplyTo: "api/**"\n---\n# API\n\n- Errors are problem details\n',
}


def extracted(sure: dict[str, str], said: str) -> str:
    """What lasts of a chat: each sentence that was said, word for word."""
    nothing = {"reason": "", "kind": "convention", "scope": "workspace", "later": "more", "replaces": ""}
    facts = [
        nothing | {"content": quote, "confidence": level, "citations": [{"turn": number, "file": "", "quote": quote}]}
        for quote, level in sure.items()
        if (number := _turn_of(quote, said))
    ]
    return json.dumps({"facts": facts, "injections": []})


def _turn_of(quote: str, said: str) -> int:
    found = re.search(rf'"turn":(\d+),"typed":"{re.escape(quote)}"', said)
    return int(found[1]) if found else 0


def lines_of(body: dict[str, Any]) -> list[dict[str, Any]]:
    data = body["messages"][0]["content"][-1]["text"].split("\n")[1:-1]
    return [json.loads(line) for line in data]


def judges(become: dict[str, dict[str, Any]] | None = None, *, sure: dict[str, str] | None = None, **said: Any) -> Any:
    """Answer both questions; every rule becomes what is said of it by its words, or else `said`.

    Places, headings, lines and known rules are given by what they name.
    """

    def reply(body: dict[str, Any]) -> str:
        lines = lines_of(body)
        if not any("places" in line for line in lines):
            return extracted(sure or {SAID: "high"}, body["messages"][0]["content"][-1]["text"])
        rules = [line for line in lines if "places" in line]
        return json.dumps({"verdicts": [entry(rule, lines, (become or {}).get(rule["says"], said)) for rule in rules]})

    return answers(reply)


def entry(rule: dict[str, Any], lines: list[dict[str, Any]], said: dict[str, Any]) -> dict[str, Any]:
    places = {line["path"]: line for line in lines if "place" in line}
    texts = {line["says"]: line["line"] for line in lines if "line" in line}
    rules = {line["says"]: line["rule"] for line in lines if "rule" in line}
    place = places.get(said.get("place", ""), {"place": said.get("place", ""), "headings": {}})
    headings = {text: name for name, text in place.get("headings", {}).items()}
    heading, line = said.get("heading", ""), said.get("line", "")
    return {
        "rule": rule["rule"],
        "becomes": said.get("becomes", "new"),
        "line": texts.get(line, line),
        "joins": [rules.get(one, one) for one in said.get("joins", [])],
        "place": place["place"],
        "heading": headings.get(heading, heading),
        "also": [],
        "wording": said.get("wording", ""),
        **({"of_ten": said["of_ten"]} if "of_ten" in said else {}),
        "weakens": said.get("weakens", False),
    }


COMMANDS = {"place": "AGENTS.md", "heading": "Commands"}


@pytest.fixture
def server(model: Server, home: Path, git_repo: Path, run: Run) -> Server:
    model.behave(judges(**COMMANDS))
    write(git_repo, FILES)
    claude_session(home, git_repo, SAID)
    run("consent", "grant", "--yes")
    return model


def suggestion(*words: str) -> dict[str, Any]:
    (found,) = json_of("reconcile", *words)["suggestions"]
    return dict(found)


def test_the_model_chooses(run: Run, server: Server, home: Path) -> None:
    """Place and heading, with that as the reason; asked once, of what consent names; a lost state is asked again."""
    first = suggestion()
    assert (first["targetUri"], first["heading"]) == ("AGENTS.md", "Commands")
    assert first["why"].startswith("a model chose this place")
    sent = json.dumps(server.asked[1]["messages"])
    assert "Prices come from" in sent and "Money" in sent and "Build with" not in sent
    words = run("consent", "show", "--format", "json").out
    assert "headings of customization files" in words and "lines of customization files" in words
    assert suggestion("--offline")["heading"] == "Money", "our own ranking"
    assert suggestion() == first
    run("apply", first["id"], "--yes")
    run("undo")
    for path in home.rglob("state.db*"):
        path.unlink()
    assert suggestion() == first
    assert len(server.asked) == 2
    run("remember", "Money amounts carry their currency")
    assert [one["purpose"] for one in json_of("reconcile", "--dry-run")["requests"]] == ["verdicts"]
    assert len(server.asked) == 2


def test_who_agreed_to_less_is_not_asked_about_rules(run: Run, server: Server, home: Path) -> None:
    """A consent given before lines and maybes were named in it covers the chats alone, which the report says."""
    (path,) = home.rglob("consent.json")
    path.write_text(re.sub(r'"terms": \d+', '"terms": 4', path.read_text(encoding="utf-8")), encoding="utf-8")
    report = json_of("reconcile")
    assert len(server.asked) == 1
    assert any("without your consent" in skip["why"] for skip in report["skipped"])
    run("consent", "grant", "--yes")
    run("reconcile")
    assert len(server.asked) == 2


def test_what_a_line_says_is_not_suggested(run: Run, server: Server) -> None:
    """It is counted as there already, with the line."""
    server.behave(judges(becomes="said", line=LINE))
    report = json_of("reconcile")
    assert not report["suggestions"]
    assert [(one["targetUri"], one["line"]) for one in report["alreadyThere"]] == [("AGENTS.md", 9)]


def test_a_line_is_replaced_by_the_whole_new_one(run: Run, server: Server) -> None:
    """In its place, in the model's words where they say what was said."""
    better = "Prices come from the ledger, always in cents, never as floats"
    server.behave(judges(becomes="replaces", line=LINE, wording=better))
    found = suggestion()
    assert (found["replaces"], found["suggestedMergeContent"]) == (f"- {LINE}", f"- {better}")
    run("apply", "--all", "--yes")
    assert better in (Path.cwd() / "AGENTS.md").read_text(encoding="utf-8")


def test_a_contradiction_is_the_persons_choice(run: Run, server: Server, git_repo: Path) -> None:
    """Both texts are shown; no bulk writes it, and applied by itself it takes the line's place, with a warning."""
    server.behave(judges(becomes="contradicts", line=LINE))
    found = suggestion()
    assert (found["replaces"], found["contradicts"]) == (f"- {LINE}", True)
    for page in (run("reconcile").out, run("list").out, run("show", found["id"]).out):
        assert "We always keep prices in cents" in page and LINE in page and "contradicts" in page
    before = (git_repo / "AGENTS.md").read_text(encoding="utf-8")
    held = run("apply", "--all", "--yes", code=1)
    assert "contradicts" in held.out + held.err
    assert (git_repo / "AGENTS.md").read_text(encoding="utf-8") == before
    done = run("apply", found["id"], "--yes")
    assert "warning" in done.err
    after = (git_repo / "AGENTS.md").read_text(encoding="utf-8")
    assert LINE not in after and "prices in cents" in after


def test_what_weakens_safety_needs_its_own_word(run: Run, server: Server, git_repo: Path) -> None:
    """Whatever words it has: the model's mark holds it back from every bulk, wherever the rule goes."""
    server.behave(judges(weakens=True, **COMMANDS))
    found = suggestion()
    assert "weakens safety" in run("show", found["id"]).out
    run("apply", "--all", "--yes", code=1)
    assert "cents" not in (git_repo / "AGENTS.md").read_text(encoding="utf-8")
    run("move", found["id"], "AGENTS.md#Money")
    run("apply", "--all", "--yes", code=1)
    assert "cents" not in (git_repo / "AGENTS.md").read_text(encoding="utf-8")


MAYBES = (
    "Lock the ledger whenever a price changes.",
    "While prices move, nobody writes to the ledger.",
    "Prices are edited behind closed books.",
    "That button is ugly.",
)


def test_maybes_that_say_the_same_become_one_suggestion(run: Run, server: Server, home: Path, git_repo: Path) -> None:
    """One rule with the evidence of all of them; `undo` makes them several again; what is no rule stays a maybe."""
    first, second, third, fourth = MAYBES
    for day, text in enumerate(MAYBES, 2):
        claude_session(home, git_repo, text, session=f"{day:08d}-0000-4000-8000-000000000000", day=day)
    become = {
        third: {"becomes": "joins", "joins": [first], "place": "AGENTS.md"},
        first: {"becomes": "joins", "joins": [second], "wording": "Lock the ledger when a price changes."},
        second: {"becomes": "nowhere"},
        fourth: {"becomes": "nowhere"},
        SAID: COMMANDS,
    }
    server.behave(judges(become, sure={**dict.fromkeys(MAYBES, "low"), SAID: "high"}))
    report = json_of("reconcile")
    (made,) = [one for one in report["suggestions"] if one["content"] == "Lock the ledger when a price changes."]
    assert len(made["citations"]) == 3
    assert (report["joined"], report["raised"], report["maybes"]) == (2, 1, 1)
    asked = len(server.asked)
    assert json_of("reconcile")["suggestions"] == report["suggestions"]
    assert len(server.asked) == asked
    run("undo")
    known = [one["content"] for one in run("list", "--maybe", "--format", "json").json["suggestions"]]
    assert {second, third, fourth} <= set(known)


@pytest.mark.parametrize("engine", ["haiku", "offline"])
@pytest.mark.parametrize(
    ("said", "is_back"), [(f"Again: {SAID}", True), (f"as i said, {SAID}", True), (f"hm. {SAID}", False)]
)
def test_a_reminder_ends_a_dismissal(  # noqa: PLR0917
    run: Run, server: Server, home: Path, git_repo: Path, engine: str, said: str, is_back: bool
) -> None:
    """Though a model leaves out what it was told is known, and by its words alone it would be a maybe."""
    made = suggestion()
    run("dismiss", made["id"])
    claude_session(home, git_repo, said.replace("always ", ""), session="33333333-aaaa-4bbb-8ccc-444444444444", day=2)
    server.behave(judges(sure={"nothing of it": "high"}))
    report = run("reconcile", "--engine", engine, "--format", "json").json
    assert [one["factId"] for one in report["suggestions"]] == [made["factId"]] * is_back


@pytest.mark.parametrize(("first", "second", "is_raised"), [(5, 5, True), (5, 4, False), (4, 5, False), (4, 6, True)])
def test_a_maybe_needs_both_questions(  # noqa: PLR0917
    run: Run, server: Server, home: Path, git_repo: Path, first: int, second: int, is_raised: bool
) -> None:
    """What the first wavers about is shown with what was said around it, and suggested when most would want it."""
    said = "and no hex values in components"
    claude_session(home, git_repo, f"make it blue. {said}", session="22222222-aaaa-4bbb-8ccc-222222222222", day=2)

    def reply(body: dict[str, Any]) -> str:
        lines = lines_of(body)
        rules = [line for line in lines if "places" in line]
        if not rules:
            return extracted({}, "") if said not in str(lines) else wavering(lines)
        assert [line.get("around") for line in rules if line.get("state") == "maybe"] == [f"make it blue. {said}"]
        return json.dumps({"verdicts": [entry(line, lines, COMMANDS | {"of_ten": second}) for line in rules]})

    def wavering(lines: list[dict[str, Any]]) -> str:
        (turn,) = [line["turn"] for line in lines if said in line.get("typed", "")]
        fact = json.loads(extracted({said: "medium"}, f'"turn":{turn},"typed":"{said}"'))
        fact["facts"][0]["of_ten"] = first
        return json.dumps(fact)

    server.behave(answers(reply))
    report = json_of("reconcile")
    assert report["raised"] == is_raised
    assert any(said in one["content"].lower() for one in report["suggestions"]) is is_raised


@pytest.mark.parametrize(
    "behaviour",
    [
        pytest.param(fails("529 Overloaded", "overloaded_error"), id="overloaded"),
        pytest.param(answers("no json"), id="no JSON"),
        pytest.param(answers('{"verdicts": [{"rule": "R1"}]}'), id="another shape"),
        pytest.param(answers("{}", stop="refusal"), id="refusal"),
        pytest.param(answers("{}", stop="max_tokens"), id="cut off"),
    ],
)
def test_without_an_answer_our_own_ranking_counts(run: Run, server: Server, behaviour: Any) -> None:
    """A failure in this question costs nothing that was learned: it is said, and our own place is suggested."""
    server.behaviours = [judges(), behaviour]
    report = json_of("reconcile")
    assert [one["heading"] for one in report["suggestions"]] == ["Money"]
    assert any(skip["what"] == "the placement of rules" for skip in report["skipped"])
    server.behaviours = [judges(**COMMANDS)]


@pytest.mark.parametrize(
    "said",
    [
        pytest.param({"place": "../../outside.md"}, id="a path outside"),
        pytest.param({"place": "~/.bashrc"}, id="a file at home"),
        pytest.param({"place": ".git/config"}, id="git's own"),
        pytest.param({"becomes": "said", "line": "Keep prices in cents"}, id="a line that is not there"),
        pytest.param({"becomes": "joins", "joins": ["R000000"]}, id="a rule that is not there"),
    ],
)
def test_what_was_not_shown_is_said_to_be_of_no_use(run: Run, server: Server, said: dict[str, Any]) -> None:
    """The rule goes where our own ranking puts it, the report says why, and it is not paid for again."""
    server.behaviours = [judges(**said)]
    report = json_of("reconcile")
    assert [(one["targetUri"], one["heading"]) for one in report["suggestions"]] == [("AGENTS.md", "Money")]
    assert any("the model's answer was unusable" in skip["why"] for skip in report["skipped"])
    run("reconcile")
    assert len(server.asked) == 2
