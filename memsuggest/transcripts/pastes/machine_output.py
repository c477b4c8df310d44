"""Texts that machines and assistants wrote: logs, traces, diffs, JSON, code, terminals, phrases, templates. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence

from memsuggest.transcripts.pastes.line_voices import Stretch, VoicedLine

_PROMPTS = (
    r"[$❯➜] \S",
    r"(?:\([\w.-]{1,40}\) )?[\w.-]{1,40}@[\w.-]{1,60}[ :~/][^\n$#%❯]{0,120}[$#%❯>]",
    r"PS [A-Z]:\\[^\n>]{0,200}>",
    r"[A-Z]:\\[^\n>]{0,200}>",
    r">>> \S",
    r"In \[\d{1,4}\]: ",
)
"""Lines that a command was typed in; what follows up to a blank line is its output."""

_FORMS = (
    # logs
    r"\[?\d{4}[-/]\d\d[-/]\d\d[T ,]+\d\d?:\d\d",
    r"\[?\d\d?:\d\d:\d\d[\],. ]",
    r"\[?(?:NOTICE|Error|Warning|Info)\b\] ",
    r"[A-Z][a-z]{2} [A-Z][a-z]{2} +\d{1,2} \d\d:\d\d:\d\d",
    r"[\w.-]{1,40}: (?:error|warning|fatal): ",
    r"usage: \S+ ",
    r"(?:\[[^\]\n]{0,40}\] ?)?\[?(?:INFO|WARN|WARNING|ERROR|DEBUG|TRACE|FATAL|CRITICAL)\b(?:\]|: ?\S| {2,}|\t| \[)",
    r"(?:error|warning|fatal|panic)(?:\[[\w-]{1,20}\])?: ",
    r"(?:npm|pnpm|yarn) (?:ERR|WARN|error)",
    r"(?:Exit code|exit status|Process exited|Command failed|BUILD (?:FAILED|SUCCESSFUL))\b",
    # errors and traces
    r"(?:Uncaught |Unhandled )?[A-Z][\w.]{0,80}(?:Error|Exception|Warning|Failure)\b(?:: |\Z| \[)",
    r"(?:[a-z]\w{0,40}\.){1,8}[A-Z]\w{0,80}(?:Error|Exception)\b(?:: |\Z)",
    r"Error: \S|Traceback \(most recent",
    r"Caused by: ",
    r"File \"[^\"\n]{1,300}\", line \d",
    r"at (?:async )?[\w$.<>\[\] ]{1,120}? ?\([^)\n]{1,300}\)\Z",
    r"at (?:\S{1,200}:\d+|<anonymous>|(?:[\w$<>]{1,80}\.){1,20}[\w$<>]{1,80} )",
    r"\w{1,80}@https?://\S+:\d+",
    r"\(anonymous\) ?@|Promise\.\w+ ?\(async\)|\[\[Prototype\]\]|(?:Object|Array\(\d+\)|_?[A-Z]\w{1,40}Error) ?\{",
    r"[\w.@/-]{1,100}\.(?:js|jsx|ts|tsx|mjs|vue|svelte|html|py|css)(?:\?\S{0,80})?:\d{1,6}(?::\d+)?(?: |\Z)",
    # HTTP
    r"(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS) (?:https?:/)?/\S*(?: HTTP/|\Z| \d{3})|HTTP/\d",
    r"curl (?:-\S|['\"]?https?:)|-[Hd] ['\"$]|--(?:data|header|compressed|url)\b",
    r"(?:Content-Type|Accept|Authorization|User-Agent|Host|Cookie|Referer|Origin|Cache-Control|ETag)(?:-\w+)?: \S",
    r"goroutine \d|thread '",
    r"\S{1,200}\.\w{1,5}[:(]\d{1,6}(?:[:,]\d{1,5})?\)?(?::| -)",  # file:line: message
    # tests
    r"(?:---? |=== )(?:FAIL|PASS|SKIP|RUN|NAME|CONT|PAUSE)\b",
    r"(?:PASS|FAIL|FAILED|PASSED)\b(?=\Z|[\t ]+(?:\S*[/.]\S|\d))|(?:not )?ok[\t ]+(?:\d|\S{1,200}/)",
    r"[✓✔✗✘✖×●⏺✻⎿] ?\S",
    # excerpts and tables
    r"\d{1,5} ?[|│]",
    r"[|│] ",
    r"[|│]?[ \t~]*\^+[ \t~^]*\Z",
    # git
    r"diff --git |index [0-9a-f]{6,}\.\.|@@ -\d|[-+]{3} [ab/]|Binary files |rename (?:from|to) |commit [0-9a-f]{40}",
    r"(?:modified|deleted|new file|renamed|both modified): {2,}|On branch \S|Your branch is |\d+ files? changed",
    # JSON and code
    r"[{}\[\]][)};,\]]{0,3}[ \t]*\Z|\{ ?\"|\[\{|\"[\w$. -]{1,80}\": ?|[}\])][,;]",
    r"(?:const|let|var) [\w${},\[\] ]{1,80} ?[=;]",
    r"(?:export |async |public |private |static ){0,3}function \w{0,80} ?\(",
    r"(?:async )?def \w{1,80}\(|class \w{1,80} ?[:({]|#include|package \w{1,60};?\Z|return [^\n]{1,200};\Z",
    r"import [\w{*\"'][^\n]{0,200}(?:from ['\"]|;\Z|['\"]\Z)|from [\w.]{1,80} import ",
    r"(?:if|for|while|switch) ?\([^\n]{1,200}\) ?\{\Z",
    r"(?:import|export|use|using|require|include|mod) [\w.:{*/@-]+ ?;?\Z(?<=[;.:}/])",
    r"import [a-z_][\w.]*(?: as \w+)?\Z",
    r"(?:(?:pub|export|abstract|default|public|async) ){0,3}(?:fn|func|struct|enum|trait|impl|interface) \w+ ?[<({:]",
    r"(?:export )?(?:type \w+ = |default \w+;?\Z)|module\.exports",
    r"(?:elif|else|try|finally|except\b[^\n]{0,60}) ?:\Z|for \w+(?:, ?\w+)* in \S[^\n]{0,80}:\Z|@\w[\w.]*\(",
    r"[\w.\]\[\"']{1,60} ?(?:[-+*/|&]?=|:=|=>) ?(?:await |new |not )?[\w.]{0,80}[(\[{\"']",
    r"\w{1,40}(?:\.\w{1,40})+\([^\n]{0,200}\)[;,]?\Z|(?:print|echo|console\.\w+)\(",
    r"(?:await |throw |yield |raise )\w[\w.]*\(|(?:throw|return) new \w",
    r"(?:SELECT|INSERT INTO|ALTER TABLE|LEFT JOIN|INNER JOIN|GROUP BY|ORDER BY) \S",
    r"(?:CREATE|DROP) (?:TABLE|INDEX|POLICY|TYPE|EXTENSION|FUNCTION|VIEW) \S",
    r"(?:export )?[A-Z][A-Z0-9_]{2,}=\S*\Z",
    r"</?[A-Za-z][\w.-]*(?:[ />][^\n]*)?>?\Z(?<=[>\"{}\w])(?<![a-z] \w\w)",
    r"//|/\*|\*/|<\?|<!--|#!/",
    # what review bots offer as a prompt
    r"In `?@?[\w./-]{3,200}`? (?:around|at|on) lines? ",
)
"""How lines that machines write begin."""

_PROMPT = re.compile(r"\A\s*+(?:" + "|".join(_PROMPTS) + ")")
_MACHINE = re.compile(r"\A\s*+(?:" + "|".join(_FORMS) + ")")
_MEASURES = re.compile(r"(?<![\w?&])[\w.]{1,40}[=:]-?(?:\d|True|False|None|null)[\w.%+-]*")
"""Named values as programs print them."""
_WITHOUT_SPACE = 160  # characters
_NO_SPACE = re.compile(rf"(?<!\S)(?!@?https?:)[!-~]{{{_WITHOUT_SPACE},}}")
_BOX = re.compile(r"[│╭╮╰╯┌┐└┘├┤┬┴┼━═║╔╗╚╝▐▛▜▌█░▓]|─{3}")
_LOOKED_AT = 400  # characters of a line
_CODE_ENDS = (";", "{", "},", "=> (", "/>", "({", "],", "),")
_PADDING = " " * 4  # terminals pad what is copied out of them
_SPEAKING = re.compile(r"[A-Za-z]{2,40} [a-z]{2,40} |(?:\W{0,3}[A-Za-z]+(?:['’][a-z]{1,3})?,?(?= )){5}")


def machine_output(lines: Sequence[VoicedLine], _text: str) -> list[Stretch]:
    """Find what machines wrote: their lines, hunks of diffs, and what commands printed."""
    found: list[Stretch] = []
    is_output = is_hunk = False
    for line in lines:
        text = line.text
        if not text.strip():
            is_output = False
            continue
        is_hunk = text.startswith("@@ -") or (is_hunk and text.startswith(("-", "+", " ")))
        is_output = is_output or _PROMPT.match(text) is not None
        if is_output or is_hunk or _is_output(text):
            found.append((line.start, line.end))
    return found


def is_machine(text: str) -> bool:
    return _PROMPT.match(text) is not None or _is_output(text)


def _is_output(text: str) -> bool:
    """Tell whether a line looks printed; each pattern is asked only where what it needs is there."""
    if _MACHINE.match(text) or (not text.isascii() and _BOX.search(text)):
        return True
    bare = text.strip()
    if bare.count("\t") > 1:
        return True  # cells of a table
    if ("=" in bare or ":" in bare) and len(_MEASURES.findall(bare[:_LOOKED_AT])) > 2:
        return True
    if len(bare) >= _WITHOUT_SPACE and _NO_SPACE.search(bare[: 2 * _LOOKED_AT]):
        return True
    is_code = bare.endswith(_CODE_ENDS) and not _SPEAKING.match(text)
    return is_code or (text.endswith(_PADDING) and bool(bare))


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
    | Check\ if\ this\ issue\ is\ valid\ —|-\ (?:Around\ lines?|Lines?)\ \d|!\[[\w\ -]{1,20}\]\(https://www\.gstatic\.com
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
    return [(line.start, line.end) for line in lines if _OPENING.match(line.text) or _CLOSING.search(line.text[:600])]


def templates(lines: Sequence[VoicedLine], _text: str) -> list[Stretch]:
    return [(line.start, line.end) for line in lines if is_template(line.text)]


def is_template(line: str) -> bool:
    return bool(_TEMPLATES.match(line))
