from __future__ import annotations

from collections import Counter

from chef.data.preparing.parts import Part, Record, Summary, load_records, load_texts
from chef.storage import Folder


def test_a_part_comes_back(tmp_path):
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


def test_summaries_add_up():
    total = Summary(truncated=Counter(titles=1))
    total.add(Summary(truncated=Counter(titles=2, sentences=1), tokens=Counter(salt=1)))
    assert total == Summary(truncated=Counter(titles=3, sentences=1), tokens=Counter(salt=1))
