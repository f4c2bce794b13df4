"""The place that prepared data are made in: its files, who holds it, and what an earlier run left."""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path
from typing import IO, Any

from chef.data.prepared import NAME, WORK, Manifest
from chef.data.sharing import CLAIMS
from chef.errors import ChefError
from chef.files import remove_partial_files, try_lock
from chef.progress import Progress
from chef.storage import Folder, Store, is_s3, last_of

# Files that a run leaves on its way; they are removed when the data are complete.
SETTINGS = f"{WORK}/settings.json"
CANONICAL = f"{WORK}/canonical.tsv"
PARTS = f"{WORK}/parts"
PLAN = f"{WORK}/plan.json"
DONE = f"{WORK}/done"  # one file for each result, with its checksums

VOCABULARY, RAW_VOCABULARY = "vocabulary.tsv", "raw-vocabulary.tsv"
VECTORS, RAW_VECTORS = "vectors.safetensors", "raw-vectors.safetensors"
TABLES = ("canonical.tsv", VOCABULARY, RAW_VOCABULARY)  # made in the work folder, part of the result
_WAY_OUT = "give another place, or remove this one"


def part_name(number: int, digest: str) -> str:
    """The file name of a part: another source or other recipes give another name."""
    return f"{number:06d}-{digest[:16]}.tar"


def part(name: str) -> str:
    """The path of a part."""
    return f"{PARTS}/{name}"


def done(name: str) -> str:
    """The path of the marker of a finished result.

    >>> done("shards/train-00000.tar")
    'work/done/train-00000.tar.json'
    """
    return f"{DONE}/{name.rpartition('/')[2]}.json"


class Workplace:
    """The place with a `work` folder in it, which is removed when all is done.

    It is held by one run, or, if `joint`, by any number of runs that share the work.
    """

    def __init__(self, store: Store, *, joint: bool = False) -> None:
        self.store = store
        self.joint = joint
        self._lock: IO[bytes] | None = None
        self._ours = False

    def finished(self, settings: dict[str, Any]) -> Manifest | None:
        """The manifest, if the place holds complete data with these settings."""
        self._refuse_foreign()
        if self.store.size(NAME) is None:
            return None
        manifest = Manifest.load(self.store)
        if manifest.settings != settings:
            changed = _difference(settings, manifest.settings)
            raise ChefError(f"{self.store.place()} was prepared with other settings ({changed})", _WAY_OUT)
        manifest.check_sizes(self.store)
        return manifest

    def open(self, settings: dict[str, Any], token: str, progress: Progress) -> None:
        """Take the place for this run. What was made with other settings or versions is discarded, except
        where others may be at work: there it is an error."""
        self._take_lock()
        wanted = json.dumps(settings, sort_keys=True, indent=1).encode()
        try:
            stored = self.store.read(SETTINGS)
        except FileNotFoundError:
            stored = wanted
        if self.joint:
            self._agree(settings, json.loads(stored), token)
        elif next(self.store.listing(CLAIMS), None):
            problem = f"several runs have shared the work on {self.store.place()}"
            raise ChefError(problem, "add --join, or remove it")
        else:
            self._ours = True
            if stored != wanted:
                progress.say("the settings have changed since the last run: its unfinished work is discarded")
                self.discard_results()
                self.store.clear(PARTS)
            self._remove_partial()
        self.store.write(SETTINGS, wanted)

    def _agree(self, settings: dict[str, Any], stored: dict[str, Any], token: str) -> None:
        """All runs must make the same data: the settings of the first apply to all."""
        digest = hashlib.sha256(json.dumps(settings, sort_keys=True).encode()).hexdigest()[:32]
        changed = _difference(settings, stored)
        # Two runs with different settings may come at the same time, before either has written them down.
        if not changed and self.store.take(f"{CLAIMS}/settings", f"{digest} {token}").split()[0] == digest:
            return
        problem = (
            f"{self.store.place()} holds unfinished work with other settings ({changed or 'just begun'})"
        )
        raise ChefError(problem, "use the same settings and versions everywhere, or " + _WAY_OUT)

    def discard_results(self) -> None:
        """Remove all that was made from the parts; the plan first, since it vouches for the rest."""
        self.store.remove(PLAN)
        self.store.clear(DONE)
        for name in (*self.store.listing("shards"), *TABLES, VECTORS, RAW_VECTORS):
            self.store.remove(name)

    def discard_parts(self, wanted: set[str], progress: Progress) -> None:
        """Remove the parts of recipes that the source no longer has."""
        stale = [name for name in sorted(self.store.listing(PARTS)) if last_of(name) not in wanted]
        for name in stale:
            self.store.remove(name)
        if stale:
            progress.say(f"the source has changed since the last run: {len(stale)} stale parts are discarded")

    def close(self) -> None:
        """Leave only the prepared data: the work is done."""
        self.store.clear(WORK)
        self._remove_partial()

    def _remove_partial(self) -> None:
        if isinstance(self.store, Folder):
            remove_partial_files(self.store.folder)

    def _leave_nothing(self) -> None:
        """Leave no empty folders behind if this run made nothing."""
        if next(self.store.listing(PARTS), None) or self.store.size(PLAN) is not None:
            return
        self.store.clear(WORK)  # it may have been stopped before all of it was made
        if isinstance(self.store, Folder):
            for folder in (self.store.path("shards"), self.store.folder):
                if folder.is_dir() and not any(folder.iterdir()):
                    folder.rmdir()

    def _refuse_foreign(self) -> None:
        store = self.store
        if isinstance(store, Folder) and store.folder.exists() and not store.folder.is_dir():
            raise ChefError(f"{store.place()} is a file", "give a folder")
        # A run may be killed right after its first step in the work folder.
        if any(store.size(name) is not None for name in (NAME, SETTINGS)):
            return
        if isinstance(store, Folder):
            exists = store.folder.is_dir()
            foreign = exists and any(path.name != WORK for path in store.folder.iterdir())
        else:
            foreign = any(not name.startswith(f"{WORK}/") for name in store.listing())
        if foreign:
            raise ChefError(f"{store.place()} is not empty and holds no prepared data", _WAY_OUT)

    def _take_lock(self) -> None:
        """Only one run in a folder, or only runs that share the work; an object store has claims instead."""
        if not isinstance(self.store, Folder):
            return
        self.store.path(PARTS).mkdir(parents=True, exist_ok=True)
        lock = self.store.path(f"{WORK}/lock").open("ab")
        if not try_lock(lock, shared=self.joint):
            lock.close()
            raise ChefError(
                f"another run is preparing {self.store.place()} right now",
                "wait until it is done; runs that all say --join share the work",
            )
        self._lock = lock

    def __enter__(self) -> Workplace:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is not None and self._ours:
            self._leave_nothing()
        if self._lock is not None:
            self._lock.close()


def _difference(one: dict[str, Any], other: dict[str, Any]) -> str:
    """The names of the settings that differ, for a person."""
    changed = [name for name in {**one, **other} if one.get(name) != other.get(name)]
    return ", ".join(name.replace("_", " ") for name in changed)


def refuse_nested(source: str | Path, out: str | Path) -> None:
    """Refuse to write into the source: the result would be read as part of it the next time."""
    if is_s3(source) != is_s3(out):
        return
    if is_s3(source):
        nested = f"{str(out).rstrip('/')}/".startswith(f"{str(source).rstrip('/')}/")
    else:
        nested = os.path.isdir(source) and Path(out).resolve().is_relative_to(Path(source).resolve())
    if nested:
        raise ChefError(f"{out} lies inside the source", "give a place outside of it")
