"""Markdown cookbooks: one recipe per file, in the front matter (Chowdown), under headings, or between rules
(RecipeMD, https://recipemd.org/specification.html).
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

from chef.readers import base, fields
from chef.readers.base import RawRecipe, Scope, document
from chef.readers.lines import is_heading

SUFFIXES = (".md", ".markdown")

# ![pie](pie.jpg "A pie"), ![[pie.jpg]] as Obsidian writes it, <img src="pie.jpg">
_IMAGE = re.compile(
    r"!\[[^\[\]\n]{0,500}+\]\(\s*+<?([^)>\n\"]{1,500}+)[)>\"]"
    r"|!\[\[([^\]|\n]{1,500})"
    r"|<img\b[^>]{0,500}?\bsrc\s{0,9}=\s{0,9}[\"']([^\"']{1,500})",
    re.I,
)

# libyaml is ten times faster, but not everywhere.
_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_FENCED = re.compile(r"\s*---[ \t]*\n(.*?)(?:\n(?:---|\.\.\.)[ \t]*(?:\n|\Z))", re.S)
_KEY = re.compile(r"([A-Za-z_][\w -]{0,60}?)\s*:(?:\s+(.*))?")
_ITEM = re.compile(r"\s*-\s+(.*)")

_INGREDIENTS = re.compile(r"\b(?:ingredients?|you(?:'ll| will)? need)\b", re.I)
_STEPS = re.compile(r"\b(?:directions?|instructions?|method|steps|preparation|procedure|how to)\b", re.I)
_NOTES = re.compile(r"\b(?:notes?|tips?|substitut\w*)\b", re.I)

_HEADING = re.compile(r"\s{0,3}(#{1,6})\s+(.*)")
_BOLD_LINE = re.compile(r"\s{0,3}(\*\*|__)([^*_]+)\1:?\s*")
_UNDERLINE = re.compile(r"\s{0,3}(=+|-{2,})\s*")
_RULE = re.compile(r"\s{0,3}(?:[-*_]\s*){3,}")
_FENCE = re.compile(r"\s*(?:```|~~~)")
_MARKER = re.compile(r"(\s*)(?:[-*+•]|\d{1,3}[.)])\s+(?:\[[ xX]?\]\s+)?(.*)")
# Lengths are bounded so that a line of a million brackets costs no more than any other.
_MARKS = [
    (re.compile(pattern), kept)
    for pattern, kept in (
        # images, footnotes
        (r"!\[[^\[\]]{0,500}+\]\([^)]{0,500}+\)|!\[\[[^\[\]]{0,500}+\]\]|\[\^[^\]]{0,100}+\]", ""),
        (r"\{\{.{0,300}?\}\}|\{%.{0,300}?%\}", ""),  # codes of site generators
        (r"\[\[(?:[^\[\]|]{0,300}+\|)?([^\[\]|]{0,300}+)\]\]", r"\1"),
        (r"\[([^\[\]]{0,500}+)\]\([^)]{0,500}+\)", r"\1"),
        (r"(\*\*|__|`|~~)(?=\S)(.{1,500}?)(?<=\S)\1", r"\2"),
        (r"(?<!\w)([*_])(?=\S)(.{1,500}?)(?<=\S)\1(?!\w)", r"\2"),
        (r"\\([-\\`*_{}\[\]()#+.!|])", r"\1"),
    )
]
_BOLD_LEVEL = 7  # below all six levels of real headings


def read(path: Path, scope: Scope) -> Iterator[RawRecipe]:
    """The recipe of one file."""
    text = document(path, scope, base.MARKDOWN)
    if text is None:
        return
    values, markdown = split_front_matter(text)
    # The lines of front matter are Markdown too.
    data = {
        key: [without_marks(item) if isinstance(item, str) else item for item in value]
        if isinstance(value, list)
        else value
        for key, value in values.items()
    } or recipe_md(markdown)
    if fields.first(data, "ingredients") is None and isinstance(values.get("components"), list):
        data |= _components(values["components"], path, scope)
    if missing := [field for field in ("title", "ingredients", "steps") if fields.first(data, field) is None]:
        body = Body(markdown)
        found = {"title": body.title, "ingredients": body.ingredients, "steps": body.steps}
        data |= {field: found[field] for field in missing}
    name = scope.name(path)
    if fields.first(data, "ingredients") is None and fields.first(data, "steps") is None:
        scope.skipped.add("no recipe in the file", name)
        return
    if fields.first(data, "images") is None and (image := _IMAGE.search(markdown)):
        data["image"] = next(group for group in image.groups() if group).strip()
    yield RawRecipe(data, name, folder=path.parent, id=scope.id(path))


def _components(names: list[Any], path: Path, scope: Scope) -> dict[str, Any]:
    """Ingredients and directions of the parts that a recipe of Chowdown is made of."""
    lists: dict[str, list[Any]] = {"ingredients": [], "directions": []}
    for name in map(str, names[:20]):
        file = path.parent.parent / "_components" / f"{name}.md"
        if "/" not in name and file.is_file() and base.is_own(file, scope.root):
            part = split_front_matter(document(file, scope, base.MARKDOWN) or "")[0]
            for key, found in lists.items():
                found += part[key] if isinstance(part.get(key), list) else []
    return lists


def recipe_md(text: str) -> dict[str, Any]:
    """The fields of a RecipeMD text: title, tags in italics, yield in bold; rules around the ingredients."""
    lines = text.replace("\r\n", "\n").split("\n")
    rules = [
        number
        for number, (above, line) in enumerate(zip(["", *lines], lines, strict=False))
        if _RULE.fullmatch(line) and not (above[:1].isalnum() and _UNDERLINE.fullmatch(line))
    ]
    if not rules:
        return {}
    head = Body("\n".join(lines[: rules[0]]))
    last = rules[1] if len(rules) > 1 else len(lines)
    listed = Body("\n".join(["# Ingredients", *lines[rules[0] + 1 : last]]))
    if not head.title or not listed.has_list or head.ingredients:
        return {}
    data: dict[str, Any] = {"title": head.title, "ingredients": listed.ingredients}
    description = []
    for paragraph in re.split(r"\n\s*\n", "\n".join(lines[: rules[0]])):
        text = paragraph.strip()
        if whole := re.fullmatch(r"\*\*([^*]{1,500})\*\*|__([^_]{1,500})__", text):
            data["servings"] = whole[1] or whole[2]
        elif whole := re.fullmatch(r"\*([^*]{1,500})\*|_([^_]{1,500})_", text):
            data["tags"] = whole[1] or whole[2]
        elif not text.startswith("#") and head.title not in text:
            description.append(without_marks(text))
    steps = Body("\n".join(["# Directions", *lines[last + 1 :]])).steps
    return {**data, "description": " ".join(filter(None, description)), "steps": steps}


def split_front_matter(text: str) -> tuple[dict[str, Any], str]:
    """Front matter (its keys in lower case) and body of a Markdown text.

    >>> split_front_matter("---\\nTitle: Pie\\n---\\nBake it.")
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
    """The values of a YAML text; None if it is not a YAML object, or uses aliases."""
    try:
        # A few nested aliases unfold into more values than any memory holds; no recipe needs them.
        events = yaml.parse(text, Loader=_LOADER) if "&" in text and "*" in text else ()
        if any(isinstance(event, yaml.AliasEvent) for event in events):
            return None
        values = yaml.load(text, Loader=_LOADER)
    # Beside its own errors YAML raises ValueError for a date such as 2024-13-01.
    except (yaml.YAMLError, ValueError, RecursionError):
        return None
    return values if isinstance(values, dict) else None


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


def without_marks(text: str) -> str:
    """Markdown text without its marks: links keep their words, images go.

    >>> without_marks("**2 cups** [flour](flour.md), _sifted_")
    '2 cups flour, sifted'
    """
    for pattern, kept in _MARKS:
        text = pattern.sub(kept, text)
    return text.strip()


class Body:
    """Title, ingredient lines and steps of a Markdown text.

    A heading opens a part by its words; a deeper heading inside the ingredients is a sub-heading and left
    out, inside the steps it is their section.
    """

    def __init__(self, text: str) -> None:
        self.title = ""
        self._steps: list[tuple[list[str], str | None]] = []  # lines and section of each
        self._bullets: list[tuple[int, list[str]]] = []  # indent and lines of the ingredient list
        self._loose: list[str] = []  # lines among the ingredients that are no list items
        self._part = ""
        self._level = 0
        self._section: str | None = None
        self._open = False  # whether the next plain line continues the last item
        self._read(text.split("\n"))

    @property
    def has_list(self) -> bool:
        """Whether the ingredients are list items."""
        return bool(self._bullets)

    @property
    def ingredients(self) -> list[str]:
        """The list items, or all the lines where the author made no list."""
        if not self._bullets:
            return self._loose
        items = [(indent, " ".join(lines)) for indent, lines in self._bullets]
        following = [indent for indent, _ in items[1:]] + [0]
        return [
            text
            for (indent, text), next_indent in zip(items, following, strict=True)
            # "- Sauce" above items that are further in names them.
            if not (is_heading(text) or (next_indent > indent and not re.search(r"\d", text)))
        ]

    @property
    def steps(self) -> list[dict[str, Any]]:
        return [{"text": " ".join(lines), "section": section} for lines, section in self._steps]

    def _read(self, lines: list[str]) -> None:
        for number, line in enumerate(lines):
            following = lines[number + 1] if number + 1 < len(lines) else ""
            if _FENCE.match(line) or (_RULE.fullmatch(line) and not _UNDERLINE.fullmatch(line)):
                self._open = False
            elif heading := _HEADING.fullmatch(line):
                self._heading(len(heading[1]), without_marks(heading[2].rstrip("# ")))
            elif bold := _BOLD_LINE.fullmatch(line):
                self._heading(_BOLD_LEVEL, without_marks(bold[2]))
            elif _UNDERLINE.fullmatch(following) and line.strip() and not (self._open or _MARKER.match(line)):
                self._heading(1 if "=" in following else 2, without_marks(line))
            elif _UNDERLINE.fullmatch(line) or _is_table_rule(line):
                self._open = False
            elif not (_is_table_rule(following) and "|" in line):  # else the head of a table
                self._line(line)

    def _heading(self, level: int, text: str) -> None:
        self._open = False
        text = text.rstrip(":").strip()
        part = _part(text)
        if part:
            self._part, self._level, self._section = part, level, None
        elif self._part and level > self._level:
            self._section = text or None
        elif level < _BOLD_LEVEL:
            self._part, self._section = "", None
            self.title = self.title or text

    def _line(self, line: str) -> None:
        if line.strip().lower().rstrip(":") in ("ingredients", "directions", "instructions", "method"):
            self._heading(_BOLD_LEVEL, line.strip())  # a heading without any mark
        elif self._part == "ingredients":
            self._ingredient(line)
        elif self._part == "steps":
            self._step(line)

    def _ingredient(self, line: str) -> None:
        item = _MARKER.fullmatch(line)
        if item and (text := without_marks(item[2])):
            self._bullets.append((len(item[1].expandtabs(4)), [text]))
        elif not item and (text := without_marks(line)):
            if text.startswith("|"):
                text = " ".join(cell.strip() for cell in text.strip("|").split("|"))
            if self._open and self._bullets and line[:1].isspace():
                self._bullets[-1][1].append(text)
            else:
                self._loose.append(text)
        self._open = bool(item)

    def _step(self, line: str) -> None:
        item = _MARKER.fullmatch(line)
        text = without_marks(item[2] if item else line)
        if text and self._open and not item:
            self._steps[-1][0].append(text)
        elif text:
            self._steps.append(([text], self._section))
        self._open = bool(text)


def _is_table_rule(line: str) -> bool:
    """Whether a line is the |---|---| below the head of a table."""
    return "|" in line and "-" in line and set(line) <= set("|:- \t")


def _part(heading: str) -> str:
    """Which part of a recipe a heading opens: "ingredients", "steps" or none."""
    if len(heading) > 60 or _NOTES.search(heading):
        return ""
    if _INGREDIENTS.search(heading):
        return "ingredients"
    return "steps" if _STEPS.search(heading) else ""
