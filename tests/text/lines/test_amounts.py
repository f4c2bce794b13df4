"""Numbers, amounts, and what amounts say together."""

import pytest

from chef.text.lines import parse_line
from chef.text.lines.amounts import Quantity, find, read, spell_out, value


def _read(text: str) -> Quantity:
    quantity = read(text, find(text))
    assert quantity is not None
    return quantity


def _parts(text: str) -> list[tuple[float, str]]:
    return [(pytest.approx(value), unit.name if unit else "") for value, unit in _read(text).parts]


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("3", 3), ("1/2", 0.5), ("1 1/2", 1.5), ("1-1/2", 1.5), ("2.25", 2.25), ("1,5", 1.5), (".5", 0.5),
        ("1,000", 1000), ("12,500", 12500),
    ],
)  # fmt: skip
def test_value(text: str, number: float) -> None:
    assert value(text) == pytest.approx(number)


@pytest.mark.parametrize(
    ("text", "digits"),
    [
        ("two onions", "2 onions"), ("half a lemon", "1/2 lemon"),
        ("one and a half cups milk", "1 1/2 cups milk"), ("1 and 1/2 cups milk", "1 1/2 cups milk"),
        ("half a dozen eggs", "6 eggs"), ("2 dozen clams", "24 clams"),
        ("a few sprigs dill", "3 sprigs dill"), ("juice of half a lime", "juice of 1/2 lime"),
        ("half and half", "half and half"), ("five-spice powder", "five-spice powder"),
        ("peaches, cut in half", "peaches, cut in half"),
    ],
)  # fmt: skip
def test_spell_out(text: str, digits: str) -> None:
    assert spell_out(text) == digits


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("2tbsp honey", 2, "tablespoon"), ("2-4 tsp salt", 3, "teaspoon"),
        ("1 to 1 1/2 cups peas", 1.25, "cup"), ("1/2-1 cup stock", 0.75, "cup"),
        ("1 heaping tsp. cumin", 1, "teaspoon"), ("2 lg. cloves garlic", 2, "clove"),
        ("2 or 3 limes", 2.5, None), ("2 rib eye steaks", 2, None), ("1,5 dl cream", 1.5, "deciliter"),
    ],
)  # fmt: skip
def test_find(text: str, value: float, unit: str | None) -> None:
    first = find(text)[0]
    assert first.value == pytest.approx(value)
    assert (first.unit.name if first.unit else None) == unit


@pytest.mark.parametrize("text", ["7up", "5-spice powder", "2% milk", "00 flour", "3-bean salad"])
def test_numbers_of_a_name_are_no_amounts(text: str) -> None:
    assert find(text) == []


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("2 (14 oz) cans beans", [(28, "ounce")]),
        ("2-15oz cans corn", [(30, "ounce")]),
        ("2 cans (400 g each) lentils", [(800, "gram")]),
        ("400 g can chickpeas", [(400, "gram")]),
        ("4 (6 ounce) salmon fillets", [(24, "ounce")]),
        ("1 lb / 450 g beef", [(1, "pound")]),
        ("2 sticks (226 g) butter", [(226, "gram")]),
        ("2 eggs (55 g each)", [(110, "gram")]),
        ("1 cup plus 2 tablespoons sugar", [(1, "cup"), (2, "tablespoon")]),
        ("1 lb 4 oz mince", [(1, "pound"), (4, "ounce")]),
        ("1 onion (or 50 g shallots)", [(1, "")]),
        ("2 pounds beef, cut into 1-inch cubes", [(2, "pound")]),
    ],
)
def test_parts_to_weigh(text: str, parts: list[tuple[float, str]]) -> None:
    assert _parts(text) == parts


def test_amount_as_the_author_counts() -> None:
    cans = _read("2 (14 oz) cans beans")
    assert (cans.amount, cans.unit.name if cans.unit else None) == (2, "can")
    assert _read("1 cup plus 2 tablespoons sugar").amount == pytest.approx(1.125)
    ginger = _read("2 (1-inch) pieces ginger")
    assert (ginger.amount, ginger.unit.name if ginger.unit else None) == (2, "inch")
    # The length of a preparation is no amount.
    assert read("beef, cut into 1-inch cubes", find("beef, cut into 1-inch cubes")) is None


@pytest.mark.parametrize("digits", [10, 320, 350, 399])
@pytest.mark.parametrize(
    "pattern",
    [
        "{}/2 cups flour",
        "{} cups flour",
        "1/{} cup flour",
        "{}/{} cups flour",
        "1-{} cups flour",
        "2 {}/3 cups flour",
        "{} dozen eggs",
        "1/0 dozen eggs",
    ],
)
def test_absurd_numbers_are_no_amounts(pattern: str, digits: int) -> None:
    line = parse_line(pattern.replace("{}", "9" * digits))
    assert all(number is None or 0 <= number < 1e9 for number in (line.amount, line.grams))
