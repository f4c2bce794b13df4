from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.readers.helpers import read_all, write
from tests.readers.test_json_files import SOUP

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


def test_type_with_charset_and_single_quotes(tmp_path: Path) -> None:
    text = f"<SCRIPT type='application/ld+json; charset=utf-8'>{SCRIPT}</SCRIPT>"
    assert len(read_all(write(tmp_path / "soup.htm", text))[0]) == 1


def test_a_broken_script_does_not_hide_the_next(tmp_path: Path) -> None:
    (got,), _ = read_all(write(tmp_path / "soup.html", page("{oops", SCRIPT)))
    assert got.title == "Pea soup"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "<html></html>",
        page("{oops"),
        page('{"@type": "WebSite"}'),
        "<script " * 9999,
        "application/ld+json" * 9999,
    ],
)
def test_a_page_without_recipe(tmp_path: Path, text: str) -> None:
    recipes, skipped = read_all(write(tmp_path / "a.html", text))
    assert recipes == []
    assert skipped.counts == {"no recipe in the file": 1}


def test_a_script_without_end(tmp_path: Path) -> None:
    text = '<script type="application/ld+json">' * 3 + SCRIPT
    assert read_all(write(tmp_path / "a.html", text))[1].counts == {"no recipe in the file": 1}
