"""Every line of shell in the README and the docs is run, in the example; or the page says why it is not.

A block that cannot be run has `<!-- not run: the reason -->` in the line above it.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from cli.conftest import Runner
from golden.trial import open_trial

from memsuggest.setup.demo import lay_out

ROOT = Path(__file__).resolve().parent.parent
BLOCK = re.compile(r"(?:<!-- not run: (?P<why>[^>\n]+) -->\n)?^```sh\n(?P<lines>.*?)^```", re.DOTALL | re.MULTILINE)
PAGES = {
    page.name: [(found["why"], found["lines"].splitlines()) for found in BLOCK.finditer(page.read_text("utf-8"))]
    for page in (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")))
}
RUN = {name: [line for why, lines in blocks if not why for line in lines] for name, blocks in PAGES.items()}


@pytest.mark.skipif(sys.platform == "win32", reason="lines of a POSIX shell")
@pytest.mark.parametrize("page", [name for name, lines in RUN.items() if lines])
def test_every_line_of_shell_does_what_it_says(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It ends well, with `--yes` where it asks the person; what is only for a terminal says so."""
    lay_out(tmp_path / "demo")
    open_trial(tmp_path / "demo", monkeypatch)
    monkeypatch.chdir(tmp_path / "demo/repo")
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    assert Runner().run(["reconcile"], "")[0] == 0
    assert Runner().run(["apply", _pending(), "--yes"], "")[0] == 0  # there is something to undo
    for line in RUN[page]:
        code, said = _run(line)
        if code == 1 and "--yes" in said:
            code, said = _run(f"{line.partition('#')[0]} --yes")
        assert code == 0 or (code == 1 and "terminal" in said), (line, said)


def _run(line: str) -> tuple[int, str]:
    words = shlex.split(line, comments=True)
    if words[:1] == ["memsuggest"] and words[1] != "demo":
        code, out, err = Runner().run([_named(word) for word in words[1:]], "")
        return code, out + err
    line = line.replace(" ID ", f" {_pending(demo=True)} ") if " ID " in line else line
    done = subprocess.run(["bash", "-ec", line], input="", capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def _named(word: str) -> str:
    return _pending() if word == "ID" else word


def _pending(*, demo: bool = False) -> str:
    words = ["list", "--format", "json"]
    if demo:
        out = subprocess.run(["memsuggest", "demo", *words], capture_output=True, text=True, check=True).stdout
    else:
        _, out, _ = Runner().run(words, "")
    return str(next(one["id"] for one in json.loads(out)["suggestions"] if not one["executable"]))
