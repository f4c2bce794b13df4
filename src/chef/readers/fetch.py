"""One bounded request to a web address that the user gave."""

from __future__ import annotations

import http.client
import time
import urllib.error
import urllib.request
import zlib
from dataclasses import dataclass
from urllib.parse import quote, urlsplit, urlunsplit

import chef
from chef.errors import ChefError
from chef.readers.lines import clean

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


class _Redirects(urllib.request.HTTPRedirectHandler):
    max_redirections = 5


def _opener() -> urllib.request.OpenerDirector:
    """An opener for http and https alone: urllib's own would follow a redirect to ftp as well."""
    opener = urllib.request.OpenerDirector()
    for name in ("Proxy", "Unknown", "HTTP", "HTTPS", "HTTPDefaultError"):
        opener.add_handler(getattr(urllib.request, f"{name}Handler")())
    opener.add_handler(urllib.request.HTTPErrorProcessor())
    opener.add_handler(_Redirects())
    return opener


def fetch(address: str, limit: int, kinds: tuple[str, ...]) -> Answer:
    """The answer of a web address, if it is of one of `kinds` (starts of content types) and within `limit`.

    Raises ChefError with the address for everything that can go wrong on the way.
    """
    accepted = ", ".join(f"{kind}*" if kind.endswith("/") else kind for kind in kinds)
    headers = {"User-Agent": f"chef/{chef.__version__}", "Accept": accepted, "Accept-Encoding": "identity"}
    try:
        request = urllib.request.Request(_quoted(address), headers=headers)
        with _opener().open(request, timeout=_TIMEOUT) as response:
            kind = response.headers.get_content_type()
            if not kind.startswith(kinds):
                raise ChefError(f"{address} is {kind}, not {' or '.join(kinds)}", "check the address")
            body = _body(response, address, limit)
            if response.headers.get("Content-Encoding", "").lower() == "gzip":
                body = zlib.decompressobj(wbits=31).decompress(body, limit + 1)  # though not asked for
                if len(body) > limit:
                    raise _too_large(address, limit)
            return Answer(body, kind, response.headers.get_content_charset(), response.geturl())
    except urllib.error.HTTPError as error:
        problem = f"{address} answered {error.code} {_line(error.reason)}"
        raise ChefError(problem, "check the address") from error
    except (TimeoutError, urllib.error.URLError) as error:
        if isinstance(error, TimeoutError) or isinstance(error.reason, TimeoutError):
            raise _too_slow(address) from error
        problem = f"{address} cannot be reached: {_line(error.reason)}"
        raise ChefError(problem, "check address and network") from error
    except (OSError, http.client.HTTPException, ValueError, zlib.error) as error:
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


def _body(response: http.client.HTTPResponse, address: str, limit: int) -> bytes:
    end = time.monotonic() + _DEADLINE
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
