"""Models by name, and the configuration they are built from.

A model is data: an entry of `variants.json` (the paper's), `peers.json` or `ours.json`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from functools import cache
from importlib.resources import files
from typing import Any, Literal

from chef.errors import ChefError, did_you_mean

# lstm-ahead reads in one direction only; mean has no parameters.
Kind = Literal["set", "gru", "lstm", "lstm-ahead", "tree", "transformer", "mean"]
HeadsKind = Literal["shared", "single", "aligned", "linear", "mlp", "named", "members"]
WordsKind = Literal["vectors", "minilm"]
LEARNED, SHAPES = "learned", ("random", "balanced", "left", "right")  # trees of a model


@dataclass(frozen=True, slots=True)
class Variant:
    """Which encoder reads which part of a recipe, how both sides are mapped to the shared space, the loss.

    `title` None: titles are not read; `sentences` None: the instructions are read as one text.
    `attention` puts attention into every encoder, as Chen et al. do (the paper's G+L+L row).
    `words`: a vector for each word, or MiniLM, which takes the surrounding words into account.
    `others`: models whose encoders read the same words independently, for heads that take several.
    `context`: MiniLM reads title, ingredients and instructions as well, each as one text.
    `frozen`: words and a pre-trained image tower are never trained.
    `objective`: its `kind` and initial settings. A peer brings its own; the paper's variants have none,
    since their loss is a setting of the run.
    """

    name: str
    about: str
    ingredients: Kind
    sentences: Kind | None
    instructions: Kind
    title: Kind | None = "gru"
    attention: bool = False
    words: WordsKind = "vectors"
    others: tuple[str, ...] = ()
    context: bool = False
    heads: HeadsKind = "shared"
    frozen: bool = False
    objective: Mapping[str, Any] = field(default_factory=dict)

    @property
    def has_minilm(self) -> bool:
        """Whether the model contains a MiniLM."""
        return self.context or self.words == "minilm"


@dataclass(frozen=True)
class ModelConfig:
    """Everything needed to rebuild a joint model except its weights; the paper's sizes by default.

    tower: the image tower's description, as `ImageTower.description` gives it: its `kind` and sizes.
    words: the description of the word embedding, as `Words.description` gives it; word: its width.
    context: the description of the MiniLM that reads the texts as well; {} without one.
    """

    variant: str
    vocabulary: int
    tower: Mapping[str, Any] = field(default_factory=lambda: {"kind": "small-cnn"})
    words: Mapping[str, Any] = field(default_factory=lambda: {"kind": "vectors"})
    context: Mapping[str, Any] = field(default_factory=dict)
    word: int = 300
    hidden: int = 600
    space: int = 1024
    dropout: float = 0.2  # on the inputs of Tree-LSTMs
    image_views: int = 1  # 2: a photo's vector is the mean over two views (`ImageTower.views`)
    trees: str = LEARNED  # or the shape of every tree: one of SHAPES
    taught: bool = False  # whether a teacher said which leaf of a tree matters most
    querybank: int = 0  # training pairs that say how crowded a place is (`Querybank`); 0: none
    nearest: int = 20  # of these that count; chosen after training

    def to_json(self) -> dict[str, Any]:
        """A plain dictionary that `from_json` turns back into an equal value."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> ModelConfig:
        """The configuration that `to_json` wrote."""
        known = {item.name for item in fields(cls)}
        if unknown := set(data) - known:
            raise ChefError(f"unknown model setting {min(unknown)!r}", f"known: {', '.join(sorted(known))}")
        if missing := {"variant", "vocabulary"} - set(data):
            raise ChefError(f"the model's configuration lacks {min(missing)!r}", "is this a chef model?")
        return cls(**data)


@cache
def variants() -> dict[str, Variant]:
    """Every variant of the paper by its name, in the order of the paper's tables."""
    return _entries("variants.json")


@cache
def peers() -> dict[str, Variant]:
    """Models of other papers that train in the same harness, the oldest first."""
    return _entries("peers.json")


@cache
def ours() -> dict[str, Variant]:
    """Models beyond the paper: the bundled one, and its ablations."""
    return _entries("ours.json")


def models() -> dict[str, Variant]:
    """All models: variants, then peers, then ours."""
    return variants() | peers() | ours()


def variant(name: str) -> Variant:
    """The model of this name, in upper or lower case.

    >>> variant("T+T+L").sentences
    'tree'
    """
    known = models()
    if name.lower() not in known:
        raise ChefError(f"no model variant {name!r}", did_you_mean(name.lower(), known))
    return known[name.lower()]


def _entries(file: str) -> dict[str, Variant]:
    entries = json.loads(files("chef.model").joinpath(file).read_text("utf-8"))
    return {
        name: Variant(name, **{**entry, "others": tuple(entry.get("others", ()))})
        for name, entry in entries.items()
    }
