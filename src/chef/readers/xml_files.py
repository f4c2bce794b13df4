"""XML of MasterCook (.mx2), RecipeML, Gourmet and Krecipes, known by the first element.

Photos are inside, as base64; a reference says where in the file: `box.grmt#/base64/120-4800`.
"""

import html
import re
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from chef.readers import base, fields
from chef.readers.base import RawRecipe, Scope, content
from chef.readers.lines import decode

SUFFIXES = (".xml", ".mx2", ".grmt", ".kreml", ".recipeml")

_PROLOG = re.compile(r"<\?xml[^>]{0,500}\?>|<!DOCTYPE[^>\[]{0,500}(?:\[[^\]]{0,5000}\]\s{0,9})?>", re.I)
_BARE_AND = re.compile(r"&(?!#?\w{1,10};)")
# MasterCook writes quotes and angle brackets into attributes as they are.
_ATTRIBUTE = re.compile(r'(?<=\s)(\w{1,20}=")([^\n]{0,500}?)"(?=\s+\w{1,20}="|\s*/?>)')
_RANGE = re.compile(r"^([\d.]{1,9}) ([\d.]{1,9})$")
_PHOTO = re.compile(rb"<(image|pic)\b[^>]{0,300}>\s{0,99}(?:<!\[CDATA\[)?")

Maker = Callable[[Any, tuple[str, ...]], Iterator[dict[str, Any]]]


def read(path: Path, scope: Scope) -> Iterator[RawRecipe]:
    """The recipes of one file."""
    from lxml import etree  # not before a file needs it

    data = content(path, scope, base.DOCUMENT)
    if data is None:
        return
    # No entity is expanded and nothing is fetched, whatever the file declares.
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, recover=True, encoding="utf-8"
    )
    text = _PROLOG.sub("", decode(data)).replace("\0", "").strip()
    if "<mx2" in text[:2000].lower():
        text = _ATTRIBUTE.sub(lambda found: f'{found[1]}{html.escape(html.unescape(found[2]))}"', text)
    text = _BARE_AND.sub("&amp;", text)
    try:
        root = etree.fromstring(text.encode("utf-8", "replace"), parser) if text else None
    except etree.XMLSyntaxError as error:
        scope.skipped.add("not XML", scope.name(path), str(error))
        return
    tag = root.tag.lower() if root is not None and isinstance(root.tag, str) else ""
    if tag not in _MAKERS:
        scope.skipped.add("unknown format", scope.name(path), f"XML of another kind: <{tag[:40]}>")
        return
    photos = (f"{path}#/base64/{start}-{end}" for start, end in _photos(data))
    yield from fields.of_file(_MAKERS[tag](root, tuple(photos)), path, scope)


def _photos(data: bytes) -> Iterator[tuple[int, int]]:
    """Where the base64 of each photo begins and ends."""
    for tag in _PHOTO.finditer(data):
        end = data.find(b"<" if not tag[0].endswith(b"[") else b"]]>", tag.end())
        if end > tag.end():
            yield tag.end(), end


def _text(element: Any, path: str = ".") -> str:
    found = element.find(path) if element is not None else None
    return "" if found is None else " ".join("".join(found.itertext()).split())


def _joined(*parts: str) -> str:
    return " ".join(part for part in parts if part)


def _line(amount: str, unit: str, name: str, preparation: str = "") -> str:
    line = _joined(amount, unit, name)
    return f"{line}, {preparation}" if preparation else line


def _mx2(root: Any, photos: tuple[str, ...]) -> Iterator[dict[str, Any]]:
    for one in root.iter("RcpE"):
        times = [one.find(name) for name in ("PrpT", "TTim")]
        count, made = one.find("Serv"), one.find("Yield")
        servings = count.get("qty", "") if count is not None else ""
        if servings in ("", "0") and made is not None:
            servings = _joined(made.get("qty", ""), made.get("unit", ""))
        author = one.get("author", "")
        yield {
            "title": one.get("name"),
            "source": _text(one, "Srce") or ("" if author.lower() == "n/a" else author),
            "servings": servings,
            "prep_time": times[0].get("elapsed") if times[0] is not None else None,
            "total_time": times[1].get("elapsed") if times[1] is not None else None,
            "tags": [_text(tag) for tag in one.iter("CatT")],
            "ingredients": [
                _line(
                    _RANGE.sub(r"\1-\2", item.get("qty", "")),
                    item.get("unit", ""),
                    item.get("name", ""),
                    _text(item, "IPrp"),
                )
                for item in one.iter("IngR")
            ],
            "instructions": [_text(step) for step in one.iter("DirT")],
            "description": _text(one, "Desc"),
            "notes": [note for note in (_text(one, "Note"), _text(one, "SrvI")) if note],
        }  # fmt: skip


def _recipe_ml(root: Any, photos: tuple[str, ...]) -> Iterator[dict[str, Any]]:
    def amount(element: Any) -> str:
        ends = [_text(element, name) for name in (".//range/q1", ".//range/q2")]
        return "-".join(ends) if all(ends) else _text(element, "qty")

    for one in root.iter("recipe"):
        head = one.find("head")
        times = {time.get("type", "").lower(): time for time in one.iter("preptime")}
        total = next((times[kind] for kind in ("total", "") if kind in times), None)

        def time(element: Any) -> str:
            if element is None:
                return ""
            return _joined(amount(element.find("time")), _text(element, "time/timeunit"))

        lines = []
        for item in one.iter("ing"):
            measure = item.find("amt")
            unit = _joined(_text(measure, "size"), _text(measure, "unit"))
            much = amount(measure) if measure is not None else ""
            line = _line(much, unit, _text(item, "item"), _text(item, "prep"))
            lines.append(f"{line} (optional)" if item.get("optional") == "yes" else line)
        made = head.find("yield") if head is not None else None
        yield {
            "title": _text(head, "title"),
            "source": _text(head, "source"),
            "tags": [_text(tag) for tag in one.iter("cat")],
            "servings": _joined(amount(made), _text(made, "unit")) if made is not None else "",
            "prep_time": time(times.get("preparation", times.get("prep"))),
            "cook_time": time(times.get("cooking", times.get("cook"))),
            "total_time": time(total),
            "description": _text(one, "description"),
            "ingredients": lines,
            "instructions": [_text(step) for step in one.iter("step")] or _text(one, "directions"),
        }


def _gourmet(root: Any, photos: tuple[str, ...]) -> Iterator[dict[str, Any]]:
    titles = {one.get("id"): _text(one, "title") for one in root.iter("recipe")}
    left = iter(photos)
    for one in root.iter("recipe"):
        lines = []
        for item in one.iter("ingredient", "ingref"):
            if item.tag == "ingref":
                title = titles.get(item.get("refid"), "") or _text(item)
                lines.append(_joined(item.get("amount", ""), title))
                continue
            line = _joined(*(_text(item, name) for name in ("amount", "unit", "item")))
            lines.append(f"{line} (optional)" if item.get("optional") == "yes" else line)
        # Escaped twice: the parser has undone the first.
        steps, notes = (html.unescape(one.findtext(name) or "") for name in ("instructions", "modifications"))
        has_photo = bool((one.findtext("image") or "").strip())
        yield {
            "title": _text(one, "title"),
            "tags": f"{_text(one, 'category')}, {_text(one, 'cuisine')}",
            "source": _text(one, "source"),
            "url": _text(one, "link"),
            "rating": _text(one, "rating"),
            "prep_time": _text(one, "preptime"),
            "cook_time": _text(one, "cooktime"),
            "servings": _text(one, "yields"),
            "ingredients": lines,
            "instructions": [" ".join(part.split()) for part in re.split(r"\n\s*\n", steps.strip())],
            "notes": notes,
            fields.PHOTOS: tuple(islice(left, has_photo)),
        }


def _krecipes(root: Any, photos: tuple[str, ...]) -> Iterator[dict[str, Any]]:
    left = iter(photos)
    for one in root.iter("krecipes-recipe"):
        about = one.find("krecipes-description")
        lines = []
        for item in one.iterfind("krecipes-ingredients//ingredient"):
            if item.getparent().tag == "substitutes":
                continue
            ends = [_text(item, f"amount/{name}") for name in ("min", "max")]
            amount = "-".join(ends) if all(ends) else _text(item, "amount")
            lines.append(_line(amount, _text(item, "unit"), _text(item, "name"), _text(item, "prep")))
        made = about.find("yield") if about is not None else None
        count = sum(bool(_text(pic)) for pic in one.iter("pic"))
        yields = _joined(_text(made, "amount"), _text(made, "type"))
        yield {
            "title": _text(about, "title"),
            "source": _text(about, "author"),
            "tags": [_text(tag) for tag in one.iter("cat")],
            "servings": yields or _text(about, "serving"),
            "prep_time": _text(about, "preparation-time"),
            "ingredients": lines,
            "instructions": one.findtext("krecipes-instructions") or "",
            fields.PHOTOS: tuple(islice(left, count)),
        }  # fmt: skip


_MAKERS: dict[str, Maker] = {
    "mx2": _mx2, "recipeml": _recipe_ml, "gourmetdoc": _gourmet, "krecipes": _krecipes,
}  # fmt: skip
