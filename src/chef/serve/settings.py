"""Settings and limits of the service."""

import re
from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path

from chef.errors import ChefError

MB = 1 << 20
_TOKEN = re.compile(r'(?:(?![;,"\\])[!-~]){8,}')  # what a cookie may hold


def is_loopback(host: str) -> bool:
    """Whether a host name or address is a loopback one, which only this machine can reach.

    >>> is_loopback("localhost"), is_loopback("[::1]"), is_loopback("0.0.0.0")
    (True, True, False)
    """
    host = host.strip("[]").lower()
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


@dataclass(frozen=True, slots=True)
class ServeSettings:
    """Where the service listens, who may write, and the limits of a request.

    >>> ServeSettings(port=9000).is_local
    True
    """

    host: str = "127.0.0.1"
    port: int = 8000
    token: str | None = None
    origins: tuple[str, ...] = ()  # of web pages elsewhere that may read, such as https://example.org
    review: Path | None = None  # folder of proposals.tsv and decisions.tsv; None: no canonical review
    mcp: bool = False  # also answer assistants, at /mcp; see chef.serve.assistants
    max_photo: int = 20 * MB
    max_pixels: int = 50_000_000  # of an uploaded photo: phones take 48 megapixels
    max_json: int = 2 * MB
    max_upload: int = 64 * MB  # files of recipes added in one request
    max_json_upload: int = 8 * MB  # recipes added as JSON: parsed, they take many times the memory
    max_held: int = 96 * MB  # of all large bodies at the same time
    max_files: int = 1000  # in one upload
    max_recipes: int = 2000  # in one upload
    timeout: float = 30.0  # seconds a read may compute
    write_timeout: float = 120.0  # seconds a write may compute before anything is stored
    body_timeout: float = 60.0  # seconds a body may take to arrive
    threads: int = 8  # reads running at the same time
    queue: int = 64  # reads running or queued; more are rejected
    write_queue: int = 8  # writes running (one) or queued; more are rejected
    grace: float = 20.0  # seconds that running requests get at shutdown
    batch_window: float = 0.004  # seconds that the first item of a batch waits for others
    max_batch: int = 16

    def __post_init__(self) -> None:
        if self.token is not None and not _TOKEN.fullmatch(self.token):
            raise ChefError(
                "the token is too weak, or no cookie can hold it",
                'use at least 8 visible ASCII characters, without spaces and ; , " \\',
            )
        if self.mcp and self.token is None:
            raise ChefError("assistants need a token over HTTP", "give a --token, or set CHEF_TOKEN")
        if not self.is_local and self.token is None:
            raise ChefError(
                f"listening on {self.host} would open the collection to the network",
                "give a --token, or listen on 127.0.0.1",
            )

    @property
    def is_local(self) -> bool:
        """Whether only this machine reaches the service."""
        return is_loopback(self.host)
