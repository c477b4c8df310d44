"""Scope: whether a rule holds for this workspace or for this person everywhere.

The person's own style without a tie to the repo is `user`; whatever names files, tools, tests or the project, and
whatever is not clear, is `workspace`.
"""

from __future__ import annotations

import re

from memsuggest.extraction.evidence import paths_in
from memsuggest.model import Scope
from memsuggest.text.words import plain

_EVERYWHERE = re.compile(
    r"""
    \b(?:
        in (?:\ all|\ every|\ any\ of)\ (?:of\ )?my\ (?:projects?|repos?)
      | for\ (?:all|any)\ (?:of\ )?(?:my\ )?projects
      | global(?:ly)?\ (?:rule|preference|setting|for\ me)s?
      | not\ (?:just|only)\ (?:for\ )?(?:this|here|in\ this)
      | (?:to|with)\ (?:every|any|all)\ (?:model|assistant|ai|agent|llm|bot)s?
      | in\ allen\ meinen\ projekten | dans\ tous\ mes\ projets | en\ todos\ mis\ proyectos
      | em\ todos\ os\ meus\ projetos
    )\b
    """,
    re.VERBOSE,
)
"""The person says so."""
_MANNER = re.compile(
    r"""
    \b(?:
        your\ (?:answers?|repl(?:y|ies)|responses?|explanations?|summar(?:y|ies)|messages?|output|points|options
               |questions)
      | (?:answer|reply|respond|explain|speak|talk|write\ back)\b(?:\ (?:to\ )?(?:me|us))?
        (?:\ always)?\ (?:in|with|briefly|shortly|concisely|short(?:er)?|longer|more\ (?:briefly|concisely)|using|only
                        |to\ me|like)
      | (?:call|address|talk\ to|explain\ to|walk)\ me | (?:ask|tell|show|give|spit\ out\ to|remind|warn)\ me
      | (?:short(?:er)?|long(?:er)?|brief|concise|terse|plain|detailed|direct|token\ efficient)
        \ (?:answers?|repl(?:y|ies)|explanations?|summar(?:y|ies))
      | be\ (?:concise|brief|terse|honest|critical|direct) | agree\ with\ me | validate\ my
      | emojis? | dashes | apologi[sz]\w* | flatter\w* | filler | small\ talk | greet\w* | sycophan\w*
      | (?:rispondi|antworte|réponds|répondez|responde|respóndeme|responda|contesta|contésta)\w*
      | (?:do|run|apply|make|fix)\ (?:it|this|that|them|the\ \w+)\ yourself | go\ overboard | over-?engineer
      | stop\ until | (?:before|first)\b.{0,30}\bexplain | explain\b.{0,60}\b(?:before|first)
      | your\ own\ changes | without\ asking\ me | ask\ (?:first|before) | you(?:'re|\ are)\ (?:an?|my)\ \w+
    )\b
    | 回答 | 答えて | 回复 | 用中文
    """,
    re.VERBOSE,
)
"""How the assistant is to talk and to behave towards this person."""
_MYSELF = re.compile(
    r"""
    \bi(?:'m|\ am)\ (?:on|running|learning|a|an|the|not|new|using|colou?rblind|dyslexic)\b
    | \bi\ (?:always\ |usually\ |really\ |generally\ )?(?:use|prefer|like|love|hate|dislike|don't\ know|have\ done)\b
    | \bmy\ (?:machine|laptop|computer|editor|ide|os|shell|terminal|keyboard|dotfiles|workstation|setup|name|timezone)\b
    | \bi(?:'ll|\ will)\ (?:commit|push|run|do|test)\b
    """,
    re.VERBOSE,
)
"""What the person is, has, and likes."""
_OURS = re.compile(
    r"""
    \b(?:
        repo(?:sitory)? | project | codebase | workspace | monorepo | our | we | us | ci | pipeline | team | docs?
      | readme | changelog | releases? | branch(?:es)? | prs? | commits? | migrations? | api | endpoints? | schema
      | linter | tasks? | specs? | dependenc(?:y|ies) | deploy\w* | server | database | users? | production | prod
      | site
    )\b
    """,
    re.VERBOSE,
)
"""What ties it to the repo."""
_CODE = re.compile(
    r"\b(?:tests?|modules?|packages?|build|files?|app|component|function|code)\b",
)
"""What ties it to the repo unless it says how to treat the person: there are files everywhere."""


def scope_of(text: str) -> Scope:
    """Route a statement: `user` for personal style that nothing ties to the repo, else `workspace`."""
    said = plain(text)
    if _EVERYWHERE.search(said):
        return Scope.USER
    if _OURS.search(said) or paths_in(text):
        return Scope.WORKSPACE
    if _MANNER.search(said) or (_MYSELF.search(said) and not _CODE.search(said)):
        return Scope.USER
    return Scope.WORKSPACE
