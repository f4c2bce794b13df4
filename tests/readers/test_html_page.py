import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from chef.recipe import Recipe
from tests.readers.helpers import SOUP, lines_of, read_all, texts_of, write
from tests.readers.pages import PAGES

SCRIPT = json.dumps(SOUP)


def page(*scripts: str) -> str:
    tags = "".join(f'<script id="x" type="application/ld+json">{script}</script>' for script in scripts)
    return f"<!doctype html><html><head><script>var a = 1;</script>{tags}</head><body>Soup</body></html>"


@pytest.mark.parametrize(
    "script",
    [
        SCRIPT,
        f"<!-- {SCRIPT} -->",
        f"\n//<![CDATA[\n{SCRIPT}\n//]]>\n",
        f"/*<![CDATA[*/{SCRIPT}/*]]>*/",
        SCRIPT.replace('"', "&quot;"),
        SCRIPT.replace("Pea soup", "Pea\nsoup"),
        json.dumps([{"@type": "WebSite"}, {"@graph": [SOUP]}]),
    ],
)
def test_json_ld_in_a_page(tmp_path: Path, script: str) -> None:
    (got,), skipped = read_all(write(tmp_path / "soup.html", page(script)))
    assert (got.id, got.title) == ("soup", "Pea soup")
    assert skipped.total == 0


def test_single_quotes_and_a_broken_script_before(tmp_path: Path) -> None:
    quoted = f"<SCRIPT type='application/ld+json; charset=utf-8'>{SCRIPT}</SCRIPT>"
    for text in (quoted, page("{oops", SCRIPT)):
        assert [got.title for got in read_all(write(tmp_path / "soup.htm", text))[0]] == ["Pea soup"]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "<html></html>",
        page("{oops"),
        page('{"@type": "WebSite"}'),
        "<script " * 9999,
        "application/ld+json" * 9999,
        '<script type="application/ld+json">' * 3 + SCRIPT,
    ],
    ids=["empty", "bare", "broken", "other", "tags", "words", "no end"],
)
def test_a_page_without_recipe(tmp_path: Path, text: str) -> None:
    recipes, skipped = read_all(write(tmp_path / "a.html", text))
    assert (recipes, skipped.counts) == ([], {"no recipe in the file": 1})


def values(recipe: Recipe, names: list[str]) -> dict[str, Any]:
    """Fields of a recipe as the pages have them."""
    own = {"lines": lines_of(recipe), "steps": texts_of(recipe)}
    own["sections"] = [step.section for step in recipe.steps]
    return {name: own[name] if name in own else getattr(recipe, name) for name in names}


def test_libraries_say_nothing_on_the_terminal(tmp_path: Path) -> None:
    """In a process of its own: importing recipe-scrapers changes the root logger."""
    bad = "<html><head><link rel=canonical href=https://owen-han.com/x></head><body><ul><li>1 egg</ul>"
    write(tmp_path / "a.html", bad)
    code = "import logging, sys; from chef import read; list(read(sys.argv[1])); print(logging.root.handlers)"
    command = [sys.executable, "-c", code, str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("[]\n", "")


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(("page", "expected"), [one[1:] for one in PAGES], ids=[one[0] for one in PAGES])
def test_every_field_of_every_page(tmp_path: Path, page: str, expected: dict[str, Any]) -> None:
    (got,), skipped = read_all(write(tmp_path / "soup.html", page))
    assert values(got, list(expected)) == expected
    assert skipped.total == 0
