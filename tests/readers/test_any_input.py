"""Whatever lies in a source: it is read or skipped, and never an exception."""

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.readers.any_input import LAYOUTS, check_reference, check_source, write_files
from tests.readers.helpers import recipe
from tests.readers.test_archives import CURRY, PIE
from tests.readers.test_json_files import anything, objects

TOAST = recipe(id="a", image="a.jpg", tags=["quick"])
WHOLE: list[Any] = [TOAST, CURRY, PIE, [TOAST], {"@graph": [CURRY]}]
MARKDOWN = """# Plum pie

A good one.

| Serves | 4 |

## Ingredients
* 500 g plums
1. 200 g flour

### For the top
- [ ] 1 tbsp sugar

## Method
1) Stone the plums.
2) Bake 40 minutes. ![pie](images/a.jpg)
"""
PAGE = """<html><head><title>Pie</title></head><body itemscope itemtype="https://schema.org/Recipe">
<h1 itemprop="name">Pie</h1><li itemprop="recipeIngredient">2 plums</li>
<p itemprop="recipeInstructions">Bake.</p><img itemprop="image" src="a.jpg"></body></html>"""
FRONT = "title: Pie\ningredients:\n  - rice\ntags: [a, b]\ndate: 2020-01-01\n"
GOOD = [json.dumps(value).encode() for value in WHOLE] + [MARKDOWN.encode(), PAGE.encode(), FRONT.encode()]

edits = st.tuples(st.floats(0, 1), st.integers(0, 20), st.binary(max_size=8))


@st.composite
def damaged(draw: st.DrawFn) -> bytes:
    """Something whole with pieces cut out and others put in."""
    data = draw(st.sampled_from(GOOD))
    for place, cut, put in draw(st.lists(edits, max_size=6)):
        at = int(place * len(data))
        data = data[:at] + put + data[at + cut :]
    return data


sources = st.one_of(
    st.binary(max_size=200),
    damaged(),
    (anything | objects).map(lambda value: json.dumps(value).encode()),
    st.text(st.sampled_from("#-*|[]()<>:!&;{}\"'\\`\n\t 1½aé\u2028\x00"), max_size=120).map(str.encode),
)


@pytest.mark.parametrize("layout", LAYOUTS)
@settings(max_examples=40, deadline=None)
@given(data=sources)
def test_any_bytes_in_any_format(layout: str, data: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        check_source(write_files(Path(folder), LAYOUTS[layout](data)))


@pytest.mark.parametrize("data", GOOD)
def test_what_is_whole_is_read_somewhere(data: bytes, tmp_path: Path) -> None:
    found = [
        check_source(write_files(tmp_path / str(number), lay(data)))
        for number, lay in enumerate(LAYOUTS.values())
    ]
    assert any(recipe.title != "A" for recipes in found for recipe in recipes)


PIECES = st.lists(st.sampled_from(["a.jpg", "a.zip", "!", "#/", "/", "..", ".tar", ".paprikarecipe"]))


@settings(max_examples=150, deadline=None)
@given(st.text(max_size=40) | PIECES.map("".join))
def test_any_reference_is_bytes_or_an_error(reference: str) -> None:
    if not reference.lower().startswith(("http:", "https:", "s3:")):
        check_reference(reference)


@pytest.mark.slow
def test_a_short_run_of_the_fuzzer_finds_nothing(tmp_path: Path) -> None:
    pytest.importorskip("atheris", reason="atheris is not installed (it has no package for this system)")
    (tmp_path / "corpus").mkdir()
    for number, data in enumerate(GOOD):
        for place in range(len(LAYOUTS)):
            (tmp_path / "corpus" / f"{number}-{place}").write_bytes(bytes([place]) + data)
    command = [
        sys.executable, "-m", "tests.readers.fuzz_target", "-max_total_time=30", "-timeout=20",
        f"-artifact_prefix={tmp_path}/found-", str(tmp_path / "corpus"),
    ]  # fmt: skip
    root = Path(__file__).resolve().parents[2]
    result = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout[-3000:] + result.stderr[-3000:]
    assert "Done" in result.stderr
