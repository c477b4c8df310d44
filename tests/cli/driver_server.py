"""The merge driver without its start: a command for git that hands its files to this process, where it is the same.

For many rounds in real git, which would otherwise be spent starting Python. A few rounds with the real command are
tests of their own.
"""

from __future__ import annotations

import json
import shlex
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from typer.testing import CliRunner

from memsuggest.cli.app import build_app

CLIENT = (
    "import json,socket,sys;s=socket.socket(socket.AF_UNIX);s.connect(sys.argv[1]);"
    "s.sendall(json.dumps(sys.argv[2:]).encode());s.shutdown(1);"
    "sys.exit(int(s.makefile().read()))"
)


@contextmanager
def served_driver(repo: Path) -> Iterator[list[int]]:
    """Have git's merges of the shared file done here; yield the exit codes, as they come."""
    codes: list[int] = []
    with tempfile.TemporaryDirectory() as folder, socket.socket(socket.AF_UNIX) as server:
        place = f"{folder}/s"
        server.bind(place)
        server.listen()
        thread = threading.Thread(target=_serve, args=(server, codes))
        thread.start()
        command = f"{shlex.quote(sys.executable)} -I -S -c {shlex.quote(CLIENT)} {place} %O %A %B"
        subprocess.run(["git", "-C", str(repo), "config", "merge.memsuggest.driver", command], check=True)
        try:
            yield codes
        finally:
            with socket.socket(socket.AF_UNIX) as last:
                last.connect(place)  # says nothing: the end
            thread.join()


def _serve(server: socket.socket, codes: list[int]) -> None:
    while True:
        connection, _ = server.accept()
        with connection, connection.makefile("rb") as asked:
            data = asked.read()
            if not data:
                return
            words = ["memory", "merge", *json.loads(data)]
            codes.append(CliRunner().invoke(build_app(words), words).exit_code)
            connection.sendall(str(codes[-1]).encode())


def without_housekeeping() -> dict[str, str]:
    """Environment in which git starts no process beside the one that is asked for."""
    values = {"gc.auto": "0", "maintenance.auto": "false"}
    found = {"GIT_CONFIG_COUNT": str(len(values))}
    for number, (key, value) in enumerate(values.items()):
        found |= {f"GIT_CONFIG_KEY_{number}": key, f"GIT_CONFIG_VALUE_{number}": value}
    return found
