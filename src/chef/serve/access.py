"""Who may read and who may write.

| listening on | reading | writing |
|---|---|---|
| this machine, no token set | free | from our own page |
| this machine, token set | free | token |
| the network (a token must be set) | token | token |

Assistants, at /mcp, always need the token.

The token is sent as `Authorization: Bearer T`, or in the cookie `chef_token`, which the service sets for its
page. A request to a local service under another host name counts as coming from the network: a web page
elsewhere may have pointed its own name at this machine (DNS rebinding), and so may a proxy. Requests that
the browser sends for pages elsewhere are refused, reads as well, unless the settings allow their origin.
"""

import hmac
import time
from collections import OrderedDict
from ipaddress import ip_network
from threading import Lock

from fastapi import Depends, Request
from starlette.datastructures import Headers
from starlette.types import Scope

from chef.serve.errors import Refusal
from chef.serve.settings import ServeSettings, is_loopback

COOKIE = "chef_token"
_GUESSES = 10  # wrong tokens of one address
_LOCKED = 60.0  # seconds that it must wait then
_ADDRESSES = 10_000
_OPEN = ("/api/health", "/api/ready")


class Guesses:
    """Wrong tokens by address. After ten different ones it must wait a minute, whatever it sends then.

    The same wrong token again is no guess: a page with an old cookie asks for many photos.
    """

    def __init__(self) -> None:
        self._wrong: OrderedDict[str, tuple[float, set[int]]] = OrderedDict()
        self._lock = Lock()

    def check(self, address: str) -> None:
        """Refuse an address that is guessing."""
        with self._lock:
            since, tokens = self._wrong.get(_network(address), (0.0, ()))
        if len(tokens) >= _GUESSES and (left := since + _LOCKED - time.monotonic()) > 0:
            headers = {"retry-after": str(int(left) + 1)}
            raise Refusal(429, "too many wrong tokens from your address; try again in a minute", headers)

    def add(self, address: str, token: str) -> None:
        """Remember a wrong token."""
        now, key = time.monotonic(), _network(address)
        with self._lock:
            since, tokens = self._wrong.pop(key, (now, set()))
            if now - since > _LOCKED:
                tokens = set()
            self._wrong[key] = now, tokens | {hash(token)}
            if len(self._wrong) > _ADDRESSES:
                self._wrong.popitem(last=False)


def _network(address: str) -> str:
    """Who shares a lock: an IPv4 address, or the 64 bits of IPv6 that one customer has."""
    return str(ip_network((address, 64), strict=False)) if ":" in address else address


def cross_site(scope: Scope, settings: ServeSettings) -> Refusal | None:
    """The refusal of a request that a browser sends for a page elsewhere, be it only to read.

    A request with a token in its header cannot be one: browsers ask us first, and we would refuse.
    """
    headers = Headers(scope=scope)
    if not scope["path"].startswith("/api/") or scope["path"] in _OPEN or "authorization" in headers:
        return None
    origin = headers.get("origin")
    if origin is None:
        is_own = headers.get("sec-fetch-site", "none") in ("none", "same-origin")
    else:
        is_own = _is_own(headers) or origin in settings.origins
    return None if is_own else Refusal(403, "not for web pages elsewhere; see chef serve --allow-origin")


def _settings(request: Request) -> ServeSettings:
    settings: ServeSettings = request.app.state.service.settings
    return settings


# Not plain functions: FastAPI would call those in a thread each.
async def may_read(request: Request) -> None:
    """Refuse to read over the network without the token."""
    settings = _settings(request)
    if not _is_local(request, settings) and not _has_token(request, settings):
        raise _no_token(settings)


async def may_write(request: Request) -> None:
    """Refuse to write without the token, except from our own page on this machine."""
    settings = _settings(request)
    if _has_token(request, settings):
        return
    if settings.token is not None or not _is_local(request, settings):
        raise _no_token(settings)
    if not _is_own(request.headers):
        raise Refusal(
            403, "writing needs a token: start chef serve with --token and send it, or use the page"
        )


def _is_local(request: Request, settings: ServeSettings) -> bool:
    name = request.headers.get("host", "").rpartition(":")
    host = name[0] if name[0] and name[2].isdigit() else "".join(name)  # without the port
    return settings.is_local and is_loopback(host)


def _has_token(request: Request, settings: ServeSettings) -> bool:
    if settings.token is None:
        return False
    scheme, _, credentials = request.headers.get("authorization", "").partition(" ")
    # Browsers attach cookies to any request: a write counts only if it comes from our own page.
    from_page = request.method in ("GET", "HEAD") or _is_own(request.headers)
    token = credentials.strip() if scheme else request.cookies.get(COOKIE, "") if from_page else ""
    if not token:
        return False
    guesses: Guesses = request.app.state.service.guesses
    address = request.client.host if request.client else ""
    guesses.check(address)
    given, wanted = token.encode("utf-8", "surrogateescape"), settings.token.encode()
    if scheme.lower() in ("bearer", "") and hmac.compare_digest(given, wanted):
        return True
    guesses.add(address, token)
    return False


def _is_own(headers: Headers) -> bool:
    """Whether the browser says that the request comes from a page of this service."""
    scheme, _, host = headers.get("origin", "").partition("://")
    return scheme in ("http", "https") and host == headers.get("host")


def _no_token(settings: ServeSettings) -> Refusal:
    if settings.token is None:
        return Refusal(403, "this service answers only this machine; start chef serve with --token")
    return Refusal(401, "the token is missing or wrong", {"www-authenticate": "Bearer"})


async def must_have_token(request: Request) -> None:
    """Refuse everything without the token, on this machine as well."""
    settings = _settings(request)
    if not _has_token(request, settings):
        raise _no_token(settings)


Reader = Depends(may_read)
Writer = Depends(may_write)
