"""Dangers of what an assistant may do: drop its instructions, act unasked, hide things."""

from __future__ import annotations

from memsuggest.extraction.safety.danger_words import ANY
from memsuggest.extraction.safety.notation import Danger

INSTRUCTIONS = Danger(
    name="instructions",
    why="tells an assistant to ignore its instructions",
    cues=(
        "ignor | disregard | forget | overrid | bypass | supersede | jailbreak | developer mode | dan mode"
        " | do anything now | system prompt | hidden instruction | break | violate | vergiss | missacht | setzt"
        " | oubli | remplace | annule | compte | ~caso~ | attention | obey | follow | ~apply | olvid | anul"
        " | descart | hebt | ersetzt"
    ),
    orders={
        "en": (
            (
                r"(?:ignor(?:e|ing)|disregard|forget|overrid(?:e|ing)|bypass) .. (?:previous|prior|above|earlier"
                r"|all|your"
                r"|any other|other|system|every) ... {rules}"
            ),
            r"(?:ignore|disregard|bypass|override) any {rules} that",
            (
                r"(?:ignore|disregard|forget|bypass|break|violate) (?:the|these|those) (?:rules|instructions"
                r"|guidelines)"
                r"(?: (?:of|in|from|above|you)|[.!]?$)"
            ),
            r"(?:supersedes?|overrides?) (?:all|any|every) ... (?:{rules}|earlier|previous|prior)",
            (
                r"(?:be|are|now) jailbr\w+|jailbreak (?:mode|yourself|the|prompts?)|developer mode|dan mode"
                r"|do anything now|hidden instructions?"
            ),
            (
                r"(?:ignor(?:e|ing)|disregard|forget) (?!what i (?:just |have )?(?:said|told you) about\b)"
                r"(?:everything|anything|all|what) .. (?:told|said|above|before"
                r"|earlier|learned|previously)"
            ),
            r"(?:ignore|disregard|forget) (?:everything|anything|all|what) .. (?:in|from) \S+\.md",
            r"(?:ignore|disregard|forget|reveal|print|show|leak|repeat|output) ... system prompt",
        ),
        "de": (
            r"(?:ignorier|vergiss)\w* alles,? ... (?:gesagt|vorher|bisher|oben|steht|angewiesen)",
            (
                r"(?:ignorier|vergiss|missacht|umgeh)\w* ... (?:alle|bisherig|vorherig|vorig|deine|frue?her|system"
                r"|obig)\w*"
                r" ... {rules}"
            ),
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
            (
                r"(?:pay no attention to|(?:don't|do not|stop) (?:follow|obey)(?:ing)?)"
                r" (?:the |your |any |all |these |previous |system |other ){1,3}{rules}"
            ),
            (
                r"(?:your|these|previous|all|safety|system) (?:safety |system |previous )?{rules} (?:don't|do not"
                r"|no longer) apply"
            ),
        ),
        "fr": (r"ne (?:tiens|tenez) (?:plus|pas) compte .. {rules}",),
        "es": (r"no (?:hagas|haga) caso .. {rules}",),
    },
)

DANGERS: tuple[Danger, ...] = (
    Danger(
        name="approval",
        why="would let an assistant act without asking",
        cues=(
            "auto | dangerously | yolo | answer~ | say~yes | reponds | responde | antwort | bypasspermissions"
            " | skip-permissions | skippermissions | allow all | (*)"
            " | full access | ~prompt~ | asking | ask~ | confirm | permission | approv | ruckfrag | rueckfrag"
            " | frag | fragen | bestatig | demand | pregunt | aprueb | aproba | pedir | mcp server"
            " | settings.json | allow-list | allowlist | hook | root access | admin rights"
        ),
        orders={
            ANY: (
                r"--dangerously[\w-]*",
                (
                    r"(?:answer|say|reply|reponds|responde|antworte) .. (?:yes|oui|si|ja) .. (?:every|all|any|tou(?:te"
                    r"|s)\w*|tod[oa]s?|alle|jede)\w*"
                ),
                r"beantwort\w* ... (?:rue?ckfrage|nachfrage)\w* ... (?:automatisch|mit ja)",
                r"bypasspermissions|skip-?permissions",
                r"yolo[- ]?mode|--yolo|mode yolo|modo yolo|yolo-modus",
            ),
            "en": (
                r"auto-?approv\w*\W+(?:true|\[\S)",
                (
                    r"auto-?(?:approv|accept|confirm)\w* ... (?:tools?|commands?|calls?|edits?|everything|all"
                    r"|prompts?"
                    r"|permissions?)"
                ),
                (
                    r"(?:accept|approv|confirm|allow)\w* (?:all|every|any)\w* .. (?:tool|command|prompt|permission"
                    r"|edit)\w* (?:\w+ )?(?:automatically|blindly|silently)"
                ),
                (
                    r"(?:run|execut\w*|start|delete|push|deploy|apply|install|do) ... (?:commands?|everything"
                    r"|anything"
                    r"|destructive|shell"
                    r"|tools?|scripts?|whatever|migrations?|main|master|production) .. without .. (?:asking"
                    r"|confirm\w*"
                    r"|approval|permission|prompt\w*)"
                ),
                r"(?:delete|push|deploy|install|force) ... without .. (?:asking|confirmation|permission)",
                (
                    r"allow all (?:tools|commands)|full access to (?:the )?(?:file|system|disk|machine|everything"
                    r"|network"
                    r"|computer)"
                ),
                r"(?:bash|shell|write|edit)\(\*\)",
                (
                    r"(?:add|change|edit|modify|install|grant|allow|give) ... (?:hooks?|permissions?|mcp servers?"
                    r"|allow-?list"
                    r"|settings\.json|full access|root access|admin rights) ... (?:without asking"
                    r"|without confirm\w*"
                    r"|automatically|silently"
                    r"|to everything|for all|to any|to every\w*|always)"
                ),
                r"add (?:the |an? )?(?:hook|mcp server) .. (?:without asking|https?:\S*)",
            ),
            "de": (
                (
                    r"(?:befehle?|alles|aktionen|tools?|kommandos?|skripte?"
                    r"|werkzeuge?) ... ohne .. (?:rue?ckfrage\w*"
                    r"|nachfrage\w*|zu fragen"
                    r"|nachzufragen|bestae?tigung|freigabe)"
                ),
                r"(?:bestae?tig|genehmig|erlaub)\w* ... automatisch",
                r"automatisch (?:zu )?(?:bestae?tig|genehmig|erlaub)\w*",
            ),
            "fr": (
                (
                    r"(?:commandes?|tout|actions|outils?|scripts?) ... sans .. (?:demander|confirmation"
                    r"|autorisation"
                    r"|permission)"
                ),
                r"(?:approuv|accept|valid)\w* (?:[\w']{1,12} ){0,4}?automatiquement",
            ),
            "es": (
                (
                    r"(?:comandos?|todo|acciones|herramientas?|scripts?) ... sin .. (?:pedir\w*|preguntar\w*"
                    r"|confirmacion"
                    r"|permiso|autorizacion)"
                ),
                r"(?:aprueb|aprob|acept)\w* (?:\w{1,12} ){0,4}?automaticamente",
            ),
        },
        refusals={
            "en": (
                r"(?:never|don't|do not) ask .. (?:for )?(?:confirmation|permission|approval)",
                r"(?:never|don't|do not) prompt (?:me|us|the user)(?! toward)",
                (
                    r"(?:don't|do not|needn't|no) (?:need to |have to |need )?ask .. (?:before|to) (?:run|execut"
                    r"|delet"
                    r"|chang|push|deploy|install)\w*"
                ),
                (
                    r"(?:never|don't|do not) ask (?:me |us )?(?:before|when) .. (?:run|execut|delet|chang|push"
                    r"|deploy"
                    r"|install)\w*"
                ),
            ),
            "de": (
                (
                    r"frag\w* (?:mich )?(?:nie|nicht|niemals)(?: nach)?,? ... (?:befehl|bevor|ausfue?hr|lae?ufst"
                    r"|loe?sch)\w*"
                ),
                (
                    r"(?:musst|brauchst|sollst) .. (?:befehl|ausfue?hr|loe?sch|aktion"
                    r"|aufruf)\w* ... nicht (?:zu )?fragen"
                ),
            ),
            "fr": (r"ne (?:me )?demand\w* (?:jamais|pas) ... (?:avant|confirmation|permission|autorisation)",),
            "es": (r"(?:no|nunca) (?:me )?(?:pregunt|pid)\w* ... (?:antes|confirmacion|permiso)",),
        },
    ),
    Danger(
        name="hiding",
        why="would hide something from people",
        cues=(
            "n't tell | n't mention | n't inform | n't warn | n't notify | n't alert | n't reveal | n't disclose"
            " | n't report | n't say | n't log | not tell | not mention | not inform | not warn | not notify"
            " | not alert | not reveal | not disclose | not report | not say | not log | never tell"
            " | never mention | never inform | never warn | never notify | never alert | never reveal"
            " | never disclose | never report | never say | never log | without telling | without informing"
            " | without notifying | without asking or | without mentioning | without the knowledge | secretly"
            " | silently | quietly | notice | not know | not see | keep th | keep it | hide th | hide it"
            " | conceal | in the dark | ~sag | erzahl | erzaehl | erwahn | erwaehn | verschweig | verheimlich"
            " | heimlich | ~verrat | verberg | ohne | nenn | meld | dis~ | dites | ne mention | ne parl"
            " | ne signal | previen | n'inform | cache c | cache les | cachez | cacher | insu d | secretement"
            " | sans~ | digas | mencion | ocult | escondid | find out | hear of | wissen | merken | erfahren"
            " | avis | cuent | informes | informar | decir | en secreto | sin que"
        ),
        orders={
            "en": (
                r"(?:change|do|add|remove|install|commit|push|make) ... (?:quietly|secretly)",
                r"keep .. {people} in the dark",
                (
                    r"without (?:telling|informing|notifying|asking or telling|mentioning it to"
                    r"|the knowledge of) .. {people}"
                ),
                r"secretly",
                r"silently (?:send|upload|add|install|commit|push|delete|remove|disable|change|exfiltrate)\w*",
                r"do (?:it|this|that) (?:silently|secretly|quietly)",
                (
                    r"(?:keep|hide|conceal) (?:this|these|those|it|that|the \w+ (?:changes?|checks?|commits?)"
                    r"|the changes?)"
                    r" .. from .. {people}"
                ),
            ),
            "de": (
                (
                    r"verschweig\w*\b(?! nichts)|verheimlich\w*|heimlich (?:ein|send|schick|install|loe?sch|ae?nder"
                    r"|hochlad)\w*"
                ),
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
                (
                    r"(?:don't|do not|never) (?:tell|inform|warn|notify|alert) (?:the |any |our"
                    r" |my )?{people}(?! (?:to"
                    r"|how|that they))"
                ),
                (
                    r"(?:don't|do not|never) (?:mention|reveal|disclose|report|say) (?:this|these|it|that"
                    r"|the (?:removed"
                    r"|changed?|deleted|disabled)\w*"
                    r"|anything|the users?|the reviewers?|the team)"
                ),
                r"(?:don't|do not|never) log (?:it|this|that) anywhere",
                r"(?:don't|do not|never) say (?:anything|a word) ... {people}",
                (
                    r"(?:reviewers?|maintainers?|team|security|owner|auditors?) (?:must|should|may|need|can|do"
                    r"|does)(?: not|n't) (?:\w+ )?"
                    r"(?:notice|know|see|find out|hear|learn)"
                ),
                r"nobody (?:must|should|may|needs to|has to) (?:notice|know|find out|hear)",
            ),
            "de": (
                r"(?:sag|erzae?hl|verrat|verrae?t)\w* .. {people} .. (?:nichts|nicht|nie)",
                r"{people} ... nicht (?:wissen|merken|erfahren|mitbekommen)",
                r"(?:erwae?hn|nenn|meld)\w* (?:diese|dies|das|die)\w* .. (?:nicht|nie|niemals)",
            ),
            "fr": (
                (
                    r"ne (?:le |lui |leur )?(?:dis|dites|mentionn\w*|parl\w*|signal\w*|previen\w*"
                    r"|inform\w*) ... (?:rien"
                    r"|pas|jamais)"
                    r" ... (?:{people}|(?:l')?utilisateur)"
                ),
            ),
            "es": (
                r"sin que .. {people} .. (?:sepa|entere|note)",
                r"(?:no|nunca) (?:le |les |lo )?(?:digas|mencion\w*|inform\w*|avis\w*|cuent\w*) ... {people}",
            ),
        },
    ),
)
