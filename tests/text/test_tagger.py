import json
import subprocess
import sys
from threading import Thread

import pytest

from chef.text.verbs import hidden, labeller, new_tagger, pos_tag, register_tagger


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
        "import sys; from chef.text.verbs import pos_tag; pos_tag(['stir']); "
        "assert not {'scipy', 'sklearn'} & set(sys.modules); assert 'nltk' in sys.modules; import scipy.stats"
    )
    pytest.importorskip("scipy")
    subprocess.run([sys.executable, "-c", code], check=True)


LINES = [
    "2 cups flour",
    "1 large red onion, finely chopped",
    "3 cloves garlic or 1 tsp garlic powder",
    "2 tablespoons olive oil plus more for the pan",
    "200 g smoked haddock or cod, skinned",
    "salt and freshly ground black pepper to taste",
    "1 cup (240 ml) warm water, about 40 C",
    "4-5 ripe, juicy plums",
]
PLAIN = """
import json, sys
from chef.text.verbs import register_tagger
register_tagger()
from ingredient_parser import parse_ingredient
lines = json.load(sys.stdin)
print(json.dumps([repr(parse_ingredient(line, string_units=True)) for line in lines]))
"""
BESIDE = """
import sys
from chef.text.verbs import labeller
labeller()("1 cup milk", string_units=True)
assert not {"pint", "ingredient_parser"} & set(sys.modules)
import ingredient_parser
amount = ingredient_parser.parse_ingredient("1 cup milk").amount[0]
print(amount.unit, round(float(amount.convert_to("ml").quantity)))
"""


def run(code: str, given: str = "") -> str:
    command = [sys.executable, "-c", code]
    return subprocess.run(command, input=given, check=True, capture_output=True, text=True).stdout


def test_it_labels_as_the_package_does_when_started_plainly():
    wanted = json.loads(run(PLAIN, json.dumps(LINES)))
    assert [repr(labeller()(line, string_units=True)) for line in LINES] == wanted


def test_who_else_uses_the_package_gets_it_with_units():
    assert run(BESIDE).split() == ["cup", "237"]
