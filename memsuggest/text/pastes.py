"""Pastes: lines of a typed text that nobody types: prompts and their output, stack traces, logs, tables, diffs, code.

The readers mark fences, quotes and long pastes; this catches the line or two that stands bare among a person's words.
"""

from __future__ import annotations

import re

_PROMPT = re.compile(
    r"[ \t]*(?:[❯➜λ]|[$%#>] (?=[a-z./~])|>>> |\.\.\. |(?:\([\w.-]{1,40}\) )?[\w.-]{1,40}@[\w.-]{1,60}[:~ "
    r"][^\n]{0,120}?[$#%>❯] ?"
    r"|PS [A-Z]:\\|[A-Z]:\\[^\n>]{0,120}>|~?/[\w/.-]{1,80} ?[$#%❯] )"
)
"""The start of a line copied from a terminal; what follows, up to a blank line, is its output."""

_ODD_LINE = re.compile(
    r"[ \t]*(?:"
    r"at (?:async |new )?[\w.$<>]{1,200} ?\([^)\n]{0,300}[:.<]|at (?:[\w$<>]{1,80}\.){1,20}[\w$<>]{1,80} |File \""
    r"|Traceback \(|Caused by:|goroutine \d|panic: |thread '"  # stack traces
    r"|\[?\d{4}-\d\d-\d\d[T ]\d\d:|\d\d:\d\d:\d\d"  # logs
    r"|\[?(?:INFO|DEBUG|WARN(?:ING)?|ERROR|FATAL|TRACE|NOTICE)\b[\]: ]"
    r"|\w{0,60}(?:Error|Exception|Warning): |npm (?:ERR!|WARN)|error(?:\[\w+\])?: |warning: |fatal: |usage: "
    r"|[\w.-]{1,40}: (?:error|warning|fatal): "
    r"|\S{1,120}:\d{1,6}(?::\d+)?: "
    r"|In `?@?[\w./-]{3,200}`? (?:around|at|on) lines? "  # what a review bot offers as a prompt
    r"|=== |--- (?:FAIL|PASS|a/)|\+\+\+ |@@ |diff --git|index [0-9a-f]{7}|commit [0-9a-f]{40}|(?:FAIL"
    r"|PASS)[ \t]{1,8}\S|ok(?:[ \t]{2,8}\S|[ \t]\d)"  # tools; "ok good. …" is said, not printed
    r"|[│╭╰├└┌┐┘┤┬┴┼─━═║╔╚⎿█⋮❌✅✓✔✗✘●►▶]|\|.*\|[ \t]*$|[^\t\n]{1,80}\t[^\n]*\S"  # boxes and tables
    r"|[-=_*~^]{4,}|[{}\[\]()]{1,3}[,;]?[ \t]*$|</?[a-zA-Z][^<>\n]{0,200}>[ \t]*$|\"[\w.-]{1,80}\"[ \t]*:|//"
    r"|/\*|\*/|#!/"
    r"|(?:const|let|var) \w+ ?[=:]|(?:async )?(?:def|func|fn|function) \w+\(|class \w+ ?[({:]"  # code
    r"|[\w.]{1,60} ?[+|&-]?= ?[\w.]{1,80}[(\[{]|\w{1,40}\.\w{1,40}\([^\n]{0,200}\)[ \t]*$"
    r"|(?:public|private|static) \w+ \w+ ?[({=;]|return [^\n]{0,200};[ \t]*$|import \w+(?: from\b|;)"
    r"|[^\n]{1,200}(?:\);|\) ?\{|=> ?\{|\w ?= ?[^\s;]{1,60};)[ \t]*$"
    r")"
)


def pasted_lines(lines: list[str]) -> list[bool]:
    """Say of each line of a text whether it was pasted.

    >>> pasted_lines(["why?", "$ make test", "3 failed", "", "use tabs", "ok good. now go on", "ok 1 - it starts"])
    [False, True, True, False, False, False, True]
    >>> pasted_lines(["at least one test each", "  at Queue.run (queue.js:3:4)", "at com.shop.Cart.add in x"])
    [False, True, True]
    """
    found: list[bool] = []
    in_output = False
    for line in lines:
        if not line.strip():
            in_output = False
        elif _PROMPT.match(line):
            in_output = True
        found.append(bool(line.strip()) and (in_output or bool(_ODD_LINE.match(line))))
    return found
