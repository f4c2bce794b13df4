"""The folder that prepared data grow in: whose it is, and what of an earlier run can be used."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from types import TracebackType
from typing import IO, Any

from chef.atomic import sweep, write_whole
from chef.data.manifest import NAME, WORK, Manifest
from chef.data.preparing import plan
from chef.data.watch import Watch
from chef.errors import ChefError

_SETTINGS = "settings.json"
_WAY_OUT = "give another folder, or remove this one"


class Workplace:
    """`out` with a `work` folder in it, held by one run at a time; the work folder goes when all is done."""

    def __init__(self, out: Path) -> None:
        self.out = out
        self.work = out / WORK
        self.parts = self.work / "parts"
        self._lock: IO[bytes] | None = None

    def finished(self, settings: dict[str, Any]) -> Manifest | None:
        """The manifest, if the folder holds whole data of these settings."""
        self._refuse_foreign()
        if not (self.out / NAME).exists():
            return None
        manifest = Manifest.load(self.out)
        if manifest.settings != settings:
            known = manifest.settings
            changed = [name for name in {**settings, **known} if known.get(name) != settings.get(name)]
            told = ", ".join(name.replace("_", " ") for name in changed)
            raise ChefError(f"{self.out} was prepared with other settings ({told})", _WAY_OUT)
        manifest.check_sizes(self.out)
        return manifest

    def open(self, settings: dict[str, Any], watch: Watch) -> None:
        """Take the folder for this run; what was made with other settings or versions is discarded."""
        self.parts.mkdir(parents=True, exist_ok=True)
        self._take_lock()
        wanted = json.dumps(settings, sort_keys=True, indent=1).encode()
        stored = self.work / _SETTINGS
        if stored.exists() and stored.read_bytes() != wanted:
            watch.say("the settings have changed since the last run: its unfinished work is discarded")
            self.discard_results()
            shutil.rmtree(self.parts)
            self.parts.mkdir()
        write_whole(stored, wanted)
        (self.out / "shards").mkdir(exist_ok=True)
        sweep(self.out)

    def discard_results(self) -> None:
        """Remove all that was made from the parts; the plan first, since it vouches for the rest."""
        (self.work / plan.NAME).unlink(missing_ok=True)
        for path in (*self.out.glob("*.safetensors"), *self.out.glob("*.tsv"), *self.out.glob("shards/*")):
            path.unlink()

    def discard_parts(self, wanted: set[str], watch: Watch) -> None:
        """Remove the parts of recipes that the source no longer has."""
        stale = [path for path in sorted(self.parts.glob("*.tar")) if path.name not in wanted]
        for path in stale:
            path.unlink()
        if stale:
            watch.say(f"the source has changed since the last run: {len(stale)} stale parts are discarded")

    def close(self) -> None:
        """The work is done: leave only the prepared data."""
        shutil.rmtree(self.work, ignore_errors=True)

    def _leave(self) -> None:
        """Nothing came of this run: leave no empty folders behind."""
        shutil.rmtree(self.work, ignore_errors=True)  # it may have been stopped before all of it was made
        for folder in (self.out / "shards", self.out):
            if folder.is_dir() and not any(folder.iterdir()):
                folder.rmdir()

    def _refuse_foreign(self) -> None:
        if self.out.exists() and not self.out.is_dir():
            raise ChefError(f"{self.out} is a file", "give a folder")
        ours = (self.out / NAME).exists() or (self.work / _SETTINGS).exists()
        # A run may be killed right after its first step, the making of an empty work folder.
        if not ours and self.out.is_dir() and {path.name for path in self.out.iterdir()} - {WORK}:
            raise ChefError(f"{self.out} is not empty and holds no prepared data", _WAY_OUT)

    def _take_lock(self) -> None:
        try:
            import fcntl
        except ImportError:  # Windows: two runs in one folder are the user's care there
            return
        lock = (self.work / "lock").open("wb")
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            lock.close()
            raise ChefError(
                f"another run is preparing {self.out} right now", "wait until it is done"
            ) from error
        self._lock = lock

    def __enter__(self) -> Workplace:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._lock is not None:
            if (
                kind is not None
                and not any(self.parts.glob("*.tar"))
                and not (self.work / plan.NAME).exists()
            ):
                self._leave()
            self._lock.close()


def refuse_nested(source: str | Path, out: Path) -> None:
    """A result inside its own source would be read as part of it the next time."""
    if os.path.isdir(source) and out.resolve().is_relative_to(Path(source).resolve()):
        raise ChefError(f"{out} lies inside the source", "give a folder outside of it")
