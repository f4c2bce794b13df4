"""An answer for those whose requests the end of the service cuts off."""

from __future__ import annotations

import asyncio

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from chef.serve.failures import answer


class AnswerAtTheEnd:
    """ASGI middleware: a request that is given up when the time of grace is over is 503, try another."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        begun = False

        async def watched(message: Message) -> None:
            nonlocal begun
            begun = True
            await send(message)

        try:
            await self._app(scope, receive, watched)
        except asyncio.CancelledError:
            # The one who cancels is the server, which is about to end and waits for nobody.
            if not begun:
                headers = {"retry-after": "1", "connection": "close"}
                await answer(503, "the service is ending; try again", headers)(scope, receive, watched)
