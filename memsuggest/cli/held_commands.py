"""Commands that tell whether it works: `held`, `coverage`."""

from __future__ import annotations

from typing import Annotated

import typer

from memsuggest.cli.run import Commands, Run

SinceOption = Annotated[
    str | None,
    typer.Option(
        metavar="DAYS|DATE|all", help="Only chats that began since then count.", show_default="all that were noted"
    ),
]


command = Commands()


@command("held")
def _held(
    run: Run,
    rule: Annotated[
        str | None,
        typer.Argument(
            metavar="RULE", help="The id of a rule, a file, or FILE:LINE.", show_default="rules with evidence"
        ),
    ] = None,
    since: SinceOption = None,
) -> None:
    """Say of the rules that you applied, or said again in a chat, whether they hold; of a file, of all its rules.

    A rule holds when it mattered in enough chats whose assistant had read the file, and you did not say it again.
    It does not hold when you did; the quotes say so. It is untested when it mattered in fewer than 5 chats, and not
    loaded when the assistants of those chats do not read the file.
    """
    from memsuggest.cli.progress_line import shown_progress
    from memsuggest.workflows.check_rules.chosen_rules import chats_since, files_of, only_rules
    from memsuggest.workflows.check_rules.find_held import find_held

    context = run.look()
    began = chats_since(since, now=context.now())
    with shown_progress(quiet=run.quiet) as progress:
        files = files_of(context, rule) if rule is not None else None
        report = find_held(context, since=began, only=files, progress=progress)
    run.emit(report if rule is None or files is None else only_rules(report, rule, files))


@command("coverage")
def _coverage(
    run: Run,
    last: Annotated[
        int, typer.Option(metavar="CHATS", min=1, max=100_000, help="A file is idle that none of so many chats used.")
    ] = 20,
    since: SinceOption = None,
) -> None:
    """Show what you keep saying that no file says, and files that no chat used, with what they cost.

    Gaps are things said in two chats and more, by you or by others as the team's facts tell; the dearest come first:
    times said, times chats. `held` is for what does stand in a file.
    """
    from memsuggest.cli.progress_line import shown_progress
    from memsuggest.workflows.check_rules.chosen_rules import chats_since
    from memsuggest.workflows.check_rules.find_coverage import find_coverage

    context = run.look()
    began = chats_since(since, now=context.now())
    with shown_progress(quiet=run.quiet) as progress:
        report = find_coverage(context, last=last, since=began, progress=progress)
    run.emit(report)
