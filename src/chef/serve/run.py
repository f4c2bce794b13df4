"""Running the service in the foreground, until Ctrl-C."""

from __future__ import annotations

import contextlib
import socket
from collections.abc import Callable
from typing import TYPE_CHECKING

import uvicorn
from fastapi import FastAPI

from chef.errors import ChefError
from chef.serve.app import create_app
from chef.serve.settings import ServeSettings

if TYPE_CHECKING:
    from chef.index import Index

_IDLE = 15  # seconds a connection may stay open without a request
_GOODBYE = 5  # seconds that requests under way get when the service ends


def serve(index: Index, settings: ServeSettings, tell: Callable[[str], None]) -> None:
    """Answer requests until Ctrl-C; `tell` hears the address once the service answers there.

    >>> serve(chef.Index("my-collection"), ServeSettings(port=9000), print)
    http://127.0.0.1:9000
    """
    listening = bind(settings)  # first of all: a port that is taken must not cost the loading of a model
    app = create_app(index, settings)
    app.state.service.warm()
    server = Server(app, lambda: tell(_address(settings.host, listening)))
    with listening, contextlib.suppress(KeyboardInterrupt):
        server.run([listening])


class Server(uvicorn.Server):
    """Uvicorn as we want it: quiet, no proxy believed, and telling when it answers."""

    def __init__(self, app: FastAPI, started: Callable[[], None]) -> None:
        super().__init__(
            uvicorn.Config(
                app, http="h11", ws="none", log_level="warning", access_log=False, server_header=False,
                proxy_headers=False, timeout_keep_alive=_IDLE, timeout_graceful_shutdown=_GOODBYE,
            )
        )  # fmt: skip
        self._when_started = started

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._when_started()


def bind(settings: ServeSettings) -> socket.socket:
    """A socket at the address of the settings."""
    host, port = settings.host.strip("[]"), settings.port
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        opened = socket.socket(family, kind, protocol)
    except OSError as error:
        raise ChefError(
            f"no such host: {settings.host}", "listen on 127.0.0.1, or an address of yours"
        ) from error
    try:
        opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        opened.bind(address)
    except OSError as error:
        opened.close()
        reason = (error.strerror or "it is taken").lower()
        raise ChefError(
            f"cannot listen on {host}, port {port}: {reason}", "choose another --port, or set CHEF_PORT"
        ) from error
    return opened


def _address(host: str, listening: socket.socket) -> str:
    name = f"[{host}]" if ":" in host and not host.startswith("[") else host
    return f"http://{name}:{listening.getsockname()[1]}"
