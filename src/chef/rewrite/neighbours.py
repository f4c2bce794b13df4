"""Real recipes and real dishes near a changed recipe."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from chef.food.families import family
from chef.rewrite.swap import Swapped
from chef.rewrite.tokens import token_of_line

if TYPE_CHECKING:
    from chef.index import Hit, Index

_NAMED = 4  # shared ingredients named in a sentence; the others are counted


def neighbours(index: Index, swapped: Swapped, k: int = 10) -> tuple[list[Hit], list[Hit]]:
    """The k recipes nearest to a changed one, and the k whose photos are; the original is none of them.

    >>> hits, photos = neighbours(open_cookbook(), swap(chef, recipe, "chicken", "beef"))
    """
    itself = [swapped.recipe.id]
    hits = index.search(vector=swapped.vector, k=k, exclude=itself)
    photos = index.near_photos(swapped.vector, k, exclude=itself)
    return (
        [replace(hit, why=_why(hit, swapped, "is like the changed recipe")) for hit in hits],
        [replace(hit, why=_why(hit, swapped, "looks as the changed recipe would")) for hit in photos],
    )


def _why(hit: Hit, swapped: Swapped, likeness: str) -> list[str]:
    said = [f"{likeness} ({hit.score:.2f})"]
    kin = family(swapped.coming)
    new = [token for token in hit.ingredients if token == swapped.coming or (kin and family(token) == kin)]
    said += [f"has {_readable(token)}" for token in new[:1]]
    here = {token_of_line(item) for item in swapped.recipe.ingredients if item.name} - {swapped.coming}
    if shared := [_readable(token) for token in hit.ingredients if token in here]:
        more = f" and {len(shared) - _NAMED} more" if len(shared) > _NAMED else ""
        said.append(f"shares {', '.join(shared[:_NAMED])}{more}")
    return said


def _readable(token: str) -> str:
    return token.replace("_", " ")
