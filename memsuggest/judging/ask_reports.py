"""Reports on questions to the assistant in the chat, and on its answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal, TypeAlias

from memsuggest.core.json_shape import Also, Hidden, Key, or_null
from memsuggest.core.render.page import FAINT, GOOD, ID, PATH, SHORT, WARN, Page, count
from memsuggest.core.render.safe_output import one_line

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

    id: Annotated[str, "The id to pass to `answer`."]
    purpose: str
    system: Annotated[str, "The instructions."]
    packet: Annotated[str, "The question."]
    schema: Annotated[Mapping[str, object], "The JSON Schema of the answer."]
    about: Annotated[str, "The chat that the question is about."]
    left: Left
    text: Hidden[str]
    """The whole packet, as printed for the assistant."""

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
        page.line(f"no packet is pending: {self.why}")


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
    next_id: Annotated[str | None, "The id of the next pending question.", Key("next")]
    left: Left

    def show(self, page: Page) -> None:
        """Print the result of an answer, one line per item."""
        page.line(f"answered packet {self.id}: {count(len(self.items), 'item', 'items')}")
        for item in self.items:
            page.line("  ", (f"{item.outcome:<10}", _STYLES.get(item.outcome, FAINT)), one_line(item.content))
            if item.target:
                page.line(f"{'':12}for ", (one_line(item.target), PATH), "  fact ", ((item.fact_id or "")[:SHORT], ID))
            elif item.why:
                page.faint(f"{'':12}{one_line(item.why)}")
        if self.next_id:
            page.line(f"next: run `memsuggest ask` to print packet {self.next_id}{_besides(self.left)}")
        else:
            page.line("no packet is pending; the user can review the suggestions with `memsuggest list`")


_STYLES = {"suggested": GOOD, "new": GOOD, "dropped": WARN}


def _besides(left: Left) -> str:
    """Return how many more questions are pending."""
    more = [
        *([f"{left.packets} more about this chat"] if left.packets else []),
        *([f"up to {count(left.chats, 'other chat', 'other chats')}"] if left.chats else []),
    ]
    return f" ({' and '.join(more)} pending)" if more else ""
