"""Recipes of our own and an untrained model that reads them: everything in a second."""

from dataclasses import replace
from functools import cache, partial

from chef.data.texts import PrepareSettings
from chef.food.canonical import CanonicalMap
from chef.food.canonical.map import SHIPPED
from chef.model.recipe_model import RecipeModel
from chef.recipe import Ingredient, Recipe, Step
from chef.rewrite.mentions import MentionFinder
from chef.rewrite.replacement import Replacement, line_token, replacement_for, with_relatives
from chef.text.lines import parse_line
from chef.text.vocabulary import Vocabulary
from tests.index import small

WORDS = "the a and with in fry cook add stir serve until soft soup of to pan for minutes season brown".split()
FOODS = """
chicken chicken_breasts chicken_thighs chicken_broth beef ground_beef pork fish salmon_fillets tofu turkey
rice butter margarine olive_oil vegetable_oil coconut_oil onion shallots red_onion garlic carrots celery
potatoes salt black_pepper parsley cilantro eggs flour sugar honey milk apples pears lemon lemon_juice
lime_juice tomatoes
""".split()


write_model = partial(small.write_model, words=WORDS + FOODS)  # as a folder


@cache
def canonical() -> CanonicalMap:
    return CanonicalMap.load()


@cache
def vocabulary() -> Vocabulary:
    return Vocabulary.build(dict.fromkeys([*WORDS, *FOODS], 1), minimum=1)


def parsed(line: str) -> Ingredient:
    """A line with its name and canonical token."""
    item = parse_line(line)
    return replace(item, token=canonical().token(item.name) if item.name else None)


def recipe(title: str, lines: list[str], steps: list[str], id: str = "one") -> Recipe:
    return Recipe(id, title, tuple(map(Ingredient, lines)), tuple(map(Step, steps)))


def replacement(word: str) -> Replacement:
    """What a word means to a model that knows every canonical ingredient."""
    everything = Vocabulary.build(dict.fromkeys(canonical().tokens, 1), minimum=1)
    return replacement_for(word, canonical(), everything)


def mentions(left: list[str], others: list[str], also: tuple[str, ...] = ()) -> MentionFinder:
    """Finds the ingredients of some lines in a recipe that has others, too."""
    gone, stay = [parsed(line) for line in left], [parsed(line) for line in others]
    tokens = with_relatives(map(line_token, gone), ()) - {line_token(item) for item in stay}
    return MentionFinder(canonical(), tokens, gone, stay, also)


def any_ingredient(lines: list[str]) -> MentionFinder:
    """Finds every ingredient in a recipe of these lines."""
    return MentionFinder(canonical(), canonical().tokens, [parsed(line) for line in lines], [], ["pepper"])


@cache
def tiny_chef(variant: str = "t+t+l") -> RecipeModel:
    """An untrained model."""
    return RecipeModel(
        small.untrained(WORDS + FOODS, variant)[0], vocabulary(), SHIPPED, PrepareSettings(), {}
    )


SOUP = recipe(
    "Chicken and Rice Soup",
    [
        "2 boneless, skinless chicken breasts", "1 cup rice", "4 cups chicken broth", "1 onion, chopped",
        "2 tbsp butter", "1 tsp salt",
    ],
    [
        "Melt the butter in a pot. Cook the onion until soft.",
        "Add the chicken breasts and the chicken broth and simmer for 20 minutes.",
        "Shred the chicken, stir in the rice and cook until tender. Season with salt.",
    ],
    id="soup",
)  # fmt: skip


def collection() -> list[Recipe]:
    """Twelve dishes in which butter, margarine and oil replace each other."""
    fats = ["butter", "margarine", "olive oil", "butter", "margarine", "vegetable oil"]
    rice = [
        recipe(
            f"Fried rice {number}",
            ["1 cup rice", f"2 tbsp {fat}", "1 onion", "1 tsp salt"],
            [f"Fry the onion in the {fat}.", "Add the rice and the salt."],
            id=f"rice-{number}",
        )
        for number, fat in enumerate(fats)
    ]
    stews = [
        recipe(
            f"{main.capitalize()} stew {number}",
            [f"500 g {main}", "2 carrots", "1 onion", "1 tsp salt"],
            [f"Brown the {main}.", "Add the carrots and the onion."],
            id=f"stew-{number}",
        )
        for number, main in enumerate(["chicken", "beef", "pork", "tofu", "chicken", "fish"])
    ]
    return rice + stews
