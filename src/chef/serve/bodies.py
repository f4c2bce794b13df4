"""What a client may send: typed, bounded, and written into the OpenAPI file."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field
from pydantic.config import JsonDict, JsonValue

from chef.food.groups import ALLERGY_NOTICE
from chef.recipe import Ingredient, Recipe, Step

MOST_HITS = 100
_STRING: JsonDict = {"type": "string"}
_OBJECT: JsonDict = {"type": "object"}
_NULL: JsonDict = {"type": "null"}
_SOME_TEXT = r"\S"  # not spaces alone


def _whole(value: Any) -> Any:
    """JSON knows one kind of number: 2.0 is 2."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


_WHOLE = BeforeValidator(_whole)
Id = Annotated[str, Field(min_length=1, max_length=500)]
Name = Annotated[str, Field(min_length=1, max_length=100, pattern=_SOME_TEXT)]
Names = Annotated[list[Name], Field(max_length=50)]
# Above 0: a query whose parts all count nothing asks for nothing.
Weight = Annotated[float, Field(gt=0, le=100, allow_inf_nan=False)]


_SOUP: JsonDict = {
    "title": "Chicken soup",
    "ingredients": ["1 chicken", "3 carrots", "2 l water", "1 tsp salt"],
    "instructions": ["Simmer the chicken in the water for 2 hours.", "Add the carrots. Season with salt."],
}


class Body(BaseModel):
    """A misspelled field is told, not silently ignored; "3" is no number."""

    model_config = ConfigDict(extra="forbid", strict=True, populate_by_name=False)


class IngredientBody(BaseModel):
    """A line of the ingredient list. Parsed fields, as our answers have them, are parsed anew."""

    line: str = Field(max_length=1000)


class StepBody(Body):
    text: str = Field(max_length=10_000)
    section: Annotated[str, Field(max_length=300)] | None = None


class RecipeBody(BaseModel):
    """A recipe as our own answers have it; only title, ingredients, instructions and tags are read."""

    id: Id | None = None
    title: str = Field(min_length=1, max_length=300, pattern=_SOME_TEXT)
    ingredients: list[Annotated[str, Field(max_length=1000)] | IngredientBody] = Field(
        default=[], max_length=200
    )
    instructions: list[Annotated[str, Field(max_length=10_000)] | StepBody] = Field(
        default=[], max_length=200
    )
    tags: list[Annotated[str, Field(max_length=100)]] = Field(default=[], max_length=50)

    def recipe(self) -> Recipe:
        """The value that everything else takes."""
        return Recipe(
            id=self.id or "query",
            title=self.title,
            ingredients=tuple(
                Ingredient(item if isinstance(item, str) else item.line) for item in self.ingredients
            ),
            steps=tuple(
                Step(item) if isinstance(item, str) else Step(item.text, item.section)
                for item in self.instructions
            ),
            tags=tuple(self.tags),
        )


class Weights(Body):
    """How much each part of a combined query counts."""

    image: Weight = 1.0
    text: Weight = 1.0
    recipe: Weight = 1.0


class SearchOptions(Body):
    """A query beside a photo: all of it may be left out."""

    text: Annotated[str, Field(min_length=1, max_length=1000, pattern=_SOME_TEXT)] | None = None
    recipe: RecipeBody | None = None
    id: Id | None = Field(default=None, description="A recipe of the collection: more like this one.")
    weights: Weights = Weights()
    with_: Names = Field(default=[], alias="with", description="Ingredients or groups that must be in it.")
    without: Names = Field(
        default=[], description=f"Ingredients or groups that must not be in it. {ALLERGY_NOTICE}"
    )
    main: Name | None = Field(default=None, description="The main ingredient.")
    max_ingredients: Annotated[int, Field(ge=1, le=1000), _WHOLE] | None = None
    tags: Names = []
    pantry: Names = Field(default=[], description="What there is at home: ranks by what is missing.")
    k: Annotated[int, Field(ge=1, le=MOST_HITS), _WHOLE] = 10


# One of these must say something, unless a photo does.
_ASKS: tuple[dict[str, Any], ...] = (
    {"text": {"type": "string"}}, {"recipe": {"type": "object"}}, {"id": {"type": "string"}},
    {"main": {"type": "string"}}, {"max_ingredients": {"type": "integer"}},
    *({name: {"type": "array", "minItems": 1}} for name in ("with", "without", "tags", "pantry")),
)  # fmt: skip


class SearchBody(SearchOptions):
    """A query without a photo: something must be asked for."""

    model_config = ConfigDict(
        json_schema_extra={
            "anyOf": [{"required": list(ask), "properties": ask} for ask in _ASKS],
            "examples": [{"text": "soup", "with": ["carrots"], "k": 3}, {"recipe": _SOUP}],
        }
    )


def asks_something(query: SearchOptions) -> bool:
    """Whether a query says anything at all besides how many hits it wants."""
    return any(
        (
            query.text, query.recipe, query.id, query.main, query.max_ingredients,
            query.with_, query.without, query.tags, query.pantry,
        )
    )  # fmt: skip


class SearchForm(Body):
    """Multipart form: the photo, and the rest of the query as JSON."""

    photo: bytes = Field(json_schema_extra={"type": "string", "format": "binary"})
    query: SearchOptions = SearchOptions()


def _one_recipe(**example: JsonValue) -> JsonDict:
    """The schema of a body that means exactly one recipe, with an example."""
    return {
        "oneOf": [
            {"required": ["id"], "properties": {"id": _STRING, "recipe": _NULL}},
            {"required": ["recipe"], "properties": {"recipe": _OBJECT, "id": _NULL}},
        ],
        "examples": [{"recipe": _SOUP, **example}],
    }


class OfRecipe(Body):
    """A recipe of the collection by its id, or any other as a whole: exactly one of the two."""

    id: Id | None = None
    recipe: RecipeBody | None = None


class ExplainBody(Body):
    model_config = ConfigDict(json_schema_extra={"examples": [{"recipe": _SOUP}]})

    recipe: RecipeBody


class SwapBody(OfRecipe):
    model_config = ConfigDict(json_schema_extra=_one_recipe(**{"from": "chicken", "to": "beef"}))

    from_: Name = Field(alias="from")
    to: Name
    k: Annotated[int, Field(ge=1, le=MOST_HITS), _WHOLE] = 10


class SuggestBody(OfRecipe):
    model_config = ConfigDict(json_schema_extra=_one_recipe(**{"from": "chicken"}))

    from_: Name = Field(alias="from")
    k: Annotated[int, Field(ge=1, le=MOST_HITS), _WHOLE] = 10


class PruneBody(OfRecipe):
    model_config = ConfigDict(json_schema_extra=_one_recipe(k=1))

    k: Annotated[int, Field(ge=1, le=50), _WHOLE] = 1


class AddBody(Body):
    """Recipes as JSON objects, or schema.org's JSON-LD as an object, a list, or pasted text or HTML."""

    model_config = ConfigDict(
        json_schema_extra={
            "oneOf": [
                {"required": ["recipes"], "properties": {"recipes": {"type": "array"}, "jsonld": _NULL}},
                {"required": ["jsonld"], "properties": {"jsonld": {"not": _NULL}, "recipes": _NULL}},
            ],
            "examples": [{"recipes": [_SOUP]}],
        }
    )
    recipes: list[dict[str, Any]] | None = Field(default=None, min_length=1, max_length=2000)
    jsonld: dict[str, Any] | list[Any] | str | None = None


class AddForm(Body):
    """Multipart form: recipe files and their photos; names may hold folders, as in `pies/apple.jpg`."""

    files: list[bytes] = Field(min_length=1)


class DecisionBody(Body):
    """What a person says of a proposal."""

    a: Name
    b: Name
    verdict: Literal["accept", "reject", "undo"]
