"""Where a model fails, by kind of dish and in numbers, so that no recipe is quoted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile

import numpy as np

from chef.evaluate.evaluated_model import EvaluatedModel
from chef.measure.ranks import Ranks, rank_pairs, score
from chef.recipe import Recipe
from chef.text.keys import spelled
from chef.text.tokens import tokenise

# The last of these words in a title says what a dish is: a tomato soup is a soup.
KINDS = {
    "drinks": "drink smoothie cocktail tea coffee latte lemonade punch margarita juice",
    "sauces, dips and spreads": "sauce dip dressing gravy salsa pesto hummus guacamole jam chutney butter "
    "aioli relish seasoning spread vinaigrette marinade ketchup mayonnaise syrup frosting",
    "soups and stews": "soup stew chowder broth chili gumbo bisque ramen stock goulash",
    "salads": "salad slaw coleslaw",
    "pies and tarts": "pie tart quiche galette cobbler crumble crisp",
    "cakes and muffins": "cake cupcake muffin brownie cheesecake gingerbread blondie",
    "biscuits and bars": "cookie bar biscotti shortbread macaroon snickerdoodle",
    "puddings, ices and sweets": "pudding ice fudge custard mousse candy sorbet truffle caramel brittle",
    "pancakes and eggs": "pancake waffle crepe omelet egg frittata granola oatmeal porridge toast",
    "breads and pizzas": "bread roll bun biscuit scone focaccia pizza naan bagel loaf tortilla pretzel dough",
    "curries": "curry masala tikka dal korma vindaloo",
    "pasta and noodles": "pasta spaghetti lasagna noodle macaroni gnocchi penne linguine fettuccine ravioli",
    "rice and grains": "rice risotto pilaf paella quinoa couscous biryani",
    "sandwiches, tacos and burgers": "sandwich taco burger burrito wrap quesadilla enchilada fajita",
    "fish and seafood": "fish salmon shrimp prawn tuna cod crab scallop lobster mussel",
    "poultry": "chicken turkey duck",
    "meat": "beef pork lamb steak rib meatball meatloaf sausage ham bacon brisket roast",
    "vegetables and beans": "potato bean lentil carrot broccoli cauliflower mushroom tofu squash cabbage "
    "corn asparagus eggplant tomato zucchini spinach pepper",
}
OTHER = "all others"
_ASIDE = frozenset("with in on from for and or".split())  # what follows is beside the dish
_OF_WORD = {word: kind for kind, words in KINDS.items() for word in words.split()}
FEWEST = 10  # photos of a kind, below which its figures say nothing


@dataclass(frozen=True)
class Spot:
    """A group of queries: their number, scores, and the kind of dish most often retrieved instead."""

    name: str
    n: int
    scores: dict[str, float]
    instead: str


@dataclass(frozen=True)
class WeakSpots:
    """The scores by kind of dish, weakest first, and by length of the list; and the wrong first answers."""

    kinds: list[Spot]
    lengths: list[Spot]
    wrong: int  # photos whose first answer is not their own recipe
    same_kind: float  # percent of these whose first answer is of the same kind


def kind_of(title: str) -> str:
    """The kind of a dish by its title.

    >>> kind_of("Chicken in mustard sauce"), kind_of("Grandma's best")
    ('poultry', 'all others')
    """
    words = [spelled(word) for word in tokenise(title)]
    head = list(takewhile(lambda word: word not in _ASIDE, words))
    return next((_OF_WORD[word] for word in (*reversed(head), *reversed(words)) if word in _OF_WORD), OTHER)


def weak_spots(subject: EvaluatedModel) -> WeakSpots:
    """From photo to recipe, on the subject's recipes."""
    recipes = subject.population.recipes
    ranks, _ = rank_pairs(subject.images, subject.recipes)
    first = (subject.images @ subject.recipes.T).argmax(axis=1)
    kinds = [kind_of(recipe.title) for recipe in recipes]
    wrong = [row for row in range(len(recipes)) if first[row] != row]
    same = sum(kinds[row] == kinds[first[row]] for row in wrong)

    def spot(name: str, rows: list[int]) -> Spot:
        among = Ranks(ranks.better[rows], ranks.tied[rows])
        others = Counter(kinds[first[row]] for row in rows if kinds[first[row]] != kinds[row])
        return Spot(name, len(rows), score(among), others.most_common(1)[0][0] if others else "")

    return WeakSpots(
        kinds=sorted(
            (spot(name, rows) for name, rows in _grouped(kinds)),
            key=lambda spot: (spot.scores["R@10"], spot.name),
        ),
        lengths=[spot(name, rows) for name, rows in _grouped([_length(recipe) for recipe in recipes])],
        wrong=len(wrong),
        same_kind=100 * same / len(wrong) if wrong else float("nan"),
    )


def _grouped(names: Sequence[str]) -> Iterator[tuple[str, list[int]]]:
    for name in sorted(set(names)):
        rows = np.flatnonzero([one == name for one in names]).tolist()
        if len(rows) >= FEWEST:
            yield name, rows


def _length(recipe: Recipe) -> str:
    count = len(recipe.ingredients)
    return "1 to 4" if count <= 4 else "5 to 14" if count <= 14 else "15 or more"
