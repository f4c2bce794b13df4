from __future__ import annotations

from chef.readers.base import Skipped


def test_counts_are_full_and_examples_few() -> None:
    skipped = Skipped()
    for number in range(100):
        skipped.add("no title", f"line {number}", "empty")
    skipped.notes.add("missing image", "line 1", "pie.jpg")
    assert skipped.counts == {"no title": 100}
    assert skipped.total == 100
    assert skipped.examples["no title"][0] == "line 0: empty"
    assert len(skipped.examples["no title"]) == 5
    assert skipped.notes.counts == {"missing image": 1}


def test_nothing_read_is_told_in_one_line() -> None:
    skipped = Skipped()
    skipped.add("not JSON", "a.jsonl line 1")
    skipped.add("no title", "a.jsonl line 2")
    skipped.add("no title", "a.jsonl line 3")
    message = str(skipped.nothing_from("a.jsonl"))
    assert "a.jsonl: no title (2), not JSON (1); first: a.jsonl line 2" in message
    assert "\n" not in message
    assert "no recipe could be read from b" in str(Skipped().nothing_from("b"))
