"""Prepare data: any source of recipes becomes shards, splits, a vocabulary and word vectors.

The work has three stages, each of which leaves only complete files, so that a killed run can be continued:
chunks of the source become parts, the parts become a plan, and the plan becomes shards and word vectors.
The manifest comes last.
"""

import json
import os
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import chef
from chef.data.pool import Pool, Ray, open_pool
from chef.data.prepared import NAME, WORK, Files, Manifest, bytes_facts
from chef.data.preparing.parts import CANONICAL, PARTS, make_part
from chef.data.preparing.plan import (
    DONE,
    PLAN,
    RAW_VOCABULARY,
    VOCABULARY,
    WORD_VECTORS,
    Plan,
    in_order,
    make_plan,
    make_shard,
    make_vectors,
)
from chef.data.preparing.source import Source, digest_of, part_name
from chef.data.texts import GIVEN, TRAIN, PrepareSettings
from chef.errors import ChefError
from chef.files import try_lock
from chef.food.canonical import CanonicalMap
from chef.progress import Progress
from chef.readers import Skipped
from chef.storage import Store, is_s3, open_store

SETTINGS = f"{WORK}/settings.json"
_WORK_FORMAT = 2  # of the files in the work folder
_TABLES = (CANONICAL, VOCABULARY, RAW_VOCABULARY)
_WAY_OUT = "give another place, or remove this one"


def prepare(
    source: str | Path,
    out: str | Path,
    settings: PrepareSettings | None = None,
    *,
    texts: Sequence[str | Path] = (),
    without: Sequence[str] = (),
    canonical: Path | None = None,
    workers: int | None = None,
    ray: Ray | None = None,
    progress: Progress | None = None,
) -> Manifest:
    """Prepare the recipes of `source` in the folder or at the address `out`; a stopped run is continued.

    `texts` are further sources whose recipes join the train split without their photos, for word vectors
    and self-supervision; recipes that name one of `without` as their source are left out. `canonical` is a
    canonical map in place of the one in the package, `workers` the number of processes (all cores), `ray` a
    Ray whose workers are used instead; neither affects the result.

    >>> prepare("my-recipes/", "prepared/").recipes
    1200
    """
    settings, progress = settings or PrepareSettings(), progress or Progress()
    if ray is not None:  # its workers may be elsewhere
        source, out, *texts = (one if is_s3(one) else os.path.abspath(one) for one in (source, out, *texts))
    store = open_store(out)
    for one in (source, *texts):
        _refuse_nested(one, out)
    names = CanonicalMap.load(canonical)
    # Of further sources the manifest says how many there are, not where.
    selection = {"texts": len(texts), "without": sorted(without)}
    chosen = {**settings.to_json(), "canonical": names.digest}
    chosen |= {name: value for name, value in selection.items() if value}
    recipes = Source(source, settings.part_recipes, texts=texts, without=without)
    _refuse_foreign(store)
    if store.size(NAME) is not None:
        manifest = _check_finished(store, recipes, chosen)
        progress.say(f"{out} is already prepared")
    else:
        recipes.check()
        with _held(store), open_pool(workers, ray, "chef.data.preparing.warm") as pool:
            _keep_settings(store, {**chosen, "made_with": made_with(), "format": _WORK_FORMAT}, progress)
            store.write(CANONICAL, names.to_bytes())
            make = partial(make_part, store, settings=settings, canonical=names.digest)
            plan = _make_plan(store, recipes, settings, make, pool, progress)
            for name in recipes.unused(recipes.skipped):
                progress.say(f"no recipe names {name!r} as its source: nothing left out")
            files = _make_results(store, plan, settings, pool, progress)
            files |= {name: bytes_facts(store.read(name)) for name in _TABLES}
            manifest = _describe(store, plan, recipes.skipped, chosen, files)
            store.write(NAME, manifest.to_bytes())
    store.clear(WORK)
    if store.folder is not None:  # what a killed run had begun to write
        for path in store.folder.rglob("*#[0-9]*"):
            path.unlink(missing_ok=True)
    return manifest


def _check_finished(store: Store, recipes: Source, chosen: dict[str, Any]) -> Manifest:
    """The manifest of complete data; an error unless they were made of these recipes with these settings."""
    manifest = Manifest.load(store)
    made = manifest.settings
    if made != chosen:
        names = [name for name in {**chosen, **made} if chosen.get(name) != made.get(name)]
        changed = ", ".join(name.replace("_", " ") for name in names)
        raise ChefError(f"{store.place()} was prepared with other settings ({changed})", _WAY_OUT)
    manifest.check_sizes(store)
    if manifest.source != digest_of(chunk.digest for chunk in recipes.chunks()):
        raise ChefError(f"the source has changed since {store.place()} was prepared", _WAY_OUT)
    return manifest


def _make_plan(
    store: Store,
    recipes: Source,
    settings: PrepareSettings,
    make: Callable[..., int],
    pool: Pool,
    progress: Progress,
) -> Plan:
    """Stages 1 and 2: the parts of all chunks, then the plan; that of an earlier run if it is still right."""
    if plan := Plan.load(store):
        progress.stage("looking at the source")
        if plan.digests == [chunk.digest for chunk in recipes.chunks()]:
            return plan
    _discard_results(store)
    progress.stage("recipes")
    there, digests = set(store.listing(PARTS)), list[str]()

    def tasks() -> Iterator[Callable[[], int]]:
        for chunk in recipes.chunks():
            digests.append(chunk.digest)
            if f"{PARTS}/{chunk.name}.json" in there:
                progress.advance(len(chunk.recipes))
            else:
                yield partial(make, chunk=chunk)

    for count in pool.run(tasks()):
        progress.advance(count)
    if not digests:
        raise recipes.skipped.nothing_from(recipes.name)
    wanted = {part_name(number, digest) for number, digest in enumerate(digests)}
    if stale := [name for name in there if Path(name).stem not in wanted]:
        store.remove(*stale)
        progress.say(
            f"the source has changed since the last run: {len(stale) // 2} stale parts are discarded"
        )
    progress.stage("vocabulary")
    return make_plan(store, digests, settings)


def _make_results(
    store: Store, plan: Plan, settings: PrepareSettings, pool: Pool, progress: Progress
) -> Files:
    """Stage 3: the shards and word vectors of a plan, made unless they exist."""
    # Word vectors take longest and so go first.
    works = {name: partial(make_vectors, store, name, settings) for name in WORD_VECTORS}
    works |= {shard.name: partial(make_shard, store, shard, plan.vocabulary) for shard in plan.shards}
    progress.stage("word vectors and shards", len(works))
    files: Files = {}
    for mark in store.listing(DONE):
        files |= json.loads(store.read(mark))
        del works[mark[len(DONE) + 1 : -len(".json")]]
        progress.advance()
    # Parts whose recipes are all in shards are removed: they take as much space as the shards.
    parts = {shard.name: [piece.part for piece in shard.pieces] for shard in plan.shards}
    uses = Counter(part for name in works for part in parts.get(name, ()))
    store.remove(*(name for name in list(store.listing(PARTS)) if not uses[Path(name).stem]))
    for name, made in pool.run(works.values()):
        files |= made
        uses.subtract(parts.get(name, ()))
        for part in parts.get(name, ()):
            if not uses[part]:
                store.remove(f"{PARTS}/{part}.json", f"{PARTS}/{part}.tar")
        progress.advance()
    return files


# The place that is prepared


@contextmanager
def _held(store: Store) -> Iterator[None]:
    """Keep other runs out of a folder; one that has made nothing leaves nothing behind."""
    if (folder := store.folder) is None:
        yield  # a bucket has no locks: what two runs write there is the same
        return
    (folder / WORK).mkdir(parents=True, exist_ok=True)
    with (folder / WORK / "lock").open("ab") as lock:
        if not try_lock(lock):
            problem = f"another run is preparing {store.place()} right now"
            raise ChefError(problem, "wait until it is done; --ray uses several machines")
        try:
            yield
        except BaseException:
            if not next(store.listing(PARTS), None) and store.size(PLAN) is None:
                store.clear(WORK)
                store.remove(CANONICAL)
                for path in (folder / "shards", folder):
                    if path.is_dir() and not any(path.iterdir()):
                        path.rmdir()
            raise


def _keep_settings(store: Store, settings: dict[str, Any], progress: Progress) -> None:
    """Write down what the work is done with; what was done with other settings or versions is discarded."""
    wanted = json.dumps(settings, sort_keys=True, indent=1).encode()
    if store.size(SETTINGS) is not None and store.read(SETTINGS) != wanted:
        progress.say("the settings have changed since the last run: its unfinished work is discarded")
        _discard_results(store)
        store.clear(PARTS)
    store.write(SETTINGS, wanted)


def _discard_results(store: Store) -> None:
    """Remove all that was made from the parts; the plan first, since it vouches for the rest."""
    store.remove(PLAN, *list(store.listing(DONE)), *list(store.listing("shards")), *WORD_VECTORS)


def _refuse_foreign(store: Store) -> None:
    """An error for a place that holds other things."""
    if store.folder is not None and store.folder.exists() and not store.folder.is_dir():
        raise ChefError(f"{store.place()} is a file", "give a folder")
    # A run may be killed right after its first step in the work folder.
    if any(store.size(name) is not None for name in (NAME, SETTINGS)):
        return
    if any(not name.startswith(f"{WORK}/") for name in store.listing()):
        raise ChefError(f"{store.place()} is not empty and holds no prepared data", _WAY_OUT)


def _refuse_nested(source: str | Path, out: str | Path) -> None:
    """Refuse to write into the source: the result would be read as part of it the next time."""
    if is_s3(source) != is_s3(out):
        return
    if is_s3(source):
        nested = f"{str(out).rstrip('/')}/".startswith(f"{str(source).rstrip('/')}/")
    else:
        nested = os.path.isdir(source) and Path(out).resolve().is_relative_to(Path(source).resolve())
    if nested:
        raise ChefError(f"{out} lies inside the source", "give a place outside of it")


# The manifest


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


def _describe(store: Store, plan: Plan, skipped: Skipped, settings: dict[str, Any], files: Files) -> Manifest:
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
        vocabulary=store.read(VOCABULARY).count(b"\n"),
        raw_vocabulary=store.read(RAW_VOCABULARY).count(b"\n"),
        minimum_count=plan.minimum,
        canonical_ingredients=len(counts["tokens"]),
        notes=_notes(plan, skipped, settings, splits),
        settings=settings,
        made_with=made_with(),
        source=digest_of(plan.digests),
        shards={split: [item.name for item in plan.shards if item.split == split] for split in splits},
        files=dict(sorted(files.items())),
    )


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
