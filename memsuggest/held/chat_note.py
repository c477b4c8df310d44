"""A note of a chat, to tell later whether a rule mattered in it, and whether it was said again. Pure.

A note is taken when a chat is read, so that nobody has to read it again for every rule that is ever asked about: which
files it touched, which words occurred in each message and its answer (as stems, without their order), and the few
sentences that the person typed as rules or as corrections.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import lru_cache

from memsuggest.core.model import QUOTE_LIMIT, Candidate, Outcome, Transcript, Trust, Turn
from memsuggest.core.redact.scan import MARK
from memsuggest.core.text.stems import stem
from memsuggest.core.text.words import plain
from memsuggest.judging import safety
from memsuggest.judging.offline.cues import has_cue, has_norm, is_normative
from memsuggest.judging.offline.lasting import as_line, is_question, unclear
from memsuggest.judging.offline.statements import Statement, statements_of
from memsuggest.suggestions.ranking.hosts import Host

CLAUDE, CODEX, CURSOR, GEMINI = (str(host) for host in (Host.CLAUDE, Host.CODEX, Host.CURSOR, Host.GEMINI))
VS_CODE, COPILOT_CLI = "VS Code", "Copilot CLI"
OPENCODE, PI = "OpenCode", "Pi"
HOSTS = {
    CLAUDE: Host.CLAUDE,
    VS_CODE: Host.COPILOT,
    COPILOT_CLI: Host.COPILOT,
    CODEX: Host.CODEX,
    CURSOR: Host.CURSOR,
    GEMINI: Host.GEMINI,
}
"""The assistants of which it is known what they read, and whose rules for files they follow."""
READING_AGENTS_MD = frozenset((OPENCODE, PI))
"""Assistants that read an AGENTS.md at the root, and of the other files that we know none."""
_FORMATS = {
    CLAUDE: ("claude-code", "claude-export"),
    CODEX: ("codex",),
    VS_CODE: ("vscode", "copilot-copy"),
    COPILOT_CLI: ("copilot-cli",),
    CURSOR: ("cursor",),
    GEMINI: ("gemini",),
    OPENCODE: ("opencode",),
    PI: ("pi",),
}
"""How the names of formats begin that one assistant writes."""
_BY_NAME = (("claude", CLAUDE), ("codex", CODEX), ("cursor", CURSOR), ("gemini", GEMINI), ("copilot cli", COPILOT_CLI))
"""How programs that save other assistants' chats name these."""
_LONGEST = 40  # words
_NEAR = 4  # sentences at the beginning of a message that may say what was wrong
_BEGINNING = 300  # characters of a message in which it objects
_OPENS = re.compile(
    r"(?:no+|nope|nah|stop|again|hey|wrong|nein|falsch|stopp?|non|arrête|para|não)(?:\s*[,.:;!\u2014]+|\s+-+(?=\s)|\s*\n)"
    r"|(?:as|like) i (?:said|told|wrote|mentioned)|i (?:told|said|asked) (?:you|already|before)|wie gesagt",
    re.IGNORECASE,
)
"""How a message begins that objects to what was done; "no" is set off, or else "no emojis" would be one."""
_LEAD = re.compile(
    r"""
    \s* (?: (?:no+|stop|again|hey|wrong|falsch) (?: \s*[,.:;!\u2014]+ | \s+-+(?=\s) ) \s*
      | (?: (?:as|like)\ )? i\ (?:already\ )? (?:told|said) (?:\ you)? \s*[,:]?\s+ (?:that\ |to\ (?!not\b))?
      | (?:why\ )? (?: (?:did|have)n't\ you | you\ (?:forgot\ to|didn't|did\ not|haven't) ) \s+
    )
    """,
    re.VERBOSE | re.IGNORECASE,
)
"""What leads a correction in and is no part of what is corrected."""
_TOOL = re.compile(r"[\w.-]+")
_FORBIDS = re.compile(r"(?:no|kein\w*|sin|pas\ de)\s\w", re.IGNORECASE)
_TELLS = re.compile(r"(?:you|du|tu|has|você)\b(?!\s+(?:should|must|need|have\s+to|can|may))", re.IGNORECASE)
"""How a sentence begins that says what was done, rather than what is to be done."""


_OWN = (Trust.TYPED, Trust.CONFIRMED)
_WORD = re.compile(r"[^\W\d_][\w'-]*")
_NAME = re.compile(r"(?<![\w])[\w@.-]*[\w@](?:[./_:-][\w@.-]*\w)+")
"""What is written as code or commands are: a path, a file, `console.log`, `make-all`."""
_LONGEST_WORD = 40  # letters of a word
_MOST_SAID = 60  # sentences that are kept of a chat
_LANGUAGES = {
    "py": "python", "pyi": "python", "ts": "typescript", "tsx": "typescript", "mts": "typescript", "js": "javascript",
    "jsx": "javascript", "mjs": "javascript", "cjs": "javascript", "go": "go", "rs": "rust", "rb": "ruby",
    "md": "markdown", "sql": "sql", "css": "css", "scss": "css", "html": "html", "sh": "shell", "tf": "terraform",
    "java": "java", "kt": "kotlin", "cs": "csharp", "cpp": "cpp", "php": "php", "swift": "swift", "yml": "yaml",
    "yaml": "yaml",
}  # fmt: skip
"""What a file's ending says of its language, where a rule would name it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NotedSentence:
    """Something that the person typed which may say a rule again."""

    turn: int
    quote: str
    rule: str
    """It as a line of a rule file."""
    at: int | None = None
    """Milliseconds since the epoch."""
    is_correction: bool = False
    """Whether it was said of what the assistant had done."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatNote:
    """A note of a chat."""

    place: str
    session_id: str
    format: str
    assistant: str
    begun: int | None
    """Milliseconds since the epoch; None where the chat does not say."""
    touched: frozenset[str] = frozenset()
    """Files that were read, written or attached; POSIX, relative to the root where they lie below it."""
    exchanges: Mapping[int, frozenset[str]] = field(default_factory=dict)
    """By the number of each message of the person, the words of it and of its answer."""
    in_use: frozenset[str] = frozenset()
    """Customization files, agents and skills that were in use, by path or name."""
    said: tuple[NotedSentence, ...] = ()


def note_of(transcript: Transcript, candidates: Iterable[Candidate], *, place: str) -> ChatNote:
    turns = transcript.turns
    paths = {path for turn in turns for path in turn.paths if path and "\n" not in path}
    exchanges: dict[int, set[str]] = {}
    number = 0
    for turn in turns:
        if turn.typed or not exchanges:
            number = turn.number
        exchanges.setdefault(number, set()).update(_words_of(turn))
    assistant = next((name for name, begins in _FORMATS.items() if transcript.format.startswith(begins)), "")
    if not assistant:  # as the program that saved the chat names it; empty where that is not sure
        agents = (turn.signals.agent.casefold() for turn in turns if turn.signals.agent)
        named = {name for agent in agents for begin, name in _BY_NAME if agent.startswith(begin)}
        assistant = named.pop() if len(named) == 1 else ""
    return ChatNote(
        place=place,
        session_id=transcript.session_id,
        format=transcript.format,
        assistant=assistant,
        begun=_milliseconds(min((turn.at for turn in turns if turn.at), default=None)),
        touched=frozenset(paths.union(transcript.files_written)),
        exchanges={number: frozenset(words) for number, words in exchanges.items()},
        in_use=frozenset(name for turn in turns for name in turn.signals.customizations),
        said=_said_in(transcript, candidates),
    )


def united(first: ChatNote, second: ChatNote) -> ChatNote:
    """Return what two notes of one chat say together; where they differ, `second` is right."""
    return replace(
        second,
        begun=min((at for at in (first.begun, second.begun) if at is not None), default=None),
        assistant=second.assistant or first.assistant,
        touched=first.touched | second.touched,
        exchanges={**first.exchanges, **second.exchanges},
        in_use=first.in_use | second.in_use,
        said=_each_once((*first.said, *second.said)),
    )


def _words_of(turn: Turn) -> Iterator[str]:
    yield from words_in(turn.typed)
    yield from words_in(turn.text)
    for path in turn.paths:
        yield from words_in(path)
        folder = path
        while folder := folder.rpartition("/")[0]:
            yield folder.casefold()
        if language := _LANGUAGES.get(path.rpartition(".")[2].lower()):
            yield stem(language)


def words_in(text: str) -> Iterator[str]:
    """Yield the stems of a text, and the names in it as they are written."""
    folded = text.casefold()
    yield from (name for name in _NAME.findall(folded) if len(name) <= 2 * _LONGEST_WORD)
    for word in set(_WORD.findall(folded)):
        if len(word) <= _LONGEST_WORD:
            yield from _stems_of(word)


@lru_cache(maxsize=1 << 15)
def _stems_of(word: str) -> frozenset[str]:
    return frozenset({word, *(stem(piece) for piece in (word, *re.split(r"[-_']", word)) if piece)})


def _said_in(transcript: Transcript, candidates: Iterable[Candidate]) -> tuple[NotedSentence, ...]:
    """Return what the person said as a rule, and what they typed against what was done, as far as that says something.

    A correction alone makes no fact. It counts only beside a rule that a file has already and that says the same,
    where the question is whether that rule was followed.
    """
    against: list[NotedSentence] = []
    for said in statements_of(transcript) if transcript.trust is Trust.TYPED else ():
        if said.is_doubtful or is_question(said.text) or len(said.text.split()) > _LONGEST:
            continue
        quote = said.text[:QUOTE_LIMIT].strip()
        is_objection = _objects(said)
        rule = as_line(quote[lead.end() :] if (lead := _LEAD.match(quote)) else quote)
        if is_objection and (tool := rule.strip(" .!`").lower()) and _TOOL.fullmatch(tool) and has_cue("tool", tool):
            rule = f"Use {tool}."
        is_norm = has_norm(rule) or bool(_FORBIDS.match(rule)) or (is_objection and is_normative(rule))
        if is_norm and not _TELLS.match(rule) and not (unclear(rule) or MARK in rule or safety.refused(rule)):
            at = _milliseconds(said.turn.at)
            against.append(
                NotedSentence(turn=said.turn.number, quote=quote, rule=rule, at=at, is_correction=is_objection)
            )
    corrected = {(said.turn, said.quote) for said in against if said.is_correction}
    sure = [
        NotedSentence(
            turn=cited.turn,
            quote=cited.quote,
            rule=candidate.content,
            at=_milliseconds(cited.at),
            is_correction=(cited.turn, cited.quote) in corrected,
        )
        for candidate in candidates
        for cited in candidate.citations[:1]
        if candidate.outcome is Outcome.SUGGEST and cited.trust in _OWN
    ]
    return _each_once((*sure, *against))


def _objects(said: Statement) -> bool:
    """Tell if a sentence objects to what the assistant said or did; further down, a message is about other things."""
    signals = said.turn.signals
    if said.sentence.position >= _NEAR or not (said.heard or signals.after_interruption):
        return False
    beginning = said.turn.typed.lstrip()[:_BEGINNING]
    is_stopped = bool(signals.after_interruption or signals.rejected_tool)
    return is_stopped or bool(_OPENS.match(beginning)) or has_cue("you-did", plain(beginning))


def _milliseconds(at: datetime | None) -> int | None:
    return round(at.timestamp() * 1000) if at else None


def _each_once(said: Sequence[NotedSentence]) -> tuple[NotedSentence, ...]:
    found: dict[tuple[int, str], NotedSentence] = {}
    for sentence in said:
        found.setdefault((sentence.turn, sentence.quote), sentence)
    return tuple(sorted(found.values(), key=lambda sentence: sentence.turn))[-_MOST_SAID:]
