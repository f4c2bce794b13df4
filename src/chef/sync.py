"""`chef sync`: keeps a collection in step with Mealie, Tandoor or Nextcloud Cookbook over their HTTP APIs.

What the app lists is compared with what was fetched before: new and changed recipes are read again with
their photos, those that are gone are removed. What was fetched is noted in the collection's folder after each
batch, so an interrupted run goes on where it stopped. Nothing is written to the app unless tags are wanted.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
from abc import ABC, abstractmethod
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from itertools import count
from pathlib import Path
from time import monotonic, sleep
from typing import Any, ClassVar
from urllib.parse import quote, urljoin, urlsplit

from chef.contents import contents
from chef.errors import ChefError
from chef.files import temporary_folder
from chef.index import Added, Entry, Index
from chef.index.values import Value
from chef.progress import Progress
from chef.readers import Skipped, base, fields
from chef.readers.base import BrokenJson, RawRecipe, Scope, parse
from chef.readers.lines import decode, plain
from chef.readers.web import BadStatus, fetch
from chef.recipe import Recipe
from chef.storage import open_store
from chef.teacher.actions import SURE
from chef.text.tokens import readable

_BATCH = 32  # recipes stored and noted together
_TRIES = 5  # of a request that is told to wait
_LONGEST_WAIT = 300.0  # seconds
_WAIT = (429, 502, 503, 504)
_UNREADABLE = (403, 404, 410, 500)  # answers for a recipe that is left for the next run
_PAGES = 10_000
_MAIN, _CONTAINS = "main ingredient: ", "contains: "  # our tags in the app, which only we change


class Server:
    """The server of an app: requests with its token, not more than `rate` a second."""

    def __init__(self, url: str, token: str, rate: float) -> None:
        self.url, self._token, self._pause = url.rstrip("/"), token, 1 / rate
        self._next = 0.0

    def json(self, path: str, method: str = "GET", data: Any = None) -> Any:
        """What it answers at a path below its address."""
        body = None if data is None else json.dumps(data).encode()
        answer = self._fetch(f"{self.url}{path}", base.DOCUMENT, ("application/json",), method, body)
        try:
            return parse(decode(answer))
        except BrokenJson as error:
            raise ChefError(f"{self.url}{path} cannot be read: {error}", "try again later") from error

    def object(self, path: str) -> dict[str, Any]:
        """What it answers at a path, if that is a JSON object."""
        if isinstance(answer := self.json(path), dict):
            return answer
        raise self.unexpected()

    def unexpected(self) -> ChefError:
        """The error for an answer of another form."""
        return ChefError(f"{self.url} answers in another way than expected", "check address and app")

    def photo(self, address: str, kind: str = "image/") -> bytes | None:
        """The photo at an address; None if there is none."""
        try:
            return self._fetch(urljoin(f"{self.url}/", address), base.IMAGE, (kind,))
        except BadStatus as error:
            if error.status in (404, 406):
                return None
            raise

    def _fetch(
        self, address: str, limit: int, kinds: tuple[str, ...], method: str = "GET", body: bytes | None = None
    ) -> bytes:
        is_own = urlsplit(address)[:2] == urlsplit(self.url)[:2]  # photos may be elsewhere
        for attempt in count():
            now = monotonic()
            sleep(max(0.0, self._next - now))
            self._next = max(now, self._next) + self._pause
            try:
                token = self._token if is_own else None
                return fetch(address, limit, kinds, token=token, method=method, json=body).body
            except BadStatus as error:
                if error.status not in _WAIT or attempt + 1 == _TRIES:
                    raise
                sleep(_wait(error.retry_after, attempt))
        raise AssertionError


def _wait(retry_after: str, attempt: int) -> float:
    """Seconds to wait, from the header Retry-After, a number or a date, or else longer every time."""
    try:
        seconds = float(retry_after)
    except ValueError:
        try:
            seconds = (parsedate_to_datetime(retry_after) - datetime.now(UTC)).total_seconds()
        except (TypeError, ValueError):
            seconds = 2.0**attempt
    return min(max(seconds, 0.0), _LONGEST_WAIT)


@dataclass(frozen=True, slots=True)
class Listing:
    """The recipes that an app lists, by id, with what changes when they do."""

    stamps: dict[str, str]
    is_complete: bool  # not if recipes came or went between two pages


class App(ABC):
    """One kind of app: how its API lists recipes, gives one with its photo, and takes tags."""

    name: ClassVar[str]
    variable: ClassVar[str]  # of the environment, which has the token
    login: ClassVar[str]  # what the token is
    path: ClassVar[str]  # of a recipe; {} is its id

    def __init__(self, url: str, rate: float) -> None:
        token = os.environ.get(self.variable, "").strip()
        if not token:
            raise ChefError(f"no token for {url}", f"set {self.variable} to {self.login}")
        self.server = Server(url, self.authorization(token), rate)

    def authorization(self, token: str) -> str:
        """The header of that name."""
        return f"Bearer {token}"

    def recipe(self, id: str) -> dict[str, Any]:
        """The fields of a recipe."""
        return self.server.object(self.path_of(id))

    def path_of(self, id: str) -> str:
        """Where the API has a recipe."""
        return self.path.format(quote(id, ""))

    @abstractmethod
    def listing(self) -> Listing: ...

    @abstractmethod
    def photo(self, id: str, data: dict[str, Any]) -> bytes | None: ...

    @abstractmethod
    def tag(self, id: str, data: dict[str, Any], ours: list[str]) -> None:
        """Put our tags in the place of those that are ours already; all others stay."""

    def _paged(self, path: str, items: str, total: str, stamps: tuple[str, ...]) -> Listing:
        """The recipes of all pages of `path`, which ends in the number of the page."""
        known: dict[str, str] = {}
        for page in range(1, _PAGES):
            answer = self.server.object(f"{path}{page}")
            listed = [one for one in answer.get(items) or [] if isinstance(one, dict)]
            known |= {_id(one): " ".join(plain(one.get(name)) for name in stamps) for one in listed}
            if not listed or not answer.get("next"):
                return Listing(known, len(known) == answer.get(total))
        raise ChefError(f"{self.server.url} lists no end of recipes", "check the address")


class Mealie(App):
    name, variable = "mealie", "CHEF_MEALIE_TOKEN"
    login = "an API token of your Mealie profile"
    path = "/api/recipes/{}"
    _tags: dict[str, Any] | None = None

    def listing(self) -> Listing:
        path = "/api/recipes?orderBy=createdAt&orderDirection=asc&perPage=50&page="
        return self._paged(path, "items", "total", ("dateUpdated", "updatedAt", "updateAt"))

    def photo(self, id: str, data: dict[str, Any]) -> bytes | None:
        path = f"{self.server.url}/api/media/recipes/{quote(id, '')}/images/original.webp"
        return self.server.photo(path) if data.get("image") else None

    def tag(self, id: str, data: dict[str, Any], ours: list[str]) -> None:
        if self._tags is None:
            listed = self.server.object("/api/organizers/tags?perPage=-1")
            self._tags = {one["name"]: one for one in listed.get("items") or []}
        for name in ours:
            if name not in self._tags:
                self._tags[name] = self.server.json("/api/organizers/tags", "POST", {"name": name})
        kept = [one for one in data.get("tags") or [] if not _is_ours(plain(one.get("name")))]
        tags = [*kept, *(self._tags[name] for name in ours)]
        self.server.json(self.path_of(plain(data.get("slug"))), "PATCH", {"tags": tags})


class Tandoor(App):
    name, variable = "tandoor", "CHEF_TANDOOR_TOKEN"
    login = "an API token of your Tandoor settings"
    path = "/api/recipe/{}/"

    def listing(self) -> Listing:
        return self._paged("/api/recipe/?page_size=100&page=", "results", "count", ("updated_at",))

    def photo(self, id: str, data: dict[str, Any]) -> bytes | None:
        return self.server.photo(address) if (address := plain(data.get("image"))) else None

    def tag(self, id: str, data: dict[str, Any], ours: list[str]) -> None:
        kept = [one for one in data.get("keywords") or [] if not _is_ours(plain(one.get("name")))]
        keywords = {"keywords": [*kept, *({"name": name} for name in ours)]}
        self.server.json(self.path_of(id), "PATCH", keywords)


class Nextcloud(App):
    name, variable = "nextcloud", "CHEF_NEXTCLOUD_TOKEN"
    login = "your user name, a colon and an app password"
    path = "/index.php/apps/cookbook/api/v1/recipes/{}"

    def authorization(self, token: str) -> str:
        return f"Basic {base64.b64encode(token.encode()).decode()}"

    def listing(self) -> Listing:
        listed = self.server.json(self.path.removesuffix("/{}"))
        if not isinstance(listed, list):
            raise self.server.unexpected()
        stamps = {_id(one): plain(one.get("dateModified")) for one in listed if isinstance(one, dict)}
        return Listing(stamps, is_complete=True)

    def photo(self, id: str, data: dict[str, Any]) -> bytes | None:
        # Asked for any kind, it draws one where there is none.
        return self.server.photo(f"{self.server.url}{self.path_of(id)}/image?size=full", "image/jpeg")

    def tag(self, id: str, data: dict[str, Any], ours: list[str]) -> None:
        words = [word.strip() for word in plain(data.get("keywords")).split(",")]
        keywords = ",".join([*(word for word in words if word and not _is_ours(word)), *ours])
        self.server.json(self.path_of(id), "PUT", {**data, "keywords": keywords})


APPS: dict[str, type[App]] = {app.name: app for app in (Mealie, Tandoor, Nextcloud)}


@dataclass(frozen=True, slots=True)
class Synced(Value):
    """The counts of what a run did."""

    added: int
    updated: int
    unchanged: int
    removed: int
    tagged: int


class Sync:
    """One app and one collection.

    >>> Sync(APPS["mealie"]("https://recipes.example.org", rate=5), Index("my-collection")).run()
    Synced(added=120, updated=0, unchanged=0, removed=0, tagged=0)
    """

    def __init__(self, app: App, index: Index, *, write_tags: bool = False) -> None:
        self._app, self._index, self._write_tags = app, index, write_tags
        parts = urlsplit(app.server.url)
        self._place = f"{app.name}/{parts.netloc.rpartition('@')[2]}{parts.path}"
        self._store = open_store(index.url)
        self._file = f"sync-{hashlib.sha256(self._place.encode()).hexdigest()[:16]}.json"
        # By id: the stamp, whether it could be read, and the tags if we wrote them.
        self._done: dict[str, dict[str, Any]] = {}
        if self._store.size(self._file) is not None:
            self._done = json.loads(self._store.read(self._file))["recipes"]
        self._has_collection = bool(self._done)
        self._added, self._removed, self._tagged = Added(), 0, 0

    def run(self, skipped: Skipped | None = None, progress: Progress | None = None) -> Synced:
        """Fetch what is new or has changed, remove what is gone."""
        try:
            self._run(skipped or Skipped(), progress or Progress())
        except BadStatus as error:
            if error.status not in (401, 403):
                raise
            way_out = f"set {self._app.variable} to {self._app.login}"
            raise ChefError(f"{self._app.server.url} does not accept the token", way_out) from error
        return Synced(**asdict(self._added), removed=self._removed, tagged=self._tagged)

    def _run(self, skipped: Skipped, progress: Progress) -> None:
        listing = self._app.listing()
        if self._done and not listing.stamps:
            problem = f"{self._app.server.url} lists no recipe any more; nothing was removed"
            raise ChefError(problem, "check the account")
        stored = [id for id, done in self._done.items() if done["stored"]]
        for id in {*stored} - {*self._present(stored)}:  # removed here, or an older collection was restored
            del self._done[id]
        waiting = [id for id, stamp in listing.stamps.items() if self._is_due(id, stamp)]
        progress.stage("fetching recipes", len(waiting))
        for start in range(0, len(waiting), _BATCH):
            batch = {id: listing.stamps[id] for id in waiting[start : start + _BATCH]}
            self._fetch(batch, skipped)
            progress.advance(len(batch))
        if listing.is_complete and (gone := [id for id in self._done if id not in listing.stamps]):
            self._remove(gone)

    def _is_due(self, id: str, stamp: str) -> bool:
        done = self._done.get(id)
        return done is None or done["stamp"] != stamp or (self._write_tags and done["tags"] is None)

    def _place_of(self, id: str) -> str:
        """The id in the collection."""
        return f"{self._place}/{id}"

    def _present(self, ids: list[str]) -> list[str]:
        places = {self._place_of(id): id for id in ids}
        return [places[place] for place in self._index.present(places)] if places else []

    def _fetch(self, batch: dict[str, str], skipped: Skipped) -> None:
        """Read some recipes and store them, and then note that."""
        fetched: dict[str, dict[str, Any]] = {}
        recipes: dict[str, Recipe] = {}
        with temporary_folder("sync") as folder:
            builder = fields.Builder(Scope(Path(folder).resolve(), skipped))
            for number, id in enumerate(batch):
                where = self._place_of(id)
                try:
                    data = self._app.recipe(id)
                except BadStatus as error:
                    if error.status not in _UNREADABLE:
                        raise
                    skipped.add("cannot be read", where, error.problem)
                    continue
                images: tuple[str, ...] = ()
                try:
                    if (photo := self._app.photo(id, data)) is not None:
                        file = Path(folder) / str(number)
                        file.write_bytes(photo)
                        images = (str(file),)
                except ChefError as error:
                    skipped.notes.add("unreadable image file", where, error.problem)
                    batch[id] = ""  # again the next time
                fetched[id] = data
                read = {**next(fields.recipes_in(data), data), "id": where}
                if recipe := builder.recipe(RawRecipe(read, where, images=images)):
                    others = tuple(tag for tag in recipe.tags if not _is_ours(tag))
                    recipes[id] = replace(recipe, tags=others)
            if recipes:
                self._has_collection = True
                self._added += self._index.add(recipes.values(), skipped=skipped, forget_paths=True)
        if lost := [id for id in fetched if id not in recipes and id in self._done]:
            self._remove(lost)
        for id, data in fetched.items():
            is_read, tags = id in recipes, None
            if self._write_tags:
                tags = self._tag(id, data) if is_read else []
            self._done[id] = {"stamp": batch[id], "stored": is_read, "tags": tags}
        self._note()

    def _tag(self, id: str, data: dict[str, Any]) -> list[str]:
        """Write our tags, unless the app has them -> the tags."""
        tags = our_tags(self._index.get(self._place_of(id)))
        if sorted(filter(_is_ours, fields.tags(data))) != sorted(tags):
            self._app.tag(id, data, tags)
            self._tagged += 1
        return tags

    def _remove(self, ids: list[str]) -> None:
        self._removed += self._index.remove(*map(self._place_of, self._present(ids)))
        for id in ids:
            del self._done[id]
        self._note()

    def _note(self) -> None:
        if self._has_collection:
            state = {"place": self._place, "recipes": self._done}
            self._store.write(self._file, json.dumps(state).encode())


def our_tags(entry: Entry) -> list[str]:
    """The tags of a recipe: what it mainly is and what it contains, never what it does not contain.

    >>> our_tags(index.get("cheese-toast"))
    ['main ingredient: bread', 'contains: dairy', 'contains: gluten']
    """
    named = contents(entry.recipe)
    if not named.is_english:
        return []
    is_sure = (entry.main_confidence or 0.0) >= SURE
    main = [f"{_MAIN}{readable(entry.main_ingredient)}"] if entry.main_ingredient and is_sure else []
    return [*main, *(f"{_CONTAINS}{group}" for group in named.contains)]


def _is_ours(tag: str) -> bool:
    return tag.lower().startswith((_MAIN, _CONTAINS))


def _id(listed: dict[str, Any]) -> str:
    if not (id := plain(listed.get("id"))):
        raise ChefError("the app lists a recipe without an id", "check address and app")
    return id
