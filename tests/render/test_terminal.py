"""Every kind of report that can be printed has its page."""

from __future__ import annotations

from importlib import import_module

import pytest

from memsuggest.render.terminal import PAGES


@pytest.mark.parametrize("kind", PAGES)
def test_each_row_names_a_report_and_its_page(kind: str) -> None:
    module, _, name = kind.partition(".")
    page, _, function = PAGES[kind].partition(".")
    assert isinstance(getattr(import_module(f"memsuggest.reports.{module}"), name), type)
    assert callable(getattr(import_module(f"memsuggest.render.terminal.{page}"), function))
