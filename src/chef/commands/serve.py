"""`chef serve`: a collection over HTTP, with its page."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from chef.errors import ChefError

Port = Annotated[
    int, typer.Option(min=0, max=65535, envvar="CHEF_PORT", help="The port; 0 picks any free one.")
]
Model = Annotated[
    str | None, typer.Option(help="A model's name or folder; default: the one the collection was made with.")
]


def serve(
    index: Annotated[str, typer.Option("--index", help="The collection: a folder or an s3:// address.")],
    host: Annotated[
        str, typer.Option(help="The address to listen on; any but this machine's needs a token.")
    ] = "127.0.0.1",
    port: Port = 8000,
    token: Annotated[
        str | None,
        typer.Option(envvar="CHEF_TOKEN", help="The token for writing, and for reading from other machines."),
    ] = None,
    model: Model = None,
    review: Annotated[
        Path | None,
        typer.Option(help="The folder with proposals.tsv and decisions.tsv for reviewing ingredient names."),
    ] = None,
    grace: Annotated[
        float, typer.Option(min=0, help="Seconds for open requests to finish after Ctrl-C or SIGTERM.")
    ] = 20.0,
) -> None:
    """Serve a collection over HTTP until Ctrl-C; the page is at the printed address. See docs/serve.md."""
    check_installed()
    from chef.serve.settings import ServeSettings

    settings = ServeSettings(host=host, port=port, token=token, review=review, grace=grace)
    from chef.index import Index
    from chef.serve.app import serve as run

    run(Index(index, model, create=False), settings, print_address)


def check_installed() -> None:
    """Raise an error if a package that serving needs is missing."""
    for name in ("fastapi", "uvicorn", "python_multipart", "prometheus_client", "fastapi_offline"):
        if find_spec(name) is None:
            raise ChefError(f"{name} is not installed", "pip install 'chef-food[serve]'")


def print_address(address: str) -> None:
    """Print the address at once, even into a pipe."""
    print(address, flush=True)
