"""Scope and kind: whether a rule holds for this workspace or for this person everywhere, and what it teaches.

The person's own style without a tie to the repo is `user`; whatever names files, tools, tests or the project, and
whatever is not clear, is `workspace`.
"""

from __future__ import annotations

from functools import partial

from memsuggest.core.model import Kind, Scope
from memsuggest.core.text.words import plain, word_set
from memsuggest.judging.offline.cues import cues_in, form, has_cue
from memsuggest.judging.offline.evidence import paths_in

_form = partial(form, "scope")


def scope_of(text: str) -> Scope:
    """Route a statement: `user` for personal style that nothing ties to the repo, else `workspace`."""
    said = plain(text)
    if _form("everywhere").search(said):
        return Scope.USER
    if _form("ours").search(said) or has_cue("tool", said) or paths_in(text):
        return Scope.WORKSPACE
    if _form("manner").search(said) or (_form("myself").search(said) and not _form("code").search(said)):
        return Scope.USER
    return Scope.WORKSPACE


_CUES: tuple[tuple[Kind, frozenset[str]], ...] = (
    (Kind.CORRECTION, frozenset(("you-did", "wrong"))),
    (Kind.TERMINOLOGY, frozenset(("means",))),
    (Kind.PREFERENCE, frozenset(("prefer",))),
    (Kind.PROCEDURE, frozenset(("each-time", "sequence"))),
    (Kind.CONVENTION, word_set("rule-word must should must-not do-not always never use only from-now-on we-do")),
)
"""Cues of a kind, the kinds in the order in which they are asked."""


def kind_of(plain_text: str) -> Kind:
    """Name the kind of a plain sentence; a plain fact where it has no cue of another."""
    found = cues_in(plain_text)
    return next((kind for kind, cues in _CUES if found & cues), Kind.FACT)


def changes_what_holds(plain_text: str) -> bool:
    return {"from-now-on", "rather"} <= cues_in(plain_text)


def says_again(plain_text: str) -> bool:
    """Tell whether a sentence says that it was said before.

    >>> says_again("again: no mocks"), says_again("run it again")
    (True, False)
    """
    return _form("again").search(plain_text) is not None
