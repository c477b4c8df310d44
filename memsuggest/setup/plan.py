"""The plan of a setup: the assistants that are here, and for each the hooks, the server, the bridge and the engine.

The edits are those of `hooks install`, `mcp install`, a bridge and `consent grant`; no second code makes them.
"""

from __future__ import annotations

import posixpath
import shutil
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

from memsuggest.assistants import install_hooks, mcp_edits
from memsuggest.assistants.install_hooks import At
from memsuggest.core.context import Context
from memsuggest.core.errors import ConfigError, MemsuggestError
from memsuggest.core.git import run_git
from memsuggest.core.json_shape import Hidden
from memsuggest.core.model import Edit
from memsuggest.core.render.page import FAINT, GOOD, HEAD, ID, PATH, WARN, Page, count
from memsuggest.core.render.safe_output import one_line
from memsuggest.files.journal import SETUP, About
from memsuggest.judging.engine_choice import chosen_engine
from memsuggest.judging.engine_offers import Offer, accept, is_engine_open, new_chats, offers
from memsuggest.suggestions.bridges import bridge, is_taken_in
from memsuggest.suggestions.ranking.hosts import Host, readers_of
from memsuggest.suggestions.target_paths import GIT_EXCLUDES, HOME, HOST, current_text
from memsuggest.suggestions.writing import FileChange, carry_out, settle
from memsuggest.transcripts.discovery.places import user_data
from memsuggest.transcripts.find_transcripts import find, surroundings

HOOKS, MCP, BRIDGE, ENGINE = "hooks", "mcp", "bridge", "engine"
OFFERED, THERE, BROKEN = "offered", "there", "broken"
KEYS = "123456789abcefghijklmnoprstuvwxz"  # each switches a part on and off; `d`, `q` and `y` do something else
_OURS_PERHAPS = {"hooks", "instructions", "skills", "copilot-instructions.md", "mcp-config.json"}
"""Names in an assistant's folder that `setup`, `hooks` or an applied rule may have made."""
_MAIN = ("AGENTS.md", "CLAUDE.md", ".github/copilot-instructions.md")
"""Files of rules for everything; the first that is there is the one that all assistants should read."""


@dataclass(frozen=True, slots=True)
class Assistant:
    """An assistant, the signs that it is used here, and the names under which others know it."""

    title: str
    program: str
    folder: str  # below the home
    chats: str  # how the names of its transcripts' formats begin
    variable: str = ""  # names another folder
    hooks: tuple[str, At] | None = None
    mcp: str = ""
    host: Host | None = None


ASSISTANTS: Mapping[str, Assistant] = {
    "claude-code": Assistant(
        *("Claude Code", "claude", ".claude", "claude"),
        variable="CLAUDE_CONFIG_DIR",
        hooks=("claude-code", At.LOCAL),
        mcp="claude-code",
        host=Host.CLAUDE,
    ),
    "codex": Assistant("Codex", "codex", ".codex", "codex", variable="CODEX_HOME", mcp="codex", host=Host.CODEX),
    "copilot-cli": Assistant(
        *("Copilot CLI", "copilot", ".copilot", "copilot"),
        variable="COPILOT_HOME",
        hooks=("vscode", At.USER),  # one file serves both
        mcp="copilot-cli",
    ),
    "vscode": Assistant("VS Code", "code", "", "vscode", hooks=("vscode", At.USER), mcp="vscode"),
    "gemini": Assistant("Gemini CLI", "gemini", ".gemini", "gemini", host=Host.GEMINI),
    "cursor": Assistant("Cursor", "cursor", ".cursor", "cursor", mcp="cursor", host=Host.CURSOR),
}
"""By the names that `--for` takes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """An assistant that is used here."""

    JSON_NAME = "FoundAssistant"
    name: str
    title: str
    chats: Annotated[int, "The number of chats about this repo."]


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A part of the setup that can be selected."""

    JSON_NAME = "SetupPart"
    kind: Annotated[str, "`hooks`, `mcp`, `bridge` or `engine`."]
    assistants: Annotated[tuple[str, ...], "The names of the assistants concerned."]
    what: str
    state: Annotated[str, "`offered`, `there` (installed) or `broken` (a file must be fixed first)."]
    paths: Annotated[tuple[str, ...], "Files to be written."] = ()
    why: Annotated[str, "The problem, or, for an engine, who receives its requests and what it costs."] = ""
    chosen: Annotated[bool, "Whether the part is selected."] = False
    edits: Hidden[tuple[Edit, ...]] = ()
    offer: Hidden[Offer | None] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SetUp:
    """The assistants that a setup found, and the parts that it wrote or would write."""

    root: Annotated[str, "The repo."]
    assistants: tuple[Found, ...]
    parts: tuple[Part, ...]
    written: Annotated[bool, "Whether the selected parts were written."] = False

    def show(self, page: Page) -> None:
        chats = {
            found.title: f" ({count(found.chats, 'chat', 'chats')} here)" for found in self.assistants if found.chats
        }
        names = [found.title + chats.get(found.title, "") for found in self.assistants]
        page.line(("Setup", HEAD), (f" · {self.root}", FAINT))
        page.line("  ", f"found: {', '.join(names)}" if names else "no supported assistant found", hang=9)
        keys = iter(KEYS)
        for part in self.parts:
            page.line()
            key = next(keys, " ") if part.state == OFFERED else " "
            if part.state == OFFERED and not self.written:
                page.line(" ", (key, ID), " ", "[x]   " if part.chosen else "[ ]   ", f" {part.what}", hang=10)
            else:
                done = ("wrote", GOOD) if part.chosen else ("skipped", FAINT)
                broken = ("off", FAINT) if part.kind == ENGINE else ("error", WARN)
                label, style = {THERE: ("on", GOOD), BROKEN: broken}.get(part.state, done)
                page.line("  ", (f"{label:<8}", style), part.what, hang=10)
            for path in part.paths if part.state != THERE else ():
                is_own = path.startswith(HOME) or path.endswith((".local.json", GIT_EXCLUDES))
                is_new = any(edit.before is None and edit.path.endswith(path) for edit in part.edits)
                about = f" ({'new file, ' if is_new else ''}{'yours only' if is_own else 'shared with the team'})"
                page.line(" " * 10, "→ ", (one_line(path), PATH), (about, FAINT))
            if part.why:
                page.faint(" " * 10 + part.why, hang=10)
        if not self.parts:
            page.faint(f"  `memsuggest setup --for NAME` sets up an assistant anyway: {', '.join(ASSISTANTS)}", hang=2)
        if self.written:
            page.line()
            page.line("next, run `memsuggest reconcile`; to revert the setup, run `memsuggest undo`")

    @property
    def offered(self) -> list[Part]:
        return [part for part in self.parts if part.state == OFFERED]

    @property
    def edits(self) -> list[Edit]:
        return [edit for part in self.offered if part.chosen for edit in part.edits]

    def switched(self, part: Part) -> SetUp:
        """Return the same with one part switched on or off; of the engines, one alone is on."""
        is_on = not part.chosen
        changed = {other.what: False for other in self.parts if is_on and part.kind == other.kind == ENGINE}
        changed[part.what] = is_on
        parts = (replace(other, chosen=changed.get(other.what, other.chosen)) for other in self.parts)
        return replace(self, parts=tuple(parts))


def plan_setup(
    context: Context, names: Sequence[str], wanted: Mapping[str, bool | None], *, engine: str | None, has_engines: bool
) -> SetUp:
    """Look at everything, and plan what could be written; nothing is.

    `wanted` says of kinds of parts whether they are chosen to begin with; None for as usual.
    """
    if unknown := [name for name in names if name not in ASSISTANTS]:
        raise ConfigError(f"unknown assistant `{unknown[0]}`", hint=f"choose one of: {', '.join(ASSISTANTS)}")
    found = _find_assistants(context, names)
    parts = [*_hooks(context, found), *_servers(context, found), *_bridges(context, found)]
    for place, part in enumerate(parts):
        is_chosen = wanted.get(part.kind)
        if part.state == OFFERED and is_chosen is not None:
            parts[place] = replace(part, chosen=is_chosen)
    if has_engines or engine:
        parts += _engines(context, engine)
    return SetUp(root=str(context.root), assistants=tuple(found), parts=tuple(parts))


def _find_assistants(context: Context, named: Collection[str]) -> list[Found]:
    """Return the assistants that are installed or left chats about this repo; those that are named, in any case."""
    environ, home = context.machine.environ, context.folders.home

    def is_here(assistant: Assistant) -> bool:
        if shutil.which(assistant.program, path=environ.get("PATH", "")):
            return True
        if not assistant.folder:
            return any(path.is_dir() for path in user_data(surroundings(context)) if "ursor" not in str(path))
        folder = Path(environ.get(assistant.variable) or home / assistant.folder)
        return folder.is_dir() and any(path.name not in _OURS_PERHAPS for path in folder.iterdir())

    formats = [transcript.format for transcript in find(context, ()).transcripts]
    found = []
    for name, assistant in ASSISTANTS.items():
        chats = sum(form.startswith(assistant.chats) for form in formats)
        if name in named if named else chats or is_here(assistant):
            found.append(Found(name=name, title=assistant.title, chats=chats))
    return found


def _hooks(context: Context, found: Sequence[Found]) -> Iterator[Part]:
    by_place: dict[tuple[str, At], list[str]] = {}
    for user in found:
        if hooks := ASSISTANTS[user.name].hooks:
            by_place.setdefault(hooks, []).append(user.title)
    installed = set(install_hooks.files_with_hooks(context)) if by_place else set()
    for (name, at), titles in by_place.items():
        users, host = " and ".join(titles), install_hooks.host_of(name)
        what = f"hooks for {users}: learn after each turn, and list pending suggestions when a chat starts"
        if not installed.isdisjoint({host.project, host.local, HOME + host.user}):
            yield _part(HOOKS, titles, what)
            continue
        edit = partial(install_hooks.plan, context, name, at=at, is_removal=False)
        part = _planned(HOOKS, titles, what, edit, chosen=True)
        yield _kept_from_git(context, part) if at is At.LOCAL and part.state == OFFERED else part


def _kept_from_git(context: Context, part: Part) -> Part:
    """Let git ignore a personal file that it would list as untracked, for this clone alone."""
    path, git = part.paths[0], context.root / ".git"
    if not git.exists() or run_git(context.root, "check-ignore", "--quiet", "--", path) is not None:
        return part
    is_tracked = run_git(context.root, "ls-files", "--error-unmatch", "--", path) is not None
    if is_tracked or not git.is_dir():  # in a worktree, the list belongs to all of them
        why = "git does not ignore this file: add it to .git/info/exclude, or do not commit it"
        return replace(part, why=why)
    before = current_text(context, HOST + GIT_EXCLUDES)
    end = "" if not before or before.endswith("\n") else "\n"
    edit = Edit(path=HOST + GIT_EXCLUDES, before=before, after=f"{before or ''}{end}{path}\n")
    return replace(part, paths=(*part.paths, GIT_EXCLUDES), edits=(*part.edits, edit))


def _servers(context: Context, found: Sequence[Found]) -> Iterator[Part]:
    for user in (user for user in found if ASSISTANTS[user.name].mcp):
        name = ASSISTANTS[user.name].mcp
        what = f"mcp for {user.title}: search your memory, and save what you ask the assistant to remember"
        if mcp_edits.is_installed(context, name):
            yield _part(MCP, [user.title], what)
        elif find_spec("mcp") is None:
            why = "this part of the setup needs the `mcp` extra; run `pip install '.[mcp]'` in your memsuggest clone"
            yield Part(kind=MCP, assistants=(user.title,), what=what, state=BROKEN, why=why)
        else:
            edit = partial(mcp_edits.plan, context, name, is_user=True, is_removal=False)
            yield _planned(MCP, [user.title], what, edit, chosen=False)


def _bridges(context: Context, found: Sequence[Found]) -> Iterator[Part]:
    """Plan that each assistant reads the repo's main file of rules, and Claude Code what is for certain files."""
    uris = [target.uri for target in context.targets.targets if not target.uri.startswith(HOME)]
    main = next((uri for uri in _MAIN if uri in uris), "")
    narrow = sorted(uri for uri in uris if uri.endswith(".instructions.md") and uri.startswith(".github/"))
    by_edits: dict[tuple[Edit, ...], list[Found]] = {}
    for user in found:
        host = ASSISTANTS[user.name].host
        if host is None:
            continue
        wanted = [*([main] if main else []), *(narrow if host is Host.CLAUDE else ())]
        if edits := _bridges_of(context, host, wanted):
            by_edits.setdefault(edits, []).append(user)
        elif main and host not in readers_of(main):
            yield _part(BRIDGE, [user.title], f"bridge that lets {user.title} read {main}")
    for edits, users in by_edits.items():
        leads = [(edit.after or "", posixpath.dirname(edit.path) or ".") for edit in edits]
        read = [uri for uri in (main, *narrow) if any(posixpath.relpath(uri, at) in text for text, at in leads)]
        titles = [user.title for user in users]
        what = f"bridge that lets {' and '.join(titles)} read {', '.join(read)}, as other assistants do"
        yield _part(BRIDGE, titles, what, edits, chosen=any(user.chats for user in users))


def _bridges_of(context: Context, host: Host, uris: Sequence[str]) -> tuple[Edit, ...]:
    made: dict[str, Edit] = {}

    def text_of(name: str) -> str | None:
        return made[name].after if name in made else current_text(context, name)

    for uri in uris:
        if not is_taken_in(context, host, uri) and (suggestion := bridge(host, uri, text_of)):
            edit = suggestion.edit
            made[edit.path] = replace(edit, before=made.get(edit.path, edit).before)
    return tuple(made.values())


def _engines(context: Context, wanted: str | None) -> Iterator[Part]:
    """Plan who may judge; not where the person said so before."""
    if not wanted and not is_engine_open(context):
        yield _part(ENGINE, (), f"engine: {chosen_engine(context)} evaluates your chats about this repo")
        return
    found = offers(context, chats=new_chats(context, (), is_again=True))
    if not found and not wanted:
        what = "engine: no model is available, so only clearly stated rules are suggested"
        why = "run `memsuggest doctor` to see available engines"
        yield Part(kind=ENGINE, assistants=(), what=what, state=BROKEN, why=why)
    for offer in found:
        what = f"engine: {offer.name}, {offer.state}, decides which sentences are rules and where the rules belong"
        why, is_chosen = f"{offer.who}; {offer.costs}", offer.receiver.engine == wanted
        yield Part(kind=ENGINE, assistants=(), what=what, why=why, state=OFFERED, chosen=is_chosen, offer=offer)


def _planned(kind: str, titles: Sequence[str], what: str, plan: Callable[[], Edit], *, chosen: bool) -> Part:
    try:
        return _part(kind, titles, what, [plan()], chosen=chosen)
    except MemsuggestError as error:
        why = f"{error.message}{f'; {error.hint}' if error.hint else ''}"
        return Part(kind=kind, assistants=tuple(titles), what=what, state=BROKEN, why=why)


def _part(kind: str, titles: Sequence[str], what: str, edits: Sequence[Edit] = (), *, chosen: bool = False) -> Part:
    changed = tuple(edit for edit in edits if edit.before != edit.after)
    return Part(
        kind=kind,
        assistants=tuple(titles),
        what=what,
        state=OFFERED if changed else THERE,
        paths=tuple(edit.path.removeprefix(HOST) for edit in changed),
        chosen=chosen and bool(changed),
        edits=changed,
    )


def carry_setup(context: Context, plan: SetUp) -> SetUp:
    """Write what is chosen, all or nothing, as one decision that one `undo` takes back."""
    chosen = [part for part in plan.offered if part.chosen]
    if not chosen:
        return plan
    engines = [part.offer for part in chosen if part.offer]
    about = [About(id=f"{part.kind} {' '.join(part.paths)}", content=part.kind) for part in chosen if not part.offer]
    about += [About(id=f"{ENGINE} {offer.receiver.engine}", content=f"engine {offer.name}") for offer in engines]
    change = FileChange(edits=tuple(plan.edits), verb=SETUP, about=tuple(about))
    with context.exclusive():
        settle(context)
        carry_out(context, change)
    for offer in engines:
        accept(context, offer)
    return replace(plan, written=True)
