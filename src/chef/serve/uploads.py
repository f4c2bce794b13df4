"""Recipes that a client sends: put into a folder of their own, then read like any other source.

Nothing outside that folder is opened for them: a recipe may name photos that came along, no other file of
this machine and no web address.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import islice
from pathlib import Path, PurePosixPath

from starlette.datastructures import UploadFile

from chef.files import temporary_folder
from chef.readers import Skipped, image_bytes, read
from chef.recipe import Recipe
from chef.serve.bodies import AddBody
from chef.serve.failures import Refusal
from chef.serve.photo import check
from chef.serve.settings import ServeSettings

_CHUNK = 1 << 20


@contextmanager
def place() -> Iterator[Path]:
    """A folder for one upload, gone afterwards."""
    with temporary_folder("upload") as folder:
        # Recipes name their photos by the real path: a link on the way would look like the outside.
        yield Path(folder).resolve()


def write_body(body: AddBody, folder: Path) -> None:
    """Put recipes that came as JSON into the folder, as files that the readers know."""
    if body.recipes is not None:
        content, suffix = json.dumps(body.recipes), "json"
    elif isinstance(body.jsonld, str):
        content, suffix = body.jsonld, "html" if body.jsonld.lstrip().startswith("<") else "jsonld"
    else:
        content, suffix = json.dumps([body.jsonld]), "jsonld"
    if suffix == "jsonld" and not content.lstrip().startswith("["):
        content = f"[{content}]"  # a file of one recipe would lend it its name; in a list its content does
    # A page gives its recipe the name of its file.
    data = content.encode("utf-8", "replace")
    (folder / f"{hashlib.sha256(data).hexdigest()[:16]}.{suffix}").write_bytes(data)


async def write_file(file: UploadFile, folder: Path) -> None:
    """Put one file of a form into the folder, under its own name; a name that leads out is refused."""
    target = folder / safe_name(file.filename or "")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with open(target, "xb") as out:
            while chunk := await file.read(_CHUNK):
                out.write(chunk)
    except FileExistsError:
        raise Refusal(409, "two files of one name; send each once") from None
    except (OSError, ValueError):
        raise Refusal(422, "a file name that no file can have; rename it") from None


def safe_name(name: str) -> PurePosixPath:
    """The name of an uploaded file as a way inside its folder.

    >>> str(safe_name("pies/apple.jpg"))
    'pies/apple.jpg'
    """
    parts = name.replace("\\", "/").split("/")
    if len(name) > 500 or not all(parts) or any(part.startswith(".") or ":" in part for part in parts):
        raise Refusal(422, "a file name that is empty, hidden or leads elsewhere; rename it")
    if any(ord(letter) < 32 for letter in name):
        raise Refusal(422, "a file name with control characters; rename it")
    return PurePosixPath(*parts)


def recipes_in(folder: Path, skipped: Skipped, settings: ServeSettings) -> list[Recipe]:
    """The recipes of an upload with the photos that came along; none at all, or too many, are refused."""
    found = [
        replace(recipe, images=tuple(image for image in recipe.images if _is_inside(image, folder)))
        for recipe in islice(read(folder, skipped), settings.max_recipes + 1)
    ]
    if len(found) > settings.max_recipes:
        raise Refusal(413, f"more than {settings.max_recipes} recipes; send fewer at a time")
    if not found:
        reasons = ", ".join(f"{reason} ({count})" for reason, count in sorted(skipped.counts.items()))
        raise Refusal(404, f"no recipe in what was sent{': ' if reasons else ''}{reasons}")
    for recipe in found:
        for image in recipe.images[:1]:
            check(image_bytes(image), settings)
    return found


def _is_inside(reference: str, folder: Path) -> bool:
    return reference.startswith(os.path.join(str(folder), ""))
