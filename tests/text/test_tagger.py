"""The tagger, and imports without packages that are not needed."""

from __future__ import annotations

import subprocess
import sys
from threading import Thread

import pytest

from chef.text.tagger import hidden, new_tagger, pos_tag, register_tagger


def test_nltk_reads_the_same_tagger_by_itself():
    register_tagger()
    from nltk.tag.perceptron import PerceptronTagger

    ours, theirs = new_tagger(), PerceptronTagger()
    assert len(ours.model.weights) > 90_000
    assert ours.model.weights == theirs.model.weights
    assert (ours.tagdict, ours.classes) == (theirs.tagdict, theirs.classes)
    assert pos_tag(["you", "stir", "the", "sauce"]) == ["PRP", "VBP", "DT", "NN"]
    ours.tagdict["salt"] = "X"
    assert "salt" not in new_tagger().tagdict  # they do not share their words


@pytest.fixture
def package(tmp_path, monkeypatch):
    (tmp_path / "large_one").mkdir()
    (tmp_path / "large_one" / "__init__.py").write_text("")
    (tmp_path / "large_one" / "part.py").write_text("")
    monkeypatch.syspath_prepend(tmp_path)
    yield "large_one"
    for name in [name for name in sys.modules if name.startswith("large_one")]:
        del sys.modules[name]


def test_hidden_inside_and_there_afterwards(package):
    imported_elsewhere = []
    with hidden(package):
        for name in (package, f"{package}.part"):
            with pytest.raises(ImportError):
                __import__(name)
        import json  # all else is there

        assert json
        other = Thread(target=lambda: imported_elsewhere.append(__import__(package)))  # not hidden there
        other.start()
        other.join()
        __import__(package)  # what is loaded stays
    assert imported_elsewhere
    assert __import__(f"{package}.part").part


def test_nltk_comes_without_scipy_and_scipy_still_imports():
    code = (
        "import sys; from chef.text.tagger import pos_tag; pos_tag(['stir']); "
        "assert not {'scipy', 'sklearn'} & set(sys.modules); assert 'nltk' in sys.modules; import scipy.stats"
    )
    pytest.importorskip("scipy")
    subprocess.run([sys.executable, "-c", code], check=True)
