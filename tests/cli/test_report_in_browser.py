"""The report in a real browser, where there is one: it asks for nothing, complains of nothing, fits every width."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from cli.conftest import invoke
from year_kit import Year, lay_out_year

playwright = pytest.importorskip("playwright.sync_api", reason="needs playwright and a Chromium")
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="needs a Chromium")


@pytest.fixture
def browser() -> Iterator[Any]:
    """A browser without a window."""
    with playwright.sync_playwright() as running:
        started = running.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield started
        started.close()


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The report of a small repo in which some rules hold, and others do not."""
    repo = lay_out_year(tmp_path, Year(chats=300, files=12, facts=40), now=datetime.now(UTC))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    return Path(invoke("report", "--repo", str(repo)).out.strip())


def test_it_works_from_a_file(browser: Any, path: Path) -> None:
    """No request but the page itself, no message, no sideways scrolling, in light and dark, narrow and wide."""
    for width in (320, 800, 1920):
        for scheme in ("light", "dark"):
            context = browser.new_context(viewport={"width": width, "height": 800}, color_scheme=scheme)
            tab, told, asked = context.new_page(), [], []
            tab.on("console", lambda message, told=told: told.append(message.text))
            tab.on("pageerror", lambda error, told=told: told.append(str(error)))
            tab.on("request", lambda request, asked=asked: asked.append(request.url))
            tab.goto(path.as_uri())
            for button in ("#unfold", "#theme"):
                tab.click(button)
            assert tab.evaluate("document.documentElement.scrollWidth") <= width
            assert tab.evaluate("[...document.querySelectorAll('main details')].every(one => one.open)")
            dark = tab.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(23, 25, 28)"
            assert dark is (scheme == "light")  # the button turns it round
            assert told == []
            assert [one for one in asked if not one.startswith("data:")] == [path.as_uri()]
            context.close()


def test_it_works_without_its_script(browser: Any, path: Path) -> None:
    """Where nothing may run, there are no dead buttons, and every evidence opens all the same."""
    context = browser.new_context(java_script_enabled=False)
    tab = context.new_page()
    tab.goto(path.as_uri())
    assert not tab.locator("#tools").is_visible()
    first = tab.locator("#holds details").first
    first.locator("summary").first.click()
    assert first.locator("h4, li, table").first.is_visible()


def test_it_sorts_and_filters(browser: Any, path: Path) -> None:
    """A click on a head sorts its table, another one turns it round; words leave what has them."""
    tab = browser.new_page()
    tab.goto(path.as_uri())
    tokens = "[...document.querySelectorAll('#cost table:last-of-type tbody tr')].map(row => row.cells[1].innerText)"
    tab.locator("#cost table").last.locator("thead button").nth(1).click()
    rising = [int(one) for one in tab.evaluate(tokens) if one.isdigit()]
    tab.locator("#cost table").last.locator("thead button").nth(1).click()
    falling = [int(one) for one in tab.evaluate(tokens) if one.isdigit()]
    assert rising == sorted(rising) and falling == sorted(falling, reverse=True) and len(rising) > 5
    tab.fill("#filter", "billing")
    shown = tab.evaluate("[...document.querySelectorAll('main .item:not([hidden])')].map(one => one.textContent)")
    assert shown and all("billing" in one.lower() for one in shown)
    tab.fill("#filter", "")
    assert tab.evaluate("document.querySelectorAll('main .item[hidden]').length") == 0


def test_the_keyboard_reaches_everything(browser: Any, path: Path) -> None:
    """The first stop leads past the head; Enter opens an evidence."""
    tab = browser.new_page()
    tab.goto(path.as_uri())
    tab.keyboard.press("Tab")
    assert tab.evaluate("document.activeElement.textContent") == "Skip to the report"
    tab.locator("#holds summary").first.focus()
    tab.keyboard.press("Enter")
    assert tab.evaluate("document.activeElement.parentElement.open")


def test_it_prints(browser: Any, path: Path) -> None:
    """On white paper, whatever the screen has."""
    tab = browser.new_context(color_scheme="dark").new_page()
    tab.goto(path.as_uri())
    tab.emulate_media(media="print")
    assert tab.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert not tab.locator("#tools").is_visible()
    printed = tab.pdf()
    assert 1 < len(re.findall(rb"/Type\s*/Page[^s]", printed)) <= 5
