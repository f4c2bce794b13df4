"""Trees, recipes, hits and suggestions in a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text
from rich.tree import Tree as RichTree

from chef.teacher.actions import SURE
from chef.text.tokens import readable
from chef.text.words import words_in

if TYPE_CHECKING:
    from chef.index import Hit
    from chef.model.recipe_model import Explanation
    from chef.model.tree import Tree
    from chef.recipe import Recipe
    from chef.rewrite.suggest import Suggestion
    from chef.rewrite.swap import Change

_MAIN, _ACTION, _QUIET, _NEW = "bold green", "bold magenta", "dim", "bold green"


def tree(tree: Tree) -> RichTree:
    """A tree: nodes with their merge order, leaves with their depth, the shallowest in bold."""

    def leaf(at: int) -> RichTree:
        name = Text(readable(tree.tokens[at]), "bold" if at in tree.shallowest else "")
        return RichTree(name.append(f"  {tree.depths[at]}", _QUIET), guide_style=_QUIET)

    def node(order: int, left: RichTree, right: RichTree) -> RichTree:
        made = RichTree(Text(f"({order})", _QUIET), guide_style=_QUIET)
        made.children += [left, right]
        return made

    return tree.fold(leaf, node)


def explanation(title: str, explained: Explanation) -> RenderableType:
    """The main ingredient, the tree over the ingredients, and the steps with their action words."""
    parts: list[RenderableType] = [Text(title, "bold"), Text("")]
    if explained.main_ingredient and explained.main_confidence >= SURE:
        parts.append(Text("mainly ").append(readable(explained.main_ingredient), _MAIN))
    if explained.tree is None:
        parts.append(Text("this model builds no tree over ingredients", _QUIET))
    else:
        nearest = readable(explained.tree.tokens[explained.tree.shallowest[0]])
        parts.append(Text(f"\nthe model's tree, {nearest} nearest to its root", _QUIET))
        parts.append(Padding(tree(explained.tree), (0, 2, 1, 2), expand=False))
    steps = Table.grid(padding=(0, 2))
    steps.add_column(justify="right", style=_ACTION, no_wrap=True)
    steps.add_column()
    for step in explained.steps:
        action = step.action if step.action and step.confidence >= SURE else ""
        sentence = Text(step.text)
        first = next((word for word in words_in(step.text) if word.written.lower() == action), None)
        if first is not None:
            sentence.stylize(_ACTION, first.start, first.end)
        steps.add_row(Text(action), sentence)
    return Group(*parts, steps)


def recipe(shown: Recipe, changed: Iterable[Change] = ()) -> RenderableType:
    """A recipe, with what changed in colour."""
    new = {(change.part, change.place) for change in changed}

    def styled(part: str, at: int, text: str, plain: str = "") -> Text:
        return Text(text, _NEW if (part, at) in new else plain)

    lines = [styled("ingredients", at, f"  {item.line}") for at, item in enumerate(shown.ingredients)]
    steps = Table.grid(padding=(0, 1))
    steps.add_column(justify="right", style=_QUIET)
    for at, step in enumerate(shown.steps):
        steps.add_row(f"{at + 1}.", styled("instructions", at, step.text))
    return Group(styled("title", 0, shown.title, "bold"), Text(""), *lines, Text(""), steps)


def notes(notes: Iterable[str]) -> RenderableType:
    """What a cook must know before cooking a changed recipe."""
    return Group(Text("before you cook", "bold"), *(Text(f"  - {note}") for note in notes))


def hits(title: str, hits: Sequence[Hit]) -> RenderableType:
    """Recipes of a collection with their scores and reasons."""
    table = Table(title=title, title_justify="left", title_style="bold", box=None, header_style=_QUIET)
    table.add_column("score", justify="right")
    table.add_column("recipe")
    table.add_column("mainly", style=_MAIN)
    table.add_column("why", style=_QUIET)
    for hit in hits:
        table.add_row(f"{hit.score:.2f}", Text(hit.title), Text(hit.mainly), Text("; ".join(hit.why)))
    return table


def suggestions(old: str, suggested: Sequence[Suggestion]) -> RenderableType:
    """Possible replacements with the evidence."""
    table = Table(title=f"in place of {old}", title_justify="left", title_style="bold", box=None)
    table.add_column("score", justify="right")
    table.add_column("ingredient", style=_NEW)
    table.add_column("evidence", style=_QUIET)
    for one in suggested:
        table.add_row(f"{one.score:.2f}", Text(readable(one.token)), Text("; ".join(one.evidence)))
    return table
