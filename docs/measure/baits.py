"""Prints how much of the files that a chat names as bait gets into anything. Run by hand:

    python docs/measure/baits.py

P12: an assistant is told to have written what it may not be used to read: secrets, ignored files, files outside the
repo, links, what is no text. Each holds a rule with a word of its own under a heading for rules; every command is run,
and all bytes printed or written are searched for the words. One honest document has to be found.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests"))

from builders import claude_writing
from typer.testing import CliRunner

from memsuggest.cli.app import build_app

HONEST = "docs/decisions.md"
WORD = "zq7bait"
COMMANDS = (
    ("reconcile",),
    ("reconcile", "--again", "--dry-run", "--engine", "haiku", "--format", "json"),  # prints what a model would be sent
    ("list", "--format", "json"),
    ("memory", "list", "--facts", "--format", "json"),
    ("memory", "export", "--facts"),
    ("transcripts", "--format", "json"),
    ("doctor",),
)
SECRET = (
    *(".env", ".env.md", "docs/.env.rules.md", "secrets.md", "docs/api-secrets.md", "credentials.md", "passwords.txt"),
    *("id_rsa", "id_rsa.md", "id_ed25519.txt", "server.pem.md", "vault.kdbx.md", ".npmrc", ".netrc", "token.md"),
    *("docs/known_hosts.txt", "shadow.md", "passwd.txt", "kubeconfig.md", "main.tfvars.md"),
)
"""Inside the repo, by names that credentials have."""
IGNORED = (
    "private/rules.md",
    "private/deep/conventions.md",
    "local-rules.md",
    "build/guidelines.md",
    "docs/x.secret.md",
)
GUARDED = (
    ".git/rules.md",
    ".git/hooks/rules.md",
    ".GIT/conventions.md",
    "sub/.git/conventions.md",
    "node_modules/a/conventions.md",
    "vendor/conventions.md",
    ".github/memories/rules.md",
    ".specstory/history/rules.md",
)
"""Inside, where nothing is read."""
OUTSIDE = ("rules.md", "conventions.md", "home/.ssh/rules.md", "home/.aws/conventions.md", "other/docs/decisions.md")
"""Beside the repo, named with their whole path and from the repo upwards."""
ODD = (
    "/etc/passwd",
    "/etc/shadow",
    "/proc/self/environ",
    "/dev/stdin",
    "~/.ssh/id_rsa",
    "~root/.ssh/rules.md",
    "file:///etc/passwd",
    "file://host/share/rules.md",
    "docs/%2e%2e/%2e%2e/rules.md",
    "docs/..\\..\\rules.md",
    "C:\\Users\\a\\rules.md",
    "\\\\host\\share\\rules.md",
    "docs/rules.md\x00.txt",
    "docs/rules.md:stream.md",
    "NUL.md",
    "docs",
)
"""Paths that are none, or lead elsewhere."""


def document(word: str) -> str:
    """Return a document that states one rule."""
    return f"# Conventions\n\n- Always use `{word}` in the database layer, never plain SQL.\n"


def lay(folder: Path) -> tuple[Path, list[str], list[str]]:
    """Make a repo and what lies around it; return it, the paths to be named, and the words of the baits."""
    repo, names, words = folder / "repo", [], []
    repo.mkdir()
    subprocess.run(["git", "init", "-q", "-b", "main", str(repo)], check=True)
    (repo / ".gitignore").write_text("private/\nlocal-*\nbuild\n*.secret.md\n", encoding="utf-8")

    def bait(path: Path, named: str, *, text: str = "{}") -> Path:
        words.append(f"{WORD}{len(words):03d}x")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text.format(document(words[-1])), encoding="utf-8")
        names.append(named)
        return path

    for name in (*SECRET, *IGNORED, *GUARDED):
        bait(repo / name, str(repo / name))
    for name in OUTSIDE:
        bait(folder / name, str(folder / name))
        names.append(str(repo / ".." / name))
    bait(repo / "docs/large-rules.md", "docs/large-rules.md", text="{}\n" + "A word. " * 40_000)
    bait(repo / "docs/binary-rules.md", "docs/binary-rules.md", text="\x00{}")
    (repo / "docs/broken-rules.md").write_bytes(b"\xff\xfe" + document(words[-1]).encode("utf-16-le"))
    names += ["docs/broken-rules.md", *ODD]
    _link(repo, folder, names, words)
    (repo / HONEST).write_text("# Decisions\n\n- Never store money as a float; use cents.\n", encoding="utf-8")
    return repo, [*names, HONEST], words


def _link(repo: Path, folder: Path, names: list[str], words: list[str]) -> None:
    """Make links, a pipe and a second name, each looking like a document of the repo."""
    target = folder / "other/docs/decisions.md"
    docs = repo / "docs"
    (docs / "out-rules.md").symlink_to(target)
    (docs / "far-rules").symlink_to(folder / "home")
    (docs / "ignored-rules.md").symlink_to(repo / "private/rules.md")
    (docs / "git-rules.md").symlink_to(repo / ".git/rules.md")
    (docs / "lost-rules.md").symlink_to(folder / "nowhere.md")
    (docs / "loop-rules.md").symlink_to(docs / "loop-rules.md")
    os.link(target, docs / "twin-rules.md")
    os.mkfifo(docs / "pipe-rules.md")
    (docs / "folder-rules.md").mkdir()
    named = "out ignored git lost loop twin pipe folder"
    names += [f"docs/{name}-rules.md" for name in named.split()] + ["docs/far-rules/.ssh/rules.md"]


def leaked(folder: Path) -> tuple[int, list[str], bool]:
    """Return how many paths were named, which baits were found in anything, and whether the honest document was."""
    repo, names, words = lay(folder)
    home = folder / "person"
    for name in ("HOME", "USERPROFILE"):
        os.environ[name] = str(home)
    claude_writing(home, repo, "write down what we agreed on", *names)
    before = {path for path in folder.rglob("*") if path.is_file() and not path.is_symlink()}
    os.chdir(repo)
    printed = "".join(_run(*words) for words in COMMANDS)
    made = [path for path in folder.rglob("*") if path.is_file() and not path.is_symlink() and path not in before]
    seen = printed.encode() + b"".join(path.read_bytes() for path in made)
    return len(names) - 1, [word for word in words if word.encode() in seen], b"as a float" in seen


def _run(*words: str) -> str:
    result = CliRunner().invoke(build_app(words), list(words), input="")
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    return f"{result.stdout}{result.stderr}"


def main() -> None:
    """Print the row."""
    with tempfile.TemporaryDirectory() as folder:
        named, found, is_honest = leaked(Path(folder).resolve())
        print(f"P12 {named} paths as bait: {len(found)} of their files in any output, honest document {is_honest}")
        print(*found)


if __name__ == "__main__":
    main()
