"""The command `setup`: one screen, single keys, and flags that answer it for scripts."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import Annotated

import typer

from memsuggest.cli.run import Commands, Run
from memsuggest.setup.plan import BRIDGE, HOOKS, KEYS, MCP, SetUp

YesOption = Annotated[bool, typer.Option("--yes", "-y", help="Write the selected parts without asking.")]
AssistantsOption = Annotated[
    list[str] | None,
    typer.Option(
        "--for",
        metavar="ASSISTANT",
        help="Set up only this assistant: claude-code, codex, copilot-cli, vscode, gemini or cursor. Repeatable.",
        show_default="all assistants found",
    ),
]
HooksOption = Annotated[bool | None, typer.Option("--hooks/--no-hooks", help="Install assistant hooks.")]
McpOption = Annotated[bool | None, typer.Option("--mcp/--no-mcp", help="Offer memory to assistants as an MCP tool.")]
BridgeOption = Annotated[
    bool | None, typer.Option("--bridge/--no-bridge", help="Make assistants read each other's files.")
]
EngineOption = Annotated[
    str | None,
    typer.Option(
        "--engine", metavar="ENGINE", help="The engine that judges chats: claude, codex, copilot, haiku or local."
    ),
]

command = Commands()


@command("setup")
def _setup(  # noqa: PLR0913, PLR0917  (a command's options)
    run: Run,
    yes: YesOption = False,
    assistants: AssistantsOption = None,
    hooks: HooksOption = None,
    mcp: McpOption = None,
    bridge: BridgeOption = None,
    engine: EngineOption = None,
) -> None:
    """Find your assistants and set them up: hooks, memory as a tool, one file that all of them read, and an engine.

    Shows every change as a diff first; personal settings stay in your own files. `undo` reverts the whole setup.
    """
    from memsuggest.cli.dialog import is_interactive
    from memsuggest.setup.plan import carry_setup, plan_setup

    can_ask = is_interactive() and not yes and run.format in (None, "text")
    context = run.context()
    plan = plan_setup(
        context,
        assistants=assistants or (),
        wanted={HOOKS: hooks, MCP: mcp, BRIDGE: bridge},
        engine=engine,
        looks_at_engines=can_ask and not run.offline,
    )
    if engine and not any(part.offer and part.chosen for part in plan.parts):
        from memsuggest.core.errors import ConfigError

        raise ConfigError(f"`{engine}` is not available here", hint="run `memsuggest doctor` to see what is missing")
    if can_ask:
        chosen = _asked(run, plan)
        if chosen is None:
            run.say("nothing was written")
            return
        plan = chosen
    elif yes:
        _show_diffs(run, plan)
    else:
        run.emit(plan)
        if plan.offered:
            run.say("nothing was written: `memsuggest setup --yes` writes the parts marked [x]")
        return
    run.emit(carry_setup(context, plan))


def _asked(run: Run, plan: SetUp) -> SetUp | None:
    from memsuggest.cli.keys import END, ask, single_keys

    remark, shown = "", None
    with single_keys() as keys:
        while True:
            if remark:
                run.say(remark)
            else:
                run.emit(plan)
            remark = ""
            if not plan.offered:
                return None
            typer.echo()
            last = KEYS[len(plan.offered) - 1]
            switch = f"1-{last}" if last != "1" else "1"
            key = ask(keys, f"[{switch}] on or off [d]iff [y] write selected [q]uit > ").lower()
            typer.echo()
            if key == "y" and (shown is plan or not plan.edits):
                return plan
            if key == "y":
                _show_diffs(run, plan)
                if ask(keys, "write these changes? [y/N] ").lower() == "y":
                    return plan
                remark = "nothing has been written yet"
                continue
            if key in {"q", END}:
                return None
            if key == "d":
                _show_diffs(run, plan)
                shown, remark = plan, "`y` writes these changes"
            elif key in KEYS[: len(plan.offered)]:
                plan = plan.switched(plan.offered[KEYS.index(key)])
            else:
                remark = f"`{key}` does nothing here" if key.isprintable() else "that key has no effect here"


def _show_diffs(run: Run, plan: SetUp) -> None:
    """Show what the marked parts write, and where an engine's questions go."""
    from memsuggest.customizations.diff import unified
    from memsuggest.suggestions.target_paths import HOST

    for edit in plan.edits:
        run.say(unified(replace(edit, path=edit.path.removeprefix(HOST))))
    for part in plan.offered:
        if part.chosen and part.offer:
            run.say(f"{part.offer.command}: {part.offer.who}; {part.offer.costs}\n")
    sys.stderr.flush()
