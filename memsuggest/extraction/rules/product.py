"""Cues against: what the product is to do for those who use it, rather than how the work on it is done."""

from __future__ import annotations

from memsuggest.extraction import policy, prepared
from memsuggest.extraction.rule import Rule

RULES = (
    Rule(
        name="shows-something",
        looks_for="what the product's users see or do",
        when=lambda remark: not remark.is_dialogue and prepared.shows_something(remark),
        remembers=("the toast has to name the card", "users pick a colour", "der Knopf bleibt grau"),
        ignores=("commits stay small", "the worker runs as root"),
    ),
    Rule(
        name="only-of-the-product",
        looks_for="what users see, and neither the work nor anything by its name",
        when=lambda remark: not remark.is_dialogue and prepared.is_only_of_the_product(remark),
        remembers=("never mail a patient twice", "an invoice is never negative"),
        ignores=("every button needs a test", "icons come from `ui/icons`", "commits stay small"),
    ),
    Rule(
        name="one-step-more",
        looks_for="an order to put, write, test, commit, name something: seldom more than the next step",
        in_main=True,
        words={
            "en": (
                r"^(?:(?:only|just|please) )*(?:put|write|test|commit|name|call|begin|end|start|place|store|answer"
                r"|respond"
                r"|reply|ask)\b"
            )
        },
        when=lambda remark: not remark.is_dialogue and not policy.lasts(remark),
        remembers=("put a section after it", "write down what it does", "name the column kind"),
        ignores=("use tabs", "always write tests"),
    ),
    Rule(
        name="begins-with-only",
        looks_for="what alone is to be done now: only the backend part, only scan what is visible",
        words={"en": r"^(?:and |but |so |then )?only (?![\w.-]+ (?:may|can|should|must|is|are|has|have)\b)"},
        when=lambda remark: not remark.is_dialogue,
        remembers=("only scan visible ranges", "only where it can grow"),
        ignores=("only Kim can approve that", "use only tabs"),
    ),
    Rule(
        name="counts-things",
        looks_for="how many of something there are: 3 stations have only zeros",
        words={"en": r"^(?:and |so |but )?(?:\d+|number \d+) [a-z]"},
        when=lambda remark: not remark.is_dialogue,
        remembers=("3 stations have only zeros", "number 7 is no duplicate"),
        ignores=("use 2 spaces",),
    ),
    Rule(
        name="goes-on-specifying",
        looks_for="must or should without a subject: what was just spoken of is to be some way",
        when=lambda remark: not remark.is_dialogue and prepared.goes_on_specifying(remark),
        remembers=("must be an integer, rounded up", "and it should survive a reload"),
        ignores=("tests must be fast", "every handler should log"),
    ),
    Rule(
        name="opens-with-a-task",
        looks_for="said in a first turn that asks for a piece of work",
        when=prepared.opens_with_a_task,
        remembers=(),
        ignores=("use yarn",),
    ),
    Rule(
        name="opens-at-length",
        looks_for="said in a long first turn, which lays out what is to be built",
        when=prepared.opens_at_length,
        remembers=(),
        ignores=("use yarn",),
    ),
    Rule(
        name="goes-on",
        looks_for="one more wish of a row: and, also, then, now",
        words={
            "en": r"^(?:and|also|then|now)\b(?! (?:please )?(?:never|always|don't|do not|every|each|all|any|no)\b)",
            "de": r"^(?:und|auch|dann)\b",
            "fr": r"^(?:et|aussi|puis)\b",
            "es": r"^(?:y|también|luego)\b",
            "pt": r"^(?:e|também|depois)\b",
        },
        when=lambda remark: not remark.is_dialogue,
        remembers=("and the title in bold", "also sort the rows"),
        ignores=("use yarn", "and never push to main"),
    ),
    Rule(
        name="in-a-case",
        looks_for="what holds in one case: if, when, until",
        words={
            "en": (
                r"\b(?:if|when|until|as soon as|while)\b(?! (?:you|we|i|in doubt|possible|unsure|adding|writing"
                r"|\w+ing)\b)"
            ),
        },
        when=lambda remark: not remark.is_dialogue,
        remembers=("hide the row when the list is empty", "retry until the server answers"),
        ignores=("if you rename a column, write a migration", "use yarn"),
    ),
    Rule(
        name="cites-words",
        looks_for="words in quotation marks: what a text is to say",
        words={"*": r"(?<!\w)\"[^\"]{2,60}\""},
        when=lambda remark: not remark.is_dialogue,
        remembers=('the label is "Cancel upload"',),
        ignores=("use yarn", 'import "x"'),
    ),
    Rule(
        name="measures",
        looks_for="a number with its unit: after 7 days, 300 ms",
        when=lambda remark: not remark.is_dialogue and prepared.measures(remark),
        remembers=("drop drafts after 7 days", "wait 300ms", "the link lasts two hours", "夜22時から送らない"),
        ignores=("use python 3.12", "the port is 8080", "two spaces"),
    ),
)
