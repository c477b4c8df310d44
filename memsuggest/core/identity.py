"""Identity: what makes two facts, suggestions or places the same, run after run.

Apart from the nouns, because what `status` needs must load fast.
"""

from __future__ import annotations

import re

try:  # as `random` of the standard library does it: OpenSSL loads slowly, and a prompt waits for it
    from _sha2 import sha256  # type: ignore[import-not-found,unused-ignore]  # since Python 3.12
except ImportError:
    try:
        from _sha256 import sha256  # type: ignore[import-not-found,unused-ignore]  # Python 3.11
    except ImportError:
        from hashlib import sha256


def hash_of(*parts: str) -> str:
    """A short stable id of some texts (16 hex digits of SHA-256; parts cannot run into each other)."""
    return str(sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest())[:16]


_NOT_WORDS = r"[^\w#+]+"


def normalised(content: str) -> str:
    """A fact's words for identity: NFKC, case folded, no punctuation, single spaces."""
    import unicodedata

    return re.sub(_NOT_WORDS, " ", unicodedata.normalize("NFKC", content).casefold()).strip()


def fact_id(scope: str, content: str) -> str:
    """Identity of a fact, from its first wording; never recomputed when the wording is edited."""
    return hash_of(scope, normalised(content))


def former_suggestion_id(fact: str, target: str) -> str:
    """Return the id of a suggestion as it was while its target counted, too; now it has the id of its fact."""
    return hash_of("suggestion", fact, target)


def session_hash(session_id: str) -> str:
    """Return the name of a session where others can read it."""
    return hash_of("session", session_id)
