"""Identity: what makes two facts, suggestions or places the same, run after run.

Apart from the nouns, because what `status` needs must load fast.
"""

from __future__ import annotations

import hashlib
import re


def hash_of(*parts: str) -> str:
    """A short stable id of some texts (16 hex digits of SHA-256; parts cannot run into each other)."""
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:16]


_NOT_WORDS = re.compile(r"[^\w#+]+")


def normalised(content: str) -> str:
    """A fact's words for identity: NFKC, case folded, no punctuation, single spaces."""
    import unicodedata  # noqa: PLC0415  (half a megabyte that only facts need)

    return _NOT_WORDS.sub(" ", unicodedata.normalize("NFKC", content).casefold()).strip()


def fact_id(scope: str, content: str) -> str:
    """Identity of a fact, from its first wording; never recomputed when the wording is edited."""
    return hash_of(scope, normalised(content))


def former_suggestion_id(fact: str, target: str) -> str:
    """What a suggestion was called while its target counted, too; now it has the id of its fact, wherever it goes."""
    return hash_of("suggestion", fact, target)


def session_hash(session_id: str) -> str:
    """What a session is called where others can read it."""
    return hash_of("session", session_id)
