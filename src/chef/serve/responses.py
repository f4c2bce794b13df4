"""The JSON of responses: plain dataclasses, which appear in the OpenAPI document.

Where a value has its own `to_json`, the route returns that and names the dataclass as its `response_model`,
which leaves out all other fields, such as the paths of photos on this machine.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated

from pydantic import Field

from chef.index import Hit
from chef.index.values import AskedFor, Match
from chef.recipe import Ingredient, Step
from chef.rewrite import Change, Suggestion


@dataclass(frozen=True, slots=True)
class Failure:
    """The body of every error response."""

    error: str


@dataclass(frozen=True, slots=True)
class SearchAnswer:
    match: Annotated[
        Match | None,
        Field(description="Whether the right recipe is likely to be here; null where nobody knows."),
    ]
    hits: list[Hit]
    fitting: Annotated[
        int, Field(description="How many of the hits have something of the words; the others are only near.")
    ]
    total: Annotated[
        int | None, Field(description="How many pass the filters; null where nobody has counted.")
    ]
    took_ms: float
    version: int
    understood: Annotated[
        AskedFor | None, Field(description="The filters that the words ask for, and the words that remain.")
    ]


@dataclass(frozen=True, slots=True)
class RecipeRow:
    id: str
    title: str
    main_ingredient: str | None
    main_confidence: float | None
    actions: list[str]
    ingredients: list[str]
    has_image: bool
    favourite: bool


@dataclass(frozen=True, slots=True)
class RecipeList:
    recipes: list[RecipeRow]
    total: int
    version: int


@dataclass(frozen=True, slots=True)
class RecipeAnswer:
    """A recipe; its photo is at /api/recipes/{id}/photo."""

    id: str
    title: str
    ingredients: tuple[Ingredient, ...]
    instructions: list[str | Step]
    tags: tuple[str, ...] = ()
    source: str | None = None
    licence: str | None = None
    url: str | None = None
    description: str | None = None
    servings: str | None = None
    prep_minutes: int | None = None
    cook_minutes: int | None = None
    total_minutes: int | None = None
    notes: tuple[str, ...] = ()
    language: str | None = None
    rating: float | None = None
    nutrition: dict[str, str] = field(default_factory=dict)
    favourite: bool = False
    own_note: str | None = None


@dataclass(frozen=True, slots=True)
class Leaf:
    token: str
    depth: int


@dataclass(frozen=True, slots=True)
class Node:
    order: Annotated[int, Field(description="The pair with order 1 was merged first.")]
    left: Node | Leaf
    right: Node | Leaf


@dataclass(frozen=True, slots=True)
class StepTree:
    text: str
    action: str | None
    confidence: float
    tree: Node | Leaf | None


@dataclass(frozen=True, slots=True)
class ExplainAnswer:
    main_ingredient: str | None
    main_confidence: float | None
    ingredients: list[Leaf]
    tree: Node | Leaf | None
    steps: list[StepTree]


@dataclass(frozen=True, slots=True)
class EntryAnswer(ExplainAnswer):
    """One recipe of the collection with its trees."""

    recipe: RecipeAnswer
    actions: list[str]
    has_image: bool


@dataclass(frozen=True, slots=True)
class SwapAnswer:
    recipe: RecipeAnswer
    changed: list[Change]
    notes: Annotated[list[str], Field(description="What a cook must check: changed cues, doubtful places.")]
    hits: Annotated[list[Hit], Field(description="Real recipes near the changed one.")]
    photos: Annotated[list[Hit], Field(description="Recipes whose photos are near the changed one.")]
    explanation: ExplainAnswer


@dataclass(frozen=True, slots=True)
class SuggestAnswer:
    suggestions: list[Suggestion]


@dataclass(frozen=True, slots=True)
class PruneAnswer:
    recipe: RecipeAnswer
    removed: list[str]
    reasons: Annotated[list[str], Field(description="Why each of them may go.")]
    note: Annotated[str | None, Field(description="Why fewer went than were asked for.")]


@dataclass(frozen=True, slots=True)
class AddAnswer:
    added: int
    updated: int
    unchanged: int
    skipped: Annotated[dict[str, int], Field(description="How many were not read, by reason.")]
    ids: Annotated[list[str], Field(description="Of the recipes that were sent and could be read.")]


@dataclass(frozen=True, slots=True)
class EditAnswer:
    id: str


@dataclass(frozen=True, slots=True)
class RemoveAnswer:
    removed: int


@dataclass(frozen=True, slots=True)
class Draft:
    recipe: RecipeAnswer
    photo: Annotated[str | None, Field(description="A data: address.")]


@dataclass(frozen=True, slots=True)
class DraftAnswer:
    drafts: list[Draft]
    unsure: Annotated[list[str], Field(description="Words of a photographed page that were hard to read.")]


@dataclass(frozen=True, slots=True)
class ScaleAnswer:
    lines: list[str]
