"""The contact sheet."""

from __future__ import annotations

from pathlib import Path

from PIL import Image

from chef.data.kitchen import generate
from chef.data.kitchen.sheet import sheet


def test_a_sheet_has_a_cell_for_every_dish(tmp_path: Path):
    sheet(list(generate(5)), 3, tmp_path / "sheet.png", size=48)
    with Image.open(tmp_path / "sheet.png") as picture:
        assert picture.size == (3 * 60 + 12, 2 * 104 + 12)
        assert len(picture.getcolors(1 << 20) or []) > 500
