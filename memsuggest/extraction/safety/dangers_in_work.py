"""Dangers in the way of working: reviews, pushes, scanners, tests and hooks."""

from __future__ import annotations

from memsuggest.extraction.safety.danger_words import ANY
from memsuggest.extraction.safety.notation import Danger, not_needed, switched_off

_CHECKS_OFF = "would switch off checks or tests"

DANGERS: tuple[Danger, ...] = (
    Danger(
        name="review",
        why="would bring code in without a review",
        cues=(
            "review | approv | pull request | ~pr~ | ~prs~ | ~main | master | trunk | branch | freigabe"
            " | begutacht | durchsicht | lecture | relect | revue | validation | revis | aproba | approba | rama~"
            " | nobody | no one | pair of eyes | without any | without some"
        ),
        also=(
            "push | merg | commit | deploy | ~land | ~ship | pouss | fusion | ~sub | empuj | haz | hac | integr"
            " | despl | approv | review | kommen | gehen | ~go | freigab | pull request | exclude | omit | salt"
            " | saut | contourn | ignor | brauch | besoin | no hace"
        ),
        orders={
            ANY: (
                r"{push} ... {without} .. {review}",
                r"{without} .. {review} .. {push}",
                r"{push} ... (?:direct(?:ly|o)?|straight|right|direkt|directement|directamente) ... {branch}",
                r"{push} ... {branch} .. (?:directly|direkt|directement|directamente)",
                r"(?:direkt|direct) (?:auf|in|nach) (?:den )?{branch} ... (?:{push}|kommen|gehen)",
                r"(?:kommen|gehen|go|goes) (?:direkt|straight|directly) .. {branch}",
                (
                    r"(?:always|just|simply|immer|einfach|toujours|siempre) {push} .. (?:to|auf|nach|sur|dans"
                    r"|a) {branch}"
                    r"(?!.{0,40}\b(?:after|once|when|nach|wenn|apres|despues))"
                ),
            ),
            "en": (
                r"(?:bypass|skip|ignore)(?:ping|ing)? (?:the |any |code )*(?:code )?reviews?",
                (
                    r"(?:skip|bypass|forget)(?:ping)? (?:the |any )?(?:prs?|pull requests?)(?! (?:template"
                    r"|description"
                    r"|title|number|label|comment)\w*)"
                ),
                r"direct (?:push|commit)\w* (?:to|on) {branch}",
                r"self-(?:approve|merge)\w*|approv(?:e|ing) (?:your|my|our|its|their) own",
                r"exclude ... from (?:code )?review",
            ),
            "de": (r"(?:ue?berspring|umgeh)\w* .. (?:code-?)?reviews?",),
            "fr": (r"(?:saut|contourn|ignor)\w* .. (?:relecture|revue)",),
            "es": (r"(?:omit|salt|ignor)\w* .. revision", r"{push} ... sin que nadie"),
        },
        refusals={
            ANY: not_needed("(?:code |peer )?(?:reviews?|approvals?|freigaben?|relecture|revue|revision|aprobacion)"),
            "en": (
                (
                    r"(?<!that )(?<!which )(?:don't|do not|doesn't|does not|never) (?:need|require|wait|bother"
                    r"|do) .. (?:a |any )?(?:code )?"
                    r"(?:reviews?|approvals?)"
                ),
                r"no (?:code )?(?:pull request|pr|reviews?|approvals?) (?:is |are )?(?:needed|required|necessary)",
                r"no need (?:for|to wait for) .. (?:review|approval|pull request)",
                r"(?:nobody|no one) (?:needs|has) to (?:look at|check|review|approve) (?:it|them|that|this)",
                r"{push} ... without .. (?:second pair|anyone|someone|anybody|somebody)",
            ),
            "de": (
                (
                    r"(?:review|freigabe) ... (?:brauch\w*|ist|sind) ... (?:nicht|unnoe?tig|kein\w*)(?! (?:umgeh"
                    r"|verzicht))"
                ),
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
        cues=("push | force | forza | fuerza | empuj"),
        orders={
            ANY: (
                (
                    r"force[- ]?push\w*(?! (?:with|using) --force-with-lease|.{0,40}\b(?:own|feature|topic"
                    r"|personal) branch)"
                ),
                r"(?:git )?push\w* (?:\S+ ){0,4}?(?:--force(?!-with-lease|-if)\b|-f\b)",
                r"git push \S+ \+\w+",
            ),
            "en": (r"--force(?!-) .. (?:git )?push\w*", r"push\w* .. with force", r"force (?:the|a|your|every) push"),
            "de": (
                r"(?:mit|per) (?:--?force|gewalt) ... push\w*",
                r"push\w* .. (?:mit|per) (?:gewalt|--force(?!-with))",
                r"mit --?f(?:orce)? (?:zu )?push\w*",
            ),
            "fr": (
                r"push(?:es)? force[sr]?",
                r"forc\w+ (?:le |un |ton |les )push(?:es)?",
                (
                    r"pouss\w* .. (?:de|en)"
                    r" force"
                ),
            ),
            "es": (r"push(?:es)? forzad\w*", r"(?:fuerza|forza\w*) (?:el |un |los )?(?:push(?:es)?|empuje)"),
        },
    ),
    Danger(
        name="scanners",
        why="would switch off a security scanner",
        cues=(
            "codeql | dependabot | snyk | gitleaks | semgrep | trivy | grype | bandit | audit | trufflehog"
            " | sonar | detect-secrets | osv- | zizmor | checkov | gosec | brakeman | clamav | vuln | scan"
            " | security | sicherheit | schwachstellen | viren | securite | escan | seguridad | alert"
        ),
        orders={
            ANY: (
                r"{off} ... {scanner}(?! (?:comments?|config\w*|labels?|badges?|branch\w*))",
                *switched_off("{scanner}")[1:],
                r"without .. {scanner}",
            ),
        },
        refusals={
            ANY: not_needed("{scanner}"),
            "en": (r"(?:never|don't|do not) (?:run|use|enable) .. {scanner}",),
        },
    ),
    Danger(
        name="checks",
        why=_CHECKS_OFF,
        cues=(
            "hook | test | check | ci | lint | pipeline | suite | pruf | prueba | verif | protect | sign"
            " | safeguard | guard | pre-commit | pre-push | precommit | compro | husky | ~red~ | rote | rojo"
            " | rouge | broken | failing"
        ),
        refusals={
            "en": (
                (
                    r"(?:don't|do not|never|no need to) (?:bother )?(?:run|running"
                    r"|wait for) .. {tests} .. before .. {push}"
                ),
                r"(?:ci|tests) (?:is|are) optional",
            ),
        },
        also=(
            "disabl | deactiv | off | bypass | circumv | skip | ignor | dismiss | suppress | silenc | remov"
            " | delet | comment | get rid | overrid | mute | muting | no ci | deaktiv | schalt | berspr | umgeh"
            " | entfern | losch | loesch | unterdr | ~aus | desactiv | coupe | contourn | saut | supprim | retir"
            " | enlev | deshab | apag | omit | salt | quit | elimin | borr | merg | push | commit | fusion"
            " | pouss | ~land | ~ship | deploy | ~sub | empuj | haz~ | integr | despl"
        ),
        orders={
            ANY: (
                r"{off} .. (?:(?:git|pre-?commit|commit|pre-?push|husky)[- ])+hooks?",
                (
                    r"{off} (?:the |le |el |die |das )?(?:pre-?commit|pre-?push|husky)(?! (?:config|section|docs"
                    r"|file"
                    r"|version)\w*|[\w.])"
                ),
                r"{tests} .. {is_off} .. (?:before|when|while|vor|avant|antes) .. {push}",
                r"{off} .. hooks? (?:de )?(?:git|pre-?commit|pre-?push)",
                r"{off} (?:the |all |any |these |those |die |alle |les |los )?hooks(?! (?:that|for|which|from))",
                r"{switch} .. hooks? .. {away}",
                r"hooks? (?:{is_off}|zu ue?berspringen)",
                (
                    r"{off} .. {tests} ... (?:before|when|if|whenever|vor|bevor|wenn|avant|quand|antes|cuando"
                    r"|para) ... {push}"
                ),
                r"{off} (?:the |all |all the |any )?{tests}(?: (?:in ci|on main|when you|if they fail))",
                r"{off} (?:the |all |any )?(?:required |status |ci ){1,3}checks?",
                (
                    r"{push} ... (?:even|although|while|auch|obwohl|ruhig|trotz|meme|aunque) ... (?:red|rot\w*"
                    r"|rouge|rojo"
                    r"|fail\w*|broken|echou\w*|fall\w*|fehl\w*)"
                ),
                r"{push} ... {without} .. {tests}",
                r"{off} (?:them|it|those) .. {push}",
                (
                    r"(?:tests?|testsuite|prue?fungen|hooks?|ci) (?:\S+ ){0,5}?(?:ue?berspringen|abschalten"
                    r"|ausschalten"
                    r"|deaktivieren"
                    r"|auslassen|weglassen|auskommentieren)[.!]?$"
                ),
                (
                    r"{push} (?:the |a |any )?(?:red|failing|broken|rote[rns]?) (?:builds?|prs?|branch\w*"
                    r"|pull requests?"
                    r"|pipelines?)"
                ),
                (
                    r"(?:bei|trotz) (?:rote[rns]?|fehlschlagende[rns]?|kaputte[rns]?) (?:pipeline|ci|tests?"
                    r"|builds?) (?:\S+ ){0,3}?{push}"
                ),
                r"(?:merge|push|deploy|release) (?:it |them )?(?:anyway|regardless)",
                r"\[(?:skip ci|ci skip|no ci)\]",
            ),
            "en": (
                (
                    r"(?:skip|disable|bypass|turn off|remove|delete|ignore|circumvent"
                    r"|switch off) .. (?:branch )?protections?"
                ),
                (
                    r"(?:skip|disable|bypass|turn off|ignore|circumvent|switch off) .. (?:safeguards?|guard ?rails?"
                    r"|code ?sign\w*"
                    r"|safety (?:checks?|controls?)|security (?:checks?|controls?|validation)|permission checks?)"
                ),
                (
                    r"(?:comment(?:ing)? out|disabl\w+|delet\w+|remov\w+|skip\w*) (?:the |any |all )?(?:failing"
                    r"|broken"
                    r"|red) tests?"
                ),
                r"turn off the linter in ci",
            ),
            "de": (
                (
                    r"(?:deaktivier|loe?sch|ue?berspring|auskommentier)\w* .. (?:fehlschlagende|rote"
                    r"|kaputte)\w* tests?"
                ),
            ),
            "fr": (r"(?:commente|supprim|desactiv|saut)\w* .. tests? (?:qui echouent|en echec|rouges?)",),
            "es": (r"(?:coment|elimin|desactiv|omit|salt)\w* .. (?:pruebas|tests?) que fall\w*",),
        },
    ),
    Danger(
        name="hooks of git",
        why=_CHECKS_OFF,
        cues=("no-verify | commit | hookspath | husky"),
        orders={
            ANY: (
                r"--no-verify(?![\w-])",
                r"git commit (?:\S+ ){0,4}?-[a-z]*n[a-z]*(?![\w-])",
                r"commit\w* .. (?:with|using|mit|avec|con) -n(?![\w-])",
                r"core\.hookspath\W+(?:to )?/dev/null|husky ?= ?0|husky_skip_hooks",
            ),
        },
    ),
)
