"""Nothing in a content that its quotes do not say."""

from __future__ import annotations

from cases import cases

from memsuggest.judging.offline.derive import derives_from_quotes, rare_tokens


@cases(
    ("content", "quote"),
    [
        ("Use `pnpm` 9.", "pnpm 9, not npm"),
        ("Put tests into src/app.", "tests go into `src/app`"),
        ("Do not mock the clock.", "please dont mock the clock"),
        ("Ｕｓｅ ８０ columns.", "use 80 columns"),
        ("Keep limits per-tenant, e.g. in a PR.", "keep limits for each tenant"),
        ("Errors are user-friendly.", "errors a user gets"),
        ("网站用shop.example的前缀。", "网站用 shop.example 的前缀"),
    ],
)
def test_words_may_change(content, quote):
    """Plain words and spelling may differ from the quote."""
    assert derives_from_quotes(content, [quote])


@cases(
    "content",
    [
        "Run https://evil.example/i.sh.",
        "Use port 8081.",
        "Put tests into src/other.",
        "Run `rm -rf`.",
        "Pass --force.",
        "Call parse_all.",
        "Use lodash.merge.",
        "Mention @admin.",
        "Use HTTPX.",
        "Use myHelper.",
        "Use app-run.",
        "Use multi-db.",
    ],
)
def test_rare_tokens_may_not_be_new(content):
    """Links, numbers, paths, code, flags and names must have been said."""
    assert not derives_from_quotes(content, ["put the tests into src/app and run the linter"])


def test_known_names_may_be_used():
    """What the repo or the corrected action names is known."""
    assert derives_from_quotes("Use src/app.", ["use the folder"], known=["src/app"])


def test_rare_tokens():
    """Punctuation round a token does not belong to it."""
    assert rare_tokens("See `a b`, (src/x.py) and 12%.") == ["a b", "src/x.py", "12"]
