"""Code words: whether a sentence of a talk between people names a part of code, or only work and life.

Owns the words and shapes by which code is named in talk. Free functions over a remark; knows no voice and no weight.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from memsuggest.extraction.language.grammar import tokens
from memsuggest.extraction.language.pronouns import points_elsewhere
from memsuggest.extraction.language.trade import certain_words, trade_words
from memsuggest.memory.limits import limits_in
from memsuggest.text.verbs import word_set
from memsuggest.text.words import plain

if TYPE_CHECKING:
    from memsuggest.extraction.remarks import Remark

_HEARD = 200  # characters at the end of what the other one said
_CHATTY = word_set(
    "code coding programming software developer debug debugging debugger bug bugs repo repository codebase docs doc"
    " documentation github gitlab git java python javascript typescript golang php kotlin react vue angular node css"
    " html json refactor refactoring ci pr prs merge merged commit commits committing deploy deployment prod dev script"
    " scripts server servers database databases sql bash grep vim emacs vscode ide linux ubuntu macos wsl docker"
    " kubernetes aws azure gcp cron api apis backend frontend fullstack command commands config configs algorithm jira"
    " install installed git ticket tickets tmux webhook ui ux gui input inputs url urls coverage null async await"
)
"""Words of the trade that colleagues use when they talk of their days; they make no rule."""
_PARTS = re.compile(
    r"\b(?:(?:test|class|file|branch|method|module|package|table|column|field|constant|property) names?|class(?:es)?"
    r"(?= (?:names?|attributes?|should|must|need|have|has|get|start|begin|end|are|is|carry)\b)|(?:each|every|all|any"
    r"|new|our|sub) ?class(?:es)?|constants|test (?:functions?|files?|cases?|methods?)|unit tests?|(?:each"
    r"|every) test"
    r"|tests (?:get|need|have|must|should|are|start|begin|end)|for tests|in tests|error (?:messages?|handling)"
    r"|log messages?|type (?:hints?|annotations?)|type[- ]hint\w*|try[ -/](?:and |or )?(?:except|catch|blocks?"
    r"|statements?|finally)|bare except|raw sql|print statements?|global (?:variables?|state)|magic numbers?"
    r"|list comprehensions?|(?:branch|commit) (?:names?|messages?|prefix)|(?:lines?|functions?|methods?|files?)"
    r" (?:\w+ ){0,3}(?:longer|shorter|characters|lines)|dates are|branches|digits?|abbreviat\w+|names? (?:of|for)"
    r"|(?:in|for|of) (?:the |your |our |all |any )?names|naming|the names|letters|string format\w*"
    r"|format strings?|import statements?|(?:the|your|our) prefix|(?:the|your|our)"
    r" suffix|snake[_ ]?case|camel ?case|pascal ?case|kebab[- ]case|upper ?case|lower ?case|capital letters"
    r"|(?:f|template|raw|format)[- ]strings?|(?:add|write|have|include|needs?) (?:a|two|one|at least \w+|unit|new)"
    r" tests?|local variables?|exit codes?|return codes?|(?:single|double) quotes|quotes|brackets"
    r"|early returns?|standard library|third[- ]party|if statements?|ternar\w+"
    r"|single quotes|double quotes|four spaces|two spaces"
    r"|tabs|white ?space)\b"
)
"""Parts of code that take two words, or a word and what is said of it."""
_AT_WORK = word_set(
    "team project projects review reviews task tasks job jobs issue issues release releases feature features go try"
    " rest app apps user users question questions answer answers version versions page pages form note notes host port"
    " let raise black fish push pull design data office developer software programming language english german french"
    " network machine server servers github git jira python java javascript coding code build deploy number numbers"
)
"""Words of the trade that people use when they talk of their work and their lives."""
CASE = re.compile(r"\b(?:camel|snake|pascal|kebab)[ _-]?case\b")
_QUOTED_WORD = re.compile(r"['\"\u2018\u201c][A-Za-z]+['\"\u2019\u201d]")
_EVERYDAY = re.compile(r"\b(?:letters|branches|digits?|quotes|brackets|tabs|the names)\b")
"""Of these, what people also speak of otherwise."""
_NAMED = re.compile(
    r"`[^`\n]+`|(?<!\w)(['\"\u2018\u201c])[\w.@#/:-]{1,24}['\"\u2019\u201d](?!\w)|(?<![\w@])_\w+|\b\w+_(?!\w)"
    r"|\b[a-z]\w*_\w+|(?<!\w)@[a-z]\w+|\b[A-Z]\w+(?:Error|Exception)\b|\b[a-z]+[A-Z]\w*|\b\w+\.(?:py|js|ts|md|json"
    r"|ya?ml|toml|sql|java|go|rs|sh)\b"
    r"|(?<=[a-z,] )(?:Optional|None|True|False|Decimal|Final|Enum|Any|Union|NaN|UTC|ISO)\b"
    r"|(?<![\w-])--[a-z][\w-]+|\b\w+\(\)|(?<![\w.@])[a-z]{2,}\.[a-z]{3,}\b(?!\.)"
)
"""Something named as code."""
AFFIX = re.compile(r"(?<!\w)['\"\u2018\u201c`][\w.@#/:-]{1,24}['\"\u2019\u201d`](?!\w)|(?<!\w)_\w+|\b\w+_(?!\w)")
_EACH = re.compile(r"\b(?:every|each|all|any)(?: of)?(?: your| our| new| the)? (?P<what>[\w-]+(?: [\w-]+)?)")
"""A whole kind of things: then a word of everyday talk, too, means a part of the code."""
_REASON = re.compile(r", (?:as|since|because|so)\b")
_SOCIAL = re.compile(
    r"\b(?:reviews?|reviewers?|feedback|pull requests?|merge requests?|meetings?|stand-?ups?|retros?|colleagues?"
    r"|career"
    r"|promotion|deadlines?|manager|boss|questions?|interviews?|break|breaks|coffee|lunch|weekend|holidays?|learning"
    r"|mistakes|yourself|curious|patient|patience)\b"
)
_SUBJECT = 8  # words


def speaks_of_code(remark: Remark) -> bool:
    """Whether a part of code is named in it, or in what its pronoun stands for."""
    topic = remark.statement.text
    if points_elsewhere(remark.main) or _is_clipped(remark):
        topic = f"{topic} {remark.statement.before or remark.answered[-_HEARD:]}"
    found = certain_words(topic) - _CHATTY
    found = found or {word for one in _EACH.finditer(remark.plain) for word in certain_words(one["what"])}
    is_social = bool(_SOCIAL.search(_REASON.split(remark.plain)[0])) and len(found) < 2
    return bool(found or _PARTS.search(plain(topic)) or _NAMED.search(topic)) and not is_social


def _is_clipped(remark: Remark) -> bool:
    """Whether it only names a value: "make that `run_`"."""
    return len(tokens(remark.plain)) <= 8 and bool(AFFIX.search(remark.statement.text))


def is_about_code(remark: Remark) -> bool:
    """Whether its first words name a part of code."""
    subject = " ".join(remark.main.split()[:_SUBJECT])
    return bool(certain_words(subject) - _CHATTY or _PARTS.search(subject))


def speaks_of_code_itself(remark: Remark) -> bool:
    """Whether it names a part of code itself: by a word that means nothing else, by two that may, or as code."""
    said = remark.plain
    if certain_words(said) - _CHATTY or names_code(remark) or CASE.search(said):
        return True
    is_limit = any(limits_in(said))
    return is_limit or bool(_PARTS.search(_EVERYDAY.sub(" ", said))) or len(trade_words(said) - _AT_WORK) > 1


def names_code(remark: Remark) -> bool:
    """Whether something stands in it as code, more than a word in quotation marks."""
    return bool(_NAMED.search(_QUOTED_WORD.sub(" ", remark.statement.text)))
