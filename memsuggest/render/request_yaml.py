"""Requests that would be sent, as YAML that is exact and can be read: one document for each. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import yaml

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


class _Dumper(yaml.SafeDumper):
    """Writes a text of several lines as such."""


def _text(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style="|" if "\n" in text else None)


_Dumper.add_representer(str, _text)


def render_requests(requests: Iterable[Mapping[str, Any]]) -> str:
    """Return a stream of YAML documents."""
    return yaml.dump_all(
        map(dict, requests), Dumper=_Dumper, allow_unicode=True, sort_keys=False, explicit_start=True, width=1_000_000
    )
