"""Words by description, or from a folder with a pre-trained model of language.

A folder: config.json (sizes, and where the weights come from), model.safetensors in half precision, and
pieces.tsv, as `experiments/make_minilm.py` writes it; or words.tsv and a vector for each of them, as
`experiments/make_word_table.py` does.
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from chef.errors import ChefError
from chef.model.words.base import Words
from chef.model.words.context import ContextWords
from chef.model.words.vectors import WordVectors
from chef.text.pieces import WordPieces
from chef.text.vocabulary import PAD, Vocabulary

PIECES = "pieces.tsv"
_TABLE = "words.tsv"
_FORMAT = "chef-words"


def build_words(description: Mapping[str, Any], vocabulary: int, width: int) -> Words:
    """The module of a description (`Words.description`) with fresh weights, for so many words.

    width: of a word vector, where the description does not fix it.
    """
    sizes = {name: value for name, value in description.items() if name != "kind"}
    if description["kind"] == "vectors":
        return WordVectors(vocabulary, sizes.get("width", width))
    if description["kind"] == "minilm":
        return ContextWords(vocabulary, **sizes)
    raise ChefError(
        f"no words of kind {description['kind']!r}", "is this model from a newer version of chef?"
    )


def load_words(folder: Path, vocabulary: Vocabulary) -> Words:
    """The pre-trained model of a folder, over the words of a vocabulary; of a table, others are its mean.

    >>> words = load_words(Path("weights/minilm"), vocabulary)
    >>> words(torch.tensor([vocabulary.ids(["whisk", "the", "eggs"])])).shape
    torch.Size([1, 3, 384])
    """
    from safetensors import SafetensorError
    from safetensors.torch import load_file

    if (folder / _TABLE).is_file():
        return _load_table(folder, vocabulary)
    table = WordPieces.load(folder / PIECES).table(vocabulary)
    try:
        config = json.loads((folder / "config.json").read_text("utf-8"))
        words = ContextWords(len(vocabulary), most=table.shape[1], **config["sizes"])
        state = load_file(folder / "model.safetensors")
        words.load_state_dict({**state, "table": torch.from_numpy(table)})
    except (OSError, ValueError, KeyError, TypeError, RuntimeError, SafetensorError) as error:
        raise ChefError(f"no MiniLM that can be read in {folder}", "make the folder again") from error
    return words


def _load_table(folder: Path, vocabulary: Vocabulary) -> WordVectors:
    from safetensors import SafetensorError
    from safetensors.torch import load_file

    try:
        known = {word: row for row, word in enumerate((folder / _TABLE).read_text("utf-8").splitlines())}
        vectors = load_file(folder / "model.safetensors")["vectors"]
    except (OSError, ValueError, KeyError, SafetensorError) as error:
        raise ChefError(f"no table of words that can be read in {folder}", "make the folder again") from error
    words = WordVectors(len(vocabulary), vectors.shape[1])
    with torch.no_grad():
        # Not zero: a text of such words alone would have no direction, and its gradient no bound.
        words.weight[:] = vectors.float().mean(0)
        for number, word in enumerate(vocabulary.words):
            if word in known:
                words.weight[number] = vectors[known[word]].float()
        words.weight[PAD] = 0
    return words


def save_table(folder: Path, words: Sequence[str], vectors: Tensor, about: str) -> None:
    """Write a new folder that `load_words` reads: a vector (n, width) for each of n words."""
    from safetensors.torch import save_file

    if folder.exists():
        raise ChefError(f"{folder} exists already", "choose another folder")
    folder.parent.mkdir(parents=True, exist_ok=True)
    new = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", dir=folder.parent))
    try:
        (new / _TABLE).write_text("".join(f"{word}\n" for word in words), encoding="utf-8")
        save_file({"vectors": vectors.detach().half().contiguous()}, new / "model.safetensors")
        config = {"format": _FORMAT, "about": about}
        (new / "config.json").write_text(json.dumps(config, indent=2) + "\n", encoding="utf-8")
        os.chmod(new, 0o755)
        os.replace(new, folder)
    finally:
        shutil.rmtree(new, ignore_errors=True)


def save_words(
    folder: Path, sizes: Mapping[str, int], state: Mapping[str, Tensor], pieces: WordPieces, about: str
) -> None:
    """Write a new folder that `load_words` reads; `about` says where the weights come from.

    sizes, state: of a `ContextWords`, without its table, which is the vocabulary's matter.
    """
    from safetensors.torch import save_file

    if folder.exists():
        raise ChefError(f"{folder} exists already", "choose another folder")
    folder.parent.mkdir(parents=True, exist_ok=True)
    new = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", dir=folder.parent))
    try:
        pieces.save(new / PIECES)
        save_file(
            {name: value.detach().half().contiguous() for name, value in state.items()},
            new / "model.safetensors",
        )
        config = {"format": _FORMAT, "about": about, "sizes": dict(sizes)}
        (new / "config.json").write_text(json.dumps(config, indent=2) + "\n", encoding="utf-8")
        os.chmod(new, 0o755)
        os.replace(new, folder)
    finally:
        shutil.rmtree(new, ignore_errors=True)
