import json
from pathlib import Path

import pytest

from tests.readers.helpers import SOUP, read_all, write

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
