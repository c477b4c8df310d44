"""The judgement of one rule: who had read it where it mattered, and was it said again. Pure."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Sequence, Set
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from itertools import groupby
from math import comb
from typing import NamedTuple

from memsuggest.core.identity import hash_of, normalised
from memsuggest.core.model import Target
from memsuggest.core.render.page import count
from memsuggest.core.text.likeness import words_of
from memsuggest.core.text.small_words import ALTERNATIVES
from memsuggest.core.text.stems import stem
from memsuggest.core.text.words import word_set
from memsuggest.customizations.blocks.scan import BlockKind
from memsuggest.customizations.kept_index import Keep, made_anew
from memsuggest.files import digest_of
from memsuggest.held.chat_note import ChatNote, NotedSentence
from memsuggest.held.file_reading import FileReading
from memsuggest.held.held_report import ChatRow, HeldOutcome, HeldRule, NotReadBy, RuleLine, SaidAgain, SinceFrom
from memsuggest.judging.offline.cues import is_normative
from memsuggest.suggestions.existing_rules import existing_rules_of

MOST_NEEDED = 4  # words of a rule that are enough, however long it is
OF_ANY_CHAT = word_set(
    "code file new project chang make work write run add keep put call set take possibl where tri instead"
)
"""Words that occur in any chat about software, whatever it is about."""
_ACTIVITIES = frozenset(map(stem, ("commit", "changelog", "migration", "release", "docstring", "readme", "deployment")))
"""What a short rule that begins with it is about by this word alone: where something is committed, how to matters."""
_SHORT = 4  # words of weight


class ChatTable:
    """Dated chats, the oldest first, and where some words occur in them. A set of chats is one of their places."""

    def __init__(self, chats: Iterable[ChatNote], *, words: Collection[str]) -> None:
        dated = (chat for chat in chats if chat.begun is not None)
        self.chats: Sequence[ChatNote] = sorted(dated, key=lambda chat: (chat.begun, chat.session_id, chat.place))
        self.known = frozenset(place for place, chat in enumerate(self.chats) if chat.assistant)
        """Chats of which it is known what their assistant reads."""
        self._chat_of: list[int] = []
        """By the number of each exchange, its chat."""
        self._by_word: dict[str, set[int]] = defaultdict(set)
        wanted = frozenset(words)
        for place, chat in enumerate(self.chats):
            for here in chat.exchanges.values() if wanted else ():
                for word in wanted & here:
                    self._by_word[word].add(len(self._chat_of))
                self._chat_of.append(place)

    def since(self, at: int | None) -> frozenset[int]:
        """Return the chats that began at a time or later; all of them for None."""
        first = 0 if at is None else bisect_left(self.chats, at, key=lambda chat: chat.begun or 0)
        return frozenset(range(first, len(self.chats)))

    def about(self, words: RuleWords) -> set[int]:
        """Return the chats in which enough of a rule's words occur in one message and its answer."""
        found = Counter(number for forms in words.forms for number in self._with_any(forms))
        many = len(words.forms)
        needed = min(MOST_NEEDED, many if many <= 2 else (many + 1) // 2)  # half of them, both of two
        enough = {number for number, times in found.items() if times >= needed} | self._with_any(words.activity)
        return {self._chat_of[number] for number in enough}

    def _with_any(self, forms: Iterable[str]) -> set[int]:
        return set[int]().union(*(self._by_word.get(form, ()) for form in forms))


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleWords:
    """The words by which a chat is about a rule."""

    forms: tuple[frozenset[str], ...]
    """Each with those that stand for the same choice."""
    activity: frozenset[str] = frozenset()
    """What a rule is about that is about one thing that is done: its word alone is enough."""


def words_of_rule(rule: str) -> RuleWords:
    """Return the words by which a chat is about a rule.

    >>> words_of_rule("Use pnpm, never npm.").forms[0] >= {"pnpm", "npm", "yarn"}
    True
    >>> sorted(words_of_rule("Write commit messages in the imperative.").activity)
    ['commit']
    """
    words = [word for word in (each.strip("/") for each in words_of(rule)) if word]
    found: dict[frozenset[str], None] = {}
    for word in sorted(set(words) - OF_ANY_CHAT):
        members = next((group.split() for group in ALTERNATIVES if word in group.split()), [])
        found[frozenset({word, *members, *map(stem, members)})] = None
    subject = [word for word in words if word not in OF_ANY_CHAT][:2]
    activity = _ACTIVITIES.intersection(subject) if len(found) <= _SHORT else frozenset()
    return RuleWords(forms=tuple(found), activity=frozenset(activity))


_KINDS = (BlockKind.ITEM, BlockKind.PARAGRAPH)
_FEWEST, _LONGEST = 2, 120  # words of a rule


def rule_lines_of(target: Target, *, keep: Keep = made_anew) -> list[RuleLine]:
    """Return the rules of a file, in its order; what merely tells or introduces is none."""
    key = target.digest or digest_of(target.text)
    rows = keep("rule lines", target.uri, key, lambda: [asdict(rule) for rule in _rules_in(target, keep)])
    return [RuleLine(**row) for row in rows]


def _rules_in(target: Target, keep: Keep) -> list[RuleLine]:
    headings = {start: section.heading for section in target.sections for start in range(section.start, section.end)}
    found = sorted(
        (rule for rule in existing_rules_of(target, keep=keep) if rule.block.kind in _KINDS), key=lambda rule: rule.line
    )
    rules: dict[str, RuleLine] = {}
    for line, group in groupby(found, key=lambda rule: rule.line):
        parts = list(group)
        whole = parts[0]
        name = hash_of("rule", target.uri, normalised(whole.raw))
        is_rule = any(
            _FEWEST <= len(part.text.split()) <= _LONGEST and not part.raw.endswith(":") and is_normative(part.text)
            for part in parts
        )
        if is_rule and name not in rules:
            rules[name] = RuleLine(
                id=name,
                uri=target.uri,
                line=line,
                last_line=whole.block.end,
                content=whole.raw,
                heading=headings.get(line - 1, ""),
                text=whole.text,
            )
    return list(rules.values())


CERTAINTY = 0.95
ENOUGH = 5
"""Chats without it being said again from which a rule holds: with these one can be 95 % sure that it will be said again
in fewer than half of such chats; with four, not."""
HARDLY = 0.2  # share of chats up to which a rule holds though it was said again, if one can be sure that it is no more
_STEPS = 40


def at_most(said: int, chats: int) -> float:
    """Return the highest share that goes with saying it again in so many of these chats.

    >>> round(at_most(0, 5), 2), round(at_most(0, 30), 2), round(at_most(1, 22), 2)
    (0.45, 0.1, 0.2)
    """
    if said >= chats:
        return 1.0
    low, high = 0.0, 1.0
    for _ in range(_STEPS):
        share = (low + high) / 2
        chance = sum(comb(chats, times) * share**times * (1 - share) ** (chats - times) for times in range(said + 1))
        low, high = (share, high) if chance > 1 - CERTAINTY else (low, share)
    return high


def chance_of_fall(*, said_before: int, before: int, said_after: int, after: int) -> float:
    """Return how likely chance alone makes such a fall, or a greater one: Fisher's exact test, one-sided.

    >>> round(chance_of_fall(said_before=4, before=6, said_after=0, after=9), 3)
    0.011
    """
    said = said_before + said_after
    ways = (comb(after, kept) * comb(before, said - kept) for kept in range(max(0, said - before), said_after + 1))
    return sum(ways) / comb(before + after, said)


def no_effect(said_before: int, before: int, said_after: int, after: int) -> bool:
    """Tell whether there are chats enough to see a change, and none is seen."""
    return min(before, after) >= ENOUGH and min(_chances(said_before, before, said_after, after)) > 1 - CERTAINTY


def _chances(said_before: int, before: int, said_after: int, after: int) -> tuple[float, float]:
    fall = chance_of_fall(said_before=said_before, before=before, said_after=said_after, after=after)
    rise = chance_of_fall(said_before=before - said_before, before=before, said_after=after - said_after, after=after)
    return fall, rise


def difference_in_words(*, said_before: int, before: int, said_after: int, after: int) -> str:
    """Say what changed, if that is more than chance, else that nothing did; nothing where too little is known.

    >>> difference_in_words(said_before=2, before=3, said_after=0, after=2)
    ''
    >>> difference_in_words(said_before=9, before=12, said_after=0, after=30)
    'less often than before: said in 9 of 12 relevant chats before, 0 of 30 since (p < 0.001)'
    """
    if not before or not after or not said_before:
        return ""
    counts = f"said in {said_before} of {before} relevant chats before, {said_after} of {after} since"
    for how, chance in zip(("less", "more"), _chances(said_before, before, said_after, after), strict=True):
        if chance <= 1 - CERTAINTY:
            p = f"p = {chance:.2g}" if chance >= 0.001 else "p < 0.001"
            return f"{how} often than before: {counts} ({p})"
    return f"no measurable effect: {counts}" if min(before, after) >= ENOUGH else ""


class Force(NamedTuple):
    """The time since when a rule is in force in milliseconds, how that is known, and the fact that was applied."""

    since: int
    source: SinceFrom
    fact_id: str = ""


Said = Sequence[tuple[int, NotedSentence]]  # what says a rule, each with the place of its chat


def judge(
    rule: RuleLine, force: Force, reading: FileReading, said: Said, table: ChatTable, *, earliest: int | None
) -> HeldRule:
    """Say what became of a rule; chats that began before `earliest` do not count."""
    said = sorted(said, key=lambda remark: (table.chats[remark[0]].begun or 0, remark[1].turn))
    told = {place for place, _ in said}
    about = reading.concerned if reading.is_narrow else table.about(words_of_rule(rule.text))
    counting, later = table.since(earliest), table.since(force.since)
    mattered = (about | told) & table.known & counting
    exposed = mattered & later & reading.read
    unread = (mattered & later) - reading.read
    # the chat in which it was said first is why the rule exists, and says nothing of how often
    before = mattered - later - ({min(told)} if told else set())
    assistants = Counter(sorted(table.chats[place].assistant for place in unread))
    not_read = tuple(
        NotReadBy(assistant=name, chats=chats, why=reading.why_not.get(name, "the file was not loaded"))
        for name, chats in assistants.most_common()
    )
    said_in = len(told & exposed)
    if said_in or len(exposed) >= ENOUGH:
        outcome, why = _of_exposed(said_in, len(exposed))
    elif unread and (not exposed or told & unread):
        outcome = HeldOutcome.NOT_LOADED
        again = " and you repeated it" if told & unread else ""
        whys = "; ".join(dict.fromkeys(row.why for row in not_read))
        why = f"the rule was relevant{again} in {count(len(unread), 'chat', 'chats')} without being read: {whys}"
    else:
        outcome, why = HeldOutcome.UNTESTED, _why_untested(len(exposed), later & counting, table.known)
    return HeldRule(
        **asdict(rule),
        fact_id=force.fact_id,
        since=force.since,
        since_from=force.source,
        outcome=outcome,
        why=why,
        chats=len(later & counting & table.known),
        exposed=_rows(table, exposed),
        said_again=_as_said(table, said, exposed),
        not_read=not_read,
        said_unread=_as_said(table, said, unread),
        exposed_before=_rows(table, before),
        said_before=_as_said(table, said, table.since(None) - later),
        at_most=round(at_most(said_in, len(exposed)), 3),
        difference=difference_in_words(
            said_before=len(told & before), before=len(before), said_after=said_in, after=len(exposed)
        ),
    )


def _of_exposed(said_in: int, chats: int) -> tuple[HeldOutcome, str]:
    share = at_most(said_in, chats)
    if said_in and share > HARDLY:
        where = f"{said_in} of the {chats} chats" if chats > 1 else "the only chat"
        return HeldOutcome.DOES_NOT_HOLD, f"repeated in {where} where the rule was relevant and had been read"
    text = f"repeated in only {said_in} of the" if said_in else "not repeated in"
    sure = f"95% confidence: fewer than {-(-share * 100 // 1):.0f}% of such chats"
    return HeldOutcome.HOLDS, f"{text} {chats} chats where the rule was relevant and had been read ({sure})"


def _why_untested(exposed: int, later: Set[int], known: Set[int]) -> str:
    if not later:
        return "no chats have started since the rule took effect"
    if exposed:
        chats = count(exposed, "chat", "chats")
        return f"not repeated, but read and relevant in only {chats}; at least {ENOUGH} chats are needed"
    if not later & known:
        return "there is no record of which files assistants read in later chats"
    return "the rule was not relevant in any later chat"


def _rows(table: ChatTable, chats: Set[int]) -> tuple[ChatRow, ...]:
    return tuple(
        ChatRow(session_id=chat.session_id, at=chat.begun or 0, assistant=chat.assistant, path=chat.place)
        for chat in (table.chats[place] for place in sorted(chats))
    )


def _as_said(table: ChatTable, said: Said, chats: Set[int]) -> tuple[SaidAgain, ...]:
    return tuple(
        SaidAgain(
            session_id=table.chats[place].session_id,
            turn=remark.turn,
            quote=remark.quote,
            rule=remark.rule,
            at=datetime.fromtimestamp(remark.at / 1000, tz=UTC) if remark.at is not None else None,
            assistant=table.chats[place].assistant,
            is_correction=remark.is_correction,
        )
        for place, remark in said
        if place in chats
    )
