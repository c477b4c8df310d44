"""Ranking of files and sections for a rule, on an invented repo; and the words that count in it."""

from __future__ import annotations

import pytest
from cases import cases
from hypothesis import given
from hypothesis import strategies as st
from processor_time import processor_seconds

from memsuggest.customizations.discovery import target_from
from memsuggest.suggestions.ranking.match import (
    Ranked,
    Rule,
    TargetIndex,
    Vocabulary,
    ranked,
)

_FILES = {
    "AGENTS.md": "# Bakery\n\nBread, online.\n\n## Conventions\n\n- Keep functions short\n- Ask before adding"
    " a dependency\n\n## Commands\n\n- `make dev` starts the shop\n",
    ".github/instructions/ovens.instructions.md": '---\napplyTo: "firmware/**/*.c"\ndescription: "Oven firmware"\n---\n'
    "\n# Oven firmware\n\n## Timers\n\n- Use the hardware timer for baking times\n\n## Sensors\n\n- Calibrate the"
    " temperature sensor at start\n",
    ".github/instructions/tests.instructions.md": '---\napplyTo: "**/*_test.py"\n---\n\n# Tests\n\n- Use the recipe'
    " fixtures, never invent recipes\n- No network in tests\n",
    "shop/AGENTS.md": "# Shop\n\n## Checkout\n\n- Prices are integers, in cents\n- Round at the last step\n",
    ".github/skills/bake-release/SKILL.md": "---\nname: bake-release\ndescription: Use when a release is baked\n---\n\n"
    "# Bake a release\n\n## Steps\n\n1. Update the changelog\n2. Tag the release\n",
    ".github/agents/taster.agent.md": "---\nname: taster\ndescription: Reviews changes like a grumpy baker\n---\n\n"
    "# Taster\n\n## Rules\n\n- Be brief in reviews\n",
    ".github/prompts/label.prompt.md": "---\ndescription: Write a bread label\n---\n\n# Label\n\nLabel the loaf.\n",
    ".github/hooks/format.json": '{"hooks": {}}\n',
}
_TRACKED = ("firmware/timer/clock.c", "shop/cart.py", "shop/cart_test.py", "README.md")


@pytest.fixture(scope="module")
def target_index() -> TargetIndex:
    """The bakery's customization files."""
    targets = [target_from(uri, text) for uri, text in _FILES.items()]
    return TargetIndex(targets, tracked_paths=_TRACKED, root="/repo")


def _first(target_index: TargetIndex, content: str, *paths: str) -> Ranked:
    return ranked(Rule(content=content, paths=paths), target_index)[0].located


@pytest.mark.parametrize(
    ("content", "paths", "uri"),
    [
        pytest.param("Stop the timer before reading it", ["firmware/timer/clock.c"], "ovens", id="apply-to"),
        pytest.param("Vouchers never turn a total negative", ["shop/cart.py"], "shop/AGENTS.md", id="nearest-folder"),
        pytest.param("Totals are never negative in `shop/cart.py`", [], "shop/AGENTS.md", id="path-in-the-words"),
        pytest.param("Calibrate the temperature sensor twice", [], "ovens", id="words-of-a-section"),
        pytest.param("Use fixtures for recipes with nuts", [], "tests", id="words-of-a-file"),
        pytest.param("Push the tag of the release last", [], "bake-release", id="title-and-description"),
        pytest.param("Test first, as tests.instructions.md says", [], "AGENTS.md", id="points-to-a-file-by-name"),
        pytest.param("Answer in Norwegian", [], "AGENTS.md", id="about-nothing-there"),
    ],
)
def test_the_right_file_is_first(target_index: TargetIndex, content: str, paths: list[str], uri: str) -> None:
    """The file that a maintainer would open comes first."""
    assert uri in _first(target_index, content, *paths).target.uri


@pytest.mark.parametrize(
    ("content", "heading"),
    [
        pytest.param("Recalibrate the sensor after a reset", "Sensors", id="by-its-heading-and-words"),
        pytest.param("Arm the hardware timer twice for long baking", "Timers", id="by-its-lines"),
    ],
)
def test_the_right_section(target_index: TargetIndex, content: str, heading: str) -> None:
    """Within the file, the section that speaks of the same is chosen."""
    section = _first(target_index, content, "firmware/timer/clock.c").section
    assert section
    assert section.heading == heading


def test_every_file_but_hooks_is_ranked(target_index: TargetIndex) -> None:
    """A small repo's files are all ranked, each once; hook files hold no rules."""
    uris = [one.target.uri for one in ranked(Rule(content="Prefer early returns"), target_index)]
    assert sorted(uris) == sorted(uri for uri in _FILES if not uri.endswith(".json"))


def test_the_reason_is_one_fact(target_index: TargetIndex) -> None:
    """What is loaded for the files says for which; else the section, or the name, with a word of the rule."""
    covered = _first(target_index, "Use the hardware timer for proofing times, too", "firmware/timer/clock.c")
    assert covered.why == "applyTo covers firmware/timer/clock.c"
    assert (
        _first(target_index, "Vouchers never turn a total negative", "shop/cart.py").why
        == "shop/ contains shop/cart.py"
    )
    assert (
        _first(target_index, "Calibrate the temperature sensor twice").why
        == "the section “Sensors” mentions “calibrate”"
    )
    assert _first(target_index, "Answer in Norwegian").why == "the file is always loaded"
    typed = TargetIndex([target_from("AGENTS.md", "# Shop\n\n## Style\n\n- TypeScript strict\n\n## Git\n\n- Rebase\n")])
    assert _first(typed, "Always deploy with scripts/deploy.sh").why == "the file is always loaded"


def test_a_reason_names_no_word_without_weight() -> None:
    """However rare a function word is in the files, and however little else they share, it is no reason."""
    files = {"AGENTS.md": "# Shop\n\nBread.\n", "docs/AGENTS.md": "# Docs\n\n## Pages\n\n- A page has one title\n"}
    index = TargetIndex([target_from(uri, text) for uri, text in files.items()])
    found = ranked(Rule(content="Every invoice has a due date"), index)
    assert [place.located.why for place in found if place.target.uri == "docs/AGENTS.md"] == [
        "no other file is a better match"
    ]


def test_what_is_not_loaded_comes_last(target_index: TargetIndex) -> None:
    """Instructions for other files than those that a rule names are no place for it, whatever they say."""
    found = ranked(Rule(content="Use the hardware timer in `shop/cart.py`"), target_index)
    ovens = next(one for one in found if "ovens" in one.target.uri)
    assert ovens.score < 0.01 and ovens.located.why == "the file is not loaded for the files this rule is about"


def test_an_empty_shelf() -> None:
    """Without files there is nothing to rank."""
    assert ranked(Rule(content="Prefer early returns"), TargetIndex([])) == []


@pytest.mark.parametrize(
    ("name", "uri"),
    [
        pytest.param("taster", ".github/agents/taster.agent.md", id="an agent by name"),
        pytest.param("bake-release", ".github/skills/bake-release/SKILL.md", id="a skill by name"),
        pytest.param("/repo/.github/skills/bake-release/SKILL.md", ".github/skills/bake-release/SKILL.md", id="a path"),
        pytest.param("/label", ".github/prompts/label.prompt.md", id="a command"),
        pytest.param("AGENTS.md", "AGENTS.md", id="what is always in use says nothing"),
        pytest.param("/elsewhere/other/SKILL.md", "AGENTS.md", id="a file of elsewhere"),
    ],
)
def test_what_was_in_use(target_index: TargetIndex, name: str, uri: str) -> None:
    """What is said while an agent, skill or prompt is in use most likely belongs there; and that is the reason."""
    found = ranked(Rule(content="Mind the crumbs", in_use=(name,)), target_index)[0].located
    assert found.target.uri == uri
    assert ("the file was in use when you said this" in found.why) is (uri != "AGENTS.md")


def test_an_agent_whose_name_has_several_words() -> None:
    """It is meant by its whole name, and by no word of it."""
    names = (".github/agents/Night Baker.agent.md", ".github/agents/taster.agent.md", "AGENTS.md")
    index = TargetIndex([target_from(name, "# Bakery\n\n- Bake at night\n") for name in names])
    assert index.called(["Night Baker"]) == {0}
    assert not index.called(["Baker"])


@given(st.text(max_size=200), st.lists(st.text(max_size=20), max_size=3))
def test_any_rule_is_ranked(content: str, paths: list[str]) -> None:
    """Whatever a rule says, the same files come in the same order, with scores between 0 and 1."""
    targets = [target_from(uri, text) for uri, text in _FILES.items()]
    rule = Rule(content=content, paths=tuple(paths))
    first, second = (ranked(rule, TargetIndex(targets)) for _ in range(2))
    assert [(one.target.uri, one.score, one.why) for one in first] == [
        (one.target.uri, one.score, one.why) for one in second
    ]
    assert all(0 <= one.score <= 1 for one in first)


@pytest.mark.parametrize(
    "line", ["## H{0}\n- Never do {0}\n", "  - item {0}\n", "> > > - quoted {0}\n", "[a](`{0}\n"], ids=repr
)
def test_a_file_of_many_parts_is_indexed_in_proportion(line: str) -> None:
    """Twice as much takes about twice as long: no item is looked for section by section."""

    def indexed(lines: int) -> float:
        target = target_from("AGENTS.md", "# Rules\n\n" + "".join(line.format(number) for number in range(lines)))
        return processor_seconds(lambda: TargetIndex([target]))

    indexed(100)
    assert indexed(8000) < 6 * max(indexed(2000), 0.05)


@cases(
    ("first", "second"),
    [
        pytest.param("migrations", "migration", id="plural"),
        pytest.param("C#", "csharp", id="language-by-sign"),
        pytest.param("py", "python", id="language-by-ending"),
        pytest.param("TypeScript", "typescript", id="camel-case-of-one-word"),
    ],
)
def test_the_same_word(first: str, second: str) -> None:
    """Forms of a word, and short names of a language, are one word."""
    words = Vocabulary().words
    assert words(second)[0] in words(first)


@cases(
    ("text", "word"),
    [
        pytest.param("parseInvoiceLine", "invoic", id="part-of-camel-case"),
        pytest.param("parse_invoice_line", "invoic", id="part-of-snake-case"),
        pytest.param("parse_invoice_line", "parseinvoiceline", id="whole-identifier"),
        pytest.param("run the e2e suite", "e2e", id="letters-and-digits"),
        pytest.param("HTTPServer", "server", id="acronym-before-a-word"),
        pytest.param("日本語のルール", "ルー", id="pairs-of-japanese-signs"),
    ],
)
def test_words_within(text: str, word: str) -> None:
    """Identifiers give their parts and themselves; scripts without spaces give pairs of signs."""
    assert word in Vocabulary().words(text)


def test_stems_of_another_language() -> None:
    """German words are stemmed as German."""
    words = Vocabulary("de").words
    assert words("Prüfungen") == words("Prüfung")


@given(st.text(max_size=300))
def test_any_text(text: str) -> None:
    """Every text has words, none of them empty, and the same ones each time."""
    vocabulary = Vocabulary()
    assert all(vocabulary.words(text)) or vocabulary.words(text) == []
    assert vocabulary.words(text) == vocabulary.words(text)


@cases("unit", ["aB", "a_", "_", ".NET", "A", "日"], ids=repr)
def test_long_texts_take_linear_time(unit: str) -> None:
    """A hundred thousand characters of one kind are read within a second."""
    assert processor_seconds(lambda: Vocabulary().words(unit * (100_000 // len(unit)))) < 10
