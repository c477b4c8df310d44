"""Turns of speech: how people wrap a rule in talk, and what stays when it is unwrapped. English only.

Tables of patterns and what takes their place; `{verbs}` stands for the known verbs, `{base}` for the base of a captured
gerund, other braces for captured words. The order counts: what stands first is tried first.
"""

from __future__ import annotations

from memsuggest.extraction.wording.wishes import WISHES

_ADV = (
    r"(?:(?:also|really|always|usually|generally|normally|only|just|actually|definitely|now|then|still|simply"
    r"|please|currently) )*"
)
TURNS: tuple[tuple[str, str], ...] = (
    *WISHES,
    (r"^(?:let's|let us|i'd like to) (?:start|begin) with (?P<topic>(?:the )?[\w-]+(?: [\w-]+)?): ", "{topic}: "),
    (r"^(?:please |do )?feel free to ", "You may "),
    (r"^using (?=[\w`'\"])(?!it\b|this\b|that\b)", "Use "),
    (
        (
            r"^(?:it's|it is|that's|they're) (?P<what>(?:[\w-]+ )?(?:quotes|tabs|spaces|letters|lines|characters"
            r"|underscores|parameters|arguments|case|\w+_case|camelcase|pascalcase)) (?:now|again)\b"
        ),
        "Use {what}",
    ),
    (rf"^(?:i|we)(?:'d| would)? {_ADV}(?:want|like|ask|prefer)(?: you)? not to ", "Do not "),
    (r"^you (?:don't|do not|needn't|need not)(?: (?:have|need) to)? (?=\w)", "No need to "),
    (r"^(?:can|could|would|will) (?:you|we) (?:please |also |just |maybe )*(?=[a-z])", ""),
    (rf"^(?:i|we)(?:'d| would)? {_ADV}(?:like|love|want|prefer) to see (?=\w)", "Include "),
    (rf"^(?:i|we)(?:'d| would)? {_ADV}(?:prefer|like it|love it)(?: that| if| when) you ", ""),
    (
        rf"^(?:i|we)(?:'d| would)? {_ADV}(?:want|like|need) (?P<what>(?:(?!you|us)[\w'-]+ ){{0,3}}\w+s) to (?=\w)",
        "{what} should ",
    ),
    (rf"^(?:i|we)(?:'d| would) (?:{_ADV})?(?:like|prefer|love|want)(?: (?:for )?(?:you|it if you))? to ", ""),
    (
        (
            rf"^(?:i|we) {_ADV}(?:want|need|expect|ask|would ask|'d ask)(?: you)? to "
            r"(?!learn\b|understand\b|know\b|be able\b|think\b|discuss\b|become\b)"
        ),
        "",
    ),
    (rf"^(?:i|we) {_ADV}(?:don't|do not|dont) (?:ever |really )?(?:want|like|need)(?: you)? to ", "Do not "),
    (
        (
            rf"^(?:i|we) {_ADV}(?:don't|do not|dont) (?:ever |really )?(?:want|like) (?:any (?!in\b|of\b|on\b"
            rf"|at\b|here\b)|to see (?:any )?)?(?!it"
            rf"|this|that|them)"
        ),
        "Avoid ",
    ),
    (rf"^we {_ADV}(?:don't|do not|dont) (?=(?:{{verbs}})\b)", "Do not "),
    (rf"^(?:i|we) {_ADV}(?:hate|dislike|can't stand|cannot stand) (?!it|this|that)", "Avoid "),
    (rf"^(?:i|we)(?:'d| would)? {_ADV}(?:prefer|rather have|favou?r) ", "Prefer "),
    (r"^(?:i|we)(?:'d| would) rather (?:you )?", "Prefer to "),
    (r"^(?:i|we) (?:really |do )?(?:like|love) (?=\w+s\b|short|small|simple|explicit)", "Prefer "),
    (
        (
            r"^(?:i|we) (?:really |only )?want (?=[\w-]+ (?:[\w-]+ )?(?:tests?|code|files?|names?|answers?|comments?"
            r"|errors?|commits?)\b)"
        ),
        "Use ",
    ),
    (
        (
            r"^(?:(?:i|we|you) (?:must not|mustn't|should not|shouldn't|may not|are not allowed to|aren't allowed to)"
            r"|(?:we|you) (?:cannot|can't|can not)) "
        ),
        "Do not ",
    ),
    (
        (
            r"^(?:i|we|you)(?:'ll| will)? (?:also |always )?(?:must|should|need to|have to|ought to|has to|gotta) "
            r"(?:also |please |really )*"
        ),
        "",
    ),
    (r"^(?:we|you) (?:are|'re) (?:only )?allowed to ", "Only "),
    (
        (
            r"^we (?:(?:also|generally|usually|normally|all|now|currently|just) )*(?P<adverb>(?:always |only "
            r")?)(?=(?:{verbs})\b)(?!have\b|need\b|expect\b|support\b|own\b|target\b|get\b)"
        ),
        "{adverb}",
    ),
    (r"^(?:that )?we(?:'re| are) (?:always |only )?(?P<gerund>\w+ing)\b", "{base}"),
    (r"^we never (?=\w)", "Never "),
    (r"^you (?P<adverb>(?:always|never|only) )(?=\w)", "{adverb}"),
    (
        (
            r"^(?:i'd|i would|we'd|it'd|it would) (?:really |also |be )?(?:appreciate|love|like|grateful|great"
            r"|good|nice"
            r"|helpful)(?: it)? if (?:you|we) (?:could |would |can )?(?:please )?"
        ),
        "",
    ),
    (
        (
            r"^(?:let's|lets|let us) (?:please |also |just |try to |say )*(?:make sure (?:that )?(?:we're |we are "
            r")?(?=using ))?"
        ),
        "",
    ),
    (
        (
            r"^(?:please )?(?:make|be) (?:absolutely |very )?(?:sure|certain|careful)(?: to| you| that you| we| that "
            r"we) (?=(?:{verbs})\b)"
        ),
        "",
    ),
    (
        (
            r"^(?:please )?(?:always |also )?(?:remember|don't forget|do not forget|try|take care|be sure"
            r"|go ahead and"
            r"|start) to "
        ),
        "",
    ),
    (r"^(?:you|i) (?:are|'re|am|'m) (?:supposed|expected|required) to ", ""),
    (r"^(?:there should be|there must be|i want to see|there can be) no (?:more )?", "No "),
    (
        (
            r"^(?:the rule is|rule(?=[:,])|our rule is|as a rule|my rule is|in general|generally"
            r"|convention(?=[:,])|our convention "
            r"is)(?: that| to)?[,:]? "
        ),
        "",
    ),
    (
        (
            r"^(?:it'?s|it is) (?:very |really |super |also )?(?:important|critical|crucial|essential|vital|mandatory"
            r"|necessary)(?: that| to| for us to| that we| that you) "
        ),
        "",
    ),
    (
        (
            r"^(?:it would be|it'd be|would be) (?:\w+ )?(?:nice|good|great|better|wonderful|lovely|helpful"
            r"|fantastic) (?:if you could|if we could|if you|if we|to) "
        ),
        "",
    ),
    (
        (
            r"^(?:from (?:now|today) on(?:wards)?|from today|as of (?:now|today)|going forward|from here "
            r"on(?: out)?|moving forward|henceforth|next time|in (?:the "
            r")?future|starting (?:now|today))[,:]? (?:please )?(?:always )?"
        ),
        "",
    ),
    (r"^(?:ab (?:jetzt|sofort)|in zukunft|künftig|von nun an)[,:]? (?:bitte )?", ""),
    (r"^(?:désormais|dorénavant|à partir de maintenant)[,:]? ", ""),
    (r"^(?:a partir de (?:agora|ahora)|de ahora en adelante|de agora em diante)[,:]? ", ""),
    (
        (
            rf"^(?:it would|it'd) be (?:{_ADV})?\w+ if (?P<who>(?:each|every|all|any|the|our"
            rf"|your) [\w ]{{2,40}}?) (?:had|has)\b"
        ),
        "{who} has",
    ),
    (r"^(?:don't|dont|do not) (?:ever )?", "Do not "),
    (r"^(?:never ever|never) ", "Never "),
    (r"^stop (?P<gerund>\w+ing)\b", "Do not {base}"),
    (
        (
            r"^(?:switch|change|move|rename) (?P<what>(?:the |our |your |all )?[^,]{3,60}?) from "
            r"(?P<old>\S{1,40}) to (?P<new>\S{1,40}?)(?=[.!,]|$)"
        ),
        "Use {new} instead of {old} for {what}",
    ),
    (r"^replace (?P<old>\S{1,40}) (?:with|by) (?P<new>\S{1,40}?)(?=[.!,]|$)", "Use {new} instead of {old}"),
)
INSIDE: tuple[tuple[str, str], ...] = (
    (
        (
            r"(?<=[\w,] )(?:i|we)(?:'d| would)? (?:(?:also|really|now|still|always|just|only) ){0,2}"
            r"(?:want|need|like|expect|ask)(?: for)? (?:you|us) to "
        ),
        "",
    ),
    (
        (
            r"\bunless i (?:explicitly |specifically )?(?:ask|tell|say|request)(?: you| so| for (?:it|that"
            r"|them))*(?:(?: to)? \w+(?=[.,;!]|$)| to(?=[.,;!]|$))?"
        ),
        "unless asked",
    ),
    (
        (
            r"\bwhen i (?:explicitly |specifically )?(?:ask|tell)(?: you(?: to)?| for (?:it|that"
            r"|them))?(?=[.!,;]|$| for\b| to\b)"
            r"(?!\W+\w+\W+question)"
        ),
        "when asked",
    ),
    (r"\b(?:ask|tell|show|warn|remind|notify|inform) me\b", "{verb} the user"),
    (r"\bwithout (?:asking|telling) me\b", "without asking"),
    (r"\bi (?:don't|dont|do not)\b", "the user does not"),
    (r"\bi (?:didn't|didnt|did not)\b", "the user did not"),
    (r"\bi (?:can't|cannot|can not)\b", "the user cannot"),
    (r"\bi (?:haven't|have not)\b", "the user has not"),
    (r"\b(?:i'm|i am)\b", "the user is"),
    (r"\bmyself\b", "themselves"),
    (r"\bi (?P<verb>was|would|could|should|did)n't\b", "the user {verb} not"),
    (r"\bi won't\b", "the user will not"),
    (r"\bi(?:'ll| will)\b", "the user will"),
    (
        (
            r"\bi'd (?=(?:(?:already|just|never|always|long) )?(?:(?!need|feed|seed|speed|embed|exceed|proceed"
            r"|succeed)\w+ed|been|grown|gone|done|seen|known|had|thought|forgotten|come|taken|made|gotten|lost|met"
            r"|said|told|written|built)\b)"
        ),
        "the user had ",
    ),
    (r"\bi(?:'d| would)\b", "the user would"),
    (r"\bi(?:'ve| have)\b", "the user has"),
    (
        (
            r"\bi (?P<adverb>(?:(?:really|always|never|also|just|only|usually|often|still|actually|strongly"
            r"|now|simply|sometimes|normally|truly|firmly|personally"
            r"|generally) )*)(?P<verb>(?!am\b|was\b|did\b|could\b|can\b|will\b|should\b|might\b|must\b"
            r"|(?!need|feed|seed|speed|embed|exceed|proceed|succeed)\w+ed\b)[a-z]+)\b"
        ),
        "the user {adverb}{third}",
    ),
    (r"\bi\b", "the user"),
    (r"\b(?:my)\b", "the user's"),
    (r"\bme\b", "the user"),
)
SPELLING: tuple[tuple[str, str], ...] = (
    (r"dont", "don't"),
    (r"doesnt", "doesn't"),
    (r"didnt", "didn't"),
    (r"isnt", "isn't"),
    (r"arent", "aren't"),
    (r"wasnt", "wasn't"),
    (r"werent", "weren't"),
    (r"hasnt", "hasn't"),
    (r"havent", "haven't"),
    (r"shouldnt", "shouldn't"),
    (r"wouldnt", "wouldn't"),
    (r"couldnt", "couldn't"),
    (r"mustnt", "mustn't"),
    (r"cant", "can't"),
    (r"wont", "won't"),
    (r"thats", "that's"),
    (r"theres", "there's"),
    (r"whats", "what's"),
    (r"youre", "you're"),
    (r"theyre", "they're"),
    (r"youve", "you've"),
    (r"weve", "we've"),
    (r"(?<![\w'])ive", "i've"),
    (r"im(?= \w)", "i'm"),
    (r"should(?:ve| of)(?= \w+e[dn]\b)", "should've"),
    (r"wanna", "want to"),
    (r"gonna", "going to"),
    (r"gotta", "have to"),
    (r"bc|cuz|coz|'cause", "because"),
    (r"(?<!root )(?<!the )(?<!a )cause(?= (?:the|it|we|they|i|you|that's|there|our|my|of)\b)", "because"),
    (r"id(?= (?:appreciate|like|love|prefer|rather|say|suggest)\b)", "i'd"),
    (
        (
            r"its(?= (?:an?|very|really|critical|important|better|ok|okay|fine|not|just|been|called|too|so|because|hard"
            r"|easy|slow|gitignored)\b)"
        ),
        "it's",
    ),
    (r"u", "you"),
    (r"ur", "your"),
    (r"w/o", "without"),
    (r"pls|plz", "please"),
)
"""English as it is typed in haste, and as it is spelt."""
