"""CPU seconds to load a T+T+L with a mobile-size tower and embed one photo, beside `import torch` alone.

    python benchmarks/load.py [--tower FOLDER] [--repeats 5] [--json]

Both in fresh processes, taking turns; the paper's sizes, fresh weights. The goal is a ratio of at most 2.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

IMPORT = "import torch"
LOAD = """
import sys, chef
model = chef.load(sys.argv[1])
assert model.embed_images([sys.argv[2]]).shape == (1, 1024)
"""


def make_artefact(folder: Path, tower: str) -> None:
    """A T+T+L of the paper's sizes over the tower, as an artefact, and a photo beside it."""
    from PIL import Image

    from chef.data.settings import PrepareSettings
    from chef.model.artefact import save_artefact
    from chef.model.config import ModelConfig
    from chef.model.image import load_tower
    from chef.model.joint import JointModel
    from chef.text.canonical import SHIPPED
    from chef.text.vocabulary import Vocabulary

    words = Vocabulary.build({f"word{number}": 10 for number in range(7000)}, minimum=2)
    words.save(folder / "vocabulary.tsv")
    image = load_tower(tower)
    model = JointModel(ModelConfig("t+t+l", vocabulary=len(words), tower=image.description), image)
    save_artefact(folder / "model", model, folder / "vocabulary.tsv", SHIPPED, PrepareSettings(), {})
    Image.effect_mandelbrot((640, 480), (-2, -1, 1, 1), 50).convert("RGB").save(folder / "photo.jpg")


def cpu_seconds(code: str, *arguments: str) -> float:
    """User and system time of a fresh interpreter that runs the code."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(
        [sys.executable, "-c", code, *arguments], check=True, env={**os.environ, "OMP_NUM_THREADS": "1"}
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    weights = os.environ.get("CHEF_WEIGHTS", "../shared/weights")
    parser.add_argument("--tower", default=f"{weights}/food-mobilenet")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        make_artefact(folder, arguments.tower)
        given = (str(folder / "model"), str(folder / "photo.jpg"))
        cpu_seconds(LOAD, *given)  # file caches warm for both
        pairs = [(cpu_seconds(IMPORT), cpu_seconds(LOAD, *given)) for _ in range(arguments.repeats)]
    torch, load = (statistics.median(pair[side] for pair in pairs) for side in (0, 1))
    result = {"import_torch_s": torch, "load_and_embed_s": load, "ratio": load / torch}
    if arguments.json:
        print(json.dumps(result))
    else:
        print(f"import torch {torch:.2f} s, load and embed one photo {load:.2f} s: ratio {load / torch:.2f}")


if __name__ == "__main__":
    main()
