"""A description for a file that has none, in its own author's words. Pure."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from memsuggest.customizations.blocks.block import BlockKind
from memsuggest.customizations.blocks.scan import blocks

if TYPE_CHECKING:
    from memsuggest.model import Target

LONGEST = 300
"""Characters of a description; hosts cut longer ones, and models read many."""
_SHORTEST = 20
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z`\"“(])|(?<=[。！？])")
_LINK = re.compile(r"\[([^\[\]\n]{1,200})\]\([^()\s]{0,400}\)")
_MARKUP = re.compile(r"\*\*|__|`")
_ODD = re.compile(r"[<>{}|]|\$\(|:$|^[\w-]{1,30}:\s")


def described(target: Target) -> str:
    """Return the first sentence of a file that tells what it is for; else one made of its title."""
    return told_purpose(target) or f"Use when the task is about {_spoken(target.title)}"


def told_purpose(target: Target) -> str:
    """Return the first sentence of a file that tells what it is for; empty where none does."""
    for block in blocks(target.text):
        if block.kind is BlockKind.PARAGRAPH and not _ODD.search(block.text):
            sentence = _MARKUP.sub("", _LINK.sub(r"\1", _SENTENCE_END.split(block.text, maxsplit=1)[0])).strip()
            if _SHORTEST <= len(sentence) <= LONGEST:
                return sentence
    return ""


def _spoken(title: str) -> str:
    words = " ".join(re.split(r"[\s_-]+", title)).strip()
    return words[:1].lower() + words[1:] if words[1:2].islower() else words
