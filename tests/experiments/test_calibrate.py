"""The detector of photos without food, on features that are made up."""

from pathlib import Path

import calibrate
import make_without_food
import numpy as np
import pytest
from PIL import Image


def test_a_detector_that_learned_from_other_folders() -> None:
    random = np.random.default_rng(0)

    def features(count: int, *places: int) -> np.ndarray:
        made = random.normal(size=(count, 8))
        made[:, list(places)] += 6
        return made

    folders = {"roads": features(40, 1), "stars": features(40, 1, 2), "elsewhere": features(40, 5)}
    shares = calibrate.told_apart(features(200), features(200), folders, decay=0.1)
    # What is like the others can be told, what nothing else is like cannot.
    assert min(shares["roads"], shares["stars"]) > 0.7
    assert shares["elsewhere"] < 0.5
    food = calibrate.fit_food(features(200), np.concatenate(list(folders.values())), 0.1)
    photos = features(1000)
    refused = photos @ food[:-1] + food[-1] < calibrate.threshold(food, photos)
    assert refused.mean() == calibrate.REFUSED


def test_pictures_are_chosen_by_their_size_and_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    random = np.random.default_rng(0)
    (tmp_path / "food").mkdir()
    for name, side in (("road.png", 200), ("icon.png", 100), ("orange.png", 200), ("food/pie.png", 200)):
        noise = random.integers(0, 256, (side, side, 3)).astype(np.uint8)
        Image.fromarray(noise).save(tmp_path / name)
    (tmp_path / "text.txt").write_text("no picture")
    assert [file.name for file in make_without_food.pictures(tmp_path)] == ["road.png"]
    monkeypatch.setattr(make_without_food, "MOST", 4)
    files = [Path(str(number)) for number in range(9)]
    assert make_without_food.spread(files) == [files[0], files[3], files[6]]
    assert make_without_food.spread(files[:4]) == files[:4]
    assert make_without_food.spread([]) == []
