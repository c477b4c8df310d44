"""Dangers in the code that is written: secrets, verification, tokens, input from outside, passwords, queries."""

from __future__ import annotations

from memsuggest.extraction.safety.notation import Danger
from memsuggest.extraction.safety.vocabulary import ANY

_SECRETS = "would weaken how the code handles secrets"
_SECRET_CUES = (
    *(".env", "secret", "credential", "password", "passphrase", "token", "key", "zugangsdaten", "anmeldedaten", "passw"),
    *("kennw", "schlussel", "schluessel", "geheim", "identifiant", "passe", "cle ", "cles ", "jeton", "contrasen", "clave"),
    *("credencial", "authorization", "cookie"),
)

DANGERS: tuple[Danger, ...] = (
    Danger(
        name="committing secrets",
        why=_SECRETS,
        cues=_SECRET_CUES,
        orders={
            ANY: (
                r"(?:commit(?:s|ting)?|git add|check(?:ing|s)? in|version) (?:-f |--force )?(?:[\w'.-]{1,15} ){0,4}?{secret}"
                r"(?! (?:scan|hook|check|detect|polic|rotat)\w*)",
                r"(?:store|stores|keep|keeps|put|puts|save|saves|add|adds|push|include|leave) .. {secret} ... (?:in|into|to|under) (?:the |our |this |a )?"
                r"(?:repo\w*|git(?!hub|lab|ignore)|version control|source(?: code)?|code(?:base)?|config\.\w+|history)"
                r"(?! (?:secrets?|settings|variables|environment))",
            ),
            "de": (
                r"(?:committe|commite|checke?|versionier|pushe?)\w* .. {secret}",
                r"{secret} .. (?:committe|commite|einchecke|versionier)\w*",
                r"{secret} ... (?:ins|im|in das|in dem|zum) (?:git-?)?(?:repo\w*|git|quellcode|versionskontrolle)",
            ),
            "fr": (
                r"(?:commit\w*|versionn\w*) .. {secret}",
                r"(?:gard|stock|ajout|met|mets|laiss|enregistr)\w* .. {secret} ... (?:dans|au|sur) (?:le |la )?(?:depot|repo\w*|git|code|source)",
            ),
            "es": (
                r"(?:haz|hacer|hagas) commit .. {secret}",
                r"(?:incluy|anad|mete)\w* .. {secret} .. (?:commits?|git)",
                r"(?:commite|versiona)\w* .. {secret}",
                r"(?:guard|almacen|anad|sub|deja|pon|incluy)\w* .. {secret} ... (?:en|al|a) (?:el |la )?(?:repo\w*|git|codigo|fuente)",
            ),
        },
    ),
    Danger(
        name="logging secrets",
        why=_SECRETS,
        cues=_SECRET_CUES,
        orders={
            ANY: (
                r"(?<![.*/-])(?:log(?! (?:in|into|out|on)\b)|logs|logging|print|prints|printing|dump|dumps|echo|logge\w*|protokollier\w*|journalis\w*|affich\w*"
                r"|registr(?:a|ar|e|en)|imprim\w*|muestr\w*) .. (?:{secret}|(?:raw |full |bearer )?tokens?|authorization headers?|session cookies?"
                r"|api-schlue?ssel|jetons?)"
                r"(?!s? (?:count|usage|budget|ids?\b|field|length|name|type|limit|expir|error|reset|refresh|manager|scan|label|input|hint|hash|rotat|was|is|are|per)\w*)",
                r"(?:log|print|dump|write|writes|put|include|includes|add|output|schreib\w*|gib|ecri\w*|mets|escrib\w*|incluy\w*) ... (?:{secret}|tokens?|jetons?) ... (?:in|into|to|ins|im"
                r"|auf der|dans|en|a|sur) .. (?:logs?|logfiles?|debug log|log ?files?|error messages?|console|konsole|stdout|journaux|fehlermeldung\w*"
                r"|registros|consola)",
                r"(?:gib|ausgeben) ... (?:{secret}|api-schlue?ssel|tokens?) ... (?:auf|in) der konsole",
                r"(?:{secret}|tokens?) .. (?:ins|in das|im) (?:log|protokoll)\w*",
            ),
        },
    ),
    Danger(
        name="hard-coded secrets",
        why=_SECRETS,
        cues=(*_SECRET_CUES, "backdoor", "back-door", "hintertur", "hintertuer", "derobee", "trasera", "hidden admin", "admin"),
        orders={
            ANY: (
                r"hard-?code\w* .. {secret}",
                r"{secret} .. (?:hard-?(?:code|codiert|codieren)\w*|hart[ -]?[ck]odier\w*|fest (?:eintragen|verdraht\w*|im code|in den code)|en dur|fij[oa]s? en el codigo)",
                r"(?:hardcodea|hartcodier|hardcodier)\w* .. {secret}",
                r"(?:put|write|embed|store|save|paste|set|schreib\w*|mets|mettre|ecri\w*|cod\w+|escrib\w*|pon|poner|incluy\w*|legen?|setz\w*) .. {secret} ... (?:into|in|to|en dur|dans|en|directement"
                r"|fest in|im|directamente en) (?:the |den |das |le |el |plain )?(?:source|code|quellcode|quelltext|codigo|script|client|connection string|binary|dockerfile|image)",
                r"code\w* en dur .. {secret}",
                r"(?:add|build|create|put|insert|leave|install|include|keep|baue?\w*|einbau\w*|ajout\w*|laiss\w*|cre\w*|anad\w*|deja\w*|pon)"
                r" .. (?:back-?doors?|hintertue?re?n?|portes? derobees?|puertas? traseras?)(?! (?:scene|level))",
                r"(?:accept|add|use|allow|set) .. master ?passwords?",
                r"(?:hidden|secret|undocumented) (?:admin|login|account)(?: (?:login|account|user|endpoint|route))?",
            ),
        },
    ),
    Danger(
        name="verification",
        why="would switch off the verification of certificates, hosts or signatures",
        cues=(
            *("tls", "ssl", "cert", "zertifikat", "curl", "--insecure", "verify", "verif", "check_hostname", "check-hostname", "insecureskip"),
            *("rejectunauthorized", "reject_unauthorized", "trust", "stricthostkey", "hostname", "host key", "sign", "firma", "https", "gpg", "unverified"),
        ),
        orders={
            ANY: (
                r"curl (?:(?!without|ohne|sans|sin )\S+ ){0,6}?-[a-z]{0,4}k[a-z]{0,4}(?![\w-])",
                r"--insecure(?![\w-])",
                r"--no-check-certificates?",
                r"(?:ssl_?)?verify(?:_ssl|_certs?|_mode|_peer)? ?(?:=|:|to|auf) ?(?:false|0|none|ssl\.cert_none|no)",
                r"(?:_create_unverified_context|_create_default_https_context)",
                r"check_?hostname ?(?:=|:|to|auf) ?(?:false|0)",
                r"cert_none|verify_none|ssl_verify_none",
                r"insecure_?skip_?(?:tls_?)?verify(?! ?[=:]? ?false)|insecure-skip-tls-verify",
                r"rejectunauthorized\W+(?:to |auf |a )?(?:false|0)",
                r"node_tls_reject_unauthorized(?! ?=? ?1)",
                r"strict-ssl\W+(?:to |auf |a )?(?:false|off|no)",
                r"--trusted-host",
                r"pythonhttpsverify ?= ?0",
                r"stricthostkeychecking\W+(?:to |auf |a )?(?:no|off|false)",
                r"(?:http\.)?sslverify\W+(?:to |auf |a |en )?(?:false|0|no)",
                r"git_ssl_no_verify",
                r"gpgsign\W+(?:to |auf |a |en )?(?:false|0|no)|--no-gpg-sign",
                r"danger_?accept_?invalid_?(?:certs|hostnames)|skipcertificatecheck|sslmode ?= ?disable|usernotice-ssl-off",
                r"(?:dangerousacceptanyservercertificatevalidator|allowallhostnameverifier|noophostnameverifier|trustallcert\w*|trust-all)",
                r"(?:trust|accept)\w* (?:[\w-]{1,15} ){0,3}?(?:all|any|every|alle|tou[st]\w*|cualquier|todos?) (?:[\w-]{1,15} ){0,2}?"
                r"(?:certificat\w*|certs?|zertifikat\w*|certificad\w*|host ?keys?)",
                r"{off} .. {cert}",
                r"{off} (?:the |all |any )?(?:tls|ssl|https)(?: (?:for|in|on|everywhere|when|to|pour|partout|fue?r)|[.!]?$)",
                r"{switch} .. (?:{cert}|tls|ssl) ... {away}",
                r"{cert} .. {is_off}",
                r"{off} .. (?:commit[- ])?(?:signing|signierung|signaturprue?fung|signature (?:des|de) commits|firma de (?:los )?commits)",
                r"{switch} .. (?:signierung|signatur|commit signing|signing) .. {away}",
                r"{off} (?:the |all |die |la )?(?:webhook |jwt |package |token |commit )?signatures?(?: (?:verif\w+|valid\w+|checks?|of))",
                r"http (?:instead of|statt|anstelle von|au lieu d[eu']|plutot que|en vez de|en lugar de) ?https",
            ),
        },
        refusals={
            "en": (
                r"(?:don't|do not|never|no need to|needn't|not necessary to) (?:verify|check|validate) .. (?:certificates?|certs?|signatures?"
                r"|hostnames?|host keys?|tls|ssl)(?! into)",
            ),
            "de": (
                r"(?:signatur|zertifikat|hostname)\w* ... (?:nicht|nie) (?:geprue?ft|prue?fen|verifizier\w+|kontrollier\w+)",
                r"prue?f\w* .. (?:signatur|zertifikat)\w* .. nicht",
            ),
            "fr": (r"ne (?:verifi|valid|control)\w* (?:pas|jamais|plus) ... (?:signature|certificat)s?",),
            "es": (r"(?:no|nunca) (?:verifi|valid|comprueb|revis)\w* ... (?:firma|certificado)s?",),
        },
    ),
    Danger(
        name="tokens and origins",
        why="would accept requests from anyone",
        cues=("jwt", "alg", "verify_signature", "cors", "csrf", "xsrf", "signature", "origin"),
        orders={
            ANY: (
                r"alg(?:orithm|orithme|oritmo|orithmus)?s?\W+(?:\w+ )?none",
                r"(?:jwts?|tokens?) .. none(?: alg\w*)?",
                r"verify_signature\W+(?:to )?false",
                r"cors ... (?:\*|everywhere|any(?:where)?|all|alle\w*|cualquier|tou(?:te|s)\w*|tod[oa]s) ... (?:credentials|anmeldedaten|identifiants"
                r"|credenciales|cookies)",
                r"(?:allow-?origin|origins?)\W+(?:\* |any |all )?.{0,20}?\* ... credentials",
                r"{off} .. (?:csrf|xsrf)",
                r"{switch} .. (?:csrf|xsrf)\S* ... {away}",
                r"(?:csrf|xsrf)\S* .. {is_off}|csrf_exempt|csrf\W+(?:false|disable)",
                r"(?:without|ohne|sans|sin) .. (?:csrf|xsrf)",
            ),
        },
    ),
    Danger(
        name="input that runs",
        why="would run what comes from outside",
        cues=("pickle", "yaml.", "eval", "exec", "objectinputstream", "unserialize", "marshal", "binaryformatter", "torch.load", "deserial"),
        orders={
            ANY: (
                r"{input} ... (?:pickle|unpickle|marshal|joblib|dill)(?:\.loads?)?",
                r"(?:pickle|unpickle|marshal|joblib|dill)(?:\.loads?)? ... {input}",
                r"yaml\.(?:unsafe_|full_)?load(?!\w)(?!.{0,40}safe_?loader)",
                r"(?:call|calls|calling|use|using|with|run|mit|per|avec|con|through|via|appel\w*|llam\w*|uses?|utilis\w*|usa\w*|nutz\w*|verwend\w*) (?:\w+ )?(?:eval|exec)(?![\w-])(?: ?\(\w*\))? ... {input}",
                r"{input} ... (?:with|using|through|via|mit|per|avec|con|to) (?:eval|exec)(?![\w-])",
                r"(?:eval|exec)(?:ute)? (?:the )?(?:code|expressions?|output|strings?) .. (?:from|of|in|that) .. {input}",
                r"(?:objectinputstream|binaryformatter|unserialize|marshal\.loads?|torch\.load) ... {input}",
                r"{input} ... (?:objectinputstream|binaryformatter|unserialize|marshal\.loads?|torch\.load)",
            ),
        },
    ),
    Danger(
        name="weak passwords",
        why="would store passwords so that they can be read",
        cues=("passw", "kennw", "passe", "contrasen", "passphrase"),
        orders={
            ANY: (
                r"(?:md5|sha-?1)(?!\d) ... {password}",
                r"{password} ... (?:md5|sha-?1)(?!\d)",
                r"{password} ... (?:plain ?text|clear ?text|unhashed|unencrypted|unsalted|klartext|unverschlue?sselt|en clair|texto plano|texto claro|sin cifrar"
                r"|non chiffres?)",
                r"(?:plain ?text|clear ?text|unhashed|unencrypted|unsalted|klartext|unverschlue?sselt\w*) {password}",
            ),
        },
    ),
    Danger(
        name="queries",
        why="would let input become part of a query",
        cues=("sql", "quer", "abfrag", "requete", "consulta", "statement"),
        orders={
            ANY: (
                r"(?:sql|(?:sql|database|db)[ -]?(?:quer(?:y|ies)|abfragen?|statements?)|requetes? sql|consultas? sql|quer(?:y|ies)) ... {sql_text}",
                r"{sql_text} ... (?:sql|(?:into |in )the query|the query)",
                r"(?:put|insert|paste|inject|interpolate|concatenate|setz\w*|einsetz\w*|fue?g\w*|inser\w*|mets|pon|meter?) ... {input} ... (?:into|in|ins|dans|en|al) .. (?:sql|quer(?:y|ies)|requetes?|consultas?)",
                r"(?:interpolat|concatenat)\w* ... (?:into|to) .. (?:sql|query)",
            ),
        },
    ),
)
