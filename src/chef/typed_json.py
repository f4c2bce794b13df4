"""Dataclasses to JSON and back. Reading is strict: an error names the file and the field.

>>> @dataclass
... class Cell:
...     n: int
...     values: dict[str, float] = inline(r"R@\\d+")
...     one_k: Cell | None = optional("1k")
>>> from_json(Cell, {"n": 3, "R@1": 41.2}, "result.json")
Cell(n=3, values={'R@1': 41.2}, one_k=None)
"""

import dataclasses
import re
import types
from functools import cache
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

from chef.errors import ChefError

T = TypeVar("T")
_WORDS = {
    str: "a text",
    int: "a whole number",
    float: "a number",
    bool: "true or false",
    types.NoneType: "null",
}


def key(name: str) -> Any:
    """A field that has another name in JSON, such as "main-ingredient"."""
    return dataclasses.field(metadata={"key": name})


def optional(name: str | None = None) -> Any:
    """A field that is None where JSON lacks it, and that is not written when it is None."""
    return dataclasses.field(default=None, metadata={"key": name, "omit": True})


def inline(pattern: str | None = None) -> Any:
    """A field whose entries stand among those of its owner in JSON.

    Either a dataclass or, with a pattern, a dict that takes all keys matching it.
    """
    return dataclasses.field(metadata={"inline": True, "pattern": pattern})


def to_json(value: Any) -> Any:
    """The value as dicts, lists, texts and numbers."""
    if hasattr(value, "to_json"):
        return value.to_json()
    if isinstance(value, dict):
        return {name: to_json(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [to_json(item) for item in value]
    if not dataclasses.is_dataclass(value):
        return value
    content: dict[str, Any] = {}
    for field in dataclasses.fields(value):
        item = getattr(value, field.name)
        if field.metadata.get("inline"):
            content |= to_json(item)
        elif item is not None or not field.metadata.get("omit"):
            content[field.metadata.get("key") or field.name] = to_json(item)
    return content


def from_json(kind: type[T], content: Any, source: str) -> T:
    """The inverse of `to_json`; `source` is the name of the file for error messages."""
    value: T = _read(kind, content, f"{source}:")
    return value


def _read(kind: Any, content: Any, where: str) -> Any:
    origin, arguments = get_origin(kind), get_args(kind)
    if kind is Any:
        return content
    if origin in (Union, types.UnionType):
        (kind,) = [one for one in arguments if _accepts(one, content)][:1] or arguments[:1]
        return _read(kind, content, where)
    if not _accepts(kind, content):
        raise ChefError(f"{where} is not {_WORDS.get(kind) or ('a list' if origin is list else 'an object')}")
    if origin is dict:
        return {name: _read(arguments[1], item, _at(where, name)) for name, item in content.items()}
    if origin is list:
        return [_read(arguments[0], item, _at(where, str(place))) for place, item in enumerate(content)]
    if hasattr(kind, "from_json"):
        return kind.from_json(content)
    if not dataclasses.is_dataclass(kind):
        return content
    rest = dict(content)
    value = _take(kind, rest, where)
    if rest:
        raise ChefError(f"{_at(where, next(iter(rest)))} is not a known field")
    return value


def _accepts(kind: Any, content: Any) -> bool:
    if kind in (int, float):
        return isinstance(content, int if kind is int else (int, float)) and not isinstance(content, bool)
    origin = get_origin(kind) or kind
    return isinstance(content, origin if origin in (*_WORDS, list) else dict)


def _take(kind: Any, rest: dict[str, Any], where: str) -> Any:
    """The dataclass made of the entries of `rest` that belong to it; they are removed from `rest`."""
    values = {}
    for field, hint in _fields(kind):
        name, pattern = field.metadata.get("key") or field.name, field.metadata.get("pattern")
        if pattern:
            matching = [one for one in rest if re.fullmatch(pattern, one)]
            values[field.name] = _read(hint, {one: rest.pop(one) for one in matching}, where)
        elif field.metadata.get("inline"):
            values[field.name] = _take(hint, rest, where)
        elif name in rest:
            values[field.name] = _read(hint, rest.pop(name), _at(where, name))
        elif field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING:
            raise ChefError(f"{_at(where, name)} is missing")
    return kind(**values)


@cache
def _fields(kind: Any) -> list[tuple[dataclasses.Field[Any], Any]]:
    hints = get_type_hints(kind)
    return [(field, hints[field.name]) for field in dataclasses.fields(kind)]


def _at(where: str, name: str) -> str:
    return f"{where}{' ' if where.endswith(':') else '.'}{name}"
