"""What a collection returns, plain values; and its rows: recipes with what model and teacher say of them."""

from __future__ import annotations

import hashlib
import json
import unicodedata
import zlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

import chef
from chef.contents import VERSION as CONTENTS_VERSION
from chef.contents import Contents, contents
from chef.errors import ChefError
from chef.food.canonical import token_of
from chef.recipe import Ingredient, Recipe
from chef.teacher.actions import SURE, actions
from chef.teacher.main_ingredient import rank
from chef.text.keys import spelled
from chef.text.tokens import readable, tokenise

if TYPE_CHECKING:
    import pyarrow as pa

    from chef.model.encoder import Vectors
    from chef.model.recipe_model import RecipeModel


@dataclass(frozen=True, slots=True)
class Value:
    """A value of plain fields."""

    def to_json(self) -> dict[str, Any]:
        """A plain dictionary."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Added:
    """The counts of what `Index.add` did."""

    added: int = 0
    updated: int = 0
    unchanged: int = 0

    def __add__(self, other: Added) -> Added:
        return Added(self.added + other.added, self.updated + other.updated, self.unchanged + other.unchanged)


@dataclass(frozen=True, slots=True)
class Entry:
    """One recipe of a collection, with what the model says about it."""

    id: str
    recipe: Recipe  # its ingredients parsed: names, grams, canonical tokens
    main_ingredient: str | None  # None: no line names a food
    main_confidence: float | None  # None: stored by an older version, which read it off the tree
    actions: list[str]  # the action words of its sentences in order, each once
    tokens: list[str]  # canonical ingredients in the order of the list, each once
    has_image: bool

    def to_json(self) -> dict[str, Any]:
        """The recipe's own fields, then `main_ingredient`, `main_confidence` and `actions`."""
        told = {"main_ingredient": self.main_ingredient, "main_confidence": self.main_confidence}
        return {**self.recipe.to_json(), **told, "actions": self.actions}


@dataclass(frozen=True, slots=True)
class Hit(Value):
    """One result of a search; `why` gives the reasons in short sentences."""

    id: str
    title: str
    score: float  # higher is better
    probability: float | None  # that it is the right one, 0 to 1; None where nobody knows
    main_ingredient: str | None
    main_confidence: float | None
    actions: list[str]
    ingredients: list[str]  # canonical tokens
    why: list[str]
    has_image: bool
    missing: list[str]  # from the pantry, if one was given
    not_understood: list[str]  # lines in which no food was recognised, where a filter asks for groups
    favourite: bool

    @property
    def mainly(self) -> str:
        """The main ingredient in plain words; nothing where a cook might well say something else."""
        return readable(self.main_ingredient or "") if (self.main_confidence or 0.0) >= SURE else ""


Match = Literal["good", "weak", "none"]


class Hits(list[Hit]):
    """The hits of a search, best first.

    match: whether the right recipe is likely to be in the collection. total: how many pass the filters, or
    use something of the pantry; None where nobody has counted. fitting: how many of the hits have something
    of the words that were asked for; those after them are only near.
    """

    def __init__(
        self,
        hits: Iterable[Hit] = (),
        match: Match | None = None,
        total: int | None = None,
        fitting: int | None = None,
    ) -> None:
        super().__init__(hits)
        self.match, self.total = match, total
        self.fitting = len(self) if fitting is None else fitting


@dataclass(frozen=True, slots=True)
class AskedFor(Value):
    """What the words of a query ask for."""

    text: str  # what remains
    without: list[str]
    diet: str | None
    corrected: dict[str, str] = field(default_factory=dict)  # words, and what they were taken for
    unknown: list[str] = field(default_factory=list)  # words that nobody knows

    def __bool__(self) -> bool:
        return bool(self.without or self.diet or self.corrected or self.unknown)


@dataclass(frozen=True, slots=True)
class Info(Value):
    """A collection in figures."""

    recipes: int
    with_image: int
    model: str  # its name or folder
    dimension: int
    bytes: int | None  # on disk; None where the collection is not on this machine
    version: int
    engine: str  # how it is searched: "memory", or "lance" on disk


@dataclass(frozen=True, slots=True)
class Point(Value):
    """A recipe on the map of a collection; x and y lie in 0..1."""

    id: str
    x: float
    y: float
    title: str
    main_ingredient: str | None
    main_confidence: float | None


@dataclass(frozen=True, slots=True)
class Health(Value):
    """What `chef index verify` found."""

    files: list[str]  # damaged or missing, as paths below the table
    recipes: list[str]  # whose rows are not as they were written
    read: int  # rows that are
    unchecked: int  # files without a checksum, which an older version of chef has written


@dataclass(frozen=True, slots=True)
class Repaired(Value):
    """What `chef index repair` did."""

    recipes: int  # that the collection now has
    back_to: str | None  # when the version was written that it went back to, if it did
    lost: list[str]  # as far as their ids could be read
    older: list[str]  # recipes that were taken from an older version, so may have an earlier text


METADATA = b"chef"  # the key in the table's metadata; its value is a JSON object
FORMAT = 2  # 1: without `has_image` and `checksum`
_ENTRY = ("id", "recipe", "ingredients", "tokens", "main_ingredient", "main_confidence", "actions")
ROW_ID = "_rowid"  # Lance's own column
# Lance then sees that two writers insert the same new id, and lets the second one update it.
_PRIMARY_KEY = {b"lance-schema:unenforced-primary-key": b"true"}


@dataclass(frozen=True)
class EncodedRecipe:
    """What the model says about one recipe."""

    recipe: Recipe  # parsed
    main_ingredient: str | None
    actions: list[str]
    vector: Vectors
    main_confidence: float | None = None


def encode_recipes(
    model: RecipeModel, recipes: Sequence[Recipe], *, parsed: bool = False
) -> list[EncodedRecipe]:
    """Recipes, encoded in one pass, in the same order.

    parsed: their ingredients have names, amounts and grams already; parsing takes most of the time.

    >>> encode_recipes(chef.load(), [recipe])[0].main_ingredient
    'chicken'
    """
    read = model.texts.from_parsed if parsed else model.texts
    batch = model.encoder.encode([read(recipe) for recipe in recipes])
    encoded = []
    for text, vector in zip(batch.texts, batch.vectors, strict=True):
        main = next(iter(rank(text.recipe)), None)
        told = [one for step in text.recipe.steps for one in actions(step.text) if one]
        words = dict.fromkeys(one.word for one in told if one.confidence >= SURE)
        token, confidence = (main.token, main.confidence) if main else (None, None)
        encoded.append(EncodedRecipe(text.recipe, token, list(words), vector, confidence))
    return encoded


@dataclass(frozen=True)
class Row:
    """One recipe, ready to be stored."""

    recipe: Recipe  # as given
    digest: str
    encoded: EncodedRecipe
    thumbnail: bytes | None
    photo_vector: Vectors | None

    @cached_property
    def contents(self) -> Contents:
        """What the whole recipe names."""
        return contents(self.recipe)


# The type of each column ("?": may be null) and its value. Vectors come last.
_COLUMNS: dict[str, tuple[str, Callable[[Row], Any]]] = {
    "id": ("text", lambda row: row.recipe.id),
    "title": ("text", lambda row: row.recipe.title),
    "digest": ("text", lambda row: row.digest),  # of the recipe as given and its photos
    "recipe": ("text", lambda row: dumps(row.recipe.to_json())),  # as given
    "ingredients": ("text", lambda row: dumps(row.encoded.recipe.to_json()["ingredients"])),  # parsed
    "tokens": ("texts", lambda row: tokens_of(row.encoded.recipe)),
    "main_ingredient": ("text?", lambda row: row.encoded.main_ingredient),
    "main_confidence": ("number?", lambda row: row.encoded.main_confidence),
    "actions": ("texts", lambda row: row.encoded.actions),
    "tags": ("texts", lambda row: [*row.recipe.tags, *([FAVOURITE] if row.recipe.favourite else [])]),
    "words": ("texts", lambda row: title_words(row.recipe.title)),
    "contains": ("texts", lambda row: row.contents.contains),
    "may": ("texts", lambda row: row.contents.may),
    "foods": ("texts", lambda row: row.contents.foods),
    "not_understood": ("texts", lambda row: row.contents.not_understood),
    "is_english": ("flag", lambda row: row.contents.is_english),
    "understood": ("flag", lambda row: row.contents.is_english and not row.contents.not_understood),
    "has_image": ("flag", lambda row: row.thumbnail is not None),  # nobody need read thumbnails to count them
    "thumbnail": ("bytes?", lambda row: row.thumbnail),  # null: no photo
}
MAX_ID = 500  # characters
FAVOURITE = "favourite"  # the tag by which favourites are found
CHECKSUM = "checksum"  # of all other columns; the last one, absent in older collections


def schema(dimension: int, metadata: dict[str, Any], *, half: bool = False) -> pa.Schema:
    """The columns of a collection whose vectors have `dimension` numbers; half: in half precision."""
    import pyarrow as pa

    types = {"text": pa.string(), "number": pa.float64(), "flag": pa.bool_(), "bytes": pa.binary()}
    types["texts"] = pa.list_(pa.string())
    fields = [
        pa.field(name, types[kind.rstrip("?")], kind.endswith("?"), _PRIMARY_KEY if name == "id" else None)
        for name, (kind, _) in _COLUMNS.items()
    ]
    vector = pa.list_(pa.float16() if half else pa.float32(), dimension)
    fields += [pa.field("vector", vector, nullable=False), pa.field("photo_vector", vector)]
    fields.append(pa.field(CHECKSUM, pa.uint32(), nullable=False))
    metadata = {"format": FORMAT, "contents": CONTENTS_VERSION, "chef": chef.__version__, **metadata}
    return pa.schema(fields, metadata={METADATA: json.dumps(metadata)})


def stored_id(id: str) -> str:
    """The id under which a recipe is stored: composed (NFC), short enough for an address, and not a photo's.

    >>> stored_id("cafe\u0301"), stored_id("pies/photo")
    ('café', 'pies/photo_')
    """
    id = unicodedata.normalize("NFC", id)
    if len(id) > MAX_ID:
        id = f"{id[: MAX_ID - 17]}-{hashlib.sha256(id.encode('utf-8', 'replace')).hexdigest()[:16]}"
    return f"{id}_" if id.endswith("/photo") else id


def digest(recipe: Recipe, photos: Sequence[bytes]) -> str:
    """sha256 of the recipe as given and of its photos; ChefError for one that cannot be stored."""
    if not recipe.id.strip():
        raise ChefError(f"the recipe {recipe.title[:80]!r} has no id", "give each recipe an id of its own")
    try:
        sha = hashlib.sha256(dumps(recipe.to_json()).encode())
    except UnicodeEncodeError as error:
        raise ChefError(f"the recipe {recipe.id!r} contains invalid characters", "repair it") from error
    for data in photos:
        sha.update(hashlib.sha256(data).digest())
    return sha.hexdigest()


def source_digest(digest: str) -> str:
    """The digest of a recipe as its source has it; that of an edited one goes on after a plus sign."""
    return digest.partition("+")[0]


def table(rows: Sequence[Row], schema: pa.Schema) -> pa.Table:
    """Rows as a table of this schema; an older collection lacks some of the columns."""
    import pyarrow as pa

    arrays = [
        pa.array([_COLUMNS[field.name][1](row) for row in rows], field.type)
        for field in schema
        if field.name in _COLUMNS
    ]
    type = schema.field("vector").type
    arrays.append(_vectors([row.encoded.vector for row in rows], type))
    arrays.append(_vectors([row.photo_vector for row in rows], type))
    if CHECKSUM not in schema.names:
        return pa.Table.from_arrays(arrays, schema=schema)
    stored = pa.Table.from_arrays(arrays, schema=schema.remove(schema.get_field_index(CHECKSUM)))
    return pa.Table.from_arrays([*arrays, pa.array(checksums(stored), pa.uint32())], schema=schema)


def checksums(stored: pa.Table) -> list[int]:
    """CRC-32 of every row: of all columns but the checksum itself."""
    names = [field.name for field in stored.schema if field.name in _COLUMNS]
    rows = [repr(list(row.values())).encode() for row in stored.select(names).to_pylist()]
    if not rows:
        return []
    for name in ("vector", "photo_vector"):
        column = stored[name].combine_chunks()
        size, dtype = column.type.list_size, column.type.value_type.to_pandas_dtype()
        flat = np.zeros((len(rows), size), dtype)
        flat[column.is_valid().to_numpy(False)] = column.flatten().to_numpy().reshape(-1, size)
        rows = [row + vector.tobytes() for row, vector in zip(rows, flat, strict=True)]
    return list(map(zlib.crc32, rows))


def sound(stored: pa.Table) -> list[bool]:
    """For every row, whether it is as it was written; True where it has no checksum."""
    if CHECKSUM not in stored.column_names:
        return [True] * len(stored)
    return [one == noted for one, noted in zip(checksums(stored), stored[CHECKSUM].to_pylist(), strict=True)]


def is_half(schema: pa.Schema) -> bool:
    """Whether vectors are in half precision."""
    return bool(schema.field("vector").type.value_type.bit_width == 16)


def _vectors(vectors: Sequence[Vectors | None], type: pa.FixedSizeListType) -> pa.Array:
    import pyarrow as pa

    empty = np.zeros(type.list_size, np.float32)
    flat = np.concatenate([empty if vector is None else vector for vector in vectors] or [empty[:0]])
    missing = pa.array([vector is None for vector in vectors], pa.bool_())
    numbers = pa.array(flat.astype(type.value_type.to_pandas_dtype()))
    return pa.FixedSizeListArray.from_arrays(numbers, type=type, mask=missing)


def tokens_of(recipe: Recipe) -> list[str]:
    """The canonical ingredients of a parsed recipe in the order of its list, each once."""
    named = (item.token or token_of(item.name) for item in recipe.ingredients if item.name)
    return [token for token in dict.fromkeys(named) if token]


def title_words(title: str) -> list[str]:
    """The words by which a title, or a query, is matched: singular, each once.

    >>> title_words("Soups of the day")
    ['soup', 'of', 'the', 'day']
    """
    return list(dict.fromkeys(spelled(word) for word in tokenise(title)))


def recipe_of(row: dict[str, Any]) -> Recipe:
    """The recipe of a row, as it was given."""
    return Recipe.from_json(json.loads(row["recipe"]))


def has_image(schema: pa.Schema) -> str:
    """The SQL for whether a recipe has a photo."""
    return "has_image" if "has_image" in schema.names else "thumbnail IS NOT NULL"


def entry_columns(schema: pa.Schema) -> dict[str, str]:
    """The columns of an Entry that a collection has, and their SQL; older ones have no `main_confidence`."""
    return {name: name for name in _ENTRY if name in schema.names} | {"has_image": has_image(schema)}


def entry_of(row: dict[str, Any]) -> Entry:
    """The entry of a row that has `entry_columns`."""
    parsed = tuple(Ingredient(**item) for item in json.loads(row["ingredients"]))
    return Entry(
        id=row["id"],
        recipe=replace(recipe_of(row), ingredients=parsed),
        main_ingredient=row["main_ingredient"],
        main_confidence=row.get("main_confidence"),
        actions=row["actions"],
        tokens=row["tokens"],
        has_image=row["has_image"],
    )


def dumps(data: Any) -> str:
    """JSON that is the same for the same data."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))
