"""A server that speaks the APIs of Mealie, Tandoor and Nextcloud Cookbook, as far as `chef sync` asks."""

import base64
import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

TOKEN = "ann:secret"
AUTHORIZATION = {
    "mealie": f"Bearer {TOKEN}",
    "tandoor": f"Bearer {TOKEN}",
    "nextcloud": f"Basic {base64.b64encode(TOKEN.encode()).decode()}",
}
NEXTCLOUD = "/index.php/apps/cookbook/api/v1/recipes"


@dataclass
class Kept:
    """A recipe in the app."""

    title: str
    lines: list[str]
    stamp: str = "1"
    photo: bytes | None = None
    tags: list[str] = field(default_factory=list)
    steps: tuple[str, ...] = ("Chop it all and fry.", "Serve.")
    elsewhere: str | None = None  # the address of a photo on another server


@dataclass
class Site:
    """What the server has, what it was asked, and how it is to behave."""

    app: str
    recipes: dict[str, Kept]
    log: list[tuple[str, str]] = field(default_factory=list)
    tokens: set[str | None] = field(default_factory=set)  # that were sent
    tags: list[str] = field(default_factory=lambda: ["quick"])
    page: int = 3  # recipes on a page
    refusals: list[tuple[int, dict[str, str]]] = field(default_factory=list)  # for the next requests
    before: Callable[[str], None] = lambda path: None

    def asked(self, part: str, method: str = "GET") -> list[str]:
        return [path for verb, path in self.log if verb == method and part in path]


def summary(site: Site, id: str) -> dict[str, object]:
    one = site.recipes[id]
    if site.app == "mealie":
        return {"id": id, "slug": f"slug-{id}", "name": one.title, "dateUpdated": one.stamp}
    if site.app == "tandoor":
        return {"id": int(id), "name": one.title, "updated_at": one.stamp}
    return {"id": id, "name": one.title, "dateModified": one.stamp, "keywords": ",".join(one.tags)}


def whole(site: Site, id: str, address: str) -> dict[str, object]:
    one = site.recipes[id]
    tags = [{"id": f"t-{tag}", "name": tag, "slug": f"s-{tag}"} for tag in one.tags]
    shared = summary(site, id)
    if site.app == "mealie":
        return {
            **shared, "image": "x1" if one.photo else None, "tags": tags, "recipeYield": "4 servings",
            "recipeIngredient": [{"display": line, "note": line, "quantity": 1.0} for line in one.lines],
            "recipeInstructions": [{"title": "", "text": text} for text in one.steps],
            "prepTime": "10 minutes",
        }  # fmt: skip
    if site.app == "tandoor":
        items = [{"food": {"name": line}, "unit": None, "amount": 0, "no_amount": True} for line in one.lines]
        return {
            **shared, "keywords": tags,
            "image": f"{address}/media/{id}.jpg" if one.photo else one.elsewhere,
            "steps": [{"instruction": "\n".join(one.steps), "ingredients": items}], "servings": 4,
            "working_time": 10, "waiting_time": 0, "servings_text": "servings",
        }  # fmt: skip
    return {
        **shared, "@type": "Recipe", "recipeIngredient": one.lines, "recipeInstructions": list(one.steps),
        "recipeYield": 4, "prepTime": "PT0H10M", "image": "https://elsewhere.example/full.jpg",
    }  # fmt: skip


class Handler(BaseHTTPRequestHandler):
    def do(self) -> None:
        site: Site = self.server.site  # type: ignore[attr-defined]
        parts = urlsplit(self.path)
        site.log.append((self.command, self.path))
        site.tokens.add(self.headers["Authorization"])
        site.before(self.path)
        length = int(self.headers.get("Content-Length") or 0)
        body = json.loads(self.rfile.read(length)) if length else None
        if site.refusals:
            status, headers = site.refusals.pop(0)
            self.answer(status, b"{}", **headers)
        elif (
            not parts.path.startswith("/media/") and self.headers["Authorization"] != AUTHORIZATION[site.app]
        ):
            self.answer(401, b'{"detail": "no"}')
        elif (answer := self.route(site, parts.path, parse_qs(parts.query), body)) is None:
            self.answer(404, b"{}")
        elif isinstance(answer, bytes):
            self.answer(200, answer, **{"Content-Type": "image/jpeg"})
        else:
            self.answer(200, json.dumps(answer).encode())

    do_GET = do_POST = do_PATCH = do_PUT = do

    def route(self, site: Site, path: str, query: dict[str, list[str]], body: object) -> object:
        ids = list(site.recipes)
        number = int(query.get("page", ["1"])[0])
        page = [summary(site, id) for id in ids[(number - 1) * site.page : number * site.page]]
        following = "more" if number * site.page < len(ids) else None
        parts = path.strip("/").split("/")
        if site.app == "mealie":
            if path == "/api/recipes":
                return {"page": number, "total": len(ids), "items": page, "next": following}
            if path == "/api/organizers/tags":
                if self.command == "POST":
                    site.tags.append(body["name"])  # type: ignore[index]
                    return self.tag(site.tags[-1])
                return {"items": [self.tag(tag) for tag in site.tags]}
            if parts[1] == "media":
                return site.recipes[parts[3]].photo
            id = parts[2].removeprefix("slug-")
            if self.command == "PATCH":
                self.written(site, id, [one["name"] for one in body["tags"]])  # type: ignore[index]
        elif site.app == "tandoor":
            if parts[0] == "media":
                return site.recipes[parts[1].removesuffix(".jpg")].photo
            if path == "/api/recipe/":
                return {"count": len(ids), "results": page, "next": following}
            id = parts[2]
            if self.command == "PATCH":
                self.written(site, id, [one["name"] for one in body["keywords"]])  # type: ignore[index]
        else:
            if path == NEXTCLOUD:
                return [summary(site, id) for id in ids]
            id = parts[6]
            if path.endswith("/image"):
                return site.recipes[id].photo
            if self.command == "PUT":
                assert body["name"] == site.recipes[id].title  # type: ignore[index]
                self.written(site, id, body["keywords"].split(","))  # type: ignore[index]
                return int(id)
        return whole(site, id, f"http://{self.headers['Host']}") if id in site.recipes else None

    @staticmethod
    def tag(name: str) -> dict[str, str]:
        return {"id": f"t-{name}", "name": name, "slug": f"s-{name}"}

    @staticmethod
    def written(site: Site, id: str, tags: list[str]) -> None:
        site.recipes[id].tags = tags
        site.recipes[id].stamp += "t"

    def answer(self, status: int, body: bytes, **headers: str) -> None:
        self.send_response(status)
        for name, value in {"Content-Type": "application/json", **headers}.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments: object) -> None:
        """Keep the test's output clean."""


@contextmanager
def serving(site: Site) -> Iterator[str]:
    """The address of the server while the block runs."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.site = site  # type: ignore[attr-defined]
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
