"""Asking the person: before `apply`, in `edit` and in `move`, and on the lines of a review."""

from __future__ import annotations

import threading
from collections.abc import Callable, Coroutine, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, replace
from itertools import takewhile
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, TypeVar

import typer

from memsuggest.cli.dialog import edited_text, is_interactive
from memsuggest.cli.keys import END, Keys, ask, single_keys
from memsuggest.cli.progress_line import working
from memsuggest.cli.run import Run
from memsuggest.core.context import Context
from memsuggest.core.errors import MemsuggestError
from memsuggest.core.model import MemorySuggestion
from memsuggest.core.render.page import Page
from memsuggest.suggestions.list_and_show import find_planned, show_suggestion, why_own

if TYPE_CHECKING:
    from memsuggest.suggestions.decision_reports import PlaceChoice, Shown
    from memsuggest.suggestions.ranking.workspace_index import WorkspaceIndex

T = TypeVar("T")
Draw: TypeAlias = Callable[[Page], object]

_KEYS = "y  apply · n  leave pending · q  leave this and the rest pending"
_NEIGHBOURS = 20  # lines of the diff that the editor shows beside a rule


def _require_person(run: Run, done: str, hint: Callable[[], str]) -> None:
    """Raise MemsuggestError where nobody can be asked, with what works without."""
    if not is_interactive() or run.format == "json":
        why = "`--format json` does not prompt" if run.format == "json" else "not running in a terminal"
        raise MemsuggestError(f"nothing was {done}: {why}", hint=hint())


def apply_asking(run: Run, *, ids: list[str], every: bool, similar: str | None, yes: bool) -> int:
    """Show what would be written, ask unless told not to, write it; 1 where all of it is skipped."""
    from memsuggest.suggestions.apply_and_undo import apply, choose
    from memsuggest.suggestions.decision_reports import Applied
    from memsuggest.suggestions.marker_files import reviewing

    def hint() -> str:
        context = run.look()
        own = [found.id[:7] for found in (find_planned(context, name) for name in ids) if found.executable]
        if own:
            where = f"run `memsuggest apply {own[0]}` in a terminal"
            return f"{where}; suggestions that run a command must be confirmed there"
        look = f"`memsuggest show {ids[0]}`" if ids else "`memsuggest list`"
        words = "--all" if every else f"--similar {similar}" if similar else " ".join(ids)
        return f"check the suggestion with {look}, then run `memsuggest apply {words} --yes`"

    if not yes:
        _require_person(run, "applied", hint)
    context = run.context()
    with context.exclusive() if yes else reviewing(context):  # a person may take their time, and others go on meanwhile
        choice = choose(context, ids=ids, every=every, like=similar, is_unasked=yes)
        if yes:
            _warn(run, choice.shown)
        answers = (("y" if yes else _answer(run, shown), shown.suggestion) for shown in choice.shown)
        kept = takewhile(lambda pair: pair[0] != "q", answers)  # `q` leaves it and those after it
        confirmed = [suggestion for answer, suggestion in kept if answer == "y"]
        report = apply(context, confirmed, held_back=choice.held_back, is_unasked=yes) if confirmed else None
    if choice.shown and not confirmed:
        run.say("nothing was applied")
    run.emit(report or Applied(suggestions=(), held_back=choice.held_back))
    return 1 if choice.held_back and not choice.shown else 0


def is_confirmed(run: Run, shown: Shown) -> bool:
    return _answer(run, shown) == "y"


def _answer(run: Run, shown: Shown) -> str:
    from memsuggest.suggestions.dangerous_rules import with_danger

    shown = with_danger(shown)
    run.emit(shown)
    typer.echo()
    if shown.suggestion.executable or shown.danger:
        anyway = "" if shown.suggestion.executable else " anyway"
        answer: str = typer.prompt(
            f"{why_own(shown)}; type `yes` to write the file{anyway}", default="no", show_default=False
        )
        return "y" if answer.strip().lower() == "yes" else "n"
    with single_keys() as keys:  # as in a review; the end of input leaves everything
        while True:
            key = ask(keys, "Apply? [y]es [n]o [q]uit [?] ").lower()
            if key == END:
                raise typer.Abort
            if key in {"y", "n", "q"}:
                return key
            typer.echo(_KEYS)


def _warn(run: Run, shown: Sequence[Shown]) -> None:
    """Say what is dangerous about suggestions that are written unasked, as they were named."""
    for each in shown:
        if each.danger:
            run.say(f"warning: {each.suggestion.id[:7]} {each.suggestion.content}: this rule {each.danger}")


def edit_asking(run: Run, prefix: str, *, patch: bool, yes: bool) -> None:
    """Open the editor on a suggestion's text or on the file as it would be; show the new diff, ask, write it."""
    from memsuggest.suggestions.apply_and_undo import apply, require_harmless
    from memsuggest.suggestions.dangerous_rules import with_danger
    from memsuggest.suggestions.decision_reports import Applied, Shown

    def hint() -> str:
        is_worded = find_planned(run.look(), prefix).fact is not None and not patch
        return f'run `memsuggest memory edit {prefix} --content "…"`' if is_worded else "run the command in a terminal"

    if not yes:
        _require_person(run, "changed", hint)
    context = run.context()
    shown = show_suggestion(context, prefix)
    if yes:
        require_harmless(shown)
    text = text_of_editor(shown.suggestion, patch=patch)
    if text is None:
        if run.format == "json":
            run.emit(Applied(suggestions=()))
        run.say("nothing was changed")
        return
    changed = with_new_text(context, shown.suggestion, text, patch=patch)
    if yes:
        _warn(run, [with_danger(Shown(suggestion=changed))])
    if yes or is_confirmed(run, Shown(suggestion=changed)):
        run.emit(apply(context, [changed]))


def text_of_editor(suggestion: MemorySuggestion, *, patch: bool) -> str | None:
    """Open the editor on the words of a suggestion, or on its whole file, and return the text; None for the same.

    Below the words stand lines that are left out again, as git does: what a person wants to see while they word a rule.
    """
    from memsuggest.core.render.safe_output import one_line
    from memsuggest.customizations.diff import unified
    from memsuggest.suggestions.listed import as_written, where

    edit = suggestion.edit
    if patch or suggestion.maintenance:
        after = edited_text(edit.after or "", suffix=PurePosixPath(edit.path).suffix)
        return None if after in (edit.before, edit.after) else after
    shown = as_written(suggestion)
    about = (
        "",
        "Edit the rule on the first line. Lines that begin with # are ignored.",
        f"Target: {where(suggestion)}",
        *(f"You said: “{one_line(citation.quote)}”" for citation in suggestion.citations[:3]),
        "",
        *map(one_line, unified(edit).partition("\n@@")[2].splitlines()[1:_NEIGHBOURS]),
    )
    comments = "".join(f"# {row}".rstrip() + "\n" for row in about)
    rows = edited_text(f"{shown}\n{comments}", suffix=".md").splitlines(keepends=True)
    words = "".join(row for row in rows if row.rstrip() != "#" and not row.startswith("# ")).strip()
    return None if words == shown else words


def with_new_text(context: Context, suggestion: MemorySuggestion, text: str, *, patch: bool) -> MemorySuggestion:
    """Return a suggestion with a text that came from the editor; raises MemsuggestError for words that cannot be."""
    from memsuggest.suggestions.apply_and_undo import reworded, with_text

    is_file = patch or suggestion.maintenance
    return with_text(suggestion, text) if is_file else reworded(context, suggestion, text)


def list_places(run: Run, prefix: str) -> None:
    from memsuggest.suggestions.apply_and_undo import find_movable
    from memsuggest.suggestions.decision_reports import Places
    from memsuggest.suggestions.move import other_places

    context = run.look().dry()
    suggestion = find_movable(context, prefix)
    run.emit(Places(suggestion=suggestion, places=tuple(other_places(suggestion, context.workspace_index))))


def move_asking(run: Run, prefix: str, *, file: str, heading: str, makes: bool) -> None:
    """Move a suggestion to the place that was named, or to one that is asked for; print what came of it."""
    from memsuggest.core.plain_reports import Talk
    from memsuggest.suggestions.apply_and_undo import find_movable
    from memsuggest.suggestions.listed import as_written
    from memsuggest.suggestions.marker_files import reviewing
    from memsuggest.suggestions.move import move, named_place, other_places, what_is_new

    is_asked = is_interactive() and run.format != "json"
    if not (file or heading or is_asked):
        raise MemsuggestError(
            "nothing was moved: not running in a terminal",
            hint=f"name the target, for example `memsuggest move {prefix} AGENTS.md --heading Testing`",
        )
    context = run.context()
    with working("finding the suggestion"):
        suggestion = find_movable(context, prefix)
    place: PlaceChoice | None
    if not (file or heading):
        with working("finding other targets"):
            places = other_places(suggestion, context.workspace_index)
        run.emit(Talk(rows=(as_written(suggestion),)))
        with reviewing(context), single_keys() as keys:
            dialog = LineDialog(run, context, keys)
            place = finish(pick_place(dialog, suggestion, places, known=list(context.workspace_index.by_uri)))
    else:
        with working("finding the target"):
            place = replace(named_place(context, suggestion, file=file, heading=heading), makes=makes)
        if is_asked and not makes:
            with single_keys() as keys:
                place = finish(_made_if_wanted(LineDialog(run, context, keys), suggestion, place))
        elif not makes and (missing := what_is_new(context, suggestion, place)):
            raise MemsuggestError(f"not moved: {missing}", hint="add `--make` to create the file or heading")
    if place is None:
        run.say("nothing was moved")
        return
    with working("moving the suggestion"):
        moved = move(context, suggestion, place)
    run.emit(moved)


class Prepared:
    """All customization files made ready in the background, while the user reads: for `m` and `s`."""

    def __init__(self, context: Context) -> None:
        self._context = context.dry()  # of its own: nothing is stored, and no database is touched
        self._ranked: Future[WorkspaceIndex] = Future()
        self._read: Future[WorkspaceIndex] = Future()
        self._worker = threading.Thread(target=self._prepare, daemon=True)

    def begin(self) -> None:
        """Begin, where that has not begun: once there is something to read, so that nobody waits for both."""
        if not self._worker.ident:
            self._worker.start()

    def ranked(self) -> WorkspaceIndex:
        """Return them as soon as they can be ranked; raises MemsuggestError for files that cannot be read."""
        self.begin()
        return self._ranked.result()

    def read(self) -> WorkspaceIndex:
        """Return them as soon as all that they say is known, too; raises MemsuggestError."""
        self.begin()
        return self._read.result()

    def _prepare(self) -> None:
        import memsuggest.suggestions.apply_and_undo
        import memsuggest.suggestions.move  # noqa: F401  (the first key does not wait for them)

        try:
            index = self._context.workspace_index
            _ = index.closed, index.indexes
            self._ranked.set_result(index)
            _ = index.existing_rules
            self._read.set_result(index)
        except Exception as error:  # noqa: BLE001  (whoever asks for them gets it)
            for future in (self._ranked, self._read):
                if not future.done():
                    future.set_exception(error)


YES_NO = {"y": "yes", "n": "no"}


class Dialog(Protocol):
    """Whatever can ask the person, and do jobs with the stores; `draw` prints what stands above a question."""

    async def do(self, what: str, job: Callable[[Context], T]) -> T:
        """Do a job, and say so where it takes its time."""

    async def ask(self, question: str, answers: Mapping[str, str], draw: Draw | None = None) -> str:
        """Return the key that was pressed; empty for none of the answers."""

    async def ask_line(self, question: str) -> str | None:
        """Return the line that was typed; nothing for none."""


@dataclass(slots=True)
class LineDialog:
    """Questions on a terminal, one below the other: nothing else happens while one is asked."""

    run: Run
    context: Context
    keys: Keys

    async def do(self, what: str, job: Callable[[Context], T]) -> T:
        with working(what):
            return job(self.context)

    async def ask(self, question: str, answers: Mapping[str, str], draw: Draw | None = None) -> str:
        if draw:
            draw(Page())
        offered = [f"{key}: {what}" if what else key for key, what in answers.items()]
        key = ask(self.keys, f"{question} [{'y/N' if answers == YES_NO else ', '.join(offered)}] ")
        if key == END:
            self.stop()
        return next((answer for answer in (key, key.lower()) if answer in answers), "")

    async def ask_line(self, question: str) -> str:
        with self.keys.away():
            line: str = typer.prompt(question, default="", show_default=False, prompt_suffix=" ")
        return line

    def stop(self) -> None:
        """Ask nothing more: the input has ended."""


def finish(steps: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine that asks a `LineDialog` alone, and so goes on to its end at once."""
    try:
        steps.send(None)
    except StopIteration as done:
        value: T = done.value
        return value
    raise RuntimeError("it asks something else")


async def pick_place(
    dialog: Dialog, suggestion: MemorySuggestion, places: Sequence[PlaceChoice], *, known: Sequence[str]
) -> PlaceChoice | None:
    """Offer places by number, or take one that is typed; None for neither. `known` are the files that there are.

    The suggested place is the first, here and beside the list of a review: a number means the same in both.
    """
    from memsuggest.suggestions.listed import where
    from memsuggest.suggestions.move import typed_place
    from memsuggest.suggestions.review_report import place_name

    def draw(page: Page) -> None:
        for number, place in enumerate([where(suggestion), *map(place_name, places)], 1):
            page.line((f"  {number}  ", "bold"), (place, "cyan"), "  (current place)" if number == 1 else "", hang=5)
        page.line(("  t  ", "bold"), "type a file, a heading or both, for example `AGENTS.md#Testing`", hang=5)

    answers = {str(number): "" for number in range(1, len(places) + 2)}
    key = await dialog.ask("move where?", answers | {"t": "type a place", "n": "cancel"}, draw)
    if key.isdecimal():
        return places[int(key) - 2] if key != "1" else None
    text = await dialog.ask_line("place:") if key == "t" else ""
    if not text or not text.strip():
        return None
    return await _made_if_wanted(dialog, suggestion, typed_place(text, here=suggestion.edit.path, known=known))


async def _made_if_wanted(dialog: Dialog, suggestion: MemorySuggestion, place: PlaceChoice) -> PlaceChoice | None:
    """Return a place; one that is not there yet, only if the person agrees that it is made."""
    from memsuggest.suggestions.move import what_is_new

    missing = await dialog.do("checking the place", lambda context: what_is_new(context, suggestion, place))
    if not missing:
        return place
    is_wanted = await dialog.ask(f"{missing}: create it?", YES_NO) == "y"
    return replace(place, makes=True) if is_wanted else None
