import json
from io import BytesIO

import pytest
from PIL import Image

from chef.data.images import BadImage
from chef.data.prepared import Prepared
from chef.data.shards import TarWriter
from chef.errors import ChefError
from chef.index.ingest import open_prepared, photo_bytes, shard_recipes, thumbnail, usable_photo
from chef.readers import Skipped
from chef.storage import open_store
from tests.index.small import photo, recipe


def test_a_thumbnail_is_small_upright_and_a_jpeg():
    picture = Image.new("RGB", (900, 400), "blue")
    exif = picture.getexif()
    exif[0x0112] = 6  # lies on its side
    buffer = BytesIO()
    picture.save(buffer, "JPEG", exif=exif)
    made = Image.open(BytesIO(thumbnail(buffer.getvalue())))
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
    with store.writing("a.tar") as file:
        tar = TarWriter(file)
        tar.add("0.json", json.dumps({**recipe("a", "A", ["1 egg"]).to_json(), "tokens": {}}).encode())
        tar.add("1.json", text.encode())
        tar.close()
    with pytest.raises(ChefError, match=r"damaged file: .*a\.tar|recipe field"):
        list(shard_recipes(store, "a.tar"))
