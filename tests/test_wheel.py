"""What is in the package that people install: its licences, its size, and nothing of the training data."""

import gzip
import json
import re
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from email import message_from_bytes
from pathlib import Path

import numpy as np
import pytest

from chef.bundled import shipped
from tests.conftest import ROOT

WORDS = re.compile(r"\w+")
SENTENCE_ENDS = re.compile(r"[.!?;\n]+")
RUN = 8  # so many words in a row are a quotation
PLACES = re.compile(rb"/(?:work|root|home|Users|tmp)/[\w.-]+")


def build(kind: str, out: Path) -> Path:
    command = [sys.executable, "-m", "hatchling", "build", "-t", kind, "-d", str(out)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    (built,) = out.iterdir()
    return built


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> Path:
    return build("wheel", tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def files(wheel) -> dict[str, bytes]:
    with zipfile.ZipFile(wheel) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def test_it_is_small_enough_for_an_index(wheel):
    assert wheel.stat().st_size < 95_000_000


def test_models_are_there_whole_and_their_files_are_small(files):
    for name, folder in shipped().items():
        sizes = {path.name: path.stat().st_size for path in folder.iterdir()}
        assert sum(sizes.values()) < 60_000_000
        assert max(sizes.values()) < 15_000_000
        assert {f"chef/bundled/models/{name}/{file}" for file in sizes} <= set(files)
        assert "MODEL_CARD.md" in sizes


def test_both_licences_are_told_and_carried(files):
    (name,) = [name for name in files if name.endswith(".dist-info/METADATA")]
    metadata = message_from_bytes(files[name])
    assert metadata["License-Expression"] == "Apache-2.0 AND LicenseRef-CHEF-Weights"
    for licence in metadata.get_all("License-File"):
        assert files[name.replace("METADATA", f"licenses/{licence}")]
    terms = files["chef/bundled/models/LICENSE-WEIGHTS.md"].decode()
    for words in ("Apache License 2.0", "stay with their authors", "research and personal use", "--preset"):
        assert words in terms


def test_the_source_has_licences_and_no_stray_files(tmp_path):
    with tarfile.open(build("sdist", tmp_path)) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert {"LICENSE", "src/chef/bundled/models/LICENSE-WEIGHTS.md", "pyproject.toml", "README.md"} <= names
    assert not [name for name in names if name.startswith(("scratch/", "out/", ".venv/"))]


def test_no_machine_is_named_and_no_picture_is_there(files):
    starts = (b"\xff\xd8\xff", b"\x89PNG", b"GIF8", b"RIFF")
    assert not [name for name, content in files.items() if content.startswith(starts)]
    texts = {name: content for name, content in files.items() if not is_binary(content)}
    assert not [name for name, content in texts.items() if PLACES.search(content)]


def is_binary(content: bytes) -> bool:
    return b"\0" in content


# Nothing of the training data. The searches are tested on copies of our own first.

SENTENCE = "Lower the seven red lanterns slowly into the warm plum broth"


def quotations(recipes: Iterable[Mapping], files: Mapping[str, bytes]) -> list[str]:
    """The sentences of titles and instructions, eight words or longer, that stand in a text file."""
    known = {run for content in files.values() if not is_binary(content) for run in runs(content.decode())}
    return [
        sentence
        for recipe in recipes
        for text in (recipe["title"], *recipe["instructions"])
        for sentence in SENTENCE_ENDS.split(text)
        if (found := set(runs(sentence))) and found <= known
    ]


def runs(text: str) -> Iterator[int]:
    words = WORDS.findall(text.lower())
    return (hash(tuple(words[at : at + RUN])) for at in range(len(words) - RUN + 1))


def copied_photos(photos: Iterable[Path], files: Mapping[str, bytes]) -> list[str]:
    """The photos of which eight bytes from the middle, and then 64, stand in a file, at any place."""
    middles = {}
    for photo in photos:
        content = photo.read_bytes()
        middles[content[len(content) // 2 :][:64]] = photo.name
    starts = np.unique(np.frombuffer(b"".join(middle[:8] for middle in middles), np.uint64))
    found = set()
    for content in files.values():
        for shift in range(8) if len(content) >= 16 else ():
            values = np.frombuffer(content, np.uint64, (len(content) - shift) // 8, shift)
            places = np.searchsorted(starts, values).clip(max=len(starts) - 1)
            for at in np.flatnonzero(starts[places] == values) * 8 + shift:
                found.add(middles.get(content[at : at + 64]))
    return sorted(name for name in found if name)


def test_a_quotation_would_be_found():
    recipe = {"title": "Plums", "instructions": [f"Boil. {SENTENCE}! Serve."]}
    assert quotations([recipe], {"a.json": f'["{SENTENCE.lower()}"]'.encode()}) == [f" {SENTENCE}"]
    assert quotations([recipe], {"a.json": f'["{SENTENCE[:-10]}"]'.encode()}) == []


@pytest.mark.parametrize("shift", [0, 3, 7])
def test_a_copied_photo_would_be_found(tmp_path, shift):
    photo = np.random.default_rng(shift).bytes(500)
    (tmp_path / "a.jpg").write_bytes(photo)
    (tmp_path / "b.jpg").write_bytes(photo[::-1])
    files = {"x": b"", "y": b"?" * shift + photo + b"?", "z": photo[:250]}
    assert copied_photos(tmp_path.glob("*.jpg"), files) == ["a.jpg"]
    assert copied_photos(tmp_path.glob("*.jpg"), {"z": photo[:250]}) == []


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["open-recipes/recipes.jsonl", "text/cookbooks.jsonl.gz", "text/recipe-sites.jsonl.gz"]
)
def test_no_sentence_of_the_recipes(chef_data, files, name):
    with (gzip.open if name.endswith(".gz") else open)(chef_data / name, "rt", encoding="utf-8") as lines:
        assert quotations(map(json.loads, lines), files) == []


@pytest.mark.slow
def test_no_photo_of_the_open_recipes(chef_data, files):
    photos = sorted((chef_data / "open-recipes" / "images").iterdir())
    assert photos
    assert copied_photos(photos, files) == []
