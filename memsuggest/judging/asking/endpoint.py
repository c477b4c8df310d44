"""The address where a model is asked: named by the person's environment or own settings, never by a repo's."""

from __future__ import annotations

from collections.abc import Mapping
from ipaddress import ip_address
from urllib.parse import urlsplit

from memsuggest.core.errors import ConfigError

USUAL = "https://api.anthropic.com"
VARIABLE = "ANTHROPIC_BASE_URL"
KEYS = ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN")
"""Environment variables that hold a key, the first one that is set counts."""
_PORTS = {"https": 443, "http": 80}


def find_endpoint(setting: str, environ: Mapping[str, str]) -> str:
    """Return the endpoint that is set, else the environment's, else the usual one; raises ConfigError."""
    if setting:
        return endpoint_of(setting, source="`endpoint`")
    return endpoint_of(environ.get(VARIABLE) or USUAL, source=VARIABLE)


def find_key(environ: Mapping[str, str]) -> str | None:
    """Return the key that the environment holds."""
    return next((environ[name].strip() for name in KEYS if environ.get(name, "").strip()), None)


def endpoint_of(text: str, *, source: str = "the endpoint") -> str:
    """Return an address in the one form that consent is bound to; ConfigError for what may get neither key nor text.

    >>> endpoint_of("HTTPS://API.Anthropic.com:443/")
    'https://api.anthropic.com'
    """
    try:
        parts = urlsplit(text.strip())
        host, port = (parts.hostname or "").lower(), parts.port
    except ValueError:
        raise _refused(source, "is not a valid URL") from None
    if parts.scheme not in _PORTS or not host:
        raise _refused(source, "is not a valid URL")
    if parts.username or parts.password or parts.query or parts.fragment:
        raise _refused(source, "may contain only a host, port and path")
    if parts.scheme == "http" and not is_this_machine(host):
        raise _refused(source, "would send your key and text unencrypted")
    name = f"[{host}]" if ":" in host else host
    shown_port = "" if port in (None, _PORTS[parts.scheme]) else f":{port}"
    return f"{parts.scheme}://{name}{shown_port}{parts.path.rstrip('/')}"


def is_this_machine(host: str) -> bool:
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


def _refused(source: str, why: str) -> ConfigError:
    return ConfigError(f"{source} {why}", hint=f"use a URL such as `{USUAL}`; `http` is allowed only for localhost")
