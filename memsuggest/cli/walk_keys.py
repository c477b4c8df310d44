"""What each key of a review does."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from memsuggest.cli.conversation import edited, is_confirmed
from memsuggest.cli.keys import END
from memsuggest.cli.progress import working
from memsuggest.cli.walk import ask

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from memsuggest.cli.walk import Walk
    from memsuggest.model import MemorySuggestion
    from memsuggest.reports.deciding import Shown
    from memsuggest.workflows.moving import Place

HELP = """y  apply it
n  not now: leave it pending, go to the next
d  dismiss it: silence this fact everywhere
h  dismiss it here: silence it for this file only
e  edit the words in your editor, then decide
m  move it: choose another file or heading, or type one
s  sharpen: let it stand in the place of the line that it collides with
w  why: all of its evidence, its reasons, the whole diff
k  back to the one before
a  apply all that go to this file
D  dismiss all that were said in this chat alone
x  dismiss those, and never read this chat again
u  undo the last decision, whatever it was
q  quit, leave the rest pending
?  this help
Not as in `git add -p`: there `d` leaves the rest of a file and `s` splits; here they dismiss and sharpen."""
KEYS = "y,n,d,h,e,m,s,w,k,a,D,x,u,q,?"
_NAMED = 2
"""Rules that a note on the next screen names; of more, the number."""
_AS_SAID = "e,y,n,d,h,m,s,w,k,a,D,x,u,q,?"


def act(walk: Walk, shown: Shown) -> None:
    """Ask for a key and do what it says; another one shows the help."""
    from memsuggest.workflows.maybes import is_as_said

    question = f"apply this? [{KEYS}] "
    if is_as_said(shown.suggestion):  # a sentence out of a chat is seldom a rule as it stands
        question = f"edit this, or apply it as it is? [{_AS_SAID}] "
    while True:
        key = ask(walk.keys, question)
        chosen = _ACTS.get(key) or _ACTS.get(key.lower())
        if chosen is not None:
            chosen(walk, shown)
            return
        typer.echo(HELP)


def _apply(walk: Walk, shown: Shown) -> None:
    if (shown.suggestion.executable or shown.danger) and not _agreed(walk, shown):
        walk.go_on()
        return
    _write(walk, [shown.suggestion])
    walk.go_on()


def _agreed(walk: Walk, shown: Shown) -> bool:
    with walk.keys.away():
        return is_confirmed(walk.run, shown)


def _edit(walk: Walk, shown: Shown) -> None:
    with walk.keys.away():
        changed = edited(walk.desk, shown.suggestion, patch=False)
    if changed is None:
        walk.notes.append("nothing was changed")
    elif _agreed(walk, type(shown)(suggestion=changed)):
        _write(walk, [changed])
        walk.go_on()


def _write(walk: Walk, suggestions: Sequence[MemorySuggestion]) -> None:
    from memsuggest.workflows.apply import apply

    with working("writing"):
        done = apply(walk.desk, suggestions)
    walk.notes += [f"applied: {one.content} → {one.edit.path}" for one in done.suggestions[:_NAMED]]
    if len(done.suggestions) > _NAMED:
        walk.notes.append(f"applied: {len(done.suggestions) - _NAMED} more")


def _apply_file(walk: Walk, shown: Shown) -> None:
    """Show all that go to this file, and apply those that need no look of their own."""
    from memsuggest.workflows.apply import of_file, why_not_in_bulk

    found = of_file(walk.desk, shown.suggestion)
    chosen = [one for one in found if not why_not_in_bulk(one)]
    for one in found:
        why = why_not_in_bulk(one)
        typer.echo(f"  {one.id[:7]}  {_line(one.content)}" + (f"\n           held back: {why}" if why else ""))
    if chosen and ask(walk.keys, f"apply these {len(chosen)} to {shown.suggestion.edit.path}? [y/N] ") in {"y", "Y"}:
        _write(walk, chosen)
        walk.go_on()


def _line(text: str) -> str:
    from memsuggest.render.safe import one_line

    return one_line(text, limit=100)


def _move(walk: Walk, shown: Shown) -> None:
    """Offer the next best places by number, or take one that is typed."""
    from memsuggest.workflows.moving import move, other_places

    with working("looking through your files for other places"):
        places = other_places(shown.suggestion, walk.prepared.ranked())
    for number, place in enumerate(places, 1):
        typer.echo(f"  {number}  {_named(place)}")
    typer.echo("  t  type a file, or a file and a heading: `AGENTS.md#Testing`")
    chosen = _chosen(walk, places)
    if chosen is None:
        walk.notes.append("it stays where it was")
        return
    moved = move(walk.desk, shown.suggestion, chosen)
    walk.notes.append(f"moved to {_named_place(moved)}")


def _chosen(walk: Walk, places: Sequence[Place]) -> Place | None:
    from memsuggest.workflows.moving import typed_place

    key = ask(walk.keys, f"where to? [1-{len(places)}, t, or any other key: nowhere] " if places else "type one? [t] ")
    if key.isdecimal() and 0 < int(key) <= len(places):
        return places[int(key) - 1]
    if key not in {"t", "T"}:
        return None
    with walk.keys.away():
        text: str = typer.prompt("place", default="", show_default=False)
    return typed_place(text) if text.strip() else None


def _named(place: Place) -> str:
    return _line(f"{place.uri} › {place.heading}" if place.heading else place.uri)


def _named_place(one: MemorySuggestion) -> str:
    return f"{one.edit.path} › {one.heading}" if one.heading else one.edit.path


def _sharpen(walk: Walk, shown: Shown) -> None:
    """Show the line that the rule collides with, and let the rule stand in its place if that is wanted."""
    from memsuggest.workflows.moving import colliding_line, sharpen

    with working("looking through your files for the line"):
        saying = colliding_line(walk.desk, shown.suggestion, walk.prepared.read())
    typer.echo(f"  {saying.uri}:{saying.line}  {_line(saying.raw)}")
    if ask(walk.keys, "put the rule in its place? [y/N] ") not in {"y", "Y"}:
        walk.notes.append("it stays as it was")
        return
    made = sharpen(walk.desk, shown.suggestion, saying)
    walk.notes.append(f"it stands in the place of line {saying.line} of {made.edit.path} now")


def _why(walk: Walk, shown: Shown) -> None:
    walk.run.emit(shown)
    ask(walk.keys, "any key goes back ")


def _dismiss(walk: Walk, shown: Shown) -> None:
    _silence(walk, shown, only_here=False)


def _dismiss_here(walk: Walk, shown: Shown) -> None:
    _silence(walk, shown, only_here=True)


def _silence(walk: Walk, shown: Shown, *, only_here: bool) -> None:
    from memsuggest.workflows.dismiss import dismiss

    with working("looking for another place" if only_here else "dismissing"):
        dismiss(walk.desk, [shown.suggestion.id], only_here=only_here)
    where = f"for {shown.suggestion.edit.path}" if only_here else "everywhere"
    walk.notes.append(f"dismissed {where}: {shown.suggestion.content}")
    walk.go_on()


def _dismiss_chat(walk: Walk, shown: Shown) -> None:
    _silence_chat(walk, shown, never_again=False)


def _never_again(walk: Walk, shown: Shown) -> None:
    _silence_chat(walk, shown, never_again=True)


def _silence_chat(walk: Walk, shown: Shown, *, never_again: bool) -> None:
    """Show what would go with the chat, and dismiss it if that is wanted."""
    from memsuggest.workflows.chats import chat_of, dismiss_chat, of_chat
    from memsuggest.workflows.waiting import load

    session = chat_of(shown.suggestion)
    found = of_chat(load(walk.desk), session)
    for one in found:
        typer.echo(f"  {one.id[:7]}  {_line(one.content)}")
    what = " and never read the chat again" if never_again else ""
    if ask(walk.keys, f"dismiss these {len(found)} of chat {session[:8]}{what}? [y/N] ") not in {"y", "Y"}:
        return
    dismiss_chat(walk.desk, shown.suggestion, never_again=never_again)
    walk.notes.append(f"dismissed {len(found)} of chat {session[:8]}")
    walk.go_on()


def _undo(walk: Walk, _shown: Shown) -> None:
    """Take the last decision back, and go to what it was about."""
    from memsuggest.workflows.undo import undo

    with working("taking back"):
        done = undo(walk.desk)
    about = f" “{done.taken.contents[0]}”" if done.taken.contents else ""
    more = f" and {len(done.taken.contents) - 1} more" if len(done.taken.contents) > 1 else ""
    files = f", restored {', '.join(done.paths)}" if done.paths else ""
    walk.notes.append(f"took back: {done.taken.verb}{about}{more}{files}")
    walk.go_to(done.taken.ids)


_ACTS: dict[str, Callable[[Walk, Shown], None]] = {
    "y": _apply,
    "n": lambda walk, _shown: walk.go_on(),
    "d": _dismiss,
    "h": _dismiss_here,
    "e": _edit,
    "m": _move,
    "s": _sharpen,
    "w": _why,
    "k": lambda walk, _shown: walk.go_on(-1),
    "a": _apply_file,
    "D": _dismiss_chat,
    "x": _never_again,
    "u": _undo,
    "q": lambda walk, _shown: walk.stop(),
    END: lambda walk, _shown: walk.stop(),
}
