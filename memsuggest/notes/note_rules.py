"""From a note's statements to rules that may be suggested: worded, without private things, and for whom. Pure."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from memsuggest.extraction.safety import disguised, refused, weakens_safety
from memsuggest.model import Scope
from memsuggest.notes.form import LONGEST, is_personal, is_sentence, reports
from memsuggest.notes.note import NoteRule
from memsuggest.notes.private import private_in, without_private

if TYPE_CHECKING:
    from collections.abc import Collection

    from memsuggest.notes.note import NoteText, Statement

UNSAFE = "a rule that weakens safety"
_OF_USER = re.compile(
    r"\A(?:the\s)?user\s(?:(?:has\s)?(?:explicitly|strongly|clearly)\s)?"
    r"(?P<verb>wants?|prefers?|requires?|expects?|asked|asks|requested|likes?|stated|said)\s"
    r"(?P<link>(?:me\s|claude\s)?to\s|for\s|that\s)?(?P<rest>.+)\Z",
    re.IGNORECASE | re.DOTALL,
)
_OF_SELF = re.compile(
    r"\A(?P<when>(?:when|if|before|after|for)\b[^,]{3,90},\s)?i\s(?:should|must|will|need to|have to|am to|shall)\s"
    r"(?P<never>not\s|never\s)?(?P<rest>.+)\Z",
    re.IGNORECASE | re.DOTALL,
)
_STILL_SELF = re.compile(r"(?<![\w`])(?:I|I['’](?:m|ll|ve|d)|me|my|mine|myself)(?![\w`/.-])")
_SLUG = re.compile(r"\A[\w.-]+\Z")


def rules_of(
    note: NoteText, *, is_users: bool = False, names: Collection[str] = ()
) -> tuple[tuple[NoteRule, ...], tuple[str, ...]]:
    """Return the rules of a note, and what was private in its statements."""
    found, private = dict[str, NoteRule](), list[str]()
    for statement in note.statements:
        rule, kinds = rule_of(statement, is_users=is_users or note.type == "user", names=names)
        private += kinds
        if rule is not None:
            found.setdefault(rule.content.casefold(), rule)
    return tuple(found.values()), tuple(dict.fromkeys(private))


def rule_of(statement: Statement, *, is_users: bool, names: Collection[str]) -> tuple[NoteRule | None, tuple[str, ...]]:
    """Return the rule that a statement comes to, and what is private in it; none where no rule remains."""
    private = private_in(statement.text, names=names)
    content = capitalised(turned(without_private(statement.text, names=names)))
    if not is_sentence(content) or len(content) > LONGEST * 1.5 or _SLUG.match(content) or refused(content):
        return None, private
    why = _why_personal(content, is_users=is_users)
    scope = Scope.USER if why else Scope.WORKSPACE
    if weakens_safety(content) or disguised(content):
        return None, (*private, UNSAFE)
    return NoteRule(content=content, scope=scope, line=statement.line, why=why), private


def turned(text: str) -> str:
    """Return what an assistant wrote of its person or of itself as an order; nothing where that cannot be.

    >>> turned("When a query is slow, I should look at its plan first.")
    'When a query is slow, look at its plan first.'
    >>> turned("The user wants me to keep every migration reversible.")
    'keep every migration reversible.'
    """
    if found := _OF_SELF.match(text):
        text = f"{found['when'] or ''}{'never ' if found['never'] else ''}{found['rest']}"
    elif found := _OF_USER.match(text):
        is_liking = found["verb"].lower().startswith(("prefer", "like")) and not found["link"]
        text = f"prefer {found['rest']}" if is_liking else found["rest"]
    return "" if _STILL_SELF.search(text) or reports(text) else text


def capitalised(text: str) -> str:
    """Begin a sentence with a capital letter, unless it begins with a name."""
    return text[:1].upper() + text[1:] if re.match(r"[a-zà-ÿ]+[\s,]", text) else text


def _why_personal(content: str, *, is_users: bool) -> str:
    """Say why a rule is offered for the person's own file alone; nothing for one of the team."""
    if is_users:
        return "it is about you, everywhere"
    return "it is about you, or about how the assistant itself works" if is_personal(content) else ""
