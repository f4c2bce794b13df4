"""`chef index`: searchable collections: add, remove, list, export, verify, repair, optimize and so on.

`chef backup` and `chef restore`: a collection as one file; `chef sync`: in step with another program.
"""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from dataclasses import asdict
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from chef.commands.shared import Json, RayAddress, open_collection, print_json, show_skipped

if TYPE_CHECKING:
    from chef.recipe import Recipe

index = typer.Typer(no_args_is_help=True, help="Collections of recipes to search in. See docs/search.md.")

NewModel = Annotated[
    str | None, typer.Option(help="The model of a new collection: a bundled one, a folder or a run.")
]
Where = Annotated[str, typer.Argument(metavar="DIR", help="The collection: a folder or an s3:// address.")]


@index.command("add")
def add_command(
    where: Where,
    sources: Annotated[
        list[str],
        typer.Argument(metavar="SOURCE...", help="Recipes in any format that chef reads, or prepared data."),
    ],
    model: NewModel = None,
    workers: Annotated[
        int | None,
        typer.Option(min=1, help="Worker processes; default: all cores, or one if there is a GPU."),
    ] = None,
    ray: RayAddress = None,
    gpus_per_worker: Annotated[
        float, typer.Option(min=0, help="GPUs of each worker of --ray; 0.25: four workers share one.")
    ] = 0,
    engine: Annotated[
        str | None,
        typer.Option(
            help="How it is searched: lance, on disk through indexes, a new collection with vectors in half"
            " precision; or memory. Default: memory up to 200,000 recipes."
        ),
    ] = None,
    ocr: Annotated[
        bool, typer.Option("--ocr", help="Read pictures as photographed pages, with Tesseract.")
    ] = False,
    ocr_language: Annotated[
        str, typer.Option(help="The language of the pages, as Tesseract calls it: eng, deu, fra+eng.")
    ] = "eng",
    json: Json = False,
) -> None:
    """Add recipes to a collection, which is created if needed; a recipe with a known id is replaced.

    An interrupted run loses nothing that was stored: run it again.
    """
    from chef.data.pool import Ray
    from chef.files import loading
    from chef.index import Index
    from chef.index.lance_indexes import check_engine
    from chef.progress import ConsoleProgress
    from chef.readers import Skipped
    from chef.readers.base import is_image

    with loading():
        import torch
    skipped, has_gpu = Skipped(), torch.cuda.is_available()
    check_engine(engine)
    given = [_pages(one, ocr_language) if ocr and is_image(one) else one for one in sources]
    collection = Index(where, model)
    with ConsoleProgress() as progress:
        done = collection.add(
            *given,
            skipped=skipped,
            progress=progress,
            device="cuda:0" if has_gpu else "cpu",
            workers=workers or (1 if has_gpu and not ray else os.cpu_count() or 1),
            ray=Ray(ray, gpus_per_worker) if ray else None,
            half=engine == "lance",
        )
        collection.optimize(engine, if_due=True, progress=progress)
    if json:
        print_json({**asdict(done), "skipped": skipped.counts, "notes": skipped.notes.counts})
        return
    typer.echo(f"{done.added:,} added, {done.updated:,} updated, {done.unchanged:,} unchanged in {where}")
    show_skipped(skipped)


def _pages(path: str, language: str) -> list[Recipe]:
    """The recipes of a photographed page, after the user has looked over what was read."""
    from chef.data.ocr import PageText, page_recipes
    from chef.files import temporary_folder

    def correct(page: PageText) -> str:
        if page.unsure:
            typer.echo(f"{path}: hard to read: {', '.join(page.unsure)}", err=True)
        if not (sys.stdin.isatty() and sys.stdout.isatty()):
            return page.text
        with temporary_folder("page") as folder:
            file = Path(folder) / "page.txt"
            file.write_text(page.text, encoding="utf-8")
            editor = os.environ.get("VISUAL") or os.environ.get("EDITOR") or "vi"
            subprocess.run([*shlex.split(editor), str(file)], check=True)
            return file.read_text(encoding="utf-8")

    return list(page_recipes(path, correct, language))


@index.command("remove")
def remove_command(
    where: Where,
    ids: Annotated[
        list[str], typer.Argument(metavar="ID...", help="The recipes; chef index list shows ids.")
    ],
    now: Annotated[
        bool, typer.Option("--now", help="Also from the files, which otherwise hold them for up to a day.")
    ] = False,
) -> None:
    """Remove recipes; if one of the ids is unknown, none is removed."""
    removed = open_collection(where).remove(*ids, now=now)
    typer.echo(f"{removed:,} removed from {where}")


@index.command("list")
def list_command(
    where: Where,
    offset: Annotated[int, typer.Option(min=0, help="How many to skip.")] = 0,
    limit: Annotated[int | None, typer.Option(min=1, help="How many to show; default: all.")] = None,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object per line.")] = False,
) -> None:
    """List the recipes, sorted by id."""
    for entry in open_collection(where).entries(offset, limit):
        if json:
            facts = {"id": entry.id, "title": entry.recipe.title, "main_ingredient": entry.main_ingredient}
            print_json({**facts, "main_confidence": entry.main_confidence, "has_image": entry.has_image})
        else:
            print(f"{entry.id}\t{entry.recipe.title}")


@index.command("info")
def info_command(where: Where, json: Json = False) -> None:
    """Show how many recipes there are, the model, and the size."""
    info = open_collection(where).info()
    if json:
        print_json(info.to_json())
        return
    size = "not on this machine" if info.bytes is None else f"{info.bytes / 1e6:,.1f} MB"
    for name, value in (
        ("recipes", f"{info.recipes:,}"),
        ("with a photo", f"{info.with_image:,}"),
        ("model", f"{info.model or 'given as an object'}, {info.dimension} dimensions"),
        ("searched", "on disk, through Lance's indexes" if info.engine == "lance" else "in memory"),
        ("size", size),
        ("version", str(info.version)),
    ):
        typer.echo(f"{name:<14}{value}")


@index.command("export")
def export_command(
    where: Where,
    photos: Annotated[
        str | None,
        typer.Option(metavar="FOLDER", help="Write recipes and photos to a folder, for chef index add."),
    ] = None,
) -> None:
    """Print all recipes as JSON lines, sorted by id, with main ingredient and action words."""
    collection = open_collection(where)
    if photos is not None:
        typer.echo(f"{collection.export_folder(photos):,} recipes written to {photos}")
        return
    for recipe in collection.export():
        print_json(recipe)


@index.command("verify")
def verify_command(where: Where, json: Json = False) -> None:
    """Read every file and every recipe against its checksum and name what is damaged; then exit with 1."""
    from chef.index.repair import verify
    from chef.index.store import Store

    health = verify(Store(where))
    if json:
        print_json(health.to_json())
    else:
        for name in health.files:
            typer.echo(f"damaged file: {name}")
        for name in health.recipes:
            typer.echo(f"damaged recipe: {name}")
        typer.echo(f"{health.read:,} recipes are as they were written")
        if health.unchecked:
            typer.echo(f"{health.unchecked:,} files have no checksum: written by an older version of chef")
    if health.files or health.recipes:
        typer.echo(f"to repair it: chef index repair {where}", err=True)
        raise typer.Exit(1)


@index.command("repair")
def repair_command(where: Where, json: Json = False) -> None:
    """Go back to the last version that can be read, keep what is whole in it, and say what is lost.

    A recipe that is damaged becomes that of the last whole version, where there is one.
    """
    from chef.index.repair import repair
    from chef.index.store import Store

    done = repair(Store(where))
    if json:
        print_json(done.to_json())
        return
    if done.back_to:
        typer.echo(f"back to the version of {done.back_to}; what was written after that is lost")
    for text, ids in (("lost", done.lost), ("an earlier text again", done.older)):
        for id in ids:
            typer.echo(f"{text}: {id}")
    typer.echo(f"{done.recipes:,} recipes in {where}")


def backup(
    where: Where, file: Annotated[str, typer.Argument(metavar="FILE", help="The backup, such as my.zip.")]
) -> None:
    """Write a collection to one file: recipes, thumbnails, vectors and all. A service may go on meanwhile."""
    typer.echo(f"{open_collection(where).backup(file):,} recipes written to {file}")


def restore(
    file: Annotated[str, typer.Argument(metavar="FILE", help="What chef backup wrote.")],
    where: Where,
    replace: Annotated[
        bool, typer.Option("--replace", help="In the place of the recipes that are there now.")
    ] = False,
) -> None:
    """Make a collection of a backup, at once or not at all. A service may go on meanwhile."""
    from chef.errors import ChefError
    from chef.index.backup import restore
    from chef.index.store import Store

    store = Store(where)
    if store.exists and not replace:
        raise ChefError(f"there is a collection at {where}", "name a new folder, or add --replace")
    typer.echo(f"{restore(Path(file), store):,} recipes in {where}")


@index.command("optimize")
def optimize_command(
    where: Where,
    engine: Annotated[
        str | None,
        typer.Option(help="lance or memory; default: as it is, and lance from 200,000 recipes."),
    ] = None,
) -> None:
    """Make or renew the indexes of a collection that is searched on disk, and join small files.

    Recipes that are not indexed yet are found as well, only more slowly the more there are.
    """
    from chef.progress import ConsoleProgress

    collection = open_collection(where)
    with ConsoleProgress() as progress:
        chosen = collection.optimize(engine, progress=progress)
    typer.echo(f"{where} is searched {'on disk' if chosen == 'lance' else 'in memory'}")


@index.command("rebuild")
def rebuild_command(
    where: Where,
    model: Annotated[
        str | None, typer.Option(help="The model to change to; default: the collection's own.")
    ] = None,
) -> None:
    """Embed all recipes again, with another model if one is named, and tidy up the files."""
    from chef.progress import ConsoleProgress

    collection = open_collection(where)
    with ConsoleProgress() as progress:
        collection.rebuild(model, progress=progress)
    info = collection.info()
    typer.echo(f"{info.recipes:,} recipes embedded again with {info.model}")


class Kind(StrEnum):
    MEALIE = "mealie"
    TANDOOR = "tandoor"
    NEXTCLOUD = "nextcloud"


def sync(
    app: Annotated[Kind, typer.Argument(metavar="APP", help="mealie, tandoor or nextcloud (its Cookbook).")],
    url: Annotated[
        str, typer.Argument(metavar="URL", help="Its address, such as https://recipes.example.org.")
    ],
    index: Annotated[
        str, typer.Option("--index", metavar="DIR", help="The collection, which is made if needed.")
    ],
    write_tags: Annotated[
        bool,
        typer.Option(
            "--write-tags", help="Tag recipes in the app with main ingredient and what they contain."
        ),
    ] = False,
    rate: Annotated[float, typer.Option(min=0.01, max=1000, help="Requests per second.")] = 5.0,
    model: NewModel = None,
    json: Json = False,
) -> None:
    """Fetch new and changed recipes of an app with their photos, and remove those that are gone there.

    The token is in CHEF_MEALIE_TOKEN, CHEF_TANDOOR_TOKEN or CHEF_NEXTCLOUD_TOKEN. An interrupted run goes on
    where it stopped. See docs/sync.md.
    """
    from chef.index import Index
    from chef.progress import ConsoleProgress
    from chef.readers import Skipped
    from chef.sync import APPS, Sync

    skipped = Skipped()
    with ConsoleProgress() as progress:
        done = Sync(APPS[app](url, rate), Index(index, model), write_tags=write_tags).run(skipped, progress)
    if json:
        print_json({**done.to_json(), "skipped": skipped.counts, "notes": skipped.notes.counts})
        return
    tagged = f"; {done.tagged:,} tagged in {app}" if write_tags else ""
    typer.echo(f"{done.added:,} added, {done.updated:,} updated, {done.removed:,} removed in {index}{tagged}")
    show_skipped(skipped)
