"""One ingredient for another (paper, Sec. 5: substitution): the recipe as people and as the model read it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from chef.errors import ChefError
from chef.food.kinds import kind_of
from chef.model import edit
from chef.model.encoder import Vectors
from chef.model.recipe_model import RecipeModel
from chef.recipe import Ingredient, Recipe, Step
from chef.rewrite.coming import Coming, coming, leaving, relatives
from chef.rewrite.line import new_line
from chef.rewrite.mentions import Mentions
from chef.rewrite.reading import Reading
from chef.rewrite.sentence import Rewriter
from chef.rewrite.tokens import token_of_line
from chef.text.lines import parse_line


@dataclass(frozen=True)
class Change:
    """One text of a recipe before and after; `part`: title, ingredients or instructions; `place` from 0."""

    part: str
    place: int
    before: str
    after: str

    def to_json(self) -> dict[str, Any]:
        """A plain dictionary."""
        return {"part": self.part, "place": self.place, "before": self.before, "after": self.after}


@dataclass(frozen=True)
class Swapped:
    """A recipe in which one ingredient has become another; vectors are made when asked for."""

    recipe: Recipe
    changed: list[Change]
    leaving: list[str]  # the canonical tokens that left
    coming: str  # the one that came
    reading: Reading  # of the original
    tokens: Mapping[str, str]  # what the model's words become

    @cached_property
    def _edited(self) -> edit.Edited:
        return edit.replace(self.reading.text, self.reading.trees, self.tokens)

    @cached_property
    def vector(self) -> Vectors:
        """(space,) the changed recipe, read along the original's trees as in the paper."""
        text, trees = self._edited
        found: Vectors = self.reading.embed([text], [trees])[0]
        return found

    @cached_property
    def anew(self) -> Vectors:
        """(space,) the changed recipe, its trees chosen anew."""
        found: Vectors = self.reading.embed([self._edited[0]])[0]
        return found


def swap(chef: RecipeModel, recipe: Recipe, from_: str, to: str) -> Swapped:
    """The recipe with `to` in place of `from_`: canonical ingredients, families (chicken), or any names.

    >>> swap(chef.load(), recipe, "chicken", "beef").recipe.title
    'Beef soup'
    """
    reading = Reading(chef, recipe)
    canonical, recipe = chef.texts.canonical, reading.recipe
    here = {place: token_of_line(item) for place, item in enumerate(recipe.ingredients) if item.name}
    gone = leaving(from_, here.values(), canonical)
    new = coming(to, canonical, chef.vocabulary)
    if new.token in gone:
        raise ChefError(f"{from_} and {to} are the same ingredient to chef", "name another one")
    lines = [place for place, token in here.items() if token in gone]
    met = {*reading.text.title, *(word for words in reading.text.sentences for word in words)}
    others = [item for place, item in enumerate(recipe.ingredients) if place not in lines]
    tokens = relatives(gone, met) - {token_of_line(item) for item in others if item.name} - {new.token}
    left = [recipe.ingredients[place] for place in lines]
    mentions = Mentions(canonical, tokens, left, others, also=called(left, others, new))
    written, changed = _written(recipe, lines, new, mentions)
    words = tokens | {token for form in mentions.aliases if (token := canonical.token(" ".join(form))) in met}
    words -= {token_of_line(item) for item in others if item.name}
    return Swapped(written, changed, gone, new.token, reading, dict.fromkeys(words, new.token))


def called(left: Sequence[Ingredient], others: Sequence[Ingredient], new: Coming) -> list[str]:
    """What else the steps call the ingredient: of the one meat in a recipe they say "the meat".

    If what comes is meat as well, the word may stay.
    """

    def is_flesh(name: str | None) -> bool:
        kind = kind_of(name or "")
        return kind is not None and "flesh" in kind.traits

    only = any(is_flesh(item.name) for item in left) and not any(is_flesh(item.name) for item in others)
    return ["meat", "bird", "poultry"] if only and not is_flesh(new.noun.singular) else []


def _written(
    recipe: Recipe, lines: list[int], new: Coming, mentions: Mentions
) -> tuple[Recipe, list[Change]]:
    """The recipe as people read it, and what differs."""
    ingredients, ones = list(recipe.ingredients), []
    for place in lines:
        line, one = new_line(recipe.ingredients[place], new)
        ones.append(one)
        ingredients[place] = replace(parse_line(line), name=new.noun.form(one), token=new.token)
    leaving_name = recipe.ingredients[lines[0]].name or ""
    rewriter = Rewriter(mentions, leaving_name, new, one=all(ones))
    after = replace(
        recipe,
        title=rewriter.title(recipe.title),
        ingredients=tuple(ingredients),
        steps=tuple(Step(rewriter.sentence(step.text), step.section) for step in recipe.steps),
    )
    return after, _changes(recipe, after)


def _changes(before: Recipe, after: Recipe) -> list[Change]:
    def texts(recipe: Recipe) -> list[tuple[str, int, str]]:
        return [
            ("title", 0, recipe.title),
            *(("ingredients", place, item.line) for place, item in enumerate(recipe.ingredients)),
            *(("instructions", place, step.text) for place, step in enumerate(recipe.steps)),
        ]

    pairs = zip(texts(before), texts(after), strict=True)
    return [Change(part, place, old, new) for (part, place, old), (_, _, new) in pairs if old != new]
