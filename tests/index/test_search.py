from __future__ import annotations

from chef.index.search import Pantry


def test_what_is_missing_is_counted_and_named(index, catalogue):
    pantry = Pantry(["chicken", "rice", "onions"], catalogue, index.resolver(catalogue))
    missing = {catalogue.ids[row].as_py(): pantry.missing(row) for row in range(len(catalogue))}
    assert missing["rice"] == []  # salt is a staple
    assert missing["soup"] == ["chicken_broth"]
    assert missing["salad"] == ["tomatoes"]
    assert pantry.counts().tolist() == [len(missing[id.as_py()]) for id in catalogue.ids]


def test_fewest_missing_come_first_whatever_the_likeness(index):
    hits = index.search(pantry=["chicken", "rice", "onion"], k=6)
    assert [len(hit.missing) for hit in hits] == sorted(len(hit.missing) for hit in hits)
    assert hits[0].id == "rice"
    assert "nothing is missing" in hits[0].why
    likened = index.search(text="walnut cake", pantry=["chicken", "rice", "onion"], k=6)
    assert [len(hit.missing) for hit in likened] == sorted(len(hit.missing) for hit in likened)
    assert likened[0].id == "rice"
    assert [hit.score for hit in likened] == sorted((hit.score for hit in likened), reverse=True)
    assert any(why.startswith("missing: ") for why in likened[-1].why)
