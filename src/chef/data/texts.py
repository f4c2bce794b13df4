"""The text of a recipe as a model reads it: settings of prepared data, splits, words, the main ingredient."""

from __future__ import annotations

import hashlib
import re
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from typing import TYPE_CHECKING, Any

from chef.errors import ChefError, check_deadline
from chef.recipe import Ingredient, Recipe
from chef.text.tokens import sentences, tokenise
from chef.text.vocabulary import SPECIAL, UNK, Vocabulary

if TYPE_CHECKING:
    from chef.food.canonical import CanonicalMap

Words = list[str]

KNOWN = 0.9  # the share of lines that must have grams for the main ingredient by mass to count
WATER = frozenset(
    "water boiling_water cold_water hot_water ice_water lukewarm_water warm_water ice ice_cubes".split()
)
GIVEN, HASH = "given", "hash"
TRAIN, VAL, TEST = "train", "val", "test"

_SPLIT_NAME = re.compile(r"[A-Za-z0-9_-]{1,40}")  # it becomes part of a file name

# Words seen less often become <UNK>. The paper's 10 suits its 225,000 training recipes; a small
# corpus would lose most of its words to it. (more training recipes than, minimum count)
_MINIMUM_COUNTS = ((100_000, 10), (20_000, 5), (0, 2))


@dataclass(frozen=True, slots=True)
class PrepareSettings:
    """The settings of prepared data; two runs with equal settings give equal files.

    >>> PrepareSettings(image_size=224).image_size
    224
    """

    image_size: int = 256  # short side of a stored image, at most
    images: int = 5  # the first images of a recipe that are kept (the paper uses at most 5)
    quality: int = 90  # of the JPEG files made here
    max_words: int = 20  # of a title and of a sentence
    max_ingredients: int = 20
    max_sentences: int = 20
    punctuation: bool = False  # signs are words of their own in sentences, as in the paper's trees
    splits: str = GIVEN  # as the source gives them, else by hash; "hash": always by hash
    train_share: float = 0.8  # of the hash splits
    val_share: float = 0.1
    minimum_count: int | None = None  # None: chosen by the number of training recipes
    dimension: int = 300
    window: int = 10
    epochs: int = 10
    seed: int = 0
    shard_recipes: int = 1000
    part_recipes: int = 64  # recipes of one task: what a killed worker loses

    def __post_init__(self) -> None:
        if self.splits not in (GIVEN, HASH):
            raise ChefError(f"no such splits: {self.splits!r}", f"say {GIVEN} or {HASH}")
        for name, value in asdict(self).items():
            if type(value) is int and name != "seed" and value < 1:
                raise ChefError(f"{name.replace('_', ' ')} must be at least 1, not {value}")
        if not 0 < self.train_share <= self.train_share + self.val_share <= 1:
            raise ChefError("the shares of the splits must be positive and at most 1 together")

    def minimum(self, training_recipes: int) -> int:
        """How often a word must be seen to enter the vocabulary.

        >>> PrepareSettings().minimum(5_000), PrepareSettings(minimum_count=4).minimum(5_000)
        (2, 4)
        """
        if self.minimum_count is not None:
            return self.minimum_count
        return next(count for size, count in _MINIMUM_COUNTS if training_recipes > size or not size)

    def to_json(self) -> dict[str, Any]:
        """A plain dictionary, for the manifest; `punctuation` is in it only where it is kept."""
        return {name: value for name, value in asdict(self).items() if name != "punctuation" or value}


def reading(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Of the settings of prepared data, those that decide how a model reads a recipe."""
    return {name: value for name, value in settings.items() if name.startswith(("max_", "punctuation"))}


def split_of(recipe: Recipe, settings: PrepareSettings) -> str:
    """The name of the recipe's split.

    >>> split_of(Recipe("1", "Soup", split="test"), PrepareSettings())
    'test'
    """
    if settings.splits == HASH or recipe.split is None:
        return hash_split(recipe.title, settings)
    if not _SPLIT_NAME.fullmatch(recipe.split):
        raise ChefError(
            f"recipe {recipe.id!r} is in a split named {recipe.split!r}",
            "name splits with letters and digits, such as train, val and test, or use --splits hash",
        )
    return recipe.split


def hash_split(title: str, settings: PrepareSettings) -> str:
    """A split that depends on nothing but the words of the title, so equal titles stay together."""
    words = " ".join(tokenise(title)).encode()
    position = int.from_bytes(hashlib.sha256(words).digest()[:8], "big") / 2**64
    if position < settings.train_share:
        return TRAIN
    return VAL if position < settings.train_share + settings.val_share else TEST


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

    @property
    def tokens(self) -> dict[str, Any]:
        """The words that the model reads, part by part."""
        return {"title": self.title, "ingredients": self.ingredients, "sentences": self.sentences}


def numbered(tokens: dict[str, Any], vocabulary: Vocabulary) -> dict[str, Any]:
    """Words (`RecipeText.tokens`) as their numbers."""
    ids = vocabulary.ids
    return {
        "title": ids(tokens["title"]),
        "ingredients": ids(tokens["ingredients"]),
        "sentences": [ids(sentence) for sentence in tokens["sentences"]],
    }


def named(recipe: Recipe) -> tuple[Ingredient, ...]:
    """The ingredients that name something; headings such as "For the sauce:" do not.

    The i-th ingredient token of a prepared recipe belongs to the i-th of these.
    """
    return tuple(item for item in recipe.ingredients if item.name)


class TextMaker:
    """Prepares the text of recipes with one canonical map and one set of lengths."""

    def __init__(self, canonical: CanonicalMap, settings: PrepareSettings) -> None:
        from chef.food.canonical import Replacer

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
        from chef.food.canonical import token_of

        raw_title = tokenise(recipe.title)
        names = [word for item in named(recipe) for word in tokenise(item.name or "")]
        texts = [text for step in recipe.steps for text in sentences(step.text)]
        raw_steps = _filled([tokenise(text, punctuation=self.settings.punctuation) for text in texts])
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
            raw_text=_filled([raw_title, names, *raw_steps]),
            canonical_text=_filled([title, tokens, *steps]),
            truncated=+cut,
        )

    def _parse(self, item: Ingredient) -> Ingredient:
        """The parsed line; what the source states takes precedence over what we parse."""
        from chef.text.lines import parse_line  # slow to load, and not needed for parsed recipes

        check_deadline()
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
