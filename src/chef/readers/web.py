"""`fetch`: the one bounded request to a web address that the user gave, or that a recipe names.

It goes to public addresses only: no page may reach what this machine and its network serve.
"""

from __future__ import annotations

import http.client
import os
import socket
import time
import urllib.error
import urllib.request
import zlib
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from functools import partial
from ipaddress import ip_address
from threading import Timer
from typing import Any
from urllib.parse import quote, urlsplit, urlunsplit

import chef
from chef.errors import ChefError
from chef.readers.lines import clean

ALLOW_PRIVATE = "CHEF_ALLOW_PRIVATE"  # the environment variable that --allow-private sets
_TIMEOUT = 15.0  # seconds without a byte
_DEADLINE = 60.0  # seconds for the whole answer: a server that drips bytes must not hold us
_CHUNK = 1 << 16
_SAFE = "/%:=&?~#+!$,;'@()*[]"


@dataclass(frozen=True, slots=True)
class Answer:
    body: bytes
    kind: str  # "text/html"
    charset: str | None
    url: str  # after redirects


class BadStatus(ChefError):
    """The address answered with an HTTP error."""

    def __init__(self, problem: str, way_out: str = "", status: int = 0, retry_after: str = "") -> None:
        super().__init__(problem, way_out)
        self.status, self.retry_after = status, retry_after


class _Redirects(urllib.request.HTTPRedirectHandler):
    max_redirections = 5


class _Web(urllib.request.HTTPSHandler):
    """Connects to public addresses, and cuts what is still open at `end`."""

    def __init__(self, end: float, opened: ExitStack) -> None:
        super().__init__()
        self._end, self._opened = end, opened

    def http_open(self, request: urllib.request.Request) -> http.client.HTTPResponse:
        return self.https_open(request, http.client.HTTPConnection)

    def https_open(
        self, request: urllib.request.Request, kind: Any = http.client.HTTPSConnection
    ) -> http.client.HTTPResponse:
        def connection(host: str, **settings: Any) -> http.client.HTTPConnection:
            made: Any = kind(host, **settings)
            made._create_connection = partial(self._connect, is_proxy=is_proxy)
            return made  # type: ignore[no-any-return]

        is_proxy = request.has_proxy() or bool(getattr(request, "_tunnel_host", None))
        if is_proxy:  # it looks the name up; where we can, too, we check it
            with suppress(OSError):
                _addresses(urlsplit(request.full_url).hostname or "")
        return self.do_open(connection, request)

    def _connect(self, place: tuple[str, int], timeout: float, *_: object, is_proxy: bool) -> socket.socket:
        # To the very addresses that were checked: a name may mean others the next time.
        failed = OSError("no address")
        for address in [place[0]] if is_proxy else _addresses(place[0]):
            try:
                connected = socket.create_connection((address, place[1]), timeout)
            except OSError as error:
                failed = error
                continue
            spare = self._opened.enter_context(connected.dup())  # TLS takes the first one over
            timer = Timer(max(0.0, self._end - time.monotonic()), _cut, [spare])
            timer.start()
            self._opened.callback(timer.cancel)
            return connected
        raise failed


def _cut(connected: socket.socket) -> None:
    with suppress(OSError):
        connected.shutdown(socket.SHUT_RDWR)


def _addresses(host: str) -> list[str]:
    """The addresses of a host; raises ChefError if one is not public, unless that is allowed."""
    found = dict.fromkeys(str(one[4][0]) for one in socket.getaddrinfo(host, None, type=socket.SOCK_STREAM))
    if not os.environ.get(ALLOW_PRIVATE) and not all(map(_is_public, found)):
        problem = f"{host} is an address of this machine or of a private network"
        raise ChefError(problem, "see --allow-private")
    return list(found)


def _is_public(text: str) -> bool:
    address = ip_address(text.partition("%")[0])
    inner = getattr(address, "ipv4_mapped", None) or getattr(address, "sixtofour", None) or address
    return address.is_global and inner.is_global and not address.is_multicast


def _opener(end: float, opened: ExitStack) -> urllib.request.OpenerDirector:
    """An opener for http and https alone: urllib's own would follow a redirect to ftp as well."""
    opener = urllib.request.OpenerDirector()
    for name in ("Proxy", "Unknown", "HTTPDefaultError"):
        opener.add_handler(getattr(urllib.request, f"{name}Handler")())
    opener.add_handler(_Web(end, opened))
    opener.add_handler(urllib.request.HTTPErrorProcessor())
    opener.add_handler(_Redirects())
    return opener


def fetch(
    address: str,
    limit: int,
    kinds: tuple[str, ...],
    *,
    token: str | None = None,
    method: str = "GET",
    json: bytes | None = None,
) -> Answer:
    """The answer of a web address, if it is of one of `kinds` (starts of content types) and within `limit`.

    token: the Authorization header, which is not sent on to where a redirect leads. json: the body.
    Raises ChefError with the address for everything that can go wrong on the way.
    """
    accepted = ", ".join(f"{kind}*" if kind.endswith("/") else kind for kind in kinds)
    headers = {"User-Agent": f"chef/{chef.__version__}", "Accept": accepted, "Accept-Encoding": "identity"}
    end = time.monotonic() + _DEADLINE
    try:
        request = urllib.request.Request(_quoted(address), json, headers, method=method)
        if json is not None:
            request.add_header("Content-Type", "application/json")
        if token is not None:
            request.add_unredirected_header("Authorization", token)
        with ExitStack() as opened, _opener(end, opened).open(request, timeout=_TIMEOUT) as response:
            if time.monotonic() > end:
                raise _too_slow(address)
            kind = response.headers.get_content_type()
            if not kind.startswith(kinds):
                raise ChefError(f"{address} is {kind}, not {' or '.join(kinds)}", "check the address")
            body = _body(response, address, limit, end)
            if response.headers.get("Content-Encoding", "").lower() == "gzip":
                body = zlib.decompressobj(wbits=31).decompress(body, limit + 1)  # though not asked for
                if len(body) > limit:
                    raise _too_large(address, limit)
            return Answer(body, kind, response.headers.get_content_charset(), response.geturl())
    except urllib.error.HTTPError as error:
        problem = f"{address} answered {error.code} {_line(error.reason)}"
        wait = error.headers.get("Retry-After", "")
        raise BadStatus(problem, "check the address", error.code, wait) from error
    except (OSError, http.client.HTTPException, ValueError, zlib.error) as error:
        reason = error.reason if isinstance(error, urllib.error.URLError) else error
        if isinstance(reason, TimeoutError) or time.monotonic() > end:
            raise _too_slow(address) from error
        if reason is not error:
            problem = f"{address} cannot be reached: {_line(reason)}"
            raise ChefError(problem, "check address and network") from error
        raise ChefError(f"{address} cannot be read: {_line(error)}", "check the address") from error


def _line(message: object) -> str:
    """What a server or a library said, fit for one line on a terminal."""
    return clean(str(message))[:120]


def _too_slow(address: str) -> ChefError:
    return ChefError(f"{address} did not answer in time", "try again later")


def _too_large(address: str, limit: int) -> ChefError:
    return ChefError(f"{address} is larger than {limit >> 20} MB", "save what you need of it to a file")


def _quoted(address: str) -> str:
    """The address in the letters that HTTP allows; raises ValueError for one that cannot be."""
    parts = urlsplit(address.strip())
    if parts.scheme.lower() not in ("http", "https") or not parts.hostname:
        raise ValueError("not an http or https address")
    host = parts.netloc.encode("idna").decode() if not parts.netloc.isascii() else parts.netloc
    return urlunsplit((parts.scheme, host, quote(parts.path, _SAFE), quote(parts.query, _SAFE), ""))


def _body(response: http.client.HTTPResponse, address: str, limit: int, end: float) -> bytes:
    body = bytearray()
    while chunk := response.read1(_CHUNK):
        body += chunk
        if len(body) > limit:
            raise _too_large(address, limit)
    if time.monotonic() > end:
        raise _too_slow(address)
    if response.length:  # bytes that were promised and did not come
        raise ChefError(f"{address} cannot be read: the answer was cut short", "try again later")
    return bytes(body)
