"""Recipes in plain text, as people type and paste them and as text recognition reads them off a page.

Headings say which part a line is in; where there are none, its form does. Wrapped lines are put together: a
line was wrapped if the first word of the next would not have fitted on it.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any

from chef.files import patterns
from chef.readers.details import minutes
from chef.readers.lines import is_heading

_WORDS = patterns("chef.readers", "headings.tsv")
_PARTS = ("ingredients", "steps", "notes", "end")
_FACTS = ("servings", "prep_time", "cook_time", "total_time", "source", "tags")
_LONGEST_WRAP = 110  # characters; text with longer lines is not wrapped

_LETTERS = str.maketrans({
    "ﬁ": "fi", "ﬂ": "fl", "ﬀ": "ff", "ﬃ": "ffi", "ﬄ": "ffl", "\u00a0": " ", "\u2007": " ", "\u202f": " ",
    "⁄": "/", "∕": "/", "\ufeff": "", "\u200b": "", "\u00ad": "",
})  # fmt: skip
# What text recognition makes of figures, at the start of a line or before a unit, and of fractions.
_REPAIRS = tuple(
    (re.compile(pattern), new)
    for pattern, new in (
        (r"(?<![^\s(~-])(?:[lI|]|(?<=\d)\s?)/(?=[2-8]\b)", "1/"),
        (r"(?<![^\s(-])(\d?)\s?[YVy¥]([2-4])(?=\s|$)", r"\1 1/\2"),
        (r"(?<![^\s(-])(\d?)\s?%4?(?=\s+[a-z])", r"\1 3/4"),
        (
            r"(?<![^\s(-])[lI|](?=\s?[\dO]|\s(?:\(|cups?|tsp|tbsp|teas|tabl|pound|lb|oz|ounce|can|clove|g\b|kg|large|small|medium|pinch|to\b|or\b|hour|minute))",
            "1",
        ),
        (r"(?<=\d)[lI](?=\d)", "1"),
        (r"(?<=\d)[Oo](?=\d|[Oo]|\s|°|-|$|[gm]l?\b|F\b|C\b)", "0"),
        (r"(?<=\d0)[Oo](?=\d|\s|°|-|$|[gm]l?\b|F\b|C\b)", "0"),
    )
)
_PAGE = re.compile(r"\W{0,9}(?:page|p\.|seite)?\s?\d{1,4}(?:\s?(?:of|/|von)\s?\d{1,4})?\W{0,9}", re.I)
_RUNNING = re.compile(
    r"\d{1,4}(?:\s{2,9}|\s?[|•]\s?)[A-Z][A-Za-z &']{2,50}|[A-Z][A-Za-z &']{2,50}(?:\s{2,9}|\s?[|•]\s?)\d{1,4}"
)
_GAP = re.compile(r"(?<=\S) {3,}(?=\S)")
_SEPARATOR = re.compile(r"[=*_~#-]{4,}|(?:[*-] ){3,}[*-]?")
_BULLET = re.compile(r"(?:[-*+•·▢☐□○●▪■◦‣–—»«©°¢®e]|\[[ xX]?\]|o)\s+(?=\S)")
_SURE_BULLET = re.compile(r"(?:[-*+•·▢☐□○●▪■◦‣–—]|\[[ xX]?\])\s+(?=\S)")
_NUMBER = re.compile(r"\(?(?:step\s{0,3})?(\d{1,2})\s?(?:[.):](?!\d)|-(?=\s)|$)\s*", re.I)
_STEP_WORD = re.compile(r"step\s{0,3}(\d{1,2})\b\s?[.:)-]?\s*", re.I)
_AMOUNT = re.compile(
    r"(?:about |approx\.? |ca\.? )?(?:[\d½⅓⅔¼¾⅛⅜⅝⅞⅕⅙]|(?:an?|one|two|three|four|half|some|few|several|pinch|dash|handful|"
    r"juice|zest|salt|pepper|eine?|etwas|prise)\b)",
    re.I,
)
_LABEL = re.compile(r"([A-Za-zÀ-ÿ' ]{2,30}?)\s?[:–—]\s{1,20}(\S.*)")
_VALUE = re.compile(r"([A-Za-zÀ-ÿ ]{2,30}?):?\s+(\(?(?:about |approx\.? )?[\d½¼¾].{0,60})", re.I)
_COUNT = re.compile(
    r"(?:for |serves |für )?\d{1,3}(?: ?[-–] ?\d{1,3})? (?:servings?|portions?|people|persons?|personen|portionen)",
    re.I,
)
_ADDRESS = re.compile(r"https?://\S{1,2000}", re.I)
_ENDS = (".", "!", "?", ":", ")", "”", '"')


def recipes(text: str) -> Iterator[Mapping[str, Any]]:
    """The recipes of a text; none where it has nothing that looks like a list of ingredients.

    >>> [one["title"] for one in recipes("Toast\\n\\n2 slices bread\\n10 g butter\\n\\nToast the bread.\\nButter it.")]
    ['Toast']
    """
    lines = _lines(text)
    for part in _split(lines):
        data = _recipe(part)
        if data["title"] and data["ingredients"] and (data["instructions"] or len(data["ingredients"]) > 2):
            yield data


def _lines(text: str) -> list[str]:
    """The lines without what belongs to the page, columns one below the other."""
    text = text.translate(_LETTERS).replace("\r\n", "\n").replace("\r", "\n").replace("\f", "\n\n")
    lines = [line.expandtabs(4).rstrip() for line in text.split("\n")]
    kept: list[str] = []
    for line in lines:
        stripped = line.strip()
        is_page = _PAGE.fullmatch(stripped) and not _NUMBER.fullmatch(stripped)
        if is_page or _RUNNING.fullmatch(stripped):
            # The page ends here, not the paragraph: what was blank around it goes as well.
            while kept and not kept[-1]:
                kept.pop()
            kept.append("\f")
        elif stripped or (kept and kept[-1] != "\f"):
            kept.append(line)
    joined: list[str] = []
    for number, line in enumerate(kept):
        if line != "\f":
            joined.append(line)
        elif (
            joined
            and number + 1 < len(kept)
            and (joined[-1].endswith(_ENDS) or not kept[number + 1].strip()[:1].islower())
        ):
            joined.append("")
    return _without_columns(joined)


def _without_columns(lines: list[str]) -> list[str]:
    """Lines of two columns as one below the other, for each run of lines that has a gap at one place."""
    out: list[str] = []
    start = 0
    while start < len(lines):
        end = start
        while end < len(lines) and lines[end]:
            end += 1
        block = lines[start:end]
        gaps = Counter(gap.end() for line in block for gap in _GAP.finditer(line.rstrip()) if gap.start() > 8)
        middle, count = gaps.most_common(1)[0] if gaps else (0, 0)
        if count >= 2 and 2 * count >= len(block) - 1:
            left = [
                line[:middle].rstrip() if not line[middle - 2 : middle].strip() else line for line in block
            ]
            right = [
                line[middle:] for line in block if not line[middle - 2 : middle].strip() and line[middle:]
            ]
            out += [*left, *right]
        else:
            out += block
        out += lines[end : end + 1]
        start = end + 1
    return out


def _part(line: str) -> tuple[str, str]:
    """The part that a line opens, and what stands on the line beside the heading."""
    text = line.strip().strip("*#=-_~ ")
    if len(text) > 400 or not text:
        return "", ""
    head, colon, rest = text.partition(":")
    words = re.sub(r"\s*\(.{0,40}\)$| for .{1,40}$", "", head.strip())
    for name in _PARTS:
        if _WORDS[name].fullmatch(words) and (colon or not rest):
            if rest.strip() and name == "steps" and minutes(rest) and len(rest) < 30:
                return "", ""  # "Preparation: 10 minutes"
            return name, rest.strip()
    return "", ""


def _fact(line: str) -> dict[str, str]:
    """What a line says of servings, times and the like; several may stand on one line."""
    found: dict[str, str] = {}
    pieces = [piece for piece in re.split(r"\s*[|•·]\s*|\s{3,}|;\s", line.strip().strip("*_ ")) if piece]
    for piece in pieces:
        if len(piece) > 120:
            return {}
        label = _LABEL.fullmatch(piece) or _VALUE.fullmatch(piece)
        name = label and next((one for one in _FACTS if _WORDS[one].fullmatch(label[1].strip())), None)
        if label and name:
            found[name] = label[2].strip()
        elif _COUNT.fullmatch(piece):
            found["servings"] = piece
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


def _recipe(lines: list[str]) -> dict[str, Any]:
    lines = [line for line in lines if not _SEPARATOR.fullmatch(line.strip())]
    parts: dict[str, list[str]] = {"head": [], "ingredients": [], "steps": [], "notes": [], "end": []}
    facts: dict[str, str] = {}
    part = "head"
    for line in lines:
        name, rest = _part(line)
        if name and not (name in ("notes", "end") and part == "head"):
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
    width = max((len(line) for some in parts.values() for line in some), default=0)
    width = 0 if width > _LONGEST_WRAP else width
    title, description = _title(parts["head"], width)
    return {
        **facts,
        "title": title,
        "description": description,
        "ingredients": _ingredients(parts["ingredients"], width),
        "instructions": _steps(parts["steps"], width),
        "notes": [" ".join(line.split()) for line in parts["notes"] if line.strip()],
    }


def _looks_listed(line: str, part: str) -> bool:
    return part == "ingredients" and bool(_SURE_BULLET.match(line.strip()))


def _listed(rest: str) -> list[str]:
    """The ingredients of one line: "2 eggs, 100 g flour; salt"."""
    if ";" in rest:
        return [piece.strip() for piece in rest.split(";") if piece.strip()]
    return [piece.strip() for piece in re.split(r",\s+(?=[\d½¼¾⅓⅔])", rest)]


def _title(lines: list[str], width: int) -> tuple[str, str]:
    """The title and what is said below it."""
    given = [line.strip() for line in lines]
    first = next((number for number, line in enumerate(given) if line), None)
    if first is None:
        return "", ""
    title, at = given[first].strip("*#=_ "), first + 1
    while (
        at < len(given)
        and given[at]
        and width
        and len(given[at - 1]) + 1 + len(given[at].split()[0]) > width > 20
    ):
        title, at = f"{title} {given[at]}", at + 1
    label, colon, rest = title.partition(":")
    if colon and rest.strip() and _WORDS["title"].fullmatch(label.strip()):
        title = rest.strip()
    return " ".join(title.split()), " ".join(" ".join(given[at:]).split())


def _is_step(line: str) -> bool:
    """Whether a line without a heading above it reads like a step and not like an ingredient."""
    text = line.strip()
    number = _NUMBER.match(text)
    if number and not _AMOUNT.match(text[number.end() :]) and len(text) - number.end() > 15:
        return True
    if _STEP_WORD.match(text):
        return True
    is_long = len(text) > 60 and not _AMOUNT.match(text)
    return is_long or (text.endswith((".", "!")) and text.count(" ") > 2 and not _AMOUNT.match(text))


def _guess(parts: dict[str, list[str]]) -> None:
    """Take apart a text without a heading of ingredients: the list begins at the first amount or bullet."""
    lines = parts["head"]
    first = next((number for number, line in enumerate(lines) if line.strip()), 0)
    listed = [
        number
        for number, line in enumerate(lines)
        if number > first and (_AMOUNT.match(_BULLET.sub("", line.strip(), 1)) or _SURE_BULLET.match(line.strip()))
        and not _is_step(line)
    ]  # fmt: skip
    if len(listed) < 2:
        return
    start = next((a for a, b in pairwise(listed) if b - a <= 2), listed[0])
    # A list whose first line has no amount begins right below the gap.
    while (
        start - 1 > first
        and lines[start - 1].strip()
        and not _is_step(lines[start - 1])
        and not lines[start - 1].rstrip().endswith(".")
    ):
        start -= 1
    if start > first + 1 and lines[start - 1].strip() and start - 1 == first:
        start += 1
    parts["head"], parts["ingredients"] = lines[:start], lines[start:]
    if not parts["steps"]:
        _cut(parts)


def _cut(parts: dict[str, list[str]]) -> None:
    """Where the steps begin below a list: at the first that reads like one, with all that is in its paragraph."""
    lines = parts["ingredients"]
    at = next(
        (
            number
            for number, line in enumerate(lines)
            if number and _is_step(line) and not _SURE_BULLET.match(line.strip())
            and (not lines[number - 1] or _NUMBER.match(line.strip()) or _STEP_WORD.match(line.strip()) or all(not one for one in lines[:number]) or len(line) > 60 or line.rstrip().endswith("."))
        ),
        None,
    )  # fmt: skip
    if at is None:
        gaps = [
            number for number, line in enumerate(lines) if not line and number and any(lines[number + 1 :])
        ]
        at = gaps[-1] if gaps else None
    if at is not None:
        while (
            at > 1
            and lines[at - 1]
            and not lines[at - 1].strip().endswith(":")
            and any(not line for line in lines[:at])
            and not _AMOUNT.match(_BULLET.sub("", lines[at - 1].strip(), 1))
        ):
            at -= 1
        parts["ingredients"], parts["steps"] = lines[:at], lines[at:]


def _is_full(line: str, following: str, width: int) -> bool:
    """Whether a line was wrapped: the next word would not have fitted."""
    words = following.split()
    return bool(width and words) and len(line.rstrip()) + 1 + len(words[0]) > width


def _joined(line: str, following: str) -> str:
    """Two lines as one; a word that was cut at the end of the line is whole again."""
    if line.endswith("-") and line[-2:-1].isalnum() and following[:1].islower():
        before = re.split(r"[\s(/]", line[:-1])[-1]
        is_two = before[-1:].isdigit() or _WORDS["hyphened"].fullmatch(before) or "-" in before
        return f"{line}{following}" if is_two else f"{line[:-1]}{following}"
    return f"{line} {following}"


def _repaired(text: str) -> str:
    for pattern, new in _REPAIRS:
        text = pattern.sub(new, text)
    return " ".join(text.split())


def _ingredients(lines: list[str], width: int) -> list[str]:
    given = [line for line in lines if line.strip()]
    if not given:
        return []
    marks = [_BULLET.match(line.strip()) for line in given]
    sure = sum(bool(_SURE_BULLET.match(line.strip())) for line in given)
    numbered = (
        sum(bool(_NUMBER.match(line.strip())) for line in given) * 3 > 2 * len(given) and len(given) > 1
    )
    # "e" for a bullet, as text recognition reads it, only where most lines have one.
    has_bullets = sure * 2 > len(given) or sum(map(bool, marks)) * 3 > 2 * len(given)
    indent = min(len(line) - len(line.lstrip()) for line in given)
    width = max(map(len, given)) if not width or max(map(len, given)) < width - 12 else width
    is_narrow = sum(len(line) > width - 9 for line in given) > 1 or sure
    found: list[str] = []
    before = ""
    for line, mark in zip(given, marks, strict=True):
        text = line.strip()
        deeper = len(line) - len(line.lstrip()) > indent + 1
        starts = bool(mark) if has_bullets else bool(_NUMBER.match(text)) if numbered else None
        if starts:
            text = _BULLET.sub("", text, 1) if has_bullets else _NUMBER.sub("", text, 1)
        repaired = _repaired(text)
        if starts is None:
            is_cut = before.endswith(("-", ",", "(", " or", " and", " with")) and text[:1].islower()
            is_open = before.count("(") > before.count(")")
            wrapped = _is_full(before, text, width) and is_narrow and not _AMOUNT.match(repaired)
            starts = not (
                before and (is_cut or is_open or wrapped or (deeper and not _AMOUNT.match(repaired)))
            )
            starts = starts or is_heading(repaired)
        elif not starts and not (deeper or _is_full(before, text, width) or text[:1].islower()):
            starts = True
        if starts or not found:
            found.append(text)
        else:
            found[-1] = _joined(found[-1], text)
        before = line
    return [_repaired(line) for line in found]


def _steps(lines: list[str], width: int) -> list[str]:
    given = [line.rstrip() for line in lines]
    texts = [line.strip() for line in given if line.strip()]
    if not texts:
        return []
    numbers = [int(mark[1]) for text in texts if (mark := _NUMBER.match(text) or _STEP_WORD.match(text))]
    is_numbered = (numbers[:1] == [1] and len(numbers) >= 2) or (
        numbers == [1] and _NUMBER.match(texts[0]) is not None
    )
    is_bulleted = not is_numbered and sum(bool(_SURE_BULLET.match(text)) for text in texts) >= 2
    if not is_numbered and not is_bulleted:
        is_bulleted = sum(bool(_BULLET.match(text)) for text in texts) * 2 > len(texts)
    indents = [len(line) - len(line.lstrip()) for line in given if line.strip()]
    has_indents = not is_numbered and not is_bulleted and len(set(indents)) > 1 and indents[0] > min(indents)
    has_gaps = "\n\n" in "\n".join(given).strip()
    found: list[str] = []
    expected, before, gap = 1, "", False
    for line in given:
        text = line.strip()
        if not text:
            gap = True
            continue
        mark = _NUMBER.match(text) or _STEP_WORD.match(text)
        if is_numbered:
            starts = bool(mark and int(mark[1]) in (expected, expected + 1))
            if starts and mark:
                expected = int(mark[1]) + 1
                text = text[mark.end() :]
            elif gap and is_heading(text):
                starts = True
        elif is_bulleted:
            starts = bool(_BULLET.match(text))
            text = _BULLET.sub("", text, 1) if starts else text
        elif has_indents:
            starts = len(line) - len(line.lstrip()) > min(indents)
        elif gap and has_gaps:
            # A paragraph goes on below a gap in the middle of a sentence.
            starts = not (text[:1].islower() and before[-1:].isalnum() and _is_full(before, text, width))
        else:
            starts = not _is_full(before, text, width) and not before.endswith("-")
        if starts or not found:
            found.append(text)
        else:
            found[-1] = _joined(found[-1], text) if found[-1] else text
        before, gap = line, False
    return [
        f"## {step.rstrip(':')}" if is_heading(step) and not is_numbered else step
        for step in map(_repaired, found)
        if step
    ]
