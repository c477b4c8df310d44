"""The form of a note in Markdown: its front matter, and the sentences in it that are put as rules. Pure.

Assistants write a note in the same form everywhere, whatever its language: what is to be done comes first, and then,
behind labels in bold type, why and how the assistant itself is to go about it. Only the first is a rule for others.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import replace
from functools import cache
from importlib.resources import files
from itertools import islice

from memsuggest.core.model import Scope
from memsuggest.core.redact import without_redacted
from memsuggest.core.redact.scan import MARK
from memsuggest.core.text.words import content_words, plain, word_set
from memsuggest.customizations.blocks.scan import Block, BlockKind, blocks
from memsuggest.customizations.frontmatter import parse
from memsuggest.judging.offline.cues import is_order
from memsuggest.judging.safety import disguised, known_danger, refused
from memsuggest.notes.note import NoteRule, NoteText, Statement

LONGEST = 200  # characters of a rule
SHORTEST = 12
MOST = 12  # rules of one note
_LABEL = re.compile(
    r"""
    \A\s*
    (?: \*\*(?P<bold>[^*\n]{1,60}?)\s*[:：]?\s*\*\*\s*[:：]? | (?P<bare>[^\W\d][^:：.!?。\n]{1,30})[:：](?=\s) )
    \s*(?P<rest>.*)\Z
    """,
    re.VERBOSE | re.DOTALL,
)
_SENTENCE_END = re.compile(r"(?<=[^\s.][.!?])[\"'”)]?\s+(?=[^a-zà-ÿ])|(?<=[。！？])")
_BOLD = re.compile(r"\*\*")
_LINK = re.compile(r"\[\[([^\]\[]{1,200})\]\]|\[([^\]\[]{1,200})\]\([^)\s]{0,500}\)")
_LEADS_ON = (":", "：", ",")
_DENSE = re.compile(r"[\u3041-\u9fff\uac00-\ud7af]")
_COMMAND = re.compile(r"\b(?:invoke|start|run|use|trigger|type|call)s?\s+`?/[a-z][a-z-]{2,}(?![\w/.])", re.IGNORECASE)
"""A command that is given to the assistant itself."""
_CODE = re.compile(r"`([^`]+)`")
_NAMES = re.compile(r"`[^`]*`|[\w.~-]*[/\\][\w.~/\\-]+|\b[\w-]+\.md\b")
"""Code and paths, whose parts are no words about anything."""


def header_of(text: str) -> NoteText:
    """Read a note's front matter: the values stand by themselves, or below `metadata`."""
    found = parse(text)
    if not found.has_header or not found.is_closed:
        return NoteText(body=text)

    def value(key: str) -> str:
        if (plain := found.string(key)) is not None:
            return plain
        metadata = found.value("metadata")
        inner = metadata.entries if metadata and metadata.kind == "map" else ()
        return next((item.value.text for item in inner if item.key == key and item.value.kind == "scalar"), "")

    body = found.body or ""
    return NoteText(
        title=found.name or "",
        description=found.description or "",
        type=(value("type") or value("node_type").replace("memory", "")).lower(),
        session_id=value("originSessionId"),
        modified=value("modified"),
        body=body,
        line=text[: len(text) - len(body)].count("\n"),
    )


@cache
def _words(section: str) -> re.Pattern[str]:
    text = files("memsuggest.notes").joinpath("words.txt").read_text(encoding="utf-8")
    body = re.search(rf"^\[{section}\]\n((?:(?!\[).*\n?)*)", text, re.MULTILINE)
    words = [word.strip() for word in (body[1] if body else "").replace("\n", ";").split(";") if word.strip()]
    parts = (word if re.search(r"[\u3040-\u9fff\uac00-\ud7af]", word) else rf"(?<!\w){word}(?!\w)" for word in words)
    return re.compile("|".join(parts), re.IGNORECASE)


def demands(text: str) -> bool:
    return _words("demands").match(text) is not None


def reports(text: str) -> bool:
    return _words("persons").match(text) is not None


def lays_down(text: str) -> bool:
    """Tell whether a sentence puts something as a rule, or begins with the case for which it is one."""
    case = _words("cases").match(text)
    return _words("orders").search(text) is not None or is_order(plain(text[case.end() if case else 0 :]))


def is_sentence(text: str) -> bool:
    return len(text) + 2 * len(_DENSE.findall(text)) >= SHORTEST


def is_personal(text: str) -> bool:
    """Tell whether a sentence is about the assistant's own tools, one person, or the talk with them."""
    if _words("credit").search(text) or _words("consent").search(text):
        return False  # whose name stands in a commit, and who agrees to one, are rules like any other
    if _COMMAND.search(text) or any(map(_words("tools").fullmatch, _CODE.findall(text))):
        return True
    bare = _NAMES.sub(" ", text)
    if _words("assistant").search(bare) or _words("person").search(bare):
        return True
    return bool(_words("talk").search(bare)) and bare == text and not _words("artefacts").search(text)


def note_text(note: NoteText) -> NoteText:
    """Return a note with what it puts as rules, and whether they are what one person likes.

    Of feedback all counts that it lays down; of other notes their point, where it demands something.
    """
    said = f"{note.title}\n{note.description}\n{note.body}"
    found = tuple(islice(_statements(note), MOST))
    if note.type != "feedback":
        found = tuple(statement for statement in found[:1] if demands(statement.text))
    return replace(note, statements=found, of_person=_words("likes").search(said) is not None)


def listed(body: str, *, before: int = 0) -> tuple[Statement, ...]:
    """Return the items of a list that order something, a rule each."""
    items = [block for block in blocks(body) if block.kind is BlockKind.ITEM and block.parent is None]
    found = ((shortened(plain_text(item.text), is_whole=True).strip('"'), before + item.start + 1) for item in items)
    rules = (Statement(text=text, line=line) for text, line in found if is_sentence(text) and lays_down(text))
    return tuple(islice(rules, MOST))


def _statements(note: NoteText) -> Iterator[Statement]:
    """Yield what stands before the labels of each part of a note; where that is no rule, what its description says."""
    led = [Statement(text=text, line=note.line + line) for text, line in _leads(note.body)]
    intro = led.pop(0) if led and led[0].text.endswith(_LEADS_ON) else None  # it leads on to a list
    found = [statement for statement in led if is_sentence(statement.text) and not statement.text.endswith(_LEADS_ON)]
    described = shortened(plain_text(note.description))
    first = sentences(found[0].text)[0] if found else ""
    is_weak = intro is not None or reports(first) or not lays_down(first)
    if described and is_weak and (lays_down(described) or not (found or intro)):
        yield Statement(text=described, line=1)
        found = [statement for statement in found[0 if intro else 1 :] if demands(statement.text)]
    elif intro and not found:
        yield replace(intro, text=intro.text.rstrip(":： "))
    yield from found


def _leads(body: str) -> Iterator[tuple[str, int]]:
    """Yield what leads each part of a note, with its line: the sentences before its labels, and the rules of a list."""
    is_open, is_first, is_list, leads_on = True, True, False, False
    found = list(blocks(body))
    ruled = next((place for place, block in enumerate(found) if _is_ruled(_LABEL.match(block.text))), 0)
    for block in found[ruled:]:
        label, is_bold = _LABEL.match(block.text), block.text.startswith("**")
        is_item, is_paragraph = block.kind is BlockKind.ITEM, block.kind is BlockKind.PARAGRAPH
        if block.kind is BlockKind.HEADING:
            is_open = not _is("labels", block.text)
        elif not (is_item or is_paragraph) or block.parent is not None:
            continue
        elif label and _is("labels", _name_of(label)):
            is_open = is_open and is_item
        elif label and is_bold and is_paragraph and not label["rest"].strip() and not lays_down(label["bold"]):
            is_open = True  # a heading in bold type: what follows is a part of its own
        elif is_open and (text := _lead_of(block, label, is_first=is_first)):
            if is_first:
                leads_on = block.text.rstrip().endswith((":", "："))
                is_list = is_item or leads_on
            is_step = leads_on and block.number is not None
            is_rule = is_item and is_list and not is_step and (is_bold or lays_down(text))
            if is_first or demands(text) or is_rule:
                is_intro = is_first and leads_on and not is_item and not lays_down(text)
                yield f"{text.rstrip(':：')}:" if is_intro else text, block.start + 1
            is_first = False


def _name_of(label: re.Match[str]) -> str:
    return label["bold"] or label["bare"]


def _is(section: str, label: str) -> bool:
    return _words(section).fullmatch(label.strip(" *:：")) is not None


def _is_ruled(label: re.Match[str] | None) -> bool:
    return label is not None and _is("rule", _name_of(label))


def _lead_of(block: Block, label: re.Match[str] | None, *, is_first: bool) -> str:
    if label and _is_ruled(label):
        return shortened(plain_text(label["rest"]), is_whole=True)
    is_titled = label and block.text.startswith("**")
    if label and is_titled and re.match(r"[^\W_a-zà-ÿ]|[`\"'—–-]", label["rest"].strip()):
        title, rest = plain_text(label["bold"]).rstrip(".。"), sentences(plain_text(label["rest"]))
        if not rest or (demands(title) and is_sentence(title)):
            return shortened(title)
        return shortened(f"{title}: {rest[0].lstrip('—–- ')}")
    return shortened(plain_text(block.text), is_whole=is_first and block.kind is BlockKind.PARAGRAPH)


def plain_text(text: str) -> str:
    return " ".join(_LINK.sub(r"\1\2", _BOLD.sub("", text)).split())


def sentences(text: str) -> list[str]:
    return [part.strip() for part in _SENTENCE_END.split(text) if part and part.strip()]


def shortened(text: str, *, is_whole: bool = False) -> str:
    """Return the first sentence; with `is_whole` as many as make one rule."""
    kept = ""
    for sentence in sentences(text):
        joined = f"{kept} {sentence}".strip()
        if kept and (not is_whole or len(joined) > LONGEST or sentence.endswith(_LEADS_ON)):
            break
        kept = joined
    return kept if len(kept) <= LONGEST * 1.5 else ""


UNSAFE = "a rule that weakens safety"
PERSONAL = "the rule is about you or about how the assistant works"
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
_KINDS = {
    "a host": re.compile(
        r"(?i)(?<![\w.])(?:(?!127\.|0\.0\.0\.0)(?:\d{1,3}\.){3}\d{1,3}(?!\w|\.\d)|\\\\[\w.-]+\\|[\w-]+(?:\.[\w-]+)*\.(?:local|lan|internal|intranet"
        r"|corp|home\.arpa|ts\.net|tailnet)\b(?!\()|ssh\s+\S+@\S+|\w+@[\w-]+:[~/]"
        r"|(?:[\w-]+\.)*(?:(?:internal|intra|corp|private|vpn|stag(?:e|ing)|prod|admin|jira|grafana|jenkins|vault)[\w-]*"
        r"|[a-z][\w-]*-\d+)\.(?:[\w-]+\.)*(?:com|net|org|io|dev|cloud|app|co|de|eu|ai)(?![\w/-]*\.\w))"
    ),
    "an account": re.compile(r"(?i)(?<![\w.-])(?:\d{12}|[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})(?![\w.-]*\w)"),
    "a user's path": re.compile(r"(?<![\w.])(?:~[\\/]|/(?:home|Users|root|mnt|media|Volumes)/|[A-Z]:[\\/](?=\w))"),
    "money": re.compile(
        r"(?i)[$€£¥]\s?\d[\d.,]*(?:\s?[kKmM]\b)?|\b\d[\d.,]*\s?(?:EUR|USD|GBP|CHF|KRW|CNY|€|£|원|万元|元)(?!\w)"
        r"|\b(?:salar(?:y|ies)|invoice[ds]?|revenue|payroll|gehalt)\b"
    ),
    "health": re.compile(
        r"(?i)\b(?:adhd|autis\w+|dyslexi\w+|depress\w+|diagnos(?:is|ed with)|therap(?:y|ist)|illness|disabilit\w+"
        r"|medication|surgery|pregnan\w+|krankheit|krank(?:geschrieben)?)\b"
    ),
    "a customer's ticket": re.compile(
        r"\b(?:ticket|customer|client|kunde)\s+(?:[A-Z][\w&.-]+|#\d+)|\b[A-Z]{2,9}-\d{2,6}\b(?<!UTF-8)"
    ),
}
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
_MENTIONED = {"home": "a user's path", "email": "an email address", "phone": "a phone number"}
SHORTEST_NAME = 3


def rules_of(
    note: NoteText, *, is_users: bool = False, names: Collection[str] = ()
) -> tuple[tuple[NoteRule, ...], tuple[str, ...]]:
    found, private = dict[str, NoteRule](), list[str]()
    is_users = is_users or note.type == "user"
    for statement in note.statements:
        rule, kinds = rule_of(statement, is_users=is_users, names=names, of_person=note.of_person)
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
    shorter = (text for text in _shorter(statement.text) if not (private_in(text, names=names) or _is_unsafe(text)))
    text = next(shorter, "")
    content = capitalised(turned(text))
    is_cut = content.count('"') % 2 == 1
    if is_cut or not is_sentence(content) or len(content) > LONGEST * 1.5 or _SLUG.match(content) or refused(content):
        is_unsafe = not text and any(map(_is_unsafe, _shorter(without_redacted(statement.text))))
        return None, (*private, UNSAFE) if is_unsafe else private
    if reports(text) and not lays_down(content):
        return None, private
    # What one person likes is a rule for all where it names what people work on: code, a path, a thing of a repository.
    is_foreign = sum(not char.isascii() for char in content) > len(content) / 4 and re.search("[A-Za-z]{2}", content)
    names_work = _NAMES.search(content) or _words("artefacts").search(content) or is_foreign
    is_own = is_personal(content) or (of_person and not names_work)
    why = "the rule applies to you in every repo" if is_users else PERSONAL if is_own else ""
    scope = Scope.USER if why else Scope.WORKSPACE
    return NoteRule(content=content, scope=scope, line=statement.line, why=why), private


def _shorter(text: str) -> Iterator[str]:
    """Yield a text whole, then without what stands in brackets, in later sentences, behind a dash or a semicolon."""
    yield text
    bare = re.sub(r"\s*\([^()]*\)", "", text)
    first = sentences(bare)[0] if bare.strip() else ""
    yield from (bare, first, re.split(r"\s[—–-]\s|;\s", first)[0])


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


def private_in(text: str, *, names: Collection[str] = ()) -> tuple[str, ...]:
    marked = (_MENTIONED.get(mark, "a secret") for mark in re.findall(rf"{re.escape(MARK)}:?([\w-]+)", text))
    found = [*marked, *(kind for kind, pattern in _KINDS.items() if pattern.search(text))]
    wanted = "|".join(re.escape(name) for name in names if len(name) >= SHORTEST_NAME)
    if people_in(text) or (wanted and re.search(rf"(?<!\w)(?:{wanted})(?!\w)", text, re.IGNORECASE)):
        found.append("a person's name")
    return tuple(dict.fromkeys(found))


def people_in(text: str) -> tuple[str, ...]:
    """Return the people of whom a note says that they want, said or did something."""
    found = (match["name"] or match["asked"] or match["handle"] for match in _PERSON.finditer(text))
    return tuple(dict.fromkeys(name for name in found if name not in _NO_NAME and content_words(name.casefold())))
