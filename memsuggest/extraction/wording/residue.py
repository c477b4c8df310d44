"""Residue: what people say around a rule and nobody needs later: "hey so um", "please?", "btw", "stp", "谢谢".

Owns tables of openings, endings, asides and fillers, in several languages, and their taking off. What is left may be
no sentence yet: `rephrase` makes it a rule.
"""

from __future__ import annotations

import re

from memsuggest.extraction.wording.preambles import without_preamble
from memsuggest.text.verbs import VERBS
from memsuggest.text.words import languages_of, plain

_NO = (
    r"(?:no+|no(?:no)+|nope|nah|nein|nein nein|nee|non|não|nao)(?:(?: no)*\s*[,.:;!\u2014]+|\s+-+\s|\s+(?=(?:we"
    r"|you|i|it|that's"
    r"|this|please"
    r"|don't|dont|wait"
    r"|do not|use|always|never|just|just the)\b))"
)
_GOES_ON = r"(?=\s*[,.:;!\u2014-]|\s+(?:so|and|but|also|now|then|please|thanks|next)\b|\s*\Z)"
"""What follows a word that is a call here, and may be about a thing elsewhere: "great, …", no "great tests are …"."""
_CALLS = (
    r"ok(?:ay)?|kk?(?=[,.])|yes|yeah|yep|yup|so|and|but|also|then|now|please|pls|plz|hey"
    r"|hi|hiya|heya|hello|@?(?:claude|copilot|cursor|codex)(?= (?:please|always|never|can|could|don't|you"
    r"|remember|use))|oh|ah+|hmm*|mm+|mhm+|uh+m?|umm+|um(?=,| (?:so|for|can|could|the|we|i|you|please|don't"
    r"|always|never"
    r"|use)\b)|erm+"
    r"|er+(?=,)|argh+|u+gh+|gosh|jeez|wow|thanks|thank you|thx|ngl|idk|tbf|gotcha|apparently|turns out(?: that)?"
    r"|it turns out(?: that)?|tl;?dr|actually|btw|by the way|absolutely|exactly(?! \w)|obviously|clearly(?=,)"
    r"|naturally(?=,)|certainly"
    r"|of course|definitely|mostly|indeed|well yes|if so|anyway|anyhow|besides(?=,)|meanwhile(?=,)|finally|lastly|again"
    r"|plus|hence|therefore|lol|lmao|haha+|sorry|just|basically|honestly|frankly|seriously|literally|essentially"
    r"|ideally(?=,)|tbh|imh?o|fwiw|afaik|iirc|fyi|(?:ps|p\.s\.|nb|n\.b\.|psa)(?=\s*[:,-])|dude|bro|man(?=,)|mate"
    r"|guys|folks"
    r"|(?:team|everyone|claude|copilot|cursor|codex)(?=,)|(?:careful(?: there)?|attention|beware|warning"
    r"|watch out|caution"
    r"|important)(?=[,:])|damn|dammit|damnit|ffs|jesus"
    r"|like(?=,| (?:um+|uh|always|never|don't|please|maybe|just)\b| (?:i|we) (?:want|need|would|don't|prefer|use)\b)"
    rf"|(?:great|cool|good|perfect|nice|awesome|excellent|super|fine|wrong|incorrect|false|sure|right|alright"
    rf"|well|prima|gut|bon"
    rf"|vale){_GOES_ON}"
    r"|merk dir(?: bitte)?(?=[:,])|nochmal|noch ?einmal|(?:leute|galera|pessoal|gente|chicos|equipo"
    r"|les gars)(?=,)|nur zur info|zur info"
    r"|nur so nebenbei|bitte|und|aber|ja|dann|ähm|äh|öhm|naja|na ja|tja|ach|ach ja|ach so"
    r"|achso|übrigens|noch was|hallo|moin"
    r"|genau|danke"
    r"|por favor|porfa|y|te (?:pido|ruego) que|que sepas que|solo para que sepas|para que sepas|recuerda que"
    r"|acuérdate de(?: que)?"
    r"|recuerda(?= \w+[aei]r\b)|ten en cuenta que|pero|además|oye|hola|bueno|perfecto|gracias|por cierto"
    r"|e|só (?:pra|para) (?:avisar|lembrar|constar)(?: que)?|lembra(?:ndo)? que"
    r"|lembre(?:-se)?(?: de)?(?: que)?(?! \w+ndo)|além disso|também|mas|sim|então|tá|ei|oi|olá|aliás|beleza|blz"
    r"|obrigad[oa]|ótimo|certo(?=,)"
    r"|n'oublie(?:z)? pas (?:que|de)|n'oublie(?:z)? pas d(?=')|pour info|rappelle-toi que|sí|oui|et|mais|alors"
    r"|bah|ben|du coup|au fait|merci|bonjour|salut"
    r"|d'accord|ah oui|stp|svp"
    r"|s'il (?:te|vous) pla[iî]t"
)
_FRAMES = (
    r"one (?:more |last |other )?(?:thing|change|rule|note|point|more)(?=\s*[,.:;!\u2014-])|change of plans?"
    r"|(?:a )?(?:quick|small|friendly|little|gentle) (?:update|change|note|reminder|thing(?=[:,])"
    r"|one(?=[:,]))(?: that)?"
    r"|(?:first|second|third|fourth)(?:ly)?(?: of all)?(?=,| please | (?:always|never|don't|stop) )|additionally"
    r"|furthermore|moreover"
    r"|on top of that|while (?:we|you|i)(?:'re|'m| are| am) at it"
    r"|number \w+(?=[:,])|for (?:one|another|starters|a start)(?=,)|(?:one|two|three|four|next)(?=,)|here goes"
    r"|(?:one )?(?:last|final|other|small|quick) thing(?=[,:])|before i forget|i (?:nearly|almost) forgot|and then(?=,)"
    r"|wait(?=\s*(?:[,.:;!\u2026-]|no\b|actually\b))|in addition|i mean|you know|to be (?:clear|honest|fair|precise)"
    r"|as i said|like i said|as i mentioned|as (?:i )?(?:already )?(?:said|mentioned)(?: before| earlier)?(?=,)"
    r"|i repeat|once again|look(?=[,:])|listen(?=[,:])|(?:just )?do it(?: yourself)?(?=[,.;:-])|generally speaking"
    r"|(?:just )?(?:a )?heads[ -]up|side ?note|on a side note|rule of thumb(?=[:,])|(?:general|house|simple"
    r"|golden|basic"
    r"|new|important|quick|our|team|another) rule(?=:)|(?:general|important|quick)(?: rule| note)?(?=:)"
    r"|reminder(?=[:,])"
    r"|for (?:the record|(?:your )?(?:future )?reference|next time|your information)(?=[,:])"
    r"|i want it (?:noted|known) that|(?:i(?:'d| would)? (?:say|suggest|propose|recommend|argue|vote"
    r"|insist))(?: that)?(?= (?:we|you|the|all|every|each)\b)"
    r"|it (?:should )?go(?:es)? without saying(?: that)?(?:,? but)?|(?:we|our team) (?:have|has|'ve got"
    r"|got) (?:this|a|the|one|an) (?:\w+ )?(?:rule|policy|convention|agreement)(?: here)?(?: that|:)|(?:there's"
    r"|there is|it's|it is) (?:a|an|the|our|one) (?:\w+ )?(?:rule|policy|convention|agreement)(?: (?:here|(?:in"
    r"|of|for) (?:our|this|the|my) \w+))?(?: that|(?=:))|you(?:'ll| will) (?:see|notice|find)(?: that)?|(?:for|re"
    r"|on|to|about) #?\d{1,2}(?=:)|(?:as|like) (?:always|usual|ever|before|discussed|agreed)(?=,)|as a (?:quick "
    r"|small |friendly )?(?:reminder|note)|(?:op[cç][aã]o|option|opci[oó]n|variante|alternativa) (?:\d"
    r"|[a-d])(?=[\s,.:;-]+(?-i:[A-Z]))|rule (?:#|no\.? ?|number )\d{1,2}(?=:)|golden rule(?=[,:])|my (?:bad|fault"
    r"|mistake)(?=[,.!:])|how (?:often|many times) (?:do|must|should) i (?:have to |need to )?(?:say|tell"
    r"|repeat)(?: it| you| this| that)*(?=[,:])|(?:trust|believe) me(?: on (?:this|that))?(?=[,:])"
    r"|from my side(?=[,:])|you (?:might want to|may want to|should|need to|have to|must) know(?: that)?(?= (?:we"
    r"|the|our|that|all)\b)|(?:like|as) i (?:already )?(?:told|said|mentioned"
    r"|explained)(?: to)?(?: you)?(?: (?:yesterday|last \w+|before|earlier|already|many times))?(?=[, ])"
    r"|just so (?:you|we|that you) (?:know|'re aware|are aware)"
    r"|so (?:that )?you know(?=[,:])"
    r"|for the love of (?:all (?:that|which) is \w+|\w+)|long story short|the (?:thing|point|reason i(?:'m"
    r"| am)? ask(?:ing)?|reason) is(?: that)?(?=[, ])|(?:i guess )?what i(?:'m| am)? (?:mean|say|saying"
    r"|trying to say|getting at) is(?: that)?|you (?:did|do) (?:it|that|this)(?: again)?(?=[,.:;!-])|(?:update"
    r"|save(?: this)? (?:to|in)|add(?: this)? to) (?:your |the )?memory(?: with(?: this)?| that)?(?=[: ])"
    r"|for (?:god|heaven|christ|fuck|pete)'?s sake|(?:oh )?my god|thank god"
    r"|(?:and )?(?:oh )?(?:i )?(?:totally )?for?got to (?:say|mention|add|tell you)(?: that| this)?(?=[,: ])"
    r"|(?:the )?\w+ time (?:that )?i(?:'m| am)? (?:say|saying|tell|telling|ask|asking)(?: you)?(?: this| that"
    r"| it)?(?=[,:])"
    r"|i(?:'m| am) (?:telling|asking) you(?: again| this)?(?=[,:])|as you (?:can |may |might |probably |already )*"
    r"(?:see|know|noticed|remember)(?: (?:in|from|on) [^,;:]{1,40})?(?=,)"
    r"|if i(?:'m| am) not mistaken|if i (?:remember|recall)(?: it)?(?: correctly| right)?"
    r"|in case (?:you(?:'re| are) wondering|you (?:missed|forgot|didn't know)(?: it| that)?|it(?:'s| is|'?s not"
    r"| is not)"
    r"(?: not)? (?:clear|obvious)|it (?:isn't|wasn't) (?:clear|obvious))"
    r"|sorry if [^,;:.]{3,60}(?=[:,])|if (?:that|this|it) (?:wasn't|isn't) (?:clear|obvious)(?: enough| yet"
    r"| already)?(?=[:,])"
    r"|(?:i'm )?not sure (?:if|whether) (?:i|you|we) [^,;:.]{3,60}, ?but|i know (?:it|this|that)(?:'s| is| sounds"
    r"| seems)"
    r" [^,;:.]{3,40},? but|i don't know (?:if|whether) i [^,;:.]{3,60}, ?but|no offen[cs]e,? but"
    r"|i hate to say (?:it|this),? but"
    r"|(?:that's|that is|this is|it's|it is|that was)(?: also| just| still| all)? (?:wrong|not right|incorrect"
    r"|not correct"
    r"|not it|not true|false|right|correct|fine|ok|okay|better|good|great|perfect|nice|awesome"
    r"|not what i (?:asked|wanted"
    r"|meant)(?: for)?)(?=[,.!:;])|not like (?:that|this)(?=[,.!:;])|not quite(?=[,.!:;])"
    r"|(?:great|good|nice|excellent) (?:job|work|catch|stuff|one|point|idea|question)(?=[,.!:;])|(?:love"
    r"|like) it(?=[,.!:;])"
    r"|looks (?:good|great)(?: to me)?(?=[,.!:;])|lgtm|makes sense|got it|fair (?:enough|point)|no worries|no problem"
    r"|thanks (?:a lot|so much|again|for (?:that|this))(?=[,.!:;])"
)
_ANNOUNCED_I = (
    r"i(?:'ve| have)? (?:(?:already|just|clearly|explicitly|specifically|literally|keep) ){0,3}(?:told|asked|said"
    r"|telling"
    r"|saying|asking|tell|repeat)(?: you)?"
    r"(?: (?:\w+|so many|a \w+) times)?(?: before|\s+already| yesterday| earlier| last (?:time|week|month)"
    r"| this morning| twice| (?:so )?many times"
    r"| a (?:hundred|thousand|million) times| again)?(?: that| to| this:?|(?=[:,]))?"
    r"|(?:please )?(?:note|remember|keep in mind|bear in mind|be aware|don't forget|remember (?:for later"
    r"|for next time|please))(?: that|:|,)|(?:please )?(?:keep|bear) in mind(?= (?:we|the|you|our|it|there|i)\b)"
    r"|i (?:think|guess|believe|feel like|suppose|assume)(?: that)?(?= (?:we|you|it|the|all|every|each|our|it's)\b)"
)
_OPENING = re.compile(
    rf"^(?:(?:{_NO}|(?:{_FRAMES}|{_ANNOUNCED_I}|{_CALLS})(?![\w'-]))[\s,.:!;\u2026\u2014-]*)+", re.IGNORECASE
)
_DENSE_OPENING = re.compile(
    r"^(?:(?:すみません|覚えておいて(?:ください)?|念のため|すいません|ごめん|あと|あー|えっと|えーと|ええと|あの|では|じゃあ|じゃ|はい"
    r"|ありがとう(?:ございます)?|お願いします|なるほど|了解(?:です)?|そういえば"
    r"|对了|记住|记得|注意|提醒一下|另外|还有|嗯|那个|好的?|谢谢|麻烦你?|拜托|哦|啊|不好意思|顺便(?:说一下)?|行|可以)[、，,。：:!！\s]+"
    r"|(?:ちなみに|それと|それから|ところで)[、，]?|(?:请|麻烦你?)(?=[\u4e00-\u9fff]{2}))+"
)
_DENSE_TAIL = re.compile(
    r"[、，,。\s]*(?:よろしく(?:お願いします)?|お願い(?:します|いたします|ね)|ありがとう(?:ございます)?|谢谢(?:你|啦|了)?|多谢|谢啦|拜托(?:了)?|[哈哦呀啦])"
    r"[。！!.\s]*$"
)
_KEEPS_ITS_TAIL = re.compile(r"(?:[でをにと]|ず|ように)\s*\Z")
"""Before "お願いします", what would be no sentence without it: "日本語でお願いします"."""
_TAIL = re.compile(
    r"(?<![\s,(-])[\s,(-]++(?:(?:could|would|will|can) you|(?:pretty )?please|pls|plz|thanks(?: a lot| so much"
    r"| in advance)?"
    r"|thank you(?: so much| very much)?|thx|ty|tysm|cheers|(?:ok(?:ay)?|right|alright|yeah|cool|deal|understood"
    r"|no|eh|got me"
    r"|vale|de acuerdo|d'accord|hein|oder|ja|gell|ne|blz|beleza|tá|né)\?"
    r"|(?<=,\s)(?:ok(?:ay)?|right|alright|yeah|cool|period|full stop|man|mate|dude|bro|sorry|vale|hein|gell|né|tá"
    r"|huh|hey|like"
    r"|end of story|no exceptions? please)|vale|kk|though|tho|then|hm+"
    r"|lol|lmao|haha+|too|again|btw|tbh|fyi|imh?o|fwiw|ffs|smh|xd|in (?:the )?future|next time|keep doing (?:that"
    r"|this|it)|like,? (?:ever|always|seriously)"
    r"|or something(?: like that)?|or whatever|and (?:stuff|whatnot)|(?:if )?(?:you|u) know(?: what i mean)?"
    r"|i guess|i think"
    r"|much appreciated|(?:i )?appreciate it|if you (?:don't mind|can|could|please|would)"
    r"|from now on|going forward|from here on|ab jetzt|à partir de maintenant|a partir de a(?:hora|gora)"
    r"|de ahora en adelante|keep (?:that|this|it) in mind|keep in mind|(?:please )?remember (?:that|this)"
    r"|don't forget(?: that| it| this)?"
    r"|got it\??|please and thank you|if possible|hey|huh"
    r"|bitte(?: schön)?|danke(?: dir| schön)?|vielen dank|por favor|porfa|(?:muchas )?gracias"
    r"|merci(?: beaucoup| d'avance)?|stp|svp|s'il (?:te|vous) pla[iî]t|(?:muito )?obrigad[oa]|valeu|vlw)[\s!.?)]*$",
    re.IGNORECASE,
)
_HEADED = re.compile(
    r"^(?:(?:so|and|ok|okay|here|here's|there's|there|a|an|the|my|our|one|another|this|is|now|just|only|small"
    r"|tiny|little|quick|simple"
    r"|important|eine?|kleine[rs]?|noch|une?|petite?|autre|una?|pequeña|otra|uma|pequena|outra) ){0,5}(?:deal|rule"
    r"|note|ask|request|wish|detail"
    r"|tip|hint|info|catch|requirement|reminder|decision|verdict|conclusion|outcome|wichtig|hinweis|achtung|regel"
    r"|merke|ojo|atención|nota|regla|aviso"
    r"|importante|règle"
    r"|attention|rappel|remarque|lembrete|regra|dica|atenção)(?: (?:here|today|for (?:you|today|now"
    r"|us)))?\s?: (?=\S+ \S+)",
    re.IGNORECASE,
)
"""A word or two that announce what comes: "so here's the deal:", "petite règle :"."""
_ANNOUNCED = re.compile(
    r"^(?:[^\s:]+ ){0,9}(?:things?|rules?|points?|notes?|update|changes?|news|wish|outcome|result|answer|request"
    r"|reminder|plan|convention|detail|decision|this|today|us|names|one|way|side|forgot|forget|goes"
    r"|for you):\s+(?=\S+ \S+ \S)"
    r"|^(?:and |so |but )?(?:one|another|the|a|my)(?: [\w-]+)? (?:thing|point|rule|wish|request) (?:(?!don't|not"
    r"|never|hate"
    r"|dislike|can't)[\w']+ ){0,9}?(?:is|was)(?: that| this:| to|:) (?!it\b|they\b|this\b|that\b)(?=\S+ \S+ \S)",
    re.IGNORECASE,
)
"""What only says that something is going to be said: "one more thing for today:"."""
_ASIDE = re.compile(
    r",? ?\((?:i know|sorry|i think|btw|as you know|obviously|please|lol|if possible)\)"
    r"|, (?:i know(?:, i know)?|you know|to be honest|honestly|frankly|as you know|by the way|btw|if you ask me"
    r"|believe me|trust me|sorry|hooray|haha|lol|theoretically|of course|fwiw|imh?o|tbh|afaik|please|like|i mean"
    r"|obviously|basically|literally|i guess|i think|ok|okay|i repeat|like i said|as i said"
    r"|übrigens|por favor|s'il (?:te|vous) pla[iî]t|stp|svp)(?=[,.!]|$)",
    re.IGNORECASE,
)
"""What is said beside a rule and to nobody's use."""
_VERB = "|".join(sorted(VERBS, key=len, reverse=True))
_FILLERS = (
    (re.compile(r"(?<![\w'-])(?:u+h+m*|u+m+|e+r+m+|h+m+)(?![\w'-]),?\s*", re.IGNORECASE), ""),
    (re.compile(r"(?<=\b(?:so|to|or) )(?:please|pls|plz) (?=\w)", re.IGNORECASE), ""),
    (re.compile(r"(?<=\b(?:and|you|but) )(?:please|pls|plz) (?=\w)", re.IGNORECASE), ""),
    (re.compile(r"(?<=\w) (?:please|pls|plz)(?=,)", re.IGNORECASE), ""),
    (re.compile(r"\bkindly (?=\w)", re.IGNORECASE), ""),
    (re.compile(r"(?:(?<=\bthen )|(?<=, ))(?:please|pls|plz) (?=\w)", re.IGNORECASE), ""),
    (re.compile(rf"(?<=[\w`)] )(?:please|pls|plz) (?=(?:always|never|don't|do not|also|only|just|{_VERB})\b)"), ""),
    (re.compile(r"(?:(?<=\bi )|(?<=\bwe ))(?:kinda|sorta|kind of|sort of|just kinda) (?=\w)", re.IGNORECASE), ""),
    (re.compile(r"(?:(?<=\bwe )|(?<=\bis ))like,? (?=(?:always|never|really|totally)\b)", re.IGNORECASE), ""),
    (
        re.compile(
            r"\b(never|always|very|really|please|the|a|an|to|and|of|in|is|it|for|we|i|you|no|not|be|on|with)"
            r"(?:,? \1)+\b",
            re.IGNORECASE,
        ),
        r"\1",
    ),
    (re.compile(r"\b(never),? ever\b(?= \w)", re.IGNORECASE), r"\1"),
)
"""What speech and haste leave in the middle of an English sentence, and what takes its place."""
_POLITE = (
    ("de", re.compile(r"(?<=[\wäöüß,] )(?:bitte|übrigens) (?=\w)")),
    ("fr", re.compile(r"(?<=[^\W\d_] )(?:stp|svp|s'il (?:te|vous) pla[iî]t) (?=\w)", re.IGNORECASE)),
    ("es", re.compile(r"(?<=[^\W\d_] )por favor,? (?=\w)", re.IGNORECASE)),
    ("pt", re.compile(r"(?<=[^\W\d_] )por favor,? (?=\w)", re.IGNORECASE)),
)
_PICTURES = r"(?:[\U0001f000-\U0001faff\u2600-\u27bf]\ufe0f?\s*|[:;]-?[)(DP]+(?=\s|\Z)\s*)+"
_FIRST_PICTURES = re.compile(rf"^{_PICTURES}")
_LAST_PICTURES = re.compile(rf"\s*{_PICTURES}$")
_ABOUT_PICTURES = re.compile(r"\b(?:with|like|or|and|use|no|as|than|the|a|an|by|to|of|avoid)\Z", re.IGNORECASE)
"""Before pictures that a sentence is about: "no 🚀"."""
_LONGEST = 1000  # characters; what is longer is no sentence
_WRAPPED = re.compile(r"^\((?P<inner>[^()]+)\)[.!?]*$")
_NUMBER = re.compile(r"^\(?(?:\d{1,2}|[a-h])[.)]\s+(?=\w)")
_EDGE = " \t,;:\u2013\u2014\u2026"
_DASHES = re.compile(r"^-+(?=\s)|(?<=\s)-+$")
"""Dashes that are no part of a flag."""


def without_residue(text: str) -> str:
    """Take off what only opens or closes a sentence: "ok so", "please", "thanks"."""
    if len(text) > _LONGEST:
        return text
    line = _NUMBER.sub("", _edged(_ASIDE.sub("", _WRAPPED.sub(r"\g<inner>", text))))
    for _ in range(4):
        shorter = _edged(_OPENING.sub("", _ANNOUNCED.sub("", _HEADED.sub("", _TAIL.sub("", line)))))
        shorter = without_preamble(_DENSE_OPENING.sub("", _without_dense_tail(shorter)))
        if shorter == line:
            break
        line = shorter
    return line


def _edged(line: str) -> str:
    """Without what marks its edges: commas, colons, dashes that are no part of a flag."""
    return _DASHES.sub("", line.strip(_EDGE)).strip(_EDGE)


def without_opening(text: str) -> str:
    """Take off what only opens a sentence."""
    return _OPENING.sub("", text)


def without_fillers(text: str) -> str:
    """Take out what speech and haste leave in a sentence: "uh", "please" in its middle, "the the", pictures around."""
    line = _FIRST_PICTURES.sub("", text)
    last = _LAST_PICTURES.search(line)
    if last and not _ABOUT_PICTURES.search(line[: last.start()]):
        line = line[: last.start()]
    language = languages_of(plain(line))[0]
    if language == "en":
        for pattern, instead in _FILLERS:
            line = pattern.sub(instead, line)
    for spoken, pattern in _POLITE:
        if spoken == language:
            line = pattern.sub("", line)
    return line


def _without_dense_tail(line: str) -> str:
    """Without the thanks at its end, unless they hold the sentence together."""
    found = _DENSE_TAIL.search(line)
    return line if not found or _KEEPS_ITS_TAIL.search(line[: found.start()]) else line[: found.start()]
