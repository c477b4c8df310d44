"""Makes secrets, personal details and their harmless look-alikes, fresh for each seed; nothing of it is real.

Written at run time from parts, so that no file of the project looks as if it held a secret.
"""

from __future__ import annotations

import base64
import hashlib
import html
import itertools
import json
import random
import string
import urllib.parse
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

LOWER, UPPER, DIGITS = string.ascii_lowercase, string.ascii_uppercase, string.digits
HEX = "0123456789abcdef"
CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"


class Sample(NamedTuple):
    """A text, and the part of it that must go (empty: nothing may change)."""

    family: str
    text: str
    secret: str = ""


class Maker:
    """Draws samples from one seed."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def draw(self, alphabet: str, length: int) -> str:
        """Draw a string."""
        return "".join(self.random.choice(alphabet) for _ in range(length))

    def pick(self, *choices: str) -> str:
        """Pick one of some texts."""
        return self.random.choice(choices)

    def secret(self) -> str:
        """Draw a token as services issue them, with or without a prefix."""
        return self.random.choice(
            [
                lambda: "gh" + self.pick("p", "o", "s") + "_" + self.draw(LOWER + UPPER + DIGITS, 36),
                lambda: "sk" + "-" + self.pick("", "proj-", "live-") + self.draw(LOWER + UPPER + DIGITS, 40),
                lambda: self.draw(HEX, self.random.choice([32, 40, 64])),
                lambda: "AK" + "IA" + self.draw(UPPER + "234567", 16),
                lambda: self.draw(LOWER + DIGITS, self.random.choice([20, 24, 32])),
                lambda: self.draw(LOWER + UPPER + DIGITS, self.random.choice([22, 30, 44])),
                lambda: self.draw(LOWER, 4) + "_" + self.draw(LOWER + DIGITS, 28),
            ]
        )()


def _mail(maker: Maker) -> tuple[str, str]:
    first, last = (
        maker.pick("ada", "grace", "jürgen", "li.wei", "o.brien"),
        maker.pick("love", "hopper", "m", "k-smith"),
    )
    host = maker.pick("example.org", "mail.example.co.uk", "uni-bonn.de", "acme.io", "example.com")
    mail = f"{first}{maker.pick('.', '_', '', '+news.')}{last}{maker.pick('', '7')}@{host}"
    return mail, maker.pick("write to {}", "<{}>", "ask {} first", "mailto:{}", "owner: {}, since May", "({})").format(
        mail
    )


def _phone(maker: Maker) -> tuple[str, str]:
    d = maker.draw
    number = maker.random.choice(
        [
            lambda: f"+49 {maker.pick('170', '30', '89')} {d('123456789', 1)}{d(DIGITS, 6)}",
            lambda: f"+1 {d('23456789', 1)}{d(DIGITS, 2)}-{d('23456789', 1)}{d(DIGITS, 2)}-{d(DIGITS, 4)}",
            lambda: f"({d('23456789', 1)}{d(DIGITS, 2)}) {d('23456789', 1)}{d(DIGITS, 2)}-{d(DIGITS, 4)}",
            lambda: f"{d('23456789', 1)}{d(DIGITS, 2)}-{d('23456789', 1)}{d(DIGITS, 2)}-{d(DIGITS, 4)}",
            lambda: f"+44 20 {d(DIGITS, 4)} {d(DIGITS, 4)}",
            lambda: f"+33 6 {d(DIGITS, 2)} {d(DIGITS, 2)} {d(DIGITS, 2)} {d(DIGITS, 2)}",
            lambda: f"+86 138 {d(DIGITS, 4)} {d(DIGITS, 4)}",
            lambda: f"+4915{d(DIGITS, 9)}",
        ]
    )()
    return number, maker.pick("call {} now", "phone: {}", "reach me at {}.", "Tel. {}", "mobile {}").format(number)


IBANS = {"DE": 18, "FR": 23, "NL": 14, "ES": 20, "GB": 18, "CH": 17, "AT": 16}


def _iban(maker: Maker, *, right: bool = True) -> tuple[str, str]:
    country = maker.pick(*IBANS)
    account = maker.draw(UPPER, 4) * (country in ("NL", "GB"))
    account += maker.draw(DIGITS, IBANS[country] - len(account))
    check = 98 - int("".join(str(int(char, 36)) for char in account + country + "00")) % 97
    number = f"{country}{check if right else (check + 5) % 97 + 2:02d}{account}"
    if maker.random.random() < 0.5:
        number = " ".join(number[at : at + 4] for at in range(0, len(number), 4))
    return number, maker.pick("IBAN {}", "pay to {} please", "account: {}").format(number)


def _card(maker: Maker, *, right: bool = True) -> tuple[str, str]:
    prefix, length = maker.random.choice([("4", 16), ("51", 16), ("55", 16), ("37", 15), ("6011", 16), ("2221", 16)])
    digits = prefix + maker.draw(DIGITS, length - len(prefix) - 1)
    doubled = [int(char) * (2 - position % 2) for position, char in enumerate(reversed(digits))]
    check = -sum(value - 9 * (value > 9) for value in doubled) % 10
    digits += str(check if right else (check + 3) % 10)
    groups = (4, 6, 5) if length == 15 else (4, 4, 4, 4)
    cuts = [sum(groups[:at]) for at in range(len(groups) + 1)]
    number = maker.pick("", " ", "-").join(digits[begin:end] for begin, end in itertools.pairwise(cuts))
    return number, maker.pick("card {}", "charge {} again", "test with {} first", "`{}`").format(number)


def _home(maker: Maker) -> tuple[str, str]:
    name = maker.pick("ada", "ghopper", "jdoe42", "anna.meier", "liwei", "mmustermann")
    path = maker.pick(
        "/home/{}/src/app", "/Users/{}/Projects", r"C:\Users\{}\Documents", "/home/{}/.config/x", r"C:\\Users\\{}\\x"
    )
    return name, maker.pick("open {} there", "`{}`", "cd {}", 'path = "{}"').format(path.format(name))


def _signed(maker: Maker) -> tuple[str, str]:
    signature = maker.random.choice(
        [
            lambda: maker.draw(HEX, 64),
            lambda: urllib.parse.quote(base64.b64encode(maker.draw(LOWER + DIGITS, 32).encode()).decode(), safe=""),
            lambda: maker.draw(LOWER + UPPER + DIGITS + "~-_", 80),
        ]
    )()
    address = maker.pick(
        "https://bucket.s3.amazonaws.com/a.zip?X-Amz-Date=20250101T000000Z&X-Amz-Signature={}",
        "https://storage.googleapis.com/b/o.png?X-Goog-Expires=900&X-Goog-Signature={}",
        "https://acct.blob.core.windows.net/c/f.txt?sv=2023-11-03&sp=r&sig={}",
        "https://d111.cloudfront.net/v.mp4?Expires=1735689600&Signature={}",
        "https://app.example.org/reset?token={}",
    ).format(signature)
    return signature, maker.pick("fetch {}", "<{}>", "see {} for the file").format(address)


PERSONAL: dict[str, Callable[[Maker], tuple[str, str]]] = {
    "email": _mail,
    "phone": _phone,
    "iban": _iban,
    "card": _card,
    "home": _home,
    "signed-url": _signed,
}


def personal(maker: Maker, count: int) -> list[Sample]:
    """Make texts with personal details, each family in turn."""
    families = list(PERSONAL)
    made = [(families[at % len(families)], PERSONAL[families[at % len(families)]](maker)) for at in range(count)]
    return [Sample(family, text, secret) for family, (secret, text) in made]


LOOK_ALIKES = (
    "clone git@github.com:acme/app.git", "npm i left-pad@1.3.0", "use @types/node@20.11.5", "icon@2x.png",
    "icon@3x.png too", "ssh deploy@staging", "the @app.route decorator", "def f(self) -> A @ B", "a @ b.c",
    "actions/checkout@v4",
    "foo@^1.2.3",
    "released 2024-03-15, 10:30:00", "between 2020-2024", "version 10.0.19045.3803", "ISBN 978-3-16-148410-0",
    "127.0.0.1:8080 and 192.168.178.21", "timestamp 1700000000000", "lines 100-250, 300-420", "1,000,000 rows",
    "port 5432, pid 123456", "build 2024.1.15.3", "issue 12345678", "range 0-4294967295", "pi is 3.14159265358979",
    "the /home route", "route /home/dashboard", "GET /Users/:id", "/users/{id}/orders", "~/src/app", "/usr/local/bin",
    "/home/user/project", "C:\\Users\\Public\\x", "https://example.org/home/ada", "see /Users/<name>/Library",
    "https://example.org/?page=2&sort=name", "https://example.org/a?v=1.2.3", "?utm_source=news&utm_medium=mail",
    "https://example.org/search?q=how+to+sign+urls", "https://example.org/#section-2", "sizes 1234 5678 90",
    "sum 1 234 567,89", "0x7fff5fbff8c0", "ticket AB12 3456", "PNR DE44AB", "GB2312 and UTF-16", "RFC 2616 7230 7231",
    "coordinates 52.5200, 13.4050", "ratio 16:9 1920x1080", "5 + 3 = 8", "grades 555-123", "call f(1234567)",
)  # fmt: skip


def look_alikes(maker: Maker, count: int) -> list[Sample]:
    """Make texts that look like personal details and hold none."""
    made = [Sample("written", text) for text in LOOK_ALIKES]
    while len(made) < count:
        family = maker.pick("card", "iban", "date", "number", "package")
        if family == "card":
            text = _card(maker, right=False)[1]
        elif family == "iban":
            text = _iban(maker, right=False)[1]
        elif family == "date":
            text = f"since 20{maker.draw('012', 1)}4-0{_figure(maker)}-1{maker.draw(DIGITS, 1)} 12:30"
        elif family == "number":
            text = f"order {maker.draw('123456789', 1)}{maker.draw(DIGITS, maker.random.choice([5, 7, 9, 11]))} is late"
        else:
            text = f"pin {maker.pick('left-pad', '@acme/ui')}@{_figure(maker)}.0.{maker.draw(DIGITS, 2)}"
        made.append(Sample(family, text))
    return made[:count]


PACKAGES = (
    "eslint-plugin-react-hooks", "@types/node", "psycopg2-binary", "x86_64-unknown-linux-gnu", "n1-standard-4",
    "cp311-cp311-manylinux_2_17_x86_64", "@babel/plugin-transform-es2015-modules-commonjs",
)  # fmt: skip


def _said(maker: Maker, thing: str, *sentences: str) -> str:
    return maker.pick(*sentences).format(thing)


def _figure(maker: Maker) -> str:
    return maker.draw("123456789", 1)


def _base64(digest: hashlib._Hash) -> str:
    return base64.b64encode(digest.digest()).decode()


def _uuid(maker: Maker) -> str:
    return "-".join(maker.draw(HEX, count) for count in (8, 4, 4, 4, 12))


NIX = "0123456789abcdfghijklmnpqrsvwxyz"


def tool_output(maker: Maker) -> list[Sample]:
    """Make one line of each sort that lock files, version control, clusters and checksum tools print."""
    d = maker.draw
    lines = {
        "npm lock": f'"integrity": "sha512-{_base64(hashlib.sha512(d(HEX, 9).encode()))}",',
        "yarn lock": f'resolved "https://registry.example.org/left-pad/-/left-pad-1.3.0.tgz#{d(HEX, 40)}"',
        "cargo lock": f'checksum = "{d(HEX, 64)}"',
        "poetry lock": f'{{file = "attrs-23.1.0-py3-none-any.whl", hash = "sha256:{d(HEX, 64)}"}},',
        "pip hash": f"    --hash=sha256:{d(HEX, 64)} \\",
        "nix": f"/nix/store/{d(NIX, 32)}-hello-2.10/bin/hello",
        "git log": f"commit {d(HEX, 40)} (HEAD -> main)",
        "linked commit": f"[`{d(HEX, 40)}`](https://github.com/acme/app/commit/1)",
        "regression": f"the regression came with {d(HEX, 40)}",
        "pinned action": f"- uses: actions/setup-node@{d(HEX, 40)} # v4",
        "container": f"exec into container {d(HEX, 64)}",
        "image": f" => => writing image sha256:{d(HEX, 64)}",
        "pod": f"kubectl logs payment-service-{d(HEX, 10)}-{d(LOWER + DIGITS, 5)}",
        "trace": f"traceparent: 00-{d(HEX, 32)}-{d(HEX, 16)}-01",
        "event": f"event_id: {d(HEX, 32)}",
        "etag": f'ETag: "{d(HEX, 32)}"',
        "md5sum": f"{d(HEX, 32)}  dist.tar.gz",
        "sha256sum": f"{d(HEX, 64)} *./dist.tar.gz",
        "bsd checksum": f"SHA256 (dist.tar.gz) = {d(HEX, 64)}",
        "cache key": f"cache key: node-modules-{d(HEX, 64)}",
        "network": f"subnet-0{d(HEX, 16)} and sg-0{d(HEX, 16)}",
        "document": f'ObjectId("{d(HEX, 24)}")',
        "gpg": f"gpg --recv-keys {d(HEX, 40).upper()}",
        "signature": f"gpg: Signature made using RSA key {d(HEX, 40).upper()}",
        "migration": f"alembic/versions/{d(HEX, 12)}_add_cart.py",
        "advisory": f"ignore GHSA-{d('23456789cfghjmpqrvwx', 4)}-{d('23456789cfghjmpqrvwx', 4)}-{d('cfghjmpq', 4)}",
        "domain": "xn--e1afmkfd.xn--p1ai",
        "float": f"0x1.{d(HEX, 13)}p+29",
        "two rows": f"rows {_uuid(maker)} and {_uuid(maker)}",
        "row": f"create a user with id {_uuid(maker)}",
        "query": f"DELETE FROM t WHERE id = '{_uuid(maker)}';",
        "guid": f"<ProjectGuid>{{{_uuid(maker).upper()}}}</ProjectGuid>",
        "image data": f"![x](data:image/png;base64,{base64.b64encode(d(UPPER, 60).encode()).decode()})",
        "chunk": f"/_next/static/chunks/{d(HEX, 16)}.js",
        "hashed path": f"reports/pages/ReportSection{d(HEX, 20)}/visuals/{d(HEX, 20)}/visual.json",
        "anchor": "see manual.html#ASN1-ELEMENT-NOT-FOUND",
    }
    return [Sample(family, line) for family, line in lines.items()]


def identifiers(maker: Maker, count: int) -> list[Sample]:
    """Make texts with names of things that are no secrets, however random they look."""
    d = maker.draw
    families: dict[str, Callable[[], str]] = {
        "commit": lambda: _said(
            maker,
            d(HEX, 40),
            "uses: actions/checkout@{}",
            "revert commit {}",
            "fixed in {0:.9} and since commit {0}",
            "git show {}",
        ),
        "uuid": lambda: _said(
            maker,
            "-".join(d(HEX, n) for n in (8, 4, 4, 4, 12)),
            "session {} failed",
            "the run id is {}",
            "trace {}",
            "{}",
        ),
        "digest": lambda: _said(
            maker, d(HEX, 64), "FROM python@sha256:{}", "sha256: {}", 'checksum = "{}"', "digest {}"
        ),
        "integrity": lambda: f'"integrity": "sha512-{_base64(hashlib.sha512(d(HEX, 9).encode()))}"',
        "gosum": lambda: f"golang.org/x/net v0.{_figure(maker)}.0 h1:{_base64(hashlib.sha256(d(HEX, 9).encode()))}",
        "semver": lambda: f"upgrade to {_figure(maker)}.{d(DIGITS, 1)}.0-rc.{_figure(maker)}+build.{d(DIGITS, 4)}",
        "pseudo": lambda: f"v0.0.0-20{d('012', 1)}{d(DIGITS, 1)}1231085349-{d(HEX, 12)}",
        "path": lambda: _said(
            maker,
            d(HEX, 8),
            "dist/assets/index-{}.js",
            "src/v2/oauth2_{:.3}.py",
            "docs/adr/0012-use-{:.4}.md",
            "build/{}.map",
        ),
        "colour": lambda: f"use #{d(HEX, 6)} and #{d(HEX, 8)} here",
        "ulid": lambda: f"fact 01{d(CROCKFORD, 24)}",
        "image": lambda: f"ghcr.io/acme/app:{maker.pick('main', 'pr')}-{d(HEX, 7)}",
        "package": lambda: maker.pick(*PACKAGES),
    }
    names = list(families)
    return [Sample(names[at % len(names)], families[names[at % len(names)]]()) for at in range(count)]


def _hide(maker: Maker, secret: str) -> str:
    for _ in range(3):
        at = maker.random.randrange(1, len(secret))
        secret = secret[:at] + maker.pick("\u200b", "\u2060", "\ufeff", "\u00ad") + secret[at:]
    return f"the token is {secret}, keep it"


DISGUISES: dict[str, Callable[[Maker, str], str]] = {
    "zero width": _hide,
    "line-wrapped": lambda _, s: f"use this one:\n{s[: len(s) // 2]}\n{s[len(s) // 2 :]}\nto deploy",
    "percent": lambda _, s: "go to " + "".join(f"%{ord(char):02X}" for char in s),
    "base64": lambda _, s: f"decode {base64.b64encode(s.encode()).decode()} first",
    "entities": lambda _, s: "<p>" + "".join(f"&#{ord(char)};" for char in s) + "</p>",
    "full width": lambda _, s: "key " + "".join(chr(ord(char) + 0xFEE0) for char in s),
    "next cell": lambda _, s: f"| API_KEY | {s} |",
    "in path": lambda m, s: m.pick("/srv/keys/{}/config", "https://api.example.org/v1/{}/send").format(s),
    "in query": lambda m, s: f"https://api.example.org/v1?{m.pick('key', 't', 'access_token')}={s}&x=1",
    "json in json": lambda _, s: json.dumps({"body": json.dumps({"token": s, "n": 1})}),
}


def resolved(text: str) -> str:
    """Undo every disguise, to see whether a secret is still in a text."""
    plain = urllib.parse.unquote(html.unescape(text)).translate(
        {ord(char): None for char in "\u200b\u2060\ufeff\u00ad\n"}
    )
    plain = "".join(chr(ord(char) - 0xFEE0) if "\uff01" <= char <= "\uff5e" else char for char in plain)
    for word in text.split():
        try:
            plain += " " + base64.b64decode(word, validate=True).decode("ascii")
        except (ValueError, UnicodeDecodeError):
            continue
    return plain
