import subprocess
import sys

import numpy as np
import pytest

import chef
from chef.bundled import COLLECTION, best, shipped_folder
from chef.index import Index, open_cookbook
from chef.index.cookbook import MADE_OF, made_of
from chef.index.snapshot import FILE, Frozen
from tests.index.small import photo, recipe, recipes

WITHOUT = """
import sys
from chef.commands.search import search
search(sys.argv[1], index=sys.argv[2] if sys.argv[2:] else None, k=3)
loaded = {"torch", "lancedb"} & set(sys.modules)
assert not loaded, loaded
"""


def test_a_frozen_collection_answers_as_before(own):
    wanted = own.search(photo("red"), without=["nuts"])
    own.freeze()
    again = Index(own.url, create=False)
    assert again.search(photo("red"), without=["nuts"]) == wanted
    assert isinstance(again._catalogue().snapshot, Frozen)
    assert [entry.id for entry in again.entries()] == sorted(one.id for one in recipes())  # not in the file
    assert again.get("soup").recipe.title == "Chicken Soup"


def test_a_write_or_another_collection_in_its_place_makes_the_file_worthless(own, tmp_path):
    own.search(text="soup")
    own.freeze()
    file = tmp_path / "c" / FILE
    kept = file.read_bytes()
    reader = Index(own.url, create=False)
    assert len(reader.search(photo("red"))) == 6
    Index(own.url).add([recipe("other", "Another dish", ["1 egg"])])
    assert len(reader.search(photo("red"))) == 7
    assert Index(own.url, create=False)._store.frozen() is None
    file.write_bytes(kept[:100])  # damaged
    assert len(Index(own.url, create=False).search(photo("red"))) == 7


@pytest.mark.skipif(not COLLECTION.is_file(), reason="the package's cookbook is not here")
def test_the_bundled_cookbook_is_of_the_bundled_model(tmp_path, monkeypatch):
    monkeypatch.setenv("CHEF_CACHE", str(tmp_path / "cache"))
    folder = shipped_folder(best())
    assert Frozen(COLLECTION).metadata[MADE_OF] == made_of(folder), "run scripts/make_cookbook.py"
    index = open_cookbook()
    vectors = index._catalogue().recipe_vectors.vectors
    entries = [entry for entry, _ in zip(index.entries(), range(2), strict=False)]
    # In single precision, as they were made: 8 bits move a vector a little, and only on some machines.
    fresh = chef.load(best(), eight_bits=False).embed_recipes([entry.recipe for entry in entries])
    np.testing.assert_allclose(vectors[:2], fresh, atol=1e-3)
    ours = index.chef.embed_recipes([entry.recipe for entry in entries])
    lengths = np.linalg.norm(ours, axis=1) * np.linalg.norm(fresh, axis=1)
    assert ((ours * fresh).sum(1) / lengths > 0.998).all()
    assert index.get(entries[0].id) == entries[0]  # from the table that is made now
    assert len(list((tmp_path / "cache").iterdir())) == 1


@pytest.mark.skipif(not COLLECTION.is_file(), reason="the package's cookbook is not here")
def test_a_photo_needs_neither_torch_nor_lancedb(tmp_path):
    (tmp_path / "dish.jpg").write_bytes(photo("red"))
    subprocess.run([sys.executable, "-c", WITHOUT, tmp_path / "dish.jpg"], check=True, cwd=tmp_path)
