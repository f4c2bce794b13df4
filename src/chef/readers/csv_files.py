"""Tables with a recipe in each row: Plan to Eat, MyRecipeBox, and any other with a title and ingredients."""

import csv
import io
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from chef.readers import base, fields
from chef.readers.base import RawRecipe, Scope, document, is_web

SUFFIXES = (".csv", ".tsv")

_NAMES = fields.names_of("csv")
_KNOWN = {name.lower(): name for names in fields.NAMES.values() for name in names}
_QUOTED = re.compile(r"\"((?:[^\"\\]|\\.){0,2000})\"|'((?:[^'\\]|\\.){0,2000})'")


def read(path: Path, scope: Scope) -> Iterator[RawRecipe]:
    """The recipes of one table."""
    text = document(path, scope, base.DOCUMENT)
    if text is None:
        return
    name = scope.name(path)
    first = text[:5000].split("\n", 1)[0]
    delimiter = max(",;\t", key=first.count)
    csv.field_size_limit(base.LINE)
    table = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    try:
        header = [_heading(cell) for cell in next(table, [])]
        if not {"title", "name"} & set(header) or not set(fields.NAMES["ingredients"]) & set(header):
            detail = "a table needs the columns title and ingredients"
            scope.skipped.add("no recipe in the file", name, detail)
            return
        for number, cells in enumerate(table, 2):
            if any(cells):
                yield RawRecipe(_row(header, cells), f"{name} row {number}", folder=path.parent)
    except csv.Error as error:
        scope.skipped.add("not a table", name, str(error))


def _heading(cell: str) -> str:
    name = "_".join(cell.strip().lower().split())
    return _NAMES.get(name, _KNOWN.get(name, _KNOWN.get(name.replace("_", ""), name)))


def _row(header: list[str], cells: list[str]) -> dict[str, Any]:
    data: dict[str, Any] = {}
    for name, cell in zip(header, cells, strict=False):
        if name and cell.strip():
            data[name] = f"{data[name]}, {cell}" if name == "category" and name in data else cell
    if {"inactivetime", "video"} & set(header):  # MyRecipeBox: cells after the tags may be one too far right
        links = [cell.strip() for cell in cells[-6:] if is_web(cell.strip())]
        data |= {"source": None, "url": next(iter(links), None), "image": next(iter(links[1:][-1:]), None)}
        for name in ("tags", "categories"):
            data[name] = str(data.get(name) or "").replace(";", ",")
    # Plan to Eat begins a heading with a comma.
    for name in ("ingredients", "recipeIngredient", "instructions", "directions", "steps"):
        if isinstance(listed := data.get(name), str):
            data[name] = [line for line in _lines(listed) if not line.startswith(", ")]
    nutrients = {name: data[name] for name in _NUTRIENTS if name in data}
    return {**data, "nutrition": nutrients} if nutrients else data


_NUTRIENTS = "calories fat saturated_fat cholesterol sodium sugar carbohydrate fiber protein".split()


def _lines(cell: str) -> list[str]:
    """The lines of a cell: a list as Python or JSON writes it, lines, or parts between semicolons or bars."""
    if cell.lstrip().startswith("[") and (quoted := _QUOTED.findall(cell)):
        return [re.sub(r"\\(.)", r"\1", one or two) for one, two in quoted]
    if "\n" in cell.strip():
        return cell.split("\n")
    return cell.split(max(";|", key=cell.count)) if re.search("[;|]", cell) else [cell]
