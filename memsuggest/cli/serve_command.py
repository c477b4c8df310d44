"""The command `serve`, which answers over HTTP on this machine."""

from __future__ import annotations

from typing import Annotated

import typer

from memsuggest.cli.run import Commands, Run

PORT = 8765


command = Commands()


@command("serve")
def _serve(
    run: Run,
    admin: Annotated[
        bool, typer.Option("--admin", help="The admin API: look at apps' memories, and delete them.")
    ] = False,
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port on this machine; 0 for any free one.")] = PORT,
    show_token: Annotated[bool, typer.Option("--show-token", help="Print the token, too.")] = False,
    new_token: Annotated[
        bool, typer.Option("--new-token", help="Make a new token; the old one holds no more.")
    ] = False,
) -> None:
    """Serve the admin API on this machine until it is interrupted; only who has the token is answered."""
    import sys

    from memsuggest.cli.runtime import this_machine
    from memsuggest.reports.plain import Text
    from memsuggest.workflows.memory.admin import open_admin
    from memsuggest.workspace import find_folders

    if not admin:
        raise typer.BadParameter("say what to serve: `--admin`", param_hint="--admin")
    machine = this_machine()
    server = open_admin(find_folders(machine.environ), port=port, now=machine.now, is_new_token=new_token)
    docs, told = f"{server.url}/docs", server.token if show_token else None
    lines = [f"admin API at {server.url}, described at {docs}; Ctrl-C stops it", f"token in {server.token_path}"]
    lines += [f"token {told}"] if told else []
    path = str(server.token_path)
    report = Text(text="\n".join(lines), payload={"url": server.url, "docs": docs, "tokenPath": path, "token": told})

    def begun() -> None:
        run.emit(report)
        sys.stdout.flush()

    server.serve(begun)
    run.say("stopped")
