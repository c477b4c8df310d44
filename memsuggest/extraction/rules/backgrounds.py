"""Cues that somebody tells what the work has to live with: versions, what is so on purpose, what others want."""

from __future__ import annotations

from memsuggest.extraction import policy
from memsuggest.extraction.grammar import is_order
from memsuggest.extraction.rule import Rule
from memsuggest.model import Kind

RULES = (
    Rule(
        name="names-a-version",
        looks_for="which version of a language or a platform the work has to suit",
        kind=Kind.FACT,
        words={
            "*": (
                r"\b(?:python|node|java|php|golang|ruby|rust|msrv|ios|android|chrome|firefox|safari|postgres|mysql"
                r"|sdk|jdk"
                r"|jvm|\.net|glibc|gcc|clang|rails|django|kotlin|swift|xcode|ubuntu|debian|macos|windows|c\+\+"
                r"|ecmascript|es"
                r"|kernel|cuda)\b[^.,;?]{0,14}(?<![\w.-])v?\d+(?:\.\d+){0,2}\b"
            )
        },
        when=lambda remark: (
            not is_order(remark.main)
            and not policy.is_question(remark)
            and not policy.is_progress_report(remark)
            and policy.size(remark) > 3
        ),
        remembers=("python 3.9 must keep working", "the customer is on php 8.1", "生产环境是 JDK 8"),
        ignores=("bump node to 22", "is python 3.9 supported?", "android 14"),
    ),
    Rule(
        name="is-used-here",
        looks_for="what is used or done here: it's pnpm here, that's how we name them",
        kind=Kind.FACT,
        words={
            "en": (
                r"\b(?:it's|we're|this is|that's|it is) (?:all |still |only |just )?(?!not\b|just\b|fine\b|wrong\b"
                r"|broken\b)"
                r"(?:[\w./+-]+ ){1,3}(?:in |around )?here\b"
                r"|\b(?:is|that's|this is) (?:just )?(?:how|the way) (?:i|we) (?:like|do|keep|want|name|write|work"
                r"|run|build"
                r"|handle|call|ship|test)\b"
            )
        },
        when=lambda remark: not policy.is_question(remark),
        remembers=("it's pnpm here", "that's how we name them", "one migration per feature is how i keep it"),
        ignores=("is it pnpm here?", "it's fine here", "put it here"),
    ),
    Rule(
        name="on-purpose",
        looks_for="that something odd is so on purpose, or by its history",
        kind=Kind.FACT,
        words={
            "en": r"\bon purpose\b|\bdeliberately\b|\bintentional(?:ly)?\b|\bby design\b|\bfor historical reasons\b",
            "de": r"\babsichtlich\b|\bmit absicht\b|\bbewusst so\b|\bhistorisch\b",
            "fr": r"\bexprès\b|\bvolontaire(?:ment)?\b|\bhistorique\b",
            "es": r"\ba propósito\b|\bintencionad[oa]\b|\bpor diseño\b",
            "pt": r"\bde propósito\b|\bintencional\b|\bproposital\b",
            "ja": r"意図的|わざと|仕様です",
            "zh": r"故意|有意|历史原因",
        },
        when=lambda remark: not policy.is_question(remark),
        remembers=("results/ is committed on purpose", "das ist absichtlich so"),
        ignores=("was that on purpose?", "the purpose is clear"),
    ),
    Rule(
        name="others-want-it",
        looks_for="what a lead, a reviewer, the security team said or wants",
        kind=Kind.CONVENTION,
        words={
            "en": (
                r"\b(?:my|our|the) (?:[\w-]+ )?(?:lead|boss|colleague|manager|team|reviewers?|customers?|clients?"
                r"|cto|ops|security"
                r"|architects?|legal|compliance|auditors?) (?:told (?:me|us)|said|says|wants?|insists?|requires?"
                r"|asked (?:me|us|for)"
                r"|asks (?:me|us|for)|expects?|rejects?|complains?)\b"
            ),
            "de": (
                r"\b(?:mein|unser|der|die) (?:chef|teamlead|kunde|kollege|reviewer) (?:hat gesagt|sagt|will"
                r"|möchte|verlangt)\b"
            ),
        },
        when=lambda remark: not remark.is_dialogue and not policy.is_question(remark),
        remembers=("my lead said that v1 has to stay", "the reviewers want one commit per comment"),
        ignores=("the users want a toast", "what did the reviewer say?"),
    ),
    Rule(
        name="that-alone",
        looks_for="a thing and only: System.Text.Json only",
        kind=Kind.CONVENTION,
        words={"en": r"^[\w .+#/-]{3,60} only[.!]?$"},
        when=lambda remark: not is_order(remark.main) and policy.size(remark) > 2,
        remembers=("script setup only", "System.Text.Json only."),
        ignores=("migrate this screen only", "the only one"),
    ),
)
