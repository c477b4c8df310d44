"""The recipes of `docs/extending.md` work: each is run on the toy that it shows."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from types import ModuleType
from typing import Any, cast

import pytest

from memsuggest.core.errors import TranscriptError
from memsuggest.customizations import kinds
from memsuggest.customizations.frontmatter import parse
from memsuggest.judging.engines import programs
from memsuggest.judging.engines.running import Asked, Program
from memsuggest.pull_requests.comment_text import PullRequestReport
from memsuggest.transcripts import reading

PAGE = (Path(__file__).resolve().parent.parent / "docs/extending.md").read_text(encoding="utf-8")
RECIPES = dict(re.findall(r"<!-- recipe: (\w+) -->\n```\w+\n(.*?)```", PAGE, re.DOTALL))


def made(name: str) -> Any:
    """Return the module that a recipe shows."""
    module = ModuleType(f"recipe_{name}")
    sys.modules[module.__name__] = module
    exec(compile(RECIPES[name], f"docs/extending.md: {name}", "exec"), module.__dict__)
    return module


def test_every_recipe_is_run() -> None:
    """A recipe without a test here would rot."""
    tested = {name.removeprefix("test_a_").removeprefix("test_an_") for name in globals() if name.startswith("test_a")}
    assert set(RECIPES) <= tested


def test_a_format(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A row in the table, and the format is read, sealed and told apart."""
    path = tmp_path / "chat.toy"
    path.write_text("TOY CHAT\nme> Use tabs in Makefiles.\nit> Done.\nme> thanks\n", encoding="utf-8")
    with pytest.raises(TranscriptError):
        reading.read_transcript(path)
    toy = made("format")
    monkeypatch.setitem(reading.READERS, toy.NAME, toy)
    transcript = reading.read_transcript(path)
    assert transcript.format == "toy"
    assert [turn.typed for turn in transcript.turns if turn.typed] == ["Use tabs in Makefiles.", "thanks"]


def test_a_kind(monkeypatch: pytest.MonkeyPatch) -> None:
    """A row in the table, and a file is known by its name, with its patterns."""
    kind = made("kind").KIND
    monkeypatch.setattr(kinds, "KINDS", (*kinds.KINDS, kind))
    assert kind.is_named("style.toy.md")
    assert kind.applies_to(parse('---\nfor: "src/**"\n---\nBe brief.\n'), "") == "src/**"


def test_a_feature() -> None:
    """A phrase of the table of cues is a feature of the sentences that have it."""
    made("feature")


def test_an_output() -> None:
    """A function from a report to text."""
    assert made("output").render(PullRequestReport(base="main", proposals=())) == ""


def test_a_notices(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A plugin that shows a notice elsewhere gets its line."""
    shown = tmp_path / "shown"
    script = tmp_path / "notify-send"
    script.write_text(f'#!/bin/sh\necho "$2" > {shown}\n', encoding="utf-8")
    script.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    made("notices").show("5 suggestions")
    assert shown.read_text(encoding="utf-8") == "5 suggestions\n"


def test_an_entry_points(tmp_path: Path) -> None:
    """What other packages name in the groups of our seams stands in our tables, without a line of ours."""
    groups = tomllib.loads(RECIPES["entry_points"])["project"]["entry-points"]
    named = {group: point for group, points in groups.items() for point in points.values()}
    recipes = {f"toy_{name}": RECIPES[name] for name in ("format", "kind", "output", "engine", "notices")}
    for module, code in recipes.items():
        (tmp_path / f"{module}.py").write_text(code, encoding="utf-8")
    info = tmp_path / "toy-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: toy\nVersion: 1\n", encoding="utf-8")
    lines = [f"[{group}]\ntoy = {point}\n" for group, point in named.items()]
    (info / "entry_points.txt").write_text("".join(lines), encoding="utf-8")
    code = (
        "from memsuggest.core.config import SETTINGS, parse_value\n"
        "from memsuggest.core.extensions import extensions\n"
        "from memsuggest.customizations.kinds import KINDS\n"
        "from memsuggest.judging.engines.programs import PROGRAMS\n"
        "from memsuggest.pull_requests.commands import FORMATS\n"
        "from memsuggest.transcripts.formats.table import READERS\n"
        "print(next(iter(READERS)), KINDS[-1].name, FORMATS[-1], list(PROGRAMS)[-1],"
        " parse_value(SETTINGS['engine'], 'toy', source=''), len(extensions('notices')))"
    )
    environ = {**os.environ, "PYTHONPATH": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", code], env=environ, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["toy", "toy-rules", "toy", "toy", "toy", "1"]


def test_an_engine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A row in the table, and a real program of that name is found, looked at and asked."""
    toy = cast("Program", made("engine"))
    monkeypatch.setitem(programs.PROGRAMS, "toy", toy)
    script = tmp_path / "toy"
    answer = json.dumps({"answer": json.dumps({"facts": []})})
    script.write_text(
        f"#!/bin/sh\ncase $1 in --version) echo toy 1.2.3;; --help) echo --json;; *) echo '{answer}';; esac\n"
    )
    script.chmod(0o755)
    environ = {"PATH": f"{tmp_path}:/usr/bin:/bin"}
    path = programs.path_of(toy, environ=environ, root=tmp_path / "repo")
    assert path == script
    seen = programs.look_at(toy, script, environ=environ)
    assert (seen.version, seen.why_not) == ("1.2.3", "")
    asked = Asked(system="Find rules.", packet="{}", schema={"type": "object"})
    assert "Find rules." in toy.call(asked, model="", files=tmp_path).stdin
