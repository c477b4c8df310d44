"""Cues against: questions, single tasks, the state of the moment, hedges, things pasted or merely felt."""

from __future__ import annotations

from memsuggest.extraction import policy, prepared
from memsuggest.extraction.rule import Rule

RULES = (
    Rule(
        name="asks",
        looks_for="a question",
        when=policy.is_question,
        remembers=("should we use pnpm?", "what does it do", "können wir das ändern?"),
        ignores=("use pnpm", "tell me what it does", "could you always sort the imports?"),
    ),
    Rule(
        name="asks-to-do",
        looks_for="a request put as a question or a wish: can you, could we, I'd like you to",
        when=lambda remark: not remark.is_dialogue and not policy.is_asked_for_good(remark),
        words={
            "en": (
                r"\b(?:can|could|would|will) (?:you|we|u)\b|\bi(?:'d| would) like (?:you )?to\b|\bi (?:want|need) "
                r"you to\b|\bplease (?:do|go ahead|go on|proceed|continue|create|add|fix)\b|\bare (?:we|you) able to\b"
            ),
            "de": r"\b(?:kannst|könntest|können|könnten|würdest) (?:du|wir|ihr|sie)\b",
            "fr": r"\b(?:peux-tu|pouvez-vous|pourrais-tu|tu peux|on peut)\b",
            "es": r"\b(?:puedes|podrías|podemos|podríamos)\b",
            "pt": r"\b(?:pode|poderia|podemos|consegue)\b",
            "ja": r"くれますか|もらえますか|できますか",
            "zh": r"能不能|可以.*吗|能否|帮我",
        },
        remembers=("can you rename it", "kannst du das prüfen"),
        ignores=("you can see it in the log", "can you never mock the clock"),
    ),
    Rule(
        name="one-task",
        looks_for="an order that ends when it is done: add the button, fix this, rerun it",
        when=policy.is_one_off,
        remembers=("add the missing import", "fix it", "rename this method", "update the readme"),
        ignores=("always add an import for types", "avoid globals", "tests need names"),
    ),
    Rule(
        name="forbids-one-thing",
        looks_for="an order not to do something to one thing here",
        when=policy.forbids_one_thing,
        remembers=("don't touch the header", "stop talking about the status"),
        ignores=("don't touch generated files", "never touch the lock file"),
    ),
    Rule(
        name="let-us",
        looks_for="let's do this now",
        words={
            "en": (
                r"\blet's\b(?! (?:always|never|make sure|keep|avoid|stick|not|use|be sure))|\blet me\b|\bgo "
                r"ahead\b|\bshall we\b|^(?:please )?(?:proceed|continue)\b"
            ),
            "de": r"\blass(?:t)? uns\b|\bmach weiter\b|\bweiter\b",
            "fr": r"\ballons-y\b|\bcontinue\b|\bvas-y\b",
            "es": r"\bvamos a\b|\badelante con\b|\bcontinúa\b|\bsigue\b",
            "pt": r"\bvamos\b|\bcontinue\b|\bsegue\b|\bpode seguir\b",
            "ja": r"ましょう|続けて",
            "zh": r"我们来|继续|吧(?:$|[,，。!！])",
        },
        remembers=("let's move on", "go ahead with it"),
        ignores=("let's always squash",),
    ),
    Rule(
        name="this-one-here",
        looks_for="this, that, it, here: something that only the moment knows",
        words={
            "en": (
                r"\b(?:this|that|these|those) (?:\w+ )?(?:one|rule|format|thing|change|file|function|method"
                r"|test|error|issue|bug|line"
                r"|comment|button|page|part|section|task|branch|pr|commit|idea|approach|case|feature|way|warning"
                r"|doc|document|table|column|field|class|component|module|plan|message|step|point|problem|option"
                r"|logic|code|command|script|list|time|conversation|session|request|spec|menu|panel|tab)\b|\b(?:do"
                r"|does|did|doing|fix|change|remove|revert|keep|try|add|update|check|is|was|about|like|with|for|of"
                r"|to|on|in) (?:this|that|it)\b(?! (?:always|should|must))|\b(?:these|those) \w+|\bthis "
                r"(?!is\b|was\b|time\b|way\b|means\b|project\b|repo\b|repository\b|codebase\b|package\b|app\b"
                r"|library\b|team\b|should\b|must\b|workspace\b|monorepo\b)\w+|^(?:it|this|that|these|those)\b"
                r"|(?<!\bin )(?<!\baround )\bhere\b(?! (?:anyway|because|cause|so)\b|,)|\b(?:above"
                r"|below)\b(?! (?:the|a|an|every|each|all|any|\d+)\b)"
            ),
            "de": r"\b(?:diese[rsmn]?|hier|oben|unten)\b",
            "fr": r"\b(?:ce|cet|cette|ces|ici|ça|cela)\b",
            "es": r"\b(?:est[eao]s?|es[eao]s?|aquí|arriba|abajo)\b",
            "pt": r"\b(?:est[ea]s?|ess[ea]s?|isso|isto|aqui|acima|abaixo)\b",
            "ja": r"この(?!プロジェクト|リポジトリ)|これ|それ|その|ここ",
            "zh": r"这个(?!项目|仓库)|那个|这里|上面|下面|它",
        },
        remembers=("this one is odd", "the button here", "change it"),
        ignores=("tests need names",),
    ),
    Rule(
        name="numbered-thing",
        looks_for="a pull request, an issue, a line, an option, a step by its number",
        words={
            "*": (
                r"(?<![\w/])#\d+\b|\b(?:pr|prs|issue|issues|line|lines|option|step|task|ticket|commit|version"
                r"|phase|item|point|bullet|opção|opción|étape|schritt|zeile|fase) ?#?\d+|\bl\d+-l?\d+\b"
                r"|https?://\S+/(?:pull|issues|commit)/|\b0\d{2,3}\b|\b(?=[a-f]*\d)[0-9a-f]{8,40}\b"
                r"|\b[a-z]{2,6}-\d{2,5}\b(?!-)"
            ),
        },
        remembers=("merge #42 first", "look at line 12", "take option 2"),
        ignores=("use two spaces", "port 8080 is taken by the proxy"),
    ),
    Rule(
        name="the-moment",
        looks_for="the state of the moment: now, still, currently, is failing, I just did",
        when=policy.is_transient,
        remembers=("the tests fail now", "it is still broken", "ich habe es gerade gepusht"),
        ignores=("tests run in parallel",),
    ),
    Rule(
        name="for-now",
        looks_for="for now, for this time, temporarily, in this PR",
        words={
            "en": (
                r"\bfor (?:now|the moment|the time being|this (?:one|time|task|session|pr|change)|today)\b"
                r"|\btemporar(?:y|ily)\b|\bthis time\b|\bjust (?:this once|for)\b|\bin this (?:pr|commit|session"
                r"|task|change|case|branch|step)\b|\b(?:to|in) this (?:pr|commit|branch)\b|\bfor (?:the )?(?:first"
                r"|mvp) (?:release|version|iteration|milestone|phase|cut)\b|\bat the moment\b"
                r"|\bright now\b|(?<!\bfrom )(?<!\bof )\btoday\b|\btomorrow\b|\btonight\b|\byet\b"
            ),
            "de": r"\b(?:vorerst|erstmal|fürs erste|diesmal|vorübergehend|heute|morgen|gerade)\b",
            "fr": r"\b(?:pour l'instant|pour le moment|cette fois|aujourd'hui|demain)\b",
            "es": r"\b(?:por ahora|de momento|esta vez|hoy|mañana|temporalmente)\b",
            "pt": r"\b(?:por enquanto|por ora|desta vez|dessa vez|hoje|amanhã|temporariamente)\b",
            "ja": r"とりあえず|今回|今日|明日|一旦",
            "zh": r"暂时|这次|今天|明天|目前|先这样",
        },
        remembers=("leave it out for now", "diesmal ohne Tests"),
        ignores=("now and then we rebase",),
    ),
    Rule(
        name="hedged",
        looks_for="maybe, I think, probably, I guess, not sure",
        when=policy.is_hedged,
        remembers=("maybe use tabs", "I guess we could cache", "vielleicht besser so"),
        ignores=("use tabs",),
    ),
    Rule(
        name="reports",
        looks_for="what I did, am doing or will do",
        when=policy.is_progress_report,
        remembers=("I pushed the branch", "I'll review it later", "ich habe den Server neu gestartet"),
        ignores=("I prefer tabs",),
    ),
    Rule(
        name="feature-request",
        looks_for="what a feature that is being asked for should do",
        when=prepared.is_part_of_a_request,
        remembers=(),
        ignores=("use yarn",),
    ),
    Rule(
        name="specifies",
        looks_for="what a feature shows, or lets its users do",
        when=prepared.speaks_as_a_specification,
        remembers=("users can sort the list", "the button should be red"),
        ignores=("use red for errors",),
    ),
    Rule(
        name="thanks-and-yes",
        looks_for="an acknowledgement, thanks, a greeting",
        words={
            "en": (
                r"^(?:(?:yes|yeah|yep|yup|ok|okay|sure|great|perfect|nice|cool|thanks|thank you|thx|good|awesome"
                r"|excellent|correct|right|exactly|lgtm|looks good|sounds good|hi|hello|hey|morning|cheers|done"
                r"|agreed|fine)\b[ ,.!]*)+(?:please|it|that|thanks|so much|a lot|all|then|continue|go|do"
                r"|everyone)?[ .!]*$|\bthank(?:s| you)\b"
            ),
            "de": r"^(?:ja|ok|danke|super|gut|passt|genau|hallo)[ ,.!]*$|\bdanke\b",
            "fr": r"^(?:oui|ok|merci|parfait|bien|super|bonjour)[ ,.!]*$|\bmerci\b",
            "es": r"^(?:sí|si|ok|gracias|perfecto|vale|bien|hola)[ ,.!]*$|\bgracias\b",
            "pt": r"^(?:sim|ok|obrigad[oa]|perfeito|beleza|certo|olá|pronto)[ ,.!]*$|\bobrigad[oa]\b",
            "ja": r"^(?:はい|ありがとう|了解|お願いします)",
            "zh": r"^(?:好的?|谢谢|可以|行|嗯|是的)[。！ ]*$",
        },
        remembers=("yes, thanks", "perfect, thank you!", "danke"),
        ignores=("yes, and always squash",),
    ),
    Rule(
        name="very-short",
        looks_for="hardly any words",
        when=policy.is_very_short,
        remembers=("do it", "yes please"),
        ignores=("keep all of the commits small",),
    ),
    Rule(
        name="short",
        looks_for="few words",
        when=lambda remark: 4 <= policy.size(remark) < 6 and remark.languages[0] == "en",
        remembers=("use tabs in Go files",),
        ignores=("keep all of the commits small and well named",),
    ),
    Rule(
        name="long",
        looks_for="a very long sentence",
        when=lambda remark: policy.size(remark) > 34,
        remembers=(" ".join(["word"] * 40),),
        ignores=("keep commits small",),
    ),
    Rule(
        name="looks-pasted",
        looks_for="the voice of a log, a review bot, a manual",
        when=prepared.looks_pasted,
        remembers=(
            *("Medium Severity", "    at main (/srv/app.js:3:2)", "2024-01-01 10:00:00 INFO started"),
            "As a language model, however, I must decline",
        ),
        ignores=("use tabs", "as an admin I want to see all users"),
    ),
    Rule(
        name="in-a-brief",
        looks_for="a prepared text that gives the assistant a part to play",
        when=lambda remark: remark.is_brief,
        remembers=(),
        ignores=("use tabs",),
    ),
    Rule(
        name="impersonal-prose",
        looks_for="a long paragraph that speaks to nobody, as a pasted review or a manual does",
        when=prepared.is_impersonal_prose,
        remembers=(),
        ignores=("use tabs",),
    ),
    Rule(
        name="introduces",
        looks_for="a line that only announces what follows",
        when=policy.only_introduces,
        remembers=("some suggestions:", "that's the golden rule"),
        ignores=("use tabs",),
    ),
)
