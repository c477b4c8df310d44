"""Bringing our skill to the assistants at the command line: the diff, the question, and whether they may be told."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import typer

from memsuggest.cli.dialog import is_interactive
from memsuggest.errors import MemsuggestError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memsuggest.cli.run import Run
    from memsuggest.model import Edit
    from memsuggest.workflows.context import Context


def install_skill(run: Run, host: str | None, *, is_user: bool, yes: bool) -> None:
    """Write the skill after showing it, and ask whether the chat may be told what was said in others."""
    from memsuggest.workflows.assistants.install_hooks import plan_skill

    _require_terminal("install", host, is_user=is_user, yes=yes)
    context = run.context()
    _change(run, context, plan_skill(context, host, is_user=is_user, is_removal=False), yes=yes)
    _ask_for_consent(run, context)


def uninstall_skill(run: Run, host: str | None, *, is_user: bool, yes: bool) -> None:
    """Take the skill away."""
    from memsuggest.workflows.assistants.install_hooks import plan_skill

    _require_terminal("uninstall", host, is_user=is_user, yes=yes)
    context = run.context()
    _change(run, context, plan_skill(context, host, is_user=is_user, is_removal=True), yes=yes)


def _require_terminal(verb: str, host: str | None, *, is_user: bool, yes: bool) -> None:
    if not yes and not is_interactive():
        what = f"hooks {verb} --skill{f' --for {host}' if host else ''}{' --user' if is_user else ''}"
        raise MemsuggestError(
            "nothing was written: there is no terminal to ask on", hint=f"`memsuggest {what} --yes` does not ask"
        )


def _change(run: Run, context: Context, edits: Sequence[Edit], *, yes: bool) -> None:
    from memsuggest.reports.plain import Text
    from memsuggest.suggestions.diff import unified
    from memsuggest.workflows.assistants.install_hooks import carry_skill
    from memsuggest.workflows.decide.paths import HOST

    if not edits:
        run.emit_nothing(Text(text="nothing to change", payload={"paths": []}))
        return
    for edit in edits:
        run.say(unified(replace(edit, path=edit.path.removeprefix(HOST))))
    if yes or typer.confirm("write this?", default=False, err=True):
        run.emit(carry_skill(context, edits))


def _ask_for_consent(run: Run, context: Context) -> None:
    """Ask, once for a workspace, on a terminal; elsewhere only say what is still to be done."""
    from memsuggest.cli.consent_dialog import ask_for_consent
    from memsuggest.engines.receiver import CHAT
    from memsuggest.workflows.ask.engine_choice import receiver_of
    from memsuggest.workflows.ask.grant_consent import grant_consent
    from memsuggest.workflows.ask.next_packet import has_consent

    if has_consent(context):
        return
    receiver = receiver_of(context, CHAT)
    if is_interactive() and not run.quiet and ask_for_consent(context, receiver):
        grant_consent(context, receiver)
        run.say("agreed; `memsuggest consent revoke --endpoint chat` takes it back")
    else:
        run.say("note: assistants are told nothing before you ran `memsuggest consent grant --engine chat`, once in")
        run.say("      each workspace")
