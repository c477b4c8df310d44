"""Consent in the words of a dialog."""

from __future__ import annotations

import shutil
import sys
import textwrap
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

import typer

from memsuggest.cli.dialog import is_interactive
from memsuggest.cli.keys import END, ask, single_keys
from memsuggest.cli.progress_line import make_room
from memsuggest.cli.run import Run, tell
from memsuggest.core.context import Context
from memsuggest.core.errors import MemsuggestError
from memsuggest.core.render.safe_output import safe
from memsuggest.judging.engines.receiver import Receiver
from memsuggest.judging.model_access import Asking
from memsuggest.judging.model_reports import Postponed
from memsuggest.judging.offline.findings import Extractor

_ALONE = 'without a model, memsuggest suggests only statements you marked ("remember: …", "from now on …")'


def asking_of(run: Run, *, consent: bool) -> Asking:
    """Return what a command line says about asking a model."""
    from memsuggest.judging.model_access import Asking

    can_ask = is_interactive() and not run.quiet and run.format in (None, "text")
    return Asking(is_agreed=consent, ask_person=ask_for_consent if can_ask else None)


def engine_of(run: Run, engine: str | None, *, consent: bool) -> AbstractContextManager[Extractor]:
    """Return the engine that a command line names; only one that may ask a model needs a workspace."""
    from memsuggest.judging.model_access import engine_at
    from memsuggest.judging.offline import offline

    if run.offline or engine in (None, "offline"):
        return nullcontext(offline)
    return engine_at(run.context(engine=engine), asking_of(run, consent=consent))


def choose_engine(run: Run, context: Context, paths: Sequence[Path], *, is_again: bool) -> None:
    """Ask, once for a workspace and only on a terminal, who may judge its chats; remember the answer."""
    from memsuggest.judging.engine_offers import accept, decline, is_engine_open, new_chats, offers

    is_terminal = sys.stdin.isatty() and sys.stderr.isatty()
    if not is_terminal or run.quiet or run.format == "json" or not is_engine_open(context):
        return
    chats = new_chats(context, paths, is_again=is_again)
    found = offers(context, chats=chats) if chats else []
    if not found:
        return
    best, *others = found
    by_key = {"y": best, **{str(number): offer for number, offer in enumerate(others, 2)}}
    _print(f"{chats} {'chat' if chats == 1 else 'chats'}: {best.name} can evaluate your messages; {_ALONE}.")
    typer.echo(err=True)
    for key, offer in by_key.items():
        _print(f"  {key}  {offer.name}, {offer.state}")
        _print(f"     {offer.who}; {offer.costs}", indent=5)
    _print("  n  no, and don't ask again")
    _print("  ?  show what would be sent")
    typer.echo(err=True)
    key = _pressed(f"use {best.name}?", (*by_key, "n"), context=context, receiver=best.receiver)
    if key == "n":
        decline(context)
        _print(f"nothing will be sent, and you won't be asked again; to change this, run `{best.command}`")
    elif key == END:
        _print("skipped; you will be asked again next time")
    else:
        undone = accept(context, by_key[key])
        _print(f"{by_key[key].name} now evaluates this workspace's chats; to undo this, run `{undone}`")
    typer.echo(err=True)


def ask_for_consent(context: Context, receiver: Receiver) -> bool:
    """Show what would be sent, where to, and for which workspace; return whether the person agrees."""
    make_room()
    _show_words(context, receiver)
    return _pressed("allow this?", ("y", "n"), context=context, receiver=receiver) == "y"


def _pressed(question: str, keys: Sequence[str], *, context: Context, receiver: Receiver) -> str:
    with single_keys() as terminal:
        while True:
            key = ask(terminal, f"{question} [{','.join([*keys, '?'])}] ", err=True).lower()
            if key in {*keys, END}:
                return key
            if key == "?":
                typer.echo(err=True)
                _show_words(context, receiver)


def _show_words(context: Context, receiver: Receiver) -> None:
    from memsuggest.judging.engine_offers import words_about

    for line in words_about(context, receiver):
        _print(line, indent=4 if line.startswith(" ") else 0)
    typer.echo(err=True)


def _print(line: str, *, indent: int = 0) -> None:
    columns = max(20, shutil.get_terminal_size().columns)
    typer.echo(textwrap.fill(safe(line), columns, subsequent_indent=" " * indent, break_on_hyphens=False), err=True)


def tell_postponed(postponed: Sequence[Postponed]) -> int:
    """Print why transcripts stay pending and what to do; return the exit code."""
    first = postponed[0]
    number = f"{len(postponed)} transcripts remain" if len(postponed) > 1 else "1 transcript remains"
    offered = sum(chat.offered for chat in postponed)
    hint = f"{first.hint} ({offered} found)" if offered and "--engine offline" in first.hint else first.hint
    tell(MemsuggestError(f"{number} pending: {first.why}", hint=hint))
    return 1
