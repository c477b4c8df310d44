"""`report`: one page, private unless it is for the team, and never over a file of somebody else."""

from __future__ import annotations

import base64
import hashlib
import itertools
import re
import stat
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest
from builders import claude_session
from cli.conftest import BRITISH, MOCK, PNPM, Run, Shop, invoke, json_of, refused, session

VOID = {"meta", "link", "br", "path", "rect", "input"}


class Page(HTMLParser):
    """A page as a browser would read it: elements, texts, and whether it all closes."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.texts: list[str] = []
        self.raw: dict[str, list[str]] = {"style": [], "script": []}
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] in self.raw:
            self.raw[self.open[-1]].append(data)
        else:
            self.texts.append(data)

    def all(self, tag: str) -> list[dict[str, str | None]]:
        """The attributes of all elements of a kind."""
        return [attributes for name, attributes in self.elements if name == tag]

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.texts).split())


def made(*words: str) -> tuple[Path, str]:
    """Make a report; return where it is, and its text."""
    path = Path(invoke("report", *words).out.strip())
    return path, path.read_text(encoding="utf-8")


def test_the_page_goes_to_a_private_place(shop: Shop) -> None:
    """Without a name it lies outside of the repo, for its person alone, and its path is what is printed."""
    path, text = made()
    assert not path.is_relative_to(shop.repo)
    assert sys.platform == "win32" or stat.S_IMODE(path.stat().st_mode) == 0o600
    page = Page(text)
    assert "What repo learned" in page.text
    assert "mock the database" in page.text
    assert "from now on never mock the database in tests" in page.text.lower()  # the quote behind it


def test_nothing_is_loaded_and_nothing_else_may_run(shop: Shop) -> None:
    """The policy allows this very style and script by their hashes; no address, no attribute that runs or styles."""
    _, text = made()
    page = Page(text)
    (policy,) = (one["content"] or "" for one in page.all("meta") if one.get("http-equiv"))
    for kind in ("style", "script"):
        digest = base64.b64encode(hashlib.sha256("".join(page.raw[kind]).encode()).digest()).decode()
        assert f"{kind}-src 'sha256-{digest}'" in policy
    assert policy.startswith("default-src 'none'")
    for tag, attributes in page.elements:
        assert "style" not in attributes, tag
        assert not any(name.startswith("on") for name in attributes), tag
        assert (attributes.get("href") or "#").startswith(("#", "data:,")), tag  # no remote is known here
        assert "src" not in attributes, tag
    assert "://" not in re.sub(r"<(style|script)>.*?</\1>", "", text, flags=re.DOTALL)


def test_it_can_be_read_without_eyes_and_mouse(shop: Shop) -> None:
    """Landmarks, one first heading, no level left out, a name on each chart, captions and scopes in each table."""
    _, text = made()
    page = Page(text)
    assert [len(page.all(tag)) for tag in ("main", "header", "footer", "nav", "h1")] == [1, 1, 1, 1, 1]
    levels = [int(tag[1]) for tag, _ in page.elements if re.fullmatch(r"h[1-6]", tag)]
    assert all(after <= before + 1 for before, after in itertools.pairwise(levels))
    assert all(one.get("role") == "img" and one.get("aria-label") for one in page.all("svg"))
    assert len(page.all("caption")) == len(page.all("table")) > 0
    assert all(one.get("scope") in ("col", "row") for one in page.all("th"))
    ids = [attributes["id"] for _, attributes in page.elements if "id" in attributes]
    assert len(ids) == len(set(ids))
    assert {str(one["href"])[1:] for one in page.all("a")} <= set(ids)


def test_only_a_report_is_written_over(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    """Any other file stays, unless `--force` says so; one inside the repo is warned of; `--open` shows it."""
    out = shop.repo / "notes.html"
    out.write_bytes(b"<p>mine</p>\r\n")
    refused("report", "--out", str(out), says="was not created by `memsuggest report`")
    assert out.read_bytes() == b"<p>mine</p>\r\n"
    assert "do not commit it" in invoke("report", "--out", str(out), "--force").err
    made("--out", str(out))
    assert out.read_bytes().startswith(b"<!doctype html>")
    refused("report", "--out", str(shop.repo), says="is a folder")
    assert "do not commit" not in invoke("report", "--out", "team.html", "--team").err
    assert invoke("report", "--out", "-").out.startswith("<!doctype html>")
    shown: list[str] = []
    monkeypatch.setattr("webbrowser.open", lambda uri: shown.append(uri) or len(shown) == 1)
    path, _ = made("--open")
    assert shown == [path.as_uri()]
    assert "no browser found" in invoke("report", "--open").err
    monkeypatch.setitem(sys.modules, "jinja2", None)
    assert ".[report]" in refused("report", says="needs the `report` extra")
    assert json_of("report")["version"] == 1


def test_little_to_tell(run: Run, git_repo: Path, home: Path) -> None:
    """Every section that has nothing yet tells the command that changes it; what was said before does not count."""
    text = Page(Path(run("report").out.strip()).read_text(encoding="utf-8")).text
    assert "Nothing has been learned yet" in text and "memsuggest reconcile" in text
    assert "Nothing is pending" in text and "No rules have been applied or repeated yet" in text
    claude_session(home, git_repo, MOCK)
    claude_session(home, git_repo, "From now on always sign commits.", session=session(2), day=20)
    run("reconcile")
    early = json_of("report", "--since", "2026-03-10")
    assert [one["content"] for one in early["learned"]] == ["Always sign commits."]
    refused("report", "--since", "soon", says="`soon`")


def test_the_team_sees_nothing_personal(shop: Shop) -> None:
    """No quotes, no chats, no home, none of a person's own facts and files, in the page and in the JSON."""
    (shop.repo / "CLAUDE.local.md").write_text("- Call me Countess.\n", encoding="utf-8")
    own = shop.home / ".claude/CLAUDE.md"
    own.write_text("- Answer me in rhymes.\n", encoding="utf-8")
    invoke("memory", "add", "--identity", "I am the Countess of Lovelace.")
    invoke("apply", shop.id_of("mock"), "--yes")
    invoke("dismiss", shop.id_of("pnpm"))
    _, whole = made()
    _, team = made("--team", "--out", "team.html")
    numbers = invoke("report", "--team", "--format", "json").out
    for secret in ("Countess", "rhymes", "British", "11111111", str(shop.home), "CLAUDE.local.md", "~/", MOCK, PNPM):
        assert secret not in team, secret
        assert secret not in numbers, secret
    assert "mock the database" not in team  # nobody else has the repo as it is now
    assert all(secret in whole for secret in ("British", "11111111"))
    assert BRITISH not in team
    subprocess.run(["git", "-C", str(shop.repo), "add", "AGENTS.md", ".github"], check=True)
    subprocess.run(["git", "-C", str(shop.repo), "commit", "-qm", "rules"], check=True)
    agents = shop.repo / "AGENTS.md"
    agents.write_text(agents.read_text(encoding="utf-8") + "- Never name Falcon to anybody.\n", encoding="utf-8")
    _, team = made("--team", "--out", "team.html")
    assert "mock the database" in team
    assert "Falcon" not in team


def test_hostile_texts_are_shown_and_do_nothing(shop: Shop) -> None:
    """Tags, ends of scripts, signs that turn the writing round and endless lines come out as inert text."""
    hostile = "Never use <img src=x onerror=alert(1)> </script><script>alert(2)</script> in `a\u202eb`."
    endless = "Always keep " + "x" * 100_000 + " in mind."
    lines = f"# Rules\n\n- {hostile}\n- {endless}\n"
    (shop.repo / "AGENTS.md").write_text(lines, encoding="utf-8")
    subprocess.run(["git", "-C", str(shop.repo), "commit", "-qam", "rules"], check=True)
    invoke("remember", "Never use <b onclick='x'>bold</b> & \"quotes\" in titles.")
    invoke("remember", "Use {{ 7 * 7 }} and {% raw %} as they are in titles.")
    _, text = made()
    page = Page(text)
    assert len(page.all("script")) == 1
    assert page.all("img") == page.all("b onclick") == []
    assert "\u202e" not in text
    assert "x" * 5_000 not in text
    assert "<b onclick='x'>bold</b> & \"quotes\"" in page.text
    assert "{{ 7 * 7 }}" in page.text


def test_places_link_to_the_web_where_a_remote_is_known(shop: Shop) -> None:
    """To the file and line of the last commit, and to nothing that is not committed; a folder is no address."""
    remote = ["git", "-C", str(shop.repo), "remote"]
    subprocess.run([*remote, "add", "origin", "git@github.com:acme/shop.git"], check=True)
    (shop.repo / "CLAUDE.md").write_text("- Never squash.\n", encoding="utf-8")
    subprocess.run(["git", "-C", str(shop.repo), "add", "AGENTS.md"], check=True)
    subprocess.run(["git", "-C", str(shop.repo), "commit", "-qm", "rules", "--allow-empty"], check=True)
    head = subprocess.run(["git", "-C", str(shop.repo), "rev-parse", "HEAD"], check=True, capture_output=True).stdout
    links = {one["href"] or "" for one in Page(made()[1]).all("a")}
    assert f"https://github.com/acme/shop/blob/{head.decode().strip()}/AGENTS.md" in links
    assert not any("CLAUDE.md" in link for link in links)
    subprocess.run([*remote, "set-url", "origin", "/srv/shop.git"], check=True)
    assert "://" not in "".join(one["href"] or "" for one in Page(made()[1]).all("a"))


def test_a_badge_for_the_readme(shop: Shop) -> None:
    """It is an image that says its words, tells what was not tested, and is written over itself only."""
    invoke("report", "--badge", "docs/held.svg")
    badge = shop.repo / "docs/held.svg"
    root = ElementTree.fromstring(badge.read_text(encoding="utf-8"))
    assert root.tag.endswith("svg")
    assert "rules held: not tested yet" in "".join(root.itertext())
    invoke("report", "--badge", "docs/held.svg")
    refused("report", "--badge", "AGENTS.md", says="was not created by")
    assert not list(shop.repo.glob("*.html"))


def test_what_is_forgotten_leaves_the_page(shop: Shop) -> None:
    """The report in its usual place goes with the words that it quotes; a new one does not say them."""
    path, text = made()
    assert "mock the database" in text
    invoke("memory", "forget", shop.fact_id_of("mock"))
    assert not path.exists()
    assert "mock the database" not in made()[1]
