"""Ingredient substitution (Tables 4, 5, S3): with A replaced by B, does a recipe find dishes with B?

**Success rate.** In each query every canonical token of A's family becomes the
token of B, in title, ingredients and instructions; its trees are kept. The changed recipe is compared by
cosine with the photos (recipe-to-image) or the recipes (recipe-to-recipe) of the whole gallery, except the
query's own photo and recipe. It succeeds if the ingredient list of the top recipe contains a canonical token
of B's family (`families.tsv`); whether A is there too does not matter. If several recipes tie for the top,
the share that contains B counts. The rate is the mean over the queries, in percent.

**Queries.** A recipe is a query for A -> B when A is its main ingredient and its ingredients contain nothing
of B. The main ingredient is decided by one tree model: a leaf of A's family is the shallowest of the
ingredient tree, or tied for it. Without a tree model it is the heaviest ingredient other than water. The
queries are the same for every model.

**Nearest items** are exact and fair to ties. As in `chef.measure.ranks`, a float32 product decides only what
it can: items within its rounding error of the last requested rank are scored again in float64, in one fixed
order, so that equal vectors have equal scores wherever they are.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import permutations

import numpy as np

from chef.data.texts import gold
from chef.errors import ChefError
from chef.evaluate.evaluated_model import EvaluatedModel
from chef.evaluate.population import Population
from chef.evaluate.results import EachQuery, Gallery, Substitution, SwapPair, SwapRates
from chef.food.kinds import families_in, family, members, word_for
from chef.measure.bootstrap import PairedTest, percentiles, resampled_percent
from chef.measure.ranks import Booleans, Doubles, Floats, Integers, Scores, norms
from chef.model.edit import Edited, replace
from chef.model.encoder import Vectors

ENOUGH = 20  # queries that a success rate needs


@dataclass(frozen=True)
class Queries:
    """Chosen once from a population; recipes are rows of it.

    >>> queries = choose_queries(population, tree_model)
    >>> queries.pairs["chicken", "beef"][:3]
    (4, 17, 30)
    """

    chooser: str  # the tree model's name, or "gold"
    pairs: dict[tuple[str, str], tuple[int, ...]]  # (A, B): the recipes where A is main and B is absent
    contains: dict[str, Booleans]  # family: (n,) whether each recipe's ingredients contain one of it

    @property
    def short(self) -> bool:
        """Whether most pairs have too few queries; then all splits should be the gallery."""
        few = sum(len(rows) < ENOUGH for rows in self.pairs.values())
        return 2 * few > len(self.pairs)


def choose_queries(population: Population, chooser: EvaluatedModel | None) -> Queries:
    """The queries for every ordered pair of families; chooser: the tree model that names main ingredients."""
    families = [families_in(recipe) for recipe in population.recipes]
    contains = {name: np.array([name in one for one in families], bool) for name in members()}
    if chooser is None:
        golds = [gold(recipe, water=False) for recipe in population.recipes]
        main = [{family(token)} if token else set() for token in golds]
    else:
        main = [{family(tree.tokens[leaf]) for leaf in tree.shallowest} for tree in chooser.ingredient_trees]
    pairs = {
        (a, b): tuple(row for row, names in enumerate(main) if a in names and not contains[b][row])
        for a, b in permutations(members(), 2)
    }
    return Queries("gold" if chooser is None else chooser.name, pairs, contains)


DIRECTIONS = ("recipe-to-image", "recipe-to-recipe")
SEEN = "train"  # the split whose recipes the models were trained on

Pair = tuple[str, str]  # (A, B)
Swap = tuple[int, str, str]  # the row of a recipe, and the pair
Hits = dict[str, Doubles]  # for each direction, what each query scored, 0 to 1


def substitution_task(model: EvaluatedModel, queries: Queries, seed: int) -> Substitution:
    """The "substitution" part of a result: an entry for each ordered pair with enough queries.

    Where the gallery is all splits the rates are over all queries, and once more, under the name of the
    requested split, over its queries alone.

    >>> part = substitution_task(model, choose_queries(population, model), seed=0)
    >>> part.pairs["chicken->beef"].rates.baseline["recipe-to-image"]
    2.1
    """
    population = model.population
    swapper = Swapper(model)
    skipped: dict[Pair, str] = {}
    for pair, rows in queries.pairs.items():
        if len(rows) < ENOUGH:
            skipped[pair] = f"{len(rows)} queries, {ENOUGH} are needed"
        elif unknown := [name for name in pair if swapper.words[name] is None]:
            skipped[pair] = f"the model knows no word for {unknown[0]}"
    pairs = [pair for pair in queries.pairs if pair not in skipped]
    # All changes of a recipe follow each other, so that sentences they share are encoded once.
    swaps = sorted((row, a, b) for a, b in pairs for row in queries.pairs[a, b])
    kept, reinferred = (
        dict(zip(swaps, vectors, strict=True)) for vectors in (swapper.kept(swaps), swapper.reinferred(swaps))
    )
    table = {}
    for a, b in pairs:
        of_pair = [(row, a, b) for row in queries.pairs[a, b]]
        changed, again = (np.stack([vectors[swap] for swap in of_pair]) for vectors in (kept, reinferred))
        table[f"{a}->{b}"] = _pair(swapper, queries, (a, b), changed, again, seed)
    return Substitution(
        pairs=table,
        queries_from=queries.chooser,
        gallery=Gallery(recipes=len(population), splits=sorted(set(population.splits))),
        skipped={f"{a}->{b}": reason for (a, b), reason in skipped.items()},
    )


def galleries(model: EvaluatedModel) -> dict[str, Vectors]:
    """What each direction searches: the photos, or the recipes."""
    return dict(zip(DIRECTIONS, (model.images, model.recipes), strict=True))


class Swapper:
    """Makes and encodes recipes in which one family of ingredients is replaced by another.

    >>> Swapper(model).kept([(4, "chicken", "beef"), (17, "pork", "apple")]).shape
    (2, 1024)
    """

    def __init__(self, model: EvaluatedModel) -> None:
        self.model = model
        self.words = {name: word_for(name, model.chef.vocabulary) for name in members()}
        """The token that stands for each family; None where the model knows no word of it."""

    @cached_property
    def _tokens(self) -> dict[str, frozenset[str]]:
        """All tokens of each family: those of the file, and those that only this model's map has."""
        used = {token for text in self.model.texts for token in text.ingredients}
        return {
            name: frozenset(listed) | {token for token in used if family(token) == name}
            for name, listed in members().items()
        }

    def edits(self, swaps: Sequence[Swap]) -> list[Edited]:
        """Each recipe with all tokens of the one family replaced by the word of the other, and its trees."""
        edits = []
        for row, a, b in swaps:
            word = self.words[b]
            if word is None:
                raise ValueError(f"the model knows no word for {b}")
            tokens = dict.fromkeys(self._tokens[a], word)
            edits.append(replace(self.model.texts[row], self.model.trees[row], tokens))
        return edits

    def kept(self, swaps: Sequence[Swap]) -> Vectors:
        """(m, space) the changed recipes, encoded along the trees of the unchanged ones."""
        edits = self.edits(swaps)
        return self.model.embed([text for text, _ in edits], [trees for _, trees in edits])

    def reinferred(self, swaps: Sequence[Swap]) -> Vectors:
        """(m, space) the changed recipes with trees inferred again; the same for a model without trees."""
        return self.model.embed([text for text, _ in self.edits(swaps)])


def percent(hits: Doubles) -> float:
    """The mean of what each query scored, 0 to 1, in percent."""
    return 100 * float(hits.mean())


def gain(hits: Doubles, before: Doubles, seed: int) -> PairedTest:
    """`percent(hits) - percent(before)` on the same queries, with its interval and two-sided p."""
    return PairedTest.of(percent(hits - before), _resampled(hits - before, seed))


def _resampled(hits: Doubles, seed: int) -> Doubles:
    return resampled_percent(hits, np.ones(len(hits)), seed)


def _pair(
    swapper: Swapper, queries: Queries, pair: Pair, changed: Vectors, reinferred: Vectors, seed: int
) -> SwapPair:
    model, population = swapper.model, swapper.model.population
    rows = np.array(queries.pairs[pair])
    splits = np.array(population.splits)[rows]

    def hits(vectors: Vectors) -> Hits:
        """Whether these vectors of the queries find B."""
        without, wanted = [(row,) for row in rows], queries.contains[pair[1]]
        return {way: success(vectors, items, without, wanted) for way, items in galleries(model).items()}

    scored = {
        "changed": hits(changed),
        "baseline": hits(model.recipes[rows]),
        "reinferred": hits(reinferred),
        "two-step": _two_steps(swapper, queries, pair, changed),
    }
    of_split = splits == population.split
    apart = len(set(population.splits)) > 1 and of_split.any()
    return SwapPair(
        rates=_rates(scored, np.full(len(rows), True), seed),
        put_in=swapper.words[pair[1]],
        each=EachQuery(
            ids=[population.ids[row] for row in rows],
            seen=(splits == SEEN).tolist(),
            hits={way: values.tolist() for way, values in scored["changed"].items()},
        ),
        splits={population.split: _rates(scored, of_split, seed)} if apart else {},
    )


def _two_steps(swapper: Swapper, queries: Queries, pair: Pair, changed: Vectors) -> Hits:
    """A -> B -> A: in the top recipe found for B, B is replaced by A; does that find A again?

    A query succeeds when the first top recipe contains B (of ties, the first in the gallery) and the second
    contains A; the second search leaves out both the query and the first top recipe.
    """
    a, b = pair
    rows = queries.pairs[pair]
    result: Hits = {}
    for way, items in galleries(swapper.model).items():
        tops = [top for (top,) in nearest(changed, items, [(row,) for row in rows], 1)]
        on = [place for place, top in enumerate(tops) if queries.contains[b][top]]
        result[way] = np.zeros(len(rows))
        if on:
            middles = sorted({tops[place] for place in on})  # one dish often answers several queries
            back = dict(zip(middles, swapper.kept([(middle, b, a) for middle in middles]), strict=True))
            vectors = np.stack([back[tops[place]] for place in on])
            without = [(rows[place], tops[place]) for place in on]
            result[way][on] = success(vectors, items, without, queries.contains[a])
    return result


def _rates(scored: Mapping[str, Hits], chosen: Booleans, seed: int) -> SwapRates:
    """The rates over the chosen queries."""
    hits = {name: {way: values[chosen] for way, values in ways.items()} for name, ways in scored.items()}
    changed, baseline = hits["changed"], hits["baseline"]
    scores = {
        name: Scores(values={way: percent(values) for way, values in ways.items()})
        for name, ways in hits.items()
    }
    ci = {way: percentiles(_resampled(values, seed)) for way, values in changed.items()}
    return SwapRates(
        queries=int(chosen.sum()),
        success=Scores(values=scores["changed"].values, ci=ci),
        baseline=scores["baseline"],
        reinferred=scores["reinferred"],
        two_step=scores["two-step"],
        gain={way: gain(values, baseline[way], seed) for way, values in changed.items()},
    )


_ROWS = 256  # queries at a time
_PAIRS = 2048  # pairs scored exactly at a time


def nearest(
    queries: Floats, gallery: Floats, without: Sequence[Collection[int]], top: int
) -> list[list[int]]:
    """For each query the positions of the `top` best items, best first, ties in the order of the gallery.

    queries (m, dimension), gallery (n, dimension), without[i]: items that query i must not find.
    """
    return [positions[:top].tolist() for positions, _ in _scored(queries, gallery, without, top)]


def success(
    queries: Floats, gallery: Floats, without: Sequence[Collection[int]], wanted: Booleans
) -> Doubles:
    """(m,) the chance, 0 to 1, that the top item is a wanted one, ties for the top broken at random."""
    scored = _scored(queries, gallery, without, 1)
    return np.array([wanted[positions[scores == scores[0]]].mean() for positions, scores in scored], float)


def _scored(
    queries: Floats, gallery: Floats, without: Sequence[Collection[int]], top: int
) -> Iterator[tuple[Integers, Doubles]]:
    """For each query all items that may be among its best `top`, best first, and their exact scores."""
    if len(queries) == 0:
        return
    terms = gallery.shape[1] + 8  # 8: rounding the inputs
    error = terms * float(np.finfo(np.float32).eps) * float(norms(queries).max() * norms(gallery).max())
    for start in range(0, len(queries), _ROWS):
        part = queries[start : start + _ROWS]
        tile = part.astype(np.float32, copy=False) @ gallery.astype(np.float32, copy=False).T
        for query, row, missing in zip(part, tile, without[start : start + _ROWS], strict=True):
            row[list(missing)] = -np.inf
            places = min(top, int(np.isfinite(row).sum()))
            if places == 0:
                raise ChefError("the gallery is empty without the query", "give more recipes")
            last = np.partition(row, -places)[-places]
            near = np.flatnonzero(row >= last - error)
            wide = query.astype(np.float64)
            parts = [near[start : start + _PAIRS] for start in range(0, len(near), _PAIRS)]
            scores = np.concatenate([(gallery[part] * wide).sum(axis=1) for part in parts])
            order = np.lexsort((near, -scores))
            yield near[order], scores[order]
