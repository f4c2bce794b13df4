"""A recipe's text prepared: ingredient lines parsed, names canonical, all in words; its main ingredient."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, fields, replace

from chef.data.settings import PrepareSettings
from chef.food.canonical import CanonicalMap, Replacer, token_of
from chef.recipe import Ingredient, Recipe
from chef.text.lines import parse_line
from chef.text.tokens import sentences, tokenise
from chef.text.vocabulary import SPECIAL, UNK

Words = list[str]

KNOWN = 0.9  # the share of lines that must have grams for the main ingredient by mass to count
WATER = frozenset(
    "water boiling_water cold_water hot_water ice_water lukewarm_water warm_water ice ice_cubes".split()
)


@dataclass(frozen=True, slots=True)
class RecipeText:
    """What the text of one recipe becomes."""

    recipe: Recipe  # with parsed ingredients
    title: Words  # canonical and cut to length, as the model reads it
    ingredients: Words  # one token for each named ingredient, see `named`
    sentences: list[Words]
    raw_text: list[Words]  # whole sentences, for the first word2vec model
    canonical_text: list[Words]  # the same after canonical replacement, for the second
    truncated: Counter[str]  # what was cut


def named(recipe: Recipe) -> tuple[Ingredient, ...]:
    """The ingredients that name something; headings such as "For the sauce:" do not.

    The i-th ingredient token of a prepared recipe belongs to the i-th of these.
    """
    return tuple(item for item in recipe.ingredients if item.name)


class TextMaker:
    """Prepares the text of recipes with one canonical map and one set of lengths."""

    def __init__(self, canonical: CanonicalMap, settings: PrepareSettings) -> None:
        self.canonical = canonical
        self._replace = Replacer(canonical)
        self.settings = settings

    def __call__(self, recipe: Recipe) -> RecipeText:
        return self.words(recipe.with_ingredients(self._parse(item) for item in recipe.ingredients))

    def from_parsed(self, recipe: Recipe) -> RecipeText:
        """The text of a parsed recipe, its ingredients named by this canonical map."""
        token = self.canonical.token
        return self.words(
            recipe.with_ingredients(
                replace(item, token=token(item.name) if item.name else None) for item in recipe.ingredients
            )
        )

    def words(self, recipe: Recipe) -> RecipeText:
        """The text of a recipe whose ingredients are already parsed and canonical, by this same map."""
        names = [item.name or "" for item in named(recipe)]
        raw_title = tokenise(recipe.title)
        raw_steps = _filled([tokenise(text) for step in recipe.steps for text in sentences(step.text)])
        title = self._replace(raw_title)
        steps = [self._replace(words) for words in raw_steps]
        tokens = [item.token or token_of(item.name or "") or SPECIAL[UNK] for item in named(recipe)]

        limits, cut = self.settings, Counter[str]()
        cut["titles"] = len(title) > limits.max_words
        cut["ingredient lists"] = len(tokens) > limits.max_ingredients
        cut["instructions"] = len(steps) > limits.max_sentences
        kept = steps[: limits.max_sentences]
        cut["sentences"] = sum(len(words) > limits.max_words for words in kept)
        return RecipeText(
            recipe=recipe,
            title=title[: limits.max_words],
            ingredients=tokens[: limits.max_ingredients],
            sentences=[words[: limits.max_words] for words in kept],
            raw_text=_filled([raw_title, [word for name in names for word in tokenise(name)], *raw_steps]),
            canonical_text=_filled([title, tokens, *steps]),
            truncated=+cut,
        )

    def _parse(self, item: Ingredient) -> Ingredient:
        """The parsed line; what the source states takes precedence over what we parse."""
        parsed = parse_line(item.line)
        given = {field.name: getattr(item, field.name) for field in fields(item)}
        parsed = replace(parsed, **{name: value for name, value in given.items() if value is not None})
        if parsed.token is None and parsed.name:
            parsed = replace(parsed, token=self.canonical.token(parsed.name))
        return parsed


def _filled(texts: list[Words]) -> list[Words]:
    return [words for words in texts if words]


def gold(recipe: Recipe, *, water: bool = True) -> str | None:
    """The canonical ingredient with the largest mass; water does not count unless wanted.

    None where fewer than 90 % of the lines have grams, where two ingredients share the largest mass (then
    neither is "the" main one), and where the heaviest line has no canonical ingredient.
    """
    known = [item for item in recipe.ingredients if item.grams is not None]
    if not known or len(known) / len(recipe.ingredients) < KNOWN:
        return None
    masses: dict[tuple[str | None, str], float] = defaultdict(float)
    for item in known:
        if water or item.token not in WATER:
            masses[item.token, "" if item.token else item.line] += item.grams or 0.0
    heaviest = max(masses.values(), default=0.0)
    winners = [token for (token, _), grams in masses.items() if grams >= heaviest * (1 - 1e-9)]
    return winners[0] if len(winners) == 1 else None
