"""Small words that part rules whose other words are the same, and the verbs of orders. Pure."""

from __future__ import annotations

from memsuggest.core.text.words import word_set

NEGATIONS = word_set(
    "no not never none nor neither without avoid avoids avoiding cannot stop nicht nie niemals kein keine keinen keinem"
    " keiner keines ohne vermeide vermeiden nunca jamás sin ni tampoco evita evitar evite pas jamais sans aucun aucune"
    " évite éviter évitez"
)
LIMITS = word_set(
    "only except unless until till before after if when while than least most more less fewer first last over may can"
    " could might either sometimes optional optionally nur außer bevor nachdem vor wenn falls bis mindestens höchstens"
    " mehr weniger erst kann darf manchmal solo sólo solamente excepto salvo antes después si cuando hasta puede más"
    " menos seulement sauf avant après quand peut plus moins"
)
"""Words that bound a rule: with others it is another rule."""
LINKS = word_set("to from into onto over than instead rather before after als vor nach zu von statt bevor nachdem")
"""Words between two things whose order counts."""
LIGHT = word_set(
    "use uses using used please make sure ensure always prefer every each all any both has have had also really just"
    " shall ever well too ok verwende verwenden verwendet nutze nutzen benutze benutzen bitte immer alle jede jeder"
    " jedes muss müssen soll sollen usa usar utiliza siempre todos todas utilise utiliser utilisez toujours tous toutes"
)
"""Words of any rule, beside the stop words."""
CHOOSING = word_set(
    "use using prefer choose with via in into under is are be to mit auf ist per verwende nutze benutze nimm usa usar"
    " utiliza con dans en utilise utiliser utilisez avec sur est"
)
CHOSEN_BEFORE = word_set("verwenden nutzen benutzen nehmen verwendet benutzt schreiben")
REJECTING = (
    r"(?:\b(?:instead of|rather than|and not|and never|statt|anstatt|anstelle von|en lugar de|en vez de|au lieu de"
    r"|plutôt que)|(?:,|\bund|\by|\bet)\s+(?:not|never|nicht|nie|no|nunca|pas|jamais))\b"
)
PAST = {"kept": "keep", "written": "write", "sent": "send", "built": "build", "thrown": "throw", "held": "hold"}
TURNS = (
    (
        ("forget", "vergiss", "olvides", "oublie"),
        r"\b(?:do not|don't|never) forget(?: to)?\b|\bvergiss nicht\b|\bno olvides\b|\bn'oubliez? pas(?: de)?\b",
        " ",
    ),
    (
        (" pas", " jamais", " plus", " aucun", " rien"),
        r"\b(?:ne\s+|n')(\S+)\s+(?:pas|jamais|plus|aucune?|rien)\b",
        r"jamais \1",
    ),
    (("no longer",), r"\bno longer\b", "not"),
    (
        ("repo", "project", "codebase"),
        r"\b(?:in|for) (?:this|our|the) (?:repo|repository|project|codebase)\b|\bin diesem (?:repo|projekt)\b",
        " ",
    ),
    ((" este ", " ce "), r"\ben este (?:repo|proyecto)\b|\bdans ce (?:dépôt|projet)\b", " "),
    (
        ("from now on", "ab jetzt", "a partir de ahora", "désormais"),
        r"\bfrom now on\b|\bab jetzt\b|\ba partir de ahora\b|\bdésormais\b",
        " ",
    ),
)
"""Words of which a text has one where it may turn; what turns; what stands for it."""
ALTERNATIVES = (
    "npm yarn pnpm bun",
    "pip poetry uv pipenv conda",
    "tabs spaces",
    "single double",
    "pytest unittest nose",
    "jest vitest mocha",
    "playwright cypress selenium",
    "eslint biome",
    "black ruff yapf",
    "maven gradle",
    "squash rebase",
    "monday tuesday wednesday thursday friday saturday sunday",
    "mondays tuesdays wednesdays thursdays fridays saturdays sundays",
    "postgres postgresql mysql sqlite mongodb",
    "english german french spanish",
    "englisch deutsch französisch spanisch",
    "inglés alemán francés español",
    "anglais allemand français espagnol",
)
"""Names of which one is chosen. A list of names, not of meanings; what it lacks is recognised by how it is written."""
DIGITS = (
    "one two three four five six seven eight nine ten",
    "eins zwei drei vier fünf sechs sieben acht neun zehn",
    "uno dos tres cuatro cinco seis siete ocho nueve diez",
    "un deux trois quatre cinq six sept huit neuf dix",
)


_WORK = """
access adapt add address adjust align allow analyse analyze annotate answer append apply approve archive arrange ask
assert assign assume attach avoid await back base batch begin belong benchmark bind block branch break bring build
bump bundle cache calculate call cancel capture catch chain change check cherry-pick choose clarify clean clear clone
close collapse collect combine comment commit compare compile complete compress compute condense configure confirm
connect consider consolidate consult continue convert copy correct count cover create credit crop cut debug declare
decorate deduplicate default defer define delegate delete depend deploy deprecate derive describe design detect
determine develop disable discard discuss display do document double-check download draft draw drop dry duplicate edit
embed emit enable end enforce enhance ensure enter escape establish estimate evaluate examine exclude execute exit
expand expect explain explore export expose extend extract fail fetch figure fill filter find finish fix flag flatten
focus fold follow force fork format forward freeze generate get give go group guard guess handle hard-code hardcode
help hide highlight hook identify ignore implement import improve include increase indent index indicate infer inform
initialize inject inline insert inspect install instruct integrate introduce invent invert investigate invoke isolate
iterate join jump keep kill label launch lay lead learn leave let limit link lint list load localize locate lock log
look lower maintain make manage map mark match measure mention merge migrate mimic minify minimize mirror mock modify
monitor move name navigate nest normalize note notify number omit open optimize order organise organize output
override overwrite package pad paginate paint parse pass paste patch perform persist pick pin place plan plot point
polish populate port post prefer prefix prepare present preserve print prioritize proceed process produce prompt
propose provide prune publish pull purge push put query quote raise reach read rebase rebuild recommend record reduce
refactor refer reference refine reformat refresh regenerate register reject release reload rely remember remind remove
rename render reorder reorganize repeat rephrase replace reply report request require rerun rescan research reserve
reset resolve respect respond restart restore restrict restructure retrieve retry return reuse revert review rewrite
roll rotate round route run sanitize save say scan scope search select send separate serialize serve set setup shorten
show shrink sign simplify simulate skip sort specify split squash stage standardize start stash state stay stick stop
store stream strip structure stub style submit suffix suggest summarise summarize support suppress surface swallow
swap switch sync tag take talk tell terminate test think throw tidy toggle touch track transform translate treat
trigger trim truncate try tune turn tweak type unify uninstall update upgrade upload use utilise utilize validate
verify version view visualize wait walk warn watch wire work wrap write zoom
"""

_FOREIGN = """
verwende verwendet verwenden nutze nutzt nutzen benutze benutzt benutzen schreibe schreib schreiben schreibt mache
mach macht achte achtet füge stelle stell stellt prüfe prüft lasse lass lasst führe führt lege legt halte halt
haltet nimm nehmt setze setzt erstelle erstellt vermeide vermeidet lösche teste testet starte baue baut gib gebt
zeige bleib bleibe ändere behalte speichere committe pushe formatiere dokumentiere utilise utilisez utiliser écris
écrivez écrire mets mettez mettre fais faites faire évite évitez éviter garde gardez lance lancez ajoute ajoutez
supprime supprimez préfère préférez vérifie vérifiez laisse laissez crée créez corrige corrigez documente documentez
teste testez renomme respecte respectez place placez réponds répondez usa use usen utiliza utilice utilicen escribe
escriba escribir haz haga pon ponga evita evite mantén mantenga ejecuta ejecute añade añada agrega agregue elimina
quita crea cree corrige corrija documenta prefiere responde responda guarda revisa revisar separa nombra sigue
utilize utilizem usem escreva escrevam faça façam coloque coloquem evitem mantenha mantenham execute executem rode
rodem adicione adicionem remova crie criem corrijam divida divida atualize atualizem teste testem documente responda
prefira siga verifique
"""

VERBS = word_set(_WORK + _FOREIGN)
