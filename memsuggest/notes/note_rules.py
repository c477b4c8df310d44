"""From a note's statements to rules that may be suggested: worded, without private things, and for whom. Pure."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from memsuggest.core.model import Scope
from memsuggest.core.redact import without_redacted
from memsuggest.core.redact.scan import MARK
from memsuggest.core.text.words import content_words, word_set
from memsuggest.judging.safety import disguised, known_danger, refused
from memsuggest.notes.form import LONGEST, is_personal, is_sentence, lays_down, names_work, reports, sentences
from memsuggest.notes.note import NoteRule, NoteText, Statement

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
_KINDS: tuple[tuple[str, re.Pattern[str]], ...] = (
    (
        "a host",
        re.compile(
            r"(?<![\w.])(?:(?!127\.|0\.0\.0\.0)(?:\d{1,3}\.){3}\d{1,3}(?!\w|\.\d)|\\\\[\w.-]+\\|[\w-]+(?:\.[\w-]+)*\.(?:local|lan|internal|intranet"
            r"|corp|home\.arpa|ts\.net|tailnet)\b(?!\()|ssh\s+\S+@\S+|\w+@[\w-]+:[~/]"
            r"|(?:[\w-]+\.)*(?:(?:internal|intra|corp|private|vpn|stag(?:e|ing)|prod|admin|jira|grafana|jenkins|vault)[\w-]*"
            r"|[a-z][\w-]*-\d+)\.(?:[\w-]+\.)*(?:com|net|org|io|dev|cloud|app|co|de|eu|ai)(?![\w/-]*\.\w))",
            re.IGNORECASE,
        ),
    ),
    (
        "an account",
        re.compile(r"(?<![\w.-])(?:\d{12}|[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})(?![\w.-]*\w)", re.IGNORECASE),
    ),
    ("a user's path", re.compile(r"(?<![\w.])(?:~[\\/]|/(?:home|Users|root|mnt|media|Volumes)/|[A-Z]:[\\/](?=\w))")),
    (
        "money",
        re.compile(
            r"[$€£¥]\s?\d[\d.,]*(?:\s?[kKmM]\b)?|\b\d[\d.,]*\s?(?:EUR|USD|GBP|CHF|KRW|CNY|€|£|원|万元|元)(?!\w)"
            r"|\b(?:salar(?:y|ies)|invoice[ds]?|revenue|payroll|gehalt)\b",
            re.IGNORECASE,
        ),
    ),
    (
        "health",
        re.compile(
            r"\b(?:adhd|autis\w+|dyslexi\w+|depress\w+|diagnos(?:is|ed with)|therap(?:y|ist)|illness|disabilit\w+"
            r"|medication|surgery|pregnan\w+|krankheit|krank(?:geschrieben)?)\b",
            re.IGNORECASE,
        ),
    ),
    (
        "a customer's ticket",
        re.compile(r"\b(?:ticket|customer|client|kunde)\s+(?:[A-Z][\w&.-]+|#\d+)|\b[A-Z]{2,9}-\d{2,6}\b(?<!UTF-8)"),
    ),
)
_PERSON = re.compile(
    r"(?<![`\w./@-])(?P<name>[A-Z][a-zà-ÿ]{1,15})(?:\s[A-Z][a-zà-ÿ]{1,15})?(?:['’]s\s(?=preference|request|decision|laptop|machine|rule|style)"
    r"|\s(?=(?:explicitly\s)?(?:wants?|prefers?|said|asked|likes?|hates?|requested|decided|told|insists?|rejected|corrected"
    r"|reviews|approves|approved|confirmed|complained|thinks|believes|noticed|reported)\b))"
    r"|\b[Aa]sk\s(?P<asked>[A-Z][a-zà-ÿ]{1,15})\b|\b(?i:ask|ping|contact|consult|notify|cc)\s@(?P<handle>\w+)"
)
_NO_NAME = word_set(
    """
    The User He She They It Claude Codex Gemini Copilot Cursor Junie Assistant Agent Team Client Everyone Nobody Who We
    Owner Maintainer Reviewer Project This That Someone Operator Developer Unless Until When While If Once As After
    Before Only Also Not Never Always
    """
)
_MENTIONED = {"home": "a user's path", "email": "a mail address", "phone": "a phone number"}
SHORTEST_NAME = 3


def rules_of(
    note: NoteText, *, is_users: bool = False, names: Collection[str] = ()
) -> tuple[tuple[NoteRule, ...], tuple[str, ...]]:
    """Return the rules of a note, and what was private in its statements."""
    found, private = dict[str, NoteRule](), list[str]()
    for statement in note.statements:
        rule, kinds = rule_of(
            statement, is_users=is_users or note.type == "user", names=names, of_person=note.of_person
        )
        private += kinds
        if rule is not None:
            found.setdefault(rule.content.casefold(), rule)
    return tuple(found.values()), tuple(dict.fromkeys(private))


def rule_of(
    statement: Statement, *, is_users: bool, names: Collection[str], of_person: bool = False
) -> tuple[NoteRule | None, tuple[str, ...]]:
    """Return the rule that a statement comes to, and what is private in it; none where no rule remains.

    `of_person` is whether its note says that it is how one person likes it.
    """
    private = private_in(statement.text, names=names)
    text = next((one for one in _shorter(statement.text) if not _why_out(one, names)), "")
    content = capitalised(turned(text))
    is_cut = content.count('"') % 2 == 1
    if is_cut or not is_sentence(content) or len(content) > LONGEST * 1.5 or _SLUG.match(content) or refused(content):
        is_unsafe = not text and any(map(_is_unsafe, _shorter(without_redacted(statement.text))))
        return None, (*private, UNSAFE) if is_unsafe else private
    if reports(text) and not lays_down(content):
        return None, private
    why = _why_personal(content, is_users=is_users, of_person=of_person)
    scope = Scope.USER if why else Scope.WORKSPACE
    return NoteRule(content=content, scope=scope, line=statement.line, why=why), private


def _shorter(text: str) -> Iterator[str]:
    """Yield a text whole, then without what stands in brackets, in later sentences, behind a dash or a semicolon."""
    yield text
    bare = re.sub(r"\s*\([^()]*\)", "", text)
    first = sentences(bare)[0] if bare.strip() else ""
    yield from (bare, first, re.split(r"\s[—–-]\s|;\s", first)[0])


def _why_out(text: str, names: Collection[str]) -> bool:
    return bool(private_in(text, names=names)) or _is_unsafe(text)


def _is_unsafe(text: str) -> bool:
    content = turned(text)
    return bool(known_danger(content) or disguised(content))


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


def _why_personal(content: str, *, is_users: bool, of_person: bool) -> str:
    if is_users:
        return "it is about you in every repo"
    is_own = is_personal(content) or (of_person and not names_work(content))
    return "it is about you or about how the assistant works" if is_own else ""


def private_in(text: str, *, names: Collection[str] = ()) -> tuple[str, ...]:
    return tuple(dict.fromkeys(_found(text, names)))


def _found(text: str, names: Collection[str]) -> Iterator[str]:
    for one in re.findall(rf"{re.escape(MARK)}:?([\w-]+)", text):
        yield _MENTIONED.get(one, "a secret")
    yield from (kind for kind, pattern in _KINDS if pattern.search(text))
    if people_in(text) or _has_name(text, names):
        yield "a person's name"


def people_in(text: str) -> tuple[str, ...]:
    """Return the people of whom a note says that they want, said or did something."""
    found = (one["name"] or one["asked"] or one["handle"] for one in _PERSON.finditer(text))
    return tuple(dict.fromkeys(name for name in found if name not in _NO_NAME and content_words(name.casefold())))


def _has_name(text: str, names: Collection[str]) -> bool:
    wanted = "|".join(re.escape(name) for name in names if len(name) >= SHORTEST_NAME)
    return bool(wanted) and re.search(rf"(?<!\w)(?:{wanted})(?!\w)", text, re.IGNORECASE) is not None
