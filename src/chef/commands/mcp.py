"""`chef mcp`: a collection for assistants, on standard input and output or over HTTP."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Annotated

import typer

from chef.commands.demo import Port, check_installed, print_address
from chef.commands.shared import Collection, IndexModel, open_collection
from chef.errors import ChefError


def mcp(
    index: Collection = None,
    http: Annotated[
        bool, typer.Option("--http", help="Answer at /mcp over HTTP, beside all that chef serve does.")
    ] = False,
    host: Annotated[str, typer.Option(help="With --http: the address to listen on.")] = "127.0.0.1",
    port: Port = 8000,
    token: Annotated[
        str | None, typer.Option(envvar="CHEF_TOKEN", help="With --http: the token that clients send.")
    ] = None,
    model: IndexModel = None,
) -> None:
    """Let an assistant use your recipes over the Model Context Protocol (MCP). See docs/mcp.md.

    Recipes can be added where --index names a collection; the bundled cookbook is only read.
    """
    check_installed()
    if find_spec("mcp") is None:
        raise ChefError("mcp is not installed", "pip install 'chef-food[mcp]'")
    from chef.serve.settings import ServeSettings

    if http and index is None:
        raise ChefError("which collection?", "give an --index")
    settings = ServeSettings(host=host, port=port, token=token, mcp=http)
    collection = open_collection(index, model)
    if http:
        from chef.serve.app import serve

        serve(collection, settings, lambda address: print_address(f"{address}/mcp"))
        return
    from chef.serve.assistants import Assistants
    from chef.serve.service import Service

    service = Service(collection, settings)
    try:
        Assistants(service, local=True, can_add=index is not None).run()
    finally:
        service.close()
