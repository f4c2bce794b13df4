"""The main ingredient: what a cook would name if asked what a dish is mainly about.

A linear model scores the lines of an ingredient list: by their mass and place, by title and steps, by the
kind of food, and by two tables made of recipes without labels (experiments/make_title_tables.py): how often
a word of a list is also in the title (tables/title_words.tsv), and which foods the dishes with a word in
their title have in common (tables/title_foods.tsv). What it learned from labelled recipes is in
tables/main_ingredient.tsv (benchmarks/teacher_main.py measures it, and writes that table).
"""

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import pairwise
from math import exp, log

from chef.files import rows
from chef.food import CUTS, FORMS
from chef.food.canonical import shipped_map, token_of
from chef.food.kinds import endings, food_of, kind_of
from chef.recipe import Ingredient, Recipe
from chef.text.lines import parse_line
from chef.text.words import keys

SLOPE, OFFSET = "confidence slope", "confidence offset"  # rows of the table that are no features
_NEVER = {"kind water", "kind salt", "kind broth", "kind gelling"}
_ON_THE_SIDE = re.compile(
    r"\b(?:optional|garnish|to serve|to taste|as needed|if desired|hot cooked|egg ?wash|for (?:the )?"
    r"(?:serving|frying|greasing|dusting|brushing|sprinkling|rolling|topping|deep|decorat\w+))\b",
    re.I,
)
_MORE = re.compile(r"\b(?:more|extra|additional)\b.*", re.I)  # flour, plus more for dusting
_REST_OF_TITLE = re.compile(r"\b(?:with|in|on|over|from|by|for|con|avec|mit|com)\b|[(,:]", re.I)
_LEAST = 0.003  # a share of the mass; below it all shares are alike
_UNSEEN = 20  # recipes that every word gets, in none of which the title has it


@dataclass(frozen=True, slots=True)
class Ranked:
    """A line of an ingredient list as the main ingredient."""

    line: int  # from 0; headings count
    token: str
    confidence: float  # how likely a cook would name this food, 0 to 1


@dataclass(frozen=True, slots=True)
class Candidate:
    """A line that may be the main ingredient."""

    line: int
    token: str
    food: str  # the same for lines with the same food
    features: Mapping[str, float]


def rank(recipe: Recipe) -> list[Ranked]:
    """The lines that may be the main ingredient, the best first; none where no line names a food.

    >>> lines = Ingredient("2 cups flour"), Ingredient("3 bananas")
    >>> rank(Recipe("1", "Banana Bread", lines))[0].token
    'bananas'
    """
    found = candidates(recipe)
    by_line, by_food = probabilities(found, weights())
    order = sorted(range(len(found)), key=lambda at: -by_line[at])
    return [Ranked(found[at].line, found[at].token, confidence(by_food[at], weights())) for at in order]


@cache
def weights() -> dict[str, float]:
    """What was learned from labelled recipes: the weight of each feature."""
    return {name: float(weight) for name, weight in rows("chef.teacher", "main_ingredient.tsv")}


def probabilities(
    found: Sequence[Candidate], weights: Mapping[str, float]
) -> tuple[list[float], list[float]]:
    """How likely each line is the main ingredient, and how likely its food is."""
    scores = [sum(weights.get(name, 0.0) * value for name, value in one.features.items()) for one in found]
    shares = [exp(score - max(scores)) for score in scores]
    by_line = [share / sum(shares) for share in shares]
    of_food: dict[str, float] = defaultdict(float)
    for one, share in zip(found, by_line, strict=True):
        of_food[one.food] += share
    return by_line, [of_food[one.food] for one in found]


def confidence(probability: float, weights: Mapping[str, float]) -> float:
    """A probability of the linear model as it should be (Platt 1999)."""
    odds = logit(probability)
    return round(1 / (1 + exp(-weights[SLOPE] * odds - weights[OFFSET])), 3)


def logit(probability: float) -> float:
    """The log odds of a probability, within bounds."""
    probability = min(max(probability, 1e-4), 1 - 1e-4)
    return log(probability / (1 - probability))


def candidates(recipe: Recipe) -> list[Candidate]:
    """The lines that may be the main ingredient, with what the model looks at."""
    items = {at: item for at, item in enumerate(_parsed(recipe)) if item.name}
    foods = {at: _food(item.name or "", item.token) for at, item in items.items()}
    foods = {at: food for at, food in foods.items() if food.kind not in _NEVER} or foods
    grams = {at: items[at].grams or 0.0 for at in foods}
    total = sum(grams.values()) or 1.0
    shares: dict[str, float] = defaultdict(float)  # of foods: one may be on several lines
    for at, food in foods.items():
        shares[food.name] += grams[at] / total
    second = sorted(grams, key=lambda at: -grams[at])[1:2]
    title, usual = title_words(recipe.title), usual_foods(recipe.title)
    start = set(title_words(_REST_OF_TITLE.split(recipe.title, maxsplit=1)[0]))
    steps = Counter(word for step in recipe.steps for word in keys(step.text))
    found = []
    for place, (at, item) in enumerate(items.items()):
        if at not in foods:
            continue
        food = foods[at]
        share = shares[food.name]
        values = {
            "share of the mass": share,
            "log share": log(share + _LEAST),
            "share of the line": grams[at] / total,
            "heaviest": share == max(shares.values()) > 0,
            "second heaviest": at in second,
            "no grams": item.grams is None,
            "first": place == 0,
            "place": place / len(items),
            "word in title": not food.words.isdisjoint(title),
            "head in title": food.head in title,
            "food in title": set(food.name.split()) <= set(title),
            "start of title": not food.words.isdisjoint(start),
            "end of title": not food.words.isdisjoint(title[-1:]),
            "usual in such dishes": usual.get(food.name, 0.0),
            "mentions in steps": steps[food.head] / max(1, len(recipe.steps)),
            "on the side": _ON_THE_SIDE.search(_MORE.sub("", item.line)) is not None,
        }
        if values["word in title"]:
            values[f"{food.kind} in title"] = True
        features = {**food.features, **{name: float(value) for name, value in values.items()}}
        found.append(Candidate(at, item.token or token_of(item.name or ""), food.name, features))
    return found


@dataclass(frozen=True, slots=True)
class _Food:
    name: str
    words: frozenset[str]  # without cuts and forms
    head: str
    kind: str
    features: Mapping[str, float]


@lru_cache(maxsize=1 << 14)
def _food(name: str, token: str | None) -> _Food:
    words = keys(name)
    words = tuple(word for word in words if word not in CUTS | FORMS) or words or ("",)
    kind = kind_of(name) or kind_of(token or "")
    recipes, named = _title_words().get(words[-1], (0, 0))
    features = {"rarity": log(recipes + 5), "often named": named / (recipes + _UNSEEN)}
    features |= {f"role {role}": 1.0 for role in (kind.roles if kind else ())}
    kind_name = f"kind {kind.name if kind else 'unknown'}"
    return _Food(_known(token or name), frozenset(words), words[-1], kind_name, {**features, kind_name: 1.0})


def _known(name: str) -> str:
    """The food of a name, as the table of foods has it: long grain rice is rice there."""
    whole, known = food_of(name), _foods()
    return next((food for food in (whole, *map(" ".join, endings(name))) if food in known), whole)


@cache
def _foods() -> frozenset[str]:
    return frozenset(food for foods in _title_foods().values() for food in foods)


@cache
def _title_words() -> dict[str, tuple[int, int]]:
    table = rows("chef.teacher", "title_words.tsv")
    return {word: (int(recipes), int(named)) for word, recipes, named in table}


@cache
def _title_foods() -> dict[str, dict[str, float]]:
    table = rows("chef.teacher", "title_foods.tsv")
    pairs = ((words, food.rpartition(" ")) for words, foods in table for food in foods.split("|"))
    found: dict[str, dict[str, float]] = defaultdict(dict)
    for words, (food, _, score) in pairs:
        found[words][food] = float(score)
    return found


def usual_foods(title: str) -> dict[str, float]:
    """The foods that dishes with the words of a title have in common, and how much they stand out there."""
    best: dict[str, float] = {}
    for words in title_terms(title):
        for food, score in _title_foods().get(words, {}).items():
            best[food] = max(score, best.get(food, 0.0))
    return best


def title_words(title: str) -> list[str]:
    """The words of a title in the singular, foods of other languages with their English name behind.

    >>> title_words("Chili con Pollo")
    ['chili', 'con', 'pollo', 'chicken']
    """
    return [name for word in keys(title) for name in (word, _languages().get(word)) if name]


@cache
def _languages() -> dict[str, str]:
    table = rows("chef.teacher", "title_languages.tsv")
    return {word: english for english, words in table for word in keys(words)}


def title_terms(title: str) -> set[str]:
    """The words of a title, and each two that follow each other.

    >>> sorted(title_terms("Apple Pies"))
    ['apple', 'apple pie', 'pie']
    """
    words = title_words(title)
    return {*words, *map(" ".join, pairwise(words))}


def _parsed(recipe: Recipe) -> tuple[Ingredient, ...]:
    if any(item.name for item in recipe.ingredients):
        return recipe.ingredients
    parsed = [parse_line(item.line) for item in recipe.ingredients]
    tokens = (shipped_map().token(item.name) if item.name else None for item in parsed)
    return tuple(replace(item, token=token) for item, token in zip(parsed, tokens, strict=True))
