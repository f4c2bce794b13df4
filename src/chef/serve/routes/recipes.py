"""/api/recipes: the recipes of the collection; reading, adding, removing."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Path, Query, Request, Response
from starlette.datastructures import UploadFile

from chef.readers import Skipped
from chef.recipe import Recipe
from chef.serve import answers, uploads
from chef.serve.access import Reader, Writer
from chef.serve.bodies import AddBody, AddForm
from chef.serve.failures import Refusal
from chef.serve.openapi import WRITES, either
from chef.serve.reading import form, media_type, validated
from chef.serve.routes.common import BODY, Served, failures, plain
from chef.serve.service import Service

router = APIRouter(tags=["recipes"])

_MOST_BY_WORDS = 500

Id = Annotated[str, Path(min_length=1, max_length=500, description="The id; it may hold slashes.")]


@router.get(
    "/api/recipes",
    dependencies=[Reader],
    response_model=answers.RecipeList,
    responses=failures(422),
)
async def list_recipes(
    service: Served,
    offset: Annotated[int, Query(ge=0, le=100_000_000)] = 0,
    limit: Annotated[int, Query(ge=1, le=500)] = 50,
    q: Annotated[str, Query(max_length=200, description="Words; what fits them best comes first.")] = "",
) -> dict[str, Any]:
    """The recipes in the order of their ids, or the 500 that fit some words best."""
    return await service.work(lambda: _rows(service, offset, limit, q))


def _rows(service: Service, offset: int, limit: int, words: str) -> dict[str, Any]:
    index = service.index
    total = index.info().recipes
    if words.strip():
        total = min(total, _MOST_BY_WORDS)
        hits = index.search(text=words, k=min(total, offset + limit))[offset:] if offset < total else []
        rows = [hit.to_json() for hit in hits]
    else:
        rows = [
            {
                "id": entry.id,
                "title": entry.recipe.title,
                "main_ingredient": entry.main_ingredient,
                "actions": entry.actions,
                "ingredients": entry.tokens,
                "has_image": entry.has_image,
            }
            for entry in index.entries(offset, limit)
        ]
    return {"recipes": rows, "total": total, "version": index.version}


# Before the recipe itself, whose id may hold slashes.
@router.get(
    "/api/recipes/{id:path}/photo",
    dependencies=[Reader],
    response_class=Response,
    responses={
        200: {"content": {"image/jpeg": {"schema": {"type": "string", "format": "binary"}}}},
        **failures(404, 422),
    },
)
async def photo(id: Id, service: Served) -> Response:
    """The photo, small; 404 where the recipe has none."""

    def find() -> bytes | None:
        service.entry(id)
        return service.index.thumbnail(id)

    found = await service.work(find)
    if found is None:
        raise Refusal(404, "this recipe has no photo")
    return Response(found, media_type="image/jpeg")


@router.get(
    "/api/recipes/{id:path}",
    dependencies=[Reader],
    response_model=answers.EntryAnswer,
    responses=failures(404, 422),
)
async def recipe(id: Id, service: Served) -> dict[str, Any]:
    """One recipe with its trees, main ingredient and action words."""

    def find() -> dict[str, Any]:
        entry = service.entry(id)
        return {
            **service.chef.explain(entry.recipe).to_json(),
            "recipe": plain(entry.recipe),
            "main_ingredient": entry.main_ingredient,
            "actions": entry.actions,
            "has_image": entry.has_image,
        }

    return await service.work(find)


@router.post(
    "/api/recipes",
    dependencies=[Writer],
    response_model=answers.AddAnswer,
    responses=failures(*BODY, 404, 409, 415),
    openapi_extra={**either(AddBody, AddForm), **WRITES},
)
async def add(request: Request, service: Served) -> dict[str, Any]:
    """Add recipes; one of a known id takes the place of the old one."""
    with uploads.place() as folder:
        if media_type(request) == "application/json":
            body = validated(AddBody, await request.body())
            if (body.recipes is None) == (body.jsonld is None):
                raise Refusal(422, "give either recipes or jsonld")
            uploads.write_body(body, folder)
        else:
            async with form(request, ("files",), service.settings.max_files, field=1024) as fields:
                for file in fields.getlist("files"):
                    if not isinstance(file, UploadFile):
                        raise Refusal(422, "files: files are wanted, not text")
                    await uploads.write_file(file, folder)
        skipped = Skipped()
        # Read as a whole before anything is stored: a bad upload leaves no half of itself behind.
        found = await service.work(lambda: uploads.recipes_in(folder, skipped, service.settings))
        return await service.write(lambda: _store(service, found, skipped))


def _store(service: Service, recipes: list[Recipe], skipped: Skipped) -> dict[str, Any]:
    done = service.index.add(recipes, skipped=skipped)
    return {
        "added": done.added,
        "updated": done.updated,
        "unchanged": done.unchanged,
        "skipped": {**skipped.counts, **skipped.notes.counts},
    }


@router.delete(
    "/api/recipes/{id:path}",
    dependencies=[Writer],
    response_model=answers.RemoveAnswer,
    responses=failures(404, 422),
    openapi_extra=WRITES,
)
async def remove(id: Id, service: Served) -> dict[str, int]:
    """Remove a recipe for good."""

    def delete() -> int:
        service.entry(id)
        return service.index.remove(id)

    return {"removed": await service.write(delete)}
