"""Words by description, or from a folder with a pre-trained language model.

A folder holds config.json (sizes, and where the weights come from), model.safetensors in half precision and
pieces.tsv, as `experiments/make_minilm.py` writes it; or words.tsv and one vector for each word, as
`experiments/make_word_table.py` does.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from chef.errors import ChefError
from chef.files import staging_folder
from chef.model.words.modules import ContextWords, Words, WordVectors
from chef.text.pieces import WordPieces
from chef.text.vocabulary import PAD, Vocabulary

PIECES = "pieces.tsv"
_TABLE = "words.tsv"
_WEIGHTS = "model.safetensors"

# The parts of a BERT layer, from transformers' names to ours. The three of attention are one here.
_BERT_NAMES = {
    "attention.output.dense": "attended",
    "attention.output.LayerNorm": "attention_norm",
    "intermediate.dense": "first",
    "output.dense": "last",
    "output.LayerNorm": "norm",
}


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
    """The pre-trained model of a folder, for the words of a vocabulary.

    A word that a table lacks gets the table's mean vector.

    >>> words = load_words(Path("weights/minilm"), vocabulary)
    >>> words(torch.tensor([vocabulary.ids(["whisk", "the", "eggs"])])).shape
    torch.Size([1, 3, 384])
    """
    from safetensors import SafetensorError
    from safetensors.torch import load_file

    is_table = (folder / _TABLE).is_file()
    table = None if is_table else WordPieces.load(folder / PIECES).table(vocabulary)
    try:
        state = load_file(folder / _WEIGHTS)
        if table is None:
            return _word_table(
                (folder / _TABLE).read_text("utf-8").splitlines(), state["vectors"], vocabulary
            )
        config = json.loads((folder / "config.json").read_text("utf-8"))
        words = ContextWords(len(vocabulary), most=table.shape[1], **config["sizes"])
        words.load_state_dict({**state, "table": torch.from_numpy(table)})
    except (OSError, ValueError, KeyError, TypeError, RuntimeError, SafetensorError) as error:
        what = "table of words" if is_table else "MiniLM"
        raise ChefError(f"no readable {what} in {folder}", "make the folder again") from error
    return words


def _word_table(names: Sequence[str], vectors: Tensor, vocabulary: Vocabulary) -> WordVectors:
    row_of = {word: row for row, word in enumerate(names)}
    words = WordVectors(len(vocabulary), vectors.shape[1])
    with torch.no_grad():
        # Not zero: a text of unknown words only would have no direction, and its gradient no bound.
        words.weight[:] = vectors.float().mean(0)
        for number, word in enumerate(vocabulary.words):
            if word in row_of:
                words.weight[number] = vectors[row_of[word]].float()
        words.weight[PAD] = 0
    return words


def save_table(folder: Path, words: Sequence[str], vectors: Tensor, about: str) -> None:
    """Write a new folder that `load_words` reads: a vector (n, width) for each of n words."""
    with _new_folder(folder, {"vectors": vectors}, {"about": about}) as new:
        (new / _TABLE).write_text("".join(f"{word}\n" for word in words), encoding="utf-8")


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
    from safetensors.torch import save_file

    if folder.exists():
        raise ChefError(f"{folder} exists already", "choose another folder")
    with staging_folder(folder) as new:
        yield new
        half = {name: value.detach().half().contiguous() for name, value in state.items()}
        save_file(half, new / _WEIGHTS)
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
