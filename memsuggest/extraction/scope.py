"""Scope: whether a rule holds for this workspace or for this person everywhere (SYSTEM.md C.4).

The person's own style without a tie to the repo is `user`; whatever names files, tools, tests, the project, and
whatever is not clear, is `workspace`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from memsuggest.extraction.evidence import paths_in
from memsuggest.extraction.words import plain
from memsuggest.model import Scope

if TYPE_CHECKING:
    from memsuggest.extraction.remarks import Remark

_EVERYWHERE = re.compile(
    r"\b(?:in (?:all|every|any of) my (?:projects?|repos?)|global (?:rule|preference|setting)s?|not (?:just"
    r"|only) (?:for )?(?:this|here|in this)"
    r"|for (?:all|any) (?:my )?projects|globally for me|em todos os meus projetos|in all meinen projekten)\b"
)
"""The person says so."""

_MANNERS = re.compile(
    r"\b(?:your (?:answers?|repl(?:y|ies)|responses?|explanations?|summar(?:y|ies)|messages?)|(?:answer|reply"
    r"|respond|explain|speak|talk|write back)(?: to me)?"
    r" (?:in|with|briefly|shortly|concisely|short|using|only)|call me|address me|talk to me|explain to me"
    r"|(?:short(?:er)?|long(?:er)?|brief|concise|terse|plain|detailed|direct) (?:answers?|repl(?:y|ies)|explanations?)"
    r"|i(?:'m| am) (?:colou?rblind|dyslexic)"
    r"|be (?:concise|brief|terse|honest|critical|direct)|emojis?|apologi[sz]\w*|flatter\w*|filler|small talk"
    r"|greet\w*|do it yourself"
    r"|antworte|antworten|réponds|répondez|responde|responda|me responder)\b|回答|答えて|回复"
)
"""How the assistant is to talk and to behave towards this person."""

_TO_ME = re.compile(
    r"\b(?:ask(?:ing)? me|tell(?:ing)? me|show(?:ing)? me|give me|remind me|warn me|ask to|asking whether"
    r"|when i ask|yourself|would you like|proceed"
    r"|frag mich|me (?:pergunte|pregunt\w+|demande)|você mesmo)\b"
)
"""The same, when nothing of the repo is named."""

_ME = re.compile(
    r"\bi(?:'m| am) (?:on|running|based)\b|\bmy (?:machine|laptop|computer|editor|ide|os|shell|terminal"
    r"|timezone|time zone|keyboard|dotfiles"
    r"|workstation|setup)\b|\bi (?:(?:always|usually|really|generally|mostly) )?(?:use|prefer|like|love|hate"
    r"|dislike)\b|(?<!\w)~/\.\w"
)
"""What the person has and likes."""

_REPO = re.compile(
    r"\b(?:repo(?:sitory)?|project|codebase|workspace|monorepo|our|we|ci|pipeline|team|docs?|readme|changelog"
    r"|tests?|commits?"
    r"|branch(?:es)?|prs?|migrations?|api|endpoints?|schema|modules?|packages?|build|tasks?|specs?"
    r"|dependenc(?:y|ies)|deploy\w*|files?)\b"
)


def scope_of(remark: Remark) -> Scope:
    """Route a remark: `user` for personal style that nothing ties to the repo, else `workspace`."""
    text = remark.plain
    if _EVERYWHERE.search(f"{text} {plain(remark.statement.after)}"):
        return Scope.USER
    if _MANNERS.search(text):
        return Scope.WORKSPACE if re.search(r"\b(?:repo|project|codebase|workspace|users?)\b", text) else Scope.USER
    is_tied = bool(_REPO.search(text))
    if _TO_ME.search(text) and not is_tied:
        return Scope.USER
    if _ME.search(text) and not is_tied and (not paths_in(remark.statement.text) or "~/." in text):
        return Scope.USER
    return Scope.WORKSPACE
