"""Ten recipes of the test split set as pages, photographed, and read with Tesseract.

    python benchmarks/ocr_pages.py DATA/open-recipes --out experiments/results/ocr-pages.json

Pages are set with Pillow in a serif or sans-serif type (Liberation or DejaVu), half of them with the list in
two columns, and "photographed": turned by up to a degree, lit from one side, blurred a little, with noise, as
JPEG.
A correction is a title, an ingredient or a step that did not come back as it was (compared as in
plain_text.py).
"""

from __future__ import annotations

import io
import json
import random
import sys
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageFilter, ImageFont

from chef.data.ocr import page_text
from chef.readers.plain_text import recipes
from chef.recipe import Recipe

sys.path.insert(0, str(Path(__file__).parent))
from plain_text import lines_of, meaning, options_and_recipes, steps_of

COUNT, SEED = 10, 21
WIDTH, MARGIN = 1700, 150
FONTS = (
    "liberation/LiberationSerif-Regular.ttf", "dejavu/DejaVuSerif.ttf",
    "liberation/LiberationSans-Regular.ttf", "dejavu/DejaVuSans.ttf",
)  # fmt: skip


def set_page(recipe: Recipe, number: int) -> Image.Image:
    """A recipe as a page of a book."""
    folder = "/usr/share/fonts/truetype/"
    font = ImageFont.truetype(folder + FONTS[number % len(FONTS)], 34)
    head = ImageFont.truetype(folder + FONTS[number % len(FONTS)], 58)
    page = Image.new("L", (WIDTH, 6000), 250)
    draw = ImageDraw.Draw(page)
    at = MARGIN

    def write(text: str, left: int, width: int, font: ImageFont.FreeTypeFont, hang: int = 0) -> None:
        nonlocal at
        line = ""
        for word in [*text.split(), "\n"]:
            if line and (word == "\n" or draw.textlength(f"{line} {word}", font) > width):
                draw.text((left, at), line, font=font, fill=20)
                left, width, hang = left + hang, width - hang, 0
                at += round(font.size * 1.4)
                line = ""
            line = f"{line} {word}".strip()

    write(recipe.title, MARGIN, WIDTH - 2 * MARGIN, head)
    at += 40
    write("Serves 4", MARGIN, 600, font)
    at += 40
    write("Ingredients", MARGIN, 600, font)
    at += 20
    lines = lines_of(recipe)
    if number % 2:
        half, top = (len(lines) + 1) // 2, at
        ends = []
        for left, some in ((MARGIN, lines[:half]), (WIDTH // 2 + 50, lines[half:])):
            at = top
            for line in some:
                write(line, left, WIDTH // 2 - MARGIN - 80, font, 40)
            ends.append(at)
        at = max(ends)
    else:
        for line in lines:
            write(f"• {line}" if number % 4 == 0 else line, MARGIN, WIDTH - 2 * MARGIN, font, 40)
    at += 50
    write("Method", MARGIN, 600, font)
    at += 20
    for count, step in enumerate(steps_of(recipe), 1):
        write(f"{count}. {step}" if number % 3 else step, MARGIN, WIDTH - 2 * MARGIN, font)
        at += 24
    draw.text((WIDTH // 2 - 20, at + 60), str(40 + number), font=font, fill=20)
    return page.crop((0, 0, WIDTH, at + 60 + MARGIN))


def photographed(page: Image.Image, chance: random.Random) -> bytes:
    """A page as a phone sees it."""
    page = page.rotate(chance.uniform(-1, 1), Image.Resampling.BICUBIC, fillcolor=250)
    page = page.filter(ImageFilter.GaussianBlur(0.8))
    pixels = np.asarray(page, dtype=np.float32)
    light = np.linspace(0.75, 1.0, pixels.shape[1], dtype=np.float32)[None, :]
    noise = np.random.default_rng(chance.randrange(1 << 30)).normal(0, 6, pixels.shape).astype(np.float32)
    out = io.BytesIO()
    Image.fromarray(np.clip(pixels * light + noise, 0, 255).astype(np.uint8)).save(out, "JPEG", quality=80)
    return out.getvalue()


def corrections(recipe: Recipe, text: str) -> int:
    """How many parts a cook has to correct: wrong, missing and surplus ones."""
    found = next(iter(recipes(text)), {"title": "", "ingredients": [], "instructions": []})
    count = int(meaning(found["title"]).casefold() != meaning(recipe.title).casefold())
    for name, given in (("ingredients", lines_of(recipe)), ("instructions", steps_of(recipe))):
        right = set(map(meaning, given)) & set(map(meaning, found[name]))
        count += max(len(set(map(meaning, given))), len(set(map(meaning, found[name])))) - len(right)
    return count


def main() -> None:
    """Print and write how many corrections each page needs."""
    options, chosen = options_and_recipes(__doc__, SEED, COUNT, least=3)
    needed = []
    for number, recipe in enumerate(chosen):
        photo = photographed(set_page(recipe, number), random.Random(number))
        page = page_text(photo)
        needed.append(corrections(recipe, page.text))
        if options.show and needed[-1] > 2:
            got = json.dumps(next(iter(recipes(page.text)), None), indent=1, ensure_ascii=False)
            print(f"--- {needed[-1]}\n{page.text}\n>>> {got}")
    few = sum(count <= 2 for count in needed)
    print(f"{few} of {COUNT} pages need at most two corrections: {needed}")
    if options.out:
        result = {"pages": COUNT, "seed": options.seed, "at_most_two": few, "corrections": needed}
        options.out.write_text(json.dumps(result, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
