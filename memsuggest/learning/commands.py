"""Commands that learn: `reconcile`, `extract`, `remember`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from memsuggest.cli.run import Commands, Run

FOUND = 3
"""The exit code of `--check` when something is pending."""

PathsArgument = Annotated[
    list[Path] | None,
    typer.Argument(metavar="PATH", help="Transcripts, or folders of them.", show_default="this workspace's own"),
]
PersonOption = Annotated[
    str | None, typer.Option("--person", metavar="NAME", help="Who the person is in `Name: text` dialogues.")
]

EngineOption = Annotated[
    str | None,
    typer.Option(help="auto, offline, haiku, claude, codex, copilot or local."),
]
ConsentOption = Annotated[
    bool, typer.Option("--consent", help="Agree, for this run, that a model is asked; in CI the only way.")
]
SinceOption = Annotated[
    str | None,
    typer.Option(metavar="DAYS|all", help="How far back.", show_default="the setting `since`"),
]
AgainOption = Annotated[
    bool,
    typer.Option("--again", help="Read chats again, as after an upgrade; decisions stay."),
]
BatchOption = Annotated[
    bool, typer.Option("--batch", help="Ask the model's API in a batch: at half the price, within a day.")
]
NoWaitOption = Annotated[
    bool, typer.Option("--no-wait", help="With --batch: leave, and come back to it with a later run.")
]
CancelOption = Annotated[
    bool, typer.Option("--cancel", help="With --batch: take back what is being asked; keep what came.")
]


command = Commands()


@command("reconcile")
def _reconcile(  # noqa: PLR0913, PLR0917  (a command's options)
    run: Run,
    paths: PathsArgument = None,
    mode: Annotated[str | None, typer.Option(help="off, eager, occasional or manual, for this run.")] = None,
    check: Annotated[bool, typer.Option("--check", help="Exit with 3 when something is pending.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Store nothing, show what would be suggested.")] = False,
    since: SinceOption = None,
    again: AgainOption = False,
    batch: BatchOption = False,
    no_wait: NoWaitOption = False,
    cancel: CancelOption = False,
    person: PersonOption = None,
    engine: EngineOption = None,
    consent: ConsentOption = False,
) -> int:
    """Read your new chats, learn from them, and show what is worth writing down."""
    from memsuggest.cli.dialog import emit_look, is_interactive
    from memsuggest.cli.progress_line import shown_progress
    from memsuggest.judging.consent_dialog import batch_wish, choose_engine, hand_of, require_one_way, tell_postponed
    from memsuggest.learning.reconcile import reconcile

    require_one_way(batch=batch, no_wait=no_wait, cancel=cancel)
    context = run.context(mode=mode, engine=engine or ("haiku" if batch else None), since=since)
    hand = hand_of(run, consent=consent)
    if not (engine or consent or dry_run):
        choose_engine(run, context, paths or [], is_again=again)
    with shown_progress(quiet=run.quiet) as progress:
        report = reconcile(
            context.dry() if dry_run else context,
            paths=paths or [],
            person=person,
            progress=progress,
            first=progress.first,
            hand=hand,
            is_attended=is_interactive() and run.format in (None, "text"),
            is_again=again,
            batch=batch_wish(run, context, progress, no_wait=no_wait, cancel=cancel, consent=consent)
            if batch
            else None,
        )
    emit_look(run, context, report)
    if report.batch and report.batch.is_declined:
        return 1
    if report.postponed:
        return tell_postponed(report.postponed)
    return FOUND if check and report.suggestions else 0


@command("extract")
def _extract(  # noqa: PLR0913, PLR0917  (a command's options)
    run: Run,
    paths: Annotated[list[Path], typer.Argument(metavar="PATH", help="Transcripts, or folders of them.")],
    engine: EngineOption = None,
    explain: Annotated[
        bool, typer.Option("--explain", help="Say of each sentence why it is a suggestion, a maybe or neither.")
    ] = False,
    maybe: Annotated[
        bool, typer.Option("--maybe", help="Also what could be a rule, and is not sure enough to be suggested.")
    ] = False,
    person: PersonOption = None,
    consent: ConsentOption = False,
) -> None:
    """Print what is worth remembering in transcripts; store nothing."""
    from memsuggest.cli.progress_line import shown_progress
    from memsuggest.judging.consent_dialog import engine_of
    from memsuggest.transcripts.look_at_transcripts import extract

    chosen = engine_of(run, engine, consent=consent)
    with chosen as found, shown_progress(quiet=run.quiet) as progress:
        report = extract(paths, engine=found, person=person, explain=explain, with_maybes=maybe, progress=progress)
    run.emit(report)


@command("remember")
def _remember(
    run: Run,
    text: Annotated[str, typer.Argument(help="What to remember, as a rule: `use pnpm, not npm`.")],
    user: Annotated[bool, typer.Option("--user", help="It is about you, not about this repo.")] = False,
    kind: Annotated[str | None, typer.Option(help="preference, convention, correction, procedure, fact …")] = None,
    path: Annotated[list[str] | None, typer.Option("--path", help="A file it is about.")] = None,
) -> None:
    """Add a fact by hand and see where it belongs on the next `reconcile`."""
    from memsuggest.facts.facts_by_hand import add_fact

    run.emit(add_fact(run.context(), text, is_users=user, kind=kind, paths=path or []))
