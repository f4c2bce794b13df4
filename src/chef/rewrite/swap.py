"""One ingredient for another (paper, Sec. 5: substitution), in the text and in the model's space."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import permutations
from typing import TYPE_CHECKING

from chef.data.texts import RecipeText
from chef.errors import ChefError
from chef.food import CUTS
from chef.food.doneness import Doneness, doneness_of
from chef.food.kinds import family, food_of, kind_of
from chef.index.values import Value
from chef.model import edit
from chef.model.encoder import Encoded, Vectors
from chef.model.recipe_model import RecipeModel
from chef.recipe import Ingredient, Recipe, Step
from chef.rewrite.cooking import Cooking
from chef.rewrite.grammar import RE, WORDS, Noun, capitalise
from chef.rewrite.lines import replace_in_line
from chef.rewrite.mentions import MentionFinder, core_name
from chef.rewrite.replacement import (
    Replacement,
    line_token,
    matching_tokens,
    read_recipe,
    replacement_for,
    with_relatives,
)
from chef.rewrite.sentences import SentenceRewriter
from chef.text.lines import parse_line
from chef.text.tokens import readable
from chef.text.words import Word, keys, words_in

if TYPE_CHECKING:
    from chef.index import Hit, Index

# Kinds that are cooked with any food.
_SEASONING = frozenset("water salt spice oil butter broth alcohol herb leavening".split())
_COMMON = frozenset(("pasta", "fish", "cheese", "nut"))  # kinds whose name a recipe uses for its only one
_ANY_MEAT = frozenset(("meat", "bird", "poultry"))
_DRY = frozenset(("powder", "melt"))  # traits of what does not pour
_MAX_NAMED = 4  # shared ingredients named in one reason; the others are counted


@dataclass(frozen=True, slots=True)
class Change(Value):
    """One text of a recipe before and after; `part`: title, ingredients or instructions; `place` from 0."""

    part: str
    place: int
    before: str
    after: str


@dataclass(frozen=True)
class Swapped:
    """A recipe in which one ingredient has replaced another; vectors are computed when asked for."""

    recipe: Recipe
    changed: list[Change]
    notes: list[str]  # what a cook must know: every changed cue, every doubtful place
    old_tokens: list[str]  # canonical
    new_token: str
    model: RecipeModel
    text: RecipeText  # the original as the model reads it
    word_map: Mapping[str, str]  # what the model's words become

    @cached_property
    def original(self) -> Encoded:
        """The original's vector and trees."""
        return self.model.encoder.encode([self.text])

    @cached_property
    def vector(self) -> Vectors:
        """(space,) the changed recipe, read along the original's trees as in the paper."""
        text, trees = edit.replace(self.text, self.original.trees[0], self.word_map)
        vector: Vectors = self.model.encoder.embed([text], [trees])[0]
        return vector


def swap(model: RecipeModel, recipe: Recipe, from_: str, to: str) -> Swapped:
    """The recipe with `to` in place of `from_`: canonical ingredients, families (chicken), or any names.

    >>> swap(chef.load(), recipe, "chicken", "beef").recipe.title
    'Beef soup'
    """
    text, canonical = read_recipe(model, recipe), model.texts.canonical
    recipe = text.recipe
    listed = {at: line_token(item) for at, item in enumerate(recipe.ingredients) if item.name}
    old_tokens = matching_tokens(from_, listed.values(), canonical)
    new = replacement_for(to, canonical, model.vocabulary)
    if new.token in old_tokens:
        raise ChefError(f"{from_} and {to} are the same ingredient to chef", "name another one")
    lines = [at for at, token in listed.items() if token in old_tokens]
    old = [recipe.ingredients[at] for at in lines]
    others = [item for at, item in enumerate(recipe.ingredients) if at not in lines]
    other_tokens = {line_token(item) for item in others if item.name}
    words = {*text.title, *(word for sentence in text.sentences for word in sentence)}
    tokens = with_relatives(old_tokens, words) - other_tokens - {new.token}
    mentions = MentionFinder(canonical, tokens, old, others, also=_other_names(old, others, new))
    foods = [
        item
        for item in others
        if (kind := kind_of(item.name or "")) is None or kind.name not in _SEASONING
        if WORDS["tool"].isdisjoint(keys(item.name or ""))
    ]
    found = MentionFinder(canonical, {line_token(item) for item in foods if item.name}, foods, old)
    changed, notes = _rewrite(recipe, lines, new, mentions, found)
    tokens |= {token for form in mentions.aliases if (token := canonical.token(" ".join(form))) in words}
    word_map = dict.fromkeys(tokens - other_tokens, new.token)
    return Swapped(changed, _changes(recipe, changed), notes, old_tokens, new.token, model, text, word_map)


def _other_names(old: Sequence[Ingredient], others: Sequence[Ingredient], new: Replacement) -> list[str]:
    """What else the steps call the ingredient: the only meat in a recipe is "the meat".

    If the new one is meat as well, the word may stay.
    """
    kinds = {kind.name for item in old if (kind := kind_of(item.name or "")) and kind.name in _COMMON}
    names = [item.name or "" for item in others] + [new.noun.singular]
    same = {kind.name for name in names if (kind := kind_of(name))}
    if any(keys(new.noun.singular)[-1] in keys(item.line) for item in old):  # turkey or chicken
        return [new.noun.singular]
    unknown = {word for item in others if item.name and not kind_of(item.name) for word in keys(item.name)}
    if kinds - same:
        return sorted(kinds - same - unknown)  # "fish pie mix" is fish, too
    is_only = any(_is_flesh(item.name) for item in old) and not any(_is_flesh(item.name) for item in others)
    return ["ground meat", *sorted(_ANY_MEAT)] if is_only and not _is_meat(new.noun.singular) else []


def _is_meat(name: str) -> bool:
    kind = kind_of(name)
    return kind is not None and kind.name in ("meat", "ground meat", "poultry", "cured meat")


def _is_flesh(name: str | None) -> bool:
    kind = kind_of(core_name(name or ""))
    return kind is not None and "flesh" in kind.traits


def _rewrite(
    recipe: Recipe, lines: list[int], new: Replacement, mentions: MentionFinder, others: MentionFinder
) -> tuple[Recipe, list[str]]:
    """The recipe as people read it, and the notes."""
    made = [replace_in_line(recipe.ingredients[at], new.noun) for at in lines]
    ingredients, is_one = list(recipe.ingredients), all(line.is_one for line in made)
    for at, line in zip(lines, made, strict=True):
        ingredients[at] = replace(parse_line(line.text), name=new.noun.form(line.is_one), token=new.token)
    old_lines, new_lines = [recipe.ingredients[at].line for at in lines], [line.text for line in made]
    names = [_known(core_name(recipe.ingredients[at].name or "")) for at in lines]
    old_name, new_name = next(filter(doneness_of, names), names[0]), new.noun.singular
    old = _doneness(old_name, _any("ground", old_lines))
    if old is not None and _any("ready", old_lines):  # canned tuna: nothing in the recipe cooks it
        old = replace(old, source="taste")
    texts = (recipe.title, *(step.text for step in recipe.steps))
    is_ground = _any("ground", [*old_lines, *new_lines]) or _any("shaped", texts)
    had, has = kind_of(old_name), kind_of(new_name)
    items = [item for at, item in enumerate(recipe.ingredients) if at not in lines]
    told = [*old_lines, recipe.title] if _is_flesh(old_name) else old_lines
    leftovers = _Leftovers(old_name, told, new.noun, items, others)
    is_kept = all(line.is_kept for line in made)
    cooking = Cooking(
        mentions,
        others,
        SentenceRewriter(mentions, old_name, new.noun, one=is_one, is_kept=is_kept),
        leftovers.find,
        old_name,
        new.noun,
        one=is_one,
        old=old,
        new=_doneness(new_name, is_ground, is_shelled=_any("shelled", new_lines)),
        is_flesh=_is_flesh(old_name),
        is_mixed=any(_is_flesh(item.name) and _is_risky(item.name) for item in items),
        is_ready=all(map(RE["ready"].search, new_lines)),
        is_shaped=is_ground and _is_flesh(old_name) and not (has and "grind" in has.traits),
        is_starch=had is not None and "starch" in had.roles and had != has,
        new_name=f"ground {new_name}" if _any("ground", new_lines) else new_name,
    )
    steps = cooking.steps([step.text for step in recipe.steps])
    changed = replace(
        recipe,
        title=cooking.rewriter.title(recipe.title),
        ingredients=tuple(ingredients),
        steps=tuple(Step(text, step.section) for text, step in zip(steps, recipe.steps, strict=True)),
    )
    notes = list[str]()
    if lost := dict.fromkeys(f"“{word}”" for line in made for word in line.lost):
        notes.append(f"The list no longer says {', '.join(lost)}; the steps were written for that.")
    if kept := [f"“{item.line}”" for item in items if leftovers.is_listed(item.line)]:
        notes.append(f"Still in the list: {', '.join(kept)}.")
    if any(keys(new.noun.singular)[-1] == keys(food_of(item.name))[-1] for item in items if item.name):
        notes.append(f"The list had {new.noun.plural} already: the steps may mean either line.")
    for (liquid, one), (other, two) in permutations(((new.noun.plural, has), (old_name, had))):
        if one and two and "liquid" in one.traits and two.traits & _DRY:
            check = "check where the steps count on that"
            notes.append(f"{capitalise(liquid)} pours, {other} does not: {check}.")
    if words := leftovers.find(changed.title):
        notes.append(f"The title still says {', '.join(f'“{word}”' for word in words)}.")
    return changed, notes + cooking.notes


def _any(pattern: str, texts: Iterable[str]) -> bool:
    return any(map(RE[pattern].search, texts))


def _is_risky(name: str | None) -> bool:
    done = doneness_of(name or "")
    return done is not None and done.is_needed


def _known(name: str) -> str:
    """A name up to its last word that is a food: bacon bits."""
    words = name.split()
    shorter = (" ".join(words[:end]) for end in range(len(words), 0, -1))
    return next(filter(kind_of, shorter), name)


def _doneness(name: str, is_ground: bool, *, is_shelled: bool = False) -> Doneness | None:
    """When a food is done; ground meat needs more heat than a cut, and minced clams have no shells."""
    done = doneness_of(name)
    if is_shelled and done is not None and done.name == "molluscs in the shell":
        return doneness_of("scallops")
    if done is None or not is_ground or done.name not in ("poultry", "whole cuts"):
        return done
    return doneness_of("ground chicken" if done.name == "poultry" else "ground meat")


class _Leftovers:
    """Finds what still names the old food in a changed text, or may mean it: "egg wash", "the meat"."""

    def __init__(
        self, old: str, lines: Sequence[str], new: Noun, items: Sequence[Ingredient], others: MentionFinder
    ) -> None:
        self._kind, self._others = kind_of(old), others
        kind, name = kind_of(new.singular), self._kind.name if self._kind else ""
        traits = self._kind.traits if self._kind else frozenset[str]()
        self._is_wide = bool(traits & {"flesh", "egg"}) or name in ("pasta", "legume")
        ours = {*keys(new.singular), *keys(kind.name if kind and kind.name in _COMMON else "")}
        self._known = ours | {key for item in items for key in keys(item.line)}
        self._word = "egg" if "egg" in keys(old) else food_of(old).split()[-1]
        others_named = (word for line in lines for word in re.findall(r"\bor (\w+)", line))
        either = {food_of(word) for word in others_named if _is_flesh(word)}
        names = {self._word, f"{self._word}fish", *filter(_is_flesh, keys(old)), *either}
        parts = {*keys(" ".join(lines))} & CUTS
        if _is_flesh(old) and not _is_meat(new.singular):
            parts |= _ANY_MEAT
        self._names = names - (self._known if name in _SEASONING else ours)
        self._names |= (WORDS["diet word"] if _is_flesh(new.singular) else set()) | (parts - self._known)

    def is_listed(self, line: str) -> bool:
        """Whether another line of the list has the old food in it: chicken broth."""
        return self._is_wide and self._word in self._names and self._word in keys(line)

    def find(self, text: str) -> list[str]:
        """The words, as they are written."""
        words, found = words_in(text), [] if self._is_wide else self._others.find(text)
        taken = {at for one in found for at in range(one.first, one.last)}
        said = (one.written.lower() for at, one in enumerate(words) if at not in taken and self._is_old(one))
        return list(dict.fromkeys(said))

    def _is_old(self, word: Word) -> bool:
        if word.key in ("chop", "roast", "round") and not word.is_plural:
            return False
        is_kind = self._is_wide and kind_of(word.key) == self._kind
        return word.key in self._names or (is_kind and word.key not in self._known | _ANY_MEAT)


def _changes(before: Recipe, after: Recipe) -> list[Change]:
    def texts(recipe: Recipe) -> list[tuple[str, int, str]]:
        return [
            ("title", 0, recipe.title),
            *(("ingredients", at, item.line) for at, item in enumerate(recipe.ingredients)),
            *(("instructions", at, step.text) for at, step in enumerate(recipe.steps)),
        ]

    pairs = zip(texts(before), texts(after), strict=True)
    return [Change(part, at, old, new) for (part, at, old), (_, _, new) in pairs if old != new]


def neighbours(index: Index, swapped: Swapped, k: int = 10) -> tuple[list[Hit], list[Hit]]:
    """The k recipes nearest to a changed one, and the k with the nearest photos, without the original.

    >>> hits, photos = neighbours(open_cookbook(), swap(chef.load(), recipe, "chicken", "beef"))
    """
    original = [swapped.recipe.id]
    hits = index.search(vector=swapped.vector, k=k, exclude=original)
    photos = index.near_photos(swapped.vector, k, exclude=original)
    return (
        [replace(hit, why=_why(hit, swapped, "similar to the changed recipe")) for hit in hits],
        [replace(hit, why=_why(hit, swapped, "looks like the changed recipe")) for hit in photos],
    )


def _why(hit: Hit, swapped: Swapped, likeness: str) -> list[str]:
    reasons, new = [f"{likeness} ({hit.score:.2f})"], swapped.new_token
    for token in hit.ingredients:
        if token == new or (family(new) and family(token) == family(new)):
            reasons.append(f"has {readable(token)}")
            break
    own = {line_token(item) for item in swapped.recipe.ingredients if item.name} - {new}
    if shared := [readable(token) for token in hit.ingredients if token in own]:
        more = f" and {len(shared) - _MAX_NAMED} more" if len(shared) > _MAX_NAMED else ""
        reasons.append(f"shares {', '.join(shared[:_MAX_NAMED])}{more}")
    return reasons
