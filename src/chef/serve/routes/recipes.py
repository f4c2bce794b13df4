"""/api/recipes: the recipes of the collection; reading, adding, removing."""

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from shutil import make_archive
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response
from fastapi import Path as InPath
from starlette.background import BackgroundTask
from starlette.responses import FileResponse, JSONResponse

from chef.files import temporary_folder
from chef.index import Added, Hit
from chef.index.values import stored_id
from chef.readers import Skipped
from chef.serve import requests, responses, uploads
from chef.serve.access import Reader, Writer
from chef.serve.errors import Refusal
from chef.serve.openapi import BODY, WRITES, either, failures
from chef.serve.service import CurrentService, Service

router = APIRouter(tags=["recipes"])

_MAX_BY_WORDS = 500

Json = dict[str, Any]

Id = Annotated[
    str, InPath(min_length=1, max_length=requests.MAX_ID, description="The id; it may contain slashes.")
]


@router.get(
    "/api/recipes", dependencies=[Reader], responses=failures(422), response_model=responses.RecipeList
)
async def list_recipes(
    service: CurrentService,
    offset: Annotated[int, Query(ge=0, le=100_000_000)] = 0,
    limit: Annotated[int, Query(ge=1, le=500)] = 50,
    q: Annotated[str, Query(max_length=200, description="Words; the best matches come first.")] = "",
) -> Json:
    """Favourites, then those with a photo, each by title; or the 500 that match some words best."""
    index = service.index

    def select() -> Json:
        total = index.info().recipes
        hits: Sequence[Hit] = []
        if q.strip():
            total = min(total, _MAX_BY_WORDS)
            hits = index.search(text=q, k=min(total, offset + limit))[offset:] if offset < total else []
        elif offset < total:
            hits = index.browse(offset, limit)
        rows = [hit.to_json() for hit in hits]
        return {"recipes": rows, "total": total, "version": index.version}

    return await service.read(select)


# Before the recipe itself, whose id may contain slashes.
@router.get(
    "/api/recipes/{id:path}/photo",
    dependencies=[Reader],
    response_class=Response,
    responses={
        200: {"content": {"image/jpeg": {"schema": {"type": "string", "format": "binary"}}}},
        **failures(404, 422),
    },
)
async def photo(id: Id, request: Request, service: CurrentService) -> Response:
    """A thumbnail of the photo; 404 if the recipe has none."""
    if not request.scope["raw_path"].endswith(b"/photo"):  # "%2Fphoto" is the end of an id
        return JSONResponse(await recipe(f"{id}/photo", service))

    def read() -> bytes | None:
        service.entry(id)
        return service.index.thumbnail(id)

    thumbnail = await service.read(read)
    if thumbnail is None:
        raise Refusal(404, "this recipe has no photo")
    return Response(thumbnail, media_type="image/jpeg")


@router.get(
    "/api/recipes/{id:path}",
    dependencies=[Reader],
    responses=failures(404, 422),
    response_model=responses.EntryAnswer,
)
async def recipe(id: Id, service: CurrentService) -> Json:
    """One recipe with its trees, main ingredient and action words."""

    def read() -> Json:
        entry = service.entry(id)
        main = {"main_ingredient": entry.main_ingredient, "main_confidence": entry.main_confidence}
        stored = {"recipe": entry.recipe.to_json(), "actions": entry.actions, "has_image": entry.has_image}
        return {**service.chef.explain(entry.recipe).to_json(), **main, **stored}

    return await service.read(read)


@router.post(
    "/api/recipes",
    dependencies=[Writer],
    responses=failures(*BODY, 404, 409, 415, 507),
    openapi_extra={**either(requests.AddBody, requests.AddForm), **WRITES},
)
async def add(request: Request, service: CurrentService) -> responses.AddAnswer:
    """Add recipes; a recipe with a known id replaces the old one."""
    with uploads.upload_folder() as folder:
        await uploads.receive(request, folder, service.settings.max_files)
        return await store(folder, service)


async def store(folder: Path, service: Service) -> responses.AddAnswer:
    """Add the recipes of a folder, which is the caller's to remove."""
    skipped = Skipped()

    def write() -> tuple[Added, list[str]]:
        # Read completely before anything is stored: a bad upload is not stored in part.
        recipes = uploads.read_recipes(folder, skipped, service.settings)
        done = service.index.add(recipes, skipped=skipped, forget_paths=True, at_once=True)
        return done, [stored_id(recipe.id) for recipe in recipes]

    done, ids = await service.write(write)
    return responses.AddAnswer(**asdict(done), skipped={**skipped.counts, **skipped.notes.counts}, ids=ids)


@router.patch(
    "/api/recipes/{id:path}",
    dependencies=[Writer],
    responses=failures(*BODY, 404, 415, 507),
    openapi_extra={**either(requests.EditBody, requests.EditForm), **WRITES},
)
async def edit(id: Id, request: Request, service: CurrentService) -> responses.EditAnswer:
    """Change fields of a recipe, or its photo; the change stays when the same source is read again."""
    await service.read(lambda: service.entry(id))  # before the body is looked at
    edit_body = requests.EditBody
    photo, body = await uploads.read_body(request, edit_body, "recipe", edit_body, service.settings)

    def write() -> responses.EditAnswer:
        service.index.edit(service.entry(id).id, body.change, photo)
        return responses.EditAnswer(id)

    return await service.write(write)


@router.post(
    "/api/drafts",
    dependencies=[Writer],
    responses=failures(*BODY, 404, 415),
    openapi_extra={**either(requests.DraftBody, requests.DraftForm), **WRITES},
    response_model=responses.DraftAnswer,
)
async def drafts(request: Request, service: CurrentService) -> Json:
    """The recipes of a text, a web page or a photographed page, for correction; nothing is stored."""
    with uploads.upload_folder() as folder:
        source = await uploads.receive_draft(request, folder, service.settings)
        return await service.aside(lambda: uploads.read_drafts(source, service.settings))


@router.get(
    "/api/export",
    dependencies=[Reader],
    response_class=Response,
    responses={
        200: {"content": {"application/zip": {"schema": {"type": "string", "format": "binary"}}}},
        **failures(),
    },
)
async def export(service: CurrentService) -> Response:
    """All recipes with their photos in a zip file that `chef index add` and this page read."""
    folder = temporary_folder("export")

    def pack() -> str:
        service.index.export_folder(Path(folder.name) / "recipes")
        return make_archive(str(Path(folder.name) / "recipes"), "zip", folder.name, "recipes")

    try:
        file = await service.aside(pack)
    except BaseException:
        folder.cleanup()
        raise
    return FileResponse(file, filename="recipes.zip", background=BackgroundTask(folder.cleanup))


@router.delete(
    "/api/recipes/{id:path}", dependencies=[Writer], responses=failures(404, 422, 507), openapi_extra=WRITES
)
async def remove(id: Id, service: CurrentService) -> responses.RemoveAnswer:
    """Remove a recipe; the files hold it for up to a day more."""

    def delete() -> responses.RemoveAnswer:
        service.entry(id)
        return responses.RemoveAnswer(service.index.remove(id))

    return await service.write(delete)
