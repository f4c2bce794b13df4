"""Where the recipes come from: every source, the licence that it states, and how many recipes it gave."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

import chef
from chef.data.settings import TEST, TRAIN, VAL, PrepareSettings, split_of

SPLITS = (TRAIN, VAL, TEST)
TEXTS = "texts"
_NO_SOURCE, _NO_LICENCE = "no source named", "none stated"


@dataclass
class Source:
    """One source. `counts`: recipes with a photo in each split, and recipes whose text alone is used."""

    name: str
    licence: str = _NO_LICENCE
    counts: Counter[str] = field(default_factory=Counter)

    @property
    def total(self) -> int:
        """The recipes that are used: those of other splits are not."""
        return sum(self.counts[part] for part in (*SPLITS, TEXTS))


def count_sources(data: str, texts: Sequence[str], without: Collection[str]) -> list[Source]:
    """The sources of what a model was trained, chosen and tested on, the largest first.

    data: recipes with photos. texts: further recipes, of which the text is used in training. without:
    sources that were left out. Where texts state no licence, it is what their source states elsewhere.

    >>> count_sources("open-recipes/", [], without=[])[0].counts["train"]
    846
    """
    found: dict[str, Source] = {}
    settings = PrepareSettings()
    for place in (data, *texts):
        for recipe in chef.read(place):
            if recipe.source in without:
                continue
            source = found.setdefault(recipe.source or _NO_SOURCE, Source(recipe.source or _NO_SOURCE))
            if recipe.licence and source.licence == _NO_LICENCE:
                source.licence = " ".join(recipe.licence.split())
            if place != data:
                source.counts[TEXTS] += 1
            elif recipe.images:
                source.counts[split_of(recipe, settings)] += 1
            elif split_of(recipe, settings) == TRAIN:
                source.counts[TEXTS] += 1
    used = [source for source in found.values() if source.total]
    return sorted(used, key=lambda source: (-source.total, source.name))


def licences(sources: Sequence[Source]) -> Counter[str]:
    """How many recipes there are under each licence, whatever file states it."""
    found = Counter[str]()
    for source in sources:
        found[source.licence.partition(" (")[0]] += source.total
    return found
