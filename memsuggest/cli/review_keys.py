"""What each key of a review does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memsuggest.cli.dialog import edited, is_confirmed
from memsuggest.cli.keys import END, ask
from memsuggest.cli.progress_line import working
from memsuggest.cli.review_places import choose_place, replace_line
from memsuggest.errors import Skipped

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from memsuggest.cli.review_state import ReviewLoop
    from memsuggest.model import MemorySuggestion
    from memsuggest.reports.decision_reports import Shown

HELP = """y  apply it
n  not now: leave it pending, go to the next
d  dismiss it: silence this fact everywhere
h  dismiss it here: silence it for this file only
e  edit the words in your editor, then decide
m  move it: choose another file or heading, or type one
s  swap: put it in the place of the line that it contradicts or repeats
w  why: all of its evidence, its reasons, the whole diff
k  back to the one before
a  apply all that go to this file
D  dismiss all that were said in this chat alone
x  dismiss those, and never read this chat again
u  undo the last decision, whatever it was
q  quit, leave the rest pending
?  this help
Not as in `git add -p`: there `d` leaves the rest of a file and `s` splits; here they dismiss and swap."""
KEYS = "y,n,d,h,e,m,s,w,k,a,D,x,u,q,?"
_NAMED = 2
"""Rules that a note on the next screen names; of more, the number."""
_AS_SAID = "e,y,n,d,h,m,s,w,k,a,D,x,u,q,?"


def act(loop: ReviewLoop, shown: Shown) -> None:
    """Ask for a key and do what it says; of another one it is said that it does nothing."""
    from memsuggest.workflows.maybes import is_as_said

    question = f"apply this? [{KEYS}] "
    if is_as_said(shown.suggestion):  # a sentence out of a chat is seldom a rule as it stands
        question = f"edit this, or apply it as it is? [{_AS_SAID}] "
    key = ask(loop.keys, question)
    chosen = _ACTS.get(key) or _ACTS.get(key.lower())
    if chosen is not None:
        chosen(loop, shown)
    else:
        loop.notes.append(
            f"`{key}` does nothing here: `?` shows the keys" if key.isprintable() else "`?` shows the keys"
        )


def _help(loop: ReviewLoop, _shown: Shown) -> None:
    """Show what every key does; the suggestion comes back after it."""
    loop.tell(*HELP.splitlines())
    ask(loop.keys, "any key goes back to the suggestion ")


def _apply(loop: ReviewLoop, shown: Shown) -> None:
    if _needs_own(shown) and not _agreed(loop, shown):
        loop.go_on()
        return
    _write(loop, [shown.suggestion])
    loop.go_on()


def _needs_own(shown: Shown) -> bool:
    """Whether more than one key is needed: it runs a command, or weakens safety."""
    return shown.suggestion.executable or bool(shown.danger)


def _agreed(loop: ReviewLoop, shown: Shown) -> bool:
    with loop.keys.away():
        return is_confirmed(loop.run, shown)


def _edit(loop: ReviewLoop, shown: Shown) -> None:
    """Open the editor, show what comes of it, and apply it with one more key."""
    from memsuggest.workflows.danger import with_danger

    changed: MemorySuggestion | None = None
    while True:
        with loop.keys.away():
            worded = edited(loop.context, changed or shown.suggestion, patch=False)
        changed = worded or changed
        if changed is None:
            loop.notes.append("nothing was changed")
            return
        looked = with_danger(type(shown)(suggestion=changed))
        key = _asked_about(loop, looked)
        if key != "e":
            break
    if key == "y":
        _write(loop, [changed])
        loop.go_on()
    elif key in {"q", END}:
        loop.stop()
    else:
        loop.notes.append("not applied: its words are what they were")


def _asked_about(loop: ReviewLoop, looked: Shown) -> str:
    """Show a suggestion in the person's words, and return the key that says what becomes of it."""
    if _needs_own(looked):
        return "y" if _agreed(loop, looked) else "n"
    loop.show(looked, notes=("in your words:",))
    return ask(loop.keys, "apply it like this? [y, e: edit again, n: leave it as it was] ").lower()


def _write(loop: ReviewLoop, suggestions: Sequence[MemorySuggestion]) -> None:
    from memsuggest.suggestions.final_words import as_written
    from memsuggest.suggestions.place_line import where

    with working("writing"):
        from memsuggest.workflows.apply import apply

        done = apply(loop.context, suggestions)
    loop.notes += [f"applied: {as_written(one)} → {where(one)}" for one in done.suggestions[:_NAMED]]
    if len(done.suggestions) > _NAMED:
        loop.notes.append(f"applied: {len(done.suggestions) - _NAMED} more")


def _apply_file(loop: ReviewLoop, shown: Shown) -> None:
    """Show all that go to this file, and apply those that need no look of their own and were not put off just now."""
    from memsuggest.reports.decision_reports import Bundle

    with working("looking at what goes to this file"):
        from memsuggest.workflows.apply import of_file, why_not_in_bulk

        found = of_file(loop.context, shown.suggestion)
        kept = [one for one in found if one.id not in loop.put_off or one.id == shown.suggestion.id]
        held = [(one, why) for one in kept if (why := why_not_in_bulk(one))]
    chosen = [one for one in kept if not any(one is other for other, _ in held)]
    loop.run.emit(
        Bundle(
            suggestions=tuple(chosen),
            held_back=tuple(Skipped(what=f"{one.id[:7]} {one.content}", why=why) for one, why in held),
        )
    )
    if put_off := len(found) - len(kept):
        loop.tell(f"  not among them: {put_off} that you answered with `n`")
    these = f"these {len(chosen)}" if len(chosen) > 1 else "this one"
    if chosen and ask(loop.keys, f"apply {these} to {shown.suggestion.edit.path}? [y/N] ") in {"y", "Y"}:
        _write(loop, chosen)
        loop.go_on()
    elif not chosen:
        loop.notes.append("nothing of this file can be applied together: look at each by itself")


def _why(loop: ReviewLoop, shown: Shown) -> None:
    loop.run.emit(shown)
    ask(loop.keys, "any key goes back ")


def _dismiss(loop: ReviewLoop, shown: Shown) -> None:
    _silence(loop, shown, only_here=False)


def _dismiss_here(loop: ReviewLoop, shown: Shown) -> None:
    _silence(loop, shown, only_here=True)


def _silence(loop: ReviewLoop, shown: Shown, *, only_here: bool) -> None:
    """Dismiss it; where that is for one file only, and it waits for another one now, that is shown next."""
    with working("looking for another place" if only_here else "dismissing"):
        from memsuggest.workflows.dismiss import dismiss

        done = dismiss(loop.context, [shown.suggestion.id], only_here=only_here)
    if not only_here:
        loop.notes.append(f"dismissed everywhere: {shown.suggestion.content}")
    elif done.elsewhere:
        loop.notes.append(f"dismissed for {shown.suggestion.edit.path}: this is the next best place")
        return
    else:
        loop.notes.append(f"dismissed for {shown.suggestion.edit.path}, and no other file is a place for it")
    loop.go_on()


def _dismiss_chat(loop: ReviewLoop, shown: Shown) -> None:
    _silence_chat(loop, shown, never_again=False)


def _never_again(loop: ReviewLoop, shown: Shown) -> None:
    _silence_chat(loop, shown, never_again=True)


def _silence_chat(loop: ReviewLoop, shown: Shown, *, never_again: bool) -> None:
    """Show what would go with the chat, and dismiss it if that is wanted."""
    from memsuggest.reports.decision_reports import Bundle
    from memsuggest.workflows.chats import chats_of, dismiss_chat, of_chat
    from memsuggest.workflows.pending import load

    chat, *others = (session[:8] for session in chats_of(shown.suggestion))
    found = of_chat(load(loop.context), chats_of(shown.suggestion)[0])
    is_among = any(one.id == shown.suggestion.id for one in found)
    if found:
        loop.tell(f"said in chat {chat} and in no other ({len(found)}):")
        loop.run.emit(Bundle(suggestions=tuple(found)))
    stays = f"the one on the screen was said in chat {', '.join(others)}, too: `d` dismisses it"
    if not (found or never_again):
        loop.notes.append(f"nothing waits that was said in chat {chat} alone; {stays}")
        return
    if not is_among and others:
        loop.tell(f"not among them: {stays}" if found else stays)
    these = f"these {len(found)}" if len(found) > 1 else "this one" if is_among else "the one above"
    wants = [f"dismiss {these} of chat {chat}"] if found else []
    wants += ["never read the chat again" if found else f"never read chat {chat} again"] if never_again else []
    if ask(loop.keys, f"{' and '.join(wants)}? [y/N] ") not in {"y", "Y"}:
        return
    with working("dismissing"):
        dismiss_chat(loop.context, shown.suggestion, never_again=never_again)
    loop.notes.append(f"dismissed {len(found)} of chat {chat}" + (", which is not read again" if never_again else ""))
    if is_among:
        loop.go_on()


def _put_off(loop: ReviewLoop, shown: Shown) -> None:
    """Leave it pending, whatever is applied together afterwards."""
    loop.put_off.add(shown.suggestion.id)
    loop.go_on()


def _undo(loop: ReviewLoop, _shown: Shown) -> None:
    """Take the last decision back, and go to what it was about."""
    with working("taking back"):
        from memsuggest.workflows.undo import undo

        done = undo(loop.context)
    about = f" “{done.taken.contents[0]}”" if done.taken.contents else ""
    more = f" and {len(done.taken.contents) - 1} more" if len(done.taken.contents) > 1 else ""
    files = f", restored {', '.join(done.paths)}" if done.paths else ""
    loop.notes.append(f"took back: {done.taken.verb}{about}{more}{files}")
    loop.go_to(done.taken.ids)


_ACTS: dict[str, Callable[[ReviewLoop, Shown], None]] = {
    "y": _apply,
    "n": _put_off,
    "d": _dismiss,
    "h": _dismiss_here,
    "e": _edit,
    "m": choose_place,
    "s": replace_line,
    "w": _why,
    "k": lambda loop, _shown: loop.go_on(-1),
    "a": _apply_file,
    "D": _dismiss_chat,
    "x": _never_again,
    "u": _undo,
    "?": _help,
    "q": lambda loop, _shown: loop.stop(),
    END: lambda loop, _shown: loop.stop(),
}
