"""What a client sends: JSON or a form, photos, and recipes with their photos.

Recipes go into a folder of their own and are read like any other source. Nothing outside that folder is
opened for them: a recipe may name photos of the same upload, but no other file of this machine and no web
address.
"""

import asyncio
import errno
import hashlib
import json
import os
import warnings
from base64 import b64encode
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import replace
from itertools import islice
from pathlib import Path, PurePosixPath
from threading import Lock
from typing import Any, TypeVar

from fastapi import Request
from pydantic import BaseModel, ValidationError
from starlette.datastructures import FormData, UploadFile

from chef.data.images import BadImage, check
from chef.data.ocr import PageText, page_recipes
from chef.errors import ChefError
from chef.files import temporary_folder
from chef.index.ingest import MAX_PHOTOS, photo_bytes, usable_photo
from chef.readers import Skipped, image_bytes, read
from chef.readers.base import has_too_many_values, is_web
from chef.recipe import Recipe
from chef.serve.errors import Refusal, refusal, validation_message
from chef.serve.requests import AddBody, DraftBody
from chef.serve.settings import ServeSettings

_CHUNK = 1 << 20
_SHORT = 1 << 16  # a body that is parsed faster than handed to a thread

_one_large = Lock()

Model = TypeVar("Model", bound=BaseModel)


def media_type(request: Request) -> str:
    """The content type of a request, "application/json" or "multipart/form-data"; others are refused."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind not in ("application/json", "multipart/form-data"):
        raise Refusal(415, "send application/json or multipart/form-data")
    return kind


async def validated(model: type[Model], text: bytes | str) -> Model:
    """The model of a JSON text; an invalid field is 422 and named. FastAPI cannot read a body that may be
    JSON or a form, and would parse a large one while all other requests wait. One at a time: parsed, JSON
    takes up to 30 times the memory."""
    try:
        if len(text) < _SHORT:
            return model.model_validate_json(text)
        if has_too_many_values(text):
            raise Refusal(413, "the JSON has too many values; send less at a time")

        def parse() -> Model:
            with _one_large:
                return model.model_validate_json(text)

        return await asyncio.to_thread(parse)
    except ValidationError as error:
        raise Refusal(422, validation_message(error)) from error


async def receive(request: Request, folder: Path, max_files: int) -> None:
    """Write what was sent to be added into the folder, and keep nothing of it in memory."""
    if media_type(request) == "application/json":
        body = await validated(AddBody, await request.body())
        if (body.recipes is None) == (body.jsonld is None):
            raise Refusal(422, "give either recipes or jsonld")
        await asyncio.to_thread(write_body, body, folder)
        return
    async with form(request, ("files",), max_files, max_field=1024) as fields:
        for file in fields.getlist("files"):
            if not isinstance(file, UploadFile):
                raise Refusal(422, "files: expected files, not text")
            await write_file(file, folder)


@asynccontextmanager
async def form(
    request: Request, names: Sequence[str], max_files: int, max_field: int
) -> AsyncIterator[FormData]:
    """The form of a request: only fields of these names, up to `max_files` files and `max_field` bytes of
    text in a field."""
    async with request.form(max_files=max_files, max_fields=len(names), max_part_size=max_field) as fields:
        for name in fields:
            if name not in names:
                raise Refusal(422, f"{name[:50]}: no such field; there are {', '.join(names)}")
        yield fields


async def read_photo(fields: FormData, settings: ServeSettings) -> bytes:
    """The one photo of a form, checked but not yet decoded."""
    photos = fields.getlist("photo")
    if len(photos) != 1 or not isinstance(photos[0], UploadFile):
        raise Refusal(422, "photo: expected one file")
    data = await photos[0].read(settings.max_photo + 1)
    check_photo(data, settings)
    return data


async def read_body(
    request: Request, body: type[Model], field: str, form_body: type[Model], settings: ServeSettings
) -> tuple[bytes | None, Model]:
    """A body in JSON; or the photo of a form, and what the form's `field` has in JSON."""
    if media_type(request) == "application/json":
        return None, await validated(body, await request.body())
    async with form(request, ("photo", field), max_files=1, max_field=settings.max_json) as fields:
        photo, text = await read_photo(fields, settings), fields.get(field) or "{}"
        if not isinstance(text, str):
            raise Refusal(422, f"{field}: expected JSON text, not a file")
        return photo, await validated(form_body, text)


def check_photo(data: bytes, settings: ServeSettings) -> None:
    """Refuse what is not a photo, or takes too much memory, by its header, before anything is decoded."""
    if len(data) > settings.max_photo:
        raise Refusal(413, f"the photo is larger than {settings.max_photo >> 20} MB; make it smaller")
    limit = settings.max_pixels
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about Pillow's own, higher limit
            image, _ = check(data)
    except BadImage as error:
        if error.reason == "too large image":
            raise Refusal(413, "the photo takes too much memory; make it smaller") from error
        advice = "; use JPEG, PNG, WebP or HEIC" if error.reason == "not an image" else ""
        raise Refusal(404, f"no photo: {error.reason}{advice}") from error
    if image.width * image.height > limit:
        raise Refusal(413, f"the photo has more than {limit // 1_000_000} megapixels; make it smaller")


async def receive_draft(request: Request, folder: Path, settings: ServeSettings) -> Path | str:
    """Write what was sent to be read into a file -> that file, or the address that was sent."""
    if media_type(request) == "multipart/form-data":
        async with form(request, ("photo",), max_files=1, max_field=1024) as fields:
            (folder / "page.jpg").write_bytes(await read_photo(fields, settings))
        return folder / "page.jpg"
    body = await validated(DraftBody, await request.body())
    if (body.text is None) == (body.address is None):
        raise Refusal(422, "give either text or address")
    if body.text is None:
        return body.address or ""
    kinds = {"<": "html", "{": "jsonld", "[": "jsonld"}
    file = folder / f"recipe.{kinds.get(body.text.lstrip()[0], 'txt')}"
    file.write_text(body.text, encoding="utf-8", errors="replace")
    return file


def read_drafts(source: Path | str, settings: ServeSettings) -> dict[str, Any]:
    """The recipes of a draft, as a route answers them."""
    unsure: list[str] = []

    def note(page: PageText) -> str:
        unsure.extend(page.unsure)
        return page.text

    skipped, is_page = Skipped(), isinstance(source, Path) and source.suffix == ".jpg"
    try:
        every = page_recipes(str(source), note) if is_page else read(source, skipped)
        recipes = list(islice(every, settings.max_recipes))
    except ChefError as error:
        raise refusal(error) from error
    if not recipes:
        raise _nothing(skipped)
    drafts = []
    for recipe in recipes:
        # Only what the person named is fetched: a pasted text may name any file or address.
        web = replace(recipe, images=tuple(filter(is_web, recipe.images)) if isinstance(source, str) else ())
        photo = usable_photo(photo_bytes(web, skipped, web=True), web, skipped)
        data = None if photo is None else f"data:image/jpeg;base64,{b64encode(photo[1]).decode()}"
        drafts.append({"recipe": recipe.to_json(), "photo": data})
    return {"drafts": drafts, "unsure": unsure}


@contextmanager
def upload_folder() -> Iterator[Path]:
    """A folder for one upload, removed afterwards."""
    with temporary_folder("upload") as folder:
        # Recipes name their photos by the real path: with a symbolic link in ours, none would seem inside.
        yield Path(folder).resolve()


def write_body(body: AddBody, folder: Path) -> None:
    """Write recipes that came as JSON into the folder, as a file that the readers know."""
    if body.recipes is not None:
        content, suffix = json.dumps(body.recipes), "json"
    elif isinstance(body.jsonld, str):
        content, suffix = body.jsonld, "html" if body.jsonld.lstrip().startswith("<") else "jsonld"
    else:
        content, suffix = json.dumps([body.jsonld]), "jsonld"
    if suffix == "jsonld" and not content.lstrip().startswith("["):
        # A lone recipe would get its id from the file's name; in a list, from its content.
        content = f"[{content}]"
    data = content.encode("utf-8", "replace")
    # The recipe of a web page gets its id from the file's name.
    (folder / f"{hashlib.sha256(data).hexdigest()[:16]}.{suffix}").write_bytes(data)


async def write_file(file: UploadFile, folder: Path) -> None:
    """Write one file of a form into the folder, under its own name."""
    target = folder / safe_name(file.filename or "")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with open(target, "xb") as out:
            while chunk := await file.read(_CHUNK):
                out.write(chunk)
    except FileExistsError:
        raise Refusal(409, "two files have the same name; send each once") from None
    except (OSError, ValueError) as error:
        if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise
        raise Refusal(422, "a file name that is not possible here; rename the file") from None


def safe_name(name: str) -> PurePosixPath:
    """The name of an uploaded file as a path inside its folder; one that leads outside is refused.

    >>> str(safe_name("pies/apple.jpg"))
    'pies/apple.jpg'
    """
    parts = name.replace("\\", "/").split("/")
    if len(name) > 500 or not all(parts) or any(part.startswith(".") or ":" in part for part in parts):
        raise Refusal(422, "a file name that is empty, hidden or leads elsewhere; rename the file")
    if any(ord(letter) < 32 for letter in name):
        raise Refusal(422, "a file name with control characters; rename the file")
    return PurePosixPath(*parts)


def read_recipes(folder: Path, skipped: Skipped, settings: ServeSettings) -> list[Recipe]:
    """The recipes of an upload with the photos that came along; none at all, or too many, are refused."""
    inside = os.path.join(str(folder), "")
    recipes = [
        replace(recipe, images=tuple(image for image in recipe.images if image.startswith(inside)))
        for recipe in islice(read(folder, skipped), settings.max_recipes + 1)
    ]
    if len(recipes) > settings.max_recipes:
        raise Refusal(413, f"more than {settings.max_recipes} recipes; send fewer at a time")
    if not recipes:
        raise _nothing(skipped)
    for recipe in recipes:
        for image in recipe.images[:MAX_PHOTOS]:
            try:
                data = image_bytes(image, settings.max_photo)
            except ChefError as error:
                status = 413 if "is larger than" in error.problem else 400
                raise Refusal(status, str(error)) from error
            check_photo(data, settings)
    return recipes


def _nothing(skipped: Skipped) -> Refusal:
    reasons = ", ".join(f"{reason} ({count})" for reason, count in sorted(skipped.counts.items()))
    return Refusal(404, f"no recipe in what was sent{': ' if reasons else ''}{reasons}")
