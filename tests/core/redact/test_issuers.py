"""Secrets in the shapes that issuers document go from settings, sentences and Markdown; what tools print stays."""

from __future__ import annotations

import re

import pytest
from cases import cases
from secret_issuers import cut_in_two, issued, short_credentials
from secret_samples import DIGITS, HEX, LOWER, UPPER, Maker, Sample, tool_output

from memsuggest.core.redact import redact

MAKER = Maker(23)
UUID = "-".join(MAKER.draw(HEX, count) for count in (8, 4, 4, 4, 12))
WORDS = "this" + "IsDog" + "11"
PASSWORD = "hun" + "ter" + "2x9"


def share_gone(samples: list[Sample]) -> float:
    """Tell how many of the secrets are gone, also where a line's end cuts them."""
    gone = [row.secret not in _joined(redact(row.text).text) for row in samples]
    return sum(gone) / len(gone)


def _joined(text: str) -> str:
    return text + re.sub(r"[ \t]*\\\\?\n[> ]*", "", text)


@cases(("context", "least"), [("settings", 0.99), ("sentences", 0.96), ("Markdown", 0.96)])
@cases("measured", [False, True], ids=["written beside", "only measured"])
def test_tokens_of_issuers_go(context: str, *, least: float, measured: bool) -> None:
    """Of 144 issuers' shapes nearly all go in each context, also those that no rule was written beside."""
    assert share_gone(list(issued(Maker(31), context, measured=measured))) >= least


def test_short_credentials_go() -> None:
    """`Basic` credentials go however short, and passwords made of words where a sentence hands them over."""
    assert share_gone(list(short_credentials(Maker(32), 300))) >= 0.97


def test_tokens_cut_in_two_go() -> None:
    """A token goes also when a line's end, a quotation's mark or a continued command cuts it."""
    assert share_gone(list(cut_in_two(Maker(33), 300))) >= 0.96


@cases(
    ("text", "secret"),
    [
        pytest.param('<add key="Acme:ApiKey" value="{}" />', UUID, id="attribute"),
        pytest.param("<param name='SmtpPassword' type='x' value='{}'/>", PASSWORD, id="attributes between"),
        pytest.param('<setting name="AcmeToken"><value>{}</value></setting>', UUID, id="element inside"),
        pytest.param("<key>apiToken</key>\n<string>{}</string>", UUID, id="property list"),
        pytest.param('{{"name": "ACME_SECRET", "value": "{}"}}', UUID, id="name and value in json"),
        pytest.param("- name: DB_PASSWORD\n  value: {}", PASSWORD, id="name and value in yaml"),
        pytest.param("ENV ACME_KEY {}", UUID, id="dockerfile"),
        pytest.param("<password>{}</password>", PASSWORD, id="element"),
        pytest.param("| who | Password |\n|---|---|\n| ada | `{}` |", PASSWORD, id="column"),
        pytest.param("### Access token\n\n{}\n", UUID, id="below a heading"),
        pytest.param("**API Key**\n```\n{}\n```", UUID, id="fenced below a heading"),
        pytest.param("you need {} for it", UUID, id="needed"),
        pytest.param("Wir brauchen {} dafür", UUID, id="needed, in German"),
        pytest.param("{} is the key of the bot", UUID, id="named after"),
        pytest.param("For staging we use {} to deploy.", WORDS, id="words for a place"),
        pytest.param("Run it with --key {} please", WORDS, id="words for an option"),
    ],
)
def test_values_away_from_their_name_go(text: str, secret: str) -> None:
    """A value goes when its name stands in another attribute, element, line or cell, or behind it."""
    assert secret not in redact(text.format(secret)).text


@cases("shape", ["SK{}", "{}NRAL", "eu01xx{}"])
def test_hexadecimal_with_letters_around_it_goes(shape: str) -> None:
    """Letters before or behind make hexadecimal no word."""
    token = shape.format(MAKER.draw(HEX, 32))
    assert token not in redact(f"ask {token} again").text


def test_hexadecimal_in_both_cases_goes() -> None:
    """Digits with `a` to `f` in both cases are no word either."""
    for _ in range(50):
        token = MAKER.draw(DIGITS + "abcdefABCDEF", 32)
        assert token not in redact(f"ask {token} again").text


@cases("sample", tool_output(Maker(34)), ids=lambda sample: sample.family)
def test_what_tools_print_stays(sample: Sample) -> None:
    """Lock files, commits, checksums, pods, resources and paths are not touched."""
    assert redact(sample.text).text == sample.text


@cases(
    "text",
    [
        "use WindowsServer2022 for staging",
        "use `getItemById` for staging",
        "sign in with Office365",
        "Basic authentication is off",
        "send `Basic auth` headers",
        "the primary_key = 'cart-item-7'",
        "see GHSA-vqfr-h8mv-ghfj at https://github.com/advisories/GHSA-vqfr-h8mv-ghfj",
        "Subject: =?utf-8?b?SMOkbGxvIFdlbHQsIHdpZSBnZWh0?=",
        "#ifdef _GLIBCXX_USE_C99_MATH_TR1",
        'd="M10.5H1v2h3v-2zm9-9.95h-2V3.5h2V.55zm7.45 3.91l-1.41-1.41"',
        'url.password <a href="#urlpassword">',
        "| Token | Value |\n|---|---|\n| --color-primary-500 | spacing-12 |",
        "## Tokens\n\ninternationalisation",
        f"request {UUID} failed",
        f"use user id {UUID} in the test",
        f"| {UUID} | active |",
        f"GET /api/users/{UUID}/orders",
        f"cache_key = '{UUID}'",
        f"patch Package@swift-6.2.swift and github-info@0.{MAKER.draw(DIGITS, 1)}.0.patch",
        f"const chunk = '{MAKER.draw(LOWER, 8)}.{MAKER.draw(HEX, 8)}.js'",
        f"issue {MAKER.draw(UPPER, 4)}-{MAKER.draw(DIGITS, 5)} says it",
    ],
)
def test_names_of_things_stay(text: str) -> None:
    """Products with versions, identifiers of rows, columns of other tables and talk of credentials are not touched."""
    assert redact(text).text == text
