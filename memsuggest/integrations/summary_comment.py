"""One comment below a pull request: created, brought up to date, never doubled, and never somebody else's."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from memsuggest.integrations.code_host import Comment, Comments


def put_comment(
    where: Comments, number: int, *, author: str, marker: str, body_after: Callable[[str | None], str | None]
) -> tuple[str, str]:
    """Make the one comment of `author` that begins with `marker` say what it should; return what was done, and its URL.

    `body_after` is given the text as it stands (None: there is no comment yet) and returns the new one, or None to
    leave it. A marker in somebody else's comment means nothing. Of two runs at the same time, the later one to write
    finds both comments and withdraws: the oldest stays.
    """
    found = _own(where, number, author, marker)
    if found:
        return _refresh(where, found, body_after)
    body = body_after(None)
    if body is None:
        return "none", ""
    created = where.create_comment(number, body)
    found = _own(where, number, author, marker)
    if len(found) < 2:
        return "created", created.url
    return _refresh(where, found, body_after)


def _own(where: Comments, number: int, author: str, marker: str) -> list[Comment]:
    found = [one for one in where.comments(number) if one.author == author and one.body.startswith(marker)]
    return sorted(found, key=lambda one: one.id)


def _refresh(where: Comments, found: list[Comment], body_after: Callable[[str | None], str | None]) -> tuple[str, str]:
    first, *doubles = found
    for double in doubles:
        where.delete_comment(double)
    before = first.body.replace("\r\n", "\n")
    body = body_after(before)
    if body is None or body.rstrip() == before.rstrip():
        return "unchanged", first.url
    where.update_comment(first, body)
    return "updated", first.url
