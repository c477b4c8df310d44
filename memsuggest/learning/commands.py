"""Commands that learn: `reconcile`, `extract`, `remember`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from memsuggest.cli.run import Commands, Run

FOUND = 3  # the exit code of `--check` when something is pending

PathsArgument = Annotated[
    list[Path] | None,
    typer.Argument(
        metavar="PATH", help="Transcripts, or folders of transcripts.", show_default="this workspace's transcripts"
    ),
]
PersonOption = Annotated[
    str | None, typer.Option("--person", metavar="NAME", help="Your name in `Name: text` transcripts.")
]
_ENGINE_HELP = "The engine to use: auto, offline, haiku, claude, codex, copilot or local."
EngineOption = Annotated[str | None, typer.Option(help=_ENGINE_HELP)]
ConsentOption = Annotated[bool, typer.Option("--consent", help="Consent to using a model; required in CI.")]
SinceOption = Annotated[
    str | None, typer.Option(metavar="DAYS|all", help="How far back to read chats.", show_default="the `since` setting")
]
_AGAIN_HELP = "Read all chats again, for example after an upgrade; your decisions are kept."
AgainOption = Annotated[bool, typer.Option("--again", help=_AGAIN_HELP)]


command = Commands()


@command("reconcile")
def _reconcile(  # noqa: PLR0913, PLR0917  (a command's options)
    run: Run,
    paths: PathsArgument = None,
    mode: Annotated[str | None, typer.Option(help="The mode for this run: off, eager, occasional or manual.")] = None,
    check: Annotated[bool, typer.Option("--check", help="Exit with code 3 if suggestions are pending.")] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show what would be suggested without storing anything.")
    ] = False,
    since: SinceOption = None,
    again: AgainOption = False,
    person: PersonOption = None,
    engine: EngineOption = None,
    consent: ConsentOption = False,
) -> int:
    """Read your new chats, learn facts from them, and show what to add to your customization files."""
    from memsuggest.cli.dialog import emit_look, is_interactive
    from memsuggest.cli.progress_line import shown_progress
    from memsuggest.judging.consent_dialog import asking_of, choose_engine, tell_postponed
    from memsuggest.learning.reconcile import reconcile

    context = run.context(mode=mode, engine=engine, since=since)
    asking = asking_of(run, consent=consent)
    if not (engine or consent or dry_run):
        choose_engine(run, context, paths or [], is_again=again)
    with shown_progress(quiet=run.quiet) as progress:
        report = reconcile(
            context.dry() if dry_run else context,
            paths=paths or [],
            person=person,
            progress=progress,
            first=progress.first,
            asking=asking,
            is_attended=is_interactive() and run.format in (None, "text"),
            is_again=again,
        )
    emit_look(run, context, report)
    if report.postponed:
        return tell_postponed(report.postponed)
    return FOUND if check and report.suggestions else 0


@command("extract")
def _extract(  # noqa: PLR0913, PLR0917  (a command's options)
    run: Run,
    paths: Annotated[list[Path], typer.Argument(metavar="PATH", help="Transcripts, or folders of transcripts.")],
    engine: EngineOption = None,
    explain: Annotated[
        bool,
        typer.Option(
            "--explain", help="For each sentence, explain why it was suggested, marked as low-confidence or dropped."
        ),
    ] = False,
    maybe: Annotated[bool, typer.Option("--maybe", help="Include low-confidence suggestions.")] = False,
    person: PersonOption = None,
    consent: ConsentOption = False,
) -> None:
    """Print facts worth remembering from transcripts, without storing anything."""
    from memsuggest.cli.progress_line import shown_progress
    from memsuggest.judging.consent_dialog import engine_of
    from memsuggest.learning.extract import extract

    chosen = engine_of(run, engine, consent=consent)
    with chosen as found, shown_progress(quiet=run.quiet) as progress:
        report = extract(paths, engine=found, person=person, explain=explain, with_maybes=maybe, progress=progress)
    run.emit(report)


@command("remember")
def _remember(
    run: Run,
    text: Annotated[str, typer.Argument(help="The rule to remember, such as `use pnpm, not npm`.")],
    user: Annotated[
        bool, typer.Option("--user", help="Store the rule as a fact about you, not about the repo.")
    ] = False,
    kind: Annotated[
        str | None, typer.Option(help="The kind of fact: preference, convention, correction, procedure, fact …")
    ] = None,
    path: Annotated[
        list[str] | None, typer.Option("--path", help="A file the fact applies to; can be repeated.")
    ] = None,
) -> None:
    """Add a fact by hand; the next `reconcile` suggests where it belongs."""
    from memsuggest.facts.facts_by_hand import add_fact

    run.emit(add_fact(run.context(), text, is_users=user, kind=kind, paths=path or []))
