"""Words that say nothing about a text's subject, by language: one table for every room that leaves them out.

Owns the words only. What a room leaves out beside them (verbs that any rule has, words of a trade) it knows itself.
"""

from __future__ import annotations

STOP_WORDS = {
    language: frozenset(words.split())
    for language, words in {
        "en": "a an the and or but of to in on for with by from as at is are was were be been it its this that these"
        " those not no do does don you your we our they their if then else when which who what how all any each can may"
        " must will should use using used so than there here into also only just other",
        "de": "der die das und oder nicht ist sind mit für auf ein eine einen wir sie werden wird von zu dem den im",
        "fr": "le la les un une des et ou ne pas est sont avec pour dans sur nous vous du au aux ce cette que qui",
        "es": "el la los las un una y o no es son con para en de del por que se al como lo su sus",
        "pt": "o a os as um uma e ou não é são com para em de do da dos das por que se ao no na",
        "it": "il lo la i gli le un una e o non è sono con per in di del della che si al come",
        "nl": "de het een en of niet is zijn met voor op van te dat wij we bij als",
        "sv": "en ett och eller inte är med för på av att som vi den det de till",
        "ru": "и или не в на с для по что как это мы из к от за",
    }.items()
}
"""Articles, conjunctions, prepositions, pronouns and the commonest verbs: found in any text of the language."""

ASKING_WORDS = {
    language: frozenset(words.split())
    for language, words in {
        "en": "i please let's always never have don't",
        "de": "ich du es man bitte auch doch immer nie kein keine mehr muss nach nur soll sollte so statt vor wenn",
        "fr": "je tu il toujours jamais faut doit s'il",
        "es": "yo nosotros siempre nunca usa debe cuando hay favor esta esto",
        "pt": "eu nós você vamos sempre nunca use deve quando antes esta este isso pra pro pela pelo sua seu suas seus"
        " também já só está estão",
    }.items()
}
"""What people use beside them when they ask for something."""
