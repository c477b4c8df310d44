"""Dangers of what comes in and goes out: downloads, packages, data that leaves the house."""

from __future__ import annotations

from memsuggest.extraction.safety.danger_words import ANY
from memsuggest.extraction.safety.notation import Danger

_PACKAGES = (
    r"(?:packages?|dependenc\w+|pakete?\w*|abhae?ngigkeit\w*|paquets?|dependances?|paquetes?|dependencias?|wheels?"
    r"|modules?)"
)
_MIRROR = (
    r"(?:mirrors?|registr(?:y|ies)|registry|index|repositor(?:y|ies)|spiegel\w*|miroirs?|registres?|espejos?"
    r"|registros?|package servers?)"
)
_UNKNOWN = (
    r"(?:unknown|untrusted|unofficial|unverified|random|third[- ]party|any|unbekannt\w*|inoffiziell\w*|fremd\w*"
    r"|inconnue?s?|non officiel\w*|desconocid\w*|no oficial\w*|extern\w*)"
)
_SHELL = r"(?:ba|z|fi|da|k)?sh"

DANGERS: tuple[Danger, ...] = (
    Danger(
        name="downloads that run",
        why="would run downloaded code",
        cues=(
            "curl | wget | iwr | irm | iex | invoke- | pip | download | | sh | |sh | npx | base64 | eval"
            " | herunter | lade | telecharg | recuper | descarg | baja | installer | script | shell | bash | leit"
            " | remote | skript | distant"
        ),
        orders={
            ANY: (
                (
                    rf"(?:curl|wget|iwr|irm|fetch|invoke-webrequest)[^|]{{0,200}}\|\s?(?:sudo )?(?:-e )?(?:{_SHELL}"
                    rf"|python\d?|node|perl|ruby|iex)"
                ),
                rf"(?:{_SHELL}|source|eval|\.) (?:-\w )?<\(\s?(?:curl|wget)",
                rf"(?:{_SHELL}) -c \W*\$\((?:curl|wget)",
                (
                    r"(?:curl|wget) .{0,120}?(?:and|then|und|et|puis|y|luego) (?:then |dann |luego )?(?:run|eval"
                    r"|bash|sh"
                    r"|execut\w*|lanc\w*|ejecut\w*|ausfue?hr\w*|fue?hr\w*)"
                ),
                r"eval .. (?:curl|wget|fetch|irm|iwr)",
                r"(?:iex|invoke-expression) .{0,20}?(?:irm|iwr|invoke-\w+|downloadstring)",
                r"base64 (?:-d|--decode)[^|]{0,80}\|\s?(?:ba)?sh",
                r"npx (?:-y|--yes) .{0,60}?https?:",
                r"pip3? install .{0,80}?(?:(?:git\+)?http://\S*|https?://\S+\.(?:whl|zip|gz|tgz))",
            ),
            "en": (
                (
                    rf"pip(?:e|es|ing) ... (?:scripts?|install\w*|setup|https?|download\w*|url|curl"
                    rf"|wget) ... (?:in)?to (?:a |the )?(?:{_SHELL}|shell)"
                ),
                (
                    rf"pip(?:e|es|ing) (?:it|them|that|this|everything|the (?:output"
                    rf"|result)) (?:\w+ ){{0,2}}?(?:in)?to {_SHELL}"
                ),
                rf"pipe .{{0,120}}?into (?:{_SHELL})",
                (
                    r"(?:download|grab|fetch|get|pull|take)\w* ... (?:scripts?|binar\w+|install\w*|executables?"
                    r"|code) ... (?:and|then) .. (?:run|execut)\w*"
                ),
                r"(?:run|execute|running|executing) .. (?:downloaded|remote|fetched) .. (?:code|scripts?|binar\w+)",
            ),
            "de": (
                (
                    r"(?:herunter\w*|lad\w*|hol\w*|zieh\w*) ... (?:skripte?|scripts?|programm|installer|binar\w*"
                    r"|datei) ... (?:und|dann) .. (?:fue?hr|start|ausfue?hr)\w*"
                ),
                (
                    rf"(?:leit|schick|pip)\w* ... (?:skript|script|installer)\w* ... in (?:die |eine )?(?:{_SHELL}"
                    rf"|shell)"
                ),
                (
                    r"(?:skripte?|scripts?|installationsskript) ... (?:aus dem netz|aus dem internet) ... (?:shell"
                    r"|ausfue?hr\w*)"
                ),
            ),
            "fr": (
                (
                    r"(?:telecharg|recuper)\w* ... (?:scripts?|binaires?|programmes?|installeurs?) ... (?:et"
                    r"|puis) .. (?:execut|lanc)\w*"
                ),
                (
                    rf"(?:envoi|pass|redirig|pip)\w* ... (?:scripts?|installeurs?) ... (?:dans|a|vers) (?:un"
                    rf" |le )?(?:{_SHELL}|shell)"
                ),
            ),
            "es": (
                (
                    r"(?:descarg|baja)\w* ... (?:scripts?|binarios?|programas?|instalador\w*) ... (?:y"
                    r"|luego) .. (?:ejecut|lanz)\w*"
                ),
                (
                    rf"(?:pas|env|redirig)\w* ... (?:scripts?|instalador\w*) ... (?:a|en|al) (?:la"
                    rf" |una )?(?:{_SHELL}"
                    rf"|shell)"
                ),
            ),
        },
    ),
    Danger(
        name="packages",
        why="would install packages that nobody vouches for",
        cues=(
            "index-url | --allow-unauthenticated | gpg | --force-yes | mirror | registry | registr | spiegel"
            " | miroir | espejo | hashes | the hash | signatur | checksum | lockfile | lock file | lock-"
            " | lockdatei | integrity | firma | unsigned"
        ),
        orders={
            ANY: (
                r"--extra-index-url",
                r"--index-url\W+http://\S*",
                (
                    r"--allow-unauthenticated|--no-gpg-?checks?|--nogpgcheck|--force-yes|--skip-integrity-check"
                    r"|--no-require-hashes"
                ),
                (
                    rf"(?:install|add|use|set|point|nutz|verwend|setz|utilis|instal|usa|pon"
                    rf"|mets)\w* ... {_MIRROR} ... https?://(?!registry\.npmjs|pypi\.org|localhost)\S*"
                ),
                (
                    r"(?:install|instal|pip|bezieh|hol|lad)\w* ... https?://(?!registry\.npmjs|pypi\.org"
                    r"|localhost)\S*(?:mirror|simple|pypi|registry|spiegel|miroir|espejo)\S*"
                ),
                rf"(?:install|instal|bezieh|hol|lad)\w* ... {_PACKAGES} ... {_MIRROR}(?! (?:lock|file|cache))",
                rf"(?:install|use|add|utilis|instal|usa|nutz|verwend)\w* ... {_UNKNOWN} {_MIRROR}",
                rf"(?:install|use|add|utilis|instal|usa|nutz|verwend)\w* ... {_MIRROR} ... {_UNKNOWN}",
                rf"{_PACKAGES} .. from .. {_UNKNOWN} (?:{_MIRROR}|sources?)",
                (
                    r"(?:install|pakete?|paquet|depend|dependances?|dependencias?"
                    r"|abhae?ngig)\w* ... {without} ... (?:hash(?:es)?|signatur\w*|signatures?|checksums?"
                    r"|lock-?(?:file"
                    r"|datei)s?|integrity|firmas?)"
                ),
                r"unsigned {0,1}(?:packages?|binaries|images?)",
                (
                    r"{off} .. (?:package |lock ?file )?(?:hash|checksum|integrity)(?:es|s)? ?(?:check\w*|verif\w*"
                    r"|valid\w*)?(?: (?:of|for|when|during) .. (?:install\w*|packages?|dependencies))"
                ),
            ),
        },
        refusals={
            ANY: (
                (
                    r"(?:install|instal|use|usa|utilis|nutz)\w* ... (?:even if|although|aunque|auch wenn|obwohl"
                    r"|meme si) ... (?:hash(?:es)?|signatures?|signatur|firma|checksums?)"
                ),
            ),
        },
    ),
    Danger(
        name="sending",
        why="would send data elsewhere",
        cues=(
            "http | @ | paste | gist | discord | telegram | dropbox | ngrok | extern | outside | elsewhere"
            " | third | vendor | partner | online | webhook | collector | public | internet | remote | dritte"
            " | dienstleister | anbieter | fremd | tiers | fournisseur | prestataire | exterieur | exterior"
            " | tercero | proveedor | linea | ligne | id_rsa | .env | id_ed25519 | .aws/ | /etc/ | endpoint | share"
            " | channel | url | report | issue | comment | message | mail | prompt | drive | gpt | transfer."
            " | offentlich | oeffentlich"
        ),
        also=(
            "~send | upload | ~post | exfil | forward | leak | transmit | mail | ~shar | publish | ~past"
            " | ~stream | ~push | ~copy | export | ~ship | ~mirror | schick | ~lad | hochlad | bertrag | offentl"
            " | oeffentl | ~teil | kopier | ~leit | weiterleit | envoi | envoy | televers | publi | partag"
            " | transf | colle | envia | envie | ~sub | ~mand | compart | ~pega | id_rsa | /etc/ | id_ed | .aws"
            " | include | ~put | attach | ~add"
        ),
        orders={
            ANY: (
                r"{send} ... {data} ... {outside}",
                r"{send} ... {outside} ... {data}",
                r"{send} .. {secret} ... {outside}",
                (
                    r"{send} .. \.env(?!\.?(?:example|sample|template|dist))(?: file)? .. (?:to|via|in|an|auf|a|vers"
                    r"|al?) "
                ),
                (
                    r"{send} (?:all |every |our |the |their |these )*(?:{secret}|environment variables|cookies"
                    r"|env vars) (?:\w+ )?(?:to|an|auf|vers|a) .. (?:endpoint|share|webhook|channel|url)"
                ),
                (
                    r"{send} .. (?:secrets?|tokens?|passwords?|api keys?|private keys?|ssh keys?"
                    r"|environment variables"
                    r"|cookies) ... (?:to|via) .. {outside}"
                ),
                (
                    r"(?:include|put|paste|attach|add) .. (?:api keys?|secrets?|passwords?|credentials?"
                    r"|access tokens?) ... in .. (?:reports?|issues?|comments?|messages?"
                    r"|mails?|tickets?|prompts?)(?! variables)"
                ),
                r"(?:e?-?mail|send|upload) ... customer (?:list|data|addresses|records)",
                (
                    r"(?:cat|copy|read|send|upload|post|print|scp|cp|include) ... (?:id_rsa|id_ed25519"
                    r"|\.aws/credentials"
                    r"|/etc/(?:passwd|shadow))"
                ),
            ),
            "en": (r"{data} .. (?:sent|uploaded|posted|shared|published|forwarded|copied) .. {outside}",),
            "fr": (r"{data} .. (?:envoye|publie|partage|transmis|televerse)\w* .. {outside}",),
            "es": (r"{data} .. (?:se )?(?:envi|sub|public|compart)\w* .. {outside}",),
            "de": (
                (
                    r"{data} .. {outside} .. (?:geschickt|gesendet|hochgeladen|ue?bertragen|weitergeleitet|kopiert"
                    r"|schicken|senden)"
                ),
                r"(?:quellcode|logs?|kundendaten) ... (?:hochladen|senden|schicken|weiterleiten)",
            ),
        },
    ),
)
