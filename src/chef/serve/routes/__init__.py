"""The routes, one file a subject, gathered here in the order of the OpenAPI file."""

from __future__ import annotations

from fastapi import APIRouter
from fastapi.routing import APIRoute

from chef.serve.routes import canonical, collection, recipes, search, status, understand

ROUTERS: tuple[APIRouter, ...] = (
    search.router, recipes.router, understand.router, collection.router, canonical.router, status.router,
)  # fmt: skip


def methods(path: str) -> set[str]:
    """What can be done at a path: the router tells of its first route only."""
    routes = [route for router in ROUTERS for route in router.routes if isinstance(route, APIRoute)]
    found = next((route.path for route in routes if route.path_regex.match(path)), None)
    return {method for route in routes if route.path == found for method in route.methods or ()}
