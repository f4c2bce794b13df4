"""What goes wrong over HTTP: always {"error": one line}, never a path of this machine, never a traceback."""

from __future__ import annotations

import errno
import re
from collections.abc import Callable

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from pydantic import ValidationError
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse

from chef.errors import ChefError

# An absolute path of Unix or Windows; the slashes of a web address and of "and/or" are no such.
_PATH = re.compile(r"(?<![\w:/.])(?:[A-Za-z]:)?[\\/](?:[^\s\\/:'\"()<>,]+[\\/])*[^\s\\/:'\"()<>,]+")
_LONGEST = 500
_SAID = {404: "there is nothing at this address", 405: "this address does not take that method"}


class Refusal(Exception):
    """A request that is not served: the status and what the client is told."""

    def __init__(self, status: int, message: str, headers: dict[str, str] | None = None) -> None:
        self.status = status
        self.message = message
        self.headers = headers
        super().__init__(message)


def without_paths(message: str) -> str:
    """The message on one line, with the paths of this machine taken out.

    >>> without_paths("no image at /srv/data/pie.jpg (check it)")
    'no image at a file (check it)'
    """
    return _PATH.sub("a file", " ".join(message.split()))[:_LONGEST]


def answer(status: int, message: str, headers: dict[str, str] | None = None) -> JSONResponse:
    """The one form that every error has."""
    return JSONResponse({"error": without_paths(message)}, status, headers)


def first_fault(error: RequestValidationError | ValidationError) -> str:
    """One line that names the first field at fault."""
    fault = error.errors()[0]
    place = ".".join(str(part) for part in fault["loc"] if part not in ("body", "query", "path"))
    said = str(fault["msg"]).removeprefix("Value error, ")
    if fault["type"] == "json_invalid":
        return "the body is not valid JSON"
    return f"{place}: {said}" if place else said


def not_there(error: ChefError) -> Refusal:
    """The refusal of a request that names an ingredient, a tag or a recipe that we do not have."""
    return Refusal(*_status_of(error, 404))


def _status_of(error: ChefError, usual: int) -> tuple[int, str]:
    # The one mistake that is never the client's: the disk or the rights of the collection.
    if error.problem.startswith("the collection at "):
        return 503, "the collection cannot be used at the moment"
    return usual, str(error)


def install(app: FastAPI, methods: Callable[[str], set[str]]) -> None:
    """Give every kind of failure its answer; `methods` names those that a path takes."""

    @app.exception_handler(Refusal)
    async def refused(request: Request, error: Refusal) -> JSONResponse:
        return answer(error.status, error.message, error.headers)

    @app.exception_handler(ChefError)
    async def mistaken(request: Request, error: ChefError) -> JSONResponse:
        return answer(*_status_of(error, 400))

    @app.exception_handler(OSError)
    async def of_the_system(request: Request, error: OSError) -> JSONResponse:
        if error.errno == errno.ENOSPC:
            return answer(507, "the disk of the service is full; nothing was stored")
        raise error

    @app.exception_handler(RequestValidationError)
    async def invalid(request: Request, error: RequestValidationError) -> JSONResponse:
        return answer(422, first_fault(error))

    @app.exception_handler(HTTPException)
    async def plain(request: Request, error: HTTPException) -> JSONResponse:
        headers = {name.lower(): value for name, value in (error.headers or {}).items()}
        if error.status_code == 405:
            headers["allow"] = ", ".join(sorted(methods(request.url.path)))
        return answer(error.status_code, _SAID.get(error.status_code, str(error.detail)), headers)

    @app.exception_handler(Exception)
    async def unforeseen(request: Request, error: Exception) -> JSONResponse:
        return answer(500, "the service failed at this request; its log says why")  # and uvicorn logs it
