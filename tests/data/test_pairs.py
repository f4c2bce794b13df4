import torch
from torch.utils.data import DataLoader

from chef.data.batches import collate, recipe_batch
from chef.data.images import ImageTransform
from chef.data.pairs import PairDataset
from chef.data.prepared import Prepared
from tests.data.sources import encoded, picture, recipe, write_lines

SMALL = ImageTransform(size=32, crop=24)


def batches(pairs, workers):
    return list(DataLoader(pairs, batch_size=4, collate_fn=collate, num_workers=workers))


def test_worker_processes_give_the_same_batches(prepared):
    pairs = PairDataset(prepared.split("train"), SMALL, training=True, seed=3)
    alone, shared = batches(pairs, 0), batches(pairs, 2)
    assert sum(len(batch) for batch in alone) == len(pairs)
    for one, two in zip(alone, shared, strict=True):
        assert torch.equal(one.images, two.images)
        assert torch.equal(one.changes, two.changes)
        assert torch.equal(one.recipes.sentences, two.recipes.sentences)
        assert torch.equal(one.index, two.index)
    assert alone[0].images.shape == (4, 3, 32, 32)
    assert min(length for batch in alone for length in batch.recipes.sentence_lengths) >= 1


def test_the_epoch_changes_training_pictures_in_living_workers_too(prepared):
    pairs = PairDataset(prepared.split("train"), SMALL, training=True)
    loader = DataLoader(pairs, batch_size=8, collate_fn=collate, num_workers=1, persistent_workers=True)
    epochs = []
    for epoch in (0, 1, 0):
        pairs.set_epoch(epoch)
        batch = next(iter(loader))
        epochs.append(SMALL.finish(batch.images, batch.changes))
    assert torch.equal(epochs[0], epochs[2])
    assert not torch.equal(epochs[0], epochs[1])


def test_evaluation_leaves_nothing_to_chance(prepared):
    pairs = PairDataset(prepared.split("train"), SMALL, training=False)
    for epoch in (0, 5):
        pairs.set_epoch(epoch)
        assert torch.equal(pairs[2].image, SMALL.evaluate(pairs.split.image_bytes(2)))
        assert pairs[2].tokens["title"] == pairs.split.tokens(2)["title"]


def test_five_images_are_kept_and_all_are_drawn(prepare_quick, tmp_path):
    names = [f"images/{number}.png" for number in range(7)]
    for number, name in enumerate(names):
        (tmp_path / "images").mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(encoded(picture(seed=number), "PNG"))
    line = {key: value for key, value in recipe(0).items() if key != "image"}
    write_lines(tmp_path, [{**line, "images": names, "split": "train"}])
    prepare_quick(tmp_path, tmp_path.with_name("out"), workers=1)
    split = Prepared(tmp_path.with_name("out")).split("train")
    assert split.images(0) == 5
    drawn, numbers = set(), {split.image_bytes(0, k): k for k in range(5)}

    class Noting(ImageTransform):
        def train(self, data, random, zoom=0.0):
            drawn.add(numbers[data])
            return super().train(data, random, zoom)

    pairs = PairDataset(split, Noting(size=32, crop=24), training=True)
    for epoch in range(60):
        pairs.set_epoch(epoch)
        pairs[0]
    assert drawn == {0, 1, 2, 3, 4}


SOUP = {"title": [5, 6, 7], "ingredients": [8], "sentences": [[9, 10], [11]]}
NOTHING = {"title": [], "ingredients": [], "sentences": []}
PIE = {"title": [4], "ingredients": [8, 3, 2], "sentences": [[12, 13, 14]]}


def test_padding_lengths_and_flat_sentences():
    batch = recipe_batch([SOUP, NOTHING, PIE])
    assert batch.title.tolist() == [[5, 6, 7], [1, 0, 0], [4, 0, 0]]
    assert batch.title_lengths.tolist() == [3, 1, 1]
    assert batch.ingredients.tolist() == [[8, 0, 0], [1, 0, 0], [8, 3, 2]]
    assert batch.ingredient_lengths.tolist() == [1, 1, 3]
    assert batch.sentences.tolist() == [[9, 10, 0], [11, 0, 0], [1, 0, 0], [12, 13, 14]]
    assert batch.sentence_lengths.tolist() == [2, 1, 1, 3]
    assert batch.steps.tolist() == [2, 1, 1]
    assert len(batch) == 3
