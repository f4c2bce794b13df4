"""Text as people and web sites store it -> clean lines; ingredient lists and instructions of any format."""

import codecs
import datetime
import html
import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from chef.recipe import LARGEST_AMOUNT, Ingredient, Step

# Soft hyphens, byte-order marks, direction marks and control characters carry nothing a cook reads. Lone
# surrogates (JSON allows "\ud800") cannot be written out again. Joiners stay: scripts and emoji need them.
_INVISIBLE = re.compile(
    "[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\xad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\ufeff\ud800-\udfff]"
)
_INLINE_TAG = re.compile(r"</?(?:a|b|i|u|em|strong|span|sup|sub|small|font|mark)\b[^<>]*>", re.I)
_BLOCK_TAG = re.compile(r"</?(?:br|p|li|ol|ul|div|tr|h[1-6])\b[^<>]*>", re.I)
_TAG = re.compile(r"</?[a-z][^<>]*>|<![^<>]*>", re.I)
# Web text is often escaped twice ("&amp;amp;"), rarely more; the bound stops a hostile "&amp;amp;amp;...".
_PASSES = 8

_DEPTH = 8  # how deep lists and sections may nest
_BULLET = re.compile(r"^(?:[-*+•·▢☐◦‣–]\s+|\[[ xX]?\]\s+)+")
# "## Sauce", "For the sauce" or "Sauce:" names a part of the list; with a number it may be an ingredient.
_SUBHEADING = re.compile(r"#{1,6}\s.*|\[[^\[\]]{1,60}\]|[^\d½⅓⅔¼¾⅛]{1,60}:|for the [^\d,]{1,40}", re.I)

_WHOLE_LINE = ("display", "originalText", "original_text", "text", "raw")
_AMOUNT = ("quantity", "amount", "qty")
_UNIT = ("unit", "measurement")
_NAME = ("food", "name", "ingredient", "item", "title")
_NOTE = ("note", "notes", "comment", "preparation")
_LIST_ELEMENTS = ("itemListElement", "ItemListElement", "itemlistelement")
_GROUP = ("ingredients", "items", *_LIST_ELEMENTS)

_STEP_MARKER = re.compile(r"^(?:\d{1,2}[.)]|[-*+•])\s+")
# "1. Boil. 2. Drain.", "Step 1: Boil.Step 2: Drain."; sentences that lost the line breaks between them.
_NUMBER = re.compile(r"(?<![\w,/-])(?:step )?(\d{1,2})(?:[.):](?!\d)|(?<=\d)(?= - ))\s*", re.I)
_GLUED = re.compile(r"(?<=[a-z)][.!])(?=[A-Z][a-z]{2})")
_STEP_HEADING = re.compile(r"#{1,6}\s+(.+)")
_STEP_CHILDREN = (*_LIST_ELEMENTS, "steps", "instructions")
_STEP_TEXT = ("text", "description", "name")


def clean(text: str) -> str:
    """One line without tags, entities and control characters, its white space folded.

    >>> clean("1&nbsp;cup <b>flour</b>\\n")
    '1 cup flour'
    """
    for _ in range(_PASSES):
        if "<" not in text and "&" not in text:
            break
        before = text
        text = _fold(_TAG.sub(" ", _INLINE_TAG.sub("", html.unescape(text))))
        if text == before:
            break
    return _fold(text)


def _fold(text: str) -> str:
    return " ".join(_INVISIBLE.sub("", text).split())


def clean_lines(text: str) -> list[str]:
    """The non-empty clean lines of a text; `<br>`, `<p>` and `<li>` end a line too."""
    if "<" in text or "&" in text:
        text = _BLOCK_TAG.sub("\n", html.unescape(text))
    return [line for line in map(clean, text.splitlines()) if line]


def plain(value: Any) -> str:
    """The clean text of a single value, "" where it has none: a number is written out, a list has none.

    >>> plain(2.0), plain(float("nan")), plain({"@value": "Pie"})
    ('2', '', 'Pie')
    """
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, bool):
        return ""
    if isinstance(value, int):
        return str(value) if value.bit_length() <= 256 else ""  # Python refuses to print longer ones
    if isinstance(value, float):
        if not math.isfinite(value):
            return ""
        return str(int(value)) if value.is_integer() else str(round(value, 3))
    if isinstance(value, datetime.date):  # YAML reads 2024-01-31 as a date
        return value.isoformat()
    if isinstance(value, dict) and isinstance(value.get("@value"), str):  # JSON-LD
        return clean(value["@value"])
    return ""


def _as_windows_1252(error: UnicodeError) -> tuple[str, int]:
    """Decode the bytes that are no UTF-8 as Windows-1252, the usual other encoding of old recipe files."""
    if not isinstance(error, UnicodeDecodeError):
        raise error
    bad = error.object[error.start : error.end]
    # Five bytes mean nothing in Windows-1252; they stay as they are.
    return "".join(bytes((byte,)).decode("cp1252", "ignore") or chr(byte) for byte in bad), error.end


FALLBACK = "chef-windows-1252"
codecs.register_error(FALLBACK, _as_windows_1252)


def decode(data: bytes) -> str:
    """The text of some bytes: UTF-8, UTF-16 with a byte-order mark, else Windows-1252 (Latin-1)."""
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return data.decode("utf-16", "replace")
    return data.removeprefix(codecs.BOM_UTF8).decode("utf-8", FALLBACK)


def ingredients(value: Any) -> tuple[Ingredient, ...]:
    """The ingredients of a list, a text with one per line, or groups of them; sub-headings are left out.

    >>> [item.line for item in ingredients(["Sauce:", {"quantity": 2, "unit": "cup", "name": "cream"}])]
    ['2 cup cream']
    """
    return tuple(_walk(value, 0))


def is_heading(line: str) -> bool:
    """Whether a line of an ingredient list is a sub-heading."""
    return _SUBHEADING.fullmatch(line) is not None


def _walk(value: Any, depth: int) -> Iterator[Ingredient]:
    if depth > _DEPTH:
        return
    if isinstance(value, str):
        for line in clean_lines(value):
            yield from _line(line)
    elif isinstance(value, list):
        for item in value:
            if isinstance(item, str):
                yield from _line(clean(item))
            elif isinstance(item, dict):
                yield from _item(item, depth)
            elif isinstance(item, list):
                yield from _walk(item, depth + 1)
    elif isinstance(value, dict) and any(name in value for name in _GROUP):
        yield from _item(value, depth)
    elif isinstance(value, dict):  # a whole list as one: {"flour": "200 g"}, {"Sauce": ["2 cups cream"]}
        for key, item in value.items():
            if isinstance(item, list):
                yield from _walk(item, depth + 1)
            elif isinstance(item, dict):
                yield from _item({"name": key, **item}, depth + 1)
            elif not str(key).startswith("@"):
                yield from _line(clean(f"{plain(item)} {key}"))


def _line(line: str) -> Iterator[Ingredient]:
    line = _BULLET.sub("", line)
    if line and not is_heading(line):
        yield Ingredient(line)


def _item(item: Mapping[str, Any], depth: int) -> Iterator[Ingredient]:
    """One object of a list: our own form, a group, or amount, unit and name as separate fields."""
    group = next((item[name] for name in _GROUP if isinstance(item.get(name), list)), None)
    if isinstance(item.get("line"), str):
        if line := clean(item["line"]):  # ours; a parsed field of a wrong type counts as unknown
            words = [item.get(field) for field in ("name", "unit", "token")]
            name, unit, token = (clean(word) if isinstance(word, str) else None for word in words)
            yield Ingredient(line, name, _number(item.get("amount")), unit, _number(item.get("grams")), token)
    elif group is not None:
        yield from _walk(group, depth + 1)
    elif line := _compose(item):
        yield from _line(line)
    elif len(item) == 1:
        (key, value), *_ = item.items()
        if isinstance(value, list | dict):
            yield from _walk(value, depth + 1)
        elif text := plain(value):  # YAML makes an object of "- Topping: grated cheese"
            yield from _line(clean(f"{key}: {text}"))


def _number(value: Any) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        number = float(value)
    except OverflowError:  # JSON's integers have no limit
        return None
    return number if abs(number) < LARGEST_AMOUNT else None


def _compose(item: Mapping[str, Any]) -> str:
    note, whole = _first(item, _NOTE), _first(item, _WHOLE_LINE)
    if not whole:
        name, amount = _first(item, _NAME), _first(item, _AMOUNT)
        if not name:
            # Mealie without parsing keeps the whole line in the note, beside a quantity of 1 or 0.
            return note
        amount = "" if amount == "0" or item.get("no_amount") is True else amount
        unit = _first(item, _UNIT) if amount else ""
        whole = " ".join(part for part in (amount, unit, name) if part)
    return f"{whole}, {note}" if note and note not in whole else whole


def _first(item: Mapping[str, Any], names: tuple[str, ...]) -> str:
    values = map(item.get, names)
    # Mealie's foods and units are objects.
    texts = (plain(value.get("name") if isinstance(value, dict) else value) for value in values)
    return next(filter(None, texts), "")


def steps(value: Any) -> tuple[Step, ...]:
    """The steps of a list, of a text with one per line, or of sections of them.

    >>> steps([{"name": "Sauce", "itemListElement": [{"text": "Melt the butter."}]}])
    (Step(text='Melt the butter.', section='Sauce'),)
    """
    collected = _Steps()
    collected.walk(value, 0)
    if len(collected.steps) == 1 and len(glued := _GLUED.split(collected.steps[0].text)) > 2:
        return tuple(replace(collected.steps[0], text=text) for text in glued)
    return tuple(collected.steps)


def _numbered(text: str) -> list[str]:
    """The steps of a text that numbers them: "1. Boil. 2. Drain."; others are one step."""
    starts: list[re.Match[str]] = []
    for mark in _NUMBER.finditer(text):
        if int(mark[1]) == len(starts) + 1 and (starts or not mark.start()):
            starts.append(mark)
    if len(starts) < 2:
        return [_STEP_MARKER.sub("", text)]
    ends = [*(mark.start() for mark in starts[1:]), len(text)]
    return [text[mark.end() : end].strip() for mark, end in zip(starts, ends, strict=True)]


class _Steps:
    def __init__(self) -> None:
        self.steps: list[Step] = []
        self.section: str | None = None

    def walk(self, value: Any, depth: int) -> None:
        if depth > _DEPTH:
            return
        if isinstance(value, list) and len(value) == 1 and isinstance(value[0], str):
            value = value[0]  # some sites put the whole text into a list of one
        if isinstance(value, str):
            for line in clean_lines(value):
                self.line(line)
        elif isinstance(value, list):
            for item in value:
                if isinstance(item, str):
                    self.line(clean(item))
                else:
                    self.walk(item, depth + 1)
        elif isinstance(value, dict):
            self.item(value, depth)

    def line(self, line: str) -> None:
        if heading := _STEP_HEADING.fullmatch(line):  # Nextcloud writes sections as "## Sauce"
            self.section = heading[1]
        else:
            self.steps += [Step(text, self.section) for text in _numbered(line) if text]

    def item(self, item: Mapping[str, Any], depth: int) -> None:
        values = map(item.get, _STEP_CHILDREN)
        children = next((value for value in values if isinstance(value, list | dict)), None)
        text = next(filter(None, (plain(item.get(name)) for name in _STEP_TEXT)), "")
        if children is not None:  # a HowToSection, a list, or a step of several directions
            outer = self.section
            self.section = plain(item.get("name")) or outer
            self.walk(children, depth + 1)
            self.section = outer
        elif item.get("@type") == "HowToSection":  # RecipeSage: a heading above steps that are beside it
            self.section = text or None
        elif text:
            # A section of our own form counts for its step alone; Mealie's title opens a section that stays.
            self.section = plain(item.get("title")) or self.section
            section = plain(item.get("section")) or self.section
            self.steps += [Step(one, section) for one in _numbered(text) if one]
        elif depth == 0:
            self.by_key(item, depth)

    def by_key(self, item: Mapping[str, Any], depth: int) -> None:
        """All steps in one object: {"1": "Boil the eggs."} or {"Sauce": ["Melt the butter."]}."""
        for key, value in item.items():
            if isinstance(value, str):
                self.line(clean(value))
            elif isinstance(value, list):
                outer, self.section = self.section, clean(str(key)) or None
                self.walk(value, depth + 1)
                self.section = outer
