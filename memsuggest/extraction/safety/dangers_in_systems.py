"""Dangers for machines and data: packages, downloads, containers, privileges, access, data that leaves."""

from __future__ import annotations

from memsuggest.extraction.safety.notation import Danger
from memsuggest.extraction.safety.vocabulary import ANY

_PACKAGES = r"(?:packages?|dependenc\w+|pakete?\w*|abhae?ngigkeit\w*|paquets?|dependances?|paquetes?|dependencias?|wheels?|modules?)"
_MIRROR = r"(?:mirrors?|registr(?:y|ies)|registry|index|repositor(?:y|ies)|spiegel\w*|miroirs?|registres?|espejos?|registros?|package servers?)"
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
            *("curl", "wget", "iwr", "irm", "iex", "invoke-", "pip", "download", "| sh", "|sh", "npx", "base64", "eval", "herunter", "lade"),
            *("telecharg", "recuper", "descarg", "baja", "installer", "script", "shell", "bash", "leit", "remote", "skript", "distant"),
        ),
        orders={
            ANY: (
                rf"(?:curl|wget|iwr|irm|fetch|invoke-webrequest)[^|]{{0,200}}\|\s?(?:sudo )?(?:-e )?(?:{_SHELL}|python\d?|node|perl|ruby|iex)",
                rf"(?:{_SHELL}|source|eval|\.) (?:-\w )?<\(\s?(?:curl|wget)",
                rf"(?:{_SHELL}) -c \W*\$\((?:curl|wget)",
                r"(?:curl|wget) .{0,120}?(?:and|then|und|et|puis|y|luego) (?:then |dann |luego )?(?:run|eval|bash|sh|execut\w*|lanc\w*|ejecut\w*|ausfue?hr\w*|fue?hr\w*)",
                r"eval .. (?:curl|wget|fetch|irm|iwr)",
                r"(?:iex|invoke-expression) .{0,20}?(?:irm|iwr|invoke-\w+|downloadstring)",
                r"base64 (?:-d|--decode)[^|]{0,80}\|\s?(?:ba)?sh",
                r"npx (?:-y|--yes) .{0,60}?https?:",
                r"pip3? install .{0,80}?(?:(?:git\+)?http://\S*|https?://\S+\.(?:whl|zip|gz|tgz))",
            ),
            "en": (

                rf"pip(?:e|es|ing) ... (?:scripts?|install\w*|setup|https?|download\w*|url|curl|wget) ... (?:in)?to (?:a |the )?(?:{_SHELL}|shell)",
                rf"pipe .{{0,120}}?into (?:{_SHELL})",
                r"(?:download|grab|fetch|get|pull|take)\w* ... (?:scripts?|binar\w+|install\w*|executables?|code) ... (?:and|then) .. (?:run|execut)\w*",
                r"(?:run|execute|running|executing) .. (?:downloaded|remote|fetched) .. (?:code|scripts?|binar\w+)",
            ),
            "de": (
                r"(?:herunter\w*|lad\w*|hol\w*|zieh\w*) ... (?:skripte?|scripts?|programm|installer|binar\w*|datei) ... (?:und|dann) .. (?:fue?hr|start|ausfue?hr)\w*",
                rf"(?:leit|schick|pip)\w* ... (?:skript|script|installer)\w* ... in (?:die |eine )?(?:{_SHELL}|shell)",
                r"(?:skripte?|scripts?|installationsskript) ... (?:aus dem netz|aus dem internet) ... (?:shell|ausfue?hr\w*)",
            ),
            "fr": (
                r"(?:telecharg|recuper)\w* ... (?:scripts?|binaires?|programmes?|installeurs?) ... (?:et|puis) .. (?:execut|lanc)\w*",
                rf"(?:envoi|pass|redirig|pip)\w* ... (?:scripts?|installeurs?) ... (?:dans|a|vers) (?:un |le )?(?:{_SHELL}|shell)",
            ),
            "es": (
                r"(?:descarg|baja)\w* ... (?:scripts?|binarios?|programas?|instalador\w*) ... (?:y|luego) .. (?:ejecut|lanz)\w*",
                rf"(?:pas|env|redirig)\w* ... (?:scripts?|instalador\w*) ... (?:a|en|al) (?:la |una )?(?:{_SHELL}|shell)",
            ),
        },
    ),
    Danger(
        name="packages",
        why="would install packages that nobody vouches for",
        cues=(
            *("index-url", "--allow-unauthenticated", "gpg", "--force-yes", "mirror", "registry", "registr", "spiegel", "miroir", "espejo"),
            *("hashes", "the hash", "signatur", "checksum", "lockfile", "lock file", "lock-", "lockdatei", "integrity", "firma", "unsigned"),
        ),
        orders={
            ANY: (
                r"--extra-index-url",
                r"--index-url\W+http://\S*",
                r"--allow-unauthenticated|--no-gpg-?checks?|--nogpgcheck|--force-yes|--skip-integrity-check|--no-require-hashes",
                rf"(?:install|add|use|set|point|nutz|verwend|setz|utilis|instal|usa|pon|mets)\w* ... {_MIRROR} ... https?://(?!registry\.npmjs|pypi\.org|localhost)\S*",
                r"(?:install|instal|pip|bezieh|hol|lad)\w* ... https?://(?!registry\.npmjs|pypi\.org|localhost)\S*(?:mirror|simple|pypi|registry|spiegel|miroir|espejo)\S*",
                rf"(?:install|instal|bezieh|hol|lad)\w* ... {_PACKAGES} ... {_MIRROR}(?! (?:lock|file|cache))",
                rf"(?:install|use|add|utilis|instal|usa|nutz|verwend)\w* ... {_UNKNOWN} {_MIRROR}",
                rf"(?:install|use|add|utilis|instal|usa|nutz|verwend)\w* ... {_MIRROR} ... {_UNKNOWN}",
                rf"{_PACKAGES} .. from .. {_UNKNOWN} (?:{_MIRROR}|sources?)",
                r"(?:install|pakete?|paquet|depend|dependances?|dependencias?|abhae?ngig)\w* ... {without} ... (?:hash(?:es)?|signatur\w*|signatures?|checksums?|lock-?(?:file|datei)s?|integrity|firmas?)",
                r"unsigned {0,1}(?:packages?|binaries|images?)",
                r"{off} .. (?:package |lock ?file )?(?:hash|checksum|integrity)(?:es|s)? ?(?:check\w*|verif\w*|valid\w*)?(?: (?:of|for|when|during) .. (?:install\w*|packages?|dependencies))",
            ),
        },
        refusals={
            ANY: (
                r"(?:install|instal|use|usa|utilis|nutz)\w* ... (?:even if|although|aunque|auch wenn|obwohl|meme si) ... (?:hash(?:es)?|signatures?|signatur|firma|checksums?)",
            ),
        },
    ),
    Danger(
        name="sending",
        why="would send data elsewhere",
        cues=(
            *("http", "@", "paste", "gist", "discord", "telegram", "dropbox", "ngrok", "extern", "outside", "elsewhere", "third", "vendor"),
            *("partner", "online", "webhook", "collector", "public", "internet", "remote", "dritte", "dienstleister", "anbieter", "fremd"),
            *("tiers", "fournisseur", "prestataire", "exterieur", "exterior", "tercero", "proveedor", "linea", "ligne", "id_rsa", "id_ed25519"),
            *(".aws/", "/etc/", "endpoint", "share", "channel", "url", "report", "issue", "comment", "message", "mail", "prompt", "drive", "gpt", "transfer.", "offentlich", "oeffentlich"),
        ),
        also=(
            *(" send", "upload", " post", "exfil", "forward", "leak", "transmit", "mail", " shar", "publish", " past", " stream", " push", " copy"),
            *("export", " ship", " mirror", "schick", " lad", "hochlad", "bertrag", "offentl", "oeffentl", " teil", "kopier", " leit"),
            *("weiterleit", "envoi", "envoy", "televers", "publi", "partag", "transf", "colle", "envia", "envie", " sub", " mand"),
            *("compart", " pega", "id_rsa", "/etc/", "id_ed", ".aws", "include", " put", "attach", " add"),
        ),
        orders={
            ANY: (
                r"{send} ... {data} ... {outside}",
                r"{send} ... {outside} ... {data}",
                r"{send} .. {secret} ... {outside}",
                r"{send} (?:all |every |our |the |their |these )*(?:{secret}|environment variables|cookies|env vars) (?:\w+ )?(?:to|an|auf|vers|a) .. (?:endpoint|share|webhook|channel|url)",
                r"{send} .. (?:secrets?|tokens?|passwords?|api keys?|private keys?|ssh keys?|environment variables|cookies) ... (?:to|via) .. {outside}",
                r"(?:include|put|paste|attach|add) .. (?:api keys?|secrets?|passwords?|credentials?|access tokens?) ... in .. (?:reports?|issues?|comments?|messages?"
                r"|mails?|tickets?|prompts?)(?! variables)",
                r"(?:e?-?mail|send|upload) ... customer (?:list|data|addresses|records)",
                r"(?:cat|copy|read|send|upload|post|print|scp|cp|include) ... (?:id_rsa|id_ed25519|\.aws/credentials|/etc/(?:passwd|shadow))",
            ),
            "de": (r"(?:quellcode|logs?|kundendaten) ... (?:hochladen|senden|schicken|weiterleiten)",),
        },
    ),
    Danger(
        name="containers",
        why="would give a container the machine",
        cues=("privileg", "docker", "hostnetwork", "hostpath", "hostpid", "host-network", "--net", "--pid", "--cap-add", "capabilit", "network_mode"),
        orders={
            ANY: (
                r"--privileged",
                r"privileged\W+(?:to )?(?:true|yes|1)",
                r"host(?:network|pid|ipc)\W+(?:to )?true|network_mode\W+host",
                r"--(?:net|network|pid|ipc|userns)(?:=| )host",
                r"--cap-add(?:=| )?\W?(?:all|sys_admin|sys_ptrace)",
                r"(?:add|give|grant|with|use|gib|donne|mit|avec|con|da) .. (?:all|alle\w*|toutes les|todas las) (?:linux )?(?:capabilities|capacites|capacidades)",
                r"(?:use|uses|mount|add|with|nutz\w*|monte[rz]?|monta\w*) ... hostpath",
                r"(?:mount\w*|bind|binds|share|expose|give|gib\w*|donn\w*|dal?e?|pass|einbind\w*|binde|haeng\w*|monte[rz]?|monta|montar|partag\w*|compart\w*|-v|--volume) ... (?:docker\.sock|docker[- ]socket|docker daemon|socket (?:de )?docker)",
                r"(?:docker[- ]socket|docker\.sock) .. (?:mounten|einbinden|einhae?ngen|durchreichen)",
                r"(?:run|runs|start|starts|use|make|launch) .. (?:containers?|pods?|it|them|everything)? ?(?:in |as )?privileged(?: mode| containers?| pods?|$|[.!])",
                r"privilegierte[nmrs]? (?:modus|container\w*|pods?)",
                r"mode privilegie|modo privilegiado|(?:conteneurs?|contenedor\w*) privilegi\w+",
            ),
        },
    ),
    Danger(
        name="root",
        why="would run things with full rights",
        cues=("sudo", "root"),
        orders={
            ANY: (
                # A command that only a package manager or a service needs it for is no rule.
                r"(?<!only use )sudo(?![\w/-]|\.\w| (?:only|apt|apt-get|dnf|yum|pacman|zypper|apk|snap|systemctl|service|launchctl|usermod|xcode-select|access|rights|group))",
                r"(?:run|runs|running|start|starts|execut\w*|launch|log ?in|ssh|lae?uf\w*|laufen|fue?hr\w*|starte\w*|betreib\w*|tourn\w*|lanc\w*|lanz\w*|ejecut\w*)"
                r" ... (?:as|als|en tant que|en|comme|como) (?:the )?root(?! (?:element|dir|folder|component|node|path|level|module|package|of|for|span|cause|key|object|url|task|agent))",
                r"(?:als|en tant que|en|como) root (?:laufen|starten|ausfue?hren|tourn\w*)",
                r"user (?:should |must |will |has to )?(?:be|is|=|:) ?root",
            ),
        },
    ),
    Danger(
        name="permissions",
        why="would open files to everyone",
        cues=("777", "666", "a+rw", "a+w", "o+w", "writab", "writeab", "write access", "schreib", "ecriture", "escrib", "icacls"),
        orders={
            ANY: (
                r"chmod .{0,20}?(?:0?777|0?666|u?g?o?a?\+rwx|a\+w|o\+w|ugo\+rwx)",
                r"(?:permissions?|modes?|rechte\w*|droits?|permisos?|berechtigung\w*|umask) ... (?:0?777|0o777)",
                r"(?:0?777|0o777) ... (?:permissions?|rechte\w*|droits?|permisos?|fol?ders?|director\w+)",
                r"(?:give|set|make|put|use|donn\w*|dal?e?|pon\w*|setz\w*|gib|mets|mettre) ... 0?777(?![\w.:,]*\d)",
                r"world[- ]?writ(?:e?able)",
                r"(?:writable|write access|beschreibbar|schreibrechte|schreibbar|ecriture|escribib\w+|escritura) ... (?:to |by |for |fue?r |a |para |pour )?(?:everyone|everybody|alle|tous|tout le monde|todos)",
                r"(?:everyone|everybody|fue?r alle|a tous|para todos|a todos) .. (?:write access|writable|schreibrechte|beschreibbar|schreibbar|en ecriture|escribib\w+)",
                r"icacls .{0,40}?everyone",
            ),
        },
    ),
    Danger(
        name="access",
        why="would open what needs a login or is fenced off",
        cues=(
            *("auth", "autent", "2fa", "mfa", "factor", "faktor", "facteur", "firewall", "selinux", "apparmor", "seccomp", "virus", "defender", "viren"),
            *("access control", "zugriff", "berechtigung", "passwortabfrage", "pare-feu", "acces", "cortafuegos", "acceso", "setenforce", "ufw"),
            *("login", "password", "internet", "public", "passwort", "anmeldung", "contrasena", "passe"),
        ),
        orders={
            ANY: (
                r"(?:{off}|stop|kill) .. {auth}(?! (?:button|form|page|screen|headers?|links?|tests?|cookies?|tokens?|errors?|logs?|popup|prompt|redirect|mock|state|code|rules?|errors?|provider))",
                r"{switch} .. {auth} ... {away}",
                r"{switch} .. {away} .. {auth}",
                r"{auth} .. {is_off}",
                r"setenforce 0|ufw disable|selinux\W+(?:to )?(?:disabled|permissive)|systemctl (?:stop|disable) (?:firewalld|ufw|apparmor)",
                r"(?:leave|run|expose|start|keep|make|open|betreib\w*|lass\w*|laiss\w*|dej\w*|expon\w*|stell\w*) ... {without} .. (?:login|auth\w*|passwords?|passwort|anmeldung|mots? de passe|contrasena|autenticacion)",
                r"(?:login|anmeldung|passwortabfrage|inicio de sesion|connexion) (?:\S+ ){0,4}?(?:ab|aus)schalten",
                r"{off} (?:the |den |le |el )?(?:login|anmeldung|sign-?in) (?:for|on|in|of|fue?r|pour|de|du|para)",
                r"expose ... (?:database|db|redis|admin|postgres|mysql|mongo\w*|elasticsearch) ... (?:internet|public)",
            ),
        },
        refusals={
            "en": (
                r"(?:admin|dashboard|api|panel|endpoints?|routes?|server|database|console) (?:don't|doesn't|do not|does not) (?:need|require|have) .. (?:login|auth\w*|passwords?)",
            ),
            "de": (r"(?:admin|dashboard|api|server|datenbank)\S* .. (?:braucht|brauchen) kein\w* (?:login|anmeldung|passwort|authentifizierung)",),
            "fr": (r"(?:admin\w*|api|panneau|serveur) .. n'a pas besoin .. (?:authentification|mot de passe|connexion)",),
            "es": (r"(?:admin\w*|api|panel|servidor) .. no necesita .. (?:autenticacion|contrasena|login)",),
        },
    ),
    Danger(
        name="sandbox",
        why="would leave the sandbox",
        cues=("sandbox", "bac a sable", "bacs a sable"),
        orders={
            ANY: (
                r"{off} .. {sandbox}",
                r"{switch} .. {sandbox} .. {away}",
                r"{switch} {sandbox} {away}",
                r"--no-sandbox|--disable-\w*-?sandbox",
                r"(?:run\w*|execut\w*|start\w*|launch\w*|laufen|lae?uft|fue?hr\w*|lanc\w*|ejecut\w*|lanz\w*|tourn\w*) ... (?:outside|out of|au(?:ss|ß)erhalb|hors|fuera|en dehors) .. {sandbox}",
                r"{without} .. {sandbox}",
                r"sandbox\W+(?:to )?(?:false|off|none)",
                r"{sandbox} .. {is_off}",
            ),
        },
    ),
    Danger(
        name="hooks of git",
        why="would switch off checks or tests",
        cues=("no-verify", "commit", "hookspath", "husky"),
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
