"""Lines of plain text as they stand on a page: its numbers and columns, bullets, wrapped lines and cut words,
and the signs that text recognition mistakes.
"""

import re
from itertools import pairwise

from chef.files import patterns

WORDS = patterns("chef.readers", "headings.tsv")
LONGEST_WRAP = 110  # characters; text with longer lines is not wrapped
_DRIFT = 5  # by so many characters a column of text recognition may move from line to line

_LETTERS = str.maketrans({
    "ﬁ": "fi", "ﬂ": "fl", "ﬀ": "ff", "ﬃ": "ffi", "ﬄ": "ffl", "\u00a0": " ", "\u2007": " ", "\u202f": " ",
    "⁄": "/", "∕": "/", "\ufeff": "", "\u200b": "", "\u00ad": "",
})  # fmt: skip
# What text recognition makes of figures, at the start of a line or before a unit, and of fractions.
_REPAIRS = tuple(
    (re.compile(pattern), new)
    for pattern, new in (
        (r"(?<![^\s(~-])[lI|]/(?=[2-8]\b)", "1/"),
        (r"(?<=\d) ?[YVy¥]([2-4])(?=\s|$)", r" 1/\1"),
        (r"(?<![^\s(~-])[YVy¥]([2-4])(?=\s|$)", r"1/\1"),
        (rf"(?<![^\s(-])[lI|](?=\s?[\dO]|\s(?:\(|{WORDS['measure'].pattern}))", "1"),
        (r"(?<=\d)[lI](?=\d)", "1"),
        (r"(?<=\d)[Oo](?=\d|[Oo]|\s|°|-|$|[gm]l?\b|F\b|C\b)", "0"),
        (r"(?<=\d0)[Oo](?=\d|\s|°|-|$|[gm]l?\b|F\b|C\b)", "0"),
    )
)
_PAGE = re.compile(
    r"[-–—•·|=*\s]{0,9}(?:page|p\.|seite)?\s?\d{1,4}(?:\s?(?:of|/|von)\s?\d{1,4})?[-–—•·|=*\s]{0,9}", re.I
)
_RUNNING = re.compile(
    r"\d{1,4}(?:\s{2,9}|\s?[|•]\s?)[A-Z][A-Za-z &']{2,50}|[A-Z][A-Za-z &']{2,50}(?:\s{2,9}|\s?[|•]\s?)\d{1,4}"
)
_GAP = re.compile(r"(?<=\S) {3,}(?=\S)")
BULLET = re.compile(r"(?:(?:[-*+•·▢☐□○●▪■◦‣–—»«©°¢®eo]|\[[ xX]?\])\s+){1,3}(?=\S)|[*+•°](?=\d)")
SURE_BULLET = re.compile(r"(?:(?:[-*+•·▢☐□○●▪■◦‣–—]|\[[ xX]?\])\s+){1,3}(?=\S)")
NUMBER = re.compile(r"\(?(?:step\s{0,3})?(\d{1,2})\s?(?:[.):](?!\d)|-(?=\s)|,(?=\s[A-Z])|$)\s*", re.I)
STEP_WORD = re.compile(r"step\s{0,3}(\d{1,2})\b\s?[.:)-]?\s*", re.I)
_ENDS = (".", "!", "?", ":", ")", "”", '"')


def page_lines(text: str) -> tuple[list[str], bool]:
    """The lines without what belongs to the page, columns one below the other; and whether it had pages."""
    text = text.translate(_LETTERS).replace("\r\n", "\n").replace("\r", "\n").replace("\f", "\n\n")
    lines = [line.expandtabs(4).rstrip() for line in text.split("\n")]
    figures = [line.strip() for line in lines if line.strip().isdecimal()]
    are_steps = len(figures) > 1 and figures == [str(number) for number in range(1, len(figures) + 1)]
    kept: list[str] = []
    for line in lines:
        stripped = line.strip()
        is_mark = NUMBER.fullmatch(stripped) and (are_steps or not stripped.isdecimal())
        is_page = _PAGE.fullmatch(stripped) and not is_mark
        if is_page or _RUNNING.fullmatch(stripped):
            # The page ends here, not the paragraph: what was blank around it goes as well.
            while kept and not kept[-1]:
                kept.pop()
            kept.append("\f")
        elif stripped or (kept and kept[-1] != "\f"):
            kept.append(line)
    whole: list[str] = []
    for line, below in pairwise([*kept, ""]):
        if line != "\f":
            whole.append(line)
        elif whole and (whole[-1].endswith(_ENDS) or not below.strip()[:1].islower()):
            whole.append("")
    return _without_columns(whole), "\f" in kept


def _without_columns(lines: list[str]) -> list[str]:
    """Lines of two columns one below the other, for each run of lines that has a gap at about one place."""
    out: list[str] = []
    for start, end in blocks(lines):
        block = lines[start:end]
        gaps = [_GAP.search(line, len(line) - len(line.lstrip()) + 3) for line in block]
        ends = sorted(gap.end() for gap in gaps if gap)
        middle = ends[len(ends) // 2] if ends else 0
        split = [gap if gap and abs(gap.end() - middle) <= _DRIFT else None for gap in gaps]
        alone = [middle and len(line) - len(line.lstrip()) > middle - _DRIFT for line in block]
        count = sum(map(bool, split)) + sum(map(bool, alone))
        pair = next((line for line, gap in zip(block, split, strict=True) if gap), "")
        if 2 * count >= len(block) - 1 and (count > 1 or (pair and all(map(is_listed, _GAP.split(pair))))):
            edge = min(gap.end() for gap in split if gap)
            both = list(zip(block, split, alone, strict=True))
            out += [line[: gap.start()] if gap else line for line, gap, is_right in both if not is_right]
            right = ((line, gap.end() if gap else edge) for line, gap, is_right in both if gap or is_right)
            out += [line[min(edge, end) :] for line, end in right]
        else:
            out += block
        out.append("")
    return out


def blocks(lines: list[str]) -> list[tuple[int, int]]:
    """Where the runs of lines without a gap begin and end."""
    edges = [number for number, line in enumerate([*lines, ""]) if not line.strip()]
    return [(a + 1, b) for a, b in pairwise([-1, *edges]) if b > a + 1]


def is_listed(line: str) -> bool:
    """Whether a line without a heading above it reads like an ingredient."""
    text = line.strip()
    if STEP_WORD.match(text):
        return False
    if SURE_BULLET.match(text):
        return len(text) < 100
    text = BULLET.sub("", text, count=1)
    number = NUMBER.match(text)
    if number and number[0].strip():
        text = text[number.end() :]
    is_short = len(text) < 120 and not text.endswith((".", "!"))
    return is_short and WORDS["amount"].match(repaired(text)) is not None


def wrap_width(lines: list[str]) -> int:
    """The width at which lines were wrapped; 0 if they were not: then few of them are nearly the longest."""
    width = max(map(len, lines), default=0)
    long = [line for line in lines if 2 * len(line) > width]
    near = [line for line in long if len(line) > 0.85 * width]
    return width if width <= LONGEST_WRAP and len(near) > 2 and 3 * len(near) > len(long) else 0


def is_full(line: str, following: str, width: int) -> bool:
    """Whether a line was wrapped: the next word would not have fitted."""
    words = following.split()
    return bool(width and words) and len(line.rstrip()) + 1 + len(words[0]) > width


def repaired(text: str) -> str:
    """A text with its figures and fractions as they were.

    >>> repaired("l Y2 cups sugar, 35O g")
    '1 1/2 cups sugar, 350 g'
    """
    for pattern, new in _REPAIRS:
        text = pattern.sub(new, text)
    return " ".join(text.split())


def extend(pieces: list[str], following: str, is_set: bool) -> None:
    """Add a line to the pieces of a text; where type was set, a word cut by the line's end is whole again."""
    line = pieces[-1]
    if not line.endswith("-") or not line[-2:-1].isalnum() or not (following[:1].islower() or not is_set):
        pieces.append(f" {following}")
        return
    before, after = re.split(r"[\s(/]", line[-60:-1])[-1], following.split(" ", 1)[0].strip(",.;:)")
    is_two = before[-1:].isdigit() or "-" in before or WORDS["hyphened"].fullmatch(before)
    if is_set and not is_two and not WORDS["after hyphen"].fullmatch(after):
        pieces[-1] = line[:-1]
    pieces.append(following)
