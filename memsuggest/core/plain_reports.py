"""Plain answers, settings, and lines said in a conversation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, NotRequired, TypeAlias, TypedDict

from memsuggest.core.config import SETTINGS, Value
from memsuggest.core.json_shape import Key
from memsuggest.core.model import Skipped
from memsuggest.core.render.page import FAINT, WARN, Page


class SettingJson(TypedDict):
    """A setting and its value."""

    name: str
    value: Annotated[Any, "A text, a number, true or false, or a list of texts, as the setting is."]
    source: Annotated[str, "Where the value came from."]


class SettingSetJson(TypedDict):
    """A setting and its new value."""

    name: str
    value: Annotated[Any, "A text, a number, true or false, or a list of texts, as the setting is."]
    path: Annotated[str, "The file in which it stands now."]


class SettingUnsetJson(TypedDict):
    """A setting that was taken out."""

    name: str
    changed: Annotated[bool, "Whether it stood there."]
    path: Annotated[str, "The file in which it stands no longer."]


class BadgeFileJson(TypedDict):
    """The place of the badge: the answer to `--badge-file`."""

    badgeFile: Annotated[str, "The path of a file that always has the badge."]


class TidiedJson(TypedDict):
    """The answer of bringing the shared facts.json into order."""

    changed: Annotated[bool, "Whether it was in another order or form before."]


class MergedJson(TypedDict):
    """The merge of two versions of facts.json."""

    did: Annotated[str, "`merged` or `resolved and staged`."]
    facts: Annotated[int, "How many there are now."]
    parted: Annotated[list[list[str]], "Pairs of ids: both sides reworded the first; the other wording is the second."]
    contested: Annotated[list[str], "Ids of facts that one side forgot and the other reworded; they stay."]


class MendedJson(TypedDict):
    """Repairs of a facts.json that is in no conflict."""

    did: Annotated[str, "`mended`."]
    facts: Annotated[int, "How many there are now."]
    mended: Annotated[list[str], "What was mended, a line each."]


class DriverInstalledJson(TypedDict):
    """The way in which git merges facts.json in this clone now."""

    installed: Annotated[bool, "True: with memsuggest."]
    driver: Annotated[str, "The command that git runs."]
    diff: Annotated[str, "Of .gitattributes; empty where nothing had to change."]


class DriverUninstalledJson(TypedDict):
    """The way in which git merges facts.json in this clone now."""

    installed: Annotated[bool, "False: like any other file."]
    diff: Annotated[str, "Of .gitattributes; empty where nothing had to change."]


class TrustedJson(TypedDict):
    """A transcript of the repo that counts as the person's own."""

    path: str
    digest: Annotated[str, "SHA-256 of the file as it was trusted."]


class TrustJson(TypedDict):
    """The transcripts that are trusted, or with `--revoke` no longer."""

    transcripts: list[TrustedJson]


class HooksChangedJson(TypedDict):
    """Changes of an assistant's hooks."""

    path: Annotated[str, "The assistant's file."]
    changed: Annotated[bool, "False: there was nothing to change."]


class SkillChangedJson(TypedDict):
    """Changes by `--skill`."""

    paths: Annotated[list[str], "The files that were written or removed."]


class HooksShownJson(TypedDict):
    """In which files our entries and our skill stand."""

    files: Annotated[dict[str, int], "By file: 1 where they stand, 0 where not."]
    recall: Annotated[list[str], "The files whose hooks give memory to the assistant, too."]
    notRun: Annotated[list[str], "Settings with comments, of which Claude Code runs no hook."]


class GraphitiRetriedJson(TypedDict):
    """Messages that were sent again to the Graphiti server, and what became of promotions that are to be taken back."""

    sentAgain: Annotated[int, "Messages that the server had lost."]
    withoutText: Annotated[int, "Lost messages of which no text is kept."]
    notes: Annotated[list[str], "What there is to say, a line each."]


class ServersChangedJson(TypedDict):
    """Changes of an assistant's MCP servers."""

    path: Annotated[str, "The assistant's file."]
    changed: Annotated[bool, "False: there was nothing to change."]


class ServersShownJson(TypedDict):
    """In which files our MCP server stands."""

    files: Annotated[dict[str, int], "By file: 1 where it stands, 0 where not."]


class BesideJson(TypedDict):
    """The outcome for comments beside the lines, each with a block that can be committed."""

    posted: Annotated[int, "How many are new."]
    kept: Annotated[int, "How many stand as they stood."]
    updated: Annotated[int, "How many say something else now."]
    outdated: Annotated[int, "How many of ours were resolved or removed."]
    refused: Annotated[int, "How many GitHub did not take; the comment below has them."]
    below: Annotated[int, "How many there was no room for: 30 stand beside lines, the comment below has the rest."]


class PostedJson(TypedDict):
    """The outcome for the comment below the pull request: the answer to `--post`."""

    action: Annotated[str, "`created`, `updated`, `unchanged` or `none`."]
    url: Annotated[str | None, "Of the comment."]
    waiting: Annotated[int, "How many suggestions it tells of."]
    beside: BesideJson


class RequestJson(TypedDict):
    """A request that would be sent to GitHub."""

    method: str
    path: Annotated[str, "Below the address of the API."]
    body: Annotated[dict[str, Any] | None, "As JSON."]


class RequestsJson(TypedDict):
    """The requests that `--post --dry-run` would send."""

    requests: list[RequestJson]
    waiting: Annotated[int, "How many suggestions there are."]


class RedactionJson(TypedDict):
    """Something that was taken out."""

    kind: Annotated[str, "What it was."]
    start: Annotated[int, "Where it began in the text as it came in, in characters from 0."]
    end: int


class RedactedJson(TypedDict):
    """A text without secrets; with `--format jsonl` one a line, for each JSON string that comes in."""

    version: Annotated[NotRequired[int], "1; not with `--format jsonl`."]
    text: str
    found: list[RedactionJson]


class AdminServedJson(TypedDict):
    """The address of the admin API; printed once, before it begins."""

    url: str
    docs: Annotated[str, "A page that says what can be asked."]
    tokenPath: Annotated[str, "The file with the token, which only its owner can read."]
    token: Annotated[str | None, "The token itself, with `--show-token`."]


Answer: TypeAlias = (
    SettingJson
    | SettingSetJson
    | SettingUnsetJson
    | BadgeFileJson
    | TidiedJson
    | MergedJson
    | MendedJson
    | DriverInstalledJson
    | DriverUninstalledJson
    | TrustJson
    | HooksChangedJson
    | SkillChangedJson
    | HooksShownJson
    | GraphitiRetriedJson
    | ServersChangedJson
    | ServersShownJson
    | PostedJson
    | RequestsJson
    | AdminServedJson
)
"""Every plain answer there is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Talk:
    """Lines said to a person in a conversation, broken between words where the terminal is narrow."""

    rows: tuple[str, ...]

    def show(self, page: Page) -> None:
        """Print what is said, each line as far to the right as it begins."""
        for row in self.rows:
            page.line(row, hang=3)


class ValueJson(TypedDict):
    """A setting's value."""

    value: Annotated[Any, "A text, a number, true or false, or a list of texts, as the setting is."]
    source: Annotated[str, "Where the value came from."]


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingsShown:
    """Every setting."""

    JSON_NAME = "Settings"
    values: Annotated[Mapping[str, Annotated[Value, ValueJson]], "By the setting's name.", Key("settings")]
    ignored: Annotated[tuple[Skipped, ...], "What a repo brought that it may not set."] = ()

    def show(self, page: Page) -> None:
        """Print the settings and where they came from."""
        for name, value in self.values.items():
            shown = ", ".join(value.value) if isinstance(value.value, tuple) else str(value.value)
            shown = " ".join(filter(None, (shown, SETTINGS[name].unit)))
            page.line(f"{name:<20} {shown or '(none)':<18} ", (value.source, FAINT))
        for skip in self.ignored:
            page.line((f"ignored  {skip.what}: {skip.why}", WARN))


@dataclass(frozen=True, slots=True, kw_only=True)
class Text:
    """A plain answer."""

    text: str
    payload: Answer
    """The same for `--format json`."""

    def json_keys(self) -> Mapping[str, Any]:
        """Return the payload as it is."""
        return self.payload

    def show(self, page: Page) -> None:
        """Print a plain answer."""
        page.block(self.text)
