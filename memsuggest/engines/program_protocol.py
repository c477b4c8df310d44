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


class Program(Protocol):
    """Knows one program; modules implement it."""

    NAME: str
    """What it is called on the command line, and as an engine."""
    MAKER: str
    """Whose service sees what it is asked."""
    INSTALL: str
    """How a person gets it."""
    SIGN_IN: str
    """How a person signs in."""
    HELP: tuple[str, ...]
    """Arguments with which it prints its flags."""
    FLAGS: tuple[str, ...]
    """Flags that a run needs; a program that lacks one is not used."""
    ELSEWHERE: tuple[str, ...]
    """Environment variables that send what it is asked to another service."""
    UNSET: tuple[str, ...]
    """Environment variables that a run must not inherit; `*` at the end stands for anything."""
    ENVIRON: Mapping[str, str]
    """Environment variables that a run gets beside the person's own."""

    def call(self, asked: Asked, *, model: str, files: Path) -> ProgramCall:
        """Return the run that asks a question; `files` is the folder in which its files will lie."""
        ...

    def read(self, done: Done, *, files: Path) -> Reply:
        """Return the answer of a run that ended; raises ModelError."""
        ...

    def is_signed_in(self, *, environ: Mapping[str, str], home: Path) -> bool | None:
        """Tell without a request whether a person is signed in; None where that cannot be told."""
        ...
