"""Phrases: the turns of speech by which `policy` knows a question, a moment, a doubt, a report, in several languages.

Owns tables of patterns over plain text only, by language; `*` stands for all of them.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from memsuggest.text.verbs import VERBS
from memsuggest.text.words import word_set

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

Phrases = dict[str, re.Pattern[str]]


def phrases(**by_language: str) -> Phrases:
    """Compile patterns by language."""
    return {language: re.compile(pattern) for language, pattern in by_language.items()}


def is_said(table: Mapping[str, re.Pattern[str]], text: str, languages: Iterable[str]) -> bool:
    """Whether a text holds a phrase of a table in one of the languages."""
    return any(language in table and table[language].search(text) for language in languages)


ASKING = phrases(
    en=r"^(?:what|where|when|who|whom|whose|which|why|how|is|are|am|was|were|do|does|did|can|could|would|will|should"
    r"|shall|has|have|had|isn't|aren't|wasn't|don't we|don't you|doesn't|didn't|won't|shouldn't|couldn't|any|what's"
    r"|where's|how's)\b",
    de=r"^(?:was|wo|wann|wer|welche[rsmn]?|warum|wieso|wie|ist|sind|kann|können|soll(?:en)?|hast|habt|gibt)\b",
    fr=r"^(?:que|quoi|où|quand|qui|quel(?:le)?s?|pourquoi|comment|est-ce|peut-on|faut-il)\b",
    es=r"^¿|^(?:qué|dónde|cuándo|quién|cuál(?:es)?|por qué|cómo)\b",
    pt=r"^(?:o que|onde|quem|qual|quais|por que|pq|como|tem como|devo|posso|será)\b",
)
"""What a question starts with; with a question mark further on."""

INVERTED = re.compile(
    r"^(?:what|where|who|whom|whose|which|why|how|does|did|have (?:we|you)|do (?:i|we|you|they|these|those)"
    r"|(?:can|could|should|is|are|will|would|am|was)"
    r" (?:i|we|you|it|there|this|that|they|the))\b"
)
"""What is a question even without the mark."""

ENDS_ASKING = re.compile(
    r"[?\uff1f][)*_ ]*(?:[:;]-?[()dp]|[\U0001f000-\U0001ffff\u2600-\u27bf]\s*)?$|(?:か|かな|ですか|吗|呢)[。？?]?$"
    r"|[a-z], (?:right|or|hey|no|ok|yeah|correct)\??$|, (?:does|did|is|are) (?!not\b)\w+(?: \w+){1,3}$"
    r"|\b(?:can't|couldn't|isn't|doesn't|shouldn't|wouldn't) (?:it|we|you|this|they) \w+|\bwe\b.* right$"
)

REPROACH = re.compile(
    r"\bwhy (?:did|are|do|have|would|didn't|don't|haven't|aren't) you\b|\bdid you (?:really |even |actually "
    r")?(?:need|have) to\b"
    r"|\bhow (?:many times|often) (?:do|did|must|have) i\b|\b(?:warum|wieso) (?:hast|machst) du\b|\bpourquoi "
    r"(?:as-tu|tu as)\b"
    r"|\bpor qué (?:has|hiciste)\b|\bpor que (?:você|vc)\b"
)

TRANSIENT = phrases(
    en=r"\b(?:now|currently|still|(?<!twice )(?<!times )(?<!before )already|just now|so far|as of now"
    r"|thus far|ago|yesterday|earlier|again|is "
    r"(?:\w+ing|done(?! (?:with|by|in|via|through|per)\b)"
    r"|ready|failing|green|red|broken|merged|gone|fixed)|are (?:\w+ing|done|failing|broken)|(?:has|have) "
    r"(?:just|been (?!renamed|moved|deprecated|replaced|retired|migrated|superseded|dropped"
    r"|discontinued|split)\w+ed)"
    r"|was \w+ing|were \w+ing|got (?:merged|stuck|an? )|getting|happened|happening)\b",
    de=r"\b(?:jetzt|gerade|aktuell|momentan|schon|bereits|gestern|wieder|(?<!nur )noch)\b",
    fr=r"\b(?:maintenant|actuellement|encore|(?<!qui est )(?<!qui sont )déjà|hier)\b",
    es=r"\b(?:ahora(?! en)|actualmente|todavía|aún|ya|ayer|otra vez)\b",
    pt=r"\b(?:agora(?! em)|atualmente|ainda|(?<!que )já|ontem|de novo|quase|está \w+ndo|estou \w+ndo)\b",
    ja=r"今|現在|まだ|もう|昨日|さっき|ている$",
    zh=r"现在(?!起|开始)|目前|还在|已经|刚才|刚刚|昨天",
)

FOR_GOOD = re.compile(
    r"\b(?:can|could|would|will) (?:you|we|u) (?:[\w']+ ){0,3}?(?:always|never|stop|from now on|in (?:the )?future"
    r"|make sure (?:that )?(?:all|every|each|any|no)|agree)\b"
    r"|\b(?:kannst|könntest|würdest) du (?:\w+ ){0,3}?(?:immer|nie|niemals)\b"
    r"|\b(?:peux-tu|pourrais-tu|tu peux) (?:\w+ ){0,2}?(?:toujours|ne (?:plus|jamais))\b"
    r"|\b(?:puedes|podrías|pode|poderia|podes) (?:\w+ ){0,2}?(?:siempre|nunca|sempre)\b"
)
"""A rule that is asked for as a favour: "can you never …", "könntest du bitte immer …"."""
HEDGED = phrases(
    en=r"\b(?:maybe|perhaps|probably|possibly|i think|i guess|i suppose|i wonder|wondering|i believe|i suspect|i "
    r"feel like"
    r"|not sure|unsure|might|(?<!if you )(?<!if we )could|seems?|sort of|kind of|i'm thinking|thinking aloud"
    r"|i assume|presumably|i imagine"
    r"|hopefully|in theory|theoretically|would be (?:nice|good|great|cool|helpful|better)|what if|how about|what about"
    r"|or something|if you want|if you like|up to you|your call|whatever|worth|potentially|hypothetical\w*)\b",
    de=r"\b(?:vielleicht|wahrscheinlich|eventuell|ich glaube|ich denke|ich vermute|vermutlich|könnte|evtl"
    r"|eigentlich|oder so)\b",
    fr=r"\b(?:peut-être|probablement|je pense|je crois|il me semble|pourrait|éventuellement)\b",
    es=r"\b(?:quizás?|tal vez|probablemente|creo que|pienso|podría|a lo mejor|supongo)\b",
    pt=r"\b(?:talvez|provavelmente|acho que|penso|poderia|quem sabe|creio)\b",
    ja=r"かも|たぶん|と思う|と思います|でしょうか",
    zh=r"也许|可能|大概|我觉得|我想|好像|或许",
)

REPORTS = phrases(
    en=r"(?:^|[,;:.(] |\b(?:and|but|so|because|that|ok|yes|no|ah|oh|well) )i(?:'ve| have)? (?:(?:just|already"
    r"|also|now|recently) ){0,3}(?:\w+ed|did|made|ran|got|put|saw|found"
    r"|see|had|went"
    r"|wrote|built|took|noticed|tried|forgot|broke|don't see|can't see|cannot)\b(?! you)|\bi(?:'ll| will|'m going to"
    r"| am going to|'m \w+ing| am \w+ing)\b(?! on \w)|\bi was\b|\bi(?:'m| am) (?:confused|worried|sorry|glad"
    r"|happy|afraid|surprised|curious|stuck|tired|done|ready|back|wondering|lost)\b|\bwe(?:'ve| have) (?:just "
    r"|already )?\w+ed\b"
    r"|\byou (?:say|said|claim(?:ed)?|mention(?:ed)?|wrote|suggested|proposed)\b|\bwe(?:'re"
    r"| are) (?!using|not|always|never)\w+ing\b|(?:^|[,;:(] |\b(?:and|but|so|because|that) )(?:he|she) \w+(?:ed"
    r"|s)\b|^they \w+(?:ed|s)\b",
    de=r"\bich (?:habe|hab|war|bin|werde)\b",
    fr=r"\bj'ai\b|\bje (?:vais|suis en train)\b",
    es=r"\b(?:he|hice|acabo de|voy a|estoy \w+ndo)\b",
    pt=r"\b(?:eu (?:fiz|pausei|vou|estava|estou)|acabei de|vou \w+r|estou \w+ndo|tivemos|tive)\b",
    ja=r"(?:しました|した)[。]?$",
    zh=r"我(?:刚|已经|在)|了[。]?$",
)

FORBIDDING = re.compile(
    r"(?:don't|do not|never|avoid|stop|no more|not|nicht|keine?|ne \w+ (?:pas|jamais)|não|no \w+[ea]s)\b"
)
LASTING = re.compile(
    r"\b(?:always|never|every|each|whenever|from now on|next time|going forward|in (?:the )?future|by default"
    r"|immer|nie|niemals|jedes|ab jetzt|toujours"
    r"|jamais|chaque"
    r"|siempre|nunca|cada|sempre|a partir de agora)\b|必ず|常に|毎回|总是|每次|始终"
)
RECORDED = re.compile(
    r"\b(?:add|create|make|write|record|document|put|save|store|capture|mention|update|extend|include|specify"
    r"|state|improve)"
    r"\b.{0,40}\b(?:rules?|memory|claude\.md|agents\.md|copilot-instructions(?:\.md)?|instructions"
    r"|conventions?(?:\.md)?"
    r"|guidelines?|preferences?|contributing(?:\.md)?|style ?guide|\w+\.mdc|skill)\b"
)

NORM = re.compile(
    r"\b(?:should(?:n't)?|must(?:n't)?|has to|have to|needs? to|shall|(?:is|are) (?:not )?to|ought to|may not"
    r"|can't|cannot"
    r"|will (?:always|never|be)|muss|müssen|soll|sollen|sollten?|darf|dürfen|doit|doivent|debe|deben|deve|devem"
    r"|precisam?|tienen? que|tem que"
    r"|têm que)\b"
)
PERSON = re.compile(
    r"\b(?:i|they|i'm|i've|i'd|i'll|you|your|you're|me|my|we|we're|let's|he|she|ich|du|wir|je|tu|nous|yo|tú|eu"
    r"|você|vc)\b"
)
PRESENT = re.compile(
    r"\b(?:is|are|isn't|aren't|has|have|hasn't|doesn't|don't|can|can't|cannot|does|will|means?"
    r"|ist|sind|hat|haben|wird|werden|heißt|est|sont|es|son|está|están|tiene|é|são|estão|tem|têm)\b|は.+(?:です"
    r"|ます|だ|ている|ある)|是|在|有"
)
_OUTCOMES = word_set(
    "give show report say return throw fail break print take drop start stop get open close end change point count read"
    " display produce lead mention think look state wait make finish raise crash log warn"
)
"""Verbs that tell what has come of something this time."""
BY_ITSELF = re.compile(
    r"^(?!the |this |that |it |there |every |each |\w+ing )(?:`[^`]+`"
    r"|[\w.@/-]+)(?: [\w.@/-]+)? (?:always |never |only |also )?"
    rf"(?:{'|'.join(sorted(VERBS - _OUTCOMES, key=len, reverse=True))}|exist|decide|live|sit|own)s\b(?! (?:to|like"
    rf"|wrong|fine|now|again)\b)"
)
"""A tool by its name and what it does: "Vite inlines small files"."""
BY_NATURE = re.compile(
    r"(?<!\bto )(?<!\bcan )(?<!\bshould )(?<!\bwould )\b(?:lives?|uses|runs|keeps|needs|supports?|requires?"
    r"|contains?|holds|owns|handles"
    r"|stores?|belongs?|returns?|expects?|depends?|comes from|goes (?:in|to|through)|takes|provides?|allows?"
    r"|serves|generates?|includes?"
    r"|calls|manages|sends|relies|tracks|follows|applies|installs|ships|targets|exposes|identif(?:y|ies)"
    r"|talks to|reads from"
    r"|writes to|lives in|accepts?"
    r"|speaks|listens|wraps|inherits|extends|overrides|replaces|(?:is|are) (?:also |only |always |never "
    r")?(?:\w+ed|done|built|run|kept|held|written"
    r"|read|sent|set|drawn|made|split|meant|driven) (?:by|in|at|from|on|to|with|via|through|under|per|using|as|into)"
    r"|only (?:works?|builds?)|(?:will|can|must) (?:not |always |never |only "
    r"|also )?be \w+(?:ed|n|t)"
    r"|läuft|liegt|nutzt|braucht|verwendet|benutzt|stammt|kommt aus|gilt|enthält|hängt (?:von|an)|utilise|utilisent"
    r"|vient de|dépend|nécessite|contient|tourne|passe par|viene de|vive en|requiere|necesita|depende|contiene"
    r"|vem d[eoa]|roda|se trouve|usa|usan|usam|fica|ficam)\b"
)
"""Verbs that tell what something is like, rather than what happens to it."""

CHANGING = re.compile(
    r"\b(?:from now on|going forward|moving forward|instead|no longer|not (?:\w+ )?any ?more|anymore|change "
    r"of plans?|changed? (?:our|the|that|my|this)"
    r"|(?:changing|updating|revising|revised|updated) (?:our|the|that|this|how|it)|switch(?:ing|ed)? (?:to"
    r"|from|over|back)|rather than|new (?:rule|convention|policy|prefix|suffix|naming|standard|guideline)"
    r"|used to|in place of|replac(?:e|es|ing)|forget (?:the|about|what)|scrap|drop the|stop using|as of (?:now"
    r"|today)|we've decided|i've decided|decided to"
    r"|ab (?:jetzt|sofort)|nicht mehr|stattdessen|statt|désormais|à la place|plus de|a partir de (?:ahora"
    r"|agora)|ya no|en (?:vez|lugar) de|em vez de|não .{1,30} mais)\b"
    r"|今後|これから|代わりに|以后|不再|改(?:用|成|为)"
)
"""What says that a rule changes an earlier one."""
CHANGING_TALK = re.compile(
    r"\bnow\b|\b(?:any|no) longer\b|\blet's make (?:it|that|them)\b|\b(?:needn't|no need|not? (?:\w+ )?necessary)\b"
    r"|\b(?:don't|doesn't|do not|does not) (?:have to|need|bother|worry|matter|apply)\b|\bafter all\b|\bagain\b"
    r"|\bin favou?r of\b|\bdropping\b"
    r"|n't (?:\w+ )?(?:required|needed|necessary)\b|, not (?:the |an? )?\w+[.!]?\Z|\byou (?:can"
    r"|may) (?:stop|skip|drop|leave)\b"
)
"""The same in a talk between people, who repeat what has changed and seldom what has not."""
