"""GitHub's API: REST version 2022-11-28, and GraphQL."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memsuggest.integrations.host_api import FORBIDDEN, GONE, Api, Service

if TYPE_CHECKING:
    from collections.abc import Callable

    from memsuggest.integrations.host_api import Answer

RAW = "application/vnd.github.raw+json"
_REFUSALS = {
    301: ("the repository moved", "set GITHUB_REPOSITORY to its new name"),
    401: ("GitHub does not accept the token", "set GITHUB_TOKEN to one that is valid"),
    403: (
        "the token may not do that",
        "it needs `pull-requests: write`; in a workflow that a fork's pull request started it is read-only",
    ),
    404: (
        "there is no such repository or pull request, or the token may not see it",
        "check GITHUB_REPOSITORY and `--pr`",
    ),
    410: ("comments are switched off there", "use `--output FILE` instead of `--post`"),
    422: ("GitHub does not accept the comment", "try `--output FILE`, and look at it"),
}
SERVICE = Service(name="GitHub", refusals=_REFUSALS, accept="application/vnd.github+json")


class GitHubApi(Api):
    """GitHub, asked with one token."""

    def __init__(
        self, *, api: str, token: str, now: Callable[[], float], wait: Callable[[float], None], is_dry: bool = False
    ) -> None:
        headers = {"Authorization": f"Bearer {token}", "X-GitHub-Api-Version": "2022-11-28"}
        super().__init__(SERVICE, api=api, headers=headers, now=now, wait=wait, is_dry=is_dry)
        # A company's own server answers GraphQL beside `/api/v3`, not below it.
        self._graphql = api.removesuffix("/v3") + "/graphql"

    def query(self, text: str, **variables: Any) -> Any:
        """Ask in GraphQL; None where that is refused."""
        return _data(self.ask(self._graphql, {"query": text, "variables": variables}, allowed=(GONE, FORBIDDEN)))

    def mutate(self, text: str, **variables: Any) -> bool:
        """Change something in GraphQL; False where that is refused. Raises as `write` does."""
        body = {"query": text, "variables": variables}
        answer = self.write("POST", self._graphql, body, allowed=(GONE, FORBIDDEN))
        return self.is_dry or _data(answer) is not None


def _data(answer: Answer) -> Any:
    """Return what GraphQL answers; errors come with the status 200."""
    if not answer.is_success:
        return None
    found = answer.value
    return None if not isinstance(found, dict) or found.get("errors") else found.get("data")
