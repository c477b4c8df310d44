"""Reports on questions to the assistant in the chat, and on its answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal, TypeAlias

from memsuggest.core.json_shape import Also, Hidden, Key, or_null
from memsuggest.core.render.page import FAINT, GOOD, ID, PATH, SHORT, WARN, Page, count
from memsuggest.core.render.safe_output import one_line

PathHistory: TypeAlias = Literal["suggested", "new", "known", "maybe", "waits", "dropped"]
"""What became of one thing in an answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Left:
    """The questions that wait besides."""

    packets: Annotated[int, "Further questions about the same chat."] = 0
    chats: Annotated[int, "Other chats that were not looked into yet."] = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """The next question for an assistant: what of a chat lasts."""

    id: Annotated[str, "What `answer` takes."]
    purpose: str
    system: Annotated[str, "The instructions."]
    packet: Annotated[str, "The question."]
    schema: Annotated[Mapping[str, object], "The JSON Schema of the answer."]
    about: Annotated[str, "What it is about: a chat."]
    left: Left
    text: Hidden[str]
    """All of it, as an assistant can follow it."""

    def show(self, page: Page) -> None:
        """Print a packet, whole and as it is."""
        page.block(self.text)


@dataclass(frozen=True, slots=True, kw_only=True)
class NothingAsked:
    """Nothing is pending."""

    id: ClassVar = Also(".", type(None))
    why: str

    def show(self, page: Page) -> None:
        """Print that nothing waits."""
        page.line(f"no packet is open: {self.why}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """The outcome for one item of an answer."""

    content: str
    outcome: PathHistory
    why: Annotated[str, "Why it was dropped, or is pending.", or_null] = ""
    fact_id: str | None = None
    target: Annotated[str | None, "The file that it is suggested for."] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """The outcome for an answer."""

    id: str
    about: str
    items: tuple[Item, ...]
    is_whole: Annotated[bool, "Whether all of the chat was answered, and was learned from.", Key("learned")]
    next_id: Annotated[str | None, "The id of the question that is open now.", Key("next")]
    left: Left

    def show(self, page: Page) -> None:
        """Print what became of an answer, a line for each thing in it."""
        page.line(f"packet {self.id} is answered: {count(len(self.items), 'item', 'items')}")
        for item in self.items:
            page.line("  ", (f"{item.outcome:<10}", _STYLES.get(item.outcome, FAINT)), one_line(item.content))
            if item.target:
                page.line(f"{'':12}for ", (one_line(item.target), PATH), "  fact ", ((item.fact_id or "")[:SHORT], ID))
            elif item.why:
                page.faint(f"{'':12}{one_line(item.why)}")
        if self.next_id:
            page.line(f"next: `memsuggest ask` prints packet {self.next_id}{_besides(self.left)}")
        else:
            page.line("no packet is open; `memsuggest list` shows what is suggested, and the person decides")


_STYLES = {"suggested": GOOD, "new": GOOD, "dropped": WARN}


def _besides(left: Left) -> str:
    """Say what waits behind a packet."""
    more = [
        *([f"{left.packets} more of its chat"] if left.packets else []),
        *([f"up to {count(left.chats, 'other chat', 'other chats')}"] if left.chats else []),
    ]
    return f" ({' and '.join(more)} behind it)" if more else ""
