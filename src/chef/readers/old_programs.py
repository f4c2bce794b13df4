"""Text files of the programs of the nineties, which people still trade: Meal-Master, MasterCook (.mxp),
RezKonv and Now You're Cooking. Many recipes are in one file, and ingredients are in columns.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from chef.files import rows
from chef.readers.fields import names_of
from chef.readers.lines import FALLBACK

_UNITS = {code: "" if word == "-" else word for code, word in rows("chef.readers", "units.tsv")}
_FIGURES = re.compile(r"(?:\d[\d ./-]*)?")
_SECTION = re.compile(r"(?:MMMMM|-{5}|={5})[-=]* ?([^\s=-][^\n]{0,80}?) ?[-=]{3,}\s*")
_LABEL = re.compile(r"\s{0,20}([A-Za-z()][A-Za-z() ]{1,30}?)\s{0,8}:\s*(.*)")
# A letter of the DOS code pages between others: "M\x94hre". In Windows' pages these bytes are marks.
_DOS = re.compile(rb"[A-Za-z][\x80-\x91\x93-\x9f\xe1][a-z]")
_WINDOWS = re.compile(rb"[A-Za-z][\xc0-\xff][a-z]")

Recipe = dict[str, Any]


def decode(data: bytes) -> str:
    """The text of an old file: UTF-8, else DOS or Windows, whichever makes words of it."""
    data = data.removeprefix(b"\xef\xbb\xbf").translate(None, b"\x14\x1a")
    try:
        return data.decode()
    except UnicodeDecodeError:
        is_dos = len(_DOS.findall(data)) > len(_WINDOWS.findall(data))
        return data.decode("cp850") if is_dos else data.decode("utf-8", FALLBACK)


def paragraphs(lines: Iterable[str]) -> list[str]:
    """Wrapped lines put together; a blank line, or a colon before the text, begins the next."""
    joined: list[str] = []
    is_open = False
    for line in lines:
        text = line.strip()
        forced = text.startswith(":") and text[1:2] != ":"
        if text and is_open and not forced:
            joined[-1] += f" {text}"
        elif text:
            joined.append(text.removeprefix(":").strip())
        is_open = bool(text)
    return joined


def _split(lines: list[str], start: re.Pattern[str], ends: tuple[str, ...]) -> Iterator[list[str]]:
    """The lines of each recipe of a file."""
    recipe: list[str] | None = None
    for line in lines:
        if start.search(line):
            if recipe:
                yield recipe
            recipe = []
        elif recipe is not None and line.strip() in ends:
            yield recipe
            recipe = None
        elif recipe is not None:
            recipe.append(line)
    if recipe:
        yield recipe


def _header(lines: list[str], names: Mapping[str, str]) -> tuple[dict[str, Any], int]:
    """The labelled lines above the ingredients, and how many lines they take."""
    data: dict[str, Any] = {}
    for number, line in enumerate(lines):
        label = _LABEL.fullmatch(line)
        if label and (name := names.get(label[1].lower())):
            data.setdefault(name, label[2].strip())
        elif line.strip() and data:
            return data, number
    return data, len(lines)


def _composed(amount: str, unit: str, name: str) -> str:
    return " ".join(part for part in (" ".join(amount.split()), unit.strip(), name.strip()) if part)


_MM_NAMES = {"title": "title", "categories": "tags", "yield": "servings", "servings": "servings"}


def meal_master(lines: list[str]) -> Recipe:
    """Meal-Master: amount in columns 0-6, unit in 8-9, name from 11 on; often a second list beside it."""
    data, start = _header(lines, _MM_NAMES)
    columns: tuple[list[str], list[str]] = ([], [])
    ingredients: list[str] = []
    steps: list[str] = []
    for line in lines[start:]:
        cells = _mm_cells(line)
        heading = _SECTION.fullmatch(line)
        if heading or (not cells and line.strip()):  # the list above ends: left column, then right
            ingredients += [*columns[0], *columns[1]]
            columns = ([], [])
        if heading:
            steps += ["", f"## {heading[1].strip()}", ""] if steps else []
        elif cells and (not steps or (not steps[-1] and cells[0][:1].isdigit())):
            for column, cell in zip(columns, cells, strict=False):
                if cell.startswith("-") and column:
                    column[-1] += f" {cell.lstrip('-')}"
                elif cell:
                    column.append(cell)
        elif line.strip() or steps:
            steps.append(line)
    ingredients += [*columns[0], *columns[1]]
    return {**data, "ingredients": ingredients, "instructions": paragraphs(steps)}


def _mm_cells(line: str) -> list[str]:
    """The ingredients of a line, one or two; none if it has other columns."""
    line = line.expandtabs()
    for middle in (41, 40, 39, 38):
        left, right = _mm_cell(line[:middle]), _mm_cell(line[middle:])
        if right.startswith("-") and not line[:middle].strip():
            return ["", right]
        if left and right and (line[middle : middle + 7].strip() or right.startswith("-")):
            return [left, right]
    whole = _mm_cell(line)
    return [whole] if whole else []


def _mm_cell(cell: str) -> str:
    amount, unit, name = cell[:7].strip(), cell[8:10].strip(), cell[11:].strip()
    is_one = len(cell) > 11 and cell[7] == cell[10] == " " and _FIGURES.fullmatch(amount) and name
    if not is_one or (unit and unit not in _UNITS and unit.lower() not in _UNITS):
        return ""
    word = _UNITS.get(unit, _UNITS.get(unit.lower(), ""))
    return _composed(amount, word, name.replace(";", ",", 1).replace(" ,", ","))


_MXP_NAMES = {"recipe by": "source", "serving size": "servings", "categories": "tags"}
_MXP_NOTES = names_of("mastercook notes")
_WIDE = re.compile(r"\t+| {2,}")


def master_cook(lines: list[str]) -> Recipe:
    """MasterCook's text export: a centred title, labels, columns of amount, measure and name, then steps."""
    data: Recipe = {}
    ingredients: list[str] = []
    steps: list[str] = []
    part, label = "head", ""
    for line in lines:
        stripped = line.strip()
        labelled = _LABEL.fullmatch(line)
        name, value = (labelled[1].lower().strip(), labelled[2]) if labelled else ("", "")
        if part == "head":
            if stripped.startswith("----"):
                part = "list"
            elif name in _MXP_NAMES:
                label = name
                value, _, time = value.partition("Preparation Time :")
                data[_MXP_NAMES[name]] = value.strip()
                data.update({"prep_time": time.strip()} if time else {})
            elif label == "categories" and stripped and not stripped.startswith("Amount"):
                data["tags"] += f"  {stripped}"
            elif stripped and "title" not in data:
                data["title"] = stripped
        elif part == "list":
            if stripped:
                ingredients.append(_mxp_line(line))
            elif ingredients:
                part = "steps"
        elif re.fullmatch(r"(?:- ){4,}-?", stripped):
            part = "end"
        elif name in _MXP_NOTES:
            label = _MXP_NOTES[name]
            data[label] = value.strip().strip('"') or data.get(label, "")
        elif label and stripped.startswith('"'):
            data[label], label = stripped.strip('"'), ""
        elif part == "steps":
            label = ""
            steps.append(line)
        elif not stripped:
            label = ""
        elif label == "notes" and "Nutr" not in stripped and "Per Serving" not in stripped:
            data["notes"] = f"{data['notes']} {stripped}".strip()
    data["tags"] = [tag for tag in _WIDE.split(data.get("tags", "")) if tag]
    return {**data, "ingredients": ingredients, "instructions": paragraphs(steps)}


def _mxp_line(line: str) -> str:
    amount, unit, name = line[:9], line[9:22], line[22:]
    if "\t" in line or not _FIGURES.fullmatch(amount.strip()) or line[21:22].strip() or not name.strip():
        return " ".join(_WIDE.sub(" ", line).replace(" -- ", ", ").split())
    return _composed(amount, unit, name.replace(" -- ", ", "))


_RK_NAMES = {"titel": "title", "kategorien": "tags", "menge": "servings"}


def rezkonv(lines: list[str]) -> Recipe:
    """RezKonv, the German form: amount in columns 0-6, unit in 8-16, name from 18 on."""
    data, start = _header(lines, _RK_NAMES)
    ingredients: list[str] = []
    steps: list[str] = []
    source: list[str] = []
    part = "list"
    for line in lines[start:]:
        stripped = line.strip()
        if heading := _SECTION.fullmatch(line):
            name = heading[1].strip(" =")
            if part != "steps":
                part = "source" if name.upper() == "QUELLE" else "list"
            else:
                steps += ["", f"## {name}", ""]
        elif part == "source":
            if not stripped:
                part = "steps"
            elif not stripped.startswith("--"):  # who typed it
                source.append(stripped)
        elif part == "list" and stripped:
            if line[:18].strip() == "" and stripped.startswith("-") and ingredients:
                ingredients[-1] += f" {stripped.lstrip('-').strip()}"
            elif len(line) - len(line.lstrip()) < 3 and not stripped[0].isdigit() and ingredients:
                part = "steps"
                steps.append(line)
            else:
                in_columns = not (line[7:8] + line[17:18]).strip()
                cells = (line[:7], line[8:17], line[18:]) if in_columns else ("", "", line)
                ingredients.append(" ".join(_composed(*cells).split()))
        elif stripped.startswith(": O-Titel"):
            data["title"] = stripped.rpartition(":")[2].strip() or data.get("title")
        elif part == "steps":
            steps.append(line)
    data |= {"source": " ".join(source), "language": "de"}
    return {**data, "ingredients": ingredients, "instructions": paragraphs(steps)}


_NYC_NAMES = {"contributor": "source", "yield": "servings", "preparation time": "prep_time"}


def now_youre_cooking(lines: list[str]) -> Recipe:
    """Now You're Cooking: blocks between blank lines."""
    lines = [line for line in lines if not line.lstrip().startswith(("NYC Nutri", "** Exported"))]
    blocks = [block.split("\n") for block in re.split(r"\n\s*\n", "\n".join(lines).strip("\n"))]
    data: Recipe = {"title": blocks[0][0].strip()}
    at = next((n for n, block in enumerate(blocks) if n and block[0].strip()[:1].isdigit()), 2)
    if at > 1:
        data["tags"] = " ".join(word for block in blocks[1:2] for word in block)
    listed = [line.strip().replace(" -- ", ", ") for block in blocks[at : at + 1] for line in block]
    steps: list[str] = []
    for line in (line for block in blocks[at + 1 :] for line in [*block, ""]):
        label = _LABEL.fullmatch(line)
        if label and (name := _NYC_NAMES.get(label[1].lower())):
            data[name] = label[2].strip()
        else:
            steps.append(line)
    return {**data, "ingredients": listed, "instructions": paragraphs(steps)}


# How a recipe of each program begins, the lines that may end it, and its reader.
_PROGRAMS: tuple[tuple[re.Pattern[str], tuple[str, ...], Callable[[list[str]], Recipe]], ...] = (
    (
        re.compile(r"^(?:MMMMM|-----)[^\n]{0,200}(?:Meal-?Master|recipe)", re.I | re.M),
        ("MMMMM", "-----"),
        meal_master,
    ),
    (re.compile(r"Exported\s{1,9}from\s{1,9}MasterCook", re.I), (), master_cook),
    (re.compile(r"^={5}[^\n]{0,200}REZKONV", re.I | re.M), ("=====",), rezkonv),
    (re.compile(r"^@@@@@", re.M), (), now_youre_cooking),
)


def recipes(text: str) -> Iterator[Recipe] | None:
    """The recipes of a text that one of the programs wrote; None for any other."""
    for start, ends, recipe in _PROGRAMS:
        if start.search(text):
            return map(recipe, _split(text.splitlines(), start, ends))
    return None
