import json
import shutil
from functools import partial
from pathlib import Path

import numpy as np
import pytest
import torch
from PIL import Image, ImageOps

import chef
from chef.data.prepared import Prepared
from chef.data.preparing import prepare
from chef.data.texts import PrepareSettings
from chef.errors import ChefError
from chef.model.artefact import MOST_BYTES, load_weights, save_artefact, save_weights
from chef.model.joint import JointModel
from chef.model.recipe_model import RecipeModel
from chef.model.registry import ModelConfig
from chef.recipe import Ingredient, Recipe, Step
from tests.tiny import write_prepared

RECIPE = Recipe(
    id="1",
    title="Chicken with rice",
    ingredients=(Ingredient("500 g chicken"), Ingredient("1 cup rice"), Ingredient("1 tsp salt")),
    steps=(Step("Chop the chicken and fry. Add rice."), Step("Serve with salt.")),
)


@pytest.fixture(scope="module")
def prepared(tmp_path_factory) -> Prepared:
    return Prepared(write_prepared(tmp_path_factory.mktemp("tiny"), recipes=30))


def write(folder: Path, prepared: Prepared, variant: str = "t+t+l") -> JointModel:
    torch.manual_seed(0)
    config = ModelConfig(variant, vocabulary=len(prepared.vocabulary), word=16, hidden=12, space=24)
    model = JointModel(config).eval()
    place = prepared.folder
    files = (place / "vocabulary.tsv", place / "canonical.tsv")
    save_artefact(folder, model, *files, PrepareSettings(max_words=7), {"seed": 0})
    return model


@pytest.fixture(scope="module")
def folder(prepared, tmp_path_factory) -> Path:
    """A saved t+t+l."""
    place = tmp_path_factory.mktemp("saved") / "model"
    write(place, prepared)
    return place


def test_a_loaded_model_gives_what_the_saved_one_gave(tmp_path, prepared):
    model = write(tmp_path / "model", prepared)
    loaded = chef.load(tmp_path / "model")
    split = prepared.split("train")
    recipes = [split.recipe(place) for place in range(3)]
    with torch.no_grad():
        batch = loaded.encoder.batch([loaded.read(recipe) for recipe in recipes])
        wanted = model.embed_recipes(batch).numpy()
    vectors = loaded.embed_recipes(recipes)
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    np.testing.assert_allclose(vectors, wanted, atol=5e-3)  # half precision on disk
    assert loaded.about == {"seed": 0}


def test_loading_does_not_touch_the_random_state(folder):
    before = torch.random.get_rng_state()
    chef.load(folder)
    assert torch.equal(torch.random.get_rng_state(), before)


def test_words_of_prepared_data_are_read_alike(folder, prepared):
    """A recipe given raw becomes the very numbers that `chef prepare` stored."""
    loaded, split = chef.load(folder), prepared.split("train")
    for place in range(len(split)):
        raw = split.recipe(place)
        raw = raw.with_ingredients(Ingredient(item.line) for item in raw.ingredients)
        batch, tokens = loaded.encoder.batch([loaded.read(raw)]), split.tokens(place)
        assert batch.ingredients[0].tolist() == tokens["ingredients"]
        assert batch.title[0].tolist() == tokens["title"][:7]


def test_a_model_keeps_the_punctuation_of_its_data(folder, prepared, tmp_path):
    settings = PrepareSettings(image_size=32, dimension=4, epochs=1, punctuation=True)
    prepare(prepared.folder.parent / "source", tmp_path / "data", settings, workers=1)
    data = Prepared(tmp_path / "data")
    split = data.split("train")
    config = ModelConfig("t+t+l", vocabulary=len(data.vocabulary), word=16, hidden=12, space=24)
    files = (data.folder / "vocabulary.tsv", data.folder / "canonical.tsv")
    save_artefact(tmp_path / "model", JointModel(config), *files, PrepareSettings(**data.lengths), {})
    loaded = chef.load(tmp_path / "model")
    for place in range(5):
        (sentences,) = [loaded.read(split.recipe(place)).sentences]
        assert sentences[0][-1] == "."
        assert [data.vocabulary.ids(words) for words in sentences] == split.tokens(place)["sentences"]
    assert "." not in chef.load(folder).read(split.recipe(0)).sentences[0]
    without = RecipeModel(loaded.model, loaded.vocabulary, files[1], PrepareSettings(), {})
    assert without.fingerprint != loaded.fingerprint


def test_photos_as_paths_and_as_images(folder, tmp_path):
    loaded = chef.load(folder)
    photo = Image.effect_mandelbrot((120, 90), (-2, -1, 1, 1), 40).convert("RGB")
    photo.save(tmp_path / "photo.png")
    both = loaded.embed_images([tmp_path / "photo.png", photo])
    np.testing.assert_allclose(both[0], both[1], atol=1e-6)
    mirrored = ImageOps.mirror(photo)
    np.testing.assert_allclose(*loaded.embed_images([photo, mirrored], views=2), atol=1e-4)
    assert np.abs(np.subtract(*loaded.embed_images([photo, mirrored]))).max() > 1e-3
    with pytest.raises(ChefError, match="no 3 views"):
        loaded.embed_images([photo], views=3)
    assert loaded.embed_images([]).shape == (0, 24)
    assert loaded.embed_recipes([]).shape == (0, 24)
    (tmp_path / "letter.jpg").write_text("dear friend")
    with pytest.raises(ChefError, match=r"letter\.jpg: not an image"):
        loaded.embed_images([tmp_path / "letter.jpg"])


def test_explain_names_main_ingredient_and_actions(folder):
    explanation = chef.load(folder).explain(RECIPE)
    data = explanation.to_json()
    assert [item["token"] for item in data["ingredients"]] == ["chicken", "rice", "salt"]
    assert data["main_ingredient"] == "chicken"
    assert 0.5 < data["main_confidence"] <= 1
    texts = [step["text"] for step in data["steps"]]
    assert texts == ["Chop the chicken and fry.", "Add rice.", "Serve with salt."]
    assert [step["action"] for step in data["steps"]] == ["chop", "add", "serve"]
    assert all(0.5 < step["confidence"] <= 1 for step in data["steps"])
    assert data["steps"][0]["tree"]["order"] == 4
    json.dumps(data)


def test_what_people_are_told_needs_no_trees(tmp_path, prepared):
    write(tmp_path / "model", prepared, "s+l+l")
    data = chef.load(tmp_path / "model").explain(RECIPE).to_json()
    assert (data["main_ingredient"], data["tree"], data["ingredients"]) == ("chicken", None, [])
    assert [(step["action"], step["tree"]) for step in data["steps"]] == [
        ("chop", None), ("add", None), ("serve", None),
    ]  # fmt: skip


def test_writing_again_replaces_the_old_one(tmp_path, prepared):
    write(tmp_path / "model", prepared)
    write(tmp_path / "model", prepared, "s+l+l")
    assert chef.load(tmp_path / "model").model.config.variant == "s+l+l"
    assert [path.name for path in tmp_path.iterdir()] == ["model"]


def test_damaged_and_foreign_folders_are_one_clear_line(folder, tmp_path):
    def broken(name: str, change) -> str:
        copy = shutil.copytree(folder, tmp_path / name)
        change(copy)
        with pytest.raises(ChefError) as raised:
            chef.load(copy)
        return str(raised.value)

    def truncate(file: Path) -> None:
        file.write_bytes(file.read_bytes()[:-10])

    def with_model(folder: Path, model: object) -> None:
        config = json.loads((folder / "config.json").read_text())
        (folder / "config.json").write_text(json.dumps({**config, "model": model}))

    for number, model in enumerate(([], {})):
        assert "config.json is damaged" in broken(f"model-{number}", partial(with_model, model=model))
    assert "is damaged" in broken("cut", lambda folder: truncate(folder / "weights-00001.safetensors"))
    assert "lacks vocabulary.tsv" in broken("less", lambda folder: (folder / "vocabulary.tsv").unlink())
    assert "not a chef model" in broken("other", lambda folder: (folder / "config.json").write_text("{}"))
    assert "cannot be read" in broken("no-json", lambda folder: (folder / "config.json").write_text("{"))
    assert "no model in" in broken("empty", lambda folder: (folder / "config.json").unlink())
    with pytest.raises(ChefError, match="no model in"):
        chef.load(tmp_path / "nowhere")


def test_weights_come_back_in_half_precision(tmp_path):
    tensors = {"a": torch.randn(30, 7), "b": torch.arange(5), "c": torch.tensor(2.5)}
    (name,) = save_weights(tmp_path, tensors)
    loaded = load_weights([tmp_path / name])
    assert torch.equal(loaded["a"], tensors["a"].half().float())
    assert torch.equal(loaded["b"], tensors["b"])
    assert loaded["c"] == 2.5
    (tmp_path / name).write_bytes((tmp_path / name).read_bytes()[:60])
    with pytest.raises(ChefError, match="damaged or missing weights: weights-00001"):
        load_weights([tmp_path / name])


def test_eight_bits_cost_half_a_step_of_each_row(tmp_path):
    large, row = torch.randn(200, 90) * torch.logspace(-6, 2, 200)[:, None], torch.randn(20_000)
    large[7] = 0
    tensors = {
        "large": large,
        "row": row,
        "convolution": torch.randn(40, 40, 3, 3),
        "small": torch.randn(8, 8),
        "whole": torch.arange(20_000).view(100, 200),
    }
    loaded = load_weights(tmp_path / name for name in save_weights(tmp_path, tensors, eight_bits=True))
    step = large.abs().amax(1) / 127
    assert ((loaded["large"] - large).abs().amax(1) <= 0.501 * step).all()
    assert not torch.equal(loaded["large"], large)
    for name in ("row", "small", "convolution"):
        assert torch.equal(loaded[name], tensors[name].half().float())
    assert torch.equal(loaded["whole"], tensors["whole"])


def test_every_file_is_under_15_mb_even_for_one_large_tensor(tmp_path):
    rows = 3 * MOST_BYTES // (2 * 100) + 17
    tensors = {"words": torch.arange(rows * 100, dtype=torch.float32).reshape(rows, 100) % 1000}
    tensors["rest"] = torch.ones(MOST_BYTES // 4)
    files = save_weights(tmp_path, tensors)
    assert len(files) >= 4
    assert all((tmp_path / name).stat().st_size < 15_000_000 for name in files)
    loaded = load_weights(tmp_path / name for name in files)
    assert torch.equal(loaded["words"], tensors["words"])
    assert torch.equal(loaded["rest"], tensors["rest"])


def test_many_are_embedded_as_each_alone_and_threads_stay_as_they_were(folder, prepared):
    model = chef.load(folder)
    threads = torch.get_num_threads()
    draw = np.random.default_rng(0)
    photos = [Image.fromarray(draw.integers(0, 255, (90, 120, 3), np.uint8)) for _ in range(19)]
    alone = np.concatenate([model.embed_images([photo]) for photo in photos])
    np.testing.assert_allclose(model.embed_images(photos), alone, atol=1e-5)
    recipes = [RECIPE, *(prepared.split("train").recipe(place) for place in range(5))]
    alone = np.concatenate([model.embed_recipes([recipe]) for recipe in recipes])
    np.testing.assert_allclose(model.embed_recipes(recipes), alone, atol=1e-5)
    assert torch.get_num_threads() == threads
