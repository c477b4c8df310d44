"""Secrets and personal details go, everything else stays; samples are drawn fresh, none stands in this file."""

from __future__ import annotations

import base64
import gzip
import json
import re

import pytest
from cases import cases
from conftest import SHARED
from hypothesis import given
from hypothesis import strategies as st
from processor_time import processor_seconds
from secret_frames import given_away
from secret_issuers import cut_in_two, issued, short_credentials
from secret_samples import (
    DIGITS,
    DISGUISES,
    HEX,
    LOWER,
    UPPER,
    Maker,
    Sample,
    identifiers,
    look_alikes,
    personal,
    resolved,
    tool_output,
)

from memsuggest.core.redact import Finding, redact
from memsuggest.core.redact.scan import merged_findings
from memsuggest.core.redact.wordlike import strangeness

MAKER = Maker(11)
LONG = MAKER.draw(LOWER + UPPER + DIGITS, 32)
SHORT = "hun" + "ter" + "2x9"
WORDY = "Tr0ub4" + "dor&3"
YEARLY = "Sommer" + "1987$"
UUID = "-".join(MAKER.draw(HEX, count) for count in (8, 4, 4, 4, 12))
WORDS = "this" + "IsDog" + "11"


ANNOUNCED = [
    pytest.param("export PGPASSWORD='{}'", SHORT, id="shell"),
    pytest.param('{{"password": "{}"}}', SHORT, id="json"),
    pytest.param('{{"body": "{{\\"passwd\\": \\"{}\\"}}"}}', SHORT, id="json in json"),
    pytest.param("the password for the office wifi is {}, ok?", SHORT, id="sentence with a thing"),
    pytest.param("DB_PASS={}", YEARLY, id="pass behind a name"),
    pytest.param("log in as demo with password {}!", YEARLY, id="nothing between"),
    pytest.param('var apiKey string = "{}"', LONG, id="typed declaration"),
    pytest.param("api_key => '{}',", LONG, id="arrow"),
    pytest.param('client_secret = "{}"', MAKER.draw(HEX, 20), id="short hexadecimal"),
    pytest.param('api_token: "{}"', UUID, id="uuid as a token"),
    pytest.param('discord_token = "{}"', MAKER.draw(DIGITS, 18), id="digits as a token"),
    pytest.param("PASSWORD=12{}", "345" + "678", id="digits as a password"),
    pytest.param("https://{}@github.com/a/b", LONG, id="token in an address"),
    pytest.param('curl -u ":{}" https://x.test', SHORT, id="curl without a name"),
    pytest.param("login ada password {}", "s3cr" + "etpw9", id="netrc"),
    pytest.param('"clientSecret": "{}"', "Winter" + "2024x", id="wordy secret in quotes"),
    pytest.param("for staging use {} please", WORDY, id="mixed password"),
    pytest.param("the login is admin and {}, ok", LONG[:16], id="said near login"),
    pytest.param('<add key="Acme:ApiKey" value="{}" />', UUID, id="attribute"),
    pytest.param("<param name='SmtpPassword' type='x' value='{}'/>", SHORT, id="attributes between"),
    pytest.param('<setting name="AcmeToken"><value>{}</value></setting>', UUID, id="element inside"),
    pytest.param("<key>apiToken</key>\n<string>{}</string>", UUID, id="property list"),
    pytest.param('{{"name": "ACME_SECRET", "value": "{}"}}', UUID, id="name and value in json"),
    pytest.param("- name: DB_PASSWORD\n  value: {}", SHORT, id="name and value in yaml"),
    pytest.param("ENV ACME_KEY {}", UUID, id="dockerfile"),
    pytest.param("| who | Password |\n|---|---|\n| ada | `{}` |", SHORT, id="column"),
    pytest.param("### Access token\n\n{}\n", UUID, id="below a heading"),
    pytest.param("**API Key**\n```\n{}\n```", UUID, id="fenced below a heading"),
    pytest.param("you need {} for it", UUID, id="needed"),
    pytest.param("Wir brauchen {} dafür", UUID, id="needed, in German"),
    pytest.param("{} is the key of the bot", UUID, id="named after"),
    pytest.param("For staging we use {} to deploy.", WORDS, id="words for a place"),
    pytest.param("Run it with --key {} please", WORDS, id="words for an option"),
]


@cases(("text", "secret"), ANNOUNCED)
def test_announced_secrets_go(text: str, secret: str) -> None:
    """Whatever a credential's name announces is gone, and the sentence around it stays."""
    done = redact(text.format(secret))
    assert secret not in done.text
    assert "[REDACTED:" in done.text
    assert done.text.startswith(text.format(secret)[: min(3, done.found[0].start)])


ISSUED = [
    pytest.param("AK" + "IA" + MAKER.draw(UPPER, 16), id="letters only"),
    pytest.param("xo" + "xb-12345678-" + MAKER.draw(DIGITS, 10), id="digits only"),
    pytest.param("ey" + "J" + MAKER.draw(LOWER, 20) + ".ey" + "J" + MAKER.draw(LOWER, 20) + "." + LONG, id="web token"),
    pytest.param("https://hooks." + "slack.com/services/T" + MAKER.draw(UPPER + DIGITS, 30), id="webhook"),
    pytest.param("AGE-" + "SECRET-KEY-1" + "Q" * 58, id="repetitive"),
    *(shape.format(MAKER.draw(HEX, 32)) for shape in ("SK{}", "{}NRAL", "eu01xx{}")),
    *(MAKER.draw(DIGITS + "abcdefABCDEF", 32) for _ in range(20)),
    pytest.param(MAKER.draw(LOWER, 32), id="lower case alone"),
    pytest.param(MAKER.draw(DIGITS, 32), id="very long number"),
    pytest.param("-".join(MAKER.draw(UPPER + DIGITS, 5) for _ in range(5)), id="licence key"),
    pytest.param("gl" + "pat-" + MAKER.draw(LOWER + UPPER, 8) + "-" + MAKER.draw(LOWER + UPPER, 11), id="short pieces"),
]


@cases("secret", ISSUED)
@cases("carrier", ["{}", "we use {} here", "- see `{}`.", "x = '{}'"])
def test_issued_and_drawn_tokens_go(carrier: str, secret: str) -> None:
    """A token goes by its shape or its issuer's prefix, whatever the sentence says."""
    assert secret not in redact(carrier.format(secret)).text


@cases("end", ["-----END RSA PRIVATE KEY-----", ""], ids=["whole", "unfinished"])
@cases("newline", ["\n", "\\n", "\r\n"], ids=["lf", "escaped", "crlf"])
def test_private_keys_go_whole(newline: str, end: str) -> None:
    """A key block goes with all its lines, also in one line of JSON, also when its end is missing."""
    lines = [base64.b64encode(MAKER.draw(UPPER, 45).encode()).decode() for _ in range(5)]
    text = "before " + newline.join(["-----BEGIN RSA " + "PRIVATE KEY-----", *lines, end])
    done = redact(text)
    assert all(line not in done.text for line in lines)
    assert done.text.startswith("before [REDACTED:private-key]")


@cases(
    "text",
    [
        "-----BEGIN PUBLIC KEY-----\n" + MAKER.draw(LOWER + UPPER + DIGITS, 64) + "\n-----END PUBLIC KEY-----",
        'TOOL_SHA256="' + MAKER.draw(HEX, 64) + '"',
        "MODEL_CHECKSUM: " + MAKER.draw(HEX, 64),
        "SOURCE_REF = '" + "1" * 40 + "'",
        "cat <<CI_SAFE_CONFIG_" + MAKER.draw(HEX, 8) + "_EOF",
        "value: process.env.CI_SAFE_EXPR_802A9F6A",
        'BEGIN = "-----BEGIN OPENSSH ' + 'PRIVATE KEY-----"',
        "password: ${DB_PASSWORD}",
        "password = os.environ['DB_PASSWORD']",
        "token: <your token>",
        "token = get_token(session)",
        "secret: {{ .Values.secret }}",
        "the password is required",
        "key: composite of user and date",
        "password must have 8 to 64 characters",
        "tokens per request: 100000",
        "the secret sauce of the 2nd release",
        "author: ada, key contributor of v2.3.1",
        "curl -u $USER:$PASSWORD https://x.test",
        "postgres://user:<password>@localhost/app",
        "gh" + "p_" + "x" * 36,
        "private_key: ed25519.Ed25519PrivateKey",
        "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
        "vue2-dropzone-vue3 and x86_64-unknown-linux-gnu",
        "yyyyMMddHHmmss_<slug>",
        "api_org_ is the prefix of an organisation's token",
        'd="M0 14v-.531c0-.895-.356-1.754-.988-2.386l-.548-.547z"',
        "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI" + MAKER.draw(LOWER + UPPER + DIGITS, 42) + " ada@laptop",
        "params: token, secretKey, 'password', username",
        "aGVsbG8gd29ybGQgdGhpcyBpcyB0ZXh0 is Base64 of words",
        "GUID {12345678-1234-1234-1234-123456789ABC}",
        "CLOUDFLARE_ACCOUNT_ID=" + MAKER.draw(HEX, 32),
        "das Rechtsschutzversicherungsgesellschaftsgebäude",
        "supercalifragilisticexpialidocious",
        "a" * 5000,
        "rate = 1234567890123456",
        "second_pass: RenderPass2 is slower",
        "PASS: tests/test_shop.py::test_cart_3",
        "log in and check that Windows10 works",
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
        f"cache_key = '{UUID}'",
        f"patch Package@swift-6.2.swift and github-info@0.{MAKER.draw(DIGITS, 1)}.0.patch",
        f"const chunk = '{MAKER.draw(LOWER, 8)}.{MAKER.draw(HEX, 8)}.js'",
        f"issue {MAKER.draw(UPPER, 4)}-{MAKER.draw(DIGITS, 5)} says it",
    ],
)
def test_harmless_texts_stay(text: str) -> None:
    """References, fillers, identifiers, long words and numbers are not touched."""
    assert redact(text).text == text


@cases(
    ("samples", "least"),
    [
        pytest.param(list(personal(Maker(1), 120)), 1, id="personal details"),
        pytest.param(list(issued(Maker(31), "settings", measured=True)), 0.99, id="issuers, in settings"),
        pytest.param(list(issued(Maker(31), "sentences", measured=True)), 0.96, id="issuers, in sentences"),
        pytest.param(list(issued(Maker(31), "Markdown", measured=True)), 0.96, id="issuers, in Markdown"),
        pytest.param(list(short_credentials(Maker(32), 300)), 0.97, id="words as passwords, short `Basic`"),
        pytest.param(list(cut_in_two(Maker(33), 300)), 0.96, id="tokens cut in two"),
        pytest.param([Sample(*row) for row in given_away(Maker(6), 200)], 1, id="unknown issuers"),
    ],
)
def test_drawn_samples_go(samples: list[Sample], least: float) -> None:
    """Personal details, and secrets of whatever shape in whatever sentence, are gone, also over a line's end."""
    shown = [(row.secret, redact(row.text).text) for row in samples]
    gone = [row for row in shown if row[0] not in row[1] + re.sub(r"[ \t]*\\\\?\n[> ]*", "", row[1])]
    assert len(gone) >= least * len(samples), [row for row in shown if row not in gone]


@cases("sample", [*look_alikes(Maker(2), 90), *identifiers(Maker(3), 120), *tool_output(Maker(34))])
def test_what_only_looks_like_one_stays(sample: Sample) -> None:
    """Commits, digests, versions, paths, packages, numbers, what tools print: not touched."""
    assert redact(sample.text).text == sample.text


@cases("name", DISGUISES)
def test_disguises_hide_nothing(name: str) -> None:
    """A secret written in another way is found, and what stood for it is what goes."""
    maker = Maker(4)
    for _ in range(20):
        secret = maker.secret()
        text = DISGUISES[name](maker, secret)
        assert secret in resolved(text)
        assert secret not in resolved(redact(text).text), text


def test_home_folders_stay_useful() -> None:
    """The home folder of a person becomes `~`, the rest of the path stays."""
    assert redact("open /home/ada/src/app.py and C:\\Users\\ada\\x").text == "open ~/src/app.py and ~\\x"


def test_stretches_are_those_of_the_input() -> None:
    """Each finding says where in the given text it stood, also behind escapes."""
    text = "é🙂 password=" + SHORT + " and m%61il: ada" + "@example.org!"
    done = redact(text)
    assert [(one.kind, text[one.start : one.end]) for one in done.found] == [
        ("password", SHORT),
        ("email", "ada@example.org"),
    ]


def test_overlapping_findings_become_one() -> None:
    """Of overlapping stretches one remains, of the kind of the longest."""
    found = [Finding("token", 5, 9), Finding("secret", 0, 8), Finding("email", 9, 12), Finding("token", 3, 3)]
    assert merged_findings(found) == [Finding("secret", 0, 9), Finding("email", 9, 12)]


@given(st.text(max_size=300))
def test_any_text_is_cut_only_where_found(text: str) -> None:
    """Findings are ordered, disjoint, inside; what lies between them is unchanged; a second pass finds nothing new."""
    done = redact(text)
    at, pieces = 0, []
    for one in done.found:
        assert at <= one.start < one.end <= len(text)
        pieces += (text[at : one.start], "~" if one.kind == "home" else f"[REDACTED:{one.kind}]")
        at = one.end
    assert "".join([*pieces, text[at:]]) == done.text


@given(
    st.lists(
        st.sampled_from(["password", ":", "=", '"', "\\", " ", "\n", "@", "a1B2", "://", "%41", "-", "/", "."]),
        max_size=60,
    )
)
def test_redacting_twice_changes_nothing(parts: list[str]) -> None:
    """What is redacted is not redacted again."""
    once = redact("".join(parts)).text
    assert redact(once).text == once


PUMPS = (
    *("a", "A1", "1", "-", "/", "@", "a@", "a@b.", "://", "http://a:", "=", "key=", "password ", '"', "\\"),
    *(" ", "\n", "-----BEGIN RSA PRIVATE KEY-----", "eyJ", "+1 ", "4111 ", "DE44 5001 ", "/home/a", "%41"),
    *("&#65;", "&", "ａ", "a\u200b", "(555) ", "?sig=a1&", " -u a:", "hooks.slack.com/services/", "xoxb-1"),
    *("0123456789abcdef", "aB1!", "%", "| password ", "| password |\n|---|\n", "<add key='token' "),
    *("basic YTpi ", "use thisIsCat12 ", "token\n\n", "a/b0c1d2/", "log in with a", "(SK", "[REDACTED:"),
    *("value=", "A_1_", "mysql -p", "login ", "phone 12 34 ", "[[", "token,", "\\u0041", ".", "a."),
)


@cases("pump", PUMPS)
def test_time_is_linear(pump: str) -> None:
    """Four times as much of anything takes about four times as long, whatever else the machine does."""
    short, long = ("x " + pump * (size // len(pump)) + "!" for size in (5_000, 20_000))
    assert processor_seconds(lambda: redact(long)) < 12 * processor_seconds(lambda: redact(short)) + 0.3


@cases(
    ("word", "is_strange"),
    [
        ("getElementsByTagName", False),
        ("simultaneously", False),
        ("hunter2", False),
        ("zq7xk2vw9r", True),
        ("QzVxKwJrPbTn", True),
    ],
)
def test_strangeness(word: str, *, is_strange: bool) -> None:
    """Words and identifiers score below zero, drawn strings above."""
    assert (strangeness(word) > 0) is is_strange


def _vectors(name: str) -> list[dict[str, object]]:
    path = SHARED / "vectors" / f"{name}.jsonl.gz.b64"
    if not path.exists():
        return []
    text = gzip.decompress(base64.b64decode(path.read_bytes())).decode()
    return [json.loads(line) for line in text.split("\n") if line]


@cases(("name", "least"), [("gitleaks", 0.99), ("secrets-in-prose", 0.97)])
def test_shared_vectors(name: str, least: float) -> None:
    """Of the shared lists of secrets, averaged over their rules, nearly all go."""
    gone: dict[object, list[bool]] = {}
    for row in _vectors(name):
        if row["expected"]:
            gone.setdefault(row["rule"], []).append(str(row["secret"]) not in redact(str(row["line"])).text)
    if gone:
        assert sum(sum(rule) / len(rule) for rule in gone.values()) / len(gone) >= least
