"""The keys of a review, and what each does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memsuggest.cli.dialog import edited, is_confirmed
from memsuggest.cli.keys import END, ask
from memsuggest.cli.progress_line import working
from memsuggest.cli.review_places import choose_place, replace_line
from memsuggest.cli.review_steps import needs_own, of_same_chat, of_same_file, silence, silence_chat, take_back, write

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
_AS_SAID = "e,y,n,d,h,m,s,w,k,a,D,x,u,q,?"


def act(loop: ReviewLoop, shown: Shown) -> None:
    """Ask for a key and do what it says; of another one it is said that it does nothing."""
    from memsuggest.workflows.suggest.maybes import is_as_said

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
    if needs_own(shown) and not _agreed(loop, shown):
        loop.go_on()
        return
    _write(loop, [shown.suggestion])
    loop.go_on()


def _agreed(loop: ReviewLoop, shown: Shown) -> bool:
    with loop.keys.away():
        return is_confirmed(loop.run, shown)


def _edit(loop: ReviewLoop, shown: Shown) -> None:
    """Open the editor, show what comes of it, and apply it with one more key."""
    from memsuggest.workflows.decide.dangerous_rules import with_danger

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
    if needs_own(looked):
        return "y" if _agreed(loop, looked) else "n"
    loop.show(looked, notes=("in your words:",))
    return ask(loop.keys, "apply it like this? [y, e: edit again, n: leave it as it was] ").lower()


def _write(loop: ReviewLoop, suggestions: Sequence[MemorySuggestion]) -> None:
    with working("writing"):
        loop.notes += write(loop.context, suggestions)


def _apply_file(loop: ReviewLoop, shown: Shown) -> None:
    """Show all that go to this file, and apply those that need no look of their own and were not put off just now."""
    with working("looking at what goes to this file"):
        many = of_same_file(loop.context, shown.suggestion, loop.put_off)
    loop.run.emit(many.bundle)
    if many.remark:
        loop.tell(f"  {many.remark}")
    if not many.question:
        loop.notes.append("nothing of this file can be applied together: look at each by itself")
    elif ask(loop.keys, f"{many.question} [y/N] ") in {"y", "Y"}:
        _write(loop, many.chosen)
        loop.go_on()


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
        done = silence(loop.context, shown.suggestion, only_here=only_here)
    loop.notes.append(done.note)
    if not done.stays:
        loop.go_on()


def _dismiss_chat(loop: ReviewLoop, shown: Shown) -> None:
    _silence_chat(loop, shown, never_again=False)


def _never_again(loop: ReviewLoop, shown: Shown) -> None:
    _silence_chat(loop, shown, never_again=True)


def _silence_chat(loop: ReviewLoop, shown: Shown, *, never_again: bool) -> None:
    """Show what would go with the chat, and dismiss it if that is wanted."""
    many = of_same_chat(loop.context, shown.suggestion, never_again=never_again)
    if many.chosen:
        loop.tell(many.title)
        loop.run.emit(many.bundle)
    if many.remark:
        loop.tell(many.remark)
    if ask(loop.keys, f"{many.question} [y/N] ") not in {"y", "Y"}:
        return
    with working("dismissing"):
        loop.notes.append(silence_chat(loop.context, shown.suggestion, never_again=never_again))
    if many.is_among:
        loop.go_on()


def _put_off(loop: ReviewLoop, shown: Shown) -> None:
    """Leave it pending, whatever is applied together afterwards."""
    loop.put_off.add(shown.suggestion.id)
    loop.go_on()


def _undo(loop: ReviewLoop, _shown: Shown) -> None:
    """Take the last decision back, and go to what it was about."""
    with working("taking back"):
        done = take_back(loop.context)
    loop.notes.append(done.note)
    loop.go_to(done.ids)


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
