"""A small collection with a model that nobody has trained, and a service on it that answers over HTTP."""

import json
import os
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path

import httpx
import torch
from PIL import Image

from chef.data.texts import PrepareSettings
from chef.food.canonical import CanonicalMap
from chef.index import Index
from chef.model.artefact import save_artefact
from chef.model.joint import JointModel
from chef.model.registry import ModelConfig
from chef.serve import ServeSettings, create_app
from chef.serve.app import Server, bind
from chef.text.vocabulary import Vocabulary
from tests.tiny import FOODS, write_source

WORDS = "chop the and fry add serve with salt"


def write_model(folder: Path, words: Iterable[str] = (), seed: int = 0) -> Path:
    """A T+T+L that knows these words, or a few, as it is before training."""
    known = words or [*WORDS.split(), *(food.replace(" ", "_") for food in FOODS)]
    vocabulary = Vocabulary.build(Counter(known), minimum=1)
    config = ModelConfig(
        "t+t+l", len(vocabulary.words), {"kind": "small-cnn", "size": 32}, word=8, hidden=8, space=16
    )
    folder.mkdir(parents=True)
    vocabulary.save(folder / "words.tsv")
    CanonicalMap.load().save(folder / "map.tsv")
    torch.manual_seed(seed)
    model = JointModel(config).eval()
    files = folder / "words.tsv", folder / "map.tsv"
    save_artefact(folder / "model", model, *files, PrepareSettings(), {"name": "small"})
    return folder / "model"


def write_collection(folder: Path) -> Path:
    """24 recipes, 20 of them with pictures."""
    index = Index(folder / "collection", write_model(folder / "made"))
    index.add(write_source(folder / "source", recipes=24, texts=4))
    return folder / "collection"


@contextmanager
def served(index: Index, settings: ServeSettings) -> Iterator[str]:
    """The address of a service that runs until the block ends."""
    listening = bind(settings)
    started = threading.Event()
    server = Server(create_app(index, settings), settings.grace, started.set)
    thread = threading.Thread(target=server.run, args=([listening],))
    thread.start()
    try:
        assert started.wait(30)
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join()


@contextmanager
def writable(collection: Path, review: Path) -> Iterator[httpx.Client]:
    """Asks a service as its own page would, which may write."""
    settings = ServeSettings(port=0, review=review)
    with (
        served(Index(collection), settings) as where,
        httpx.Client(base_url=where, timeout=60, headers={"origin": where}) as made,
    ):
        yield made


@contextmanager
def running(*arguments: object, **environment: str) -> Iterator[tuple[list[str], subprocess.Popen[str]]]:
    """A chef command that serves: what it has printed once it answers, and its process."""
    process = subprocess.Popen(
        [sys.executable, "-m", "chef", *map(str, arguments)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env={**os.environ, "OMP_NUM_THREADS": "1", **environment},
    )  # fmt: skip
    lines = []
    try:
        for line in process.stdout:
            lines.append(line.rstrip("\n"))
            if line.startswith("http://"):
                break
        yield lines, process
    finally:
        process.kill()
        process.communicate()


def jpeg(size: tuple[int, int] = (64, 48), colour: str = "tomato") -> bytes:
    """A picture of one colour."""
    out = BytesIO()
    Image.new("RGB", size, colour).save(out, "JPEG")
    return out.getvalue()


def recipe_json(**changed: object) -> dict[str, object]:
    """A recipe as a client sends it."""
    recipe = {
        "title": "Chicken with rice",
        "ingredients": ["500 g chicken", "1 cup rice", "1 tsp salt"],
        "instructions": ["Chop the chicken and fry it.", "Add the rice. Serve with salt."],
    }
    return json.loads(json.dumps({**recipe, **changed}))
