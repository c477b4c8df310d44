"""GitHub's API as a client sees it: pages, limits, refusals, answers that are something else; and the one comment."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import closing

import pytest
from pull_requests.fake_github import BOT, Clock, FakeGitHub, served

from memsuggest.core.errors import RemoteError
from memsuggest.pull_requests.github import GitHub
from memsuggest.pull_requests.posting import put_comment

MARKER = "<!-- memsuggest:comment"


@pytest.fixture
def fake() -> Iterator[FakeGitHub]:
    with served(FakeGitHub()) as github:
        yield github


def client(fake: FakeGitHub, clock: Clock | None = None) -> closing[GitHub]:
    clock = clock or Clock()
    return closing(GitHub(api=fake.url, repository="shop/bakery", token="t", now=clock.now, wait=clock.waited.append))


def put(fake: FakeGitHub, body: str | None = f"{MARKER} -->\nhello") -> str:
    with client(fake) as github:
        return put_comment(github, 7, author=github.login(), body_after=lambda _: body)[0]


@pytest.mark.parametrize("page", [100, 30])
def test_pages(fake: FakeGitHub, page: int) -> None:
    """All pages of a long list are read, whatever their size."""
    fake.page = page
    fake.files = [{"filename": f"f{number}", "status": "modified", "patch": "@@"} for number in range(250)]
    with client(fake) as github:
        assert [file.path for file in github.changed_files(7)] == [f"f{number}" for number in range(250)]


@pytest.mark.parametrize(
    ("status", "headers", "waited"),
    [
        pytest.param(429, {"Retry-After": "7"}, [7.0], id="too-many"),
        pytest.param(403, {"Retry-After": "3"}, [3.0], id="secondary-limit"),
        pytest.param(403, {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1030"}, [30.0], id="primary-limit"),
        pytest.param(403, {}, [60.0], id="told-in-words"),
        pytest.param(502, {}, [1.0], id="bad-gateway"),
    ],
)
def test_waits(fake: FakeGitHub, status: int, headers: dict[str, str], waited: list[float]) -> None:
    """A limit that ends soon is waited out, and what failed for a moment is asked again."""
    fake.answers = [(status, headers, b'{"message": "You have exceeded a secondary rate limit."}')]
    clock = Clock()
    with client(fake, clock) as github:
        assert github.comments(7) == []
    assert clock.waited == waited


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        pytest.param((401, {}, b"{}"), "token", id="bad-token"),
        pytest.param((403, {}, b"{}"), "lacks permission", id="forbidden"),
        pytest.param((404, {}, b"{}"), "not found", id="missing"),
        pytest.param((301, {"Location": "http://127.0.0.1:1/"}, b""), "moved", id="moved"),
        pytest.param((200, {}, b"<html>log in</html>"), "not come from a code host's API", id="portal"),
        pytest.param((200, {}, b'{"a": 1}'), "not come from a code host's API", id="no-list"),
        pytest.param((403, {"Retry-After": "3600"}, b"{}"), "rate limit", id="long-limit"),
    ],
)
def test_refusals(fake: FakeGitHub, answer: tuple[int, dict[str, str], bytes], says: str) -> None:
    """Every refusal has its own words and a hint, is asked for once, and is nowhere followed to."""
    fake.answers = [answer]
    with client(fake) as github, pytest.raises(RemoteError, match=says) as caught:
        github.comments(7)
    assert caught.value.hint
    assert len(fake.asked) == 1


def test_unreachable() -> None:
    """No server: a clear error, after a few tries."""
    clock = Clock()
    with client(FakeGitHub(url="http://127.0.0.1:9"), clock) as github, pytest.raises(RemoteError, match="reached"):
        github.comments(7)
    assert len(clock.waited) == 2


def test_writes_once_where_it_may_have_worked(fake: FakeGitHub) -> None:
    """A comment is not sent again after an error of the server, which may have taken it."""
    fake.answers = [(403, {}, b"{}"), (200, {}, b"[]"), (502, {}, b"")]
    with pytest.raises(RemoteError):
        put(fake)
    assert [method for method, _ in fake.writes()] == ["POST"]


def test_one_comment(fake: FakeGitHub) -> None:
    """It is created, left alone while it says the same, and changed when it does not."""
    assert put(fake) == "created"
    assert put(fake) == "unchanged"
    assert put(fake, f"{MARKER} -->\nnews") == "updated"
    assert [comment["body"] for comment in fake.comments] == [f"{MARKER} -->\nnews"]


def test_nothing_to_say(fake: FakeGitHub) -> None:
    """Nothing is written where there is nothing to say."""
    assert put(fake, None) == "none"
    assert fake.writes() == []


def test_forged_marker(fake: FakeGitHub) -> None:
    """Somebody else's comment with our marker is neither changed nor taken for ours."""
    forged = fake.say(f"{MARKER} v1 -->\nforged", author="mallory")
    quoted = fake.say(f"as they said: {MARKER} -->", author=BOT)
    assert put(fake) == "created"
    assert forged["body"].endswith("forged")
    assert quoted in fake.comments
    assert len(fake.comments) == 3


def test_runs_at_once(fake: FakeGitHub) -> None:
    """Of runs that find no comment at the same moment, one comment is left."""
    barrier = threading.Barrier(3, timeout=30)
    met = threading.local()

    def together() -> None:
        if not getattr(met, "done", False):
            met.done = True
            barrier.wait()

    fake.before_create = together
    done: list[str] = []
    runs = [threading.Thread(target=lambda: done.append(put(fake))) for _ in range(3)]
    for run in runs:
        run.start()
    for run in runs:
        run.join()
    assert len(done) == 3
    fake.before_create = None
    assert put(fake) == "unchanged"
    assert len(fake.comments) == 1
