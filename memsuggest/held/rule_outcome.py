"""The judgement of one rule: who had read it where it mattered, and was it said again. Pure."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from math import comb
from typing import TYPE_CHECKING

from memsuggest.core.identity import hash_of, normalised
from memsuggest.core.model import Target
from memsuggest.core.text.likeness import words_of
from memsuggest.core.text.small_words import ALTERNATIVES
from memsuggest.core.text.stems import stem
from memsuggest.core.text.words import word_set
from memsuggest.customizations.blocks.scan import BlockKind
from memsuggest.customizations.kept_index import made_anew
from memsuggest.files import digest_of
from memsuggest.held.chat_note import NotedSentence
from memsuggest.held.file_reading import FileReading
from memsuggest.held.held_report import (
    ChatRow,
    HeldOutcome,
    HeldRule,
    NotReadBy,
    SaidAgain,
    SinceFrom,
)
from memsuggest.judging.offline.cues import plainness
from memsuggest.suggestions.existing_rules import ExistingRule, existing_rules_of

if TYPE_CHECKING:
    from memsuggest.customizations.kept_index import Keep
    from memsuggest.held.chat_note import ChatNote


MOST_NEEDED = 4
"""Words of a rule that are enough, however long it is."""
OF_ANY_CHAT = word_set(
    "code file new project chang make work write run add keep put call set take possibl where tri instead"
)
"""Words that occur in any chat about software, whatever it is about."""
_ACTIVITIES = frozenset(map(stem, ("commit", "changelog", "migration", "release", "docstring", "readme", "deployment")))
"""What a short rule that begins with it is about by this word alone: where something is committed, how to matters."""
_SHORT = 4  # words of weight


class ChatTable:
    """Dated chats, the oldest first."""

    def __init__(self, chats: Iterable[ChatNote], *, words: Collection[str]) -> None:
        dated = ((chat.begun, chat) for chat in chats if chat.begun is not None)
        ordered = sorted(dated, key=lambda one: (one[0], one[1].session_id, one[1].place))
        self.chats: Sequence[ChatNote] = [chat for _, chat in ordered]
        self._begun = [begun for begun, _ in ordered]
        self._first: list[int] = []
        """Where the exchanges of each chat begin, among those of all."""
        self._by_word = self._exchanges_by_word(frozenset(words))
        self.all = (1 << len(self.chats)) - 1
        self.known = self.of(place for place, chat in enumerate(self.chats) if chat.assistant)
        """Chats of which it is known what their assistant reads."""

    def _exchanges_by_word(self, wanted: frozenset[str]) -> dict[str, int]:
        """Return for each word the exchanges that have it, as a set."""
        found: dict[str, list[int]] = defaultdict(list)
        count = 0
        for chat in self.chats:
            self._first.append(count)
            for here in chat.exchanges.values() if wanted else ():
                for word in wanted & here:
                    found[word].append(count)
                count += 1
        self._all_exchanges = (1 << count) - 1
        return {word: _as_set(places, count) for word, places in found.items()}

    def of(self, places: Iterable[int]) -> int:
        """Return a set of chats."""
        found = 0
        for place in places:
            found |= 1 << place
        return found

    def places(self, chats: int) -> Iterator[int]:
        """Yield the places of a set of chats, the oldest first."""
        while chats:
            lowest = chats & -chats
            yield lowest.bit_length() - 1
            chats ^= lowest

    def begun_since(self, at: int) -> int:
        """Return the chats that began at a time or later."""
        first = bisect_left(self._begun, at)
        return (self.all >> first) << first

    def about(self, words: RuleWords) -> int:
        """Return the chats in which enough of a rule's words occur in one message and its answer."""
        if not words.forms:
            return 0
        needed = needed_of(len(words.forms))
        at_least = [self._all_exchanges] + [0] * needed
        for forms in words.forms:
            here = self._with_any(forms)
            for count in range(needed, 0, -1):
                at_least[count] |= at_least[count - 1] & here
        return self._chats_of(at_least[needed] | self._with_any(words.activity))

    def _with_any(self, forms: Iterable[str]) -> int:
        found = 0
        for form in forms:
            found |= self._by_word.get(form, 0)
        return found

    def _chats_of(self, exchanges: int) -> int:
        """Return the chats that some exchanges belong to; of each chat, one is looked for."""
        told = f"{exchanges:b}"[::-1]
        found = 0
        at = told.find("1")
        while at >= 0:
            place = bisect_right(self._first, at) - 1
            found |= 1 << place
            following = self._first[place + 1] if place + 1 < len(self._first) else len(told)
            at = told.find("1", following)
        return found


def _as_set(places: Iterable[int], count: int) -> int:
    bits = bytearray(count // 8 + 1)
    for place in places:
        bits[place >> 3] |= 1 << (place & 7)
    return int.from_bytes(bits, "little")


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleWords:
    """The words by which a chat is about a rule."""

    forms: tuple[frozenset[str], ...]
    """Each with those that stand for the same choice."""
    activity: frozenset[str] = frozenset()
    """What a rule is about that is about one thing that is done: its word alone is enough."""

    @property
    def all(self) -> Iterator[str]:
        """Every word that counts."""
        for forms in self.forms:
            yield from forms


def needed_of(words: int) -> int:
    """Return how many of a rule's words have to occur: half of them, both of two, at most four.

    >>> [needed_of(words) for words in (1, 2, 3, 5, 9)]
    [1, 2, 2, 3, 4]
    """
    return min(MOST_NEEDED, words if words <= 2 else (words + 1) // 2)


def words_of_rule(rule: str) -> RuleWords:
    """Return the words by which a chat is about a rule.

    >>> words_of_rule("Use pnpm, never npm.").forms[0] >= {"pnpm", "npm", "yarn"}
    True
    >>> sorted(words_of_rule("Write commit messages in the imperative.").activity)
    ['commit']
    """
    words = [word for word in (one.strip("/") for one in words_of(rule)) if word]
    found: dict[frozenset[str], None] = {}
    for word in sorted(set(words) - OF_ANY_CHAT):
        members = next((group.split() for group in ALTERNATIVES if word in group.split()), [])
        found[frozenset({word, *members, *map(stem, members)})] = None
    subject = [word for word in words if word not in OF_ANY_CHAT][:2]
    activity = _ACTIVITIES.intersection(subject) if len(found) <= _SHORT else frozenset()
    return RuleWords(forms=tuple(found), activity=frozenset(activity))


_KINDS = (BlockKind.ITEM, BlockKind.PARAGRAPH)
_FEWEST, _LONGEST = 2, 120  # words of a rule


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleLine:
    """A rule of a file."""

    id: str
    uri: str
    line: int
    """From 1."""
    last: int
    """Its last line, from 1."""
    text: str
    """What it says, without marks, with "never" before it where its list is of things not to do."""
    raw: str
    """Its words in the file, on one line."""
    heading: str


def rule_lines_of(target: Target, *, keep: Keep = made_anew) -> list[RuleLine]:
    """Return the rules of a file, in its order; what merely tells or introduces is none."""
    key = target.digest or digest_of(target.text)
    rows = keep("rules", target.uri, key, lambda: [asdict(rule) for rule in _rules_in(target, keep)])
    return [RuleLine(**row) for row in rows]


def _rules_in(target: Target, keep: Keep) -> list[RuleLine]:
    headings = {start: section.heading for section in target.sections for start in range(section.start, section.end)}
    found: dict[int, list[ExistingRule]] = {}
    for rule in existing_rules_of(target, keep=keep):
        if rule.block.kind in _KINDS:
            found.setdefault(rule.line, []).append(rule)
    rules: dict[str, RuleLine] = {}
    for line, parts in found.items():
        whole = parts[0]
        if not _is_rule(parts):
            continue
        name = hash_of("rule", target.uri, normalised(whole.raw))
        rules.setdefault(
            name,
            RuleLine(
                id=name,
                uri=target.uri,
                line=line,
                last=whole.block.end,
                text=whole.text,
                raw=whole.raw,
                heading=headings.get(line - 1, ""),
            ),
        )
    return list(rules.values())


def _is_rule(parts: Iterable[ExistingRule]) -> bool:
    return any(
        _FEWEST <= len(part.text.split()) <= _LONGEST and not part.raw.endswith(":") and _says_how(part.text)
        for part in parts
    )


def _says_how(text: str) -> bool:
    return plainness(text) > 0


CERTAINTY = 0.95
ENOUGH = 5
"""Chats without it being said again from which a rule holds: with these one can be 95 % sure that it will be said again
in fewer than half of such chats; with four, not."""
HARDLY = 0.2
"""Share of chats up to which a rule holds though it was said again, if one can be sure that it is no more."""
_STEPS = 40


def at_most(said: int, chats: int, *, certainty: float = CERTAINTY) -> float:
    """Return the highest share that goes with saying it again in so many of these chats.

    >>> round(at_most(0, 5), 2), round(at_most(0, 30), 2), round(at_most(1, 22), 2)
    (0.45, 0.1, 0.2)
    """
    if said >= chats:
        return 1.0
    low, high = 0.0, 1.0
    for _ in range(_STEPS):
        middle = (low + high) / 2
        if _at_most_so_many(said, chats, middle) > 1 - certainty:
            low = middle
        else:
            high = middle
    return high


def _at_most_so_many(said: int, chats: int, share: float) -> float:
    return sum(comb(chats, one) * share**one * (1 - share) ** (chats - one) for one in range(said + 1))


def chance_of_fall(*, said_before: int, before: int, said_after: int, after: int) -> float:
    """Return how likely chance alone makes such a fall, or a greater one: Fisher's exact test, one-sided.

    >>> round(chance_of_fall(said_before=4, before=6, said_after=0, after=9), 3)
    0.011
    """
    said, chats = said_before + said_after, before + after
    whole = comb(chats, said)
    fewest = max(0, said - before)
    return sum(comb(after, kept) * comb(before, said - kept) for kept in range(fewest, said_after + 1)) / whole


def no_effect(said_before: int, before: int, said_after: int, after: int) -> bool:
    """Tell whether there are chats enough to see a change, and none is seen."""
    chances = _chances(said_before, before, said_after, after)
    return min(before, after) >= ENOUGH and min(chances) > 1 - CERTAINTY


def _chances(said_before: int, before: int, said_after: int, after: int) -> tuple[float, float]:
    fall = chance_of_fall(said_before=said_before, before=before, said_after=said_after, after=after)
    rise = chance_of_fall(said_before=before - said_before, before=before, said_after=after - said_after, after=after)
    return fall, rise


def difference_in_words(*, said_before: int, before: int, said_after: int, after: int) -> str:
    """Say what changed, if that is more than chance, else that nothing did; nothing where too little is known.

    >>> difference_in_words(said_before=2, before=3, said_after=0, after=2)
    ''
    >>> difference_in_words(said_before=9, before=12, said_after=0, after=30)
    'less often than before: said in 9 of 12 such chats, since then in 0 of 30 (p < 0.001)'
    """
    if not before or not after or not said_before:
        return ""
    counts = f"said in {said_before} of {before} such chats, since then in {said_after} of {after}"
    fall, rise = _chances(said_before, before, said_after, after)
    if fall <= 1 - CERTAINTY:
        return f"less often than before: {counts} ({_as_p(fall)})"
    if rise <= 1 - CERTAINTY:
        return f"more often than before: {counts} ({_as_p(rise)})"
    return f"no measurable effect: {counts}" if min(before, after) >= ENOUGH else ""


def _as_p(chance: float) -> str:
    return f"p = {chance:.2g}" if chance >= 0.001 else "p < 0.001"


@dataclass(frozen=True, slots=True, kw_only=True)
class Force:
    """The time since when a rule is in force, and how that is known."""

    since: int
    """Milliseconds since the epoch."""
    source: SinceFrom
    fact_id: str = ""
    """Of the fact that was applied there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleCase:
    """All that is known of one rule."""

    rule: RuleLine
    force: Force
    reading: FileReading
    said: Sequence[tuple[int, NotedSentence]]
    """What says it, each with the place of its chat, in any order."""
    earliest: int | None = None
    """Chats that began before this do not count; milliseconds since the epoch."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Counted:
    """Sets of chats."""

    since: int
    exposed: int
    unread: int
    """In which it mattered, and whose assistant had not read it."""
    before: int


def judge(case: RuleCase, table: ChatTable) -> HeldRule:
    """Say what became of a rule."""
    said = sorted(case.said, key=lambda one: (table.chats[one[0]].begun or 0, one[1].turn))
    counted = _counted(case, table, said)
    again = [remark for remark in said if counted.exposed >> remark[0] & 1]
    unread = [remark for remark in said if counted.unread >> remark[0] & 1]
    earlier = [remark for remark in said if _is_before(table, remark[0], case)]
    not_read = _not_read(case, table, counted.unread)
    chats, times = counted.exposed.bit_count(), len({place for place, _ in again})
    outcome = _outcome(case, counted, said_in=times, is_said_unread=bool(unread))
    before = len({place for place, _ in earlier if counted.before >> place & 1})
    return HeldRule(
        id=case.rule.id,
        uri=case.rule.uri,
        line=case.rule.line,
        last_line=case.rule.last,
        content=case.rule.raw,
        heading=case.rule.heading,
        fact_id=case.force.fact_id,
        since=case.force.since,
        since_from=case.force.source,
        outcome=outcome,
        why=_why(
            outcome,
            chats=chats,
            said_in=times,
            counted=counted,
            known=table.known,
            not_read=not_read,
            is_said_unread=bool(unread),
        ),
        chats=(counted.since & table.known).bit_count(),
        exposed=_rows(table, counted.exposed),
        said_again=_as_said(table, again),
        not_read=not_read,
        said_unread=_as_said(table, unread),
        exposed_before=_rows(table, counted.before),
        said_before=_as_said(table, earlier),
        at_most=round(at_most(times, chats), 3) if chats else 1.0,
        difference=difference_in_words(
            said_before=before, before=counted.before.bit_count(), said_after=times, after=chats
        ),
    )


def _counted(case: RuleCase, table: ChatTable, said: Sequence[tuple[int, NotedSentence]]) -> _Counted:
    """Tell the chats apart: since and before it was in force, exposed or not."""
    reading = case.reading
    told = table.of(place for place, _ in said)
    about = table.of(reading.concerned) if reading.is_narrow else table.about(words_of_rule(case.rule.text))
    matters = (about | told) & table.known
    counting = table.begun_since(case.earliest) if case.earliest is not None else table.all
    since = table.begun_since(case.force.since) & counting
    first = told & -told  # the chat in which it was said first is why the rule exists, and says nothing of how often
    read = table.of(reading.read)
    return _Counted(
        since=since,
        exposed=matters & since & read,
        unread=matters & since & ~read,
        before=matters & counting & ~table.begun_since(case.force.since) & ~first,
    )


def _is_before(table: ChatTable, place: int, case: RuleCase) -> bool:
    begun = table.chats[place].begun
    return begun is not None and begun < case.force.since


def _outcome(case: RuleCase, counted: _Counted, *, said_in: int, is_said_unread: bool) -> HeldOutcome:
    """Return the outcome; a rule that nobody was exposed to never fails to hold."""
    chats = counted.exposed.bit_count()
    if said_in:
        is_rare = at_most(said_in, chats) <= HARDLY
        return HeldOutcome.HOLDS if is_rare else HeldOutcome.DOES_NOT_HOLD
    if chats >= ENOUGH:
        return HeldOutcome.HOLDS
    is_unread = counted.unread and (not chats or is_said_unread)
    return HeldOutcome.NOT_LOADED if is_unread else HeldOutcome.UNTESTED


def _why(  # noqa: PLR0913  (what a sentence is made of)
    outcome: HeldOutcome,
    *,
    chats: int,
    said_in: int,
    counted: _Counted,
    known: int,
    not_read: Sequence[NotReadBy],
    is_said_unread: bool,
) -> str:
    """Say the outcome in a sentence."""
    mattered = f"{chats} {'chat' if chats == 1 else 'chats'}"
    if outcome is HeldOutcome.DOES_NOT_HOLD:
        share = f"{said_in} of the {mattered}" if chats > 1 else "the only chat"
        return f"said again in {share} where it was relevant and had been read"
    if outcome is HeldOutcome.HOLDS:
        text = f"said again in only {said_in} of the" if said_in else "not said again in"
        sure = f"95 % confidence: fewer than {_percent(at_most(said_in, chats))} of such chats"
        return f"{text} {mattered} where it was relevant and had been read ({sure})"
    if outcome is HeldOutcome.NOT_LOADED:
        missed = counted.unread.bit_count()
        again = ", and you said it again there" if is_said_unread else ""
        whys = "; ".join(dict.fromkeys(unread.why for unread in not_read))
        return (
            f"relevant in {missed} {'chat' if missed == 1 else 'chats'} whose assistant had not read it{again}: {whys}"
        )
    if not counted.since:
        return "no chats have started since it took effect"
    if not chats and not counted.since & known:
        return "it is unknown what the assistants in the chats since then read"
    if not chats:
        return "no chat since then shows that it was relevant"
    return f"not said again, but relevant in only {mattered} that had read it; at least {ENOUGH} are needed"


def _percent(share: float) -> str:
    return f"{-(-share * 100 // 1):.0f} %"


def _not_read(case: RuleCase, table: ChatTable, unread: int) -> tuple[NotReadBy, ...]:
    """Count by assistant the chats that had not read it."""
    counts: dict[str, int] = {}
    for place in table.places(unread):
        name = table.chats[place].assistant
        counts[name] = counts.get(name, 0) + 1
    by_count = sorted(counts.items(), key=lambda one: (-one[1], one[0]))
    unknown = "it was not loaded there"
    return tuple(
        NotReadBy(assistant=name, chats=chats, why=case.reading.why_not.get(name, unknown)) for name, chats in by_count
    )


def _rows(table: ChatTable, chats: int) -> tuple[ChatRow, ...]:
    return tuple(
        ChatRow(session_id=one.session_id, at=one.begun or 0, assistant=one.assistant, path=one.place)
        for one in (table.chats[place] for place in table.places(chats))
    )


def _as_said(table: ChatTable, said: Sequence[tuple[int, NotedSentence]]) -> tuple[SaidAgain, ...]:
    return tuple(
        SaidAgain(
            session_id=table.chats[place].session_id,
            turn=one.turn,
            quote=one.quote,
            rule=one.rule,
            at=datetime.fromtimestamp(one.at / 1000, tz=UTC) if one.at is not None else None,
            assistant=table.chats[place].assistant,
            is_correction=one.is_correction,
        )
        for place, one in said
    )
