"""Photos without food: how many of them are told from dishes, and how many dishes are refused.

    python benchmarks/non_food.py PREPARED [--model NAME] [--json OUT]

200 pictures of 20 kinds: the photographs that scikit-image brings (coffee left out) and crops of them,
screenshots of our own page, pages of text, plain colours and noise. Against them: the test photos of
PREPARED. No picture here had a part in the choice of the model's threshold, which `experiments/calibrate.py`
makes from other ones.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageFont

EACH = 10  # pictures of a kind
_PAGE = Path(__file__).parent.parent / "docs" / "page.jpg"
_PHOTOS = {
    "person": "astronaut.png",
    "cameraman": "camera.png",
    "cat": "chelsea.png",
    "rocket": "rocket.jpg",
    "galaxies": "hubble_deep_field.jpg",
    "moon": "moon.png",
    "retina": "retina.jpg",
    "tissue": "ihc.png",
    "bricks": "brick.png",
    "grass": "grass.png",
    "gravel": "gravel.png",
    "coins": "coins.png",
    "clock": "clock_motion.png",
    "motorcycle": "motorcycle_left.png",
    "printed page": "page.png",
}
_WORDS = """the of and to in is that it was for on are as with his they at be this from have or by one had not
but what all were when we there can an your which their said if do will each about how up out them""".split()


def pictures(seed: int = 0) -> Iterator[tuple[str, Image.Image]]:
    """Each kind and its pictures, always the same ones."""
    random = np.random.default_rng(seed)
    spec = find_spec("skimage")
    if spec is None or not spec.submodule_search_locations:
        raise SystemExit("this needs scikit-image: pip install scikit-image")
    folder = Path(spec.submodule_search_locations[0]) / "data"
    for kind, name in _PHOTOS.items():
        yield from ((kind, one) for one in crops(Image.open(folder / name).convert("RGB"), random))
    yield from (("our page", one) for one in crops(Image.open(_PAGE).convert("RGB"), random))
    faces = np.load(folder / "lfw_subset.npy")
    for face in faces[random.choice(100, EACH, replace=False)]:  # the second hundred are no faces
        grey = Image.fromarray((face * 255).astype(np.uint8))
        yield "face", grey.resize((320, 320), Image.Resampling.BICUBIC).convert("RGB")
    for _ in range(EACH):
        yield "text", text_page(random)
        yield "plain colour", Image.new("RGB", (320, 320), tuple(random.integers(0, 256, 3).tolist()))
        coarse = random.integers(0, 256, (*[int(random.choice([16, 64, 320]))] * 2, 3)).astype(np.uint8)
        yield "noise", Image.fromarray(coarse).resize((320, 320))


def crops(image: Image.Image, random: np.random.Generator) -> Iterator[Image.Image]:
    """The whole picture, and windows of it."""
    yield image
    for _ in range(EACH - 1):
        share = random.uniform(0.4, 0.9)
        width, height = (round(side * share) for side in image.size)
        left = int(random.integers(0, image.width - width + 1))
        top = int(random.integers(0, image.height - height + 1))
        yield image.crop((left, top, left + width, top + height))


def text_page(random: np.random.Generator) -> Image.Image:
    """Lines of random words, dark on light or light on dark."""
    paper, ink = ((250, 248, 240), (30, 30, 40)) if random.random() < 0.7 else ((30, 32, 40), (220, 220, 220))
    page = Image.new("RGB", (480, 480), paper)
    draw, size = ImageDraw.Draw(page), int(random.integers(12, 30))
    for top in range(20, 460 - size, round(size * 1.4)):
        line = " ".join(random.choice(_WORDS, 600 // size))
        draw.text((20, top), line[: 880 // size], fill=ink, font=ImageFont.load_default(size))
    return page


def jpeg(image: Image.Image) -> bytes:
    out = BytesIO()
    image.save(out, "JPEG", quality=90)
    return out.getvalue()


def main() -> None:
    from chef.data.prepared import Prepared
    from chef.index.match import Calibration
    from chef.model.folder import find, read_config
    from chef.model.photos import PhotoSide

    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("prepared", type=Path)
    parser.add_argument("--model", type=Path, default=Path("chef-base"))
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    options = parser.parse_args()
    folder = find(options.model)
    side, calibration = PhotoSide(folder, read_config(folder)), Calibration.load(folder)
    if calibration is None:
        raise SystemExit(f"{folder} has no calibration: run experiments/calibrate.py")

    def is_food(photo: bytes) -> bool:
        return calibration.is_food(side.embed([side.transform.pixels(photo)])[1][0])

    kinds: dict[str, list[bool]] = {}
    for kind, picture in pictures():
        kinds.setdefault(kind, []).append(not is_food(jpeg(picture)))
    told = [one for found in kinds.values() for one in found]
    test = Prepared(options.prepared).split("test")
    refused = [id for row, id in enumerate(test.ids) if not is_food(test.image_bytes(row))]
    result = {
        "pictures": len(told),
        "kinds": len(kinds),
        "told_apart": float(np.mean(told)),
        "dishes": len(test),
        "dishes_refused": len(refused) / len(test),
        "refused": refused,
        "by_kind": {kind: float(np.mean(found)) for kind, found in kinds.items()},
    }
    print(json.dumps(result, indent=1))
    if options.json:
        options.json.write_text(json.dumps(result, indent=1) + "\n")


if __name__ == "__main__":
    main()
