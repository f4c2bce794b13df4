"""The collection of the cookbook that comes with chef: made on first use, then kept in the user's cache."""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
from pathlib import Path

from chef.bundled.cookbook import cookbook, digest
from chef.index.index import Index


def open_cookbook(model: str | Path | None = None) -> Index:
    """The cookbook's collection for a model, else for the best in the box. It is shared: only read it.

    >>> open_cookbook().search(text="tomato soup")[0].title
    """
    from chef.bundled.models import best
    from chef.model.artefact import find

    chosen = best() if model is None else model
    folder = find(Path(chosen))
    made_of = (folder / "config.json").read_bytes() + digest().encode()
    place = cache() / f"cookbook-{hashlib.sha256(made_of).hexdigest()[:16]}"
    if not place.is_dir():
        _make(place, chosen)
    return Index(place, model, create=False)


def cache() -> Path:
    """Where things are kept that can be made again."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "chef"


def _make(place: Path, model: str | Path) -> None:
    """Under another name first: what is there is whole, even if two processes make it at once."""
    place.parent.mkdir(parents=True, exist_ok=True)
    new = Path(tempfile.mkdtemp(prefix=f".{place.name}.", dir=place.parent))
    try:
        Index(new, model).add(cookbook())
        try:
            os.rename(new, place)
        except OSError:
            if not place.is_dir():  # else another process was faster
                raise
    finally:
        shutil.rmtree(new, ignore_errors=True)
