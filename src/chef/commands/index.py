"""`chef index`: searchable collections of recipes: add, remove, list, info, export, rebuild."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from chef.commands.shared import Json, print_json

if TYPE_CHECKING:
    from chef.readers import Skipped

index = typer.Typer(no_args_is_help=True, help="Collections of recipes to search in. See docs/search.md.")

Where = Annotated[str, typer.Argument(metavar="DIR", help="The collection: a folder or an s3:// address.")]


@index.command("add")
def add_command(
    where: Where,
    sources: Annotated[
        list[str],
        typer.Argument(metavar="SOURCE...", help="Recipes in any format that chef reads, or prepared data."),
    ],
    model: Annotated[
        str | None, typer.Option(help="The model of a new collection: a bundled one, a folder or a run.")
    ] = None,
    json: Json = False,
) -> None:
    """Add recipes to a collection, which is created if needed; a recipe with a known id is replaced.

    An interrupted run loses nothing that was stored: run it again. All runs of the same command with
    prepared data share the work, on any machine and under torchrun:
    torchrun --nproc-per-node 8 -m chef index add DIR PREPARED
    """
    from chef.index import Index
    from chef.index.devices import Rank
    from chef.progress import ConsoleProgress, Progress
    from chef.readers import Skipped

    skipped, rank = Skipped(), Rank.here()
    if not rank.alone:
        _check_prepared(sources)
    with ConsoleProgress() if rank.first else Progress() as progress:
        done = Index(where, model).add(*sources, skipped=skipped, progress=progress, device=rank.settle())
    if not rank.first:
        return
    if json:
        counts = {"added": done.added, "updated": done.updated, "unchanged": done.unchanged}
        print_json({**counts, "skipped": skipped.counts, "notes": skipped.notes.counts})
        return
    typer.echo(f"{done.added:,} added, {done.updated:,} updated, {done.unchanged:,} unchanged in {where}")
    _print_skipped(skipped)


def _check_prepared(sources: list[str]) -> None:
    """Refuse what several processes cannot share: each would add all of it."""
    from chef.errors import ChefError
    from chef.index.ingest import open_prepared

    for source in sources:
        if open_prepared(source) is None:
            raise ChefError(
                f"{source} holds no prepared data, which several processes could share",
                "make them with chef prepare, or leave torchrun out",
            )


def _print_skipped(skipped: Skipped) -> None:
    """Print what was left out, with the first place for each reason."""
    for title, tally in (("skipped", skipped), ("photo left out", skipped.notes)):
        for reason, count in sorted(tally.counts.items(), key=lambda item: -item[1]):
            typer.echo(f"{title}: {reason} ({count:,}), first: {tally.examples[reason][0]}", err=True)


@index.command("remove")
def remove_command(
    where: Where,
    ids: Annotated[
        list[str], typer.Argument(metavar="ID...", help="The recipes; chef index list shows ids.")
    ],
) -> None:
    """Remove recipes; if one of the ids is unknown, none is removed."""
    from chef.index import Index

    removed = Index(where, create=False).remove(*ids)
    typer.echo(f"{removed:,} removed from {where}")


@index.command("list")
def list_command(
    where: Where,
    offset: Annotated[int, typer.Option(min=0, help="How many to skip.")] = 0,
    limit: Annotated[int | None, typer.Option(min=1, help="How many to show; default: all.")] = None,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object per line.")] = False,
) -> None:
    """List the recipes, sorted by id."""
    from chef.index import Index

    for entry in Index(where, create=False).entries(offset, limit):
        if json:
            facts = {"id": entry.id, "title": entry.recipe.title, "main_ingredient": entry.main_ingredient}
            print_json({**facts, "has_image": entry.has_image})
        else:
            print(f"{entry.id}\t{entry.recipe.title}")


@index.command("info")
def info_command(where: Where, json: Json = False) -> None:
    """Show how many recipes there are, the model, and the size."""
    from chef.index import Index

    info = Index(where, create=False).info()
    if json:
        print_json(info.to_json())
        return
    size = "not on this machine" if info.bytes is None else f"{info.bytes / 1e6:,.1f} MB"
    for name, value in (
        ("recipes", f"{info.recipes:,}"),
        ("with a photo", f"{info.with_image:,}"),
        ("model", f"{info.model or 'given as an object'}, {info.dimension} dimensions"),
        ("size", size),
        ("version", str(info.version)),
    ):
        typer.echo(f"{name:<14}{value}")


@index.command("export")
def export_command(where: Where) -> None:
    """Print all recipes as JSON lines, sorted by id, with main ingredient and action words."""
    from chef.index import Index

    for recipe in Index(where, create=False).export():
        print_json(recipe)


@index.command("rebuild")
def rebuild_command(
    where: Where,
    model: Annotated[
        str | None, typer.Option(help="The model to change to; default: the collection's own.")
    ] = None,
) -> None:
    """Embed all recipes again, with another model if one is named, and tidy up the files."""
    from chef.index import Index
    from chef.progress import ConsoleProgress

    collection = Index(where, create=False)
    with ConsoleProgress() as progress:
        collection.rebuild(model, progress=progress)
    info = collection.info()
    typer.echo(f"{info.recipes:,} recipes embedded again with {info.model}")
