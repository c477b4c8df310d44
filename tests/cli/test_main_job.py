"""From a chat to a better file, and back: the commands as a person uses them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from builders import claude_session, fake_token, tree
from cli.conftest import Run

AGENTS = "# Shop\n\n## Commands\n\n- Build with `make`.\n\n## Testing\n\n- Tests live in tests/.\n"
RULE = "From now on never mock the database in tests."


@pytest.fixture(name="repo")
def _repo(git_repo: Path) -> Path:
    (git_repo / "AGENTS.md").write_bytes(AGENTS.encode())
    (git_repo / "tests").mkdir()
    (git_repo / "tests/test_shop.py").write_text("x = 1\n")
    subprocess.run(["git", "-C", str(git_repo), "add", "-A"], check=True)
    subprocess.run(["git", "-C", str(git_repo), "commit", "-q", "-m", "start"], check=True)
    return git_repo


def only(run: Run) -> dict[str, object]:
    """The one suggestion that is pending."""
    (suggestion,) = run("list", "--format", "json").json["suggestions"]
    return suggestion


def test_the_whole_way(run: Run, repo: Path, home: Path) -> None:
    """Reconcile suggests, show explains, apply writes exactly that, undo brings the bytes back, again: nothing new."""
    claude_session(home, repo, "please fix the login page", RULE, "thanks")
    report = run("reconcile", "--format", "json").json
    assert (report["version"], report["mode"], report["transcriptsRead"]) == (1, "occasional", 1)
    (suggestion,) = report["suggestions"]
    assert suggestion["targetUri"] == "AGENTS.md"
    assert suggestion["citations"][0]["quote"] in RULE
    shown = run("show", suggestion["id"][:6]).out
    assert suggestion["diff"] in shown + "\n"
    assert "you typed" in shown

    run("apply", suggestion["id"][:6], "--yes")
    diff = subprocess.run(
        ["git", "-C", str(repo), "diff", "--", "AGENTS.md"], capture_output=True, check=True
    ).stdout.decode()
    added = [line for line in diff.split("\n") if line[:1] in "+-" and line[:3] not in {"+++", "---"} and line]
    assert added == [line for line in suggestion["diff"].split("\n")[3:] if line[:1] in {"+", "-"} and line]
    assert run("reconcile", "--format", "json").json["suggestions"] == []
    assert "AGENTS.md" in run("list", "--status", "applied").out

    run("undo")
    assert (repo / "AGENTS.md").read_bytes() == AGENTS.encode()
    assert only(run)["id"] == suggestion["id"]
    assert run("reconcile", "--format", "json").json["newFacts"] == 0


def test_a_dry_run_writes_nothing(run: Run, repo: Path, home: Path) -> None:
    """`--dry-run` shows the same suggestions and leaves no trace."""
    claude_session(home, repo, RULE)
    before = tree(home) | tree(repo)
    dry = run("reconcile", "--dry-run", "--format", "json").json
    assert len(dry["suggestions"]) == 1
    assert tree(home) | tree(repo) == before
    assert run("reconcile", "--format", "json").json["suggestions"] == dry["suggestions"]


def test_check_says_whether_something_waits(run: Run, repo: Path, home: Path) -> None:
    """`--check` ends with 3 when there is something, with 0 when there is not."""
    run("reconcile", "--check")
    claude_session(home, repo, RULE)
    run("reconcile", "--check", code=3)


def test_off_reads_and_writes_nothing(repo: Path, home: Path) -> None:
    """In the mode `off` no transcript is opened and no file is written."""
    transcript = claude_session(home, repo, RULE)
    before = tree(home) | tree(repo)
    watcher = (
        "import sys, runpy\n"
        "def watch(event, args):\n"
        "    is_write = event == 'open' and isinstance(args[1], str) and set(args[1]) & set('wax+')\n"
        "    if is_write or (event == 'open' and '.claude' in str(args[0])):\n"
        "        sys.__stderr__.write(f'OPENED {args[0]}\\n')\n"
        "sys.addaudithook(watch)\nsys.argv = ['memsuggest', 'reconcile']\n"
        "runpy.run_module('memsuggest', run_name='__main__')\n"
    )
    done = subprocess.run(
        [sys.executable, "-B", "-c", watcher],
        cwd=repo,
        env={**os.environ, "MEMSUGGEST_MODE": "off"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert "Memory is disabled" in done.stdout
    assert "OPENED" not in done.stderr
    assert tree(home) | tree(repo) == before
    assert transcript.exists()


def test_secrets_are_nowhere(run: Run, repo: Path, home: Path) -> None:
    """A token that was typed stands in no output, no store and no file but the transcript itself."""
    token = fake_token()
    transcript = claude_session(
        home, repo, f"From now on always deploy with the token {token} and never without it.", RULE
    )
    outputs = [
        run(*words).out
        for words in (
            ["reconcile"],
            ["list"],
            ["memory", "list", "--facts"],
            ["memory", "export", "--facts"],
            ["list", "--format", "json"],
        )
    ]
    outputs.append(run("transcripts", "show", str(transcript)).out)
    assert not any(token in output for output in outputs)
    stored = tree(home) | tree(repo)
    holders = [name for name, data in stored.items() if token.encode() in data]
    assert holders == [transcript.relative_to(home).as_posix()]


def test_a_changed_file_is_planned_anew(run: Run, repo: Path, home: Path) -> None:
    """A line added elsewhere by somebody stays, and the rule goes where it was shown."""
    claude_session(home, repo, RULE)
    run("reconcile")
    changed = AGENTS.replace("# Shop\n", "# Shop\n\nA shop.\n")
    (repo / "AGENTS.md").write_text(changed)
    suggestion = only(run)
    assert "the file changed after" in run("show", suggestion["id"]).out
    run("apply", suggestion["id"], "--yes")
    after = (repo / "AGENTS.md").read_text()
    assert "A shop." in after and "never mock" in after.lower()
    run("undo")
    assert (repo / "AGENTS.md").read_text() == changed


def test_a_file_that_says_it_now_needs_no_suggestion(run: Run, repo: Path, home: Path) -> None:
    """Somebody wrote the rule by hand meanwhile: applying says so and changes nothing."""
    claude_session(home, repo, RULE)
    run("reconcile")
    text = AGENTS + "- Never mock the database in tests.\n"
    (repo / "AGENTS.md").write_text(text)
    assert "hint:" in run("apply", only(run)["id"], "--yes", code=1).err
    assert (repo / "AGENTS.md").read_text() == text


def test_a_deleted_target(run: Run, repo: Path, home: Path) -> None:
    """A target that is gone between show and apply is not brought back; another place is planned."""
    claude_session(home, repo, RULE)
    run("reconcile")
    (repo / "AGENTS.md").unlink()
    outcome = run("show", only(run)["id"])
    assert "the file changed after" in outcome.out
    assert not (repo / "AGENTS.md").exists()


def test_undo_after_another_change_keeps_both(run: Run, repo: Path, home: Path) -> None:
    """What somebody wrote elsewhere in the file since the apply survives the undo."""
    claude_session(home, repo, RULE)
    run("reconcile")
    run("apply", only(run)["id"], "--yes")
    path = repo / "AGENTS.md"
    path.write_text(path.read_text().replace("# Shop\n", "# Shop\n\nA shop.\n"))
    run("undo")
    assert path.read_text() == AGENTS.replace("# Shop\n", "# Shop\n\nA shop.\n")


def test_undo_after_a_change_of_the_line_beside_it(run: Run, repo: Path, home: Path) -> None:
    """The line that was put in goes, the changed one stays; only where that line itself changed it is refused."""
    claude_session(home, repo, RULE)
    run("reconcile")
    run("apply", only(run)["id"], "--yes")
    path = repo / "AGENTS.md"
    applied = path.read_text()
    (added,) = [line for line in applied.splitlines() if line not in AGENTS.splitlines() and line.strip()]
    place = applied.splitlines().index(added)
    changed = [line if at != place - 1 else f"{line} now" for at, line in enumerate(applied.splitlines())]
    path.write_text("\n".join([*changed[:place], f"{added} Really.", *changed[place + 1 :]]) + "\n")
    assert "then run `memsuggest undo` again" in run("undo", code=1).err
    path.write_text("\n".join(changed) + "\n")
    run("undo")
    assert path.read_text().splitlines() == [line for at, line in enumerate(changed) if at != place]


def test_dismissed_stays_silent_until_said_again(run: Run, repo: Path, home: Path) -> None:
    """A dismissal is remembered in the shared file, and lifted by new evidence only."""
    claude_session(home, repo, RULE)
    run("reconcile")
    run("dismiss", only(run)["id"])
    assert run("reconcile", "--format", "json").json["suggestions"] == []
    assert '"dismissed"' in (repo / ".github/memories/facts.json").read_text()
    claude_session(
        home, repo, "Never mock the database in tests!", session="33333333-aaaa-4bbb-8ccc-444444444444", day=2
    )
    assert len(run("reconcile", "--format", "json").json["suggestions"]) == 1


def test_forgotten_does_not_come_back(run: Run, repo: Path, home: Path) -> None:
    """Neither from the same transcript nor from the same words, even with the state deleted."""
    claude_session(home, repo, RULE)
    run("reconcile")
    (fact,) = run("memory", "list", "--facts", "--format", "json").json["facts"]
    run("memory", "forget", fact["id"][:8])
    for path in (home / ".local/state/memsuggest").rglob("state.db*"):
        path.unlink()
    report = run("reconcile", "--format", "json").json
    assert (report["newFacts"], report["suggestions"]) == (0, [])
    assert fact["content"] not in (repo / ".github/memories/facts.json").read_text()


def test_forgetting_says_what_stays_in_a_file(run: Run, repo: Path, home: Path) -> None:
    """A file is the person's own: a line that was applied stays when its fact is forgotten, and they are told."""
    claude_session(home, repo, RULE)
    run("reconcile")
    run("apply", only(run)["id"], "--yes")
    (fact,) = run("memory", "list", "--facts", "--format", "json").json["facts"]
    assert "`AGENTS.md:" in run("memory", "forget", fact["id"][:8]).out
    assert "mock" in (repo / "AGENTS.md").read_text()


def test_deleting_the_state_loses_nothing(run: Run, repo: Path, home: Path) -> None:
    """The state database is disposable: facts and decisions are elsewhere."""
    claude_session(home, repo, RULE, "Always answer in English, that is how I like it.")
    first = run("reconcile", "--format", "json").json["suggestions"]
    for path in (home / ".local/state/memsuggest").rglob("state.db*"):
        path.unlink()
    again = run("reconcile", "--format", "json").json
    assert [one["id"] for one in again["suggestions"]] == [one["id"] for one in first]
    assert again["newFacts"] == 0


def test_what_was_overruled_does_not_come_back(run: Run, repo: Path, home: Path) -> None:
    """Once the newer of two that cannot both hold is applied, the older one does not ask to replace it."""
    claude_session(home, repo, "Always use tabs in the build scripts.", session="11111111-aaaa-4bbb-8ccc-222222222221")
    claude_session(home, repo, "Always use spaces in the build scripts.", session="1111-2", day=2)
    (pair,) = run("reconcile", "--format", "json").json["contradictions"]
    assert "spaces" in pair["winner"]["content"]
    run("apply", str(only(run)["id"]), "--yes")
    assert run("reconcile", "--format", "json").json["suggestions"] == []
    run("memory", "forget", pair["winner"]["id"])
    assert "tabs" in str(only(run)["content"])


def test_user_facts_never_reach_the_repo(run: Run, repo: Path, home: Path) -> None:
    """A personal habit goes to the person's own files, and stands in no file of the repo."""
    claude_session(home, repo, "preference (user): answer me in British English")
    suggestion = run("reconcile", "--format", "json").json["suggestions"][0]
    assert suggestion["scope"] == "user"
    run("apply", suggestion["id"], "--yes")
    own = home / ".claude" / "CLAUDE.md"  # what Claude Code, which was told, reads in every project
    assert "British" in own.read_text(encoding="utf-8")
    assert not any(b"British" in data for data in tree(repo).values())
    run("undo")
    assert not own.exists()
    assert not (home / ".copilot").exists()


def test_hooks_need_their_own_confirmation(run: Run, repo: Path, home: Path) -> None:
    """`--yes` and `--all` never write executable configuration."""
    claude_session(home, repo, "Whenever you edit a Python file, always run `ruff format .`")
    (suggestion,) = run("reconcile", "--format", "json").json["suggestions"]
    assert suggestion["executable"] and suggestion["targetType"] == "hook"
    before = tree(repo)
    run("apply", suggestion["id"], "--yes", code=1)
    run("apply", "--all", "--yes")
    assert tree(repo) == before


def test_without_a_terminal_nothing_is_applied_unasked(run: Run, repo: Path, home: Path) -> None:
    """Scripts must say `--yes`."""
    claude_session(home, repo, RULE)
    run("reconcile")
    assert "--yes" in run("apply", only(run)["id"], code=1).err
    assert (repo / "AGENTS.md").read_bytes() == AGENTS.encode()


def test_a_file_that_cannot_be_written(run: Run, repo: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A target that is a link out of the repo is refused, and what it leads to stays."""
    claude_session(home, repo, RULE)
    run("reconcile")
    outside = repo.parent / "outside.md"
    outside.write_bytes(AGENTS.encode())
    (repo / "AGENTS.md").unlink()
    (repo / "AGENTS.md").symlink_to(outside)
    run("apply", only(run)["id"], "--yes", code=1)
    assert outside.read_bytes() == AGENTS.encode()


def test_modes_from_the_config(run: Run, repo: Path, home: Path) -> None:
    """`config set` changes what `list` says when nothing waits."""
    run("config", "set", "mode", "manual")
    assert "No suggestions yet" in run("list").out
    run("config", "set", "mode", "off")
    assert "Memory is disabled" in run("list").out
    assert run("status", "--short").out.strip() == ""
    run("config", "set", "mode", "eager")
    claude_session(home, repo, RULE)
    run("reconcile")
    assert run("status", "--short").out.strip() == "mem 1"


def test_facts_by_hand(run: Run, repo: Path) -> None:
    """Add, edit, search, export and forget; ids are stable, wordings are not."""
    run("remember", "Use pnpm, not npm")
    (fact,) = run("memory", "list", "--facts", "--format", "json").json["facts"]
    run("memory", "edit", fact["id"][:6], "--content", "Use pnpm for everything")
    (edited,) = run("memory", "list", "--facts", "pnpm", "--format", "json").json["facts"]
    assert (edited["id"], edited["content"]) == (fact["id"], "Use pnpm for everything")
    assert "pnpm for everything" in run("memory", "export", "--facts").out
    assert run("memory", "check").out.endswith("1 fact, 0 problems\n")
    run("memory", "forget", fact["id"])
    assert run("memory", "list", "--facts").out == "no facts yet\n"
    for query in ("C++", "it's", "#1", "-npm", "", '"', "*", "a AND"):
        run("memory", "list", "--facts", "--", query)


def test_claimed_transcripts_are_not_taken_at_their_word(run: Run, repo: Path, home: Path) -> None:
    """A transcript that was committed to the repo by whoever is shown as a claim, and left out of a bulk apply."""
    folder = repo / ".specstory/history"
    folder.mkdir(parents=True)
    (folder / "2026-01-01_10-00-00Z-x.md").write_text(
        "<!-- Generated by SpecStory, Markdown v2.1.0 -->\n<!-- Claude Code Session 5f3c (2026-01-01 10:00:00Z) -->\n\n"
        "_**User (2026-01-01 10:00:00Z)**_\n\nFrom now on always use tabs in Makefiles and nothing else.\n\n---\n"
    )
    subprocess.run(["git", "-C", str(repo), "add", "-A"], check=True)
    subprocess.run(["git", "-C", str(repo), "commit", "-q", "-m", "x"], check=True)
    report = run("reconcile", "--format", "json").json
    assert all(citation["trust"] == "claimed" for one in report["suggestions"] for citation in one["citations"])
    run("apply", "--all", "--yes")
    assert (repo / "AGENTS.md").read_bytes() == AGENTS.encode()
    assert not (repo / ".github/memories/facts.json").exists()
