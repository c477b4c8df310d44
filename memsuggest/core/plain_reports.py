"""Plain answers, settings, and lines said in a conversation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, NotRequired, TypedDict

from memsuggest.core.config import SETTINGS, Value
from memsuggest.core.json_shape import Key
from memsuggest.core.model import Skipped
from memsuggest.core.render.page import FAINT, WARN, Page


class SettingJson(TypedDict):
    """A setting and its value."""

    name: str
    value: Annotated[Any, "A string, number, boolean or list of strings, depending on the setting."]
    source: Annotated[str, "Where the value comes from."]


class SettingSetJson(TypedDict):
    """A setting and its new value."""

    name: str
    value: Annotated[Any, "A string, number, boolean or list of strings, depending on the setting."]
    path: Annotated[str, "The file that now contains the setting."]


class SettingUnsetJson(TypedDict):
    """A setting that was removed."""

    name: str
    changed: Annotated[bool, "Whether the file contained the setting."]
    path: Annotated[str, "The file that no longer contains the setting."]


class BadgeFileJson(TypedDict):
    """The location of the badge, printed by `--badge-file`."""

    badgeFile: Annotated[str, "Path of a file that always contains the current badge."]


class TidiedJson(TypedDict):
    """The result of tidying the shared facts.json."""

    changed: Annotated[bool, "Whether the order or formatting changed."]


class MergedJson(TypedDict):
    """The merge of two versions of facts.json."""

    did: Annotated[str, "`merged` or `resolved and staged`."]
    facts: Annotated[int, "Number of facts in the file."]
    parted: Annotated[list[list[str]], "Pairs of IDs for the two versions of each fact that both sides reworded."]
    contested: Annotated[list[str], "IDs of kept facts that were forgotten on one side and reworded on the other."]


class MendedJson(TypedDict):
    """Repairs to a facts.json without merge conflicts."""

    did: Annotated[str, "`mended`."]
    facts: Annotated[int, "Number of facts in the file."]
    mended: Annotated[list[str], "The repairs, one per line."]


class MergeDriverJson(TypedDict):
    """The way git now merges facts.json in this clone."""

    installed: Annotated[bool, "Whether git uses memsuggest to merge facts.json."]
    driver: Annotated[NotRequired[str], "The command git runs to merge facts.json; missing after `uninstall`."]
    diff: Annotated[str, "Diff of .gitattributes; empty if nothing changed."]


class TrustedJson(TypedDict):
    """A transcript in the repo that is trusted as your own."""

    path: str
    digest: Annotated[str, "SHA-256 of the file when it was trusted."]


class TrustJson(TypedDict):
    """The transcripts that are now trusted, or with `--revoke`, no longer trusted."""

    transcripts: list[TrustedJson]


class HostFileChangedJson(TypedDict):
    """Changes to an assistant's hooks or MCP servers."""

    path: Annotated[str, "The assistant's settings file."]
    changed: Annotated[bool, "False if nothing had to change."]


class SkillChangedJson(TypedDict):
    """Changes made by `--skill`."""

    paths: Annotated[list[str], "The files written or removed."]


class HooksShownJson(TypedDict):
    """The files that contain memsuggest's hooks or skill."""

    files: Annotated[dict[str, int], "For each file: 1 if it contains memsuggest's hooks or skill, otherwise 0."]
    recall: Annotated[list[str], "The files whose hooks also provide memory to the assistant."]
    notRun: Annotated[list[str], "Settings files with comments; Claude Code ignores the hooks in such files."]


class GraphitiRetriedJson(TypedDict):
    """Messages that were resent to the Graphiti server, and the result of withdrawing promotions."""

    sentAgain: Annotated[int, "Number of resent messages that the server had lost."]
    withoutText: Annotated[int, "Number of lost messages whose text is no longer stored."]
    notes: Annotated[list[str], "Notes, one per line."]


class ServersShownJson(TypedDict):
    """The files that contain memsuggest's MCP server."""

    files: Annotated[dict[str, int], "For each file: 1 if it contains memsuggest's hooks or skill, otherwise 0."]


class BesideJson(TypedDict):
    """The review comments on individual lines, each with a suggestion that can be committed."""

    posted: Annotated[int, "Number of new comments."]
    kept: Annotated[int, "Number of unchanged comments."]
    updated: Annotated[int, "Number of updated comments."]
    outdated: Annotated[int, "Number of memsuggest's comments that were resolved or removed."]
    refused: Annotated[int, "Number of comments GitHub rejected; the summary comment includes these."]
    below: Annotated[int, "Number of comments beyond the limit of 30; the summary comment includes these."]


class PostedJson(TypedDict):
    """The result of `--post` for the summary comment on the pull request."""

    action: Annotated[str, "`created`, `updated`, `unchanged` or `none`."]
    url: Annotated[str | None, "URL of the comment."]
    waiting: Annotated[int, "Number of suggestions in the comment."]
    beside: BesideJson


class RequestJson(TypedDict):
    """A request that would be sent to GitHub."""

    method: str
    path: Annotated[str, "Path relative to the base URL of the GitHub API."]
    body: Annotated[dict[str, Any] | None, "Request body, as JSON."]


class RequestsJson(TypedDict):
    """The requests `--post` would send, printed by `--post --dry-run`."""

    requests: list[RequestJson]
    waiting: Annotated[int, "Number of suggestions."]


class RedactionJson(TypedDict):
    """A redacted passage."""

    kind: Annotated[str, "The kind of secret or personal data."]
    start: Annotated[int, "Start of the passage, as a character offset in the original text, starting at 0."]
    end: int


class RedactedJson(TypedDict):
    """The redacted text; with `--format jsonl`, one line for each JSON string in the input."""

    version: Annotated[NotRequired[int], "Always 1; missing with `--format jsonl`."]
    text: str
    found: list[RedactionJson]


class AdminServedJson(TypedDict):
    """The address of the admin API, printed once at startup."""

    url: str
    docs: Annotated[str, "URL of the admin API's documentation."]
    tokenPath: Annotated[str, "The path of the token file, which only you can read."]
    token: Annotated[str | None, "The token; null without `--show-token`."]


@dataclass(frozen=True, slots=True, kw_only=True)
class Talk:
    """Lines said to a person in a conversation, broken between words where the terminal is narrow."""

    rows: tuple[str, ...]

    def show(self, page: Page) -> None:
        for row in self.rows:
            page.line(row, hang=3)


class ValueJson(TypedDict):
    """A setting's value."""

    value: Annotated[Any, "A string, number, boolean or list of strings, depending on the setting."]
    source: Annotated[str, "Where the value comes from."]


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingsShown:
    """Every setting."""

    JSON_NAME = "Settings"
    values: Annotated[Mapping[str, Annotated[Value, ValueJson]], "Values, by setting name.", Key("settings")]
    ignored: Annotated[
        tuple[Skipped, ...], "Settings in the repo that were ignored because a repo cannot set them."
    ] = ()

    def show(self, page: Page) -> None:
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
    payload: Mapping[str, object]
    """The same for `--format json`."""

    def json_keys(self) -> Mapping[str, Any]:
        return self.payload

    def show(self, page: Page) -> None:
        page.block(self.text)
