"""The engine that asks a model: in which order it asks, looks at what was said, and keeps what was paid for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from judging.by_model.test_packets import session

from memsuggest.core.database import open_database
from memsuggest.core.model import Transcript
from memsuggest.judging.asking import answers
from memsuggest.judging.asking.answers import Answers, Kept
from memsuggest.judging.asking.ask_model import Asks, Found
from memsuggest.judging.asking.question import Question
from memsuggest.judging.assistant_documents import Written
from memsuggest.judging.by_model.engine import HaikuEngine


class _Model(Asks):
    """A model that has nothing to say, asked about several sessions at once."""

    def __init__(self, kept: Answers, log: list[str]) -> None:
        super().__init__(kept=kept)
        self.log = log

    def may_join(self, _question: Question) -> bool:
        return True

    def ask_together(
        self, question: Question, read: Callable[[str], Found], *, keep: Callable[[Found, str], Iterable[Kept]]
    ) -> Found:
        self.log.append("asked")
        text = '{"facts": [], "injections": []}'
        found = read(text)
        self.kept.keep(*keep(found, text), judge="haiku", now=1)
        self.log.append("kept")
        return found


def test_nothing_is_looked_up_between_an_answer_and_its_keeping(tmp_path: Path) -> None:
    """What is paid for must not be lost because a document cannot be read."""
    log: list[str] = []

    def written(transcript: Transcript) -> Sequence[Written]:
        log.append(transcript.session_id)
        return ()

    kept = Answers(open_database(tmp_path / "answers.db", answers.MIGRATIONS))
    engine = HaikuEngine(asks=_Model(kept, log), read_written=written)
    assert engine.ask_together([session("a", "use pnpm"), session("b", "tabs")], []) == {}
    assert log[-2:] == ["asked", "kept"]
