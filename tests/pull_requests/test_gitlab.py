"""GitLab as a client sees it, and our comments there: one below, discussions beside lines, nobody else's touched."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import closing, suppress
from typing import Any

import pytest
from hypothesis import Phase, example, given, settings
from hypothesis import strategies as st
from pull_requests.fake_github import served
from pull_requests.fake_gitlab import BOT, FakeGitLab

from memsuggest.core.errors import RemoteError
from memsuggest.pull_requests.code_host import CodeHost, Wanted
from memsuggest.pull_requests.gitlab import GitLab
from memsuggest.pull_requests.review_comment import MARKER, PAST_MARKER, past_body
from memsuggest.pull_requests.review_comments import MOST, Ours, Outcome, Snapshot, put_beside, put_comment

BELOW = "<!-- memsuggest:comment"
DIFF = "@@ -1,2 +1,9 @@\n" + "".join(f"+{number}\n" for number in range(7)) + " a\n b\n@@ -40,2 +50,3 @@\n a\n+c\n b\n"


def changed(path: str = "AGENTS.md", diff: str = DIFF, **fields: Any) -> dict[str, Any]:
    return {"new_path": path, "old_path": path, "diff": diff, "deleted_file": False, **fields}


@pytest.fixture
def fake() -> Iterator[FakeGitLab]:
    with served(FakeGitLab(files=[changed()])) as gitlab:
        yield gitlab


class Clock:
    """Time that passes only by waiting."""

    def __init__(self) -> None:
        self.waited: list[float] = []

    def now(self) -> float:
        return 1_000.0 + sum(self.waited)


def client(fake: FakeGitLab, clock: Clock | None = None) -> closing[GitLab]:
    clock = clock or Clock()
    return closing(GitLab(api=fake.url, project="5", token="t", now=clock.now, wait=clock.waited.append))


def wanted(words: str = "- x", *, lines: tuple[int, int] = (3, 3), path: str = "AGENTS.md") -> Wanted:
    body = f"{MARKER} v1 ids=ab12 -->\n```suggestion:-{lines[1] - lines[0]}+0\n{words}\n```\n"
    return Wanted(path=path, lines=lines, body=body)


def put(fake: FakeGitLab, *comments: Wanted) -> Outcome:
    with client(fake) as gitlab:
        ours = Ours(author=gitlab.login(), marker=MARKER, past_marker=PAST_MARKER, past=past_body, opening="")
        head = gitlab.pull_request(7).head
        at = Snapshot(number=7, head=head, head_now=lambda: gitlab.pull_request(7).head)
        return put_beside(gitlab.reviews, at, wanted=comments, ours=ours)


def put_below(fake: FakeGitLab, body: str | None = f"{BELOW} -->\nhello") -> str:
    with client(fake) as gitlab:
        return put_comment(gitlab, 7, author=gitlab.login(), marker=BELOW, body_after=lambda _: body)[0]


def test_it_is_a_code_host(fake: FakeGitLab) -> None:
    """GitLab is asked the same as GitHub."""
    with client(fake) as gitlab:
        host: CodeHost = gitlab
        assert (host.pull_request(7).base, host.pull_request(7).is_fork) == ("main", False)
        fake.is_fork = True
        assert host.pull_request(7).is_fork


@pytest.mark.parametrize("page", [100, 7])
def test_pages(fake: FakeGitLab, page: int) -> None:
    """All pages of long lists are read, whatever their size; of a diff, small ones are asked for."""
    fake.page = page
    fake.files = [changed(f"f{number}") for number in range(65)]
    fake.tree = {f"f{number}": f"{number:040}" for number in range(205)}
    for number in range(120):
        fake.say(f"{number}", author="ada")
    fake.say("renamed the branch", system=True)
    fake.say_beside("beside", author="ada")
    with client(fake) as gitlab:
        assert [file.path for file in gitlab.changed_files(7)] == [f"f{number}" for number in range(65)]
        assert gitlab.files_at(fake.head) == fake.tree
        assert [comment.body for comment in gitlab.comments(7)] == [f"{number}" for number in range(120)]


def test_a_large_project_is_not_listed(fake: FakeGitLab) -> None:
    """Of very many files, those on disk count."""
    fake.tree = {f"f{number}": "0" * 40 for number in range(2_100)}
    with client(fake) as gitlab:
        assert gitlab.files_at(fake.head) is None


def test_files(fake: FakeGitLab) -> None:
    """A file is fetched by its whole path, as the branch or the merge request has it; what is no text is none."""
    fake.branches = {"release/2.x": {"docs/a b.md": b"old\n"}}
    fake.texts = {"docs/a b.md": "nü\n".encode(), "x.png": b"\xff\xfe"}
    with client(fake) as gitlab:
        assert gitlab.base_text("release/2.x", "docs/a b.md") == "old\n"
        assert gitlab.head_text(7, fake.head, "docs/a b.md") == "nü\n"
        assert gitlab.head_text(7, fake.head, "x.png") is None
        assert gitlab.head_text(7, fake.head, "gone.md") is None


@pytest.mark.parametrize(
    ("status", "headers", "waited"),
    [
        pytest.param(429, {"Retry-After": "7"}, [7.0], id="told"),
        pytest.param(429, {"RateLimit-Remaining": "0", "RateLimit-Reset": "1030"}, [30.0], id="by its reset"),
        pytest.param(429, {}, [60.0], id="not told"),
        pytest.param(502, {}, [1.0], id="fault"),
    ],
)
def test_waits(fake: FakeGitLab, status: int, headers: dict[str, str], waited: list[float]) -> None:
    """A limit is waited out, and a fault while reading is tried again."""
    fake.answers = [(status, headers, b"Retry later")]
    clock = Clock()
    with client(fake, clock) as gitlab:
        assert gitlab.login() == BOT
    assert clock.waited == waited


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        pytest.param((401, {}, b"{}"), "CI_JOB_TOKEN cannot write notes", id="token"),
        pytest.param((403, {}, b"{}"), "project access token", id="rights"),
        pytest.param((404, {}, b"{}"), "--mr", id="no such"),
        pytest.param((302, {"Location": "https://x.example"}, b""), "try again", id="redirect"),
        pytest.param((200, {}, b"<html>log in</html>"), "CI_API_V4_URL", id="portal"),
        pytest.param((200, {}, b'{"iid": 7}'), "has not prepared", id="unprepared"),
    ],
)
def test_refusals(fake: FakeGitLab, answer: Any, says: str) -> None:
    """What GitLab refuses is one error with what to do."""
    fake.answers = [answer] * 3
    with client(fake) as gitlab, pytest.raises(RemoteError) as refused:
        gitlab.pull_request(7)
    assert says in f"{refused.value.message} {refused.value.hint}"


def test_one_note_below(fake: FakeGitLab) -> None:
    """It is created once, changed when it says something else, and never doubled; a forged one means nothing."""
    fake.say(f"{BELOW} -->\nforged", author="mallory")
    assert [put_below(fake), put_below(fake), put_below(fake, f"{BELOW} -->\nnews")] == [
        "created",
        "unchanged",
        "updated",
    ]
    assert [note["body"].split("\n")[1] for note in fake.notes] == ["forged", "news"]
    fake.say(fake.notes[1]["body"])
    put_below(fake, f"{BELOW} -->\nnews")
    assert len(fake.notes) == 2


def test_beside_lines(fake: FakeGitLab) -> None:
    """Added lines, lines that are only shown, and several lines: each a discussion where its lines are, posted once."""
    four = [wanted(), wanted(lines=(5, 7)), wanted(lines=(9, 9)), wanted(lines=(50, 52))]
    assert put(fake, *four).posted == 4
    positions = [discussion["notes"][0]["position"] for discussion in fake.discussions]
    assert [(position["new_line"], position["new_path"]) for position in positions] == [
        (3, "AGENTS.md"),
        (7, "AGENTS.md"),
        (9, "AGENTS.md"),
        (52, "AGENTS.md"),
    ]
    before = list(fake.writes())
    assert put(fake, *four).kept == 4
    assert fake.writes() == before


def test_a_renamed_file(fake: FakeGitLab) -> None:
    """Both names are told."""
    fake.files = [changed("AGENTS.md", DIFF, old_path="CLAUDE.md")]
    assert put(fake, wanted()).posted == 1


def test_lines_that_are_not_shown(fake: FakeGitLab) -> None:
    """What GitLab does not accept is handed back, and the rest is posted."""
    outcome = put(fake, wanted(), wanted(lines=(30, 30)), wanted(path="other.md"))
    assert (outcome.posted, [one.lines for one in outcome.refused]) == (1, [(30, 30), (3, 3)])


def test_changed_words(fake: FakeGitLab) -> None:
    """A note says what it should, in its place."""
    put(fake, wanted("- x"))
    outcome = put(fake, wanted("- y"))
    assert (outcome.updated, outcome.posted, len(fake.discussions)) == (1, 0, 1)
    assert "- y" in fake.bodies()[0]


def test_a_push(fake: FakeGitLab) -> None:
    """Discussions whose lines stayed move on and are kept; the others are resolved, and say that it is over."""
    put(fake, wanted(), wanted(lines=(5, 7)))
    fake.push("d" * 40, moves=lambda position: 4 if position["new_line"] == 3 else None)
    outcome = put(fake, wanted(lines=(4, 4)))
    assert (outcome.kept, outcome.posted, outcome.retired) == (1, 0, 1)
    stayed, gone = (discussion["notes"][0] for discussion in fake.discussions)
    assert not stayed["resolved"] and gone["resolved"]
    assert gone["body"].startswith(PAST_MARKER) and "suggestion" not in gone["body"]
    before = list(fake.writes())
    put(fake, wanted(lines=(4, 4)))
    assert fake.writes() == before


def test_a_token_that_may_not_resolve(fake: FakeGitLab) -> None:
    """Then the discussion stays open, and says that it is out of date."""
    fake.may_resolve = False
    put(fake, wanted())
    assert put(fake).retired == 1
    assert fake.bodies()[0].startswith(PAST_MARKER)


def test_people(fake: FakeGitLab) -> None:
    """What somebody resolved is not asked again, where somebody answered is theirs to resolve, and theirs stays."""
    put(fake, wanted(), wanted(lines=(4, 4)))
    resolved, answered = fake.discussions
    resolved["notes"][0]["resolved"] = True
    fake.reply(answered, "hm", "ada")
    fake.say_beside(wanted(lines=(5, 5)).body, line=5, author="mallory")
    assert put(fake, wanted()).kept == 1
    assert not answered["notes"][0]["resolved"]
    assert [note["body"] for note in answered["notes"]][1] == "hm"
    assert answered["notes"][0]["body"].startswith(PAST_MARKER)
    assert fake.bodies()[2] == wanted(lines=(5, 5)).body


def test_moved_meanwhile(fake: FakeGitLab) -> None:
    """Nothing is posted to a merge request that got another commit."""
    with client(fake) as gitlab:
        ours = Ours(author=BOT, marker=MARKER, past_marker=PAST_MARKER, past=past_body, opening="")
        at = Snapshot(number=7, head="0" * 40, head_now=lambda: gitlab.pull_request(7).head)
        assert put_beside(gitlab.reviews, at, wanted=[wanted()], ours=ours).has_moved
    assert fake.discussions == []


def test_taken_and_yet_an_error(fake: FakeGitLab) -> None:
    """A discussion that was begun although the answer was lost is not begun twice."""
    fake.after_discussion = lambda: (502, {}, b"")
    assert put(fake, wanted()).posted == 1
    assert len(fake.discussions) == 1


def test_many(fake: FakeGitLab) -> None:
    """No more than a reviewer can read; the rest goes below."""
    fake.files = [changed(diff="@@ -0,0 +1,99 @@\n" + "+x\n" * 99)]
    outcome = put(fake, *(wanted(lines=(line, line)) for line in range(1, 50)))
    assert (outcome.posted, len(outcome.refused)) == (MOST, 0)


def test_runs_at_once(fake: FakeGitLab) -> None:
    """Of runs that find nothing at the same moment, one discussion for each place is left."""
    barrier = threading.Barrier(3, timeout=30)
    met = threading.local()
    route = fake.answer

    def together(method: str, target: str, body: object) -> Any:
        if method == "POST" and not getattr(met, "done", False):
            met.done = True
            barrier.wait()
        return route(method, target, body)

    fake.answer = together  # type: ignore[method-assign]
    comments = [wanted(), wanted(lines=(4, 4))]
    runs = [threading.Thread(target=lambda: put(fake, *comments)) for _ in range(3)]
    for run in runs:
        run.start()
    for run in runs:
        run.join()
    fake.answer = route  # type: ignore[method-assign]
    assert put(fake, *comments).kept == 2
    assert sorted(discussion["notes"][0]["position"]["new_line"] for discussion in fake.discussions) == [3, 4]


STEP = st.one_of(
    st.tuples(st.just("want"), st.lists(st.tuples(st.integers(1, 9), st.sampled_from("xyz")), max_size=4)),
    st.tuples(st.just("fail"), st.integers(0, 6)),
    st.tuples(st.just("outdate"), st.integers(0, 5)),
    st.tuples(st.just("resolve"), st.integers(0, 5)),
    st.tuples(st.just("answer"), st.integers(0, 5)),
    st.tuples(st.just("remove"), st.integers(0, 5)),
    st.tuples(st.just("forge"), st.integers(1, 9)),
)


@given(st.lists(STEP, max_size=8), st.booleans())
@example([("fail", 0), ("want", [(1, "x")])], False)
@settings(max_examples=10, phases=[Phase.explicit, Phase.generate])
def test_whatever_happens_in_between(steps: list[tuple[str, Any]], may_resolve: bool) -> None:
    """Faults, people and pushes in any order: the next run that nothing disturbs leaves all as it should be."""
    with served(FakeGitLab(files=[changed()], may_resolve=may_resolve)) as fake:
        now: list[Wanted] = []
        for what, how in steps:
            happen(fake, what, how)
            if what == "want":
                now = [wanted(f"- {word}", lines=(line, line)) for line, word in dict(how).items()]
                put(fake, *now)
        others = [dict(their) for their in theirs(fake)]
        put(fake, *now)
        live = [our for our in ours(fake) if not our["notes"][0]["body"].startswith(PAST_MARKER)]
        assert sorted((one["notes"][0]["position"]["new_line"], one["notes"][0]["body"]) for one in live) == sorted(
            (one.lines[1], one.body) for one in now
        )
        assert [dict(their) for their in theirs(fake)] == others
        before = list(fake.writes())
        assert put(fake, *now).kept == len(now)
        assert fake.writes() == before


def ours(fake: FakeGitLab) -> list[dict[str, Any]]:
    return [discussion for discussion in fake.discussions if discussion["notes"][0]["author"]["username"] == BOT]


def theirs(fake: FakeGitLab) -> list[dict[str, Any]]:
    return [
        note for discussion in fake.discussions for note in discussion["notes"] if note["author"]["username"] != BOT
    ]


def happen(fake: FakeGitLab, what: str, how: Any) -> None:
    """Let something happen to the discussions, or to a run in the middle of its writing."""
    found = ours(fake)
    one = found[how % len(found)] if found and isinstance(how, int) else None
    if what == "forge":
        fake.say_beside(wanted(lines=(how, how)).body, author="mallory", line=how)
    elif what == "fail":
        fail_at(fake, how)
    elif one and what == "outdate":
        for note in one["notes"]:
            note["position"] = note["position"] | {"head_sha": "0" * 40}
    elif one and what == "resolve":
        one["notes"][0]["resolved"] = True
    elif one and what == "answer":
        fake.reply(one, "hm", "ada")
    elif one and what == "remove":
        fake.discussions.remove(one)


def fail_at(fake: FakeGitLab, number: int) -> None:
    """Run for something else, and let the server fail at one of its writes, once before it and once after it."""
    route = fake.answer
    for is_taken in (False, True):
        left = iter(range(number, -1, -1))

        def failing(
            method: str, target: str, body: object, *, left: Iterator[int] = left, is_taken: bool = is_taken
        ) -> Any:
            if method == "GET" or next(left, -1) != 0:
                return route(method, target, body)
            if is_taken:
                route(method, target, body)
            return 502, {}, b""

        fake.answer = failing  # type: ignore[method-assign]
        with suppress(RemoteError):
            put(fake, wanted("- fail", lines=(1, 1)), wanted("- fail", lines=(7, 7)))
    fake.answer = route  # type: ignore[method-assign]
