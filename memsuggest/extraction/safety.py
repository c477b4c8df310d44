"""Safety: what may never become a fact by itself, however it was said.

Owns the refusal of invisible and breaking text, and the holding back of rules that would weaken safety: these are
named loudly and left to the person, even when the person typed them.
"""

from __future__ import annotations

import re
import unicodedata

from memsuggest.text.words import plain

_ALLOWED_FORMAT = frozenset("\u200c\u200d\ufe0f\ufe0e")  # joiners of scripts and emoji
_FIRST_EMOJI, _LAST_EMOJI = "\U0001f000", "\U0001faff"  # new ones are not assigned in older versions of Python
_FLAG, _TAGS, _LAST_TAG = "\U0001f3f4", range(0xE0061, 0xE007B), "\U000e007f"  # England, Scotland, Wales
_FILLERS = frozenset("\u115f\u1160\u3164\uffa0\u2800\u180e\u034f")

_BREAKOUT = re.compile(
    (
        r"<!--|-->|^---\s*$|^\+\+\+\s*$|```|~~~|<\s*/?\s*(?:/?memory|memory-context|graphiti_memory"
        r"|system)\b|!\[[^\]]*\]\(|\]\(\s*(?:javascript|data|command|vbscript):"
    ),
    re.IGNORECASE | re.MULTILINE,
)

_MARKUP = re.compile(r"<\s*/?\s*(?:script|iframe|style|svg|img|object)\b", re.IGNORECASE)
_CODE_SPAN = re.compile(r"`[^`\n]{1,400}`")
"""What stands in code is shown as it is, and does nothing."""

_IGNORING = "tells an assistant to ignore its instructions"
_WEAKENING: tuple[tuple[str, str], ...] = (
    (
        "would switch off checks or tests",
        (
            r"--no-verify\b|\b(?:skip|disable|bypass|turn off|remove|delete|ignore|circumvent|comment out|switch "
            r"off)\b.{0,40}\b(?:(?:git |pre-?commit |commit )?hooks?|(?:security|safety|permission|auth\w*"
            r"|signature|certificate|ssl|tls|cert|csrf|cors) ?(?:checks?|verification|validation|scan\w*|warnings?"
            r"|controls?)?|(?:branch )?protections?|safeguards?|guard ?rails?|code ?sign\w*|signing|sandbox\w*"
            r"|approvals?|virus scan\w*|firewall|2fa|mfa)\b"
        ),
    ),
    (
        "would run downloaded code",
        (
            r"\b(?:curl|wget|iwr|invoke-webrequest|fetch)\b[^|;]{0,200}\|\s*(?:sudo\s+)?(?:ba|z|fi|da)?sh\b"
            r"|\b(?:curl|wget)\b.{0,120}\b(?:execute|run|bash|sh|eval)\b|\beval\s*\(|\bbase64\s+(?:-d|--decode)"
            r"|\bnpx\s+-y\b.{0,60}https?:|\bpip3? install\b.{0,80}https?://|\b(?:run"
            r"|execute)\b.{0,40}\b(?:downloaded|remote|fetched)\b.{0,20}\b(?:code|scripts?|binar)"
        ),
    ),
    (
        "would send data elsewhere",
        (
            r"\b(?:send|post|upload|exfiltrate|forward|leak|transmit|e?-?mail|report|share|publish"
            r"|copy)\b.{0,60}\b(?:secrets?|tokens?|passwords?|credentials?|api[- ]?keys?|private keys?|(?<=\w "
            r")dotenv files?|ssh "
            r"keys?|environment variables?|source code|conversation|chat history|personal data|user data"
            r"|cookies?)\b.{0,80}\b(?:to|at|via|in)\b|\b(?:send|post|upload|exfiltrate|forward|leak|transmit"
            r"|share|publish|copy)\b.{0,60}\.env\b|\b(?:id_rsa|id_ed25519|\.aws/credentials|/etc/(?:passwd"
            r"|shadow))\b"
        ),
    ),
    (
        "would change permissions or hooks",
        (
            r"\bchmod\s+(?:-r\s+)?(?:0?777|a\+rwx)|\bsudo\b|--dangerously[\w-]*|\b(?:yolo|auto-?approve"
            r"|auto-?accept|bypasspermissions|skip-?permissions)\b|\b(?:add|change|edit|modify|install|grant|allow"
            r"|give)\b.{0,40}\b(?:hooks?|permissions?|mcp servers?|allow-?list|settings\.json|full access|root "
            r"access|admin rights)\b.{0,30}\b(?:without|automatically|silently|to everything|for all|to (?:any"
            r"|every)|always)\b|\brm -rf [/~*]"
        ),
    ),
    (
        _IGNORING,
        (
            r"\b(?:ignore|disregard|forget|override|bypass)\b.{0,30}\b(?:previous|prior|above|earlier|all|your|any"
            r"|other|system|these)\b.{0,25}\b(?:instructions?|rules?|prompts?|guidelines?|guardrails?|directives?"
            r"|polic(?:y|ies)|constraints?|safety)\b|\b(?:supersedes?|overrides?) (?:all|any"
            r"|every)\b.{0,30}\b(?:instructions?|rules?|memor\w+|earlier|previous|prior)\b|\b(?:jailbreak"
            r"|developer mode|dan mode|do anything now|system prompt|hidden instructions?)\b"
        ),
    ),
    (
        "would hide something from people",
        (
            r"\b(?:don't|do not|never)\b.{0,15}\b(?:tell|mention|inform|show|reveal|disclose|warn|notify"
            r"|alert)\b.{0,20}\b(?:the )?(?:users?|reviewers?|maintainers?|team|anyone|humans?|developers?"
            r"|security)\b|\bwithout (?:telling|informing|notifying|the knowledge of)\b.{0,20}\b(?:users?|anyone"
            r"|reviewers?|me|team|humans?)\b|\bsecretly\b|\bsilently (?:send|upload|add|install|commit|push"
            r"|delete)\b"
        ),
    ),
    (
        "would weaken how the code handles secrets",
        (
            r"\b(?:hard-?code|commit|log|print|store|check in|push)\b.{0,30}\b(?:secrets?|passwords?|credentials?"
            r"|api[- ]?keys?|private keys?|access tokens?)\b.{0,30}(?:\bin (?:plain ?text|the (?:code|repo|source)"
            r"|git)\b)|\b(?:verify\s*=\s*false|rejectunauthorized|insecureskipverify|strict-?ssl false|--insecure"
            r"|allow-?unauthenticated)\b"
        ),
    ),
    (
        "would switch off checks or tests",
        (
            r"\b(?:never|don't|do not) run (?:the |any )?(?:\w+ )?(?:security|vulnerability|secret|dependency) ?scan\w*"
            r"|\b(?:ignore|dismiss|silence)\b.{0,20}\b(?:codeql|dependabot|security|vulnerability) (?:warnings?|alerts?"
            r"|findings?)|\b(?:merge|deploy|release|push)\b.{0,30}\bwithout (?:a |any |code )?(?:review|approval)"
            r"|\bpush (?:--force|-f)\b.{0,20}\b(?:main|master|without asking)\b|\bcommit\.gpgsign\W+(?:to )?false"
            r"|\bnode_tls_reject_unauthorized\b|\bcurl (?:-\w*k\b|--insecure)|\bexclude\b.{0,40}\bfrom (?:code )?review"
            r"|\bdisable\b.{0,20}\bfailing tests instead\b"
            r"|\b(?:skip|disable|bypass|turn off|switch off) (?:the |all |all the )?(?:unit |test )?"
            r"(?:tests?|suite|linters?|lint|type ?checks?|ci)\b.{0,10}"
            r"\b(?:(?:before|when) (?:merging|deploying|releasing|pushing|committing|you)|in ci\b|on main\b)"
        ),
    ),
    (
        "would run downloaded code",
        (
            r"\b(?:iex|invoke-expression)\b.{0,20}\b(?:irm|iwr|invoke-\w+|downloadstring)\b"
            r"|\bpipe\b.{0,120}\binto (?:ba|z|da|fi)?sh\b|\beval\b.{0,30}\b(?:curl|wget|fetch)\b"
        ),
    ),
    (
        "would send data elsewhere",
        (
            r"\b(?:include|put|paste|attach)\b.{0,20}\b(?:api keys?|secrets?|tokens?|passwords?|credentials?)\b.{0,20}"
            r"\bin\b.{0,20}\b(?:reports?|issues?|comments?|messages?|mails?)\b|/etc/(?:passwd|shadow)"
            r"|\b(?:e?-?mail|send|upload)\b.{0,20}\bcustomer (?:list|data|addresses|records)\b"
        ),
    ),
    (
        "would change permissions or hooks",
        (
            r"\ballow all (?:tools|commands)\b|\b(?:bash|shell|read|write|edit|webfetch)\(\*\)|\bfull access to the\b"
            r"|\badd (?:the |an? )?mcp server\b.{0,20}https?:"
        ),
    ),
    (
        "would weaken how the code handles secrets",
        (
            r"\bcommit (?:the |an? |all |our )?(?:api[- ]?keys?|secrets?|passwords?|private keys?|credentials)\b"
            r"|\bcors\b.{0,20}\b(?:everywhere|anywhere|any origin|all origins)\b.{0,20}\bcredentials\b"
            r"|\bpasswords? (?:unhashed|unencrypted|in plain ?text|in clear ?text)\b"
            r"|\b(?:md5|sha-?1)\b.{0,20}\bpasswords?\b"
            r"|\bexpose\b.{0,30}\b(?:database|redis|admin)\b.{0,30}\b(?:internet|public)\b"
        ),
    ),
    (
        "would destroy data",
        (
            r"\bdrop\b.{0,15}\bproduction (?:database|tables?|schema)\b"
            r"|\b(?:delete|truncate|wipe|erase)\b.{0,15}\b(?:audit logs?|audit trail|backups?)\b"
        ),
    ),
)
_PATTERNS = tuple((why, re.compile(pattern)) for why, pattern in _WEAKENING)
_BLOCK_MARK = re.compile(r"^(?:(?:#{1,6}|>+|[-*+]|\d{1,9}[.)]|\||=+|-+)(?: |$))+")
_NEGATED = re.compile(
    r"\b(?:never|don't|do not|must not|mustn't|should not|shouldn't|may not|avoid|refuse|no"
    r"|pas|jamais|keine?|nie|niemals|nunca|jamás|não)\b(?:\W+\w+){0,3}\W*$"
)


def one_line(text: str) -> str:
    """A text on one line, without the marks that would make a heading, a list or a table of it.

    >>> one_line("# use tabs\\n- and no spaces")
    'use tabs - and no spaces'
    """
    return _BLOCK_MARK.sub("", " ".join(text.split())).strip()


def refused(text: str) -> str:
    """Say why a text may not be stored at all, or nothing: invisible, control or markup characters that break out."""
    for position, character in enumerate(text):
        if is_invisible(character) and not _is_joiner_in_place(text, position):
            return f"holds an invisible or control character (U+{ord(character):04X})"
    breaks_out = _BREAKOUT.search(text) or _MARKUP.search(_CODE_SPAN.sub("`", text))
    return "holds markup that would break out of its line" if breaks_out else ""


def is_invisible(character: str) -> bool:
    """Whether a character is not seen, or steers a terminal or the direction of writing."""
    if character in "\n\t\r " or _FIRST_EMOJI <= character <= _LAST_EMOJI:
        return False
    if character in _FILLERS or _is_selector(character):
        return True
    return unicodedata.category(character) in ("Cf", "Cc", "Co", "Cn", "Cs", "Zl", "Zp")


def _is_selector(character: str) -> bool:
    return "\ufe00" <= character <= "\ufe0f" or "\U000e0100" <= character <= "\U000e01ef"


def _is_joiner_in_place(text: str, position: int) -> bool:
    """A joiner or emoji selector between characters that it can join."""
    if not position:
        return False
    if text[position] not in _ALLOWED_FORMAT:
        return _is_in_flag(text, position)
    before = text[position - 1]
    return ord(before) > 0x2FF or before in "#*0123456789\u00a9\u00ae"


def _is_in_flag(text: str, position: int) -> bool:
    """Whether a tag character spells the region of a black flag, as in the flag of Scotland."""
    start = text.rfind(_FLAG, max(0, position - 7), position)
    tags = text[start + 1 : position + 1] if start >= 0 else ""
    return bool(tags) and all(ord(tag) in _TAGS for tag in tags.removesuffix(_LAST_TAG))


_LINK = re.compile(r"https?://(?!localhost\b|127\.|0\.0\.0\.0)[^\s<>]+")
_LOOK_AT = re.compile(
    r"\b(?:summar(?:y|i[sz]e)\w*|analy[sz]e|explain|read|visit|open|browse|review|look (?:at|into)|check out|go to"
    r"|fetch|digest|evaluate|what (?:does|is|do)|tl;?dr|key (?:points|insights|takeaways)|tell me about"
    r"|fasse?|zusammenfass\w*|lies|öffne|résume[rz]?|lis(?:ez)?|ouvr\w+|resum\w+|lee|abre|leia)\b"
    r"|要約|読んで|总结|概括|阅读",
    re.IGNORECASE,
)
_NEAR = 160  # characters around a link in which the order stands that it belongs to


def has_read_order(text: str) -> bool:
    """Whether a text asks to look at a page of the web, as the prompts do that links open a chat with.

    Anybody can write such a link, and what it asks to be remembered besides was typed by nobody.
    """
    return any(
        _LOOK_AT.search(text, max(0, link.start() - _NEAR), link.start())
        or _LOOK_AT.search(text, link.end(), link.end() + _NEAR)
        for link in _LINK.finditer(text)
    )


def commands_a_machine(text: str) -> bool:
    """Whether a text tells an assistant to drop its instructions: nothing said in the same breath is the person's."""
    return any(why == _IGNORING and pattern.search(plain(text)) for why, pattern in _PATTERNS)


def weakens_safety(text: str) -> str:
    """Say how a rule would weaken safety, or nothing; a prohibition of the same is no danger."""
    said = plain(text)
    for why, pattern in _PATTERNS:
        found = pattern.search(said)
        if found and not (_NEGATED.search(said[: found.start()]) and not why.startswith("would hide")):
            return why
    return ""
