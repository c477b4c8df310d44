"""Dangers for machines: containers, full rights, open files, open access, no sandbox, data destroyed."""

from __future__ import annotations

from memsuggest.extraction.safety.danger_words import ANY
from memsuggest.extraction.safety.notation import Danger, not_needed, switched_off

DANGERS: tuple[Danger, ...] = (
    Danger(
        name="containers",
        why="would give a container the machine",
        cues=(
            "privileg | docker | hostnetwork | hostpath | hostpid | host-network | --net | --pid | --cap-add"
            " | capabilit | network_mode"
        ),
        orders={
            ANY: (
                r"--privileged",
                r"privileged\W+(?:to )?(?:true|yes|1)",
                r"host(?:network|pid|ipc)\W+(?:to )?true|network_mode\W+host",
                r"--(?:net|network|pid|ipc|userns)(?:=| )host",
                r"--cap-add(?:=| )?\W?(?:all|sys_admin|sys_ptrace)",
                (
                    r"(?:add|give|grant|with|use|gib|donne|mit|avec|con|da) .. (?:all|alle\w*|toutes les"
                    r"|todas las) (?:linux )?(?:capabilities|capacites|capacidades)"
                ),
                r"(?:use|uses|mount|add|with|nutz\w*|monte[rz]?|monta\w*) ... hostpath",
                (
                    r"(?:mount\w*|bind|binds|share|expose|give|gib\w*|donn\w*|dal?e?|pass|einbind\w*|binde|haeng\w*"
                    r"|monte[rz]?|monta|montar|partag\w*|compart\w*|-v|--volume) ... (?:docker\.sock"
                    r"|docker[- ]socket"
                    r"|docker daemon|socket (?:de )?docker)"
                ),
                r"(?:docker[- ]socket|docker\.sock) .. (?:mounten|einbinden|einhae?ngen|durchreichen)",
                (
                    r"(?:run|runs|start|starts|use|make|launch) .. (?:containers?|pods?|it|them|everything)? ?(?:in"
                    r" |as )?privileged(?: mode| containers?| pods?|$|[.!])"
                ),
                r"privilegierte[nmrs]? (?:modus|container\w*|pods?)",
                r"mode privilegie|modo privilegiado|(?:conteneurs?|contenedor\w*) privilegi\w+",
            ),
        },
    ),
    Danger(
        name="root",
        why="would run things with full rights",
        cues=("sudo | root"),
        orders={
            ANY: (
                # A command that only a package manager or a service needs it for is no rule.
                (
                    r"(?<!only use )sudo(?![\w/-]|\.\w| (?:only|apt|apt-get|dnf|yum|pacman|zypper|apk|snap"
                    r"|systemctl"
                    r"|service|launchctl|usermod|xcode-select|access|rights|group))"
                ),
                (
                    r"(?:run|runs|running|start|starts|execut\w*|launch|log ?in|ssh|lae?uf\w*|laufen|fue?hr\w*"
                    r"|starte\w*"
                    r"|betreib\w*|tourn\w*|lanc\w*|lanz\w*|ejecut\w*)"
                    r" ... (?:as|als|en tant que|en|comme|como) (?:the )?root(?! (?:element|dir|folder|component"
                    r"|node"
                    r"|path|level|module|package|of|for|span|cause|key|object|url|task|agent))"
                ),
                (
                    r"(?:als|en tant que|en|como) root (?:laufen|starten|ausfue?hren|betreiben|installieren|bauen"
                    r"|tourn\w*)"
                ),
                r"user (?:should |must |will |has to )?(?:be|is|=|:) ?root",
            ),
        },
    ),
    Danger(
        name="permissions",
        why="would open files to everyone",
        cues=("777 | 666 | a+rw | a+w | o+w | writab | writeab | write access | schreib | ecriture | escrib | icacls"),
        orders={
            ANY: (
                r"chmod .{0,20}?(?:0?777|0?666|u?g?o?a?\+rwx|a\+w|o\+w|ugo\+rwx)",
                r"(?:permissions?|modes?|rechte\w*|droits?|permisos?|berechtigung\w*|umask) ... (?:0?777|0o777)",
                r"(?:0?777|0o777) ... (?:permissions?|rechte\w*|droits?|permisos?|fol?ders?|director\w+)",
                r"(?:give|set|make|put|use|donn\w*|dal?e?|pon\w*|setz\w*|gib|mets|mettre) ... 0?777(?![\w.:,]*\d)",
                r"world[- ]?writ(?:e?able)",
                (
                    r"(?:writable|write access|beschreibbar|schreibrechte|schreibbar|ecriture|escribib\w+"
                    r"|escritura) ... (?:to |by |for |fue?r |a |para |pour )?(?:everyone|everybody|alle|tous"
                    r"|tout le monde|todos)"
                ),
                (
                    r"(?:everyone|everybody|fue?r alle|a tous|para todos|a todos) .. (?:write access|writable"
                    r"|schreibrechte|beschreibbar|schreibbar|en ecriture|escribib\w+)"
                ),
                r"icacls .{0,40}?everyone",
            ),
        },
    ),
    Danger(
        name="access",
        why="would open what needs a login or is fenced off",
        cues=(
            "auth | autent | 2fa | mfa | factor | faktor | facteur | firewall | selinux | apparmor | seccomp"
            " | virus | defender | viren | access control | zugriff | berechtigung | passwortabfrage | pare-feu"
            " | acces | cortafuegos | acceso | setenforce | ufw | login | password | internet | public | passwort"
            " | anmeldung | contrasena | passe"
        ),
        orders={
            ANY: (
                (
                    r"(?:{off}|stop|kill) .. {auth}(?! (?:button|form|page|screen|headers?|links?|tests?|cookies?"
                    r"|tokens?"
                    r"|errors?|logs?|popup|prompt|redirect|mock|state|code|rules?|errors?|provider))"
                ),
                *switched_off("{auth}")[1:],
                r"leav(?:e|ing) .. {auth} (?:out|off)",
                r"open(?:s|ing)? .. firewall ... (?:everyone|everything|all|any\w*|the (?:internet|world))",
                (
                    r"setenforce 0|ufw disable|selinux\W+(?:to )?(?:disabled|permissive)|systemctl (?:stop"
                    r"|disable) (?:firewalld|ufw|apparmor)"
                ),
                (
                    r"(?:leave|run|expose|start|keep|make|open|betreib\w*|lass\w*|laiss\w*|dej\w*|expon\w*"
                    r"|stell\w*) ... {without} .. (?:login|auth\w*|passwords?|passwort|anmeldung|mots? de passe"
                    r"|contrasena|autenticacion)"
                ),
                r"(?:login|anmeldung|passwortabfrage|inicio de sesion|connexion) (?:\S+ ){0,4}?(?:ab|aus)schalten",
                r"{off} (?:the |den |le |el )?(?:login|anmeldung|sign-?in) (?:for|on|in|of|fue?r|pour|de|du|para)",
                (
                    r"expose ... (?:database|db|redis|admin|postgres|mysql|mongo\w*|elasticsearch) ... (?:internet"
                    r"|public)"
                ),
            ),
        },
        refusals={
            ANY: not_needed("(?:{auth}|login|passwords?)"),
            "en": (
                (
                    r"(?:admin|dashboard|api|panel|endpoints?|routes?|server|database|console) (?:don't|doesn't"
                    r"|do not"
                    r"|does not) (?:need|require|have) .. (?:login|auth\w*|passwords?)"
                ),
            ),
            "de": (
                (
                    r"(?:admin|dashboard|api|server|datenbank)\S* .. (?:braucht|brauchen) kein\w* (?:login"
                    r"|anmeldung"
                    r"|passwort|authentifizierung)"
                ),
            ),
            "fr": (
                (
                    r"(?:admin\w*|api|panneau|serveur) .. n'a pas besoin .. (?:authentification|mot de passe"
                    r"|connexion)"
                ),
            ),
            "es": (r"(?:admin\w*|api|panel|servidor) .. no necesita .. (?:autenticacion|contrasena|login)",),
        },
    ),
    Danger(
        name="sandbox",
        why="would leave the sandbox",
        cues=("sandbox | bac a sable | bacs a sable"),
        orders={
            ANY: (
                *switched_off("{sandbox}(?! (?:files?|folders?|accounts?|tests?|data|director\\w+))"),
                r"unsandboxed",
                r"--no-sandbox|--disable-\w*-?sandbox",
                (
                    r"(?:run\w*|execut\w*|start\w*|launch\w*|laufen|lae?uft|fue?hr\w*|lanc\w*|ejecut\w*|lanz\w*"
                    r"|tourn\w*) ... (?:outside|out of|au(?:ss|ß)erhalb|hors|fuera|en dehors) .. {sandbox}"
                ),
                r"{without} .. {sandbox}",
                r"sandbox\W+(?:to )?(?:false|off|none)",
            ),
        },
        refusals={ANY: not_needed("{sandbox}")},
    ),
    Danger(
        name="destroying",
        why="would destroy data",
        cues=("audit | backup | prod | rm - | sauvegarde | copias | auditor"),
        orders={
            ANY: (
                (
                    r"{destroy} ... (?:audit[- ](?:logs?|trails?|entries)|audit-?(?:log|protokoll)\w*|backups?"
                    r"|(?:journaux|logs?) d'audit|sauvegardes"
                    r"|copias de seguridad|(?:registros|logs?) de auditoria)(?! (?:older|file names?|alter|folder"
                    r"|button"
                    r"|option|tab|entry|command)\w*)"
                ),
                (
                    r"{destroy} ... (?:prod(?:uction)?(?: |-)(?:db|databases?|tables?|data|schema)"
                    r"|produktions-?(?:datenbank|daten)\w*"
                    r"|base (?:de donnees )?de prod\w*|base de datos de prod\w*)"
                ),
                r"(?:truncate|drop|wipe) .. (?:tables?|database|schema) .. in prod(?:uction)?",
                r"(?:backups?|audit-?logs?|produktions(?:datenbank|daten)\w*) .. (?:loe?schen|leeren|vernichten)",
                r"rm -(?:rf|fr|r -f) (?:--no-preserve-root )?(?:/|~/?|\*|\./?|\$home/?)(?=[\s,;.]|$)",
            ),
        },
    ),
)
