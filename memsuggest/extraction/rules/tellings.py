"""Cues that somebody tells how things are: what is where, what a word means, what a tool does, what they use."""

from __future__ import annotations

from memsuggest.extraction import policy
from memsuggest.extraction.rule import Rule
from memsuggest.model import Kind

RULES = (
    Rule(
        name="states-a-fact",
        looks_for="a plain present-tense telling about named things, without I, you or this",
        kind=Kind.FACT,
        when=policy.is_telling,
        remembers=(
            "the staging cluster runs in Frankfurt",
            "Payments owns the ledger schema",
            "releases are cut from the stable branch",
        ),
        ignores=("it works now", "the build is broken", "I think so", "this looks odd", "is the build green?"),
    ),
    Rule(
        name="tells-a-nature",
        looks_for="a verb that says what something is like: supports, requires, lives in, is installed by",
        kind=Kind.FACT,
        when=policy.tells_a_nature,
        remembers=("the exporter supports only UTF-8", "icons are drawn by the theme package"),
        ignores=("can it support UTF-8?", "it supports that", "add support for it"),
    ),
    Rule(
        name="tells-a-habit",
        looks_for="what a kind of things does or is: scripts start with a comment, a worker never sleeps",
        kind=Kind.CONVENTION,
        when=policy.tells_a_habit,
        remembers=(
            "integration specs need a marker",
            "los tests van junto al código",
            "テストはvitestで書く",
            "os logs ficam em /var",
            "icons come from our own font",
            "a handler returns early",
        ),
        ignores=("the icons come late", "are icons needed?", "fix the icons", "tests fail now"),
    ),
    Rule(
        name="told-briefly",
        looks_for="a short turn that tells how something is",
        kind=Kind.FACT,
        when=lambda remark: policy.is_in_a_short_turn(remark) and policy.is_telling(remark),
        remembers=("the staging cluster runs in Frankfurt",),
        ignores=("use yarn for the frontend",),
    ),
    Rule(
        name="is-not-so",
        looks_for="a telling that something is not so: is not, does not need, will never",
        kind=Kind.FACT,
        words={
            "en": (
                r"(?<!\bit )(?<!they )(?<!which )\b(?:has|have) no (?!idea|time|effect|clue|problem|way|reason"
                r"|choice|issue|impact|meaning)[\w.-]+"
                r"|\b(?:is|are|will|does|do|can|would)(?: not|n't) (?:a |an |the |be |need |support |use |have "
                r"|allow |exist|work with|run )|\b(?:there'?s|there is|there are|you have|we have) no need\b"
                r"|\b(?:is|are) not (?:needed|necessary|required|terminal"
                r"|supported|allowed)\b|\bnot (?:needed|necessary|required)\b|\bcannot\b"
            ),
            "de": r"\b(?:ist|sind|wird|werden) (?:nicht|kein|keine)\b|\bnicht nötig\b|\bbraucht (?:kein|nicht)",
            "fr": r"\bn'(?:est|a) pas\b|\bpas besoin\b",
            "es": r"\bno (?:es|son|se|hace falta|necesita)\b",
            "pt": r"\bnão (?:é|são|se|precisa|necessita)\b",
            "ja": r"ではない|必要(?:は)?ない|いらない",
            "zh": r"不是|不需要|不用|不必",
        },
        remembers=("the worker is not allowed to write", "a lock file is not needed", "there's no need to restart it"),
        ignores=("it is done",),
    ),
    Rule(
        name="we-do",
        looks_for="what we do here: we use, we keep, we never, our tests are",
        kind=Kind.CONVENTION,
        words={
            "en": (
                r"(?:^|[,;:(] |\b(?:and|but|(?:so(?! we (?:don't|do not|can|only)\b))|because|as|since|here|now"
                r"|that|yes|no|also|actually) |^(?:in"
                r"|for|on|at|under|within) [\w ./*`@-]{3,40},? )we "
                r"(?:always |never |usually |generally |normally |only |also |already |don't |do not "
                r"|currently |mostly )*(?:use|keep|run|follow|write|call|name|store|put|deploy|ship|test|support"
                r"|target|rely on|avoid|prefer|build|publish|release|tag|squash|rebase|merge|require|validate|log"
                r"|document|own|host|pin|vendor|generate|organi[sz]e|separate|assume|treat|track|manage"
                r"|maintain|stick|wrap|prefix|suffix|start|end|begin|annotate|sort|group|place|check|import"
                r"|define|declare|catch|raise|return|format|lint|review|version|number|mock|cache|depend"
                r"|report|round|state|identify|respect|point|read|hand|accept|serve|spell|say|amend|reserve|reject"
                r"|forbid"
                r"|quote|speak|pay|sign|encrypt|lock|fix|set|sit|live|work|ban|bump|split|stay|cut|collect|pass"
                r"|pull|feed|don't (?!need|have"
                r"|want|know|see|care|think|even|yet|really|get|mind|understand)\w+|only "
                r"\w+)\b(?! (?:it|that|this) )|\bour (?!plan|approach|current|new "
                r"|last|next|conversation"
                r"|local"
                r"|changes?)[\w-]+(?: [\w-]+){0,3} (?:is|are|uses?|has|have|lives?|runs?|goes?|needs?|must|should"
                r"|follows?)\b|\bwe(?:'ve| have)? (?:also |now |recently |just |finally )?(?:decided|agreed)\b"
                r"|(?<!already )(?<!is )(?<!are )\b(?:in|for) (?:our|this) (?:project|domain|repo|repository"
                r"|codebase|team"
                r"|company"
                r"|app|monorepo|game|crate|firmware|plugin|service|product|org|library|tool|shop|house|office"
                r"|machine|cluster)\b"
                r"|\bthis (?:project|repo|repository|codebase|monorepo|package|library|app) (?:is|uses?|has"
                r"|targets?|needs?|runs?|supports?|follows?)\b"
            ),
            "de": (
                r"\bwir (?:nutzen|verwenden|benutzen|schreiben|testen|deployen|halten|nehmen"
                r"|arbeiten)\b|\bwir \w+en (?:hier )?(?:nur|nie|niemals|immer|hier|grundsätzlich|kein\w*)\b"
                r"|\bunsere? \w+ (?:ist"
                r"|sind|hat|heißt|läuft|liegt)\b|\bin (?:unserem|diesem) "
                r"(?:projekt|repo)\b|\bbei uns\b"
            ),
            "fr": (
                r"\bon n(?:e |')\w+ (?:pas|jamais)\b|\b(?:nous|on) (?:utilise|utilisons|garde|suit|écrit|teste"
                r"|déploie)\w*\b|\bdans (?:notre|ce) "
                r"(?:projet|dépôt)\b|\bchez nous\b"
            ),
            "es": (
                r"\b(?:usamos|utilizamos|seguimos|escribimos|trabajamos|desplegamos)\b|\b(?:no|nunca"
                r"|siempre) \w{3,}mos\b|\ben (?:nuestro"
                r"|este) (?:proyecto|repo)\b"
            ),
            "pt": (
                r"\b(?:usamos|utilizamos|seguimos|escrevemos|trabalhamos)\b|\ba gente (?:usa|só|não|nunca|sempre)\b"
                r"|\b(?:no|neste|nosso) "
                r"(?:projeto|repo)\b"
            ),
            "ja": r"(?:この|うちの|本)プロジェクト|チームでは",
            "zh": r"我们(?:用|使用|的|一般|项目)|本项目|这个项目",
        },
        remembers=("we use ruff for linting", "our API is versioned by date", "wir nutzen hier Poetry"),
        ignores=("we are done", "our plan is good"),
    ),
    Rule(
        name="who-does-what",
        looks_for="whose task or thing it is: I push myself, Legal owns that, this comes from the generator",
        kind=Kind.CONVENTION,
        words={
            "en": (
                r"\bi (?:always |usually )?(?!did\b|made\b|can\b|could\b|see\b|saw\b|wrote\b|had\b|had\b"
                r"|\w+ed\b)[a-z]+(?: \S+){0,6} myself\b|(?:^|, |; )i "
                r"(?:push|commit|merge|release|deploy|publish|tag"
                r"|bump|start|run|move|write|send|approve|do|handle|decide|rotate|rename) (?:them|those|that"
                r"|it)\b[.!]?$"
                r"|\b(?:owns|(?<!\bits )(?<!\btheir )(?<!\bour )(?<!\bmy )(?<!\byour )own|belongs? to|is owned by"
                r"|are owned by|is maintained by|are maintained by"
                r"|responsible for|in charge of|(?:single )?source of truth"
                r"|(?:is|are|gets?) (?:auto-?)?(?:generated|produced|built|compiled|rendered|derived|assembled"
                r"|synced|rebuilt"
                r"|emitted|overwritten|maintained|managed) (?:from|by|out of|via)|(?:has|have) to approve|signs? off"
                r"|(?<!i )(?<!we )(?<!you )(?<!it )decides?(?! (?:to|what|which|whether|how|if|on)\b))\b"
            ),
            "de": (
                r"\b(?:mach|pushe|committe|starte|release) ich (?:selbst|selber)\b|\b(?:gehört|gehören) (?:dem|der"
                r"|den)\b|\bzuständig\b|\bdas (?:macht|übernimmt|erledigt|pflegt) \w+|\b(?:wird|werden) (?:aus|von"
                r"|vom) "
                r".{2,40}(?:generiert|erzeugt|gebaut|verwaltet|gepflegt)\b"
            ),
            "fr": (
                r"\bje .{2,30} moi-même\b|\bappartient à\b|\bresponsable de\b|\bc'est .{2,30} qui (?:gère|génère"
                r"|décide|lance|fait)\b|\b(?:est|sont) générée?s? (?:par|depuis|à partir)\b"
            ),
            "es": (
                r"\byo mism[oa]\b|\bpertenece a\b|\bresponsable de\b|\b(?:eso|esto|ese|esa) l[oa]s? (?:hace|hacen"
                r"|rellena"
                r"|genera|gestiona|lleva|mantiene|decide|sube)\b|\b(?:se genera|es generado|lo genera)\b"
            ),
            "pt": (
                r"\beu mesm[oa]\b|\bpertence a\b|\bresponsável por\b|\bquem \w+ (?:é|são|sou)\b"
                r"|\b(?:é|são) gerad[oa]s? (?:pel[oa]|a partir)\b"
            ),
        },
        remembers=(
            "I bump versions myself",
            "releases are expensive, I start them",
            "Legal owns the wording",
            "das Schema gehört dem Stammteam",
        ),
        ignores=("I did it myself", "I start the server now", "the button belongs there"),
    ),
    Rule(
        name="means",
        looks_for="what a word means: X means Y, is called, stands for, X == Y",
        kind=Kind.TERMINOLOGY,
        words={
            "en": (
                r"\b(?:means(?![.!]?$)|refers? to|stands? for|is short for|(?:is (?:also )?|are )called(?! (?:from"
                r"|by|in|on|with|twice|when|once|before|after|for|every|each|only|again)\b)|is another "
                r"(?:name|word) for|is our (?:name|word|term) for|is what we call|by \"?\w+\"? (?:i|we) mean|is "
                r"(?:badly|poorly) named|is a misnomer)\b(?! (?:that|we|i|you) )|^[\w'\"` -]{2,40} == [a-z]"
                r"|\bterminology\b|\bglossary\b|\bhas (?:been )?(?:renamed)\b|\bwas renamed\b"
            ),
            "de": r"\b(?:bedeutet|heißt|steht für|nennen wir|meint)\b",
            "fr": r"\b(?:signifie|veut dire|s'appelle|désigne)\b",
            "es": r"\b(?:significa|quiere decir|se llama|se refiere a)\b",
            "pt": r"\b(?:significa|quer dizer|se chama|refere-se a)\b",
            "ja": r"とは|を意味|という意味|と呼",
            "zh": r"指的是|意思是|叫做|称为|是指",
        },
        remembers=(
            "a drop means one nightly export",
            "GMV stands for gross merchandise value",
            "worker == a process of the pool",
        ),
        ignores=("what does it mean?", "that means we are done"),
    ),
    Rule(
        name="is-at",
        looks_for="where something is: lives in, is at, goes into",
        kind=Kind.FACT,
        words={
            "en": (
                r"\b(?:is|are|lives?|sits?|resides?|located|stored|found|kept|goes?|belongs?|(?:is|are) (?:always "
                r")?(?:stored|kept|located|found|defined|served|created|saved|placed)) (?:only |now |all )?(?:at"
                r"|in|into|under|inside|next to|on|below) (?!a |an |order|the (?:same|wrong|middle|way|end|right"
                r"|process)|this|that|it|fact|progress|sync|my|your|line)[\w`~./'\"-]"
            ),
            "de": r"\b(?:liegt|liegen|gehört|gehören|steht|stehen|befindet sich) (?:in|im|unter|auf|neben)\b",
            "fr": r"\b(?:se trouve|est dans|sont dans|va dans|vont dans)\b",
            "es": r"\b(?:está en|están en|va en|van en|se encuentra)\b",
            "pt": r"\b(?:está em|está no|ficam? (?:em|no|na)|vai em)\b",
            "ja": r"にあ(?:る|ります)|に置",
            "zh": r"(?:位于|放在|存放在|都在)",
        },
        remembers=(
            "the schema lives in `db/schema.sql`",
            "die Skripte liegen unter tools/",
            "fixtures are kept next to their tests",
        ),
        ignores=("it is in progress", "that is on line 3"),
    ),
    Rule(
        name="my-setup",
        looks_for="what the person works with: I'm on, I use, my editor is",
        kind=Kind.FACT,
        words={
            "en": (
                r"\bi(?:'m| am) (?:on(?! (?:it|this|that)\b)|running(?! (?:it|this|that|the)\b)|using(?! "
                r"(?:your|the|this|that|it)\b)|working (?:with|on a|from|in)|based|colou?rblind|dyslexic|new to"
                r"|not a|a (?!bit|little|fan|big fan|confused))|\bi (?:come|came) from (?!the |a |my )\w+"
                r"|(?<!when )(?<!if )(?<!as )\bi (?:always|never|only|usually) (?!\w+ed\b|saw|got|had|ran|did"
                r"|knew|thought|wrote"
                r"|made|found|want|wanted|need|meant|see|know|get\b)[a-z]+\b"
                r"|(?<!when )(?<!if )(?<!as )\bi (?:use|run(?! (?:it|this|that|the|two|a|an|into|my)\b)|work with"
                r"|work on|work in|write (?:with|in|all)|code in|develop "
                r"on|speak|live in|don't use|never use|always use)\b|\bmy (?:machine|laptop|computer|editor|ide|os"
                r"|shell|terminal|setup|config(?:uration)?|timezone|time zone|keyboard|language|name|dotfiles"
                r"|workstation|environment|box|gpu|dev machine) (?:is|are|has|runs|uses)\b|\bfull config is\b"
                r"|\bwe(?:'re| are) (?:still |all |mostly )?on (?!it\b|this|that|the same|track|our|a call|time"
                r"|hold|fire)[\w.]+"
            ),
            "de": (
                r"\bich (?:nutze|verwende|benutze|arbeite (?:mit|auf|unter)|bin auf)\b|\bmein (?:rechner|editor"
                r"|system)\b"
            ),
            "fr": r"\bj'utilise\b|\bje (?:travaille|suis) sur\b|\bmon (?:éditeur|système|poste)\b",
            "es": r"\b(?:uso|trabajo (?:con|en)|estoy en|mi (?:editor|máquina|sistema))\b",
            "pt": r"\b(?:eu uso|trabalho (?:com|no)|estou no|meu (?:editor|sistema|computador))\b",
            "ja": r"私は.*(?:使って|環境)|私の(?:環境|エディタ)",
            "zh": r"我(?:用的是|在用|的(?:电脑|系统|编辑器|环境))",
        },
        remembers=("I'm on NixOS", "my shell is fish", "we're on pnpm", "ich nutze Helix"),
        ignores=("I'm on it", "I'm using your patch and it fails"),
    ),
    Rule(
        name="names-a-thing",
        looks_for="a code span, a path, a flag, an identifier",
        when=policy.names_a_thing,
        remembers=("run `make check`", "use src/app for it", "pass --frozen", "call parse_date"),
        ignores=("use it well",),
    ),
    Rule(
        name="speaks-of-the-work",
        looks_for="a word of the trade: tests, commits, functions, docs, errors",
        when=policy.speaks_of_the_work,
        remembers=("keep commits small", "functions need docstrings", "die Feldnamen sind kurz", "别跑全量install"),
        ignores=("have a nice weekend",),
    ),
)
