import pytest

from chef.rewrite.removal import IngredientRemover
from tests.conftest import cases
from tests.rewrite.small import any_ingredient, mentions

LINES = [
    "500 g chicken", "2 tbsp parsley", "salt", "black pepper", "1 tsp cumin", "1 onion", "2 tbsp butter",
    "1 cup rice", "1 lemon", "1 cup flour", "1 cup milk", "1 cup heavy cream", "naan", "1 pinch cloves",
]  # fmt: skip


def remover(*gone: str) -> IngredientRemover:
    lost = [line for line in LINES if any(line.endswith(name) for name in gone)]
    assert len(lost) == len(gone)
    removed = mentions(lost, [line for line in LINES if line not in lost])
    return IngredientRemover(removed, any_ingredient(LINES))


@pytest.mark.parametrize(("gone", "before", "after"), cases("rewrite", "steps"))
def test_steps(gone, before, after):
    assert remover(*gone.split()).step(before) == after


@pytest.mark.parametrize(("gone", "before", "after"), cases("rewrite", "titles"))
def test_titles(gone, before, after):
    assert remover(gone).title(before) == after
