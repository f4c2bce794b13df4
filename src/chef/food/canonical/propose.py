"""Steps 1 and 2 of the canonical ingredients: names, and which a person should look at (paper, Sec. 4.1).

Names are counted, grouped by their keys, and each group gets a vector. This reads the `name` of each
ingredient: parse the lines first (`chef.text.lines.with_names`).

Proposed are names that share two or three words, that mean the same food of the USDA tables, that are
close in word2vec space, or that differ by a qualifier only ("unsalted butter", "butter").
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

from chef.errors import ChefError
from chef.files import write_atomic
from chef.food.canonical import CanonicalMap, Entry, Replacer, token_of
from chef.food.canonical.map import read_table, without_qualifiers
from chef.recipe import Recipe
from chef.text.keys import key_of, plain_name
from chef.text.tokens import sentences, tokenise
from chef.text.vocabulary import Vocabulary, train_word2vec

_LONGEST = 5  # words; longer "names" are half a sentence
# A line that begins like this is an instruction ("melt butter").
_INSTRUCTIONS = frozenset(
    "add beat chop cook crush cut dice fry grate heat melt mince mix peel shred slice".split()
)


@dataclass(frozen=True, slots=True)
class NameGroup:
    """Names with one key: step 1 of the paper has merged them. `name` is the most frequent."""

    key: str
    name: str
    count: int
    names: tuple[str, ...]


def count_names(recipes: Iterable[Recipe]) -> Counter[str]:
    """Every ingredient name of the recipes and how many lines have it; what cannot be a name is left out."""
    names = (plain_name(item.name) for recipe in recipes for item in recipe.ingredients if item.name)
    return Counter(name for name in names if is_name(name))


def is_name(name: str) -> bool:
    """Whether a plain name can name one food: short, without numbers, alternatives and instructions.

    >>> is_name("green beans"), is_name("butter or oil"), is_name("melt butter")
    (True, False, False)
    """
    words = name.split()
    if not 1 <= len(words) <= _LONGEST or len(name) < 3:
        return False
    if any(word == "or" or word[0].isdigit() for word in words):
        return False
    return len(words) == 1 or words[0] not in _INSTRUCTIONS


def group_names(counts: Mapping[str, int]) -> list[NameGroup]:
    """Step 1: names equal after stemming and singular/plural, the most frequent group first.

    >>> group_names({"egg": 2, "eggs": 5})[0].name
    'eggs'
    """
    by_key: dict[str, list[str]] = {}
    for name in sorted(counts, key=lambda name: (-counts[name], name)):
        by_key.setdefault(key_of(name.split()), []).append(name)
    sums = {key: sum(counts[name] for name in names) for key, names in by_key.items()}
    groups = [NameGroup(key, names[0], sums[key], tuple(names)) for key, names in by_key.items()]
    return sorted(groups, key=lambda group: (-group.count, group.key))


def most_frequent(groups: Sequence[NameGroup], share: float, minimum: int = 2) -> list[NameGroup]:
    """The most frequent groups that together have this share of all occurrences, none rarer than `minimum`.

    The paper keeps the names behind 95 % of the occurrences.
    """
    wanted = share * sum(group.count for group in groups)
    kept: list[NameGroup] = []
    covered = 0
    for group in groups:
        if covered >= wanted or group.count < minimum:
            break
        kept.append(group)
        covered += group.count
    return kept


def name_vectors(
    recipes: Iterable[Recipe], groups: Sequence[NameGroup]
) -> dict[str, np.ndarray[Any, np.dtype[np.float32]]]:
    """A vector for each group's name, trained on ingredient lists, titles and instructions.

    The paper's first word2vec model: every ingredient name is one word (appendix, "Words.").
    """
    each = CanonicalMap(
        Entry(token_of(group.name), name, group.count, "form") for group in groups for name in group.names
    )
    replace = Replacer(each)
    texts = [sentence for recipe in recipes for sentence in _sentences(recipe, each, replace)]
    vocabulary = Vocabulary.build(Counter(word for sentence in texts for word in sentence), minimum=2)
    vectors = train_word2vec(texts, vocabulary, epochs=5)
    rows = {word: row for row, word in enumerate(vocabulary.words)}
    return {group.name: vectors[rows[token]] for group in groups if (token := token_of(group.name)) in rows}


def _sentences(recipe: Recipe, each: CanonicalMap, replace: Replacer) -> Iterator[list[str]]:
    names = (item.name for item in recipe.ingredients if item.name)
    yield [token for name in names if (token := each.token(name))]
    yield replace(tokenise(recipe.title))
    for step in recipe.steps:
        yield from (replace(tokenise(sentence)) for sentence in sentences(step.text))


_HEADER = "a\tb\tcount_a\tcount_b\tscore\treasons"
# How much a reason says that the two are one food, for the order of the review.
_WEIGHT = {"qualifier": 3.0, "food": 2.0, "words": 1.0, "vectors": 1.0}
_CLOSE = 0.6  # cosine; below it neighbours go together in dishes (salt, pepper) and are not the same food
_NEIGHBOURS = 5
_CROWD = 40  # a word or food that more names than this share says nothing

Vectors = Mapping[str, np.ndarray[Any, np.dtype[np.float32]]]


@dataclass(frozen=True, slots=True)
class Proposal:
    """Two names that may be one ingredient, the more frequent first, and why. An empty `b`: a name alone."""

    a: str
    b: str
    count_a: int
    count_b: int
    score: float
    reasons: tuple[str, ...]


def propose(
    groups: Sequence[NameGroup],
    *,
    food_of: Callable[[str], str | None] | None = None,
    vectors: Vectors | None = None,
) -> list[Proposal]:
    """All proposals among groups of names, the strongest first.

    `food_of` names the food of the USDA tables, `vectors` maps a group's name to its word vector.
    """
    reasons: dict[tuple[str, str], dict[str, str]] = defaultdict(dict)
    order = {group.name: rank for rank, group in enumerate(groups)}
    for kind, pairs in (
        ("qualifier", _by_qualifier(groups)),
        ("words", _by_words(groups)),
        ("food", _by_food(groups, food_of) if food_of else ()),
        ("vectors", _by_vectors(groups, vectors) if vectors else ()),
    ):
        for first, second, evidence in pairs:
            pair = (first, second) if order[first] < order[second] else (second, first)
            reasons[pair].setdefault(kind, evidence)
    counts = {group.name: group.count for group in groups}
    made = []
    for (a, b), why in reasons.items():
        said = tuple(f"{kind}: {evidence}" if evidence else kind for kind, evidence in why.items())
        made.append(Proposal(a, b, counts[a], counts[b], sum(_WEIGHT[kind] for kind in why), said))
    return sorted(made, key=lambda proposal: (-proposal.score, -proposal.count_b, proposal.a, proposal.b))


def _by_qualifier(groups: Sequence[NameGroup]) -> Iterator[tuple[str, str, str]]:
    names = {group.key: group.name for group in groups}
    for group in groups:
        for shorter in without_qualifiers(group.name.split()):
            other = names.get(key_of(shorter))
            if other is not None and other != group.name:
                yield group.name, other, ""
                break


def _by_words(groups: Sequence[NameGroup]) -> Iterator[tuple[str, str, str]]:
    """Names that share two or three words."""
    holders: dict[tuple[str, str], list[NameGroup]] = defaultdict(list)
    for group in groups:
        for pair in combinations(sorted(set(group.key.split())), 2):
            holders[pair].append(group)
    for pair, sharing in holders.items():
        if len(sharing) <= _CROWD:
            for first, second in combinations(sharing, 2):
                yield first.name, second.name, " ".join(pair)


def _by_food(
    groups: Sequence[NameGroup], food_of: Callable[[str], str | None]
) -> Iterator[tuple[str, str, str]]:
    """Names that the tables give the same food."""
    holders: dict[str, list[NameGroup]] = defaultdict(list)
    for group in groups:
        if food := food_of(group.name):
            holders[food].append(group)
    for food, sharing in holders.items():
        # Each with the most frequent one: all pairs of a large food would be too many to read.
        for other in sharing[1 : _CROWD + 1]:
            yield sharing[0].name, other.name, food


def _by_vectors(groups: Sequence[NameGroup], vectors: Vectors) -> Iterator[tuple[str, str, str]]:
    """Each name with its nearest neighbours."""
    names = [group.name for group in groups if group.name in vectors]
    if len(names) < 2:
        return
    matrix = np.stack([vectors[name] for name in names])
    matrix = matrix / np.maximum(np.linalg.norm(matrix, axis=1, keepdims=True), 1e-9)
    for row, name in enumerate(names):
        cosine = matrix @ matrix[row]
        cosine[row] = -1
        for other in np.argsort(-cosine, kind="stable")[:_NEIGHBOURS]:
            if cosine[other] >= _CLOSE:
                yield name, names[other], f"{cosine[other]:.2f}"


def write_proposals(
    path: Path, groups: Iterable[NameGroup], counts: Mapping[str, int], proposals: Iterable[Proposal]
) -> None:
    """The proposals file: first every name with its count (rows without b), then the proposals."""
    lines = [_HEADER]
    for group in groups:
        lines += [f"{name}\t\t{counts[name]}\t0\t0\t" for name in group.names]
    for item in proposals:
        reasons = "; ".join(item.reasons)
        lines.append(f"{item.a}\t{item.b}\t{item.count_a}\t{item.count_b}\t{item.score:g}\t{reasons}")
    write_atomic(path, ("\n".join(lines) + "\n").encode())


def read_proposals(path: Path) -> tuple[dict[str, int], list[Proposal]]:
    """Names with their counts, and the proposals, of a file that `write_proposals` made."""
    counts: dict[str, int] = {}
    proposals = []
    for number, cells in read_table(path, _HEADER, "proposals file", "chef canonical propose"):
        try:
            a, b, count_a, count_b, score, reasons = cells
            why = tuple(part for part in reasons.split("; ") if part)
            item = Proposal(a, b, int(count_a), int(count_b), float(score), why)
        except ValueError as error:
            raise ChefError(f"{path}, line {number}: not a proposal", "make the file again") from error
        if b:
            proposals.append(item)
        else:
            counts[a] = item.count_a
    return counts, proposals
