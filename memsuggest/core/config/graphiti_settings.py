"""The settings about a Graphiti server: a row each. A repo may set none of them."""

from __future__ import annotations

from memsuggest.core.config import checks as check
from memsuggest.core.config.setting import Setting

SWITCHES = ("ingest", "recall", "promotion", "ownership")
"""What can be switched on, each by the setting `graphiti.NAME`; all are off until a person says otherwise."""
SCOPES = ("session", "workspace", "user")
AUTO_SCOPES = "auto"
KEY_HEADERS = ("authorization", "x-api-key")
_WHAT = {
    "ingest": "whether what is said in chats goes to the Graphiti server",
    "recall": "whether a prompt asks the Graphiti server what it knows",
    "promotion": "whether directives go to the Graphiti server as episodes of their own, without being asked",
    "ownership": "whether the Graphiti server is told once, for each group, whose it is",
}


def _scopes(raw: object) -> tuple[str, ...]:
    names = tuple(dict.fromkeys(one.lower() for one in check.texts(raw)))
    if names != (AUTO_SCOPES,) and not (names and set(names) <= set(SCOPES)):
        raise ValueError
    return names


def _key_header(raw: object) -> str:
    value = str(raw).strip().lower()
    if value not in KEY_HEADERS:
        raise ValueError
    return value


GRAPHITI_SETTINGS = (
    Setting(
        name="graphiti.endpoint",
        default="",
        allowed="an https address, or an http address on this machine",
        parse=check.address,
        about="where the team's Graphiti server is; empty: there is none",
    ),
    *(
        Setting(name=f"graphiti.{name}", default=False, allowed="true or false", parse=check.switch, about=_WHAT[name])
        for name in SWITCHES
    ),
    Setting(
        name="graphiti.scopes",
        default=(AUTO_SCOPES,),
        allowed="auto, or some of session, workspace, user",
        parse=_scopes,
        about="whose memory is asked; `auto`: the session's, and others where the words of a prompt call for them",
    ),
    Setting(
        name="graphiti.maxFacts",
        unit="facts",
        default=10,
        allowed="a whole number from 1 to 50",
        parse=check.whole(1, 50),
        about="how many facts of the Graphiti server a prompt gets at most",
    ),
    Setting(
        name="graphiti.recallTime",
        unit="milliseconds",
        default=750,
        allowed="a whole number of milliseconds from 50 to 10000",
        parse=check.whole(50, 10_000),
        about="how long a prompt waits for the Graphiti server in all; then it goes on without",
    ),
    Setting(
        name="graphiti.maxMessageChars",
        unit="characters",
        default=4000,
        allowed="a whole number from 100 to 50000",
        parse=check.whole(100, 50_000),
        about="how much of each turn goes to the Graphiti server",
    ),
    Setting(
        name="graphiti.keyHeader",
        default=KEY_HEADERS[0],
        allowed=" or ".join(KEY_HEADERS),
        parse=_key_header,
        about="the header for the key in MEMSUGGEST_GRAPHITI_KEY: `authorization` as a bearer token, or `x-api-key`",
    ),
)
