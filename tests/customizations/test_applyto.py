"""`applyTo` covers what the hosts say it covers, and is written so that they all agree."""

from __future__ import annotations

import pytest
from cases import cases
from conftest import conformance_cases
from hypothesis import given
from hypothesis import strategies as st
from processor_time import processor_seconds

from memsuggest.customizations.applyto import (
    infer,
    is_unconditional,
    matching_pattern,
    patterns_of,
    portable,
    why_different,
)

ROOT = "/home/mia/shop"


@cases("case", conformance_cases("applyto"), ids=lambda case: f"{case['applyTo']}|{case['file']}")
def test_host_agrees(case: dict[str, str | None]) -> None:
    """What the host's own engine answers, we answer, for relative and absolute paths."""
    for path in (case["file"], case["fileAbs"]):
        assert matching_pattern(case["applyTo"], path, root="/home/u/proj") == case["matchedPattern"]


VSCODE = [
    # splitting
    ("a.md,b.md", "b.md", "**/b.md"),
    ("{a,b}.md,c.md", "b.md", "**/{a,b}.md"),
    ("[a,b].md", ",.md", "**/[a,b].md"),
    ("a{b{c,d},e},f", "f", "**/f"),
    (r"a\,b", "b", "**/b"),
    ("a.md,", "a.md", "**/a.md"),
    (" , ,a.md", "a.md", "**/a.md"),
    ("\ufeffa.md\u00a0", "a.md", "**/a.md"),
    # unconditional and empty
    ("", "a.md", None),
    (None, "a.md", None),
    ("**", None, "**"),
    ("**/*", None, "**/*"),
    ("*", None, "*"),
    ("**/*.md", None, None),
    ("**/**", None, None),
    ("**/**", "x/a.md", "**/**"),
    # the absolute path
    ("docs/**", "docs/a.md", "**/docs/**"),
    ("docs/**", "x/y/docs/z/a.md", "**/docs/**"),
    ("home/**", "a.md", "**/home/**"),
    ("shop/**", "a.md", "**/shop/**"),
    ("/docs/**", "docs/a.md", None),
    ("/**/*.md", "docs/a.md", "/**/*.md"),
    # wildcards
    ("*.md", "x/.md", "**/*.md"),
    (".*", "x/.env", "**/.*"),
    ("a?.md", "ab.md", "**/a?.md"),
    ("a?.md", "a/.md", None),
    ("[ab].md", "A.md", "**/[ab].md"),
    ("[a-c].md", "d.md", None),
    ("[^a].md", "a.md", None),
    ("[^a].md", "b.md", "**/[^a].md"),
    ("[z-a].md", "b.md", None),
    ("[]].md", "].md", "**/[]].md"),
    ("a].md", "a].md", None),
    ("a}.md", "a.md", "**/a}.md"),
    ("x/[id]/page.tsx", "x/[id]/page.tsx", None),
    ("x/[id]/page.tsx", "x/d/page.tsx", "**/x/[id]/page.tsx"),
    # braces
    ("*.{ts,tsx}", "a.TSX", "**/*.{ts,tsx}"),
    ("*.{ts, tsx}", "a.tsx", None),
    ("*.{ts,{js,jsx}}", "a.js", None),
    ("*.{ts,{js,jsx}}", "a.ts", "**/*.{ts,{js,jsx}}"),
    ("{src/**,lib/**}", "lib/x/a", "**/{src/**,lib/**}"),
    # no other signs
    ("!*.md", "a.md", None),
    ("!*.md", "!a.md", "**/!*.md"),
    (r"docs\**", "docs/a.md", None),
    ("a.md;b.md", "b.md", None),
    ("a.md|b.md", "b.md", None),
    ("a.md b.md", "b.md", None),
    ("'a.md'", "a.md", None),
    ("./a.md", "a.md", None),
    ("../a.md", "a.md", None),
    ("docs/", "docs/a.md", None),
    ("docs", "docs/a.md", None),
    ("docs", "x/docs", "**/docs"),
    # stars within a segment
    ("docs/**", "docs", "**/docs/**"),
    ("docs/**.md", "docs/a.md", "**/docs/**.md"),
    ("docs/**.md", "docs/x/a.md", None),
    ("docs/***", "docs/a.md", "**/docs/***"),
    ("docs/***", "docs/x/a.md", None),
    ("docs/**/**", "docs/a.md", None),
    # characters beyond the first plane are two for the engine
    ("?.md", "😀.md", None),
    ("??.md", "😀.md", "**/??.md"),
    ("ä.md", "Ä.md", "**/ä.md"),
    ("ß.md", "SS.md", None),
]


@cases(("apply_to", "path", "pattern"), VSCODE)
def test_vscode(apply_to: str | None, path: str | None, pattern: str | None) -> None:
    """Each sentence about VS Code's engine holds."""
    assert matching_pattern(apply_to, path, root=ROOT) == pattern


GITHUB = [
    ("*", "a.md", True),
    ("*", "docs/a.md", False),
    ("*", None, False),
    ("**", None, True),
    ("**/*", "x/y/a.md", True),
    ("*.py", "a.py", True),
    ("*.py", "x/a.py", False),
    ("**/*.py", "a.py", True),
    ("**/*.py", "x/y/a.py", True),
    ("src/*.py", "src/a.py", True),
    ("src/*.py", "src/x/a.py", False),
    ("src/*.py", "lib/src/a.py", False),
    ("src/**/*.py", "src/a.py", True),
    ("src/**/*.py", "src/x/y/a.py", True),
    ("src/**/*.py", "lib/src/a.py", False),
    ("**/sub/**/*.py", "sub/a.py", True),
    ("**/sub/**/*.py", "x/sub/y/a.py", True),
    ("**/sub/**/*.py", "x/subs/a.py", False),
    ("src/**", "src/.hidden", True),
    ("**/*.{ts,{js,jsx}}", "a.jsx", True),
    ("**/README.md", "readme.md", False),
    ("a.py, b.py", "b.py", True),
]


@cases(("apply_to", "path", "expected"), GITHUB)
def test_github(apply_to: str, path: str | None, expected: bool) -> None:
    """Each row of GitHub's documentation holds: patterns begin at the root."""
    assert (matching_pattern(apply_to, path, root=ROOT, dialect="github") is not None) is expected


def test_absolute_and_windows_paths() -> None:
    """A path may be absolute, in the spelling of either system, and outside of the root."""
    assert matching_pattern("src/*.ts", f"{ROOT}/src/a.ts", root=ROOT, dialect="github") == "src/*.ts"
    assert matching_pattern("src/*.ts", "/elsewhere/src/a.ts", root=ROOT, dialect="github") is None
    assert matching_pattern("src/*.ts", "C:\\Code\\shop\\src\\a.ts", root="C:\\Code\\shop") == "**/src/*.ts"
    assert matching_pattern("code/shop/**", "src/a.ts", root="c:\\Code\\shop") == "**/code/shop/**"
    assert matching_pattern("src/*.ts", "./src/a.ts", root=ROOT) == "**/src/*.ts"
    assert matching_pattern("*.ts", "a.ts", root="/") == "**/*.ts"


def test_unconditional() -> None:
    """All files, in any of three spellings."""
    assert [is_unconditional(text) for text in ("**", "a, **/*", "*", "**/*.md", "", None)] == [
        True,
        True,
        True,
        False,
        False,
        False,
    ]


@cases(
    ("apply_to", "path", "why"),
    [
        ("*.py", "src/a.py", "without a folder"),
        ("*", "docs/c.md", "`*` matches every file"),
        ("src/**", "pkg/src/b.py", "matches from the root on GitHub"),
        ("./src/*.py", "src/a.py", "`./` never matches"),
        ("shop/**", "src/a.py", "matches from the root on GitHub"),
        ("*.py", "main.py", None),
        ("**/*.py", "src/a.py", None),
        ("**", "src/a.py", None),
        ("", "src/a.py", None),
    ],
)
def test_why_different(apply_to: str, path: str, why: str | None) -> None:
    """A pattern that covers a file in one dialect alone is explained."""
    found = why_different(apply_to, path, ROOT)
    assert len(found) == (why is not None)
    assert why is None or why in found[0]


@cases(
    ("patterns", "written"),
    [
        (["*.ts"], "**/*.ts"),
        (["**/*.ts", "*.tsx"], "**/*.ts,**/*.tsx"),
        (["**/*.{ts,tsx}"], "**/*.ts,**/*.tsx"),
        (["{src,lib}/**"], "src/**,lib/**"),
        (["./src/*.ts"], "src/*.ts"),
        (["/src/"], "src/**"),
        (["*", "src/**"], "**"),
        (["Makefile"], "**/Makefile"),
        (["src/**.ts"], "src/*.ts"),
        (["x/[ab].ts"], "x/[ab].ts"),
        ([" **/*.ts ", "**/*.ts"], "**/*.ts"),
    ],
)
def test_portable(patterns: list[str], written: str) -> None:
    """What is written has no braces, no blanks, no `./`, and a folder in every pattern."""
    assert portable(patterns) == written


@cases("pattern", ["!*.ts", "src\\**", "../x", "a//b", "{a", 'a"b', "a\nb", "", "[a", "[a,b]", "{a,b}" * 9])
def test_not_portable(pattern: str) -> None:
    """What no spelling makes portable is refused."""
    with pytest.raises(ValueError, match="read the same way"):
        portable([pattern])


@given(st.lists(st.text(alphabet="ab*/{,}.?[]", min_size=1, max_size=12), min_size=1, max_size=3))
def test_portable_is_stable(patterns: list[str]) -> None:
    """Written once, it stays as it is, and splits into what was meant."""
    try:
        written = portable(patterns)
    except ValueError:
        return
    assert portable(patterns_of(written)) == written


@cases(
    ("paths", "pattern"),
    [
        (["src/api/users.ts", "src/api/orders/list.ts"], "src/api/**/*.ts"),
        (["web/form.test.ts", "lib/cart.test.ts"], "**/*.test.ts"),
        (["web/form.ts", "web/form.css"], "web/**/*.css,web/**/*.ts"),
        (["svc/a/x_test.go", "svc/b/y_test.go"], "svc/**/*_test.go"),
        (["tests/unit/test_cart.py"], "tests/unit/**/test_*.py"),
        (["package.json"], "**/package.json"),
        (["infra/a/Dockerfile", "infra/b/Dockerfile"], "infra/**/Dockerfile"),
        (["Makefile"], "**/Makefile"),
        (["app/[slug]/page.tsx"], "app/**/*.tsx"),
        (["docs/a.md", "docs/b.rst", "docs/c.txt", "docs/d.adoc"], "docs/**"),
        (["a.py", "x/b.ts", "y/c.go", "z/d.rs"], None),
        (["/etc/hosts", "../up.py", "~/notes.md", "C:/x.py"], None),
        ([], None),
    ],
)
def test_infer(paths: list[str], pattern: str | None) -> None:
    """Cited files give the narrowest pattern that says what they have in common, or none."""
    assert infer(paths) == pattern


@given(st.lists(st.text(alphabet="ab/.[]{}* _-é", min_size=1, max_size=15), min_size=1, max_size=4))
def test_inferred_covers_the_files(paths: list[str]) -> None:
    """Whatever is inferred is portable and covers every file that it came from, in both dialects."""
    pattern = infer(paths)
    if pattern is None:
        return
    assert portable(patterns_of(pattern)) == pattern
    for path in paths:
        if infer([path]) is not None:
            assert matching_pattern(pattern, path, root=ROOT)
            assert matching_pattern(pattern, path, root=ROOT, dialect="github")


@cases(
    "pattern",
    ["**/a/" * 60 + "*b", "*a" * 200, "{a,aa}" * 60 + "c", "**/" + "[ab]" * 300, "?*" * 200 + "/**/x", "{" * 900],
)
def test_no_pattern_is_slow(pattern: str) -> None:
    """Patterns that make a backtracking engine run for ever take no time."""

    def work() -> None:
        matching_pattern(pattern, "a/" * 100 + "a" * 200, root=ROOT)
        matching_pattern(pattern, "a/" * 100 + "a" * 200, root=ROOT, dialect="github")

    assert processor_seconds(work) < 10
