"""Cooklang (`.cook`): steps in which @ingredients{1%cup}, #cookware{} and ~timers{5%min} are marked.

https://cooklang.org/docs/spec/; the photo has the name of the file.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from chef.readers import base
from chef.readers.base import RawRecipe, Scope, document
from chef.readers.fields import names_of
from chef.readers.markdown import split_front_matter

SUFFIXES = (".cook",)

_COMMENT = re.compile(r"^//[^\n]{0,2000}|\[-.{0,2000}?-\]|(?<!-)--(?!-)[^\n]{0,2000}", re.S | re.M)
_META = re.compile(r">>\s*([^:\n]{1,60}):\s*([^\n]*)")
_HEADING = re.compile(r"=+\s*([^=\n]{0,200})=*\s*")
# @name{amount}(preparation) with several words, or one word without braces; the same for # and ~.
_MARK = re.compile(
    r"([@#~])([@?&+-]{0,3})"
    r"(?:([^@#~{}()\n]{0,100})\{([^{}\n]{0,200})\}(?:\(([^()\n]{0,200})\))?|([^\W_][\w'’-]{0,60}))"
)
_NAMES = names_of("cooklang")


def read(path: Path, scope: Scope) -> Iterator[RawRecipe]:
    """The recipe of one file."""
    text = document(path, scope, base.MARKDOWN)
    if text is None:
        return
    data = recipe(text)
    data.setdefault("title", path.stem)
    photos = (path.with_suffix(suffix) for suffix in base.IMAGE_SUFFIXES)
    images = tuple(str(photo) for photo in photos if photo.is_file())
    yield RawRecipe(data, scope.name(path), folder=path.parent, images=images or None, id=scope.id(path))


def recipe(text: str) -> dict[str, Any]:
    """The fields of a recipe in Cooklang.

    >>> recipe("Boil @water{500%ml} for ~{4%minutes}.")["instructions"]
    ['Boil water for 4 minutes.']
    """
    values, body = split_front_matter(text)
    data: dict[str, Any] = {}
    for key, value in list(values.items()):
        if isinstance(value, dict):
            values |= {f"{key}.{inner}": one for inner, one in value.items()}
    ingredients: dict[str, str] = {}
    steps: list[str] = []
    notes: list[str] = []
    for paragraph in re.split(r"\n\s*\n", _COMMENT.sub("", body)):
        lines: list[str] = []
        for line in paragraph.split("\n"):
            if meta := _META.fullmatch(line.strip()):
                values[meta[1].strip().lower()] = meta[2].strip()
            elif heading := _HEADING.fullmatch(line.strip()):
                steps.append(f"## {heading[1].strip() or 'Step'}")
            elif line.startswith(">"):
                notes.append(line.lstrip("> ").strip())
            else:
                lines.append(line.strip().removesuffix("\\"))
        step = _MARK.sub(lambda mark: _flattened(mark, ingredients), " ".join(lines)).strip()
        steps += [step] if step else []
    for key, value in values.items():
        data.setdefault(_NAMES.get(key, key), value)
    return {**data, "ingredients": list(ingredients.values()), "instructions": steps, "notes": notes}


def _flattened(mark: re.Match[str], ingredients: dict[str, str]) -> str:
    """The words of a mark as they stand in the step; ingredients are listed once, or with an amount."""
    kind, modifiers, name, braces, preparation, word = mark.groups()
    name = (name if word is None else word).strip()
    amount, _, unit = (braces or "").removeprefix("=").partition("%")
    measure = " ".join(part.strip() for part in (amount, unit) if part.strip())
    if kind == "~":
        return measure or name
    name = name.rsplit("/", 1)[-1].split("|")[0] if kind == "@" else name
    if kind == "@" and name and not set(modifiers) & set("&-"):
        line = f"{measure} {name}".strip() + (f", {preparation.strip()}" if preparation else "")
        if measure or name.lower() not in ingredients:
            key = name.lower() if name.lower() not in ingredients else line
            ingredients[key] = f"{line} (optional)" if "?" in modifiers else line
    return name
