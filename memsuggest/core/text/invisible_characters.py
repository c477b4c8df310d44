"""Characters that a person does not see but a model or a terminal obeys: found, and taken out."""

from __future__ import annotations

import re
import unicodedata

from memsuggest.core.text.words import word_set

# Everything but the letters and signs that texts are made of; what this finds is looked at one by one.
_UNSURE = re.compile(
    "[^\\x20-\\x7e\\n\\t\\xa0-\\xac\\xae-\\u02ff\\u0391-\\u03a1\\u03a3-\\u0481\\u048a-\\u052f\\u05d0-\\u05ea\\u0621-\\u064a"
    "\\u0904-\\u0939\\u0e01-\\u0e3a\\u1e00-\\u1eff\\u2010-\\u2027\\u2030-\\u205e\\u2190-\\u23ff\\u2500-\\u27bf"
    "\\u3000-\\u303e\\u3041-\\u3096\\u30a0-\\u30ff\\u4e00-\\u9fff\\uac00-\\ud7a3\\uff01-\\uff9f\\U0001f300-\\U0001f64f]"
)
_ALLOWED_CONTROLS = frozenset("\n\t")
_FILLERS = frozenset("\u115f\u1160\u3164\uffa0\u2800\u034f\u17b4\u17b5\u180b\u180c\u180d\u180e\u180f")
_NEW_EMOJI = (0x1F300, 0x1FAFF)
"""Blocks that each year's Unicode fills with emoji: what this Python does not know yet is one of them."""
_TEXT_STYLE, _EMOJI_STYLE = "\ufe0e", "\ufe0f"
_KEYCAP = "\u20e3"
_TERMINAL = re.compile(
    r"(?:\x1b\[|\x9b)[0-?]{0,64}[ -/]{0,16}[@-~]?"
    r"|(?:\x1b[\]PX^_]|[\x9d\x90\x98\x9e\x9f])[^\x07\x1b\x9c\n]{0,4096}(?:\x07|\x1b\\|\x9c)?"
    r"|\x1b[ -/]{0,8}[0-~]?"
)


def is_hidden(char: str) -> bool:
    """Tell if a character, wherever it stands, shows nothing or orders a terminal about; legal joiners count too."""
    if " " <= char <= "~" or char in _ALLOWED_CONTROLS:
        return False
    code = ord(char)
    if char in _FILLERS or 0xFE00 <= code <= 0xFE0F or 0xE0100 <= code <= 0xE01EF:
        return True
    if _NEW_EMOJI[0] <= code <= _NEW_EMOJI[1]:
        return False
    return unicodedata.category(char) in ("Cf", "Cc", "Co", "Cn", "Cs", "Zl", "Zp")


def hidden_characters(text: str) -> tuple[tuple[int, str], ...]:
    """List hidden characters with their positions, except joiners and styles where writing needs them."""
    return tuple(
        (match.start(), match.group())
        for match in _UNSURE.finditer(text)
        if is_hidden(match.group()) and not _is_needed(text, match.start())
    )


def _is_needed(text: str, at: int) -> bool:
    """Tell whether a joiner joins letters of a script that has joining, or emoji; whether a style follows an emoji."""
    char = text[at]
    before, after = text[at - 1 : at] if at else "", text[at + 1 : at + 2]
    if char == _EMOJI_STYLE:
        return _is_emoji(before) or (before in "0123456789#*" and before != "" and after == _KEYCAP)
    if char == _TEXT_STYLE:
        return _is_emoji(before)
    if char == "\u200d":
        back = at - 1
        while back >= 0 and (text[back] == _EMOJI_STYLE or 0x1F3FB <= ord(text[back]) <= 0x1F3FF):
            back -= 1
        is_emoji = back >= 0 and _is_emoji(text[back]) and _is_emoji(after)
        return is_emoji or _is_between_joining(before, after)
    if char == "\u200c":
        return _is_between_joining(before, after)
    if char == "\r":
        return after == "\n"
    if "\u180b" <= char <= "\u180e":
        return unicodedata.name(before, "").startswith("MONGOLIAN") if before else False
    if 0xE0020 <= ord(char) <= 0xE007F:
        return _is_in_flag(text, at)
    return False


def _is_emoji(char: str) -> bool:
    """Tell whether a character may carry an emoji style or take part in a sequence."""
    if not char:
        return False
    code = ord(char)
    return (
        unicodedata.category(char) in ("So", "Sk", "Sm")
        or char in "\u203c\u2049\u2139\u3030\u303d\u00a9\u00ae"
        or 0x1F000 <= code <= 0x1FAFF
    )


_JOINING_SCRIPTS = tuple(
    word_set(
        "ARABIC SYRIAC MONGOLIAN NKO MANDAIC DEVANAGARI BENGALI GURMUKHI GUJARATI ORIYA TAMIL TELUGU KANNADA MALAYALAM"
        " SINHALA MYANMAR KHMER TIBETAN"
    )
)


def _is_between_joining(before: str, after: str) -> bool:
    """Tell whether letters that join stand before, and after unless the word ends there."""
    if bool(before) and unicodedata.combining(before) == 9:
        return True
    return _joins(before) and (_joins(after) or not after or after.isspace() or after in ".,;:!?)،؛؟۔")


def _joins(char: str) -> bool:
    return bool(char) and unicodedata.name(char, "").startswith(_JOINING_SCRIPTS)


def _is_in_flag(text: str, at: int) -> bool:
    """Tell whether a tag belongs to the flag of a region: black flag, at most six letters or digits, end."""
    begin = text.rfind("\U0001f3f4", max(0, at - 8), at)
    if begin < 0:
        return False
    tags = text[begin + 1 : begin + 9]
    end = tags.find("\U000e007f")
    body = tags[:end] if end >= 0 else ""
    return (
        3 <= len(body) <= 6
        and all(0xE0030 <= ord(tag) <= 0xE0039 or 0xE0061 <= ord(tag) <= 0xE007A for tag in body)
        and at <= begin + 1 + end
    )


_REPLACED = dict.fromkeys("\r\u2028\u2029\x0b\x0c\x85", "\n")


def clean(text: str) -> str:
    """Take out terminal orders and hidden characters, keeping line ends, tabs and the joiners that writing needs.

    A lone carriage return, and separators of lines and paragraphs, become line ends; a lone surrogate becomes U+FFFD.
    """
    if _UNSURE.search(text) is None:
        return text
    text = _TERMINAL.sub("", text).replace("\r\n", "\n")

    def shown(match: re.Match[str]) -> str:
        char = match.group()
        if not is_hidden(char) or _is_needed(text, match.start()):
            return char
        return _REPLACED.get(char) or ("\ufffd" if unicodedata.category(char) == "Cs" else "")

    return _UNSURE.sub(shown, text)
