"""A contact sheet: many plates at a glance, with their titles."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

from chef.data.kitchen.dish import Dish


def sheet(dishes: Sequence[Dish], columns: int, path: Path, size: int = 256) -> None:
    """Write a PNG with the dishes in rows of `columns`, titles underneath."""
    gap, caption = 12, 44
    rows = -(-len(dishes) // columns)
    picture = Image.new(
        "RGB", (columns * (size + gap) + gap, rows * (size + caption + gap) + gap), (250, 249, 246)
    )
    draw = ImageDraw.Draw(picture)
    font = ImageFont.load_default(15)
    for k, dish in enumerate(dishes):
        x = gap + (k % columns) * (size + gap)
        y = gap + (k // columns) * (size + caption + gap)
        picture.paste(dish.paint(size), (x, y))
        lines = _wrapped(_plain(dish.recipe.title), draw, font, size)
        draw.multiline_text((x + 2, y + size + 5), "\n".join(lines), fill=(60, 54, 48), font=font, spacing=2)
    picture.save(path)


def _plain(text: str) -> str:
    """Without accents: Pillow's own font has none."""
    return unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()


def _wrapped(
    title: str, draw: ImageDraw.ImageDraw, font: ImageFont.FreeTypeFont | ImageFont.ImageFont, width: int
) -> list[str]:
    """The title in at most two lines that fit."""
    lines = [""]
    for word in title.split():
        longer = f"{lines[-1]} {word}".strip()
        if draw.textlength(longer, font) <= width:
            lines[-1] = longer
        elif len(lines) == 2:
            lines[-1] += " ..."
            break
        else:
            lines.append(word)
    return lines
