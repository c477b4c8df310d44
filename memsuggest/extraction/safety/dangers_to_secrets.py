"""Dangers to secrets: committed, logged, written into the code."""

from __future__ import annotations

from memsuggest.extraction.safety.danger_words import ANY
from memsuggest.extraction.safety.notation import Danger

_SECRETS = "would weaken how the code handles secrets"

DANGERS: tuple[Danger, ...] = (
    Danger(
        name="committing secrets",
        why=_SECRETS,
        cues=(
            ".env | secret | credential | password | passphrase | token | key | zugangsdaten | anmeldedaten"
            " | passw | kennw | schlussel | schluessel | geheim | identifiant | passe | cle~ | cles~ | jeton"
            " | contrasen | clave | credencial | authorization | cookie"
        ),
        orders={
            ANY: (
                (
                    r"(?:commit(?:s|ting)?|git add|check(?:ing|s)? in|version|track) (?:-f"
                    r" |--force )?(?:[\w'.-]{1,15} ){0,4}?{secret}"
                    r"(?! (?:scan|hook|check|detect|polic|rotat)\w*)"
                ),
                (
                    r"(?:store|stores|keep|keeps|put|puts|save|saves|add|adds|push|include"
                    r"|leave) .. {secret} ... (?:in"
                    r"|into|to|under) (?:the |our |this |a )?"
                    r"(?:repo\w*|git(?!hub|lab|ignore)|version control|source(?: code)?|code(?:base)?|config\.\w+"
                    r"|history)"
                    r"(?! (?:secrets?|settings|variables|environment))"
                ),
            ),
            "en": (
                (
                    r"{secret} (?:is|are|gets?|should be|must be|can be|may be) (?:always )?(?:committed|checked in"
                    r"|pushed"
                    r"|(?:stored|kept|added) (?:in|to) (?:the )?(?:repo\w*|git|code))"
                ),
            ),
            "de": (
                r"(?:committe|commite|checke?|versionier|pushe?)\w* .. {secret}",
                r"{secret} .. (?:committe|commite|einchecke|versionier)\w*",
                (
                    r"{secret} ... (?:ins|im|in das|in den|in dem|in die|zum) (?:git-?)?(?:repo\w*|git|quellcode"
                    r"|quelltext|code|versionskontrolle)"
                ),
            ),
            "fr": (
                r"(?:{secret}|fichier \.env) .. (?:doit|doivent|est|sont) .. (?:commit|versionn|ajoute)\w*",
                r"(?:commit\w*|versionn\w*) .. {secret}",
                (
                    r"(?:gard|stock|ajout|met|mets|laiss|enregistr)\w* .. {secret} ... (?:dans|au|sur) (?:le"
                    r" |la )?(?:depot|repo\w*|git|code|source)"
                ),
            ),
            "es": (
                (
                    r"{secret} .. (?:debe\w*|tiene que|se) .. (?:sub|inclu|guard|commit)\w* .. (?:al?"
                    r"|en) (?:el )?(?:repo\w*|git|codigo)"
                ),
                r"(?:haz|hacer|hagas) commit .. {secret}",
                r"(?:incluy|anad|mete)\w* .. {secret} .. (?:commits?|git)",
                r"(?:commite|versiona)\w* .. {secret}",
                (
                    r"(?:guard|almacen|anad|sub|deja|pon|incluy)\w* .. {secret} ... (?:en|al|a) (?:el"
                    r" |la )?(?:repo\w*"
                    r"|git|codigo|fuente)"
                ),
            ),
        },
    ),
    Danger(
        name="logging secrets",
        why=_SECRETS,
        cues=(
            ".env | secret | credential | password | passphrase | token | key | zugangsdaten | anmeldedaten"
            " | passw | kennw | schlussel | schluessel | geheim | identifiant | passe | cle~ | cles~ | jeton"
            " | contrasen | clave | credencial | authorization | cookie"
        ),
        orders={
            ANY: (
                (
                    r"(?<![.*/-])(?:log(?! (?:in|into|out|on)\b)|logs|logging|print|prints|printing|dump|dumps|echo"
                    r"|logge\w*|protokollier\w*|journalis\w*|affich\w*"
                    r"|registr(?:a|ar|e|en)|imprim\w*|muestr\w*)(?!.{0,40}\b(?:without|ohne|sans"
                    r"|sin)\b) .. (?:{secret}"
                    r"|(?:raw |full |bearer )?(?<!of )tokens?|authorization headers?|session cookies?"
                    r"|api-schlue?ssel|jetons?)"
                    r"(?!s? (?:count|usage|budget|ids?\b|field|length|name|type|limit|expir|error|reset|refresh"
                    r"|manager"
                    r"|scan|label|input|hint|hash|rotat|was|is|are|per)\w*)"
                ),
                (
                    r"(?:log|print|dump|write|writes|put|include|includes|add|output|schreib\w*|gib|ecri\w*|mets"
                    r"|escrib\w*|incluy\w*|enregistr\w*|gard\w*|guard\w*|speicher\w*) ... (?:{secret}|tokens?"
                    r"|jetons?) ... (?:in|into|to|ins|im"
                    r"|auf der|dans|en|a|sur) .. (?:logs?|logfiles?|debug log|log ?files?|error messages?|console"
                    r"|konsole"
                    r"|stdout|journaux|fehlermeldung\w*"
                    r"|registros|consola)"
                ),
                r"(?:gib|ausgeben) ... (?:{secret}|api-schlue?ssel|tokens?) ... (?:auf|in) der konsole",
                r"(?:{secret}|tokens?) (?:\w+ ){0,4}?(?:mit)?(?:loggen|protokollieren|geloggt|protokolliert)",
                r"{secret} (?:is|are|get|gets|should be|must be|can be|may be) (?:logged|printed) .. (?:in|to|on)",
                r"(?:{secret}|tokens?) .. (?:ins|in das|im) (?:log|protokoll)\w*",
            ),
        },
    ),
    Danger(
        name="hard-coded secrets",
        why=_SECRETS,
        cues=(
            ".env | secret | credential | password | passphrase | token | key | zugangsdaten | anmeldedaten"
            " | passw | kennw | schlussel | schluessel | geheim | identifiant | passe | cle~ | cles~ | jeton"
            " | contrasen | clave | credencial | authorization | cookie | backdoor | back-door | hintertur"
            " | hintertuer | derobee | trasera | hidden admin | admin"
        ),
        orders={
            ANY: (
                r"hard-?code\w* .. {secret}",
                (
                    r"{secret} .. (?:hard-?(?:code|codiert|codieren)\w*|hart[ -]?[ck]odier\w*|fest (?:eintragen"
                    r"|verdraht\w*|im code|in den code)|en dur|fij[oa]s? en el codigo)"
                ),
                r"(?:hardcodea|hartcodier|hardcodier)\w* .. {secret}",
                (
                    r"(?:put|write|embed|store|save|paste|set|schreib\w*|mets|mettre|ecri\w*|cod\w+|escrib\w*|pon"
                    r"|poner"
                    r"|incluy\w*|legen?|setz\w*) .. {secret} ... (?:into|in|to|en dur|dans|en|directement"
                    r"|fest in|im|directamente en) (?:the |den |das |le |el |plain )?(?:source|code|quellcode"
                    r"|quelltext"
                    r"|codigo|script|client|connection string|binary|dockerfile|image)"
                ),
                r"code\w* en dur .. {secret}",
                (
                    r"(?:add|build|create|put|insert|leave|install|include|keep|baue?\w*|einbau\w*|ajout\w*"
                    r"|laiss\w*"
                    r"|cre\w*|anad\w*|deja\w*|pon)"
                    r" .. (?:back-?doors?|hintertue?re?n?|portes? derobees?|puertas? traseras?)(?! (?:scene|level))"
                ),
                r"(?:accept|add|use|allow|set) .. master ?passwords?",
                r"(?:hidden|secret|undocumented) (?:admin|login|account)(?: (?:login|account|user|endpoint|route))?",
            ),
        },
    ),
)
