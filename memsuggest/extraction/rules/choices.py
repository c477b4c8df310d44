"""Cues that somebody chooses: this rather than that, only this, none of these, this first."""

from __future__ import annotations

from memsuggest.extraction import policy
from memsuggest.extraction.rule import Rule
from memsuggest.model import Kind

RULES = (
    Rule(
        name="rather-than",
        looks_for="this, not that: instead of, rather than, and not",
        kind=Kind.CORRECTION,
        words={
            "en": (
                r"\binstead of\b|\brather than\b|\bas opposed to\b|\bin favou?r of\b|, (?:and )?not (?!sure|yet"
                r"|really|only|that (?:it|i)|just yet|now|bad)\w+|\bnot .{3,60}(?:,| but) (?:but |rather )?\w+"
                r"|\bover (?:mocks|plain|raw|custom)\b|\b(?:uses?|using|want|prefer)\b.{2,40}\bnot\b"
                r"|\buse .{2,40}, no (?!problem|need|worries|rush|idea)\w+"
            ),
            "de": r"\bstatt(?:dessen)?\b|\banstatt\b|\banstelle\b|, nicht \w+|\bsondern\b",
            "fr": r"\bau lieu de\b|\bplutôt que?\b|\bà la place\b|, pas \w+|\bet non\b",
            "es": r"\ben (?:vez|lugar) de\b|, no \w+|\bsino\b",
            "pt": r"\bem vez d[eoa]\b|\bao invés d[eoa]\b|\bno lugar d[eoa]\b|, não \w+|\be não\b",
            "ja": r"ではなく|じゃなくて|の代わりに",
            "zh": r"而不是|而非|不是.*而是|代替",
        },
        remembers=("use httpx instead of requests", "pnpm, not npm", "nimm pnpm statt npm", "npmではなくpnpmを使って"),
        ignores=("not sure", "it did not work"),
    ),
    Rule(
        name="use-it",
        looks_for="an order to use, prefer, keep or follow something",
        kind=Kind.CONVENTION,
        in_main=True,
        when=lambda remark: remark.is_direct and (remark.is_dialogue or not policy.is_about_this(remark)),
        words={
            "en": (
                r"^(?:(?:always|only|just|please) )*(?:use|prefer|follow|keep(?! in mind)|stick (?:to|with)|respect"
                r"|maintain|favou?r|adhere to|treat"
                r"|name|call|prefix|suffix|begin|end|format|indent|wrap|sort|group|place|store|write|test|assume"
                r"|answer|respond|reply|ask|commit|start|put|pin)\b"
            ),
            "de": r"\b(?:verwende|nutze|benutze|nimm|halte|bleib)\b",
            "fr": r"\b(?:utilise(?:z|r)?|garde(?:z)?|préfère(?:z)?|respecte(?:z)?)\b",
            "es": r"\b(?:usa|usar|utiliza|utilizar|mantén|sigue|prefiere)\b",
            "pt": r"\b(?:use|usar|utilize|utilizar|mantenha|siga|prefira)\b",
            "ja": r"を使(?:って|う|用)",
            "zh": r"使用|用.*(?:代替|来)|采用",
        },
        remembers=("use snake_case for tables", "please follow the existing layout", "nutze pathlib"),
        ignores=("the use of it is odd",),
    ),
    Rule(
        name="using",
        looks_for="using or following something, said in passing",
        kind=Kind.CONVENTION,
        words={
            "en": r"\b(?:to|and|should|must|,|we're|by) (?:use|using|follow|following|stick (?:to|with)|adhere to)\b",
        },
        remembers=("dates are to use UTC", "and follow the layout of the others"),
        ignores=("the use of it is odd", "use tabs"),
    ),
    Rule(
        name="use-the-tool",
        looks_for="an order to use a command, a script, a helper by its name",
        kind=Kind.PROCEDURE,
        in_main=True,
        words={
            "en": (
                r"^use (?:the |our |my )?(?:`[^`]+`|[\w./:-]+(?: [\w./:-]+){0,3}?) (?:command|tool|script|helper"
                r"|wrapper"
                r"|target|skill|cli|alias)\b"
            )
        },
        remembers=("use the `seed reset` command for that", "please use our release script"),
        ignores=("use tabs", "the command is slow"),
    ),
    Rule(
        name="only",
        looks_for="only, exclusively, at most, nothing but",
        kind=Kind.CONVENTION,
        words={
            "en": (
                r"\b(?:only|exclusively|solely|nothing but|nothing else|nobody else|no more than"
                r"|at most)\b(?! (?:issue|problem|thing left"
                r"|now|just|one (?:more|left)|question))"
            ),
            "de": r"\b(?:nur|ausschließlich|höchstens)\b",
            "fr": r"\b(?:seulement|uniquement|que des)\b",
            "es": r"\b(?:solo|sólo|solamente|únicamente)\b",
            "pt": r"\b(?:só|somente|apenas)\b",
            "ja": r"だけ|のみ",
            "zh": r"只(?:能|用|在|有)|仅",
        },
        remembers=("only the repository layer talks to the database", "nur ASCII in Bezeichnern"),
        ignores=("the only issue is the name",),
    ),
    Rule(
        name="first-then",
        looks_for="an order of steps: first, before, until, once done",
        kind=Kind.PROCEDURE,
        words={
            "en": (
                r"(?<!^)\bfirst\b(?! (?:one|two|part|line|time|commit|pr|name|draft|version|version|place|prompt"
                r"|session"
                r"|thing))|\b(?:before|prior to|until|unless|after|once)\b(?= \w)(?! (?:that|this|it|now|noon)\b)"
            ),
            "de": r"\b(?:zuerst|zuvor|bevor|erst|nachdem|bis)\b",
            "fr": r"\b(?:d'abord|avant de|avant que|après avoir|tant que)\b",
            "es": r"\b(?:primero|antes de|después de|hasta que)\b",
            "pt": r"\b(?:primeiro|antes de|depois de|após|até)\b",
            "ja": r"まず|前に|後に",
            "zh": r"首先|先.*再|之前|之后",
        },
        remembers=("write the failing test first", "erst fragen, dann löschen"),
        ignores=("the first one",),
    ),
    Rule(
        name="no-such-thing",
        looks_for="a plain no to a kind of things: no mocks, no default exports please",
        kind=Kind.CONVENTION,
        in_main=True,
        words={
            "en": (
                r"^(?:please )?no (?!no\b|problem|need|worries|idea|matter|longer|one|way|more|thanks|that|the|it"
                r"|this|i|we|you|he|they"
                r"|changes?|reason|doubt|let|just|keep|don't|do|is|not|please|use|make|but|and|so|wait|luck"
                r"|clue|rush|hurry"
                r"|offen[sc]e|biggie|results?|errors?|output|difference|tests? (?:are|were|ran)|worry|big|deal"
                r"|real|good)"
                r"(?:(?:[\w-]+ ){0,2}[\w-]+(?:s|ing|ed)\b|[\w-]+(?: [\w-]+)?(?![^,.;]{0,30}\b(?:needed|necessary"
                r"|required|is|are|was|were)\b)(?=[,.!;]|$| (?:in|for|here|on"
                r"|from|at|please|unless|ever|outside|inside|within|without|except|apart)\b))"
                r"|, no (?:[\w-]+ ){1,3}(?:please|anywhere|ever|at all)\b|\bplease no (?!need|rush|more|problem)[\w.-]+"
                r"|\bthere (?:must|should|can) be no \w+|\bwe have no (?!time|idea|choice|clue|problem|plans?|issue"
                r"|need|way|one\b)[\w.-]+|\b(?:there"
                r"|we) (?:is|are|have|want|need"
                r"|use|allow) no (?:[\w-]+ ){0,2}[\w-]+s\b|\bthere is no (?!error|output|way|reason|need|problem"
                r"|difference"
                r"|sign|log|test|such|point|rush)[\w-]+ (?:in|inside|from|outside)\b"
            ),
            "de": r"^(?:bitte )?kein(?:e|en)? \w+",
            "fr": r"^pas d[e']",
            "es": r"^(?:nada de|sin) \w+",
            "pt": r"^(?:nada de|sem) \w+",
        },
        remembers=(
            "no magic numbers",
            "no mocks for the clock please",
            "please no orm, plain queries only",
            "i told you no force casts",
            "keine Abkürzungen in Namen",
        ),
        ignores=("no problem", "no tests were run", "no idea why", "no, the other one", "no big deal"),
    ),
    Rule(
        name="allowed-or-not",
        looks_for="what is allowed, banned, required, deprecated",
        kind=Kind.CONVENTION,
        words={
            "en": (
                r"\b(?:is|are) (?:strictly |not |never |only |always )?(?:banned|forbidden|allowed|prohibited"
                r"|permitted|off[- ]limits|mandatory"
                r"|required|obligatory|taboo|not up for discussion|not negotiable|non-negotiable|a no-go|deprecated"
                r"|frozen|read-only)\b"
            ),
            "de": r"\b(?:ist|sind) (?:streng )?(?:verboten|nicht erlaubt|pflicht|tabu|veraltet)\b",
            "fr": r"\b(?:est|sont) (?:strictement )?(?:interdite?s?|obligatoires?|dépréciée?s?)\b",
            "es": r"\b(?:está|están|es|son) (?:prohibid[oa]s?|obligatori[oa]s?)\b",
            "pt": r"\b(?:é|são|está|estão) (?:proibid[oa]s?|obrigatóri[oa]s?)\b",
            "ja": r"禁止です|必須です",
            "zh": r"(?:是|被)(?:禁止|必须)",
        },
        remembers=("Lombok is banned", "default exports are not allowed", "Mocks sind verboten"),
        ignores=("ban the user", "is it allowed"),
    ),
)
