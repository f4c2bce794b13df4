"""The models by name. A model is data: an entry of `variants.json` (the paper's), `peers.json` or
`ours.json`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cache
from importlib.resources import files
from typing import Any, Literal

from chef.errors import ChefError

# lstm-ahead reads in one direction only; mean has nothing to learn.
Kind = Literal["set", "gru", "lstm", "lstm-ahead", "tree", "transformer", "mean"]
HeadsKind = Literal["shared", "single", "aligned", "linear", "mlp", "named", "members"]
WordsKind = Literal["vectors", "minilm"]


@dataclass(frozen=True, slots=True)
class Variant:
    """Which encoder reads which part of a recipe, how both sides reach the shared space, what is minimised.

    `title` None: titles are not read; `sentences` None: the instructions are read as one text.
    `attention` puts attention into every encoder, as Chen et al. do (the paper's G+L+L row).
    `words`: a vector for each word, or MiniLM, which reads the words around it too.
    `pooled`: each encoder hands on the mean of what it read beside its own vector.
    `others`: models whose encoders read the same words too, each for itself, where the heads take several.
    `context`: beside all that, MiniLM reads title, ingredients and instructions, each as one text.
    `frozen`: words and a pre-trained image tower are never trained.
    `objective`: its `kind` and what it starts from. A peer brings its own; the paper's variants have none,
    as their loss is a setting of the run.
    """

    name: str
    about: str
    ingredients: Kind
    sentences: Kind | None
    instructions: Kind
    title: Kind | None = "gru"
    attention: bool = False
    words: WordsKind = "vectors"
    pooled: bool = False
    others: tuple[str, ...] = ()
    context: bool = False
    heads: HeadsKind = "shared"
    frozen: bool = False
    objective: Mapping[str, Any] = field(default_factory=dict)

    @property
    def has_minilm(self) -> bool:
        """Whether a MiniLM reads anything."""
        return self.context or self.words == "minilm"


@cache
def variants() -> dict[str, Variant]:
    """Every variant of the paper by its name, in the order of the paper's tables."""
    return _entries("variants.json")


@cache
def peers() -> dict[str, Variant]:
    """The models of others that train in the same harness, the oldest first."""
    return _entries("peers.json")


@cache
def ours() -> dict[str, Variant]:
    """What goes past the paper: the model that ships, and what it is without one of its parts."""
    return _entries("ours.json")


def models() -> dict[str, Variant]:
    """Everything that has a name: variants, then peers, then ours."""
    return variants() | peers() | ours()


def variant(name: str) -> Variant:
    """The model of this name; capitals do not matter.

    >>> variant("T+T+L").sentences
    'tree'
    """
    known = models()
    if name.lower() not in known:
        near = get_close_matches(name.lower(), known, n=1)
        way_out = f"did you mean {near[0]!r}?" if near else f"known: {', '.join(known)}"
        raise ChefError(f"no model variant {name!r}", way_out)
    return known[name.lower()]


def _entries(file: str) -> dict[str, Variant]:
    entries = json.loads(files("chef.model").joinpath(file).read_text("utf-8"))
    return {
        name: Variant(name, **{**entry, "others": tuple(entry.get("others", ()))})
        for name, entry in entries.items()
    }
