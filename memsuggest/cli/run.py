"""One run of a command: the options that work everywhere, the context it works at, and the one boundary for errors."""

from __future__ import annotations

import functools
import inspect
import os
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from memsuggest.cli.global_options import FORMATS, FormatOption, OfflineOption, QuietOption, RepoOption, format_option
from memsuggest.cli.help_pages import HelpCommand, HelpGroup
from memsuggest.core.errors import FileError, MemsuggestError
from memsuggest.core.workspace import current_folder, this_machine

if TYPE_CHECKING:
    from memsuggest.core.context import Context
    from memsuggest.core.plain_reports import Text
    from memsuggest.core.render import Report


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """The options that work with every command."""

    repo: Path | None = None
    format: str | None = None
    offline: bool = False
    quiet: bool = False
    opened: ExitStack = field(default_factory=ExitStack)
    """Stores and files to close when the command ends."""

    def context(self, *, is_lenient: bool = False, **flags: object) -> Context:
        """Open what workflows work with; `flags` are settings given on the command line.

        With `is_lenient`, a setting that is not allowed is told later, and its default holds.
        """
        from memsuggest.core.context import open_context

        given = {name: value for name, value in flags.items() if value is not None}
        if self.offline:
            given["engine"] = "offline"
        context = open_context(
            start=self.repo or current_folder(),
            given=self.repo is not None,
            machine=this_machine(),
            flags=given,
            is_lenient=is_lenient,
            is_offline=self.offline,
        )
        self.opened.callback(context.close)
        return context

    def look(self, *, with_state: bool = True) -> Context:
        """Open the same for looking alone: where nothing can be written, what is there is read all the same.

        Without state, for what needs to know facts and nothing that waits.
        """
        from memsuggest.core.errors import StoreError

        context = self.context()
        try:
            _ = context.profile, with_state and context.state
        except StoreError:
            context = context.dry()
            _ = context.profile, with_state and context.state
        return context

    def emit(self, report: Report) -> None:
        from memsuggest.core.render import emit

        with printing():
            emit(report, format=self.format or "text", quiet=self.quiet)

    def emit_nothing(self, report: Text) -> None:
        """Say that nothing was done: as talk; for `--format json` as a report, which is never missing."""
        if self.format == "json":
            self.emit(report)
        else:
            self.say(report.text)

    def print(self, text: str) -> None:
        with printing():
            typer.echo(text, nl=False)

    def say(self, message: str) -> None:
        """Print one line of talk on stderr, unless `--quiet`."""
        if not self.quiet:
            from memsuggest.core.render.safe_output import safe

            typer.echo(safe(message), err=True)


@contextmanager
def printing() -> Iterator[None]:
    """Raise FileError when stdout takes no more; a reader that went away has only seen enough."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        _let_go_of_stdout()
        raise FileError(
            f"cannot write to stdout: {error.strerror}", hint="the command itself succeeded; write its output elsewhere"
        ) from None


def _let_go_of_stdout() -> None:
    with suppress(OSError, ValueError):  # a stream without a descriptor
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


_SHARED = {"repo": RepoOption, "format": FormatOption, "offline": OfflineOption, "quiet": QuietOption}


class Commands:
    """Commands of a module: at the top, or in a group; the application takes them when it loads the module."""

    def __init__(self, group: str | None = None, help: str | None = None, *, within: Commands | None = None) -> None:
        self.typer = typer.Typer(cls=HelpGroup, name=group, help=help, no_args_is_help=help is not None)
        self.within = within
        if within:
            within.typer.add_typer(self.typer)

    def __call__(
        self, name: str = "", *, formats: tuple[str, ...] = FORMATS, hidden: bool = False
    ) -> Callable[[Callable[..., int | None]], Callable[..., int | None]]:
        """Make a function that takes a `Run` first into a command with the options that work everywhere.

        The function returns its exit code, or None for 0. Without a name it is what a group does by itself.
        """

        def decorate(function: Callable[..., int | None]) -> Callable[..., int | None]:
            command, text = _as_command(function, formats), in_paragraphs(inspect.getdoc(function) or "")
            if name:
                self.typer.command(name, cls=HelpCommand, help=text, hidden=hidden)(command)
            else:
                self.typer.callback(invoke_without_command=True, help=text)(command)
            return function

        return decorate


def _as_command(function: Callable[..., int | None], formats: tuple[str, ...]) -> Callable[..., None]:
    """Return a command that takes what a function does behind the `Run`, and the options that work everywhere."""
    own = inspect.signature(function, eval_str=True)

    @functools.wraps(function)
    def command(ctx: typer.Context, **given: Any) -> None:
        shared = {option: given.pop(option) for option in _SHARED}
        run = replace(ctx.obj if isinstance(ctx.obj, Run) else Run(), **{name: it for name, it in shared.items() if it})
        if run.format == "text" and "text" not in formats:  # every command takes it, and prints its own kind of text
            run = replace(run, format=None)
        if run.format is not None and run.format not in formats:
            raise typer.BadParameter(f"`{run.format}` is not one of: {', '.join(formats)}", param_hint="--format")
        if ctx.invoked_subcommand is not None:
            ctx.obj = run
            return
        with run.opened:
            code = guarded(lambda: function(run, **given))
        raise typer.Exit(code)

    behind = inspect.Parameter.KEYWORD_ONLY
    parameters = [inspect.Parameter("ctx", inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=typer.Context)]
    parameters += [parameter.replace(kind=behind) for parameter in list(own.parameters.values())[1:]]
    for option, annotation in {**_SHARED, "format": format_option(formats)}.items():
        default = False if option in {"offline", "quiet"} else None
        parameters.append(inspect.Parameter(option, behind, default=default, annotation=annotation))
    command.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    command.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    del command.__wrapped__
    return command


def in_paragraphs(text: str) -> str:
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in text.split("\n\n"))


def tell(error: MemsuggestError) -> None:
    """Print what went wrong and what to do next, a line each."""
    from memsuggest.core.render.safe_output import one_line

    typer.echo(_broken(f"error: {one_line(error.message)}"), err=True)
    if error.hint:
        typer.echo(f"\n{_broken(f'hint: {one_line(error.hint)}')}", err=True)


def _broken(line: str) -> str:
    """Return a line broken between words where a terminal would break it anywhere; elsewhere it stays one."""
    if not sys.stderr.isatty():
        return line
    from textwrap import fill

    columns = max(20, shutil.get_terminal_size().columns)
    named = getattr(sys.stderr, "named", str)  # hints name the command as it was called
    return fill(named(line), columns, break_long_words=False, break_on_hyphens=False, subsequent_indent="  ")


def guarded(work: Callable[[], int | None]) -> int:
    """Do the work; turn an expected failure into a message and exit code 1, an interruption into 130."""
    try:
        return work() or 0
    except MemsuggestError as error:
        tell(error)
        return 1
    except (KeyboardInterrupt, typer.Abort):  # Ctrl-C, or the end of input where an answer was asked for
        typer.echo("interrupted", err=True)
        return 130
    except BrokenPipeError:
        _let_go_of_stdout()
        return 0
