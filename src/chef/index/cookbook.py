"""The collection of the bundled cookbook: made on first use, then kept in the user's cache."""

from __future__ import annotations

import hashlib
from pathlib import Path

from chef.bundled import cookbook, cookbook_digest
from chef.files import cache_folder, staging_folder
from chef.index.index import Index


def open_cookbook(model: str | Path | None = None) -> Index:
    """The cookbook's collection for a model, else for the best bundled one. It is shared: only read it.

    >>> open_cookbook().search(text="tomato soup")[0].title
    """
    from chef.bundled import best
    from chef.model.artefact import find

    chosen = best() if model is None else model
    folder = find(Path(chosen))
    made_of = (folder / "config.json").read_bytes() + cookbook_digest().encode()
    place = cache_folder() / f"cookbook-{hashlib.sha256(made_of).hexdigest()[:16]}"
    if not place.is_dir():
        with staging_folder(place, existing="keep") as new:
            Index(new, chosen).add(cookbook())
    return Index(place, model, create=False)
