"""The seam to an assistant's program: what a module has to say about one, and what a run of it is made of."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from memsuggest.asking.model_reply import Reply
    from memsuggest.engines.question_text import Asked
    from memsuggest.engines.running import Done


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgramCall:
    """One run of a program: its arguments, never a shell's line, and what it reads."""

    arguments: tuple[str, ...]
    stdin: str
    files: Mapping[str, str] = field(default_factory=dict)
    """Texts by the names of the files that the arguments tell of."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgramTrial:
    """A trial in the place of a question: it goes to a listener of ours, without the person's account."""

    arguments: tuple[str, ...]
    """Stand before the last argument of the question."""
    environ: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipient:
    """The one who gets what a program is asked, as far as the program obeys what is set on this machine."""

    who: str
    through: str = ""
    """What sends it there instead of to the program's own service; consent is bound to it, too."""


class Program(Protocol):
    """Knows one program; modules implement it."""

    NAME: str
    """What it is called on the command line, and as an engine."""
    INSTALL: str
    """How a person gets it."""
    SIGN_IN: str
    """How a person signs in."""
    HELP: tuple[str, ...]
    """Arguments with which it prints its flags."""
    FLAGS: tuple[str, ...]
    """Flags that a run needs; a program that lacks one is not used."""
    CATALOG: tuple[str, ...]
    """Arguments with which it prints, without a request, what `call` has to know of it; empty where that is nothing."""
    UNSET: tuple[str, ...]
    """Environment variables that a run must not inherit; `*` at the end stands for anything."""
    ENVIRON: Mapping[str, str]
    """Environment variables that a run gets beside the person's own."""

    def call(self, asked: Asked, *, model: str, files: Path, catalog: str = "") -> ProgramCall:
        """Return the run that asks a question; `files` is the folder in which its files will lie."""
        ...

    def read(self, done: Done, *, files: Path) -> Reply:
        """Return the answer of a run that ended; raises ModelError."""
        ...

    def recipient(self, *, environ: Mapping[str, str], home: Path) -> Recipient:
        """Tell who gets what it is asked; raises ConfigError for an address that may get nothing."""
        ...

    def trial(self, url: str, *, home: Path) -> ProgramTrial | None:
        """Return what sends one question to a listener of ours at `url`, to see that it holds no tools.

        None for a program whose flags alone are proof enough.
        """
        ...

    def is_signed_in(self, *, environ: Mapping[str, str], home: Path) -> bool | None:
        """Tell without a request whether a person is signed in; None where that cannot be told."""
        ...
