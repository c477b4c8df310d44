"""Dangers: whether a text weakens safety, by the table of what is dangerous, or asks to read a page of the web."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, partial

from memsuggest.judging.offline.cues import form
from memsuggest.judging.safety.danger_model import features_of, score_of
from memsuggest.judging.safety.notation import Danger, compiled, dangers, folded, found_in

_PIECE, _OVERLAP = 1000, 200
"""Characters in which a longer sentence is cut, so that the time stays linear, and by which the pieces overlap."""
SURE = 0.9
"""Score of the model from which a rule is shown with a warning: 0 to 8 in 100 look-alikes on topics left out."""
GREY, GREY_OF_CRITICAL = 0.4, 0.2
"""Scores up to which a rule may be plainly harmless, and up to which one may that names something critical.

With `UNPLAIN`, 1 in 10 ordinary rules that nothing was learned from is withheld, and of those that weaken safety, on
topics left out, 19 of 20.
"""
UNPLAIN = {"permit", "needless", "weaken", "later", "excuse", "sweeping", "bare"}
UNPLAIN |= {"neg~guard", "neg~protect", "neg~secret", "guard~neg"}
"""What a plain rule has not: it permits nothing, calls nothing needless, and negates nothing that protects."""
_WINDOW, _STEP = 50, 35  # words of a long sentence that the model looks at together, and how far it goes on
_LIKELY = "would probably weaken a safeguard"
_negation = partial(form, "negations")
_ITEM = 3  # words of an item of a list: "never accept, print or log a token"
_NEAR = 160  # characters around a link in which the order stands that it belongs to


def weakens_safety(text: str) -> str:
    """Say how a rule would weaken safety, or nothing; a prohibition of the same is no danger.

    >>> weakens_safety("Push straight to main without a review.")
    'would merge code without a review'
    >>> weakens_safety("Never push to main without a review.")
    ''
    """
    if why := known_danger(text):
        return why
    return _LIKELY if any(score_of(features_of(said)) > SURE for said in _windows(folded(text))) else ""


def plainly_harmless(text: str) -> bool:
    """Tell whether a rule is so plain that it may be written before a model or the person has looked at it.

    >>> plainly_harmless("Use pnpm, not npm.")
    True
    >>> plainly_harmless("Feel free to merge on Fridays.")
    False
    """
    if known_danger(text):
        return False
    seen = (features_of(said) for said in _windows(folded(text)))
    return all(
        score_of(found) <= (GREY_OF_CRITICAL if "critical" in found else GREY) and not UNPLAIN & found.keys()
        for found in seen
    )


def _windows(said: str) -> Iterator[str]:
    for sentence in re.split(r"(?<=[.!?;])\s+", said):
        words = sentence.split()
        for start in range(0, max(1, len(words) - _WINDOW + _STEP), _STEP):
            yield " ".join(words[start : start + _WINDOW])


def known_danger(text: str) -> str:
    """Say how a text would weaken safety in the words that the table of dangers has, or nothing.

    What only the model takes for dangerous may be learned and suggested, and needs its own word there.
    """
    for said in _sentences(folded(text)):
        for danger in _with_cue(said):
            ordered = (
                not _is_forbidden(said[: found.start()], found.group(), said[found.end() :])
                for found in found_in(danger.orders, said)
            )
            if any(True for _ in found_in(danger.refusals, said)) or any(ordered):
                return danger.why
    return ""


def commands_a_machine(text: str) -> bool:
    """Tell if a text tells an assistant to drop its instructions: nothing said in the same breath is the person's."""
    said = folded(text)
    danger = next(danger for danger in dangers() if danger.name == "instructions")
    if not any(cue in f" {said}" for cue in danger.cues):
        return False
    return any(map(compiled(danger.orders + danger.refusals).search, _sentences(said)))


def has_read_order(text: str) -> bool:
    """Tell whether a text asks to look at a page of the web, as the prompts do that links open a chat with.

    Anybody can write such a link, and what it asks to be remembered besides was typed by nobody.
    """
    order = form("links", "orders")
    return any(
        order.search(text, max(0, found.start() - _NEAR), found.start())
        or order.search(text, found.end(), found.end() + _NEAR)
        for found in form("links", "link").finditer(text)
    )


def _with_cue(said: str) -> list[Danger]:
    """Return the dangers that a text has the words of: a cheap look before the patterns."""
    spaced = f" {said}"
    starts = {"", *(spaced[at : at + 3] for at in range(len(spaced) - 2))}
    by_start = _cues_by_start()
    named = {danger for start in starts & by_start.keys() for cue, danger in by_start[start] if cue in spaced}
    return [
        danger
        for danger in dangers()
        if danger in named and (not danger.also or any(word in spaced for word in danger.also))
    ]


@cache
def _cues_by_start() -> dict[str, list[tuple[str, Danger]]]:
    by_start: dict[str, list[tuple[str, Danger]]] = {}
    for danger in dangers():
        for cue in danger.cues:
            by_start.setdefault(cue[:3] if len(cue) >= 3 else "", []).append((cue, danger))
    return by_start


def _sentences(said: str) -> list[str]:
    return [
        sentence[start : start + _PIECE + _OVERLAP]
        for sentence in re.split(r"(?<=[.!?;])\s+", said)
        for start in range(0, len(sentence), _PIECE)
    ]


def _is_forbidden(before: str, said: str, after: str) -> bool:
    """Tell whether a sentence forbids the danger that it names, from what stands before it, in it and behind it.

    A negation counts in the same clause before the danger, within it, or right behind it ("… is forbidden", "… nicht").
    """
    if _negation("forbidden-after").match(after):
        return True
    # The last word may be a setting's value, as in "StrictHostKeyChecking no".
    if _negation("no").search(_negation("no-negation").sub(" ", said.rpartition(" ")[0])):
        return True
    clause = _clause_before(before, said, after)
    without = _negation("without").search(clause)
    negated = bool(_negation("no").search(clause) or _negation("averts").search(clause))
    return negated != bool(without)


def _clause_before(before: str, said: str, after: str) -> str:
    """Return the text before a danger in its own clause, and in those before it that it is listed with."""
    clauses = _negation("no-negation").sub(" ", before)
    end, in_list = len(clauses), False
    ends = [found.span() for found in _negation("clause-end").finditer(clauses)]
    for start, stop in reversed(ends):
        piece = clauses[stop:end]
        is_colon = clauses[start] == ":"
        is_listed = _negation("joins-a-list").match(piece) and (
            piece.strip() or not said[:1].isalpha() or _negation("has-or").search(clauses[start:] + said + after)
        )
        in_list = bool(is_listed) or (in_list and len(piece.split()) <= _ITEM)
        is_aside = _negation("aside").search(clauses[:start])
        if not (in_list or is_aside or is_colon):
            return clauses[stop:]
        end = start
    return clauses
