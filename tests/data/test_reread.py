from __future__ import annotations

from dataclasses import replace

import pytest

from chef.data.prepared import Prepared
from chef.data.preparing import prepare
from chef.data.reread import Reread
from chef.errors import ChefError
from chef.food.canonical import CanonicalMap, Entry
from tests.data.sources import QUICK, recipe, write_lines, write_source


@pytest.fixture(scope="module")
def other(tmp_path_factory) -> Prepared:
    """Data of other recipes, with a map that knows leeks and no carrots, and shorter texts."""
    folder = tmp_path_factory.mktemp("other")
    source = write_source(folder / "source", 20)
    write_lines(source, [{**recipe(n + 40), "id": f"other-{n}"} for n in range(20)])
    names = ("green beans", "leeks", "walnuts")
    CanonicalMap(Entry(name.replace(" ", "_"), name, 9, "name") for name in names).save(folder / "map.tsv")
    settings = replace(QUICK, max_words=4, max_ingredients=2)
    prepare(source, folder / "out", settings, canonical=folder / "map.tsv", workers=1)
    return Prepared(folder / "out")


def test_recipes_become_what_they_are_where_that_map_and_vocabulary_were_used(
    source, prepared, other, tmp_path
):
    """The oracle: the same source prepared with the other map, numbered by the other vocabulary."""
    settings = replace(QUICK, max_words=4, max_ingredients=2)
    prepare(source, tmp_path / "out", settings, canonical=other.folder / "canonical.tsv", workers=1)
    oracle = Prepared(tmp_path / "out")
    reread = Reread(prepared.folder, other.folder, other.lengths)
    for name in prepared.splits:
        wanted, found = oracle.split(name), reread.split(name)
        assert found.ids == wanted.ids == prepared.split(name).ids
        for i in range(len(found)):
            tokens, theirs = found.tokens(i), wanted.tokens(i)
            for part in ("title", "ingredients"):
                words = [oracle.vocabulary.words[number] for number in theirs[part]]
                assert tokens[part] == other.vocabulary.ids(words)
            words = [[oracle.vocabulary.words[number] for number in line] for line in theirs["sentences"]]
            assert tokens["sentences"] == [other.vocabulary.ids(line) for line in words]
            assert len(found.ingredients(i)) == len(tokens["ingredients"]) == 2
            assert found.image_bytes(i) == prepared.split(name).image_bytes(i)


def test_it_says_whose_words_they_are(prepared, other):
    reread = Reread(prepared.folder, other.folder, other.lengths)
    assert reread.text_folder == other.folder
    assert reread.lengths["max_words"] == 4
    assert len(reread.vocabulary) == len(other.vocabulary)
    assert prepared.text_folder == prepared.folder
    with pytest.raises(ChefError, match="no split 'dinner'"):
        reread.split("dinner")
