"""A run of a program ends, whatever the program does, and leaves nothing behind."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from pathlib import Path

import pytest
from cases import cases
from program_kit import is_running

from memsuggest.core.errors import ModelError
from memsuggest.judging.engines.running import Done, run


def python(code: str, folder: Path, *, stdin: str = "", seconds: float = 10.0) -> Done:
    return run((sys.executable, "-c", code), stdin=stdin, folder=folder, environ=dict(os.environ), seconds=seconds)


def outcome(code: str, folder: Path, *, seconds: float = 10.0) -> str:
    with pytest.raises(ModelError) as caught:
        python(code, folder, seconds=seconds)
    return caught.value.outcome


def test_what_it_reads_and_prints(tmp_path: Path) -> None:
    """It gets all of its input, and both of its streams and its code are heard."""
    code = "import sys; t = sys.stdin.read(); print(len(t)); print('é', file=sys.stderr); sys.exit(3)"
    assert python(code, tmp_path, stdin="x" * 1_000_000) == Done(code=3, out="1000000\n", err="é\n")


def test_input_that_nobody_reads(tmp_path: Path) -> None:
    """A program that ends without having read what it was given is no failure."""
    assert python("print('done')", tmp_path, stdin="x" * 5_000_000).out == "done\n"


LEAVES = """
import pathlib, subprocess, sys, time
deaf = "import signal, time; signal.signal(15, lambda *_: 0); time.sleep(60)"
helper = subprocess.Popen([sys.executable, "-c", deaf])
pathlib.Path("helper.pid").write_text(str(helper.pid))
"""


@cases(
    ("then", "wanted"),
    [("time.sleep(60)", "program-hangs"), ("sys.stdout.write('x' * 4_000_000)", "too-long"), ("", "")],
    ids=["hanging", "flooding", "ending well"],
)
def test_nothing_that_it_started_goes_on(tmp_path: Path, then: str, wanted: str) -> None:
    """Helpers are ended too, also those that are deaf to a polite word and hold the output open."""
    started = time.monotonic()
    if wanted:
        assert outcome(LEAVES + then, tmp_path, seconds=2.0) == wanted
    else:
        assert python(LEAVES + then, tmp_path).code == 0
    assert time.monotonic() - started < 40  # the helper alone would take a minute
    assert not is_running(int((tmp_path / "helper.pid").read_text()))


def test_killed(tmp_path: Path) -> None:
    """One that somebody killed says by what."""
    with pytest.raises(ModelError, match="SIGKILL") as caught:
        python("import os; os.kill(os.getpid(), 9)", tmp_path)
    assert caught.value.outcome == "program-killed"


def test_no_such_program(tmp_path: Path) -> None:
    """What cannot be started is a failure of the program."""
    (tmp_path / "broken").write_text("#!/nowhere/at/all\n")
    (tmp_path / "broken").chmod(0o755)
    with pytest.raises(ModelError) as caught:
        run((str(tmp_path / "broken"),), stdin="", folder=tmp_path, environ={}, seconds=5)
    assert caught.value.outcome == "program-failed"


def test_ctrl_c_ends_it(tmp_path: Path) -> None:
    """An interruption of ours ends the whole group, though the terminal's signal never reaches it."""
    threading.Timer(1.0, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        python(LEAVES + "time.sleep(60)", tmp_path, seconds=30)
    assert not is_running(int((tmp_path / "helper.pid").read_text()))


def test_it_has_no_terminal(tmp_path: Path) -> None:
    """It belongs to no terminal, so it can write to none."""
    code = "import os\ntry: print(os.open('/dev/tty', os.O_RDWR))\nexcept OSError: print('none')"
    assert python(code, tmp_path).out == "none\n"
