"""GitLab as a client sees it, and our comments there: one below, discussions beside lines, nobody else's touched."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest
from pull_requests.fake_github import Clock, served
from pull_requests.fake_gitlab import BOT, FakeGitLab

from memsuggest.core.errors import RemoteError
from memsuggest.pull_requests.code_host import Wanted
from memsuggest.pull_requests.comment_text import BLOCK_MARKER as MARKER
from memsuggest.pull_requests.comment_text import PAST_MARKER
from memsuggest.pull_requests.gitlab import GitLab
from memsuggest.pull_requests.posting import Outcome, put_beside, put_comment

BELOW = "<!-- memsuggest:comment"
DIFF = "@@ -1,2 +1,9 @@\n" + "".join(f"+{number}\n" for number in range(7)) + " a\n b\n@@ -40,2 +50,3 @@\n a\n+c\n b\n"


def changed(path: str = "AGENTS.md", diff: str = DIFF, **fields: Any) -> dict[str, Any]:
    return {"new_path": path, "old_path": path, "diff": diff, "deleted_file": False, **fields}


@pytest.fixture
def fake() -> Iterator[FakeGitLab]:
    with served(FakeGitLab(files=[changed()])) as gitlab:
        yield gitlab


def client(fake: FakeGitLab, clock: Clock | None = None) -> closing[GitLab]:
    clock = clock or Clock()
    return closing(GitLab(api=fake.url, project="5", token="t", now=clock.now, wait=clock.waited.append))


def wanted(words: str = "- x", *, lines: tuple[int, int] = (3, 3), path: str = "AGENTS.md") -> Wanted:
    body = f"{MARKER} v1 ids=ab12 -->\n```suggestion:-{lines[1] - lines[0]}+0\n{words}\n```\n"
    return Wanted(path=path, lines=lines, body=body)


def put(fake: FakeGitLab, *comments: Wanted) -> Outcome:
    with client(fake) as gitlab:
        return put_beside(gitlab, 7, head=gitlab.pull_request(7).head, wanted=comments, author=gitlab.login())


def put_below(fake: FakeGitLab, body: str | None = f"{BELOW} -->\nhello") -> str:
    with client(fake) as gitlab:
        return put_comment(gitlab, 7, author=gitlab.login(), body_after=lambda _: body)[0]


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
        assert gitlab.text_at("release/2.x", "docs/a b.md") == "old\n"
        assert gitlab.text_at(fake.head, "docs/a b.md") == "nü\n"
        assert gitlab.text_at(fake.head, "x.png") is None
        assert gitlab.text_at(fake.head, "gone.md") is None


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
        assert put_beside(gitlab, 7, head="0" * 40, wanted=[wanted()], author=BOT).has_moved
    assert fake.discussions == []
