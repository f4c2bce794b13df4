"""The OpenAPI document, where FastAPI needs help, and the interactive page that shows it at /docs."""

import hashlib
from base64 import b64encode
from importlib.resources import files
from typing import Any

from fastapi import FastAPI
from fastapi.openapi.docs import get_swagger_ui_html
from fastapi.openapi.utils import get_openapi
from pydantic import BaseModel
from pydantic.json_schema import models_json_schema
from starlette.responses import HTMLResponse
from starlette.staticfiles import StaticFiles

from chef.serve.middleware import CONTENT_SECURITY_POLICY
from chef.serve.responses import Failure
from chef.serve.settings import ServeSettings

_WRITES = "x-writes"
WRITES = {_WRITES: True}  # the `openapi_extra` of a route that changes something
BODY = (400, 408, 413, 422)  # what can be wrong with any JSON body
_DESCRIPTIONS = {
    400: "The body cannot be read",
    401: "The token is missing or wrong",
    403: "Not allowed from here",
    404: "Not found",
    408: "The body arrived too slowly",
    409: "In conflict with what is there",
    413: "Too large",
    415: "Unsupported media type",
    422: "A field is invalid",
    429: "Too many requests at once",
    503: "It took too long, or the collection cannot be used",
    507: "The disk of the service is full",
}
_RETRY_AFTER = {
    "Retry-After": {
        "description": "Seconds until it is worth trying again.",
        "schema": {"type": "integer", "minimum": 1},
    }
}
_REF = "#/components/schemas/{model}"
_extra_models: dict[str, type[BaseModel]] = {}


def failures(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """The error responses of a route; some can happen on any route."""
    return {
        status: {"model": Failure, "description": _DESCRIPTIONS[status]}
        | ({"headers": _RETRY_AFTER} if status == 429 else {})
        for status in sorted({401, 403, 429, 503, *statuses})
    }


def either(json: type[BaseModel], form: type[BaseModel]) -> dict[str, Any]:
    """The `openapi_extra` of a route that takes JSON or a multipart form."""
    _extra_models.update({json.__name__: json, form.__name__: form})
    content = {
        kind: {"schema": {"$ref": _REF.format(model=model.__name__)}}
        for kind, model in (("application/json", json), ("multipart/form-data", form))
    }
    return {"requestBody": {"required": True, "content": content}}


def install(app: FastAPI, settings: ServeSettings) -> None:
    """Describe those bodies and which routes need the token, and serve the page at /docs."""

    def openapi() -> dict[str, Any]:
        if app.openapi_schema is None:
            document = get_openapi(
                title=app.title, version=app.version, description=app.description, routes=app.routes
            )
            models = [(model, "validation") for model in _extra_models.values()]
            _, extra = models_json_schema(models, ref_template=_REF)  # type: ignore[arg-type]
            document["components"]["schemas"] = extra["$defs"] | document["components"]["schemas"]
            document["components"]["securitySchemes"] = {
                "token": {"type": "http", "scheme": "bearer", "description": "The --token of `chef serve`."}
            }
            # Writing needs the token, and so does reading over the network; health is open to all.
            for operation in (
                one for operations in document["paths"].values() for one in operations.values()
            ):
                writes = operation.pop(_WRITES, False)
                if writes or (not settings.is_local and "401" in operation["responses"]):
                    operation["security"] = [{"token": []}]
            app.openapi_schema = document
        return app.openapi_schema

    app.openapi = openapi  # type: ignore[method-assign]
    # Swagger UI from the installed package: FastAPI's own page loads it from another site.
    app.mount("/docs/static", StaticFiles(directory=str(files("fastapi_offline") / "static")))

    @app.get("/docs", include_in_schema=False)
    async def docs() -> HTMLResponse:
        page = get_swagger_ui_html(
            openapi_url="openapi.json",
            title=app.title,
            swagger_js_url="docs/static/swagger-ui-bundle.js",
            swagger_css_url="docs/static/swagger-ui.css",
            swagger_favicon_url="docs/static/favicon.png",
            swagger_ui_parameters={"validatorUrl": None},  # its badge asks another site
        )
        # The page has one inline script: the policy names it by its hash.
        script = bytes(page.body).rpartition(b"<script>")[2].partition(b"</script>")[0]
        digest = b64encode(hashlib.sha256(script).digest()).decode()
        page.headers["content-security-policy"] = CONTENT_SECURITY_POLICY.replace(
            "script-src 'self'", f"script-src 'self' 'sha256-{digest}'"
        )
        return page
