"""The settings of a training run: one flat value, written beside its result.

The defaults are the paper's, as far as it and its published code state them.
"""

from __future__ import annotations

import difflib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

from chef.errors import ChefError
from chef.model.registry import variant

# They change what is minimised, which a peer with an objective of its own decides itself.
_OF_THE_LOSS = (
    "loss", "margin", "miner", "intra_modal", "temperature", "smoothing", "text_weight", "distill",
    "main_weight",
)  # fmt: skip


def _setting(
    default: Any,
    what: str,
    least: float | None = None,
    choices: tuple[str, ...] = (),
    below: float | None = None,
) -> Any:
    rules = {"what": what, "least": least, "choices": choices, "below": below}
    return field(default=default, metadata=rules)


@dataclass(frozen=True)
class TrainSettings:
    """All that decides a run besides the data. (A plain dataclass: GPU machines often lack pydantic.)"""

    # The model
    init: str = _setting("", "a model to start from, in place of fresh weights")
    model: str = _setting("t+t+l", "a name that `chef models` lists")
    tower: str = _setting("small-cnn", "image tower: small-cnn, a hub name, or a folder")
    image_size: int = _setting(0, "side of the square that a photo is put into; 0: the tower's own", 0)
    image_crop: int = _setting(0, "pixels of its middle that the tower sees; 0: all", 0)
    words: str = _setting("", "folder of the MiniLM, for a model that reads words with one")
    word: int = _setting(300, "dimension of a word vector; below the data's, their principal components", 1)
    hidden: int = _setting(600, "dimension of title, ingredients, sentence and instructions", 2)
    space: int = _setting(1024, "dimension of the shared space", 1)
    dropout: float = _setting(0.2, "on the words that enter a tree", 0)
    image_views: int = _setting(1, "2: a photo's point is the mean with its mirror image's", 1, below=3)

    # The loss (Eq. 1) of the paper's variants; a peer has an objective of its own
    loss: str = _setting("triplet", "triplet or infonce", choices=("triplet", "infonce"))
    margin: float = _setting(0.3, "of the triplet loss", 0)
    miner: str = _setting(
        "batch-hard", "negatives an anchor meets", choices=("all", "batch-hard", "semi-hard")
    )
    intra_modal: bool = _setting(False, "negatives of the anchor's own modality too")
    temperature: float = _setting(0.07, "of infonce at the start; it is learned", 0.01)
    smoothing: float = _setting(0.0, "of infonce: share of the target spread over the batch", 0, below=1)
    text_weight: float = _setting(
        0.0, "of an InfoNCE between title, ingredients and instructions, of texts without photo too", 0
    )
    text_batch: int = _setting(0, "texts without photo a step, for text_weight; 0: as many as pairs", 0)
    distill: str = _setting("", "teachers: models or runs of the same data, parted by commas")
    distill_weight: float = _setting(1.0, "of the divergence from the teachers' similarities", 0)
    distill_temperature: float = _setting(0.05, "of the similarities of teachers and student", 0.001)
    main_weight: float = _setting(
        0.0, "of teaching the ingredient tree to leave the heaviest ingredient for last", 0
    )

    # The optimizer
    epochs: int = _setting(60, "rounds over the training pairs", 1)
    batch: int = _setting(160, "pairs a step, over all processes", 2)
    accumulate: int = _setting(1, "steps whose gradients are added up before an update", 1)
    learning_rate: float = _setting(1e-4, "of Adam", 0)
    tower_rate: float = _setting(1.0, "the tower's learning rate, as a share of the others'", 0)
    words_rate: float = _setting(
        1.0, "the learning rate of MiniLM, or else of the word vectors, as a share of the others'", 0
    )
    ema: float = _setting(
        0.0, "decay of the average of the weights that is validated and kept; 0: none", 0, below=1
    )
    weight_decay: float = _setting(0.0, "of AdamW; 0 is plain Adam", 0)
    clip: float = _setting(0.0, "largest gradient norm; 0 leaves gradients alone", 0)
    schedule: str = _setting("step", "of the learning rate", choices=("constant", "step", "cosine"))
    step_epoch: int = _setting(40, "step: the learning rate is a tenth from this epoch on", 0)
    warmup: int = _setting(0, "updates over which the learning rate rises from 0", 0)
    freeze_epochs: int = _setting(20, "epochs in which tower and word vectors stay as they are", 0)
    freeze_tower: bool = _setting(
        False, "hold a pre-trained tower still all along, its features computed once"
    )
    views: int = _setting(0, "with freeze_tower: augmented views of each photo beside the plain one", 0)
    zoom: float = _setting(0.0, "share of its side that an augmented photo may lose to a crop", 0, below=0.9)
    title_drop: float = _setting(0.0, "share of a title's words that training leaves out", 0, below=1)
    precision: str = _setting("float32", "of the arithmetic", choices=("float32", "bf16", "float64"))

    # The run
    seed: int = _setting(0, "of everything random")
    patience: int = _setting(0, "evaluations without a better model before it stops; 0: never", 0)
    evaluate_every: int = _setting(1, "epochs between evaluations on the validation split", 1)
    checkpoint_every: int = _setting(0, "updates between checkpoints; 0: once an epoch", 0)
    workers: int = _setting(0, "processes that decode images", 0)

    def to_json(self) -> dict[str, Any]:
        """A plain dictionary, for `settings.json` beside the result."""
        return asdict(self)


def read_settings(path: Path) -> dict[str, Any]:
    """The settings of a JSON file, as `settings.json` beside a result."""
    try:
        values = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ChefError(f"cannot read the settings in {path}: {error}") from error
    if not isinstance(values, dict):
        raise ChefError(f"{path} holds no settings", "a JSON object of names and values")
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
            near = difflib.get_close_matches(name, known, n=1, cutoff=0.5)
            way_out = f"did you mean {near[0]!r}?" if near else f"known: {', '.join(known)}"
            raise ChefError(f"unknown setting {name!r}", way_out)
        _check(name, value, known[name].default, known[name].metadata)
    # 1 is a fine way to write 1.0.
    kinds: dict[str, Any] = {name: type(item.default) for name, item in known.items()}
    settings = TrainSettings(**{name: kinds[name](value) for name, value in values.items()})
    _check_model(settings)
    if settings.views and not settings.freeze_tower:
        raise ChefError(
            "setting 'views' is for a tower that is held still", "leave it out, or add freeze_tower=true"
        )
    if settings.image_crop > settings.image_size:
        raise ChefError(
            f"{settings.image_crop} pixels cannot be cut out of {settings.image_size}",
            "set image_size too, to no less than image_crop",
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
    """The model exists, has its MiniLM, and no loss is asked of one that has its own."""
    chosen = variant(settings.model)
    if chosen.has_minilm and not settings.words:
        raise ChefError(
            f"{chosen.name} reads words with MiniLM",
            "set words=FOLDER; experiments/make_minilm.py makes one",
        )
    for name in _OF_THE_LOSS:
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
