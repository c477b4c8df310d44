"""Ingest: what is new in a chat is put into the outbox, where it waits to be sent; nothing is sent here.

New is what was typed since the chat was last learned from, and what answers it: chats that were read before this was
switched on stay here. The session's own group and the workspace's get it, never the person's.
"""

from __future__ import annotations

from collections.abc import Sequence

from memsuggest.core.context import Context
from memsuggest.core.git import git_text
from memsuggest.core.identity import session_hash
from memsuggest.core.model import Role, Transcript, Trust, Turn
from memsuggest.graphiti.episodes import name_of, ownership_name, ownership_text, said_in, turns_to_tell
from memsuggest.graphiti.outbox import Outgoing
from memsuggest.graphiti.permission import endpoint, groups_of, is_on, is_permitted, mask_of, outbox_at
from memsuggest.graphiti.profile_tables import SESSION, WORKSPACE, session_group
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
    is_wanted = is_on(context, "ingest") or is_on(context, "promotion")
    new = context.progress.new_turns(transcript, after=read.after) if is_wanted else set()
    if is_permitted(context, "ingest"):
        outbox = outbox_at(context, endpoint(context))
        session = session_hash(transcript.session_id)
        typed = [name_of(session, turn.number, Role.USER) for turn in transcript.turns if turn.typed.strip()]
        is_open = is_under_way(found.place, found.format)
        turns = list(turns_to_tell(transcript, new=new, sent=outbox.known(typed), is_under_way=is_open))
        known = outbox.known([name for name, _ in turns])
        fresh = [(name, turn) for name, turn in turns if name not in known]
        if fresh:
            outbox.put(_messages(context, transcript, fresh, at=found.mtime_ns // 1_000_000), now=context.now())
    if new and is_permitted(context, "promotion"):
        promote_directives(context, transcript, new)


def _messages(
    context: Context, transcript: Transcript, turns: Sequence[tuple[str, Turn]], *, at: int
) -> list[Outgoing]:
    """Return the messages of turns, for the chat's group and the workspace's, and if asked whose these groups are.

    `at` is for turns without a time; none was said later than now, or the server would not list it.
    """
    groups, mask, now = groups_of(context), mask_of(context), context.now()
    by_scope = {SESSION: session_group(transcript.session_id), WORKSPACE: groups.workspace}
    session = session_hash(transcript.session_id)
    commit = git_text(context.root, "log", "-1", "--format=%s", "HEAD").strip()
    messages: list[Outgoing] = []
    for name, turn in turns:
        is_persons = turn.role is Role.USER
        content = mask.text(said_in(turn))
        about = {"branch": turn.branch, "commit": commit}  # never the folder
        source = "; ".join([f"memsuggest from {transcript.format}", *(f"{k} {v}" for k, v in about.items() if v)])
        messages += [
            Outgoing(
                group_id=group,
                name=name,
                role_type="user" if is_persons else "assistant",
                role=groups.person if is_persons else transcript.format,
                content=content,
                at=min(round(turn.at.timestamp() * 1000) if turn.at else at, now),
                source=mask.line(source),
                session=session,
            )
            for group in (by_scope.values() if content.strip() else ())
        ]
    if not messages or not is_on(context, "ownership"):
        return messages
    branch = next((turn.branch for _, turn in turns if turn.branch), "") or ""
    project = mask.line(context.root.name)
    owned = [
        Outgoing(
            group_id=group,
            name=ownership_name(groups.person),
            role_type="system",
            role="memsuggest",
            content=ownership_text(scope=scope, person=groups.person, project=project, branch=mask.line(branch)),
            at=min(message.at for message in messages),
            session=session if scope == SESSION else "",
        )
        for scope, group in by_scope.items()
    ]
    return [*owned, *messages]  # the outbox takes each in once
