"""The renderers' mouth: nothing leaves for a terminal or a file but through here."""

from __future__ import annotations

_STRAIGHT = str.maketrans("“”", '""')


def safe(text: str) -> str:
    """Return the text with everything invisible or commanding made visible or removed; newlines and tabs stay."""
    if text.isascii() and text.isprintable():
        return text
    from memsuggest.core.text.invisible_characters import clean

    return clean(text)


def in_quotes(text: str, *, limit: int | None = None) -> str:
    """Return somebody's words on one line and in quotes, which they cannot end: what follows is ours again."""
    return f"“{one_line(text, limit=limit).translate(_STRAIGHT)}”"


def one_line(text: str, *, limit: int | None = None) -> str:
    """Return the text safe, on one line, cut with an ellipsis at `limit` characters."""
    folded = " ".join(safe(text).split())
    return folded if limit is None or len(folded) <= limit else folded[: limit - 1].rstrip() + "…"
