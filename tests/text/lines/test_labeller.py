from __future__ import annotations

import json
import subprocess
import sys

from chef.text.lines.labeller import labeller

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
from chef.text.tagger import register_tagger
register_tagger()
from ingredient_parser import parse_ingredient
lines = json.load(sys.stdin)
print(json.dumps([repr(parse_ingredient(line, string_units=True)) for line in lines]))
"""
BESIDE = """
import sys
from chef.text.lines.labeller import labeller
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
