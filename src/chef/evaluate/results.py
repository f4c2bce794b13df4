"""What `chef evaluate` writes and everything else reads: the results of models, as dataclasses.

Rates are in percent. Names that JSON has and Python cannot have ("main-ingredient", "R@1", "1k") are given
with the fields; docs/evaluate.md describes the file. A file without a version is of the first one.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from chef.errors import ChefError
from chef.measure.bootstrap import PairedTest
from chef.measure.ranks import Scores
from chef.measure.retrieval import RetrievalScores
from chef.model.tree import Tree
from chef.typed_json import from_json, inline, key, optional, to_json

VERSION = 1
TASKS = ("retrieval", "main-ingredient", "pruning", "substitution", "actions", "trees")
BATCH_STATISTICS = " (batch statistics)"  # ends the name of ACME's second row

Tests = dict[str, PairedTest]  # by metric


class CannotDo(ChefError):
    """Why a task makes no sense for this model or these recipes: it is skipped, and the others go on."""


@dataclass(kw_only=True)
class Gold:
    """Against labels by hand: "strict" and "accepted" of main ingredients, "right" of action words."""

    n: int
    model: Scores = inline()
    controls: dict[str, Scores]
    shuffled: Gold | None = optional()  # the same with every ingredient list shuffled


@dataclass(kw_only=True)
class MainIngredient:
    """Scores of the model's tree and of each control, and paired tests of the model minus the control."""

    n: int  # recipes with a known main ingredient
    model: Scores
    controls: dict[str, Scores]
    against: dict[str, Tests]
    depth_gap: dict[str, Scores] | None = optional("depth-gap")  # the paper's score of "model" and controls
    without_water: MainIngredient | None = optional("without-water")
    validation: MainIngredient | None = optional()
    gold: Gold | None = optional()


@dataclass(kw_only=True)
class ActionWords:
    """How many of the words that sentence trees choose are verbs; `strict`: are used as verbs there."""

    sentences: int
    verbs: int
    strict_verbs: int | None = None
    model: Scores = inline()  # "percent" and "strict_percent"
    controls: dict[str, Scores]
    against: dict[str, Tests]
    validation: ActionWords | None = optional()
    gold: Gold | None = optional()


@dataclass(kw_only=True)
class TreeHealth:
    """Whether one Tree-LSTM has learned where to merge; shares are between 0 and 1."""

    entropy: float  # of the choice of merges, over its maximum
    noise_ratio: float  # spread of the scores over that of the Gumbel noise
    agreement: float  # how many merges two trees sampled as in training share
    agreement_by_chance: float
    left: float  # merges that branch to the left, and to the right
    right: float
    sampled: float | None = None  # R@1 of the main ingredient by mass in sampled trees, in percent
    own_minus_random: Tests  # R@1 by direction
    shuffled: Tests | None = optional()  # R@1 by direction with shuffled ingredient lists less as listed

    @property
    def has_learned(self) -> bool:
        """Whether a claim about these trees is tested at all: the parser chooses, and the same again."""
        return self.entropy <= 0.9 and self.agreement >= 1.25 * self.agreement_by_chance


@dataclass(kw_only=True)
class Trees:
    """The health of each kind of tree."""

    parts: dict[str, TreeHealth] = inline("ingredients|sentences|instructions")


@dataclass(kw_only=True)
class PrunedScores:
    """Retrieval in one direction: on the full set, and in folds of 1k where there are enough recipes."""

    full: Scores = inline()
    folds: Scores | None = optional("1k")

    @property
    def headline(self) -> Scores:
        """Those of the folds where there are any, as in the paper."""
        return self.folds or self.full


@dataclass(kw_only=True)
class PruningCell:
    """Retrieval after one way of pruning, by direction, with the trees kept and reinferred.

    The paired tests are on the full set, this cell minus the other.
    """

    n: int
    removed: float  # ingredients per recipe
    directions: dict[str, PrunedScores] = inline("image-to-recipe|recipe-to-image")
    reinferred: dict[str, PrunedScores]
    against_original: dict[str, Tests] = key("against-original")
    against_random: dict[str, Tests] | None = optional("against-random")


@dataclass(kw_only=True)
class SwapRates:
    """How often the top recipe contains B, by direction; `gain` is what the swap adds to the baseline."""

    queries: int
    success: Scores = inline()
    baseline: Scores  # the unchanged recipe
    reinferred: Scores  # trees inferred again
    two_step: Scores = key("two-step")  # A -> B -> A
    gain: dict[str, PairedTest]


@dataclass(kw_only=True)
class EachQuery:
    """The queries of a pair one by one, and what each scored, 0 to 1, by direction."""

    ids: list[str]
    seen: list[bool] = field(default_factory=list)  # in training
    hits: dict[str, list[float]] = inline("recipe-to-(image|recipe)")


@dataclass(kw_only=True)
class SwapPair:
    """One ordered pair of ingredients; where the gallery is all splits, also the queries of a split alone."""

    rates: SwapRates = inline()
    put_in: str | None = key("put-in")  # the token of B
    each: EachQuery
    splits: dict[str, SwapRates] = inline(".*")


@dataclass(kw_only=True)
class Gallery:
    recipes: int
    splits: list[str]


@dataclass(kw_only=True)
class Substitution:
    """Every ordered pair, "chicken->beef", that has enough queries, and why others are skipped."""

    pairs: dict[str, SwapPair] = inline(".+->.+")
    queries_from: str = key("queries-from")
    gallery: Gallery
    skipped: dict[str, str]


@dataclass(kw_only=True)
class Plane:
    """Photos ("image") and recipes as points on a plane; "before" and "after" pruning, or "recipe"."""

    what: str | None = optional()  # how they were pruned, mode and K: "remove-last 1"
    ids: list[str]
    points: dict[str, list[list[float]]] = inline("image|recipe|before|after")


@dataclass(kw_only=True)
class IngredientDepth:
    """The average depth of an ingredient in the trees of the recipes that have it."""

    ingredient: str
    depth: float
    recipes: int


@dataclass(kw_only=True)
class DrawnTree:
    id: str
    title: str
    kind: str  # "ingredients" or "sentence"
    tree: Tree
    main: str | None = None  # the heaviest ingredient
    marked: list[int]  # leaves
    photo: str | None = None


@dataclass(kw_only=True)
class Dish:
    id: str
    title: str
    photo: str | None = None
    seen: bool = False  # in training
    contains: bool | None = optional()  # the new ingredient


@dataclass(kw_only=True)
class SwapExample:
    """A query of a substitution and the dishes it finds, nearest first, by direction."""

    pair: str
    query: Dish
    dishes: dict[str, list[Dish]] = inline("recipe-to-(image|recipe)")


@dataclass(kw_only=True)
class Figures:
    """What the report draws."""

    space: Plane | None = optional()
    depths: list[IngredientDepth] | None = optional()
    trees: list[DrawnTree] | None = optional()
    pruning_space: Plane | None = optional("pruning-space")
    swaps: list[SwapExample] | None = optional()


@dataclass(kw_only=True)
class About:
    """What a reader should know of a model besides its name."""

    path: str | None = None
    variant: str | None = None
    seed: int | None = None  # of training
    tower: str | None = None
    space: int | None = None
    epoch: int | None = None
    settings: dict[str, Any] = field(default_factory=dict)


@dataclass(kw_only=True)
class ModelResult:
    """One model, trained once, measured on one population. A task that was not done is None."""

    model: str
    about: About = field(default_factory=About)
    data: str
    split: str
    seed: int = 0  # of folds, resamples and random controls
    n: int | None = None
    left_out: dict[str, int] = field(default_factory=dict)
    retrieval: RetrievalScores | None = optional()
    main_ingredient: MainIngredient | None = optional("main-ingredient")
    pruning: dict[str, dict[str, PruningCell]] | None = optional()  # by mode and K
    substitution: Substitution | None = optional()
    actions: ActionWords | None = optional()
    trees: Trees | None = optional()
    skipped: dict[str, str | dict[str, str]] = field(default_factory=dict)
    figures: Figures = field(default_factory=Figures)

    def did(self, task: str) -> bool:
        """Whether the task was done."""
        return getattr(self, task.replace("-", "_")) is not None


@dataclass(kw_only=True)
class Comparison:
    """The paired tests of two models on the same recipes, first minus second, for every task both did."""

    first: str
    second: str
    seeds: list[int | None] = field(default_factory=list)  # of training
    retrieval: dict[str, dict[str, Tests]] | None = optional()  # by direction and gallery
    main_ingredient: Tests | None = optional("main-ingredient")
    actions: Tests | None = optional()
    substitution: dict[str, dict[str, PairedTest]] | None = optional()  # by pair and direction


@dataclass
class Results:
    """All that one run of `chef evaluate` measured.

    >>> results = Results.load(Path("result.json"))
    >>> results.models[0].retrieval["image-to-recipe"]["full"]["R@1"]
    """

    models: list[ModelResult]
    comparisons: list[Comparison] = field(default_factory=list)

    def to_json(self) -> dict[str, Any]:
        """One model is the object itself, several are listed; ACME's two rows can be read either way."""
        content: dict[str, Any] = {"version": VERSION}
        first, *others = self.models
        acme = [one.model for one in others] == [first.model + BATCH_STATISTICS]
        if not others or acme:
            content |= to_json(first)
        if acme:
            del content["figures"]
        if others:
            content |= {"models": to_json(self.models), "comparisons": to_json(self.comparisons)}
        return content

    @classmethod
    def load(cls, path: Path) -> Results:
        """The content of a result file of this version or an earlier one."""
        try:
            content = json.loads(path.read_text(encoding="utf-8"))
        except FileNotFoundError as error:
            raise ChefError(f"no such result: {path}", "`chef evaluate --out FILE` writes one") from error
        except IsADirectoryError as error:
            raise ChefError(f"a folder, not a result: {path}", "give the files inside it") from error
        except (json.JSONDecodeError, UnicodeDecodeError) as error:
            raise ChefError(f"not JSON: {path}", "give what `chef evaluate --out FILE` wrote") from error
        if not isinstance(content, dict):
            raise ChefError(f"not a result: {path}", "give what `chef evaluate --out FILE` wrote")
        version = content.pop("version", 1)
        if version != VERSION:
            raise ChefError(f"{path} has version {version!r}, this program reads {VERSION}", "update chef")
        if "models" not in content:
            return cls([from_json(ModelResult, content, str(path))])
        parts = {name: content[name] for name in ("models", "comparisons") if name in content}
        results = from_json(cls, parts, str(path))
        if not results.models:
            raise ChefError(f"a result without models: {path}", "run `chef evaluate` again")
        return results
