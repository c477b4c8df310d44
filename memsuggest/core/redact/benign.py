"""Lookalikes of secrets: identifiers, digests, placeholders, references.

Many are one pattern: `is_uuid(text)` is the match, or None.
"""

from __future__ import annotations

import re

from memsuggest.core.redact.wordlike import strangeness, strangest_stretch

_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", re.IGNORECASE)
is_uuid = _UUID.fullmatch
"""An identifier, unless it is given as a credential."""
is_version = re.compile(r"(?=.{1,79}\Z)v?\d{1,6}\.\d{1,6}(?:\.\d{1,6})*(?:[-+._][0-9A-Za-z.+_-]{0,60})?").fullmatch
"""A version, with whatever it carries behind."""
is_card_shaped = re.compile(r"(?:4[0-9]{3}|5[1-5][0-9]{2}|2[2-7][0-9]{2}|6[0-9]{3})[0-9]{12}|3[0-9]{14}").fullmatch
is_hex = re.compile(r"[0-9a-f]+|[0-9A-F]+").fullmatch
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
_DRAWN = 15.0  # nats: a value this strange is no stand-in, whatever word is in it
_STAND_IN = re.compile(
    r"example|sample|dummy|placeholder|change[_-]?me|replace[_-]?(?:me|with)|your[_-]|insert[_-]|todo|fixme"
    r"|my[_-](?:secret|token|key|api|password)|1234567890abcdef|abcdef(?:123456|ghij)|deadbeef",
    re.IGNORECASE,
)
_NAME = 5.0  # nats: names such as `Sum256` are a little strange
_DOTTED = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+")
_REPEATED = re.compile(r"(.)\1{7,}")


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


def is_commit(stretch: str, before: str) -> bool:
    if not (6 <= len(stretch) <= _SHORT_COMMIT or len(stretch) in _COMMITS) or stretch.isupper():
        return False
    found = _COMMIT_BEFORE.search(before) if is_hex(stretch) else None
    return found is not None and not _CREDENTIAL.search(found.group())


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
_REPLICA = re.compile(r"[a-z][a-z0-9.-]{0,48}-(?:[0-9a-f]{8,10}|[bcdfghj-np-tv-z2456789]{6,10})-[a-z0-9]{5}")


_SHORT_HEX = 17  # digits: abbreviated commits, spans, checksums and ids of ours have fewer
_COMMITS = (40, 64)  # digits
_CHECKSUMS = frozenset([32, 40, 56, 64, 96, 128])  # digits
_CHECKED_FILE = re.compile(r" [ *][^\s]")
_RIGHT_BEFORE = re.compile(
    r"(?:access|token|key|secret|sk|pk|rk|live|prod|production|sandbox|pat|api|auth|pw|password)[-_:]$", re.IGNORECASE
)
"""Words before an identifier that make it a credential (`access-production-…`)."""
_NAMED_ID = re.compile(
    r"(?:^|[\s{,(])[\"']?_?id[\"']?[ \t]{0,2}[:=][ \t]{0,2}[\"']$"
    r"|\bObjectId\([\"']$"
    r"|\b(?:[A-Za-z0-9_-]*[_ -])?(?:account|project|tenant|org|organization|zone|build|object|resource|trace|span"
    r"|request|workspace|field|page|database|team|group|run|job|order|event|message|node|device|user|issue|checkpoint|commit"
    r"|pipeline|deployment|image|container|document|doc|sheet|folder|file|record|row|entity|correlation|transaction)"
    r"[_ -]?ids?[\"'`*]{0,3}\s{0,3}[=:]\s{0,3}[\"'`({\[]{0,3}$",
    re.IGNORECASE,
)
"""What stands before the identifier of a thing (`account_id = `)."""
_PUBLIC = re.compile(
    r"(?:\b(?:ssh-(?:rsa|dss|ed25519)|ecdsa-sha2-[a-z0-9-]{4,24}) "
    r"|(?:\b(?:RSA|DSA|ECDSA|EdDSA|PGP|GPG)[ -]key|--(?:recv|send|export)-keys?)(?: ID)?:? "
    r"|=\?[A-Za-z0-9_-]{2,20}\?[bB]\?"  # a word in the header of a mail
    r"|data:(?:image|font|audio|video)/[a-z0-9.+-]{2,40};base64,)$"
)
_DIGEST_BEFORE = re.compile(
    r"(?:(?:\b|_)(?:sha-?(?:1|224|256|384|512)|md5|blake[23][bs]?|h1|crc32|xxh(?:64|128)|sri)(?:\b|_)"
    r"(?:sums?\b|hex\b)?[\s:=_\-/@\"'`(]*|_(?:checksum|digest|fingerprint)\b[\s:=\"'`]{0,4}"
    r"|\b(?:integrity|checksums?|digests?|hash(?:es)?|etag|fingerprint|cache[ _-]key)\b[^\n]{0,24}"
    r"|\b(?:sha[0-9]{1,3}|md5) \([^\n()]{1,48}\) = )$",
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
_STORE_OF_HASHES = re.compile(
    r"[/\\.](?:commits?|blobs?|trees?|raw|objects?|gist|gists?\.[a-z]|compare|pull|caches?|[._-]?[a-z]*cache|assets?|static|"
    r"chunks?|store|storage|workspaceStorage|layers?|overlay2|containers?|images?|snapshots?|history|sha(?:1|256|512)|"
    r"folders|builds?|dist|_next|tmp|temp|logs?|media|files?|uploads?|tags?|refs|revisions?|archive|-)[/\\.]"
    r"|(?:git(?:hub|lab|ea)|bitbucket|codeberg|notion|figma|npmjs|pypi|docker|ghcr|quay|unpkg|jsdelivr|pythonhosted)"
    r"[a-z]*\.[a-z]",
    re.IGNORECASE,
)
_PIECE = re.compile(r"[A-Za-z0-9]+")


_ULID = re.compile(r"[0-7][0-9A-HJKMNP-TV-Z]{25}")
_THING = re.compile(
    r"0[xX][0-9A-Fa-f]{1,40}(?:\.[0-9A-Fa-f]{1,16})?(?:[pP][+-]?[0-9]{1,5})?[uUlL]{0,3}"  # a number
    r"|[yYMdDHhmsSfaTzZ:\-/._]+"  # the format of a date
)

_CONSTANT = re.compile(r"[A-Z0-9]{1,14}(?:_(?:[A-Z0-9]{1,14}|[0-9a-f]{6,16}(?=(?:_[A-Z]{2,14})+\Z))){2,}")
"""A hash among its words (`CONFIG_99d1d421_EOF`) has no credential's place: words come behind it."""
_DRAWING = re.compile(r"[-.0-9MmLlHhVvCcSsQqTtAaZz]+")


def is_identifier(run: str, start: int, end: int, *, before: str, after: str) -> bool:
    """Tell if a stretch of a run names a commit, a digest, a version, a file or another thing, and opens nothing."""
    stretch, line, name = run[start:end], before[: max(0, len(before) - start)], run.rpartition("/")[2]
    uuid, size = _UUID.search(run), len(stretch)
    hexadecimal, ending = is_hex(stretch), stretch[-12:].rpartition(".")
    words = run.rpartition(".")[2].strip("_").split("_")
    return bool(
        (uuid and uuid.start() <= start and end <= uuid.end() and not _RIGHT_BEFORE.search(run[: uuid.start()]))
        or all(len(piece) < _SHORT_HEX and is_hex(piece) for piece in re.split(r"[./]+", stretch))
        or _THING.fullmatch(run)
        or is_version(run)
        or _ID_PREFIX.match(run)
        or _ID_PREFIX.match(name)
        or (len(run) < 80 and _REPLICA.fullmatch(name))
        or (2 * sum(map(str.isalpha, words)) > len(words) and _CONSTANT.fullmatch("_".join(words)))
        or (run.count(".") >= 3 and 5 * sum(map(str.isalpha, run)) < 2 * len(run) and _DRAWING.fullmatch(run))
        or _ULID.fullmatch(stretch)
        or is_commit(stretch, before)
        or (hexadecimal and 6 <= size <= 64 and before.endswith(("[", "[`")) and after.startswith(("](", "`](")))
        or (hexadecimal and size in _CHECKSUMS and not before.strip() and _CHECKED_FILE.match(after))
        or (size >= 6 and (_DIGEST_BEFORE.search(before) or _DIGEST_BEFORE.search(line)))
        or _NAMED_ID.search(before)
        or _PUBLIC.search(line)
        or (size <= 96 and (_FILE_AFTER.match(after) or (ending[1] and _FILE_AFTER.match(f".{ending[2]}"))))
        or (run.count("/") >= 2 and _HASHED_PATH.fullmatch(run))
        or (
            _STORE_OF_HASHES.search(before + run[:start])
            and all(is_hex(piece) or strangeness(piece) <= 3 for piece in _PIECE.findall(stretch))
        )
    )
