"""Makes docs/json.md: every JSON report with its keys and an example. Run: `python docs/json_md.py`.

The keys come from the shapes in the code; a test holds the page to them, and each example to its schema.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memsuggest.core.json_shape import about, definitions_of, name_of
from memsuggest.facts.codec import file_schema
from memsuggest.setup.json_schemas import FILE, REPORTS, find_schema

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

PAGE = Path(__file__).with_name("json.md")
INTRODUCTION = """# JSON for programs

Every command prints its report as JSON with `--format json`, before or after its name: one document on stdout, talk on
stderr. `memsuggest schema COMMAND` prints the JSON Schema (2020-12) of a report, `memsuggest schema` lists them,
`memsuggest schema --format json` has all of them in one document.

What you can rely on:

- `version` is 1. What is here keeps its name and its meaning under that number; new keys may come, so leave alone what
  you do not know.
- Keys that are listed are always there (but for those that say “may be missing”); what is not known is null or empty.
- It is ASCII: letters beyond that, and whatever could command a terminal, are escaped.
- A command that fails prints nothing on stdout, one line `error: …` and one `hint: …` on stderr, and ends with 1 (2:
  wrong usage). `reconcile --check`, `list --check`, `memory clean` and `doctor` end with 3 when they found something,
  after their report.
- Nothing asks inside JSON: what would, wants `--yes`.
- Two commands print a document a line: `watch`, one for each notice, and `redact --format jsonl`.

This page is made by `python docs/json_md.py`. The examples are of `memsuggest demo`; lists are cut after their
first entry, and long texts at their end.
"""

STEPS = """
watch --once --mode eager
reconcile --again
list
show {suggestion}
suggest --content "Use pnpm, not npm."
targets --for src/api/orders.ts
transcripts
notes
held .github/instructions/python.instructions.md
report
extract {chat}
redact < Ask ada@example.org about it.
comment --base HEAD --all
remember "Keep prices in cents."
recall "how are prices stored"
memory list
memory show {fact}
memory repair
memory add "The tax rates come from the finance team's sheet."
memory forget {entry} --yes
memory export
memory clean --check
memory clean --dry-run
memory merge-driver install
memory merge-driver uninstall
apply {suggestion} --yes
undo
move {suggestion} "AGENTS.md#Pull requests"
dismiss {suggestion}
status
consent show --engine chat
consent grant --engine chat --yes
graphiti on --endpoint http://127.0.0.1:8000 --yes
graphiti promote "Releases are cut on Thursdays." --kind decision
graphiti retry
graphiti off
ask
answer {packet} < {"facts": [], "injections": []}
usage
memory learn {chat}
memory context claude-code
memory purge claude-code --yes
setup --no-hooks --yes
hooks install --for claude-code --yes
hooks show
mcp install --for claude-code --yes
mcp show
trust {chat}
config show
config get mode
config set mode eager
config unset mode
doctor
"""
"""The commands whose reports are shown, in this order, with their input; those of others have the same shapes."""
LONGEST = 240
"""Characters of a text in an example."""


def main() -> None:
    """Write the page; an example that is another in its ids alone stays as it is."""
    known = examples_in(PAGE.read_text(encoding="utf-8"))
    with tempfile.TemporaryDirectory() as folder:
        made = dict(examples(Path(folder)))
    kept = {command: known[command] for command in made if _plain(made[command]) == _plain(known.get(command, ""))}
    PAGE.write_text(page(made | kept), encoding="utf-8")
    print(f"wrote {PAGE}")  # noqa: T201


def examples_in(text: str) -> dict[str, str]:
    """Return the examples of a page, by command."""
    form = r"^### ([^\n]+)\n(?:(?!^### ).)*?^```json\n(.*?)\n```$"
    return dict(re.findall(form, text, flags=re.DOTALL | re.MULTILINE))


def _plain(example: str) -> str:
    """Return an example without what is made up anew each time."""
    return re.sub(r"[0-9a-f]{7,}", "0", example)


def page(examples: dict[str, str]) -> str:
    """Return the whole page; without an example where there is none."""
    shapes = list(dict.fromkeys(shape for found in REPORTS.values() for shape in found))
    parts = [INTRODUCTION, "\n## Reports\n\n", *map(_contents, REPORTS)]
    parts.append(f"- [`{FILE}`](#{_anchor(FILE)})\n")
    shown: dict[tuple[type, ...], str] = {}
    for command, found in REPORTS.items():
        parts.append(f"\n### {command}\n")
        if found in shown:
            parts.append(f"\nThe same as [`{shown[found]}`](#{_anchor(shown[found])}).\n")
            continue
        shown[found] = command
        parts += [_told(shape, find_schema(command)["$defs"][name_of(shape)]) for shape in found]
        if command in examples:
            parts.append(f"\n```json\n{examples[command]}\n```\n")
    parts.append("\n## What stands in them\n")
    reports = {name_of(shape) for shape in shapes}
    for name, schema in definitions_of(*shapes).items():
        if name not in reports:
            parts.append(f"\n### {name}\n\n{schema['description']}\n\n{_table(schema)}")
    return "".join(parts) + _shared_file()


def _contents(command: str) -> str:
    return f"- [`{command}`](#{_anchor(command)})\n"


def _anchor(heading: str) -> str:
    return re.sub(r"[^a-z0-9 -]", "", heading.lower()).replace(" ", "-")


def _told(shape: type, schema: dict[str, Any]) -> str:
    return f"\n{about(shape)}\n\n{_table(schema)}"


def _table(schema: dict[str, Any]) -> str:
    rows = ["| key | holds | |\n|---|---|---|\n"]
    for key, inner in schema["properties"].items():
        note = inner.get("description", "")
        if key not in schema["required"]:
            note = f"{note} May be missing.".strip()
        rows.append(f"| `{key}` | {_kind(inner)} | {note} |\n".replace("|  |", "| |"))
    return "".join(rows)


def _kind(schema: dict[str, Any]) -> str:
    """Return what a schema allows, in a few words."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return f"[{name}](#{_anchor(name)})"
    if "anyOf" in schema:
        return " or ".join(_kind(one) for one in schema["anyOf"])
    if "const" in schema:
        return f"{schema['const']}"
    if "enum" in schema:
        return ", ".join(f"`{value}`" if value is not None else "null" for value in schema["enum"])
    if schema.get("type") == "array":
        return f"list of {_kind(schema['items'])}" if schema["items"] else "list"
    if schema.get("type") == "object" and isinstance(schema.get("additionalProperties"), dict):
        inner = schema["additionalProperties"]
        return f"object, each value {_kind(inner)}" if inner else "object"
    kinds = schema.get("type", "anything")
    return " or ".join([kinds] if isinstance(kinds, str) else kinds)


def _shared_file() -> str:
    schema = file_schema()
    parts = [
        f"\n## {FILE}\n\n`.github/memories/facts.json`: {schema['description']} Keys that are not known are kept.\n"
    ]
    for part, inner in schema["properties"].items():
        if part != "version":
            parts.append(f"\nEach of `{part}`:\n\n{_table(inner['items'])}")
    return "".join(parts)


def examples(folder: Path) -> Iterator[tuple[str, str]]:
    """Run the commands on the bundled example; yield each with its report, cut to what shows its form."""
    example = Example(folder)
    for step in STEPS.strip().split("\n"):
        line, _, stdin = step.partition(" < ")
        words = example.filled(shlex.split(line))
        command = max((name for name in REPORTS if line.startswith(name)), key=len)
        document = example.run(words, stdin=stdin)
        yield command, example.neutral(json.dumps(_cut(document), indent=2))


def _cut(value: Any) -> Any:
    """Return a value with the first entries of its lists alone, and without the ends of long texts."""
    if isinstance(value, list):
        return [_cut(one) for one in value[:1]]
    if isinstance(value, dict) and "$defs" in value:
        return {"type": "object"}
    if isinstance(value, dict):
        return {key: _cut(one) for key, one in value.items()}
    return f"{value[:LONGEST]}…" if isinstance(value, str) and len(value) > LONGEST else value


class Example:
    """The bundled example in a folder of its own."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._packet = ""
        ours = {name: value for name, value in os.environ.items() if not name.startswith("MEMSUGGEST_")}
        self._environ = ours | {"MEMSUGGEST_CACHE_DIR": str(folder), "NO_COLOR": "1"}

    def run(self, words: list[str], *, stdin: str = "") -> Any:
        """Return the report of a command."""
        command = [sys.executable, "-m", "memsuggest", "demo", *words, "--format", "json"]
        done = subprocess.run(command, env=self._environ, input=stdin, capture_output=True, text=True, check=False)
        if not done.stdout:
            raise SystemExit(f"{words}: {done.stderr}")
        document = json.loads(done.stdout)
        self._packet = document["id"] if words == ["ask"] else self._packet
        return document

    def filled(self, words: list[str]) -> list[str]:
        """Return a command line with the ids and paths of this copy."""
        names: dict[str, Callable[[], str]] = {
            "{suggestion}": lambda: self.run(["list"])["suggestions"][0]["id"],
            "{fact}": lambda: self.run(["facts", "list"])["facts"][0]["id"],
            "{entry}": lambda: self.run(["memory", "browse", "finance"])["entries"][0]["id"],
            "{chat}": lambda: self.run(["transcripts"])["transcripts"][0]["path"],
            "{packet}": lambda: self._packet,
        }
        return [names[word]() if word in names else word for word in words]

    def neutral(self, text: str) -> str:
        """Return a text without this machine's folders and today's times."""
        root = str(self._folder / "demo")
        text = text.replace(re.sub(r"[^A-Za-z0-9]", "-", f"{root}/repo"), "-home-ada-shop")
        text = text.replace(f"{root}/repo", "/home/ada/shop").replace(f"{root}/home", "/home/ada")
        today = datetime.now(UTC).strftime("%Y-%m-%d")
        text = re.sub(rf'"{today}T[^"]*"', '"2026-01-31T09:30:00Z"', text)
        text = re.sub(r"(?<![-\w])\d{13}(?!\d)", "1769850000000", text)
        text = text.replace("`memsuggest demo ", "`memsuggest ")
        return text.replace(sys.executable, "/usr/bin/python3").replace(str(Path(sys.executable).parent), "/usr/bin")


if __name__ == "__main__":
    main()
