"""Reasons why a statement is, or is not, worth remembering, in words that anybody understands. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

_TOLD = 2
"""Reasons of each side that are named."""
_AS_A_WHOLE = "its words together are like those of a rule"
_NOTHING = "nothing in it says that it holds beyond this task"

_FOR = {
    "is:said-to-last": "it says how things are to be done from now on, or every time",
    "is:prohibition": "it forbids something",
    "is:dislike": "it says what you do not like",
    "is:to-know": "it tells what has to be known",
    "is:keeps-in-step": "it says what has to change together",
    "is:about-the-person": "it says something about you",
    "is:about-the-project": "it says something about the project",
    "is:changed-for-good": "it says that something has changed for good",
    "is:told-often": "you said it more than once",
    "is:to-be-recorded": "you want it written down",
    "is:norm-for-a-kind": "it says how all things of a kind are to be",
    "is:norm-for-code": "it says how the code is to be",
    "is:code-style": "it says how the code is to look",
    "is:tool-choice": "it takes one tool and not another",
    "is:make-sure-of-all": "it wants something of all cases",
    "is:made-from": "it says what something is made from",
    "is:names-code": "it names a file, a command or a piece of code",
    "cue:always": "it says “always”, or means it",
    "cue:never": "it says “never”, or means it",
    "cue:only": "it allows only one thing",
    "cue:do-not": "it says what not to do",
    "cue:must-not": "it says what must not be",
    "cue:must": "it says what must be",
    "cue:no-kind": "it wants none of something",
    "cue:use": "it says what to use",
    "cue:prefer": "it says what you prefer",
    "cue:manner": "it says how to go about something",
    "cue:reason": "it gives a reason",
    "cue:rule-word": "it speaks of a rule",
    "cue:rule-file": "it speaks of a file of rules",
    "cue:each-time": "it holds each time",
    "cue:in-general": "it holds in general",
    "cue:from-now-on": "it holds from now on",
    "cue:make-sure": "it wants to be sure of something",
    "cue:rather": "it wants one thing instead of another",
    "cue:care": "it asks for care",
    "cue:you-did": "it corrects what the assistant did",
    "cue:remember": "it asks to remember",
    "near:before-you-did": "what stands before it corrects the assistant",
    "near:stopped": "you had just stopped the assistant",
    "at:told-2": "you said it twice",
    "at:told-3": "you said it more than twice",
}
"""What speaks for a statement, by the name of the feature."""
_AGAINST = {
    "is:question": "it is a question",
    "is:story": "it tells what happened",
    "is:held-open": "it leaves open what is to be",
    "is:short-order": "it is a short order for the task at hand",
    "cue:moment": "it is about this moment",
    "cue:this-one": "it is about this one thing",
    "cue:unsure": "it sounds unsure",
    "cue:why": "it asks why",
    "cue:task": "it is about the task at hand",
    "cue:trouble": "it tells of trouble",
    "cue:wrong": "it tells what is wrong",
    "cue:product-subject": "it is about what the product does",
    "at:words-0": "it is very short",
    "at:paste": "it stands beside something pasted",
}
"""What speaks against one."""


def why_so(features: Collection[str], weights: Mapping[str, float]) -> str:
    """Say what speaks most for a statement; single words and lengths, which count too, explain nothing.

    >>> why_so({"is:prohibition", "cue:moment", "word:the"}, {"is:prohibition": 0.6, "cue:moment": -0.5})
    'it forbids something'
    """
    return ", and ".join(_FOR[name] for name in _weightiest(features, weights, _FOR)) or _AS_A_WHOLE


def why_not(features: Collection[str], weights: Mapping[str, float]) -> str:
    """Say what speaks most against a statement that is too unlikely.

    >>> why_not({"is:prohibition", "cue:moment", "word:the"}, {"is:prohibition": 0.6, "cue:moment": -0.5})
    'it forbids something, but it is about this moment'
    """
    pros = [_FOR[name] for name in _weightiest(features, weights, _FOR)[:1]]
    cons = [_AGAINST[name] for name in _weightiest(features, weights, _AGAINST)]
    return ", but ".join([*pros, ", and ".join(cons) or _NOTHING])


def _weightiest(features: Collection[str], weights: Mapping[str, float], known: Mapping[str, str]) -> list[str]:
    """Return the features of one side that count most, each of another meaning."""
    found = sorted(known.keys() & set(features), key=lambda name: (-abs(weights.get(name, 0.0)), name))
    return found[:_TOLD]
