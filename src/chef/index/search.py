"""Search: a query, filters and a pantry on one version of a collection -> hits with their reasons."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from chef.files import word_lists
from chef.index.catalogue import Catalogue
from chef.index.filters import Filters, IngredientResolver
from chef.index.match import Calibration, judge
from chef.index.named import described, dish_of, key
from chef.index.nearest import Mask, Scores, Vectors, with_ties
from chef.index.on_disk import LACK, DiskCatalogue
from chef.index.query import LEXICAL, Part, Query, lexical_scores
from chef.index.values import FAVOURITE, Hit, Hits, title_words
from chef.teacher.actions import SURE
from chef.text.tokens import readable

# What a missing ingredient costs: more than any similarity can make up for, so fewer missing ones always win.
_MISSING = 2.0
# What every kitchen has, as canonical tokens: never missing.
STAPLES = frozenset(word_lists("chef.food", "words.tsv")["staple"])
_MOST_WORDS = 0.5  # lexical score of a recipe that has most of the words
_MAX_NAMED = 5  # ingredients named in one reason; the others are counted
_REASONS = {
    "image": "looks like your photo",
    "recipe": "similar to your recipe",
    "text": "matches your words",
    "vector": "close to the given vector",
}
# Words that two titles share without having anything in common.
_STOP_WORDS = frozenset("a an and at by for from in my of on or our style the to with".split())


class Pantry:
    """What the user has at home, and what each recipe still needs.

    >>> Pantry(["rice", "onions"], catalogue, resolver).missing(0)
    ['cumin']
    """

    def __init__(self, words: Sequence[str], catalogue: Catalogue, resolver: IngredientResolver) -> None:
        self._catalogue = catalogue
        self._words = [resolver.resolve(word) for word in words]
        self.owned = frozenset[str]().union(*self._words)
        self._available = self.owned | STAPLES

    def used(self) -> Scores:
        """(rows,) how many of the words are used."""
        masks = [self._catalogue.tokens.mask(tokens) for tokens in self._words]
        return np.asarray(np.sum(masks, axis=0), np.float32)

    def counts(self) -> Scores:
        """(rows,) how many ingredients are missing."""
        tokens = self._catalogue.tokens
        return np.asarray(tokens.sizes - tokens.count(self._available), np.float32)

    def missing(self, row: int) -> list[str]:
        """The ingredients of a row that are missing."""
        return [token for token in self._catalogue.tokens.of(row) if token not in self._available]


def search(
    collection: Catalogue | DiskCatalogue,
    resolver: IngredientResolver,
    query: Query,
    filters: Filters,
    pantry_words: list[str],
    k: int,
    calibration: Calibration | None = None,
    is_food: bool = True,
) -> Hits:
    """The k best hits; is_food: whether the photo of the query looks like food."""
    if isinstance(collection, DiskCatalogue):
        owned = [resolver.resolve(word) for word in pantry_words]
        catalogue: Catalogue = collection.shortlist(query, filters, owned, STAPLES, resolver, k)
    else:
        catalogue = collection
    keep = filters.mask(catalogue, resolver)
    pantry = Pantry(pantry_words, catalogue, resolver) if pantry_words else None
    words = query.words
    lexical = lexical_scores(catalogue, resolver, words) if words else None
    if query:
        bonus = lexical * np.float32(words.weight * LEXICAL) if words and lexical is not None else None
        if pantry is not None:
            missing = -_MISSING * pantry.counts()
            bonus = missing if bonus is None else bonus + missing
        rows, scores = catalogue.recipe_vectors.top(query.vector, k, keep, bonus)
        ranked = list(zip(rows.tolist(), scores.tolist(), strict=True))
    elif pantry is not None:
        # What uses more of the pantry first, unless ten things more are missing; then by title.
        scores = (used := pantry.used()) - LACK * pantry.counts()
        keep = used > 0 if keep is None else keep & (used > 0)
        rows = np.flatnonzero(keep)
        named = catalogue.by_title(rows[with_ties(scores[rows], k)].tolist())
        ranked = [(row, float(scores[row])) for row in sorted(named, key=lambda row: -scores[row])[:k]]
    else:
        passing = range(len(catalogue)) if keep is None else np.flatnonzero(keep).tolist()
        ranked = [(row, 0.0) for row in catalogue.by_title(passing)[:k]]
    explainer = _Explainer(catalogue, query, filters, resolver, pantry)
    sample = None
    if calibration is not None and catalogue.sample is not catalogue:
        sample = catalogue.sample, lexical_scores(catalogue.sample, resolver, words) if words else None
    chosen = [row for row, _ in ranked]
    match, probabilities = judge(calibration, is_food, query, catalogue, lexical, chosen, sample)
    hits = (
        _hit(catalogue, row, score, explainer.reasons(row), pantry, filters, probability)
        for (row, score), probability in zip(ranked, probabilities, strict=True)
    )
    total = len(catalogue) if keep is None else int(keep.sum())
    return Hits(hits, match, total if catalogue is collection else None, _fitting(query, lexical, chosen))


def _fitting(query: Query, lexical: Scores | None, rows: Sequence[int]) -> int:
    """How many of the hits have something of the words, where the best has most of them."""
    matching = lexical[list(rows)] if lexical is not None and rows else None
    if len(query.parts) > 1 or matching is None or matching.max() < _MOST_WORDS:
        return len(rows)
    return int(np.append(matching > 0, False).argmin())


def browse(collection: Catalogue | DiskCatalogue, offset: int, limit: int) -> list[Hit]:
    """Recipes as a cook would look through them: favourites, then those with a photo, each by title.

    Of a collection on disk, favourites and then all by title.
    """
    is_on_disk = isinstance(collection, DiskCatalogue)
    catalogue = collection.first(offset + limit) if isinstance(collection, DiskCatalogue) else collection
    liked = catalogue.tags.mask([FAVOURITE])
    present = range(len(catalogue)) if catalogue.present is None else np.flatnonzero(catalogue.present)
    by_title = catalogue.by_title(map(int, present))
    rows = sorted(by_title, key=lambda row: (not liked[row], not (is_on_disk or catalogue.has_image[row])))
    return [_hit(catalogue, row, 0.0, []) for row in rows[offset : offset + limit]]


def search_photos(
    collection: Catalogue | DiskCatalogue, vector: Vectors, k: int, exclude: Sequence[str]
) -> list[Hit]:
    """The k recipes whose own photos are nearest to a vector."""
    if isinstance(collection, DiskCatalogue):
        catalogue: Catalogue = collection.near_photos(vector, k, exclude)
    else:
        catalogue = collection
    photos, rows = catalogue.photo_vectors
    best, scores = photos.top(vector, k, catalogue.has_image[rows] & ~np.isin(rows, catalogue.rows(exclude)))
    return [
        _hit(catalogue, row, score, _close("its photo is close", score))
        for row, score in zip(rows[best].tolist(), scores.tolist(), strict=True)
    ]


def _hit(
    catalogue: Catalogue,
    row: int,
    score: float,
    reasons: list[str],
    pantry: Pantry | None = None,
    filters: Filters | None = None,
    probability: float | None = None,
) -> Hit:
    not_understood = catalogue.contents("not_understood").of(row) if filters and filters.groups else []
    return Hit(
        id=catalogue.ids[row].as_py(),
        title=catalogue.titles[row].as_py(),
        score=score,
        probability=probability,
        main_ingredient=catalogue.main(row),
        main_confidence=catalogue.main_confidence(row),
        actions=catalogue.actions.of(row),
        ingredients=catalogue.tokens.of(row),
        why=reasons,
        has_image=bool(catalogue.has_image[row]),
        missing=pantry.missing(row) if pantry else [],
        not_understood=not_understood,
        favourite=FAVOURITE in catalogue.tags.of(row),
    )


@dataclass(frozen=True)
class _Explainer:
    """Gives the reasons for single hits, in a few plain words each."""

    catalogue: Catalogue
    query: Query
    filters: Filters
    resolver: IngredientResolver
    pantry: Pantry | None

    @cached_property
    def _dishes(self) -> dict[str, Mask]:
        """(rows,) for each kind of dish that the words name: whose title names such a dish in other words."""
        names = [] if (words := self.query.words) is None else sum(words.readings, list[str]())
        dishes = ((name, dish_of(name)) for name in dict.fromkeys(names))
        return {name: dish.mask(self.catalogue) for name, dish in dishes if dish is not None}

    def reasons(self, row: int) -> list[str]:
        """The reasons, the weightiest first."""
        tokens = self.catalogue.tokens.of(row)
        reasons: list[str] = []
        for part in self.query.parts:
            reasons += self._match(part, row, tokens)
        filters = self.filters
        wanted = [self.resolver.resolve(word) for word in filters.with_]
        reasons += _listed("has", (token for token in tokens if any(token in one for one in wanted)))
        if filters.main is not None and (main := self.catalogue.main(row)):
            sure = (self.catalogue.main_confidence(row) or 0.0) >= SURE
            reasons.append(f"{'' if sure else 'perhaps '}mainly {readable(main)}")
        if filters.max_ingredients is not None:
            reasons.append(f"{len(tokens)} ingredient{'s' if len(tokens) != 1 else ''}")
        reasons += [f"tagged {tag}" for tag in filters.tags]
        if filters.groups:
            if not self.catalogue.is_english[row]:
                reasons.append("not in English, so it was not read")
            elif lines := self.catalogue.contents("not_understood").of(row):
                reasons.append(f"not understood: {lines[0]!r}{' and more' if len(lines) > 1 else ''}")
        if self.pantry is not None:
            owned = self.pantry.owned
            reasons += _listed("you have", (token for token in tokens if token in owned))
            reasons += _listed("missing:", self.pantry.missing(row)) or ["nothing is missing"]
        return list(dict.fromkeys(reasons))

    def _match(self, part: Part, row: int, tokens: list[str]) -> list[str]:
        """How a recipe matches one part of the query."""
        score = float(self.catalogue.recipe_vectors.scores(part.vector, np.array([row]))[0])
        reasons = _close(_REASONS[part.name], score)
        if part.name == "text":
            title, asked = set(self.catalogue.words.of(row)), title_words(part.words)
            shared = [word for word in asked if word in title and word not in _STOP_WORDS]
            if shared:
                reasons.insert(0, "the title has " + ", ".join(f"'{word}'" for word in shared))
            others = {*part.read, *asked} - set(shared)
            tags = [tag for tag in self.catalogue.tags.of(row) if tag in others]
            kinds = [name for name, rows in self._dishes.items() if rows[row]]
            said = {*shared, *map(key, tags)}
            reasons += [described(kind) for kind in kinds if key(kind) not in said]
            reasons += [f"tagged {tag}" for tag in tags]
        if part.name == "recipe":
            return reasons + _listed("shares", (token for token in tokens if token in part.tokens))
        meant = [self.resolver.resolve(readable(token)) for token in part.tokens]
        return reasons + _listed("has", (token for token in tokens if any(token in one for one in meant)))


def _close(reason: str, score: float) -> list[str]:
    """What is far apart is no reason."""
    return [f"{reason} ({score:.2f})"] if score >= 0.005 else []


def _listed(label: str, tokens: Iterable[str]) -> list[str]:
    names = [readable(token) for token in tokens]
    if not names:
        return []
    more = f" and {len(names) - _MAX_NAMED} more" if len(names) > _MAX_NAMED else ""
    return [f"{label} {', '.join(names[:_MAX_NAMED])}{more}"]
