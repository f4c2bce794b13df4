import pytest

from chef.rewrite import scaled

TWICE_AND_HALF = {
    "1 1/2 cups rice": ("3 cups rice", "¾ cup rice"),
    "1 large onion, chopped": ("2 large onions, chopped", "½ large onion, chopped"),
    "2 Red Peppers, deseeded": ("4 Red Peppers, deseeded", "1 Red Pepper, deseeded"),
    "2 (14 oz) cans tomatoes": ("4 (14 oz) cans tomatoes", "1 (14 oz) can tomatoes"),
    "400 g can chickpeas": ("2 × 400 g can chickpeas", "½ × 400 g can chickpeas"),
    "1 cup (120 g) flour": ("2 cups (240 g) flour", "½ cup (60 g) flour"),
    "100ml/3.5fl oz milk": ("200ml/7fl oz milk", "50ml/1¾fl oz milk"),
    "1 cup plus 2 tablespoons sugar": ("2 cups plus 4 tablespoons sugar", "½ cup plus 1 tablespoons sugar"),
    "half a lemon": ("1 lemon", "¼ lemon"),
    "two onions": ("4 onions", "1 onion"),
    "Juice of 1 lemon": ("Juice of 2 lemons", "Juice of ½ lemon"),
    "2-3 carrots": ("4-6 carrots", "1-1½ carrots"),
    "1½ tsp salt": ("3 tsp salt", "¾ tsp salt"),
    "1 dozen eggs": ("2 dozen eggs", "½ dozen eggs"),
    "2% milk, 1 cup": ("2% milk, 2 cups", "2% milk, ½ cup"),
    "1 cup milk or 240 ml cream": ("2 cups milk or 240 ml cream", "½ cup milk or 240 ml cream"),
    "333 g rice": ("665 g rice", "166 g rice"),
    "salt, to taste": ("salt, to taste", "salt, to taste"),
}


@pytest.mark.parametrize("line", TWICE_AND_HALF)
def test_amounts_are_multiplied_and_written_as_cooks_do(line):
    assert (scaled(line, 2), scaled(line, 0.5)) == TWICE_AND_HALF[line]
    assert scaled(line, 1) == line
