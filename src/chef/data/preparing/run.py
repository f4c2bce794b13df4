"""Prepare data: any source of recipes becomes shards, splits, a vocabulary and word vectors.

The work goes through three stages, each of which leaves whole files only, so that a killed run goes on
where it stopped: chunks of the source become parts, the parts become a plan, and the plan becomes shards
and word vectors. The manifest comes last.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from chef.atomic import write_whole
from chef.data.describe import describe, made_with
from chef.data.manifest import NAME, Files, Manifest, file_facts
from chef.data.pool import Pool
from chef.data.preparing.build_parts import make_part
from chef.data.preparing.build_shards import make_shard, shard_names
from chef.data.preparing.build_vectors import make_vectors
from chef.data.preparing.parts import CANONICAL_TEXT, RAW_TEXT
from chef.data.preparing.plan import Plan, make_plan, part_name
from chef.data.preparing.source import Source, digest_of
from chef.data.preparing.workplace import Workplace, refuse_nested
from chef.data.settings import PrepareSettings
from chef.data.watch import Watch
from chef.errors import ChefError
from chef.text.canonical import CanonicalMap

_TABLES = ("canonical.tsv", "vocabulary.tsv", "raw-vocabulary.tsv")


def prepare(
    source: str | Path,
    out: str | Path,
    settings: PrepareSettings | None = None,
    *,
    texts: Sequence[str | Path] = (),
    without: Sequence[str] = (),
    canonical: Path | None = None,
    workers: int | None = None,
    watch: Watch | None = None,
) -> Manifest:
    """Prepare the recipes of `source` in the folder `out`; run again after a stop, it goes on.

    `texts` are further sources whose recipes join the train split without their photos, for word vectors
    and self-supervision; recipes that name one of `without` as their source are left out. `canonical` is a
    canonical map in place of the one in the package, `workers` the number of processes (all cores), which
    has no influence on the result.

    >>> prepare("my-recipes/", "prepared/").recipes
    1200
    """
    settings, watch, out = settings or PrepareSettings(), watch or Watch(), Path(out)
    for one in (source, *texts):
        refuse_nested(one, out)
    names = CanonicalMap.load(canonical)
    chosen = {**settings.to_json(), "canonical": names.digest, **_selection(texts, without)}
    recipes = Source(source, settings.part_recipes, texts=texts, without=without)
    with Workplace(out) as place:
        run = _Run(place, recipes, settings, watch)
        if manifest := place.finished(chosen):
            run.check_source(manifest)
            place.close()
            watch.say(f"{out} is already prepared")
            return manifest
        recipes.check_texts()
        place.open({**chosen, "made_with": made_with()}, watch)
        names.save(place.work / "canonical.tsv")
        with Pool(workers or os.cpu_count() or 1, warm="chef.data.preparing.warm") as pool:
            plan = run.plan(pool)
            for name in recipes.unused():
                watch.say(f"no recipe names {name!r} as its source: nothing left out")
            files = run.build(plan, pool)
        manifest = describe(out, plan, recipes.skipped, chosen, files)
        write_whole(out / NAME, manifest.to_bytes())
        place.close()
    return manifest


def _selection(texts: Sequence[str | Path], without: Sequence[str]) -> dict[str, Any]:
    """What the manifest says of further sources: how many, not where; and of what is left out."""
    chosen = {"texts": len(texts), "without": sorted(without)}
    return {name: value for name, value in chosen.items() if value}


@dataclass(frozen=True, slots=True)
class _Run:
    """One run: where, from what, how, and who is told."""

    place: Workplace
    recipes: Source
    settings: PrepareSettings
    watch: Watch

    def check_source(self, manifest: Manifest) -> None:
        """Finished data must still be those of the source."""
        if manifest.source != digest_of(chunk.digest for chunk in self.recipes.chunks()):
            problem = f"the source has changed since {self.place.out} was prepared"
            raise ChefError(problem, "give another folder, or remove this one")

    def plan(self, pool: Pool) -> Plan:
        """Stages 1 and 2, or the plan of an earlier run if the source is still the same."""
        place, watch = self.place, self.watch
        if plan := Plan.load(place.work):
            watch.stage("looking at the source")
            if plan.digests == [chunk.digest for chunk in self.recipes.chunks()]:
                return plan
        place.discard_results()
        digests: list[str] = []
        watch.stage("recipes")
        for done in pool.run(self._part_tasks(digests)):
            watch.advance(done)
        if not digests:
            raise self.recipes.skipped.nothing_from(self.recipes.name)
        place.discard_parts({part_name(number, digest) for number, digest in enumerate(digests)}, watch)
        watch.stage("vocabulary")
        return make_plan(place.work, place.parts, digests, self.settings)

    def _part_tasks(self, digests: list[str]) -> Iterator[Callable[[], int]]:
        """The chunks that are not yet parts; all digests are noted on the way."""
        for chunk in self.recipes.chunks():
            digests.append(chunk.digest)
            path = self.place.parts / part_name(chunk.number, chunk.digest)
            if path.exists():
                self.watch.advance(len(chunk.recipes))
            else:
                yield partial(make_part, path, chunk, self.settings, self.place.work / "canonical.tsv")

    def build(self, plan: Plan, pool: Pool) -> Files:
        """Stage 3: word vectors, which take longest and so go first, and shards. Says what was written."""
        tasks = [*self._vector_tasks(), *self._shard_tasks(plan)]
        self.watch.stage("word vectors and shards", len(tasks))
        files: Files = {}
        pieces = {shard_names(shard.name)[0]: shard.pieces for shard in plan.shards}
        waiting = Counter(piece.part for shard in plan.shards for piece in shard.pieces)
        for written in pool.run(tasks):
            files.update(written)
            for part in (piece.part for path in written for piece in pieces.get(path, ())):
                waiting[part] -= 1
                if not waiting[part]:  # its recipes are all in shards: give the disk space back
                    (self.place.parts / part).unlink(missing_ok=True)
            self.watch.advance()
        for name in _TABLES:
            write_whole(self.place.out / name, (self.place.work / name).read_bytes())
            files[name] = file_facts(self.place.out / name)
        return files

    def _vector_tasks(self) -> Iterator[Callable[[], Files]]:
        work, out = self.place.work, self.place.out
        for kind, text in (("", CANONICAL_TEXT), ("raw-", RAW_TEXT)):
            name, words = f"{kind}vectors.safetensors", work / f"{kind}vocabulary.tsv"
            yield partial(make_vectors, out, name, words, work / text, self.settings)

    def _shard_tasks(self, plan: Plan) -> Iterator[Callable[[], Files]]:
        place, words = self.place, self.place.work / "vocabulary.tsv"
        for shard in plan.shards:
            yield partial(make_shard, place.out, place.parts, shard.name, shard.split, shard.pieces, words)
