"""A collection that is searched on disk must answer like one in memory."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from chef.errors import ChefError
from chef.index import Index, lance_indexes, on_disk
from chef.index.filters import Filters
from chef.index.on_disk import DiskCatalogue
from chef.index.query import Query, build_query, lexical_scores
from chef.rewrite.suggest import suggest
from tests.index.small import SPACE, photo, recipe, recipes
from tests.index.test_grown import answers, more


@pytest.fixture
def pair(model, tmp_path, monkeypatch):
    """The same recipes in two collections: in memory, and on disk with a vector index."""
    monkeypatch.setattr(lance_indexes, "_MIN_ROWS", 30)
    monkeypatch.setattr(lance_indexes, "PARTITION", 16)
    monkeypatch.setattr(on_disk, "_FEW", 3)
    picture = tmp_path / "red.jpg"
    picture.write_bytes(photo("red"))
    given = [*recipes(), *more(np.random.default_rng(0), 80)]
    given[0] = replace(given[0], images=(str(picture),))
    found = Index(tmp_path / "memory", model), Index(tmp_path / "disk", model)
    for index in found:
        index.add(given)
    assert found[1].optimize("lance") == "lance"
    return found


def test_both_engines_answer_alike(pair):
    memory, disk = pair
    assert isinstance(disk._catalogue(), DiskCatalogue)
    assert {index.name for index in disk._store.table.list_indices()} >= {"vector", "words_text", "tokens"}
    assert answers(disk) == answers(memory)
    words = {"text": "chicken rice salad with butter", "without": ["nuts"]}
    for asked in (words, {"text": "soup", "pantry": ["rice"]}, {"recipe": recipes()[3]}, {"diet": "vegan"}):
        hits = [index.search(**asked, k=3) for index in pair]
        assert [hit.score for hit in hits[0]] == pytest.approx([hit.score for hit in hits[1]], abs=1e-6)
        assert hits[0].match == hits[1].match
    assert list(disk.export()) == list(memory.export())
    assert [entry.id for entry in disk.entries(3, 2)] == [entry.id for entry in memory.entries(3, 2)]
    assert {point.id for point in disk.map()} == {point.id for point in memory.map()}
    assert suggest(disk, recipes()[2], "walnuts", 5) == suggest(memory, recipes()[2], "walnuts", 5)


def test_what_is_written_is_found_before_it_is_indexed_and_what_is_removed_is_not(pair):
    memory, disk = pair
    for index in pair:
        reader = Index(index.url, create=False)
        reader.search(text="soup")
        index.remove("curry", "cake")
        index.add([replace(recipes()[2], id="new", title="Kohlrabi Cake")])
        index.add([replace(recipes()[4], title="Potato Salad")])
        assert reader.search(text="kohlrabi")[0].id == "new"
        assert reader.search(text="potato salad")[0].id == "salad"
        assert "curry" not in {hit.id for hit in reader.search(vector=np.ones(SPACE), k=200)}
    assert answers(disk)[:-2] == answers(memory)[:-2]  # the counts of names lag behind
    disk.optimize()
    assert disk._store.table.index_stats("vector").num_unindexed_rows == 0
    assert answers(disk)[:-2] == answers(memory)[:-2]
    assert answers(Index(disk.url, create=False)) == answers(memory)
    for index in pair:
        index.remove("new", now=True)
    assert disk._store.table.index_stats("vector").num_unindexed_rows == 0
    files = [path for path in Path(disk.url).rglob("*") if path.is_file()]
    assert {path.parent for path in files if "_indices" in path.parts} == lance_indexes.folders(disk._store)
    assert not any(b"kohlrabi" in path.read_bytes().lower() for path in files)
    assert answers(disk)[:-2] == answers(memory)[:-2]


def test_a_dish_that_is_mainly_what_was_asked_for_is_on_the_shortlist(model, tmp_path, monkeypatch):
    """However many others have all of the words and are nearer."""
    monkeypatch.setattr(on_disk, "_SHORT", 1)
    soups = [recipe(f"s{n}", f"Bean Soup {n}", ["500 g white beans", "1 tomato"]) for n in range(40)]
    index = Index(tmp_path / "c", model)
    index.add([*soups, recipe("gazpacho", "Gazpacho", ["1 kg tomatoes", "1 tsp salt"])])
    memory = index._catalogue()
    vectors = memory.recipe_vectors.vectors
    away = vectors[memory.row("s1")] - vectors[memory.row("gazpacho")]
    assert index.optimize("lance") == "lance"
    disk = Index(index.url, create=False)._catalogue()
    assert isinstance(disk, DiskCatalogue)
    (part,) = build_query(lambda: index.chef, None, "tomato soup", None, None, None, SPACE).parts
    query, resolver = Query((replace(part, vector=away),)), index.resolver(disk)
    found = disk.shortlist(query, Filters(), [], frozenset(), resolver, 1)
    assert found.row("gazpacho") is not None
    assert len(found) < len(soups)
    scores = lexical_scores(found, resolver, part)
    assert scores.argmax() == found.row("gazpacho")
    everywhere = lexical_scores(memory, index.resolver(memory), part)
    assert scores.max() == pytest.approx(everywhere[memory.row("gazpacho")], abs=1e-6)


def test_recall_is_what_the_probes_make_it(pair, monkeypatch):
    """The vector index is what answers: with one partition and no refining some hits are missed."""
    memory, disk = pair
    queries = np.random.default_rng(2).standard_normal((20, SPACE))

    def found(index: Index) -> list[set[str]]:
        return [{hit.id for hit in index.search(vector=query, k=10)} for query in queries]

    exact = found(memory)
    assert found(disk) == exact
    monkeypatch.setattr(on_disk, "_PROBES", 1)
    monkeypatch.setattr(on_disk, "_REFINED", 1)
    assert found(disk) != exact


@pytest.mark.parametrize("place", ["folder", "bucket"])
def test_engines_are_chosen_and_half_precision_is_kept(model, tmp_path, monkeypatch, request, place):
    where = str(tmp_path) if place == "folder" else request.getfixturevalue("s3").bucket()
    index = Index(f"{where}/c", model)
    index.add(recipes(), half=True)
    assert index._store.schema.field("vector").type.value_type == "halffloat"
    before = [(hit.id, hit.why) for hit in index.search(text="chicken soup")]
    with pytest.raises(ChefError, match="unknown engine"):
        index.optimize("lanse")
    assert index.optimize() == index.optimize(if_due=True) == "memory"  # a small one
    monkeypatch.setattr(lance_indexes, "LARGE", 6)
    assert index.optimize(if_due=True) == "lance"
    assert [(hit.id, hit.why) for hit in index.search(text="chicken soup")] == before
    index.rebuild()
    assert isinstance(index._catalogue(), DiskCatalogue)
    assert index._store.schema.field("vector").type.value_type == "halffloat"
    assert index.optimize("memory") == index.optimize(if_due=True) == "memory"
    assert [(hit.id, hit.why) for hit in index.search(text="chicken soup")] == before
