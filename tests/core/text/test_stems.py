"""Stems, asked for by several threads."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from memsuggest.core.text.stems import stemmer_of


def test_several_threads_at_once() -> None:
    """A word has the same stem whoever else asks meanwhile: a review prepares files while the person decides."""
    words = [f"{start}{number}ations" for start in ("migr", "rel", "gener", "notific") for number in range(500)]
    alone, together = stemmer_of.__wrapped__("en"), stemmer_of.__wrapped__("en")
    expected = [alone(word) for word in words]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(together, words)) == expected
