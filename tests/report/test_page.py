"""The page: whole, escaped, and without a word from the network."""

import csv
import io
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from chef.errors import ChefError
from chef.report.names import PAPER
from chef.report.page import write_report
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
    reader = Reader()
    reader.feed(html)
    return reader


def test_nothing_is_loaded_from_anywhere(html, reader):
    for tag, name, value in reader.references:
        inside = value.startswith(("data:image/", "#", "tables/"))
        citation = (tag, name, value) == ("a", "href", PAPER["address"])
        assert inside or citation, f"<{tag} {name}={value[:80]}>"
    assert not {"script", "link", "iframe", "object", "embed", "base"} & set(reader.tags)
    assert not re.search(r"url\(|@import|@font-face", html)


def test_every_link_leads_somewhere_and_all_sections_are_there(written, reader):
    for _, name, value in reader.references:
        if name == "href" and value.startswith("#"):
            assert value[1:] in reader.ids
        if value.startswith("tables/"):
            assert (written / value).is_file()
    assert reader.unmatched == []
    assert reader.open == []
    assert len(reader.ids) == len(set(reader.ids))
    for name in ("measured", "retrieval", "trees", "main-ingredient", "pruning", "substitution", "actions"):
        assert name in reader.ids
        assert f"{name}-2" in reader.ids


def test_recipes_are_escaped_and_phone_dark_and_print_are_cared_for(html):
    for raw in ("<chicken>", "<dish>", "<recipes>", "recipe <0>"):
        assert raw not in html
    assert "Rice &amp; &lt;chicken&gt;" in html
    assert "open &lt;recipes&gt;" in html
    assert "prefers-color-scheme: dark" in html
    assert "@media print" in html
    assert 'name="viewport"' in html


def test_the_papers_figures_stand_in_marked_cells_only(html):
    # A figure of the paper's that no made-up result has.
    table = html.split('id="table-1"')[1].split("</figure>")[0]
    cells = re.findall(r"<td([^>]*)>(?:<b>)?1\.75\b", table)
    assert cells
    assert all("paper" in attributes for attributes in cells)


def test_the_brief_is_of_ttl_and_the_others_are_folded(html):
    brief = html.split('class="brief"')[1].split("</section>")[0]
    shown, folded = brief.split("<details>", 1)
    assert "T+T+L" in shown
    assert "T+L+L" not in shown
    assert "The same for T+L+L" in folded


def test_every_table_is_written_in_both_forms_with_the_results_figures(tmp_path):
    made = result()
    page = write_report([study_file(tmp_path, "r.json", [made])], tmp_path / "out").read_text(
        encoding="utf-8"
    )
    names = {path.name for path in (tmp_path / "out" / "tables").iterdir()}
    stems = {name.rsplit(".", 1)[0] for name in names}
    assert {"table-1", "table-s1", "table-2", "table-3", "table-s2", "table-6"} <= stems
    assert {"substitution-chicken", "substitution-pork", "substitution-beef"} <= stems
    assert names == {f"{stem}.{form}" for stem in stems for form in ("tex", "csv")}
    text = (tmp_path / "out" / "tables" / "table-1.csv").read_text(encoding="utf-8")
    first = next(csv.DictReader(io.StringIO(text)))
    cell = made["retrieval"]["image-to-recipe"]["1k"]
    assert float(first["Measured here: R@1"]) == pytest.approx(cell["R@1"], abs=1e-4)
    assert float(first["Measured here: R@1 low"]) == pytest.approx(cell["ci"]["R@1"][0], abs=1e-4)
    assert first["Paper, on Recipe1M: R@1"] == "49"
    assert f"{cell['R@1']:.1f}<small class=ci>" in page


def test_two_studies_do_not_overwrite_each_other(tmp_path):
    paths = [study_file(tmp_path, f"{n}.json", [result(n=n)]) for n in (1200, 1500)]
    write_report(paths, tmp_path / "out")
    first, second = (tmp_path / "out" / "tables" / f"table-1{end}.csv" for end in ("", "-2"))
    assert "1,200" in first.read_text(encoding="utf-8")
    assert "1,500" in second.read_text(encoding="utf-8")


def test_a_result_with_a_hole_is_named_and_nothing_is_written(tmp_path):
    made = result()
    del made["main-ingredient"]["against"]
    with pytest.raises(ChefError, match=r"r.json: main-ingredient.against is missing"):
        write_report([study_file(tmp_path, "r.json", [made])], tmp_path / "out")
    assert not (tmp_path / "out").exists()
    path = study_file(tmp_path, "r.json", [result()])
    with pytest.raises(ChefError, match="not a folder"):
        write_report([path], path)


def test_retrieval_alone_is_enough(tmp_path):
    others = ("pruning", "substitution", "actions", "figures", "main-ingredient")
    made = {name: value for name, value in result().items() if name not in others}
    page = write_report([study_file(tmp_path, "r.json", [made])], tmp_path / "out").read_text()
    assert 'id="retrieval"' in page
    assert 'id="pruning"' not in page
