"""Wishes: how people wrap a rule in what they would like, what was agreed, and what should have been done.

A table as in `turns`, which tries it first: patterns and what takes their place.
"""

from __future__ import annotations

from memsuggest.extraction.wording.wishes_abroad import ABROAD

_PAST = (
    r"(?:\w+ed|had|were|was|could|wrote|made|put|kept|ran|gave|took|left|chose|sent|built|told|went|did|got|came|began)"
)
_LIKED = (
    r"(?:be (?:happier|happy|glad|grateful|thankful)|like|love|prefer|appreciate|nice|good|great|awesome|cool"
    r"|better|best|ideal|helpful|lovely|wonderful|fantastic)"
)
_WOULD = r"(?:i'd|i would|we'd|we would|it'd be|it would be|would be)"
_OF_WHOM = (
    r"(?:the|our|my|their|a)(?: (?:team|company|house|usual|general|agreed|existing|standing|basic|only))?(?:'s)?"
)
_NORM = (
    r"(?:rule|polic(?:y|ies)|convention|standard|agreement|guideline|practice|approach|preference|deal|consensus|plan)"
)
_SO_FAR = (
    r"(?:(?:'ve|'re| have| are| has| is| all| just| already| now| currently| slowly| finally| recently| also) ?){0,3}"
)
WISHES: tuple[tuple[str, str], ...] = (
    *ABROAD,
    (r"^why (?:not|don't (?:you|we))(?: just| simply)? (?=(?:{verbs})\b)", ""),
    (r"^to (?=(?:always|never)\b)", ""),
    (r"^(?:i'm|i am|we're|we are) (?:wanting|asking|needing|expecting|hoping|begging)(?: for)? (?:you )?to ", ""),
    (
        (
            r"^(?:it|what) (?:really )?(?:bothers|annoys|bugs|irritates|disturbs) (?:me|us)(?: is)? (?:when|if|that"
            r"|how) (?:you|we) (?:(?:always|keep) )?(?=\w)(?!\w+ing\b)"
        ),
        "Do not ",
    ),
    (r"^don't you (?:ever )?dare (?:to )?", "Do not "),
    (
        (
            r"^(?:never (?:in a million years|under any circumstances?)|under no circumstances?"
            r"|on no account)(?: (?:should|must|may) (?:you|we))? "
        ),
        "Never ",
    ),
    (
        (
            r"^(?:the )?(?:first|main|only|most important|number one|golden|basic) (?:rule|point|thing)(?: here"
            r"| in this \w+| for (?:me|us))? is(?: that| to)?[:,]? "
        ),
        "",
    ),
    (
        (
            r"^(?:the|our) (?:agreement|deal|understanding|arrangement) (?:with|among|between"
            r"|in) [^,:;]{2,30}? is(?: that)? "
        ),
        "",
    ),
    (
        (
            r"^(?:it'?s|it is) (?:very |really |super |also )?(?:important|critical|crucial|essential|vital)(?: for"
            r"| to) (?:us|me|the team)(?: that| to) "
        ),
        "",
    ),
    (
        (
            r"^(?:i'm|i am) (?:confused|puzzled|surprised|worried|concerned|annoyed)(?: (?:because|that|why|about"
            r"|by))? (?=\w+ \w+ \w)"
        ),
        "",
    ),
    (r"^(?:the )?next time(?: that)? (?P<who>you|we|i|something|somebody|someone|anything) ", "When {who} "),
    (r"^make (?:it )?a (?:habit|rule|point|principle) (?:to|that)(?: you| we)? (?=\w)", ""),
    (r"^agree (?:to|that|on)(?: we| you)? (?=\w)", ""),
    (r"^(?:i|we)(?:'d| would) only (?=(?:{verbs})\b)", "Only "),
    (r"^make it so (?:that )?", ""),
    (r"^that's (?:exactly )?how (?:i|we) (?:want|like|do|need) (?=\w[^:]{1,40}:)", ""),
    (r"^(?:i|we) (?:(?:really|also|much) ){0,2}like (?P<what>[^,.]{2,60}?) (?:better|best)[.!]?$", "Prefer {what}"),
    (
        (
            r"^(?:i|we) (?:(?:really|also|much) ){0,2}like (?P<what>[^,.]{2,60}?) (?:better"
            r"|more) than (?=\w)"
        ),
        "Prefer {what} to ",
    ),
    (
        (
            r"^(?:i|we) (?:(?:really|absolutely) )?(?:hate|dislike|don't like)(?: it)? (?:when|if|that|how) (?:you"
            r"|we) (?:(?:always|keep) )?(?=\w)(?!\w+ing\b)"
        ),
        "Do not ",
    ),
    (
        (
            r"^(?:i|we) (?:(?:really|absolutely) )?(?:love|like|appreciate)(?: it)? (?:when|if|how"
            r"|that) you (?P<adverb>(?:always |also )?)(?=\w)"
        ),
        "{adverb}",
    ),
    (
        (
            r"^(?:i|we) (?:(?:really|also|always|only) ){0,2}(?:want|need|expect|like) (?P<what>(?:every|each|all|any"
            r"|the|our|your) [^,.]{2,50}?) to (?=\w)"
        ),
        "{what} should ",
    ),
    (
        (
            rf"^it(?:'d|'s| would) help (?:me |us )?(?:a lot |so much )?if (?:you"
            rf"|we) (?P<gerund>(?!could\b){_PAST})\b"
        ),
        "{base}",
    ),
    (
        (
            r"^i want (?:this|the|that) (?:[\w-]+ )?(?:rule|file|doc|guide|skill|agent) to (?:direct|tell|instruct|ask"
            r"|require|force|make|get)"
            r" (?P<who>(?!it\b|them\b|me\b)(?:[\w-]+ ){0,2}[\w-]+) to "
        ),
        "{who} should ",
    ),
    (r"^the (?=(?:ensure|make sure|always|never|don't)\b)", ""),
    (
        (
            r"^(?:please )?(?:make|be) (?:absolutely |very )?(?:sure|certain) to (?P<adverb>(?:first|always|never|only"
            r"|also)) "
        ),
        "{adverb} ",
    ),
    (r"^(?P<lead>(?:i|we)(?:'d| would)? [^,.]{0,30}?(?:you|us)) to not ", "{lead} not to "),
    (r"^(?:(?:can|could|would|will) (?:you|we) (?:please )?not|not(?: to)?) (?=(?:{verbs})\b)", "Do not "),
    (r"^(?:can't|couldn't|cannot|why don't|why can't) (?:you|we) (?:just |please |simply )?", ""),
    (
        (
            r"^(?:make|be) (?:absolutely |very )?(?:sure|certain)(?: that)? (?:you|we) (?P<adverb>(?:always|never|only"
            r"|also)) "
        ),
        "{adverb} ",
    ),
    (
        (
            r"^(?:i|we) (?:(?:really|only|always|also) ){0,2}want (?P<what>(?:(?:the|all|our|your|my|any"
            r"|these) )?(?!to\b|you\b|it\b|this\b|that\b)[\w-]+(?: [\w-]+){0,2}?) (?P<past>(?!need|speed|feed)\w{2,}ed"
            r"|gone|kept|done|written|split)\b"
        ),
        "{what} should be {past}",
    ),
    (r"^you [^,;:]{3,60} again[,;:!.-]+ (?=\S+ \S+ \S)", ""),
    (
        (
            r"^what (?:i|we)(?:'d| would)? (?:(?:really|actually|also|always) ){0,2}(?:want|need|like|love|prefer"
            r"|expect)"
            r" is (?:for )?(?P<what>(?!you\b)(?:[\w'-]+ ){0,3}[\w'-]+) to (?=\w)"
        ),
        "{what} should ",
    ),
    (
        (
            r"^what (?:i|we)(?:'d| would)? (?:(?:really|actually|also|always) ){0,2}(?:want|need|like|love|prefer"
            r"|expect)"
            r" is (?:for you to |that you |you to |you )?"
        ),
        "",
    ),
    (
        (
            rf"^{_WOULD} (?:(?:really|also|much) ){{0,2}}(?:rather|prefer (?:it )?(?:if|that|when)"
            rf"|{_LIKED}(?: it)? (?:if|when)) (?:you|we)"
            r" (?:didn't|did not|don't|do not|wouldn't|never) (?:ever )?"
        ),
        "Do not ",
    ),
    (
        (
            rf"^{_WOULD} (?:(?:really|also|much) ){{0,2}}(?:rather|prefer (?:it )?(?:if|that|when)"
            rf"|{_LIKED}(?: it)? (?:if|when)) (?:you|we)"
            rf" (?P<adverb>(?:(?:always|only|also) ){{0,2}})(?P<gerund>(?!could\b){_PAST})\b"
        ),
        "{adverb}{base}",
    ),
    (
        (
            rf"^{_WOULD} (?:(?:really|also|much) ){{0,2}}{_LIKED}(?: it)? (?:if|when) (?P<what>(?!you\b"
            rf"|we\b)(?:[\w'/-]+ ){{0,4}}?[\w'/-]+)"
            rf" (?P<adverb>(?:(?:always|only|also) ){{0,2}})(?P<gerund>{_PAST})\b"
        ),
        "{what} should {adverb}{base}",
    ),
    (
        (
            r"^(?:i|we) (?:never|(?:really )?(?:don't|do not|dont) ever|(?:really )?(?:don't|do not|dont)) (?:ever )?"
            r"(?:want|wanna|need|like|care)(?: to)? (?:ever )?see (?:(?:any|another|more|a single) )?"
        ),
        "Avoid ",
    ),
    (
        (
            r"^(?:i'm|i am|we're|we are|im) (?:(?:really|so|definitely) )?not (?:(?:a|really|really a) )?(?:(?:big"
            r"|huge|great|massive) )?"
            r"fans? of "
        ),
        "Avoid ",
    ),
    (
        (
            rf"^(?:we|the team|our team|everyone|everybody|they){_SO_FAR} ?(?:decided|agreed|chose"
            rf"|opted)(?: to)? (?:go(?:ing)? with|use|using|"
            r"adopt) "
        ),
        "Use ",
    ),
    (rf"^(?:we|the team|our team|everyone|everybody){_SO_FAR} ?(?:decided|agreed) (?:to )?not to ", "Do not "),
    (rf"^(?:we|the team|our team|everyone|everybody){_SO_FAR} ?decided against (?:using )?", "Do not use "),
    (
        (
            rf"^(?:we|the team|our team|everyone|everybody){_SO_FAR} ?(?:decided|agreed"
            rf"|settled) on (?:using )?(?=\w)(?!it\b|that\b|this\b)"
        ),
        "Use ",
    ),
    (
        (
            rf"^(?:we|the team|our team|everyone|everybody){_SO_FAR} ?(?:decided|agreed)(?: to| that)(?: we(?:'ll"
            rf"| will)?)? (?=\w)"
        ),
        "",
    ),
    (r"^(?:let's|lets|let us) (?:agree|settle|decide) on (?:using )?(?=\w)", "Use "),
    (r"^(?:let's|lets|let us) (?:agree|say|decide|assume)(?: that)? (?:we(?:'ll| will)? )?(?=\w+ \w+ \w)", ""),
    (r"^(?:let's|lets|let us) (?:please )?(?:not|never|don't) (?:ever )?", "Do not "),
    (
        (
            rf"^we{_SO_FAR} ?(?:moving|moved|move|switching|switched|migrating|migrated|changing|changed|going"
            rf"|went)(?: away| over)? from"
            r" (?P<old>[\w`@./-]{1,40}(?: [\w`-]{1,20})?) (?:over )?to (?P<new>[\w`@./-]{1,40}(?: (?!last|now"
            r"|recently|yesterday|this|in|for"
            r"|a|some|because|so|as|since)[\w`-]{1,20})?)(?: (?:last (?:week|month|year|sprint)|now|recently"
            r"|yesterday|a while ago|some time"
            r" ago))?(?=[.!,;]|$)"
        ),
        "Use {new} instead of {old}",
    ),
    (
        (
            rf"^{_OF_WHOM} {_NORM}(?: here| in (?:this|our) (?:repo|project|codebase)| now| is now)?(?: is"
            rf"|:) (?=[\w`./-]+(?: [\w`./-]+){{0,2}}"
            r" (?:for|over|everywhere)\b)(?!that |to |we |no |never |always |not |don't )"
        ),
        "Use ",
    ),
    (rf"^{_OF_WHOM} {_NORM}(?: here| in (?:this|our) (?:repo|project|codebase)| now)? is(?: now| that| to|:)+ ", ""),
    (
        (
            r"^(?:i|we|you) should(?:'ve| have|a) (?P<adverb>(?:(?:always|also|just|only) ){0,2})(?P<gerund>\w+ed"
            r"|\w+en|put|made|kept|run|done|told"
            r"|left|sent|built|read|set|got|gone|used)\b"
        ),
        "{adverb}{base}",
    ),
    (
        (
            r"^(?:i|we|you) (?:should(?:n't| not) have|weren't supposed to have"
            r"|were not supposed to have) (?P<gerund>\w+ed|\w+en|put|made|kept"
            r"|run|done|told|left|sent|built|read|set|got|gone|used)\b"
        ),
        "Do not {base}",
    ),
    (r"^you (?:weren't|were not|aren't|are not|'re not) (?:supposed|meant|allowed) to (?:ever )?", "Do not "),
    (r"^you (?:were|are|'re) (?:supposed|meant) to ", ""),
    (
        (
            r"^(?P<what>(?:for|in|on|when|whenever|before|after|if|from now on) [^,?]{3,60}?),? (?:can|could|would"
            r"|will) (?:you|we) (?:please )?"
            r"(?=(?:always|never|also|only|{verbs})\b)"
        ),
        "{what}, ",
    ),
    (
        (
            r"^when(?:ever)? (?:i|we) say [\"']?(?P<name>[^,\"']{1,40}?)[\"']?,? (?:i|we|it|that|this) (?:really "
            r"|actually )?means? "
        ),
        '"{name}" means ',
    ),
    (
        r"^stop (?P<gerund>\w+ing)(?P<what>[^,.;]{0,60}?),? and (?P<second>(?:(?:just|always|instead) )?(?:{verbs})\b)",
        "Do not {base}{what}; {second}",
    ),
)
