"""Tables of words that decide whether two rules mean the same: data only, looked up in case-folded texts.

Small on purpose: what is missing here only makes two rules look different, which a person can mend with one key.
"""

from __future__ import annotations

from memsuggest.text.stop_words import ASKING_WORDS, STOP_WORDS
from memsuggest.text.words import word_set

EMPTY = frozenset[str]().union(
    *(STOP_WORDS[language] | asking for language, asking in ASKING_WORDS.items()),
    word_set(
        "we'll we're us i'd i'll i'm my me them he she his her am being did done doesn't has had would shall could"
        " might need needs needed really very ever every both make sure ensure remember note want wants wanted like"
        " lets let"
        " now going forward future such whom whose where thing things way ways get gets got ought supposed would'd"
        " instead rather prefer preferred preferably project repo repository codebase onto through across per about"
        " already still either it's ours whenever anything anyone anybody something someone somebody"
    ),
    word_set("ihr alle jede jeder jedes einem einer am mal sollen müssen kann können darf wurde hier jetzt ab"),
    word_set("l elle on ces aussi doivent te plaît svp ici désormais"),
    word_set("unos unas tú usted también deben aquí ahora"),
    word_set("umas uns devem aqui agora"),
) - word_set("use used using usa else auf")
"""Words that carry no subject: function words, politeness, and what only says "this is a rule"."""

SPOKEN_TOOLS = word_set("make just")
"""Of the words without a subject, those that are tools too: behind a word of `TOOLING`."""

TOOLING = word_set("with using via use run through mit avec con com")

GENERIC = word_set(
    "use uses used using keep keeps write writes written put puts run runs running go goes add adds apply create"
    " follow follows stick name named call called choose pick work handle set live lives belong belongs reside come"
    " comes sit sits stay stays happen happens give take adding writing keeping putting running creating following"
    " handling storing stored verwende verwenden nutze nutzen benutze benutzen verwendet"
    " benutzt genutzt schreibe schreiben schreibt geschrieben gehören gehört liegen liegt kommen kommt"
    " utilise utiliser utilisez utilisé écris écrire écrivez écrit usa usar use utiliza utilizar utilice"
    " escribe escribir escrito escreva escrever"
)
"""Verbs that nearly every rule could have: they count little."""

NEGATORS = word_set(
    "not never no don't dont doesn't doesnt didn't isn't isnt aren't arent won't wont cannot can't cant shouldn't"
    " shouldnt mustn't mustnt wouldn't needn't haven't hasn't avoid avoids avoiding without neither nor none nothing"
    " nobody stop stops forbid forbids forbidden ban banned bans prohibit prohibited disallow disallowed refuse refrain"
    " nicht nie niemals kein keine keinen keinem keiner keines ohne vermeide vermeiden verboten"
    " pas jamais sans aucun aucune évite éviter évitez interdit"
    " nunca jamás jamas sin evita evitar ningún ninguna prohibido"
    " não nao nem sem evite jamais nenhum nenhuma proibido"
)
"""Words that turn the rest of their clause round."""

BANS = word_set("forbidden banned prohibited disallowed verboten untersagt interdit interdite interdits interdites"
              " prohibido prohibida prohibidos prohibidas proibido proibida proibidos proibidas taboo")  # fmt: skip
"""Of the negators, those that say no to what stands before them: "inline styles are forbidden"."""

NEGATOR_PHRASES = ("no longer", "instead of", "rather than", "in place of", "as opposed to", "nicht mehr",
                   "anstatt von", "statt", "anstatt", "anstelle von", "au lieu de", "plutôt que", "en vez de",
                   "en lugar de", "em vez de", "ao invés de", "not just", "not only")  # fmt: skip
"""The same in several words; longest match first is not needed: none begins with another."""

CONTRASTS = frozenset({"instead of", "rather than", "in place of", "as opposed to", "statt", "anstatt", "anstatt von",
                       "anstelle von", "au lieu de", "plutôt que", "en vez de", "en lugar de", "em vez de",
                       "ao invés de"})  # fmt: skip
"""Phrases that name what is *not* chosen beside what is."""

NO_NEGATION = frozenset({"not just", "not only"})
"""Phrases that negate nothing, but ask for more."""

REVERSERS = word_set(
    "remove removes removing delete deletes deleting drop drops dropping skip skips skipping disable disables disabled"
    " disabling exclude excludes excluding omit omits omitting reject rejects ignore ignores ignoring hide hides"
    " uninstall strip suppress bypass entferne entfernen lösche löschen supprime supprimer elimina eliminar remova"
    " remover"
)
"""Verbs that do the opposite of what another verb does to the same thing."""

LIMITERS = word_set(
    "only except unless but until nur außer sauf seulement excepto salvo solo sólo apenas exceto sometimes usually"
    " optionally manchmal parfois"
)
"""Words that make a rule hold for less: one rule with it and one without are two rules."""

KINDS = word_set("private public protected internal external async static abstract unit integration local remote")
"""Words that say which things of one name are meant: a rule for public functions is none for all functions."""

SCOPE_ENDS = word_set(
    "in for when while if on at during because since as so unless before after by from via inside outside within für"
    " wenn bei weil vor nach pour quand si dans avant après para cuando porque antes después em quando"
)
"""Words after which a negation no longer reaches: "never mock | in integration tests"."""

ORDERS = word_set("before after outside vor nach avant après antes después depois")
"""Prepositions that change what a rule says."""

PREFERENCE = word_set(
    "prefer prefers preferred preferring favor favors favour favours choose bevorzuge bevorzugen préfère préférer"
    " prefiere prefira"
)
"""After these, "over" names what is not chosen."""

RELATORS = ORDERS | word_set("over to into from than above below by onto under über aus von sur sobre")
"""Words whose two sides must not change places: "lint before tests"."""

REASONS = ("because", "since", "otherwise", "weil", "sonst", "parce que", "car", "porque", "ya que", "pois", "due to")
"""What begins the reason of a rule; the reason is no part of the rule's identity."""

NUMBERS = {
    word: str(number)
    for number, words in enumerate(
        ("zero null", "one", "two zwei deux dos dois", "three drei trois tres três", "four vier quatre cuatro quatro",
         "five fünf cinq cinco", "six sechs seis", "seven sieben", "eight acht huit ocho oito", "nine neun",
         "ten zehn dix diez dez")
    )
    for word in words.split()
}  # fmt: skip

SYNONYMS = {
    word: group.split()[0]
    for group in (
        "database db databases dbs",
        "documentation docs doc",
        "directory directories folder folders dir dirs",
        "function func functions funcs fn",
        "configuration config configs cfg",
        "dependency dependencies deps dep",
        "environment env environments envs",
        "variable variables var vars",
        "parameter parameters param params",
        "argument arguments arg args",
        "package packages pkg pkgs",
        "development dev",
        "metre metres meter meters",
        "centimetre centimetres centimeter centimeters",
        "millimetre millimetres millimeter millimeters",
        "second seconds",
        "millisecond milliseconds millis",
        "production prod",
        "authentication auth",
        "message messages msg msgs",
        "short terse concise brief briefly tersely concisely shortly",
        "directly straight direct",
        "lint linter linters linting",
        "format formatter formatters formatting",
        "remove delete erase removed deleted removing deleting",
        "show present display shown presented displayed",
        "access touch reach hit touches accesses hits touched accessed touching accessing hitting",
        "change modify alter edit changed modified altered edited changing modifying altering editing",
        "explain describe explained described",
        "check verify checked verified",
        "maximum max",
        "minimum min",
        "below under",
        "manually manual",
        "apologise apologize",
        "summarise summarize",
        "colour color colours colors",
        "behaviour behavior",
        "backend back-end",
        "frontend front-end",
        "sentence sentences",
        "license licence",
        "ticket tickets",
        "logging logger loggers",
        "indent indentation indenting indented",
        "javascript js",
        "typescript ts",
        "python py",
        "kubernetes k8s",
        "postgres postgresql",
        "commit commits committing",
        "test tests testing tested",
        "error errors exception exceptions",
        "comment comments commenting",
        "line lines",
        "quote quotes quoting",
        "English englisch anglais inglés inglês".casefold(),
        "German deutsch allemand alemán alemão".casefold(),
    )
    for word in group.split()
}
"""Short and long forms of one thing."""

LIGHT_NOUNS = word_set("code")
"""Nouns that most rules could have: with or without them a rule is the same, but another noun in their place counts."""

IMPLIED = {
    "message": "commit error log",
    "mood": "imperative",
    "branch": "main master",
    "entry": "changelog",
    "long": "character",
    "character": "line",
    "manager": "package",
    "file": "readme changelog dockerfile",
    "value": "default",
    "hint": "type",
    "new": "add introduce create",
    "type": "typescript",
    "debug": "console.log console.debug print println",
    "log": "console.log console.debug console.warn console.error",
}
"""Words that add little beside one of those behind them: a commit message, the main branch."""

OPPOSITES = tuple(
    frozenset(pair.split("/"))
    for pair in word_set(
        "enable/disable allow/forbid add/remove include/exclude keep/remove keep/delete show/hide start/stop"
        " before/after above/below uppercase/lowercase upper/lower public/private always/never more/less"
        " require/forbid commit/ignore sync/async synchronous/asynchronous first/last explicit/implicit"
        " minimum/maximum singular/plural relative/absolute"
    )
)
"""Words of which a thing can be only one."""

PLACING = word_set(
    "put place store save write keep live belong name call prefix suffix start begin end format sort title base log"
    " branch default deploy release merge group order sit reside run build meet happen written stored kept"
    " lie lege legen schreibe nenne mettre nommer poner nombrar"
)
"""Verbs after which one place or name excludes another: "put tests in `a/`", "put tests in `b/`"."""

PLACES = word_set("in into to under at with as from on mit als unter avec dans sous con en bajo com sob")

CHOOSING = word_set("use prefer choose pick take go stick call utilise verwende nutze utiliza usa")
"""Verbs whose object is one choice among others: "use zod for validation"; one may well write both tests and docs."""

ARTICLES = word_set(
    "a an the this that our your their its my all every each any der die das den dem ein eine einen"
    " le la les un une el los las una o os as um uma"
)

PURPOSES = word_set("for as to when für als zum zur pour para")

CJK_NEGATORS = ("不要", "不", "别", "別", "勿", "禁止", "ない", "ません", "しない", "避", "无需", "未")
