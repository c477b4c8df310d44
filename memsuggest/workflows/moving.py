"""Another place for a suggestion: the next best ones, one that the person names, or a line that it makes sharper."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from memsuggest.customizations.discovery import target_from
from memsuggest.database import transaction
from memsuggest.errors import MemsuggestError, OutsideWorkspace
from memsuggest.model import Scope
from memsuggest.suggestions.journal import MOVED, About
from memsuggest.suggestions.match import Ranked
from memsuggest.suggestions.merge import Replacement, find_contradictions, find_earlier_wording
from memsuggest.suggestions.moves import Move, load_moves, note_move
from memsuggest.suggestions.new_place import in_new_file
from memsuggest.suggestions.pending import save_pending, text_of
from memsuggest.suggestions.planning import named_section, put_beside, put_in_place
from memsuggest.suggestions.ruling import as_rule
from memsuggest.suggestions.sayings import Sayings, sayings_of
from memsuggest.suggestions.suggest import places_for
from memsuggest.workflows.paths import HOME, current_text
from memsuggest.workflows.waiting import load

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from memsuggest.model import MemoryFact, MemorySuggestion, Section, Target
    from memsuggest.suggestions.bench import Bench
    from memsuggest.suggestions.sayings import Saying
    from memsuggest.workflows.desk import Desk

OFFERED = 8
"""Places that are offered to choose among."""
HEADINGS = 4
"""Headings of the suggestion's own file among them."""
_YOURS = "you chose this place"
_LINE = "you chose to sharpen this line"


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A file, and the heading in it under which a rule would go; none where the file itself decides."""

    uri: str
    heading: str | None = None
    makes: bool = False
    """The file, or the heading in it, is made with the rule."""


def other_places(suggestion: MemorySuggestion, bench: Bench) -> list[Place]:
    """Return the next best places: other headings of the suggestion's file, then other files, best first."""
    fact = suggestion.fact
    if fact is None:
        return []
    _, found = places_for(fact, bench, decided=())
    here = Place(uri=suggestion.edit.path, heading=suggestion.heading)
    files = (one.located for one in found[: OFFERED + 1])
    ranked = [
        Place(uri=one.target.uri, heading=(one.section.heading or None) if one.section else None) for one in files
    ]
    own = bench.by_uri.get(suggestion.edit.path)
    headings = (
        [Place(uri=own.uri, heading=section.heading) for section in own.sections if section.heading] if own else []
    )
    first = [place for place in ranked if place.uri == here.uri]
    others = [place for place in ranked if place.uri != here.uri]
    offered = dict.fromkeys((*first, *headings[:HEADINGS], *others))
    return [place for place in offered if place != here][:OFFERED]


def typed_place(text: str, *, here: str, known: Iterable[str]) -> Place:
    """Return the place that a person typed: a file, or a file and a heading after `#` or `›`, in whatever case.

    A file may be named by its end, where only one of those `known` ends so; without a file it is the one `here`.
    """
    file, sign, heading = text.partition("›") if "›" in text else text.partition("#")
    name, title = file.strip().removeprefix("./"), heading.strip("# \t")
    if (sign and not title) or not (name or title):
        raise MemsuggestError(
            "that is no place", hint="type a file, a heading, or both: `AGENTS.md`, `#Testing`, `AGENTS.md#Testing`"
        )
    return Place(uri=_known_as(name, known) if name else here, heading=title or None)


def _known_as(name: str, known: Iterable[str]) -> str:
    """Return the file that is meant by a name; the name itself where none or several are."""
    uris, wanted = list(known), name.casefold()
    same = [uri for uri in uris if uri.casefold() == wanted]
    found = same or [uri for uri in uris if uri.casefold().endswith(f"/{wanted}")]
    return name if name in uris or len(found) != 1 else found[0]


def what_is_new(desk: Desk, suggestion: MemorySuggestion, place: Place) -> str:
    """Say what would have to be made at a place, empty where all is there; raises MemsuggestError for a refused one."""
    target = _target(desk, place.uri, scope=_said(suggestion).scope)
    if target is None:
        _at(desk, _said(suggestion), replace(place, makes=True))
        return f"there is no file `{place.uri}` yet"
    if place.heading and _section_of(target, place.heading) is None:
        return f"`{place.uri}` has no heading `{place.heading}` yet"
    return ""


def move(desk: Desk, suggestion: MemorySuggestion, place: Place) -> MemorySuggestion:
    """Move a suggestion, keep that, and return it as it would be written there; raises MemsuggestError."""
    fact = _said(suggestion)
    made = _at(desk, fact, place)
    heading = made.heading if place.heading else None  # as the file writes it, whatever was typed
    return _kept(desk, suggestion, made, Move(fact_id=fact.id, uri=place.uri, heading=heading, makes=place.makes))


def colliding_line(desk: Desk, suggestion: MemorySuggestion, bench: Bench) -> Saying:
    """Return the line that a rule collides with most: it contradicts it, says a part of it, or is most like it.

    Lines of the suggestion's own file come first. Raises MemsuggestError where none is near.
    """
    content = as_rule(_said(suggestion).content)
    text = current_text(desk, suggestion.edit.path)
    own = [target_from(suggestion.edit.path, text)] if text is not None else []
    for sayings in (Sayings(own), bench.sayings[_said(suggestion).scope]):
        likes = [one for one in sayings.like(content) if _may_give_way(desk, one.saying, bench)]
        likes = [one for one in likes if one.saying.lines.rstrip("\r\n") != suggestion.replaces]
        found = next(iter(find_contradictions(content, likes)), None) or find_earlier_wording(content, likes)
        if found or likes:
            return found.saying if found else likes[0].saying
    raise MemsuggestError("no line of your files is near this rule", hint="`m` moves it to another place")


def _may_give_way(desk: Desk, saying: Saying, bench: Bench) -> bool:
    """Whether a line may be replaced, and is still there: what is known of the files may be older than they are."""
    if not saying.is_replaceable or saying.uri in bench.closed:
        return False
    return saying.lines in (current_text(desk, saying.uri) or "")


def sharpen(desk: Desk, suggestion: MemorySuggestion, saying: Saying) -> MemorySuggestion:
    """Let a rule stand in the place of a line, keep that, and return it as it would be written; MemsuggestError."""
    fact = _said(suggestion)
    made = _in_place(desk, fact, saying.uri, saying.lines.rstrip("\r\n"))
    return _kept(desk, suggestion, made, Move(fact_id=fact.id, uri=saying.uri, replaces=made.replaces))


def with_moves(desk: Desk, suggestions: Iterable[MemorySuggestion]) -> tuple[MemorySuggestion, ...]:
    """Return suggestions, those that the person moved at the places that they chose, as far as that can still be."""
    moves = load_moves(desk.state, desk.place.worktree_key)
    return tuple(_moved(desk, one, moves[one.id]) if one.id in moves else one for one in suggestions)


def _moved(desk: Desk, suggestion: MemorySuggestion, chosen: Move) -> MemorySuggestion:
    try:
        fact = _said(suggestion)
        if chosen.replaces is not None:
            return _in_place(desk, fact, chosen.uri, chosen.replaces)
        return _at(desk, fact, Place(uri=chosen.uri, heading=chosen.heading, makes=chosen.makes))
    except MemsuggestError:  # the file, or the line, is gone: then our own place is better than none
        return suggestion


def _said(suggestion: MemorySuggestion) -> MemoryFact:
    if suggestion.fact is None or suggestion.executable:
        raise MemsuggestError("this has its place and no other", hint="`y` applies it, `n` leaves it for later")
    return suggestion.fact


def _target(desk: Desk, uri: str, *, scope: Scope) -> Target | None:
    """Return a file as it is now, None where there is none; raises OutsideWorkspace for what may never be a target."""
    if uri.startswith(HOME) and scope is Scope.WORKSPACE:
        raise OutsideWorkspace(
            "this rule is the repo's, and that file is yours alone", hint="choose a file of the repo"
        )
    text = current_text(desk, uri)
    return None if text is None else target_from(uri, text)


def _no_file(uri: str) -> MemsuggestError:
    return MemsuggestError(f"there is no file `{uri}`", hint="`memsuggest targets` lists the files there are")


def _section_of(target: Target, heading: str) -> Section | None:
    """Return the section with a heading, in whatever case it was typed."""
    wanted = heading.casefold()
    same = (one for one in target.sections if one.heading.casefold() == wanted)
    return named_section(target, heading) or next(same, None)


def _at(desk: Desk, fact: MemoryFact, place: Place) -> MemorySuggestion:
    target = _target(desk, place.uri, scope=fact.scope)
    rule = replace(fact, content=as_rule(fact.content))
    if target is None:
        return replace(_in_new(rule, place), fact=fact)
    section = _section_of(target, place.heading) if place.heading else None
    new_heading = place.heading if section is None else None
    if new_heading and not place.makes:
        known = ", ".join(f"`{one.heading}`" for one in target.sections if one.heading)
        raise MemsuggestError(
            f"`{place.uri}` has no heading `{place.heading}`", hint=f"it has {known or 'none at all'}"
        )
    ranked = Ranked(target=target, section=section, score=1.0, why=_YOURS)
    made = put_beside(rule, ranked, new_heading=new_heading)
    if made is None:
        raise MemsuggestError(f"`{place.uri}` has no safe place for a rule there", hint="choose another one")
    return replace(made, fact=fact)


def _in_new(rule: MemoryFact, place: Place) -> MemorySuggestion:
    if not place.makes:
        raise _no_file(place.uri)
    made = in_new_file(rule, place.uri, heading=place.heading, why=_YOURS)
    if made is None:
        raise MemsuggestError(
            f"there is no file `{place.uri}`", hint="only instructions and rules are made anew here; make it first"
        )
    return made


def _in_place(desk: Desk, fact: MemoryFact, uri: str, line: str) -> MemorySuggestion:
    target = _target(desk, uri, scope=fact.scope)
    if target is None:
        raise _no_file(uri)
    saying = next((one for one in sayings_of(target) if one.lines.rstrip("\r\n") == line and one.is_replaceable), None)
    rule = replace(fact, content=as_rule(fact.content))
    made = put_in_place(rule, target, Replacement(saying=saying, why=_LINE)) if saying else None
    if made is None:
        raise MemsuggestError("that line cannot give way safely", hint="`m` moves the rule to another place")
    return replace(made, fact=fact)


def _kept(desk: Desk, before: MemorySuggestion, after: MemorySuggestion, chosen: Move) -> MemorySuggestion:
    """Write a move down, with what `undo` needs, and let the suggestion wait at its new place."""
    with desk.alone():
        waiting = load(desk)
        about = [About(id=after.id, content=after.content)]
        with transaction(desk.state):
            number = desk.journal.begin((), now=desk.now(), verb=MOVED, about=about)
            note_move(desk.state, desk.place.worktree_key, chosen, entry=number)
            desk.journal.note_waited(number, text_of([before]))
            save_pending(desk.state, desk.place.worktree_key, _with(waiting, after))
            desk.journal.finish(number)
    return after


def _with(waiting: Sequence[MemorySuggestion], moved: MemorySuggestion) -> list[MemorySuggestion]:
    return [moved if one.id == moved.id else one for one in waiting]
