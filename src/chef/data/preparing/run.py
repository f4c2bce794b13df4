"""Prepare data: any source of recipes becomes shards, splits, a vocabulary and word vectors.

The work goes through three stages, each of which leaves whole files only, so that a killed run goes on
where it stopped: chunks of the source become parts, the parts become a plan, and the plan becomes shards
and word vectors. The manifest comes last. Several runs may share the work: see `team`.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from chef.data.describe import made_with
from chef.data.manifest import Manifest
from chef.data.pool import Pool
from chef.data.preparing.context import Context
from chef.data.preparing.names import CANONICAL
from chef.data.preparing.source import Source, digest_of
from chef.data.preparing.stages import run_stages
from chef.data.preparing.workplace import Workplace, refuse_nested
from chef.data.settings import PrepareSettings
from chef.data.sharing.pulse import LEASE, Pulse
from chef.data.sharing.team import Team
from chef.errors import ChefError
from chef.food.canonical import CanonicalMap
from chef.progress import Progress
from chef.storage import Store, is_s3, open_store


def prepare(
    source: str | Path,
    out: str | Path,
    settings: PrepareSettings | None = None,
    *,
    texts: Sequence[str | Path] = (),
    without: Sequence[str] = (),
    canonical: Path | None = None,
    workers: int | None = None,
    progress: Progress | None = None,
    join: bool = False,
    lease: float = LEASE,
) -> Manifest:
    """Prepare the recipes of `source` in the folder or at the address `out`; after a stop it goes on.

    `texts` are further sources whose recipes join the train split without their photos, for word vectors
    and self-supervision; recipes that name one of `without` as their source are left out. `canonical` is a
    canonical map in place of the one in the package, `workers` the number of processes (all cores), which
    has no influence on the result. With `join`, and always at an address, any number of such runs share
    the work; one that gives no sign of life for `lease` seconds loses its share to the others.

    >>> prepare("my-recipes/", "prepared/").recipes
    1200
    """
    settings, progress, store = settings or PrepareSettings(), progress or Progress(), open_store(out)
    for one in (source, *texts):
        refuse_nested(one, out)
    names = CanonicalMap.load(canonical)
    chosen = {**settings.to_json(), "canonical": names.digest, **_selection(texts, without)}
    recipes = Source(source, settings.part_recipes, texts=texts, without=without)
    joint = join or is_s3(out)
    with ExitStack() as stack:
        place = stack.enter_context(Workplace(store, joint=joint))
        if manifest := place.finished(chosen):
            _check_source(manifest, recipes, store)
            place.close()
            progress.say(f"{out} is already prepared")
            return manifest
        recipes.check(texts_alone=not joint)
        pulse = Pulse(store, lease)
        place.open({**chosen, "made_with": made_with()}, pulse.token, progress)
        store.keep(CANONICAL, names.save)
        team = Team(store, stack.enter_context(pulse).token, lease) if joint else None
        pool = stack.enter_context(Pool(workers or os.cpu_count() or 1, warm="chef.data.preparing.warm"))
        manifest = run_stages(Context(place, recipes, settings, chosen, progress, team, pool))
    place.close()
    return manifest


def _check_source(manifest: Manifest, recipes: Source, store: Store) -> None:
    """Finished data must still be those of the source."""
    if manifest.source != digest_of(chunk.digest for chunk in recipes.chunks()):
        problem = f"the source has changed since {store.place()} was prepared"
        raise ChefError(problem, "give another folder, or remove this one")


def _selection(texts: Sequence[str | Path], without: Sequence[str]) -> dict[str, Any]:
    """What the manifest says of further sources: how many, not where; and of what is left out."""
    chosen = {"texts": len(texts), "without": sorted(without)}
    return {name: value for name, value in chosen.items() if value}
