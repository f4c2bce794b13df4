import json
import os
from dataclasses import replace

import lancedb
import numpy as np
import pytest

import chef
from chef.bundled import best, cookbook
from chef.errors import ChefError
from chef.files import cache_folder
from chef.index import Added, Index, open_cookbook
from chef.index.store import TABLE
from chef.progress import Progress
from chef.readers import Skipped
from chef.recipe import Recipe
from tests.index.small import export, photo, recipe, recipes, write_model
from tests.tiny import write_source


def test_adding_again_updates_what_changed_alone_and_the_later_of_two_counts(own):
    version = own.version
    assert own.add(recipes()) == Added(unchanged=6)
    assert own.version == version
    changed = replace(recipes()[0], title="Chicken Noodle Soup")
    assert own.add([changed, recipe("new", "New", ["1 egg"]), recipes()[1]]) == Added(1, 1, 1)
    assert own.version > version
    assert own.get("soup").recipe.title == "Chicken Noodle Soup"
    assert own.info().recipes == 7
    assert own.search(text="noodle soup")[0].id == "soup"
    skipped, twins = Skipped(), [recipe("twin", title, ["1 egg"]) for title in ("One", "Two")]
    assert own.add(twins, skipped=skipped) == Added(added=1)
    assert own.get("twin").recipe.title == "Two"
    assert skipped.notes.examples == {"replaced by a later one of its id": ["twin"]}


def test_files_of_one_name_in_two_folders_are_both_added(own, tmp_path):
    for folder in "AB":
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "pie.md").write_text(f"# Pie {folder}\n## Ingredients\n- 1 egg\n")
    both = tmp_path / "A/pie.md", tmp_path / "B/pie.md"
    assert own.add(*both) == Added(added=2)
    assert own.add(*both) == Added(unchanged=2)
    assert [own.get(id).recipe.title for id in ("pie", "B/pie")] == ["Pie A", "Pie B"]


def test_a_changed_photo_under_the_same_name_is_seen(own, tmp_path):
    (tmp_path / "dish.jpg").write_bytes(photo("red"))
    one = recipe("photo", "Dish", ["1 egg"], images=(str(tmp_path / "dish.jpg"),))
    assert own.add([one]) == Added(added=1)
    first = own.thumbnail("photo")
    (tmp_path / "dish.jpg").write_bytes(photo("blue"))
    assert own.add([one]) == Added(updated=1)
    assert own.thumbnail("photo") != first
    assert own.add([one]) == Added(unchanged=1)


def test_recipes_of_files_with_their_photos(tmp_path, model):
    source = write_source(tmp_path / "source", 12, texts=2)
    (source / "images" / "r3.jpg").write_bytes(b"no photo")
    skipped = Skipped()
    index = Index(tmp_path / "c", model)
    assert index.add(source, skipped=skipped) == Added(added=12)
    assert skipped.notes.counts == {"not an image": 1}
    info = index.info()
    assert (info.recipes, info.with_image, info.dimension) == (12, 9, 24)
    assert info.bytes is not None
    assert info.bytes > 10_000
    assert index.thumbnail("r3") is None
    assert (index.thumbnail("r0") or b"")[:2] == b"\xff\xd8"
    assert not index.get("r3").has_image


def test_an_unreadable_source_leaves_nothing_behind(tmp_path, model):
    (tmp_path / "empty").mkdir()
    for source in (tmp_path / "missing", tmp_path / "empty"):
        with pytest.raises(ChefError):
            Index(tmp_path / "c", model).add(source)
    assert not (tmp_path / "c").exists()
    with pytest.raises(ChefError, match="not a recipe"):
        Index(tmp_path / "c", model).add([{"title": "soup"}])
    with pytest.raises(ChefError, match="has no id"):
        Index(tmp_path / "c", model).add([recipe(" ", "Nameless", ["1 egg"])])


def test_removing_all_or_none(own):
    with pytest.raises(ChefError, match="no recipe 'nobody' here"):
        own.remove("soup", "nobody", "no one")
    assert own.info().recipes == 6
    assert own.remove("soup", "cake", "soup") == 2
    assert [entry.id for entry in own.entries()] == ["curry", "rice", "salad", "toast"]
    for read in (own.get, own.thumbnail):
        with pytest.raises(ChefError, match="no recipe 'soup' here"):
            read("soup")


def test_an_entry_says_what_the_model_says(index):
    entry = index.get("soup")
    assert entry.tokens == ["chicken_thighs", "chicken_broth", "onion"]
    assert entry.recipe.ingredients[1].grams is not None
    explanation = index.chef.explain(recipes()[0])
    assert entry.main_ingredient == explanation.main_ingredient == "chicken_thighs"
    assert entry.main_confidence == explanation.main_confidence > 0.5
    (hit,) = index.search(main="chicken", text="soup", k=1)
    assert (hit.id, hit.main_confidence) == ("soup", entry.main_confidence)
    assert entry.actions == [explanation.steps[0].action]


def test_entries_by_parts(index):
    everything = list(index.entries())
    assert [entry.id for entry in everything] == sorted(one.id for one in recipes())
    assert list(index.entries(2, 3)) == everything[2:5]
    assert list(index.entries(5)) == everything[5:]
    assert list(index.entries(9, 2)) == []


def test_an_export_is_the_same_every_time_and_can_be_added_again(index, model, tmp_path):
    lines = export(index.url)
    assert lines == export(index.url)
    assert {"id", "title", "ingredients", "main_ingredient", "actions"} <= next(index.export()).keys()
    (tmp_path / "export.jsonl").write_text(lines)
    Index(tmp_path / "copy", model).add(tmp_path / "export.jsonl")
    assert export(tmp_path / "copy") == lines


def test_another_process_is_seen(own, model):
    other = Index(own.url)
    assert other.search(text="walnut cake")[0].id == "cake"
    own.add([recipe("pie", "Walnut Cake", ["1 cup walnuts"])])
    assert other.version == own.version
    assert {hit.id for hit in other.search(text="walnut cake", k=2)} == {"cake", "pie"}
    own.remove("cake", "pie")
    assert "cake" not in {hit.id for hit in other.search(text="walnut cake")}


def test_rebuilding_keeps_recipes_and_photos(own, tmp_path):
    (tmp_path / "dish.jpg").write_bytes(photo("red", (400, 400)))
    own.add([recipe("photo", "Dish", ["1 egg"], images=(str(tmp_path / "dish.jpg"),))])
    (tmp_path / "dish.jpg").unlink()  # the thumbnail is all that is left
    before = list(own.export())
    point = own._catalogue().photo_vectors[0].vectors
    own.rebuild()
    assert list(own.export()) == before
    assert own.info().with_image == 1
    assert float((own._catalogue().photo_vectors[0].vectors @ point.T)[0, 0]) > 0.99
    assert own.add([recipes()[0]]) == Added(unchanged=1)


def test_an_image_query_scores_by_cosine(index):
    data = photo("orange")
    hits = index.search(data, k=6)
    scores = index.chef.embed_recipes(recipes()) @ index.chef.encoder.embed_photos([data])[0]
    cosines = {one.id: float(score) for one, score in zip(recipes(), scores, strict=True)}
    assert [hit.id for hit in hits] == sorted(cosines, key=lambda id: -cosines[id])
    for hit in hits:
        assert hit.score == pytest.approx(cosines[hit.id], abs=1e-5)
        assert hit.why == [f"looks like your photo ({hit.score:.2f})"]


def test_a_recipe_finds_itself_unless_excluded(index):
    like = recipes()[3]
    first = index.search(recipe=like)[0]
    assert first.id == "curry"
    assert first.score == pytest.approx(1, abs=1e-5)
    assert first.why[1] == "shares beef, coconut milk, red onion"
    assert "curry" not in {hit.id for hit in index.search(recipe=like, exclude=["curry"], k=6)}


def test_filters_alone_come_by_title(index):
    hits = index.search(max_ingredients=3, k=10)
    titles = [hit.title for hit in hits]
    assert titles == sorted(titles, key=str.casefold)
    assert all(len(hit.ingredients) <= 3 for hit in hits)
    assert len(index.search(max_ingredients=3, k=2)) == 2
    assert index.search(tags=["nobody has this"]) == []


def test_hits_explain_themselves(index):
    (hit,) = index.search(text="chicken", with_=["rice"], without=["nuts"], tags=["Quick"], max_ingredients=4)
    assert hit.id == "rice"
    assert hit.why[0] == "the title has 'chicken'"
    assert {"has chicken", "has basmati rice", "tagged Quick", "3 ingredients"} <= set(hit.why)
    assert not any("nuts" in reason for reason in hit.why)  # words cannot promise that nothing is in it
    fields = {"id", "title", "score", "main_ingredient", "actions", "ingredients", "why"}
    assert fields <= hit.to_json().keys()
    said = [replace(hit, main_confidence=sure).mainly for sure in (0.5, 0.49, None)]
    assert said == [hit.main_ingredient, "", ""]


@pytest.mark.parametrize(
    "asked", [{}, {"text": "  "}, {"exclude": ["soup"]}, {"text": "soup", "k": 0}], ids=str
)
def test_an_empty_query_is_an_error(index, asked):
    with pytest.raises(ChefError, match="ask for 1 or more" if "k" in asked else "empty query"):
        index.search(**asked)


def test_real_dishes_near_a_point(tmp_path, model):
    index = Index(tmp_path / "c", model)
    index.add(write_source(tmp_path / "source", 10, texts=3))
    point = index.chef.embed_images([tmp_path / "source" / "images" / "r4.jpg"])[0]
    hits = index.near_photos(point, 20)
    assert hits[0].id == "r4"
    assert hits[0].score == pytest.approx(1, abs=1e-5)
    assert len(hits) == 7  # those that have a photo
    assert "r4" not in {hit.id for hit in index.near_photos(point, 20, exclude=["r4"])}
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)


def test_an_empty_collection_answers_with_nothing(tmp_path, model):
    index = Index(tmp_path / "c", model)
    assert index.add([]) == Added()
    assert index.search(text="soup") == index.near_photos(np.ones(24)) == index.map() == []
    assert list(index.export()) == []
    assert (index.info().recipes, index.vocabulary()[0]) == (0, {})


def test_recall_at_ten_is_that_of_chef_evaluate(tmp_path, model):
    """The share of photos whose recipe is among the first ten hits, on the same recipes."""
    from chef.evaluate.protocol import Request, evaluate

    source = write_source(tmp_path / "source", 60)
    ids = [f"r{number}" for number in range(60)]
    (source / "splits.json").write_text(json.dumps({"test": ids}))
    result = evaluate(Request([(None, model)], source, tasks=["retrieval"])).models[0]
    index = Index(tmp_path / "c", model)
    found: list[Recipe] = list(chef.read(source))
    index.add([replace(one, images=()) for one in found])
    right = sum(one.id in {hit.id for hit in index.search(one.images[0], k=10)} for one in found)
    assert 100 * right / 60 == pytest.approx(result.retrieval["image-to-recipe"]["full"]["R@10"], abs=1e-9)


def test_equal_models_have_equal_fingerprints(model, tmp_path):
    same, other = write_model(tmp_path / "a"), write_model(tmp_path / "b", seed=1)
    assert chef.load(model).fingerprint == chef.load(same).fingerprint
    assert chef.load(model).fingerprint != chef.load(other).fingerprint


def test_names(model):
    assert chef.load().name == best()
    assert chef.load("chef-ttl").name == "chef-ttl"
    assert chef.load(os.path.relpath(model)).name == str(model)


def test_a_model_without_a_name_must_be_given_again(model, tmp_path):
    loaded = chef.load(model)
    loaded.name = ""
    Index(tmp_path / "c", loaded).add(recipes())
    assert Index(tmp_path / "c", loaded).search(text="toast")[0].id == "toast"
    without = Index(tmp_path / "c")
    assert without.search(text="toast")[0].id == "toast"  # by its words
    with pytest.raises(ChefError, match="has no name"):
        without.search(recipe=recipes()[0])


def test_another_model_is_an_error_until_the_collection_is_rebuilt(own, tmp_path):
    other = write_model(tmp_path / "other", seed=1)
    before = own._catalogue().recipe_vectors.vectors
    with pytest.raises(ChefError, match=r"was made with another model .*chef index rebuild"):
        Index(tmp_path / "c", other)
    reader = Index(tmp_path / "c")
    assert reader.search(text="toast")[0].id == "toast"
    own.rebuild(other)
    assert own.info().model == str(other)
    assert abs(own._catalogue().recipe_vectors.vectors - before).max() > 0.01
    # Who has it open goes over to the new model with it.
    assert reader.search(text="toast")[0].score == pytest.approx(own.search(text="toast")[0].score)
    assert reader.chef.fingerprint == chef.load(other).fingerprint


def test_what_others_write_during_a_rebuild_is_kept(model, own, tmp_path):
    other = write_model(tmp_path / "other", seed=1)

    class Meanwhile(Progress):
        def advance(self, steps: int = 1) -> None:
            service = Index(tmp_path / "c")
            if "new" in {entry.id for entry in service.entries()} or service.info().model != str(model):
                return
            service.add([recipe("new", "New Dish", ["1 egg"]), recipe("soup", "Other Soup", ["1 onion"])])
            service.remove("cake")

    own.rebuild(other, progress=Meanwhile())
    expected = Index(tmp_path / "expected", other)
    expected.add([one for one in recipes() if one.id not in ("cake", "soup")])
    expected.add([recipe("new", "New Dish", ["1 egg"]), recipe("soup", "Other Soup", ["1 onion"])])
    assert export(own.url) == export(expected.url)
    hits = [[hit.id for hit in one.search(recipe=recipes()[0])] for one in (own, expected)]
    assert hits[0] == hits[1]


def test_the_cookbook_is_made_once_and_kept(model, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr("chef.index.cookbook.cookbook", lambda: list(cookbook())[:5])
    first = open_cookbook(model)
    assert first.info().recipes == 5
    assert cache_folder() == tmp_path / "chef"
    version = first.version
    again = open_cookbook(str(model))
    assert (again.url, again.version) == (first.url, version)
    assert [str(path) for path in cache_folder().glob("*cookbook*")] == [first.url]  # nothing half-made


def test_a_failure_leaves_nothing(model, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))

    def broken():
        yield next(cookbook())
        raise KeyboardInterrupt

    monkeypatch.setattr("chef.index.cookbook.cookbook", broken)
    with pytest.raises(KeyboardInterrupt):
        open_cookbook(model)
    assert list(cache_folder().glob("*cookbook*")) == []


def test_a_collection_from_before_confidence_still_works(model, tmp_path):
    index = Index(tmp_path / "c", model)
    index.add(recipes()[:2])
    lancedb.connect(tmp_path / "c").open_table(TABLE).drop_columns(["main_confidence"])
    old = Index(tmp_path / "c", model)
    assert (old.get("soup").main_ingredient, old.get("soup").main_confidence) == ("chicken_thighs", None)
    assert old.add(recipes()[2:3]).added == 1
    assert {hit.main_confidence for hit in old.search(main="chicken")} == {None}
    old.rebuild()
    assert all(entry.main_confidence is not None for entry in old.entries())
