"""What the service answers with."""

from __future__ import annotations

from pydantic import BaseModel, Field


class Failure(BaseModel):
    """Every error has this form."""

    error: str


class Hit(BaseModel):
    id: str
    title: str
    score: float = Field(description="Higher is better.")
    main_ingredient: str | None
    actions: list[str]
    ingredients: list[str]
    why: list[str]
    has_image: bool
    missing: list[str]


class SearchAnswer(BaseModel):
    hits: list[Hit]
    took_ms: float
    version: int


class RecipeRow(BaseModel):
    id: str
    title: str
    main_ingredient: str | None
    actions: list[str]
    ingredients: list[str]
    has_image: bool


class RecipeList(BaseModel):
    recipes: list[RecipeRow]
    total: int
    version: int


class IngredientLine(BaseModel):
    line: str
    name: str | None = None
    amount: float | None = None
    unit: str | None = None
    grams: float | None = None
    token: str | None = None


class StepLine(BaseModel):
    text: str
    section: str | None = None


class RecipeAnswer(BaseModel):
    """A recipe; its photo is at /api/recipes/{id}/photo."""

    id: str
    title: str
    ingredients: list[IngredientLine]
    instructions: list[str | StepLine]
    tags: list[str] = []
    source: str | None = None
    licence: str | None = None
    url: str | None = None


class Leaf(BaseModel):
    token: str
    depth: int


class Node(BaseModel):
    order: int = Field(description="1 was merged first.")
    left: Node | Leaf
    right: Node | Leaf


class StepTree(BaseModel):
    text: str
    action: str | None
    tree: Node | Leaf | None


class ExplainAnswer(BaseModel):
    main_ingredient: str | None
    ingredients: list[Leaf]
    tree: Node | Leaf | None
    steps: list[StepTree]


class EntryAnswer(ExplainAnswer):
    """One recipe of the collection with its trees."""

    recipe: RecipeAnswer
    actions: list[str]
    has_image: bool


class Change(BaseModel):
    part: str = Field(description="title, ingredients or instructions")
    place: int = Field(description="Which of them, from 0.")
    before: str
    after: str


class SwapAnswer(BaseModel):
    recipe: RecipeAnswer
    changed: list[Change]
    hits: list[Hit] = Field(description="Real recipes near the changed one.")
    photos: list[Hit] = Field(description="Recipes whose photos are near the changed one.")
    explanation: ExplainAnswer


class Suggestion(BaseModel):
    token: str
    score: float
    evidence: list[str]


class SuggestAnswer(BaseModel):
    suggestions: list[Suggestion]


class PruneAnswer(BaseModel):
    recipe: RecipeAnswer
    removed: list[str]


class AddAnswer(BaseModel):
    added: int
    updated: int
    unchanged: int
    skipped: dict[str, int] = Field(description="What was not read, by reason.")


class RemoveAnswer(BaseModel):
    removed: int


class Point(BaseModel):
    id: str
    x: float
    y: float
    title: str
    main_ingredient: str | None


class MapAnswer(BaseModel):
    points: list[Point]
    version: int


class Counted(BaseModel):
    token: str
    count: int


class Tag(BaseModel):
    tag: str
    count: int


class VocabularyAnswer(BaseModel):
    ingredients: list[Counted]
    groups: list[str]
    tags: list[Tag]
    version: int


class ProposalAnswer(BaseModel):
    a: str
    b: str
    count_a: int
    count_b: int
    score: float
    reasons: list[str]


class ProposalsAnswer(BaseModel):
    proposals: list[ProposalAnswer] = Field(description="Not decided yet, the strongest first.")
    done: int
    total: int


class DecisionAnswer(BaseModel):
    done: int
    total: int


class HealthAnswer(BaseModel):
    status: str
