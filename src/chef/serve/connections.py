"""Connections: deadlines for headers and for reading answers, a bound on their number and on the log."""

import asyncio
import logging
import time
from typing import cast

from uvicorn.protocols.http.h11_impl import H11Protocol

MOST = 512  # connections at the same time
HEADER_SECONDS = 10.0  # for the header of a request, from its first byte or from the connection on
READ_SECONDS = 30.0  # for a client that does not read its answer
_RECORDS = 60  # of the log in a minute
_FULL = (
    b"HTTP/1.1 429 Too Many Requests\r\nretry-after: 1\r\nconnection: close\r\n"
    b"content-type: application/json\r\ncontent-length: 49\r\n\r\n"
    b'{"error":"too many connections; try again later"}'
)
_SLOW = (
    b"HTTP/1.1 408 Request Timeout\r\nconnection: close\r\ncontent-type: application/json\r\n"
    b'content-length: 38\r\n\r\n{"error":"the header took too long"}\r\n'
)


class Connection(H11Protocol):
    """One connection. If there are too many, the one that has waited longest for a header makes room."""

    _timer: asyncio.TimerHandle | None = None
    _reading: asyncio.TimerHandle | None = None
    _since = 0.0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._arm()
        if len(self.connections) > MOST:
            all_waiting = (cast(Connection, one) for one in self.connections if one is not self)
            waiting = [one for one in all_waiting if one.is_waiting]
            if waiting:
                # First those that never asked anything.
                min(waiting, key=lambda one: (one.cycle is not None, one._since)).transport.abort()
            else:
                transport.write(_FULL)
                transport.close()

    @property
    def is_waiting(self) -> bool:
        """Whether no request is being answered."""
        return self.cycle is None or self.cycle.response_complete

    def data_received(self, data: bytes) -> None:
        if self.is_waiting and self._timer is None:
            self._arm()
        super().data_received(data)
        if not self.is_waiting:
            self._disarm()

    def connection_lost(self, exc: Exception | None) -> None:
        self._disarm()
        self.resume_writing()
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        super().pause_writing()
        self._reading = self.loop.call_later(READ_SECONDS, self.transport.abort)

    def resume_writing(self) -> None:
        super().resume_writing()
        if self._reading is not None:
            self._reading.cancel()

    def _arm(self) -> None:
        self._since = self.loop.time()
        self._timer = self.loop.call_later(HEADER_SECONDS, self._too_slow)

    def _disarm(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _too_slow(self) -> None:
        if self.is_waiting and not self.transport.is_closing():
            self.transport.write(_SLOW)
            self.transport.close()


class BoundedLog(logging.Filter):
    """Lets 60 records a minute pass, and says how many it kept back: clients must not fill the disk."""

    def __init__(self) -> None:
        super().__init__()
        self._minute, self._count = 0, 0

    def filter(self, record: logging.LogRecord) -> bool:
        minute = int(time.monotonic() // 60)
        kept_back = self._count - _RECORDS
        if minute != self._minute:
            self._minute, self._count = minute, 0
            if kept_back > 0:
                record.msg = f"{kept_back} earlier messages were left out\n{record.msg}"
        self._count += 1
        return self._count <= _RECORDS


def bound_logs() -> None:
    """Bound what uvicorn and asyncio write about connections and failed requests."""
    bounded = BoundedLog()
    for name in ("uvicorn.error", "asyncio"):
        logging.getLogger(name).addFilter(bounded)
