"""A saved web page that carries its recipe as schema.org JSON-LD, as almost all recipe sites do."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from chef.readers import fields, limits
from chef.readers.files import document
from chef.readers.found import Found, Scope
from chef.readers.json_stream import BrokenJson, parse

SUFFIXES = (".html", ".htm")

_KIND = re.compile(r"application/ld\+json", re.I)
_SCRIPT_END = re.compile(r"</script", re.I)
_TAG_LENGTH = 1000  # of the opening tag at most
# Old pages hide scripts from old browsers: <!-- ... -->, //<![CDATA[ ... //]]>
_HIDING = re.compile(r"[\s/*]*(?:<!--|<!\[CDATA\[)[\s/*]*")


def read(path: Path, scope: Scope) -> Iterator[Found]:
    """The recipes of one page."""
    text = document(path, scope, limits.PAGE)
    if text is None:
        return
    name = scope.name(path)
    count = 0
    for count, data in enumerate(recipes(text), 1):
        yield Found(data, name, folder=path.parent, id=scope.id(path) if count == 1 else None)
    if not count:
        scope.skipped.add("no recipe in the file", name)


def recipes(page: str) -> Iterator[Mapping[str, Any]]:
    """The recipe objects in the JSON-LD scripts of a page; a script that is no JSON has none."""
    for script in _scripts(page):
        yield from fields.recipes_in(_value(script))


def _scripts(page: str) -> Iterator[str]:
    """The texts of the JSON-LD scripts. Plain searches: they stay fast on any page, however broken."""
    at = 0
    while kind := _KIND.search(page, at):
        at = kind.end()
        tag = page.rfind("<", max(0, kind.start() - _TAG_LENGTH), kind.start())
        start = page.find(">", kind.end(), kind.end() + _TAG_LENGTH) + 1
        if tag < 0 or not start or page[tag : tag + 7].lower() != "<script":
            continue
        end = _SCRIPT_END.search(page, start)
        if end is None:
            return
        yield page[start : end.start()]
        at = end.end()


def _value(script: str) -> Any:
    if hiding := _HIDING.match(script):
        script = (
            script[hiding.end() :]
            .rstrip("\n\r\t ;/*")
            .removesuffix("-->")
            .removesuffix("]]>")
            .rstrip("\n\r\t /*")
        )
    # Some sites escape the whole script as if it were text; try it as it is first.
    for text in (script, html.unescape(script)):
        try:
            return parse(text)
        except BrokenJson:
            continue
    return None
