"""A rule as one inert line: nothing in it opens a block, runs, loads, includes, or hides. Pure.

What cannot be made inert without changing what it says is refused with the reason.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from memsuggest.core.redact import hidden_characters

BREAKS = "\n\r\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029"
"""Everything that some reader takes for the end of a line."""
_BREAK = re.compile(f"[{BREAKS}]+")

OPENING = re.compile(
    r"#{1,6}(?=\s|$)|[-*+•](?=\s|$)|[>|]|={3,}|~{3,}|`{3,}|(?:-[ ]?){3,}$|(?:\*[ ]?){3,}$|(?:_[ ]?){3,}$"
    r"|\d{1,9}[.)](?=\s|$)|\[[^\]\n]{0,400}\]:|\[[ xX]\](?=\s)"
)
"""What would begin a block of its own, or a checklist's box, where a line or an item begins."""

_CODE = re.compile(r"(?<!`)(`{1,2})(?!`)([^`\n]{1,400})\1(?!`)")
_TAG = re.compile(r"(?<!\\)(\\*)<(?=[A-Za-z/!?])")
_AROUND = "\"'“”‘’(),.;:!?"
"""Punctuation that stands around a word of code and is no part of it."""
_IMPORT = re.compile(
    r"(?<![\w@/.`])@[\w-]{0,80}(?:/[\w.-]{1,80})+|(?<![\w@/.`])@[\w-]{1,80}\.(?:mdx?|txt|json|ya?ml|toml)\b"
)
"""What some hosts take for another file to be read in; in a code span they do not."""
_VARIABLE = re.compile(
    r"\$(?=\{(?:input|env|selection|selectedText|command|config|file|workspace)[\w:}])", re.IGNORECASE
)

_HTML_NAMES = "script|iframe|object|embed|img|svg|link|meta|style|form|details|summary|a|base|video|audio|input|button"
_FORMS: dict[str, re.Pattern[str]] = {
    "an HTML comment": re.compile(r"<!-{1,2}|-{2,}!?>"),
    "an image": re.compile(r"!\[[^\]\n]{0,400}\]\s?[(\[]"),
    "a link that runs code": re.compile(
        r"\]\s?\(\s*<?\s*(?:command|javascript|vbscript|data|file|vscode[\w-]*):|(?<![\w`])command:[\w-]+\.",
        re.IGNORECASE,
    ),
    "a file include": re.compile(
        r"(?<![\w`(\[/])#(?:file|folder|tool|fetch|sym):|(?<![\w`(\[/-])#(?:codebase|selection)\b(?!-)"
        r"|(?<![\w@.-])@(?:~|\.{1,2}/)",
        re.IGNORECASE,
    ),
    "prompt arguments": re.compile(r"\$ARGUMENTS\b"),
}
"""Refused wherever it stands, in code too: what reads these files for a model does not parse Markdown first."""

_HTML = re.compile(
    rf"<\s*(?:{_HTML_NAMES})\b[^<>]{{0,400}}[=:]|<\s*/\s*(?:script|style|svg|form|iframe|object)\b", re.IGNORECASE
)
_SHELL = re.compile(r"^\s*!(?=\w)")
_BLOCKS: dict[str, re.Pattern[str]] = {
    "a code fence": re.compile(rf"(?:^|[{BREAKS}])[^\S{BREAKS}]*(?:`{{3,}}|~{{3,}})"),
    "a front matter fence": re.compile(rf"(?:^|[{BREAKS}])\ufeff?[^\S{BREAKS}]*-{{3,}}[^\S{BREAKS}]*(?:$|[{BREAKS}])"),
    "a heading after a line break": re.compile(
        rf"[{BREAKS}][^\S{BREAKS}]*(?:#{{1,6}}\s|[-=]{{3,}}[^\S{BREAKS}]*(?:$|[{BREAKS}]))"
    ),
}


def why_forbidden(content: str) -> str | None:
    """Name what makes a text unfit to stand in a customization file; None for a fit one."""
    is_shell_include = _SHELL.search(content) is not None or any(
        content[: code.start()].endswith("!") and not content[: code.start() - 1][-1:].isalnum()
        for code in _CODE.finditer(content)
    )
    found = {
        "no words": not any(char.isalnum() for char in content),
        "an invisible character": bool(hidden_characters(content)),
        **{what: form.search(content) is not None for what, form in _FORMS.items()},
        "raw HTML": any(_HTML.search(text) for text, is_code in pieces(content) if not is_code),
        "a shell include": is_shell_include,
        **{what: form.search(content) is not None for what, form in _BLOCKS.items()},
    }
    return next((what for what, is_there in found.items() if is_there), None)


def one_line(content: str) -> str:
    """Return the words on one line, inert: tags and imports as code, and nothing that would open a block."""
    folded = " ".join(_BREAK.sub(" ", content).split())
    inert = _VARIABLE.sub(r"$\\", "".join(text if is_code else _defused(text) for text, is_code in pieces(folded)))
    if not OPENING.match(inert):
        return inert
    # A number at its beginning counts no list then; a backslash would not do before a digit.
    number = re.match(r"(\d{1,9})([.)])(?=\s|$)", inert)
    return f"{number[1]}\\{inert[number.end(1) :]}" if number else f"\\{inert}"


def _defused(text: str) -> str:
    words = " ".join(_as_code(word) if _TAG.search(word) else word for word in text.split(" "))
    shown = "".join(piece if is_code else _IMPORT.sub(r"`\g<0>`", piece) for piece, is_code in pieces(words))
    return "".join(piece if is_code else _TAG.sub(_escaped, piece) for piece, is_code in pieces(shown))


def _escaped(tag: re.Match[str]) -> str:
    return f"{tag[1]}<" if len(tag[1]) % 2 else f"{tag[1]}\\<"


def _as_code(word: str) -> str:
    """Return a word such as `Result<T>` as a code span; as it is where it is no whole one."""
    code = word.strip(_AROUND)
    is_whole = code.count("<") == code.count(">") and "`" not in word and "\\" not in word
    before, _, after = word.partition(code)
    return f"{before}`{code}`{after}" if is_whole else word


def pieces(text: str) -> Iterator[tuple[str, bool]]:
    """Cut a text into code spans and what stands between them."""
    place = 0
    for code in _CODE.finditer(text):
        yield text[place : code.start()], False
        yield code.group(), True
        place = code.end()
    yield text[place:], False
