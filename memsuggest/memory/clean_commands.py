"""The commands that keep the shared facts in order: `memory clean`, what git calls to merge them, and repairs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from memsuggest.cli.run import Commands, Run
from memsuggest.memory import commands

if TYPE_CHECKING:
    from memsuggest.core.context import Context
    from memsuggest.judging.model_reports import Consolidated, Merge

merge_driver_command = Commands(
    "merge-driver", "Make git use memsuggest to merge the shared facts.json.", within=commands.memory_command
)


@commands.memory_command("clean")
def _clean(
    run: Run,
    check: Annotated[
        bool, typer.Option("--check", help="Change nothing; exit with code 3 if facts.json has a problem.")
    ] = False,
    stale: Annotated[
        bool, typer.Option("--stale", help="With `--check`: also report facts that mention missing files or scripts.")
    ] = False,
    only: Annotated[
        Literal["tidy", "merge", "prune"] | None,
        typer.Option(
            "--only", metavar="STEP", help="Run only this step: tidy, merge or prune.", show_default="all three"
        ),
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show the changes without making them.")] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Apply all lossless changes without prompting.")] = False,
) -> int:
    """Tidy the shared facts.json, merge duplicate facts, remove facts that exceed the limits, and check the result.

    Before merging, the command shows the changes and asks for confirmation. Pruning removes your least valuable
    unapplied facts beyond the limits maxWorkspaceFacts and maxUserFacts. The check covers format, order, secrets,
    hidden characters and conflict markers. `memsuggest undo` reverts merging and pruning.
    """
    from memsuggest.core.plain_reports import Text
    from memsuggest.facts.check_facts import check_facts, tidy_facts
    from memsuggest.facts.fact_reports import Cleaned
    from memsuggest.facts.pruning import prune_facts

    if check or stale:
        return _check(run, is_stale=stale)
    context = run.context()
    context = context.dry() if dry_run else context
    is_tidied = only in (None, "tidy") and not dry_run and tidy_facts(context)
    text = "facts.json is tidy now" if is_tidied else "facts.json is already tidy"
    if only == "tidy" or (only is None and run.format in (None, "text")):
        run.emit(Text(text=text, payload={"changed": is_tidied}))
    if only == "tidy":
        return 0
    if only == "prune":
        run.emit(prune_facts(context))
        return 0
    merged = _merge_duplicates(run, context, is_dry=dry_run, yes=yes)
    if only == "merge":
        if run.format not in (None, "text"):
            run.emit(merged)
        return 0
    cleaned = Cleaned(is_tidied=is_tidied, merged=merged, removed=prune_facts(context), checked=check_facts(context))
    run.emit(cleaned)
    return 3 if cleaned.checked.problems else 0


def _check(run: Run, *, is_stale: bool) -> int:
    from memsuggest.facts.check_facts import check_facts

    report = check_facts(run.context())
    if is_stale and not report.problems:
        from dataclasses import replace

        from memsuggest.facts.stale_facts import stale_facts

        report = replace(report, stale=stale_facts(run.context()))
    run.emit(report)
    return 3 if report.problems or report.stale else 0


def _merge_duplicates(run: Run, context: Context, *, is_dry: bool, yes: bool) -> Consolidated:
    from memsuggest.facts.consolidate import carry_out, consolidate

    report = consolidate(context)
    is_text = run.format in (None, "text")
    if is_text:
        run.emit(report)
    if is_dry:
        return report
    chosen = [merge for merge in report.operations if merge.is_sure] if yes else _chosen(run, report)
    left = len(report.operations) - len(chosen)
    if chosen:
        report = carry_out(context, report, chosen)
        if is_text:
            run.emit(report)
    if yes and left:
        needs = "1 change needs" if left == 1 else f"{left} changes need"
        run.say(f"{needs} your review; run `memsuggest memory clean` in a terminal")
    return report


def _chosen(run: Run, report: Consolidated) -> list[Merge]:
    """Return what the person agrees to: what is sure all at once, the rest one by one."""
    from memsuggest.cli.dialog import is_interactive

    if not report.operations:
        return []
    if not is_interactive() or run.format not in (None, "text"):
        run.say("nothing changed; run `memsuggest memory clean --yes` to apply all lossless changes")
        return []
    sure = [merge for merge in report.operations if merge.is_sure]
    typer.echo()
    chosen = (
        list(sure)
        if sure
        and typer.confirm(f"Apply {len(sure)} lossless {'change' if len(sure) == 1 else 'changes'}?", default=True)
        else []
    )
    for merge in report.operations:
        if not merge.is_sure:
            run.emit(merge)
            chosen += [merge] if typer.confirm(f"{merge.deed} this fact?", default=False) else []
    return chosen


@commands.memory_command("merge")
def _merge(
    run: Run,
    base: Annotated[Path, typer.Argument(help="The common ancestor's version (`%O`).")],
    ours: Annotated[Path, typer.Argument(help="The current version, which is overwritten with the result (`%A`).")],
    theirs: Annotated[Path, typer.Argument(help="The other branch's version (`%B`).")],
) -> None:
    """Merge two versions of facts.json, keeping the changes from both sides. Git runs this as its merge driver.

    If a version is damaged, the command exits with code 1 and does not change OURS.
    """
    from memsuggest.facts.branch_merge import merge_files

    run.emit(merge_files(base, ours, theirs))


@commands.memory_command("resolve")
def _resolve(run: Run) -> None:
    """Resolve merge conflicts in facts.json and stage the file; works without the merge driver."""
    from memsuggest.facts.branch_merge import resolve

    run.emit(resolve(run.context()))


@merge_driver_command("install")
def _install_driver(run: Run) -> None:
    """Add the merge driver to this clone's git config and .gitattributes; `uninstall` removes it from both."""
    from memsuggest.facts.branch_merge import install_driver

    run.emit(install_driver(run.context()))


@merge_driver_command("uninstall")
def _uninstall_driver(run: Run) -> None:
    """Remove the merge driver from this clone's git config and .gitattributes."""
    from memsuggest.facts.branch_merge import uninstall_driver

    run.emit(uninstall_driver(run.context()))


@commands.memory_command("repair")
def _repair(run: Run) -> None:
    """Rebuild a damaged profile database from its readable data, and keep the damaged file as a backup."""
    from memsuggest.facts.profile_rows import repair_profile
    from memsuggest.memory.recall_reports import MemoryRepaired

    context = run.context()
    with context.exclusive():
        done = repair_profile(context.folders.data / "profile.db")
    lost = [f"{'some' if count < 0 else count} of the `{table}` rows" for table, count in done.lost.items() if count]
    entries, facts, app_memories = (done.kept.get(table, 0) for table in ("entries", "facts", "app_memories"))
    run.emit(MemoryRepaired(entries=entries, facts=facts, app_memories=app_memories, lost=lost, aside=done.aside))
