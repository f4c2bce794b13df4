import json
import re
import xml.etree.ElementTree as ET
from pathlib import Path
from statistics import fmean

import ladder
import pytest

from tests.conftest import ROOT
from tests.report.made import result

RUNGS = {
    "baselines": [{"model": "afternoon", "label": "an afternoon's work"}],
    "ladder": [
        {"model": "t+t+l", "label": "the paper's"},
        {"model": "s+l+l", "label": "R & D"},
        {"model": "never", "label": "never trained"},
    ],
}


@pytest.fixture
def place(tmp_path) -> Path:
    (tmp_path / "rungs.json").write_text(json.dumps(RUNGS))
    page = ("before", "<!-- ladder -->", "old", "<!-- end of ladder -->", "after", "")
    (tmp_path / "models.md").write_text("\n".join(page))
    for seed in (0, 1, 2):
        models = [result(model, seed) for model in ("t+t+l", "s+l+l", "afternoon")]
        (tmp_path / f"seed-{seed}.json").write_text(json.dumps({"models": models, "comparisons": []}))
    return tmp_path


def run(place: Path, *results: str) -> int:
    files = [str(place / name) for name in results or ("seed-0.json", "seed-1.json", "seed-2.json")]
    with pytest.MonkeyPatch.context() as patch:
        options = ("--rungs", str(place / "rungs.json"), "--docs", str(place))
        patch.setattr("sys.argv", ["ladder.py", *files, *options])
        return ladder.main()


def mean(model: str, metric: str) -> float:
    return fmean(result(model, seed)["retrieval"]["image-to-recipe"]["full"][metric] for seed in (0, 1, 2))


def test_tables_hold_the_means_and_the_rest_of_the_page_stays(place, capsys):
    assert run(place) == 0
    assert capsys.readouterr().err == "no result of never (never trained)\n"
    page = (place / "models.md").read_text()
    assert page.startswith("before\n<!-- ladder -->\n![")
    assert "old" not in page
    assert page.endswith("\nafter\n")
    rows = [line for line in page.splitlines() if line.startswith("| ")]
    labels = [row.split("|")[1].strip() for row in rows]
    assert labels == ["", "---", "the paper's", "R & D", "an afternoon's work"]
    assert f"| {mean('t+t+l', 'R@1'):.1f} ±" in rows[2]
    assert f"| {mean('s+l+l', 'R@10'):.1f} ±" in rows[3]
    assert "3 training seeds" in page
    before = [(place / name).read_bytes() for name in ("models.md", "ladder.svg")]
    run(place)
    assert [(place / name).read_bytes() for name in ("models.md", "ladder.svg")] == before


def test_the_picture_shows_every_rung_further_right_the_better(place):
    run(place)
    picture = ET.parse(place / "ladder.svg").getroot()
    titles = [title.text or "" for title in picture.iter("{http://www.w3.org/2000/svg}title")]
    assert len(titles) == 2 * 3  # two rungs and the baseline, R@1 and R@10
    assert any(title.startswith(f"R & D: R@1 {mean('s+l+l', 'R@1'):.1f}") for title in titles)
    places = {}
    for group in picture.iter("{http://www.w3.org/2000/svg}g"):
        name = re.match(r"(.*): (R@\d+) ", group[0].text or "").groups()
        places[name] = float(group[2].get("cx"))
    order = sorted(places, key=lambda name: mean("t+t+l" if name[0] == "the paper's" else "s+l+l", name[1]))
    assert sorted(places, key=places.get) == order


def test_results_that_cannot_stand_in_one_table_are_refused(place, capsys):
    (place / "other.json").write_text(json.dumps(result("t+t+l", 0, data="elsewhere")))
    assert run(place, "seed-0.json", "other.json") == 2
    assert "results of several populations" in capsys.readouterr().err


def test_our_own_page_and_ladder_fit_each_other():
    page = (ROOT / "docs" / "models.md").read_text()
    assert page.count("<!-- ladder -->") == page.count("<!-- end of ladder -->") == 1
    rungs = json.loads((ROOT / "experiments" / "ladder.json").read_text())
    names = [rung["model"] for part in rungs.values() for rung in part]
    assert len(names) == len(set(names))
    assert "chef-base" in names
