"""Two wordings of one rule are known as one; what differs in a negation, a number, a path or a name never is."""

from __future__ import annotations

from cases import cases
from hypothesis import given
from hypothesis import strategies as st

from memsuggest.core.text.likeness import likeness, opposed, same_words

SAME = [
    ("Run the unit tests before you push.", "Always run unit tests before pushing"),
    ("Don't commit .env files", "Never commit `.env` files"),
    ("use pnpm", "Use `pnpm`."),
    ("Every public function has a docstring", "**Public functions** have docstrings"),
    ("Please keep functions under forty lines, ok", "Keep functions under forty lines, ok"),
    ("Errors go through the central hander module", "Errors go through the central handler module"),
    ("Log requests and responses as JSON", "Log responses and requests as JSON"),
    ("See [the guide](docs/a.md) for dates", "See the guide for dates"),
    ("Retry three times", "Retry 3 times"),
    ("Always run the linter before pushing", "please run the linter before pushing."),
    ("Dont mock the database", "Never mock the database"),
    ("URLs must never be hard-coded", "Don't hard-code URLs"),
    ("Write migrations with alembic", "write migration with alembic!"),
    ("Document every endpoint with a docstring", "document every endpoint with a docstrng"),
    ("Don't forget to run the formatter", "Run the formatter"),
    ("Bitte immer Tests schreiben", "Schreibe Tests"),
    ("Keine Mocks in Integrationstests verwenden", "In Integrationstests keine Mocks verwenden"),
    ("Siempre usa pnpm para instalar", "usa pnpm para instalar"),
    ("N'utilise pas de mocks dans les tests", "Jamais de mocks dans les tests"),
]
OTHER = [
    ("Use tabs", "Never use tabs"),
    ("Use the logger, don't use print", "Don't use the logger, use print"),
    ("Retry failed uploads 3 times", "Retry failed uploads 5 times"),
    ("Tests live in `tests/unit`", "Tests live in `tests/api`"),
    ("Use npm to install packages", "Use pnpm to install packages"),
    ("Call loadAll for users", "Call loadOne for users"),
    ("Format before you commit", "Commit before you format"),
    ("Copy values from config to env", "Copy values from env to config"),
    ("Write docstrings for functions", "Write docstrings for public functions"),
    ("Only use mocks in unit tests", "Use mocks in unit tests"),
    ("You may use mocks", "Use mocks"),
    ("Pass --strict to mypy", "Pass --silent to mypy"),
    ("Support Python 3.11", "Support Python 3.12"),
    ("", "Use mocks"),
    ("Keep it typed everywhere", "Keep it untyped everywhere"),
]
OPPOSED = [
    ("Use tabs for indentation", "Don't use tabs for indentation", "one rule forbids what the other requires"),
    ("Keep lines under 80 characters", "Keep lines under 120 characters", "80 conflicts with 120"),
    ("Use npm to install packages", "Use pnpm to install packages", "“npm” conflicts with “pnpm”"),
    ("Tests live in `tests/unit`", "Tests live in `tests/api`", "“tests/unit” conflicts with “tests/api”"),
    ("Use mocks in tests", "Never use mocks in tests", "one rule forbids what the other requires"),
    ("Nie nach main pushen", "Immer nach main pushen", "one rule forbids what the other requires"),
    ("Usa tabs", "No uses tabs", "one rule forbids what the other requires"),
    ("Utilise npm", "N'utilise pas npm", "one rule forbids what the other requires"),
    ("Never use npm, use yarn", "never use yarn, use npm", "the rules contradict each other"),
    ("Use npm instead of yarn", "Use yarn instead of npm", "the rules contradict each other"),
    ("Keep logs for 48h", "keep logs for 72h", "48h conflicts with 72h"),
    ("Require two approvals", "require three approvals", "two conflicts with three"),
    ("Never wait longer than 30s", "never wait longer than 60s", "30s conflicts with 60s"),
    ("Use npm", "use pnpm", "“npm” conflicts with “pnpm”"),
    ("Use `Redis` for caching", "Use Memcached for caching", "“redis” conflicts with “memcached”"),
    ("From now on log with structlog instead of print", "Log with print", "one rule rejects what the other requires"),
    (
        "Send dates as ISO strings, never as Unix milliseconds",
        "Always send dates as Unix milliseconds",
        "one rule rejects what the other requires",
    ),
    ("We always use npm in this repo", "Use pnpm instead of npm", "one rule rejects what the other requires"),
    ("We meet on Mondays", "We meet on Tuesdays", "“mondays” conflicts with “tuesdays”"),
    ("Kommentare auf Deutsch", "Kommentare auf Englisch", "“deutsch” conflicts with “englisch”"),
    (
        "Put migrations into db/migrate",
        "Put migrations into db/migrations",
        "“db/migrate” conflicts with “db/migrations”",
    ),
]
BOTH_HOLD = [
    ("Never import `os`", "Never import `sys`"),
    ("Run `make lint` before a commit", "Run `make test` before a commit"),
    ("Write tests for handlers", "Write tests for controllers"),
    ("Never log secrets", "Never log secrets"),
    ("Retry 3 times in CI", "Retry 5 times on a laptop"),
    ("Run tests before pushing", "Run tests after pushing"),
    ("Use composition over inheritance", "Use inheritance over composition"),
    ("Functions have docstrings", "Public functions have docstrings"),
    ("You can use lodash", "Use lodash"),
    ("Use the --force flag when pushing", "Use the force flag when pushing"),
    ("Never commit to main", "Never commit to main without review"),
    ("Use eslint", "Use prettier"),
    ("Use npm", "Use docker"),
    ("Write docs for Redis", "Write docs for Kafka"),
    ("Never edit src/gen/a.py", "Never edit src/gen/b.py"),
    ("Write tests for orders", "Write tests for invoices"),
    ("Look at #12", "Look at #13"),
]


@cases(("a", "b"), SAME)
def test_the_same_words(a: str, b: str) -> None:
    """Endings, articles, courtesy, marks and slips of the pen part no rules."""
    assert same_words(a, b) and same_words(b, a) and not opposed(a, b)


@cases(("a", "b"), OTHER)
def test_other_rules(a: str, b: str) -> None:
    """A negation, a number, a path, a name, an order or a word more is another rule."""
    assert not same_words(a, b) and not same_words(b, a)


@cases(("a", "b", "why"), OPPOSED)
def test_opposed(a: str, b: str, why: str) -> None:
    """The same words but for a negation, a number or a name in the same slot cannot both hold."""
    assert opposed(a, b) == why and opposed(b, a)


@cases(("a", "b"), BOTH_HOLD)
def test_both_hold(a: str, b: str) -> None:
    """Two things that are forbidden, or run, or that have two differences, do not contradict each other."""
    assert not opposed(a, b)


def test_likeness_is_graded() -> None:
    """The more words are shared, the more alike."""
    rule = "Use the logger in handlers"
    near, far = likeness(rule, "Use the logger in services"), likeness(rule, "Deploy on Friday")
    assert likeness(rule, rule) == 1.0 and 1 > near > far == 0.0


_WORDS = st.lists(
    st.sampled_from(["use", "never", "not", "npm", "pnpm", "tests", "2", "4", "`a.py`", "before", "nie", "instead of"]),
    max_size=9,
).map(" ".join)


@given(one=_WORDS | st.text(max_size=80), other=_WORDS | st.text(max_size=80))
def test_promises(one: str, other: str) -> None:
    """Whatever is compared: a rule is itself, either way round gives the same, and the same is never opposed."""
    assert same_words(one, one) or not likeness(one, one)
    assert not opposed(one, one)
    assert likeness(one, other) == likeness(other, one)
    assert 0 <= likeness(one, other) <= 1
    assert same_words(one, other) == same_words(other, one)
    assert not (same_words(one, other) and opposed(one, other))
