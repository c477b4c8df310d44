"""Patterns of sentences that tell something rather than ask for it: what happened, what is so, who somebody is."""

from __future__ import annotations

import re

STORY = re.compile(
    r"""
    (?:i|we)(?:'?m|\ am|'re|\ are)\ \w+ing\b
    | (?:i|we|you|it|they|he|she|this|that|the\ \w+)(?:'ve|\ have|\ has|\ had)?\ ?(?:just\ |already\ |also\ )?
      (?:\w{3,}ed|did|was|were|had|went|got|made|saw|found|ran|broke|forgot|said|told|thought|put|left|wrote|tried)\b
    """,
    re.VERBOSE,
)
"""What happened."""
HAPPENS = re.compile(
    r"""
    \b(?:it|this|that|they|he|she|there|i|these|those|(?:the|an?)\ \w+(?:\ \w+)?)(?:'s|\ is|\ are|\ can|\ will|\ would)?
      \ (?:always|never|every)\b
    | \b(?:always|never)\ (?:\w+ed|\w+ing|been|works?|gets?|has|is|are|was|the|a|that)\b
    | \b(?:i|we|you)\ (?:can|could)\ always\b
    | \b(?:i|you|it|we)\ (?:can\ )?never\ (?:can|could|saw|see|get|got|had|have|did|know|knew|understood)\b
    """,
    re.VERBOSE,
)
"""Always and never of what happens, rather than of what is to be done."""
HELD_OPEN = re.compile(
    r"\b(?:i guess|what if|suppose|theoretically|in theory|let's say|i suspect|i wonder|wondering|would be)\b"
)
CHANGED = re.compile(
    r"""
    \b(?:has|have|is|are|was|were)(?:\ now)?\ (?:been\ )?(?:renamed|superseded|migrated|replaced)\b
    | \b(?:we|i)(?:'ve|\ have)?\ (?:now\ )?(?:switched|moved|migrated)\ (?:\w+\ )?(?:from|to|over)\b
    | \b(?:we|i)(?:\ \w+)?\ no\ longer\ (?:use|need|support|have|want|do)\b
    | \bdon't\ (?:use|do|have|support|need)\b.{1,40}\bany\ ?more\b
    | \bfallen\ out\ of\ favou?r\b
    """,
    re.VERBOSE,
)
"""What was otherwise before."""
TO_KNOW = re.compile(
    r"""
    (?: for\ (?:your\ )?(?:context|reference|information)\b[,:]?
      | fyi\b[,:]? | just\ so\ you\ know\b[,:]? | (?:please\ )?note\ that\b | keep\ in\ mind(?:\ that)?\b
      | remember(?:,|:|\ that|\ (?=i'm|i\ am|we|our|this|the))
    )
    \ (?!see\b|to\b|that\ i\ just)
    """,
    re.VERBOSE,
)
"""What the assistant is told so that it knows."""
_WORK_OF_OURS = (
    r"(?:(?:my|our|the|this)\ (?:\w+\ )?"
    r"(?:api|app|application|backend|bot|codebase|frontend|library|package|project|repo|repository|server|service|site"
    r"|tool|website)|\bprod(?:uction)?|\bstaging)"
)
ABOUT_PROJECT = re.compile(
    rf"""
    {_WORK_OF_OURS}
    (?: (?:'s|\ is)
        \ (?: an?\ (?:[\w.+-]+\ ){{0,3}}
              (?:api|app|application|bot|cli|dashboard|demo|extension|game|library|mod|monorepo|package|platform|plugin
                |project|prototype|repo|server|service|site|tool|website)
            | written\ in | built\ (?:with|in|on|using) | hosted\ (?:on|at|with) | deployed\ (?:on|to|with)
           )\b
      | \ (?:should|must|will|has\ to|needs\ to)\ (?:be\ (?:built|written|hosted|deployed|implemented)|run)
        \ (?:using|with|in|on)\b
      | \ runs\ on\b
    )
    """,
    re.VERBOSE,
)
"""What the project is, what it is made with, or where it runs."""
MADE_FROM = re.compile(
    r"""
    (?:'s|\b(?:is|are|gets?))\ (?:auto-?|automatically\ |all\ )?(?:generated|compiled|produced|vendored|built|bundled)
    \ (?:from|by|out\ of)\b
    """,
    re.VERBOSE,
)
"""Where a file comes from, which is then not edited by hand."""
ABOUT_PERSON = re.compile(
    r"""
    \b(?:i'm|i\ am|im)\ (?:
        (?:pretty\ |very\ |quite\ |totally\ |completely\ |still\ )?(?:new\ to|learning|inexperienced)
      | an?\ (?:\w+\ )?(?:beginner|newbie|noob|newcomer|developer|engineer|designer|student|scientist|teacher)\b
      | not\ an?\ (?:\w+\ )?(?:developer|programmer|coder|engineer|expert)\b
      | not\ (?:very|that|so|really)\ (?:good|familiar|experienced)
      | colou?r-?blind
    )
    | \bi\ (?:don't|do\ not)\ (?:really\ |even\ )?know
      \ (?:how\ to\ (?:use|code|program)\b|(?:much|anything)\ about|any\ \w+)
    | \bi(?:'ve|\ have)\ (?:never|no\ experience)\ (?:used|written|worked|programmed|coded|with|in)\b
    """,
    re.VERBOSE,
)
"""What the person is, can do and is learning."""
