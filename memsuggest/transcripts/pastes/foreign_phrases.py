"""Lines that a person rarely writes to an assistant: an assistant's phrases, programs' templates. Pure."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memsuggest.transcripts.pastes.line_voices import Stretch, VoicedLine

_OPENING = re.compile(
    r"""\s*[^\w\s]{0,3}\s?(?:
      You(?:['’]re|\ are)\ (?:absolutely\ |completely\ |totally\ )?right[,.!\ –—-]
    | (?:Certainly|Absolutely|Of\ course|Great\ (?:question|point|catch)|Good\ (?:question|catch))[!.,]\ +[A-Z]
    | I\ apologi[sz]e\ |Apologies\ for\ |Sorry\ for\ the\ confusion
    | (?:Perfect|Great|Okay|Ok|Sure|Alright)[!,.]\ (?:Now\ )?
      (?:I['’]ll|I['’]ve|Let\ me|[Hh]ere['’](?:s|re)|[Hh]ere\ are)\b
    | (?:I['’]ll|I\ will)\ (?:now\ )?(?:help|create|update|add|implement|start|check|fix|search|read|look|suggest)\b
    | (?:Now\ )?[Ll]et\ me\ (?:now\ |also\ |first\ )?
      (?:check|look|verify|search|read|create|update|fix|run|see|start|explain|analy[sz]e)\b
    | I['’]ve\ (?:successfully\ |now\ |also\ )?
      (?:created|updated|added|implemented|fixed|made|identified|completed|analy[sz]ed)\b
    | I\ (?:can\ see\ (?:the|that)|found\ the\ (?:issue|problem)|see\ the\ (?:issue|problem))\b
    | (?:Based\ on|Looking\ (?:back\ )?at)\ (?:the|your|those|these|this)\ [^\n]{2,120},
    | Thought\ for\ \d|Ran\ \d+\ (?:commands?|tools?)|Read\ \d+\ files?
    )""",
    re.VERBOSE,
)
"""How answers of an assistant begin."""
_CLOSING = re.compile(
    r"""
      Would\ you\ like\ me\ to\b|Do\ you\ want\ me\ to\b|Shall\ I\ (?:proceed|continue|go\ ahead|implement)\b
    | Let\ me\ know\ if\ you(?:['’]d\ like|\ want|\ need|\ have\ any)\b|Should\ I\ (?:proceed|go\ ahead)\b
    | Could\ you\ (?:tell\ me|share|provide|clarify)\ (?:what|which|the|more)\b[^\n]{0,200}\?
    | I\ hope\ this\ helps
    """,
    re.VERBOSE,
)
"""How they end."""

_TEMPLATES = re.compile(
    r"""\s*(?:
      For\ the\ code\ present,\ we\ get\ this\ error:
    | (?:How\ can\ I\ resolve\ this\?\ )?If\ you\ propose\ a\ fix,\ please\ make\ it\ concise\.
    | Implement\ the\ plan\ as\ specified,\ it\ is\ attached\ for\ your\ reference\.
    | To-do's\ from\ the\ plan\ have\ already\ been\ created\.
    | \[\.\.\.\ PREVIOUS\ OUTPUT\ TRUNCATED\ \.\.\.\]|Terminal\ output:\Z|\[Terminal\ \S+\ notification:
    | DOM\ Path:\ |React\ Component:\ |Position:\ top=
    | Verify\ each\ finding\ against\ (?:the\ )?current\ code|Prompt\ for\ AI\ Agents?\Z
    | P[0-3]:\ \w|<(?:comment|file\ context|violation)\b
    | …or\ (?:create\ a\ new|push\ an\ existing)\ repository
    | added\ \d+\ packages?|up\ to\ date,\ audited|found\ \d+\ vulnerabilit|\d+\ packages\ are\ looking\ for\ funding
    | Successfully\ (?:installed|built|tagged)\ |Requirement\ already\ |Collecting\ \S+\Z|Compiling\ \S+\ v\d
    | Test\ Files\ +\d|Tests:?\ +\d+\ (?:passed|failed)|Ran\ \d+\ tests?\ in
    | =+\ .{0,80}(?:passed|failed|error).{0,80}\ =+
    | \d+\ (?:passing|failing)\b|PASS\ \S+[/.]|FAIL\ \S+[/.]|npm\ notice
    | \#\#\ Error\ Message\Z|\#\ Instructions\Z
    )""",
    re.VERBOSE,
)
"""What editors, review bots and tools write in the person's place, or print."""


def assistant_phrases(lines: Sequence[VoicedLine], _text: str) -> list[Stretch]:
    """Find lines that speak as an assistant does."""
    return [(line.start, line.end) for line in lines if _OPENING.match(line.text) or _CLOSING.search(line.text[:600])]


def templates(lines: Sequence[VoicedLine], _text: str) -> list[Stretch]:
    """Find lines that programs are known to write."""
    return [(line.start, line.end) for line in lines if is_template(line.text)]


def is_template(line: str) -> bool:
    """Tell whether a program is known to write this line."""
    return bool(_TEMPLATES.match(line))
