"""The bodies of requests, typed and bounded; what a single route needs is next to that route."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field
from pydantic.config import JsonDict, JsonValue

from chef.food.groups import ALLERGY_NOTICE, DIETS
from chef.readers import base
from chef.recipe import Ingredient, Recipe, Step

_STRING: JsonDict = {"type": "string"}
_NULL: JsonDict = {"type": "null"}
_SOME_TEXT = r"\S"  # not just spaces


def _whole(value: Any) -> Any:
    """JSON has one kind of number: 2.0 is 2."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


_WHOLE = BeforeValidator(_whole)
Hits = Annotated[int, Field(ge=1, le=100), _WHOLE]
MAX_ID = 4000
Id = Annotated[str, Field(min_length=1, max_length=MAX_ID)]
Name = Annotated[str, Field(min_length=1, max_length=100, pattern=_SOME_TEXT)]
Names = Annotated[list[Name], Field(max_length=50)]
Binary = Annotated[bytes, Field(json_schema_extra={"type": "string", "format": "binary"})]
# Above 0: a query whose parts all have weight 0 asks for nothing.
Weight = Annotated[float, Field(gt=0, le=100, allow_inf_nan=False)]


_SOUP: JsonDict = {
    "title": "Chicken soup",
    "ingredients": ["1 chicken", "3 carrots", "2 l water", "1 tsp salt"],
    "instructions": ["Simmer the chicken in the water for 2 hours.", "Add the carrots. Season with salt."],
}


def _one_of(example: JsonDict, **fields: JsonDict) -> JsonDict:
    """The schema of a body that has exactly one of these fields, with an example."""
    either: list[Any] = [
        {"required": [given], "properties": {name: schema if name == given else _NULL for name in fields}}
        for given, schema in fields.items()
    ]
    return {"oneOf": either, "examples": [example]}


class Body(BaseModel):
    """Unknown fields are refused, not ignored; the string "3" is not a number."""

    model_config = ConfigDict(extra="forbid", strict=True, populate_by_name=False)


class IngredientBody(BaseModel):
    """A line of the ingredient list. Parsed fields, as in our responses, are ignored and parsed again."""

    line: str = Field(max_length=base.INGREDIENT)


class StepBody(Body):
    text: str = Field(max_length=base.STEP)
    section: Annotated[str, Field(max_length=300)] | None = None


Title = Annotated[str, Field(min_length=1, max_length=base.TITLE, pattern=_SOME_TEXT)]
Line = Annotated[str, Field(max_length=base.INGREDIENT)]
Text = Annotated[str, Field(max_length=base.STEP)]
Minutes = Annotated[int, Field(ge=0, le=1_000_000), _WHOLE]


class RecipeFields(BaseModel):
    """What people write in a recipe."""

    model_config = ConfigDict(strict=True)

    ingredients: list[Line | IngredientBody] = Field(default=[], max_length=200)
    instructions: list[Text | StepBody] = Field(default=[], max_length=200)
    tags: list[Annotated[str, Field(max_length=100)]] = Field(default=[], max_length=50)
    description: Text | None = None
    servings: Annotated[str, Field(max_length=100)] | None = None
    prep_minutes: Minutes | None = None
    cook_minutes: Minutes | None = None
    total_minutes: Minutes | None = None
    notes: list[Text] = Field(default=[], max_length=200)
    rating: Annotated[float, Field(gt=0, le=5)] | None = None
    favourite: bool = False
    own_note: Text | None = None

    def change(self, recipe: Recipe) -> Recipe:
        """The recipe with the fields that were given, and its others."""
        given: dict[str, Any] = {name: getattr(self, name) for name in self.model_fields_set}
        given = {name: value for name, value in given.items() if name in Recipe.__dataclass_fields__}
        given |= {name: tuple(given[name]) for name in ("tags", "notes") if name in given}
        if "ingredients" in given:
            lines = [item if isinstance(item, str) else item.line for item in self.ingredients]
            known = {item.line: item for item in recipe.ingredients}
            given["ingredients"] = tuple(known.get(line) or Ingredient(line) for line in lines)
        if "instructions" in self.model_fields_set:
            given["steps"] = tuple(
                Step(item) if isinstance(item, str) else Step(item.text, item.section)
                for item in self.instructions
            )
        return replace(recipe, **given)


class RecipeBody(RecipeFields):
    """A recipe as in our responses; what people do not write, such as its source, is not read."""

    id: Id | None = None
    title: Title

    def recipe(self) -> Recipe:
        """As the type that everything else takes."""
        return replace(self.change(Recipe("query", self.title)), id=self.id or "query")


class EditBody(RecipeFields):
    """The fields to change; those that are not given stay."""

    model_config = ConfigDict(
        extra="forbid", strict=True, json_schema_extra={"examples": [{"favourite": True}]}
    )

    title: Title = ""


class EditForm(Body):
    """Multipart form: another photo, and the fields to change as JSON."""

    photo: Binary
    recipe: EditBody = EditBody()


class ScaleBody(Body):
    model_config = ConfigDict(json_schema_extra={"examples": [{"lines": ["1 cup rice"], "factor": 2}]})

    lines: list[Line] = Field(max_length=500)
    factor: Annotated[float, Field(gt=0, le=1000, allow_inf_nan=False)]


class DraftBody(Body):
    """A recipe as people copy it, as plain text, HTML or JSON-LD; or the address of its web page."""

    model_config = ConfigDict(
        json_schema_extra=_one_of(
            {"text": "Toast\n\n2 slices bread\n\nToast the bread."}, text=_STRING, address=_STRING
        )
    )
    text: Annotated[str, Field(min_length=1, max_length=1_000_000, pattern=_SOME_TEXT)] | None = None
    address: Annotated[str, Field(max_length=2000, pattern="^https?://")] | None = None


class DraftForm(Body):
    """Multipart form: the photo of a page of a book."""

    photo: Binary


class Weights(Body):
    """How much each part of a combined query counts."""

    image: Weight = 1.0
    text: Weight = 1.0
    recipe: Weight = 1.0


class SearchOptions(Body):
    """A query that goes with a photo: every field is optional."""

    text: Annotated[str, Field(min_length=1, max_length=1000, pattern=_SOME_TEXT)] | None = None
    recipe: RecipeBody | None = None
    id: Id | None = Field(default=None, description="A recipe of the collection: find more like it.")
    weights: Weights = Weights()
    with_: Names = Field(
        default=[], alias="with", description="Ingredients or groups that the recipe must contain."
    )
    without: Names = Field(
        default=[], description=f"Ingredients or groups that the recipe must not contain. {ALLERGY_NOTICE}"
    )
    diet: Name | None = Field(
        default=None, description=f"One of {', '.join(DIETS)}: leaves out what that diet does."
    )
    include_unsure: bool = Field(
        default=False,
        description="Keep recipes with a line that was not understood, or not in English; hits say so.",
    )
    literal: bool = Field(default=False, description="Take the words as they are, not as filters.")
    main: Name | None = Field(default=None, description="The main ingredient.")
    max_ingredients: Annotated[int, Field(ge=1, le=1000), _WHOLE] | None = None
    tags: Names = []
    pantry: Names = Field(
        default=[], description="Ingredients at hand: recipes that lack the fewest come first."
    )
    k: Hits = 10

    def asks_something(self) -> bool:
        """Whether the query has anything besides weights and a number of hits."""
        options = {"weights", "k", "include_unsure", "literal"}
        return bool(self.model_dump(exclude=options, exclude_defaults=True))


# At least one of these must be given, unless there is a photo.
_ASKS: tuple[dict[str, Any], ...] = (
    {"text": {"type": "string"}}, {"recipe": {"type": "object"}}, {"id": {"type": "string"}},
    {"main": {"type": "string"}}, {"diet": {"type": "string"}}, {"max_ingredients": {"type": "integer"}},
    *({name: {"type": "array", "minItems": 1}} for name in ("with", "without", "tags", "pantry")),
)  # fmt: skip


class SearchBody(SearchOptions):
    """A query without a photo, which must ask for something."""

    model_config = ConfigDict(
        json_schema_extra={
            "anyOf": [{"required": list(ask), "properties": ask} for ask in _ASKS],
            "examples": [{"text": "soup", "with": ["carrots"], "k": 3}, {"recipe": _SOUP}],
        }
    )


class SearchForm(Body):
    """Multipart form: the photo, and the rest of the query as JSON."""

    photo: Binary
    query: SearchOptions = SearchOptions()


def _one_recipe(**example: JsonValue) -> JsonDict:
    """The schema of a body that names exactly one recipe, with an example."""
    return _one_of({"recipe": _SOUP, **example}, id=_STRING, recipe={"type": "object"})


class OfRecipe(Body):
    """Either the id of a recipe of the collection, or a complete recipe."""

    id: Id | None = None
    recipe: RecipeBody | None = None


class ExplainBody(Body):
    model_config = ConfigDict(json_schema_extra={"examples": [{"recipe": _SOUP}]})

    recipe: RecipeBody


class SwapBody(OfRecipe):
    model_config = ConfigDict(json_schema_extra=_one_recipe(**{"from": "chicken", "to": "beef"}))

    from_: Name = Field(alias="from")
    to: Name
    k: Hits = 10


class SuggestBody(OfRecipe):
    model_config = ConfigDict(json_schema_extra=_one_recipe(**{"from": "chicken"}))

    from_: Name = Field(alias="from")
    without: Names = Field(
        default=[], description=f"Ingredients or groups of which nothing is suggested. {ALLERGY_NOTICE}"
    )
    diet: Name | None = Field(default=None, description="vegetarian, vegan or pescatarian.")
    k: Hits = 10


class PruneBody(OfRecipe):
    model_config = ConfigDict(json_schema_extra=_one_recipe(k=1))

    k: Annotated[int, Field(ge=1, le=50), _WHOLE] = 1


class AddBody(Body):
    """Recipes as JSON objects, or schema.org JSON-LD as an object, a list, or pasted text or HTML."""

    model_config = ConfigDict(
        json_schema_extra=_one_of({"recipes": [_SOUP]}, recipes={"type": "array"}, jsonld={"not": _NULL})
    )
    recipes: list[dict[str, Any]] | None = Field(default=None, min_length=1, max_length=2000)
    jsonld: dict[str, Any] | list[Any] | str | None = None


class AddForm(Body):
    """Multipart form: recipe files and their photos; names may contain folders, as in `pies/apple.jpg`."""

    files: list[bytes] = Field(min_length=1)
