"""Cues that the assistant did something wrong, and what would have been right."""

from __future__ import annotations

from memsuggest.extraction import policy
from memsuggest.extraction.rule import Rule
from memsuggest.model import Kind

RULES = (
    Rule(
        name="you-failed",
        looks_for="you forgot, you left out, you missed, you didn't",
        kind=Kind.CORRECTION,
        words={
            "en": (
                r"(?<!did )(?<!do )(?<!have )(?<!are )\byou(?:'ve|'re| have| are| keep| still| again| just| "
                r"only)? (?:not |also |again |once again "
                r")?(?:forgot|forget|forgotten|missed|missing|left out|skipped|skipping|omitted|ignored|ignoring"
                r"|broke|didn't|did not|haven't|aren't|weren't|don't(?! (?:need|have to|want|mind|know|get|see"
                r"|care)\b|[.!]?$)|keep|failed|neglected|overlooked|removed"
                r"|deleted|dropped|lost|hardcoded|duplicated|reintroduced)\b"
            ),
            "de": r"\bdu hast .{0,40}(?:vergessen|übersehen|weggelassen|nicht)\b",
            "fr": r"\btu (?:as|n'as) .{0,30}(?:oublié|pas|manqué)\b",
            "es": r"\b(?:olvidaste|te olvidaste|omitiste|no (?:hiciste|pusiste|añadiste))\b",
            "pt": r"\bvocê (?:esqueceu|não|deixou)\b",
            "ja": r"忘れ(?:て|た)",
            "zh": r"你(?:忘|漏|没有|又)",
        },
        remembers=("you forgot the licence header", "du hast die Tests vergessen"),
        ignores=("did you forget it?", "you are right"),
    ),
    Rule(
        name="you-did-this-not-that",
        looks_for="you changed this, not that: what was done in the wrong place or way",
        kind=Kind.CORRECTION,
        words={
            "en": (
                r"(?<!did )(?<!do )(?<!have )(?<!are )\byou(?:'re|'ve| are| have| just)? ?(?:only |still "
                r"|again )?(?:\w{2,}(?:ed|ing)|put|wrote|made|ran|built|used|took|left|set|went|gave|did) "
                r".{2,80}(?:,| and| but)? not (?!the same|sure)\w+|\byou(?:'re| are) (?:still |again "
                r")?(?:\w+ing"
                r"|in) .{0,20}(?:in |the )(?:wrong|main|old)\b|\bwhy did you \w+ .{2,60}\b(?:and not|instead of"
                r"|rather than|not)\b"
            ),
            "de": r"\bdu hast .{2,60}(?:statt|anstatt|, nicht)\b",
            "fr": r"\btu as .{2,60}au lieu d",
            "es": r"\b(?:has|hiciste|pusiste) .{2,60}en (?:vez|lugar) de\b",
            "pt": r"\bvocê .{2,60}em vez d",
        },
        remembers=("you put the helper in utils, not in the domain module",),
        ignores=("you said it would not work",),
    ),
    Rule(
        name="why-did-you",
        looks_for="why did you, why are you still, why didn't you",
        kind=Kind.CORRECTION,
        words={
            "en": (
                r"\bwhy (?:did|are|do|have|would|didn't|don't|haven't|aren't) you\b|\bwhy (?:is|are|was|were) "
                r"(?:there|this|that|these) .{0,30}(?:still|again|in the)\b|\bhow (?:many times|often) (?:do|did"
                r"|must|have) i\b|\bdid you (?:really |even |actually )?(?:need|have) to\b"
            ),
            "de": r"\bwarum hast du\b|\bwieso hast du\b|\bwarum machst du\b",
            "fr": r"\bpourquoi (?:as-tu|tu as|tu n'as|avez-vous)\b",
            "es": r"\bpor qué (?:has|hiciste|no|estás|cambiaste|borraste)\b",
            "pt": r"\bpor que (?:você|vc)\b",
            "ja": r"なぜ|どうして",
            "zh": r"你?为什么(?:要|又|没|不)",
        },
        remembers=("why did you delete the fixture?", "warum hast du die Datei umbenannt?"),
        ignores=("why does the test fail?",),
    ),
    Rule(
        name="not-what-i-asked",
        looks_for="I didn't ask for that, I only wanted, I told you, I said",
        kind=Kind.CORRECTION,
        words={
            "en": (
                r"\bi (?:didn't|did not|never) (?:ask|want|tell|say|mean|request)\b|\bi (?:only|just) (?:asked"
                r"|wanted|want|meant|need|needed)\b|\bi(?:'ve| have)? (?:already |just |clearly |specifically "
                r"|explicitly )?(?:told|asked|said|mentioned|explained|specified)(?: (?:you|that|to|this|not"
                r"|before|it|so)\b|$)"
                r"|\bas i (?:said|told|mentioned)\b|\bnot what i (?:asked|wanted|meant|said)\b|\bwe (?:agreed"
                r"|decided|said)\b"
            ),
            "de": r"\bich (?:habe|hab|hatte) .{0,30}(?:gesagt|gebeten|verlangt)\b|\bich wollte nur\b",
            "fr": r"\bje (?:n'ai pas|t'ai|vous ai|voulais) .{0,12}(?:demandé|dit|seulement|juste)\b",
            "es": r"\b(?:no (?:te )?pedí|ya te dije|te (?:he )?dicho|solo quería)\b",
            "pt": r"\b(?:não pedi|já (?:te )?(?:disse|falei)|eu (?:só|apenas) queria)\b",
            "ja": r"言った(?:はず|でしょ)|頼んでいない",
            "zh": r"我(?:说过|没让你|没要求|只是想|只要)",
        },
        remembers=("I didn't ask you to touch the tests", "I told you to use the wrapper"),
        ignores=("I asked my colleague",),
    ),
    Rule(
        name="no-comma",
        looks_for="an answer that starts with no, wrong, not that",
        kind=Kind.CORRECTION,
        words={
            "en": (
                r"^(?:no|nope|nah|wrong|incorrect)\b(?!\s*(?:problem|worries|need|idea|one|longer|more|matter"
                r"|thanks|tests?|new|errors?))|^not (?:like )?(?:that|this|quite|what)\b|^(?:that's|this is|it's"
                r"|that is) (?:not|wrong|incorrect|the opposite)\b"
            ),
            "de": r"^(?:nein|falsch|nee|nicht so)\b",
            "fr": r"^(?:non|faux|pas comme ça)\b",
            "es": r"^(?:no,|así no|mal|incorrecto)",
            "pt": r"^(?:não,|assim não|errado)",
            "ja": r"^(?:いや|違う|違います|いいえ|ちがう)",
            "zh": r"^(?:不对|不是|错了|不，|不行)",
        },
        remembers=("no, the other folder", "nein, das gehört in src", "不对，用另一个"),
        ignores=("no problem", "no tests are needed", "nothing to add"),
    ),
    Rule(
        name="stop-doing",
        looks_for="stop doing that, you keep doing that",
        kind=Kind.CORRECTION,
        words={
            "en": (
                r"\bstop (?!and|here|now|there|for|the (?:server|process|dev|container|build|job))\w+ing\b|\byou "
                r"keep \w+ing\b|\bquit \w+ing\b|\benough with\b"
            ),
            "de": r"\bhör auf\b|\blass das\b",
            "fr": r"\barrête(?:z)? de\b",
            "es": r"\bdeja de\b|\bpara de \w+r\b",
            "pt": r"\bpare de\b",
            "ja": r"やめて",
            "zh": r"别再|不要再|停止",
        },
        remembers=("stop adding comments to everything", "you keep reverting my edits"),
        ignores=("stop the server",),
    ),
    Rule(
        name="told-before",
        looks_for="I have said or undone this before: I've thrown it out twice already, we got bitten by it once",
        kind=Kind.CORRECTION,
        words={
            "en": (
                r"\bi(?:'ve| have) (?:already )?\w+ .{2,60}\b(?:twice|three times|\d times|so many times)\b"
                r"|\b(?:got|been|were|was) (?:burn(?:ed|t)|bitten|bit|hit|stung) (?:by|before|once|twice)\b"
                r"|\b(?:burn(?:ed|t)|bitten|bit|stung) us\b|\b(?:kills?|haunts?|bites?) (?:us|me)\b"
            ),
            "de": r"\bich (?:hab|habe) .{2,60}(?:schon (?:zweimal|dreimal|mehrmals|oft))\b",
        },
        remembers=("fake timers, I've removed real waits twice already", "no floats, finance got burned by them once"),
        ignores=("it is shown twice", "I called it and it failed twice"),
    ),
    Rule(
        name="after-a-refusal",
        looks_for="said while refusing what the assistant was about to do",
        when=lambda remark: remark.turn.signals.rejected_tool is not None and not remark.is_dialogue,
        remembers=(),
        ignores=("use yarn",),
    ),
    Rule(
        name="after-a-stop",
        looks_for="said right after stopping the assistant or refusing its action",
        when=lambda remark: remark.is_after_stop,
        remembers=(),
        ignores=("use yarn",),
    ),
    Rule(
        name="be-careful",
        looks_for="a nudge without content: be more careful, think harder, try again",
        words={
            "en": (
                r"\b(?:think|look|try|check|read|be) (?:it )?(?:more |harder|again|very )?(?:careful(?:ly)?|harder"
                r"|again|hard|deeply)\b(?! (?:with|not|to|about|when|where|that)\b)|\btry again\b|\bultrathink\b"
                r"|\bfigure it out\b|\btake a (?:step back"
                r"|closer look|critical look)\b"
            ),
            "de": r"\b(?:denk|schau) (?:noch ?mal|genau)",
            "fr": r"\bréessaie\b|\bréfléchis\b",
            "es": r"\b(?:intenta|prueba) (?:de nuevo|otra vez)\b",
            "pt": r"\btent[ea] (?:de novo|novamente)\b",
        },
        remembers=("think harder", "try again and be more careful"),
        ignores=("use a careful tone in errors",),
    ),
    Rule(
        name="points-at-a-rule",
        looks_for="what a named rule or document already says",
        kind=Kind.CORRECTION,
        when=policy.points_at_a_rule,
        remembers=("follow @error-handling.mdc here", "as CONTRIBUTING.md says"),
        ignores=("open README",),
    ),
)
