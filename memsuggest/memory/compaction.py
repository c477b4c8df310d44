"""The choice of a memory that makes room for a new one: by rule, or by a model's answer, checked. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Literal

from pydantic import Field
from rapidfuzz import fuzz

from memsuggest.core.model import AppAction, AppMaker, AppMemory
from memsuggest.judging.asking.json_object import read_as
from memsuggest.judging.asking.question import Purpose, Question
from memsuggest.judging.by_model.conversation_question import ReplyPart, question_of
from memsuggest.judging.by_model.session_text import as_line
from memsuggest.memory.app_memory import BY_HAND, LENGTH, Compaction, day_of

SAME = 88
"""The likeness, of 100, from which two memories tell of the same."""
_MERGED = 0.8
"""Share of a merged wording's words that stand in what it merges."""
REASON = 160
"""Characters of a reason that are kept."""
_TELLING = re.compile(r"\d[\w.]*|\b(?:not|no|never|nicht|kein\w*|nie|pas|jamais|non?|nunca)\b|n't\b", re.IGNORECASE)
"""Words that make another statement of the same words: a number, a negation."""


def by_rule(stored: Sequence[AppMemory], new: AppMemory) -> Compaction:
    """Merge the new memory into one that tells the same, else let the least important one go, the oldest of them.

    What the person wrote by hand is neither reworded nor let go of while there is anything else.
    """
    same = [
        memory
        for memory in stored
        if memory.maker is not AppMaker.PERSON and tells_the_same(memory.content, new.content)
    ]
    if same:
        target = max(same, key=lambda item: (item.updated_at, item.id))
        return Compaction(
            action=AppAction.MERGE, target=target.id, content=new.content, reason="the new memory says the same thing"
        )
    least = min(stored, key=lambda item: (item.importance, item.updated_at, item.id))
    return Compaction(action=AppAction.DELETE, target=least.id, reason="the oldest of the least important memories")


def oldest_first(stored: Sequence[AppMemory], *, why: str) -> Compaction:
    """Let the oldest memory go; of what the person wrote by hand only when there is nothing else."""
    oldest = min(stored, key=lambda item: (item.importance >= BY_HAND, item.created_at, item.id))
    return Compaction(action=AppAction.DELETE, target=oldest.id, reason=f"the oldest memory; {why}"[:REASON])


def tells_the_same(item: str, other: str) -> bool:
    """Tell whether two memories say the same; never when a number or a negation differs.

    >>> tells_the_same("Asked: “fix the totals”. Wrote a.py.", "Asked: “fix the totals”. Wrote a.py, too.")
    True
    >>> tells_the_same("Decided: “use port 80”.", "Decided: “use port 90”.")
    False
    """
    if sorted(map(str.casefold, _TELLING.findall(item))) != sorted(map(str.casefold, _TELLING.findall(other))):
        return False
    return fuzz.token_sort_ratio(item.casefold(), other.casefold()) >= SAME


def why_not(decision: Compaction, stored: Sequence[AppMemory], new: AppMemory) -> str:
    """Say why a model's decision may not be carried out; nothing when it may."""
    from memsuggest.judging.offline.derive import is_of, why_not_stored, why_unsafe

    target = next((memory for memory in stored if memory.id == decision.target), None)
    if target is None:
        return "the decision refers to a memory that was not shown"
    if target.importance >= BY_HAND and any(memory.importance < BY_HAND for memory in stored):
        return "the decision changes a memory you added by hand"
    if why_unsafe(decision.reason):
        return "the stated reason is unsafe"
    if decision.action is AppAction.DELETE:
        return ""
    words, sources = decision.content.strip(), (target.content, new.content)
    if not words or len(words) > LENGTH:
        return f"the new text has {len(words)} characters"
    is_of_both = is_of(words, sources, share=_MERGED)
    return why_not_stored(words, sources) or ("" if is_of_both else "the new text adds something new")


class DecisionReply(ReplyPart):
    """The answer to the question what makes room."""

    action: Literal["delete", "edit"]
    target: int = Field(alias="targetMemoryId")
    content: str = Field(alias="newContent")
    reason: str


def compaction_question(stored: Sequence[AppMemory], new: AppMemory, *, token_usage: Mapping[str, int]) -> Question:
    """Ask which memory makes room for a new one."""
    lines = [
        as_line(
            {"id": item.id, "created": day_of(item.created_at), "importance": item.importance, "memory": item.content}
        )
        for item in sorted(stored, key=lambda item: item.id)
    ]
    lines.append(as_line({"new": new.content}))
    return question_of(Purpose.APP_COMPACTION, lines, DecisionReply, about=new.app_id, token_usage=token_usage)


def read_decision(text: str) -> Compaction:
    """Return what a model decided; raises ModelError for an answer of another shape."""
    reply = read_as(DecisionReply, text)
    return Compaction(
        action=AppAction.MERGE if reply.action == "edit" else AppAction.DELETE,
        target=reply.target,
        content=" ".join(reply.content.split()),
        reason=" ".join(reply.reason.split())[:REASON],
        by=AppMaker.MODEL,
    )
