"""The page: whole, escaped, and without a word from the network."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from chef.report.paper import PAPER
from chef.report.write import write_report
from tests.report.made import result, study_file

VOID = {"meta", "img", "br", "path", "circle", "line", "polyline"}


class Reader(HTMLParser):
    """Collects what a page refers to, its ids and its text, and whether its tags are closed."""

    def __init__(self) -> None:
        super().__init__()
        self.references: list[tuple[str, str, str]] = []
        self.ids: list[str] = []
        self.tags: list[str] = []
        self.open: list[str] = []
        self.unmatched: list[str] = []
        self.text = ""

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.ids += [value or "" for name, value in attrs if name == "id"]
        for name, value in attrs:
            if name in {"src", "href", "srcset", "xlink:href", "action", "poster", "data"}:
                self.references.append((tag, name, value or ""))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.unmatched.append(tag)

    def handle_data(self, data):
        if self.open and self.open[-1] not in {"style", "title"}:
            self.text += data


@pytest.fixture(scope="module")
def written(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("results")
    models = ("t+t+l", "t+l+l", "s+l+l", "acme", "acme (batch statistics)")
    files = [study_file(folder, f"{seed}.json", [result(m, seed) for m in models]) for seed in (0, 1)]
    other = study_file(folder, "other.json", [result("t+t+l", 0, data="open <recipes>", n=300)])
    return write_report([*files, other], folder / "report").parent


@pytest.fixture(scope="module")
def html(written) -> str:
    return (written / "index.html").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def reader(html) -> Reader:
    found = Reader()
    found.feed(html)
    return found


def test_nothing_is_loaded_from_anywhere(html, reader):
    for tag, name, value in reader.references:
        inside = value.startswith(("data:image/", "#", "tables/"))
        citation = (tag, name, value) == ("a", "href", PAPER["address"])
        assert inside or citation, f"<{tag} {name}={value[:80]}>"
    assert not {"script", "link", "iframe", "object", "embed", "base"} & set(reader.tags)
    assert not re.search(r"url\(|@import|@font-face", html)


def test_every_link_leads_somewhere(written, reader):
    for _, name, value in reader.references:
        if name == "href" and value.startswith("#"):
            assert value[1:] in reader.ids
        if value.startswith("tables/"):
            assert (written / value).is_file()


def test_tags_are_closed_and_ids_are_single(reader):
    assert reader.unmatched == []
    assert reader.open == []
    assert len(reader.ids) == len(set(reader.ids))


def test_what_comes_from_recipes_is_escaped(html):
    for raw in ("<chicken>", "<dish>", "<recipes>", "recipe <0>"):
        assert raw not in html
    assert "Rice &amp; &lt;chicken&gt;" in html
    assert "open &lt;recipes&gt;" in html


def test_the_papers_figures_stand_in_marked_cells_only(html):
    # A figure of the paper's that no made-up result has.
    table = html.split('id="table-1"')[1].split("</figure>")[0]
    cells = re.findall(r"<td([^>]*)>(?:<b>)?1\.75\b", table)
    assert cells
    assert all("paper" in attributes for attributes in cells)


def test_all_sections_of_both_studies_are_there(reader):
    for name in ("measured", "retrieval", "main-ingredient", "pruning", "substitution", "actions"):
        assert name in reader.ids
        assert f"{name}-2" in reader.ids


def test_the_brief_is_of_ttl_and_the_others_are_folded(html):
    brief = html.split('class="brief"')[1].split("</section>")[0]
    shown, folded = brief.split("<details>", 1)
    assert "T+T+L" in shown
    assert "T+L+L" not in shown
    assert "The same for T+L+L" in folded


def test_phone_dark_and_print_are_cared_for(html):
    assert "prefers-color-scheme: dark" in html
    assert "@media print" in html
    assert 'name="viewport"' in html
