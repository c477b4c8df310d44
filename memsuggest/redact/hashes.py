"""Hashes that name a thing and open nothing: commits, digests, checksums, files and folders kept under their hash."""

from __future__ import annotations

import re

_HEX = re.compile(r"[0-9a-f]+|[0-9A-F]+")
_DIGEST_BEFORE = re.compile(
    r"(?:\b(?:sha-?(?:1|224|256|384|512)|md5|blake[23][bs]?|h1|crc32|xxh(?:64|128)|sri)\b[\s:=_\-/@\"'`(]*"
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
_DIGEST = re.compile(r"(?:sha(?:1|256|384|512)|md5|blake[23][bs]?)[-=_]", re.IGNORECASE)
_STORE_OF_HASHES = re.compile(
    r"[/\\.](?:commits?|blobs?|trees?|raw|objects?|gist|gists?\.[a-z]|compare|pull|caches?|[._-]?[a-z]*cache|assets?|static|"
    r"chunks?|store|storage|workspaceStorage|layers?|overlay2|containers?|images?|snapshots?|history|sha(?:1|256|512)|"
    r"folders|builds?|dist|_next|tmp|temp|logs?|media|files?|uploads?|tags?|refs|revisions?|archive|-)[/\\.]"
    r"|(?:git(?:hub|lab|ea)|bitbucket|codeberg|notion|figma|npmjs|pypi|docker|ghcr|quay|unpkg|jsdelivr|pythonhosted)"
    r"[a-z]*\.[a-z]",
    re.IGNORECASE,
)
_HASHED_PATH = re.compile(
    r"(?>[A-Za-z_.-]{0,48}[0-9a-f]{0,24}/){2,12}+[A-Za-z0-9_-]{1,48}\.(?:json|ya?ml|xml|html?|md|png|jpe?g|svg|"
    r"py|sql|[jt]sx?|rb|css|woff2?)"
)
_CHECKSUMS = frozenset([32, 40, 56, 64, 96, 128])  # digits
_CHECKED_FILE = re.compile(r" [ *][^\s]")
_REPLICA = re.compile(r"[a-z][a-z0-9.-]{0,48}-(?:[0-9a-f]{8,10}|[bcdfghj-np-tv-z2456789]{6,10})-[a-z0-9]{5}")


def is_hex(text: str) -> bool:
    """Tell whether a text is hexadecimal digits in one case."""
    return _HEX.fullmatch(text) is not None


def is_named_digest(run: str) -> bool:
    """Tell whether a run says of itself that it is a digest (`sha512-…`)."""
    return _DIGEST.match(run) is not None


def is_digest(stretch: str, before: str) -> bool:
    """Tell whether what stands before says that this is a digest of a file."""
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
    return is_link and 6 <= len(stretch) <= max(_COMMITS) and is_hex(stretch)


def is_checksum_line(stretch: str, before: str, after: str) -> bool:
    """Tell whether a file's name follows a hash at the beginning of a line, as `sha256sum` writes it."""
    return len(stretch) in _CHECKSUMS and not before.strip() and is_hex(stretch) and bool(_CHECKED_FILE.match(after))


def is_replica(run: str) -> bool:
    """Tell whether this is the name of a pod: what it runs, the hash of its template, five letters."""
    return len(run) < 80 and _REPLICA.fullmatch(run.rpartition("/")[2]) is not None


def is_hashed_file(stretch: str, after: str) -> bool:
    """Tell whether this is the content hash in a file's name."""
    name = stretch[-12:].rpartition(".")
    return len(stretch) <= 96 and bool(_FILE_AFTER.match(after) or _FILE_AFTER.match(f".{name[2]}" if name[1] else ""))


def is_store_of_hashes(path: str) -> bool:
    """Tell whether a path or address leads to where things are kept under their hashes."""
    return _STORE_OF_HASHES.search(path) is not None


def is_hashed_path(run: str) -> bool:
    """Tell whether a run is the path of a file in folders whose names are words, or hashes with words before them."""
    return run.count("/") >= 2 and _HASHED_PATH.fullmatch(run) is not None
