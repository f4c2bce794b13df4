"""Makes the folder of pictures without food from which `experiments/calibrate.py` learns what a dish is not.

    python experiments/make_without_food.py OUT  # needs pip, and apt-get and dpkg of Debian 12

Photographs, textures, screenshots, drawings and pictures of the sky, out of packages that carry them, in a
folder each. No picture here is in the test, benchmarks/non_food.py.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator
from pathlib import Path

from PIL import Image

from chef.errors import ChefError
from chef.files import staging_folder

# Of PyPI, the sources: photographs, screenshots and diagrams of samples and manuals; the folders in them.
PYPI = {
    "face_recognition==1.3.0": ("tests",),
    "labelme==6.3.1": ("examples",),
    "opencv-contrib-python-headless==5.0.0.93": ("opencv_contrib",),
    "opencv-python-headless==5.0.0.93": ("opencv/samples/data", "opencv/doc"),
}
DEBIAN = {
    "extremetuxracer-data": "",  # snow, rock, ice, screens of a game
    "gimp-help-en": "",  # windows and menus; flowers, buildings, animals, people
    "gnome-backgrounds": "",
    "gnome-user-docs": "C",  # screenshots
    "kstars-data": "",  # screenshots of a program and of its manual
    "mate-backgrounds": "",  # flowers, leaves, sky, patterns
    "stellarium-data": "",  # galaxies, planets, landscapes, drawings
    "torcs-data": "",  # roads, walls, grass, signs
    "tuxpaint-stamps-default": "stamps",  # animals, people, vehicles, buildings, things
}
MOST = 250  # of a folder
SMALLEST, LEAST, LARGEST = 15_000, 150, 6000  # bytes of a file; pixels of its sides
# In the paths of pictures with food: fruit, peppers, a picnic, stamps of food and plants; then one of the
# test's.
LEFT_OUT = ("apple", "orange", "fruits", "smarties", "upscale_image_single", "2011_000003")
LEFT_OUT += ("/food/", "/plants/", "/seasonal/", "cameraman")
SUFFIXES = (".jpg", ".jpeg", ".png", ".webp")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("out", type=Path)
    out = parser.parse_args().out
    if out.exists():
        raise ChefError(f"{out} exists already", "give another folder")
    with tempfile.TemporaryDirectory() as scratch, staging_folder(out) as made:
        for name, folder in packages(Path(scratch)):
            chosen = spread(list(pictures(folder)))
            (made / name).mkdir()
            for number, file in enumerate(chosen):
                shutil.copy(file, made / name / f"{number:03}{file.suffix.lower()}")
            print(f"{name}: {len(chosen)} pictures", flush=True)


def packages(scratch: Path) -> Iterator[tuple[str, Path]]:
    """Each name, and a folder with pictures."""
    for package, folders in PYPI.items():
        name = package.partition("==")[0]
        place = scratch / name
        sources = ["--no-deps", "--no-binary", name, "-d", place, package]
        subprocess.run([sys.executable, "-m", "pip", "download", "-q", *sources], check=True)
        with tarfile.open(next(place.glob("*.tar.gz"))) as archive:
            archive.extractall(place, filter="data")
        for folder in folders:
            yield f"{name}-{Path(folder).name}", next(place.glob(f"*/{folder}"))
    for package, folder in DEBIAN.items():
        as_root = ["-o", "APT::Sandbox::User=root"]  # the folder is ours
        subprocess.run(["apt-get", "download", "-qq", *as_root, package], cwd=scratch, check=True)
        subprocess.run(["dpkg", "-x", next(scratch.glob(f"{package}_*.deb")), scratch / package], check=True)
        yield package, next((scratch / package).rglob(folder)) if folder else scratch / package


def pictures(folder: Path) -> Iterator[Path]:
    """Files that a person would call a picture."""
    for file in sorted(folder.rglob("*")):
        is_picture = file.suffix.lower() in SUFFIXES and file.is_file() and file.stat().st_size > SMALLEST
        path = f"/{file.relative_to(folder)}".lower()
        if is_picture and not any(name in path for name in LEFT_OUT):
            with Image.open(file) as image:
                if min(image.size) > LEAST and max(image.size) < LARGEST:
                    yield file


def spread(files: list[Path]) -> list[Path]:
    """At most so many of them, from all over the list."""
    return files[:: -(-len(files) // MOST)] if files else []


if __name__ == "__main__":
    main()
