"""Scope: whether a rule holds for this workspace or for this person everywhere (SYSTEM.md C.4).

The person's own style without a tie to the repo is `user`; whatever names files, tools, tests, the project, and
whatever is not clear, is `workspace`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from memsuggest.extraction.evidence import paths_in
from memsuggest.extraction.language.grammar import is_order
from memsuggest.extraction.policy import lasts
from memsuggest.model import Scope
from memsuggest.text.words import plain

if TYPE_CHECKING:
    from memsuggest.extraction.remarks import Remark

_EVERYWHERE = re.compile(
    r"\b(?:in (?:all|every|any of) my (?:projects?|repos?)|global (?:rule|preference|setting)s?|not (?:just"
    r"|only) (?:for )?(?:this|here|in this)"
    r"|(?:to|with) (?:every|any|all) (?:model|assistant|ai|agent|llm|bot)s?|how i like (?:my|them)"
    r"|for (?:all|any) (?:my )?projects|globally for me|em todos os meus projetos|in all meinen projekten)\b"
)
"""The person says so."""

_MANNERS = re.compile(
    r"\b(?:your (?:answers?|repl(?:y|ies)|responses?|explanations?|summar(?:y|ies)|messages?)|(?:answer|reply"
    r"|respond|explain|speak|talk|write back)(?: (?:to )?me)?(?: always)?"
    r" (?:in|with|briefly|shortly|concisely|short|using|only)|call me|address me|talk to me|explain to me"
    r"|(?:short(?:er)?|long(?:er)?|brief|concise|terse|plain|detailed|direct) (?:answers?|repl(?:y|ies)|explanations?)"
    r"|i(?:'m| am) (?:colou?rblind|dyslexic)"
    r"|be (?:concise|brief|terse|honest|critical|direct)|emojis?|apologi[sz]\w*|flatter\w*|filler|small talk"
    r"|greet\w*|do it yourself"
    r"|number your|your (?:points|options|bullets|questions)|(?:con me )?scriv(?:i|imi)|rispondi(?:mi)?"
    r"|antworte|antworten|erkläre? mir|réponds|répondez|explique(?:-moi|-me)|responde|responda|respóndeme|contést\w+"
    r"|contesta|explícame|me responder)\b|回答|答えて|回复"
)
"""How the assistant is to talk and to behave towards this person."""

_FOR_OTHERS = re.compile(r"\b(?:repo|project|codebase|workspace|users?|we publish|our|site|readme|release notes)\b")
"""What says that it is for what others read."""
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

_MY_WAY = re.compile(
    r"(?:btw,? |by the way,? )?i (?:(?:always|never|usually|only|mostly|generally|normally) )?"
    r"(?:use|write|test|run|work|code|develop|read|review|debug|edit|type|speak|live|launch)\b"
)
"""How the person works."""
_LET_ME_KNOW = re.compile(r"(?:(?:please|always|also|just|and) )*(?:tell|show|explain|give)(?: it)?(?: to)? me\b")
"""How the person wants to be told."""
_OURS = re.compile(r"\b(?:repo(?:sitory)?|project|codebase|workspace|monorepo|our|we|ci|pipeline|team|here)\b")
_ANYBODYS = re.compile(r"\b(?:files?|tests?|commits?)\b")
"""Every repo has them."""
_REPO = re.compile(
    r"\b(?:repo(?:sitory)?|project|codebase|workspace|monorepo|our|we|ci|pipeline|team|docs?|readme|changelog"
    r"|tests?|commits?"
    r"|branch(?:es)?|prs?|migrations?|api|endpoints?|schema|modules?|packages?|build|tasks?|specs?"
    r"|dependenc(?:y|ies)|deploy\w*|files?)\b"
)


def scope_of(remark: Remark) -> Scope:
    """Route a remark: `user` for personal style that nothing ties to the repo, else `workspace`."""
    text = remark.plain
    if remark.is_dialogue:
        return Scope.WORKSPACE  # what one wishes of a colleague is about the code that they share
    if _EVERYWHERE.search(f"{text} {plain(remark.statement.after)}"):
        return Scope.USER
    if _MANNERS.search(text):
        return Scope.WORKSPACE if _FOR_OTHERS.search(text) else Scope.USER
    is_tied = bool(_REPO.search(text))
    is_told = _LET_ME_KNOW.match(remark.main) and lasts(remark) and not _REPO.search(_ANYBODYS.sub("", text))
    is_my_way = _MY_WAY.match(remark.core) and not (is_tied and text.rstrip(".!").endswith("myself"))
    if (is_told or is_my_way) and not _OURS.search(text) and not paths_in(remark.statement.text):
        return Scope.USER
    if _TO_ME.search(text) and not is_tied and is_order(remark.main):
        return Scope.USER
    if _ME.search(text) and not is_tied and (not paths_in(remark.statement.text) or "~/." in text):
        return Scope.USER
    return Scope.WORKSPACE
