"""Recipe, Ingredient and Step: the values that flow through everything.

Readers fill the raw fields; `chef.text` fills the parsed ones; nothing is ever changed in place.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any, TypeVar

from chef.errors import ChefError

LARGEST_AMOUNT = 1e9  # of an ingredient, in any unit; a larger number is a slip or an attack, and no amount


@dataclass(frozen=True, slots=True)
class Ingredient:
    """One line of the ingredient list, raw and parsed.

    Fields left None are not known: a reader knows `line` alone, `chef.text` adds the rest.
    """

    line: str  # as the author wrote it: "2 cups green beans, trimmed"
    name: str | None = None  # "green beans"
    amount: float | None = None  # 2.0; of a range the middle
    unit: str | None = None  # "cup": singular, English; "" for counted things
    grams: float | None = None  # 220.0
    token: str | None = None  # canonical ingredient: "green_beans"


@dataclass(frozen=True, slots=True)
class Step:
    """One instruction of the recipe."""

    text: str
    section: str | None = None  # "For the sauce", where the author groups steps


@dataclass(frozen=True, slots=True)
class Recipe:
    """A recipe with all that is known about it.

    `images` are references that `chef.readers.base.image_bytes` opens: file paths, members of
    archives, web addresses. `split` is the part of a fixed split that the source gives, if any. Servings and
    nutrition are in the source's own words: "4 servings", {"calories": "250 kcal"}. `favourite` and
    `own_note` are the cook's own: they stay when the source is read again.
    """

    id: str
    title: str
    ingredients: tuple[Ingredient, ...] = ()
    steps: tuple[Step, ...] = ()
    images: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    source: str | None = None
    licence: str | None = None
    url: str | None = None
    split: str | None = None
    description: str | None = None
    servings: str | None = None
    prep_minutes: int | None = None
    cook_minutes: int | None = None
    total_minutes: int | None = None
    notes: tuple[str, ...] = ()  # one for each paragraph
    language: str | None = None  # "en", "de-AT"
    rating: float | None = None  # 0 to 5
    nutrition: Mapping[str, str] = field(default_factory=dict, hash=False)
    favourite: bool = False
    own_note: str | None = None

    def with_ingredients(self, ingredients: Iterable[Ingredient]) -> Recipe:
        """The same recipe with another ingredient list."""
        return replace(self, ingredients=tuple(ingredients))

    def to_json(self) -> dict[str, Any]:
        """A plain dictionary that `from_json` turns back into an equal recipe; empty fields left out."""
        out: dict[str, Any] = {"id": self.id, "title": self.title}
        out["ingredients"] = [
            {key: value for key, value in asdict(item).items() if value is not None}
            for item in self.ingredients
        ]
        # A step without a section is a plain string, as in every other recipe format.
        out["instructions"] = [
            {"text": step.text, "section": step.section} if step.section is not None else step.text
            for step in self.steps
        ]
        for name in _LISTS:
            if values := getattr(self, name):
                out[name] = list(values)
        for name in _VALUES:
            if (value := getattr(self, name)) is not None:
                out[name] = value
        if self.favourite:
            out["favourite"] = True
        return {**out, "nutrition": dict(self.nutrition)} if self.nutrition else out

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Recipe:
        """The recipe of a dictionary as `to_json` makes it; lines and steps may be plain strings.

        >>> Recipe.from_json({"id": "1", "title": "Toast", "ingredients": ["2 slices bread"]}).title
        'Toast'
        """
        if not isinstance(data, Mapping):
            raise ChefError(f"a recipe must be a JSON object, not {type(data).__name__}")
        unknown = set(data) - _RECIPE_FIELDS
        if unknown:
            raise ChefError(f"unknown recipe field {min(unknown)!r}", "see docs/formats.md")
        others: dict[str, Any] = {name: data.get(name) for name in _VALUES}
        others |= {name: tuple(str(item) for item in _list(data, name)) for name in _LISTS}
        return cls(
            id=_text(data, "id"),
            title=_text(data, "title"),
            ingredients=tuple(_value(Ingredient, item, "ingredient") for item in _list(data, "ingredients")),
            steps=tuple(_value(Step, item, "instruction") for item in _list(data, "instructions")),
            nutrition=dict(data.get("nutrition") or {}),
            favourite=bool(data.get("favourite")),
            **others,
        )


_Kind = TypeVar("_Kind", Ingredient, Step)
_RECIPE_FIELDS = ({field.name for field in fields(Recipe)} - {"steps"}) | {"instructions"}
_LISTS = ("images", "tags", "notes")
_VALUES = (
    *("source", "licence", "url", "split", "description", "servings"),
    *("prep_minutes", "cook_minutes", "total_minutes", "language", "rating", "own_note"),
)


def _text(data: Mapping[str, Any], name: str) -> str:
    value = data.get(name)
    if not isinstance(value, str):
        raise ChefError(f"recipe field {name!r} must be a string")
    return value


def _list(data: Mapping[str, Any], name: str) -> list[Any]:
    value = data.get(name) or []
    if not isinstance(value, list | tuple):
        raise ChefError(f"recipe field {name!r} must be a list")
    return list(value)


def _value(kind: type[_Kind], item: Any, name: str) -> _Kind:
    try:
        return kind(item) if isinstance(item, str) else kind(**item)
    except TypeError as error:
        raise ChefError(f"not an {name}: {item!r}") from error
