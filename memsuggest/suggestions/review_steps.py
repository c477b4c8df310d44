"""The keys of a review and what each does to a suggestion, once for both fronts: a front only draws and asks.

What a key does is a coroutine, since the whole screen goes on answering meanwhile; the line mode runs it at once.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Coroutine, Sequence
from functools import partial
from typing import Any, NamedTuple, Protocol

from memsuggest.core.context import Context
from memsuggest.core.errors import MemsuggestError
from memsuggest.core.model import MemorySuggestion
from memsuggest.core.render.page import WARN, Page, count
from memsuggest.core.render.safe_output import one_line
from memsuggest.suggestions import apply_and_undo
from memsuggest.suggestions.dangerous_rules import with_danger
from memsuggest.suggestions.decision_dialogs import YES_NO, Dialog, Draw, Prepared, pick_place, with_new_text
from memsuggest.suggestions.decision_reports import PlaceChoice, Shown
from memsuggest.suggestions.list_and_show import why_own
from memsuggest.suggestions.listed import as_written, where
from memsuggest.suggestions.move import colliding_line, move, other_places, sharpen
from memsuggest.suggestions.pending import load
from memsuggest.suggestions.suggestion_lines import show_row

_NAMED = 2  # rules that a note on the next screen names; of more, the number


class Front(Dialog, Protocol):
    """A way in which a review meets the person: one suggestion after the other, or the whole screen."""

    prepared: Prepared

    @property
    def put_off(self) -> Collection[str]:
        """Ids of what was answered with `n`: no key for many takes them."""

    async def shown(self) -> Shown:
        """Return the suggestion on the screen as it would be written; raises MemsuggestError where it cannot be."""

    async def confirms(self, shown: Shown) -> bool:
        """Ask for the word `yes`, where one key is not enough."""

    async def edited_outside(self, suggestion: MemorySuggestion) -> str | None:
        """Open the user's editor, and return the text; None for the same."""

    async def show_edited(self, shown: Shown) -> None:
        """Show a suggestion in other words in the place of the one on the screen."""

    def note(self, note: str) -> None:
        """Say something; the suggestion is shown as it was."""

    def go_on(self, note: str) -> None:
        """Leave the suggestion on the screen pending, and go to the next."""

    async def settle(self, ids: Collection[str], *notes: str, is_applied: bool = False) -> None:
        """Show what comes next, once some were applied or dismissed."""

    async def stay(self, note: str, ids: Sequence[str], *, is_back: bool = False) -> None:
        """Show one of these, which are pending, or `is_back` again."""


async def apply_it(front: Front) -> None:
    """Write it; what runs a command or weakens safety, after the word `yes`."""
    shown = await front.shown()
    if not why_own(shown) or await front.confirms(shown):
        await write(front, [shown.suggestion])
    else:
        front.go_on(f"not applied, still pending: {one_line(as_written(shown.suggestion))}")


async def write(front: Front, suggestions: Sequence[MemorySuggestion]) -> None:
    done = await front.do("writing", partial(apply_and_undo.apply, suggestions=suggestions))
    notes = [f"applied: {as_written(suggestion)} → {where(suggestion)}" for suggestion in done.suggestions[:_NAMED]]
    if (more := len(done.suggestions) - _NAMED) > 0:
        notes.append(f"applied: {more} more")
    await front.settle([suggestion.id for suggestion in suggestions], *notes, is_applied=True)


async def dismiss(front: Front, *, only_here: bool) -> None:
    """Dismiss it; where that is for its file only, it may wait for another one now, which is shown next."""
    suggestion = (await front.shown()).suggestion
    what = "finding another place" if only_here else "dismissing"
    done = await front.do(what, partial(apply_and_undo.dismiss, prefixes=[suggestion.id], only_here=only_here))
    if not only_here:
        await front.settle([suggestion.id], f"dismissed everywhere: {suggestion.content}")
    elif done.elsewhere:
        await front.stay(f"dismissed for {suggestion.edit.path}: here is the next best place", [suggestion.id])
    else:
        await front.settle([suggestion.id], f"dismissed for {suggestion.edit.path}; no other file is suitable")


async def edit_outside(front: Front) -> None:
    """Open the user's editor on the words, or on the file where there are none, until the outcome is settled."""
    shown = await front.shown()
    changed: Shown | None = None
    while True:
        suggestion = (changed or shown).suggestion
        text = await front.edited_outside(suggestion)
        if text is not None:
            job = partial(with_new_text, suggestion=suggestion, text=text, patch=False)
            changed = with_danger(Shown(suggestion=await front.do("updating the diff", job)))
        if changed is None:
            front.note("nothing was changed")
            return
        if await is_settled(front, changed):
            return


async def is_settled(front: Front, made: Shown) -> bool:
    """Show a suggestion in the user's words, and do what they say; False where they go on editing."""
    if why_own(made):
        key = "y" if await front.confirms(made) else "n"
    else:
        await front.show_edited(made)
        answers = {"y": "apply", "e": "edit again", "n": "discard the edit"}
        key = await front.ask("apply this version?", answers)
    if key == "y":
        await write(front, [made.suggestion])
    elif key != "e":
        front.note("not applied; the edit was discarded")
    return key != "e"


async def choose_place(front: Front) -> None:
    suggestion = (await front.shown()).suggestion
    index = await front.do("finding other places", lambda _context: front.prepared.ranked())
    places = await front.do("finding other places", lambda _context: other_places(suggestion, index))
    place = await pick_place(front, suggestion, places, known=list(index.by_uri))
    if place is None:
        front.note("not moved")
    else:
        await move_to(front, suggestion, place)


async def move_to(front: Front, suggestion: MemorySuggestion, place: PlaceChoice) -> None:
    moved = await front.do("moving the suggestion", partial(move, suggestion=suggestion, place=place))
    to = where(moved.suggestion)
    note = f"not moved, already at {to}" if moved.stays else f"moved to {to}; press `u` to undo"
    await front.stay(note, [suggestion.id])


async def replace_line(front: Front) -> None:
    """Show the line that the rule collides with, and let the rule stand in its place if that is wanted."""
    suggestion = (await front.shown()).suggestion
    line = await front.do(
        "finding the conflicting line", lambda context: colliding_line(context, suggestion, front.prepared.read())
    )

    def draw(page: Page) -> None:
        page.line((f"{line.uri}:{line.line}", "cyan"), f"  {line.raw.strip()}", hang=2)

    if await _agrees(front, "replace this line with the rule?", draw):
        made = await front.do("replacing the line", partial(sharpen, suggestion=suggestion, existing_rule=line))
        await front.stay(f"the rule now replaces line {line.line} of {made.edit.path}", [suggestion.id])


async def _agrees(front: Front, question: str, draw: Draw) -> bool:
    is_wanted = await front.ask(question, YES_NO, draw) == "y"
    if not is_wanted:
        front.note("no decision was made")
    return is_wanted


async def apply_file(front: Front) -> None:
    """Apply all that go to its file once the user has seen them, but what needs a look of its own or was put off."""
    suggestion = (await front.shown()).suggestion

    def find(context: Context) -> tuple[int, list[tuple[MemorySuggestion, str | None]]]:
        found = apply_and_undo.of_file(context, suggestion)
        kept = [other for other in found if other.id not in front.put_off or other.id == suggestion.id]
        return len(found) - len(kept), [(other, apply_and_undo.why_not_in_bulk(context, other)) for other in kept]

    left_out, whys = await front.do("finding suggestions for this file", find)
    chosen = [other for other, why in whys if not why]
    if not chosen:
        raise MemsuggestError("no suggestions for this file can be applied together", hint="review each one separately")

    def draw(page: Page) -> None:
        if left_out:
            page.line(f"suggestions skipped with `n` and not included: {left_out}")
        for other in chosen:
            show_row(page, other)
        for other, why in whys:
            if why:
                page.line(("  skipped  ", WARN), f"{other.id[:7]} {one_line(other.content)}: {one_line(why)}")

    these = f"these {len(chosen)}" if len(chosen) > 1 else "this one"
    if await _agrees(front, f"apply {these} to {suggestion.edit.path}?", draw):
        await write(front, chosen)


async def dismiss_chat(front: Front, *, never_again: bool) -> None:
    """Dismiss all that was said in its chat alone, once the user has seen them."""
    suggestion = (await front.shown()).suggestion
    (session, chat), *others = apply_and_undo.chats_of(suggestion).items()
    found = await front.do(
        "finding suggestions from this chat", lambda context: apply_and_undo.of_chat(load(context), session)
    )
    is_among = any(other.id == suggestion.id for other in found)
    stays = (
        f"the suggestion shown also comes from the {', the '.join(name for _, name in others)}; press `d` to dismiss it"
    )
    if not (found or never_again):
        raise MemsuggestError(f"no pending suggestion comes only from the {chat}; {stays}")

    def draw(page: Page) -> None:
        if found:
            page.line(f"only from the {chat} ({len(found)}):")
        if others and not is_among:
            page.line(f"not included: {stays}" if found else stays)
        for other in found:
            show_row(page, other)

    these = f"these {len(found)}" if len(found) > 1 else "this one" if is_among else "the one above"
    wants = [f"dismiss {these} from the {chat}"] if found else []
    wants += ["never read the chat again" if found else f"never read the {chat} again"] if never_again else []
    if await _agrees(front, f"{' and '.join(wants)}?", draw):
        job = partial(apply_and_undo.dismiss_chat, suggestion=suggestion, never_again=never_again)
        dismissed = count(len(await front.do("dismissing", job)), "suggestion", "suggestions")
        end = ", which will not be read again" if never_again else ""
        await front.settle([other.id for other in found], f"dismissed {dismissed} from the {chat}{end}")


async def undo(front: Front) -> None:
    """Take the last decision back, whatever it was, and go to what it was about."""
    done = await front.do("undoing", apply_and_undo.undo)
    contents = done.taken.contents
    about = f" “{contents[0]}”" if contents else ""
    more = f" and {len(contents) - 1} more" if len(contents) > 1 else ""
    files = f", restored {', '.join(done.paths)}" if done.paths else ""
    await front.stay(f"undone: {done.taken.verb}{about}{more}{files}", done.taken.ids, is_back=True)


class Key(NamedTuple):
    """A key of a review."""

    name: str
    """In the list of commands; empty for a key of the line mode alone."""
    help: str = ""
    """Its row of the help; empty for a key of the whole screen alone."""
    act: Callable[[Front], Coroutine[Any, Any, None]] | None = None
    """None for what each front does in its own way."""


KEYS = {
    "y": Key("apply", "apply the suggestion", apply_it),
    "n": Key("leave pending and continue", "not now: leave it pending and go to the next"),
    "d": Key("dismiss everywhere", "dismiss it everywhere", partial(dismiss, only_here=False)),
    "h": Key("dismiss for this file only", "dismiss it for this file only", partial(dismiss, only_here=True)),
    "e": Key("edit the rule here", "edit the text in your editor, then decide"),
    "E": Key("edit in your editor", act=edit_outside),
    "g": Key("change which files a new instructions file applies to"),
    "1": Key("use the suggested place"),
    "2": Key("move to the second place"),
    "3": Key("move to the third place"),
    "m": Key("move elsewhere", "move it to another file or heading", choose_place),
    "s": Key("replace the conflicting line", "swap: replace the line that it contradicts or repeats", replace_line),
    "w": Key("show all evidence and the full diff", "why: all evidence, the reasons and the full diff"),
    "k": Key("", "go back to the previous suggestion"),
    "a": Key("apply all suggestions for this file", "apply all suggestions for this file", apply_file),
    "D": Key(
        "dismiss all suggestions from this chat",
        "dismiss all suggestions that come only from this chat",
        partial(dismiss_chat, never_again=False),
    ),
    "x": Key(
        "dismiss all suggestions from this chat, and never read that chat again",
        "dismiss them and never read this chat again",
        partial(dismiss_chat, never_again=True),
    ),
    "u": Key("undo the last decision", "undo the last decision", undo),
    "/": Key("search"),
    "f": Key("filter"),
    "escape": Key("show all again"),
    "tab": Key("switch panes"),
    "q": Key("quit", "quit and leave the rest pending"),
    "?": Key("show all keys", "this help"),
}
HELP = (
    *(f"{key}  {about.help}" for key, about in KEYS.items() if about.help),
    "Unlike in `git add -p`, `d` dismisses and `s` swaps.",
)
