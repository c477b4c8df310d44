"""Small words that part rules whose other words are the same, and the verbs of orders. Pure."""

from __future__ import annotations

from pathlib import Path

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


VERBS = word_set(Path(__file__).with_name("order_verbs.txt").read_text(encoding="utf-8"))
"""Verbs that an order begins with, in four languages."""
