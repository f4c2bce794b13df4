"""HTTP errors: always {"error": one line}, never a path of this machine, never a traceback."""

import errno
import re
from collections.abc import Callable

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from pydantic import ValidationError
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse

from chef.errors import ChefError

# An absolute path of Unix or Windows; slashes in a web address or in "and/or" do not count.
_PATH = re.compile(r"(?<![\w:/.])(?:[A-Za-z]:)?[\\/](?:[^\s\\/:'\"()<>,]+[\\/])*[^\s\\/:'\"()<>,]+")
_MAX_LENGTH = 500
_COLLECTION = "the collection at "
_MESSAGES = {404: "there is nothing at this address", 405: "this address does not take that method"}


class Refusal(Exception):
    """A request that is refused: the status and the message for the client."""

    def __init__(self, status: int, message: str, headers: dict[str, str] | None = None) -> None:
        self.status, self.message, self.headers = status, message, headers
        super().__init__(message)

    def response(self) -> JSONResponse:
        return error_response(self.status, self.message, self.headers)


def without_paths(message: str) -> str:
    """The message on one line, with the paths of this machine removed.

    >>> without_paths("no image at /srv/data/pie.jpg (check it)")
    'no image at a file (check it)'
    """
    return _PATH.sub("a file", " ".join(message.split()))[:_MAX_LENGTH]


def error_response(status: int, message: str, headers: dict[str, str] | None = None) -> JSONResponse:
    """The form that every error has."""
    return JSONResponse({"error": without_paths(message)}, status, headers)


def validation_message(error: RequestValidationError | ValidationError) -> str:
    """One line that names the first invalid field."""
    first = error.errors()[0]
    if first["type"] == "json_invalid":
        return "the body is not valid JSON"
    field = ".".join(str(part) for part in first["loc"] if part not in ("body", "query", "path"))
    message = str(first["msg"]).removeprefix("Value error, ")
    return f"{field}: {message}" if field else message


def refusal(error: ChefError, status: int = 404) -> Refusal:
    """The answer to a request that names what we do not have, or that is otherwise wrong.

    The one error that is never the client's is the collection's disk or permissions; what LanceDB says about
    its files is for the log.
    """
    if not error.problem.startswith(_COLLECTION):
        return Refusal(status, str(error))
    gone = error.problem.endswith("is gone")
    return Refusal(503, f"the collection {'is gone' if gone else 'cannot be used at the moment'}")


def install(app: FastAPI, methods: Callable[[str], set[str]]) -> None:
    """Handle every kind of exception; `methods(path)` lists the methods that a path takes."""

    @app.exception_handler(Refusal)
    async def refused(request: Request, error: Refusal) -> JSONResponse:
        return error.response()

    @app.exception_handler(ChefError)
    async def chef_error(request: Request, error: ChefError) -> JSONResponse:
        return refusal(error, 400).response()

    @app.exception_handler(OSError)
    async def os_error(request: Request, error: OSError) -> JSONResponse:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            return error_response(507, "the disk of the service is full; nothing was stored")
        raise error

    @app.exception_handler(RequestValidationError)
    async def invalid(request: Request, error: RequestValidationError) -> JSONResponse:
        return error_response(422, validation_message(error))

    @app.exception_handler(HTTPException)
    async def http_error(request: Request, error: HTTPException) -> JSONResponse:
        headers = {name.lower(): value for name, value in (error.headers or {}).items()}
        if error.status_code == 405:
            headers["allow"] = ", ".join(sorted(methods(request.url.path)))
        message = _MESSAGES.get(error.status_code, str(error.detail))
        return error_response(error.status_code, message, headers)

    @app.exception_handler(Exception)
    async def unexpected(request: Request, error: Exception) -> JSONResponse:
        return error_response(500, "the service failed at this request; see its log")  # uvicorn logs it
