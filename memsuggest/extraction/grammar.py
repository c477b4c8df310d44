"""Grammar: patterns of what an order, a prohibition, a norm, a wish look like in plain text.

Mostly of English; in languages whose orders cannot be told by their form, cues alone decide.
"""

from __future__ import annotations

import re

from memsuggest.text.verbs import VERBS

_BEFORE_VERB = re.compile(
    r"""
    (?: always | never | automatically | please | just | also | only | not | let's | let\ us
      | do\ not | don't | stop | avoid | (?:be\ sure|remember|try|don't\ forget)\ to
      | (?:make\ sure|ensure)(?:\ that)?(?:\ to|\ you|\ we)?
      | (?:can|could|would|will)\ you
      | (?:you|we)\ (?:should|must|need\ to|have\ to)
      | i\ (?:want|need|'d\ like|would\ like)\ you\ to
      | (?:next\ time|from\ now\ on|going\ forward|in\ (?:the\ )?future|in\ general|by\ default|so),?
      | (?:when|whenever|every\ time|each\ time|if|before|after|for|in|from\ now)\ [^,]{0,100},
    )\s+
    """,
    re.VERBOSE,
)
"""What may stand before the verb of an order, as often as it likes."""
_WORD = re.compile(r"[\w-]+")
OPENS_LASTING = re.compile(
    r"""
    (?:(?:please|from\ now\ on|going\ forward|in\ (?:the\ )?future|next\ time|in\ general|as\ a\ rule|by\ default),?\ )*
    (?:always|never|immer|stets|nie(?:mals)?|toujours|jamais|siempre|nunca|jamás|sempre|всегда|никогда)
    \ (?!\w+(?:ed|ing)\b)
    (?!(?:a|again|anywhere|are|been|ever|gets?|has|is|mind|on|that|the|was|works?)\b)
    \w
    """,
    re.VERBOSE,
)
"""A sentence that begins with how long it holds is an order whatever its verb, in several languages."""
UNMARKED = re.compile(r"[\u3041-\u30ff\u4e00-\u9fff\uac00-\ud7af\u0400-\u04ff]")
"""Scripts of languages whose orders we cannot tell by their form."""
PROHIBITION = re.compile(
    r"""
    (?:(?:please|you|we|just|also|so)\ )*
    (?: (?:do\ not|don't|never|avoid|stop)
        \ (?!think|over\ ?think|know|see|understand|need\b|care|have\b|worry|get\b|remember|want|mind\b)
      | (?:you|we)\ (?:must|should|may|can)(?:n't|\ not|\ never)\ (?!be\ able)
      | (?:must|should)(?:n't|\ not|\ never)(?!\ (?:there|we|it|you|i|this|that|they|the)\b)
      | (?:bitte\ )?nicht | keine?n?\b | ne\ \w+\ pas | no\ (?:uses|hagas|pongas) | nunca\ | nie\ | jamais\ | não\ use
    )
    """,
    re.VERBOSE,
)
DISLIKE = re.compile(
    r"""
    \b(?:i|we)
    (?: (?:'d|\ would)(?:\ really|\ much)?\ (?:rather|prefer)
      | \ (?:really\ |also\ )?prefer\ | \ (?:really\ )?(?:hate|dislike)\ (?!that\Z|it\b|this\Z)
      | \ (?:really\ |just\ )?(?:don't|do\ not)\ (?:really\ )?(?:like|love|want|use|do|allow|mock|support|test)\b
        (?!(?<=like)\ the\b|(?<=love)\ the\b|\ any\Z|\ (?:having|how|seeing)\b)
        (?!\ to\ (?:be|do|go|see|have|know|touch|criticize|talk|say)\b|\ (?:that|it|this|those)\b)
      | \ want\ to\ (?:avoid|keep|always|never)
    )
    """,
    re.VERBOSE,
)
"""What the person likes better, or does not want."""
KIND = re.compile(
    r"""
    (?:(?:for|in|on|when|if|before|after)\ [^,]{0,60},\ )?
    (?:all|any|every|each|no|our|new|commits?|commit\ messages?|tests?|docs?|files?|code|components?|functions?
      |errors?|comments?|names?|[a-z-]+[^s\W]s)
    \b(?:\ [\w-]+){0,4}
    \ (?:should|must|needs?\ to|has\ to|have\ to|shouldn't|can't|never|always|are|go|belong|live)\b
    """,
    re.VERBOSE,
)
"""What a whole kind of things should be."""
CODE_NORM = re.compile(
    r"""
    (?:(?:all|every|each|any|our|new|your)\ )?(?:of\ (?:our|the|your)\ )?(?:[\w-]+\ ){0,2}?
    (?:functions?|methods?|class(?:es)?|variables?|constants?|tests?|commits?|commit\ messages?|components?|hooks?
      |endpoints?|routes?|files?|file\ names?|modules?|packages?|imports?|comments?|docstrings?|migrations?|queries
      |errors?|exceptions?|logs?|branch(?:es)?|branch\ names?|prs?|pull\ requests?|arguments?|parameters?|attributes?
      |decorators?|annotations?|types?|interfaces?|names?|ids?|dates?|timestamps?|strings?|numbers?|lines?|scripts?)
    (?:\ names?)?
    \ (?:should|must|need\ to|needs\ to|have\ to|has\ to|ought\ to|(?:are|is)\ to)
    \ (?:always\ |never\ |only\ |not\ )?
    (?:be|have|start|end|begin|use|go|live|follow|contain|include|carry|stay|come|take|say|get)\b
    """,
    re.VERBOSE,
)
"""What a kind of thing in code should be; one thing here ("the function should …") is meant by the moment."""
CODE_STYLE = re.compile(
    r"""
    \b(?:(?:start|begin|end|finish|prefix|suffix)\w*\ (?:off\ )?(?:in|with|by)
      | (?:camel|snake|pascal|kebab|upper|lower|title)[ _-]?case | type\ (?:hints?|annotations?) | docstrings?
      | decorators? | f-strings? | import(?:ing)?\ the | assert\w* | the\ (?:prefix|suffix|ending)
    )\b
    """,
    re.VERBOSE,
)
"""How code is written."""
CODE_KIND = re.compile(
    r"""
    (?<!\bthe\ )(?<!\bthese\ )(?<!\bthose\ )(?<!\bthis\ )
    \b(?: (?:all|every|each|any|your|our|new)\ (?:\w+\ )?
          (?:function|method|class|variable|constant|test|argument|attribute|module|file|decorator|import)\b
      | (?:functions|methods|classes|variables|constants|tests|arguments|attributes|modules|files|decorators)\b
      | (?:function|method|class|variable|constant|test|argument|attribute|module|file)\ names?\b
    )
    """,
    re.VERBOSE,
)
"""A whole kind of things in code."""
ADDRESSED = re.compile(
    r"""
    \b(?:we|you|i|us|agents?|claude|copilot|assistants?|commits?|branch(?:es)?|prs?|tests?|docs?|changelog|readme|code
      |files?|rules?|comments?|functions?|classes|names?|reviews?)\b
    """,
    re.VERBOSE,
)
"""Who works on the code, and what they work with; a norm for anything else is about the product."""
TOOL_CHOICE = re.compile(
    r"""
    (?:(?:we|i|please|always|only)\ )* (?:(?:use|uses|using|prefer|take|run|it's)\ )?
    `?(?P<this>[\w./-]+)`? (?:\ (?:here|everywhere|always|for\ [\w\ ]{2,30}))? ,?
    \ (?:and\ )?(?:not|instead\ of|rather\ than|over|never)\ (?:use\ )? `?(?P<that>[\w./-]+)`?
    (?:\ (?:here|everywhere|please|in\ this\ (?:repo|project)))* [.!]* \Z
    """,
    re.VERBOSE,
)
"""One tool, and not another."""
WE_USE = re.compile(
    r"""
    (?: (?:we|i)\ (?:only\ |always\ |all\ )?use\ (?!it|this|that|them)[`\w./+-]+(?:\ [`\w./+-]+){0,2}
        (?:\ (?:here|everywhere|in\ this\ \w+))? ,?\ (?:and\ )?(?:not|never|instead\ of|rather\ than)\ [`\w./+-]+
      | (?:don't|do\ not|never|no)\ (?:use\ )?[`\w./+-]+ [,;:]\ (?:because\ )?(?:we|it's|we're)\ (?:all\ |only\ )?
        (?:use|using|on)\ [`\w./+-]+
    )
    (?:\ (?:here|everywhere|for\ [\w\ ]{2,30}|in\ this\ \w+))? [.!]* \Z
    """,
    re.VERBOSE,
)
"""What is used here, and what is not."""
RECORDED = re.compile(
    r"""
    (?:(?:please|also|yeah|yes|ok|and|so|let's|lets|can\ you|could\ you|can\ we|you\ should|i\ want\ you\ to
         |we\ (?:also\ )?need\ to|is\ there\ a\ way\ (?:we\ can|you\ can|to)|go\ and|tell)[,\s]+)*
    (?:add|adjust|change|create|document|edit|extend|improve|include|make|mention|note|put|record|save|specify|tell
      |update|write)\b
    [^.!?]{0,60}?\b
    (?:rules?(?!\ (?:dir|folder|file|engine|index))|(?:claude|agents?|gemini)\.md|copilot-instructions\S*|instructions?
      |guidelines?|conventions?|\w+\.mdc|memory)
    (?:\ (?:file|document|section|entry))?
    (?:
        [^.!?]{0,30}?,?\ (?:(?:which|that|to|but|and|so)\ )*
        (?:specif(?:y|ies)|states?|says?|mentions?|clarif(?:y|ies)|make\ sure|ensures?)
        (?:\ (?:that|to|by)\b)? ,?\s+ (?:you\ (?=always|never))?
        (?!(?:how|it|that|the\ following|the\ rules?|this|what|where|which|you\ do\ (?:it|that|this))\b)
      | \ (?:so\ )?that\ (?=(?:you|we|i|the|all|any|every|each|no|when|whenever|if|always|never|do\ not|don['\u2019]t
                          |claude|agents?|tests?|commits?|prs?)\b)
      | \ to\ (?=(?:always|never|not|only)\b)
      | :\s+
    )
    (?P<rule>(?:[^\s]+\s+){2,}[^\s].*)
    """,
    re.VERBOSE | re.IGNORECASE | re.DOTALL,
)
"""A request to write a rule down where assistants read it, and the rule."""
ON_THIS_TASK = re.compile(
    r"""
    \b(?:change|modify|touch|edit|implement|start|jump|proceed|continue|begin|redirect|talk(?:ing)?|discussing|worry|bother|delete|remove
      |move|rename|clean|write\ (?:any\ |the\ )?code|make\ (?:any\ )?changes|code|include|add|show|display)\b
    """,
    re.VERBOSE,
)
"""What is forbidden for the piece of work in hand, more often than for good."""
IN_STEP = re.compile(
    r"""
    \b(?:keep|maintain|update)\b.{1,50}
    \b(?:in\ (?:sync|step|line)|up[ -]to[ -]date|updated|current|consistent|aligned)\b
    | \bmaintain\b.{1,40}\b(?:changelog|docs?|documentation|readme|entries|tests)\b
    | \balso\ (?:always\ )?(?:update|document)\b.{1,40}\b(?:whenever|each|every|when|after)\b
    """,
    re.VERBOSE,
)
"""Something that is to follow whatever changes."""
DONE_ONCE = re.compile(
    r"(?:help|show|explain|tell|give|list|find|summari[sz]e|describe|walk|compare|replace|rename|remove|delete|add|fix"
    r"|verify|check|audit|analy[sz]e|review|investigate)\b"
)
"""An order that is done when it is done, wherever: its outcome is an answer, or one edit."""
POLITE = re.compile(
    r"""
    \b(?:can|could|would|will)\ you\ (?:please\ |also\ |just\ )*(?:always|never|from\ now\ on)\b
    | (?:is\ there\ a\ way\ (?:we\ can|you\ can|to)|(?:can|could|should)\ (?:you|we))
      \ .*\brules?\b.*\b(?:always|never)\b
    """,
    re.VERBOSE,
)
"""An order in the form of a question."""
_FOR_EACH = re.compile(r"for\ (?:every|each|any|all)\ \w[^,]{2,80},\ ")
EVER = re.compile(
    r"\b(?:can't|cannot|can not|mustn't|must not|must never|shouldn't|should not|don't|do not)\b[^?]{3,80}\bever[.!]*\Z"
)
"""A refusal for all times: "we can't drop that table ever"."""
OUR_WAY = re.compile(
    r"(?:here\ )?we\ (?:all\ |always\ |only\ )?"
    r"(?:avoid|deploy|follow|keep|name|pin|prefer|release|require|store|support|target|test|use|write)"
    r"\ (?!it\b|that\b|this\b|three\b|two\b|the\ old\b)\w",
)
"""What is done here, as a habit."""
HAS_ITS_PLACE = re.compile(
    r"(?!(?:if|it|i|then|the|they|this|that|we|what|when|you)\b)[\w.-]+(?:\ [\w.-]+){0,3}?"
    r"\ (?:goes|go|lives?|belongs?|stays?)\ (?:in|into|next\ to|out\ of)\ (?!it\b|this\b)\w"
)
"""Where a kind of things is put."""
CLAUSES = re.compile(r"[,;:]\ (?:and\ |but\ |so\ )?(?:please\ |we\ )?")
MAKES_SURE = re.compile(
    r"(?:(?:let's|we\ (?:also\ )?need\ to)\ )?(?:make\ sure|ensure|be\ sure)\b.*"
    r"\b(?:all|any|each|every|everywhere|new|no|only|our)\b"
)
"""What is to be seen to for all things of a kind."""
AS_POSSIBLE = re.compile(r"\bas\ \w+\ as\ possible\b|\Athere\ (?:should|must)\ be\ no\b")
"""What holds wherever it can."""
ONLY_NORM = re.compile(
    r"(?:our|all|every|each)\b.{1,60}\b(?:should|must|may|will)\b.{0,40}\b(?:only|solely|exclusively)\b"
    r"|the\ only\b.{1,60}\b(?:should|must|may)\b"
)
"""Where something may be, and nowhere else."""
NOT_THAT = re.compile(r"`?(?P<this>[\w./-]{3,30})`?,?\ (?:and\ )?not\ `?(?P<that>[\w./-]{3,30})`?[.!]*")
"""One name and not another, and nothing else."""


def is_order(plain_text: str) -> bool:
    """Tell whether a plain text begins as an order does.

    >>> is_order("from now on use tabs, never spaces"), is_order("the tests use tabs")
    (True, False)
    """
    at = 0
    while opening := _BEFORE_VERB.match(plain_text, at):
        if _is_verb_at(plain_text, at):
            return True
        at = opening.end()
    return _is_verb_at(plain_text, at)


def is_order_for_each(plain_text: str) -> bool:
    """Tell whether a plain text begins as an order does that holds for each thing of a kind.

    >>> is_order_for_each("for every endpoint, write a test")
    True
    """
    found = _FOR_EACH.match(plain_text)
    if not found or DONE_ONCE.match(plain_text, found.end()):
        return False
    return is_order(plain_text[found.end() :])


def _is_verb_at(plain_text: str, at: int) -> bool:
    word = _WORD.match(plain_text, at)
    return word is not None and word.group() in VERBS
