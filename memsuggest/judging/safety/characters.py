"""Characters and markup that may not be stored: what is not seen, and what would break out of its line."""

from __future__ import annotations

import re
import unicodedata
from functools import cache

_ALLOWED_FORMAT = frozenset("\u200c\u200d\ufe0f\ufe0e")  # joiners of scripts and emoji
_FIRST_EMOJI, _LAST_EMOJI = "\U0001f000", "\U0001faff"  # new ones are not assigned in older versions of Python
_FLAG, _TAGS, _LAST_TAG = "\U0001f3f4", range(0xE0061, 0xE007B), "\U000e007f"  # England, Scotland, Wales
_FILLERS = frozenset("\u115f\u1160\u3164\uffa0\u2800\u180e\u034f")

_LOOKALIKES = frozenset(
    "\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0456\u0458\u0455\u04bb\u0501\u051b\u051d\u0475\u04cf"  # Cyrillic
    "\u0410\u0412\u0415\u041a\u041c\u041d\u041e\u0420\u0421\u0422\u0423\u0425\u0406\u0408\u0405"
    "\u03bf\u0391\u0392\u0395\u0396\u0397\u0399\u039a\u039c\u039d\u039f\u03a1\u03a4\u03a5\u03a7"  # Greek
)

_BREAKOUT = r"""
    <!-- | -->                              # comments
  | ^---\s*$ | ^\+\+\+\s*$                  # front matter
  | ``` | ~~~                               # fences
  | <\s*/?\s*(?:/?memory|memory-context|graphiti_memory|system)\b
  | !\[[^\]]*\]\(                           # images, which call a server
  | \]\(\s*(?:javascript|data|command|vbscript):
"""
_MARKUP = r"<\s*/?\s*(?:script|iframe|style|svg|img|object)\b"
_CODE_SPAN = r"`[^`\n]{1,400}`"  # what stands in code is shown as it is, and does nothing
_BLOCK_MARK = r"""
    ^(?:
        (?: \#{1,6} | >+ | [-*+] | \d{1,9}[.)] | \| | =+ | -+ )   # heading, quote, bullet, number, table, underline
        (?: [ ] | $ )
    )+
"""


def one_line(text: str) -> str:
    """A text on one line, without the marks that would make a heading, a list or a table of it.

    >>> one_line("# use tabs\\n- and no spaces")
    'use tabs - and no spaces'
    """
    return _compiled(_BLOCK_MARK, re.VERBOSE).sub("", " ".join(text.split())).strip()


def refused(text: str) -> str:
    """Say why a text may not be stored at all, or nothing: invisible, control or markup characters that break out."""
    for position, character in enumerate(text):
        if is_invisible(character) and not _is_joiner_in_place(text, position):
            return f"contains an invisible or control character (U+{ord(character):04X})"
    breaks_out = _compiled(_BREAKOUT, re.IGNORECASE | re.MULTILINE | re.VERBOSE).search(text)
    if not breaks_out and "<" in text:
        shown = _compiled(_CODE_SPAN).sub("`", text)
        breaks_out = _compiled(_MARKUP, re.IGNORECASE).search(shown)
    return "contains markup that would break out of its line" if breaks_out else ""


def disguised(text: str) -> str:
    """Say that a word has letters of other scripts in it that look like Latin ones, or nothing.

    Words with endings of another language (`commitить`), units and formulas (`μs`, `Δt`) have other letters, too.
    """
    if text.isascii():
        return ""
    for word in _compiled(r"[^\W\d_]+").findall(text):
        foreign = {char for char in word if not char.isascii() and not unicodedata.name(char, "").startswith("LATIN")}
        if foreign and foreign <= _LOOKALIKES and any(char.isascii() for char in word):
            return "contains look-alike letters from another script"
    return ""


def is_invisible(character: str) -> bool:
    """Tell whether a character is not seen, or steers a terminal or the direction of writing."""
    if " " <= character <= "~" or character in "\n\t\r" or _FIRST_EMOJI <= character <= _LAST_EMOJI:
        return False
    if character in _FILLERS or "\ufe00" <= character <= "\ufe0f" or "\U000e0100" <= character <= "\U000e01ef":
        return True
    return unicodedata.category(character) in ("Cf", "Cc", "Co", "Cn", "Cs", "Zl", "Zp")


@cache
def _compiled(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """Compile an expression when it is first needed, so that importing stays cheap."""
    return re.compile(pattern, flags)


def _is_joiner_in_place(text: str, position: int) -> bool:
    """Tell whether a character joins letters or emoji, or spells the region of a flag, as in the flag of Scotland."""
    if not position:
        return False
    if text[position] in _ALLOWED_FORMAT:
        before = text[position - 1]
        return ord(before) > 0x2FF or before in "#*0123456789\u00a9\u00ae"
    start = text.rfind(_FLAG, max(0, position - 7), position)
    tags = text[start + 1 : position + 1] if start >= 0 else ""
    return bool(tags) and all(ord(tag) in _TAGS for tag in tags.removesuffix(_LAST_TAG))
