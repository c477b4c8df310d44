"""Ingest: what is new in a chat is put into the outbox, where it waits to be sent; nothing is sent here.

New is what was typed since the chat was last learned from, and what answers it: chats that were read before this was
switched on stay here. The session's own group and the workspace's get it, never the person's.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from memsuggest.core.context import Context
from memsuggest.core.git import git_text
from memsuggest.core.identity import session_hash
from memsuggest.core.model import Transcript, Trust, Turn
from memsuggest.graphiti.episodes import (
    ChatAddress,
    messages_of,
    names_in,
    ownership_name,
    ownership_text,
    turns_to_tell,
)
from memsuggest.graphiti.masking import Mask
from memsuggest.graphiti.outbox import Outgoing
from memsuggest.graphiti.permission import endpoint, groups_of, is_on, is_permitted, mask_of, outbox_at
from memsuggest.graphiti.profile_tables import SESSION, WORKSPACE, Groups, session_group
from memsuggest.graphiti.promote import promote_directives
from memsuggest.transcripts.discovery import FoundTranscript
from memsuggest.transcripts.discovery.surroundings import as_in
from memsuggest.transcripts.parsing.continuing import ReadOn
from memsuggest.transcripts.raw_sessions import is_under_way


def ingest(context: Context, found: FoundTranscript, read: ReadOn) -> None:
    """Put what is new in a chat into the outbox, where that is switched on and agreed to.

    Before the chat is marked as read: who is killed between the two takes it in again, and each name counts once.
    """
    transcript = read.transcript
    is_here = transcript.workspace is None or as_in(transcript.workspace, context.root) is not None
    if context.is_dry or transcript.trust is not Trust.TYPED or not is_here:
        return  # somebody else's words, or those of another workspace, of which nobody agreed that they go there
    new = context.progress.new_turns(transcript, after=read.after) if _is_wanted(context) else set()
    if is_permitted(context, "ingest"):
        _tell(context, transcript, new, is_under_way=is_under_way(found.place, found.format), at=_modified(found))
    if new and is_permitted(context, "promotion"):
        promote_directives(context, transcript, new)


def _is_wanted(context: Context) -> bool:
    return is_on(context, "ingest") or is_on(context, "promotion")


def _modified(found: FoundTranscript) -> int:
    return found.mtime_ns // 1_000_000


def _tell(context: Context, transcript: Transcript, new: set[int], *, is_under_way: bool, at: int) -> None:
    outbox = outbox_at(context, endpoint(context))
    told = outbox.known(names_in(transcript))
    turns = list(turns_to_tell(transcript, new=new, told=told, is_under_way=is_under_way))
    known = outbox.known([name for name, _ in turns])
    fresh = [(name, turn) for name, turn in turns if name not in known]
    if not fresh:
        return
    groups, mask = groups_of(context), mask_of(context)
    by_scope = {SESSION: session_group(transcript.session_id), WORKSPACE: groups.workspace}
    address = ChatAddress(
        groups=tuple(by_scope.values()),
        session=session_hash(transcript.session_id),
        person=groups.person,
        assistant=transcript.format,
        mask=mask,
        source=lambda turn: _source(context, transcript, turn, mask),
        at=min(at, context.now()),
        now=context.now(),
    )
    messages = list(messages_of(fresh, address))
    if messages and is_on(context, "ownership"):
        branch = next((turn.branch for _, turn in fresh if turn.branch), "") or ""
        first = min(message.at for message in messages)
        owned = _ownership(context, groups, by_scope, mask, branch=branch, session=address.session, at=first)
        messages = [*owned, *messages]
    outbox.put(messages, now=context.now())


def _ownership(  # noqa: PLR0913  (what the message says)
    context: Context, groups: Groups, by_scope: dict[str, str], mask: Mask, *, branch: str, session: str, at: int
) -> Iterator[Outgoing]:
    """Yield the message that says whose a group is, for each group; the outbox takes each in once."""
    for scope, group in by_scope.items():
        project = mask.line(context.root.name)
        text = ownership_text(scope=scope, person=groups.person, project=project, branch=mask.line(branch))
        yield Outgoing(
            group_id=group,
            name=ownership_name(groups.person),
            role_type="system",
            role="memsuggest",
            content=text,
            at=at,
            session=session if scope == SESSION else "",
        )


def _source(context: Context, transcript: Transcript, turn: Turn, mask: Mask) -> str:
    """Say where a turn was said: with which assistant, on which branch, after which commit; never in which folder."""
    parts = [f"memsuggest from {transcript.format}"]
    if turn.branch:
        parts.append(f"branch {turn.branch}")
    if commit := _commit_subject(str(context.root), _head_stamp(context)):
        parts.append(f"commit {commit}")
    return mask.line("; ".join(parts))


def _head_stamp(context: Context) -> int:
    log = (context.place.git_folder or context.root / ".git") / "logs/HEAD"
    try:
        return log.stat().st_mtime_ns
    except OSError:
        return 0


@lru_cache(maxsize=8)
def _commit_subject(root: str, _stamp: int) -> str:
    """Return the subject of the last commit; git takes longer than all else about a chat, and is asked once."""
    return git_text(Path(root), "log", "-1", "--format=%s", "HEAD").strip()
