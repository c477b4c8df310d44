"""Facts out of a document that was kept or came from elsewhere: our own exports, other tools' JSON, Markdown lists.

Pure. What stands in such a file was not typed in a chat of this person, so nothing in it becomes a fact by itself: it
is read as candidates for the person to decide on one by one.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from memsuggest.core.context import Context
from memsuggest.core.errors import Skipped, StoreError, UnknownId, beginning, only_one
from memsuggest.core.model import QUOTE_LIMIT, SUGGEST_FROM, Candidate, Citation, Kind, Scope, Trust
from memsuggest.core.redact import clean, hidden_characters, redact
from memsuggest.facts.accept import Recognition, fact_from, words_digest
from memsuggest.facts.contradictions import find_contradictions
from memsuggest.facts.fact_reports import FactVerdict, Importable, Imported
from memsuggest.facts.facts_by_hand import changing
from memsuggest.facts.stores import all_facts, all_tombstones
from memsuggest.facts.take_in import Learned, take_in
from memsuggest.files import read_exact

if TYPE_CHECKING:
    from markdown_it.tree import SyntaxTreeNode

_Placed = tuple[str, Mapping[str, object]]  # an entry, and where it stands

SESSION = "import"  # which an imported fact cites
LENGTH_LIMIT = 600  # characters of a rule; more is a document
ITEMS_LIMIT = 2_000
LATEST_TIME = 4_102_444_800_000  # milliseconds: the year 2100; a later one is no time at which something was said
USUAL_CONFIDENCE = 0.75  # of what has none of its own; that the person takes it counts as much as a confirmation

_WORDS = ("content", "text", "memory", "fact", "rule")
_LISTS = ("facts", "memories", "rules")
_ABOUT = re.compile(r"(why|said|files|id): |(retired)(?:$|, replaced by)")
"""What our own export says of a fact, below its bullet."""
_CODE = re.compile(r"`([^`]+)`")
_BULLETS = ("bullet_list", "ordered_list")
_HEADINGS = {"this workspace": Scope.WORKSPACE, "everywhere": Scope.USER}


def read_document(text: str, *, name: str) -> tuple[list[Candidate], list[Skipped]]:
    """Return the rules of a document, and what is none; StoreError for one that has none, or is broken.

    JSON is told by its first character: `{"facts": […]}` or a list, of texts or of objects with `content` (or `text`,
    `memory`, `rule`). Anything else is Markdown, of which every bullet is a rule.
    """
    body = text.removeprefix("\ufeff")
    found = list(_of_json(body, name) if body.lstrip()[:1] in ("{", "[") else _of_markdown(body))
    if not found:
        raise StoreError(f"{name}: no facts found", hint="use JSON, or Markdown with one list item per fact")
    if len(found) > ITEMS_LIMIT:
        raise StoreError(f"{name}: too many entries ({len(found):,})", hint=f"the limit is {ITEMS_LIMIT:,}")
    candidates: dict[tuple[Scope, str], Candidate] = {}
    skipped = []
    for place, entry in found:
        words = next((_text(entry, key) for key in _WORDS if _text(entry, key)), "")
        content = _safe(words)
        reasons = {
            "replaced by another fact": entry.get("status") == "inactive",
            "contains invisible characters": bool(hidden_characters(words)),
            "contains a secret or personal data": bool(redact(words).found),
            "contains no words": not content,
            f"longer than {LENGTH_LIMIT} characters": len(content) > LENGTH_LIMIT,
        }
        if why := next((why for why, is_so in reasons.items() if is_so), ""):
            skipped.append(Skipped(what=place, why=why))
        else:
            item = _candidate(content, entry)
            candidates.setdefault((item.scope, item.content), item)
    return list(candidates.values()), skipped


def _candidate(content: str, entry: Mapping[str, object]) -> Candidate:
    kind, scope, confidence, at = (entry.get(key) for key in ("kind", "scope", "confidence", "timestamp"))
    # `paths` of our export, the citations of facts.json that are no chats
    lists = (value for key in ("paths", "citations") if isinstance(value := entry.get(key), list))
    paths = (path for values in lists for path in values if isinstance(path, str) and not path.startswith("chat:"))
    citation = Citation(
        session_id=SESSION,
        turn=1,
        quote=content[:QUOTE_LIMIT],
        paths=tuple(dict.fromkeys(paths)),
        trust=Trust.CONFIRMED,  # nothing of this is stored unless the person says so
        at=datetime.fromtimestamp(at / 1000, UTC) if type(at) is int and 0 <= at <= LATEST_TIME else None,
        format=SESSION,
    )
    return Candidate(
        content=content,
        reason=_safe(_text(entry, "reason")),
        kind=Kind(str(kind)) if kind in list(Kind) else Kind.FACT,
        scope=Scope(str(scope)) if scope in list(Scope) else Scope.WORKSPACE,
        confidence=min(max(float(confidence), 0.0), 1.0) if type(confidence) in (int, float) else USUAL_CONFIDENCE,  # type: ignore[arg-type]
        citations=(citation,),
        found_by=SESSION,
        explicit=True,
    )


def _safe(text: str) -> str:
    return " ".join(clean(redact(text).text).split())


def _text(entry: Mapping[str, object], key: str) -> str:
    value = entry.get(key)
    return value if isinstance(value, str) else ""


def _of_json(text: str, name: str) -> Iterator[_Placed]:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise StoreError(f"{name}: invalid JSON: {error}", hint="fix the file and try again") from None
    if isinstance(found, dict):
        found = next((found[key] for key in _LISTS if isinstance(found.get(key), list)), None)
    if not isinstance(found, list):
        hint = "`memsuggest memory export --facts --format json` creates a valid file"
        raise StoreError(f"{name}: `facts` is missing", hint=hint)
    for number, entry in enumerate(found, 1):
        yield f"entry {number}", entry if isinstance(entry, dict) else {"content": entry}


def _of_markdown(text: str) -> Iterator[_Placed]:
    """Yield every bullet of the outermost lists; in our own export the headings tell scope and kind."""
    from markdown_it import MarkdownIt
    from markdown_it.tree import SyntaxTreeNode

    about = {"scope": "", "kind": ""}
    for node in SyntaxTreeNode(MarkdownIt().parse(text)).children:
        if node.type == "heading":
            title = _inline(node).lower()
            about["scope"] = _HEADINGS.get(title, about["scope"])
            about["kind"] = title.removesuffix("s") if title.removesuffix("s") in set(Kind) else about["kind"]
        elif node.type in _BULLETS:
            yield from _of_list(node, about)


def _of_list(node: SyntaxTreeNode, about: Mapping[str, str]) -> Iterator[_Placed]:
    """Yield a list's bullets, and those below them that are rules of their own."""
    for item in node.children:
        notes: dict[str, str] = {}
        below = []
        for inner in (inner for inner in item.children if inner.type in _BULLETS):
            found = [_ABOUT.match(_inline(line)) for line in inner.children]
            if all(found):
                notes |= {match[1] or match[2]: match.string[match.end() :] for match in found if match}
            else:
                below.append(inner)
        entry = {
            **about,
            "content": " ".join(_inline(inner) for inner in item.children if inner.type == "paragraph"),
            "reason": notes.get("why", ""),
            "paths": _CODE.findall(notes.get("files", "")),
            "status": "inactive" if "retired" in notes else "active",
        }
        yield f"line {item.map[0] + 1 if item.map else 0}", entry
        for inner in below:
            yield from _of_list(inner, about)


def _inline(node: SyntaxTreeNode) -> str:
    """Return the text of a block as it was written, marks and all, on one line."""
    if node.type == "inline":
        return " ".join(node.content.split())
    return " ".join(filter(None, map(_inline, node.children))) if node.children else ""


SIZE_LIMIT = 8 * 1024 * 1024  # bytes


def read_import(context: Context, path: Path) -> Imported:
    """Say what a file holds and what of it is new here; nothing is stored. Raises StoreError for a file without any."""
    candidates, skipped = read_document(read_exact(path, limit=SIZE_LIMIT).text, name=path.name)
    known = {fact.id: fact for fact in all_facts(context)}
    recognition = Recognition(list(known.values()), all_tombstones(context))
    rows = []
    for candidate in candidates:
        fact, same = fact_from(candidate, now=context.now()), recognition.fact_of(candidate)
        if same is not None:
            verdict, other = FactVerdict.KNOWN, known.get(same)
        else:
            against = find_contradictions([fact], list(known.values()))
            other = next((item for pair in against for item in (pair.winner, pair.loser) if item.id != fact.id), None)
            given = replace(candidate, explicit=False)
            is_forgotten = recognition.is_forgotten(given, words_digest(candidate.content))
            verdict = FactVerdict.FORGOTTEN if is_forgotten else FactVerdict.NEW
        rows.append(Importable(candidate=candidate, fact=fact, verdict=verdict, other=other))
    return Imported(path=str(path), rows=tuple(rows), skipped=tuple(skipped))


def chosen(report: Imported, prefixes: Iterable[str]) -> list[Importable]:
    """Return the entries with these id prefixes; raises UnknownId for none and for several."""
    lists, found = f"`memsuggest memory import --facts {report.path}`", []
    for prefix in prefixes:
        wanted = beginning(prefix, report.rows, shown_by=lists)
        row = only_one([row for row in report.rows if row.id.startswith(wanted)], prefix, called="entries")
        if row is None:
            raise UnknownId(f"no entry with the ID `{prefix}`", hint=f"{lists} lists the entries")
        if row.verdict is FactVerdict.KNOWN:
            raise StoreError(f"`{prefix}` is already stored", hint="`memsuggest memory list --facts` lists all facts")
        found.append(row)
    return found


def take(context: Context, report: Imported, taken: Sequence[Importable]) -> Imported:
    """Store the entries that the person decided to take, and suggest where they belong."""
    learned, least = Learned(engine=SESSION), SUGGEST_FROM
    candidates = [replace(row.candidate, confidence=max(row.candidate.confidence, least)) for row in taken]
    with changing(context):
        take_in(context, candidates, learned, is_again=True)
    names = {row.fact.id for row in taken}
    rows = tuple(replace(row, verdict=FactVerdict.TAKEN) if row.fact.id in names else row for row in report.rows)
    return replace(report, rows=rows, skipped=(*report.skipped, *learned.skipped))
