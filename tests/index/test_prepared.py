from __future__ import annotations

import json

import pytest

from chef.data.prepared import Prepared
from chef.data.shards import TarWriter
from chef.errors import ChefError
from chef.index.prepared import open_prepared, shard_recipes
from chef.storage import open_store
from tests.index.small import recipe


def test_prepared_data_are_told_from_everything_else(prepared, kitchen, tmp_path):
    assert isinstance(open_prepared(prepared), Prepared)
    for other in (
        kitchen,
        kitchen / "recipes.jsonl",
        tmp_path,
        tmp_path / "nothing",
        "https://a.example/b",
        " ",
    ):
        assert open_prepared(other) is None
    (tmp_path / "manifest.json").write_text('{"name": "the manifest of an app"}')
    assert open_prepared(tmp_path) is None
    (tmp_path / "manifest.json").write_text("not JSON")
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
