"""Prepare data: any source of recipes becomes shards, splits, a vocabulary and word vectors.

The work has three stages, each of which leaves only complete files, so that a killed run can be continued:
chunks of the source become parts, the parts become a plan, and the plan becomes shards and word vectors.
The manifest comes last. Several runs may share the work: see `chef.data.sharing`.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from contextlib import ExitStack
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import chef
from chef.data.pool import Pool
from chef.data.prepared import NAME, WORK, Files, Manifest, bytes_facts
from chef.data.preparing.parts import Plan, in_order, make_plan
from chef.data.preparing.source import Source, digest_of
from chef.data.preparing.stages import Context, Parts, Results
from chef.data.preparing.workplace import (
    CANONICAL,
    PLAN,
    RAW_VOCABULARY,
    TABLES,
    VOCABULARY,
    Workplace,
    part_name,
    refuse_nested,
)
from chef.data.sharing import LEASE, Pulse, Team
from chef.data.texts import GIVEN, TRAIN, PrepareSettings
from chef.errors import ChefError
from chef.food.canonical import CanonicalMap
from chef.progress import Progress
from chef.readers import Skipped
from chef.storage import Store, is_s3, open_store
from chef.text.vocabulary import Vocabulary


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
    """Prepare the recipes of `source` in the folder or at the address `out`; a stopped run is continued.

    `texts` are further sources whose recipes join the train split without their photos, for word vectors
    and self-supervision; recipes that name one of `without` as their source are left out. `canonical` is a
    canonical map in place of the one in the package, `workers` the number of processes (all cores), which
    does not affect the result. With `join`, and always at an address, any number of such runs share the
    work; one that shows no sign of life for `lease` seconds loses its share to the others.

    >>> prepare("my-recipes/", "prepared/").recipes
    1200
    """
    settings, progress, store = settings or PrepareSettings(), progress or Progress(), open_store(out)
    for one in (source, *texts):
        refuse_nested(one, out)
    names = CanonicalMap.load(canonical)
    # Of further sources the manifest says how many there are, not where.
    selection = {"texts": len(texts), "without": sorted(without)}
    chosen = {**settings.to_json(), "canonical": names.digest}
    chosen |= {name: value for name, value in selection.items() if value}
    recipes = Source(source, settings.part_recipes, texts=texts, without=without)
    joint = join or is_s3(out)
    with ExitStack() as stack:
        place = stack.enter_context(Workplace(store, joint=joint))
        if manifest := place.finished(chosen):
            if manifest.source != digest_of(chunk.digest for chunk in recipes.chunks()):
                problem = f"the source has changed since {store.place()} was prepared"
                raise ChefError(problem, "give another folder, or remove this one")
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


def run_stages(context: Context) -> Manifest:
    """Do all that is left to do, up to the manifest."""
    plan, skipped = _earlier_plan(context) or _new_plan(context)
    for name in context.recipes.unused(skipped):
        context.progress.say(f"no recipe names {name!r} as its source: nothing left out")
    if plan is not None:  # else others have finished while we were reading
        results = Results(context, plan)
        results.make()
        finish = lambda: _finish(context, plan, skipped, results.files())  # noqa: E731
        context.by_one("manifest", finish, context.is_finished)
    return Manifest.load(context.store)


def _earlier_plan(context: Context) -> tuple[Plan, Skipped] | None:
    """The plan of an earlier run, if it was made from the same source."""
    plan = Plan.load(context.store)
    if plan is None:
        return None
    context.progress.stage("looking at the source")
    if plan.digests == [chunk.digest for chunk in context.recipes.chunks()]:
        return plan, context.recipes.skipped
    if context.team is not None:
        raise context.other_source()
    return None


def _new_plan(context: Context) -> tuple[Plan | None, Skipped]:
    """Stages 1 and 2: make the parts, then the plan."""
    if context.team is None:
        context.place.discard_results()
    parts = Parts(context)
    parts.make()
    if context.team is None:
        names = {part_name(number, digest) for number, digest in enumerate(parts.digests)}
        context.place.discard_parts(names, context.progress)
    context.progress.stage("vocabulary")
    make = lambda: make_plan(context.store, parts.digests, context.settings)  # noqa: E731
    context.by_one("plan", make, lambda: context.has(PLAN))
    plan = Plan.load(context.store)
    if plan is not None and plan.digests != parts.digests:
        raise context.other_source()
    return plan, parts.skipped


def _finish(context: Context, plan: Plan, skipped: Skipped, files: Files) -> None:
    """The tables, and the manifest, which says that all is there."""
    store = context.store
    for name in TABLES:
        data = store.read(f"{WORK}/{name}")
        store.write(name, data)
        files[name] = bytes_facts(data)
    manifest = describe(store, plan, skipped, context.chosen, files)
    store.write(NAME, manifest.to_bytes())


# Packages whose version can change a byte of the result.
_MAKERS = ("pillow", "numpy", "gensim", "ingredient-parser-nlp", "simplemma", "snowballstemmer")
# Reasons of the reader that count files beside the recipes, such as a README, and no recipes.
_FILES = ("no recipe in the file", "unknown format")


def made_with() -> dict[str, str]:
    """The versions of everything that affects prepared data."""
    try:
        return {"chef": chef.__version__, **{name: version(name) for name in _MAKERS}}
    except PackageNotFoundError as error:
        raise ChefError(
            f"preparing data needs the package {error.name}", "install it: pip install 'chef-food[train]'"
        ) from error


def describe(store: Store, plan: Plan, skipped: Skipped, settings: dict[str, Any], files: Files) -> Manifest:
    """The manifest of the data in a store."""
    counts = plan.counts
    splits = {name: counts["splits"][name] for name in in_order(counts["splits"])}
    left_out = dict(sorted(skipped.counts.items()))
    # The reader leaves out images that it cannot find; they are problems like those found later.
    missing = {reason: count for reason, count in skipped.notes.counts.items() if "image" in reason}
    return Manifest(
        recipes=sum(splits.values()),
        with_image=sum(counts["with_image"].values()),
        splits=splits,
        splits_with_image={name: counts["with_image"].get(name, 0) for name in splits},
        skipped={reason: count for reason, count in left_out.items() if reason not in _FILES},
        skipped_files={reason: count for reason, count in left_out.items() if reason in _FILES},
        image_problems=dict(sorted((Counter(counts["image_problems"]) + Counter(missing)).items())),
        truncated=counts["truncated"],
        vocabulary=_words(store, VOCABULARY),
        raw_vocabulary=_words(store, RAW_VOCABULARY),
        minimum_count=plan.minimum,
        canonical_ingredients=len(counts["tokens"]),
        notes=_notes(plan, skipped, settings, splits),
        settings=settings,
        made_with=made_with(),
        source=digest_of(plan.digests),
        shards={split: [item.name for item in plan.shards if item.split == split] for split in splits},
        files=dict(sorted(files.items())),
    )


def _words(store: Store, name: str) -> int:
    with store.local(name) as path:
        return len(Vocabulary.load(path))


def _notes(plan: Plan, skipped: Skipped, settings: dict[str, Any], splits: dict[str, int]) -> list[str]:
    """What might puzzle a reader of the counts."""
    notes = [
        f"{reason}: {count}"
        for reason, count in sorted(skipped.notes.counts.items())
        if "image" not in reason
    ]
    total, pictured = sum(splits.values()), sum(plan.counts["with_image"].values())
    if pictured < total:
        notes.append(f"{total - pictured} of {total} recipes have no image and are prepared as text alone")
    if texts := sum(plan.counts["texts"].values()):
        notes.append(f"{texts} of {total} recipes joined the train split for their text alone")
    hashed = sum(plan.counts["hashed"].values())
    if settings["splits"] == GIVEN and hashed:
        notes.append(f"{hashed} of {total} recipes had no split in the source and got one by their title")
    if settings["minimum_count"] is None:
        reason = f"chosen for {splits[TRAIN]} training recipes"
        notes.append(f"words seen fewer than {plan.minimum} times are <UNK> ({reason})")
    return notes
