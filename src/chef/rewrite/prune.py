"""Pruning (paper, Table 3): the recipe without its least important ingredients, as people read it.

In the texts an ingredient leaves its list, or goes with its phrase, or with its whole instruction.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from chef.errors import ChefError
from chef.food import FORMS
from chef.food.canonical import CanonicalMap
from chef.food.canonical.map import QUALIFIERS
from chef.food.kinds import is_state
from chef.model.edit import prune_leaves, removal_order
from chef.model.recipe_model import RecipeModel
from chef.model.tree import Tree
from chef.recipe import Recipe, Step
from chef.rewrite.grammar import Span, capitalise, chunks, clauses, is_noun
from chef.rewrite.mentions import MentionFinder
from chef.rewrite.replacement import line_token, read_recipe
from chef.text.tokens import sentences
from chef.text.verbs import lemma
from chef.text.words import Word, words_in

# Verbs that mean nothing without what they are done with: "Season with salt".
_NEEDS_OBJECT = frozenset(
    "season sprinkle top garnish dust brush drizzle scatter dot spread decorate finish grease coat".split()
)
_MAX_MENTIONS = 12  # of one ingredient in a sentence or a title
_MAX_ITEM = 100  # characters of one item in a list
_PREPOSITIONS = "with|in|of|on|over|into|onto|using|from|to|through|by"
_BEFORE_PHRASE = re.compile(rf"(?:,\s*)?\b(?:{_PREPOSITIONS}|and|plus)\s+$", re.I)
_SUBORDINATE = re.compile(r",?\s*\b(?:until|when|once|while|if|before|after|as soon as)\s+$", re.I)
_PARTICLES = frozenset("in on up out over off down into together".split())
_VERB_BEFORE = re.compile(
    rf"(?:[,;]\s*(?:and\s+|then\s+)*|\b(?:and|then)\s+)([a-z]+)(?:\s+(?:{'|'.join(_PARTICLES)}))?\s+$", re.I
)
_SEPARATOR = re.compile(r"\s*,\s*(?:(?:and|or|&)\s+)?|\s+(?:and|or|&)\s+|/")
_SEPARATOR_AT_END = re.compile(rf"(?:{_SEPARATOR.pattern})$")
_NUMBER_BEFORE = re.compile(r"(?:[\d¼-¾⅐-⅞][\d\s./¼-¾⅐-⅞–-]*)$")
_IN_PHRASE = frozenset("the a an some remaining rest more extra of reserved half all each".split())
_DANGLING = re.compile(rf"\b(?:{_PREPOSITIONS}|and|or|the|a|an|until)\s*[.,;:!]*$", re.I)


@dataclass(frozen=True)
class Pruned:
    """A recipe without some ingredients."""

    recipe: Recipe
    removed: list[str]  # canonical tokens, the least important first
    tree: Tree  # over what is left; the sibling has taken a removed leaf's place


def prune(model: RecipeModel, recipe: Recipe, k: int) -> Pruned:
    """The recipe without its k deepest leaves; one ingredient always stays.

    Of tied leaves the pair merged earlier goes first, then the later-listed one.

    >>> prune(chef.load(), recipe, 1).removed
    ['salt']
    """
    if k < 1:
        raise ChefError(f"{k} ingredients to take out", "ask for 1 or more")
    text = read_recipe(model, recipe)
    tree = model.encoder.encode([text]).trees[0].ingredients
    if tree is None:
        raise ChefError(
            f"{model.model.variant.name} builds no tree over ingredients", "prune with another model"
        )
    leaves = removal_order(tree)[: min(k, len(tree.tokens) - 1)]
    removed = [tree.tokens[leaf] for leaf in leaves]
    shorter = _without(text.recipe, leaves, model.texts.canonical)
    return Pruned(shorter, removed, prune_leaves(tree, leaves))


def _without(recipe: Recipe, leaves: list[int], canonical: CanonicalMap) -> Recipe:
    """The recipe without the ingredients of these leaves, in list, title and steps."""
    named = [at for at, item in enumerate(recipe.ingredients) if item.name]
    positions = {named[leaf] for leaf in leaves}
    kept = [item for at, item in enumerate(recipe.ingredients) if at not in positions]
    kept_tokens = {line_token(item) for item in kept if item.name}
    # An ingredient that another line still has stays in the texts.
    gone = [item for at, item in enumerate(recipe.ingredients) if at in positions]
    gone = [item for item in gone if line_token(item) not in kept_tokens]
    if not gone:
        return recipe.with_ingredients(kept)
    remover = IngredientRemover(
        MentionFinder(canonical, {line_token(item) for item in gone}, gone, kept),
        MentionFinder(canonical, canonical.tokens, recipe.ingredients, [], also=["pepper"]),
    )
    steps = (Step(remover.step(step.text), step.section) for step in recipe.steps)
    return replace(
        recipe,
        title=remover.title(recipe.title),
        ingredients=tuple(kept),
        steps=tuple(step for step in steps if step.text),
    )


class IngredientRemover:
    """Takes an ingredient out of a recipe's texts.

    removed: finds that ingredient. ingredients: finds every ingredient, so that lists are recognised.

    >>> IngredientRemover(parsley, ingredients).step("Stir in the parsley and bake for an hour.")
    'Bake for an hour.'
    """

    def __init__(self, removed: MentionFinder, ingredients: MentionFinder) -> None:
        self._removed, self._ingredients = removed, ingredients

    def step(self, text: str) -> str:
        """The step without the ingredient; empty where it said nothing else."""
        if not self._removed.find(text):
            return text
        kept: list[str] = []
        for sentence in (part for whole in sentences(text) for part in chunks(whole)):
            if shorter := self._sentence(sentence):
                kept.append(shorter)
            elif kept:
                kept[-1] = re.sub(r"[;,]$", ".", kept[-1])
        shorter = " ".join(kept)
        return capitalise(shorter) if text[:1].isupper() else shorter

    def title(self, text: str) -> str:
        """The title without the ingredient, or as it was where nothing else would remain."""
        for _ in self._removed.find(text, title=True)[:_MAX_MENTIONS]:
            span = self._phrase(text, title=True)
            if span is None:
                break
            shorter = self._out_of_list(text, span) or _without_phrase(text, span)
            shorter = " ".join(shorter.split()).strip(" ,&-")
            if not words_in(shorter) or _DANGLING.search(shorter):
                break
            text = capitalise(shorter) if text[:1].isupper() else shorter
        return text

    def _sentence(self, text: str) -> str:
        for _ in self._removed.find(text)[:_MAX_MENTIONS]:
            span = self._phrase(text)
            if span is None:
                break
            text = _out_of_compound(text, span) or self._out_of_list(text, span) or _out_of_clause(text, span)
        return text

    def _phrase(self, text: str, *, title: bool = False) -> Span | None:
        """The first mention with what belongs to it: [2 tablespoons of the parsley]."""
        mentions = self._removed.find(text, title=title, nouns=True)
        if not mentions:
            return None
        words, last = words_in(text), mentions[0].last
        start = words[_phrase_start(text, words, mentions[0].first)].start
        if number := _NUMBER_BEFORE.search(text[:start]):
            start = number.start()
        while (
            last < len(words)
            and words[last].key in FORMS
            and text[words[last - 1].end : words[last].start] == " "
        ):
            last += 1
        return start, words[last - 1].end

    def _out_of_list(self, text: str, span: Span) -> str | None:
        """The text without the phrase in its list of ingredients; None where it stands in no list."""
        (start, end), items = span, [""]
        while (match := _SEPARATOR_AT_END.search(text[:start])) and (
            before := self._item_before(text, match.start())
        ) is not None:
            items.insert(0, text[before : match.start()])
            start = before
        position = len(items) - 1
        while (match := _SEPARATOR.match(text, end)) and (
            after := self._item_after(text, match.end())
        ) is not None:
            items.append(text[match.end() : after])
            end = after
        if len(items) == 1:
            return None
        the = re.compile(r"the\s", re.I)
        if position == 0 and the.match(text, span[0]) and not the.match(items[1]):
            items[1] = f"the {items[1]}"
        del items[position]
        joined = items[0] if len(items) == 1 else ", ".join(items[:-1]) + f" and {items[-1]}"
        return text[:start] + (joined if words_in(text[:start]) else capitalise(joined)) + text[end:]

    def _item_before(self, text: str, end: int) -> int | None:
        """The start of the ingredient that ends here; None if none does."""
        offset = max(0, end - _MAX_ITEM)
        part = text[offset:end]
        words = words_in(part)
        for mention in self._ingredients.find(part)[-1:]:
            if words[mention.last - 1].end == len(part):
                return offset + words[_phrase_start(part, words, mention.first)].start
        return None

    def _item_after(self, text: str, start: int) -> int | None:
        """The end of the ingredient that begins here; None if none does."""
        rest = text[start : start + _MAX_ITEM]
        words = words_in(rest)
        for mention in self._ingredients.find(rest)[:1]:
            is_first = _phrase_start(rest, words, mention.first) == 0
            if is_first and not rest[: words[0].start].strip(" 0123456789/.¼½¾⅓⅔"):
                return start + words[mention.last - 1].end
        return None


def _phrase_start(text: str, words: list[Word], first: int) -> int:
    """The first word of the noun phrase whose name begins at `first`: [the finely chopped] parsley."""
    while first > 0:
        word = words[first - 1].written.lower()
        if text[words[first - 1].end : words[first].start].strip() not in ("", "-"):
            break
        is_adverb = word.endswith("ly") and first > 1
        if not (word in _IN_PHRASE or word in QUALIFIERS or is_state(word) or is_adverb):
            break
        first -= 1
    return first


def _out_of_compound(text: str, span: Span) -> str | None:
    """Without a name that modifies the noun after it, "the [flour] mixture"; None where it does not."""
    before, after = text[: span[0]], text[span[1] :]
    following = re.match(r"\s+([^\W\d_]+)", after)
    if following is None or not is_noun(following[1]) or before.endswith("/"):
        return None
    rest = ("" if re.search(r"\beach\s+$", before, re.I) else "the ") + after.lstrip()
    return before + (capitalise(rest) if text[span[0]].isupper() else rest)


def _out_of_clause(text: str, span: Span) -> str:
    """The sentence without the phrase, or without the whole clause if that was about nothing else."""
    parts = clauses(text)
    at = next((i for i, part in enumerate(parts) if part[0] <= span[0] and span[1] <= part[1]), None)
    if at is None:
        return _without_phrase(text, span)
    start, end = parts[at]
    # Taggers miss some verbs: in "shred the chicken, stir in the rice" only the first one may be known.
    if (match := _VERB_BEFORE.search(text[start : span[0]])) and lemma(match[1].lower()):
        start += match.start(1)
    clause, inside = text[start:end], (span[0] - start, span[1] - start)
    words, shorter = words_in(clause), _without_phrase(clause, inside)
    before = words_in(clause[: inside[0]])
    is_about_it = (
        (words[0].key if words else "") in _NEEDS_OBJECT
        # Directly after the verb or its particle: stir in [the parsley].
        or len(before) == 1
        or (len(before) == 2 and before[1].key in _PARTICLES)
        or _DANGLING.search(shorter)
        or len(words_in(shorter)) < 2
    )
    if not is_about_it:
        return _tidy(text[:start] + shorter + text[end:])
    # "Peel and chop the onion": a clause before it without an object of its own is about it, too.
    while start == parts[at][0] and at > 0:
        if not all(lemma(word.written.lower()) for word in words_in(text[slice(*parts[at - 1])])):
            break
        at -= 1
        start = parts[at][0]
    return _without_clause(text, start, end)


def _without_phrase(text: str, span: Span) -> str:
    """Without the phrase and the preposition before it, or the subordinate clause that it opens."""
    before, after = text[: span[0]], text[span[1] :]
    if match := _SUBORDINATE.search(before):
        rest = re.search(r"[,;.!)]", after)
        left = after[rest.start() :] if rest else ""
        return before[: match.start()] + re.sub(r"^,(?=\s+(?:about|for)\b)", "", left)
    if match := _BEFORE_PHRASE.search(before):
        before = before[: match.start()]
    return _tidy(before + after)


def _without_clause(text: str, start: int, end: int) -> str:
    before = re.sub(r"(?:[,;]?\s*\b(?:and|then|or)\b\s*|[,;]\s*)+$", "", text[:start])
    after = re.sub(r"^(?:\s*[,;]\s*|\s*\b(?:and|then|or)\b\s*)+", "", text[end:])
    if not words_in(before):
        # "turning often" described the clause that is gone.
        is_independent = words_in(after) and not words_in(after)[0].written.lower().endswith("ing")
        return capitalise(after) if is_independent else ""
    if not words_in(after):
        return before.rstrip(" ,;") + "."
    return f"{before.rstrip(' ,;')} and {after}" if not re.match(r"[.!?]", after) else before + after


def _tidy(text: str) -> str:
    text = re.sub(r"\s+([.,;:!?)])", r"\1", re.sub(r"\s{2,}", " ", text))
    return re.sub(r",\s*(?=[.;])|\(\s*\)", "", text)
