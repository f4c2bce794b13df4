"""A photographed page of a cookbook -> its text, by Tesseract, and the recipes in that.

The text keeps what the plain-text reader goes by: gaps between paragraphs, indents and columns.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

import numpy as np

from chef.data.images import BadImage, decode
from chef.errors import ChefError
from chef.readers import fields, plain_text
from chef.readers.base import Scope, Skipped, image_bytes
from chef.recipe import Recipe

if TYPE_CHECKING:
    from PIL import Image

UNSURE = 60  # of 100: words below are shown to the user
_SHORT_SIDE = 1600  # pixels, at least: smaller pages are read enlarged, larger ones reduced
_SECONDS = 120  # for a page
_LAYOUTS = ("--psm 3", "--psm 6")  # find columns and paragraphs; where that finds next to nothing, one block
_FEW = 10  # words
_FRACTION = re.compile(r"(?<!\d)%|¥")  # what Tesseract makes of ½, ¼ and ¾: nobody can tell which it was
_GAP = 1.3  # times the usual distance of lines: a paragraph ends
_FAR, _INDENT = 2.5, 1.7  # letters: between two words that are in two columns; before the first of a line


@dataclass(frozen=True, slots=True)
class PageText:
    """The text of a page, and the words in it that were hard to read."""

    text: str
    unsure: list[str]


def page_text(photo: bytes, language: str = "eng") -> PageText:
    """What Tesseract reads on a page; ChefError where it is not installed.

    language: one or more of Tesseract's, "eng" or "deu+eng".
    """
    try:
        import pytesseract
    except ImportError as error:
        raise _missing() from error
    try:
        image = _sized(decode(photo))
        for layout in _LAYOUTS:
            words: dict[str, list[Any]] = pytesseract.image_to_data(
                image, language, layout, output_type=pytesseract.Output.DICT, timeout=_SECONDS
            )
            if sum(map(bool, map(str.strip, words["text"]))) > _FEW:
                break
    except BadImage as error:
        raise ChefError(
            f"the page cannot be read: {error.reason}", "give a JPEG, PNG, WebP or HEIC"
        ) from error
    except pytesseract.TesseractNotFoundError as error:
        raise _missing() from error
    except (pytesseract.TesseractError, RuntimeError) as error:
        problem = " ".join(str(error).split())[:200]
        raise ChefError(f"Tesseract failed: {problem}", "check the picture and the language") from error
    return _laid_out(words)


def _missing() -> ChefError:
    return ChefError(
        "text recognition needs Tesseract", "apt install tesseract-ocr, and pip install 'chef-food[ocr]'"
    )


def _sized(image: Image.Image) -> Image.Image:
    """A grey picture, lit evenly, of a size at which letters are read well."""
    from PIL import Image, ImageFilter

    factor = min(3.0, _SHORT_SIDE / min(image.size))
    image = image.convert("L")
    if not 0.6 < factor < 1.2:
        image = image.resize((round(image.width * factor), round(image.height * factor)))
    # Tesseract takes one grey as the border between ink and paper: a shadow would be ink.
    paper = (
        image.reduce(16).filter(ImageFilter.MaxFilter(5)).filter(ImageFilter.BoxBlur(2)).resize(image.size)
    )
    even = np.asarray(image, np.float32) * 255 / np.maximum(np.asarray(paper, np.float32), 1)
    return Image.fromarray(np.clip(even, 0, 255).astype(np.uint8))


def _laid_out(words: dict[str, list[Any]]) -> PageText:
    """Words with their places as lines of text."""
    lines: dict[tuple[int, ...], list[int]] = {}
    for number, word in enumerate(words["text"]):
        if str(word).strip():
            place = tuple(int(words[name][number]) for name in ("block_num", "par_num", "line_num"))
            lines.setdefault(place, []).append(number)
    if not lines:
        return PageText("", [])
    # A narrow letter: text then seldom reaches the column beside it.
    sizes = sorted(words["width"][n] / len(words["text"][n]) for some in lines.values() for n in some)
    letter = max(1.0, sizes[len(sizes) // 4])
    # By the feet of its first words a line's height is the same on a page that is not quite straight.
    feet = [median(words["top"][n] + words["height"][n] for n in some[:3]) for some in lines.values()]
    steps = [below - above for above, below in pairwise(feet) if below > above]
    pitch = median(steps) if steps else 1
    lefts: dict[int, int] = {}  # of each block
    for (block, *_), some in lines.items():
        lefts[block] = min(lefts.get(block, 1 << 30), words["left"][some[0]])
    text: list[str] = []
    for ((block, *_), some), foot, above in zip(lines.items(), feet, [feet[0], *feet], strict=False):
        if text and not 0 < foot - above < _GAP * pitch:
            text.append("")
        line, end = "", lefts[block]
        for number in some:
            column = round((words["left"][number] - lefts[block]) / letter)
            is_far = words["left"][number] - end > (_FAR if line else _INDENT) * letter
            line = (
                line.ljust(max(column, len(line) + 3 * bool(line))) if is_far else f"{line} " if line else ""
            )
            line += str(words["text"][number])
            end = words["left"][number] + words["width"][number]
        text.append(line)
    unsure = [
        str(word)
        for word, confidence in zip(words["text"], words["conf"], strict=True)
        if _FRACTION.search(str(word)) or (re.search(r"\w", str(word)) and 0 <= float(confidence) < UNSURE)
    ]
    return PageText("\n".join(text), unsure)


def page_recipes(
    path: str, correct: Callable[[PageText], str] = lambda page: page.text, language: str = "eng"
) -> Iterator[Recipe]:
    """The recipes of a photographed page; `correct` may change its text before it is read.

    >>> [recipe.title for recipe in page_recipes("page.jpg")]
    ['Plum pie']
    """
    page = page_text(image_bytes(path), language)
    file = Path(path).resolve()
    scope = Scope(file.parent, Skipped())
    builder = fields.Builder(scope)
    recipes = [builder.recipe(raw) for raw in fields.of_file(plain_text.recipes(correct(page)), file, scope)]
    if not any(recipes):
        raise ChefError(
            f"no recipe could be read from {path}",
            "photograph the whole page straight from above, in good light",
        )
    # The photo shows a page, not the dish.
    yield from (recipe for recipe in recipes if recipe is not None)
