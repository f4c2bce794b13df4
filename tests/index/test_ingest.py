import json
import subprocess
import sys
import time
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from chef.data.images import BadImage
from chef.data.prepared import Prepared
from chef.data.shards import Tar
from chef.data.texts import PrepareSettings
from chef.errors import ChefError
from chef.food.canonical.map import SHIPPED
from chef.index import Added, Index, ingest
from chef.index.ingest import open_prepared, photo_bytes, shard_recipes, thumbnail, usable_photo
from chef.model.recipe_model import RecipeModel
from chef.readers import Skipped
from chef.storage import open_store
from tests.index.small import ROOT, WORDS, export, photo, recipe, untrained


def test_a_thumbnail_is_small_upright_and_a_jpeg():
    picture = Image.new("RGB", (900, 400), "blue")
    exif = picture.getexif()
    exif[0x0112] = 6  # lies on its side
    buffer = BytesIO()
    exif[0x010E] = "at home"
    picture.save(buffer, "JPEG", exif=exif, comment=b"at home", xmp=b"at home", icc_profile=b"at home")
    assert buffer.getvalue().count(b"at home") == 4
    data = thumbnail(buffer.getvalue())
    assert b"at home" not in data
    made = Image.open(BytesIO(data))
    assert made.format == "JPEG"
    assert made.height == 320 > made.width
    with pytest.raises(BadImage):
        thumbnail(b"no")


def test_the_first_usable_photo_counts_and_the_others_are_noted(tmp_path):
    (tmp_path / "broken.jpg").write_bytes(b"no photo")
    (tmp_path / "dish.jpg").write_bytes(photo("red"))
    names = [str(tmp_path / name) for name in ("gone.jpg", "broken.jpg", "dish.jpg")]
    one = recipe("x", "X", ["1 egg"], images=("https://example.org/pie.jpg", *names))
    skipped = Skipped()
    photos = photo_bytes(one, skipped, web=False)
    assert len(photos) == 2
    chosen = usable_photo(photos, one, skipped)
    assert chosen is not None
    assert chosen[0] == photo("red")
    reasons = ("web address, not fetched", "unreadable image file", "not an image")
    assert skipped.notes.counts == dict.fromkeys(reasons, 1)
    assert usable_photo([], one, skipped) is None


def test_a_batch_is_bounded_by_the_bytes_of_its_photos(tmp_path, monkeypatch):
    given = [(recipe(str(number), "X", ["1 egg"]), [bytes(10)] * number) for number in range(6)]
    monkeypatch.setattr(ingest, "_BATCH_BYTES", 25)
    sizes = [[len(photos) for _, photos in batch] for batch in ingest._batches(given, 2)]
    assert sizes == [[0, 1], [2, 3], [4], [5]]


def test_prepared_data_are_told_from_everything_else(prepared, kitchen, tmp_path):
    assert isinstance(open_prepared(prepared), Prepared)
    lines, nothing = kitchen / "recipes.jsonl", tmp_path / "nothing"
    for other in (kitchen, lines, tmp_path, nothing, "https://a.example/b", " "):
        assert open_prepared(other) is None
    for text in ('{"name": "the manifest of an app"}', "not JSON"):
        (tmp_path / "manifest.json").write_text(text)
        assert open_prepared(tmp_path) is None


def test_unfinished_and_foreign_versions_are_said(tmp_path):
    (tmp_path / "manifest.json").write_text('{"format": "chef prepared data 99"}')
    with pytest.raises(ChefError, match="not a manifest of this version"):
        open_prepared(tmp_path)
    (tmp_path / "manifest.json").unlink()
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / "settings.json").write_text("{}")
    with pytest.raises(ChefError, match="not finished"):
        open_prepared(tmp_path)


def test_every_recipe_comes_once_with_its_photos(prepared):
    data = Prepared(prepared)
    for split in data.splits:
        wanted = data.split(split, with_image=False)
        found = [one for shard in data.shards(split) for one in shard_recipes(data.store, shard)]
        assert [one.id for one, _ in found] == wanted.ids
        for i, (one, photos) in enumerate(found):
            assert photos == [wanted.image_bytes(i, k) for k in range(wanted.images(i))]
            assert len(photos) == 2
            assert one.images == ()
            assert one.steps == wanted.recipe(i).steps
            assert {item.token for item in one.ingredients} == {None}
            assert one.ingredients[0].name == wanted.recipe(i).ingredients[0].name


@pytest.mark.parametrize("text", ["[]", "{}", "no JSON", '{"id": "a", "tokens": {}}'])
def test_a_damaged_shard_is_named(tmp_path, text):
    store = open_store(tmp_path)
    tar = Tar()
    tar.add("0.json", json.dumps({**recipe("a", "A", ["1 egg"]).to_json(), "tokens": {}}).encode())
    tar.add("1.json", text.encode())
    store.write("a.tar", tar.to_bytes())
    with pytest.raises(ChefError, match=r"damaged file: .*a\.tar|recipe field"):
        list(shard_recipes(store, "a.tar"))


# Adding, in this process and in others


@pytest.fixture
def small_batches(monkeypatch):
    monkeypatch.setattr(ingest, "BATCH", 3)


def test_prepared_data_give_what_their_source_gives(kitchen, prepared, model, tmp_path):
    direct, index = Index(tmp_path / "direct", model), Index(tmp_path / "c", model)
    assert direct.add(kitchen) == index.add(prepared) == Added(added=28)
    assert index.info().with_image == 28
    for one, other in zip(direct.entries(), index.entries(), strict=True):
        # Prepared data have a split for every recipe, and keep no places of photos.
        assert replace(one.recipe, images=(), split=None) == replace(other.recipe, split=None)
        assert all(
            getattr(one, name) == getattr(other, name) for name in ("main_ingredient", "actions", "tokens")
        )
    split = Prepared(prepared).split("train")
    photos, rows = index._catalogue().photo_vectors
    stored = photos.vectors[[rows.tolist().index(row) for row in index._catalogue().rows(split.ids)]]
    wanted = index.chef.encoder.embed_photos([split.image_bytes(i) for i in range(len(split))])
    np.testing.assert_allclose(stored, wanted, atol=1e-5)


def test_the_same_command_again_finds_all_unchanged(prepared, model, tmp_path):
    index = Index(tmp_path / "c", model)
    assert index.add(prepared) == Added(added=28)
    version, gone = index.version, next(index.entries()).id
    assert index.add(prepared) == Added(unchanged=28)
    assert index.version == version
    index.remove(gone)
    assert index.add(prepared) == Added(added=1, unchanged=27)


def test_prepared_data_beside_other_sources_and_in_memory(prepared, model):
    index = Index("memory://bulk", model)
    twin = recipe(Prepared(prepared).split("train").ids[0], "Later counts", ["1 egg"])
    assert index.add([recipe("own", "Own", ["1 egg"])], prepared, [twin]) == Added(29, 1, 0)
    assert index.get(twin.id).recipe.title == "Later counts"


@pytest.mark.parametrize("place", ["folder", "s3"])
def test_workers_store_what_one_process_stores(
    place, prepared, model, exported, small_batches, tmp_path, request
):
    folder = str(tmp_path) if place == "folder" else request.getfixturevalue("s3").bucket()
    index = Index(f"{folder}/c", model)
    assert index.add(prepared, workers=2) == Added(added=28)
    assert export(index.url) == exported
    assert index.add(prepared, workers=2) == Added(unchanged=28)


@pytest.mark.parametrize("workers", [1, 2])
def test_of_recipes_with_one_id_the_last_counts_however_close_they_are(
    workers, model, small_batches, tmp_path
):
    index = Index(tmp_path / "c", model)
    index.add([recipe("twin", "Old", ["1 egg"])])
    rest = [recipe(f"r{n}", f"Dish {n}", ["1 egg"]) for n in range(9)]
    twins = [recipe("twin", title, ["1 egg"]) for title in ("New", "New", "Old")]
    stream = [
        one for n, twin in enumerate(twins) for one in (*rest[3 * n : 3 * n + 2], twin, rest[3 * n + 2])
    ]
    assert index.add(stream, workers=workers) == Added(added=9, updated=2, unchanged=1)
    assert index.get("twin").recipe.title == "Old"


def test_workers_cannot_load_a_model_without_a_name(tmp_path):
    nameless = RecipeModel(*untrained(WORDS), SHIPPED, PrepareSettings(), {})
    with pytest.raises(ChefError, match="by its name"):
        Index(tmp_path / "c", nameless).add([recipe("a", "A", ["1 egg"])], workers=2)


ADD = """
import sys
from chef.index import Index, ingest
if __name__ == "__main__":
    ingest.BATCH = 3
    Index(sys.argv[1], sys.argv[2]).add(sys.argv[3], workers=int(sys.argv[4]))
"""


@pytest.mark.parametrize("workers", ["1", "2"])
def test_killed_again_and_again_nothing_is_lost_or_double(workers, prepared, model, exported, tmp_path):
    command = [sys.executable, "-c", ADD, str(tmp_path / "c"), str(model), str(prepared), workers]
    stored = 0
    for _ in range(2):
        run = subprocess.Popen(command, cwd=ROOT)
        while run.poll() is None and _count(tmp_path / "c") <= stored:
            time.sleep(0.01)
        run.kill()
        run.wait()
        before, stored = stored, _count(tmp_path / "c")
        assert before < stored < 28
    assert subprocess.run(command, cwd=ROOT).returncode == 0
    assert export(tmp_path / "c") == exported
    assert Index(tmp_path / "c").add(prepared) == Added(unchanged=28)


def _count(collection: Path) -> int:
    try:
        return Index(collection, create=False).info().recipes
    except ChefError:  # not there yet
        return 0
