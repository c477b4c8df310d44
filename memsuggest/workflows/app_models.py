"""Asking a model about an app's memories: what to remember, and what makes room. Our own rules do it otherwise."""

from __future__ import annotations

from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from memsuggest.apps.app_table import Advice
from memsuggest.asking.consent_store import APPS
from memsuggest.config import OFFLINE
from memsuggest.errors import ConfigError, ConsentError, ModelError
from memsuggest.identity import hash_of
from memsuggest.workflows.engine_choice import NOBODY, chosen_engine, consents_of, grant_command, receiver_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from memsuggest.apps.app_memory import NewMemory
    from memsuggest.asking.ask_model import Asker
    from memsuggest.model import AppMemory, Transcript
    from memsuggest.reports.learning_reports import Request
    from memsuggest.workflows.context import Context
    from memsuggest.workflows.engine_choice import Hand

SECONDS = 30.0
"""For an answer; after that our own rules do it."""


class AppModel:
    """A model that may be asked about one conversation of an app."""

    def __init__(
        self,
        asker: Asker,
        *,
        app_id: str,
        token_usage: Mapping[str, int],
        may_be_told: Callable[[str], bool] = lambda _workspace: True,
    ) -> None:
        self._asker = asker
        self._app_id = app_id
        self._may_be_told = may_be_told
        """Whether it may be told what is remembered of a workspace."""
        self._token_usage = token_usage

    def content(self, transcript: Transcript) -> str:
        """Return what is worth remembering of a conversation; raises ModelError and ConsentError."""
        from memsuggest.apps.app_questions import memory_question, read_memory  # noqa: PLC0415  (loads slowly)
        from memsuggest.apps.memory_writing import content_of  # noqa: PLC0415  (as above)

        question = memory_question(transcript, app_id=self._app_id, token_usage=self._token_usage)
        reply = self._asker.ask(question, read_memory, family=family_of(self._app_id))
        return content_of(reply.sentences, transcript, check=why_not_stored)

    def advice(self, held: Sequence[AppMemory], new: NewMemory) -> Advice | None:
        """Return what makes room for a new memory, as the model says and our checks allow; its failure otherwise.

        None where it may not be told all of them: some are about workspaces for which nobody agreed to that.
        """
        from memsuggest.apps.app_questions import compaction_question, read_decision  # noqa: PLC0415  (as above)
        from memsuggest.apps.compaction import why_not  # noqa: PLC0415  (as above)

        shown = tuple(held)
        if not all(self._may_be_told(one.workspace) for one in shown if one.workspace):
            return None
        try:
            question = compaction_question(held, new, token_usage=self._token_usage)
            decision = self._asker.ask(question, read_decision, family=family_of(self._app_id))
        except (ModelError, ConsentError) as error:
            return Advice(shown=shown, failure=error.message)
        wrong = why_not(decision, held, new, check=why_not_merged)
        if wrong or why_not_stored(decision.reason, ()):
            return Advice(shown=shown, failure=f"the model's decision cannot be carried out: {wrong or 'its reason'}")
        return Advice(shown=shown, decision=decision)


@contextmanager
def app_model(
    context: Context, hand: Hand = NOBODY, *, app_id: str, transcript: Transcript
) -> Iterator[tuple[AppModel | None, str]]:
    """Give a model where one may be asked, else None and why not."""
    with ExitStack() as opened:
        try:
            model, why = _opened(context, hand, app_id, transcript, opened), ""
        except (ModelError, ConsentError, ConfigError) as error:
            model, why = None, error.message
        yield model, why


def _opened(context: Context, hand: Hand, app_id: str, transcript: Transcript, opened: ExitStack) -> AppModel | None:
    """Open the way to a model; None where none is to be asked. Raises ModelError, ConsentError and ConfigError."""
    engine = chosen_engine(context, hand)
    if engine == OFFLINE or context.is_dry:
        return None
    from memsuggest.workflows.model_access import asker_at  # noqa: PLC0415  (as above)

    asker = opened.enter_context(asker_at(context, hand, engine=engine, seconds=SECONDS))
    may_be_told = _agreed(context, engine, hand)
    if not may_be_told(context.place.key):
        raise ConsentError(
            "you agreed to a model before it could be asked about what apps remember",
            hint=f"`{grant_command(engine)}` shows what would be sent, and asks",
        )
    token_usage = _token_usage(transcript, engine)
    return AppModel(asker, app_id=app_id, token_usage=token_usage, may_be_told=may_be_told)


def planned_requests(context: Context, hand: Hand, *, app_id: str, transcript: Transcript) -> tuple[Request, ...]:
    """Return what a model would be asked about a conversation; nothing where none is to be asked."""
    engine = chosen_engine(context, hand)
    if engine == OFFLINE:
        return ()
    from memsuggest.apps.app_questions import memory_question  # noqa: PLC0415  (as above)
    from memsuggest.workflows.model_access import as_request  # noqa: PLC0415  (as above)

    question = memory_question(transcript, app_id=app_id, token_usage=_token_usage(transcript, engine))
    return (as_request(context, question, engine=engine),)


def _agreed(context: Context, engine: str, hand: Hand) -> Callable[[str], bool]:
    """Return what tells of which workspaces an engine may be told what apps remember."""
    from memsuggest.engines.receiver import LOCAL  # noqa: PLC0415  (as above)

    if engine == LOCAL:
        return lambda _workspace: True
    consents, address = consents_of(context), receiver_of(context, engine).address
    return lambda workspace: (
        (hand.is_agreed and workspace == context.place.key)
        or consents.has(workspace=workspace, endpoint=address, terms=APPS)
    )


def _token_usage(transcript: Transcript, engine: str) -> Mapping[str, int]:
    """Return what the assistant itself used in a conversation, where its transcript says so."""
    from memsuggest.engines.receiver import LOCAL  # noqa: PLC0415  (as above)
    from memsuggest.transcripts.token_usage import token_usage  # noqa: PLC0415  (as above)

    used = None if engine == LOCAL else token_usage(Path(transcript.origin), transcript.format)
    return {} if used is None else {hash_of("session", transcript.session_id): used}


def family_of(app_id: str) -> str:
    """Return the name under which a model's answers about an app are kept."""
    return hash_of("app", app_id)


def why_not_stored(content: str, sources: Sequence[str]) -> str:
    """Say why words may not be stored as a memory, given what they come from; nothing when they may."""
    from memsuggest.extraction.derive import derives_from_quotes  # noqa: PLC0415  (as above)

    if sources and not derives_from_quotes(content, sources):
        return "it has a number, name, path or command that nobody said"
    return why_unsafe(content)


def why_not_merged(content: str, sources: Sequence[str]) -> str:
    """Say why a wording may not stand for the memories that it merges; nothing when it may."""
    from memsuggest.apps.memory_writing import merged_is_of  # noqa: PLC0415  (as above)

    return why_not_stored(content, sources) or ("" if merged_is_of(content, sources) else "it says what neither says")


def why_unsafe(content: str) -> str:
    """Say why words may not be stored whoever wrote them: a secret, hidden characters, an order, a danger."""
    from memsuggest.extraction.safety import (  # noqa: PLC0415  (as above)
        commands_a_machine,
        disguised,
        refused,
        weakens_safety,
    )
    from memsuggest.redact import clean, redact  # noqa: PLC0415  (as above)

    if redact(clean(content)).text != content:
        return "it has a secret, personal data or characters that nobody sees"
    if commands_a_machine(content):
        return "it tells an assistant to drop its instructions"
    return refused(content) or disguised(content) or weakens_safety(content)


def forget_app_answers(state: Path, app_id: str) -> None:
    """Take what models answered about an app out of the answers that were kept, in every workspace."""
    from memsuggest.asking import answers  # noqa: PLC0415  (as above)
    from memsuggest.database import open_database  # noqa: PLC0415  (as above)

    for path in sorted((state / "workspaces").glob("*/answers.db")):
        connection = open_database(path, answers.MIGRATIONS)
        try:
            answers.Answers(connection).drop(family_of(app_id))
        finally:
            connection.close()
