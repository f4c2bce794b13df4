"""What chef understands of a recipe, for the eyes: trees, recipes and tables in a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text
from rich.tree import Tree as RichTree

from chef.text.words import words_in

if TYPE_CHECKING:
    from chef.index import Hit
    from chef.model.explanation import Explanation
    from chef.model.tree import Tree
    from chef.recipe import Recipe
    from chef.rewrite.suggest import Suggestion
    from chef.rewrite.swap import Change

_MAIN, _ACTION, _QUIET, _NEW = "bold green", "bold magenta", "dim", "bold green"


def readable(token: str) -> str:
    """A canonical token as words."""
    return token.replace("_", " ")


def tree(tree: Tree) -> RichTree:
    """A tree: nodes with their merge order, leaves with their depth, the shallowest in colour."""

    def leaf(place: int) -> RichTree:
        style = _MAIN if place in tree.shallowest else ""
        name = Text(readable(tree.tokens[place]), style)
        return RichTree(name.append(f"  {tree.depths[place]}", _QUIET), guide_style=_QUIET)

    def node(order: int, left: RichTree, right: RichTree) -> RichTree:
        made = RichTree(Text(f"({order})", _QUIET), guide_style=_QUIET)
        made.children += [left, right]
        return made

    return tree.fold(leaf, node)


def explanation(title: str, found: Explanation) -> RenderableType:
    """The main ingredient, the tree over the ingredients, and the steps with their action words."""
    parts: list[RenderableType] = [Text(title, "bold"), Text("")]
    if found.tree is None:
        parts.append(Text("this model builds no tree over ingredients", _QUIET))
    else:
        mostly = Text("mainly ").append(readable(found.main_ingredient or ""), _MAIN)
        parts += [mostly, Padding(tree(found.tree), (1, 2), expand=False)]
    steps = Table.grid(padding=(0, 2))
    steps.add_column(justify="right", style=_ACTION, no_wrap=True)
    steps.add_column()
    for step in found.steps:
        action = "" if step.action is None else readable(step.action)
        steps.add_row(Text(action), _highlighted(step.text, action))
    return Group(*parts, steps)


def _highlighted(text: str, action: str) -> Text:
    """The sentence with its action word in colour, where it stands first."""
    shown = Text(text)
    for word in words_in(text):
        if action and word.written.lower() == action:
            shown.stylize(_ACTION, word.start, word.end)
            break
    return shown


def recipe(found: Recipe, changed: Iterable[Change] = ()) -> RenderableType:
    """A recipe; what changed is in colour."""
    new = {(change.part, change.place) for change in changed}

    def styled(part: str, place: int, text: str, plain: str = "") -> Text:
        return Text(text, _NEW if (part, place) in new else plain)

    lines = [styled("ingredients", place, f"  {item.line}") for place, item in enumerate(found.ingredients)]
    steps = Table.grid(padding=(0, 1))
    steps.add_column(justify="right", style=_QUIET)
    for place, step in enumerate(found.steps):
        steps.add_row(f"{place + 1}.", styled("instructions", place, step.text))
    return Group(styled("title", 0, found.title, "bold"), Text(""), *lines, Text(""), steps)


def hits(title: str, found: Sequence[Hit]) -> RenderableType:
    """Recipes of a collection with their scores and reasons."""
    table = Table(title=title, title_justify="left", title_style="bold", box=None, header_style=_QUIET)
    table.add_column("score", justify="right")
    table.add_column("recipe")
    table.add_column("mainly", style=_MAIN)
    table.add_column("why", style=_QUIET)
    for hit in found:
        main = readable(hit.main_ingredient or "")
        table.add_row(f"{hit.score:.2f}", Text(hit.title), Text(main), Text("; ".join(hit.why)))
    return table


def suggestions(leaving: str, found: Sequence[Suggestion]) -> RenderableType:
    """What could come in, with the evidence."""
    table = Table(title=f"in place of {leaving}", title_justify="left", title_style="bold", box=None)
    table.add_column("score", justify="right")
    table.add_column("ingredient", style=_NEW)
    table.add_column("evidence", style=_QUIET)
    for one in found:
        table.add_row(f"{one.score:.2f}", Text(readable(one.token)), Text("; ".join(one.evidence)))
    return table
