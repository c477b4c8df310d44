"""Dangers in the code that is written: verification, tokens, input from outside, passwords, queries."""

from __future__ import annotations

from memsuggest.extraction.safety.danger_words import ANY
from memsuggest.extraction.safety.notation import Danger, not_needed, switched_off

DANGERS: tuple[Danger, ...] = (
    Danger(
        name="verification",
        why="would switch off the verification of certificates, hosts or signatures",
        cues=(
            "tls | ssl | cert | zertifikat | curl | --insecure | verify | verif | check_hostname | check-hostname"
            " | insecureskip | rejectunauthorized | reject_unauthorized | trust | stricthostkey | hostname"
            " | host key | sign | firma | https | gpg | unverified"
        ),
        orders={
            ANY: (
                r"curl (?:(?!without|ohne|sans|sin )\S+ ){0,6}?-[a-z]{0,4}k[a-z]{0,4}(?![\w-])",
                r"--insecure(?![\w-])",
                r"-k (?:with|for|mit|avec|con) curl",
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
                (
                    r"danger_?accept_?invalid_?(?:certs|hostnames)|skipcertificatecheck|sslmode ?= ?disable"
                    r"|usernotice-ssl-off"
                ),
                (
                    r"(?:dangerousacceptanyservercertificatevalidator|allowallhostnameverifier|noophostnameverifier"
                    r"|trustallcert\w*|trust-all)"
                ),
                (
                    r"(?:trust|accept)\w* (?:[\w-]{1,15} ){0,3}?(?:all|any|every|alle|tou[st]\w*|cualquier"
                    r"|todos?) (?:[\w-]{1,15} ){0,2}?"
                    r"(?:certificat\w*|certs?|zertifikat\w*|certificad\w*|host ?keys?)"
                ),
                r"{off} .. {cert}",
                (
                    r"{off} (?:the |all |any )?(?:tls|ssl|https)(?: (?:for|in|on|everywhere|when|to|pour|partout"
                    r"|fue?r)"
                    r"|[.!]?$)"
                ),
                r"{switch} .. (?:{cert}|tls|ssl) ... {away}",
                r"{cert} .. {is_off}",
                (
                    r"{off} .. (?:commit[- ])?(?:signing|signierung|signaturprue?fung|signature (?:des|de) commits"
                    r"|firma de (?:los )?commits)"
                ),
                r"{switch} .. (?:signierung|signatur|commit signing|signing) .. {away}",
                (
                    r"{off} (?:the |all |die |la )?(?:webhook |jwt |package |token"
                    r" |commit )?signatures?(?: (?:verif\w+"
                    r"|valid\w+|checks?|of))"
                ),
                r"http (?:instead of|statt|anstelle von|au lieu d[eu']|plutot que|en vez de|en lugar de) ?https",
            ),
        },
        refusals={
            "en": (
                (
                    r"(?:don't|do not|never|no need to|needn't|not necessary to) (?:verify|check"
                    r"|validate) .. (?:certificates?|certs?|signatures?"
                    r"|hostnames?|host keys?|tls|ssl)(?! into)"
                ),
            ),
            "de": (
                (
                    r"(?:signatur|zertifikat|hostname)\w* ... (?:nicht|nie) (?:geprue?ft|prue?fen|verifizier\w+"
                    r"|kontrollier\w+)"
                ),
                (
                    r"(?:signatur|zertifikat|hostname)\w* .. (?:musst|brauchst|muss|braucht) .. nicht .. (?:prue?f"
                    r"|verifizier|kontrollier)\w*"
                ),
                r"prue?f\w* .. (?:signatur|zertifikat)\w* .. nicht",
            ),
            ANY: (
                *not_needed("(?:{cert}|(?:certificate |signature )?verification)"),
                (
                    r"(?:certificates?|certs|signatures?|host ?names?|host keys?) (?:is|are|do|does|need)(?: not"
                    r"|n't) (?:\w+ ){0,3}?"
                    r"(?:verified|checked|validated)"
                ),
                (
                    r"(?:certificats?|signatures?) (?:\S+ )?ne (?:sont|est|seront|doivent) (?:pas"
                    r"|jamais) (?:\w+ )?(?:verifi|control|valid)\w*"
                ),
                r"(?:certificados?|firmas?) no se (?:verific|comprueb|valid)\w*",
                r"commits (?:don't|do not|needn't) (?:need to |have to )?be signed",
            ),
            "fr": (r"ne (?:verifi|valid|control)\w* (?:pas|jamais|plus) ... (?:signature|certificat)s?",),
            "es": (r"(?:no|nunca) (?:verifi|valid|comprueb|revis)\w* ... (?:firma|certificado)s?",),
        },
    ),
    Danger(
        name="tokens and origins",
        why="would accept requests from anyone",
        cues=("jwt | alg | verify_signature | cors | csrf | xsrf | signature | unsigned | origin | origen"),
        orders={
            ANY: (
                r"alg(?:orithm|orithme|oritmo|orithmus)?s?\W+(?:\w+ )?none",
                r"(?:jwts?|tokens?) .. none(?: alg\w*)?",
                r"verify_signature\W+(?:to )?false",
                (
                    r"cors ... (?:\*|everywhere|any(?:where)?|all|alle\w*|cualquier|tou(?:te|s)\w*"
                    r"|tod[oa]s) ... (?:credentials|anmeldedaten|identifiants"
                    r"|credenciales|cookies)"
                ),
                r"(?:allow-?origin|origins?)\W+(?:\* |any |all )?.{0,20}?\* ... credentials",
                *switched_off(r"(?:csrf|xsrf)(?:[- ]?(?:protection|checks?|schutz\w*|middleware|tokens?))?"),
                r"csrf_exempt|csrf\W+(?:false|disable)",
                r"(?:without|ohne|sans|sin) .. (?:csrf|xsrf)",
                r"(?:accept|allow|trust)\w* .. unsigned",
                (
                    r"(?:any|all|every|alle|cualquier|tou(?:te|s)\w*|\*) (?:\w+ )?(?:origins?|origenes|origen"
                    r"|origines?) ... (?:credentials|cookies|anmeldedaten|identifiants|credenciales)"
                ),
            ),
        },
        refusals={ANY: not_needed("(?:csrf|xsrf)(?:[- ](?:protection|tokens?|checks?))?")},
    ),
    Danger(
        name="input that runs",
        why="would run what comes from outside",
        cues=(
            "pickle | yaml. | eval | exec | objectinputstream | unserialize | marshal | binaryformatter"
            " | torch.load | deserial"
        ),
        orders={
            ANY: (
                r"{input} ... (?:pickle|unpickle|marshal|joblib|dill)(?:\.loads?)?",
                r"(?:pickle|unpickle|marshal|joblib|dill)(?:\.loads?)? ... {input}",
                r"yaml\.(?:unsafe_|full_)?load(?!\w)(?!.{0,40}safe_?loader)",
                (
                    r"(?:call|calls|calling|use|using|with|run|mit|per|avec|con|through|via|appel\w*|llam\w*|uses?"
                    r"|utilis\w*|usa\w*|nutz\w*|verwend\w*) (?:(?!npm|pnpm|docker|kubectl)\w+ )?(?:eval"
                    r"|exec)(?![\w-])(?: ?\(\w*\))? ... {input}"
                ),
                r"{input} ... (?:with|using|through|via|mit|per|avec|con|to) (?:eval|exec)(?![\w-])",
                (
                    r"(?:eval|exec)(?:ute)? (?:the |an |any )?(?:[\w-]+ )?(?:code|expressions?|output"
                    r"|strings?) .. (?:from|of|in|that) .. {input}"
                ),
                r"(?:objectinputstream|binaryformatter|unserialize|marshal\.loads?|torch\.load) ... {input}",
                r"{input} ... (?:objectinputstream|binaryformatter|unserialize|marshal\.loads?|torch\.load)",
            ),
        },
    ),
    Danger(
        name="weak passwords",
        why="would store passwords so that they can be read",
        cues=("passw | kennw | passe | contrasen | passphrase"),
        orders={
            ANY: (
                r"(?:md5|sha-?1)(?!\d) ... {password}",
                r"{password} ... (?:md5|sha-?1)(?!\d)",
                (
                    r"{password} ... (?:plain ?text|clear ?text|unhashed|unencrypted|unsalted|klartext"
                    r"|unverschlue?sselt"
                    r"|en clair|texto plano|texto claro|sin cifrar"
                    r"|non chiffres?)"
                ),
                (
                    r"(?:plain ?text|clear ?text|unhashed|unencrypted|unsalted|klartext"
                    r"|unverschlue?sselt\w*) {password}"
                ),
            ),
        },
    ),
    Danger(
        name="queries",
        why="would let input become part of a query",
        cues=("sql | quer | abfrag | requete | consulta | statement"),
        orders={
            ANY: (
                (
                    r"(?:sql|(?:sql|database|db)[ -]?(?:quer(?:y|ies)|abfragen?|statements?)|requetes? sql"
                    r"|consultas? sql"
                    r"|quer(?:y|ies)) ... {sql_text}"
                ),
                r"{sql_text} ... (?:sql|(?:into |in )the query|the query)",
                r"(?:sql|quer(?:y|ies)) (?:strings? )?(?:with|using|by|via|mit|avec|con) (?:\+|plus)",
                (
                    r"(?:put|insert|paste|inject|interpolate|concatenate|setz\w*|einsetz\w*|fue?g\w*|inser\w*|mets"
                    r"|pon"
                    r"|meter?) ... {input} ... (?:into|in|ins|dans|en|al) .. (?:sql|quer(?:y|ies)|requetes?"
                    r"|consultas?)"
                ),
                r"(?:interpolat|concatenat)\w* ... (?:into|to) .. (?:sql|query)",
            ),
        },
    ),
)
