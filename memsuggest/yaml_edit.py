"""Setting one value in a YAML file of settings without touching any other byte of it."""

from __future__ import annotations

import json
import re

import yaml


def set_value(text: str, keys: tuple[str, ...], value: str) -> str:
    """Return the text with the value at a path of mapping keys; missing mappings are added in block style.

    Raises ValueError when a key on the way holds something else than a block mapping.
    """
    node = yaml.compose(text, Loader=yaml.BaseLoader)
    for depth, key in enumerate(keys):
        if node is None or (isinstance(node, yaml.ScalarNode) and not node.value):
            return _added(text, keys, depth, value, at=_end_of(node, text))
        if not isinstance(node, yaml.MappingNode) or node.flow_style:
            raise ValueError(f"`{'.'.join(keys[:depth])}` is not a block of `name: value` lines")
        found = next((child for name, child in node.value if name.value == key), None)
        if found is None:
            indent = node.start_mark.column
            return _added(text, keys, depth, value, at=_line_start(text, node.start_mark.index), indent=indent)
        node = found
    if node is None or not isinstance(node, yaml.ScalarNode):
        raise ValueError(f"`{'.'.join(keys)}` is not a single value")
    start, end = node.start_mark.index, node.end_mark.index
    return f"{text[:start]}{'' if text[start - 1 : start] in (' ', '') else ' '}{_scalar(value)}{text[end:]}"


def without_value(text: str, keys: tuple[str, ...]) -> str | None:
    """Return the text without the lines of the value at a path of mapping keys; None where there is none."""
    node = yaml.compose(text, Loader=yaml.BaseLoader)
    for key in keys[:-1]:
        node = next((child for name, child in _pairs(node) if name.value == key), None)
    found = next(((name, child) for name, child in _pairs(node) if name.value == keys[-1]), None)
    if found is None or (isinstance(node, yaml.MappingNode) and node.flow_style):
        return None
    start = _line_start(text, found[0].start_mark.index)
    end = text.find("\n", max(found[0].end_mark.index, found[1].end_mark.index - 1))
    return text[:start] + (text[end + 1 :] if end >= 0 else "")


def _pairs(node: yaml.Node | None) -> list[tuple[yaml.Node, yaml.Node]]:
    return list(node.value) if isinstance(node, yaml.MappingNode) else []


def _added(text: str, keys: tuple[str, ...], depth: int, value: str, *, at: int, indent: int | None = None) -> str:
    newline = "\r\n" if "\r\n" in text else "\n"
    start = 2 * depth if indent is None else indent
    lines = [f"{' ' * (start + 2 * step)}{_scalar(key)}:" for step, key in enumerate(keys[depth:])]
    lines[-1] += f" {_scalar(value)}"
    before = text[:at] + (newline if at and not text[:at].endswith("\n") else "")
    return before + newline.join(lines) + newline + text[at:]


def _end_of(node: yaml.Node | None, text: str) -> int:
    """Return where lines below an empty value go: after its line."""
    if node is None:
        return len(text)
    end = text.find("\n", node.start_mark.index)
    return len(text) if end < 0 else end + 1


def _line_start(text: str, index: int) -> int:
    return text.rfind("\n", 0, index) + 1


_PLAIN = re.compile(r"[A-Za-z0-9_/~.][\w/~.,+ -]*")
"""Values that read back the same without quotes in any place."""


def _scalar(value: str) -> str:
    if _PLAIN.fullmatch(value) and value == value.strip():
        return value
    return json.dumps(value, ensure_ascii=False)
