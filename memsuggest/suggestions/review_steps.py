"""The steps of a review after each answer, and their words: for the line mode and the full screen. Asks nothing."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from memsuggest.core.context import Context
from memsuggest.core.errors import MemsuggestError, Skipped
from memsuggest.core.model import MemorySuggestion
from memsuggest.core.render.page import WARN, Page, count
from memsuggest.core.render.safe_output import one_line
from memsuggest.suggestions.decision_reports import Shown
from memsuggest.suggestions.suggestion_lines import show_row

_NAMED = 2
"""Rules that a note on the next screen names; of more, the number."""


def planned(context: Context, name: str) -> Shown | None:
    """Return the pending suggestion with an id as it would be written now; None if it is no longer pending."""
    from memsuggest.suggestions.pending import load_all
    from memsuggest.suggestions.suggesting import looked_at

    found = next((suggestion for suggestion in load_all(context) if suggestion.id == name), None)
    return looked_at(context, found) if found else None


def planned_maybe(context: Context, name: str) -> Shown | None:
    """Return the low-confidence suggestion with an id as it would be written now; None if it was decided."""
    from memsuggest.facts.stores import waiting_maybes
    from memsuggest.suggestions.review import plan_maybe
    from memsuggest.suggestions.suggesting import looked_at

    found = next((maybe for maybe in waiting_maybes(context) if maybe.id == name), None)
    return looked_at(context, plan_maybe(context, found)) if found else None


def why_own(shown: Shown) -> str:
    """Say why more than one key is needed: what it runs, or how it weakens safety; empty where one key is enough."""
    from memsuggest.suggestions.hook_wishes import SAYS_WHEN, wish_of

    suggestion = shown.suggestion
    if not suggestion.executable:
        return f"this rule {shown.danger}" if shown.danger else ""
    wish = wish_of(suggestion.fact) if suggestion.fact else None
    if suggestion.maintenance:
        return "this changes an agent's permissions"
    if wish is None or wish.command not in suggestion.suggested_merge_content:
        return "this runs a command"
    return f"assistants will run `{one_line(wish.command)}` {SAYS_WHEN[wish.event]}"


def write(context: Context, suggestions: Sequence[MemorySuggestion]) -> list[str]:
    """Apply suggestions, and return what is told of that."""
    from memsuggest.suggestions.apply_and_undo import apply
    from memsuggest.suggestions.listed import as_written, where

    done = apply(context, suggestions)
    notes = [f"applied: {as_written(suggestion)} → {where(suggestion)}" for suggestion in done.suggestions[:_NAMED]]
    more = len(done.suggestions) - _NAMED
    return [*notes, f"applied: {more} more"] if more > 0 else notes


@dataclass(frozen=True, slots=True, kw_only=True)
class Many:
    """Suggestions that one key decides together."""

    chosen: tuple[MemorySuggestion, ...]
    held_back: tuple[Skipped, ...] = ()
    """Ones that need a look of their own."""
    question: str
    """Empty where nothing can be decided."""
    title: str = ""
    remark: str = ""
    is_among: bool = True
    """The one on the screen is decided, too."""

    def show(self, page: Page) -> None:
        """Print what would be decided at once, a row each."""
        for suggestion in self.chosen:
            show_row(page, suggestion)
        for skip in self.held_back:
            page.line(("  skipped  ", WARN), f"{one_line(skip.what)}: {one_line(skip.why)}")


def of_same_file(context: Context, suggestion: MemorySuggestion, put_off: Collection[str]) -> Many:
    """Return all that go to the file of a suggestion, but what needs a look of its own and what was put off."""
    from memsuggest.suggestions.apply_and_undo import of_file, why_not_in_bulk

    found = of_file(context, suggestion)
    kept = [other for other in found if other.id not in put_off or other.id == suggestion.id]
    whys = [(suggestion, why_not_in_bulk(context, suggestion)) for suggestion in kept]
    chosen = [suggestion for suggestion, why in whys if not why]
    left_out = len(found) - len(kept)
    these = f"these {len(chosen)}" if len(chosen) > 1 else "this one"
    return Many(
        chosen=tuple(chosen),
        held_back=tuple(
            Skipped(what=f"{suggestion.id[:7]} {suggestion.content}", why=why) for suggestion, why in whys if why
        ),
        question=f"apply {these} to {suggestion.edit.path}?" if chosen else "",
        remark=f"suggestions skipped with `n` and not included: {left_out}" if left_out else "",
    )


def of_same_chat(context: Context, suggestion: MemorySuggestion, *, never_again: bool) -> Many:
    """Return what waits from the chat of a suggestion alone; raises MemsuggestError where there is nothing to decide.

    `never_again`: the chat is not read any more, either.
    """
    from memsuggest.suggestions.apply_and_undo import chats_of, of_chat
    from memsuggest.suggestions.pending import load

    session, chat = next(iter(chats_of(suggestion).items()))
    others = list(chats_of(suggestion).values())[1:]
    found = of_chat(load(context), session)
    is_among = any(other.id == suggestion.id for other in found)
    stays = f"the suggestion shown also comes from the {', the '.join(others)}; press `d` to dismiss it"
    if not (found or never_again):
        raise MemsuggestError(f"no pending suggestion comes only from the {chat}; {stays}")
    remark = "" if is_among or not others else f"not included: {stays}" if found else stays
    these = f"these {len(found)}" if len(found) > 1 else "this one" if is_among else "the one above"
    wants = [f"dismiss {these} from the {chat}"] if found else []
    wants += ["never read the chat again" if found else f"never read the {chat} again"] if never_again else []
    return Many(
        chosen=tuple(found),
        question=f"{' and '.join(wants)}?",
        title=f"only from the {chat} ({len(found)}):" if found else "",
        remark=remark,
        is_among=is_among,
    )


def silence_chat(context: Context, suggestion: MemorySuggestion, *, never_again: bool) -> str:
    """Dismiss the suggestions from the chat of one alone, and return a note about it."""
    from memsuggest.suggestions.apply_and_undo import chats_of, dismiss_chat

    done = dismiss_chat(context, suggestion, never_again=never_again)
    chat, end = next(iter(chats_of(suggestion).values())), ", which will not be read again" if never_again else ""
    return f"dismissed {count(len(done), 'suggestion', 'suggestions')} from the {chat}{end}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """The outcome of an answer."""

    note: str
    stays: bool = False
    """The same suggestion waits still, at another place: it is shown again."""
    ids: tuple[str, ...] = ()
    """What it was about, where that is to be shown."""


def silence(context: Context, suggestion: MemorySuggestion, *, only_here: bool) -> Done:
    """Dismiss a suggestion; where that is for one file only, it may wait for another one now."""
    from memsuggest.suggestions.apply_and_undo import dismiss

    done = dismiss(context, [suggestion.id], only_here=only_here)
    if not only_here:
        return Done(note=f"dismissed everywhere: {suggestion.content}")
    what = ": here is the next best place" if done.elsewhere else "; no other file is suitable"
    return Done(note=f"dismissed for {suggestion.edit.path}{what}", stays=bool(done.elsewhere))


def take_back(context: Context) -> Done:
    """Take the last decision back, whatever it was; raises MemsuggestError where there is none."""
    from memsuggest.suggestions.apply_and_undo import undo

    done = undo(context)
    about = f" “{done.taken.contents[0]}”" if done.taken.contents else ""
    more = f" and {len(done.taken.contents) - 1} more" if len(done.taken.contents) > 1 else ""
    files = f", restored {', '.join(done.paths)}" if done.paths else ""
    return Done(note=f"undone: {done.taken.verb}{about}{more}{files}", ids=done.taken.ids)
