"""The recipe on a web page, when the user gives its address."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import urlsplit

from chef.errors import ChefError
from chef.readers import fields, html_page, limits
from chef.readers.clean import decode
from chef.readers.fetch import Answer, fetch
from chef.readers.found import Found, Scope
from chef.readers.json_stream import BrokenJson, parse

_KINDS = ("text/html", "application/xhtml+xml", "application/json", "application/ld+json")


def read(address: str, scope: Scope) -> Iterator[Found]:
    """The recipes of a page: its JSON-LD, else what the library of site rules finds on it.

    Raises ChefError if the page cannot be had or holds no recipe. Images stay web addresses.
    """
    answer = fetch(address, limits.PAGE, _KINDS)
    page = _text(answer)
    recipes = [data for data in _given(answer, page) if fields.first(data, "ingredients") is not None]
    if not recipes:
        recipes = [data for data in [_scraped(page, answer.url)] if data]
    if not recipes:
        raise ChefError(f"no recipe on {address}", "give the address of a page with one recipe")
    for count, data in enumerate(recipes, 1):
        site = {"source": urlsplit(answer.url).hostname}
        yield Found({**site, **data}, address, url=answer.url, id=_id(answer.url) if count == 1 else None)


def _given(answer: Answer, page: str) -> list[Mapping[str, Any]]:
    if not answer.kind.endswith("json"):
        return list(html_page.recipes(page))
    try:
        return list(fields.recipes_in(parse(page)))
    except BrokenJson as error:
        raise ChefError(f"{answer.url} is not JSON: {error}", "check the address") from error


def _text(answer: Answer) -> str:
    try:
        return answer.body.decode(answer.charset) if answer.charset else decode(answer.body)
    except (LookupError, UnicodeDecodeError):  # a server that names a wrong encoding
        return decode(answer.body)


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


def _id(address: str) -> str:
    """The address without scheme and fragment: the same page is the same recipe."""
    parts = urlsplit(address)
    query = f"?{parts.query}" if parts.query else ""
    return f"{parts.netloc.rsplit('@', 1)[-1]}{parts.path.rstrip('/')}{query}"
