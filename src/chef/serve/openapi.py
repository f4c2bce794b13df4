"""The OpenAPI file where FastAPI cannot see for itself: bodies that are JSON or a form."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from chef.serve.settings import ServeSettings

_WRITES = "x-writes"  # on a route that changes something
WRITES = {_WRITES: True}
_REF = "#/components/schemas/{model}"
_extra: dict[str, type[BaseModel]] = {}


def either(json: type[BaseModel], form: type[BaseModel]) -> dict[str, Any]:
    """The `openapi_extra` of a route that takes JSON or a multipart form."""
    _extra.update({json.__name__: json, form.__name__: form})
    content = {
        kind: {"schema": {"$ref": _REF.format(model=model.__name__)}}
        for kind, model in (("application/json", json), ("multipart/form-data", form))
    }
    return {"requestBody": {"required": True, "content": content}}


def install(app: FastAPI, settings: ServeSettings) -> None:
    """Let the app describe those bodies, and who needs the token."""

    def described() -> dict[str, Any]:
        if app.openapi_schema is None:
            made = get_openapi(
                title=app.title, version=app.version, description=app.description, routes=app.routes
            )
            _add_bodies(made)
            _add_token(made, settings)
            app.openapi_schema = made
        return app.openapi_schema

    app.openapi = described  # type: ignore[method-assign]


def _add_bodies(made: dict[str, Any]) -> None:
    _, extra = models_json_schema([(model, "validation") for model in _extra.values()], ref_template=_REF)
    schemas = made["components"]["schemas"]
    for name, schema in extra["$defs"].items():
        schemas.setdefault(name, schema)


def _add_token(made: dict[str, Any], settings: ServeSettings) -> None:
    """Writing needs the token, and so does reading beyond this machine; health is open to all."""
    made["components"]["securitySchemes"] = {
        "token": {"type": "http", "scheme": "bearer", "description": "The --token of `chef serve`."}
    }
    for operations in made["paths"].values():
        for operation in operations.values():
            writes = operation.pop(_WRITES, False)
            if writes or (not settings.is_local and "401" in operation["responses"]):
                operation["security"] = [{"token": []}]
