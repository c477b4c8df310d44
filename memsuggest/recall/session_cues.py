"""Words by which a sentence of a session is told to be a decision, an open end, a verdict or a report."""

from __future__ import annotations

import re

_FLAGS = re.IGNORECASE | re.VERBOSE

DECISION = re.compile(
    r"""
    \b(?:
        # English
        let'?s[ ](?:use|keep|stick|drop|leave|not)\b | (?:we|i)(?:'ll|[ ]will)[ ](?:go|use|keep|take|stick)
      | (?:go|going|went)[ ](?:with|for)(?![ ](?:it|that|this)\b) | (?:we|i)[ ](?:have[ ])?(?:decided|chose|agreed)
      | (?:use|take|keep)[ ]\S+[ ]instead
      | instead[ ]of | option[ ](?:\d|[a-d])\b
        # German
      | (?:wir|ich)[ ](?:nehmen|nehme|bleiben|bleibe|verwenden|verwende)\b | entschieden | lass[ ]uns | anstatt | statt
        # French
      | on[ ](?:garde|prend|utilise|part[ ]sur) | plutôt[ ]que | au[ ]lieu[ ]de
        # Spanish
      | vamos[ ]con | mejor[ ]usa\w* | en[ ](?:vez|lugar)[ ]de
    )
    """,
    _FLAGS,
)

REASON = re.compile(
    r"""
    \b(?:
        because | cause | since | otherwise | so[ ]that | that'?s[ ]why | due[ ]to | (?:is|are)(?:[ ]not|n'?t)[ ]ready
      | weil | denn | damit | sonst | deshalb | deswegen | wegen | parce[ ]que | sinon | porque | si[ ]no
    )\b | ,[ ]so[ ] | (?<!\w)(?:its|it's|that'?s)[ ]
    """,
    _FLAGS,
)
"""How somebody says why."""

PUT_RIGHT = re.compile(
    r"""
    \W*(?:no+ | nope | nah | wrong | actually | not[ ](?:that|there|so) | nein | falsch | non)\b
    | ,?[ ](?:and[ ])?not[ ]
    | \b(?:instead | rather[ ]than | go[ ]back | (?:were|was|are)[ ]wrong | nicht | sondern | pas)\b
    | \b(?:don'?t | do[ ]not | never | must[ ]not | nie | niemals | kein\w* | jamais | nunca)\b
    """,
    _FLAGS,
)
"""How somebody puts something right, or rules it out."""

LAID_DOWN = re.compile(
    r"""
    \b(?:we|wir)\b
    | \b(?:is|are|was|were|needs?|has[ ]to|have[ ]to|must|belongs?|stays?|wants?|comes?|lives?|takes?|costs?|means?
        |gives?[ ]up|blocks?|asks?|ask
        |ist|sind|war|braucht|muss|müssen|gehört|gehören|bleibt|bleiben|kommt|liegt|heißt|gilt|will|wollen
        |est|sont|doit|es|son|debe)\b
    """,
    _FLAGS,
)
"""How somebody says how something is, or has to be."""

OPEN_END = re.compile(
    r"""
    \b(?:
        # English
        later | tomorrow | next[ ](?:time|week|session) | another[ ]day | to-?dos? | not[ ](?:yet|done|finished)
      | still[ ](?:need|needs|have|has|missing|fails?|failing|broken|open|to[ ]do|not|doesn'?t|isn'?t)
      | remain(?:s|ing)? | left[ ]to[ ]do | follow[- ]up | unfinished
        # German
      | morgen | später | noch[ ](?:nicht|offen|zu) | fehlt[ ]noch | nächstes?[ ]mal
        # French
      | plus[ ]tard | demain | la[ ]prochaine[ ]fois | reste[ ]à
        # Spanish
      | mañana | más[ ]tarde | la[ ]próxima | falta\w*[ ]por
    )\b
      # Chinese and Japanese
    | 以后 | 明天 | 稍后 | 之后再 | 後で | 明日 | また今度
    """,
    _FLAGS,
)

VERDICT = re.compile(
    r"""
    \b(?:
        # English
        works(?:[ ]now)? | (?:is|are)[ ]working | working[ ]now
      | perfect | lgtm | looks?[ ]good | (?:that|this|it)[ ]is[ ](?:fine|good|right|it)
      | (?:that|it)'s[ ](?:fine|good|right|it|better) | well[ ]done | good[ ]job | great | merged? | ship(?:ped)?
      | still[ ](?:fails?|broken|wrong) | (?:doesn'?t|didn'?t|does[ ]not)[ ](?:work|help) | revert | give[ ]up
        # German
      | passt | funktioniert | geht[ ](?:jetzt|nicht) | klappt | erledigt
        # French
      | ça[ ]marche | parfait | c'est[ ]bon
        # Spanish
      | funciona | perfecto | listo
    )\b
    """,
    _FLAGS,
)

_DID = r"""
    (?:added|fixed|updated|changed|created|removed|renamed|moved|implemented|replaced|refactored|made|wrote|ran|deleted
      |installed|configured|committed|merged|tested|verified|converted|migrated|extracted|split|switched)
"""
REPORT = re.compile(
    rf"""
    \W*
    (?:
        # English
        (?:(?:done|great|perfect|all[ ]done)[.!:,]?[ ])?i(?:'ve|[ ]have)?[ ](?:now[ ]|also[ ]|just[ ])?{_DID}\b
      | {_DID}[ ](?:the|a|an|all|both|`|[\w./-]+[./_][\w./-]+|\d+)
      | (?:all[ ])?(?:the[ ])?(?:\d+[ ])?(?:unit[ ]|integration[ ])?(?:tests?|checks?|build|lint\w*)\b
        [^.!?\n]{{0,30}}\b (?:pass(?:es|ed)?|succeed(?:s|ed)?|fail(?:s|ed)?|(?:is|are)[ ]green)\b
        # German
      | (?:fertig[.!:,]?[ ])?ich[ ]habe\b[^.!?\n]{{0,80}}\b(?:ge\w+t|\w+iert|hinzugefügt|behoben|entfernt|angelegt)
      | alle[ ]tests\b[^.!?\n]{{0,30}}\b(?:laufen|bestehen|bestanden|grün)
        # French
      | j'ai[ ](?:ajouté|corrigé|créé|modifié|supprimé|remplacé)
        # Spanish
      | he[ ](?:añadido|corregido|creado|cambiado|eliminado)
    )
    """,
    _FLAGS,
)
"""How an assistant tells what it did, from the beginning of a sentence; what tells nothing of the kind is not kept."""

LEFT = re.compile(
    r"""
    \W*
    (?:
        (?:still[ ])?(?:remaining|left[ ]to[ ]do|to[ ]do|todo|not[ ](?:done[ ]yet|yet[ ]done)
          |open[ ]points?|unfinished)\b
      | what(?:'s|[ ]is)[ ](?:left|missing)\b | (?:noch[ ])?offen\b[ ]?: | reste[ ]à[ ]faire\b
      | queda[ ]por[ ]hacer\b
    )
    """,
    _FLAGS,
)
"""How an assistant tells what it has not done."""

ORDER = re.compile(
    r"""
    \b(?:
        you | your | must | should | shall | never | always | please | remember | ignore | from[ ]now[ ]on | make[ ]sure
      | (?:do|does)[ ]not | don'?t | need[ ]to | have[ ]to | let'?s | let[ ]me | i'll | i[ ]will | going[ ]to
      | sie | ihr | du | müssen | muss | soll\w* | immer | niemals | nie | bitte
      | vous | tu | toujours | jamais | devez | usted | siempre | nunca | debe\w*
    )\b
    | https?:// | \bcurl\b | \bwget\b | \|[ ]*(?:ba)?sh\b | \b(?:prompts?|polic(?:y|ies)|instruct\w*)\b | [<>{}"\[\]]
    """,
    _FLAGS,
)
"""What makes an assistant's sentence more than a report: it would tell its next reader what to do."""

ASKING = re.compile(
    r"\W*(?:how|why|what|when|where|who|which|can|could|would|should|does|do|did|is|are|was|were|wie|warum|was|kann"
    r"|comment|pourquoi|cómo|por qué)\b",
    re.IGNORECASE,
)
"""How a question begins, which many type without its mark."""

_GREETING = re.compile(
    r"""
    (?: hi | hey | hello | thanks? | thank[ ]you | thx | ok(?:ay)? | yes | no | yep | nope | sure | please | continue
      | go[ ](?:ahead|on) | cool | great | nice | test | hallo | danke | ja | nein | weiter | bonjour | salut | merci
      | oui | non | hola | gracias | sí | 你好 | 谢谢 | こんにちは | there | you | good[ ](?:morning|evening) | again
      | [\W_] )*
    """,
    _FLAGS,
)
_WORD = re.compile(r"\w+")
_DENSE = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]")
"""Scripts in which a few characters say much."""


def says_something(text: str) -> bool:
    """Tell whether a sentence is about anything: more than a greeting, a nod or a single word.

    >>> says_something("hi there!"), says_something("fix the build"), says_something("修复构建错误")
    (False, True, True)
    """
    if _GREETING.fullmatch(text):
        return False
    return len(_DENSE.findall(text)) >= 4 or len(_WORD.findall(text)) >= 3
