"""Cues that somebody tells what the work has to live with: versions, what is so on purpose, what others want."""

from __future__ import annotations

import re

from memsuggest.extraction import policy
from memsuggest.extraction.language.grammar import is_order
from memsuggest.extraction.rule import Rule
from memsuggest.model import Kind

_ONE_OF_THESE = re.compile(r"\b(?:prefer|like|hate) (?:the |this|that|it\b|your|option|\d)")
"""What chooses one of those that were just spoken of."""

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
                r"|\bwe(?:'re| are) (?:still |all |currently |mostly )*(?:an? (?!bit|few|little|lot|couple)"
                r"|stuck (?:on|with)"
                r"|using|not (?:on|using|allowed))\b"
                r"|\b(?:is|that's|this is) (?:just |not )?(?:how i|how we|the way i|the way we|what we"
                r"|where we) (?!can|could|should"
                r"|got|get|would"
                r"|must|need)\w+|\bfor us\b(?! to)"
            )
        },
        when=lambda remark: not policy.is_question(remark),
        remembers=("it's pnpm here", "that's how we name them", "one migration per feature is how i keep it"),
        ignores=("is it pnpm here?", "it's fine here", "put it here"),
    ),
    Rule(
        name="there-is-one",
        looks_for="that what is needed is there: we have a helper for that, there's a simulator in tools/",
        kind=Kind.FACT,
        words={
            "en": (
                r"\bwe(?: already)? have (?:an? )?.{2,50} for (?:exactly )?(?:that|this|these|those)\b"
                r"|\bthere(?:'s| is| are) .{3,50} (?:in|under|at) [\w.-]*[/.][\w/.-]+"
            ),
            "de": r"\b(?:dafür|hierfür) (?:gibt es|haben wir|gibt's)\b|\bwir haben (?:dafür|schon) .{2,40}",
        },
        when=lambda remark: not remark.is_dialogue and not policy.is_question(remark) and not policy.is_hedged(remark),
        remembers=("we have a helper for that", "there's a simulator in tools/sim.py"),
        ignores=("is there one in tools/sim.py?", "there is a bug"),
    ),
    Rule(
        name="has-room",
        looks_for="how much memory or disk there is: the runners have 4 GB",
        kind=Kind.FACT,
        words={"*": r"\b(?:has|have|gives|with|hat|haben)\b.{0,20}\d+ ?[kmg]b\b"},
        when=lambda remark: not remark.is_dialogue and not policy.is_question(remark),
        remembers=("the runners only have 4 GB", "the board has 64 KB of RAM"),
        ignores=("the file is 4 MB", "files over 10 MB fail"),
    ),
    Rule(
        name="you-may-not",
        looks_for="what the assistant can or cannot do here: you can't reach the API from tests",
        kind=Kind.FACT,
        words={
            "en": (
                r"^you(?:'re| are) not allowed to\b|^you (?:can't|cannot|have to|must|may not|may only"
                r"|aren't allowed to|are not allowed to|only ever"
                r"|only (?:have|get|see|need|touch|edit|write))\b(?! (?:be (?:serious|kidding|right)|see|use that"
                r"|do that|be))"
            ),
            "de": r"^du (?:darfst|kannst hier|musst) ",
            "fr": r"^tu (?:ne )?(?:peux pas|dois) ",
            "es": r"^(?:no puedes|tienes que) ",
            "pt": r"^(?:você )?(?:não pode|tem que) ",
        },
        when=lambda remark: (
            not remark.is_dialogue
            and not policy.is_question(remark)
            and (policy.lasts(remark) or not policy.orders_something_done_once(remark))
        ),
        remembers=("you can't reach the payment API from tests", "you have to rebuild it after every change in core/"),
        ignores=("you can't be serious", "can't you use it?", "you must remove the line"),
    ),
    Rule(
        name="of-the-environment",
        looks_for="what CI, staging, the servers, the main branch are like",
        kind=Kind.FACT,
        words={
            "en": (
                r"^(?:(?:and|but|also|btw|note that|remember),? )?(?:the |our |all )?(?:ci|staging|prod|production"
                r"|vpn|firewall"
                r"|runners?|servers?|build (?:box|machine|server|agent)s?|ci (?:machine|runner|box)e?s?|main|master"
                r"|(?:e2e|test|integration) suite|deploys|deployments|releases|backups|registry|customers|hoster) "
                r"(?:[\w-]+ ){0,2}?(?:is|are|has|have|gets?|blocks?|takes?|needs?|runs?|goes|go|only|uses?|happens?"
                r"|comes?|can't"
                r"|cannot|never|always|must|lives?|happen)\b(?! (?:down|red|broken|failing|back|slow|up|green|now"
                r"|still)\b)"
            )
        },
        when=lambda remark: not policy.is_question(remark) and not policy.is_transient(remark),
        remembers=("main is protected so open a PR", "the CI machine only has 4 GB", "our servers run Debian 11"),
        ignores=("staging is down", "is prod slow?", "the CI is red now"),
    ),
    Rule(
        name="one-per",
        looks_for="one of this per one of that: one component per file",
        kind=Kind.CONVENTION,
        words={
            "en": (
                r"\b(?:one|a single) (?:[\w-]+ ){1,2}per (?!second|minute|day|hour|week|user|request|page|row"
                r"|key)\w+"
            ),
            "de": r"\b(?:ein|eine|einen) \w+ pro \w+",
            "fr": r"\bune? \w+ par \w+",
            "es": r"\bun[oa]? \w+ por \w+",
            "pt": r"\b(?:um|uma) \w+ por \w+",
        },
        when=lambda remark: not is_order(remark.main) and not policy.is_question(remark),
        remembers=("one component per file", "eine Klasse pro Datei"),
        ignores=("one panel per user", "open one PR per topic"),
    ),
    Rule(
        name="prefers",
        looks_for="what the person prefers or cannot stand",
        kind=Kind.PREFERENCE,
        words={
            "en": r"\bi (?:really |generally |always |usually |strongly |much )?(?:prefer|hate|can't stand|dislike)\b",
            "de": r"\bich (?:bevorzuge|hasse|mag keine?)\b",
            "fr": r"\bje (?:préfère|déteste)\b",
            "es": r"\b(?:prefiero|odio|detesto)\b",
            "pt": r"\b(?:prefiro|odeio|detesto)\b",
            "ja": r"が好み|が苦手",
            "zh": r"我(?:更喜欢|偏好|讨厌)",
        },
        when=lambda remark: not remark.is_dialogue and not _ONE_OF_THESE.search(remark.plain),
        remembers=("i prefer early returns", "i hate factories"),
        ignores=("i like it", "i prefer the second one", "i prefer that"),
    ),
    Rule(
        name="praises",
        looks_for="that something is liked as it is",
        words={"en": r"\bi (?:really |also )?(?:like|love) (?:the|that|it|this|how|when|what)\b"},
        when=lambda remark: not remark.is_dialogue,
        remembers=("I love that", "i like the config thing"),
        ignores=("i like small functions",),
    ),
    Rule(
        name="stays-so",
        looks_for="what must stay as it is: must keep working, stay empty, backwards compatible",
        kind=Kind.CONVENTION,
        words={
            "en": (
                r"\b(?:must|should|has to|have to|needs? to) (?:stay|remain|keep (?:working|passing|building))\b"
                r"|\bbackwards?[- ]compatib\w+"
            ),
            "de": r"\b(?:muss|müssen) .{0,40}\b(?:bleiben|abwärtskompatibel)\b|\babwärtskompatibel\b",
            "fr": r"\b(?:doit|doivent) rester\b|\brétrocompatib\w+",
            "es": r"\b(?:debe|deben|tiene que) seguir\b|\bretrocompatib\w+",
            "pt": r"\b(?:deve|devem|tem que) continuar\b|\bretrocompat\w+",
        },
        when=lambda remark: not remark.is_dialogue and not policy.is_question(remark),
        remembers=("python 3.9 must keep working", "the gemspec has to stay empty"),
        ignores=("must it stay?", "the modal must close"),
    ),
    Rule(
        name="so-do",
        looks_for="what follows for the work: main is protected, so open a PR",
        kind=Kind.CONVENTION,
        words={
            "en": (
                r"(?:^|,? )so (?:please |just )?(?:don't|do not|never|always|use|keep|every|open|run|put|write|ask"
                r"|only|annotate"
                r"|check|stick|follow|avoid|prefer|pin|no (?!idea|problem|need|worries|one|wonder))(?! (?:it|that"
                r"|this|going)\b)"
            )
        },
        when=lambda remark: not (remark.is_dialogue or policy.is_question(remark) or policy.is_hedged(remark)),
        remembers=("main is protected so open a PR", "strict is on, so annotate everything", "so never test there"),
        ignores=("so keep going", "it is so slow", "so it runs"),
    ),
    Rule(
        name="changed-for-good",
        looks_for="has been renamed, moved, deprecated; is no longer",
        kind=Kind.FACT,
        words={
            "en": (
                r"\b(?:has|have|was|were|been|is|are|got) (?:now |been |all )*(?:renamed|moved|deprecated|replaced"
                r"|retired|migrated|superseded|dropped|discontinued|split)\b|\bno longer\b|\bfallen out of\b"
                r"|\bmigrat(?:ed|ing) (?:to|from)\b|\bswitched (?:to|from)\b|\bnot anymore\b|\bwill (?:never"
                r"|always|not) be\b"
            ),
            "de": r"\bwurde (?:umbenannt|verschoben|ersetzt)\b|\bist veraltet\b|\bnicht mehr\b|\bumgestiegen\b",
            "fr": r"\ba été (?:renommé|déplacé|remplacé)\b|\bn'est plus\b|\bobsolète\b",
            "es": r"\b(?:ha sido|fue|se ha) (?:renombrad|movid|reemplazad)\w+\b|\bya no\b|\bobsolet",
            "pt": r"\b(?:foi|foram) (?:renomead|movid|substituíd)\w+\b|\bnão .{0,15} mais\b|\bobsolet",
            "ja": r"名前が変わ|廃止|移動し|非推奨",
            "zh": r"改名|已(?:经)?(?:移|改|弃用|废弃)|不再",
        },
        remembers=("the gateway was renamed to edge", "v1 is no longer supported"),
        ignores=("it has been a long day",),
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
                r"^(?:reviewers|customers|ops|legal|security|auditors|maintainers) (?:hates?|wants?|rejects?"
                r"|insists?|requires?)\b"
                r"|\b(?:my|our|the) (?:[\w-]+ )?(?:lead|boss|colleague|manager|team|reviewers?|customers?|clients?"
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
