"""The words that the tables of dangers are written with, by language, without accents.

Alternatives are parted by " | "; each is a regular expression for one word or phrase.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


ANY = "any"

VOCABULARY: Mapping[str, Mapping[str, str]] = {
    "off": {  # in one word, before what is switched off
        "en": r"disabl\w+ | deactivat\w+ | (?:switch|turn)(?:ing|ed)? off | bypass\w* | circumvent\w* | skip(?:s"
        r"|ping)?"
        r" | ignor(?:e|es|ing) | dismiss\w* | suppress\w* | silenc\w+ | mut(?:e|ing) | remov(?:e|es|ing)"
        r" | delet(?:e|es|ing) | comment(?:ing)? out | get rid of | override"
        r" | rip(?:ping)? out | strip(?:ping)?(?: out)? | drop(?:ping)? | tak(?:e|ing) out | work(?:ing)? around",
        "de": r"deaktivier\w* | ab(?:zu)?schalt\w* | aus(?:zu)?schalt\w* | ue?berspring\w* | ue?berzuspringen"
        r" | umgeh\w*"
        r" | ignorier\w* | entfern\w* | loe?sch\w* | unterdrue?ck\w*",
        "fr": r"desactiv\w* | coupe[rz]? | contourn\w* | saut(?:e|er|ez) | ignor\w* | supprim\w* | retir\w*"
        r" | enlev\w*",
        "es": r"desactiv\w* | deshabilit\w* | apag(?:a|ar|ue|uen) | omit\w* | salt(?:a|ar|ate|arse) | ignor\w*"
        r" | quit(?:a|ar|en|e) | elimin\w* | borr(?:a|ar)",
    },
    "switch": {  # the first half of "turn … off"
        "en": r"turn(?:ing)? | switch(?:ing)? | take",
        "de": r"schalt\w* | stell\w* | dreh\w* | mach\w* | lass\w*",
        "fr": r"mets | mettre | mettez",
        "es": r"pon | poner | deja | dejar",
    },
    "away": {"en": "off | out", "de": "ab | aus | weg", "fr": "hors service | de cote", "es": "fuera"},
    "is_off": {  # after what is switched off: "is disabled", and the German infinitive at the end
        "en": r"disabled | turned off | switched off | (?:be|is|are|gets?|stays?|remains?) (?:\w+ )?(?:disabled"
        r"|skipped|ignored|bypassed|off|turned off|switched off"
        r"|removed)",
        "de": r"deaktivier(?:t|en) | ab(?:ge)?schalte[nt] | aus(?:ge)?schalte[nt] | ue?berspringen | ue?bersprungen"
        r" | ignorier(?:t|en) | umgehen | entfernen | auslassen | weglassen | sind aus | bleib(?:t|en) aus",
        "fr": r"(?:est|sont|soit|etre) (?:\w+ )?(?:desactive|ignore|supprime)\w*",
        "es": r"(?:esta|estan|este|esten|quedan?) (?:desactivad|apagad|deshabilitad)\w*"
        r" | se (?:desactiva|omite|salta|ignora|deshabilita)n?"
        r" | puede[ns]? (?:omitir|saltar|ignorar|desactivar)(?:se)?",
    },
    "without": {
        "en": r"without | w/o | bypassing | skipping",
        "de": "ohne",
        "fr": "sans",
        "es": "sin",
    },
    "outside": {  # where what is ours goes when it leaves the house
        ANY: r"https?://(?!localhost|127\.)\S* | [\w.+-]{1,40}@[\w-]{1,40}\.\w+ | pastebin\S* | \w*paste\.\w+\S*"
        r" | gists?"
        r" | discord | telegram | dropbox | transfer\.sh | ngrok | google drive | (?:chat)?gpt",
        "en": r"external | outside | elsewhere | third[- ]part\w+ | vendors?(?:'s)? | partners? | online | webhooks?"
        r" | collectors? | public (?:forums?|gists?|buckets?|channels?|repo\w*|web\w*|internet) | the internet"
        r" | remote servers?",
        "de": r"extern\w* | dritte\w* | dienstleister\w* | anbieter\w* | fremde\w* | online | internet | nach au(?:ss"
        r"|ß)en",
        "fr": r"externes? | exterieur | tiers | fournisseurs? | prestataires? | en ligne | internet | partenaires?",
        "es": r"extern[oa]s? | exterior | terceros | proveedor\w* | en linea | internet | socios?",
    },
    "send": {
        "en": r"send\w* | upload\w* | post(?:s|ing)? | exfiltrat\w* | forward\w* | leak\w* | transmit\w*"
        r" | e?-?mail\w*"
        r" | shar(?:e|es|ing) | publish\w* | past(?:e|es|ing) | stream\w* | export\w* | ship(?:s|ping)? | mirror\w*"
        r" | push (?:a copy|copies|it|everything) | copy (?:the|our|all|every\w*)",
        "de": r"schick\w* | send\w* | lad(?:e|en|t)? | hochlad\w* | ue?bertrag\w* | vere?oe?ffentlich\w* | teil(?:e"
        r"|en|t)"
        r" | kopier\w* | poste\w* | leit(?:e|en|et)",
        "fr": r"envoi\w* | envoy\w* | televers\w* | publi\w* | partag\w* | transmet\w* | transfer\w* | colle[rz]?"
        r" | poste[rz]?",
        "es": r"envia\w* | envie\w* | sub(?:e|ir|an|a) | mand(?:a|ar|e|en) | compart\w* | publi\w* | transfier\w*"
        r" | pega\w*",
    },
    "data": {  # what is ours and stays in the house
        "en": r"(?:source|our|whole|entire|full|project|all|every) (?:code|tree|files?|repo\w*|sources?|project)"
        r" | the (?:code|sources|repo\w*)"
        r" | (?:the |this )?(?:whole|entire) (?:file|conversation|chat|diff)s? | logs? | log files | stack ?traces?"
        r" | (?:\w+ )?dumps? | conversations? | chat history | transcripts? | code snippets | (?:copy"
        r"|copies) of (?:the |our |all )?\w+ | diffs? | patches | all (?:\w+ )?files | prompts"
        r" | (?:customers?|users?|personal|clients?|production|private)(?:'s?)? (?:data|lists?|records|tables?"
        r"|details|addresses|emails?)"
        r" | database",
        "de": r"quellcode\w* | quelltext\w* | sourcecode\w* | der code | den code | logs? | logdatei\w* | protokolle"
        r" | (?:kunden|nutzer|benutzer|personen|produktions)daten | datenbank\w* | gespraeche? | chatverlauf"
        r" | stacktraces? | diffs?",
        "fr": r"code(?: source)? | sources | journaux | logs | traces | base de donnees | conversations?"
        r" | donnees (?:[\w']{1,12} ){0,2}?(?:clients?|utilisateurs?|personnelles|production)",
        "es": r"codigo(?: fuente)? | registros | logs | trazas | base de datos | conversaci\w+"
        r" | datos (?:\w{1,12} ){0,2}?(?:clientes?|usuarios?|personales|produccion)",
    },
    "secret": {
        "en": r"\.env(?!\.?(?:example|sample|template|dist)|\.\w+\.example)(?:\.\w+)? | secrets?(?! santa)"
        r" | (?:\w+ )?credentials? | passwords? | passphrases? | (?:api|access|auth|bearer|session|refresh|admin"
        r"|secret)[- ](?:keys?|tokens?)"
        r" | (?:private|signing|ssh|service account|account|encryption) keys?",
        "de": r"zugangsdaten | anmeldedaten | [\w-]{0,20}passwoe?rt\w* | [\w-]{0,20}kennwoe?rt\w* | geheimnisse?"
        r" | (?:privaten?|geheimen?) schlue?ssel\w* | (?:api|ssh)[- ]?(?:schlue?ssel|keys?|tokens?) | \.env-datei",
        "fr": r"identifiants | mots? de passe | secrets? | cles? (?:privees?|d'api|api|ssh|secretes?)"
        r" | jetons? d'acces",
        "es": r"credenciales | contrasenas? | secretos? | claves? (?:privadas?|de api|api|ssh|secretas?)",
    },
    "password": {
        "en": "passwords? | passphrases? | user password column",
        "de": r"[\w-]{0,20}passwoe?rt\w* | [\w-]{0,20}kennwoe?rt\w*",
        "fr": "mots? de passe",
        "es": "contrasenas?",
    },
    "people": {  # who has to know what is done
        "en": r"users? | reviewers? | maintainers? | team | anyone | anybody | humans? | developers?"
        r" | security(?: team)? | owner"
        r" | auditors? | me | us",
        "de": r"nutzern?(?:in)? | benutzern? | reviewern? | team | niemand\w* | jemand\w* | mir | uns | entwicklern?",
        "fr": r"utilisateurs? | relecteurs? | equipe | personne | mainteneurs? | developpeurs?",
        "es": r"usuarios? | revisor\w* | equipo | nadie | mantenedor\w* | desarrollador\w*",
    },
    "branch": {
        "en": r"main(?! (?:menu|page|thread|window|loop|function|module|class|content|file|process|package|app|view"
        r"|entry))"
        r" | master | trunk | production branch | default branch",
        "de": r"(?:main|master)-?branch | haupt-?(?:branch|zweig)",
        "fr": "branche principale",
        "es": "rama principal",
    },
    "push": {
        "en": r"push(?:es|ing|ed)? | merg(?:e|es|ing|ed) | commit(?:s|ting|ted)? | deploy\w* | releas(?:e|ing)"
        r" | land(?:s|ing)? | ship(?:s|ping)?",
        "de": r"pushe?[nt]?s? | gepusht | merge?[nt]? | gemergt | committe\w* | mergst | pushst | deploye\w*",
        "fr": r"pouss(?:e|er|ez|es|ees?) | fusions?"
        r" | fusionn\w* | commite[rz]? | merge[rz]? | deploie\w*",
        "es": r"sub(?:e|ir|an|as|a|en|idos?) | empuj\w* | fusion(?:a|ar|e|es) | (?:haz|hacer|hagas?) (?:el )?"
        r"(?:merge|push|commit)"
        r" | desplieg\w* | integra\w*",
    },
    "review": {
        "en": r"(?:code |peer )?reviews? | approvals? | pull requests? | prs? | being reviewed",
        "de": r"freigaben? | begutachtung | durchsicht | reviewer",
        "fr": r"(?:re)?lecture | revue(?: de code)? | approbation | validation | relecteur",
        "es": r"revision\w* | aprobacion\w* | revisor\w*",
    },
    "scanner": {
        ANY: r"codeql | dependabot | snyk | gitleaks | semgrep | trivy | grype | bandit | (?:npm|pnpm|yarn|cargo"
        r"|bundle[r-]?) audit"
        r" | pip-audit | trufflehog | sonar(?:qube|cloud)? | detect-secrets | osv-scanner | zizmor | checkov | gosec"
        r" | brakeman"
        r" | clamav | govulncheck",
        "en": r"(?:security|code|vulnerabilit(?:y|ies)|secrets?|dependency|virus|malware|container)[ -]?(?:scan\w*"
        r"|alerts?|warnings?)",
        "de": r"sicherheits-?(?:scan\w*|warnung\w*|prue?fung\w*) | schwachstellen-?scan\w* | virenscan\w*",
        "fr": r"(?:scans?|analyses?|alertes?) de (?:securite|vulnerabilites?|secrets)",
        "es": r"(?:escane\w*|analisis|alertas?) de (?:seguridad|vulnerabilidades|secretos)",
    },
    "tests": {
        "en": r"(?:(?:unit|failing|integration|all|required|status|ci|security|slow|type|the|those|these) ){0,3}"
        r"(?:tests?|test ?suite|suite|ci|checks?|linters?|lint|type ?checks?|pipeline)",
        "de": r"(?:unit-?)?tests? | testsuite | prue?fungen | ci | pipeline",
        "fr": r"(?:les )?tests? | ci | verifications | pipeline",
        "es": r"(?:las |los )?(?:pruebas|tests?) | ci | comprobaciones | verificaciones",
    },
    "cert": {  # the verification of who is on the other side
        "en": r"(?:tls|ssl|https|x509|cert(?:ificate)?s?|host ?names?|host[- ]?keys?)[ /-](?:(?:tls|ssl"
        r"|certificate)[ -])?"
        r"(?:verif\w+|valid\w+|check\w*|errors?|warnings?|pinning)",
        "de": r"zertifikats?-?(?:prue?fung|fehler|validierung|warnung|verifi\w+)\w*"
        r" | (?:tls|ssl|https)[- ]?(?:prue?fung|verifi\w+|fehler|validierung)\w*",
        "fr": r"(?:verifications?|validations?|erreurs?|avertissements?|controles?) (?:[\w']{1,4} )?"
        r"(?:tls|ssl|https|certificats?|d'hote)",
        "es": r"(?:verificacion|validacion|errores|error|avisos?|comprobacion) (?:\w{1,4} )?(?:\w{1,4} )?(?:tls|ssl"
        r"|https|certificados?)",
    },
    "input": {  # what comes from outside
        "en": r"upload\w* | users?(?:'s)? | requests? | clients? | (?:user )?inputs? | incoming | received"
        r" | external | untrusted"
        r" | network | messages? | body | they send | the (?:web|internet|net) | cookies? | payloads? | search terms?"
        r" | form values? | query (?:strings?|param\w*) | url param\w* | headers? | (?:their|custom) (?:formulas?"
        r"|expressions?|code|scripts?)",
        "de": r"hochgeladen\w* | \w{0,12}eingaben? | (?:be)?nutzer\w* | benutzer\w* | nutzer\w* | anfragen?"
        r" | clients? | extern\w* | empfangen\w*",
        "fr": r"envoyes?(?:es)? | saisies? | utilisateurs? | requetes? | recue?s? | externes? | televerse\w*",
        "es": r"subid[oa]s? | entradas? | usuarios? | peticion\w* | recibid[oa]s? | extern[oa]s? | clientes?",
    },
    "auth": {
        "en": r"(?:login|sign-?in|password|auth\w*)[ -](?:requirements?|checks?|walls?|guards?) | auth(?:entication"
        r"|ori[sz]ation|n|z)? | (?:api )?access controls? | 2fa | mfa | two-factor(?: \w+)? | firewalls?"
        r" | selinux"
        r" | apparmor | seccomp | antivirus | defender",
        "de": r"authentifizierung | authentisierung | zwei-faktor-\w+ | zugriffskontrollen?"
        r" | berechtigungsprue?fung\w*"
        r" | passwortabfrage | virenschutz",
        "fr": r"(?:l')?authentification(?: \w+)? | pare-feu | controles? d'acces | double facteur | (?:l')?antivirus",
        "es": r"autenticacion | cortafuegos | controles? de acceso | doble factor | antivirus",
    },
    "rules": {
        "en": r"instructions? | rules? | prompts? | guidelines? | guard ?rails? | directives? | polic(?:y|ies)"
        r" | constraints? | safety"
        r" | memor(?:y|ies)",
        "de": r"anweisung\w* | regeln? | instruktion\w* | vorgaben? | richtlinien? | prompts?",
        "fr": r"instructions? | consignes? | regles? | directives? | prompts?",
        "es": r"instrucci\w+ | reglas? | indicaci\w+ | directri\w+ | prompts?",
    },
    "destroy": {
        "en": r"delet(?:e|es|ing) | drop(?:s|ping)? | wip(?:e|es|ing) | truncat(?:e|es|ing) | eras(?:e|es|ing)"
        r" | purg(?:e|es|ing)"
        r" | destroy\w* | clear(?:s|ing)? | shred | remove",
        "de": r"loe?sch\w* | leer(?:e|en|t) | vernicht\w* | entfern\w* | verw[ie]rf\w*",
        "fr": r"supprim\w* | effac\w* | vid(?:e|er|ez) | detrui\w* | purge[rz]?",
        "es": r"borr(?:a|ar|e|es|en) | elimin\w* | vaci\w* | destru\w* | purga\w*",
    },
    "sql_text": {  # text put together instead of parameters
        "en": r"(?:string[- ])?concat\w* | (?:string )?interpolat\w* | f-?strings? | string format\w*"
        r" | template (?:strings?|literals?)",
        "de": r"(?:string-?)?verkett\w* | (?:string-?)?interpolation | zusammenge(?:baut|setzt)\w*",
        "fr": r"concaten\w* | interpol\w*",
        "es": r"concaten\w* | interpol\w*",
    },
    "sandbox": {"en": r"sandbox(?:es|ing)?", "fr": "bacs? a sable"},
}
