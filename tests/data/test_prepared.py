import pickle
import shutil
from dataclasses import replace

import pytest

from chef.data.images import small_jpeg
from chef.data.prepared import Prepared, Reread
from chef.data.preparing import prepare
from chef.errors import ChefError
from chef.food.canonical import CanonicalMap, Entry
from chef.readers.base import image_bytes
from tests.data.sources import QUICK, recipe, write_lines, write_source


def test_recipes_and_tokens_agree(prepared):
    words, seen = prepared.vocabulary, []
    for name, count in prepared.splits.items():
        split = prepared.split(name)
        assert len(split) == count
        for i in range(len(split)):
            stored, tokens = split.recipe(i), split.tokens(i)
            original = recipe(int(stored.id[-3:]))
            assert (stored.title, stored.split) == (original["title"], name)
            assert [item.line for item in stored.ingredients] == original["ingredients"]
            assert len(tokens["sentences"]) == 3
            expected = [item.token or item.name for item in split.ingredients(i)]
            assert [words.words[number] for number in tokens["ingredients"]] == [
                token if token in words else "<UNK>" for token in expected
            ]
            seen.append(stored.id)
    assert sorted(seen) == [f"made-{number:03d}" for number in range(30)]


def test_images_are_those_of_the_recipe_made_smaller(prepared, source):
    split = prepared.split("train")
    for i, name in enumerate(split.ids):
        original = (source / "images" / f"{name[-3:]}.jpg").read_bytes()
        assert split.images(i) == 1
        assert split.image_bytes(i) == small_jpeg(original, 32) != original
    with pytest.raises(IndexError):
        split.image_bytes(0, 1)
    (first,) = split.recipe(0).images  # it opens like any other reference to an image
    assert image_bytes(first) == split.image_bytes(0)
    with pytest.raises(ChefError, match="cannot be read"):
        image_bytes(first + "x")


def test_a_split_can_be_pickled_and_an_unknown_one_is_an_error(prepared):
    split = prepared.split("train")
    assert pickle.loads(pickle.dumps(split)).recipe(0) == split.recipe(0)
    with pytest.raises(ChefError, match="there are: train"):
        prepared.split("dev")


def test_damage_is_found_and_named(prepared, tmp_path):
    out = tmp_path / "out"
    shutil.copytree(prepared.folder, out)
    Prepared(out).verify()
    shard = out / "shards" / "train-00000.tar"
    data = bytearray(shard.read_bytes())
    data[1000] ^= 1
    shard.write_bytes(data)
    with pytest.raises(ChefError, match=r"train-00000\.tar"):
        Prepared(out).verify()
    for damage in (lambda: shard.write_bytes(data[:-1]), shard.unlink):  # seen without reading it all
        damage()
        with pytest.raises(ChefError, match=r"train-00000\.tar"):
            Prepared(out)


def test_no_prepared_data_here(tmp_path):
    with pytest.raises(ChefError, match="no such folder"):
        Prepared(tmp_path / "missing")
    with pytest.raises(ChefError, match="holds no prepared data"):
        Prepared(tmp_path)
    for text, message in (("{", "damaged"), ("{}", "not a manifest")):
        (tmp_path / "manifest.json").write_text(text)
        with pytest.raises(ChefError, match=message):
            Prepared(tmp_path)


def test_the_webdataset_library_reads_the_shards(prepared):
    webdataset = pytest.importorskip("webdataset")
    shards = sorted(str(path) for path in (prepared.folder / "shards").glob("train-*.tar"))
    split = prepared.split("train")
    samples = list(webdataset.WebDataset(shards, shardshuffle=False).decode("rgb8"))
    assert [sample["json"]["id"] for sample in samples] == split.ids
    assert all(min(sample["0.jpg"].shape[:2]) == 32 for sample in samples)
    assert [sample["json"]["tokens"] for sample in samples] == [split.tokens(i) for i in range(len(split))]


SHORTER = replace(QUICK, max_words=4, max_ingredients=2)


@pytest.fixture(scope="module")
def other(tmp_path_factory) -> Prepared:
    """Data of other recipes, with a map that knows leeks and no carrots, and shorter texts."""
    folder = tmp_path_factory.mktemp("other")
    source = write_source(folder / "source", 20)
    write_lines(source, [{**recipe(n + 40), "id": f"other-{n}"} for n in range(20)])
    names = ("green beans", "leeks", "walnuts")
    CanonicalMap(Entry(name.replace(" ", "_"), name, 9, "name") for name in names).save(folder / "map.tsv")
    prepare(source, folder / "out", SHORTER, canonical=folder / "map.tsv", workers=1)
    return Prepared(folder / "out")


def test_rereading_gives_the_tokens_of_the_other_map_and_vocabulary(source, prepared, other, tmp_path):
    """The oracle: the same source prepared with the other map, numbered by the other vocabulary."""
    prepare(source, tmp_path / "out", SHORTER, canonical=other.folder / "canonical.tsv", workers=1)
    oracle, reread = Prepared(tmp_path / "out"), Reread(prepared.folder, other.folder, other.lengths)

    def renumbered(numbers):
        return other.vocabulary.ids([oracle.vocabulary.words[number] for number in numbers])

    for name in prepared.splits:
        wanted, got = oracle.split(name), reread.split(name)
        assert got.ids == wanted.ids == prepared.split(name).ids
        for i in range(len(got)):
            tokens, theirs = got.tokens(i), wanted.tokens(i)
            assert tokens["title"] == renumbered(theirs["title"])
            assert tokens["ingredients"] == renumbered(theirs["ingredients"])
            assert tokens["sentences"] == [renumbered(line) for line in theirs["sentences"]]
            assert len(got.ingredients(i)) == len(tokens["ingredients"]) == 2
            assert got.image_bytes(i) == prepared.split(name).image_bytes(i)
    assert (reread.text_folder, reread.lengths["max_words"]) == (other.folder, 4)
    assert len(reread.vocabulary) == len(other.vocabulary)
    assert prepared.text_folder == prepared.folder
    with pytest.raises(ChefError, match="no split 'dinner'"):
        reread.split("dinner")
