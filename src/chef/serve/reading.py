"""Bodies that are JSON or a multipart form, read by hand because FastAPI takes one of the two only."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import TypeVar

from fastapi import Request
from pydantic import BaseModel, ValidationError
from starlette.datastructures import FormData, UploadFile

from chef.serve.failures import Refusal, first_fault

Model = TypeVar("Model", bound=BaseModel)


def media_type(request: Request) -> str:
    """What the client says it sends: "application/json", "multipart/form-data" or something we refuse."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind not in ("application/json", "multipart/form-data"):
        raise Refusal(415, "send application/json or multipart/form-data")
    return kind


def validated(model: type[Model], text: bytes | str) -> Model:
    """The model of a JSON text; faults are 422, named by their field."""
    try:
        return model.model_validate_json(text)
    except ValidationError as error:
        raise Refusal(422, first_fault(error)) from error


@asynccontextmanager
async def form(request: Request, known: Sequence[str], files: int, field: int) -> AsyncIterator[FormData]:
    """The form of a request: fields of these names, at most so many files and bytes of text."""
    async with request.form(max_files=files, max_fields=len(known), max_part_size=field) as fields:
        for name in fields:
            if name not in known:
                raise Refusal(422, f"{name[:50]}: no such field; there are {', '.join(known)}")
        yield fields


def file_of(fields: FormData, name: str) -> UploadFile:
    """The one file of this name."""
    found = fields.getlist(name)
    if len(found) != 1 or not isinstance(found[0], UploadFile):
        raise Refusal(422, f"{name}: one file is wanted")
    return found[0]
