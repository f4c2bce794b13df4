"""Backups, folders of recipes and photos, and collections of older versions."""

import shutil
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

import chef
from chef.errors import ChefError
from chef.index import Index
from chef.index.backup import restore
from chef.index.repair import verify
from chef.index.store import Store
from tests.index.small import export, photo, recipe, recipes, write_model

OLDER = Path(__file__).parent / "collections"  # made by earlier versions of chef


# All that a recipe can have beside its text.
DETAILS = {
    "description": "Sweet.", "servings": "8 slices", "prep_minutes": 20, "cook_minutes": 40,
    "total_minutes": 60,
    "notes": ("Freezes well.",), "language": "en", "rating": 4.5, "nutrition": {"calories": "300 kcal"},
    "source": "Ann", "licence": "CC0-1.0", "url": "https://example.org/cake", "tags": ("sweet",),
}  # fmt: skip


@pytest.fixture
def index(model, tmp_path) -> Index:
    """Two of its recipes have photos, of which one file is gone."""
    found = Index(tmp_path / "c", model)
    colours = {"cake": "orange", "soup": "green"}
    for id, colour in colours.items():
        (tmp_path / f"{id}.jpg").write_bytes(photo(colour, (640, 400)))
    found.add(
        [
            replace(one, images=(str(tmp_path / f"{one.id}.jpg"),), **DETAILS) if one.id in colours else one
            for one in recipes()
        ]
    )
    (tmp_path / "soup.jpg").unlink()
    return found


def hits(index: Index) -> list[object]:
    queries = [{"text": "soup"}, {"text": "with rice"}, {"image": photo("orange")}, {"recipe": recipes()[0]}]
    return [index.search(**query, k=6) for query in queries]


def test_a_backup_restores_everything(index, model, tmp_path):
    assert {name: getattr(index.get("cake").recipe, name) for name in DETAILS} == DETAILS
    index.search(text="soup")
    index.freeze()
    assert index.backup(tmp_path / "b.zip") == 6
    assert restore(tmp_path / "b.zip", Store(tmp_path / "new")) == 6
    new = Index(tmp_path / "new")
    assert export(new.url) == export(index.url)
    assert hits(new) == hits(index)
    assert new.thumbnail("soup") == index.thumbnail("soup")
    assert new.near_photos(index._catalogue().photo_vectors[0].vectors[0])[0].score == pytest.approx(1)
    assert verify(Store(tmp_path / "new")).read == 6


def test_a_restore_replaces_a_collection_that_is_in_use(index, tmp_path):
    reader = Index(index.url)
    before = export(index.url)
    index.backup(tmp_path / "b.zip")
    index.add([recipe("stew", "Stew", ["1 onion"])])
    index.remove("cake")
    assert reader.search(text="stew")[0].id == "stew"
    restore(tmp_path / "b.zip", Store(index.url))
    assert reader.search(text="walnut cake")[0].id == "cake"
    assert {entry.id for entry in reader.entries()} == {one.id for one in recipes()}
    assert export(index.url) == before


@pytest.mark.parametrize("damage", ["flipped", "torn", "text"])
def test_a_damaged_backup_changes_nothing(index, tmp_path, damage):
    index.backup(tmp_path / "b.zip")
    data = bytearray((tmp_path / "b.zip").read_bytes())
    if damage == "flipped":
        data[len(data) // 3] ^= 4
    elif damage == "torn":
        del data[-100:]
    else:
        data = bytearray(b"no zip")
    (tmp_path / "b.zip").write_bytes(bytes(data))
    before, version = export(index.url), index.version
    with pytest.raises(ChefError, match="is no backup, or damaged"):
        restore(tmp_path / "b.zip", Store(index.url))
    assert (export(index.url), index.version) == (before, version)
    with pytest.raises(ChefError):
        restore(tmp_path / "b.zip", Store(tmp_path / "new"))
    assert not Store(tmp_path / "new").exists


def test_an_exported_folder_makes_an_equal_collection(index, model, tmp_path):
    assert index.export_folder(tmp_path / "folder") == 6
    again = Index(tmp_path / "again", model)
    assert again.add(tmp_path / "folder").added == 6

    def told(found: Index) -> list[dict[str, object]]:
        return [{**one, "images": len(one.get("images", ()))} for one in found.export()]

    assert told(again) == told(index)  # but for the places of the photos
    assert again.thumbnail("cake") == index.thumbnail("cake")  # of the photo itself
    assert again.get("soup").has_image  # of the thumbnail: the photo is gone
    assert hits(again)[0] == hits(index)[0]
    with pytest.raises(OSError, match="not empty"):
        index.export_folder(tmp_path / "folder")


@pytest.fixture(params=["format-1.zip", "format-2.zip"])
def older(request, tmp_path) -> Path:
    """A collection that an earlier version of chef has made: as a folder, or as a backup."""
    if request.param == "format-1.zip":
        shutil.unpack_archive(OLDER / request.param, tmp_path / "older")
    else:
        restore(OLDER / request.param, Store(tmp_path / "older"))
    return tmp_path / "older"


def test_a_collection_of_an_older_version_is_searched_and_rebuilt(older, model):
    index = Index(older)
    assert [entry.id for entry in index.entries()] == ["cake", "curry", "rice", "salad", "soup"]
    assert len(list(index.export())) == 5
    assert index.search(text="beef curry")[0].id == "curry"
    assert {hit.id for hit in index.search(without=["chicken"])} == {"cake", "curry", "salad"}
    assert index.thumbnail("cake").startswith(b"\xff\xd8")
    if chef.load("chef-ttl").fingerprint == index._store.metadata["fingerprint"]:
        assert index.search(recipe=recipes()[3])[0].id == "curry"
        assert index.add([recipe("stew", "Stew", ["1 onion"])]).added == 1
        assert index.remove("stew", now=True) == 1
    else:
        edition = chef.load("chef-ttl").about["edition"]
        with pytest.raises(
            ChefError, match=f"made with edition 1 of chef-ttl; edition {edition} is installed"
        ):
            index.search(recipe=recipes()[3])
    assert verify(Store(older)).read == 5
    index.rebuild(model)
    assert index.search(recipe=recipes()[3])[0].id == "curry"
    health = verify(Store(older))
    assert (health.files, health.read, health.unchecked) == ([], 5, 0)


def test_another_model_of_the_same_name(model, tmp_path, monkeypatch):
    own = tmp_path / "model"
    shutil.copytree(model, own)
    Index(tmp_path / "c", own).add(recipes())
    expected = Index(tmp_path / "c").search(recipe=recipes()[0])
    shutil.rmtree(own)
    shutil.copytree(write_model(tmp_path / "other", seed=1), own)
    index = Index(tmp_path / "c")
    assert len(list(index.entries())) == len(list(index.export())) == 6
    assert index.search(text="chicken soup")[0].id == "soup"
    assert index.search(with_=["walnuts"])[0].id == "cake"
    for what in (
        lambda: index.search(image=photo("orange")),
        lambda: index.search(recipe=recipes()[0]),
        lambda: index.add([recipe("stew", "Stew", ["1 onion"])]),
        index.ready,
    ):
        with pytest.raises(ChefError, match="chef index rebuild"):
            what()
    # The one that it was made with is at hand again, among those that come with chef.
    monkeypatch.setattr("chef.bundled.shipped", lambda: {"older": model})
    assert Index(tmp_path / "c").search(recipe=recipes()[0]) == expected
    index.ready()
    assert index.search(recipe=recipes()[0]) == expected
    monkeypatch.undo()
    again = Index(tmp_path / "c")
    assert again.search(text="chicken soup")
    again.rebuild()
    assert again.search(recipe=recipes()[0])[0].id == "soup"


def test_a_backup_of_a_newer_version_is_refused(index, tmp_path):
    index.backup(tmp_path / "b.zip")
    with zipfile.ZipFile(tmp_path / "b.zip") as old, zipfile.ZipFile(tmp_path / "n.zip", "w") as new:
        new.writestr("about.json", old.read("about.json").replace(b'"version": 1', b'"version": 2'))
        new.writestr("recipes.arrow", old.read("recipes.arrow"))
    with pytest.raises(ChefError, match="newer version of chef"):
        restore(tmp_path / "n.zip", Store(tmp_path / "new"))
