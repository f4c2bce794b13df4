from __future__ import annotations

import pickle
import subprocess
import sys

import pytest

from chef.errors import ChefError
from chef.text.tagger import ensure_tagger, new_tagger, pos_tag, read_plain_pickle


def test_tags():
    assert pos_tag(["you", "stir", "the", "sauce"]) == ["PRP", "VBP", "DT", "NN"]


def test_plain_data_is_read_without_unpickling():
    value = ({"a": {"b": 1.5, "c": 2.0}, "d": {}}, {"c": "d", "e": "a"}, {"x", "y"})
    weights, tags, classes = read_plain_pickle(pickle.dumps(value, protocol=2))
    assert (weights, tags, set(classes)) == value


class Hostile:
    def __reduce__(self):
        return (print, ("run by a pickle",))


def test_anything_but_plain_data_is_refused(capsys):
    with pytest.raises(ChefError, match="more than plain data"):
        read_plain_pickle(pickle.dumps(Hostile(), protocol=2))
    assert capsys.readouterr().out == ""


def test_made_from_nothing_in_a_new_folder(tmp_path):
    code = "from chef.text.tagger import ensure_tagger; print(ensure_tagger())"
    environment = {"CHEF_CACHE": str(tmp_path), "PATH": "", "HOME": str(tmp_path)}
    run = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    )
    assert run.stdout.startswith(str(tmp_path))
    assert len(list(tmp_path.rglob("*.json"))) == 3


def test_weights_read_late_are_the_weights_that_nltk_reads():
    ensure_tagger()
    from nltk.tag.perceptron import PerceptronTagger

    ours, theirs = new_tagger(), PerceptronTagger()
    assert len(ours.model.weights) == len(theirs.model.weights) > 90_000
    for feature, weights in theirs.model.weights.items():
        assert ours.model.weights[feature] == weights
    assert (ours.tagdict, ours.classes) == (theirs.tagdict, theirs.classes)


def test_taggers_do_not_share_their_words():
    one, other = new_tagger(), new_tagger()
    one.tagdict["salt"] = "X"
    assert "salt" not in other.tagdict


def test_the_folder_is_known_to_nltk():
    import nltk.data

    assert str(ensure_tagger().parent.parent) in nltk.data.path
