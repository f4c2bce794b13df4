import json

import pytest

from chef.errors import ChefError
from chef.model.registry import ModelConfig, models, ours, peers, variant, variants

LETTERS = {"s": "set", "g": "gru", "l": "lstm", "t": "tree"}
PAPER = ["s+l+l", "s+t+t", "g+l+l", "g+t+l", "g+t+t", "t+l+l", "t+l+t", "t+t+l", "t+t+t"]


@pytest.mark.parametrize("name", PAPER)
def test_letters_mean_ingredients_sentences_instructions(name: str) -> None:
    entry = variant(name.upper())
    letters = [LETTERS[letter] for letter in name.split("+")]
    assert [entry.ingredients, entry.sentences, entry.instructions] == letters
    assert not entry.attention


def test_peers_bring_their_own_objective_and_the_papers_variants_none() -> None:
    assert set(variants()) == {*PAPER, "g+l+l-attention"}
    assert list(peers()) == ["pic2rec", "acme", "h-t", "afternoon"]
    assert all("kind" in entry.objective for entry in peers().values())
    assert not any(entry.objective for entry in variants().values())
    assert list(models()) == [*variants(), *peers(), *ours()]
    assert variant("H-T").title == "transformer"
    assert variant("pic2rec").title is None


def test_unknown_name_suggests_the_right_one() -> None:
    with pytest.raises(ChefError, match=r"did you mean 't\+t\+l'"):
        variant("ttl+t+l")
    with pytest.raises(ChefError, match="known: "):
        variant("bert")


def test_a_configuration_comes_back_from_json_with_the_papers_defaults() -> None:
    config = ModelConfig("t+t+l", 400, {"kind": "small-cnn", "size": 96}, hidden=60)
    assert ModelConfig.from_json(json.loads(json.dumps(config.to_json()))) == config
    old = ModelConfig.from_json({"variant": "t+t+l", "vocabulary": 400})  # from before there was MiniLM
    assert old.words == {"kind": "vectors"}
    assert (old.word, old.hidden, old.space) == (300, 600, 1024)


@pytest.mark.parametrize(
    ("data", "message"),
    [({"variant": "t+t+l", "vocabulary": 3, "hiden": 5}, "hiden"), ({"variant": "t+t+l"}, "vocabulary")],
)
def test_a_configuration_with_unknown_or_missing_settings(data: dict, message: str) -> None:
    with pytest.raises(ChefError, match=message):
        ModelConfig.from_json(data)
