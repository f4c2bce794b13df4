"""The routes, one file per topic, in the order of the OpenAPI document."""

from fastapi import APIRouter
from fastapi.routing import APIRoute

from chef.serve.routes import collection, recipes, rewrite, search

ROUTERS: tuple[APIRouter, ...] = (
    search.router, recipes.router, rewrite.router, collection.router, collection.canonical, collection.status,
)  # fmt: skip


def methods(path: str) -> set[str]:
    """All methods that a path takes; Starlette's 405 names those of the first matching route only."""
    routes = [route for router in ROUTERS for route in router.routes if isinstance(route, APIRoute)]
    template = next((route.path for route in routes if route.path_regex.match(path)), None)
    return {method for route in routes if route.path == template for method in route.methods or ()}
