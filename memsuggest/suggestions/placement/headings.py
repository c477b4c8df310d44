"""Headings and closing lines: where rules go by them, and names of new headings. Pure: tables, and their reading."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from memsuggest.customizations.blocks.block import Block, BlockKind
from memsuggest.customizations.blocks.generated import collecting_regions
from memsuggest.model import Kind, Section, TargetType
from memsuggest.text.words import main_language, word_set

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memsuggest.customizations.blocks.generated import Region
    from memsuggest.customizations.blocks.sections import Layout


_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")


def _weighed(*rows: str) -> dict[str, float]:
    """Read rows of a weight and the words that have it."""
    return {word: float(weight) for row in rows for weight, *words in [row.split()] for word in words}


_RULES = _weighed(
    "5 convention conventions konventionen convenciones convenções 約定 约定 規約 规约 关键约定 规范 規範 соглашения",
    "4.5 rule rules regeln règles reglas regras ルール 规则 規則 правила 규칙",
    "4 guideline guidelines richtlinien directives normas leitlinien 指南 ガイドライン рекомендации",
    "3.5 standard standards",
    "3 practices",
    "2.5 constraints guardrails requirements principles grundsätze principes principios princípios 原则 原則",
    "2 notes hinweise notas 注意事项 注意事項",
    "2 invariants musts dos",
    "1.5 gotchas pitfalls reminders instructions learnings lessons miscellaneous misc",
)
"""What sections are called that hold rules, and how much that says."""
_OF_AGENTS = _RULES | _weighed(
    "6 rules constraints guardrails boundaries regeln règles reglas regras",
    "5 behavior behaviour guidelines always never principles",
    "4.5 checklist focus",
)
_STEPS = _weighed(
    "6 steps step schritte étapes pasos passos 步骤 手順",
    "5 procedure process workflow ablauf procédure procedimiento 流程",
    "4 instructions usage",
)
_CHECKS = _RULES | _weighed("6 checklist checkliste", "5.5 verification verify checks", "4 before done")
_OF_PROMPTS = _RULES | _weighed("6 requirements rules", "5 guidelines constraints notes")
_PITFALLS = _RULES | _weighed("6 gotchas pitfalls mistakes antipatterns lessons")
_GENERAL = word_set(
    "and or the a of for to in und et y e de des code coding general key core main important critical hard project team"
    " working development style repo repository our my common best basic absolute other additional quick priority high"
    " engineering quality strict global overall allgemeine wichtige générales generales gerais do don't don not s t"
    " highest anti patterns learned you finish finishing submitting non negotiable mandatory required always never"
    " agents agent ai assistant assistants copilot claude contributors developers guide house known implementation"
    " process we hold ourselves follow that must should these apply"
)
"""Words that narrow no heading down: "Key Conventions" are about everything, "Testing Conventions" are not."""

_TABLES: Mapping[tuple[TargetType, bool], Mapping[str, float]] = {
    (TargetType.AGENT, False): _OF_AGENTS,
    (TargetType.AGENT, True): _OF_AGENTS,
    (TargetType.SKILL, True): _STEPS,
    (TargetType.SKILL, False): _CHECKS,
    (TargetType.PROMPT, False): _OF_PROMPTS,
    (TargetType.PROMPT, True): _OF_PROMPTS | _STEPS,
}
"""By kind of file, and whether the rule is a procedure."""


def weight_of(heading: str, table: Mapping[str, float] = _RULES) -> float:
    """Say how plainly a heading announces rules about everything; 0 for one about something in particular."""
    words = [word.casefold().replace("’", "'") for word in _WORD.findall(heading)]
    return max((table.get(word, 0) for word in words), default=0) if _GENERAL.union(table).issuperset(words) else 0


def usual_section(found: Layout, type_: TargetType, kind: Kind) -> Section | None:
    """Return the section where rules of a sort go in files of a sort, when no section is known to fit better."""
    table = _TABLES.get((type_, kind is Kind.PROCEDURE), _PITFALLS if kind is Kind.CORRECTION else _RULES)
    weighed = [(_weight(found, section, table), section) for section in found.sections]
    best = max(weighed, key=lambda pair: pair[0], default=(0.0, None))
    return best[1] if best[0] > 0 else _only_list(found)


def _weight(found: Layout, section: Section, table: Mapping[str, float]) -> float:
    """Weigh a section by its heading, or by the tag that its list stands in; the title counts only with a list."""
    has_list = _has_list(found, section)
    tags = [block.text for block in found.within(section) if block.kind is BlockKind.TAG and block.level]
    names = [section.heading, *(tag.replace("_", " ").replace("-", " ") for tag in tags)]
    weight = max(weight_of(name, table) for name in names)
    is_title = section.level == 1 and len([one for one in found.sections if one.level <= 1]) == 1
    if not weight or (is_title and not has_list and len(found.sections) > 1):
        return 0.0
    return weight + has_list - 2 * is_title


def _has_list(found: Layout, section: Section) -> bool:
    return any(block.kind is BlockKind.ITEM and not block.is_generated for block in found.within(section))


def _only_list(found: Layout) -> Section | None:
    """Return the last section with a list of a file that has no headings but its title."""
    if any(section.level > 1 for section in found.sections):
        return None
    return next((section for section in reversed(found.sections) if _has_list(found, section)), None)


_CONVENTIONS = {
    "de": "Konventionen",
    "es": "Convenciones",
    "pt": "Convenções",
    "it": "Convenzioni",
}
"""What a section for rules is called where it is not "Conventions"."""
_SCRIPTS = (
    ("規約", re.compile(r"[\u3040-\u30ff]")),
    ("규칙", re.compile(r"[\uac00-\ud7a3]")),
    ("约定", re.compile(r"[\u4e00-\u9fff]")),
    ("Соглашения", re.compile(r"[\u0400-\u04ff]")),
)
_LOOKED_AT = 6_000  # characters of a file that tell its language


def conventions_in_language_of(text: str) -> str:
    """Return what a section for rules is called in the language of a text."""
    sample = text[:_LOOKED_AT].casefold()
    letters = sum(char.isalpha() for char in sample)
    for name, script in _SCRIPTS:
        if letters and len(script.findall(sample)) > letters / 5:
            return name
    return _CONVENTIONS.get(main_language([text[:_LOOKED_AT]]), "Conventions")


def new_level(found: Layout) -> int:
    """Return the level of a new section: that of the file's other sections."""
    levels = [section.level for section in found.sections if section.level]
    if levels.count(1) > 1:
        return 1
    return min((level for level in levels if level > 1), default=2)


def has_gap_below(found: Layout) -> bool:
    """Tell whether a blank line stands below most headings of a file."""
    headings = [block for block in found.blocks if block.kind is BlockKind.HEADING]
    blank = sum(_is_blank_after(found, block) for block in headings)
    return 2 * blank >= len(headings)


def _is_blank_after(found: Layout, heading: Block) -> bool:
    return heading.end >= len(found.lines) or not found.lines[heading.end].strip()


_CLOSING = re.compile(
    r"""
    [\W_]*
    (?: last \s (?:updated|reviewed|changed|modified) | updated \s (?:on|at) | version \s? [:\d]
      | (?:that(?:'s|\sis)) \s (?:all|it) | the \s end \b | end \s of \s (?:file|document)
      | thank(?:s|\syou) | happy \s \w+ing | have \s fun | good \s luck | welcome \s aboard
      | questions\? | (?:if|when) \s in \s doubt | for \s (?:more|further) \s (?:information|details|help)
      | (?:crafted|made|built|created|generated|powered|brought \s to \s you) \s (?:[\w-]+ \s){0,3}? (?:by|with) \b
      | proceed \s (?:now|with|by|to) \b | \$ARGUMENTS
      | see \s also | maintained \s by | written \s by | copyright | © | licen[cs]ed
      | this \s (?:file|document) \s (?:is|was)
      | zuletzt \s (?:aktualisiert|geändert) | viel \s (?:erfolg|spaß) | bei \s fragen
    )
    """,
    re.IGNORECASE | re.VERBOSE,
)
"""How a line begins that ends a document: a date, thanks, where to ask."""
_LONGEST = 200  # characters; a longer paragraph says more than goodbye


def is_closing(block: Block, before: Block | None) -> bool:
    """Tell if the last paragraph only closes what stands above: it says goodbye, or stands below a line of its own."""
    if block.kind is not BlockKind.PARAGRAPH or len(block.text) > _LONGEST:
        return False
    if before is None or before.kind is BlockKind.HEADING:
        return False  # all that its section says
    return before.kind is BlockKind.RULE or _CLOSING.match(block.text) is not None


def region_for_rules(found: Layout) -> Region | None:
    """Return the lines `[start, end)` between comments that mark where rules are collected; None for no such place."""
    comments = [
        (block.start, block.end, " ".join(found.lines[block.start : block.end]))
        for block in found.blocks
        if block.kind is BlockKind.COMMENT
    ]
    return next(iter(collecting_regions(comments)), None)


def is_within(block: Block, region: Region) -> bool:
    """Tell whether a block stands between the marks."""
    return region[0] < block.start and block.end < region[1]
