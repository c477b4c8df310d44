"""A linear model of what words do in a sentence about safety: it knows wordings that no table of orders has.

A word counts by its kind (`safety_words.txt`: what takes away, what protects, a negation, …), the pairs and threes of
kinds by their order and nearness, and words and pairs of words by themselves. `danger_weights.json` is learned from
invented sentences by `docs/measure/train_dangers.py`.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from itertools import pairwise
from typing import NamedTuple

from memsuggest.judging.safety.notation import folded, read_sections

_TOKEN = re.compile(r"[a-z]{1,2}'(?=\w)|[-.]{0,2}\w[\w.'=*-]*|[^\s\w]")
_STOP = re.compile(r"[,;:.!?]")
_MOST_TOKENS, _MOST_HITS = 60, 40  # tokens of a sentence that are read, and kinds in it: pairs grow with the square
_OPEN = 4  # tokens that a lone `*` stands for at most
_NEAR = 3  # tokens between two kinds, or two words, that stand near each other
_WORDS = 0.7  # what a word counts beside a kind of word


class _Hit(NamedTuple):
    start: int
    end: int
    kind: str


def score_of(features: Mapping[str, float]) -> float:
    """Return how sure the model is, from 0 to 1, that a sentence with some features weakens safety."""
    weights, bias = _weights()
    total = bias + sum(value * weights.get(name, 0.0) for name, value in features.items())
    return 1 / (1 + math.exp(-total))


def features_of(sentence: str) -> dict[str, float]:
    tokens = [token.rstrip(".'") or token for token in _TOKEN.findall(folded(sentence))[:_MOST_TOKENS]]
    whole, by_start = _lexicon()
    known = {_Hit(at, at + 1, "neg") for at, token in enumerate(tokens) if token.endswith("n't")}
    for at, token in enumerate(tokens):
        for phrase, kind in [*whole.get(token, ()), *by_start.get(token[:2], ())]:
            if end := _end(phrase, tokens, at):
                known.add(_Hit(at, end, kind))
    hits = sorted(known)[:_MOST_HITS]
    found = {hit.kind: 1.0 for hit in hits}
    if hits:
        found[f"^{hits[0].kind}"] = 1.0
    for first in hits:
        for second in hits:
            gap = second.start - first.end
            if gap < 0:
                continue
            pair = f"{first.kind}<{second.kind}"
            found[pair] = 1.0
            if gap <= _NEAR and not any(map(_STOP.match, tokens[first.end : second.start])):
                found[f"{first.kind}~{second.kind}"] = 1.0
            if gap <= _NEAR + 1:
                near = (third for third in hits if 0 <= third.start - second.end <= _NEAR + 1)
                found.update({f"{pair}<{third.kind}": 1.0 for third in near})
    words = [token for token in tokens if token[-1].isalnum()]
    found.update({f"w:{word[:6]}": _WORDS for word in words})
    found.update({f"b:{left[:5]}_{right[:5]}": _WORDS for left, right in pairwise(words)})
    return found


def _end(words: tuple[str, ...], tokens: list[str], at: int) -> int:
    """Return where a phrase ends that begins at a token, or 0."""
    for number, word in enumerate(words):
        if word == "*":
            ends = (_end(words[number + 1 :], tokens, at + skipped) for skipped in range(1, _OPEN + 1))
            return next(filter(None, ends), 0)
        token = tokens[at] if at < len(tokens) else ""
        if not (token.startswith(word[:-1]) if word.endswith("*") else token == word):
            return 0
        at += 1
    return at


_Entries = dict[str, list[tuple[tuple[str, ...], str]]]


@cache
def _lexicon() -> tuple[_Entries, _Entries]:
    whole: _Entries = {}
    by_start: _Entries = {}
    for title, rows in read_sections("safety_words"):
        for phrase in " ".join(rows).split(" | "):
            words = tuple(re.sub(r"(?<!\w)([a-z]{1,2}')(?=\w)", r"\1 ", phrase).split())
            table, key = (by_start, words[0][:2]) if words[0].endswith("*") else (whole, words[0])
            table.setdefault(key, []).append((words, title.rstrip("]")))
    return whole, by_start


@cache
def _weights() -> tuple[dict[str, float], float]:
    kept = json.loads(files(__package__).joinpath("danger_weights.json").read_text(encoding="utf-8"))
    return {name: weight / 100 for name, weight in kept["weights"].items()}, kept["bias"] / 100
