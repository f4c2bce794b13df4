"""The YAML front matter of a Markdown file."""

from __future__ import annotations

import re
from typing import Any

import yaml

# libyaml is ten times faster, but not everywhere.
_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_FENCED = re.compile(r"\s*---[ \t]*\n(.*?)(?:\n(?:---|\.\.\.)[ \t]*(?:\n|\Z))", re.S)
_KEY = re.compile(r"([A-Za-z_][\w -]{0,60}?)\s*:(?:\s+(.*))?")
_ITEM = re.compile(r"\s*-\s+(.*)")


def split(text: str) -> tuple[dict[str, Any], str]:
    """Front matter (its names in small letters) and body of a Markdown text.

    >>> split("---\\nTitle: Pie\\n---\\nBake it.")
    ({'title': 'Pie'}, 'Bake it.')
    """
    text = text.replace("\r\n", "\n")
    fenced = _FENCED.match(text)
    if fenced is None:
        return {}, text
    values = _load(fenced[1])
    if values is None:
        values = _by_hand(fenced[1])
    return {str(key).lower(): value for key, value in values.items()}, text[fenced.end() :]


def _load(text: str) -> dict[Any, Any] | None:
    """The values of a YAML text; None if it is no YAML object, or uses aliases."""
    try:
        # A few nested aliases unfold into more values than any memory holds; no recipe needs them.
        if "&" in text and "*" in text and _has_alias(text):
            return None
        values = yaml.load(text, Loader=_LOADER)
    # Beside its own errors YAML raises ValueError for a date such as 2024-13-01.
    except (yaml.YAMLError, ValueError, RecursionError):
        return None
    return values if isinstance(values, dict) else None


def _has_alias(text: str) -> bool:
    return any(isinstance(event, yaml.AliasEvent) for event in yaml.parse(text, Loader=_LOADER))


def _by_hand(text: str) -> dict[Any, Any]:
    """`key: value` and `- item` lines of front matter that is almost YAML, as in "title: Pie: the best"."""
    values: dict[Any, Any] = {}
    key = ""
    for line in text.split("\n"):
        if item := _ITEM.fullmatch(line):
            if isinstance(values.get(key), list):
                values[key].append(_unquoted(item[1]))
        elif named := _KEY.fullmatch(line):
            key = named[1].lower()
            values[key] = _unquoted(named[2]) if named[2] else []
    return values


def _unquoted(text: str) -> str:
    text = text.strip()
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] and text[0] in "\"'" else text
