"""Web pages, saved or fetched: JSON-LD, then the page's markup, then recipe-scrapers' rules for its site."""

from __future__ import annotations

import html
import json
import logging
import re
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from chef.errors import ChefError
from chef.readers import base, fields
from chef.readers.base import BrokenJson, RawRecipe, Scope, document, is_web, parse
from chef.readers.lines import decode, ingredients, steps
from chef.readers.web import Answer, fetch

SUFFIXES = (".html", ".htm", ".xhtml")
_CONTENT_TYPES = ("text/html", "application/xhtml+xml", "application/json", "application/ld+json")

_LD_JSON = re.compile(r"application/ld\+json", re.I)
_SCRIPT_END = re.compile(r"</script", re.I)
_TAG_LENGTH = 1000  # of the opening tag at most
# Old pages hide scripts from old browsers: <!-- ... -->, //<![CDATA[ ... //]]>
_HIDING = re.compile(r"[\s/*]*(?:<!--|<!\[CDATA\[)[\s/*]*")
_LAST_COMMA = re.compile(r",(?=\s{0,99}[\]}])")
_AMOUNT = re.compile(r"[\d½⅓⅔¼¾⅛]")
_SAVED_FROM = re.compile(r"saved from url=\(\d{1,6}\)(https?://[^\s\"'<>]{1,2000})")
_SCRAPED = 3 * base.MB  # of a page at most: the parser of recipe-scrapers is slow


def read(path: Path, scope: Scope) -> Iterator[RawRecipe]:
    """The recipes of one page."""
    text = document(path, scope, base.PAGE)
    if text is not None:
        yield from fields.of_file(page_recipes(text), path, scope)


def page_recipes(page: str, address: str = "") -> list[Mapping[str, Any]]:
    """The recipes of a page, each from the best that the page has; `address`: where it came from."""
    listed = list(json_ld(page))
    if listed and all(map(_is_whole, listed)):
        return [{"lang": _language(page), **data} for data in listed]
    from chef.readers import markup  # lxml: not before a page needs it

    tree = markup.page_tree(page)
    if tree is None:
        return listed
    if "copymethat_class_id_version" in page:
        return list(markup.copy_me_that(tree))
    if "recipe-details" in page and "recipeIngredients" in page:
        return list(markup.recipe_keeper(tree))
    known = _addresses(page, tree, address)
    found = [data for data in listed if fields.first(data, "ingredients") is not None]
    marked = list(markup.recipes(tree))
    if not any(map(_is_whole, found + marked)):
        marked += _scraped(tree, known)
    if len(listed) == 1 and marked:  # one recipe, told in several ways
        found = [_joined(listed[0], marked)]
    place = {"lang": _language(page), "url": next(iter(known), None)}
    return [{**place, **data} for data in found or _distinct(marked)]


def _is_whole(data: Mapping[str, Any]) -> bool:
    """Whether a recipe has steps, and ingredients with amounts: some sites list mere categories."""
    return _has_amounts(fields.first(data, "ingredients")) and bool(steps(fields.first(data, "steps")))


def _has_amounts(listed: Any) -> bool:
    return any(_AMOUNT.search(item.line) for item in ingredients(listed))


def _joined(data: Mapping[str, Any], others: list[Mapping[str, Any]]) -> Mapping[str, Any]:
    """A recipe with what it lacks from other forms of it, and with the list that has amounts."""
    joined = dict(data)
    for other in others:
        for name in ("title", "ingredients", "steps", "images", "servings"):
            mine, theirs = (fields.first(one, name) for one in (joined, other))
            is_better = mine is None
            if name == "ingredients" and theirs is not None:
                is_better = not _has_amounts(mine) and (_has_amounts(theirs) or mine is None)
            elif name == "steps":
                is_better = not steps(mine)
            if is_better and theirs is not None:
                joined = {key: value for key, value in joined.items() if key not in fields.NAMES[name]}
                joined[fields.NAMES[name][0]] = theirs
    return joined


def _distinct(recipes: list[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Recipes of different titles; the first form of each that has steps, else the first."""
    by_title: dict[str, Mapping[str, Any]] = {}
    for data in recipes:
        title = fields.text(data, "title")
        if title not in by_title or not steps(fields.first(by_title[title], "steps")):
            by_title[title] = data
    return list(by_title.values())


def json_ld(page: str) -> Iterator[Mapping[str, Any]]:
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
    script = script.strip().rstrip(";")
    # Some sites escape the whole script as if it were text, or leave a comma behind the last item.
    for text in (script, html.unescape(script), _LAST_COMMA.sub("", script)):
        try:
            return parse(text)
        except BrokenJson as error:
            if "Extra data" in str(error):  # two objects in one script
                return _one_by_one(text)
    return None


def _one_by_one(text: str) -> list[Any]:
    values, at = list[Any](), 0
    decoder = json.JSONDecoder(strict=False)
    while len(values) < base.ITEMS and (start := text.find("{", at)) >= 0:
        try:
            value, at = decoder.raw_decode(text, start)
        except (ValueError, RecursionError):
            break
        values.append(value)
    return values


def read_web(address: str, scope: Scope) -> Iterator[RawRecipe]:
    """The recipes of a page at an address.

    Raises ChefError if the page cannot be fetched or holds no recipe. Images stay web addresses.
    """
    answer = fetch(address, base.PAGE, _CONTENT_TYPES)
    try:
        page = answer.body.decode(answer.charset) if answer.charset else decode(answer.body)
    except (LookupError, UnicodeDecodeError):  # a server that names a wrong encoding
        page = decode(answer.body)
    listed = [data for data in _given(answer, page) if fields.first(data, "ingredients") is not None]
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
        return page_recipes(page, answer.url)
    try:
        return list(fields.recipes_in(parse(page)))
    except BrokenJson as error:
        raise ChefError(f"{answer.url} is not JSON: {error}", "check the address") from error


def _language(page: str) -> str | None:
    tag = re.search(r"<html\b[^>]{0,500}?\blang\s?=\s?[\"']?([A-Za-z-]{2,20})", page[:20_000], re.I)
    return tag[1] if tag else None


def _addresses(page: str, tree: Any, address: str) -> list[str]:
    """Where a page is at home, as far as it says so: canonical link, og:url, the browser's note on saving."""
    links = [link for link in tree.iter("link") if link.get("rel", "").lower() == "canonical"]
    addresses = [address, *(link.get("href", "") for link in links)]
    for meta in tree.iter("meta"):
        if (meta.get("property") or meta.get("name") or "").lower() in ("og:url", "twitter:url"):
            addresses.append(meta.get("content", ""))
    if saved := _SAVED_FROM.search(page[:5000]):
        addresses.append(saved[1])
    return list(dict.fromkeys(url.strip() for url in addresses if is_web(url.strip())))


def _scraped(tree: Any, addresses: list[str]) -> list[Mapping[str, Any]]:
    """What recipe-scrapers makes of a page: its rules for known sites, then any schema.org data."""
    with _quiet():
        from lxml.html import tostring
        from recipe_scrapers import SCRAPERS, scrape_html

        # Written anew from its elements: broken tags take Python's own parser, which the rules use, minutes.
        page = tostring(tree, encoding="unicode")
        known = [url for url in addresses if (urlsplit(url).hostname or "").removeprefix("www.") in SCRAPERS]
        if len(page) > _SCRAPED or not (known or "schema.org" in page):
            return []
        for address in known or [*addresses, "https://example.org/"][:1]:
            try:
                scraper: Any = scrape_html(page, org_url=address, supported_only=False)
                data: dict[str, Any] = scraper.to_json()
            except Exception:  # hundreds of site rules raise anything: whatever it is, they found no recipe
                continue
            made = data.pop("instructions_list", None)
            if data.get("ingredients"):
                return [{**data, "instructions": made or data.get("instructions")}]
    return []


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep what libraries warn of and log from the user; some make all loggers write to the terminal."""
    handlers = list(logging.root.handlers)
    for name in ("recipe_scrapers", "extruct", "rdflib", "mf2py"):
        logging.getLogger(name).propagate = False
        logging.getLogger(name).handlers = [logging.NullHandler()]
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        logging.root.handlers[:] = handlers
