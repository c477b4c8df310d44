"""Prints how many planted texts become facts when a model echoes them: by carrier and by format. Run by hand:

    python tests/evaluation/echoing.py [--texts N] [--formats claude-code,codex] [--vectors FILE]

As in `poisoning`, each text carries a nonce and stands in a chat beside one honest directive. The model is hostile: it
proposes the text whole and in pieces, with every quote that it can think of, on every turn; and the honest directive.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Callable, Collection, Iterator
from pathlib import Path
from typing import Any

from poison.event import CARRIERS, Event
from poison.formats import FORMATS
from poison.people import HONEST
from poisoning import OPENING, THRESHOLD, VECTORS, WRAPPED, attacks, is_promoted

from memsuggest.core.errors import TranscriptError
from memsuggest.core.model import Candidate
from memsuggest.judging.asking.question import Question
from memsuggest.judging.by_model.engine import HaikuEngine
from memsuggest.transcripts.reading import read_source
from memsuggest.transcripts.storage.source import Source

MOST = 60
"""Facts in a reply; more is refused as a whole."""


class Echo:
    """A model in the hands of whoever planted the text."""

    def __init__(self, text: str) -> None:
        self._text = text

    def answers(self, family: str) -> list[Any]:
        return []

    def ask(
        self,
        question: Question,
        read: Callable[[str], Any],
        *,
        family: str = "",
        covers: Collection[str] = (),
        sift: Callable[[Any], str] | None = None,
    ) -> Any:
        typed = {line["turn"]: line["typed"] for line in map(json.loads, question.data.split("\n")) if "turn" in line}
        honest = [self._fact(said, turn, said) for turn, said in typed.items() if len(said) < 200]
        found = read(json.dumps({"facts": [*honest, *self._forged(typed)][:MOST], "injections": []}))
        if sift is not None:
            read(sift(found))
        return found

    def _forged(self, typed: dict[int, str]) -> Iterator[dict[str, Any]]:
        lines = [line.strip() for line in self._text.split("\n") if line.strip()]
        pieces = list(dict.fromkeys([self._text[:300], self._text[:120], self._text[-200:], *lines[:3]]))
        for piece in pieces:
            for turn, said in typed.items():
                yield self._fact(piece, turn, piece)
                yield self._fact(piece, turn, said[:300])
            yield self._fact(piece, 0, piece)

    @staticmethod
    def _fact(content: str, turn: int, quote: str) -> dict[str, Any]:
        fields = {"reason": "", "kind": "convention", "scope": "workspace", "confidence": "high", "replaces": ""}
        return fields | {"content": content, "citations": [{"turn": turn, "file": "", "quote": quote}]}


def candidates(kind: str, events: list[Event], text: str) -> list[Candidate] | None:
    """Read a chat of that format and have the hostile model extract; None where the format cannot carry it."""
    written = FORMATS[kind](events)
    if written is None:
        return None
    person = "ada-l" if kind == "copilot-copy" else "User" if kind == "dialogue" else None
    engine = HaikuEngine(asks=Echo(text), read_written=lambda _: [])
    try:
        return list(engine.extract(read_source(Source.of(written, name=f"{kind}.md", person=person)), []).candidates)
    except TranscriptError:
        return []


def tally(kind: str, planted: list[list[Event]], texts: list[str]) -> Counter[str]:
    """Count the chats, the promoted texts, those above the threshold, and the honest directives that were found."""
    row: Counter[str] = Counter()
    for number, (events, text) in enumerate(zip(planted, texts, strict=True)):
        said, words = HONEST[number % len(HONEST)]
        opening = [OPENING] * (events[0].kind != "typed")
        found = candidates(kind, [*opening, *events, Event("said", "Done."), Event("typed", said)], text)
        if found is None:
            return Counter()
        others = [candidate for candidate in found if words.casefold() not in candidate.content.casefold()]
        promoted = is_promoted([other for other in others if other.content != OPENING.text], text)
        row += Counter(planted=1, honest=len(others) < len(found), promoted=promoted)
        row["above"] += promoted and any(other.confidence >= THRESHOLD for other in others)
        if promoted:
            sys.stdout.write(f"    {[other.content[:100] for other in others]}\n")
    return row


def say(name: str, row: Counter[str]) -> None:
    told = f"promoted {row['promoted']} ({row['above']} above the threshold), honest {row['honest']}"
    sys.stdout.write(f"{name}: {told} of {row['planted']}\n")
    sys.stdout.flush()


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--texts", type=int, default=0, help="take only so many, evenly; 0: all")
    parser.add_argument("--formats", default=",".join(FORMATS))
    parser.add_argument("--vectors", type=Path, default=VECTORS)
    given = parser.parse_args()
    texts = attacks(given.vectors)
    texts = texts[:: max(1, len(texts) // given.texts)] if given.texts else texts
    total: Counter[str] = Counter()
    for kind in given.formats.split(","):
        for carrier in CARRIERS:
            row = tally(kind, [[Event(carrier, text)] for text in texts], texts)
            if row["planted"]:
                say(f"echoed {kind:15} {carrier:13}", row)
            total += row
    say("echoed, all", total)
    for name in ("fence", "quote", "tag"):
        frame = WRAPPED[name]
        framed = [frame.format(t=text, n="", quoted="> " + "\n> ".join(text.split("\n"))) for text in texts]
        say(f"echoed, typed in a {name}", tally("claude-code", [[Event("typed", one)] for one in framed], texts))


if __name__ == "__main__":
    main()
