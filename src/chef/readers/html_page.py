"""Web pages, saved or fetched, that carry their recipe as schema.org JSON-LD, as almost all sites do."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from chef.errors import ChefError
from chef.readers import base, fields
from chef.readers.base import BrokenJson, RawRecipe, Scope, document, parse
from chef.readers.fetch import Answer, fetch
from chef.readers.lines import decode

SUFFIXES = (".html", ".htm")
_CONTENT_TYPES = ("text/html", "application/xhtml+xml", "application/json", "application/ld+json")

_LD_JSON = re.compile(r"application/ld\+json", re.I)
_SCRIPT_END = re.compile(r"</script", re.I)
_TAG_LENGTH = 1000  # of the opening tag at most
# Old pages hide scripts from old browsers: <!-- ... -->, //<![CDATA[ ... //]]>
_HIDING = re.compile(r"[\s/*]*(?:<!--|<!\[CDATA\[)[\s/*]*")


def read(path: Path, scope: Scope) -> Iterator[RawRecipe]:
    """The recipes of one page."""
    text = document(path, scope, base.PAGE)
    if text is not None:
        yield from fields.of_file(recipes(text), path, scope)


def recipes(page: str) -> Iterator[Mapping[str, Any]]:
    """The recipe objects in the JSON-LD scripts of a page; a script that is not JSON has none."""
    at = 0  # plain searches: they stay fast on any page, however broken
    while kind := _LD_JSON.search(page, at):
        at = kind.end()
        tag = page.rfind("<", max(0, kind.start() - _TAG_LENGTH), kind.start())
        start = page.find(">", kind.end(), kind.end() + _TAG_LENGTH) + 1
        if tag < 0 or not start or page[tag : tag + 7].lower() != "<script":
            continue
        end = _SCRIPT_END.search(page, start)
        if end is None:
            return
        yield from fields.recipes_in(_value(page[start : end.start()]))
        at = end.end()


def _value(script: str) -> Any:
    if hiding := _HIDING.match(script):
        script = script[hiding.end() :].rstrip("\n\r\t ;/*")
        script = script.removesuffix("-->").removesuffix("]]>").rstrip("\n\r\t /*")
    # Some sites escape the whole script as if it were text; try it as it is first.
    for text in (script, html.unescape(script)):
        try:
            return parse(text)
        except BrokenJson:
            continue
    return None


def read_web(address: str, scope: Scope) -> Iterator[RawRecipe]:
    """The recipes of a page: its JSON-LD, else what recipe-scrapers finds on it.

    Raises ChefError if the page cannot be fetched or holds no recipe. Images stay web addresses.
    """
    answer = fetch(address, base.PAGE, _CONTENT_TYPES)
    try:
        page = answer.body.decode(answer.charset) if answer.charset else decode(answer.body)
    except (LookupError, UnicodeDecodeError):  # a server that names a wrong encoding
        page = decode(answer.body)
    listed = [data for data in _given(answer, page) if fields.first(data, "ingredients") is not None]
    if not listed and (scraped := _scraped(page, answer.url)):
        listed = [scraped]
    if not listed:
        raise ChefError(f"no recipe on {address}", "give the address of a page with one recipe")
    url = urlsplit(answer.url)
    # The address without scheme and fragment: the same page is the same recipe.
    query = f"?{url.query}" if url.query else ""
    id = f"{url.netloc.rsplit('@', 1)[-1]}{url.path.rstrip('/')}{query}"
    for count, data in enumerate(listed, 1):
        raw = {"source": url.hostname, **data}
        yield RawRecipe(raw, address, url=answer.url, id=id if count == 1 else None)


def _given(answer: Answer, page: str) -> list[Mapping[str, Any]]:
    if not answer.kind.endswith("json"):
        return list(recipes(page))
    try:
        return list(fields.recipes_in(parse(page)))
    except BrokenJson as error:
        raise ChefError(f"{answer.url} is not JSON: {error}", "check the address") from error


def _scraped(page: str, address: str) -> dict[str, Any] | None:
    """What recipe-scrapers makes of a page without JSON-LD: microdata and its rules for known sites."""
    from recipe_scrapers import scrape_html

    try:
        scraper: Any = scrape_html(page, org_url=address, supported_only=False)
        data: dict[str, Any] = scraper.to_json()
    except Exception:  # its hundreds of site rules raise anything; whatever it is, they found no recipe
        return None
    steps = data.pop("instructions_list", None)
    return {**data, "instructions": steps} if data.get("ingredients") else None
