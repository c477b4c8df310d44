"""Cues of how far something reaches: a whole kind of things, every comment, said again, agreed to."""

from __future__ import annotations

from memsuggest.extraction import policy
from memsuggest.extraction.rule import Rule
from memsuggest.model import Kind

RULES = (
    Rule(
        name="each-every-any",
        looks_for="each, every, any, all, no: a whole kind of things",
        words={
            "en": (
                r"\b(?:(?:each|every|any)(?: of)?(?: the| our| new| other)?|all(?: new| other)?) (?!the\b|our\b"
                r"|of\b|my\b"
                r"|your\b|these\b|those\b|this\b|that\b|time|day|week|night|morning|evening|hour|minute|second"
                r"|month|year|now|the best|right|good"
                r"|set|done|at once|in all|over again|thanks)[a-z]{3,}|\bno (?!problem|need|worries|idea|matter"
                r"|longer|one|way|more|thanks|that|the|it|this|i|we|you|changes?|reason|doubt|files? "
                r"changed)(?:[a-z-]+ )?[a-z]+s\b|\b(?:any|every)thing (?:that|which|you|we|in|under|from|inside"
                r"|outside|below|else)\b"
            ),
            "de": r"\b(?:alle[nrs]?|jede[rsnm]?|keine[nrsm]?)\b(?! (?:ahnung|gute))",
            "fr": r"\b(?:chaque|tous les|toutes les|aucune?)\b",
            "es": r"\b(?:cada|tod[oa]s l[oa]s|ning[uú]na?)\b",
            "pt": r"\b(?:cada|tod[oa]s? [oa]s?|nenhuma?|qualquer)\b",
            "ja": r"すべて|全て|各",
            "zh": r"所有|每个|每一个|任何|全部",
        },
        remembers=("every module has an owner", "no magic numbers", "alle Dateien enden mit einem Zeilenumbruch"),
        ignores=("no problem", "all right", "every day I learn something"),
    ),
    Rule(
        name="about-a-kind",
        looks_for="an order or a telling about a kind of thing, not about one thing here",
        when=policy.is_about_a_kind,
        remembers=("use named exports", "tests live next to the code", "avoid default arguments"),
        ignores=("rename the button", "it works", "this test fails"),
    ),
    Rule(
        name="always-of-a-kind",
        looks_for="what a kind of things always or never is",
        kind=Kind.CONVENTION,
        when=policy.is_always_so,
        remembers=("figures are always 9 cm wide", "migrations are never squashed"),
        ignores=("the flag is always set", "it is always wrong", "always sort imports"),
    ),
    Rule(
        name="in-a-language",
        looks_for="in which language people write something: comments in English",
        kind=Kind.CONVENTION,
        when=policy.is_work_in_a_language,
        remembers=(
            "commit messages in English",
            "mensagem de commit em inglês",
            "Kommentare bitte auf Deutsch",
            "コメントは日本語で",
            "代码注释用英文",
        ),
        ignores=("translate this page to German", "is it in English?", "the button is in English"),
    ),
    Rule(
        name="spells-names",
        looks_for="how names or headings are spelt: snake_case, sentence case",
        kind=Kind.CONVENTION,
        words={
            "*": (
                r"\b(?:snake|camel|kebab|pascal|sentence|title|upper|lower|screaming)(?:[- _]?snake)?[- _]?case\b"
                r"|驼峰|下划线命名|キャメルケース|スネークケース"
            )
        },
        remembers=("event names are snake case", "headings in sentence case"),
        ignores=("in any case",),
    ),
    Rule(
        name="restated",
        looks_for="a rule that the assistant proposed, agreed to and said again",
        kind=Kind.CONVENTION,
        when=policy.is_restated,
        remembers=(),
        ignores=("yes", "yes, pin all versions"),
    ),
    Rule(
        name="approved",
        looks_for="what the assistant made of it was kept or voted up",
        when=lambda remark: remark.verdict > 0,
        remembers=(),
        ignores=("use yarn",),
    ),
    Rule(
        name="disapproved",
        looks_for="what the assistant made of it was undone or voted down",
        when=lambda remark: remark.verdict < 0,
        remembers=(),
        ignores=("use yarn",),
    ),
    Rule(
        name="told-again",
        looks_for="said in several turns of the session",
        when=lambda remark: remark.told == 2,
        remembers=(),
        ignores=("use yarn",),
    ),
    Rule(
        name="told-often",
        looks_for="said in three turns of the session, or more",
        when=lambda remark: remark.told > 2,
        remembers=(),
        ignores=("use yarn",),
    ),
)
