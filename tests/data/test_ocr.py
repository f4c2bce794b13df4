"""Photographed pages; benchmarks/ocr_pages.py reads ten whole ones."""

import io
import shutil
from pathlib import Path

import pytest
from PIL import Image, ImageDraw, ImageFont

from chef.data import ocr
from chef.errors import ChefError
from chef.readers.plain_text import recipes

PAGE = """Pea soup

Ingredients
400 g peas
1 onion, chopped

Method
1. Soften the onion.
2. Add the peas.""".split("\n")


def words(*placed: tuple[str, int, int, int]) -> dict[str, list[object]]:
    """What Tesseract tells of words: text, left, top and confidence, all in one block."""
    data: dict[str, list[object]] = {"text": [""], "conf": [-1.0]}
    for name in ("left", "top", "width", "height", "block_num", "par_num", "line_num"):
        data[name] = [0]
    for text, left, top, confidence in placed:
        row = {"text": text, "conf": float(confidence), "left": left, "top": top, "width": 10 * len(text)}
        row |= {"height": 20, "block_num": 1, "par_num": 1, "line_num": top}
        for name, value in row.items():
            data[name].append(value)
    return data


def test_gaps_indents_columns_and_unsure_words() -> None:
    page = ocr._laid_out(
        words(
            ("2", 0, 100, 95), ("eggs", 20, 100, 96), ("%", 300, 100, 91), ("cup", 320, 100, 90),
            ("rice", 30, 130, 30), ("Stir.", 0, 200, 90),
        )
    )  # fmt: skip
    assert page.text.split("\n") == ["2 eggs                        % cup", "   rice", "", "Stir."]
    assert page.unsure == ["%", "rice"]


def test_without_tesseract_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    pytesseract = pytest.importorskip("pytesseract")
    monkeypatch.setattr(pytesseract.pytesseract, "tesseract_cmd", "no-such-program")
    with pytest.raises(ChefError, match=r"needs Tesseract .*tesseract-ocr"):
        ocr.page_text(photo())
    with pytest.raises(ChefError, match="cannot be read: not an image"):
        ocr.page_text(b"no picture")


def photo() -> bytes:
    image = Image.new("L", (900, 700), 235)
    draw = ImageDraw.Draw(image)
    for number, line in enumerate(PAGE):
        draw.text((80, 60 + 60 * number), line, fill=20, font=ImageFont.load_default(36))
    out = io.BytesIO()
    image.save(out, "PNG")
    return out.getvalue()


@pytest.mark.skipif(shutil.which("tesseract") is None, reason="Tesseract is not installed")
def test_a_page_is_read_corrected_and_has_no_photo_of_a_dish(tmp_path: Path) -> None:
    pytest.importorskip("pytesseract")
    (tmp_path / "page.png").write_bytes(photo())
    shown = []

    def correct(page: ocr.PageText) -> str:
        shown.append(page)
        return page.text.replace("Pea soup", "Green soup")

    (recipe,) = ocr.page_recipes(str(tmp_path / "page.png"), correct)
    assert (recipe.id, recipe.title, recipe.images) == ("page", "Green soup", ())
    assert [item.line for item in recipe.ingredients] == ["400 g peas", "1 onion, chopped"]
    assert [step.text for step in recipe.steps] == ["Soften the onion.", "Add the peas."]
    assert [data["title"] for data in recipes(shown[0].text)] == ["Pea soup"]
    Image.new("L", (300, 300), 255).save(tmp_path / "blank.png")
    with pytest.raises(ChefError, match="no recipe could be read"):
        list(ocr.page_recipes(str(tmp_path / "blank.png")))
