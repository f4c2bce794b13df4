"""For assistants: the collection as tools and resources of the Model Context Protocol (MCP).

`chef mcp` speaks it on standard input and output; with `--http` the service answers at /mcp as well. The
tools are the routes of the service, with the same limits, less what an assistant cannot use, such as trees.
"""

import base64
import binascii
import json
import os
from collections.abc import Awaitable, Callable
from dataclasses import asdict
from functools import wraps
from pathlib import Path
from typing import Annotated, Any, ParamSpec
from urllib.parse import quote

from mcp.server.mcpserver import Image, MCPServer
from mcp.server.mcpserver.exceptions import ResourceError, ToolError
from mcp.server.mcpserver.resources import ResourceSecurity
from mcp.server.transport_security import TransportSecuritySettings
from mcp_types import CallToolResult, Resource, TextContent, ToolAnnotations
from pydantic import Field
from starlette.requests import Request
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

import chef
from chef.contents import contents
from chef.errors import ChefError
from chef.food.groups import ALLERGY_NOTICE, DIETS
from chef.index import Entry
from chef.readers import one_recipe
from chef.readers.base import at_most
from chef.recipe import Recipe
from chef.serve import requests, uploads
from chef.serve.access import must_have_token
from chef.serve.assistant_answers import (
    MAX_BASE64,
    AddedRecipe,
    Answer,
    Contained,
    Explained,
    Found,
    GivenRecipe,
    Id,
    Ingredient,
    NewRecipe,
    Photo,
    Pruned,
    RecipeText,
    ShortRecipe,
    Stored,
    Suggested,
    Swapped,
)  # fmt: skip
from chef.serve.errors import Refusal, without_paths
from chef.serve.routes import recipes, rewrite, search
from chef.serve.service import Service

_LISTED = 500  # recipes that resources/list names; all others have an address, too
_ADDRESS = "recipe://{+id}"  # ids may contain slashes
_INSTRUCTIONS = (
    "A cook's own recipes. Search them by photo, words, filters or what is in the kitchen; get a recipe by "
    "the id of a hit; ask what it contains; swap or leave out ingredients; add new recipes. "
    f"{ALLERGY_NOTICE} Do not tell anybody that a recipe lacks an allergen because of an answer from here; "
    "name the lines that were not understood."
)
_READS = ToolAnnotations(read_only_hint=True, open_world_hint=False)
# A known id is replaced.
_ADDS = ToolAnnotations(read_only_hint=False, destructive_hint=True, idempotent_hint=True)

Arguments = ParamSpec("Arguments")


def _as_tool(
    function: Callable[Arguments, Awaitable[Answer]],
) -> Callable[Arguments, Awaitable[CallToolResult]]:
    """A tool whose answers are short, and whose refusals the assistant can read."""

    @wraps(function)
    async def call(*args: Arguments.args, **kwargs: Arguments.kwargs) -> CallToolResult:
        try:
            answer = await function(*args, **kwargs)
        except (Refusal, ChefError) as error:
            raise ToolError(without_paths(str(error))) from error
        plain, photo = answer.plain(), answer._photo
        text = TextContent(text=json.dumps(plain, ensure_ascii=False))
        images = [] if photo is None else [Image(data=photo, format="jpeg").to_image_content()]
        return CallToolResult(content=[text, *images], structured_content=plain)

    return call


class Assistants(MCPServer[Any]):
    """The tools and resources of one collection.

    local: on standard input and output, where photos may be files. can_add: whether there is a tool for that.
    """

    def __init__(self, service: Service, *, local: bool = False, can_add: bool = True) -> None:
        super().__init__(
            "chef", version=chef.__version__, instructions=_INSTRUCTIONS, log_level="WARNING",
            subscriptions=False,
        )  # fmt: skip
        self._service, self._local = service, local
        for tool in (
            self.search_recipes, self.get_recipe, self.contains, self.explain_recipe, self.swap_ingredient,
            self.suggest_substitutes, self.prune_recipe,
        ):  # fmt: skip
            self.add_tool(_as_tool(tool), annotations=_READS)
        if can_add:
            self.add_tool(_as_tool(self.add_recipe), annotations=_ADDS)
        self.resource(
            _ADDRESS,
            name="recipe",
            description="A recipe of the collection, by its id.",
            mime_type="application/json",
            security=ResourceSecurity(exempt_params={"id"}),  # looked up in a table, never a path
        )(self.read_recipe)

    def route(self) -> Route:
        """/mcp for the service, for whoever has its token."""
        app = self.streamable_http_app(
            stateless_http=True,
            json_response=True,
            max_request_body_size=MAX_BASE64 + self._service.settings.max_json,
            # A page elsewhere does not have the token.
            transport_security=TransportSecuritySettings(enable_dns_rebinding_protection=False),
        )

        class WithToken:
            async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
                await must_have_token(Request(scope))
                await app(scope, receive, send)

        return Route("/mcp", WithToken(), include_in_schema=False)

    async def search_recipes(
        self,
        photo: Photo = None,
        text: Annotated[
            Annotated[str, Field(min_length=1, max_length=1000)] | None,
            Field(
                description="Words: a title, ingredients, wishes.", examples=["vegan curry without peanuts"]
            ),
        ] = None,
        must_have: Annotated[
            requests.Names, Field(description="Ingredients or groups.", examples=[["rice", "eggs"]])
        ] = [],  # noqa: B006
        without: Annotated[
            requests.Names,
            Field(description=f"Ingredients or groups to leave out. {ALLERGY_NOTICE}", examples=[["nuts"]]),
        ] = [],  # noqa: B006
        pantry: Annotated[
            requests.Names,
            Field(
                description="What is at home: recipes that lack the fewest things come first.",
                examples=[["rice", "eggs", "onions"]],
            ),
        ] = [],  # noqa: B006
        diet: Annotated[requests.Name | None, Field(description=f"One of {', '.join(DIETS)}.")] = None,
        main: Annotated[
            requests.Name | None, Field(description="The main ingredient.", examples=["beef"])
        ] = None,
        tags: Annotated[requests.Names, Field(examples=[["dessert"]])] = [],  # noqa: B006
        max_ingredients: Annotated[int, Field(ge=1, le=1000)] | None = None,
        include_unsure: Annotated[
            bool, Field(description="Keep recipes with lines that were not understood, in spite of a filter.")
        ] = False,
        k: Annotated[requests.Hits, Field(description="How many hits.")] = 5,
    ) -> Found:
        """Find recipes by a photo of a dish, by words, by what they contain, by what is at home, or by all
        together. Give at least one of these. Each hit has an id, and the reasons why it was found."""
        query = requests.SearchOptions.model_validate(
            {
                "text": text, "with": must_have, "without": without, "pantry": pantry, "diet": diet,
                "main": main, "tags": tags, "max_ingredients": max_ingredients,
                "include_unsure": include_unsure, "k": k,
            }
        )  # fmt: skip
        answer = await search.find(self._photo(photo), query, self._service)
        hits = answer.hits[: answer.fitting]
        return Found.model_validate({**asdict(answer), "hits": hits, "caution": ALLERGY_NOTICE})

    async def get_recipe(
        self, id: Annotated[requests.Id, Field(description="As a search names it.", examples=["r7"])]
    ) -> Stored:
        """One recipe with its ingredients, steps and main ingredient, and its photo."""
        service = self._service

        def read() -> tuple[Entry, bytes | None]:
            return service.entry(id), service.index.thumbnail(id)

        entry, photo = await service.read(read)
        stored = Stored(
            recipe=RecipeText.model_validate(entry.recipe.to_json()),
            main_ingredient=entry.main_ingredient,
            main_confidence=entry.main_confidence,
            has_image=entry.has_image,
        )
        stored._photo = photo
        return stored

    async def contains(self, id: Id = None, recipe: GivenRecipe = None) -> Contained:
        """What a recipe contains, by its words: groups of foods (allergens among them) and single foods.
        Always pass on the caution and the lines that were not understood."""

        def answer(recipe: Recipe) -> Contained:
            named = asdict(contents(recipe))
            return Contained(**named | {"may_contain": named.pop("may"), "caution": ALLERGY_NOTICE})

        return await rewrite.of_recipe(requests.OfRecipe(id=id, recipe=_body(recipe)), self._service, answer)

    async def explain_recipe(self, id: Id = None, recipe: GivenRecipe = None) -> Explained:
        """The main ingredient of a recipe, how much each ingredient matters, and the action of each step."""

        def answer(recipe: Recipe) -> Explained:
            return Explained.model_validate(self._service.chef.explain(recipe).to_json())

        return await rewrite.of_recipe(requests.OfRecipe(id=id, recipe=_body(recipe)), self._service, answer)

    async def swap_ingredient(
        self,
        ingredient: Ingredient,
        replacement: Annotated[requests.Name, Field(examples=["tofu"])],
        id: Id = None,
        recipe: GivenRecipe = None,
    ) -> Swapped:
        """Replace an ingredient: title, amounts, steps and times are rewritten. The result is not stored; add
        it as a new recipe if the cook wants to keep it."""
        body = {"from": ingredient, "to": replacement, "id": id, "recipe": _body(recipe), "k": 3}
        swapped = await rewrite.swap(requests.SwapBody.model_validate(body), self._service)
        del swapped["recipe"]["id"]  # it is another recipe now
        return Swapped.model_validate(swapped)

    async def suggest_substitutes(
        self,
        ingredient: Ingredient,
        id: Id = None,
        recipe: GivenRecipe = None,
        without: Annotated[
            requests.Names, Field(description=f"Suggest nothing of these. {ALLERGY_NOTICE}")
        ] = [],  # noqa: B006
        diet: Annotated[requests.Name | None, Field(description=f"One of {', '.join(DIETS)}.")] = None,
        k: requests.Hits = 5,
    ) -> Suggested:
        """Possible replacements for an ingredient in this recipe, the best first, with the evidence."""
        what = {"from": ingredient, "id": id, "recipe": _body(recipe)}
        body = {**what, "without": without, "diet": diet, "k": k}
        answer = await rewrite.suggestions(requests.SuggestBody.model_validate(body), self._service)
        return Suggested.model_validate(answer)

    async def prune_recipe(
        self,
        id: Id = None,
        recipe: GivenRecipe = None,
        k: Annotated[int, Field(ge=1, le=50, description="How many ingredients to leave out.")] = 1,
    ) -> Pruned:
        """The recipe without what matters least, such as garnish; never without what makes the dish."""
        pruned = await rewrite.prune(requests.PruneBody(id=id, recipe=_body(recipe), k=k), self._service)
        del pruned["recipe"]["id"]
        return Pruned.model_validate(pruned)

    async def add_recipe(
        self,
        recipe: NewRecipe | None = None,
        text: Annotated[
            Annotated[str, Field(min_length=1, max_length=200_000)] | None,
            Field(
                description="In place of `recipe`: one recipe as it was pasted, as plain text, HTML or JSON.",
                examples=["Toast\n\n2 slices bread\n\nToast the bread."],
            ),
        ] = None,
        photo: Photo = None,
    ) -> AddedRecipe:
        """Add a recipe to the collection; the answer has its id."""
        if (recipe is None) == (text is None):
            raise ToolError("give either recipe or text")
        picture = self._photo(photo)
        with uploads.upload_folder() as folder:
            data = recipe.model_dump(exclude_defaults=True) if recipe else _pasted(text or "", folder)
            if picture is not None:
                (folder / "photo.jpg").write_bytes(picture)
                data["image"] = "photo.jpg"
            uploads.write_body(requests.AddBody(recipes=[data]), folder)
            return AddedRecipe.model_validate(await recipes.store(folder, self._service))

    async def read_recipe(self, id: str) -> str:
        """A recipe of the collection as JSON."""
        try:
            recipe = await self._service.read(lambda: self._service.entry(id).recipe)
        except (Refusal, ChefError) as error:
            raise ResourceError(without_paths(str(error))) from error
        return json.dumps(RecipeText.model_validate(recipe.to_json()).plain(), ensure_ascii=False)

    async def list_resources(self) -> list[Resource]:
        """The first recipes, in the order of their ids."""
        entries = await self._service.read(lambda: list(self._service.index.entries(0, _LISTED)))
        return [
            Resource(
                uri=f"recipe://{quote(entry.id, safe='/')}",
                name=entry.recipe.title,
                mime_type="application/json",
            )
            for entry in entries
        ]

    def _photo(self, given: str | None) -> bytes | None:
        """The bytes of a photo, checked but not decoded."""
        if given is None:
            return None
        settings, path = self._service.settings, os.path.expanduser(given)
        if self._local and os.path.isfile(path):
            with open(path, "rb") as file:
                data = at_most(file, settings.max_photo) or bytes(settings.max_photo + 1)
        else:
            try:
                data = base64.b64decode(given.partition("base64,")[2] or given, validate=True)
            except binascii.Error:
                advice = ", and no such file" if self._local else ""
                raise Refusal(422, f"photo: not base64{advice}") from None
        uploads.check_photo(data, settings)
        return data


def _body(recipe: ShortRecipe | None) -> requests.RecipeBody | None:
    return None if recipe is None else requests.RecipeBody.model_validate(recipe.model_dump())


def _pasted(text: str, folder: Path) -> dict[str, Any]:
    """The one recipe of a text; its kind is known by how it begins."""
    path = folder / "pasted"
    path.write_text(text, "utf-8", "replace")
    recipe = one_recipe(path)
    path.unlink()
    return {key: value for key, value in recipe.to_json().items() if key not in ("id", "images")}
