"""The manifest of a finished run, drawn up from its plan."""

from __future__ import annotations

from collections import Counter
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import chef
from chef.data.manifest import Files, Manifest
from chef.data.preparing.names import RAW_VOCABULARY, VOCABULARY
from chef.data.preparing.plan import Plan, in_order
from chef.data.preparing.source import digest_of
from chef.data.settings import GIVEN
from chef.data.splits import TRAIN
from chef.errors import ChefError
from chef.readers import Skipped
from chef.storage import Store
from chef.text.vocabulary import Vocabulary

# Packages whose version can change a byte of the result.
_MAKERS = ("pillow", "numpy", "gensim", "ingredient-parser-nlp", "simplemma", "snowballstemmer")
# Reasons of the reader that count files beside the recipes, such as a README, and no recipes.
_FILES = ("no recipe in the file", "unknown format")


def made_with() -> dict[str, str]:
    """The versions of all that has a hand in prepared data."""
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
    # The reader leaves out images it does not find; they are problems like those found later.
    seen = {reason: count for reason, count in skipped.notes.counts.items() if "image" in reason}
    return Manifest(
        recipes=sum(splits.values()),
        with_image=sum(counts["with_image"].values()),
        splits=splits,
        splits_with_image={name: counts["with_image"].get(name, 0) for name in splits},
        skipped={reason: count for reason, count in left_out.items() if reason not in _FILES},
        skipped_files={reason: count for reason, count in left_out.items() if reason in _FILES},
        image_problems=dict(sorted((Counter(counts["image_problems"]) + Counter(seen)).items())),
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
    """What a reader of the counts might stumble over."""
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
        told = f"chosen for {splits[TRAIN]} training recipes"
        notes.append(f"words seen fewer than {plan.minimum} times are <UNK> ({told})")
    return notes
