"""The topic of a rule in a word: for names of new files and sections, and for lead-ins. Pure: a table."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memsuggest.memory.rule_meaning import read_wording
from memsuggest.text.words import word_set

if TYPE_CHECKING:
    from collections.abc import Iterable

SLUG_LIMIT = 40
"""Characters of a name of ours."""
_NOT_SLUG = re.compile(r"[^a-z0-9]+")
_LETTERS = str.maketrans(
    {"ß": "ss", "ä": "ae", "ö": "oe", "ü": "ue", "æ": "ae", "ø": "o", "œ": "oe", "ł": "l", "đ": "d"}
)
"""Letters that have no sign to be left out."""
_REASON = re.compile(
    r"[,;]?\s(?:so\s+that|because|since|otherwise|damit|weil|pour\s+que|parce\s+que|para\s+que|porque)\s"
)
_WORD = re.compile(r"[^\W_][\w'-]*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Topic:
    """Something that many rules are about."""

    name: str
    """A slug."""
    title: str
    use_when: str
    """What one does when it matters: "writing or changing tests"."""
    cues: frozenset[str]
    """Words, in lower case, that say so."""


def _topic(name: str, use_when: str, cues: str, *, title: str = "") -> Topic:
    return Topic(
        name=name,
        title=title or name.replace("-", " ").capitalize(),
        use_when=use_when,
        cues=frozenset(cues.split()),
    )


TOPICS = (
    _topic(
        "testing",
        "writing, changing or running tests",
        "test tests tested testing untested mock mocks mocked mocking stub stubs fixture fixtures coverage snapshot"
        " snapshots pytest jest vitest mocha unittest e2e tdd assertion assertions playwright cypress",
    ),
    _topic(
        "commits",
        "committing, branching or opening pull requests",
        "commit commits committing changelog branch branches rebase squash merge pr prs pull-request",
        title="Commits and pull requests",
    ),
    _topic(
        "dependencies",
        "installing, adding or updating dependencies",
        "npm pnpm yarn bun uv pip poetry cargo install installing lockfile package packages dependency dependencies"
        " package-lock lock-file upgrade",
    ),
    _topic(
        "code-style",
        "writing or changing code",
        "indent indentation tabs spaces quotes naming camelcase snake_case pascalcase kebab-case formatter formatting"
        " lint linter prettier eslint ruff black semicolons imports import line-length comments comment",
    ),
    _topic(
        "database",
        "working with the database, its schema or its queries",
        "database databases db sql migration migrations schema schemas query queries table tables column columns"
        " postgres sqlite mysql transaction transactions orm",
    ),
    _topic(
        "api",
        "writing or changing API endpoints and their handlers",
        "api apis endpoint endpoints route routes http rest graphql handler handlers request requests response"
        " responses status-code",
        title="API",
    ),
    _topic(
        "documentation",
        "writing or changing documentation",
        "docs doc documentation readme docstring docstrings adr adrs diagram diagrams glossary",
    ),
    _topic(
        "security",
        "handling secrets, logins, permissions or personal data",
        "secret secrets token tokens auth password passwords permission permissions credential credentials encrypt"
        " encryption csrf xss sanitize vulnerability",
    ),
    _topic("logging", "logging, tracing or measuring", "log logs logger logging trace tracing metrics telemetry"),
    _topic(
        "error-handling",
        "raising, catching or reporting errors",
        "error errors exception exceptions throw throws raise catch retry retries timeout timeouts panic",
    ),
    _topic(
        "deployment",
        "building, releasing or deploying",
        "deploy deploys deployed deployment release releases releasing rollout docker dockerfile kubernetes helm"
        " terraform ci pipeline pipelines workflow workflows staging production",
    ),
    _topic(
        "user-interface",
        "building or changing the user interface",
        "component components css styles styling tailwind layout accessibility aria button buttons form forms modal"
        " i18n translation translations responsive",
    ),
    _topic(
        "answers",
        "answering, explaining or reporting to me",
        "answer answers reply replies explain explanation explanations concise terse verbose summary summaries tone"
        " emoji emojis language english german french spanish sentence sentences",
    ),
)
"""In the order in which they win when equally many of their words occur."""
_EMPTY = word_set(
    "edit edits edited file files change changes changed step steps time times code project thing things way case cases"
    " line lines folder folders directory new old make sure please default value values name names work works working"
    " need needs say says said tell look looks bring add adds added remove take takes put give gives start stop run"
    " runs call calls per via etc check checks update updates date always never every each"
)
"""Words that say nothing about what a rule is about."""


def sure_topic(content: str) -> Topic | None:
    """Return the topic that a rule is plainly about: more of its words occur than of any other's."""
    words = {word.lower() for word in _WORD.findall(content)}
    scores = sorted(((len(words & topic.cues), -place) for place, topic in enumerate(TOPICS)), reverse=True)
    (best, place), (second, _) = scores[:2]
    return TOPICS[-place] if best > second else None


def topic_words(content: str) -> list[str]:
    """Return the words that a rule is about, each as a slug: names first, then others in their order."""
    rule = _REASON.split(content, maxsplit=1)[0]
    terms = [term for term in read_wording(rule).terms if term.weight >= 1 and not term.is_number and term.word]
    ordered = [term for term in terms if term.is_name and "/" not in term.word] + terms
    words = (slug(term.word) for term in ordered if term.word not in _EMPTY and term.stem not in _EMPTY)
    return list(dict.fromkeys(word for word in words if len(word) > 2))


def folder_word(paths: Iterable[str]) -> str:
    """Return the innermost folder that all the files share and that says something, as a slug; else nothing."""
    split = [path.removeprefix("./").split("/")[:-1] for path in paths]
    common = [names[0] for names in zip(*split, strict=False) if len(set(names)) == 1]
    words = (slug(name) for name in reversed(common))
    return next((word for word in words if word and word not in _PLAIN_FOLDERS), "")


_PLAIN_FOLDERS = word_set("src lib app apps packages pkg internal cmd main source code test tests spec java")


def slug(text: str) -> str:
    """Return a text as a name of ours: lower case, ASCII letters, digits and dashes, at most 40 characters."""
    plain = unicodedata.normalize("NFKD", text.lower().translate(_LETTERS))
    ascii_only = "".join(char for char in plain if not unicodedata.combining(char))
    return _NOT_SLUG.sub("-", ascii_only).strip("-")[:SLUG_LIMIT].strip("-")
