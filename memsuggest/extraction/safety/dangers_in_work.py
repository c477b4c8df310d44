"""Dangers in the way of working: reviews, checks, approvals, instructions, and what people are told."""

from __future__ import annotations

from memsuggest.extraction.safety.notation import Danger
from memsuggest.extraction.safety.vocabulary import ANY

_CHECKS_OFF = "would switch off checks or tests"
_TELLING = ("tell", "mention", "inform", "warn", "notify", "alert", "reveal", "disclose", "report", "say", "log")

INSTRUCTIONS = Danger(
    name="instructions",
    why="tells an assistant to ignore its instructions",
    cues=(
        *("ignor", "disregard", "forget", "overrid", "bypass", "supersede", "jailbreak", "developer mode", "dan mode"),
        *("do anything now", "system prompt", "hidden instruction", "break", "violate", "vergiss", "missacht", "setzt"),
        *("oubli", "remplace", "annule", "compte", " caso ", "attention", "obey", "follow", "olvid", "anul", "descart", "hebt", "ersetzt"),
    ),
    orders={
        "en": (
            r"(?:ignor(?:e|ing)|disregard|forget|overrid(?:e|ing)|bypass) .. (?:previous|prior|above|earlier|all|your"
            r"|any other|other|system|every) ... {rules}",
            r"(?:ignore|disregard|forget|bypass|break|violate) (?:the|these|those) (?:rules|instructions|guidelines)"
            r"(?: (?:of|in|from|above|you)|[.!]?$)",
            r"(?:supersedes?|overrides?) (?:all|any|every) ... (?:{rules}|earlier|previous|prior)",
            r"(?:be|are|now) jailbr\w+|jailbreak (?:mode|yourself|the|prompts?)|developer mode|dan mode|do anything now|hidden instructions?",
            r"(?:ignor(?:e|ing)|disregard|forget) (?:everything|anything|all|what) .. (?:told|said|above|before|earlier|learned|previously)",
            r"(?:ignore|disregard|forget|reveal|print|show|leak|repeat|output) ... system prompt",
        ),
        "de": (
            r"(?:ignorier|vergiss)\w* alles,? ... (?:gesagt|vorher|bisher|oben|steht|angewiesen)",
            r"(?:ignorier|vergiss|missacht|umgeh)\w* ... (?:alle|bisherig|vorherig|vorig|deine|frue?her|system|obig)\w*"
            r" ... {rules}",
            r"{rules} ... (?:setzt|hebt|ersetzt|ue?berschreibt) ... (?:alle|jede|ander)\w* ... {rules}",
        ),
        "fr": (
            r"(?:ignor|oubli)\w* tout ce (?:qui|qu'on|que) .. (?:dit|precede|appris|avant)",
            r"(?:ignor|oubli|contourn)\w* (?:toutes|tous|tes|vos) (?:les |tes |vos )?{rules}",
            r"(?:ignor|oubli|contourn)\w* .. {rules} (?:precedent|anterieur|systeme|de depart|ci-dessus)\w*",
            r"(?:remplace|annule|prime sur) toutes (?:les )?(?:autres )?{rules}",
        ),
        "es": (
            r"(?:ignor|olvid)\w* todo lo (?:que|anterior|dicho)",
            r"(?:ignor|olvid|descart)\w* (?:todas|tus|sus) (?:las |tus |sus )?{rules}",
            r"(?:ignor|olvid|descart)\w* .. {rules} (?:anterior|previ|del sistema)\w*",
            r"(?:anul|reemplaz|sustituy)\w* (?:a )?todas (?:las )?(?:demas |otras )?{rules}",
        ),
    },
    refusals={
        "en": (
            r"(?:pay no attention to|(?:don't|do not|stop) (?:follow|obey)(?:ing)?)"
            r" (?:the |your |any |all |these |previous |system |other ){1,3}{rules}",
        ),
        "fr": (r"ne (?:tiens|tenez) (?:plus|pas) compte .. {rules}",),
        "es": (r"no (?:hagas|haga) caso .. {rules}",),
    },
)

DANGERS: tuple[Danger, ...] = (
    Danger(
        name="review",
        why="would bring code in without a review",
        cues=(
            *("review", "approv", "pull request", " pr ", " prs ", " main", "master", "trunk", "branch", "freigabe"),
            *("begutacht", "durchsicht", "lecture", "relect", "revue", "validation", "revis", "aproba", "approba", "rama "),
            *("nobody", "no one", "pair of eyes", "without any", "without some"),
        ),
        also=(
            *("push", "merg", "commit", "deploy", " land", " ship", "pouss", "fusion", " sub", "empuj", "haz", "hac", "integr"),
            *("despl", "approv", "review", "kommen", "gehen", " go", "freigab", "pull request", "exclude", "omit", "salt"),
            *("saut", "contourn", "ignor", "brauch", "besoin", "no hace"),
        ),
        orders={
            ANY: (
                r"{push} ... {without} .. {review}",
                r"{without} .. {review} .. {push}",
                r"{push} ... (?:direct(?:ly|o)?|straight|right|direkt|directement|directamente) ... {branch}",
                r"{push} ... {branch} .. (?:directly|direkt|directement|directamente)",
                r"(?:direkt|direct) (?:auf|in|nach) (?:den )?{branch} ... (?:{push}|kommen|gehen)",
                r"(?:kommen|gehen|go|goes) (?:direkt|straight|directly) .. {branch}",
                r"(?:always|just|simply|immer|einfach|toujours|siempre) {push} .. (?:to|auf|nach|sur|dans|a) {branch}"
                r"(?!.{0,40}\b(?:after|once|when|nach|wenn|apres|despues))",
            ),
            "en": (
                r"(?:bypass|skip|ignore)(?:ping|ing)? (?:the |any |code )*(?:code )?reviews?",
                r"self-(?:approve|merge)\w*|approv(?:e|ing) (?:your|my|our|its|their) own",
                r"exclude ... from (?:code )?review",
            ),
            "de": (r"(?:ue?berspring|umgeh)\w* .. (?:code-?)?reviews?",),
            "fr": (r"(?:saut|contourn|ignor)\w* .. (?:relecture|revue)",),
            "es": (r"(?:omit|salt|ignor)\w* .. revision", r"{push} ... sin que nadie"),
        },
        refusals={
            "en": (
                r"(?<!that )(?<!which )(?:don't|do not|doesn't|does not|never) (?:need|require|wait|bother|do) .. (?:a |any )?(?:code )?"
                r"(?:reviews?|approvals?)",
                r"no (?:code )?(?:pull request|pr|reviews?|approvals?) (?:is |are )?(?:needed|required|necessary)",
                r"no need (?:for|to wait for) .. (?:review|approval|pull request)",
                r"(?:nobody|no one) (?:needs|has) to (?:look at|check|review|approve) (?:it|them|that|this)",
                r"{push} ... without .. (?:second pair|anyone|someone|anybody|somebody)",
            ),
            "de": (
                r"(?:review|freigabe) ... (?:brauch\w*|ist|sind) ... (?:nicht|unnoe?tig|kein\w*)(?! (?:umgeh|verzicht))",
                r"(?:musst|brauchst|muss) .. nicht auf .. (?:review|freigabe)\S* .. warten",
                r"brauch\w* .. kein\w* .. (?:review|freigabe|pull request)",
            ),
            "fr": (r"pas besoin d\S* ?(?:une? )?(?:relecture|revue|approbation|pull request|pr)",),
            "es": (r"no (?:hace falta|es necesari\w+) .. (?:revis|aprob)\w*",),
        },
    ),
    Danger(
        name="force push",
        why="would overwrite what others pushed",
        cues=("push", "force", "forza", "fuerza", "empuj"),
        orders={
            ANY: (
                r"force[- ]?push\w*(?! (?:with|using) --force-with-lease)",
                r"(?:git )?push\w* (?:\S+ ){0,4}?(?:--force(?!-with-lease|-if)\b|-f\b)",
                r"git push \S+ \+\w+",
            ),
            "en": (r"push\w* .. with force", r"force (?:the|a|your|every) push"),
            "de": (
                r"(?:mit|per) (?:--?force|gewalt) ... push\w*",
                r"push\w* .. (?:mit|per) (?:gewalt|--force(?!-with))",
                r"mit --?f(?:orce)? (?:zu )?push\w*",
            ),
            "fr": (r"push(?:es)? force[sr]?", r"forc\w+ (?:le |un |ton |les )push(?:es)?", r"pouss\w* .. (?:de|en) force"),
            "es": (r"push(?:es)? forzad\w*", r"(?:fuerza|forza\w*) (?:el |un |los )?(?:push(?:es)?|empuje)"),
        },
    ),
    Danger(
        name="scanners",
        why="would switch off a security scanner",
        cues=(
            *("codeql", "dependabot", "snyk", "gitleaks", "semgrep", "trivy", "grype", "bandit", "audit", "trufflehog"),
            *("sonar", "detect-secrets", "osv-", "zizmor", "checkov", "gosec", "brakeman", "clamav", "vuln", "scan"),
            *("security", "sicherheit", "schwachstellen", "viren", "securite", "escan", "seguridad", "alert"),
        ),
        orders={
            ANY: (
                r"{off} ... {scanner}(?! (?:comments?|config\w*|labels?|badges?|branch\w*))",
                r"{switch} .. {scanner} ... {away}",
                r"{scanner} .. {is_off}",
                r"without .. {scanner}",
            ),
        },
        refusals={
            "en": (
                r"(?:never|don't|do not) (?:run|bother|wait|use|enable) .. {scanner}",
                r"no need (?:for|to run) .. {scanner}",
            ),
        },
    ),
    Danger(
        name="checks",
        why=_CHECKS_OFF,
        cues=(
            *("hook", "test", "check", "ci", "lint", "pipeline", "suite", "pruf", "prueba", "verif", "protect", "sign"),
            *("safeguard", "guard", "compro", "husky"),
        ),
        also=(
            *("disabl", "deactiv", "off", "bypass", "circumv", "skip", "ignor", "dismiss", "suppress", "silenc", "remov"),
            *("delet", "comment", "get rid", "overrid", "mute", "muting", "no ci", "deaktiv", "schalt", "berspr", "umgeh"),
            *("entfern", "losch", "loesch", "unterdr", " aus", "desactiv", "coupe", "contourn", "saut", "supprim", "retir"),
            *("enlev", "deshab", "apag", "omit", "salt", "quit", "elimin", "borr", "merg", "push", "commit", "fusion"),
            *("pouss", " land", " ship", "deploy", " sub", "empuj", "haz ", "integr", "despl"),
        ),
        orders={
            ANY: (
                r"{off} .. (?:(?:git|pre-?commit|commit|pre-?push|husky)[- ])+hooks?",
                r"{off} .. hooks? (?:de )?(?:git|pre-?commit|pre-?push)",
                r"{off} (?:the |all |any |these |those |die |alle |les |los )?hooks(?! (?:that|for|which|from))",
                r"{switch} .. hooks? .. {away}",
                r"hooks? (?:{is_off}|zu ue?berspringen)",
                r"{off} .. {tests} ... (?:before|when|if|whenever|vor|bevor|wenn|avant|quand|antes|cuando|para) ... {push}",
                r"{off} (?:the |all |all the |any )?{tests}(?: (?:in ci|on main|when you|if they fail))",
                r"{off} (?:the |all |any )?(?:required |status |ci ){1,3}checks?",
                r"{push} ... (?:even|although|while|auch|obwohl|ruhig|trotz|meme|aunque) ... (?:red|rot\w*|rouge|rojo"
                r"|fail\w*|broken|echou\w*|fall\w*|fehl\w*)",
                r"{push} ... {without} .. {tests}",
                r"{off} (?:them|it|those) .. {push}",
                r"(?:tests?|testsuite|prue?fungen|hooks?|ci) (?:\S+ ){0,5}?(?:ue?berspringen|abschalten|ausschalten|deaktivieren"
                r"|auslassen|weglassen|auskommentieren)[.!]?$",
                r"\[(?:skip ci|ci skip|no ci)\]",
            ),
            "en": (
                r"(?:skip|disable|bypass|turn off|remove|delete|ignore|circumvent|switch off) .. (?:branch )?protections?",
                r"(?:skip|disable|bypass|turn off|ignore|circumvent|switch off) .. (?:safeguards?|guard ?rails?|code ?sign\w*"
                r"|safety (?:checks?|controls?)|security (?:checks?|controls?|validation)|permission checks?)",
                r"(?:comment(?:ing)? out|disabl\w+|delet\w+|remov\w+|skip\w*) (?:the |any |all )?(?:failing|broken|red) tests?",
                r"turn off the linter in ci",
            ),
            "de": (r"(?:deaktivier|loe?sch|ue?berspring|auskommentier)\w* .. (?:fehlschlagende|rote|kaputte)\w* tests?",),
            "fr": (r"(?:commente|supprim|desactiv|saut)\w* .. tests? (?:qui echouent|en echec|rouges?)",),
            "es": (r"(?:coment|elimin|desactiv|omit|salt)\w* .. (?:pruebas|tests?) que fall\w*",),
        },
    ),
    Danger(
        name="approval",
        why="would let an assistant act without asking",
        cues=(
            *("auto", "dangerously", "yolo", "bypasspermissions", "skip-permissions", "skippermissions", "allow all", "(*)"),
            *("full access", " prompt ", "asking", "ask ", "confirm", "permission", "approv", "ruckfrag", "rueckfrag", "frag", "fragen"),
            *("bestatig", "demand", "pregunt", "aprueb", "aproba", "pedir", "mcp server", "settings.json", "allow-list"),
            *("allowlist", "hook", "root access", "admin rights"),
        ),
        orders={
            ANY: (
                r"--dangerously[\w-]*",
                r"bypasspermissions|skip-?permissions",
                r"yolo[- ]?mode|--yolo|mode yolo|modo yolo|yolo-modus",
            ),
            "en": (
                r"auto-?approv\w*\W+(?:true|\[\S)",
                r"auto-?(?:approv|accept|confirm)\w* ... (?:tools?|commands?|calls?|edits?|everything|all|prompts?|permissions?)",
                r"(?:run|execut\w*|start|delete|push|deploy|apply|install|do) ... (?:commands?|everything|anything|destructive|shell"
                r"|tools?|scripts?|whatever|migrations?|main|master|production) .. without .. (?:asking|confirm\w*|approval|permission|prompt\w*)",
                r"(?:delete|push|deploy|install|force) ... without .. (?:asking|confirmation|permission)",
                r"allow all (?:tools|commands)|full access to (?:the )?(?:file|system|disk|machine|everything|network|computer)",
                r"(?:bash|shell|write|edit)\(\*\)",
                r"(?:add|change|edit|modify|install|grant|allow|give) ... (?:hooks?|permissions?|mcp servers?|allow-?list"
                r"|settings\.json|full access|root access|admin rights) ... (?:without asking|without confirm\w*|automatically|silently"
                r"|to everything|for all|to any|to every\w*|always)",
                r"add (?:the |an? )?(?:hook|mcp server) .. (?:without asking|https?:\S*)",
            ),
            "de": (
                r"(?:befehle?|alles|aktionen|tools?|kommandos?|skripte?|werkzeuge?) ... ohne .. (?:rue?ckfrage\w*|nachfrage\w*|zu fragen"
                r"|nachzufragen|bestae?tigung|freigabe)",
                r"(?:bestae?tig|genehmig|erlaub)\w* ... automatisch",
                r"automatisch (?:zu )?(?:bestae?tig|genehmig|erlaub)\w*",
            ),
            "fr": (
                r"(?:commandes?|tout|actions|outils?|scripts?) ... sans .. (?:demander|confirmation|autorisation|permission)",
                r"(?:approuv|accept|valid)\w* automatiquement",
            ),
            "es": (
                r"(?:comandos?|todo|acciones|herramientas?|scripts?) ... sin .. (?:pedir\w*|preguntar\w*|confirmacion|permiso|autorizacion)",
                r"(?:aprueb|aprob|acept)\w* automaticamente",
            ),
        },
        refusals={
            "en": (
                r"(?:never|don't|do not) ask .. (?:for )?(?:confirmation|permission|approval)",
                r"(?:never|don't|do not) prompt (?:me|us|the user|for)",
                r"(?:don't|do not|needn't|no) (?:need to |have to |need )?ask .. (?:before|to) (?:run|execut|delet|chang|push|deploy|install)\w*",
                r"(?:never|don't|do not) ask (?:me |us )?(?:before|when) .. (?:run|execut|delet|chang|push|deploy|install)\w*",
            ),
            "de": (
                r"frag\w* (?:mich )?(?:nie|nicht|niemals)(?: nach)?,? ... (?:befehl|bevor|ausfue?hr|lae?ufst|loe?sch)\w*",
                r"(?:musst|brauchst|sollst) .. (?:befehl|ausfue?hr|loe?sch|aktion|aufruf)\w* ... nicht (?:zu )?fragen",
            ),
            "fr": (r"ne (?:me )?demand\w* (?:jamais|pas) ... (?:avant|confirmation|permission|autorisation)",),
            "es": (r"(?:no|nunca) (?:me )?(?:pregunt|pid)\w* ... (?:antes|confirmacion|permiso)",),
        },
    ),
    Danger(
        name="hiding",
        why="would hide something from people",
        cues=(
            *(f"{no} {verb}" for no in ("n't", "not", "never") for verb in _TELLING),
            *(f"without {verb}" for verb in ("telling", "informing", "notifying", "asking or", "mentioning", "the knowledge")),
            *("secretly", "silently", "quietly", "notice", "not know", "not see", "keep th", "keep it", "hide th", "hide it", "conceal"),
            *(" sag", "erzahl", "erzaehl", "erwahn", "erwaehn", "verschweig", "verheimlich", "heimlich", " verrat", "verberg"),
            *("ohne", "nenn", "meld", "dis ", "dites", "ne mention", "ne parl", "ne signal", "previen", "n'inform", "cache c"),
            *("cache les", "cachez", "cacher", "insu d", "secretement", "sans ", "digas", "mencion", "ocult", "escondid"),
            *("find out", "hear of", "wissen", "merken", "erfahren", "avis", "cuent", "informes", "informar", "decir", "en secreto", "sin que"),
        ),
        orders={
            "en": (
                r"(?:change|do|add|remove|install|commit|push|make) ... (?:quietly|secretly)",
                r"without (?:telling|informing|notifying|asking or telling|mentioning it to|the knowledge of) .. {people}",
                r"secretly",
                r"silently (?:send|upload|add|install|commit|push|delete|remove|disable|change|exfiltrate)\w*",
                r"do (?:it|this|that) (?:silently|secretly|quietly)",
                r"(?:keep|hide|conceal) (?:this|these|those|it|that|the \w+ (?:changes?|checks?|commits?)|the changes?)"
                r" .. from .. {people}",
            ),
            "de": (
                r"verschweig\w*\b(?! nichts)|verheimlich\w*|heimlich (?:ein|send|schick|install|loe?sch|ae?nder|hochlad)\w*",
                r"ohne .. {people} ... (?:zu )?(?:informier|sag|erzae?hl|bescheid)\w*",
                r"verberg\w* .. (?:ae?nderung|commit)\w* .. (?:vor )?{people}",
            ),
            "fr": (
                r"cach\w* (?:ces|cette|ce|cela|les) (?:modif|change|commit|suppress)\w*",
                r"a l'insu d\w+|secretement",
                r"sans (?:le |la )?(?:dire|prevenir|informer|avertir) .. {people}",
            ),
            "es": (
                r"ocult\w* (?:est[aeo]s?|el|la|los|las)? ?(?:cambio|modific|commit)\w*",
                r"en secreto|a escondidas",
                r"sin (?:que lo sepa|avisar|informar|decir\w*) .. {people}",
            ),
        },
        refusals={
            "en": (
                r"(?:don't|do not|never) (?:tell|inform|warn|notify|alert) (?:the |any |our |my )?{people}(?! (?:to|how|that they))",
                r"(?:don't|do not|never) (?:mention|reveal|disclose|report|say) (?:this|these|it|that|the (?:removed|changed?|deleted|disabled)\w*"
                r"|anything|the users?|the reviewers?|the team)",
                r"(?:don't|do not|never) log (?:it|this|that) anywhere",
                r"(?:don't|do not|never) say (?:anything|a word) ... {people}",
                r"(?:reviewers?|maintainers?|team|security|owner|auditors?) (?:must|should|may|need|can|do|does)(?: not|n't) (?:\w+ )?"
                r"(?:notice|know|see|find out|hear|learn)",
                r"nobody (?:must|should|may|needs to|has to) (?:notice|know|find out|hear)",
            ),
            "de": (
                r"(?:sag|erzae?hl|verrat|verrae?t)\w* .. {people} .. (?:nichts|nicht|nie)",
                r"{people} ... nicht (?:wissen|merken|erfahren|mitbekommen)",
                r"(?:erwae?hn|nenn|meld)\w* (?:diese|dies|das|die)\w* .. (?:nicht|nie|niemals)",
            ),
            "fr": (
                r"ne (?:le |lui |leur )?(?:dis|dites|mentionn\w*|parl\w*|signal\w*|previen\w*|inform\w*) ... (?:rien|pas|jamais)"
                r" ... (?:{people}|(?:l')?utilisateur)",
            ),
            "es": (
                r"sin que .. {people} .. (?:sepa|entere|note)",
                r"(?:no|nunca) (?:le |les |lo )?(?:digas|mencion\w*|inform\w*|avis\w*|cuent\w*) ... {people}",
            ),
        },
    ),
    Danger(
        name="destroying",
        why="would destroy data",
        cues=(
            *("audit", "backup", "prod", "rm -", "sauvegarde", "copias", "auditor"),
        ),
        orders={
            ANY: (
                r"{destroy} ... (?:audit[- ](?:logs?|trails?|entries)|audit-?(?:log|protokoll)\w*|backups?|(?:journaux|logs?) d'audit|sauvegardes"
                r"|copias de seguridad|(?:registros|logs?) de auditoria)(?! (?:older|file names?|alter))",
                r"{destroy} ... (?:prod(?:uction)?(?: |-)(?:db|databases?|tables?|data|schema)|produktions-?(?:datenbank|daten)\w*"
                r"|base (?:de donnees )?de prod\w*|base de datos de prod\w*)",
                r"(?:truncate|drop|wipe) .. (?:tables?|database|schema) .. in prod(?:uction)?",
                r"(?:backups?|audit-?logs?) .. (?:loe?schen|leeren|vernichten)",
                r"rm -(?:rf|fr|r -f) (?:--no-preserve-root )?(?:/|~/?|\*|\./?|\$home/?)(?=[\s,;.]|$)",
            ),
        },
    ),
)
