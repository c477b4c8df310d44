"""A comparison of files' lines with what was said in chats: each sentence once with each text of a file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memsuggest.suggestions.existing_rules import ExistingRules

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from memsuggest.held.note_store import NumberedSentence
    from memsuggest.held.rule_store import RuleStore
    from memsuggest.model import Target


def compare(
    store: RuleStore,
    targets: Sequence[Target],
    sentences: Sequence[NumberedSentence],
    *,
    indexed: Callable[[Sequence[Target]], ExistingRules] = ExistingRules,
) -> None:
    """Compare what is new, of either side, and keep what comes of it.

    `indexed` returns the lines of some files, perhaps of others besides.
    """
    known = store.compared()
    last = sentences[-1].number if sentences else 0
    by_start: dict[int, list[Target]] = {}
    anew: list[str] = []
    for target in targets:
        digest, upto = known.get(target.uri, ("", 0))
        if digest != target.digest:
            anew.append(target.uri)
            upto = 0
        if upto < last or digest != target.digest:
            by_start.setdefault(upto, []).append(target)
    for upto, group in by_start.items():
        digests = {target.uri: target.digest for target in group}
        new = [sentence for sentence in sentences if sentence.number > upto]
        found = [row for row in _said_in(indexed(group), new) if row[0] in digests] if new else []
        store.note_compared(digests, anew=[uri for uri in anew if uri in digests], upto=last, found=found)


def _said_in(rules: ExistingRules, sentences: Sequence[NumberedSentence]) -> Iterator[tuple[str, int, int]]:
    """Yield file, line and sentence wherever a line says what a sentence says."""
    known: dict[str, list[tuple[str, int]]] = {}
    for one in sentences:
        said = one.sentence.rule
        if said not in known:
            known[said] = [(line.uri, line.line) for line in rules.said(said)]
        yield from ((uri, line, one.number) for uri, line in known[said])
