"""The settings of a training run: one flat dataclass, saved beside the result; and the presets.

The defaults are the paper's, as far as it and its published code state them. A preset holds the settings that
a bundled model was trained with: a JSON file in `presets/` with `about` and `settings`.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from importlib.resources import files
from pathlib import Path
from typing import Any

from chef.errors import ChefError, did_you_mean
from chef.model.registry import LEARNED, SHAPES, variant

WEIGHTS = "CHEF_WEIGHTS"  # environment variable: the folder of pre-trained weights
_PATHS = ("init", "tower", "words", "labels")  # settings that may name folders
# Settings of the loss, which do not apply to a peer with its own objective.
_LOSS_SETTINGS = (
    "loss", "margin", "miner", "intra_modal", "temperature", "text_weight",
    "main_weight", "action_weight",
)  # fmt: skip


def _setting(
    default: Any,
    what: str,
    least: float | None = None,
    choices: tuple[str, ...] = (),
    below: float | None = None,
) -> Any:
    return field(default=default, metadata={"what": what, "least": least, "choices": choices, "below": below})


@dataclass(frozen=True)
class TrainSettings:
    """Everything besides the data that determines a run."""

    # The model
    init: str = _setting("", "a model to start from, in place of fresh weights")
    model: str = _setting("t+t+l", "a name that `chef models` lists")
    tower: str = _setting("small-cnn", "image tower: small-cnn, a hub name, or a folder")
    image_size: int = _setting(0, "side of the square that a photo is resized to; 0: the tower's own", 0)
    image_crop: int = _setting(0, "central pixels that the tower sees; 0: all", 0)
    words: str = _setting("", "folder of the MiniLM, for a model that uses one")
    word: int = _setting(
        300, "dimension of a word vector; if smaller than the data's, their principal components", 1
    )
    hidden: int = _setting(600, "dimension of title, ingredients, sentence and instructions", 2)
    space: int = _setting(1024, "dimension of the shared space", 1)
    dropout: float = _setting(0.2, "on the words that enter a tree", 0)
    image_views: int = _setting(
        1, "2: average the vectors of a photo's middle and of the whole, mirrored", 1, below=3
    )
    querybank: int = _setting(
        0, "training pairs that say which points are near to everything and become shorter; 0: none", 0
    )
    trees: str = _setting(LEARNED, "or one shape for all trees: a control", choices=(LEARNED, *SHAPES))

    # The loss (Eq. 1) of the paper's variants; a peer has its own objective
    loss: str = _setting("triplet", "triplet or infonce", choices=("triplet", "infonce"))
    margin: float = _setting(0.3, "of the triplet loss", 0)
    miner: str = _setting("batch-hard", "which negatives count", choices=("all", "batch-hard", "semi-hard"))
    intra_modal: bool = _setting(False, "use negatives of the anchor's own modality too")
    temperature: float = _setting(0.07, "of infonce at the start; it is learned", 0.01)
    text_weight: float = _setting(
        0.0,
        "weight of an InfoNCE between title, ingredients and instructions; uses recipes without photo too",
        0,
    )
    text_batch: int = _setting(0, "recipes without photo per step, for text_weight; 0: as many as pairs", 0)
    main_weight: float = _setting(
        0.0, "weight of teaching the ingredient tree to merge the main ingredient last", 0
    )
    action_weight: float = _setting(0.0, "weight of teaching sentence trees to merge the action word last", 0)
    labels: str = _setting("", "file of what the teacher says; if not given, it is asked at the start")

    # The optimizer
    epochs: int = _setting(60, "passes over the training pairs", 1)
    batch: int = _setting(160, "pairs per step, over all processes", 2)
    accumulate: int = _setting(1, "steps whose gradients are accumulated before an update", 1)
    learning_rate: float = _setting(1e-4, "of Adam", 0)
    tower_rate: float = _setting(1.0, "factor on the learning rate of the tower", 0)
    words_rate: float = _setting(1.0, "factor on the learning rate of MiniLM, or else of the word vectors", 0)
    query_rate: float = _setting(1.0, "factor on the learning rate of the vectors that score merges", 0)
    ema: float = _setting(
        0.0, "decay of the moving average of the weights that is validated and kept; 0: none", 0, below=1
    )
    weight_decay: float = _setting(0.0, "of AdamW; 0 is plain Adam", 0)
    clip: float = _setting(0.0, "largest gradient norm; 0: no clipping", 0)
    schedule: str = _setting("step", "of the learning rate", choices=("constant", "step", "cosine"))
    step_epoch: int = _setting(40, "step: the learning rate drops to a tenth at this epoch", 0)
    warmup: int = _setting(0, "updates over which the learning rate rises from 0", 0)
    freeze_epochs: int = _setting(20, "epochs in which tower and word vectors are frozen", 0)
    freeze_tower: bool = _setting(False, "freeze a pre-trained tower all along; compute its features once")
    zoom: float = _setting(
        0.0, "largest share of its side that an augmented photo loses to a crop", 0, below=0.9
    )
    augment: bool = _setting(True, "change photos at random in training, if the tower is not frozen")
    word_drop: float = _setting(
        0.0, "share of the words that training reads as unknown, others in every epoch", 0, below=1
    )
    shuffle: bool = _setting(False, "new order of the ingredients in every epoch")
    precision: str = _setting("float32", "of the arithmetic", choices=("float32", "bf16", "float64"))

    # The run
    seed: int = _setting(0, "of everything random")
    patience: int = _setting(0, "evaluations without a better model before training stops; 0: never", 0)
    evaluate_every: int = _setting(1, "epochs between evaluations on the validation split", 1)
    checkpoint_every: int = _setting(0, "updates between checkpoints; 0: once an epoch", 0)
    workers: int = _setting(0, "processes that decode images", 0)

    def to_json(self) -> dict[str, Any]:
        """A plain dictionary, for `settings.json` in the run folder."""
        return asdict(self)


def read_settings(path: Path) -> dict[str, Any]:
    """The settings in a JSON file, such as the `settings.json` of a run."""
    try:
        values = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ChefError(f"cannot read the settings in {path}: {error}") from error
    if not isinstance(values, dict):
        raise ChefError(f"{path} holds no settings", "it must be a JSON object of names and values")
    return values


def make_settings(values: Mapping[str, Any]) -> TrainSettings:
    """Checked settings; a wrong name or value is one clear line.

    >>> make_settings({"bacth": 32})
    Traceback (most recent call last):
    chef.errors.ChefError: unknown setting 'bacth' (did you mean 'batch'?)
    """
    known = {item.name: item for item in fields(TrainSettings)}
    for name, value in values.items():
        if name not in known:
            raise ChefError(f"unknown setting {name!r}", did_you_mean(name, known))
        _check(name, value, known[name].default, known[name].metadata)
    # 1 is accepted for 1.0.
    kinds: dict[str, Any] = {name: type(item.default) for name, item in known.items()}
    settings = TrainSettings(**{name: kinds[name](value) for name, value in values.items()})
    _check_model(settings)
    if settings.image_crop > settings.image_size:
        raise ChefError(
            f"{settings.image_crop} pixels cannot be cropped from {settings.image_size}",
            "set image_size too, to at least image_crop",
        )
    return settings


def _check(name: str, value: Any, default: Any, rules: Mapping[str, Any]) -> None:
    wanted = (int, float) if isinstance(default, float) else type(default)
    if not isinstance(value, wanted) or (isinstance(value, bool) and not isinstance(default, bool)):
        raise ChefError(f"setting {name!r} takes a {type(default).__name__}, not {value!r}", rules["what"])
    if rules["choices"] and value not in rules["choices"]:
        raise ChefError(f"setting {name!r} cannot be {value!r}", f"one of {', '.join(rules['choices'])}")
    if rules["least"] is not None and not value >= rules["least"]:
        raise ChefError(f"setting {name!r} must be at least {rules['least']}, not {value!r}")
    if rules["below"] is not None and not value < rules["below"]:
        raise ChefError(f"setting {name!r} must be below {rules['below']}, not {value!r}")


def _check_model(settings: TrainSettings) -> None:
    """The model exists, has its MiniLM, and no loss is set for a model that has its own."""
    chosen = variant(settings.model)
    if chosen.has_minilm and not settings.words:
        way_out = "set words=FOLDER; experiments/make_minilm.py makes one"
        raise ChefError(f"{chosen.name} needs a MiniLM", way_out)
    for name in _LOSS_SETTINGS:
        if chosen.objective and getattr(settings, name) != getattr(TrainSettings, name):
            raise ChefError(
                f"setting {name!r} does not apply to {chosen.name}, which has its own objective",
                "leave it out",
            )


def parse_assignments(assignments: list[str]) -> dict[str, Any]:
    """`["batch=64", "schedule=cosine"]` as values: JSON where it is JSON, else a string."""
    values: dict[str, Any] = {}
    for assignment in assignments:
        name, equals, text = assignment.partition("=")
        if not equals:
            raise ChefError(f"not a setting: {assignment!r}", "write --set name=value")
        try:
            values[name.strip()] = json.loads(text)
        except ValueError:
            values[name.strip()] = text
    return values


def presets() -> dict[str, dict[str, Any]]:
    """Every preset: what it is `about`, and its `settings`."""
    entries = sorted(files("chef.train").joinpath("presets").iterdir(), key=lambda entry: entry.name)
    return {
        entry.name.removesuffix(".json"): json.loads(entry.read_text("utf-8"))
        for entry in entries
        if entry.name.endswith(".json")
    }


def read_preset(name: str) -> dict[str, Any]:
    """The settings of a preset.

    >>> make_settings({**read_preset("chef-ttl"), "seed": 1})
    """
    known = presets()
    if name not in known:
        raise ChefError(f"no preset {name!r}", did_you_mean(name, known))
    settings: dict[str, Any] = known[name]["settings"]
    return settings


def resolve_folder(value: str) -> str:
    """The folder that a setting names: `$CHEF_WEIGHTS/NAME` is relative to that environment variable.

    >>> load_tower(resolve_folder("$CHEF_WEIGHTS/food-mobilenet"))
    """
    start, _, name = value.partition("/")
    if start != f"${WEIGHTS}":
        return value
    if WEIGHTS not in os.environ:
        raise ChefError(
            f"{value} is needed, and {WEIGHTS} is not set",
            f"set {WEIGHTS} to the folder of pre-trained weights (docs/training.md says which)",
        )
    folder = Path(os.environ[WEIGHTS]) / name
    if not folder.is_dir():
        raise ChefError(f"no folder {folder}", "docs/training.md says how to make it")
    return str(folder)


def without_paths(settings: dict[str, Any]) -> dict[str, Any]:
    """The settings with absolute paths shortened to their last part.

    Settings travel with a model and should not tell where its maker keeps things.
    """

    return {
        name: Path(value).name if name in _PATHS and Path(value).is_absolute() else value
        for name, value in settings.items()
    }
