import csv
import json
from dataclasses import replace
from pathlib import Path

import pytest

from chef.contents import contents
from chef.recipe import Ingredient, Recipe, Step

HERE = Path(__file__).parent / "probes"


def table(name):
    with (HERE / name).open(encoding="utf-8") as stream:
        rows = csv.reader(stream, delimiter="\t", quoting=csv.QUOTE_NONE)
        return [row for row in rows if row and row[0][:1] != "#"]


def listed(cell):
    return {name.strip() for name in cell.split(",") if name.strip()}


def reading(way, text):
    plain = Recipe("1", "Dish", (Ingredient("1 pinch salt"),), (Step("Cook it."),))
    if way == "title":
        return contents(replace(plain, title=text))
    if way == "step":
        return contents(replace(plain, steps=(Step(text),)))
    return contents(replace(plain, ingredients=(*plain.ingredients, Ingredient(text))))


PROBES = [row for row in table("contents.tsv") if row[0] != "way"]


@pytest.mark.parametrize("way", sorted({row[0] for row in PROBES}))
def test_no_probe_leaks(way):
    """Every line of the probes, written before the filter, is caught or said to be not understood."""
    leaks = []
    for _, text, contained, may in (row for row in PROBES if row[0] == way):
        found = reading(way, text)
        # A heading, a step and a title name a dish or a part: what that may contain shows in the lines.
        wanted = listed(contained) | (set() if way in ("list", "step", "title") else listed(may))
        missing = wanted - {*found.contains, *found.may}
        if missing and not found.not_understood and found.is_english:
            leaks.append((text, sorted(missing)))
    assert leaks == []


def test_lookalikes_are_not_named():
    wrong = []
    for text, groups in table("lookalikes.tsv"):
        found = reading("line", text)
        if named := listed(groups) & {*found.contains, *found.may}:
            wrong.append((text, sorted(named)))
    assert wrong == []


def test_recipes_in_other_languages_are_never_told_as_read(chef_data):
    with (chef_data / "other-languages" / "recipes.jsonl").open(encoding="utf-8") as stream:
        given = [fields for fields in map(json.loads, stream) if fields["language"] in ("de", "fr", "es")]
    assert len(given) > 600
    for fields in given:
        lines, steps = map(Ingredient, fields["ingredients"]), map(Step, fields["instructions"])
        read = contents(Recipe(fields["id"], fields["title"], tuple(lines), tuple(steps)))
        assert read.not_understood or not read.is_english
