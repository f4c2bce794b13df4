"""Makes an image tower that also names the dish, for `chef train --set tower=OUT`.

    python experiments/make_dish_names.py TOWER WORDS OUT

TOWER is a folder with a classifier of dishes and their names (labels.json), such as food-mobilenet; WORDS the
folder of a MiniLM from experiments/make_minilm.py, with all its pieces. OUT is TOWER with one more file,
names.safetensors: the vector of each name, the mean of its words in MiniLM.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
from collections import Counter
from pathlib import Path

import torch
from safetensors.torch import save_file
from torch import Tensor

from chef.data.batches import padded
from chef.errors import ChefError
from chef.files import staging_folder
from chef.model.encoders import masked_mean
from chef.model.words import load_words
from chef.text.tokens import tokenise
from chef.text.vocabulary import Vocabulary

_FILES = ("config.json", "preprocessor_config.json", "model.safetensors", "labels.json")
_BATCH = 256
_NO_NAME = ("/", "__")  # knowledge-base ids, and the background class


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("tower", type=Path, help="a folder with a classifier of dishes")
    parser.add_argument("words", type=Path, help="the folder of a MiniLM")
    parser.add_argument("out", type=Path, help="the folder to make")
    arguments = parser.parse_args()
    try:
        make(arguments.tower, arguments.words, arguments.out)
    except ChefError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    print(f"{arguments.out}: a tower that names the dish")
    return 0


def make(tower: Path, words: Path, out: Path) -> None:
    """Write the new folder `out`."""
    if out.exists():
        raise ChefError(f"{out} exists already", "choose another folder")
    for name in _FILES:
        if not (tower / name).is_file():
            raise ChefError(f"no {name} in {tower}", "give a folder with a classifier of dishes")
    labels: list[str] = json.loads((tower / "labels.json").read_text("utf-8"))
    vectors = name_vectors(labels, words)
    with staging_folder(out) as new:
        for name in _FILES:
            shutil.copyfile(tower / name, new / name)
        save_file({"names": vectors.half()}, new / "names.safetensors")


@torch.no_grad()
def name_vectors(labels: list[str], words: Path) -> Tensor:
    """(labels, width) the mean of each name's words; zeros for a label that is no name."""
    names = [[] if label.startswith(_NO_NAME) else tokenise(label) for label in labels]
    vocabulary = Vocabulary.build(Counter(word for name in names for word in name), 1)
    reader = load_words(words, vocabulary).eval()
    vectors = torch.zeros(len(names), reader.width)
    rows = [row for row, name in enumerate(names) if name]
    for start in range(0, len(rows), _BATCH):
        some = rows[start : start + _BATCH]
        ids, lengths = padded([vocabulary.ids(names[row]) for row in some])
        vectors[some] = masked_mean(reader(ids), lengths)
    return vectors


if __name__ == "__main__":
    sys.exit(main())
