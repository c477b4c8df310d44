"""Scope: whether a rule holds for this workspace or for this person everywhere (SYSTEM.md C.4).

The person's own style without a tie to the repo is `user`; whatever names files, tools, tests, the project, and
whatever is not clear, is `workspace`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from memsuggest.extraction.policy import names_a_thing
from memsuggest.model import Scope

if TYPE_CHECKING:
    from memsuggest.extraction.remarks import Remark

_EVERYWHERE = re.compile(
    r"\b(?:in (?:all|every|any of) my (?:projects?|repos?)|global (?:rule|preference|setting)s?|not (?:just"
    r"|only) (?:for )?(?:this|here|in this)"
    r"|for (?:all|any) (?:my )?projects|globally for me|in general i)\b"
)
_TO_ME = re.compile(
    r"\b(?:ask(?:ing)? me|tell(?:ing)? me|show(?:ing)? me|explain(?:ing)? to me|give me|remind me|talk to me"
    r"|call me|address me|warn me"
    r"|your (?:answers?|repl(?:y|ies)|responses?|explanations?|summar(?:y|ies)|messages?|output)|(?:answer"
    r"|reply|respond|explain|speak|talk|write back)(?: to me)?"
    r" (?:in|with|briefly|shortly|concisely|short|using|only)|begin (?:your|every|each) |do it yourself|yourself"
    r"|be (?:concise|brief|terse|honest|critical|direct)|emojis?|apologi[sz]\w*|flatter\w*|filler|small talk|greet\w*"
    r"|frag mich|antworte|antworten|réponds|répondez|responde|responda|me (?:pergunte|pregunt\w+|demande)"
    r"|sequential thinking)\b"
    r"|回答|答えて|回复"
)
_ME = re.compile(
    r"\bi(?:'m| am) (?:on|running|based|colou?rblind|dyslexic)\b|\bmy (?:machine|laptop|computer|editor|ide|os"
    r"|shell|terminal|timezone|time zone|keyboard|dotfiles|workstation|setup)\b"
    r"|\bi (?:use|prefer|like|love|hate|dislike)\b|(?<!\w)~/"
)
_REPO = re.compile(
    r"\b(?:repo(?:sitory)?|project|codebase|workspace|monorepo|our|we|ci|pipeline|team|docs?|readme|changelog"
    r"|tests?|commits?|branch(?:es)?|prs?|migrations?|api|endpoints?|schema|module|package|build)\b"
)


def scope_of(remark: Remark) -> Scope:
    """Route a remark: `user` for personal style that nothing ties to the repo, else `workspace`."""
    text = remark.plain
    if _EVERYWHERE.search(text):
        return Scope.USER
    if _TO_ME.search(text):
        return Scope.WORKSPACE if re.search(r"\b(?:repo|project|codebase|workspace)\b", text) else Scope.USER
    if _ME.search(text) and not _REPO.search(text) and not names_a_thing(remark):
        return Scope.USER
    return Scope.WORKSPACE
