from __future__ import annotations

import shutil

from chef.data.preparing.source import Source
from tests.data.sources import recipe, write_lines, write_source


def digests(folder, size=4):
    return [chunk.digest for chunk in Source(folder, size).chunks()]


def test_chunks_number_their_recipes(tmp_path):
    chunks = list(Source(write_source(tmp_path / "a", 10), 4).chunks())
    numbers = [(chunk.number, chunk.first, len(chunk.recipes)) for chunk in chunks]
    assert numbers == [(0, 0, 4), (1, 4, 4), (2, 8, 2)]
    assert [item.id for chunk in chunks for item in chunk.recipes] == [f"made-{n:03d}" for n in range(10)]


def test_the_digest_is_that_of_the_content_of_its_chunk_wherever_it_lies(tmp_path):
    folder = write_source(tmp_path / "a", 8)
    before = digests(folder)
    shutil.copytree(folder, tmp_path / "far" / "there")
    assert digests(tmp_path / "far" / "there") == before
    (folder / "images" / "006.jpg").write_bytes(b"another picture")
    assert [new == old for new, old in zip(digests(folder), before, strict=True)] == [True, False]
    write_lines(folder, [{**recipe(n), "title": "New" if n == 0 else recipe(n)["title"]} for n in range(8)])
    assert digests(folder)[0] != before[0]


def test_the_second_of_two_recipes_with_one_id_is_skipped_on_every_reading(tmp_path):
    folder = write_source(tmp_path / "a", 3)
    write_lines(folder, [recipe(0), recipe(1), recipe(1), recipe(2)])
    source = Source(folder, 10)
    for _ in range(2):
        (chunk,) = source.chunks()
        assert len(chunk.recipes) + sum(source.skipped.counts.values()) == 4


def test_texts_come_after_the_source_without_photos_and_for_training(tmp_path):
    folder, more = write_source(tmp_path / "a", 5), write_source(tmp_path / "b", 8)
    source = Source(folder, 4, texts=[more])
    chunks = list(source.chunks())
    assert [(chunk.number, chunk.first, len(chunk.recipes), chunk.texts) for chunk in chunks] == [
        (0, 0, 4, False),
        (1, 4, 1, False),
        (2, 5, 3, True),  # the other five have the ids of recipes that came before
    ]
    assert {(item.split, item.images) for item in chunks[2].recipes} == {("train", ())}
    assert all(item.images for item in chunks[0].recipes)
    assert source.skipped.counts == {"same id as an earlier recipe": 5}


def test_recipes_of_some_sources_are_left_out_and_counted(tmp_path):
    folder = write_source(tmp_path / "a", 3)
    write_lines(folder, [{**recipe(n), "source": name} for n, name in enumerate(("mine", "aunt", "mine"))])
    source = Source(folder, 4, without=["mine", "uncle"])
    (chunk,) = source.chunks()
    assert [item.source for item in chunk.recipes] == ["aunt"]
    assert source.skipped.counts == {"source mine left out": 2}
    assert source.unused(source.skipped) == ["uncle"]
