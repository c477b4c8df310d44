"""Lines about files that are gone are found, and none that only look like it."""

from __future__ import annotations

import pytest
from cases import cases

from memsuggest.customizations.discovery import target_from
from memsuggest.customizations.staleness.stale_lines import known_paths, stale_lines

KNOWN = known_paths(["src/api/users.py", "web/src/ui/Button.tsx", "docs/guide.md", "scripts/run.sh"])

GONE = [
    pytest.param("- see `src/api/orders.py`", ("src/api/orders.py",), id="file"),
    pytest.param("- models live in `src/models/`", ("src/models/",), id="folder"),
    pytest.param("- read [the guide](docs/old.md#part)", ("docs/old.md",), id="link"),
    pytest.param("- `src/api/orders.py` - the orders, as told", ("src/api/orders.py",), id="what a file is"),
    pytest.param("1. `scripts/old.sh` and `src/x/y.py`", ("scripts/old.sh", "src/x/y.py"), id="several"),
]

KEPT = [
    "- see `src/api/users.py`",
    "- see `SRC/API/Users.py`",
    "- see `src/api/users.py:12`",
    "- `src/ui/Button.tsx` is in a package",
    "- `src/api/` is a folder",
    "- `src/api/orders.py` and `src/api/users.py`",
    "- write the result to `src/api/orders.py`",
    "- if `src/api/orders.py` exists, read it",
    "- output goes to `dist/app/index.js`",
    "- `other/place/file.py` is not ours",
    "- `src/api/<name>.py` is a pattern",
    "- decisions stand in `docs/NNNN-title.md`",
    "- one file each: `src/pages/PAGE.tsx`, `src/hooks/useThing.ts`",
    "- all endpoints live under `src/v2/`",
    "- migrations are named `src/0042_add_column.sql`",
    "- import `./web/src/ui/Button.jsx` with its ending",
    "- read `docs/handbook.md` in the backend repository",
    "- nothing may import `src/api/orders.py` again",
    "- nobody may bring `src/api/orders.py` back",
    "- we got rid of `src/api/orders.py`, it leaked",
    "- `src/api/orders.py` can't be there",
    "- Lege `src/api/orders.py` niemals wieder an.",
    "- N'importe jamais `src/api/orders.py`.",
    "- Nunca importes `src/api/orders.py`.",
    "- `src/**/*.py` are patterns",
    "- `src/foo/bar.py` is made up",
    "- `src/.../Deep.java` is cut",
    "- https://x.test/src/api/orders.py",
    "Text about `src/api/orders.py`.",
    "1. see `src/api/orders.py`\n2. then rest",
    "- Follow `src/api/orders.py`: name things after the table",
    "- `src/api/orders.py` and all of `src/api/*.py`",
    "```\n- see `src/api/orders.py`\n```",
    "<!-- BEGIN x -->\n- see `src/api/orders.py`\n<!-- END x -->",
]


@cases(("line", "gone"), GONE)
def test_gone(line: str, gone: tuple[str, ...]) -> None:
    """An item all of whose files are gone is found, and the edit takes away that item alone."""
    text = f"# A\n\n- first\n{line}\n- last\n"
    (found,) = stale_lines(target_from("AGENTS.md", text), KNOWN)
    assert (found.line, tuple(one.name for one in found.gone)) == (3, gone)
    assert found.after == text.replace(line + "\n", "")


@cases("line", KEPT)
def test_kept(line: str) -> None:
    """Files that are there, will be, or were never meant as such, are left alone."""
    assert stale_lines(target_from("AGENTS.md", f"# A\n\n{line}\n"), KNOWN) == ()


def test_only_what_is_ours() -> None:
    """Own files, skills and repositories without an index are not looked at."""
    text = "- see `src/api/orders.py`\n"
    assert stale_lines(target_from("~/.claude/CLAUDE.md", text), KNOWN) == ()
    assert stale_lines(target_from(".github/skills/a/SKILL.md", text), KNOWN) == ()
    assert stale_lines(target_from("AGENTS.md", text), known_paths([])) == ()


def test_relative_to_the_file() -> None:
    """A path may also begin at the folder of the file that cites it."""
    assert stale_lines(target_from("web/AGENTS.md", "- see `src/ui/Button.tsx`\n- see `./src/ui/`\n"), KNOWN) == ()


def test_a_repository_within() -> None:
    """Of what lies in a repository within this one, git's index tells only the folder."""
    known = known_paths(["lib/core", "lib/own/a.py"])
    text = "- see `lib/core/src/main.py`\n- see `lib/other/b.py`\n"
    assert [[one.name for one in line.gone] for line in stale_lines(target_from("AGENTS.md", text), known)] == [
        ["lib/other/b.py"]
    ]


def test_what_may_have_moved() -> None:
    """A file of a telling name elsewhere, and a folder in a file's place, are no proof that it is gone."""
    known = known_paths(["src/new/order-list.py", "src/new/index.py", "src/core/orders.py"])
    text = "- See `src/order-list.py`\n- See `src/index.py`\n- See `src/core.py`\n"
    assert [[one.name for one in line.gone] for line in stale_lines(target_from("AGENTS.md", text), known)] == [
        ["src/index.py"]
    ]


ASIDES = [
    ("- Amounts are cents everywhere, see `src/api/orders.py`.\n", "- Amounts are cents everywhere.\n"),
    ("- Amounts are cents everywhere (see `src/api/orders.py`).\n", "- Amounts are cents everywhere.\n"),
    ("- The build needs Node 20 [old](docs/old.md).\n", "- The build needs Node 20.\n"),
    ("- Read more of it in [the guide](docs/old.md).\n", ""),
]


@cases(("line", "rest"), ASIDES)
def test_an_aside(line: str, rest: str) -> None:
    """A rule that only mentions what is gone loses the mention; one that is about it goes."""
    (found,) = stale_lines(target_from("AGENTS.md", f"# A\n\n{line}"), KNOWN)
    assert found.after == f"# A\n\n{rest}"


SHELL = [
    ("bash scripts/old.sh\nls\n", "ls\n"),
    ("$ bash scripts/old.sh\n$ ls\n", "$ ls\n"),
    ("$ bash scripts/old.sh\nDone in 3 s.\n", None),
    ("for x in a b; do\n  bash scripts/old.sh\ndone\n", None),
    ("if [ -f x ]; then\nbash scripts/old.sh\nfi\n", None),
    ("bash scripts/old.sh \\\n  --flag\nls\n", None),
    ("ls &&\nbash scripts/old.sh\n", None),
]


@cases(("text", "rest"), SHELL)
def test_a_command_line(text: str, rest: str | None) -> None:
    """A line of a shell goes where it stands alone: not out of a loop, nor away from what it printed."""
    found = stale_lines(target_from("AGENTS.md", f"# A\n\n```sh\n{text}```\n"), KNOWN)
    afters = [stale.after for stale in found]
    assert afters == ([] if rest is None else [f"# A\n\n```sh\n{rest}```\n"])
