"""Reports on questions to a model and to the assistant in the chat, and on answers."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal, TypeAlias

from memsuggest.core.json_shape import Also, Hidden, Key, or_null
from memsuggest.core.render.page import FAINT, GOOD, HEAD, ID, PATH, SHORT, WARN, Page, count
from memsuggest.core.render.safe_output import one_line
from memsuggest.judging.asking.prices import dollars, in_dollars

PathHistory: TypeAlias = Literal["suggested", "new", "known", "maybe", "waits", "dropped"]
"""The result for one item of an answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Left:
    """The other pending questions."""

    packets: Annotated[int, "Further questions about the same chat."] = 0
    chats: Annotated[int, "Other chats that have not been checked yet."] = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """The next question for an assistant: which statements in a chat are worth keeping."""

    id: Annotated[str, "The ID to pass to `answer`."]
    purpose: str
    system: Annotated[str, "The instructions."]
    packet: Annotated[str, "The question."]
    schema: Annotated[Mapping[str, object], "The JSON Schema of the answer."]
    about: Annotated[str, "The chat that the question is about."]
    left: Left
    text: Hidden[str]

    def show(self, page: Page) -> None:
        """Print a packet, whole and as it is."""
        page.block(self.text)


@dataclass(frozen=True, slots=True, kw_only=True)
class NothingAsked:
    """Nothing is pending."""

    id: ClassVar = Also(".", type(None))
    why: str

    def show(self, page: Page) -> None:
        """Print that nothing is pending."""
        page.line(f"no question is pending: {self.why}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """The result for one item of an answer."""

    content: str
    outcome: PathHistory
    why: Annotated[str, "Why the item was dropped or is pending.", or_null] = ""
    fact_id: str | None = None
    target: Annotated[str | None, "The file the item is suggested for."] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """The result of an answer."""

    id: str
    about: str
    items: tuple[Item, ...]
    is_whole: Annotated[
        bool, "Whether all questions about the chat are answered and its facts are stored.", Key("learned")
    ]
    next_id: Annotated[str | None, "The ID of the next pending question.", Key("next")]
    left: Left

    def show(self, page: Page) -> None:
        """Print the result of an answer, one line per item."""
        page.line(f"answered question {self.id}: {count(len(self.items), 'item', 'items')}")
        for item in self.items:
            page.line("  ", (f"{item.outcome:<10}", _STYLES.get(item.outcome, FAINT)), one_line(item.content))
            if item.target:
                page.line(f"{'':12}for ", (one_line(item.target), PATH), "  fact ", ((item.fact_id or "")[:SHORT], ID))
            elif item.why:
                page.faint(f"{'':12}{one_line(item.why)}")
        if self.next_id:
            chats = f"up to {count(self.left.chats, 'other chat', 'other chats')}" if self.left.chats else ""
            packets = f"{self.left.packets} more about this chat" if self.left.packets else ""
            more = " and ".join(filter(None, (packets, chats)))
            page.line(
                f"next: run `memsuggest ask` to print question {self.next_id}{f' ({more} pending)' if more else ''}"
            )
        else:
            page.line("no question is pending; the user can review the suggestions with `memsuggest list`")


_STYLES = {"suggested": GOOD, "new": GOOD, "dropped": WARN}


@dataclass(frozen=True, slots=True, kw_only=True)
class Postponed:
    """A chat that could not be judged by a model."""

    path: str
    why: str
    hint: Annotated[str, "What to do next."]
    offered: Annotated[int, "Number of facts `--engine offline` would find in the chat.", Key("offlineCandidates")]


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """A request that would be sent to a model."""

    endpoint: Annotated[str, "The endpoint or program that would receive the request."]
    model: str
    purpose: str
    about: Annotated[str, "The subject of the request, such as a chat or the facts."]
    tokens: Annotated[int, "Estimated number of input tokens."]
    micros: Annotated[int, "The maximum cost in dollars.", Key("dollars"), dollars]
    token_usage: Annotated[
        int | None, "Tokens the assistant used in the chat; null if unknown.", Key("assistantTokens")
    ] = None
    command: Annotated[tuple[str, ...], "The command line, if a program would be run.", or_null] = ()
    texts: Annotated[tuple[str, ...], "The exact text of the request."]


def show_requests(page: Page, requests: Sequence[Request]) -> None:
    """Print what would be sent, word for word, and what it would cost at most."""
    for request in requests:
        used = request.token_usage
        share = f", {request.tokens / used:.1%} of what the assistant used" if used else ""
        page.line()
        page.line(
            ("Would send", HEAD),
            f" to {request.endpoint}, model {request.model}, for {request.purpose}: about {request.tokens:,} tokens,"
            f" at most {in_dollars(request.micros)}{share}  ",
            (request.about, PATH),
        )
        if request.command:
            page.line(("  $ ", FAINT), one_line(shlex.join(request.command)))
        for text in request.texts:
            page.block(text, indent="  ")
    if requests:
        tokens, micros = sum(request.tokens for request in requests), sum(request.micros for request in requests)
        page.line()
        page.line(
            f"{count(len(requests), 'request', 'requests')}, about {tokens:,} tokens, at most {in_dollars(micros)}"
        )
