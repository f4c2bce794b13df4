"""Recipes in plain text, as people type and paste them and as text recognition reads them off a page.

Files of old programs, which are text as well, are known by their first lines.

Headings say which part a line is in; where there are none, its form does. Wrapped lines are put together: a
line was wrapped if the first word of the next would not have fitted on it.
"""

import re
from collections.abc import Iterator, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

from chef.readers import base, fields, old_programs
from chef.readers.base import RawRecipe, Scope, content
from chef.readers.details import minutes
from chef.readers.lines import is_heading
from chef.readers.page_lines import (
    BULLET,
    LONGEST_WRAP,
    NUMBER,
    STEP_WORD,
    SURE_BULLET,
    WORDS,
    blocks,
    extend,
    is_full,
    is_listed,
    page_lines,
    repaired,
    wrap_width,
)

SUFFIXES = (".txt", ".text", ".mmf", ".mm", ".mxp", ".rk", ".rez", ".nyc")
_PARTS = ("ingredients", "steps", "notes", "end")
_FACTS = ("servings", "prep_time", "cook_time", "total_time", "source", "tags")
_SEPARATOR = re.compile(r"[=*_~#-]{4,}|(?:[*-] ){3,}[*-]?")
_LABEL = re.compile(r"([A-Za-zÀ-ÿ' ]{2,30}?)\s?[:–—]\s{1,20}(\S.*)")
_VALUE = re.compile(r"([A-Za-zÀ-ÿ ]{2,30}?):?\s+(\(?(?:about |approx\.? )?[\d½¼¾].{0,60})", re.I)
_ADDRESS = re.compile(r"https?://\S{1,2000}", re.I)
_MOST = 400  # characters of a heading with what stands beside it


def read(path: Path, scope: Scope) -> Iterator[RawRecipe]:
    """The recipes of one file."""
    if (data := content(path, scope, base.PAGE)) is not None:
        text = old_programs.decode(data)
        yield from fields.of_file(old_programs.recipes(text) or recipes(text), path, scope)


def recipes(text: str) -> Iterator[Mapping[str, Any]]:
    """The recipes of a text; none where it has nothing that looks like a list of ingredients.

    >>> [one["title"] for one in recipes("Toast\\n\\n2 slices bread\\n1 g salt\\n\\nToast it.\\nSalt it.")]
    ['Toast']
    """
    lines, has_pages = page_lines(text)
    hyphens = sum(line.endswith("-") and line[-2:-1].isalpha() for line in lines)
    is_set = has_pages or hyphens > 1 or re.search("[ﬁﬂﬀﬃﬄ]", text) is not None
    for part in _split(lines):
        data = _recipe(part, is_set)
        if data["title"] and data["ingredients"] and (data["instructions"] or len(data["ingredients"]) > 2):
            yield data


def _part(line: str) -> tuple[str, str]:
    """The part that a line opens, and what stands on the line beside the heading."""
    text = line.strip().strip("*#=-_~ ")
    if len(text) > _MOST or not text:
        return "", ""
    head, _colon, rest = text.partition(":")
    words = re.sub(r"\s*\(.{0,40}\)$", "", head.strip())
    short = re.sub(r" for .{1,40}$", "", words)  # "Ingredients for 4"
    for name in _PARTS:
        if WORDS[name].fullmatch(short if name in ("ingredients", "steps") else words):
            if rest.strip() and name == "steps" and minutes(rest) and len(rest) < 30:
                return "", ""  # "Preparation: 10 minutes"
            return name, rest.strip()
    return "", ""


def _fact(line: str) -> dict[str, str]:
    """What a line says of servings, times and the like; several may stand on one line."""
    found: dict[str, str] = {}
    if len(line) > _MOST:
        return found
    pieces = [piece for piece in re.split(r"\s*[|•·]\s*|\s{3,}|;\s", line.strip().strip("*_ ")) if piece]
    for piece in pieces:
        if len(piece) > 120:
            return {}
        label = _LABEL.fullmatch(piece) or _VALUE.fullmatch(piece)
        name = label and next((one for one in _FACTS if WORDS[one].fullmatch(label[1].strip())), None)
        if label and name:
            found[name] = label[2].strip()
        elif WORDS["count"].fullmatch(piece):
            found["servings"] = piece
        elif by := re.fullmatch(r"by ([A-Z][\w. '’-]{1,40})", piece):
            found["source"] = by[1]
        else:
            return {}
    return found


def _split(lines: list[str]) -> Iterator[list[str]]:
    """The lines of each recipe: a text with several has a heading of ingredients in each."""
    heads = [number for number, line in enumerate(lines) if _part(line)[0] == "ingredients"]
    starts = [0]
    for before, head in pairwise(heads):
        steps = [number for number in range(before, head) if _part(lines[number])[0] == "steps"]
        if not steps:
            continue  # a second list of the same recipe
        # The title is the first line of what stands above the heading, after the last gap below the steps.
        at = head - 1
        while at > steps[-1] and (not lines[at] or _fact(lines[at])):
            at -= 1
        while at > steps[-1] + 1 and lines[at - 1] and not _SEPARATOR.fullmatch(lines[at - 1].strip()):
            at -= 1
        starts.append(at)
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        yield lines[start:end]


def _recipe(lines: list[str], is_set: bool) -> dict[str, Any]:
    lines = [line for line in lines if not _SEPARATOR.fullmatch(line.strip())]
    parts: dict[str, list[str]] = {"head": [], "ingredients": [], "steps": [], "notes": [], "end": []}
    facts: dict[str, str] = {}
    part = "head"
    for line in lines:
        name, rest = _part(line)
        if name and not (name in ("notes", "end") and part in ("head", "ingredients")):
            part = name
            line = rest
            if not rest:
                continue
            if name == "ingredients" and len(pieces := _listed(rest)) > 1:
                parts[name] += pieces
                continue
        elif part == "head" and _ADDRESS.fullmatch(line.strip()):
            facts.setdefault("url", line.strip())
            continue
        elif part != "steps" and (told := _fact(line)) and not _looks_listed(line, part):
            facts = {**told, **facts}
            continue
        parts[part].append(line)
    if not parts["ingredients"]:
        _guess(parts)
    elif not parts["steps"]:
        _cut(parts)
    every = [line for some in parts.values() for line in some]
    width = wrap_width(every)
    title, description = _title(parts["head"], width)
    return {
        **facts,
        "title": title,
        "description": description,
        "ingredients": _ingredients(parts["ingredients"], width, is_set),
        "instructions": _steps(parts["steps"], width, is_set),
        "notes": [" ".join(line.split()) for line in parts["notes"] if line.strip()],
    }


def _looks_listed(line: str, part: str) -> bool:
    return part == "ingredients" and bool(SURE_BULLET.match(line.strip()))


def _listed(rest: str) -> list[str]:
    """The ingredients of one line: "2 eggs, 100 g flour; salt"."""
    if ";" in rest:
        return [piece.strip() for piece in rest.split(";") if piece.strip()]
    return [piece.strip() for piece in re.split(r",\s+(?=[\d½¼¾⅓⅔])", rest)]


def _title(lines: list[str], width: int) -> tuple[str, str]:
    """The title and what is said below it."""
    given = [line.strip().strip("*#=_ ") for line in lines]
    likely = [number for number, line in enumerate(given) if line and not WORDS["not title"].fullmatch(line)]
    first = next((number for number, line in enumerate(given) if line), None)
    if first is None:
        return "", ""
    # A title comes first, or last where a letter or a story does.
    first = likely[-1] if likely and first not in likely else first
    title, at = given[first], first + 1
    while at < len(given) and width > 20 and is_full(lines[at - 1].rstrip(), given[at], width):
        title, at = f"{title} {given[at]}", at + 1
    label, colon, rest = title.partition(":")
    if colon and rest.strip() and WORDS["title"].fullmatch(label.strip()):
        title = rest.strip()
    return " ".join(title.split()), " ".join(" ".join([*given[:first], *given[at:]]).split())


def _guess(parts: dict[str, list[str]]) -> None:
    """Take apart a text without a heading of ingredients: the list begins at the first amount or bullet."""
    lines = parts["head"]
    first = next((number for number, line in enumerate(lines) if line.strip()), 0)
    listed = [number for number, line in enumerate(lines) if number > first and is_listed(line)]
    if len(listed) < 2 or not any(re.search(r"[\d½¼¾⅓⅔]", lines[number]) for number in listed):
        return
    start = next((a for a, b in pairwise(listed) if b - a <= 3), listed[0])
    # A list whose first lines have no amount begins right below the gap.
    has_bullets = SURE_BULLET.match(lines[start].strip())
    while (
        start - 1 > first
        and not has_bullets
        and (above := lines[start - 1].strip())
        and not above.endswith((".", "!", ":"))
    ):
        start -= 1
    parts["head"], parts["ingredients"] = lines[:start], lines[start:]
    if not parts["steps"]:
        _cut(parts)


def _cut(parts: dict[str, list[str]]) -> None:
    """Find where the steps begin below a list that has no heading below it."""
    lines = parts["ingredients"]
    marks = [NUMBER.match(line.strip()) or STEP_WORD.match(line.strip()) for line in lines]
    ones = [number for number, mark in enumerate(marks) if number and mark and mark[1] == "1"]
    ones = [number for number in ones if not is_listed(lines[number])]
    found = blocks(lines)
    lists = [
        end
        for start, end in found
        if (is_listed(lines[start]) or is_heading(lines[start].strip()))
        and 2 * sum(map(is_listed, lines[start:end])) >= end - start
    ]
    if ones:
        at = ones[-1]
    elif len(found) > 1:
        at = lists[-1] if lists else found[0][1]
    else:
        ends = (number for number, line in enumerate(lines) if line.rstrip().endswith((".", "!")))
        at = next((number for number in ends if number and not is_listed(lines[number])), len(lines))
    parts["ingredients"], parts["steps"] = lines[:at], lines[at:]


def _ingredients(lines: list[str], width: int, is_set: bool) -> list[str]:
    given = [line for line in lines if line.strip()]
    if not given:
        return []
    likely = sum(bool(BULLET.match(line.strip())) for line in given)
    sure = sum(bool(SURE_BULLET.match(line.strip())) for line in given)
    numbered = sum(bool(NUMBER.match(line.strip())) for line in given) * 3 > 2 * len(given) > 2
    # "e" for a bullet, as text recognition reads it, only where most lines have one.
    has_bullets = (sure > 1 and sure * 3 > len(given)) or likely * 3 > 2 * len(given)
    indent = min(len(line) - len(line.lstrip()) for line in given)
    found: list[list[str]] = []
    before = ""
    for line in given:
        text = line.strip()
        deeper = len(line) - len(line.lstrip()) > indent + 1
        full = is_full(before, text, width)
        if has_bullets or numbered:
            mark = (BULLET if has_bullets else NUMBER).match(text)
            starts = bool(mark) or not (deeper or full or text[:1].islower()) or is_heading(text)
            text = text[mark.end() :] if mark else text
        else:
            plain = repaired(text)
            is_cut = before.endswith(("-", ",", "(", " or", " and", " with")) and text[:1].islower()
            is_open = before.count("(") > before.count(")")
            is_below = deeper and (full or not plain[:1].isnumeric())
            wrapped = full and not WORDS["amount"].match(plain)
            starts = not (is_cut or is_open or is_below or wrapped) or is_heading(plain)
        if starts or not found:
            found.append([text])
        else:
            extend(found[-1], text, is_set)
        before = line
    return [repaired("".join(pieces)) for pieces in found]


def _steps(lines: list[str], width: int, is_set: bool) -> list[str]:
    given = [line.rstrip() for line in lines]
    texts = [line.strip() for line in given if line.strip()]
    if not texts:
        return []
    numbers = [int(mark[1]) for text in texts if (mark := NUMBER.match(text) or STEP_WORD.match(text))]
    is_numbered = numbers[:1] == [1] and (len(numbers) > 1 or NUMBER.match(texts[0]) is not None)
    is_bulleted = not is_numbered and sum(bool(SURE_BULLET.match(text)) for text in texts) >= 2
    if not is_numbered and not is_bulleted:
        is_bulleted = sum(bool(BULLET.match(text)) for text in texts) * 2 > len(texts)
    indents = [len(line) - len(line.lstrip()) for line in given if line.strip()]
    has_indents = not is_numbered and not is_bulleted and len(set(indents)) > 1 and indents[0] > min(indents)
    has_gaps = "\n\n" in "\n".join(given).strip()
    inner = [line for line, below in pairwise(given) if line and below]
    longest = max(map(len, given))
    near = sum(len(line) > 0.85 * longest for line in inner)
    width = longest if longest <= LONGEST_WRAP and 2 * near > len(inner) else width
    in_capitals = texts[0][:1].isupper()
    are_lines = len(inner) > 2 and all(line.endswith((".", "!", "?")) for line in inner)
    found: list[list[str]] = []
    expected, before, gap = 1, "", False
    for line in given:
        text = line.strip()
        if not text:
            gap = True
            continue
        mark = NUMBER.match(text) or STEP_WORD.match(text)
        if is_numbered:
            is_again = mark and mark[1] == "1" and gap  # each part counts anew
            starts = bool(mark and (is_again or int(mark[1]) in (expected, expected + 1)))
            if starts and mark:
                expected = int(mark[1]) + 1
                text = text[mark.end() :]
            elif gap and is_heading(text):
                starts = True
        elif is_bulleted:
            bullet = BULLET.match(text)
            is_after = before.endswith((".", "!", "?")) and text[:1].isupper() and line == text
            starts = bool(bullet) or (is_after and not is_full(before, text, width))
            text = text[bullet.end() :] if bullet else text
        elif has_indents:
            starts = len(line) - len(line.lstrip()) > min(indents)
        elif gap and has_gaps:
            # A paragraph goes on below a gap in the middle of a sentence.
            starts = not (text[:1].islower() and before[-1:].isalnum() and is_full(before, text, width))
        else:
            is_sentence = before.endswith((".", "!", "?"))
            goes_on = text[:1].islower() and in_capitals and not is_sentence
            if has_gaps and not are_lines:
                goes_on = not is_sentence or len(before) > 0.8 * longest
            starts = not (is_full(before, text, width) or goes_on or before.endswith("-"))
        if starts or not found:
            found.append([text])
        else:
            extend(found[-1], text, is_set)
        before, gap = line, False
    steps = [repaired("".join(pieces)) for pieces in found]
    heads = {step for step in steps if is_heading(step) and not is_numbered}
    return [f"## {step.rstrip(':')}" if step in heads else step for step in steps if step]
