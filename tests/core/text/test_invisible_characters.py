"""Characters that nobody sees: all are found and taken out, except where writing needs them."""

from __future__ import annotations

import sys
import unicodedata

import pytest
from cases import cases
from hypothesis import given
from hypothesis import strategies as st

from memsuggest.core.redact import clean, hidden_characters, is_hidden
from memsuggest.core.text.invisible_characters import _UNSURE

HIDDEN = [
    chr(code)
    for code in range(sys.maxunicode + 1)
    if chr(code) not in "\n\t"
    and (
        unicodedata.category(chr(code)) in ("Cf", "Cc", "Zl", "Zp")
        or 0xFE00 <= code <= 0xFE0F
        or 0xE0100 <= code <= 0xE01EF
        or code
        in (0x115F, 0x1160, 0x3164, 0xFFA0, 0x2800, 0xE000, 0xF8FF, 0x10FFFD, 0x378, 0xFFFE, 0xD800, 0xDFFF, 0x34F)
    )
]


@cases("around", ["use uv{}always", "{}start", "end{}", "a {} b", "`code{}`", "1{}2"])
def test_each_hidden_character_is_found_and_goes(around: str) -> None:
    """Every format, control, private, unassigned, surrogate, selector and filler character, at any place."""
    for char in HIDDEN:
        text = around.format(char)
        assert is_hidden(char)
        assert hidden_characters(text), hex(ord(char))
        left = clean(text)
        assert char not in left
        assert not hidden_characters(left)


@cases(
    "text",
    [
        "👩‍💻 👨‍👩‍👧‍👦 🏳️‍🌈 🏴‍☠️ ❤️‍🔥 👁️‍🗨️ 🧑🏽‍🚀 🐦‍⬛",
        "1️⃣ #️⃣ *️⃣ ©️ ®️ ™️ ‼️ ⁉️ ℹ️ Ⓜ️ ㊗️ 〰️ ▪️ ↔️ ☎︎ ♀️",
        "🏴󠁧󠁢󠁥󠁮󠁧󠁿 🏴󠁧󠁢󠁳󠁣󠁴󠁿 🇩🇪 🇯🇵",
        "👍🏿 ✊🏻 🫶🏽 \U0001fae9 \U0001f6d8",
        "می‌خواهم کتاب‌ها را ببینم",
        "نه‌، خانه‌ی ما",
        "क्‍ष र्‍य न्‌",
        "ശ്രീ‍ അവന്‍",
        "בְּרֵאשִׁית עִבְרִית",
        "ภาษาไทยไม่มีช่องว่าง",
        "naïve café — “quotes” … 日本語「括弧」한국어 汉字",
        "tabs\tand\nlines\r\n",
    ],
)
def test_what_writing_needs_stays(text: str) -> None:
    """Emoji sequences, joiners between letters that join, marks and all scripts are left alone."""
    assert hidden_characters(text) == ()
    assert clean(text) == text.replace("\r\n", "\n")


@cases(
    ("text", "expected"),
    [
        pytest.param("a\x1b[31mred\x1b[0m", "ared", id="colours"),
        pytest.param("a\x9b31mred", "ared", id="one-byte colours"),
        pytest.param("a\x1b]8;;https://x.test\x07link\x1b]8;;\x07", "alink", id="links"),
        pytest.param("a\x1b]52;c;aGk=\x1b\\b", "ab", id="clipboard"),
        pytest.param("a\x1bcb", "ab", id="reset"),
        pytest.param("a\x1bPq#0\x1b\\b", "ab", id="device string"),
        pytest.param("safe\rfake", "safe\nfake", id="overwriting"),
        pytest.param("a\u2028b\u2029c\x85d\x0be\x0cf", "a\nb\nc\nd\ne\nf", id="line ends"),
        pytest.param("x\ud800y", "x\ufffdy", id="half a character"),
        pytest.param("hi\U000e0049\U000e0067", "hi", id="tags"),
        pytest.param("\u202eevil\u202c", "evil", id="bidi"),
        pytest.param("\x1b", "", id="lone escape"),
        pytest.param("\x1b]0;never ends\nnext", "\nnext", id="unfinished"),
    ],
)
def test_orders_to_terminals_go(text: str, expected: str) -> None:
    """Escape sequences go whole, line ends become newlines."""
    assert clean(text) == expected


def test_the_fast_way_overlooks_nothing() -> None:
    """No character that is hidden is among those that are not looked at."""
    passed = [code for code in range(sys.maxunicode + 1) if not _UNSURE.match(chr(code)) and is_hidden(chr(code))]
    assert passed == []


@given(st.text(max_size=200))
def test_clean_is_final(text: str) -> None:
    """A cleaned text has nothing hidden, can be encoded, and cleaning it again changes nothing."""
    once = clean(text)
    assert hidden_characters(once) == ()
    once.encode()
    assert clean(once) == once


@cases("pump", ["\x1b[", "\x1b]", "\x9b", "\u200b", "\U0001f468\u200d", "\U0001f3f4\U000e0067", "م\u200c", "\x1b"])
def test_cleaning_takes_linear_time(pump: str) -> None:
    """A hundred thousand characters of anything are cleaned at once."""
    assert len(clean(pump * 100_000)) <= len(pump) * 100_000
