"""Markdown cookbooks: one recipe per file, in the front matter (Chowdown) or under headings."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from chef.readers import fields, front_matter, limits
from chef.readers.files import document
from chef.readers.found import Found, Scope
from chef.readers.markdown_body import Body, without_marks

SUFFIXES = (".md", ".markdown")

# ![pie](pie.jpg "A pie"), ![[pie.jpg]] as Obsidian writes it, <img src="pie.jpg">
_IMAGE = re.compile(
    r"!\[[^\]\n]{0,500}\]\(\s*<?([^)>\n\"]{1,500}?)>?(?:\s+\"[^\"\n]{0,500}\")?\s*\)"
    r"|!\[\[([^\]|\n]{1,500})"
    r"|<img\b[^>]{0,500}?\bsrc\s*=\s*[\"']([^\"']{1,500})",
    re.I,
)


def read(path: Path, scope: Scope) -> Iterator[Found]:
    """The recipe of one file."""
    text = document(path, scope, limits.MARKDOWN)
    if text is None:
        return
    values, markdown = front_matter.split(text)
    body = Body(markdown)
    data = _data(values, body)
    name = scope.name(path)
    if fields.first(data, "ingredients") is None and fields.first(data, "steps") is None:
        scope.skipped.add("no recipe in the file", name)
        return
    if fields.first(data, "images") is None and (image := _IMAGE.search(markdown)):
        data["image"] = next(group for group in image.groups() if group)
    yield Found(data, name, folder=path.parent, id=scope.id(path))


def _data(values: dict[str, Any], body: Body) -> dict[str, Any]:
    """The front matter, filled up from the body where it says nothing."""
    data = {key: _unmarked(value) for key, value in values.items()}
    if fields.first(data, "title") is None:
        data["title"] = body.title
    if fields.first(data, "ingredients") is None:
        data["ingredients"] = body.ingredients
    if fields.first(data, "steps") is None:
        data["instructions"] = [{"text": step.text, "section": step.section} for step in body.steps]
    return data


def _unmarked(value: Any) -> Any:
    """Lines of the front matter are Markdown too."""
    if isinstance(value, list):
        return [without_marks(item) if isinstance(item, str) else item for item in value]
    return value
