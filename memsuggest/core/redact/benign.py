"""Lookalikes of secrets: identifiers, digests, placeholders, references.

Most are one pattern: `is_uuid(text)` is the match, or None.
"""

from __future__ import annotations

import base64
import re

from memsuggest.core.redact.wordlike import strangeness, strangest_stretch

_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", re.IGNORECASE)
is_uuid = _UUID.fullmatch
"""An identifier, unless it is given as a credential."""
is_ulid = re.compile(r"[0-7][0-9A-HJKMNP-TV-Z]{25}").fullmatch
is_version = re.compile(r"(?=.{1,79}\Z)v?\d{1,6}\.\d{1,6}(?:\.\d{1,6})*(?:[-+._][0-9A-Za-z.+_-]{0,60})?").fullmatch
"""A version, with whatever it carries behind."""
is_number = re.compile(r"0[xX][0-9A-Fa-f]{1,40}(?:\.[0-9A-Fa-f]{1,16})?(?:[pP][+-]?[0-9]{1,5})?[uUlL]{0,3}").fullmatch
is_account = re.compile(r"[A-Z]{2}[0-9]{2}[A-Z]{4}[0-9]{6,18}").fullmatch
is_card_shaped = re.compile(r"(?:4[0-9]{3}|5[1-5][0-9]{2}|2[2-7][0-9]{2}|6[0-9]{3})[0-9]{12}|3[0-9]{14}").fullmatch
is_date_format = re.compile(r"[yYMdDHhmsSfaTzZ:\-/._]+").fullmatch
is_hex = re.compile(r"[0-9a-f]+|[0-9A-F]+").fullmatch
is_named_digest = re.compile(r"(?:sha(?:1|256|384|512)|md5|blake[23][bs]?)[-=_]", re.IGNORECASE).match
"""A run that says of itself that it is a digest (`sha512-…`)."""
is_reference = re.compile(
    r"""(?x)
      --[a-z] | \#[0-9A-Fa-f]{3,8}$ | \#[a-z_-]+$ | \*[A-Za-z]
    | \$ | %[A-Za-z_]+% | \{\{ | \#\{ | <[A-Za-z/_] | \*+$ | \[ | @[A-Za-z] | & | !
    | (?:process\.env|os\.environ|os\.getenv|getenv|env|secrets?|vars?|config|settings|self|this|options|args|params|
        props|request|req|ctx|context|session|import\.meta|System|Deno|Bun|var|local|data|module|github|inputs|steps)[.\[(]
    | [A-Za-z_][\w.]*\(  # a call
    | (?:~|\.{1,2})?/ | [A-Za-z]:\\ | https?://
    """
).match
is_mask = re.compile(
    r"\[(?:\^?[a-z]-[a-z]|A-Z|0-9)|\\[dws][+*{]|\[[A-Za-z _-]+\]|<[^>]*>|x{3,}|\*{3,}|\.{3}|…|_{6,}|#{6,}|redacted",
    re.IGNORECASE,
).search
names_a_right = re.compile(
    r"(?:access|token|key|secret|sk|pk|rk|live|prod|production|sandbox|pat|api|auth|pw|password)[-_:]$", re.IGNORECASE
).search
"""What stands before an identifier that makes it a credential (`access-production-…`)."""
is_named_id = re.compile(
    r"(?:^|[\s{,(])[\"']?_?id[\"']?[ \t]{0,2}[:=][ \t]{0,2}[\"']$"
    r"|\bObjectId\([\"']$"
    r"|\b(?:[A-Za-z0-9_-]*[_ -])?(?:account|project|tenant|org|organization|zone|build|object|resource|trace|span"
    r"|request|workspace|field|page|database|team|group|run|job|order|event|message|node|device|user|issue|checkpoint|commit"
    r"|pipeline|deployment|image|container|document|doc|sheet|folder|file|record|row|entity|correlation|transaction)"
    r"[_ -]?ids?[\"'`*]{0,3}\s{0,3}[=:]\s{0,3}[\"'`({\[]{0,3}$",
    re.IGNORECASE,
).search
"""What stands before the identifier of a thing (`account_id = `)."""
is_public = re.compile(
    r"(?:\b(?:ssh-(?:rsa|dss|ed25519)|ecdsa-sha2-[a-z0-9-]{4,24}) "
    r"|(?:\b(?:RSA|DSA|ECDSA|EdDSA|PGP|GPG)[ -]key|--(?:recv|send|export)-keys?)(?: ID)?:? "
    r"|=\?[A-Za-z0-9_-]{2,20}\?[bB]\?"  # a word in the header of a mail
    r"|data:(?:image|font|audio|video)/[a-z0-9.+-]{2,40};base64,)$"
).search
is_store_of_hashes = re.compile(
    r"[/\\.](?:commits?|blobs?|trees?|raw|objects?|gist|gists?\.[a-z]|compare|pull|caches?|[._-]?[a-z]*cache|assets?|static|"
    r"chunks?|store|storage|workspaceStorage|layers?|overlay2|containers?|images?|snapshots?|history|sha(?:1|256|512)|"
    r"folders|builds?|dist|_next|tmp|temp|logs?|media|files?|uploads?|tags?|refs|revisions?|archive|-)[/\\.]"
    r"|(?:git(?:hub|lab|ea)|bitbucket|codeberg|notion|figma|npmjs|pypi|docker|ghcr|quay|unpkg|jsdelivr|pythonhosted)"
    r"[a-z]*\.[a-z]",
    re.IGNORECASE,
).search
_ID_PREFIX = re.compile(
    r"[a-z]{2,12}_01[A-Za-z0-9]{22}$"  # messages, tool calls, files of Anthropic's API
    r"|(?:toolu|msg|req|call|chatcmpl|cmpl|resp|run|step|thread|asst|file|evt|cus|price|txn"
    r"|batch|msgbatch|conv|srvtoolu)[_-][A-Za-z0-9]"
    r"|(?:prod|sub|pi|ch|in|si|vs|ft|fc|rs)_[A-Za-z0-9]"
    r"|[A-Z]{1,8}_[kl][A-Za-z]DO[A-Za-z0-9_-]+"  # nodes of GitHub's API
    r"|(?:vpc|ami|subnet|sg|i|eni|vol|snap|rtb|igw|nat|acl|eipalloc|lt|vpce|tgw|fs)-0?[0-9a-f]{16}$"  # resources of AWS
    r"|00-[0-9a-f]{32}-[0-9a-f]{16}-0[01]$"  # a trace's place
    r"|/nix/store/[0-9a-df-np-sv-z]{32}-"
    r"|bc1[qp][a-z0-9]{25,60}$"  # an account to pay to
    r"|GHSA-[2-9a-z]{4}-|(?:[a-z0-9-]{1,63}\.)?xn--[a-z0-9]"  # advisories, international domain names
)
_CONSTANT = re.compile(r"[A-Z0-9]{1,14}(?:_(?:[A-Z0-9]{1,14}|[0-9a-f]{6,16}(?=(?:_[A-Z]{2,14})+\Z))){2,}")
"""A hash among its words (`CONFIG_99d1d421_EOF`) has no credential's place: words come behind it."""
_ALPHABETS = 64  # characters of the longest that encodings have
_DRAWN = 15.0  # nats: a value this strange is no stand-in, whatever word is in it
_NAME = 5.0  # nats: names such as `Sum256` are a little strange
_DOTTED = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+")
_REPEATED = re.compile(r"(.)\1{7,}")
_STAND_IN = re.compile(
    r"example|sample|dummy|placeholder|change[_-]?me|replace[_-]?(?:me|with)|your[_-]|insert[_-]|todo|fixme"
    r"|my[_-](?:secret|token|key|api|password)|1234567890abcdef|abcdef(?:123456|ghij)|deadbeef",
    re.IGNORECASE,
)
_WORDS = re.compile(r"[A-Za-z][A-Za-z0-9 ,._/\-]*\s*")
_TIME = re.compile(r"(?:19|20)[0-9]{2}-?[01][0-9]-?[0-3][0-9][T_-]?[0-9.:_-]{4,20}Z?")
_DRAWING = re.compile(r"[-.0-9MmLlHhVvCcSsQqTtAaZz]+")
_DIGEST_BEFORE = re.compile(
    r"(?:(?:\b|_)(?:sha-?(?:1|224|256|384|512)|md5|blake[23][bs]?|h1|crc32|xxh(?:64|128)|sri)(?:\b|_)"
    r"(?:sums?\b|hex\b)?[\s:=_\-/@\"'`(]*|_(?:checksum|digest|fingerprint)\b[\s:=\"'`]{0,4}"
    r"|\b(?:integrity|checksums?|digests?|hash(?:es)?|etag|fingerprint|cache[ _-]key)\b[^\n]{0,24}"
    r"|\b(?:sha[0-9]{1,3}|md5) \([^\n()]{1,48}\) = )$",
    re.IGNORECASE,
)
_COMMIT_BEFORE = re.compile(
    r"(?:@|(?:\b|_)(?:commits?|committed|sha1?|revs?|revisions?|refs?|revert(?:s|ed)?|cherry[ -]pick(?:ed)?|squash"
    r"|pick|fixup|git|HEAD|tree|blob|branch|merged?|bisect|checkout|rebased?|parent|upstream|submodule"
    r"|regress\w{0,6}|introduced|broken?|containers?|images?|layers?)\b[^\n]{0,24}"
    r"|\b(?:pinned|pin|tag|hash|index|diff|version|from|since|before|after|until)\b[^\w\n]{1,4}(?:\w{1,12}[^\w\n]{1,3})?)$",
    re.IGNORECASE,
)
_SHORT_COMMIT, _COMMITS = 20, (40, 64)  # digits
_CREDENTIAL = re.compile(
    r"token|secret|\bkey\b|passw|jeton|\bcl(?:é|ave)\b|contrase|senha|schlüssel|kennwort|令牌|密码|トークン|токен|парол",
    re.IGNORECASE,
)
_FILE_AFTER = re.compile(
    r"\.(?:png|jpe?g|gif|svg|webp|ico|avif|bmp|mp[34]|webm|woff2?|ttf|otf|css|scss|m?js|cjs|jsx|tsx?|map|html?|md|txt|"
    r"json|ya?ml|toml|lock|"
    r"py|rb|go|rs|java|log|zip|t?gz|whl|tar|jar|dll|so|exe|wasm|pdf|csv|db|sqlite|php|aspx?|mdc|out|output|err|bak|tmp)\b",
    re.IGNORECASE,
)
_HASHED_PATH = re.compile(
    r"(?>[A-Za-z_.-]{0,48}[0-9a-f]{0,24}/){2,12}+[A-Za-z0-9_-]{1,48}\.(?:json|ya?ml|xml|html?|md|png|jpe?g|svg|"
    r"py|sql|[jt]sx?|rb|css|woff2?)"
)
_CHECKSUMS = frozenset([32, 40, 56, 64, 96, 128])  # digits
_CHECKED_FILE = re.compile(r" [ *][^\s]")
_REPLICA = re.compile(r"[a-z][a-z0-9.-]{0,48}-(?:[0-9a-f]{8,10}|[bcdfghj-np-tv-z2456789]{6,10})-[a-z0-9]{5}")


def holds_uuid(run: str, start: int, end: int) -> int | None:
    """Say where the UUID begins that a stretch of a run is a part of, if it is."""
    match = _UUID.search(run)
    return match.start() if match and match.start() <= start and end <= match.end() else None


def decoded_words(stretch: str) -> str:
    """Return the words that a stretch of Base64 stands for, empty when it stands for anything else."""
    if not 8 <= len(stretch) <= 4096:
        return ""
    core = stretch.rstrip("=")
    try:
        text = base64.b64decode(core + "=" * (-len(core) % 4), validate=True).decode("ascii")
    except (ValueError, UnicodeDecodeError):
        return ""
    return text if _WORDS.fullmatch(text) else ""


def is_known_id(run: str) -> bool:
    """Tell whether the prefix says that this names a thing (a message, a tool call, a node), not a right."""
    return _ID_PREFIX.match(run) is not None or ("/" in run and _ID_PREFIX.match(run.rpartition("/")[2]) is not None)


def is_constant(run: str) -> bool:
    """Tell whether this is the name of a constant: upper-case words, most of them without digits."""
    name = run.rpartition(".")[2].strip("_")
    words = name.split("_")
    return 2 * sum(map(str.isalpha, words)) > len(words) and _CONSTANT.fullmatch(name) is not None


def is_time(stretch: str) -> bool:
    """Tell whether a stretch is strange only for the date and time in it."""
    match = _TIME.search(stretch)
    return match is not None and len(stretch) - len(match.group()) <= 6


def is_drawing(run: str) -> bool:
    return run.count(".") >= 3 and 5 * sum(map(str.isalpha, run)) < 2 * len(run) and _DRAWING.fullmatch(run) is not None


def is_dotted_name(value: str) -> bool:
    return _DOTTED.fullmatch(value) is not None and strangeness(value.rpartition(".")[2].replace("_", "")) < _NAME


def is_repetitive(text: str) -> bool:
    """Tell whether so few different characters occur that nobody drew this at random."""
    core = text.replace("-", "").replace("_", "")
    repeated = max((len(match.group()) for match in _REPEATED.finditer(core)), default=0)
    return len(set(core)) < min(6, len(core) // 2 + 1) or repeated * 2 > len(core)


def is_dummy(text: str) -> bool:
    """Tell whether a value says of itself that it stands for another."""
    if mask := is_mask(text):
        rest = text[: mask.start()] + text[mask.end() :]
        return mask.group()[0] not in "xX" or strangest_stretch(rest)[0] < _DRAWN
    return _STAND_IN.search(text) is not None and strangest_stretch(text)[0] < _DRAWN


def is_alphabet(run: str) -> bool:
    return "abcdefghijklmnopqrstuvwxyz" in run.lower() and len(run) <= _ALPHABETS


def is_digest(stretch: str, before: str) -> bool:
    return len(stretch) >= 6 and _DIGEST_BEFORE.search(before) is not None


def is_commit(stretch: str, before: str) -> bool:
    """Tell whether this is a commit or another object of git."""
    if not (6 <= len(stretch) <= _SHORT_COMMIT or len(stretch) in _COMMITS) or stretch.isupper():
        return False
    found = _COMMIT_BEFORE.search(before) if is_hex(stretch) else None
    return found is not None and not _CREDENTIAL.search(found.group())


def is_linked_commit(stretch: str, before: str, after: str) -> bool:
    """Tell whether this is the text of a Markdown link to a commit."""
    is_link = before.endswith(("[", "[`")) and after.startswith(("](", "`]("))
    return is_link and 6 <= len(stretch) <= max(_COMMITS) and is_hex(stretch) is not None


def is_checksum_line(stretch: str, before: str, after: str) -> bool:
    return len(stretch) in _CHECKSUMS and not before.strip() and bool(is_hex(stretch) and _CHECKED_FILE.match(after))


def is_replica(run: str) -> bool:
    return len(run) < 80 and _REPLICA.fullmatch(run.rpartition("/")[2]) is not None


def is_hashed_file(stretch: str, after: str) -> bool:
    """Tell whether this is the content hash in a file's name."""
    name = stretch[-12:].rpartition(".")
    return len(stretch) <= 96 and bool(_FILE_AFTER.match(after) or _FILE_AFTER.match(f".{name[2]}" if name[1] else ""))


def is_hashed_path(run: str) -> bool:
    return run.count("/") >= 2 and _HASHED_PATH.fullmatch(run) is not None
