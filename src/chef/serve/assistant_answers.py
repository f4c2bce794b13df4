"""What assistants send and get: short answers, as every word costs them something.

Recipes have their lines, not what was parsed of them; foods are in plain words; empty fields are left out.
"""

from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from chef.index.values import AskedFor, Match
from chef.recipe import Step
from chef.rewrite import Change
from chef.serve import requests
from chef.serve.settings import ServeSettings
from chef.text.tokens import readable

MAX_BASE64 = ServeSettings().max_photo * 4 // 3 + 100


def _plain(value: Any) -> Any:
    """Tokens as people write them."""
    return list(map(_plain, value)) if isinstance(value, list | tuple) else value and readable(value)


def _lines(items: Any) -> Any:
    return [one["line"] if isinstance(one, dict) else one for one in items]


Foods = Annotated[list[str], BeforeValidator(_plain)]
Food = Annotated[str | None, BeforeValidator(_plain)]

# Arguments


class ShortRecipe(BaseModel):
    """As much of a recipe as it takes to change it; other fields are ignored."""

    title: requests.Title
    ingredients: list[requests.Line] = Field(max_length=200, examples=[["2 slices bread", "1 tomato"]])
    instructions: list[requests.Text | requests.StepBody] = Field(max_length=200)


GivenRecipe = Annotated[
    ShortRecipe | None, Field(description="A recipe that is not in the collection; or give an id.")
]
Id = Annotated[
    requests.Id | None,
    Field(description="A recipe of the collection, as a search names it.", examples=["r7"]),
]
Ingredient = Annotated[requests.Name, Field(description="One of the recipe's.", examples=["chicken"])]
Photo = Annotated[
    Annotated[str, Field(min_length=1, max_length=MAX_BASE64)] | None,
    Field(
        description="A photo of a dish: base64 of a JPEG, PNG, WebP or HEIC, or a data: address. Where chef "
        "runs on the same machine, over standard input and output, also the path of a file.",
        examples=["/path/to/dish.jpg", "data:image/jpeg;base64,/9j/4AAQ..."],
    ),
]


class NewRecipe(requests.RecipeBody):
    """A recipe to add. Without an id it gets one; a known id replaces that recipe."""

    url: Annotated[str, Field(max_length=2000)] | None = None


# Answers


class Answer(BaseModel):
    model_config = ConfigDict(from_attributes=True)
    _photo: bytes | None = None  # goes beside the text, as an image

    def plain(self) -> dict[str, Any]:
        """As JSON, without what says nothing."""
        return self.model_dump(mode="json", exclude_defaults=True)


class RecipeText(Answer):
    id: str | None = None
    title: str
    ingredients: Annotated[list[str], BeforeValidator(_lines)]
    instructions: list[str | Step]
    tags: list[str] = []
    description: str | None = None
    servings: str | None = None
    prep_minutes: int | None = None
    cook_minutes: int | None = None
    total_minutes: int | None = None
    notes: list[str] = []
    rating: float | None = None
    nutrition: dict[str, str] = {}
    source: str | None = None
    licence: str | None = None
    url: str | None = None
    favourite: bool = False
    own_note: str | None = None


class FoundRecipe(Answer):
    id: str
    title: str
    probability: Annotated[float | None, Field(description="That it is the right one.")] = None
    mainly: Annotated[str, Field(description="The main ingredient, where that is fairly certain.")] = ""
    ingredients: Foods
    why: list[str]
    missing: Annotated[Foods, Field(description="From the pantry.")] = []
    not_understood: Annotated[list[str], Field(description="Lines in which no food was recognised.")] = []
    has_image: bool


class Found(Answer):
    match: Annotated[
        Match | None, Field(description="Whether a good match is there; none or weak: say so to the cook.")
    ]
    hits: list[FoundRecipe]
    understood: Annotated[AskedFor | None, Field(description="Filters that the words asked for.")] = None
    caution: str


class Stored(Answer):
    recipe: RecipeText
    main_ingredient: Food
    main_confidence: float | None
    has_image: bool


class Contained(Answer):
    contains: Annotated[list[str], Field(description="Groups of foods that the recipe names, such as nuts.")]
    may_contain: Annotated[list[str], Field(description="Groups that depend on a brand or a choice.")]
    foods: Foods
    not_understood: Annotated[list[str], Field(description="Lines in which no food was recognised.")]
    is_english: Annotated[bool, Field(description="If not, the recipe was not read.")]
    caution: str


class Part(Answer):
    token: Annotated[str, BeforeValidator(_plain)]
    depth: int


class Sentence(Answer):
    text: str
    action: Food
    confidence: float


class Explained(Answer):
    main_ingredient: Food
    main_confidence: float | None
    ingredients: Annotated[list[Part], Field(description="The shallowest matters most to the model.")]
    steps: list[Sentence]


class Swapped(Answer):
    recipe: RecipeText
    changed: list[Change]
    notes: Annotated[list[str], Field(description="What a cook must check.")]
    hits: Annotated[list[FoundRecipe], Field(description="Real recipes near the changed one.")]


class Substitute(Answer):
    token: Annotated[str, BeforeValidator(_plain)]
    score: float
    evidence: list[str]


class Suggested(Answer):
    suggestions: list[Substitute]


class Pruned(Answer):
    recipe: RecipeText
    removed: Foods
    reasons: list[str]
    note: Annotated[str | None, Field(description="Why fewer went than were asked for.")] = None


class AddedRecipe(Answer):
    ids: list[str]
    added: int
    updated: int
    unchanged: int
    skipped: dict[str, int] = {}
