"""Draws secrets from the rules of a scanner, given as TOML (`[[rules]]` with `id` and `regex`); its file is only data.

Half of the rules, by the digest of their ids, are held back: nothing may be tuned on what is missed of those.
"""

from __future__ import annotations

import re
import string
import tomllib
import zlib
from random import Random
from re import _constants as codes  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import TYPE_CHECKING, Any, NamedTuple

from secret_samples import Sample

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

EACH = 4
"""Secrets of each rule in each frame."""
SHORTEST = 6
"""Characters of a secret at least."""
LONGEST = 12
"""Characters beyond its least number that something repeated has."""
WORDS = string.ascii_letters + string.digits + "_"
FRAMES = {
    "settings": (
        '{ENV}_KEY="{s}"', "{low}_token = {s}", '"{low}ApiKey": "{s}",', "{low}-secret: {s}", "export {ENV}_TOKEN={s}",
        "{low}.apiKey={s}",
    ),
    "prose": (
        "Remember: {s}", "For staging we use {s} to deploy.", "Run the job with --key {s} please",
        "The login is admin and {s}, do not lose it", "the {low} key is {s} by the way", "it wants {s} as the token",
    ),
    "Markdown": (
        "- **API key:** `{s}`", "| {low} | {s} |", "* token: {s}", "1. Set the key to `{s}`", "> use {s} for {low}",
        "Use `{s}` for {low}.",
    ),
}  # fmt: skip


class Rule(NamedTuple):
    """A rule and the expression of the secret in it."""

    name: str
    secret: str

    @property
    def is_held_back(self) -> bool:
        """Whether nothing is tuned on it."""
        return zlib.crc32(self.name.encode()) % 2 == 0


def rules_of(path: Path) -> list[Rule]:
    """Read the rules whose secrets can be drawn; those for private keys and files are none."""
    found = [Rule(row["id"], row["regex"]) for row in tomllib.loads(path.read_text("utf-8"))["rules"] if "regex" in row]
    return [rule for rule in found if "BEGIN" not in rule.secret and "\\x" not in rule.name]


def samples(rules: Sequence[Rule], context: str) -> Iterator[Sample]:
    """Make texts of every rule in every frame."""
    for rule in rules:
        random = Random(zlib.crc32(f"{rule.name} {context}".encode()))
        word = rule.name.split("-")[0]
        for frame in FRAMES[context]:
            for _ in range(EACH):
                secret = drawn(rule.secret, random)
                if len(secret) >= SHORTEST:
                    text = frame.format(s=secret, low=word, ENV=word.upper())
                    yield Sample(rule.name, text, secret)


def drawn(expression: str, random: Random) -> str:
    """Draw what an expression's group `password`, or else its first one, matches; all of it where that is too short."""
    flat = re.sub(r"\(\?[ims-]+\)", "", expression).replace(r"\z", r"\Z")
    flat = re.sub(r"\(\?-?[ims]+:", "(?:", flat)
    flat = re.sub(r"\[\[:alnum:\]\]", "[a-zA-Z0-9]", flat)
    groups: dict[int, str] = {}
    parsed = parser.parse(flat)
    whole = _text(parsed, random, groups)
    secret = groups.get(parsed.state.groupdict.get("password", 1), "")
    return (secret if len(secret) >= SHORTEST else whole).strip("\"'` ;=:\n\r\t")


def _text(parsed: Any, random: Random, groups: dict[int, str]) -> str:
    return "".join(_drawn(code, value, random, groups) for code, value in parsed)


def _drawn(code: Any, value: Any, random: Random, groups: dict[int, str]) -> str:
    if code is codes.LITERAL:
        return chr(value)
    if code is codes.IN:
        return random.choice([member for member in _members(value) if member.isprintable() and member != " "] or [" "])
    if code in (codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT):
        least, most, inner = value
        return "".join(_text(inner, random, groups) for _ in range(random.randint(least, min(most, least + LONGEST))))
    if code is codes.SUBPATTERN:
        text = _text(value[3], random, groups)
        if value[0]:
            groups.setdefault(value[0], text)
        return text
    if code is codes.BRANCH:
        return _text(random.choice(value[1]), random, groups)
    return random.choice(WORDS) if code in (codes.ANY, codes.NOT_LITERAL) else ""


def _members(listed: Any) -> list[str]:
    found: list[str] = []
    for code, value in listed:
        if code is codes.LITERAL:
            found.append(chr(value))
        elif code is codes.RANGE:
            found += map(chr, range(value[0], value[1] + 1))
        elif code is codes.CATEGORY:
            found += string.digits if value is codes.CATEGORY_DIGIT else WORDS if value is codes.CATEGORY_WORD else " "
        elif code is codes.NEGATE:
            return list(WORDS)
    return found
