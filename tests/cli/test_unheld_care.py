"""Rules that had to be said again are suggested in firmer words, or where they are read; a person decides as ever."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from cases import cases
from cli.conftest import Run
from held_kit import Chat, commit, write_chats

from memsuggest.held.remedies import firmer_words

HEDGE = "- You should use pnpm, never npm, if possible."
HEDGED = f"# Shop\n\n{HEDGE}\n- Never mock the database in tests.\n"
FIRM = "- Use pnpm, never npm."
NO = "No, use pnpm, never npm."
HEDGED_NO = "No, you should use pnpm, never npm, if possible."
DAYS = (20, 23, 26, 29, 32, 35)


def chats(**said: str) -> list[Chat]:
    return [Chat(day=day, task="Add a library.", command="npm install x", said=said.get(f"d{day}", "")) for day in DAYS]


def care(run: Run) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = run("list", "--format", "json").json["care"]
    return [one for one in found if one["cause"] == "unheld"]


FIRMER = [
    ("When possible, use pnpm.", "Use pnpm."),
    ("Use named exports (if possible).", "Use named exports."),
    ("Prefer using pnpm.", "Use pnpm."),
    ("We prefer to use pnpm for installs.", "Use pnpm for installs."),
    ("Prefer composition over inheritance.", "Use composition over inheritance."),
    ("Please try to keep functions short.", "Keep functions short."),
    ("Ideally, tests are fast.", "Tests are fast."),
    ("Use `prefer-const` everywhere in TypeScript.", ""),
    ("Prefer not to mock the database in tests.", ""),
    ("Don't consider lint warnings as errors.", ""),
    ("You should preferably use named exports.", ""),
    ("The preferred package manager is pnpm.", ""),
    ("If you should need a package, use pnpm.", ""),
    ("Never use npm unless you could break the build.", ""),
    ("Only use any where appropriate.", ""),
    ("You should be careful.", ""),
]


@cases(("line", "firm"), FIRMER)
def test_words_that_leave_no_choice(line: str, firm: str) -> None:
    """A sentence of the same meaning, or none."""
    found = firmer_words(line)
    assert (found[1] if found else "") == firm


def test_firmer_words(run: Run, git_repo: Path, home: Path) -> None:
    """A line that leaves a choice loses it; what was applied is taken back by `undo`, what was dismissed stays so."""
    commit(git_repo, HEDGED, day=10, path="CLAUDE.md")
    write_chats(home, git_repo, chats(d23=HEDGED_NO, d32=HEDGED_NO))
    run("reconcile")
    (one,) = care(run)
    assert one["content"] == "Said again in 2 of the 6 chats where it was relevant and had been read"
    assert (one["targetUri"], one["suggestedMergeContent"]) == ("CLAUDE.md", FIRM)
    run("apply", one["id"], "--yes")
    assert (git_repo / "CLAUDE.md").read_text() == HEDGED.replace(HEDGE, FIRM)
    run("reconcile")
    assert care(run) == []
    run("undo")
    assert (git_repo / "CLAUDE.md").read_text() == HEDGED
    run("reconcile")
    assert [again["id"] for again in care(run)] == [one["id"]]
    run("dismiss", one["id"])
    run("reconcile")
    assert care(run) == []


def test_a_pointer_for_who_does_not_read_the_file(run: Run, git_repo: Path, home: Path) -> None:
    """Claude Code reads no `AGENTS.md`: a `CLAUDE.md` is to read it in; a firm rule that is read has no edit."""
    commit(git_repo, "# Shop\n\n- Use pnpm, never npm.\n", day=10)
    write_chats(home, git_repo, chats(d23=NO))
    run("reconcile")
    (one,) = care(run)
    assert one["content"] == "One of the rules in `AGENTS.md` was said again because the file was not read"
    assert (one["targetType"], one["suggestedFileName"]) == ("newFile", "CLAUDE.md")
    run("apply", one["id"], "--yes")
    assert (git_repo / "CLAUDE.md").read_text() == "@AGENTS.md\n"
    run("undo")
    assert not (git_repo / "CLAUDE.md").exists()
    (git_repo / "AGENTS.md").unlink()
    commit(git_repo, "# Shop\n\n- Use pnpm, never npm.\n", day=11, path="CLAUDE.md")
    run("reconcile")
    assert care(run) == []
    assert "add a good and a bad example" in run("held").out
