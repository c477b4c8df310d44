"""Cues that somebody wants things to be some way: must, make sure, don't, I prefer."""

from __future__ import annotations

from memsuggest.extraction import policy
from memsuggest.extraction.rule import Rule
from memsuggest.model import Kind

RULES = (
    Rule(
        name="make-sure",
        looks_for="make sure, be sure, ensure, don't forget, be careful to",
        kind=Kind.PROCEDURE,
        words={
            "en": (
                r"(?<!\bto )\b(?:make (?:absolutely )?(?:sure|certain)|be (?:sure|certain|careful)|ensure|don't forget"
                r"|remember) (?:that |to |you |we |all |any |each |every |the |not |new )|(?<!\bto )\b(?:make "
                r"sure|ensure)\b|\btake care\b(?! of (?:it|that|this))"
            ),
            "de": (
                r"\bachte(?:t)? (?:darauf|auf)\b|\bstell(?:e|t)? sicher\b|\bsorg(?:e|t)? dafür\b|\bvergiss nicht\b"
                r"|\bdenk(?:e)? daran\b|\bsicherstellen\b"
            ),
            "fr": r"\bassure(?:z)?-(?:toi|vous)\b|\bveille(?:z)? à\b|\bn'oublie(?:z)? pas\b|\bfais attention\b",
            "es": r"\basegúr(?:ate|ese)\b|\bno (?:te )?olvides\b|\bcerciórate\b|\bprocura\b",
            "pt": r"\bcertifique-se\b|\bgaranta\b|\bnão (?:se )?esqueça\b|\bassegure\b|\btenha certeza\b",
            "ja": r"ようにして|忘れずに|注意して",
            "zh": r"确保|务必|别忘了|注意",
        },
        remembers=("make sure new endpoints have tests", "achte darauf, dass Logs auf stderr gehen"),
        ignores=("I am sure it works",),
    ),
    Rule(
        name="must",
        looks_for="must, have to, need to, is required, is to be",
        kind=Kind.CONVENTION,
        words={
            "en": (
                r"\b(?:must|has to|(?<!\bi )(?<!\bwe )(?<!\byou )(?<!\balso )have to|needs to|(?<!\bi "
                r")(?<!\bwe )(?<!\byou )(?<!\balso )need to|ought to|(?:is|are) (?:required|supposed|expected"
                r"|meant|never|always|only) to|shall)\b(?! (?:be (?:something|a bug)|have been|leave|go|check|look"
                r"|think|see|say|admit|run now))"
            ),
            "de": r"\b(?:muss|müssen|soll|sollen|hat zu|haben zu|darf|dürfen)\b",
            "fr": r"\b(?:doit|doivent|il faut|faut)\b",
            "es": r"\b(?:debe|deben|hay que|tiene que|tienen que)\b",
            "pt": r"\b(?:deve|devem|tem que|têm que|precisa|precisam|é preciso)\b",
            "ja": r"なければならない|なければなりません|必要がある|べき",
            "zh": r"必须|得要|需要|要用|要写|要放|要走|要加",
        },
        remembers=("every handler must validate its input", "Texte müssen übersetzbar sein", "hay que usar UTC"),
        ignores=("that must be a bug", "I have to go"),
    ),
    Rule(
        name="should",
        looks_for="should, is better, would be better",
        kind=Kind.CONVENTION,
        words={
            "en": r"\bshould(?:n't)?\b(?! (?:i|we|it|be (?:fine|ok|good|done|there|able))\b)",
            "de": r"\bsollte(?:n|st)?\b",
            "fr": r"\bdevrai(?:t|ent)\b",
            "es": r"\bdebería(?:n|s)?\b",
            "pt": r"\bdeveria(?:m)?\b",
            "ja": r"方がいい|ほうがいい",
            "zh": r"应该|应当|最好",
        },
        remembers=("error messages should name the file", "Funktionen sollten kurz sein"),
        ignores=("should we merge?", "that should be fine"),
    ),
    Rule(
        name="kind-should",
        looks_for="what a kind of things must or should be: each rule should, tests must, errors are to be",
        kind=Kind.CONVENTION,
        when=policy.is_norm_for_a_kind,
        remembers=("each page should have a title", "tests must not touch the network", "all dates should be UTC"),
        ignores=("the button should be green", "this should work"),
    ),
    Rule(
        name="we-want",
        looks_for="we want, I prefer, I'd rather, I don't like",
        kind=Kind.PREFERENCE,
        words={
            "en": (
                r"\b(?:i|we) (?:really |would |also |do |always |only |much |strongly |personally |generally "
                r"|usually )*(?:want|prefer|like|love|hate|dislike|expect|insist|favou?r|care about|don't want"
                r"|don't like|don't need)\b|\b(?:i'd|we'd|i would|we would) (?:really |much |personally )?(?:like"
                r"|prefer|rather|love|expect)\b|\bmy preference\b|\b(?:i'm|we're) (?:not )?a fan of\b"
            ),
            "de": (
                r"\b(?:ich|wir) (?:will|wollen|möchte|möchten|mag|mögen|bevorzuge|bevorzugen|hasse|erwarte)\b"
                r"|\b(?:will|möchte|bevorzuge) ich\b|\bmir ist .{0,20} lieber\b"
            ),
            "fr": r"\b(?:je|nous|on) (?:veux|voulons|veut|préfère|préférons|n'aime pas|déteste|souhaite)\b",
            "es": r"\b(?:quiero|queremos|prefiero|preferimos|no me gusta|odio|me gusta)\b",
            "pt": r"\b(?:quero|queremos|prefiro|preferimos|não gosto|odeio|gosto)\b",
            "ja": r"てほしい|好み|好き|嫌い",
            "zh": r"我(?:们)?(?:想要|希望|更喜欢|喜欢|不喜欢|讨厌|偏好)",
        },
        remembers=("I prefer small commits", "we don't want barrel files", "ich möchte kurze Antworten"),
        ignores=("do you want coffee?",),
    ),
    Rule(
        name="prohibition",
        looks_for="an order not to do something: don't, avoid, stop",
        kind=Kind.CORRECTION,
        words={
            "en": (
                r"^(?:(?:ok|no|and|but|also|so|well|please|again|just|yes|instead|then)[, ]+)*(?:please )?(?:don't"
                r"|do not|avoid|stop|no more|refrain from|never)\b(?! (?:worry|know|think so|care|see|have"
                r"|understand|mind|remember|forget|get it|need))|, (?:don't|do not|never) (?!sure|yet|really|only"
                r"|that|the|a)\w+|\b(?:and|but|so|please) (?:don't|do not|never|avoid)\b|\bplease (?:don't|avoid"
                r"|stop|do not)\b|\b(?:must|may) ?not\b|\bmustn't\b"
            ),
            "de": (
                r"^(?:bitte |aber |und )?(?:kein(?:e|en|er)?|nicht) \w+|\bbitte (?:kein\w*|nicht) \w+|, (?:nicht"
                r"|keine?n?) \w+"
                r"|\b(?:wollen|möchten?|brauchen|nutzen|verwenden|machen|schreiben|mocken|mach|nimm|nutze"
                r"|verwende|schreib"
                r"|leg|bau|pack|fass|lösch|änder|rühr|committe|pushe?)e? (?:\S+ ){0,3}?(?:kein\w*|nicht)\b"
                r"|\bvermeide\b|\bhör(?:t)? auf\b|\blass das\b"
            ),
            "fr": (
                r"(?:^|, |\b(?:et|mais|donc|merci de|surtout|il) )n[e'] ?\w+ (?:pas|jamais|plus)\b"
                r"|\bn[e'] ?\w+ jamais\b|\bévite[zr]?\b|\barrête(?:z)?\b|\bpas de\b"
            ),
            "es": (
                r"^(?:por favor,? )?no (?:uses|hagas|crees|pongas|toques|borres|añadas|escribas|mezcles|cambies"
                r"|ejecutes|\w+es|\w+as)\b|\bevita(?:r|d)?\b|\bdeja de\b"
            ),
            "pt": (
                r"^(?:por favor,? )?não (?:use|utilize|faça|crie|mexa|apague|coloque|escreva|misture|altere|rode"
                r"|\w+e|\w+a)\b|\bevite\b|\bpare de\b"
            ),
            "ja": r"ないで|禁止|やめて|てはいけ|てはなら|ないこと",
            "zh": (
                r"不要|别|请勿|避免|禁止|不允许|不得|不准|严禁"
                r"|(?<!能)不能(?!正常|用了|打开|登录|显示|启动|访问|保存|加载|运行)"
            ),
        },
        remembers=(
            "don't mock the clock",
            "please avoid nested ternaries",
            "keine globalen Variablen",
            "évite les classes",
            "no uses var",
        ),
        ignores=("I don't know", "don't worry", "it is not there"),
    ),
    Rule(
        name="yourself",
        looks_for="do it yourself, don't just tell me",
        kind=Kind.PREFERENCE,
        words={
            "en": (
                r"\byourself\b|\bdon't (?:just |only )?(?:tell|ask|show|give|explain|describe|say) (?:me|us)?"
                r"|\b(?:ask|tell|show|answer|remind|warn) me\b|\b(?:only|not?) .{0,60}\b(?:when|if|unless|until"
                r"|before) i (?:say|ask|tell"
                r"|approve|confirm|ok)\b|\bwithout asking\b|\b(?:your|every) (?:answers?"
                r"|repl(?:y|ies)|responses?|explanations?|summar(?:y|ies))\b"
            ),
            "de": (
                r"\bselbst\b|\b(?:nur|erst) wenn ich (?:\w+ )?(?:sage|frage|bitte)\b|\bdeine antworten?\b"
                r"|\bfrag mich\b|\bohne zu fragen\b"
            ),
            "fr": r"\b(?:demande|préviens|avertis)(?:z)?-moi\b|\btoi-même\b|\btes réponses?\b|\bsans demander\b",
            "es": r"\b(?:preg[uú]ntame|avísame)\b|\btú mismo\b|\btus respuestas?\b|\bsin preguntar\b",
            "pt": r"\bme (?:pergunte|avise|pergunta|avisa)\b|\bvocê mesmo\b|\bsuas respostas?\b|\bsem perguntar\b",
            "ja": r"自分で|回答|返答",
            "zh": r"你自己|回答|回复",
        },
        remembers=("apply the change yourself", "keep your answers short"),
        ignores=("I did it myself",),
    ),
    Rule(
        name="keep-in-step",
        looks_for="keep in sync, up to date, consistent with",
        kind=Kind.PROCEDURE,
        words={
            "en": (
                r"(?<!\bis )(?<!\bare )(?<!'s )\b(?:in sync|up[- ]to[- ]date|in step|consistent with|in line with"
                r"|reflected in|kept current|accurate)\b|\b(?:ensure|sure|should|must|needs?|always|check)\b.{0,80}"
                r"\b(?:in sync|up[- ]to[- ]date|in step|consistent|reflected|current|accurate)\b|\bmaintain\b"
            ),
            "de": r"\b(?:aktuell halten|synchron|auf dem (?:neuesten )?stand|konsistent)\b",
            "fr": r"\b(?:à jour|synchronisé)\b",
            "es": r"\b(?:al día|sincronizad[oa]s?|actualizad[oa]s?)\b",
            "pt": r"\b(?:em dia|sincronizad[oa]s?|atualizad[oa]s?)\b",
            "ja": r"最新|同期",
            "zh": r"同步|最新|一致",
        },
        remembers=("keep the changelog up to date", "halte die Doku auf dem neuesten Stand"),
        ignores=("sink the ship", "the branch is up to date"),
    ),
    Rule(
        name="shouted",
        looks_for="a word of command in capitals: MUST, NEVER, NOT, ONLY",
        when=policy.is_shouted,
        remembers=("dates are ALWAYS UTC", "do NOT touch the lock file"),
        ignores=("the API returns JSON", "THIS IS ALL IN CAPITALS SO IT IS JUST LOUD"),
    ),
    Rule(
        name="because",
        looks_for="a reason: because, since, so that, too slow, otherwise",
        words={
            "en": (
                r"\bbecause\b|\b(?:be)?cause (?:the|we|it|they|of|i|you|that)\b|\bor else\b|\bsince (?!yesterday"
                r"|monday|last|then|the last)\w+|\bso that\b|\botherwise\b|\bdue "
                r"to\b|\bin order to\b|\btoo (?:slow|big|large|expensive|long|noisy|verbose|much|many|risky"
                r"|complex|complicated|granular|hard|easy|often)\b|, (?:as|so) (?:it|they|we|the|i|you)\b|\bto "
                r"avoid\b|\bto make it\b|\bfor (?:readability|consistency|clarity|performance|security|safety"
                r"|simplicity)\b"
            ),
            "de": (
                r"\bweil\b|\bda (?:es|wir|sie|das)\b|\bdamit\b|\bsonst\b|\bwegen\b|\bzu (?:langsam|groß|teuer"
                r"|lang)\b"
            ),
            "fr": r"\bparce que?\b|\bcar\b|\bpour que\b|\bsinon\b|\btrop (?:lent|long|cher)\b",
            "es": r"\bporque\b|\bya que\b|\bpara que\b|\bsi no\b|\bdemasiado\b",
            "pt": r"\bporque\b|\bpois\b|\bpara que\b|\bsenão\b|\bjá que\b|\bmuito (?:lento|grande|caro)\b",
            "ja": r"ので|から|ため",
            "zh": r"因为|否则|以便|太(?:慢|大|贵|长)",
        },
        remembers=("skip the e2e suite, it is too slow", "weil das sonst doppelt läuft"),
        ignores=("I have used it since yesterday",),
    ),
)
