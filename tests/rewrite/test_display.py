from rich.console import Console

from chef.model.tree import Tree
from chef.rewrite import display
from chef.rewrite.suggest import Suggestion
from chef.rewrite.swap import swap
from tests.rewrite.small import SOUP, tiny_chef


def printed(thing) -> str:
    console = Console(width=120, highlight=False, markup=False)
    with console.capture() as captured:
        console.print(thing)
    return "\n".join(line.rstrip() for line in captured.get().splitlines())


def test_trees():
    tree = Tree.from_merges(["green_beans", "eggs", "milk"], [1, 0])
    assert printed(display.tree(tree)) == (
        "(2)\n├── green beans  1\n└── (1)\n    ├── eggs  2\n    └── milk  2"
    )


def test_explanations():
    text = printed(display.explanation(SOUP.title, tiny_chef().explain(SOUP)))
    assert text.startswith("Chicken and Rice Soup")
    assert "mainly " in text
    assert "Melt the butter in a pot." in text
    assert "no tree" in printed(display.explanation("x", tiny_chef("s+l+l").explain(SOUP)))


def test_recipes_and_what_is_not_markup():
    swapped = swap(tiny_chef(), SOUP, "chicken", "beef")
    text = printed(display.recipe(swapped.recipe, swapped.changed))
    assert "  about 400 g boneless beef" in text.splitlines()
    assert "3. Shred the beef" in text
    text = printed(display.suggestions("[b]butter", [Suggestion("olive_oil", 0.5, ["fat", "common"])]))
    assert "in place of [b]butter" in text
    assert "0.50" in text
    assert "olive oil" in text
    assert "fat; common" in text
