"""The model of a collection: its vectors can be compared only with those of the model that made them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING, Any

from chef.bundled import SHIPPED
from chef.errors import ChefError
from chef.files import loading
from chef.food.canonical import CanonicalMap
from chef.index.store import Store
from chef.model.folder import find, read_config
from chef.model.photos import PhotoSide

if TYPE_CHECKING:
    from chef.model.recipe_model import RecipeModel


class OwnModel:
    """The model of the collection in a store, loaded when it is first needed.

    given: the model to use instead of the one that the collection names.
    fault: why vectors cannot be compared, as far as the model is loaded; None where they can.
    fingerprint: of the model that the vectors are from.
    """

    def __init__(self, store: Store, given: str | Path | RecipeModel | None) -> None:
        self._store, self.given = store, given
        self._lock = RLock()
        self._loaded: RecipeModel | None = None
        self._prepare: Callable[[RecipeModel], RecipeModel] = lambda loaded: loaded
        self._side: PhotoSide | None = None
        self.fault: ChefError | None = None
        self.fingerprint = ""

    @property
    def loaded(self) -> RecipeModel:
        """The model itself."""
        with self._lock:
            if self._loaded is None:
                self.load(self.given)
            assert self._loaded is not None
            return self._loaded

    def load(self, model: str | Path | RecipeModel | None) -> None:
        """Load the model that is given, else the collection's own, else the best bundled one.

        Where the collection's own is not at hand, another one reads words, and vectors are not compared.
        """
        with self._lock:
            metadata = self._store.metadata if self._store.exists else None
            self.fault = None
            if model is not None or metadata is None:
                loaded = load_model(model)
                if metadata is not None:
                    self.check(loaded.fingerprint)
            else:
                loaded = _model_of(metadata)
                if loaded.fingerprint != metadata["fingerprint"]:
                    name, url = metadata["model"], self._store.url
                    problem = f"this collection needs another model ({name or 'it has no name'})"
                    made, now = metadata.get("edition", 1), loaded.about.get("edition", 1)
                    if name in SHIPPED and made != now:
                        problem = f"made with edition {made} of {name}; edition {now} is installed"
                    self.fault = ChefError(
                        problem,
                        f"words and filters work; for all else: chef index rebuild {url} [--model MODEL]",
                    )
            self._loaded = self._prepare(loaded)
            self.fingerprint = loaded.fingerprint if metadata is None else metadata["fingerprint"]

    def prepare(self, prepare: Callable[[RecipeModel], RecipeModel]) -> None:
        """Change the model before it is used, now and whenever another one is loaded."""
        with self._lock:
            self._prepare = prepare
            if self._loaded is not None:
                self._loaded = prepare(self._loaded)

    def rebuilt(self, given: str | Path | RecipeModel, loaded: RecipeModel) -> None:
        """The collection's vectors are from another model now."""
        with self._lock:
            self.given, self.fault = given, None
            self._loaded, self.fingerprint = self._prepare(loaded), self._store.metadata["fingerprint"]

    def follow(self) -> None:
        """Load another model if another process has rebuilt the collection for it."""
        with self._lock:
            if self._loaded is not None and self._store.metadata["fingerprint"] != self.fingerprint:
                self.load(None)

    def check(self, fingerprint: str) -> None:
        """Raise ChefError if the collection was made with another model."""
        metadata, url = self._store.metadata, self._store.url
        if metadata["fingerprint"] != fingerprint:
            raise ChefError(
                f"the collection at {url} was made with another model ({metadata['model']})",
                f"leave the model out, or embed it again: chef index rebuild {url} --model MODEL",
            )

    def compare_vectors(self) -> None:
        """Raise ChefError unless the model is the one that the vectors are from."""
        _ = self.loaded
        if self.fault is not None:
            raise self.fault

    def photo_side(self) -> PhotoSide | None:
        """The photo side, which needs no torch, if there is one."""
        with self._lock:
            if self._loaded is not None:
                return self._loaded.encoder.photos if self.fault is None else None
            metadata = self._store.metadata
            if not metadata["model"]:
                return None
            if self._side is None or self._side.fingerprint != metadata["fingerprint"]:
                try:
                    folder = find(Path(metadata["model"]))
                    config = read_config(folder)
                except ChefError:
                    return None  # loading the model will say the same
                self._side = PhotoSide(folder, config) if "photo" in config else None
            matches = self._side is not None and self._side.fingerprint == metadata["fingerprint"]
            return self._side if matches else None

    def canonical(self) -> CanonicalMap:
        """The model's names of ingredients, without loading all of it where that can be avoided."""
        with self._lock:
            side = None if self._loaded else self.photo_side()
            return CanonicalMap.load(side.folder / "canonical.tsv") if side else self.loaded.texts.canonical


def load_model(model: str | Path | RecipeModel | None) -> RecipeModel:
    """The model of a name or folder, or as given; without any, the best bundled one."""
    with loading():
        from chef.model.artefact import load
        from chef.model.recipe_model import RecipeModel
    if isinstance(model, RecipeModel):
        return model
    if model == "":
        raise ChefError(
            "the collection's model was given as an object and has no name", "give the model again"
        )
    return load(model)


def _model_of(metadata: Mapping[str, Any]) -> RecipeModel:
    """The model of a collection: by its name, or a bundled one; else any that can read words."""
    from chef.bundled import shipped

    others, own = [], metadata["model"]
    for choice in (own, *(folder for name, folder in shipped().items() if name != own)):
        try:
            loaded = load_model(choice)
        except ChefError:
            continue
        if loaded.fingerprint == metadata["fingerprint"]:
            return loaded
        others.append(loaded)
    return others[0] if others else load_model(None)
