"""Comments beside a pull request's lines, on a server: posted once, kept true, and nobody else's ever touched."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import closing

import pytest
from pull_requests.fake_github import BOT, FakeGitHub, served

from memsuggest.core.errors import RemoteError
from memsuggest.pull_requests.code_host import Wanted
from memsuggest.pull_requests.comment_text import BLOCK_MARKER as MARKER
from memsuggest.pull_requests.comment_text import PAST_MARKER
from memsuggest.pull_requests.github import GitHub
from memsuggest.pull_requests.posting import MOST, Outcome, put_beside

PATCH = "@@ -1,2 +1,9 @@\n" + "".join(f"+{number}\n" for number in range(7)) + " a\n b\n@@ -40,2 +50,3 @@\n a\n+c\n b\n"


@pytest.fixture
def fake() -> Iterator[FakeGitHub]:
    with served(FakeGitHub(files=[{"filename": "AGENTS.md", "status": "modified", "patch": PATCH}])) as github:
        yield github


def wanted(
    words: str = "- x", *, lines: tuple[int, int] = (3, 3), name: str = "ab12", path: str = "AGENTS.md"
) -> Wanted:
    body = f"{MARKER} v1 ids={name} -->\n```suggestion\n{words}\n```\n"
    return Wanted(path=path, lines=lines, body=body)


def put(fake: FakeGitHub, *comments: Wanted, login: str | None = None) -> Outcome:
    with closing(
        GitHub(api=fake.url, repository="shop/bakery", token="t", now=lambda: 1_000.0, wait=lambda _: None)
    ) as github:
        return put_beside(github, 7, head=fake.head, wanted=comments, author=login or github.login())


def bodies(fake: FakeGitHub) -> list[str]:
    return [one["body"] for one in fake.beside]


def test_one_review_for_all(fake: FakeGitHub) -> None:
    """Several comments come as one review, with one notice to its readers; once they stand, nothing is sent."""
    three = [wanted(), wanted(lines=(5, 7)), wanted(lines=(50, 52))]
    assert put(fake, *three).posted == 3
    assert len(fake.reviews) == 1
    assert [(one["start_line"], one["line"]) for one in fake.beside] == [(None, 3), (5, 7), (50, 52)]
    before = list(fake.writes())
    assert put(fake, *three).kept == 3
    assert fake.writes() == before


def test_changed_words(fake: FakeGitHub) -> None:
    """The same place with other words: the comment is changed, not doubled."""
    put(fake, wanted())
    assert put(fake, wanted("- y")).updated == 1
    assert len(fake.beside) == 1 and "- y" in bodies(fake)[0]


@pytest.mark.parametrize("moved", [True, False], ids=["lines-moved", "not-wanted"])
def test_out_of_date(fake: FakeGitHub, moved: bool) -> None:
    """What changed, or is not wanted any more, is resolved and has nothing left to commit; only once."""
    put(fake, wanted())
    if moved:
        fake.beside[0]["line"] = None
    wishes = [wanted()] if moved else []
    assert put(fake, *wishes).retired == 1
    old = fake.beside[0]
    assert fake.resolved == {old["id"]}
    assert "```" not in old["body"] and "`ab12`" in old["body"]
    assert len(fake.beside) == 1 + len(wishes)
    asked = len(fake.asked)
    put(fake, *wishes)
    assert [row for row in fake.asked[asked:] if row[0] not in {"GET", "POST"}] == []
    assert len(fake.beside) == 1 + len(wishes)


@pytest.mark.parametrize(("may_hide", "hidden"), [(True, 1), (False, 0)])
def test_token_that_may_not_resolve(fake: FakeGitHub, may_hide: bool, hidden: int) -> None:
    """With `contents: read` a conversation cannot be resolved: it is folded away, or at least says that it is over."""
    fake.may_resolve, fake.may_hide = False, may_hide
    put(fake, wanted())
    assert put(fake).retired == 1
    assert len(fake.hidden) == hidden and fake.resolved == set()
    assert bodies(fake)[0].startswith(PAST_MARKER)


@pytest.mark.parametrize("status", [502, 404, 403, 200], ids=["down", "missing", "forbidden", "portal"])
def test_no_graphql(fake: FakeGitHub, status: int) -> None:
    """Where GraphQL does not answer, or something else does, the rest is done all the same."""
    route = fake.answer
    refusal = status, {}, b"<html>"
    fake.answer = lambda method, target, body: refusal if target == "/graphql" else route(method, target, body)  # type: ignore[method-assign]
    put(fake, wanted())
    assert put(fake, wanted(lines=(4, 4))).retired == 1
    assert [one.startswith(PAST_MARKER) for one in bodies(fake)] == [True, False]


def test_resolved_by_somebody(fake: FakeGitHub) -> None:
    """A conversation that somebody resolved is an answer: the same is not posted again, something else is."""
    put(fake, wanted())
    fake.resolved.add(fake.beside[0]["id"])
    assert put(fake, wanted()).kept == 1
    assert len(fake.beside) == 1
    outcome = put(fake, wanted("- other"))
    assert (outcome.posted, outcome.retired) == (1, 1)
    assert put(fake, wanted("- other")).kept == 1
    assert "- other" in bodies(fake)[1]


def test_answered_by_somebody(fake: FakeGitHub) -> None:
    """A conversation in which people talk is theirs to resolve; ours only says that it is over."""
    put(fake, wanted())
    answer = fake.say_beside("why?", author="ada", lines=(3, 3), to=fake.beside[0]["id"])
    put(fake)
    assert fake.resolved == fake.hidden == set()
    assert bodies(fake)[0].startswith(PAST_MARKER)
    assert answer["body"] == "why?"


def test_strangers_are_left_alone(fake: FakeGitHub) -> None:
    """A forged marker, a quoted one, and one in an answer are somebody's words, and stay."""
    body = wanted().body
    others = [
        fake.say_beside(body, author="mallory", lines=(3, 3)),
        fake.say_beside(body, author="github-actions", lines=(3, 3)),
        fake.say_beside(f"> {body}", author=BOT, lines=(3, 3)),
        fake.say_beside(body, author=BOT, lines=(3, 3), to=3_000_000_001),
    ]
    before = [dict(other) for other in others]
    assert put(fake, wanted()).posted == 1
    assert put(fake).retired == 1
    assert [dict(other) for other in others] == before
    ours = fake.beside[4]["id"]
    assert fake.resolved == {ours}
    assert {path for method, path in fake.writes() if method == "PATCH"} == {
        f"/repos/shop/bakery/pulls/comments/{ours}"
    }


def test_deleted_meanwhile(fake: FakeGitHub) -> None:
    """A comment that somebody removes between reading and changing is gone, and no error."""
    put(fake, wanted())
    route = fake.answer

    def removing(method: str, target: str, body: object) -> tuple[int, dict[str, str], bytes]:
        if method == "PATCH":
            fake.beside.clear()
        return route(method, target, body)

    fake.answer = removing  # type: ignore[method-assign]
    assert put(fake, wanted("- y")).updated == 0
    assert put(fake, wanted("- y")).posted == 1
    assert put(fake).retired == 1


def test_stale_line(fake: FakeGitHub) -> None:
    """One line that GitHub does not take costs only its own comment; the others are posted."""
    wishes = [wanted(lines=(number, number)) for number in (1, 2, 30, 4, 5)]
    outcome = put(fake, *wishes)
    assert [one.lines for one in outcome.refused] == [(30, 30)]
    assert outcome.posted == 4
    assert sorted(one["line"] for one in fake.beside) == [1, 2, 4, 5]


def test_moved_meanwhile(fake: FakeGitHub) -> None:
    """A refusal because of a new commit ends the run, for all is to be read anew."""
    head = fake.head
    fake.head = "0" * 40
    with closing(
        GitHub(api=fake.url, repository="shop/bakery", token="t", now=lambda: 0.0, wait=lambda _: None)
    ) as github:
        outcome = put_beside(github, 7, head=head, wanted=[wanted(), wanted(lines=(4, 4))], author=BOT)
    assert outcome.has_moved
    assert len(fake.writes()) == 1


def test_taken_and_yet_an_error(fake: FakeGitHub) -> None:
    """A review that GitHub took before it failed to answer is not sent twice."""
    fake.after_review = lambda: (502, {}, b"")
    assert put(fake, wanted(), wanted(lines=(4, 4))).posted == 2
    assert len(fake.beside) == len(fake.reviews) * 2 == 2


def test_half_finished_run(fake: FakeGitHub) -> None:
    """An error that is one is told; the next run does what is left, and no more."""
    put(fake, wanted(), wanted(lines=(4, 4)))
    fake.beside.pop()
    route = fake.answer

    def failing(method: str, target: str, body: object) -> tuple[int, dict[str, str], bytes]:
        return (502, {}, b"") if target.endswith("/reviews") else route(method, target, body)

    fake.answer = failing  # type: ignore[method-assign]
    with pytest.raises(RemoteError):
        put(fake, wanted(), wanted(lines=(4, 4)))
    fake.answer = route  # type: ignore[method-assign]
    outcome = put(fake, wanted(), wanted(lines=(4, 4)))
    assert (outcome.kept, outcome.posted) == (1, 1)
    assert sorted(one["line"] for one in fake.beside) == [3, 4]


def test_resolved_but_not_said(fake: FakeGitHub) -> None:
    """A run that ended between resolving and saying so is found and finished."""
    put(fake, wanted())
    fake.resolved.add(fake.beside[0]["id"])
    assert put(fake).retired == 1
    assert bodies(fake)[0].startswith(PAST_MARKER)


def test_many(fake: FakeGitHub) -> None:
    """Thirty stand beside lines, in all runs together; the rest is for the comment below, and nobody's refusal."""
    fake.files[0]["patch"] = "@@ -0,0 +1,100 @@\n" + "+x\n" * 100
    wishes = [wanted(lines=(number, number)) for number in range(1, MOST + 6)]
    outcome = put(fake, *wishes)
    assert (outcome.posted, outcome.refused, outcome.below) == (MOST, [], wishes[MOST:])
    again = put(fake, *wishes)
    assert (again.posted, again.kept, again.refused, again.below) == (0, MOST, [], wishes[MOST:])
    assert len(fake.beside) == MOST


def runs_at_once(fake: FakeGitHub, count: int, comments: Sequence[Wanted]) -> None:
    """Let several runs find nothing, and only then post."""
    barrier = threading.Barrier(count, timeout=30)
    met = threading.local()
    route = fake.answer

    def together(method: str, target: str, body: object) -> tuple[int, dict[str, str], bytes]:
        if target.endswith("/reviews") and not getattr(met, "done", False):
            met.done = True
            barrier.wait()
        return route(method, target, body)

    fake.answer = together  # type: ignore[method-assign]
    runs = [threading.Thread(target=lambda: put(fake, *comments)) for _ in range(count)]
    for run in runs:
        run.start()
    for run in runs:
        run.join()
    fake.answer = route  # type: ignore[method-assign]


def test_runs_at_once(fake: FakeGitHub) -> None:
    """Of runs that find nothing at the same moment, one comment for each place is left."""
    comments = [wanted(), wanted(lines=(4, 4))]
    runs_at_once(fake, 3, comments)
    assert put(fake, *comments).kept == 2
    assert sorted(one["line"] for one in fake.beside) == [3, 4]
