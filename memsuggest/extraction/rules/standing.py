"""Cues that something is meant to last: always, never, from now on, as a rule, whenever."""

from __future__ import annotations

from memsuggest.extraction import policy
from memsuggest.extraction.rule import Rule
from memsuggest.model import Kind

RULES = (
    Rule(
        name="always",
        looks_for="always, every time, at all times",
        kind=Kind.CONVENTION,
        words={
            "en": (
                r"(?<!'s )(?<!\bis )(?<!\bare )(?<!\bwas )(?<!\bhave )(?<!n't )(?<!\bnot )(?<!\bcan "
                r")(?<!\bcould )\balways\b(?! "
                r"(?:been|was|were|had|wondered|thought|great|nice|good|happy))|\bevery (?:single "
                r")?time\b|\beach time\b|\bat all times\b"
            ),
            "de": r"\bimmer\b(?! (?:noch|wieder|mehr))|\bjedes ?mal\b|\bjederzeit\b",
            "fr": r"\btoujours\b(?! (?:pas|en|aussi))|\bà chaque fois\b|\bsystématiquement\b",
            "es": r"\bsiempre\b|\bcada vez\b",
            "pt": r"\bsempre\b|\btoda vez\b|\bcada vez\b",
            "ja": r"必ず|常に|いつも|毎回",
            "zh": r"总是|始终|每次|一律|统一|务必|一定要",
        },
        remembers=(
            "Always run the linter before a push",
            "Bitte immer Tabs verwenden",
            "siempre usa tipos",
            "テストは必ず書く",
            "每次提交前都要跑测试",
        ),
        ignores=("I have always been curious about Rust", "es ist immer noch rot", "c'est toujours pas bon"),
    ),
    Rule(
        name="never",
        looks_for="never, under no circumstances, not ever",
        kind=Kind.CONVENTION,
        words={
            "en": (
                r"(?<!\bwas )(?<!\bwere )(?<!\bhad )(?<!\bhas )(?<!\bhave )\bnever\b(?! (?:mind|been|seen"
                r"|heard|opened|worked|saw|knew|got|had|used to|ran|thought))"
                r"|\bunder no circumstances\b|\bnot ever\b|\b(?:don't|not|no)\b.*\bever\b(?! since)|\bat no point\b"
            ),
            "de": r"\bnie\b|\bniemals\b|\bauf keinen fall\b|\bunter keinen umständen\b",
            "fr": r"\bjamais\b|\ben aucun cas\b",
            "es": r"\bnunca\b|\bjamás\b|\ben ningún caso\b",
            "pt": r"\bnunca\b|\bjamais\b|\bem hipótese alguma\b",
            "ja": r"決して|絶対に.*ない|しないで|使わないで|書かないで|禁止",
            "zh": (
                r"绝不|永远不要|从不|决不|千万不要|禁止|不要再"
                r"|不要(?=[\u4e00-\u9fff]{0,4}(?:用(?!户)|写|改|动|提交|引入|加|合并|删|推|放))"
            ),
        },
        remembers=(
            "never commit generated files",
            "Mocks niemals im Integrationstest",
            "nunca borres datos",
            "モックは決して使わない",
            "不要使用全局变量",
        ),
        ignores=("never mind, I found it", "I never saw the window open"),
    ),
    Rule(
        name="from-now-on",
        looks_for="from now on, next time, in future",
        kind=Kind.CONVENTION,
        words={
            "en": (
                r"\bfrom (?:now|here|this point|today) on(?:wards?)?\b|\bgoing forward\b|\bmoving forward\b"
                r"|\bnext time\b(?! (?:we|i) (?:meet|talk|chat|see))|(?<!\bwill )(?<!\bmay )(?<!\bmight )\bin "
                r"(?:the )?future,? (?!versions?|work|we "
                r"might|may)|\bfor future reference\b|\bhenceforth\b|\bstarting (?:now|today)\b"
                r"|\bpermanently\b|\bfor good\b"
            ),
            "de": (
                r"\bab (?:jetzt|sofort|heute)\b|\bin zukunft\b|\bkünftig\b|\bzukünftig\b|\bvon nun an\b"
                r"|\bnächstes mal\b"
            ),
            "fr": r"\bdésormais\b|\bdorénavant\b|\bà partir de maintenant\b|\bà l'avenir\b|\bla prochaine fois\b",
            "es": (
                r"\b(?:a partir|de) (?:de )?ahora\b|\bde ahora en adelante\b|\ben adelante\b|\bla próxima vez\b"
                r"|\ben el futuro\b"
            ),
            "pt": (
                r"\ba partir de agora\b|\bde agora em diante\b|\bdaqui (?:pra|para) (?:a )?frente\b|\bda próxima "
                r"vez\b|\bno futuro\b"
            ),
            "ja": r"今後|これから|次から|次回から",
            "zh": r"从现在(?:开始|起)|以后|今后|下次|往后",
        },
        remembers=(
            "from now on write commit messages in English",
            "next time ask before you delete anything",
            "ab jetzt nur noch pnpm",
            "今後は日本語で答えて",
            "以后用中文回答",
        ),
        ignores=("the next step is fine", "see you next time we meet"),
    ),
    Rule(
        name="in-general",
        looks_for="as a rule, by default, in all cases, everywhere",
        kind=Kind.CONVENTION,
        words={
            "en": (
                r"\bas a (?:general )?(?:rule|matter of)\b|^by default\b|\bin general\b|\bgenerally\b|\bin (?:all"
                r"|any|every) (?:case|situation|file|module|project)s?\b|\bno matter\b|\bwherever\b|\beverywhere\b"
                r"|\bacross the (?:board|codebase|repo|project|app)\b|\bwithout exception\b|\bwhen(?:ever)? "
                r"possible\b|\bif (?:we|you) can (?:help|avoid) it\b|\bas (?:much|far|often) as possible\b|\bas "
                r".{2,40} as possible\b|\brule of thumb\b|\bat most\b|\bthroughout\b|\bglobally\b|\bideally\b"
                r"|\bstrictly\b|\b(?:goes|holds|applies|counts|same) (?:for|to) (?:all|any|every|each|everything)\b"
            ),
            "de": (
                r"\bgrundsätzlich\b|\bgenerell\b|\bstandardmäßig\b|\büberall\b|\bin der regel\b|\bin jedem fall\b"
                r"|\bwann immer\b"
            ),
            "fr": r"\ben règle générale\b|\bpar défaut\b|\bpartout\b|\bdans tous les cas\b|\ben général\b",
            "es": r"\bpor regla general\b|\bpor defecto\b|\ben general\b|\ben todos los casos\b|\ben todas partes\b",
            "pt": (
                r"\bcomo regra\b|\bvia de regra\b|\bpor padrão\b|\bem geral\b|\bem todos os casos\b|\bem todo "
                r"lugar\b"
            ),
            "ja": r"原則|基本的に|デフォルト",
            "zh": r"默认|原则上|一般来说|所有情况",
        },
        remembers=(
            "as a rule, one class per file",
            "use UTC everywhere",
            "grundsätzlich keine Umlaute im Code",
            "原則として英語で書く",
        ),
        ignores=("the case of this button is odd",),
    ),
    Rule(
        name="whenever",
        looks_for=(
            "an order for an occasion that comes again: whenever you add a route, before pushing, after each migration"
        ),
        kind=Kind.PROCEDURE,
        when=policy.is_order_or_norm,
        words={
            "en": (
                r"(?:^|, |\band |\bbut |\bgeneral )(?:when(?:ever)?|any ?time|every time|if|once|as soon as) (?:you|we"
                r"|someone|somebody|anyone|a |an |any|the user|there|adding|writing|creating|editing|working"
                r"|fixing|changing|making|using|naming|running|testing|reviewing|deploying|refactoring"
                r"|implementing|specifying|generating|committing|handling|asked|assigned|specified|in doubt"
                r"|unsure)\b|\b(?:before|after|when|while) (?:you |each |every |any |all )?(?:push|commit|merg"
                r"|edit|chang|add|writ|creat|fix|deploy|releas|refactor|implement|mak|finish|complet|modif|delet"
                r"|hand|answer|touch|propos|suggest|install|report|submit|declar"
                r"|runn|generat|start)\w*|\bwhenever\b|\bafter (?:each|every|any)\b|\bbefore (?:each|every|any)\b"
                r"|\b(?:when|while|if) \w+ing\b|\bwhen i (?:ask|say|write|paste|type)\b"
            ),
            "de": (
                r"\b(?:wenn|sobald) (?:du|ihr|wir|man|ein)|\bvor jedem\b|\bnach jede[mr]\b|\bbevor (?:du|wir"
                r"|ihr)\b|\bnachdem (?:du|wir)\b|\bimmer wenn\b|\bbeim \w+en\b"
            ),
            "fr": (
                r"\b(?:quand|lorsque|dès que) (?:tu|on|vous|un)|\bavant (?:chaque|de)\b|\baprès chaque\b|\bchaque "
                r"fois que\b"
            ),
            "es": (
                r"\b(?:cuando|siempre que|cada vez que|al) \w+|\bantes de (?:cada|hacer|crear|subir)\b|\bdespués "
                r"de cada\b"
            ),
            "pt": (
                r"\b(?:quando|sempre que|toda vez que|ao) \w+|\bantes de (?:cada|fazer|criar|subir|qualquer)\b"
                r"|\bdepois de cada\b|\bapós cada\b"
            ),
            "ja": r"(?:する|した)(?:とき|時|場合|前|後)",
            "zh": r"(?:每次|当|如果).*(?:时|的时候|之前|之后)|.*(?:之前|之后)(?:先|都|要)",
        },
        remembers=(
            "whenever you add a route, update the OpenAPI file",
            "before committing run the formatter",
            "wenn du einen Endpunkt anlegst, ergänze die Doku",
        ),
        ignores=("when is the release?", "the job ran after the other one"),
    ),
    Rule(
        name="for-all-such",
        looks_for="for anything of a kind: for anything new, for all endpoints",
        kind=Kind.CONVENTION,
        words={
            "en": (
                r"\bnew (?:code|modules?|files?|components?|tests?|endpoints?|services?|ones|stuff|screens?|tables?"
                r"|classes"
                r"|commands?|pages?) (?:uses?|goes?|gets?|has|have|lives?|starts?|is|are)\b|\bfor (?:any|all|every"
                r"|each|anything|everything|everyone)\b(?! (?:of )?(?:the|this|these|those"
                r"|that|help"
                r"|your)\b)"
            ),
            "de": r"\bfür (?:alle|jede[ns]?|alles)\b(?! (?:die|diese)\b)",
            "fr": r"\bpour (?:chaque|tout ce|tous? nouve\w+)\b",
            "es": r"\bpara (?:cada|todo lo|cualquier)\b",
            "pt": r"\bpara (?:cada|tudo|qualquer)\b",
        },
        remembers=("StateFlow for anything new", "one folder for every adapter"),
        ignores=("thanks for all the help", "run it for all of these"),
    ),
    Rule(
        name="everything-does",
        looks_for="what everything goes through, lives in, is: everything goes through i18n",
        kind=Kind.CONVENTION,
        words={
            "en": (
                r"\b(?:everything|anything|all of it|nothing|nobody|no one) (?:[\w/.-]+ ){0,3}?(?:goes|runs|lives"
                r"|comes|passes"
                r"|is (?:done|in|on|behind|under|built|written)|uses|starts|stays|has to|needs|gets|ships|merges"
                r"|pushes|touches"
                r"|deploys)\b"
            ),
            "de": (
                r"\balles (?:läuft|geht|kommt|liegt|wird|ist|muss)\b|\b(?:läuft|geht|kommt"
                r"|liegt) (?:bei uns )?alles\b|\bniemand \w+t\b"
            ),
            "fr": r"\btout (?:passe|est|va|vient|se|doit)\b|\bpersonne ne\b",
            "es": r"\btodo (?:va|pasa|se|está|viene|vive|debe)\b|\bnadie \w+\b",
            "pt": r"\btudo (?:vai|passa|fica|é|vem|deve)\b|\bninguém \w+\b",
            "ja": r"(?:全部|すべて|全て).{0,30}(?:経由|から|に置|で管理|を通)",
            "zh": r"都(?:放|要|用|走|得|写|从|由|经过|通过|必须|统一)",
        },
        when=lambda remark: not policy.is_question(remark) and not policy.is_transient(remark),
        remembers=(
            "everything goes through the gateway",
            "tout passe par le conteneur",
            "todo va por i18n",
            "测试都放到it模块",
        ),
        ignores=("everything is fine", "is everything on main?"),
    ),
    Rule(
        name="rule-word",
        looks_for="the words rule, convention, policy, standard, guideline, principle",
        kind=Kind.CONVENTION,
        words={
            "en": (
                r"\b(?:our|the|house) (?:house |own )?style(?: ?guide)?\b|\b(?:our|the|a|this|that|coding|house"
                r"|general|golden|important|team|style|naming|strict) "
                r"(?:rules?|conventions?|polic(?:y|ies)|guidelines?|principles?|directives?|standards?)\b(?! "
                r"\w+\.)|\bconventions?\b(?!\.md)|\bbest practices?\b|\bpolicy\b|\bguidelines?\b|\bmandatory\b"
                r"|\bnon-negotiable\b|\bit'?s (?:very |really |absolutely |super |also )?(?:essential"
                r"|important|crucial|critical|vital|necessary)\b|\bstandardi[sz]\w+\b"
            ),
            "de": r"\bregeln?\b|\bkonvention(?:en)?\b|\brichtlinien?\b|\bvorgabe\b|\bpflicht\b",
            "fr": r"\brègles?\b|\bconventions?\b|\bobligatoire\b",
            "es": r"\breglas?\b|\bconvenci(?:ón|ones)\b|\bobligatori[oa]\b|\bnorma\b",
            "pt": r"\bregras?\b|\bconvenç(?:ão|ões)\b|\bobrigatóri[oa]\b|\bpadrão\b",
            "ja": r"ルール|規約|方針",
            "zh": r"规则|规范|约定|惯例",
        },
        remembers=("our convention is kebab-case for files", "Das ist bei uns Konvention: keine Default-Exporte"),
        ignores=("the ruler in the editor is off",),
    ),
    Rule(
        name="to-be-recorded",
        looks_for="a wish that this be written down: remember this, add it to AGENTS.md, make it a rule",
        kind=Kind.CONVENTION,
        words={
            "en": (
                r"\b(?:remember|memorize|keep in mind|bear in mind|take note|make a note|note|be aware)\b(?:,| "
                r"that|:| to| this| the following)|\b(?:add|create|make|write|record|document|put|save|store"
                r"|capture|mention|update|extend|include|specify|state)\b.{0,40}\b(?:rules?|memory|claude\.md"
                r"|agents\.md|copilot-instructions(?:\.md)?|instructions?|conventions?(?:\.md)?|guidelines?"
                r"|preferences?|contributing(?:\.md)?|skill|style ?guide|\w+\.mdc)\b|\b(?:record|document"
                r"|remember) (?:this|that|it)\b|\b(?:is there a way|can) we (?:can )?(?:improve|extend|change"
                r"|update) the .{0,30}\brules?\b"
            ),
            "de": r"\bmerk(?:e|t)? (?:dir|euch)\b|\bdenk(?:e|t)? (?:dran|daran)\b|\bbeachte\b|\bnotier",
            "fr": (
                r"\b(?:retiens|retenez|souviens-toi|rappelle-toi|note(?:z)?) (?:que|bien|ça|cela)\b"
                r"|\bsouviens-toi\b|\bn'oublie(?:z)? pas\b"
            ),
            "es": r"\b(?:recuerda|recuerde|ten en cuenta|toma nota|apunta)\b",
            "pt": r"\b(?:lembre|lembra|anote|tenha em mente|guarde)\b",
            "ja": r"覚えて|記録して|メモして",
            "zh": r"记住|请记住|记下|牢记",
        },
        remembers=(
            "add a rule that says every handler validates its input",
            "remember that the staging database is shared",
            "merk dir, dass wir Ports ab 4000 nehmen",
        ),
        ignores=("do you remember the name of that tool?", "I can't remember why"),
    ),
)
