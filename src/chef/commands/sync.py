"""`chef sync`: a collection in step with the app in which the recipes are kept."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from chef.commands.shared import Json, print_json, show_skipped


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
    model: Annotated[
        str | None, typer.Option(help="The model of a new collection: a bundled one, a folder or a run.")
    ] = None,
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
