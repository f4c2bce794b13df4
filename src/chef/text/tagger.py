"""The part-of-speech tagger, made on this machine from a package that is already installed.

ingredient-parser-nlp wants NLTK's perceptron tagger and would download it. The same model, trained
by the authors of textblob-aptagger (MIT), lies in that package's wheel as a pickle. No pickle is ever
loaded here: its opcodes are read as plain data (a hostile file could at most give wrong numbers), and
written once as the JSON files that NLTK reads.

Started as they come, NLTK and its tagger take as long as torch. So NLTK is imported without scipy, which it
wants for statistics that nobody asks for here, and of the 375,000 weights only those are read that a word
needs. (A program that wants these statistics of NLTK imports it before.)
"""

from __future__ import annotations

import json
import os
import pickletools
import tempfile
from collections.abc import Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from chef.errors import ChefError
from chef.text.hidden import hidden

_NAME = "averaged_perceptron_tagger_eng"
_PICKLE = "trontagger-0.1.0.pickle"
_DONE = "done-2"  # another number wherever the files change
_LINES = "weights.txt"


@cache
def ensure_tagger() -> Path:
    """The folder with NLTK's tagger files, made on first use; NLTK is told where it lies.

    Call it before `import ingredient_parser`, which would go to the network otherwise.
    """
    with hidden("scipy", "sklearn"):
        import nltk.data

    root = _cache_folder() / "nltk_data"
    folder = root / "taggers" / _NAME
    if not (folder / _DONE).exists():
        _convert(folder)
    # NLTK reads only below its data path; ours goes first so that every machine tags alike.
    if str(root) not in nltk.data.path:
        nltk.data.path.insert(0, str(root))
    return folder


def pos_tag(tokens: Sequence[str]) -> list[str]:
    """Penn tags of the words of one sentence.

    >>> pos_tag(["you", "stir", "the", "sauce"])
    ['PRP', 'VBP', 'DT', 'NN']
    """
    return [tag for _, tag in _tagger().tag(list(tokens))]


def new_tagger() -> Any:
    """What NLTK's `PerceptronTagger()` is, a tenth of a second after the call."""
    folder = ensure_tagger()
    from nltk.tag.perceptron import PerceptronTagger

    tagdict, classes = (json.loads(_file(folder, name).read_bytes()) for name in ("tagdict", "classes"))
    tagger = PerceptronTagger(load=False)
    tagger.decode_json_params((_weights(folder / _LINES), tagdict, classes))
    return tagger


_tagger = cache(new_tagger)


class _Weights(dict[str, Any]):
    """Feature -> tag -> weight, read from their JSON when they are asked for."""

    def __getitem__(self, feature: str) -> dict[str, float]:
        weights = super().__getitem__(feature)
        if isinstance(weights, str):
            weights = self[feature] = json.loads(weights)
        found: dict[str, float] = weights
        return found


@cache
def _weights(path: Path) -> _Weights:
    """The weights of a file that has a feature and its weights on two lines each."""
    lines = path.read_text("utf-8").split("\n")
    return _Weights(zip(lines[::2], lines[1::2], strict=True))


def _file(folder: Path, name: str) -> Path:
    return folder / f"{_NAME}.{name}.json"


def _cache_folder() -> Path:
    base = os.environ.get("CHEF_CACHE") or os.environ.get("XDG_CACHE_HOME")
    folder = Path(base) if base else Path.home() / ".cache"
    return folder / "chef"


def _convert(folder: Path) -> None:
    weights, tagdict, classes = read_plain_pickle(_pickle_path().read_bytes())
    files = {"weights": weights, "tagdict": tagdict, "classes": sorted(classes)}
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, content in files.items():
            _write(_file(folder, name), json.dumps(content))
        lines = (line for feature, values in weights.items() for line in (feature, json.dumps(values)))
        _write(folder / _LINES, "\n".join(lines))
        _write(folder / _DONE, "")
    except OSError as error:
        raise ChefError(
            f"cannot write the tagger to {folder}: {error.strerror}",
            "set CHEF_CACHE to a folder you can write",
        ) from error


def _pickle_path() -> Path:
    spec = find_spec("textblob_aptagger")
    if spec is None or spec.origin is None:
        raise ChefError("the package textblob-aptagger is missing", "pip install textblob-aptagger==0.2.0")
    return Path(spec.origin).parent / _PICKLE


def _write(path: Path, text: str) -> None:
    # Several processes may convert at once: each writes its own file and the rename is atomic.
    with tempfile.NamedTemporaryFile("w", dir=path.parent, delete=False, encoding="utf-8") as file:
        file.write(text)
    os.replace(file.name, path)


def read_plain_pickle(data: bytes) -> Any:
    """The dictionaries, lists, tuples, strings and floats of a pickle, read without running it.

    The only global allowed is `set`, which is left as the list it would be made of.
    """
    stack: list[Any] = []
    marks: list[int] = []
    memo: dict[Any, Any] = {}

    def since_mark() -> list[Any]:
        start = marks.pop()
        items = stack[start:]
        del stack[start:]
        return items

    for opcode, argument, _ in pickletools.genops(data):
        match opcode.name:
            case "PROTO":
                pass
            case "BINFLOAT" | "SHORT_BINSTRING" | "BININT" | "BININT1" | "BINUNICODE":
                stack.append(argument)
            case "EMPTY_DICT":
                stack.append({})
            case "EMPTY_LIST":
                stack.append([])
            case "MARK":
                marks.append(len(stack))
            case "BINPUT" | "LONG_BINPUT":
                memo[argument] = stack[-1]
            case "BINGET" | "LONG_BINGET":
                stack.append(memo[argument])
            case "SETITEMS":
                items = since_mark()
                stack[-1].update(zip(items[::2], items[1::2], strict=True))
            case "APPENDS":
                items = since_mark()
                stack[-1].extend(items)
            case "TUPLE1":
                stack[-1] = (stack[-1],)
            case "TUPLE3":
                stack[-3:] = [tuple(stack[-3:])]
            case "GLOBAL" if argument in ("__builtin__ set", "builtins set"):
                stack.append(None)
            case "REDUCE":
                (content,) = stack.pop()
                stack[-1] = content
            case "STOP":
                return stack.pop()
            case name:
                raise ChefError(f"the tagger's file holds more than plain data: {name} {argument or ''}")
    raise ChefError("the tagger's file is cut short", "install textblob-aptagger==0.2.0 again")
