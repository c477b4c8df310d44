"""Remedies for a rule that does not hold, or that nobody read: the fitting ones, best first. Pure.

Each has its reason in what is known of the rule: its words, its file, who had read it, what was said instead.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from memsuggest.core.model import MemoryFact, Target, TargetType
from memsuggest.core.text.likeness import details_of, keys_of, likeness
from memsuggest.customizations.loading import cost_of
from memsuggest.held.chat_note import CLAUDE, CODEX, COPILOT_CLI, CURSOR, GEMINI, OPENCODE, PI, VS_CODE
from memsuggest.held.held_report import HeldOutcome, HeldRule, Remedy, RemedyKind

MOST = 3  # remedies that are offered for one rule
_POSSIBLE = r"(?:if|where|when(?:ever)?)\s+(?:it\s+is\s+)?(?:possible|feasible|practical|appropriate)"
_WE = r"^(?:(?:you|we)\s+)"
_HEDGES = tuple(
    (re.compile(form, re.IGNORECASE), plain)
    for form, plain in (
        (rf"^{_POSSIBLE}\s*,\s*", ""),
        (rf"\s*(?:,\s*|\(\s*)?\b{_POSSIBLE}\s*\)?(?=[.!]?\Z)", ""),
        (rf"{_WE}?prefer\s+(?:to\s+use|using)\s+(?!of\b)", "use "),
        (rf"{_WE}?prefer\s+to\s+(?=[a-z]+\s)(?!not\b|be\b|have\b)", ""),
        (rf"{_WE}?prefer\s+(?=`|\w[^.]*\b(?:over|instead\s+of|rather\s+than)\b)(?!to\b|not\b|[a-z]+ing\b)", "use "),
        (r"^(?:please\s+)?(?:try|aim)\s+to\s+(?!be\b|have\b)", ""),
        (rf"{_WE}(?:should|could|may\s+want\s+to|might\s+want\s+to)\s+(?!be\b|have\b|see\b|get\b|not\b|prefer)", ""),
        (r"^consider\s+using\s+", "use "),
        (r"^(?:ideally|generally|usually|normally|in\s+general)\b\s*,?\s*", ""),
    )
)
"""Words that leave it to whoever reads a rule, and what stands in their place where nothing is left to anybody."""
_BOUND = re.compile(r"\b(?:unless|except|only|otherwise|but)\b", re.IGNORECASE)
"""Words on which a hedge may rest: without it, another rule would be left."""
_BROKEN = re.compile(r"^[^\w`*\"'\[(“]|\(\s*\)|\b(\w+)\s+\1\b|\s[,.;:]", re.IGNORECASE)  # what is no sentence any more
_OWN_FILE = {
    CLAUDE: "`CLAUDE.md`",
    CODEX: "`AGENTS.md`",
    CURSOR: "`AGENTS.md`",
    GEMINI: "`GEMINI.md`",
    VS_CODE: "`AGENTS.md` or `.github/copilot-instructions.md`",
    COPILOT_CLI: "`AGENTS.md` or `.github/copilot-instructions.md`",
    OPENCODE: "`AGENTS.md`",
    PI: "`AGENTS.md`",
}
POINTER = "@AGENTS.md"  # the line by which Claude Code and Gemini CLI read another file in
_POINTING = {CLAUDE: "CLAUDE.md", GEMINI: "GEMINI.md"}
"""Assistants that read no `AGENTS.md` by themselves, and the file in which they would be pointed to it."""


def remedies_for(rule: HeldRule, target: Target, *, contradicting: MemoryFact | None = None) -> tuple[Remedy, ...]:
    """Return what could be done about a rule; nothing where it holds, or where nothing is known of it.

    `contradicting` is what the person said later and otherwise.
    """
    if rule.outcome is HeldOutcome.DOES_NOT_HOLD:
        return tuple(_for_unheeded(rule, target, contradicting))[:MOST]
    most = MOST if rule.outcome is HeldOutcome.NOT_LOADED else 1 if rule.said_unread else 0
    return tuple(_other_files(rule, target))[:most]


def _for_unheeded(rule: HeldRule, target: Target, contradicting: MemoryFact | None) -> Iterator[Remedy]:
    if contradicting is not None:
        what, why = (
            "remove the line, or update it to match what you say now",
            f"you have since said: “{contradicting.content}”",
        )
        yield Remedy(kind=RemedyKind.REMOVE, what=what, why=why, text=contradicting.content)
    if firmer := firmer_words(rule.content):
        hedge, text = firmer
        why = f"“{hedge}” leaves the choice to the reader"
        yield Remedy(kind=RemedyKind.SHARPER, what="make the rule unconditional", why=why, text=text)
    elif clearer := _clearer_words(rule):
        what, why = "use the wording of your correction", "your correction is clearer than the line in the file"
        yield Remedy(kind=RemedyKind.SHARPER, what=what, why=why, text=clearer)
    tokens, budget = cost_of(target)
    if budget is not None and tokens > budget:  # the line is lost in a long file
        what = "move the rule to a file that applies only where the rule is relevant, or shorten this file"
        why = f"`{rule.uri}` costs about {tokens:,} tokens, and assistants overlook lines in long files"
        yield Remedy(kind=RemedyKind.OTHER_FILE, what=what, why=why)
    what, why = "add a good and a bad example next to the rule", "an example is clearer than a description"
    yield Remedy(kind=RemedyKind.EXAMPLE, what=what, why=why)


def firmer_words(content: str) -> tuple[str, str] | None:
    """Return what leaves a choice in a rule, and the rule without it; None where there is nothing, or no sure way.

    >>> firmer_words("When possible, prefer using pnpm.")
    ('When possible', 'Use pnpm.')
    """
    if _BOUND.search(content):
        return None
    plain, hedge = content, ""
    for form, instead in _HEDGES:
        if found := form.search(plain):
            hedge = hedge or found[0].strip(" ,()")
            plain = plain[: found.start()] + instead + plain[found.end() :]
    plain = plain[:1].upper() + plain[1:]
    return (hedge, plain) if hedge and not _BROKEN.search(plain) else None


def _clearer_words(rule: HeldRule) -> str:
    """Return a later wording that says all of the line, and forbids or names more; empty where none does."""
    line, negated = keys_of(rule.content), details_of(rule.content).negated
    for said in reversed(rule.said_again):
        words = keys_of(said.rule)
        is_firmer = len(details_of(said.rule).negated) > len(negated) or len(words) > len(line) + 1
        if is_firmer and line <= words and likeness(said.rule, rule.content) >= 0.4:  # nothing of the line is lost
            return said.rule
    return ""


def _other_files(rule: HeldRule, target: Target) -> Iterator[Remedy]:
    folder, slash, name = target.uri.rpartition("/")
    for unread in rule.not_read:
        chats = f"{unread.chats} {'chat' if unread.chats == 1 else 'chats'}"
        why = f"{unread.assistant} did not read `{rule.uri}` in {chats}"
        own = _OWN_FILE.get(unread.assistant, "")
        if target.type is not TargetType.INSTRUCTIONS:
            what = "if the rule must always apply, move it to a file that is always loaded"
        elif name == "AGENTS.md" and (pointing := _POINTING.get(unread.assistant)):
            what = f"next to `AGENTS.md`, add a `{pointing}` with the line `{POINTER}`"
            uri = f"{folder}{slash}{pointing}"
            yield Remedy(kind=RemedyKind.OTHER_FILE, what=what, why=why, text=POINTER, uri=uri)
            continue
        elif target.applies_to and not target.always_on and unread.assistant in (VS_CODE, COPILOT_CLI):
            what = f"widen `applyTo: {target.applies_to}`, or move the rule to {own}"
        else:
            what = f"also add the rule to {own}, which {unread.assistant} reads" if own else ""
        if what:
            yield Remedy(kind=RemedyKind.OTHER_FILE, what=what, why=why)
