"""The card of a tiny model on the generated kitchen."""

import json
import re
from pathlib import Path
from statistics import fmean

import card as card_script
import pytest
import torch

import chef
from chef.data.kitchen import write_kitchen
from chef.data.texts import PrepareSettings
from chef.food.canonical import SHIPPED
from chef.model.artefact import save_artefact
from chef.model.joint import JointModel
from chef.model.registry import ModelConfig
from chef.text.vocabulary import Vocabulary
from tests.report.made import result

ABOUT = {"epoch": 3, "validation": {"R@1": 12.34}, "settings": {"model": "t+t+l", "seed": 1}}


@pytest.fixture(scope="module")
def place(tmp_path_factory) -> Path:
    """A kitchen, a model, and results of two seeds."""
    folder = tmp_path_factory.mktemp("card")
    write_kitchen(folder / "kitchen", recipes=240, seed=0, size=48)
    words = Vocabulary.build({"salt": 9, "rice": 9, "stir": 9}, minimum=1)
    words.save(folder / "vocabulary.tsv")
    torch.manual_seed(0)
    model = JointModel(ModelConfig("t+t+l", vocabulary=len(words), word=8, hidden=8, space=16))
    files = (folder / "vocabulary.tsv", SHIPPED)
    save_artefact(folder / "model", model, *files, PrepareSettings(max_words=6), ABOUT)
    for seed in (0, 1):
        (folder / f"seed-{seed}.json").write_text(json.dumps(result("t+t+l", seed)))
    return folder


def run(place: Path, *more: str) -> int:
    arguments = [place / "model", "--data", place / "kitchen", "--out", place / "card.md", *more]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.argv", ["card.py", *map(str, arguments)])
        return card_script.main()


def results(place: Path) -> list[str]:
    return ["--results", *map(str, sorted(place.glob("seed-*.json")))]


@pytest.fixture(scope="module")
def card(place) -> str:
    assert run(place, *results(place), "--name", "t+t+l", "--command", "chef train prepared --out run") == 0
    return (place / "card.md").read_text()


def test_layers_in_eight_bits_count_as_parameters() -> None:
    name = "chef-base"
    whole = chef.load(name, eight_bits=False).model
    counted = card_script.about(name, card_script.find(Path(name)), chef.load(name))["parameters"]
    assert counted == f"{sum(parameter.numel() for parameter in whole.parameters()) / 1e6:.1f}"
    assert f"{counted} million parameters" in (card_script.find(Path(name)) / "MODEL_CARD.md").read_text()


def row(card: str, start: str) -> list[str]:
    (line,) = [line for line in card.splitlines() if line.startswith(f"| {start} |")]
    return [cell.strip() for cell in line.strip("|").split("|")[1:]]


def test_it_has_all_its_parts_every_blank_is_filled_and_nothing_is_quoted(card, place):
    for title in ("What it is for", "Figures", "Known failures", "Data", "Training", "Licence"):
        assert f"\n## {title}\n" in card
    assert not re.search(r"\{\w+\}|\bnan\b|None", card)
    for recipe in chef.read(place / "kitchen"):
        assert recipe.title.lower() not in card.lower()


def test_figures_are_means_over_seeds_and_intervals_of_this_one(card, place):
    cells = [result("t+t+l", seed)["retrieval"]["image-to-recipe"]["full"] for seed in (0, 1)]
    mean = fmean(cell["R@1"] for cell in cells)
    assert row(card, "Image to recipe, all seeds")[1].startswith(f"{mean:.1f} ±")
    low, high = cells[1]["ci"]["R@1"]
    assert row(card, "Image to recipe, this model")[1] == f"{cells[1]['R@1']:.1f} [{low:.1f}, {high:.1f}]"


def test_failures_on_the_test_split_sources_and_training(card, place):
    splits = json.loads((place / "kitchen" / "splits.json").read_text())
    photos = int(re.search(r"for (\d+) of (\d+) photos", card)[2])
    assert int(row(card, "5 to 14")[0]) <= photos == len(splits["test"])
    counts = row(card, "generated kitchen")
    assert counts[:3] == [str(len(splits[name])) for name in ("train", "val", "test")]
    assert "chef train prepared --out run" in card
    assert "epoch 3" in card
    assert "R@1 12.3" in card


def test_results_of_other_models_are_one_clear_line(place, capsys):
    assert run(place, *results(place)) == 2
    said = capsys.readouterr().err
    assert said == "error: no figures of 'model' in the results (give --name, one of t+t+l)\n"


def write_recipes(folder: Path, recipes: list[dict], splits: dict | None = None) -> str:
    folder.mkdir()
    (folder / "photo.jpg").write_bytes(b"any")
    whole = {"ingredients": ["1 egg"], "instructions": ["Boil."]}
    lines = [json.dumps({"title": f"Egg {one['id']}", **whole, **one}) for one in recipes]
    (folder / "recipes.jsonl").write_text("\n".join(lines))
    if splits:
        (folder / "splits.json").write_text(json.dumps(splits))
    return str(folder)


def test_every_source_with_its_licence_and_its_recipes_by_use(tmp_path):
    photo = {"image": "photo.jpg"}
    data = write_recipes(
        tmp_path / "data",
        [
            {"id": "1", "source": "ann/eggs", "license": "MIT (repo file LICENSE)", **photo},
            {"id": "2", "source": "ann/eggs", "license": "MIT (repo file LICENSE)", **photo},
            {"id": "3", "source": "bob/pans", "license": "none stated", **photo},
            {"id": "4", "source": "bob/pans"},
            {"id": "5", "source": "shut/away", **photo},
            {"id": "6", "source": "not/used", **photo},
        ],
        {"train": ["1", "3", "4", "5"], "test": ["2"], "extra": ["6"]},
    )
    more = [{"id": str(number), "source": "ann/eggs"} for number in range(3)]
    texts = write_recipes(tmp_path / "texts", more)
    ann, bob = sources = card_script.count_sources(data, [texts], without=["shut/away"])
    assert (ann.name, bob.name) == ("ann/eggs", "bob/pans")
    assert (ann.licence, bob.licence) == ("MIT (repo file LICENSE)", "none stated")
    assert dict(ann.counts) == {"train": 1, "test": 1, card_script.TEXTS: 3}
    assert dict(bob.counts) == {"train": 1, card_script.TEXTS: 1}
    assert card_script.licences(sources) == {"MIT": 5, "none stated": 2}
