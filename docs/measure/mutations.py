"""Small changes that models make to what they quote, so that it can be measured what they cost."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

Cited = dict[str, Any]


def capitalised(cited: Cited, _place: int) -> None:
    cited["quote"] = cited["quote"][:1].upper() + cited["quote"][1:]


def full_stop(cited: Cited, _place: int) -> None:
    cited["quote"] = cited["quote"].rstrip() + "."


def curled(cited: Cited, _place: int) -> None:
    cited["quote"] = "\u201c" + cited["quote"].replace("'", "\u2019").replace('"', "\u201d") + "\u201d"


def cut(cited: Cited, _place: int) -> None:
    """Leave out a third of the words, in the middle."""
    words = cited["quote"].split()
    if len(words) >= 6:
        third = len(words) // 3
        cited["quote"] = " ".join([*words[:third], "…", *words[-third:]])


def mended(cited: Cited, place: int) -> None:
    """Change a letter of one word, as when a typing error is mended: dropped, doubled or changed with the next."""
    words = [found for found in re.finditer(r"[^\W\d_]{5,}", cited["quote"]) if found[0].isascii()]
    if not words:
        return
    found = words[place % len(words)]
    word, middle = found[0], len(found[0]) // 2
    changed = (
        word[:middle] + word[middle + 1 :],
        word[:middle] + word[middle] + word[middle:],
        word[:middle] + word[middle + 1] + word[middle] + word[middle + 2 :],
    )[place % 3]
    cited["quote"] = cited["quote"][: found.start()] + changed + cited["quote"][found.end() :]


def off_by_one(cited: Cited, place: int) -> None:
    cited["turn"] += 1 if place % 2 else -1


def all_at_once(cited: Cited, place: int) -> None:
    for change in (mended, capitalised, full_stop, off_by_one):
        change(cited, place)


MUTATIONS: dict[str, Callable[[Cited, int], None]] = {
    "capitalised": capitalised,
    "full-stop": full_stop,
    "curled": curled,
    "cut": cut,
    "mended": mended,
    "off-by-one": off_by_one,
    "all-at-once": all_at_once,
}


def mutated(answer: str, name: str) -> str:
    """Return an answer with all its quotes changed in one way."""
    reply = json.loads(answer)
    cited = [one for fact in reply.get("facts", ()) for one in fact.get("citations", ())]
    for place, one in enumerate(cited):
        MUTATIONS[name](one, place)
    return json.dumps(reply, ensure_ascii=False)
