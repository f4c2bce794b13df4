"""Bounds on the body of a request: how large, how long it may take to arrive, and none while all is full."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from chef.serve.failures import Refusal, answer

_WITH_BODY = ("POST", "PUT", "PATCH")
_LINGER = 5.0  # seconds we go on reading what a client sends that has its answer


class LimitBody:
    """ASGI middleware that refuses a body over `most(scope)` bytes, by its announced length or by counting,
    and any body while `full(scope)` has a refusal: bodies that nobody will read soon would fill the memory.

    Nothing of a refused body is kept. The client gets its answer before the connection closes: we read on
    for a moment and throw away, because a socket closed on unread data takes the answer down with it.
    """

    def __init__(
        self,
        app: ASGIApp,
        most: Callable[[Scope], int],
        seconds: float,
        full: Callable[[Scope], Refusal | None] = lambda scope: None,
    ) -> None:
        self._app = app
        self._most = most
        self._seconds = seconds
        self._full = full

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        most = self._most(scope)
        if _announced(scope) > most:
            await _refuse(_too_large(most), scope, receive, send)
            return
        if scope["method"] in _WITH_BODY and (refusal := self._full(scope)):
            await _refuse(refusal, scope, receive, send)
            return
        body = _Counted(receive, most, self._seconds)
        answered = False

        async def watched(message: Message) -> None:
            # FastAPI has an answer of its own to a body that it cannot read; ours says why.
            nonlocal answered
            if body.refusal is None:
                answered = True
                await send(message)

        try:
            await self._app(scope, body, watched)
        except Refusal:
            if body.refusal is None:
                raise
        if body.refusal is not None and not answered:
            await _refuse(body.refusal, scope, receive, send)


class _Counted:
    """A `receive` that gives up on a body that is too large or too slow, and remembers why."""

    def __init__(self, receive: Receive, most: int, seconds: float) -> None:
        self.refusal: Refusal | None = None
        self._receive = receive
        self._most = most
        self._left = most
        self._seconds = seconds
        self._deadline = asyncio.get_running_loop().time() + seconds
        self._whole = False

    async def __call__(self) -> Message:
        if self._whole:  # what follows the body is the news that the client went away: no hurry
            return await self._receive()
        try:
            async with asyncio.timeout_at(self._deadline):
                message = await self._receive()
        except TimeoutError:
            raise self._give_up(
                Refusal(408, f"the body took longer than {self._seconds:g} seconds")
            ) from None
        self._left -= len(message.get("body", b""))
        self._whole = not message.get("more_body", False)
        if self._left < 0:
            raise self._give_up(_too_large(self._most))
        return message

    def _give_up(self, refusal: Refusal) -> Refusal:
        self.refusal = refusal
        return refusal


def _announced(scope: Scope) -> int:
    for name, value in scope["headers"]:
        if name == b"content-length" and value.isdigit():
            return int(value)
    return 0


def _too_large(most: int) -> Refusal:
    size = f"{most >> 20} MB" if most >> 20 else f"{most} bytes"
    return Refusal(413, f"the body is larger than {size}; send less at a time")


async def _refuse(refusal: Refusal, scope: Scope, receive: Receive, send: Send) -> None:
    response = answer(refusal.status, refusal.message, {**(refusal.headers or {}), "connection": "close"})
    await send({"type": "http.response.start", "status": refusal.status, "headers": response.raw_headers})
    # The answer is whole for the client, not yet for the server, which would close the connection.
    await send({"type": "http.response.body", "body": response.body, "more_body": True})
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(_LINGER):
            while (message := await receive())["type"] == "http.request" and message.get("more_body"):
                pass
    await send({"type": "http.response.body", "body": b""})
