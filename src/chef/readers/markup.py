"""Recipes that the markup of a page marks: microdata and RDFa of schema.org, h-recipe and hRecipe; and the
pages that Copy Me That and Recipe Keeper export.

All are one walk over the page: an element opens a recipe, elements below it are its properties, and what is
in a nested item (the author, a step) belongs to that item.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from lxml import html as lxml_html
from lxml.etree import LxmlError, _Element

from chef.readers.fields import names_of

Properties = dict[str, list[Any]]

_LISTED = 2000  # values of one property
_DEPTH = 6  # of items in items
_BLOCKS = frozenset(
    "address article blockquote br dd div dl dt h1 h2 h3 h4 h5 h6 hr li ol p section table td tr ul".split()
)
_SILENT = frozenset(("script", "style", "template", "noscript"))
_ADDRESS = {
    "a": "href",
    "link": "href",
    "img": "src",
    "source": "src",
    "time": "datetime",
    "data": "value",
    "meter": "value",
}
_VOCABULARY = re.compile(r"(?:https?://)?(?:www\.)?(?:schema\.org/|schema:|data-vocabulary\.org/)?", re.I)
_CLASSES = names_of("class names")
_OLD_NAMES = names_of("old vocabulary")
_NO_ITEM = ("author", "publisher", "review", "comment", "video", "isPartOf", "hasPart", "reviews")


def page_tree(page: str) -> _Element | None:
    """The elements of a page; None where there are none."""
    parser = lxml_html.HTMLParser(encoding="utf-8", remove_comments=True, remove_pis=True)
    try:
        tree = lxml_html.document_fromstring(page.encode("utf-8", "replace"), parser=parser)
    except (LxmlError, ValueError):  # an empty page
        return None
    return tree


def recipes(tree: _Element) -> Iterator[Mapping[str, Any]]:
    """The recipes that a page marks, with a title and ingredients each."""
    for syntax in (_MICRODATA, _RDFA, _CLASS_NAMES):
        waiting = [tree]
        while waiting:
            element = waiting.pop()
            if not isinstance(element.tag, str):
                continue
            if syntax.kind(element) == "Recipe":
                data = _single(syntax.item(element, tree))
                if data.get("name") and (data.get("recipeIngredient") or data.get("ingredients")):
                    yield data
            else:
                waiting += reversed(element)


class _Syntax:
    """How one kind of markup says what an element is: the type of an item, names of properties."""

    def __init__(self, kind: Callable[[_Element], str], names: Callable[[_Element], list[str]]) -> None:
        self.kind, self._names = kind, names

    def item(self, root: _Element, tree: _Element, depth: int = 0) -> Properties:
        """The properties of an item."""
        found: Properties = {}
        waiting = [*reversed(root)]
        for name in root.get("itemref", "").split()[:20]:  # parts of it that are elsewhere on the page
            waiting += tree.xpath("//*[@id=$name]", name=name)[:1]
        while waiting:
            element = waiting.pop()
            if not isinstance(element.tag, str):
                continue
            names, kind = self._names(element), self.kind(element)
            if kind and depth < _DEPTH:
                value: Any = {"@type": kind, **_single(self.item(element, tree, depth + 1))}
                if len(value) == 1:
                    value = block_text(element)
            else:
                value = _value(element) if names else None
            for name in names:
                values = found.setdefault(name, [])
                if len(values) < _LISTED and value not in ("", None):
                    values.append(value)
            if not kind:
                waiting += reversed(element)
        return found


def _single(found: Properties) -> dict[str, Any]:
    """Properties as JSON-LD has them; the lines of instructions are a step each."""
    data: dict[str, Any] = {}
    for name, values in found.items():
        if name in ("recipeInstructions", "instructions"):
            lines = [one.split("\n") if isinstance(one, str) else [one] for one in values]
            data[name] = [line for some in lines for line in some]
        elif name not in _NO_ITEM:
            data[name] = values[0] if len(values) == 1 else values
    return data


def _value(element: _Element) -> str:
    content: str | None = element.get("content")
    if content is not None:
        return content.strip()
    named: str | None = element.get(_ADDRESS[element.tag]) if element.tag in _ADDRESS else None
    if named is not None and (element.tag != "a" or not block_text(element)):
        return named.strip()
    if element.tag == "img":
        return (element.get("data-src") or "").strip()
    return block_text(element)


def block_text(element: _Element) -> str:
    """The text of an element; blocks and line breaks begin a line."""
    pieces: list[str] = []
    _collect(element, pieces)
    lines = (" ".join(line.split()) for line in "".join(pieces).split("\n"))
    return "\n".join(line for line in lines if line)


def _collect(element: _Element, pieces: list[str]) -> None:
    # lxml's own trees are at most 256 elements deep.
    if not isinstance(element.tag, str) or element.tag in _SILENT:
        return
    is_block = element.tag in _BLOCKS
    pieces.append("\n" if is_block else "")
    pieces.append((element.text or "").replace("\n", " "))
    for child in element:
        _collect(child, pieces)
        pieces.append((child.tail or "").replace("\n", " "))
    pieces.append("\n" if is_block else "")


def _schema_names(text: str) -> list[str]:
    names = (_VOCABULARY.sub("", name, count=1) for name in text.split()[:9])
    return [_OLD_NAMES.get(name.lower(), name) for name in names]


def _item_type(element: _Element) -> str:
    if element.get("itemscope") is None and element.get("itemtype") is None:
        return ""
    return _type(element.get("itemtype", "")) or "Thing"


def _type(text: str) -> str:
    names = [_VOCABULARY.sub("", name, count=1).strip("/") for name in text.split()[:9]]
    return "Recipe" if "recipe" in map(str.lower, names) else next(iter(names), "")


def _class_type(element: _Element) -> str:
    classes = (element.get("class") or "").lower().split()
    if "h-recipe" in classes or "hrecipe" in classes:
        return "Recipe"
    return "Thing" if any(name.startswith("h-") or name == "vcard" for name in classes) else ""


_MICRODATA = _Syntax(_item_type, lambda element: _schema_names(element.get("itemprop", "")))
_RDFA = _Syntax(
    lambda element: _type(element.get("typeof", "")) or "Thing" if element.get("typeof") is not None else "",
    lambda element: _schema_names(element.get("property", "")),
)
_CLASS_NAMES = _Syntax(
    _class_type,
    lambda element: [
        _CLASSES[name] for name in (element.get("class") or "").lower().split() if name in _CLASSES
    ],
)


def _having(element: _Element, name: str) -> list[_Element]:
    """The elements below one that have a class."""
    return [one for one in element.iter() if name in (one.get("class") or "").split()]


def _texts(element: _Element, id: str) -> str:
    """The text of the element below one that has an id; Copy Me That repeats ids from recipe to recipe."""
    found = next((one for one in element.iter() if one.get("id") == id), None)
    return "" if found is None else block_text(found)


def copy_me_that(tree: _Element) -> Iterator[Mapping[str, Any]]:
    """The recipes of an export by Copy Me That."""
    for one in _having(tree, "recipe"):
        links = [link.get("href") for link in one.iter("a") if link.get("id") == "original_link"]
        stars = [star for star in (_texts(one, "ratingValue"),) if star]
        yield {
            "name": _texts(one, "name"),
            "description": _texts(one, "description"),
            "url": next(iter(links), None),
            "image": [image.get("src") for image in _having(one, "recipeImage") if image.tag == "img"],
            "tags": [block_text(tag) for tag in _having(one, "recipeCategory")],
            "servings": _texts(one, "recipeYield"),
            "rating": stars,
            "ingredients": [
                block_text(line)
                for line in _having(one, "recipeIngredient")
                if not set(line.get("class").split())
                & {"recipeIngredient_subheader", "recipeIngredient_spacer"}
            ],
            "instructions": [
                f"## {block_text(step)}"
                if "instruction_subheader" in step.get("class").split()
                else block_text(step)
                for step in one.iter()
                if {"instruction", "instruction_subheader"} & set((step.get("class") or "").split())
            ],
            "notes": [block_text(note) for note in _having(one, "recipeNote")],
        }


def recipe_keeper(tree: _Element) -> Iterator[Mapping[str, Any]]:
    """The recipes of an export by Recipe Keeper, whose properties have names of their own."""
    for one in _having(tree, "recipe-details"):
        found: Properties = {}
        for element in one.iter():
            if isinstance(element.tag, str) and (name := element.get("itemprop")):
                found.setdefault(name, []).append(_value(element))
        first = {name: values[0] for name, values in found.items() if values[0]}
        photos = [image.get("src") for image in one.iter("img") if image.get("src")]
        yield {
            "id": first.get("recipeId"),
            "name": first.get("name"),
            "tags": [
                *found.get("recipeCourse", []),
                *found.get("recipeCategory", []),
                *found.get("recipeCollection", []),
            ],
            "source": first.get("recipeSource"),
            "url": first.get("recipeSource"),
            "servings": first.get("recipeYield"),
            "prepTime": first.get("prepTime"),
            "cookTime": first.get("cookTime"),
            "ingredients": first.get("recipeIngredients"),
            "instructions": first.get("recipeDirections"),
            "notes": first.get("recipeNotes"),
            "rating": first.get("recipeRating"),
            "image": list(dict.fromkeys(photos)),
            "nutrition": {
                name.removeprefix("recipeNut"): value
                for name, value in first.items()
                if name.startswith("recipeNut")
            },
        }
