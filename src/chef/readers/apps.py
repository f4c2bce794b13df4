"""Exports of apps whose JSON is not a list of recipes with fields: Tandoor, RecipeSage, Mealie's backup."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from chef.readers import base
from chef.readers.base import BrokenJson, RawRecipe, Scope, document, parse
from chef.readers.lines import plain

MEALIE_BACKUP = "database.json"
_BACKUP_VALUES = 10_000_000  # thousands of recipes with all their rows


def adapted(data: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """Tandoor's recipe in the fields of others, RecipeSage's with its notes; None for all the rest."""
    steps = data.get("steps")
    if isinstance(steps, list) and steps and isinstance(steps[0], dict) and "instruction" in steps[0]:
        return _tandoor(data, _objects(steps, "order"))
    if "isBasedOn" in data and isinstance(data.get("comment"), list) and "notes" not in data:
        return {**data, "notes": [one.get("text") for one in _objects(data["comment"])]}
    return None


def _tandoor(data: Mapping[str, Any], steps: list[dict[str, Any]]) -> dict[str, Any]:
    ingredients: list[Any] = []
    made: list[Any] = []
    for step in steps:
        listed = _objects(step.get("ingredients"), "order")
        ingredients += [item for item in listed if not item.get("is_header")]
        section = plain(step.get("name"))
        lines = step["instruction"].split("\n") if isinstance(step.get("instruction"), str) else []
        made += [{"text": line, "section": section} if section else line for line in lines if line.strip()]
    times = (data.get(name) for name in ("working_time", "waiting_time"))
    words = plain(data.get("servings_text"))
    return {
        **{key: value for key, value in data.items() if key not in ("steps", "servings", "id")},
        "ingredients": ingredients,
        "instructions": made,
        "prep_time": data.get("working_time"),
        "total_time": sum(time for time in times if isinstance(time, int | float)),
        "servings": f"{plain(data.get('servings'))} {words}".strip(),
    }


def _objects(value: Any, order: str = "") -> list[dict[str, Any]]:
    """The objects of a list, sorted by a number that they have; none where it is no list."""

    def place(item: dict[str, Any]) -> float:
        return float(at) if isinstance(at := item.get(order), int | float) else 0.0

    listed = value if isinstance(value, list) else []
    return sorted((item for item in listed if isinstance(item, dict)), key=place)


def read_mealie_backup(path: Path, scope: Scope) -> Iterator[RawRecipe]:
    """The recipes of Mealie's database as its backup has it: a list of rows for each table."""
    text = document(path, scope, base.DOCUMENT)
    try:
        tables = parse(text, _BACKUP_VALUES) if text is not None else {}
    except BrokenJson as error:
        scope.skipped.add(error.reason, scope.name(path), str(error))
        return
    if not isinstance(tables, dict) or "recipes" not in tables:
        scope.skipped.add("no recipe in the file", scope.name(path))
        return

    def by_recipe(table: str) -> dict[str, list[dict[str, Any]]]:
        grouped: dict[str, list[dict[str, Any]]] = defaultdict(list)
        for row in _objects(tables.get(table), "position"):
            grouped[plain(row.get("recipe_id"))].append(row)
        return grouped

    def names(table: str) -> dict[str, str]:
        return {plain(row.get("id")): plain(row.get("name")) for row in _objects(tables.get(table))}

    def linked(link: str, table: str, column: str) -> dict[str, list[str]]:
        known, grouped = names(table), by_recipe(link)
        return {id: [known.get(plain(row.get(column)), "") for row in some] for id, some in grouped.items()}

    units, foods = names("ingredient_units"), names("ingredient_foods")
    listed, steps = by_recipe("recipes_ingredients"), by_recipe("recipe_instructions")
    notes, nutrition = by_recipe("notes"), by_recipe("recipe_nutrition")
    tags = linked("recipes_to_tags", "tags", "tag_id")
    categories = linked("recipes_to_categories", "categories", "category_id")
    settings = _objects(tables.get("recipe_settings"))
    whole = {plain(row.get("recipe_id")) for row in settings if row.get("disable_amount")}
    for row in _objects(tables["recipes"]):
        id = plain(row.get("id"))
        items: list[dict[str, Any]] = []
        for item in listed[id]:
            food, unit = foods.get(plain(item.get("food_id"))), units.get(plain(item.get("unit_id")))
            if id in whole or not food:  # the note is the whole line, and the quantity means nothing
                items.append({"note": plain(item.get("note")) or plain(item.get("original_text"))})
            else:
                parsed = {"quantity": item.get("quantity"), "unit": unit, "food": food}
                items.append({**parsed, "note": item.get("note")})
        facts = [fact for some in nutrition[id] for fact in some.items() if not fact[0].endswith("id")]
        data = {
            **{key: value for key, value in row.items() if key not in ("image", "recipe_ingredient")},
            "ingredients": items,
            "instructions": [{"text": step.get("text"), "title": step.get("title")} for step in steps[id]],
            "notes": notes[id],
            "tags": [*tags.get(id, []), *categories.get(id, [])],
            "nutrition": dict(facts),
        }
        yield RawRecipe(data, f"{scope.name(path)} {plain(row.get('slug'))}", images=_photo(path.parent, id))


def _photo(folder: Path, id: str) -> tuple[str, ...]:
    bare = id.replace("-", "")
    dashed = "-".join((bare[:8], bare[8:12], bare[12:16], bare[16:20], bare[20:]))
    names = (
        folder / "data/recipes" / one / "images/original.webp" for one in (id, dashed, bare) if "/" not in one
    )
    return tuple(str(name) for name in names if name.is_file())[:1]
