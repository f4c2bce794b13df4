from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from chef.data.preparing.parts import (
    Part,
    Plan,
    Record,
    Summary,
    in_order,
    load_records,
    load_texts,
    make_plan,
)
from chef.data.preparing.workplace import part, part_name
from chef.errors import ChefError
from chef.storage import Folder
from chef.text.vocabulary import Vocabulary
from tests.data.sources import QUICK


def make_parts(folder, counts):
    for number, split_counts in enumerate(counts):
        words = Counter(salt=3, rare=1 if number == 0 else 0)
        summary = Summary(splits=Counter(split_counts), words=+words, raw_words=+words)
        name = part(part_name(number, "d" * 16))
        Part(summary, f"raw {number}\n", f"canonical {number}\n", ()).save(Folder(folder), name)
    return ["d" * 16] * len(counts)


def test_every_recipe_goes_into_one_shard_in_order(tmp_path):
    counts = [{"train": 3, "val": 1}, {"train": 9}, {"val": 2}, {"train": 4, "test": 1}]
    digests = make_parts(tmp_path, counts)
    plan = make_plan(Folder(tmp_path), digests, replace(QUICK, shard_recipes=5))
    assert [shard.name for shard in plan.shards] == [
        "train-00000", "train-00001", "train-00002", "train-00003", "val-00000", "test-00000",
    ]  # fmt: skip
    for split in ("train", "val", "test"):
        shards = [shard for shard in plan.shards if shard.split == split]
        sizes = [sum(piece.count for piece in shard.pieces) for shard in shards]
        assert all(size == 5 for size in sizes[:-1])
        taken = [
            (piece.part, place)
            for shard in shards
            for piece in shard.pieces
            for place in range(piece.first, piece.first + piece.count)
        ]
        assert taken == [
            (part_name(number, "d" * 16), place)
            for number, split_counts in enumerate(counts)
            for place in range(split_counts.get(split, 0))
        ]


def test_vocabulary_text_and_plan_are_written(tmp_path):
    digests = make_parts(tmp_path, [{"train": 1}, {"train": 1}])
    plan = make_plan(Folder(tmp_path), digests, replace(QUICK, minimum_count=2))
    assert Vocabulary.load(tmp_path / "work" / "vocabulary.tsv").words[2:] == ("salt",)
    assert (tmp_path / "work" / "canonical.txt").read_text() == "canonical 0\ncanonical 1\n"
    assert Plan.load(Folder(tmp_path)) == plan


def test_no_training_recipes_is_an_error_and_splits_have_their_order(tmp_path):
    with pytest.raises(ChefError, match="train split"):
        make_plan(Folder(tmp_path), make_parts(tmp_path, [{"dev": 3}]), QUICK)
    assert in_order(["zoo", "test", "extra", "train", "val"]) == ["train", "val", "test", "extra", "zoo"]


def test_a_part_is_read_as_written(tmp_path):
    store = Folder(tmp_path)
    summary = Summary(splits=Counter(train=2, test=1), words=Counter(salt=3))
    records = (
        Record("00000000", "train", {"id": "a"}, (b"one", b"two")),
        Record("00000001", "test", {"id": "b"}, ()),
        Record("00000002", "train", {"id": "c"}, (b"three",)),
    )
    Part(summary, "salt it\n", "the_salt it\n", records).save(store, "a.tar")
    assert load_texts(store, "a.tar") == (summary, b"salt it\n", b"the_salt it\n")
    assert list(load_records(store, "a.tar", "train")) == [records[0], records[2]]
    assert list(load_records(store, "a.tar", "test")) == [records[1]]
    assert list(load_records(store, "a.tar", "val")) == []
    summary.add(Summary(splits=Counter(test=2), tokens=Counter(salt=1)))
    assert summary == Summary(Counter(train=2, test=3), words=Counter(salt=3), tokens=Counter(salt=1))
