"""Who may read and who may write.

| listening on | reading | writing |
|---|---|---|
| this machine, no token set | free | from our own page |
| this machine, token set | free | token |
| the network (a token must be set) | token | token |

The token is sent as `Authorization: Bearer T`, or in the cookie `chef_token` that the page sets for its
photos. A request to a local service under another host name counts as coming from the network: a web page
elsewhere may have pointed its own name at this machine (DNS rebinding), and so may a proxy.
"""

from __future__ import annotations

import hmac

from fastapi import Depends, Request

from chef.serve.errors import Refusal
from chef.serve.settings import ServeSettings, is_loopback

COOKIE = "chef_token"


def _settings(request: Request) -> ServeSettings:
    settings: ServeSettings = request.app.state.service.settings
    return settings


def may_read(request: Request) -> None:
    """Refuse to read over the network without the token."""
    settings = _settings(request)
    if not _is_local(request, settings) and not _has_token(request, settings):
        raise _no_token(settings)


def may_write(request: Request) -> None:
    """Refuse to write without the token, except from our own page on this machine."""
    settings = _settings(request)
    if _has_token(request, settings):
        return
    if settings.token is not None or not _is_local(request, settings):
        raise _no_token(settings)
    if not _is_own_page(request):
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
    scheme, _, given = request.headers.get("authorization", "").partition(" ")
    if scheme:
        return scheme.lower() == "bearer" and _equal(given.strip(), settings.token)
    # Browsers attach cookies to any request: a write counts only if it comes from our own page.
    from_page = request.method in ("GET", "HEAD") or _is_own_page(request)
    return from_page and _equal(request.cookies.get(COOKIE, ""), settings.token)


def _equal(given: str, wanted: str) -> bool:
    return hmac.compare_digest(given.encode("utf-8", "surrogateescape"), wanted.encode())


def _is_own_page(request: Request) -> bool:
    """Whether the browser says that the request comes from a page of this service."""
    scheme, _, host = request.headers.get("origin", "").partition("://")
    return scheme in ("http", "https") and host == request.headers.get("host")


def _no_token(settings: ServeSettings) -> Refusal:
    if settings.token is None:
        return Refusal(403, "this service answers only this machine; start chef serve with --token")
    return Refusal(401, "the token is missing or wrong", {"www-authenticate": "Bearer"})


Reader = Depends(may_read)
Writer = Depends(may_write)
