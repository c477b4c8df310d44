"""Cues against: what is wrong with one thing here, what happened before, what only points at something else."""

from __future__ import annotations

from memsuggest.extraction.language.grammar import is_order
from memsuggest.extraction.rule import Rule

RULES = (
    Rule(
        name="points-back",
        looks_for="a telling that ends in what only the words before say: is there for that",
        words={
            "en": r"\b(?:is|are|was|were) \S+(?: \S+)? (?:for|about|like|of|behind) (?:that|this|it|those|these)[.!]?\Z"
        },
        remembers=("helpers.py is there for that", "the script was made for this."),
        ignores=("use the helpers for that", "tests are there for every module"),
    ),
    Rule(
        name="records-nothing",
        looks_for="a wish to write this down, without what: make a rule for it",
        words={
            "en": (
                r"\b(?:rule|convention|note|instruction|preference|memory|docs?|guideline)s?\b.{0,60}"
                r"\b(?:for|about|on|recording|record|covering|covers?|reflecting|with) (?:it|this|that|these|those)"
                r"(?: (?:preference|rule|convention|too|as well|behaviou?r|case|now))?[.!]?\Z"
                r"|\A(?:update|improve|extend|fix|change) (?:the |whichever |that |whatever )?.{0,60}\brules?\b.{0,60}"
                r"\b(?:do|did|does|remember) (?:this|that|it)\b"
            )
        },
        remembers=("make a rule for it", "add a note to the docs about that", "record a rule covering this case"),
        ignores=("add a rule that ids are strings", "the rule for tests is simple"),
    ),
    Rule(
        name="complains",
        looks_for="what is bad about one thing at the moment",
        words={
            "en": (
                r"\A(?:and |but |so )?(?:the|one|another|a) (?:[\w-]+ )?(?:issue|problem|bug|question|risk"
                r"|concern|downside)s?"
                r" (?:[\w-]+ ){0,5}(?:is|are) (?:that|how|whether|why)\b|\Astill (?:\w+s|not|no)\b"
                r"|\A(?:the|this|that|it|my) (?:[\w-]+ ){0,3}?keeps? (?!working|running|passing)\w+ing\b"
                r"|\A(?!it |they |that |this |e2e |tests )[\w'` -]{2,40} (?:is|are|looks?) (?:\w+ )?too (?:noisy"
                r"|long|large|big|small|wide"
                r"|narrow|bright|dark|high|low|far|close|short|loud|dense|crowded|busy|strong|weak|light|salesy"
                r"|polite)\b"
                r"|\A(?:the|this|that) (?:[\w-]+ ){1,3}(?:is|are|looks?) (?:so |too |still |totally |completely )?"
                r"(?:unreadable|broken|wrong|ugly|confusing|messy|slow|red|failing|missing|empty|gone|stale|huge|weird"
                r"|odd|strange|useless|garbled|blurry"
                r"|(?:way |far |much )?too (?:noisy|long|large|big|small|wide|narrow|bright|dark|high|low|far"
                r"|close|short"
                r"|loud|dense|crowded|busy|prominent|light))\b"
            )
        },
        remembers=("the diff is unreadable because it is one line", "this page looks broken on my phone"),
        ignores=("a failing test is never skipped", "the bug tracker is public"),
    ),
    Rule(
        name="gives-a-reason-only",
        looks_for="a reason that lost its sentence: because the first needs a lock",
        words={
            "en": r"\A(?:because|since|otherwise)\b[^,]*\Z",
            "de": r"\A(?:weil|sonst)\b[^,]*\Z",
            "fr": r"\A(?:parce que|sinon)\b[^,]*\Z",
            "es": r"\A(?:porque|si no)\b[^,]*\Z",
        },
        remembers=("because the table is consulted first", "otherwise I have to ask"),
        ignores=("because of the cache, always rebuild", "use tabs because diffs stay small"),
    ),
    Rule(
        name="may-go",
        looks_for="that one thing can be deleted, closed, left alone",
        words={
            "en": r"\bcan (?:now )?(?:be (?:deleted|removed|dropped|closed|merged|ignored|skipped|reverted)|go|stay)\b",
            "de": r"\bkann (?:weg|raus|gelöscht|bleiben)\b",
            "fr": r"\bpeut être supprimée?\b|\bon peut (?:virer|supprimer)\b",
            "es": r"\bse puede (?:borrar|quitar)\b",
            "pt": r"\bpode (?:apagar|tirar|sair)\b",
        },
        remembers=("the old file can be deleted", "regel 7 kann weg"),
        ignores=("it can be read", "never delete it"),
    ),
    Rule(
        name="judges-it",
        looks_for="that something is fine, enough, wrong, and nothing more",
        words={
            "en": (
                r"\A[^,;]{2,50} (?:is|are|looks?|seems?) (?:just |totally |still |all |also |not )?(?:fine|ok|okay"
                r"|good|enough"
                r"|great|perfect|correct|right|wrong|outdated|broken|slow|nice|clear|better|reasonable|useless|unclear"
                r"|missing)[ .!]*\Z"
            ),
        },
        remembers=("unit tests are fine", "the second one looks good"),
        ignores=("tests are fast", "viridis is fine, never use red"),
    ),
    Rule(
        name="thinks-aloud",
        looks_for="somebody who works out how something is: hmm, ok so, I see",
        words={"en": r"\A(?:hm+|aha|ok so|interesting|i see|right)\b"},
        when=lambda remark: not remark.is_dialogue and not is_order(remark.main),
        remembers=("hmm the numbers look weird", "ok so each document has a sequence"),
        ignores=("so please use tabs", "use tabs"),
    ),
    Rule(
        name="does-not-work",
        looks_for="what one thing does not do: the list doesn't refresh",
        words={
            "en": (
                r"\A(?:but |and |hm+,? |still,? |now )?(?:the|this|that|it|my) ?(?:[\w-]+ ){0,3}(?:doesn't"
                r"|does not|don't"
                r"|do not|won't|isn't|aren't|can't|didn't) (?!need|support|use|have|allow|exist|require"
                r"|work with|belong|own"
                r"|know|accept|contain|include|care|matter|necessar|supposed|meant|part|a |an |in |for |to )[a-z]+"
            )
        },
        remembers=("the list doesn't refresh after adding one", "it does not pick up the new value"),
        ignores=("the worker does not need a lock", "tests don't touch the network"),
    ),
    Rule(
        name="has-happened",
        looks_for="what happened before: a reason for a rule, and none itself",
        in_main=True,
        words={
            "en": (
                r"\A(?:[^\s,;:]+ ){1,5}(?:has|have|had) (?:already |once |often |really )?(?:burnt|burned|bitten|bit"
                r"|cost|hurt|done|finished|started|bothered|annoyed|confused|caught|tripped|caused|led|happened"
                r"|gone wrong|failed"
                r"|let us down)(?![\w-])"
            ),
            "de": (
                r"\A(?:[^\s,;:]+ ){1,5}(?:hat|haben|hatte|hatten) uns\b.{0,40}\b(?:gekostet|verwirrt|geschadet"
                r"|genervt)\b"
            ),
        },
        remembers=("flaky tests have burnt us before", "That has cost us a week.", "das hat uns zwei Tage gekostet"),
        ignores=("tests have to be fast", "we have burnt-in defaults", "always lock it, that has cost us a week"),
    ),
    Rule(
        name="hangs-in-the-air",
        looks_for="an order whose whole content is this or that: do this next time, keep doing that",
        words={
            "en": (
                r"\b(?:do|does|did|doing|done|like|about|fix|change|want) (?:this|that|it)(?: (?:next time"
                r"|again|too|as well|everywhere"
                r"|from now on|here|there|instead|always))?[.!]?$|\bsuch a thing\b|\bthat (?:normal|other|same"
                r"|old|new) \w+"
            ),
        },
        remembers=("make sure you do this next time", "never do that again"),
        ignores=("do this for every route",),
    ),
    Rule(
        name="talks-of-trouble",
        looks_for="errors, failures, something that hangs or is broken",
        words={
            "en": (
                r"\b(?:fail(?:s|ed|ing)|error:|broken?|crash(?:es|ed|ing)?|hang(?:s|ing)?|doesn't work|not working"
                r"|isn't working|stuck|weird|odd|missing|empty|wrong|nuked|messed|lost|conflicts?|seems?|looks? "
                r"(?:like|good|fine|better|wrong))\b"
            ),
            "de": r"\b(?:kaputt|fehler|geht nicht|funktioniert nicht|hängt|schlägt fehl)\b",
            "fr": r"\b(?:marche pas|échoue|erreur|cassé|bloqué)\b",
            "es": r"\b(?:falla|fallan|error|roto|no funciona)\b",
            "pt": r"\b(?:falh\w+|erro|quebrad\w|não funciona|travou)\b",
            "ja": r"エラー|失敗|動かない|壊れ",
            "zh": r"报错|失败|错误|坏了|不工作",
        },
        remembers=("the page hangs", "der Build ist kaputt"),
        ignores=("log the duration",),
    ),
)
